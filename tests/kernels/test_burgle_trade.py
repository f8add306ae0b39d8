"""The trade (B14, B15)."""

from collections import Counter
from itertools import permutations
from math import sqrt

import pytest

from balance.games.burgle import ExpertPolicy, RandomPolicy, SimplePolicy
from kernels.burgle import layout
from tests.burgle_tables import Table, key_of

STANDARD_ERRORS = 4
NO_WISH = SimplePolicy(suit=0, bust=0, jackpot=0, peek=0)


def two_wishes(policy: object = None, **rules: bool) -> Table:
    """Seat 0 (clubs) and seat 1 (diamonds) hold each other's suit; the others are out."""
    table = Table(policy, **rules)
    table.inactive(2, 3)
    table.display(0, "2D")
    table.display(1, "2C")
    return table


@pytest.mark.rule("B14")
@pytest.mark.parametrize("policy", [SimplePolicy(), ExpertPolicy()])
def test_active_seats_swap_current_cards(policy: SimplePolicy | ExpertPolicy) -> None:
    table = two_wishes(policy)
    table.play(layout.TRADE, layout.PEEK)
    assert [table.shown(seat) for seat in (0, 1)] == [{"2C"}, {"2D"}]
    assert table.counted(layout.TRADES) == 2
    moves = [{"from": 1, "to": 2, "card": "2D"}, {"from": 2, "to": 1, "card": "2C"}]
    assert table.told_of("trade") == [{"moves": moves}]


@pytest.mark.rule("B14")
def test_cards_can_go_round_in_a_ring() -> None:
    table = Table()
    for seat, name in enumerate(("4D", "4H", "4S", "4C")):
        table.display(seat, name)
    table.play(layout.TRADE, layout.PEEK)
    assert [table.shown(seat) for seat in range(4)] == [{"4C"}, {"4D"}, {"4H"}, {"4S"}]
    assert table.counted(layout.TRADES) == 4


@pytest.mark.rule("B14")
def test_an_inactive_seat_does_not_trade() -> None:
    table = two_wishes()
    table.inactive(1)
    table.play(layout.TRADE, layout.PEEK)
    assert table.shown(0) == {"2D"}
    assert table.counted(layout.TRADES) == 0


@pytest.mark.rule("B14")
def test_a_cracked_seat_that_is_active_trades() -> None:
    table = two_wishes()
    table.cracked(1)
    table.play(layout.TRADE, layout.PEEK)
    assert [table.shown(seat) for seat in (0, 1)] == [{"2C"}, {"2D"}]


@pytest.mark.rule("B14")
@pytest.mark.parametrize("policy", [SimplePolicy(), ExpertPolicy(), RandomPolicy()])
def test_a_guard_does_not_move(policy: SimplePolicy | ExpertPolicy | RandomPolicy) -> None:
    for i in range(20):
        table = two_wishes(policy)
        table.key = key_of(3, i)
        table.display(1, "2C", "JD")
        table.play(layout.TRADE, layout.PEEK)
        assert [table.shown(seat) for seat in (0, 1)] == [{"2D"}, {"2C", "JD"}]


@pytest.mark.rule("B14")
def test_only_the_current_card_moves() -> None:
    table = two_wishes()
    table.display(1, "2C", "9D")
    table.play(layout.TRADE, layout.PEEK)
    assert table.counted(layout.TRADES) == 0


@pytest.mark.rule("B14")
def test_a_seat_without_a_current_card_does_not_trade() -> None:
    table = two_wishes()
    table.state.current[1] = layout.NO_CARD
    table.play(layout.TRADE, layout.PEEK)
    assert table.counted(layout.TRADES) == 0


@pytest.mark.rule("B14")
def test_trading_can_be_switched_off() -> None:
    table = two_wishes(trading=False)
    table.play(layout.TRADE, layout.PEEK)
    assert [table.shown(seat) for seat in (0, 1)] == [{"2D"}, {"2C"}]
    assert table.counted(layout.TRADES) == 0


@pytest.mark.rule("B14")
def test_the_policy_of_the_first_seat_with_a_movable_card_decides_for_all() -> None:
    wish = SimplePolicy()
    table = two_wishes([NO_WISH, wish, wish, wish])
    table.play(layout.TRADE, layout.PEEK)
    assert table.counted(layout.TRADES) == 0
    table = two_wishes([wish, NO_WISH, NO_WISH, NO_WISH])
    table.play(layout.TRADE, layout.PEEK)
    assert table.counted(layout.TRADES) == 2


@pytest.mark.rule("B14")
def test_a_seat_that_holds_its_guard_does_not_decide() -> None:
    wish = SimplePolicy()
    table = Table([NO_WISH, wish, wish, wish])
    table.inactive(3)
    table.display(0, "JC")
    table.display(1, "2H")
    table.display(2, "2D")
    table.play(layout.TRADE, layout.PEEK)
    assert [table.shown(seat) for seat in (1, 2)] == [{"2D"}, {"2H"}]


@pytest.mark.rule("B14")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_random_trade_picks_all_arrangements_equally_often(seats: int) -> None:
    """n = 4800 trades; each of the arrangements within four standard errors of its share."""
    n = 4800
    table = Table(RandomPolicy())
    names = ["2H", "3S", "4C", "6D"][:seats]
    table.inactive(*range(seats, 4))
    seen: Counter[tuple[str | None, ...]] = Counter()
    for i in range(n):
        table.key = key_of(5, i)
        for seat, name in enumerate(names):
            table.display(seat, name)
        table.play(layout.TRADE, layout.PEEK)
        seen[tuple(table.current(seat) for seat in range(seats))] += 1
    ways = set(permutations(names))
    assert set(seen) == ways
    share = 1 / len(ways)
    error = sqrt(n * share * (1 - share))
    assert max(abs(times - n * share) for times in seen.values()) < STANDARD_ERRORS * error


@pytest.mark.rule("B14")
def test_everybody_has_as_many_cards_as_before() -> None:
    for i in range(50):
        table = Table(RandomPolicy())
        table.key = key_of(6, i)
        table.display(0, "9H", "AD", "2H")
        table.display(1, "3S")
        table.display(2, "10C", "JH")
        table.display(3, "8C", "6D")
        before = [len(table.shown(seat)) for seat in range(4)]
        table.play(layout.TRADE, layout.PEEK)
        assert [len(table.shown(seat)) for seat in range(4)] == before


@pytest.mark.rule("B15")
def test_a_traded_card_goes_to_the_discards_of_its_new_owner() -> None:
    table = two_wishes()
    table.play(layout.TRADE, layout.PEEK)
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert [table.discarded(seat) for seat in (0, 1)] == [{"2C"}, {"2D"}]
