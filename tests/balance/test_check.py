"""`balance check`: error rates, power, verdicts that are known exactly, and what the command says.

The error rates are those of many seeds at a value where a verdict would be wrong; a threshold is
the promised rate and four standard errors of so many seeds.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from balance import simulate
from balance.answers.check import check_answer, junit_xml
from balance.errors import InputError
from balance.games.base import Column, Ratio
from balance.scenario import Scenario
from balance.sequential import (
    BUDGET,
    MeanSeen,
    Quantity,
    RateSeen,
    RatioSeen,
    Spending,
    holding_interval,
    quantity,
)
from balance.statistics import Sums
from balance.studies import check as module
from balance.studies.check import Checked, check, judge
from balance.tally import Counted, Tally
from tests.balance.command import Balance
from tests.balance.scenario_files import Files

pytestmark = pytest.mark.usefixtures("coin_game")

ERROR = 0.2  # so large that a few hundred seeds tell whether it holds
LOOKS_9 = 20_000  # a budget at which the ninth look is the last


def at_most(error: float, n: int) -> float:
    """The largest rate among n seeds that four standard errors allow."""
    return error + 4 * math.sqrt(error * (1 - error) / n)


def seeded(scenario: Scenario, seed: int) -> Scenario:
    return replace(scenario, run=scenario.run.model_copy(update={"seed": seed}))


def coin(files: Files, targets: str, rules: str = "{}", game: str = "coin") -> Scenario:
    """A scenario of one variant."""
    return files.load(f"game: {game}\nrules: {rules}\ntargets: {{base: {targets}}}\n")


def checked(scenario: Scenario, budget: int | None = LOOKS_9, error: float = 0.05) -> Checked:
    return check(scenario, error=error, budget=budget, workers=1)


def ended(found: Checked) -> tuple[str, str, int]:
    """The verdict, what stopped it, and the rollouts of the first target."""
    return found.verdict, found.stopped_by, found.outcomes[0].rollouts


@pytest.fixture
def no_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the holding intervals: they take most of the time and no part in a verdict."""
    monkeypatch.setattr(module, "holding_interval", lambda *words: (0.0, 1.0))


# --- error rates --------------------------------------------------------------------------------

RATE = {"game": "coin", "rules": "{chance: 0.5}"}
SHARE = {"game": "share_coin", "rules": "{chance: 0.6}"}  # a mean share of 0.45
COUNT = {"game": "coin", "rules": "{trials: 4, chance: 0.5}"}  # 2 heads


@pytest.mark.usefixtures("no_intervals")
@pytest.mark.parametrize(
    ("scenario", "target", "wrong"),
    [
        (RATE, "{win_rate: [0.5, 0.5]}", "fail"),
        (RATE, "{win_rate: [0.5005, 0.9]}", "pass"),
        (SHARE, "{win_share.1: [0.45, 0.45]}", "fail"),
        (COUNT, "{heads: [2, 2]}", "fail"),
    ],
)
def test_a_verdict_of_one_target_is_wrong_in_no_more_seeds_than_it_says(
    files: Files, scenario: dict[str, str], target: str, wrong: str
) -> None:
    """150 seeds, nine looks, error 0.2: at most 0.331."""
    one = coin(files, target, **scenario)
    found = [checked(seeded(one, seed), error=ERROR).verdict for seed in range(150)]
    assert found.count(wrong) / len(found) <= at_most(ERROR, len(found))
    assert found.count("undecided") > 75


@pytest.mark.usefixtures("no_intervals")
def test_any_verdict_of_many_targets_is_wrong_in_no_more_seeds_than_it_says(files: Files) -> None:
    """80 seeds, 12 targets of 6 independent variants, error 0.2: at most 0.379."""
    names = [f"v{key}" for key in range(6)]
    rules = "rules: {chance: 0.5, trials: 4, independent: true"
    one = files.load(
        "game: coin\nvariants:\n"
        + "".join(f"  {name}: {{{rules}, key: {key}}}}}\n" for key, name in enumerate(names))
        + "targets:\n"
        + "".join(f"  {name}: {{win_rate: [0.5, 0.5], heads: [2, 2]}}\n" for name in names)
    )
    found = [checked(seeded(one, seed), 5_000, ERROR) for seed in range(80)]
    assert len(found[0].outcomes) == 12
    wrong = [result.verdict == "fail" for result in found]
    assert sum(wrong) / len(wrong) <= at_most(ERROR, len(wrong))


