"""What the table does not know, dealt anew (R52, R53, R54): what stays, what moves, how often."""

from collections import Counter
from copy import copy
from functools import cache
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest

from balance.games.burgle import TOOLS, ExpertPolicy
from kernels.burgle import layout
from kernels.burgle.hidden import reorder_hidden
from kernels.burgle.table import NINES_AND_TENS, known_top
from kernels.streams import draw
from tests.burgle_tables import Table, card, key_of
from tests.kernels.test_burgle_honesty import VARIANTS, Seen

STANDARD_ERRORS = 4
DRAWS = 2000
HIGH = {rank + suit for rank in ("9", "10") for suit in "CDHS"}
ROLLOUTS = 3
EVERY = 20  # steps


def start_of(number: int) -> Any:
    """The start (uint64) of a stream of its own for each number."""
    return np.uint64(draw(key_of(9, number), 0))


def reorder(table: Table, number: int = 0) -> None:
    reorder_hidden(table.rules[0], table.state, start_of(number), table.rooms[0])


def orders(table: Table, seat: int, draws: int = DRAWS) -> Counter[tuple[str, ...]]:
    """How often each order of a seat's deck comes up, each time dealt from the same table."""
    before = table.states.copy()
    met: Counter[tuple[str, ...]] = Counter()
    for number in range(draws):
        table.states[:] = before
        reorder(table, number)
        met[tuple(table.left(seat))] += 1
    return met


def at_place(met: Counter[tuple[str, ...]], place: int) -> Counter[str]:
    """How often each card came to lie at a place, the top card being place 1."""
    found: Counter[str] = Counter()
    for order, times in met.items():
        found[order[place - 1]] += times
    return found


def about_equal(counts: Counter[Any], kinds: int) -> bool:
    """Whether all of so many kinds came up, each within four standard errors of its share."""
    n = counts.total()
    error = sqrt(n / kinds * (1 - 1 / kinds))
    return len(counts) == kinds and all(
        abs(times - n / kinds) < STANDARD_ERRORS * error for times in counts.values()
    )


@cache
def in_play() -> list[tuple[str, Seen]]:
    """Games of all variants, each left at some step."""
    games = []
    for variant, rules in VARIANTS.items():
        for rollout in range(ROLLOUTS):
            game = Seen(ExpertPolicy(mistakes=0.3), rules, rollout)
            steps = 0
            while game.goes_on:
                game.step(game.states)
                steps += 1
                if steps % EVERY == rollout:
                    left = copy(game)
                    left.states = game.states.copy().view(np.recarray)
                    games.append((variant, left))
    return games


def dealt_anew(game: Seen, states: Any, number: int) -> Any:
    """A copy of the state, its hidden cards dealt by this stream."""
    dealt = states.copy().view(np.recarray)
    reorder_hidden(game.rules[0], dealt[0], start_of(number), game.rooms[0])
    return dealt


def deck_of(state: Any, pile: int) -> list[int]:
    cards: list[int] = state.deck[pile][: state.deck_size[pile]].tolist()
    return cards


def tools_of(state: Any) -> list[int]:
    tools: list[int] = state.tool_deck[: state.tool_deck_size].tolist()
    return tools


@pytest.mark.rule("R52", "R53", "R54")
def test_the_result_depends_on_what_is_known_and_on_the_stream_alone() -> None:
    rng = Random(3)
    for variant, game in in_play():
        once = dealt_anew(game, game.states, 1)
        for _ in range(3):
            other = dealt_anew(game, game.deal_anew(0, rng), 1)
            for pile in game.piles:
                assert deck_of(other[0], pile) == deck_of(once[0], pile), variant
            assert tools_of(other[0]) == tools_of(once[0])


@pytest.mark.rule("R52", "R54")
def test_only_decks_and_the_tool_deck_change() -> None:
    for _, game in in_play():
        after = dealt_anew(game, game.states, 2)[0]
        for name in layout.STATE.names or ():
            if name not in ("deck", "tool_deck"):
                assert np.array_equal(game.states[0][name], after[name]), name


