"""Answers on the terminal and in files: no number is broken, no cell is a formula."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from rich.console import Console

from balance.answers.answer import Answer, Chart, print_answer, write_answer
from balance.answers.influence import influence_answer
from balance.answers.ladder import ladder_answer
from balance.answers.sweep import sweep_answer
from balance.axes import parse_axis
from balance.errors import OutputError
from balance.names import FORMULA_STARTS
from balance.scenario import Scenario
from balance.studies.influence import influence
from balance.studies.ladder import ladder, rungs_of
from balance.studies.sweep import sweep
from reports.grid import Field, Grid, grid_rows
from reports.study_charts import heat_chart
from tests.balance.scenario_files import BASE, Files

LONG = "a variant whose name goes on and on until it fills a line alone"
NAMES = ["=1+1", "+a", "-b", "@SUM(A1)", "\uff1dc", "base"]
DICE = "game: vault\nstage: dice\nrules: {dice: 3d6, thresholds: [2, 15]}\nrun: {rollouts: 500}\n"
FEW = "run: {rollouts: 20}\n"


def variants(*names: str) -> str:
    return "variants: {" + ", ".join(f'"{name}": {{}}' for name in names) + "}\n"


def swept(scenario: Scenario, *axes: str) -> Answer:
    return sweep_answer(sweep(scenario, [parse_axis(a, scenario.variants[0]) for a in axes]))


def climbed(scenario: Scenario) -> Answer:
    return ladder_answer(ladder(scenario, rungs_of(scenario, ["random"])))


def influences(scenario: Scenario) -> Answer:
    return influence_answer(influence(scenario, scenario.variants[0]))


def printed(answer: Answer, width: int = 80) -> list[str]:
    stream = io.StringIO()
    print_answer(answer, Console(file=stream, width=width, emoji=False))
    return stream.getvalue().splitlines()


# the terminal


def test_every_number_stands_whole_on_a_terminal_of_80_columns(files: Files) -> None:
    several = variants(LONG, "another one")
    answers = [
        swept(files.load(DICE), "rules.thresholds.1=1:12"),
        swept(files.load(DICE + several), "rules.thresholds.1=1:12"),
        swept(files.load(DICE + several), "rules.thresholds.1=0:12", "rules.thresholds.2=13:18"),
        climbed(files.load(BASE + FEW)),
        climbed(files.load(BASE + FEW + variants(LONG, *"abcdef"))),
        climbed(files.load(BASE.replace("name: simple", "name: expert, trading: false") + FEW)),
        influences(files.load(BASE + FEW)),
    ]
    for answer in answers:
        lines = printed(answer)
        assert max(map(len, lines)) <= 80
        shown = {part.strip() for line in lines for part in line.split("  ")}
        for grid in answer.grids.values():
            numbers = [place for place, field in enumerate(grid.fields) if field.right]
            cells = {row[place].strip() for row in grid_rows(grid) for place in numbers}
            assert cells <= shown | {""}


def test_names_are_no_markup_on_the_terminal(files: Files) -> None:
    text = BASE + FEW + variants("[red]x[/red]", "b[/]")
    lines = printed(climbed(files.load(f'name: "[bold]"\n{text}')), 120)
    said = "\n".join(lines)
    assert lines[0].startswith("[bold] (Burgle Bros Blackjack)")
    assert "[red]x[/red]" in said
    assert "b[/]" in said
    assert "\\" not in said


# the files


def cells(path: Path) -> list[str]:
    """Every cell of a CSV file, headers as well."""
    with path.open(encoding="utf-8", newline="") as file:
        return [cell for row in csv.reader(file) for cell in row]


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_no_cell_and_no_header_of_a_study_is_a_formula(files: Files) -> None:
    scenario = files.load(BASE + FEW + variants(*NAMES))
    answers = [
        swept(scenario, "rules.stealth=1:2"),
        swept(scenario.playing(scenario.variants[:1]), "rules.stealth=1:2", "rules.burn=0:1"),
        climbed(scenario),
        influences(scenario),
    ]
    met: set[str] = set()
    for number, answer in enumerate(answers):
        folder = files.folder / f"out {number}"
        write_answer(replace(answer, charts={}), folder, "balance")  # drawing takes its time
        for path in folder.glob("*.csv"):
            found = cells(path)
            met |= set(found)
            formulas = [c for c in found if c.startswith(FORMULA_STARTS) and not is_number(c)]
            assert formulas == []
    assert {f"'{name}" for name in NAMES[:-1]} | {"base"} <= met


@pytest.mark.parametrize("text", ["=cmd|' /C calc'!A0", "\t=1", "\n=1", "+1+1", "-1+1", "@x"])
def test_text_that_a_spreadsheet_would_work_out_is_quoted(files: Files, text: str) -> None:
    grid = Grid("", pd.DataFrame({"name": [text, "plain"], text: [1.5, -2.5]}), [])
    write_answer(answered(files, {"t": grid}), files.folder / "out", "balance")
    assert cells(files.folder / "out" / "t.csv") == [
        *("name", f"'{text}", f"'{text}", "1.5", "plain", "-2.5"),
    ]


def answered(files: Files, grids: dict[str, Grid], **more: Any) -> Answer:
    scenario = files.load(BASE + FEW)
    return Answer("a study", scenario, "10 rollouts", ["said"], grids, json={"a": 1}, **more)


def test_every_table_has_a_file_of_its_own_whatever_its_name(files: Files) -> None:
    frame = pd.DataFrame({"n": [1]})
    field = Field("n", lambda row: str(row["n"]))
    names = ["a", "map a/b", "map a b", "../up", "con", ""]
    grids = {name: Grid("", frame, [field]) for name in names}
    write_answer(answered(files, grids, data={"more": frame}), files.folder / "out", "balance")
    made = list((files.folder / "out").iterdir())
    assert sum(path.suffix == ".csv" for path in made) == len(names) + 1
    assert {path.name for path in files.folder.iterdir()} == {"s.yaml", "out"}


def test_the_folder_holds_json_and_page_and_the_page_rests_on_facts(files: Files) -> None:
    frame = pd.DataFrame([[0.1, 0.2]], index=["x"], columns=["y", "z"])

    def draw(table: pd.DataFrame, ax: Any) -> Any:
        return heat_chart(table, ax, "what", True)

    chart = Chart("A caption", draw, frame, 2.0)
    write_answer(answered(files, {}, charts={"map": chart}), files.folder / "out", "balance -x <y>")
    out = files.folder / "out"
    assert {path.name for path in out.iterdir()} == {
        *("map.png", "map.svg", "summary.json", "report.html")
    }
    assert json.loads((out / "summary.json").read_text("utf-8")) == {"a": 1}
    page = (out / "report.html").read_text("utf-8")
    for words in ("A caption", "said", "balance -x &lt;y&gt;", "simple", "seed", "<svg"):
        assert words in page


def test_a_folder_of_somebody_else_is_left_alone(files: Files) -> None:
    (files.folder / "mine").mkdir()
    (files.folder / "mine" / "letter.txt").write_text("dear", "utf-8")
    with pytest.raises(OutputError, match="holds other files"):
        write_answer(answered(files, {}), files.folder / "mine", "balance")
    assert [path.name for path in (files.folder / "mine").iterdir()] == ["letter.txt"]
