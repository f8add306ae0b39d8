"""Columns that several studies' tables share."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from reports.grid import Field

__all__ = [
    "change_fields",
    "change_text",
    "estimate_text",
    "headline_fields",
    "interval_field",
    "points_fields",
    "word_field",
]

INTERVAL_95 = "95 % interval (Wilson, or normal for a share)"


def word_field(header: str, key: str, meaning: str = "", folded: bool = False) -> "Field":
    """A column of words."""
    from reports.grid import Field

    return Field(
        header, lambda row: str(row[key]), meaning, right=False, folded=folded, unbroken=not folded
    )


def headline_fields(what: str) -> "list[Field]":
    """The headline with its interval: columns estimate, low, high."""
    from reports.grid import Field
    from reports.tables import percent

    return [
        Field(what, lambda row: percent(row["estimate"])),
        Field(
            "95 % interval",
            lambda row: f"{percent(row['low'])} .. {percent(row['high'])}",
            INTERVAL_95,
            unbroken=True,
        ),
    ]


def interval_field(header: str, digits: int, meaning: str) -> "Field":
    """The interval of a difference in points: columns low, high."""
    from reports.grid import Field
    from reports.tables import points

    return Field(
        header,
        lambda row: f"{points(row['low'], digits)} .. {points(row['high'], digits)}",
        meaning,
        unbroken=True,
    )


def points_fields(digits: int, what: str = "points") -> "list[Field]":
    """A difference of rates in percentage points with its interval: columns estimate, low, high."""
    from reports.grid import Field
    from reports.tables import points

    return [
        Field(
            what,
            lambda row: points(row["estimate"], digits),
            "the difference in percentage points, on the same rollouts",
        ),
        interval_field("95 % interval", digits, "95 % interval of the paired difference"),
    ]


def estimate_text(value: float | None, kind: str) -> str:
    """A metric's value: in percent for a rate, else with four digits."""
    from reports.tables import number, percent

    return percent(value) if kind == "rate" else number(value)


def row_estimate(row: Mapping[Any, Any], kind: str) -> str:
    """`34.59% (34.29% .. 34.88%)`, from the columns estimate, low and high."""
    low, high = (estimate_text(row[end], kind) for end in ("low", "high"))
    return f"{estimate_text(row['estimate'], kind)} ({low} .. {high})"


def change_text(value: float | None, kind: str) -> str:
    """A difference with its sign: in points for a rate, else with four digits."""
    import pandas as pd

    from reports.tables import UNKNOWN, points

    if kind == "rate":
        return points(value)
    return UNKNOWN if value is None or pd.isna(value) else f"{value:+.4g}"


def change_fields(table: "pd.DataFrame", kind: str) -> "list[Field]":
    """A metric's difference with its interval: columns estimate, low, high."""
    from reports.grid import Field
    from reports.tables import point_digits

    if kind == "rate":
        return points_fields(point_digits(table, "low", "high"))
    return [
        Field("change", lambda row: change_text(row["estimate"], kind)),
        Field(
            "95 % interval",
            lambda row: f"{change_text(row['low'], kind)} .. {change_text(row['high'], kind)}",
            "95 % interval of the paired difference",
            unbroken=True,
        ),
    ]
