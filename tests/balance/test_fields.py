"""The numbers and switches of the rules: which there are, and turning one of them."""

from collections.abc import Iterator
from typing import Any

import pytest

from balance.errors import InputError
from balance.fields import Bounds, bounds_at, knobs_of, turned, value_at
from balance.games import game_names, load_game
from balance.scenario import Scenario
from balance.studies.influence import steps_of
from balance.values import Model, show
from tests.balance.scenario_files import Files

PLAYED = "policies: {all: {name: simple}}\n"
TEXTS = {
    "burgle": "game: burgle\n" + PLAYED,
    "vault": "game: vault\n" + PLAYED,
    "vault dice": "game: vault\nstage: dice\n",
    "bank": "game: bank\n" + PLAYED,
    "bank robbery": "game: bank\nstage: robbery\nrules: {pot: 6}\n" + PLAYED,
}
GAMES = pytest.mark.parametrize("game", TEXTS)
CARDS = """\
rules:
  actions:
  - {name: Gift, effect: gain_tokens}
  - {name: Rob, effect: steal_loot, target: leader}
"""


def leaves(value: Any, path: str = "rules") -> Iterator[tuple[str, Any]]:
    """Everything in dumped rules that holds nothing else, by its dotted path."""
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list):
        parts = dict(enumerate(value, start=1)).items()
    else:
        yield path, value
        return
    for key, part in parts:
        yield from leaves(part, f"{path}.{key}")


def leaves_of(rules: Model) -> dict[str, Any]:
    return dict(leaves(rules.model_dump()))


def switches(rules: Model) -> set[str]:
    """The paths of the fields that call themselves switches."""
    fields = type(rules).model_fields.items()
    return {f"rules.{name}" for name, info in fields if "[switch]" in (info.description or "")}


def fault(scenario: Scenario, path: str, value: Any) -> str:
    """What is said of a value that cannot be used, without the option that it begins with."""
    with pytest.raises(InputError) as caught:
        turned(scenario, scenario.variants[0], path, value)
    option, message = f"{path}={show(value)}: ", str(caught.value)
    assert message.startswith(option)
    assert len(message.splitlines()) == 1
    return message.removeprefix(option)


# which knobs there are


def test_every_game_and_stage_is_tried_here() -> None:
    games = [(name, load_game(name)) for name in game_names()]
    parts = [f"{name} {stage}" for name, game in games for stage in game.stages]
    assert set(TEXTS) == {name for name, _ in games} | set(parts)


@GAMES
def test_every_number_every_bool_and_every_switch_is_a_knob(files: Files, game: str) -> None:
    variant = files.load(TEXTS[game]).variants[0]
    found = [knob.path for knob in knobs_of(variant)]
    numbers = {path for path, leaf in leaves_of(variant.rules).items() if is_number(leaf)}
    assert numbers
    assert len(found) == len(set(found))
    assert set(found) == numbers | switches(variant.rules)


def is_number(leaf: Any) -> bool:
    return isinstance(leaf, (bool, int, float))


def test_knobs_are_found_in_models_mappings_and_lists(files: Files) -> None:
    def paths(game: str) -> set[str]:
        return {knob.path for knob in knobs_of(files.load(TEXTS[game]).variants[0])}

    assert {"rules.crack.flush", "rules.peek_totals.2", "rules.stealth_cap"} <= paths("burgle")
    assert {"rules.loot.3", "rules.thresholds.6", "rules.dice_limit"} <= paths("vault")
    assert {"rules.deck.guard", "rules.deck.money.10", "rules.tiles.rob"} <= paths("bank")
    assert "rules.deck.money.5" in paths("bank robbery")
    assert paths("vault dice") == {f"rules.thresholds.{place}" for place in range(1, 7)}


