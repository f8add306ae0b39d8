"""Who plays whom, and the Hawk, the Acrobat, the Hammer, the Juicer and the Raven (B4, C1-C6)."""

from collections import Counter
from math import sqrt
from typing import Any

import pytest

from balance.games.burgle import BURGLE, CHARACTERS, BurgleRules, SimplePolicy
from kernels.burgle import layout, play
from tests.burgle_tables import (
    GO_ON,
    LEAVE,
    Table,
    character_at,
    first_random,
    key_of,
    random_tables,
)

STANDARD_ERRORS = 4
AT_21 = ("10H", "9S", "2D")


def seat_of(name: str, policy: Any = None, **rules: Any) -> Table:
    """Only seat 0 (clubs) is active, and it has this character."""
    table = Table(policy, characters=character_at(0, name), **rules)
    table.inactive(1, 2, 3)
    return table


@pytest.mark.rule("B4")
@pytest.mark.parametrize("players", [2, 4])
def test_characters_drawn_by_lot_are_distinct_and_equally_likely(players: int) -> None:
    """n = 1800 games, every character at every seat within four standard errors of 1/9."""
    n = 1800
    table = Table(players=players, characters="random")
    table.events.recording = 0
    seen = [Counter[int]() for _ in range(players)]
    for rollout in range(n):
        key = key_of(9, rollout)
        play.run_begin(table.rules, table.policies, key, table.states, table.rooms, table.events)
        drawn = table.state.character.tolist()
        assert len(set(drawn[:players])) == players
        assert drawn[players:] == [layout.NO_CHARACTER] * (4 - players)
        for seat in range(players):
            seen[seat][drawn[seat]] += 1
    error = sqrt(n * (1 / 9) * (8 / 9))
    for counts in seen:
        assert sorted(counts) == list(range(9))
        assert all(abs(times - n / 9) < STANDARD_ERRORS * error for times in counts.values())


@pytest.mark.rule("B4")
def test_characters_can_be_named_and_none_is_the_default() -> None:
    assert BurgleRules().characters == "none"
    assert Table().state.character.tolist() == [layout.NO_CHARACTER] * 4
    names = ["rook", "hawk", "peterman", "spotter"]
    seated = Table(characters=names).state.character.tolist()
    assert [CHARACTERS[number] for number in seated] == names


@pytest.mark.rule("B4")
def test_the_outcome_says_who_sat_where() -> None:
    rules = BurgleRules(players=3, characters=["rook", "hawk", "peterman"])
    end = BURGLE.pack(rules, [SimplePolicy()] * 4).trace(1, 0)[-1]
    seated = [end["outcome"][f"character.{seat}"] for seat in range(1, 5)]
    assert seated == ["rook", "hawk", "peterman", "none"]


def lay_peek(table: Table) -> None:
    table.inactive(1, 2, 3)
    table.display(0, "10H")
    table.deck(0, "9H", "8H", "7H")


HAWK: dict[str, Any] = {"characters": character_at(0, "hawk")}


@pytest.mark.rule("C1", "R56")
def test_the_hawk_looks_at_two_cards_which_is_one_peek() -> None:
    table = first_random(lay_peek, layout.PEEK, layout.TWENTY_ONE, "hawk", HAWK)
    assert table.told_of("hawk")[0]["cards"] == ["9H", "8H"]
    assert table.told_of("peek") == []
    assert table.counted(layout.PEEKS) == 1
    assert table.ability("hawk") == 1


@pytest.mark.rule("C1")
@pytest.mark.parametrize(
    ("discarded", "left"), [("9H", ["8H", "7H"]), ("8H", ["9H", "7H"]), (None, ["9H", "8H", "7H"])]
)
def test_the_hawk_discards_either_card_or_none_and_the_rest_goes_back_in_order(
    discarded: str | None, left: list[str]
) -> None:
    for table in random_tables(lay_peek, layout.PEEK, layout.TWENTY_ONE, HAWK, 40):
        if table.told_of("hawk")[0].get("discarded") == discarded:
            break
    assert table.told_of("hawk")[0].get("discarded") == discarded
    assert table.left(0) == left
    assert table.discarded(0) == ({discarded} if discarded else set())
    assert table.places(0) == ({1, 2} if discarded is None else {1})


