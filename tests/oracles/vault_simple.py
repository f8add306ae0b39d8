"""A slow, plain twin of Vault Breakers: the whole game, all seats of policy `simple`.

Action and reaction cards are not here: their decks are empty, which skips V7, V8 and the Act
choice. `play` returns the events of the trace from the `deal` line on, `replay` those of a game
whose chance is read off a trace. Cards are written as in the trace (`AC`, `10S`), decks are listed
from the top, and seats count from 1.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import count, zip_longest
from typing import Any, Protocol

Event = dict[str, Any]
Knob = float | Sequence[float]
Parts = list[tuple["Seat", int]]

SIDES = 6
MOST_SEATS = 6
MOST_THRESHOLDS = 10
WHOLE_WIN = 60
BREAK_AT = 0.5
COUNTED = {"attempts_at": MOST_THRESHOLDS, "broken_at": MOST_THRESHOLDS, "failures": SIDES}

COLOURS = {"D": "audacity", "C": "brawn", "H": "charisma", "S": "stealth"}  # V3, D1; ties: D6
COMBINE_ORDER = "SCHD"
FACES = ["J", "Q", "K"]
RANKS = ["A", *map(str, range(2, 11)), *FACES]

BASE_RULES: dict[str, Any] = {
    "players": 4,
    "training_decks": 2,
    "start_cards": 5,
    "tokens_each": 20,
    "loot": dict.fromkeys(range(1, 7), 3),
    "actions": [],
    "reactions": [],
    "draw": 4,
    "combine_at": 10,
    "ace_value": 1,
    "dice": 6,
    "dice_limit": "player",
    "first_break_needs_partner": True,
    "thresholds": [10, 15, 20, 25, 30, 35],
    "loot_per_break": 3,
    "failure_hits": "breaker",
    "reveal_at": 20,
    "max_turns": 400,
}
ALLOWED: dict[str, Sequence[Any]] = {
    "players": range(2, MOST_SEATS + 1),  # V1
    "actions": ([],),  # V5
    "reactions": ([],),
    "ace_value": (1, 11),
    "dice_limit": ("player", "table"),
    "failure_hits": ("breaker", "everyone"),
}


class Chance(Protocol):
    """All that is left to chance. Attempts count from 1 through the game."""

    def shuffle(self, what: str, cards: list[Any]) -> list[Any]:
        """The order of `training` or `loot` from the top."""

    def roll(self, what: str, attempt: int, n: int) -> list[int]:
        """The n dice of an attempt (`dice`), or the one after its failure (`die`)."""

    def lost(self, what: str, attempt: int, seat: int, held: list[Any], n: int) -> list[Any]:
        """Which n of its training `cards` or `loot` a seat loses, the first to go first."""


class RandomChance:
    """Chance out of a generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def shuffle(self, what: str, cards: list[Any]) -> list[Any]:
        return self.rng.sample(cards, len(cards))

    def roll(self, what: str, attempt: int, n: int) -> list[int]:
        return [self.rng.randint(1, SIDES) for _ in range(n)]

    def lost(self, what: str, attempt: int, seat: int, held: list[Any], n: int) -> list[Any]:
        return self.rng.sample(held, n)


class TraceChance:
    """Chance as it fell in a trace; a question that the trace does not answer is a ValueError."""

    def __init__(self, trace: Iterable[Mapping[str, Any]]) -> None:
        self.facts: dict[tuple[Any, ...], Any] = {}
        attempt = 0
        for line in trace:
            attempt += line["event"] == "roll"
            times = {"deal": (), "roll": (attempt,), "failed": (attempt,)}
            times["hit"] = (attempt, line.get("seat"))
            for what in {"training", "loot", "dice", "die", "cards"} & {*line}:
                if line["event"] in times:
                    known = line[what] if isinstance(line[what], list) else [line[what]]
                    self.facts[what, *times[line["event"]]] = known

    def fact(self, *question: Any) -> list[Any]:
        if question not in self.facts:
            raise ValueError(f"the trace has no {question}")
        return list(self.facts[question])

    def shuffle(self, what: str, cards: list[Any]) -> list[Any]:
        return self.fact(what)

    def roll(self, what: str, attempt: int, n: int) -> list[int]:
        return self.fact(what, attempt)

    def lost(self, what: str, attempt: int, seat: int, held: list[Any], n: int) -> list[Any]:
        return self.fact(what, attempt, seat)


