"""YAML 1.2 as people expect it, with the line of every value and every fault."""

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.errors import InputError
from balance.yaml_text import MAX_BYTES, MAX_DEPTH, parse_value, parse_yaml, read_yaml


def value(text: str) -> Any:
    return parse_yaml(text, "f.yaml").value


def fault(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_yaml(text, "f.yaml")
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on", "on"),
        ("off", "off"),
        ("yes", "yes"),
        ("no", "no"),
        ("NO", "NO"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("TRUE", True),
        ("tRUE", "tRUE"),
        ("null", None),
        ("~", None),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("+3", 3),
        ("-0", 0),
        ("1_000_000", 1_000_000),
        ("1_", "1_"),
        ("_1", "_1"),
        ("1__0", "1__0"),
        ("1:30", "1:30"),
        ("2024-01-01", "2024-01-01"),
        ("1e6", 1e6),
        ("1E+2", 100.0),
        (".5", 0.5),
        ("1.", 1.0),
        ("1_000.5", 1000.5),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("1.2.3", "1.2.3"),
        ("'1'", "1"),
        ('"true"', "true"),
        ("18446744073709551615", 2**64 - 1),
    ],
)
def test_a_scalar_means_what_yaml_1_2_says(text: str, expected: object) -> None:
    found = value(f"a: {text}")["a"]
    assert found == expected
    assert type(found) is type(expected)


def test_nothing_after_a_key_is_null() -> None:
    assert value("a:\nb: 1") == {"a": None, "b": 1}


def test_a_yaml_1_1_line_changes_no_value() -> None:
    text = "%YAML 1.1\n---\na: 1:30\nb: on\nc: 010\nd: 1e6\n"
    assert value(text) == {"a": "1:30", "b": "on", "c": 10, "d": 1e6}


def test_keys_are_kept_as_they_are_written() -> None:
    assert list(value("1.10: a\n010: b\nno: c\n1e6: d\n'x y': e")) == [
        *("1.10", "010", "no", "1e6", "x y")
    ]


def test_a_key_twice_names_both_lines() -> None:
    assert fault("a: 1\nb: 2\na: 3") == (
        "f.yaml:3: the key a is here a second time (first in line 1)"
    )


def test_a_key_twice_inside_a_mapping_names_both_lines() -> None:
    assert fault("r:\n  s: 1\n\n  s: 1").startswith("f.yaml:4: the key s is here a second time")


def test_a_merge_may_be_overridden_before_and_after_it() -> None:
    text = "x-a: &a {p: 1, q: 2}\nb:\n  p: 9\n  <<: *a\nc:\n  <<: *a\n  q: 8"
    assert value(text)["b"] == {"p": 9, "q": 2}
    assert value(text)["c"] == {"p": 1, "q": 8}


def test_of_several_merged_mappings_the_first_one_counts() -> None:
    text = "x-a: &a {p: 1}\nx-b: &b {p: 2, q: 2}\nc: {<<: [*a, *b]}"
    assert value(text)["c"] == {"p": 1, "q": 2}


def test_a_merge_remembers_the_line_of_what_it_brings() -> None:
    document = parse_yaml("x-a: &a\n  p: 1\nb:\n  <<: *a\n  q: 2", "f.yaml")
    assert str(document.place(("b", "p"))) == "f.yaml:2"
    assert str(document.place(("b", "q"))) == "f.yaml:5"


def test_a_merge_of_something_else_is_refused() -> None:
    assert fault("a: {<<: 3}") == "f.yaml:1: << merges mappings only"
    assert "<< merges mappings only" in fault("a: {<<: [{b: 1}, 3]}")


def test_two_merges_in_one_mapping_are_a_key_twice() -> None:
    assert "the key << is here a second time" in fault("<<: {a: 1}\n<<: {b: 1}")


def test_a_quoted_merge_key_is_a_plain_key() -> None:
    assert value('"<<": 1') == {"<<": 1}


@pytest.mark.parametrize(
    "text", ["a: !!str 5", "a: ! 5", "a: !python/name:os.system x", "a: !!set {b}", "!!int 5: 3"]
)
def test_tags_are_refused(text: str) -> None:
    assert fault(text).startswith("f.yaml:1: tags such as ")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: [1", 1),
        ("\ta: 1", 1),
        ("a: 1\nb: c: d", 2),
        ("{", 1),
        ("a: @x", 1),
        ("a: '", 1),
        ("a: 1\n b: 2", 2),
        ('a: "\\q"', 1),
        ("a: *b\nb: [", 1),
    ],
)
def test_what_is_not_yaml_is_refused_with_its_line(text: str, line: int) -> None:
    assert fault(text).startswith(f"f.yaml:{line}: ")


