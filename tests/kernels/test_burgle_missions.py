"""The Advanced Missions: burning cards and straight flushes (M1-M6)."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from balance.games.burgle import BurgleRules
from balance.scenario import load_scenario
from kernels.burgle import layout
from tests.burgle_tables import Table

MISSIONS = Path(__file__).parents[2] / "scenarios" / "burgle" / "advanced_missions.yaml"
STRAIGHT_4 = {"straight_flush": 4}


def crack(*display: str, **rules: Any) -> Table:
    """Seat 0 (clubs) is checked for a crack, alone."""
    table = Table(**rules)
    table.inactive(1, 2, 3)
    table.display(0, *display)
    table.play(layout.CRACK, layout.ALARM)
    return table


def burned(table: Table) -> list[str]:
    return [line["card"] for line in table.told_of("burn")]


def mission(name: str) -> BurgleRules:
    """The rules of a mission as the project's own scenario has them."""
    scenario = load_scenario(MISSIONS)
    rules = next(variant.rules for variant in scenario.variants if variant.name == name)
    assert isinstance(rules, BurgleRules)
    return rules


@pytest.mark.rule("M1")
@pytest.mark.parametrize(
    ("burn", "gone"),
    [(0, []), (1, ["AC"]), (2, ["AC", "4C"]), (4, ["AC", "4C", "6C", "7C"])],
)
def test_the_lowest_cards_of_the_crack_leave_the_game(burn: int, gone: list[str]) -> None:
    display = ("7C", "4C", "AC", "10C", "6C", "2H", "AD")
    table = crack(*display, burn=burn)
    assert burned(table) == gone
    assert table.shown(0) == set(display) - set(gone)
    assert table.counted(layout.REMOVED) == burn
    table.play(layout.ALARM, layout.ROUND_START)
    assert table.discarded(0) == set(display) - set(gone)


@pytest.mark.rule("M1")
def test_the_guard_never_burns() -> None:
    table = crack("JC", "7C", "8C", "9C", "10C", burn=11)
    assert burned(table) == ["7C", "8C", "9C", "10C"]
    assert table.shown(0) == {"JC"}


@pytest.mark.rule("M1")
def test_a_guard_worth_little_does_not_burn_either() -> None:
    table = crack("JC", "7C", "8C", "9C", "10C", burn=1, guard_value=0)
    assert burned(table) == ["7C"]


@pytest.mark.rule("M1")
def test_cards_beyond_the_five_that_cracked_do_not_burn() -> None:
    table = crack("2C", "3C", "4C", "6C", "7C", "9C", burn=6)
    assert burned(table) == ["2C", "3C", "4C", "6C", "7C"]
    assert table.shown(0) == {"9C"}


@pytest.mark.rule("M1")
def test_the_totals_follow_the_burned_cards() -> None:
    table = crack("AC", "3C", "4C", "6C", "7C", burn=2)
    assert (table.state.hard[0], table.state.aces[0], table.state.held[0]) == (17, 0, 3)


@pytest.mark.rule("M2")
def test_the_bank_job_burns_one() -> None:
    rules = mission("bank")
    assert rules == BurgleRules(players=4, stealth=2, characters="none", tools=[], burn=1)
    assert burned(crack("2C", "3C", "4C", "6C", "7C", burn=rules.burn)) == ["2C"]


@pytest.mark.rule("M3")
def test_the_penthouse_job_burns_two() -> None:
    rules = mission("penthouse")
    assert rules == BurgleRules(players=4, stealth=2, characters="none", tools=[], burn=2)
    assert burned(crack("2C", "3C", "4C", "6C", "7C", burn=rules.burn)) == ["2C", "3C"]


@pytest.mark.rule("M4")
@pytest.mark.parametrize(
    ("display", "cracks"),
    [
        (("5C", "6C", "7C", "8C"), 1),
        (("8C", "5H", "6C", "5C", "9S", "7C"), 1),
        (("5C", "6C", "7C", "9C"), 0),
        (("5C", "6C", "7C", "8H"), 0),
        (("5D", "6D", "7D", "8D"), 0),
        (("5C", "6C", "7C"), 0),
    ],
)
def test_the_casino_job_asks_for_a_straight_flush_of_four(
    display: tuple[str, ...], cracks: int
) -> None:
    rules = mission("casino")
    assert rules.burn == 2
    table = crack(*display, burn=2, crack=rules.crack)
    assert table.counted(layout.CRACKED) == cracks
    assert burned(table) == (["5C", "6C"] if cracks else [])


@pytest.mark.rule("M4")
def test_the_burned_cards_are_the_lowest_of_the_straight_not_of_the_suit() -> None:
    table = crack("AC", "2C", "5C", "6C", "7C", "8C", burn=2, crack=STRAIGHT_4)
    assert table.told_of("crack") == [
        {"seat": 1, "cards": ["5C", "6C", "7C", "8C"], "kind": "straight_flush"}
    ]
    assert burned(table) == ["5C", "6C"]


@pytest.mark.rule("M4")
@pytest.mark.parametrize("length", [2, 3, 6])
def test_the_length_of_the_straight_is_a_rule(length: int) -> None:
    cards = ("2C", "3C", "4C", "5C", "6C", "7C")
    for n, cracks in ((length - 1, 0), (length, 1)):
        assert crack(*cards[:n], crack={"straight_flush": length}).state.cracked[0] == cracks


