"""The order of the checks and the peek (B17, B18)."""

from typing import Any

import pytest

from balance.games.burgle import RandomPolicy
from kernels.burgle import layout
from tests.burgle_tables import GO_ON, LEAVE, Table, first_random, key_of


def one_seat(*display: str, policy: Any = None, **rules: Any) -> Table:
    """Only seat 0 (clubs) is active; two cards are in its deck."""
    table = Table(policy, **rules)
    table.inactive(1, 2, 3)
    table.display(0, *display)
    table.deck(0, "9H", "8H")
    return table


@pytest.mark.rule("B17")
def test_checks_run_peek_twenty_one_crack_alarm_bail_each_over_all_seats() -> None:
    table = Table(LEAVE)
    table.cracked(1)
    table.display(0, "9H", "8H", "7H")  # over the threshold
    table.display(1, "3H", "4H")  # bails, too low for a Targeted seat
    table.display(2, "10C", "9C", "2D")  # has a twenty-one
    table.display(3, "2S", "3S", "4S", "5S", "6S")  # has a peek total and cracks
    for seat in range(4):
        table.deck(seat, "AD", "10D")
    table.play(layout.PEEK, layout.ROUND_END)
    told = [
        (line["event"], line["seat"])
        for line in table.told()
        if line["event"] not in ("flip", "remove")
    ]
    assert told == [
        ("peek", 4),
        ("twenty_one", 3),
        *(("peek", seat) for seat in (1, 2, 3, 4)),
        ("crack", 4),
        ("alarm", 1),
        ("bail", 2),
        ("alarm", 2),
    ]


@pytest.mark.rule("B17")
def test_every_crack_is_settled_before_any_alarm() -> None:
    table = Table()
    table.cracked(0, 1, 2)
    table.display(0, "9H", "8H", "7H")
    table.deck(0, "JC", "2H")
    table.state.stealth[0] = 0
    table.display(3, "2S", "3S", "4S", "6S", "7S")
    table.play(layout.PEEK, layout.BAIL)
    assert table.counted(layout.WON) == 1
    assert table.counted(layout.ALARMS) == 0


@pytest.mark.rule("B17")
@pytest.mark.parametrize("step", ["peek", "twenty_one", "crack", "alarm", "bail"])
def test_each_step_goes_in_seat_order(step: str) -> None:
    displays = {
        "peek": ["5", "10"],
        "twenty_one": ["2", "9", "10"],
        "crack": ["2", "3", "4", "6", "7"],
        "alarm": ["7", "8", "9"],
        "bail": ["2"],
    }
    table = Table(LEAVE)
    for seat in range(4):
        suit = "CDHS"[seat] if step == "crack" else "DHSC"[seat]
        table.display(seat, *(rank + suit for rank in displays[step]))
        table.deck(seat, "AC", "AD")
    table.play(layout.PEEK, layout.ROUND_END)
    acted = [line["seat"] for line in table.told() if line["event"] == step]
    assert acted[:4] == [1, 2, 3, 4]


@pytest.mark.rule("B17")
@pytest.mark.parametrize("display", [["5H"], ["10H", "9H", "2H"], ["10H", "9H", "8H"]])
def test_a_seat_that_is_inactive_when_the_checks_start_is_not_checked(display: list[str]) -> None:
    table = one_seat("2H")
    table.display(1, *display)
    table.deck(1, "2D", "3D")
    table.play(layout.PEEK, layout.BAIL)
    assert table.told() == []


@pytest.mark.rule("B17", "B20")
def test_a_seat_that_is_inactive_when_the_checks_start_does_not_crack() -> None:
    table = one_seat("2H")
    table.display(1, "2D", "3D", "4D", "6D", "7D")
    table.play(layout.PEEK, layout.BAIL)
    assert table.counted(layout.CRACKED) == 0


