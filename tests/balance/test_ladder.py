"""How much play matters: the rungs, who plays on them, gaps, and orders that turn round."""

import csv
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from balance.answers.ladder import ladder_answer
from balance.errors import InputError
from balance.games import Game, load_game
from balance.headline import Headlines
from balance.rotation import Rotated
from balance.scenario import Scenario
from balance.simulate import Player, Simulation
from balance.statistics import holm, mcnemar
from balance.studies.ladder import (
    MISTAKES,
    Ladder,
    Rung,
    ladder,
    ladder_scenario,
    options_of,
    rungs_of,
)
from balance.tally import Counted, Tallies
from tests.balance.command import Balance
from tests.balance.scenario_files import BASE, Files

EXPERT = "game: burgle\nrules: {tools: []}\npolicies: {all: {name: expert}}\n"
VAULT = "game: vault\nrules: {players: 3}\npolicies: {all: {name: simple}}\n"
BANK = "game: bank\npolicies: {all: {name: simple}}\n"
TWO = "variants: {hard: {}, easy: {rules: {crack: {flush: 3}}}}\n"
OPTIONS = {
    "burgle": ["trading", "bailing", "peeking", "using_tools"],
    "vault": ["inviting", "joining", "acting"],
    "bank": ["bluffing", "counting"],
}


def labels(scenario: Scenario, *args: Any) -> list[str]:
    return [rung.label for rung in rungs_of(scenario, *args)]


def tallied(game: Game, won: list[Any]) -> Tallies:
    """The tallies of variants whose headlines are these 0s and 1s, rollout by rollout."""
    outcomes = []
    for headline in won:
        rows = np.zeros((len(headline), len(game.columns)), np.int32)
        rows[:, 0] = headline
        outcomes.append(rows)
    return Tallies.of(outcomes, Counted.of(game.columns, game.headline))


def rates(n: int, *shares: float) -> list[Any]:
    """Headlines won in these shares of n rollouts, each on other rollouts than the one before."""
    return [np.roll(np.arange(n) < share * n, 37 * place) for place, share in enumerate(shares)]


# the rungs


def test_the_rungs_go_from_random_to_the_scenarios_own_players(files: Files) -> None:
    rungs = rungs_of(files.load(EXPERT))
    assert [(rung.label, rung.kind, rung.option) for rung in rungs] == [
        ("random", "policy", "random"),
        ("simple", "policy", "simple"),
        *((f"expert, {m:.0%} mistakes", "mistakes", m) for m in (0.5, 0.4, 0.3, 0.2, 0.1, 0.05)),
        ("expert", "top", None),
    ]


def test_slow_policies_are_rungs_only_where_they_are_asked_for(files: Files) -> None:
    scenario = files.load(EXPERT)
    assert "search" not in labels(scenario)
    asked = labels(scenario, ["search", "random"])
    assert asked[:2] == ["search", "random"]
    assert asked[-1] == "expert"
    assert len(asked) == 2 + len(MISTAKES) + 1


def test_the_own_policy_is_the_top_and_no_other_rung(files: Files) -> None:
    assert labels(files.load(EXPERT), ["expert", "random"])[0] == "random"
    assert labels(files.load(BASE))[:2] == ["random", "expert"]
    assert labels(files.load(BASE))[-1] == "simple"
    assert labels(files.load(VAULT))[:5] == ["random", "hasty", "patient", "loner", "expert"]


def test_a_policy_that_is_named_twice_is_one_rung(files: Files) -> None:
    assert labels(files.load(EXPERT), ["random", "random"]).count("random") == 1
    assert labels(files.load(EXPERT), None, ["trading", "trading"]) == ["without trading", "expert"]


def test_random_players_make_no_mistakes(files: Files) -> None:
    scenario = files.load(EXPERT, "policies.all.name=random")
    assert labels(scenario) == ["simple", "expert", "random"]
    with pytest.raises(InputError, match=r"everybody plays random: there is no other rung$"):
        rungs_of(scenario, ["random"])


def test_different_players_are_called_what_the_scenario_says(files: Files) -> None:
    """Where all win together all seats count, where one wins the first."""
    seats = "policies: {all: {name: simple}, 1: {name: random}}\n"
    mixed = labels(files.load("game: burgle\n" + seats))
    assert mixed[:3] == ["random", "simple", "expert"]
    assert mixed[-1] == "as the scenario says"
    assert labels(files.load("game: vault\n" + seats))[-1] == "random"
    variants = "variants: {a: {}, b: {policies: {all: {name: simple}}}}\n"
    assert labels(files.load(EXPERT + variants))[-1] == "as the scenario says"


