"""Games a second of every mission, on one and on two workers, and nanoseconds per card drawn."""

from dataclasses import replace
from pathlib import Path

from balance.scenario import Override, Scenario, load_scenario
from balance.simulate import simulate
from benchmarks.timing import markdown, seconds

FILE = Path(__file__).parent.parent / "scenarios" / "burgle" / "advanced_missions.yaml"
GAMES = 100_000


def _scenario(policy: str) -> Scenario:
    overrides = [
        Override("policies.all", f"{{name: {policy}}}", f"--set policies.all.name={policy}"),
        Override("run.rollouts", str(GAMES), f"--rollouts {GAMES}"),
    ]
    return load_scenario(FILE, overrides)


def table() -> str:
    """One row per policy and mission."""
    rows = []
    for policy in ("simple", "expert", "random"):
        scenario = _scenario(policy)
        draws = [column.name for column in scenario.game.columns].index("draws")
        for variant in scenario.variants:
            alone = replace(scenario, variants=(variant,))
            one = seconds(lambda alone=alone: simulate(alone, workers=1), 3)
            two = seconds(lambda alone=alone: simulate(alone, workers=2), 3)
            cards, _ = simulate(alone, workers=2).tallies.variants[0].moments(draws)
            rows.append(
                [
                    policy,
                    variant.name,
                    f"{GAMES / one:,.0f}",
                    f"{GAMES / two:,.0f}",
                    f"{one / cards * 1e9:.0f}",
                ]
            )
    headers = ["policy", "mission", "games/s, 1 worker", "games/s, 2 workers", "ns per card drawn"]
    return markdown(headers, rows)
