"""The turn: actions and reactions are drawn up, training cards drawn and combined (V7-V11)."""

from typing import Any

import pytest

from balance.games.vault import ExpertPolicy, RandomPolicy, SimplePolicy
from kernels.vault import layout
from tests.vault_tables import Table, card, expert_table

ACTIONS = [card("gain_tokens"), card("draw_training"), card("peek_loot")]
REACTIONS = [card(n, "on_action") for n in ("gain_tokens", "draw_training", "peek_loot")]
DECKS = {"actions": ACTIONS, "reactions": REACTIONS}
BOTH = pytest.mark.parametrize(
    "deck",
    [
        pytest.param("actions", marks=pytest.mark.rule("V7")),
        pytest.param("reactions", marks=pytest.mark.rule("V8")),
    ],
)


def drawing(deck: str, policy: Any = None) -> Table:
    return Table(policy, draw=0, **{deck: DECKS[deck]})


def hold(table: Table, deck: str, name: str) -> None:
    table.holds(0, **{deck.removesuffix("s"): name})


@BOTH
@pytest.mark.rule("V7", "V8")
@pytest.mark.parametrize("second", [0, 1])
def test_a_seat_draws_two_keeps_one_and_puts_the_other_on_top(deck: str, second: int) -> None:
    table = drawing(deck)
    table.pile(deck, "gain_tokens", "draw_training", "peek_loot")
    table.says(0, second)
    table.start_turn()
    drawn = ["gain_tokens", "draw_training"]
    kept, back = drawn[second], drawn[1 - second]
    assert table.held(0, deck) == kept
    assert table.in_pile(deck) == [back, "peek_loot"]
    assert table.told_of(f"draw_{deck}") == [
        {"seat": 1, "cards": drawn, "kept": kept, "returned": back}
    ]


@BOTH
@pytest.mark.rule("V7", "V8")
@pytest.mark.parametrize("second", [0, 1])
def test_a_seat_that_holds_one_draws_one_more(deck: str, second: int) -> None:
    table = drawing(deck)
    hold(table, deck, "peek_loot")
    table.pile(deck, "gain_tokens", "draw_training")
    table.says(0, second)
    table.start_turn()
    kept, back = [("peek_loot", "gain_tokens"), ("gain_tokens", "peek_loot")][second]
    assert table.held(0, deck) == kept
    assert table.in_pile(deck) == [back, "draw_training"]
    assert table.told_of(f"draw_{deck}") == [
        {"seat": 1, "cards": ["gain_tokens"], "kept": kept, "returned": back}
    ]


@BOTH
@pytest.mark.rule("V7", "V8")
def test_the_only_card_there_is_is_kept_and_nothing_is_put_back(deck: str) -> None:
    table = drawing(deck)
    table.pile(deck, "gain_tokens")
    table.start_turn()
    assert table.held(0, deck) == "gain_tokens"
    assert table.in_pile(deck) == []
    assert table.told_of(f"draw_{deck}") == [
        {"seat": 1, "cards": ["gain_tokens"], "kept": "gain_tokens"}
    ]
    table.start_turn()
    assert table.held(0, deck) == "gain_tokens"
    assert table.told_of(f"draw_{deck}")[1:] == [{"seat": 1, "cards": [], "kept": "gain_tokens"}]


@BOTH
@pytest.mark.rule("V7", "V8")
def test_a_seat_with_neither_card_nor_draw_goes_without(deck: str) -> None:
    table = drawing(deck)
    table.start_turn()
    assert table.held(0, deck) is None
    assert table.kinds() == ["turn"]


@pytest.mark.rule("V7", "V8", "V9")
def test_actions_come_before_reactions_and_those_before_training_cards() -> None:
    table = Table(actions=ACTIONS, reactions=REACTIONS)
    table.pile("actions", "gain_tokens")
    table.pile("reactions", "gain_tokens")
    table.deck("2D", "3D", "4D", "5D")
    table.start_turn()
    assert table.kinds() == ["turn", "draw_actions", "draw_reactions", "draw"]


@pytest.mark.rule("V7", "V8")
def test_simple_keeps_the_first_of_two_and_experts_the_better_one() -> None:
    for policy, kept in ((SimplePolicy(), "peek_loot"), (ExpertPolicy(), "gain_tokens")):
        table = drawing("actions", policy)
        table.pile("actions", "peek_loot", "gain_tokens")
        table.start_turn()
        assert table.held(0, "actions") == kept


@pytest.mark.rule("V9")
@pytest.mark.parametrize(("rules", "n"), [({}, 4), ({"draw": 2}, 2), ({"draw": 0}, 0)])
def test_so_many_training_cards_are_drawn_off_the_top(rules: dict[str, int], n: int) -> None:
    table = Table(**rules)
    cards = ["2D", "KC", "AD", "10S", "3H"]
    table.deck(*cards)
    table.hand(0, "9H")
    table.start_turn()
    assert sorted(table.in_hand(0)) == sorted(["9H", *cards[:n]])
    assert table.in_deck() == cards[n:]
    assert table.told_of("draw") == ([{"seat": 1, "cards": cards[:n]}] if n else [])


