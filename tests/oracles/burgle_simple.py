"""A slow, plain twin of Burgle Bros Blackjack: the base game, four seats of policy `simple`.

The base game has no characters and no tools. `play` returns the outcome columns and the events of
the trace from the `deal` lines on. Cards are written as in the trace (`AC`, `10S`, Guards `JC`),
decks are listed from the top, seats count from 1.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count, permutations
from typing import Any

__all__ = [
    "BASE_RULES",
    "SIMPLE_KNOBS",
    "Seat",
    "Simple",
    "Table",
    "play",
    "random_deal",
    "random_reshuffle",
]

Deal = Sequence[tuple[str, list[str]]]
Reshuffle = Callable[[int, list[str]], list[str]]

SUITS = "CDHS"
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
FLUSH_BESIDE_STRAIGHT = 5

BASE_RULES: dict[str, Any] = {
    "stealth": 2,
    "stealth_cap": None,
    "trading": True,
    "guard_value": 10,
    "peek_totals": [5, 10, 15, 20],
    "jackpot_total": 21,
    "crack": {"flush": 5},
    "alarm_over": 21,
    "alarm_discards": 2,
    "alarm_removes": 1,
    "targeted_safe_from": 17,
    "win_at_once": True,
    "max_rounds": 200,
    "burn": 0,
    "straight_replaces_flush": True,
    "guard_in_straight": True,
    "joker_in_straight": False,
}

SIMPLE_KNOBS: dict[str, Any] = {
    "suit": 10,
    "bust": 30,
    "jackpot": 8,
    "peek": 3,
    "bail_at": 14,
    "targeted_bail_at": 17,
}


def suit_of(card: str) -> str:
    return card[-1]


def is_guard(card: str) -> bool:
    return card[0] == "J"


def rank_of(card: str) -> int:
    """Place in a straight: Ace low, the Guard after the 10."""
    return 11 if is_guard(card) else RANKS.index(card[:-1]) + 1  # M6


@dataclass
class Seat:
    """One seat and its piles."""

    number: int
    guard: str
    deck: list[str]
    stealth: int
    discards: list[str] = field(default_factory=list)
    display: list[str] = field(default_factory=list)
    current: str | None = None
    drew: bool = False
    active: bool = True
    crack_round: int = 0
    alarms: int = 0

    @property
    def suit(self) -> str:
        return suit_of(self.guard)

    @property
    def cracked(self) -> bool:
        return self.crack_round > 0

    def leave_display(self, card: str) -> None:
        self.display.remove(card)
        if self.current == card:
            self.current = None  # R2


class GameOver(Exception):
    """Raised at the moment the game ends."""

    def __init__(self, result: str, lost_to: str = "none") -> None:
        super().__init__(result)
        self.result = result
        self.lost_to = lost_to


class Table:
    """The rules. Every decision is asked of `policy`."""

    def __init__(
        self, rules: dict[str, Any], policy: Any, deal: Deal, reshuffle: Reshuffle
    ) -> None:
        self.rules = {**BASE_RULES, **rules}
        self.policy = policy
        self.reshuffle = reshuffle
        self.seats = [
            Seat(number, guard, list(deck), self.rules["stealth"])  # B2, B5
            for number, (guard, deck) in enumerate(deal, 1)
        ]
        self.round = 0
        self.turn = 0
        self.tally = dict.fromkeys(
            (
                "turns draws alarms targeted_alarms stealth_lost trades twenty_ones peeks removed"
            ).split(),
            0,
        )
        self.events: list[dict[str, Any]] = [
            {"event": "deal", "seat": s.number, "guard": s.guard, "deck": list(s.deck)}
            for s in self.seats
        ]

    def tell(self, event: str, **fields: Any) -> None:
        self.events.append({"event": event, "round": self.round, "turn": self.turn, **fields})

    # Totals

    def hard_total(self, cards: list[str]) -> int:
        return sum(self.rules["guard_value"] if is_guard(c) else rank_of(c) for c in cards)

    def readings(self, cards: list[str]) -> list[int]:  # B16
        aces = sum(c[0] == "A" for c in cards)
        return [self.hard_total(cards) + 10 * high for high in range(aces + 1)]

    def may_peek(self, cards: list[str]) -> bool:  # B18
        return any(total in self.rules["peek_totals"] for total in self.readings(cards))

    def is_jackpot(self, cards: list[str]) -> bool:  # B19
        return any(total == self.rules["jackpot_total"] for total in self.readings(cards))

    def is_bust(self, cards: list[str]) -> bool:  # B21
        return bool(self.hard_total(cards) > self.rules["alarm_over"])

    def best_reading(self, cards: list[str]) -> int:  # B22
        return max(t for t in self.readings(cards) if t <= self.rules["alarm_over"])

    # Ways to open the safe, each a list of cards from the lowest up

    def flushes(self, seat: Seat, cards: list[str]) -> list[list[str]]:  # B20
        crack = self.rules["crack"]
        if "flush" not in crack and self.rules["straight_replaces_flush"]:  # M6
            return []
        size = crack.get("flush", FLUSH_BESIDE_STRAIGHT)
        suited = sorted((c for c in cards if suit_of(c) == seat.suit), key=rank_of)
        return [suited[:size]] if len(suited) >= size else []

    def straights(self, seat: Seat, cards: list[str]) -> list[list[str]]:  # M4, M6
        if "straight_flush" not in self.rules["crack"]:
            return []
        size = self.rules["crack"]["straight_flush"]
        suited = [c for c in cards if suit_of(c) == seat.suit]
        if not self.rules["guard_in_straight"]:
            suited = [c for c in suited if not is_guard(c)]
        suited.sort(key=rank_of)
        runs = [suited[i : i + size] for i in range(len(suited) - size + 1)]
        return [run for run in runs if rank_of(run[-1]) - rank_of(run[0]) == size - 1]

    def ways_to_crack(self, seat: Seat, cards: list[str]) -> list[tuple[str, list[str]]]:
        flushes = [("flush", used) for used in self.flushes(seat, cards)]
        return flushes + [("straight_flush", used) for used in self.straights(seat, cards)]

    # The game

    def play(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        try:
            while True:
                self.play_round()
        except GameOver as end:
            outcome = self.outcome(end)
            lost_to = {"lost_to": end.lost_to} if end.result == "lost" else {}
            self.tell("end", result=end.result, **lost_to, outcome=dict(outcome))
        return outcome, self.events

    def play_round(self) -> None:  # B10
        self.round += 1
        self.turn = 1
        for seat in self.seats:
            seat.active = True
        self.tell("round")
        for self.turn in count(1):
            self.play_turn()
            if not any(seat.active for seat in self.seats):
                break
        self.end_round()

    def play_turn(self) -> None:
        self.tally["turns"] += 1
        self.tell("turn")
        for seat in self.seats:
            if seat.active:
                self.draw(seat)
        if self.rules["trading"]:
            self.trade()
        self.check_totals()

    def top_card(self, seat: Seat) -> str | None:
        """The top card, still on the deck; the deck is remade if it must be."""
        if not seat.deck and seat.discards:  # B11
            seat.deck = list(self.reshuffle(seat.number, list(seat.discards)))
            if sorted(seat.deck) != sorted(seat.discards):
                raise ValueError(f"reshuffle of seat {seat.number} changed its cards: {seat.deck}")
            seat.discards = []
            self.tell("shuffle", seat=seat.number, deck=list(seat.deck))
        return seat.deck[0] if seat.deck else None

    def draw(self, seat: Seat) -> None:  # B11, B13
        seat.current = self.top_card(seat)
        seat.drew = seat.current is not None
        if seat.current is None:
            self.tell("no_card", seat=seat.number)
            return
        seat.display.append(seat.deck.pop(0))
        self.tally["draws"] += 1
        self.tell("draw", seat=seat.number, card=seat.current)

    def trade(self) -> None:  # B14
        movers = [s for s in self.seats if s.active and s.current and not is_guard(s.current)]
        before = [seat.current for seat in movers if seat.current]
        after = self.policy.trade(self, movers)
        moves = []
        for giver, card in zip(movers, before, strict=True):
            taker = movers[after.index(card)]
            if taker is not giver:
                moves.append({"from": giver.number, "to": taker.number, "card": card})
        for seat, given, taken in zip(movers, before, after, strict=True):
            seat.display.remove(given)
            seat.display.append(taken)
            seat.current = taken
        if moves:
            self.tally["trades"] += len(moves)
            self.tell("trade", moves=moves)

    def check_totals(self) -> None:  # B17
        checked = [seat for seat in self.seats if seat.active]
        for seat in checked:
            if self.may_peek(seat.display):  # B18
                self.peek(seat, "total")
        for seat in checked:
            if self.is_jackpot(seat.display):
                self.twenty_one(seat)
        for seat in checked:
            ways = [] if seat.cracked else self.ways_to_crack(seat, seat.display)
            if ways:
                self.crack(seat, *self.policy.crack(self, ways))
        for seat in checked:
            if seat.active and self.is_bust(seat.display):
                self.alarm(seat, "total")
        for seat in checked:
            if seat.active and (not seat.drew or self.policy.bails(self, seat)):  # R3
                self.bail(seat)

    def peek(self, seat: Seat, cause: str) -> None:  # B18
        card = self.top_card(seat)
        if card is None:
            return  # R12
        discarded = self.policy.discards_peeked(self, seat, card)
        if discarded:
            seat.discards.append(seat.deck.pop(0))
        self.tally["peeks"] += 1
        self.tell("peek", seat=seat.number, cause=cause, card=card, discarded=discarded)

    def twenty_one(self, seat: Seat) -> None:  # B19
        self.tally["twenty_ones"] += 1
        choice, owner = self.policy.twenty_one(self, seat)
        seat.active = choice == "stay"
        if choice == "guard":
            owner.leave_display(owner.guard)
            owner.discards.append(owner.guard)
            whose = {"owner": owner.number, "card": owner.guard}
            self.tell("twenty_one", seat=seat.number, choice=choice, **whose)
            return
        self.tell("twenty_one", seat=seat.number, choice=choice)
        if choice == "peek":
            for other in self.seats:  # R11
                self.peek(other, "twenty_one")

    def crack(self, seat: Seat, kind: str, used: list[str]) -> None:  # B20
        seat.crack_round = self.round
        seat.active = False
        self.tell("crack", seat=seat.number, cards=list(used), kind=kind)
        burnable = sorted((c for c in used if not is_guard(c)), key=rank_of)
        for card in burnable[: self.rules["burn"]]:  # M1
            seat.leave_display(card)  # R49
            self.tally["removed"] += 1
            self.tell("burn", seat=seat.number, card=card)
        if self.rules["win_at_once"] and self.all_cracked():
            raise GameOver("won")  # B25

    def all_cracked(self) -> bool:
        return all(seat.cracked for seat in self.seats)

    def alarm(self, seat: Seat, cause: str) -> None:  # B21
        seat.active = False
        seat.alarms += 1
        self.tally["alarms"] += 1
        self.tally["targeted_alarms"] += cause == "targeted"
        self.tell("alarm", seat=seat.number, cause=cause)
        flipped = self.flip(seat)
        if seat.guard in flipped:
            self.lose_stealth(seat, "alarm" if cause == "total" else "targeted_alarm")
        for _ in range(self.rules["alarm_removes"]):
            if all(is_guard(c) for c in flipped):
                break
            card = self.policy.removes(self, seat, flipped)
            flipped.remove(card)
            self.tally["removed"] += 1
            self.tell("remove", seat=seat.number, card=card)
        seat.discards.extend(flipped)

    def flip(self, seat: Seat) -> list[str]:
        flipped: list[str] = []  # R5: in no pile while a deck is remade
        for _ in range(self.rules["alarm_discards"]):
            if self.top_card(seat) is None:
                break  # R6
            flipped.append(seat.deck.pop(0))
            self.tell("flip", seat=seat.number, card=flipped[-1])
        return flipped

    def lose_stealth(self, seat: Seat, cause: str) -> None:
        if seat.stealth == 0:  # B24
            self.tell("caught", seat=seat.number, cause=cause)
            raise GameOver("lost", cause)
        seat.stealth -= 1
        self.tally["stealth_lost"] += 1
        self.tell("stealth", seat=seat.number, cause=cause, left=seat.stealth)

    def bail(self, seat: Seat) -> None:  # B22
        seat.active = False
        self.tell("bail", seat=seat.number)
        if seat.cracked and self.best_reading(seat.display) < self.rules["targeted_safe_from"]:
            self.alarm(seat, "targeted")

    def end_round(self) -> None:  # B23
        self.tell("round_end")
        for seat in self.seats:
            if seat.guard in seat.display:
                self.lose_stealth(seat, "display")
        for seat in self.seats:
            seat.discards.extend(seat.display)  # B15
            seat.display = []
            seat.current = None
        if self.all_cracked():
            raise GameOver("won")  # B25
        if self.round >= self.rules["max_rounds"]:
            raise GameOver("stalled")  # B27

    def outcome(self, end: GameOver) -> dict[str, Any]:
        columns: dict[str, Any] = {
            "won": end.result == "won",
            "stalled": end.result == "stalled",
            "lost_to": end.lost_to,
            "rounds": self.round,
            "cracked": sum(seat.cracked for seat in self.seats),
            "tools_used": 0,
            **self.tally,
        }
        for seat in self.seats:
            columns[f"crack_round.{seat.number}"] = seat.crack_round
            columns[f"stealth_left.{seat.number}"] = seat.stealth
            columns[f"seat_alarms.{seat.number}"] = seat.alarms
        return columns


class Simple:
    """The pinned policy `simple`."""

    def __init__(self, knobs: dict[str, Any]) -> None:
        self.knobs = {**SIMPLE_KNOBS, **knobs}

    def trade(self, table: Table, movers: list[Seat]) -> list[str]:
        """The card each mover holds afterwards; `permutations` counts up in lexicographic order."""
        cards = [seat.current for seat in movers if seat.current]
        scores = [[self.score(table, seat, card) for card in cards] for seat in movers]

        def total(order: tuple[int, ...]) -> float:
            return sum(row[index] for row, index in zip(scores, order, strict=True))

        # max keeps the first of equals
        return [cards[index] for index in max(permutations(range(len(cards))), key=total)]

    def score(self, table: Table, seat: Seat, card: str) -> float:
        display = [c for c in seat.display if c != seat.current] + [card]
        points = 0
        if not seat.cracked and suit_of(card) == seat.suit:
            points += self.knobs["suit"]
        if not seat.cracked and table.ways_to_crack(seat, display):
            points += 1000
        elif table.is_bust(display):
            points -= self.knobs["bust"]
        if table.is_jackpot(display):
            points += self.knobs["jackpot"]
        if table.may_peek(display):
            points += self.knobs["peek"]
        return points

    def discards_peeked(self, table: Table, seat: Seat, card: str) -> bool:
        return card == seat.guard

    def twenty_one(self, table: Table, seat: Seat) -> tuple[str, Seat | None]:
        for owner in table.seats:
            if owner.guard in owner.display:
                return "guard", owner
        return "peek", None

    def crack(self, table: Table, ways: list[tuple[str, list[str]]]) -> tuple[str, list[str]]:
        return ways[0]

    def removes(self, table: Table, seat: Seat, flipped: list[str]) -> str:
        candidates = [c for c in flipped if not is_guard(c)]
        off_suit = [c for c in candidates if suit_of(c) != seat.suit]
        return (off_suit or candidates)[0]

    def bails(self, table: Table, seat: Seat) -> bool:
        if seat.cracked:
            return bool(table.best_reading(seat.display) >= self.knobs["targeted_bail_at"])
        suited = sum(suit_of(c) == seat.suit for c in seat.display)
        return suited < 4 and bool(table.hard_total(seat.display) >= self.knobs["bail_at"])


def play(
    rules: dict[str, Any], knobs: dict[str, Any], deal: Deal, reshuffle: Reshuffle
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Play one game of policy `simple`.

    A rule or knob that is left out has its default. `reshuffle(seat, discards)`, seats from 1, is
    called whenever a deck is remade and returns the new deck. Returns the outcome columns and the
    events from `deal` on.
    """
    return Table(rules, Simple(knobs), deal, reshuffle).play()


def random_deal(rng: random.Random) -> list[tuple[str, list[str]]]:
    """Four Guards and decks of eleven cards."""
    cards = [rank + suit for suit in SUITS for rank in RANKS]  # B1, B2
    rng.shuffle(cards)
    guards = ["J" + suit for suit in SUITS]
    rng.shuffle(guards)
    deal = []
    for index, guard in enumerate(guards):
        deck = [*cards[10 * index : 10 * index + 10], guard]
        rng.shuffle(deck)
        deal.append((guard, deck))
    return deal


def random_reshuffle(rng: random.Random) -> Reshuffle:
    """A `reshuffle` for `play` that shuffles evenly."""

    def reshuffle(seat: int, discards: list[str]) -> list[str]:
        return rng.sample(discards, len(discards))

    return reshuffle
