"""Bank Robbers: its rules, players and outcome columns, and how they are packed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    create_model,
    field_validator,
    model_validator,
)

from balance.games.bank_expert import KNOBS
from balance.games.base import Column, Outcomes, Packed, Ratio
from balance.games.shipped import shipped
from balance.values import Model, Real, Whole, real, whole, whole_keys

__all__ = ["BANK", "BankRules", "ExpertPolicy", "RandomPolicy", "SimplePolicy"]

SEATS = 5
DECK = 60
SHARE = 60  # what the shares of a win add up to
SPECIALS = ("lady", "guard", "judge", "thief", "multiply")
TILES = ("play", "look", "reveal", "rob")
AFTER = ("discard", "keep_money", "refill")

Coins = Annotated[int, Field(ge=0, le=1_000), BeforeValidator(whole)]
Copies = Annotated[int, Field(ge=0, le=DECK), BeforeValidator(whole)]
Doublings = Annotated[int, Field(ge=0, le=8), BeforeValidator(whole)]
Chance = Annotated[float, Field(ge=0, le=1e9), BeforeValidator(real)]
Mix = Annotated[list[Chance], Field(min_length=1, max_length=60)]


class Deck(Model):
    """How many of each card there are."""

    money: Annotated[dict[Coins, Copies], BeforeValidator(whole_keys)] = Field(
        {2: 4, 3: 4, 4: 4, 5: 11, 10: 2}, max_length=20, description="{coins: how many}"
    )
    lady: Copies = Field(4, description="cancels other specials")
    guard: Copies = Field(4, description="nobody is paid; who staked nothing is rewarded")
    judge: Copies = Field(4, description="the highest stake is paid first")
    thief: Copies = Field(4, description="nobody is paid; all stakes are lost")
    multiply: Doublings = Field(0, description="X: doubles the pot")


class Tiles(Model):
    """How many tiles there are of each action."""

    play: Copies = Field(4, description="play a card to a bank")
    look: Copies = Field(1, description="look at a face-down card")
    reveal: Copies = Field(1, description="turn up a face-down card")
    rob: Copies = Field(1, description="rob a bank")


class BankRules(Model):
    """The rules of a scenario; every field names its rule."""

    players: Whole = Field(4, ge=2, le=SEATS, description="K1: seats at the table")
    coins: Whole = Field(10, ge=0, le=1_000, description="K1: coins of each player at the start")
    hand: Whole = Field(5, ge=1, le=12, description="K1: cards in each hand")
    banks: Whole = Field(5, ge=1, le=10, description="K2: banks, each dealt a card")
    deck: Deck = Field(Deck(), description="K3: the cards of the deck")
    tiles: Tiles | Literal["choose"] = Field(
        Tiles(), description="K4 [switch]: the action tiles; choose: the player chooses"
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
    after_robbery: Literal["discard", "keep_money", "refill"] = Field(
        "discard", description="K19 [switch]: what becomes of a robbed bank"
    )
    final_order: Literal["fixed"] = Field(
        "fixed", description="K20: the banks are robbed in their order at the end"
    )
    credit_to: Whole = Field(
        0, ge=0, le=1_000, description="K22 [switch]: a player may stake up to this on credit"
    )
    max_turns: Whole = Field(
        1_000, ge=1, le=100_000, description="K23: a game that goes on after so many is stalled"
    )

    @field_validator("tiles", mode="before")
    @classmethod
    def _one_kind_of_tiles(cls, tiles: Any) -> Any:
        if tiles == "choose" or isinstance(tiles, (dict, Tiles)):
            return tiles
        raise ValueError(f"must be choose or a mapping like {{play: 4, rob: 1}} (got {tiles})")

    @model_validator(mode="after")
    def _fit_together(self) -> "BankRules":
        cards = sum(self.deck.money.values()) + sum(getattr(self.deck, s) for s in SPECIALS)
        if cards > DECK:
            raise ValueError(f"deck: must be {DECK} cards at most (got {cards})")
        needed = self.players * self.hand + self.banks
        if needed > cards:
            raise ValueError(
                f"deck: {self.players} hands of {self.hand} and {self.banks} banks take {needed} "
                f"cards (got {cards})"
            )
        if isinstance(self.tiles, Tiles) and not 1 <= sum(_tiles(self.tiles)) <= DECK:
            raise ValueError(f"tiles: must be 1 to {DECK} tiles in all")
        return self


def _tiles(tiles: Tiles) -> list[int]:
    return [getattr(tiles, name) for name in TILES]


class BankPolicy(Model):
    """What all policies have."""

    mistakes: Real = Field(
        0.0, ge=0, le=1, description="the chance that a decision is a random legal one"
    )
    bluffing: bool = Field(True, description="false: plays its cards by lot")
    counting: bool = Field(True, description="false: infers nothing of a bank from the cards seen")
    knobs: ClassVar[tuple[str, ...]] = ()


class RandomPolicy(BankPolicy):
    """Every decision uniform over what is legal."""

    name: Literal["random"] = "random"


class SimplePolicy(BankPolicy):
    """The pinned reference player of docs/rules/bank.md."""

    name: Literal["simple"] = "simple"
    noise: Whole = Field(2, ge=0, le=1_000, description="by how much a stake may be raised by lot")
    share: Real = Field(1.0, ge=0, le=100, description="of a fair part of the pot it stakes this")
    knobs: ClassVar[tuple[str, ...]] = ("noise", "share")


class PlannedPolicy(BankPolicy):
    """A player with the knobs of bank_expert.py."""

    knobs: ClassVar[tuple[str, ...]] = tuple(KNOBS)
    shuffled: bool = Field(
        False, description="true: believes of a bank what it knows of another (for comparison)"
    )


def _planned(name: str, meaning: str, **changes: float) -> Any:
    values = dict.fromkeys(KNOBS, 0.0) | {"others": 1.0, "spread": 0.3, "blur": 1.0} | changes
    fields: dict[str, Any] = {
        knob: (Real, Field(values[knob], description=text)) for knob, text in KNOBS.items()
    }
    fields["name"] = (Literal[name], name)
    title = f"{name.title()}Policy"
    make: Any = create_model
    return make(title, __base__=PlannedPolicy, __doc__=meaning, **fields)


TimidPolicy = _planned(
    "timid",
    "Stakes half of a fair part of the pot, and robs the bank with most cards.",
    share=0.5,
    rob_size=1.0,
    rob_from=99.0,
)
GreedyPolicy = _planned(
    "greedy",
    "Stakes half as much again as a fair part of the pot.",
    share=1.5,
    noise=2.0,
    rob_size=1.0,
    rob_from=1.0,
)
BlufferPolicy = _planned(
    "bluffer",
    "Plays Guards and Thieves where most cards lie, money elsewhere, and stakes nothing there.",
    by_belief=1.0,
    share=1.0,
    play_money=-1.0,
    play_guard=1.0,
    play_thief=1.0,
    rob_size=1.0,
    rob_from=4.0,
    trust=1.0,
)
CounterPolicy = _planned(
    "counter",
    "Stakes its part of the pot that it infers from the cards it has seen.",
    by_belief=1.0,
    share=1.0,
    noise=1.0,
    look_size=1.0,
    rob_size=1.0,
    rob_known=3.0,
    rob_from=4.0,
    trust=1.0,
)
ExpertPolicy = _planned(
    "expert",
    "Stakes what is worth most by its beliefs, and plays by trained knobs.",
    **{knob: value for knob, value in shipped("bank_expert").items() if knob in KNOBS},
)


def _some_chance(mixes: dict[int, list[float]]) -> dict[int, list[float]]:
    for cards, mix in mixes.items():
        if not sum(mix) > 0:
            raise ValueError(f"the mix of {cards} must give some stake a chance")
    return mixes


EQUILIBRIUM_PLAY = {"rob_size": 1.0, "rob_from": 4.0}
make_model: Any = create_model
EquilibriumPolicy: Any = make_model(
    "EquilibriumPolicy",
    __base__=BankPolicy,
    __doc__="Stakes by a mix for each number of cards at the bank, as `balance solve` finds them.",
    **{
        "name": (Literal["equilibrium"], "equilibrium"),
        "mixes": (
            Annotated[dict[Copies, Mix], BeforeValidator(whole_keys), AfterValidator(_some_chance)],
            Field({}, description="{cards at the bank: [chance of 0 coins, of 1, ..]}"),
        ),
    },
)


def _per_seat(name: str, label: str, kind: Any, description: str, **more: Any) -> list[Column]:
    return [
        Column(f"{name}.{seat}", f"{label}, seat {seat}", kind, description, **more)
        for seat in range(1, SEATS + 1)
    ]


COLUMNS = (
    *_per_seat("win_share", "Win share", "share", "wins, shared ones in part", scale=SHARE),
    *_per_seat("coins", "Coins", "count", "coins at the end, debts taken off"),
    Column("robberies", "Robberies", "count", "robberies, the final ones included"),
    Column("paid", "Paid", "count", "robberies in which everybody who staked was paid"),
    Column("short", "Short", "count", "robberies whose pot did not suffice"),
    Column("guarded", "Guarded", "count", "robberies that a Guard stopped"),
    Column("thieved", "Thieved", "count", "robberies that a Thief stopped"),
    Column("ladies", "Ladies", "count", "robberies with an acting Lady"),
    Column("pot", "Pots", "count", "coins in all robbed banks"),
    Column("stakes", "Stakes", "count", "coins staked"),
    Column("coins_paid", "Coins paid", "count", "coins paid out of pots"),
    Column("coins_thieved", "Coins thieved", "count", "stakes lost to Thieves"),
    Column("rewards", "Rewards", "count", "coins that Guards gave"),
    Column("coins_lost", "Coins lost", "count", "stakes lost in shortfalls"),
    Column("turns", "Turns", "count", "turns played"),
    *_per_seat("robbed", "Robberies called", "count", "robberies that the seat called"),
    Column("stalled", "Stalled", "rate", "stopped at max_turns"),
)
RATIOS = (
    Ratio("pot_per_robbery", "Pot per robbery", "pot", "robberies", "coins in a robbed bank"),
    Ratio("stake_per_bid", "Stake per robbery", "stakes", "robberies", "coins staked by all"),
)


@dataclass(frozen=True)
class PackedBank:
    """Rules and players of one variant as the kernel reads them."""

    rules: np.recarray[Any, Any]  # RULES, shape (1,)
    policies: np.recarray[Any, Any]  # POLICIES, shape (1,)
    model: BankRules

    def play(self, seed: int, first: int, outcomes: Outcomes) -> None:
        """Play one rollout for each row of ``outcomes`` (int32, modified), from ``first`` on."""
        from kernels.events import EVENTS

        self._run(seed, first, outcomes, np.zeros(1, EVENTS).view(np.recarray))

    def trace(self, seed: int, rollout: int) -> list[dict[str, Any]]:
        """What happened in one rollout, in the form of docs/trace/, from the deal on."""
        from balance.games.bank_trace import read_events
        from balance.games.events import record_windows

        outcomes = np.zeros((1, len(COLUMNS)), np.int32)
        rows = record_windows(lambda events: self._run(seed, rollout, outcomes, events))
        outcome = {column.name: int(n) for column, n in zip(COLUMNS, outcomes[0], strict=True)}
        return read_events(rows, outcome, self.model)

    def _run(self, seed: int, first: int, outcomes: Outcomes, events: Any) -> None:
        from kernels.bank import layout, play

        state = np.zeros(1, layout.STATE).view(np.recarray)
        scratch = np.zeros(1, layout.SCRATCH).view(np.recarray)
        given = (self.rules, self.policies, np.uint64(seed), first, outcomes)
        play.play_many(*given, state, scratch, events)


def kinds_of(deck: Deck) -> list[tuple[int, int]]:
    """Coins and copies of each kind of card, in the kernel's order: specials, then money."""
    return [(0, getattr(deck, name)) for name in SPECIALS] + sorted(deck.money.items())


