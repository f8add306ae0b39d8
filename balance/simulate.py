"""Simulating a scenario: rollouts in batches over threads, until a stopping rule acts.

A batch is one range of rollouts for all variants and a pure function of its arguments, and tallies
are whole numbers, so the result does not depend on the workers, the batches or the speed.
"""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np

from balance.games import Game, Packed
from balance.headline import Headlines
from balance.scenario import Scenario
from balance.tally import Counted, Tallies

__all__ = ["DEFAULT_ROLLOUTS", "Progress", "Simulation", "default_workers", "simulate"]

DEFAULT_ROLLOUTS = 100_000
FIRST_BATCH = 64
LARGEST_BATCH = 16_384
BATCH_SECONDS = 0.2  # so that Ctrl-C acts soon
FIRST_LOOK = 1_000
LOOK_GROWTH = 1.25


@dataclass(frozen=True)
class Simulation:
    """What was simulated and what made it stop."""

    scenario: Scenario
    tallies: Tallies
    stopped_by: str  # rollouts, precision, max_rollouts (undecided) or interrupted

    @property
    def partial(self) -> bool:
        """Whether it was stopped before its stopping rule acted."""
        return self.stopped_by == "interrupted"


@dataclass(frozen=True)
class Progress:
    """How far a simulation is."""

    done: int
    goal: int
    half_width: float | None
    seconds: float


def default_workers() -> int:
    """As many workers as this process may use: its affinity, cut by a container's CPU quota."""
    try:
        allowed = len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        allowed = os.cpu_count() or 1
    try:
        with open("/sys/fs/cgroup/cpu.max", encoding="ascii") as file:
            quota, period = file.read().split()
        if quota != "max":
            allowed = min(allowed, max(1, round(int(quota) / int(period))))
    except (OSError, ValueError):  # no quota, or not this kind of system
        pass
    return max(1, allowed)


def looks(goal: int) -> list[int]:
    """The rollout counts at which `precision` is looked at: fixed, geometric, up to the budget."""
    counts = []
    count = float(FIRST_LOOK)
    while count < goal:
        counts.append(round(count))
        count *= LOOK_GROWTH
    return [*counts, goal]


def play_batch(game: Game, packed: Sequence[Packed], seed: int, first: int, n: int) -> Tallies:
    """Play rollouts ``first .. first + n - 1`` of every variant and count them."""
    outcomes = []
    with np.errstate(over="ignore"):  # without the compiler, the streams' wrapping warns
        for variant in packed:
            rows = np.zeros((n, len(game.columns)), np.int32)
            variant.play(seed, first, rows)
            outcomes.append(rows)
        kind = Counted.of(game.columns, game.headline, game.ratios, game.groupings)
        return Tallies.of(outcomes, kind)


def simulate(
    scenario: Scenario,
    workers: int | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Simulation:
    """Play all variants of a scenario on the same seed until its stopping rule acts.

    Parameters
    ----------
    scenario
        What to play; ``scenario.run`` holds the stopping rule.
    workers
        Threads; by default as many as the process may use. The result does not depend on it.
    report
        Called now and then with the progress.

    Returns
    -------
    Simulation
        On Ctrl-C or SIGTERM what was played so far, with ``stopped_by`` "interrupted".
    """
    run = scenario.run
    packed = [scenario.game.pack(v.rules, v.policies) for v in scenario.variants]
    play_batch(scenario.game, packed[:1], run.seed, 0, 1)  # compile or load once, not per thread
    by_precision = run.precision is not None
    goal = run.max_rollouts if by_precision else (run.rollouts or DEFAULT_ROLLOUTS)
    started = time.monotonic()
    player = _Player(scenario, packed, workers or default_workers(), goal, report, started)
    stopped_by = "max_rollouts" if by_precision else "rollouts"
    try:
        for count in looks(goal) if by_precision else [goal]:
            player.play_until(count)
            if run.precision is not None and player.widest() <= run.precision:
                stopped_by = "precision"
                break
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    finally:
        player.close()
    tallies = player.tallies or play_batch(scenario.game, packed, run.seed, 0, 0)
    return Simulation(scenario, tallies, stopped_by)


class _Player:
    """Hands out batches of about BATCH_SECONDS and adds up what comes back."""

    def __init__(
        self,
        scenario: Scenario,
        packed: Sequence[Packed],
        workers: int,
        goal: int,
        report: Callable[[Progress], None] | None,
        started: float,
    ) -> None:
        self.scenario = scenario
        self.packed = packed
        self.workers = workers
        self.goal = goal
        self.report = report
        self.started = started
        self.next = 0
        self.size = FIRST_BATCH
        self.tallies: Tallies | None = None
        self.pending: set[Future[tuple[Tallies, float]]] = set()
        self.pool = ThreadPoolExecutor(workers, thread_name_prefix="rollouts")

    def play_until(self, count: int) -> None:
        """Play every rollout below ``count`` that has not been played."""
        while self.next < count or self.pending:
            while self.next < count and len(self.pending) <= self.workers:
                n = min(self.size, count - self.next)
                self.pending.add(self.pool.submit(self._timed, self.next, n))
                self.next += n
            done, self.pending = wait(self.pending, return_when=FIRST_COMPLETED)
            self._collect(done)

    def _timed(self, first: int, n: int) -> tuple[Tallies, float]:
        started = time.monotonic()
        played = play_batch(self.scenario.game, self.packed, self.scenario.run.seed, first, n)
        return played, time.monotonic() - started

    def _collect(self, done: set[Future[tuple[Tallies, float]]]) -> None:
        for future in done:
            played, seconds = future.result()
            self.tallies = played if self.tallies is None else self.tallies.merged(played)
            speed = played.rollouts / max(seconds, 1e-6)
            self.size = max(1, min(int(speed * BATCH_SECONDS), LARGEST_BATCH, 4 * self.size))
        if self.report is not None and self.tallies is not None:
            seconds = time.monotonic() - self.started
            self.report(Progress(self.tallies.rollouts, self.goal, self.widest(), seconds))

    def widest(self) -> float:
        """The widest half-width among the variants' headline intervals."""
        if self.tallies is None:
            return 0.5
        headlines = Headlines(self.scenario.game, self.tallies)
        variants = range(len(self.tallies.variants))
        halves = [headlines.estimate(variant).half_width for variant in variants]
        return max((half for half in halves if half is not None), default=0.5)

    def close(self) -> None:
        """Let running batches end, drop the others, keep what is done."""
        for future in self.pending:
            future.cancel()
        self.pool.shutdown(wait=True)
        self._collect({f for f in self.pending if f.done() and not f.cancelled()})
        self.pending = set()