@GAMES
def test_a_knob_has_the_value_and_the_bounds_that_stand_at_its_path(
    files: Files, game: str
) -> None:
    variant = files.load(TEXTS[game]).variants[0]
    now = leaves_of(variant.rules)
    for knob in knobs_of(variant):
        if knob.path in now:
            assert (knob.value, value_at(variant, knob.path)) == (now[knob.path],) * 2
        if knob.kind != "switch" or knob.value is None:
            assert knob.bounds == bounds_at(variant, knob.path)
        assert knob.kind == ("whole" if type(knob.value) is int and not knob.others else "switch")


def test_a_switch_can_be_all_that_it_is_not_now(files: Files) -> None:
    rules = "rules: {after_robbery: refill, tiles: choose}\n"
    variant = files.load(TEXTS["bank"] + rules).variants[0]
    others = {knob.path: knob.others for knob in knobs_of(variant) if knob.kind == "switch"}
    assert others["rules.after_robbery"] == ("discard", "keep_money")
    assert others["rules.ties"] == ("together",)
    assert others["rules.tiles"] == ({"play": 4, "look": 1, "reveal": 1, "rob": 1},)
    variant = files.load(TEXTS["burgle"]).variants[0]
    others = {knob.path: knob.others for knob in knobs_of(variant) if knob.kind == "switch"}
    assert others["rules.trading"] == (False,)
    assert others["rules.joker_in_straight"] == (True,)
    assert others["rules.stealth_cap"][:3] == (0, 1, 2)
    variant = files.load(TEXTS["vault"]).variants[0]
    others = {knob.path: knob.others for knob in knobs_of(variant) if knob.kind == "switch"}
    assert others["rules.ace_value"] == (11,)


def test_a_real_number_is_a_real_knob(files: Files, coin_game: None) -> None:
    kinds = {knob.path: knob.kind for knob in knobs_of(files.load("game: coin").variants[0])}
    assert kinds == {
        **{f"rules.{name}": "whole" for name in ("trials", "bonus", "key")},
        **{f"rules.{name}": "switch" for name in ("flag", "independent")},
        "rules.chance": "real",
    }


# turning one


@GAMES
def test_turning_a_knob_sets_it_and_leaves_the_rest_as_it_was(files: Files, game: str) -> None:
    """Every knob and every step of `influence` that is allowed."""
    scenario = files.load(TEXTS[game])
    variant = scenario.variants[0]
    steps, left_out = steps_of(scenario, variant)
    assert not left_out
    assert {step.knob.path for step, _ in steps} == {knob.path for knob in knobs_of(variant)}
    before = leaves_of(variant.rules)
    for step, _ in steps:
        path = step.knob.path
        changed = turned(scenario, variant, path, step.value).variant("base")
        after = leaves_of(changed.rules)
        inside = {leaf for leaf in before.keys() | after.keys() if within(leaf, path)}
        assert {leaf: after[leaf] for leaf in after.keys() - inside} == {
            leaf: before[leaf] for leaf in before.keys() - inside
        }
        assert value_at(changed, path) == step.value != value_at(variant, path)
        assert set(changed.policies) == set(variant.policies)


def within(leaf: str, path: str) -> bool:
    return leaf == path or leaf.startswith(f"{path}.")


def test_what_was_set_before_is_kept(files: Files) -> None:
    text = TEXTS["bank"] + "rules: {deck: {guard: 3, money: {5: 9, 7: 2}}, hand: 1, banks: 2}\n"
    scenario = files.load(text, "rules.coins=12")
    variant = turned(scenario, scenario.variants[0], "rules.deck.money.7", 3).variants[0]
    assert variant.rules.model_dump()["deck"] == {
        **{"money": {5: 9, 7: 3}, "guard": 3, "lady": 4, "judge": 4, "thief": 4, "multiply": 0}
    }
    assert value_at(variant, "rules.coins") == 12


def test_several_can_be_turned_one_after_the_other(files: Files) -> None:
    scenario = files.load(TEXTS["vault"])
    once = turned(scenario, scenario.variants[0], "rules.loot.3", 5)
    twice = turned(once, once.variants[0], "rules.loot.4", 1).variants[0]
    assert value_at(twice, "rules.loot") == {1: 3, 2: 3, 3: 5, 4: 1, 5: 3, 6: 3}


