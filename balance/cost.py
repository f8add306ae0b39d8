"""What a simulation will cost, told before it starts."""

import os
import time
from dataclasses import dataclass

from balance.scenario import Scenario
from balance.simulate import default_workers, packed_variants, play_batch

__all__ = ["Cost", "predicted_cost"]

PILOT_SECONDS = 0.15
PILOT_GROWTH = 4


@dataclass(frozen=True)
class Cost:
    """How much is to be played and how long that takes about."""

    games: int
    seconds: float


def predicted_cost(
    scenario: Scenario, rollouts: int, workers: int | None = None, times: float = 1.0
) -> Cost:
    """The cost of so many rollouts of every variant, from a short pilot.

    ``times`` is how many variants are played for each of the scenario's, such as the points of a
    sweep.
    """
    packed = packed_variants(scenario)
    game, seed = scenario.game, scenario.run.seed
    n, seconds = 1, 0.0
    while True:
        started = time.perf_counter()
        play_batch(game, packed, seed, 0, n)
        seconds = time.perf_counter() - started
        if seconds >= PILOT_SECONDS or n >= rollouts:
            break
        n *= PILOT_GROWTH
    threads = min(workers or default_workers(), os.cpu_count() or 1)
    games = round(rollouts * len(packed) * times)
    return Cost(games, seconds / (n * len(packed)) * games / threads)
