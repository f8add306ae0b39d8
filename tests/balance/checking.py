"""Checks of a coin's targets, for the tests of what they say and of how often they are wrong."""

from balance.scenario import Scenario
from balance.studies.check import Checked, check
from tests.balance.scenario_files import Files

__all__ = ["NINE_LOOKS", "checked", "coin"]

NINE_LOOKS = 20_000  # a budget at which the ninth look is the last


def coin(files: Files, targets: str, rules: str = "{}", game: str = "coin") -> Scenario:
    """A scenario of one variant."""
    return files.load(f"game: {game}\nrules: {rules}\ntargets: {{base: {targets}}}\n")


def checked(scenario: Scenario, budget: int | None = NINE_LOOKS, error: float = 0.05) -> Checked:
    return check(scenario, error=error, budget=budget, workers=1)