Draws = Callable[[np.random.Generator, int], Any]


def verdicts(
    seen: Callable[[Any, int], Quantity], draws: Draws, low: float, high: float, n: int
) -> list[str]:
    """The verdicts of n sequences of looks at what was drawn, from seed 1 on."""
    spending = Spending(ERROR, LOOKS_9, 1)
    rng, found = np.random.default_rng(1), []
    for _ in range(n):
        sums, verdict, done = 0, "undecided", 0
        for count in spending.looks:
            sums, done = sums + draws(rng, count - done), count
            verdict = judge(seen(sums, count), low, high, spending.each)
            if verdict != "undecided":
                break
        found.append(verdict)
    return found


def rate_seen(sums: Any, n: int) -> Quantity:
    return RateSeen(int(sums), n)


def halves_seen(sums: Any, n: int) -> Quantity:
    """The mean of numbers 0, 30 and 60, of which 60 are one."""
    halves, ones = map(int, sums)
    return MeanSeen(30 * halves + 60 * ones, 900 * halves + 3_600 * ones, n, 60, 60, 0.0, 1.0)


def successes(chance: float) -> Draws:
    return lambda rng, n: rng.binomial(n, chance)


def halves_and_ones(half: float, one: float) -> Draws:
    return lambda rng, n: rng.multinomial(n, [half, one, 1 - half - one])[:2]


@pytest.mark.parametrize(
    ("seen", "draws", "target", "wrong"),
    [
        (rate_seen, successes(0.5), (0.5, 0.5), "fail"),
        (rate_seen, successes(0.5), (0.5, 0.9), "fail"),
        (rate_seen, successes(0.5), (0.1, 0.5), "fail"),
        (rate_seen, successes(0.5), (0.5, math.inf), "fail"),
        (rate_seen, successes(0.5), (0.5001, math.inf), "pass"),
        (rate_seen, successes(0.5), (-math.inf, 0.4999), "pass"),
        (rate_seen, successes(0.001), (0.001, 0.001), "fail"),
        (rate_seen, successes(0.001), (0.0011, 1.0), "pass"),
        (rate_seen, successes(0.999), (0.0, 0.9989), "pass"),
        (halves_seen, halves_and_ones(0.3, 0.3), (0.45, 0.45), "fail"),
        (halves_seen, halves_and_ones(0.3, 0.3), (0.45001, 0.9), "pass"),
        (halves_seen, halves_and_ones(0.0, 0.001), (0.001, 1.0), "fail"),  # none at first
    ],
)
def test_over_all_looks_a_wrong_verdict_has_at_most_the_error(
    seen: Callable[[Any, int], Quantity], draws: Draws, target: tuple[float, float], wrong: str
) -> None:
    """2,000 sequences of nine looks, error 0.2: at most 0.236."""
    found = verdicts(seen, draws, *target, n=2_000)
    assert found.count(wrong) / len(found) <= at_most(ERROR, len(found))
    assert found.count("undecided") / len(found) > 0.5


def test_the_error_of_a_rate_is_spent_and_not_saved() -> None:
    """2,000 sequences: exact tails waste less than three quarters of the error."""
    found = verdicts(rate_seen, successes(0.5), 0.5, 0.5, n=2_000)
    assert found.count("fail") / len(found) > ERROR / 4


@pytest.mark.parametrize("target", ["[0.1, 0.9]", "[0.1, null]", "[null, 0.9]"])
def test_the_interval_holds_also_where_a_target_has_one_end(files: Files, target: str) -> None:
    """150 seeds, one look, error 0.2: at most 0.331 of the intervals miss."""
    one = coin(files, f"{{win_rate: {target}}}", "{chance: 0.5}")
    intervals = [checked(seeded(one, s), 1_000, ERROR).outcomes[0].holding for s in range(150)]
    missed = [not low <= 0.5 <= high for low, high in intervals]
    assert sum(missed) / len(missed) <= at_most(ERROR, len(missed))
    assert sum(missed) > 0


