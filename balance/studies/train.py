"""Training: the knobs of a policy, searched by evolution on common seeds.

CMA-ES (Hansen, "The CMA evolution strategy: a tutorial", 2016; here by the library `cmaes`) draws a
few candidates a generation and moves towards the better ones. All candidates of a generation play
the same rollouts; the next generation plays fresh ones, so that no knob learns a seed by heart.
Rollouts that no generation has played give the final figure.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.errors import InputError
from balance.headline import Headlines, headline_label
from balance.scenario import Scenario, Variant
from balance.simulate import default_workers
from balance.statistics import Estimate
from balance.tally import Counted, Tallies
from balance.values import Model

__all__ = ["Step", "Trained", "policy_yaml", "summary", "train"]

FIRST_STEP = 0.3  # of a knob's size
SMALLEST = 0.1  # of the typical size: what a knob near 0 is taken for
HELD_OUT = 2**40  # rollouts from here on are never trained on
PARTS = 8  # parts in which the final figure is played
SELECTION = 20_000  # rollouts that choose between the start, the mean and the best
Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Step:
    """How far training has come."""

    generation: int
    seconds: float
    goal: float
    """The goal of the generation's middle candidate."""


@dataclass(frozen=True)
class Trained:
    """A trained policy and how well it does on rollouts that it was not trained on."""

    policy: Model
    before: tuple[Estimate, ...]
    """The headline of each variant with the policy that training started from."""
    after: tuple[Estimate, ...]
    rollouts: int
    """Rollouts of each estimate."""
    generations: int
    stopped_by: str


def train(
    scenario: Scenario,
    variants: Sequence[Variant],
    *,
    seconds: float = 300.0,
    generations: int | None = None,
    rollouts: int = 2_000,
    held_out: int = 100_000,
    workers: int | None = None,
    report: Callable[[Step], None] | None = None,
) -> Trained:
    """Search the knobs of a policy: of all seats, or, where one seat wins alone, of seat 1.

    Parameters
    ----------
    scenario
        Names the game and, by ``scenario.run.seed``, the rollouts.
    variants
        Whose rules are played; the goal is the mean over them. All seats of all of them must have
        the same policy, from which training starts; in a game that one seat wins alone that goes
        for seat 1, and the others play as the scenario says.
    seconds
        Training ends after the generation in which this time is over.
    generations
        Ends training after so many generations, if given: the result is the same every time.
    rollouts
        Games that a candidate plays in a generation, over all variants.
    held_out
        Games of the final figure of each variant.
    workers
        Threads; the result does not depend on them.
    report
        Called after every generation.

    Returns
    -------
    Trained
        The best on held-out rollouts of: the start, the middle of the last generation, and the
        middle of the best generation. On Ctrl-C, of what was reached.

    Raises
    ------
    InputError
        If the seats to be trained play different policies or the policy has no knobs.
    """
    trainer = _Trainer(scenario, variants, rollouts, workers or default_workers())
    try:
        trainer.goal(trainer.start, 0, len(variants))  # compile or load before the clock starts
        return _search(trainer, seconds, generations, held_out, report)
    finally:
        trainer.close()


def _search(
    trainer: "_Trainer",
    seconds: float,
    generations: int | None,
    held_out: int,
    report: Callable[[Step], None] | None,
) -> Trained:
    started = time.monotonic()
    candidates = [trainer.start]
    stopped_by = "seconds" if generations is None else "generations"
    best = -math.inf
    optimizer = trainer.optimizer()
    done = 0
    try:
        while generations is None or done < generations:
            goal = trainer.generation(optimizer, done)
            done += 1
            if goal > best:
                best, candidates[1:] = goal, [optimizer.mean.copy()]
            passed = time.monotonic() - started
            if report is not None:
                report(Step(done, passed, goal))
            if generations is None and passed >= seconds:
                break
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    candidates.append(optimizer.mean.copy())
    chosen = trainer.choose(candidates)
    before = trainer.headlines(trainer.start, held_out)
    after = trainer.headlines(chosen, held_out)
    return Trained(trainer.policy(chosen), before, after, held_out, done, stopped_by)


