"""Whether the targets of a scenario are met: a sequential test of each, for a person or for CI.

Every target is a metric and the lowest and highest value that it may have. It passes when both ends
are established to be kept, fails when one is established to be broken, and is undecided where the
budget ends before; a metric that lies exactly on an end stays undecided.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from balance.errors import InputError
from balance.headline import headline_column
from balance.looking import play_from_look_to_look
from balance.results import (
    Metric,
    describe_policies,
    headline_metric,
    metrics,
    result_json,
)
from balance.scenario import Scenario, Variant
from balance.sequential import (
    ERROR,
    Quantity,
    RatioSeen,
    Spending,
    budget_of,
    holding_interval,
    quantity,
)
from balance.simulate import Progress, Simulation
from balance.tally import Tallies, Tally

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Checked", "Outcome", "check", "judge", "targeted"]

Verdict = Literal["pass", "fail", "undecided"]


@dataclass(frozen=True)
class Outcome:
    """One target and what became of it."""

    variant: str
    metric: Metric
    low: float
    """The lowest and the highest value that are wanted; infinite where there is no such end."""
    high: float
    verdict: Verdict
    holding: tuple[float, float]
    """An interval that holds for all targets and looks together."""
    rollouts: int
    policies: str
    assumes_span: bool = False
    """Whether the verdict assumes that no value lies outside of the span of those seen."""


@dataclass(frozen=True)
class Checked:
    """All targets of a scenario."""

    scenario: Scenario
    outcomes: tuple[Outcome, ...]
    tallies: tuple[Tally, ...]
    spending: Spending
    stopped_by: str

    @property
    def verdict(self) -> Verdict:
        """fail if any target fails, else undecided if any is, else pass."""
        found = {outcome.verdict for outcome in self.outcomes}
        return "fail" if "fail" in found else "undecided" if "undecided" in found else "pass"

    @property
    def table(self) -> "pd.DataFrame":
        """One row per target."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the table; None where a target has no such end or nothing is known."""
        return [
            {
                "variant": one.variant,
                "metric": one.metric.name,
                "kind": one.metric.kind,
                "target_low": _known(one.low),
                "target_high": _known(one.high),
                "estimate": one.metric.estimate.value,
                "low": _known(one.holding[0]),
                "high": _known(one.holding[1]),
                "exact": one.metric.exact,
                "rollouts": one.rollouts,
                "verdict": one.verdict,
                "policies": one.policies,
            }
            for one in self.outcomes
        ]

    def json(self) -> dict[str, Any]:
        """The result as one object."""
        apart = Tallies.apart(self.tallies, headline_column(self.scenario.game)[0])
        return {
            **result_json(Simulation(self.scenario, apart, self.stopped_by)),
            "study": "check",
            "verdict": self.verdict,
            "error": self.spending.error,
            "max_rollouts": self.spending.budget,
            "looks": len(self.spending.looks),
            "targets": self.rows(),
        }


def _known(number: float) -> float | None:
    return number if math.isfinite(number) else None


def targeted(scenario: Scenario) -> Scenario:
    """The scenario with the variants that have targets.

    Raises
    ------
    InputError
        If there are none, or a metric means nothing under the rules.
    """
    found = [variant for variant in scenario.variants if scenario.targets.get(variant.name)]
    if not found:
        name = scenario.variants[0].name
        raise InputError(
            f"{scenario.path}: targets is missing; "
            f"write targets: {{{name}: {{{headline_metric(scenario.game)}: [0.3, 0.6]}}}}"
        )
    for variant in found:
        absent = scenario.game.absent(variant.rules)
        for metric in scenario.targets[variant.name]:
            if metric in absent:
                raise InputError(
                    f"{scenario.path}: targets.{variant.name}.{metric}: there is none under these "
                    "rules"
                )
    return scenario.playing(found)


def judge(seen: Quantity, low: float, high: float, error: float) -> Verdict:
    """One look at one target; any wrong verdict has at most this chance.

    Each side has half of it, also where the target has one end: so the verdict is what an interval
    that holds with this error says.
    """
    low_free, high_free = low <= seen.low, high >= seen.high
    each = error / 2
    if not low_free and seen.below(low, each):
        return "fail"
    if not high_free and seen.above(high, each):
        return "fail"
    kept = (low_free or seen.above(low, each)) and (high_free or seen.below(high, each))
    return "pass" if kept else "undecided"


def check(
    scenario: Scenario,
    *,
    error: float = ERROR,
    budget: int | None = None,
    workers: int | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Checked:
    """Test every target; play on until all are decided or the budget ends.

    The chance that any verdict of any target at any look is wrong is at most ``error``. A variant
    whose targets are all decided is played no more.

    Parameters
    ----------
    scenario
        What to play, and its ``targets``; its stopping rule does not matter.
    error
        The chance of any wrong verdict.
    budget
        The most rollouts of a variant; by default what the scenario says, or 1,000,000.
    workers, report
        As in `balance.simulate.simulate`.

    Raises
    ------
    InputError
        If there are no targets, or one is of a metric that means nothing under the rules.
    """
    played = targeted(scenario)
    asked = [
        (place, metric, *ends)
        for place, variant in enumerate(played.variants)
        for metric, ends in scenario.targets[variant.name].items()
    ]
    spending = Spending(error, budget_of(scenario.run) if budget is None else budget, len(asked))
    found: dict[tuple[int, str], Outcome] = {}

    def look(active: Sequence[int], tallies: Tallies) -> set[int]:
        wanted = set()
        for place, name, low, high in asked:
            earlier = found.get((place, name))
            if earlier is not None and earlier.verdict != "undecided":
                continue
            tally = tallies.variants[active.index(place)]
            variant = played.variants[place]
            outcome = _outcome(played, variant, tally, (name, low, high), spending.each)
            found[place, name] = outcome
            if outcome.verdict == "undecided":
                wanted.add(place)
        return wanted

    looked = play_from_look_to_look(played, spending.looks, look, workers, report)
    for place, name, low, high in asked:  # interrupted before the first look
        if (place, name) not in found:
            variant, tally = played.variants[place], looked.tallies[place]
            one = _outcome(played, variant, tally, (name, low, high), spending.each)
            found[place, name] = replace(one, verdict="undecided")
    outcomes = tuple(found[place, name] for place, name, _, _ in asked)
    return Checked(played, outcomes, looked.tallies, spending, looked.stopped_by)


def _outcome(
    scenario: Scenario,
    variant: Variant,
    tally: Tally,
    target: tuple[str, float, float],
    error: float,
) -> Outcome:
    name, low, high = target
    metric = next(m for m in metrics(scenario.game, variant.rules, tally) if m.name == name)
    seen = quantity(scenario.game, tally, name)
    verdict = judge(seen, low, high, error)
    holding = holding_interval(seen, metric.estimate.value or 0.0, error)
    policies = describe_policies(variant)
    assumes_span = isinstance(seen, RatioSeen) or math.isinf(seen.high)
    return Outcome(
        variant.name, metric, low, high, verdict, holding, tally.rollouts, policies, assumes_span
    )
