"""Traces of Bank Robbers: from event rows to the lines of docs/trace/, and to words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["read_events", "tell"]

SPECIALS = ("lady", "guard", "judge", "thief", "multiply")
ACTIONS = ("play", "look", "reveal", "rob")
RESULTS = {"paid": 1, "short": 2, "guarded": 4, "thieved": 8, "lady": 16}
Event = dict[str, Any]


class _Reader:
    """Turns event rows into lines; rows of a list are added to the line before them."""

    def __init__(self, rules: Any) -> None:
        from kernels.bank import happenings

        self.players = rules.players
        self.cards = [*SPECIALS, *(str(coins) for coins in sorted(rules.deck.money))]
        self.lines: list[Event] = []
        self.turn = 0
        self.kinds = {
            value: name for name, value in vars(happenings).items() if isinstance(value, int)
        }

    def read(self, rows: npt.NDArray[np.int64]) -> list[Event]:
        for kind, _, turn, seat, first, second, third in rows.tolist():
            self.turn = turn
            reader: Callable[[int, int, int, int], None]
            reader = getattr(self, f"_{self.kinds[kind].lower()}")
            reader(seat + 1, first, second, third)
        return self.lines

    def say(self, event: str, **fields: Any) -> None:
        clock = {"turn": self.turn} if self.turn else {}
        self.lines.append({"event": event, **clock, **fields})

    def _deck_laid(self, _: int, card: int, __: int, ___: int) -> None:
        if not self.lines:
            self.say("deal", deck=[])
        self.lines[-1]["deck"].append(self.cards[card])

    def _hand(self, seat: int, _: int, __: int, ___: int) -> None:
        self.say("hand", seat=seat, cards=[])

    def _card(self, _: int, card: int, __: int, ___: int) -> None:
        self.lines[-1]["cards"].append(self.cards[card])

    def _bank(self, _: int, bank: int, card: int, __: int) -> None:
        self.say("bank", bank=bank + 1, card=self.cards[card])

    def _tiles(self, _: int, __: int, ___: int, ____: int) -> None:
        self.say("tiles", tiles=[])

    def _tile(self, _: int, action: int, __: int, ___: int) -> None:
        self.lines[-1]["tiles"].append(ACTIONS[action])

    def _turn(self, seat: int, _: int, __: int, ___: int) -> None:
        self.say("turn", seat=seat)

    def _action(self, seat: int, action: int, _: int, __: int) -> None:
        self.say("action", seat=seat, action=ACTIONS[action])

    def _played(self, seat: int, card: int, bank: int, _: int) -> None:
        self.say("play", seat=seat, card=self.cards[card], bank=bank + 1)

    def _drew(self, seat: int, card: int, _: int, __: int) -> None:
        self.say("draw", seat=seat, card=self.cards[card])

    def _looked(self, seat: int, bank: int, place: int, card: int) -> None:
        self.say("look", seat=seat, bank=bank + 1, place=place + 1, card=self.cards[card])

    def _revealed(self, seat: int, bank: int, place: int, card: int) -> None:
        self.say("reveal", seat=seat, bank=bank + 1, place=place + 1, card=self.cards[card])

    def _nothing(self, seat: int, _: int, __: int, ___: int) -> None:
        self.say("nothing", seat=seat)

    def _robbed(self, seat: int, bank: int, final: int, _: int) -> None:
        self.say("rob", seat=seat, bank=bank + 1, **({"final": True} if final else {}))
        self.say("stakes", stakes=[])

    def _staked(self, _: int, stake: int, __: int, ___: int) -> None:
        self.lines[-1]["stakes"].append(stake)

    def _opened(self, _: int, bank: int, pot: int, __: int) -> None:
        self.say("open", bank=bank + 1, cards=[], pot=pot)

    def _result(self, _: int, what: int, __: int, ___: int) -> None:
        flags = {name: bool(what & bit) for name, bit in RESULTS.items()}
        self.say("result", order=[], gains=[0] * self.players, **flags)

    def _gain(self, seat: int, gain: int, _: int, __: int) -> None:
        self.lines[-1]["order"].append(seat)
        self.lines[-1]["gains"][seat - 1] = gain

    def _kept(self, _: int, bank: int, __: int, ___: int) -> None:
        self.say("kept", bank=bank + 1, cards=[])

    def _refilled(self, _: int, bank: int, card: int, __: int) -> None:
        self.say("refill", bank=bank + 1, card=self.cards[card])

    def _ended(self, _: int, __: int, ___: int, ____: int) -> None:
        self.say("end")


def read_events(rows: npt.NDArray[np.int64], outcome: Mapping[str, int], rules: Any) -> list[Event]:
    """The lines of docs/trace/ for the event rows (int64, shape (events, WIDTH)) of a game."""
    lines = _Reader(rules).read(rows)
    seats = range(1, rules.players + 1)
    lines[-1]["coins"] = [outcome[f"coins.{seat}"] for seat in seats]
    lines[-1]["winners"] = [seat for seat in seats if outcome[f"win_share.{seat}"]]
    lines[-1]["stalled"] = bool(outcome["stalled"])
    lines[-1]["outcome"] = dict(outcome)
    return lines


def tell(events: Sequence[Mapping[str, Any]]) -> list[str]:
    """The events of a trace as lines that a player can follow at the table."""
    lines: list[str] = []
    for event in events:
        teller = TELLERS.get(event["event"])
        if teller is not None:
            lines += teller(event)
    return lines


def _list(items: Sequence[Any]) -> str:
    return " ".join(map(str, items))


def _by_seat(numbers: Sequence[int], sign: str = "") -> str:
    return ", ".join(f"seat {seat} {n:{sign}d}" for seat, n in enumerate(numbers, start=1))


def _tell_result(event: Mapping[str, Any]) -> list[str]:
    words = {
        "paid": "all are paid",
        "short": "the pot does not suffice for all",
        "guarded": "a Guard: nobody is paid",
        "thieved": "a Thief: all stakes are lost",
        "lady": "a Lady cancels the other specials",
    }
    said = "; ".join(text for name, text in words.items() if event[name])
    return [f"    {said}", f"    gains: {_by_seat(event['gains'], '+')}"]


def _tell_rob(event: Mapping[str, Any]) -> list[str]:
    if event.get("final"):
        return [f"the end comes: bank {event['bank']} is robbed"]
    return [f"  seat {event['seat']} robs bank {event['bank']}"]


def _tell_end(event: Mapping[str, Any]) -> list[str]:
    winners = " and ".join(f"seat {seat}" for seat in event["winners"])
    verb = "share the win" if len(event["winners"]) > 1 else "wins"
    stalled = "stopped: the game does not end; " if event["stalled"] else ""
    return [f"{stalled}coins: {_by_seat(event['coins'])}; {winners} {verb}"]


TELLERS: Mapping[str, Callable[[Mapping[str, Any]], list[str]]] = {
    "deal": lambda e: [f"{len(e['deck'])} cards"],
    "hand": lambda e: [f"seat {e['seat']} holds {_list(e['cards'])}"],
    "bank": lambda e: [f"bank {e['bank']} is dealt {e['card']}"],
    "turn": lambda e: [f"turn {e['turn']}: seat {e['seat']}"],
    "play": lambda e: [f"  seat {e['seat']} plays {e['card']} to bank {e['bank']}"],
    "draw": lambda e: [f"  seat {e['seat']} draws {e['card']}"],
    "look": lambda e: [
        f"  seat {e['seat']} looks at card {e['place']} of bank {e['bank']}: {e['card']}"
    ],
    "reveal": lambda e: [
        f"  seat {e['seat']} turns up card {e['place']} of bank {e['bank']}: {e['card']}"
    ],
    "nothing": lambda e: [f"  seat {e['seat']} can do nothing"],
    "rob": _tell_rob,
    "stakes": lambda e: [f"    stakes: {_by_seat(e['stakes'])}"],
    "open": lambda e: [f"    bank {e['bank']} holds {_list(e['cards'])}: {e['pot']} coins"],
    "result": _tell_result,
    "kept": lambda e: [f"    the money stays: {_list(e['cards'])}"],
    "refill": lambda e: [f"    bank {e['bank']} is dealt {e['card']}"],
    "end": _tell_end,
}
