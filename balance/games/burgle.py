"""Burgle Bros Blackjack: its rules, players and outcome columns, and how they are packed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, Field, field_validator, model_validator

from balance.games.base import Column, Outcomes, Packed
from balance.values import Model, Real, Whole, whole

__all__ = ["BURGLE", "BurgleRules", "ExpertPolicy", "RandomPolicy", "SimplePolicy"]

SEATS = 4
LAST_TOTAL = 62
NOT_YET = "is not simulated yet"

Total = Annotated[int, Field(ge=1, le=LAST_TOTAL), BeforeValidator(whole)]


class Flush(Model):
    """So many cards of the safe's suit."""

    flush: Whole = Field(ge=1, le=11)


class StraightFlush(Model):
    """A run of so many cards of the safe's suit."""

    straight_flush: Whole = Field(ge=2, le=11)


class BurgleRules(Model):
    """The rules of a scenario; every field names its rule."""

    players: Whole = Field(4, ge=2, le=4, description="B3: seats at the table")
    stealth: Whole = Field(2, ge=0, le=99, description="B5: stealth that every seat starts with")
    characters: Any = Field(
        "none", description="B4: who plays each seat; `none` leaves all abilities out"
    )
    tools: Any = Field(True, description="B6: the tools in the deck; `[]` leaves all tools out")
    trading: bool = Field(True, description="B14: whether current cards may be traded")
    guard_value: Whole = Field(10, ge=0, le=20, description="B16: what a Guard adds to a total")
    peek_totals: list[Total] = Field(
        [5, 10, 15, 20], max_length=LAST_TOTAL, description="B18: totals that allow a peek"
    )
    jackpot_total: Total = Field(21, description="B19: the total that lets a seat leave and gain")
    crack: Flush | StraightFlush = Field(
        Flush(flush=5), description="B20, M4: what opens a safe: {flush: n} or {straight_flush: n}"
    )
    straight_replaces_flush: bool = Field(
        True, description="M6 [switch]: false: five of the suit open a safe as well"
    )
    guard_in_straight: bool = Field(
        True, description="M6 [switch]: the Guard is a Jack and follows the 10 in a straight"
    )
    joker_in_straight: bool = Field(
        False, description="M6 [switch]: the Joker stands for a missing rank in a straight"
    )
    burn: Whole = Field(0, ge=0, le=11, description="M1: cards of the crack that leave the game")
    alarm_over: Total = Field(21, description="B21: totals over this one trigger an alarm")
    alarm_discards: Whole = Field(
        2, ge=0, le=10, description="B21: cards that an alarm takes from the deck"
    )
    alarm_removes: Whole = Field(
        1, ge=0, le=10, description="B21: how many of these leave the game, never the Guard"
    )
    targeted_safe_from: Whole = Field(
        17, ge=0, le=LAST_TOTAL + 1, description="B22: a Targeted seat bails safely from here on"
    )
    win_at_once: bool = Field(
        True,
        description="B25 [switch]: false: the win counts only if the round ends without a loss",
    )
    max_rounds: Whole = Field(
        200, ge=1, le=10_000, description="B27: a game that goes on after this many is stalled"
    )

    @field_validator("players")
    @classmethod
    def _four_seats(cls, players: int) -> int:
        if players != SEATS:
            raise ValueError(f"{players} seats and the Man in the Van {NOT_YET}; use 4")
        return players

    @field_validator("characters")
    @classmethod
    def _no_characters(cls, characters: Any) -> Any:
        if characters != "none":
            raise ValueError(f"what you ask for {NOT_YET}; write characters: none")
        return characters

    @field_validator("tools")
    @classmethod
    def _no_tools(cls, tools: Any) -> Any:
        if tools is True:
            raise ValueError(f"a tool deck (the default: all nine) {NOT_YET}; write tools: []")
        if tools is not False and tools != []:
            raise ValueError(f"what you ask for {NOT_YET}; write tools: []")
        return tools

    @field_validator("crack", mode="before")
    @classmethod
    def _one_crack(cls, crack: Any) -> Any:
        if isinstance(crack, (Flush, StraightFlush)):
            return crack
        if not isinstance(crack, dict) or len(crack) != 1:
            raise ValueError("must be {flush: n} or {straight_flush: n}, one of the two")
        name, length = next(iter(crack.items()))
        kinds: dict[str, type[Model]] = {"flush": Flush, "straight_flush": StraightFlush}
        if name not in kinds:
            raise ValueError(f"must be {{flush: n}} or {{straight_flush: n}} (got {name})")
        lowest = 1 if name == "flush" else 2
        whole = isinstance(length, (int, float)) and not isinstance(length, bool)
        if not whole or length != int(length) or not lowest <= length <= 11:
            raise ValueError(f"{name} must be a whole number from {lowest} to 11 (got {length})")
        return kinds[name](**{name: int(length)})

    @model_validator(mode="after")
    def _tools_said(self) -> "BurgleRules":
        if "tools" not in self.model_fields_set:
            raise ValueError(f"tools: a tool deck (the default) {NOT_YET}; write tools: []")
        return self


