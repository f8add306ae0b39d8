"""Commands about what there is: games, rules, schema, new."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from balance.cli.command import app
from balance.cli.options import stdout
from balance.errors import InputError

__all__ = ["games", "new", "rules", "schema"]


@app.command()
def games() -> None:
    """The games that can be simulated."""
    from balance.games import game_names, load_game

    for name in game_names():
        game = load_game(name)
        print(f"{name:10} {game.title}; policies: {', '.join(game.policies)}")
        for stage in game.stages:
            print(f"{'':10} stage: {stage}, a part of it alone")


@app.command()
def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, as `balance games` says.")],
) -> None:
    """A game's rules, policies and metrics, with their meaning."""
    from rich.table import Table

    from balance.games import load_game
    from balance.schema import field_rows, metric_rows

    try:
        found = load_game(game)
    except InputError as error:
        raise InputError(f"GAME: {error}") from None
    console = stdout()
    sections = [("rules", found.rules)]
    parts = list(found.stages.items())
    sections += [(f"stage {name}", part.rules) for name, part in parts]
    sections += [(f"policy {name}", model) for name, model in found.policies.items()]
    for title, model in sections:
        table = Table(title=None, box=None, pad_edge=False, header_style="bold")
        table.add_column(title, no_wrap=True)
        for header in ("default", "bounds", "meaning"):
            table.add_column(header, overflow="fold")
        for row in field_rows(model):
            table.add_row(row.name, *(_plain(x) for x in (row.default, row.bounds, row.meaning)))
        console.print(table)
        console.print()
    for title, part in (("metrics", found), *((f"metrics of stage {n}", p) for n, p in parts)):
        table = Table(title=None, box=None, pad_edge=False, header_style="bold")
        table.add_column(title, overflow="fold")
        table.add_column("meaning", overflow="fold")
        for metric in metric_rows(part):
            table.add_row(_plain(metric.name), _plain(metric.meaning))
        console.print(table)
        console.print()


@app.command()
def schema() -> None:
    """The JSON schema of scenario files, for editors."""
    from balance.results import to_json
    from balance.schema import scenario_schema

    print(to_json(scenario_schema()))


@app.command()
def new(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, as `balance games` says.")],
    stage: Annotated[
        str | None, typer.Option(metavar="STAGE", help="A part of the game to play alone.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="YAML", help="The file (GAME.yaml); - prints it."),
    ] = None,
) -> None:
    """Start a scenario file, every rule with its meaning."""
    from balance.files import check_file, write_file
    from balance.starter import starter_scenario

    file = Path(f"{game if stage is None else stage}.yaml") if out is None else out
    try:
        text = starter_scenario(game, stage, shlex.quote(str(file)))
    except InputError as error:
        told = str(error)
        raise InputError(told if told.startswith("--") else f"GAME: {told}") from None
    if str(file) == "-":
        print(text, end="")
        return
    if file.exists():
        raise InputError(f"{file}: is there already; name another file with -o")
    check_file(file)
    write_file(file, text)
    print(f"written: {file}\ntry: balance run {shlex.quote(str(file))} --quick")


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(text)