def test_the_error_is_divided_by_looks_and_questions() -> None:
    spending = Spending(0.1, 20_000, 3)
    assert spending.looks == [1_000, 1_500, 2_250, 3_375, 5_062, 7_594, 11_391, 17_086, 20_000]
    assert spending.each == pytest.approx(0.1 / 9 / 3)
    assert Spending(0.1, 500, 1).looks == [500]


# --- power ---------------------------------------------------------------------------------------


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
    assert ended(found) == ("undecided", "max_rollouts", LOOKS_9)


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


# --- what is tested of each kind of metric -------------------------------------------------------

ENDS = ("money", "sirens", "time")
HAND_MADE: Any = SimpleNamespace(
    columns=(
        Column("won", "Won", "rate", ""),
        Column("end", "End", "level", "", ENDS),
        Column("coins", "Coins", "count", "", scale=2),
        Column("dice", "Dice", "count", ""),
        Column("win_share.1", "Share", "share", "", scale=6),
    ),
    ratios=(
        Ratio("coins_per_die", "Coins per die", "coins", "dice", ""),
        Ratio("won_per_die", "Wins per die", "won", "dice", "", is_rate=True),
    ),
    headline="won",
)
ROWS = np.array(
    [[1, 0, 3, 2, 6], [0, 2, -4, 1, 0], [1, 0, 5, 3, 3], [0, 0, 0, 1, 0], [1, 2, 1, 4, 2]], np.int32
)


def hand_made(rows: Any = ROWS) -> Tally:
    game = HAND_MADE
    return Tally.of(rows, Counted.of(game.columns, game.headline, game.ratios))


@pytest.mark.parametrize(
    ("metric", "successes"), [("win_rate", 3), ("end.money", 3), ("end.sirens", 0), ("end.time", 2)]
)
def test_a_rate_or_a_level_is_seen_as_successes(metric: str, successes: int) -> None:
    assert quantity(HAND_MADE, hand_made(), metric) == RateSeen(successes, 5)


def test_a_level_that_nobody_reached_is_seen_as_no_success() -> None:
    assert quantity(HAND_MADE, hand_made(ROWS[:1]), "end.time") == RateSeen(0, 1)


def test_a_share_and_a_count_are_seen_as_sums_with_what_bounds_them() -> None:
    share = quantity(HAND_MADE, hand_made(), "win_share.1")
    assert share == MeanSeen(11, 36 + 9 + 4, 5, 6, 6, 0.0, 1.0)
    assert quantity(HAND_MADE, hand_made(), "coins") == MeanSeen(5, 51, 5, 9.0, 2)


def test_a_ratio_is_seen_as_sums_of_both() -> None:
    per_die = quantity(HAND_MADE, hand_made(), "coins_per_die")
    assert per_die == RatioSeen(Sums(5, 11, 51, 31, 6 - 4 + 15 + 4, 5), 9.0, 3.0)
    won = quantity(HAND_MADE, hand_made(), "won_per_die")
    assert (won.low, won.high) == (0.0, 1.0)


@pytest.mark.parametrize("bound", [-1.5, 0.0, 0.4, 0.5, 0.6, 1.0])
def test_a_ratio_is_above_a_bound_where_the_mean_of_the_rest_is_above_zero(bound: float) -> None:
    """x / y against b is the mean of x - b y against 0: in halves, whole numbers of 10ths."""
    rows = np.tile(ROWS, (60, 1))
    seen = quantity(HAND_MADE, hand_made(rows), "coins_per_die")
    rest = 10 * rows[:, 2].astype(np.int64) - round(10 * bound) * rows[:, 3]
    span = 10 * 9 + abs(10 * bound) * 3
    mean = MeanSeen(int(rest.sum()), int((rest**2).sum()), len(rest), span)
    for error in 10.0 ** -np.arange(0.1, 40, 0.1):
        assert seen.above(bound, error) == mean.above(0.0, error)
        assert seen.below(bound, error) == mean.below(0.0, error)


@pytest.mark.parametrize("metric", ["coins", "coins_per_die", "won_per_die", "win_share.1"])
def test_one_rollout_or_none_settles_nothing(metric: str) -> None:
    for rows in (ROWS[:0], ROWS[:1]):
        seen = quantity(HAND_MADE, hand_made(rows), metric)
        assert judge(seen, 0.3, 0.4, 0.5) == "undecided"
        assert holding_interval(seen, 0.35, 0.5) == (seen.low, seen.high)


