"""Who decides what: each decision asks the seat's policy, or chance where it plays at random."""

from kernels.jit import inlined, jit
from kernels.streams import below, draw, stream, uniform
from kernels.vault import expert, happenings, simple
from kernels.vault.hand import find_set
from kernels.vault.happenings import tell
from kernels.vault.knobs import BREAK_AT, JOIN_AT, LONER
from kernels.vault.layout import (
    ACT,
    ACTION,
    BREAK,
    COIN,
    EXPERT,
    NO_CARD,
    NOBODY,
    PASS,
    RULE_OF_THUMB,
    SEATS,
    SIMPLE,
)
from kernels.vault.loot import vault_size
from kernels.vault.tokens import can_pay
from kernels.vault.worth import chance


@jit
def prepare(rules, policies, scratch):
    """Fill the tables in ``scratch`` that hold for a whole batch."""
    scratch.loot_total = 0
    for i in range(rules.loot_cards):
        scratch.loot_total += rules.loot[i]
    for seat in range(SEATS):
        if policies.kind[seat] == SIMPLE or policies.kind[seat] == RULE_OF_THUMB:
            simple.count_dice(rules, policies.knobs[seat, BREAK_AT], scratch.enough[seat])


@jit
def toss(key, state, seat):
    """64 random bits (uint64) for a decision of this seat; counts them in ``state.coins``."""
    times = state.coins[seat]
    state.coins[seat] = times + 1
    return draw(stream(key, COIN, seat, times), 0)


@jit
def by_chance(policies, key, state, seat):
    """Whether this decision of the seat is drawn from all that is legal.

    By mistake, or always: `random` is a policy of nothing but mistakes.
    """
    likely = policies.mistakes[seat]
    if likely == 0.0:
        return False
    return likely == 1.0 or uniform(toss(key, state, seat)) < likely


@jit
def keeps_second(rules, policies, key, state, seat, deck, first, second, scratch):
    """Whether the seat keeps the second of the two cards that it has drawn up to."""  # V7 V8
    if by_chance(policies, key, state, seat):
        return below(toss(key, state, seat), 2) == 1
    if policies.kind[seat] == SIMPLE:
        return False
    knobs = policies.weights[seat]
    return expert.keeps_second(rules, knobs, state, seat, deck, first, second, scratch)


@inlined
def pick_set(rules, policies, key, state, seat, suit, scratch):
    """Note the next set of a suit that suffices in ``scratch.set``; 0 to keep the cards."""  # V10
    if by_chance(policies, key, state, seat):
        if below(toss(key, state, seat), 2) == 0:
            return 0
    elif policies.kind[seat] == EXPERT:
        knobs = policies.weights[seat]
        return expert.find_thrifty_set(rules, knobs, state, seat, suit, scratch)
    return find_set(rules, state, seat, suit, scratch)


@inlined
def choose(rules, policies, key, state, scratch, events):
    """PASS, ACT or BREAK; the break that is agreed upon stands in ``scratch``."""  # V11 V13 V14
    seat = state.seat
    for other in range(rules.players):
        scratch.refused[other] = 0
    while True:  # as often as somebody declines, an offer is made without that seat
        choice = propose(rules, policies, key, state, seat, scratch)
        if choice != BREAK or accepted(rules, policies, key, state, seat, scratch, events):
            return choice


@inlined
def propose(rules, policies, key, state, seat, scratch):
    """PASS, ACT, or BREAK with an offer in ``scratch``."""
    if by_chance(policies, key, state, seat):
        return any_choice(rules, policies, key, state, seat, scratch)
    inviting = policies.inviting[seat]
    if policies.kind[seat] == SIMPLE:
        enough = scratch.enough[seat, state.breaks]
        return simple.propose(rules, state, seat, enough, inviting, scratch)
    if policies.kind[seat] == EXPERT:
        knobs = policies.knobs[seat]
        acting = policies.acting[seat]
        return expert.choose(rules, knobs, state, seat, acting, inviting, scratch)
    if policies.knobs[seat, LONER] > 0.0 and state.breaks > 0:
        inviting = 0
    enough = scratch.enough[seat, state.breaks]
    choice = simple.propose(rules, state, seat, enough, inviting, scratch)
    if choice == PASS and policies.acting[seat] and may_act(rules, state, seat):
        kind = state.holds[ACTION, seat]
        weights = policies.weights[seat]
        if expert.card_worth(rules, weights, state, seat, ACTION, kind, scratch) > 0.0:
            return ACT
    return choice


@jit
def may_act(rules, state, seat):
    """Whether the seat holds an action that it can pay."""
    kind = state.holds[ACTION, seat]
    return kind != NO_CARD and can_pay(rules, state, seat, ACTION, kind)