@pytest.mark.rule("C1")
@pytest.mark.parametrize(
    ("display", "looks"),
    [(["5H"], 0), (["10H"], 1), (["10H", "5H"], 1), (["10H", "10S"], 1), (["10H", "4S"], 0)],
)
def test_the_hawk_peeks_on_10_15_and_20_and_not_on_5(display: list[str], looks: int) -> None:
    def lay(table: Table) -> None:
        lay_peek(table)
        table.display(0, *display)

    (table,) = random_tables(lay, layout.PEEK, layout.TWENTY_ONE, HAWK, 1)
    assert len(table.told_of("hawk")) == table.counted(layout.PEEKS) == looks


@pytest.mark.rule("C1")
def test_a_guard_that_the_hawk_sees_costs_nothing() -> None:
    def lay(table: Table) -> None:
        lay_peek(table)
        table.deck(0, "9H", "JC")

    table = first_random(lay, layout.PEEK, layout.TWENTY_ONE, "hawk", HAWK, discarded="JC")
    assert table.discarded(0) == {"JC"}
    assert table.state.stealth[0] == 2


@pytest.mark.rule("R13")
def test_at_21_the_hawk_looks_at_one_card() -> None:
    def lay(table: Table) -> None:
        table.inactive(0, 2, 3)
        table.display(1, *AT_21)
        table.deck(0, "9H", "8H", "7H")

    table = first_random(lay, layout.TWENTY_ONE, layout.CRACK, "twenty_one", HAWK, choice="peek")
    assert [line["card"] for line in table.told_of("peek") if line["seat"] == 1] == ["9H"]
    assert table.told_of("hawk") == []


@pytest.mark.rule("R14")
def test_readings_of_5_and_15_together_count_as_15_for_the_hawk() -> None:
    def lay(table: Table) -> None:
        lay_peek(table)
        table.display(0, "AH", "4S")

    (table,) = random_tables(lay, layout.PEEK, layout.TWENTY_ONE, HAWK, 1)
    assert len(table.told_of("hawk")) == 1


@pytest.mark.rule("R14")
def test_the_hawk_has_all_other_peek_totals_but_5() -> None:
    for display, looks in ((["7H"], 1), (["5H"], 0), (["10H"], 0)):

        def lay(table: Table, display: list[str] = display) -> None:
            lay_peek(table)
            table.display(0, *display)

        rules = {**HAWK, "peek_totals": [5, 7]}
        (table,) = random_tables(lay, layout.PEEK, layout.TWENTY_ONE, rules, 1)
        assert table.counted(layout.PEEKS) == looks


@pytest.mark.rule("R15")
def test_with_one_card_left_the_hawk_sees_that_one() -> None:
    def lay(table: Table) -> None:
        lay_peek(table)
        table.deck(0, "9H")
        table.discards(0, "8H", "7H")

    (table,) = random_tables(lay, layout.PEEK, layout.TWENTY_ONE, HAWK, 1)
    assert table.told_of("hawk") == table.told_of("shuffle") == []
    assert table.told_of("peek")[0]["card"] == "9H"
    assert table.counted(layout.PEEKS) == 1


@pytest.mark.rule("R15")
def test_an_empty_deck_is_remade_before_the_hawk_looks() -> None:
    def lay(table: Table) -> None:
        lay_peek(table)
        table.deck(0)
        table.discards(0, "8H", "7H")

    (table,) = random_tables(lay, layout.PEEK, layout.TWENTY_ONE, HAWK, 1)
    (shuffle,) = table.told_of("shuffle")
    assert table.told_of("hawk")[0]["cards"] == shuffle["deck"]


@pytest.mark.rule("C2", "R55")
def test_the_acrobat_discards_a_guard_that_is_its_first_card_and_draws_another() -> None:
    table = seat_of("acrobat")
    table.deck(0, "JC", "9H", "8H")
    table.play(layout.DRAW, layout.TRADE)
    assert table.told_of("replace") == [{"seat": 1, "card": "JC", "cause": "acrobat"}]
    assert table.shown(0) == {"9H"}
    assert table.discarded(0) == {"JC"}
    assert table.current(0) == "9H"
    assert table.state.stealth[0] == 2
    assert table.counted(layout.DRAWS) == 2
    assert table.ability("acrobat") == 1


