"""A scenario file to start from: every rule with its meaning, commented out at its default."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_origin

from balance.errors import InputError, one_of, suggest
from balance.fields import bounds_of, parts_of
from balance.games import Game, load_game
from balance.headline import headline_column
from balance.values import Model, show

__all__ = ["starter_scenario"]

WIDE = 10_000  # no value is cut short


def starter_scenario(name: str, stage: str | None = None, file: str = "FILE") -> str:
    """The text of a scenario that runs as it is.

    Parameters
    ----------
    name, stage
        The game and, if one is to be played alone, its stage.
    file
        What the file will be called, for the commands in its head.

    Raises
    ------
    InputError
        If there is no such game or stage.
    """
    game = load_game(name)
    if stage is not None:
        if stage not in game.stages:
            stages = list(game.stages)
            raise InputError(
                f"--stage {stage}: {name} has no such stage{suggest(stage, stages)}; "
                f"has: {one_of(stages)}"
            )
        game = game.stages[stage]
    return "\n".join(_lines(game, stage, file)) + "\n"


def _lines(game: Game, stage: str | None, file: str) -> Iterator[str]:
    rules = game.rules(**game.starting)
    players = game.seats(rules)
    yield f"# A scenario of {game.title}. Try:"
    yield f"#   balance run {file} --quick        how does it go?"
    yield f"#   balance compare {file} --quick    what does the change do?"
    yield f"#   balance influence {file} --quick  which rule matters?"
    yield f"#   balance check {file}              are the targets met?"
    yield f"name: My {game.title}"
    yield f"game: {game.name}"
    if stage is not None:
        yield f"stage: {stage}"
    yield ""
    yield "rules:   # of all variants: take away a # and change it; what is not said is as shown"
    yield from _rules(rules, game.starting)
    if players:
        yield ""
        yield f"# who plays: {', '.join(game.policies)} (`balance rules {game.name}` says more)"
        yield "policies:"
        best = _best(game)
        yield f"  all: {{name: {best}}}"
        yield f"  # {players}: {{name: {best}, mistakes: 0.1}}   # errs once in ten decisions"
    yield ""
    yield "variants:   # each is laid over what stands above: put here what you want to compare"
    yield "  base: {}"
    yield f"  changed: {{rules: {show(dict(game.change), WIDE)}}}"
    yield ""
    yield "run: {rollouts: 100_000, seed: 1}"
    yield ""
    metric = headline_column(game)[1].metric
    low, high = _target(game, players)
    yield "targets:   # the lowest and highest value that you want; null: no such end"
    yield f"  base: {{{metric}: [{low:g}, {high:g}]}}"


def _rules(rules: Model, said: Mapping[str, Any]) -> Iterator[str]:
    for name, info in type(rules).model_fields.items():
        value = getattr(rules, name)
        shown: Any = value.model_dump() if isinstance(value, Model) else value
        yield f"  # {info.description}{_bounds(info)}"
        yield f"  {'' if name in said else '# '}{name}: {show(shown, WIDE)}"


def _bounds(info: Any) -> str:
    """The bounds in words, where they are those of one number or word."""
    words = [part for part in parts_of(info.annotation) if isinstance(part, str)]
    if get_origin(info.annotation) is Literal:
        return f" ({', '.join(dict.fromkeys(words))})"
    bounds = bounds_of(info)
    if bounds.low is None or bounds.high is None or info.annotation not in (int, float):
        return ""
    return f" ({show(bounds.low)} .. {show(bounds.high)})"


def _best(game: Game) -> str:
    """The last policy that is not slow."""
    return [n for n, model in game.policies.items() if not getattr(model, "slow", False)][-1]


def _target(game: Game, players: int) -> tuple[float, float]:
    """A wish to start from, wide enough to be met: for one seat its part, give or take a tenth."""
    if game.style == "competitive":
        return round(1 / players - 0.1, 2), round(1 / players + 0.1, 2)
    return (0.2, 0.9) if game.style == "cooperative" else (0.5, 1)
