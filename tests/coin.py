"""Games of one coin, of which everything is known exactly, to try studies on.

They are fast in plain numpy, and a variant can be coupled with another one, so that both see the
same numbers, or independent of it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from balance.games.base import Column, Game, Grouping, Outcomes, Packed, Ratio
from balance.values import Model, Real, Whole

__all__ = ["COIN", "SCALE", "SHARE_COIN", "Coin", "CoinRules", "ShareCoin", "coin_entry_points"]

SCALE = 60
GAMMA = np.uint64(0x9E3779B97F4A7C15)
TRIAL_STEP = np.uint64(0xD1342543DE82EF95)
SHARED = 0  # the key of the numbers that all coupled variants see


class CoinRules(Model):
    """What a coin does, and which numbers it sees."""

    chance: Real = Field(0.5, ge=0, le=1, description="C1: the chance to win, and of each head")
    trials: Whole = Field(1, ge=1, le=40, description="C2: how many coins are counted in heads")
    bonus: Whole = Field(0, ge=-5, le=5, description="C3: added to the heads")
    flag: bool = Field(False, description="C4 [switch]: does nothing at all")
    independent: bool = Field(False, description="C5: sees its own numbers, those of its key")
    key: Whole = Field(0, ge=0, le=1_000, description="C6: which numbers; only if independent")


Uniforms = npt.NDArray[np.float64]


def _mix(z: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The output function of SplitMix64."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def uniforms(seed: int, key: int, first: int, rollouts: int, draws: int) -> Uniforms:
    """Numbers in [0, 1), shape (rollouts, draws), that depend on seed, key, rollout and draw."""
    with np.errstate(over="ignore"):
        start = _mix(_mix(np.array([seed], np.uint64) + GAMMA) + np.uint64(key) * TRIAL_STEP)
        rollout = np.arange(first, first + rollouts, dtype=np.uint64)
        keys = _mix(start + rollout * GAMMA)
        draw = np.arange(1, draws + 1, dtype=np.uint64) * TRIAL_STEP
        bits = _mix(keys[:, None] + draw[None, :])
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53


@dataclass(frozen=True)
class PackedCoin:
    """Rules, and how the first number of a rollout makes a headline."""

    rules: CoinRules
    columns: tuple[Column, ...]

    def play(self, seed: int, first: int, outcomes: Outcomes) -> None:
        """Toss for each row of ``outcomes`` (int32, modified), from rollout ``first`` on."""
        rules = self.rules
        key = 1 + rules.key if rules.independent else SHARED
        u = uniforms(seed, key, first, len(outcomes), 1 + rules.trials)
        won = u[:, 0] < rules.chance
        if self.columns[0].kind == "share":
            outcomes[:, 0] = np.where(won, SCALE // 2, 0)
            outcomes[u[:, 0] < rules.chance / 2, 0] = SCALE
        else:
            outcomes[:, 0] = won
        outcomes[:, 1] = (u[:, 1:] < rules.chance).sum(axis=1) + rules.bonus

    def trace(self, seed: int, rollout: int) -> list[dict[str, Any]]:
        """One toss."""
        outcomes = np.zeros((1, len(self.columns)), np.int32)
        self.play(seed, rollout, outcomes)
        names = [column.name for column in self.columns]
        outcome = dict(zip(names, outcomes[0].tolist(), strict=True))
        return [{"event": "end", "outcome": outcome}]


HEADS = Column("heads", "Heads", "count", "how many coins show a head, and the bonus")


class Coin:
    """A coin that is won or not: a game without players."""

    name = "coin"
    title = "A coin"
    rules = CoinRules
    policies: ClassVar[Mapping[str, type[Model]]] = {}
    stages: ClassVar[Mapping[str, Game]] = {}
    columns: tuple[Column, ...] = (Column("won", "Win rate", "rate", "whether it is won"), HEADS)
    ratios: tuple[Ratio, ...] = ()
    headline = "won"
    style: Literal["stage"] = "stage"
    endings: tuple[str, ...] = ()
    length = "heads"
    goal: ClassVar[Mapping[str, float]] = {"won": 1.0}
    telling = ("heads",)
    optional: tuple[str, ...] = ()
    starting: ClassVar[Mapping[str, Any]] = {}
    change: ClassVar[Mapping[str, Any]] = {"chance": 0.6}
    groupings: tuple[Grouping, ...] = ()

    def seats(self, rules: CoinRules) -> int:
        """Nobody plays."""
        return 0

    def absent(self, rules: CoinRules) -> Collection[str]:
        """All columns are always there."""
        return ()

    def exact(self, rules: CoinRules) -> Mapping[str, float]:
        """The chance to win and the mean of the heads."""
        return {"win_rate": rules.chance, "heads": rules.trials * rules.chance + rules.bonus}

    def pack(self, rules: CoinRules, policies: Sequence[Any]) -> Packed:
        """There is nothing to compile."""
        return PackedCoin(rules, self.columns)

    def tell(self, events: Sequence[Mapping[str, Any]]) -> list[str]:
        """A toss in words."""
        return [f"{name}: {value}" for name, value in events[-1]["outcome"].items()]


class ShareCoin(Coin):
    """A coin that wins all, half or nothing: its headline is a share."""

    name = "share_coin"
    title = "A coin for shares"
    columns = (
        Column("win_share.1", "Win share, seat 1", "share", "part of the win", scale=SCALE),
        HEADS,
    )
    headline = "win_share.1"
    goal: ClassVar[Mapping[str, float]] = {"win_share.1": 1 / SCALE}

    def exact(self, rules: CoinRules) -> Mapping[str, float]:
        """The mean share and the mean of the heads."""
        heads = super().exact(rules)["heads"]
        return {"win_share.1": 0.75 * rules.chance, "heads": heads}


COIN: Any = Coin()
SHARE_COIN: Any = ShareCoin()


def coin_entry_points(group: str) -> list[EntryPoint]:
    """The installed games and those of this file, in the place of `entry_points`."""
    own = [
        EntryPoint(COIN.name, "tests.coin:COIN", group),
        EntryPoint(SHARE_COIN.name, "tests.coin:SHARE_COIN", group),
    ]
    return [*entry_points(group=group), *own]
