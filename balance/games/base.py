"""What a game is to the toolkit."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from balance.values import Model

__all__ = ["Column", "Game", "Grouping", "Outcomes", "Packed", "Ratio"]

Outcomes = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Column:
    """One outcome column of a game: a whole number that every rollout reports.

    ``kind`` is `rate` for 0 or 1 (its mean is a rate), `count` for a number with a mean, `share`
    for a part of a whole that counts ``scale``, `level` for one of several named ``levels`` (each
    gets a rate).
    """

    name: str
    label: str
    kind: Literal["rate", "count", "share", "level"]
    description: str
    levels: tuple[str, ...] = ()
    scale: int = 1

    @property
    def metric(self) -> str:
        """The name of the column's mean among the metrics."""
        return "win_rate" if self.name == "won" else self.name


@dataclass(frozen=True)
class Ratio:
    """A metric that is the ratio of two columns' totals, such as dice per attempt."""

    name: str
    label: str
    numerator: str
    denominator: str
    description: str
    is_rate: bool = False
    """Whether it is shown as a percentage."""


@dataclass(frozen=True)
class Grouping:
    """A way to sort rollouts into groups, such as by who sat at the table.

    ``title`` and ``member_title`` name the tables of the groups (`Teams`) and of their members
    (`Character`), and the files that hold them: no two groupings of a game share one.
    """

    name: str
    title: str
    member_title: str
    groups: int
    key: Callable[[Outcomes], npt.NDArray[np.int64]]
    """The group, 0 .. ``groups`` - 1, of each row of outcomes (int64, shape (rollouts,))."""
    members: Callable[[int], tuple[str, ...]]
    """Who is in a group; no two groups have the same members."""


class Packed(Protocol):
    """Rules and policies of one variant in the kernel's form."""

    def play(self, seed: int, first: int, outcomes: Outcomes) -> None:
        """Play one rollout for each row of ``outcomes`` (int32, modified), from ``first`` on."""

    def trace(self, seed: int, rollout: int) -> list[dict[str, Any]]:
        """What happened in one rollout, event by event; the last one carries its outcome."""


class Game(Protocol):
    """One game of the toolkit."""

    name: str
    title: str
    rules: type[Model]
    policies: Mapping[str, type[Model]]
    stages: Mapping[str, "Game"]
    """Parts of the game that a scenario can play alone, by the name in its `stage:`."""
    columns: Sequence[Column]
    ratios: Sequence[Ratio]
    headline: str
    """The column, a rate or a share, that says how a game went."""
    style: Literal["cooperative", "competitive", "dice", "stage"]
    """What a result is about: all win or lose, one seat wins, dice, or another part of a game."""
    endings: Sequence[str]
    """The metrics that say how a game ended; their rates add up to 1."""
    length: str
    """The column that says how long a game lasted."""
    goal: Mapping[str, float]
    """What training makes the most of: columns and what one of each counts."""
    telling: Sequence[str]
    """The metrics that a short table shows beside the headline."""
    optional: Sequence[str]
    """Metrics that it shows as well where they are not 0."""
    starting: Mapping[str, Any]
    """The rules that a scenario has to say, with an example; empty where all have defaults."""
    change: Mapping[str, Any]
    """A change of the rules that a designer may want to try first."""
    groupings: Sequence[Grouping]
    """The groups whose headlines are told apart; empty for a game that has none."""

    def seats(self, rules: Any) -> int:
        """How many seats play under these rules."""

    def absent(self, rules: Any) -> Collection[str]:
        """Names of columns and ratios that mean nothing under these rules, such as a seat's."""

    def exact(self, rules: Any) -> Mapping[str, float]:
        """The metrics whose true values are known under these rules."""

    def pack(self, rules: Any, policies: Sequence[Any]) -> Packed:
        """Rules and one policy per seat, packed for the kernel (compiled on first use)."""

    def tell(self, events: Sequence[Mapping[str, Any]]) -> list[str]:
        """The events of a trace as lines that a player can follow at the table."""
