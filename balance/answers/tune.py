"""How the tuning of a field is shown."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from balance.answers.answer import Answer, Chart
from balance.answers.fields import estimate_text, row_estimate
from balance.fields import value_at
from balance.headline import lowered
from balance.report import stopping_words
from balance.results import describe_policies
from balance.studies.tune import Crossing, Tried, Tuned
from balance.values import show

if TYPE_CHECKING:
    from reports.grid import Grid

__all__ = ["tune_answer"]

MOST_ROWS = 24


def tune_answer(found: Tuned) -> Answer:
    """What `tune` says."""
    from reports.study_charts import curve_chart

    metric = found.best.metric
    label = lowered(metric.label)
    table = found.table
    curve = table.rename(columns={found.axis.path: "value"})
    curve["variant"] = found.variant.name
    now = value_at(found.variant, found.axis.path)
    curve["now"] = [value == now for value in curve["value"]]
    draw = partial(
        curve_chart,
        what=label,
        field=found.axis.path,
        is_rate=metric.kind == "rate",
        target=found.target.value,
    )
    wanted = estimate_text(found.target.value, metric.kind)
    return Answer(
        f"{found.axis.path} for {label} = {wanted}",
        found.scenario.playing([found.variant]),
        stopping_words(found.simulation),
        _verdicts(found, label, wanted),
        {"values": _grid(found, label, now)},
        {"curve": Chart(f"{label} over {found.axis.path}, and the target", draw, curve, 4.2)},
        json=found.json(),
    )


def _grid(found: Tuned, label: str, now: Any) -> "Grid":
    from reports.grid import Field, Grid

    path, kind = found.axis.path, found.best.metric.kind
    table = found.table
    left_out = max(0, len(table) - MOST_ROWS)
    if left_out:
        distance = (table["estimate"] - found.target.value).abs()
        table = table.loc[sorted(distance.nsmallest(MOST_ROWS).index)]
    fields = [
        Field(path.removeprefix("rules."), lambda row: show(row[path])),
        Field(f"{label} (95 % interval)", lambda row: row_estimate(row, kind), unbroken=True),
        Field(
            "",
            lambda row: ", ".join(_marks(found, row, now)),
            "nearest: to the target; possible: the noise does not rule out that it is the nearest",
            right=False,
        ),
    ]
    if table["exact"].notna().any():
        fields.insert(2, Field("exact", lambda row: estimate_text(row["exact"], kind)))
    note = f"policy: {describe_policies(found.variant)}"
    if left_out:
        note += f"; {left_out} more values were tried, further from the target"
    return Grid("", table, fields, note)


def _marks(found: Tuned, row: Any, now: Any) -> list[str]:
    value = row[found.axis.path]
    marks = ["nearest"] if row["best"] else ["possible"] if row["possible"] else []
    return [*marks, "now"] if value == now else marks


def _verdicts(found: Tuned, label: str, wanted: str) -> list[str]:
    path, best = found.axis.path, found.best
    if found.crossings and found.status == "met":
        lines = [_crossing_words(found, crossing, label) for crossing in _by_nearness(found)]
        if len(lines) > 1 and _apart(found.crossings):
            lines.append(f"the curve is not monotone: it meets the target {len(lines)} times")
        elif len(lines) > 1:
            lines.append("the noise does not tell all of these apart")
    elif found.status == "unknown":
        return ["nothing was played"]
    elif found.status == "met":
        lines = [f"{path} = {show(best.value)} gives {_said(best)}; the target {label} is {wanted}"]
    elif found.status == "between":
        below, above = _neighbours(found)
        none = "no value" if found.complete else "no value tried"
        lines = [
            f"{none} gives {wanted}: {path} = {show(below.value)} gives {_said(below)}, "
            f"{show(above.value)} gives {_said(above)}; the nearest is {show(best.value)}"
        ]
    else:
        ends = [min(found.tried, key=_value), max(found.tried, key=_value)]
        low, high = (estimate_text(_value(end), best.metric.kind) for end in ends)
        lines = [
            f"{wanted} is out of reach: {path} gives from {low} to {high}; "
            f"the nearest is {show(best.value)} with {_said(best)}"
        ]
    others = [show(value) for value in found.possible if value != best.value]
    if found.complete and others:
        lines.append(
            f"the noise leaves it possible that one of these is nearer: {', '.join(others)}"
        )
    elif found.complete:
        lines.append(f"no other value tried is as near (all {len(found.tried)} together, 95 %)")
    else:
        lines.append(
            f"{len(found.tried)} values were tried; between them the curve is taken to be smooth"
        )
    return lines


def _apart(crossings: Sequence[Crossing]) -> bool:
    """Whether values between all of the crossings are ruled out."""
    pairs = pairwise(sorted(crossings, key=lambda crossing: crossing.value))
    return all(a.high is not None and b.low is not None and a.high < b.low for a, b in pairs)


def _by_nearness(found: Tuned) -> list[Crossing]:
    """The crossings, those near the value that the field has now first."""
    now = value_at(found.variant, found.axis.path)
    if isinstance(now, bool) or not isinstance(now, (int, float)):
        return list(found.crossings)
    return sorted(found.crossings, key=lambda crossing: abs(crossing.value - now))


def _crossing_words(found: Tuned, crossing: Crossing, label: str) -> str:
    low, high = (
        show(_short(edge)) if edge is not None else "the end of the range"
        for edge in (crossing.low, crossing.high)
    )
    return (
        f"{found.axis.path} = {show(_short(crossing.value))} gives the target {label} of "
        f"{estimate_text(found.target.value, found.best.metric.kind)}; "
        f"the noise leaves {low} to {high} possible (95 %)"
    )


def _short(value: Any) -> Any:
    return float(f"{value:.4g}") if isinstance(value, float) else value


def _said(one: Tried) -> str:
    estimate, kind = one.metric.estimate, one.metric.kind
    return row_estimate(
        {"estimate": estimate.value, "low": estimate.low, "high": estimate.high}, kind
    )


def _neighbours(found: Tuned) -> tuple[Tried, Tried]:
    """The values that come nearest to the target from below and from above."""
    below = [one for one in found.tried if _value(one) < found.target.value]
    above = [one for one in found.tried if _value(one) >= found.target.value]
    return max(below, key=_value), min(above, key=_value)


def _value(one: Tried) -> float:
    return one.metric.estimate.value or 0.0
