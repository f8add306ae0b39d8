"""Scripted tables of Burgle Bros Blackjack: rules, players and states with chosen cards."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from balance.games.burgle import (
    CHARACTERS,
    TOOLS,
    BurgleRules,
    ExpertPolicy,
    RandomPolicy,
    SimplePolicy,
    pack_policies,
    pack_rules,
)
from balance.games.burgle_trace import card_name, pile_names, read_events
from kernels.burgle import layout, legal, play, tools
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
    The Man in the Van, where there is one, is the pile `layout.VAN`. Nobody holds a tool and the
    tool deck is empty, whatever tools the rules name (by default none).
    """

    def __init__(self, policy: Any = None, **rules: Any) -> None:
        players = policy if isinstance(policy, list) else [policy or SimplePolicy()] * layout.SEATS
        self.rules = pack_rules(BurgleRules(**{"tools": [], **rules}))
        self.policies = pack_policies(players)
        self.states = np.zeros(1, layout.STATE).view(np.recarray)
        self.rooms = np.zeros(1, layout.SCRATCH).view(np.recarray)
        self.events = np.zeros(1, EVENTS).view(np.recarray)
        self.key = np.uint64(12345)
        play.run_begin(self.rules, self.policies, self.key, self.states, self.rooms, self.events)
        self.events.recording = 1
        state = self.state
        state.phase, state.round_number, state.turn = layout.DRAW, 1, 0
        state.count[layout.ROUNDS] = 1
        for seat in range(layout.SEATS):
            state.suit[seat] = seat
            state.active[seat] = seat < self.rules.players[0]
        state.deck_size[:] = 0
        state.tools[:] = 0
        state.tools_held = state.tool_deck_size = 0
        state.ability[:] = 0

    @property
    def state(self) -> Any:
        return self.states[0]

    def deck(self, seat: int, *names: str) -> None:
        """Lay the seat's deck, top card first."""
        self.state.deck_size[seat] = len(names)
        self.state.known[seat] = 0
        for place, name in enumerate(reversed(names)):
            self.state.deck[seat][place] = card(name)

    def remade(self, seat: int, *names: str) -> None:
        """Lay the seat's deck as one that was remade of these cards, top card first."""
        self.deck(seat, *names)
        self.state.remakes[seat] += 1
        self.state.content[seat] = pile(*names)
        self.state.unseen &= ~pile(*names)

    def known(self, seat: int, *places: int) -> None:
        """Everybody knows the cards at these places of the deck, the top card being place 1."""
        size = int(self.state.deck_size[seat])
        self.state.known[seat] = sum(1 << (size - place) for place in places)

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
        if seat == state.hacker:
            state.row_size = len(cards)
            state.row[: len(cards)] = cards
        state.drew[seat] = 1
        state.turn = max(int(state.turn), 1)

    def van(self, name: str) -> None:
        """The Van's current card."""
        self.state.current[layout.VAN] = card(name)

    def hand(self, seat: int, *names: str) -> None:
        """Give the seat these tools."""
        self.state.tools[seat] = sum(1 << TOOLS.index(name) for name in names)
        self.state.tools_held = sum(int(held).bit_count() for held in self.state.tools)

    def tool_deck(self, *names: str) -> None:
        """Lay the tool deck, the next tool to be drawn first."""
        self.state.tool_deck_size = len(names)
        for place, name in enumerate(reversed(names)):
            self.state.tool_deck[place] = TOOLS.index(name)

    def may(self, window: int, seat: int, tool: str, target: int | str = 0) -> bool:
        """Whether the seat may use the tool on a card or a seat in this window."""
        number = card(target) if isinstance(target, str) else target
        rules, state = self.rules[0], self.state
        return bool(legal.may_use(rules, state, seat, TOOLS.index(tool), number, window))

    def use(self, seat: int, tool: str, target: int | str = 0) -> None:
        """The seat uses a tool, which it gets for that if it has not got it."""
        self.hand(seat, *self.held_tools(seat), tool)
        number = card(target) if isinstance(target, str) else target
        use = TOOLS.index(tool) * layout.TARGETS + number
        rooms, events = self.rooms[0], self.events[0]
        tools.use_tool(self.rules[0], self.key, self.state, seat, use, rooms, events)

    def held_tools(self, seat: int) -> set[str]:
        """The tools in the seat's hand."""
        return {name for i, name in enumerate(TOOLS) if self.state.tools[seat] >> i & 1}

    def left_tools(self) -> list[str]:
        """The tool deck, the next tool to be drawn first."""
        size = int(self.state.tool_deck_size)
        return [TOOLS[number] for number in self.state.tool_deck[:size][::-1]]

    def ability(self, character: str) -> int:
        """How often the character's ability made a difference."""
        return int(self.state.ability[CHARACTERS.index(character)])

    def places(self, seat: int) -> set[int]:
        """The places of the seat's deck that everybody knows, the top card being place 1."""
        size = int(self.state.deck_size[seat])
        return {place for place in range(1, size + 1) if self.state.known[seat] >> size - place & 1}

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


def character_at(seat: int, name: str, players: int = layout.SEATS) -> list[str]:
    """Characters for a table with this one at a seat and, else, ones that nothing here asks for."""
    others = [other for other in ("juicer", "hammer", "raven", "acrobat") if other != name]
    return [*others[:seat], name, *others[seat:]][:players]


def expert_table(knobs: dict[str, float] | None = None, **rules: Any) -> Table:
    """A table of experts with these knobs and else the shipped ones."""
    return Table(ExpertPolicy(**(knobs or {})), **rules)


def deck_without(made: Table, seat: int, *names: str) -> None:
    """A first deck whose Guard has gone to the discards."""
    made.deck(seat, *names)
    made.discards(seat, "J" + "CDHS"[seat])


def only(*seats: int, policy: Any = None, **rules: Any) -> Table:
    """Only these seats are active."""
    table = Table(policy, **rules)
    table.inactive(*(seat for seat in range(4) if seat not in seats))
    return table


def first_random(
    lay: Callable[[Table], None],
    start: int,
    stop: int,
    event: str,
    rules: dict[str, Any] | None = None,
    **fields: Any,
) -> Table:
    """A table of random players, laid by ``lay``, where the first such event has these fields.

    Rollouts are tried in order, so a decision that is legal but rare comes up as well.
    """
    for table in random_tables(lay, start, stop, rules):
        told = table.told_of(event)
        if told and fields.items() <= told[0].items():
            return table
    raise AssertionError(f"no random player decided {event} {fields}")


def random_tables(
    lay: Callable[[Table], None],
    start: int,
    stop: int,
    rules: dict[str, Any] | None = None,
    rollouts: int = 200,
) -> Iterator[Table]:
    """Tables of random players, laid by ``lay`` and played on, one for each rollout."""
    for rollout in range(rollouts):
        table = Table(RandomPolicy(), **(rules or {}))
        table.key = key_of(1, rollout)
        lay(table)
        table.play(start, stop)
        yield table
