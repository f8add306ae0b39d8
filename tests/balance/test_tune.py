"""`balance tune`: what it finds where the answer is known exactly, and how sure it says it is.

Thresholds of many seeds are the promised rate and four standard errors of so many seeds.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from balance.answers.tune import tune_answer
from balance.axes import parse_axis
from balance.games.vault_dice import chances, parse_dice
from balance.scenario import RunSettings, Scenario, Variant
from balance.simulate import Simulation, play_batch
from balance.studies import tune as module
from balance.studies.tune import Tuned, parse_target, tries_all, tune
from tests.balance.command import Balance
from tests.balance.interrupting import interrupt_after
from tests.balance.scenario_files import Files
from tests.curve import curve_entry_points

DICE = "game: vault\nstage: dice\nrules: {dice: 3d6, thresholds: [10]}\n"
COIN = "game: coin\nrules: {chance: 0.5}\n"
LINE = "game: curve\nrules: {shape: line}\n"
HUMP = "game: curve\nrules: {shape: hump}\n"
STEEP = "game: curve\nrules: {shape: steep}\n"
CLIFF = "game: curve\nrules: {shape: cliff}\n"


@pytest.fixture(autouse=True)
def curve_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scenario files can play `game: coin` and `game: curve`."""
    monkeypatch.setattr("balance.games.registry.entry_points", curve_entry_points)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are played without threads and set without checking the file anew: many seeds."""

    def simulated(scenario: Scenario, *words: object) -> Simulation:
        packed = [scenario.game.pack(one.rules, one.policies) for one in scenario.variants]
        n = scenario.run.rollouts or 0
        played = play_batch(scenario.game, packed, scenario.run.seed, 0, n)
        return Simulation(scenario, played, "rollouts")

    def turned(scenario: Scenario, variant: Variant, path: str, value: Any) -> Scenario:
        _, name, *place = path.split(".")
        held: Any = value
        if place:
            held = list(getattr(variant.rules, name))
            held[int(place[0]) - 1] = value
        rules = variant.rules.model_copy(update={name: held})
        return scenario.playing([replace(variant, rules=rules)])

    monkeypatch.setattr(module, "simulate", simulated)
    monkeypatch.setattr(module, "turned", turned)


@pytest.fixture
def no_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the joint intervals of the values tried, which a crossing does not need."""
    monkeypatch.setattr(module, "holding_interval", lambda *words: (0.0, 1.0))


def tuned(scenario: Scenario, field: str, target: str, workers: int = 1) -> Tuned:
    variant = scenario.variants[0]
    axis, wanted = parse_axis(field, variant), parse_target(target, scenario)
    return tune(scenario, variant, axis, wanted, workers=workers)


def over_seeds(
    scenario: Scenario, field: str, target: str, rollouts: int, seeds: int
) -> list[Tuned]:
    """What is found on the seeds 0, 1, .."""
    runs = [RunSettings(rollouts=rollouts, seed=seed) for seed in range(seeds)]
    return [tuned(replace(scenario, run=run), field, target) for run in runs]


def at_least(rate: float, n: int) -> float:
    """The smallest rate among n seeds that four standard errors allow."""
    return rate - 4 * math.sqrt(rate * (1 - rate) / n)


def sentences(found: Tuned) -> str:
    return "\n".join(tune_answer(found).verdicts)


def nearest_threshold(target: float) -> int:
    """The threshold of 3d6 from 4 to 17 whose exact chance is nearest to the target."""
    thresholds = range(4, 18)
    exact = chances(tuple(parse_dice("3d6")), thresholds)
    return min(zip(thresholds, exact, strict=True), key=lambda pair: abs(pair[1] - target))[0]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("target", "nearest"), [(0.4, 12), (0.72, 9), (0.1, 15), (0.625, 10), (0.997, 4)]
)
def test_the_threshold_that_is_truly_nearest_is_found(
    files: Files, target: float, nearest: int
) -> None:
    """40 seeds, 2,000 rollouts: in 95 % of them, by the exact chances of 3d6."""
    assert nearest_threshold(target) == nearest
    found = over_seeds(files.load(DICE), "rules.thresholds.1=4:17", f"win_rate={target}", 2_000, 40)
    assert sum(one.best.value == nearest for one in found) >= 38
    assert all(len(one.tried) == 14 and one.complete for one in found)


