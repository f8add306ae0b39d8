"""Training: it improves, comes out the same again, and leaves a file that a scenario plays."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance import progress
from balance.errors import InputError
from balance.games.burgle import BURGLE, SimplePolicy
from balance.scenario import load_scenario
from balance.studies.train import Step, Trained, policy_yaml, train
from tests.balance.command import Balance
from tests.balance.scenario_files import Files

BAD = """\
game: burgle
rules: {tools: [], crack: {flush: 3}, stealth: 3}
policies: {all: {name: simple, bail_at: 2}}
run: {seed: 11}
"""
TWO = BAD + "variants: {a: {}, b: {rules: {stealth: 5}}}\n"
QUICK = ("--generations", 2, "--rollouts", 40, "--held-out", 100, "--quiet")
SMALL: dict[str, Any] = {"generations": 2, "rollouts": 40, "held_out": 100, "workers": 1}


@pytest.fixture(autouse=True)
def few_rollouts_for_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the start, the middle and the best: 20,000 rollouts would take most of the time."""
    monkeypatch.setattr("balance.studies.train.SELECTION", 1_000)


def trained(files: Files, text: str = BAD, **settings: Any) -> Trained:
    scenario = files.load(text)
    return train(scenario, scenario.variants, **{**SMALL, **settings})


def outcomes(policies: Any, rules: Any, seed: int = 3, n: int = 50) -> Any:
    found = np.zeros((n, len(BURGLE.columns)), np.int32)
    BURGLE.pack(rules, policies).play(seed, 0, found)
    return found


# what it finds


def test_a_few_generations_improve_a_bad_player_on_rollouts_it_was_not_trained_on(
    files: Files,
) -> None:
    """Intervals of 95 % on 4,000 held-out rollouts that do not touch."""
    found = trained(files, generations=8, rollouts=400, held_out=4_000, workers=2)
    before, after = found.before[0], found.after[0]
    assert before.high is not None
    assert after.low is not None
    assert after.low > before.high
    assert isinstance(found.policy, SimplePolicy)
    assert found.policy.bail_at > 2


def test_the_start_is_kept_where_nothing_better_is_found(files: Files) -> None:
    """Nothing can be won here, so all candidates are as good as the start."""
    text = BAD.replace("flush: 3", "flush: 11").replace("stealth: 3", "stealth: 0, max_rounds: 1")
    found = trained(files, text)
    assert found.policy == SimplePolicy(bail_at=2)
    assert found.before == found.after


def test_the_figures_are_those_of_the_policy_on_the_held_out_rollouts(files: Files) -> None:
    found = trained(files, TWO, held_out=101)
    assert found.rollouts == 101
    assert (len(found.before), len(found.after)) == (2, 2)
    for estimate in (*found.before, *found.after):
        assert estimate.value is not None
        assert estimate.value * 101 == pytest.approx(round(estimate.value * 101))


@pytest.mark.parametrize("name", ["simple", "expert"])
def test_knobs_are_trained_and_nothing_else(files: Files, name: str) -> None:
    text = BAD.replace("name: simple, bail_at: 2", f"name: {name}, mistakes: 0.25")
    policy: Any = trained(files, text).policy
    assert policy.name == name
    assert policy.mistakes == 0.25


# the same again


def test_the_result_is_the_same_twice_and_with_any_number_of_workers(files: Files) -> None:
    found = trained(files, TWO)
    assert trained(files, TWO) == found
    assert trained(files, TWO, workers=2) == found


def test_another_seed_is_another_search(files: Files) -> None:
    text = BAD.replace("seed: 11", "seed: 12")
    assert trained(files, text, generations=4).policy != trained(files, generations=4).policy


def test_every_generation_is_reported(files: Files) -> None:
    steps: list[Step] = []
    found = trained(files, generations=3, report=steps.append)
    assert [step.generation for step in steps] == [1, 2, 3]
    assert [step.seconds for step in steps] == sorted(step.seconds for step in steps)
    assert (found.generations, found.stopped_by) == (3, "generations")


def test_without_a_number_of_generations_the_time_ends_it(files: Files) -> None:
    found = trained(files, generations=None, seconds=0)
    assert (found.generations, found.stopped_by) == (1, "seconds")


# the file


def test_the_file_says_where_it_comes_from_and_what_it_reached(
    files: Files, balance: Balance, tmp_path: Path
) -> None:
    scenario, out = files.write(TWO), tmp_path / "mine.yaml"
    done = balance("train", scenario, "--out", out, *QUICK)
    assert (done.code, done.err) == (0, "")
    assert f"written: {out}" in done.out.replace("\n", "")
    header = [line for line in out.read_text("utf-8").splitlines() if line.startswith("#")]
    assert header[0] == f"# Trained by: balance train {scenario} --out {out} " + " ".join(
        map(str, QUICK)
    )
    assert header[1].startswith("# 2 generations, ended by: generations. Win rate on 100 held-out")
    assert "seed 11" in header[1]
    assert [line.split(":")[0] for line in header[2:]] == ["#   a", "#   b"]
    assert all(" %) before, " in line and line.endswith(" after") for line in header[2:])


