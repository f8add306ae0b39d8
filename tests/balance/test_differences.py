"""What a variant's headline is beside that of the first one, on the same rollouts."""

import math

import numpy as np
import pytest

from balance.games import load_game
from balance.results import difference_table
from balance.scenario import load_scenario
from balance.simulate import Simulation
from balance.statistics import mcnemar, paired_difference
from balance.tally import Counted, Tallies
from tests.balance.scenario_files import SHIPPED


def test_the_difference_of_paired_rates_by_hand() -> None:
    found = paired_difference(20, 10, 100)
    half = 1.959963984540054 * math.sqrt(31 - 10 * 10 / 102) / 102
    assert found.value == pytest.approx(0.1)
    assert found.low == pytest.approx(10 / 102 - half)
    assert found.high == pytest.approx(10 / 102 + half)
    assert found.n == 100


def test_a_difference_of_no_rollouts_is_not_known() -> None:
    assert paired_difference(0, 0, 0).value is None


def test_rollouts_that_agree_leave_a_narrow_interval_around_zero() -> None:
    found = paired_difference(0, 0, 10_000)
    assert found.value == 0.0
    assert found.low is not None
    assert found.high is not None
    assert -0.0003 < found.low < 0.0 < found.high < 0.0003


def test_the_table_is_counted_from_the_same_rollouts() -> None:
    scenario = load_scenario(SHIPPED)
    columns = load_game("burgle").columns
    rng = np.random.default_rng(1)
    outcomes = []
    for chance in (0.5, 0.4, 0.5, 0.1, 0.0):
        rows = np.zeros((400, len(columns)), np.int32)
        rows[:, 0] = rng.random(400) < chance
        outcomes.append(rows)
    table = difference_table(
        Simulation(scenario, Tallies.of(outcomes, Counted.of(columns, "won")), "rollouts")
    )
    first = outcomes[0][:, 0]
    assert list(table["variant"]) == ["bank", "penthouse", "casino", "legendary"]
    for rows, row in zip(outcomes[1:], table.to_dict("records"), strict=True):
        won = rows[:, 0]
        only = int((won > first).sum()), int((won < first).sum())
        assert row["estimate"] == pytest.approx((only[0] - only[1]) / 400)
        assert row["p_value"] == mcnemar(*only)
        assert row["low"] < row["estimate"] < row["high"]
    assert list(table["established"]) == [True, False, True, True]