def pack_rules(rules: BankRules) -> np.recarray[Any, Any]:
    """The rules as one kernel record (RULES, shape (1,))."""
    from kernels.bank import layout

    packed = np.zeros(1, layout.RULES).view(np.recarray)
    kinds = kinds_of(rules.deck)
    cards = [kind for kind, (_, copies) in enumerate(kinds) for _ in range(copies)]
    packed.cards = len(cards)
    packed.card[0, : len(cards)] = cards
    packed.value[0, : len(kinds)] = [coins for coins, _ in kinds]
    packed.money = sum(coins * copies for coins, copies in kinds)
    packed.mean_value = packed.money / max(1, len(cards))
    if isinstance(rules.tiles, Tiles):
        tiles = [action for action, n in enumerate(_tiles(rules.tiles)) for _ in range(n)]
        packed.tiles = len(tiles)
        packed.tile[0, : len(tiles)] = tiles
    packed.lose_on_shortfall = rules.stake_on_shortfall == "lost"
    packed.together = rules.ties == "together"
    packed.published = rules.specials == "published"
    packed.after_robbery = AFTER.index(rules.after_robbery)
    for name in ("players", "coins", "hand", "banks", "guard_reward", "credit_to", "max_turns"):
        packed[name] = getattr(rules, name)
    return packed


