"""Results: what a simulation says, as one JSON object and as DataFrames."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from balance import __version__
from balance.games import Column, Game
from balance.games.base import Grouping, Ratio
from balance.headline import LEVEL, Headlines, headline_column
from balance.scenario import Variant
from balance.simulate import Simulation
from balance.statistics import (
    Estimate,
    Sums,
    equal_rates,
    holm,
    mean,
    rate,
    rate_difference,
    ratio,
    rollouts_for,
    scaled,
    share,
)
from balance.tally import Tally
from balance.values import show

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Grouped",
    "describe_policies",
    "difference_rows",
    "difference_table",
    "endings",
    "group_table",
    "grouped",
    "lengths",
    "member_table",
    "metrics",
    "policy_label",
    "policy_labels",
    "reach_curves",
    "reach_table",
    "result_json",
    "seat_table",
    "shares",
    "summary",
    "to_json",
]

FINE = 0.001  # an interval of +-0.1 points
SEAT_SHARE, POLICY_SHARE = "win_share", "policy_share"
ENDING_WORDS = {"win_rate": "won"}


@dataclass(frozen=True)
class Metric:
    """One number of one variant; ``exact`` is its true value where that is known."""

    name: str
    label: str
    kind: str
    description: str
    estimate: Estimate
    exact: float | None = None


def headline_metric(game: Game) -> str:
    """The name of the headline among the metrics."""
    return headline_column(game)[1].metric


def metrics(game: Game, rules: Any, tally: Tally) -> list[Metric]:
    """All metrics of one variant, in the order of the columns, then the ratios."""
    absent = set(game.absent(rules))
    exact = game.exact(rules)
    found = []
    for place, column in enumerate(game.columns):
        if column.name not in absent:
            found += _column_metrics(place, column, tally)
    places = {column.name: place for place, column in enumerate(game.columns)}
    for number, one in enumerate(game.ratios):
        if one.name not in absent:
            estimate = _ratio(one, places, tally, number)
            kind = "rate" if one.is_rate else "count"
            found.append(Metric(one.name, one.label, kind, one.description, estimate))
    return [replace(metric, exact=exact.get(metric.name)) for metric in found]


def _column_metrics(place: int, column: Column, tally: Tally) -> list[Metric]:
    if column.kind == "level":
        counts = tally.counts(place).tolist()
        found = []
        for value, level in enumerate(column.levels):
            n = counts[value] if value < len(counts) else 0
            label = f"{column.label} {level.replace('_', ' ')}"
            name = f"{column.name}.{level}"
            found.append(Metric(name, label, "rate", column.description, rate(n, tally.rollouts)))
        return found
    total, squares = tally.moments(place)
    kind = "count"
    if column.kind == "rate":
        kind, estimate = "rate", rate(total, tally.rollouts)
    elif column.kind == "share":
        kind, estimate = "rate", share(total, squares, tally.rollouts, column.scale)
    else:
        estimate = scaled(mean(total, squares, tally.rollouts), column.scale)
    return [Metric(column.metric, column.label, kind, column.description, estimate)]


def _ratio(one: Ratio, places: Mapping[str, int], tally: Tally, number: int) -> Estimate:
    x, xx = tally.moments(places[one.numerator])
    y, yy = tally.moments(places[one.denominator])
    sums = Sums(x, y, xx, yy, tally.products[number], tally.rollouts)
    return ratio(sums, one.is_rate)


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
    game: Game, variant: Variant, tally: Tally, groups: Sequence[Grouped]
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
                "exact": metric.exact,
            }
            for metric in metrics(game, variant.rules, tally)
        ],
    }
    if groups:
        result["groups"] = {found.grouping.name: _grouped_json(found) for found in groups}
    return result


def result_json(simulation: Simulation) -> dict[str, Any]:
    """The result as one object; the same for the same scenario and seed, whatever the machine."""
    scenario = simulation.scenario
    game = scenario.game
    pairs = zip(scenario.variants, simulation.tallies.variants, strict=True)
    return {
        "scenario": scenario.name,
        "game": game.name,
        **({} if scenario.stage is None else {"stage": scenario.stage}),
        "seed": scenario.run.seed,
        "version": __version__,
        "stopped_by": simulation.stopped_by,
        "partial": simulation.partial,
        "variants": [
            _variant_json(game, variant, tally, _groupings(simulation, variant, tally))
            for variant, tally in pairs
        ],
    }


def to_json(value: Any) -> str:
    """Strict JSON: no NaN, no infinity."""
    return json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False)


def policy_labels(variant: Variant) -> list[str]:
    """What each seat's policy is called: its name, and what is unusual about it."""
    return [policy_label(policy) for policy in variant.policies]


