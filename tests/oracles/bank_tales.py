"""Hand-worked robberies and hand-written traces of Bank Robbers, and random games of all rules.

`CASES` are robberies worked out by hand, for the twin and the checker alike. `Tale` tells a game
line by line: it knows the deal and the clock, all else a test tells itself. `wild_rules` and
`wild_trace` make whole games of any rules, by `simple` or by seats that stake as they like.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from .bank_checker import RuleBroken, check
from .bank_simple import BASE_RULES, Knobs, RandomChance, Simple, Table

FLAGS = ("paid", "short", "guarded", "thieved", "lady")
TOGETHER: dict[str, Any] = {"ties": "together"}
LOST: dict[str, Any] = {"stake_on_shortfall": "lost"}


class Case(NamedTuple):
    """A robbery of these cards, and what must come of it, by seat."""

    name: str
    cards: list[str]
    stakes: list[int]
    gains: list[int]
    how: set[str]
    order: list[int]
    pot: int
    robber: int
    rules: dict[str, Any]


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def case(name: str, told: str, pot: int, order: str, robber: int = 1, **rules: Any) -> Case:
    """Told is as in "10 2: 2 3 5 -> 2 3 5: paid"."""
    cards, staked, result = told.replace("->", ":", 1).split(":", 2)
    gains, how = result.split(":")
    return Case(
        name,
        cards.split(),
        numbers(staked),
        numbers(gains),
        set(how.split()),
        numbers(order),
        pot,
        robber,
        rules,
    )


def published(name: str, told: str, pot: int, order: str) -> Case:
    return case(f"K18 published: {name}", told, pot, order, specials="published")


CASES = [
    case("K11 lowest first", "10 2: 2 3 5 -> 2 3 5: paid", 12, "1 2 3"),
    case("K11 too much takes nothing", "10 2: 2 3 8 -> 2 3 0: short", 12, "1 2 3"),
    case("K16 judge: highest first", "10 2 judge: 8 3 2 -> 8 3 0: short", 12, "1 2 3"),
    case("K13 equals in turn order", "3 3: 0 4 4 -> 0 4 0: short", 6, "1 2 3"),
    case("K13 equals together", "3 3: 0 4 4 -> 0 0 0: short", 6, "1 2 3", **TOGETHER),
    case("K14 guard", "3 3 guard: 0 4 4 -> 5 0 0: guarded", 6, "1 2 3"),
    case("K15 thief", "3 3 thief: 0 4 4 -> 0 -4 -4: thieved", 6, "1 2 3"),
    case("K15 both", "3 3 guard thief: 0 4 4 -> 5 -4 -4: guarded thieved", 6, "1 2 3"),
    case("K17 lady cancels", "4 2 lady guard thief: 1 2 3 -> 1 2 3: paid lady", 6, "1 2 3"),
    # K11, K12
    case("K11 seats out of order", "10 2: 5 2 3 -> 5 2 3: paid", 12, "2 3 1"),
    case("K11 the pot just suffices", "5: 3 2 -> 3 2: paid", 5, "2 1"),
    case("K11 one too few", "4: 3 2 -> 0 2: short", 4, "2 1"),
    case("K11 nobody after", "5 4 judge: 8 3 1 -> 8 0 0: short", 9, "1 2 3"),
    case("K11 nobody at all", "2 judge: 1 3 2 -> 0 0 0: short", 2, "2 3 1"),
    case("K11 zeros are paid", "5: 0 0 -> 0 0: paid", 5, "1 2"),
    case("K11 a zero after a shortfall", "3 judge: 0 4 -> 0 0: short", 3, "2 1"),
    case("D15 an empty pot is paid", "lady: 1 0 2 -> 0 0 0: paid lady", 0, "2 1 3"),
    case("K12 lost", "3 3: 0 4 4 -> 0 4 -4: short", 6, "1 2 3", **LOST),
    case("K12 lost together", "3 3: 0 4 4 -> 0 -4 -4: short", 6, "1 2 3", **LOST, **TOGETHER),
    case("K12 lost after", "5 4 judge: 8 3 1 -> 8 -3 -1: short", 9, "1 2 3", **LOST),
    case("K12 zero loses nothing", "3 judge: 4 0 2 -> -4 0 -2: short", 3, "1 3 2", **LOST),
    case("K12 lost to an empty pot", "judge: 1 2 -> -1 -2: paid", 0, "2 1", **LOST),
    case("K12 all goes back under a guard", "2 guard: 3 0 -> 0 5: guarded", 2, "2 1", **LOST),
    # K13
    case("K13 from the robber 3", "5 3: 4 4 4 -> 4 0 4: short", 8, "3 1 2", 3),
    case("K13 from the robber 2", "5 3: 4 4 4 -> 0 4 4: short", 8, "2 3 1", 2),
    case("K13 also under a judge", "5 3 judge: 4 4 4 -> 0 4 4: short", 8, "2 3 1", 2),
    case("K13 a pair and one", "10: 2 5 2 -> 2 5 2: paid", 10, "3 1 2", 2),
    case("K13 group paid, next short", "5 3: 2 5 2 -> 2 0 2: short", 8, "1 3 2", **TOGETHER),
    case("K13 group just paid", "5 3: 4 4 -> 4 4: paid", 8, "2 1", 2, **TOGETHER),
    case("K13 none after", "4 3 judge: 4 4 1 -> 0 0 0: short", 7, "1 2 3", **TOGETHER),
    case("K13 judge pays a group", "5 4 judge: 4 1 4 -> 4 1 4: paid", 9, "3 1 2", 3, **TOGETHER),
    case("K13 zeros together", "2: 0 3 0 -> 0 0 0: short", 2, "3 1 2", 3, **TOGETHER),
    # K14 to K16
    case("K14 whatever the pot", "guard: 0 1 0 -> 5 0 5: guarded", 0, "1 3 2"),
    case("K14 the reward", "guard: 0 1 -> 3 0: guarded", 0, "1 2", guard_reward=3),
    case("K14 no order matters", "9 guard judge: 0 1 -> 5 0: guarded", 9, "2 1"),
    case("K15 even who could be paid", "9 thief: 1 2 -> -1 -2: thieved", 9, "1 2"),
    case("K15 judge beside", "9 judge thief: 1 2 -> -1 -2: thieved", 9, "2 1"),
    case("K16 x doubles", "3 multiply: 2 4 -> 2 4: paid", 6, "1 2"),
    case("K16 two x", "3 multiply multiply: 4 9 -> 4 0: short", 12, "1 2"),
    case("K16 three x", "1 multiply multiply multiply: 4 4 -> 4 4: paid", 8, "1 2"),
    case("K16 x of nothing", "multiply: 1 0 -> 0 0: paid", 0, "2 1"),
    case("D7 the pot under a thief", "3 multiply thief: 1 0 -> -1 0: thieved", 6, "2 1"),
    case("D7 the pot under a guard", "3 multiply guard: 1 0 -> 0 5: guarded", 6, "2 1"),
    # K18 simple
    case("K18 simple: lady and x", "3 lady multiply: 2 3 -> 2 0: short lady", 3, "1 2"),
    case("K18 simple: lady and judge", "9 lady judge: 2 8 -> 2 0: short lady", 9, "1 2"),
    case("K18 simple: two ladies", "9 lady lady thief: 2 3 -> 2 3: paid lady", 9, "1 2"),
    case("K18 simple: two guards", "9 guard guard: 0 3 -> 5 0: guarded", 9, "1 2"),
    case("K18 simple: two judges", "9 judge judge: 2 8 -> 0 8: short", 9, "2 1"),
    case("K18 simple: two thieves", "9 thief thief: 2 8 -> -2 -8: thieved", 9, "1 2"),
    case(
        "K18 simple: a judge stops no thief", "9 judge judge thief: 1 2 -> -1 -2: thieved", 9, "2 1"
    ),
    # K18 published
    published("one lady", "9 lady guard judge multiply: 2 8 -> 2 0: short lady", 9, "1 2"),
    published("two ladies", "9 lady lady guard: 0 3 -> 5 0: guarded", 9, "1 2"),
    published("three ladies", "9 lady lady lady judge: 2 8 -> 0 8: short", 9, "2 1"),
    published("two ladies and x", "3 lady lady multiply: 2 4 -> 2 4: paid", 6, "1 2"),
    published("two guards", "9 guard guard: 0 3 -> 0 3: paid", 9, "1 2"),
    published("three guards", "9 guard guard guard: 0 3 -> 0 3: paid", 9, "1 2"),
    published("one guard", "9 guard: 0 3 -> 5 0: guarded", 9, "1 2"),
    published("judge and thief", "9 judge thief: 2 8 -> 2 0: short", 9, "1 2"),
    published("a judge left", "9 judge judge thief: 2 8 -> 0 8: short", 9, "2 1"),
    published("a thief left", "9 judge thief thief: 2 8 -> -2 -8: thieved", 9, "1 2"),
    published("one for one", "9 judge judge thief thief: 2 8 -> 2 0: short", 9, "1 2"),
    published("two of three", "9 judge thief thief judge judge: 2 8 -> 0 8: short", 9, "2 1"),
    published("two thieves", "9 thief thief: 2 8 -> -2 -8: thieved", 9, "1 2"),
    published("two judges", "9 judge judge: 2 8 -> 0 8: short", 9, "2 1"),
    published("lady, thief", "9 lady thief: 0 8 -> 0 -8: thieved lady", 9, "1 2"),
    published("lady, thief taken", "9 lady judge thief: 2 8 -> 2 0: short lady", 9, "1 2"),
    published("lady, thief left", "9 lady judge thief thief: 2 0 -> -2 0: thieved lady", 9, "2 1"),
    published("lady, judge left", "9 lady judge judge thief: 2 8 -> 2 0: short lady", 9, "1 2"),
    published("lady, guard, thief", "9 lady guard thief: 0 4 -> 0 -4: thieved lady", 9, "1 2"),
    published("lady, x, thief", "3 lady multiply thief: 1 0 -> -1 0: thieved lady", 3, "2 1"),
    published("guard, thief", "9 guard thief: 0 4 -> 5 -4: guarded thieved", 9, "1 2"),
    published("guard, thief taken", "9 guard judge thief: 0 4 -> 5 0: guarded", 9, "1 2"),
    published("guard, judge", "9 guard judge: 0 4 -> 5 0: guarded", 9, "2 1"),
    published("two guards, thief", "9 guard guard thief: 0 4 -> 0 -4: thieved", 9, "1 2"),
    published("two ladies, all", "9 lady lady guard thief: 0 4 -> 5 -4: guarded thieved", 9, "1 2"),
    published("two x and a thief", "3 multiply multiply thief: 1 0 -> -1 0: thieved", 12, "2 1"),
]


def told_of(robbery: Any) -> tuple[Any, ...]:
    """What a twin or a checker makes of a robbery, to be compared with a case."""
    how = {name for name in FLAGS if getattr(robbery, name)}
    return robbery.pot, robbery.order, robbery.gains, how


def told_in(told: Case) -> tuple[Any, ...]:
    return told.pot, told.order, told.gains, told.how


class Tale:
    """A trace in the making."""

    def __init__(
        self, *hands: str, banks: str = "5 5", then: str = "3 3 3 3 3 3", **rules: Any
    ) -> None:
        """The deck is made of what is dealt and `then`; seats choose their actions."""
        held = [hand.split() for hand in hands]
        laid, self.deck = banks.split(), then.split()
        whole = [card for hand in held for card in hand] + laid + self.deck
        copies: dict[str, Any] = {"money": {}}
        for card, number in Counter(whole).items():
            (copies["money"] if card.isdecimal() else copies)[card] = number
        start = {"players": len(held), "hand": len(held[0]), "banks": len(laid), "deck": copies}
        self.rules: dict[str, Any] = {**BASE_RULES, **start, "tiles": "choose", **rules}
        self.number = 0
        self.lines: list[dict[str, Any]] = []
        self.say("game", game="bank", rules=self.rules, policies=["any"] * len(held))
        self.say("deal", deck=whole)
        for seat, cards in enumerate(held, 1):
            self.say("hand", seat=seat, cards=cards)
        for bank, card in enumerate(laid, 1):
            self.say("bank", bank=bank, card=card)

    def say(self, event: str, **fields: Any) -> Tale:
        clock = {"turn": self.number} if self.number else {}
        self.lines.append({"event": event, **clock, **copy.deepcopy(fields)})
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

    @property
    def seat(self) -> int:
        return (self.number - 1) % int(self.rules["players"]) + 1

    def turn(self) -> Tale:
        self.number += 1
        return self.say("turn", seat=self.seat)

    def act(self, action: str) -> Tale:
        """A new turn and its action."""
        return self.turn().say("action", seat=self.seat, action=action)

    def play(self, card: str, bank: int) -> Tale:
        self.act("play").say("play", seat=self.seat, card=card, bank=bank)
        return self.say("draw", seat=self.seat, card=self.deck.pop(0)) if self.deck else self

    def look(self, bank: int, place: int, card: str, action: str = "look") -> Tale:
        return self.act(action).say(action, seat=self.seat, bank=bank, place=place, card=card)

    def open(self, bank: int, stakes: str, cards: str, pot: int, final: bool = False) -> Tale:
        """A robbery up to its pot, in a new turn or as a final one."""
        if not final:
            self.act("rob")
        self.say("rob", seat=self.seat, bank=bank, **({"final": True} if final else {}))
        self.say("stakes", stakes=numbers(stakes))
        return self.say("open", bank=bank, cards=cards.split(), pot=pot)

    def result(self, order: str, gains: str, how: str) -> Tale:
        flags = {name: name in how.split() for name in FLAGS}
        return self.say("result", order=numbers(order), gains=numbers(gains), **flags)

    def end(self, coins: str, winners: str, stalled: bool = False, **columns: Any) -> Tale:
        """The columns not told are 0; those of coins and wins follow from what is told."""
        held, won = numbers(coins), numbers(winners)
        names = "robberies paid short guarded thieved ladies pot stakes coins_paid coins_thieved"
        outcome: dict[str, Any] = dict.fromkeys(f"{names} rewards coins_lost".split(), 0)
        outcome |= {"turns": self.number, "stalled": stalled}
        for seat in range(1, 6):
            outcome[f"win_share.{seat}"] = 60 // len(won) if seat in won else 0
            outcome[f"coins.{seat}"] = held[seat - 1] if seat <= len(held) else 0
            outcome[f"robbed.{seat}"] = 0
        outcome |= {name.replace("__", "."): value for name, value in columns.items()}
        return self.say("end", coins=held, winners=won, stalled=stalled, outcome=outcome)


def filled(cards: Sequence[str], players: int, robber: int = 1, **rules: Any) -> Tale:
    """Seats of one card have brought these cards to bank 1; it is nearly the robber's turn."""
    hands = [*cards[1 : players + 1], *["3"] * players][:players]
    then = " ".join([*cards[players + 1 :], *["3"] * 9])
    tale = Tale(*hands, banks=f"{cards[0]} 2", then=then, **rules)
    for card in cards[1:]:
        tale.play(card, 1)
    while tale.number % players + 1 != robber:
        tale.look(2, 1, "2")
    return tale


