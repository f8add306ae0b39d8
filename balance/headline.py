"""The headline of a game, a rate or a share of a win, and how two variants' headlines differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from balance.games import Column, Game
from balance.statistics import (
    Estimate,
    holm,
    mcnemar,
    mean_test,
    paired_difference,
    paired_factor,
    paired_mean,
    rate,
    scaled,
    share,
    tie_letters,
)
from balance.tally import Tallies

__all__ = [
    "LEVEL",
    "Difference",
    "Headlines",
    "column_difference",
    "headline_column",
    "headline_label",
    "lowered",
]

LEVEL = 0.05


def headline_column(game: Game) -> tuple[int, Column]:
    """The place of a game's headline among its columns, and the column."""
    place = [column.name for column in game.columns].index(game.headline)
    return place, game.columns[place]


def headline_label(game: Game) -> str:
    """What the headline is called in running text: `win rate`, `win share, seat 1`."""
    return lowered(headline_column(game)[1].label)


def lowered(label: str) -> str:
    """A label as it stands in running text."""
    return label[0].lower() + label[1:]


@dataclass(frozen=True)
class Difference:
    """The headline of one variant less that of another, on the same rollouts."""

    estimate: Estimate
    p_value: float
    factor: float | None
    """How many times fewer rollouts pairing took than two runs on different seeds."""


def column_difference(column: Column, sums: int, squares: int, n: int) -> tuple[Estimate, float]:
    """The difference of a column's means on the same n rollouts, and its p-value.

    ``sums`` and ``squares`` are those of the differences. A rate is tested by McNemar's exact test,
    anything else by a z test. Not for a column of levels.
    """
    if column.kind == "rate":
        only_a, only_b = (squares + sums) // 2, (squares - sums) // 2
        return paired_difference(only_a, only_b, n), mcnemar(only_a, only_b)
    found, p_value = mean_test(sums, squares, n)
    return scaled(found, column.scale), p_value


class Headlines:
    """The headlines of a simulation's variants, and their differences."""

    def __init__(self, game: Game, tallies: Tallies) -> None:
        self.place, self.column = headline_column(game)
        self.tallies = tallies
        self.n = tallies.rollouts
        self.sums = [tally.moments(self.place)[0] for tally in tallies.variants]
        self.squares = [int(square) for square in tallies.joint.diagonal()]

    def estimate(self, variant: int) -> Estimate:
        """The headline of a variant (by its place), with its interval."""
        if self.column.kind == "rate":
            return rate(self.sums[variant], self.n)
        return share(self.sums[variant], self.squares[variant], self.n, self.column.scale)

    def difference(self, a: int, b: int) -> Difference:
        """The headline of variant a less that of variant b, paired."""
        both = int(self.tallies.joint[a, b])
        sums, squares = (self.sums[a], self.sums[b]), (self.squares[a], self.squares[b])
        if self.column.kind == "rate":
            only_a, only_b = sums[0] - both, sums[1] - both
            estimate = paired_difference(only_a, only_b, self.n)
            p_value = mcnemar(only_a, only_b)
        else:
            found, p_value = paired_mean(sums, squares, both, self.n)
            estimate = scaled(found, self.column.scale)
        gap = (sums[0] - sums[1], squares[0] + squares[1] - 2 * both)
        moments = list(zip(sums, squares, strict=True))
        return Difference(estimate, p_value, paired_factor(moments[0], moments[1], gap, self.n))

    def established(self, pairs: Sequence[tuple[int, int]]) -> list[bool]:
        """Which pairs of variants differ at 5 %, all tested together (Holm)."""
        p_values = [self.difference(a, b).p_value for a, b in pairs]
        return [p < LEVEL for p in holm(p_values)]

    def letters(self) -> list[str]:
        """Variants that share a letter have headlines whose difference is not established."""
        n = len(self.tallies.variants)
        pairs = list(combinations(range(n), 2))
        apart = self.established(pairs)
        return tie_letters(n, {pair for pair, found in zip(pairs, apart, strict=True) if found})
