"""Comparisons that go on until every pair is settled: how often they err, and when they end."""

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from math import isfinite, log
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from balance import simulate as playing
from balance.results import to_json
from balance.scenario import Scenario
from balance.sequential import paired_rate_interval, paired_share_interval
from balance.simulate import looks, simulate
from balance.studies.compare import Comparison, Decided, Pair, compare, compare_until_decided
from tests.balance.coin_scenarios import (
    GAMES,
    THREE,
    Rules,
    alone,
    coins,
    column_played,
    fourfold,
    numbers,
    seeded,
    truth,
)
from tests.balance.command import Balance
from tests.balance.scenario_files import Files
from tests.coin import SCALE

pytestmark = pytest.mark.usefixtures("quick_coins")
BUDGET = 20_000
MEAN_SHARE = 0.75  # of the share coin, per chance: half of the wins are whole ones


def decided(scenario: Scenario, seed: int, margin: float, error: float = 0.05) -> Decided:
    return compare_until_decided(
        seeded(scenario, seed), equal_within=margin, error=error, budget=BUDGET, workers=1
    )


def is_wrong(pair: Pair, difference: float, margin: float) -> bool:
    """Whether a verdict is not so, where the first less the second truly is ``difference``."""
    true = {
        "higher": difference > 0,
        "lower": difference < 0,
        "equal": abs(difference) <= margin,
        "undecided": True,
    }
    return not true[pair.verdict]


def check(found: Decided) -> None:
    """What is so of every result."""
    counts = looks(BUDGET, 1.5)
    n = {v.name: t.rollouts for v, t in zip(found.scenario.variants, found.tallies, strict=True)}
    for pair in found.pairs:
        margin = found.equal_within
        within = -margin <= pair.low and pair.high <= margin
        told = {"higher": pair.low > 0, "lower": pair.high < 0, "equal": within}
        if pair.verdict == "undecided":
            assert not any(told.values())
            assert pair.rollouts == BUDGET
        else:
            assert told[pair.verdict]
            assert pair.rollouts in counts
        assert pair.estimate is not None
        assert pair.low <= pair.estimate <= pair.high
        assert pair.rollouts <= min(n[pair.first], n[pair.second])
    for name, rollouts in n.items():
        assert rollouts == max(p.rollouts for p in found.pairs if name in (p.first, p.second))
    undecided = any(pair.verdict == "undecided" for pair in found.pairs)
    assert found.stopped_by == ("max_rollouts" if undecided else "decided")


def wrong_rates(scenario: Scenario, seeds: int, margin: float, error: float) -> tuple[float, float]:
    """How often any verdict is wrong, and how often any interval misses the true difference."""
    gaps = [truth(scenario, a) - truth(scenario, b) for a, b in combinations(range(3), 2)]
    wrong = missed = 0
    for seed in range(seeds):
        found = decided(scenario, seed, margin, error)
        check(found)
        pairs = list(zip(found.pairs, gaps, strict=True))
        # a gap of exactly the margin is "just over" it
        wrong += any(is_wrong(pair, gap, margin - 1e-9) for pair, gap in pairs)
        missed += any(not pair.low - 1e-12 <= gap <= pair.high + 1e-12 for pair, gap in pairs)
    return wrong / seeds, missed / seeds


@pytest.mark.parametrize("game", GAMES)
def test_equal_variants_are_rarely_said_to_be_higher_or_lower(game: str, files: Files) -> None:
    """Three independent coins, seeds 0 .. 119, error 0.1; four standard errors.

    Within a margin that is never proven the budget is met and every look is taken.
    """
    variants = {"a": alone(0.3, 0), "b": alone(0.3, 1), "c": alone(0.3, 2)}
    wrong, missed = wrong_rates(coins(files, variants, game), 120, 1e-4, 0.1)
    assert wrong == missed <= 0.1 + fourfold(0.1, 120)


