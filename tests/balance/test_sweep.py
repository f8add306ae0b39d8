"""A metric over one field or two: the points, what is known of them, and the command."""

import csv
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from balance.axes import parse_axis
from balance.errors import InputError
from balance.scenario import RunSettings, Scenario
from balance.simulate import Player
from balance.statistics import rate
from balance.studies.sweep import Sweep, metric_of, points_of, sweep
from tests.balance.command import Balance
from tests.balance.scenario_files import BASE, Files

DICE = "game: vault\nstage: dice\nrules: {dice: 3d6, thresholds: [10, 15]}\n"
COIN = "game: coin\nrules: {chance: 0.3}\nrun: {rollouts: 200}\n"
TWO = COIN + "variants: {low: {}, high: {rules: {chance: 0.6}}}\n"
STANDARD_ERRORS = 4


def swept(scenario: Scenario, *axes: str, seed: int = 1, n: int = 200, **more: Any) -> Sweep:
    """The sweep of a seed, of n rollouts."""
    played = replace(scenario, run=RunSettings(rollouts=n, seed=seed))
    return sweep(played, [parse_axis(axis, scenario.variants[0]) for axis in axes], **more)


def estimates(found: Sweep, variant: str = "base") -> list[float]:
    return [
        point.metric.estimate.value or 0.0 for point in found.points if point.variant == variant
    ]


def coverage(chance: float, n: int) -> float:
    """The exact chance that the interval of a rate of n rollouts holds its true value."""
    inside = 0.0
    for k in range(n + 1):
        found = rate(k, n)
        assert found.low is not None
        assert found.high is not None
        inside += float(binom.pmf(k, n, chance)) * (found.low <= chance <= found.high)
    return inside


# the numbers


def test_every_point_of_the_dice_covers_its_exact_chance_as_often_as_it_should(
    files: Files,
) -> None:
    """150 seeds of n = 400: at each point within four standard errors of Wilson's own coverage."""
    seeds, n = 150, 400
    scenario = files.load(DICE)
    axis = "rules.thresholds.1=4:16:3"
    inside = np.zeros(5)
    for seed in range(seeds):
        points = swept(scenario, axis, seed=seed, n=n, workers=1).points
        for place, point in enumerate(points):
            found, exact = point.metric.estimate, point.metric.exact
            assert exact is not None
            inside[place] += (found.low or 0.0) <= exact <= (found.high or 0.0)
    for point, times in zip(points, inside, strict=True):
        wanted = coverage(point.metric.exact or 0.0, n)
        assert wanted == pytest.approx(0.95, abs=0.02)
        error = sqrt(seeds * wanted * (1 - wanted))
        assert abs(times - seeds * wanted) < STANDARD_ERRORS * error


def test_the_exact_values_are_those_of_the_point_not_of_the_scenario(files: Files) -> None:
    found = swept(files.load(DICE), "rules.dice=[3d6, 1d6, 3d4]", "rules.thresholds.1=3:10:7")
    exact = {point.values: point.metric.exact for point in found.points}
    assert exact == {
        ("3d6", 3): 1.0,
        ("3d6", 10): 135 / 216,
        ("1d6", 3): 4 / 6,
        ("1d6", 10): 0.0,
        ("3d4", 3): 1.0,
        ("3d4", 10): 10 / 64,
    }


@pytest.mark.parametrize("seed", range(20))
def test_all_points_see_the_same_rollouts(files: Files, coin_game: None, seed: int) -> None:
    """Of a coupled coin a higher chance never wins less, whatever the seed."""
    curve = estimates(swept(files.load(COIN), "rules.chance=0:1:0.02", seed=seed, n=60))
    assert curve == sorted(curve)
    assert (curve[0], curve[-1]) == (0.0, 1.0)
    alone = estimates(swept(files.load(COIN), "rules.chance=0.5", seed=seed, n=60))
    assert curve[25] == alone[0]


def test_another_seed_gives_other_rollouts(files: Files, coin_game: None) -> None:
    curves = {
        tuple(estimates(swept(files.load(COIN), "rules.chance=0:1", seed=s))) for s in range(5)
    }
    assert len(curves) == 5


