"""The rules page, the tests and the code name the same rules."""

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from balance.games.burgle import BurgleRules

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rules" / "burgle.md"
KERNELS = ROOT / "kernels"
HERE = Path(__file__).parent
ID = re.compile(r"[BCMRT]\d+")
CODE = re.compile(r"`([^`]+)`")
COLUMNS = 5

IN_SCOPE = [
    *(f"B{n}" for n in (*range(1, 7), *range(10, 28))),
    *(f"M{n}" for n in range(1, 7)),
    *(f"{letter}{n}" for letter in "CT" for n in range(1, 10)),
    *(f"R{n}" for n in range(1, 61)),
]


@cache
def rows() -> dict[str, list[str]]:
    """The cells after the ID of every row of a rules table, by ID."""
    found: dict[str, list[str]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and ID.fullmatch(cells[0]):
            assert cells[0] not in found, f"{cells[0]} has two rows"
            assert len(cells) == COLUMNS, f"row {cells[0]} has {len(cells)} cells"
            found[cells[0]] = cells[1:]
    return found


def marks_of(function: ast.FunctionDef) -> set[str]:
    """The rule IDs in `@pytest.mark.rule(...)` of a test."""
    ids: set[str] = set()
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule":
            ids |= {ast.literal_eval(argument) for argument in decorator.args}
    return ids


@cache
def marks() -> dict[str, set[str]]:
    """The rule IDs of every test of this game, by `file::name`."""
    found: dict[str, set[str]] = {}
    for file in sorted(HERE.glob("test_burgle_*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                name = f"{file.name}::{node.name}"
                assert name not in found, f"{name} is defined twice"
                found[name] = marks_of(node)
    return found


@cache
def commented() -> set[str]:
    """The rule IDs in comments of the kernels."""
    found: set[str] = set()
    for file in KERNELS.rglob("*.py"):
        for line in file.read_text(encoding="utf-8").splitlines():
            _, hash_sign, comment = line.partition("#")
            if hash_sign:
                found |= set(ID.findall(comment))
    return found


def resolve(place: str) -> Any:
    """The object that a code place names: `play.peek`, or a full dotted name."""
    module, _, name = place.rpartition(".")
    full = module if module.startswith("balance.") else f"kernels.burgle.{module}"
    return getattr(import_module(full), name)


def written(value: Any) -> str:
    """A value as a scenario file writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {written(part)}" for name, part in value.items()) + "}"
    return str(value)


def test_every_rule_in_scope_has_a_row() -> None:
    assert set(IN_SCOPE) == set(rows())


def test_every_row_has_a_test_marked_with_its_rule() -> None:
    assert not set(rows()) - set().union(*marks().values())


def test_every_marked_rule_has_a_row() -> None:
    strangers = {name: ids - set(rows()) for name, ids in marks().items() if ids - set(rows())}
    assert not strangers


@pytest.mark.parametrize("rule", sorted(rows()))
def test_the_tests_named_in_a_row_exist_and_carry_its_mark(rule: str) -> None:
    named = CODE.findall(rows()[rule][3])
    assert named
    for name in named:
        assert name in marks(), f"{rule}: no test {name}"
        assert rule in marks()[name], f"{rule}: {name} is not marked with it"


@pytest.mark.parametrize("rule", sorted(rows()))
def test_the_code_named_in_a_row_exists(rule: str) -> None:
    named = CODE.findall(rows()[rule][2])
    assert named or rule in commented()
    for place in named:
        assert callable(resolve(place)), f"{rule}: {place}"


@pytest.mark.parametrize("rule", sorted(rows()))
def test_the_fields_named_in_a_row_have_the_default_that_it_says(rule: str) -> None:
    defaults = {name: field.default for name, field in BurgleRules.model_fields.items()}
    defaults["crack"] = defaults["crack"].model_dump()
    for text in CODE.findall(rows()[rule][1]):
        name, _, default = text.partition(": ")
        assert name in defaults, f"{rule}: no field {name}"
        assert default == written(defaults[name]), f"{rule}: {text}"


def test_every_field_of_the_rules_is_on_the_page() -> None:
    named = {text.partition(":")[0] for row in rows().values() for text in CODE.findall(row[1])}
    assert named == set(BurgleRules.model_fields)