@pytest.mark.parametrize("game", GAMES)
def test_variants_as_far_apart_as_the_margin_are_rarely_said_to_be_equal(
    game: str, files: Files
) -> None:
    """Seeds 0 .. 119, error 0.1; four standard errors. The pairs differ by +m, -m and -2 m."""
    margin = 0.01
    step = margin / (1 if game == "coin" else MEAN_SHARE)
    variants = {"a": alone(0.1, 0), "b": alone(0.1 - step, 1), "c": alone(0.1 + step, 2)}
    wrong, missed = wrong_rates(coins(files, variants, game), 120, margin, 0.1)
    assert wrong <= 0.1 + fourfold(0.1, 120)
    assert missed <= 0.1 + fourfold(0.1, 120)


@pytest.mark.parametrize("game", GAMES)
def test_a_pair_is_settled_at_the_first_look_at_which_its_interval_says_so(
    game: str, files: Files
) -> None:
    """By hand, from the outcomes played here, with the error of one pair at one look."""
    variants = {
        "a": {"chance": 0.3},
        "b": {"chance": 0.9},
        "c": alone(0.3, 0),
        "d": {"chance": 0.35},
        "e": {"chance": 0.3501},
    }
    scenario = coins(files, variants, game)
    margin, counts = 0.004, looks(BUDGET, 1.5)
    each = 0.05 / (len(counts) * 10)
    verdicts = set()
    for seed in range(6):
        found = decided(scenario, seed, margin)
        check(found)
        own = [column_played(found.scenario, place, BUDGET) for place in range(5)]
        for tally, x in zip(found.tallies, own, strict=True):
            played = x[: tally.rollouts]
            assert tally.moments(0) == (int(played.sum()), int(played @ played))
        for pair, (a, b) in zip(found.pairs, combinations(range(5), 2), strict=True):
            for n in counts:
                low, high = interval_by_hand(game, own[a][:n], own[b][:n], each)
                verdict = verdict_by_hand(low, high, margin)
                if verdict != "undecided":
                    break
            assert (pair.verdict, pair.rollouts) == (verdict, n)
            assert (pair.low, pair.high) == pytest.approx((low, high), abs=1e-12)
            verdicts.add(verdict)
            gap = (own[a][:n] - own[b][:n]) / (1 if game == "coin" else SCALE)
            assert pair.estimate == pytest.approx(gap.mean(), abs=1e-12)
    assert verdicts == {"higher", "lower", "equal", "undecided"}


def interval_by_hand(
    game: str, x: npt.NDArray[np.int64], y: npt.NDArray[np.int64], error: float
) -> tuple[float, float]:
    if game == "coin":
        return paired_rate_interval(int((x > y).sum()), int((x < y).sum()), len(x), error)
    gap = x - y
    return paired_share_interval(int(gap.sum()), int(gap @ gap), len(x), SCALE, error)


def verdict_by_hand(low: float, high: float, margin: float) -> str:
    if low > 0:
        return "higher"
    if high < 0:
        return "lower"
    return "equal" if max(-low, high) <= margin else "undecided"


@pytest.mark.parametrize("game", GAMES)
def test_what_differs_much_is_told_apart_at_the_first_look_and_played_no_more(
    game: str, files: Files
) -> None:
    variants = {"a": {"chance": 0.1}, "b": {"chance": 0.8}, "c": alone(0.8, 1)}
    found = decided(coins(files, variants, game), 1, 1e-4)
    check(found)
    assert [(p.first, p.second, p.verdict, p.rollouts) for p in found.pairs] == [
        ("a", "b", "lower", 1000),
        ("a", "c", "lower", 1000),
        ("b", "c", "undecided", BUDGET),
    ]
    assert [tally.rollouts for tally in found.tallies] == [1000, BUDGET, BUDGET]
    for place in range(3):
        played = column_played(found.scenario, place, found.tallies[place].rollouts)
        assert found.tallies[place].moments(0)[0] == played.sum()
    headlines = found.headlines
    assert headlines["n"].tolist() == [1000, BUDGET, BUDGET]
    alike = [simulate(only(found.scenario, place)) for place in range(3)]
    for row, one in zip(headlines.to_dict("records"), alike, strict=True):
        expected = Comparison(one, 0).headlines.to_dict("records")[0]
        assert (row["variant"], row["estimate"]) == (expected["variant"], expected["estimate"])
        assert (row["low"], row["high"]) == (expected["low"], expected["high"])


