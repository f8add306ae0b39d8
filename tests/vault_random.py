"""Random games of Vault Breakers, for tests of what holds in all of them."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from balance.games.vault import (
    VAULT,
    ExpertPolicy,
    HastyPolicy,
    LonerPolicy,
    PatientPolicy,
    RandomPolicy,
    SimplePolicy,
    VaultRules,
    pack_policies,
    pack_rules,
)
from balance.games.vault_cards import (
    AIMED,
    ANY_TIME,
    COLOURS,
    EFFECTS,
    MOMENTS,
    ONCE,
    ONLY_AT,
    TARGETS,
)
from kernels.events import EVENTS
from kernels.streams import rollout_key
from kernels.vault import layout, play

SEATS = layout.SEATS
LONGEST = 2000  # steps
POLICIES: dict[str, Any] = {
    "random": RandomPolicy(),
    "random without actions": RandomPolicy(acting=False),
    "simple": SimplePolicy(),
    "simple with mistakes": SimplePolicy(break_at=0.2, mistakes=0.3),
    "hasty": HastyPolicy(),
    "hasty recluse": HastyPolicy(joining=False, mistakes=0.1),
    "patient": PatientPolicy(break_at=0.7, join_at=0.6),
    "loner": LonerPolicy(),
    "expert": ExpertPolicy(),
    "expert with mistakes": ExpertPolicy(mistakes=0.3),
    "expert recluse": ExpertPolicy(inviting=False),
    "expert at its ease": ExpertPolicy(waste=0.0, reveal_lead=4.0, token=0.3, partner_cards=2.0),
}
Lines = list[dict[str, Any]]


def any_card(deck: str, number: int, rng: Random) -> dict[str, Any]:
    """A random card of the `actions` or the `reactions`."""
    effect = rng.choice(ANY_TIME if deck == "actions" else EFFECTS)
    card: dict[str, Any] = {"name": f"{effect} {number}", "effect": effect}
    card["copies"] = rng.randint(1, 3)
    if effect in AIMED:
        card["target"] = rng.choice(TARGETS)
    if effect not in ONCE:
        card["amount"] = rng.randint(1, 4)
    card["cost"] = dict.fromkeys(rng.sample([*COLOURS, "any"], rng.choice([0, 0, 1, 1, 2])), 1)
    if deck == "reactions":
        card["when"] = ONLY_AT.get(effect) or rng.choice(MOMENTS)
    return card


def any_cards(deck: str, most: int, rng: Random) -> list[dict[str, Any]]:
    """The random cards of a deck; often none."""
    if rng.randint(0, 4) == 0:
        return []
    return [any_card(deck, number, rng) for number in range(rng.randint(1, most))]


def any_fields(rng: Random) -> dict[str, Any]:
    """Random fields of the rules, the wilder ones included."""
    return {
        "players": rng.randint(2, SEATS),
        "training_decks": rng.randint(1, 3),
        "start_cards": rng.randint(0, 8),
        "tokens_each": rng.choice([1, 3, 20, 20]),
        "loot": {rng.randint(0, 8): rng.randint(1, 6) for _ in range(rng.randint(1, 5))},
        "actions": any_cards("actions", 8, rng),
        "reactions": any_cards("reactions", 12, rng),
        "draw": rng.randint(0, 8),
        "combine_at": rng.choice([1, 6, 10, 10, 15, 30]),
        "ace_value": rng.choice([1, 11]),
        "dice": rng.randint(1, 12),
        "dice_limit": rng.choice(["player", "table"]),
        "first_break_needs_partner": rng.choice([True, False]),
        "thresholds": [rng.randint(1, 30) for _ in range(rng.randint(1, 10))],
        "loot_per_break": rng.randint(0, 6),
        "failure_hits": rng.choice(["breaker", "everyone"]),
        "reveal_at": rng.choice([2, 8, 20, 60]),
        "max_turns": rng.choice([1, 20, 60, 100]),
    }


def any_rules(rng: Random) -> VaultRules:
    """Random rules with random action and reaction cards."""
    return VaultRules(**any_fields(rng))


def lively_rules(rng: Random, **fixed: Any) -> VaultRules:
    """Random rules, but for ``fixed``, of games in which much happens."""
    fields = {
        "players": rng.randint(3, 5),
        "loot": dict.fromkeys(range(1, 7), 4),
        "actions": [any_card("actions", number, rng) for number in range(8)],
        "reactions": [any_card("reactions", number, rng) for number in range(12)],
        "draw": rng.randint(4, 7),
        "ace_value": rng.choice([1, 11]),
        "dice_limit": rng.choice(["player", "player", "table"]),
        "first_break_needs_partner": rng.choice([True, False]),
        "thresholds": [8, 8, 10, 12, 15, 18, 18, 20],
        "failure_hits": rng.choice(["breaker", "everyone"]),
        "reveal_at": rng.choice([10, 20, 40, 200]),
        "max_turns": 60,
    }
    return VaultRules(**{**fields, **fixed})


def any_table(rng: Random) -> list[Any]:
    """A random policy for each of six seats."""
    return [POLICIES[rng.choice(list(POLICIES))] for _ in range(SEATS)]


def key_of(seed: int, rollout: int) -> Any:
    """The key (uint64) of a rollout, as the compiled functions take it."""
    return np.uint64(rollout_key(np.uint64(seed), rollout))


def traced(rules: VaultRules, players: list[Any], seed: int, rollout: int) -> Lines:
    """The trace of a rollout, from its `game` line on."""
    players = players[: rules.players]
    head = {
        "event": "game",
        "game": "vault",
        "scenario": "test",
        "variant": "test",
        "seed": seed,
        "rollout": rollout,
        "version": "0",
        "rules": rules.model_dump(),
        "policies": [player.model_dump() for player in players],
    }
    return [head, *VAULT.pack(rules, players).trace(seed, rollout)]


class Played:
    """A game that is played step by step."""

    def __init__(self, rules: VaultRules, table: list[Any], seed: int, rollout: int) -> None:
        self.rules = pack_rules(rules)
        self.policies = pack_policies(table[: rules.players])
        self.states = np.zeros(1, layout.STATE).view(np.recarray)
        self.rooms = np.zeros(1, layout.SCRATCH).view(np.recarray)
        self.events = np.zeros(1, EVENTS).view(np.recarray)
        self.key = key_of(seed, rollout)
        play.run_begin(self.rules, self.policies, self.key, self.states, self.rooms, self.events)

    @property
    def state(self) -> Any:
        return self.states[0]

    @property
    def players(self) -> int:
        return int(self.rules.players[0])

    def until(self, states: Any, stop: int) -> None:
        """Play these states on until phase ``stop``, or one step with NEXT."""
        play.run_until(self.rules, self.policies, self.key, states, self.rooms, self.events, stop)

    def steps(self) -> Iterator[Any]:
        """The state after the deal and after every step."""
        for _ in range(LONGEST):
            yield self.state
            if self.state.phase == layout.OVER:
                return
            self.until(self.states, layout.NEXT)
        raise AssertionError("the game does not end")


def ring(row: Any, top: int, size: int) -> list[int]:
    """The cards of a ring of cards, from its top."""
    cards: list[int] = row.tolist()
    return (cards[top:] + cards[:top])[:size]


def deck_of(state: Any) -> list[int]:
    """The training deck, from its top."""
    return ring(state.deck, int(state.deck_top), int(state.deck_size))


def pile_of(state: Any, deck: int) -> list[int]:
    """The action or the reaction deck, from its top."""
    return ring(state.pile[deck], int(state.pile_top[deck]), int(state.pile_size[deck]))


def hand_of(state: Any, seat: int) -> list[int]:
    """The training cards in a hand, by its copies of each card."""
    hand = []
    for suit, copies in enumerate(state.copies[seat].tolist()):
        for place in range(layout.PLACES if copies else 0):
            hand += [suit * layout.PLACES + place] * (copies >> 4 * place & 15)
    return hand


def loot_of(state: Any, seat: int) -> list[int]:
    """The loot cards of a seat."""
    held: list[int] = state.loot[seat][: state.loots[seat]].tolist()
    return held
