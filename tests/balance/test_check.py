"""`balance check`: verdicts that are known exactly, how soon they come, and what is said."""

import math
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from balance.answers.check import check_answer, junit_xml
from balance.errors import InputError
from balance.sequential import BUDGET, Spending
from balance.studies.check import Checked, check
from tests.balance.checking import NINE_LOOKS, checked, coin
from tests.balance.command import Balance
from tests.balance.interrupting import interrupt_after
from tests.balance.scenario_files import Files

pytestmark = pytest.mark.usefixtures("coin_game")


def ended(found: Checked) -> tuple[str, str, int]:
    """The verdict, what stopped it, and the rollouts of the first target."""
    return found.verdict, found.stopped_by, found.outcomes[0].rollouts


@pytest.mark.parametrize(
    ("rules", "target", "verdict"),
    [
        ("{chance: 0.5}", "win_rate: [0.4, 0.6]", "pass"),
        ("{chance: 0.5}", "win_rate: [0.4, null]", "pass"),
        ("{chance: 0.5}", "win_rate: [null, 0.6]", "pass"),
        ("{chance: 0.5}", "win_rate: [0.6, 0.9]", "fail"),
        ("{chance: 0.5}", "win_rate: [0.1, 0.4]", "fail"),
        ("{chance: 0.5}", "win_rate: [0.6, null]", "fail"),
        ("{chance: 0.5}", "win_rate: [null, 0.4]", "fail"),
        ("{chance: 0.3}", "win_rate: [0, 1]", "pass"),
        ("{chance: 0}", "win_rate: [0, 1]", "pass"),
        ("{chance: 1}", "win_rate: [0, 1]", "pass"),
        ("{chance: 1}", "win_rate: [0.9, 1]", "pass"),
        ("{chance: 0.5, trials: 4}", "heads: [1.5, 2.5]", "pass"),
        ("{chance: 0.5, trials: 4}", "heads: [null, 2.5]", "pass"),
        ("{chance: 0.5, trials: 4}", "heads: [2.5, null]", "fail"),
        ("{chance: 0.5, trials: 4, bonus: -5}", "heads: [-3.5, -2.5]", "pass"),
        ("{chance: 0.5, trials: 4, bonus: -5}", "heads: [-1, 5]", "fail"),
        ("{chance: 0.6}", "win_share.1: [0.3, 0.6]", "pass"),
        ("{chance: 0.6}", "win_share.1: [0.6, 1]", "fail"),
        ("{chance: 0.6}", "win_share.1: [0, 0.3]", "fail"),
        ("{chance: 0}", "win_share.1: [0, 1]", "pass"),
        # what no rate can be is settled as well
        ("{chance: 0.5}", "win_rate: [0.9, 1.0]", "fail"),
        ("{chance: 1}", "win_rate: [0, 0.9]", "fail"),
        ("{chance: 0}", "win_rate: [-2, -1]", "fail"),
        ("{chance: 0}", "win_rate: [-2, 1]", "pass"),
    ],
)
def test_what_is_clear_is_settled_at_the_first_look(
    files: Files, rules: str, target: str, verdict: str
) -> None:
    game = "share_coin" if target.startswith("win_share") else "coin"
    found = checked(coin(files, f"{{{target}}}", rules, game))
    assert ended(found) == (verdict, "decided", 1_000)


@pytest.mark.parametrize(
    ("game", "rules", "target"),
    [
        ("coin", "{chance: 0.5}", "win_rate: [0.5, 0.9]"),
        ("coin", "{chance: 0.5}", "win_rate: [0.1, 0.5]"),
        ("coin", "{chance: 0.5}", "win_rate: [0.5, null]"),
        ("coin", "{chance: 0}", "win_rate: [0, 0]"),
        ("coin", "{chance: 0}", "win_rate: [0, 0.0001]"),
        ("coin", "{chance: 1}", "win_rate: [1, 1]"),
        ("coin", "{chance: 0.5, trials: 4}", "heads: [2, 3]"),
        ("share_coin", "{chance: 0.6}", "win_share.1: [0.45, 1]"),
    ],
)
def test_what_lies_on_an_end_is_undecided_when_the_budget_ends(
    files: Files, game: str, rules: str, target: str
) -> None:
    found = checked(coin(files, f"{{{target}}}", rules, game))
    assert ended(found) == ("undecided", "max_rollouts", NINE_LOOKS)


