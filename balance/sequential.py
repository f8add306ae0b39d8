"""Decisions with several looks at the data, whose error rates hold all the same.

Looks happen at fixed rollout counts that grow by a factor; a total error is spread evenly over the
looks and over everything that is decided (Bonferroni). At so small levels the usual intervals are
wrong too often, so what is used is exact for rates (binomial tails: Clopper and Pearson 1934,
Biometrika 26:404) and holds for every distribution inside known bounds for shares (Maurer and
Pontil 2009, COLT, theorem 4). A count has no known bounds: the span of the values seen stands for
them, which makes its levels approximate.
"""

import math
from dataclasses import dataclass
from typing import Any, Protocol

from balance.games import Game
from balance.scenario import RunSettings
from balance.simulate import looks
from balance.statistics import Sums, variance
from balance.tally import Tally

__all__ = [
    "BUDGET",
    "ERROR",
    "MeanSeen",
    "Quantity",
    "RateSeen",
    "RatioSeen",
    "Spending",
    "bernstein",
    "budget_of",
    "clopper_pearson",
    "holding_interval",
    "paired_rate_interval",
    "paired_share_interval",
    "quantity",
]

ERROR = 0.05
BUDGET = 1_000_000
GROWTH = 1.5
SPLIT = (
    0.9  # of a pair's error: for which of the two wins more of the rollouts that tell them apart
)
TINY = 1e-12


@dataclass(frozen=True)
class Spending:
    """How a total error is spread over looks and questions."""

    error: float
    budget: int
    """The rollouts at which the last look happens."""
    questions: int

    @property
    def looks(self) -> list[int]:
        """The rollout counts at which is looked."""
        return looks(self.budget, GROWTH)

    @property
    def each(self) -> float:
        """The error of one question at one look."""
        return self.error / (len(self.looks) * max(self.questions, 1))


def budget_of(run: RunSettings) -> int:
    """The budget that the run names, or 1,000,000 rollouts per variant."""
    return run.max_rollouts if "max_rollouts" in run.model_fields_set else BUDGET


class Quantity(Protocol):
    """What was seen of a number that is to be compared with bounds."""

    @property
    def low(self) -> float:
        """It cannot be below this."""

    @property
    def high(self) -> float:
        """It cannot be above this."""

    def above(self, bound: float, error: float) -> bool:
        """Whether it is established, with this chance of error, to be above the bound."""

    def below(self, bound: float, error: float) -> bool:
        """Whether it is established, with this chance of error, to be below the bound."""


@dataclass(frozen=True)
class RateSeen:
    """So many successes in n rollouts."""

    successes: int
    n: int
    low: float = 0.0
    high: float = 1.0

    def above(self, bound: float, error: float) -> bool:
        """By the chance of so many successes or more at the bound."""
        from scipy.special import bdtrc

        if bound < 0:
            return True
        if self.successes == 0 or bound >= 1:
            return False
        return float(bdtrc(self.successes - 1, self.n, bound)) <= error

    def below(self, bound: float, error: float) -> bool:
        """By the chance of so few successes or fewer at the bound."""
        from scipy.special import bdtr

        if bound > 1:
            return True
        if self.successes == self.n or bound <= 0:
            return False
        return float(bdtr(self.successes, self.n, bound)) <= error


@dataclass(frozen=True)
class MeanSeen:
    """The sums of n whole numbers and of their squares, in units of which ``scale`` are one."""

    total: int
    squares: int
    n: int
    span: float
    """The largest possible value less the smallest, in the same units as the sums."""
    scale: int = 1
    low: float = -math.inf
    high: float = math.inf

    def above(self, bound: float, error: float) -> bool:
        """By the empirical Bernstein bound."""
        return self.n > 1 and self.total / self.n - bound * self.scale > self._half(error)

    def below(self, bound: float, error: float) -> bool:
        """By the empirical Bernstein bound."""
        return self.n > 1 and bound * self.scale - self.total / self.n > self._half(error)

    def _half(self, error: float) -> float:
        return bernstein(variance(self.total, self.squares, self.n), self.n, self.span, error)


@dataclass(frozen=True)
class RatioSeen:
    """The sums of two numbers whose totals' ratio is asked for; the second is never negative.

    That x / y is above a bound b is that the mean of x - b y is above 0 (Fieller 1954, J. R. Stat.
    Soc. B 16:175).
    """

    sums: Sums
    span_x: float
    span_y: float
    low: float = -math.inf
    high: float = math.inf

    def above(self, bound: float, error: float) -> bool:
        """By the empirical Bernstein bound of x - bound * y."""
        excess, half = self._excess(bound, error)
        return excess > half

    def below(self, bound: float, error: float) -> bool:
        """By the empirical Bernstein bound of x - bound * y."""
        excess, half = self._excess(bound, error)
        return -excess > half

    def _excess(self, b: float, error: float) -> tuple[float, float]:
        s = self.sums
        if s.n < 2:
            return 0.0, math.inf
        mean = (s.x - b * s.y) / s.n
        squares = s.xx - 2 * b * s.xy + b * b * s.yy
        spread = max(0.0, squares - s.n * mean * mean) / (s.n - 1)
        return mean, bernstein(spread, s.n, self.span_x + abs(b) * self.span_y, error)


