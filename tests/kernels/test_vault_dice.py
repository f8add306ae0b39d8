"""The dice alone: exact chances, pinned values, the notation, and rolls against what is exact."""

from fractions import Fraction
from itertools import product
from math import sqrt
from random import Random
from typing import Any

import icepool
import numpy as np
import pytest
from pydantic import ValidationError

from balance.games.vault import VaultRules, chance_table, pack_rules
from balance.games.vault_dice import (
    COLUMNS,
    DICE_STAGE,
    MOST_DICE,
    MOST_SIDES,
    MOST_THRESHOLDS,
    DiceRules,
    chances,
    parse_dice,
    ways,
)
from kernels.dice import roll
from kernels.vault import layout
from tests.vault_random import key_of

THRESHOLDS = [10, 15, 20, 25, 30, 35]
PINNED = {  # ways out of 6^n to reach each threshold
    1: [0, 0, 0, 0, 0, 0],
    2: [6, 0, 0, 0, 0, 0],
    3: [135, 20, 0, 0, 0, 0],
    4: [1170, 575, 70, 0, 0, 0],
    5: [7650, 6054, 2373, 252, 1, 0],
    6: [46572, 43821, 29715, 9604, 918, 7],
}
SEED = 8
ROLLS = 20_000
STANDARD_ERRORS = 4
POOLS: dict[str, Any] = {
    **{f"two d{sides}": f"2d{sides}" for sides in range(4, 21)},
    "one d1": "d1",
    "one d6": "d6",
    "one d100": "d100",
    "six d6": "6d6",
    "twelve d6": "12d6",
    "mixed": "2d23+d12",
    "mixed more": "d4+d6+d8+d10+d12+d20",
    "faces": [[0, 0, 1, 2]],
    "faces and dice": ["d8", [0, 0, 1, 2], [5, 5, 5, 1000], "2d4"],
    "one face": [[7], [0]],
    "a hundred": "100d6",
    "forty d30": "40d30",
}


