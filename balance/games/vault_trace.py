"""Traces of Vault Breakers: from event rows to the lines of docs/trace/, and to words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.games.vault_cards import COLOURS, EFFECTS, MOMENTS

__all__ = ["read_events", "tell"]

RANKS = (*"A23456789", "10", *"JQK")
SUIT_LETTERS = "DCHS"
ENDINGS = ("breaks", "reveal", "stalled")
DECKS = ("actions", "reactions")
Event = dict[str, Any]


def _card(card: int, ace_value: int) -> str:
    """A training card by the kernel's number."""
    from kernels.vault import layout

    suit, place = divmod(card, layout.PLACES)
    if place >= layout.JACK:
        rank = "JQK"[place - layout.JACK]
    elif place + 1 == ace_value:
        rank = "A"
    else:
        rank = str(place + 1)
    return rank + SUIT_LETTERS[suit]


class _Reader:
    """Turns event rows into lines; rows of a list are added to the line before them."""

    def __init__(self, rules: Any) -> None:
        from kernels.vault import happenings

        self.rules = rules
        self.lines: list[Event] = []
        self.turn = 0
        self.kinds = {
            value: name for name, value in vars(happenings).items() if isinstance(value, int)
        }

    def read(self, rows: npt.NDArray[np.int64]) -> list[Event]:
        for kind, _, turn, seat, first, second, third in rows.tolist():
            self.turn = turn
            name = self.kinds[kind].lower()
            reader: Callable[[int, int, int, int], None] = getattr(self, f"_{name}")
            reader(seat + 1, first, second, third)
        return self.lines

    def say(self, event: str, **fields: Any) -> None:
        clock = {"turn": self.turn} if self.turn else {}
        kept = {name: value for name, value in fields.items() if value is not None}
        self.lines.append({"event": event, **clock, **kept})

    def name(self, deck: int, kind: int) -> str:
        return str(getattr(self.rules, DECKS[deck])[kind].name)

    def add(self, value: Any, *fields: str) -> None:
        """Add a value to the first of these lists that the last line has."""
        line = self.lines[-1]
        for field in fields:
            if field in line:
                line[field].append(value)
                return
        raise AssertionError(f"no list for {value} in {line}")  # pragma: no cover

    # the deal

    def _laid(self, what: str, value: Any) -> None:
        if not self.lines:
            decks: Event = {deck: [] for deck in DECKS if getattr(self.rules, deck)}
            self.say("deal", training=[], loot=[], **decks)
        self.lines[-1][what].append(value)

    def _training_laid(self, _: int, card: int, __: int, ___: int) -> None:
        self._laid("training", _card(card, self.rules.ace_value))

    def _loot_laid(self, _: int, value: int, __: int, ___: int) -> None:
        self._laid("loot", value)

    def _pile_laid(self, _: int, deck: int, kind: int, ___: int) -> None:
        self._laid(DECKS[deck], self.name(deck, kind))

    def _hand(self, seat: int, _: int, __: int, ___: int) -> None:
        self.say("hand", seat=seat, cards=[])

    # lists

    def _card(self, _: int, card: int, __: int, ___: int) -> None:
        self.add(_card(card, self.rules.ace_value), "cards")

    def _paid(self, _: int, colour: int, __: int, ___: int) -> None:
        line = self.lines[-1]
        if line["event"] == "break":
            line["parts"][-1]["paid"].append(COLOURS[colour])
        else:
            self.add(COLOURS[colour], "paid", "tokens")

    def _value(self, _: int, value: int, __: int, ___: int) -> None:
        line = self.lines[-1]
        if line["event"] == "hit":
            line["loot"] = value
        else:
            self.add(value, "loot")

    def _drawn(self, _: int, kind: int, __: int, ___: int) -> None:
        line = self.lines[-1]
        line["cards"].append(self.name(DECKS.index(line["event"][5:]), kind))

    def _part(self, seat: int, dice: int, _: int, __: int) -> None:
        self.add({"seat": seat, "dice": dice, "paid": []}, "parts")

    def _share(self, seat: int, _: int, __: int, ___: int) -> None:
        self.add(seat, "shares")

    def _die(self, _: int, pips: int, __: int, ___: int) -> None:
        self.add(pips, "dice")

    def _looted(self, seat: int, value: int, _: int, __: int) -> None:
        self.add({"seat": seat, "vp": value}, "loot")

    # a turn

    def _turn(self, seat: int, _: int, __: int, ___: int) -> None:
        self.say("turn", seat=seat)

    def _skipped(self, seat: int, _: int, __: int, ___: int) -> None:
        self.say("skipped", seat=seat)

    def _drawn_up(self, seat: int, deck: int, kept: int, back: int) -> None:
        returned = self.name(deck, back) if back >= 0 else None
        kept_name = self.name(deck, kept)
        self.say(f"draw_{DECKS[deck]}", seat=seat, cards=[], kept=kept_name, returned=returned)

    def _drew(self, seat: int, _: int, __: int, ___: int) -> None:
        self.say("draw", seat=seat, cards=[])

    def _combined(self, seat: int, colour: int, wasted: int, _: int) -> None:
        self.say("combine", seat=seat, cards=[], token=COLOURS[colour], wasted=wasted)

    def _acted(self, seat: int, kind: int, target: int, _: int) -> None:
        card = self.rules.actions[kind]
        aim = target + 1 if target >= 0 else None
        self.say("act", seat=seat, card=card.name, effect=card.effect, paid=[], target=aim)

    def _reacted(self, seat: int, kind: int, target: int, moment: int) -> None:
        card = self.rules.reactions[kind]
        self.say(
            "react",
            seat=seat,
            card=card.name,
            effect=card.effect,
            moment=MOMENTS[moment],
            paid=[],
            target=target + 1 if target >= 0 else None,
        )

    def _passed(self, seat: int, _: int, __: int, ___: int) -> None:
        self.say("pass", seat=seat)

    # what cards do

    def _gained(self, seat: int, _: int, __: int, ___: int) -> None:
        self.say("gain", seat=seat, tokens=[])

    def _took_tokens(self, seat: int, target: int, effect: int, _: int) -> None:
        self.say(EFFECTS[effect], seat=seat, target=target + 1, tokens=[])

    def _took_cards(self, seat: int, target: int, effect: int, _: int) -> None:
        self.say(EFFECTS[effect], seat=seat, target=target + 1, cards=[])

    def _took_loot(self, seat: int, target: int, _: int, __: int) -> None:
        self.say("steal_loot", seat=seat, target=target + 1, loot=[])

    def _swapped(self, seat: int, target: int, given: int, taken: int) -> None:
        self.say("swap_loot", seat=seat, target=target + 1, given=given, taken=taken)

    def _peeked(self, seat: int, _: int, __: int, ___: int) -> None:
        self.say("peek_loot", seat=seat, loot=[])

    def _must_skip(self, seat: int, _: int, __: int, ___: int) -> None:
        self.say("skip", seat=seat)

    # breaking the vault

    def _declined(self, seat: int, breaker: int, _: int, __: int) -> None:
        self.say("decline", seat=seat, breaker=breaker + 1)

    def _broke_in(self, seat: int, threshold: int, _: int, __: int) -> None:
        self.say("break", seat=seat, threshold=threshold, parts=[], shares=[])

    def _joined(self, seat: int, dice: int, _: int, __: int) -> None:
        self.say("join", seat=seat, dice=dice, shares=[])

    def _rolled(self, _: int, total: int, threshold: int, __: int) -> None:
        self.say("roll", dice=[], total=total, threshold=threshold)

    def _rerolled(self, _: int, total: int, __: int, ___: int) -> None:
        self.say("reroll", dice=[], total=total)

    def _broken(self, _: int, total: int, __: int, ___: int) -> None:
        self.say("broken", loot=[], total=total)

    def _failed(self, _: int, total: int, die: int, __: int) -> None:
        self.say("failed", die=die, total=total)

    def _hit(self, seat: int, die: int, _: int, __: int) -> None:
        from kernels.vault import layout

        lists: Event = {}
        if die in (layout.ONE_CARD, layout.ALL_CARDS):
            lists["cards"] = []
        elif die in (layout.ONE_TOKEN, layout.ALL_TOKENS):
            lists["tokens"] = []
        self.say("hit", seat=seat, die=die, **lists)

    def _revealed(self, seat: int, vp: int, _: int, __: int) -> None:
        self.say("reveal", seat=seat, vp=vp)

    def _ended(self, _: int, ending: int, __: int, ___: int) -> None:
        self.say("end", ended_by=ENDINGS[ending])


