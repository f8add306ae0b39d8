"""DataFrames as tables on the terminal."""

from collections.abc import Callable
from typing import Any

import pandas as pd
from rich.table import Table

UNKNOWN = "-"

__all__ = ["headline_table", "metric_table", "number", "percent"]


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


def headline_table(table: pd.DataFrame, name: Callable[[str], str]) -> Table:
    """The headline of every variant with interval, tie letter and policy.

    ``table`` has the columns variant, estimate, low, high, ties, policies, rollouts_for_fine;
    ``name`` makes a name safe for the terminal.
    """
    shown = Table(title=None, header_style="bold", pad_edge=False, box=None)
    for header, justify in (
        ("variant", "left"),
        ("win rate", "right"),
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


def metric_table(table: pd.DataFrame, wanted: list[str], name: Callable[[str], str]) -> Table:
    """The means of the wanted metrics, one row per metric and one column per variant."""
    shown = Table(header_style="bold", pad_edge=False, box=None)
    variants = list(dict.fromkeys(table["variant"]))
    shown.add_column("mean per game")
    for variant in variants:
        shown.add_column(name(variant), justify="right")
    indexed: dict[Any, Any] = table.set_index(["metric", "variant"]).to_dict("index")
    for metric in wanted:
        rows = [indexed[metric, variant] for variant in variants]
        show = percent if rows[0]["kind"] == "rate" else number
        shown.add_row(rows[0]["label"], *(show(row["estimate"]) for row in rows))
    return shown
