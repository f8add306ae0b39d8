"""`expert` uses each tool in its situation, and else keeps it."""

from typing import Any

import pytest

from balance.games.burgle import TOOLS, ExpertPolicy
from kernels.burgle import layout
from tests.burgle_tables import Table, expert_table

TOOL_KNOBS = {
    "last_stealth": 5,
    "close": 0.4,
    "crowbar_from": 0.4,
    "stethoscope_from": 0.4,
    "donuts_from": 0.8,
    "makeup_kit_from": 2,
    "emp_from": 0.8,
    "dynamite_from": 1.5,
    "smoke_bomb_from": 2,
}


def tool_table(hand: str, **knobs: float) -> Table:
    """A table at which seat 2 (hearts, from 0) holds a tool."""
    made = expert_table({**TOOL_KNOBS, **knobs})
    made.hand(2, hand)
    return made


def used(made: Table, start: int, stop: int) -> list[dict[str, Any]]:
    made.play(start, stop)
    return [
        {name: value for name, value in line.items() if name in ("tool", "target", "card")}
        for line in made.told_of("use")
    ]


def at_start(made: Table) -> list[dict[str, Any]]:
    return used(made, layout.ROUND_START, layout.DRAW)


def before_alarm(made: Table) -> list[dict[str, Any]]:
    return used(made, layout.ALARM, layout.BAIL)


def before_end(made: Table) -> list[dict[str, Any]]:
    return used(made, layout.ROUND_END, layout.ROUND_START)


@pytest.mark.rule("T8")
def test_the_virus_is_used_as_soon_as_a_round_starts() -> None:
    assert at_start(tool_table("virus")) == [{"tool": "virus"}]


@pytest.mark.rule("T2")
def test_the_crystal_ball_is_used_while_it_finds_two_guards() -> None:
    made = tool_table("crystal_ball")
    for seat in range(4):
        made.deck(seat, "2C", "J" + "CDHS"[seat])
    made.discards(0, "JC")
    assert at_start(made) == [{"tool": "crystal_ball"}]
    made = tool_table("crystal_ball")
    for seat in range(4):
        made.deck(seat, "2C", "J" + "CDHS"[seat])
    made.discards(0, "JC")
    made.known(1, 2)
    assert at_start(made) == []


