"""The resolution of a robbery: who is paid, in which order, and what the specials do."""

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
TOP = 1 << 40  # more than any stake
LAST = TOP << ORDER_BITS  # the key of a seat that is not there


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
def sort_keys(keys):
    """Sort five numbers (int64 array, modified) by a network, without a branch."""
    a, b, c, d, e = keys[0], keys[1], keys[2], keys[3], keys[4]
    a, b = min(a, b), max(a, b)
    d, e = min(d, e), max(d, e)
    c, e = min(c, e), max(c, e)
    c, d = min(c, d), max(c, d)
    a, d = min(a, d), max(a, d)
    a, c = min(a, c), max(a, c)
    b, e = min(b, e), max(b, e)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    keys[0], keys[1], keys[2], keys[3], keys[4] = a, b, c, d, e


@jit
def resolve(rules, players, pot, specials, robber, stakes, gains, order):
    """Resolve a robbery with this pot, before doubling, and these specials.

    ``stakes`` (int64) holds what each seat stakes; ``gains`` (int64, modified) gets what each
    gains beyond its stake, negative where the stake is lost; ``order`` (int64, SEATS long,
    modified) gets the order in which they take. Returns what happened (PAID, SHORT, ..) as bits.
    """  # K10-K18
    acts = acting(rules, specials)
    pot <<= acts >> COUNT_BITS
    judge = (acts >> JUDGE) & 1
    for i in range(SEATS):
        seat = robber + i
        if seat >= players:
            seat -= players
        stake = stakes[seat] if i < players else 0
        key = (TOP - stake if judge else stake) << ORDER_BITS | i
        order[i] = key if i < players else LAST + i
    sort_keys(order)
    for i in range(players):
        seat = (order[i] & ORDER) + robber
        order[i] = seat - players if seat >= players else seat
    lady = LADIES if (acts >> LADY) & 1 else 0
    stopped = (acts >> GUARD) & 1 | ((acts >> THIEF) & 1) << 1
    if stopped:
        settle_specials(rules, players, stopped, stakes, gains)
        guarded = GUARDED if stopped & 1 else 0
        return lady | guarded | (THIEVED if stopped & 2 else 0)
    if rules.together:
        short = pay_together(players, pot, stakes, gains, order)
    else:
        short = pay_in_turn(players, pot, stakes, gains, order)
    if short and rules.lose_on_shortfall:
        for seat in range(players):
            if gains[seat] == 0:
                gains[seat] = -stakes[seat]
    return lady | (SHORT if short and pot > 0 else PAID)


@jit
def settle_specials(rules, players, stopped, stakes, gains):
    """Nobody is paid: a Guard rewards who staked nothing, a Thief takes all stakes."""  # K14 K15
    for seat in range(players):
        stake = stakes[seat]
        reward = rules.guard_reward if stopped & 1 and stake == 0 else 0
        gains[seat] = reward - (stake if stopped & 2 else 0)


@jit
def pay_in_turn(players, pot, stakes, gains, order):
    """Pay one seat after another until one cannot be paid; returns whether one could not."""  # K11
    left = pot
    going = 1
    for i in range(players):
        seat = order[i]
        stake = stakes[seat]
        going &= stake <= left
        paid = stake * going
        gains[seat] = paid
        left -= paid
    return going == 0


@jit
def pay_together(players, pot, stakes, gains, order):
    """As `pay_in_turn`, but equal stakes are paid together or not at all."""  # K13
    left = pot
    going = 1
    for i in range(players):
        stake = stakes[order[i]]
        if i == 0 or stake != stakes[order[i - 1]]:
            size = 1
            for j in range(i + 1, players):
                size += stakes[order[j]] == stake
            going &= stake * size <= left
            left -= stake * size * going
        gains[order[i]] = stake * going
    return going == 0