@pytest.mark.parametrize("game", OPTIONS)
def test_every_option_that_is_on_can_be_done_without(files: Files, game: str) -> None:
    for name, model in load_game(game).policies.items():
        scenario = files.load(f"game: {game}\npolicies: {{all: {{name: {name}}}}}\n")
        found = options_of(scenario)
        bools = {key: value for key, value in model().model_dump().items() if value is True}
        assert list(found) == OPTIONS[game]
        assert set(found) == set(bools)
        assert all(found.values())
        assert not any("false: " in meaning for meaning in found.values())
        assert labels(scenario, None, list(found))[:-1] == [f"without {key}" for key in found]


@pytest.mark.parametrize("game", OPTIONS)
def test_without_all_is_without_each(balance: Balance, files: Files, game: str) -> None:
    path = files.write(f"game: {game}\npolicies: {{all: {{name: simple}}}}\n")
    words = ("ladder", path, "--without", "all", "--rollouts", 20, "--json")
    result = balance(*words).json()
    assert [row["option"] for row in result["rungs"]] == [*OPTIONS[game], None]
    assert [row["kind"] for row in result["rungs"]] == ["without"] * len(OPTIONS[game]) + ["top"]
    assert len(result["gaps"]) == len(OPTIONS[game])


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (
            EXPERT,
            ("--policies", "random,simpel"),
            "--policies simpel: there is no such policy (did you mean simple?); "
            "has: random, simple, expert, search",
        ),
        (EXPERT, ("--policies", ""), "--policies : there is no such policy; has: random, simple,"),
        (
            EXPERT,
            ("--without", "tradin"),
            "--without tradin: there is no such option (did you mean trading?); "
            "has: trading, bailing, peeking, using_tools",
        ),
        (EXPERT, ("--without", "mistakes"), "--without mistakes: there is no such option; has: "),
        (
            EXPERT,
            ("--without", "all", "--without", "trading"),
            "--without all: there is no such option",
        ),
        (
            EXPERT,
            ("--without", "all", "--policies", "random"),
            "--without and --policies: give one of the two",
        ),
        (EXPERT, ("--variant", "x"), "s.yaml: there is no variant x; it has: base"),
        (EXPERT, ("--quick", "--rollouts", 7), "--quick and --rollouts: give one of the two"),
        (
            "game: vault\nstage: dice\n",
            (),
            "s.yaml: nobody plays here: Vault Breakers, the dice alone",
        ),
        (
            "game: bank\nstage: robbery\nrules: {pot: 6, stakes: [1, 2, 3, 4]}\n",
            (),
            "s.yaml: nobody plays here: Bank Robbers, a robbery alone",
        ),
        (
            VAULT + "variants: {a: {}, b: {rules: {players: 2}}}\n",
            ("--policies", "random"),
            "s.yaml: run.rotate_seats: all variants must have the same number of players",
        ),
    ],
)
def test_faults_are_said_in_one_line(
    balance: Balance, files: Files, text: str, words: tuple[object, ...], message: str
) -> None:
    said = balance.fault("ladder", files.write(text), *words)
    assert said.replace(f"{files.folder}/", "").startswith(message)


# who plays


def test_where_all_win_together_everybody_plays_the_rung(files: Files) -> None:
    scenario = files.load(EXPERT, "policies.2.name=expert", "policies.2.cracked_go=0.5")
    rungs = [
        *(Rung("r", "policy", "random"), Rung("m", "mistakes", 0.3)),
        *(Rung("w", "without", "trading"), Rung("t", "top")),
    ]
    played = ladder_scenario(scenario, rungs)
    own = scenario.variants[0].policies
    random, mistakes, without, top = (variant.policies for variant in played.variants)
    assert [policy.name for policy in random] == ["random"] * 4  # type: ignore[attr-defined]
    assert [policy.model_dump() for policy in mistakes] == [
        {**policy.model_dump(), "mistakes": 0.3} for policy in own
    ]
    assert [policy.model_dump() for policy in without] == [
        {**policy.model_dump(), "trading": False} for policy in own
    ]
    assert top == own
    assert played.game is scenario.game
    assert [variant.name for variant in played.variants] == [
        *("base, r", "base, m", "base, w", "base, t")
    ]
    assert all(variant.rules == scenario.variants[0].rules for variant in played.variants)


