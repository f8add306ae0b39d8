"""What can be read off the table: totals and readings, and what opens a safe."""

import numpy as np

from kernels.burgle.layout import ACES, CARDS, FIRST_GUARD, JOKER, RANKS, TOTALS
from kernels.cards import card_bit
from kernels.jit import jit

ACE_READINGS = np.array([sum(1 << 10 * i for i in range(k + 1)) for k in range(ACES)], np.int64)
SUIT_RANKS = (1 << RANKS) - 1
GUARD_RANK = 1 << RANKS  # the Jack follows the 10
LAST_TOTAL = TOTALS - 1
IS_ACE = np.array([card < FIRST_GUARD and card % RANKS == 0 for card in range(CARDS)], np.int64)
RANK_COUNT = np.array([bin(ranks).count("1") for ranks in range(2 * GUARD_RANK)], np.int8)

SUIT_OF = np.array([*(card // RANKS for card in range(FIRST_GUARD)), 0, 1, 2, 3, -1], np.int64)


@jit
def readings(hard, aces):
    """All readings of a display as bits (int64): bit t is set if it can be read as t."""  # B16
    return ACE_READINGS[aces] << min(hard, LAST_TOTAL)


@jit
def best_reading(hard, aces, limit):
    """The highest reading not over ``limit``; the lowest one where all are over."""  # B22
    raised = min(aces, (limit - hard) // 10)
    return hard + 10 * max(raised, 0)


@jit
def guard_of(suit):
    """The Guard (card) of a safe's suit."""
    return FIRST_GUARD + suit


@jit
def counts_for(card, suit):
    """1 if a card counts towards a crack in this suit, else 0: a Joker is of every suit."""  # R43
    return np.int64(SUIT_OF[card] == suit) | np.int64(card == JOKER)


@jit
def safe_ranks(pile, suit):
    """The pile's cards of a suit as bits (int64): bit 0 the Ace, .., bit 10 the Guard."""
    guard = (pile >> guard_of(suit)) & 1
    return ((pile >> (suit * RANKS)) & SUIT_RANKS) | (guard << RANKS)


@jit
def ranks_to_cards(ranks, suit):
    """The pile that these rank bits of a suit stand for."""
    return ((ranks & SUIT_RANKS) << (suit * RANKS)) | ((ranks >> RANKS) << guard_of(suit))


@jit
def runs(rules, ranks, jokers):
    """Where a straight can start (int64 bits): bit i, if the run from rank i is complete."""  # M6
    if not rules.guard_in_straight:
        ranks &= SUIT_RANKS
    length = rules.straight_flush
    wild = jokers & rules.joker_in_straight
    found = 0
    window = (1 << length) - 1
    top = RANKS + rules.guard_in_straight
    for start in range(top - length + 1):
        missing = length - RANK_COUNT[ranks & (window << start)]
        found |= np.int64(missing <= wild) << start
    return found


@jit
def opens_safe(rules, ranks, jokers):
    """Whether these cards of the safe's suit (rank bits) and Jokers (0 or 1) open it."""  # B20
    if rules.flush > 0 and RANK_COUNT[ranks] + jokers >= rules.flush:
        return True
    if rules.straight_flush > 0 and RANK_COUNT[ranks] + jokers >= rules.straight_flush:
        return runs(rules, ranks, jokers) != 0
    return False


@jit
def has_joker(pile):
    """1 if the Joker is in the pile, else 0."""
    return (pile >> JOKER) & 1


@jit
def meets_crack(rules, held, pile, suit):
    """Whether a display with ``held`` cards of the suit opens the safe."""
    if held < rules.crack_from:
        return False
    return opens_safe(rules, safe_ranks(pile, suit), has_joker(pile))


@jit
def unseen_in_deck(state, seat):
    """The cards (pile) in a seat's deck, without their order."""
    pile = 0
    for i in range(state.deck_size[seat]):
        pile |= card_bit(state.deck[seat, i])
    return pile


@jit
def guard_in_deck(state, seat):
    """Whether the seat's Guard is in its deck, which its display and discards tell everybody."""
    guard = card_bit(guard_of(state.suit[seat]))
    return (state.display[seat] | state.discards[seat]) & guard == 0
