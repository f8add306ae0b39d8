"""A table described once: on the terminal it breaks no number, in a page it is never markup."""

import io
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pytest
from rich.console import Console

from balance.names import terminal
from reports import figures
from reports.grid import Field, Grid, grid_rows, grid_table, grid_tables
from reports.page import StudyPage, render_study
from tests.reports.frames import STRANGE, headline
from tests.reports.test_page import LOADING, read

WIDTH = 80
LONG = "a name that goes on and on and on until it fills a line alone"


def words(header: str, key: str, **more: Any) -> Field:
    return Field(header, lambda row: str(row[key]), right=False, unbroken=True, **more)


def percent(header: str, key: str, **more: Any) -> Field:
    return Field(header, lambda row: f"{row[key]:.2%}", **more)


def interval(row: Any) -> str:
    return f"{row['low']:.2%} .. {row['high']:.2%}"


def points_grid(names: Sequence[str] = ("base", "bank"), title: str = "Points") -> Grid:
    """A table as studies make them: names, rates, intervals and words that may be folded."""
    fields = [
        words("variant", "variant", meaning="who"),
        percent("chance of the first threshold", "estimate", meaning="how often"),
        Field("95 % interval", interval, "of each alone", unbroken=True),
        Field("rollouts", lambda row: f"{row['n']:,}"),
        Field("changes", lambda row: str(row["changes"]), right=False, folded=True),
    ]
    return Grid(title, headline(names), fields, "one line\nand another one")


def printed(grid: Grid, width: int = WIDTH) -> list[str]:
    stream = io.StringIO()
    Console(file=stream, width=width, emoji=False).print(grid_table(grid, terminal))
    return stream.getvalue().splitlines()


def pieces(lines: Sequence[str]) -> set[str]:
    """What stands on the lines, between two spaces or more."""
    return {part.strip() for line in lines for part in line.split("  ") if part.strip()}


# rows


def test_each_row_is_written_by_the_fields_in_their_order() -> None:
    assert grid_rows(points_grid()) == [
        ["base", "10.00%", "8.00% .. 13.00%", "12,345", "rules.burn = 1"],
        ["bank", "20.00%", "18.00% .. 23.00%", "12,345", "rules.burn = 2"],
    ]
    assert grid_rows(Grid("", headline([]), points_grid().fields)) == []


# the terminal


def test_headers_and_cells_stand_in_columns() -> None:
    lines = printed(points_grid(), 120)
    assert pieces(lines[:1]) == {
        *("variant", "chance of the first threshold", "95 % interval", "rollouts", "changes")
    }
    assert pieces(lines[1:2]) == {"base", "10.00%", "8.00% .. 13.00%", "12,345", "rules.burn = 1"}
    assert all(line.startswith(("variant", "base", "bank")) for line in lines)


def test_numbers_end_in_one_column_and_words_start_in_one() -> None:
    lines = printed(points_grid([*"abcdefghi", "long"]), 120)  # 10.00% .. 100.00%
    assert len({line.index("%  ") for line in lines[1:]}) == 1
    assert len({line.index("rules.burn") for line in lines[1:]}) == 1
    assert len({line.index(" ") for line in lines[1:]}) == 2


@pytest.mark.parametrize(
    "names", [("base", "bank"), (LONG, "b"), (LONG, LONG + "!"), ("x" * 70, "b")]
)
def test_no_number_is_broken_or_lost_however_long_the_names(names: Sequence[str]) -> None:
    grid = points_grid(names)
    lines = printed(grid)
    assert max(map(len, lines)) <= WIDTH
    shown = pieces(lines)
    for cells in grid_rows(grid):
        assert set(cells[1:4]) <= shown
    assert {word for name in names for word in name.split() if len(word) < 20} <= {
        word for line in lines for word in line.split()
    }
    if "x" * 70 in names:
        assert sum(line.count("x") for line in lines) == 70


def test_a_long_name_takes_the_lines_that_it_needs() -> None:
    lines = printed(points_grid([LONG]))
    left = " ".join(" ".join(line[:30].split("  ")[0] for line in lines).split())
    assert LONG in left


@pytest.mark.parametrize("columns", range(1, 8))
def test_seven_columns_of_numbers_fit(columns: int) -> None:
    """The widest that there are: 100.00%, and rates of less than a half per mille."""
    frame = pd.DataFrame({str(place): [1.0, 0.000312, 0.5] for place in range(columns)})
    fields = [
        percent(f"{place}", str(place)) if place % 2 else rate(str(place))
        for place in range(columns)
    ]
    field = Field("rules.targeted_safe_from", lambda row: "17 *")
    lines = printed(Grid("", frame, [field, *fields]))
    assert max(map(len, lines)) <= WIDTH
    wanted = {cell for cells in grid_rows(Grid("", frame, fields)) for cell in cells}
    assert wanted <= pieces(lines)