@cache
def sums(n: int) -> Counter[int]:
    """The ways of n dice to each sum, by adding one die at a time."""
    if n == 0:
        return Counter({0: 1})
    ways: Counter[int] = Counter()
    for total, times in sums(n - 1).items():
        for pips in range(1, SIDES + 1):
            ways[total + pips] += times
    return ways


def chance_to_break(n: int, threshold: int) -> Fraction:
    """P(n), exact."""
    return Fraction(sum(w for total, w in sums(n).items() if total >= threshold), SIDES**n)


def is_face(card: str) -> bool:
    return card[:-1] in FACES


def most_held(tokens: Mapping[str, int]) -> str:
    """The colour to pay or lose next; max keeps the first of equals."""
    return max(COLOURS.values(), key=lambda colour: tokens[colour])  # D6


@dataclass
class Seat:
    """One player."""

    number: int
    hand: list[str] = field(default_factory=list)
    tokens: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COLOURS.values(), 0))
    loot: list[int] = field(default_factory=list)
    must_skip: bool = False

    @property
    def held(self) -> int:
        return sum(self.tokens.values())

    @property
    def vp(self) -> int:
        return sum(self.loot)


class GameOver(Exception):
    """Raised at the moment the game ends, with what ended it."""


def check_rules(rules: dict[str, Any]) -> None:
    if {*rules} != {*BASE_RULES}:
        raise ValueError(f"unknown fields: {sorted({*rules} - {*BASE_RULES})}")
    for name, values in ALLOWED.items():
        if rules[name] not in values:
            raise ValueError(f"{name} is {rules[name]!r}; the twin knows {values}")
    if not 1 <= len(rules["thresholds"]) <= MOST_THRESHOLDS:
        raise ValueError(f"thresholds must be 1 to {MOST_THRESHOLDS}, not {rules['thresholds']}")


