"""Figures: charts on paper of the right size, as PNG and SVG bytes."""

import io
import warnings
from collections.abc import Callable
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

__all__ = ["draw", "png", "svg"]

WIDTH = 8.0
STYLE: Any = {"font.size": 11, "svg.fonttype": "none", "svg.hashsalt": "heist-balance"}


def draw(chart: Callable[[pd.DataFrame, Axes], Axes], table: pd.DataFrame, height: float) -> Figure:
    """A figure with one chart, ``height`` inches high."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        chart(table, figure.subplots())
    return figure


def png(figure: Figure) -> bytes:
    """The figure as a PNG file."""
    stream = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # names may be in any script
        figure.savefig(stream, format="png", dpi=150)
    return stream.getvalue()


def svg(figure: Figure) -> str:
    """The figure as SVG, ready to stand inside a page."""
    stream = io.StringIO()
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        figure.savefig(stream, format="svg", metadata={"Date": None})
    text = stream.getvalue()
    return text[text.index("<svg") :]
