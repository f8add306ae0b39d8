"""Cracking a safe (B20) and winning (B25)."""

import pytest

from balance.games.burgle import SimplePolicy
from kernels.burgle import layout
from tests.burgle_tables import GO_ON, LEAVE, Table

CLUBS = ("2C", "3C", "4C", "6C", "7C")


def alone(*display: str, policy: object = None, **rules: object) -> Table:
    """Seat 0 (clubs) is the only active seat."""
    table = Table(policy, **rules)
    table.inactive(1, 2, 3)
    table.display(0, *display)
    return table


def last_safe(win_at_once: bool, *extra: str) -> Table:
    """Seat 0 is about to crack the last safe."""
    table = alone(*CLUBS, *extra, win_at_once=win_at_once)
    table.cracked(1, 2, 3)
    return table


@pytest.mark.rule("B20")
@pytest.mark.parametrize(
    ("display", "cracks"),
    [
        (CLUBS, True),
        ((*CLUBS[:4], "JC"), True),
        ((*CLUBS, "JC", "AH", "2H"), True),
        ((*CLUBS[:4], "8H"), False),
        ((*CLUBS[:4], "JD"), False),
        (("2D", "3D", "4D", "6D", "7D"), False),
        ((*CLUBS[:4], "Joker"), True),
    ],
)
def test_five_cards_of_the_guards_suit_open_the_safe(
    display: tuple[str, ...], cracks: bool
) -> None:
    table = alone(*display)
    table.play(layout.PEEK, layout.ALARM)
    assert table.state.cracked[0] == table.counted(layout.CRACKED) == cracks
    assert table.state.to_crack == 4 - cracks


@pytest.mark.rule("B20")
def test_a_crack_over_the_alarm_threshold_triggers_no_alarm() -> None:
    table = alone("10C", "9C", "8C", "7C", "6C", "10H")
    table.play(layout.PEEK, layout.BAIL)
    assert table.counted(layout.CRACKED) == 1
    assert table.counted(layout.ALARMS) == 0


@pytest.mark.rule("B20")
def test_a_seat_that_cracks_becomes_inactive_and_its_round_is_noted() -> None:
    table = alone(*CLUBS)
    table.state.round_number = 7
    table.play(layout.PEEK, layout.ALARM)
    assert table.state.active[0] == 0
    assert table.state.crack_round.tolist() == [7, 0, 0, 0]


@pytest.mark.rule("B20")
def test_the_display_stays_until_the_end_of_the_round() -> None:
    table = alone(*CLUBS, "9H")
    table.play(layout.PEEK, layout.ALARM)
    assert table.shown(0) == {*CLUBS, "9H"}
    assert table.counted(layout.REMOVED) == 0


@pytest.mark.rule("B20")
def test_a_safe_is_cracked_once_a_game() -> None:
    table = alone(*CLUBS)
    table.cracked(0)
    table.play(layout.PEEK, layout.ALARM)
    assert table.counted(layout.CRACKED) == 0
    assert table.state.active[0] == 1


@pytest.mark.rule("B20")
def test_a_seat_that_cracked_plays_on_in_later_rounds_and_is_targeted() -> None:
    table = alone(*CLUBS, policy=LEAVE)
    table.deck(0, "9H", "2H", "3H")
    table.play(layout.PEEK, layout.ROUND_START)
    assert table.counted(layout.TARGETED_ALARMS) == 0
    table.play(layout.ROUND_START, layout.ROUND_END)
    assert table.told_of("draw") == [{"seat": 1, "card": "9H"}]
    assert table.told_of("alarm") == [{"seat": 1, "cause": "targeted"}]


@pytest.mark.rule("B20")
def test_a_seat_that_left_at_21_in_the_same_check_still_cracks() -> None:
    table = alone("AC", "2C", "3C", "4C", "JC", "AH")  # 21, and a Guard in another display
    table.display(2, "JH")
    table.display(0, "2C", "3C", "4C", "5C", "7C")
    table.play(layout.PEEK, layout.ALARM)
    assert table.told_of("twenty_one")[0]["choice"] == "guard"
    assert table.state.cracked[0] == 1


@pytest.mark.rule("B20")
@pytest.mark.parametrize("flush", [1, 3, 6])
def test_how_many_cards_open_a_safe_is_a_rule(flush: int) -> None:
    cards = ("2C", "3C", "4C", "6C", "7C", "8C")
    for n, cracks in ((flush - 1, 0), (flush, 1)):
        table = alone(*cards[:n], crack={"flush": flush})
        table.play(layout.CRACK, layout.ALARM)
        assert table.counted(layout.CRACKED) == cracks


@pytest.mark.rule("B20")
def test_the_cards_that_cracked_are_told() -> None:
    table = alone("8H", "JC", *CLUBS[:4])
    table.play(layout.CRACK, layout.ALARM)
    assert table.told_of("crack") == [
        {"seat": 1, "cards": ["2C", "3C", "4C", "6C", "JC"], "kind": "flush"}
    ]


@pytest.mark.rule("B25")
def test_the_last_crack_wins_at_once() -> None:
    table = last_safe(True, "JC")
    table.display(1, "JD")
    table.state.stealth[:] = 0
    table.play(layout.PEEK, layout.ROUND_START)
    assert table.state.phase == layout.OVER
    assert table.counted(layout.WON) == 1
    assert table.told_of("round_end") == []
    assert table.state.stealth.tolist() == [0, 0, 0, 0]


@pytest.mark.rule("B25")
def test_the_last_crack_but_one_does_not_win() -> None:
    table = alone(*CLUBS)
    table.cracked(1, 2)
    table.play(layout.PEEK, layout.ROUND_START)
    assert table.counted(layout.WON) == 0
    assert table.state.phase == layout.ROUND_START


@pytest.mark.rule("B25")
def test_without_win_at_once_the_win_waits_for_the_end_of_the_round() -> None:
    table = last_safe(False)
    table.play(layout.PEEK, layout.ROUND_END)
    assert table.counted(layout.WON) == 0
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.counted(layout.WON) == 1
    assert table.state.phase == layout.OVER


@pytest.mark.rule("B25")
def test_without_win_at_once_other_seats_play_on_and_can_still_lose() -> None:
    table = last_safe(False)
    table.policies = Table(GO_ON).policies
    table.state.active[1] = 1
    table.display(1, "3H", "4H")
    table.deck(1, "JD")
    table.state.stealth[1] = 0
    table.play(layout.PEEK, layout.DRAW)
    assert table.state.phase == layout.DRAW
    table.policies = Table(SimplePolicy(targeted_bail_at=17)).policies
    table.play(layout.DRAW, layout.ROUND_START)
    assert table.counted(layout.WON) == 0
    assert table.counted(layout.LOST_TO) == layout.BY_DISPLAY


@pytest.mark.rule("B25")
def test_without_win_at_once_a_stealth_that_can_be_paid_does_not_spoil_the_win() -> None:
    table = last_safe(False, "JC")
    table.play(layout.PEEK, layout.ROUND_START)
    assert table.counted(layout.WON) == 1
    assert table.state.stealth[0] == 1


@pytest.mark.rule("B25")
def test_cards_burn_before_the_win_is_declared() -> None:
    table = alone(*CLUBS, burn=2)
    table.cracked(1, 2, 3)
    table.play(layout.PEEK, layout.ALARM)
    assert table.counted(layout.WON) == 1
    assert table.counted(layout.REMOVED) == 2
