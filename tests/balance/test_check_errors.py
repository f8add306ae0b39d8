"""`balance check`: how often a verdict is wrong, and what is seen of each kind of metric.

The error rates are those of many seeds at a value where a verdict would be wrong; a threshold is
the promised rate and four standard errors of so many seeds.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from balance.games.base import Column, Ratio
from balance.scenario import Scenario
from balance.sequential import (
    MeanSeen,
    Quantity,
    RateSeen,
    RatioSeen,
    Spending,
    holding_interval,
    quantity,
)
from balance.statistics import Sums
from balance.studies import check as module
from balance.studies.check import judge
from balance.tally import Counted, Tally
from tests.balance.checking import NINE_LOOKS, checked, coin
from tests.balance.scenario_files import Files

pytestmark = pytest.mark.usefixtures("coin_game")

ERROR = 0.2  # so large that a few hundred seeds tell whether it holds


def at_most(error: float, n: int) -> float:
    """The largest rate among n seeds that four standard errors allow."""
    return error + 4 * math.sqrt(error * (1 - error) / n)


def seeded(scenario: Scenario, seed: int) -> Scenario:
    return replace(scenario, run=scenario.run.model_copy(update={"seed": seed}))


@pytest.fixture
def no_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the holding intervals: they take most of the time and no part in a verdict."""
    monkeypatch.setattr(module, "holding_interval", lambda *words: (0.0, 1.0))


RATE = {"game": "coin", "rules": "{chance: 0.5}"}
SHARE = {"game": "share_coin", "rules": "{chance: 0.6}"}  # a mean share of 0.45
COUNT = {"game": "coin", "rules": "{trials: 4, chance: 0.5}"}  # 2 heads


@pytest.mark.usefixtures("no_intervals")
@pytest.mark.parametrize(
    ("scenario", "target", "wrong"),
    [
        (RATE, "{win_rate: [0.5, 0.5]}", "fail"),
        (RATE, "{win_rate: [0.5005, 0.9]}", "pass"),
        (SHARE, "{win_share.1: [0.45, 0.45]}", "fail"),
        (COUNT, "{heads: [2, 2]}", "fail"),
    ],
)
def test_a_verdict_of_one_target_is_wrong_in_no_more_seeds_than_it_says(
    files: Files, scenario: dict[str, str], target: str, wrong: str
) -> None:
    """100 seeds, nine looks, error 0.2: at most 0.36."""
    one = coin(files, target, **scenario)
    found = [checked(seeded(one, seed), error=ERROR).verdict for seed in range(100)]
    assert found.count(wrong) / len(found) <= at_most(ERROR, len(found))
    assert found.count("undecided") > 50


@pytest.mark.usefixtures("no_intervals")
def test_any_verdict_of_many_targets_is_wrong_in_no_more_seeds_than_it_says(files: Files) -> None:
    """60 seeds, 12 targets of 6 independent variants, error 0.2: at most 0.407."""
    names = [f"v{key}" for key in range(6)]
    rules = "rules: {chance: 0.5, trials: 4, independent: true"
    one = files.load(
        "game: coin\nvariants:\n"
        + "".join(f"  {name}: {{{rules}, key: {key}}}}}\n" for key, name in enumerate(names))
        + "targets:\n"
        + "".join(f"  {name}: {{win_rate: [0.5, 0.5], heads: [2, 2]}}\n" for name in names)
    )
    found = [checked(seeded(one, seed), 5_000, ERROR) for seed in range(60)]
    assert len(found[0].outcomes) == 12
    wrong = [result.verdict == "fail" for result in found]
    assert sum(wrong) / len(wrong) <= at_most(ERROR, len(wrong))


Draws = Callable[[np.random.Generator, int], Any]


def verdicts(
    seen: Callable[[Any, int], Quantity], draws: Draws, low: float, high: float, n: int
) -> list[str]:
    """The verdicts of n sequences of looks at what was drawn, from seed 1 on."""
    spending = Spending(ERROR, NINE_LOOKS, 1)
    rng, found = np.random.default_rng(1), []
    for _ in range(n):
        sums, verdict, done = 0, "undecided", 0
        for count in spending.looks:
            sums, done = sums + draws(rng, count - done), count
            verdict = judge(seen(sums, count), low, high, spending.each)
            if verdict != "undecided":
                break
        found.append(verdict)
    return found


def rate_seen(sums: Any, n: int) -> Quantity:
    return RateSeen(int(sums), n)


