"""Whole games against the independent twin of `simple` and the independent rule checker."""

from typing import Any

import pytest

from balance.games.burgle import BURGLE, BurgleRules, ExpertPolicy, RandomPolicy, SimplePolicy
from tests.oracles import burgle_checker, burgle_simple

SEED = 5
GAMES = 15
CASINO = {"crack": {"straight_flush": 4}, "burn": 2}
VARIANTS: dict[str, dict[str, Any]] = {
    "base": {},
    "bank": {"burn": 1},
    "penthouse": {"burn": 2},
    "casino": CASINO,
    "legendary": {**CASINO, "stealth": 1},
    "three_of_a_suit": {"stealth": 9, "crack": {"flush": 3}},
    "either_way": {
        "stealth": 9,
        "crack": {"straight_flush": 3},
        "straight_replaces_flush": False,
        "burn": 1,
    },
    "guard_not_in_straight": {"crack": {"straight_flush": 3}, "guard_in_straight": False},
    "no_trading": {"trading": False},
    "win_at_end_of_round": {"win_at_once": False, "crack": {"flush": 4}, "stealth": 5},
    "loud_alarm": {"alarm_over": 17, "alarm_discards": 4, "alarm_removes": 2, "stealth": 8},
    "hard_target": {"targeted_safe_from": 21, "crack": {"flush": 3}},
    "short": {"max_rounds": 4, "guard_value": 3},
    "odd_totals": {"peek_totals": [3, 9, 12], "jackpot_total": 18, "alarm_over": 30},
    "two_seats": {"players": 2},
    "three_seats": {"players": 3, "stealth": 5},
    "characters": {"characters": "random", "stealth": 6},
    "whole": {"characters": "random", "tools": True, "stealth": 8},
    "whole_for_three": {"players": 3, "characters": "random", "tools": True, "stealth": 5},
    "whole_casino": {
        **CASINO,
        "characters": "random",
        "tools": True,
        "stealth": 9,
        "joker_in_straight": True,
    },
    "other_readings": {
        "characters": "random",
        "tools": True,
        "stealth": 3,
        "stealth_cap": 3,
        "peterman_before_guard": True,
        "dynamite_inactive": True,
        "juicer_alarm_over": 27,
    },
}
PLAYERS: dict[str, list[Any]] = {
    "random": [RandomPolicy()] * 4,
    "simple": [SimplePolicy()] * 4,
    "expert": [ExpertPolicy()] * 4,
    "simple with mistakes": [SimplePolicy(mistakes=0.3)] * 4,
    "one of each": [RandomPolicy(), SimplePolicy(), ExpertPolicy(), ExpertPolicy(mistakes=0.1)],
}
Lines = list[dict[str, Any]]


def rules_of(variant: str) -> BurgleRules:
    """The rules of a variant; without tools where it says nothing about them."""
    return BurgleRules(**{"tools": [], **VARIANTS[variant]})


def traced(rules: BurgleRules, players: list[Any], rollout: int) -> Lines:
    """The trace of a rollout, from its `game` line on."""
    head = {
        "event": "game",
        "game": "burgle",
        "scenario": "test",
        "variant": "test",
        "seed": SEED,
        "rollout": rollout,
        "version": "0",
        "rules": rules.model_dump(),
        "policies": [player.model_dump() for player in players],
    }
    return [head, *BURGLE.pack(rules, players).trace(SEED, rollout)]


def twin_of(lines: Lines, player: SimplePolicy) -> Lines:
    """What the twin makes of the same deals and the same shuffles."""
    seats = [line for line in lines if line["event"] == "deal" and line["seat"] != "van"]
    van = [line["deck"] for line in lines if line["event"] == "deal" and line["seat"] == "van"]
    shuffles: dict[int | str, Lines] = {seat: [] for seat in (1, 2, 3, 4, "van")}
    for line in lines:
        if line["event"] == "shuffle":
            shuffles[line["seat"]].append(line)

    def reshuffle(seat: int | str, discards: list[str]) -> list[str]:
        deck: list[str] = shuffles[seat].pop(0)["deck"]
        assert sorted(deck) == sorted(discards)
        return deck

    knobs = {name: getattr(player, name) for name in player.knobs}
    _, told = burgle_simple.play(
        lines[0]["rules"],
        knobs,
        [(line["guard"], line["deck"]) for line in seats],
        reshuffle,
        characters=[line.get("character") for line in seats],
        van=van[0] if van else None,
        tool_decks=[line["deck"] for line in lines if line["event"] == "tools"],
    )
    assert not any(shuffles.values())
    return told


@pytest.mark.parametrize("variant", VARIANTS)
def test_simple_plays_event_by_event_as_its_twin(variant: str) -> None:
    rules = rules_of(variant)
    for rollout in range(GAMES):
        lines = traced(rules, [SimplePolicy()] * 4, rollout)
        assert lines[1:] == twin_of(lines, SimplePolicy())


@pytest.mark.parametrize(
    "knobs",
    [
        {"suit": 2, "bust": 5, "jackpot": 30, "peek": 11},
        {"bail_at": 18, "targeted_bail_at": 20},
        {"suit": 0, "bail_at": 9, "targeted_bail_at": 12},
        {"suit": -3, "bust": -4, "jackpot": -5, "peek": -6},
    ],
)
def test_simple_follows_its_knobs_as_its_twin(knobs: dict[str, float]) -> None:
    rules = BurgleRules(tools=[], stealth=5, crack={"flush": 4})
    player = SimplePolicy(**knobs)
    for rollout in range(GAMES):
        lines = traced(rules, [player] * 4, rollout)
        assert lines[1:] == twin_of(lines, player)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_passes_the_rule_checker(variant: str, players: str) -> None:
    rules = rules_of(variant)
    for rollout in range(GAMES):
        burgle_checker.check(traced(rules, PLAYERS[players][: rules.players], rollout))


def test_the_variants_together_reach_every_kind_of_event_and_end() -> None:
    met = set()
    for variant in VARIANTS:
        rules = rules_of(variant)
        for players in ("random", "simple", "expert"):
            for rollout in range(GAMES):
                for line in traced(rules, PLAYERS[players][: rules.players], rollout):
                    for name in ("event", "cause", "choice", "kind", "result"):
                        met.add(line.get(name))
    wanted = (
        "game deal round turn shuffle draw no_card trade peek twenty_one crack burn alarm flip"
        " stealth caught remove bail round_end end total targeted display targeted_alarm stay guard"
        " flush straight_flush won lost stalled tools tool use dynamite replace van_guard hawk rook"
        " distraction quiet on_top acrobat donuts"
    )
    assert set(wanted.split()) <= met
