"""No policy uses what is hidden: reordering it changes no decision.

Hidden are the order of every deck below a top card that a peek has shown, and, as long as decks
have not been remade, which of the unseen number cards lies in which of them. From states reached
in play, one step is played on the state and on copies in which all that is dealt anew.
"""

from random import Random
from typing import Any

import numpy as np
import pytest

from balance.games.burgle import (
    BurgleRules,
    ExpertPolicy,
    RandomPolicy,
    SimplePolicy,
    pack_policies,
    pack_rules,
)
from balance.games.burgle_trace import read_events
from kernels.burgle import layout, play
from kernels.burgle.table import guard_in_deck
from kernels.events import EVENTS
from tests.burgle_tables import key_of

SEED = 77
ROLLOUTS = 4
COPIES = 2
KEEPS_TOP = {layout.PEEK: 1, layout.TWENTY_ONE: 0, layout.TRADE: 0, layout.ALARM: 2, layout.BAIL: 0}
PLAYERS: dict[str, Any] = {
    "random": RandomPolicy(),
    "simple": SimplePolicy(),
    "expert": ExpertPolicy(),
    "expert with mistakes": ExpertPolicy(mistakes=0.3),
}
VARIANTS: dict[str, dict[str, Any]] = {
    "base": {"stealth": 4},
    "easy": {"stealth": 9, "crack": {"flush": 3}},
    "casino": {"stealth": 6, "crack": {"straight_flush": 3}, "burn": 2},
}


class Seen:
    """A running game whose states can be copied and played on."""

    def __init__(self, player: Any, rules: dict[str, Any], rollout: int) -> None:
        self.rules = pack_rules(BurgleRules(tools=[], **rules))
        self.policies = pack_policies([player] * layout.SEATS)
        self.key = key_of(SEED, rollout)
        self.states = np.zeros(1, layout.STATE).view(np.recarray)
        self.rooms = np.zeros(1, layout.SCRATCH).view(np.recarray)
        self.events = np.zeros(1, EVENTS).view(np.recarray)
        play.run_begin(self.rules, self.key, self.states, self.rooms, self.events)

    def step(self, states: Any) -> list[dict[str, Any]]:
        """Play one step on and return what it told."""
        phase = int(states[0].phase)
        following = phase + 1 if phase < layout.BAIL else layout.DRAW
        self.events.recording, self.events.used = 1, 0
        play.run_until(
            self.rules, self.policies, self.key, states, self.rooms, self.events, following
        )
        used = int(self.events.used[0])
        outcome = dict.fromkeys(("won", "stalled", "lost_to"), 0)
        return read_events(self.events.rows[0, :used], outcome)


def hidden_places(state: Any, keep: int) -> list[list[int]]:
    """For each seat the places of its deck that hide something; at least ``keep`` are left."""
    places = []
    for seat in range(layout.SEATS):
        shown = max(keep, int(state.known_top[seat] != layout.NO_CARD))
        places.append(list(range(max(0, int(state.deck_size[seat]) - shown))))
    return places


def deal_anew(states: Any, keep: int, rng: Random) -> Any:
    """A copy of the state with everything that is hidden in another order."""
    other = states.copy().view(np.recarray)
    state = other[0]
    places = hidden_places(state, keep)
    fresh = [seat for seat in range(layout.SEATS) if state.remakes[seat] == 0]
    numbers = [
        (seat, place)
        for seat in fresh
        for place in places[seat]
        if state.deck[seat][place] < layout.FIRST_GUARD
    ]
    cards = [int(state.deck[seat][place]) for seat, place in numbers]
    rng.shuffle(cards)
    for (seat, place), card in zip(numbers, cards, strict=True):
        state.deck[seat][place] = card
    for seat in range(layout.SEATS):
        cards = [int(state.deck[seat][place]) for place in places[seat]]
        rng.shuffle(cards)
        for place, card in zip(places[seat], cards, strict=True):
            state.deck[seat][place] = card
    return other


def decisions(lines: list[dict[str, Any]], phase: int) -> list[Any]:
    """What was decided in a step, as far as the copies have shown everybody the same."""
    if phase == layout.TWENTY_ONE:  # its peeks show what differs
        kept = []
        for line in lines:
            if line["event"] == "twenty_one":
                kept.append((line["seat"], line["choice"], line.get("owner")))
                if line["choice"] == "peek":
                    break
        return kept
    if phase == layout.BAIL:  # so does a Targeted alarm
        kept = []
        for line in lines:
            if line["event"] == "alarm":
                break
            if line["event"] == "bail":
                kept.append(line["seat"])
        return kept
    return lines


@pytest.mark.rule("R52")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("player", PLAYERS)
def test_what_is_hidden_changes_no_decision(player: str, variant: str) -> None:
    rng = Random(1)
    asked = dict.fromkeys(KEEPS_TOP, 0)
    for rollout in range(ROLLOUTS):
        game = Seen(PLAYERS[player], VARIANTS[variant], rollout)
        while game.states[0].phase != layout.OVER and game.states[0].round_number < 12:
            phase = int(game.states[0].phase)
            copies = []
            if phase in KEEPS_TOP:
                copies = [deal_anew(game.states, KEEPS_TOP[phase], rng) for _ in range(COPIES)]
            told = decisions(game.step(game.states), phase)
            asked[phase] = asked.get(phase, 0) + bool(told and copies)
            for copy in copies:
                assert decisions(game.step(copy), phase) == told
    assert min(asked[phase] for phase in KEEPS_TOP) > 0


@pytest.mark.rule("R52")
def test_a_top_card_put_back_is_known_until_it_leaves_the_deck() -> None:
    met = set()
    for rollout in range(ROLLOUTS):
        game = Seen(RandomPolicy(), VARIANTS["base"], rollout)
        known: dict[int, str] = {}
        while game.states[0].phase != layout.OVER and game.states[0].round_number < 12:
            for line in game.step(game.states):
                seat = line.get("seat")
                if line["event"] == "peek" and not line["discarded"]:
                    known[seat] = line["card"]
                elif line["event"] in ("draw", "flip", "peek", "shuffle"):
                    if seat in known and line["event"] in ("draw", "flip"):
                        assert line["card"] == known[seat]
                    known.pop(seat, None)
                met.add(line["event"])
            state = game.states[0]
            shown = {
                seat + 1 for seat in range(layout.SEATS) if state.known_top[seat] != layout.NO_CARD
            }
            assert shown == set(known)
            for seat in shown:
                size = int(state.deck_size[seat - 1])
                assert state.known_top[seat - 1] == state.deck[seat - 1][size - 1]
    assert {"peek", "draw", "flip", "shuffle"} <= met


@pytest.mark.rule("R53")
def test_displays_and_discards_tell_whether_a_deck_holds_its_guard() -> None:
    seen = set()
    for rollout in range(ROLLOUTS):
        game = Seen(RandomPolicy(), VARIANTS["base"], rollout)
        while game.states[0].phase != layout.OVER:
            game.step(game.states)
            state = game.states[0]
            for seat in range(layout.SEATS):
                size = int(state.deck_size[seat])
                guard = layout.FIRST_GUARD + int(state.suit[seat])
                there = guard in state.deck[seat][:size].tolist()
                assert bool(guard_in_deck(state, seat)) == there
                seen.add(there)
    assert seen == {True, False}
