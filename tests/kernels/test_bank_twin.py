"""Whole games against the independent twin of `simple` and the independent rule checker."""

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest

from balance.games.bank import AFTER, SPECIALS, BankRules, SimplePolicy
from tests.bank_random import (
    POLICIES,
    SEATS,
    Lines,
    any_rules,
    any_table,
    lively_rules,
    traced,
)
from tests.oracles import bank_checker, bank_simple

SEED = 5
GAMES = 10
RANDOM_GAMES = 20
ROUNDS_OF_RULES = 20
KNOBS = ((2, 1.0), (0, 0.5), (5, 0.25), (1, 2.0), (0, 1.0))  # noise and share
EVENTS = (
    "game deal hand bank tiles turn action play draw look reveal nothing rob stakes open result"
    " kept refill end"
)
RESULTS = ("paid", "short", "guarded", "thieved", "lady")
PUBLISHED_DECK = {"money": {2: 4, 3: 4, 4: 4, 5: 11, 10: 2}, **dict.fromkeys(SPECIALS, 4)}
VARIANTS: dict[str, dict[str, Any]] = {
    "base": {},
    "two seats": {"players": 2},
    "three seats": {"players": 3},
    "five seats": {"players": 5},
    "choose": {"tiles": "choose"},
    "choose, five seats": {"tiles": "choose", "players": 5, "coins": 30},
    "lost": {"stake_on_shortfall": "lost", "coins": 25},
    "together": {"ties": "together", "players": 5},
    "together, lost": {"ties": "together", "stake_on_shortfall": "lost", "players": 5, "coins": 40},
    "published": {
        "deck": PUBLISHED_DECK,
        "specials": "published",
        "after_robbery": "keep_money",
        "credit_to": 10,
    },
    "published, judges and thieves": {
        "specials": "published",
        "deck": {"money": {5: 20, 1: 5}, "lady": 2, "guard": 2, "judge": 12, "thief": 9},
    },
    "doubled": {"deck": {"money": {5: 20, 1: 5}, "multiply": 8, "lady": 1}, "coins": 60},
    "refill": {"after_robbery": "refill"},
    "refill, many robberies": {"after_robbery": "refill", "tiles": {"play": 1, "rob": 2}},
    "keep money": {"after_robbery": "keep_money", "coins": 30},
    "keep money, guards": {
        "after_robbery": "keep_money",
        "deck": {"money": {5: 20}, "lady": 1, "guard": 10, "judge": 1, "thief": 1},
    },
    "no coins": {"coins": 0},
    "no coins, no reward": {"coins": 0, "guard_reward": 0},
    "credit": {"credit_to": 10, "coins": 0},
    "no specials": {"deck": {"money": {3: 20, 7: 21}, **dict.fromkeys(SPECIALS, 0)}},
    "worthless": {"deck": {"money": {0: 30}, "lady": 0, "guard": 2, "judge": 2, "thief": 2}},
    "one bank": {"banks": 1},
    "ten banks": {"banks": 10, "deck": {"money": {1: 15, 2: 10, 9: 15}}},
    "one card": {"hand": 1},
    "large hands": {"hand": 8, "players": 4},
    "no card left to draw": {"hand": 9, "players": 4},
    "no robberies": {"tiles": {"play": 3, "look": 2, "reveal": 2, "rob": 0}},
    "only robberies": {"tiles": {"play": 0, "look": 0, "reveal": 0, "rob": 1}, "max_turns": 30},
    "everything lies face up": {"tiles": {"play": 1, "look": 1, "reveal": 5, "rob": 0}},
    "short": {"max_turns": 4},
}


def table_of(seat: int = 0) -> list[Any]:
    """Players of `simple`, each with its own knobs; ``seat`` moves the knobs round the table."""
    turned = (KNOBS[(seat + i) % SEATS] for i in range(SEATS))
    return [SimplePolicy(noise=noise, share=share) for noise, share in turned]


