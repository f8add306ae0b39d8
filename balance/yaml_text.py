"""YAML text as plain values, with the place of every value.

YAML 1.2 as people expect it: `no` and `on` are words, 010 is ten, 1:30 is not a number, 1e6 and
1_000_000 are numbers. Keys stay as they are written (`1.10` is not 1.1). Every value remembers its
line. Tags are refused; depth, size and what aliases unfold to are bounded.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from balance.errors import InputError, Place

__all__ = ["Document", "parse_value", "parse_yaml", "read_yaml"]

MAX_BYTES = 1_000_000
MAX_DEPTH = 40
MAX_VALUES = 100_000

KeyPath = tuple[str | int, ...]

WHOLE = re.compile(r"[-+]?[0-9][0-9_]*")
HEX_OR_OCTAL = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
REAL = re.compile(r"[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?")
WORDS: dict[str, Any] = {"": None, "~": None}
for _word, _value in (("null", None), ("true", True), ("false", False)):
    WORDS.update({_word: _value, _word.capitalize(): _value, _word.upper(): _value})
FORBIDDEN = {
    "\u00a0": "a no-break space",
    "\u200b": "a zero-width space",
    "\u2028": "a line separator",
    "\ufeff": "a byte order mark",
}


@dataclass
class Document:
    """A value and the place of each part of it, by its path of keys and indexes."""

    value: Any
    places: dict[KeyPath, Place] = field(default_factory=dict)

    def place(self, path: KeyPath) -> Place | None:
        """The place of the value at a path, or of the nearest thing around it."""
        for length in range(len(path), -1, -1):
            if path[:length] in self.places:
                return self.places[path[:length]]
        return None

    def part(self, key: str) -> "Document":
        """The value under a top-level key, with its places; an empty mapping where there is none."""
        places = {path[1:]: place for path, place in self.places.items() if path[:1] == (key,)}
        return Document(self.value.get(key, {}), places)


def read_yaml(path: Path) -> Document:
    """Read a YAML file.

    Raises
    ------
    InputError
        If the file cannot be read or is not YAML of the kind described above.
    """
    try:
        if path.is_dir():
            raise InputError(f"{path}: is a folder; name a scenario file (.yaml)")
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path}: is larger than {MAX_BYTES:,} bytes")
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file{_nearby(path)}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError(f"{path}:{line}: is not UTF-8 text; save the file as UTF-8") from None
    return parse_yaml(text, str(path))


def _nearby(path: Path) -> str:
    from balance.errors import suggest

    siblings = path.parent.glob("*.yaml") if path.parent.is_dir() else ()
    return suggest(path.name, (sibling.name for sibling in siblings))


def parse_yaml(text: str, source: str) -> Document:
    """Parse YAML text; ``source`` names it in errors."""
    _refuse_characters(text, source)
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return _Reader(source, YAML(typ="safe", pure=True).parse(text)).document()
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1
        problem = error.problem or error.context or "not YAML"
        raise InputError(f"{Place(source, line)}: this is not YAML: {problem}") from None
    except (YAMLError, RecursionError, ValueError) as error:
        first = (str(error).splitlines() or ["not YAML"])[0]
        raise InputError(f"{source}: this is not YAML: {first}") from None


def parse_value(text: str, source: str) -> Any:
    """Parse the value of an option (`--set rules.tools=[]`) as YAML."""
    return parse_yaml(text, source).value if text.strip() else None


def _refuse_characters(text: str, source: str) -> None:
    for number, line in enumerate(text.splitlines(), start=1):
        for character in line:
            if character in FORBIDDEN:
                what = FORBIDDEN[character]
            elif (character < " " and character != "\t") or "\x7f" <= character < "\xa0":
                what = f"the control character U+{ord(character):04X}"
            else:
                continue
            raise InputError(f"{Place(source, number)}: holds {what}; use plain text and spaces")


def scalar(text: str) -> Any:
    """What a plain (unquoted) scalar means."""
    if text in WORDS:
        return WORDS[text]
    if WHOLE.fullmatch(text):
        return int(text.replace("_", ""), 10)
    if HEX_OR_OCTAL.fullmatch(text):
        return int(text, 0)
    if REAL.fullmatch(text):
        return float(text.replace("_", ""))
    return text


class _Reader:
    """Builds the document out of the parser's events."""

    def __init__(self, source: str, events: Iterator[Any]) -> None:
        self.source = source
        self.events = events
        self.places: dict[KeyPath, Place] = {}
        self.anchors: dict[str, Any] = {}
        self.values = 0

    def document(self) -> Document:
        kinds = []
        value: Any = None
        for event in self.events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                if "document" in kinds:
                    self.fail(event, "a second document starts here; one file holds one")
                kinds.append("document")
            elif kind in ("StreamStartEvent", "StreamEndEvent", "DocumentEndEvent"):
                continue
            else:
                value = self.build(event, (), 0)
        return Document(value, self.places)

    def fail(self, event: Any, problem: str) -> None:
        raise InputError(f"{Place(self.source, event.start_mark.line + 1)}: {problem}")

    def count(self, event: Any, depth: int) -> None:
        self.values += 1
        if self.values > MAX_VALUES:
            self.fail(event, f"holds more than {MAX_VALUES:,} values once its aliases are unfolded")
        if depth > MAX_DEPTH:
            self.fail(event, f"is nested more than {MAX_DEPTH} deep")

    def build(self, event: Any, path: KeyPath, depth: int) -> Any:
        self.count(event, depth)
        self.places[path] = Place(self.source, event.start_mark.line + 1)
        kind = type(event).__name__
        if kind == "AliasEvent":
            return self.unfold(event, path, depth)
        tag = getattr(event, "tag", None) or getattr(event, "ctag", None)
        if tag is not None and str(tag) not in ("None", ""):
            self.fail(event, f"tags such as {tag} are not allowed; write the plain value")
        if kind == "ScalarEvent":
            plain = event.style is None or event.style == ""
            value = scalar(event.value) if plain else event.value
        elif kind == "SequenceStartEvent":
            value = self.sequence(path, depth)
        else:
            value = self.mapping(event, path, depth)
        if event.anchor:
            here = {p[len(path) :]: m for p, m in self.places.items() if p[: len(path)] == path}
            self.anchors[str(event.anchor)] = (value, here)
        return value

    def unfold(self, event: Any, path: KeyPath, depth: int) -> Any:
        name = str(event.anchor)
        if name not in self.anchors:
            self.fail(event, f"there is no anchor &{name} before this alias")
        value, places = self.anchors[name]
        self.values += len(places)
        self.count(event, depth)
        self.places.update({path + inner: place for inner, place in places.items()})
        return value

    def sequence(self, path: KeyPath, depth: int) -> list[Any]:
        items: list[Any] = []
        for event in self.events:
            if type(event).__name__ == "SequenceEndEvent":
                break
            items.append(self.build(event, (*path, len(items)), depth + 1))
        return items

    def mapping(self, start: Any, path: KeyPath, depth: int) -> dict[str, Any]:
        own: dict[str, Any] = {}
        lines: dict[str, int] = {}
        merged: dict[str, Any] = {}
        merged_places: dict[KeyPath, Place] = {}
        for event in self.events:
            kind = type(event).__name__
            if kind == "MappingEndEvent":
                break
            if kind != "ScalarEvent":
                self.fail(event, "a key must be a plain word or number")
            key = event.value
            line = event.start_mark.line + 1
            if key == "<<" and event.style in (None, ""):
                self.merge(next(self.events), path, depth, merged, merged_places)
                continue
            if key in own:
                self.fail(event, f"the key {key} is here a second time (first in line {lines[key]})")
            own[key] = self.build(next(self.events), (*path, key), depth + 1)
            lines[key] = line
            self.places[(*path, key)] = Place(self.source, line)
        for key, value in merged.items():
            if key not in own:
                own[key] = value
                inner = {p: m for p, m in merged_places.items() if p[: len(path) + 1] == (*path, key)}
                self.places.update(inner)
        return own

    def merge(
        self,
        event: Any,
        path: KeyPath,
        depth: int,
        merged: dict[str, Any],
        places: dict[KeyPath, Place],
    ) -> None:
        value = self.build(event, (*path, "<<"), depth + 1)
        sources = value if isinstance(value, list) else [value]
        for number, source in enumerate(sources):
            if not isinstance(source, dict):
                self.fail(event, "<< merges mappings only")
            prefix: KeyPath = (*path, "<<", number) if isinstance(value, list) else (*path, "<<")
            for key, inner in source.items():
                if key in merged:
                    continue
                merged[key] = inner
                full = (*prefix, key)
                for p, place in list(self.places.items()):
                    if p[: len(full)] == full:
                        places[(*path, key, *p[len(full) :])] = place
