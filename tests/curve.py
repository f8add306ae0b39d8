"""A coin whose chance to win is a known curve of a field, to tune on."""

import math
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint
from typing import Any, ClassVar, Literal

from pydantic import Field

from balance.games.base import Packed
from balance.values import Model, Real, Whole
from tests.coin import Coin, CoinRules, PackedCoin, coin_entry_points

__all__ = ["CURVE", "CurveRules", "curve_entry_points"]

Shape = Literal["line", "hump", "steep", "cliff", "silent"]
MIDDLE = 0.37  # where the steep curve and the cliff are


class CurveRules(Model):
    """Which curve, and where on it; x and thousandths n add up."""

    x: Real = Field(0.0, ge=0, le=1, description="C7: how far along the curve")
    n: Whole = Field(0, ge=0, le=1_000, description="C8: thousandths further along")
    shape: Shape = Field("line", description="C9: which curve")

    @property
    def chance(self) -> float:
        """The chance to win."""
        at = min(1.0, self.x + self.n / 1_000)
        if self.shape == "hump":
            return 4 * at * (1 - at)
        if self.shape == "steep":
            return 1 / (1 + math.exp(-300 * (at - MIDDLE)))
        if self.shape == "cliff":
            return 0.2 if at < MIDDLE else 0.8
        return at


class Curve(Coin):
    """A coin whose chance is a curve."""

    name = "curve"
    title = "A curve"
    rules: ClassVar[Any] = CurveRules

    def absent(self, rules: Any) -> Collection[str]:
        """A silent curve counts no heads."""
        return ["heads"] if rules.shape == "silent" else []

    def exact(self, rules: Any) -> Mapping[str, float]:
        """The chance to win, and as many heads."""
        return {"win_rate": rules.chance, "heads": rules.chance}

    def pack(self, rules: Any, policies: Sequence[Any]) -> Packed:
        """The coin of this chance."""
        return PackedCoin(CoinRules(chance=rules.chance), self.columns)


CURVE = Curve()


@cache
def curve_entry_points(group: str) -> list[EntryPoint]:
    """The games of `coin_entry_points` and this one, in the place of `entry_points`."""
    return [*coin_entry_points(group), EntryPoint(CURVE.name, "tests.curve:CURVE", group)]
