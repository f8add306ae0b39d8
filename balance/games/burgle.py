"""Burgle Bros Blackjack: its rules, players and outcome columns, and how they are packed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt
from pydantic import BeforeValidator, Field, create_model, field_validator, model_validator

from balance.games.base import Column, Grouping, Outcomes, Packed
from balance.games.burgle_expert import KNOBS
from balance.games.shipped import shipped
from balance.values import Model, Real, Whole, whole

__all__ = ["BURGLE", "BurgleRules", "ExpertPolicy", "RandomPolicy", "SimplePolicy"]

SEATS = 4
LAST_TOTAL = 62
NO_CAP = 1_000_000
HAWK_NEVER_PEEKS_ON = 5
Character = Literal[
    "hawk", "acrobat", "hammer", "spotter", "juicer", "raven", "rook", "hacker", "peterman"
]
Tool = Literal[
    "crowbar",
    "crystal_ball",
    "stethoscope",
    "donuts",
    "makeup_kit",
    "emp",
    "dynamite",
    "virus",
    "smoke_bomb",
]
CHARACTERS: tuple[str, ...] = get_args(Character)
TOOLS: tuple[str, ...] = get_args(Tool)

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
    characters: list[Character | Literal["none"]] | Literal["none", "random"] = Field(
        "none",
        description="B4: one character for each seat, all different, or none for a seat without; "
        "random: drawn anew in every game; none: no abilities",
    )
    tools: bool | list[Tool] = Field(
        True, description="B6: the tools in the deck: a list of names, true (all nine) or false"
    )
    stealth_cap: Annotated[Whole, Field(ge=0, le=99)] | None = Field(
        None, description="B5 [switch]: the most stealth that a seat can have"
    )
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
    juicer_alarm_over: Total = Field(24, description="C5: the Juicer's alarm threshold")
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
    peterman_before_guard: bool = Field(
        False,
        description="R29 [switch]: true: the Peterman saves its card before Guards are counted",
    )
    dynamite_inactive: bool = Field(
        False, description="R41 [switch]: true: the Dynamite hits seats out of the round as well"
    )
    max_rounds: Whole = Field(
        200, ge=1, le=10_000, description="B27: a game that goes on after this many is stalled"
    )

    @field_validator("characters", mode="before")
    @classmethod
    def _known_characters(cls, characters: Any) -> Any:
        if characters in ("none", "random"):
            return characters
        form = "none, random or one character for each seat"
        return _names(characters, (*CHARACTERS, "none"), form, many="none")

    @field_validator("tools", mode="before")
    @classmethod
    def _known_tools(cls, tools: Any) -> Any:
        return tools if isinstance(tools, bool) else _names(tools, TOOLS, "true, false or a list")

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
    def _fit_together(self) -> "BurgleRules":
        if isinstance(self.characters, list) and len(self.characters) != self.players:
            raise ValueError(
                f"characters: {len(self.characters)} for {self.players} seats; name one for each"
            )
        if self.stealth_cap is not None and self.stealth > self.stealth_cap:
            raise ValueError(
                f"stealth: {self.stealth} is over stealth_cap: {self.stealth_cap}; "
                "raise the cap or write null"
            )
        return self


def _names(given: Any, allowed: Sequence[str], form: str, many: str = "") -> list[str]:
    """A list of different names (but for ``many``), or an error that says what may be."""
    if not isinstance(given, list):
        raise ValueError(f"must be {form} (got {given})")
    for place, name in enumerate(given):
        if name not in allowed:
            raise ValueError(f"{name} is none of {', '.join(allowed)}")
        if name != many and name in given[:place]:
            raise ValueError(f"{name} stands there twice")
    return given


class BurglePolicy(Model):
    """What all policies have."""

    mistakes: Real = Field(
        0.0, ge=0, le=1, description="the chance that a decision is a random legal one"
    )
    trading: bool = Field(True, description="false: a trade that it decides is none")
    bailing: bool = Field(
        True, description="false: bails only where it must (to leave at 21 is no bail)"
    )
    peeking: bool = Field(True, description="false: leaves a deck as it sees it")
    using_tools: bool = Field(True, description="false: keeps its tools")


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


class TrainedPolicy(BurglePolicy):
    """What `expert` and `search` have: trained knobs, by the names of burgle_expert.py."""

    knobs: ClassVar[tuple[str, ...]] = tuple(KNOBS)


SHIPPED = shipped("burgle_expert")
KNOB_FIELDS: dict[str, Any] = {
    name: (Real, Field(SHIPPED[name], description=meaning)) for name, meaning in KNOBS.items()
}
ExpertPolicy: Any = create_model(
    "ExpertPolicy",
    __base__=TrainedPolicy,
    __doc__="Weighs what it sees by trained knobs, and counts cards "
    "(docs/decisions/0006-expert.md).",
    **{"name": (Literal["expert"], "expert"), **KNOB_FIELDS},
)


class SearchKnobs(TrainedPolicy):
    """How `search` searches."""

    slow: ClassVar[bool] = True

    continuations: Whole = Field(
        400, ge=1, le=1_000_000, description="games played on for a decision, over all candidates"
    )
    candidates: Whole = Field(4, ge=1, le=16, description="trades that are tried")
    noise: Real = Field(
        1.0,
        ge=0,
        description="standard errors by which a choice must be better than that of `expert`",
    )
    crack_worth: Real = Field(
        0.02, ge=0, description="what a safe cracked counts beside a win, which counts 1"
    )
    search_knobs: ClassVar[tuple[str, ...]] = (
        *("continuations", "candidates", "noise", "crack_worth"),
    )


SearchPolicy: Any = create_model(
    "SearchPolicy",
    __base__=SearchKnobs,
    __doc__="Tries the best candidates of `expert` by playing them on, and takes the best.\n\n"
    "It searches trades, twenty-ones and bails; everything else is decided as `expert` does, by "
    "the same knobs. Slow: up to a second a game. Compiled when it is first used.",
    **{"name": (Literal["search"], "search"), **KNOB_FIELDS},
)


ABILITIES = {
    "hawk": "looks at two cards",
    "acrobat": "Guards replaced as the first card of a round",
    "hammer": "choices between two tools",
    "spotter": "remade decks with a card face up",
    "juicer": "checks over everybody's alarm threshold, not over its own",
    "raven": "alarms escaped",
    "rook": "looks at another seat's deck",
    "hacker": "cards given that were not the current one",
    "peterman": "cards put on top of its deck",
}


def _title(tool: str) -> str:
    return "E.M.P." if tool == "emp" else tool.replace("_", " ").title()


def _per_seat(name: str, label: str, description: str) -> tuple[Column, ...]:
    return tuple(
        Column(f"{name}.{seat}", f"{label}, seat {seat}", "count", description)
        for seat in range(1, SEATS + 1)
    )


LOSSES = ("display", "alarm", "targeted_alarm")
COLUMNS = (
    Column("won", "Win rate", "rate", "every safe cracked before anybody was caught"),
    Column("stalled", "Stalled", "rate", "stopped at max_rounds: neither won nor lost"),
    Column(
        "lost_to",
        "Lost to",
        "level",
        "what took the stealth that a seat did not have",
        ("none", *LOSSES),
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
    *(
        Column(
            f"character.{seat}",
            f"Character, seat {seat}",
            "level",
            "who sat there",
            ("none", *CHARACTERS),
        )
        for seat in range(1, SEATS + 1)
    ),
    *(
        Column(f"used.{tool}", f"{_title(tool)} used", "count", f"uses of the {_title(tool)}")
        for tool in TOOLS
    ),
    *(
        Column(f"ability.{name}", f"{name.title()}'s ability", "count", description)
        for name, description in ABILITIES.items()
    ),
)

FIRST_CHARACTER = [column.name for column in COLUMNS].index("character.1")
BIT = np.array([0, *(1 << place for place in range(len(CHARACTERS)))], np.int64)  # of each value


def team(outcomes: Outcomes) -> npt.NDArray[np.int64]:
    """Who played, one bit a character; seats without one add nothing.  # B4"""
    bits = np.zeros(outcomes.shape[0], np.int64)
    for column in range(FIRST_CHARACTER, FIRST_CHARACTER + SEATS):
        bits |= BIT[outcomes[:, column]]
    return bits


