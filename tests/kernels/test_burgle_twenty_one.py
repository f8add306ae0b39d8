"""The twenty-one (B19)."""

import pytest

from kernels.burgle import layout
from tests.burgle_tables import Table, first_random

TWENTY_ONE = ("10H", "9S", "2D")


def at_21(display: tuple[str, ...] = TWENTY_ONE, **rules: int) -> Table:
    """Seat 0 (clubs) has 21 and is the only active seat."""
    table = Table(**rules)
    table.inactive(1, 2, 3)
    table.display(0, *display)
    return table


def lay_21(table: Table) -> None:
    """Seat 0 has 21, seat 1 its Guard in its display."""
    table.inactive(1, 2, 3)
    table.display(0, *TWENTY_ONE)
    table.display(1, "JD")
    table.deck(0, "4S")


@pytest.mark.rule("B19")
@pytest.mark.parametrize(
    ("display", "reached"),
    [
        (TWENTY_ONE, True),
        (("AH", "10H"), True),
        (("AH", "JC"), True),
        (("AH", "AD", "9S"), True),
        (("10H", "9S", "AD", "AS"), True),
        (("10H", "JC"), False),
        (("10H", "9S", "3D"), False),
    ],
)
def test_a_reading_of_exactly_21_is_a_twenty_one(display: tuple[str, ...], reached: bool) -> None:
    table = at_21(display=display)
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert table.counted(layout.TWENTY_ONES) == reached
    assert table.state.active[0] == (not reached)


@pytest.mark.rule("B19")
def test_the_jackpot_total_is_a_rule() -> None:
    table = at_21(jackpot_total=18)
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert table.counted(layout.TWENTY_ONES) == 0
    table = at_21(display=("10H", "8S"), jackpot_total=18)
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert table.counted(layout.TWENTY_ONES) == 1


@pytest.mark.rule("B19")
def test_the_seat_may_stay_without_a_benefit() -> None:
    table = first_random(lay_21, layout.TWENTY_ONE, layout.CRACK, "twenty_one", choice="stay")
    assert table.told_of("twenty_one") == [{"seat": 1, "choice": "stay"}]
    assert table.state.active[0] == 1
    assert table.shown(1) == {"JD"}
    assert table.counted(layout.PEEKS) == 0
    assert table.counted(layout.TWENTY_ONES) == 1


@pytest.mark.rule("B19")
def test_the_seat_may_choose_either_benefit_where_a_guard_is_shown() -> None:
    table = first_random(lay_21, layout.TWENTY_ONE, layout.CRACK, "twenty_one", choice="peek")
    assert table.shown(1) == {"JD"}
    assert table.counted(layout.PEEKS) == 1
    assert table.state.active[0] == 0
    table = first_random(lay_21, layout.TWENTY_ONE, layout.CRACK, "twenty_one", choice="guard")
    assert table.shown(1) == set()
    assert table.counted(layout.PEEKS) == 0
    assert table.state.active[0] == 0


@pytest.mark.rule("B19")
def test_benefit_a_sends_a_guard_in_a_display_to_its_owners_discards() -> None:
    table = at_21()
    table.display(2, "3C", "JH", "4C")
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert table.shown(2) == {"3C", "4C"}
    assert table.discarded(2) == {"JH"}
    assert table.state.hard[2] == 7
    assert table.state.held[2] == 0
    assert table.state.active[0] == 0
    assert table.counted(layout.PEEKS) == 0
    assert table.told_of("twenty_one") == [{"seat": 1, "choice": "guard", "owner": 3, "card": "JH"}]


@pytest.mark.rule("B19")
def test_benefit_a_takes_one_guard_only() -> None:
    table = at_21()
    for seat in (1, 2, 3):
        table.display(seat, "J" + "CDHS"[seat])
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert [table.shown(seat) for seat in (1, 2, 3)] == [set(), {"JH"}, {"JS"}]


@pytest.mark.rule("B19")
def test_benefit_a_saves_the_owner_from_paying_at_the_end_of_the_round() -> None:
    table = at_21()
    table.display(2, "3C", "JH")
    table.play(layout.PEEK, layout.ROUND_START)
    assert table.state.stealth.tolist() == [2, 2, 2, 2]


@pytest.mark.rule("B19")
def test_benefit_b_lets_every_seat_peek_once() -> None:
    table = at_21()
    for seat in range(4):
        table.deck(seat, "2" + "DHSC"[seat], "9C")
    table.play(layout.TWENTY_ONE, layout.CRACK)
    peeks = table.told_of("peek")
    assert [(line["seat"], line["card"]) for line in peeks] == [
        (1, "2D"),
        (2, "2H"),
        (3, "2S"),
        (4, "2C"),
    ]
    assert {line["cause"] for line in peeks} == {"twenty_one"}
    assert table.state.active[0] == 0
    assert table.counted(layout.PEEKS) == 4


@pytest.mark.rule("B19")
def test_the_reading_is_tested_when_the_seats_turn_comes() -> None:
    table = at_21()
    table.state.active[1] = 1
    table.display(1, "JD", "9C", "2C")  # 21 until seat 0 discards the Guard in it
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert [line["seat"] for line in table.told_of("twenty_one")] == [1]
    assert table.counted(layout.TWENTY_ONES) == 1
    assert table.state.active[1] == 1


@pytest.mark.rule("B19")
def test_a_guard_discarded_can_give_a_later_seat_its_twenty_one() -> None:
    table = at_21()
    table.state.active[1] = 1
    table.display(1, "10S", "JD", "9C", "2C")
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert [line["seat"] for line in table.told_of("twenty_one")] == [1, 2]


@pytest.mark.rule("B19")
def test_a_seat_that_stayed_at_21_is_offered_it_again_in_the_next_turn_if_it_still_has_it() -> None:
    table = first_random(lay_21, layout.TWENTY_ONE, layout.CRACK, "twenty_one", choice="stay")
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert table.counted(layout.TWENTY_ONES) == 2


@pytest.mark.rule("B19")
def test_an_inactive_seat_with_21_gains_nothing() -> None:
    table = at_21()
    table.inactive(0)
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert table.told() == []
