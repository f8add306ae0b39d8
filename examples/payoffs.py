"""A payoff table out of a scenario whose variants are called `one among others`.

    python examples/payoffs.py scenarios/bank/strategies.yaml [ROLLOUTS]

The cell of row A and column B is what A wins among three of B, in percent, with half of its 95 %
interval. A dominates B if it wins at least as much among every kind of others, and established
more (the intervals do not touch) among at least one.
"""

import sys
from pathlib import Path

from balance.results import seat_table
from balance.scenario import Override, load_scenario
from balance.simulate import simulate

Cell = tuple[float, float, float]


def main(file: str, rollouts: str | None = None) -> None:
    """Simulate the scenario and print its payoff table."""
    overrides = [] if rollouts is None else [Override("run.rollouts", rollouts, "ROLLOUTS")]
    table = seat_table(simulate(load_scenario(Path(file), overrides)))
    first = table[table["seat"] == 1]
    cells: dict[tuple[str, str], Cell] = {}
    for row in first.to_dict("records"):
        one, _, others = row["variant"].partition(" among ")
        share, low, high = (row[f"policy_share{end}"] for end in ("", "_low", "_high"))
        cells[one, others] = (share, low, high)
    names = list(dict.fromkeys(one for one, _ in cells))
    fair = 1 / int(table["seat"].max())
    cells |= {(name, name): (fair, fair, fair) for name in names}  # by symmetry
    print(" " * 12 + "".join(f"{name[:9]:>12}" for name in names))
    for one in names:
        row_text = "".join(_cell(cells[one, others]) for others in names)
        print(f"{one:12}{row_text}")
    print()
    for one in names:
        beaten = [other for other in names if other != one and _dominates(one, other, names, cells)]
        if beaten:
            print(f"{one} dominates {', '.join(beaten)}")


def _cell(cell: Cell) -> str:
    share, low, high = cell
    return f"{100 * share:7.1f} ±{50 * (high - low):3.1f}"


def _dominates(one: str, other: str, names: list[str], cells: dict[tuple[str, str], Cell]) -> bool:
    pairs = [(cells[one, field], cells[other, field]) for field in names]
    return all(a[0] >= b[0] for a, b in pairs) and any(a[1] > b[2] for a, b in pairs)


if __name__ == "__main__":
    main(*sys.argv[1:])
