"""Whole games against the independent twin of `simple` and the independent rule checker."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest

from balance.games.vault import SimplePolicy, VaultRules
from balance.games.vault_cards import EFFECTS
from tests.oracles import vault_checker, vault_simple
from tests.vault_random import (
    POLICIES,
    SEATS,
    Lines,
    any_rules,
    any_table,
    lively_rules,
    traced,
)

SEED = 3
GAMES = 8
RANDOM_GAMES = 20
ROUNDS_OF_RULES = 10
BREAK_AT = (0.5, 0.3, 0.7, 0.5, 0.2, 0.9)
VARIANTS: dict[str, dict[str, Any]] = {
    "base": {},
    "table": {"dice_limit": "table", "max_turns": 120},
    "table, low": {"dice_limit": "table", "thresholds": [8, 10, 12, 14], "players": 3},
    "everyone": {"failure_hits": "everyone"},
    "high ace": {"ace_value": 11},
    "two seats": {"players": 2},
    "six seats": {
        "players": 6,
        "failure_hits": "everyone",
        "dice_limit": "table",
        "max_turns": 200,
    },
    "six seats, short of cards": {"players": 6, "training_decks": 1, "start_cards": 8},
    "few tokens": {"tokens_each": 2},
    "no tokens": {"tokens_each": 0, "max_turns": 30},
    "alone at first": {"first_break_needs_partner": False},
    "small vault": {"loot": {5: 2, 1: 1}, "loot_per_break": 2},
    "worthless loot": {"loot": {0: 18}},
    "more loot a break": {
        "thresholds": [5, 9, 12],
        "loot_per_break": 4,
        "combine_at": 14,
        "loot": {2: 20},
    },
    "no loot a break": {"loot_per_break": 0},
    "one deck": {"start_cards": 0, "draw": 7, "training_decks": 1},
    "large hands": {"start_cards": 15, "draw": 10, "combine_at": 21},
    "no draw": {"draw": 0, "start_cards": 20, "max_turns": 40},
    "every card": {"combine_at": 1},
    "high combination": {"combine_at": 40, "draw": 12, "ace_value": 11},
    "early reveal": {"players": 3, "reveal_at": 6},
    "one die": {
        "dice": 1,
        "thresholds": [2, 3, 4],
        "dice_limit": "table",
        "max_turns": 60,
        "first_break_needs_partner": False,
    },
    "one die, no partner possible": {"dice": 1, "dice_limit": "table", "max_turns": 40},
    "twelve dice": {"dice": 12, "thresholds": [30, 40, 50, 60, 70], "draw": 8},
    "ten thresholds": {"thresholds": [*range(6, 26, 2)], "loot": {1: 30}},
    "out of reach": {"thresholds": [6, 400], "max_turns": 100},
    "falling thresholds": {"thresholds": [20, 10, 5], "failure_hits": "everyone"},
    "short": {"max_turns": 5},
}
ENDINGS = {"breaks", "reveal", "stalled"}


def table_of(seat: int = 0) -> list[Any]:
    """Players of `simple`, each with its own knob; ``seat`` moves the knobs round the table."""
    return [SimplePolicy(break_at=BREAK_AT[(seat + i) % SEATS]) for i in range(SEATS)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_simple_plays_event_by_event_as_its_twin(variant: str) -> None:
    rules = VaultRules(**VARIANTS[variant])
    for rollout in range(GAMES):
        lines = traced(rules, table_of(rollout), SEED, rollout)
        assert vault_simple.first_difference(lines) is None
        vault_checker.check(lines)


@pytest.mark.parametrize("break_at", [0.0, 0.05, 0.5, 0.95, 1.0])
def test_simple_follows_its_knob_as_its_twin(break_at: float) -> None:
    for variant in ("base", "table", "alone at first"):
        rules = VaultRules(**{"max_turns": 150, **VARIANTS[variant]})
        for rollout in range(GAMES):
            lines = traced(rules, [SimplePolicy(break_at=break_at)] * SEATS, SEED, rollout)
            assert vault_simple.first_difference(lines) is None


def test_simple_plays_as_its_twin_under_random_rules() -> None:
    rng = Random(11)
    for rollout in range(12 * GAMES):
        rules = any_rules(rng).model_copy(update={"actions": [], "reactions": []})
        lines = traced(rules, table_of(rollout), SEED, rollout)
        assert vault_simple.first_difference(lines) is None


def test_the_variants_together_reach_every_kind_of_event_and_end() -> None:
    met = set()
    for variant, fields in VARIANTS.items():
        rules = VaultRules(**fields)
        for rollout in range(GAMES):
            for line in traced(rules, table_of(rollout), SEED, rollout):
                met |= {line["event"], line.get("ended_by"), (line.get("die"), line["event"])}
                assert line["event"] not in ("act", "react"), variant
    wanted = "game deal hand turn skipped draw combine break roll broken failed hit pass reveal end"
    assert {*wanted.split(), *ENDINGS} <= met
    assert {(die, "hit") for die in range(1, 7)} <= met


@pytest.mark.parametrize("policy", POLICIES)
def test_every_game_of_a_policy_passes_the_rule_checker(policy: str) -> None:
    rng = Random(1)
    for rollout in range(RANDOM_GAMES):
        rules = lively_rules(rng) if rollout % 2 else any_rules(rng)
        vault_checker.check(traced(rules, [POLICIES[policy]] * SEATS, SEED, rollout))


def test_every_game_of_random_rules_cards_and_policies_passes_the_rule_checker() -> None:
    rng = Random(2)
    events, used, moments = set(), set(), set()
    for rollout in range(ROUNDS_OF_RULES * RANDOM_GAMES):
        rules = lively_rules(rng) if rollout % 2 else any_rules(rng)
        lines = traced(rules, any_table(rng), SEED, rollout)
        vault_checker.check(lines)
        events |= {line["event"] for line in lines} | {lines[-1]["ended_by"]}
        used |= {line["effect"] for line in lines if line["event"] in ("act", "react")}
        moments |= {line["moment"] for line in lines if line["event"] == "react"}
    wanted = (
        "game deal hand turn skipped draw_actions draw_reactions draw combine act react gain"
        " steal_token destroy_token steal_training discard_training steal_loot swap_loot peek_loot"
        " skip decline break join roll reroll broken failed hit pass reveal end"
    )
    assert {*wanted.split(), *ENDINGS} <= events
    assert used == set(EFFECTS)
    assert moments == {"on_targeted", "on_any_break", "on_my_failure", "on_action"}


# The oracles refuse what is not so


@cache
def simple_game() -> Lines:
    """A game of `simple` with a failure that costs cards, and a break."""
    wanted = {"combine", "break", "broken", "failed", "hit", "pass"}
    for rollout in range(200):
        lines = traced(VaultRules(failure_hits="everyone"), table_of(), SEED, rollout)
        lost = any(line["event"] == "hit" and line.get("cards") for line in lines)
        if lost and wanted <= {line["event"] for line in lines}:
            return lines
    raise AssertionError("no such game")


@cache
def full_game() -> Lines:
    """A game in which actions and reactions are used and loot is won."""
    rng = Random(4)
    wanted = {"act", "react", "broken", "draw_actions", "combine", "failed", "pass"}
    for rollout in range(500):
        lines = traced(lively_rules(rng), [POLICIES["random"]] * SEATS, SEED, rollout)
        paid = any(line["event"] == "act" and line["paid"] for line in lines)
        if paid and wanted <= {line["event"] for line in lines}:
            return lines
    raise AssertionError("no such game")


def first(lines: Lines, event: str, *needed: str) -> int:
    """The place of the first such line in which these fields are not empty."""
    return next(
        place
        for place, line in enumerate(lines)
        if line["event"] == event and all(line.get(name) for name in needed)
    )


def without(event: str) -> Callable[[Lines], int]:
    def alter(lines: Lines) -> int:
        place = first(lines, event)
        del lines[place]
        return place

    return alter


def doubled(event: str) -> Callable[[Lines], int]:
    def alter(lines: Lines) -> int:
        place = first(lines, event)
        lines.insert(place, deepcopy(lines[place]))
        return place + 1

    return alter


def other(event: str, field: str, change: Callable[[Any], Any]) -> Callable[[Lines], int]:
    def alter(lines: Lines) -> int:
        place = first(lines, event, field)
        lines[place][field] = change(lines[place][field])
        return place

    return alter


def wasted_more(lines: Lines) -> int:
    place = first(lines, "combine")
    lines[place]["wasted"] += 1
    return place


def fewer_dice(lines: Lines) -> int:
    place = first(lines, "break")
    part = lines[place]["parts"][-1]
    part["dice"] -= 1
    del part["paid"][-1]
    return place


def other_outcome(name: str) -> Callable[[Lines], int]:
    def alter(lines: Lines) -> int:
        lines[-1]["outcome"][name] += 1
        return len(lines) - 1

    return alter


def backwards(values: list[Any]) -> list[Any]:
    assert values != values[::-1]
    return values[::-1]


def one_more(number: int) -> int:
    return number + 1


# what both oracles refuse, and whether they do so at the altered line
ALTERED: dict[str, Callable[[Lines], int]] = {
    "no combination": without("combine"),
    "no pass": without("pass"),
    "no draw": without("draw"),
    "no failure": without("failed"),
    "a turn twice": doubled("turn"),
    "a combination twice": doubled("combine"),
    "cards drawn in another order": other("draw", "cards", backwards),
    "a token of another colour": other("combine", "token", lambda _: "luck"),
    "wasted": wasted_more,
    "dice": fewer_dice,
    "threshold": other("break", "threshold", one_more),
    "total of the dice": other("roll", "total", one_more),
    "total of the break": other("broken", "total", one_more),
    "loot": other("broken", "loot", lambda loot: loot[:-1]),
    "winners": other("end", "winners", lambda seats: [*seats, 9]),
    "vp": other("end", "vp", lambda vp: [vp[0] + 1, *vp[1:]]),
    **{
        name: other_outcome(name)
        for name in (
            *("win_share.1", "vp.1", "loot.2", "breaks", "attempts", "attempts_at.1"),
            *("broken_at.1", "dice", "participants", "tokens_earned", "tokens_spent"),
            *("wasted", "failures.1", "turns"),
        )
    },
}


@pytest.mark.parametrize("altered", ALTERED)
def test_the_twin_tells_an_altered_game_otherwise(altered: str) -> None:
    lines = deepcopy(simple_game())
    assert vault_simple.first_difference(lines) is None
    ALTERED[altered](lines)
    assert vault_simple.first_difference(lines)


def test_the_twin_refuses_what_is_legal_but_not_the_choice_of_simple() -> None:
    """The checker lets pass what only `simple` would not do."""
    lines = traced(VaultRules(), table_of(), SEED, 0)
    others = traced(VaultRules(), [SimplePolicy(break_at=0.99)] * SEATS, SEED, 0)
    mixed = [lines[0], *others[1:]]
    vault_checker.check(mixed)
    assert vault_simple.first_difference(mixed)


@pytest.mark.parametrize("altered", ALTERED)
def test_the_checker_refuses_an_altered_game(altered: str) -> None:
    for game in (simple_game(), full_game()):
        lines = deepcopy(game)
        place = ALTERED[altered](lines)
        with pytest.raises(vault_checker.RuleBroken) as refused:
            vault_checker.check(lines)
        assert refused.value.number > place


CARDS_ALTERED: dict[str, Callable[[Lines], int]] = {
    "no action": without("act"),
    "an action twice": doubled("act"),
    "a reaction twice": doubled("react"),
    "no draw of actions": without("draw_actions"),
    "another action kept": other("draw_actions", "kept", lambda _: "another"),
    "another action": other("act", "card", lambda _: "another"),
    "another effect": other("react", "effect", lambda _: "luck"),
    "another moment": other("react", "moment", lambda _: "never"),
    "nothing paid": other("act", "paid", lambda _: []),
}


@pytest.mark.parametrize("altered", CARDS_ALTERED)
def test_the_checker_refuses_altered_actions_and_reactions(altered: str) -> None:
    lines = deepcopy(full_game())
    vault_checker.check(lines)
    CARDS_ALTERED[altered](lines)
    with pytest.raises(vault_checker.RuleBroken):
        vault_checker.check(lines)
