"""A rule checker for traces of Burgle Bros Blackjack: four seats, no characters, no tools.

`check` reads the lines of one game, whatever its policies, and follows them with its own model of
every pile. The rules fix which line may come next, so each line is taken where it is due; only
decisions are read from the lines, and tested for being legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NoReturn

__all__ = ["RuleBroken", "check"]

Line = dict[str, Any]

FORMAT = "trace format"
COLUMNS = "outcome columns"
VALUES = {"A": (1, 11), **{str(n): (n,) for n in range(2, 11)}}
STRAIGHT = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J"]  # M6
GUARDS = {"JC", "JD", "JH", "JS"}
NUMBERS = {rank + suit for rank in VALUES for suit in "CDHS"}
BURN_ORDER = {card: STRAIGHT.index(card[:-1]) for card in NUMBERS | GUARDS}
RULES = (
    "stealth trading guard_value peek_totals jackpot_total crack alarm_over alarm_discards"
    " alarm_removes targeted_safe_from win_at_once max_rounds burn straight_replaces_flush"
    " guard_in_straight"
).split()


class RuleBroken(Exception):
    """A line of the trace breaks a rule; the message names the line and the rule."""


class _Ended(Exception):
    """The game is over: an `end` line is due."""

    def __init__(self, result: str, lost_to: str, rule: str) -> None:
        super().__init__(result)
        self.result, self.lost_to, self.rule = result, lost_to, rule


@dataclass
class _Seat:
    number: int
    guard: str
    deck: list[str]
    stealth: int
    discards: list[str] = field(default_factory=list)
    display: list[str] = field(default_factory=list)
    flipped: list[str] = field(default_factory=list)
    current: str | None = None
    drew: bool = False
    active: bool = False
    crack_round: int = 0

    def piles(self) -> list[str]:
        return self.deck + self.discards + self.display + self.flipped


def check(lines: Iterable[Line]) -> None:
    """Raise `RuleBroken` at the first line of the game that breaks a rule."""
    _Checker(lines).run()


class _Checker:
    def __init__(self, lines: Iterable[Line]) -> None:
        self.lines = iter(lines)
        self.ahead = next(self.lines, None)
        self.number = 0
        self.clock: dict[str, int] = {}
        self.rules: dict[str, Any] = {}
        self.seats: list[_Seat] = []
        self.removed: list[str] = []
        self.counts: Counter[str] = Counter()

    # Reading lines

    def fail(self, what: str, rule: str) -> NoReturn:
        raise RuleBroken(f"line {self.number}: {what} ({rule})")

    def require(self, holds: bool, what: str, rule: str) -> None:
        if not holds:
            self.fail(what, rule)

    def is_next(self, event: str, **fields: Any) -> bool:
        line = self.ahead
        return (
            isinstance(line, dict)
            and line.get("event") == event
            and all(line.get(name) == value for name, value in fields.items())
        )

    def advance(self) -> Line:
        line = self.ahead
        self.number += 1
        if line is None:
            self.fail("the trace stops before its end", FORMAT)
        self.require(isinstance(line, dict), f"not an event: {line!r}", FORMAT)
        self.ahead = next(self.lines, None)
        return line

    def take(
        self, event: str, rule: str, *open_fields: str, optional: tuple[str, ...] = (), **fixed: Any
    ) -> Line:
        """The next line: this event, the `fixed` fields as given, the `open_fields` as they are."""
        self.every_card_in_one_place()
        line = self.advance()
        due = " ".join([event, *(f"{name}={value!r}" for name, value in fixed.items())])
        found = line.get("event")
        self.require(found == event, f"{found!r} where {due} is due", rule)
        for name, value in self.clock.items():
            self.require(line.get(name) == value, f"{name} is not {value}", FORMAT)
        for name, value in fixed.items():
            wrong = f"{name} is {line.get(name)!r} where {due} is due"
            self.require(line.get(name) == value, wrong, rule)
        named = {"event", *self.clock, *fixed, *open_fields}
        odd = named ^ (set(line) - set(optional))
        self.require(not odd, f"fields missing or unknown in {event}: {sorted(odd)}", FORMAT)
        return line

    def every_card_in_one_place(self) -> None:  # B1
        if not self.seats:
            return
        cards = [card for seat in self.seats for card in seat.piles()] + self.removed
        whole = len(cards) == len(set(cards)) and set(cards) == NUMBERS | GUARDS
        self.require(whole, "a card is lost or doubled", "B1")

    # Set-up

    def run(self) -> None:
        self.read_rules()
        self.read_deals()
        try:
            while True:
                self.play_round()
        except _Ended as end:
            self.read_end(end)
        if self.ahead is not None:
            self.number += 1
            self.fail("a line follows `end`", FORMAT)

    def read_rules(self) -> None:
        line = self.advance()
        first = line.get("event") == "game" and line.get("game") == "burgle"
        self.require(first, "the first line is not the `game` line of a burgle game", FORMAT)
        self.rules = line.get("rules") or {}
        missing = [name for name in RULES if name not in self.rules]
        self.require(not missing, f"rules without {missing}", FORMAT)
        characters = self.rules.get("characters") or "none"
        plain = characters == "none" or all(c in (None, "none") for c in characters)
        if self.rules.get("players", 4) != 4 or not plain or self.rules.get("tools"):
            raise ValueError(
                "this checker knows the base game only; "
                "tip: trace a scenario with players: 4, characters: none, tools: []"
            )

    def read_deals(self) -> None:  # B2
        seats = []
        for number in range(1, 5):
            line = self.take("deal", "B2", "guard", "deck", seat=number)
            guard, deck = line["guard"], list(line["deck"])
            self.require(guard in GUARDS, f"{guard!r} is no Guard", "B2")
            self.require(len(deck) == 11, f"{len(deck)} cards dealt, 11 are due", "B2")
            own_guard_only = [card for card in deck if card in GUARDS] == [guard]
            self.require(own_guard_only, f"the deck's Guards are not just {guard}", "B2")
            seats.append(_Seat(number, guard, deck, self.rules["stealth"]))  # B5
        dealt = Counter(card for seat in seats for card in seat.deck)
        whole = dealt == Counter(NUMBERS | GUARDS)
        self.require(whole, "the decks are not 40 different numbers and 4 Guards", "B2")
        self.seats = seats

    # Totals

    def readings(self, seat: _Seat) -> set[int]:  # B16
        sums = {0}
        for card in seat.display:
            guard = card in GUARDS
            values = (self.rules["guard_value"],) if guard else VALUES[card[:-1]]
            sums = {total + value for total in sums for value in values}
        return sums

    def suited(self, seat: _Seat) -> list[str]:
        return [card for card in seat.display if card[-1] == seat.guard[-1]]

    def flush_size(self) -> int | None:
        crack = self.rules["crack"]
        if "flush" in crack:
            return int(crack["flush"])  # B20
        return None if self.rules["straight_replaces_flush"] else 5  # M6

    def straights(self, seat: _Seat) -> list[set[str]]:  # M4, M6
        size = self.rules["crack"].get("straight_flush")
        if size is None:
            return []
        ranks = STRAIGHT if self.rules["guard_in_straight"] else STRAIGHT[:-1]
        suit = seat.guard[-1]
        runs = [
            {rank + suit for rank in ranks[low : low + size]}
            for low in range(len(ranks) - size + 1)
        ]
        return [run for run in runs if run <= set(seat.display)]

    def opens(self, seat: _Seat, kind: str, used: list[str]) -> bool:
        if len(set(used)) != len(used):
            return False
        if kind == "flush":
            return len(used) == self.flush_size() and set(used) <= set(self.suited(seat))
        return kind == "straight_flush" and set(used) in self.straights(seat)

    def must_crack(self, seat: _Seat) -> bool:
        if seat.crack_round:
            return False
        size = self.flush_size()
        enough = size is not None and len(self.suited(seat)) >= size
        return enough or bool(self.straights(seat))

    # The game

    def play_round(self) -> None:  # B10
        self.counts["rounds"] += 1
        self.clock = {"round": self.counts["rounds"], "turn": 1}
        for seat in self.seats:
            seat.active = True
        self.take("round", "B10")
        self.play_turn()
        while any(seat.active for seat in self.seats):
            self.clock["turn"] += 1
            self.play_turn()
        self.end_round()

    def play_turn(self) -> None:
        self.take("turn", "B10")
        self.counts["turns"] += 1
        for seat in self.seats:
            if seat.active:
                self.draw(seat)
        if self.is_next("trade"):
            self.trade()
        checked = [seat for seat in self.seats if seat.active]  # B17
        for step in (self.total_peek, self.twenty_one, self.crack, self.total_alarm, self.bail):
            for seat in checked:
                step(seat)

    def has_card(self, seat: _Seat) -> bool:
        """Whether the deck can give a card, after the shuffle that may be due for it."""
        if not seat.deck and seat.discards:  # B11
            line = self.take("shuffle", "B11", "deck", seat=seat.number)
            same = Counter(line["deck"]) == Counter(seat.discards)
            self.require(same, f"the new deck is not the discards of seat {seat.number}", "B11")
            seat.deck, seat.discards = list(line["deck"]), []
        return bool(seat.deck)

    def draw(self, seat: _Seat) -> None:  # B11
        seat.drew = self.has_card(seat)
        seat.current = None  # B13
        if not seat.drew:
            self.take("no_card", "B11", seat=seat.number)
            return
        self.take("draw", "B11", seat=seat.number, card=seat.deck[0])
        seat.current = seat.deck.pop(0)
        seat.display.append(seat.current)
        self.counts["draws"] += 1

    def trade(self) -> None:  # B14
        moves = self.take("trade", "B14", "moves")["moves"]
        self.require(bool(self.rules["trading"]), "a trade where trading is off", "B14")
        self.require(bool(moves), "a trade without moves", FORMAT)
        for move in moves:
            self.require(set(move) == {"from", "to", "card"}, f"odd move {move}", FORMAT)
            self.require_movable(move)
        givers = [move["from"] for move in moves]
        takers = [move["to"] for move in moves]
        even = sorted(takers) == sorted(set(givers)) and len(takers) == len(givers)
        self.require(even, "a seat has not as many cards as before", "B14")
        self.require(givers == sorted(givers), "moves not in the order of the givers", FORMAT)
        for move in moves:
            self.seats[move["from"] - 1].display.remove(move["card"])
        for move in moves:
            taker = self.seats[move["to"] - 1]
            taker.display.append(move["card"])
            taker.current = move["card"]  # B13
        self.counts["trades"] += len(moves)

    def require_movable(self, move: Line) -> None:  # B14
        for end in (move["from"], move["to"]):
            here = end in range(1, 5) and self.seats[end - 1].active
            self.require(here, f"seat {end!r} of a trade is not active", "B14")
        giver, card = self.seats[move["from"] - 1], move["card"]
        self.require(move["from"] != move["to"], f"{card} changes no hands", FORMAT)
        wrong = f"{card} is not the current card of seat {giver.number}"
        self.require(giver.current is not None and card == giver.current, wrong, "B14")
        self.require(card not in GUARDS, f"the Guard {card} is traded", "B14")

    def total_peek(self, seat: _Seat) -> None:  # B18
        if self.readings(seat) & set(self.rules["peek_totals"]):
            self.peek(seat, "total", "B18")

    def peek(self, seat: _Seat, cause: str, rule: str) -> None:
        if not self.has_card(seat):
            return  # R12
        top = seat.deck[0]
        line = self.take("peek", rule, "discarded", seat=seat.number, cause=cause, card=top)
        self.require(isinstance(line["discarded"], bool), "discarded is no truth value", FORMAT)
        if line["discarded"]:
            seat.discards.append(seat.deck.pop(0))
        self.counts["peeks"] += 1

    def twenty_one(self, seat: _Seat) -> None:  # B19
        if self.rules["jackpot_total"] not in self.readings(seat):
            return
        whose = ("owner", "card")
        line = self.take("twenty_one", "B19", "choice", optional=whose, seat=seat.number)
        choice = line["choice"]
        self.require(choice in ("stay", "guard", "peek"), f"no such choice: {choice!r}", "B19")
        named = [name for name in whose if name in line]
        right = named == (list(whose) if choice == "guard" else [])
        self.require(right, f"a choice {choice} with the fields {named}", FORMAT)
        self.counts["twenty_ones"] += 1
        seat.active = choice == "stay"
        if choice == "guard":
            self.discard_guard(line)
        if choice == "peek":
            for other in self.seats:  # R11
                self.peek(other, "twenty_one", "R11")

    def discard_guard(self, line: Line) -> None:  # B19, R10
        known = line["owner"] in range(1, 5)
        self.require(known, f"owner {line['owner']!r} is no seat", "B19")
        owner = self.seats[line["owner"] - 1]
        lies_there = line["card"] == owner.guard and owner.guard in owner.display
        self.require(lies_there, f"{line['card']} is no Guard in that display", "B19")
        owner.display.remove(owner.guard)
        owner.discards.append(owner.guard)
        if owner.current == owner.guard:
            owner.current = None  # R2

    def crack(self, seat: _Seat) -> None:  # B20
        if not self.must_crack(seat):
            return
        line = self.take("crack", "B20", "cards", "kind", seat=seat.number)
        used = list(line["cards"])
        legal = self.opens(seat, line["kind"], used)
        self.require(legal, f"{used} as {line['kind']!r} do not open the safe", "B20")
        seat.crack_round = self.counts["rounds"]
        seat.active = False
        self.burn(seat, used)
        if self.rules["win_at_once"] and self.all_cracked():
            raise _Ended("won", "none", "B25")

    def burn(self, seat: _Seat, used: list[str]) -> None:  # M1
        lowest = sorted(set(used) - GUARDS, key=BURN_ORDER.__getitem__)
        for card in lowest[: self.rules["burn"]]:
            self.take("burn", "M1", seat=seat.number, card=card)
            seat.display.remove(card)
            self.removed.append(card)
            if seat.current == card:
                seat.current = None  # R49

    def all_cracked(self) -> bool:
        return all(seat.crack_round for seat in self.seats)

    def total_alarm(self, seat: _Seat) -> None:  # B21
        if seat.active and min(self.readings(seat)) > self.rules["alarm_over"]:
            self.alarm(seat, "total", "B21")

    def alarm(self, seat: _Seat, cause: str, rule: str) -> None:
        self.take("alarm", rule, seat=seat.number, cause=cause)
        seat.active = False
        self.counts["alarms"] += 1
        self.counts["targeted_alarms"] += cause == "targeted"
        self.counts[f"seat_alarms.{seat.number}"] += 1
        for _ in range(self.rules["alarm_discards"]):
            if self.has_card(seat):  # R5, R6
                self.take("flip", "B21", seat=seat.number, card=seat.deck[0])
                seat.flipped.append(seat.deck.pop(0))
        if seat.guard in seat.flipped:
            self.lose_stealth(seat, "alarm" if cause == "total" else "targeted_alarm", "B21")
        removable = sum(card not in GUARDS for card in seat.flipped)
        for _ in range(min(self.rules["alarm_removes"], removable)):  # R6
            self.remove(seat)
        seat.discards += seat.flipped
        seat.flipped = []

    def remove(self, seat: _Seat) -> None:  # B21
        card = self.take("remove", "B21", "card", seat=seat.number)["card"]
        self.require(card in seat.flipped, f"{card} is not among the flipped cards", "B21")
        self.require(card not in GUARDS, f"the Guard {card} is removed", "B21")
        seat.flipped.remove(card)
        self.removed.append(card)

    def lose_stealth(self, seat: _Seat, cause: str, rule: str) -> None:
        if seat.stealth <= 0:
            self.take("caught", "B24", seat=seat.number, cause=cause)
            raise _Ended("lost", cause, "B24")
        self.take("stealth", rule, seat=seat.number, cause=cause, left=seat.stealth - 1)
        seat.stealth -= 1
        self.counts["stealth_lost"] += 1

    def bail(self, seat: _Seat) -> None:  # B22
        if not seat.active:
            return
        if seat.drew and not self.is_next("bail", seat=seat.number):
            return
        self.take("bail", "B22" if seat.drew else "R3", seat=seat.number)
        seat.active = False
        best = max(t for t in self.readings(seat) if t <= self.rules["alarm_over"])
        if seat.crack_round and best < self.rules["targeted_safe_from"]:
            self.alarm(seat, "targeted", "B22")

    def end_round(self) -> None:  # B23
        self.take("round_end", "B23")
        for seat in self.seats:
            if seat.guard in seat.display:
                self.lose_stealth(seat, "display", "B23")
        for seat in self.seats:
            seat.discards += seat.display  # B15
            seat.display = []
        if self.all_cracked():
            raise _Ended("won", "none", "B25")
        if self.counts["rounds"] >= self.rules["max_rounds"]:
            raise _Ended("stalled", "none", "B27")

    # The end

    def read_end(self, end: _Ended) -> None:
        line = self.take("end", end.rule, "outcome", optional=("lost_to",), result=end.result)
        lost_to = line.get("lost_to", "none")
        self.require(lost_to == end.lost_to, f"lost_to is {lost_to!r}, not {end.lost_to!r}", "B24")
        counted = self.outcome(end)
        told = line["outcome"]
        odd = sorted(set(told) ^ set(counted))
        self.require(not odd, f"columns missing or unknown: {odd}", COLUMNS)
        for name, value in counted.items():
            wrong = f"{name} is {told[name]!r}, counted {value!r}"
            self.require(told[name] == value, wrong, COLUMNS)

    def outcome(self, end: _Ended) -> dict[str, Any]:
        counts = (
            "rounds turns draws alarms targeted_alarms stealth_lost trades twenty_ones peeks"
        ).split()
        columns: dict[str, Any] = {name: self.counts[name] for name in counts}
        columns["won"] = end.result == "won"
        columns["stalled"] = end.result == "stalled"
        columns["lost_to"] = end.lost_to
        columns["cracked"] = sum(seat.crack_round > 0 for seat in self.seats)
        columns["removed"] = len(self.removed)
        columns["tools_used"] = 0
        for seat in self.seats:
            columns[f"crack_round.{seat.number}"] = seat.crack_round
            columns[f"stealth_left.{seat.number}"] = seat.stealth
            columns[f"seat_alarms.{seat.number}"] = self.counts[f"seat_alarms.{seat.number}"]
        return columns
