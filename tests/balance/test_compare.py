"""Comparisons end to end, on coins and dice of which the true differences are known."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import isfinite, sqrt
from typing import Any

import numpy as np
import pytest

from balance import simulate as playing
from balance.errors import InputError
from balance.games import game_names
from balance.scenario import Scenario
from balance.statistics import Z95, paired_difference
from balance.studies.compare import compare
from tests.balance.coin_scenarios import (
    GAMES,
    THREE,
    Rules,
    alone,
    coins,
    column_played,
    fourfold,
    numbers,
    scenario_of,
    seeded,
    truth,
)
from tests.balance.command import Balance
from tests.balance.scenario_files import Files

pytestmark = pytest.mark.usefixtures("quick_coins")


# the coin itself


def test_scenario_files_know_the_coins_beside_the_installed_games() -> None:
    assert {"burgle", "vault", "bank", *GAMES} <= set(game_names())


@pytest.mark.parametrize("game", GAMES)
def test_a_coin_has_the_means_that_it_says(game: str, files: Files) -> None:
    """Seed 1, 40,000 rollouts; four standard errors."""
    variants = {
        "a": {"chance": 0.3, "trials": 4, "bonus": -2},
        "b": {**alone(0.3, 5), "trials": 1, "flag": True},
    }
    scenario = coins(files, variants, game, rollouts=40_000)
    for place, variant in enumerate(scenario.variants):
        for column, mean in enumerate(scenario.game.exact(variant.rules).values()):
            x = column_played(scenario, place, 40_000, column) / scenario.game.columns[column].scale
            assert abs(x.mean() - mean) <= 4 * x.std() / 200


def test_coupled_coins_see_the_same_numbers_and_independent_ones_their_own(files: Files) -> None:
    variants = {"a": {}, "b": {"flag": True}, "c": alone(0.5, 0), "d": alone(0.5, 1)}
    scenario = coins(files, variants)
    a, b, c, d = (column_played(scenario, place, 10_000) for place in range(4))
    assert (a == b).all()
    for one, other in combinations((a, c, d), 2):
        assert abs((one == other).mean() - 0.5) <= fourfold(0.5, 10_000)
    part = np.zeros((100, 2), np.int32)
    variant = scenario.variants[0]
    scenario.game.pack(variant.rules, ()).play(1, 300, part)
    assert (part[:, 0] == a[300:400]).all()


# paired differences


def covered(scenario: Scenario, seeds: range) -> dict[str, float]:
    """How often the interval of each difference covers the true one."""
    found = dict.fromkeys([variant.name for variant in scenario.variants[1:]], 0)
    for seed in seeds:
        rows = compare(seeded(scenario, seed), workers=1).json()["differences"]
        for place, row in enumerate(rows, start=1):
            true = truth(scenario, place) - truth(scenario, 0)
            found[row["variant"]] += row["low"] <= true <= row["high"]
    return {name: n / len(seeds) for name, n in found.items()}


@pytest.mark.parametrize("game", GAMES)
def test_19_of_20_intervals_cover_the_true_difference(game: str, files: Files) -> None:
    """Seeds 1000 .. 1399, 1000 rollouts; within four standard errors of 95 %."""
    variants = {
        "base": {"chance": 0.3},
        "coupled, near": {"chance": 0.34},
        "coupled, far": {"chance": 0.8},
        "independent, equal": alone(0.3, 1),
        "independent, far": alone(0.7, 2),
    }
    rates = covered(coins(files, variants, game, rollouts=1000), range(1000, 1400))
    for name, found in rates.items():
        assert abs(found - 0.95) <= fourfold(0.95, 400), name


def dice(files: Files, **run: object) -> Scenario:
    """Pools of dice: a die in the same place of two pools is rolled with the same number."""
    blank = [[0]] * 3
    variants: Mapping[str, Rules] = {
        "base": {"dice": "3d6", "thresholds": [11]},
        "coupled": {"dice": "3d8", "thresholds": [11]},
        "equal, independent": {"dice": [*blank, "3d6"], "thresholds": [11]},
        "independent": {"dice": [*blank, "2d8"], "thresholds": [11]},
    }
    return scenario_of(files, variants, "game: vault\nstage: dice", **run)


def test_19_of_20_intervals_cover_the_true_difference_of_dice(files: Files) -> None:
    """Seeds 0 .. 399, 500 rollouts; within four standard errors of 95 %."""
    for name, found in covered(dice(files, rollouts=500), range(400)).items():
        assert abs(found - 0.95) <= fourfold(0.95, 400), name


def test_pairing_saves_what_theory_says(files: Files) -> None:
    """Seed 1, 200,000 rollouts; 4000 of them tell near coins apart: 1.6 %, four times that."""
    variants = {
        "base": {"chance": 0.3},
        "near": {"chance": 0.32},
        "far": {"chance": 0.9},
        "independent": alone(0.32, 1),
    }
    scenario = coins(files, variants, rollouts=200_000)
    factors = compare(scenario).differences.set_index("variant")["factor"]
    for name, p in (("near", 0.32), ("far", 0.9)):
        gap = p - 0.3
        expected = (p * (1 - p) + 0.3 * 0.7) / (gap * (1 - gap))
        assert factors[name] == pytest.approx(expected, rel=0.064)
    assert factors["near"] > 20
    assert factors["independent"] == pytest.approx(1, abs=4 / sqrt(200_000))


def test_dice_on_other_numbers_save_nothing_and_dice_on_the_same_ones_do(files: Files) -> None:
    """Seed 1, 50,000 rollouts; the correlation of independent ones within four of its errors."""
    factors = compare(dice(files, rollouts=50_000)).differences.set_index("variant")["factor"]
    assert factors["coupled"] > 2
    for name in ("equal, independent", "independent"):
        assert factors[name] == pytest.approx(1, abs=4 / sqrt(50_000))


# the baseline


def test_the_difference_is_the_variants_less_the_baselines(files: Files) -> None:
    found = compare(files.load(THREE + "run: {rollouts: 1000}\n"))
    assert found.baseline == "low"
    rows = found.differences.to_dict("records")
    assert [(row["variant"], row["first"]) for row in rows] == [("middle", "low"), ("high", "low")]
    for place, row in enumerate(rows, start=1):
        scenario = found.simulation.scenario
        gap = column_played(scenario, place, 1000) - column_played(scenario, 0, 1000)
        assert row["estimate"] == pytest.approx(gap.mean())
        assert row["estimate"] > 0.2
        assert row["established"] is True
    assert [row["changes"] for row in rows] == ["chance 0.2 → 0.5", "chance 0.2 → 0.8"]


def test_a_baseline_is_named_and_comes_first(files: Files) -> None:
    found = compare(files.load(THREE + "run: {rollouts: 1000}\n"), "high")
    assert found.baseline == "high"
    assert found.headlines["variant"].tolist() == ["high", "low", "middle"]
    rows = found.differences.to_dict("records")
    assert [(row["variant"], row["first"]) for row in rows] == [("low", "high"), ("middle", "high")]
    assert all(row["high"] < 0 for row in rows)
    assert [row["changes"] for row in rows] == ["chance 0.8 → 0.2", "chance 0.8 → 0.5"]
    result = found.json()
    assert (result["study"], result["baseline"]) == ("compare", "high")
    assert [variant["name"] for variant in result["variants"]] == ["high", "low", "middle"]
    assert result["differences"][0]["changes"] == [
        {"path": "rules.chance", "before": 0.8, "after": 0.2}
    ]
    assert result["ties"] == {"high": "a", "low": "b", "middle": "c"}


def test_the_order_of_the_variants_changes_no_number(files: Files) -> None:
    scenario = files.load(THREE + "run: {rollouts: 1000}\n")
    one = compare(scenario, "low").differences.set_index("variant").loc["high"]
    other = compare(scenario, "high").differences.set_index("variant").loc["low"]
    assert one["estimate"] == -other["estimate"]
    assert one["low"] == pytest.approx(-other["high"])
    assert (one["p_value"], one["factor"]) == (other["p_value"], other["factor"])


def test_an_unknown_baseline_is_one_line_with_a_suggestion(balance: Balance, files: Files) -> None:
    path = files.write(THREE)
    assert balance.fault("compare", path, "--baseline", "midle", "-q") == (
        "--baseline midle: there is no such variant (did you mean middle?); has: low, middle, high"
    )


@pytest.mark.parametrize("words", [[], ["--until-decided"]])
def test_one_variant_cannot_be_compared(
    words: Sequence[str], balance: Balance, files: Files
) -> None:
    path = files.write("game: coin\n")
    message = "has one variant only; write two or more to compare"
    assert balance.fault("compare", path, "-q", *words) == f"{path}: {message}"
    with pytest.raises(InputError, match="has one variant only"):
        compare(files.load("game: coin\n"))


# ties


def test_equal_variants_are_told_apart_in_5_of_100_seeds_at_most(files: Files) -> None:
    """Seven independent coins, seeds 0 .. 399, 400 rollouts; four standard errors."""
    variants = {"base": alone(0.3, 0), **{f"v{key}": alone(0.3, key) for key in range(1, 7)}}
    scenario = coins(files, variants, rollouts=400)
    seeds, rows, letters = 400, 0, 0
    for seed in range(seeds):
        found = compare(seeded(scenario, seed), workers=1).json()
        rows += any(row["established"] for row in found["differences"])
        letters += len(set(found["ties"].values())) > 1
    most = 0.05 + fourfold(0.05, seeds)
    assert rows / seeds <= most
    assert letters / seeds <= most


def test_what_differs_is_told_apart_whatever_else_is_tied(files: Files) -> None:
    variants = {"a": {}, "b": {"flag": True}, "c": alone(0.5, 1), "d": {"chance": 0.9}}
    found = compare(coins(files, variants, rollouts=2000))
    rows = found.differences.set_index("variant")
    assert rows["established"].tolist() == [False, False, True]
    assert rows.loc["b", "p_value"] == 1.0
    ties = found.json()["ties"]
    assert ties["a"] == ties["b"] == ties["c"]
    assert not set(ties["d"]) & set(ties["a"])


# the metrics


@pytest.mark.parametrize("game", GAMES)
def test_the_differences_of_all_means_are_those_of_the_played_outcomes(
    game: str, files: Files
) -> None:
    variants = {
        "a": {"chance": 0.3, "trials": 6},
        "b": {"chance": 0.5, "trials": 6, "bonus": -3},
        "c": {**alone(0.3, 1), "trials": 2},
    }
    scenario = coins(files, variants, game, rollouts=900)
    found = compare(scenario, "b").metrics
    assert found["first"].unique().tolist() == ["b"]
    headline = scenario.game.columns[0]
    assert found[["variant", "metric", "kind"]].to_numpy().tolist() == [
        [name, *column]
        for name in ("a", "c")
        for column in ((headline.metric, "rate"), ("heads", "count"))
    ]
    rows = iter(found.to_dict("records"))
    for place in (0, 2):
        for column, scale in enumerate((headline.scale, 1)):
            row = next(rows)
            ours = column_played(scenario, place, 900, column)
            gap = (ours - column_played(scenario, 1, 900, column)) / scale
            assert row["estimate"] == pytest.approx(gap.mean(), abs=1e-12)
            assert row["n"] == 900
            if column == 0 and headline.kind == "rate":  # as the headline's own difference
                ends = paired_difference(int((gap == 1).sum()), int((gap == -1).sum()), 900)
                assert (row["low"], row["high"]) == (ends.low, ends.high)
            else:
                half = Z95 * gap.std(ddof=1) / 30
                assert row["low"] == pytest.approx(gap.mean() - half)
                assert row["high"] == pytest.approx(gap.mean() + half)


def test_the_bonus_moves_the_mean_of_the_heads_and_nothing_else(files: Files) -> None:
    found = compare(coins(files, {"a": {}, "b": {"bonus": 4}}, rollouts=500)).metrics
    assert found["estimate"].tolist() == [0.0, 4.0]
    none = paired_difference(0, 0, 500)
    assert found["low"].tolist() == [none.low, 4.0]
    assert found["high"].tolist() == [none.high, 4.0]


def test_the_thresholds_that_are_not_there_have_no_difference(files: Files) -> None:
    metrics = compare(dice(files, rollouts=100)).metrics["metric"].unique().tolist()
    assert metrics == ["win_rate", "total", "reach.1"]


# the command


@pytest.mark.parametrize("game", GAMES)
def test_the_json_of_a_comparison_is_strict(game: str, files: Files, balance: Balance) -> None:
    scenario = coins(files, {"a": {}, "b": {"flag": True}, "c": {"chance": 0.0}}, game)
    for rollouts in (1, 2, 500):
        done = balance("compare", scenario.path, "--rollouts", rollouts, "--json", "-q")
        assert done.code == 0
        assert all(isfinite(number) for number in numbers(done.json()))


@pytest.mark.parametrize(
    ("option", "value"), [("--equal-within", "0.02"), ("--equal-within", "0"), ("--error", "0.1")]
)
def test_what_only_says_when_all_is_decided_is_refused_elsewhere(
    option: str, value: str, files: Files, balance: Balance
) -> None:
    path = files.write(THREE)
    fault = balance.fault("compare", path, option, value, "-q")
    assert fault == f"{option}: only with --until-decided"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("words", [[], ["--until-decided"]])
def test_variants_that_never_differ_can_be_shown(
    game: str, words: Sequence[str], files: Files, balance: Balance
) -> None:
    scenario = coins(files, {"a": {}, "b": {"flag": True}}, game, rollouts=500)
    done = balance("compare", scenario.path, "-q", *words)
    assert done.code == 0
    assert ("equal within ±1 points: a and b" if words else "tied with a so far: b") in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_a_single_rollout_can_be_shown(files: Files, balance: Balance) -> None:
    done = balance("compare", files.write(THREE), "--rollouts", 1, "-q")
    assert done.code == 0
    assert "tied with low so far: middle, high" in done.out


@pytest.mark.parametrize("game", GAMES)
def test_an_interrupt_before_the_first_rollout_can_be_shown(
    game: str, files: Files, balance: Balance, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(player: playing.Player, *words: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(playing.Player, "play", interrupted)
    path = coins(files, {"a": {}, "b": {"chance": 0.9}}, game).path
    for words in ([], ["--until-decided"]):
        done = balance("compare", path, "-q", *words)
        assert done.code == 130
        assert "interrupted after 0 rollouts per variant" in done.out
