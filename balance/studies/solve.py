"""Which bids are right: a symmetric equilibrium of a one-shot stage, with its exploitability.

All seats play the same mix of stakes. Payoffs are exact: the others' stakes are enumerated as
multisets, the banks with their chances, and the robber's seat is drawn by lot. The mix is sought by
regret matching (Hart and Mas-Colell, Econometrica 2000; the variant that cuts regrets at zero is
Tammelin's, 2014) and kept where a best response to it gains least. Equilibria need not be unique:
the value and the exploitability are what is promised, not the mix.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from math import factorial, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from balance import __version__
from balance.errors import InputError
from balance.scenario import Scenario, Variant

__all__ = [
    "Payoffs",
    "Solution",
    "equilibrium",
    "mixes_yaml",
    "payoffs_of",
    "solutions_json",
    "solve",
    "summary",
]

MOST_PROFILES = 200_000  # multisets of the others' stakes
CHECK_EVERY = 50
LEAST_SHOWN = 0.0005
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Payoffs:
    """What a seat gains by each stake (row) against each multiset of the others' stakes (column).

    ``others`` (int64, shape (multisets, players - 1)) holds their stakes, ``ways`` in how many
    orders they can be had.
    """

    gains: Floats
    others: npt.NDArray[np.int64]
    ways: Floats

    def of(self, mix: Floats) -> Floats:
        """The expected gain of every stake where all others play the mix."""
        chances = self.ways * np.prod(mix[self.others], axis=1)
        expected: Floats = self.gains @ chances
        return expected


@dataclass(frozen=True)
class Solution:
    """A mix of stakes that all seats play."""

    variant: str
    mix: Floats
    value: float
    """What a seat gains, in coins."""
    exploitability: float
    """What a best response to the mix would gain beyond that, in coins; never negative."""
    pot: float
    """The mean pot, to compare with."""
    iterations: int


def payoffs_of(rules: Any) -> Payoffs:
    """The payoffs of a stage robbery.

    Raises
    ------
    InputError
        If there are too many combinations of stakes to enumerate.
    """
    from balance.games.bank import pack_rules
    from balance.games.bank_stage import bank_states, full_rules
    from kernels.bank.stage import payoffs

    stakes = range(rules.max_stake + 1)
    others = list(combinations_with_replacement(stakes, rules.players - 1))
    if len(others) > MOST_PROFILES:
        raise InputError(
            f"rules.max_stake: {len(others):,} combinations of the others' stakes are too many to "
            "enumerate; lower max_stake or players"
        )
    profiles = np.array(others, np.int64)
    ways = np.array([_orders(profile) for profile in others], float)
    states = bank_states(rules)
    found = np.zeros((len(stakes), len(others)))
    payoffs(
        pack_rules(full_rules(rules)),
        rules.players,
        np.array([pot for pot, _, _ in states], np.int64),
        np.array([specials for _, specials, _ in states], np.int64),
        np.array([chance for _, _, chance in states], float),
        profiles,
        np.array(list(permutations(range(rules.players - 1))), np.int64),
        found,
    )
    return Payoffs(found, profiles, ways)


def _orders(profile: Sequence[int]) -> float:
    """In how many orders these stakes can be given to the seats."""
    counts = [profile.count(stake) for stake in set(profile)]
    return factorial(len(profile)) / prod(map(factorial, counts))


def solve(
    scenario: Scenario,
    variants: Sequence[Variant],
    *,
    iterations: int = 20_000,
    report: Callable[[str, int, float], None] | None = None,
) -> list[Solution]:
    """A symmetric equilibrium of every variant of a robbery stage.

    Parameters
    ----------
    scenario
        A scenario of a stage that can be solved (`game: bank`, `stage: robbery`).
    variants
        Which of its variants; what their `stakes` say does not matter.
    iterations
        Steps of regret matching; the exploitability never grows with more of them.
    report
        Called now and then with the variant, the step and the exploitability so far.

    Raises
    ------
    InputError
        If the scenario is of another game or stage, or too large to enumerate.
    """
    if scenario.game.name != "bank" or scenario.stage != "robbery":
        raise InputError(
            f"{scenario.path}: only a robbery alone can be solved: game: bank, stage: robbery"
        )
    found = []
    for variant in variants:
        from balance.games.bank_stage import mean_pot

        rules: Any = variant.rules
        table = payoffs_of(rules)
        mix, done = equilibrium(table, iterations, variant.name, report)
        gains = table.of(mix)
        value = float(mix @ gains)
        gap = max(0.0, float(gains.max()) - value)
        found.append(Solution(variant.name, mix, value, gap, mean_pot(rules), done))
    return found


def equilibrium(
    table: Payoffs,
    iterations: int,
    name: str = "",
    report: Callable[[str, int, float], None] | None = None,
) -> tuple[Floats, int]:
    """The least exploitable mix that regret matching comes by, and the steps that it took."""
    stakes = table.gains.shape[0]
    regret = np.zeros(stakes)
    total = np.zeros(stakes)
    best, least = np.full(stakes, 1 / stakes), np.inf
    for step in range(1, iterations + 1):
        positive = regret.sum()
        mix = regret / positive if positive > 0 else np.full(stakes, 1 / stakes)
        gains = table.of(mix)
        value = mix @ gains
        if gains.max() - value < least:
            best, least = mix.copy(), float(gains.max() - value)
        regret = np.maximum(regret + gains - value, 0.0)
        total += step * mix  # later mixes count more
        if step % CHECK_EVERY:
            continue
        average = total / total.sum()
        found = table.of(average)
        gap = float(found.max() - average @ found)
        if gap < least:
            best, least = average, gap
        if report is not None:
            report(name, step, max(least, 0.0))
    return best, iterations


def summary(solutions: Sequence[Solution]) -> list[str]:
    """The solutions in words."""
    lines = []
    for one in solutions:
        part = one.exploitability / one.pot if one.pot else 0.0
        lines += [
            f"{one.variant}: value {one.value:.3f} coins a seat (mean pot {one.pot:.2f}); a best "
            f"response gains {one.exploitability:.4f} more ({part:.2%} of the pot), "
            f"{one.iterations:,} steps",
        ]
        shown = [(s, p) for s, p in enumerate(one.mix.tolist()) if p >= LEAST_SHOWN]
        lines += [f"  stake {stake:3d}  {p:6.1%}  {'#' * round(40 * p)}" for stake, p in shown]
    return lines


def solutions_json(solutions: Sequence[Solution], scenario: Scenario) -> dict[str, Any]:
    """The solutions as one JSON object."""
    return {
        "scenario": scenario.name,
        "game": scenario.game.name,
        "stage": scenario.stage,
        "version": __version__,
        "variants": [
            {
                "name": one.variant,
                "mix": one.mix.tolist(),
                "value": one.value,
                "exploitability": one.exploitability,
                "mean_pot": one.pot,
                "iterations": one.iterations,
            }
            for one in solutions
        ],
    }


def mixes_yaml(solutions: Sequence[Solution], scenario: Scenario, command: str) -> str:
    """The mixes as a policy file, by the number of cards at the bank of each variant.

    A bank whose pot is given has no number of cards: its mix is written for 0 cards, and holds for
    any number that no other mix is written for.

    Raises
    ------
    InputError
        If two variants have the same number of cards.
    """
    cards = [_cards(scenario.variant(one.variant).rules) for one in solutions]
    for place, number in enumerate(cards):
        if number in cards[:place]:
            names = [solutions[cards.index(number)].variant, solutions[place].variant]
            raise InputError(
                f"--out: variants {names[0]} and {names[1]} have the same number of cards at the "
                "bank; choose one with --variant"
            )
    lines = [
        f"# Made by: {command}",
        "# What a best response still gains, in coins:",
        *(f"#   {one.variant}: {one.exploitability:.4f}" for one in solutions),
        "name: equilibrium",
        "mixes:",
    ]
    for one, number in zip(solutions, cards, strict=True):
        last = max(stake for stake, p in enumerate(one.mix) if p >= LEAST_SHOWN)
        mix = ", ".join(f"{p:.4f}" for p in one.mix[: last + 1].tolist())
        lines.append(f"  {number}: [{mix}]")
    return "\n".join(lines) + "\n"


def _cards(rules: Any) -> int:
    """The number of cards at the bank; 0 where the pot is given."""
    return int(rules.cards or 0)
