"""Parts of a game alone: `stage:` in a scenario, exact values beside simulated ones."""

from pathlib import Path

import pytest

from balance.results import reach_curves, reach_table, result_json
from balance.scenario import load_scenario
from balance.simulate import simulate
from balance.verdicts import verdicts
from tests.balance.command import Balance
from tests.balance.scenario_files import Files

SHIPPED = Path(__file__).parents[2] / "scenarios"
DICE = "game: vault\nstage: dice\nrules: {dice: 3d6, thresholds: [10, 15, 20]}\n"


def test_the_shipped_thresholds_lie_within_their_intervals_of_the_exact_chances() -> None:
    """36 intervals of 99.99 % each: more than one outside is a fault, not luck."""
    scenario = load_scenario(SHIPPED / "vault" / "thresholds.yaml")
    table = reach_table(simulate(scenario))
    assert len(table) == 36
    wide = 2.0  # a 95 % interval, twice as wide
    outside = 0
    for row in table.to_dict("records"):
        low = row["estimate"] - wide * (row["estimate"] - row["low"])
        high = row["estimate"] + wide * (row["high"] - row["estimate"])
        outside += not low <= row["exact"] <= high
    assert outside <= 1


def test_the_exact_chance_stands_beside_the_simulated_one_in_the_json(files: Files) -> None:
    result = result_json(simulate(files.load(DICE + "run: {rollouts: 100}")))
    assert (result["game"], result["stage"]) == ("vault", "dice")
    exact = {m["metric"]: m["exact"] for m in result["variants"][0]["metrics"]}
    assert exact["reach.1"] == exact["win_rate"] == 135 / 216
    assert exact["reach.2"] == 20 / 216
    assert exact["reach.3"] == 0
    assert exact["total"] == 10.5
    assert "reach.4" not in exact


def test_a_game_without_a_stage_says_nothing_of_one(files: Files) -> None:
    text = "game: vault\npolicies: {all: {name: simple}}\nrun: {rollouts: 5}\n"
    result = result_json(simulate(files.load(text)))
    assert "stage" not in result
    assert all(m["exact"] is None for m in result["variants"][0]["metrics"])


def test_dead_thresholds_are_named(files: Files) -> None:
    said = verdicts(simulate(files.load(DICE + "run: {rollouts: 10}")))
    assert said == ["base: these dice cannot reach: 20"]


def test_the_curves_are_exact(files: Files) -> None:
    scenario = files.load(DICE)
    table = reach_curves(scenario.game, scenario.variants[0].rules)
    assert table.loc[3].tolist() == [135 / 216, 20 / 216, 0]
    assert table.index.name == "dice"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "game: vault\nstage: dize\n",
            "s.yaml:2: stage: must be one of: dice (got dize) (did you mean dice?)",
        ),
        ("game: burgle\nstage: dice\n", "s.yaml:2: stage: burgle has no stages (got dice)"),
        (
            DICE + "policies: {all: {name: simple}}\n",
            "s.yaml:4: policies.all: nobody plays here: leave policies out",
        ),
        (
            "game: vault\nstage: dice\nrules: {dice: 3d6+x}\n",
            "s.yaml:3: rules.dice: write dice like 3d6, 2d23+d12, or a list like "
            "[d8, [0, 0, 1, 2]] (got 3d6+x)",
        ),
    ],
)
def test_faults_are_said_in_one_line(files: Files, text: str, message: str) -> None:
    assert files.fault(text) == message


def test_the_report_of_dice_has_curves(balance: Balance, files: Files, tmp_path: Path) -> None:
    path = files.write(DICE)
    done = balance("run", path, "--rollouts", 50, "--out", tmp_path / "out", "-q")
    assert done.code == 0
    assert "exact" in done.out
    assert "62.50%" in done.out
    made = {file.name for file in (tmp_path / "out").iterdir()}
    assert made == {
        *("reach-base.png", "reach-base.svg"),
        *("report.html", "summary.csv", "summary.json"),
    }


def test_all_shipped_scenarios_can_be_read() -> None:
    files = [path for path in SHIPPED.rglob("*.yaml") if "experts" not in path.parts]
    assert len(files) > 20
    for path in files:
        scenario = load_scenario(path)
        for variant in scenario.variants:
            scenario.game.pack(variant.rules, variant.policies)


def test_a_robbery_is_told_for_the_seats_that_are_there(balance: Balance, files: Files) -> None:
    rules = "{players: 4, pot: 6, stakes: [2, 3, 5, 0], judge: 1, robber: 2, ties: together}"
    done = balance("trace", files.write(f"game: bank\nstage: robbery\nrules: {rules}\n"))
    assert done.out.splitlines() == ["stakes: [2, 3, 5, 0]", "gains: [0, 0, 5, 0]", "short"]
