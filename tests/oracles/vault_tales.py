"""Hand-written traces for the rule checker of Vault Breakers: a game told line by line.

The helper knows the piles and the clock; what a test is about it tells itself. The defaults are
small: one training deck, no training cards drawn, two thresholds. A trace is written as far as a
test needs it: it is legal if nothing but its end is missing.
"""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest

from .vault_checker import RuleBroken, check

CardData = dict[str, Any]

COLOURS = {"a": "audacity", "b": "brawn", "c": "charisma", "s": "stealth"}
SKILL = {"D": "audacity", "C": "brawn", "H": "charisma", "S": "stealth"}
RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
RULES: dict[str, Any] = {
    "training_decks": 1,
    "tokens_each": 20,
    "draw": 0,
    "combine_at": 10,
    "ace_value": 1,
    "dice": 6,
    "dice_limit": "player",
    "first_break_needs_partner": False,
    "thresholds": [10, 15],
    "loot_per_break": 3,
    "failure_hits": "breaker",
    "reveal_at": 20,
    "max_turns": 400,
}
KINDS = ("actions", "reactions")
FACES_2 = ("JD QD KD JC QC KC", "JH QH KH JS QS KS")  # aaabbb and cccsss
FACES_3 = ("JD QD KD JC", "QC KC JH QH", "KH JS QS KS")  # aaab, bbcc and csss


def words(text: str) -> list[str]:
    """The colours of a text of their first letters."""
    return [COLOURS[letter] for letter in text]


def card(effect: str, when: str = "", cost: str = "", **data: Any) -> CardData:
    """An action, or a reaction if it has a moment; the cost is in first letters, `*` for any."""
    prices = Counter("any" if letter == "*" else COLOURS[letter] for letter in cost)
    told = {"name": effect, "effect": effect, "cost": dict(prices), **data}
    return told | ({"when": when} if when else {})


def blank(seat: int) -> CardData:
    """A reaction too dear to use."""
    return card("protect", "on_targeted", "c" * 20, name=f"blank {seat}")


