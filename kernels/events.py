"""The event buffer: what happened in one game, as rows of integers.

A record of the kind EVENTS travels with every game. In normal play it does not record, which costs
one test an event. A trace records a window of ROWS events from number ``first`` on; ``used`` counts
all events, so that the caller can play the game again for the next window.
"""

import numpy as np

from kernels.jit import jit

__all__ = ["EVENTS", "ROWS", "WIDTH", "record"]

WIDTH = 7  # kind, round, turn, seat, and three numbers that each kind defines
ROWS = 4096

EVENTS = np.dtype(
    [
        ("recording", np.int64),  # 0 or 1
        ("first", np.int64),  # the number of the first event of the window
        ("used", np.int64),  # events so far
        ("rows", np.int64, (ROWS, WIDTH)),
    ]
)


@jit
def record(events, kind, round_number, turn, seat, first, second, third):
    """Write one event into ``events`` (modified in place) if it lies in the window."""
    place = events.used - events.first
    events.used += 1
    if 0 <= place < ROWS:
        events.rows[place, 0] = kind
        events.rows[place, 1] = round_number
        events.rows[place, 2] = turn
        events.rows[place, 3] = seat
        events.rows[place, 4] = first
        events.rows[place, 5] = second
        events.rows[place, 6] = third
