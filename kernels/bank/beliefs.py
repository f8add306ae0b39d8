"""What a seat can know of a bank, by the cards that it has seen and by counting the others."""

import math

from kernels.bank.layout import (
    COUNT_BITS,
    GUARD,
    JUDGE,
    KINDS,
    LADY,
    MULTIPLY,
    SPECIALS,
    THIEF,
)
from kernels.bank.robbery import how_many
from kernels.jit import jit


@jit
def known_places(state, seat, bank):
    """The places (bits) of a bank whose cards the seat knows."""  # K6 K7
    return state.open[bank] | state.seen[seat, bank]


@jit
def count_unseen(rules, state, seat, counting, unseen):
    """Fill ``unseen`` [kind] with how many cards of each kind the seat has not seen; their sum.

    A seat that does not count takes the whole deck for unseen.
    """
    total = 0
    for kind in range(KINDS):
        unseen[kind] = 0
    for i in range(rules.cards):
        unseen[rules.card[i]] += 1
    if not counting:
        return rules.cards
    for kind in range(KINDS):
        unseen[kind] -= state.gone[kind]
        total += unseen[kind]
    for i in range(state.cards[seat]):
        unseen[state.hand[seat, i]] -= 1
    total -= state.cards[seat]
    for bank in range(rules.banks):
        known = known_places(state, seat, bank)
        for place in range(state.bank_size[bank]):
            if (known >> place) & 1:
                unseen[state.bank[bank, place]] -= 1
                total -= 1
    return total


@jit
def look_at(rules, state, seat, bank, counting, scratch):
    """Note in ``scratch`` what the seat believes of a bank's pot and specials."""
    total = count_unseen(rules, state, seat, counting, scratch.unseen)
    unknown = state.bank_size[bank]
    known_money = 0
    known_specials = 0
    known = known_places(state, seat, bank) if counting else state.open[bank]
    for place in range(state.bank_size[bank]):
        if (known >> place) & 1:
            card = state.bank[bank, place]
            unknown -= 1
            known_money += rules.value[card]
            if card < SPECIALS:
                known_specials += 1 << (card * COUNT_BITS)
    mean = 0.0
    square = 0.0
    for kind in range(SPECIALS, KINDS):
        part = scratch.unseen[kind] / max(total, 1)
        mean += part * rules.value[kind]
        square += part * rules.value[kind] * rules.value[kind]
    scratch.pot = known_money + unknown * mean
    scratch.pot_spread = math.sqrt(max(unknown * (square - mean * mean), 0.0))
    lady = at_least_one(scratch, known_specials, LADY, unknown, total)
    free = 1.0 - lady
    scratch.thief = at_least_one(scratch, known_specials, THIEF, unknown, total)
    scratch.guard = at_least_one(scratch, known_specials, GUARD, unknown, total) * free
    scratch.judge = at_least_one(scratch, known_specials, JUDGE, unknown, total) * free
    if not rules.published:
        scratch.thief *= free
    more = how_many(known_specials, MULTIPLY) + unknown * scratch.unseen[MULTIPLY] / max(total, 1)
    scratch.pot *= 1.0 + free * (2.0**more - 1.0)
    scratch.known_share = 1.0 - unknown / max(state.bank_size[bank], 1)


@jit
def at_least_one(scratch, known, kind, unknown, total):
    """The chance that a special lies at a bank: 1 if it is known to, else by the unseen cards."""
    if how_many(known, kind) > 0:
        return 1.0
    return 1.0 - (1.0 - scratch.unseen[kind] / max(total, 1)) ** unknown
