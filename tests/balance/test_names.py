"""Names on their way to the terminal, to cells and to file names."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from balance.names import cell, file_name, terminal


def shown(name: str) -> str:
    console = Console(file=io.StringIO(), width=200, emoji=False, color_system=None)
    console.print(terminal(name), end="", soft_wrap=True)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    return str(text)


@pytest.mark.parametrize(
    "name", ["[bold]x[/bold]", "[/]", "a[red]", "\\[bold]", "x\\y", "[link=a]"]
)
def test_markup_is_shown_and_not_obeyed(name: str) -> None:
    assert shown(name) == name


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=20))
def test_every_name_is_shown_as_it_is(name: str) -> None:
    if not name.endswith("\\"):
        assert shown(name) == name


def test_a_name_that_ends_in_a_backslash_does_not_undo_the_markup_after_it() -> None:
    console = Console(file=io.StringIO(), width=200, emoji=False, color_system=None)
    console.print(f"[bold]{terminal('x' + chr(92))}[/bold]!")
    assert console.file.getvalue() == "x\\!\n"  # type: ignore[attr-defined]


def test_control_characters_are_shown_as_codes() -> None:
    assert shown("a\x1b[31mb\x07") == "a\\x1b[31mb\\x07"


@pytest.mark.parametrize(
    "start", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"]
)
def test_a_cell_is_never_a_formula(start: str) -> None:
    assert cell(f"{start}1+1") == f"'{start}1+1"


def test_other_cells_stay_as_they_are() -> None:
    assert cell("bank = 1") == "bank = 1"
    assert cell("") == ""


@pytest.mark.parametrize("name", ["base", "bank-2", "a_b", "1"])
def test_a_safe_name_is_its_own_file_name(name: str) -> None:
    assert file_name(name) == name


@pytest.mark.parametrize(
    "name", ["Bank", "a/b", "..", ".", "", "a b", "x" * 50, "con", "é", "標準", "-x", "a:b", "nul"]
)
def test_any_other_name_gets_a_digest(name: str) -> None:
    assert re.fullmatch(r"([a-z0-9_-]{1,40}-)?[0-9a-f]{16}", file_name(name))


def test_names_that_differ_in_case_or_signs_get_different_files() -> None:
    names = [
        "bank",
        "Bank",
        "BANK",
        "bank ",
        "bank!",
        "bänk",
        "ba nk",
        "ba/nk",
        "ba-nk",
        "1.1",
        "1-1",
    ]
    assert len({file_name(name).lower() for name in names}) == len(names)


@pytest.mark.parametrize("name", ["Bank", "é", "x" * 50])
def test_a_name_that_looks_like_a_file_name_does_not_collide(name: str) -> None:
    assert file_name(file_name(name)) != file_name(name)


@given(st.text(max_size=60), st.text(max_size=60))
def test_two_names_never_share_a_file(a: str, b: str) -> None:
    assert (file_name(a).lower() == file_name(b).lower()) == (a == b)
