"""`balance solve`: payoffs, a case worked by hand, exploitability, and the policy file."""

from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.errors import InputError
from balance.games.bank_stage import RobberyRules, bank_states
from balance.scenario import Scenario, load_scenario
from balance.studies.solve import (
    Payoffs,
    Solution,
    equilibrium,
    mixes_yaml,
    payoffs_of,
    solutions_json,
    solve,
    summary,
)
from balance.values import Model
from tests.balance.command import Balance
from tests.balance.scenario_files import Files
from tests.oracles.bank_robbery import resolve

SHIPPED = Path(__file__).parents[2] / "scenarios" / "bank" / "robbery.yaml"
STAGE = """\
game: bank
stage: robbery
rules: {players: 2, max_stake: 2, pot: 3, stake_on_shortfall: lost}
policies: {all: {name: random}}
"""
LOST = {"stake_on_shortfall": "lost"}
SPECIALS = ("lady", "guard", "judge", "thief", "multiply")
SMALL: dict[str, Any] = {
    **{"money": {2: 2, 5: 2}, "lady": 1, "guard": 1, "judge": 1, "thief": 1, "multiply": 1}
}


def table_of(**fields: Any) -> Payoffs:
    return payoffs_of(RobberyRules(**{"players": 2, "max_stake": 2, **fields}))


def gap_of(table: Payoffs, iterations: int) -> float:
    """What a best response to the mix gains beyond its value."""
    mix, _ = equilibrium(table, iterations)
    gains = table.of(mix)
    return float(gains.max() - mix @ gains)


# Two players, stakes 0, 1 or 2, no specials; the robber's seat by lot breaks ties. What stake s
# gains against stake t, rows s = 0, 1, 2 and columns t = 0, 1, 2:
#
#   pot 4 pays both, whatever they stake: s for every t.
#       0 0 0 / 1 1 1 / 2 2 2. Stake 2 is strictly best: all stake 2, value 2.
#   pot 3, returned: it fails only for 2 against 2, where one of the two is paid: 2 * 1/2 = 1.
#       0 0 0 / 1 1 1 / 2 2 1. With a chance q that the other does not stake 2, stake 2 gains
#       1 + q and stake 1 gains 1: only q = 0 is an equilibrium. All stake 2, value 1.
#   pot 3, lost: 2 against 2 is now 2 or -2: 0.
#       0 0 0 / 1 1 1 / 2 2 0. Stake 0 is never played. With a chance p of stake 1, stake 1 gains
#       1 and stake 2 gains 2p: p = 1/2, value 1, and there is no other symmetric equilibrium.
#   pot 3, together: 2 against 2 is 0 without a loss: as with `lost`.
#   pot 2, lost: 1 against 1 pays both; 2 is paid if the other stakes nothing, is lost against 1
#       (who comes first), and is even against 2.
#       0 0 0 / 1 1 1 / 2 -2 0. Against any mix with chances a, p, q of 0, 1, 2 stake 1 gains 1 and
#       stake 2 gains 2a - 2p, which is over 1 only for a > 1/2; but stake 0 is never played.
#       All stake 1, value 1.
BY_HAND: list[tuple[dict[str, Any], list[list[float]], list[float], float]] = [
    ({"pot": 4}, [[0, 0, 0], [1, 1, 1], [2, 2, 2]], [0, 0, 1], 2.0),
    ({"pot": 3}, [[0, 0, 0], [1, 1, 1], [2, 2, 1]], [0, 0, 1], 1.0),
    ({"pot": 3, **LOST}, [[0, 0, 0], [1, 1, 1], [2, 2, 0]], [0, 0.5, 0.5], 1.0),
    ({"pot": 3, "ties": "together"}, [[0, 0, 0], [1, 1, 1], [2, 2, 0]], [0, 0.5, 0.5], 1.0),
    ({"pot": 2, **LOST}, [[0, 0, 0], [1, 1, 1], [2, -2, 0]], [0, 1, 0], 1.0),
]


