"""The pinned policy `simple`: every line follows docs/rules/burgle.md to the letter."""

from kernels.burgle.layout import (
    ACES,
    ALL_PEEK,
    DISCARD_GUARD,
    NO_CARD,
    OF_HAWK,
    OF_JUICER,
    SEATS,
    STETHOSCOPE_MINUS,
    VAN,
    WORTH_ROW,
)
from kernels.burgle.table import (
    best_reading,
    counts_for,
    guard_of,
    meets_crack,
    readings,
)
from kernels.burgle.trade import best_arrangement
from kernels.cards import card_bit
from kernels.jit import jit

SUIT, BUST, JACKPOT, PEEK, BAIL_AT, TARGETED_BAIL_AT = range(6)  # places of the knobs
CRACK_SCORE = 1000.0
MANY = 4  # with so many cards of the suit a seat goes on


@jit
def weigh_totals(rules, policies, seat, scratch):
    """Fill ``scratch.worth`` [seat]: what this seat, deciding a trade, makes of a total.

    The score of everything about a card but its suit depends on the new total alone, and on whose
    threshold and peek totals count: everybody's, the Hawk's or the Juicer's.
    """  # R59
    knobs = policies.knobs[seat]
    for totals in range(3):
        over = rules.juicer_alarm_over if totals == OF_JUICER else rules.alarm_over
        peeks = rules.hawk_peek_totals if totals == OF_HAWK else rules.peek_totals
        for aces in range(ACES):
            for hard in range(-STETHOSCOPE_MINUS, WORTH_ROW - STETHOSCOPE_MINUS):
                can_read = readings(hard, aces)
                score = -knobs[BUST] if hard > over else 0.0
                if can_read & rules.jackpot_total:
                    score += knobs[JACKPOT]
                if can_read & peeks:
                    score += knobs[PEEK]
                place = aces * WORTH_ROW + hard + STETHOSCOPE_MINUS
                scratch.worth[seat, totals, place] = score


@jit
def score_cards(rules, policies, state, leader, n, scratch):
    """Fill ``scratch.score`` [i, j]: what ``leader`` lets number i make of movable card j."""
    worth_of_suit = policies.knobs[leader, SUIT]
    for i in range(n):
        seat = scratch.movable[i]
        if seat == VAN:  # R60
            scratch.score[i, :] = 0.0
            continue
        suit = state.suit[seat]
        place = state.aces[seat] * WORTH_ROW + state.hard[seat] + STETHOSCOPE_MINUS
        place -= scratch.step[i]
        held = state.held[seat] - counts_for(scratch.cards[i], suit)
        wants = 0.0 if state.cracked[seat] else worth_of_suit
        worth = scratch.worth[leader, state.totals[seat]]
        for j in range(SEATS):  # a fixed number without a branch: the compiler unrolls it
            suited = wants if (scratch.suits[j] >> suit) & 1 else 0.0
            scratch.score[i, j] = worth[place + scratch.step[j]] + suited
        if not state.cracked[seat] and held + 1 >= rules.crack_from:
            add_cracks(rules, policies.knobs[leader, BUST], state, i, n, scratch)


@jit
def add_cracks(rules, bust, state, i, n, scratch):
    """Raise the scores of the cards with which movable seat i would crack its safe."""
    seat = scratch.movable[i]
    suit = state.suit[seat]
    rest = state.display[seat] & ~card_bit(scratch.cards[i])
    held = state.held[seat] - counts_for(scratch.cards[i], suit)
    for j in range(n):
        card = scratch.cards[j]
        pile = rest | card_bit(card)
        if meets_crack(rules, held + counts_for(card, suit), pile, suit):
            scratch.score[i, j] += CRACK_SCORE
            if state.hard[seat] - scratch.value[i] + scratch.value[j] > state.over[seat]:
                scratch.score[i, j] += bust


@jit
def choose_trade(rules, policies, state, leader, n, scratch):
    """Write the best arrangement of the n movable cards into ``scratch.takes``."""
    score_cards(rules, policies, state, leader, n, scratch)
    best_arrangement(scratch, n)


@jit
def discards_peeked(state, seat, card):
    """Whether a peeked card is discarded: the Guard is, all else goes back."""
    return card == guard_of(state.suit[seat])


@jit
def choose_twenty_one(state):
    """Always leave; discard the first Guard in a display, or let everybody peek."""
    owner = first_guard_shown(state)
    return ALL_PEEK if owner < 0 else DISCARD_GUARD + owner


@jit
def first_guard_shown(state):
    """The first seat whose Guard lies in its display, or -1."""  # R60
    for seat in range(SEATS):
        if state.display[seat] & card_bit(guard_of(state.suit[seat])):
            return seat
    return -1


@jit
def choose_removed(state, seat, flipped, n):
    """Which of the n flipped cards (index) leaves the game; one of them is not the Guard."""
    suit = state.suit[seat]
    fallback = -1
    for i in range(n):
        card = flipped[i]
        if card == NO_CARD or card == guard_of(suit):
            continue
        if not counts_for(card, suit):
            return i
        if fallback < 0:
            fallback = i
    return fallback


@jit
def bails(rules, policies, state, seat):
    """Whether the seat bails."""
    if state.cracked[seat]:
        best = best_reading(state.hard[seat], state.aces[seat], state.over[seat])
        return best >= policies.knobs[seat, TARGETED_BAIL_AT]
    return state.hard[seat] >= policies.knobs[seat, BAIL_AT] and state.held[seat] < MANY