def test_two_fields_give_every_combination_in_order(files: Files, coin_game: None) -> None:
    found = swept(files.load(COIN), "rules.trials=[3, 1]", "rules.bonus=-1:1", metric="heads")
    assert [point.values for point in found.points] == [
        *((3, -1), (3, 0), (3, 1), (1, -1), (1, 0), (1, 1)),
    ]
    assert [point.metric.exact for point in found.points] == pytest.approx(
        [trials * 0.3 + bonus for trials, bonus in (point.values for point in found.points)]
    )
    assert [variant.name for variant in found.simulation.scenario.variants][:2] == [
        *("base, rules.trials=3, rules.bonus=-1", "base, rules.trials=3, rules.bonus=0"),
    ]
    # a bonus moves every rollout by itself
    assert np.diff(np.reshape(estimates(found), (2, 3))) == pytest.approx(np.ones((2, 2)))


def test_several_variants_give_a_curve_each(files: Files, coin_game: None) -> None:
    found = swept(files.load(TWO), "rules.trials=1:3", metric="heads")
    assert [(point.variant, point.values) for point in found.points] == [
        (variant, (trials,)) for variant in ("low", "high") for trials in (1, 2, 3)
    ]
    for variant, chance in (("low", 0.3), ("high", 0.6)):
        exact = [point.metric.exact for point in found.points if point.variant == variant]
        assert exact == pytest.approx([chance, 2 * chance, 3 * chance])
    assert found.now == {"low": (1,), "high": (1,)}


def test_a_swept_field_takes_the_place_of_what_a_variant_says(
    files: Files, coin_game: None
) -> None:
    found = swept(files.load(TWO), "rules.chance=[0.3, 0.6]")
    assert estimates(found, "low") == estimates(found, "high")
    assert found.now == {"low": (0.3,), "high": (0.6,)}


def test_a_step_is_the_paired_change_to_the_next_value(files: Files, coin_game: None) -> None:
    found = swept(files.load(TWO), "rules.chance=[0.2, 0.3, 0.7]")
    for variant in ("low", "high"):
        steps = found.steps(variant)
        assert [(before, after) for before, after, _ in steps] == [(0.2, 0.3), (0.3, 0.7)]
        gaps = [change.estimate.value for _, _, change in steps]
        assert gaps == pytest.approx(np.diff(estimates(found, variant)))
        assert all(change.p_value < 1e-3 for _, _, change in steps)


def test_the_paired_steps_cover_the_truth_as_often_as_they_should(
    files: Files, coin_game: None
) -> None:
    """150 seeds of n = 150, steps of 5 and 30 points: at least 95 % less four standard errors."""
    seeds = 150
    scenario = files.load(COIN)
    inside = np.zeros(2)
    for seed in range(seeds):
        steps = swept(scenario, "rules.chance=[0.3, 0.35, 0.65]", seed=seed, n=150).steps("base")
        for place, ((_, _, change), truth) in enumerate(zip(steps, (0.05, 0.3), strict=True)):
            inside[place] += (change.estimate.low or 0) <= truth <= (change.estimate.high or 0)
    error = sqrt(seeds * 0.95 * 0.05)
    assert (inside > seeds * 0.95 - STANDARD_ERRORS * error).all()
    assert (inside < seeds).all()


def test_the_table_has_a_row_for_each_point_with_its_values_as_they_are(
    files: Files, coin_game: None
) -> None:
    table = swept(files.load(TWO), "rules.trials=1:2", "rules.flag").table
    assert list(table) == [
        *("variant", "rules.trials", "rules.flag", "metric", "estimate", "low", "high", "n"),
        "exact",
    ]
    assert len(table) == 8
    assert table["rules.trials"].tolist() == [1, 1, 2, 2] * 2
    assert table["rules.flag"].tolist() == [False, True] * 4
    assert set(table["metric"]) == {"win_rate"}
    assert set(table["n"]) == {200}
    table = swept(files.load(BASE), "rules.stealth_cap=[null, 3, 2]", n=5).table
    assert [type(value) for value in table["rules.stealth_cap"]] == [type(None), int, int]


def test_the_stopping_rule_holds_for_all_points_together(files: Files, coin_game: None) -> None:
    scenario = files.load("game: coin\nrun: {precision: 0.02}\n")
    found = sweep(scenario, [parse_axis("rules.chance=[0, 0.5]", scenario.variants[0])])
    assert found.simulation.stopped_by == "precision"
    half = [point.metric.estimate.half_width or 1.0 for point in found.points]
    assert max(half) <= 0.02
    assert len({point.metric.estimate.n for point in found.points}) == 1


# what cannot be


