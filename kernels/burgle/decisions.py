"""Who decides what: each decision asks the seat's policy, or chance where it plays at random."""

from kernels.burgle import expert, simple
from kernels.burgle.layout import (
    ALL_PEEK,
    COIN,
    DISCARD_GUARD,
    NO_CARD,
    SEATS,
    SIMPLE,
    STAY,
)
from kernels.burgle.table import guard_of
from kernels.burgle.trade import random_arrangement
from kernels.cards import card_bit, count_cards
from kernels.jit import jit
from kernels.streams import below, draw, stream, uniform


@jit
def prepare(rules, policies, scratch):
    """Fill the tables in ``scratch`` that hold for a whole batch."""
    for seat in range(SEATS):
        if policies.kind[seat] == SIMPLE:
            simple.weigh_totals(rules, policies, seat, scratch)


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


@jit
def arrange_trade(rules, policies, key, state, n, scratch):
    """Decide the trade of n movable cards into ``scratch.takes``.

    It is the table's joint decision: the first seat with a movable card decides for all.
    """  # B14
    seat = scratch.movable[0]
    if by_chance(policies, key, state, seat):
        random_arrangement(n, toss(key, state, seat), scratch.takes)
    elif policies.kind[seat] == SIMPLE:
        simple.choose_trade(rules, policies, state, seat, n, scratch)
    else:
        expert.choose_trade(rules, policies.knobs[seat], state, n, scratch)


@jit
def discards_peeked(rules, policies, key, state, seat, card):
    """Whether the seat discards the card it sees on its deck."""  # B18
    if by_chance(policies, key, state, seat):
        return below(toss(key, state, seat), 2) == 1
    if policies.kind[seat] == SIMPLE:
        return simple.discards_peeked(state, seat, card)
    return expert.discards_peeked(rules, policies.knobs[seat], state, seat, card)


@jit
def use_twenty_one(rules, policies, key, state, seat):
    """STAY, ALL_PEEK, or DISCARD_GUARD + the owner of a Guard that lies in a display."""  # B19
    if by_chance(policies, key, state, seat):
        return _any_twenty_one(key, state, seat)
    if policies.kind[seat] == SIMPLE:
        return simple.choose_twenty_one(state)
    return expert.choose_twenty_one(rules, policies.knobs[seat], state, seat)


@jit
def _any_twenty_one(key, state, seat):
    guards = 0
    for owner in range(SEATS):
        guards += state.display[owner] & card_bit(guard_of(state.suit[owner])) != 0
    pick = below(toss(key, state, seat), 2 + guards)
    if pick == 0:
        return STAY
    if pick == 1:
        return ALL_PEEK
    for owner in range(SEATS):
        if state.display[owner] & card_bit(guard_of(state.suit[owner])):
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
def choose_flush(policies, key, state, seat, ranks, wanted):
    """Which ``wanted`` of the rank bits crack the safe, where there are more."""  # M1
    n = count_cards(ranks)
    chance = n > wanted and by_chance(policies, key, state, seat)
    while n > wanted:
        drop = below(toss(key, state, seat), n) if chance else n - 1
        rest = ranks
        for _ in range(drop):
            rest &= rest - 1
        ranks &= ~(rest & -rest)
        n -= 1
    return ranks


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


@jit
def bails(rules, policies, key, state, seat):
    """Whether the seat leaves the round now."""  # B22
    if not state.drew[seat]:
        return True  # R3
    if by_chance(policies, key, state, seat):
        return below(toss(key, state, seat), 2) == 1
    if policies.kind[seat] == SIMPLE:
        return simple.bails(rules, policies, state, seat)
    return expert.bails(rules, policies.knobs[seat], state, seat)
