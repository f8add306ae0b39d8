"""Scripted tables of Burgle Bros Blackjack: rules, players and states with chosen cards."""

from collections.abc import Callable
from typing import Any

import numpy as np

from balance.games.burgle import (
    BurgleRules,
    RandomPolicy,
    SimplePolicy,
    pack_policies,
    pack_rules,
)
from balance.games.burgle_trace import card_name, pile_names, read_events
from kernels.burgle import layout, play
from kernels.burgle.table import IS_ACE, counts_for
from kernels.events import EVENTS
from kernels.streams import rollout_key

SUITS = "CDHS"

GO_ON = SimplePolicy(bail_at=99, targeted_bail_at=99)  # never bails
LEAVE = SimplePolicy(bail_at=0, targeted_bail_at=0)  # bails at once, short of four of the suit


def card(name: str) -> int:
    """The number of a card: `AC`, `10S`, `JH`, `Joker`."""
    if name == "Joker":
        return layout.JOKER
    rank, suit = name[:-1], SUITS.index(name[-1])
    if rank == "J":
        return layout.FIRST_GUARD + suit
    return suit * layout.RANKS + (1 if rank == "A" else int(rank)) - 1


def pile(*names: str) -> int:
    """The set of these cards."""
    return sum(1 << card(name) for name in names)


def key_of(seed: int, rollout: int) -> Any:
    """The key (uint64) of a rollout, as the compiled functions take it."""
    return np.uint64(rollout_key(np.uint64(seed), rollout))


class Table:
    """A game that a test sets up card by card and plays step by step.

    Seats count from 0 as in the kernels. A fresh table is in its first round, all seats are active,
    seat s has the Guard of suit s (C, D, H, S), and all decks, discards and displays are empty.
    """

    def __init__(self, policy: Any = None, **rules: Any) -> None:
        players = policy if isinstance(policy, list) else [policy or SimplePolicy()] * layout.SEATS
        self.rules = pack_rules(BurgleRules(tools=[], **rules))
        self.policies = pack_policies(players)
        self.states = np.zeros(1, layout.STATE).view(np.recarray)
        self.rooms = np.zeros(1, layout.SCRATCH).view(np.recarray)
        self.events = np.zeros(1, EVENTS).view(np.recarray)
        self.key = np.uint64(12345)
        play.run_begin(self.rules, self.key, self.states, self.rooms, self.events)
        self.events.recording = 1
        state = self.state
        state.phase, state.round_number, state.turn = layout.DRAW, 1, 0
        state.count[layout.ROUNDS] = 1
        for seat in range(layout.SEATS):
            state.suit[seat] = seat
            state.active[seat] = 1
            state.deck_size[seat] = 0

    @property
    def state(self) -> Any:
        return self.states[0]

    def deck(self, seat: int, *names: str) -> None:
        """Lay the seat's deck, top card first."""
        self.state.deck_size[seat] = len(names)
        for place, name in enumerate(reversed(names)):
            self.state.deck[seat][place] = card(name)

    def discards(self, seat: int, *names: str) -> None:
        self.state.discards[seat] = pile(*names)

    def display(self, seat: int, *names: str) -> None:
        """Lay the seat's display; the last card is its current card."""
        state = self.state
        cards = [card(name) for name in names]
        state.display[seat] = pile(*names)
        state.hard[seat] = sum(int(self.rules.value[0, c]) for c in cards)
        state.aces[seat] = sum(int(IS_ACE[c]) for c in cards)
        state.held[seat] = sum(int(counts_for(c, state.suit[seat])) for c in cards)
        state.current[seat] = cards[-1] if cards else layout.NO_CARD
        state.drew[seat] = 1
        state.turn = max(int(state.turn), 1)

    def cracked(self, *seats: int) -> None:
        """These seats have cracked their safes before."""
        for seat in seats:
            self.state.cracked[seat] = 1
            self.state.to_crack -= 1

    def inactive(self, *seats: int) -> None:
        for seat in seats:
            self.state.active[seat] = 0

    def play(self, start: int, stop: int) -> None:
        """Play the steps from phase ``start`` until the game is about to enter ``stop``.

        Where the peek step is left out, the seats that are active now are the ones to be checked.
        """
        state = self.state
        state.phase = start
        if start in (layout.TWENTY_ONE, layout.CRACK):
            state.checked = sum(1 << s for s in range(layout.SEATS) if state.active[s])
        play.run_until(
            self.rules, self.policies, self.key, self.states, self.rooms, self.events, stop
        )

    def shown(self, seat: int) -> set[str]:
        """The cards in the seat's display."""
        return set(pile_names(int(self.state.display[seat])))

    def discarded(self, seat: int) -> set[str]:
        """The cards in the seat's discards."""
        return set(pile_names(int(self.state.discards[seat])))

    def left(self, seat: int) -> list[str]:
        """The seat's deck, top card first."""
        size = int(self.state.deck_size[seat])
        return [card_name(int(number)) for number in self.state.deck[seat][:size][::-1]]

    def current(self, seat: int) -> str | None:
        """The seat's current card, if it has one."""
        number = int(self.state.current[seat])
        return None if number == layout.NO_CARD else card_name(number)

    def counted(self, column: int) -> int:
        """An outcome column so far."""
        return int(self.state.count[column])

    def told_of(self, event: str) -> list[dict[str, Any]]:
        """The events of one kind so far, without kind, round and turn."""
        hidden = ("event", "round", "turn")
        return [
            {name: value for name, value in line.items() if name not in hidden}
            for line in self.told()
            if line["event"] == event
        ]

    def told(self) -> list[dict[str, Any]]:
        """The events so far as trace lines (seats count from 1 there)."""
        used = int(self.events.used[0])
        outcome = dict.fromkeys(("won", "stalled", "lost_to"), 0)
        return read_events(self.events.rows[0, :used], outcome)


def first_random(
    lay: Callable[[Table], None], start: int, stop: int, event: str, **fields: Any
) -> Table:
    """A table of random players, laid by ``lay``, where the first such event has these fields.

    Rollouts are tried in order, so a decision that is legal but rare comes up as well.
    """
    for rollout in range(200):
        table = Table(RandomPolicy())
        table.key = key_of(1, rollout)
        lay(table)
        table.play(start, stop)
        told = table.told_of(event)
        if told and fields.items() <= told[0].items():
            return table
    raise AssertionError(f"no random player decided {event} {fields}")