def pack_policies(policies: Sequence[Any]) -> np.recarray[Any, Any]:
    """One policy per seat as one kernel record (POLICIES, shape (1,))."""
    from kernels.bank import layout

    kinds = {"random": layout.RANDOM, "simple": layout.SIMPLE}
    packed = np.zeros(1, layout.POLICIES).view(np.recarray)
    for seat, policy in enumerate(policies):
        packed.kind[0, seat] = kinds.get(policy.name, layout.PLANNER)
        packed.mistakes[0, seat] = 1.0 if policy.name == "random" else policy.mistakes
        values = [getattr(policy, knob) for knob in policy.knobs]
        if policy.name == "equilibrium":
            values = [EQUILIBRIUM_PLAY.get(knob, 0.0) for knob in KNOBS]
            packed.mix[0, seat] = mix_table(policy.mixes or shipped_mixes(), packed.mix.shape[2:])
        packed.knobs[0, seat, : len(values)] = values
        packed.bluffing[0, seat] = policy.bluffing
        packed.counting[0, seat] = policy.counting
        packed.shuffled[0, seat] = getattr(policy, "shuffled", False)
    return packed


def mix_table(mixes: Mapping[int, Sequence[float]], shape: tuple[int, ...]) -> Any:
    """The cumulative chances of stakes by number of cards; a number that is not there has the next
    lower one's.
    """
    table = np.zeros(shape)
    for cards in range(shape[0]):
        below = [n for n in mixes if n <= cards] or [min(mixes)]
        chances = np.array(mixes[max(below)], float)
        table[cards] = 1.0
        table[cards, : len(chances)] = np.cumsum(chances) / chances.sum()
        table[cards, len(chances) - 1 :] = 1.0
    return table


