"""No policy uses what is hidden: reordering it changes no decision.

Hidden are the order of the unknown places of every deck, the Van's too, and, as long as decks have
not been remade, which of the unseen number cards lies in which of them; and the order of the tool
deck. From states reached in play, one step is played on the state and on copies in which all that
is dealt anew: the first thing that differs must be a card or a tool that came to light.
"""

from random import Random
from typing import Any

import numpy as np
import pytest

from balance.games.burgle import (
    TOOLS,
    BurgleRules,
    ExpertPolicy,
    RandomPolicy,
    SearchPolicy,
    SimplePolicy,
    pack_policies,
    pack_rules,
)
from balance.games.burgle_trace import read_events
from kernels.burgle import layout, play, search
from kernels.burgle.table import NINES_AND_TENS, guard_in_deck, known_top, lies_face_up
from kernels.events import EVENTS
from tests.burgle_tables import key_of

SEED = 77
ROLLOUTS = 3
ROUNDS = 10
KEPT = (0, 1, 2, 4)  # one copy each: so many top cards stay, for what is decided after a look
PLAYERS: dict[str, Any] = {
    "random": RandomPolicy(),
    "simple": SimplePolicy(),
    "simple with mistakes": SimplePolicy(mistakes=0.3),
    "expert": ExpertPolicy(),
    "expert with mistakes": ExpertPolicy(mistakes=0.3),
    "search": SearchPolicy(continuations=8, noise=0.5),
}
VARIANTS: dict[str, dict[str, Any]] = {
    "base": {"stealth": 4, "tools": []},
    "casino": {"stealth": 6, "crack": {"straight_flush": 3}, "burn": 2, "tools": []},
    "all for 4": {"stealth": 9, "crack": {"flush": 3}, "characters": "random"},
    "all for 3": {"players": 3, "stealth": 9, "crack": {"flush": 4}, "characters": "random"},
    "all for 2": {"players": 2, "stealth": 9, "crack": {"flush": 5}, "characters": "random"},
    "at a look": {"stealth": 9, "characters": ["hawk", "rook", "spotter", "peterman"]},
}
DECIDED = {"trade", "twenty_one", "remove", "bail"}
LIGHT = {  # what comes to light in an event, and what is decided on it in the same line
    "draw": {"card"},
    "flip": {"card"},
    "peek": {"card", "discarded"},
    "rook": {"card", "discarded"},
    "hawk": {"cards", "discarded"},
    "shuffle": {"deck"},
    "tool": {"tool", "returned"},
    "use": {"places"},
}
SHOWN = {"card", "cards", "deck", "tool", "returned", "places"}


class Seen:
    """A running game whose states can be copied and played on."""

    def __init__(self, player: Any, rules: dict[str, Any], rollout: int) -> None:
        self.rules = pack_rules(BurgleRules(**rules))
        self.policies = pack_policies([player] * layout.SEATS)
        self.key = key_of(SEED, rollout)
        self.states = np.zeros(1, layout.STATE).view(np.recarray)
        self.rooms = np.zeros(1, layout.SCRATCH).view(np.recarray)
        self.events = np.zeros(1, EVENTS).view(np.recarray)
        self.piles = range(layout.SEATS + (self.rules.players[0] < layout.SEATS))
        play.run_begin(self.rules, self.policies, self.key, self.states, self.rooms, self.events)

    @property
    def goes_on(self) -> bool:
        state = self.states[0]
        return bool(state.phase != layout.OVER and state.round_number < ROUNDS)

    def step(self, states: Any) -> list[dict[str, Any]]:
        """Play one step on and return what it told."""
        phase = int(states[0].phase)
        following = phase + 1 if phase < layout.BAIL else layout.DRAW
        self.events.recording, self.events.used = 1, 0
        if self.policies.searching[0]:
            self.search_on(states, following)
        else:
            play.run_until(
                self.rules, self.policies, self.key, states, self.rooms, self.events, following
            )
        used = int(self.events.used[0])
        outcome = dict.fromkeys(("won", "stalled", "lost_to"), 0)
        return read_events(self.events.rows[0, :used], outcome)

    def search_on(self, states: Any, following: int) -> None:
        """As `play.run_until`; every search draws from the same stream."""
        both = np.zeros(2, layout.STATE).view(np.recarray)
        room = np.zeros(1, search.ROOM).view(np.recarray)
        quiet = np.zeros(1, EVENTS).view(np.recarray)
        both[0] = states[0]
        given = (self.rules, self.policies, self.key, both, self.rooms, room, self.events, quiet)
        search.run_step(*given)
        while both[0].phase not in (following, layout.OVER):
            search.run_step(*given)
        states[0] = both[0]

    def deal_anew(self, keep: int, rng: Random) -> Any:
        """A copy of the state with all that is hidden in another order.

        The ``keep`` top cards of every deck stay where they are.
        """
        copy = self.states.copy().view(np.recarray)
        state = copy[0]
        places = {pile: hidden_places(state, pile, keep) for pile in self.piles}
        fresh = [
            (pile, place)
            for pile in self.piles
            for place in places[pile]
            if state.remakes[pile] == 0 and state.deck[pile][place] < layout.FIRST_GUARD
        ]
        permute(state, fresh, rng)
        for pile in self.piles:
            face_down = lies_face_down(state, pile)
            permute(state, [(pile, place) for place in places[pile]], rng)
            while face_down and is_high(state, pile):  # R21
                permute(state, [(pile, place) for place in places[pile]], rng)
        tools = state.tool_deck[: state.tool_deck_size].tolist()
        rng.shuffle(tools)
        state.tool_deck[: len(tools)] = tools
        return copy