@pytest.mark.usefixtures("at_once")
def test_what_is_possible_holds_the_truly_nearest_value(files: Files) -> None:
    """200 seeds, 60 rollouts, too few to tell the neighbours apart: in at least 0.888 of them (0.95
    less four standard errors), and all intervals together hold as often."""
    found = over_seeds(files.load(DICE), "rules.thresholds.1=7:14", "win_rate=0.43", 60, 200)
    nearest = nearest_threshold(0.43)
    holds = [nearest in one.possible for one in found]
    joint = [
        all(one.low <= (one.metric.exact or 0.0) <= one.high for one in each.tried)
        for each in found
    ]
    assert sum(holds) / len(found) >= at_least(0.95, len(found))
    assert sum(joint) / len(found) >= at_least(0.95, len(found))
    assert sum(one.best.value == nearest for one in found) < 160  # the best alone would not
    assert all(one.best.value in one.possible for one in found)
    assert np.mean([len(one.possible) for one in found]) < 7  # of 8


def test_on_common_seeds_the_curve_of_a_threshold_never_rises(files: Files) -> None:
    found = tuned(files.load(DICE + "run: {rollouts: 200}\n"), "rules.thresholds.1=3:18", "total=9")
    heights = [one.metric.estimate.value for one in found.tried]
    assert len(set(heights)) == 1  # the total does not depend on it
    found = tuned(
        files.load(DICE + "run: {rollouts: 200}\n"), "rules.thresholds.1=3:18", "win_rate=1"
    )
    rates = [one.metric.estimate.value or 0.0 for one in found.tried]
    assert all(before >= after for before, after in pairwise(rates))


@pytest.mark.parametrize(
    ("target", "status", "nearest", "words"),
    [
        ("win_rate=0.375", "met", 12, "rules.thresholds.1 = 12 gives 37."),
        (
            "win_rate=0.45",
            "between",
            11,
            "no value gives 45.00%: rules.thresholds.1 = 12 gives 37.",
        ),
        ("win_rate=0.999", "out of reach", 8, "99.90% is out of reach: rules.thresholds.1 gives "),
        ("win_rate=0.01", "out of reach", 14, "1.00% is out of reach: rules.thresholds.1 gives "),
    ],
)
def test_the_status_says_whether_the_target_is_met(
    files: Files, target: str, status: str, nearest: int, words: str
) -> None:
    """20,000 rollouts: neighbours are 20 standard errors apart."""
    one = files.load(DICE + "run: {rollouts: 20_000}\n")
    found = tuned(one, "rules.thresholds.1=8:14", target)
    assert (found.status, found.best.value, found.possible) == (status, nearest, (nearest,))
    first, last = sentences(found).splitlines()
    assert first.startswith(words)
    assert f"the nearest is {nearest}" in first or status == "met"
    assert last == "no other value tried is as near (all 7 together, 95 %)"


def test_what_is_possible_besides_the_nearest_is_said(files: Files) -> None:
    one = files.load(COIN + "run: {rollouts: 500}\n")
    found = tuned(one, "rules.chance=[0.1, 0.52, 0.5, 0.9]", "win_rate=0.51")
    assert set(found.possible) == {0.5, 0.52}
    (other,) = set(found.possible) - {found.best.value}
    assert sentences(found).endswith(f"possible that one of these is nearer: {other:g}")


def test_a_value_further_off_may_give_the_target_though_the_nearest_cannot(files: Files) -> None:
    """Without a chance there are no heads at all; of 40 coins with 0.15 there are 6, give or take
    so much that 50 rollouts leave 2.5 possible: the target may be met."""
    one = files.load("game: coin\nrules: {trials: 40}\nrun: {rollouts: 50}\n")
    found = tuned(one, "rules.chance=[0, 0.15]", "heads=2.5")
    assert found.best.value == 0
    assert found.best.high < 2.5
    assert found.possible == (0, 0.15)
    assert found.status == "met"


