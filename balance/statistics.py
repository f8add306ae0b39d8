"""Intervals and tests; every formula names its source. Intervals are two-sided, 95 % by default."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_letters

__all__ = [
    "Z95",
    "Estimate",
    "Sums",
    "equal_rates",
    "holm",
    "mcnemar",
    "mean",
    "mean_test",
    "paired_difference",
    "paired_factor",
    "paired_mean",
    "rate",
    "rate_difference",
    "ratio",
    "rollouts_for",
    "scaled",
    "share",
    "tie_letters",
]

FEW = 100  # rollouts of which the normal interval of a share is not trusted
Z95 = 1.959963984540054  # the 97.5 % point of the standard normal distribution


@dataclass(frozen=True)
class Estimate:
    """A number that is never bare: its interval and the rollouts it rests on; None is not known."""

    value: float | None
    low: float | None
    high: float | None
    n: int

    @property
    def half_width(self) -> float | None:
        """Half the length of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def rate(successes: int, n: int, z: float = Z95) -> Estimate:
    """A rate with Wilson's score interval (Wilson 1927, J. Am. Stat. Assoc. 22:209).

    With no success at all its upper end is z^2 / (n + z^2), not zero.
    """
    if n == 0:
        return Estimate(None, None, None, 0)
    p = successes / n
    shrink = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / shrink
    half = z / shrink * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Estimate(p, low, high, n)


def mean(total: int, squares: int, n: int, z: float = Z95) -> Estimate:
    """A mean with the normal interval, from the exact sums of values and squares."""
    if n == 0:
        return Estimate(None, None, None, 0)
    value = total / n
    if n == 1:
        return Estimate(value, None, None, 1)
    half = z * math.sqrt(variance(total, squares, n) / n)
    return Estimate(value, value - half, value + half, n)


def share(total: int, squares: int, n: int, whole: int, z: float = Z95) -> Estimate:
    """The mean of parts of a whole, with the normal interval inside 0 .. 1.

    Of few rollouts it is as wide as Wilson's interval of a rate at least, which no part of a whole
    can exceed in variance.
    """
    part = mean(total, squares, n, z)
    if part.value is None or part.low is None or part.high is None:
        return Estimate(None if part.value is None else part.value / whole, None, None, n)
    value, low, high = part.value / whole, part.low / whole, part.high / whole
    if n < FEW:
        p = min(max(value, 0.0), 1.0)
        half = _wilson_half(p, n, z)
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        low, high = min(low, centre - half), max(high, centre + half)
    return Estimate(value, max(0.0, low), min(1.0, high), n)


def scaled(estimate: Estimate, whole: int) -> Estimate:
    """An estimate in units of which ``whole`` are one."""
    if whole == 1:
        return estimate
    value, low, high = (
        None if end is None else end / whole
        for end in (estimate.value, estimate.low, estimate.high)
    )
    return Estimate(value, low, high, estimate.n)


@dataclass(frozen=True)
class Sums:
    """The sums of two numbers x and y over n rollouts, of their squares and of their products."""

    x: int
    y: int
    xx: int
    yy: int
    xy: int
    n: int


def ratio(sums: Sums, is_rate: bool = False, z: float = Z95) -> Estimate:
    """The ratio of two totals, with the delta method's interval (Cochran 1977, chapter 6).

    A rate of which there is none, or nothing else, gets Wilson's interval of the denominator: the
    delta method has no width there. ``n`` of the estimate is the denominator.
    """
    if sums.y == 0:
        return Estimate(None, None, None, 0)
    value = sums.x / sums.y
    if is_rate and sums.x in (0, sums.y):
        return rate(sums.x, sums.y, z)
    if sums.n == 1:
        return Estimate(value, None, None, sums.y)
    # the squares of x - value * y, times y^2, in whole numbers: nothing cancels
    squares = sums.xx * sums.y**2 - 2 * sums.x * sums.y * sums.xy + sums.x**2 * sums.yy
    spread = math.sqrt(sums.n / (sums.n - 1) * (squares / sums.y**4))
    low, high = value - z * spread, value + z * spread
    if is_rate:
        low, high = max(0.0, low), min(1.0, high)
    return Estimate(value, low, high, sums.y)


def paired_mean(
    sums: tuple[int, int], squares: tuple[int, int], product: int, n: int, z: float = Z95
) -> tuple[Estimate, float]:
    """The difference of two means over the same n rollouts, a minus b, and its p-value (z test).

    ``sums`` and ``squares`` are those of a and of b, ``product`` is the sum of their products.
    """
    return mean_test(sums[0] - sums[1], squares[0] + squares[1] - 2 * product, n, z)


def mean_test(total: int, squares: int, n: int, z: float = Z95) -> tuple[Estimate, float]:
    """A mean with the normal interval, and the two-sided p-value that it is 0 (z test)."""
    found = mean(total, squares, n, z)
    if n < 2 or found.low is None or found.value is None:
        return found, 1.0
    error = math.sqrt(variance(total, squares, n) / n)
    if error == 0:
        return found, 1.0 if total == 0 else 0.0
    return found, math.erfc(abs(found.value) / error / math.sqrt(2))


