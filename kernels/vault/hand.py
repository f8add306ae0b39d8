"""Training cards: the deck, hands, and combining cards into tokens."""

import numpy as np

from kernels.cards import lowest_card
from kernels.jit import inlined, jit
from kernels.streams import below, draw, stream
from kernels.vault import happenings
from kernels.vault.happenings import tell
from kernels.vault.layout import (
    DECK_ROOM,
    EARNED,
    FACES,
    LOSS,
    NUMBERS,
    PLACES,
    SUITS,
    VALUES,
    WASTED,
)

RING = DECK_ROOM - 1
FOUR_BITS = 15
HIGHEST = np.array([max(bits.bit_length() - 1, 0) for bits in range(NUMBERS + 1)], np.int64)


@jit
def add_card(state, seat, card):
    """Put a training card into a hand."""
    suit = card // PLACES
    place = card % PLACES
    state.copies[seat, suit] += 1 << 4 * place
    state.ranks[seat, suit] |= 1 << place
    state.points[seat, suit] += place + 1 if place < VALUES else 0
    state.cards[seat] += 1


@jit
def take_card(state, seat, suit, place):
    """Take a training card out of a hand; return it."""
    state.copies[seat, suit] -= 1 << 4 * place
    if (state.copies[seat, suit] >> 4 * place) & FOUR_BITS == 0:
        state.ranks[seat, suit] &= ~(1 << place)
    state.points[seat, suit] -= place + 1 if place < VALUES else 0
    state.cards[seat] -= 1
    return suit * PLACES + place


@jit
def put_under(state, card):
    """Put a card under the training deck."""
    state.deck[(state.deck_top + state.deck_size) & RING] = card
    state.deck_size += 1


@jit
def draw_cards(state, seat, n, kind, events):
    """Draw up to n cards off the training deck into the hand."""  # V9
    n = min(n, state.deck_size)
    if n > 0 or kind == happenings.HAND:
        tell(state, events, kind, seat, 0, 0, 0)
    top = state.deck_top
    for i in range(n):
        card = state.deck[(top + i) & RING]
        add_card(state, seat, card)
        tell(state, events, happenings.CARD, seat, card, 0, 0)
    state.deck_top = (top + n) & RING
    state.deck_size -= n


@jit
def random_card(state, seat, bits):
    """Take a random card, all equally likely, out of a hand that is not empty."""
    pick = below(bits, state.cards[seat])
    for suit in range(SUITS):
        ranks = state.ranks[seat, suit]
        while ranks:
            place = lowest_card(ranks)
            ranks &= ranks - 1
            copies = (state.copies[seat, suit] >> 4 * place) & FOUR_BITS
            if pick < copies:
                return take_card(state, seat, suit, place)
            pick -= copies
    return -1


@jit
def lose_cards(key, state, seat, n, events):
    """Up to n random cards of the hand go under the training deck, in random order."""  # V17
    n = min(n, state.cards[seat])
    start = loss_stream(key, state, seat)
    for i in range(n):
        card = random_card(state, seat, draw(start, i))
        put_under(state, card)
        tell(state, events, happenings.CARD, seat, card, 0, 0)


@jit
def loss_stream(key, state, seat):
    """The stream of what this seat now loses at random."""
    start = stream(key, LOSS, seat, state.losses[seat])
    state.losses[seat] += 1
    return start


@jit
def next_in_set(ranks, gap):
    """The place of the lowest card that closes a gap, or of the highest card if none does."""
    closing = ranks >> (gap - 1) if gap <= VALUES else 0
    if closing:
        return gap - 1 + lowest_card(closing)
    return HIGHEST[ranks]


@jit
def give_token(state, seat, colour):
    """A token from the supply, which has one."""
    state.supply[colour] -= 1
    state.token[seat, colour] += 1
    state.tokens[seat] += 1
    state.count[EARNED] += 1


@inlined
def combine_set(rules, state, seat, suit, scratch, n, events):
    """Turn the n number cards whose places are in ``scratch.set`` into a token."""  # V10
    total = 0
    for i in range(n):
        total += scratch.set[i] + 1
    give_token(state, seat, suit)
    wasted = total - rules.combine_at
    state.count[WASTED] += wasted
    tell(state, events, happenings.COMBINED, seat, suit, wasted, 0)
    for i in range(n):
        card = take_card(state, seat, suit, scratch.set[i])
        put_under(state, card)
        tell(state, events, happenings.CARD, seat, card, 0, 0)


@inlined
def combine_faces(state, seat, suit, events):
    """Turn every face card of a suit into a token, while there are any."""  # V10
    faces = state.ranks[seat, suit] & FACES
    while faces and state.supply[suit] > 0:
        card = take_card(state, seat, suit, lowest_card(faces))
        put_under(state, card)
        give_token(state, seat, suit)
        tell(state, events, happenings.COMBINED, seat, suit, 0, 0)
        tell(state, events, happenings.CARD, seat, card, 0, 0)
        faces = state.ranks[seat, suit] & FACES


@jit
def find_set(rules, state, seat, suit, scratch):
    """Note the set that `simple` combines next of a suit that suffices; return its length.

    The highest card; then the lowest that closes the gap, or the highest left, and so on.
    """
    copies = state.copies[seat, suit]
    ranks = state.ranks[seat, suit] & NUMBERS
    total = 0
    n = 0
    while total < rules.combine_at:
        place = HIGHEST[ranks] if n == 0 else next_in_set(ranks, rules.combine_at - total)
        scratch.set[n] = place
        n += 1
        total += place + 1
        copies -= 1 << 4 * place
        if (copies >> 4 * place) & FOUR_BITS == 0:
            ranks &= ~(1 << place)
    return n