@pytest.mark.parametrize(
    "field", ["rules.x=[0.9, 0.1, 0.5, 0.75, 0.25]", "rules.x=0.9,0.1,0.5,0.75,0.25"]
)
def test_of_a_list_every_value_is_evaluated_whatever_the_curve(files: Files, field: str) -> None:
    """4x(1-x) is 0.75 at both 0.25 and 0.75."""
    found = tuned(files.load(HUMP + "run: {rollouts: 5_000}\n"), field, "win_rate=0.75")
    assert [one.value for one in found.tried] == [0.1, 0.25, 0.5, 0.75, 0.9]
    assert (found.complete, found.crossings, found.status) == (True, (), "met")
    assert found.possible == (0.25, 0.75)


def test_words_can_be_tuned(files: Files) -> None:
    one = files.load("game: curve\nrules: {x: 0.2}\nrun: {rollouts: 5_000}\n")
    found = tuned(one, "rules.shape=[steep, hump, line]", "win_rate=0.64")
    assert (found.best.value, found.status, found.possible) == ("hump", "met", ("hump",))
    assert [one.value for one in found.tried] == ["steep", "hump", "line"]
    assert sentences(found).startswith("rules.shape = hump gives 6")


def test_a_switch_can_be_tuned_and_where_both_are_as_near_the_sentence_says_so(
    files: Files,
) -> None:
    found = tuned(files.load(COIN + "run: {rollouts: 500}\n"), "rules.flag", "win_rate=0.5")
    assert [one.value for one in found.tried] == [False, True]
    assert found.possible == (False, True)
    assert sentences(found).endswith("one of these is nearer: true")


def test_of_values_that_are_as_near_the_one_next_to_what_is_now_is_the_best(files: Files) -> None:
    one = files.load("game: coin\nrules: {bonus: 2}\nrun: {rollouts: 500}\n")
    assert tuned(one, "rules.bonus", "win_rate=0.5").best.value == 2


def test_a_mean_is_tuned_by_its_bonus(files: Files) -> None:
    """4 coins of 0.5 and a bonus: 2 heads more than the bonus."""
    one = files.load("game: coin\nrules: {trials: 4, chance: 0.5}\nrun: {rollouts: 5_000}\n")
    found = tuned(one, "rules.bonus=-5:5", "heads=-1")
    assert (found.best.value, found.status, found.possible) == (-3, "met", (-3,))
    found = tuned(one, "rules.bonus=-5:5", "heads=-0.5")
    assert found.status == "between"
    assert "no value gives -0.5: rules.bonus = -3 gives -" in sentences(found)
    found = tuned(one, "rules.bonus=-5:5", "heads=9")
    assert (found.status, found.best.value) == ("out of reach", 5)


def inside(found: Tuned, value: float) -> bool:
    """Whether any crossing leaves a value possible."""
    return any(
        (one.low is None or one.low <= value) and (one.high is None or value <= one.high)
        for one in found.crossings
    )


@pytest.mark.usefixtures("at_once", "no_intervals")
@pytest.mark.parametrize(
    ("text", "field", "target", "rollouts", "true"),
    [
        (COIN, "rules.chance=0:1", 0.37, 400, (0.37,)),
        (HUMP, "rules.x=0:1", 0.75, 400, (0.25, 0.75)),
        (STEEP, "rules.x=0:1", 0.5, 2_000, (0.37,)),  # so wide as what is looked to
    ],
)
def test_the_interval_of_a_crossing_covers_the_true_value(
    files: Files, text: str, field: str, target: float, rollouts: int, true: tuple[float, ...]
) -> None:
    """80 seeds: in at least 0.853 of them (0.95 less four standard errors)."""
    found = over_seeds(files.load(text), field, f"win_rate={target}", rollouts, 80)
    for value in true:
        covered = [inside(one, value) for one in found]
        assert sum(covered) / len(covered) >= at_least(0.95, len(covered))
    for crossing in (crossing for one in found for crossing in one.crossings):
        assert None not in (crossing.low, crossing.high)  # the ends of the range are ruled out
        assert crossing.low <= crossing.value <= crossing.high


@pytest.mark.usefixtures("at_once", "no_intervals")
def test_the_interval_of_a_crossing_is_not_wider_than_the_noise(files: Files) -> None:
    """40 seeds, 400 rollouts: on a line it is as wide as the rate's, 3.92 standard errors, but for
    a tenth; the thousandths to which its ends are found are two hundredths of that."""
    found = over_seeds(files.load(COIN), "rules.chance=0:1", "win_rate=0.37", 400, 40)
    widths = [one.crossings[0].high - one.crossings[0].low for one in found]
    assert np.mean(widths) == pytest.approx(3.92 * math.sqrt(0.37 * 0.63 / 400), rel=0.1)


