"""The resolution of a robbery: who is paid, in which order, and what the specials do."""

import numpy as np

from kernels.bank.layout import (
    COUNT,
    COUNT_BITS,
    GUARD,
    GUARDED,
    JUDGE,
    LADIES,
    LADY,
    MULTIPLY,
    PAID,
    SEATS,
    SHORT,
    THIEF,
    THIEVED,
)
from kernels.jit import jit

ORDER_BITS = 3  # a key is the stake, or its complement, and the place clockwise from the robber
ORDER = (1 << ORDER_BITS) - 1
ABSENT = 50  # a bit above every key: a seat that is not there comes last


@jit
def how_many(specials, kind):
    """How many specials of a kind lie at a bank."""
    return (specials >> (kind * COUNT_BITS)) & COUNT


@jit
def acting(rules, specials):
    """Which specials act: a bit for each kind, Lady to Thief, and how often the pot is doubled.

    The doublings stand above COUNT_BITS.
    """  # K14-K18
    if specials == 0:
        return 0
    ladies = how_many(specials, LADY)
    guards = how_many(specials, GUARD)
    judges = how_many(specials, JUDGE)
    thieves = how_many(specials, THIEF)
    doublings = how_many(specials, MULTIPLY)
    if rules.published:
        ladies = 1 if ladies == 1 else 0
        guards = 1 if guards == 1 else 0
        judges, thieves = max(0, judges - thieves), max(0, thieves - judges)
        if ladies:
            guards = judges = doublings = 0
    elif ladies:
        guards = judges = thieves = doublings = 0
    bits = (ladies > 0) << LADY | (guards > 0) << GUARD | (judges > 0) << JUDGE
    return bits | (thieves > 0) << THIEF | doublings << COUNT_BITS


@jit
def resolve(rules, players, pot, specials, robber, stakes, gains, order):
    """Resolve a robbery with this pot, before doubling, and these specials.

    ``stakes``, ``gains`` and ``order`` are int64 and SEATS long. ``stakes`` holds what each seat
    stakes, 0 for seats that are not there; ``gains`` (modified) gets what each gains beyond its
    stake, negative where the stake is lost; ``order`` (modified) gets the order in which they take.
    Returns what happened (PAID, SHORT, ..) as bits.

    Who comes first takes first, so a seat is paid exactly if its stake and all before it fit into
    the pot: no sorting is needed. All loops go over all seats, so that they are unrolled.
    """  # K10-K18
    acts = acting(rules, specials)
    pot <<= acts >> COUNT_BITS
    high_first = -((acts >> JUDGE) & 1)  # all bits, or none
    together = rules.together
    for seat in range(SEATS):  # at first `gains` are keys: the lower one comes before
        turn = seat - robber
        turn += players & -np.int64(turn < 0)
        absent = np.int64(seat >= players) << ABSENT
        gains[seat] = ((stakes[seat] ^ high_first) << ORDER_BITS) + turn + absent
    short = 0
    for seat in range(SEATS):
        key = gains[seat]
        stake = stakes[seat]
        needed = stake
        place = 0
        for other in range(SEATS):
            first = np.int64(gains[other] < key)
            needed += stakes[other] & -first
            place += first
        if together:
            needed = stake
            for other in range(SEATS):
                first = gains[other] < key or (stakes[other] == stake and other != seat)
                needed += stakes[other] & -np.int64(first)
        fits = np.int64(needed <= pot)
        short |= 1 - fits
        order[place] = seat | fits << ORDER_BITS
    lost = rules.lose_on_shortfall
    for place in range(SEATS):
        seat = order[place] & ORDER
        fits = order[place] >> ORDER_BITS
        order[place] = seat
        gains[seat] = stakes[seat] * (fits - lost * (1 - fits))
    lady = LADIES if (acts >> LADY) & 1 else 0
    stopped = (acts >> GUARD) & 1 | ((acts >> THIEF) & 1) << 1
    if stopped:
        settle_specials(rules, players, stopped, stakes, gains)
        guarded = GUARDED if stopped & 1 else 0
        return lady | guarded | (THIEVED if stopped & 2 else 0)
    return lady | (SHORT if short and pot > 0 else PAID)


@jit
def settle_specials(rules, players, stopped, stakes, gains):
    """Nobody is paid: a Guard rewards who staked nothing, a Thief takes all stakes."""  # K14 K15
    for seat in range(players):
        stake = stakes[seat]
        reward = rules.guard_reward if stopped & 1 and stake == 0 else 0
        gains[seat] = reward - (stake if stopped & 2 else 0)
