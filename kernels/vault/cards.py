"""Action and reaction cards: drawing them up, using them, and what they do."""

from kernels.jit import jit
from kernels.streams import below, draw, stream
from kernels.vault import decisions, happenings
from kernels.vault.hand import add_card, draw_cards, loss_stream, put_under, random_card
from kernels.vault.happenings import tell
from kernels.vault.layout import (
    ACTION,
    ADD_TO_ROLL,
    ANYBODY,
    BY_REVEAL,
    CANCEL_ACTION,
    DESTROY_TOKEN,
    DICE_ROOM,
    DISCARD_TRAINING,
    DRAW_TRAINING,
    ENDED_BY,
    EXTRA_DIE,
    GAIN_TOKENS,
    JOIN_UNINVITED,
    LOWER_THRESHOLD,
    NO_CARD,
    NO_TARGET,
    NOBODY,
    ON_ACTION,
    ON_TARGETED,
    OVER,
    PARTICIPANTS,
    PEEK_LOOT,
    PILE_ROOM,
    PROTECT,
    REACTION,
    REROLL,
    REROLL_LOWEST,
    SIDES,
    SKIP_PLAYER,
    STEAL_LOOT,
    STEAL_TOKEN,
    STEAL_TRAINING,
    SWAP_LOOT,
    TARGET,
)
from kernels.vault.loot import peek_loot, steal_loot, swap_loot
from kernels.vault.targets import named_target, next_seat
from kernels.vault.tokens import can_pay, gain_tokens, pay_card, take_tokens

RING = PILE_ROOM - 1


@jit
def take_from_pile(state, deck):
    """The top card (its kind) of the action or the reaction deck, which has one."""
    kind = state.pile[deck, state.pile_top[deck]]
    state.pile_top[deck] = (state.pile_top[deck] + 1) & RING
    state.pile_size[deck] -= 1
    return kind


@jit
def put_on_pile(state, deck, kind):
    """Put a card on top of its deck."""
    state.pile_top[deck] = (state.pile_top[deck] - 1) & RING
    state.pile[deck, state.pile_top[deck]] = kind
    state.pile_size[deck] += 1


@jit
def put_under_pile(state, deck, kind):
    """Put a card under its deck."""
    state.pile[deck, (state.pile_top[deck] + state.pile_size[deck]) & RING] = kind
    state.pile_size[deck] += 1


@jit
def draw_up(rules, policies, key, state, seat, deck, scratch, events):
    """Draw up to two cards of a deck, keep one and put the other on top of the deck."""  # V7 V8
    held = state.holds[deck, seat]
    first = held
    drawn = 0
    if held == NO_CARD and state.pile_size[deck] > 0:
        first = take_from_pile(state, deck)
        drawn = 1
    if first == NO_CARD:
        return
    second = NO_CARD
    if state.pile_size[deck] > 0:
        second = take_from_pile(state, deck)
    kept = first
    back = second
    if second != NO_CARD and decisions.keeps_second(
        rules, policies, key, state, seat, deck, first, second, scratch
    ):
        kept = second
        back = first
    if back != NO_CARD:
        put_on_pile(state, deck, back)
    state.holds[deck, seat] = kept
    tell(state, events, happenings.DRAWN_UP, seat, deck, kept, back)
    if drawn:
        tell(state, events, happenings.DRAWN, seat, first, 0, 0)
    if second != NO_CARD:
        tell(state, events, happenings.DRAWN, seat, second, 0, 0)


@jit
def find_target(rules, key, state, seat, target):
    """The seat that a target rule names, or NOBODY for an effect without a target."""  # E1
    if target == NO_TARGET:
        return NOBODY
    if target == ANYBODY:
        start = stream(key, TARGET, seat, state.targets)
        state.targets += 1
        return next_seat(rules, seat, 1 + below(draw(start, 0), rules.players - 1))
    return named_target(rules, state, seat, target)


@jit
def announce(rules, key, state, seat, deck, kind, moment, events):
    """The seat pays for its card, which goes under its deck; returns whom it aims at."""
    target = find_target(rules, key, state, seat, rules.target[deck, kind])
    state.holds[deck, seat] = NO_CARD
    put_under_pile(state, deck, kind)
    what = happenings.ACTED if deck == ACTION else happenings.REACTED
    tell(state, events, what, seat, kind, target, moment)
    pay_card(rules, state, seat, deck, kind, events)
    return target