def test_a_crossing_lies_within_the_noise_of_the_true_value(files: Files) -> None:
    """100,000 rollouts: within four standard errors and the thousandth that is looked to."""
    found = tuned(files.load(COIN), "rules.chance=0:1", "win_rate=0.37")
    (crossing,) = found.crossings
    assert abs(crossing.value - 0.37) < 4 * math.sqrt(0.37 * 0.63 / 100_000) + 0.001
    assert crossing.high - crossing.low < 0.01
    assert (found.status, found.complete) == ("met", False)
    assert len(found.tried) < 40
    assert found.best.value == pytest.approx(crossing.value, abs=0.001)


@pytest.mark.parametrize(
    ("target", "ends"), [("win_rate=0.02", (None, False)), ("win_rate=0.98", (False, None))]
)
def test_an_end_of_the_range_that_the_noise_leaves_possible_is_none(
    files: Files, target: str, ends: tuple[bool | None, bool | None]
) -> None:
    """60 rollouts without a win are no surprise where 2 % are won."""
    found = tuned(files.load(COIN + "run: {rollouts: 60}\n"), "rules.chance=0:1", target)
    (crossing,) = found.crossings
    assert (crossing.low is None, crossing.high is None) == (ends[0] is None, ends[1] is None)
    assert "the end of the range" in sentences(found).splitlines()[0]
    assert f"{crossing.value:.4g}" in sentences(found)


def test_every_crossing_is_reported_those_near_the_value_of_now_first(files: Files) -> None:
    one = files.load("game: curve\nrules: {shape: hump, x: 0.9}\nrun: {rollouts: 20_000}\n")
    found = tuned(one, "rules.x=0:1", "win_rate=0.75")
    assert [crossing.value for crossing in found.crossings] == pytest.approx([0.25, 0.75], abs=0.01)
    lines = sentences(found).splitlines()
    assert [line[:13] for line in lines[:2]] == ["rules.x = 0.7", "rules.x = 0.2"]
    assert lines[2] == "the curve is not monotone: it meets the target 2 times"
    assert lines[3].endswith("values were tried; between them the curve is taken to be smooth")


def test_where_the_curve_only_touches_the_target_there_is_one_crossing(files: Files) -> None:
    """4x(1-x) is 1 at 0.5 alone; all rollouts are won there and only there."""
    found = tuned(files.load(HUMP + "run: {rollouts: 2_000}\n"), "rules.x=0:1", "win_rate=1")
    (crossing,) = found.crossings
    assert crossing.value == 0.5
    assert 0.45 < crossing.low < 0.5 < crossing.high < 0.55
    assert "not monotone" not in sentences(found)


def test_crossings_that_the_noise_does_not_tell_apart_do_not_make_a_curve_that_turns(
    files: Files,
) -> None:
    """With other numbers for every key a coin of 0.5 crosses 0.5 by chance only."""
    one = files.load("game: coin\nrules: {independent: true}\nrun: {rollouts: 300}\n")
    found = tuned(one, "rules.key=0:999", "win_rate=0.5")
    assert len(found.crossings) > 1
    assert "the noise does not tell all of these apart" in sentences(found)
    assert "not monotone" not in sentences(found)


def test_a_curve_that_jumps_over_the_target_does_not_meet_it(files: Files) -> None:
    found = tuned(files.load(CLIFF + "run: {rollouts: 2_000}\n"), "rules.x=0:1", "win_rate=0.5")
    assert found.status == "between"
    assert sentences(found).startswith("no value tried gives 50.00%: rules.x = 0")
    (crossing,) = found.crossings
    assert crossing.low <= 0.37 <= crossing.high
    assert crossing.high - crossing.low < 0.003


def test_a_target_beyond_a_range_of_real_numbers_is_out_of_reach(files: Files) -> None:
    found = tuned(files.load(LINE + "run: {rollouts: 2_000}\n"), "rules.x=0.2:0.4", "win_rate=0.7")
    assert (found.status, found.best.value, found.crossings) == ("out of reach", 0.4, ())
    assert sentences(found).startswith("70.00% is out of reach: rules.x gives from ")


