"""Stakes and coins in a game, what is left after a robbery, the end of the game and its score."""

from typing import Any

import numpy as np
import pytest

from balance.games.bank import BANK, BankRules, RandomPolicy
from tests.bank_tables import Table, planner

KEEP: dict[str, Any] = {"after_robbery": "keep_money"}
REFILL: dict[str, Any] = {"after_robbery": "refill"}
FLAGS = ("paid", "short", "guarded", "thieved", "ladies")


def counts(table: Table) -> dict[str, int]:
    """The counted outcomes of robberies that are not 0."""
    names = (*FLAGS, "coins_paid", "coins_thieved", "rewards", "coins_lost", "pot", "stakes")
    found = {name: table.counted(name) for name in names}
    return {name: n for name, n in found.items() if n}


def random_stakes(table: Table, bank: int = 0, trials: int = 300) -> list[set[int]]:
    """All stakes by seat that random players come by."""
    found: list[set[int]] = [set() for _ in range(table.model.players)]
    start = table.states.copy()
    for seed in range(trials):
        table.states[:] = start
        table.seed(seed)
        table.rob(0, bank)
        for seat, stakes in enumerate(found):
            stakes.add(int(table.state.stake[seat]))
    return found


@pytest.mark.rule("K10")
def test_everybody_stakes_from_nothing_to_all_of_her_coins() -> None:
    table = Table()
    table.coins(5, 0, 1, 3)
    table.bank(0, "5")
    assert random_stakes(table) == [set(range(6)), {0}, {0, 1}, set(range(4))]


@pytest.mark.rule("K10")
def test_the_pot_is_the_money_of_the_bank_and_all_its_cards_are_shown() -> None:
    table = Table()
    table.bank(1, "10", "5^", "judge", "2")
    table.rob(2, 1, [9, 8, 0, 0])
    (opened,) = table.told_of("open")
    assert opened == {"bank": 2, "cards": ["10", "5", "judge", "2"], "pot": 17}
    assert table.told_of("stakes") == [{"stakes": [9, 8, 0, 0]}]
    assert table.gains() == [9, 8, 0, 0]
    assert table.purse() == [19, 18, 10, 10]


@pytest.mark.rule("K10", "K16")
def test_the_pot_that_is_counted_is_doubled_by_x_that_act_and_by_no_others() -> None:
    deck = {"money": {5: 30}, "multiply": 4}
    for cards, mode, pot in (
        (["5", "multiply"], "simple", 10),
        (["5", "multiply", "multiply", "guard"], "published", 20),
        (["5", "multiply", "lady"], "simple", 5),
        (["5", "multiply", "lady"], "published", 5),
        (["5", "multiply", "lady", "lady"], "published", 10),
        (["5", "multiply", "thief"], "simple", 10),
    ):
        table = Table(deck=deck, specials=mode)
        table.bank(0, *cards)
        table.rob(0, 0, [0, 0, 0, 0])
        assert table.told_of("open")[0]["pot"] == table.counted("pot") == pot


@pytest.mark.rule("K11", "K13")
def test_the_seat_that_robs_is_first_among_equals() -> None:
    for robber in range(4):
        table = Table()
        assert table.robbed("5 5 5 5", "5", robber=robber) == [
            5 if seat == robber else 0 for seat in range(4)
        ]
        (told,) = table.told_of("result")
        assert told["order"] == [(robber + i) % 4 + 1 for i in range(4)]


@pytest.mark.rule("K12")
def test_coins_lost_in_a_shortfall_go_to_the_supply() -> None:
    table = Table(stake_on_shortfall="lost")
    assert table.robbed("1 2 9 0", "4") == [1, 2, -9, 0]
    assert table.purse() == [11, 12, 1, 10]
    assert counts(table) == {"short": 1, "coins_paid": 3, "coins_lost": 9, "pot": 4, "stakes": 12}


@pytest.mark.rule("K14")
def test_rewards_of_a_guard_come_from_the_supply_and_are_counted_apart() -> None:
    table = Table()
    assert table.robbed("0 2 0 1", "5", "guard") == [5, 0, 5, 0]
    assert table.purse() == [15, 10, 15, 10]
    assert counts(table) == {"guarded": 1, "rewards": 10, "pot": 5, "stakes": 3}


@pytest.mark.rule("K15")
def test_what_a_thief_takes_is_gone_and_counted_apart() -> None:
    table = Table(stake_on_shortfall="lost")
    assert table.robbed("0 2 10 1", "5", "thief") == [0, -2, -10, -1]
    assert table.purse() == [10, 8, 0, 9]
    assert counts(table) == {"thieved": 1, "coins_thieved": 13, "pot": 5, "stakes": 13}


