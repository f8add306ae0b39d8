"""What can go wrong, as one small tree. The command line prints the message, never a traceback.

BalanceError                 exit code 2
    InputError               a scenario, an option or a value that cannot be used
    OutputError              a result that cannot be written
    SetupError               an installation that cannot work
"""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

__all__ = ["BalanceError", "InputError", "OutputError", "Place", "SetupError", "one_of", "suggest"]

MANY, FIRST_OF_MANY = 40, 6


class BalanceError(Exception):
    """Base of all errors that a user can mend."""


class InputError(BalanceError):
    """The input says something that cannot be used."""


class OutputError(BalanceError):
    """A result could not be written."""


class SetupError(BalanceError):
    """The installation cannot work as it is."""


@dataclass(frozen=True)
class Place:
    """Where a value was written: a file and line, or an option."""

    source: str
    line: int | None = None

    def __str__(self) -> str:
        return self.source if self.line is None else f"{self.source}:{self.line}"


def suggest(word: str, allowed: Iterable[str]) -> str:
    """The nearest allowed word as a question, or nothing where none is near."""
    near = get_close_matches(word, list(allowed), n=1, cutoff=0.6)
    return f" (did you mean {near[0]}?)" if near else ""


def one_of(allowed: Iterable[str]) -> str:
    """The allowed words as a list to read; of many the first and how many more there are."""
    words = list(allowed)
    if len(words) > MANY:
        words[FIRST_OF_MANY:] = [f".. ({len(words) - FIRST_OF_MANY} more: `balance rules GAME`)"]
    return ", ".join(words) or "nothing"
