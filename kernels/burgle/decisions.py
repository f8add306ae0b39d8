"""Who decides what: each decision asks the seat's policy, or chance where it plays at random."""

from kernels.burgle import expert, expert_tools, simple
from kernels.burgle.layout import (
    ALL_PEEK,
    COIN,
    DISCARD_GUARD,
    KEEP,
    NO_CARD,
    NO_PLAN,
    NO_USE,
    SEATS,
    SIMPLE,
    STAY,
    TARGETS,
    TOOLS,
)
from kernels.burgle.legal import may_use, targets_of
from kernels.burgle.table import guard_of, guards_shown
from kernels.burgle.trade import (
    arrangements,
    find_movable,
    give_other_card,
    random_arrangement,
    random_trade_of_other,
)
from kernels.cards import count_cards
from kernels.jit import inlined, jit
from kernels.streams import below, draw, stream, uniform

ALL_TOOLS = (1 << TOOLS) - 1


@jit
def prepare(rules, policies, scratch):
    """Fill the tables in ``scratch`` that hold for a whole batch."""
    for seat in range(SEATS):
        if policies.kind[seat] == SIMPLE:
            simple.weigh_totals(rules, policies, seat, scratch)
        else:
            expert.weigh_shortness(policies.knobs[seat], scratch.by_near[seat])


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
    chance = policies.mistakes[seat]
    if chance == 0.0:
        return False
    return chance == 1.0 or uniform(toss(key, state, seat)) < chance


@inlined
def arrange_trade(rules, policies, key, state, scratch):
    """Decide the trade into ``scratch.takes``; return among how many, or 0 where none is possible.

    It is the table's joint decision: the first seat that may trade decides for all.
    """  # B14
    n = find_movable(rules, state, True, scratch)
    if n < 2:
        return 0
    seat = scratch.movable[0]
    if not policies.trading[seat]:
        return 0
    if by_chance(policies, key, state, seat):
        any_trade(rules, key, state, seat, n, scratch)
    elif policies.kind[seat] == SIMPLE:
        if state.hacker >= 0:  # R59
            n = find_movable(rules, state, False, scratch)
            if n < 2:
                return 0
        simple.choose_trade(rules, policies, state, seat, n, scratch)
    else:
        knobs = policies.knobs[seat]
        expert.choose_trade(rules, knobs, scratch.by_near[seat], state, n, scratch)
    return n


@jit
def any_trade(rules, key, state, seat, n, scratch):
    """One of all legal trades, those in which the Hacker gives its other card among them."""  # C8
    if scratch.hacker_at >= 0:
        same = arrangements(n)
        other = same - arrangements(n - 1)
        if below(toss(key, state, seat), same + other) >= same:
            choice = toss(key, state, seat)
            bits = toss(key, state, seat)
            give_other_card(rules, scratch)
            random_trade_of_other(n, scratch.hacker_at, choice, bits, scratch.takes)
            return
    random_arrangement(n, toss(key, state, seat), scratch.takes)


@jit
def discards_peeked(rules, policies, key, state, seat, card):
    """Whether the seat discards the card it sees on its deck."""  # B18
    if not policies.peeking[seat]:
        return False
    if by_chance(policies, key, state, seat):
        return below(toss(key, state, seat), 2) == 1
    if policies.kind[seat] == SIMPLE:
        return simple.discards_peeked(state, seat, card)
    return expert.discards_peeked(rules, policies.knobs[seat], state, seat, card)


@jit
def looks_at_two(policies, seat):
    """Whether the Hawk looks at two cards: all do but `simple`."""  # C1 R59
    return policies.kind[seat] != SIMPLE


@jit
def discards_of_two(rules, policies, key, state, seat, top, second):
    """KEEP, DISCARD_TOP or DISCARD_SECOND: what the Hawk does with the two cards it sees."""  # C1
    if not policies.peeking[seat]:
        return KEEP
    if by_chance(policies, key, state, seat):
        return below(toss(key, state, seat), 3)
    return expert.discards_of_two(rules, policies.knobs[seat], state, seat, top, second)


@jit
def choose_deck(rules, policies, key, state, seat):
    """At whose deck the Rook looks as well, or -1."""  # C7
    if not policies.peeking[seat]:
        return -1
    if by_chance(policies, key, state, seat):
        pick = below(toss(key, state, seat), rules.players)
        return -1 if pick == seat else pick
    if policies.kind[seat] == SIMPLE:
        return -1
    return expert.choose_deck(rules, policies.knobs[seat], state, seat)


@jit
def discards_for_other(rules, policies, key, state, seat, other, card):
    """Whether the Rook discards the card it sees on another seat's deck."""  # C7
    if by_chance(policies, key, state, seat):
        return below(toss(key, state, seat), 2) == 1
    if policies.kind[seat] == SIMPLE:  # it looks by mistake only  # R59
        return False
    return expert.discards_peeked(rules, policies.knobs[seat], state, other, card)


@jit
def keeps_second_tool(rules, policies, key, state, seat, first, second):
    """Whether the Hammer keeps the second tool it drew."""  # C3
    if by_chance(policies, key, state, seat):
        return below(toss(key, state, seat), 2) == 1
    if policies.kind[seat] == SIMPLE:
        return False
    return expert_tools.prefers_tool(policies.knobs[seat], second, first)


@jit
def considers(policies, seat, window):
    """The tools (bits) that a seat may come to use in this window if it has them."""  # R31
    if not policies.using_tools[seat]:
        return 0
    if policies.mistakes[seat] > 0.0:
        return ALL_TOOLS
    return 0 if policies.kind[seat] == SIMPLE else expert_tools.USED_IN[window]


