"""The table of Bank Robbers as the checker follows it: the lines of a trace, and where all lies.

`Table` takes a line where it is due, and knows every card and coin. `Haul` says what a robbery
must come to. The steps of the game are in `bank_checker`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, NoReturn

Line = dict[str, Any]

FORMAT = "trace format"
KINDS = ("lady", "guard", "judge", "thief", "multiply")
ODD_LINES = {  # what only a rule of its own allows, and that rule
    "tiles": "D3",
    "draw": "K5",
    "nothing": "D4",
    "kept": "K19",
    "refill": "K19",
    "end": "K20",
}


class RuleBroken(Exception):
    """A line of the trace breaks a rule; the message names the line and the rule."""

    def __init__(self, number: int, what: str, rule: str) -> None:
        super().__init__(f"line {number}: {what} ({rule})")
        self.number, self.rule = number, rule


class Place(NamedTuple):
    """A card that lies at a bank."""

    card: str
    hidden: bool


def whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class Table:
    """The lines, how far they are read, and where everything lies after them."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.lines = list(lines)
        self.number = 0
        self.clock: dict[str, int] = {}
        self.rules: dict[str, Any] = {}
        self.deck: list[str] = []
        self.tiles: list[str] = []
        self.hands: list[list[str]] = []
        self.banks: list[list[Place]] = []
        self.coins: list[int] = []
        self.counts: Counter[str] = Counter()

    def fail(self, what: str, rule: str) -> NoReturn:
        raise RuleBroken(self.number, what, rule)

    def require(self, holds: bool, what: str, rule: str) -> None:
        if not holds:
            self.fail(what, rule)

    def advance(self) -> Line:
        self.number += 1
        if self.number > len(self.lines):
            self.fail("the trace stops before its end", FORMAT)
        line = self.lines[self.number - 1]
        self.require(isinstance(line, dict), f"not an event: {line!r}", FORMAT)
        return line

    def take(self, event: str, rule: str, *open_fields: str, **fixed: Any) -> Line:
        """The next line: this event, the `fixed` fields as given, the `open_fields` as they are."""
        line = self.advance()
        found = str(line.get("event"))
        due = " ".join([event, *(f"{name}={value!r}" for name, value in fixed.items())])
        broken = ODD_LINES.get(found, rule)
        self.require(found == event, f"{found!r} where {due} is due", broken)
        for name, value in self.clock.items():
            self.require(line.get(name) == value, f"{name} is not {value}", FORMAT)
        for name, value in fixed.items():
            wrong = f"{name} is {line.get(name)!r} where {due} is due"
            self.require(line.get(name) == value, wrong, rule)
        odd = {"event", *self.clock, *fixed, *open_fields} ^ set(line)
        self.require(not odd, f"fields missing or unknown in {event}: {sorted(odd)}", FORMAT)
        return line

    def listed(self, value: object) -> list[Any]:
        if not isinstance(value, list):
            self.fail(f"not a list: {value!r}", FORMAT)
        return list(value)

    def bank(self, number: object, rule: str) -> list[Place]:
        if not whole(number) or number not in range(1, len(self.banks) + 1):
            self.fail(f"{number!r} is no bank", rule)
        return self.banks[int(str(number)) - 1]

    def hidden(self) -> bool:
        """Whether a card lies face down anywhere."""
        return any(there.hidden for bank in self.banks for there in bank)


class Haul:
    """A robbery worked out from the sorted stakes: who is served is cut off by their sums."""

    def __init__(
        self, rules: Line, cards: Sequence[str], stakes: Sequence[int], robber: int
    ) -> None:
        number = len(stakes)
        self.lady, guard, thief, judge, doubled = _acting(rules["specials"], cards)
        self.pot = sum(int(card) for card in cards if card not in KINDS) * 2**doubled
        self.guarded, self.thieved = guard, thief
        sign = -1 if judge else 1
        keys = sorted(
            (sign * stakes[seat - 1], (seat - robber) % number, seat)
            for seat in range(1, number + 1)
        )
        self.order = [seat for _, _, seat in keys]
        by_rank = [stakes[seat - 1] for seat in self.order]
        needed = list(accumulate(by_rank))
        if rules["ties"] == "together":
            levels = [sign * stake for stake in by_rank]
            needed = [needed[bisect_right(levels, level) - 1] for level in levels]
        served = set(self.order[: bisect_right(needed, self.pot)])
        self.cut_off = len(served) < number
        if guard or thief:
            served = set()
        unserved = 0
        if thief or (rules["stake_on_shortfall"] == "lost" and not guard):
            unserved = -1
        self.gains = [
            stake * (1 if seat in served else unserved) for seat, stake in enumerate(stakes, 1)
        ]
        self.taken = sum(stakes[seat - 1] for seat in served)
        self.lost = -sum(gain for gain in self.gains if gain < 0)
        self.rewards = 0
        if guard:
            bonus = rules["guard_reward"]
            for at, stake in enumerate(stakes):
                self.gains[at] += bonus if stake == 0 else 0
            self.rewards = bonus * stakes.count(0)
        self.short = bool(self.cut_off and self.pot and not (guard or thief))
        self.paid = not (self.short or guard or thief)


def _acting(mode: str, cards: Sequence[str]) -> tuple[bool, bool, bool, bool, int]:
    """Whether a Lady, a Guard, a Thief and a Judge act, and how many X (K17, K18)."""
    ladies, guards, judges, thieves, doubled = (cards.count(kind) for kind in KINDS)
    if mode == "simple":
        alone = ladies == 0
        guard, thief, judge = guards > 0, thieves > 0, judges > 0
        return not alone, alone and guard, alone and thief, alone and judge, alone * doubled
    lady, surplus = ladies == 1, judges - thieves
    calm = not lady
    return lady, calm and guards == 1, surplus < 0, calm and surplus > 0, calm * doubled