class BurglePolicy(Model):
    """What all policies have."""

    mistakes: Real = Field(
        0.0, ge=0, le=1, description="the chance that a decision is a random legal one"
    )


class RandomPolicy(BurglePolicy):
    """Every decision uniform over what is legal."""

    name: Literal["random"] = "random"
    knobs: ClassVar[tuple[str, ...]] = ()


class SimplePolicy(BurglePolicy):
    """The pinned reference player of docs/rules/burgle.md; it uses no ability and no tool."""

    name: Literal["simple"] = "simple"
    suit: Real = Field(10.0, description="trade: a card of the safe's suit")
    bust: Real = Field(30.0, description="trade: a total over the alarm threshold costs this")
    jackpot: Real = Field(8.0, description="trade: a reading of 21")
    peek: Real = Field(3.0, description="trade: a peek total")
    bail_at: Real = Field(14.0, description="bail from this lowest reading on")
    targeted_bail_at: Real = Field(17.0, description="once cracked: bail from this best reading on")
    knobs: ClassVar[tuple[str, ...]] = (
        "suit",
        "bust",
        "jackpot",
        "peek",
        "bail_at",
        "targeted_bail_at",
    )


class ExpertPolicy(BurglePolicy):
    """Weighs suits, totals, Guards and alarms by knobs; counts where the Guards can be.

    An evolution strategy found the defaults on the base game (docs/decisions/0006-expert.md).
    """

    name: Literal["expert"] = "expert"
    suit_1: Real = Field(-0.1, description="trade: a display with 1 card of the safe's suit")
    suit_2: Real = Field(5.1, description="trade: .. with 2")
    suit_3: Real = Field(22.4, description="trade: .. with 3")
    suit_4: Real = Field(54.1, description="trade: .. with 4")
    crack: Real = Field(120.9, description="trade: a display that opens the safe")
    alarm_cost: Real = Field(13.5, description="trade: an alarm costs this")
    alarm_risk: Real = Field(25.2, description="trade: .. and this if it flips the Guard")
    jackpot: Real = Field(11.6, description="trade: a reading of 21")
    jackpot_guard: Real = Field(0.2, description="trade: .. and this for each Guard in a display")
    peek: Real = Field(0.1, description="trade: a peek total")
    height: Real = Field(0.4, description="trade: each point of a total costs this")
    safe_total: Real = Field(-0.2, description="trade: once cracked, a total that bails safely")
    go_on: Real = Field(2.2, description="bail: the pull of another card")
    go_suit: Real = Field(6.2, description="bail: .. for each card of the suit in the display")
    go_guard_shown: Real = Field(5.9, description="bail: .. while its Guard lies in the display")
    fear_guard: Real = Field(-20.4, description="bail: the fear of drawing the Guard")
    fear_alarm: Real = Field(35.5, description="bail: the fear of an alarm that flips the Guard")
    fear_last_stealth: Real = Field(9.9, description="bail: more fear of the Guard at 0 stealth")
    stay_suit: Real = Field(3.6, description="at 21: stay with so many cards of the suit")
    peek_keep: Real = Field(6.5, description="peek: discard what is higher and not of the suit")
    remove_high: Real = Field(4.6, description="alarm: remove high cards: each point counts this")
    remove_wanted: Real = Field(5.9, description="alarm: keep cards of suits that are still wanted")
    suit_card: Real = Field(13.4, description="trade: a card of the safe's suit for a seat")
    peek_guard: Real = Field(2.3, description="trade: a peek that may find the Guard on top")
    go_cracked: Real = Field(1.9, description="bail: the pull of another card once cracked")
    go_save: Real = Field(3.1, description="bail: .. for each other seat's Guard in a display")
    fear_targeted: Real = Field(25.2, description="bail: the fear of a Targeted alarm")
    knobs: ClassVar[tuple[str, ...]] = (
        *("suit_1", "suit_2", "suit_3", "suit_4", "crack", "alarm_cost", "alarm_risk"),
        *("jackpot", "jackpot_guard", "peek", "height", "safe_total", "go_on", "go_suit"),
        *("go_guard_shown", "fear_guard", "fear_alarm", "fear_last_stealth", "stay_suit"),
        *("peek_keep", "remove_high", "remove_wanted", "suit_card", "peek_guard", "go_cracked"),
        *("go_save", "fear_targeted"),
    )


