"""Intervals and decisions that hold at every level, however often is looked."""

from collections.abc import Callable
from math import inf, log, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from balance.games import load_game
from balance.scenario import RunSettings
from balance.sequential import (
    BUDGET,
    SPLIT,
    MeanSeen,
    Quantity,
    RateSeen,
    RatioSeen,
    Spending,
    bernstein,
    budget_of,
    clopper_pearson,
    holding_interval,
    paired_rate_interval,
    paired_share_interval,
    quantity,
)
from balance.statistics import Sums, mcnemar
from balance.tally import Counted, Tally
from tests.balance.coin_scenarios import fourfold
from tests.coin import COIN, SCALE, SHARE_COIN, CoinRules

ERRORS = (0.05, 0.003, 1e-6)
COUNTS = st.integers(1, 5_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
Draw = Callable[[np.random.Generator], Quantity]


def sums_of(x: Any, y: Any) -> Sums:
    x, y = np.asarray(x, np.int64), np.asarray(y, np.int64)
    return Sums(int(x.sum()), int(y.sum()), int(x @ x), int(y @ y), int(x @ y), len(x))


def mean_of(x: Any, span: float, scale: int = 1) -> MeanSeen:
    x = np.asarray(x, np.int64)
    ends = (-inf, inf) if scale == 1 else (0.0, 1.0)
    return MeanSeen(int(x.sum()), int(x @ x), len(x), span, scale, *ends)


# rates


@given(COUNTS, st.sampled_from(ERRORS))
def test_the_exact_interval_of_a_rate_is_that_of_scipy(counts: tuple[int, int], e: float) -> None:
    expected = binomtest(*counts).proportion_ci(1 - e, method="exact")
    assert clopper_pearson(*counts, e) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_the_exact_interval_of_nothing_is_everything() -> None:
    assert clopper_pearson(0, 0, 0.05) == (0.0, 1.0)


@given(COUNTS, st.floats(0.001, 0.999), st.sampled_from(ERRORS))
def test_a_rate_is_beyond_a_bound_where_the_one_sided_test_says_so(
    counts: tuple[int, int], bound: float, e: float
) -> None:
    seen = RateSeen(*counts)
    for rejects, side in ((seen.above, "greater"), (seen.below, "less")):
        p_value = binomtest(*counts, bound, alternative=side).pvalue
        if abs(p_value - e) > 1e-9 * e:
            assert rejects(bound, e) == (p_value < e)


@pytest.mark.parametrize("e", ERRORS)
@pytest.mark.parametrize("bound", [0.5, 0.02, 1e-4])
def test_no_win_in_n_is_below_a_bound_exactly_where_chance_would_rarely_miss_so_often(
    bound: float, e: float
) -> None:
    least = next(n for n in range(1, 200_000) if (1 - bound) ** n <= e)
    assert RateSeen(0, least).below(bound, e)
    assert not RateSeen(0, least - 1).below(bound, e)
    assert not RateSeen(0, least).above(bound, e)
    assert RateSeen(least, least).above(1 - bound, e)
    assert not RateSeen(least - 1, least - 1).above(1 - bound, e)


@pytest.mark.parametrize(("successes", "n"), [(0, 0), (0, 9), (4, 9), (9, 9), (0, 10**6)])
def test_no_rate_is_below_0_or_above_1(successes: int, n: int) -> None:
    seen = RateSeen(successes, n)
    for bound in (0.0, -0.1):
        assert not seen.below(bound, 0.5)
    for bound in (1.0, 1.1):
        assert not seen.above(bound, 0.5)


def test_one_success_rules_out_0_and_one_failure_rules_out_1() -> None:
    assert RateSeen(1, 10**6).above(0.0, 1e-9)
    assert RateSeen(1, 2).below(1.0, 1e-9)
    assert not RateSeen(0, 10**6).above(0.0, 0.5)
    assert not RateSeen(2, 2).below(1.0, 0.5)


def test_a_rate_is_within_bounds_that_lie_outside_of_0_and_1() -> None:
    assert RateSeen(1, 9).above(-0.1, 1e-9)
    assert RateSeen(8, 9).below(1.1, 1e-9)


@pytest.mark.parametrize(("successes", "n"), [(0, 5), (5, 5)])
def test_no_success_and_no_failure_is_within_outside_bounds_too(successes: int, n: int) -> None:
    assert RateSeen(successes, n).above(-0.1, 0.05)
    assert RateSeen(successes, n).below(1.1, 0.05)


@given(COUNTS, st.sampled_from(ERRORS))
def test_the_values_that_a_rate_does_not_rule_out_are_the_exact_interval(
    counts: tuple[int, int], e: float
) -> None:
    found = holding_interval(RateSeen(*counts), counts[0] / counts[1], e)
    assert found == pytest.approx(clopper_pearson(*counts, e), abs=1e-9)


# means, shares and ratios


def test_the_bound_of_a_mean_by_hand() -> None:
    """Maurer and Pontil 2009, theorem 4, of the variance 2, n = 50, values from 0 to 3."""
    expected = sqrt(2 * 2.0 * log(2 / 0.01) / 50) + 7 * 3 * log(2 / 0.01) / (3 * 49)
    assert bernstein(2.0, 50, 3.0, 0.01) == pytest.approx(expected, rel=1e-12)


def test_a_mean_is_beyond_a_bound_where_it_is_farther_off_than_its_half_width() -> None:
    x = [3, 0, 0, 5, 4, 0, 1, 2] * 20
    half = bernstein(float(np.var(x, ddof=1)), len(x), 5.0, 0.02)
    seen = mean_of(x, 5.0)
    average = float(np.mean(x))
    assert seen.above(average - half - 1e-9, 0.02)
    assert not seen.above(average - half + 1e-9, 0.02)
    assert seen.below(average + half + 1e-9, 0.02)
    assert not seen.below(average + half - 1e-9, 0.02)


def test_a_share_is_a_mean_in_units_of_its_scale() -> None:
    x = np.array([60, 30, 0, 0, 20, 0, 60] * 30)
    half = bernstein(float(np.var(x / 60, ddof=1)), len(x), 1.0, 0.025)
    low, high = holding_interval(mean_of(x, 60, 60), float(x.mean()) / 60, 0.05)
    assert (low, high) == pytest.approx((x.mean() / 60 - half, x.mean() / 60 + half), abs=1e-9)


def test_a_ratio_is_beyond_a_bound_where_the_mean_of_the_excess_is() -> None:
    rng = np.random.default_rng(11)
    y = rng.integers(1, 6, 400)
    x = rng.integers(0, 3, 400) + y
    seen = RatioSeen(sums_of(x, y), 6.0, 4.0)
    for bound in (1.0, 1.2, 1.33, 1.4, 1.6, 2.0):
        excess = x - bound * y
        half = bernstein(float(np.var(excess, ddof=1)), 400, 6.0 + bound * 4.0, 0.01)
        assert seen.above(bound, 0.01) == (excess.mean() > half)
        assert seen.below(bound, 0.01) == (-excess.mean() > half)
    assert seen.above(1.0, 0.01)
    assert seen.below(2.0, 0.01)


SEEN: dict[str, tuple[Quantity, float]] = {
    "a rate": (RateSeen(7, 400), 7 / 400),
    "no success": (RateSeen(0, 400), 0.0),
    "a count": (mean_of([0, 0, 1, 7] * 50, 7.0), 2.0),
    "a count below 0": (mean_of([-4, -4, -5, -1] * 50, 4.0), -3.5),
    "a large count": (mean_of([10**6, 3 * 10**6] * 50, 2e6), 2e6),
    "a share": (mean_of([0, 0, 0, 60] * 50, 60, 60), 0.25),
    "a share of nothing": (mean_of([0] * 200, 60, 60), 0.0),
    "a ratio": (RatioSeen(sums_of([1, 2, 3, 3] * 99, [2, 2, 4, 4] * 99), 2.0, 2.0), 0.75),
}


@pytest.mark.parametrize("e", ERRORS)
@pytest.mark.parametrize("name", SEEN)
def test_the_holding_interval_ends_where_values_begin_to_be_ruled_out(name: str, e: float) -> None:
    seen, estimate = SEEN[name]
    low, high = holding_interval(seen, estimate, e)
    assert seen.low <= low <= estimate <= high <= seen.high
    assert low < high
    step = 1e-6 * max(1.0, abs(estimate))
    if low > seen.low:
        assert seen.above(low - step, e / 2)
        assert not seen.above(low + step, e / 2)
    if high < seen.high:
        assert seen.below(high + step, e / 2)
        assert not seen.below(high - step, e / 2)


@pytest.mark.parametrize("n", [0, 1])
def test_of_one_rollout_no_mean_is_known(n: int) -> None:
    assert holding_interval(mean_of([5] * n, 1.0), 5.0, 0.05) == (-inf, inf)
    assert holding_interval(mean_of([30] * n, 60, 60), 0.5, 0.05) == (0.0, 1.0)
    assert holding_interval(RatioSeen(sums_of([5] * n, [2] * n), 1, 1), 2.5, 0.05) == (-inf, inf)


def test_a_ratio_whose_denominator_may_be_0_has_no_upper_end() -> None:
    seen = RatioSeen(sums_of([1] * 20, [0] * 19 + [1]), 1.0, 1.0)
    assert holding_interval(seen, 20.0, 0.05)[1] == inf


def _rare_count(rng: np.random.Generator) -> Quantity:
    x = np.where(rng.random(600) < 0.01, rng.integers(1, 4, 600), 0)
    return mean_of(x, max(1.0, float(x.max() - x.min())))


def _rare_share(rng: np.random.Generator) -> Quantity:
    return mean_of(rng.choice([0, 30, 60], 300, p=[0.99, 0.005, 0.005]), 60, 60)


def _share(rng: np.random.Generator) -> Quantity:
    return mean_of(rng.choice([0, 30, 60], 300, p=[0.5, 0.25, 0.25]), 60, 60)


def _ratio(rng: np.random.Generator) -> Quantity:
    y = rng.integers(1, 7, 300)
    return RatioSeen(sums_of(rng.binomial(y, 0.3), y), 6.0, 5.0)


def _rate(rng: np.random.Generator) -> Quantity:
    return RateSeen(int(rng.binomial(300, 0.01)), 300)


@pytest.mark.parametrize(
    ("drawn", "truth"),
    [
        (_rare_count, 0.01 * 2),
        (_rare_share, 0.0075),
        (_share, 0.375),
        (_ratio, 0.3),
        (_rate, 0.01),
    ],
)
def test_the_truth_is_ruled_out_no_more_often_than_the_error_says(
    drawn: Draw, truth: float
) -> None:
    """Seed 3, 2000 samples, error 0.1 on each side; four standard errors."""
    rng = np.random.default_rng(3)
    n, error = 2000, 0.1
    seen = [drawn(rng) for _ in range(n)]
    most = error + fourfold(error, n)
    assert sum(one.above(truth, error) for one in seen) / n <= most
    assert sum(one.below(truth, error) for one in seen) / n <= most


# paired differences


def test_the_paired_interval_leaves_out_0_exactly_where_mcnemars_test_does() -> None:
    for apart in (1, 2, 7, 12, 40, 333):
        for only_a in range(apart + 1):
            low, high = paired_rate_interval(only_a, apart - only_a, 1000, 0.02)
            assert low <= (2 * only_a - apart) / 1000 <= high
            rejected = mcnemar(only_a, apart - only_a) <= SPLIT * 0.02
            assert (low > 0 or high < 0) == rejected
            assert (low > 0) == (rejected and 2 * only_a > apart)


def test_the_paired_interval_by_hand() -> None:
    """30 of 200 rollouts tell the two apart, 24 of these for the first."""
    rate = binomtest(30, 200).proportion_ci(1 - 0.1 * 0.05, method="exact")
    part = binomtest(24, 30).proportion_ci(1 - 0.9 * 0.05, method="exact")
    expected = ((2 * part.low - 1) * rate.low, (2 * part.high - 1) * rate.high)
    assert paired_rate_interval(24, 6, 200, 0.05) == pytest.approx(expected, rel=1e-9)
    few = paired_rate_interval(4, 2, 200, 0.05)
    rate = binomtest(6, 200).proportion_ci(1 - 0.1 * 0.05, method="exact")
    part = binomtest(4, 6).proportion_ci(1 - 0.9 * 0.05, method="exact")
    assert few == pytest.approx([(2 * end - 1) * rate.high for end in part], rel=1e-9)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 10_000), st.sampled_from(ERRORS))
