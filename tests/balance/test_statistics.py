"""Intervals and tests against known values and against scipy."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from balance.statistics import (
    Z95,
    holm,
    mcnemar,
    mean,
    paired_factor,
    rate,
    rollouts_for,
    tie_letters,
    variance,
)


@pytest.mark.parametrize(
    ("wins", "n"), [(0, 1), (1, 1), (0, 50), (50, 50), (1, 7), (30, 100), (499, 1000), (3, 10**6)]
)
def test_a_rate_has_wilsons_interval(wins: int, n: int) -> None:
    ours = rate(wins, n)
    theirs = binomtest(wins, n).proportion_ci(method="wilson")
    assert ours.value == wins / n
    assert ours.n == n
    assert ours.low == pytest.approx(theirs.low, abs=1e-12)
    assert ours.high == pytest.approx(theirs.high, abs=1e-12)


def test_no_win_at_all_still_has_an_upper_end() -> None:
    found = rate(0, 200)
    assert (found.value, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(Z95**2 / (200 + Z95**2), rel=1e-12)


def test_nothing_but_wins_ends_at_one() -> None:
    found = rate(200, 200)
    assert found.high == 1.0
    assert found.low == pytest.approx(200 / (200 + Z95**2), rel=1e-12)


def test_of_no_rollouts_nothing_is_known() -> None:
    for found in (rate(0, 0), mean(0, 0, 0)):
        assert (found.value, found.low, found.high, found.n) == (None, None, None, 0)
        assert found.half_width is None


@given(st.integers(1, 10**12), st.data())
def test_an_interval_holds_its_rate_and_stays_between_0_and_1(n: int, data: st.DataObject) -> None:
    found = rate(data.draw(st.integers(0, n)), n)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high


def test_a_mean_has_the_normal_interval() -> None:
    values = np.array([1, 2, 2, 5, 10])
    found = mean(int(values.sum()), int((values**2).sum()), 5)
    half = Z95 * values.std(ddof=1) / math.sqrt(5)
    assert found.value == 4.0
    assert found.low == pytest.approx(4 - half)
    assert found.high == pytest.approx(4 + half)
    assert found.half_width == pytest.approx(half)


def test_the_mean_of_one_rollout_has_no_interval() -> None:
    found = mean(7, 49, 1)
    assert (found.value, found.low, found.high, found.n) == (7.0, None, None, 1)


def test_a_constant_has_an_interval_of_no_width() -> None:
    found = mean(30, 90, 10)
    assert (found.low, found.high) == (3.0, 3.0)


def test_a_variance_loses_nothing_to_large_numbers() -> None:
    base, n = 10**12, 1000
    values = [base + i % 2 for i in range(n)]
    exact = variance(sum(values), sum(v * v for v in values), n)
    assert exact == pytest.approx(0.25 * n / (n - 1), rel=1e-12)


@pytest.mark.parametrize(
    ("a", "b"), [(0, 1), (1, 0), (5, 5), (0, 10), (3, 17), (200, 260), (50_000, 51_000)]
)
def test_mcnemar_is_the_exact_binomial_test(a: int, b: int) -> None:
    assert mcnemar(a, b) == pytest.approx(binomtest(a, a + b, 0.5).pvalue, rel=1e-9)
    assert mcnemar(a, b) == mcnemar(b, a)


def test_without_a_discordant_rollout_nothing_is_established() -> None:
    assert mcnemar(0, 0) == 1.0


def test_holm_agrees_with_an_example_done_by_hand() -> None:
    # sorted 0.005 0.01 0.03 0.04, times 4 3 2 1: 0.02 0.03 0.06 0.04, which may not fall: 0.06
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_never_goes_over_one() -> None:
    assert holm([0.9, 0.5, 0.6]) == [1.0, 1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_raises_every_p_value_and_keeps_their_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    assert [adjusted[i] for i in order] == sorted(adjusted)


@given(
    st.integers(1, 7).flatmap(
        lambda n: st.tuples(
            st.just(n), st.sets(st.sampled_from(list(combinations(range(n), 2)) or [(0, 0)]))
        )
    )
)
def test_two_share_a_letter_exactly_if_they_are_tied(
    case: tuple[int, set[tuple[int, int]]],
) -> None:
    n, pairs = case
    different = {(i, j) for i, j in pairs if i < j}
    letters = tie_letters(n, different)
    assert all(letters)
    for i, j in combinations(range(n), 2):
        assert bool(set(letters[i]) & set(letters[j])) == ((i, j) not in different)


def test_ties_need_not_be_transitive() -> None:
    assert tie_letters(3, {(0, 2)}) == ["a", "ab", "b"]


def test_all_tied_share_one_letter_and_all_different_have_their_own() -> None:
    assert tie_letters(3, set()) == ["a", "a", "a"]
    assert tie_letters(3, {(0, 1), (0, 2), (1, 2)}) == ["a", "b", "c"]


def test_more_groups_than_letters_still_have_signs_of_their_own() -> None:
    letters = tie_letters(80, set(combinations(range(80), 2)))
    assert len(set(letters)) == 80
    assert all(len(letter) == 1 for letter in letters)


@given(st.floats(0.0005, 0.3), st.floats(0, 1))
def test_rollouts_for_is_the_least_that_is_enough(half_width: float, p: float) -> None:
    n = rollouts_for(half_width, p)

    def half(n: int) -> float:
        shrink = 1 + Z95**2 / n
        centre = (p + Z95**2 / (2 * n)) / shrink
        half = Z95 / shrink * math.sqrt(p * (1 - p) / n + Z95**2 / (4 * n * n))
        return (min(1.0, centre + half) - max(0.0, centre - half)) / 2

    assert half(n) <= half_width
    assert n == 2 or half(n - 1) > half_width


def test_rollouts_for_a_tenth_of_a_point() -> None:
    assert rollouts_for(0.001, 0.5) == pytest.approx(960_400, rel=0.001)
    assert rollouts_for(0.001, 0.0) == 1917


@pytest.mark.parametrize(("p", "n"), [(0.5, 100), (0.1, 200), (0.02, 400), (0.9, 150)])
def test_wilsons_interval_covers_the_rate(p: float, n: int) -> None:
    # 4,000 experiments; the cover of a score interval swings by 2 points around 95 %
    wins = np.random.default_rng(11).binomial(n, p, 4000).tolist()
    hits = 0
    for won in wins:
        found = rate(won, n)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= p <= found.high
    assert abs(hits / 4000 - 0.95) < 0.02 + 4 * math.sqrt(0.95 * 0.05 / 4000)


def test_a_means_interval_covers_the_mean() -> None:
    # 4,000 experiments of 400 geometric games; four standard errors, and half a point for the skew
    games = np.random.default_rng(12).geometric(0.2, (4000, 400))
    hits = 0
    for row in games:
        found = mean(int(row.sum()), int((row**2).sum()), 400)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 5.0 <= found.high
    assert abs(hits / 4000 - 0.95) < 0.005 + 4 * math.sqrt(0.95 * 0.05 / 4000)


def test_mcnemar_is_wrong_at_most_as_often_as_it_says() -> None:
    # 4,000 pairs of equal variants; an exact test rejects in at most 5 % of them
    rng = np.random.default_rng(13)
    wrong = sum(mcnemar(int(a), 60 - int(a)) < 0.05 for a in rng.binomial(60, 0.5, 4000))
    assert wrong / 4000 < 0.05 + 4 * math.sqrt(0.05 * 0.95 / 4000)


def test_pairing_pays_where_variants_move_together() -> None:
    rng = np.random.default_rng(14)
    a = rng.integers(0, 10, 1000)
    b = a + rng.integers(0, 2, 1000)
    sums = [(int(x.sum()), int((x**2).sum())) for x in (a, b, a - b)]
    expected = (a.var(ddof=1) + b.var(ddof=1)) / (a - b).var(ddof=1)
    assert paired_factor(*sums, 1000) == pytest.approx(expected)


def test_what_pairing_pays_is_not_known_without_a_difference() -> None:
    assert paired_factor((3, 9), (3, 9), (0, 0), 10) is None
    assert paired_factor((3, 9), (3, 9), (0, 0), 1) is None