def _per_seat(name: str, label: str, description: str) -> tuple[Column, ...]:
    return tuple(
        Column(f"{name}.{seat}", f"{label}, seat {seat}", "count", description)
        for seat in range(1, SEATS + 1)
    )


COLUMNS = (
    Column("won", "Win rate", "rate", "every safe cracked before anybody was caught"),
    Column("stalled", "Stalled", "rate", "stopped at max_rounds: neither won nor lost"),
    Column(
        "lost_to",
        "Lost to",
        "level",
        "what took the stealth that a seat did not have",
        ("none", "display", "alarm", "targeted_alarm"),
    ),
    Column("rounds", "Rounds", "count", "rounds played, the unfinished one included"),
    Column("turns", "Turns", "count", "turns played"),
    Column("draws", "Cards drawn", "count", "cards drawn in draw steps"),
    Column("cracked", "Safes cracked", "count", "safes opened"),
    Column("alarms", "Alarms", "count", "alarms triggered, Targeted ones included"),
    Column("targeted_alarms", "Targeted alarms", "count", "alarms of Targeted seats that bailed"),
    Column("stealth_lost", "Stealth lost", "count", "stealth paid by all seats"),
    Column("trades", "Cards traded", "count", "cards that changed hands"),
    Column("twenty_ones", "Twenty-ones", "count", "checks at which a seat had a reading of 21"),
    Column("peeks", "Peeks", "count", "looks at the top of a deck"),
    Column("tools_used", "Tools used", "count", "tools played"),
    Column("removed", "Cards removed", "count", "cards that left the game"),
    *_per_seat("crack_round", "Round of the crack", "round in which the seat cracked; 0: never"),
    *_per_seat("stealth_left", "Stealth left", "stealth of the seat at the end"),
    *_per_seat("seat_alarms", "Alarms", "alarms of the seat"),
)