def legal(tale: Tale) -> None:
    """Every line is accepted; only what would follow is missing."""
    stops = rf"^line {len(tale.lines) + 1}: the trace stops before its end \(trace format\)$"
    with pytest.raises(RuleBroken, match=stops):
        check(tale.lines)


def refused(tale: Tale, rule: str) -> None:
    """Every line but the last is accepted."""
    with pytest.raises(RuleBroken, match=rf"^line {len(tale.lines)}: .* \({rule}\)$"):
        check(tale.lines)


class Wild(Simple):
    """Seats that rob and stake as they like, on credit too."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self.rng = rng

    def target(self, table: Table, seat: int) -> int:
        return self.rng.choice([bank for bank, laid in table.banks.items() if laid])

    def stake(self, table: Table, seat: int, bank: int) -> int:
        most = max(table.coins[seat], table.rules["credit_to"], 0)
        return self.rng.choice([0, self.rng.randint(0, most), self.rng.randint(0, min(4, most))])


def wild_rules(rng: random.Random) -> dict[str, Any]:
    """Rules of any values; half the games are short of turns."""
    players, hand, banks = rng.randint(2, 5), rng.randint(0, 5), rng.randint(1, 6)
    deck: dict[str, Any] = {"money": {rng.randint(1, 9): rng.randint(0, 9), 10: rng.randint(1, 3)}}
    deck |= {kind: rng.randint(0, 4) for kind in ("lady", "guard", "judge", "thief", "multiply")}
    short = players * hand + banks - sum(deck["money"].values())
    deck["money"][12] = max(0, short) + rng.randint(0, 5)
    tiles: Any = {name: rng.randint(0, 3) for name in ("play", "look", "reveal")}
    tiles["rob"] = rng.randint(1, 3)
    return {
        "players": players,
        "coins": rng.randint(0, 15),
        "hand": hand,
        "banks": banks,
        "deck": deck,
        "tiles": rng.choice([tiles, {"play": 4, "look": 1, "reveal": 1, "rob": 1}, "choose"]),
        "stake_on_shortfall": rng.choice(["returned", "lost"]),
        "ties": rng.choice(["turn_order", "together"]),
        "guard_reward": rng.randint(0, 7),
        "specials": rng.choice(["simple", "published"]),
        "after_robbery": rng.choice(["discard", "keep_money", "refill"]),
        "final_order": "fixed",
        "credit_to": rng.choice([0, 10]),
        "max_turns": rng.choice([rng.randint(1, 40), 200]),
    }


def headed(rules: dict[str, Any], policies: list[Any], events: list[Any]) -> list[Any]:
    return [{"event": "game", "game": "bank", "rules": rules, "policies": policies}, *events]


def simple_trace(seed: int) -> list[Any]:
    """A game of `simple` of any rules and knobs."""
    rng = random.Random(seed)
    rules = wild_rules(rng)
    knobs = [
        Knobs(rng.randint(0, 4), rng.choice([0, 0.25, 0.7, 1.0, 2.5]))
        for _ in range(rules["players"])
    ]
    events = Table(rules, Simple(knobs), RandomChance(rng)).play()
    policies = [{"policy": "simple", "noise": knob.noise, "share": knob.share} for knob in knobs]
    return headed(rules, policies, events)


def wild_trace(seed: int) -> list[Any]:
    """A game of seats that do as they like, of any rules."""
    rng = random.Random(seed)
    rules = wild_rules(rng)
    events = Table(rules, Wild(rng), RandomChance(rng)).play()
    return headed(rules, ["wild"] * rules["players"], events)