@pytest.mark.parametrize("text", ["? [a]\n: 3", "? {a: 1}\n: 3", "a: &x 1\n*x : 3"])
def test_a_key_must_be_a_word(text: str) -> None:
    assert "a key must be a plain word or number" in fault(text)


def test_an_alias_needs_an_anchor_before_it() -> None:
    assert fault("a: *x\nb: &x 1") == "f.yaml:1: there is no anchor &x before this alias"
    assert "no anchor &x" in fault("a: &x [*x]")


def test_an_alias_stands_for_its_anchor() -> None:
    document = parse_yaml("a: &x\n  p: 1\n\nb: *x", "f.yaml")
    assert document.value == {"a": {"p": 1}, "b": {"p": 1}}
    assert str(document.place(("b",))) == "f.yaml:4"
    assert str(document.place(("b", "p"))) == "f.yaml:2"


def test_an_alias_bomb_is_refused_at_once() -> None:
    lines = ["x-0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    for level in range(1, 30):
        lines.append(f"x-{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]")
    started = time.monotonic()
    assert "values once its aliases are unfolded" in fault("\n".join(lines))
    assert time.monotonic() - started < 5


def test_a_bomb_of_merges_is_refused_at_once() -> None:
    keys = ", ".join(f"k{n}: 1" for n in range(3000))
    text = f"x: &a {{{keys}}}\n" + "\n".join(f"m{n}: {{<<: *a}}" for n in range(1000))
    started = time.monotonic()
    assert "values once its aliases are unfolded" in fault(text)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("deep", [MAX_DEPTH + 1, 3000])
def test_what_is_too_deep_is_refused(deep: int) -> None:
    assert fault("a: " + "[" * deep + "]" * deep).endswith(f"is nested more than {MAX_DEPTH} deep")


def test_aliases_do_not_get_around_the_depth() -> None:
    lines = ["a0: &a0 [1]"]
    for level in range(1, 100):
        lines.append(f"a{level}: &a{level} [*a{level - 1}]")
    assert fault("\n".join(lines)).endswith(f"is nested more than {MAX_DEPTH} deep")


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a: 1\nb: x\u00a0y", 2, "a no-break space"),
        ("a: x\u202fy", 1, "a no-break space"),
        ("a: x\u200by", 1, "a zero-width space"),
        ("a: x\u2028b", 1, "a line separator"),
        ("a: 1\nb: \ufeffx", 2, "a byte order mark"),
        ("a: 1\r\nb: x\x07", 2, "the control character U+0007"),
        ("a: 1\rb: x\x07", 2, "the control character U+0007"),
        ("a: x\x00", 1, "the control character U+0000"),
        ("a: x\x0cb", 1, "the control character U+000C"),
        ("a: x\x0bb", 1, "the control character U+000B"),
        ("a: x\x1db", 1, "the control character U+001D"),
        ("a: x\x7f", 1, "the control character U+007F"),
        ("a: x\x85b: 1", 1, "the control character U+0085"),
        ("a: x\udcff", 1, "a byte that is not UTF-8 text"),
    ],
)
def test_characters_that_cannot_be_seen_are_refused(text: str, line: int, what: str) -> None:
    assert fault(text) == f"f.yaml:{line}: holds {what}; use plain text and spaces"


def test_half_a_character_is_refused() -> None:
    assert "surrogate" in fault('a: "\\ud800"')
    assert "surrogate" in fault('"\\ud800": 1')


def test_other_scripts_are_text() -> None:
    assert value("a: Größe 標準 👩‍🚀") == {"a": "Größe 標準 👩‍🚀"}


def test_windows_and_old_mac_line_ends_count_as_one_line() -> None:
    assert "first in line 2" in fault("a: 1\r\nb: 2\r\nb: 3")
    assert value("a: 1\r\nb: 2\r\n") == {"a": 1, "b": 2}
    assert str(parse_yaml("a: 1\rb: 2", "f").place(("b",))) == "f:2"


def test_a_number_of_very_many_digits_is_refused() -> None:
    assert fault(f"a: {'9' * 5000}").startswith("f.yaml:1: holds a number of more than")
    assert value(f"a: '{'9' * 5000}'")["a"] == "9" * 5000


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "---\n", "~"])
def test_an_empty_file_is_null(text: str) -> None:
    assert value(text) is None