def read_events(rows: npt.NDArray[np.int64], outcome: Mapping[str, int], rules: Any) -> list[Event]:
    """The lines of docs/trace/ for the event rows (int64, shape (events, WIDTH)) of a game."""
    lines = _Reader(rules).read(rows)
    seats = range(1, rules.players + 1)
    shares = [outcome[f"win_share.{seat}"] for seat in seats]
    lines[-1]["vp"] = [outcome[f"vp.{seat}"] for seat in seats]
    lines[-1]["winners"] = [seat for seat, share in zip(seats, shares, strict=True) if share]
    lines[-1]["outcome"] = {**outcome, "ended_by": ENDINGS[outcome["ended_by"]]}
    return lines


# in words

EFFECT_OF_DIE = {1: "must skip its next turn", 6: "loses a loot card"}


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


def _counted(colours: Sequence[str]) -> str:
    found = [f"{colours.count(c)} {c}" for c in COLOURS if c in colours]
    return ", ".join(found) or "nothing"


def _dice(n: int) -> str:
    return "1 die" if n == 1 else f"{n} dice"


def _aim(event: Mapping[str, Any]) -> str:
    return f", aimed at seat {event['target']}" if "target" in event else ""


def _tell_break(event: Mapping[str, Any]) -> list[str]:
    parts = [f"seat {p['seat']} {_dice(p['dice'])} ({_counted(p['paid'])})" for p in event["parts"]]
    return [
        f"  seat {event['seat']} breaks the vault, {event['threshold']} or more: "
        + "; ".join(parts),
        f"    loot, from the top, to seats: {_list(event['shares']) or 'none'}",
    ]