@pytest.mark.rule("C2")
def test_other_characters_keep_a_guard_drawn_first() -> None:
    for name in CHARACTERS:
        if name != "acrobat":
            table = seat_of(name)
            table.deck(0, "JC", "9H")
            table.play(layout.DRAW, layout.TRADE)
            assert table.shown(0) == {"JC"}


@pytest.mark.rule("R16")
def test_the_acrobats_second_card_of_a_round_may_be_its_guard() -> None:
    table = seat_of("acrobat", GO_ON)
    table.deck(0, "9H", "JC", "8H")
    table.play(layout.DRAW, layout.DRAW)
    table.play(layout.DRAW, layout.TRADE)
    assert table.shown(0) == {"9H", "JC"}
    assert table.told_of("replace") == []


@pytest.mark.rule("R16")
def test_every_round_has_a_first_card_for_the_acrobat() -> None:
    table = seat_of("acrobat", LEAVE)
    for _ in range(2):
        table.deck(0, "JC", "9H", "8H")
        table.discards(0)
        table.play(layout.DRAW, layout.ROUND_START)
        table.play(layout.ROUND_START, layout.DRAW)
        table.inactive(1, 2, 3)
    assert len(table.told_of("replace")) == 2


@pytest.mark.rule("R16")
def test_the_acrobats_ability_is_compulsory() -> None:
    def lay(table: Table) -> None:
        table.inactive(1, 2, 3)
        table.deck(0, "JC", "9H")

    rules = {"characters": character_at(0, "acrobat")}
    for table in random_tables(lay, layout.DRAW, layout.TRADE, rules, 20):
        assert len(table.told_of("replace")) == 1


@pytest.mark.rule("R16", "R42")
def test_a_redraw_by_dynamite_is_no_first_card_for_the_acrobat() -> None:
    table = seat_of("acrobat")
    table.display(0, "9H")
    table.deck(0, "JC", "8H")
    table.use(0, "dynamite")
    assert table.shown(0) == {"JC"}


@pytest.mark.rule("R17", "R3")
def test_an_acrobat_with_no_other_card_draws_nothing_and_must_bail() -> None:
    table = seat_of("acrobat", GO_ON)
    table.deck(0, "JC")
    table.play(layout.DRAW, layout.TRADE)
    assert table.told_of("no_card") == [{"seat": 1}]
    assert table.told_of("shuffle") == []
    assert table.discarded(0) == {"JC"}
    assert table.current(0) is None
    assert table.counted(layout.DRAWS) == 1
    table.play(layout.TRADE, layout.ROUND_END)
    assert table.told_of("bail") == [{"seat": 1}]


@pytest.mark.rule("R5", "C2")
def test_a_guard_being_replaced_stays_out_of_a_deck_remade_for_it() -> None:
    table = seat_of("acrobat")
    table.deck(0, "JC")
    table.discards(0, "9H", "8H")
    table.play(layout.DRAW, layout.TRADE)
    (shuffle,) = table.told_of("shuffle")
    assert sorted(shuffle["deck"]) == ["8H", "9H"]
    assert table.discarded(0) == {"JC"}


@pytest.mark.rule("R18", "T4")
def test_the_acrobat_comes_before_the_donuts_which_stay_in_force() -> None:
    table = seat_of("acrobat", GO_ON)
    table.use(1, "donuts", 0)
    table.deck(0, "JC", "2H")
    table.play(layout.DRAW, layout.DRAW)
    assert [line["cause"] for line in table.told_of("replace")] == ["acrobat"]
    table.deck(0, "JC", "3H")
    table.discards(0)
    table.play(layout.DRAW, layout.TRADE)
    assert [line["cause"] for line in table.told_of("replace")] == ["acrobat", "donuts"]
    assert table.shown(0) == {"2H", "3H"}


