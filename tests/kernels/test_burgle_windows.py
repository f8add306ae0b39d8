"""When tools are used, and by whom (R30-R32), and the Joker on its way (R43, R50)."""

from typing import Any

import pytest

from balance.games.burgle import TOOLS, RandomPolicy, SimplePolicy
from kernels.burgle import layout
from tests.burgle_tables import GO_ON, Table, first_random, random_tables

AT_START, AFTER_DRAW, AFTER_TRADE, BEFORE_ALARM, BEFORE_END = range(5)
STARTS = {
    AT_START: layout.ROUND_START,
    AFTER_DRAW: layout.TRADE,
    AFTER_TRADE: layout.PEEK,
    BEFORE_ALARM: layout.ALARM,
    BEFORE_END: layout.ROUND_END,
}


def full_table(table: Table) -> None:
    """A table where every tool has an effect, whatever the window allows."""
    table.cracked(3)
    table.display(0, "9H", "JC")
    table.display(1, "9D", "JD", "2S")
    table.display(2, "2H")
    table.deck(2, "3H", "JH")
    for seat in (0, 1, 3):
        table.deck(seat, "4" + "CDHS"[seat], "5" + "CDHS"[seat])


def used_in(window: int, tool: str, policy: Any = None) -> bool:
    """Whether some random owner uses the tool in the step that opens with this window."""
    for rollout in range(40):
        table = Table(policy or RandomPolicy())
        table.key = table.key + rollout
        full_table(table)
        if window == BEFORE_END:
            table.inactive(0, 1, 2, 3)
        table.hand(3, tool)
        start = STARTS[window]
        stop = start + 1 if start < layout.ROUND_END else layout.ROUND_START
        table.play(start, layout.DRAW if window == AT_START else stop)
        if table.told_of("use"):
            return True
    return False


USED = {
    "crowbar": {AFTER_DRAW, AFTER_TRADE, BEFORE_ALARM, BEFORE_END, AT_START},
    "crystal_ball": {AT_START, AFTER_DRAW, AFTER_TRADE, BEFORE_ALARM, BEFORE_END},
    "stethoscope": {AT_START, AFTER_DRAW, AFTER_TRADE, BEFORE_ALARM},
    "donuts": {AT_START},
    "makeup_kit": {AT_START, AFTER_DRAW, AFTER_TRADE, BEFORE_ALARM, BEFORE_END},
    "emp": {AT_START, AFTER_DRAW, AFTER_TRADE, BEFORE_ALARM},
    "dynamite": {AFTER_DRAW, AFTER_TRADE},
    "virus": {AT_START, AFTER_DRAW, AFTER_TRADE, BEFORE_ALARM, BEFORE_END},
    "smoke_bomb": {AT_START, AFTER_DRAW, AFTER_TRADE, BEFORE_ALARM, BEFORE_END},
}


@pytest.mark.rule("R30", "R42")
@pytest.mark.parametrize("tool", TOOLS)
def test_every_window_opens_for_the_tools_that_have_an_effect_there(tool: str) -> None:
    assert {window for window in STARTS if used_in(window, tool)} == USED[tool]


@pytest.mark.rule("R30")
@pytest.mark.parametrize("step", [layout.DRAW, layout.TWENTY_ONE, layout.CRACK])
def test_no_window_opens_at_other_steps(step: int) -> None:
    def lay(table: Table) -> None:
        full_table(table)
        table.hand(3, *TOOLS)

    for table in random_tables(lay, step, step + 1, rollouts=10):
        assert table.told_of("use") == []


@pytest.mark.rule("R30")
def test_no_window_opens_as_seats_bail() -> None:
    for rollout in range(10):
        table = Table([GO_ON, GO_ON, GO_ON, RandomPolicy()])
        table.key = table.key + rollout
        full_table(table)
        table.hand(3, *TOOLS)
        table.play(layout.BAIL, layout.DRAW)
        assert table.told_of("bail") == [{"seat": 4}]  # which drew no card
        assert table.told_of("use") == []