@cache
def shipped_mixes() -> dict[int, list[float]]:
    """The mixes that the package ships, by number of cards at the bank."""
    value = shipped("bank_equilibrium")
    return {int(cards): [float(p) for p in mix] for cards, mix in value["mixes"].items()}


class Bank:
    """The game as the toolkit sees it."""

    name = "bank"
    title = "Bank Robbers"
    rules = BankRules
    policies: ClassVar[Mapping[str, type[Model]]] = {
        "random": RandomPolicy,
        "simple": SimplePolicy,
        "timid": TimidPolicy,
        "greedy": GreedyPolicy,
        "bluffer": BlufferPolicy,
        "counter": CounterPolicy,
        "equilibrium": EquilibriumPolicy,
        "expert": ExpertPolicy,
    }
    columns = COLUMNS
    ratios = RATIOS
    headline = "win_share.1"
    style: Literal["competitive"] = "competitive"
    endings = ()
    length = "turns"
    goal: ClassVar[Mapping[str, float]] = {"win_share.1": 1.0}
    starting: ClassVar[Mapping[str, Any]] = {}
    change: ClassVar[Mapping[str, Any]] = {"coins": 15}
    telling = (
        *(f"coins.{seat}" for seat in range(1, SEATS + 1)),
        *("robberies", "paid", "short", "guarded", "thieved", "ladies"),
        *("pot_per_robbery", "stake_per_bid", "coins_paid", "coins_thieved", "rewards"),
        *("turns", "stalled"),
    )
    optional = ("coins_lost", "stalled")
    groupings = ()

    @property
    def stages(self) -> Mapping[str, Any]:
        """The resolution of a robbery alone."""
        from balance.games.bank_stage import ROBBERY_STAGE

        return {"robbery": ROBBERY_STAGE}

    def seats(self, rules: BankRules) -> int:
        """How many seats play."""
        return rules.players

    def absent(self, rules: BankRules) -> Collection[str]:
        """The columns of seats that do not play."""
        seats = range(rules.players + 1, SEATS + 1)
        return [f"{name}.{seat}" for name in ("win_share", "coins", "robbed") for seat in seats]

    def exact(self, rules: BankRules) -> Mapping[str, float]:
        """Nothing is known exactly of whole games."""
        return {}

    def pack(self, rules: BankRules, policies: Sequence[Any]) -> Packed:
        """Rules and one policy per seat, packed for the kernel."""
        return PackedBank(pack_rules(rules), pack_policies(policies), rules)

    def tell(self, events: Sequence[Mapping[str, Any]]) -> list[str]:
        """A trace in words."""
        from balance.games.bank_trace import tell

        return tell(events)


BANK = Bank()
