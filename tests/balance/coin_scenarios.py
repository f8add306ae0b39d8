"""Scenarios of coins, and what is known of them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.scenario import Scenario
from tests.balance.scenario_files import Files

Rules = Mapping[str, Any]
GAMES = ("coin", "share_coin")
THREE = """\
game: coin
variants:
  low: {rules: {chance: 0.2}}
  middle: {rules: {chance: 0.5}}
  high: {rules: {chance: 0.8}}
"""


def scenario_of(files: Files, variants: Mapping[str, Rules], head: str, **run: object) -> Scenario:
    """A scenario whose variants have these rules."""
    own = {name: {"rules": dict(rules)} for name, rules in variants.items()}
    return files.load(f"{head}\nvariants: {json.dumps(own)}\nrun: {json.dumps(run)}\n")


def coins(
    files: Files, variants: Mapping[str, Rules], game: str = "coin", **run: object
) -> Scenario:
    """Coins with these rules."""
    return scenario_of(files, variants, f"game: {game}", **run)


def alone(chance: float, key: int) -> Rules:
    """A coin that sees its own numbers."""
    return {"chance": chance, "independent": True, "key": key}


def seeded(scenario: Scenario, seed: int) -> Scenario:
    """The scenario on another seed."""
    return replace(scenario, run=scenario.run.model_copy(update={"seed": seed}))


def fourfold(chance: float, n: int) -> float:
    """Four standard errors of a rate over n samples."""
    return 4 * sqrt(chance * (1 - chance) / n)


def truth(scenario: Scenario, place: int) -> float:
    """The true headline of a variant."""
    rules = scenario.variants[place].rules
    metric = "win_rate" if scenario.game.headline == "won" else scenario.game.headline
    return scenario.game.exact(rules)[metric]


def column_played(scenario: Scenario, place: int, n: int, column: int = 0) -> npt.NDArray[np.int64]:
    """A column of a variant's first n rollouts, played here."""
    variant = scenario.variants[place]
    rows = np.zeros((n, len(scenario.game.columns)), np.int32)
    packed = scenario.game.pack(variant.rules, variant.policies)
    packed.play(scenario.run.seed, 0, rows)
    return rows[:, column].astype(np.int64)


def numbers(value: Any) -> Iterator[float]:
    """All numbers of a JSON value."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, (int, float)):
        yield value
