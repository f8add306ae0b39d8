"""The command: strict JSON, exit codes, one-line errors, signals and pipes."""

import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

from balance import __version__
from balance.games import game_names, load_game
from balance.games.burgle import BURGLE
from balance.scenario import metric_names
from tests.balance.command import Balance

SHIPPED = Path(__file__).parents[2] / "scenarios" / "burgle" / "advanced_missions.yaml"
COMMAND = Path(sys.executable).with_name("balance")
SIMPLE = ("--set", "policies.all={name: simple}")
FIVE = ["base", "bank", "penthouse", "casino", "legendary"]


def command(*words: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the installed command in a process of its own."""
    env = {**os.environ, **environment}
    return subprocess.run(
        [COMMAND, *map(str, words)], capture_output=True, env=env, timeout=120, check=False
    )


# the answer


def test_json_has_the_promised_keys(balance: Balance) -> None:
    done = balance("run", SHIPPED, "--rollouts", 50, "--json", *SIMPLE)
    assert (done.code, done.err) == (0, "")
    result = done.json()
    assert list(result) == [
        *("scenario", "game", "seed", "version", "stopped_by", "partial", "variants")
    ]
    assert result["scenario"] == "Advanced Missions"
    assert result["game"] == "burgle"
    assert result["seed"] == 1
    assert result["version"] == __version__
    assert result["stopped_by"] == "rollouts"
    assert result["partial"] is False
    assert [variant["name"] for variant in result["variants"]] == FIVE
    for variant in result["variants"]:
        assert list(variant) == ["name", "rules", "policies", "rollouts", "metrics"]
        assert variant["rollouts"] == 50
        assert [policy["name"] for policy in variant["policies"]] == ["simple"] * 4
        assert [m["metric"] for m in variant["metrics"]] == metric_names(BURGLE)
        for metric in variant["metrics"]:
            assert list(metric) == ["metric", "estimate", "low", "high", "n", "exact"]
            assert metric["low"] <= metric["estimate"] <= metric["high"]
            assert metric["n"] == 50
            assert metric["exact"] is None


def test_json_has_null_for_what_one_rollout_does_not_tell(balance: Balance) -> None:
    result = balance("run", SHIPPED, "--rollouts", 1, "--json", *SIMPLE).json()
    metrics = {m["metric"]: m for m in result["variants"][0]["metrics"]}
    assert metrics["rounds"]["low"] is None
    assert all(math.isfinite(m["estimate"]) for m in metrics.values())


def test_json_is_the_same_bytes_whatever_the_workers_and_the_terminal() -> None:
    words = ("run", SHIPPED, "--rollouts", 300, "--json", *SIMPLE)
    first = command(*words, "--workers", 1, COLUMNS="40", NO_COLOR="1")
    second = command(*words, "--workers", 2, COLUMNS="300", FORCE_COLOR="1", TERM="xterm")
    assert first.returncode == second.returncode == 0
    assert first.stdout == second.stdout
    assert first.stdout.endswith(b"}\n")
    assert json.loads(first.stdout)["variants"][0]["rollouts"] == 300


def test_the_seed_is_written_back_exactly(balance: Balance) -> None:
    seed = 2**64 - 1
    done = balance("run", SHIPPED, "--rollouts", 5, "--seed", seed, "--json", *SIMPLE)
    assert done.json()["seed"] == seed


def test_precision_overrides_the_rollouts_of_the_file(balance: Balance) -> None:
    words = ("--precision", 0.05, "--max-rollouts", "2e3", "--json")
    done = balance("run", SHIPPED, *words, *SIMPLE)
    assert done.code == 0
    assert done.json()["stopped_by"] == "precision"
    assert done.json()["variants"][0]["rollouts"] == 1000


def test_a_budget_that_ends_is_undecided(balance: Balance) -> None:
    words = ("--precision", 1e-4, "--max-rollouts", 300, "--json")
    done = balance("run", SHIPPED, *words, *SIMPLE)
    assert done.code == 3
    assert done.json()["stopped_by"] == "max_rollouts"
    assert done.json()["partial"] is False


def test_the_table_names_every_variant_and_what_it_rests_on(balance: Balance) -> None:
    easy = ("--set", "rules.crack={flush: 2}", "--set", "rules.burn=0")
    done = balance("run", SHIPPED, "--rollouts", 200, *easy, *SIMPLE)
    assert done.code == 0
    assert all(name in done.out for name in [*FIVE, "simple", "200 rollouts", "seed 1"])
    assert "\x1b" not in done.out


def test_a_variant_that_is_never_won_is_told_in_words(balance: Balance) -> None:
    done = balance("run", SHIPPED, "--rollouts", 20, "--set", "rules.stealth=0", *SIMPLE)
    assert done.code == 0
    assert "inf" not in done.out


def test_an_interrupted_run_gives_its_partial_result_and_130(
    balance: Balance, monkeypatch: pytest.MonkeyPatch
) -> None:
    from balance import simulate

    hand_on = simulate.Player._hand_on

    def interrupted(player: Any, done: Any) -> None:
        hand_on(player, done)
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate.Player, "_hand_on", interrupted)
    done = balance("run", SHIPPED, "--json", *SIMPLE)
    assert done.code == 130
    assert done.json()["partial"] is True
    assert done.json()["stopped_by"] == "interrupted"
    assert done.json()["variants"][0]["rollouts"] > 0


# bad input


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Missing argument 'FILE'"),
        (("missing.yaml",), "missing.yaml: there is no such file"),
        ((SHIPPED.parent,), "is a folder; name a scenario file (.yaml)"),
        ((SHIPPED, "--rollouts", "0"), "--rollouts 0: run.rollouts: must be 1 or more (got 0)"),
        ((SHIPPED, "--rollouts", "x"), "--rollouts x: run.rollouts: must be a whole number"),
        (
            (SHIPPED, "--rollouts", "1.5"),
            "--rollouts 1.5: must be a whole number; write 2000 or 2_000",
        ),
        ((SHIPPED, "--rollouts", "["), "--rollouts [: this is not YAML"),
        ((SHIPPED, "--precision", "0"), "--precision 0: run.precision: must be more than 0"),
        ((SHIPPED, "--precision", "0.5"), "--precision 0.5: run.precision: must be less than 0.5"),
        ((SHIPPED, "--rollouts", 9, "--precision", 0.1), "--rollouts and --precision: give one"),
        ((SHIPPED, "--seed", "-1"), "--seed -1: run.seed: must be 0 or more (got -1)"),
        ((SHIPPED, "--seed", 2**64), f"--seed {2**64}: run.seed: must be {2**64 - 1} or less"),
        ((SHIPPED, "--workers", "0"), "--workers"),
        ((SHIPPED, "--workers", "x"), "--workers"),
        ((SHIPPED, "--rolouts", "9"), "--rolouts"),
        ((SHIPPED, "--set", "rules.stealth=-1"), "--set rules.stealth=-1: rules.stealth: must be"),
        ((SHIPPED, "--set", "stealth"), "--set stealth: write it as a.dotted.path=value"),
        ((SHIPPED, "--keep-rollouts"), "--keep-rollouts: also name a folder with --out DIR"),
    ],
)
def test_bad_input_to_run_is_one_line(
    balance: Balance, words: Sequence[object], message: str
) -> None:
    assert message in balance.fault("run", *words)


def test_a_fault_in_the_file_names_file_and_line(balance: Balance, tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    file.write_text("game: burgle\nrules:\n  tools: []\n  stealth: -1\n")
    assert balance.fault("run", file) == f"{file}:4: rules.stealth: must be 0 or more (got -1)"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("bogus",), "No such command 'bogus'"),
        (("--bogus",), "No such option"),
        (
            ("rules", "burgel"),
            "must be one of: bank, burgle, vault (got burgel) (did you mean burgle?)",
        ),
        (("rules",), "Missing argument 'GAME'"),
        (("trace", SHIPPED, "--rollout", "-1"), "--rollout -1: must be a whole number, 0 or more"),
        (("trace", SHIPPED, "--rollout", "true"), "--rollout true: must be a whole number"),
        (("trace", SHIPPED, "--variant", "bnak"), "no variant bnak (did you mean bank?)"),
        (("trace", SHIPPED, "--find", "won"), "--find won: write it as column=value"),
        (("trace", SHIPPED, "--find", "wonn=1"), "--find wonn=1: write it as column=value (did"),
        (("trace", SHIPPED, "--find", "won=x"), "--find won=x: the value of won must be"),
        (("trace", SHIPPED, "--find", "won=-1"), "--find won=-1: the value of won must be"),
        (("trace", SHIPPED, "--find", "lost_to=alrm"), "must be none, display, alarm"),
    ],
)
def test_bad_input_to_other_commands_is_one_line(
    balance: Balance, words: Sequence[object], message: str
) -> None:
    assert message in balance.fault(*words)


def test_a_fault_comes_without_a_traceback_from_the_installed_command(tmp_path: Path) -> None:
    done = command("run", tmp_path / "no.yaml", "--json")
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.decode() == f"balance: {tmp_path}/no.yaml: there is no such file\n"


def test_nobodys_reports_py_is_picked_up(tmp_path: Path) -> None:
    (tmp_path / "reports.py").write_text("raise SystemExit('the wrong reports')")
    done = subprocess.run(
        [COMMAND, "games"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


# folders


def test_a_result_folder_holds_tables_charts_and_a_page(balance: Balance, tmp_path: Path) -> None:
    easy = ("--set", "rules.crack={flush: 2}", "--set", "rules.burn=0")
    words = ("--rollouts", 100, "--keep-rollouts", "--json", *easy, *SIMPLE)
    done = balance("run", SHIPPED, "--out", tmp_path / "out", *words)
    assert done.code == 0
    names = {entry.name for entry in (tmp_path / "out").iterdir()}
    assert {"summary.csv", "summary.json", "report.html", "win_rate.png", "win_rate.svg"} <= names
    assert {f"rollouts-{name}.parquet" for name in FIVE} <= names
    assert (tmp_path / "out" / "summary.json").read_text("utf-8") == done.out
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_kept_rollouts_are_those_that_were_counted(balance: Balance, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    easy = ("--set", "rules.crack={flush: 2}", "--set", "rules.burn=0")
    words = ("--rollouts", 100, "--keep-rollouts", "--json", *easy, *SIMPLE)
    result = balance("run", SHIPPED, "--out", tmp_path / "out", *words).json()
    rows = pq.read_table(tmp_path / "out" / "rollouts-bank.parquet").to_pydict()
    metrics = {m["metric"]: m["estimate"] for m in result["variants"][1]["metrics"]}
    assert rows["rollout"] == list(range(100))
    assert sum(rows["won"]) / 100 == metrics["win_rate"]
    assert sum(rows["rounds"]) / 100 == metrics["rounds"]


def test_a_file_in_place_of_the_folder_is_refused_before_the_run(
    balance: Balance, tmp_path: Path
) -> None:
    (tmp_path / "out").write_text("mine")
    message = balance.fault("run", SHIPPED, "--rollouts", "1e9", "--out", tmp_path / "out")
    assert message == f"--out {tmp_path}/out: is a file; name a folder"
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.parametrize("folder", ["/proc/out", "/dev/null/out"])
def test_a_folder_that_cannot_be_written_is_refused_before_the_run(
    balance: Balance, folder: str
) -> None:
    assert f"--out {folder}: " in balance.fault(
        "run", SHIPPED, "--rollouts", "1e9", "--out", folder
    )


def test_a_folder_with_other_files_is_refused_before_the_run(
    balance: Balance, tmp_path: Path
) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    message = balance.fault("run", SHIPPED, "--rollouts", "1e9", "--out", tmp_path)
    assert message.endswith("holds other files; name a new folder")
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_a_write_that_fails_leaves_no_half_folder(
    balance: Balance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("balance.report._write_charts", full)
    words = ("--rollouts", 10, "--out", tmp_path / "out", "--json")
    message = balance.fault("run", SHIPPED, *words, *SIMPLE)
    assert message == f"--out {tmp_path}/out: cannot be written (No space left on device)"
    assert list(tmp_path.iterdir()) == []


# signals and pipes


def wait_for_work(pid: int, seconds: float = 6.0) -> None:
    """Until a process has computed for so long: the game is loaded and some batches are played."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():  # not on this system
        time.sleep(2 * seconds)
        return
    for _ in range(600):
        user = int(stat.read_text().rpartition(")")[2].split()[11])
        if user / os.sysconf("SC_CLK_TCK") > seconds:
            return
        time.sleep(0.1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_long_run_soon_with_what_is_there(number: signal.Signals) -> None:
    words = [str(COMMAND), "run", str(SHIPPED), "--rollouts", "1e9", "--json", "-q", *SIMPLE]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            wait_for_work(process.pid)
            assert process.poll() is None
            process.send_signal(number)
            started = time.monotonic()
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert time.monotonic() - started < 20
    assert process.returncode == 130
    assert b"Traceback" not in err
    result = json.loads(out)
    assert (result["partial"], result["stopped_by"]) == (True, "interrupted")
    assert result["variants"][0]["rollouts"] > 0


@pytest.mark.parametrize(
    "words",
    [f"trace '{SHIPPED}' --rollout 3", f"trace '{SHIPPED}' --json", "rules burgle", "schema"],
)
def test_a_reader_that_goes_away_ends_the_command_quietly(words: str) -> None:
    line = f"'{COMMAND}' {words} | head -c 1 >/dev/null; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout in ("0\n", "1\n")  # whether the reader was gone in time is chance
    assert done.stderr == ""


def test_a_reader_that_has_gone_is_no_failure() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = [COMMAND, "trace", SHIPPED, "--json"]
    done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_full_disk_behind_stdout_is_one_line() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [COMMAND, "schema"], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


# the other commands


def test_games_lists_every_game_with_its_policies(balance: Balance) -> None:
    done = balance("games")
    assert done.code == 0
    for name in game_names():
        assert re.search(rf"^{name} +{load_game(name).title}; policies: ", done.out, re.MULTILINE)
    assert "random, simple, expert" in done.out


def test_the_rules_fit_80_columns_and_tell_every_field(balance: Balance) -> None:
    done = balance("rules", "burgle")
    assert done.code == 0
    assert max(len(line) for line in done.out.splitlines()) <= 80
    starts = {line.split()[0]: line.split() for line in done.out.splitlines() if line[:1].strip()}
    for model in (BURGLE.rules, *BURGLE.policies.values()):
        for name in model.model_fields:
            if name != "name":
                assert len(starts[name]) >= 3, f"{name} has no default or meaning"
    words = " ".join(done.out.split())
    assert "B5: stealth that every" in words
    assert starts["stealth"][1:5] == ["2", "0", "..", "99"]
    assert starts["trading"][1] == "true"


def test_the_version_is_the_packages_own(balance: Balance) -> None:
    assert balance("--version").out == f"heist-balance {__version__}\n"


@pytest.mark.parametrize("words", [("--help",), ("run", "--help"), ("trace", "-h")])
def test_help_is_there(balance: Balance, words: Sequence[str]) -> None:
    done = balance(*words)
    assert done.code == 0
    assert "Usage: " in done.out


@pytest.fixture
def schema(balance: Balance) -> Any:
    done = balance("schema")
    assert done.code == 0
    return done.json()


def accepts(schema: Any, scenario: Any) -> bool:
    return bool(jsonschema.Draft202012Validator(schema).is_valid(scenario))


def test_the_schema_is_a_json_schema(schema: Any) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)


def test_the_schema_accepts_the_shipped_scenario(schema: Any) -> None:
    scenario = YAML(typ="safe", pure=True).load(SHIPPED)
    jsonschema.Draft202012Validator(schema).validate(scenario)


@pytest.mark.parametrize(
    "part",
    [
        {},
        {"x-shared": [1]},
        {"name": "n", "run": {"seed": 2**64 - 1, "precision": 0.01}},
        {"policies": {"all": {"file": "p.yaml"}, "2": {"name": "random", "mistakes": 0.5}}},
        {"targets": {"base": {"win_rate": [0.3, 0.6], "lost_to.alarm": [0, 1]}}},
        {"variants": {"a": None, "b": {"rules": {"crack": {"straight_flush": 4}}}}},
    ],
)
def test_the_schema_accepts_what_is_right(schema: Any, part: dict[str, Any]) -> None:
    assert accepts(schema, {"game": "burgle", **part})


@pytest.mark.parametrize(
    "part",
    [
        {"rule": {}},
        {"game": "burgel"},
        {"rules": {"stealt": 3}},
        {"rules": {"stealth": -1}},
        {"rules": {"stealth": "3"}},
        {"rules": {"crack": {"flus": 3}}},
        {"policies": {"al": {"name": "simple"}}},
        {"policies": {"all": {"name": "simpel"}}},
        {"policies": {"all": {"name": "simple", "bail": 3}}},
        {"variants": {"a": {"rule": {}}}},
        {"variants": {"a": {"rules": {"stealt": 3}}}},
        {"run": {"rolouts": 3}},
        {"run": {"rollouts": 0}},
        {"run": {"seed": 2**64}},
        {"targets": {"base": {"winrate": [0, 1]}}},
        {"targets": {"base": {"win_rate": 1}}},
    ],
)
def test_the_schema_refuses_a_typo(schema: Any, part: dict[str, Any]) -> None:
    assert not accepts(schema, {"game": "burgle", **part})


def test_the_schema_accepts_a_variant_that_turns_one_knob(schema: Any) -> None:
    variants = {"a": {"policies": {"all": {"mistakes": 0.1}}}}
    assert accepts(schema, {"game": "burgle", "variants": variants})


def test_the_schema_accepts_a_file_that_extends_another(schema: Any) -> None:
    assert accepts(schema, {"extends": "other.yaml", "run": {"seed": 2}})


def test_the_schema_bounds_the_items_of_a_list(schema: Any) -> None:
    assert not accepts(schema, {"game": "burgle", "rules": {"peek_totals": [99]}})


# traces


@pytest.mark.parametrize("find", ["won=2", "lost_to=7", "stalled=3"])
def test_a_value_outside_a_columns_bounds_is_refused(
    balance: Balance, find: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance.trace.SEARCH_LIMIT", 512)
    assert f"--find {find}: the value of " in balance.fault(
        "trace", SHIPPED, "--find", find, *SIMPLE
    )


def test_the_last_line_of_a_trace_is_the_counted_outcome(balance: Balance, tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    file.write_text("game: burgle\nrules: {tools: []}\npolicies: {all: {name: expert}}\n")
    easy = ("--set", "rules.crack={flush: 3}", *SIMPLE)
    done = balance("trace", file, "--find", "won=1", "--variant", "base", "--json", *easy)
    assert done.code == 0
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert (lines[0]["event"], lines[0]["variant"]) == ("game", "base")
    rollout = lines[0]["rollout"]
    outcome = lines[-1]["outcome"]
    assert (lines[-1]["event"], lines[-1]["result"], outcome["won"]) == ("end", "won", 1)

    import pyarrow.parquet as pq

    words = ("--rollouts", rollout + 1, "--keep-rollouts", "--json")
    balance("run", file, "--out", tmp_path / "out", *words, *easy)
    rows = pq.read_table(tmp_path / "out" / "rollouts-base.parquet").to_pylist()
    assert [row["won"] for row in rows[:-1]] == [0] * rollout
    counted = rows[-1]
    levels = {column.name: column.levels for column in BURGLE.columns}
    for name, value in outcome.items():
        assert value == (levels[name][counted[name]] if levels[name] else counted[name])


def test_a_search_starts_at_the_named_rollout(balance: Balance) -> None:
    words = ("trace", SHIPPED, "--find", "lost_to=display", "--json", *SIMPLE)
    first = json.loads(balance(*words).out.splitlines()[0])["rollout"]
    later = balance(*words, "--rollout", first + 1)
    assert json.loads(later.out.splitlines()[0])["rollout"] > first


def test_every_line_of_a_trace_is_one_json_object(balance: Balance) -> None:
    done = balance("trace", SHIPPED, "--rollout", 3, "--json", *SIMPLE)
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert lines[0]["seed"] == 1
    assert all("event" in line for line in lines)
    assert sum(line["event"] == "deal" for line in lines) == 4


def test_a_trace_is_told_in_words(balance: Balance) -> None:
    done = balance("trace", SHIPPED, "--variant", "bank", "--seed", 0, *SIMPLE)
    assert done.code == 0
    assert done.out.startswith("Advanced Missions / bank: rollout 0 of seed 0\n")
    assert re.search(r"^(WON|LOST|STALLED): ", done.out, re.MULTILINE)


def test_a_trace_goes_without_a_line_on_stderr(balance: Balance) -> None:
    assert balance("trace", SHIPPED, *SIMPLE).err == ""