def hidden_places(state: Any, pile: int, keep: int) -> list[int]:
    """The places of the deck, below the ``keep`` top cards, of which nobody knows the card."""
    top = int(state.deck_size[pile]) - 1
    places = [i for i in range(top + 1 - keep) if not int(state.known[pile]) >> i & 1]
    shown = top in places and lies_face_up(state, pile, state.deck[pile][top])
    return places[:-1] if shown else places


def lies_face_down(state: Any, pile: int) -> bool:
    """Whether the top of the deck is a card that the Spotter's ability would show, was it high."""
    if pile == layout.VAN or state.deck_size[pile] == 0 or state.remakes[pile] == 0:
        return False
    return bool(state.character[pile] == layout.SPOTTER and not is_high(state, pile))


def is_high(state: Any, pile: int) -> bool:
    """Whether a 9 or a 10 is on top of the deck."""
    return bool(NINES_AND_TENS >> int(state.deck[pile][state.deck_size[pile] - 1]) & 1)


def permute(state: Any, places: list[tuple[int, int]], rng: Random) -> None:
    """Put the cards at these places of decks into another order."""
    cards = [int(state.deck[pile][place]) for pile, place in places]
    rng.shuffle(cards)
    for (pile, place), card in zip(places, cards, strict=True):
        state.deck[pile][place] = card


def same_decisions(told: list[dict[str, Any]], other: list[dict[str, Any]]) -> bool:
    """Whether two tales are the same up to the first card or tool that came to light otherwise."""
    for line, twin in zip(told, other, strict=False):
        if line != twin:
            differing = {
                name for name in line.keys() | twin.keys() if line.get(name) != twin.get(name)
            }
            light = LIGHT.get(line["event"], set())
            return line["event"] == twin["event"] and differing <= light and bool(differing & SHOWN)
    return len(told) == len(other)


@pytest.mark.rule("R52")
def test_only_what_comes_to_light_may_differ() -> None:
    draw, bail = {"event": "draw", "seat": 1, "card": "2C"}, {"event": "bail", "seat": 2}
    peek = {"event": "peek", "seat": 1, "card": "2C", "discarded": False}
    use = {"event": "use", "seat": 1, "tool": "crystal_ball", "places": []}
    assert same_decisions([draw, bail], [draw, bail])
    assert same_decisions([draw, bail], [{**draw, "card": "3C"}])
    assert same_decisions([peek], [{**peek, "card": "3C", "discarded": True}])
    assert same_decisions([use], [{**use, "places": [{"seat": 2, "place": 1}]}])
    assert not same_decisions([bail], [])
    assert not same_decisions([draw], [bail])
    assert not same_decisions([bail], [{**bail, "seat": 1}])
    assert not same_decisions([peek], [{**peek, "discarded": True}])
    assert not same_decisions([use], [{**use, "tool": "emp"}])