class _Trainer:
    """Plays candidates, each a vector in units of the knobs' first steps."""

    def __init__(
        self, scenario: Scenario, variants: Sequence[Variant], rollouts: int, workers: int
    ) -> None:
        self.game = scenario.game
        self.variants = variants
        self.seed = scenario.run.seed
        self.rollouts = rollouts
        self.model = variants[0].policies[0]
        self.knobs: tuple[str, ...] = getattr(self.model, "knobs", ())
        self.alone = self.game.style == "competitive"
        for variant in variants:
            trained = variant.policies[:1] if self.alone else variant.policies
            if any(policy != self.model for policy in trained):
                seats = "seat 1 of all variants" if self.alone else "all seats and variants"
                raise InputError(f"variant {variant.name}: training needs one policy for {seats}")
        if not self.knobs:
            name = getattr(self.model, "name", "this policy")
            raise InputError(f"policies: {name} has no knobs to train")
        self.origin = np.array([float(getattr(self.model, knob)) for knob in self.knobs])
        sizes = np.abs(self.origin)
        typical = float(np.median(sizes[sizes > 0])) if sizes.any() else 1.0
        sizes[sizes == 0.0] = typical / 2  # nothing is known of it
        self.unit = FIRST_STEP * np.maximum(sizes, SMALLEST * typical)
        self.start: Values = np.zeros(len(self.knobs))
        self.pool = ThreadPoolExecutor(workers, thread_name_prefix="training")

    def optimizer(self) -> Any:
        from cmaes import CMA

        return CMA(mean=self.start.copy(), sigma=1.0, seed=self.seed % 2**32)

    def policy(self, point: Values) -> Model:
        values = self.origin + self.unit * point
        rounded = {knob: float(f"{v:.4g}") for knob, v in zip(self.knobs, values, strict=True)}
        return type(self.model).model_validate({**self.model.model_dump(), **rounded})

    def play(self, variant: Variant, point: Values, first: int, n: int) -> npt.NDArray[np.int32]:
        trained = self.policy(point)
        others = variant.policies[1:] if self.alone else [trained] * (len(variant.policies) - 1)
        packed = self.game.pack(variant.rules, [trained, *others])
        outcomes = np.zeros((n, len(self.game.columns)), np.int32)
        with np.errstate(over="ignore"):
            packed.play(self.seed, first, outcomes)
        return outcomes

    def goal(self, point: Values, first: int, n: int) -> float:
        """The mean goal over the variants, of n rollouts in all."""
        columns = {column.name: (i, column.scale) for i, column in enumerate(self.game.columns)}
        total = 0.0
        for variant in self.variants:
            means = self.play(variant, point, first, -(-n // len(self.variants))).mean(axis=0)
            for name, weight in self.game.goal.items():
                place, scale = columns[name]
                total += weight * means[place] / scale
        return float(total / len(self.variants))

    def goals(self, points: Sequence[Values], first: int, n: int) -> list[float]:
        return list(self.pool.map(lambda point: self.goal(point, first, n), points))

    def generation(self, optimizer: Any, number: int) -> float:
        """Play one generation; the goal of its middle."""
        points = [optimizer.ask() for _ in range(optimizer.population_size)]
        middle, *goals = self.goals(
            [optimizer.mean.copy(), *points], number * self.rollouts, self.rollouts
        )
        optimizer.tell([(point, -goal) for point, goal in zip(points, goals, strict=True)])
        return middle

    def choose(self, points: Sequence[Values]) -> Values:
        goals = self.goals(points, HELD_OUT, SELECTION)
        return points[int(np.argmax(goals))]

    def headlines(self, point: Values, n: int) -> tuple[Estimate, ...]:
        """The headline of each variant on n rollouts that nothing was chosen by."""
        kind = Counted.of(self.game.columns, self.game.headline)
        size = -(-n // PARTS)
        start = HELD_OUT + SELECTION
        parts = [(start + i, min(size, n - i)) for i in range(0, n, size)]

        def counted(variant: Variant, first: int, n: int) -> Tallies:
            return Tallies.of([self.play(variant, point, first, n)], kind)

        found = []
        for variant in self.variants:
            tallies = self.pool.map(lambda part, v=variant: counted(v, *part), parts)
            total = reduce(Tallies.merged, tallies)
            found.append(Headlines(self.game, total).estimate(0))
        return tuple(found)

    def close(self) -> None:
        self.pool.shutdown(wait=True)


def policy_yaml(
    trained: Trained, scenario: Scenario, variants: Sequence[Variant], command: str
) -> str:
    """The trained policy as a policy file, with what made it in its header."""
    lines = [
        f"# Trained by: {command}",
        f"# {trained.generations} generations, ended by: {trained.stopped_by}. "
        f"{headline_label(scenario.game).capitalize()} on {trained.rollouts:,} held-out rollouts "
        f"of seed {scenario.run.seed} (95 % intervals):",
    ]
    for variant, before, after in zip(variants, trained.before, trained.after, strict=True):
        lines.append(f"#   {variant.name}: {_percent(before)} before, {_percent(after)} after")
    values: Mapping[str, Any] = trained.policy.model_dump()
    knobs = getattr(trained.policy, "knobs", ())
    fields = type(trained.policy).model_fields
    others = [n for n in values if n not in knobs and values[n] != fields[n].default]
    lines += [f"{name}: {values[name]}" for name in ("name", *others, *knobs)]
    return "\n".join(lines) + "\n"


def summary(trained: Trained, variants: Sequence[Variant], out: Path) -> str:
    """What training reached, for a person."""
    lines = [
        f"won on {trained.rollouts:,} held-out rollouts ({trained.generations} generations):",
    ]
    for variant, before, after in zip(variants, trained.before, trained.after, strict=True):
        lines.append(f"  {variant.name}")
        lines += [f"    before  {_percent(before)}", f"    after   {_percent(after)}"]
    lines += [
        f"written: {out}",
        f"a scenario plays it by policies: {{all: {{file: {out.name}}}}}",
    ]
    return "\n".join(lines)


def _percent(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "not known"
    return f"{100 * estimate.value:.2f} % ({100 * estimate.low:.2f} to {100 * estimate.high:.2f} %)"
