"""Groups of rollouts: who played, how each team fared, and what each character does."""

import csv
import io
import json
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from scipy.stats import chi2_contingency

from balance import simulate as module
from balance.games.base import Grouping
from balance.games.burgle import BURGLE, CHARACTERS, COLUMNS
from balance.report import print_result, write_result
from balance.results import endings, group_table, grouped, member_table, result_json, to_json
from balance.scenario import Override, Scenario, load_scenario
from balance.simulate import Simulation, simulate
from balance.statistics import Estimate, equal_rates, rate, rate_difference
from balance.tally import Counted, Tallies, Tally

Rows = npt.NDArray[np.int32]
(TEAM,) = BURGLE.groupings
TEAMS = Counted.of(COLUMNS, "won", (), [TEAM])
FIRST = [column.name for column in COLUMNS].index("character.1")
TEXT = """\
game: burgle
rules: {characters: random, tools: []}
policies: {all: {name: simple}}
"""


def rows_of(teams: Sequence[tuple[Sequence[str], int]]) -> Rows:
    """One row of outcomes for each team and whether it won."""
    rows = np.zeros((len(teams), len(COLUMNS)), np.int32)
    for row, (names, won) in enumerate(teams):
        rows[row, 0] = won
        seated = [1 + CHARACTERS.index(name) for name in names]
        rows[row, FIRST : FIRST + len(seated)] = seated
    return rows


def scenario(tmp_path: Path, *sets: str) -> Scenario:
    path = tmp_path / "s.yaml"
    path.write_text(TEXT, "utf-8")
    return load_scenario(path, [Override.from_set(text) for text in sets])


def of_rows(chosen: Scenario, rows: Sequence[Rows]) -> Simulation:
    """A simulation whose outcomes, variant by variant, are given."""
    tallies = Tallies.of(
        list(rows), Counted.of(BURGLE.columns, BURGLE.headline, (), BURGLE.groupings)
    )
    return Simulation(chosen, tallies, "rollouts")


def played(chosen: Scenario, n: int) -> Simulation:
    """A simulation of ``n`` rollouts, played."""
    outcomes = []
    for variant in chosen.variants:
        rows = np.zeros((n, len(COLUMNS)), np.int32)
        BURGLE.pack(variant.rules, variant.policies).play(chosen.run.seed, 0, rows)
        outcomes.append(rows)
    return of_rows(chosen, outcomes)


def printed(simulation: Simulation, width: int = 80) -> list[str]:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    print_result(simulation, console)
    return str(console.file.getvalue()).splitlines()  # type: ignore[attr-defined]


# Five rollouts of three teams of two, with wins so that every number is known by hand.
SMALL = [
    (("hawk", "rook"), 1),
    (("rook", "hawk"), 1),
    (("hawk", "raven"), 0),
    (("hawk", "raven"), 1),
    (("raven", "rook"), 0),
]


# the key


def test_a_team_has_one_number_whoever_sits_where() -> None:
    keys = TEAM.key(rows_of(SMALL))
    assert keys.dtype == np.int64
    hawk, raven, rook = (1 << CHARACTERS.index(name) for name in ("hawk", "raven", "rook"))
    expected = [hawk | rook, hawk | rook, hawk | raven, hawk | raven, raven | rook]
    assert keys.tolist() == expected


def test_the_126_teams_of_four_have_126_numbers_and_their_names_back() -> None:
    teams = [tuple(sorted(names)) for names in combinations(CHARACTERS, 4)]
    keys = TEAM.key(rows_of([(names, 0) for names in teams])).tolist()
    assert len(set(keys)) == 126
    assert max(keys) < TEAM.groups
    assert [TEAM.members(key) for key in keys] == teams


def test_without_characters_everybody_is_in_group_0_which_has_no_members() -> None:
    assert TEAM.key(rows_of([((), 1), ((), 0)])).tolist() == [0, 0]
    assert TEAM.members(0) == ()


def test_no_two_groups_have_the_same_members() -> None:
    assert len({TEAM.members(key) for key in range(TEAM.groups)}) == TEAM.groups == 512


def test_the_key_of_no_rollouts_is_empty() -> None:
    assert TEAM.key(rows_of([])).shape == (0,)


# the tally


def test_rollouts_and_wins_are_counted_by_group() -> None:
    (counts,) = Tally.of(rows_of(SMALL), TEAMS).groups
    assert counts.shape == (512, 2)
    assert counts.dtype == np.int64
    found = {TEAM.members(key): tuple(counts[key]) for key in np.flatnonzero(counts[:, 0])}
    assert found == {("hawk", "rook"): (2, 2), ("hawk", "raven"): (2, 1), ("raven", "rook"): (1, 0)}


