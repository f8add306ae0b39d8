"""What moves the headline: every step of every field, its paired effect, and what is left out."""

import csv
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import pytest

from balance.answers.influence import influence_answer
from balance.errors import InputError
from balance.scenario import RunSettings, Scenario
from balance.simulate import Player, Simulation
from balance.studies.influence import Effect, Influence, influence, steps_of
from balance.tally import Counted, Tallies
from reports.grid import grid_rows
from tests.balance.command import Balance
from tests.balance.scenario_files import BASE, Files
from tests.coin import COIN as COIN_GAME

COIN = "game: coin\nrules: {chance: 0.5}\nrun: {rollouts: 300}\n"
STANDARD_ERRORS = 4
STEPS = {  # of the coin as it is
    *("rules.chance 0.5 → 0.45", "rules.chance 0.5 → 0.55", "rules.trials 1 → 2"),
    *("rules.bonus 0 → -1", "rules.bonus 0 → 1", "rules.flag false → true"),
    *("rules.independent false → true", "rules.key 0 → 1"),
}


def found_on(scenario: Scenario, seed: int = 1, n: int = 300) -> Influence:
    played = replace(scenario, run=RunSettings(rollouts=n, seed=seed))
    return influence(played, played.variants[0], workers=1)


def name_of(effect: Effect) -> str:
    return f"{effect.step.knob.path} {effect.step.change}"


def changes_of(scenario: Scenario, name: str | None = None) -> tuple[set[str], dict[str, str]]:
    """The steps of a variant by name, and what is left out."""
    variant = scenario.variants[0] if name is None else scenario.variant(name)
    steps, left_out = steps_of(scenario, variant)
    return {f"{step.knob.path} {step.change}" for step, _ in steps}, left_out


# the steps


def test_every_number_has_a_step_each_way_and_every_switch_is_flipped(
    files: Files, coin_game: None
) -> None:
    assert changes_of(files.load(COIN)) == (STEPS, {})


def test_each_step_makes_one_variant_that_differs_in_that_alone(
    files: Files, coin_game: None
) -> None:
    scenario = files.load(COIN)
    before = scenario.variants[0].rules.model_dump()
    steps, _ = steps_of(scenario, scenario.variants[0])
    for step, changed in steps:
        assert changed.name == f"{step.knob.path} {step.change}"
        field = step.knob.path.removeprefix("rules.")
        assert changed.rules.model_dump() == {**before, field: step.value}
        if step.knob.kind == "switch":
            assert step.side == 0
        else:
            assert step.side == (1 if step.value > before[field] else -1)


def test_a_real_number_goes_by_a_tenth_of_itself(files: Files, coin_game: None) -> None:
    steps, _ = changes_of(files.load("game: coin\nrules: {chance: 0.9}\n"))
    assert {step for step in steps if "chance" in step} == {
        *("rules.chance 0.9 → 0.81", "rules.chance 0.9 → 0.99"),
    }
    steps, _ = changes_of(files.load("game: coin\nrules: {chance: 0}\n"))
    assert {step for step in steps if "chance" in step} == {"rules.chance 0 → 0.1"}
    steps, _ = changes_of(files.load("game: coin\nrules: {chance: 1}\n"))
    assert {step for step in steps if "chance" in step} == {"rules.chance 1 → 0.9"}


def test_a_literal_has_a_step_to_every_other_word(files: Files) -> None:
    steps, _ = changes_of(files.load("game: bank\npolicies: {all: {name: simple}}\n"))
    assert {step for step in steps if "rules.after_robbery" in step} == {
        *("rules.after_robbery discard → keep_money", "rules.after_robbery discard → refill"),
    }
    assert {step for step in steps if step.startswith("rules.tiles ")} == {
        "rules.tiles {play: 4, look: 1, reveal: 1, rob: 1} → choose"
    }


