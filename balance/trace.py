"""One game, told: finding it and writing it down."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance import __version__
from balance.errors import InputError, one_of, suggest
from balance.scenario import Scenario, Variant

__all__ = ["Wanted", "find_rollout", "trace_rollout"]

CHUNK = 512
SEARCH_LIMIT = 10_000_000
LARGEST = 2**31 - 1


@dataclass(frozen=True)
class Wanted:
    """An outcome to look for: a column and the value that it must have."""

    column: int
    value: int
    text: str

    @classmethod
    def parse(cls, text: str, scenario: Scenario) -> "Wanted":
        """Read `won=1` or `lost_to=alarm`.

        Raises
        ------
        InputError
            If the game has no such column or the value is none of its own.
        """
        name, equals, value = text.partition("=")
        columns = scenario.game.columns
        names = [column.name for column in columns]
        if not equals or name not in names:
            raise InputError(
                f"--find {text}: write it as column=value{suggest(name, names)}; "
                f"columns: {one_of(names)}"
            )
        column = columns[names.index(name)]
        if value in column.levels:
            return cls(names.index(name), column.levels.index(value), text)
        last = {"rate": 1, "level": len(column.levels) - 1}.get(column.kind, LARGEST)
        if not value.isdecimal() or int(value) > last:
            allowed = one_of(column.levels) if column.levels else f"a whole number, 0 to {last}"
            raise InputError(f"--find {text}: the value of {name} must be {allowed}")
        return cls(names.index(name), int(value), text)


def find_rollout(scenario: Scenario, variant: Variant, wanted: Wanted, first: int) -> int:
    """The first rollout from ``first`` on whose outcome is the wanted one.

    Raises
    ------
    InputError
        If none of the next ten million is.
    """
    packed = scenario.game.pack(variant.rules, variant.policies)
    rows = np.zeros((CHUNK, len(scenario.game.columns)), np.int32)
    for start in range(first, first + SEARCH_LIMIT, CHUNK):
        with np.errstate(over="ignore"):  # without the compiler, the streams' wrapping warns
            packed.play(scenario.run.seed, start, rows)
        hits = np.flatnonzero(rows[:, wanted.column] == wanted.value)
        if hits.size:
            return start + int(hits[0])
    raise InputError(
        f"--find {wanted.text}: none of {SEARCH_LIMIT:,} rollouts of variant {variant.name}, "
        f"seed {scenario.run.seed}, ends like that"
    )


def trace_rollout(scenario: Scenario, variant: Variant, rollout: int) -> list[Mapping[str, Any]]:
    """The lines of docs/trace/: first what was played, then every event."""
    head = {
        "event": "game",
        "game": scenario.game.name,
        "scenario": scenario.name,
        "variant": variant.name,
        "seed": scenario.run.seed,
        "rollout": rollout,
        "version": __version__,
        "rules": variant.rules.model_dump(),
        "policies": [policy.model_dump() for policy in variant.policies],
    }
    packed = scenario.game.pack(variant.rules, variant.policies)
    with np.errstate(over="ignore"):
        return [head, *packed.trace(scenario.run.seed, rollout)]