def test_the_paired_interval_turns_around_with_the_pair(
    a: int, b: int, rest: int, e: float
) -> None:
    low, high = paired_rate_interval(a, b, a + b + rest, e)
    assert -1 <= low < high <= 1
    assert paired_rate_interval(b, a, a + b + rest, e) == pytest.approx((-high, -low), abs=1e-9)


@pytest.mark.parametrize("n", [0, 1, 1000, 10**7])
def test_pairs_that_never_differ_leave_an_interval_around_0(n: int) -> None:
    low, high = paired_rate_interval(0, 0, n, 0.01)
    assert low == -high < 0 < high
    assert high == pytest.approx(1 - (0.1 * 0.01 / 2) ** (1 / n) if n else 1.0)


@pytest.mark.parametrize(
    ("only_a", "only_b"), [(0.0, 0.0), (0.002, 0.002), (0.004, 0.0), (0.0, 0.03), (0.25, 0.2)]
)
def test_the_paired_interval_covers_the_truth(only_a: float, only_b: float) -> None:
    """Seed 4, 2000 samples of n = 500 pairs, error 0.1; four standard errors."""
    rng = np.random.default_rng(4)
    samples, error = 2000, 0.1
    table = rng.multinomial(500, [only_a, only_b, 1 - only_a - only_b], samples).tolist()
    missed = 0
    for a, b, _ in table:
        low, high = paired_rate_interval(a, b, 500, error)
        missed += not low <= only_a - only_b <= high
    assert missed / samples <= error + fourfold(error, samples)