class Table:
    """The rules. Every decision is asked of `policy`."""

    def __init__(self, rules: Mapping[str, Any], policy: Simple, chance: Chance) -> None:
        self.rules = {**BASE_RULES, **rules}
        check_rules(self.rules)
        self.policy = policy
        self.chance = chance
        self.seats = [Seat(number) for number in range(1, self.rules["players"] + 1)]
        self.supply = dict.fromkeys(COLOURS.values(), self.rules["tokens_each"])  # V3
        self.deck: list[str] = []
        self.vault: list[int] = []
        self.lost_loot: list[int] = []
        self.turn = 0
        self.breaks = 0
        names = "attempts dice participants tokens_earned tokens_spent wasted".split()
        names += [f"{name}.{i}" for name, most in COUNTED.items() for i in range(1, most + 1)]
        self.tally = Counter(dict.fromkeys(names, 0))
        self.events: list[Event] = []

    def tell(self, event: str, **fields: Any) -> None:
        clock = {"turn": self.turn} if self.turn else {}
        self.events.append({"event": event, **clock, **fields})

    @property
    def threshold(self) -> int:
        return int(self.rules["thresholds"][self.breaks])  # V15

    @property
    def partner_required(self) -> bool:
        return bool(self.rules["first_break_needs_partner"]) and self.breaks == 0  # V13

    def clockwise(self, seat: Seat) -> list[Seat]:
        """All seats, the given one first."""
        return self.seats[seat.number - 1 :] + self.seats[: seat.number - 1]

    # The game

    def play(self) -> list[Event]:
        self.set_up()
        try:
            for self.turn in count(1):
                self.play_turn(self.seats[(self.turn - 1) % len(self.seats)])  # V6
                if self.turn >= self.rules["max_turns"]:
                    raise GameOver("stalled")  # V21, D11
        except GameOver as end:
            self.finish(str(end))
        return self.events

    def set_up(self) -> None:
        cards = [rank + suit for suit in COLOURS for rank in RANKS] * self.rules["training_decks"]
        loot = [int(vp) for vp, copies in self.rules["loot"].items() for _ in range(copies)]
        self.deck = self.chance.shuffle("training", list(cards))  # V2
        self.vault = self.chance.shuffle("loot", list(loot))  # V4
        if sorted(self.deck) != sorted(cards) or sorted(self.vault) != sorted(loot):
            raise ValueError("a shuffle may not change the cards")
        self.tell("deal", training=list(self.deck), loot=list(self.vault))
        for seat in self.seats:  # D2
            self.tell("hand", seat=seat.number, cards=self.take(seat, self.rules["start_cards"]))

    def take(self, seat: Seat, n: int) -> list[str]:
        cards, self.deck = self.deck[:n], self.deck[n:]
        seat.hand.extend(cards)
        return cards

    def play_turn(self, seat: Seat) -> None:
        self.tell("turn", seat=seat.number)
        self.ask_reveal(seat)
        if seat.must_skip:  # D4
            seat.must_skip = False
            self.tell("skipped", seat=seat.number)
            return
        if drawn := self.take(seat, self.rules["draw"]):  # V9
            self.tell("draw", seat=seat.number, cards=drawn)
        while cards := self.policy.combines(self, seat):
            self.combine(seat, cards)
        if parts := self.policy.breaks(self, seat):  # V11
            self.attempt(parts)
        else:
            self.tell("pass", seat=seat.number)

    def ask_reveal(self, first: Seat) -> None:  # V19, D9
        for seat in self.clockwise(first):
            if seat.vp >= self.rules["reveal_at"]:  # `simple` always does
                self.tell("reveal", seat=seat.number, vp=seat.vp)
                raise GameOver("reveal")

    # Training cards and tokens

    def value(self, card: str) -> int:
        return int(self.rules["ace_value"] if card[0] == "A" else card[:-1])

    def combine(self, seat: Seat, cards: list[str]) -> None:  # V10, D3
        colour = COLOURS[cards[0][-1]]
        lone_face = len(cards) == 1 and is_face(cards[0])
        wasted = 0 if lone_face else sum(map(self.value, cards)) - self.rules["combine_at"]
        if wasted < 0 or len({card[-1] for card in cards}) > 1 or not self.supply[colour]:
            raise ValueError(f"{cards} give no token")
        for card in cards:
            seat.hand.remove(card)
        self.deck.extend(cards)
        self.supply[colour] -= 1
        seat.tokens[colour] += 1
        self.tally.update(tokens_earned=1, wasted=wasted)
        self.tell("combine", seat=seat.number, cards=list(cards), token=colour, wasted=wasted)

    def give_back(self, seat: Seat, n: int) -> list[str]:
        """Tokens paid or lost, in their order; no more than there are."""
        colours = []
        for _ in range(min(n, seat.held)):
            colour = most_held(seat.tokens)
            seat.tokens[colour] -= 1
            self.supply[colour] += 1
            colours.append(colour)
        return colours

    # Breaking the Vault

    def check_parts(self, parts: Parts) -> None:
        dice = [n for _, n in parts]
        most = max(dice) if self.rules["dice_limit"] == "player" else sum(dice)
        lonely = self.partner_required and len(parts) < 2
        unpaid = any(not 1 <= n <= seat.held for seat, n in parts)  # D7
        if most > self.rules["dice"] or unpaid or lonely:  # V12, V13
            raise ValueError(f"{dice} dice cannot be rolled")

    def attempt(self, parts: Parts) -> None:
        """One break, paid by each participant (V18), the breaker first."""
        self.check_parts(parts)
        breaker, number, threshold = parts[0][0], self.breaks + 1, self.threshold
        shares = self.policy.shares(self, parts)[: len(self.vault)]  # V14, D8
        told = [{"seat": s.number, "dice": n, "paid": self.give_back(s, n)} for s, n in parts]
        bought = sum(n for _, n in parts)
        self.tally[f"attempts_at.{number}"] += 1
        self.tally.update(attempts=1, dice=bought, tokens_spent=bought, participants=len(parts))
        self.tell("break", seat=breaker.number, threshold=threshold, parts=told, shares=shares)
        dice = self.chance.roll("dice", self.tally["attempts"], bought)
        if len(dice) != bought or not {*dice} <= {*range(1, SIDES + 1)}:
            raise ValueError(f"{dice} is no roll of {bought} dice")
        self.tell("roll", dice=dice, total=sum(dice), threshold=threshold)
        if sum(dice) >= threshold:
            self.tally[f"broken_at.{number}"] += 1
            self.succeed(breaker, shares, sum(dice))
        else:
            self.fail(parts, sum(dice))

    def succeed(self, breaker: Seat, shares: list[int], total: int) -> None:  # V16
        self.breaks += 1
        handed = [{"seat": number, "vp": self.vault.pop(0)} for number in shares]
        for card in handed:
            self.seats[card["seat"] - 1].loot.append(card["vp"])
        self.tell("broken", loot=handed, total=total)
        if self.breaks == len(self.rules["thresholds"]):
            raise GameOver("breaks")  # V19, V21: before any reveal
        self.ask_reveal(breaker)

    def fail(self, parts: Parts, total: int) -> None:  # V17
        (die,) = self.chance.roll("die", self.tally["attempts"], 1)
        self.tally[f"failures.{die}"] += 1
        self.tell("failed", die=die, total=total)
        for seat, _ in parts[: 1 if self.rules["failure_hits"] == "breaker" else None]:  # D10
            self.hit(seat, die)
            if die == 6:
                self.ask_reveal(parts[0][0])

    def hit(self, seat: Seat, die: int) -> None:
        found: dict[str, Any] = {}
        match die:
            case 1:
                seat.must_skip = True
            case 2 | 3:
                found["cards"] = self.lose("cards", seat, 1 if die == 2 else len(seat.hand))
                self.deck.extend(found["cards"])
            case 4 | 5:
                found["tokens"] = self.give_back(seat, 1 if die == 4 else seat.held)
            case 6 if seat.loot:
                (found["loot"],) = self.lose("loot", seat, 1)
                self.lost_loot.append(found["loot"])
        self.tell("hit", seat=seat.number, die=die, **found)

    def lose(self, what: str, seat: Seat, n: int) -> list[Any]:
        """What leaves the seat, in its order; no more than there is."""
        held: list[Any] = seat.hand if what == "cards" else seat.loot
        if not held:
            return []
        lost = self.chance.lost(what, self.tally["attempts"], seat.number, list(held), n)
        if len(lost) != n or Counter(lost) - Counter(held):
            raise ValueError(f"seat {seat.number} with {held} cannot lose {lost}, but {n}")
        for card in lost:
            held.remove(card)
        return lost

    # The end

    def finish(self, ended_by: str) -> None:
        vp = [seat.vp for seat in self.seats]
        winners = [seat.number for seat in self.seats if seat.vp == max(vp)]  # V20
        outcome: dict[str, Any] = {"breaks": self.breaks, **self.tally, "turns": self.turn}
        outcome |= {"ended_by": ended_by, "stalled": ended_by == "stalled"}
        for number in range(1, MOST_SEATS + 1):
            there = self.seats[number - 1 : number]
            outcome[f"win_share.{number}"] = WHOLE_WIN // len(winners) * (number in winners)
            outcome[f"vp.{number}"] = sum(seat.vp for seat in there)
            outcome[f"loot.{number}"] = sum(len(seat.loot) for seat in there)
        self.tell("end", ended_by=ended_by, vp=vp, winners=winners, outcome=outcome)