@pytest.mark.parametrize("text", [VAULT, BANK])
def test_where_one_seat_wins_the_first_alone_plays_the_rung_and_seats_rotate(
    files: Files, text: str
) -> None:
    scenario = files.load(text, "policies.all.mistakes=0.15")
    rungs = rungs_of(scenario)
    played = ladder_scenario(scenario, rungs)
    own = scenario.variants[0].policies
    assert isinstance(played.game, Rotated)
    assert played.game.headline == "policy_share.1"
    assert len(played.variants) == len(rungs)
    for variant, rung in zip(played.variants, rungs, strict=True):
        assert variant.policies[1:] == own[1:]
        assert (variant.policies[0] == own[0]) == (rung.kind == "top")
    again = files.load(text, "run.rotate_seats=true")
    assert ladder_scenario(again, rungs).game is again.game


@pytest.mark.parametrize(("text", "players"), [(VAULT, 3), (BANK, 4)])
def test_equal_players_win_equal_parts_on_the_top_rung(
    files: Files, text: str, players: int
) -> None:
    """Seats are rotated, so each round gives the same to all: exactly, whatever the seed."""
    scenario = files.load(text + "run: {rollouts: 60}\n")
    found = ladder(scenario, rungs_of(scenario, ["random"]))
    rows = {row["rung"]: row for row in found.rows()}
    assert rows["simple"]["estimate"] == pytest.approx(1 / players)
    assert rows["random"]["high"] < 1 / players
    assert found.gap_rows()[0]["established"]
    assert rows["random"]["policies"].startswith("1 random, 2 simple")


# the ladder


@pytest.fixture(scope="module")
def climbed(tmp_path_factory: pytest.TempPathFactory) -> Ladder:
    """Two variants of Burgle Bros Blackjack, 400 rollouts of each rung."""
    scenario = Files(tmp_path_factory.mktemp("ladder")).load(EXPERT + TWO + "run: {rollouts: 400}")
    return ladder(scenario, rungs_of(scenario))


def test_there_is_a_row_for_each_variant_and_rung(climbed: Ladder) -> None:
    table = climbed.table
    assert list(table) == [
        *("variant", "rung", "kind", "option", "estimate", "low", "high", "n", "policies")
    ]
    assert table["variant"].tolist() == ["hard"] * 9 + ["easy"] * 9
    assert table["rung"].tolist() == [rung.label for rung in climbed.rungs] * 2
    assert set(table["n"]) == {400}
    assert table["policies"].tolist()[2:9:2] == [
        *("expert (50% mistakes)", "expert (30% mistakes)", "expert (10% mistakes)", "expert"),
    ]


def test_fewer_mistakes_win_more(climbed: Ladder) -> None:
    easy = climbed.table.query("variant == 'easy'").set_index("rung")
    assert easy.loc["random", "high"] < easy.loc["expert", "low"]
    assert easy.loc["expert, 50% mistakes", "high"] < easy.loc["expert, 10% mistakes", "low"]


def test_a_gap_is_the_paired_difference_from_the_top_and_holds_for_all_together(
    climbed: Ladder,
) -> None:
    headlines = Headlines(climbed.simulation.scenario.game, climbed.simulation.tallies)
    wanted = [headlines.difference(top, top - 8 + rung) for top in (8, 17) for rung in range(8)]
    assert [gap.difference for gap in climbed.gaps] == wanted
    assert [(gap.variant, gap.rung) for gap in climbed.gaps] == [
        (name, rung.label) for name in ("hard", "easy") for rung in climbed.rungs[:-1]
    ]
    adjusted = holm([one.p_value for one in wanted])
    assert [gap.established for gap in climbed.gaps] == [p < 0.05 for p in adjusted]
    estimate = climbed.table.set_index(["variant", "rung"])["estimate"]
    for row in climbed.gap_table.to_dict("records"):
        apart = estimate[row["variant"], "expert"] - estimate[row["variant"], row["rung"]]
        assert row["estimate"] == pytest.approx(apart)