@given(
    n=st.integers(0, 60),
    seed=st.integers(0, 99),
    cuts=st.lists(st.integers(0, 60), max_size=5),
    order=st.randoms(use_true_random=False),
)
def test_batches_add_up_to_the_same_groups_in_any_order(n, seed, cuts, order) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    rows = rows_of([(rng.permutation(CHARACTERS)[:4], rng.integers(2)) for _ in range(n)])
    edges = [0, *sorted(min(cut, n) for cut in cuts), n]
    parts = [Tally.of(rows[a:b], TEAMS) for a, b in pairwise(edges)]
    order.shuffle(parts)
    total = parts[0]
    for part in parts[1:]:
        total = total.merged(part)
    (counts,) = total.groups
    assert np.array_equal(counts, Tally.of(rows, TEAMS).groups[0])
    assert counts.sum(axis=0).tolist() == [n, rows[:, 0].sum()]


def test_merging_changes_neither_tally() -> None:
    one = Tally.of(rows_of(SMALL), TEAMS)
    before = one.groups[0].copy()
    one.merged(one)
    assert np.array_equal(one.groups[0], before)


def test_every_variant_has_its_own_groups() -> None:
    outcomes = [rows_of(SMALL), rows_of([((), 1)] * 5)]
    tallies = Tallies.of(outcomes, TEAMS).merged(Tallies.of(outcomes, TEAMS))
    assert tallies.variants[0].groups[0][:, 0].max() == 4
    assert tallies.variants[1].groups[0][0].tolist() == [10, 10]


def test_a_game_without_groupings_counts_none() -> None:
    assert Tally.of(rows_of(SMALL), Counted.of(COLUMNS, "won")).groups == []


# the statistics


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((56, 70), (48, 80), (0.2000, 0.0524, 0.3339)),
        ((9, 10), (3, 10), (0.6000, 0.1705, 0.8090)),
        ((6, 7), (2, 7), (0.5714, 0.0582, 0.8062)),
        ((5, 56), (0, 29), (0.0893, -0.0381, 0.1926)),
        ((0, 10), (0, 20), (0.0000, -0.1611, 0.2775)),
        ((0, 10), (0, 10), (0.0000, -0.2775, 0.2775)),
        ((10, 10), (0, 20), (1.0000, 0.6791, 1.0000)),
        ((10, 10), (0, 10), (1.0000, 0.6075, 1.0000)),
    ],
)
def test_a_difference_of_rates_has_newcombes_interval(
    first: tuple[int, int], second: tuple[int, int], expected: tuple[float, float, float]
) -> None:
    """Table II of Newcombe 1998, method 10."""
    found = rate_difference(first, second)
    assert (found.value, found.low, found.high) == pytest.approx(expected, abs=5e-5)
    assert found.n == first[1] + second[1]
    turned = rate_difference(second, first)
    assert (turned.low, turned.high) == pytest.approx((-expected[2], -expected[1]), abs=5e-5)


def test_a_difference_to_no_rollouts_is_not_known() -> None:
    assert rate_difference((0, 0), (3, 9)) == Estimate(None, None, None, 9)
    assert rate_difference((3, 9), (0, 0)) == Estimate(None, None, None, 9)


