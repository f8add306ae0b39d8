"""A slow, plain twin of Bank Robbers: the whole game, all seats of policy `simple`.

`play` returns the events of the trace from the `deal` line on, `replay` those of a game whose
chance is read off a trace; `resolve`, which settles a robbery, comes from `bank_robbery`. Cards
are written as in the trace (`10`, `guard`), decks are listed from the top; seats, banks and places
count from 1.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, zip_longest
from math import floor
from typing import Any, Protocol

from .bank_robbery import ROBBERY_RULES, SPECIALS, Robbery, resolve

__all__ = ["BASE_RULES", "Knobs", "RandomChance", "Robbery", "Simple", "Table", "TraceChance"]
__all__ += ["first_difference", "play", "replay", "resolve"]

Event = dict[str, Any]
Spot = tuple[int, int]  # a bank and a place in it

MOST_SEATS = 5
WHOLE_WIN = 60
MONEY = {2: 4, 3: 4, 4: 4, 5: 11, 10: 2}  # K3: copies by value
ACTIONS = {"play": 4, "look": 1, "reveal": 1, "rob": 1}  # and the chances of `simple` to choose

BASE_RULES: dict[str, Any] = {
    "players": 4,
    "coins": 10,
    "hand": 5,
    "banks": 5,
    "deck": {"money": MONEY, **dict.fromkeys(SPECIALS, 4), "multiply": 0},
    "tiles": dict(ACTIONS),
    **ROBBERY_RULES,
    "after_robbery": "discard",
    "final_order": "fixed",
    "credit_to": 0,
    "max_turns": 1000,
}
ALLOWED: dict[str, Sequence[Any]] = {
    "players": range(2, MOST_SEATS + 1),  # K1
    "stake_on_shortfall": ("returned", "lost"),  # K12
    "ties": ("turn_order", "together"),  # K13
    "specials": ("simple", "published"),  # K18
    "after_robbery": ("discard", "keep_money", "refill"),  # K19
    "final_order": ("fixed",),  # K20
}


# Chance


class Chance(Protocol):
    """All that is left to chance. Robberies count from 1 through the game."""

    def shuffle(self, what: str, turn: int, cards: list[str]) -> list[str]:
        """The order of `deck` (turn 0) or `tiles` from the top."""

    def action(self, turn: int) -> str:
        """The action that a seat chooses."""

    def played(self, turn: int, hand: list[str], banks: int) -> tuple[str, int]:
        """A card of the hand, and the bank it goes to."""

    def spot(self, turn: int, spots: list[Spot]) -> Spot:
        """The face-down card to look at or to reveal."""

    def extra(self, robbery: int, seat: int, noise: int, base: int, most: int) -> int:
        """u of the stake min(most, base + u)."""


class RandomChance:
    """Chance out of a generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def shuffle(self, what: str, turn: int, cards: list[str]) -> list[str]:
        return self.rng.sample(cards, len(cards))

    def action(self, turn: int) -> str:
        return self.rng.choices([*ACTIONS], [*ACTIONS.values()])[0]

    def played(self, turn: int, hand: list[str], banks: int) -> tuple[str, int]:
        return self.rng.choice(hand), self.rng.randint(1, banks)

    def spot(self, turn: int, spots: list[Spot]) -> Spot:
        return self.rng.choice(spots)

    def extra(self, robbery: int, seat: int, noise: int, base: int, most: int) -> int:
        return self.rng.randint(0, noise)