@pytest.mark.rule("B18")
@pytest.mark.parametrize(
    ("display", "peeks"),
    [
        (["5H"], 1),
        (["10H"], 1),
        (["JC"], 1),
        (["10H", "5S"], 1),
        (["10H", "JC"], 1),
        (["4H"], 0),
        (["6H"], 0),
        (["10H", "4S"], 0),
        (["10H", "JC", "5H"], 0),
        (["AH", "9S"], 1),
        (["AH", "AD", "3S"], 1),
        (["AH", "5S"], 0),
    ],
)
def test_a_reading_of_exactly_5_10_15_or_20_allows_a_peek(display: list[str], peeks: int) -> None:
    table = one_seat(*display)
    table.play(layout.PEEK, layout.TWENTY_ONE)
    assert table.counted(layout.PEEKS) == peeks


@pytest.mark.rule("B18")
def test_two_peek_totals_at_once_allow_one_peek() -> None:
    table = one_seat("AH", "4H")
    table.play(layout.PEEK, layout.TWENTY_ONE)
    assert table.told_of("peek") == [
        {"seat": 1, "cause": "total", "card": "9H", "discarded": False}
    ]


@pytest.mark.rule("B18")
def test_the_peek_totals_are_a_rule() -> None:
    for total, peeks in ((7, 1), (13, 1), (5, 0), (10, 0)):
        display = {7: ["7H"], 13: ["10H", "3H"], 5: ["5H"], 10: ["10H"]}[total]
        table = one_seat(*display, peek_totals=[7, 13])
        table.play(layout.PEEK, layout.TWENTY_ONE)
        assert table.counted(layout.PEEKS) == peeks
    table = one_seat("5H", peek_totals=[])
    table.play(layout.PEEK, layout.TWENTY_ONE)
    assert table.counted(layout.PEEKS) == 0


@pytest.mark.rule("B18")
def test_the_peeked_card_is_the_top_card_and_stays_on_top_when_put_back() -> None:
    table = one_seat("5H")
    table.play(layout.PEEK, layout.TWENTY_ONE)
    assert table.left(0) == ["9H", "8H"]
    assert table.discarded(0) == set()


@pytest.mark.rule("B18")
def test_the_peeked_card_can_be_discarded() -> None:
    def lay(table: Table) -> None:
        table.inactive(1, 2, 3)
        table.display(0, "5H")
        table.deck(0, "9H", "8H")

    table = first_random(lay, layout.PEEK, layout.TWENTY_ONE, "peek", discarded=True)
    assert table.left(0) == ["8H"]
    assert table.discarded(0) == {"9H"}


@pytest.mark.rule("B18")
def test_a_guard_seen_by_a_peek_costs_nothing() -> None:
    table = one_seat("5H")
    table.deck(0, "JC", "9H")
    table.play(layout.PEEK, layout.TWENTY_ONE)
    assert table.discarded(0) == {"JC"}
    assert table.state.stealth[0] == 2
    assert table.counted(layout.STEALTH_LOST) == 0
    assert table.state.active[0] == 1


@pytest.mark.rule("B18")
def test_a_peek_looks_at_the_seats_own_deck_only() -> None:
    table = one_seat("5H")
    table.deck(1, "JD")
    table.play(layout.PEEK, layout.TWENTY_ONE)
    assert [line["seat"] for line in table.told_of("peek")] == [1]
    assert table.left(1) == ["JD"]


@pytest.mark.rule("B18")
def test_a_peek_leaves_the_seat_active_and_its_display_alone() -> None:
    table = one_seat("10H", "5H", policy=GO_ON)
    table.play(layout.PEEK, layout.TWENTY_ONE)
    assert table.state.active[0] == 1
    assert table.shown(0) == {"10H", "5H"}


@pytest.mark.rule("B18")
def test_a_random_player_keeps_some_cards_and_discards_others() -> None:
    seen = set()
    for key in range(40):
        table = one_seat("5H", policy=RandomPolicy())
        table.key = key_of(2, key)
        table.play(layout.PEEK, layout.TWENTY_ONE)
        seen.add(table.told_of("peek")[0]["discarded"])
    assert seen == {True, False}
