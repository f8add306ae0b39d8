"""Timing helpers: repeats, and a table in Markdown."""

import time
from collections.abc import Callable, Sequence
from statistics import median


def seconds(action: Callable[[], object], repeats: int = 5) -> float:
    """The median duration of an action over some repeats, after one that is not counted."""
    action()
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        action()
        taken.append(time.perf_counter() - started)
    return median(taken)


def fastest(action: Callable[[], object], repeats: int) -> float:
    """The shortest duration of an action over many repeats: what a busy machine does not add to."""
    action()
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        action()
        taken.append(time.perf_counter() - started)
    return min(taken)


def markdown(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = ["| " + " | ".join(headers) + " |", "|" + "---|" * len(headers)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)