@pytest.mark.parametrize(("fields", "gains", "mix", "value"), BY_HAND)
def test_cases_worked_by_hand(
    fields: dict[str, Any], gains: list[list[float]], mix: list[float], value: float
) -> None:
    table = table_of(**fields)
    assert table.gains.tolist() == gains
    assert table.others.tolist() == [[0], [1], [2]]
    assert table.ways.tolist() == [1, 1, 1]
    found, steps = equilibrium(table, 4_000)
    assert steps == 4_000
    assert found == pytest.approx(mix, abs=0.002)
    assert found @ table.of(found) == pytest.approx(value, abs=0.005)
    assert gap_of(table, 4_000) == pytest.approx(0.0, abs=0.005)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(
    "fields",
    [
        {"pot": 5},
        {"pot": {3: 1, 6: 3}, "judge": 1, **LOST},
        {"pot": 4, "ties": "together", "multiply": 1},
        {"pot": 4, "thief": 1, "guard": 1},
        {"cards": 2, "deck": SMALL, "specials": "published"},
    ],
)
def test_payoffs_are_those_of_every_seating_and_robber(
    players: int, fields: dict[str, Any]
) -> None:
    """The others' stakes in any order, and any seat robs: by the twin, with no symmetry used."""
    rules = RobberyRules(players=players, max_stake=2, **fields)
    switches = {
        name: getattr(rules, name)
        for name in ("stake_on_shortfall", "ties", "guard_reward", "specials")
    }
    table = payoffs_of(rules)
    total: dict[tuple[int, tuple[int, ...]], list[float]] = {}
    for stakes in product(range(3), repeat=players):
        gains = np.zeros(players)
        for pot, specials, chance in bank_states(rules):
            lying = [
                name for i, name in enumerate(SPECIALS) for _ in range(specials >> 8 * i & 255)
            ]
            for robber in range(1, players + 1):
                twin = resolve(switches, [*lying, str(pot)], stakes, robber)
                gains += chance / players * np.array(twin.gains)
        for seat, stake in enumerate(stakes):
            others = tuple(sorted(stakes[:seat] + stakes[seat + 1 :]))
            total.setdefault((stake, others), []).append(float(gains[seat]))
    for column, profile in enumerate(table.others.tolist()):
        for stake in range(3):
            seen = total[stake, tuple(profile)]
            assert len(seen) == players * table.ways[column]
            assert table.gains[stake, column] == pytest.approx(np.mean(seen))


@pytest.mark.parametrize(("players", "stakes"), [(2, 4), (3, 4), (4, 3), (5, 2)])
def test_the_orders_of_the_others_stakes_add_up_to_all(players: int, stakes: int) -> None:
    table = table_of(players=players, max_stake=stakes, pot=3)
    assert table.ways.sum() == (stakes + 1) ** (players - 1)
    mix = np.arange(1.0, stakes + 2)
    mix /= mix.sum()
    chances = table.ways * np.prod(mix[table.others], axis=1)
    assert chances.sum() == pytest.approx(1.0)


HARD: list[dict[str, Any]] = [
    {"players": 3, "pot": 7, "max_stake": 5, **LOST},
    {"players": 4, "pot": 8, "max_stake": 4, "ties": "together", **LOST},
    {"players": 3, "pot": 5, "max_stake": 4, "ties": "together"},
    {"players": 3, "cards": 3, "max_stake": 6},
    {"players": 5, "pot": {4: 1, 9: 1}, "max_stake": 3, "judge": 1},
    # the last mix of this one goes on swinging
    {"players": 4, "pot": {2: 1, 6: 1}, "max_stake": 3, "judge": 1, "ties": "together", **LOST},
]


@pytest.mark.parametrize("fields", HARD)
def test_exploitability_is_never_negative_and_never_grows_with_more_iterations(
    fields: dict[str, Any],
) -> None:
    table = table_of(**fields)
    gaps = [gap_of(table, iterations) for iterations in (50, 100, 150, 200, 300, 1_000)]
    assert all(gap >= -1e-12 for gap in gaps)
    assert all(after <= before + 1e-12 for before, after in pairwise(gaps))


