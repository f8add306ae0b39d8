"""A result on the terminal and in a folder: what each file holds and how it is filled."""

import json
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from balance import __version__
from balance.errors import OutputError
from balance.files import new_folder
from balance.headline import headline_label
from balance.names import cell, file_name, terminal
from balance.results import (
    Grouped,
    difference_table,
    endings,
    group_table,
    grouped,
    headline_table,
    lengths,
    member_table,
    reach_curves,
    reach_table,
    result_json,
    seat_table,
    shares,
    summary,
    to_json,
)
from balance.simulate import Simulation
from balance.verdicts import verdicts

if TYPE_CHECKING:
    from rich.console import Console

    from reports.page import Groups

__all__ = ["print_result", "stopping_words", "write_result"]

ROLLOUTS_PER_WRITE = 16_384
HEADLINE_TITLES = {
    "cooperative": "How hard it is",
    "competitive": "The first seat, or its policy",
    "dice": "The first threshold",
    "stage": "The outcome",
}
VARIANTS_ABREAST = 5  # in one table of means


def stopping_words(simulation: Simulation) -> str:
    """Which stopping rule acted, in words."""
    run = simulation.scenario.run
    n = f"{simulation.tallies.rollouts:,} rollouts per variant"
    if simulation.stopped_by == "interrupted":
        return f"interrupted after {n}: what follows is partial"
    if simulation.stopped_by == "precision":
        return f"{n}: every interval is within ±{run.precision:g}"
    if simulation.stopped_by == "max_rollouts":
        return f"{n}: the budget ended before ±{run.precision:g} was reached (undecided)"
    return n


def print_result(simulation: Simulation, console: "Console") -> None:
    """Print headline, means and verdicts."""
    from reports import tables

    scenario = simulation.scenario
    console.print(f"[bold]{terminal(scenario.name)}[/bold] ({scenario.game.title})")
    console.print(f"{stopping_words(simulation)}, seed {scenario.run.seed}", highlight=False)
    if simulation.tallies.rollouts == 0:
        return
    console.print()
    _print_headline(simulation, console)
    console.print()
    for found in grouped(simulation):
        _print_groups(found, console)
    if len(scenario.variants) > 1 and scenario.game.style != "dice":
        label = headline_label(scenario.game)
        console.print(tables.difference_table(difference_table(simulation), terminal, label))
        console.print()
    if scenario.game.style != "dice":
        _print_means(simulation, console)
    for line in verdicts(simulation):
        console.print("• " + terminal(line), highlight=False)


def _print_headline(simulation: Simulation, console: "Console") -> None:
    """What the game is about: how often it is won, by whom, or what the dice reach."""
    from reports import tables

    game = simulation.scenario.game
    if game.style == "dice":
        console.print(tables.reach_table(reach_table(simulation), terminal))
    elif game.style == "competitive":
        console.print(tables.seat_table(seat_table(simulation), terminal))
    else:
        table = headline_table(simulation)
        console.print(tables.headline_table(table, terminal, headline_label(game)))


def _print_means(simulation: Simulation, console: "Console") -> None:
    """The telling metrics, as many variants side by side as are easy to read."""
    from reports import tables

    game = simulation.scenario.game
    means = summary(simulation)
    names = [variant.name for variant in simulation.scenario.variants]
    for start in range(0, len(names), VARIANTS_ABREAST):
        part = means[means["variant"].isin(names[start : start + VARIANTS_ABREAST])]
        wanted = [*game.telling, *game.optional]
        console.print(tables.metric_table(part, wanted, terminal, game.optional))
        console.print()


def _print_groups(found: Grouped, console: "Console") -> None:
    from reports import tables

    grouping = found.grouping
    what = f"win rate with and without each {grouping.member_title.lower()}"
    console.print(f"[bold]{terminal(found.variant)}[/bold]: {terminal(what)}", highlight=False)
    members = member_table(found)
    console.print(tables.member_table(members, grouping.member_title, terminal))
    if not members["established"].all():
        line = f"tied: no effect established at 5 %, all {len(members)} tested together (Holm)"
        console.print(line, highlight=False)
    console.print()
    groups = group_table(found)
    console.print(tables.group_table(groups, grouping.title, terminal))
    if len(groups) > 2:
        line = "each interval stands for itself: the extremes of so many are partly luck"
        console.print(line, highlight=False)
    console.print()


