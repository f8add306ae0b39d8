"""Charts of studies show what the DataFrame holds; a name is never a formula."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes

from reports import figures
from reports.study_charts import curve_chart, heat_chart, ladder_chart, tornado_chart
from tests.reports.test_charts import NAMES, axes, drawn

Chart = Callable[[pd.DataFrame, Axes], Axes]
NAN = math.nan
STRANGE_NAMES = [*NAMES, "_x", "標準", "$1<$2"]
CURVE: Chart = partial(curve_chart, what="win rate", field="rules.stealth", is_rate=True)
HEAT: Chart = partial(heat_chart, what="win rate", is_rate=True)
TORNADO: Chart = partial(tornado_chart, what="win rate")
LADDER: Chart = partial(ladder_chart, what="win rate")


def curve(values: Sequence[Any] = (1, 2, 4), variants: Sequence[str] = ("base",)) -> pd.DataFrame:
    """Estimates of 10 %, 20 %, .. with intervals from 2 points below to 3 above; now: the first."""
    return pd.DataFrame(
        [
            {
                "variant": variant,
                "value": value,
                "estimate": (place + 1) / 10,
                "low": (place + 1) / 10 - 0.02,
                "high": (place + 1) / 10 + 0.03,
                "now": place == 0,
            }
            for variant in variants
            for place, value in enumerate(values)
        ]
    )


def heat(down: Sequence[str] = ("a", "b"), across: Sequence[str] = ("1", "2", "3")) -> pd.DataFrame:
    """0 %, 1 %, 2 %, .. row by row."""
    shares = np.arange(len(down) * len(across)).reshape(len(down), len(across)) / 100
    table = pd.DataFrame(shares, index=list(down), columns=list(across))
    return table.rename_axis(index="rules.down", columns="rules.across")


def tornado(fields: Sequence[str] = ("stealth", "burn", "trading")) -> pd.DataFrame:
    """The first two fields a step down and up, the others flipped; the last one is tied."""
    rows = []
    for place, field in enumerate(fields):
        for side in (-1, 1) if place < 2 else (0,):
            effect = (side or -1) * 0.09 / (place + 1)
            rows.append(
                {
                    "field": field,
                    "change": f"{place} → {place + side}",
                    "side": side,
                    "estimate": effect,
                    "low": effect - 0.01,
                    "high": effect + 0.02,
                    "established": place < len(fields) - 1,
                }
            )
    return pd.DataFrame(rows)


def rungs(
    names: Sequence[str] = ("random", "simple", "expert"), variants: Sequence[str] = ("base",)
) -> pd.DataFrame:
    """Rungs of 10 %, 20 %, .."""
    table = curve(names, variants).rename(columns={"value": "rung"})
    return table.drop(columns="now")


CHARTS = pytest.mark.parametrize(
    ("chart", "table", "numbers"),
    [
        (CURVE, curve(), ["estimate", "low", "high"]),
        (CURVE, curve(["no", "yes"]), ["estimate", "low", "high"]),
        (CURVE, curve([False, True], ["a", "b"]), ["estimate", "low", "high"]),
        (HEAT, heat(), ["1", "2", "3"]),
        (TORNADO, tornado(), ["low", "high"]),
        (LADDER, rungs(), ["estimate", "low", "high"]),
        (LADDER, rungs(variants=["a", "b", "c"]), ["estimate", "low", "high"]),
    ],
)


def error_bars(ax: Axes, along: int) -> list[list[list[float]]]:
    """The ends of the error bars of each series, along x (0) or y (1)."""
    bars = [container for container in ax.containers if hasattr(container, "has_xerr")]
    return [
        [segment[:, along].tolist() for segment in container[2][0].get_segments()]  # type: ignore[index]
        for container in bars
    ]


# all of them


@CHARTS
def test_a_chart_returns_its_axes_and_becomes_a_picture(
    chart: Chart, table: pd.DataFrame, numbers: list[str]
) -> None:
    ax = axes()
    assert chart(table, ax) is ax
    pictures = [figures.draw(chart, table, 3.0) for _ in range(2)]
    first, second = ((figures.png(figure), figures.svg(figure)) for figure in pictures)
    assert first == second
    assert first[0].startswith(b"\x89PNG")


@CHARTS
@pytest.mark.parametrize("rows", [[1], slice(None)])
def test_what_is_not_known_is_left_blank(
    chart: Chart, table: pd.DataFrame, numbers: list[str], rows: Any
) -> None:
    table = table.copy()
    for column in numbers:
        table[column] = table[column].astype(object)
        table.iloc[rows, table.columns.get_loc(column)] = None if "low" in table else NAN
    figures.svg(figures.draw(chart, table, 3.0))


@CHARTS
def test_zero_everywhere_is_drawn(chart: Chart, table: pd.DataFrame, numbers: list[str]) -> None:
    table = table.copy()
    table[[*numbers, "estimate"] if "estimate" in table else numbers] = 0.0
    figures.svg(figures.draw(chart, table, 3.0))


@pytest.mark.parametrize(
    ("chart", "table"),
    [
        (CURVE, curve(variants=STRANGE_NAMES)),
        (CURVE, curve(STRANGE_NAMES)),
        (HEAT, heat(down=STRANGE_NAMES)),
        (HEAT, heat(across=STRANGE_NAMES)),
        (TORNADO, tornado(STRANGE_NAMES)),
        (TORNADO, tornado(["a"] * len(STRANGE_NAMES)).assign(change=[*STRANGE_NAMES, "", ""])),
        (LADDER, rungs(STRANGE_NAMES)),
        (LADDER, rungs(variants=STRANGE_NAMES)),
    ],
)
def test_names_are_drawn_as_they_are(chart: Chart, table: pd.DataFrame) -> None:
    assert set(STRANGE_NAMES) <= set(drawn(chart(table, axes())))


@pytest.mark.parametrize("name", ["$x^2$", "a<b>"])
def test_the_names_of_axes_are_drawn_as_they_are(name: str) -> None:
    named = heat().rename_axis(index=name + "!", columns=name + "#")
    tables: list[tuple[Chart, pd.DataFrame, list[str]]] = [
        (partial(curve_chart, what=name, field=name + "!", is_rate=False), curve(), ["!  (ringed"]),
        (partial(heat_chart, what=name, is_rate=False), named, [name, name + "!", name + "#"]),
        (partial(tornado_chart, what=name), tornado(), [", change in percentage points"]),
        (partial(ladder_chart, what=name), rungs(), [" with 95 % interval"]),
    ]
    for chart, table, wanted in tables:
        texts = " | ".join(drawn(chart(table, axes())))
        assert all(text in texts for text in (name, *wanted))


def test_of_variants_whose_names_start_with_an_underscore_all_have_a_legend() -> None:
    for chart, table in (
        (CURVE, curve(variants=["_a", "_b"])),
        (LADDER, rungs(variants=["_a", "_b"])),
    ):
        legend = chart(table, axes()).get_legend()
        assert legend is not None
        assert [text.get_text() for text in legend.get_texts()] == ["_a", "_b"]


@pytest.mark.parametrize(("chart", "table"), [(CURVE, curve()), (LADDER, rungs())])
def test_one_variant_alone_needs_no_legend(chart: Chart, table: pd.DataFrame) -> None:
    assert chart(table, axes()).get_legend() is None


# curves


def test_a_curve_has_a_line_and_intervals_for_each_variant() -> None:
    table = curve(variants=["base", "bank"])
    table.loc[table["variant"] == "bank", "estimate"] += 0.01
    ax = CURVE(table, axes())
    lines = [container[0] for container in ax.containers]  # type: ignore[index]
    for line, (_, rows) in zip(lines, table.groupby("variant", sort=False), strict=True):
        assert line.get_xdata().tolist() == rows["value"].tolist()
        assert line.get_ydata().tolist() == pytest.approx(rows["estimate"].tolist())
        assert line.get_linestyle() == "-"
    ends = np.array(error_bars(ax, 1)).reshape(-1, 2)
    assert ends == pytest.approx(table[["low", "high"]].to_numpy())
    assert (
        len({line.get_color() for line in lines}) == len({line.get_marker() for line in lines}) == 2
    )
    assert len(ax.collections) == 2 + 2  # bands and error bars


def test_words_stand_side_by_side_without_a_line() -> None:
    ax = CURVE(curve(["no", "maybe", "yes"]), axes())
    assert [label.get_text() for label in ax.get_xticklabels()] == ["no", "maybe", "yes"]
    assert ax.containers[0][0].get_xdata().tolist() == [0, 1, 2]  # type: ignore[index]
    assert ax.containers[0][0].get_linestyle() == "None"  # type: ignore[index]


def test_variants_share_the_places_of_their_words() -> None:
    table = pd.concat([curve(["a", "b"], ["first"]), curve(["b", "c"], ["second"])])
    ax = CURVE(table, axes())
    assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "b", "c"]
    assert ax.containers[1][0].get_xdata().tolist() == [1, 2]  # type: ignore[index]


def test_what_a_variant_has_now_is_ringed() -> None:
    ax = CURVE(curve(variants=["base", "bank"]), axes())
    rings = [line for line in ax.lines if line.get_markersize() == 11]
    assert [ring.get_xdata().tolist() for ring in rings] == [[1], [1]]  # type: ignore[union-attr]
    assert "ringed" in ax.get_xlabel()
    ax = CURVE(curve().assign(now=False), axes())
    assert ax.get_xlabel() == "rules.stealth"


def test_a_target_is_a_line_across() -> None:
    ax = curve_chart(curve(), axes(), "win rate", "rules.stealth", True, target=0.25)
    assert [0.25, 0.25] in [np.asarray(line.get_ydata()).tolist() for line in ax.lines]


@pytest.mark.parametrize(("is_rate", "text"), [(True, "25.0%"), (False, "0.25")])
def test_a_rate_is_shown_in_percent(is_rate: bool, text: str) -> None:
    ax = curve_chart(curve(), axes(), "win rate", "rules.stealth", is_rate)
    assert text in [str(label) for label in ax.yaxis.get_major_formatter().format_ticks([0, 0.25])]


# maps


def test_a_map_has_its_number_in_every_cell() -> None:
    ax = HEAT(heat(), axes())
    cells = {text.get_position(): text.get_text() for text in ax.texts}
    assert cells == {
        (column, row): f"{3 * row + column}.0%" for row in range(2) for column in range(3)
    }
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "3"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("rules.across", "rules.down")
    low, high = ax.get_ylim()
    assert low < high  # the first row is below
    dark = {text.get_text(): text.get_color() for text in ax.texts}
    assert (dark["0.0%"], dark["5.0%"]) == ("white", "black")


def test_means_are_shown_as_they_are() -> None:
    ax = heat_chart(heat() * 12345, axes(), "turns", False)
    assert [text.get_text() for text in ax.texts][:3] == ["0", "123.5", "246.9"]


def test_a_large_map_has_no_numbers() -> None:
    names = [str(place) for place in range(13)]
    assert len(HEAT(heat(names[:12], names[:12]), axes()).texts) == 144
    assert not HEAT(heat(names, names), axes()).texts


# tornados


def test_a_tornado_has_a_row_per_field_and_a_bar_per_change() -> None:
    table = tornado()
    ax = TORNADO(table, axes())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["stealth", "burn", "trading"]
    bottom, top = ax.get_ylim()
    assert bottom > top  # the first row is on top
    assert [bar.get_width() for bar in ax.patches] == pytest.approx(table["estimate"].tolist())
    rows = [round(bar.get_y() + bar.get_height() / 2) for bar in ax.patches]
    assert rows == [0, 0, 1, 1, 2]
    spans = [(bar.get_y(), bar.get_y() + bar.get_height()) for bar in ax.patches]
    assert all(end <= start + 1e-9 for (_, end), (start, _) in pairwise(spans))
    assert [text.get_text() for text in ax.texts] == table["change"].tolist()
    assert [bar.get_alpha() for bar in ax.patches] == [0.75, 0.75, 0.75, 0.75, 0.2]
    intervals = [np.asarray(line.get_xdata()).tolist() for line in ax.lines[1:]]
    assert np.array(intervals) == pytest.approx(table[["low", "high"]].to_numpy())


def test_up_down_and_flipped_have_colours_of_their_own() -> None:
    ax = TORNADO(tornado(), axes())
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        *("one step down", "one step up", "flipped"),
    ]
    colours = [bar.get_facecolor()[:3] for bar in ax.patches]
    assert colours[0] == colours[2] != colours[1] == colours[3] != colours[4] != colours[0]


def test_zero_and_every_interval_are_inside_with_room_for_words() -> None:
    for table in (tornado(), tornado(["stealth"]), tornado().assign(low=None, high=None)):
        low, high = TORNADO(table, axes()).get_xlim()
        known = table[["estimate", "low", "high"]].astype(float)
        assert low < min(0.0, known.min().min())
        assert high > max(0.0, known.max().max())


def test_a_change_stands_outside_of_its_bar_and_interval() -> None:
    table = tornado()
    ax = TORNADO(table, axes())
    for text, row in zip(ax.texts, table.to_dict("records"), strict=True):
        at = text.get_position()[0]
        if row["estimate"] > 0:
            assert at > row["high"]
            assert text.get_horizontalalignment() == "left"
        else:
            assert at < row["low"]
            assert text.get_horizontalalignment() == "right"


def test_several_words_of_a_field_share_its_row() -> None:
    table = tornado(["a", "b", "c", "c", "c"])
    table["change"] = [f"change {place}" for place in range(len(table))]
    ax = TORNADO(table, axes())
    rows = [bar.get_y() + bar.get_height() / 2 for bar in ax.patches]
    assert [round(row) for row in rows] == [0, 0, 1, 1, 2, 2, 2]
    assert len(set(rows)) == 7


# ladders


def test_a_ladder_has_a_row_per_rung_and_a_mark_per_variant() -> None:
    table = rungs(variants=["base", "bank"])
    ax = LADDER(table, axes())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["random", "simple", "expert"]
    bottom, top = ax.get_ylim()
    assert bottom < top  # the first rung is below
    marks = [container[0] for container in ax.containers]  # type: ignore[index]
    for mark, (_, rows) in zip(marks, table.groupby("variant", sort=False), strict=True):
        assert mark.get_xdata().tolist() == pytest.approx(rows["estimate"].tolist())
        assert [round(row) for row in mark.get_ydata()] == [0, 1, 2]
    assert not set(marks[0].get_ydata()) & set(marks[1].get_ydata())
    assert np.array(error_bars(ax, 0)).reshape(-1, 2) == pytest.approx(
        table[["low", "high"]].to_numpy()
    )
    assert ax.get_xlim()[0] == 0
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["base", "bank"]


def test_variants_keep_their_marks_where_their_rungs_come_in_another_order() -> None:
    table = rungs(variants=["base", "bank"]).iloc[[0, 1, 2, 5, 4, 3]]
    ax = LADDER(table, axes())
    mark = ax.containers[1][0]  # type: ignore[index]
    assert [round(row) for row in mark.get_ydata()] == [2, 1, 0]
    assert mark.get_xdata().tolist() == pytest.approx([0.3, 0.2, 0.1])