def test_a_few_iterations_more_do_not_make_it_worse_either() -> None:
    for fields in HARD:
        table = table_of(**fields)
        gaps = [gap_of(table, iterations) for iterations in range(1, 60)]
        assert all(after <= before + 1e-12 for before, after in pairwise(gaps))


def test_the_shipped_robbery_is_solved_to_half_a_percent_of_the_pot() -> None:
    scenario = load_scenario(SHIPPED)
    found = solve(scenario, scenario.variants, iterations=1_000)
    assert [one.variant for one in found] == [variant.name for variant in scenario.variants]
    for one in found:
        assert 0 <= one.exploitability < 0.005 * one.pot
        assert one.pot == pytest.approx(3 * 111 / 41)
        assert one.mix.sum() == pytest.approx(1.0)
        assert (one.mix >= 0).all()
        assert one.iterations == 1_000


def test_the_value_and_gap_are_those_of_the_mix_that_is_given(files: Files) -> None:
    scenario = files.load(STAGE + "variants: {lost: {}, pot 7: {rules: {pot: 7, players: 3}}}\n")
    for one in solve(scenario, scenario.variants, iterations=300):
        rules: Any = scenario.variant(one.variant).rules
        gains = payoffs_of(rules).of(one.mix)
        assert one.value == pytest.approx(one.mix @ gains)
        assert one.exploitability == pytest.approx(max(gains) - one.value)


def test_progress_is_reported_and_never_gets_worse() -> None:
    told: list[tuple[str, int, float]] = []
    table = table_of(players=3, pot=7, max_stake=5, **LOST)
    equilibrium(table, 220, "x", lambda *words: told.append(words))
    assert [step for _, step, _ in told] == [50, 100, 150, 200]
    gaps = [gap for _, _, gap in told]
    assert gaps == sorted(gaps, reverse=True)
    assert {name for name, _, _ in told} == {"x"}


def test_the_stakes_of_the_scenario_do_not_matter(files: Files) -> None:
    values = []
    for stakes in ("policies", "[0, 1]", "{uniform: [0, 2]}"):
        policies = STAGE if stakes == "policies" else STAGE.replace("policies:", "x-none:")
        scenario = files.load(policies.replace("pot: 3", f"pot: 3, stakes: {stakes}"))
        (one,) = solve(scenario, scenario.variants, iterations=100)
        values.append((one.mix.tolist(), one.value))
    assert values[0] == values[1] == values[2]


def test_a_robber_that_is_given_does_not_matter_either(files: Files) -> None:
    found = []
    for robber in ("random", 1, 2):
        scenario = files.load(STAGE.replace("pot: 3", f"pot: 3, robber: {robber}"))
        found.append(solve(scenario, scenario.variants, iterations=100)[0].mix.tolist())
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(
    "text",
    [
        "game: bank\npolicies: {all: {name: random}}\n",
        "game: vault\npolicies: {all: {name: random}}\n",
    ],
)
def test_only_a_robbery_alone_can_be_solved(files: Files, text: str) -> None:
    scenario = files.load(text)
    with pytest.raises(InputError) as caught:
        solve(scenario, scenario.variants)
    assert str(caught.value).replace(f"{files.folder}/", "") == (
        "s.yaml: only a robbery alone can be solved: game: bank, stage: robbery"
    )


def test_too_many_stakes_to_enumerate_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        table_of(players=5, max_stake=60, pot=9)
    message = str(caught.value)
    assert message == (
        "rules.max_stake: 635,376 combinations of the others' stakes are too many to enumerate; "
        "lower max_stake or players"
    )


def test_the_summary_names_value_gap_and_the_stakes_that_are_played() -> None:
    mix = np.array([0.25, 0.0, 0.7499, 0.0001])
    lines = summary([Solution("base", mix, 1.5, 0.02, 4.0, 5_000)])
    assert lines[0] == (
        "base: value 1.500 coins a seat (mean pot 4.00); a best response gains 0.0200 more "
        "(0.50% of the pot), 5,000 steps"
    )
    assert [line.split()[:3] for line in lines[1:]] == [
        ["stake", "0", "25.0%"],
        ["stake", "2", "75.0%"],
    ]
    assert "0.00% of the pot" in summary([Solution("base", mix, 0.0, 0.0, 0.0, 1)])[0]