def test_the_paired_interval_of_shares_by_hand() -> None:
    d = np.array([60, -60, 0, 0, 30, 0, 0, 20] * 500)
    half = bernstein(float(np.var(d / 60, ddof=1)), len(d), 2.0, 0.01 / 2)
    found = paired_share_interval(int(d.sum()), int(d @ d), len(d), 60, 0.01)
    assert found == pytest.approx((d.mean() / 60 - half, d.mean() / 60 + half), rel=1e-9)


def test_the_paired_interval_of_few_shares_is_everything_that_they_can_be() -> None:
    assert paired_share_interval(0, 0, 0, 60, 0.05) == (-1.0, 1.0)
    assert paired_share_interval(60, 3600, 1, 60, 0.05) == (-1.0, 1.0)
    assert paired_share_interval(120, 7200, 2, 60, 0.05) == (-1.0, 1.0)


@pytest.mark.parametrize("up", [0.0, 0.001, 0.02, 0.3])
def test_the_paired_interval_of_shares_covers_the_truth(up: float) -> None:
    """Seed 5, 2000 samples of n = 500 pairs, error 0.1; four standard errors."""
    rng = np.random.default_rng(5)
    samples, error = 2000, 0.1
    table = rng.multinomial(500, [up, up / 2, 1 - 1.5 * up], samples).tolist()
    missed = 0
    for ups, downs, _ in table:
        total, squares = 60 * ups - 30 * downs, 3600 * ups + 900 * downs
        low, high = paired_share_interval(total, squares, 500, 60, error)
        missed += not low <= 0.75 * up <= high
    assert missed / samples <= error + fourfold(error, samples)


