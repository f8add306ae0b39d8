"""Alarms (B21) and the stealth that is not there (B24)."""

from typing import Any

import pytest

from balance.games.burgle import ExpertPolicy, RandomPolicy, SimplePolicy
from kernels.burgle import layout
from tests.burgle_tables import Table

OVER_21 = ("9H", "8H", "7H")


def over(*deck: str, policy: Any = None, **rules: Any) -> Table:
    """Seat 0 (clubs), the only active one, is over the threshold."""
    table = Table(policy, **rules)
    table.inactive(1, 2, 3)
    table.display(0, *OVER_21)
    table.deck(0, *deck)
    return table


@pytest.mark.rule("B21")
@pytest.mark.parametrize(
    ("display", "alarms"),
    [
        (("10H", "9H", "3H"), 1),
        (("10H", "9H", "2H"), 0),
        (("10H", "JC", "AH"), 0),
        (("10H", "JC", "AH", "AD"), 1),
        (("10H", "JC", "2H"), 1),
        (("AH", "AC", "AD", "8H"), 0),
    ],
)
def test_an_alarm_comes_when_the_lowest_reading_is_over_21(
    display: tuple[str, ...], alarms: int
) -> None:
    table = over("2H", "3H")
    table.display(0, *display)
    table.play(layout.ALARM, layout.BAIL)
    assert table.counted(layout.ALARMS) == alarms
    assert table.state.seat_alarms.tolist() == [alarms, 0, 0, 0]
    assert table.counted(layout.TARGETED_ALARMS) == 0


@pytest.mark.rule("B21")
def test_the_seat_becomes_inactive_and_keeps_its_display() -> None:
    table = over("2H", "3H")
    table.play(layout.ALARM, layout.BAIL)
    assert table.state.active[0] == 0
    assert table.shown(0) == set(OVER_21)


@pytest.mark.rule("B21")
def test_of_the_top_two_cards_one_leaves_the_game_and_one_is_discarded() -> None:
    table = over("2H", "3C", "4S")
    table.play(layout.ALARM, layout.BAIL)
    assert [line["card"] for line in table.told_of("flip")] == ["2H", "3C"]
    assert table.told_of("remove") == [{"seat": 1, "card": "2H"}]
    assert table.discarded(0) == {"3C"}
    assert table.left(0) == ["4S"]
    assert table.counted(layout.REMOVED) == 1
    assert table.state.stealth[0] == 2


@pytest.mark.rule("B21")
@pytest.mark.parametrize("deck", [("JC", "3C"), ("3C", "JC")])
@pytest.mark.parametrize("policy", [SimplePolicy(), ExpertPolicy(), RandomPolicy()])
def test_a_flipped_guard_costs_one_stealth_and_never_leaves_the_game(
    deck: tuple[str, ...], policy: Any
) -> None:
    table = over(*deck, policy=policy)
    table.play(layout.ALARM, layout.BAIL)
    assert table.state.stealth.tolist() == [1, 2, 2, 2]
    assert table.told_of("stealth") == [{"seat": 1, "cause": "alarm", "left": 1}]
    assert table.told_of("remove") == [{"seat": 1, "card": "3C"}]
    assert table.discarded(0) == {"JC"}
    assert table.counted(layout.STEALTH_LOST) == 1


@pytest.mark.rule("B21")
def test_the_third_card_of_the_deck_is_not_touched() -> None:
    table = over("2H", "3H", "JC")
    table.play(layout.ALARM, layout.BAIL)
    assert table.left(0) == ["JC"]
    assert table.state.stealth[0] == 2


@pytest.mark.rule("B21", "R5")
def test_a_deck_that_runs_out_is_remade_without_the_card_held_aside() -> None:
    table = over("2H")
    table.discards(0, "9S", "8S")
    table.play(layout.ALARM, layout.BAIL)
    (shuffle,) = table.told_of("shuffle")
    assert sorted(shuffle["deck"]) == ["8S", "9S"]
    assert [line["card"] for line in table.told_of("flip")] == ["2H", shuffle["deck"][0]]
    assert table.told_of("remove") == [{"seat": 1, "card": "2H"}]
    assert table.discarded(0) == {shuffle["deck"][0]}
    assert table.left(0) == shuffle["deck"][1:]


