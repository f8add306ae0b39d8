"""YAML text as plain values, with the place of every value.

YAML 1.2 as people expect it: `no` and `on` are words, 010 is ten, 1:30 is not a number, 1e6 and
1_000_000 are numbers. Keys stay as they are written (`1.10` is not 1.1). Every value remembers its
line. Tags are refused; depth, size and what aliases unfold to are bounded.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

from balance.errors import InputError, Place, suggest

__all__ = ["Document", "parse_value", "parse_yaml", "read_yaml"]

MAX_BYTES = 1_000_000
MAX_DEPTH = 40
MAX_VALUES = 100_000
MAX_DIGITS = 400

KeyPath = tuple[str | int, ...]

LINE_BREAK = re.compile(r"\r\n|\r|\n")
DIGITS = r"[0-9]+(_[0-9]+)*"
WHOLE = re.compile(rf"[-+]?{DIGITS}")
HEX_OR_OCTAL = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
REAL = re.compile(rf"[-+]?(\.{DIGITS}|{DIGITS}(\.({DIGITS})?)?)([eE][-+]?[0-9]+)?")
WORDS: dict[str, Any] = {"": None, "~": None}
for _word, _value in (("null", None), ("true", True), ("false", False)):
    WORDS.update({_word: _value, _word.capitalize(): _value, _word.upper(): _value})
FORBIDDEN = {
    "\u00a0": "a no-break space",
    "\u2007": "a no-break space",
    "\u202f": "a no-break space",
    "\u200b": "a zero-width space",
    "\u2060": "a zero-width space",
    "\u2028": "a line separator",
    "\u2029": "a paragraph separator",
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
        """The value under a top-level key, with its places; {} where there is none."""
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
        with path.open("rb") as file:  # not its size: a pipe has none
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file{_nearby(path)}") from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({reason})") from None
    if len(raw) > MAX_BYTES:
        raise InputError(f"{path}: is larger than {MAX_BYTES:,} bytes")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError(f"{path}:{line}: is not UTF-8 text; save the file as UTF-8") from None
    return parse_yaml(text, str(path))


def _nearby(path: Path) -> str:
    try:
        return suggest(path.name, [sibling.name for sibling in path.parent.glob("*.y*ml")])
    except OSError:
        return ""


def parse_yaml(text: str, source: str) -> Document:
    """Parse YAML text; ``source`` names it in errors."""
    return _parse(text, source, one_line=False)


def parse_value(text: str, source: str) -> Any:
    """Parse the value of an option (`--set rules.tools=[]`) as YAML."""
    return _parse(text, source, one_line=True).value if text.strip() else None


def _parse(text: str, source: str, one_line: bool) -> Document:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    def place(number: int | None) -> Place:
        return Place(source, None if one_line else number)

    _refuse_characters(text, place)
    try:
        return _Reader(place, YAML(typ="safe", pure=True).parse(text)).document()
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = place(None if mark is None else mark.line + 1)
        problem = error.problem or error.context or "not YAML"
        raise InputError(f"{where}: this is not YAML: {_in_one_line(problem)}") from None
    except (YAMLError, RecursionError, ValueError) as error:
        raise InputError(f"{source}: this is not YAML: {_in_one_line(str(error))}") from None


def _in_one_line(problem: str) -> str:
    return " ".join(problem.split()) or "no reason known"


def _refuse_characters(text: str, place: Callable[[int | None], Place]) -> None:
    for number, line in enumerate(LINE_BREAK.split(text), start=1):
        if line.isprintable():
            continue  # nothing forbidden is printable
        for character in line:
            if character in FORBIDDEN:
                what = FORBIDDEN[character]
            elif unicodedata.category(character) == "Cc" and character != "\t":
                what = f"the control character U+{ord(character):04X}"
            elif unicodedata.category(character) == "Cs":
                what = "a byte that is not UTF-8 text"
            else:
                continue
            raise InputError(f"{place(number)}: holds {what}; use plain text and spaces")


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


@dataclass
class _Node:
    """A value with the place of everything in it; aliases share nodes."""

    value: Any
    place: Place
    parts: dict[str | int, "_Node"] = field(default_factory=dict)
    size: int = 1
    height: int = 0

    def add(self, key: str | int, part: "_Node") -> None:
        self.parts[key] = part
        self.size += part.size
        self.height = max(self.height, part.height + 1)

    def flatten(self, path: KeyPath, places: dict[KeyPath, Place]) -> None:
        places[path] = self.place
        for key, part in self.parts.items():
            part.flatten((*path, key), places)


class _Reader:
    """Builds the document out of the parser's events."""

    def __init__(self, place: Callable[[int | None], Place], events: Iterator[Any]) -> None:
        self.place = place
        self.events = events
        self.anchors: dict[str, _Node] = {}
        self.values = 0

    def document(self) -> Document:
        root: _Node | None = None
        for event in self.events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                if root is not None:
                    self.fail(event, "a second document starts here; one file holds one")
            elif kind not in ("StreamStartEvent", "StreamEndEvent", "DocumentEndEvent"):
                root = self.build(event, 0)
        if root is None:
            return Document(None)
        places: dict[KeyPath, Place] = {}
        root.flatten((), places)
        return Document(root.value, places)

    def here(self, event: Any) -> Place:
        return self.place(event.start_mark.line + 1)

    def fail(self, event: Any, problem: str) -> NoReturn:
        raise InputError(f"{self.here(event)}: {problem}")

    def count(self, event: Any, depth: int, size: int = 1, height: int = 0) -> None:
        self.values += size
        if self.values > MAX_VALUES:
            self.fail(event, f"holds more than {MAX_VALUES:,} values once its aliases are unfolded")
        if depth + height > MAX_DEPTH:
            self.fail(event, f"is nested more than {MAX_DEPTH} deep")

    def build(self, event: Any, depth: int) -> _Node:
        kind = type(event).__name__
        if kind == "AliasEvent":
            return self.unfold(event, depth)
        self.count(event, depth)
        self.refuse_tag(event)
        if kind == "ScalarEvent":
            node = _Node(self.scalar(event), self.here(event))
        elif kind == "SequenceStartEvent":
            node = self.sequence(event, depth)
        else:
            node = self.mapping(event, depth)
        if event.anchor:
            self.anchors[str(event.anchor)] = node
        return node

    def refuse_tag(self, event: Any) -> None:
        tag = getattr(event, "tag", None) or getattr(event, "ctag", None)
        if tag is not None and str(tag) not in ("None", ""):
            self.fail(event, f"tags such as {tag} are not allowed; write the plain value")

    def text(self, event: Any) -> str:
        text: str = event.value
        if any("\ud800" <= character <= "\udfff" for character in text):
            self.fail(event, "holds half a character (a surrogate); write the character itself")
        return text

    def scalar(self, event: Any) -> Any:
        text = self.text(event)
        if event.style:
            return text
        if len(text) > MAX_DIGITS and (WHOLE.fullmatch(text) or HEX_OR_OCTAL.fullmatch(text)):
            self.fail(event, f"holds a number of more than {MAX_DIGITS} digits")
        return scalar(text)

    def unfold(self, event: Any, depth: int) -> _Node:
        name = str(event.anchor)
        if name not in self.anchors:
            self.fail(event, f"there is no anchor &{name} before this alias")
        node = self.anchors[name]
        self.count(event, depth, node.size, node.height)
        return node

    def sequence(self, start: Any, depth: int) -> _Node:
        node = _Node([], self.here(start))
        for event in self.events:
            if type(event).__name__ == "SequenceEndEvent":
                break
            part = self.build(event, depth + 1)
            node.add(len(node.value), part)
            node.value.append(part.value)
        return node

    def mapping(self, start: Any, depth: int) -> _Node:
        node = _Node({}, self.here(start))
        lines: dict[str, int] = {}
        merged: dict[str | int, _Node] = {}
        for event in self.events:
            if type(event).__name__ == "MappingEndEvent":
                break
            if type(event).__name__ != "ScalarEvent":
                self.fail(event, "a key must be a plain word or number")
            self.refuse_tag(event)
            self.count(event, depth)
            key = self.text(event)
            if key in lines:
                first = f"first in line {lines[key]}"
                self.fail(event, f"the key {key} is here a second time ({first})")
            lines[key] = event.start_mark.line + 1
            if key == "<<" and not event.style:
                self.merge(next(self.events), depth, merged)
                continue
            part = self.build(next(self.events), depth + 1)
            node.add(key, replace(part, place=self.here(event)))
            node.value[key] = part.value
        for name, part in merged.items():
            if name not in node.value:
                node.add(name, part)
                node.value[name] = part.value
        return node

    def merge(self, event: Any, depth: int, merged: dict[str | int, _Node]) -> None:
        """Add what ``<<`` names to ``merged``; of several mappings the first one counts."""
        given = self.build(event, depth + 1)
        for source in given.parts.values() if isinstance(given.value, list) else [given]:
            if not isinstance(source.value, dict):
                self.fail(event, "<< merges mappings only")
            for key, part in source.parts.items():
                merged.setdefault(key, part)
