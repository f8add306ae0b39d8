"""Scripted tables of Vault Breakers: rules, players and states with chosen cards and dice."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from balance.games.vault import (
    COLUMNS,
    ExpertPolicy,
    RandomPolicy,
    VaultRules,
    pack_policies,
    pack_rules,
)
from balance.games.vault_cards import COLOURS
from balance.games.vault_trace import ENDINGS, read_events
from kernels.events import EVENTS
from kernels.streams import below, draw, stream
from kernels.vault import breaking, cards, hand, happenings, layout, loot, play

SUITS = "DCHS"
FACES = {"J": layout.JACK, "Q": layout.QUEEN, "K": layout.KING}
NAMES = [column.name for column in COLUMNS]

Want = tuple[int, int, int, tuple[tuple[int, int], ...]]
"""A purpose, a seat, how many times before, and (value, of how many) of every draw."""


@cache
def key_with(wants: tuple[Want, ...]) -> Any:
    """The first key (uint64) whose streams give all that is wanted."""
    for number in range(20_000_000):
        if all(_gives(np.uint64(number), want) for want in wants):
            return np.uint64(number)
    raise AssertionError(f"no key gives {wants}")


def _gives(key: Any, want: Want) -> bool:
    purpose, seat, times, values = want
    start = np.uint64(stream(key, purpose, seat, times))
    return all(
        below(np.uint64(draw(start, n)), of) == value for n, (value, of) in enumerate(values)
    )


def card(effect: str, when: str | None = None, **more: Any) -> dict[str, Any]:
    """An action, or with ``when`` a reaction, that is called what it does."""
    fields = {"name": effect, "effect": effect, **more}
    return fields if when is None else {**fields, "when": when}


class Table:
    """A game that a test sets up card by card and plays step by step.

    Seats count from 0 as in the kernels (from 1 in the events told). A fresh table is about to
    start the first turn of seat 0; hands, decks, the Vault and the piles are empty, all tokens are
    in the supply. Players are `random` where none are named: what they decide is scripted by
    ``says``, as are dice and lots by ``dice``, ``dies``, ``again``, ``picks`` and ``aims``. All of
    these are about what is played next.
    """

    def __init__(self, policy: Any = None, **rules: Any) -> None:
        self.model = VaultRules(**rules)
        seats = self.model.players
        players = policy if isinstance(policy, list) else [policy or RandomPolicy()] * seats
        self.rules = pack_rules(self.model)
        self.policies = pack_policies(players)
        self.states = np.zeros(1, layout.STATE).view(np.recarray)
        self.rooms = np.zeros(1, layout.SCRATCH).view(np.recarray)
        self.events = np.zeros(1, EVENTS).view(np.recarray)
        self.key = np.uint64(12345)
        self.wants: list[Want] = []
        play.run_begin(self.rules, self.policies, self.key, self.states, self.rooms, self.events)
        self.events.recording = 1
        state = self.state
        for seat in range(layout.SEATS):
            play.clear_seat(state, seat)
        state.deck_size = 0
        state.pile_size[:] = 0
        state.vault_top = self.rules.loot_cards[0]
        state.turn = 1
        self.rooms.loot_total = sum(value * n for value, n in self.model.loot.items())

    @property
    def state(self) -> Any:
        return self.states[0]

    # setting up

    def number(self, name: str) -> int:
        """The kernel's number of a training card: `AD`, `10S`, `KH`."""
        rank, suit = name[:-1], SUITS.index(name[-1])
        value = self.model.ace_value if rank == "A" else 0 if rank in FACES else int(rank)
        return suit * layout.PLACES + (FACES[rank] if rank in FACES else value - 1)

    def hand(self, seat: int, *names: str) -> None:
        """Give the seat these training cards."""
        for name in names:
            hand.add_card(self.state, seat, self.number(name))

    def deck(self, *names: str) -> None:
        """Lay the training deck, top card first."""
        self.state.deck_top, self.state.deck_size = 0, len(names)
        self.state.deck[: len(names)] = [self.number(name) for name in names]

    def tokens(self, seat: int, **colours: int) -> None:
        """Give the seat these tokens of the supply."""
        for name, n in colours.items():
            colour = COLOURS.index(name)
            self.state.token[seat][colour] += n
            self.state.tokens[seat] += n
            self.state.supply[colour] -= n

    def supply(self, **colours: int) -> None:
        """What is left in the supply of these colours."""
        for name, n in colours.items():
            self.state.supply[COLOURS.index(name)] = n

    def vault(self, *values: int) -> None:
        """Lay the Vault, top card first."""
        last = int(self.rules.loot_cards[0])
        self.state.vault_top = last - len(values)
        self.state.vault[last - len(values) : last] = values

    def loot(self, seat: int, *values: int) -> None:
        """Give the seat these loot cards."""
        for value in values:
            loot.gain_loot(self.state, seat, value)

    def pile(self, deck: str, *names: str) -> None:
        """Lay the action or the reaction deck (`actions`, `reactions`), top card first."""
        place = self._place(deck)
        self.state.pile_top[place], self.state.pile_size[place] = 0, len(names)
        self.state.pile[place][: len(names)] = [self._kind(deck, name) for name in names]

    def holds(self, seat: int, action: str | None = None, reaction: str | None = None) -> None:
        """The seat's action and reaction."""
        for place, (deck, name) in enumerate((("actions", action), ("reactions", reaction))):
            if name is not None:
                self.state.holds[place][seat] = self._kind(deck, name)

    def broken(self, times: int) -> None:
        """The vault has been broken so often before."""
        self.state.breaks = times

    def _place(self, deck: str) -> int:
        return ("actions", "reactions").index(deck)

    def _kind(self, deck: str, name: str) -> int:
        return [kind.name for kind in getattr(self.model, deck)].index(name)

    # scripting chance

    def dice(self, *faces: int) -> None:
        """The next roll to break the vault."""
        self._want(layout.ROLL, 0, layout.ATTEMPTS, [(face - 1, 6) for face in faces])

    def dies(self, face: int) -> None:
        """The failure die of the next break."""
        self._want(layout.FAILURE, 0, layout.ATTEMPTS, [(face - 1, 6)])

    def again(self, *faces: int) -> None:
        """The dice that are rolled again next."""
        self._at(layout.REROLL, 0, int(self.state.rerolls), [(face - 1, 6) for face in faces])

    def picks(self, seat: int, *lots: tuple[int, int]) -> None:
        """What the seat loses at random next: places among how many, from 0."""
        self._at(layout.LOSS, seat, int(self.state.losses[seat]), lots)

    def aims(self, seat: int, place: int) -> None:
        """At whom the seat's `random` card aims: the place among the others clockwise, from 1."""
        others = self.model.players - 1
        self._at(layout.TARGET, seat, int(self.state.targets), [(place - 1, others)])

    def says(self, seat: int, *answers: int, of: int = 2) -> None:
        """What a random player answers to the questions that come next (1 is yes)."""
        first = int(self.state.coins[seat])
        asked = [w[2] for w in self.wants if w[:2] == (layout.COIN, seat)]
        for times, answer in enumerate(answers, start=max([first, *(n + 1 for n in asked)])):
            self._at(layout.COIN, seat, times, [(answer, of)])

    def _want(self, purpose: int, seat: int, column: int, lots: Sequence[tuple[int, int]]) -> None:
        self._at(purpose, seat, int(self.state.count[column]), lots)

    def _at(self, purpose: int, seat: int, times: int, lots: Sequence[tuple[int, int]]) -> None:
        self.wants.append((purpose, seat, times, tuple((int(n), of) for n, of in lots)))

    def _settle(self) -> None:
        if self.wants:
            self.key = key_with(tuple(self.wants))
            self.wants = []

    # playing

    def play(self, start: int, stop: int = layout.NEXT) -> None:
        """Play from phase ``start`` until ``stop`` is next, by default one step."""
        self._settle()
        if start == layout.TURN_START:
            self.state.turn -= 1
        self.state.phase = start
        rooms, events = self.rooms, self.events
        play.run_until(self.rules, self.policies, self.key, self.states, rooms, events, stop)

    def start_turn(self, seat: int = 0) -> None:
        """Play the start of the seat's turn, up to its combining."""
        self.state.seat = seat
        self.play(layout.TURN_START)

    def combine(self, seat: int = 0) -> None:
        """The seat combines."""
        self.state.seat = seat
        self.play(layout.TRAIN)

    def choose(self, seat: int = 0) -> None:
        """The seat acts, breaks or passes, as it wants."""
        self.state.seat = seat
        self.play(layout.CHOOSE)

    def break_in(self, parts: Mapping[int, int], shares: Sequence[int] = ()) -> None:
        """The first of these seats breaks the vault: dice by seat, and who gets which loot."""
        self._settle()
        room = self.rooms[0]
        self.state.seat = next(iter(parts))
        room.part[:] = [parts.get(seat, 0) for seat in range(layout.SEATS)]
        room.shares = len(shares)
        room.share[: len(shares)] = shares
        breaking.break_vault(*self._all())

    def act(self, seat: int = 0) -> None:
        """The seat plays its action."""
        self._settle()
        self.state.seat = seat
        cards.act(*self._all())

    def react(self, seat: int, moment: str) -> None:
        """The seat is asked for its reaction at a moment that nothing else leads to."""
        self._settle()
        moments = ("on_targeted", "on_any_break", "on_my_failure", "on_action")
        cards.about(self.rooms[0], int(self.state.seat), layout.NO_CARD, 0, 0)
        rules, policies, key, state, room, events = self._all()
        number = moments.index(moment)
        cards.react(rules, policies, key, state, seat, number, room, events)

    def finish(self) -> dict[str, int]:
        """Score the game as it stands; return the outcome columns by name."""
        outcome = np.zeros(len(NAMES), np.int32)
        play.finish(self.rules[0], self.state, outcome, self.events[0])
        return dict(zip(NAMES, outcome.tolist(), strict=True))

    def _all(self) -> tuple[Any, ...]:
        given = (self.rules[0], self.policies[0], self.key, self.state)
        return (*given, self.rooms[0], self.events[0])

    # reading back

    def in_hand(self, seat: int) -> list[str]:
        """The seat's training cards, sorted by suit and rank."""
        found: list[str] = []
        for suit in range(layout.SUITS):
            for place in range(layout.PLACES):
                copies = int(self.state.copies[seat][suit]) >> 4 * place & 15
                if copies:
                    found += [self._name(suit * layout.PLACES + place)] * copies
        return found

    def in_deck(self) -> list[str]:
        """The training deck, top card first."""
        state = self.state
        ring = [(int(state.deck_top) + i) % layout.DECK_ROOM for i in range(int(state.deck_size))]
        return [self._name(int(state.deck[place])) for place in ring]

    def _name(self, number: int) -> str:
        names = [f"{rank}{suit}" for suit in SUITS for rank in ("A", *range(2, 11), *FACES)]
        return next(name for name in names if self.number(name) == number)

    def in_pile(self, deck: str) -> list[str]:
        """The action or the reaction deck, top card first."""
        place, state = self._place(deck), self.state
        top, size = int(state.pile_top[place]), int(state.pile_size[place])
        kinds = [int(state.pile[place][(top + i) % layout.PILE_ROOM]) for i in range(size)]
        return [getattr(self.model, deck)[kind].name for kind in kinds]

    def held(self, seat: int, deck: str) -> str | None:
        """The seat's action or reaction."""
        kind = int(self.state.holds[self._place(deck)][seat])
        return None if kind == layout.NO_CARD else getattr(self.model, deck)[kind].name

    def purse(self, seat: int) -> dict[str, int]:
        """The seat's tokens by colour, those that it has."""
        found = self._colours(self.state.token[seat])
        assert sum(found.values()) == self.state.tokens[seat]
        return found

    def left(self) -> dict[str, int]:
        """The supply by colour, where there is any."""
        return self._colours(self.state.supply)

    def _colours(self, numbers: Any) -> dict[str, int]:
        return {name: int(n) for name, n in zip(COLOURS, numbers, strict=True) if n}

    def looted(self, seat: int) -> list[int]:
        """The seat's loot cards, sorted."""
        found = sorted(int(n) for n in self.state.loot[seat][: self.state.loots[seat]])
        assert sum(found) == self.state.vp[seat]
        return found

    def in_vault(self) -> list[int]:
        """The Vault, top card first."""
        last = int(self.rules.loot_cards[0])
        return [int(n) for n in self.state.vault[int(self.state.vault_top) : last]]

    def skippers(self) -> list[int]:
        """The seats that must skip their next turn."""
        return [seat for seat in range(layout.SEATS) if self.state.skips[seat]]

    def counted(self, name: str) -> int:
        """An outcome column so far."""
        return int(self.state.count[NAMES.index(name)])

    @property
    def over(self) -> str | None:
        """What ended the game, if it is over."""
        if self.state.phase != layout.OVER:
            return None
        return ENDINGS[self.counted("ended_by")]

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


def expert_table(knobs: dict[str, float] | None = None, **rules: Any) -> Table:
    """A table of experts with these knobs and else the shipped ones."""
    return Table(ExpertPolicy(**(knobs or {})), **rules)