@pytest.mark.rule("K14", "K15")
def test_a_guard_and_a_thief_count_as_both() -> None:
    table = Table()
    assert table.robbed("0 2 0 1", "5", "guard", "thief") == [5, -2, 5, -1]
    assert counts(table) == {
        "guarded": 1,
        "thieved": 1,
        "coins_thieved": 3,
        "rewards": 10,
        "pot": 5,
        "stakes": 3,
    }


@pytest.mark.rule("K17")
def test_an_acting_lady_is_counted_even_with_nothing_to_cancel() -> None:
    table = Table()
    table.robbed("1 2 0 0", "5", "lady")
    table.robbed("1 9 0 0", "5", "lady", "lady", "thief")
    table.robbed("1 2 0 0", "5")
    assert (table.counted("ladies"), table.counted("paid"), table.counted("short")) == (2, 2, 1)
    table = Table(specials="published")
    table.robbed("1 2 0 0", "5", "lady", "lady")
    assert table.counted("ladies") == 0


@pytest.mark.rule("K11")
def test_a_robbery_ends_paid_if_the_pot_is_empty_or_nobody_staked() -> None:
    table = Table()
    table.robbed("1 2 0 0", "judge")
    table.robbed("0 0 0 0", "5")
    table.robbed("2 3 0 0", "5")
    table.robbed("2 4 0 0", "5")
    assert [table.counted(name) for name in FLAGS] == [3, 1, 0, 0, 0]
    assert table.counted("robberies") == 4


@pytest.mark.rule("K19")
@pytest.mark.parametrize("stakes", ["0 0 0 0", "1 0 0 0", "9 9 9 9"])
def test_by_default_all_cards_of_a_robbed_bank_leave_the_game(stakes: str) -> None:
    table = Table()
    table.deck("10", "10")
    table.robbed(stakes, "5", "3^", "judge", "5")
    assert table.at_bank(0) == []
    assert table.state.gone[table.cards.index("5")] == 2
    assert table.state.gone[table.cards.index("judge")] == 1
    assert table.in_deck() == ["10", "10"]
    assert "kept" not in table.kinds()


@pytest.mark.rule("K19")
@pytest.mark.parametrize(
    ("stakes", "specials", "kept"),
    [
        ("0 0 0 0", "", True),  # nothing was paid
        ("9 9 9 9", "", True),
        ("9 1 9 9", "judge", True),
        ("1 9 9 9", "", False),  # a coin was paid
        ("0 1 2 9", "guard", True),
        ("0 1 2 9", "thief", False),
        ("0 0 0 0", "thief", False),
        ("0 1 0 0", "guard thief", False),
        ("0 9 0 0", "lady thief", True),
        ("0 1 0 0", "lady guard", False),
    ],
)
def test_money_is_kept_face_up_if_nothing_was_paid_and_no_thief_acted(
    stakes: str, specials: str, kept: bool
) -> None:
    table = Table(**KEEP)
    table.robbed(stakes, "5", *specials.split(), "2^")
    assert table.at_bank(0) == (["5^", "2^"] if kept else [])
    assert table.told_of("kept") == ([{"bank": 1, "cards": ["5", "2"]}] if kept else [])


@pytest.mark.rule("K18", "K19")
def test_under_published_a_thief_out_by_a_judge_leaves_the_money() -> None:
    table = Table(**KEEP, specials="published")
    table.robbed("9 9 9 9", "5", "judge", "thief")
    assert table.at_bank(0) == ["5^"]
    table.rob(0, 0, [9, 9, 9, 9])
    assert table.at_bank(0) == ["5^"]
    assert table.told_of("open")[1] == {"bank": 1, "cards": ["5"], "pot": 5}


@pytest.mark.rule("K19")
def test_specials_leave_even_where_money_is_kept() -> None:
    table = Table(**KEEP)
    table.robbed("0 0 0 0", "judge", "guard^", "lady")
    assert table.at_bank(0) == []
    assert "kept" not in table.kinds()


@pytest.mark.rule("K19")
def test_kept_money_is_in_the_pot_of_the_next_robbery() -> None:
    table = Table(**KEEP)
    table.robbed("9 9 9 9", "5", "judge")
    table.bank(0, "3")
    assert table.at_bank(0) == ["5^", "3"]
    table.rob(0, 0, [8, 0, 0, 0])
    assert table.gains() == [8, 0, 0, 0]
    assert table.at_bank(0) == []


@pytest.mark.rule("K19")
def test_refill_deals_one_card_face_down_if_the_deck_has_one() -> None:
    table = Table(**REFILL)
    table.deck("thief", "4")
    table.robbed("1 2 0 0", "5", "3^")
    assert table.at_bank(0) == ["thief"]
    assert table.told_of("refill") == [{"bank": 1, "card": "thief"}]
    assert table.in_deck() == ["4"]
    table.deck()
    table.rob(0, 0, [0, 0, 0, 0])
    assert table.at_bank(0) == []
    assert len(table.told_of("refill")) == 1