def write_result(
    simulation: Simulation, folder: Path, command: str, keep_rollouts: bool = False
) -> None:
    """Write summary.csv, summary.json, the charts, report.html and, on request, the rollouts.

    Raises
    ------
    OutputError
        If anything cannot be written; the folder is then as it was before.
    """
    with new_folder(folder) as aside:
        data = summary(simulation)
        for column in ("variant", "policies"):
            data[column] = data[column].map(cell)
        data.to_csv(aside / "summary.csv", index=False, lineterminator="\n")
        (aside / "summary.json").write_text(to_json(result_json(simulation)) + "\n", "utf-8")
        if simulation.tallies.rollouts > 0:
            figures = _write_charts(simulation, aside)
            groups = grouped(simulation)
            _write_group_tables(groups, aside)
            sections = [_write_group_chart(found, aside) for found in groups]
            page = _page(simulation, figures, sections, command)
            (aside / "report.html").write_text(page, "utf-8")
        if keep_rollouts:
            _write_rollouts(simulation, aside)


def _write_charts(simulation: Simulation, folder: Path) -> dict[str, str]:
    """Write each chart as PNG and SVG; return the SVG text by caption."""
    from reports import figures

    drawn = {}
    for name, (caption, chart, table, height) in _charts(simulation).items():
        figure = figures.draw(chart, table, height)
        (folder / f"{name}.png").write_bytes(figures.png(figure))
        text = figures.svg(figure)
        (folder / f"{name}.svg").write_text(text, "utf-8")
        drawn[caption] = text
    return drawn


def _charts(simulation: Simulation) -> dict[str, tuple[str, Any, Any, float]]:
    """The charts of a result by file name: caption, chart, table and height."""
    from reports import charts

    scenario = simulation.scenario
    rows = len(scenario.variants)
    wanted: dict[str, tuple[str, Any, Any, float]] = {}
    if scenario.game.style == "dice":
        for variant in scenario.variants:
            table = reach_curves(scenario.game, variant.rules)
            name = f"reach-{file_name(variant.name)}"
            wanted[name] = (f"What the dice reach: {variant.name}", charts.curves_chart, table, 3.8)
        return wanted
    if scenario.game.style == "competitive":
        for share, what in (("win_share", "seat"), ("policy_share", "policy")):
            table = shares(simulation, share)
            if len(table):
                height = 1.2 + 0.3 * len(table) + 0.4 * rows
                wanted[share] = (f"Who wins, by {what}", charts.shares_chart, table, height)
    else:
        chart = partial(charts.headline_chart, what=headline_label(scenario.game))
        wanted["win_rate"] = ("Win rate", chart, headline_table(simulation), 1.4 + 0.42 * rows)
    if scenario.game.endings:
        height = 1.7 + 0.42 * rows
        wanted["endings"] = ("How games end", charts.endings_chart, endings(simulation), height)
    wanted["length"] = ("How long a game lasts", charts.lengths_chart, lengths(simulation), 3.6)
    return wanted


def _write_group_tables(groups: Sequence[Grouped], folder: Path) -> None:
    """Write each grouping's groups and members as CSV, all variants in the same two files."""
    import pandas as pd

    tables: dict[str, list[pd.DataFrame]] = {}
    for found in groups:
        singular = found.grouping.member_title.lower()
        members = member_table(found).rename(columns={"member": singular})
        tables.setdefault(file_name(f"{singular}s"), []).append(members)
        tables.setdefault(file_name(found.grouping.title.lower()), []).append(group_table(found))
    for name, parts in tables.items():
        data = pd.concat(parts)
        data["variant"] = data["variant"].map(cell)
        data.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")