def only(scenario: Scenario, place: int) -> Scenario:
    """One variant, as far as it was played in the test above."""
    run = scenario.run.model_copy(update={"rollouts": 1000 if place == 0 else BUDGET})
    return replace(scenario.playing([scenario.variants[place]]), run=run)


SAME: Mapping[str, tuple[Rules, Rules]] = {
    "a switch that does nothing": ({}, {"flag": True}),
    "no win at all": ({"chance": 0.0}, {"chance": 0.0, "independent": True}),
    "nothing but wins": ({"chance": 1.0}, {"chance": 1.0, "independent": True}),
}


@pytest.mark.parametrize("name", SAME)
def test_variants_that_never_differ_are_equal_once_the_margin_is_proven(
    name: str, files: Files
) -> None:
    """In n rollouts without a difference, rates apart by more than the margin are ruled out."""
    first, second = SAME[name]
    scenario = coins(files, {"a": first, "b": second})
    counts = looks(BUDGET, 1.5)
    tail = 0.1 * 0.05 / len(counts) / 2
    for margin in (0.002, 0.01):
        found = decided(scenario, 1, margin)
        check(found)
        expected = next(n for n in counts if 1 - tail ** (1 / n) <= margin)
        assert [(p.verdict, p.rollouts, p.estimate) for p in found.pairs] == [
            ("equal", expected, 0.0)
        ]
        assert found.pairs[0].factor is None
        assert found.stopped_by == "decided"


@pytest.mark.parametrize("name", SAME)
def test_shares_that_never_differ_are_equal_once_the_margin_is_proven(
    name: str, files: Files
) -> None:
    first, second = SAME[name]
    if "chance" in first and first["chance"] == 1.0:
        second = first  # a share coin that always wins does not always win all
    scenario = coins(files, {"a": first, "b": second}, "share_coin")
    counts = looks(BUDGET, 1.5)
    width = log(2 / (0.05 / len(counts) / 2))
    for margin in (0.004, 0.01):
        found = decided(scenario, 1, margin)
        check(found)
        expected = next(n for n in counts if 7 * 2 * width / (3 * (n - 1)) <= margin)
        assert [(p.verdict, p.rollouts) for p in found.pairs] == [("equal", expected)]


@pytest.mark.parametrize("game", GAMES)
def test_without_a_margin_nothing_is_ever_equal(game: str, files: Files) -> None:
    found = decided(coins(files, {"a": {}, "b": {"flag": True}}, game), 1, 0.0)
    check(found)
    pair = found.pairs[0]
    assert (pair.verdict, pair.rollouts) == ("undecided", BUDGET)
    assert pair.low < 0 < pair.high
    assert found.stopped_by == "max_rollouts"


def test_a_pair_that_differs_is_equal_within_a_margin_above_its_difference(files: Files) -> None:
    found = decided(coins(files, {"a": {}, "b": {"chance": 0.5001}}), 1, 0.005)
    check(found)
    assert found.pairs[0].verdict == "equal"