@pytest.mark.parametrize(
    ("field", "everything"),
    [
        ("rules.n=0:63", True),
        ("rules.n=0:64", False),
        ("rules.n=0:640:10", False),
        ("rules.x=0:1", False),
        ("rules.x=0:1:0.5", False),
        ("rules.x=[0, 0.5, 1]", True),
        ("rules.shape=[line, hump]", True),
    ],
)
def test_every_value_is_tried_of_a_list_and_of_64_whole_numbers(
    files: Files, field: str, everything: bool
) -> None:
    assert tries_all(parse_axis(field, files.load(LINE).variants[0])) is everything


def test_a_wide_range_of_whole_numbers_is_searched_for_the_neighbours(files: Files) -> None:
    """The steep curve is 0.5 at 370 and a thousandth further a quarter of the way to 1."""
    one = files.load(STEEP + "run: {rollouts: 20_000}\n")
    found = tuned(one, "rules.n=0:999", "win_rate=0.5")
    assert not found.complete
    assert found.best.value == 370
    assert {369, 370, 371} <= {one.value for one in found.tried}
    assert len(found.tried) < 40
    assert [vars(crossing) for crossing in found.crossings] == [
        {"value": 370, "low": 370, "high": 370}
    ]
    assert found.possible == (370,)
    assert sentences(found).endswith(
        "values were tried; between them the curve is taken to be smooth"
    )


@pytest.mark.parametrize(("target", "nearer"), [(0.45, 369), (0.55, 370)])
def test_between_two_neighbours_of_a_wide_range_none_meets_the_target(
    files: Files, target: float, nearer: int
) -> None:
    """The cliff is 0.2 up to 369 and 0.8 from 370 on."""
    one = files.load(CLIFF + "run: {rollouts: 2_000}\n")
    found = tuned(one, "rules.n=0:999", f"win_rate={target}")
    assert found.status == "between"
    assert {369, 370} <= {one.value for one in found.tried}
    assert [crossing.value for crossing in found.crossings] == [nearer]


def test_the_interval_of_whole_numbers_ends_at_those_that_are_not_ruled_out(files: Files) -> None:
    """At its ends the target lies within the metric's interval, and beyond them it does not."""
    found = tuned(files.load(HUMP + "run: {rollouts: 1_000}\n"), "rules.n=0:999", "win_rate=0.75")
    metrics = {one.value: one.metric.estimate for one in found.tried}

    def leaves(value: int) -> bool:
        low, high = metrics[value].low, metrics[value].high
        assert low is not None
        assert high is not None
        return low <= 0.75 <= high

    assert len(found.crossings) == 2
    for crossing in found.crossings:
        assert crossing.low < crossing.value < crossing.high
        ends = (crossing.low - 1, crossing.low, crossing.high, crossing.high + 1)
        assert [leaves(value) for value in ends] == [False, True, True, False]


def test_the_search_keeps_to_the_steps_of_the_range(files: Files) -> None:
    found = tuned(
        files.load(LINE + "run: {rollouts: 5_000}\n"), "rules.n=0:990:10", "win_rate=0.334"
    )
    assert {one.value % 10 for one in found.tried} == {0}
    assert found.best.value in (320, 330, 340, 350)
    (crossing,) = found.crossings
    assert {crossing.value % 10, crossing.low % 10, crossing.high % 10} == {0}


@pytest.mark.parametrize(
    ("field", "target"),
    [
        ("rules.x=0:1", "win_rate=0.37"),
        ("rules.n=0:20", "win_rate=0.01"),
        ("rules.n=0:999", "heads=0.5"),
    ],
)
def test_the_result_does_not_depend_on_the_workers(files: Files, field: str, target: str) -> None:
    one = files.load(LINE + "run: {rollouts: 3_000}\n")
    first, second = (tuned(one, field, target, workers).json() for workers in (1, 2))
    assert first == second


def test_a_budget_that_ended_at_any_value_is_told(files: Files) -> None:
    """At 0.5 an interval of 0.02 takes 2,400 rollouts, at 0 some hundred."""
    one = files.load(COIN + "run: {precision: 0.02, max_rollouts: 1_500}\n")
    found = tuned(one, "rules.chance=0:1", "win_rate=0.05")
    assert found.simulation.stopped_by == "max_rollouts"


