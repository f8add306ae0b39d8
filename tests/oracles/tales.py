"""Hand-written traces for the rule checker: a game told line by line, legal or refused.

Seat 1 keeps the Guard of clubs, then diamonds, hearts and spades. A trace is written as far as a
test needs it: it is legal if nothing but its end is missing.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest

from .burgle_checker import CHARACTERS, TOOL_FIELDS, RuleBroken, check

Decks = dict[int | str, list[str]]

GUARDS = ["JC", "JD", "JH", "JS"]
NUMBERS = [rank + suit for rank in "A 2 3 4 5 6 7 8 9 10".split() for suit in "CDHS"]
DEALT = 11
RULES: dict[str, Any] = {
    "stealth": 2,
    "stealth_cap": None,
    "trading": True,
    "guard_value": 10,
    "peek_totals": [],
    "jackpot_total": 99,
    "crack": {"flush": 5},
    "alarm_over": 21,
    "alarm_discards": 2,
    "alarm_removes": 1,
    "targeted_safe_from": 17,
    "win_at_once": True,
    "max_rounds": 1,
    "burn": 0,
    "straight_replaces_flush": True,
    "guard_in_straight": True,
    "joker_in_straight": False,
    "juicer_alarm_over": 24,
    "peterman_before_guard": False,
    "dynamite_inactive": False,
}
EMPTY_IN_ROUND_1: dict[str, Any] = {
    "alarm_over": 12,
    "alarm_discards": 20,
    "alarm_removes": 0,
    "max_rounds": 9,
}
SAFE: dict[str, Any] = {"crack": {"flush": 1}}  # one card of the suit opens a safe
PEEKS: dict[str, Any] = {"peek_totals": [5, 10, 15, 20]}
COLUMNS = (
    "won stalled rounds turns draws cracked alarms targeted_alarms stealth_lost trades"
    " twenty_ones peeks tools_used removed"
).split()


class Tale:
    """A trace in the making: it knows the decks and the clock, the rest is told by the test."""

    def __init__(
        self,
        *tops: str,
        van: str = "",
        characters: str = "",
        tools: str = "",
        **rules: Any,
    ) -> None:
        self.players = len(tops)
        self.clock: dict[str, int] = {}
        self.lines: list[dict[str, Any]] = []
        names = characters.split()
        full = {**RULES, "players": self.players, "tools": tools.split(), **rules}
        self.say("game", game="burgle", rules={"characters": names or "none", **full})
        self.decks: Decks = {}
        self.started = False
        self.deal([top.split() for top in tops], van.split(), names)
        self.tools = tools.split()
        self.set_tools(names)

    def deal(self, tops: list[list[str]], van: list[str], names: list[str]) -> None:
        named = {card for top in [*tops, van] for card in top}
        others = [card for card in NUMBERS if card not in named]
        for seat, (guard, top) in enumerate(zip(GUARDS, tops, strict=False), 1):
            free = DEALT - len(top) - (guard not in top)
            fill, others = others[:free], others[free:]
            self.decks[seat] = top + fill + ([] if guard in top else [guard])
            who = {"character": names[seat - 1]} if names and names[seat - 1] != "none" else {}
            self.say("deal", seat=seat, guard=guard, deck=list(self.decks[seat]), **who)
        if self.players < len(GUARDS):
            jacks = [guard for guard in GUARDS[self.players :] if guard not in van]
            self.decks["van"] = [*van, *others, *jacks]
            self.say("deal", seat="van", deck=list(self.decks["van"]))

    def set_tools(self, names: list[str]) -> None:
        if self.tools:
            self.say("tools", deck=list(self.tools))
        if "hammer" in names and self.tools:
            self.take_tool(names.index("hammer") + 1, hammer=True)

    def take_tool(self, seat: int, hammer: bool = False) -> Tale:
        tool = self.tools.pop(0)
        if not (hammer and self.tools):
            return self.say("tool", seat=seat, tool=tool)
        returned = self.tools.pop(0)
        self.say("tool", seat=seat, tool=tool, returned=returned)
        self.tools.append(returned)
        return self.say("tools", deck=list(self.tools))

    def say(self, event: str, **fields: Any) -> Tale:
        self.lines.append({"event": event, **self.clock, **fields})
        return self

    def plus(self, event: str, **fields: Any) -> Tale:
        return copy.deepcopy(self).say(event, **fields)

    def round(self) -> Tale:
        self.clock = {"round": self.clock.get("round", 0) + 1, "turn": 1}
        self.started = False
        return self.say("round")

    def turn(self, *seats: int, van: bool = True) -> Tale:
        """The turn starts, these seats draw, then the Van if there is one."""
        self.clock["turn"] += self.started
        self.started = True
        self.say("turn")
        return self.draw(*seats, *(["van"] if van and "van" in self.decks else []))

    def draw(self, *seats: int | str) -> Tale:
        for seat in seats:
            self.say("draw", seat=seat, card=self.decks[seat].pop(0))
        return self

    def shuffle(self, seat: int | str, *cards: str) -> Tale:
        self.decks[seat] = list(cards)
        return self.say("shuffle", seat=seat, deck=list(cards))

    def use(self, seat: int, tool: str, **fields: Any) -> Tale:
        return self.say("use", seat=seat, tool=tool, **fields)

    def trade(self, *moves: tuple[int | str, int | str, str]) -> Tale:
        told = [{"from": giver, "to": taker, "card": card} for giver, taker, card in moves]
        return self.say("trade", moves=told)

    def crack(self, seat: int, *cards: str) -> Tale:
        return self.say("crack", seat=seat, cards=list(cards), kind="flush")

    def alarm(self, seat: int, *flipped: str, remove: str | None = None) -> Tale:
        self.say("alarm", seat=seat, cause="total")
        for card in flipped:
            self.decks[seat].remove(card)
            self.say("flip", seat=seat, card=card)
        return self.say("remove", seat=seat, card=remove) if remove else self

    def bail(self, *seats: int) -> Tale:
        for seat in seats:
            self.say("bail", seat=seat)
        return self

    def end(self, result: str = "stalled", **columns: Any) -> Tale:
        outcome: dict[str, Any] = dict.fromkeys(COLUMNS, 0) | {"lost_to": "none"}
        for seat in range(1, len(GUARDS) + 1):
            here = seat <= self.players
            outcome |= {f"crack_round.{seat}": 0, f"seat_alarms.{seat}": 0}
            outcome[f"stealth_left.{seat}"] = RULES["stealth"] if here else 0
            outcome[f"character.{seat}"] = "none"
        outcome |= {f"used.{tool}": 0 for tool in TOOL_FIELDS}
        outcome |= {f"ability.{name}": 0 for name in CHARACTERS}
        outcome |= {name.replace("__", "."): value for name, value in columns.items()}
        return self.say("end", result=result, outcome=outcome)


def legal(tale: Tale) -> None:
    """Every line is accepted; only what would follow is missing."""
    stops = rf"^line {len(tale.lines) + 1}: the trace stops before its end \(trace format\)$"
    with pytest.raises(RuleBroken, match=stops):
        check(tale.lines)


def refused(tale: Tale, rule: str) -> None:
    """Every line but the last is accepted."""
    with pytest.raises(RuleBroken, match=rf"^line {len(tale.lines)}: .* \({rule}\)$"):
        check(tale.lines)


def armed(*tops: str, tool: str, others: str = "", **rest: Any) -> Tale:
    """Seat 1 is the Hammer and starts with the tool."""
    names = ["hammer", *others.split()]
    names += ["none"] * (len(tops) - len(names))
    return Tale(*tops, tools=tool, characters=" ".join(names), **rest)
