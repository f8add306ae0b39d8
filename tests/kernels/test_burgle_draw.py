"""Rounds, turns, draws, the current card and totals (B10, B11, B13, B16)."""

from collections import Counter
from itertools import permutations
from math import sqrt

import pytest

from kernels.burgle import layout
from kernels.burgle.table import best_reading, readings
from tests.burgle_tables import GO_ON, LEAVE, Table, key_of

STANDARD_ERRORS = 4


def totals(hard: int, aces: int) -> list[int]:
    bits = int(readings(hard, aces))
    return [total for total in range(64) if bits >> total & 1]


@pytest.mark.rule("B10")
def test_a_round_starts_with_all_seats_active_cracked_ones_too() -> None:
    table = Table()
    table.cracked(2)
    table.inactive(0, 1, 2, 3)
    table.play(layout.ROUND_START, layout.DRAW)
    assert table.state.active.tolist() == [1, 1, 1, 1]
    assert (table.state.round_number, table.state.turn) == (2, 0)
    assert table.counted(layout.ROUNDS) == 2


@pytest.mark.rule("B10")
def test_turns_repeat_while_one_seat_is_active() -> None:
    table = Table([GO_ON, LEAVE, LEAVE, LEAVE], trading=False)
    for seat, deck in enumerate((["2H", "3H"], ["2C"], ["3C"], ["4C"])):
        table.deck(seat, *deck)
    table.play(layout.DRAW, layout.DRAW)
    assert table.state.active.tolist() == [1, 0, 0, 0]
    assert table.state.round_number == 1
    table.play(layout.DRAW, layout.DRAW)
    assert table.state.round_number == 1
    assert table.counted(layout.TURNS) == 2


@pytest.mark.rule("B10")
def test_the_round_ends_once_all_seats_are_inactive() -> None:
    table = Table(LEAVE, trading=False)
    for seat in range(4):
        table.deck(seat, "2" + "DHSC"[seat])
    table.play(layout.DRAW, layout.ROUND_END)
    assert table.state.phase == layout.ROUND_END
    assert table.counted(layout.TURNS) == 1


@pytest.mark.rule("B11")
def test_every_active_seat_draws_the_top_card_of_its_own_deck() -> None:
    table = Table()
    for seat in range(4):
        table.deck(seat, "2" + "CDHS"[seat], "9" + "CDHS"[seat])
    table.inactive(2)
    table.play(layout.DRAW, layout.TRADE)
    assert [table.shown(seat) for seat in range(4)] == [{"2C"}, {"2D"}, set(), {"2S"}]
    assert [table.left(seat) for seat in range(4)] == [["9C"], ["9D"], ["2H", "9H"], ["9S"]]
    assert table.counted(layout.DRAWS) == 3


@pytest.mark.rule("B11")
def test_an_empty_deck_is_remade_from_the_discards_when_a_card_is_needed() -> None:
    table = Table()
    table.inactive(1, 2, 3)
    table.deck(0, "2H")
    table.discards(0, "3C", "JC", "9S")
    table.play(layout.DRAW, layout.TRADE)
    assert table.told_of("shuffle") == []
    assert table.discarded(0) == {"3C", "JC", "9S"}
    table.play(layout.DRAW, layout.TRADE)
    (shuffle,) = table.told_of("shuffle")
    assert sorted(shuffle["deck"]) == ["3C", "9S", "JC"]
    assert table.current(0) == shuffle["deck"][0]
    assert table.left(0) == shuffle["deck"][1:]
    assert table.discarded(0) == set()


@pytest.mark.rule("B11")
def test_a_display_stays_out_of_the_remade_deck() -> None:
    table = Table()
    table.inactive(1, 2, 3)
    table.display(0, "10H", "4C")
    table.discards(0, "3C")
    table.play(layout.DRAW, layout.TRADE)
    assert table.shown(0) == {"10H", "4C", "3C"}
    assert table.left(0) == []


@pytest.mark.rule("B11")
def test_a_peek_remakes_an_empty_deck() -> None:
    table = Table()
    table.inactive(1, 2, 3)
    table.display(0, "5H")
    table.discards(0, "3C")
    table.play(layout.PEEK, layout.TWENTY_ONE)
    assert len(table.told_of("shuffle")) == 1
    assert table.told_of("peek")[0]["card"] == "3C"


@pytest.mark.rule("B11")
def test_an_alarm_remakes_an_empty_deck() -> None:
    table = Table()
    table.inactive(1, 2, 3)
    table.display(0, "10H", "9H", "8H")
    table.discards(0, "3C", "9S", "2D")
    table.play(layout.ALARM, layout.BAIL)
    assert len(table.told_of("shuffle")) == 1
    assert len(table.told_of("flip")) == 2
    assert len(table.left(0)) == 1


@pytest.mark.rule("B11")
def test_a_remade_deck_has_every_order_equally_often() -> None:
    """n = 6000 remakes of three cards, all six orders within four standard errors of 1/6."""
    n = 6000
    seen: Counter[tuple[str, ...]] = Counter()
    table = Table()
    table.inactive(1, 2, 3)
    for i in range(n):
        table.key = key_of(11, i)
        table.deck(0)
        table.display(0)
        table.discards(0, "3C", "9S", "JC")
        table.play(layout.DRAW, layout.TRADE)
        (drawn,) = table.shown(0)
        seen[(drawn, *table.left(0))] += 1
    assert set(seen) == set(permutations(["3C", "9S", "JC"]))
    error = sqrt(n * (1 / 6) * (5 / 6))
    assert max(abs(times - n / 6) for times in seen.values()) < STANDARD_ERRORS * error