def policy_label(policy: Any) -> str:
    """What a policy is called: its name, its mistakes, and what it does without."""
    unusual = [f"{policy.mistakes:.0%} mistakes"] if getattr(policy, "mistakes", 0.0) else []
    unusual += [
        f"no {name.replace('_', ' ')}"
        for name, info in type(policy).model_fields.items()
        if info.annotation is bool and info.default is True and not getattr(policy, name)
    ]
    return str(policy.name) + (f" ({', '.join(unusual)})" if unusual else "")


def describe_policies(variant: Variant) -> str:
    """Who played, in few words: `expert`, or `1 random, 2-4 expert` by seats."""
    labels = policy_labels(variant)
    if not labels:
        return "no players"
    if len(set(labels)) == 1:
        return labels[0]
    return ", ".join(f"{seat} {label}" for seat, label in enumerate(labels, start=1))


def summary(simulation: Simulation) -> "pd.DataFrame":
    """One row per variant and metric, with intervals, rollouts and policy."""
    import pandas as pd

    rows = []
    scenario = simulation.scenario
    for variant, tally in zip(scenario.variants, simulation.tallies.variants, strict=True):
        for metric in metrics(scenario.game, variant.rules, tally):
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
                    "exact": metric.exact,
                    "policies": describe_policies(variant),
                    "description": metric.description,
                }
            )
    return pd.DataFrame(rows)


def headline_table(simulation: Simulation) -> "pd.DataFrame":
    """One row per variant: headline with interval and tie letter, and what it rests on."""
    import pandas as pd

    rows = []
    scenario = simulation.scenario
    headlines = Headlines(scenario.game, simulation.tallies)
    letters = headlines.letters()
    for place, variant in enumerate(scenario.variants):
        headline = headlines.estimate(place)
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


def difference_rows(simulation: Simulation, base: int = 0) -> list[dict[str, Any]]:
    """For every variant but one: its headline less that of this one, on the same rollouts.

    What is ``established`` is so at 5 % for all rows together (Holm): by McNemar's exact test for
    a rate, by a z test for a share. ``factor`` is how many times fewer rollouts this took than two
    runs on different seeds.
    """
    variants = simulation.scenario.variants
    headlines = Headlines(simulation.scenario.game, simulation.tallies)
    others = [place for place in range(len(variants)) if place != base]
    apart = headlines.established([(place, base) for place in others])
    rows = []
    for place, established in zip(others, apart, strict=True):
        found = headlines.difference(place, base)
        rows.append(
            {
                "variant": variants[place].name,
                "first": variants[base].name,
                "estimate": found.estimate.value,
                "low": found.estimate.low,
                "high": found.estimate.high,
                "n": headlines.n,
                "p_value": found.p_value,
                "factor": found.factor,
                "established": established,
            }
        )
    return rows


def difference_table(simulation: Simulation, base: int = 0) -> "pd.DataFrame":
    """The `difference_rows` as a DataFrame."""
    import pandas as pd

    return pd.DataFrame(difference_rows(simulation, base))


