"""Which value of a field gives the wanted result: evaluated on the same seeds.

A curve need not be monotone. So of a list, or of a short range of whole numbers, every value is
evaluated; of a long range or of real numbers a grid is, and wherever the metric crosses the target
between two neighbours the crossing is sought (Brent 1973, as in scipy). On common seeds the metric
is a fixed function of the value, so that the search does not chase noise.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from balance.axes import Axis
from balance.errors import InputError
from balance.fields import turned, value_at
from balance.headline import headline_column
from balance.results import Metric, metrics, result_json
from balance.scenario import Scenario, Variant, is_rate
from balance.sequential import ERROR, holding_interval, quantity
from balance.simulate import Progress, Simulation, simulate
from balance.studies.sweep import metric_of
from balance.tally import Tallies, Tally
from balance.values import real, show

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Crossing", "Target", "Tried", "Tuned", "parse_target", "tries_all", "tune"]

SMALL = 64
"""Whole numbers of which every one is evaluated."""
GRID = 17
SEARCHED = 32
"""About so many values are tried where not every one is."""
FINE = 1e-3
"""A crossing is sought to within this part of the range."""
Status = Literal["met", "between", "out of reach", "unknown"]


@dataclass(frozen=True)
class Target:
    """A metric and the value that it is to have."""

    metric: str
    value: float


@dataclass(frozen=True)
class Tried:
    """A value of the field and what it gave."""

    value: Any
    metric: Metric
    low: float
    """The ends of an interval that holds for all values that were tried together."""
    high: float
    tally: Tally


@dataclass(frozen=True)
class Crossing:
    """Where the metric crosses the target."""

    value: Any
    low: Any
    """From here on, up to ``high``, the target lies within the metric's 95 % interval (to a
    thousandth of the range where it is one of real numbers); None at an end of the range that the
    noise does not rule out."""
    high: Any


@dataclass(frozen=True)
class Tuned:
    """What was found of a target."""

    scenario: Scenario
    variant: Variant
    axis: Axis
    target: Target
    status: Status
    """met: the noise leaves it possible that a value tried gives the target; between: values on
    both sides of it were found, but none that may give it; out of reach: all lie on one side;
    unknown: nothing was played."""
    best: Tried
    possible: tuple[Any, ...]
    """The values tried that the noise does not rule out as the nearest to the target."""
    crossings: tuple[Crossing, ...]
    tried: tuple[Tried, ...]
    complete: bool
    """Whether every value of the range was tried."""
    simulation: Simulation

    @property
    def table(self) -> "pd.DataFrame":
        """One row per value tried."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    self.axis.path: one.value,
                    "metric": self.target.metric,
                    "estimate": one.metric.estimate.value,
                    "low": one.metric.estimate.low,
                    "high": one.metric.estimate.high,
                    "n": one.metric.estimate.n,
                    "exact": one.metric.exact,
                    "possible": one.value in self.possible,
                    "best": one is self.best,
                }
                for one in self.tried
            ]
        )

    def json(self) -> dict[str, Any]:
        """The result as one object."""
        return {
            **result_json(self.simulation),
            "study": "tune",
            "variant": self.variant.name,
            "field": self.axis.path,
            "target": {"metric": self.target.metric, "value": self.target.value},
            "status": self.status,
            "best": self.best.value,
            "possible": list(self.possible),
            "crossings": [vars(crossing) for crossing in self.crossings],
            "every_value_tried": self.complete,
        }


def parse_target(text: str, scenario: Scenario) -> Target:
    """What `METRIC=VALUE` says.

    Raises
    ------
    InputError
        If it is not of that form, or the game has no such metric.
    """
    from balance.yaml_text import parse_value

    name, equals, value = (part.strip() for part in text.partition("="))
    number = parse_value(value, f"--target {text}") if equals else None
    number = real(number)
    if not isinstance(number, float) or not math.isfinite(number):
        raise InputError(f"--target {text}: write it as metric=number, like win_rate=0.4")
    metric = metric_of(scenario, name, "--target")
    if is_rate(scenario.game, metric) and not 0 <= number <= 1:
        raise InputError(f"--target {text}: must lie from 0 to 1: 30 % is 0.3")
    return Target(metric, number)


