"""Charts: each takes a DataFrame and an Axes, draws, and returns the Axes. Nothing is written."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, PercentFormatter

from reports.tables import point_digits, points

__all__ = [
    "curves_chart",
    "difference_chart",
    "effects_chart",
    "endings_chart",
    "headline_chart",
    "lengths_chart",
    "plain",
    "shares_chart",
    "tidy",
]

# Okabe and Ito's palette, told apart with any colour vision.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#F0E442", "#999999")
GRID = "#dddddd"
INK = "#333333"
LINE_STYLES = ("-", "--", "-.", ":")


def plain(text: str) -> str:
    """Text for matplotlib: a dollar sign starts no formula."""
    return text.replace("$", r"\$")


def tidy(ax: Axes, grid: Any) -> None:
    """The look that all charts share: no frame, faint grid lines along one axis."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis=grid, color=GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    ax.tick_params(colors=INK, length=0)


def headline_chart(table: pd.DataFrame, ax: Axes, what: str = "win rate") -> Axes:
    """Rates with intervals, one row per variant; columns variant, estimate, low, high, ties."""
    rows = np.arange(len(table))
    estimate = table["estimate"].to_numpy(float)
    below = np.maximum(estimate - table["low"].to_numpy(float), 0)
    above = np.maximum(table["high"].to_numpy(float) - estimate, 0)
    ax.barh(rows, estimate, color=COLOURS[0], alpha=0.25, height=0.62)
    ax.errorbar(
        estimate, rows, xerr=[below, above], fmt="o", color=COLOURS[0], capsize=4, markersize=5
    )
    top = max(float(np.max(table["high"].to_numpy(float))), 1e-4)
    for row, (value, high, ties) in enumerate(
        zip(estimate, table["high"].to_numpy(float), table["ties"], strict=True)
    ):
        ax.text(high + 0.02 * top, row, f"{value:.2%}  {ties}", va="center", color=INK)
    ax.set_yticks(rows, [plain(name) for name in table["variant"]])
    ax.invert_yaxis()
    ax.set_xlim(0, top * 1.22)
    ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=None))
    words = f"{what} with 95 % interval; variants that share a letter are tied"
    ax.set_xlabel(plain(words), color=INK)
    tidy(ax, "x")
    return ax


def endings_chart(table: pd.DataFrame, ax: Axes) -> Axes:
    """How games end: one stacked bar per variant (row), one part per ending (column)."""
    rows = np.arange(len(table))
    left = np.zeros(len(table))
    for place, ending in enumerate(table.columns):
        share = table[ending].to_numpy(float)
        if not share.any():
            continue
        colour = COLOURS[(2, 7, 0, 1, 4)[place % 5]]
        ax.barh(rows, share, left=left, color=colour, height=0.62, label=plain(str(ending)))
        for row, (start, width) in enumerate(zip(left, share, strict=True)):
            if width >= 0.06:
                middle = start + width / 2
                ax.text(middle, row, f"{width:.0%}", ha="center", va="center", color="black")
        left += share
    ax.set_yticks(rows, [plain(str(name)) for name in table.index])
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(PercentFormatter(1))
    ax.set_xlabel("share of games", color=INK)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=4, frameon=False)
    tidy(ax, "x")
    return ax


def lengths_chart(table: pd.DataFrame, ax: Axes) -> Axes:
    """How long games last: one line per variant (column) over the values of the index."""
    so_far = table.to_numpy().cumsum(axis=0)
    before = so_far - table.to_numpy()
    shown = table[(so_far.max(axis=1) > 0.0005) & (before.min(axis=1) < 0.999)]
    lines = []
    for place, variant in enumerate(table.columns):
        lines += ax.plot(
            shown.index,
            shown[variant],
            color=COLOURS[place % len(COLOURS)],
            linestyle=LINE_STYLES[place % len(LINE_STYLES)],
            linewidth=1.8,
        )
    ax.set_ylim(bottom=0)
    ax.yaxis.set_major_formatter(PercentFormatter(1))
    ax.set_xlabel(plain(str(table.index.name)), color=INK)
    ax.set_ylabel("share of games", color=INK)
    ax.legend(lines, [plain(str(variant)) for variant in table.columns], frameon=False)
    tidy(ax, "y")
    return ax


