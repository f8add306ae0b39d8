"""Which games there are."""

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points

from balance.errors import InputError, one_of, suggest
from balance.games.base import Game

__all__ = ["game_names", "load_game"]

GROUP = "balance.games"


@cache
def _installed(find: Callable[..., EntryPoints]) -> tuple[EntryPoint, ...]:
    """What is installed: looked for once, since a study asks for its game at every point."""
    return tuple(find(group=GROUP))


def game_names() -> list[str]:
    """The names of all installed games, sorted."""
    return sorted({entry.name for entry in _installed(entry_points)})


def load_game(name: str) -> Game:
    """The game of this name; only its own module is imported.

    Raises
    ------
    InputError
        If no installed game has this name.
    """
    for entry in _installed(entry_points):
        if entry.name == name:
            game: Game = entry.load()
            return game
    names = game_names()
    raise InputError(f"must be one of: {one_of(names)} (got {name}){suggest(name, names)}")