@pytest.mark.parametrize("field", ["rules.x=0:1", "rules.shape=[line, hump]"])
def test_interrupted_before_anything_was_played_nothing_is_said_to_be_met(
    balance: Balance, files: Files, monkeypatch: pytest.MonkeyPatch, field: str
) -> None:
    interrupt_after(monkeypatch, 0)
    file = files.write(LINE)
    done = balance("tune", file, field, "--target", "win_rate=0.3", "-q")
    assert done.code == 130
    assert "nothing was played" in done.out
    done = balance("tune", file, field, "--target", "win_rate=0.3", "-q", "--json")
    assert (done.code, done.json()["status"], done.json()["partial"]) == (130, "unknown", True)


@pytest.mark.parametrize("sets", [1, 2, 4])
def test_interrupted_in_the_search_it_reports_no_value_that_was_not_played(
    balance: Balance, files: Files, monkeypatch: pytest.MonkeyPatch, sets: int
) -> None:
    interrupt_after(monkeypatch, sets)
    file = files.write(LINE)
    words = ("rules.x=0:1", "--target", "win_rate=0.33", "--rollouts", 2_000, "-q", "--json")
    done = balance("tune", file, *words)
    assert done.code == 130
    told = done.json()
    assert (told["stopped_by"], told["crossings"]) == ("interrupted", [])
    assert {variant["rollouts"] for variant in told["variants"]} == {2_000}
    assert len(told["variants"]) == 10 + sets


def test_the_json_says_what_was_found(balance: Balance, files: Files) -> None:
    file = files.write(LINE)
    words = ("tune", file, "rules.x=0:1", "--target", "win_rate=0.37", "--quick", "-q", "--json")
    done = balance(*words)
    assert done.code == 0
    told = done.json()
    assert (told["study"], told["field"], told["status"]) == ("tune", "rules.x", "met")
    assert told["target"] == {"metric": "win_rate", "value": 0.37}
    assert told["every_value_tried"] is False
    (crossing,) = told["crossings"]
    assert crossing["low"] < crossing["value"] < crossing["high"]
    assert told["best"] in told["possible"]
    assert {variant["rollouts"] for variant in told["variants"]} == {10_000}
    assert balance(*words).json() == told


@pytest.mark.parametrize("field", ["rules.x=0:1", "rules.shape=[line, hump]", "rules.n=0:12"])
def test_a_folder_holds_the_values_the_curve_and_the_page(
    balance: Balance, files: Files, field: str
) -> None:
    out = files.folder / "out"
    words = ("--target", "win_rate=0.01", "--rollouts", 500, "-q", "--out", out)
    done = balance("tune", files.write(LINE), field, *words)
    assert done.code == 0
    names = {"values.csv", "curve.png", "curve.svg", "report.html", "summary.json"}
    assert {path.name for path in out.iterdir()} == names
    header, *rows = (out / "values.csv").read_text("utf-8").splitlines()
    assert header.split(",")[:3] == [field.partition("=")[0], "metric", "estimate"]
    assert sum(row.endswith(",True") for row in rows) == 1  # the best
    assert "1.00%" in (out / "report.html").read_text("utf-8")


def test_the_table_marks_the_nearest_the_possible_and_what_is_now(
    balance: Balance, files: Files
) -> None:
    file = files.write(DICE)
    words = ("--target", "win_rate=0.375", "--rollouts", 5_000, "-q")
    done = balance("tune", file, "rules.thresholds.1=9:13", *words)
    rows = [line.split() for line in done.out.splitlines() if "% .. " in line and "•" not in line]
    assert [row[0] for row in rows[:5]] == ["9", "10", "11", "12", "13"]
    assert [row[-1] for row in rows[1:4:2]] == ["now", "nearest"]
    assert rows[3][-2] == "37.50%"  # exact


def test_another_variant_is_tuned_if_it_is_named(balance: Balance, files: Files) -> None:
    file = files.write("game: curve\nvariants: {a: {}, b: {rules: {shape: hump}}}\n")
    words = ("rules.x=[0.5]", "--target", "win_rate=1", "--rollouts", 200, "-q", "--json")
    told = balance("tune", file, *words, "--variant", "b").json()
    assert (told["variant"], told["status"]) == ("b", "met")
    assert balance("tune", file, *words).json()["status"] == "out of reach"


