"""Some policies win on purpose, and lose that edge with what makes it.

One of a kind plays against others of another kind; every deal is played once for each seat that the
one can have, so that its share of the wins is 1 by the number of players if it plays as they do.
"""

from functools import cache
from typing import Any

import numpy as np
import pytest

from balance.games.bank import BANK, BankRules, BlufferPolicy, CounterPolicy, ExpertPolicy
from balance.rotation import Rotated
from tests.bank_random import POLICIES

SEED = 1
ROUNDS = 1000  # deals, each played once a seat
CLEARLY = 4.0  # standard errors
OTHER_RULES: dict[str, dict[str, Any]] = {
    "published": {"specials": "published", "after_robbery": "keep_money", "credit_to": 10},
    "lost": {"stake_on_shortfall": "lost"},
    "three seats": {"players": 3},
    "five seats": {"players": 5},
}
WEAKER = ("random", "simple", "timid", "greedy", "bluffer", "counter", "equilibrium")


PLAYERS: dict[str, Any] = {
    **POLICIES,
    "shuffled expert": ExpertPolicy(shuffled=True),
    "expert that plays by lot": ExpertPolicy(bluffing=False),
    "bluffer that plays by lot": BlufferPolicy(bluffing=False),
    "expert that does not count": ExpertPolicy(counting=False),
    "bluffer that does not count": BlufferPolicy(counting=False),
    "counter that does not count": CounterPolicy(counting=False),
}


@cache
def shares(one: str, others: str, **rules: Any) -> Any:
    """In each round of games, the share of the wins (float64) of one among others.

    Policies are named as in PLAYERS.
    """
    given = BankRules(**rules)
    game = Rotated(BANK, given.players)
    players = [PLAYERS[one], *[PLAYERS[others]] * (given.players - 1)]
    rows = np.zeros((ROUNDS, len(game.columns)), np.int32)
    game.pack(given, players).play(SEED, 0, rows)
    assert game.columns[0].name == "policy_share.1"
    return rows[:, 0] / game.columns[0].scale


def errors_over(values: Any, than: float) -> float:
    """By how many standard errors the mean of these independent values is over a number."""
    error = values.std(ddof=1) / len(values) ** 0.5
    return float((values.mean() - than) / max(error, 1 / len(values)))  # none where all are equal


@pytest.mark.parametrize("others", WEAKER)
def test_expert_wins_more_than_its_part_among_others(others: str) -> None:
    """By 4 standard errors at least, in 1000 rounds of 4 games."""
    assert errors_over(shares("expert", others), 1 / 4) > CLEARLY


@pytest.mark.parametrize("others", WEAKER)
@pytest.mark.parametrize("rules", OTHER_RULES)
def test_expert_wins_more_than_its_part_under_other_rules(others: str, rules: str) -> None:
    given = OTHER_RULES[rules]
    wins = shares("expert", others, **given)
    assert errors_over(wins, 1 / given.get("players", 4)) > CLEARLY


def test_one_of_a_kind_among_its_own_wins_its_part_exactly() -> None:
    assert (shares("expert", "expert") == 1 / 4).all()


def test_expert_loses_its_edge_when_its_beliefs_are_of_other_banks() -> None:
    among_experts = shares("shuffled expert", "expert")
    assert errors_over(among_experts, 1 / 4) < -CLEARLY
    assert errors_over(shares("expert", "shuffled expert"), 1 / 4) > CLEARLY


def test_expert_with_shuffled_beliefs_is_worse_against_counters_on_the_same_deals() -> None:
    true, shuffled = shares("expert", "counter"), shares("shuffled expert", "counter")
    assert errors_over(true - shuffled, 0.0) > CLEARLY
    assert errors_over(shuffled, 1 / 4) < -CLEARLY


@pytest.mark.parametrize(
    ("without", "player"),
    [
        ("bluffer that plays by lot", "bluffer"),
        ("expert that does not count", "expert"),
        ("bluffer that does not count", "bluffer"),
        ("counter that does not count", "counter"),
    ],
)
def test_a_policy_is_worse_without_what_it_uses(without: str, player: str) -> None:
    """One among three that are as it would be with it."""
    assert errors_over(shares(without, player), 1 / 4) < -CLEARLY


@pytest.mark.parametrize("player", ["random", "simple", "timid", "greedy", "equilibrium"])
def test_counting_changes_nothing_for_a_policy_that_does_not_count(player: str) -> None:
    """With a choice of action, `greedy` and `equilibrium` do go by it when they rob."""
    policy = POLICIES[player]
    other = policy.model_copy(update={"counting": False})
    assert (outcomes(policy, {}) == outcomes(other, {})).all()
    same = (outcomes(policy, "choose") == outcomes(other, "choose")).all()
    assert same == (player not in ("greedy", "equilibrium"))


@pytest.mark.parametrize("player", ["random", "simple"])
@pytest.mark.parametrize("tiles", [{}, "choose"])
def test_bluffing_changes_nothing_for_a_policy_that_plays_by_lot(player: str, tiles: Any) -> None:
    policy = POLICIES[player]
    other = policy.model_copy(update={"bluffing": False})
    assert (outcomes(policy, tiles) == outcomes(other, tiles)).all()


@pytest.mark.parametrize("player", ["timid", "greedy", "bluffer", "counter", "expert"])
@pytest.mark.parametrize("tiles", [{}, "choose"])
def test_beliefs_of_other_banks_matter_only_to_those_who_stake_by_them(
    player: str, tiles: Any
) -> None:
    policy = POLICIES[player]
    other = policy.model_copy(update={"shuffled": True})
    same = (outcomes(policy, tiles) == outcomes(other, tiles)).all()
    assert same == (policy.by_belief == 0.0)


def outcomes(policy: Any, tiles: Any) -> Any:
    """What comes of some games of three such players and an expert."""
    rows = np.zeros((200, len(BANK.columns)), np.int32)
    players = [policy, POLICIES["expert"], policy, policy]
    BANK.pack(BankRules(tiles=tiles), players).play(SEED, 0, rows)
    return rows
