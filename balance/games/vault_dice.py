"""The dice of Vault Breakers alone (`stage: dice`): which totals a pool of dice reaches."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BeforeValidator, Field, field_validator, model_validator

from balance.games.base import Column, Outcomes, Packed, Ratio
from balance.values import Model, whole

__all__ = ["DICE_STAGE", "DiceRules", "Pool", "chances", "parse_dice", "ways"]

Pool = tuple[tuple[int, ...], ...]
"""The faces of each die."""

MOST_DICE = 100
MOST_SIDES = 100
MOST_THRESHOLDS = 20
CURVE_DICE = 12
TERM = re.compile(r"(\d*)\s*d\s*(\d+)", re.IGNORECASE)
FORM = "write dice like 3d6, 2d23+d12, or a list like [d8, [0, 0, 1, 2]]"


def _die(sides: int) -> tuple[int, ...]:
    if not 1 <= sides <= MOST_SIDES:
        raise ValueError(f"a die has 1 to {MOST_SIDES} sides (got d{sides})")
    return tuple(range(1, sides + 1))


def parse_dice(text: str) -> list[tuple[int, ...]]:
    """The dice of a notation such as `2d23+d12`.

    Raises
    ------
    ValueError
        If it is none.
    """
    found: list[tuple[int, ...]] = []
    for term in text.split("+"):
        match = TERM.fullmatch(term.strip())
        if match is None:
            raise ValueError(f"{FORM} (got {text})")
        number = int(match[1] or 1)
        if not 1 <= number <= MOST_DICE:
            raise ValueError(f"must be 1 to {MOST_DICE} dice (got {text})")
        found += [_die(int(match[2]))] * number
    return found


def _listed(items: list[Any]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for item in items:
        if isinstance(item, str):
            found += parse_dice(item)
            continue
        faces = item if isinstance(item, list) else []
        if not 1 <= len(faces) <= MOST_SIDES or not all(
            isinstance(face, int) and not isinstance(face, bool) and 0 <= face <= 1_000
            for face in faces
        ):
            raise ValueError(f"a die is d8, or a list of faces from 0 to 1000 (got {item})")
        found.append(tuple(faces))
    return found


class DiceRules(Model):
    """What is rolled, and what for."""

    dice: str | list[str | list[int]] = Field(
        "6d6", description="V12: the pool: 3d6, 2d23+d12, or a list like [d8, [0, 0, 1, 2]]"
    )
    thresholds: list[Annotated[int, Field(ge=0, le=100_000), BeforeValidator(whole)]] = Field(
        [10, 15, 20, 25, 30, 35],
        min_length=1,
        max_length=MOST_THRESHOLDS,
        description="V15: the totals whose chances are asked for",
    )

    @field_validator("dice", mode="before")
    @classmethod
    def _known_dice(cls, dice: Any) -> Any:
        if not isinstance(dice, (str, list)):
            raise ValueError(f"{FORM} (got {dice})")
        pool = parse_dice(dice) if isinstance(dice, str) else _listed(dice)
        if not 1 <= len(pool) <= MOST_DICE:
            raise ValueError(f"must be 1 to {MOST_DICE} dice (got {len(pool)})")
        return dice

    @model_validator(mode="after")
    def _rising(self) -> "DiceRules":
        if len(set(self.thresholds)) != len(self.thresholds):
            raise ValueError("thresholds: one stands there twice")
        return self

    @property
    def pool(self) -> Pool:
        """The faces of each die."""
        return tuple(parse_dice(self.dice) if isinstance(self.dice, str) else _listed(self.dice))


def ways(pool: Pool, before: Sequence[int] = (1,)) -> list[int]:
    """In how many ways a pool gives the total 0, 1, .., by convolution in whole numbers.

    ``before`` are the ways of dice that are there already.
    """
    counts = list(before)
    for faces in pool:
        longer = [0] * (len(counts) + max(faces))
        for total, count in enumerate(counts):
            if count:
                for face in faces:
                    longer[total + face] += count
        counts = longer
    return counts


def chances(pool: Pool, thresholds: Sequence[int]) -> list[Fraction]:
    """The exact chance that a pool reaches each threshold."""
    return reached(ways(pool), thresholds)


def reached(counts: Sequence[int], thresholds: Sequence[int]) -> list[Fraction]:
    """The chance of each threshold where the totals 0, 1, .. come in so many ways."""
    everything = sum(counts)
    return [Fraction(sum(counts[threshold:]), everything) for threshold in thresholds]


@dataclass(frozen=True)
class PackedDice:
    """A pool and its thresholds as the kernel reads them."""

    faces: npt.NDArray[np.int64]
    sides: npt.NDArray[np.int64]
    thresholds: npt.NDArray[np.int64]

    def play(self, seed: int, first: int, outcomes: Outcomes) -> None:
        """Roll once for each row of ``outcomes`` (int32, modified), from ``first`` on."""
        from kernels.dice import roll_many

        roll_many(np.uint64(seed), first, self.faces, self.sides, self.thresholds, outcomes)

    def trace(self, seed: int, rollout: int) -> list[dict[str, Any]]:
        """One roll: its total and what it reached."""
        outcomes = np.zeros((1, len(COLUMNS)), np.int32)
        self.play(seed, rollout, outcomes)
        values = outcomes[0].tolist()
        names = [column.name for column in COLUMNS[: 2 + len(self.thresholds)]]
        outcome = dict(zip(names, values, strict=False))
        return [{"event": "roll", "total": values[1]}, {"event": "end", "outcome": outcome}]


COLUMNS = (
    Column("won", "Chance of the first threshold", "rate", "whether the total reaches it"),
    Column("total", "Total", "count", "the sum of the dice"),
    *(
        Column(f"reach.{i}", f"Reaches threshold {i}", "rate", "whether the total reaches it")
        for i in range(1, MOST_THRESHOLDS + 1)
    ),
)


class DiceStage:
    """The dice alone, as the toolkit sees them: a game without players."""

    name = "vault"
    title = "Vault Breakers, the dice alone"
    rules = DiceRules
    policies: ClassVar[Mapping[str, type[Model]]] = {}
    stages: ClassVar[Mapping[str, Any]] = {}
    columns = COLUMNS
    ratios: tuple[Ratio, ...] = ()
    headline = "won"
    style: Literal["dice"] = "dice"
    endings: tuple[str, ...] = ()
    length = "total"
    goal: ClassVar[Mapping[str, float]] = {"won": 1.0}
    starting: ClassVar[Mapping[str, Any]] = {}
    change: ClassVar[Mapping[str, Any]] = {"dice": "7d6"}
    telling = ("total", *(f"reach.{i}" for i in range(1, MOST_THRESHOLDS + 1)))
    optional = ()
    groupings = ()

    def seats(self, rules: DiceRules) -> int:
        """Nobody plays."""
        return 0

    def absent(self, rules: DiceRules) -> Collection[str]:
        """The columns of thresholds that are not there."""
        return [f"reach.{i}" for i in range(len(rules.thresholds) + 1, MOST_THRESHOLDS + 1)]

    def exact(self, rules: DiceRules) -> Mapping[str, float]:
        """The chance of each threshold, and the mean total."""
        pool = rules.pool
        found = chances(pool, rules.thresholds)
        mean = sum((Fraction(sum(faces), len(faces)) for faces in pool), Fraction(0))
        reaches = {f"reach.{i}": float(p) for i, p in enumerate(found, start=1)}
        return {"win_rate": float(found[0]), "total": float(mean), **reaches}

    def curves(self, rules: DiceRules) -> tuple[str, list[int], list[list[float]]]:
        """How the chances grow with the pool: what is counted, the counts, and rows of chances.

        Of a pool of equal dice it counts the dice, of a mixed one the times that it is rolled.
        """
        pool = rules.pool
        if len(set(pool)) == 1:
            what, unit, most = "dice", pool[:1], max(CURVE_DICE, len(pool))
        else:
            what, unit, most = "times the pool", pool, min(CURVE_DICE, MOST_DICE // len(pool))
        counts = list(range(1, max(most, 1) + 1))
        found, rows = [1], []
        for _ in counts:
            found = ways(unit, found)
            rows.append([float(p) for p in reached(found, rules.thresholds)])
        return what, counts, rows

    def pack(self, rules: DiceRules, policies: Sequence[Any]) -> Packed:
        """The pool as arrays."""
        pool = rules.pool
        faces = np.zeros((len(pool), max(map(len, pool))), np.int64)
        for die, values in enumerate(pool):
            faces[die, : len(values)] = values
        sides = np.array([len(values) for values in pool], np.int64)
        return PackedDice(faces, sides, np.array(rules.thresholds, np.int64))

    def tell(self, events: Sequence[Mapping[str, Any]]) -> list[str]:
        """A roll in words."""
        roll = next(line for line in events if line["event"] == "roll")
        return [f"the dice show {roll['total']} in all"]


DICE_STAGE = DiceStage()