@jit
def may_react(rules, state, seat, moment, late, scratch):
    """Whether the seat has a reaction that it can use and pay at this moment."""  # E2 E9
    kind = state.holds[REACTION, seat]
    if kind == NO_CARD or rules.moment[REACTION, kind] != moment:
        return False
    effect = rules.effect[REACTION, kind]
    if (effect in (REROLL_LOWEST, ADD_TO_ROLL)) != late:  # E5
        return False
    if effect == JOIN_UNINVITED and scratch.part[seat] > 0:
        return False
    return can_pay(rules, state, seat, REACTION, kind)


@jit
def about(scratch, who, what, how_much, late):
    """Note what the next reactions are about: who breaks or acts, and the effect that it has."""
    scratch.who = who
    scratch.what = what
    scratch.how_much = how_much
    scratch.late = late


@jit
def answer(rules, policies, key, state, target, scratch, events):
    """The target may answer what is aimed at it; returns whether it is protected."""  # E6 E7
    if not may_react(rules, state, target, ON_TARGETED, False, scratch):
        return False
    if not decisions.reacts(rules, policies, key, state, target, ON_TARGETED, scratch):
        return False
    kind = state.holds[REACTION, target]
    aim = announce(rules, key, state, target, REACTION, kind, ON_TARGETED, events)
    do_effect(rules, policies, key, state, target, REACTION, kind, aim, scratch, events)
    return rules.effect[REACTION, kind] == PROTECT


@jit
def react(rules, policies, key, state, seat, moment, scratch, events):
    """The seat may use its reaction; returns the effect that it used, or NO_CARD."""  # E5-E8
    if not may_react(rules, state, seat, moment, scratch.late == 1, scratch):
        return NO_CARD
    if not decisions.reacts(rules, policies, key, state, seat, moment, scratch):
        return NO_CARD
    kind = state.holds[REACTION, seat]
    effect = rules.effect[REACTION, kind]
    aim = announce(rules, key, state, seat, REACTION, kind, moment, events)
    if aim != NOBODY:
        who, what, how_much, late = scratch.who, scratch.what, scratch.how_much, scratch.late
        about(scratch, seat, effect, rules.amount[REACTION, kind], 0)
        protected = answer(rules, policies, key, state, aim, scratch, events)
        about(scratch, who, what, how_much, late)
        if protected or state.phase == OVER:
            return effect
    do_effect(rules, policies, key, state, seat, REACTION, kind, aim, scratch, events)
    return effect


@jit
def act(rules, policies, key, state, scratch, events):
    """The seat whose turn it is plays its action."""  # V11 E6
    seat = state.seat
    kind = state.holds[ACTION, seat]
    effect = rules.effect[ACTION, kind]
    aim = announce(rules, key, state, seat, ACTION, kind, 0, events)
    about(scratch, seat, effect, rules.amount[ACTION, kind], 0)
    scratch.aim = aim
    for i in range(1, rules.players):
        other = next_seat(rules, seat, i)
        used = react(rules, policies, key, state, other, ON_ACTION, scratch, events)
        if used == CANCEL_ACTION or state.phase == OVER:
            return
    if aim != NOBODY and answer(rules, policies, key, state, aim, scratch, events):
        return
    if state.phase != OVER:
        do_effect(rules, policies, key, state, seat, ACTION, kind, aim, scratch, events)