@pytest.mark.rule("T4")
def test_the_donuts_go_to_the_seat_that_its_guard_would_hurt_most() -> None:
    small = ("2C", "JD", "3C")
    large = ("2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "JS", "10H", "AH")
    made = tool_table("donuts")
    made.deck(1, *small)
    made.deck(3, *large)
    assert at_start(made) == [{"tool": "donuts", "target": 2}]
    made = tool_table("donuts")
    made.deck(1, *small)
    made.deck(3, *large)
    made.state.stealth[3] = 0  # 3 of 11 cards, times 5
    assert at_start(made) == [{"tool": "donuts", "target": 4}]
    made = tool_table("donuts")
    for seat in range(4):
        made.deck(seat, *large[:8], "J" + "CDHS"[seat])
    assert at_start(made) == []


@pytest.mark.rule("T5")
def test_the_makeup_kit_is_used_for_two_seats_or_for_one_without_stealth() -> None:
    made = tool_table("makeup_kit")
    made.cracked(0, 1)
    assert at_start(made) == [{"tool": "makeup_kit"}]
    made = tool_table("makeup_kit")
    made.cracked(0)
    assert at_start(made) == []
    made.state.stealth[0] = 0
    assert at_start(made) == [{"tool": "makeup_kit"}]


@pytest.mark.rule("T5", "R39")
def test_the_makeup_kit_is_used_before_a_round_is_settled_too() -> None:
    made = tool_table("makeup_kit")
    made.cracked(0, 3)
    assert before_end(made) == [{"tool": "makeup_kit"}]


def current_cards(made: Table, *names: str) -> Table:
    for seat, name in enumerate(names):
        made.display(seat, name)
        made.deck(seat, "2" + "DHSC"[seat], "3" + "DHSC"[seat])
    return made


@pytest.mark.rule("T7")
def test_the_dynamite_removes_high_cards_of_no_use_and_spares_wanted_ones() -> None:
    made = current_cards(tool_table("dynamite"), "8D", "9H", "AS", "AC")
    assert used(made, layout.PEEK, layout.TWENTY_ONE) == [{"tool": "dynamite"}]
    made = current_cards(tool_table("dynamite"), "8D", "9H", "10H", "AC")  # 10H is wanted
    assert used(made, layout.PEEK, layout.TWENTY_ONE) == []
    made = current_cards(tool_table("dynamite"), "4D", "4H", "3S", "3C")
    assert used(made, layout.PEEK, layout.TWENTY_ONE) == []


def seat_over(made: Table, *display: str, cards: int = 2) -> Table:
    """Seat 1 (diamonds) shows these cards; its deck holds so many, its Guard among them."""
    made.display(1, *display)
    made.deck(1, "JD", *[f"{rank}C" for rank in range(2, cards + 1)])
    return made


@pytest.mark.rule("T1")
def test_the_crowbar_takes_the_highest_useless_card_of_a_seat_over_its_threshold() -> None:
    made = seat_over(tool_table("crowbar"), "7H", "9H", "10D", "2S")
    assert before_alarm(made) == [{"tool": "crowbar", "target": 2, "card": "9H"}]
    assert made.counted(layout.ALARMS) == 0


@pytest.mark.rule("T1")
@pytest.mark.parametrize(
    ("display", "cards"),
    [
        (["7H", "9H", "4S"], 2),  # no alarm
        (["7H", "9H", "8S"], 9),  # the Guard is unlikely to be flipped
        (["10H", "9H", "10S", "9C"], 2),  # one card less is not enough
    ],
)
def test_the_crowbar_is_kept_where_it_saves_nothing(display: list[str], cards: int) -> None:
    assert before_alarm(seat_over(tool_table("crowbar"), *display, cards=cards)) == []


@pytest.mark.rule("T1")
def test_the_crowbar_keeps_a_seat_near_its_crack_in_the_round() -> None:
    made = seat_over(tool_table("crowbar"), "2D", "3D", "4D", "6D", "8H", cards=9)
    assert before_alarm(made) == [{"tool": "crowbar", "target": 2, "card": "8H"}]


@pytest.mark.rule("T3")
def test_the_stethoscope_is_put_on_a_seat_over_its_threshold() -> None:
    made = seat_over(tool_table("stethoscope"), "10H", "9H", "9S")  # 28 - 7
    assert before_alarm(made) == [{"tool": "stethoscope", "target": 2}]
    assert made.counted(layout.ALARMS) == 0


@pytest.mark.rule("T3")
@pytest.mark.parametrize(
    ("display", "cards"),
    [
        (["7H", "9H", "4S"], 2),
        (["7H", "9H", "8S"], 9),
        (["10H", "9H", "10S"], 2),  # 29 - 7 is still over
    ],
)
def test_the_stethoscope_is_kept_where_it_saves_nothing(display: list[str], cards: int) -> None:
    assert before_alarm(seat_over(tool_table("stethoscope"), *display, cards=cards)) == []


@pytest.mark.rule("T3")
def test_the_stethoscope_goes_to_the_seat_without_stealth_first() -> None:
    made = seat_over(tool_table("stethoscope"), "10H", "9H", "5S")
    made.display(3, "10C", "9C", "5H")
    made.deck(3, "JS", "2H")
    made.state.stealth[1] = 0
    assert before_alarm(made) == [{"tool": "stethoscope", "target": 2}]


@pytest.mark.rule("T6")
def test_the_emp_is_used_when_the_alarms_to_come_would_cost_stealth() -> None:
    made = seat_over(tool_table("emp"), "10H", "9H", "9S")
    assert before_alarm(made) == [{"tool": "emp"}]
    assert made.counted(layout.ALARMS) == 0
    assert before_alarm(seat_over(tool_table("emp"), "10H", "9H", "9S", cards=9)) == []
    made = seat_over(tool_table("emp"), "10H", "9H", "9S", cards=9)
    made.state.stealth[1] = 0  # 2 of 9 cards, times 5
    assert before_alarm(made) == [{"tool": "emp"}]


@pytest.mark.rule("T6", "C6")
def test_the_emp_is_kept_where_the_raven_escapes_anyway() -> None:
    made = Table(ExpertPolicy(**TOOL_KNOBS), characters=["hawk", "raven", "hammer", "acrobat"])
    made.hand(2, "emp")
    assert before_alarm(seat_over(made, "10H", "9H", "9S")) == []


@pytest.mark.rule("T9")
def test_the_smoke_bomb_is_used_for_the_guards_in_displays_by_what_they_cost() -> None:
    for needed, stealth, tools in ((2, 1, ["smoke_bomb"]), (3, 1, []), (6, 0, ["smoke_bomb"])):
        made = tool_table("smoke_bomb", smoke_bomb_from=needed)
        made.display(0, "JC")
        made.display(3, "JS")
        made.state.stealth[3] = stealth
        assert [line["tool"] for line in before_end(made)] == tools


@pytest.mark.rule("R30", "R31")
@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool != "crystal_ball"])
def test_no_tool_is_used_where_nothing_asks_for_it(tool: str) -> None:
    """A quiet round: nobody is over, no Guard is near, no safe is open."""
    made = tool_table(tool)
    quiet = ("2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H")
    for seat in range(4):
        made.deck(seat, *quiet, "J" + "CDHS"[seat])
    told = used(made, layout.ROUND_START, layout.BAIL)
    assert told == ([{"tool": "virus"}] if tool == "virus" else [])