@pytest.mark.parametrize(
    ("first", "second"), [((56, 70), (48, 80)), ((1, 50), (9, 40)), ((500, 1000), (510, 1000))]
)
def test_the_test_of_equal_rates_is_pearsons(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    table = [[won, n - won] for won, n in (first, second)]
    expected = chi2_contingency(table, correction=False).pvalue
    assert equal_rates(first, second) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("first", "second"), [((0, 5), (0, 9)), ((5, 5), (9, 9)), ((0, 0), (1, 2)), ((1, 2), (0, 0))]
)
def test_where_nothing_varies_no_difference_is_established(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    assert equal_rates(first, second) == 1.0


# the results


def test_groups_are_sorted_by_win_rate(tmp_path: Path) -> None:
    (found,) = grouped(of_rows(scenario(tmp_path), [rows_of(SMALL)]))
    assert [(group.members, group.rate) for group in found.groups] == [
        (("hawk", "rook"), rate(2, 2)),
        (("hawk", "raven"), rate(1, 2)),
        (("raven", "rook"), rate(0, 1)),
    ]


def test_an_effect_is_the_rate_with_minus_the_rate_without(tmp_path: Path) -> None:
    (found,) = grouped(of_rows(scenario(tmp_path), [rows_of(SMALL)]))
    assert [(m.name, m.present, m.absent, m.effect) for m in found.members] == [
        ("hawk", rate(3, 4), rate(0, 1), rate_difference((3, 4), (0, 1))),
        ("rook", rate(2, 3), rate(1, 2), rate_difference((2, 3), (1, 2))),
        ("raven", rate(1, 3), rate(2, 2), rate_difference((1, 3), (2, 2))),
    ]
    assert [m.effect.value for m in found.members] == pytest.approx([3 / 4, 1 / 6, -2 / 3])
    assert not any(m.established for m in found.members)


def test_an_effect_is_established_if_it_is_large_and_the_family_is_tested_together(
    tmp_path: Path,
) -> None:
    def teams(wins: int) -> list[tuple[Sequence[str], int]]:
        """The hawk wins ``wins`` of 100 games, the others 50 of 100."""
        return [
            (("hawk" if hawk else "rook", "raven" if place % 2 else "juicer"), int(place < won))
            for hawk, won in ((True, wins), (False, 50))
            for place in range(100)
        ]

    def of_hawk(wins: int) -> Any:
        (found,) = grouped(of_rows(scenario(tmp_path), [rows_of(teams(wins))]))
        return next(member for member in found.members if member.name == "hawk")

    assert of_hawk(90).established
    assert not of_hawk(50).established
    doubtful = of_hawk(65)  # apart from 0 alone, but not as one of four
    assert doubtful.effect.low > 0
    assert equal_rates((65, 100), (50, 100)) < 0.05 < 4 * equal_rates((65, 100), (50, 100))
    assert not doubtful.established


def test_who_is_in_every_group_has_no_effect_that_is_known(tmp_path: Path) -> None:
    rows = rows_of([(("hawk", "rook"), 1), (("hawk", "raven"), 0)])
    simulation = of_rows(scenario(tmp_path), [rows])
    (found,) = grouped(simulation)
    hawk = next(member for member in found.members if member.name == "hawk")
    assert hawk.absent == Estimate(None, None, None, 0)
    assert hawk.effect == Estimate(None, None, None, 2)
    assert not hawk.established
    json.loads(to_json(result_json(simulation)))
    assert any(line.startswith("hawk ") and "- .. -" in line for line in printed(simulation))
    write_result(simulation, tmp_path / "out", "balance run")


def test_the_result_has_the_groups_of_a_variant(tmp_path: Path) -> None:
    (variant,) = result_json(of_rows(scenario(tmp_path), [rows_of(SMALL)]))["variants"]
    assert list(variant["groups"]) == ["team"]
    team = variant["groups"]["team"]
    assert list(team) == ["groups", "members"]
    best = rate(2, 2)
    assert team["groups"][0] == {
        "members": ["hawk", "rook"],
        "rollouts": 2,
        "win_rate": {"value": 1.0, "low": best.low, "high": 1.0, "n": 2},
    }
    assert [group["rollouts"] for group in team["groups"]] == [2, 2, 1]
    hawk = team["members"][0]
    assert list(hawk) == ["name", "rollouts_with", "with", "without", "effect", "established"]
    assert (hawk["name"], hawk["rollouts_with"], hawk["without"]["n"]) == ("hawk", 4, 1)
    assert list(hawk["effect"]) == ["value", "low", "high", "n"]
    assert hawk["effect"]["value"] == 0.75
    assert hawk["established"] is False


@pytest.mark.parametrize(
    "characters", ["none", "[hawk, rook, raven, juicer]", "[peterman, hacker, hammer, spotter]"]
)
def test_a_fixed_team_has_no_groups_and_prints_none(tmp_path: Path, characters: str) -> None:
    simulation = played(scenario(tmp_path, f"rules.characters={characters}"), 100)
    assert grouped(simulation) == []
    assert "groups" not in result_json(simulation)["variants"][0]
    text = "\n".join(printed(simulation))
    assert "character" not in text
    assert "teams" not in text
    write_result(simulation, tmp_path / "out", "balance run")
    names = {entry.name for entry in (tmp_path / "out").iterdir()}
    assert not any("team" in name or "character" in name for name in names)


def test_only_the_variants_with_several_groups_have_them(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(TEXT + "variants: {drawn: null, none: {rules: {characters: none}}}\n", "utf-8")
    simulation = played(load_scenario(path), 200)
    assert [found.variant for found in grouped(simulation)] == ["drawn"]
    drawn, none = result_json(simulation)["variants"]
    assert "groups" in drawn
    assert "groups" not in none


def test_every_rollout_is_in_one_team_and_has_four_characters(tmp_path: Path) -> None:
    simulation = played(scenario(tmp_path), 3000)
    (found,) = grouped(simulation)
    assert len(found.groups) == 126
    assert sum(group.rate.n for group in found.groups) == 3000
    assert sum(member.present.n for member in found.members) == 4 * 3000
    assert {member.present.n + member.absent.n for member in found.members} == {3000}


def test_a_grouping_may_be_any_function_of_the_outcomes() -> None:
    parity = Grouping("p", "P", "P", 2, lambda rows: rows[:, 3] % 2, lambda key: (f"{key}",))
    rows = rows_of(SMALL)
    rows[:, 3] = range(5)
    assert Tally.of(rows, Counted.of(COLUMNS, "won", (), [TEAM, parity])).groups[1].tolist() == [
        [3, 1],
        [2, 2],
    ]


# what is shown


def test_the_terminal_shows_all_characters_and_the_best_and_worst_teams(tmp_path: Path) -> None:
    simulation = played(scenario(tmp_path), 3000)
    lines = printed(simulation)
    assert all(len(line) <= 80 for line in lines)
    assert [line.rstrip() for line in lines] == [line.rstrip() for line in printed(simulation, 120)]
    first = [line.split(" ")[0] for line in lines]
    assert all(first.count(name) == 1 for name in CHARACTERS)
    (found,) = grouped(simulation)
    shown = [line for line in lines if line.count(", ") == 3]
    teams = [", ".join(group.members) for group in found.groups]
    assert [line.split("  ")[0] for line in shown] == teams[:3] + teams[-3:]
    assert any(".. 120 more .." in line for line in lines)
    headers = [line.split("  ")[0] for line in lines]
    assert headers.index("variant") < headers.index("character") < headers.index("teams")


def test_a_folder_has_the_tables_the_chart_and_the_section(tmp_path: Path) -> None:
    simulation = played(scenario(tmp_path), 3000)
    write_result(simulation, tmp_path / "out", "balance run")
    (found,) = grouped(simulation)
    with (tmp_path / "out" / "teams.csv").open(encoding="utf-8") as file:
        teams = list(csv.DictReader(file))
    assert len(teams) == 126
    assert [row["members"] for row in teams] == group_table(found)["members"].tolist()
    assert sum(int(row["rollouts"]) for row in teams) == 3000
    with (tmp_path / "out" / "characters.csv").open(encoding="utf-8") as file:
        characters = list(csv.DictReader(file))
    assert [row["character"] for row in characters] == member_table(found)["member"].tolist()
    assert {row["variant"] for row in characters} == {"base"}
    names = {entry.name for entry in (tmp_path / "out").iterdir()}
    assert {"characters-base.png", "characters-base.svg"} <= names
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "Teams and characters: base" in page
    assert "all 126 teams" in page
    assert all(", ".join(group.members) in page for group in found.groups)


def test_a_variant_in_a_table_of_groups_is_no_formula(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(TEXT + 'variants: {"=1+1": null, b: null}\n', "utf-8")
    write_result(played(load_scenario(path), 200), tmp_path / "out", "balance run")
    for name in ("teams.csv", "characters.csv"):
        with (tmp_path / "out" / name).open(encoding="utf-8") as file:
            assert {row["variant"] for row in csv.DictReader(file)} == {"'=1+1", "b"}


def test_who_sat_where_is_no_ending(tmp_path: Path) -> None:
    table = endings(played(scenario(tmp_path), 500))
    assert not any("character" in str(column) for column in table.columns)
    assert table.sum(axis=1).tolist() == pytest.approx([1.0])


# the whole way


@pytest.mark.parametrize("batch", [1, 7, 1000])
@pytest.mark.parametrize("workers", [1, 2])
def test_workers_and_batches_change_no_group(
    workers: int, batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = scenario(tmp_path, "run.rollouts=301")
    expected = to_json(result_json(played(chosen, 301)))
    assert '"groups"' in expected
    monkeypatch.setattr(module, "FIRST_BATCH", batch)
    monkeypatch.setattr(module, "LARGEST_BATCH", batch)
    assert to_json(result_json(simulate(chosen, workers))) == expected
