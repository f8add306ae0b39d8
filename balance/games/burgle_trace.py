"""The event rows of a game of Burgle Bros Blackjack as the lines of docs/trace.md, and in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy.typing as npt

from kernels.burgle import happenings as h
from kernels.burgle.layout import FIRST_GUARD, JOKER, RANKS

__all__ = ["card_name", "read_events", "tell"]

SUITS = "CDHS"
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
        if kind == h.LAID:
            decks.append(card_name(first))
            continue
        if kind == h.TRADED:
            move = {"from": seat + 1, "to": second + 1, "card": card_name(first)}
            if lines and lines[-1]["event"] == "trade":
                lines[-1]["moves"].append(move)
                continue
            line: dict[str, Any] = {"event": "trade", "moves": [move]}
        else:
            line = _line(kind, seat + 1, first, second, third)
        if kind in (h.DEALT, h.SHUFFLED):
            decks = line["deck"] = []
        if kind == h.ENDED:
            line.update(_ending(outcome))
        if kind != h.DEALT:
            line["round"] = round_number
            line["turn"] = max(turn, 1)
        lines.append(line)
    return lines


def _line(kind: int, seat: int, first: int, second: int, third: int) -> dict[str, Any]:
    card = card_name(first) if 0 <= first <= JOKER else ""
    simple: dict[int, dict[str, Any]] = {
        h.DEALT: {"event": "deal", "seat": seat, "guard": card},
        h.ROUND_STARTED: {"event": "round"},
        h.TURN_STARTED: {"event": "turn"},
        h.SHUFFLED: {"event": "shuffle", "seat": seat},
        h.DRAWN: {"event": "draw", "seat": seat, "card": card},
        h.NOT_DRAWN: {"event": "no_card", "seat": seat},
        h.STAYED: {"event": "twenty_one", "seat": seat, "choice": "stay"},
        h.LEFT_TO_PEEK: {"event": "twenty_one", "seat": seat, "choice": "peek"},
        h.BURNED: {"event": "burn", "seat": seat, "card": card},
        h.FLIPPED: {"event": "flip", "seat": seat, "card": card},
        h.CARD_REMOVED: {"event": "remove", "seat": seat, "card": card},
        h.BAILED: {"event": "bail", "seat": seat},
        h.ROUND_ENDED: {"event": "round_end"},
        h.ENDED: {"event": "end"},
    }
    if kind in simple:
        return simple[kind]
    if kind == h.PEEKED:
        cause = "twenty_one" if third else "total"
        line = {"event": "peek", "seat": seat, "cause": cause, "card": card}
        return {**line, "discarded": bool(second)}
    if kind == h.LEFT_TO_DISCARD:
        line = {"event": "twenty_one", "seat": seat, "choice": "guard"}
        return {**line, "owner": second + 1, "card": card}
    if kind == h.SAFE_CRACKED:
        cards = pile_names(first) + ["Joker"] * third
        crack_kind = "straight_flush" if second else "flush"
        return {"event": "crack", "seat": seat, "cards": cards, "kind": crack_kind}
    if kind == h.ALARMED:
        return {"event": "alarm", "seat": seat, "cause": ALARM_CAUSES[first]}
    if kind == h.STEALTH_PAID:
        return {"event": "stealth", "seat": seat, "cause": CAUSES[first], "left": second}
    return {"event": "caught", "seat": seat, "cause": CAUSES[first]}


def _ending(outcome: Mapping[str, int]) -> dict[str, Any]:
    shown: dict[str, Any] = dict(outcome)
    shown["lost_to"] = CAUSES[outcome["lost_to"]]
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


class _Displays:
    """The displays as the lines go by, for whoever follows the game on paper."""

    def __init__(self) -> None:
        self.cards: dict[int, list[str]] = {}
        self.guard_value = 10
        self.drawing = False

    def follow(self, event: Mapping[str, Any]) -> None:
        kind = event["event"]
        if kind == "game":
            self.guard_value = event["rules"]["guard_value"]
        elif kind == "round":
            self.cards = {}
        elif kind == "draw":
            self.cards.setdefault(event["seat"], []).append(event["card"])
        elif kind == "trade":
            for move in event["moves"]:
                self.cards[move["from"]].remove(move["card"])
            for move in event["moves"]:
                self.cards[move["to"]].append(move["card"])
        elif kind == "twenty_one" and event["choice"] == "guard":
            self.cards[event["owner"]].remove(event["card"])
        elif kind == "burn":
            self.cards[event["seat"]].remove(event["card"])
        going_on = self.drawing and kind in ("draw", "no_card", "shuffle", "trade")
        self.drawing = kind == "turn" or going_on

    def shown_before(self, event: Mapping[str, Any]) -> list[str]:
        """The displays, if this event is the first one after the draws and the trade."""
        still_drawing = event["event"] in ("draw", "no_card", "shuffle", "trade")
        if not self.drawing or still_drawing:
            return []
        lines = (
            f"      {seat}: {_cards(cards)} = {self.total(cards)}"
            for seat, cards in sorted(self.cards.items())
            if cards
        )
        return ["    displays", *lines]

    def total(self, cards: Sequence[str]) -> str:
        """The readings of a display: `12`, or `7 or 17` with an Ace."""
        aces = sum(card[0] == "A" for card in cards)
        hard = aces
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
    moves = (f"{m['from']} gives {m['card']} to {m['to']}" for m in event["moves"])
    return "    trade: " + ", ".join(moves)


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
    "deal": lambda e: f"Seat {e['seat']}: Guard {e['guard']}, deck {_cards(e['deck'])}",
    "round": lambda e: ["", f"Round {e['round']}"],
    "turn": lambda e: f"  Turn {e['turn']}",
    "shuffle": lambda e: f"    seat {e['seat']} shuffles its discards: {_cards(e['deck'])}",
    "draw": lambda e: f"    seat {e['seat']} draws {e['card']}",
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
