"""Games that one seat wins: shares, ratios, rotated seats, and what is said of them."""

from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.games import load_game
from balance.headline import Headlines
from balance.results import metrics, result_json, seat_table, shares
from balance.rotation import Rotated
from balance.simulate import simulate
from balance.statistics import Sums, mean, paired_mean, rate, ratio, share
from balance.tally import Counted, Tallies
from balance.verdicts import verdicts
from tests.balance.command import Balance
from tests.balance.scenario_files import Files

VAULT = """\
game: vault
policies: {all: {name: simple}}
"""
TWO = """\
game: vault
rules: {players: 3}
policies: {all: {name: simple}, 1: {name: random}}
run: {rollouts: 300, rotate_seats: true}
"""


def sums_of(x: Any, y: Any) -> Sums:
    x, y = np.asarray(x, np.int64), np.asarray(y, np.int64)
    return Sums(int(x.sum()), int(y.sum()), int(x @ x), int(y @ y), int(x @ y), len(x))


# the statistics


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=2, max_size=40))
def test_the_ratio_of_totals_has_the_delta_methods_interval(pairs: list[tuple[int, int]]) -> None:
    x, y = (np.array(side, float) for side in zip(*pairs, strict=True))
    found = ratio(sums_of(x, y))
    value = x.sum() / y.sum()
    spread = np.std(x - value * y, ddof=1) / sqrt(len(x)) / y.mean()
    assert found.value == pytest.approx(value)
    assert found.n == y.sum()
    assert found.high == pytest.approx(value + 1.959963984540054 * spread, abs=1e-9)
    assert found.low == pytest.approx(value - 1.959963984540054 * spread, abs=1e-9)


def test_a_ratio_of_nothing_is_not_known_and_a_rate_of_none_has_a_width() -> None:
    assert ratio(sums_of([0, 0], [0, 0])).value is None
    assert ratio(sums_of([0, 0], [3, 4]), is_rate=True) == rate(0, 7)
    assert ratio(sums_of([3, 4], [3, 4]), is_rate=True) == rate(7, 7)


def test_a_share_is_the_mean_part_of_a_whole_inside_0_and_1() -> None:
    found = share(60 + 0 + 0, 3600, 3, 60)
    assert found.value == pytest.approx(1 / 3)
    assert (found.low, found.high) == (0.0, pytest.approx(mean(60, 3600, 3).high / 60))


def test_paired_means_of_the_same_numbers_do_not_differ() -> None:
    same, p = paired_mean((90, 90), (5400, 5400), 5400, 3)
    assert (same.value, same.low, same.high, p) == (0, 0, 0, 1.0)


def test_paired_means_that_differ_by_a_constant_surely_differ() -> None:
    found, p = paired_mean((9, 6), (29, 14), 20, 3)  # 2 3 4 and 1 2 3
    assert (found.value, p) == (1.0, 0.0)


def test_the_paired_test_is_wrong_one_time_in_twenty() -> None:
    """n = 2000 data sets without a difference; the share of p < 0.05 within four of its errors."""
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(2000):
        a = rng.integers(0, 61, 200)
        b = np.where(rng.random(200) < 0.5, a, rng.integers(0, 61, 200))
        sums, squares = (int(a.sum()), int(b.sum())), (int(a @ a), int(b @ b))
        wrong += paired_mean(sums, squares, int(a @ b), 200)[1] < 0.05
    assert abs(wrong / 2000 - 0.05) < 4 * sqrt(0.05 * 0.95 / 2000)


# the headline


def test_the_headline_of_shares_is_compared_rollout_by_rollout() -> None:
    game = load_game("vault")
    rng = np.random.default_rng(2)
    rows = [np.zeros((400, len(game.columns)), np.int32) for _ in range(2)]
    rows[0][:, 0] = rng.choice([0, 20, 30, 60], 400)
    rows[1][:, 0] = np.where(rng.random(400) < 0.8, rows[0][:, 0], 0)
    headlines = Headlines(game, Tallies.of(rows, Counted.of(game.columns, game.headline)))
    found = headlines.difference(1, 0)
    gaps = (rows[1][:, 0] - rows[0][:, 0]) / 60
    assert found.estimate.value == pytest.approx(gaps.mean())
    assert found.estimate.half_width == pytest.approx(1.95996398 * gaps.std(ddof=1) / 20)
    assert headlines.established([(1, 0)]) == [True]
    assert headlines.letters() == ["a", "b"]
    assert headlines.estimate(0).value == pytest.approx(rows[0][:, 0].mean() / 60)


