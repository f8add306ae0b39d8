"""What the table does not know, dealt anew: one of the orders that agree with what it knows."""

from kernels.burgle.layout import FIRST_GUARD, PILES, SEATS, SPOTTER, VAN
from kernels.burgle.table import is_nine_or_ten, known_top
from kernels.cards import card_bit, lowest_card, shuffle
from kernels.jit import jit
from kernels.streams import below, draw

APART = 64  # draws between the shuffles of one stream


@jit
def reorder_hidden(rules, state, start, scratch):
    """Lay all hidden cards of a game in an order drawn from the stream ``start`` (modified).

    All orders that agree with what everybody knows are equally likely: the cards that nobody has
    seen change between decks that were never remade, each deck's unknown places are shuffled, and
    so is the tool deck. Cards are sorted before they are shuffled: the result depends on what is
    known and on the stream, never on the true order.
    """  # R52 R53 R54
    swap_unseen(rules, state, start, scratch)
    for seat in range(PILES):
        if seat < rules.players or (seat == VAN and rules.players < SEATS):
            shuffle_unknown(state, seat, draw(start, APART * (1 + seat)), scratch)
    tools = 0
    for i in range(state.tool_deck_size):
        tools |= 1 << state.tool_deck[i]
    lay_sorted(tools, state.tool_deck)
    shuffle(state.tool_deck, state.tool_deck_size, draw(start, APART * (1 + PILES)))


@jit
def lay_sorted(pile, cards):
    """Write the cards of a pile into ``cards`` from the lowest on; return how many they are."""
    n = 0
    while pile:
        cards[n] = lowest_card(pile)
        pile &= pile - 1
        n += 1
    return n


@jit
def is_hidden(state, seat, place):
    """Whether nobody knows the card at this place of a deck."""
    if place == state.deck_size[seat] - 1:
        return known_top(state, seat) < 0
    return (state.known[seat] >> place) & 1 == 0


@jit
def swap_unseen(rules, state, start, scratch):
    """Deal the unseen number cards of all decks that were never remade anew."""
    pile = 0
    for seat in range(PILES):
        for place in range(unseen_size(rules, state, seat)):
            if is_unseen(state, seat, place):
                pile |= card_bit(state.deck[seat, place])
    shuffle(scratch.cards, lay_sorted(pile, scratch.cards), start)
    n = 0
    for seat in range(PILES):
        for place in range(unseen_size(rules, state, seat)):
            if is_unseen(state, seat, place):
                state.deck[seat, place] = scratch.cards[n]
                n += 1


@jit
def unseen_size(rules, state, seat):
    """How many cards a deck holds that was never remade; 0 for the other decks."""
    in_play = seat < rules.players or (seat == VAN and rules.players < SEATS)
    return state.deck_size[seat] if in_play and state.remakes[seat] == 0 else 0


@jit
def is_unseen(state, seat, place):
    """Whether an unseen number card lies at this place."""
    return is_hidden(state, seat, place) and state.deck[seat, place] < FIRST_GUARD


@jit
def shuffle_unknown(state, seat, start, scratch):
    """Shuffle the cards at the unknown places of a deck."""
    n = 0
    pile = 0
    for place in range(state.deck_size[seat]):
        if is_hidden(state, seat, place):
            pile |= card_bit(state.deck[seat, place])
            scratch.flipped[n] = place
            n += 1
    if n == 0:
        return
    lay_sorted(pile, scratch.cards)
    shuffle(scratch.cards, n, start)
    top = state.deck_size[seat] - 1
    spotted = seat < SEATS and state.character[seat] == SPOTTER and state.remakes[seat] > 0
    if spotted and scratch.flipped[n - 1] == top:
        lower_nine_or_ten(scratch, n, draw(start, APART - 1))
    for i in range(n):
        state.deck[seat, scratch.flipped[i]] = scratch.cards[i]


@jit
def lower_nine_or_ten(scratch, n, bits):
    """Give the last of n cards, if it is a 9 or 10, the place of a random one that is neither."""
    # R21
    if not is_nine_or_ten(scratch.cards[n - 1]):
        return
    others = 0
    for i in range(n):
        others += not is_nine_or_ten(scratch.cards[i])
    pick = below(bits, others)
    for i in range(n):
        if not is_nine_or_ten(scratch.cards[i]):
            if pick == 0:
                scratch.cards[i], scratch.cards[n - 1] = scratch.cards[n - 1], scratch.cards[i]
                return
            pick -= 1
