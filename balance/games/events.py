"""Reading the event buffer of a kernel, window by window."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["record_windows"]


def record_windows(play: Callable[[Any], None]) -> npt.NDArray[np.int64]:
    """All event rows (int64, shape (events, WIDTH)) of a game that ``play`` plays.

    ``play`` is given an event buffer (EVENTS, shape (1,)) and plays the same game every time; it is
    asked as often as the game has windows of events.
    """
    from kernels.events import EVENTS

    windows: list[Any] = []
    first, used = 0, 1
    while first < used:
        events = np.zeros(1, EVENTS).view(np.recarray)
        events.recording, events.first = 1, first
        play(events)
        used = int(events.used[0])
        windows.append(events.rows[0, : used - first])
        first += events.rows.shape[1]
    return np.concatenate(windows)
