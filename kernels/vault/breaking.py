"""Breaking the vault: paying for dice, the roll, loot or failure."""

from kernels.dice import roll
from kernels.jit import inlined, jit
from kernels.streams import below, draw, stream
from kernels.vault import happenings
from kernels.vault.cards import (
    about,
    ask_reveals,
    count_rolled,
    react,
    tell_dice,
    tell_shares,
)
from kernels.vault.hand import lose_cards
from kernels.vault.happenings import tell
from kernels.vault.layout import (
    ALL_CARDS,
    ALL_TOKENS,
    ATTEMPTS,
    ATTEMPTS_AT,
    BREAKS,
    BROKEN_AT,
    BY_BREAKS,
    DICE,
    ENDED_BY,
    FAILURE,
    FAILURES,
    IGNORE_FAILURE,
    NO_CARD,
    ON_ANY_BREAK,
    ON_MY_FAILURE,
    ONE_CARD,
    ONE_TOKEN,
    OVER,
    PARTICIPANTS,
    REACTION,
    ROLL,
    SIDES,
    SKIP,
)
from kernels.vault.loot import gain_loot, lose_loot, top_loot
from kernels.vault.targets import next_seat
from kernels.vault.tokens import lose_tokens, pay_dice


@inlined
def break_vault(rules, policies, key, state, scratch, events):
    """The seat whose turn it is breaks the vault as offered in ``scratch``."""  # V12-V18
    threshold = rules.threshold[state.breaks]
    attempt = state.count[ATTEMPTS]
    state.count[ATTEMPTS] += 1
    state.count[ATTEMPTS_AT + state.breaks] += 1
    pay_parts(rules, state, threshold, scratch, events)
    scratch.extra = 0
    scratch.lowered = 0
    scratch.added = 0
    scratch.taken = 0
    if not reactions_over(rules, policies, key, state, 0, scratch, events):
        return
    n = count_rolled(scratch)
    scratch.total = roll(stream(key, ROLL, 0, attempt), n, SIDES, scratch.dice)
    state.count[DICE] += n
    threshold -= scratch.lowered
    tell(state, events, happenings.ROLLED, state.seat, scratch.total, threshold, 0)
    tell_dice(state, n, scratch, events)
    if not reactions_over(rules, policies, key, state, 1, scratch, events):
        return
    total = scratch.total + scratch.added
    if total >= threshold:
        succeed(rules, policies, key, state, total, scratch, events)
    else:
        die = below(draw(stream(key, FAILURE, 0, attempt), 0), SIDES) + 1
        fail(rules, policies, key, state, total, die, scratch, events)


@inlined
def pay_parts(rules, state, threshold, scratch, events):
    """The participants pay for their dice, the breaker first."""  # V12
    tell(state, events, happenings.BROKE_IN, state.seat, threshold, 0, 0)
    for i in range(rules.players):
        seat = next_seat(rules, state.seat, i)
        if scratch.part[seat] > 0:
            state.count[PARTICIPANTS] += 1
            tell(state, events, happenings.PART, seat, scratch.part[seat], 0, 0)
            pay_dice(state, seat, scratch.part[seat], events)
    tell_shares(state, scratch, events)


@jit
def reactions_over(rules, policies, key, state, late, scratch, events):
    """Ask all seats for reactions before or after the roll; whether the game goes on."""  # E5
    if rules.cards[REACTION] == 0:
        return True
    about(scratch, state.seat, NO_CARD, 0, late)
    for i in range(rules.players):
        seat = next_seat(rules, state.seat, i)
        react(rules, policies, key, state, seat, ON_ANY_BREAK, scratch, events)
        if state.phase == OVER:
            return False
    return True


@inlined
def succeed(rules, policies, key, state, total, scratch, events):
    """The vault is broken: its top cards go to whom they were promised."""  # V16
    state.count[BREAKS] += 1
    state.count[BROKEN_AT + state.breaks] += 1
    state.breaks += 1
    tell(state, events, happenings.BROKEN, state.seat, total, 0, 0)
    for i in range(scratch.shares):
        value = top_loot(state)
        gain_loot(state, scratch.share[i], value)
        tell(state, events, happenings.LOOTED, scratch.share[i], value, 0, 0)
    if state.breaks == rules.thresholds:  # V19
        state.count[ENDED_BY] = BY_BREAKS
        state.phase = OVER
    elif scratch.shares > 0:
        ask_reveals(rules, policies, key, state, scratch, events)


@jit
def fail(rules, policies, key, state, total, die, scratch, events):
    """The failure die hits the breaker, or every participant."""  # V17
    state.count[FAILURES + die - 1] += 1
    tell(state, events, happenings.FAILED, state.seat, total, die, 0)
    for i in range(rules.players if rules.failure_hits_all else 1):
        seat = next_seat(rules, state.seat, i)
        if scratch.part[seat] == 0:
            continue
        if rules.cards[REACTION] > 0:
            about(scratch, state.seat, NO_CARD, die, 0)
            used = react(rules, policies, key, state, seat, ON_MY_FAILURE, scratch, events)
            if state.phase == OVER:
                return
            if used == IGNORE_FAILURE:
                continue
        if hit(key, state, seat, die, events):
            ask_reveals(rules, policies, key, state, scratch, events)
            if state.phase == OVER:
                return


@jit
def hit(key, state, seat, die, events):
    """What the failure die does to a seat; whether that changed its loot."""  # V17
    tell(state, events, happenings.HIT, seat, die, 0, 0)
    if die == SKIP:
        state.skips[seat] = 1
    elif die == ONE_CARD:
        lose_cards(key, state, seat, 1, events)
    elif die == ALL_CARDS:
        lose_cards(key, state, seat, state.cards[seat], events)
    elif die == ONE_TOKEN:
        lose_tokens(state, seat, 1, events)
    elif die == ALL_TOKENS:
        lose_tokens(state, seat, state.tokens[seat], events)
    else:
        return lose_loot(key, state, seat, events)
    return False
