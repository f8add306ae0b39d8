"""What a result says, in sentences; nothing that is not established."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from balance.results import headline_table, seat_table, summary
from balance.simulate import Simulation
from balance.statistics import Z95

__all__ = ["verdicts"]

FEW = 0.01
WHOSE = {"win_share": "seat {seat}", "policy_share": "{policy} (of seat {seat})"}


def verdicts(simulation: Simulation) -> list[str]:
    """What the result says, in sentences; nothing that is not established."""
    if simulation.tallies.rollouts == 0:
        return ["Stopped before anything was simulated."]
    style = simulation.scenario.game.style
    if style == "dice":
        return _reaches(simulation)
    if style == "competitive":
        return _shares(simulation)
    if style == "stage":
        return []
    table = headline_table(simulation)
    lines = []
    hardest = sorted(table.to_dict("records"), key=lambda row: row["estimate"])
    for row in table.to_dict("records"):
        lines.append(_verdict(row))
    if len(hardest) > 1:
        lines.append(_ranking(hardest))
    return lines


def _verdict(row: Mapping[Any, Any]) -> str:
    who = f"{row['variant']}: "
    if row["high"] < 0.01:
        return who + (
            f"these players practically never win (at most {100 * row['high']:.2g}% of games, "
            f"{row['policies']})"
        )
    if row["low"] > 0.99:
        return who + f"these players practically always win (at least {row['low']:.2%})"
    if row["estimate"] == 0:
        return who + (
            f"no win in {row['n']:,} games: too few to say more than at most {row['high']:.0%} "
            f"({row['policies']})"
        )
    one_in = 1 / row["estimate"]
    every = f"about one game in {one_in:.1f}" if one_in < 10 else f"about one game in {one_in:.0f}"
    return who + f"{row['policies']} wins {row['estimate']:.1%}, {every}"


def _ranking(rows: Sequence[Mapping[Any, Any]]) -> str:
    pairs = []
    for harder, easier in combinations(rows, 2):
        if set(harder["ties"]) & set(easier["ties"]):
            pairs.append(f"{harder['variant']} and {easier['variant']}")
    hardest, easiest = rows[0], rows[-1]
    if set(hardest["ties"]) & set(easiest["ties"]):
        start = "No difference between the hardest and the easiest is established"
    else:
        start = f"{hardest['variant']} is harder than {easiest['variant']}, established at 5 %"
    tied = f"; tied so far: {', '.join(pairs)}" if pairs else "; no two are tied"
    return start + tied + "."


def _reaches(simulation: Simulation) -> list[str]:
    """Which thresholds are dead, out of the exact chances."""
    lines = []
    data = summary(simulation)
    for variant in simulation.scenario.variants:
        thresholds = variant.rules.thresholds  # type: ignore[attr-defined]
        mine = data[data["variant"] == variant.name].set_index("metric")["exact"]
        chances = {t: float(mine[f"reach.{i}"]) for i, t in enumerate(thresholds, start=1)}
        never = [t for t, p in chances.items() if p == 0]
        hardly = [f"{t} ({100 * p:.2g} %)" for t, p in chances.items() if 0 < p < FEW]
        said = [
            f"{what}: {', '.join(map(str, which))}"
            for what, which in (("cannot reach", never), ("practically never reach", hardly))
            if which
        ]
        lines.append(
            f"{variant.name}: these dice " + ("; ".join(said) or "can reach every threshold")
        )
    return lines


def _shares(simulation: Simulation) -> list[str]:
    """Which seats and policies take more or less than their part of the wins."""
    lines = []
    table = seat_table(simulation)
    for variant in simulation.scenario.variants:
        mine = table[table["variant"] == variant.name].to_dict("records")
        fair = 1 / len(mine)
        for name, what in WHOSE.items():
            if name not in mine[0]:
                continue
            sides: dict[str, list[str]] = {"more": [], "less": []}
            for row in mine:
                part, wider = row[name], _joint_z(len(mine)) / Z95
                if fair < part - wider * (part - row[f"{name}_low"]):
                    sides["more"].append(f"{what.format_map(row)} {part:.1%}")
                elif fair > part + wider * (row[f"{name}_high"] - part):
                    sides["less"].append(f"{what.format_map(row)} {part:.1%}")
            said = [f"{side}: {', '.join(who)}" for side, who in sides.items() if who]
            of = "seats" if name == "win_share" else "policies, wherever they sit"
            lines.append(
                f"{variant.name}, {of}: {fair:.1%} would be each one's part; "
                + ("; ".join(said) or "no difference is established")
            )
    return lines


def _joint_z(n: int) -> float:
    """The width of n intervals that hold together with 95 % (Bonferroni)."""
    from scipy.special import ndtri

    return float(ndtri(1 - 0.025 / n))
