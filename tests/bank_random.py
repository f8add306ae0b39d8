"""Random games of Bank Robbers, for tests of what holds in all of them."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from balance.games.bank import (
    AFTER,
    BANK,
    SPECIALS,
    BankRules,
    BlufferPolicy,
    CounterPolicy,
    EquilibriumPolicy,
    ExpertPolicy,
    GreedyPolicy,
    RandomPolicy,
    SimplePolicy,
    TimidPolicy,
    pack_policies,
    pack_rules,
)
from kernels.bank import layout, play
from kernels.events import EVENTS
from kernels.streams import rollout_key

SEATS = layout.SEATS
DECK = 60
LONGEST = 4000  # steps
POLICIES: dict[str, Any] = {
    "random": RandomPolicy(),
    "simple": SimplePolicy(),
    "simple with mistakes": SimplePolicy(noise=4, share=0.5, mistakes=0.3),
    "timid": TimidPolicy(),
    "greedy": GreedyPolicy(),
    "bluffer": BlufferPolicy(),
    "bluffer that counts nothing": BlufferPolicy(counting=False),
    "counter": CounterPolicy(),
    "counter with mistakes": CounterPolicy(mistakes=0.3),
    "equilibrium": EquilibriumPolicy(),
    "expert": ExpertPolicy(),
    "expert with mistakes": ExpertPolicy(mistakes=0.3),
    "expert that shows what it knows": ExpertPolicy(
        show_money=1.0, show_special=2.0, rob_from=4.0, look_from=0.6, play_known=-1.0
    ),
    "expert that plays and counts nothing": ExpertPolicy(bluffing=False, counting=False),
    "expert with shuffled beliefs": ExpertPolicy(shuffled=True),
}
Lines = list[dict[str, Any]]


def any_deck(rng: Random, needed: int) -> dict[str, Any]:
    """A random deck of at least so many cards."""
    specials = {name: rng.choice([0, 1, 2, 4]) for name in SPECIALS}
    money: Counter[int] = Counter()
    copies = max(1, rng.randint(needed, DECK) - sum(specials.values()))
    while money.total() < copies:
        money[rng.choice([0, 1, 2, 3, 4, 5, 5, 5, 10, 12])] += 1
    return {"money": dict(money), **specials}


def any_tiles(rng: Random) -> Any:
    """Random tiles, or the choice of the action."""
    if rng.random() < 0.3:
        return "choose"
    if rng.random() < 0.3:
        return {}
    tiles = {name: rng.randint(0, most) for name, most in (("play", 5), ("look", 2))}
    return {**tiles, "reveal": rng.randint(0, 2), "rob": rng.randint(1, 3)}


def any_switches(rng: Random) -> dict[str, Any]:
    """Random settings of the switches of a robbery."""
    return {
        "stake_on_shortfall": rng.choice(["returned", "lost"]),
        "ties": rng.choice(["turn_order", "together"]),
        "guard_reward": rng.choice([0, 5, 5, 9]),
        "specials": rng.choice(["simple", "published"]),
    }


def any_rules(rng: Random) -> BankRules:
    """Random rules, the wilder ones included."""
    players, hand, banks = rng.randint(2, SEATS), rng.randint(1, 7), rng.randint(1, 10)
    return BankRules(
        players=players,
        coins=rng.choice([0, 1, 10, 10, 30]),
        hand=hand,
        banks=banks,
        deck=any_deck(rng, players * hand + banks),
        tiles=any_tiles(rng),
        **any_switches(rng),
        after_robbery=rng.choice(AFTER),
        credit_to=rng.choice([0, 0, 10, 3]),
        max_turns=rng.choice([1, 20, 150, 400]),
    )


def lively_rules(rng: Random, **fixed: Any) -> BankRules:
    """Random rules, but for ``fixed``, of games in which much happens."""
    fields = {
        "players": rng.randint(3, SEATS),
        "hand": rng.randint(2, 5),
        "banks": rng.randint(3, 5),
        "deck": {
            "money": {2: 4, 3: 4, 4: 4, 5: 11, 10: 4},
            **dict.fromkeys(SPECIALS, 2),
            "lady": 1,
            "judge": rng.choice([1, 4]),
            "thief": rng.choice([1, 4]),
        },
        "tiles": rng.choice(["choose", {}, {"play": 4, "look": 3, "reveal": 2, "rob": 1}]),
        **any_switches(rng),
        "after_robbery": rng.choice(AFTER),
        "credit_to": rng.choice([0, 10]),
        "max_turns": 150,
    }
    return BankRules(**{**fields, **fixed})


def any_table(rng: Random) -> list[Any]:
    """A random policy for each of five seats."""
    return [POLICIES[rng.choice(list(POLICIES))] for _ in range(SEATS)]


def key_of(seed: int, rollout: int) -> Any:
    """The key (uint64) of a rollout, as the compiled functions take it."""
    return np.uint64(rollout_key(np.uint64(seed), rollout))


def traced(rules: BankRules, players: list[Any], seed: int, rollout: int) -> Lines:
    """The trace of a rollout, from its `game` line on."""
    players = players[: rules.players]
    head = {
        "event": "game",
        "game": "bank",
        "scenario": "test",
        "variant": "test",
        "seed": seed,
        "rollout": rollout,
        "version": "0",
        "rules": rules.model_dump(),
        "policies": [player.model_dump() for player in players],
    }
    return [head, *BANK.pack(rules, players).trace(seed, rollout)]


class Played:
    """A game that is played step by step."""

    def __init__(self, rules: BankRules, table: list[Any], seed: int, rollout: int) -> None:
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

    @property
    def banks(self) -> int:
        return int(self.rules.banks[0])

    @property
    def cards(self) -> list[int]:
        """The whole deck."""
        whole: list[int] = self.rules.card[0, : self.rules.cards[0]].tolist()
        return whole

    def deck_of(self, state: Any) -> list[int]:
        """What is left of the deck, from its top."""
        left: list[int] = state.deck[state.dealt : self.rules.cards[0]].tolist()
        return left

    def until(self, states: Any, stop: int) -> None:
        """Play these states on until phase ``stop``, or one step with NEXT."""
        play.run_until(self.rules, self.policies, self.key, states, self.rooms, self.events, stop)

    def told(self, states: Any) -> Any:
        """The event rows of the next step of these states, which is played."""
        self.events.recording, self.events.used = 1, 0
        self.until(states, layout.NEXT)
        self.events.recording = 0
        return self.events.rows[0, : self.events.used[0]].copy()

    def steps(self) -> Iterator[Any]:
        """The state after the deal and after every step."""
        for _ in range(LONGEST):
            yield self.state
            if self.state.phase == layout.OVER:
                return
            self.until(self.states, layout.NEXT)
        raise AssertionError("the game does not end")


def hand_of(state: Any, seat: int) -> list[int]:
    """The cards in a hand."""
    hand: list[int] = state.hand[seat][: state.cards[seat]].tolist()
    return hand


def bank_of(state: Any, bank: int) -> list[int]:
    """The cards at a bank, in their order."""
    laid: list[int] = state.bank[bank][: state.bank_size[bank]].tolist()
    return laid
