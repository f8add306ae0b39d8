"""Tallies: what rollouts add up to. Integers only, so they merge exactly and in any order."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from balance.games import Column
from balance.games.base import Grouping, Outcomes

__all__ = ["PairTally", "Tallies", "Tally"]

Counts = npt.NDArray[np.int64]


def _padded_sum(a: Counts, b: Counts) -> Counts:
    wide, narrow = (a, b) if a.shape[1] >= b.shape[1] else (b, a)
    total = wide.copy()
    total[:, : narrow.shape[1]] += narrow
    return total


def _by_group(outcomes: Outcomes, headline: int, grouping: Grouping) -> Counts:
    keys = grouping.key(outcomes)
    won = keys[outcomes[:, headline] == 1]
    counts = [np.bincount(k, minlength=grouping.groups) for k in (keys, won)]
    return np.stack(counts, axis=1).astype(np.int64)


@dataclass
class Tally:
    """How often each column of one variant took each value, apart for headline 0 and 1.

    ``values[c]`` (int64, shape (2, values)) counts value v of column c at [headline, v];
    ``groups[g]`` (int64, shape (groups, 2)) holds the rollouts of each group of grouping g, and
    how many of these have headline 1.
    """

    rollouts: int
    values: list[Counts]
    groups: list[Counts] = field(default_factory=list)

    @classmethod
    def of(cls, outcomes: Outcomes, headline: int, groupings: Sequence[Grouping] = ()) -> "Tally":
        """Count the outcomes (int32, shape (rollouts, columns)) of one batch."""
        from kernels.tally import count_values

        widths = outcomes.max(axis=0, initial=0) + 1
        values = []
        for column, width in enumerate(widths.tolist()):
            counts = np.zeros((2, width), np.int64)
            count_values(outcomes, column, headline, 0, counts)
            values.append(counts)
        groups = [_by_group(outcomes, headline, grouping) for grouping in groupings]
        return cls(outcomes.shape[0], values, groups)

    def merged(self, other: "Tally") -> "Tally":
        """The tally of both sets of rollouts."""
        pairs = zip(self.values, other.values, strict=True)
        groups = zip(self.groups, other.groups, strict=True)
        return Tally(
            self.rollouts + other.rollouts,
            [_padded_sum(a, b) for a, b in pairs],
            [a + b for a, b in groups],
        )

    def counts(self, column: int) -> Counts:
        """How often the column took the values 0, 1, .. (int64)."""
        total: Counts = self.values[column].sum(axis=0)
        return total

    def moments(self, column: int) -> tuple[int, int]:
        """The sum of the column's values and of their squares, exact."""
        counts = self.counts(column).tolist()
        total = sum(value * n for value, n in enumerate(counts))
        return total, sum(value * value * n for value, n in enumerate(counts))


@dataclass
class PairTally:
    """The differences of every column between a variant and a baseline on the same rollouts."""

    sums: Counts
    squares: Counts

    @classmethod
    def of(cls, ours: Outcomes, base: Outcomes) -> "PairTally":
        """Add up one batch."""
        from kernels.tally import pair_moments

        sums = np.zeros(ours.shape[1], np.int64)
        squares = np.zeros(ours.shape[1], np.int64)
        pair_moments(ours, base, sums, squares)
        return cls(sums, squares)

    def merged(self, other: "PairTally") -> "PairTally":
        """The tally of both sets of rollouts."""
        return PairTally(self.sums + other.sums, self.squares + other.squares)


@dataclass
class Tallies:
    """One tally per variant over the same rollouts, and how they go together.

    ``joint`` (int64, shape (variants, variants)) counts at [a, b] the rollouts whose headline is 1
    under both; ``pairs`` compares every variant with the first one.
    """

    variants: list[Tally]
    joint: Counts
    pairs: list[PairTally] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        outcomes: Sequence[Outcomes],
        columns: Sequence[Column],
        headline: str,
        groupings: Sequence[Grouping] = (),
    ) -> "Tallies":
        """Count one batch: one array of outcomes per variant, of the same rollouts."""
        from kernels.tally import count_joint

        place = [column.name for column in columns].index(headline)
        joint = np.zeros((len(outcomes), len(outcomes)), np.int64)
        count_joint(np.ascontiguousarray([rows[:, place] for rows in outcomes]), joint)
        return cls(
            [Tally.of(rows, place, groupings) for rows in outcomes],
            joint,
            [PairTally.of(rows, outcomes[0]) for rows in outcomes],
        )

    @property
    def rollouts(self) -> int:
        """Rollouts of every variant."""
        return self.variants[0].rollouts

    def merged(self, other: "Tallies") -> "Tallies":
        """The tallies of both sets of rollouts."""
        both = zip(self.variants, other.variants, strict=True)
        pairs = zip(self.pairs, other.pairs, strict=True)
        return Tallies(
            [a.merged(b) for a, b in both],
            self.joint + other.joint,
            [a.merged(b) for a, b in pairs],
        )