def test_an_alternative_takes_the_place_of_the_whole(files: Files) -> None:
    scenario = files.load(TEXTS["burgle"])
    changed = turned(scenario, scenario.variants[0], "rules.crack.straight_flush", 3)
    assert value_at(changed.variants[0], "rules.crack") == {"straight_flush": 3}
    back = turned(changed, changed.variants[0], "rules.crack.flush", 6).variants[0]
    assert value_at(back, "rules.crack") == {"flush": 6}


def test_a_card_of_a_list_keeps_what_else_it_says(files: Files) -> None:
    scenario = files.load(TEXTS["vault"] + CARDS)
    variant = scenario.variants[0]
    changed = turned(scenario, variant, "rules.actions.2.copies", 4).variants[0]
    assert value_at(changed, "rules.actions.2.copies") == 4
    assert changed.rules.model_dump()["actions"] == [
        value_at(variant, "rules.actions.1"),
        {**value_at(variant, "rules.actions.2"), "copies": 4},
    ]


def test_only_the_variant_that_is_turned_is_checked(files: Files) -> None:
    variants = "variants: {a: {}, b: {rules: {stealth_cap: 2}}}\ntargets: {b: {win_rate: [0, 1]}}\n"
    scenario = files.load(TEXTS["burgle"] + variants)
    changed = turned(scenario, scenario.variant("a"), "rules.stealth", 3)
    assert value_at(changed.variant("a"), "rules.stealth") == 3
    with pytest.raises(InputError, match="3 is over stealth_cap: 2"):
        turned(scenario, scenario.variant("b"), "rules.stealth", 3)


def test_a_policy_can_be_turned(files: Files) -> None:
    scenario = files.load(TEXTS["vault"])
    changed = turned(scenario, scenario.variants[0], "policies.all.break_at", 0.25).variants[0]
    assert [value_at(changed, f"policies.{seat}.break_at") for seat in (1, 4)] == [0.25, 0.25]
    assert value_at(changed, "policies.all.break_at") == 0.25
    assert changed.rules == scenario.variants[0].rules


# what cannot be


@pytest.mark.parametrize(
    ("game", "path", "value", "problem"),
    [
        ("burgle", "rules.stelth", 3, "rules.stelth: unknown key (did you mean stealth?)"),
        ("burgle", "rules.stealth", 100, "rules.stealth: must be 99 or less (got 100)"),
        ("burgle", "rules.stealth", 1.5, "rules.stealth: must be a whole number (got 1.5)"),
        ("burgle", "rules.stealth", None, "rules.stealth: must be a whole number (got null)"),
        ("burgle", "rules.stealth.x", 3, "rules.stealth: must be a whole number (got {x: 3})"),
        ("burgle", "rules.crack.flush", 12, "rules.crack: flush must be a whole number from 1"),
        ("burgle", "rules.crack.street", 3, "rules.crack: must be {flush: n} or {straight_flush"),
        ("burgle", "rules.nothing.flush", 3, "rules.nothing: unknown key"),
        ("burgle", "rules.peek_totals.5", 3, "this list has the entries 1 to 4"),
        ("burgle", "rules.peek_totals.0", 3, "this list has the entries 1 to 4"),
        ("burgle", "rules.peek_totals.x", 3, "this list has the entries 1 to 4"),
        ("burgle", "rules.peek_totals.-1", 3, "this list has the entries 1 to 4"),
        ("burgle", "rules.peek_totals.1", 63, "rules.peek_totals.0: must be 62 or less"),
        ("burgle", "rules", 3, "rules: must be a mapping"),
        ("burgle", "", 3, "must start with rules, policies"),
        ("burgle", "ruls.stealth", 3, "must start with rules, policies (did you mean rules?)"),
        ("burgle", "run.seed", 3, "must start with rules, policies"),
        ("burgle", "policies.all.nam", 3, "policies.all.nam: unknown key"),
        ("burgle", "policies.5.mistakes", 0.1, "policies.5: must be all or a seat from 1 to 4"),
        ("vault", "rules.loot.3", -1, "rules.loot.3: must be 0 or more (got -1)"),
        ("vault", "rules.loot.x", 1, "rules.loot.x"),
        ("vault", "rules.dice_limit", "tabel", "rules.dice_limit: must be player or table"),
        ("bank", "rules.deck.guards", 1, "rules.deck.guards: unknown key"),
        ("vault dice", "rules.thresholds.2", 10, "thresholds: one stands there twice"),
        ("vault dice", "policies.all.mistakes", 0.1, "policies.all: nobody plays here"),
    ],
)
def test_what_cannot_be_is_said_in_one_line_that_begins_with_the_option(
    files: Files, game: str, path: str, value: Any, problem: str
) -> None:
    assert problem in fault(files.load(TEXTS[game]), path, value)