def rules_of(dice: Any, thresholds: list[int] | None = None) -> DiceRules:
    """Rules of this pool; where no thresholds are given, of some between its ends."""
    made = DiceRules(dice=dice)
    low, high = sum(map(min, made.pool)), sum(map(max, made.pool))
    between = {low + (high - low) * i // 8 for i in range(9)}
    return DiceRules(dice=dice, thresholds=thresholds or sorted({0, *between, high + 1}))


def rolled(rules: DiceRules, n: int, first: int = 0) -> Any:
    """The outcomes (int32, shape (n, columns)) of so many rolls."""
    outcomes = np.zeros((n, len(DICE_STAGE.columns)), np.int32)
    DICE_STAGE.pack(rules, []).play(SEED, first, outcomes)
    return outcomes


def pool_of(rules: DiceRules) -> Any:
    """The sum of a pool, as icepool has it."""
    dice = [icepool.Die(faces) for faces in rules.pool]
    total = icepool.Die([0])
    for kind in {*dice}:
        total += dice.count(kind) @ kind
    return total


def near(times: int, n: int, chance: Fraction) -> bool:
    p = float(chance)
    return abs(times - n * p) <= STANDARD_ERRORS * sqrt(n * p * (1 - p))


# Exact


@pytest.mark.rule("V12", "V15")
@pytest.mark.parametrize("n", PINNED)
def test_the_pinned_ways_of_up_to_six_dice(n: int) -> None:
    pool = rules_of(f"{n}d6").pool
    counts = ways(pool)
    assert sum(counts) == 6**n
    assert [sum(counts[threshold:]) for threshold in THRESHOLDS] == PINNED[n]
    assert chances(pool, THRESHOLDS) == [Fraction(w, 6**n) for w in PINNED[n]]
    totals = [sum(dice) for dice in product(range(1, 7), repeat=n)]
    assert [sum(t >= threshold for t in totals) for threshold in THRESHOLDS] == PINNED[n]
    table = chance_table(layout.MOST_DICE, layout.MOST_PIPS + 2)
    assert [table[n, threshold] for threshold in THRESHOLDS] == [w / 6**n for w in PINNED[n]]


@pytest.mark.rule("V12")
def test_twelve_dice_reach_35_with_the_pinned_chance() -> None:
    (chance,) = chances(rules_of("12d6").pool, [35])
    assert round(float(chance), 4) == 0.8964
    assert pack_rules(VaultRules()).reach[0, 12, 35] == float(chance)


@pytest.mark.rule("V15")
def test_the_table_of_the_packed_rules_is_exact_for_every_number_of_dice_and_pips() -> None:
    reach = pack_rules(VaultRules()).reach[0]
    assert reach.shape == (layout.MOST_DICE + 1, layout.MOST_PIPS + 2)
    assert reach[0].tolist() == [1.0] + [0.0] * (layout.MOST_PIPS + 1)
    for n in range(1, layout.MOST_DICE + 1):
        total = n @ icepool.d6
        assert reach[n, n:].tolist() == [
            float(total.probability(">=", pips)) for pips in range(n, layout.MOST_PIPS + 2)
        ]
        assert reach[n, : n + 1].tolist() == [1.0] * (n + 1)
        assert reach[n, 6 * n] > 0.0
        assert not reach[n, 6 * n + 1 :].any()


@pytest.mark.parametrize("sides", [1, 2, 4, 20])
def test_the_table_of_other_dice_is_exact(sides: int) -> None:
    table = chance_table(5, 5 * sides + 2, sides)
    for n in range(1, 6):
        total = n @ icepool.d(sides)
        expected = [float(total.probability(">=", pips)) for pips in range(5 * sides + 2)]
        assert table[n].tolist() == expected


@pytest.mark.rule("V15")
@pytest.mark.parametrize("name", POOLS)
def test_the_chances_of_a_pool_are_exact(name: str) -> None:
    rules = rules_of(POOLS[name])
    total = pool_of(rules)
    exact = [total.probability(">=", threshold) for threshold in rules.thresholds]
    assert chances(rules.pool, rules.thresholds) == exact
    assert exact[0] == 1
    assert exact[-1] == 0
    counts = ways(rules.pool)
    assert len(counts) == sum(map(max, rules.pool)) + 1
    assert sum(counts) == np.prod([len(faces) for faces in rules.pool], dtype=object)
    stage = DICE_STAGE.exact(rules)
    assert stage["win_rate"] == stage["reach.1"] == float(exact[0])
    assert [stage[f"reach.{i}"] for i in range(1, len(exact) + 1)] == [float(p) for p in exact]
    assert stage["total"] == float(total.mean())
    assert len(stage) == len(exact) + 2


def test_a_hundred_dice_are_exact() -> None:
    counts = ways(rules_of("100d6").pool)
    assert sum(counts) == 6**100
    assert counts[100:] == counts[:99:-1]  # 100 to 600, as likely from above as from below
    assert counts[100] == counts[600] == 1
    assert counts[101] == 100
    assert counts[102] == 100 + 100 * 99 // 2
    assert not any(counts[:100])
    (chance,) = chances(rules_of("100d6").pool, [351])
    assert chance == (1 - Fraction(counts[350], 6**100)) / 2


@pytest.mark.parametrize("dice", ["6d6", "3d20", "2d23+d12", [[0, 0, 1, 2], "d4"], "100d6"])
def test_the_curve_gives_the_chances_of_more_and_more_dice(dice: Any) -> None:
    rules = rules_of(dice)
    what, counts, rows = DICE_STAGE.curves(rules)
    pool = rules.pool
    equal = len({*pool}) == 1
    assert what == ("dice" if equal else "times the pool")
    assert counts == [*range(1, len(counts) + 1)]
    unit = pool[:1] if equal else pool
    assert len(unit) * len(counts) <= MOST_DICE
    assert not equal or len(pool) in counts
    assert len(rows) == len(counts)
    for n in (1, 2, len(counts)):
        assert rows[n - 1] == [float(p) for p in chances(unit * n, rules.thresholds)]


# The notation


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("d6", [6]),
        ("1d6", [6]),
        ("3d6", [6, 6, 6]),
        ("3D6", [6, 6, 6]),
        ("2d23+d12", [23, 23, 12]),
        (" 2 d 4 + d8 ", [4, 4, 8]),
        ("d1", [1]),
        ("02d06", [6, 6]),
        ("d100", [100]),
        ("100d2", [2] * 100),
        ("d4+d4+2d4", [4] * 4),
    ],
)
def test_the_notation_of_dice(text: str, sides: list[int]) -> None:
    assert parse_dice(text) == [tuple(range(1, n + 1)) for n in sides]
    assert list(DiceRules(dice=text).pool) == parse_dice(text)


BAD = [
    *("", " ", "6", "d", "6d", "d0", "0d6", "d101", "101d6", "-1d6", "d-6", "1.5d6", "d6.0"),
    *("3d6+", "+d6", "d6++d6", "3d6-d4", "3d6 d4", "2d6+3", "3x6", "d6,d6", "d%", "ddd", "d6\n6"),
]


@pytest.mark.parametrize("text", [*BAD, "9" * 30 + "d6", "d" + "9" * 30])
def test_bad_notation_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"write dice like|1 to 100"):
        parse_dice(text)
    with pytest.raises(ValidationError):
        DiceRules(dice=text)
    with pytest.raises(ValidationError):
        DiceRules(dice=["d6", text])


