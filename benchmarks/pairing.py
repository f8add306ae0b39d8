"""How many times fewer rollouts a comparison on the same seed needs (`simple`, against base)."""

from balance.scenario import Override, load_scenario
from balance.simulate import Simulation, simulate
from balance.statistics import paired_factor
from benchmarks.missions import FILE
from benchmarks.timing import markdown

GAMES = 200_000
COLUMNS = ("won", "cracked", "rounds")


def factor(simulation: Simulation, variant: int, name: str) -> float | None:
    """The factor by which pairing with the first variant saves rollouts for one column."""
    tallies = simulation.tallies
    place = [column.name for column in simulation.scenario.game.columns].index(name)
    pair = tallies.pairs[variant]
    return paired_factor(
        tallies.variants[variant].moments(place),
        tallies.variants[0].moments(place),
        (int(pair.sums[place]), int(pair.squares[place])),
        tallies.rollouts,
    )


def table() -> str:
    """One row per mission, one factor per column; 1 means that pairing gains nothing."""
    overrides = [
        Override("policies.all", "{name: simple}", "--set policies.all.name=simple"),
        Override("run.rollouts", str(GAMES), f"--rollouts {GAMES}"),
    ]
    simulation = simulate(load_scenario(FILE, overrides))
    rows = []
    for place, variant in enumerate(simulation.scenario.variants[1:], start=1):
        factors = [factor(simulation, place, name) for name in COLUMNS]
        rows.append([variant.name, *("-" if f is None else f"{f:.2f}" for f in factors)])
    return markdown(["against base", *COLUMNS], rows)
