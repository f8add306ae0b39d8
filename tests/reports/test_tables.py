"""Tables on the terminal say what the DataFrame says, with names that cannot steer it."""

import io
import math

import pytest
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from reports.tables import (
    group_table,
    headline_table,
    member_table,
    metric_table,
    number,
    percent,
    point_digits,
    points,
)
from tests.reports.frames import groups, headline, members, metrics


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


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.0123, "+1.23"), (-0.2, "-20.00"), (0.0, "+0.00"), (None, "-"), (math.nan, "-")],
)
def test_a_difference_is_shown_in_points_with_its_sign(value: float | None, expected: str) -> None:
    assert points(value) == expected


def test_all_effects_of_a_table_have_the_same_digits() -> None:
    table = members()
    assert point_digits(table) == 2
    ends = ["effect_low", "effect_high"]
    table[ends] = table[ends] / 100
    assert point_digits(table) == 4
    table[ends] = None
    assert point_digits(table) == 2


def test_members_have_their_effect_and_what_is_not_established_is_tied() -> None:
    assert shown(member_table(members(), "Character", escape)) == [
        "character with without effect (pt) 95 % interval",
        "hawk 12.00% 10.00% +2.00 +0.50 .. +3.50",
        "rook 11.00% 10.00% +1.00 -0.50 .. +2.50 tied",
        "raven 10.00% 10.00% +0.00 -1.50 .. +1.50 tied",
    ]


def test_an_effect_that_is_not_known_is_a_dash() -> None:
    table = members()
    table[["without", "effect", "effect_low", "effect_high"]] = None
    assert shown(member_table(table, "Character", escape))[2] == "rook 11.00% - - - .. - tied"


def test_the_best_and_the_worst_groups_are_shown() -> None:
    assert shown(group_table(groups(9), "Teams", escape)) == [
        "teams win rate 95 % interval n",
        "group 0 9.00% 8.50% .. 9.50% 1,000",
        "group 1 8.00% 7.50% .. 8.50% 1,001",
        "group 2 7.00% 6.50% .. 7.50% 1,002",
        ".. 3 more ..",
        "group 6 3.00% 2.50% .. 3.50% 1,006",
        "group 7 2.00% 1.50% .. 2.50% 1,007",
        "group 8 1.00% 0.50% .. 1.50% 1,008",
    ]


@pytest.mark.parametrize("n", [2, 5, 6])
def test_few_groups_are_all_shown_once(n: int) -> None:
    lines = shown(group_table(groups(n), "Teams", escape))
    assert [line.split(" ")[1] for line in lines[1:]] == [str(place) for place in range(n)]


def test_markup_in_a_member_is_shown_and_not_obeyed() -> None:
    lines = shown(member_table(members(["[red]x[/red]"]), "[b]Who", escape))
    assert lines[0].startswith("[b]who with")
    assert lines[1].startswith("[red]x[/red] 12.00%")


def test_the_tables_of_groups_fit_80_columns() -> None:
    table = groups()
    table["members"] = "acrobat, hammer, peterman, spotter"
    table["rollouts"] = 12_345_678
    for one in (group_table(table, "Teams", escape), member_table(members(), "Character", escape)):
        lines = shown(one, 80)
        assert all(len(line) <= 80 for line in lines)
        assert lines == shown(one, 200)