@pytest.mark.rule("R52", "R53", "R54")
def test_known_places_deck_sizes_and_the_cards_of_remade_decks_stay() -> None:
    stayed = remade = 0
    for _, game in in_play():
        state = game.states[0]
        after = dealt_anew(game, game.states, 3)[0]
        for pile in game.piles:
            old, new = deck_of(state, pile), deck_of(after, pile)
            known = [place for place in range(len(old)) if int(state.known[pile]) >> place & 1]
            assert [new[place] for place in known] == [old[place] for place in known]
            assert known_top(after, pile) == known_top(state, pile)
            assert [c for c in sorted(new) if c >= layout.FIRST_GUARD] == (
                [c for c in sorted(old) if c >= layout.FIRST_GUARD]
            )
            if state.remakes[pile]:
                assert sorted(new) == sorted(old)
                remade += 1
            stayed += len(known)
        fresh = [pile for pile in game.piles if state.remakes[pile] == 0]
        assert sorted(c for pile in fresh for c in deck_of(after, pile)) == (
            sorted(c for pile in fresh for c in deck_of(state, pile))
        )
        assert sorted(tools_of(after)) == sorted(tools_of(state))
    assert stayed > 0
    assert remade > 0


@pytest.mark.rule("R53", "R54")
def test_every_order_of_a_remade_deck_comes_up_equally_often() -> None:
    """n = 2000 draws of 6 orders, each within four standard errors of 1/6."""
    table = Table()
    table.remade(0, "2D", "5H", "JC", "9S")
    table.known(0, 3)
    met = orders(table, 0)
    assert all(order[2] == "JC" for order in met)
    assert about_equal(met, 6)


@pytest.mark.rule("R53")
def test_the_guard_comes_to_every_unknown_place_of_a_first_deck_equally_often() -> None:
    """n = 2000 draws, 5 places, each within four standard errors of 1/5."""
    table = Table()
    table.deck(0, "2D", "5H", "3C", "JC", "9S", "8S")
    table.deck(1, "4D", "JD", "6H")
    table.known(0, 2)
    met = orders(table, 0)
    assert about_equal(Counter(order.index("JC") for order in met.elements()), 5)
    assert all(order[1] == "5H" and "JD" not in order for order in met)


@pytest.mark.rule("R54")
def test_unseen_cards_move_between_first_decks_the_vans_too_and_no_others() -> None:
    """n = 2000 draws, 5 unseen cards, each within four standard errors of 1/5 at a place."""
    table = Table(players=3)
    table.deck(0, "2D", "JC")
    table.deck(1, "3D", "JD", "4D")
    table.known(1, 3)
    table.remade(2, "7H", "JH", "8H")
    table.deck(layout.VAN, "JS", "5S", "6S", "9S")
    table.known(layout.VAN, 4)
    moving = {"2D", "3D", "5S", "6S"}
    before = table.states.copy()
    first: Counter[str] = Counter()
    vans: Counter[str] = Counter()
    for number in range(DRAWS):
        table.states[:] = before
        reorder(table, number)
        first.update(set(table.left(0)) - {"JC"})
        vans.update(set(table.left(layout.VAN)) & moving)
        assert table.left(1)[2] == "4D"
        assert sorted(table.left(2)) == ["7H", "8H", "JH"]
        assert table.left(layout.VAN)[3] == "9S"
        assert "JS" in table.left(layout.VAN)[:3]
    assert set(first) == moving
    assert about_equal(first, 4)
    assert set(vans) == moving
    assert about_equal(vans, 4)


@pytest.mark.rule("R53", "R54")
def test_the_jacks_of_the_van_take_all_its_places() -> None:
    """n = 2000 draws, 3 places, each within four standard errors of 1/3."""
    table = Table(players=2)
    table.deck(layout.VAN, "JH", "5S", "6S")
    assert about_equal(
        Counter(order.index("JH") for order in orders(table, layout.VAN).elements()), 3
    )


@pytest.mark.rule("R54", "R45")
def test_an_empty_place_of_the_van_at_a_full_table_is_left_alone() -> None:
    table = Table(players=4)
    table.deck(0, "2D", "JC")
    table.state.deck_size[layout.VAN] = 2  # whatever stands there
    table.state.deck[layout.VAN][:2] = card("2S"), card("3S")
    reorder(table)
    assert table.left(layout.VAN) == ["3S", "2S"]


