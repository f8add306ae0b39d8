"""The kinds of events that a game of Bank Robbers records.

A row names the turn, a seat and three numbers. Lists are told by rows that follow each other.
"""

from kernels.events import record
from kernels.jit import jit

(
    DECK_LAID,  # first: a card of the deck, from its top
    HAND,  # CARD rows follow
    CARD,  # first: a card, of the event before
    BANK,  # first: the bank, second: the card dealt to it
    TILES,  # TILE rows follow
    TILE,  # first: an action, the next one to be revealed first
    TURN,
    ACTION,  # first: the action
    PLAYED,  # first: the card, second: the bank
    DREW,  # first: the card
    LOOKED,  # first: the bank, second: the place, third: the card
    REVEALED,  # first: the bank, second: the place, third: the card
    NOTHING,
    ROBBED,  # first: the bank, second: 1 in the final robberies
    STAKED,  # seat; first: its stake
    OPENED,  # first: the bank, second: the pot; CARD rows follow
    RESULT,  # first: what happened (bits); GAIN rows follow, in the order of taking
    GAIN,  # seat; first: coins gained
    KEPT,  # first: the bank; CARD rows follow
    REFILLED,  # first: the bank, second: the card
    ENDED,
) = range(1, 22)


@jit
def tell(state, events, kind, seat, first, second, third):
    """Record an event of the present turn."""
    if events.recording:
        record(events, kind, 0, state.turn, seat, first, second, third)
