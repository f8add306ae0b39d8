"""Simulating a scenario: rollouts in batches over threads, until a stopping rule acts.

A batch is one range of rollouts for all variants and a pure function of its arguments, and tallies
are whole numbers, so the result does not depend on the workers, the batches or the speed.
"""

import math
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import numpy as np

from balance.games import Game, Packed
from balance.games.base import Outcomes
from balance.headline import Headlines
from balance.scenario import RunSettings, Scenario
from balance.tally import Counted, Tallies

__all__ = [
    "DEFAULT_ROLLOUTS",
    "Player",
    "Progress",
    "Simulation",
    "default_workers",
    "goal_of",
    "looks",
    "packed_variants",
    "play_batch",
    "simulate",
]

DEFAULT_ROLLOUTS = 100_000
FIRST_BATCH = 64
LARGEST_BATCH = 16_384
BATCH_SECONDS = 0.2  # so that Ctrl-C acts soon
FIXED_PART = 5.0  # a batch's games take so many times what it costs to start them
REPORT_SECONDS = 0.2
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


def looks(goal: int, growth: float = LOOK_GROWTH) -> list[int]:
    """The rollout counts at which a rule is looked at: fixed, geometric, up to the budget."""
    counts = []
    count = float(FIRST_LOOK)
    while count < goal:
        counts.append(round(count))
        count *= growth
    return [*counts, goal]


def goal_of(run: RunSettings) -> int:
    """The most rollouts of a variant that a run by these settings plays."""
    return run.max_rollouts if run.precision is not None else (run.rollouts or DEFAULT_ROLLOUTS)


def play_batch(game: Game, packed: Sequence[Packed], seed: int, first: int, n: int) -> Tallies:
    """Play rollouts ``first .. first + n - 1`` of every variant and count them."""
    with np.errstate(over="ignore"):  # without the compiler, the streams' wrapping warns
        return _count(game, _play(game, packed, seed, first, n))


def _play(game: Game, packed: Sequence[Packed], seed: int, first: int, n: int) -> list[Outcomes]:
    outcomes = []
    for variant in packed:
        rows = np.zeros((n, len(game.columns)), np.int32)
        variant.play(seed, first, rows)
        outcomes.append(rows)
    return outcomes


def _count(game: Game, outcomes: Sequence[Outcomes]) -> Tallies:
    kind = Counted.of(game.columns, game.headline, game.ratios, game.groupings)
    return Tallies.of(outcomes, kind)


def packed_variants(scenario: Scenario) -> list[Packed]:
    """The variants as the kernel plays them, compiled or loaded once, not per thread."""
    packed = [scenario.game.pack(v.rules, v.policies) for v in scenario.variants]
    play_batch(scenario.game, packed[:1], scenario.run.seed, 0, 1)
    return packed


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
    packed = packed_variants(scenario)
    by_precision = run.precision is not None
    goal = goal_of(run)
    total = play_batch(scenario.game, packed, run.seed, 0, 0)
    started = time.monotonic()
    said = -math.inf

    def collect(played: Tallies) -> None:
        nonlocal total
        total = total.merged(played)
        nonlocal said
        now = time.monotonic()
        if report is not None and (now - said > REPORT_SECONDS or total.rollouts >= goal):
            said = now
            report(Progress(total.rollouts, goal, widest(scenario.game, total), now - started))

    stopped_by = "max_rollouts" if by_precision else "rollouts"
    try:
        with Player(scenario.game, run.seed, workers, collect) as player:
            played = 0
            for count in looks(goal) if by_precision else [goal]:
                player.play(packed, played, count)
                played = count
                if run.precision is not None and widest(scenario.game, total) <= run.precision:
                    stopped_by = "precision"
                    break
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    return Simulation(scenario, total, stopped_by)


def widest(game: Game, tallies: Tallies) -> float:
    """The widest half-width among the variants' headline intervals."""
    headlines = Headlines(game, tallies)
    variants = range(len(tallies.variants))
    halves = [headlines.estimate(variant).half_width for variant in variants]
    return max((half for half in halves if half is not None), default=0.5)


class Player:
    """Plays ranges of rollouts in batches of about BATCH_SECONDS and hands on what comes back.

    Used as a context: whatever happens, running batches end, the others are dropped, and what is
    done is handed on.
    """

    def __init__(
        self, game: Game, seed: int, workers: int | None, collect: Callable[[Tallies], None]
    ) -> None:
        self.game = game
        self.seed = seed
        self.workers = workers or default_workers()
        self.collect = collect
        self.size = FIRST_BATCH
        self.fixed = 0.0  # seconds that a batch of no rollouts takes: tables made from the rules
        self.pending: set[Future[tuple[Tallies, float]]] = set()
        self.pool = ThreadPoolExecutor(self.workers, thread_name_prefix="rollouts")

    def __enter__(self) -> Self:
        return self

    def play(self, packed: Sequence[Packed], first: int, end: int) -> None:
        """Play rollouts ``first .. end - 1`` of these variants."""
        started = time.thread_time()
        with np.errstate(over="ignore"):
            _play(self.game, packed, self.seed, first, 0)
        self.fixed = time.thread_time() - started
        while first < end or self.pending:
            while first < end and len(self.pending) <= self.workers:
                n = min(self.size, end - first)
                self.pending.add(self.pool.submit(self._timed, packed, first, n))
                first += n
            done, self.pending = wait(self.pending, return_when=FIRST_COMPLETED)
            self._hand_on(done)

    def _timed(self, packed: Sequence[Packed], first: int, n: int) -> tuple[Tallies, float]:
        """A batch and the processor time of its games, which sets the size of the next ones.

        Not the time on the clock: other work would make batches shrink for ever.
        """
        with np.errstate(over="ignore"):
            started = time.thread_time()
            outcomes = _play(self.game, packed, self.seed, first, n)
            seconds = time.thread_time() - started
            return _count(self.game, outcomes), seconds

    def _hand_on(self, done: set[Future[tuple[Tallies, float]]]) -> None:
        for future in done:
            played, seconds = future.result()
            each = max(seconds - self.fixed, 1e-6) / max(played.rollouts, 1)
            wanted = max(BATCH_SECONDS, FIXED_PART * self.fixed) / each
            self.size = max(1, min(int(wanted), LARGEST_BATCH, 4 * self.size))
            self.collect(played)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for future in self.pending:
            future.cancel()
        self.pool.shutdown(wait=True)
        self._hand_on({f for f in self.pending if f.done() and not f.cancelled()})
        self.pending = set()