def shares_chart(table: pd.DataFrame, ax: Axes) -> Axes:
    """Parts of a whole with intervals, by group; a line where all parts would be equal.

    ``table`` has the columns group, label, estimate, low, high; a group's rows follow each other.
    """
    gap = 0.6
    place, places, names = 0.0, [], []
    for number, (group, rows) in enumerate(table.groupby("group", sort=False)):
        colour = COLOURS[number % len(COLOURS)]
        start = place
        for row in rows.to_dict("records"):
            estimate = row["estimate"]
            ax.barh(place, estimate, color=colour, alpha=0.25, height=0.7)
            ax.errorbar(
                estimate,
                place,
                xerr=[[max(estimate - row["low"], 0)], [max(row["high"] - estimate, 0)]],
                fmt="o",
                color=colour,
                capsize=3,
                markersize=4,
            )
            ax.text(row["high"] + 0.006, place, f"{estimate:.1%}", va="center", color=INK)
            places.append(place)
            names.append(plain(str(row["label"])))
            place += 1
        ax.plot([1 / len(rows)] * 2, [start - 0.45, place - 0.55], color=INK, linewidth=1, ls=":")
        ax.text(0, start - 0.5, plain(str(group)), va="bottom", weight="bold", color=INK)
        place += gap + 0.4
    ax.set_yticks(places, names)
    ax.set_ylim(place - gap - 0.9, -1.1)
    ax.set_xlim(0, float(table["high"].max()) * 1.15)
    ax.xaxis.set_major_formatter(PercentFormatter(1))
    ax.set_xlabel("part of the wins with 95 % interval; dotted: equal parts", color=INK)
    tidy(ax, "x")
    return ax


def curves_chart(table: pd.DataFrame, ax: Axes) -> Axes:
    """One curve of chances per column over the index; the columns are the thresholds."""
    for place, threshold in enumerate(table.columns):
        ax.plot(
            table.index,
            table[threshold],
            color=COLOURS[place % len(COLOURS)],
            linestyle=LINE_STYLES[place // len(COLOURS) % len(LINE_STYLES)],
            linewidth=1.8,
            marker="o",
            markersize=3.5,
            label=plain(str(threshold)),
        )
    ax.set_ylim(-0.02, 1.02)
    ax.yaxis.set_major_formatter(PercentFormatter(1))
    ax.set_xticks(table.index)
    ax.set_xlabel(plain(str(table.index.name)), color=INK)
    ax.set_ylabel("chance to reach the threshold (exact)", color=INK)
    ax.legend(frameon=False, title="threshold", loc="center left", bbox_to_anchor=(1.0, 0.5))
    tidy(ax, "y")
    return ax


def difference_chart(table: pd.DataFrame, ax: Axes, what: str) -> Axes:
    """Differences with intervals, as `effects_chart`; columns variant, estimate, low, high."""
    names = {"variant": "member", "estimate": "effect", "low": "effect_low", "high": "effect_high"}
    return effects_chart(table.drop(columns="first").rename(columns=names), ax, what)


def effects_chart(table: pd.DataFrame, ax: Axes, what: str = "win rate with minus without") -> Axes:
    """Effects with intervals around zero, the greatest on top; hollow and grey where tied.

    ``table`` has the columns member, effect, effect_low, effect_high, established; a row whose
    effect is not known is left out.
    """
    table = table.dropna(subset=["effect"]).sort_values("effect", ascending=False, kind="stable")
    low, high = (table[column].to_numpy(float) for column in ("effect_low", "effect_high"))
    reach = max(float(np.max(np.abs([low, high]), initial=0)), 1e-5)
    digits = point_digits(table)
    ax.axvline(0, color=INK, linewidth=1)
    for row, record in enumerate(table.to_dict("records")):
        colour = COLOURS[0] if record["established"] else COLOURS[7]
        effect = record["effect"]
        ax.errorbar(
            effect,
            row,
            xerr=[[effect - record["effect_low"]], [record["effect_high"] - effect]],
            fmt="o",
            color=colour,
            markerfacecolor=colour if record["established"] else "white",
            capsize=4,
            markersize=6,
        )
        ax.text(
            1.01,
            row,
            points(effect, digits),
            transform=ax.get_yaxis_transform(),
            va="center",
            color=INK,
        )
    ax.set_yticks(np.arange(len(table)), [plain(str(name)) for name in table["member"]])
    ax.set_ylim(max(len(table), 1) - 0.5, -0.5)
    ax.set_xlim(-1.08 * reach, 1.08 * reach)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:+.3g}" if x else "0"))
    ax.set_xlabel(
        plain(what) + ", in percentage points, with 95 % interval\n"
        "hollow: tied, no effect established",
        color=INK,
    )
    tidy(ax, "x")
    return ax
