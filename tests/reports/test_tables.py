"""Tables on the terminal say what the DataFrame says, with names that cannot steer it."""

import io
import math

import pytest
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from reports.tables import headline_table, metric_table, number, percent
from tests.reports.frames import headline, metrics


def shown(table: Table, width: int = 120) -> list[str]:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(table)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    return [" ".join(line.split()) for line in str(text).splitlines()]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.0, "0.00%"), (1.0, "100.00%"), (0.1234, "12.34%"), (None, "-"), (math.nan, "-")],
)
def test_a_rate_is_shown_in_percent(value: float | None, expected: str) -> None:
    assert percent(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, "0"),
        (12.3456, "12.35"),
        (-3.0, "-3"),
        (1234567.0, "1,234,567"),
        (None, "-"),
        (math.nan, "-"),
    ],
)
def test_a_mean_is_shown_with_four_digits(value: float | None, expected: str) -> None:
    assert number(value) == expected


def test_the_headline_has_one_row_per_variant() -> None:
    lines = shown(headline_table(headline(), escape))
    assert lines == [
        "variant win rate 95 % interval tied policy for ±0.1 pt",
        "base 10.00% 8.00% .. 13.00% b simple 1,000,000",
        "bank 20.00% 18.00% .. 23.00% a simple 1,000,000",
    ]


def test_markup_in_a_name_is_shown_and_not_obeyed() -> None:
    lines = shown(headline_table(headline(["[red]x[/red]", "[/]"]), escape))
    assert lines[1].startswith("[red]x[/red] 10.00%")
    assert lines[2].startswith("[/] 20.00%")
    lines = shown(metric_table(metrics(["[red]x[/red]", "b"]), ["rounds"], escape))
    assert lines[0] == "mean per game [red]x[/red] b"


def test_metrics_have_one_row_each_and_one_column_per_variant() -> None:
    assert shown(metric_table(metrics(), ["win_rate", "rounds"], escape)) == [
        "mean per game base bank",
        "win rate 10.00% 20.00%",
        "rounds 12.35 24.69",
    ]


def test_only_the_wanted_metrics_are_shown() -> None:
    assert len(shown(metric_table(metrics(), ["rounds"], escape))) == 2


def test_variants_keep_their_order() -> None:
    lines = shown(metric_table(metrics(["zebra", "ape"]), ["rounds"], escape))
    assert lines[0] == "mean per game zebra ape"


def test_the_headline_fits_80_columns() -> None:
    table = headline_table(headline(["legendary", "penthouse"]), escape)
    assert all(len(line) <= 80 for line in shown(table, 80))
