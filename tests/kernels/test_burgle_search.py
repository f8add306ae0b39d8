"""The policy `search`: it plays by the rules, finds what `expert` misses, and else does as it."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from balance.games.burgle import (
    BURGLE,
    BurgleRules,
    ExpertPolicy,
    RandomPolicy,
    SearchPolicy,
    SimplePolicy,
)
from kernels.burgle import layout, search
from kernels.events import EVENTS
from tests.burgle_tables import Table
from tests.kernels.test_burgle_twin import traced
from tests.oracles import burgle_checker

SEED = 8
FEW = 8  # continuations
CHARACTERS = ["hacker", "hawk", "juicer", "peterman"]
VARIANTS: dict[str, dict[str, Any]] = {
    "base": {"stealth": 3, "tools": []},
    "whole": {"characters": "random", "stealth": 1, "crack": {"flush": 4}},
    "hacker": {"characters": CHARACTERS, "stealth": 1, "crack": {"flush": 3}},
    "three": {"characters": "random", "players": 3, "stealth": 2},
    "two": {"characters": "random", "players": 2, "stealth": 1, "crack": {"flush": 3}},
    "casino": {"crack": {"straight_flush": 3}, "burn": 2, "stealth": 3},
    "no trading": {"trading": False, "crack": {"flush": 3}, "stealth": 2},
    "win at the end of a round": {"win_at_once": False, "crack": {"flush": 3}, "stealth": 3},
    "easy targets": {"targeted_safe_from": 21, "crack": {"flush": 2}, "stealth": 4},
}


def searcher(**knobs: Any) -> Any:
    return SearchPolicy(**{"continuations": FEW, **knobs})


def outcomes(players: Any, rules: dict[str, Any], games: int, first: int = 0) -> Any:
    """The outcome rows of rollouts; one policy stands for all seats."""
    seats = players if isinstance(players, list) else [players] * layout.SEATS
    found = np.zeros((games, len(BURGLE.columns)), np.int32)
    made = BurgleRules(**rules)
    BURGLE.pack(made, seats[: made.players]).play(SEED, first, found)
    return found


def play(table: Table, start: int, stop: int) -> None:
    """As `Table.play`, with seats that search."""
    states = np.zeros(2, layout.STATE).view(np.recarray)
    room = np.zeros(1, search.ROOM).view(np.recarray)
    quiet = np.zeros(1, EVENTS).view(np.recarray)
    table.state.phase = start
    states[0] = table.states[0]
    given = (table.rules, table.policies, table.key, states, table.rooms, room)
    while True:
        search.run_step(*given, table.events, quiet)
        if states[0].phase in (stop, layout.OVER):
            break
    table.states[0] = states[0]


# legal games


@pytest.mark.parametrize("mistakes", [0.0, 0.2])
@pytest.mark.parametrize("variant", VARIANTS)
def test_its_games_pass_the_rule_checker(variant: str, mistakes: float) -> None:
    rules = BurgleRules(**VARIANTS[variant])
    for rollout in range(4):
        players = [searcher(mistakes=mistakes)] * rules.players
        burgle_checker.check(traced(rules, players, rollout))


@pytest.mark.parametrize("variant", ["base", "hacker", "three"])
def test_it_plays_with_other_policies_at_the_table(variant: str) -> None:
    rules = BurgleRules(**VARIANTS[variant])
    tables: list[list[Any]] = [
        [searcher(), SimplePolicy(), RandomPolicy(), ExpertPolicy()],
        [SimplePolicy(), searcher(), searcher(mistakes=0.3), SimplePolicy()],
    ]
    for players in tables:
        for rollout in range(4):
            burgle_checker.check(traced(rules, players[: rules.players], rollout))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_game_comes_up_again_alone_and_in_a_batch(variant: str) -> None:
    together = outcomes(searcher(), VARIANTS[variant], 3)
    assert np.array_equal(outcomes(searcher(), VARIANTS[variant], 3), together)
    for rollout in (2, 0):
        alone = outcomes(searcher(), VARIANTS[variant], 1, rollout)
        assert np.array_equal(alone[0], together[rollout])


def test_a_trace_ends_with_the_outcome_of_its_rollout() -> None:
    packed = BURGLE.pack(BurgleRules(**VARIANTS["whole"]), [searcher()] * 4)
    found = outcomes(searcher(), VARIANTS["whole"], 2)
    end = packed.trace(SEED, 1)[-1]
    for place, column in enumerate(BURGLE.columns):
        if not column.levels:
            assert end["outcome"][column.name] == found[1, place], column.name


# what nothing speaks against


@pytest.mark.parametrize(
    "knobs",
    [
        {"noise": 1e9},
        {"noise": 1e9, "continuations": 2},
        {"noise": 2, "continuations": 1},  # a sample a stage establishes nothing
        {"candidates": 1, "noise": 1e9},
    ],
    ids=["noise", "noise, few continuations", "one sample a stage", "one candidate"],
)
@pytest.mark.parametrize("variant", VARIANTS)
def test_where_nothing_is_established_it_plays_the_games_of_expert(
    variant: str, knobs: dict[str, float]
) -> None:
    rules = VARIANTS[variant]
    games = 12
    assert np.array_equal(
        outcomes(searcher(**knobs), rules, games), outcomes(ExpertPolicy(), rules, games)
    )


@pytest.mark.parametrize("variant", ["base", "three"])
def test_that_holds_beside_simple_seats_and_with_mistakes(variant: str) -> None:
    rules, quiet = VARIANTS[variant], {"noise": 1e9, "mistakes": 0.2}
    beside = [SimplePolicy(), ExpertPolicy(mistakes=0.2), SimplePolicy(), ExpertPolicy()]
    searching = [SimplePolicy(), searcher(**quiet), SimplePolicy(), searcher(noise=1e9)]
    assert np.array_equal(outcomes(searching, rules, 12), outcomes(beside, rules, 12))


def test_nothing_but_mistakes_is_the_policy_random() -> None:
    rules = VARIANTS["hacker"]
    random = outcomes(RandomPolicy(), rules, 12)
    assert np.array_equal(outcomes(searcher(mistakes=1.0), rules, 12), random)


def test_mistakes_change_games() -> None:
    rules = VARIANTS["hacker"]
    assert not np.array_equal(
        outcomes(searcher(mistakes=0.3), rules, 12), outcomes(searcher(), rules, 12)
    )


def test_searching_changes_games() -> None:
    rules = VARIANTS["base"]
    assert not np.array_equal(
        outcomes(searcher(continuations=30), rules, 4), outcomes(ExpertPolicy(), rules, 4)
    )


# wins that `expert` with absurd knobs misses


def last_safe(policy: Any, *display: str) -> Table:
    """Only seat 0 has a safe to crack and only this round to do it; its next card is a club."""
    table = Table(policy, max_rounds=1)
    table.cracked(1, 2, 3)
    for seat in (1, 2, 3):
        table.deck(seat, "9S", "9H", "J" + "CDHS"[seat])
    table.remade(0, "AC", "5C")
    table.discards(0, "JC")
    table.display(0, *display)
    return table


def both(absurd: dict[str, float]) -> tuple[Any, Any]:
    return ExpertPolicy(**absurd), searcher(**absurd)


@pytest.mark.rule("B22")
def test_it_stays_for_the_card_that_surely_cracks_the_last_safe() -> None:
    expert, searching = both({"go": -1e6})
    table = last_safe(expert, "2C", "3C", "4C", "6C")
    table.inactive(1, 2, 3)
    table.play(layout.BAIL, layout.DRAW)
    assert len(table.told_of("bail")) == 1
    table = last_safe(searching, "2C", "3C", "4C", "6C")
    table.inactive(1, 2, 3)
    play(table, layout.BAIL, layout.DRAW)
    assert table.told_of("bail") == []
    assert table.state.active[0] == 1


@pytest.mark.rule("B14")
def test_it_makes_the_trade_that_cracks_the_last_safe() -> None:
    expert, searching = both({"trade_crack": -1e6, "go": -1e6})
    for policy, step, current in ((expert, Table.play, "5D"), (searching, play, "9C")):
        table = last_safe(policy, "2C", "3C", "4C", "6C", "5D")
        table.inactive(2, 3)
        table.display(1, "9C")
        step(table, layout.TRADE, layout.PEEK)
        assert table.current(0) == current


@pytest.mark.rule("B14")
def test_a_trade_among_the_candidates_only_can_be_found() -> None:
    absurd = {"trade_crack": -1e6, "go": -1e6}
    for candidates, current in ((1, "5D"), (16, "9C")):
        policy = searcher(**absurd, candidates=candidates, continuations=64)
        table = last_safe(policy, "2C", "3C", "4C", "6C", "5D")
        table.inactive(3)
        table.display(1, "9C")
        table.display(2, "8S")
        play(table, layout.TRADE, layout.PEEK)
        assert table.current(0) == current


@pytest.mark.rule("B19")
def test_it_stays_on_a_twenty_one_for_the_card_that_surely_cracks_the_last_safe() -> None:
    expert, searching = both({"stay_near": -9, "go": 1e6})
    for policy, step, choice in ((expert, Table.play, "peek"), (searching, play, "stay")):
        table = last_safe(policy, "2C", "3C", "6C", "10C")
        table.inactive(1, 2, 3)
        step(table, layout.TWENTY_ONE, layout.CRACK)
        assert [line["choice"] for line in table.told_of("twenty_one")] == [choice]


def test_plans_are_forgotten_after_their_step() -> None:
    _, searching = both({"go": -1e6})
    table = last_safe(searching, "2C", "3C", "4C", "6C")
    table.inactive(1, 2, 3)
    play(table, layout.BAIL, layout.DRAW)
    assert set(table.state.plan.tolist()) == {layout.NO_PLAN}


# the candidates


def room_for(n: int) -> tuple[Any, Any]:
    """Room for a search among n traders, with the trade of `expert` (nothing moves) as arm 0."""
    table = Table(searcher())
    room = np.zeros(1, search.ROOM).view(np.recarray)
    scratch = table.rooms[0]
    scratch.movable[:n] = range(n)
    scratch.cards[:n] = range(10, 10 + n)
    scratch.takes[:n] = range(n)
    search.note_trade(scratch, room[0], 0, n)
    return room[0], scratch


def takes_of(room: Any, arm: int, n: int) -> tuple[int, ...]:
    first = 1 + 2 * layout.SEATS
    return tuple(room.arm[arm][first : first + n].tolist())


@pytest.mark.parametrize("wanted", [1, 2, 4, 16])
@pytest.mark.parametrize("order", ["falling", "rising", "mixed", "equal"])
def test_the_best_trades_are_kept_in_order_behind_that_of_expert(wanted: int, order: str) -> None:
    n = 4
    trades = list(permutations(range(n)))[1:]
    scores = np.random.default_rng(3).permutation(len(trades)).astype(float)
    if order != "mixed":
        scores = np.sort(scores) if order == "rising" else np.sort(scores)[::-1]
    if order == "equal":
        scores[:] = 5.0
    room, scratch = room_for(n)
    arms = 1
    for takes, score in zip(trades, scores, strict=True):
        scratch.takes[:n] = takes
        arms = int(search.insert_trade(scratch, room, float(score), n, arms, wanted))
    best = sorted(range(len(trades)), key=lambda i: -scores[i])[: wanted - 1]  # stable
    assert arms == wanted
    assert takes_of(room, 0, n) == tuple(range(n))
    assert [takes_of(room, arm, n) for arm in range(1, arms)] == [trades[i] for i in best]
    assert room.score[1:arms].tolist() == [scores[i] for i in best]


def test_a_trade_noted_is_restored() -> None:
    n = 3
    room, scratch = room_for(n)
    scratch.takes[:n] = 2, 0, 1
    search.note_trade(scratch, room, 5, n)
    scratch.movable[:n], scratch.cards[:n], scratch.takes[:n] = 7, 7, 7
    assert search.restore_trade(scratch, room, 5) == n
    assert scratch.movable[:n].tolist() == [0, 1, 2]
    assert scratch.cards[:n].tolist() == [10, 11, 12]
    assert scratch.takes[:n].tolist() == [2, 0, 1]


# the noise


def established(differences: list[list[float]], noise: float) -> int:
    """Which arm is taken after these differences from arm 0, sample by sample."""
    room = np.zeros(1, search.ROOM).view(np.recarray)[0]
    room.alive[: len(differences) + 1] = 1
    room.samples = len(differences[0])
    for arm, found in enumerate(differences, 1):
        room.total[arm] = sum(found)
        room.squares[arm] = sum(value**2 for value in found)
    return int(search.better_than_noise(room, len(differences) + 1, noise))


@pytest.mark.parametrize(
    ("differences", "noise", "taken"),
    [
        ([[0.0] * 100], 0.0, 0),
        ([[1.0] * 100], 1.0, 1),
        ([[-1.0] * 100], 0.0, 0),
        ([[1.0]], 1.0, 0),  # one sample is no proof
        ([[0.02]], 1.0, 0),
        ([[1.0]], 1e9, 0),
        ([[1.0] * 3], 1e9, 0),  # nor are a few that agree
        ([[0.02] * 400], 3.0, 1),
        ([[1.0] + [0.0] * 99], 1.0, 0),
        ([[1.0] * 9 + [0.0] * 91], 2.0, 1),
        ([[1.0] * 9 + [0.0] * 91], 4.0, 0),
        ([[1.0, -1.0] * 50 + [1.0] * 5], 1.0, 0),
        ([[1.0] * 50 + [0.0] * 50, [1.0] * 60 + [0.0] * 40], 1.0, 2),
    ],
)
def test_a_choice_is_taken_only_if_it_is_better_by_more_than_the_noise(
    differences: list[list[float]], noise: float, taken: int
) -> None:
    assert established(differences, noise) == taken