def test_the_default_metric_is_the_headline(files: Files, coin_game: None) -> None:
    assert metric_of(files.load(COIN), None) == "win_rate"
    assert metric_of(files.load("game: share_coin\n"), None) == "win_share.1"
    assert metric_of(files.load(BASE), "lost_to.alarm") == "lost_to.alarm"
    with pytest.raises(InputError, match=r"^--metric winrate: .*did you mean win_rate\?"):
        metric_of(files.load(COIN), "winrate")


def test_too_many_points_are_refused(files: Files, coin_game: None) -> None:
    scenario = files.load(TWO)
    axes = [
        parse_axis(axis, scenario.variants[0]) for axis in ("rules.trials=1:25", "rules.key=1:22")
    ]
    with pytest.raises(InputError, match=r"1,100 points are too many; 1,000 at most"):
        points_of(scenario, axes)
    assert len(points_of(scenario.playing([scenario.variants[0]]), axes)[0]) == 550


def test_the_most_points_are_what_it_says(
    files: Files, coin_game: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance.studies.sweep.MOST_VARIANTS", 6)
    scenario = files.load(COIN)
    assert len(points_of(scenario, [parse_axis("rules.trials=1:6", scenario.variants[0])])[0]) == 6
    with pytest.raises(InputError) as caught:
        points_of(scenario, [parse_axis("rules.trials=1:7", scenario.variants[0])])
    assert str(caught.value) == (
        "rules.trials: 7 points are too many; 6 at most (name one --variant, or a step)"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("rules.trials=1:50",), "rules.trials=41: rules.trials: must be 40 or less (got 41)"),
        (("rules.trails=1:5",), "rules.trails=1: rules.trails: unknown key (did you mean trials?)"),
        (("rules.trials=1:5", "rules.trials=1:5"), "rules.trials: stands there twice"),
        (
            ("rules.trials=1:2", "rules.bonus=1:2", "rules.key=1:2"),
            "a sweep is of one field or of two (got 3)",
        ),
        (
            ("rules.trials=1:40", "rules.bonus=-5:5", "--set", "rules.chance=0.1"),
            "rules.trials rules.bonus: 1,320 points are too many; 1,000 at most "
            "(name one --variant, or a step)",
        ),
        (
            ("rules.trials=1:2", "--variant", "c"),
            "s.yaml: there is no variant c (did you mean _c?); it has: a, b, _c",
        ),
        (
            ("rules.trials=1:2", "--metric", "win_rat"),
            "--metric win_rat: unknown metric (did you mean win_rate?); has: win_rate, heads",
        ),
        (("rules.trials=1:2", "--quick", "--rollouts", 5), "--quick and --rollouts: give one of"),
        (("rules.trials=1:2", "--quick", "--accurate"), "--quick and --accurate: give one of the"),
        (("rules.trials=1:2", "--rollouts", "0"), "--rollouts 0: run.rollouts: must be 1 or more"),
        ((), "Missing argument 'PATH=VALUES..'"),
    ],
)
def test_faults_are_said_in_one_line(
    balance: Balance, files: Files, coin_game: None, words: tuple[object, ...], message: str
) -> None:
    path = files.write("game: coin\nvariants: {a: {}, b: {}, _c: {}}\n")
    said = balance.fault("sweep", path, *words).replace(f"{files.folder}/", "")
    assert said.startswith(message)


def test_a_metric_that_is_absent_under_the_rules_is_named(balance: Balance, files: Files) -> None:
    words = ("sweep", files.write(DICE), "rules.dice=[3d6, 4d6]", "--metric")
    assert balance.fault(*words, "reach.3") == "--metric reach.3: base, rules.dice=3d6 has none"
    assert balance(*words, "reach.2", "--rollouts", 9).code == 0


# the command


def test_the_terminal_shows_each_point_and_where_the_variant_stands(
    balance: Balance, files: Files, coin_game: None
) -> None:
    done = balance("sweep", files.write(COIN), "rules.chance=[0.1, 0.3]", "--seed", 3, "-q")
    assert (done.code, done.err) == (0, "")
    assert "200 rollouts per variant, seed 3" in done.out
    rows = [line.split() for line in done.out.splitlines()]
    stars = {row[0]: row[1] for row in rows if row and row[0] in ("0.1", "0.3")}
    assert stars["0.3"] == "*" != stars["0.1"]
    assert [row[-1] for row in rows if row and row[0] in stars] == ["10.00%", "30.00%"]
    assert max(map(len, done.out.splitlines())) <= 80