# looks


@pytest.mark.parametrize("budget", [1, 999, 1000, 1001, 20_000, 10**6, 10**7])
@pytest.mark.parametrize("questions", [1, 3, 45])
def test_the_error_is_spent_once_over_all_looks_and_questions(budget: int, questions: int) -> None:
    spending = Spending(0.05, budget, questions)
    assert spending.each * len(spending.looks) * questions == pytest.approx(0.05, rel=1e-12)


def test_without_a_question_nothing_is_divided_by_0() -> None:
    assert Spending(0.05, 1000, 0).each == Spending(0.05, 1000, 1).each == 0.05


@pytest.mark.parametrize("budget", [1, 1000, 1001, 20_000, 10**6])
def test_looks_are_fixed_geometric_and_end_at_the_budget(budget: int) -> None:
    looks = Spending(0.05, budget, 1).looks
    assert looks == Spending(0.5, budget, 9).looks
    assert looks[-1] == budget
    assert looks == sorted(set(looks))
    geometric = [round(1000 * 1.5**k) for k in range(len(looks) - 1)]
    assert looks[:-1] == geometric
    assert all(count < budget for count in geometric)
    assert 1000 * 1.5 ** (len(looks) - 1) >= budget


def test_the_budget_is_what_the_run_names() -> None:
    assert budget_of(RunSettings()) == BUDGET == 1_000_000
    assert budget_of(RunSettings(max_rollouts=777)) == 777
    assert budget_of(RunSettings(precision=0.01)) == 1_000_000


