"""A simulation depends on scenario and seed alone, and stops where it is told to."""

from pathlib import Path
from typing import Any

import pytest

from balance import simulate as module
from balance.results import result_json, to_json
from balance.scenario import Override, Scenario, load_scenario
from balance.simulate import Progress, default_workers, looks, simulate
from balance.statistics import rate

SHIPPED = Path(__file__).parents[2] / "scenarios" / "burgle" / "advanced_missions.yaml"


def scenario(**run: object) -> Scenario:
    """Three missions, played by `simple`."""
    sets = ["policies.all.name=simple", "run.rollouts=null"]
    sets += [f"run.{name}={value}" for name, value in run.items()]
    return load_scenario(SHIPPED, [Override.from_set(text) for text in sets])


def answer(simulation: module.Simulation) -> str:
    return to_json(result_json(simulation))


@pytest.mark.parametrize("batch", [1, 7, 64, 1000])
@pytest.mark.parametrize("workers", [1, 2])
def test_workers_and_batches_change_nothing(
    workers: int, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answer(simulate(scenario(rollouts=301), 1))
    monkeypatch.setattr(module, "FIRST_BATCH", batch)
    monkeypatch.setattr(module, "LARGEST_BATCH", batch)
    assert answer(simulate(scenario(rollouts=301), workers)) == expected


@pytest.mark.parametrize("rollouts", [1, 2, 63, 64, 65, 1001])
def test_exactly_what_was_asked_for_is_played(rollouts: int) -> None:
    simulation = simulate(scenario(rollouts=rollouts), 2)
    assert simulation.stopped_by == "rollouts"
    assert not simulation.partial
    assert [tally.rollouts for tally in simulation.tallies.variants] == [rollouts] * 5


def test_without_a_rule_the_usual_number_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DEFAULT_ROLLOUTS", 50)
    assert simulate(scenario(), 2).tallies.rollouts == 50


def test_fewer_rollouts_are_the_first_of_more() -> None:
    game = scenario().game
    chosen = scenario().variants[0]
    packed = [game.pack(chosen.rules, chosen.policies)]
    whole = module.play_batch(game, packed, 1, 0, 100)
    parts = module.play_batch(game, packed, 1, 0, 40).merged(
        module.play_batch(game, packed, 1, 40, 60)
    )
    assert [whole.variants[0].moments(c) for c in range(len(game.columns))] == [
        parts.variants[0].moments(c) for c in range(len(game.columns))
    ]


def test_seed_0_is_a_seed_and_every_seed_is_its_own() -> None:
    answers = set()
    for seed in (0, 1, 2, 2**64 - 1):
        simulation = simulate(scenario(rollouts=200, seed=seed), 2)
        assert result_json(simulation)["seed"] == seed
        answers.add(str(result_json(simulation)["variants"]))
    assert len(answers) == 4


def test_the_same_seed_gives_the_same() -> None:
    first, second = (simulate(scenario(rollouts=200, seed=9), 2) for _ in range(2))
    assert answer(first) == answer(second)


@pytest.mark.parametrize("workers", [1, 2])
def test_precision_stops_at_a_fixed_look(workers: int) -> None:
    simulation = simulate(scenario(precision=0.012, max_rollouts=20_000), workers)
    assert simulation.stopped_by == "precision"
    n = simulation.tallies.rollouts
    assert n in looks(20_000)
    widest = max(_half_width(simulation, place, n) for place in range(5))
    assert widest <= 0.012
    if n > 1000:
        before = looks(20_000)[looks(20_000).index(n) - 1]
        earlier = simulate(scenario(rollouts=before), workers)
        assert max(_half_width(earlier, place, before) for place in range(5)) > 0.012


def _half_width(simulation: module.Simulation, place: int, n: int) -> float:
    found = rate(int(simulation.tallies.joint[place, place]), n).half_width
    assert found is not None
    return found


def test_the_budget_ends_a_search_for_precision() -> None:
    simulation = simulate(scenario(precision=1e-4, max_rollouts=777), 2)
    assert simulation.stopped_by == "max_rollouts"
    assert simulation.tallies.rollouts == 777
    assert not simulation.partial


def test_looks_are_fixed_and_end_at_the_budget() -> None:
    assert looks(500) == [500]
    assert looks(1000) == [1000]
    assert looks(2000) == [1000, 1250, 1562, 1953, 2000]
    assert looks(10**7)[:-1] == looks(10**8)[: len(looks(10**7)) - 1]


def test_an_interrupt_gives_what_was_played_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    hand_on = module.Player._hand_on
    calls: list[int] = []

    def interrupted(player: Any, done: Any) -> None:
        hand_on(player, done)
        calls.append(len(done))
        if len(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(module, "FIRST_BATCH", 10)
    monkeypatch.setattr(module, "LARGEST_BATCH", 10)
    monkeypatch.setattr(module.Player, "_hand_on", interrupted)
    simulation = simulate(scenario(rollouts=100_000), 2)
    assert simulation.stopped_by == "interrupted"
    assert simulation.partial
    n = simulation.tallies.rollouts
    assert 30 <= n < 1000
    assert n % 10 == 0
    assert result_json(simulation)["partial"] is True
    assert [v["rollouts"] for v in result_json(simulation)["variants"]] == [n] * 5


def test_an_interrupt_before_the_first_batch_gives_nulls(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(player: Any, *words: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module.Player, "play", interrupted)
    result = result_json(simulate(scenario(rollouts=100), 1))
    assert (result["stopped_by"], result["partial"]) == ("interrupted", True)
    for variant in result["variants"]:
        assert variant["rollouts"] == 0
        assert {(m["estimate"], m["low"], m["high"], m["n"]) for m in variant["metrics"]} == {
            (None, None, None, 0)
        }


def test_a_fault_in_a_batch_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = module._play

    def failing(game: Any, packed: Any, seed: int, first: int, n: int) -> Any:
        if first >= 64:
            raise RuntimeError("broken kernel")
        return real(game, packed, seed, first, n)

    monkeypatch.setattr(module, "_play", failing)
    with pytest.raises(RuntimeError, match="broken kernel"):
        simulate(scenario(rollouts=1000), 2)


def test_progress_ends_at_the_goal() -> None:
    seen: list[Progress] = []
    simulate(scenario(rollouts=500), 2, seen.append)
    done = [progress.done for progress in seen]
    assert done == sorted(done)
    assert (done[-1], seen[-1].goal) == (500, 500)


def test_one_rollout_has_means_without_intervals() -> None:
    result = result_json(simulate(scenario(rollouts=1), 1))
    metrics = {m["metric"]: m for m in result["variants"][0]["metrics"]}
    assert metrics["rounds"]["estimate"] >= 1
    assert metrics["rounds"]["low"] is None
    assert metrics["rounds"]["high"] is None
    assert metrics["win_rate"]["high"] is not None


def test_there_is_always_a_worker() -> None:
    assert default_workers() >= 1
