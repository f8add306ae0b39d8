"""The event rows of a game of Burgle Bros Blackjack as the lines of docs/trace/, and in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy.typing as npt

from balance.games.burgle import CHARACTERS, TOOLS
from kernels.burgle import happenings as h
from kernels.burgle.layout import (
    CROWBAR,
    CRYSTAL_BALL,
    DONUTS,
    FIRST_GUARD,
    JOKER,
    KEEP,
    MAKEUP_KIT,
    RANKS,
    SMOKE_BOMB,
    STETHOSCOPE,
    STETHOSCOPE_MINUS,
    VAN,
)

__all__ = ["card_name", "read_events", "tell"]

SUITS = "CDHS"
SEATED = ("none", *CHARACTERS)
CAUSES = ("none", "display", "alarm", "targeted_alarm")
ALARM_CAUSES = ("", "", "total", "targeted")


def card_name(card: int) -> str:
    """A card as the trace writes it: `AC`, `10S`, `JH`, `Joker`."""
    if card == JOKER:
        return "Joker"
    if card >= FIRST_GUARD:
        return "J" + SUITS[card - FIRST_GUARD]
    rank = card % RANKS + 1
    return ("A" if rank == 1 else str(rank)) + SUITS[card // RANKS]


def pile_names(pile: int) -> list[str]:
    """The cards of a pile, lowest first and the Guard last."""
    return [card_name(card) for card in range(JOKER + 1) if pile >> card & 1]


def read_events(rows: npt.NDArray[Any], outcome: Mapping[str, int]) -> list[dict[str, Any]]:
    """Event rows (int64, shape (events, WIDTH)) as trace lines, from the deal to the end."""
    lines: list[dict[str, Any]] = []
    decks: list[str] = []
    for kind, round_number, turn, seat, first, second, third in rows.tolist():
        if kind in (h.LAID, h.TOOL_LAID):
            decks.append(card_name(first) if kind == h.LAID else TOOLS[first])
            continue
        if kind in ADDED:
            _add(lines[-1], kind, seat, first, second)
            continue
        if kind == h.TRADED:
            move = {"from": _who(seat), "to": _who(second), "card": card_name(first)}
            if lines and lines[-1]["event"] == "trade":
                lines[-1]["moves"].append(move)
                continue
            line: dict[str, Any] = {"event": "trade", "moves": [move]}
        else:
            line = _line(kind, _who(seat), first, second, third)
        if kind in (h.DEALT, h.SHUFFLED, h.TOOLS_SHUFFLED):
            decks = line["deck"] = []
        if kind == h.ENDED:
            line.update(_ending(outcome))
        if round_number > 0:
            line["round"] = round_number
            line["turn"] = max(turn, 1)
        lines.append(line)
    return lines


def _who(seat: int) -> int | str:
    """A seat as the trace writes it, from 1; the Man in the Van by name."""
    return "van" if seat == VAN else seat + 1


ADDED = (h.GUARD_PLACED, h.GUARD_SMOKED, h.GAINED)  # rows that add to the `use` line before them


def _add(line: dict[str, Any], kind: int, seat: int, first: int, second: int) -> None:
    if kind == h.GUARD_PLACED:
        line["places"].append({"seat": first + 1, "place": second})
    else:
        line["guards" if kind == h.GUARD_SMOKED else "gained"].append(seat + 1)


def _use(seat: int, tool: int, target: int, whose: int) -> dict[str, Any]:
    line: dict[str, Any] = {"event": "use", "seat": seat, "tool": TOOLS[tool]}
    if tool == CROWBAR:
        return {**line, "target": whose + 1, "card": card_name(target)}
    if tool in (STETHOSCOPE, DONUTS):
        return {**line, "target": target + 1}
    lists = {CRYSTAL_BALL: "places", MAKEUP_KIT: "gained", SMOKE_BOMB: "guards"}
    return {**line, lists[tool]: []} if tool in lists else line


def _line(kind: int, seat: Any, first: int, second: int, third: int) -> dict[str, Any]:
    card = card_name(first) if 0 <= first <= JOKER else ""
    simple: dict[int, dict[str, Any]] = {
        h.TOOLS_SHUFFLED: {"event": "tools"},
        h.ROUND_STARTED: {"event": "round"},
        h.TURN_STARTED: {"event": "turn"},
        h.SHUFFLED: {"event": "shuffle", "seat": seat},
        h.BLOWN_UP: {"event": "dynamite", "seat": seat, "card": card},
        h.DRAWN: {"event": "draw", "seat": seat, "card": card},
        h.NOT_DRAWN: {"event": "no_card", "seat": seat},
        h.VAN_GUARD: {"event": "van_guard", "seat": seat, "card": card},
        h.STAYED: {"event": "twenty_one", "seat": seat, "choice": "stay"},
        h.LEFT_TO_PEEK: {"event": "twenty_one", "seat": seat, "choice": "peek"},
        h.BURNED: {"event": "burn", "seat": seat, "card": card},
        h.DISTRACTED: {"event": "distraction", "seat": seat},
        h.FLIPPED: {"event": "flip", "seat": seat, "card": card},
        h.CARD_REMOVED: {"event": "remove", "seat": seat, "card": card},
        h.BAILED: {"event": "bail", "seat": seat},
        h.ROUND_ENDED: {"event": "round_end"},
        h.PUT_ON_TOP: {"event": "on_top", "seat": seat, "card": card},
        h.ENDED: {"event": "end"},
    }
    if kind in simple:
        return simple[kind]
    if kind == h.DEALT:
        return _deal(seat, card, third)
    if kind == h.TOOL_TAKEN:
        line = {"event": "tool", "seat": seat, "tool": TOOLS[first]}
        return line if second < 0 else {**line, "returned": TOOLS[second]}
    if kind == h.TOOL_USED:
        return _use(seat, first, second, third)
    if kind == h.REPLACED:
        cause = "acrobat" if second == 1 else "donuts"
        return {"event": "replace", "seat": seat, "card": card, "cause": cause}
    if kind in (h.PEEKED, h.LOOKED_AT_TWO, h.ROOK_LOOKED):
        return _look(kind, seat, first, second, third)
    if kind == h.LEFT_TO_DISCARD:
        line = {"event": "twenty_one", "seat": seat, "choice": "guard"}
        return {**line, "owner": second + 1, "card": card}
    if kind == h.SAFE_CRACKED:
        cards = pile_names(first) + ["Joker"] * third
        crack_kind = "straight_flush" if second else "flush"
        return {"event": "crack", "seat": seat, "cards": cards, "kind": crack_kind}
    if kind == h.SILENCED:
        return {"event": "quiet", "seat": seat, "cause": ALARM_CAUSES[first]}
    if kind == h.ALARMED:
        return {"event": "alarm", "seat": seat, "cause": ALARM_CAUSES[first]}
    if kind == h.STEALTH_PAID:
        return {"event": "stealth", "seat": seat, "cause": CAUSES[first], "left": second}
    return {"event": "caught", "seat": seat, "cause": CAUSES[first]}


def _deal(seat: Any, guard: str, character: int) -> dict[str, Any]:
    line: dict[str, Any] = {"event": "deal", "seat": seat}
    if seat != "van":
        line["guard"] = guard
    if character:
        line["character"] = SEATED[character]
    return line


def _look(kind: int, seat: int, first: int, second: int, third: int) -> dict[str, Any]:
    card = card_name(first)
    if kind == h.PEEKED:
        cause = "twenty_one" if third else "total"
        line = {"event": "peek", "seat": seat, "cause": cause, "card": card}
        return {**line, "discarded": bool(second)}
    if kind == h.ROOK_LOOKED:
        line = {"event": "rook", "seat": seat, "target": second + 1, "card": card}
        return {**line, "discarded": bool(third)}
    cards = [card, card_name(second)]
    line = {"event": "hawk", "seat": seat, "cards": cards}
    return line if third == KEEP else {**line, "discarded": cards[third - 1]}


def _ending(outcome: Mapping[str, int]) -> dict[str, Any]:
    shown: dict[str, Any] = dict(outcome)
    shown["lost_to"] = CAUSES[outcome["lost_to"]]
    for name in shown:
        if name.startswith("character."):
            shown[name] = SEATED[shown[name]]
    if outcome["won"]:
        return {"result": "won", "outcome": shown}
    if outcome["stalled"]:
        return {"result": "stalled", "outcome": shown}
    return {"result": "lost", "lost_to": shown["lost_to"], "outcome": shown}


CAUSE_WORDS = {
    "display": "its Guard is still in its display",
    "alarm": "the alarm flipped its Guard",
    "targeted_alarm": "the Targeted alarm flipped its Guard",
}


def tell(events: Sequence[Mapping[str, Any]]) -> list[str]:
    """Trace lines in words, one line of text for each thing that happened.

    Once a turn, before the checks, the displays and their totals are shown.
    """
    told: list[str] = []
    table = _Displays()
    for event in events:
        told += table.shown_before(event)
        table.follow(event)
        text = WORDS[event["event"]](event)
        told += [text] if isinstance(text, str) else text
    return told


BEFORE_CHECKS = (
    *("draw", "no_card", "shuffle", "replace", "van_guard", "trade", "use", "dynamite"),
)


class _Displays:
    """The displays as the lines go by, for whoever follows the game on paper."""

    def __init__(self) -> None:
        self.cards: dict[int | str, list[str]] = {}
        self.lowered: set[int | str] = set()
        self.guard_value = 10
        self.drawing = False

    def follow(self, event: Mapping[str, Any]) -> None:
        kind = event["event"]
        if kind == "game":
            self.guard_value = event["rules"]["guard_value"]
        elif kind == "round":
            self.cards = {}
            self.lowered = set()
        elif kind == "draw" and event["seat"] != "van":
            self.cards.setdefault(event["seat"], []).append(event["card"])
        elif kind == "trade":
            for move in event["moves"]:
                self._drop(move["from"], move["card"])
            for move in event["moves"]:
                if move["to"] != "van":
                    self.cards[move["to"]].append(move["card"])
        elif kind == "twenty_one" and event["choice"] == "guard":
            self._drop(event["owner"], event["card"])
        elif kind in ("burn", "replace", "van_guard", "dynamite"):
            self._drop(event["seat"], event["card"])
        elif kind == "use":
            self._follow_tool(event)
        self.drawing = kind == "turn" or (self.drawing and kind in BEFORE_CHECKS)

    def _follow_tool(self, event: Mapping[str, Any]) -> None:
        if event["tool"] == "crowbar":
            self._drop(event["target"], event["card"])
        elif event["tool"] == "stethoscope":
            self.lowered.add(event["target"])
        elif event["tool"] == "smoke_bomb":
            for seat in event["guards"]:
                self._drop(seat, next(c for c in self.cards[seat] if c[0] == "J" and len(c) == 2))

    def _drop(self, seat: int | str, card: str) -> None:
        if seat != "van":
            self.cards[seat].remove(card)

    def shown_before(self, event: Mapping[str, Any]) -> list[str]:
        """The displays, if this event is the first one after the draws and the trade."""
        if not self.drawing or event["event"] in BEFORE_CHECKS:
            return []
        lines = (
            f"      {seat}: {_cards(cards)} = {self.total(seat)}"
            for seat, cards in sorted(self.cards.items())
            if cards
        )
        return ["    displays", *lines]

    def total(self, seat: int | str) -> str:
        """The readings of a display: `12`, or `7 or 17` with an Ace."""
        cards = self.cards[seat]
        aces = sum(card[0] == "A" for card in cards)
        hard = aces - (STETHOSCOPE_MINUS if seat in self.lowered else 0)
        for card in cards:
            if card[0] == "J" and card != "Joker":
                hard += self.guard_value
            elif card[0] != "A" and card != "Joker":
                hard += int(card[:-1])
        return " or ".join(str(hard + 10 * raised) for raised in range(aces + 1))


def _cards(cards: Sequence[str]) -> str:
    return " ".join(cards)


def _tell_game(event: Mapping[str, Any]) -> list[str]:
    players = ", ".join(f"{n} {p['name']}" for n, p in enumerate(event["policies"], start=1))
    return [
        f"{event['scenario']} / {event['variant']}: rollout {event['rollout']} of seed "
        f"{event['seed']}",
        f"Players: {players}. Decks are listed from the top; J is a Guard.",
        "",
    ]


def _tell_trade(event: Mapping[str, Any]) -> str:
    moves = (f"{_seat(m['from'])} gives {m['card']} to {_seat(m['to'])}" for m in event["moves"])
    return "    trade: " + ", ".join(moves)


def _seat(seat: int | str) -> str:
    return "the Van" if seat == "van" else f"seat {seat}"


def _tell_deal(event: Mapping[str, Any]) -> str:
    if event["seat"] == "van":
        return f"The Van: deck {_cards(event['deck'])}"
    who = f", the {event['character'].title()}" if "character" in event else ""
    return f"Seat {event['seat']}{who}: Guard {event['guard']}, deck {_cards(event['deck'])}"


def _tool(name: str) -> str:
    return "E.M.P." if name == "emp" else name.replace("_", " ").title()


def _tell_tool(event: Mapping[str, Any]) -> str:
    told = f"    seat {event['seat']} takes the {_tool(event['tool'])}"
    if "returned" not in event:
        return told
    return f"{told} and shuffles the {_tool(event['returned'])} back"


def _tell_use(event: Mapping[str, Any]) -> str:
    told = f"    TOOL: seat {event['seat']} uses the {_tool(event['tool'])}"
    if "card" in event:
        return f"{told} on {event['card']} of seat {event['target']}"
    if "target" in event:
        return f"{told} for seat {event['target']}"
    if "places" in event:
        found = (f"seat {p['seat']}'s is card {p['place']}" for p in event["places"])
        return f"{told}: of the Guards in decks, {', '.join(found)} from the top"
    for name, done in (("gained", "gain 1 stealth"), ("guards", "discard their Guards")):
        if name in event:
            return f"{told}: seats {', '.join(map(str, event[name]))} {done}"
    return told


def _tell_replace(event: Mapping[str, Any]) -> str:
    by = "as the Acrobat" if event["cause"] == "acrobat" else "by the Donuts"
    return f"    seat {event['seat']} discards {event['card']} {by} and draws again"


def _tell_hawk(event: Mapping[str, Any]) -> str:
    done = f"discards {event['discarded']}" if "discarded" in event else "puts both back"
    return f"    seat {event['seat']} looks at {_cards(event['cards'])} and {done}"


def _tell_rook(event: Mapping[str, Any]) -> str:
    done = "discards it" if event["discarded"] else "puts it back"
    return (
        f"    seat {event['seat']} looks at {event['card']} on seat {event['target']}'s deck "
        f"and {done}"
    )


def _tell_peek(event: Mapping[str, Any]) -> str:
    done = "discards it" if event["discarded"] else "puts it back"
    return f"    seat {event['seat']} peeks at {event['card']} and {done}"


def _tell_twenty_one(event: Mapping[str, Any]) -> str:
    start = f"    seat {event['seat']} has a twenty-one and "
    if event["choice"] == "stay":
        return start + "stays"
    if event["choice"] == "peek":
        return start + "leaves the round: everybody may peek"
    return start + f"leaves the round: seat {event['owner']}'s Guard {event['card']} is discarded"


def _tell_alarm(event: Mapping[str, Any]) -> str:
    why = "is over the threshold" if event["cause"] == "total" else "bailed too low while Targeted"
    return f"    ALARM: seat {event['seat']} {why}"


def _tell_end(event: Mapping[str, Any]) -> list[str]:
    outcome = event["outcome"]
    last = {
        "won": "WON: every safe is cracked.",
        "stalled": "STALLED: the round limit is reached.",
    }.get(event["result"], "LOST: somebody was caught.")
    return [
        "",
        f"{last} {outcome['rounds']} rounds, {outcome['turns']} turns, {outcome['draws']} cards "
        f"drawn, {outcome['cracked']} safes cracked, {outcome['alarms']} alarms.",
    ]


WORDS: dict[str, Callable[[Mapping[str, Any]], str | list[str]]] = {
    "game": _tell_game,
    "deal": _tell_deal,
    "tools": lambda e: f"    the tool deck: {', '.join(map(_tool, e['deck'])) or 'empty'}",
    "tool": _tell_tool,
    "use": _tell_use,
    "dynamite": lambda e: f"    {e['card']} of seat {e['seat']} leaves the game",
    "replace": _tell_replace,
    "van_guard": lambda e: f"    seat {e['seat']} discards {e['card']} by the Van's Jack",
    "hawk": _tell_hawk,
    "rook": _tell_rook,
    "distraction": lambda e: f"    seat {e['seat']} is over, but even: no alarm, it leaves",
    "quiet": lambda e: f"    seat {e['seat']} leaves without an alarm: E.M.P.",
    "on_top": lambda e: f"    seat {e['seat']} puts {e['card']} on top of its deck",
    "round": lambda e: ["", f"Round {e['round']}"],
    "turn": lambda e: f"  Turn {e['turn']}",
    "shuffle": lambda e: f"    {_seat(e['seat'])} shuffles its discards: {_cards(e['deck'])}",
    "draw": lambda e: f"    {_seat(e['seat'])} draws {e['card']}",
    "no_card": lambda e: f"    seat {e['seat']} has no card to draw",
    "trade": _tell_trade,
    "peek": _tell_peek,
    "twenty_one": _tell_twenty_one,
    "crack": lambda e: f"    CRACK: seat {e['seat']} opens its safe with {_cards(e['cards'])}",
    "burn": lambda e: f"    seat {e['seat']} burns {e['card']}",
    "alarm": _tell_alarm,
    "flip": lambda e: f"    seat {e['seat']} flips {e['card']}",
    "stealth": lambda e: (
        f"    seat {e['seat']} loses 1 stealth ({CAUSE_WORDS[e['cause']]}), {e['left']} left"
    ),
    "caught": lambda e: (
        f"    CAUGHT: seat {e['seat']} has no stealth left ({CAUSE_WORDS[e['cause']]})"
    ),
    "remove": lambda e: f"    {e['card']} leaves the game",
    "bail": lambda e: f"    seat {e['seat']} bails",
    "round_end": lambda e: "  The round ends",
    "end": _tell_end,
}