# a game


def test_the_shares_of_all_seats_add_up_and_absent_seats_are_left_out(files: Files) -> None:
    scenario = files.load(VAULT + "run: {rollouts: 200}")
    simulation = simulate(scenario)
    table = seat_table(simulation)
    assert table["seat"].tolist() == [1, 2, 3, 4]
    assert table["win_share"].sum() == pytest.approx(1)
    names = {m["metric"] for m in result_json(simulation)["variants"][0]["metrics"]}
    assert {"win_share.4", "broken_at.6", "break_rate.6"} <= names
    assert not {"win_share.5", "vp.6", "broken_at.7", "break_rate.7"} & names


def test_the_ratios_are_those_of_the_totals(files: Files) -> None:
    simulation = simulate(files.load(VAULT + "run: {rollouts: 200}"))
    variant, tally = simulation.scenario.variants[0], simulation.tallies.variants[0]
    game = simulation.scenario.game
    found = {metric.name: metric.estimate for metric in metrics(game, variant.rules, tally)}
    dice, attempts = found["dice"].value, found["attempts"].value
    assert found["dice_per_attempt"].value == pytest.approx((dice or 0) / (attempts or 1))
    assert found["dice_per_attempt"].n == round(200 * (attempts or 0))


def test_what_is_not_established_is_not_said(files: Files) -> None:
    few = verdicts(simulate(files.load(VAULT + "run: {rollouts: 12}")))
    assert few == ["base, seats: 25.0% would be each one's part; no difference is established"]
    many = verdicts(simulate(files.load(VAULT + "run: {rollouts: 4000}")))
    assert "more: seat 1 " in many[0]
    assert "less: seat 4 " in many[0]


# rotated seats


def test_in_a_round_every_policy_sits_in_every_seat_once(files: Files) -> None:
    scenario = files.load(TWO)
    game, variant = scenario.game, scenario.variants[0]
    assert isinstance(game, Rotated)
    rows = np.zeros((20, len(game.columns)), np.int32)
    game.pack(variant.rules, variant.policies).play(5, 0, rows)
    names = [column.name for column in game.columns]
    plain = load_game("vault")
    expected = np.zeros((20, 3), np.int64)
    turns = np.zeros(20, np.int64)
    for turn in range(3):
        players = [variant.policies[(seat - turn) % 3] for seat in range(3)]
        one = np.zeros((20, len(plain.columns)), np.int32)
        plain.pack(variant.rules, players).play(5, 0, one)
        for owner in range(3):
            expected[:, owner] += one[:, (owner + turn) % 3]
        turns += one[:, [column.name for column in plain.columns].index("turns")]
    assert rows[:, :3].tolist() == expected.tolist()
    assert rows[:, names.index("turns")].tolist() == turns.tolist()
    assert (rows[:, names.index("ended_by.breaks")] <= 3).all()


def test_equal_policies_have_equal_shares_in_every_round(files: Files) -> None:
    simulation = simulate(files.load(TWO, "policies.1.name=simple"))
    table = seat_table(simulation)
    assert table["policy_share"].tolist() == pytest.approx([1 / 3] * 3)
    assert len(set(table["win_share"].round(6))) > 1


def test_a_worse_policy_is_found_wherever_it_sits(files: Files) -> None:
    simulation = simulate(files.load(TWO))
    table = seat_table(simulation).set_index("seat")
    assert table.loc[1, "policy_share_high"] < 1 / 3
    assert shares(simulation, "policy_share")["label"].tolist()[0] == "random (of seat 1)"
    assert any("less: random (of seat 1)" in line for line in verdicts(simulation))


def test_only_games_that_one_seat_wins_are_rotated(files: Files) -> None:
    text = "game: burgle\npolicies: {all: {name: simple}}\nrun: {rotate_seats: true}\n"
    assert files.fault(text) == (
        "s.yaml: run.rotate_seats: Burgle Bros Blackjack is not won by one seat alone"
    )
    text = TWO + "variants: {a: {}, b: {rules: {players: 4}}}\n"
    assert "must have the same number of players (got 3, 4)" in files.fault(text)


def test_the_terminal_shows_policies_and_seats(
    balance: Balance, files: Files, tmp_path: Path
) -> None:
    done = balance("run", files.write(TWO), "--out", tmp_path / "out", "-q")
    assert done.code == 0
    assert "seats' wins" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    made = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"policy_share.png", "win_share.png", "endings.png", "report.html"} <= made