@pytest.mark.rule("V9")
def test_of_a_deck_that_runs_short_there_are_fewer() -> None:
    table = Table()
    table.deck("2D", "KC")
    table.start_turn()
    assert sorted(table.in_hand(0)) == ["2D", "KC"]
    table.start_turn(1)
    assert table.in_hand(1) == []
    assert len(table.told_of("draw")) == 1


@pytest.mark.rule("V9", "V10")
def test_cards_put_under_the_deck_are_drawn_after_all_others() -> None:
    table = Table(SimplePolicy())
    table.hand(0, "KC")
    table.deck("2D", "3D")
    table.combine()
    assert table.in_deck() == ["2D", "3D", "KC"]
    table.start_turn(1)
    assert table.told_of("draw") == [{"seat": 2, "cards": ["2D", "3D", "KC"]}]


@pytest.mark.rule("V10")
@pytest.mark.parametrize("policy", [SimplePolicy(), ExpertPolicy(), RandomPolicy()])
@pytest.mark.parametrize("face", ["J", "Q", "K"])
def test_a_face_card_gives_a_token_alone_and_wastes_nothing(policy: Any, face: str) -> None:
    table = Table(policy)
    table.hand(0, f"{face}H")
    table.combine()
    assert table.purse(0) == {"charisma": 1}
    assert table.in_hand(0) == []
    assert table.in_deck() == [f"{face}H"]
    assert (table.counted("tokens_earned"), table.counted("wasted")) == (1, 0)
    assert table.told_of("combine") == [
        {"seat": 1, "cards": [f"{face}H"], "token": "charisma", "wasted": 0}
    ]


@pytest.mark.rule("V10")
def test_a_face_card_adds_nothing_to_a_set() -> None:
    table = Table(SimplePolicy())
    table.supply(charisma=1)
    table.hand(0, "KH", "9H")
    table.combine()
    assert table.in_hand(0) == ["9H"]


@pytest.mark.rule("V10")
@pytest.mark.parametrize(
    ("hand", "used", "wasted", "left"),
    [
        ("10D", "10D", 0, ""),
        ("9D AD", "9D AD", 0, ""),
        ("9D", "", None, "9D"),
        ("5D 4D", "", None, "4D 5D"),
        ("5D 5C", "", None, "5D 5C"),
        ("6D 2D 4D", "6D 4D", 0, "2D"),
        ("9D 8D 2D", "9D 2D", 1, "8D"),
        ("7D 7D 2D", "7D 7D", 4, "2D"),
        ("4D 3D 2D AD", "4D 3D 2D AD", 0, ""),
        ("4D 4D 3D AD", "4D 4D 3D", 1, "AD"),
        ("8D 3D 2D 2D", "8D 2D", 0, "2D 3D"),
    ],
)
def test_simple_takes_the_highest_then_the_lowest_that_closes_the_gap_or_the_highest_left(
    hand: str, used: str, wasted: int | None, left: str
) -> None:
    table = Table(SimplePolicy())
    table.hand(0, *hand.split())
    table.combine()
    told = table.told_of("combine")
    if used:
        assert [line["cards"] for line in told] == [used.split()]
        assert (told[0]["wasted"], table.counted("wasted")) == (wasted, wasted)
    else:
        assert told == []
    assert table.in_hand(0) == left.split()
    assert table.in_deck() == used.split()


@pytest.mark.rule("V10")
def test_simple_combines_a_suit_as_long_as_it_suffices() -> None:
    table = Table(SimplePolicy())
    table.hand(0, "10C", "9C", "9C", "2C", "AC", "8C")
    table.combine()
    assert [line["cards"] for line in table.told_of("combine")] == [
        ["10C"],
        ["9C", "AC"],
        ["9C", "2C"],
    ]
    assert table.in_hand(0) == ["8C"]
    assert table.purse(0) == {"brawn": 3}


@pytest.mark.rule("V10")
def test_simple_combines_faces_first_in_the_order_spades_clubs_hearts_diamonds() -> None:
    table = Table(SimplePolicy())
    table.hand(0, *(rank + suit for suit in "DHCS" for rank in ("10", "K", "J", "Q")))
    table.combine()
    faces = [rank + suit for suit in "SCHD" for rank in "JQK"]
    assert table.in_deck() == [*faces, "10S", "10C", "10H", "10D"]
    assert [line["cards"] for line in table.told_of("combine")] == [[n] for n in table.in_deck()]