@pytest.mark.parametrize(
    "seen",
    [
        RateSeen(37, 100),
        RateSeen(0, 100),
        RateSeen(100, 100),
        MeanSeen(3_000, 12_000, 1_000, 10),
        MeanSeen(33_000, 1_800_000, 1_000, 60, 60, 0.0, 1.0),
        RatioSeen(Sums(2_000, 4_000, 7_000, 19_000, 9_000, 1_000), 6.0, 8.0),
    ],
)
def test_the_ends_of_the_holding_interval_are_where_the_verdict_changes(seen: Quantity) -> None:
    estimate = {RateSeen: 0.37, MeanSeen: 0.55, RatioSeen: 0.5}[type(seen)]
    if isinstance(seen, RateSeen):
        estimate = seen.successes / seen.n
    elif isinstance(seen, MeanSeen):
        estimate = seen.total / seen.n / seen.scale
    low, high = holding_interval(seen, estimate, 0.01)
    assert seen.low <= low <= estimate <= high <= seen.high
    near = 1e-6
    if low > seen.low:
        assert judge(seen, low - near, math.inf, 0.01) == "pass"
        assert judge(seen, low + near, math.inf, 0.01) == "undecided"
    if high < seen.high:
        assert judge(seen, high - near, math.inf, 0.01) == "undecided"
        assert judge(seen, high + near, math.inf, 0.01) == "fail"


# --- which variants are played, and how far ------------------------------------------------------

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


# --- interrupted ---------------------------------------------------------------------------------


@pytest.fixture
def interrupted_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Ctrl-C when so many looks have been played to."""
    played, play = [0], simulate.Player.play

    def interrupt_after(looks: int) -> None:
        def until_then(player: simulate.Player, *words: Any) -> None:
            if played[0] == looks:
                raise KeyboardInterrupt
            played[0] += 1
            play(player, *words)

        monkeypatch.setattr(simulate.Player, "play", until_then)

    return interrupt_after


def test_interrupted_before_the_first_look_nothing_is_decided(
    files: Files, balance: Balance, interrupted_after: Callable[[int], None]
) -> None:
    interrupted_after(0)
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
    files: Files, interrupted_after: Callable[[int], None]
) -> None:
    interrupted_after(0)
    (outcome,) = checked(coin(files, "{win_rate: [0, 1]}")).outcomes
    assert (outcome.verdict, outcome.rollouts, outcome.holding) == ("undecided", 0, (0.0, 1.0))


def test_interrupted_later_what_was_decided_stands(
    files: Files, interrupted_after: Callable[[int], None]
) -> None:
    interrupted_after(1)
    found = checked(files.load(THREE))
    assert [one.verdict for one in found.outcomes] == ["pass", "fail", "undecided", "pass"]
    assert {one.rollouts for one in found.outcomes} == {1_000}
    assert found.stopped_by == "interrupted"


# --- the command ---------------------------------------------------------------------------------

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
    assert "all targets and looks (up to 19, the last at 1,000,000 rollouts) together" in " ".join(
        out.split()
    )


def test_only_a_count_is_said_to_rest_on_the_span_that_was_seen(files: Files) -> None:
    """A rare large value that was not seen yet can make a verdict wrong in many more runs."""
    lines = check_answer(checked(coin(files, "{win_rate: [0, 1], heads: [null, 5]}"))).verdicts
    assert lines[1].endswith(", if no value of heads lies outside of the span seen")
    for game, target in (("coin", "win_rate"), ("share_coin", "win_share.1")):
        (_, words) = check_answer(checked(coin(files, f"{{{target}: [0, 1]}}", game=game))).verdicts
        assert words.endswith("together")


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
    balance: Balance, files: Files, interrupted_after: Callable[[int], None]
) -> None:
    interrupted_after(0)  # would end with 130
    file = files.write(f"game: coin\ntargets: {{base: {{{PASS}}}}}\n")
    said = balance.fault("check", file, "-q", "--junit", files.folder)
    assert said == f"--junit {files.folder}: is a folder; name a file"
    nowhere = files.folder / "none" / "check.xml"
    said = balance.fault("check", file, "-q", "--junit", nowhere)
    assert said == f"--junit {nowhere}: there is no folder {nowhere.parent}"


# --- faults --------------------------------------------------------------------------------------


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
