"""The Spotter, the Rook, the Hacker and the Peterman (C4, C7-C9)."""

from typing import Any

import pytest

from balance.games.burgle import SimplePolicy
from kernels.burgle import layout
from kernels.burgle.table import known_top, possible_tops
from tests.burgle_tables import (
    LEAVE,
    Table,
    card,
    character_at,
    first_random,
    key_of,
    pile,
    random_tables,
)

AT_21 = ("10H", "9S", "2D")
ROOK: dict[str, Any] = {"characters": character_at(0, "rook")}
HACKER: dict[str, Any] = {"characters": character_at(0, "hacker")}
PETERMAN: dict[str, Any] = {"characters": character_at(0, "peterman")}


def seat_of(name: str, policy: Any = None, **rules: Any) -> Table:
    """Only seat 0 (clubs) is active, and it has this character."""
    table = Table(policy, characters=character_at(0, name), **rules)
    table.inactive(1, 2, 3)
    return table


@pytest.mark.rule("C4")
def test_a_9_or_10_on_top_of_the_spotters_remade_deck_is_seen_by_all() -> None:
    table = seat_of("spotter")
    for top, seen in (("9H", True), ("10D", True), ("8H", False), ("JC", False), ("AC", False)):
        table.remade(0, top, "2H")
        assert known_top(table.state, 0) == (card(top) if seen else layout.NO_CARD)


@pytest.mark.rule("C4")
def test_nobody_else_has_cards_face_up() -> None:
    table = seat_of("hawk")
    table.remade(0, "9H", "2H")
    assert known_top(table.state, 0) == layout.NO_CARD


@pytest.mark.rule("C4")
def test_a_remake_with_a_9_or_10_counts_as_the_spotters_ability() -> None:
    for discards, counted in ((("9H", "2H", "3D"), 1), (("8H", "2H", "JC"), 0)):
        table = seat_of("spotter")
        table.discards(0, *discards)
        table.play(layout.DRAW, layout.TRADE)
        assert len(table.told_of("shuffle")) == 1
        assert table.ability("spotter") == counted


@pytest.mark.rule("R20")
def test_no_card_of_the_spotters_first_deck_is_face_up() -> None:
    table = seat_of("spotter")
    table.deck(0, "9H", "2H")
    assert known_top(table.state, 0) == layout.NO_CARD


@pytest.mark.rule("R20")
def test_a_9_got_in_a_trade_is_face_up_in_the_spotters_deck_and_one_given_away_is_not() -> None:
    table = Table(LEAVE, characters=character_at(0, "spotter"))
    table.inactive(2, 3)
    table.display(0, "9D")  # the Spotter gives a diamond 9 for a club 10
    table.display(1, "10C")
    table.play(layout.TRADE, layout.ROUND_START)
    for seat in (0, 1):
        table.deck(seat)
    table.play(layout.ROUND_START, layout.DRAW)
    table.inactive(2, 3)
    table.display(0, "5H")
    table.display(1, "5S")
    for seat, top in ((0, "10C"), (1, "9D")):
        table.play(layout.PEEK, layout.TWENTY_ONE)
        assert table.left(seat) == [top]
    table.state.known[:] = 0
    assert known_top(table.state, 0) == card("10C")
    assert known_top(table.state, 1) == layout.NO_CARD


@pytest.mark.rule("R21")
def test_a_face_down_top_of_the_spotters_remade_deck_is_no_9_or_10() -> None:
    table = seat_of("spotter")
    table.remade(0, "2H", "9H", "10D", "3S", "JC")
    assert possible_tops(table.state, 0) == pile("2H", "3S", "JC")
    table = seat_of("hawk")
    table.remade(0, "2H", "9H", "10D", "3S", "JC")
    assert possible_tops(table.state, 0) == pile("2H", "9H", "10D", "3S", "JC")


def lay_rook(table: Table) -> None:
    table.inactive(1, 2, 3)
    table.display(0, "5H")
    for seat in range(4):
        table.deck(seat, "J" + "CDHS"[seat], "9" + "CDHS"[seat])


@pytest.mark.rule("C7", "R25")
def test_the_rook_that_does_not_discard_may_look_at_any_one_other_deck_or_none() -> None:
    seen = set()
    for table in random_tables(lay_rook, layout.PEEK, layout.TWENTY_ONE, ROOK):
        (peek,) = table.told_of("peek")
        looks = table.told_of("rook")
        if peek["discarded"]:
            assert looks == []
        else:
            seen.add(looks[0]["target"] if looks else 0)
            assert len(looks) <= 1
    assert seen == {0, 2, 3, 4}