@pytest.mark.rule("B11")
def test_one_remake_does_not_tell_the_next() -> None:
    orders = []
    table = Table()
    table.inactive(1, 2, 3)
    names = [rank + suit for suit in "CD" for rank in "23456789"]
    for _ in range(3):
        table.deck(0)
        table.display(0)
        table.discards(0, *names)
        table.play(layout.DRAW, layout.TRADE)
        orders.append(tuple(table.told_of("shuffle")[-1]["deck"]))
    assert len(set(orders)) == 3


@pytest.mark.rule("B11", "B13")
def test_a_seat_without_any_card_draws_nothing_and_has_no_current_card() -> None:
    table = Table()
    table.inactive(2, 3)
    table.display(0, "2H", "3H")
    table.deck(1, "4C")
    table.play(layout.DRAW, layout.TRADE)
    assert table.told_of("no_card") == [{"seat": 1}]
    assert table.current(0) is None
    assert table.shown(0) == {"2H", "3H"}
    assert table.counted(layout.DRAWS) == 1


@pytest.mark.rule("B13")
def test_the_card_drawn_last_is_the_current_card() -> None:
    table = Table()
    table.inactive(1, 2, 3)
    table.deck(0, "2H", "3H")
    table.play(layout.DRAW, layout.TRADE)
    assert table.current(0) == "2H"
    table.play(layout.DRAW, layout.TRADE)
    assert table.current(0) == "3H"


@pytest.mark.rule("B13")
def test_a_card_got_in_a_trade_is_the_current_card() -> None:
    table = Table()
    table.inactive(2, 3)
    table.display(0, "9H", "2D")
    table.display(1, "9S", "2C")
    table.play(layout.TRADE, layout.PEEK)
    assert [table.current(seat) for seat in (0, 1)] == ["2C", "2D"]


@pytest.mark.rule("B16")
def test_each_ace_counts_1_or_11_on_its_own() -> None:
    assert totals(9, 0) == [9]
    assert totals(10, 1) == [10, 20]
    assert totals(7, 3) == [7, 17, 27, 37]
    assert totals(4, 4) == [4, 14, 24, 34, 44]


@pytest.mark.rule("B16")
@pytest.mark.parametrize(
    ("display", "total"),
    [
        (["2C", "10D"], 12),
        (["JC"], 10),
        (["Joker", "7H"], 7),
        (["AC", "AD", "9H"], 11),
        (["AC", "AD", "9H"], 21),
        (["AC", "AD", "9H"], 31),
    ],
)
def test_a_display_is_read_by_face_value_guard_10_joker_0(display: list[str], total: int) -> None:
    for wanted in (total - 1, total, total + 1):
        table = Table(peek_totals=[wanted], jackpot_total=62)
        table.inactive(1, 2, 3)
        table.display(0, *display)
        table.deck(0, "8S")
        table.play(layout.PEEK, layout.TWENTY_ONE)
        assert (table.counted(layout.PEEKS) == 1) == (wanted == total)


@pytest.mark.rule("B16")
@pytest.mark.parametrize("guard_value", [0, 3, 20])
def test_the_value_of_a_guard_is_a_rule(guard_value: int) -> None:
    table = Table(guard_value=guard_value, trading=False)
    table.inactive(1, 2, 3)
    table.deck(0, "JC")
    table.play(layout.DRAW, layout.TRADE)
    assert table.state.hard[0] == guard_value
    table.play(layout.TRADE, layout.PEEK)
    table.display(0, "2C", "JC")
    assert table.state.hard[0] == 2 + guard_value


@pytest.mark.rule("B16")
def test_totals_follow_the_display_through_draw_trade_discard_and_round_end() -> None:
    table = Table()
    table.deck(0, "AD")
    table.deck(1, "7C")
    table.inactive(2, 3)
    table.play(layout.DRAW, layout.TRADE)
    assert [(int(table.state.hard[s]), int(table.state.aces[s])) for s in (0, 1)] == [
        (1, 1),
        (7, 0),
    ]
    table.play(layout.TRADE, layout.PEEK)
    assert [(int(table.state.hard[s]), int(table.state.aces[s])) for s in (0, 1)] == [
        (7, 0),
        (1, 1),
    ]
    assert table.state.held[:2].tolist() == [1, 1]
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.state.hard.tolist() == table.state.aces.tolist() == [0, 0, 0, 0]
    assert table.state.held.tolist() == [0, 0, 0, 0]


@pytest.mark.rule("B16", "B22")
def test_the_best_reading_is_the_highest_not_over_the_threshold() -> None:
    assert best_reading(6, 1, 21) == 16
    assert best_reading(11, 1, 21) == 21
    assert best_reading(12, 1, 21) == 12
    assert best_reading(3, 3, 21) == 13
    assert best_reading(3, 3, 24) == 23
    assert best_reading(14, 0, 21) == 14
