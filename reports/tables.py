"""DataFrames as tables on the terminal."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import pandas as pd
from rich.table import Table

UNKNOWN = "-"

__all__ = [
    "difference_table",
    "group_table",
    "headline_table",
    "member_table",
    "metric_table",
    "number",
    "percent",
    "point_digits",
    "points",
    "reach_table",
    "seat_table",
]


def percent(value: float | None, digits: int = 2) -> str:
    """A rate in percent, with more digits where it is tiny; a dash where it is not known."""
    if value is None or pd.isna(value):
        return UNKNOWN
    return f"{value:.{digits if value == 0 or value >= 0.0005 else digits + 2}%}"


def number(value: float | None) -> str:
    """A mean with about four digits; a dash where it is not known."""
    if value is None or pd.isna(value):
        return UNKNOWN
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"


def points(value: float | None, digits: int = 2) -> str:
    """A difference of rates in percentage points, with its sign; a dash where it is not known."""
    if value is None or pd.isna(value):
        return UNKNOWN
    return f"{100 * value:+.{digits}f}"


def point_digits(table: pd.DataFrame, low: str = "effect_low", high: str = "effect_high") -> int:
    """The digits of all effects of a table: more where even the widest interval is tiny."""
    ends = table[[low, high]].astype(float).abs().max().max()
    return 4 if ends < 0.001 else 2


def headline_table(
    table: pd.DataFrame, name: Callable[[str], str], what: str = "win rate"
) -> Table:
    """The headline of every variant with interval, tie letter and policy.

    ``table`` has the columns variant, estimate, low, high, ties, policies, rollouts_for_fine;
    ``name`` makes a name safe for the terminal; ``what`` is what the headline is called.
    """
    shown = Table(title=None, header_style="bold", pad_edge=False, box=None)
    for header, justify in (
        ("variant", "left"),
        (what, "right"),
        ("95 % interval", "right"),
        ("tied", "left"),
        ("policy", "left"),
        ("for ±0.1 pt", "right"),
    ):
        shown.add_column(header, justify=justify)  # type: ignore[arg-type]
    for row in table.to_dict("records"):
        shown.add_row(
            name(row["variant"]),
            percent(row["estimate"]),
            f"{percent(row['low'])} .. {percent(row['high'])}",
            row["ties"],
            name(row["policies"]),
            f"{row['rollouts_for_fine']:,}",
        )
    return shown


def metric_table(
    table: pd.DataFrame,
    wanted: list[str],
    name: Callable[[str], str],
    optional: Collection[str] = (),
) -> Table:
    """The means of the wanted metrics, one row per metric and one column per variant.

    A metric of ``optional`` has a row only where it is not 0 for every variant.
    """
    shown = Table(header_style="bold", pad_edge=False, box=None)
    variants = list(dict.fromkeys(table["variant"]))
    shown.add_column("mean per game")
    for variant in variants:
        shown.add_column(name(variant), justify="right")
    indexed: dict[Any, Any] = table.set_index(["metric", "variant"]).to_dict("index")
    for metric in wanted:
        rows = [indexed.get((metric, variant)) for variant in variants]
        known = [row for row in rows if row is not None]
        if not known or (metric in optional and not any(row["estimate"] for row in known)):
            continue
        show = percent if known[0]["kind"] == "rate" else number
        cells = ["" if row is None else show(row["estimate"]) for row in rows]
        shown.add_row(known[0]["label"], *cells)
    return shown


def seat_table(table: pd.DataFrame, name: Callable[[str], str]) -> Table:
    """Who wins how much: one row per variant and seat.

    ``table`` has the columns variant, seat, policy, win_share, win_share_low, win_share_high and,
    where seats were rotated, the same three of policy_share.
    """
    if "policy_share" in table:
        return _rotated_table(table, name)
    shown = Table(header_style="bold", pad_edge=False, box=None)
    for header in ("variant", "seat", "wins", "95 %", "policy"):
        shown.add_column(header, justify="right" if header in ("wins", "95 %") else "left")
    before = None
    for row in table.to_dict("records"):
        same = row["variant"] == before
        shown.add_row(
            "" if same else name(row["variant"]),
            str(row["seat"]),
            *_share_cells(row, "win_share"),
            name(row["policy"]),
        )
        before = row["variant"]
    return shown


def _share_cells(row: Mapping[Any, Any], share: str) -> tuple[str, str]:
    half = (row[f"{share}_high"] - row[f"{share}_low"]) / 2
    return percent(row[share]), f"±{percent(half)}"


def _rotated_table(table: pd.DataFrame, name: Callable[[str], str]) -> Table:
    """As `seat_table`, for rotated seats: what each policy won, and then each seat."""
    shown = Table(header_style="bold", pad_edge=False, box=None)
    for header in ("variant", "policy", "wins", "95 %", "seats' wins"):
        shown.add_column(header, justify="right" if header in ("wins", "95 %") else "left")
    for variant, rows in table.groupby("variant", sort=False):
        seats = " ".join(f"{100 * share:.1f}" for share in rows["win_share"])
        others = rows["policy"].iloc[1:]
        alone = len(rows) > 2 and others.nunique() == 1 and others.iloc[0] != rows["policy"].iloc[0]
        for place, row in enumerate((rows.head(1) if alone else rows).to_dict("records")):
            shown.add_row(
                "" if place else name(str(variant)),
                name(row["policy"]),
                *_share_cells(row, "policy_share"),
                "" if place else seats,
            )
    return shown


def reach_table(table: pd.DataFrame, name: Callable[[str], str]) -> Table:
    """Which totals dice reach, simulated and exact.

    ``table`` has the columns variant, dice, threshold, estimate, low, high, exact.
    """
    shown = Table(header_style="bold", pad_edge=False, box=None)
    for header in ("variant", "dice"):
        shown.add_column(header)
    for header in ("reaches", "simulated", "95 % interval", "exact"):
        shown.add_column(header, justify="right")
    before = None
    for row in table.to_dict("records"):
        same = row["variant"] == before
        shown.add_row(
            "" if same else name(row["variant"]),
            "" if same else name(row["dice"]),
            str(row["threshold"]),
            percent(row["estimate"]),
            f"{percent(row['low'])} .. {percent(row['high'])}",
            percent(row["exact"]) if row["exact"] else "never",
        )
        before = row["variant"]
    return shown


def difference_table(
    table: pd.DataFrame, name: Callable[[str], str], what: str = "win rate"
) -> Table:
    """What every variant's headline is beside that of the first one, in points.

    ``table`` has the columns variant, first, estimate, low, high, established, factor.
    """
    shown = Table(header_style="bold", pad_edge=False, box=None)
    shown.add_column(f"against {name(table['first'][0])}")
    for header in (
        "points" if what == "win rate" else f"{name(what)}: points",
        "95 % interval",
        "pairing",
    ):
        shown.add_column(header, justify="right")
    shown.add_column("")
    digits = point_digits(table, "low", "high")
    for row in table.to_dict("records"):
        low, high = (points(row[end], digits) for end in ("low", "high"))
        shown.add_row(
            name(row["variant"]),
            points(row["estimate"], digits),
            f"{low} .. {high}",
            "" if pd.isna(row["factor"]) else f"{row['factor']:.2f}",
            "" if row["established"] else "tied",
        )
    return shown


def member_table(table: pd.DataFrame, title: str, name: Callable[[str], str]) -> Table:
    """The win rate with and without each member, and its effect.

    ``table`` has the columns member, with, without, effect, effect_low, effect_high, established.
    """
    shown = Table(header_style="bold", pad_edge=False, box=None)
    shown.add_column(name(title.lower()))
    for header in ("with", "without", "effect (pt)", "95 % interval"):
        shown.add_column(header, justify="right")
    shown.add_column("")
    digits = point_digits(table)
    for row in table.to_dict("records"):
        low, high = (points(row[end], digits) for end in ("effect_low", "effect_high"))
        shown.add_row(
            name(row["member"]),
            percent(row["with"]),
            percent(row["without"]),
            points(row["effect"], digits),
            f"{low} .. {high}",
            "" if row["established"] else "tied",
        )
    return shown


def group_table(
    table: pd.DataFrame, title: str, name: Callable[[str], str], ends: int = 3
) -> Table:
    """The first and last ``ends`` groups of a table sorted by win rate, all if they are few.

    ``table`` has the columns members, rollouts, win_rate, low, high.
    """
    shown = Table(header_style="bold", pad_edge=False, box=None)
    shown.add_column(name(title.lower()))
    for header in ("win rate", "95 % interval", "n"):
        shown.add_column(header, justify="right")
    left_out = len(table) - 2 * ends
    for place, row in enumerate(table.to_dict("records")):
        if left_out > 0 and ends <= place < len(table) - ends:
            if place == ends:
                shown.add_row(f".. {left_out:,} more ..")
            continue
        shown.add_row(
            name(row["members"]),
            percent(row["win_rate"]),
            f"{percent(row['low'])} .. {percent(row['high'])}",
            f"{row['rollouts']:,}",
        )
    return shown