def team_members(bits: int) -> tuple[str, ...]:
    """The characters of a team by name."""
    return tuple(sorted(name for place, name in enumerate(CHARACTERS) if bits >> place & 1))


TEAM = Grouping("team", "Teams", "Character", 1 << len(CHARACTERS), team, team_members)


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
        """What happened in one rollout, in the form of docs/trace/, from the deal on."""
        from balance.games.burgle_trace import read_events
        from balance.games.events import record_windows

        outcomes = np.zeros((1, len(COLUMNS)), np.int32)
        rows = record_windows(lambda events: self._run(seed, rollout, outcomes, events))
        outcome = {column.name: int(n) for column, n in zip(COLUMNS, outcomes[0], strict=True)}
        return read_events(rows, outcome)

    def _run(self, seed: int, first: int, outcomes: Outcomes, events: Any) -> None:
        from kernels.burgle import layout, play
        from kernels.events import EVENTS

        scratch = np.zeros(1, layout.SCRATCH).view(np.recarray)
        given = (self.rules, self.policies, np.uint64(seed), first, outcomes)
        if not self.policies.searching[0]:
            state = np.zeros(1, layout.STATE).view(np.recarray)
            play.play_many(*given, state, scratch, events)
            return
        from kernels.burgle import search

        states = np.zeros(2, layout.STATE).view(np.recarray)
        room = np.zeros(1, search.ROOM).view(np.recarray)
        quiet = np.zeros(1, EVENTS).view(np.recarray)
        search.play_searching(*given, states, scratch, room, events, quiet)


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
    drawn = rules.characters == "random"
    seated = rules.characters if isinstance(rules.characters, list) else []
    packed.character[0] = layout.NO_CHARACTER
    for seat, character in enumerate(seated):
        if character != "none":
            packed.character[0, seat] = CHARACTERS.index(character)
    in_deck = rules.tools if isinstance(rules.tools, list) else TOOLS if rules.tools else ()
    packed.tool[0] = [tool in in_deck for tool in TOOLS]
    fields = {
        "random_characters": drawn,
        "stealth_cap": NO_CAP if rules.stealth_cap is None else rules.stealth_cap,
        "peek_totals": _bits(rules.peek_totals),
        "hawk_peek_totals": _bits(rules.peek_totals) & ~_bits([HAWK_NEVER_PEEKS_ON]),
        "jackpot_total": _bits([rules.jackpot_total]),
        "straight_flush": straight,
        "flush": flush,
    }
    fields["crack_from"] = min(length for length in (flush, straight) if length)
    for name in layout.RULES.names or ():
        if name not in ("value", "character", "tool"):
            packed[name] = fields[name] if name in fields else int(getattr(rules, name))
    return packed