def rate(key: str) -> Field:
    return Field(key, lambda row: f"{row[key]:.4%}"[:7])


def test_short_words_are_not_folded_before_long_ones() -> None:
    frame = pd.DataFrame([{"field": "rules.straight_replaces_flush", "change": LONG, "e": 0.5}])
    fields = [
        words("field", "field"),
        Field("turned", lambda row: str(row["change"]), right=False, folded=True),
        percent("gives", "e"),
        Field("95 % interval", lambda row: "-12.34 .. -10.25", unbroken=True),
    ]
    lines = printed(Grid("", frame, fields))
    assert {"rules.straight_replaces_flush", "50.00%", "-12.34 .. -10.25"} <= pieces(lines)
    assert max(map(len, lines)) <= WIDTH


def test_a_name_is_no_markup_on_the_terminal() -> None:
    lines = printed(points_grid(["[bold]x[/bold]", "[red]"]), 120)
    assert {"[bold]x[/bold]", "[red]"} <= pieces(lines)
    grid = Grid("", headline(["a"]), [words("[b]", "variant")])
    assert printed(grid)[0].strip() == "[b]"


def test_a_table_without_rows_is_its_headers() -> None:
    assert len(printed(Grid("", headline([]), points_grid().fields), 120)) == 1


# the page


def page(name: str = "bank") -> str:
    svg = figures.svg(figures.draw(lambda table, ax: ax, headline(), 2.0))
    grid = points_grid([name, "b"], f"Table {name}")
    fields = [*grid.fields, Field(f"Header {name}", lambda row: "", f"Meaning {name}")]
    return render_study(
        StudyPage(
            title=f"Title {name}",
            subtitle=f"Subtitle {name}",
            verdicts=[f"{name} is higher"],
            charts={f"Chart {name}": svg},
            grids=[Grid(grid.title, grid.frame, fields, f"Note {name}\nsecond")],
            facts={"seed": "1", "command": f"balance sweep {name}"},
        )
    )


def test_the_page_says_verdict_picture_table_and_what_they_rest_on() -> None:
    reader = read(page())
    text = " ".join(" ".join(reader.words).split())
    order = (
        "Title bank",
        "bank is higher",
        "Chart bank",
        "Table bank",
        "Note bank",
        "balance sweep",
    )
    places = [text.index(part, 50 if part != "Title bank" else 0) for part in order]
    assert places == sorted(places)
    for cell in (cell for cells in grid_rows(points_grid()) for cell in cells[1:]):
        assert cell in text
    assert reader.tags.count("svg") == 1
    assert {"who", "how often", "of each alone", "Meaning bank"} <= set(reader.titles)


def test_a_name_is_escaped_wherever_it_stands_in_the_page() -> None:
    text = page(STRANGE)
    reader = read(text)
    assert "b" not in reader.tags
    assert STRANGE not in text
    said = "".join(reader.words)
    # title twice, subtitle, verdict, caption, table, header, cell, note, command
    assert said.count(STRANGE) >= 10
    assert f"Meaning {STRANGE}" in reader.titles


def test_a_meaning_stays_inside_its_attribute() -> None:
    odd = '" onmouseover="alert(1)'
    grid = Grid("t", headline(), [words("h", "variant", meaning=odd)])
    text = render_study(StudyPage("t", "s", [], {}, [grid], {}))
    assert 'onmouseover="alert' not in text
    assert odd in read(text).titles


def test_the_page_loads_nothing() -> None:
    reader = read(page())
    assert all(link.startswith("#") for link in reader.loaded)
    assert not {"script", "link", "iframe", "img", "object", "embed"} & set(reader.tags)
    assert LOADING


def test_a_page_without_tables_and_charts_is_still_one() -> None:
    text = render_study(StudyPage("größer", "s", ["v"], {}, [], {"seed": "1"}))
    assert text.startswith("<!doctype html>")
    assert "<title>größer</title>" in text


def test_a_wide_table_comes_in_pieces_that_repeat_the_first_column() -> None:
    frame = pd.DataFrame([{"row": "a", **{str(n): n for n in range(5)}}])
    fields = [Field(key, lambda row, key=key: str(row[key])) for key in frame.columns]  # type: ignore[misc]
    headers = [
        [str(column.header) for column in table.columns]
        for table in grid_tables(Grid("", frame, fields, abreast=2), str)
    ]
    assert headers == [["row", "0", "1"], ["row", "2", "3"], ["row", "4"]]
    assert len(grid_tables(Grid("", frame, fields), str)) == 1
    assert len(grid_tables(Grid("", frame, fields[:1], abreast=2), str)) == 1
