"""Two and three seats: the Man in the Van (B3, B12 and the rulings on him)."""

from collections import Counter
from math import sqrt

import pytest

from balance.games.burgle import SimplePolicy
from kernels.burgle import layout, play
from tests.burgle_tables import GO_ON, LEAVE, Table, first_random, key_of, random_tables

VAN = layout.VAN
DEALS = 40
GUARDS = {"JC", "JD", "JH", "JS"}
NUMBERS = {rank + suit for suit in "CDHS" for rank in ["A", *map(str, range(2, 11))]}
STANDARD_ERRORS = 4
NO_WISH = SimplePolicy(suit=0, bust=0, jackpot=0, peek=0)


def deal(rollout: int, players: int) -> Table:
    """A table just after the deal of a rollout."""
    table = Table(players=players)
    key = key_of(7, rollout)
    play.run_begin(table.rules, table.policies, key, table.states, table.rooms, table.events)
    return table


def three(policy: object = None, **rules: object) -> Table:
    """Three seats, of which only seat 0 (clubs) is active; the Van holds the Jack of spades."""
    table = Table(policy, players=3, **rules)
    table.inactive(1, 2)
    return table


@pytest.mark.rule("B3")
@pytest.mark.parametrize(("players", "numbers", "jacks"), [(2, 20, 2), (3, 10, 1)])
def test_the_van_has_the_number_cards_that_are_left_and_the_unclaimed_jacks(
    players: int, numbers: int, jacks: int
) -> None:
    for rollout in range(DEALS):
        table = deal(rollout, players)
        van = table.left(VAN)
        assert len(set(van) & NUMBERS) == numbers
        assert len(set(van) & GUARDS) == jacks
        seats = [name for seat in range(players) for name in table.left(seat)]
        assert sorted([*van, *seats]) == sorted(NUMBERS | GUARDS)
        assert [len(table.left(seat)) for seat in range(4)] == [11] * players + [0] * (4 - players)


@pytest.mark.rule("B3")
@pytest.mark.parametrize("players", [2, 3])
def test_seats_that_are_not_there_hold_nothing_and_need_not_crack(players: int) -> None:
    state = deal(0, players).state
    assert state.to_crack == players
    assert state.stealth.tolist() == [2] * players + [0] * (4 - players)
    assert state.character.tolist() == [layout.NO_CHARACTER] * 4


@pytest.mark.rule("B3")
def test_four_seats_have_no_van() -> None:
    table = deal(0, 4)
    assert table.left(VAN) == []
    assert [len(table.left(seat)) for seat in range(4)] == [11] * 4


@pytest.mark.rule("B3")
def test_the_jack_is_at_every_place_of_the_vans_deck_equally_often() -> None:
    """n = 2200 deals, every place within four standard errors of 1/11."""
    n = 2200
    table = Table(players=3)
    table.events.recording = 0
    places: Counter[int] = Counter()
    for rollout in range(n):
        key = key_of(8, rollout)
        play.run_begin(table.rules, table.policies, key, table.states, table.rooms, table.events)
        deck = table.state.deck[VAN][:11].tolist()
        places[next(i for i, number in enumerate(deck) if number >= layout.FIRST_GUARD)] += 1
    error = sqrt(n * (1 / 11) * (10 / 11))
    assert all(abs(places[place] - n / 11) < STANDARD_ERRORS * error for place in range(11))


@pytest.mark.rule("B3", "B10")
def test_all_seats_that_are_there_and_no_others_become_active() -> None:
    table = Table(players=2)
    table.inactive(0, 1)
    table.play(layout.ROUND_START, layout.DRAW)
    assert table.state.active.tolist() == [1, 1, 0, 0]


@pytest.mark.rule("B3", "B25")
def test_with_two_seats_two_cracked_safes_win() -> None:
    table = Table(players=2)
    table.cracked(0)
    table.display(1, "2D", "3D", "4D", "6D", "7D")
    table.play(layout.CRACK, layout.ALARM)
    assert table.counted(layout.WON) == 1


@pytest.mark.rule("B12")
def test_the_van_draws_one_card_each_turn_even_if_one_seat_only_is_active() -> None:
    table = three(GO_ON, trading=False)
    table.deck(0, "2H", "3H")
    table.deck(VAN, "9H", "8H", "7H")
    table.play(layout.DRAW, layout.TRADE)
    assert table.current(VAN) == "9H"
    assert table.told_of("draw")[-1] == {"seat": "van", "card": "9H"}
    table.play(layout.TRADE, layout.DRAW)
    table.play(layout.DRAW, layout.TRADE)
    assert table.current(VAN) == "8H"
    assert table.left(VAN) == ["7H"]


