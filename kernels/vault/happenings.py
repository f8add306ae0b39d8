"""The kinds of events that a game of Vault Breakers records.

A row names the turn, a seat and three numbers. Lists are told by rows that follow each other.
"""

from kernels.events import record
from kernels.jit import jit

(
    TRAINING_LAID,  # first: a card of the training deck, from its top
    LOOT_LAID,  # first: VP, from the top of the Vault
    PILE_LAID,  # first: ACTION or REACTION, second: a card's kind, from the top
    HAND,  # CARD rows follow
    CARD,  # first: a training card, of the event before
    TURN,
    SKIPPED,
    DRAWN_UP,  # first: ACTION or REACTION, second: kept, third: put back or NO_CARD; DRAWN rows
    DRAWN,  # first: the kind, of the event before
    DREW,  # CARD rows follow
    COMBINED,  # first: the colour, second: wasted; CARD rows follow
    ACTED,  # first: the kind, second: the target or NOBODY; PAID rows follow
    REACTED,  # first: the kind, second: the target or NOBODY, third: the moment; PAID rows follow
    PAID,  # first: a colour, of the event before
    GAINED,  # PAID rows follow
    TOOK_TOKENS,  # first: the target, second: the effect; PAID rows follow
    TOOK_CARDS,  # first: the target, second: the effect; CARD rows follow
    TOOK_LOOT,  # first: the target; VALUE rows follow
    VALUE,  # first: VP, of the event before
    SWAPPED,  # first: the target, second: VP given, third: VP taken
    PEEKED,  # VALUE rows follow
    MUST_SKIP,
    DECLINED,  # first: the breaker
    BROKE_IN,  # first: the threshold; PART rows, each with its PAID rows, and SHARE rows follow
    PART,  # seat; first: dice
    SHARE,  # seat: who gets the next loot card
    JOINED,  # first: dice; SHARE rows follow
    ROLLED,  # first: the total, second: the threshold; DIE rows follow
    REROLLED,  # first: the total; DIE rows follow
    DIE,  # first: pips
    BROKEN,  # first: the final total; LOOTED rows follow
    LOOTED,  # seat; first: VP
    FAILED,  # first: the final total, second: the failure die
    HIT,  # first: the failure die; CARD, PAID or VALUE rows follow
    PASSED,
    REVEALED,  # first: VP
    ENDED,  # first: how
) = range(1, 38)


@jit
def tell(state, events, kind, seat, first, second, third):
    """Record an event of the present turn."""
    if events.recording:
        record(events, kind, 0, state.turn, seat, first, second, third)
