"""What can be expected of the cards to come, by counting those that everybody can count.

Chances of a seat's next cards, of its Guard among them, and how far a display is from a crack.
"""

import numpy as np

from kernels.burgle.layout import JOKER, NO_CARD, RANKS, SUITS
from kernels.burgle.table import (
    RANK_COUNT,
    SUIT_RANKS,
    guard_in_deck,
    guard_of,
    guards_shown,
    has_joker,
    known_cards,
    known_top,
    possible_tops,
    safe_ranks,
    unknown_places,
)
from kernels.cards import card_bit, count_cards
from kernels.jit import inlined, jit

TEN = 10.0  # rooms and values are measured in tens
MANY = 9  # cards short of a crack: more than any rule asks for
SUIT_CARDS = np.array(
    [(((1 << RANKS) - 1) << (suit * RANKS)) | (1 << JOKER) for suit in range(SUITS)], np.int64
)
HIGHER = np.array(  # the number cards whose rank is over 0, 1, .. 10
    [
        sum(1 << (suit * RANKS + rank - 1) for suit in range(SUITS) for rank in range(low + 1, 11))
        for low in range(RANKS + 1)
    ],
    np.int64,
)


@jit
def alarm_risk(rules, state, seat):
    """The chance (float64) that an alarm of this seat flips its Guard."""
    if state.emp or not guard_in_deck(state, seat):
        return 0.0
    return min(1.0, rules.alarm_discards / max(1, state.deck_size[seat]))


@inlined
def look_ahead(rules, state, scratch):
    """Note for every active seat which cards can come next, once for all decisions of a step."""
    scratch.shown = guards_shown(state, rules.players)
    for seat in range(rules.players):
        if not state.active[seat]:
            continue
        pile = next_cards(state, seat)
        guard = card_bit(guard_of(state.suit[seat]))
        scratch.next_guard[seat] = guard_share(state, seat, pile) if pile & guard else 0.0
        pile &= ~guard
        scratch.next_cards[seat] = pile
        scratch.next_share[seat] = 1.0 / max(1, count_cards(pile))
    scratch.looked_ahead = 1


@jit
def next_cards(state, seat):
    """The cards (pile) that the seat's next card can be, its Guard among them."""
    top = known_top(state, seat)
    if top != NO_CARD:
        return card_bit(top)
    if state.deck_size[seat] == 0:
        return state.discards[seat]
    return possible_tops(state, seat)


@jit
def guard_share(state, seat, pile):
    """The chance (float64) that of these next cards, the Guard among them, it is the Guard."""
    if state.remakes[seat] == 0 and state.deck_size[seat] > 0 and pile & (pile - 1):
        return 1.0 / unknown_places(state, seat)
    return 1.0 / count_cards(pile)


@jit
def next_guard_chance(state, seat):
    """The chance (float64) that the seat's next card is its Guard."""
    pile = next_cards(state, seat)
    if pile & card_bit(guard_of(state.suit[seat])) == 0:
        return 0.0
    return guard_share(state, seat, pile)


@jit
def round_guard_chance(state, seat):
    """The chance (float64) that one of the seat's next three cards is its Guard."""
    guard = guard_of(state.suit[seat])
    size = state.deck_size[seat]
    unknown = 0
    for place in range(max(0, size - 3), size):
        if not (state.known[seat] >> place) & 1:
            unknown += 1
        elif state.deck[seat, place] == guard:
            return 1.0
    if known_cards(state, seat) & card_bit(guard) or not guard_in_deck(state, seat):
        return 0.0
    return unknown / unknown_places(state, seat)


@jit
def share(cards, seat, scratch):
    """Which share (float64) of the seat's next cards these are, its Guard left aside."""
    return count_cards(cards & scratch.next_cards[seat]) * scratch.next_share[seat]


@jit
def suit_chance(rules, state, seat, suit, scratch):
    """The chance (float64) that a card of this suit comes up in the next draws.

    Those of the other active seats count too: it could be traded for.
    """
    missed = 1.0
    for other in range(rules.players):
        if other == seat or (state.active[other] and rules.trading):
            found = share(SUIT_CARDS[suit], other, scratch)
            missed *= 1.0 - found * (1.0 - scratch.next_guard[other])
    return 1.0 - missed


@jit
def bust_chance(state, seat, scratch):
    """The share (float64) of the seat's next cards that take it over its threshold."""
    room = state.over[seat] - state.hard[seat]
    return share(HIGHER[min(max(room, 0), RANKS)], seat, scratch)


@jit
def short_of(rules, ranks, joker):
    """How many cards (rank bits of the safe's suit, a Joker) are short of a crack, by either way.

    0 or less is a crack.
    """
    short = RANKS + 1
    if rules.flush > 0:
        short = rules.flush - RANK_COUNT[ranks] - joker
    if rules.straight_flush > 0:
        if not rules.guard_in_straight:
            ranks &= SUIT_RANKS
        best = 0
        window = (1 << rules.straight_flush) - 1
        for start in range(RANKS + 2 - rules.straight_flush):
            best = max(best, RANK_COUNT[ranks & (window << start)])
        wild = joker & rules.joker_in_straight
        short = min(short, rules.straight_flush - best - wild)
    return short


@jit
def to_go(rules, state, seat):
    """How many cards a display is short of a crack; many where the safe is cracked."""
    if state.cracked[seat]:
        return MANY
    ranks = safe_ranks(state.display[seat], state.suit[seat])
    return short_of(rules, ranks, has_joker(state.display[seat]))
