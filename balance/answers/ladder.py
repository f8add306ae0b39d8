"""How ladders of players are shown."""

from functools import partial
from typing import TYPE_CHECKING, Any

from balance.answers.answer import Answer, Chart
from balance.answers.fields import headline_fields, points_fields, word_field
from balance.headline import headline_label
from balance.report import stopping_words
from balance.studies.ladder import Ladder

if TYPE_CHECKING:
    import pandas as pd

    from reports.grid import Grid

__all__ = ["ladder_answer"]

ABREAST = 5
EQUAL = "no difference is established"


def ladder_answer(found: Ladder) -> Answer:
    """What `ladder` says."""
    from reports.study_charts import ladder_chart

    game = found.simulation.scenario.game
    what = headline_label(game)
    table, gaps = found.table, found.gap_table
    several = len(found.scenario.variants) > 1
    restricted = found.rungs[0].kind == "without"
    grids = _matrix(found, table) if several else {"rungs": _single(table, what)}
    if restricted or not several:
        grids["gaps"] = _gap_grid(found, gaps, restricted)
    rungs, variants = len(found.rungs), len(found.scenario.variants)
    charts = {
        "ladder": Chart(
            f"{what}, by who plays",
            partial(ladder_chart, what=what),
            table,
            1.2 + rungs * max(0.36, 0.13 * variants),
        )
    }
    skill = _skill(found, table)
    if len(skill):
        from reports.study_charts import curve_chart

        draw = partial(curve_chart, what=what, field="share of decisions by chance", is_rate=True)
        charts["skill"] = Chart(f"{what}, by how often the players err", draw, skill, 4.2)
    return Answer(
        f"{what} without some options" if restricted else f"{what} by who plays",
        found.scenario,
        stopping_words(found.simulation),
        _verdicts(found, what, restricted),
        grids,
        charts,
        {"ladder": table} | ({} if "gaps" in grids else {"gaps": gaps}),
        found.json(),
    )


def _single(table: "pd.DataFrame", what: str) -> "Grid":
    from reports.grid import Field, Grid

    return Grid(
        "",
        table,
        [
            word_field("who plays", "rung"),
            *headline_fields(what),
            Field("rollouts", lambda row: f"{row['n']:,}"),
        ],
    )


def _gap_grid(found: Ladder, gaps: "pd.DataFrame", restricted: bool) -> "Grid":
    from reports.grid import Field, Grid
    from reports.tables import point_digits

    top = found.rungs[-1].label
    digits = point_digits(gaps, "low", "high")
    several = len(found.scenario.variants) > 1
    return Grid(
        "What each option is worth to them" if restricted else f"What {top} has over each",
        gaps,
        [
            *([word_field("variant", "variant")] if several else []),
            word_field("against", "rung"),
            *points_fields(digits),
            Field("", lambda row: "" if row["established"] else "tied", right=False),
        ],
    )


def _matrix(found: Ladder, table: "pd.DataFrame") -> "dict[str, Grid]":
    """One row per rung, one column per variant."""
    from reports.grid import Field, Grid
    from reports.tables import percent

    order = [rung.label for rung in found.rungs]
    names = [variant.name for variant in found.scenario.variants]
    wide = table.pivot(index="rung", columns="variant", values="estimate").loc[order, names]
    widest = float((table["high"] - table["low"]).max()) / 2
    rung = "rung"
    while rung in names:  # a variant may be called so
        rung += "_"
    fields = [word_field("who plays", rung)]
    fields += [
        Field(name, lambda row, name=name: percent(row[name]))  # type: ignore[misc]
        for name in names
    ]
    known = widest == widest  # nothing was played otherwise
    note = f"95 % intervals: at most ±{100 * widest:.2f} points around each" if known else ""
    return {"rungs": Grid("", wide.reset_index(names=rung), fields, note, ABREAST)}


def _skill(found: Ladder, table: "pd.DataFrame") -> "pd.DataFrame":
    """The rungs that differ by their mistakes, for a curve."""
    shown = table[table["kind"].isin(["mistakes", "top"])]
    if not (shown["kind"] == "mistakes").any():
        return shown.head(0)
    top = getattr(found.scenario.variants[0].policies[0], "mistakes", 0.0)
    value = shown["option"].fillna(top).astype(float)
    shown = shown.assign(value=value, now=shown["kind"] == "top")
    return shown.sort_values("value", ascending=False, kind="stable")


def _verdicts(found: Ladder, what: str, restricted: bool) -> list[str]:
    from reports.tables import points

    lines = []
    top = found.rungs[-1].label
    rows = found.gap_rows()
    for variant in found.scenario.variants:
        mine = [row for row in rows if row["variant"] == variant.name]
        mine = [row for row in mine if row["estimate"] is not None]
        if not mine:
            return ["Stopped before anything was simulated."]
        if restricted:
            lines.append(f"{variant.name}: {_worth(mine)}")
            continue
        first = mine[0]
        lines.append(
            f"{variant.name}: skill gap {points(first['estimate'])} points "
            f"({points(first['low'])} .. {points(first['high'])}), from {first['rung']} to {top}"
            + ("" if first["established"] else ", tied")
            + _better(mine)
        )
    if restricted:
        return [*lines, "the players keep their knobs: they were not trained to do without"]
    found_reversals = found.reversals()
    for a, b, higher, lower in found_reversals:
        lines.append(
            f"the order of {a} and {b} turns round: {a} is higher with {higher}, {b} with {lower}"
        )
    if len(found.scenario.variants) > 1 and not found_reversals:
        lines.append("no change of order from rung to rung is established (5 %, all together)")
    if found.scenario.game.style == "competitive":
        lines.append(
            "one seat plays each rung, the others as the scenario says; seats rotated, so that "
            "the seat's luck does not count"
        )
    return lines


def _better(rows: list[dict[str, Any]]) -> str:
    """The rung that does best where one does better than the scenario's own players."""
    from reports.tables import points

    better = [row for row in rows if row["established"] and row["estimate"] < 0]
    if not better:
        return ""
    best = min(better, key=lambda row: float(row["estimate"]))
    ends = f"{points(-best['high'])} .. {points(-best['low'])}"
    return f"; {best['rung']} plays better: {points(-best['estimate'])} ({ends})"


def _worth(rows: list[dict[str, Any]]) -> str:
    """What the options are worth, the most first, and which are not established."""
    from reports.tables import points

    told = sorted(
        (row for row in rows if row["established"]), key=lambda row: -abs(row["estimate"])
    )
    said = [f"{row['rung']} {points(-row['estimate'])} points" for row in told]
    tied = [row["rung"] for row in rows if not row["established"]]
    if tied:
        said.append(f"{', '.join(tied)}: {EQUAL}")
    return "; ".join(said)
