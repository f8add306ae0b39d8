"""Set-up (V1-V6): the decks, the deal, and what a scenario may ask for."""

from collections import Counter
from math import sqrt
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from balance.games.vault import VAULT, RandomPolicy, SimplePolicy, VaultRules
from balance.values import explain
from kernels.vault import layout
from tests.vault_tables import Table, card

DEALS = 20
STANDARD_ERRORS = 4
DECK = [f"{rank}{suit}" for suit in "DCHS" for rank in (*"A23456789", "10", *"JQK")]


def deal(rollout: int, **rules: Any) -> dict[str, Any]:
    """The decks of a rollout, from their tops, and the hands that were dealt of them."""
    model = VaultRules(**{"max_turns": 1, **rules})
    told = VAULT.pack(model, [SimplePolicy()] * model.players).trace(7, rollout)
    dealt = dict(told[0])
    dealt["hands"] = [line["cards"] for line in told if line["event"] == "hand"]
    dealt["first"] = next(line["seat"] for line in told if line["event"] == "turn")
    return dealt


def refused(**rules: Any) -> str:
    """The line that says why these rules cannot be."""
    with pytest.raises(ValidationError) as caught:
        VaultRules(**rules)
    (error,) = caught.value.errors()
    message = explain(error)
    assert "\n" not in message
    return ".".join(str(part) for part in (*error["loc"], message))


@pytest.mark.rule("V1")
@pytest.mark.parametrize("players", range(2, 7))
def test_two_to_six_seats_play(players: int) -> None:
    assert len(deal(0, players=players)["hands"]) == players
    assert VAULT.seats(VaultRules(players=players)) == players


@pytest.mark.rule("V1")
def test_four_seats_are_the_default() -> None:
    assert len(deal(0)["hands"]) == 4


@pytest.mark.rule("V2")
def test_the_training_deck_is_two_decks_of_52_without_jokers() -> None:
    for rollout in range(DEALS):
        assert Counter(deal(rollout)["training"]) == Counter(DECK * 2)


@pytest.mark.rule("V2")
@pytest.mark.parametrize("decks", [1, 3, 8])
def test_how_many_training_decks_there_are_is_a_rule(decks: int) -> None:
    assert Counter(deal(0, training_decks=decks)["training"]) == Counter(DECK * decks)


@pytest.mark.rule("V2")
@pytest.mark.parametrize("start_cards", [5, 0, 3])
def test_hands_come_off_the_top_of_the_deck_seat_after_seat(start_cards: int) -> None:
    for rollout in range(DEALS):
        dealt = deal(rollout, start_cards=start_cards, players=3)
        cards = [name for names in dealt["hands"] for name in names]
        assert [len(names) for names in dealt["hands"]] == [start_cards] * 3
        assert cards == dealt["training"][: 3 * start_cards]


@pytest.mark.rule("V2")
def test_every_suit_is_on_top_of_the_training_deck_equally_often() -> None:
    """n = 1200 deals, every suit within four standard errors of 1/4."""
    n = 1200
    tops = Counter(deal(rollout)["training"][0][-1] for rollout in range(n))
    error = sqrt(n * (1 / 4) * (3 / 4))
    assert set(tops) == set("DCHS")
    assert all(abs(found - n / 4) < STANDARD_ERRORS * error for found in tops.values())


@pytest.mark.rule("V3")
@pytest.mark.parametrize("rules", [{}, {"tokens_each": 3}, {"tokens_each": 0}])
def test_so_many_tokens_of_each_colour_lie_in_the_supply(rules: dict[str, int]) -> None:
    each = rules.get("tokens_each", 20)
    assert Table(**rules).state.supply.tolist() == [each] * 4


@pytest.mark.rule("V3")
def test_diamonds_clubs_hearts_and_spades_are_audacity_brawn_charisma_and_stealth() -> None:
    for suit, colour in zip("DCHS", ("audacity", "brawn", "charisma", "stealth"), strict=True):
        table = Table()
        table.hand(0, "K" + suit)
        table.combine()
        assert table.purse(0) == {colour: 1}
        assert table.left() == {"audacity": 20, "brawn": 20, "charisma": 20, "stealth": 20} | {
            colour: 19
        }


@pytest.mark.rule("V3")
def test_a_colour_that_has_run_out_gives_no_token_and_takes_no_card() -> None:
    table = Table(SimplePolicy())
    table.supply(stealth=0, brawn=1)
    table.hand(0, "KS", "10S", "JC", "QC", "10C")
    table.combine()
    assert table.purse(0) == {"brawn": 1}
    assert table.in_hand(0) == ["10C", "QC", "10S", "KS"]


