"""Charts of studies: each takes a DataFrame and an Axes, draws, and returns the Axes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, PercentFormatter

from reports.charts import COLOURS, GRID, INK, LINE_STYLES, plain, tidy

__all__ = ["curve_chart", "heat_chart", "ladder_chart", "tornado_chart"]

MARKERS = ("o", "s", "^", "D", "v", "P")


def curve_chart(
    table: pd.DataFrame, ax: Axes, what: str, field: str, is_rate: bool, target: float | None = None
) -> Axes:
    """A metric over one field with its band, one line per variant.

    ``table`` has the columns variant, value, estimate, low, high, now; ``now`` marks the value that
    the variant has. Values that are no numbers stand side by side.
    """
    numeric = pd.api.types.is_numeric_dtype(table["value"]) and table["value"].dtype != bool
    names = list(dict.fromkeys(map(str, table["value"])))
    lines: dict[str, Any] = {}
    for place, (variant, rows) in enumerate(table.groupby("variant", sort=False)):
        at: Any = (
            rows["value"].to_numpy(float)
            if numeric
            else np.array([names.index(str(value)) for value in rows["value"]])
        )
        colour = COLOURS[place % len(COLOURS)]
        style = LINE_STYLES[place // len(COLOURS) % len(LINE_STYLES)] if numeric else ""
        low, high = (rows[end].to_numpy(float) for end in ("low", "high"))
        estimate = rows["estimate"].to_numpy(float)
        lines[str(variant)] = ax.errorbar(
            at,
            estimate,
            yerr=[np.maximum(estimate - low, 0), np.maximum(high - estimate, 0)],
            color=colour,
            linestyle=style,
            marker=MARKERS[place % len(MARKERS)],
            markersize=4,
            capsize=2,
            linewidth=1.8,
        )
        if numeric:
            ax.fill_between(at, low, high, color=colour, alpha=0.2, linewidth=0)
        here = rows["now"].to_numpy(bool)
        ax.plot(at[here], estimate[here], "o", markersize=11, markerfacecolor="none", color=colour)
    if target is not None:
        ax.axhline(target, color=INK, linewidth=1, linestyle=":")
    if not numeric:
        ax.set_xticks(range(len(names)), [plain(name) for name in names])
    if is_rate:
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=None))
    ringed = "  (ringed: the value it has now)" if table["now"].any() else ""
    ax.set_xlabel(plain(field) + ringed, color=INK)
    ax.set_ylabel(plain(what), color=INK)
    if table["variant"].nunique() > 1:
        ax.legend(*_named(lines), frameon=False)
    tidy(ax, "y")
    return ax


def _named(drawn: Mapping[str, Any]) -> tuple[list[Any], list[str]]:
    """What a legend shows, given as such: of labels, matplotlib leaves out those like _a."""
    return list(drawn.values()), [plain(name) for name in drawn]


def heat_chart(table: pd.DataFrame, ax: Axes, what: str, is_rate: bool) -> Axes:
    """A metric over two fields: the index downwards, the columns across; numbers in the cells."""
    values = table.to_numpy(float)
    image = ax.imshow(values, cmap="cividis", aspect="auto", origin="lower")
    ax.set_xticks(range(values.shape[1]), [plain(str(name)) for name in table.columns])
    ax.set_yticks(range(values.shape[0]), [plain(str(name)) for name in table.index])
    ax.set_xlabel(plain(str(table.columns.name)), color=INK)
    ax.set_ylabel(plain(str(table.index.name)), color=INK)
    if values.size <= 150:
        known = values[np.isfinite(values)]
        middle = (known.min() + known.max()) / 2 if known.size else 0.0
        for (row, column), value in np.ndenumerate(values):
            text = f"{value:.1%}" if is_rate else f"{value:.4g}"
            colour = "black" if value > middle else "white"
            ax.text(column, row, text, ha="center", va="center", color=colour, fontsize=9)
    bar = ax.figure.colorbar(image, ax=ax)
    bar.set_label(plain(what), color=INK)
    if is_rate:
        bar.ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=None))
    ax.tick_params(colors=INK, length=0)
    ax.spines[:].set_visible(False)
    return ax


def tornado_chart(table: pd.DataFrame, ax: Axes, what: str, is_rate: bool = True) -> Axes:
    """Effects on both sides of zero, the widest on top: one row per field, one bar per change.

    ``table`` has the columns field, change, side (-1 down, 1 up, 0 another word), estimate, low,
    high, established; a field's rows follow each other.
    """
    fields = list(dict.fromkeys(table["field"]))
    sides = {-1: (COLOURS[1], "one step down"), 1: (COLOURS[0], "one step up")}
    ends = table[["estimate", "low", "high"]].astype(float)
    left, right = max(0.0, float(-ends.min().min())), max(0.0, float(ends.max().max()))
    reach = max(1e-5, left, right)  # in this order: what is not known is no reach
    ax.axvline(0, color=INK, linewidth=1)
    labelled = set()
    lanes = {field: list(rows.index) for field, rows in table.groupby("field", sort=False)}
    for index, record in zip(table.index, table.to_dict("records"), strict=True):
        lane = lanes[record["field"]]
        height = 0.7 / len(lane)
        row = fields.index(record["field"]) + (lane.index(index) - (len(lane) - 1) / 2) * height
        colour, label = sides.get(record["side"], (COLOURS[2], "flipped"))
        estimate = record["estimate"]
        ax.barh(
            row,
            estimate,
            height=0.92 * height,
            color=colour,
            alpha=0.75 if record["established"] else 0.2,
            label=None if label in labelled else label,
        )
        labelled.add(label)
        ax.plot([record["low"], record["high"]], [row, row], color=INK, linewidth=1.2)
        way = 1 if estimate >= 0 else -1
        end = record["high" if way > 0 else "low"]
        end = estimate if pd.isna(end) else way * max(way * end, 0)
        ax.text(
            end + way * 0.015 * reach,
            row,
            plain(str(record["change"])),
            va="center",
            ha="left" if way > 0 else "right",
            color=INK,
            fontsize=9 if len(lane) < 3 else 7,
        )
    ax.set_yticks(range(len(fields)), [plain(str(field)) for field in fields])
    ax.set_ylim(len(fields) - 0.5, -0.5)
    room = 0.3 * reach  # for the words beside a bar
    ax.set_xlim(-left - room, right + room)
    unit, factor = (" in percentage points", 100) if is_rate else ("", 1)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{factor * x:+.3g}" if x else "0"))
    ax.set_xlabel(
        plain(what) + f", change{unit}, with 95 % interval\npale: tied, no effect established",
        color=INK,
    )
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, frameon=False)
    tidy(ax, "x")
    return ax


def ladder_chart(table: pd.DataFrame, ax: Axes, what: str) -> Axes:
    """A rate for each rung of a ladder, one row per rung and one mark per variant.

    ``table`` has the columns variant, rung, estimate, low, high; the first rung stands below.
    """
    rungs = list(dict.fromkeys(table["rung"]))
    variants = list(dict.fromkeys(table["variant"]))
    marks: dict[str, Any] = {}
    for place, variant in enumerate(variants):
        rows = table[table["variant"] == variant]
        estimate = rows["estimate"].to_numpy(float)
        spread = (place - (len(variants) - 1) / 2) * 0.12
        marks[str(variant)] = ax.errorbar(
            estimate,
            [rungs.index(rung) - spread for rung in rows["rung"]],
            xerr=[
                np.maximum(estimate - rows["low"].to_numpy(float), 0),
                np.maximum(rows["high"].to_numpy(float) - estimate, 0),
            ],
            fmt=MARKERS[place % len(MARKERS)],
            color=COLOURS[place % len(COLOURS)],
            markersize=5,
            capsize=3,
        )
    for row in range(len(rungs) - 1):
        ax.axhline(row + 0.5, color=GRID, linewidth=0.8)
    ax.set_yticks(range(len(rungs)), [plain(str(rung)) for rung in rungs])
    ax.set_ylim(-0.5, len(rungs) - 0.5)
    ax.set_xlim(left=0)
    ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=None))
    ax.set_xlabel(plain(what) + " with 95 % interval", color=INK)
    if len(variants) > 1:
        ax.legend(*_named(marks), frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    tidy(ax, "x")
    return ax