@pytest.mark.rule("B21")
def test_the_alarm_threshold_is_a_rule() -> None:
    for alarm_over, alarms in ((23, 1), (24, 0)):
        table = over("2H", "3H", alarm_over=alarm_over)
        table.play(layout.ALARM, layout.BAIL)
        assert table.counted(layout.ALARMS) == alarms


@pytest.mark.rule("B21")
@pytest.mark.parametrize(
    ("discards", "removes", "flipped", "removed"),
    [(4, 2, 4, 2), (3, 3, 3, 3), (1, 1, 1, 1), (2, 0, 2, 0), (0, 1, 0, 0), (2, 5, 2, 2)],
)
def test_how_many_cards_an_alarm_takes_and_removes_is_a_rule(
    discards: int, removes: int, flipped: int, removed: int
) -> None:
    deck = ("2H", "3H", "4H", "5H", "6H")
    table = over(*deck, alarm_discards=discards, alarm_removes=removes)
    table.play(layout.ALARM, layout.BAIL)
    assert [line["card"] for line in table.told_of("flip")] == list(deck[:flipped])
    assert table.counted(layout.REMOVED) == len(table.told_of("remove")) == removed
    assert table.left(0) == list(deck[flipped:])
    assert len(table.discarded(0)) == flipped - removed
    assert table.counted(layout.ALARMS) == 1


@pytest.mark.rule("B21")
@pytest.mark.parametrize("policy", [SimplePolicy(), ExpertPolicy(), RandomPolicy()])
def test_the_guard_stays_even_when_more_is_to_be_removed_than_there_is(policy: Any) -> None:
    table = over("2H", "JC", "4H", policy=policy, alarm_discards=3, alarm_removes=3)
    table.play(layout.ALARM, layout.BAIL)
    assert {line["card"] for line in table.told_of("remove")} == {"2H", "4H"}
    assert table.discarded(0) == {"JC"}


@pytest.mark.rule("B21")
def test_a_cracked_seat_that_goes_over_triggers_an_ordinary_alarm() -> None:
    table = over("2H", "3H")
    table.cracked(0)
    table.play(layout.ALARM, layout.ROUND_END)
    assert table.told_of("alarm") == [{"seat": 1, "cause": "total"}]
    assert table.counted(layout.TARGETED_ALARMS) == 0


@pytest.mark.rule("B24")
def test_an_alarm_that_flips_the_guard_of_a_seat_without_stealth_loses_the_game_at_once() -> None:
    table = over("JC", "3C")
    table.state.stealth[0] = 0
    table.state.active[1] = 1
    table.display(1, "10H", "9D", "8S")
    table.deck(1, "2S", "3S")
    table.play(layout.ALARM, layout.BAIL)
    assert table.state.phase == layout.OVER
    assert table.counted(layout.LOST_TO) == layout.BY_ALARM
    assert table.told_of("caught") == [{"seat": 1, "cause": "alarm"}]
    assert table.counted(layout.WON) == 0
    assert table.counted(layout.ALARMS) == 1
    assert table.state.active[1] == 1


@pytest.mark.rule("B24")
def test_a_fatal_alarm_removes_nothing_and_counts_paid_stealth_only() -> None:
    table = over("3C", "JC")
    table.state.stealth[0] = 0
    table.play(layout.ALARM, layout.BAIL)
    assert table.told_of("remove") == []
    assert table.counted(layout.REMOVED) == 0
    assert table.counted(layout.STEALTH_LOST) == 0
    assert table.state.stealth[0] == 0
    assert table.discarded(0) == {"3C", "JC"}


@pytest.mark.rule("B24")
def test_the_last_stealth_can_be_paid() -> None:
    table = over("JC", "3C")
    table.state.stealth[0] = 1
    table.play(layout.ALARM, layout.BAIL)
    assert table.state.stealth[0] == 0
    assert table.state.phase == layout.BAIL
    assert table.counted(layout.LOST_TO) == layout.NOT_LOST