@pytest.mark.rule("V4")
@pytest.mark.parametrize(
    ("rules", "values"),
    [
        ({}, sorted([1, 2, 3, 4, 5, 6] * 3)),
        ({"loot": {0: 1, 7: 2}}, [0, 7, 7]),
        ({"loot": {"4": 2, "2": 0}}, [4, 4]),
    ],
)
def test_the_vault_holds_the_loot_cards_of_the_rules(
    rules: dict[str, Any], values: list[int]
) -> None:
    for rollout in range(3):
        assert sorted(deal(rollout, **rules)["loot"]) == values


@pytest.mark.rule("V4")
def test_every_loot_card_is_on_top_of_the_vault_equally_often() -> None:
    """n = 1200 deals, every value within four standard errors of 1/6."""
    n = 1200
    tops = Counter(deal(rollout)["loot"][0] for rollout in range(n))
    error = sqrt(n * (1 / 6) * (5 / 6))
    assert set(tops) == {1, 2, 3, 4, 5, 6}
    assert all(abs(found - n / 6) < STANDARD_ERRORS * error for found in tops.values())


@pytest.mark.rule("V5")
def test_without_cards_there_are_no_action_and_reaction_decks_and_nothing_to_play() -> None:
    for rollout in range(DEALS):
        told = VAULT.pack(VaultRules(max_turns=40), [RandomPolicy()] * 4).trace(3, rollout)
        assert not {"actions", "reactions"} & set(told[0])
        kinds = {line["event"] for line in told}
        assert not kinds & {"draw_actions", "draw_reactions", "act", "react"}


@pytest.mark.rule("V5")
def test_the_decks_of_a_scenario_are_shuffled_copies_of_its_cards() -> None:
    actions = [card("gain_tokens", copies=3), card("peek_loot")]
    reactions = [card("add_to_roll", "on_any_break", copies=2), card("protect", "on_targeted")]
    dealt = [deal(rollout, actions=actions, reactions=reactions) for rollout in range(DEALS)]
    for decks in dealt:
        assert Counter(decks["actions"]) == {"gain_tokens": 3, "peek_loot": 1}
        assert Counter(decks["reactions"]) == {"add_to_roll": 2, "protect": 1}
    assert len({tuple(decks["actions"]) for decks in dealt}) == 4
    assert len({tuple(decks["reactions"]) for decks in dealt}) == 3


@pytest.mark.rule("V6")
@pytest.mark.parametrize("players", [2, 4, 6])
def test_seat_1_starts_and_play_goes_clockwise(players: int) -> None:
    assert deal(0, players=players)["first"] == 1
    table = Table(SimplePolicy(), players=players, max_turns=2 * players)
    table.play(layout.TURN_START, layout.OVER)
    turns = [line["seat"] for line in table.told_of("turn")]
    assert turns == [*range(1, players + 1)] * 2


@pytest.mark.rule("V1", "V2", "V3", "V4")
@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"players": 1}, "players.must be 2 or more (got 1)"),
        ({"players": 7}, "players.must be 6 or less (got 7)"),
        ({"players": 2.5}, "players.must be a whole number (got 2.5)"),
        ({"training_decks": 0}, "training_decks.must be 1 or more (got 0)"),
        ({"training_decks": 9}, "training_decks.must be 8 or less (got 9)"),
        ({"start_cards": -1}, "start_cards.must be 0 or more (got -1)"),
        ({"start_cards": 21}, "start_cards.must be 20 or less (got 21)"),
        (
            {"players": 6, "start_cards": 9, "training_decks": 1},
            "start_cards: 9 for each of 6 players are more than the 52 training cards",
        ),
        ({"tokens_each": -1}, "tokens_each.must be 0 or more (got -1)"),
        ({"tokens_each": 501}, "tokens_each.must be 500 or less (got 501)"),
        ({"loot": {}}, "loot: must be 1 to 120 cards in all"),
        ({"loot": {3: 0}}, "loot: must be 1 to 120 cards in all"),
        ({"loot": {3: 100, 4: 21}}, "loot: must be 1 to 120 cards in all"),
        ({"loot": [3, 4]}, "loot.must be a mapping of keys to values (got [3, 4])"),
        ({"loot": {-1: 2}}, "loot.-1.[key].must be 0 or more (got -1)"),
        ({"loot": {3: -2}}, "loot.3.must be 0 or more (got -2)"),
    ],
)
def test_a_set_up_that_cannot_be_is_refused(rules: dict[str, Any], message: str) -> None:
    assert refused(**rules) == message