class Simple:
    """The pinned policy `simple`; `break_at` is one for all seats or one a seat."""

    def __init__(self, break_at: Knob = BREAK_AT) -> None:
        self.break_at = break_at

    def combines(self, table: Table, seat: Seat) -> list[str]:
        """The cards of the next token; none if there is no more."""
        suits = [suit for suit in COMBINE_ORDER if table.supply[COLOURS[suit]]]
        faces = [face + suit for suit in suits for face in FACES if face + suit in seat.hand]
        if faces:
            return faces[:1]
        for suit in suits:
            if cards := self.set_of(table, [card for card in seat.hand if card[-1] == suit]):
                return cards
        return []

    def set_of(self, table: Table, suited: list[str]) -> list[str]:
        left = sorted((card for card in suited if not is_face(card)), key=table.value)
        used: list[str] = []
        gap = table.rules["combine_at"]
        while gap > 0 and left:
            closing = [card for card in left if table.value(card) >= gap]
            card = closing[0] if used and closing else left[-1]
            left.remove(card)
            used.append(card)
            gap -= table.value(card)
        return used if gap <= 0 else []

    def breaks(self, table: Table, seat: Seat) -> Parts:
        """Who gives how many dice, the breaker first; nobody if the seat passes."""
        break_at = self.break_at
        if isinstance(break_at, Sequence):
            break_at = break_at[seat.number - 1]
        limit = table.rules["dice"]
        partner = max(table.clockwise(seat)[1:], key=lambda other: other.held)  # first of equals
        a, b = min(seat.held, limit), min(partner.held, limit)
        on_table = table.rules["dice_limit"] == "table"

        def good(n: int) -> bool:
            return bool(chance_to_break(n, table.threshold) >= break_at)

        if not table.partner_required:  # (1)
            for n in range(1, a + 1):
                if good(n):
                    return [(seat, n)]
        if a >= 1 and b >= 1:  # (2)
            for n in range(2, (limit if on_table else a + b) + 1):
                k = min(a, n - 1)
                if good(n) and n - k <= b:
                    return [(seat, k), (partner, n - k)]
        if a >= 1 and on_table:  # (3)
            if a == limit and not table.partner_required:
                return [(seat, limit)]
            k = min(a, limit - 1)
            if k >= 1 and k + b >= limit:  # D7
                return [(seat, k), (partner, limit - k)]
        elif a >= 1 and a == b == limit:
            return [(seat, limit), (partner, limit)]
        return []  # (4)

    def shares(self, table: Table, parts: Parts) -> list[int]:
        """Who gets which card from the top; cards after the third go where the third goes."""
        breaker, last = parts[0][0].number, parts[-1][0].number
        return [breaker if i < 2 else last for i in range(table.rules["loot_per_break"])]