@pytest.mark.rule("V10")
@pytest.mark.parametrize(("ace", "used", "wasted"), [(1, ["9D", "AD"], 0), (11, ["AD"], 1)])
def test_an_ace_counts_1_or_11_by_the_rules(ace: int, used: list[str], wasted: int) -> None:
    table = Table(SimplePolicy(), ace_value=ace)
    table.hand(0, "9D", "AD")
    table.combine()
    assert table.told_of("combine") == [
        {"seat": 1, "cards": used, "token": "audacity", "wasted": wasted}
    ]


@pytest.mark.rule("V10")
def test_an_ace_of_11_is_the_highest_card_and_the_last_to_close_a_gap() -> None:
    table = Table(SimplePolicy(), ace_value=11, combine_at=20)
    table.hand(0, "10D", "9D", "AD")
    table.combine()
    assert table.in_deck() == ["AD", "9D"]


@pytest.mark.rule("V10")
@pytest.mark.parametrize(("at", "tokens"), [(5, 2), (10, 1), (12, 1), (13, 0)])
def test_what_a_set_must_add_up_to_is_a_rule(at: int, tokens: int) -> None:
    table = Table(SimplePolicy(), combine_at=at)
    table.hand(0, "7S", "5S")
    table.combine()
    assert table.purse(0).get("stealth", 0) == tokens
    assert table.counted("wasted") == max(0, 12 - tokens * at) * (tokens > 0)


@pytest.mark.rule("V10")
def test_a_random_seat_may_keep_cards_that_would_give_a_token() -> None:
    for answer, left in ((0, ["10D"]), (1, [])):
        table = Table()
        table.hand(0, "10D")
        table.says(0, answer)
        table.combine()
        assert table.in_hand(0) == left


@pytest.mark.rule("V10")
@pytest.mark.parametrize(
    ("hand", "used", "wasted"),
    [
        ("9D 8D 2D", {"8D", "2D"}, 0),
        ("7D 6D 5D 4D", {"6D", "4D"}, 0),
        ("9D 5D 3D AD", {"9D", "AD"}, 0),
        ("8D 7D 6D", {"7D", "6D"}, 3),
    ],
)
def test_the_expert_finds_the_set_that_wastes_least(hand: str, used: set[str], wasted: int) -> None:
    table = expert_table({"waste": 9})
    table.hand(0, *hand.split())
    table.combine()
    first = table.told_of("combine")[0]
    assert (set(first["cards"]), first["wasted"]) == (used, wasted)


@pytest.mark.rule("V10")
def test_the_expert_keeps_cards_that_would_waste_more_than_its_knob_allows() -> None:
    for waste, tokens in ((2, 0), (3, 1)):
        table = expert_table({"waste": waste})
        table.hand(0, "8D", "7D", "6D")
        table.combine()
        assert table.state.tokens[0] == tokens


@pytest.mark.rule("V11")
def test_a_turn_ends_with_one_of_acting_breaking_and_passing() -> None:
    actions = [card("gain_tokens", copies=9)]
    for seed in range(300):
        table = Table(actions=actions, first_break_needs_partner=False)
        table.vault(1, 2, 3)
        table.tokens(0, stealth=2)
        table.holds(0, action="gain_tokens")
        table.state.coins[0] = seed
        table.choose()
        assert sum(kind in ("act", "break", "pass") for kind in table.kinds()) == 1
        assert table.state.seat == 1
        assert table.state.phase == layout.TURN_START


@pytest.mark.rule("V11")
def test_a_random_seat_does_each_of_the_three() -> None:
    found = set()
    for seed in range(60):
        table = Table(actions=[card("gain_tokens")], first_break_needs_partner=False)
        table.tokens(0, stealth=1)
        table.holds(0, action="gain_tokens")
        table.state.coins[0] = seed
        table.choose()
        found.add(table.kinds()[0])
    assert found == {"act", "break", "pass"}


@pytest.mark.rule("V11")
def test_a_seat_with_no_action_and_no_token_passes() -> None:
    for policy in (SimplePolicy(), ExpertPolicy(), RandomPolicy()):
        table = Table(policy)
        table.tokens(1, stealth=9)
        table.choose()
        assert table.told() == [{"event": "pass", "seat": 1}]


@pytest.mark.rule("V11", "E9")
@pytest.mark.parametrize(
    ("cost", "can"),
    [
        ({}, True),
        ({"stealth": 2}, True),
        ({"stealth": 3}, False),
        ({"brawn": 1}, True),
        ({"audacity": 1}, False),
        ({"any": 3}, True),
        ({"any": 4}, False),
        ({"stealth": 1, "any": 2}, True),
        ({"stealth": 2, "any": 2}, False),
    ],
)
def test_an_action_that_cannot_be_paid_is_not_played(cost: dict[str, int], can: bool) -> None:
    table = Table(
        ExpertPolicy(break_from=99, token=1.0, act_from=-99),
        actions=[card("gain_tokens", cost=cost, amount=8)],
    )
    table.tokens(0, stealth=2, brawn=1)
    table.holds(0, action="gain_tokens")
    table.choose()
    assert table.kinds()[0] == ("act" if can else "pass")