def seat_table(simulation: Simulation) -> "pd.DataFrame":
    """Who wins: one row per variant and seat, with its policy, its share and the interval.

    Where seats are rotated, the share of a policy wherever it sits stands in ``policy_share``.
    Empty for games that are won or lost together.
    """
    import pandas as pd

    scenario = simulation.scenario
    rows = []
    for variant, tally in zip(scenario.variants, simulation.tallies.variants, strict=True):
        found = {metric.name: metric for metric in metrics(scenario.game, variant.rules, tally)}
        labels = policy_labels(variant)
        for seat, label in enumerate(labels, start=1):
            row: dict[str, Any] = {"variant": variant.name, "seat": seat, "policy": label}
            for name in (SEAT_SHARE, POLICY_SHARE):
                metric = found.get(f"{name}.{seat}")
                if metric is not None:
                    row[name] = metric.estimate.value
                    row[f"{name}_low"] = metric.estimate.low
                    row[f"{name}_high"] = metric.estimate.high
            if SEAT_SHARE in row:
                rows.append(row)
    return pd.DataFrame(rows)


def reach_table(simulation: Simulation) -> "pd.DataFrame":
    """What dice reach: one row per variant and threshold, simulated with interval, and exact."""
    import pandas as pd

    scenario = simulation.scenario
    rows = []
    for variant, tally in zip(scenario.variants, simulation.tallies.variants, strict=True):
        rules: Any = variant.rules
        found = {metric.name: metric for metric in metrics(scenario.game, rules, tally)}
        for place, threshold in enumerate(rules.thresholds, start=1):
            metric = found[f"reach.{place}"]
            rows.append(
                {
                    "variant": variant.name,
                    "dice": show(rules.dice),
                    "threshold": threshold,
                    "estimate": metric.estimate.value,
                    "low": metric.estimate.low,
                    "high": metric.estimate.high,
                    "exact": metric.exact,
                }
            )
    return pd.DataFrame(rows)


def reach_curves(game: Any, rules: Any) -> "pd.DataFrame":
    """The exact chance of each threshold (column) with so many dice (index)."""
    import pandas as pd

    what, counts, rows = game.curves(rules)
    return pd.DataFrame(rows, index=pd.Index(counts, name=what), columns=rules.thresholds)


def shares(simulation: Simulation, share_name: str) -> "pd.DataFrame":
    """The parts of the wins for a chart: columns group (variant), label, estimate, low, high."""
    import pandas as pd

    rows = []
    for row in seat_table(simulation).to_dict("records"):
        if share_name in row:
            seat = f"seat {row['seat']}"
            whose = f"{row['policy']} (of {seat})" if share_name == POLICY_SHARE else seat
            rows.append(
                {
                    "group": row["variant"],
                    "label": whose,
                    "estimate": row[share_name],
                    "low": row[f"{share_name}_low"],
                    "high": row[f"{share_name}_high"],
                }
            )
    return pd.DataFrame(rows)


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
    parts = [
        f"{section}.{key} = {show(value)}"
        for section in ("rules", "policies")
        for key, value in (variant.changes.get(section) or {}).items()
    ]
    return ", ".join(parts) or "the file's own rules"


def endings(simulation: Simulation) -> "pd.DataFrame":
    """How games end: one row per variant, one column per ending, rates that add up to 1."""
    import pandas as pd

    data = summary(simulation)
    rows = {}
    for variant in simulation.scenario.variants:
        mine = data[data["variant"] == variant.name].set_index("metric")
        rows[variant.name] = {
            ENDING_WORDS.get(name, str(mine.at[name, "label"]).lower()): mine.at[name, "estimate"]
            for name in simulation.scenario.game.endings
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def lengths(simulation: Simulation) -> "pd.DataFrame":
    """How long games last: one row per length, one column of rates per variant."""
    import pandas as pd

    scenario = simulation.scenario
    name = scenario.game.length
    place = [column.name for column in scenario.game.columns].index(name)
    column = scenario.game.columns[place]
    shares = {}
    for variant, tally in zip(scenario.variants, simulation.tallies.variants, strict=True):
        counts = tally.counts(place)
        values = (tally.lows[place] + np.arange(len(counts))) / column.scale
        shares[variant.name] = pd.Series(counts / max(tally.rollouts, 1), index=values)
    table = pd.DataFrame(shares).fillna(0.0)
    table.index.name = name
    return table
