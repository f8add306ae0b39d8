"""Bailing out (B22)."""

import pytest

from balance.games.burgle import RandomPolicy
from kernels.burgle import layout
from tests.burgle_tables import GO_ON, LEAVE, Table, key_of


def last_active(*display: str, policy: object = LEAVE, **rules: int) -> Table:
    """Seat 0 (clubs) is the only active seat."""
    table = Table(policy, **rules)
    table.inactive(1, 2, 3)
    table.display(0, *display)
    table.deck(0, "2H", "3H", "4H")
    return table


@pytest.mark.rule("B22")
def test_a_seat_that_bails_becomes_inactive_without_an_alarm() -> None:
    table = last_active("2S", "3S")
    table.play(layout.BAIL, layout.ROUND_END)
    assert table.told_of("bail") == [{"seat": 1}]
    assert table.state.active[0] == 0
    assert table.counted(layout.ALARMS) == 0


@pytest.mark.rule("B22")
def test_a_seat_may_stay_active() -> None:
    table = last_active("10S", "9S", policy=GO_ON)
    table.play(layout.BAIL, layout.DRAW)
    assert table.told() == []
    assert table.state.active[0] == 1
    assert table.state.phase == layout.DRAW


@pytest.mark.rule("B22")
def test_each_seat_decides_for_itself() -> None:
    table = Table([LEAVE, GO_ON, LEAVE, GO_ON])
    for seat in range(4):
        table.display(seat, "2" + "DHSC"[seat])
    table.play(layout.BAIL, layout.DRAW)
    assert table.state.active.tolist() == [0, 1, 0, 1]


@pytest.mark.rule("B22")
def test_a_random_player_bails_now_and_then() -> None:
    seen = set()
    for key in range(40):
        table = last_active("10S", policy=RandomPolicy())
        table.key = key_of(2, key)
        table.play(layout.BAIL, layout.DRAW)
        seen.add(len(table.told_of("bail")))
    assert seen == {0, 1}


@pytest.mark.rule("B22")
@pytest.mark.parametrize(
    ("display", "alarms"),
    [
        (("10S", "6S"), 1),
        (("10S", "7S"), 0),
        (("AS", "5S"), 1),
        (("AS", "6S"), 0),
        (("AS", "10S", "5S"), 1),
        (("AS", "AH", "5S"), 0),
        (("10S", "9S", "2D"), 0),
        (("JC", "6S"), 1),
    ],
)
def test_a_targeted_seat_that_bails_with_its_best_reading_under_17_triggers_an_alarm(
    display: tuple[str, ...], alarms: int
) -> None:
    table = last_active(*display)
    table.cracked(0)
    table.play(layout.BAIL, layout.ROUND_END)
    assert table.counted(layout.ALARMS) == table.counted(layout.TARGETED_ALARMS) == alarms
    assert table.state.seat_alarms.tolist() == [alarms, 0, 0, 0]
    assert table.state.active[0] == 0


@pytest.mark.rule("B22")
def test_a_targeted_alarm_is_an_alarm_like_any_other() -> None:
    table = last_active("2S")
    table.cracked(0)
    table.deck(0, "JC", "3H", "4H")
    table.play(layout.BAIL, layout.ROUND_END)
    assert [line["event"] for line in table.told()] == [
        "bail",
        "alarm",
        "flip",
        "flip",
        "stealth",
        "remove",
    ]
    assert table.told_of("stealth") == [{"seat": 1, "cause": "targeted_alarm", "left": 1}]
    assert table.told_of("remove") == [{"seat": 1, "card": "3H"}]
    assert table.discarded(0) == {"JC"}


@pytest.mark.rule("B22")
def test_a_targeted_seat_that_stays_triggers_no_alarm() -> None:
    table = last_active("2S", policy=GO_ON)
    table.cracked(0)
    table.play(layout.BAIL, layout.DRAW)
    assert table.counted(layout.ALARMS) == 0


@pytest.mark.rule("B22")
@pytest.mark.parametrize(("safe_from", "alarms"), [(0, 0), (12, 0), (13, 1), (63, 1)])
def test_where_a_targeted_seat_is_safe_is_a_rule(safe_from: int, alarms: int) -> None:
    table = last_active("10S", "2S", targeted_safe_from=safe_from)
    table.cracked(0)
    table.play(layout.BAIL, layout.ROUND_END)
    assert table.counted(layout.TARGETED_ALARMS) == alarms


@pytest.mark.rule("B22")
def test_the_best_reading_is_limited_by_the_alarm_threshold() -> None:
    table = last_active("AS", "8S", alarm_over=18)  # 9; 19 would be over
    table.cracked(0)
    table.play(layout.BAIL, layout.ROUND_END)
    assert table.counted(layout.TARGETED_ALARMS) == 1


@pytest.mark.rule("B22", "B24")
def test_a_targeted_alarm_can_lose_the_game_before_the_next_seat_decides() -> None:
    table = Table(LEAVE)
    table.inactive(2, 3)
    table.cracked(0)
    table.display(0, "2S")
    table.display(1, "2H")
    table.deck(0, "JC", "3H")
    table.state.stealth[0] = 0
    table.play(layout.BAIL, layout.ROUND_END)
    assert table.state.phase == layout.OVER
    assert table.counted(layout.LOST_TO) == layout.BY_TARGETED_ALARM
    assert table.told_of("bail") == [{"seat": 1}]
    assert table.counted(layout.REMOVED) == 0
