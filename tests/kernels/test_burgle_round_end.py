"""The end of a round and of the game (B23, B24, B26, B27)."""

import numpy as np
import pytest

from balance.games.burgle import BURGLE, BurgleRules, SimplePolicy
from kernels.burgle import layout
from tests.burgle_tables import Table


def at_the_end(**rules: int) -> Table:
    """All seats are out; the round is about to end."""
    table = Table(**rules)
    table.inactive(0, 1, 2, 3)
    return table


@pytest.mark.rule("B23")
def test_a_guard_in_the_display_costs_one_stealth() -> None:
    table = at_the_end()
    table.display(1, "2C", "JD", "3C")
    table.display(3, "JS")
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.state.stealth.tolist() == [2, 1, 2, 1]
    assert table.counted(layout.STEALTH_LOST) == 2
    assert table.told_of("stealth") == [
        {"seat": 2, "cause": "display", "left": 1},
        {"seat": 4, "cause": "display", "left": 1},
    ]


@pytest.mark.rule("B23")
def test_all_displays_go_to_the_discards_of_their_owners() -> None:
    table = at_the_end()
    table.display(0, "2C", "JC", "3D")
    table.discards(0, "9S")
    table.display(1, "10H")
    table.deck(1, "4H")
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.discarded(0) == {"2C", "JC", "3D", "9S"}
    assert table.discarded(1) == {"10H"}
    assert table.left(1) == ["4H"]
    assert table.state.display.tolist() == [0, 0, 0, 0]
    assert [table.current(seat) for seat in range(4)] == [None] * 4


@pytest.mark.rule("B23")
def test_all_seats_become_active_for_the_next_round() -> None:
    table = at_the_end()
    table.play(layout.ROUND_END, layout.DRAW)
    assert table.state.active.tolist() == [1, 1, 1, 1]
    assert table.state.round_number == 2


@pytest.mark.rule("B23")
@pytest.mark.parametrize("place", ["deck", "discards"])
def test_a_guard_elsewhere_costs_nothing(place: str) -> None:
    table = at_the_end()
    getattr(table, place)(0, "JC", "2H")
    table.display(0, "3H")
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.state.stealth.tolist() == [2, 2, 2, 2]


@pytest.mark.rule("B24")
def test_a_seat_that_must_pay_and_has_no_stealth_loses_the_game_for_all() -> None:
    table = at_the_end()
    table.display(1, "JD")
    table.display(2, "JH")
    table.state.stealth[1] = 0
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.state.phase == layout.OVER
    assert table.counted(layout.LOST_TO) == layout.BY_DISPLAY
    assert table.told_of("caught") == [{"seat": 2, "cause": "display"}]
    assert table.counted(layout.WON) == table.counted(layout.STALLED) == 0
    assert table.state.stealth.tolist() == [2, 0, 2, 2]  # at once: seat 3 pays no more
    assert table.counted(layout.STEALTH_LOST) == 0


@pytest.mark.rule("B24")
def test_a_seat_that_pays_its_last_stealth_plays_on() -> None:
    table = at_the_end(stealth=1)
    table.display(1, "JD")
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.state.stealth[1] == 0
    assert table.state.phase == layout.ROUND_START


@pytest.mark.rule("B26")
def test_the_guard_of_another_seat_in_the_display_costs_nothing() -> None:
    table = at_the_end()
    table.display(0, "JD")
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.state.stealth.tolist() == [2, 2, 2, 2]


@pytest.mark.rule("B26")
def test_the_guard_of_another_seat_flipped_by_an_alarm_costs_nothing() -> None:
    table = Table()
    table.inactive(1, 2, 3)
    table.display(0, "9H", "8H", "7H")
    table.deck(0, "JD", "2H")
    table.play(layout.ALARM, layout.BAIL)
    assert table.state.stealth.tolist() == [2, 2, 2, 2]


@pytest.mark.rule("B27")
def test_a_game_that_goes_on_after_max_rounds_is_stalled_and_neither_won_nor_lost() -> None:
    table = at_the_end(max_rounds=3)
    table.state.round_number = 2
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.counted(layout.STALLED) == 0
    table.state.round_number = 3
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.state.phase == layout.OVER
    assert table.counted(layout.STALLED) == 1
    assert table.counted(layout.WON) == 0
    assert table.counted(layout.LOST_TO) == layout.NOT_LOST


@pytest.mark.rule("B24", "B27")
def test_a_loss_in_the_last_round_is_a_loss() -> None:
    table = at_the_end(max_rounds=1, stealth=0)
    table.display(0, "JC")
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.counted(layout.LOST_TO) == layout.BY_DISPLAY
    assert table.counted(layout.STALLED) == 0


@pytest.mark.rule("B25", "B27")
def test_a_win_at_the_end_of_the_last_round_is_a_win() -> None:
    table = at_the_end(max_rounds=1, win_at_once=False)
    table.cracked(0, 1, 2, 3)
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.counted(layout.WON) == 1
    assert table.counted(layout.STALLED) == 0


@pytest.mark.rule("B27")
def test_every_game_ends_in_exactly_one_of_three_ways() -> None:
    names = [column.name for column in BURGLE.columns]
    won, stalled, lost_to = (names.index(name) for name in ("won", "stalled", "lost_to"))
    for max_rounds in (1, 5, 200):
        rules = BurgleRules(tools=[], max_rounds=max_rounds, stealth=3)
        outcomes = np.zeros((300, len(names)), np.int32)
        BURGLE.pack(rules, [SimplePolicy()] * 4).play(3, 0, outcomes)
        ways = outcomes[:, won] + outcomes[:, stalled] + (outcomes[:, lost_to] > 0)
        assert (ways == 1).all()
        assert (outcomes[:, names.index("rounds")] <= max_rounds).all()
        assert (outcomes[:, stalled].sum() > 0) == (max_rounds < 200)