@pytest.mark.parametrize(("stealth", "lowest"), [(0, 0), (2, 2), (7, 7)])
def test_a_switch_that_is_off_is_turned_to_the_lowest_that_is_allowed(
    files: Files, stealth: int, lowest: int
) -> None:
    """A cap below the stealth of the start is refused, so the lowest is that."""
    steps, left_out = changes_of(files.load(BASE, f"rules.stealth={stealth}"))
    assert {step for step in steps if "rules.stealth_cap" in step} == {
        f"rules.stealth_cap null → {lowest}"
    }
    assert not left_out


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        (
            "game: burgle\nrules: {characters: [hawk, none, none, none]}\n",
            {"rules.players 4 → 3": "characters: 4 for 3 seats; name one for each"},
        ),
        (
            "game: burgle\nrules: {stealth_cap: 2}\n",
            {
                "rules.stealth 2 → 3": "stealth: 3 is over stealth_cap: 2; raise the cap or write "
                "null",
                "rules.stealth_cap 2 → 1": "stealth: 2 is over stealth_cap: 1; raise the cap or "
                "write null",
            },
        ),
        (
            "game: burgle\nrules: {peek_totals: [62]}\n",
            {"rules.peek_totals.1 62 → 63": "must be 62 or less (got 63)"},
        ),
        (
            "game: vault\nrules: {thresholds: [10, 11]}\n",
            {
                "rules.thresholds.1 10 → 11": "thresholds: one stands there twice",
                "rules.thresholds.2 11 → 10": "thresholds: one stands there twice",
            },
        ),
        (
            "game: bank\nrules: {hand: 5, deck: {money: {5: 9}}}\n",
            dict.fromkeys(
                [
                    "rules.players 4 → 5",
                    "rules.banks 5 → 6",
                    "rules.hand 5 → 6",
                    "rules.deck.money.5 9 → 8",
                    *(f"rules.deck.{card} 4 → 3" for card in ("lady", "guard", "judge", "thief")),
                ],
                "deck: ",
            ),
        ),
    ],
)
def test_a_step_that_the_rules_do_not_allow_is_left_out_with_the_reason(
    files: Files, text: str, left_out: dict[str, str]
) -> None:
    if "vault" in text:
        text = text.replace("vault", "vault\nstage: dice")
    else:
        text += "policies: {all: {name: simple}}\n"
    steps, found = changes_of(files.load(text))
    assert set(found) == set(left_out)
    for step, reason in left_out.items():
        assert found[step].startswith(reason)
        assert str(files.folder) not in found[step]
    assert not steps & set(found)


def test_seats_without_a_player_are_a_reason(files: Files) -> None:
    seats = ", ".join(f"{seat}: {{name: simple}}" for seat in range(1, 5))
    _, left_out = changes_of(files.load(f"game: vault\npolicies: {{{seats}}}\n"))
    assert left_out == {
        "rules.players 4 → 3": "must be all or a seat from 1 to 3",
        "rules.players 4 → 5": "all is missing: write policies: {all: {name: expert}}",
    }


def test_rotated_seats_keep_their_number(files: Files) -> None:
    text = "game: vault\npolicies: {all: {name: simple}}\nrun: {rotate_seats: true}\n"
    steps, left_out = changes_of(files.load(text))
    assert set(left_out) == {"rules.players 4 → 3", "rules.players 4 → 5"}
    assert set(left_out.values()) == {"rotated seats need as many players"}
    assert not any("rules.players" in step for step in steps)


def test_what_another_variant_does_not_allow_is_not_left_out(files: Files) -> None:
    text = BASE + "variants: {free: {}, tied: {rules: {characters: [hawk, none, none, none]}}}\n"
    scenario = files.load(text)
    assert changes_of(scenario, "free")[1] == {}
    assert set(changes_of(scenario, "tied")[1]) == {"rules.players 4 → 3"}


# the effects