@pytest.mark.parametrize("variant", VARIANTS)
def test_simple_plays_event_by_event_as_its_twin(variant: str) -> None:
    rules = BankRules(**VARIANTS[variant])
    for rollout in range(GAMES):
        lines = traced(rules, table_of(rollout), SEED, rollout)
        assert bank_simple.first_difference(lines) is None
        bank_checker.check(lines)


@pytest.mark.parametrize("noise", [0, 1, 40])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.7, 1.0, 1.1, 50.0])
def test_simple_follows_its_knobs_as_its_twin(noise: int, share: float) -> None:
    for variant in ("base", "choose", "together, lost", "credit"):
        rules = BankRules(**VARIANTS[variant])
        for rollout in range(GAMES // 2):
            players = [SimplePolicy(noise=noise, share=share)] * SEATS
            lines = traced(rules, players, SEED, rollout)
            assert bank_simple.first_difference(lines) is None


def test_simple_plays_as_its_twin_under_random_rules() -> None:
    rng = Random(11)
    for rollout in range(15 * GAMES):
        rules = lively_rules(rng) if rollout % 2 else any_rules(rng)
        lines = traced(rules, table_of(rollout), SEED, rollout)
        assert bank_simple.first_difference(lines) is None


def told_of(lines: Lines) -> set[Any]:
    """What is to be met with in a game: events, results, actions, and what is rare."""
    met: set[Any] = {line["event"] for line in lines} | {"stalled" if lines[-1]["stalled"] else ""}
    for line in lines:
        if line["event"] == "result":
            met |= {name for name in RESULTS if line[name]}
            met |= {"guarded and thieved"} if line["guarded"] and line["thieved"] else set()
            met |= {"lady and thieved"} if line["lady"] and line["thieved"] else set()
        if line["event"] == "action":
            met.add(f"action {line['action']}")
        if line["event"] == "rob" and line.get("final"):
            met.add("final")
        if line["event"] == "open":
            met |= {f"open {card}" for card in line["cards"] if card in SPECIALS}
    shared = len(lines[-1]["winners"]) > 1
    indebted = min(lines[-1]["coins"]) < 0
    return met | ({"shared"} if shared else set()) | ({"indebted"} if indebted else set())


MET = {
    *EVENTS.split(),
    *RESULTS,
    *(f"open {card}" for card in SPECIALS),
    *(f"action {action}" for action in ("play", "look", "reveal", "rob")),
    *("stalled", "final", "shared", "guarded and thieved", "lady and thieved"),
}


def test_the_variants_together_reach_every_kind_of_event_and_result() -> None:
    met = set()
    for fields in VARIANTS.values():
        rules = BankRules(**fields)
        for rollout in range(GAMES):
            met |= told_of(traced(rules, table_of(rollout), SEED, rollout))
    assert met >= MET
    assert "indebted" not in met  # `simple` takes no credit


@pytest.mark.parametrize("policy", POLICIES)
def test_every_game_of_a_policy_passes_the_rule_checker(policy: str) -> None:
    rng = Random(1)
    for rollout in range(RANDOM_GAMES):
        rules = lively_rules(rng) if rollout % 2 else any_rules(rng)
        bank_checker.check(traced(rules, [POLICIES[policy]] * SEATS, SEED, rollout))


def test_every_game_of_random_rules_and_policies_passes_the_rule_checker() -> None:
    rng = Random(2)
    met: Counter[Any] = Counter()
    switches = set()
    for rollout in range(ROUNDS_OF_RULES * RANDOM_GAMES):
        rules = lively_rules(rng) if rollout % 2 else any_rules(rng)
        lines = traced(rules, any_table(rng), SEED, rollout)
        bank_checker.check(lines)
        met.update(told_of(lines))
        switches |= {rules.players, rules.ties, rules.stake_on_shortfall}
        switches |= {rules.specials, rules.after_robbery, rules.tiles == "choose"}
    for name in MET | {"indebted"}:
        assert met[name] >= 5, f"{name}: {met[name]} games"
    named = {"turn_order", "together", "returned", "lost", "simple", "published", *AFTER}
    assert switches == {*range(2, SEATS + 1), *named, True, False}


# The oracles refuse what is not so


def find_game(rules: BankRules, table: list[Any], wanted: set[str]) -> Lines:
    """A game in which all that is wanted happens."""
    for rollout in range(3000):
        lines = traced(rules, table, SEED, rollout)
        if wanted <= told_of(lines):
            return lines
    raise AssertionError("no such game")


ALL = {*"tiles play draw look reveal nothing rob final paid short thieved guarded kept".split()}


@cache
def simple_game() -> Lines:
    """A game of `simple` in which all happens."""
    rules = BankRules(
        after_robbery="keep_money",
        ties="together",
        deck={"money": {5: 20, 2: 10}, "guard": 3, "thief": 2, "judge": 2, "lady": 1},
        tiles={"play": 4, "look": 2, "reveal": 3, "rob": 2},
    )
    return find_game(rules, table_of(), ALL)


@cache
def refilled_game() -> Lines:
    """A game of `simple` in which banks are dealt new cards and stakes are lost."""
    rules = BankRules(after_robbery="refill", stake_on_shortfall="lost", coins=30)
    wanted = {*"tiles play draw look reveal rob final paid short thieved refill".split()}
    return find_game(rules, table_of(), wanted)


@cache
def mixed_game() -> Lines:
    """A game of several policies in which all happens."""
    rules = BankRules(
        after_robbery="keep_money",
        specials="published",
        credit_to=10,
        deck={"money": {5: 20, 2: 10}, "guard": 3, "thief": 2, "judge": 2, "lady": 1},
        tiles={"play": 4, "look": 2, "reveal": 3, "rob": 2},
    )
    table = [POLICIES[name] for name in ("random", "expert", "greedy", "counter")]
    return find_game(rules, table, ALL)


Alter = Callable[[Lines], int]


def first(lines: Lines, event: str, field: str | None = None) -> int:
    """The place of the first such line, in which this field is not empty."""
    return next(
        place
        for place, line in enumerate(lines)
        if line["event"] == event and (field is None or line.get(field))
    )


def without(event: str) -> Alter:
    def alter(lines: Lines) -> int:
        place = first(lines, event)
        del lines[place]
        return place

    return alter


def doubled(event: str) -> Alter:
    def alter(lines: Lines) -> int:
        place = first(lines, event)
        lines.insert(place, deepcopy(lines[place]))
        return place + 1

    return alter


def other(event: str, field: str, change: Callable[[Any], Any]) -> Alter:
    def alter(lines: Lines) -> int:
        place = first(lines, event, field)
        lines[place][field] = change(lines[place][field])
        return place

    return alter


def moved_coin(event: str, field: str) -> Alter:
    """A coin more for seat 1."""
    return other(event, field, lambda coins: [coins[0] + 1, *coins[1:]])


def flag(name: str) -> Alter:
    def alter(lines: Lines) -> int:
        place = first(lines, "result")
        lines[place][name] = not lines[place][name]
        return place

    return alter


def other_outcome(name: str) -> Alter:
    def alter(lines: Lines) -> int:
        lines[-1]["outcome"][name] += 1
        return len(lines) - 1

    return alter


def next_number(number: int) -> int:
    return number + 1


def another_card(_: Any) -> str:
    return "99"


def no_longer_final(lines: Lines) -> int:
    place = first(lines, "rob", "final")
    del lines[place]["final"]
    return place


# what both oracles refuse
ALTERED: dict[str, Alter] = {
    **{
        f"no {event}": without(event)
        for event in (
            *("deal", "hand", "bank", "turn", "action", "play", "draw", "look", "reveal"),
            *("rob", "stakes", "open", "result", "tiles"),
        )
    },
    **{
        f"{event} twice": doubled(event)
        for event in ("hand", "turn", "play", "draw", "look", "rob", "stakes", "result", "end")
    },
    "another seat's hand": other("hand", "seat", next_number),
    "another hand": other("hand", "cards", lambda cards: [*cards[:-1], "99"]),
    "a card too few": other("deal", "deck", lambda deck: deck[:-1]),
    "another card at a bank": other("bank", "card", another_card),
    "another card drawn": other("draw", "card", another_card),
    "another card played": other("play", "card", another_card),
    "a bank that is not there": other("play", "bank", lambda _: 99),
    "another card looked at": other("look", "card", another_card),
    "another card turned up": other("reveal", "card", another_card),
    "a place that is not there": other("reveal", "place", lambda _: 99),
    "another action": other("action", "action", lambda action: f"{action}s"),
    "another turn": other("turn", "turn", next_number),
    "another pot": other("open", "pot", next_number),
    "other cards": other("open", "cards", lambda cards: [*cards, "5"]),
    "a stake too high": moved_coin("stakes", "stakes"),
    "a coin more": moved_coin("result", "gains"),
    "another order": other("result", "order", lambda order: order[1:] + order[:1]),
    **{f"not {name}": flag(name) for name in RESULTS},
    "not final": no_longer_final,
    "coins": moved_coin("end", "coins"),
    "winners": other("end", "winners", lambda seats: [*seats, 9]),
    "stalled": other("end", "turn", lambda turn: turn + 1),
    **{
        f"outcome {name}": other_outcome(name)
        for name in (
            *("win_share.1", "coins.1", "coins.5", "robbed.2", "robberies", "paid", "short"),
            *("guarded", "thieved", "ladies", "pot", "stakes", "coins_paid", "coins_thieved"),
            *("rewards", "coins_lost", "turns", "stalled"),
        )
    },
}
KEPT: dict[str, Alter] = {
    "none kept": without("kept"),
    "other money kept": other("kept", "cards", lambda cards: cards[1:]),
    "kept twice": doubled("kept"),
}
REFILLED: dict[str, Alter] = {
    "no refill": without("refill"),
    "another card dealt": other("refill", "card", another_card),
    "another bank refilled": other("refill", "bank", next_number),
}


def staked_more(lines: Lines) -> int:
    """A stake of more than all her coins."""
    place = first(lines, "stakes")
    lines[place]["stakes"][0] = 500
    return place


@pytest.mark.parametrize("altered", ALTERED)
def test_the_twin_tells_an_altered_game_otherwise(altered: str) -> None:
    for game in (simple_game(), refilled_game()):
        lines = deepcopy(game)
        assert bank_simple.first_difference(lines) is None
        ALTERED[altered](lines)
        assert bank_simple.first_difference(lines)


@pytest.mark.parametrize("altered", ALTERED)
def test_the_checker_refuses_an_altered_game(altered: str) -> None:
    for game in (simple_game(), refilled_game(), mixed_game()):
        lines = deepcopy(game)
        bank_checker.check(lines)
        place = ALTERED[altered](lines)
        with pytest.raises(bank_checker.RuleBroken) as refused:
            bank_checker.check(lines)
        assert refused.value.number > place


@pytest.mark.parametrize("altered", [*KEPT, *REFILLED])
def test_both_refuse_what_did_not_become_of_a_bank(altered: str) -> None:
    alter = {**KEPT, **REFILLED}[altered]
    lines = deepcopy(simple_game() if altered in KEPT else refilled_game())
    alter(lines)
    assert bank_simple.first_difference(lines)
    with pytest.raises(bank_checker.RuleBroken):
        bank_checker.check(lines)


def test_the_checker_refuses_a_stake_of_more_than_all_coins() -> None:
    for game, rule in ((simple_game(), "K10"), (mixed_game(), "K22")):
        lines = deepcopy(game)
        place = staked_more(lines)
        with pytest.raises(bank_checker.RuleBroken) as refused:
            bank_checker.check(lines)
        assert (refused.value.number, refused.value.rule) == (place + 1, rule)


def test_the_twin_refuses_what_is_legal_but_not_the_choice_of_simple() -> None:
    """The checker lets pass what only `simple` would not do: stakes, and the bank it robs."""
    lines = traced(BankRules(), [SimplePolicy(noise=0)] * SEATS, SEED, 0)
    for other_player in (SimplePolicy(noise=0, share=3.0), POLICIES["counter"]):
        others = traced(BankRules(), [other_player] * SEATS, SEED, 0)
        mixed = [lines[0], *others[1:]]
        bank_checker.check(mixed)
        assert bank_simple.first_difference(mixed)
