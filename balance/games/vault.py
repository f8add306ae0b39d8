"""Vault Breakers: its rules, players and outcome columns, and how they are packed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BeforeValidator, Field, create_model, model_validator

from balance.games.base import Column, Outcomes, Packed, Ratio
from balance.games.shipped import shipped
from balance.games.vault_cards import Action, Reaction, pack_card
from balance.games.vault_dice import DICE_STAGE
from balance.games.vault_expert import KNOBS
from balance.values import Model, Real, Whole, whole, whole_keys

__all__ = ["VAULT", "ExpertPolicy", "RandomPolicy", "SimplePolicy", "VaultRules"]

SEATS = 6
THRESHOLDS = 10
LOOT_CARDS = 120
KINDS = 32
PILE = 63
TRAINING_CARDS = 52
SHARE = 60  # what the shares of a win add up to

Threshold = Annotated[int, Field(ge=1, le=400), BeforeValidator(whole)]
Points = Annotated[int, Field(ge=0, le=1_000), BeforeValidator(whole)]
Copies = Annotated[int, Field(ge=0, le=LOOT_CARDS), BeforeValidator(whole)]


class VaultRules(Model):
    """The rules of a scenario; every field names its rule."""

    players: Whole = Field(4, ge=2, le=SEATS, description="V1: seats at the table")
    training_decks: Whole = Field(2, ge=1, le=8, description="V2: decks of 52 training cards")
    start_cards: Whole = Field(5, ge=0, le=20, description="V2: training cards at the start")
    tokens_each: Whole = Field(20, ge=0, le=500, description="V3: skill tokens of each colour")
    loot: Annotated[dict[Points, Copies], BeforeValidator(whole_keys)] = Field(
        {1: 3, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3}, description="V4: loot cards, {VP: how many}"
    )
    actions: list[Action] = Field([], max_length=KINDS, description="V5, V7: the action deck")
    reactions: list[Reaction] = Field([], max_length=KINDS, description="V5, V8: the reaction deck")
    draw: Whole = Field(4, ge=0, le=20, description="V9: training cards drawn a turn")
    combine_at: Whole = Field(
        10, ge=1, le=60, description="V10: what cards of a suit must add up to for a token"
    )
    ace_value: Literal[1, 11] = Field(1, description="V10 [switch]: what an ace counts: 1 or 11")
    dice: Whole = Field(6, ge=1, le=12, description="V12: the limit of dice in a break")
    dice_limit: Literal["player", "table"] = Field(
        "player", description="V12 [switch]: player: so many dice each; table: so many in all"
    )
    first_break_needs_partner: bool = Field(
        True, description="V13: whether somebody must join as long as the vault is unbroken"
    )
    thresholds: list[Threshold] = Field(
        [10, 15, 20, 25, 30, 35],
        min_length=1,
        max_length=THRESHOLDS,
        description="V15: the total that breaks the vault the first, second, .. time",
    )
    loot_per_break: Whole = Field(3, ge=0, le=12, description="V16: loot cards of a break")
    failure_hits: Literal["breaker", "everyone"] = Field(
        "breaker", description="V17 [switch]: whom the failure die hits: breaker or everyone"
    )
    reveal_at: Whole = Field(20, ge=1, le=10_000, description="V19: VP that may be revealed")
    max_turns: Whole = Field(
        400, ge=1, le=100_000, description="V21: a game that goes on after so many is stalled"
    )

    @model_validator(mode="after")
    def _fit_together(self) -> "VaultRules":
        cards = TRAINING_CARDS * self.training_decks
        if self.players * self.start_cards > cards:
            raise ValueError(
                f"start_cards: {self.start_cards} for each of {self.players} players are more "
                f"than the {cards} training cards"
            )
        if not 1 <= sum(self.loot.values()) <= LOOT_CARDS:
            raise ValueError(f"loot: must be 1 to {LOOT_CARDS} cards in all")
        for name in ("actions", "reactions"):
            deck = getattr(self, name)
            names = [card.name for card in deck]
            for card_name in names:
                if names.count(card_name) > 1:
                    raise ValueError(f"{name}: {card_name} stands there twice; write copies: 2")
            if sum(card.copies for card in deck) > PILE:
                raise ValueError(f"{name}: must be {PILE} cards at most")
        return self


class VaultPolicy(Model):
    """What all policies have."""

    mistakes: Real = Field(
        0.0, ge=0, le=1, description="the chance that a decision is a random legal one"
    )
    inviting: bool = Field(True, description="false: invites nobody to a break")
    joining: bool = Field(True, description="false: accepts no invitation")
    acting: bool = Field(True, description="false: uses no action and no reaction")
    knobs: ClassVar[tuple[str, ...]] = ()


class RandomPolicy(VaultPolicy):
    """Every decision uniform over what is legal."""

    name: Literal["random"] = "random"


class SimplePolicy(VaultPolicy):
    """The pinned reference player of docs/rules/vault.md; it uses no action and no reaction."""

    name: Literal["simple"] = "simple"
    break_at: Real = Field(0.5, ge=0, le=1, description="the chance at which it breaks the vault")
    knobs: ClassVar[tuple[str, ...]] = ("break_at",)


class RuleOfThumb(VaultPolicy):
    """A player that breaks and joins at chances of its own, and acts where that is worth it."""

    break_at: Real = Field(0.5, ge=0, le=1, description="the chance at which it breaks the vault")
    join_at: Real = Field(0.5, ge=0, le=1, description="the chance at which it joins a break")
    knobs: ClassVar[tuple[str, ...]] = ("break_at", "join_at")


class HastyPolicy(RuleOfThumb):
    """Breaks at even odds and joins whatever it is asked to; else as `simple`."""

    name: Literal["hasty"] = "hasty"
    join_at: Real = Field(0.0, ge=0, le=1, description="the chance at which it joins a break")


class PatientPolicy(RuleOfThumb):
    """Saves tokens until the chance is high, and joins only then; else as `simple`."""

    name: Literal["patient"] = "patient"
    break_at: Real = Field(0.9, ge=0, le=1, description="the chance at which it breaks the vault")
    join_at: Real = Field(0.8, ge=0, le=1, description="the chance at which it joins a break")


class LonerPolicy(RuleOfThumb):
    """Invites nobody once the vault has been broken; else as `simple`."""

    name: Literal["loner"] = "loner"


SHIPPED = shipped("vault_expert")
KNOB_FIELDS: dict[str, Any] = {
    name: (Real, Field(SHIPPED[name], description=meaning)) for name, meaning in KNOBS.items()
}


class TrainedPolicy(VaultPolicy):
    """What `expert` has: trained knobs, by the names of vault_expert.py."""

    knobs: ClassVar[tuple[str, ...]] = tuple(KNOBS)


ExpertPolicy: Any = create_model(
    "ExpertPolicy",
    __base__=TrainedPolicy,
    __doc__="Knows the exact chances and weighs what is won and lost by trained knobs.",
    **{"name": (Literal["expert"], "expert"), **KNOB_FIELDS},
)


def _numbered(
    name: str, label: str, kind: Any, n: int, description: str, **more: Any
) -> tuple[Column, ...]:
    return tuple(
        Column(f"{name}.{i}", label.format(i), kind, description.format(i), **more)
        for i in range(1, n + 1)
    )


ENDINGS = ("breaks", "reveal", "stalled")
FAILURES = (
    *("skip a turn", "one training card", "all training cards"),
    *("one token", "all tokens", "one loot card"),
)
COLUMNS = (
    *_numbered(
        "win_share",
        "Win share, seat {}",
        "share",
        SEATS,
        "wins of the seat, shared ones in part",
        scale=SHARE,
    ),
    *_numbered("vp", "VP, seat {}", "count", SEATS, "victory points at the end"),
    *_numbered("loot", "Loot, seat {}", "count", SEATS, "loot cards at the end"),
    Column("breaks", "Breaks", "count", "times that the vault was broken"),
    Column("attempts", "Attempts", "count", "times that somebody rolled, or was about to"),
    *_numbered("attempts_at", "Attempts at threshold {}", "count", THRESHOLDS, "attempts at it"),
    *_numbered("broken_at", "Broken at threshold {}", "rate", THRESHOLDS, "whether it was reached"),
    Column("dice", "Dice", "count", "dice of all attempts"),
    Column("participants", "Participants", "count", "seats in all attempts, breakers included"),
    Column("tokens_earned", "Tokens earned", "count", "tokens gained of the supply"),
    Column("tokens_spent", "Tokens spent", "count", "tokens paid for dice and cards"),
    Column("wasted", "Wasted", "count", "value over what a token takes, in combined sets"),
    *(
        Column(f"failures.{die}", f"Failures: {what}", "count", f"failure die {die}: {what}")
        for die, what in enumerate(FAILURES, start=1)
    ),
    Column("turns", "Turns", "count", "turns played, skipped ones included"),
    Column("ended_by", "Ended by", "level", "what ended the game", ENDINGS),
    Column("stalled", "Stalled", "rate", "stopped at max_turns"),
)
RATIOS = (
    *(
        Ratio(
            f"break_rate.{i}",
            f"Break rate {i}",
            f"broken_at.{i}",
            f"attempts_at.{i}",
            f"attempts at threshold {i} that reached it",
            is_rate=True,
        )
        for i in range(1, THRESHOLDS + 1)
    ),
    Ratio("dice_per_attempt", "Dice per attempt", "dice", "attempts", "dice rolled in an attempt"),
    Ratio(
        "participants_per_attempt",
        "Seats per attempt",
        "participants",
        "attempts",
        "seats in an attempt",
    ),
)
PER_SEAT = ("win_share", "vp", "loot")
PER_THRESHOLD = ("attempts_at", "broken_at", "break_rate")


@dataclass(frozen=True)
class PackedVault:
    """Rules and players of one variant as the kernel reads them."""

    rules: np.recarray[Any, Any]  # RULES, shape (1,)
    policies: np.recarray[Any, Any]  # POLICIES, shape (1,)
    model: VaultRules

    def play(self, seed: int, first: int, outcomes: Outcomes) -> None:
        """Play one rollout for each row of ``outcomes`` (int32, modified), from ``first`` on."""
        from kernels.events import EVENTS

        self._run(seed, first, outcomes, np.zeros(1, EVENTS).view(np.recarray))

    def trace(self, seed: int, rollout: int) -> list[dict[str, Any]]:
        """What happened in one rollout, in the form of docs/trace/, from the deal on."""
        from balance.games.events import record_windows
        from balance.games.vault_trace import read_events

        outcomes = np.zeros((1, len(COLUMNS)), np.int32)
        rows = record_windows(lambda events: self._run(seed, rollout, outcomes, events))
        outcome = {column.name: int(n) for column, n in zip(COLUMNS, outcomes[0], strict=True)}
        return read_events(rows, outcome, self.model)

    def _run(self, seed: int, first: int, outcomes: Outcomes, events: Any) -> None:
        from kernels.vault import layout, play

        state = np.zeros(1, layout.STATE).view(np.recarray)
        scratch = np.zeros(1, layout.SCRATCH).view(np.recarray)
        given = (self.rules, self.policies, np.uint64(seed), first, outcomes)
        play.play_many(*given, state, scratch, events)


@cache
def chance_table(most_dice: int, most_pips: int, sides: int = 6) -> npt.NDArray[np.float64]:
    """The chance that n dice reach at least so many pips (float64, at [n, pips]), by convolution.

    The ways are counted in whole numbers, so that each chance is right to the last bit.
    """
    table = np.zeros((most_dice + 1, most_pips))
    ways = [1]
    for n in range(most_dice + 1):
        whole_number, reached = sides**n, 0
        for pips in range(len(ways) - 1, -1, -1):
            reached += ways[pips]
            if pips < most_pips:
                table[n, pips] = reached / whole_number
        longer = [0] * (len(ways) + sides)
        for pips, count in enumerate(ways):
            if count:
                for face in range(1, sides + 1):
                    longer[pips + face] += count
        ways = longer
    return table


def pack_rules(rules: VaultRules) -> np.recarray[Any, Any]:
    """The rules as one kernel record (RULES, shape (1,))."""
    from kernels.vault import layout

    packed = np.zeros(1, layout.RULES).view(np.recarray)
    places = list(range(13))
    places[10:] = [layout.JACK, layout.QUEEN, layout.KING]
    if rules.ace_value == 11:
        places[0] = 10
    deck = [suit * layout.PLACES + place for suit in range(layout.SUITS) for place in places]
    training = deck * rules.training_decks
    packed.training[0, : len(training)] = training
    loot = [value for value, copies in sorted(rules.loot.items()) for _ in range(copies)]
    packed.loot[0, : len(loot)] = loot
    packed.threshold[0, : len(rules.thresholds)] = rules.thresholds
    packed.reach[0] = chance_table(layout.MOST_DICE, layout.MOST_PIPS + 2)
    packed.training_cards, packed.loot_cards = len(training), len(loot)
    packed.table_limit = rules.dice_limit == "table"
    packed.failure_hits_all = rules.failure_hits == "everyone"
    packed.first_needs_partner = rules.first_break_needs_partner
    packed.thresholds = len(rules.thresholds)
    for name in (
        *("players", "start_cards", "tokens_each", "draw", "combine_at", "dice"),
        *("loot_per_break", "reveal_at", "max_turns"),
    ):
        packed[name] = getattr(rules, name)
    decks: tuple[Sequence[Action | Reaction], ...] = (rules.actions, rules.reactions)
    for place, cards in enumerate(decks):
        kinds = [kind for kind, card in enumerate(cards) for _ in range(card.copies)]
        packed.cards[0, place] = len(kinds)
        packed.card[0, place, : len(kinds)] = kinds
        for kind, card in enumerate(cards):
            for name, value in pack_card(card).items():
                packed[name][0, place, kind] = value
    return packed


def pack_policies(policies: Sequence[Any]) -> np.recarray[Any, Any]:
    """One policy per seat as one kernel record (POLICIES, shape (1,))."""
    from kernels.vault import layout

    kinds = {"random": layout.RANDOM, "simple": layout.SIMPLE, "expert": layout.EXPERT}
    packed = np.zeros(1, layout.POLICIES).view(np.recarray)
    for seat, policy in enumerate(policies):
        packed.kind[0, seat] = kinds.get(policy.name, layout.RULE_OF_THUMB)
        packed.mistakes[0, seat] = 1.0 if policy.name == "random" else policy.mistakes
        values = [getattr(policy, knob) for knob in policy.knobs]
        if policy.name == "loner":
            values.append(1.0)
        packed.knobs[0, seat, : len(values)] = values
        weights = values if policy.name == "expert" else [SHIPPED[knob] for knob in KNOBS]
        packed.weights[0, seat, : len(weights)] = weights
        for name in ("inviting", "joining", "acting"):
            packed[name][0, seat] = getattr(policy, name)
    return packed


class Vault:
    """The game as the toolkit sees it."""

    name = "vault"
    title = "Vault Breakers"
    rules = VaultRules
    policies: ClassVar[Mapping[str, type[Model]]] = {
        "random": RandomPolicy,
        "simple": SimplePolicy,
        "hasty": HastyPolicy,
        "patient": PatientPolicy,
        "loner": LonerPolicy,
        "expert": ExpertPolicy,
    }
    stages: ClassVar[Mapping[str, Any]] = {"dice": DICE_STAGE}
    columns = COLUMNS
    ratios = RATIOS
    headline = "win_share.1"
    style: Literal["competitive"] = "competitive"
    endings = tuple(f"ended_by.{ending}" for ending in ENDINGS)
    length = "turns"
    # a game that nobody brings to an end is worth nothing
    goal: ClassVar[Mapping[str, float]] = {"win_share.1": 1.0, "stalled": -0.25}
    starting: ClassVar[Mapping[str, Any]] = {}
    change: ClassVar[Mapping[str, Any]] = {"draw": 5}
    telling = (
        *("ended_by.breaks", "ended_by.reveal", "ended_by.stalled"),
        *("turns", "breaks", "attempts"),
        *(f"break_rate.{i}" for i in range(1, THRESHOLDS + 1)),
        *("dice_per_attempt", "participants_per_attempt", "tokens_earned", "wasted"),
    )
    optional = ()
    groupings = ()

    def seats(self, rules: VaultRules) -> int:
        """How many seats play."""
        return rules.players

    def absent(self, rules: VaultRules) -> Collection[str]:
        """The columns of seats that do not play and of thresholds that are not there."""
        seats = [f"{n}.{i}" for n in PER_SEAT for i in range(rules.players + 1, SEATS + 1)]
        first = len(rules.thresholds) + 1
        return [*seats, *(f"{n}.{i}" for n in PER_THRESHOLD for i in range(first, THRESHOLDS + 1))]

    def exact(self, rules: VaultRules) -> Mapping[str, float]:
        """Nothing is known exactly of whole games."""
        return {}

    def pack(self, rules: VaultRules, policies: Sequence[Any]) -> Packed:
        """Rules and one policy per seat, packed for the kernel."""
        return PackedVault(pack_rules(rules), pack_policies(policies), rules)

    def tell(self, events: Sequence[Mapping[str, Any]]) -> list[str]:
        """A trace in words."""
        from balance.games.vault_trace import tell

        return tell(events)


VAULT = Vault()
