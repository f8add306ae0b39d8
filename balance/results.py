"""Results: what a simulation says, as one JSON object and as DataFrames."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from balance import __version__
from balance.games import Column
from balance.scenario import Variant
from balance.simulate import Simulation
from balance.statistics import (
    Estimate,
    holm,
    mcnemar,
    mean,
    rate,
    rollouts_for,
    tie_letters,
)
from balance.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "describe_policies",
    "endings",
    "lengths",
    "metrics",
    "result_json",
    "summary",
    "to_json",
    "verdicts",
]

FINE = 0.001  # an interval of +-0.1 points
LEVEL = 0.05


@dataclass(frozen=True)
class Metric:
    """One number of one variant."""

    name: str
    label: str
    kind: str
    description: str
    estimate: Estimate


def metrics(columns: list[Column], tally: Tally) -> list[Metric]:
    """All metrics of one variant, in the order of the columns."""
    found = []
    for place, column in enumerate(columns):
        if column.kind == "level":
            counts = tally.counts(place).tolist()
            for value, level in enumerate(column.levels):
                n = counts[value] if value < len(counts) else 0
                label = f"{column.label} {level.replace('_', ' ')}"
                name = f"{column.name}.{level}"
                estimate = rate(n, tally.rollouts)
                found.append(Metric(name, label, "rate", column.description, estimate))
            continue
        total, squares = tally.moments(place)
        if column.kind == "rate":
            estimate = rate(total, tally.rollouts)
        else:
            estimate = mean(total, squares, tally.rollouts)
        found.append(Metric(column.metric, column.label, column.kind, column.description, estimate))
    return found


def _variant_json(variant: Variant, columns: list[Column], tally: Tally) -> dict[str, Any]:
    return {
        "name": variant.name,
        "rules": variant.rules.model_dump(),
        "policies": [policy.model_dump() for policy in variant.policies],
        "rollouts": tally.rollouts,
        "metrics": [
            {
                "metric": metric.name,
                "estimate": metric.estimate.value,
                "low": metric.estimate.low,
                "high": metric.estimate.high,
                "n": metric.estimate.n,
                "exact": None,
            }
            for metric in metrics(columns, tally)
        ],
    }


def result_json(simulation: Simulation) -> dict[str, Any]:
    """The result as one object; the same for the same scenario and seed, whatever the machine."""
    scenario = simulation.scenario
    columns = list(scenario.game.columns)
    pairs = zip(scenario.variants, simulation.tallies.variants, strict=True)
    return {
        "scenario": scenario.name,
        "game": scenario.game.name,
        "seed": scenario.run.seed,
        "version": __version__,
        "stopped_by": simulation.stopped_by,
        "partial": simulation.partial,
        "variants": [_variant_json(variant, columns, tally) for variant, tally in pairs],
    }


def to_json(value: Any) -> str:
    """Strict JSON: no NaN, no infinity."""
    return json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False)


def describe_policies(variant: Variant) -> str:
    """Who played, in few words: `expert`, or `1 random, 2-4 expert` by seats."""
    labels = []
    for policy in variant.policies:
        mistakes = getattr(policy, "mistakes", 0.0)
        labels.append(policy.name + (f" ({mistakes:.0%} mistakes)" if mistakes else ""))  # type: ignore[attr-defined]
    if len(set(labels)) == 1:
        return str(labels[0])
    return ", ".join(f"{seat} {label}" for seat, label in enumerate(labels, start=1))


def _tie_letters(simulation: Simulation) -> list[str]:
    """Variants that share a letter have headlines whose difference is not established."""
    joint = simulation.tallies.joint
    n = len(simulation.scenario.variants)
    pairs = list(combinations(range(n), 2))
    p_values = [
        mcnemar(int(joint[a, a] - joint[a, b]), int(joint[b, b] - joint[a, b])) for a, b in pairs
    ]
    adjusted = holm(p_values)
    different = {pair for pair, p in zip(pairs, adjusted, strict=True) if p < LEVEL}
    return tie_letters(n, different)


def summary(simulation: Simulation) -> "pd.DataFrame":
    """One row per variant and metric, with intervals, rollouts and policy."""
    import pandas as pd

    rows = []
    scenario = simulation.scenario
    for variant, tally in zip(scenario.variants, simulation.tallies.variants, strict=True):
        for metric in metrics(list(scenario.game.columns), tally):
            rows.append(
                {
                    "variant": variant.name,
                    "metric": metric.name,
                    "label": metric.label,
                    "kind": metric.kind,
                    "estimate": metric.estimate.value,
                    "low": metric.estimate.low,
                    "high": metric.estimate.high,
                    "n": metric.estimate.n,
                    "policies": describe_policies(variant),
                    "description": metric.description,
                }
            )
    return pd.DataFrame(rows)


def headline_table(simulation: Simulation) -> "pd.DataFrame":
    """One row per variant: headline with interval and tie letter, and what it rests on."""
    import pandas as pd

    rows = []
    scenario, tallies = simulation.scenario, simulation.tallies
    letters = _tie_letters(simulation)
    for place, variant in enumerate(scenario.variants):
        headline = rate(int(tallies.joint[place, place]), tallies.rollouts)
        rows.append(
            {
                "variant": variant.name,
                "estimate": headline.value,
                "low": headline.low,
                "high": headline.high,
                "n": headline.n,
                "ties": letters[place],
                "policies": describe_policies(variant),
                "rollouts_for_fine": rollouts_for(FINE, headline.value or 0.0),
                "changes": _changes(variant),
            }
        )
    return pd.DataFrame(rows)


def _changes(variant: Variant) -> str:
    from balance.values import show

    parts = [
        f"{section}.{key} = {show(value)}"
        for section in ("rules", "policies")
        for key, value in (variant.changes.get(section) or {}).items()
    ]
    return ", ".join(parts) or "the file's own rules"


def endings(simulation: Simulation) -> "pd.DataFrame":
    """How games end: one row per variant, one column per ending, rates that add up to 1."""
    import pandas as pd

    scenario = simulation.scenario
    rows = {}
    for variant, tally in zip(scenario.variants, simulation.tallies.variants, strict=True):
        shares: dict[str, float] = {}
        for place, column in enumerate(scenario.game.columns):
            counts = tally.counts(place).tolist()
            n = max(tally.rollouts, 1)
            if column.kind == "level":
                for value, level in enumerate(column.levels[1:], start=1):
                    count = counts[value] if value < len(counts) else 0
                    shares[f"{column.label} {level.replace('_', ' ')}".lower()] = count / n
            elif column.name in ("won", "stalled"):
                shares[column.name] = (counts[1] if len(counts) > 1 else 0) / n
        rows[variant.name] = shares
    return pd.DataFrame.from_dict(rows, orient="index")


def lengths(simulation: Simulation) -> "pd.DataFrame":
    """How long games last: one row per length, one column of rates per variant."""
    import pandas as pd

    scenario = simulation.scenario
    name = scenario.game.length
    place = [column.name for column in scenario.game.columns].index(name)
    shares = {
        variant.name: pd.Series(tally.counts(place) / max(tally.rollouts, 1))
        for variant, tally in zip(scenario.variants, simulation.tallies.variants, strict=True)
    }
    table = pd.DataFrame(shares).fillna(0.0)
    table.index.name = name
    return table


def verdicts(simulation: Simulation) -> list[str]:
    """What the result says, in sentences; nothing that is not established."""
    table = headline_table(simulation)
    lines = []
    if simulation.tallies.rollouts == 0:
        return ["Stopped before anything was simulated."]
    hardest = sorted(table.to_dict("records"), key=lambda row: row["estimate"])
    for row in table.to_dict("records"):
        lines.append(_verdict(row))
    if len(hardest) > 1:
        lines.append(_ranking(hardest))
    return lines


def _verdict(row: Mapping[Any, Any]) -> str:
    who = f"{row['variant']}: "
    if row["high"] < 0.01:
        return who + (
            f"these players practically never win (at most {100 * row['high']:.2g}% of games, "
            f"{row['policies']})"
        )
    if row["low"] > 0.99:
        return who + f"these players practically always win (at least {row['low']:.2%})"
    if row["estimate"] == 0:
        return who + (
            f"no win in {row['n']:,} games: too few to say more than at most {row['high']:.0%} "
            f"({row['policies']})"
        )
    one_in = 1 / row["estimate"]
    every = f"about one game in {one_in:.1f}" if one_in < 10 else f"about one game in {one_in:.0f}"
    return who + f"{row['policies']} wins {row['estimate']:.1%}, {every}"


def _ranking(rows: Sequence[Mapping[Any, Any]]) -> str:
    pairs = []
    for harder, easier in combinations(rows, 2):
        if set(harder["ties"]) & set(easier["ties"]):
            pairs.append(f"{harder['variant']} and {easier['variant']}")
    hardest, easiest = rows[0], rows[-1]
    if set(hardest["ties"]) & set(easiest["ties"]):
        start = "No difference between the hardest and the easiest is established"
    else:
        start = f"{hardest['variant']} is harder than {easiest['variant']}, established at 5 %"
    tied = f"; tied so far: {', '.join(pairs)}" if pairs else "; no two are tied"
    return start + tied + "."