def test_the_json_has_everything_of_every_variant(files: Files) -> None:
    scenario = files.load(STAGE)
    (one,) = solve(scenario, scenario.variants, iterations=200)
    told = solutions_json([one], scenario)
    assert (told["game"], told["stage"]) == ("bank", "robbery")
    (variant,) = told["variants"]
    assert variant == {
        "name": one.variant,
        "mix": one.mix.tolist(),
        "value": one.value,
        "exploitability": one.exploitability,
        "mean_pot": 3.0,
        "iterations": 200,
    }


CARDS = """\
game: bank
stage: robbery
rules: {players: 2, max_stake: 6}
policies: {all: {name: random}}
variants:
  one: {rules: {cards: 1}}
  two: {rules: {cards: 2}}
"""


def written(files: Files) -> tuple[Scenario, list[Solution]]:
    """A policy file `mixes.yaml` of two numbers of cards."""
    scenario = files.load(CARDS)
    found = solve(scenario, scenario.variants, iterations=400)
    files.write(mixes_yaml(found, scenario, "balance solve s.yaml"), "mixes.yaml")
    return scenario, found


def test_the_policy_file_says_where_it_comes_from_and_has_a_mix_for_each_number_of_cards(
    files: Files,
) -> None:
    _, found = written(files)
    lines = (files.folder / "mixes.yaml").read_text("utf-8").splitlines()
    assert lines[0] == "# Made by: balance solve s.yaml"
    assert [line.split(":")[0] for line in lines[2:4]] == ["#   one", "#   two"]
    assert lines[4:6] == ["name: equilibrium", "mixes:"]
    for cards, one, line in zip((1, 2), found, lines[6:], strict=True):
        key, _, mix = line.partition(": ")
        assert key == f"  {cards}"
        numbers = [float(word) for word in mix.strip("[]").split(",")]
        assert numbers == pytest.approx(one.mix[: len(numbers)], abs=0.00006)
        assert one.mix[len(numbers) :].sum() < 0.01


def test_the_policy_file_is_read_back_by_a_scenario_as_equilibrium(files: Files) -> None:
    _, found = written(files)
    for head in ("game: bank\n", "game: bank\nstage: robbery\nrules: {cards: 2}\n"):
        scenario = files.load(f"{head}policies: {{all: {{file: mixes.yaml}}}}\n")
        policy: Any = scenario.variants[0].policies[0]
        assert isinstance(policy, Model)
        assert policy.name == "equilibrium"
        for cards, one in zip((1, 2), found, strict=True):
            mix = policy.mixes[cards]
            assert mix == pytest.approx(one.mix[: len(mix)], abs=0.00006)


def test_the_command_prints_a_summary_or_json_and_writes_the_file(
    balance: Balance, files: Files
) -> None:
    file = files.write(CARDS)
    out = files.folder / "out.yaml"
    done = balance("solve", file, "--iterations", 100, "--out", out)
    assert done.code == 0
    assert "one: value" in done.out
    assert "name: equilibrium" in out.read_text("utf-8")
    done = balance("solve", file, "--iterations", 100, "--variant", "two", "--json")
    assert [variant["name"] for variant in done.json()["variants"]] == ["two"]


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("game: bank\npolicies: {all: {name: random}}\n", (), "only a robbery alone can be solved"),
        (STAGE, ("--variant", "other"), "there is no variant other"),
        (STAGE, ("--set", "rules.pot=none"), "rules.pot"),
        (STAGE.replace("pot: 3, ", ""), (), "pot: give pot or cards, one of the two"),
    ],
)
def test_faults_are_told_in_one_line(
    balance: Balance, files: Files, text: str, words: tuple[str, ...], message: str
) -> None:
    assert message in balance.fault("solve", files.write(text), *words)