@pytest.mark.rule("C3")
def test_the_hammer_holds_one_of_the_first_two_tools_from_the_set_up_on() -> None:
    kept = set()
    for rollout in range(20):
        rules = BurgleRules(characters=["hawk", "hammer", "rook", "raven"])
        told = BURGLE.pack(rules, [SimplePolicy(mistakes=1)] * 4).trace(5, rollout)
        first, after = (line["deck"] for line in told if line["event"] == "tools")
        line = next(line for line in told if line["event"] == "tool")
        assert line["seat"] == 2
        assert {line["tool"], line["returned"]} == set(first[:2])
        assert sorted(after) == sorted(set(first) - {line["tool"]})
        kept.add(first.index(line["tool"]))
    assert kept == {0, 1}


def cracks(name: str, *deck: str, policy: Any = None) -> Table:
    """Seat 0 has this character and cracks its safe."""
    table = seat_of(name, policy, tools=list(deck))
    table.tool_deck(*deck)
    table.display(0, "2C", "3C", "4C", "6C", "7C")
    table.play(layout.CRACK, layout.ALARM)
    return table


@pytest.mark.rule("C3")
def test_the_hammer_that_cracks_keeps_one_of_two_and_the_other_is_shuffled_back() -> None:
    table = cracks("hammer", "virus", "emp", "donuts", "crowbar")
    assert table.told_of("tool") == [{"seat": 1, "tool": "virus", "returned": "emp"}]
    assert table.held_tools(0) == {"virus"}
    assert sorted(table.left_tools()) == ["crowbar", "donuts", "emp"]
    assert table.told_of("tools") == [{"deck": table.left_tools()}]
    assert table.ability("hammer") == 1


@pytest.mark.rule("C3")
def test_the_tool_that_the_hammer_gives_back_lies_anywhere_in_the_deck() -> None:
    places = set()
    for rollout in range(40):
        table = seat_of("hammer", tools=["virus", "emp", "donuts", "crowbar"])
        table.key = key_of(3, rollout)
        table.tool_deck("virus", "emp", "donuts", "crowbar")
        table.display(0, "2C", "3C", "4C", "6C", "7C")
        table.play(layout.CRACK, layout.ALARM)
        places.add(table.left_tools().index("emp"))
    assert places == {0, 1, 2}


@pytest.mark.rule("R19")
def test_the_hammer_keeps_a_last_tool_and_gets_none_from_an_empty_deck() -> None:
    table = cracks("hammer", "virus")
    assert table.told_of("tool") == [{"seat": 1, "tool": "virus"}]
    assert table.left_tools() == []
    assert table.ability("hammer") == 0
    table = cracks("hammer")
    assert table.told_of("tool") == []
    assert table.held_tools(0) == set()


@pytest.mark.rule("R59")
def test_simple_keeps_the_hammers_first_tool() -> None:
    assert cracks("hammer", "emp", "virus").held_tools(0) == {"emp"}
    table = cracks("hammer", "virus", "emp")
    assert table.told_of("tool") == [{"seat": 1, "tool": "virus", "returned": "emp"}]
    assert table.left_tools() == ["emp"]


@pytest.mark.rule("C5")
@pytest.mark.parametrize(("total", "alarms"), [(22, 0), (24, 0), (25, 1)])
def test_the_juicers_threshold_is_24(total: int, alarms: int) -> None:
    table = seat_of("juicer")
    table.display(0, "10H", "10D", f"{total - 20}S")
    table.deck(0, "2H", "3H")
    table.play(layout.PEEK, layout.BAIL)
    assert table.counted(layout.ALARMS) == alarms
    assert table.state.active[0] == 1 - alarms
    assert table.ability("juicer") == 1 - alarms


@pytest.mark.rule("C5")
def test_21_still_gives_the_juicer_the_jackpot() -> None:
    table = seat_of("juicer")
    table.display(0, *AT_21)
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert table.counted(layout.TWENTY_ONES) == 1
    table = seat_of("juicer")
    table.display(0, "10H", "10D", "4S")
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert table.counted(layout.TWENTY_ONES) == 0


@pytest.mark.rule("C5")
@pytest.mark.parametrize(("threshold", "alarms"), [(26, 0), (25, 0), (24, 1), (20, 1)])
def test_the_juicers_threshold_is_a_rule_and_may_be_lower_than_the_others(
    threshold: int, alarms: int
) -> None:
    table = seat_of("juicer", juicer_alarm_over=threshold)
    table.display(0, "10H", "10D", "5S")
    table.deck(0, "2H", "3H")
    table.play(layout.ALARM, layout.BAIL)
    assert table.counted(layout.ALARMS) == alarms