def test_the_effect_of_a_step_covers_the_truth_as_often_as_it_should(
    files: Files, coin_game: None
) -> None:
    """100 seeds of n = 300; the chance moves the coin by 5 points each way, the rest by nothing.

    At least 95 % less four standard errors; what sees the same numbers has no difference at all.
    """
    seeds = 100
    truth = {"rules.chance 0.5 → 0.45": -0.05, "rules.chance 0.5 → 0.55": 0.05}
    inside = dict.fromkeys(STEPS, 0)
    established = dict.fromkeys(STEPS, 0)
    scenario = files.load(COIN)
    for seed in range(seeds):
        for effect in found_on(scenario, seed).effects:
            name = name_of(effect)
            low, high = effect.low or 0.0, effect.high or 0.0
            inside[name] += low <= truth.get(name, 0.0) <= high
            established[name] += effect.established
            if name not in truth and "independent" not in name:
                assert (effect.estimate, effect.p_value) == (0.0, 1.0)
    error = sqrt(seeds * 0.95 * 0.05)
    assert min(inside.values()) > 0.95 * seeds - STANDARD_ERRORS * error
    assert inside["rules.chance 0.5 → 0.45"] < seeds
    assert all(established[name] > 0.9 * seeds for name in truth)
    wrong = 0.05 * seeds + STANDARD_ERRORS * error
    assert all(times < wrong for name, times in established.items() if name not in truth)


def test_of_independent_coins_steps_that_do_nothing_are_seldom_established(
    files: Files, coin_game: None
) -> None:
    """n = 100 seeds: any of these steps at most 5 % of the time, and four standard errors."""
    seeds, wrong, moved = 100, 0, 0
    scenario = files.load(COIN, "rules.independent=true")
    for seed in range(seeds):
        null = [e for e in found_on(scenario, seed, n=100).effects if "chance" not in name_of(e)]
        assert len(null) == 6
        wrong += any(effect.established for effect in null)
        moved += sum(effect.estimate != 0 for effect in null)
    assert moved > 1.5 * seeds  # other numbers by another key, and by those that all see
    assert wrong <= 0.05 * seeds + STANDARD_ERRORS * sqrt(seeds * 0.05 * 0.95)


def test_the_switch_that_does_nothing_is_tied(files: Files, coin_game: None) -> None:
    (flag,) = (e for e in found_on(files.load(COIN)).effects if "flag" in name_of(e))
    assert not flag.established
    assert (flag.low or 0) < 0 < (flag.high or 0)


def test_the_greatest_established_effect_is_first_and_the_tied_ones_follow(
    files: Files, coin_game: None
) -> None:
    found = found_on(files.load("game: coin\nrules: {chance: 0.6, independent: true}\n"), n=3000)
    sizes = [(effect.established, abs(effect.estimate or 0)) for effect in found.effects]
    assert sizes == sorted(sizes, reverse=True)
    assert [name_of(effect) for effect in found.effects[:2]] in (
        ["rules.chance 0.6 → 0.54", "rules.chance 0.6 → 0.66"],
        ["rules.chance 0.6 → 0.66", "rules.chance 0.6 → 0.54"],
    )
    assert [established for established, _ in sizes] == [True] * 2 + [False] * (len(sizes) - 2)
    # tied, and yet not 0: what sees other numbers
    assert any(size > 0 for established, size in sizes if not established)