@dataclass(frozen=True)
class PackedBurgle:
    """Rules and players of one variant as the kernel reads them."""

    rules: np.recarray[Any, Any]  # RULES, shape (1,)
    policies: np.recarray[Any, Any]  # POLICIES, shape (1,)

    def play(self, seed: int, first: int, outcomes: Outcomes) -> None:
        """Play one rollout for each row of ``outcomes`` (int32, modified), from ``first`` on."""
        from kernels.events import EVENTS

        self._run(seed, first, outcomes, np.zeros(1, EVENTS).view(np.recarray))

    def trace(self, seed: int, rollout: int) -> list[dict[str, Any]]:
        """What happened in one rollout, in the form of docs/trace.md, from the deal on."""
        from balance.games.burgle_trace import read_events
        from kernels.events import EVENTS

        outcomes = np.zeros((1, len(COLUMNS)), np.int32)
        windows: list[Any] = []
        first, used = 0, 1
        while first < used:
            events = np.zeros(1, EVENTS).view(np.recarray)
            events.recording, events.first = 1, first
            self._run(seed, rollout, outcomes, events)
            used = int(events.used[0])
            windows.append(events.rows[0, : used - first])
            first += events.rows.shape[1]
        outcome = {column.name: int(n) for column, n in zip(COLUMNS, outcomes[0], strict=True)}
        return read_events(np.concatenate(windows), outcome)

    def _run(self, seed: int, first: int, outcomes: Outcomes, events: Any) -> None:
        from kernels.burgle import layout, play

        play.play_many(
            self.rules,
            self.policies,
            np.uint64(seed),
            first,
            outcomes,
            np.zeros(1, layout.STATE).view(np.recarray),
            np.zeros(1, layout.SCRATCH).view(np.recarray),
            events,
        )


def _bits(totals: Sequence[int]) -> int:
    return sum(1 << total for total in set(totals))


def pack_rules(rules: BurgleRules) -> np.recarray[Any, Any]:
    """The rules as one kernel record (RULES, shape (1,))."""
    from kernels.burgle import layout

    packed = np.zeros(1, layout.RULES).view(np.recarray)
    packed.value[0, : layout.FIRST_GUARD] = np.arange(layout.FIRST_GUARD) % layout.RANKS + 1
    packed.value[0, layout.FIRST_GUARD : layout.JOKER] = rules.guard_value
    if isinstance(rules.crack, StraightFlush):
        straight, flush = rules.crack.straight_flush, 0 if rules.straight_replaces_flush else 5
    else:
        straight, flush = 0, rules.crack.flush
    fields = {
        "peek_totals": _bits(rules.peek_totals),
        "jackpot_total": _bits([rules.jackpot_total]),
        "straight_flush": straight,
        "flush": flush,
    }
    fields["crack_from"] = min(length for length in (flush, straight) if length)
    for name in layout.RULES.names or ():
        if name != "value":
            packed[name] = fields[name] if name in fields else int(getattr(rules, name))
    return packed


def pack_policies(policies: Sequence[Any]) -> np.recarray[Any, Any]:
    """One policy per seat as one kernel record (POLICIES, shape (1,))."""
    from kernels.burgle import layout

    kinds = {"random": layout.RANDOM, "simple": layout.SIMPLE, "expert": layout.EXPERT}
    packed = np.zeros(1, layout.POLICIES).view(np.recarray)
    for seat, policy in enumerate(policies):
        packed.kind[0, seat] = kinds[policy.name]
        packed.mistakes[0, seat] = 1.0 if policy.name == "random" else policy.mistakes
        for place, knob in enumerate(policy.knobs):
            packed.knobs[0, seat, place] = getattr(policy, knob)
    return packed


class Burgle:
    """The game as the toolkit sees it."""

    name = "burgle"
    title = "Burgle Bros Blackjack"
    rules = BurgleRules
    policies: ClassVar[Mapping[str, type[Model]]] = {
        "random": RandomPolicy,
        "simple": SimplePolicy,
        "expert": ExpertPolicy,
    }
    columns = COLUMNS
    headline = "won"
    length = "rounds"
    telling = (
        *("lost_to.display", "lost_to.alarm", "lost_to.targeted_alarm", "stalled", "cracked"),
        *("rounds", "turns", "alarms", "twenty_ones", "peeks", "stealth_lost"),
    )

    def seats(self, rules: BurgleRules) -> int:
        """How many seats play."""
        return rules.players

    def pack(self, rules: BurgleRules, policies: Sequence[Any]) -> Packed:
        """Rules and one policy per seat, packed for the kernel."""
        return PackedBurgle(pack_rules(rules), pack_policies(policies))

    def tell(self, events: Sequence[Mapping[str, Any]]) -> list[str]:
        """A trace in words."""
        from balance.games.burgle_trace import tell

        return tell(events)


BURGLE = Burgle()
