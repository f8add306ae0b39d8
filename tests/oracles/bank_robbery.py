"""A robbery of Bank Robbers, settled step by step as the rules say it (K10 to K18).

Part of the twin of `bank_simple`. Cards are written as in the trace; seats count from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SPECIALS = ["lady", "guard", "judge", "thief", "multiply"]
ROBBERY_RULES: dict[str, Any] = {
    "stake_on_shortfall": "returned",
    "ties": "turn_order",
    "guard_reward": 5,
    "specials": "simple",
}


@dataclass(frozen=True)
class Robbery:
    """What comes of a robbery; `order` are seats, `gains` and `stakes` go by seat."""

    pot: int
    stakes: list[int]
    order: list[int]
    gains: list[int]
    lady: bool
    guarded: bool
    thieved: bool
    shortfall: bool
    taken: int

    @property
    def short(self) -> bool:  # D15
        return self.shortfall and self.pot > 0

    @property
    def paid(self) -> bool:
        return not (self.short or self.guarded or self.thieved)


def acting(mode: str, cards: Iterable[str]) -> Counter[str]:
    """How many of each special card act, by `simple` or `published` (K18, D11)."""
    acts = Counter(card for card in cards if card in SPECIALS)
    if mode == "simple":
        return Counter(lady=1) if acts["lady"] else acts
    if acts["lady"] > 1:
        acts["lady"] = 0
    if acts["guard"] > 1:
        acts["guard"] = 0
    while acts["judge"] and acts["thief"]:
        acts.subtract(["judge", "thief"])
    if acts["lady"]:
        acts["guard"] = acts["judge"] = acts["multiply"] = 0
    return acts


def taking_order(stakes: Sequence[int], robber: int, judge: bool) -> list[int]:
    """The seats in the order of taking; equals clockwise from the robber (K11, K13, K16)."""
    waiting = [*range(robber, len(stakes) + 1), *range(1, robber)]
    order = []
    while waiting:
        staked = [stakes[seat - 1] for seat in waiting]
        next_stake = max(staked) if judge else min(staked)
        order.append(waiting.pop(staked.index(next_stake)))
    return order


def resolve(
    rules: Mapping[str, Any], cards: Sequence[str], stakes: Sequence[int], robber: int = 1
) -> Robbery:
    """The robbery of a bank with these cards; rules left out have their defaults."""
    rules = {**ROBBERY_RULES, **rules}
    acts = acting(rules["specials"], cards)
    guard, thief = acts["guard"] > 0, acts["thief"] > 0
    pot = sum(int(card) for card in cards if card not in SPECIALS)  # K10
    for _ in range(acts["multiply"]):
        pot *= 2
    order = taking_order(stakes, robber, acts["judge"] > 0)
    gains = dict.fromkeys(range(1, len(stakes) + 1), 0)
    left, shortfall = pot, False
    if guard or thief:
        for seat in order:
            stake = stakes[seat - 1]
            if guard and stake == 0:
                gains[seat] += rules["guard_reward"]  # K14
            if thief:
                gains[seat] -= stake  # K15
    else:
        groups = [[seat] for seat in order]
        if rules["ties"] == "together":  # D10
            levels = dict.fromkeys(stakes[seat - 1] for seat in order)
            groups = [[seat for seat in order if stakes[seat - 1] == level] for level in levels]
        for group in groups:
            if sum(stakes[seat - 1] for seat in group) > left:
                shortfall = True  # K11: for all that follow, too
            for seat in group:
                stake = stakes[seat - 1]
                if not shortfall:
                    gains[seat] += stake
                    left -= stake
                elif rules["stake_on_shortfall"] == "lost":  # K12
                    gains[seat] -= stake
    return Robbery(
        pot=pot,
        stakes=list(stakes),
        order=order,
        gains=list(gains.values()),
        lady=acts["lady"] > 0,
        guarded=guard,
        thieved=thief,
        shortfall=shortfall,
        taken=pot - left,
    )
