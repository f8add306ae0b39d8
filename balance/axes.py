"""Values that a field is to take: ranges and lists, as options write them."""

import math
import re
from dataclasses import dataclass
from typing import Any

from balance.errors import InputError
from balance.fields import bounds_at, value_at
from balance.scenario import Variant
from balance.values import real, show
from balance.yaml_text import parse_value

__all__ = ["Axis", "parse_axis"]

WIDE = 10_000  # values are told apart by all that they say
SECTIONS = ("rules", "policies")
POINTS = 11  # of a range of real numbers without a step
MOST_POINTS = 1_000
MANY = 10**12  # more points than that are not counted
RANGE = re.compile(r"[^:\[\]{}]+(:[^:\[\]{}]+){1,2}")
LIKE_A_RANGE = re.compile(r"[0-9]+ *(\.\.|-|to) *[0-9]+")
FORM = "write a range like rules.stealth=1:4 or 0:0.5:0.1, or a list like [1, 2, 4]"


@dataclass(frozen=True)
class Axis:
    """A field, by its dotted path, and the values that it takes."""

    path: str
    values: tuple[Any, ...]
    is_range: bool
    """Whether they are the numbers of a range, which may be divided further."""

    @property
    def whole(self) -> bool:
        """Whether all values are whole numbers."""
        return all(isinstance(v, int) and not isinstance(v, bool) for v in self.values)

    @property
    def numeric(self) -> bool:
        """Whether all values are numbers."""
        return all(
            isinstance(value, (int, float)) and not isinstance(value, bool) for value in self.values
        )


def parse_axis(text: str, variant: Variant) -> Axis:
    """The axis that `PATH=FROM:TO`, `PATH=FROM:TO:STEP`, `PATH=[A, B, ..]` or `PATH` says.

    A range without a step goes by ones where both ends and the field are whole numbers, else in
    ten steps; a path alone takes the field's own bounds.

    Raises
    ------
    InputError
        If it is of none of these forms, or has too many points.
    """
    source = " ".join(text.split())
    path, equals, values = (part.strip() for part in source.partition("="))
    if path.split(".")[0] not in SECTIONS or "." not in path:
        raise InputError(f"{source}: must begin with rules. or policies.; {FORM}".lstrip(": "))
    if equals and not values:
        raise InputError(f"{source}: {FORM}")
    if not equals:
        return _bounded_axis(path, variant)
    if RANGE.fullmatch(values):
        return _range_axis(source, path, values, variant)
    if LIKE_A_RANGE.fullmatch(values):
        raise InputError(f"{source}: {FORM}")
    value = parse_value(values, source)
    listed = (
        value if isinstance(value, list) else [parse_value(v, source) for v in values.split(",")]
    )
    if not listed:
        raise InputError(f"{source}: {FORM}")
    if len(listed) > MOST_POINTS:
        raise InputError(f"{source}: {len(listed)} values are too many; {MOST_POINTS} at most")
    if len({show(v, WIDE) for v in listed}) < len(listed):
        raise InputError(f"{source}: one value stands there twice")
    return Axis(path, tuple(listed), False)


def _range_axis(text: str, path: str, values: str, variant: Variant) -> Axis:
    numbers = [parse_value(part, text) for part in values.split(":")]
    if not all(isinstance(real(n), float) and math.isfinite(real(n)) for n in numbers):
        raise InputError(f"{text}: {FORM}")
    numbers = [int(n) if isinstance(n, float) and n.is_integer() else n for n in numbers]
    low, high = numbers[:2]
    if low > high:
        raise InputError(f"{text}: the range goes down; write {show(high)}:{show(low)}")
    step = numbers[2] if len(numbers) > 2 else None
    if step is not None and step <= 0:
        raise InputError(f"{text}: the step must be more than 0 (got {show(step)})")
    return Axis(path, _between(text, low, high, step, _is_real(variant, path)), True)


def _is_real(variant: Variant, path: str) -> bool:
    """Whether the field holds a real number now."""
    return isinstance(value_at(variant, path), float)


def _between(
    text: str, low: float, high: float, step: float | None, is_real: bool
) -> tuple[Any, ...]:
    whole = all(isinstance(n, int) for n in (low, high, step or 0)) and not is_real
    if step is None and not whole:
        count, step = (POINTS, (high - low) / (POINTS - 1)) if high > low else (1, 1.0)
    else:
        step = step or 1
        count = math.floor(min((high - low) / step, MANY) + 1e-9) + 1
    if count > MOST_POINTS:
        raise InputError(f"{text}: {count:,} values are too many; {MOST_POINTS:,} at most")
    if whole:
        return tuple(range(int(low), int(high) + 1, int(step)))
    return tuple(float(f"{low + place * step:.12g}") for place in range(count))


def _bounded_axis(path: str, variant: Variant) -> Axis:
    """The field's own bounds as an axis."""
    value, bounds = value_at(variant, path), bounds_at(variant, path)
    if isinstance(value, bool):
        return Axis(path, (False, True), False)
    if bounds.low is None or bounds.high is None:
        raise InputError(f"{path}: say from where to where, like {path}=1:10")
    is_real = isinstance(value, float)
    if is_real and (bounds.open_low or bounds.open_high):
        raise InputError(f"{path}: say from where to where, like {path}=1:10")
    low, high = (float(end) if is_real else int(end) for end in (bounds.low, bounds.high))
    low, high = low + bounds.open_low, high - bounds.open_high
    return Axis(path, _between(path, low, high, None, is_real), True)
