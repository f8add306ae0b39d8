"""Charts show what the DataFrame holds; a name is never a formula."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports import charts, figures
from tests.reports.frames import STRANGE, headline, members

NAMES = ["$x^2$", "a$b", STRANGE, "plain", r"\$5", "%d {0}", "naïve"]


def axes() -> Axes:
    ax: Axes = Figure().subplots()
    return ax


def endings(names: list[str]) -> pd.DataFrame:
    table = pd.DataFrame(
        {"won": 0.25, "lost to $": 0.7, "stalled": 0.0, "other": 0.05}, index=names
    )
    assert np.allclose(table.sum(axis=1), 1)
    return table


def lengths(names: list[str]) -> pd.DataFrame:
    table = pd.DataFrame({name: [0.0, 0.2, 0.5, 0.3] for name in names})
    table.index.name = "rounds"
    return table


def drawn(ax: Axes) -> list[str]:
    """The texts as they are drawn, by the SVG backend."""
    figure = ax.get_figure()
    assert isinstance(figure, Figure)
    with mpl.rc_context(figures.STYLE):
        root = ET.fromstring(figures.svg(figure))
    return ["".join(element.itertext()).strip() for element in root.iter() if "text" in element.tag]


def test_the_headline_has_a_bar_and_an_interval_per_variant() -> None:
    table = headline(["base", "bank", "casino"])
    ax = axes()
    assert charts.headline_chart(table, ax) is ax
    bars = [patch.get_width() for patch in ax.patches]
    assert bars == pytest.approx(table["estimate"].tolist())
    (_, _, (lines,)) = ax.containers[1]  # type: ignore[misc]
    ends = [segment[:, 0].tolist() for segment in lines.get_segments()]
    assert np.allclose(ends, table[["low", "high"]].to_numpy())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["base", "bank", "casino"]
    assert [text.get_text() for text in ax.texts] == ["10.00%  b", "20.00%  a", "30.00%  b"]
    assert ax.yaxis_inverted()
    assert ax.get_xlim()[1] > table["high"].max()


def test_a_headline_of_zero_is_drawn() -> None:
    table = headline(["never"])
    table["estimate"] = table["low"] = table["high"] = 0.0
    charts.headline_chart(table, axes())


def test_the_endings_of_a_variant_fill_its_bar() -> None:
    ax = axes()
    table = endings(["base", "bank"])
    assert charts.endings_chart(table, ax) is ax
    ends: dict[float, float] = {}
    for patch in ax.patches:
        row = round(patch.get_y() + patch.get_height() / 2, 6)
        assert patch.get_x() == pytest.approx(ends.get(row, 0.0))
        ends[row] = patch.get_x() + patch.get_width()
    assert ends == {0: pytest.approx(1), 1: pytest.approx(1)}
    assert [text.get_text() for text in ax.texts] == ["25%", "25%", "70%", "70%"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["base", "bank"]


def test_an_ending_that_never_occurs_is_left_out() -> None:
    ax = axes()
    charts.endings_chart(endings(["base"]), ax)
    legend = ax.get_legend()
    assert legend is not None
    assert len(legend.get_texts()) == 3


def test_lengths_have_one_line_per_variant() -> None:
    ax = axes()
    table = lengths(["base", "bank"])
    table["bank"] = [0.0, 0.0, 0.5, 0.5]
    assert charts.lengths_chart(table, ax) is ax
    for line, name in zip(ax.lines, table.columns, strict=True):
        rows = np.asarray(line.get_xdata(), int)
        assert rows.tolist() == list(range(rows[0], rows[-1] + 1))
        assert np.asarray(line.get_ydata()).tolist() == table[name].iloc[rows].tolist()
    assert ax.get_xlabel() == "rounds"
    assert ax.get_ylim()[0] == 0


def test_the_last_length_is_shown_too() -> None:
    ax = axes()
    charts.lengths_chart(lengths(["base"]), ax)
    assert sum(np.asarray(ax.lines[0].get_ydata())) == pytest.approx(1)


def test_a_name_with_an_underscore_is_in_the_legend() -> None:
    ax = axes()
    charts.lengths_chart(lengths(["base", "_x"]), ax)
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["base", "_x"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_drawn_as_it_is_and_never_as_a_formula(name: str) -> None:
    tables: list[tuple[Callable[[pd.DataFrame, Axes], Axes], pd.DataFrame]] = [
        (charts.headline_chart, headline([name, "b"])),
        (charts.endings_chart, endings([name, "b"])),
        (charts.lengths_chart, lengths([name, "b"])),
        (charts.effects_chart, members([name, "b"])),
    ]
    for chart, table in tables:
        assert name in drawn(chart(table, axes()))


def test_the_label_of_an_ending_is_no_formula() -> None:
    assert "lost to $" in drawn(charts.endings_chart(endings(["a"]), axes()))


def test_charts_leave_the_state_of_matplotlib_alone() -> None:
    before = dict(mpl.rcParams)
    figures.svg(figures.draw(charts.headline_chart, headline(), 3.0))
    assert dict(mpl.rcParams) == before


def test_a_figure_is_the_same_bytes_each_time() -> None:
    first, second = (figures.draw(charts.headline_chart, headline(), 3.0) for _ in range(2))
    assert figures.svg(first) == figures.svg(second)
    assert figures.png(first) == figures.png(second)


def test_a_png_and_an_svg_are_what_they_say() -> None:
    figure = figures.draw(charts.headline_chart, headline(), 3.0)
    assert figures.png(figure).startswith(b"\x89PNG\r\n")
    text = figures.svg(figure)
    assert text.startswith("<svg")
    assert re.search(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T", text) is None
    ET.fromstring(text)


def test_a_name_in_another_script_is_drawn_without_a_word_on_stderr() -> None:
    figures.svg(figures.draw(charts.headline_chart, headline(["標準", "base"]), 3.0))


def test_effects_are_sorted_with_their_intervals_around_zero() -> None:
    table = members(["hawk", "rook", "raven"])
    ax = axes()
    assert charts.effects_chart(table.iloc[[2, 0, 1]], ax) is ax
    assert [label.get_text() for label in ax.get_yticklabels()] == ["hawk", "rook", "raven"]
    assert [text.get_text() for text in ax.texts] == ["+2.00", "+1.00", "+0.00"]
    ends = [
        container[2][0].get_segments()[0][:, 0].tolist()  # type: ignore[index]
        for container in ax.containers
    ]
    assert np.allclose(ends, table[["effect_low", "effect_high"]].to_numpy())
    low, high = ax.get_xlim()
    assert low == pytest.approx(-high)
    assert high > table["effect_high"].max()
    bottom, top = ax.get_ylim()
    assert bottom > top  # the first row is on top


def test_what_is_not_established_is_hollow() -> None:
    ax = axes()
    charts.effects_chart(members(), ax)
    points = [container[0] for container in ax.containers]  # type: ignore[index]
    hollow = [point.get_markerfacecolor() == "white" for point in points]
    assert hollow == [False, True, True]


def test_an_effect_that_is_not_known_has_no_row() -> None:
    table = members()
    table.loc[1, ["effect", "effect_low", "effect_high"]] = None
    ax = axes()
    charts.effects_chart(table, ax)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["hawk", "raven"]
    charts.effects_chart(table.iloc[[1]], axes())


def test_effects_of_zero_are_drawn() -> None:
    table = members()
    table[["effect", "effect_low", "effect_high"]] = 0.0
    figures.svg(figures.draw(charts.effects_chart, table, 3.0))
