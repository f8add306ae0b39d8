"""A table described once, column by column, and shown on the terminal or in a page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
from rich.table import Table

__all__ = ["Field", "Grid", "grid_rows", "grid_table", "grid_tables"]

LONG_WORDS = 30  # longer ones are broken, so that the numbers beside them are not
Row = Mapping[Any, Any]


@dataclass(frozen=True)
class Field:
    """One column: its header, what it means, and how a row of the DataFrame is written there."""

    header: str
    text: Callable[[Row], str]
    meaning: str = ""
    right: bool = True
    folded: bool = False
    """Words that may run over several lines."""
    unbroken: bool = False
    """Never broken, however narrow the terminal."""


@dataclass(frozen=True)
class Grid:
    """A table: its DataFrame and its columns; ``note`` stands below.

    On a terminal at most ``abreast`` columns stand beside the first one, the others below.
    """

    title: str
    frame: pd.DataFrame
    fields: Sequence[Field]
    note: str = ""
    abreast: int | None = None


def grid_rows(grid: Grid) -> list[list[str]]:
    """The cells as text, row by row."""
    return [[field.text(row) for field in grid.fields] for row in grid.frame.to_dict("records")]


def grid_tables(grid: Grid, name: Callable[[str], str]) -> list[Table]:
    """The table for a terminal, in pieces where it is wide; ``name`` makes words safe there."""
    first, *others = grid.fields
    size = grid.abreast or max(len(others), 1)
    pieces = [others[start : start + size] for start in range(0, max(len(others), 1), size)]
    return [grid_table(replace(grid, fields=[first, *piece]), name) for piece in pieces]


def grid_table(grid: Grid, name: Callable[[str], str]) -> Table:
    """All columns in one table; ``name`` makes words safe there."""
    shown = Table(header_style="bold", pad_edge=False, box=None)
    rows = grid_rows(grid)
    for place, field in enumerate(grid.fields):
        widest = max((len(cells[place]) for cells in rows), default=0)
        shown.add_column(
            name(field.header),
            justify="right" if field.right else "left",
            overflow="fold",
            no_wrap=field.unbroken and (field.right or widest <= LONG_WORDS),
        )
    for cells in rows:
        shown.add_row(*(name(cell) for cell in cells))
    return shown
