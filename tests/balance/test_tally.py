"""Tallies are exact and add up in any order and batching."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.games import Column
from balance.games.base import Ratio
from balance.tally import Counted, PairTally, Tallies, Tally

COLUMNS = (
    Column("won", "Won", "rate", "a headline"),
    Column("rounds", "Rounds", "count", "a number"),
    Column("cause", "Cause", "level", "one of three", ("none", "this", "that")),
)
KIND = Counted.of(COLUMNS, "won")
VARIANTS = 3
Rows = npt.NDArray[np.int32]


def outcomes(n: int, seed: int) -> list[Rows]:
    rng = np.random.default_rng(seed)
    highs = (2, 40, 3)
    return [
        np.column_stack([rng.integers(0, high, n) for high in highs]).astype(np.int32)
        for _ in range(VARIANTS)
    ]


def tallied(rows: Sequence[Rows]) -> Tallies:
    return Tallies.of(list(rows), KIND)


def same(a: Tallies, b: Tallies) -> bool:
    def counts(tallies: Tallies) -> list[list[int]]:
        return [
            np.trim_zeros(tally.counts(column), "b").tolist()
            for tally in tallies.variants
            for column in range(len(COLUMNS))
        ]

    def by_headline(tallies: Tallies) -> list[list[list[int]]]:
        return [
            [np.trim_zeros(row, "b").tolist() for row in tally.values[column]]
            for tally in tallies.variants
            for column in range(len(COLUMNS))
        ]

    return (
        [t.rollouts for t in a.variants] == [t.rollouts for t in b.variants]
        and counts(a) == counts(b)
        and by_headline(a) == by_headline(b)
        and np.array_equal(a.joint, b.joint)
        and all(np.array_equal(p.sums, q.sums) for p, q in zip(a.pairs, b.pairs, strict=True))
        and all(np.array_equal(p.squares, q.squares) for p, q in zip(a.pairs, b.pairs, strict=True))
    )


@settings(max_examples=50, deadline=None)
@given(
    n=st.integers(0, 60),
    seed=st.integers(0, 99),
    cuts=st.lists(st.integers(0, 60), max_size=5),
    order=st.randoms(use_true_random=False),
)
def test_batches_add_up_to_the_same_in_any_order(n, seed, cuts, order) -> None:  # type: ignore[no-untyped-def]
    rows = outcomes(n, seed)
    edges = [0, *sorted(min(cut, n) for cut in cuts), n]
    parts = [tallied([variant[a:b] for variant in rows]) for a, b in pairwise(edges)]
    order.shuffle(parts)
    total = parts[0]
    for part in parts[1:]:
        total = total.merged(part)
    assert same(total, tallied(rows))


def test_merging_changes_neither_of_the_two() -> None:
    a, b = tallied(outcomes(20, 1)), tallied(outcomes(30, 2))
    a.merged(b)
    assert same(a, tallied(outcomes(20, 1)))
    assert same(b, tallied(outcomes(30, 2)))


def test_columns_of_different_widths_are_merged() -> None:
    narrow = np.array([[0, 1, 0]], np.int32)
    wide = np.array([[1, 9, 2]], np.int32)
    for a, b in ((narrow, wide), (wide, narrow)):
        total = Tally.of(a, KIND).merged(Tally.of(b, KIND))
        assert total.counts(1).tolist() == [0, 1, 0, 0, 0, 0, 0, 0, 0, 1]
        assert total.rollouts == 2


def test_counts_and_moments_are_those_of_numpy() -> None:
    rows = outcomes(500, 3)[0]
    tally = Tally.of(rows, KIND)
    for column in range(len(COLUMNS)):
        values = rows[:, column].astype(np.int64)
        assert tally.counts(column).tolist() == np.bincount(values).tolist()
        assert tally.moments(column) == (values.sum(), (values**2).sum())


def test_counts_are_kept_apart_by_headline() -> None:
    rows = outcomes(500, 4)[0]
    tally = Tally.of(rows, KIND)
    for won in (0, 1):
        values = rows[rows[:, 0] == won, 1]
        counts = tally.values[1][won]
        assert counts.tolist() == np.bincount(values, minlength=counts.size).tolist()


def test_moments_are_exact_beyond_64_bits() -> None:
    tally = Tally(2**62, [np.array([[0, 2**61, 2**61], [0, 0, 0]], np.int64)], [0])
    assert tally.moments(0) == (3 * 2**61, 5 * 2**61)


def test_joint_counts_are_those_of_numpy() -> None:
    rows = outcomes(500, 5)
    wins = np.array([variant[:, 0] for variant in rows], np.int64)
    assert np.array_equal(tallied(rows).joint, wins @ wins.T)


def test_differences_are_those_of_numpy() -> None:
    rows = outcomes(500, 6)
    tallies = tallied(rows)
    for place in range(VARIANTS):
        difference = rows[place].astype(np.int64) - rows[0]
        assert tallies.pairs[place].sums.tolist() == difference.sum(axis=0).tolist()
        assert tallies.pairs[place].squares.tolist() == (difference**2).sum(axis=0).tolist()


def test_differences_do_not_overflow_32_bits() -> None:
    high = np.full((2, 1), 2**31 - 1, np.int32)
    pair = PairTally.of(high, np.zeros((2, 1), np.int32))
    assert pair.sums.tolist() == [2 * (2**31 - 1)]
    pair = PairTally.of(np.full((2, 1), 100_000, np.int32), np.zeros((2, 1), np.int32))
    assert pair.squares.tolist() == [2 * 100_000**2]


def test_no_rollouts_add_nothing() -> None:
    nothing, some = tallied(outcomes(0, 1)), tallied(outcomes(25, 2))
    assert nothing.rollouts == 0
    assert same(nothing.merged(some), some)
    assert same(some.merged(nothing), some)


def test_the_headline_must_be_a_column() -> None:
    with pytest.raises(ValueError, match="lost"):
        Tallies.of(outcomes(1, 1), Counted.of(COLUMNS, "lost"))


LOW = (
    Column("won", "Won", "rate", "a headline"),
    Column("gain", "Gain", "count", "coins, also lost ones"),
    Column("tries", "Tries", "count", "a number"),
)
GAINS = np.array([[0, -5, 2], [1, 3, 0], [1, -2, 4]], np.int32)


def test_a_column_may_have_values_below_zero() -> None:
    kind = Counted.of(LOW, "won")
    tally = Tally.of(GAINS, kind)
    assert tally.counts(1).tolist() == [1, 0, 0, 1, 0, 0, 0, 0, 1]
    assert tally.moments(1) == (-4, 25 + 9 + 4)
    parts = [Tally.of(GAINS[:1], kind), Tally.of(GAINS[1:], kind), Tally.of(GAINS[:0], kind)]
    assert parts[0].merged(parts[1]).merged(parts[2]).moments(1) == tally.moments(1)


def test_products_of_the_columns_of_a_ratio_add_up() -> None:
    kind = Counted.of(LOW, "won", [Ratio("r", "R", "gain", "tries", "gain a try")])
    assert Tally.of(GAINS, kind).products == [-10 + 0 - 8]
    parts = [Tally.of(GAINS[:2], kind), Tally.of(GAINS[2:], kind)]
    assert parts[0].merged(parts[1]).products == [-18]


def test_headlines_that_are_shares_are_multiplied() -> None:
    share = (Column("win_share.1", "Share", "share", "a part", scale=60),)
    rows = [np.array([[60], [30], [0]], np.int32), np.array([[20], [0], [60]], np.int32)]
    joint = Tallies.of(rows, Counted.of(share, "win_share.1")).joint
    assert joint.tolist() == [[4500, 1200], [1200, 4000]]