def halves_seen(sums: Any, n: int) -> Quantity:
    """The mean of numbers 0, 30 and 60, of which 60 are one."""
    halves, ones = map(int, sums)
    return MeanSeen(30 * halves + 60 * ones, 900 * halves + 3_600 * ones, n, 60, 60, 0.0, 1.0)


def successes(chance: float) -> Draws:
    return lambda rng, n: rng.binomial(n, chance)


def halves_and_ones(half: float, one: float) -> Draws:
    return lambda rng, n: rng.multinomial(n, [half, one, 1 - half - one])[:2]


@pytest.mark.parametrize(
    ("seen", "draws", "target", "wrong"),
    [
        (rate_seen, successes(0.5), (0.5, 0.5), "fail"),
        (rate_seen, successes(0.5), (0.5, 0.9), "fail"),
        (rate_seen, successes(0.5), (0.1, 0.5), "fail"),
        (rate_seen, successes(0.5), (0.5, math.inf), "fail"),
        (rate_seen, successes(0.5), (0.5001, math.inf), "pass"),
        (rate_seen, successes(0.5), (-math.inf, 0.4999), "pass"),
        (rate_seen, successes(0.001), (0.001, 0.001), "fail"),
        (rate_seen, successes(0.001), (0.0011, 1.0), "pass"),
        (rate_seen, successes(0.999), (0.0, 0.9989), "pass"),
        (halves_seen, halves_and_ones(0.3, 0.3), (0.45, 0.45), "fail"),
        (halves_seen, halves_and_ones(0.3, 0.3), (0.45001, 0.9), "pass"),
        (halves_seen, halves_and_ones(0.0, 0.001), (0.001, 1.0), "fail"),  # none at first
    ],
)
def test_over_all_looks_a_wrong_verdict_has_at_most_the_error(
    seen: Callable[[Any, int], Quantity], draws: Draws, target: tuple[float, float], wrong: str
) -> None:
    """2,000 sequences of nine looks, error 0.2: at most 0.236."""
    found = verdicts(seen, draws, *target, n=2_000)
    assert found.count(wrong) / len(found) <= at_most(ERROR, len(found))
    assert found.count("undecided") / len(found) > 0.5


def test_the_error_of_a_rate_is_spent_and_not_saved() -> None:
    """2,000 sequences: exact tails waste less than three quarters of the error."""
    found = verdicts(rate_seen, successes(0.5), 0.5, 0.5, n=2_000)
    assert found.count("fail") / len(found) > ERROR / 4


@pytest.mark.parametrize("target", ["[0.1, 0.9]", "[0.1, null]", "[null, 0.9]"])
def test_the_interval_holds_also_where_a_target_has_one_end(files: Files, target: str) -> None:
    """100 seeds, one look, error 0.2: at most 0.36 of the intervals miss."""
    one = coin(files, f"{{win_rate: {target}}}", "{chance: 0.5}")
    intervals = [checked(seeded(one, s), 1_000, ERROR).outcomes[0].holding for s in range(100)]
    missed = [not low <= 0.5 <= high for low, high in intervals]
    assert sum(missed) / len(missed) <= at_most(ERROR, len(missed))
    assert sum(missed) > 0


def test_the_error_is_divided_by_looks_and_questions() -> None:
    spending = Spending(0.1, 20_000, 3)
    assert spending.looks == [1_000, 1_500, 2_250, 3_375, 5_062, 7_594, 11_391, 17_086, 20_000]
    assert spending.each == pytest.approx(0.1 / 9 / 3)
    assert Spending(0.1, 500, 1).looks == [500]


ENDS = ("money", "sirens", "time")
HAND_MADE: Any = SimpleNamespace(
    columns=(
        Column("won", "Won", "rate", ""),
        Column("end", "End", "level", "", ENDS),
        Column("coins", "Coins", "count", "", scale=2),
        Column("dice", "Dice", "count", ""),
        Column("win_share.1", "Share", "share", "", scale=6),
    ),
    ratios=(
        Ratio("coins_per_die", "Coins per die", "coins", "dice", ""),
        Ratio("won_per_die", "Wins per die", "won", "dice", "", is_rate=True),
    ),
    headline="won",
)
ROWS = np.array(
    [[1, 0, 3, 2, 6], [0, 2, -4, 1, 0], [1, 0, 5, 3, 3], [0, 0, 0, 1, 0], [1, 2, 1, 4, 2]], np.int32
)


