"""Cards on the move: between decks, displays and discards, and what everybody knows of them."""

from kernels.burgle.happenings import (
    CAUGHT,
    DRAWN,
    NOT_DRAWN,
    REPLACED,
    SHUFFLED,
    STEALTH_PAID,
    tell,
    tell_deck,
)
from kernels.burgle.layout import (
    ACROBAT,
    DRAWS,
    LOST_TO,
    NO_CARD,
    OVER,
    REMAKE,
    SEATS,
    SPOTTER,
    STEALTH_LOST,
)
from kernels.burgle.table import IS_ACE, NINES_AND_TENS, counts_for, guard_of
from kernels.cards import card_bit, order_by_hash
from kernels.jit import inlined, jit
from kernels.streams import stream

BY_ACROBAT, BY_DONUTS = 1, 2  # why a Guard just drawn is replaced


@jit
def remake_deck(key, state, seat, scratch, events):
    """Shuffle the discards of a seat or the Van into a new deck."""  # B11 B12
    start = stream(key, REMAKE, seat, state.remakes[seat])
    state.remakes[seat] += 1
    discards = state.discards[seat]
    state.deck_size[seat] = order_by_hash(discards, start, state.deck[seat], scratch.hashes)
    state.discards[seat] = 0
    state.content[seat] = discards
    state.known[seat] = 0
    if seat < SEATS and state.character[seat] == SPOTTER:  # C4
        state.ability[SPOTTER] += discards & NINES_AND_TENS != 0
    tell_deck(state, events, SHUFFLED, seat, 0, 0)


@jit
def has_top(key, state, seat, scratch, events):
    """Whether the deck has a top card, after remaking an empty deck."""  # B11
    if state.deck_size[seat] == 0:
        if state.discards[seat] == 0:
            return False
        remake_deck(key, state, seat, scratch, events)
    return True


@jit
def take_top(key, state, seat, scratch, events):
    """Take the top card off the deck, for all to see; NO_CARD where there is none anywhere."""
    if state.deck_size[seat] == 0 and not has_top(key, state, seat, scratch, events):
        return NO_CARD
    top = state.deck_size[seat] - 1
    card = state.deck[seat, top]
    state.deck_size[seat] = top
    forget(state, seat, top, card)
    return card


@jit
def forget(state, seat, top, card):
    """A card has left the deck, whose top place was ``top``, for all to see."""  # R36
    bit = card_bit(card)
    state.known[seat] &= (1 << top) - 1
    state.content[seat] &= ~bit
    state.unseen &= ~bit


@jit
def lift(state, seat, place):
    """Take the card at this place, the top or the one below it, out of the deck."""  # R36
    card = state.deck[seat, place]
    top = state.deck_size[seat] - 1
    if place < top:
        state.deck[seat, place] = state.deck[seat, top]
        state.known[seat] |= 1 << place  # only who has seen both takes the lower one
    state.deck_size[seat] = top
    forget(state, seat, top, card)
    return card


@jit
def show(state, seat, place):
    """Everybody learns which card lies at this place of the deck; returns it."""  # R52
    card = state.deck[seat, place]
    state.known[seat] |= 1 << place
    state.unseen &= ~card_bit(card)
    return card


@jit
def put_on_top(state, seat, card):
    """Put a card on top of the seat's deck; its place is open."""  # C9 R29 R36
    size = state.deck_size[seat]
    state.deck[seat, size] = card
    state.known[seat] |= 1 << size
    state.content[seat] |= card_bit(card)
    state.deck_size[seat] = size + 1


@jit
def put_in_display(rules, state, seat, card):
    """Add a card to a display."""  # B13
    state.display[seat] |= card_bit(card)
    state.hard[seat] += rules.value[card]
    state.aces[seat] += IS_ACE[card]
    state.held[seat] += counts_for(card, state.suit[seat])
    state.current[seat] = card
    if seat == state.hacker:
        state.row[state.row_size] = card
        state.row_size += 1