def test_one_variant_can_be_named(balance: Balance, files: Files, coin_game: None) -> None:
    words = ("sweep", files.write(TWO), "rules.trials=1:2", "--json")
    assert [p["variant"] for p in balance(*words).json()["points"]] == ["low"] * 2 + ["high"] * 2
    only = balance(*words, "--variant", "high").json()["points"]
    assert [point["variant"] for point in only] == ["high"] * 2


def test_a_mean_can_be_swept(balance: Balance, files: Files, coin_game: None) -> None:
    words = ("sweep", files.write(COIN), "rules.trials=10:20:10", "--metric", "heads")
    result = balance(*words, "--json").json()
    assert result["metric"] == "heads"
    assert [point["exact"] for point in result["points"]] == pytest.approx([3, 6])
    done = balance(*words, "-q")
    assert "heads" in done.out
    assert "%" not in done.out.replace("95 %", "")
    assert "widest step" not in done.out  # the paired change is known of the headline alone


def test_the_step_named_the_steepest_is(balance: Balance, files: Files, coin_game: None) -> None:
    values = "rules.chance=[0.1, 0.15, 0.5, 0.6]"
    done = balance("sweep", files.write(TWO), values, "--rollouts", 4000, "-q")
    said = " ".join(done.out.split())
    assert said.count("the widest step seen, 0.15 to 0.5: +3") == 2
    steps = swept(files.load(COIN), values, n=4000).steps("base")
    change = steps[1][2].estimate
    assert f"{100 * (change.value or 0):+.2f} points ({100 * (change.low or 0):+.2f} .. " in said


def test_words_are_swept_as_well(balance: Balance, files: Files) -> None:
    path = files.write(DICE)
    done = balance("sweep", path, "rules.dice=[3d6, 3d4]", "--rollouts", 50, "-q")
    assert done.code == 0
    assert "3d6 *" in done.out
    assert "widest step" not in done.out


def test_out_holds_points_curve_and_page(balance: Balance, files: Files, coin_game: None) -> None:
    out = files.folder / "out"
    words = ("sweep", files.write(TWO), "rules.chance=0.2:0.4:0.1", "--json", "--out", out)
    result = balance(*words).json()
    assert {path.name for path in out.iterdir()} == {
        *("points.csv", "curve.png", "curve.svg", "report.html", "summary.json"),
    }
    rows = read(out / "points.csv")
    assert [row["variant"] for row in rows] == ["low"] * 3 + ["high"] * 3
    assert [float(row["rules.chance"]) for row in rows] == [0.2, 0.3, 0.4] * 2
    for key in ("estimate", "low", "high", "n", "exact"):
        assert [float(row[key]) for row in rows] == [point[key] for point in result["points"]]
    assert (out / "curve.png").read_bytes().startswith(b"\x89PNG")


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_out_holds_a_map_of_each_variant_where_two_fields_are_swept(
    balance: Balance, files: Files, coin_game: None
) -> None:
    out = files.folder / "out"
    axes = ("rules.trials=1:3", "rules.bonus=[0, -1]")
    words = ("sweep", files.write(TWO), *axes, "--metric", "heads", "--out", out, "--json")
    points = balance(*words).json()["points"]
    names = sorted(path.name for path in out.iterdir())
    for kind in ("csv", "png", "svg"):
        for variant in ("low", "high"):
            assert sum(n.startswith(f"map-{variant}-") and n.endswith(kind) for n in names) == 1
    assert len(names) == 2 * 3 + 3
    (made,) = out.glob("map-high-*.csv")
    rows = read(made)
    assert list(rows[0]) == ["rules.bonus", "1", "2", "3"]
    assert [row["rules.bonus"].lstrip("'") for row in rows] == ["0", "-1"]
    found = {(p["variant"], *p["values"]): p["estimate"] for p in points}
    for row, bonus in zip(rows, (0, -1), strict=True):
        for trials in (1, 2, 3):
            assert float(row[str(trials)]) == found["high", trials, bonus]
    assert len(read(out / "points.csv")) == 12


def test_a_map_of_null_and_numbers_is_drawn(balance: Balance, files: Files) -> None:
    axes = ("rules.stealth_cap=[null, 2]", "rules.stealth=1:2")
    done = balance(
        "sweep", files.write(BASE), *axes, "--rollouts", 5, "-q", "--out", files.folder / "o"
    )
    assert (done.code, done.err) == (0, "")
    assert "null" in done.out
    assert "nan" not in done.out


