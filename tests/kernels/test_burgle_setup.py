"""Set-up: the cards, the deal, and what a scenario may ask for (B1-B6)."""

from typing import Any

import pytest
from pydantic import ValidationError

from balance.games.burgle import BurgleRules
from kernels.burgle import layout, play
from tests.burgle_tables import Table, card, key_of, pile

DEALS = 40
GUARDS = {"JC", "JD", "JH", "JS"}
NUMBERS = {rank + suit for suit in "CDHS" for rank in ["A", *map(str, range(2, 11))]}


def deal(rollout: int, **rules: Any) -> Table:
    """A table just after the deal of a rollout."""
    table = Table(**rules)
    key = key_of(7, rollout)
    play.run_begin(table.rules, table.policies, key, table.states, table.rooms, table.events)
    return table


def refused(**rules: Any) -> str:
    with pytest.raises(ValidationError) as caught:
        BurgleRules(**{"tools": [], **rules})
    return str(caught.value)


@pytest.mark.rule("B1")
def test_the_deal_uses_40_number_cards_and_4_guards_and_no_joker() -> None:
    for rollout in range(DEALS):
        dealt = [name for seat in range(4) for name in deal(rollout).left(seat)]
        assert sorted(dealt) == sorted(NUMBERS | GUARDS)


@pytest.mark.rule("B1")
def test_cards_are_numbered_by_suit_and_rank_then_guards_then_the_joker() -> None:
    assert [card(name) for name in ("AC", "10C", "AD", "10S")] == [0, 9, 10, 39]
    assert [card(name) for name in ("JC", "JD", "JH", "JS")] == [40, 41, 42, 43]
    assert card("Joker") == layout.JOKER == layout.CARDS - 1


@pytest.mark.rule("B2")
def test_every_seat_gets_ten_number_cards_and_one_guard_of_its_own() -> None:
    for rollout in range(DEALS):
        table = deal(rollout)
        own = []
        for seat in range(4):
            deck = table.left(seat)
            guards = [name for name in deck if name in GUARDS]
            assert len(deck) == 11
            assert guards == ["J" + "CDHS"[int(table.state.suit[seat])]]
            own += guards
        assert set(own) == GUARDS


@pytest.mark.rule("B2")
def test_guards_and_cards_and_the_place_of_the_guard_differ_between_deals() -> None:
    tables = [deal(rollout) for rollout in range(DEALS)]
    assert len({tuple(table.state.suit) for table in tables}) > 10
    assert len({tuple(table.left(0)) for table in tables}) == DEALS
    places = {
        table.left(seat).index("J" + "CDHS"[int(table.state.suit[seat])])
        for table in tables
        for seat in range(4)
    }
    assert places == set(range(11))


@pytest.mark.rule("B2")
def test_the_suit_of_the_guard_is_the_suit_of_the_safe() -> None:
    table = Table(burn=0)
    table.state.suit[0], table.state.suit[1] = 1, 0
    table.display(0, "2D", "3D", "4D", "6D", "7D")
    table.display(1, "2D", "3D", "4D", "6D", "7D")
    table.play(layout.CRACK, layout.ALARM)
    assert table.state.cracked.tolist() == [1, 0, 0, 0]


@pytest.mark.rule("B3")
@pytest.mark.parametrize("players", [1, 5])
def test_the_book_knows_two_to_four_seats(players: int) -> None:
    assert "players" in refused(players=players)


@pytest.mark.rule("B3")
def test_four_seats_are_the_default_and_all_44_cards_are_in_their_decks() -> None:
    assert BurgleRules().players == 4
    assert deal(0).state.deck_size.sum() == 44


@pytest.mark.rule("B4")
@pytest.mark.parametrize(
    ("characters", "message"),
    [
        (["Hawk", "rook", "raven", "juicer"], "Hawk is none of hawk, acrobat"),
        (["rook", "rook", "raven", "juicer"], "rook stands there twice"),
        (["rook", "hawk", "raven"], "3 for 4 seats"),
        ("all", "must be none, random or one character for each seat"),
    ],
)
def test_a_list_names_a_known_character_for_each_seat_all_different(
    characters: Any, message: str
) -> None:
    assert message in refused(characters=characters)


@pytest.mark.rule("B5")
@pytest.mark.parametrize(("rules", "stealth"), [({}, 2), ({"stealth": 0}, 0), ({"stealth": 9}, 9)])
def test_every_seat_starts_with_the_stealth_of_the_rules(
    rules: dict[str, int], stealth: int
) -> None:
    assert deal(3, **rules).state.stealth.tolist() == [stealth] * 4


@pytest.mark.rule("B5")
@pytest.mark.parametrize("stealth", [-1, 100, 1.5])
def test_stealth_out_of_bounds_is_refused(stealth: Any) -> None:
    assert "stealth" in refused(stealth=stealth)


@pytest.mark.rule("B6")
@pytest.mark.parametrize(
    ("tools", "message"),
    [(["Crowbar"], "Crowbar is none of crowbar"), (["emp", "emp"], "emp stands there twice")],
)
def test_a_list_of_tools_names_known_ones_once(tools: Any, message: str) -> None:
    assert message in refused(tools=tools)


@pytest.mark.rule("B6")
def test_a_crack_gives_no_tool_where_there_are_none() -> None:
    table = Table()
    table.display(0, "2C", "3C", "4C", "6C", "7C")
    table.play(layout.CRACK, layout.ALARM)
    assert table.counted(layout.CRACKED) == 1
    assert table.counted(layout.TOOLS_USED) == 0
    assert table.state.display[0] == pile("2C", "3C", "4C", "6C", "7C")
