"""What moves the result: every number one step up and down, every switch flipped.

All on the same seeds, each change alone against the variant as it is.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from balance.errors import InputError, one_of, suggest
from balance.fields import Knob, knobs_of, turned
from balance.headline import LEVEL, column_difference, headline_column
from balance.results import Metric, metrics, result_json
from balance.scenario import Scenario, Variant
from balance.simulate import Progress, Simulation, simulate
from balance.statistics import holm
from balance.tally import Tally
from balance.values import show

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Effect", "Influence", "Step", "column_of", "influence", "steps_of"]

PLACE = re.compile(r"^(.*?: )?([^:]*\.)?(rules|policies)[^ :]*: ")
REAL_STEP = 0.1
"""A real number is turned by this part of itself; by so much where it is 0."""


@dataclass(frozen=True)
class Step:
    """One field turned one step, or flipped."""

    knob: Knob
    value: Any
    side: int
    """-1 one step down, 1 one step up, 0 flipped."""

    @property
    def change(self) -> str:
        """What it changes, in few words."""
        return f"{show(self.knob.value)} → {show(self.value)}"


@dataclass(frozen=True)
class Effect:
    """What one step does to the metric."""

    step: Step
    gives: float | None
    """The metric after the step."""
    estimate: float | None
    low: float | None
    high: float | None
    p_value: float
    established: bool
    """At 5 %, all steps of the study together (Holm)."""


@dataclass(frozen=True)
class Influence:
    """The effects of all steps, the greatest first."""

    scenario: Scenario
    variant: Variant
    simulation: Simulation
    metric: Metric
    """The metric of the variant as it is."""
    effects: tuple[Effect, ...]
    left_out: dict[str, str]
    """Steps that the rules do not allow, and why."""

    @property
    def table(self) -> "pd.DataFrame":
        """One row per step, the greatest effect first."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "field": effect.step.knob.path,
                    "before": show(effect.step.knob.value),
                    "after": show(effect.step.value),
                    "change": effect.step.change,
                    "side": effect.step.side,
                    "metric": self.metric.name,
                    "gives": effect.gives,
                    "estimate": effect.estimate,
                    "low": effect.low,
                    "high": effect.high,
                    "n": self.simulation.tallies.rollouts,
                    "p_value": effect.p_value,
                    "established": effect.established,
                }
                for effect in self.effects
            ]
        )

    def json(self) -> dict[str, Any]:
        """The result as one object."""
        return {
            **result_json(self.simulation),
            "study": "influence",
            "variant": self.variant.name,
            "metric": self.metric.name,
            "effects": [
                {
                    "field": effect.step.knob.path,
                    "before": effect.step.knob.value,
                    "after": effect.step.value,
                    "gives": effect.gives,
                    "estimate": effect.estimate,
                    "low": effect.low,
                    "high": effect.high,
                    "p_value": effect.p_value,
                    "established": effect.established,
                }
                for effect in self.effects
            ],
            "left_out": self.left_out,
        }


def steps_of(
    scenario: Scenario, variant: Variant
) -> tuple[list[tuple[Step, Variant]], dict[str, str]]:
    """Every step that the rules allow with the variant it makes, and why the others are left out.

    A switch that is off (null) is turned to the lowest number that is allowed.
    """
    found: list[tuple[Step, Variant]] = []
    left_out: dict[str, str] = {}
    for knob in knobs_of(variant):
        for step in _steps(knob):
            try:
                changed = turned(scenario, variant, knob.path, step.value).variant(variant.name)
            except InputError as error:
                if knob.value is not None:
                    option = f"{knob.path}={show(step.value)}: "
                    left_out[f"{knob.path} {step.change}"] = _reason(str(error), option)
                continue
            if scenario.run.rotate_seats and len(changed.policies) != len(variant.policies):
                left_out[f"{knob.path} {step.change}"] = "rotated seats need as many players"
                continue
            found.append((step, replace(changed, name=f"{knob.path} {step.change}")))
            if knob.value is None:
                break  # the lowest that is allowed
    return found, left_out


