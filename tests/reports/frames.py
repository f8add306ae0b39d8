"""DataFrames as the toolkit hands them to tables, charts and pages."""

from collections.abc import Sequence

import pandas as pd

STRANGE = '<b>&"'


def headline(names: Sequence[str] = ("base", "bank")) -> pd.DataFrame:
    """A headline table: the n-th variant wins 10 n %."""
    return pd.DataFrame(
        [
            {
                "variant": name,
                "estimate": place / 10,
                "low": place / 10 - 0.02,
                "high": place / 10 + 0.03,
                "n": 12345,
                "ties": "ab"[place % 2],
                "policies": "simple",
                "rollouts_for_fine": 1_000_000,
                "changes": f"rules.burn = {place}",
            }
            for place, name in enumerate(names, start=1)
        ]
    )


def metrics(names: Sequence[str] = ("base", "bank")) -> pd.DataFrame:
    """A rate, a mean and a mean without an interval for each variant."""
    rows = []
    for place, name in enumerate(names, start=1):
        for metric, kind, value in (("win_rate", "rate", 0.1), ("rounds", "count", 12.3456)):
            rows.append(
                {
                    "variant": name,
                    "metric": metric,
                    "label": metric.replace("_", " "),
                    "kind": kind,
                    "estimate": value * place,
                    "low": value * place - 0.05,
                    "high": value * place + 0.05,
                    "description": f"what {metric} means",
                }
            )
        rows.append({**rows[-1], "metric": "odd", "label": "odd", "low": None, "high": None})
    return pd.DataFrame(rows)


def members(names: Sequence[str] = ("hawk", "rook", "raven")) -> pd.DataFrame:
    """Effects of +2, +1, 0, .. points, each +-1.5 points; only the first is established."""
    rows = []
    for place, name in enumerate(names):
        effect = (2 - place) / 100
        row = {"variant": "base", "member": name, "effect": effect, "established": place == 0}
        row |= {"effect_low": effect - 0.015, "effect_high": effect + 0.015}
        for side, value in (("with", 0.1 + effect), ("without", 0.1)):
            row |= {side: value, f"{side}_low": value - 0.01, f"{side}_high": value + 0.01}
            row[f"rollouts_{side}"] = 1234 if side == "with" else 4321
        rows.append(row)
    return pd.DataFrame(rows)


def groups(n: int = 9) -> pd.DataFrame:
    """Groups from the best down: the k-th of n wins (n - k) %."""
    return pd.DataFrame(
        [
            {
                "variant": "base",
                "members": f"group {place}",
                "rollouts": 1000 + place,
                "win_rate": (n - place) / 100,
                "low": (n - place) / 100 - 0.005,
                "high": (n - place) / 100 + 0.005,
            }
            for place in range(n)
        ]
    )