class TraceChance:
    """Chance as it fell in a trace; a question that the trace does not answer is a ValueError."""

    def __init__(self, trace: Iterable[Mapping[str, Any]]) -> None:
        self.facts: dict[tuple[str, int], Any] = {}
        robbery = 0
        for line in trace:
            event, turn = line["event"], line.get("turn", 0)
            match event:
                case "deal":
                    self.facts["deck", 0] = line.get("deck")
                case "tiles" | "action":
                    self.facts[event, turn] = line.get(event)
                case "play":
                    self.facts["played", turn] = line.get("card"), line.get("bank")
                case "look" | "reveal":
                    self.facts["spot", turn] = line.get("bank"), line.get("place")
                case "stakes":
                    robbery += 1
                    self.facts["stakes", robbery] = line.get("stakes")

    def fact(self, what: str, number: int, kind: type) -> Any:
        fact = self.facts.get((what, number))
        if not isinstance(fact, kind):
            raise ValueError(f"the trace has no {what} {number}, but {fact!r}")
        return fact

    def shuffle(self, what: str, turn: int, cards: list[str]) -> list[str]:
        return [*self.fact(what, turn, list)]

    def action(self, turn: int) -> str:
        return str(self.fact("action", turn, str))

    def played(self, turn: int, hand: list[str], banks: int) -> tuple[str, int]:
        card, bank = self.fact("played", turn, tuple)
        return card, bank

    def spot(self, turn: int, spots: list[Spot]) -> Spot:
        bank, place = self.fact("spot", turn, tuple)
        return bank, place

    def extra(self, robbery: int, seat: int, noise: int, base: int, most: int) -> int:
        stakes = self.fact("stakes", robbery, list)
        told = stakes[seat - 1] if seat <= len(stakes) else None
        for u in range(noise + 1):
            if min(most, base + u) == told:
                return u
        raise ValueError(f"no u of 0..{noise} stakes {told!r}: base {base}, coins {most}")


# The game


@dataclass(frozen=True)
class Knobs:
    """The knobs of `simple`."""

    noise: int = 2
    share: float = 1.0


@dataclass
class Laid:
    """A card at a bank."""

    card: str
    face_up: bool = False


def check_rules(rules: Mapping[str, Any]) -> None:
    if {*rules} != {*BASE_RULES}:
        raise ValueError(f"unknown fields: {sorted({*rules} - {*BASE_RULES})}")
    for name, values in ALLOWED.items():
        if rules[name] not in values:
            raise ValueError(f"{name} is {rules[name]!r}; the twin knows {values}")
    tiles = rules["tiles"]
    if tiles != "choose" and not ({*tiles} <= {*ACTIONS} and sum(tiles.values())):
        raise ValueError(f"tiles are {tiles!r}")
    if len(deck_of(rules)) < rules["players"] * rules["hand"] + rules["banks"]:  # D2
        raise ValueError("the deck does not suffice")


def deck_of(rules: Mapping[str, Any]) -> list[str]:
    """The cards of K3, unshuffled."""
    copies = {str(value): number for value, number in rules["deck"]["money"].items()}
    copies |= {special: rules["deck"].get(special, 0) for special in SPECIALS}
    return [*Counter(copies).elements()]


