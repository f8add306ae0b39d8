"""Commands about what there is: games, rules, schema, new."""

from typing import Annotated

import typer

from balance.cli.command import app
from balance.cli.options import stdout
from balance.errors import InputError

__all__ = ["games", "rules", "schema"]


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
    """A game's rules and policies: every field with default, bounds and meaning."""
    from rich.table import Table

    from balance.games import load_game
    from balance.schema import field_rows

    try:
        found = load_game(game)
    except InputError as error:
        raise InputError(f"GAME: {error}") from None
    console = stdout()
    sections = [("rules", found.rules)]
    sections += [(f"stage {name}", part.rules) for name, part in found.stages.items()]
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


@app.command()
def schema() -> None:
    """The JSON schema of scenario files, for an editor's completion."""
    from balance.results import to_json
    from balance.schema import scenario_schema

    print(to_json(scenario_schema()))


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(text)
