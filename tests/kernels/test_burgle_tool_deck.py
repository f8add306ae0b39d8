"""The tool deck: what is in it, its order, and who draws from it."""

from collections import Counter
from math import sqrt

import pytest

from balance.games.burgle import BURGLE, TOOLS, BurgleRules, RandomPolicy
from kernels.burgle import layout
from tests.burgle_tables import Table, only

STANDARD_ERRORS = 4
CRACKS = ("2C", "3C", "4C", "6C", "7C")


@pytest.mark.rule("B6")
def test_all_nine_tools_are_in_the_deck_by_default_and_others_on_demand() -> None:
    for tools, names in ((True, TOOLS), (["emp", "virus"], ("emp", "virus")), (False, ())):
        table = Table(tools=tools)
        assert [name for name, there in zip(TOOLS, table.rules.tool[0], strict=True) if there] == [
            *names
        ]
    assert BurgleRules().tools is True


@pytest.mark.rule("B6")
def test_every_order_of_the_tool_deck_starts_with_each_tool_equally_often() -> None:
    """n = 1800 games, every tool within four standard errors of 1/9."""
    n = 1800
    packed = BURGLE.pack(BurgleRules(max_rounds=1), [RandomPolicy()] * 4)
    firsts: Counter[str] = Counter()
    for rollout in range(n):
        told = packed.trace(31, rollout)
        deck = next(line["deck"] for line in told if line["event"] == "tools")
        assert sorted(deck) == sorted(TOOLS)
        firsts[deck[0]] += 1
    error = sqrt(n * (1 / 9) * (8 / 9))
    assert all(abs(firsts[tool] - n / 9) < STANDARD_ERRORS * error for tool in TOOLS)


@pytest.mark.rule("B6", "B20")
def test_a_seat_that_cracks_draws_the_next_tool() -> None:
    table = only(0)
    table.tool_deck("emp", "virus", "donuts")
    table.display(0, *CRACKS)
    table.play(layout.CRACK, layout.ALARM)
    assert table.told_of("tool") == [{"seat": 1, "tool": "emp"}]
    assert table.held_tools(0) == {"emp"}
    assert table.left_tools() == ["virus", "donuts"]


@pytest.mark.rule("B6", "B25")
def test_the_last_crack_of_a_won_game_still_draws_its_tool() -> None:
    table = only(0)
    table.cracked(1, 2, 3)
    table.tool_deck("emp")
    table.display(0, *CRACKS)
    table.play(layout.CRACK, layout.ALARM)
    assert table.counted(layout.WON) == 1
    assert table.told_of("tool") == [{"seat": 1, "tool": "emp"}]


@pytest.mark.rule("R33")
def test_an_empty_tool_deck_gives_none() -> None:
    table = only(0)
    table.display(0, *CRACKS)
    table.play(layout.CRACK, layout.ALARM)
    assert table.counted(layout.CRACKED) == 1
    assert table.told_of("tool") == []
    assert table.held_tools(0) == set()