class Table:
    """The rules. Every decision is asked of `policy`."""

    def __init__(self, rules: Mapping[str, Any], policy: Simple, chance: Chance) -> None:
        self.rules = {**BASE_RULES, **rules}
        check_rules(self.rules)
        self.policy = policy
        self.chance = chance
        self.seats = range(1, self.rules["players"] + 1)
        self.coins = dict.fromkeys(self.seats, self.rules["coins"])  # K1
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.banks: dict[int, list[Laid]] = {n + 1: [] for n in range(self.rules["banks"])}  # K2
        self.whole = deck_of(self.rules)
        self.deck: list[str] = []
        self.tiles: list[str] = []
        self.turn = 0
        names = "robberies paid short guarded thieved ladies pot stakes coins_paid coins_thieved"
        self.tally = Counter(dict.fromkeys(f"{names} rewards coins_lost".split(), 0))
        self.tally.update(dict.fromkeys([f"robbed.{n + 1}" for n in range(MOST_SEATS)], 0))
        self.events: list[Event] = []

    def tell(self, event: str, **fields: Any) -> None:
        clock = {"turn": self.turn} if self.turn else {}
        self.events.append({"event": event, **clock, **fields})

    def play(self) -> list[Event]:
        self.set_up()
        for self.turn in count(1):
            seat = (self.turn - 1) % len(self.seats) + 1
            self.play_turn(seat)
            if not self.deck and not all(self.hands.values()):  # K20
                for bank in self.banks:
                    if self.banks[bank]:
                        self.rob(seat, bank, final=True)
                self.finish(stalled=False)
                break
            if self.turn >= self.rules["max_turns"]:  # K23
                self.finish(stalled=True)
                break
        return self.events

    def shuffled(self, what: str, cards: list[str]) -> list[str]:
        order = self.chance.shuffle(what, self.turn, list(cards))
        if Counter(order) != Counter(cards):
            raise ValueError(f"a shuffle may not change the {what}")
        return order

    def set_up(self) -> None:  # D2
        self.deck = self.shuffled("deck", self.whole)
        self.tell("deal", deck=list(self.deck))
        for seat in self.seats:
            self.hands[seat] = [self.deck.pop(0) for _ in range(self.rules["hand"])]
            self.tell("hand", seat=seat, cards=list(self.hands[seat]))
        for bank in self.banks:
            self.tell("bank", bank=bank, card=self.deal_to(bank))

    def deal_to(self, bank: int) -> str:
        card = self.deck.pop(0)
        self.banks[bank].append(Laid(card))
        return card

    def hidden(self) -> list[Spot]:
        """Where face-down cards lie."""
        return [
            (bank, place)
            for bank, laid in self.banks.items()
            for place, there in enumerate(laid, 1)
            if not there.face_up
        ]

    # A turn

    def play_turn(self, seat: int) -> None:
        self.tell("turn", seat=seat)
        action = self.next_action()
        self.tell("action", seat=seat, action=action)
        if action == "play" and self.hands[seat]:
            self.play_card(seat)
        elif action in ("look", "reveal") and self.hidden():
            self.turn_up(seat, action)
        elif action == "rob" and any(self.banks.values()):
            self.rob(seat, self.policy.target(self, seat))
        else:
            self.tell("nothing", seat=seat)  # K9, D4

    def next_action(self) -> str:  # K4, D3
        if self.rules["tiles"] == "choose":
            action = self.policy.action(self)
            if action not in ACTIONS:
                raise ValueError(f"{action!r} is no action")
            return action
        if not self.tiles:
            self.tiles = self.shuffled("tiles", [*Counter(self.rules["tiles"]).elements()])
            self.tell("tiles", tiles=list(self.tiles))
        return self.tiles.pop(0)

    def play_card(self, seat: int) -> None:  # K5
        card, bank = self.policy.played(self, seat)
        if card not in self.hands[seat] or bank not in self.banks:
            raise ValueError(f"seat {seat} cannot play {card!r} to bank {bank!r}")
        self.hands[seat].remove(card)
        self.banks[bank].append(Laid(card))
        self.tell("play", seat=seat, card=card, bank=bank)
        if self.deck:
            self.hands[seat].append(self.deck.pop(0))
            self.tell("draw", seat=seat, card=self.hands[seat][-1])

    def turn_up(self, seat: int, action: str) -> None:  # K6, K7
        bank, place = spot = self.policy.spot(self)
        if spot not in self.hidden():
            raise ValueError(f"no face-down card at bank {bank!r}, place {place!r}")
        laid = self.banks[bank][place - 1]
        laid.face_up = action == "reveal"
        self.tell(action, seat=seat, bank=bank, place=place, card=laid.card)

    def rob(self, seat: int, bank: int, final: bool = False) -> None:
        self.tally["robberies"] += 1
        self.tally[f"robbed.{seat}"] += not final
        self.tell("rob", seat=seat, bank=bank, **({"final": True} if final else {}))
        stakes = [self.policy.stake(self, each, bank) for each in self.seats]
        self.tell("stakes", stakes=stakes)
        cards = [laid.card for laid in self.banks[bank]]
        robbery = resolve(self.rules, cards, stakes, seat)
        self.tell("open", bank=bank, cards=cards, pot=robbery.pot)
        told = {name: getattr(robbery, name) for name in "paid short guarded thieved lady".split()}
        self.tell("result", order=robbery.order, gains=robbery.gains, **told)
        self.settle(robbery)
        stay: list[str] = []  # K19, D12
        untouched = robbery.taken == 0 and not robbery.thieved
        if self.rules["after_robbery"] == "keep_money" and untouched:
            stay = [card for card in cards if card not in SPECIALS]
        self.banks[bank] = [Laid(card, face_up=True) for card in stay]
        if stay:
            self.tell("kept", bank=bank, cards=stay)
        if self.rules["after_robbery"] == "refill" and self.deck and not final:
            self.tell("refill", bank=bank, card=self.deal_to(bank))

    def settle(self, robbery: Robbery) -> None:
        """Coins change hands, and the columns are counted (D15)."""
        for seat, gain in zip(self.seats, robbery.gains, strict=True):
            self.coins[seat] += gain
        won = sum(gain for gain in robbery.gains if gain > 0)
        lost = -sum(gain for gain in robbery.gains if gain < 0)
        self.tally.update(pot=robbery.pot, stakes=sum(robbery.stakes), ladies=robbery.lady)
        self.tally.update(coins_paid=robbery.taken, rewards=won - robbery.taken)
        self.tally["coins_thieved" if robbery.thieved else "coins_lost"] += lost
        for kind in "paid short guarded thieved".split():
            self.tally[kind] += getattr(robbery, kind)

    def finish(self, stalled: bool) -> None:
        coins = list(self.coins.values())
        winners = [seat for seat in self.seats if self.coins[seat] == max(coins)]  # K21
        outcome: dict[str, Any] = {**self.tally, "turns": self.turn, "stalled": stalled}
        for seat in range(1, MOST_SEATS + 1):
            outcome[f"win_share.{seat}"] = WHOLE_WIN // len(winners) * (seat in winners)
            outcome[f"coins.{seat}"] = self.coins.get(seat, 0)
        self.tell("end", coins=coins, winners=winners, stalled=stalled, outcome=outcome)