@jit
def any_choice(rules, policies, key, state, seat, scratch):
    """Pass, act or break by lot among what is possible, with a break drawn by lot."""
    choices = 1
    acts = policies.acting[seat] == 1 and may_act(rules, state, seat)
    breaks = any_break(rules, policies, key, state, seat, scratch)
    pick = below(toss(key, state, seat), choices + acts + breaks)
    if pick == 0:
        return PASS
    return ACT if acts and pick == 1 else BREAK


@jit
def any_break(rules, policies, key, state, seat, scratch):
    """Draw by lot who is invited, how many dice each gives and who gets which loot."""
    simple.clear_offer(scratch)
    left = rules.dice
    if state.tokens[seat] == 0:
        return False
    partner = NOBODY
    if simple.needs_partner(rules, state):
        partner = any_partner(rules, policies, key, state, seat, scratch)
        if partner == NOBODY or (rules.table_limit and left < 2):
            return False
    parts = 0
    for i in range(rules.players):
        other = (seat + i) % rules.players
        most = min(state.tokens[other], rules.dice)
        if rules.table_limit:  # one die is left for the partner that there must be
            most = min(most, left - (partner != NOBODY and i == 0))
        invited = i == 0 or other == partner
        if not invited and policies.inviting[seat] and not scratch.refused[other] and most > 0:
            invited = below(toss(key, state, seat), 2) == 1
            if rules.table_limit and partner != NOBODY and scratch.part[partner] == 0:
                invited = False
        if invited and most > 0:
            scratch.part[other] = 1 + below(toss(key, state, seat), most)
            left -= scratch.part[other]
            parts += 1
    scratch.shares = min(rules.loot_per_break, vault_size(rules, state))
    for i in range(scratch.shares):
        pick = below(toss(key, state, seat), parts)
        for other in range(rules.players):
            if scratch.part[other] > 0:
                if pick == 0:
                    scratch.share[i] = other
                pick -= 1
    return True


@jit
def any_partner(rules, policies, key, state, seat, scratch):
    """One of the seats that can be invited, drawn by lot, or NOBODY."""
    able = 0
    for other in range(rules.players):
        able += other != seat and state.tokens[other] > 0 and not scratch.refused[other]
    if able == 0 or not policies.inviting[seat]:
        return NOBODY
    pick = below(toss(key, state, seat), able)
    for other in range(rules.players):
        if other != seat and state.tokens[other] > 0 and not scratch.refused[other]:
            if pick == 0:
                return other
            pick -= 1
    return NOBODY


@inlined
def accepted(rules, policies, key, state, breaker, scratch, events):
    """Whether all who are invited take part; who does not is noted in ``scratch.refused``."""
    n = 0
    for part in scratch.part:
        n += part
    if n == scratch.part[breaker]:
        return True
    agreed = True
    for i in range(1, rules.players):
        seat = (breaker + i) % rules.players
        if scratch.part[seat] > 0 and not joins(rules, policies, key, state, seat, n, scratch):
            scratch.refused[seat] = 1
            agreed = False
            tell(state, events, happenings.DECLINED, seat, breaker, 0, 0)
    return agreed


@jit
def joins(rules, policies, key, state, seat, n, scratch):
    """Whether an invited seat joins the break with n dice that is offered."""  # V13
    if not policies.joining[seat]:
        return False
    if by_chance(policies, key, state, seat):
        return below(toss(key, state, seat), 2) == 1
    if policies.kind[seat] == SIMPLE:
        return True
    if policies.kind[seat] == EXPERT:
        return expert.joins(rules, policies.knobs[seat], state, seat, n, scratch)
    odds = chance(rules, n, rules.threshold[state.breaks])
    return odds >= policies.knobs[seat, JOIN_AT]


@jit
def reacts(rules, policies, key, state, seat, moment, scratch):
    """Whether the seat uses its reaction, which it can use and pay."""  # E9
    if not policies.acting[seat]:
        return False
    if by_chance(policies, key, state, seat):
        return below(toss(key, state, seat), 2) == 1
    if policies.kind[seat] == SIMPLE:
        return False
    n = scratch.extra
    for part in scratch.part:
        n += part
    return expert.reacts(rules, policies.weights[seat], state, seat, moment, n, scratch)


@jit
def reveals(rules, policies, key, state, seat, scratch):
    """Whether a seat that has enough VP reveals it now."""  # V19
    if by_chance(policies, key, state, seat):
        return below(toss(key, state, seat), 2) == 1
    if policies.kind[seat] == EXPERT:
        return expert.reveals(rules, policies.knobs[seat], state, seat, scratch)
    return True
