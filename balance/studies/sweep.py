"""How a metric changes with one field, or with two: all points on the same seeds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

from balance.axes import Axis
from balance.errors import InputError, one_of, suggest
from balance.fields import turned, value_at
from balance.headline import Difference, Headlines
from balance.results import Metric, headline_metric, metrics, result_json
from balance.scenario import Scenario, Variant, metric_names
from balance.simulate import Progress, Simulation, simulate
from balance.values import show

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Point", "Sweep", "metric_of", "points_of", "sweep"]

MOST_VARIANTS = 1_000


@dataclass(frozen=True)
class Point:
    """One combination of values, and the metric there."""

    variant: str
    values: tuple[Any, ...]
    metric: Metric


@dataclass(frozen=True)
class Sweep:
    """A metric over one or two fields."""

    scenario: Scenario
    """The scenario that was swept; that of ``simulation`` has a variant for each point."""
    simulation: Simulation
    axes: tuple[Axis, ...]
    metric: str
    points: tuple[Point, ...]

    @property
    def table(self) -> "pd.DataFrame":
        """One row per variant and point: a column for each field, the metric and its interval."""
        import pandas as pd

        table = pd.DataFrame(
            [
                {
                    "variant": point.variant,
                    **dict.fromkeys((axis.path for axis in self.axes), ""),
                    "metric": point.metric.name,
                    "estimate": point.metric.estimate.value,
                    "low": point.metric.estimate.low,
                    "high": point.metric.estimate.high,
                    "n": point.metric.estimate.n,
                    "exact": point.metric.exact,
                }
                for point in self.points
            ]
        )
        for place, axis in enumerate(self.axes):
            values = [point.values[place] for point in self.points]
            # pandas makes null and whole numbers together real ones
            table[axis.path] = pd.Series(values, dtype=None if axis.numeric else object)
        return table

    @property
    def now(self) -> dict[str, tuple[Any, ...]]:
        """The values that each variant of the file has."""
        return {
            variant.name: tuple(value_at(variant, axis.path) for axis in self.axes)
            for variant in self.scenario.variants
        }

    @cached_property
    def _headlines(self) -> Headlines:
        return Headlines(self.scenario.game, self.simulation.tallies)

    def steps(self, variant: str) -> list[tuple[Any, Any, Difference]]:
        """Along the first field: each value, the next one, and the paired change of the headline.

        Only for a sweep of one field, of the headline.
        """
        headlines = self._headlines
        places = [place for place, point in enumerate(self.points) if point.variant == variant]
        return [
            (self.points[a].values[0], self.points[b].values[0], headlines.difference(b, a))
            for a, b in pairwise(places)
        ]

    def json(self) -> dict[str, Any]:
        """The result as one object."""
        return {
            **result_json(self.simulation),
            "study": "sweep",
            "metric": self.metric,
            "fields": [{"path": axis.path, "values": list(axis.values)} for axis in self.axes],
            "points": [
                {
                    "variant": point.variant,
                    "values": list(point.values),
                    "estimate": point.metric.estimate.value,
                    "low": point.metric.estimate.low,
                    "high": point.metric.estimate.high,
                    "n": point.metric.estimate.n,
                    "exact": point.metric.exact,
                }
                for point in self.points
            ],
        }


def metric_of(scenario: Scenario, name: str | None, option: str = "--metric") -> str:
    """The metric of this name, by default the headline's.

    Raises
    ------
    InputError
        If the game has no such metric.
    """
    if name is None:
        return headline_metric(scenario.game)
    names = metric_names(scenario.game)
    if name not in names:
        hint = suggest(name, names)
        raise InputError(f"{option} {name}: unknown metric{hint}; has: {one_of(names)}")
    return name


def points_of(
    scenario: Scenario, axes: Sequence[Axis]
) -> tuple[list[Variant], list[tuple[str, tuple[Any, ...]]]]:
    """A variant for each variant of the scenario and each point, and which that is.

    Raises
    ------
    InputError
        If a value cannot be used, there are too many, or the axes are not one or two fields.
    """
    if not 1 <= len(axes) <= 2:
        raise InputError(f"a sweep is of one field or of two (got {len(axes)})")
    if len({axis.path for axis in axes}) < len(axes):
        raise InputError(f"{axes[0].path}: stands there twice")
    total = len(scenario.variants)
    for axis in axes:
        total *= len(axis.values)
    if total > MOST_VARIANTS:
        raise InputError(
            f"{' '.join(axis.path for axis in axes)}: {total:,} points are too many; "
            f"{MOST_VARIANTS:,} at most (name one --variant, or a step)"
        )
    variants, labels = [], []
    for variant in scenario.variants:
        for values in product(*(axis.values for axis in axes)):
            changed, told = scenario.playing([variant]), variant
            for axis, value in zip(axes, values, strict=True):
                changed = turned(changed, told, axis.path, value)
                told = changed.variant(variant.name)
            if scenario.run.rotate_seats and len(told.policies) != len(variant.policies):
                raise InputError(f"{axes[0].path}: rotated seats need the same number of players")
            said = ", ".join(f"{a.path}={show(v)}" for a, v in zip(axes, values, strict=True))
            variants.append(replace(told, name=f"{variant.name}, {said}"))
            labels.append((variant.name, values))
    return variants, labels


def sweep(
    scenario: Scenario,
    axes: Sequence[Axis],
    *,
    metric: str | None = None,
    workers: int | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Sweep:
    """The metric of every variant at every combination of the axes' values.

    Parameters
    ----------
    scenario
        What to play; ``scenario.run`` holds the stopping rule, for all points together.
    axes
        One or two fields and their values (`balance.axes.parse_axis`).
    metric
        By default the headline.
    workers, report
        As in `balance.simulate.simulate`.

    Raises
    ------
    InputError
        If a value or the metric cannot be used.
    """
    name = metric_of(scenario, metric)
    variants, labels = points_of(scenario, axes)
    for variant in variants:
        if name in scenario.game.absent(variant.rules):
            raise InputError(f"--metric {name}: {variant.name} has none")
    simulation = simulate(scenario.playing(variants), workers, report)
    points = []
    for variant, tally, label in zip(variants, simulation.tallies.variants, labels, strict=True):
        found = {m.name: m for m in metrics(scenario.game, variant.rules, tally)}
        points.append(Point(*label, found[name]))
    return Sweep(scenario, simulation, tuple(axes), name, tuple(points))