@pytest.mark.rule("B12", "R55")
def test_cards_that_the_van_draws_are_counted_among_the_draws() -> None:
    table = three()
    table.deck(0, "2H")
    table.deck(VAN, "9H")
    table.play(layout.DRAW, layout.TRADE)
    assert table.counted(layout.DRAWS) == 2


@pytest.mark.rule("B12")
def test_the_vans_card_goes_to_its_discards_at_the_end_of_the_turn() -> None:
    table = three(GO_ON, trading=False)
    table.deck(0, "2H")
    table.deck(VAN, "9H")
    table.play(layout.DRAW, layout.BAIL)
    assert table.current(VAN) == "9H"
    assert table.discarded(VAN) == set()
    table.play(layout.BAIL, layout.DRAW)
    assert table.current(VAN) is None
    assert table.discarded(VAN) == {"9H"}


@pytest.mark.rule("B12")
def test_an_empty_deck_of_the_van_is_remade_from_its_discards() -> None:
    table = three()
    table.deck(0, "2H")
    table.discards(VAN, "9H", "8H", "JS")
    table.play(layout.DRAW, layout.TRADE)
    (shuffle,) = table.told_of("shuffle")
    assert shuffle["seat"] == "van"
    assert sorted(shuffle["deck"]) == ["8H", "9H", "JS"]
    assert table.current(VAN) == shuffle["deck"][0]
    assert table.left(VAN) == shuffle["deck"][1:]


@pytest.mark.rule("B12")
def test_without_any_card_the_van_has_no_current_card_and_nothing_is_told() -> None:
    table = three()
    table.deck(0, "2H")
    table.play(layout.DRAW, layout.TRADE)
    assert table.current(VAN) is None
    assert [line["event"] for line in table.told()] == ["turn", "draw"]


@pytest.mark.rule("B12")
def test_the_van_never_triggers_an_alarm_and_never_leaves() -> None:
    table = three(LEAVE, trading=False)
    table.deck(0, "2H")
    table.deck(VAN, "10H")
    table.play(layout.DRAW, layout.ROUND_START)
    assert table.counted(layout.ALARMS) == 0
    assert {line["seat"] for line in table.told_of("bail")} == {1}
    table.deck(VAN, "9H")
    table.play(layout.ROUND_START, layout.TRADE)
    assert table.current(VAN) == "9H"


@pytest.mark.rule("B12")
@pytest.mark.parametrize("active", [True, False])
def test_by_the_vans_jack_a_seat_active_or_not_discards_its_guard(active: bool) -> None:
    table = three()
    table.deck(0, "2H")
    table.display(1, "5D", "JD", "2C")
    table.state.active[1] = active
    table.deck(1, "3D")
    table.deck(VAN, "JS")
    table.play(layout.DRAW, layout.TRADE)
    assert table.told_of("van_guard") == [{"seat": 2, "card": "JD"}]
    assert "JD" in table.discarded(1)
    assert "JD" not in table.shown(1)


@pytest.mark.rule("B12")
@pytest.mark.parametrize("drawn", ["10S", "Joker"])
def test_a_card_of_the_van_that_is_no_jack_discards_no_guard(drawn: str) -> None:
    table = three()
    table.deck(0, "2H")
    table.display(1, "JD")
    table.deck(VAN, drawn)
    table.play(layout.DRAW, layout.TRADE)
    assert table.told_of("van_guard") == []
    assert table.shown(1) == {"JD"}


@pytest.mark.rule("B12", "R46")
def test_the_vans_jack_takes_one_guard_only() -> None:
    table = three()
    table.deck(0, "2H")
    table.display(1, "JD")
    table.display(2, "JH")
    table.deck(VAN, "JS")
    table.play(layout.DRAW, layout.TRADE)
    assert table.shown(1) | table.shown(2) == {"JH"}


@pytest.mark.rule("R46")
def test_using_the_vans_jack_is_a_choice_of_any_guard_or_none() -> None:
    def lay(table: Table) -> None:
        table.inactive(1, 2)
        table.deck(0, "2H")
        table.display(1, "JD")
        table.display(2, "JH")
        table.deck(VAN, "JS")

    seen = {
        tuple(line["seat"] for line in table.told_of("van_guard"))
        for table in random_tables(lay, layout.DRAW, layout.TRADE, {"players": 3}, 40)
    }
    assert seen == {(), (2,), (3,)}


