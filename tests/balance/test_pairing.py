"""Variants on one seed share their deals and stay aligned: comparing them takes fewer rollouts."""

from pathlib import Path

import pytest

from balance.scenario import Override, Scenario, load_scenario
from balance.simulate import Simulation, simulate
from balance.statistics import paired_factor

FILE = Path(__file__).parents[2] / "scenarios" / "burgle" / "advanced_missions.yaml"
ROLLOUTS = 20_000


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    overrides = [
        Override("policies.all", "{name: simple}", "--set"),
        Override("run.rollouts", str(ROLLOUTS), "--rollouts"),
    ]
    return load_scenario(FILE, overrides)


@pytest.fixture(scope="module")
def simulation(scenario: Scenario) -> Simulation:
    return simulate(scenario)


def factor(simulation: Simulation, variant: str, column: str) -> float:
    """How many times fewer rollouts the comparison of a variant with base needs by pairing."""
    scenario, tallies = simulation.scenario, simulation.tallies
    place = [c.name for c in scenario.game.columns].index(column)
    row = [v.name for v in scenario.variants].index(variant)
    pair = tallies.pairs[row]
    saved = paired_factor(
        tallies.variants[row].moments(place),
        tallies.variants[0].moments(place),
        (int(pair.sums[place]), int(pair.squares[place])),
        tallies.rollouts,
    )
    assert saved is not None
    return saved


@pytest.mark.parametrize("column", ["cracked", "rounds"])
def test_pairing_base_and_bank_saves_more_than_half_of_the_rollouts(
    simulation: Simulation, column: str
) -> None:
    # Measured with 200,000 rollouts: about 7 for cracked, 5 for rounds (docs/benchmarks.md).
    assert factor(simulation, "bank", column) > 2.5


def test_variants_of_one_seed_are_dealt_the_same_cards(scenario: Scenario) -> None:
    deals = []
    for variant in scenario.variants:
        packed = scenario.game.pack(variant.rules, variant.policies)
        events = packed.trace(scenario.run.seed, 17)
        deals.append([event for event in events if event["event"] == "deal"])
    assert all(deal == deals[0] for deal in deals)


def test_base_and_bank_play_the_same_until_something_is_burned(scenario: Scenario) -> None:
    """The games differ by one rule only, so they may part only when it has acted."""
    base, bank = (scenario.variant(name) for name in ("base", "bank"))
    for rollout in range(20):
        one, other = (
            scenario.game.pack(v.rules, v.policies).trace(scenario.run.seed, rollout)
            for v in (base, bank)
        )
        burned = next((i for i, e in enumerate(other) if e["event"] == "burn"), None)
        if burned is None:
            assert [e for e in one if e["event"] != "end"] == other[:-1]
        else:
            assert one[:burned] == other[:burned]


def test_a_burned_card_leaves_the_order_of_the_others(scenario: Scenario) -> None:
    """The next shuffle of the seat that burned a card shows both variants the same order."""
    base, bank = (scenario.variant(name) for name in ("base", "bank"))
    met = 0
    for rollout in range(40):
        one, other = (
            scenario.game.pack(v.rules, v.policies).trace(scenario.run.seed, rollout)
            for v in (base, bank)
        )
        burns = [e for e in other if e["event"] == "burn"]
        if not burns:
            continue
        start = next(i for i, e in enumerate(other) if e["event"] == "burn")
        seat, card = burns[0]["seat"], burns[0]["card"]
        shuffles = [
            next(
                (e["deck"] for e in lines[start:] if e["event"] == "shuffle" and e["seat"] == seat),
                [],
            )
            for lines in (one, other)
        ]
        if card in shuffles[0] and {*shuffles[0]} - {card} == {*shuffles[1]}:
            met += 1
            assert [c for c in shuffles[0] if c != card] == shuffles[1]
    assert met > 0
