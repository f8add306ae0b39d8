"""How the result changes with the players: from random to the best, and with fewer options.

A rung is a kind of player. Where all win or lose together, everybody plays it. Where one seat wins,
one does, against the players that the scenario names, with the seats rotated, so that the seat's
luck does not count.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from balance.errors import InputError, one_of, suggest
from balance.headline import LEVEL, Difference, Headlines
from balance.results import describe_policies, policy_label, result_json
from balance.rotation import rotated
from balance.scenario import Scenario, Variant
from balance.simulate import Progress, Simulation, simulate
from balance.statistics import holm
from balance.values import Model

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "MISTAKES",
    "Gap",
    "Ladder",
    "Rung",
    "ladder",
    "ladder_scenario",
    "options_of",
    "rungs_of",
]

MISTAKES = (0.5, 0.4, 0.3, 0.2, 0.1, 0.05)


@dataclass(frozen=True)
class Rung:
    """A kind of player on the ladder."""

    label: str
    kind: str
    """policy, mistakes, without or top (the scenario's own players)."""
    option: str | float | None = None
    """The option it does without, or its mistakes."""


@dataclass(frozen=True)
class Gap:
    """The difference between the scenario's own players and another rung, paired."""

    variant: str
    rung: str
    difference: Difference
    established: bool
    """At 5 %, all rungs of all variants together (Holm)."""


@dataclass(frozen=True)
class Ladder:
    """The headline of every variant on every rung."""

    scenario: Scenario
    simulation: Simulation
    """A variant for each variant of the scenario and each rung, the rungs of one together."""
    rungs: tuple[Rung, ...]
    gaps: tuple[Gap, ...]

    @property
    def _places(self) -> list[tuple[int, Variant, Rung]]:
        rungs = len(self.rungs)
        return [
            (place * rungs + number, variant, rung)
            for place, variant in enumerate(self.scenario.variants)
            for number, rung in enumerate(self.rungs)
        ]

    @property
    def table(self) -> "pd.DataFrame":
        """One row per variant and rung: the headline with its interval, and who plays."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the table."""
        headlines = Headlines(self.simulation.scenario.game, self.simulation.tallies)
        rows = []
        for place, variant, rung in self._places:
            found = headlines.estimate(place)
            rows.append(
                {
                    "variant": variant.name,
                    "rung": rung.label,
                    "kind": rung.kind,
                    "option": rung.option,
                    "estimate": found.value,
                    "low": found.low,
                    "high": found.high,
                    "n": found.n,
                    "policies": describe_policies(self.simulation.scenario.variants[place]),
                }
            )
        return rows

    def gap_rows(self) -> list[dict[str, Any]]:
        """What the scenario's own players have over each other rung, paired."""
        return [
            {
                "variant": gap.variant,
                "rung": gap.rung,
                "estimate": gap.difference.estimate.value,
                "low": gap.difference.estimate.low,
                "high": gap.difference.estimate.high,
                "p_value": gap.difference.p_value,
                "established": gap.established,
            }
            for gap in self.gaps
        ]

    @property
    def gap_table(self) -> "pd.DataFrame":
        """One row per variant and rung but the top."""
        import pandas as pd

        return pd.DataFrame(self.gap_rows())

    def reversals(self) -> list[tuple[str, str, str, str]]:
        """Pairs of variants whose order turns round: (a, b, a rung where a is higher, where b is).

        Both orders are established at 5 %, all pairs on all rungs together (Holm).
        """
        headlines = Headlines(self.simulation.scenario.game, self.simulation.tallies)
        names = [variant.name for variant in self.scenario.variants]
        asked = [
            (a, b, number)
            for a, b in combinations(range(len(names)), 2)
            for number in range(len(self.rungs))
        ]
        rungs = len(self.rungs)
        found = [headlines.difference(a * rungs + i, b * rungs + i) for a, b, i in asked]
        adjusted = holm([one.p_value for one in found])
        order: dict[tuple[int, int], dict[int, str]] = {}
        for (a, b, i), one, p in zip(asked, found, adjusted, strict=True):
            if p < LEVEL and one.estimate.value:
                way = 1 if one.estimate.value > 0 else -1
                order.setdefault((a, b), {}).setdefault(way, self.rungs[i].label)
        return [
            (names[a], names[b], ways[1], ways[-1])
            for (a, b), ways in order.items()
            if len(ways) > 1
        ]

    def json(self) -> dict[str, Any]:
        """The result as one object."""
        return {
            **result_json(self.simulation),
            "study": "ladder",
            "rungs": self.rows(),
            "gaps": self.gap_rows(),
            "reversals": [list(one) for one in self.reversals()],
        }


def options_of(scenario: Scenario) -> dict[str, str]:
    """The options that the players can do without, with what is left then."""
    found: dict[str, str] = {}
    for variant in scenario.variants:
        for policy in variant.policies:
            for name, info in type(policy).model_fields.items():
                if info.default is True and info.annotation is bool:
                    found[name] = (info.description or "").removeprefix("false: ")
    return found


def rungs_of(
    scenario: Scenario, policies: Sequence[str] | None = None, without: Sequence[str] = ()
) -> list[Rung]:
    """The rungs of a ladder, the scenario's own players last.

    Parameters
    ----------
    scenario
        Whose game says which policies there are.
    policies
        The policies that are rungs; by default all of the game that are not slow.
    without
        Options to do without: one rung for each, in the place of policies and mistakes.

    Raises
    ------
    InputError
        If there is no such policy or option, or nobody plays.
    """
    if not any(variant.policies for variant in scenario.variants):
        raise InputError(f"{scenario.path}: nobody plays here: {scenario.game.title}")
    top = Rung(_top_label(scenario), "top")
    if without:
        options = options_of(scenario)
        without = list(dict.fromkeys(without))
        for name in without:
            if name not in options:
                hint = suggest(name, options)
                raise InputError(
                    f"--without {name}: there is no such option{hint}; has: {one_of(options)}"
                )
        return [*(Rung(f"without {name}", "without", name) for name in without), top]
    game = scenario.game
    names = [name for name, model in game.policies.items() if not getattr(model, "slow", False)]
    for name in policies or ():
        if name not in game.policies:
            hint = suggest(name, game.policies)
            raise InputError(
                f"--policies {name}: there is no such policy{hint}; has: {one_of(game.policies)}"
            )
    chosen = list(dict.fromkeys(names if policies is None else policies))
    played = {getattr(policy, "name", "") for policy in _turning(scenario)}
    others = [Rung(name, "policy", name) for name in chosen if {name} != played]
    who = played.copy().pop() if len(played) == 1 else top.label
    own = {getattr(policy, "mistakes", 0.0) for policy in _turning(scenario)}
    mistakes = [Rung(f"{who}, {m:.0%} mistakes", "mistakes", m) for m in MISTAKES if {m} != own]
    rungs = [*others, *(mistakes if played != {"random"} else [])]
    if not rungs:
        raise InputError(f"{scenario.path}: everybody plays {top.label}: there is no other rung")
    return [*rungs, top]


def _turning(scenario: Scenario) -> list[Model]:
    """The players in whose place a rung puts others."""
    seats = 1 if scenario.game.style == "competitive" else None
    return [policy for variant in scenario.variants for policy in variant.policies[:seats]]


def _top_label(scenario: Scenario) -> str:
    labels = {policy_label(policy) for policy in _turning(scenario)}
    return labels.pop() if len(labels) == 1 else "as the scenario says"


def ladder_variants(scenario: Scenario, rungs: Sequence[Rung]) -> list[Variant]:
    """A variant for each variant of the scenario and each rung."""
    return [_on_rung(scenario, variant, rung) for variant in scenario.variants for rung in rungs]


def _on_rung(scenario: Scenario, variant: Variant, rung: Rung) -> Variant:
    alone = scenario.game.style == "competitive"
    policies = tuple(
        policy if alone and seat > 0 else _player(scenario, policy, rung)
        for seat, policy in enumerate(variant.policies)
    )
    return replace(variant, name=f"{variant.name}, {rung.label}", policies=policies)


def _player(scenario: Scenario, policy: Model, rung: Rung) -> Model:
    """The player that a rung puts in the place of another."""
    if rung.kind == "top":
        return policy
    if rung.kind == "policy":
        player: Model = scenario.game.policies[str(rung.option)]()
        return player
    change = {"mistakes": rung.option} if rung.kind == "mistakes" else {str(rung.option): False}
    return type(policy).model_validate({**policy.model_dump(), **change})


def ladder(
    scenario: Scenario,
    rungs: Sequence[Rung],
    *,
    workers: int | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Ladder:
    """The headline of every variant with every kind of player, on the same seeds.

    Parameters
    ----------
    scenario
        What to play; ``scenario.run`` holds the stopping rule, for all rungs together.
    rungs
        The kinds of players (`rungs_of`), the scenario's own last.
    workers, report
        As in `balance.simulate.simulate`.
    """
    played = ladder_scenario(scenario, rungs)
    simulation = simulate(played, workers, report)
    headlines = Headlines(played.game, simulation.tallies)
    pairs = [
        (place * len(rungs) + len(rungs) - 1, place * len(rungs) + number)
        for place in range(len(scenario.variants))
        for number in range(len(rungs) - 1)
    ]
    apart = headlines.established(pairs)
    gaps = [
        Gap(
            scenario.variants[below // len(rungs)].name,
            rungs[below % len(rungs)].label,
            headlines.difference(top, below),
            established,
        )
        for (top, below), established in zip(pairs, apart, strict=True)
    ]
    return Ladder(scenario, simulation, tuple(rungs), tuple(gaps))


def ladder_scenario(scenario: Scenario, rungs: Sequence[Rung]) -> Scenario:
    """The scenario that a ladder plays: every variant on every rung, seats rotated if one wins."""
    played = scenario.playing(ladder_variants(scenario, rungs))
    if scenario.game.style == "competitive" and not scenario.run.rotate_seats:
        game = rotated(scenario.game, scenario.variants, scenario.path)
        return replace(played, game=game)
    return played