# what a tally has seen


def coin_tally(game: Any, **rules: Any) -> tuple[Tally, np.ndarray[Any, Any]]:
    """700 rollouts of seed 2."""
    rows = np.zeros((700, len(game.columns)), np.int32)
    game.pack(CoinRules(**rules), ()).play(2, 0, rows)
    return Tally.of(rows, Counted.of(game.columns, game.headline)), rows.astype(np.int64)


def test_a_rate_and_a_count_are_read_from_a_tally() -> None:
    tally, rows = coin_tally(COIN, chance=0.3, trials=4, bonus=-2)
    assert quantity(COIN, tally, "win_rate") == RateSeen(int(rows[:, 0].sum()), 700)
    heads = rows[:, 1]
    assert (heads.min(), heads.max()) == (-2, 2)
    assert quantity(COIN, tally, "heads") == mean_of(heads, 4.0)


def test_a_count_that_never_moves_is_given_a_span_of_1() -> None:
    tally, _ = coin_tally(COIN, chance=0.0, bonus=3)
    assert quantity(COIN, tally, "heads") == MeanSeen(2100, 6300, 700, 1.0)


def test_a_share_is_read_with_the_span_of_its_scale() -> None:
    tally, rows = coin_tally(SHARE_COIN, chance=0.001)
    assert quantity(SHARE_COIN, tally, "win_share.1") == mean_of(rows[:, 0], SCALE, SCALE)


def test_levels_and_ratios_are_read_from_a_tally() -> None:
    game = load_game("vault")
    names = [column.name for column in game.columns]
    rng = np.random.default_rng(6)
    rows = np.zeros((500, len(names)), np.int32)
    ended = next(column for column in game.columns if column.kind == "level")
    at = names.index(ended.name)
    rows[:, at] = rng.integers(0, len(ended.levels) - 1, 500)  # the last one never occurs
    dice, attempts = names.index("dice"), names.index("attempts")
    rows[:, attempts] = rng.integers(1, 5, 500)
    rows[:, dice] = rng.integers(3, 9, 500)
    tally = Tally.of(rows, Counted.of(game.columns, game.headline, game.ratios))
    for value, level in enumerate(ended.levels):
        n = int((rows[:, at] == value).sum())
        assert quantity(game, tally, f"{ended.name}.{level}") == RateSeen(n, 500)
    sums = sums_of(rows[:, dice], rows[:, attempts])
    assert quantity(game, tally, "dice_per_attempt") == RatioSeen(sums, 5.0, 3.0)
