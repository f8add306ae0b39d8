"""The set-up: players, coins, hands, banks, the deck, and what is refused."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from balance.games.bank import BANK, BankRules, RandomPolicy, kinds_of
from kernels.bank import layout
from kernels.streams import rollout_key
from tests.bank_tables import Table, card_names, refused

MONEY = {2: 4, 3: 4, 4: 4, 5: 11, 10: 2}
BOOK = Counter(
    {"2": 4, "3": 4, "4": 4, "5": 11, "10": 2}
    | dict.fromkeys(("lady", "guard", "judge", "thief"), 4)
)


def dealt(key: int = 5, **rules: Any) -> Table:
    table = Table(**rules)
    table.deal(key)
    return table


def all_cards(table: Table) -> Counter[str]:
    """Every card of the game, wherever it lies."""
    model = table.model
    cards = [card for seat in range(model.players) for card in table.in_hand(seat)]
    cards += [card.rstrip("^") for bank in range(model.banks) for card in table.at_bank(bank)]
    return Counter(cards + table.in_deck())


@pytest.mark.rule("K1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_of_two_to_five_players_has_ten_coins_and_five_cards(players: int) -> None:
    table = dealt(players=players)
    assert table.purse() == [10] * players
    assert [len(table.in_hand(seat)) for seat in range(players)] == [5] * players
    assert len(table.in_deck()) == 41 - 5 * players - 5


@pytest.mark.rule("K1")
def test_four_players_are_the_default_and_seat_1_starts() -> None:
    table = dealt()
    assert table.model.players == 4
    table.turns(9)
    assert [line["seat"] for line in table.told_of("turn")] == [1, 2, 3, 4, 1, 2, 3, 4, 1]


@pytest.mark.rule("K1")
def test_coins_and_hands_are_rules() -> None:
    table = dealt(players=3, coins=25, hand=7)
    assert table.purse() == [25] * 3
    assert [len(table.in_hand(seat)) for seat in range(3)] == [7] * 3
    assert dealt(coins=0).purse() == [0] * 4


@pytest.mark.rule("K2")
@pytest.mark.parametrize("players", [2, 5])
def test_five_banks_are_dealt_one_card_face_down_whatever_the_players(players: int) -> None:
    table = dealt(players=players)
    assert table.model.banks == 5
    assert [len(table.at_bank(bank)) for bank in range(5)] == [1] * 5
    assert not any(card.endswith("^") for bank in range(5) for card in table.at_bank(bank))
    assert not any(table.knows(seat, bank) for seat in range(players) for bank in range(5))


@pytest.mark.rule("K2")
def test_the_number_of_banks_is_a_rule() -> None:
    table = dealt(banks=8)
    assert [len(table.at_bank(bank)) for bank in range(8)] == [1] * 8
    assert len(table.in_deck()) == 41 - 20 - 8


@pytest.mark.rule("K3")
def test_the_deck_has_25_money_cards_and_four_of_each_special_but_no_x() -> None:
    assert sum(BOOK.values()) == 41
    assert all_cards(dealt()) == BOOK


@pytest.mark.rule("K3")
def test_the_published_deck_has_four_x_more() -> None:
    table = dealt(deck={"money": MONEY, "multiply": 4})
    assert all_cards(table) == BOOK + Counter({"multiply": 4})
    assert table.rules.cards[0] == 45


@pytest.mark.rule("K3")
def test_any_values_and_numbers_of_cards_can_be_named() -> None:
    deck = {"money": {"7": 9, 1: 6}, "lady": 0, "guard": 2, "judge": 0, "thief": 1, "multiply": 3}
    table = dealt(players=2, hand=3, deck=deck)
    assert all_cards(table) == Counter({"1": 6, "7": 9, "guard": 2, "thief": 1, "multiply": 3})
    assert table.rules.mean_value[0] == pytest.approx((6 + 63) / 21)


@pytest.mark.rule("K3")
def test_specials_count_as_nothing_in_the_mean_value_of_a_card() -> None:
    assert Table().rules.mean_value[0] == pytest.approx((4 * 9 + 55 + 20) / 41)


@pytest.mark.rule("K1", "K2")
def test_hands_are_dealt_from_the_top_seat_by_seat_and_then_the_banks() -> None:
    table = Table(players=3)
    table.deal(77)
    told = table.told()
    (deal,) = [line["deck"] for line in told if line["event"] == "deal"]
    hands = [line for line in told if line["event"] == "hand"]
    assert [line["cards"] for line in hands] == [deal[:5], deal[5:10], deal[10:15]]
    assert [line["card"] for line in table.told_of("bank")] == deal[15:20]
    assert [table.in_hand(seat) for seat in range(3)] == [line["cards"] for line in hands]
    assert [table.at_bank(bank) for bank in range(5)] == [[card] for card in deal[15:20]]
    assert table.in_deck() == deal[20:]


@pytest.mark.rule("K3")
def test_every_card_is_as_likely_everywhere() -> None:
    """Thieves are 4 of 41 cards, in a hand, at a bank and on top of the deck."""
    games = 4_000
    table = Table()
    thief = table.cards.index("thief")
    found = np.zeros(3)
    table.events.recording = 0
    for index in range(games):
        table.deal(int(rollout_key(np.uint64(3), index)))
        state = table.state
        found += [
            state.hand[2, 3] == thief,
            state.bank[4, 0] == thief,
            state.deck[state.dealt] == thief,
        ]
    share = 4 / 41
    assert np.all(abs(found / games - share) < 4 * (share * (1 - share) / games) ** 0.5)


@pytest.mark.rule("K1", "K2", "K3")
def test_a_new_game_forgets_the_one_before() -> None:
    table = Table()
    table.deal(9)
    fresh = table.states.tobytes()
    table.turns(60)
    assert table.over or table.states.tobytes() != fresh
    table.deal(9)
    again = table.states.copy()
    for name in ("turn", "seat", "dealt", "coins", "cards", "staked", "count", "open", "gone"):
        old = np.frombuffer(fresh, layout.STATE)[name]
        assert (again[name] == old).all(), name
    assert [table.at_bank(bank) for bank in range(5)] == [
        [line["card"]] for line in table.told_of("bank")
    ]


@pytest.mark.rule("K1", "K2", "K14", "K22", "K23")
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": 1}, "must be 2 or more (got 1)"),
        ({"players": 6}, "must be 5 or less (got 6)"),
        ({"players": 2.5}, "must be a whole number (got 2.5)"),
        ({"coins": -1}, "must be 0 or more (got -1)"),
        ({"coins": 1001}, "must be 1000 or less (got 1001)"),
        ({"hand": 0}, "must be 1 or more (got 0)"),
        ({"hand": 13}, "must be 12 or less (got 13)"),
        ({"banks": 0}, "must be 1 or more (got 0)"),
        ({"banks": 11}, "must be 10 or less (got 11)"),
        ({"guard_reward": -1}, "must be 0 or more (got -1)"),
        ({"guard_reward": 1001}, "must be 1000 or less (got 1001)"),
        ({"credit_to": -1}, "must be 0 or more (got -1)"),
        ({"credit_to": 1001}, "must be 1000 or less (got 1001)"),
        ({"max_turns": 0}, "must be 1 or more (got 0)"),
        ({"max_turns": 100001}, "must be 100000 or less (got 100001)"),
        ({"final_order": "random"}, "must be fixed (got random)"),
        ({"stake_on_shortfall": "kept"}, "must be returned or lost (got kept)"),
        ({"ties": "auction"}, "must be turn_order or together (got auction)"),
        ({"specials": "book"}, "must be simple or published (got book)"),
        ({"after_robbery": "burn"}, "must be discard, keep_money or refill (got burn)"),
        ({"tiles": "pick"}, "must be choose or a mapping like {play: 4, rob: 1} (got pick)"),
        ({"tiles": 7}, "must be choose or a mapping like {play: 4, rob: 1} (got 7)"),
        ({"tiles": {"play": -1}}, "must be 0 or more (got -1)"),
        ({"tiles": {"play": 61}}, "must be 60 or less (got 61)"),
        ({"tiles": {"play": 60, "look": 1}}, "tiles: must be 1 to 60 tiles in all"),
        (
            {"tiles": {"play": 0, "look": 0, "reveal": 0, "rob": 0}},
            "tiles: must be 1 to 60 tiles in all",
        ),
        ({"deck": {"money": {2: -1}}}, "must be 0 or more (got -1)"),
        ({"deck": {"money": {1001: 1}}}, "must be 1000 or less (got 1001)"),
        ({"deck": {"lady": 1.5}}, "must be a whole number (got 1.5)"),
        ({"deck": {"thief": 61}}, "must be 60 or less (got 61)"),
        ({"deck": {"lady": 24}}, "deck: must be 60 cards at most (got 61)"),
        ({"deck": {"money": {"2": 9, "02": 9}}}, "2 stands there twice"),
        ({"deck": {"multiply": 20}}, "must be 8 or less (got 20)"),
        ({"deck": {"money": dict.fromkeys(range(21), 1)}}, "must have at most 20 entries"),
        (
            {"players": 5, "hand": 8},
            "deck: 5 hands of 8 and 5 banks take 45 cards (got 41)",
        ),
    ],
)
def test_a_set_up_that_cannot_be_is_refused(fields: dict[str, Any], message: str) -> None:
    assert refused(BankRules, **fields) == message


@pytest.mark.rule("K3")
def test_a_deck_that_just_suffices_is_dealt_to_its_last_card() -> None:
    table = dealt(players=5, hand=7, banks=6)
    assert table.in_deck() == []
    assert all_cards(table) == BOOK


@pytest.mark.rule("K3")
def test_card_kinds_are_the_specials_and_then_money_by_value() -> None:
    rules = BankRules(deck={"money": {10: 5, 2: 25}})
    assert card_names(rules) == ["lady", "guard", "judge", "thief", "multiply", "2", "10"]
    assert kinds_of(rules.deck)[-2:] == [(2, 25), (10, 5)]


@pytest.mark.rule("K1", "K21")
def test_seats_that_do_not_play_have_no_coins_and_no_share() -> None:
    packed = BANK.pack(BankRules(players=2), [RandomPolicy()] * 2)
    names = [column.name for column in BANK.columns]
    outcomes = np.zeros((20, len(names)), np.int32)
    packed.play(1, 0, outcomes)
    absent = BANK.absent(BankRules(players=2))
    assert set(absent) == {
        f"{name}.{seat}" for name in ("win_share", "coins", "robbed") for seat in (3, 4, 5)
    }
    assert not outcomes[:, [names.index(name) for name in absent]].any()
    assert outcomes[:, [names.index(f"coins.{seat}") for seat in (1, 2)]].any()