@pytest.mark.parametrize("game", GAMES)
def test_workers_and_batches_change_nothing(
    game: str, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    variants = {"a": {}, "b": {"chance": 0.55}, "c": alone(0.5, 1), "d": {"flag": True}}
    scenario = coins(files, variants, game, rollouts=3000)
    expected = [answers(scenario, 1)]
    for first, largest, workers in ((100, 700, 2), (64, 16_384, 2), (1000, 1000, 1)):
        monkeypatch.setattr(playing, "FIRST_BATCH", first)
        monkeypatch.setattr(playing, "LARGEST_BATCH", largest)
        expected.append(answers(scenario, workers))
    assert len(set(expected)) == 1


def answers(scenario: Scenario, workers: int) -> tuple[str, str]:
    settled = compare_until_decided(scenario, equal_within=0.02, budget=7000, workers=workers)
    return to_json(compare(scenario, workers=workers).json()), to_json(settled.json())


def test_the_last_look_is_at_the_budget_of_the_run(files: Files) -> None:
    scenario = coins(files, {"a": {}, "b": {"flag": True}}, max_rollouts=1234)
    found = compare_until_decided(scenario, equal_within=0.0)
    assert found.spending.looks == [1000, 1234]
    assert [tally.rollouts for tally in found.tallies] == [1234, 1234]


@pytest.mark.parametrize("looked", [0, 1])
def test_an_interrupt_gives_what_was_seen_at_the_last_look(
    looked: int, files: Files, balance: Balance, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = playing.Player.play
    calls: list[int] = []

    def interrupted(player: playing.Player, packed: Any, first: int, end: int) -> None:
        if len(calls) == looked:
            raise KeyboardInterrupt
        calls.append(end)
        play(player, packed, first, end)

    monkeypatch.setattr(playing.Player, "play", interrupted)
    variants = {"a": {"chance": 0.1}, "b": {"chance": 0.9}, "c": alone(0.9, 1)}
    scenario = coins(files, variants)
    found = compare_until_decided(scenario)
    assert found.stopped_by == "interrupted"
    assert [tally.rollouts for tally in found.tallies] == [1000 * looked] * 3
    told = ["lower", "lower", "undecided"] if looked else ["undecided"] * 3
    assert [pair.verdict for pair in found.pairs] == told
    calls.clear()
    done = balance("compare", scenario.path, "--until-decided", "--json", "-q")
    assert done.code == 130
    assert done.json()["partial"] is True
    calls.clear()
    done = balance("compare", scenario.path, "--until-decided", "-q")
    assert done.code == 130
    assert f"interrupted after {1000 * looked:,} rollouts per variant" in done.out


# the command


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("margin", ["0", "0.01", "1"])
def test_the_json_is_strict_and_the_code_says_whether_all_is_decided(
    game: str, margin: str, files: Files, balance: Balance
) -> None:
    scenario = coins(files, {"a": {}, "b": {"flag": True}, "c": {"chance": 0.9}}, game)
    words = ("--until-decided", "--max-rollouts", 5000, "--equal-within", margin, "--json", "-q")
    done = balance("compare", scenario.path, *words)
    found = done.json()
    assert all(isfinite(number) for number in numbers(found))
    assert done.code == (3 if margin == "0" else 0)
    assert found["stopped_by"] == ("max_rollouts" if margin == "0" else "decided")
    assert (found["study"], found["equal_within"]) == ("compare until decided", float(margin))
    assert (found["max_rollouts"], found["error"], found["looks"]) == (5000, 0.05, 5)
    names = [(pair["first"], pair["second"]) for pair in found["pairs"]]
    assert names == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [pair["verdict"] for pair in found["pairs"]] == [
        "undecided" if margin == "0" else "equal",
        "lower",
        "lower",
    ]


def test_all_pairs_have_no_baseline(files: Files, balance: Balance) -> None:
    path = files.write(THREE)
    fault = balance.fault("compare", path, "--until-decided", "--baseline", "low", "-q")
    assert fault == "--baseline: --until-decided compares every pair; leave it out"


@pytest.mark.parametrize("margin", ["inf", "nan", "-0.1", "much"])
def test_a_margin_is_a_number(margin: str, files: Files, balance: Balance) -> None:
    path = files.write(THREE)
    words = ("--until-decided", "--equal-within", margin, "--json", "-q")
    assert "--equal-within" in balance.fault("compare", path, *words)


def test_the_order_is_told_from_the_highest_down(files: Files, balance: Balance) -> None:
    done = balance("compare", files.write(THREE), "--until-decided", "-q")
    assert done.code == 0
    assert "win rate, from the highest down: high > middle > low" in done.out
    assert "every pair decided within 1,000 rollouts per variant" in done.out


@pytest.mark.parametrize("game", GAMES)
def test_a_folder_holds_the_pairs(
    game: str, files: Files, balance: Balance, tmp_path: Path
) -> None:
    scenario = coins(files, {"a": {}, "b": {"chance": 0.9}}, game)
    out = tmp_path / "out"
    assert balance("compare", scenario.path, "--until-decided", "--out", out, "-q").code == 0
    made = {path.name for path in out.iterdir()}
    assert made == {"headlines.csv", "pairs.csv", "summary.json", "report.html"}
    summary = json.loads((out / "summary.json").read_text("utf-8"))
    assert [pair["verdict"] for pair in summary["pairs"]] == ["lower"]