def variance(total: int, squares: int, n: int) -> float:
    """The unbiased variance; the numerator is exact, so nothing cancels."""
    return (n * squares - total * total) / (n * (n - 1))


def rate_difference(first: tuple[int, int], second: tuple[int, int], z: float = Z95) -> Estimate:
    """The difference of two independent rates, with Newcombe's hybrid score interval.

    Newcombe 1998, Stat. Med. 17:873, method 10: each end lies as far from the difference as the
    distances of the two rates from the ends of their Wilson intervals, squared and added. Each
    argument is (successes, n); ``n`` of the result counts both.
    """
    a, b = rate(*first, z), rate(*second, z)
    n = a.n + b.n
    if a.value is None or a.low is None or a.high is None:
        return Estimate(None, None, None, n)
    if b.value is None or b.low is None or b.high is None:
        return Estimate(None, None, None, n)
    value = a.value - b.value
    low = value - math.hypot(a.value - a.low, b.high - b.value)
    high = value + math.hypot(a.high - a.value, b.value - b.low)
    return Estimate(value, low, high, n)


def equal_rates(first: tuple[int, int], second: tuple[int, int]) -> float:
    """The two-sided p-value that two independent rates are equal: the pooled z test.

    Its square is Pearson's chi-squared of the 2x2 table (Pearson 1900, Phil. Mag. 50:157), without
    a correction for continuity. Each argument is (successes, n).
    """
    (x, n), (y, m) = first, second
    if n == 0 or m == 0 or x + y in (0, n + m):
        return 1.0
    pooled = (x + y) / (n + m)
    z = (x / n - y / m) / math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    return math.erfc(abs(z) / math.sqrt(2))


def rollouts_for(half_width: float, p: float, z: float = Z95) -> int:
    """How many rollouts give a rate near p an interval of +- half_width.

    Wilson's half-width solved for n by bisection, so that it holds for p = 0 as well.
    """
    low, high = 1, 2
    while _wilson_half(p, high, z) > half_width:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        if _wilson_half(p, middle, z) > half_width:
            low = middle
        else:
            high = middle
    return high


def _wilson_half(p: float, n: int, z: float) -> float:
    shrink = 1 + z * z / n
    half = z / shrink * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    centre = (p + z * z / (2 * n)) / shrink
    return (min(1.0, centre + half) - max(0.0, centre - half)) / 2


def mcnemar(only_a: int, only_b: int) -> float:
    """The exact two-sided p-value that two paired rates are equal (McNemar 1947, exact form).

    ``only_a`` and ``only_b`` count the rollouts in which only one of the two has a success.
    """
    from scipy.special import bdtr

    n = only_a + only_b
    if n == 0:
        return 1.0
    return min(1.0, 2.0 * float(bdtr(min(only_a, only_b), n, 0.5)))


def paired_difference(only_a: int, only_b: int, n: int, z: float = Z95) -> Estimate:
    """The difference of two rates on the same n rollouts, a minus b.

    ``only_a`` and ``only_b`` count the rollouts in which only one of the two has a success. The
    interval is Wald's with half a rollout added to each cell of the table of pairs (Agresti and Min
    2005, Statistics in Medicine 24:729).
    """
    if n == 0:
        return Estimate(None, None, None, 0)
    a, b, size = only_a + 0.5, only_b + 0.5, n + 2
    centre = (a - b) / size
    half = z * math.sqrt(max(0.0, a + b - (a - b) ** 2 / size)) / size
    low, high = max(-1.0, centre - half), min(1.0, centre + half)
    return Estimate((only_a - only_b) / n, low, high, n)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values for a family of tests (Holm 1979, Scand. J. Stat. 6:65)."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for rank, i in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = running
    return adjusted


def tie_letters(n: int, different: set[tuple[int, int]]) -> list[str]:
    """Letters for n things: two share a letter exactly if they are not established as different.

    The insert-and-absorb method (Piepho 2004, J. Comput. Graph. Stat. 13:456). ``different`` holds
    pairs (i, j) with i < j.
    """
    groups: list[set[int]] = [set(range(n))]
    for i, j in sorted(different):
        split: list[set[int]] = []
        for group in groups:
            if i in group and j in group:
                split += [group - {i}, group - {j}]
            else:
                split.append(group)
        unique = [g for k, g in enumerate(split) if g not in split[:k]]
        groups = [g for g in unique if not any(g < other for other in unique)]
    groups.sort(key=lambda group: sorted(group))
    letters = [""] * n
    for number, group in enumerate(groups):
        for member in group:
            letters[member] += _letter(number)
    return letters


def _letter(number: int) -> str:
    """One character for each group, so that two strings share a group where they share one."""
    beyond = number - len(ascii_letters)
    return ascii_letters[number] if beyond < 0 else chr(ord("Ā") + beyond)


def paired_factor(
    first: tuple[int, int], second: tuple[int, int], difference: tuple[int, int], n: int
) -> float | None:
    """How many times fewer rollouts a paired comparison needs than an unpaired one.

    Each argument is (sum, sum of squares) over the same n rollouts. The ratio of the variances of
    the difference of the means; None where the paired one is zero or not known.
    """
    if n < 2:
        return None
    paired = variance(*difference, n)
    return None if paired == 0 else (variance(*first, n) + variance(*second, n)) / paired
