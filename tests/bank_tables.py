"""Scripted tables of Bank Robbers: rules, players and states with chosen cards and stakes."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from balance.games.bank import (
    COLUMNS,
    BankRules,
    ExpertPolicy,
    RandomPolicy,
    kinds_of,
    pack_policies,
    pack_rules,
)
from balance.games.bank_expert import KNOBS
from balance.games.bank_trace import read_events
from balance.values import explain
from kernels.bank import banks, happenings, layout, play, robbery
from kernels.events import EVENTS

ACTIONS = ("play", "look", "reveal", "rob")
SPECIALS = ("lady", "guard", "judge", "thief", "multiply")
RESULTS = {"paid": 1, "short": 2, "guarded": 4, "thieved": 8, "lady": 16}
NAMES = [column.name for column in COLUMNS]
FACE_UP = "^"


class Table:
    """A game that a test sets up card by card and plays step by step.

    Seats and banks count from 0 as in the kernels (from 1 in the events told). A fresh table is
    about to start the first turn of seat 0: hands and banks are empty, the deck holds one card so
    that the game goes on, all have the coins of the rules. Players are `random` where none are
    named; stakes can be scripted by ``stakes``.
    """

    def __init__(self, policy: Any = None, **rules: Any) -> None:
        self.model = BankRules(**rules)
        seats = self.model.players
        players = policy if isinstance(policy, list) else [policy or RandomPolicy()] * seats
        self.rules = pack_rules(self.model)
        self.policies = pack_policies(players)
        self.states = np.zeros(1, layout.STATE).view(np.recarray)
        self.rooms = np.zeros(1, layout.SCRATCH).view(np.recarray)
        self.events = np.zeros(1, EVENTS).view(np.recarray)
        self.key = np.uint64(12345)
        self.cards = card_names(self.model)
        self.deal()
        self.events.used = 0
        self.events.recording = 1
        self.deck(self.cards[-1])
        state = self.state
        state.cards[:] = 0
        state.bank_size[:] = 0
        state.money[:] = 0
        state.specials[:] = 0

    @property
    def state(self) -> Any:
        return self.states[0]

    def deal(self, key: int = 12345) -> None:
        """Deal a new game."""
        self.key = np.uint64(key)
        self.events.used = 0
        play.run_begin(self.rules, self.policies, self.key, self.states, self.rooms, self.events)

    # setting up

    def hand(self, seat: int, *names: str) -> None:
        """Give the seat these cards."""
        for name in names:
            self.state.hand[seat, self.state.cards[seat]] = self.cards.index(name)
            self.state.cards[seat] += 1

    def deck(self, *names: str) -> None:
        """Lay the deck, top card first."""
        last = int(self.rules.cards[0])
        self.state.dealt = last - len(names)
        self.state.deck[last - len(names) : last] = [self.cards.index(name) for name in names]

    def bank(self, bank: int, *names: str, seen: Iterable[tuple[int, int]] = ()) -> None:
        """Lay these cards at the bank, `5^` face up; ``seen`` are seats and places they know."""
        for name in names:
            place = int(self.state.bank_size[bank])
            banks.lay(self.rules[0], self.state, bank, self.cards.index(name.rstrip(FACE_UP)))
            if name.endswith(FACE_UP):
                self.state.open[bank] |= 1 << place
        for seat, place in seen:
            self.state.seen[seat, bank] |= 1 << place

    def gone(self, *names: str) -> None:
        """These cards were robbed before."""
        for name in names:
            self.state.gone[self.cards.index(name)] += 1

    def coins(self, *coins: int) -> None:
        """What each seat has."""
        self.state.coins[: len(coins)] = coins

    def tiles(self, *actions: str) -> None:
        """The tiles that will be revealed, the next one first."""
        self.state.tiles_left = len(actions)
        self.state.tile[: len(actions)] = [ACTIONS.index(action) for action in reversed(actions)]

    def stakes(self, *stakes: int) -> None:
        """What each seat will stake in every robbery; they rob the first bank that holds cards."""
        for seat, stake in enumerate(stakes):
            self.policies.kind[0, seat] = layout.PLANNER
            self.policies.mistakes[0, seat] = 0.0
            self.policies.knobs[0, seat] = 0.0
            self.policies.mix[0, seat] = 0.0
            self.policies.mix[0, seat, :, stake:] = 1.0

    def seed(self, number: int) -> None:
        """Other random numbers."""
        self.key = np.uint64(number)

    # playing

    def turn(self, seat: int = 0, *actions: str) -> None:
        """Play a turn of the seat, with these tiles next if any are given."""
        if actions:
            self.tiles(*actions)
        self.state.seat = seat
        self.state.phase = layout.TURN_START
        self.step()
        self.step()

    def turns(self, n: int) -> None:
        """Play so many turns from where the game stands."""
        for _ in range(2 * n):
            self.step()

    def step(self) -> None:
        """Play one step, whatever it is."""
        given = (self.rules, self.policies, self.key, self.states, self.rooms, self.events)
        play.run_until(*given, layout.NEXT)

    def rob(self, seat: int, bank: int, stakes: Sequence[int] = (), final: bool = False) -> None:
        """The seat robs the bank, and these are the stakes if any are given."""
        self.stakes(*stakes)
        given = (self.rules[0], self.policies[0], self.key, self.state, seat, bank, int(final))
        play.rob(*given, self.rooms[0], self.events[0])

    def robbed(self, stakes: str, *cards: str, robber: int = 0) -> list[int]:
        """What each gains by a robbery of these cards with these stakes."""
        bank = int(self.state.bank_size.argmin())
        self.bank(bank, *cards)
        self.rob(robber, bank, [int(stake) for stake in stakes.split()])
        return self.gains()

    def finish(self) -> dict[str, int]:
        """Score the game as it stands; return the outcome columns by name."""
        outcome = np.zeros(len(NAMES), np.int32)
        play.finish(self.rules[0], self.state, outcome, self.events[0])
        return dict(zip(NAMES, outcome.tolist(), strict=True))

    # reading back

    def in_hand(self, seat: int) -> list[str]:
        """The seat's cards in the order in which they came."""
        return [self.cards[n] for n in self.state.hand[seat, : self.state.cards[seat]]]

    def in_deck(self) -> list[str]:
        """The deck, top card first."""
        return [self.cards[n] for n in self.state.deck[self.state.dealt : self.rules.cards[0]]]

    def at_bank(self, bank: int) -> list[str]:
        """The cards of the bank; `5^` lies face up."""
        size, up = int(self.state.bank_size[bank]), int(self.state.open[bank])
        found = [self.cards[n] for n in self.state.bank[bank, :size]]
        money = [self.rules.value[0, n] for n in self.state.bank[bank, :size]]
        assert sum(money) == self.state.money[bank]
        for kind, name in enumerate(SPECIALS):
            packed = int(self.state.specials[bank])
            assert packed >> kind * layout.COUNT_BITS & layout.COUNT == found.count(name)
        return [name + FACE_UP if up >> place & 1 else name for place, name in enumerate(found)]

    def knows(self, seat: int, bank: int) -> list[int]:
        """The places of face-down cards of the bank that the seat has seen."""
        bits = int(self.state.seen[seat, bank])
        return [place for place in range(layout.BANK_ROOM) if bits >> place & 1]

    def purse(self) -> list[int]:
        """The coins of every seat."""
        return [int(n) for n in self.state.coins[: self.model.players]]

    def gains(self) -> list[int]:
        """What each seat gained in the last robbery."""
        return [int(n) for n in self.state.gain[: self.model.players]]

    def counted(self, name: str) -> int:
        """An outcome column so far."""
        return int(self.state.count[NAMES.index(name)])

    @property
    def over(self) -> bool:
        return bool(self.state.phase == layout.OVER)

    def told(self) -> list[dict[str, Any]]:
        """The events so far as trace lines (seats count from 1 there), without the turn."""
        rows = self.events.rows[0, : int(self.events.used[0])]
        ended = np.zeros((1, rows.shape[1]), np.int64)
        ended[0, 0] = happenings.ENDED
        lines = read_events(np.concatenate([rows, ended]), dict.fromkeys(NAMES, 0), self.model)
        return [{name: line[name] for name in line if name != "turn"} for line in lines[:-1]]

    def told_of(self, event: str) -> list[dict[str, Any]]:
        """The events of one kind so far, without the kind."""
        lines = [line for line in self.told() if line["event"] == event]
        return [{name: line[name] for name in line if name != "event"} for line in lines]

    def kinds(self) -> list[str]:
        """The kinds of the events so far, in order."""
        return [line["event"] for line in self.told()]