@pytest.mark.rule("C7", "R26", "R56")
def test_the_rook_may_discard_the_card_of_the_other_deck_and_a_guard_costs_nothing() -> None:
    table = first_random(lay_rook, layout.PEEK, layout.TWENTY_ONE, "rook", ROOK, discarded=True)
    target = table.told_of("rook")[0]["target"] - 1
    guard = "J" + "CDHS"[target]
    assert table.told_of("rook")[0]["card"] == guard
    assert table.discarded(target) == {guard}
    assert table.left(target) == ["9" + "CDHS"[target]]
    assert table.counted(layout.STEALTH_LOST) == 0
    assert table.counted(layout.PEEKS) == 2
    assert table.ability("rook") == 1


@pytest.mark.rule("C7", "R52")
def test_a_card_that_the_rook_puts_back_is_known_to_all() -> None:
    table = first_random(lay_rook, layout.PEEK, layout.TWENTY_ONE, "rook", ROOK, discarded=False)
    target = table.told_of("rook")[0]["target"] - 1
    assert table.places(0) == table.places(target) == {1}
    assert known_top(table.state, target) == card("J" + "CDHS"[target])


@pytest.mark.rule("R25")
@pytest.mark.parametrize("rook_active", [True, False])
def test_at_21_the_rook_looks_again_too_after_its_own_peek_only(rook_active: bool) -> None:
    def lay(table: Table) -> None:
        table.inactive(2, 3)
        table.state.active[0] = rook_active
        table.display(1, *AT_21)
        for seat in range(4):
            table.deck(seat, "9" + "CDHS"[seat])

    table = first_random(lay, layout.TWENTY_ONE, layout.CRACK, "rook", ROOK)
    told = [(line["event"], line["seat"]) for line in table.told()]
    assert told[:3] == [("twenty_one", 2), ("peek", 1), ("rook", 1)]
    assert len(table.told_of("rook")) == 1


@pytest.mark.rule("R26")
def test_the_rooks_look_remakes_an_empty_deck_and_does_nothing_without_a_card() -> None:
    def lay(table: Table) -> None:
        lay_rook(table)
        for seat in (1, 2, 3):
            table.deck(seat)
        table.discards(2, "7H", "8H")

    seen = set()
    for table in random_tables(lay, layout.PEEK, layout.TWENTY_ONE, ROOK, 60):
        for line in table.told_of("rook"):
            (shuffle,) = table.told_of("shuffle")
            assert (shuffle["seat"], shuffle["deck"][0]) == (line["target"], line["card"])
            seen.add(line["target"])
        assert table.counted(layout.PEEKS) == 1 + len(table.told_of("rook"))
    assert seen == {3}


@pytest.mark.rule("R26")
def test_a_rook_that_looks_at_another_deck_gives_that_seat_no_look() -> None:
    def lay(table: Table) -> None:
        lay_rook(table)

    for table in random_tables(lay, layout.PEEK, layout.TWENTY_ONE, ROOK, 40):
        assert len(table.told_of("peek")) == 1
        assert table.told_of("hawk") == []


@pytest.mark.rule("R59")
def test_simple_declines_the_rooks_look() -> None:
    table = Table(**ROOK)
    lay_rook(table)
    table.deck(0, "9H")
    table.play(layout.PEEK, layout.TWENTY_ONE)
    assert table.told_of("peek")[0]["discarded"] is False
    assert table.told_of("rook") == []


@pytest.mark.rule("R59")
def test_simple_that_looks_by_mistake_discards_nothing_but_by_mistake() -> None:
    """Of some 300 looks 1 in 20 ends in a discard: a second mistake, and half of these."""
    looks = discards = 0
    for rollout in range(4000):
        table = Table(SimplePolicy(mistakes=0.1), **ROOK)
        table.key = key_of(6, rollout)
        lay_rook(table)
        table.deck(0, "9H")
        table.play(layout.PEEK, layout.TWENTY_ONE)
        for line in table.told_of("rook"):
            looks += 1
            discards += line["discarded"]
    assert looks > 100
    assert discards < 0.15 * looks


def lay_hacker(table: Table) -> None:
    table.inactive(2, 3)
    table.display(0, "7H", "8H", "9H")
    table.display(1, "2S")


