"""The pinned policy `simple`, letter by letter."""

from typing import Any

import pytest

from balance.games.burgle import SimplePolicy
from kernels.burgle import layout
from tests.burgle_tables import Table

STRAIGHT_4 = {"straight_flush": 4}


def traded(
    *displays: tuple[str, ...], knobs: dict[str, float] | None = None, **rules: Any
) -> list[str | None]:
    """The current cards after the trade; seat s has suit C, D, H, S; seats left out are inactive.

    Displays end in the current card.
    """
    table = Table(SimplePolicy(**(knobs or {})), **rules)
    table.inactive(*range(len(displays), 4))
    for seat, names in enumerate(displays):
        table.display(seat, *names)
    table.play(layout.TRADE, layout.PEEK)
    return [table.current(seat) for seat in range(len(displays))]


def cracked_trade(*displays: tuple[str, ...], cracked: tuple[int, ...]) -> list[str | None]:
    table = Table()
    table.cracked(*cracked)
    table.inactive(*range(len(displays), 4))
    for seat, names in enumerate(displays):
        table.display(seat, *names)
    table.play(layout.TRADE, layout.PEEK)
    return [table.current(seat) for seat in range(len(displays))]


# Trade: scores


def test_a_card_of_the_safes_suit_is_worth_a_trade() -> None:
    assert traded(("9H",), ("2C",)) == ["2C", "9H"]


def test_no_trade_comes_first_of_equals() -> None:
    assert traded(("9H",), ("2S",)) == ["9H", "2S"]


def test_of_equal_trades_the_first_in_lexicographic_order_wins() -> None:
    assert traded(("9S",), ("2C",), ("3C",)) == ["2C", "9S", "3C"]
    assert traded(("9S",), ("2S",), ("4C",)) == ["4C", "9S", "2S"]


def test_seats_with_nothing_movable_are_left_out_of_the_order() -> None:
    assert traded(("JC",), ("9H",), ("2D",), ("3D",)) == ["JC", "2D", "9H", "3D"]


def test_a_bust_costs_more_than_two_suits_bring() -> None:
    displays = (("10S", "8D", "2S"), ("6C",))
    assert traded(*displays) == ["2S", "6C"]
    assert traded(*displays, knobs={"bust": 0}) == ["6C", "2S"]


def test_a_bust_is_counted_on_the_hard_total() -> None:
    assert traded(("10S", "9D", "2S"), ("AC",)) == ["AC", "2S"]


def test_a_seat_that_is_over_trades_down() -> None:
    assert traded(("10S", "9D", "7S"), ("2S",)) == ["2S", "7S"]


@pytest.mark.parametrize(("jackpot", "swaps"), [(12, False), (13, False), (14, True)])
def test_a_reading_of_21_brings_the_jackpot(jackpot: float, swaps: bool) -> None:
    # seat 0 gives up a club (10) and a peek total of 20 (3) for 21
    after = traded(("10S", "8D", "2C"), ("3H",), knobs={"jackpot": jackpot})
    assert after == (["3H", "2C"] if swaps else ["2C", "3H"])


def test_a_reading_of_21_may_use_an_ace() -> None:
    assert traded(("10S", "2D"), ("AH",)) == ["AH", "2D"]


def test_a_peek_total_is_worth_a_trade() -> None:
    assert traded(("2S", "4S"), ("3H",)) == ["3H", "4S"]
    assert traded(("2S", "4S"), ("3H",), knobs={"peek": 0}) == ["4S", "3H"]


def test_two_peek_totals_at_once_count_once() -> None:
    # A and 4: 5 or 15; worth 3, and so no more than the 3 of seat 1's 10
    assert traded(("AS", "2H"), ("6H", "4S")) == ["2H", "4S"]


@pytest.mark.parametrize("bust", [30, 2000])
def test_a_crack_brings_1000_and_no_bust(bust: float) -> None:
    displays = (("2C", "3C", "4C", "6C", "2H"), ("10C",))
    assert traded(*displays, knobs={"bust": bust}) == ["10C", "2H"]


def test_a_crack_may_use_the_guard() -> None:
    assert traded(("2C", "3C", "JC", "6C", "2H"), ("10C",)) == ["10C", "2H"]