def tune(
    scenario: Scenario,
    variant: Variant,
    axis: Axis,
    target: Target,
    *,
    workers: int | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Tuned:
    """Find the value of a field at which a metric has the wanted value.

    Parameters
    ----------
    scenario, variant
        What to play; ``scenario.run`` holds the rollouts of every value.
    axis
        The field, and the values or the range to look in (`balance.axes.parse_axis`).
    target
        The metric and what it is to be.
    workers, report
        As in `balance.simulate.simulate`.

    Raises
    ------
    InputError
        If a value cannot be used.
    """
    if target.metric in scenario.game.absent(variant.rules):
        raise InputError(f"--target {target.metric}: {variant.name} has none")
    if any(isinstance(value, (list, dict)) for value in axis.values):
        raise InputError(f"{axis.path}: can be tuned over numbers or words (got a list)")
    search = _Search(scenario, variant, axis, target, workers, report)
    complete = tries_all(axis)
    search.try_values(axis.values if complete else _grid(axis))
    crossings = [] if complete else search.crossings()
    return search.result(complete, [] if search.interrupted else crossings)


def tries_all(axis: Axis) -> bool:
    """Whether every value of an axis is tried."""
    return not axis.is_range or (axis.whole and len(axis.values) <= SMALL)


def _grid(axis: Axis) -> list[Any]:
    """Values over the whole range, evenly spaced."""
    values = axis.values
    if len(values) <= GRID:
        return list(values)
    return [values[round(place * (len(values) - 1) / (GRID - 1))] for place in range(GRID)]


class _Search:
    """The values tried so far, all on the same seed."""

    def __init__(
        self,
        scenario: Scenario,
        variant: Variant,
        axis: Axis,
        target: Target,
        workers: int | None,
        report: Callable[[Progress], None] | None,
    ) -> None:
        self.scenario = scenario
        self.variant = variant
        self.axis = axis
        self.target = target
        self.workers = workers
        self.report = report
        self.tallies: dict[Any, Tally] = {}
        self.variants: dict[Any, Variant] = {}
        self.found: dict[Any, Metric] = {}
        self.interrupted = False
        self.stopped_by = "rollouts"

    def try_values(self, values: Sequence[Any]) -> None:
        """Play those of these values that have not been played."""
        new = [value for value in values if value not in self.tallies]
        if not new or self.interrupted:
            return
        variants = [self._turned(value) for value in new]
        found = simulate(self.scenario.playing(variants), self.workers, self.report)
        if self.scenario.run.precision is not None:  # all later values play as many
            fixed = {"precision": None, "rollouts": found.tallies.rollouts}
            run = self.scenario.run.model_copy(update=fixed)
            self.scenario = replace(self.scenario, run=run)
        self.interrupted = found.partial
        if self.stopped_by != "max_rollouts" or found.partial:
            self.stopped_by = found.stopped_by
        for value, variant, tally in zip(new, variants, found.tallies.variants, strict=True):
            if tally.rollouts == 0 and self.tallies:  # interrupted while searching
                continue
            self.variants[value] = variant
            self.tallies[value] = tally
            metric = metrics(self.scenario.game, variant.rules, tally)
            self.found[value] = next(m for m in metric if m.name == self.target.metric)

    def _turned(self, value: Any) -> Variant:
        changed = turned(self.scenario, self.variant, self.axis.path, value)
        told = changed.variant(self.variant.name)
        name = f"{self.variant.name}, {self.axis.path}={show(value)}"
        if self.target.metric in self.scenario.game.absent(told.rules):
            raise InputError(f"--target {self.target.metric}: {name} has none")
        seats = len(self.variant.policies)
        if self.scenario.run.rotate_seats and len(told.policies) != seats:
            raise InputError(f"{self.axis.path}: rotated seats need the same number of players")
        return replace(told, name=name)

    def excess(self, value: Any) -> float:
        """The metric's estimate above the target."""
        self.try_values([value])
        if value not in self.found:
            return 0.0
        return (self.found[value].estimate.value or 0.0) - self.target.value

    def leaves(self, value: Any) -> bool:
        """Whether the target lies within the metric's 95 % interval."""
        self.try_values([value])
        if value not in self.found:
            return False
        low, high = self.found[value].estimate.low, self.found[value].estimate.high
        return low is None or high is None or low <= self.target.value <= high

    def crossings(self) -> list[Crossing]:
        """Where the estimate crosses the target, and how far from there the noise reaches."""
        grid = sorted(self.tallies)
        pairs = [(a, b) for a, b in pairwise(grid) if (self.excess(a) < 0) != (self.excess(b) < 0)]
        roots = list(dict.fromkeys(self._root(a, b) for a, b in pairs))
        left = [value for value in grid if self.leaves(value)]
        if not roots and 0 < len(left) < len(grid):  # the estimate stays on one side
            roots = [min(left, key=lambda value: abs(self.excess(value)))]
        return [Crossing(root, self._edge(root, -1), self._edge(root, 1)) for root in roots]

    def _root(self, a: Any, b: Any) -> Any:
        """Where the estimate crosses the target; of whole numbers the nearer of two neighbours."""
        if self.axis.whole:
            below = self.excess(a) < 0
            while (middle := self._middle(a, b)) is not None:
                a, b = (middle, b) if (self.excess(middle) < 0) == below else (a, middle)
            return a if abs(self.excess(a)) <= abs(self.excess(b)) else b
        from scipy.optimize import brentq

        return float(brentq(self.excess, a, b, xtol=self._step / 2, rtol=1e-9))

    def _edge(self, root: Any, way: int) -> Any:
        """How far to one side of a crossing the noise reaches; None at the end of the range."""
        inside = root
        beyond = [value for value in self.tallies if way * (value - root) > 0]
        for outside in sorted(beyond, key=lambda value: way * value):
            if not self.leaves(outside):
                break
            inside = outside
        else:
            return None
        while (middle := self._middle(inside, outside)) is not None:
            inside, outside = (middle, outside) if self.leaves(middle) else (inside, middle)
        return inside if self.axis.whole else outside

    def _middle(self, a: Any, b: Any) -> Any:
        """A value between two; None where they are as near as is looked."""
        if not self.axis.whole:
            return None if abs(b - a) <= self._step else (a + b) / 2
        values = self.axis.values
        places = values.index(a), values.index(b)
        return None if abs(places[1] - places[0]) <= 1 else values[sum(places) // 2]

    @property
    def _step(self) -> float:
        return FINE * float(self.axis.values[-1] - self.axis.values[0])

    def result(self, complete: bool, crossings: Sequence[Crossing]) -> Tuned:
        """What all values that were tried say together."""
        values = sorted(self.tallies) if self.axis.numeric else list(self.tallies)
        error = ERROR / len(values)
        tried = []
        for value in values:
            metric, tally = self.found[value], self.tallies[value]
            seen = quantity(self.scenario.game, tally, self.target.metric)
            low, high = holding_interval(seen, metric.estimate.value or 0.0, error)
            tried.append(Tried(value, metric, low, high, tally))
        now = value_at(self.variant, self.axis.path)
        best = min(tried, key=lambda one: (self._distance(one), _away(one.value, now)))
        nearest = min(self._reach(one)[1] for one in tried)
        possible = tuple(one.value for one in tried if self._reach(one)[0] <= nearest)
        variants = [self.variants[value] for value in values]
        place = headline_column(self.scenario.game)[0]
        apart = Tallies.apart([one.tally for one in tried], place)
        return Tuned(
            self.scenario,
            self.variant,
            self.axis,
            self.target,
            self._status(tried, best),
            best,
            possible,
            tuple(crossings),
            tuple(tried),
            complete,
            Simulation(self.scenario.playing(variants), apart, self.stopped_by),
        )

    def _distance(self, one: Tried) -> float:
        found = one.metric.estimate.value
        return math.inf if found is None else abs(found - self.target.value)

    def _reach(self, one: Tried) -> tuple[float, float]:
        """How near to the target and how far from it the metric may be."""
        below, above = one.low - self.target.value, one.high - self.target.value
        nearest = 0.0 if below <= 0 <= above else min(abs(below), abs(above))
        return nearest, max(abs(below), abs(above))

    def _status(self, tried: Sequence[Tried], best: Tried) -> Status:
        if best.metric.estimate.value is None:
            return "unknown"
        if any(self._reach(one)[0] == 0.0 for one in tried):
            return "met"
        sides = {one.low > self.target.value for one in tried if self._reach(one)[0] > 0.0}
        return "between" if len(sides) > 1 else "out of reach"


def _away(value: Any, now: Any) -> float:
    """How far a number is from what it is now."""
    numbers = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (value, now))
    return abs(value - now) if numbers else 0.0
