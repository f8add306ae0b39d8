"""One self-contained HTML page: verdict in words, pictures, tables, and what it all rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reports.grid import Grid, grid_rows
from reports.tables import number, percent, point_digits, points

__all__ = ["Groups", "Page", "StudyPage", "render", "render_study"]


@dataclass(frozen=True)
class Groups:
    """A chart and two tables about groups of rollouts and their members.

    ``members`` has the columns member, rollouts_with, with, with_low, with_high, the same three
    for without, effect, effect_low, effect_high, established; ``groups`` has members, rollouts,
    win_rate, low, high.
    """

    title: str
    group_title: str
    member_title: str
    chart: str
    caption: str
    members: pd.DataFrame
    groups: pd.DataFrame


@dataclass(frozen=True)
class Page:
    """What a page shows.

    ``headline`` has the columns variant, estimate, low, high, n, ties, policies, rollouts_for_fine,
    changes, and ``what`` is what it is called; ``metrics`` has variant, metric, label, kind,
    estimate, low, high, description.
    """

    title: str
    subtitle: str
    verdicts: Sequence[str]
    charts: Mapping[str, str]
    headline: pd.DataFrame
    metrics: pd.DataFrame
    facts: Mapping[str, str]
    groups: Sequence[Groups] = ()
    headline_title: str = "How hard it is"
    what: str = "win rate"


def _metric_rows(metrics: pd.DataFrame) -> list[dict[Any, Any]]:
    rows = []
    for name, group in metrics.groupby("metric", sort=False):
        records = group.to_dict("records")
        show = percent if records[0]["kind"] == "rate" else number
        cells = [
            {"text": show(r["estimate"]), "title": f"{show(r['low'])} .. {show(r['high'])}"}
            for r in records
        ]
        rows.append({"metric": name, **records[0], "cells": cells})
    return rows


@dataclass(frozen=True)
class StudyPage:
    """What the page of a study shows."""

    title: str
    subtitle: str
    verdicts: Sequence[str]
    charts: Mapping[str, str]
    grids: Sequence[Grid]
    facts: Mapping[str, str]


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(percent=percent, number=number, points=points)
    return environment


def _inlined(charts: Mapping[str, str]) -> dict[str, Markup]:
    return {caption: Markup(svg) for caption, svg in charts.items()}


def render_study(page: StudyPage) -> str:
    """The page of a study as HTML text; everything it needs is inside."""
    return (
        _environment()
        .get_template("study.html")
        .render(
            page=page,
            charts=_inlined(page.charts),
            tables=[
                {
                    "title": grid.title,
                    "note": grid.note,
                    "fields": grid.fields,
                    "rows": grid_rows(grid),
                }
                for grid in page.grids
            ],
        )
    )


def render(page: Page) -> str:
    """The page of a run as HTML text; everything it needs is inside."""
    return (
        _environment()
        .get_template("report.html")
        .render(
            page=page,
            charts=_inlined(page.charts),
            headline=page.headline.to_dict("records"),
            variants=list(dict.fromkeys(page.metrics["variant"])),
            rows=_metric_rows(page.metrics),
            sections=[
                {
                    "title": found.title,
                    "group_title": found.group_title,
                    "member_title": found.member_title,
                    "chart": Markup(found.chart),
                    "caption": found.caption,
                    "digits": point_digits(found.members),
                    "members": found.members.to_dict("records"),
                    "groups": found.groups.to_dict("records"),
                }
                for found in page.groups
            ],
        )
    )