@pytest.mark.rule("M4")
@pytest.mark.parametrize(
    "odd",
    [{"flush": 0}, {"flush": 12}, {"straight_flush": 1}, {"straight_flush": 12}, {}, {"pair": 2}],
)
def test_other_ways_to_crack_are_refused(odd: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        BurgleRules(tools=[], crack=odd)


@pytest.mark.rule("M5")
def test_the_legendary_job_is_the_casino_job_with_one_stealth() -> None:
    rules, casino = mission("legendary"), mission("casino")
    assert rules.model_dump() == {**casino.model_dump(), "stealth": 1}


@pytest.mark.rule("M5")
def test_in_the_legendary_job_the_second_guard_left_in_a_display_loses() -> None:
    table = Table(stealth=1, burn=2, crack=STRAIGHT_4)
    table.inactive(0, 1, 2, 3)
    table.display(0, "JC")
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert (table.state.phase, table.state.stealth[0]) == (layout.ROUND_START, 0)
    table.display(0, "JC")
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.counted(layout.LOST_TO) == layout.BY_DISPLAY


@pytest.mark.rule("M6")
def test_the_straight_replaces_the_flush_unless_switched() -> None:
    cards = ("2C", "3C", "5C", "7C", "9C")
    assert crack(*cards, crack=STRAIGHT_4).state.cracked[0] == 0
    table = crack(*cards, crack=STRAIGHT_4, straight_replaces_flush=False)
    assert table.told_of("crack")[0]["kind"] == "flush"
    table = crack("2C", "3C", "4C", "5C", crack=STRAIGHT_4, straight_replaces_flush=False)
    assert table.told_of("crack")[0]["kind"] == "straight_flush"
    table = crack("2C", "3C", "5C", "7C", crack=STRAIGHT_4, straight_replaces_flush=False)
    assert table.state.cracked[0] == 0


@pytest.mark.rule("M6")
def test_where_both_ways_are_open_the_flush_is_looked_at_first() -> None:
    table = crack("AC", "3C", "4C", "5C", "6C", crack=STRAIGHT_4, straight_replaces_flush=False)
    assert table.told_of("crack")[0]["kind"] == "flush"
    assert len(table.told_of("crack")[0]["cards"]) == 5


@pytest.mark.rule("M6")
@pytest.mark.parametrize(
    ("display", "cracks"),
    [
        (("AC", "2C", "3C", "4C"), 1),
        (("8C", "9C", "10C", "AC"), 0),
        (("AC", "JC", "10C", "9C"), 0),
        (("JC", "AC", "2C", "3C"), 0),
    ],
)
def test_the_ace_is_low_only(display: tuple[str, ...], cracks: int) -> None:
    assert crack(*display, crack=STRAIGHT_4).state.cracked[0] == cracks


@pytest.mark.rule("M6")
@pytest.mark.parametrize(("guard_in_straight", "cracks"), [(True, 1), (False, 0)])
def test_the_guard_follows_the_ten_unless_switched(guard_in_straight: bool, cracks: int) -> None:
    display = ("8C", "9C", "10C", "JC")
    table = crack(*display, crack=STRAIGHT_4, guard_in_straight=guard_in_straight, burn=2)
    assert table.state.cracked[0] == cracks
    assert burned(table) == (["8C", "9C"] if cracks else [])
    other = crack("8C", "9C", "10C", "JD", crack=STRAIGHT_4, guard_in_straight=guard_in_straight)
    assert other.state.cracked[0] == 0


@pytest.mark.rule("M6")
def test_without_the_guard_in_straights_a_run_up_to_the_ten_still_opens() -> None:
    table = crack("7C", "8C", "9C", "10C", "JC", crack=STRAIGHT_4, guard_in_straight=False)
    assert table.told_of("crack")[0]["cards"] == ["7C", "8C", "9C", "10C"]


@pytest.mark.rule("M6", "R51")
@pytest.mark.parametrize(
    ("display", "cracks"),
    [
        (("5C", "6C", "8C", "Joker"), 1),
        (("5C", "6C", "7C", "Joker"), 1),
        (("8C", "9C", "JC", "Joker"), 1),
        (("5C", "6C", "9C", "Joker"), 0),
        (("5C", "6C", "7H", "Joker"), 0),
        (("5C", "6C", "Joker"), 0),
    ],
)
def test_the_joker_fills_one_gap_of_a_straight_only_where_switched(
    display: tuple[str, ...], cracks: int
) -> None:
    switched = crack(*display, crack=STRAIGHT_4, joker_in_straight=True)
    assert switched.state.cracked[0] == cracks
    assert crack(*display, crack=STRAIGHT_4).state.cracked[0] == 0


@pytest.mark.rule("M6")
def test_the_joker_among_the_cards_of_a_straight_is_told() -> None:
    table = crack("5C", "6C", "8C", "Joker", crack=STRAIGHT_4, joker_in_straight=True)
    assert table.told_of("crack")[0]["cards"] == ["5C", "6C", "8C", "Joker"]
    table = crack("5C", "6C", "7C", "8C", "Joker", crack=STRAIGHT_4)
    assert table.told_of("crack")[0]["cards"] == ["5C", "6C", "7C", "8C"]