def bernstein(spread: float, n: int, span: float, error: float) -> float:
    """By how much a mean of n numbers may be off, on one side, with this chance of error.

    ``spread`` is their unbiased variance and ``span`` bounds their range (Maurer and Pontil 2009).
    """
    width = math.log(2 / error)
    return math.sqrt(2 * spread * width / n) + 7 * span * width / (3 * (n - 1))


def clopper_pearson(successes: int, n: int, error: float) -> tuple[float, float]:
    """The exact two-sided interval of a rate; the whole of 0 .. 1 where n is 0."""
    from scipy.special import betaincinv

    low = 0.0 if successes == 0 else float(betaincinv(successes, n - successes + 1, error / 2))
    full = successes == n
    high = 1.0 if full else float(betaincinv(successes + 1, n - successes, 1 - error / 2))
    return low, high


def paired_rate_interval(only_a: int, only_b: int, n: int, error: float) -> tuple[float, float]:
    """An interval of the difference of two paired rates, a minus b, that holds at every level.

    The difference is the rate of the rollouts that tell the two apart, times the excess of a's part
    of them: both have exact intervals, and their errors add up. The second leaves out 0 exactly
    where McNemar's exact test does.
    """
    apart = only_a + only_b
    rate_low, rate_high = clopper_pearson(apart, n, error * (1 - SPLIT))
    part_low, part_high = clopper_pearson(only_a, apart, error * SPLIT)
    low, high = 2 * part_low - 1, 2 * part_high - 1
    return low * (rate_high if low < 0 else rate_low), high * (rate_high if high > 0 else rate_low)


def paired_share_interval(
    total: int, squares: int, n: int, scale: int, error: float
) -> tuple[float, float]:
    """An interval of the mean of n differences, each from -1 to 1, that holds at every level.

    ``total`` and ``squares`` are the sums of the differences and of their squares, in units of
    which ``scale`` are one.
    """
    if n < 2:
        return -1.0, 1.0
    half = bernstein(variance(total, squares, n), n, 2.0 * scale, error / 2)
    return max(-1.0, (total / n - half) / scale), min(1.0, (total / n + half) / scale)


def holding_interval(seen: Quantity, estimate: float, error: float) -> tuple[float, float]:
    """The values that are not ruled out, by bisection from the estimate outwards."""
    low = _edge(lambda bound: seen.above(bound, error / 2), estimate, -1, seen.low)
    high = _edge(lambda bound: seen.below(bound, error / 2), estimate, 1, seen.high)
    return low, high


def _edge(ruled_out: Any, inside: float, way: int, limit: float) -> float:
    """Where values away from ``inside`` begin to be ruled out, or the limit."""
    step = max(abs(inside), 1.0)
    outside = inside + way * step
    for _ in range(60):
        if (way * outside >= way * limit) or ruled_out(outside):
            break
        step *= 2
        outside = inside + way * step
    else:
        return way * math.inf
    if way * outside >= way * limit:
        outside = limit
    for _ in range(80):
        middle = (inside + outside) / 2
        if ruled_out(middle):
            outside = middle
        else:
            inside = middle
        if abs(outside - inside) <= TINY * max(1.0, abs(inside)):
            break
    return outside


def quantity(game: Game, tally: Tally, metric: str) -> Quantity:
    """What a tally has seen of a metric."""
    for place, column in enumerate(game.columns):
        if column.kind == "level":
            if metric.rpartition(".")[0] == column.name:
                level = column.levels.index(metric.rpartition(".")[2])
                counts = tally.counts(place).tolist()
                value = level - tally.lows[place]
                n = counts[value] if 0 <= value < len(counts) else 0
                return RateSeen(n, tally.rollouts)
        elif metric == column.metric:
            total, squares = tally.moments(place)
            if column.kind == "rate":
                return RateSeen(total, tally.rollouts)
            if column.kind == "share":
                span = column.scale
                return MeanSeen(total, squares, tally.rollouts, span, column.scale, 0.0, 1.0)
            return MeanSeen(total, squares, tally.rollouts, _span(tally, place), column.scale)
    return _ratio_seen(game, tally, metric)


def _ratio_seen(game: Game, tally: Tally, metric: str) -> RatioSeen:
    names = [column.name for column in game.columns]
    number = [ratio.name for ratio in game.ratios].index(metric)
    ratio = game.ratios[number]
    first, second = names.index(ratio.numerator), names.index(ratio.denominator)
    (x, xx), (y, yy) = tally.moments(first), tally.moments(second)
    sums = Sums(x, y, xx, yy, tally.products[number], tally.rollouts)
    ends = (0.0, 1.0) if ratio.is_rate else (-math.inf, math.inf)
    return RatioSeen(sums, _span(tally, first), _span(tally, second), *ends)


def _span(tally: Tally, place: int) -> float:
    """The largest value seen less the smallest; at least 1."""
    seen = [value for value, n in enumerate(tally.counts(place).tolist()) if n]
    return max(1.0, float(max(seen) - min(seen))) if seen else 1.0