def test_a_crack_comes_before_a_bust_of_another_seat() -> None:
    displays = (("2C", "3C", "4C", "6C", "10H"), ("10D", "9D", "2S"), ("7C",))
    assert traded(*displays)[0] == "7C"


def test_a_crack_is_kept() -> None:
    assert traded(("2C", "3C", "4C", "6C", "7C"), ("8C",)) == ["7C", "8C"]


def test_a_straight_counts_as_a_crack_where_it_opens_the_safe() -> None:
    displays = (("5C", "6C", "7C", "9C"), ("8C",))
    assert traded(*displays) == ["9C", "8C"]
    assert traded(*displays, crack=STRAIGHT_4) == ["8C", "9C"]


def test_a_cracked_seat_wants_no_suit() -> None:
    assert cracked_trade(("9H",), ("2C",), cracked=(0,)) == ["9H", "2C"]


def test_a_cracked_seat_wants_no_crack() -> None:
    displays = (("2C", "3C", "4C", "6C", "2H"), ("7C",))
    assert cracked_trade(*displays, cracked=(0,)) == ["2H", "7C"]


def test_a_cracked_seat_fears_a_bust_and_wants_21_and_peeks() -> None:
    assert cracked_trade(("10C", "9C", "3C"), ("2S",), cracked=(0,)) == ["2S", "3C"]
    assert cracked_trade(("10S", "9D", "AS"), ("2S",), cracked=(0,)) == ["2S", "AS"]
    assert cracked_trade(("2S", "4S"), ("3H",), cracked=(0,)) == ["3H", "4S"]


# Peek


@pytest.mark.parametrize(
    ("top", "discarded"), [("JC", True), ("10H", False), ("AC", False), ("10C", False)]
)
def test_a_peeked_card_is_discarded_only_if_it_is_the_guard(top: str, discarded: bool) -> None:
    table = Table()
    table.inactive(1, 2, 3)
    table.display(0, "5H")
    table.deck(0, top, "9S")
    table.play(layout.PEEK, layout.TWENTY_ONE)
    assert table.told_of("peek") == [
        {"seat": 1, "cause": "total", "card": top, "discarded": discarded}
    ]


# Twenty-one


@pytest.mark.parametrize("guards", [(3,), (1, 3), (2, 1), (0, 1), (0,)])
def test_at_21_the_first_guard_in_a_display_goes_the_own_one_included(
    guards: tuple[int, ...],
) -> None:
    table = Table()
    table.inactive(0, 1, 2)
    for seat in guards:
        table.display(seat, "J" + "CDHS"[seat])
    table.display(3, *(["JS"] if 3 in guards else ["10H"]), "9H", "2D")
    table.play(layout.TWENTY_ONE, layout.CRACK)
    first = min(guards)
    assert table.told_of("twenty_one") == [
        {"seat": 4, "choice": "guard", "owner": first + 1, "card": "J" + "CDHS"[first]}
    ]


def test_at_21_the_own_guard_goes_even_if_that_undoes_a_crack() -> None:
    table = Table()
    table.inactive(1, 2, 3)
    table.display(0, "JC", "AC", "2C", "3C", "5C")
    table.play(layout.TWENTY_ONE, layout.ALARM)
    assert table.discarded(0) == {"JC"}
    assert table.state.cracked[0] == 0
    assert table.state.active[0] == 0


def test_at_21_all_peek_in_seat_order_where_no_guard_lies_in_a_display() -> None:
    table = Table()
    table.inactive(0, 1, 3)
    table.display(2, "10C", "9C", "2C")
    for seat in range(4):
        table.deck(seat, "4H")
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert table.told_of("twenty_one") == [{"seat": 3, "choice": "peek"}]
    assert [line["seat"] for line in table.told_of("peek")] == [1, 2, 3, 4]


# Crack


def cracked_with(*display: str, **rules: Any) -> list[str]:
    table = Table(**rules)
    table.inactive(1, 2, 3)
    table.display(0, *display)
    table.play(layout.CRACK, layout.ALARM)
    cards: list[str] = table.told_of("crack")[0]["cards"]
    return cards