def pack_policies(policies: Sequence[Any]) -> np.recarray[Any, Any]:
    """One policy per seat as one kernel record (POLICIES, shape (1,))."""
    from kernels.burgle import layout

    kinds = {
        "random": layout.RANDOM,
        "simple": layout.SIMPLE,
        "expert": layout.EXPERT,
        "search": layout.SEARCHER,
    }
    packed = np.zeros(1, layout.POLICIES).view(np.recarray)
    for seat, policy in enumerate(policies):
        packed.kind[0, seat] = kinds[policy.name]
        packed.mistakes[0, seat] = 1.0 if policy.name == "random" else policy.mistakes
        for option in ("trading", "bailing", "peeking", "using_tools"):
            packed[option][0, seat] = getattr(policy, option)
        values = [getattr(policy, knob) for knob in policy.knobs]
        packed.knobs[0, seat, : len(values)] = values
        if policy.name == "search":
            values = [getattr(policy, knob) for knob in policy.search_knobs]
            packed.searching = 1
            packed.search[0, seat, : len(values)] = values
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
        "search": SearchPolicy,
    }
    stages: ClassVar[Mapping[str, Any]] = {}
    columns = COLUMNS
    ratios = ()
    headline = "won"
    style: Literal["cooperative"] = "cooperative"
    endings = ("win_rate", *(f"lost_to.{level}" for level in LOSSES), "stalled")
    length = "rounds"
    goal: ClassVar[Mapping[str, float]] = {"won": 1.0, "cracked": 0.03}
    starting: ClassVar[Mapping[str, Any]] = {}
    change: ClassVar[Mapping[str, Any]] = {"stealth": 3}
    telling = (
        *("lost_to.display", "lost_to.alarm", "lost_to.targeted_alarm", "stalled", "cracked"),
        *("rounds", "turns", "alarms", "twenty_ones", "peeks", "stealth_lost"),
    )
    optional = (
        *("tools_used", *(f"used.{tool}" for tool in TOOLS)),
        *(f"ability.{name}" for name in CHARACTERS),
    )

    groupings = (TEAM,)

    def seats(self, rules: BurgleRules) -> int:
        """How many seats play."""
        return rules.players

    def absent(self, rules: BurgleRules) -> Collection[str]:
        """All columns mean something; a seat that is not there has 0."""
        return ()

    def exact(self, rules: BurgleRules) -> Mapping[str, float]:
        """Nothing is known exactly of whole games."""
        return {}

    def pack(self, rules: BurgleRules, policies: Sequence[Any]) -> Packed:
        """Rules and one policy per seat, packed for the kernel."""
        return PackedBurgle(pack_rules(rules), pack_policies(policies))

    def tell(self, events: Sequence[Mapping[str, Any]]) -> list[str]:
        """A trace in words."""
        from balance.games.burgle_trace import tell

        return tell(events)


BURGLE = Burgle()