@pytest.mark.parametrize(("target", "verdict"), [("[0, 0.001]", "pass"), ("[0.001, 1]", "fail")])
def test_without_a_single_win_a_small_rate_is_settled_when_chance_would_have_shown_one(
    files: Files, target: str, verdict: str
) -> None:
    """At the first look where (1 - 0.001)^n is no more than the level of one side."""
    found = checked(coin(files, f"{{win_rate: {target}}}", "{chance: 0}"), None)
    level = found.spending.each / 2
    needed = next(n for n in found.spending.looks if 0.999**n <= level)
    assert ended(found) == (verdict, "decided", needed)
    assert needed / 1.5 < -math.log(level) / 0.001 <= needed


@pytest.mark.parametrize(
    ("target", "verdict"),
    [("[0.6, 0.65]", "pass"), ("[0.63, 0.7]", "fail"), ("[null, 0.62]", "fail")],
)
def test_three_dice_reach_ten_in_exactly_five_of_eight_rolls(
    files: Files, target: str, verdict: str
) -> None:
    """108 + 27 of 216 ways of 3d6 give 10 or more: 0.625, and so do the exact ones."""
    stage = "game: vault\nstage: dice\nrules: {dice: 3d6, thresholds: [10]}\n"
    one = files.load(f"{stage}targets: {{base: {{win_rate: {target}, reach.1: [0, 1]}}}}\n")
    found = checked(one, None)
    assert [outcome.verdict for outcome in found.outcomes] == [verdict, "pass"]
    assert found.outcomes[0].metric.exact == pytest.approx(0.625)
    assert found.outcomes[0].holding[0] < 0.625 < found.outcomes[0].holding[1]
    assert found.outcomes[0].rollouts < BUDGET


THREE = """\
game: coin
rules: {chance: 0.5}
variants:
  plain: {}
  sure: {rules: {chance: 0.9}}
  unasked: {rules: {chance: 0.1}}
  close: {rules: {chance: 0.52}}
targets:
  sure: {win_rate: [0.7, 1], heads: [null, 0.8]}
  plain: {}
  close: {win_rate: [0.5, 0.9], heads: [0.2, 0.9]}
"""


def test_only_variants_with_targets_are_played_and_only_until_they_are_decided(
    files: Files,
) -> None:
    found = checked(files.load(THREE), 100_000)
    assert [tally.rollouts for tally in found.tallies] == [
        1_000,
        max(outcome.rollouts for outcome in found.outcomes),
    ]
    assert [(one.variant, one.metric.name, one.verdict) for one in found.outcomes] == [
        ("sure", "win_rate", "pass"),
        ("sure", "heads", "fail"),
        ("close", "win_rate", "pass"),
        ("close", "heads", "pass"),
    ]
    rollouts = [outcome.rollouts for outcome in found.outcomes]
    assert rollouts[:2] == [1_000, 1_000]
    assert rollouts[3] < rollouts[2] < 100_000
    assert found.verdict == "fail"
    told = found.json()
    assert [variant["name"] for variant in told["variants"]] == ["sure", "close"]
    assert [row["rollouts"] for row in told["targets"]] == rollouts


def test_a_verdict_stands_although_the_variant_is_played_on(files: Files) -> None:
    """What was decided at a look is not looked at again."""
    one = coin(files, "{win_rate: [0.5, 0.9], heads: [0.2, 0.9]}", "{chance: 0.5}")
    first = checked(one, 5_000).outcomes
    alone = checked(coin(files, "{heads: [0.2, 0.9]}", "{chance: 0.5}"), 5_000).outcomes
    assert (first[0].rollouts, first[1].rollouts) == (5_000, 1_000)
    assert first[1].metric == alone[0].metric


