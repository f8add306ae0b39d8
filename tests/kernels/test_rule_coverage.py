"""The rules page, the tests and the code name the same rules."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from balance.games.bank import BankRules
from balance.games.burgle import BurgleRules
from balance.games.vault import VaultRules

ROOT = Path(__file__).parents[2]
KERNELS = ROOT / "kernels"
HERE = Path(__file__).parent
CODE = re.compile(r"`([^`]+)`")
COLUMNS = 5


@dataclass(frozen=True)
class Scope:
    """What the rules of a game are called, and where they are written."""

    game: str  # the page, the kernels and the test files are called so
    rules: type[BaseModel]
    ids: tuple[str, ...]

    @property
    def page(self) -> Path:
        return ROOT / "docs" / "rules" / f"{self.game}.md"

    @property
    def pattern(self) -> re.Pattern[str]:
        """What looks like an ID of the game."""
        letters = "".join(sorted({name[0] for name in self.ids}))
        return re.compile(rf"\b[{letters}]\d+\b")


BURGLE = Scope(
    "burgle",
    BurgleRules,
    (
        *(f"B{n}" for n in (*range(1, 7), *range(10, 28))),
        *(f"M{n}" for n in range(1, 7)),
        *(f"{letter}{n}" for letter in "CT" for n in range(1, 10)),
        *(f"R{n}" for n in range(1, 61)),
    ),
)
VAULT = Scope(
    "vault",
    VaultRules,
    (*(f"V{n}" for n in range(1, 22)), *(f"E{n}" for n in range(1, 10))),
)
BANK = Scope("bank", BankRules, tuple(f"K{n}" for n in range(1, 24)))
GAMES = pytest.mark.parametrize("scope", [BURGLE, VAULT, BANK], ids=lambda scope: scope.game)


@cache
def rows(scope: Scope) -> dict[str, list[str]]:
    """The cells after the ID of every row of a rules table, by ID."""
    found: dict[str, list[str]] = {}
    for line in scope.page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and scope.pattern.fullmatch(cells[0]):
            assert cells[0] not in found, f"{cells[0]} has two rows"
            assert len(cells) == COLUMNS, f"row {cells[0]} has {len(cells)} cells"
            found[cells[0]] = cells[1:]
    return found


def every_row() -> Iterator[Any]:
    """Every row of every game, for a test that looks at one."""
    for scope in (BURGLE, VAULT, BANK):
        for rule in sorted(rows(scope)):
            yield pytest.param(scope, rule, id=f"{scope.game}-{rule}")


ROWS = pytest.mark.parametrize(("scope", "rule"), list(every_row()))


def marks_of(function: ast.FunctionDef) -> set[str]:
    """The rule IDs in `@pytest.mark.rule(...)` of a test."""
    ids: set[str] = set()
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule":
            ids |= {ast.literal_eval(argument) for argument in decorator.args}
    return ids


@cache
def marks(scope: Scope) -> dict[str, set[str]]:
    """The rule IDs of every test of a game, by `file::name`."""
    found: dict[str, set[str]] = {}
    for file in sorted(HERE.glob(f"test_{scope.game}_*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                name = f"{file.name}::{node.name}"
                assert name not in found, f"{name} is defined twice"
                found[name] = marks_of(node)
    return found


@cache
def commented(scope: Scope) -> set[str]:
    """The rule IDs in comments of the game's kernels and of those that games share."""
    found: set[str] = set()
    for file in chain(KERNELS.glob("*.py"), (KERNELS / scope.game).rglob("*.py")):
        for line in file.read_text(encoding="utf-8").splitlines():
            _, hash_sign, comment = line.partition("#")
            if hash_sign:
                found |= set(scope.pattern.findall(comment))
    return found


def resolve(scope: Scope, place: str) -> Any:
    """The object that a code place names: `play.peek`, or a full dotted name."""
    module, _, name = place.rpartition(".")
    full = module if module.startswith("balance.") else f"kernels.{scope.game}.{module}"
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


@GAMES
def test_every_rule_in_scope_has_a_row(scope: Scope) -> None:
    assert set(scope.ids) == set(rows(scope))


@GAMES
def test_every_row_has_a_test_marked_with_its_rule(scope: Scope) -> None:
    assert not set(rows(scope)) - set().union(*marks(scope).values())


@GAMES
def test_every_marked_rule_has_a_row(scope: Scope) -> None:
    known = set(rows(scope))
    strangers = {name: ids - known for name, ids in marks(scope).items() if ids - known}
    assert not strangers


@ROWS
def test_the_tests_named_in_a_row_exist_and_carry_its_mark(scope: Scope, rule: str) -> None:
    named = CODE.findall(rows(scope)[rule][3])
    assert named
    for name in named:
        assert name in marks(scope), f"{rule}: no test {name}"
        assert rule in marks(scope)[name], f"{rule}: {name} is not marked with it"


@ROWS
def test_the_code_named_in_a_row_exists(scope: Scope, rule: str) -> None:
    named = CODE.findall(rows(scope)[rule][2])
    assert named or rule in commented(scope)
    for place in named:
        assert callable(resolve(scope, place)), f"{rule}: {place}"


@ROWS
def test_the_fields_named_in_a_row_have_the_default_that_it_says(scope: Scope, rule: str) -> None:
    fields = scope.rules.model_fields
    defaults = {name: field.default for name, field in fields.items()}
    for text in CODE.findall(rows(scope)[rule][1]):
        name, _, default = text.partition(": ")
        assert name in defaults, f"{rule}: no field {name}"
        value = defaults[name]
        value = value.model_dump() if isinstance(value, BaseModel) else value
        assert default == written(value), f"{rule}: {text}"


@GAMES
def test_every_field_of_the_rules_is_on_the_page(scope: Scope) -> None:
    named = {
        text.partition(":")[0] for row in rows(scope).values() for text in CODE.findall(row[1])
    }
    assert named == set(scope.rules.model_fields)
