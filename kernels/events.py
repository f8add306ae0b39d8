"""The event buffer: what happened in one game, as rows of integers.

``events`` has the shape (0, WIDTH) in normal play, where recording costs one test, and (rows, WIDTH)
in a trace. Its first row holds the number of rows used; when they run out, recording stops and the
number goes on counting, so that the caller knows how much room the game needs.
"""

import numpy as np

from kernels.jit import jit

__all__ = ["WIDTH", "new_events", "record"]

WIDTH = 7  # kind, round, turn, seat, and three numbers that each kind defines


def new_events(rows: int) -> np.ndarray:
    """An empty buffer (int64, shape (rows, WIDTH)); 0 rows turn recording off."""
    return np.zeros((rows, WIDTH), np.int64)


@jit
def record(events, kind, round_number, turn, seat, first, second, third):
    """Write one event into ``events`` (modified in place) if it records and has room."""
    if events.shape[0] == 0:
        return
    events[0, 0] += 1
    row = events[0, 0]
    if row < events.shape[0]:
        events[row, 0] = kind
        events[row, 1] = round_number
        events[row, 2] = turn
        events[row, 3] = seat
        events[row, 4] = first
        events[row, 5] = second
        events[row, 6] = third