@pytest.mark.rule("C8")
def test_the_hacker_gives_its_current_card_or_the_one_before_it() -> None:
    given = {
        line["moves"][0]["card"]
        for table in random_tables(lay_hacker, layout.TRADE, layout.PEEK, HACKER)
        for line in table.told_of("trade")
    }
    assert given == {"8H", "9H"}


@pytest.mark.rule("C8")
def test_only_the_hacker_gives_another_card() -> None:
    rules = {"characters": character_at(0, "hawk")}
    for table in random_tables(lay_hacker, layout.TRADE, layout.PEEK, rules, 40):
        assert {"7H", "8H"} <= table.shown(0)


def traded(lay: Any, card_given: str) -> Table:
    """A table where the Hacker (seat 0) has given this card."""
    for table in random_tables(lay, layout.TRADE, layout.PEEK, HACKER):
        for line in table.told_of("trade"):
            if line["moves"][0] == {"from": 1, "to": 2, "card": card_given}:
                return table
    raise AssertionError(f"the Hacker never gave {card_given}")


@pytest.mark.rule("R27")
def test_the_hacker_gives_one_card_and_receives_one_that_is_current() -> None:
    table = traded(lay_hacker, "8H")
    assert table.shown(0) == {"7H", "9H", "2S"}
    assert table.shown(1) == {"8H"}
    assert (table.current(0), table.current(1)) == ("2S", "8H")
    assert table.counted(layout.TRADES) == 2
    assert table.ability("hacker") == 1


@pytest.mark.rule("R27")
@pytest.mark.parametrize(("given", "before"), [("8H", "9H"), ("9H", "8H")])
def test_after_a_trade_the_last_card_that_the_hacker_kept_is_the_one_before(
    given: str, before: str
) -> None:
    table = traded(lay_hacker, given)
    row = table.state.row[: table.state.row_size].tolist()
    assert row == [card("7H"), card(before), card("2S")]


@pytest.mark.rule("C8")
def test_a_trade_of_the_current_card_is_no_use_of_the_hackers_ability() -> None:
    assert traded(lay_hacker, "9H").ability("hacker") == 0


@pytest.mark.rule("C8", "R28")
def test_the_hacker_never_gives_its_guard() -> None:
    def lay(table: Table) -> None:
        lay_hacker(table)
        table.display(0, "7H", "JC", "9H")

    for table in random_tables(lay, layout.TRADE, layout.PEEK, HACKER, 60):
        assert {"7H", "JC"} <= table.shown(0)


@pytest.mark.rule("R28")
def test_with_its_guard_current_the_hacker_may_give_the_card_before() -> None:
    def lay(table: Table) -> None:
        lay_hacker(table)
        table.display(0, "7H", "8H", "JC")

    table = traded(lay, "8H")
    assert table.shown(0) == {"7H", "JC", "2S"}
    assert table.current(0) == "2S"
    for table in random_tables(lay, layout.TRADE, layout.PEEK, HACKER, 60):
        assert {"7H", "JC"} <= table.shown(0)


@pytest.mark.rule("R28")
def test_with_its_guard_as_only_card_the_hacker_cannot_trade() -> None:
    def lay(table: Table) -> None:
        lay_hacker(table)
        table.display(0, "JC")

    for table in random_tables(lay, layout.TRADE, layout.PEEK, HACKER, 20):
        assert table.told_of("trade") == []


@pytest.mark.rule("R28")
def test_without_a_current_card_the_hacker_cannot_trade() -> None:
    def lay(table: Table) -> None:
        lay_hacker(table)
        table.state.current[0] = layout.NO_CARD
        table.state.active[2] = 1
        table.display(2, "3S")

    for table in random_tables(lay, layout.TRADE, layout.PEEK, HACKER, 40):
        assert table.shown(0) == {"7H", "8H", "9H"}
        assert table.shown(1) | table.shown(2) == {"2S", "3S"}


@pytest.mark.rule("C8")
def test_all_trades_of_a_random_hacker_come_up() -> None:
    """Three movers: 6 arrangements of the current cards and 4 that move the card before."""

    def lay(table: Table) -> None:
        lay_hacker(table)
        table.state.active[2] = 1
        table.display(2, "3S")

    seen = {
        tuple(frozenset(table.shown(seat)) for seat in range(3))
        for table in random_tables(lay, layout.TRADE, layout.PEEK, HACKER)
    }
    assert len(seen) == 10


