"""Tallies: what rollouts add up to. Integers only, so they merge exactly and in any order."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from balance.games import Column
from balance.games.base import Grouping, Outcomes, Ratio

__all__ = ["Counted", "PairTally", "Tallies", "Tally"]

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Counted:
    """What is counted of a game's outcomes; columns are given by their places."""

    headline: int
    pairs: tuple[tuple[int, int], ...] = ()
    groupings: tuple[Grouping, ...] = ()

    @classmethod
    def of(
        cls,
        columns: Sequence[Column],
        headline: str,
        ratios: Sequence[Ratio] = (),
        groupings: Sequence[Grouping] = (),
    ) -> "Counted":
        """What is counted of outcomes with these columns."""
        names = [column.name for column in columns]
        pairs = [(names.index(r.numerator), names.index(r.denominator)) for r in ratios]
        return cls(names.index(headline), tuple(pairs), tuple(groupings))


def _padded_sum(a: Counts, low_a: int, b: Counts, low_b: int) -> Counts:
    """The sum of two rows of counts whose first places stand for two values."""
    if low_a == low_b and a.shape == b.shape:
        return a + b
    low = min(low_a, low_b)
    end = max(low_a + a.shape[1], low_b + b.shape[1])
    total = np.zeros((a.shape[0], end - low), np.int64)
    for part, start in ((a, low_a), (b, low_b)):
        total[:, start - low : start - low + part.shape[1]] += part
    return total


def _by_group(outcomes: Outcomes, headline: int, grouping: Grouping) -> Counts:
    keys = grouping.key(outcomes)
    won = keys[outcomes[:, headline] == 1]
    counts = [np.bincount(k, minlength=grouping.groups) for k in (keys, won)]
    return np.stack(counts, axis=1).astype(np.int64)


@dataclass
class Tally:
    """How often each column of one variant took each value, apart for headline 0 and more.

    ``values[c]`` (int64, shape (2, values)) counts value ``lows[c]`` + v of column c at [0 or 1,
    v]; ``groups[g]`` (int64, shape (groups, 2)) holds the rollouts of each group of grouping g, and
    how many of these have headline 1; ``products[r]`` is the sum of the products of the two columns
    of ratio r.
    """

    rollouts: int
    values: list[Counts]
    lows: list[int]
    groups: list[Counts] = field(default_factory=list)
    products: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, outcomes: Outcomes, kind: "Counted") -> "Tally":
        """Count the outcomes (int32, shape (rollouts, columns)) of one batch."""
        from kernels.tally import count_values, sum_products

        tops = outcomes.max(axis=0, initial=0)
        lows = outcomes.min(axis=0, initial=0).tolist()
        values = []
        for column, (low, top) in enumerate(zip(lows, tops.tolist(), strict=True)):
            counts = np.zeros((2, top - low + 1), np.int64)
            count_values(outcomes, column, kind.headline, low, counts)
            values.append(counts)
        groups = [_by_group(outcomes, kind.headline, grouping) for grouping in kind.groupings]
        products = [int(sum_products(outcomes, *pair)) for pair in kind.pairs]
        return cls(outcomes.shape[0], values, lows, groups, products)

    def merged(self, other: "Tally") -> "Tally":
        """The tally of both sets of rollouts."""
        pairs = zip(self.values, other.values, strict=True)
        groups = zip(self.groups, other.groups, strict=True)
        return Tally(
            self.rollouts + other.rollouts,
            [
                _padded_sum(a, low, b, other_low)
                for (a, b), low, other_low in zip(pairs, self.lows, other.lows, strict=True)
            ],
            [min(lows) for lows in zip(self.lows, other.lows, strict=True)],
            [a + b for a, b in groups],
            [a + b for a, b in zip(self.products, other.products, strict=True)],
        )

    def counts(self, column: int) -> Counts:
        """How often the column took its lowest value, the next, .. (int64)."""
        total: Counts = self.values[column].sum(axis=0)
        return total

    def moments(self, column: int) -> tuple[int, int]:
        """The sum of the column's values and of their squares, exact."""
        counts = list(enumerate(self.counts(column).tolist(), start=self.lows[column]))
        total = sum(value * n for value, n in counts)
        return total, sum(value * value * n for value, n in counts)


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

    ``joint`` (int64, shape (variants, variants)) holds at [a, b] the sum of the products of their
    headlines: where these are 0 or 1, the rollouts in which both are 1. ``pairs`` compares every
    variant with the first one.
    """

    variants: list[Tally]
    joint: Counts
    pairs: list[PairTally] = field(default_factory=list)

    @classmethod
    def of(cls, outcomes: Sequence[Outcomes], kind: "Counted") -> "Tallies":
        """Count one batch: one array of outcomes per variant, of the same rollouts."""
        from kernels.tally import count_joint

        place = kind.headline
        joint = np.zeros((len(outcomes), len(outcomes)), np.int64)
        count_joint(np.ascontiguousarray([rows[:, place] for rows in outcomes]), joint)
        return cls(
            [Tally.of(rows, kind) for rows in outcomes],
            joint,
            [PairTally.of(rows, outcomes[0]) for rows in outcomes],
        )

    @classmethod
    def apart(cls, variants: Sequence[Tally], headline: int) -> "Tallies":
        """Tallies of different rollouts: how their headlines go together is not known."""
        joint = np.diag(np.array([tally.moments(headline)[1] for tally in variants], np.int64))
        return cls(list(variants), joint, [])

    @property
    def rollouts(self) -> int:
        """Rollouts of every variant."""
        return self.variants[0].rollouts

    def chosen(self, places: Sequence[int]) -> "Tallies":
        """The tallies of some of the variants; comparisons with the first one are left out."""
        joint = self.joint[np.ix_(places, places)]
        return Tallies([self.variants[place] for place in places], joint, [])

    def merged(self, other: "Tallies") -> "Tallies":
        """The tallies of both sets of rollouts."""
        both = zip(self.variants, other.variants, strict=True)
        pairs = zip(self.pairs, other.pairs, strict=False)  # chosen ones have none
        return Tallies(
            [a.merged(b) for a, b in both],
            self.joint + other.joint,
            [a.merged(b) for a, b in pairs],
        )