@pytest.mark.rule("R52", "R54")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("player", PLAYERS)
def test_what_is_hidden_changes_no_decision(player: str, variant: str) -> None:
    rng = Random(1)
    asked: set[str] = set()
    for rollout in range(ROLLOUTS):
        game = Seen(PLAYERS[player], VARIANTS[variant], rollout)
        while game.goes_on:
            phase = int(game.states[0].phase)
            copies = [game.deal_anew(keep, rng) for keep in KEPT]
            told = game.step(game.states)
            asked |= {line["event"] for line in told}
            for copy in copies:
                assert same_decisions(told, game.step(copy)), f"phase {phase}"
    assert asked >= DECIDED
    assert asked & {"peek", "hawk"}


@pytest.mark.rule("R54")
def test_the_copies_deal_the_vans_deck_and_unseen_cards_of_all_fresh_decks_anew() -> None:
    rng = Random(2)
    game = Seen(RandomPolicy(), VARIANTS["all for 3"], 0)
    before = game.states[0]
    after = game.deal_anew(0, rng)[0]
    for pile in (0, 1, 2, layout.VAN):
        assert set(before.deck[pile][:11].tolist()) != set(after.deck[pile][:11].tolist())
    assert before.tool_deck.tolist() != after.tool_deck.tolist()
    assert before.unseen == after.unseen


class Watcher:
    """Which places of the decks everybody knows, by what the trace tells, the top first."""

    def __init__(self, game: Seen) -> None:
        names = [*range(1, layout.SEATS + 1), "van"]
        self.known = {
            name: [False] * int(game.states[0].deck_size[pile]) for pile, name in enumerate(names)
        }

    def follow(self, line: dict[str, Any]) -> None:
        event, seat = line["event"], line.get("seat")
        if event == "shuffle":
            self.known[seat] = [False] * len(line["deck"])
        elif event in ("draw", "flip"):
            del self.known[seat][0]
        elif event in ("peek", "rook"):
            deck = self.known[line.get("target", seat)]
            deck[0] = True
            if line["discarded"]:
                del deck[0]
        elif event == "hawk":
            deck = self.known[seat]
            deck[:2] = [True, True]
            if "discarded" in line:
                del deck[0]
        elif event == "on_top":
            self.known[seat].insert(0, True)
        elif event == "use":
            for found in line.get("places", ()):
                self.known[found["seat"]][found["place"] - 1] = True


@pytest.mark.rule("R52", "R36")
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_card_that_was_shown_is_known_until_it_leaves_or_the_deck_is_shuffled(
    variant: str,
) -> None:
    met = set()
    for rollout in range(2 * ROLLOUTS):
        game = Seen(RandomPolicy(), VARIANTS[variant], rollout)
        watcher = Watcher(game)
        while game.goes_on:
            for line in game.step(game.states):
                watcher.follow(line)
                met.add(line["event"])
            state = game.states[0]
            for pile, known in enumerate(watcher.known.values()):
                size = int(state.deck_size[pile])
                assert [bool(int(state.known[pile]) >> size - 1 - i & 1) for i in range(size)] == (
                    known
                )
                if known and known[0]:
                    assert known_top(state, pile) == state.deck[pile][size - 1]
    assert {"peek", "draw", "flip", "shuffle"} <= met
    if variant == "at a look":
        assert {"hawk", "rook", "on_top"} <= met


@pytest.mark.rule("R53")
@pytest.mark.parametrize("variant", VARIANTS)
def test_displays_and_discards_tell_whether_a_deck_holds_its_guard(variant: str) -> None:
    seen = set()
    for rollout in range(ROLLOUTS):
        game = Seen(RandomPolicy(), VARIANTS[variant], rollout)
        while game.goes_on:
            game.step(game.states)
            state = game.states[0]
            for seat in range(int(game.rules.players[0])):
                size = int(state.deck_size[seat])
                guard = layout.FIRST_GUARD + int(state.suit[seat])
                there = guard in state.deck[seat][:size].tolist()
                assert bool(guard_in_deck(state, seat)) == there
                seen.add(there)
    assert seen == {True, False}


@pytest.mark.rule("R54")
def test_tools_come_up_in_these_games() -> None:
    used = set()
    for variant in VARIANTS:
        for rollout in range(8 * ROLLOUTS):
            game = Seen(SimplePolicy(mistakes=0.5), VARIANTS[variant], rollout)
            while game.goes_on:
                used |= {line["tool"] for line in game.step(game.states) if line["event"] == "use"}
    assert used == set(TOOLS)
