"""The numbers and switches of a game's rules: what can be turned, and how far."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt

from balance.errors import InputError, one_of, suggest
from balance.scenario import Override, Scenario, Variant
from balance.values import Model, show

__all__ = [
    "Bounds",
    "Knob",
    "bounds_at",
    "bounds_of",
    "knobs_of",
    "parts_of",
    "turned",
    "value_at",
]

SWITCH = "[switch]"
TURNED = ("rules", "policies")
TRIED = 100
"""A switch that is off (null) is tried with so many values from its lower bound on."""


@dataclass(frozen=True)
class Bounds:
    """What a number may be; None where nothing is said."""

    low: float | None
    high: float | None
    open_low: bool = False
    open_high: bool = False


@dataclass(frozen=True)
class Knob:
    """One number or switch of a variant's rules."""

    path: str
    """Dotted: rules.alarm_over, rules.crack.flush."""
    value: Any
    kind: Literal["whole", "real", "switch"]
    bounds: Bounds
    others: tuple[Any, ...] = ()
    """What else a switch can be."""
    meaning: str = ""


def parts_of(kind: Any) -> list[Any]:
    """What a type says about its values: constraints, and the words of its literals."""
    parts: list[Any] = []
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    for inner in (*get_args(kind), *getattr(kind, "__metadata__", ())):
        parts += getattr(inner, "metadata", None) or []
        if isinstance(inner, (Ge, Gt, Le, Lt)):
            parts.append(inner)
        elif not isinstance(inner, (str, int, float)):
            parts += parts_of(inner)
    return parts


def bounds_of(info: Any) -> Bounds:
    """The bounds of a field (pydantic's FieldInfo), of several kinds those of the first."""
    low = high = None
    open_low = open_high = False
    for constraint in (*info.metadata, *_first_bounded(info.annotation)):
        if isinstance(constraint, (Ge, Gt)):
            open_low = isinstance(constraint, Gt)
            low = constraint.gt if isinstance(constraint, Gt) else constraint.ge
        elif isinstance(constraint, (Le, Lt)):
            open_high = isinstance(constraint, Lt)
            high = constraint.lt if isinstance(constraint, Lt) else constraint.le
    return Bounds(_number(low), _number(high), open_low, open_high)


def _first_bounded(kind: Any) -> list[Any]:
    """The constraints of a type, or of the first of several types that has any."""
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    found = (parts_of(one) for one in kinds)
    return next((parts for parts in found if any(map(_is_bound, parts))), [])


def _is_bound(part: Any) -> bool:
    return isinstance(part, (Ge, Gt, Le, Lt))


def _number(value: Any) -> float | None:
    return value if isinstance(value, (int, float)) and math.isfinite(value) else None


def knobs_of(variant: Variant) -> list[Knob]:
    """Every number of a variant's rules, those inside of others too, and every switch."""
    return list(_model_knobs(variant.rules, "rules"))


def _model_knobs(model: Model, path: str) -> Iterator[Knob]:
    for name, info in type(model).model_fields.items():
        value = getattr(model, name)
        inner = f"{path}.{name}"
        meaning = info.description or ""
        if isinstance(value, Model):
            yield from _model_knobs(value, inner)
        for key, number in _entries(value):
            kind = _kind(number)
            if kind is not None:
                yield Knob(f"{inner}.{key}", number, kind, Bounds(None, None), (), meaning)
        found = _knob(inner, value, info, meaning)
        if found is not None:
            yield found


def _entries(value: Any) -> list[tuple[Any, Any]]:
    """The entries of a mapping, or of a list counted from 1."""
    if isinstance(value, list):
        return list(enumerate(value, start=1))
    return list(value.items()) if isinstance(value, dict) else []


def _kind(value: Any) -> Literal["whole", "real"] | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return "whole" if isinstance(value, int) else "real"


def _knob(path: str, value: Any, info: Any, meaning: str) -> Knob | None:
    words = [part for part in parts_of(info.annotation) if isinstance(part, (str, int))]
    switch = SWITCH in meaning
    kind = _kind(value)
    if isinstance(value, bool):
        return Knob(path, value, "switch", Bounds(None, None), (not value,), meaning)
    if switch and words:
        choices: list[Any] = [word for word in words if word != value]
        if not choices and info.default != value:
            default = info.default
            choices = [default.model_dump() if isinstance(default, Model) else default]
        return Knob(path, value, "switch", Bounds(None, None), tuple(choices), meaning)
    if kind is not None:
        return Knob(path, value, kind, bounds_of(info), (), meaning)
    if switch and value is None:
        lowest = int(bounds_of(info).low or 0)
        tried = tuple(range(lowest, lowest + TRIED))
        return Knob(path, value, "switch", bounds_of(info), tried, meaning)
    return None