@pytest.mark.rule("R30")
def test_the_windows_of_a_turn_open_without_trading_as_well() -> None:
    def lay(table: Table) -> None:
        full_table(table)
        table.hand(3, "dynamite")

    assert first_random(lay, layout.TRADE, layout.PEEK, "use", {"trading": False})


@pytest.mark.rule("R30")
def test_the_last_window_comes_before_the_guards_are_counted() -> None:
    def lay(table: Table) -> None:
        table.inactive(0, 1, 2, 3)
        table.display(0, "JC")
        table.display(1, "JD")
        table.hand(3, "smoke_bomb")

    table = first_random(lay, layout.ROUND_END, layout.ROUND_START, "use")
    assert [line["event"] for line in table.told()] == ["use", "round_end"]
    assert table.counted(layout.STEALTH_LOST) == 0


@pytest.mark.rule("R30")
def test_the_window_before_the_alarms_can_save_a_seat() -> None:
    def lay(table: Table) -> None:
        table.inactive(1, 2, 3)
        table.display(0, "10H", "9H", "8H")
        table.hand(3, "stethoscope")

    table = first_random(lay, layout.ALARM, layout.BAIL, "use", target=1)
    assert table.counted(layout.ALARMS) == 0
    assert table.state.active[0] == 1


@pytest.mark.rule("R31")
def test_any_number_of_tools_are_used_in_a_window_in_any_order() -> None:
    def lay(table: Table) -> None:
        full_table(table)
        table.hand(3, "virus", "emp")
        table.hand(0, "makeup_kit")

    seen = {
        tuple(line["tool"] for line in table.told_of("use"))
        for table in random_tables(lay, layout.ALARM, layout.BAIL)
    }
    both = {order for order in seen if len(order) == 3}
    assert () in seen
    assert {("virus", "emp", "makeup_kit"), ("emp", "makeup_kit", "virus")} & both
    assert {order[0] for order in both} == {"virus", "emp", "makeup_kit"}


@pytest.mark.rule("R31")
def test_a_tool_that_gets_its_effect_from_another_can_be_used_after_it() -> None:
    """The owner that comes first in seat order may wait for a later seat and be asked again."""

    def lay(table: Table) -> None:
        table.inactive(1, 2, 3)
        table.display(0, "9H")
        table.deck(0, "JC")
        table.display(1, "JD")
        table.hand(0, "smoke_bomb")
        table.hand(3, "dynamite")

    orders = {
        tuple(line["tool"] for line in table.told_of("use"))
        for table in random_tables(lay, layout.PEEK, layout.TWENTY_ONE)
    }
    assert orders == {(), ("dynamite",), ("dynamite", "smoke_bomb")}


@pytest.mark.rule("R31")
def test_inactive_seats_use_tools_too() -> None:
    def lay(table: Table) -> None:
        table.inactive(1, 2, 3)
        table.display(0, "9H")
        table.hand(2, "virus")

    table = first_random(lay, layout.PEEK, layout.TWENTY_ONE, "use")
    assert table.told_of("use") == [{"seat": 3, "tool": "virus"}]


@pytest.mark.rule("R59")
@pytest.mark.parametrize("window", STARTS)
def test_simple_uses_no_tool(window: int) -> None:
    assert not any(used_in(window, tool, SimplePolicy()) for tool in TOOLS)


@pytest.mark.rule("R32")
def test_a_tool_drawn_on_cracking_can_be_used_before_the_alarms_of_that_turn() -> None:
    def lay(table: Table) -> None:
        table.inactive(1, 2, 3)
        table.display(0, "2C", "3C", "4C", "6C", "7C")
        table.tool_deck("virus")

    table = first_random(lay, layout.CRACK, layout.BAIL, "use")
    assert [line["event"] for line in table.told()] == ["crack", "tool", "use"]
    assert table.discarded(0) == {"Joker"}


