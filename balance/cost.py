"""What a simulation will cost, told before it starts."""

import time
from concurrent.futures import ThreadPoolExecutor, wait
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
    threads = workers or default_workers()
    n, seconds = 1, 0.0
    with ThreadPoolExecutor(threads) as pool:
        while True:
            started = time.perf_counter()
            parts = [
                pool.submit(play_batch, scenario.game, packed, scenario.run.seed, part * n, n)
                for part in range(threads)  # as in the run itself: cores may share their speed
            ]
            wait(parts)
            seconds = time.perf_counter() - started
            if seconds >= PILOT_SECONDS or n * threads >= rollouts:
                break
            n *= PILOT_GROWTH
    games = round(rollouts * len(packed) * times)
    return Cost(games, seconds / (n * threads * len(packed)) * games)