@pytest.mark.rule("V9", "V10", "V12", "V13", "V15", "V16", "V17", "V19", "V21")
@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"draw": -1}, "draw.must be 0 or more (got -1)"),
        ({"draw": 21}, "draw.must be 20 or less (got 21)"),
        ({"combine_at": 0}, "combine_at.must be 1 or more (got 0)"),
        ({"combine_at": 61}, "combine_at.must be 60 or less (got 61)"),
        ({"ace_value": 5}, "ace_value.must be 1 or 11 (got 5)"),
        ({"dice": 0}, "dice.must be 1 or more (got 0)"),
        ({"dice": 13}, "dice.must be 12 or less (got 13)"),
        ({"dice_limit": "seat"}, "dice_limit.must be player or table (got seat)"),
        (
            {"first_break_needs_partner": 1},
            "first_break_needs_partner.must be true or false (got 1)",
        ),
        ({"thresholds": []}, "thresholds.must have at least 1 entry"),
        ({"thresholds": [9] * 11}, "thresholds.must have at most 10 entries"),
        ({"thresholds": [10, 0]}, "thresholds.1.must be 1 or more (got 0)"),
        ({"thresholds": [401]}, "thresholds.0.must be 400 or less (got 401)"),
        ({"loot_per_break": -1}, "loot_per_break.must be 0 or more (got -1)"),
        ({"loot_per_break": 13}, "loot_per_break.must be 12 or less (got 13)"),
        ({"failure_hits": "all"}, "failure_hits.must be breaker or everyone (got all)"),
        ({"reveal_at": 0}, "reveal_at.must be 1 or more (got 0)"),
        ({"reveal_at": 10_001}, "reveal_at.must be 10000 or less (got 10001)"),
        ({"max_turns": 0}, "max_turns.must be 1 or more (got 0)"),
        ({"max_turns": 100_001}, "max_turns.must be 100000 or less (got 100001)"),
    ],
)
def test_a_rule_out_of_bounds_is_refused(rules: dict[str, Any], message: str) -> None:
    assert refused(**rules) == message


@pytest.mark.rule("V5", "E2")
@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"actions": [card("gain_tokens"), card("gain_tokens")]}, "actions: gain_tokens stands"),
        ({"reactions": [card("protect", "on_targeted")] * 2}, "reactions: protect stands there"),
        ({"actions": [card("peek_loot", name=str(n)) for n in range(33)]}, "actions.must have at"),
        (
            {"actions": [card("peek_loot", name=str(n), copies=16) for n in range(4)]},
            "actions: must be 63 cards at most",
        ),
        ({"actions": [card("peek_loot", copies=0)]}, "actions.0.copies.must be 1 or more (got 0)"),
        ({"actions": [card("peek_loot", copies=21)]}, "actions.0.copies.must be 20 or less"),
        ({"actions": [card("peek_loot", amount=0)]}, "actions.0.amount.must be 1 or more (got 0)"),
        ({"actions": [card("peek_loot", amount=9)]}, "actions.0.amount.must be 8 or less (got 9)"),
        ({"actions": [card("peek_loot", cost={"any": 21})]}, "actions.0.cost.any.must be 20 or"),
        ({"actions": [card("steal_vault")]}, "actions.0.effect.must be gain_tokens, steal_token"),
        ({"actions": [card("steal_loot")]}, "actions.0.steal_loot: steal_loot needs a target"),
        (
            {"actions": [card("peek_loot", target="left")]},
            "actions.0.peek_loot: peek_loot takes no target",
        ),
        (
            {"actions": [card("steal_loot", target="poorest")]},
            "actions.0.target.must be leader, richest, random, left or right (got poorest)",
        ),
        (
            {"actions": [card("skip_player", target="left", amount=2)]},
            "actions.0.skip_player: skip_player takes no amount",
        ),
        ({"actions": [card("extra_die")]}, "actions.0.extra_die: extra_die is for reactions"),
        ({"reactions": [card("peek_loot")]}, "reactions.0.when.is missing"),
        (
            {"reactions": [card("protect", "on_action")]},
            "reactions.0.protect: protect is used on_targeted (got on_action)",
        ),
        (
            {"reactions": [card("peek_loot", "on_tuesdays")]},
            "reactions.0.when.must be on_targeted, on_any_break, on_my_failure or on_action",
        ),
    ],
)
def test_a_card_that_cannot_be_is_refused(rules: dict[str, Any], message: str) -> None:
    assert refused(**rules).startswith(message)


@pytest.mark.rule("V1")
def test_the_outcome_has_no_columns_for_seats_and_thresholds_that_are_not_there() -> None:
    absent = VAULT.absent(VaultRules(players=2, thresholds=[10, 20]))
    assert {"vp.3", "win_share.6", "loot.5", "attempts_at.3", "break_rate.10"} <= set(absent)
    assert not {"vp.2", "win_share.1", "attempts_at.2", "break_rate.2"} & set(absent)
    packed = VAULT.pack(VaultRules(players=2), [SimplePolicy()] * 2)
    outcomes = np.zeros((20, len(VAULT.columns)), np.int32)
    packed.play(1, 0, outcomes)
    names = [column.name for column in VAULT.columns]
    for seat in range(3, 7):
        assert not outcomes[:, names.index(f"vp.{seat}")].any()
        assert not outcomes[:, names.index(f"win_share.{seat}")].any()
