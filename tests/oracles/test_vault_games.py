"""Whole games of the twin of Vault Breakers: by hand, out of a generator, and out of a trace."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

from .test_vault_simple import Script, lines
from .vault_simple import (
    COLOURS,
    RANKS,
    Event,
    RandomChance,
    Simple,
    Table,
    TraceChance,
    first_difference,
    knob_of,
    play,
    replay,
)

SMALL_GAME = """
{"event": "hand", "seat": 1, "cards": ["KS", "9H"]}
{"event": "hand", "seat": 2, "cards": ["5D", "6D"]}
{"turn": 1, "event": "turn", "seat": 1}
{"turn": 1, "event": "draw", "seat": 1, "cards": ["2H", "4C"]}
{"turn": 1, "event": "combine", "seat": 1, "cards": ["KS"], "token": "stealth", "wasted": 0}
{"turn": 1, "event": "combine", "seat": 1, "cards": ["9H", "2H"], "token": "charisma", "wasted": 1}
{"turn": 1, "event": "pass", "seat": 1}
{"turn": 2, "event": "turn", "seat": 2}
{"turn": 2, "event": "draw", "seat": 2, "cards": ["KH", "KH"]}
{"turn": 2, "event": "combine", "seat": 2, "cards": ["KH"], "token": "charisma", "wasted": 0}
{"turn": 2, "event": "combine", "seat": 2, "cards": ["KH"], "token": "charisma", "wasted": 0}
{"turn": 2, "event": "combine", "seat": 2, "cards": ["6D", "5D"], "token": "audacity", "wasted": 1}
{"turn": 2, "event": "break", "seat": 2, "threshold": 7, "shares": [2, 2, 1], "parts": [
    {"seat": 2, "dice": 2, "paid": ["charisma", "audacity"]},
    {"seat": 1, "dice": 1, "paid": ["charisma"]}]}
{"turn": 2, "event": "roll", "dice": [1, 1, 3], "total": 5, "threshold": 7}
{"turn": 2, "event": "failed", "die": 3, "total": 5}
{"turn": 2, "event": "hit", "seat": 2, "die": 3, "cards": []}
{"turn": 2, "event": "hit", "seat": 1, "die": 3, "cards": ["4C"]}
{"turn": 3, "event": "turn", "seat": 1}
{"turn": 3, "event": "draw", "seat": 1, "cards": ["JD", "7S"]}
{"turn": 3, "event": "combine", "seat": 1, "cards": ["JD"], "token": "audacity", "wasted": 0}
{"turn": 3, "event": "break", "seat": 1, "threshold": 7, "shares": [1, 1, 2], "parts": [
    {"seat": 1, "dice": 1, "paid": ["audacity"]},
    {"seat": 2, "dice": 1, "paid": ["charisma"]}]}
{"turn": 3, "event": "roll", "dice": [4, 3], "total": 7, "threshold": 7}
{"turn": 3, "event": "broken", "total": 7, "loot": [
    {"seat": 1, "vp": 2}, {"seat": 1, "vp": 1}, {"seat": 2, "vp": 3}]}
{"turn": 4, "event": "turn", "seat": 2}
{"turn": 4, "event": "draw", "seat": 2, "cards": ["AC", "3C"]}
{"turn": 4, "event": "pass", "seat": 2}
"""
SMALL_OUTCOME = """
    breaks 1 attempts 2 attempts_at.1 2 broken_at.1 1 dice 5 participants 4 tokens_earned 6
    tokens_spent 5 wasted 2 failures.3 1 turns 4 stalled 1 win_share.1 30 win_share.2 30
    vp.1 3 vp.2 3 loot.1 2 loot.2 1