class Simple:
    """The pinned policy `simple`; the knobs are one set for all seats or one a seat."""

    def __init__(self, knobs: Knobs | Sequence[Knobs] = Knobs()) -> None:
        self.knobs = knobs

    def action(self, table: Table) -> str:
        return table.chance.action(table.turn)

    def played(self, table: Table, seat: int) -> tuple[str, int]:
        return table.chance.played(table.turn, list(table.hands[seat]), len(table.banks))

    def spot(self, table: Table) -> Spot:
        return table.chance.spot(table.turn, table.hidden())

    def target(self, table: Table, seat: int) -> int:
        return max(table.banks, key=lambda bank: len(table.banks[bank]))  # the first of equals

    def stake(self, table: Table, seat: int, bank: int) -> int:  # D16
        knobs = self.knobs if isinstance(self.knobs, Knobs) else self.knobs[seat - 1]
        money = sum(int(card) for card in table.whole if card not in SPECIALS)
        mean = Fraction(money, len(table.whole))
        share = Fraction(str(knobs.share))
        base = floor(share * len(table.banks[bank]) * mean / len(table.seats))
        most: int = max(table.coins[seat], 0)
        u = table.chance.extra(table.tally["robberies"], seat, knobs.noise, base, most)
        if not 0 <= u <= knobs.noise:
            raise ValueError(f"u is {u}, not in 0..{knobs.noise}")
        return min(most, base + u)


def play(rules: Mapping[str, Any], knobs: Knobs | Sequence[Knobs], chance: Chance) -> list[Event]:
    """The events of one game of policy `simple`, from `deal` to `end`.

    Rules left out have their defaults; the knobs are one set for all seats or one a seat.
    """
    return Table(rules, Simple(knobs), chance).play()


def knobs_of(policy: Any) -> Knobs:
    """The knobs of an entry of `policies`: a name, or a mapping of name and knobs."""
    entry: Any = {"policy": policy} if isinstance(policy, str) else policy
    if entry.get("policy", entry.get("name", "simple")) != "simple":
        raise ValueError(f"the twin plays `simple` only, not {policy}")
    told = {**entry, **entry.get("knobs", {})}
    knobs = Knobs(**{name: told[name] for name in ("noise", "share") if name in told})
    if knobs.noise != int(knobs.noise) or knobs.noise < 0:
        raise ValueError(f"noise is {knobs.noise}")
    return Knobs(int(knobs.noise), knobs.share)


def table_of(trace: Sequence[Mapping[str, Any]]) -> Table:
    """The game of a trace, not yet played."""
    head = trace[0]
    if head["event"] != "game" or head.get("game", "bank") != "bank":
        raise ValueError(f"a trace of the bank begins with its `game` line, not {head}")
    policy = Simple([knobs_of(entry) for entry in head["policies"]])
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