def _tell_roll(event: Mapping[str, Any]) -> list[str]:
    return [f"    rolled {_list(event['dice'])} = {event['total']}, needed {event['threshold']}"]


def _tell_broken(event: Mapping[str, Any]) -> list[str]:
    got = [f"seat {card['seat']} {card['vp']} VP" for card in event["loot"]]
    return ["    the vault is broken: " + (", ".join(got) or "it was empty")]


def _tell_hit(event: Mapping[str, Any]) -> list[str]:
    what = EFFECT_OF_DIE.get(event["die"])
    if "cards" in event:
        what = f"discards {_list(event['cards']) or 'nothing'}"
    elif "tokens" in event:
        what = f"loses {_counted(event['tokens'])}"
    if "loot" in event:
        what = f"loses a loot card of {event['loot']} VP"
    return [f"    seat {event['seat']} {what}"]


def _tell_drawn_up(event: Mapping[str, Any]) -> list[str]:
    kind = event["event"].removeprefix("draw_").removesuffix("s")
    back = f", puts {event['returned']} back" if "returned" in event else ""
    return [f"  seat {event['seat']} keeps the {kind} {event['kept']}{back}"]


def _tell_react(event: Mapping[str, Any]) -> list[str]:
    paid = _counted(event["paid"])
    return [f"    seat {event['seat']} reacts with {event['card']} for {paid}{_aim(event)}"]


def _tell_taking(event: Mapping[str, Any]) -> list[str]:
    what = _counted(event["tokens"]) if "tokens" in event else _list(event["cards"])
    verb = event["event"].split("_")[0]
    past = {"steal": "takes", "destroy": "destroys", "discard": "makes discard"}[verb]
    return [f"    seat {event['seat']} {past} {what}, of seat {event['target']}"]


def _tell_end(event: Mapping[str, Any]) -> list[str]:
    how = {
        "breaks": "the last threshold is broken",
        "reveal": "somebody has revealed enough VP",
        "stalled": "nobody gets on: the game is stopped",
    }[event["ended_by"]]
    points = ", ".join(f"seat {seat} {vp}" for seat, vp in enumerate(event["vp"], start=1))
    winners = " and ".join(f"seat {seat}" for seat in event["winners"])
    verb = "share the win" if len(event["winners"]) > 1 else "wins"
    return [f"the end: {how}; VP: {points}; {winners} {verb}"]


TELLERS: Mapping[str, Callable[[Mapping[str, Any]], list[str]]] = {
    "deal": lambda e: [f"{len(e['training'])} training cards, {len(e['loot'])} loot cards"],
    "hand": lambda e: [f"seat {e['seat']} starts with {_list(e['cards']) or 'no cards'}"],
    "turn": lambda e: [f"turn {e['turn']}: seat {e['seat']}"],
    "skipped": lambda e: [f"  seat {e['seat']} must skip"],
    "draw_actions": _tell_drawn_up,
    "draw_reactions": _tell_drawn_up,
    "draw": lambda e: [f"  seat {e['seat']} draws {_list(e['cards'])}"],
    "combine": lambda e: [
        f"  seat {e['seat']} turns {_list(e['cards'])} into {e['token']}"
        + (f" ({e['wasted']} wasted)" if e["wasted"] else "")
    ],
    "act": lambda e: [f"  seat {e['seat']} plays {e['card']} for {_counted(e['paid'])}{_aim(e)}"],
    "react": _tell_react,
    "gain": lambda e: [f"    seat {e['seat']} gains {_counted(e['tokens'])}"],
    "steal_token": _tell_taking,
    "destroy_token": _tell_taking,
    "steal_training": _tell_taking,
    "discard_training": _tell_taking,
    "steal_loot": lambda e: [
        f"    seat {e['seat']} takes loot of {_list(e['loot'])} VP from seat {e['target']}"
    ],
    "swap_loot": lambda e: [
        f"    seat {e['seat']} gives {e['given']} VP to seat {e['target']} for {e['taken']} VP"
    ],
    "peek_loot": lambda e: [f"    seat {e['seat']} sees {_list(e['loot'])} VP on top of the Vault"],
    "skip": lambda e: [f"    seat {e['seat']} must skip its next turn"],
    "decline": lambda e: [f"  seat {e['seat']} declines"],
    "break": _tell_break,
    "join": lambda e: [f"    seat {e['seat']} joins uninvited with {e['dice']} dice"],
    "roll": _tell_roll,
    "reroll": lambda e: [f"    rerolled: {_list(e['dice'])} = {e['total']}"],
    "broken": _tell_broken,
    "failed": lambda e: [f"    failed with {e['total']}; the failure die shows {e['die']}"],
    "hit": _tell_hit,
    "pass": lambda e: [f"  seat {e['seat']} passes"],
    "reveal": lambda e: [f"  seat {e['seat']} reveals {e['vp']} VP"],
    "end": _tell_end,
}
