"""Results: what a simulation says, as one JSON object and as DataFrames."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from balance import __version__
from balance.games import Column
from balance.games.base import Grouping
from balance.scenario import Variant
from balance.simulate import Simulation
from balance.statistics import (
    Estimate,
    equal_rates,
    holm,
    mcnemar,
    mean,
    paired_difference,
    paired_factor,
    rate,
    rate_difference,
    rollouts_for,
    tie_letters,
)
from balance.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Grouped",
    "describe_policies",
    "difference_table",
    "endings",
    "group_table",
    "grouped",
    "lengths",
    "member_table",
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


@dataclass(frozen=True)
class Group:
    """How one group fared: its headline rate."""

    members: tuple[str, ...]
    rate: Estimate


@dataclass(frozen=True)
class Member:
    """The headline rate with and without a member, and the difference of the two."""

    name: str
    present: Estimate
    absent: Estimate
    effect: Estimate
    established: bool


@dataclass(frozen=True)
class Grouped:
    """One grouping of one variant: groups from the best down, members from the most helpful."""

    variant: str
    grouping: Grouping
    groups: list[Group]
    members: list[Member]


def grouped(simulation: Simulation) -> list[Grouped]:
    """The groupings that tell something: those of each variant in which several groups occur."""
    variants = zip(simulation.scenario.variants, simulation.tallies.variants, strict=True)
    return [one for variant, tally in variants for one in _groupings(simulation, variant, tally)]


def _groupings(simulation: Simulation, variant: Variant, tally: Tally) -> list[Grouped]:
    found = []
    # a tally that was made without groupings has none
    for grouping, counts in zip(simulation.scenario.game.groupings, tally.groups, strict=False):
        played = {
            grouping.members(key): (won, n) for key, (n, won) in enumerate(counts.tolist()) if n > 0
        }
        if len(played) > 1:
            groups = [Group(members, rate(*count)) for members, count in played.items()]
            groups.sort(key=lambda group: (-(group.rate.value or 0.0), group.members))
            found.append(Grouped(variant.name, grouping, groups, _members(played)))
    return found


def _members(played: Mapping[tuple[str, ...], tuple[int, int]]) -> list[Member]:
    """Each member's effect; established ones differ from 0 by the interval and by Holm's test."""
    counts = []
    for name in sorted({name for members in played for name in members}):
        present, absent = (
            (sum(won for won, _ in side), sum(n for _, n in side))
            for side in (
                [count for members, count in played.items() if (name in members) == inside]
                for inside in (True, False)
            )
        )
        counts.append((name, present, absent))
    adjusted = holm([equal_rates(present, absent) for _, present, absent in counts])
    found = []
    for (name, present, absent), p in zip(counts, adjusted, strict=True):
        effect = rate_difference(present, absent)
        low, high = effect.low or 0.0, effect.high or 0.0  # what is not known is not apart from 0
        established = (low > 0 or high < 0) and p < LEVEL
        found.append(Member(name, rate(*present), rate(*absent), effect, established))
    return sorted(found, key=lambda member: (-(member.effect.value or 0.0), member.name))


def _estimate_json(estimate: Estimate) -> dict[str, Any]:
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
    }


def _grouped_json(found: Grouped) -> dict[str, Any]:
    return {
        "groups": [
            {
                "members": list(group.members),
                "rollouts": group.rate.n,
                "win_rate": _estimate_json(group.rate),
            }
            for group in found.groups
        ],
        "members": [
            {
                "name": member.name,
                "rollouts_with": member.present.n,
                "with": _estimate_json(member.present),
                "without": _estimate_json(member.absent),
                "effect": _estimate_json(member.effect),
                "established": member.established,
            }
            for member in found.members
        ],
    }


def _variant_json(
    variant: Variant, columns: list[Column], tally: Tally, groups: Sequence[Grouped]
) -> dict[str, Any]:
    result: dict[str, Any] = {
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
    if groups:
        result["groups"] = {found.grouping.name: _grouped_json(found) for found in groups}
    return result


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
        "variants": [
            _variant_json(variant, columns, tally, _groupings(simulation, variant, tally))
            for variant, tally in pairs
        ],
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


def difference_table(simulation: Simulation) -> "pd.DataFrame":
    """One row per variant but the first: its headline less that of the first, on the same rollouts.

    What is ``established`` is so at 5 % for all rows together (McNemar's exact test, Holm).
    ``factor`` is how many times fewer rollouts this took than two runs on different seeds.
    """
    import pandas as pd

    joint, n = simulation.tallies.joint, simulation.tallies.rollouts
    rows = []
    for place, variant in enumerate(simulation.scenario.variants[1:], start=1):
        won, first = int(joint[place, place]), int(joint[0, 0])
        both = int(joint[0, place])
        difference = paired_difference(won - both, first - both, n)
        gap = (won - first, won + first - 2 * both)
        rows.append(
            {
                "variant": variant.name,
                "first": simulation.scenario.variants[0].name,
                "estimate": difference.value,
                "low": difference.low,
                "high": difference.high,
                "n": n,
                "p_value": mcnemar(won - both, first - both),
                "factor": paired_factor((won, won), (first, first), gap, n),
            }
        )
    table = pd.DataFrame(rows)
    if rows:
        table["established"] = [p < LEVEL for p in holm(table["p_value"].tolist())]
    return table


def group_table(found: Grouped) -> "pd.DataFrame":
    """One row per group, from the best down: who is in it, and its headline with interval."""
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "variant": found.variant,
                "members": ", ".join(group.members) or "none",
                "rollouts": group.rate.n,
                "win_rate": group.rate.value,
                "low": group.rate.low,
                "high": group.rate.high,
            }
            for group in found.groups
        ]
    )


def member_table(found: Grouped) -> "pd.DataFrame":
    """One row per member, from the most helpful down: headline with, without and difference."""
    import pandas as pd

    rows = []
    for member in found.members:
        row: dict[str, Any] = {"variant": found.variant, "member": member.name}
        for name, estimate in (("with", member.present), ("without", member.absent)):
            row[f"rollouts_{name}"] = estimate.n
            row[name] = estimate.value
            row[f"{name}_low"] = estimate.low
            row[f"{name}_high"] = estimate.high
        row["effect"] = member.effect.value
        row["effect_low"] = member.effect.low
        row["effect_high"] = member.effect.high
        row["established"] = member.established
        rows.append(row)
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
    """How games end: one row per variant, one column per ending, rates that add up to 1.

    The levels of a seat's own column (`character.1`) are no endings.
    """
    import pandas as pd

    scenario = simulation.scenario
    rows = {}
    for variant, tally in zip(scenario.variants, simulation.tallies.variants, strict=True):
        shares: dict[str, float] = {}
        for place, column in enumerate(scenario.game.columns):
            counts = tally.counts(place).tolist()
            n = max(tally.rollouts, 1)
            if column.kind == "level" and "." not in column.name:
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