LARGE = "1" + 350 * "0"
MALFORMED = "write it as metric=number, like win_rate=0.4"


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("win_rate", MALFORMED),
        ("win_rate=", MALFORMED),
        ("win_rate=high", MALFORMED),
        ("win_rate=true", MALFORMED),
        ("win_rate=.nan", MALFORMED),
        ("win_rate=1e999", MALFORMED),
        (f"win_rate={LARGE}", MALFORMED),
        ("win_rate=[0.1, 0.2]", MALFORMED),
        ("win_rate=0.1=0.2", MALFORMED),
        ("win_rat=0.3", "--target win_rat: unknown metric (did you mean win_rate?); has: "),
        ("=0.3", "unknown metric"),
    ],
)
def test_a_target_that_is_none_is_a_fault(
    balance: Balance, files: Files, target: str, message: str
) -> None:
    said = balance.fault("tune", files.write(LINE), "rules.x=0:1", "--target", target, "-q")
    assert said.startswith("--target")
    assert message in said


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("rules.y=0:1", "rules.y=0: rules.y: unknown key"),
        ("rules.y", "rules.y: say from where to where, like rules.y=1:10"),
        ("rules.x=0:2", "rules.x=1.2: rules.x: must be 1 or less"),
        ("rules.x=[0.5, 1.5]", "rules.x=1.5: rules.x: must be 1 or less"),
        ("rules.n=[1, 1.5]", "rules.n=1.5: rules.n: must be a whole number"),
        ("rules.n=9:1", "rules.n=9:1: the range goes down; write 1:9"),
        ("rules.n=1:9:0", "rules.n=1:9:0: the step must be more than 0"),
        ("rules.n", "rules.n: 1,001 values are too many; 1,000 at most"),
        ("rules.shape=[line, wave]", "rules.shape=wave: rules.shape: must be line"),
        ("rules.x=[[0.1], [0.2]]", "rules.x: can be tuned over numbers or words (got a list)"),
        ("rules.x=[0.1, 0.1]", "one value stands there twice"),
        ("rules.x=[]", "write a range like"),
        ("rules.x=[0.1", "this is not YAML"),
        ("rules.x=0:1e999:1", "write a range like"),
        ("rules.x=-1e999:0:1", "write a range like"),
        (f"rules.x=0:{LARGE}", "write a range like"),
        ("rules.x=0:1:1e-320", "values are too many"),
        ("=0:1", "write a range like"),
        ("run.seed=1:3", "run.seed=1:3: must begin with rules. or policies.;"),
        ("run.rollouts=[10, 20]", "run.rollouts=[10, 20]: must begin with rules. or policies.;"),
        ("policies.all.bail=1:3", "policies.all.bail=1: policies.all: nobody plays here"),
    ],
)
def test_a_field_or_a_value_that_cannot_be_used_is_a_fault(
    balance: Balance, files: Files, field: str, message: str
) -> None:
    words = ("--target", "win_rate=0.3", "--rollouts", 100, "-q")
    assert message in balance.fault("tune", files.write(LINE), field, *words)


def test_a_metric_that_some_value_takes_away_is_a_fault(balance: Balance, files: Files) -> None:
    words = ("tune", files.write(LINE), "rules.shape=[line, silent]", "-q", "--target", "heads=0.3")
    assert balance.fault(*words) == "--target heads: base, rules.shape=silent has none"
    silent = files.write(LINE.replace("line", "silent"))
    said = balance.fault("tune", silent, "rules.x=0:1", "-q", "--target", "heads=0.3")
    assert said == "--target heads: base has none"


def test_rotated_seats_need_the_same_number_of_players(balance: Balance, files: Files) -> None:
    file = files.write(
        "game: bank\nrules: {players: 4}\npolicies: {all: {name: random}}\n"
        "run: {rotate_seats: true}\n"
    )
    words: Sequence[object] = ("rules.players=[4, 3]", "-q", "--target", "policy_share.1=0.25")
    said = balance.fault("tune", file, *words)
    assert said == "rules.players: rotated seats need the same number of players"