@jit
def take_from_display(rules, state, seat, card):
    """Take a card out of a display; a current card that leaves is not replaced."""  # R2
    state.display[seat] &= ~card_bit(card)
    state.hard[seat] -= rules.value[card]
    state.aces[seat] -= IS_ACE[card]
    state.held[seat] -= counts_for(card, state.suit[seat])
    if state.current[seat] == card:
        state.current[seat] = NO_CARD
    if seat == state.hacker:
        close_row(state, card)


@jit
def swap_card(rules, state, seat, old, card):
    """Replace a card of the seat by one that it got for it, its new current card."""  # B13 B14
    state.display[seat] ^= card_bit(old) | card_bit(card)
    state.hard[seat] += rules.value[card] - rules.value[old]
    state.aces[seat] += IS_ACE[card] - IS_ACE[old]
    state.held[seat] += counts_for(card, state.suit[seat]) - counts_for(old, state.suit[seat])
    state.current[seat] = card
    if seat == state.hacker:
        close_row(state, old)
        state.row[state.row_size] = card
        state.row_size += 1


@jit
def close_row(state, card):
    """Take a card out of the Hacker's row."""  # R27
    kept = 0
    for i in range(state.row_size):
        if state.row[i] != card:
            state.row[kept] = state.row[i]
            kept += 1
    state.row_size = kept


@jit
def discard_guard(rules, state, seat):
    """The seat's Guard goes from its display to its discards."""
    guard = guard_of(state.suit[seat])
    take_from_display(rules, state, seat, guard)
    state.discards[seat] |= card_bit(guard)


@inlined
def draw_card(rules, key, state, seat, in_draw_step, scratch, events):
    """The seat draws a card into its display; returns whether there was one.

    A Guard may be replaced: by the Acrobat's ability as the first card of a round, by the Donuts.
    """  # B11 R16 R55
    card = take_top(key, state, seat, scratch, events)
    if card == NO_CARD:
        tell(state, events, NOT_DRAWN, seat, 0, 0, 0)
        return False
    state.count[DRAWS] += in_draw_step
    tell(state, events, DRAWN, seat, card, 0, 0)
    if card == guard_of(state.suit[seat]):
        card = replace_guard(key, state, seat, card, in_draw_step, scratch, events)
        if card == NO_CARD:  # R17
            return False
    put_in_display(rules, state, seat, card)
    return True


@jit
def replace_guard(key, state, seat, guard, in_draw_step, scratch, events):
    """The card that the seat has instead of the Guard it drew, or NO_CARD; maybe the Guard."""
    # C2 T4 R5 R18 R38
    cause = guard_replaced_by(state, seat, in_draw_step)
    if cause == 0:
        return guard
    tell(state, events, REPLACED, seat, guard, cause, 0)
    state.ability[ACROBAT] += cause == BY_ACROBAT
    card = take_top(key, state, seat, scratch, events)
    state.discards[seat] |= card_bit(guard)  # after the draw: it stays out of a remade deck
    if card == NO_CARD:
        tell(state, events, NOT_DRAWN, seat, 0, 0, 0)
        return NO_CARD
    state.count[DRAWS] += in_draw_step
    tell(state, events, DRAWN, seat, card, 0, 0)
    return card


@jit
def guard_replaced_by(state, seat, in_draw_step):
    """BY_ACROBAT, BY_DONUTS or 0: why the Guard that this seat has just drawn is replaced."""
    if state.character[seat] == ACROBAT and in_draw_step and state.turn == 1:
        return BY_ACROBAT
    return BY_DONUTS if state.donuts == seat else 0


@jit
def lose_stealth(state, seat, cause, events):
    """Take 1 stealth from the seat, or end the game where it has none."""  # B24
    if state.stealth[seat] == 0:
        state.phase = OVER
        state.count[LOST_TO] = cause
        tell(state, events, CAUGHT, seat, cause, 0, 0)
        return
    state.stealth[seat] -= 1
    state.count[STEALTH_LOST] += 1
    tell(state, events, STEALTH_PAID, seat, cause, state.stealth[seat], 0)