def test_the_json_is_the_same_bytes_for_any_workers(
    balance: Balance, files: Files, coin_game: None
) -> None:
    words = ("sweep", files.write(TWO), "rules.chance=0:1", "--rollouts", 3000, "--json")
    one, two = balance(*words, "--workers", 1), balance(*words, "--workers", 2)
    assert one.out == two.out
    result = one.json()
    assert (result["study"], result["metric"]) == ("sweep", "win_rate")
    assert result["fields"] == [
        {"path": "rules.chance", "values": [place / 10 for place in range(11)]}
    ]
    assert len(result["points"]) == len(result["variants"]) == 22
    keys = ["variant", "values", "estimate", "low", "high", "n", "exact"]
    assert all(list(point) == keys for point in result["points"])


def test_what_is_not_known_is_null(balance: Balance, files: Files, coin_game: None) -> None:
    words = ("--metric", "heads", "--rollouts", 1, "--json")
    (point,) = balance("sweep", files.write(COIN), "rules.trials=2", *words).json()["points"]
    assert point["estimate"] is not None
    assert (point["low"], point["high"], point["n"]) == (None, None, 1)


@pytest.mark.parametrize(
    ("option", "rollouts"), [("--quick", 10_000), ("--accurate", 1_000_000), ("-q", 200)]
)
def test_the_presets_set_the_rollouts(
    balance: Balance,
    files: Files,
    coin_game: None,
    monkeypatch: pytest.MonkeyPatch,
    option: str,
    rollouts: int,
) -> None:
    runs: list[RunSettings] = []

    def simulate(scenario: Scenario, *_: Any) -> None:
        runs.append(scenario.run)
        raise InputError("enough")

    monkeypatch.setattr("balance.studies.sweep.simulate", simulate)
    balance("sweep", files.write(COIN), "rules.trials=1:2", option)
    assert [(run.rollouts, run.precision) for run in runs] == [(rollouts, None)]


def test_a_preset_takes_the_place_of_the_precision_of_the_file(
    balance: Balance, files: Files, coin_game: None
) -> None:
    path = files.write("game: coin\nrun: {precision: 0.001}\n")
    result = balance("sweep", path, "rules.trials=1", "--quick", "--json").json()
    assert (result["stopped_by"], result["points"][0]["n"]) == ("rollouts", 10_000)


def test_the_cost_of_a_long_run_is_said_before_it_on_stderr(
    balance: Balance, files: Files, coin_game: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("sweep", files.write(TWO), "rules.trials=1:3", "--json")
    short = balance(*words)
    assert "games" not in short.err
    monkeypatch.setattr("balance.cli.options.LONG", 0.0)
    long = balance(*words)
    assert long.err.startswith("balance: 1,200 games, about 0 s")  # 200 of 2 variants at 3 points
    assert len(long.err.splitlines()) == 1
    assert long.out == short.out
    assert balance(*words, "--quiet").err == ""


def test_a_budget_is_the_most_that_it_costs(
    balance: Balance, files: Files, coin_game: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance.cli.options.LONG", 0.0)
    path = files.write("game: coin\nrun: {precision: 0.2, max_rollouts: 2000}\n")
    done = balance("sweep", path, "rules.trials=1:3")
    assert done.err.startswith("balance: at most 6,000 games, about 0 s; it may end much earlier")


def test_a_budget_that_ends_is_undecided(balance: Balance, files: Files, coin_game: None) -> None:
    path = files.write("game: coin\nrun: {precision: 0.0001, max_rollouts: 300}\n")
    done = balance("sweep", path, "rules.trials=1:2", "-q")
    assert done.code == 3
    assert "undecided" in done.out


@pytest.mark.parametrize("axes", [("rules.trials=1:2",), ("rules.trials=1:2", "rules.bonus=0:1")])
def test_an_interrupt_before_anything_was_played_is_told_in_words(
    balance: Balance,
    files: Files,
    coin_game: None,
    monkeypatch: pytest.MonkeyPatch,
    axes: tuple[str, ...],
) -> None:
    def interrupted(player: Any, done: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Player, "_hand_on", interrupted)
    done = balance("sweep", files.write(TWO), *axes, "-q", "--out", files.folder / "out")
    assert (done.code, done.err) == (130, "")
    assert "Stopped before anything was simulated." in done.out
    assert "nan" not in done.out