def test_gaps_are_paired_and_tested_together(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the same rollouts 8 wins more and none less are p = 1/128; of seven gaps that is tied."""
    scenario = files.load(BASE)
    rungs = [*rungs_of(scenario, ["random"])[:-1], Rung("simple", "top")]
    top = np.arange(500) % 2
    lower = top.copy()
    lower[1:17:2] = 0
    assert mcnemar(8, 0) == 1 / 128
    made = tallied(scenario.game, [lower, *[top] * (len(rungs) - 1)])

    def simulate(played: Scenario, *_: Any) -> Simulation:
        return Simulation(played, made, "rollouts")

    monkeypatch.setattr("balance.studies.ladder.simulate", simulate)
    found = ladder(scenario, rungs)
    first, *others = found.gaps
    assert (first.rung, first.difference.p_value) == ("random", 1 / 128)
    assert first.difference.estimate.value == 8 / 500
    assert first.difference.estimate.low is not None
    assert first.difference.estimate.low > 0  # alone it is no tie
    assert not first.established
    assert len(others) == 6
    assert {gap.difference.p_value for gap in others} == {1.0}
    found = ladder(scenario, [rungs[0], rungs[-1]])  # the tallies of the first two
    assert [gap.established for gap in found.gaps] == [True]


# orders that turn round


def climbed_by_hand(files: Files, won: list[Any], names: str, rungs: int) -> Ladder:
    scenario = files.load(BASE + f"variants: {{{', '.join(f'{n}: {{}}' for n in names)}}}\n")
    made = tallied(scenario.game, won)
    steps = tuple(Rung(f"rung {place}", "policy") for place in range(1, rungs + 1))
    return Ladder(scenario, Simulation(scenario, made, "rollouts"), steps, ())


def test_an_order_that_turns_round_with_skill_is_named(files: Files) -> None:
    """a and b change places; c stays below both, and d is as high as b where b is low."""
    shares = [
        *(0.3, 0.4, 0.6),  # a
        *(0.5, 0.4, 0.4),  # b
        *(0.1, 0.1, 0.1),  # c
        *(0.3, 0.4, 0.4),  # d
    ]
    found = climbed_by_hand(files, rates(1000, *shares), "abcd", 3)
    assert found.reversals() == [("a", "b", "rung 3", "rung 1")]
    turned_round = climbed_by_hand(files, rates(1000, 0.5, 0.4, 0.3, 0.6), "ab", 2)
    assert turned_round.reversals() == [("a", "b", "rung 1", "rung 2")]


def test_an_order_that_only_closes_up_does_not_turn_round(files: Files) -> None:
    found = climbed_by_hand(files, rates(1000, 0.2, 0.4, 0.6, 0.5, 0.5, 0.6), "ab", 3)
    assert found.reversals() == []


def test_one_variant_has_no_order(files: Files) -> None:
    assert climbed_by_hand(files, rates(1000, 0.2, 0.4, 0.6), "a", 3).reversals() == []


def test_a_reversal_is_established_for_all_pairs_together(files: Files) -> None:
    """9 wins more on one rung and 9 less on another: p = 1/256 each, but not of 30 pairs."""
    base = np.arange(400) % 2
    more, less = base.copy(), base.copy()
    more[0:18:2] = 1
    less[1:19:2] = 0
    two = climbed_by_hand(files, [more, less, base, base], "ab", 2)
    assert two.reversals() == [("a", "b", "rung 1", "rung 2")]
    level = [base] * 5
    many = climbed_by_hand(files, [more, less, *[base] * 3, *level, *level, *level], "abcd", 5)
    assert many.reversals() == []


def test_reversals_are_seldom_found_where_there_are_none(files: Files) -> None:
    """200 ladders of three equal variants on 3 rungs of independent rollouts: at most 5 %."""
    rng = np.random.default_rng(4)
    found = climbed_by_hand(files, rates(300, *[0.5] * 9), "abc", 3)
    wrong = 0
    for _ in range(200):
        made = tallied(found.simulation.scenario.game, list(rng.random((9, 300)) < 0.5))
        wrong += bool(
            replace(found, simulation=replace(found.simulation, tallies=made)).reversals()
        )
    assert wrong <= 10


# the answer


def test_the_skill_chart_goes_by_the_mistakes_up_to_the_own_ones(climbed: Ladder) -> None:
    frame = ladder_answer(climbed).charts["skill"].frame
    hard = frame[frame["variant"] == "hard"]
    assert hard["value"].tolist() == [*MISTAKES, 0.0]
    assert hard["now"].tolist() == [False] * 6 + [True]


def test_the_own_mistakes_are_where_the_skill_chart_shows_them(files: Files) -> None:
    scenario = files.load(BASE + "run: {rollouts: 5}\n", "policies.all.mistakes=0.25")
    frame = ladder_answer(ladder(scenario, rungs_of(scenario, ["random"]))).charts["skill"].frame
    assert frame["value"].tolist() == [0.5, 0.4, 0.3, 0.25, 0.2, 0.1, 0.05]
    assert frame.loc[frame["now"], "value"].tolist() == [0.25]


def test_the_answer_says_gap_and_reversals_in_words(files: Files) -> None:
    found = climbed_by_hand(files, rates(1000, 0.3, 0.6, 0.5, 0.4), "ab", 2)
    (said,) = [line for line in ladder_answer(with_gaps(found)).verdicts if "turns round" in line]
    assert said == ("the order of a and b turns round: a is higher with rung 2, b with rung 1")
    found = climbed_by_hand(files, rates(1000, 0.3, 0.6, 0.2, 0.4), "ab", 2)
    assert any("no change of order" in line for line in ladder_answer(with_gaps(found)).verdicts)


def with_gaps(found: Ladder) -> Ladder:
    """The gaps of a ladder of two variants and two rungs made by hand."""
    from balance.studies.ladder import Gap

    headlines = Headlines(found.scenario.game, found.simulation.tallies)
    scenario = found.simulation.scenario
    played = scenario.playing([v for v in scenario.variants for _ in found.rungs])
    gaps = tuple(
        Gap(name, "rung 1", headlines.difference(2 * place + 1, 2 * place), True)
        for place, name in enumerate("ab")
    )
    return replace(found, gaps=gaps, simulation=replace(found.simulation, scenario=played))


# the command


def test_the_terminal_shows_every_rung_and_the_gaps(balance: Balance, files: Files) -> None:
    done = balance("ladder", files.write(EXPERT), "--rollouts", 50, "--seed", 5, "-q")
    assert (done.code, done.err) == (0, "")
    rows = done.out.splitlines()
    shown = [row for row in rows if row.startswith(("random ", "simple ", "expert"))]
    assert [row.split("  ")[0] for row in shown[:9]] == labels(files.load(EXPERT))
    assert "What expert has over each" in done.out
    assert "skill gap" in done.out
    assert max(map(len, rows)) <= 80


def test_several_variants_stand_side_by_side_and_in_files(balance: Balance, files: Files) -> None:
    names = ["rung", "=1+1", "_c"]
    variants = ", ".join(f'"{name}": {{rules: {{stealth: {n}}}}}' for n, name in enumerate(names))
    out = files.folder / "out"
    words = ("--policies", "random", "--rollouts", 20, "--out", out, "-q")
    done = balance("ladder", files.write(BASE + f"variants: {{{variants}}}\n"), *words)
    assert (done.code, done.err) == (0, "")
    assert {path.name for path in out.iterdir()} == {
        *("rungs.csv", "gaps.csv", "ladder.csv", "ladder.png", "ladder.svg"),
        *("skill.png", "skill.svg", "report.html", "summary.json"),
    }
    with (out / "rungs.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["rung_", "rung", "'=1+1", "_c"]
    assert [row[0] for row in rows] == labels(files.load(BASE), ["random"])
    with (out / "ladder.csv").open(encoding="utf-8", newline="") as file:
        assert [row["variant"] for row in csv.DictReader(file)][::8] == ["rung", "'=1+1", "_c"]


def test_one_variant_can_be_named(balance: Balance, files: Files) -> None:
    words = ("ladder", files.write(BASE + TWO), "--policies", "random", "--rollouts", 20)
    result = balance(*words, "--variant", "easy", "--json").json()
    assert {row["variant"] for row in result["rungs"]} == {"easy"}
    assert (result["study"], result["reversals"]) == ("ladder", [])


def test_what_an_option_is_worth_is_told_in_points(balance: Balance, files: Files) -> None:
    text = EXPERT.replace("tools: []", "tools: [], crack: {flush: 3}")
    words = ("ladder", files.write(text), "--without", "trading", "--rollouts", 400)
    result = balance(*words, "--json").json()
    (gap,) = result["gaps"]
    assert gap["established"]
    assert gap["estimate"] > 0
    said = " ".join(balance(*words, "-q").out.split())
    assert f"base: without trading {-100 * gap['estimate']:+.2f} points" in said
    assert "they were not trained to do without" in said


def test_the_json_is_the_same_bytes_for_any_workers(balance: Balance, files: Files) -> None:
    path = files.write(BASE + TWO)
    words = ("ladder", path, "--policies", "random", "--rollouts", 500, "--json", "--workers")
    assert balance(*words, 1).out == balance(*words, 2).out


@pytest.mark.parametrize("text", [BASE, BASE + TWO])
def test_an_interrupt_before_anything_was_played_is_told_in_words(
    balance: Balance, files: Files, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    def interrupted(player: Any, done: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Player, "_hand_on", interrupted)
    done = balance("ladder", files.write(text), "-q", "--out", files.folder / "out")
    assert (done.code, done.err) == (130, "")
    assert "Stopped before anything was simulated." in done.out
    assert "nan" not in done.out


def test_the_cost_counts_every_rung(
    balance: Balance, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance.cli.options.LONG", 0.0)
    words = ("ladder", files.write(BASE + TWO), "--policies", "random", "--rollouts", 30)
    assert balance(*words).err.startswith("balance: 480 games, about 0 s")