"""


def test_a_small_game_is_told_line_by_line() -> None:
    top = "KS 9H 5D 6D 2H 4C KH KH JD 7S AC 3C"
    rules = {"players": 2, "start_cards": 2, "draw": 2, "thresholds": [7, 30], "max_turns": 4}
    rules |= {"failure_hits": "everyone", "loot": {"1": 1, "2": 1, "3": 1}}
    script = Script(top, [2, 1, 3], dice=[[1, 1, 3], [4, 3]], die=[3])
    deal, *told, end = play(rules, [0.5, 0.9], script)
    assert deal.pop("training")[:12] == top.split()
    assert deal == {"event": "deal", "loot": [2, 1, 3]}
    expected = SMALL_GAME.strip().replace("\n{", ",\n{")
    assert told == json.loads(f"[{expected}]")
    outcome = end.pop("outcome")
    fields = {"turn": 4, "ended_by": "stalled", "vp": [3, 3], "winners": [1, 2]}
    assert end == {"event": "end", **fields}
    assert outcome.pop("ended_by") == "stalled"
    words = SMALL_OUTCOME.split()
    held = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    assert {name: number for name, number in outcome.items() if number} == held
    assert len(outcome) == 9 + 3 * 6 + 2 * 10 + 6


VARIANTS: list[dict[str, Any]] = [
    {},
    {"dice_limit": "table", "failure_hits": "everyone", "max_turns": 90},
    {"players": 2, "ace_value": 11, "failure_hits": "everyone"},
    {"players": 6, "training_decks": 1, "tokens_each": 3, "draw": 6, "max_turns": 90},
    {"players": 3, "thresholds": [18, 22, 26], "loot": {"2": 4, "9": 1}, "loot_per_break": 2},
    {"players": 5, "failure_hits": "everyone", "thresholds": [4] * 10, "reveal_at": 99},
]
GAMES = 20


class Watched(Table):
    """A table that counts all its cards, tokens and loot at every line."""

    def tell(self, event: str, **fields: Any) -> None:
        super().tell(event, **fields)
        if event in ("deal", "hand"):
            return  # still being dealt
        cards = Counter([*self.deck, *(card for seat in self.seats for card in seat.hand)])
        decks = self.rules["training_decks"]
        assert cards == {rank + suit: decks for suit in COLOURS for rank in RANKS}
        for colour, left in self.supply.items():
            held = [seat.tokens[colour] for seat in self.seats]
            assert min(left, *held) >= 0
            assert left + sum(held) == self.rules["tokens_each"]
        loot = [*self.vault, *self.lost_loot, *(vp for seat in self.seats for vp in seat.loot)]
        assert Counter(loot) == {int(vp): n for vp, n in self.rules["loot"].items()}


def watched(variant: int, seed: int) -> tuple[Table, list[float]]:
    rng = random.Random(1000 * variant + seed)
    knobs = [rng.choice([0.3, 0.5, 0.8, 0.95]) for _ in range(6)]
    table = Watched(VARIANTS[variant], Simple(knobs), RandomChance(rng))
    table.play()
    return table, knobs[: len(table.seats)]


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_no_card_token_or_loot_is_lost_and_the_columns_count_the_lines(variant: int) -> None:
    for seed in range(GAMES):
        table, _ = watched(variant, seed)
        outcome = table.events[-1]["outcome"]
        rolls, breaks = lines(table.events, "roll"), lines(table.events, "break")
        sets = lines(table.events, "combine")
        assert outcome["turns"] == len(lines(table.events, "turn"))
        assert outcome["turns"] == len(lines(table.events, "skipped", "break", "pass"))
        assert outcome["attempts"] == len(rolls) == len(breaks)
        assert outcome["breaks"] == len(lines(table.events, "broken"))
        assert outcome["tokens_spent"] == sum(len(roll["dice"]) for roll in rolls)
        assert outcome["tokens_earned"] == len(sets)
        assert outcome["wasted"] == sum(line["wasted"] for line in sets)
        assert outcome["participants"] == sum(len(line["parts"]) for line in breaks)
        assert sum(outcome[f"failures.{die}"] for die in range(1, 7)) == len(rolls) - table.breaks
        assert sum(outcome[f"win_share.{seat}"] for seat in range(1, 7)) == 60


def trace_of(table: Table, knobs: list[float]) -> list[Event]:
    policies = [{"policy": "simple", "break_at": knob} for knob in knobs]
    head = {"event": "game", "game": "vault", "rules": table.rules, "policies": policies}
    trace: list[Event] = json.loads(json.dumps([head, *table.events]))
    return trace


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_a_game_is_played_again_from_its_own_trace(variant: int) -> None:
    seen: Counter[int] = Counter()
    for seed in range(GAMES):
        trace = trace_of(*watched(variant, seed))
        assert replay(trace) == trace[1:]
        assert first_difference(trace) is None
        seen.update(line["die"] for line in trace if line["event"] == "failed")
    assert {*seen} == {*range(1, 7)}


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("turn", {"seat": 9}),
        ("combine", {"wasted": 99}),
        ("roll", {"dice": [6]}),
        ("failed", {"die": 7}),
        ("hit", {"tokens": []}),
        ("broken", {"loot": []}),
        ("end", {"outcome": {}}),
    ],
)
def test_a_changed_trace_is_found_out(kind: str, change: dict[str, Any]) -> None:
    trace = trace_of(*watched(1, 0))
    at = next(at for at, line in enumerate(trace) if line["event"] == kind)
    trace[at] |= change
    assert (first_difference(trace) or "").startswith("line ")
    assert first_difference(trace[:-1])


def test_knob_is_read_from_a_name_or_a_mapping() -> None:
    entries: list[Any] = ["simple", {"policy": "simple", "break_at": 0.7}, {"break_at": 0.6}]
    assert [knob_of(entry) for entry in entries] == [0.5, 0.7, 0.6]
    with pytest.raises(ValueError, match="hasty"):
        knob_of("hasty")
    with pytest.raises(ValueError, match="the trace has no"):
        TraceChance([]).roll("dice", 1, 2)
