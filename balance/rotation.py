"""Rotating seats: every deal is played once for each way to turn the policies around the table.

So what a seat is worth and what a policy is worth come apart. One rollout is then such a round of
games on the same seed: its columns add up the games, and ``policy_share.1`` is what the policy of
seat 1 won in all seats that it sat in.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.errors import InputError
from balance.games.base import Column, Game, Grouping, Outcomes, Packed

if TYPE_CHECKING:
    from balance.scenario import Variant

__all__ = ["Rotated", "rotated"]

POLICY_SHARE = "policy_share"


def rotated(game: Game, variants: "Sequence[Variant]", path: Path) -> Game:
    """The game with rotating seats.

    Raises
    ------
    InputError
        If nobody wins it alone, or the variants have different numbers of seats.
    """
    if game.style != "competitive":
        raise InputError(f"{path}: run.rotate_seats: {game.title} is not won by one seat alone")
    seats = {len(variant.policies) for variant in variants}
    if len(seats) > 1:
        raise InputError(
            f"{path}: run.rotate_seats: all variants must have the same number of players "
            f"(got {', '.join(map(str, sorted(seats)))})"
        )
    return Rotated(game, seats.pop())


class Rotated:
    """A game whose rollouts are rounds of games, one for each rotation of the policies."""

    def __init__(self, game: Game, seats: int) -> None:
        self.game = game
        self.players = seats
        self.name = game.name
        self.title = f"{game.title}, seats rotated"
        self.rules = game.rules
        self.policies = game.policies
        self.stages: Mapping[str, Game] = {}
        self.style = game.style
        self.share = game.headline.rpartition(".")[0]  # win_share
        names = [column.name for column in game.columns]
        self.first_share = names.index(game.headline)
        self.columns: Sequence[Column] = (
            *_policy_columns(game, self.first_share, seats),
            *_summed(game, seats),
        )
        self.summed = _places(game, seats)
        self.ratios = game.ratios
        self.headline = f"{POLICY_SHARE}.1"
        self.endings = game.endings
        self.length = game.length
        rest = {name: w for name, w in game.goal.items() if name != game.headline}
        self.goal: Mapping[str, float] = {self.headline: 1.0, **rest}
        self.telling = game.telling
        self.optional = game.optional
        self.starting = game.starting
        self.change = game.change
        self.groupings: Sequence[Grouping] = ()

    def seats(self, rules: Any) -> int:
        """How many seats play."""
        return self.game.seats(rules)

    def absent(self, rules: Any) -> Collection[str]:
        """What is absent from the game itself."""
        return self.game.absent(rules)

    def exact(self, rules: Any) -> Mapping[str, float]:
        """Nothing is known exactly."""
        return {}

    def pack(self, rules: Any, policies: Sequence[Any]) -> Packed:
        """One packed game for each rotation."""
        turned = [[*policies[-turn:], *policies[:-turn]] for turn in range(len(policies))]
        return PackedRotated(self, tuple(self.game.pack(rules, players) for players in turned))

    def tell(self, events: Sequence[Mapping[str, Any]]) -> list[str]:
        """A trace in words."""
        return self.game.tell(events)


def _policy_columns(game: Game, first: int, seats: int) -> list[Column]:
    like = game.columns[first]
    return [
        replace(
            like,
            name=f"{POLICY_SHARE}.{seat}",
            label=f"Win share, policy of seat {seat}",
            description=f"wins of the policy that seat {seat} has, in all the seats it sat in",
            scale=like.scale * seats,
        )
        for seat in range(1, seats + 1)
    ]


def _summed(game: Game, seats: int) -> list[Column]:
    """The game's columns, each the sum over a round; one column for each level of a level."""
    found = []
    for column in game.columns:
        if column.kind == "level":
            found += [
                Column(
                    f"{column.name}.{level}",
                    f"{column.label} {level.replace('_', ' ')}",
                    "share",
                    column.description,
                    scale=seats,
                )
                for level in column.levels
            ]
        else:
            kind = "share" if column.kind == "rate" else column.kind
            found.append(replace(column, kind=kind, scale=column.scale * seats))
    return found


def _places(game: Game, seats: int) -> list[tuple[Any, Any, int | None]]:
    """Which columns are added up where: (columns, places, None), or (column, place, its level)."""
    columns, places = [], []
    levels: list[tuple[Any, Any, int | None]] = []
    place = seats
    for number, column in enumerate(game.columns):
        if column.kind == "level":
            levels += [(number, place + level, level) for level in range(len(column.levels))]
            place += len(column.levels)
        else:
            columns.append(number)
            places.append(place)
            place += 1
    return [(columns, places, None), *levels]


@dataclass(frozen=True)
class PackedRotated:
    """One variant, packed for each rotation: in rotation t, seat s has the policy of seat s - t."""

    game: Rotated
    rotations: tuple[Packed, ...]

    def play(self, seed: int, first: int, outcomes: Outcomes) -> None:
        """Play one round for each row of ``outcomes`` (int32, modified), from ``first`` on."""
        game = self.game.game
        seats = len(self.rotations)
        outcomes[:] = 0
        rows = np.zeros((outcomes.shape[0], len(game.columns)), np.int32)
        for turn, packed in enumerate(self.rotations):
            packed.play(seed, first, rows)
            shares = rows[:, self.game.first_share : self.game.first_share + seats]
            outcomes[:, :seats] += np.roll(shares, -turn, axis=1)
            for column, place, level in self.game.summed:
                values = rows[:, column]
                outcomes[:, place] += values if level is None else values == level

    def trace(self, seed: int, rollout: int) -> list[dict[str, Any]]:
        """The first game of a round, in which every policy has its own seat."""
        return self.rotations[0].trace(seed, rollout)