@pytest.mark.rule("K19")
@pytest.mark.parametrize("rules", [{}, KEEP])
def test_nothing_is_dealt_without_refill(rules: dict[str, Any]) -> None:
    table = Table(**rules)
    table.robbed("1 2 0 0", "5", "3^")
    assert table.at_bank(0) == []
    assert len(table.in_deck()) == 1


@pytest.mark.rule("K6", "K19")
@pytest.mark.parametrize("rules", [{}, KEEP, REFILL])
def test_what_was_seen_of_a_robbed_bank_is_no_knowledge_of_what_comes_after(
    rules: dict[str, Any],
) -> None:
    table = Table(**rules)
    table.bank(0, "5", "thief", seen=[(1, 0), (2, 1)])
    table.rob(0, 0, [0, 0, 0, 0])
    table.bank(0, "3", "3")
    assert not any(table.knows(seat, 0) for seat in range(4))


def nearly_over(**rules: Any) -> Table:
    """The deck is empty, seat 1 is about to play its last card; three banks hold cards."""
    table = Table(**rules)
    table.stakes(1, 1, 1, 1)
    table.deck()
    for seat in (0, 2, 3):
        table.hand(seat, "5")
    table.hand(1, "2")
    table.bank(1, "3", "3")
    table.bank(3, "2")
    table.bank(4, "judge")
    return table


@pytest.mark.rule("K20")
def test_with_the_deck_empty_play_goes_on_until_a_hand_is_empty() -> None:
    table = nearly_over()
    table.turn(1, "look")
    assert not table.over
    table.turn(1, "play")
    assert table.over


@pytest.mark.rule("K20")
def test_an_empty_hand_does_not_end_the_game_while_the_deck_has_cards() -> None:
    table = nearly_over()
    table.deck("5", "5", "5")
    table.state.cards[3] = 0
    table.turn(1, "play")
    assert not table.over


@pytest.mark.rule("K20")
def test_any_seats_empty_hand_ends_the_game_at_the_end_of_a_turn() -> None:
    table = nearly_over()
    table.state.cards[3] = 0
    table.turn(0, "look")
    assert table.over


@pytest.mark.rule("K20")
def test_at_the_end_the_banks_that_hold_cards_are_robbed_from_1_to_5() -> None:
    table = nearly_over()
    table.turn(1, "look", "look")
    table.state.cards[1] = 0
    table.turn(2, "look")
    told = table.told_of("rob")
    assert told == [{"seat": 3, "bank": bank, "final": True} for bank in (2, 4, 5)]
    assert table.over
    assert all(table.at_bank(bank) == [] for bank in range(5))


@pytest.mark.rule("K13", "K20")
def test_in_the_final_robberies_ties_go_from_the_player_whose_turn_it_was() -> None:
    for seat in range(4):
        table = nearly_over()
        table.state.cards[:4] = 0
        table.turn(seat, "look")
        first = table.told_of("result")[0]["order"]
        assert first == [(seat + i) % 4 + 1 for i in range(4)]
        assert table.told_of("result")[1]["gains"] == [
            1 if (other - seat) % 4 < 2 else 0 for other in range(4)
        ]


@pytest.mark.rule("K20")
def test_final_robberies_count_as_robberies_but_nobody_called_them() -> None:
    table = nearly_over()
    table.turn(1, "play")
    outcome = table.finish()
    assert outcome["robberies"] == len(table.told_of("rob")) >= 3
    assert [outcome[f"robbed.{seat}"] for seat in range(1, 6)] == [0] * 5
    assert outcome["stalled"] == 0


@pytest.mark.rule("K19", "K20")
def test_in_the_final_robberies_nothing_is_refilled_and_each_bank_is_robbed_once() -> None:
    for rules in (REFILL, KEEP):
        table = nearly_over(**rules)
        table.stakes(9, 9, 9, 9)
        table.turn(1, "play")
        banks = [line["bank"] for line in table.told_of("rob")]
        assert banks == sorted(set(banks))
        assert "refill" not in table.kinds()
    table = Table(**REFILL)
    table.bank(0, "5")
    table.rob(0, 0, [0, 0, 0, 0], final=True)
    assert table.at_bank(0) == []
    assert len(table.in_deck()) == 1


@pytest.mark.rule("K19", "K20")
def test_a_refill_that_takes_the_last_card_ends_the_game_if_a_hand_is_empty() -> None:
    table = Table(**REFILL)
    table.stakes(0, 0, 0, 0)
    table.deck("4")
    table.bank(2, "3")
    table.turn(0, "rob")
    assert table.over
    assert [line["bank"] for line in table.told_of("rob")] == [3, 3]