class Tale:
    """A trace in the making."""

    def __init__(
        self,
        *hands: str,
        then: str = "",
        vault: str = "6 5 4 3 2 1",
        actions: tuple[CardData, ...] = (),
        reactions: tuple[CardData, ...] | dict[int, CardData] = (),
        **rules: Any,
    ) -> None:
        """The nth seat gets the nth action and the nth reaction, or its own of a dictionary."""
        self.players = len(hands)
        self.hands = [hand.split() for hand in hands]
        self.vault = [int(vp) for vp in vault.split()]
        if isinstance(reactions, dict):
            seats = range(1, self.players + 1) if reactions else ()
            reactions = tuple(reactions.get(seat) or blank(seat) for seat in seats)
        self.data: dict[str, list[CardData]] = {
            "actions": list(actions),
            "reactions": list(reactions),
        }
        self.decks = {kind: [data["name"] for data in cards] for kind, cards in self.data.items()}
        self.held: dict[tuple[str, int], str] = {}
        self.clock: dict[str, int] = {}
        self.number = 0
        start: dict[str, Any] = {
            "players": self.players,
            "start_cards": len(self.hands[0]),
            "loot": {},
        }
        start["loot"] = {str(vp): number for vp, number in Counter(self.vault).items()}
        self.rules: dict[str, Any] = {**RULES, **start, **self.data, **rules}
        first = [name for hand in self.hands for name in hand] + then.split()
        whole = Counter(rank + suit for suit in SKILL for rank in RANKS)
        whole = Counter(dict.fromkeys(whole, self.rules["training_decks"]))
        self.deck = [*first, *(whole - Counter(first)).elements()]
        self.lines: list[dict[str, Any]] = []
        self.say("game", game="vault", rules=self.rules)
        decks = {kind: list(deck) for kind, deck in self.decks.items() if deck}
        self.say("deal", training=list(self.deck), loot=list(self.vault), **decks)
        for seat, hand in enumerate(self.hands, 1):
            self.say("hand", seat=seat, cards=self.top(len(hand)))

    def top(self, number: int) -> list[str]:
        cards, self.deck = self.deck[:number], self.deck[number:]
        return cards

    def say(self, event: str, **fields: Any) -> Tale:
        self.lines.append({"event": event, **self.clock, **copy.deepcopy(fields)})
        return self

    def copy(self) -> Tale:
        return copy.deepcopy(self)

    def plus(self, event: str, **fields: Any) -> Tale:
        return self.copy().say(event, **fields)

    def changed(self, **fields: Any) -> Tale:
        """A copy whose last line has other values in these fields; None takes a field out."""
        other = self.copy()
        line = {**other.lines[-1], **fields}
        other.lines[-1] = {name: value for name, value in line.items() if value is not None}
        return other

    def until(self, event: str, nth: int = 1) -> Tale:
        """A copy that stops at the nth line of this event."""
        places = [i for i, line in enumerate(self.lines) if line["event"] == event]
        other = self.copy()
        other.lines = other.lines[: places[nth - 1] + 1]
        return other

    # A turn

    def start(self) -> Tale:
        """Nothing but the line of the next turn."""
        self.number += 1
        self.clock = {"turn": self.number}
        return self.say("turn", seat=self.seat)

    @property
    def seat(self) -> int:
        return (self.number - 1) % self.players + 1

    def turn(self) -> Tale:
        """The turn and what is drawn; what was held or drawn first is kept."""
        self.start()
        for kind in KINDS:
            self.draw_cards(kind)
        cards = self.top(self.rules["draw"])
        return self.say("draw", seat=self.seat, cards=cards) if cards else self

    def draw_cards(self, kind: str) -> None:
        held = [self.held[kind, self.seat]] if (kind, self.seat) in self.held else []
        deck = self.decks[kind]
        drawn = deck[: 2 - len(held)]
        both = held + drawn
        if both:
            back = {"returned": both[1]} if len(both) > 1 else {}
            self.say(f"draw_{kind}", seat=self.seat, cards=drawn, kept=both[0], **back)
            self.held[kind, self.seat] = both[0]
            self.decks[kind] = both[1:] + deck[len(drawn) :]

    def combine(self, *sets: str, wasted: int = 0) -> Tale:
        for cards in sets:
            token = SKILL[cards[-1]]
            self.say("combine", seat=self.seat, cards=cards.split(), token=token, wasted=wasted)
            self.deck += cards.split()
        return self

    def rest(self) -> Tale:
        return self.say("pass", seat=self.seat)

    def rich(self) -> Tale:
        """In its turn each seat makes tokens of its faces and passes."""
        for hand in self.hands:
            self.turn().combine(*(name for name in hand if name[0] in "JQK")).rest()
        return self

    # Cards

    def use(
        self, event: str, kind: str, seat: int, paid: str, target: int | None, **fields: Any
    ) -> Tale:
        name = self.held.pop((kind, seat))
        data = next(data for data in self.data[kind] if data["name"] == name)
        aimed = {"target": target} if target else {}
        fields = {"card": name, "effect": data["effect"], "paid": words(paid), **fields, **aimed}
        self.decks[kind].append(name)
        return self.say(event, seat=seat, **fields)

    def act(self, paid: str = "", target: int | None = None) -> Tale:
        return self.use("act", "actions", self.seat, paid, target)

    def react(self, seat: int, moment: str, paid: str = "", target: int | None = None) -> Tale:
        return self.use("react", "reactions", seat, paid, target, moment=f"on_{moment}")

    # A break

    def breaks(self, parts: str, shares: str, threshold: int = 10) -> Tale:
        """Parts as in "1:aab 2:cs"."""
        told = []
        for part in parts.split():
            seat, paid = part.split(":")
            told.append({"seat": int(seat), "dice": len(paid), "paid": words(paid)})
        owners = [int(owner) for owner in shares.split()]
        return self.say("break", seat=self.seat, threshold=threshold, parts=told, shares=owners)

    def roll(self, dice: str, threshold: int = 10) -> Tale:
        rolled = [int(die) for die in dice]
        return self.say("roll", dice=rolled, total=sum(rolled), threshold=threshold)

    def broken(self, shares: str, total: int) -> Tale:
        loot = [{"seat": int(seat), "vp": self.vault.pop(0)} for seat in shares.split()]
        return self.say("broken", loot=loot, total=total)

    def failed(self, die: int, total: int) -> Tale:
        return self.say("failed", die=die, total=total)

    def hit(self, seat: int, die: int, **fields: Any) -> Tale:
        return self.say("hit", seat=seat, die=die, **fields)

    def end(self, ended_by: str, vp: str, winners: str, **columns: Any) -> Tale:
        """The columns not told are 0; those of the seats follow from `vp` but for `loot`."""
        told, won = [int(n) for n in vp.split()], [int(n) for n in winners.split()]
        names = "breaks attempts dice participants tokens_earned tokens_spent wasted turns".split()
        outcome: dict[str, Any] = dict.fromkeys(names, 0)
        outcome |= {f"failures.{die}": 0 for die in range(1, 7)}
        for place in range(1, len(self.rules["thresholds"]) + 1):
            outcome |= {f"attempts_at.{place}": 0, f"broken_at.{place}": 0}
        for seat, points in enumerate(told, 1):
            share = 60 // len(won) if seat in won else 0
            outcome |= {f"win_share.{seat}": share, f"vp.{seat}": points, f"loot.{seat}": 0}
        outcome |= {"ended_by": ended_by, "stalled": int(ended_by == "stalled")}
        outcome |= {name.replace("__", "."): value for name, value in columns.items()}
        return self.say("end", ended_by=ended_by, vp=told, winners=won, outcome=outcome)


def legal(tale: Tale) -> None:
    """Every line is accepted; only what would follow is missing."""
    stops = rf"^line {len(tale.lines) + 1}: the trace stops before its end \(trace format\)$"
    with pytest.raises(RuleBroken, match=stops):
        check(tale.lines)


def refused(tale: Tale, rule: str) -> None:
    """Every line but the last is accepted."""
    with pytest.raises(RuleBroken, match=rf"^line {len(tale.lines)}: .* \({rule}\)$"):
        check(tale.lines)


def raiders(
    cards: dict[int, CardData] | None = None, hands: tuple[str, ...] = FACES_2, **rules: Any
) -> Tale:
    """The seats have the tokens of their faces and these reactions; seat 1 is to break or act."""
    return Tale(*hands, reactions=cards or {}, **rules).rich().turn()
