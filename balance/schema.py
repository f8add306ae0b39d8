"""What there is to write in a scenario file: a JSON schema for editors and the rules as a table."""

from dataclasses import dataclass, replace
from typing import Any

from balance.fields import bounds_of, parts_of
from balance.games import Game, game_names, load_game
from balance.scenario import RunSettings, metric_names
from balance.values import Model, show

__all__ = ["FieldRow", "MetricRow", "field_rows", "metric_rows", "scenario_schema"]


@dataclass(frozen=True)
class FieldRow:
    """One field of a game's rules or of a policy."""

    name: str
    default: str
    bounds: str
    meaning: str


def field_rows(model: type[Model]) -> list[FieldRow]:
    """The fields of a model with default, bounds and meaning."""
    rows = []
    for name, info in model.model_fields.items():
        if name == "name":
            continue
        default = info.get_default(call_default_factory=True)
        shown = show(default.model_dump() if isinstance(default, Model) else default)
        rows.append(FieldRow(name, shown, _bounds(info, default), info.description or ""))
    return rows


@dataclass(frozen=True)
class MetricRow:
    """One metric, or those of all seats together, of a game's results."""

    name: str
    label: str
    meaning: str


def metric_rows(game: Game) -> list[MetricRow]:
    """What a game's results hold: the names for `--metric` and for targets."""
    rows: dict[tuple[str, str], list[MetricRow]] = {}
    for column in game.columns:
        names = [column.metric]
        if column.kind == "level":
            names = [f"{column.name}.{level}" for level in column.levels]
        for name in names:
            stem, _, number = name.rpartition(".")
            key = (stem, column.description) if number.isdecimal() else (name, "")
            rows.setdefault(key, []).append(MetricRow(name, column.label, column.description))
    for ratio in game.ratios:
        rows[ratio.name, ""] = [MetricRow(ratio.name, ratio.label, ratio.description)]
    return [
        same[0] if len(same) == 1 else replace(same[0], name=f"{same[0].name} .. {same[-1].name}")
        for same in rows.values()
    ]


def _bounds(info: Any, default: Any) -> str:
    """The bounds of a field in words: `0 .. 9`, `true, false`, or the names that are allowed."""
    found = [*info.metadata, *parts_of(info.annotation)]
    words = [part for part in found if isinstance(part, str)]
    if words:
        return ", ".join(dict.fromkeys(words))
    bounds = bounds_of(info)
    if bounds.low is None and bounds.high is None:
        return "true, false" if isinstance(default, bool) else ""
    low = "" if bounds.low is None else f"{'over ' * bounds.open_low}{bounds.low} "
    high = "" if bounds.high is None else f" {'under ' * bounds.open_high}{bounds.high}"
    return f"{low}..{high}"


def scenario_schema() -> dict[str, Any]:
    """A JSON schema of scenario files, for the completion and checks of an editor."""
    games = [load_game(name) for name in game_names()]
    definitions: dict[str, Any] = {}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "heist-balance scenario",
        "type": "object",
        "anyOf": [{"required": ["game"]}, {"required": ["extends"]}],
        "properties": {
            "name": {"type": "string", "description": "what reports call it"},
            "game": {"enum": [game.name for game in games]},
            "stage": {"type": "string", "description": "the part of the game to play alone"},
            "extends": {"type": "string", "description": "another scenario file to start from"},
            "run": _inline(RunSettings.model_json_schema(), definitions),
        },
        "patternProperties": {"^x-": {}},
        "allOf": [
            _game_schema(part, stage, stages, definitions)
            for game in games
            for stages in (list(game.stages),)
            for stage, part in ((None, game), *game.stages.items())
        ],
        "unevaluatedProperties": False,
        "$defs": definitions,
    }


def _inline(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    definitions.update(schema.pop("$defs", {}))
    return schema


def _game_schema(
    game: Game, stage: str | None, stages: list[str], definitions: dict[str, Any]
) -> dict[str, Any]:
    """What a scenario of a game, or of a stage of it, may say."""
    rules = _inline(game.rules.model_json_schema(), definitions)
    rules.pop("required", None)
    players = []
    for name, model in game.policies.items():
        schema = _inline(model.model_json_schema(), definitions)
        schema["properties"]["name"] = {"const": name}
        schema.pop("required", None)
        players.append(schema)
    from_file = {
        "type": "object",
        "required": ["file"],
        "properties": {"file": {"type": "string", "description": "a policy file"}},
    }
    policies = {
        "type": "object",
        "propertyNames": {"pattern": "^(all|[1-9])$"},
        "additionalProperties": {"anyOf": [*players, from_file]},
    }
    end = {"type": ["number", "null"]}
    bounds = {"type": "array", "items": end, "minItems": 2, "maxItems": 2}
    metrics = dict.fromkeys(metric_names(game), bounds)
    targets = {"type": "object", "properties": metrics, "additionalProperties": False}
    variant = {
        "type": ["object", "null"],
        "properties": {"rules": rules, **({"policies": policies} if players else {})},
        "additionalProperties": False,
    }
    chosen: dict[str, Any] = {"properties": {"game": {"const": game.name}}}
    if stage is not None:
        chosen["properties"]["stage"] = {"const": stage}
        chosen["required"] = ["stage"]
    elif stages:
        chosen["not"] = {"required": ["stage"]}
    return {
        "if": chosen,
        "then": {
            "properties": {
                **({} if stages or stage else {"stage": False}),
                "rules": rules,
                **({"policies": policies} if players else {}),
                "variants": {"type": "object", "additionalProperties": variant},
                "targets": {"type": "object", "additionalProperties": targets},
            }
        },
    }
