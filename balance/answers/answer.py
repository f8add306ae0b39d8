"""An answer: sentences, tables and charts, ready for the terminal and for a folder."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from balance import __version__
from balance.files import new_folder
from balance.names import cell, file_name, terminal
from balance.results import describe_policies, to_json
from balance.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console

    from reports.grid import Grid

__all__ = ["Answer", "Chart", "print_answer", "write_answer"]


@dataclass(frozen=True)
class Chart:
    """A chart of a DataFrame, ``height`` inches high."""

    caption: str
    draw: Callable[..., Any]
    """Takes the DataFrame and an Axes."""
    frame: "pd.DataFrame"
    height: float


@dataclass(frozen=True)
class Answer:
    """What a study says, and what that rests on."""

    study: str
    scenario: Scenario
    subtitle: str
    """How much was played and by what rule that ended."""
    verdicts: Sequence[str]
    grids: "Mapping[str, Grid]"
    """The tables by the name of their file."""
    charts: Mapping[str, Chart] = field(default_factory=dict)
    """The charts by the name of their file."""
    data: "Mapping[str, pd.DataFrame]" = field(default_factory=dict)
    """Further tables that are written only, by the name of their file."""
    json: Mapping[str, Any] = field(default_factory=dict)


def print_answer(answer: Answer, console: "Console") -> None:
    """Print title, tables and sentences."""
    from reports.grid import grid_tables

    scenario = answer.scenario
    title = f"[bold]{terminal(scenario.name)}[/bold] ({scenario.game.title}): {answer.study}"
    console.print(title, highlight=False)
    console.print(f"{answer.subtitle}, seed {scenario.run.seed}", highlight=False)
    for grid in answer.grids.values():
        console.print()
        if grid.title:
            console.print(terminal(grid.title), highlight=False)
        for place, table in enumerate(grid_tables(grid, terminal)):
            if place:
                console.print()
            console.print(table)
        for line in grid.note.splitlines():
            console.print(terminal(line), highlight=False)
    console.print()
    for line in answer.verdicts:
        console.print("• " + terminal(line), highlight=False)


def write_answer(answer: Answer, folder: Path, command: str) -> None:
    """Write every table as CSV, the charts, summary.json and report.html.

    Raises
    ------
    OutputError
        If anything cannot be written; the folder is then as it was before.
    """
    from reports import figures
    from reports.page import StudyPage, render_study

    tables = {name: grid.frame for name, grid in answer.grids.items()} | dict(answer.data)
    with new_folder(folder) as aside:
        for name, table in tables.items():
            _without_formulas(table).to_csv(
                aside / f"{file_name(name)}.csv", index=False, lineterminator="\n"
            )
        (aside / "summary.json").write_text(to_json(answer.json) + "\n", "utf-8")
        drawn = {}
        for name, chart in answer.charts.items():
            figure = figures.draw(chart.draw, chart.frame, chart.height)
            (aside / f"{file_name(name)}.png").write_bytes(figures.png(figure))
            drawn[chart.caption] = figures.svg(figure)
            (aside / f"{file_name(name)}.svg").write_text(drawn[chart.caption], "utf-8")
        page = StudyPage(
            title=answer.scenario.name,
            subtitle=f"{answer.scenario.game.title}: {answer.study}. {answer.subtitle}",
            verdicts=answer.verdicts,
            charts=drawn,
            grids=list(answer.grids.values()),
            facts=_facts(answer, command),
        )
        (aside / "report.html").write_text(render_study(page), "utf-8")


def _without_formulas(table: "pd.DataFrame") -> "pd.DataFrame":
    """The table with text that no spreadsheet takes for a formula, headers as well."""
    return table.map(_safe).rename(columns=_safe)


def _safe(value: Any) -> Any:
    return cell(value) if isinstance(value, str) else value


def _facts(answer: Answer, command: str) -> dict[str, str]:
    scenario = answer.scenario
    players = {v.name: describe_policies(v) for v in scenario.variants}
    same = len(set(players.values())) == 1
    each = "; ".join(f"{name}: {who}" for name, who in players.items())
    rules = {variant.name: variant.rules.model_dump() for variant in scenario.variants[:1]}
    return {
        "seed": str(scenario.run.seed),
        "command": command,
        "version": f"heist-balance {__version__}",
        "policies": next(iter(players.values())) if same else each,
        "rules": "; ".join(f"{name}: {to_json(rule)}" for name, rule in rules.items()),
    }