def _steps(knob: Knob) -> Iterator[Step]:
    if knob.kind == "switch":
        yield from (Step(knob, other, 0) for other in knob.others)
        return
    value = knob.value
    size = 1 if knob.kind == "whole" else abs(value) * REAL_STEP or REAL_STEP
    for side in (-1, 1):
        turned_to = value + side * size
        if knob.kind == "real":
            turned_to = float(f"{turned_to:.6g}")
        low, high = knob.bounds.low, knob.bounds.high
        if (low is None or turned_to >= low) and (high is None or turned_to <= high):
            yield Step(knob, turned_to, side)


def _reason(message: str, option: str) -> str:
    """The part of an error that says what is allowed, without option, file and path."""
    return PLACE.sub("", message.removeprefix(option), count=1)


def influence(
    scenario: Scenario,
    variant: Variant,
    *,
    metric: str | None = None,
    workers: int | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Influence:
    """The effect of every number of the rules, one step each way, and of every switch.

    Parameters
    ----------
    scenario, variant
        What to play; ``scenario.run`` holds the stopping rule, for all steps together.
    metric
        The effect on what: the mean of an outcome column, by default the headline.
    workers, report
        As in `balance.simulate.simulate`.

    Raises
    ------
    InputError
        If the rules have nothing to turn, or the metric is no column's mean.
    """
    place_of_metric = column_of(scenario, variant, metric)
    steps, left_out = steps_of(scenario, variant)
    if not steps:
        raise InputError(f"{scenario.path}: {variant.name} has no number and no switch to turn")
    variants = [variant, *(changed for _, changed in steps)]
    simulation = simulate(scenario.playing(variants), workers, report)
    column = scenario.game.columns[place_of_metric]
    n = simulation.tallies.rollouts
    found = [
        column_difference(
            column, int(pair.sums[place_of_metric]), int(pair.squares[place_of_metric]), n
        )
        for pair in simulation.tallies.pairs[1:]
    ]
    adjusted = holm([p_value for _, p_value in found])
    after = [
        _metric(scenario, changed, tally, column.metric)
        for changed, tally in zip(variants, simulation.tallies.variants, strict=True)
    ]
    effects = [
        Effect(
            step,
            None if gives is None else gives.estimate.value,
            change.value,
            change.low,
            change.high,
            p_value,
            adjusted_p < LEVEL,
        )
        for (step, _), gives, (change, p_value), adjusted_p in zip(
            steps, after[1:], found, adjusted, strict=True
        )
    ]
    effects.sort(key=lambda effect: (not effect.established, -_size(effect)))
    now = after[0]
    assert now is not None  # `column_of` has seen to it
    return Influence(scenario, variant, simulation, now, tuple(effects), left_out)


def _metric(scenario: Scenario, variant: Variant, tally: Tally, name: str) -> Metric | None:
    """The metric of a variant; None where the step has made it mean nothing."""
    found = metrics(scenario.game, variant.rules, tally)
    return next((metric for metric in found if metric.name == name), None)


def column_of(scenario: Scenario, variant: Variant, metric: str | None) -> int:
    """The place of the outcome column whose mean a metric is, by default the headline's.

    Raises
    ------
    InputError
        If the metric is no column's mean, or means nothing under the rules.
    """
    columns = scenario.game.columns
    if metric is None:
        return headline_column(scenario.game)[0]
    absent = set(scenario.game.absent(variant.rules))
    names = [c.metric for c in columns if c.kind != "level" and c.name not in absent]
    if metric not in names:
        raise InputError(
            f"--metric {metric}: must be the mean of an outcome{suggest(metric, names)}; "
            f"has: {one_of(names)}"
        )
    return next(place for place, c in enumerate(columns) if c.metric == metric)


def _size(effect: Effect) -> float:
    return -math.inf if effect.estimate is None else abs(effect.estimate)
