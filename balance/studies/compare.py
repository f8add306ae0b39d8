"""Which variants differ, from which baseline, by how much: paired on the same rollouts.

`compare` plays a fixed number of rollouts. `compare_until_decided` goes on until every pair of
variants is told apart or shown to be equal within a margin, or the budget ends; a variant whose
pairs are all settled is played no more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

from balance.changes import changes_between, changes_text
from balance.errors import InputError, one_of, suggest
from balance.headline import Headlines, column_difference, headline_column
from balance.looking import play_from_look_to_look
from balance.results import difference_rows, difference_table, headline_table, result_json
from balance.scenario import Scenario
from balance.sequential import (
    ERROR,
    Spending,
    budget_of,
    paired_rate_interval,
    paired_share_interval,
)
from balance.simulate import Progress, Simulation, simulate
from balance.tally import Tallies, Tally

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "EQUAL_WITHIN",
    "Comparison",
    "Decided",
    "Pair",
    "baseline_of",
    "compare",
    "compare_until_decided",
]

EQUAL_WITHIN = 0.01
Places = tuple[int, int]
Verdict = Literal["higher", "lower", "equal", "undecided"]


@dataclass(frozen=True)
class Comparison:
    """Every variant against a baseline, on the same rollouts."""

    simulation: Simulation
    base: int
    """The place of the baseline among the variants."""

    @property
    def baseline(self) -> str:
        """The name of the baseline."""
        return self.simulation.scenario.variants[self.base].name

    @property
    def headlines(self) -> "pd.DataFrame":
        """One row per variant: its headline with interval and tie letters."""
        return headline_table(self.simulation)

    @property
    def differences(self) -> "pd.DataFrame":
        """One row per variant but the baseline: the paired difference of the headline.

        Columns: those of `balance.results.difference_table`, and what the variant changes.
        """
        table = difference_table(self.simulation, self.base)
        variants = self.simulation.scenario.variants
        base = variants[self.base]
        table["changes"] = [
            changes_text(base, variant) for variant in variants if variant.name != base.name
        ]
        return table

    @property
    def metrics(self) -> "pd.DataFrame":
        """One row per variant but the baseline and column with a mean: the paired difference."""
        import pandas as pd

        rows = []
        n = self.simulation.tallies.rollouts
        scenario = self.simulation.scenario
        absent = {name for v in scenario.variants for name in scenario.game.absent(v.rules)}
        for place, variant in enumerate(scenario.variants):
            if place == self.base:
                continue
            for number, column in enumerate(scenario.game.columns):
                if column.kind == "level" or column.name in absent:
                    continue
                pair = self.simulation.tallies.pairs[place]
                sums, squares = int(pair.sums[number]), int(pair.squares[number])
                found, _ = column_difference(column, sums, squares, n)
                rows.append(
                    {
                        "variant": variant.name,
                        "first": self.baseline,
                        "metric": column.metric,
                        "label": column.label,
                        "kind": "count" if column.kind == "count" else "rate",
                        "estimate": found.value,
                        "low": found.low,
                        "high": found.high,
                        "n": found.n,
                    }
                )
        return pd.DataFrame(rows)

    def json(self) -> dict[str, Any]:
        """The result as one object."""
        variants = self.simulation.scenario.variants
        letters = Headlines(self.simulation.scenario.game, self.simulation.tallies).letters()
        others = [place for place in range(len(variants)) if place != self.base]
        found = [
            {**row, "changes": _changes_json(self.simulation.scenario, self.base, place)}
            for place, row in zip(others, difference_rows(self.simulation, self.base), strict=True)
        ]
        return {
            **result_json(self.simulation),
            "study": "compare",
            "baseline": self.baseline,
            "differences": found,
            "ties": {v.name: letter for v, letter in zip(variants, letters, strict=True)},
        }


def _changes_json(scenario: Scenario, base: int, place: int) -> list[dict[str, Any]]:
    changes = changes_between(scenario.variants[base], scenario.variants[place])
    return [{"path": c.path, "before": c.before, "after": c.after} for c in changes]


def compare(
    scenario: Scenario,
    baseline: str | None = None,
    *,
    workers: int | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Comparison:
    """Compare every variant with a baseline on the same seed.

    Parameters
    ----------
    scenario
        What to play; ``scenario.run`` holds the stopping rule.
    baseline
        The name of a variant, by default the first.
    workers, report
        As in `balance.simulate.simulate`.

    Raises
    ------
    InputError
        If there is no such variant, or nothing to compare it with.
    """
    base = baseline_of(scenario, baseline)
    variants = list(scenario.variants)
    variants.insert(0, variants.pop(base))
    return Comparison(simulate(scenario.playing(variants), workers, report), 0)


def baseline_of(scenario: Scenario, name: str | None) -> int:
    """The place of a variant that is to be the baseline; the first where none is named.

    Raises
    ------
    InputError
        If there is no such variant, or nothing to compare it with.
    """
    names = [variant.name for variant in scenario.variants]
    if len(names) < 2:
        raise InputError(f"{scenario.path}: has one variant only; write two or more to compare")
    if name is None:
        return 0
    if name not in names:
        raise InputError(
            f"--baseline {name}: there is no such variant{suggest(name, names)}; "
            f"has: {one_of(names)}"
        )
    return names.index(name)


@dataclass(frozen=True)
class Pair:
    """What was found of two variants."""

    first: str
    second: str
    verdict: Verdict
    """What the headline of the first is beside that of the second."""
    estimate: float | None
    """The difference, first minus second."""
    low: float
    """The ends of an interval that holds for all pairs and looks together."""
    high: float
    rollouts: int
    factor: float | None


@dataclass(frozen=True)
class Decided:
    """All pairs of variants, each told apart, equal within a margin, or undecided."""

    scenario: Scenario
    tallies: tuple[Tally, ...]
    """One of each variant; a variant that was settled early has fewer rollouts."""
    pairs: tuple[Pair, ...]
    equal_within: float
    spending: Spending
    stopped_by: str  # decided, max_rollouts (undecided) or interrupted

    @property
    def table(self) -> "pd.DataFrame":
        """One row per pair."""
        import pandas as pd

        return pd.DataFrame([vars(pair) for pair in self.pairs])

    @property
    def headlines(self) -> "pd.DataFrame":
        """One row per variant: its headline with a plain 95 % interval, and its rollouts."""
        import pandas as pd

        place = headline_column(self.scenario.game)[0]
        parts = [
            headline_table(
                Simulation(self.scenario.playing([variant]), Tallies.apart([tally], place), "")
            )
            for variant, tally in zip(self.scenario.variants, self.tallies, strict=True)
        ]
        return pd.concat(parts, ignore_index=True).drop(columns="ties")

    def json(self) -> dict[str, Any]:
        """The result as one object."""
        apart = Tallies.apart(self.tallies, headline_column(self.scenario.game)[0])
        return {
            **result_json(Simulation(self.scenario, apart, self.stopped_by)),
            "study": "compare until decided",
            "equal_within": self.equal_within,
            "error": self.spending.error,
            "max_rollouts": self.spending.budget,
            "looks": len(self.spending.looks),
            "pairs": [vars(pair) for pair in self.pairs],
        }


def compare_until_decided(
    scenario: Scenario,
    *,
    equal_within: float = EQUAL_WITHIN,
    error: float = ERROR,
    budget: int | None = None,
    workers: int | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Decided:
    """Play until every pair of variants is told apart or shown equal, or the budget ends.

    Looks happen at fixed rollout counts. The chance that any verdict on any pair at any look is
    wrong is at most ``error``: "higher" and "lower" where it is not so, "equal" where the
    headlines differ by more than the margin.

    Parameters
    ----------
    scenario
        What to play; its stopping rule does not matter.
    equal_within
        The margin: headlines that differ by no more count as equal.
    error
        The chance of any wrong verdict.
    budget
        The most rollouts of a variant; by default what the scenario says, or 1,000,000.
    workers, report
        As in `balance.simulate.simulate`.

    Raises
    ------
    InputError
        If there is one variant only.
    """
    baseline_of(scenario, None)
    pairs = list(combinations(range(len(scenario.variants)), 2))
    spending = Spending(error, budget_of(scenario.run) if budget is None else budget, len(pairs))
    race = _Race(scenario, pairs, equal_within, spending)
    looked = play_from_look_to_look(scenario, spending.looks, race.look, workers, report)
    pairs_found = {**race.open, **race.settled}
    return Decided(
        scenario,
        looked.tallies,
        tuple(pairs_found[pair] for pair in pairs),
        equal_within,
        spending,
        looked.stopped_by,
    )


class _Race:
    """The pairs of variants, by what was last seen of them, still open or settled."""

    def __init__(
        self, scenario: Scenario, pairs: Sequence[Places], equal_within: float, spending: Spending
    ) -> None:
        self.game = scenario.game
        self.names = [variant.name for variant in scenario.variants]
        self.equal_within = equal_within
        self.spending = spending
        self.settled: dict[Places, Pair] = {}
        unseen = (None, -1.0, 1.0, 0, None)
        self.open = {
            (a, b): Pair(self.names[a], self.names[b], "undecided", *unseen) for a, b in pairs
        }

    def look(self, active: Sequence[int], tallies: Tallies) -> set[int]:
        """Settle what can be settled; the variants of the pairs that are still open."""
        headlines = Headlines(self.game, tallies)
        for pair in list(self.open):
            a, b = pair
            found = self._pair(headlines, (active.index(a), active.index(b)), pair)
            if found.verdict == "undecided":
                self.open[pair] = found
            else:
                self.settled[pair] = found
                del self.open[pair]
        return {place for pair in self.open for place in pair}

    def _pair(self, headlines: Headlines, at: Places, pair: Places) -> Pair:
        found = headlines.difference(*at)
        low, high = _interval(headlines, *at, self.spending.each)
        verdict: Verdict = "undecided"
        if low > 0 or high < 0:
            verdict = "higher" if low > 0 else "lower"
        elif -self.equal_within <= low and high <= self.equal_within:
            verdict = "equal"
        first, second = (self.names[place] for place in pair)
        n = headlines.n
        return Pair(first, second, verdict, found.estimate.value, low, high, n, found.factor)


def _interval(headlines: Headlines, a: int, b: int, error: float) -> tuple[float, float]:
    """An interval of the difference that holds at any level."""
    both = int(headlines.tallies.joint[a, b])
    n = headlines.n
    if headlines.column.kind == "rate":
        only_a, only_b = headlines.sums[a] - both, headlines.sums[b] - both
        return paired_rate_interval(only_a, only_b, n, error)
    total = headlines.sums[a] - headlines.sums[b]
    squares = headlines.squares[a] + headlines.squares[b] - 2 * both
    return paired_share_interval(total, squares, n, headlines.column.scale, error)
