"""Cards as small integers, piles as sets of bits, decks as ordered arrays.

A pile whose order does not matter (discards, a display) is an int64 with one bit a card, so up to
63 different cards. A deck whose order matters is a row of an int64 array with its top card last.
"""

import numpy as np

from kernels.jit import jit
from kernels.streams import below, draw

__all__ = ["card_bit", "count_cards", "lowest_card", "order_by_hash", "shuffle"]

DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
SHIFT_58 = np.uint64(58)
CARD_BITS = np.uint64(63)

# Counting bits in parallel: in pairs, half bytes and bytes, then all bytes added by one product.
EVERY_SECOND_BIT = np.uint64(0x5555555555555555)
PAIRS_OF_BITS = np.uint64(0x3333333333333333)
HALF_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
EVERY_BYTE = np.uint64(0x0101010101010101)
SHIFT_1 = np.uint64(1)
SHIFT_2 = np.uint64(2)
SHIFT_4 = np.uint64(4)
SHIFT_56 = np.uint64(56)


def _de_bruijn_places() -> np.ndarray:
    """Where the multiplied lowest bit lands for each of the 64 bits (int64, shape (64,))."""
    places = np.zeros(64, np.int64)
    for bit in range(64):
        places[(int(DE_BRUIJN) << bit) % 2**64 >> 58] = bit
    return places


PLACES = _de_bruijn_places()


@jit
def card_bit(card):
    """The pile (int64) that holds this card (0..62) only."""
    return np.int64(1) << card


@jit
def lowest_card(pile):
    """The lowest card (int64) of a pile that is not empty."""
    return PLACES[(np.uint64(pile & -pile) * DE_BRUIJN) >> SHIFT_58]


@jit
def count_cards(pile):
    """How many cards (int64) a pile holds."""
    bits = np.uint64(pile)
    bits -= (bits >> SHIFT_1) & EVERY_SECOND_BIT
    bits = (bits & PAIRS_OF_BITS) + ((bits >> SHIFT_2) & PAIRS_OF_BITS)
    bits = (bits + (bits >> SHIFT_4)) & HALF_BYTES
    return np.int64((bits * EVERY_BYTE) >> SHIFT_56)


@jit
def shuffle(cards, n, start):
    """Shuffle the first ``n`` cards (int64 array, modified in place) with the stream ``start``.

    Fisher and Yates' method, from the last card down.
    """
    for i in range(n - 1, 0, -1):
        j = below(draw(start, i), i + 1)
        cards[i], cards[j] = cards[j], cards[i]


@jit
def order_by_hash(pile, start, deck, hashes):
    """Lay the cards of a pile into ``deck`` (int64 array, modified) in the order of their hashes.

    Each card's place depends on its own hash alone: two variants that shuffle nearly the same cards
    with the same stream get nearly the same order, and a card taken away leaves the others as they
    were. ``hashes`` (uint64 array, as long as ``deck``) is scratch. Returns the number of cards.
    """
    n = 0
    while pile:
        card = lowest_card(pile)
        pile &= pile - 1
        hashes[n] = (draw(start, card) & ~CARD_BITS) | np.uint64(card)
        n += 1
    for i in range(n):
        mine = hashes[i]
        place = 0
        for j in range(n):  # counting who comes before needs no branch; sorting would
            place += hashes[j] < mine
        deck[place] = np.int64(mine & CARD_BITS)
    return n