def test_all_steps_are_tested_together_and_what_is_tied_comes_last(
    files: Files, coin_game: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps made by hand, of 2000 rollouts: wins more, and wins less, than as it is.

    20 and 0 are surely apart, 400 and 370 are not though the difference is greater, and 8 and 0
    are p = 1/128: apart alone, but not of eight steps.
    """
    scenario = files.load(COIN)
    steps, _ = steps_of(scenario, scenario.variants[0])
    base = np.arange(2000) % 2
    made = [base]
    for more, less in ((20, 0), (400, 370), (8, 0), *[(0, 0)] * 5):
        won = base.copy()
        won[0 : 2 * more : 2] = 1
        won[1 : 1 + 2 * less : 2] = 0
        made.append(won)
    outcomes = [np.stack([won, won], axis=1).astype(np.int32) for won in made]
    tallies = Tallies.of(outcomes, Counted.of(COIN_GAME.columns, COIN_GAME.headline))

    def simulate(played: Scenario, *_: Any) -> Simulation:
        return Simulation(played, tallies, "rollouts")

    monkeypatch.setattr("balance.studies.influence.simulate", simulate)
    effects = influence(scenario, scenario.variants[0]).effects
    assert [effect.step for effect in effects[:3]] == [step for step, _ in steps[:3]]
    assert [effect.estimate for effect in effects[:4]] == [0.01, 0.015, 0.004, 0.0]
    assert [effect.established for effect in effects] == [True] + [False] * 7
    assert effects[2].p_value == 1 / 128


def test_the_effects_are_the_differences_from_the_variant_as_it_is(
    files: Files, coin_game: None
) -> None:
    found = found_on(files.load(COIN))
    base, *changed = found.simulation.tallies.variants
    n = found.simulation.tallies.rollouts
    by_name = dict(
        zip([v.name for v in found.simulation.scenario.variants[1:]], changed, strict=True)
    )
    for effect in found.effects:
        won = by_name[name_of(effect)].moments(0)[0]
        assert effect.gives == won / n
        assert effect.estimate == pytest.approx((won - base.moments(0)[0]) / n)


def test_shares_have_effects_as_well(files: Files, coin_game: None) -> None:
    """n = 20,000; three quarters of the step of the chance, within four standard errors."""
    found = found_on(files.load("game: share_coin\nrules: {chance: 0.5}\n"), n=20_000)
    (up,) = (e for e in found.effects if name_of(e) == "rules.chance 0.5 → 0.55")
    half = ((up.high or 0) - (up.low or 0)) / 2
    assert abs((up.estimate or 0) - 0.75 * 0.05) < STANDARD_ERRORS / 1.96 * half
    assert up.established


def test_the_table_has_a_row_for_each_effect_in_their_order(files: Files, coin_game: None) -> None:
    found = found_on(files.load(COIN))
    table = found.table
    assert [f"{row['field']} {row['change']}" for row in table.to_dict("records")] == [
        name_of(effect) for effect in found.effects
    ]
    assert set(table["n"]) == {300}
    assert table["before"].tolist() == [c.partition(" → ")[0] for c in table["change"]]
    assert table["after"].tolist() == [c.partition(" → ")[2] for c in table["change"]]


# the answer


def test_the_answer_shows_what_is_established_and_names_the_rest(
    files: Files, coin_game: None
) -> None:
    answer = influence_answer(found_on(files.load(COIN), n=2000))
    grid = answer.grids["effects"]
    assert {row[1] for row in grid_rows(grid)} == {"0.5 → 0.45", "0.5 → 0.55"}
    assert "(all 8 steps together, Holm): " in grid.note
    for field in ("trials", "bonus", "flag", "independent", "key"):
        assert field in grid.note
    assert "chance" not in grid.note
    assert len(answer.verdicts) == 3
    assert answer.verdicts[0].startswith("the widest change seen: rules.chance 0.5 → 0.")
    assert answer.verdicts[1] == "up: rules.chance 0.5 → 0.55"
    assert answer.verdicts[2] == "down: rules.chance 0.5 → 0.45"


def test_where_nothing_is_established_that_is_said(files: Files, coin_game: None) -> None:
    answer = influence_answer(found_on(files.load(COIN), n=5))
    assert answer.verdicts == ["no step of 8 is established to move the win rate"]
    assert len(grid_rows(answer.grids["effects"])) == 4


# the command


def test_burgle_goes_end_to_end(balance: Balance, files: Files) -> None:
    out = files.folder / "out"
    text = "game: burgle\nrules: {crack: {flush: 3}}\npolicies: {all: {name: simple}}\n"
    path = files.write(text)
    done = balance("influence", path, "--rollouts", 300, "-q", "--out", out)
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    with (out / "effects.csv").open(encoding="utf-8", newline="") as file:
        shown = list(csv.DictReader(file))
    result = balance("influence", path, "--rollouts", 300, "--json").json()
    steps = {(effect["field"], *map(str, changed(effect))) for effect in result["effects"]}
    wanted, left_out = steps_of(files.load(text), files.load(text).variants[0])
    assert len(steps) == len(result["effects"]) == len(wanted) == 39
    assert result["left_out"] == left_out == {}
    established = [e["field"] for e in result["effects"] if e["established"]]
    assert [row["field"] for row in shown] == established
    assert "rules.crack.flush" in established
    files_of_all = {"effects.csv", "steps.csv", "report.html", "summary.json"}
    assert {entry.name for entry in out.iterdir()} == files_of_all | {"tornado.png", "tornado.svg"}
    said = " ".join(done.out.split())
    tied = {e["field"].removeprefix("rules.") for e in result["effects"] if not e["established"]}
    assert all(f"{name}," in said or f"{name} " in said for name in tied)
    assert "all 39 steps together" in said


def changed(effect: dict[str, Any]) -> tuple[Any, Any]:
    return effect["before"], effect["after"]


def test_the_variant_can_be_named(balance: Balance, files: Files, coin_game: None) -> None:
    path = files.write(COIN + "variants: {a: {}, b: {rules: {chance: 0.2}}}\n")
    for words, chance in (((), 0.5), (("--variant", "b"), 0.2)):
        result = balance("influence", path, *words, "--json").json()
        assert result["study"] == "influence"
        assert {e["before"] for e in result["effects"] if "chance" in e["field"]} == {chance}
    said = balance.fault("influence", path, "--variant", "c")
    assert said.endswith("there is no variant c; it has: a, b")


def test_the_json_is_the_same_bytes_for_any_workers(
    balance: Balance, files: Files, coin_game: None
) -> None:
    words = ("influence", files.write(COIN), "--rollouts", 3000, "--json", "--workers")
    one = balance(*words, 1)
    assert one.out == balance(*words, 2).out
    assert {effect["field"] for effect in one.json()["effects"]} == {
        step.partition(" ")[0] for step in STEPS
    }


def test_what_is_left_out_is_shown(balance: Balance, files: Files) -> None:
    path = files.write("game: vault\nstage: dice\nrules: {dice: 3d6, thresholds: [10, 11]}\n")
    said = " ".join(balance("influence", path, "--rollouts", 50, "-q").out.split())
    assert (
        "left out, not allowed: rules.thresholds.1 10 → 11 (thresholds: one stands there twice); "
        "rules.thresholds.2 11 → 10 (thresholds: one stands there twice)"
    ) in said


def test_one_rollout_of_a_share_is_drawn_without_intervals(
    balance: Balance, files: Files, coin_game: None
) -> None:
    path = files.write("game: share_coin\n")
    done = balance("influence", path, "--rollouts", 1, "-q", "--out", files.folder / "out")
    assert (done.code, done.err) == (0, "")
    assert "- .. -" in done.out


def test_an_interrupt_before_anything_was_played_is_told_in_words(
    balance: Balance, files: Files, coin_game: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(player: Any, done: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Player, "_hand_on", interrupted)
    done = balance("influence", files.write(COIN), "-q", "--out", files.folder / "out")
    assert (done.code, done.err) == (130, "")
    assert "Stopped before anything was simulated." in done.out


def test_rules_with_nothing_to_turn_are_refused(
    files: Files, coin_game: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance.studies.influence.knobs_of", lambda variant: [])
    scenario = files.load(COIN)
    with pytest.raises(InputError, match=r"base has no number and no switch to turn$"):
        influence(scenario, scenario.variants[0])


def test_the_cost_counts_every_step(
    balance: Balance, files: Files, coin_game: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance.cli.options.LONG", 0.0)
    done = balance("influence", files.write(COIN))
    assert done.err.startswith(f"balance: {300 * (1 + len(STEPS)):,} games, about 0 s")
    assert np.all(["games" not in line for line in done.out.splitlines()])