@pytest.mark.rule("R54", "R21")
def test_a_face_up_top_of_the_spotter_stays_and_the_rest_is_shuffled() -> None:
    table = Table(characters=["spotter", "acrobat", "raven", "hammer"])
    table.remade(0, "9C", "10D", "2H", "JC")
    met = orders(table, 0)
    assert all(order[0] == "9C" for order in met)
    assert about_equal(met, 6)


@pytest.mark.rule("R54", "R21")
def test_a_face_down_top_of_the_spotter_is_never_a_9_or_10_and_else_any_card() -> None:
    """n = 2000 draws, each of the 2 * 3! orders within four standard errors of 1/12."""
    table = Table(characters=["spotter", "acrobat", "raven", "hammer"])
    table.remade(0, "2H", "10D", "9S", "JC")
    met = orders(table, 0)
    assert set(at_place(met, 1)) == {"2H", "JC"}
    assert about_equal(met, 12)


@pytest.mark.rule("R54", "R21")
def test_a_known_low_top_of_the_spotter_says_nothing_of_the_cards_below() -> None:
    table = Table(characters=["spotter", "acrobat", "raven", "hammer"])
    table.remade(0, "2H", "10D", "9S", "JC")
    table.known(0, 1)
    met = orders(table, 0)
    assert set(at_place(met, 1)) == {"2H"}
    assert about_equal(met, 6)


@pytest.mark.rule("R21")
def test_the_spotters_first_deck_is_dealt_like_any_other() -> None:
    table = Table(characters=["spotter", "acrobat", "raven", "hammer"])
    table.deck(0, "2H", "10D", "JC")
    assert at_place(orders(table, 0), 1).keys() == {"2H", "10D", "JC"}


@pytest.mark.rule("R21")
def test_in_play_a_face_down_top_of_the_spotter_stays_low() -> None:
    met = 0
    for _, game in in_play():
        state = game.states[0]
        for seat in range(int(game.rules.players[0])):
            spotted = state.character[seat] == layout.SPOTTER and state.remakes[seat] > 0
            if not spotted or state.deck_size[seat] == 0:
                continue
            high = [
                NINES_AND_TENS >> deck_of(dealt_anew(game, game.states, number)[0], seat)[-1] & 1
                for number in range(40)
            ]
            assert len(set(high)) == 1
            assert high[0] == NINES_AND_TENS >> deck_of(state, seat)[-1] & 1
            met += 1
    assert met > 0


@pytest.mark.rule("R54")
def test_every_tool_comes_to_the_top_of_the_tool_deck_equally_often() -> None:
    """n = 2000 draws, 4 tools, each within four standard errors of 1/4."""
    table = Table(tools=True)
    names = (TOOLS[3], TOOLS[0], TOOLS[8], TOOLS[5])
    table.tool_deck(*names)
    before = table.states.copy()
    tops: Counter[str] = Counter()
    for number in range(DRAWS):
        table.states[:] = before
        reorder(table, number)
        assert sorted(table.left_tools()) == sorted(names)
        tops[table.left_tools()[0]] += 1
    assert about_equal(tops, 4)


@pytest.mark.rule("R54")
def test_decks_are_shuffled_independently_of_each_other() -> None:
    """n = 2000 draws, 4 pairs of orders, each within four standard errors of 1/4."""
    table = Table()
    table.remade(0, "2H", "3H")
    table.remade(1, "4H", "5H")
    before = table.states.copy()
    met: Counter[tuple[str, str]] = Counter()
    for number in range(DRAWS):
        table.states[:] = before
        reorder(table, number)
        met[table.left(0)[0], table.left(1)[0]] += 1
    assert about_equal(met, 4)


@pytest.mark.rule("R54")
def test_empty_decks_stay_empty() -> None:
    table = Table()
    before = table.states.copy()
    reorder(table)
    assert np.array_equal(before.view(np.ndarray), table.states.view(np.ndarray))