@pytest.mark.rule("R43")
def test_the_joker_is_drawn_seen_flipped_and_blown_up_as_any_card() -> None:
    table = Table(GO_ON)
    table.inactive(1, 2, 3)
    table.deck(0, "Joker", "2H")
    table.play(layout.DRAW, layout.TRADE)
    assert (table.current(0), int(table.state.hard[0]), int(table.state.held[0])) == ("Joker", 0, 1)
    table.use(1, "dynamite")
    assert table.shown(0) == {"2H"}
    table = Table(GO_ON)
    table.inactive(1, 2, 3)
    table.display(0, "5H")
    table.deck(0, "Joker", "2H")
    table.play(layout.PEEK, layout.TWENTY_ONE)
    assert table.told_of("peek")[0]["card"] == "Joker"
    assert table.state.stealth[0] == 2
    table.display(0, "10H", "9H", "8H")
    table.play(layout.ALARM, layout.BAIL)
    assert {line["card"] for line in table.told_of("flip")} == {"Joker", "2H"}


@pytest.mark.rule("R43")
def test_an_alarm_may_remove_the_joker() -> None:
    def lay(table: Table) -> None:
        table.inactive(1, 2, 3)
        table.display(0, "10H", "9H", "8H")
        table.deck(0, "Joker", "2H")

    table = first_random(lay, layout.ALARM, layout.BAIL, "remove", card="Joker")
    assert table.discarded(0) == {"2H"}


@pytest.mark.rule("R43", "R59")
def test_simple_trades_the_joker_as_a_card_of_every_suit() -> None:
    table = Table()
    table.inactive(2, 3)
    table.cracked(1)
    table.display(0, "2H")
    table.display(1, "Joker")
    table.play(layout.TRADE, layout.PEEK)
    assert table.shown(0) == {"Joker"}


@pytest.mark.rule("R50")
@pytest.mark.parametrize(("burn", "burned"), [(1, ["Joker"]), (2, ["Joker", "2C"])])
def test_a_joker_that_helped_the_crack_burns_first(burn: int, burned: list[str]) -> None:
    table = Table(burn=burn)
    table.inactive(1, 2, 3)
    table.display(0, "2C", "3C", "Joker", "4C", "6C")
    table.play(layout.CRACK, layout.ALARM)
    assert [line["card"] for line in table.told_of("burn")] == burned
    assert table.counted(layout.REMOVED) == burn
    assert "Joker" not in table.shown(0)


@pytest.mark.rule("R50", "M1")
def test_simple_cracks_with_the_lowest_cards_the_joker_among_them() -> None:
    table = Table(burn=1)
    table.inactive(1, 2, 3)
    table.display(0, "2C", "3C", "Joker", "4C", "6C", "7C")
    table.play(layout.CRACK, layout.ALARM)
    (crack,) = table.told_of("crack")
    assert set(crack["cards"]) == {"2C", "3C", "4C", "6C", "Joker"}
    assert table.told_of("burn") == [{"seat": 1, "card": "Joker"}]


@pytest.mark.rule("R50", "M1")
def test_with_more_than_five_suit_cards_the_joker_may_be_kept_out_of_the_crack() -> None:
    def lay(table: Table) -> None:
        table.inactive(1, 2, 3)
        table.display(0, "2C", "3C", "Joker", "4C", "6C", "7C")

    seen = {
        frozenset(table.told_of("crack")[0]["cards"])
        for table in random_tables(lay, layout.CRACK, layout.ALARM)
    }
    every = {"2C", "3C", "Joker", "4C", "6C", "7C"}
    assert seen == {frozenset(every - {name}) for name in every}


@pytest.mark.rule("R50", "R51")
def test_a_joker_in_a_straight_burns_first() -> None:
    table = Table(crack={"straight_flush": 4}, joker_in_straight=True, burn=2)
    table.inactive(1, 2, 3)
    table.display(0, "2C", "3C", "Joker", "5C")
    table.play(layout.CRACK, layout.ALARM)
    assert [line["card"] for line in table.told_of("burn")] == ["Joker", "2C"]