@pytest.mark.rule("R46", "R2")
def test_a_guard_drawn_this_turn_may_go_by_the_vans_jack_and_leaves_nothing_to_trade() -> None:
    table = three()
    table.display(0, "3C")
    table.deck(0, "JC")
    table.deck(VAN, "JS")
    table.play(layout.DRAW, layout.TRADE)
    assert table.told_of("van_guard") == [{"seat": 1, "card": "JC"}]
    assert table.current(0) is None
    table.van("2C")  # as if it could be had
    table.play(layout.TRADE, layout.PEEK)
    assert table.shown(0) == {"3C"}


@pytest.mark.rule("R4")
def test_seats_draw_in_order_then_the_van_then_its_jack_is_used() -> None:
    table = Table(players=3, characters=["acrobat", "rook", "hacker"])
    table.state.turn = 0
    table.deck(0, "JC", "2H")
    table.deck(1, "JD")
    table.deck(2, "3H")
    table.deck(VAN, "JS")
    table.play(layout.DRAW, layout.TRADE)
    told = [(line["event"], line.get("seat")) for line in table.told()]
    assert told == [
        ("turn", None),
        ("draw", 1),
        ("replace", 1),
        ("draw", 1),
        ("draw", 2),
        ("draw", 3),
        ("draw", "van"),
        ("van_guard", 2),
    ]


@pytest.mark.rule("R4", "T4")
def test_the_replacement_of_the_donuts_comes_at_once() -> None:
    table = Table(players=3)
    table.use(0, "donuts", 0)
    table.deck(0, "JC", "2H")
    table.deck(1, "4D")
    table.deck(2, "3H")
    table.deck(VAN, "9S")
    table.play(layout.DRAW, layout.TRADE)
    seats = [line["seat"] for line in table.told() if line["event"] in ("draw", "replace")]
    assert seats == [1, 1, 1, 2, 3, "van"]


@pytest.mark.rule("B14", "R58")
def test_a_seat_trades_with_the_van_and_the_card_given_becomes_the_vans() -> None:
    table = three()
    table.display(0, "3C", "9H")
    table.van("2C")
    table.play(layout.TRADE, layout.PEEK)
    assert table.shown(0) == {"3C", "2C"}
    assert (table.current(0), table.current(VAN)) == ("2C", "9H")
    assert table.told_of("trade") == [
        {
            "moves": [
                {"from": 1, "to": "van", "card": "9H"},
                {"from": "van", "to": 1, "card": "2C"},
            ]
        }
    ]
    assert table.counted(layout.TRADES) == 2
    table.play(layout.PEEK, layout.ROUND_END)
    assert table.discarded(VAN) == {"9H"}


@pytest.mark.rule("B14", "B12")
def test_the_vans_jack_is_not_traded() -> None:
    def lay(table: Table) -> None:
        table.inactive(1, 2)
        table.display(0, "9H")
        table.van("JS")

    for table in random_tables(lay, layout.TRADE, layout.PEEK, {"players": 3}, 20):
        assert table.current(VAN) == "JS"


@pytest.mark.rule("B14")
def test_three_seats_and_the_van_pass_cards_around_in_any_way() -> None:
    def lay(table: Table) -> None:
        for seat, name in enumerate(("2H", "3H", "4H")):
            table.display(seat, name)
        table.van("5H")

    seen = Counter(
        tuple(table.current(place) for place in (0, 1, 2, VAN))
        for table in random_tables(lay, layout.TRADE, layout.PEEK, {"players": 3})
    )
    assert len(seen) == 24


@pytest.mark.rule("R47")
def test_a_seat_with_no_movable_card_cannot_take_the_vans() -> None:
    def lay(table: Table) -> None:
        table.inactive(2)
        table.display(0, "3C", "JC")
        table.display(1, "3D")
        table.van("2C")
        table.state.current[1] = layout.NO_CARD

    for table in random_tables(lay, layout.TRADE, layout.PEEK, {"players": 3}, 20):
        assert table.told_of("trade") == []


@pytest.mark.rule("R48")
def test_the_vans_card_is_discarded_in_the_last_turn_of_a_round_too() -> None:
    table = three(LEAVE, trading=False)
    table.deck(0, "2H")
    table.deck(VAN, "9H")
    table.play(layout.DRAW, layout.ROUND_END)
    assert table.state.phase == layout.ROUND_END
    assert table.discarded(VAN) == {"9H"}
    assert table.current(VAN) is None


@pytest.mark.rule("R60")
def test_simple_discards_the_first_guard_in_seat_order_by_the_vans_jack() -> None:
    table = Table(players=3)
    table.inactive(0, 1)
    table.display(1, "JD")
    table.display(0, "JC")
    table.deck(2, "2H")
    table.deck(VAN, "JS")
    table.play(layout.DRAW, layout.TRADE)
    assert table.told_of("van_guard") == [{"seat": 1, "card": "JC"}]