def test_rules_that_do_not_fit_together_are_told_with_the_option_first(files: Files) -> None:
    scenario = files.load(TEXTS["burgle"] + "rules: {characters: [hawk, none, none, none]}\n")
    assert "characters: 4 for 3 seats" in fault(scenario, "rules.players", 3)


# values and bounds


def test_the_value_at_a_path_that_leads_nowhere_is_none(files: Files) -> None:
    variant = files.load(TEXTS["vault"]).variants[0]
    nowhere = ("rules.nothing", "rules.loot.9", "rules.thresholds.7", "rules.dice.x", "run.seed")
    for path in (*nowhere, "policies.all.nothing", "policies.5.mistakes", "policies", "x", ""):
        assert value_at(variant, path) is None
    assert value_at(files.load(TEXTS["vault dice"]).variants[0], "policies.all.name") is None


def test_values_are_found_at_any_depth(files: Files) -> None:
    variant = files.load("game: vault\npolicies: {all: {name: simple}, 2: {name: loner}}").variants[
        0
    ]
    assert value_at(variant, "rules.thresholds") == [10, 15, 20, 25, 30, 35]
    assert value_at(variant, "rules.thresholds.6") == 35
    assert value_at(variant, "policies.all.name") == "simple"
    assert value_at(variant, "policies.2.name") == "loner"
    variant = files.load(TEXTS["bank"]).variants[0]
    assert value_at(variant, "rules.deck.money.10") == 2


@pytest.mark.parametrize(
    ("game", "path", "bounds"),
    [
        ("burgle", "rules.stealth", Bounds(0, 99)),
        ("burgle", "rules.stealth_cap", Bounds(0, 99)),
        ("burgle", "rules.alarm_over", Bounds(1, 62)),
        ("burgle", "rules.crack.flush", Bounds(1, 11)),
        ("burgle", "rules.crack.straight_flush", Bounds(None, None)),
        ("burgle", "rules.trading", Bounds(None, None)),
        ("burgle", "rules.nothing", Bounds(None, None)),
        ("burgle", "rules.peek_totals.1", Bounds(None, None)),
        ("burgle", "policies.all.mistakes", Bounds(0, 1)),
        ("burgle", "policies.9.mistakes", Bounds(None, None)),
        ("vault", "policies.3.break_at", Bounds(0, 1)),
        ("vault", "rules.loot.3", Bounds(None, None)),
        ("bank", "rules.deck.guard", Bounds(0, 60)),
        ("bank robbery", "rules.pot", Bounds(0, 1000)),
        ("bank robbery", "rules.cards", Bounds(1, 20)),
    ],
)
def test_the_bounds_of_a_field_are_those_that_its_model_says(
    files: Files, game: str, path: str, bounds: Bounds
) -> None:
    assert bounds_at(files.load(TEXTS[game]).variants[0], path) == bounds