@jit
def use_tool(rules, policies, key, state, seat, window, scratch):
    """How the seat uses one of its tools now (tool * TARGETS + target), or NO_USE."""  # R31
    if by_chance(policies, key, state, seat):
        return any_use(rules, key, state, seat, window)
    if policies.kind[seat] == SIMPLE:
        return NO_USE
    return expert_tools.choose_use(rules, policies.knobs[seat], state, seat, window)


@jit
def any_use(rules, key, state, seat, window):
    """One of all legal uses of the seat's tools, or none."""
    uses = count_uses(rules, state, seat, window, -1)
    pick = below(toss(key, state, seat), uses + 1)
    return NO_USE if pick == uses else count_uses(rules, state, seat, window, pick)


@jit
def count_uses(rules, state, seat, window, wanted):
    """How many uses of its tools a seat has in this window; or the use of number ``wanted``."""
    n = 0
    for tool in range(TOOLS):
        if not (state.tools[seat] >> tool) & 1:
            continue
        for target in range(targets_of(rules, tool)):
            if may_use(rules, state, seat, tool, target, window):
                if n == wanted:
                    return tool * TARGETS + target
                n += 1
    return n


@jit
def choose_van_guard(rules, policies, key, state):
    """Whose Guard leaves its display by the Van's Jack, or -1.

    The first seat whose Guard is shown decides for the table.
    """  # B12 R46 R60
    seat = simple.first_guard_shown(state)
    if seat < 0:
        return -1
    if by_chance(policies, key, state, seat):
        shown = guards_shown(state, rules.players)
        pick = below(toss(key, state, seat), count_cards(shown) + 1)
        for owner in range(rules.players):
            if (shown >> owner) & 1:
                if pick == 0:
                    return owner
                pick -= 1
        return -1
    if policies.kind[seat] == SIMPLE:
        return seat
    return expert.neediest(rules, policies.knobs[seat], state)


@jit
def puts_on_top(rules, policies, key, state, seat):
    """Whether the Peterman puts its current card on top of its deck."""  # C9
    if by_chance(policies, key, state, seat):
        return below(toss(key, state, seat), 2) == 1
    if policies.kind[seat] == SIMPLE:
        return False
    return expert.puts_on_top(rules, policies.knobs[seat], state, seat)


@jit
def use_twenty_one(rules, policies, key, state, seat):
    """STAY, ALL_PEEK, or DISCARD_GUARD + the owner of a Guard that lies in a display."""  # B19
    if by_chance(policies, key, state, seat):
        return _any_twenty_one(rules, key, state, seat)
    if state.plan[seat] != NO_PLAN:
        return state.plan[seat]
    if policies.kind[seat] == SIMPLE:
        return simple.choose_twenty_one(state)
    return expert.choose_twenty_one(rules, policies.knobs[seat], state, seat)


@jit
def _any_twenty_one(rules, key, state, seat):
    shown = guards_shown(state, rules.players)
    pick = below(toss(key, state, seat), 2 + count_cards(shown))
    if pick == 0:
        return STAY
    if pick == 1:
        return ALL_PEEK
    for owner in range(rules.players):
        if (shown >> owner) & 1:
            pick -= 1
            if pick == 1:
                return DISCARD_GUARD + owner
    return STAY


@jit
def choose_straight(policies, key, state, seat, found):
    """Which of the straights (bits of their first ranks) cracks the safe: its first rank."""  # M1
    n = count_cards(found)
    pick = 0
    if n > 1 and by_chance(policies, key, state, seat):
        pick = below(toss(key, state, seat), n)
    elif n > 1 and policies.kind[seat] != SIMPLE:
        pick = expert.choose_straight(n)
    first = 0
    while True:
        if (found >> first) & 1:
            if pick == 0:
                return first
            pick -= 1
        first += 1


@jit
def choose_flush(policies, key, state, seat, suited, wanted):
    """Which ``wanted`` of the cards (bits, lowest first) crack the safe, if there are more."""
    # M1
    n = count_cards(suited)
    chance = n > wanted and by_chance(policies, key, state, seat)
    while n > wanted:
        drop = below(toss(key, state, seat), n) if chance else n - 1
        rest = suited
        for _ in range(drop):
            rest &= rest - 1
        suited &= ~(rest & -rest)
        n -= 1
    return suited


@jit
def choose_removed(rules, policies, key, state, seat, flipped, n):
    """Which of the n flipped cards (index) leaves the game; one is neither gone nor the Guard."""
    # B21
    if by_chance(policies, key, state, seat):
        return _any_removed(key, state, seat, flipped, n)
    if policies.kind[seat] == SIMPLE:
        return simple.choose_removed(state, seat, flipped, n)
    return expert.choose_removed(rules, policies.knobs[seat], state, seat, flipped, n)


@jit
def _any_removed(key, state, seat, flipped, n):
    guard = guard_of(state.suit[seat])
    free = 0
    for i in range(n):
        free += flipped[i] != NO_CARD and flipped[i] != guard
    pick = below(toss(key, state, seat), free)
    for i in range(n):
        if flipped[i] != NO_CARD and flipped[i] != guard:
            if pick == 0:
                return i
            pick -= 1
    return -1


@inlined
def bails(rules, policies, key, state, seat, scratch):
    """Whether the seat leaves the round now."""  # B22
    if not state.drew[seat]:
        return True  # R3
    if not policies.bailing[seat]:
        return False
    if by_chance(policies, key, state, seat):
        return below(toss(key, state, seat), 2) == 1
    if state.plan[seat] != NO_PLAN:
        return state.plan[seat] == 1
    if policies.kind[seat] == SIMPLE:
        return simple.bails(rules, policies, state, seat)
    return expert.bails(rules, policies.knobs[seat], state, seat, scratch)