@pytest.mark.rule("C5")
def test_nobody_but_the_juicer_has_its_threshold() -> None:
    table = seat_of("hawk", juicer_alarm_over=30)
    table.display(0, "10H", "10D", "5S")
    table.deck(0, "2H", "3H")
    table.play(layout.ALARM, layout.BAIL)
    assert table.counted(layout.ALARMS) == 1


@pytest.mark.rule("R22")
@pytest.mark.parametrize(("character", "alarms"), [("juicer", 0), ("hawk", 1)])
def test_the_juicers_threshold_limits_its_best_reading_too(character: str, alarms: int) -> None:
    table = seat_of(character, LEAVE)
    table.cracked(0)
    table.display(0, "AH", "10S", "2D")  # 13 or 23
    table.deck(0, "2H", "3H")
    table.play(layout.BAIL, layout.ROUND_END)
    assert table.counted(layout.TARGETED_ALARMS) == alarms


@pytest.mark.rule("R22")
def test_the_juicer_bails_safely_from_17_on_as_everybody() -> None:
    for display, alarms in ((("10H", "6S"), 1), (("10H", "7S"), 0)):
        table = seat_of("juicer", LEAVE)
        table.cracked(0)
        table.display(0, *display)
        table.deck(0, "2H", "3H")
        table.play(layout.BAIL, layout.ROUND_END)
        assert table.counted(layout.TARGETED_ALARMS) == alarms


@pytest.mark.rule("C6", "R24", "R57")
@pytest.mark.parametrize(("last", "escapes"), [("4S", True), ("2S", True), ("3S", False)])
def test_the_raven_escapes_the_alarm_of_an_even_total_and_leaves(last: str, escapes: bool) -> None:
    table = seat_of("raven")
    table.display(0, "10H", "10D", last)
    table.deck(0, "JC", "3H")
    table.play(layout.ALARM, layout.BAIL)
    assert table.told_of("distraction") == [{"seat": 1}] * escapes
    assert table.state.active[0] == 0
    assert table.counted(layout.ALARMS) == table.state.seat_alarms[0] == 1 - escapes
    assert table.left(0) == (["JC", "3H"] if escapes else [])
    assert table.counted(layout.STEALTH_LOST) == 1 - escapes
    assert table.ability("raven") == escapes


@pytest.mark.rule("C6")
def test_with_aces_the_lowest_reading_says_whether_the_raven_escapes() -> None:
    for display, escapes in (
        (("AH", "10D", "10S", "AS"), True),
        (("AH", "10D", "10S", "2S"), False),
    ):
        table = seat_of("raven")
        table.display(0, *display)
        table.deck(0, "2H", "3H")
        table.play(layout.ALARM, layout.BAIL)
        assert len(table.told_of("distraction")) == escapes


@pytest.mark.rule("C6")
def test_a_targeted_alarm_of_the_raven_still_happens() -> None:
    table = seat_of("raven", LEAVE)
    table.cracked(0)
    table.display(0, "10H", "4S")
    table.deck(0, "2H", "3H")
    table.play(layout.ALARM, layout.ROUND_END)
    assert table.counted(layout.TARGETED_ALARMS) == 1


@pytest.mark.rule("C6")
def test_an_even_total_within_the_threshold_keeps_the_raven_in_the_round() -> None:
    table = seat_of("raven")
    table.display(0, "10H", "10D")
    table.play(layout.ALARM, layout.BAIL)
    assert table.state.active[0] == 1
    assert table.told() == []


@pytest.mark.rule("R23")
@pytest.mark.parametrize(("last", "escapes"), [("9S", True), ("10S", False)])
def test_the_ravens_total_is_even_or_odd_after_the_stethoscope(last: str, escapes: bool) -> None:
    table = seat_of("raven")
    table.display(0, "10H", "10D", last)  # 22 or 23 once 7 are taken off
    table.deck(0, "2H", "3H")
    table.use(1, "stethoscope", 0)
    table.play(layout.ALARM, layout.BAIL)
    assert len(table.told_of("distraction")) == escapes
    assert table.counted(layout.ALARMS) == 1 - escapes