def test_the_lowest_cards_of_the_suit_crack_the_safe() -> None:
    cards = cracked_with("JC", "10C", "AC", "9C", "4C", "2C", "7C")
    assert cards == ["AC", "2C", "4C", "7C", "9C"]


def test_with_a_choice_of_straights_the_lowest_is_used() -> None:
    assert cracked_with("5C", "6C", "7C", "8C", "9C", crack=STRAIGHT_4) == [
        "5C",
        "6C",
        "7C",
        "8C",
    ]
    cards = cracked_with("AC", "2C", "3C", "7C", "8C", "9C", crack={"straight_flush": 3})
    assert cards == ["AC", "2C", "3C"]


# Alarm


@pytest.mark.parametrize("cracked", [False, True])
@pytest.mark.parametrize(
    ("deck", "gone"),
    [
        (("9H", "8H"), "9H"),
        (("9H", "2C"), "9H"),
        (("9H", "JC"), "9H"),
        (("2C", "8H"), "8H"),
        (("2C", "3C"), "2C"),
        (("2C", "JC"), "2C"),
        (("JC", "8H"), "8H"),
        (("JC", "2C"), "2C"),
        (("9H",), "9H"),
        (("2C",), "2C"),
        (("JC",), None),
    ],
)
def test_an_alarm_removes_the_first_card_that_is_not_of_the_safes_suit(
    deck: tuple[str, ...], gone: str | None, cracked: bool
) -> None:
    table = Table()
    table.inactive(1, 2, 3)
    if cracked:
        table.cracked(0)
    table.display(0, "10H", "10S", "10D")
    table.deck(0, *deck)
    table.play(layout.ALARM, layout.BAIL)
    assert [line["card"] for line in table.told_of("remove")] == ([gone] if gone else [])


# Bail


def bails(
    *display: str, cracked: bool = False, knobs: dict[str, float] | None = None, **rules: Any
) -> bool:
    table = Table(SimplePolicy(**(knobs or {})), **rules)
    table.inactive(1, 2, 3)
    if cracked:
        table.cracked(0)
    table.display(0, *display)
    table.deck(0, "2H", "3H", "4H")
    table.play(layout.BAIL, layout.DRAW)
    return bool(table.told_of("bail"))


@pytest.mark.parametrize(
    ("display", "leaves"),
    [
        (("10H", "4H"), True),
        (("10H", "3H"), False),
        (("AH", "3H"), False),
        (("AH", "3H", "JC"), True),
        (("2C", "3C", "9C"), True),
        (("2C", "3C", "5C", "9C"), False),
        (("2C", "3C", "JC", "9H"), True),
        (("2C", "3C", "JC", "AC"), False),
        (("4H", "3H", "4D", "3D"), True),
    ],
)
@pytest.mark.parametrize("crack", [{"flush": 5}, STRAIGHT_4])
def test_a_seat_bails_from_a_hard_14_on_with_fewer_than_four_of_its_suit(
    display: tuple[str, ...], leaves: bool, crack: dict[str, int]
) -> None:
    assert bails(*display, crack=crack) == leaves


@pytest.mark.parametrize(
    ("display", "leaves"),
    [
        (("10H", "6H"), False),
        (("10H", "7H"), True),
        (("AH", "6H"), True),
        (("AH", "5H"), False),
        (("AH", "5H", "10H"), False),
        (("2C", "3C", "5C", "7C"), True),
    ],
)
def test_a_cracked_seat_bails_from_a_best_reading_of_17_on(
    display: tuple[str, ...], leaves: bool
) -> None:
    assert bails(*display, cracked=True) == leaves


def test_where_a_seat_bails_are_knobs() -> None:
    assert bails("10H", "3H", knobs={"bail_at": 13})
    assert not bails("10H", "8H", knobs={"bail_at": 18.5})
    assert bails("10H", "6H", cracked=True, knobs={"targeted_bail_at": 16})
    assert not bails("10H", "8H", cracked=True, knobs={"targeted_bail_at": 19})


def test_a_seat_that_drew_nothing_bails_even_with_four_of_its_suit() -> None:
    table = Table()
    table.inactive(1, 2, 3)
    table.display(0, "2C", "3C", "4C", "5C")
    table.play(layout.DRAW, layout.DRAW)
    assert table.told_of("bail") == [{"seat": 1}]