@pytest.mark.parametrize("text", ["a: 1\n---\nb: 2", "a: 1\n...\nb: 2", "---\n---\na: 1"])
def test_a_second_document_is_refused(text: str) -> None:
    assert fault(text).endswith("a second document starts here; one file holds one")


def test_every_value_has_its_line() -> None:
    document = parse_yaml("a:\n  b:\n    - 1\n    - {c: 2}\n# remark\nd: 3\n", "f.yaml")
    lines = {path: place.line for path, place in document.places.items()}
    assert lines == {
        (): 1,
        ("a",): 1,
        ("a", "b"): 2,
        ("a", "b", 0): 3,
        ("a", "b", 1): 4,
        ("a", "b", 1, "c"): 4,
        ("d",): 6,
    }
    assert str(document.place(("a", "b", 7, "z"))) == "f.yaml:2"


def test_a_part_keeps_the_places() -> None:
    part = parse_yaml("a: {b: 1}\nrules:\n  c: 2", "f.yaml").part("rules")
    assert part.value == {"c": 2}
    assert str(part.place(("c",))) == "f.yaml:3"


def test_a_byte_order_mark_at_the_start_is_fine(tmp_path: Path) -> None:
    file = tmp_path / "f.yaml"
    file.write_bytes("\ufeffa: 1\r\n".encode())
    assert read_yaml(file).value == {"a": 1}


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_other_encodings_are_refused_in_words(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "f.yaml"
    file.write_bytes("a: 1\nb: Größe\n".encode(encoding))
    with pytest.raises(InputError, match=r"f\.yaml:[12]: is not UTF-8 text; save the file as"):
        read_yaml(file)


def test_utf_16_without_a_mark_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "f.yaml"
    file.write_bytes("a: 1\n".encode("utf-16-le"))
    with pytest.raises(InputError, match=r"f\.yaml:1: holds the control character U\+0000"):
        read_yaml(file)


def test_a_large_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "f.yaml"
    file.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(InputError, match=r"is larger than 1,000,000 bytes"):
        read_yaml(file)


def test_an_endless_file_is_refused() -> None:
    with pytest.raises(InputError, match=r"/dev/zero: is larger than 1,000,000 bytes"):
        read_yaml(Path("/dev/zero"))


def test_a_missing_file_gets_the_nearest_name(tmp_path: Path) -> None:
    (tmp_path / "missions.yaml").write_text("a: 1")
    with pytest.raises(InputError, match=r"there is no such file \(did you mean missions.yaml\?\)"):
        read_yaml(tmp_path / "mission.yaml")
    with pytest.raises(InputError, match=r"there is no such file$"):
        read_yaml(tmp_path / "no" / "mission.yaml")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is a folder; name a scenario file"):
        read_yaml(tmp_path)


@pytest.mark.parametrize("name", ["f.yaml/g.yaml", "x" * 5000, "a\0b"])
def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "f.yaml").write_text("a: 1")
    with pytest.raises(InputError, match="cannot be read"):
        read_yaml(tmp_path / name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("[]", []), ("1e3", 1000.0), ("no", "no"), ("{a: 1}", {"a": 1}), ("", None), (" ", None)],
)
def test_an_option_is_read_the_same_way(text: str, expected: object) -> None:
    assert parse_value(text, "--set x") == expected


@pytest.mark.parametrize("text", ["[", "a: b: c", "x\u00a0y", "!!str 3", "{a: 1, a: 2}"])
def test_a_fault_in_an_option_names_the_option_without_a_line(text: str) -> None:
    with pytest.raises(InputError, match=r"^--set x: \S"):
        parse_value(text, "--set x")


def fault_or_none(text: str) -> str:
    try:
        parse_yaml(text, "f.yaml")
    except InputError as error:
        return str(error)
    return "f.yaml: none"


@given(st.text(max_size=60))
def test_any_text_is_a_value_or_a_fault_in_one_line(text: str) -> None:
    message = fault_or_none(text)
    assert message.startswith("f.yaml:")
    assert len(message.splitlines()) == 1


@given(st.text(alphabet="ab:-?[]{}&*!|>'\"%#<,. \n\\x01", max_size=40))
def test_any_text_of_signs_is_a_value_or_a_fault_in_one_line(text: str) -> None:
    assert len(fault_or_none(text).splitlines()) == 1