@pytest.mark.rule("R60")
def test_simple_gives_the_van_whatever_is_best_for_the_seats() -> None:
    table = Table(players=2)
    table.display(0, "2C")  # all want to keep what they have but seat 1, which takes the Van's
    table.display(1, "9H")
    table.van("4D")
    table.play(layout.TRADE, layout.PEEK)
    assert [table.current(place) for place in (0, 1, VAN)] == ["2C", "4D", "9H"]


@pytest.mark.rule("R60")
def test_simple_orders_the_van_after_the_seats_and_takes_no_trade_among_equals() -> None:
    table = Table(NO_WISH, players=2)
    table.display(0, "2C")
    table.display(1, "9H")
    table.van("4D")
    table.play(layout.TRADE, layout.PEEK)
    assert table.told_of("trade") == []


@pytest.mark.rule("R60")
def test_of_two_equally_good_trades_simple_takes_the_first_with_the_vans_card_last() -> None:
    table = Table(players=2)
    table.display(0, "9H")  # both clubs would do: of (1, 0, 2) and (2, 1, 0) the first is taken
    table.display(1, "4C")
    table.van("3C")
    table.play(layout.TRADE, layout.PEEK)
    assert [table.current(place) for place in (0, 1, VAN)] == ["4C", "9H", "3C"]


@pytest.mark.rule("R45")
def test_all_peek_leaves_the_vans_deck_alone() -> None:
    table = three()
    table.display(0, "10H", "9S", "2D")
    for pile in (0, 1, 2, VAN):
        table.deck(pile, "2S" if pile == VAN else "9" + "CDH"[pile])
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert [line["seat"] for line in table.told_of("peek")] == [1, 2, 3]
    assert table.places(VAN) == set()


@pytest.mark.rule("R45", "C7")
def test_the_rook_looks_at_no_deck_but_a_seats() -> None:
    def lay(table: Table) -> None:
        table.inactive(1)
        table.display(0, "5H")
        for pile in (0, 1, VAN):
            table.deck(pile, "9" + "CDHHS"[pile])

    rules = {"players": 2, "characters": ["rook", "hawk"]}
    seen = {
        line["target"]
        for table in random_tables(lay, layout.PEEK, layout.TWENTY_ONE, rules, 60)
        for line in table.told_of("rook")
    }
    assert seen == {2}


@pytest.mark.rule("R45", "T1")
def test_the_crowbar_does_not_reach_the_vans_card() -> None:
    table = three(tools=["crowbar"])
    table.display(0, "2H")
    table.van("9S")
    assert table.may(layout.AFTER_DRAW, 0, "crowbar", "2H")
    assert not table.may(layout.AFTER_DRAW, 0, "crowbar", "9S")


@pytest.mark.rule("R45", "T2")
def test_the_crystal_ball_does_not_look_into_the_vans_deck() -> None:
    table = three(tools=["crystal_ball"])
    table.deck(1, "2H", "JD")
    table.deck(VAN, "2S", "JS")
    table.use(0, "crystal_ball")
    assert table.places(1) == {2}
    assert table.places(VAN) == set()


@pytest.mark.rule("R45", "T7")
def test_the_dynamite_leaves_the_vans_card() -> None:
    table = three(tools=["dynamite"])
    table.display(0, "2H")
    table.deck(0, "3H")
    table.van("9S")
    table.use(0, "dynamite")
    assert table.shown(0) == {"3H"}
    assert table.current(VAN) == "9S"


@pytest.mark.rule("R44", "T9")
def test_the_vans_jack_neither_counts_for_the_smoke_bomb_nor_moves() -> None:
    table = three(tools=["smoke_bomb"])
    table.display(0, "JC")
    table.van("JS")
    assert not table.may(layout.AFTER_DRAW, 0, "smoke_bomb")
    table.display(1, "JD")
    assert table.may(layout.AFTER_DRAW, 0, "smoke_bomb")
    table.use(0, "smoke_bomb")
    assert table.current(VAN) == "JS"
    assert table.shown(0) | table.shown(1) == set()


@pytest.mark.rule("R43")
def test_the_joker_can_be_given_to_the_van_and_comes_back_as_an_ordinary_card() -> None:
    def lay(table: Table) -> None:
        table.inactive(1, 2)
        table.display(0, "Joker")
        table.van("9H")

    table = first_random(lay, layout.TRADE, layout.PEEK, "trade", {"players": 3})
    assert table.current(VAN) == "Joker"
    table.play(layout.PEEK, layout.ROUND_END)
    assert table.discarded(VAN) == {"Joker"}