def hand_made(rows: Any = ROWS) -> Tally:
    game = HAND_MADE
    return Tally.of(rows, Counted.of(game.columns, game.headline, game.ratios))


@pytest.mark.parametrize(
    ("metric", "successes"), [("win_rate", 3), ("end.money", 3), ("end.sirens", 0), ("end.time", 2)]
)
def test_a_rate_or_a_level_is_seen_as_successes(metric: str, successes: int) -> None:
    assert quantity(HAND_MADE, hand_made(), metric) == RateSeen(successes, 5)


def test_a_level_that_nobody_reached_is_seen_as_no_success() -> None:
    assert quantity(HAND_MADE, hand_made(ROWS[:1]), "end.time") == RateSeen(0, 1)


def test_a_share_and_a_count_are_seen_as_sums_with_what_bounds_them() -> None:
    share = quantity(HAND_MADE, hand_made(), "win_share.1")
    assert share == MeanSeen(11, 36 + 9 + 4, 5, 6, 6, 0.0, 1.0)
    assert quantity(HAND_MADE, hand_made(), "coins") == MeanSeen(5, 51, 5, 9.0, 2)


def test_a_ratio_is_seen_as_sums_of_both() -> None:
    per_die = quantity(HAND_MADE, hand_made(), "coins_per_die")
    assert per_die == RatioSeen(Sums(5, 11, 51, 31, 6 - 4 + 15 + 4, 5), 9.0, 3.0)
    won = quantity(HAND_MADE, hand_made(), "won_per_die")
    assert (won.low, won.high) == (0.0, 1.0)


@pytest.mark.parametrize("bound", [-1.5, 0.0, 0.4, 0.5, 0.6, 1.0])
def test_a_ratio_is_above_a_bound_where_the_mean_of_the_rest_is_above_zero(bound: float) -> None:
    """x / y against b is the mean of x - b y against 0: in halves, whole numbers of 10ths."""
    rows = np.tile(ROWS, (60, 1))
    seen = quantity(HAND_MADE, hand_made(rows), "coins_per_die")
    rest = 10 * rows[:, 2].astype(np.int64) - round(10 * bound) * rows[:, 3]
    span = 10 * 9 + abs(10 * bound) * 3
    mean = MeanSeen(int(rest.sum()), int((rest**2).sum()), len(rest), span)
    for error in 10.0 ** -np.arange(0.1, 40, 0.1):
        assert seen.above(bound, error) == mean.above(0.0, error)
        assert seen.below(bound, error) == mean.below(0.0, error)


@pytest.mark.parametrize("metric", ["coins", "coins_per_die", "won_per_die", "win_share.1"])
def test_one_rollout_or_none_settles_nothing(metric: str) -> None:
    for rows in (ROWS[:0], ROWS[:1]):
        seen = quantity(HAND_MADE, hand_made(rows), metric)
        assert judge(seen, 0.3, 0.4, 0.5) == "undecided"
        assert holding_interval(seen, 0.35, 0.5) == (seen.low, seen.high)


@pytest.mark.parametrize(
    "seen",
    [
        RateSeen(37, 100),
        RateSeen(0, 100),
        RateSeen(100, 100),
        MeanSeen(3_000, 12_000, 1_000, 10),
        MeanSeen(33_000, 1_800_000, 1_000, 60, 60, 0.0, 1.0),
        RatioSeen(Sums(2_000, 4_000, 7_000, 19_000, 9_000, 1_000), 6.0, 8.0),
    ],
)
def test_the_ends_of_the_holding_interval_are_where_the_verdict_changes(seen: Quantity) -> None:
    estimate = {RateSeen: 0.37, MeanSeen: 0.55, RatioSeen: 0.5}[type(seen)]
    if isinstance(seen, RateSeen):
        estimate = seen.successes / seen.n
    elif isinstance(seen, MeanSeen):
        estimate = seen.total / seen.n / seen.scale
    low, high = holding_interval(seen, estimate, 0.01)
    assert seen.low <= low <= estimate <= high <= seen.high
    near = 1e-6
    if low > seen.low:
        assert judge(seen, low - near, math.inf, 0.01) == "pass"
        assert judge(seen, low + near, math.inf, 0.01) == "undecided"
    if high < seen.high:
        assert judge(seen, high - near, math.inf, 0.01) == "undecided"
        assert judge(seen, high + near, math.inf, 0.01) == "fail"
