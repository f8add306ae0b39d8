"""The table of Vault Breakers as the checker follows it: the lines of a trace, and every pile.

`Table` takes a line where it is due, and tests what a line says of cards and tokens. It decides on
no step of the game: `vault_checker` and `vault_checker_cards` do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NoReturn

Line = dict[str, Any]

FORMAT = "trace format"
COLOURS = ("audacity", "brawn", "charisma", "stealth")  # D1, and the order of ties (D6)
SKILL = dict(zip("DCHS", COLOURS, strict=True))
FACES = ("J", "Q", "K")
RANKS = ("A", *(str(number) for number in range(2, 11)), *FACES)
PIPS = range(1, 7)
ANY = "any"
ODD_LINES = {  # what only a rule of its own allows, and that rule
    "draw": "V9",
    "combine": "V10",
    "hit": "V17",
    "skipped": "V17",
    "draw_actions": "V7",
    "draw_reactions": "V8",
    "decline": "V13",
    "gain": "E3",
    "steal_token": "E3",
    "destroy_token": "E3",
    "steal_training": "E3",
    "discard_training": "E3",
    "steal_loot": "E3",
    "swap_loot": "E3",
    "peek_loot": "E3",
    "skip": "E3",
    "join": "E4",
    "reroll": "E4",
    "reveal": "D9",
    "end": "V19",
}
MOMENTS = {  # the moment of a reaction, and the rule that says when it comes
    "on_any_break": "E5",
    "on_action": "E6",
    "on_targeted": "E7",
    "on_my_failure": "E8",
}


class RuleBroken(Exception):
    """A line of the trace breaks a rule; the message names the line and the rule."""

    def __init__(self, number: int, what: str, rule: str) -> None:
        super().__init__(f"line {number}: {what} ({rule})")
        self.number, self.rule = number, rule


class Ended(Exception):
    """The game is over: an `end` line is due."""

    def __init__(self, ended_by: str, rule: str) -> None:
        super().__init__(ended_by)
        self.ended_by, self.rule = ended_by, rule


@dataclass(frozen=True)
class Card:
    """An action or a reaction card; `when` is empty for an action."""

    name: str
    copies: int
    cost: dict[str, int]
    effect: str
    amount: int
    target: str
    when: str


@dataclass
class Seat:
    number: int
    hand: list[str]
    tokens: Counter[str] = field(default_factory=Counter)
    loot: list[int] = field(default_factory=list)
    cards: dict[str, str] = field(default_factory=dict)  # "actions" or "reactions": its name
    skips: bool = False

    def most(self, number: int) -> list[str]:
        """The tokens that go, one by one of the colour held most."""
        left, gone = Counter(self.tokens), []
        for _ in range(min(number, left.total())):
            gone.append(max(COLOURS, key=lambda colour: left[colour]))
            left[gone[-1]] -= 1
        return gone


@dataclass
class Raid:
    """A break of the Vault under way."""

    breaker: Seat
    members: list[Seat]
    shares: list[int]
    dice: int
    threshold: int
    added: int = 0
    uninvited: list[int] = field(default_factory=list)
    rolled: list[int] = field(default_factory=list)


class Table:
    """The lines, how far they are read, and where everything lies after them."""

    def __init__(self, lines: Iterable[Line], guesses: list[bool]) -> None:
        self.lines = list(lines)
        self.guesses, self.guessed = guesses, 0
        self.number = 0
        self.clock: dict[str, int] = {}
        self.rules: dict[str, Any] = {}
        self.cards: dict[str, dict[str, Card]] = {}
        self.decks: dict[str, list[str]] = {}
        self.training: list[str] = []
        self.vault: list[int] = []
        self.supply: Counter[str] = Counter()
        self.seats: list[Seat] = []
        self.raid: Raid | None = None
        self.counts: Counter[str] = Counter()

    # Reading lines

    def fail(self, what: str, rule: str) -> NoReturn:
        raise RuleBroken(self.number, what, rule)

    def require(self, holds: bool, what: str, rule: str) -> None:
        if not holds:
            self.fail(what, rule)

    def refuse_next(self, what: str, rule: str) -> NoReturn:
        self.advance()
        self.fail(what, rule)

    def guess(self) -> bool:
        """What the lines do not tell apart here: true at first, false where that leads nowhere."""
        if self.guessed == len(self.guesses):
            self.guesses.append(True)
        self.guessed += 1
        return self.guesses[self.guessed - 1]

    def ahead(self) -> Line:
        """The line that comes next; empty where there is none."""
        line = self.lines[self.number] if self.number < len(self.lines) else {}
        return line if isinstance(line, dict) else {}

    def is_next(self, event: str, **fields: Any) -> bool:
        line = self.ahead()
        same = all(line.get(name) == value for name, value in fields.items())
        return line.get("event") == event and same

    def advance(self) -> Line:
        self.number += 1
        if self.number > len(self.lines):
            self.fail("the trace stops before its end", FORMAT)
        line = self.lines[self.number - 1]
        self.require(isinstance(line, dict), f"not an event: {line!r}", FORMAT)
        return line

    def take(self, event: str, rule: str, *open_fields: str, **fixed: Any) -> Line:
        """The next line: this event, the `fixed` fields as given, the `open_fields` as they are."""
        line = self.advance()
        found = str(line.get("event"))
        due = " ".join([event, *(f"{name}={value!r}" for name, value in fixed.items())])
        odd_lines = MOMENTS if found == "react" else ODD_LINES
        broken = odd_lines.get(str(line.get("moment")) if found == "react" else found, rule)
        self.require(found == event, f"{found!r} where {due} is due", broken)
        for name, value in self.clock.items():
            self.require(line.get(name) == value, f"{name} is not {value}", FORMAT)
        for name, value in fixed.items():
            wrong = f"{name} is {line.get(name)!r} where {due} is due"
            self.require(line.get(name) == value, wrong, rule)
        odd = {"event", *self.clock, *fixed, *open_fields} ^ set(line)
        self.require(not odd, f"fields missing or unknown in {event}: {sorted(odd)}", FORMAT)
        return line

    def seat(self, number: object, rule: str) -> Seat:
        for seat in self.seats:
            if seat.number == number:
                return seat
        self.fail(f"{number!r} is no seat of this game", rule)

    def listed(self, value: object, kind: type) -> list[Any]:
        right = isinstance(value, list) and all(isinstance(item, kind) for item in value)
        self.require(right, f"not a list of {kind.__name__}: {value!r}", FORMAT)
        return list(value) if isinstance(value, list) else []

    def pips(self, value: object, rule: str) -> int:
        self.require(isinstance(value, int) and value in PIPS, f"no roll of a die: {value!r}", rule)
        return value if isinstance(value, int) else 0

    def ring(self, seat: Seat) -> list[Seat]:
        """All seats, clockwise from this one."""
        at = self.seats.index(seat)
        return self.seats[at:] + self.seats[:at]

    # Moving things

    def held(self, told: object, number: int, hand: list[Any], rule: str) -> list[Any]:
        """That many things of the hand, as the line tells them, or all there are."""
        things = self.listed(told, type(hand[0]) if hand else str)
        number = min(number, len(hand))
        self.require(len(things) == number, f"{things}: {number} are due", rule)
        missing = Counter(things) - Counter(hand)
        self.require(not missing, f"{things} is not all held", rule)
        return things

    def leave(self, hand: list[Any], things: list[Any]) -> None:
        for thing in things:
            hand.remove(thing)

    def draw(self, seat: Seat, number: int, rule: str) -> None:
        """Training cards from the top of their deck."""
        cards = self.training[:number]
        if cards:
            self.take("draw", rule, seat=seat.number, cards=cards)
            del self.training[: len(cards)]
            seat.hand += cards

    def pay(self, seat: Seat, tokens: list[str]) -> None:
        seat.tokens.subtract(tokens)
        self.supply.update(tokens)

    def reveal(self) -> None:  # D9
        if self.is_next("reveal"):
            line = self.take("reveal", "D9", "seat", "vp")
            seat = self.seat(line["seat"], "V19")
            vp, needed = sum(seat.loot), self.rules["reveal_at"]
            self.require(vp >= needed, f"seat {seat.number} has {vp} VP, not {needed}", "V19")
            self.require(line["vp"] == vp, f"{line['vp']!r} VP revealed, {vp} held", "V19")
            raise Ended("reveal", "V19")
