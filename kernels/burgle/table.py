"""What can be read off the table: totals and readings, and what opens a safe."""

import numpy as np

from kernels.burgle.layout import (
    ACES,
    CARDS,
    FIRST_GUARD,
    JOKER,
    NO_CARD,
    RANKS,
    SEATS,
    SPOTTER,
    SUITS,
    TOTALS,
)
from kernels.cards import card_bit, count_cards, lowest_card
from kernels.jit import jit

ACE_READINGS = np.array([sum(1 << 10 * i for i in range(k + 1)) for k in range(ACES)], np.int64)
SUIT_RANKS = (1 << RANKS) - 1
GUARD_RANK = 1 << RANKS  # the Jack follows the 10
LAST_TOTAL = TOTALS - 1
NINES_AND_TENS = sum(0b11 << (suit * RANKS + 8) for suit in range(SUITS))
IS_ACE = np.array([card < FIRST_GUARD and card % RANKS == 0 for card in range(CARDS)], np.int64)
RANK_COUNT = np.array([bin(ranks).count("1") for ranks in range(2 * GUARD_RANK)], np.int8)

SUIT_OF = np.array([*(card // RANKS for card in range(FIRST_GUARD)), 0, 1, 2, 3, -1], np.int64)
SUITS_OF = np.array([1 << suit if suit >= 0 else 0b1111 for suit in SUIT_OF.tolist()], np.int64)


@jit
def readings(hard, aces):
    """All readings of a display as bits (int64): bit t is set if it can be read as t."""  # B16
    if hard < 0:  # T3
        return ACE_READINGS[aces] >> -hard
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
    return (SUITS_OF[card] >> suit) & 1


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
def guard_in_deck(state, seat):
    """Whether the seat's Guard is in its deck, which its display and discards tell everybody."""
    # R53
    guard = card_bit(guard_of(state.suit[seat]))
    return (state.display[seat] | state.discards[seat]) & guard == 0


@jit
def known_top(state, seat):
    """The top card of a deck if everybody knows it, else NO_CARD."""  # R52 R36 C4
    top = state.deck_size[seat] - 1
    if top < 0:
        return NO_CARD
    card = state.deck[seat, top]
    if (state.known[seat] >> top) & 1 or lies_face_up(state, seat, card):
        return card
    return NO_CARD


@jit
def lies_face_up(state, seat, card):
    """Whether the Spotter's ability shows this card while it is on top of the seat's deck."""  # C4
    return (
        seat < SEATS
        and state.character[seat] == SPOTTER
        and state.remakes[seat] > 0
        and is_nine_or_ten(card)
    )


@jit
def is_nine_or_ten(card):
    """Whether the card is a 9 or a 10."""
    return (NINES_AND_TENS >> card) & 1 == 1


@jit
def possible_tops(state, seat):
    """The cards (pile) that may lie on top of a deck whose top card nobody knows.

    All are equally likely but the Guard of a deck that was never remade: it is at each of the
    deck's unknown places with the same chance, whatever the number of unseen cards.
    """  # R21 R53
    if state.remakes[seat] == 0:
        pile = state.unseen
        if seat < SEATS and guard_in_deck(state, seat):
            pile |= card_bit(guard_of(state.suit[seat]))
        return pile & ~known_cards(state, seat)
    pile = state.content[seat] & ~known_cards(state, seat)
    if seat < SEATS and state.character[seat] == SPOTTER:
        pile &= ~NINES_AND_TENS
    return pile


@jit
def known_cards(state, seat):
    """The cards (pile) at places of a deck that everybody knows."""
    pile = 0
    places = state.known[seat]
    while places:
        pile |= card_bit(state.deck[seat, lowest_card(places)])
        places &= places - 1
    return pile


@jit
def unknown_places(state, seat):
    """How many places of a deck hold a card that nobody knows."""
    return state.deck_size[seat] - count_cards(state.known[seat])


@jit
def guards_shown(state, players):
    """The seats (bits) whose Guard lies in their display."""
    seats = 0
    for seat in range(players):
        shown = (state.display[seat] >> guard_of(state.suit[seat])) & 1
        seats |= shown << seat
    return seats


@jit
def card_before(state, seat):
    """The card that the Hacker may give in place of its current one, or NO_CARD."""  # C8 R27 R28
    if seat != state.hacker or state.row_size < 2 or state.current[seat] == NO_CARD:
        return NO_CARD
    card = state.row[state.row_size - 2]
    return NO_CARD if card == guard_of(state.suit[seat]) else card
