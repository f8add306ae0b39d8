"""Strict kinds of values for rules, policies and settings, in the words of a scenario file.

`1e6` is a whole number where one is wanted; `true` is not 1, `"3"` is not 3, `5.5` is not 5.
"""

import math
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

from balance.yaml_text import scalar

__all__ = ["Model", "Real", "Seed", "Whole", "explain", "real", "show", "whole", "whole_keys"]


def whole(value: Any) -> Any:
    """A number like 1e6 as the whole number that it is; anything else as it was."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def real(value: Any) -> Any:
    """A whole number as a real one; anything else as it was."""
    if isinstance(value, int) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:  # more digits than a float holds
            return math.inf if value > 0 else -math.inf
    return value


def whole_keys(value: Any) -> Any:
    """A mapping whose keys are whole numbers, read as words; anything else as it was.

    Raises
    ------
    ValueError
        If two keys are the same number, like 2 and 02.
    """
    if not isinstance(value, dict):
        return value
    found: dict[Any, Any] = {}
    for key, inner in value.items():
        number = int(key) if str(key).isdecimal() else key
        if number in found:
            raise ValueError(f"{number} stands there twice")
        found[number] = inner
    return found


Whole = Annotated[int, BeforeValidator(whole)]
Real = Annotated[float, BeforeValidator(real)]
Seed = Annotated[int, BeforeValidator(whole)]


class Model(BaseModel):
    """Base of all models: strict types, no unknown keys, nothing changed after reading."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


TYPE_WORDS = {
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "string_type": "must be text (put it in quotes)",
    "list_type": "must be a list, like [1, 2]",
    "dict_type": "must be a mapping of keys to values",
    "model_type": "must be a mapping of keys to values",
    "model_attributes_type": "must be a mapping of keys to values",
    "finite_number": "must be a finite number",
    "missing": "is missing",
}


def explain(error: Any) -> str:
    """One pydantic error in the words of a scenario file: what is allowed, and what was got."""
    kind, context = error["type"], error.get("ctx", {})
    got = f" (got {show(error['input'])})"
    if kind == "greater_than_equal":
        return f"must be {show(context['ge'])} or more{got}"
    if kind == "less_than_equal":
        return f"must be {show(context['le'])} or less{got}"
    if kind == "greater_than":
        return f"must be more than {show(context['gt'])}{got}"
    if kind == "less_than":
        return f"must be less than {show(context['lt'])}{got}"
    if kind == "literal_error":
        return f"must be {context['expected'].replace(chr(39), '')}{got}"
    if kind in ("too_short", "too_long"):
        limit = context.get("min_length", context.get("max_length"))
        bound = "at least" if kind == "too_short" else "at most"
        return f"must have {bound} {limit} entr{'y' if limit == 1 else 'ies'}"
    if kind == "value_error":
        return str(context["error"])
    if kind == "missing":
        return "is missing"
    return TYPE_WORDS.get(kind, str(error["msg"])) + got


def show(value: Any, longest: int = 60) -> str:
    """A value as it would be written in YAML, cut short where it is longer than that."""
    if isinstance(value, BaseModel):
        return show(value.model_dump(), longest)
    if value is None:
        text = "null"
    elif isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, float):
        text = f"{value:g}" if float(f"{value:g}") == value else repr(value)
    elif isinstance(value, str):
        # in quotes what would be no text, or other text, without them
        plain = value == value.strip() and value.isprintable() and isinstance(scalar(value), str)
        text = value if plain else f'"{value}"'
    elif isinstance(value, list):
        text = "[" + ", ".join(show(item, longest) for item in value) + "]"
    elif isinstance(value, dict):
        inner = ", ".join(f"{key}: {show(item, longest)}" for key, item in value.items())
        text = "{" + inner + "}"
    else:
        text = str(value)
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= longest else text[: longest - 3] + "..."