def test_the_result_does_not_depend_on_the_workers(files: Files) -> None:
    one = files.load(THREE)
    found = [check(one, budget=20_000, workers=workers).json() for workers in (1, 2)]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("text", "budget"),
    [("", BUDGET), ("run: {max_rollouts: 3000}\n", 3_000), ("run: {}\n", BUDGET)],
)
def test_the_budget_is_what_the_scenario_says_or_a_million(
    files: Files, text: str, budget: int
) -> None:
    one = files.load(f"game: coin\n{text}targets: {{base: {{win_rate: [0, 1]}}}}\n")
    assert checked(one, None).spending.budget == budget


def test_interrupted_before_the_first_look_nothing_is_decided(
    files: Files, balance: Balance, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_after(monkeypatch, 0)
    found = checked(files.load(THREE))
    assert {outcome.verdict for outcome in found.outcomes} == {"undecided"}
    assert {outcome.policies for outcome in found.outcomes} == {"no players"}
    assert found.stopped_by == "interrupted"
    done = balance("check", files.folder / "s.yaml", "-q")
    assert done.code == 130
    assert "interrupted after 0 rollouts" in done.out
    assert "4 undecided" in done.out
    assert "budget ended" not in done.out
    done = balance("check", files.folder / "s.yaml", "-q", "--json")
    assert (done.code, done.json()["verdict"]) == (130, "undecided")
    assert done.json()["partial"] is True


def test_interrupted_before_the_first_look_not_even_what_cannot_fail_has_passed(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_after(monkeypatch, 0)
    (outcome,) = checked(coin(files, "{win_rate: [0, 1]}")).outcomes
    assert (outcome.verdict, outcome.rollouts, outcome.holding) == ("undecided", 0, (0.0, 1.0))


def test_interrupted_later_what_was_decided_stands(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_after(monkeypatch, 1)
    found = checked(files.load(THREE))
    assert [one.verdict for one in found.outcomes] == ["pass", "fail", "undecided", "pass"]
    assert {one.rollouts for one in found.outcomes} == {1_000}
    assert found.stopped_by == "interrupted"


PASS, FAIL, OPEN = "win_rate: [0.3, 0.7]", "heads: [0.9, null]", "win_rate: [0.5, 0.9]"


@pytest.mark.parametrize(
    ("targets", "code", "words"),
    [
        (PASS, 0, "all targets are met (1 pass)"),
        (FAIL, 1, "not all targets are met (1 fail)"),
        (OPEN, 3, "the budget ended first (1 undecided)"),
        (f"{PASS}, {FAIL}", 1, "(1 pass, 1 fail)"),
        (f"{OPEN}, {FAIL}", 1, "(1 fail, 1 undecided)"),
        (f"{OPEN}, heads: [0.3, 0.7]", 3, "(1 pass, 1 undecided)"),
    ],
)
def test_the_exit_code_tells_the_verdict_and_a_failure_comes_first(
    balance: Balance, files: Files, targets: str, code: int, words: str
) -> None:
    file = files.write(f"game: coin\ntargets: {{base: {{{targets}}}}}\n")
    done = balance("check", file, "-q", "--max-rollouts", 3_000)
    assert done.code == code
    assert words in " ".join(done.out.split())
    assert "policy: no players" in " ".join(done.out.split())
    assert done.err == ""


def test_a_target_and_its_interval_are_shown_as_they_were_written(
    balance: Balance, files: Files
) -> None:
    targets = "{win_rate: [0.25, null], heads: [-1, 2]}"
    file = files.write(f"game: coin\nrules: {{chance: 0.5}}\ntargets: {{base: {targets}}}\n")
    out = balance("check", file, "-q").out
    assert "at least 25.00%" in out
    assert "-1 .. 2" in out
    assert (
        "any verdict on any target is wrong is at most 0.05, all looks "
        "(up to 19, the last at 1,000,000 rollouts) included" in " ".join(out.split())
    )


def test_only_a_count_is_said_to_rest_on_the_span_that_was_seen(files: Files) -> None:
    """A rare large value that was not seen yet can make a verdict wrong in many more runs."""
    lines = check_answer(checked(coin(files, "{win_rate: [0, 1], heads: [null, 5]}"))).verdicts
    assert lines[1].endswith(", if no value of heads lies outside of the span seen")
    for game, target in (("coin", "win_rate"), ("share_coin", "win_share.1")):
        (_, words) = check_answer(checked(coin(files, f"{{{target}: [0, 1]}}", game=game))).verdicts
        assert words.endswith("rollouts) included")


@pytest.mark.parametrize(
    ("options", "budget", "error"),
    [
        ((), 1_000_000, 0.05),
        (("--quick",), 100_000, 0.05),
        (("--accurate",), 10_000_000, 0.05),
        (("--quick", "--max-rollouts", 2_000), 2_000, 0.05),
        (("--error", 0.001), 1_000_000, 0.001),
        (("--max-rollouts", "3e3", "--error", 0.5), 3_000, 0.5),
    ],
)
def test_budget_and_error_are_what_the_options_say(
    balance: Balance, files: Files, options: Sequence[object], budget: int, error: float
) -> None:
    file = files.write("game: coin\ntargets: {base: {win_rate: [0.2, 1]}}\n")
    done = balance("check", file, "-q", "--json", *options)
    assert done.code == 0
    told = done.json()
    assert (told["max_rollouts"], told["error"]) == (budget, error)
    assert told["looks"] == len(Spending(error, budget, 1).looks)


def test_the_json_has_every_target_and_null_where_there_is_no_end(
    balance: Balance, files: Files
) -> None:
    targets = "{win_rate: [0.2, null], heads: [null, 3]}"
    file = files.write(f"game: coin\ntargets: {{base: {targets}}}\n")
    told = balance("check", file, "-q", "--json").json()
    assert (told["study"], told["verdict"], told["stopped_by"]) == ("check", "pass", "decided")
    rate, heads = told["targets"]
    assert (rate["target_low"], rate["target_high"]) == (0.2, None)
    assert (heads["target_low"], heads["target_high"]) == (None, 3.0)
    assert rate["low"] < rate["estimate"] < rate["high"]
    assert (rate["verdict"], rate["rollouts"], rate["exact"]) == ("pass", 1_000, 0.5)
    assert told["variants"][0]["rollouts"] == 1_000


def test_a_folder_holds_the_table_and_the_page(balance: Balance, files: Files) -> None:
    file = files.write(f"game: coin\ntargets: {{base: {{{PASS}, {FAIL}}}}}\n")
    out = files.folder / "out"
    assert balance("check", file, "-q", "--out", out).code == 1
    assert {path.name for path in out.iterdir()} == {"targets.csv", "summary.json", "report.html"}
    header, first, *_ = (out / "targets.csv").read_text("utf-8").splitlines()
    assert header.split(",")[:3] == ["variant", "metric", "kind"]
    assert "pass" in first


STRANGE = "a <b> & \"c\" 'd' \N{SNOWMAN}"


def test_the_junit_file_counts_failures_and_what_is_undecided(
    balance: Balance, files: Files
) -> None:
    file = files.write(
        "game: coin\nname: 'x <&> \"y\"'\nrules: {chance: 0.5}\nvariants:\n"
        f"  ? {STRANGE!r}\n  : {{}}\n  b: {{}}\n"
        f"targets:\n  ? {STRANGE!r}\n  : {{{PASS}, {FAIL}}}\n  b: {{{OPEN}}}\n".replace(
            repr(STRANGE), '"' + STRANGE.replace('"', '\\"') + '"'
        )
    )
    xml = files.folder / "check.xml"
    done = balance("check", file, "-q", "--max-rollouts", 2_000, "--junit", xml)
    assert done.code == 1
    root = ElementTree.parse(xml).getroot()
    (suite,) = root
    for element in (root, suite):
        counts = [element.get(name) for name in ("tests", "failures", "errors")]
        assert counts == ["3", "1", "1"]
    assert (root.tag, suite.tag, suite.get("name")) == ("testsuites", "testsuite", 'x <&> "y"')
    cases = [(case.get("classname"), case.get("name"), case[0].tag) for case in suite]
    assert cases == [
        (f'x <&> "y".{STRANGE}', "win_rate", "system-out"),
        (f'x <&> "y".{STRANGE}', "heads", "failure"),
        ('x <&> "y".b', "win_rate", "error"),
    ]
    message = suite[1][0].get("message") or ""
    assert message.startswith("target at least 0.9, found 0.")
    assert message.endswith("rollouts, policy no players")
    assert [path.name for path in files.folder.iterdir() if path.name.startswith(".")] == []


def test_a_name_that_xml_cannot_hold_is_written_all_the_same(files: Files) -> None:
    found = checked(
        files.load(
            'game: coin\nvariants: {"a\\uFFFEb": {}}\ntargets: {"a\\uFFFEb": {heads: [0, 9]}}'
        )
    )
    (case,) = ElementTree.fromstring(junit_xml(found).encode())[0]
    assert case.get("classname") == "s.a\N{REPLACEMENT CHARACTER}b"


def test_where_the_junit_file_cannot_be_is_said_before_anything_is_played(
    balance: Balance, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_after(monkeypatch, 0)  # would end with 130
    file = files.write(f"game: coin\ntargets: {{base: {{{PASS}}}}}\n")
    said = balance.fault("check", file, "-q", "--junit", files.folder)
    assert said == f"--junit {files.folder}: is a folder; name a file"
    nowhere = files.folder / "none" / "check.xml"
    said = balance.fault("check", file, "-q", "--junit", nowhere)
    assert said == f"--junit {nowhere}: there is no folder {nowhere.parent}"


@pytest.mark.parametrize(
    "text", ["", "targets: {}\n", "targets:\n", "targets: {base: {}}\n", "targets: {base: }\n"]
)
def test_without_targets_there_is_nothing_to_check(
    balance: Balance, files: Files, text: str
) -> None:
    said = balance.fault("check", files.write(f"game: coin\n{text}"), "-q")
    assert said.endswith(
        "s.yaml: targets is missing; write targets: {base: {win_rate: [0.3, 0.6]}}"
    )


def test_the_target_that_is_proposed_is_one_that_the_game_has(files: Files) -> None:
    with pytest.raises(InputError, match=r"write targets: \{base: \{win_share.1: \[0.3, 0.6\]\}\}"):
        check(files.load("game: share_coin\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "game: coin\ntargets: {base: {win_rat: [0, 1]}}\n",
            "s.yaml:2: targets.base.win_rat: unknown metric (did you mean win_rate?); has: ",
        ),
        ("game: coin\ntargets: {bas: {win_rate: [0, 1]}}\n", "s.yaml:2: targets.bas: there is no "),
        (
            "game: bank\nrules: {players: 3}\npolicies: {all: {name: random}}\n"
            "targets: {base: {win_share.4: [0, 1]}}\n",
            "s.yaml: targets.base.win_share.4: there is none under these rules",
        ),
        (
            "game: vault\nstage: dice\nrules: {dice: 3d6, thresholds: [10]}\n"
            "targets: {base: {reach.2: [0, 1]}}\n",
            "s.yaml: targets.base.reach.2: there is none under these rules",
        ),
    ],
)
def test_a_metric_that_is_not_there_is_a_fault(
    balance: Balance, files: Files, text: str, message: str
) -> None:
    said = balance.fault("check", files.write(text), "-q")
    assert said.replace(f"{files.folder}/", "").startswith(message)


@pytest.mark.parametrize(
    "bounds",
    [
        *("[]", "[0.5]", "[0.1, 0.2, 0.3]", "[null, null]", "[0.6, 0.5]", "null", "{low: 0}"),
        *("[.nan, 1]", "[-1e999, 1]", "['0.3', 1]", "[[0], [1]]", "[0.1, false]", "30%"),
    ],
)
def test_bounds_that_are_none_are_a_fault(files: Files, bounds: str) -> None:
    said = files.fault(f"game: coin\ntargets: {{base: {{win_rate: {bounds}}}}}\n")
    assert said.startswith(
        "s.yaml:2: targets.base.win_rate: must be [lowest, highest], null where there is no such "
        "end (got "
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--error", 0), "--error"),
        (("--error", 0.7), "--error"),
        (("--max-rollouts", 0), "--max-rollouts 0: run.max_rollouts: must be 1 or more"),
        (("--quick", "--accurate"), "--quick and --accurate: give one of the two"),
    ],
)
def test_options_that_mean_nothing_are_faults(
    balance: Balance, files: Files, options: Sequence[object], message: str
) -> None:
    file: Path = files.write(f"game: coin\ntargets: {{base: {{{PASS}}}}}\n")
    assert message in balance.fault("check", file, *options)
