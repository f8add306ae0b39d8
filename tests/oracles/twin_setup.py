"""What the twin of Burgle Bros Blackjack starts from: rules, cards, piles, seats and deals.

`burgle_simple` plays from here on. `check_setup` refuses what is no set-up of a game, and the
`random_` functions make set-ups that are.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

Deal = Sequence[tuple[str, list[str]]]
Reshuffle = Callable[[Any, list[str]], list[str]]
ToolDecks = Callable[[list[str]], list[str]] | Iterable[Sequence[str]]

SUITS = "CDHS"
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
FLUSH_BESIDE_STRAIGHT = 5
MOST_SEATS = 4
HAWK_BLIND = 5

CHARACTERS = "hawk acrobat hammer spotter juicer raven rook hacker peterman".split()
TOOLS = ("crowbar crystal_ball stethoscope donuts makeup_kit emp dynamite virus smoke_bomb").split()

BASE_RULES: dict[str, Any] = {
    "players": 4,
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
    "juicer_alarm_over": 24,
    "peterman_before_guard": False,
    "dynamite_inactive": False,
}


def suit_of(card: str) -> str:
    return card[-1]


def is_guard(card: str) -> bool:
    return card[0] == "J"


def rank_of(card: str) -> int:
    """Place in a straight: Ace low, the Guard after the 10."""
    return 11 if is_guard(card) else RANKS.index(card[:-1]) + 1  # M6


@dataclass
class Pile:
    """What a seat and the Van have in common; the Van's display is its current card."""

    number: int | str
    deck: list[str]
    discards: list[str] = field(default_factory=list)
    display: list[str] = field(default_factory=list)
    current: str | None = None

    @property
    def movable(self) -> bool:  # B14
        return self.current is not None and not is_guard(self.current)

    def discard_display(self) -> None:
        self.discards.extend(self.display)  # B15
        self.display = []
        self.current = None


@dataclass(kw_only=True)
class Seat(Pile):
    """One seat and its piles."""

    guard: str
    stealth: int
    character: str | None = None
    tools: list[str] = field(default_factory=list)
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


def tools_of(rules: dict[str, Any]) -> list[str]:
    """The tools in the deck; none where the rules do not say."""
    tools = rules.get("tools", False)
    if isinstance(tools, bool):
        return list(TOOLS) if tools else []
    return list(tools)


def tool_orders(tool_decks: ToolDecks | None) -> Callable[[list[str]], Sequence[str]]:
    if callable(tool_decks):
        return tool_decks
    orders = iter(tool_decks or [])
    return lambda tools: next(orders, [])


def check_setup(
    rules: dict[str, Any],
    deal: Deal,
    characters: Sequence[str | None],
    van: Sequence[str] | None,
    tool_decks: ToolDecks | None,
) -> None:
    if len(deal) != rules["players"]:
        raise ValueError(f"rules are for {rules['players']} players, deal has {len(deal)} seats")
    if bool(van) != (len(deal) < MOST_SEATS):  # B3
        raise ValueError(f"van is {van}: it needs a deck with 2 or 3 players, and only with these")
    named = [who for who in characters if who is not None]
    if len(characters) != len(deal) or len(set(named)) != len(named) or set(named) - {*CHARACTERS}:
        raise ValueError(f"characters are {characters}, not one a seat, all different")  # B4
    if not named and rules.get("characters", "none") != "none":
        raise ValueError("rules have characters; tip: pass those of the deal as `characters`")
    if tools_of(rules) and tool_decks is None:
        raise ValueError("rules have tools; tip: pass the orders of their deck as `tool_decks`")


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

    def reshuffle(seat: int | str, discards: list[str]) -> list[str]:
        return rng.sample(discards, len(discards))

    return reshuffle


def random_setup(rng: random.Random, rules: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `play` besides `rules` and `knobs`, all shuffles even.

    `characters` of `rules` is a list, "random" or "none".
    """
    players = rules.get("players", BASE_RULES["players"])
    dealt = random_deal(rng)
    van = [card for _, deck in dealt[players:] for card in deck]  # B3
    characters = rules.get("characters", "none")
    if characters == "random":
        characters = rng.sample(CHARACTERS, players)  # B4
    return {
        "deal": dealt[:players],
        "reshuffle": random_reshuffle(rng),
        "characters": None if characters == "none" else characters,
        "van": rng.sample(van, len(van)),
        "tool_decks": lambda tools: rng.sample(tools, len(tools)),
    }