@pytest.mark.parametrize(
    "dice",
    [
        *([], [[]], ["d6", []], [[1, -1]], [[1001]], [[1.5]], [[True]], [["d6"]], [[None]]),
        *([None], [6], [{"d": 6}], 6, 6.0, None, True, {"d6": 2}, [[0] * (MOST_SIDES + 1)]),
        *(["100d6", "d6"], "100d6+d6", ["d6"] * (MOST_DICE + 1)),
    ],
)
def test_what_is_no_pool_is_refused(dice: Any) -> None:
    with pytest.raises(ValidationError):
        DiceRules(dice=dice)


def test_the_limits_of_dice_sides_and_thresholds() -> None:
    assert (MOST_DICE, MOST_SIDES, MOST_THRESHOLDS) == (100, 100, 20)
    assert len(DiceRules(dice=f"{MOST_DICE}d{MOST_SIDES}").pool) == MOST_DICE
    assert len(DiceRules(dice=["50d6", "50d4"]).pool) == MOST_DICE
    assert DiceRules(dice=[[1000] * MOST_SIDES]).pool == ((1000,) * MOST_SIDES,)
    most = list(range(MOST_THRESHOLDS))
    assert DiceRules(thresholds=most).thresholds == most
    for thresholds in ([], [*most, MOST_THRESHOLDS], [5, 5], [-1], [100_001], [1.5], ["ten"]):
        with pytest.raises(ValidationError):
            DiceRules(thresholds=thresholds)


def test_the_default_is_six_dice_and_the_thresholds_of_the_game() -> None:
    rules = DiceRules()
    assert rules.pool == (tuple(range(1, 7)),) * VaultRules().dice
    assert rules.thresholds == VaultRules().thresholds == THRESHOLDS


# Rolls


@pytest.mark.rule("V15")
@pytest.mark.parametrize("name", POOLS)
def test_rolls_reach_totals_as_often_as_is_exact(name: str) -> None:
    rules = rules_of(POOLS[name])
    outcomes = rolled(rules, ROLLS)
    totals = outcomes[:, 1]
    assert totals.min() >= sum(map(min, rules.pool))
    assert totals.max() <= sum(map(max, rules.pool))
    assert (outcomes[:, 0] == outcomes[:, 2]).all()
    exact = chances(rules.pool, rules.thresholds)
    for place, threshold in enumerate(rules.thresholds):
        reached = outcomes[:, 2 + place]
        assert (reached == (totals >= threshold)).all()
        assert near(int(reached.sum()), ROLLS, exact[place])
    assert not outcomes[:, 2 + len(rules.thresholds) :].any()


@pytest.mark.parametrize("name", ["two d6", "mixed", "faces and dice", "one d100"])
def test_every_total_comes_up_as_often_as_is_exact(name: str) -> None:
    rules = rules_of(POOLS[name])
    seen = np.bincount(rolled(rules, ROLLS)[:, 1], minlength=len(ways(rules.pool)))
    counts = ways(rules.pool)
    everything = sum(counts)
    for total, count in enumerate(counts):
        assert near(int(seen[total]), ROLLS, Fraction(count, everything))


def test_a_roll_is_the_same_in_any_batch() -> None:
    rules = rules_of("3d8+d20")
    whole = rolled(rules, 60)
    parts = [rolled(rules, n, first) for first, n in ((0, 1), (1, 29), (30, 30))]
    assert np.concatenate(parts).tolist() == whole.tolist()
    names = [column.name for column in COLUMNS][: 2 + len(rules.thresholds)]
    for rollout in (0, 41):
        told = DICE_STAGE.pack(rules, []).trace(SEED, rollout)
        expected = dict(zip(names, whole[rollout].tolist(), strict=False))
        assert told == [
            {"event": "roll", "total": expected["total"]},
            {"event": "end", "outcome": expected},
        ]
    absent = {f"reach.{i}" for i in range(len(rules.thresholds) + 1, MOST_THRESHOLDS + 1)}
    assert {*DICE_STAGE.absent(rules)} == absent


@pytest.mark.rule("V12")
def test_the_dice_of_a_break_are_fair_and_independent() -> None:
    """Faces of every die, and pairs of the first two, from the rolls that the game makes."""
    dice = np.zeros(layout.DICE_ROOM, np.int64)
    rng = Random(3)
    n = 12
    faces = np.zeros((n, 7), np.int64)
    pairs = np.zeros((7, 7), np.int64)
    for _ in range(ROLLS // 4):
        start = key_of(SEED, rng.randrange(2**40))
        assert roll(start, n, 6, dice) == dice[:n].sum()
        faces[np.arange(n), dice[:n]] += 1
        pairs[dice[0], dice[1]] += 1
    assert not faces[:, 0].any()
    assert not dice[n:].any()
    assert all(near(int(seen), ROLLS // 4, Fraction(1, 6)) for seen in faces[:, 1:].flat)
    assert all(near(int(seen), ROLLS // 4, Fraction(1, 36)) for seen in pairs[1:, 1:].flat)