def test_a_scenario_plays_the_file(files: Files, balance: Balance, tmp_path: Path) -> None:
    scenario = files.write(BAD)
    done = balance("train", scenario, "--out", tmp_path / "mine.yaml", *QUICK)
    assert "policies: {all: {file: mine.yaml}}" in " ".join(done.out.split())
    found = trained(files)
    played = files.load(BAD.replace("{name: simple, bail_at: 2}", "{file: mine.yaml}"))
    variant = played.variants[0]
    assert variant.policies == (found.policy,) * 4
    assert np.array_equal(
        outcomes(variant.policies, variant.rules), outcomes([found.policy] * 4, variant.rules)
    )


@pytest.mark.parametrize(
    "policy",
    [
        "{name: simple, bail_at: 2}",
        "{name: expert}",
        "{name: simple, mistakes: 0.25}",
        "{name: search, continuations: 3, noise: 2}",
    ],
)
def test_the_file_holds_the_whole_policy_that_was_trained(files: Files, policy: str) -> None:
    """It is written from what the policy is; nothing is played here."""
    scenario = files.load(BAD.replace("{name: simple, bail_at: 2}", policy))
    start = scenario.variants[0].policies[0]
    found = Trained(start, (), (), 100, 1, "generations")
    files.write(policy_yaml(found, scenario, (), "balance train"), "start.yaml")
    played = files.load(BAD.replace("{name: simple, bail_at: 2}", "{file: start.yaml}"))
    assert played.variants[0].policies == (start,) * 4


def test_one_variant_can_be_chosen(files: Files, balance: Balance, tmp_path: Path) -> None:
    out = tmp_path / "b.yaml"
    done = balance("train", files.write(TWO), "--out", out, "--variant", "b", *QUICK)
    assert done.code == 0
    text = out.read_text("utf-8")
    assert "#   b: " in text
    assert "#   a: " not in text


def test_a_file_that_is_there_is_replaced(files: Files, balance: Balance, tmp_path: Path) -> None:
    out = tmp_path / "mine.yaml"
    out.write_text("old", "utf-8")
    assert balance("train", files.write(BAD), "--out", out, *QUICK).code == 0
    assert "name: simple" in out.read_text("utf-8")
    assert load_scenario(
        files.write(BAD.replace("{name: simple, bail_at: 2}", "{file: mine.yaml}"))
    )


# faults


@pytest.mark.parametrize(
    ("policies", "says"),
    [
        ("{all: {name: random}}", "random has no knobs to train"),
        ("{all: {name: simple}, 2: {name: expert}}", "one policy for all seats"),
        ("{all: {name: simple}, 4: {name: simple, bail_at: 9}}", "one policy for all seats"),
    ],
)
def test_what_cannot_be_trained_is_refused_in_a_line(
    files: Files, balance: Balance, tmp_path: Path, policies: str, says: str
) -> None:
    out = tmp_path / "mine.yaml"
    scenario = files.write(BAD.replace("{all: {name: simple, bail_at: 2}}", policies))
    assert says in balance.fault("train", scenario, "--out", out, *QUICK)
    assert not out.exists()


def test_variants_with_different_policies_are_refused(files: Files) -> None:
    text = BAD + "variants: {a: {}, b: {policies: {all: {bail_at: 9}}}}\n"
    with pytest.raises(InputError, match="variant b: training needs one policy"):
        trained(files, text)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--seconds", 1, "--generations", 2), "give one of the two"),
        (("--generations", 0), "--generations"),
        (("--seconds", -1), "--seconds"),
        (("--rollouts", 0), "--rollouts"),
        (("--held-out", 0), "--held-out"),
        (("--variant", "none", "--generations", 1), "there is no variant none"),
        (("--workers", 0), "--workers"),
    ],
)
def test_bad_options_are_refused_in_a_line(
    files: Files, balance: Balance, tmp_path: Path, words: tuple[object, ...], says: str
) -> None:
    out = tmp_path / "mine.yaml"
    assert says in balance.fault("train", files.write(BAD), "--out", out, *words)
    assert not out.exists()


def test_a_place_that_cannot_be_written_is_refused_before_training(
    files: Files, balance: Balance, tmp_path: Path
) -> None:
    scenario = files.write(BAD)
    missing = tmp_path / "missing" / "mine.yaml"
    endless = ("--seconds", 1e6)
    assert "there is no folder" in balance.fault("train", scenario, "--out", missing, *endless)
    assert not missing.parent.exists()
    assert "is a folder" in balance.fault("train", scenario, "--out", tmp_path, *endless)
    assert [entry.name for entry in tmp_path.iterdir()] == [scenario.name]


# an end by Ctrl-C


def interrupt(step: Step) -> None:
    if step.generation == 2:
        raise KeyboardInterrupt


def test_an_interrupted_training_gives_what_was_reached(files: Files) -> None:
    found = trained(files, generations=50, report=interrupt)
    assert (found.generations, found.stopped_by) == (2, "interrupted")
    assert found.policy == trained(files, generations=2).policy


def test_the_command_writes_what_was_reached_on_ctrl_c(
    files: Files, balance: Balance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress.TrainingLine, "show", lambda line, step: interrupt(step))
    out = tmp_path / "mine.yaml"
    words = ("--generations", 50, "--rollouts", 40, "--held-out", 100, "--quiet")
    done = balance("train", files.write(BAD), "--out", out, *words)
    assert done.code == 130
    assert "2 generations, ended by: interrupted" in out.read_text("utf-8")
