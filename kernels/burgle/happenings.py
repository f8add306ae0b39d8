"""The kinds of events that a game of Burgle Bros Blackjack records, and how they are recorded.

A row names round, turn and seat (the Van counts as the seat after the last) and three numbers.
"""

from kernels.events import record
from kernels.jit import jit

(
    DEALT,  # first: Guard, second: cards in the deck, third: 1 + character; LAID rows follow
    LAID,  # first: a card of the deck just dealt or shuffled, from its top
    TOOLS_SHUFFLED,  # TOOL_LAID rows follow
    TOOL_LAID,  # first: a tool, the next one to be drawn first
    TOOL_TAKEN,  # first: the tool, second: the one shuffled back or -1
    ROUND_STARTED,
    TURN_STARTED,
    TOOL_USED,  # first: the tool, second: its target, third: for the Crowbar whose card it is
    GUARD_PLACED,  # after TOOL_USED: first: the seat of a Guard, second: its place from the top
    GUARD_SMOKED,  # after TOOL_USED: seat: the owner of a Guard discarded
    GAINED,  # after TOOL_USED: seat: who gained 1 stealth
    BLOWN_UP,  # first: the card
    SHUFFLED,  # first: cards in the deck; LAID rows follow
    DRAWN,  # first: the card
    REPLACED,  # first: the Guard, second: 1 by the Acrobat, 2 by the Donuts
    NOT_DRAWN,
    VAN_GUARD,  # seat: the owner, first: the Guard
    TRADED,  # seat: the giver; first: the card, second: the receiver
    PEEKED,  # first: the card, second: 1 if discarded, third: 1 if it came of a twenty-one
    LOOKED_AT_TWO,  # first: the top card, second: the one below, third: KEEP or which is discarded
    ROOK_LOOKED,  # first: the card, second: whose deck, third: 1 if discarded
    STAYED,
    LEFT_TO_PEEK,
    LEFT_TO_DISCARD,  # first: the Guard, second: its owner
    SAFE_CRACKED,  # first: the pile that cracked it, second: 1 for a straight flush, third: a Joker
    BURNED,  # first: the card
    DISTRACTED,
    SILENCED,  # first: the cause
    ALARMED,  # first: the cause
    FLIPPED,  # first: the card
    STEALTH_PAID,  # first: the cause, second: what is left
    CAUGHT,  # first: the cause
    CARD_REMOVED,  # first: the card
    BAILED,
    ROUND_ENDED,
    PUT_ON_TOP,  # first: the card
    ENDED,
) = range(1, 38)


@jit
def tell(state, events, kind, seat, first, second, third):
    """Record an event of the present round and turn."""
    if events.recording:
        record(events, kind, state.round_number, state.turn, seat, first, second, third)


@jit
def tell_deck(state, events, kind, seat, first, third):
    """Record a deck that was just dealt or shuffled, from its top."""
    if not events.recording:
        return
    n = state.deck_size[seat]
    tell(state, events, kind, seat, first, n, third)
    for i in range(n):
        tell(state, events, LAID, seat, state.deck[seat, n - 1 - i], 0, 0)


@jit
def tell_tool_deck(state, events):
    """Record the order of the tool deck, the next tool to be drawn first."""
    if not events.recording:
        return
    tell(state, events, TOOLS_SHUFFLED, 0, 0, 0, 0)
    for i in range(state.tool_deck_size - 1, -1, -1):
        tell(state, events, TOOL_LAID, 0, state.tool_deck[i], 0, 0)