@pytest.mark.rule("K21")
@pytest.mark.parametrize(
    ("coins", "shares"),
    [
        ([3, 9, 8, 8], [0, 60, 0, 0]),
        ([9, 9, 8, 1], [30, 30, 0, 0]),
        ([9, 1, 9, 9], [20, 0, 20, 20]),
        ([4, 4, 4, 4], [15, 15, 15, 15]),
        ([7, 7, 7, 7, 7], [12, 12, 12, 12, 12]),
        ([-3, -2, -2], [0, 30, 30]),
    ],
)
def test_most_coins_win_and_equal_coins_share(coins: list[int], shares: list[int]) -> None:
    table = Table(players=len(coins))
    table.coins(*coins)
    outcome = table.finish()
    assert [outcome[f"win_share.{seat}"] for seat in range(1, len(coins) + 1)] == shares
    assert [outcome[f"coins.{seat}"] for seat in range(1, len(coins) + 1)] == coins


@pytest.mark.rule("K22")
def test_without_credit_a_player_without_coins_stakes_nothing() -> None:
    table = Table()
    table.coins(0, -3, 4, 12)
    table.bank(0, "5")
    assert [max(found) for found in random_stakes(table)] == [0, 0, 4, 12]


@pytest.mark.rule("K22")
def test_with_credit_everybody_may_stake_up_to_its_limit_or_her_coins() -> None:
    table = Table(credit_to=10)
    table.coins(0, -3, 4, 12)
    table.bank(0, "5")
    assert [max(found) for found in random_stakes(table, trials=600)] == [10, 10, 10, 12]
    assert [min(found) for found in random_stakes(table)] == [0, 0, 0, 0]


@pytest.mark.rule("K22")
@pytest.mark.parametrize(
    "policy",
    [planner({"share": 50.0}), planner({"by_belief": 1.0, "by_worth": 1.0, "blur": 1.0})],
    ids=["share", "worth"],
)
def test_planning_players_take_credit_too(policy: Any) -> None:
    for credit, most in ((0, 2), (7, 7)):
        table = Table(policy, credit_to=credit)
        table.coins(2, 2, 2, 2)
        table.bank(0, *["5"] * 9)
        table.rob(0, 0)
        assert int(table.state.stake[0]) == most


@pytest.mark.rule("K21", "K22")
def test_credit_is_taken_off_at_the_end() -> None:
    table = Table(credit_to=10)
    table.coins(2, 2, 12, 3)
    assert table.robbed("10 0 0 0", "5", "thief") == [-10, 0, 0, 0]
    assert table.purse() == [-8, 2, 12, 3]
    outcome = table.finish()
    assert [outcome[f"coins.{seat}"] for seat in range(1, 5)] == [-8, 2, 12, 3]
    assert outcome["win_share.3"] == 60


@pytest.mark.rule("K22")
def test_a_stake_on_credit_that_is_paid_brings_in_as_much() -> None:
    table = Table(credit_to=10)
    table.coins(-5, 0, 0, 0)
    assert table.robbed("8 0 0 0", "10") == [8, 0, 0, 0]
    assert table.purse() == [3, 0, 0, 0]


@pytest.mark.rule("K23")
def test_a_game_over_max_turns_is_stopped_without_final_robberies_and_scored() -> None:
    table = Table(max_turns=5, tiles={"play": 0, "reveal": 0, "rob": 0, "look": 1})
    table.bank(2, "5", "5")
    table.coins(9, 8, 7, 6)
    table.turns(4)
    assert not table.over
    table.turns(1)
    assert table.over
    outcome = table.finish()
    assert (outcome["stalled"], outcome["turns"], outcome["robberies"]) == (1, 5, 0)
    assert outcome["win_share.1"] == 60
    assert table.at_bank(2) == ["5", "5"]


@pytest.mark.rule("K20", "K23")
def test_a_game_that_ends_in_its_last_allowed_turn_is_not_stalled() -> None:
    for turns, stalled in ((1, 0), (2, 0)):
        table = nearly_over(max_turns=turns)
        table.turn(1, "play")
        assert table.finish()["stalled"] == stalled
    table = nearly_over(max_turns=1)
    table.turn(1, "look")
    assert table.over
    assert table.finish()["stalled"] == 1


@pytest.mark.rule("K23")
def test_a_thousand_turns_are_the_default() -> None:
    assert BankRules().max_turns == 1000
    rules = BankRules(tiles={"play": 0, "look": 1, "reveal": 0, "rob": 0})
    names = [column.name for column in BANK.columns]
    outcomes = np.zeros((3, len(names)), np.int32)
    BANK.pack(rules, [RandomPolicy()] * 4).play(1, 0, outcomes)
    assert outcomes[:, names.index("turns")].tolist() == [1000] * 3
    assert outcomes[:, names.index("stalled")].tolist() == [1] * 3
