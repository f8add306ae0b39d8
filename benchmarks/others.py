"""Games and robberies a second of Vault Breakers and Bank Robbers, on one worker."""

from typing import Any

import numpy as np

from balance.games import load_game
from benchmarks.timing import fastest, markdown

GAMES = 3_000
ROBBERIES = 200_000
STAGES: dict[str, dict[str, Any]] = {
    "a robbery, fixed stakes": {"pot": 12, "stakes": [2, 3, 5, 0]},
    "a robbery, stakes by lot": {"pot": 12, "stakes": {"uniform": [0, 5]}},
    "a robbery, ties together": {"pot": 12, "stakes": {"uniform": [0, 5]}, "ties": "together"},
    "a robbery, three cards drawn": {"cards": 3, "stakes": {"uniform": [0, 5]}},
}


def table() -> str:
    """One row per game and policy, and per kind of robbery."""
    rows = []
    for name in ("vault", "bank"):
        game = load_game(name)
        for policy in ("simple", "expert"):
            packed = game.pack(game.rules(), [game.policies[policy]()] * 4)
            rows.append(_row(f"{game.title}, `{policy}`", packed, len(game.columns), GAMES))
    stage = load_game("bank").stages["robbery"]
    for what, fields in STAGES.items():
        packed = stage.pack(stage.rules(**fields), [])
        rows.append(_row(what, packed, len(stage.columns), ROBBERIES))
    return markdown(["what", "a second", "ns"], rows)


def _row(what: str, packed: Any, columns: int, n: int) -> list[str]:
    outcomes = np.zeros((n, columns), np.int32)
    taken = fastest(lambda: packed.play(1, 0, outcomes), 40)
    return [what, f"{n / taken:,.0f}", f"{1e9 * taken / n:,.0f}"]
