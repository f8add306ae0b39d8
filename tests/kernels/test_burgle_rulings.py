"""Rulings where the book leaves a case open (R1-R3, R5-R12, R49)."""

import pytest

from kernels.burgle import layout
from kernels.burgle.table import known_top
from tests.burgle_tables import GO_ON, LEAVE, Table, first_random, only

AT_21 = ("10H", "9S", "2D")


@pytest.mark.rule("R1")
def test_a_total_that_becomes_a_peek_total_in_a_later_step_gives_no_peek() -> None:
    table = only(0, 1)
    table.display(0, "JC", "3H", "2H")  # 15; 5 once the Guard is gone
    table.display(1, *AT_21)
    table.deck(0, "9S")
    table.play(layout.PEEK, layout.CRACK)
    assert table.state.hard[0] == 5
    assert [line["seat"] for line in table.told_of("peek")] == [1]


@pytest.mark.rule("R1")
def test_a_total_that_becomes_21_after_the_seats_turn_in_the_step_is_not_looked_at_again() -> None:
    table = only(0, 1)
    table.display(0, "JC", *AT_21)  # 31; 21 once the Guard is gone
    table.display(1, *AT_21)
    table.play(layout.PEEK, layout.CRACK)
    assert table.state.hard[0] == 21
    assert [line["seat"] for line in table.told_of("twenty_one")] == [2]
    assert table.state.active[0] == 1


@pytest.mark.rule("R1")
def test_a_changed_total_counts_in_the_steps_still_to_come() -> None:
    table = only(0, 1)
    table.display(0, "JC", *AT_21)
    table.display(1, *AT_21)
    table.play(layout.PEEK, layout.BAIL)
    assert table.counted(layout.ALARMS) == 0  # 31 would have been over the threshold


@pytest.mark.rule("R1")
def test_a_burn_that_makes_a_peek_total_gives_no_peek() -> None:
    table = only(0, burn=1)
    table.display(0, "JC", "AC", "2C", "3C", "5C")  # 21 on the table, 20 after the burn
    table.deck(0, "9S")
    table.play(layout.CRACK, layout.ROUND_END)
    assert table.state.hard[0] == 20
    assert table.counted(layout.PEEKS) == 0


@pytest.mark.rule("R2")
def test_a_guard_discarded_as_current_card_leaves_the_seat_without_one() -> None:
    table = only(0)
    table.display(0, *AT_21)
    table.display(1, "2C", "JD")
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert table.current(1) is None
    assert table.shown(1) == {"2C"}


@pytest.mark.rule("R2")
def test_a_guard_discarded_that_is_not_current_leaves_the_current_card() -> None:
    table = only(0)
    table.display(0, *AT_21)
    table.display(1, "JD", "2C")
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert table.current(1) == "2C"


@pytest.mark.rule("R3", "B22")
@pytest.mark.parametrize("policy", [GO_ON, None])
def test_a_seat_that_drew_nothing_must_bail(policy: object) -> None:
    table = only(0, policy=policy)
    table.display(0, "2C", "3H")
    table.play(layout.DRAW, layout.DRAW)
    assert table.told_of("no_card") == [{"seat": 1}]
    assert table.told_of("bail") == [{"seat": 1}]


@pytest.mark.rule("R3")
def test_a_targeted_seat_that_drew_nothing_bails_with_the_targeted_alarm() -> None:
    table = only(0, policy=GO_ON)
    table.cracked(0)
    table.display(0, "2C", "3H", "4H")
    table.play(layout.DRAW, layout.DRAW)
    assert table.told_of("alarm") == [{"seat": 1, "cause": "targeted"}]


@pytest.mark.rule("R3", "B10")
def test_a_seat_that_drew_a_card_again_may_stay_again() -> None:
    table = only(0, policy=GO_ON)
    table.state.drew[0] = 0
    table.deck(0, "3H", "2S")
    table.play(layout.DRAW, layout.DRAW)
    assert table.told_of("bail") == []


@pytest.mark.rule("R5")
def test_cards_held_aside_by_an_alarm_stay_out_of_every_remake() -> None:
    table = only(0, alarm_discards=5)
    table.display(0, "10H", "10S", "10D")
    table.deck(0, "2H", "3H")
    table.discards(0, "9S")
    table.play(layout.ALARM, layout.BAIL)
    assert [line["card"] for line in table.told_of("flip")] == ["2H", "3H", "9S"]
    assert [line["deck"] for line in table.told_of("shuffle")] == [["9S"]]


@pytest.mark.rule("R6")
@pytest.mark.parametrize(
    ("deck", "removed", "discarded", "stealth"),
    [((), [], set(), 2), (("2C",), ["2C"], set(), 2), (("JC",), [], {"JC"}, 1)],
)
def test_an_alarm_with_fewer_than_two_cards_takes_what_there_is(
    deck: tuple[str, ...], removed: list[str], discarded: set[str], stealth: int
) -> None:
    table = only(0)
    table.display(0, "10H", "10S", "10D")
    table.deck(0, *deck)
    table.play(layout.ALARM, layout.BAIL)
    assert [line["card"] for line in table.told_of("remove")] == removed
    assert table.discarded(0) == discarded
    assert table.state.stealth[0] == stealth
    assert table.counted(layout.ALARMS) == 1
    assert table.state.active[0] == 0