@jit
def do_effect(rules, policies, key, state, seat, deck, kind, target, scratch, events):
    """What a card does for the seat that used it."""  # E3 E4
    effect = rules.effect[deck, kind]
    amount = rules.amount[deck, kind]
    if effect == GAIN_TOKENS:
        gain_tokens(state, seat, amount, events)
    elif effect in (STEAL_TOKEN, DESTROY_TOKEN):
        take_tokens(state, seat, target, amount, effect == STEAL_TOKEN, effect, events)
    elif effect == DRAW_TRAINING:
        draw_cards(state, seat, amount, happenings.DREW, events)
    elif effect in (STEAL_TRAINING, DISCARD_TRAINING):
        take_cards(key, state, seat, target, amount, effect, events)
    elif effect == STEAL_LOOT:
        if steal_loot(key, state, seat, target, amount, events):
            ask_reveals(rules, policies, key, state, scratch, events)
    elif effect == SWAP_LOOT:
        if swap_loot(key, state, seat, target, amount, events):
            ask_reveals(rules, policies, key, state, scratch, events)
    elif effect == PEEK_LOOT:
        peek_loot(rules, state, seat, amount, events)
    elif effect == SKIP_PLAYER:
        state.skips[target] = 1
        tell(state, events, happenings.MUST_SKIP, target, 0, 0, 0)
    elif effect == EXTRA_DIE:
        scratch.extra += amount
    elif effect == ADD_TO_ROLL:
        scratch.added += amount
    elif effect == LOWER_THRESHOLD:
        scratch.lowered += amount
    elif effect == REROLL_LOWEST:
        reroll_lowest(key, state, seat, amount, scratch, events)
    elif effect == JOIN_UNINVITED:
        join(state, seat, amount, scratch, events)


@jit
def take_cards(key, state, seat, target, n, effect, events):
    """Up to n random training cards of a target go to the seat, or under the deck."""
    n = min(n, state.cards[target])
    if n == 0:
        return
    start = loss_stream(key, state, target)
    tell(state, events, happenings.TOOK_CARDS, seat, target, effect, 0)
    for i in range(n):
        card = random_card(state, target, draw(start, i))
        tell(state, events, happenings.CARD, target, card, 0, 0)
        if effect == STEAL_TRAINING:
            add_card(state, seat, card)
        else:
            put_under(state, card)


@jit
def count_rolled(scratch):
    """How many dice the break rolls: those given, and those by reactions."""
    n = scratch.extra
    for part in scratch.part:
        n += part
    return n


@jit
def reroll_lowest(key, state, seat, n, scratch, events):
    """Roll the n lowest dice again."""
    dice = count_rolled(scratch)
    start = stream(key, REROLL, 0, state.rerolls)
    state.rerolls += 1
    done = scratch.order
    for i in range(dice):
        done[i] = 0
    for k in range(min(n, dice)):
        lowest = -1
        for i in range(dice):
            if not done[i] and (lowest < 0 or scratch.dice[i] < scratch.dice[lowest]):
                lowest = i
        done[lowest] = 1
        scratch.dice[lowest] = below(draw(start, k), SIDES) + 1
    scratch.total = 0
    for i in range(dice):
        scratch.total += scratch.dice[i]
    tell(state, events, happenings.REROLLED, seat, scratch.total, 0, 0)
    tell_dice(state, dice, scratch, events)


@jit
def tell_dice(state, n, scratch, events):
    """Record the dice of a roll."""
    if events.recording:
        for i in range(min(n, DICE_ROOM)):
            tell(state, events, happenings.DIE, 0, scratch.dice[i], 0, 0)


@jit
def join(state, seat, dice, scratch, events):
    """A seat joins the break without invitation, and takes over one of the agreed shares."""  # E4
    breaker = state.seat
    place = -1
    for i in range(scratch.shares):
        if scratch.share[i] == breaker:
            place = i
    if place < 0:
        for i in range(scratch.shares):
            if not (scratch.taken >> i) & 1:
                place = i
    scratch.part[seat] = dice
    state.count[PARTICIPANTS] += 1
    if place >= 0:
        scratch.share[place] = seat
        scratch.taken |= 1 << place
    tell(state, events, happenings.JOINED, seat, dice, 0, 0)
    tell_shares(state, scratch, events)


@jit
def tell_shares(state, scratch, events):
    """Record who gets which loot card."""
    for i in range(scratch.shares):
        tell(state, events, happenings.SHARE, scratch.share[i], 0, 0, 0)


@jit
def ask_reveals(rules, policies, key, state, scratch, events):
    """Any seat with enough VP may reveal it, which ends the game."""  # V19
    for i in range(rules.players):
        seat = next_seat(rules, state.seat, i)
        if state.vp[seat] >= rules.reveal_at and decisions.reveals(
            rules, policies, key, state, seat, scratch
        ):
            tell(state, events, happenings.REVEALED, seat, state.vp[seat], 0, 0)
            state.count[ENDED_BY] = BY_REVEAL
            state.phase = OVER
            return