def _write_group_chart(found: Grouped, folder: Path) -> "Groups":
    """Write the chart of the members' effects as PNG and SVG; return the page's section."""
    from reports import charts, figures
    from reports.page import Groups

    grouping = found.grouping
    member = grouping.member_title.lower()
    members = member_table(found)
    figure = figures.draw(charts.effects_chart, members, 1.3 + 0.36 * len(members))
    name = f"{file_name(f'{member}s')}-{file_name(found.variant)}"
    (folder / f"{name}.png").write_bytes(figures.png(figure))
    text = figures.svg(figure)
    (folder / f"{name}.svg").write_text(text, "utf-8")
    return Groups(
        title=f"{grouping.title} and {member}s: {found.variant}",
        group_title=grouping.title,
        member_title=grouping.member_title,
        chart=text,
        caption=f"What each {member} does to the win rate, against those in its place",
        members=members,
        groups=group_table(found),
    )


def _page(
    simulation: Simulation,
    figures: Mapping[str, str],
    groups: "Sequence[Groups]",
    command: str,
) -> str:
    from reports.page import Page, render

    scenario = simulation.scenario
    rules = {variant.name: variant.rules.model_dump() for variant in scenario.variants}
    facts = {
        "stopped by": stopping_words(simulation),
        "seed": str(scenario.run.seed),
        "command": command,
        "version": f"heist-balance {__version__}",
        "policies": "; ".join(_policy_facts(simulation)),
        "rules": "; ".join(f"{name}: {json.dumps(rule)}" for name, rule in rules.items()),
    }
    data = summary(simulation)
    of_a_seat = data["metric"].str.count(r"\.") > 1  # who sat where, nine lines a seat
    return render(
        Page(
            title=scenario.name,
            subtitle=f"{scenario.game.title}, {stopping_words(simulation)}",
            verdicts=verdicts(simulation),
            charts=figures,
            headline_title=HEADLINE_TITLES[scenario.game.style],
            what=headline_label(scenario.game),
            headline=headline_table(simulation),
            metrics=data[~data["metric"].str.endswith(".none") & ~of_a_seat],
            facts=facts,
            groups=groups,
        )
    )


def _policy_facts(simulation: Simulation) -> list[str]:
    facts = []
    for variant in simulation.scenario.variants:
        knobs = [policy.model_dump() for policy in variant.policies]
        if not knobs:
            facts.append(f"{variant.name}: no players")
            continue
        same = all(knob == knobs[0] for knob in knobs)
        facts.append(f"{variant.name}: {json.dumps(knobs[0] if same else knobs)}")
    return facts


def _write_rollouts(simulation: Simulation, folder: Path) -> None:
    """Write every rollout's outcome, one Parquet file per variant, by playing them once more."""
    if simulation.partial:
        print("balance: the rollouts of an interrupted run are not kept", file=sys.stderr)
        return
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise OutputError(
            "--keep-rollouts needs pyarrow: pip install 'heist-balance[parquet]'"
        ) from None
    import numpy as np

    scenario = simulation.scenario
    names = [column.name for column in scenario.game.columns]
    for variant in scenario.variants:
        packed = scenario.game.pack(variant.rules, variant.policies)
        schema = pa.schema([("rollout", pa.int64()), *((name, pa.int32()) for name in names)])
        target = folder / f"rollouts-{file_name(variant.name)}.parquet"
        with pq.ParquetWriter(target, schema) as writer:
            for first in range(0, simulation.tallies.rollouts, ROLLOUTS_PER_WRITE):
                n = min(ROLLOUTS_PER_WRITE, simulation.tallies.rollouts - first)
                rows = np.zeros((n, len(names)), np.int32)
                packed.play(scenario.run.seed, first, rows)
                arrays: list[Any] = [pa.array(range(first, first + n), pa.int64())]
                arrays += [pa.array(rows[:, place]) for place in range(len(names))]
                writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