def play(rules: Mapping[str, Any], break_at: Knob, chance: Chance) -> list[Event]:
    """The events of one game of policy `simple`, from `deal` to `end`.

    Rules left out have their defaults; `break_at` is one for all seats or one a seat.
    """
    return Table(rules, Simple(break_at), chance).play()


def knob_of(policy: Any) -> float:
    """`break_at` of an entry of `policies`: a name, or a mapping of name and knobs."""
    entry: Any = {"policy": policy} if isinstance(policy, str) else policy
    if entry.get("policy", entry.get("name", "simple")) != "simple":
        raise ValueError(f"the twin plays `simple` only, not {policy}")
    return float({**entry, **entry.get("knobs", {})}.get("break_at", BREAK_AT))


def table_of(trace: Sequence[Mapping[str, Any]]) -> Table:
    """The game of a trace, not yet played."""
    head = trace[0]
    if head["event"] != "game" or head.get("game", "vault") != "vault":
        raise ValueError(f"a trace of the vault begins with its `game` line, not {head}")
    policy = Simple([knob_of(entry) for entry in head["policies"]])
    return Table(head["rules"], policy, TraceChance(trace))


def replay(trace: Sequence[Mapping[str, Any]]) -> list[Event]:
    """The events from `deal` on of the game that the trace, with its `game` line, tells."""
    return table_of(trace).play()


def first_difference(trace: Sequence[Mapping[str, Any]]) -> str | None:
    """The first line that the twin tells otherwise, and what stopped the twin; None if equal."""
    table = table_of(trace)
    stopped = ""
    try:
        table.play()
    except ValueError as problem:
        stopped = f"; stopped: {problem}"
    for number, (theirs, ours) in enumerate(zip_longest(trace[1:], table.events), 2):
        if theirs != ours:
            return f"line {number}: trace {theirs}, twin {ours}{stopped}"
    return stopped or None