def turned(scenario: Scenario, variant: Variant, path: str, value: Any) -> Scenario:
    """The scenario with one value of the rules or a policy set, by its dotted path.

    A path that leads into a value which is replaced whole (`rules.crack.flush`, `rules.loot.3`, or
    `rules.thresholds.1` for the first of a list) keeps what else that holds. No other variant is
    left, so that none but this one is checked.

    Raises
    ------
    InputError
        If there is no such field or it cannot have this value.
    """
    keys = path.split(".")
    option = f"{path}={show(value)}"
    if keys[0] not in TURNED:
        raise InputError(f"{option}: must start with {one_of(TURNED)}{suggest(keys[0], TURNED)}")
    scenario = _alone(scenario, variant.name)
    if keys[0] != "rules" or len(keys) < 3:
        return _varied(scenario, path, value, option)
    whole = getattr(variant.rules, keys[1], None)
    held: Any = variant.rules.model_dump().get(keys[1])
    alternative = isinstance(whole, Model) and keys[2] not in type(whole).model_fields
    inner = _replaced({} if alternative else held, keys[2:], value, option)
    return _varied(scenario, ".".join(keys[:2]), inner, option)


def _alone(scenario: Scenario, name: str) -> Scenario:
    """The scenario with no variant but this one."""
    given = scenario.document.value.get("variants") or {}
    if name not in given:
        return scenario
    top = {key: value for key, value in scenario.document.value.items() if key != "targets"}
    document = replace(scenario.document, value={**top, "variants": {name: given[name]}})
    return replace(scenario, document=document)


def _varied(scenario: Scenario, path: str, value: Any, option: str) -> Scenario:
    try:
        return scenario.varied([Override(path, json.dumps(value), option)])
    except InputError as error:
        told = str(error)
        raise InputError(told if told.startswith(option) else f"{option}: {told}") from None


def _replaced(held: Any, keys: list[str], value: Any, option: str) -> Any:
    """The mapping or list with the value at a path of keys replaced."""
    if not keys:
        return value
    if isinstance(held, list):
        place = int(keys[0]) - 1 if keys[0].isdecimal() else -1
        if not 0 <= place < len(held):
            raise InputError(f"{option}: this list has the entries 1 to {len(held)}")
        return [*held[:place], _replaced(held[place], keys[1:], value, option), *held[place + 1 :]]
    known = dict(_named_entries(held))
    return {**known, keys[0]: _replaced(known.get(keys[0]), keys[1:], value, option)}


def _named_entries(held: Any) -> list[tuple[str, Any]]:
    return [(str(key), inner) for key, inner in _entries(held)]


def value_at(variant: Variant, path: str) -> Any:
    """The value of the rules or of a policy at a dotted path; None where there is none.

    `policies.all` stands for the first seat.
    """
    section, *keys = path.split(".")
    if section == "rules":
        held: Any = variant.rules.model_dump()
    elif section == "policies" and keys and variant.policies:
        seat = int(keys[0]) - 1 if keys[0].isdecimal() else 0
        held = variant.policies[seat].model_dump() if 0 <= seat < len(variant.policies) else {}
        keys = keys[1:]
    else:
        return None
    for key in keys:
        held = dict(_named_entries(held)).get(key)
    return held


def bounds_at(variant: Variant, path: str) -> Bounds:
    """The bounds of the field at a dotted path."""
    section, *keys = path.split(".")
    model: Any = variant.rules
    if section == "policies":
        seat = int(keys[0]) - 1 if keys and keys[0].isdecimal() else 0
        model, keys = variant.policies[seat] if seat < len(variant.policies) else None, keys[1:]
    for place, key in enumerate(keys):
        fields = type(model).model_fields if isinstance(model, Model) else {}
        if key not in fields:
            break
        if place == len(keys) - 1:
            return bounds_of(fields[key])
        model = getattr(model, key)
    return Bounds(None, None)
