"""`balance new`: a starter scenario runs as it is, and says every rule at its default."""

import re
from pathlib import Path

import pytest

from balance.games import game_names, load_game
from balance.scenario import load_scenario
from balance.starter import starter_scenario
from tests.balance.command import Balance

PARTS = [(name, stage) for name in game_names() for stage in (None, *load_game(name).stages)]
COMMENTED = re.compile(r"^  # (?=[a-z_]+: )", re.MULTILINE)


def rules_part(text: str) -> tuple[str, str, str]:
    """The text before the rules, the rules, and what comes after them."""
    start, end = text.index("rules:"), text.index("\n\n", text.index("rules:"))
    return text[:start], text[start:end], text[end:]


@pytest.mark.parametrize(("name", "stage"), PARTS)
def test_a_starter_scenario_is_a_scenario(name: str, stage: str | None, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(starter_scenario(name, stage), "utf-8")
    scenario = load_scenario(file)
    game = load_game(name) if stage is None else load_game(name).stages[stage]
    assert (scenario.game, scenario.stage) == (game, stage)
    assert scenario.variant("base").rules == game.rules(**game.starting)
    changed = game.rules(**{**game.starting, **game.change})
    assert scenario.variant("changed").rules == changed != scenario.variant("base").rules
    assert list(scenario.targets) == ["base"]


@pytest.mark.parametrize(("name", "stage"), PARTS)
def test_every_rule_stands_there_at_its_default(
    name: str, stage: str | None, tmp_path: Path
) -> None:
    text = starter_scenario(name, stage)
    game = load_game(name) if stage is None else load_game(name).stages[stage]
    before, rules, after = rules_part(text)
    said = COMMENTED.sub("  ", rules)
    # a stage's pot and cards are one or the other: what is null says nothing
    said = "\n".join(line for line in said.splitlines() if not line.endswith(": null"))
    file = tmp_path / "mine.yaml"
    file.write_text(before + said + after, "utf-8")
    assert load_scenario(file).variant("base").rules == game.rules(**game.starting)
    for field, info in game.rules.model_fields.items():
        assert re.search(rf"^  (# )?{field}: ", rules, re.MULTILINE), field
        assert (info.description or "?") in rules


def test_new_writes_a_file_that_runs(balance: Balance, tmp_path: Path) -> None:
    file = tmp_path / "my game.yaml"
    done = balance("new", "vault", "--stage", "dice", "-o", file)
    assert (done.code, done.err) == (0, "")
    assert f"written: {file}" in done.out
    assert f"balance run '{file}' --quick" in done.out
    assert balance("run", file, "--rollouts", 20, "-q").code == 0
    assert balance("compare", file, "--rollouts", 20, "-q").code == 0
    assert balance("check", file, "--max-rollouts", 2_000, "-q").code in (0, 1, 3)


def test_new_names_the_file_after_the_game(
    balance: Balance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert balance("new", "bank").code == 0
    assert balance("new", "bank", "--stage", "robbery").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bank.yaml", "robbery.yaml"]


def test_new_never_writes_over_a_file(balance: Balance, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("mine", "utf-8")
    assert "is there already" in balance.fault("new", "bank", "-o", file)
    assert file.read_text("utf-8") == "mine"


def test_new_prints_where_a_dash_is_the_file(balance: Balance) -> None:
    done = balance("new", "burgle", "-o", "-")
    assert done.code == 0
    assert "game: burgle\n" in done.out
    assert all(len(line) <= 140 for line in done.out.splitlines())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("vaul",), "GAME: must be one of: bank, burgle, vault (got vaul) (did you mean vault?)"),
        (
            ("vault", "--stage", "dise"),
            "--stage dise: vault has no such stage (did you mean dice?)",
        ),
        (("burgle", "--stage", "dice"), "--stage dice: burgle has no such stage; has: nothing"),
        (
            ("bank", "-o", "no/such/folder/x.yaml"),
            "--out no/such/folder/x.yaml: there is no folder",
        ),
    ],
)
def test_a_fault_of_new_is_one_line(balance: Balance, words: tuple[str, ...], message: str) -> None:
    assert balance.fault("new", *words).startswith(message)