@pytest.mark.rule("R59")
def test_simple_gives_the_hackers_current_card_only() -> None:
    table = Table(**HACKER)
    table.inactive(2, 3)
    table.display(0, "4D", "9C")  # giving the diamond for the other's club would please both
    table.display(1, "3C")
    table.play(layout.TRADE, layout.PEEK)
    assert table.told_of("trade") == []
    table.display(0, "4D", "JC")
    table.play(layout.TRADE, layout.PEEK)
    assert table.told_of("trade") == []


def lay_end(table: Table) -> None:
    table.inactive(0, 1, 2, 3)
    table.display(0, "7H", "8H")
    table.deck(0, "2S")


@pytest.mark.rule("C9", "R29")
def test_the_peterman_may_put_its_current_card_on_top_at_the_end_of_the_round() -> None:
    told = set()
    for table in random_tables(lay_end, layout.ROUND_END, layout.ROUND_START, PETERMAN, 30):
        used = table.told_of("on_top") == [{"seat": 1, "card": "8H"}]
        told.add(used)
        assert table.left(0) == (["8H", "2S"] if used else ["2S"])
        assert table.discarded(0) == ({"7H"} if used else {"7H", "8H"})
        assert table.ability("peterman") == used
        assert table.places(0) == ({1} if used else set())
    assert told == {True, False}


@pytest.mark.rule("C9")
def test_nobody_else_puts_a_card_on_top() -> None:
    rules = {"characters": character_at(0, "hawk")}
    for table in random_tables(lay_end, layout.ROUND_END, layout.ROUND_START, rules, 20):
        assert table.told_of("on_top") == []


@pytest.mark.rule("R29")
@pytest.mark.parametrize("before", [False, True])
def test_the_guard_is_checked_before_the_peterman_saves_it_unless_switched(before: bool) -> None:
    def lay(table: Table) -> None:
        lay_end(table)
        table.display(0, "7H", "JC")

    rules = {**PETERMAN, "peterman_before_guard": before}
    stop = layout.ROUND_START
    table = first_random(lay, layout.ROUND_END, stop, "on_top", rules, card="JC")
    assert table.counted(layout.STEALTH_LOST) == 1 - before
    assert table.left(0) == ["JC", "2S"]
    assert table.discarded(0) == {"7H"}


@pytest.mark.rule("R29")
def test_a_seat_that_was_caught_saves_nothing() -> None:
    def lay(table: Table) -> None:
        lay_end(table)
        table.display(0, "7H", "JC")
        table.state.stealth[0] = 0

    for table in random_tables(lay, layout.ROUND_END, layout.ROUND_START, PETERMAN, 20):
        assert table.told_of("on_top") == []
        assert table.state.phase == layout.OVER


@pytest.mark.rule("C9", "R2")
def test_without_a_current_card_the_peterman_saves_nothing() -> None:
    def lay(table: Table) -> None:
        lay_end(table)
        table.state.current[0] = layout.NO_CARD

    for table in random_tables(lay, layout.ROUND_END, layout.ROUND_START, PETERMAN, 20):
        assert table.told_of("on_top") == []


@pytest.mark.rule("R29", "R36")
def test_the_card_that_the_peterman_saved_lies_open_above_what_was_known() -> None:
    def lay(table: Table) -> None:
        lay_end(table)
        table.deck(0, "2S", "3S", "4S")
        table.known(0, 2)

    table = first_random(lay, layout.ROUND_END, layout.ROUND_START, "on_top", PETERMAN)
    assert table.left(0) == ["8H", "2S", "3S", "4S"]
    assert table.places(0) == {1, 3}


@pytest.mark.rule("R29")
def test_a_card_got_in_a_trade_can_be_saved() -> None:
    def lay(table: Table) -> None:
        table.inactive(2, 3)
        table.display(0, "9H")
        table.display(1, "2S")

    for rollout in range(200):
        table = Table(LEAVE, **PETERMAN)
        table.policies.mistakes[0, 0] = 1
        table.key = key_of(4, rollout)
        lay(table)
        table.play(layout.TRADE, layout.ROUND_START)
        saved = table.told_of("on_top")
        if table.told_of("trade") and saved:
            assert saved == [{"seat": 1, "card": "2S"}]
            return
    raise AssertionError("no card that was traded for was saved")


@pytest.mark.rule("R59")
def test_simple_saves_no_card() -> None:
    table = Table(**PETERMAN)
    lay_end(table)
    table.display(0, "7H", "8C")
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.told_of("on_top") == []
