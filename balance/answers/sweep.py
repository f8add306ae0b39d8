"""How sweeps are shown."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from balance.answers.answer import Answer, Chart
from balance.answers.fields import estimate_text, word_field
from balance.headline import LEVEL, lowered
from balance.report import stopping_words
from balance.results import describe_policies, headline_metric
from balance.statistics import holm
from balance.studies.sweep import Sweep
from balance.values import show

if TYPE_CHECKING:
    import pandas as pd

    from reports.grid import Grid

__all__ = ["sweep_answer"]

ABREAST = 7  # columns of a table of two fields that a narrow terminal holds


def sweep_answer(found: Sweep) -> Answer:
    """What `sweep` says."""
    label, kind = _label(found)
    fields = " and ".join(axis.path for axis in found.axes)
    one = len(found.axes) == 1
    table = found.table
    grids = {"points": _curve_grid(found, table, label, kind)} if one else _maps(found, table, kind)
    charts = {}
    if one:
        draw = _curve_chart(found, label, kind)
        charts["curve"] = Chart(f"{label} over {fields}", draw, _curve(found, table), 4.2)
    else:
        charts = _heat_charts(found, table, label, kind)
    return Answer(
        f"{label} over {fields}",
        found.scenario,
        stopping_words(found.simulation),
        _verdicts(found, kind),
        grids,
        charts,
        {} if one else {"points": table},
        found.json(),
    )


def _label(found: Sweep) -> tuple[str, str]:
    metric = found.points[0].metric
    return lowered(metric.label), metric.kind


def _curve(found: Sweep, table: "pd.DataFrame") -> "pd.DataFrame":
    """The columns that the chart of a curve takes."""
    path = found.axes[0].path
    now = {name: values[0] for name, values in found.now.items()}
    curve = table.rename(columns={path: "value"})
    curve["now"] = [
        value == now[variant]
        for value, variant in zip(curve["value"], curve["variant"], strict=True)
    ]
    if not found.axes[0].numeric:
        curve["value"] = curve["value"].map(show)
    return curve


def _curve_chart(found: Sweep, label: str, kind: str) -> Any:
    from reports.study_charts import curve_chart

    return partial(curve_chart, what=label, field=found.axes[0].path, is_rate=kind == "rate")


def _curve_grid(found: Sweep, table: "pd.DataFrame", label: str, kind: str) -> "Grid":
    from reports.grid import Field, Grid

    path = found.axes[0].path
    now = {name: values[0] for name, values in found.now.items()}
    several = len(found.scenario.variants) > 1
    exact = table["exact"].notna().any()
    fields = [
        *([word_field("variant", "variant")] if several else []),
        Field(
            path.removeprefix("rules."),
            lambda row: show(row[path]) + (" *" if row[path] == now[row["variant"]] else "  "),
        ),
        Field(label, lambda row: estimate_text(row["estimate"], kind)),
        Field(
            "95 % interval",
            lambda row: f"{estimate_text(row['low'], kind)} .. {estimate_text(row['high'], kind)}",
            "of each point alone",
            unbroken=True,
        ),
        *([Field("exact", lambda row: estimate_text(row["exact"], kind))] if exact else []),
    ]
    who = {describe_policies(variant) for variant in found.scenario.variants}
    note = f"* what it is now; policy: {', '.join(sorted(who))}"
    return Grid("", table, fields, note)


def _wide(found: Sweep, table: "pd.DataFrame", variant: str) -> "pd.DataFrame":
    """The second field downwards, the first across."""
    first, second = (axis.path for axis in found.axes)
    rows = table[table["variant"] == variant]
    shown = rows.assign(**{path: rows[path].map(show) for path in (first, second)})
    wide = shown.pivot(index=second, columns=first, values="estimate")
    order = [[show(value) for value in axis.values] for axis in found.axes]
    return wide.loc[order[1], order[0]]


def _maps(found: Sweep, table: "pd.DataFrame", kind: str) -> "dict[str, Grid]":
    from reports.grid import Field, Grid

    second = found.axes[1].path
    grids = {}
    for variant in found.scenario.variants:
        wide = _wide(found, table, variant.name)
        columns = list(wide.columns)
        fields = [Field(second, lambda row: str(row[second]))]
        fields += [
            Field(name, lambda row, name=name: estimate_text(row[name], kind))  # type: ignore[misc]
            for name in columns
        ]
        values = ", ".join(show(value) for value in found.now[variant.name])
        title = f"{variant.name}: {found.axes[0].path} across (now {values})"
        grids[f"map {variant.name}"] = Grid(title, wide.reset_index(), fields, abreast=ABREAST)
    last = next(reversed(grids))
    half = float((table["high"] - table["low"]).max()) / 2
    widest = f"{100 * half:.2f} points" if kind == "rate" else estimate_text(half, kind)
    who = {describe_policies(variant) for variant in found.scenario.variants}
    note = f"policy: {', '.join(sorted(who))}"
    if half == half:  # something was played
        note = f"95 % intervals: at most ±{widest} around each; {note}"
    grids[last] = replace(grids[last], note=note)
    return grids


def _heat_charts(found: Sweep, table: "pd.DataFrame", label: str, kind: str) -> dict[str, Chart]:
    from reports.study_charts import heat_chart

    charts = {}
    for variant in found.scenario.variants:
        wide = _wide(found, table, variant.name)
        draw = partial(heat_chart, what=label, is_rate=kind == "rate")
        charts[f"map {variant.name}"] = Chart(
            f"{label}: {variant.name}", draw, wide, 1.5 + 0.4 * len(wide)
        )
    return charts


def _verdicts(found: Sweep, kind: str) -> list[str]:
    from reports.tables import points

    lines = []
    for variant in found.scenario.variants:
        mine = [point for point in found.points if point.variant == variant.name]
        known = [point for point in mine if point.metric.estimate.value is not None]
        if not known:
            continue
        low, high = (
            pick(known, key=lambda point: point.metric.estimate.value or 0.0) for pick in (min, max)
        )
        said = [
            f"{estimate_text(point.metric.estimate.value, kind)} at "
            + ", ".join(show(value) for value in point.values)
            for point in (low, high)
        ]
        line = f"{variant.name}: from {said[0]} to {said[1]}"
        headline = headline_metric(found.scenario.game)
        if len(found.axes) == 1 and found.metric == headline and found.axes[0].numeric:
            steps = found.steps(variant.name)
            adjusted = holm([change.p_value for _, _, change in steps])
            told = [step for step, p in zip(steps, adjusted, strict=True) if p < LEVEL]
            if told:
                before, after, change = max(told, key=lambda s: abs(s[2].estimate.value or 0.0))
                ends = (change.estimate.low, change.estimate.high)
                line += (
                    f"; the widest step seen, {show(before)} to {show(after)}: "
                    f"{points(change.estimate.value)} points "
                    f"({points(ends[0])} .. {points(ends[1])})"
                )
            elif steps:
                line += "; no step is established (5 %, all together)"
        lines.append(line)
    return lines or ["Stopped before anything was simulated."]