def card_names(rules: Any) -> list[str]:
    """What the kernel's kinds of cards are called."""
    return [*SPECIALS, *(str(coins) for coins, _ in kinds_of(rules.deck)[len(SPECIALS) :])]


class Resolver:
    """Robberies resolved by the kernel alone, by these rules."""

    def __init__(self, **rules: Any) -> None:
        self.rules = pack_rules(BankRules(**rules))
        self.gain = np.zeros(layout.SEATS, np.int64)
        self.order = np.zeros(layout.SEATS, np.int64)

    def __call__(
        self, stakes: Sequence[int], pot: int, specials: Sequence[str] = (), robber: int = 0
    ) -> list[int]:
        """What each gains beyond its stake."""
        n = len(stakes)
        room = np.zeros(layout.SEATS, np.int64)
        room[:n] = stakes
        self.gain[:] = 99
        self.bits = robbery.resolve(
            self.rules[0], n, pot, packed(specials), robber, room, self.gain, self.order
        )
        assert room[:n].tolist() == list(stakes)
        return [int(gain) for gain in self.gain[:n]]

    def acting(self, specials: Sequence[str]) -> dict[str, int]:
        """Which specials act, and how many X."""
        bits = robbery.acting(self.rules[0], packed(specials))
        found = {name: bits >> kind & 1 for kind, name in enumerate(SPECIALS[:-1])}
        found["multiply"] = bits >> layout.COUNT_BITS
        return {name: int(n) for name, n in found.items() if n}

    @property
    def what(self) -> set[str]:
        """What happened in the last robbery."""
        return {name for name, bit in RESULTS.items() if self.bits & bit}

    def took(self, players: int) -> list[int]:
        """The seats in the order of taking in the last robbery."""
        return [int(seat) for seat in self.order[:players]]


def packed(specials: Sequence[str]) -> int:
    """Specials of a bank as the kernel packs them."""
    return sum(1 << SPECIALS.index(name) * layout.COUNT_BITS for name in specials)


def planner(knobs: dict[str, float] | None = None, **options: Any) -> ExpertPolicy:
    """A planning player whose knobs are all 0 but for these."""
    return ExpertPolicy(**{**dict.fromkeys(KNOBS, 0.0), **(knobs or {})}, **options)


def refused(model: Any, **fields: Any) -> str:
    """What is said where these fields are refused: the first fault, in one line."""
    with pytest.raises(ValidationError) as caught:
        model(**fields)
    message = explain(caught.value.errors()[0])
    assert len(message.splitlines()) == 1
    return message
