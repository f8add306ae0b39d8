"""A robbery alone: banks and stakes from given distributions, and who gains what."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, Field, field_validator, model_validator

from balance.games.bank import (
    DECK,
    SPECIALS,
    BankRules,
    Chance,
    Coins,
    Copies,
    Deck,
    Doublings,
    EquilibriumPolicy,
    RandomPolicy,
    SimplePolicy,
    kinds_of,
    mix_table,
    pack_rules,
    shipped_mixes,
)
from balance.games.base import Column, Outcomes, Packed, Ratio
from balance.values import Model, Whole, whole, whole_keys

__all__ = ["ROBBERY_STAGE", "RobberyRules", "bank_states", "full_rules", "mean_pot"]

SEATS = 5
MOST_STAKE = 200
MOST_POTS = 256
LEAST_DECK = 3
RESULTS = ("paid", "short", "guarded", "thieved", "ladies")


class Uniform(Model):
    """Stakes from one number to another, all equally likely."""

    uniform: list[Coins] = Field(min_length=2, max_length=2, description="[lowest, highest]")

    @model_validator(mode="after")
    def _rising(self) -> "Uniform":
        low, high = self.uniform
        if not low <= high <= MOST_STAKE:
            raise ValueError(f"uniform: must be [lowest, highest], up to {MOST_STAKE}")
        return self


class RobberyRules(Model):
    """One robbery: who stakes what, and what lies at the bank."""

    players: Whole = Field(4, ge=2, le=SEATS, description="K1: seats at the table")
    pot: Coins | Annotated[dict[Coins, Chance], BeforeValidator(whole_keys)] | None = Field(
        None, description="K10: the coins at the bank, or {coins: chance, ..}"
    )
    cards: Annotated[int, Field(ge=1, le=20), BeforeValidator(whole)] | None = Field(
        None, description="K10: instead of a pot: so many cards are drawn from the deck"
    )
    deck: Deck = Field(Deck(), description="K3: the deck that `cards` are drawn from")
    lady: Copies = Field(0, description="K17: Ladies at the bank")
    guard: Copies = Field(0, description="K14: Guards at the bank")
    judge: Copies = Field(0, description="K16: Judges at the bank")
    thief: Copies = Field(0, description="K15: Thieves at the bank")
    multiply: Doublings = Field(0, description="K16: X cards at the bank")
    stakes: list[Coins] | Uniform | Literal["policies"] = Field(
        "policies", description="K10: a list by seat, {uniform: [0, 5]}, or policies"
    )
    max_stake: Whole = Field(10, ge=0, le=MOST_STAKE, description="K10: the highest stake")
    robber: Annotated[int, Field(ge=1, le=SEATS), BeforeValidator(whole)] | Literal["random"] = (
        Field("random", description="K13: the seat that robs, from which equal stakes are paid")
    )
    stake_on_shortfall: Literal["returned", "lost"] = Field(
        "returned", description="K12 [switch]: what becomes of a stake that cannot be paid"
    )
    ties: Literal["turn_order", "together"] = Field(
        "turn_order", description="K13 [switch]: how equal stakes are paid"
    )
    guard_reward: Whole = Field(
        5, ge=0, le=1_000, description="K14: what a Guard gives to who staked nothing"
    )
    specials: Literal["simple", "published"] = Field(
        "simple", description="K18 [switch]: how specials cancel each other"
    )

    @field_validator("stakes", mode="before")
    @classmethod
    def _known_stakes(cls, stakes: Any) -> Any:
        if stakes == "policies" or isinstance(stakes, (list, dict, Uniform)):
            return stakes
        raise ValueError(f"must be a list by seat, {{uniform: [0, 5]}} or policies (got {stakes})")

    @model_validator(mode="after")
    def _fit_together(self) -> "RobberyRules":
        if (self.pot is None) == (self.cards is None):
            raise ValueError("pot: give pot or cards, one of the two")
        if isinstance(self.pot, dict):
            if not sum(self.pot.values()) > 0:
                raise ValueError("pot: must have a chance for at least one pot")
            if len(self.pot) > MOST_POTS:
                raise ValueError(f"pot: must have {MOST_POTS} pots at most (got {len(self.pot)})")
        if isinstance(self.stakes, list) and len(self.stakes) != self.players:
            raise ValueError(f"stakes: {len(self.stakes)} for {self.players} players")
        top = max(self.stakes) if isinstance(self.stakes, list) else 0
        top = self.stakes.uniform[1] if isinstance(self.stakes, Uniform) else top
        if top > self.max_stake:
            raise ValueError(f"stakes: {top} is over max_stake: {self.max_stake}")
        if isinstance(self.robber, int) and self.robber > self.players:
            raise ValueError(f"robber: must be a seat from 1 to {self.players} (got {self.robber})")
        size = sum(copies for _, copies in kinds_of(self.deck))
        if not LEAST_DECK <= size <= DECK:
            raise ValueError(f"deck: must be {LEAST_DECK} to {DECK} cards (got {size})")
        if self.cards is not None and self.cards > size:
            raise ValueError(f"cards: {self.cards} of a deck of {size}")
        return self


def full_rules(rules: RobberyRules) -> BankRules:
    """The rules of the whole game that concern a robbery."""
    same = ("stake_on_shortfall", "ties", "guard_reward", "specials")
    shared = {name: getattr(rules, name) for name in same}
    return BankRules(hand=1, banks=1, deck=rules.deck, players=2, **shared)


def _packed_specials(counts: Sequence[int]) -> int:
    from kernels.bank import layout

    return sum(n << kind * layout.COUNT_BITS for kind, n in enumerate(counts))


def bank_states(rules: RobberyRules) -> list[tuple[int, int, float]]:
    """The banks that there can be: pot, specials as the kernel packs them, and the exact chance."""
    lying = [getattr(rules, name) for name in SPECIALS]
    if rules.cards is None:
        pots = rules.pot if isinstance(rules.pot, dict) else {rules.pot or 0: 1.0}
        total = sum(pots.values())
        packed = _packed_specials(lying)
        return [(pot, packed, chance / total) for pot, chance in sorted(pots.items()) if chance]
    kinds = kinds_of(rules.deck)
    found: Counter[tuple[int, int, tuple[int, ...]]] = Counter({(0, 0, tuple(lying)): 1})
    for kind, (coins, copies) in enumerate(kinds):
        more: Counter[tuple[int, int, tuple[int, ...]]] = Counter()
        for (drawn, pot, counts), ways in found.items():
            for n in range(min(copies, rules.cards - drawn) + 1):
                after = list(counts)
                if kind < len(SPECIALS):
                    after[kind] += n
                more[drawn + n, pot + n * coins, tuple(after)] += ways * comb(copies, n)
        found = more
    size = sum(copies for _, copies in kinds)
    everything = comb(size, rules.cards)
    return [
        (pot, _packed_specials(counts), ways / everything)
        for (drawn, pot, counts), ways in sorted(found.items())
        if drawn == rules.cards
    ]


def mean_pot(rules: RobberyRules) -> float:
    """The mean of the money at the bank, X not counted."""
    return sum(pot * chance for pot, _, chance in bank_states(rules))


@dataclass(frozen=True)
class PackedRobbery:
    """One variant as the kernel reads it."""

    rules: np.recarray[Any, Any]  # RULES, shape (1,)
    stage: np.recarray[Any, Any]  # STAGE, shape (1,)
    names: tuple[str, ...]

    def play(self, seed: int, first: int, outcomes: Outcomes) -> None:
        """Resolve one robbery for each row of ``outcomes`` (int32, modified), from ``first`` on."""
        from kernels.bank.stage import play_many

        play_many(self.rules, self.stage, np.uint64(seed), first, outcomes)

    def trace(self, seed: int, rollout: int) -> list[dict[str, Any]]:
        """One robbery: its stakes and gains."""
        outcomes = np.zeros((1, len(COLUMNS)), np.int32)
        self.play(seed, rollout, outcomes)
        outcome = dict(zip(self.names, outcomes[0].tolist(), strict=True))
        return [{"event": "end", "outcome": outcome}]


def _pack_stage(rules: RobberyRules, policies: Sequence[Any]) -> np.recarray[Any, Any]:
    from kernels.bank import stage as kernel

    packed = np.zeros(1, kernel.STAGE).view(np.recarray)
    packed.players = rules.players
    packed.robber = -1 if rules.robber == "random" else rules.robber - 1
    packed.specials = _packed_specials([getattr(rules, name) for name in SPECIALS])
    if rules.cards is not None:
        cards = [k for k, (_, copies) in enumerate(kinds_of(rules.deck)) for _ in range(copies)]
        packed.drawn_cards, packed.cards = rules.cards, len(cards)
        packed.card[0, : len(cards)] = cards
    else:
        states = bank_states(rules)
        packed.pots = len(states)
        packed.pot[0, : len(states)] = [pot for pot, _, _ in states]
        packed.pot_chance[0, : len(states)] = np.cumsum([chance for _, _, chance in states])
    for seat in range(rules.players):
        if isinstance(rules.stakes, list):
            packed.low[0, seat] = rules.stakes[seat]
        elif isinstance(rules.stakes, Uniform):
            packed.source[0, seat] = kernel.UNIFORM
            packed.low[0, seat], packed.high[0, seat] = rules.stakes.uniform
        else:
            packed.source[0, seat] = kernel.MIXED
            mix = _mix_of(rules, policies[seat])
            packed.mix[0, seat] = mix_table({0: mix}, (1, kernel.MOST_STAKES))[0]
    return packed


def _mix_of(rules: RobberyRules, policy: Any) -> list[float]:
    """The chances of the stakes 0 .. max_stake by which a policy stakes."""
    even = [1.0] * (rules.max_stake + 1)
    if policy.name == "random":
        return even
    if policy.name == "equilibrium":
        mixes = policy.mixes or shipped_mixes()
        cards = rules.cards or 1
        mix = list(mixes[max([n for n in mixes if n <= cards] or [min(mixes)])])
    else:
        fair = int(policy.share * mean_pot(rules) / rules.players)
        mix = [0.0] * fair + [1.0] * (policy.noise + 1)
    mix = [*mix[: rules.max_stake], sum(mix[rules.max_stake :])]
    if policy.mistakes:
        total = sum(mix)
        mix += [0.0] * (len(even) - len(mix))
        mix = [(1 - policy.mistakes) * p / total + policy.mistakes / len(even) for p in mix]
    return mix


COLUMNS = (
    *(
        Column(f"gain.{seat}", f"Gain, seat {seat}", "count", "coins gained beyond the stake")
        for seat in range(1, SEATS + 1)
    ),
    *(
        Column(f"stake.{seat}", f"Stake, seat {seat}", "count", "coins staked")
        for seat in range(1, SEATS + 1)
    ),
    Column("paid", "All paid", "rate", "everybody who staked was paid"),
    Column("short", "Short", "rate", "the pot did not suffice"),
    Column("guarded", "Guarded", "rate", "a Guard stopped the robbery"),
    Column("thieved", "Thieved", "rate", "a Thief stopped the robbery"),
    Column("ladies", "Lady", "rate", "a Lady acted"),
)


class RobberyStage:
    """The resolution alone, as the toolkit sees it."""

    name = "bank"
    title = "Bank Robbers, a robbery alone"
    rules = RobberyRules
    policies: ClassVar[Mapping[str, type[Model]]] = {
        "random": RandomPolicy,
        "simple": SimplePolicy,
        "equilibrium": EquilibriumPolicy,
    }
    stages: ClassVar[Mapping[str, Any]] = {}
    columns = COLUMNS
    ratios: tuple[Ratio, ...] = ()
    headline = "paid"
    style: Literal["stage"] = "stage"
    endings = ("paid", "short")
    length = "stake.1"
    goal: ClassVar[Mapping[str, float]] = {"gain.1": 1.0}
    starting: ClassVar[Mapping[str, Any]] = {"pot": 6}
    change: ClassVar[Mapping[str, Any]] = {"pot": 8}
    telling = (
        *(f"gain.{seat}" for seat in range(1, SEATS + 1)),
        *(f"stake.{seat}" for seat in range(1, SEATS + 1)),
        *("short", "guarded", "thieved", "ladies"),
    )
    optional = ()
    groupings = ()

    def seats(self, rules: RobberyRules) -> int:
        """How many policies are asked: none where the stakes are given."""
        return rules.players if rules.stakes == "policies" else 0

    def absent(self, rules: RobberyRules) -> Collection[str]:
        """The columns of seats that do not play."""
        seats = range(rules.players + 1, SEATS + 1)
        return [f"{name}.{seat}" for name in ("gain", "stake") for seat in seats]

    def exact(self, rules: RobberyRules) -> Mapping[str, float]:
        """Nothing is worked out exactly here; `balance solve` does so for its question."""
        return {}

    def pack(self, rules: RobberyRules, policies: Sequence[Any]) -> Packed:
        """Rules and stakes, packed for the kernel."""
        names = tuple(column.name for column in COLUMNS)
        return PackedRobbery(pack_rules(full_rules(rules)), _pack_stage(rules, policies), names)

    def tell(self, events: Sequence[Mapping[str, Any]]) -> list[str]:
        """A robbery in words."""
        outcome = events[-1]["outcome"]
        seats = range(1, events[0]["rules"]["players"] + 1)
        stakes = [outcome[f"stake.{seat}"] for seat in seats]
        gains = [outcome[f"gain.{seat}"] for seat in seats]
        found = [name for name in RESULTS if outcome[name]]
        return [f"stakes: {stakes}", f"gains: {gains}", ", ".join(found)]


ROBBERY_STAGE = RobberyStage()