@pytest.mark.rule("R7")
@pytest.mark.parametrize(
    "display",
    [("9S", "7H", "5D"), ("10H", "9H", "8H")],
    ids=["leaving at 21", "going over the threshold"],
)
def test_other_ways_out_of_the_round_are_no_bails_of_a_targeted_seat(
    display: tuple[str, ...],
) -> None:
    table = only(0, targeted_safe_from=63)  # any bail of a Targeted seat would be an alarm
    table.cracked(0)
    table.display(0, *display)
    table.deck(0, "2H", "3H")
    table.play(layout.PEEK, layout.ROUND_END)
    assert table.state.active[0] == 0
    assert table.told_of("bail") == []
    assert table.counted(layout.TARGETED_ALARMS) == 0


@pytest.mark.rule("R7")
def test_cracking_is_no_bail() -> None:
    table = only(0, policy=LEAVE)
    table.display(0, "AC", "2C", "3C", "4C", "6C")  # 16: a bail would be an alarm
    table.play(layout.PEEK, layout.ROUND_END)
    assert table.counted(layout.CRACKED) == 1
    assert table.told_of("bail") == []
    assert table.counted(layout.ALARMS) == 0


@pytest.mark.rule("R8")
def test_a_seat_that_stays_at_21_may_bail_in_the_same_turn() -> None:
    def lay(table: Table) -> None:
        table.inactive(1, 2, 3)
        table.display(0, *AT_21)

    table = first_random(lay, layout.TWENTY_ONE, layout.CRACK, "twenty_one", choice="stay")
    table.policies = Table(LEAVE).policies
    table.play(layout.CRACK, layout.ROUND_END)
    assert table.told_of("bail") == [{"seat": 1}]


@pytest.mark.rule("R9")
def test_a_seat_that_cracks_with_its_guard_still_pays_at_the_end_of_the_round() -> None:
    table = only(0)
    table.display(0, "JC", "2C", "3C", "4C", "6C")
    table.play(layout.PEEK, layout.ROUND_START)
    assert table.state.cracked[0] == 1
    assert table.state.stealth.tolist() == [1, 2, 2, 2]


@pytest.mark.rule("R10")
@pytest.mark.parametrize("owner", [0, 1, 2, 3])
def test_any_guard_in_a_display_may_be_discarded_ones_own_too(owner: int) -> None:
    def lay(table: Table) -> None:
        table.inactive(1, 2, 3)
        table.display(0, "JC", "9S", "2D")
        for seat in (1, 2, 3):
            table.display(seat, "J" + "CDHS"[seat])

    table = first_random(
        lay, layout.TWENTY_ONE, layout.CRACK, "twenty_one", choice="guard", owner=owner + 1
    )
    guard = "J" + "CDHS"[owner]
    assert table.discarded(owner) == {guard}
    shown = {name for seat in range(4) for name in table.shown(seat)}
    assert shown == {"JC", "JD", "JH", "JS", "9S", "2D"} - {guard}


@pytest.mark.rule("R10")
def test_a_guard_that_is_needed_for_a_crack_may_be_discarded() -> None:
    table = only(0, 1)
    table.display(0, *AT_21)
    table.display(1, "JD", "3D", "4D", "6D", "7D")
    table.play(layout.PEEK, layout.ALARM)
    assert table.discarded(1) == {"JD"}
    assert table.counted(layout.CRACKED) == 0


@pytest.mark.rule("R11")
def test_at_21_inactive_and_cracked_seats_peek_too_in_seat_order() -> None:
    table = only(1, 2)
    table.cracked(2, 3)
    table.display(1, *AT_21)
    for seat in range(4):
        table.deck(seat, "J" + "CDHS"[seat], "4H")
    table.play(layout.TWENTY_ONE, layout.CRACK)
    peeks = [(line["seat"], line["card"], line["discarded"]) for line in table.told_of("peek")]
    assert peeks == [(1, "JC", True), (2, "JD", True), (3, "JH", True), (4, "JS", True)]


@pytest.mark.rule("R11")
def test_the_peek_of_a_twenty_one_comes_on_top_of_the_one_for_a_peek_total() -> None:
    table = only(0, 1)
    table.display(0, "10H", "5H")
    table.display(1, *AT_21)
    table.deck(0, "9S", "8S")
    table.play(layout.PEEK, layout.CRACK)
    assert [line["cause"] for line in table.told_of("peek") if line["seat"] == 1] == [
        "total",
        "twenty_one",
    ]


@pytest.mark.rule("R12")
def test_a_peek_with_no_card_anywhere_does_nothing_and_is_not_counted() -> None:
    table = only(0)
    table.display(0, "5H")
    table.play(layout.PEEK, layout.TWENTY_ONE)
    assert table.told() == []
    assert table.counted(layout.PEEKS) == 0
    assert known_top(table.state, 0) == layout.NO_CARD


@pytest.mark.rule("R49")
def test_burned_cards_leave_the_game_at_once_and_a_current_one_is_not_replaced() -> None:
    table = only(0, burn=1)
    table.display(0, "3C", "4C", "6C", "7C", "2C")
    table.play(layout.CRACK, layout.ALARM)
    assert table.shown(0) == {"3C", "4C", "6C", "7C"}
    assert table.current(0) is None
    assert table.discarded(0) == set()


@pytest.mark.rule("R49")
def test_a_traded_card_burns_as_well() -> None:
    table = only(0, 1, burn=1)
    table.display(0, "3C", "4C", "6C", "7C", "9H")
    table.display(1, "2C")
    table.play(layout.TRADE, layout.ALARM)
    assert table.told_of("burn") == [{"seat": 1, "card": "2C"}]
    table.play(layout.ALARM, layout.ROUND_START)
    assert "2C" not in table.discarded(0) | table.discarded(1)
