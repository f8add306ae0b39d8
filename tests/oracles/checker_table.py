"""The table as the checker follows it: the lines of a trace, and a model of every pile.

`Table` takes a line where it is due and draws cards as the lines say. It also knows what follows
from the cards that lie there: the readings of a display, and whether it opens the safe. It decides
on no step of the game: `burgle_checker` and `checker_tools` do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NoReturn

Line = dict[str, Any]

FORMAT = "trace format"
VAN = "van"
JOKER = "Joker"
NOBODY = "none"
VALUES = {"A": (1, 11), **{str(n): (n,) for n in range(2, 11)}}
STRAIGHT = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J"]  # M6
GUARDS = {"JC", "JD", "JH", "JS"}
NUMBERS = {rank + suit for rank in VALUES for suit in "CDHS"}
RANK = {card: STRAIGHT.index(card[:-1]) for card in NUMBERS | GUARDS}
HAWK_NEVER = 5  # C1
FACE_UP = {rank + suit for rank in ("9", "10") for suit in "CDHS"}  # C4
ODD_LINES = {  # what only a rule of its own allows (of a `replace` its cause), and that rule
    "use": "R30",
    "dynamite": "R41",
    "acrobat": "R16",
    "donuts": "R38",
    "van_guard": "B12",
    "hawk": "C1",
    "distraction": "C6",
    "quiet": "T6",
    "rook": "C7",
    "on_top": "C9",
}


class RuleBroken(Exception):
    """A line of the trace breaks a rule; the message names the line and the rule."""


@dataclass
class Hand:
    """The piles of a seat or of the Van; `aside` is what has left the deck and is not placed."""

    number: int | str
    deck: list[str]
    discards: list[str] = field(default_factory=list)
    display: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    current: str | None = None

    def piles(self) -> list[str]:
        return self.deck + self.discards + self.display + self.aside

    def receive(self, card: str) -> None:
        self.display.append(card)
        self.current = card  # B13

    def leave(self, card: str) -> None:
        self.display.remove(card)
        if self.current == card:
            self.current = None  # R2, R49

    def discard_aside(self) -> None:
        self.discards += self.aside
        self.aside = []

    def discard_display(self) -> None:
        self.discards += self.display  # B15
        self.display, self.current = [], None


@dataclass(kw_only=True)
class Seat(Hand):
    guard: str
    character: str
    stealth: int
    tools: list[str] = field(default_factory=list)
    drew: bool = False
    active: bool = False
    crack_round: int = 0
    minus: int = 0
    donuts: bool = False

    def discard_guard(self) -> None:
        self.leave(self.guard)
        self.discards.append(self.guard)


class Table:
    """The lines, how far they are read, and where every card lies after them."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.lines = list(lines)
        self.number = 0
        self.clock: dict[str, int] = {}
        self.rules: dict[str, Any] = {}
        self.seats: list[Seat] = []
        self.van: Hand | None = None
        self.tool_deck: list[str] = []
        self.cards = NUMBERS | GUARDS
        self.removed: list[str] = []
        self.emp = False
        self.counts: Counter[str] = Counter()

    # Reading lines

    def fail(self, what: str, rule: str) -> NoReturn:
        raise RuleBroken(f"line {self.number}: {what} ({rule})")

    def require(self, holds: bool, what: str, rule: str) -> None:
        if not holds:
            self.fail(what, rule)

    def refuse_next(self, what: str, rule: str) -> NoReturn:
        self.advance()
        self.fail(what, rule)

    def ahead(self, after: int = 0) -> Line:
        """The line that comes next, or the one `after` lines later; empty where there is none."""
        at = self.number + after
        line = self.lines[at] if at < len(self.lines) else {}
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

    def take(
        self, event: str, rule: str, *open_fields: str, optional: tuple[str, ...] = (), **fixed: Any
    ) -> Line:
        """The next line: this event, the `fixed` fields as given, the `open_fields` as they are."""
        line = self.advance()
        due = " ".join([event, *(f"{name}={value!r}" for name, value in fixed.items())])
        found = line.get("event")
        broken = ODD_LINES.get(str(line.get("cause") if found == "replace" else found), rule)
        self.require(found == event, f"{found!r} where {due} is due", broken)
        for name, value in self.clock.items():
            self.require(line.get(name) == value, f"{name} is not {value}", FORMAT)
        for name, value in fixed.items():
            wrong = f"{name} is {line.get(name)!r} where {due} is due"
            self.require(line.get(name) == value, wrong, rule)
        named = {"event", *self.clock, *fixed, *open_fields}
        odd = named ^ (set(line) - set(optional))
        self.require(not odd, f"fields missing or unknown in {event}: {sorted(odd)}", FORMAT)
        return line

    def hands(self) -> list[Hand]:
        return [*self.seats, self.van] if self.van else [*self.seats]

    def seat(self, number: object, rule: str) -> Seat:
        for seat in self.seats:
            if seat.number == number:
                return seat
        self.fail(f"{number!r} is no seat of this game", rule)

    def every_card_in_one_place(self) -> None:  # B1
        cards = [card for hand in self.hands() for card in hand.piles()] + self.removed
        whole = len(cards) == len(self.cards) and set(cards) == self.cards
        self.require(whole, "a card is lost or doubled", "B1")

    # Totals

    def readings(self, seat: Seat) -> set[int]:  # B16
        sums = {-seat.minus}  # T3
        for card in seat.display:
            sums = {total + value for total in sums for value in self.values(card)}
        return sums

    def values(self, card: str) -> tuple[int, ...]:
        if card == JOKER:
            return (0,)  # R43
        return (self.rules["guard_value"],) if card in GUARDS else VALUES[card[:-1]]

    def alarm_over(self, seat: Seat) -> int:  # C5
        name = "juicer_alarm_over" if seat.character == "juicer" else "alarm_over"
        return int(self.rules[name])

    def peek_reached(self, seat: Seat) -> set[int]:  # B18
        reached = self.readings(seat) & set(self.rules["peek_totals"])
        return reached - {HAWK_NEVER} if seat.character == "hawk" else reached  # C1, R14

    # What opens the safe

    def suited(self, seat: Seat) -> list[str]:  # R43
        return [card for card in seat.display if card == JOKER or card[-1] == seat.guard[-1]]

    def flush_size(self) -> int | None:
        crack = self.rules["crack"]
        if "flush" in crack:
            return int(crack["flush"])  # B20
        return None if self.rules["straight_replaces_flush"] else 5  # M6

    def straights(self, seat: Seat) -> list[set[str]]:  # M4, M6
        size = self.rules["crack"].get("straight_flush")
        if size is None:
            return []
        ranks = STRAIGHT if self.rules["guard_in_straight"] else STRAIGHT[:-1]
        suit = seat.guard[-1]
        runs = [
            {rank + suit for rank in ranks[low : low + size]}
            for low in range(len(ranks) - size + 1)
        ]
        if self.rules["joker_in_straight"]:  # R51
            runs += [(run - {card}) | {JOKER} for run in runs for card in run]
        return [run for run in runs if run <= set(seat.display)]

    def opens(self, seat: Seat, kind: str, used: list[str]) -> bool:
        if len(set(used)) != len(used):
            return False
        if kind == "flush":
            return len(used) == self.flush_size() and set(used) <= set(self.suited(seat))
        return kind == "straight_flush" and set(used) in self.straights(seat)

    def must_crack(self, seat: Seat) -> bool:
        if seat.crack_round:
            return False
        size = self.flush_size()
        enough = size is not None and len(self.suited(seat)) >= size
        return enough or bool(self.straights(seat))

    # Drawing

    def has_card(self, hand: Hand) -> bool:
        """Whether the deck can give a card, after the shuffle that may be due for it."""
        if not hand.deck and hand.discards:  # B11
            line = self.take("shuffle", "B11", "deck", seat=hand.number)
            same = Counter(line["deck"]) == Counter(hand.discards)
            self.require(same, f"the new deck is not the discards of seat {hand.number}", "B11")
            hand.deck, hand.discards = list(line["deck"]), []
            spotter = isinstance(hand, Seat) and hand.character == "spotter"
            self.counts["ability.spotter"] += spotter and not FACE_UP.isdisjoint(hand.deck)  # R20
        return bool(hand.deck)

    def draw(self, seat: Seat, in_step: bool) -> None:  # B11
        seat.drew = self.has_card(seat)
        seat.current = None  # B13
        if not seat.drew:
            self.take("no_card", "B11", seat=seat.number)
            return
        card = seat.deck[0]
        self.take("draw", "B11", seat=seat.number, card=card)
        self.counts["draws"] += in_step  # R55
        replacing = self.replaced_by(seat, card, in_step)
        if replacing is None:
            seat.receive(seat.deck.pop(0))
            return
        cause, rule = replacing
        self.take("replace", rule, seat=seat.number, card=card, cause=cause)
        self.counts["ability.acrobat"] += cause == "acrobat"
        seat.aside.append(seat.deck.pop(0))  # R5
        self.draw(seat, in_step)  # never the Guard again, which lies aside (R18)
        seat.discard_aside()

    def replaced_by(self, seat: Seat, card: str, in_step: bool) -> tuple[str, str] | None:
        if card != seat.guard:
            return None
        first = in_step and self.clock["turn"] == 1  # R16
        if first and seat.character == "acrobat":
            return "acrobat", "C2"
        return ("donuts", "T4") if seat.donuts else None  # R38
