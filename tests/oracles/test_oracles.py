"""The twin and the checker of Burgle Bros Blackjack against each other."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest

from .burgle_checker import RuleBroken, check
from .burgle_simple import (
    BASE_RULES,
    SIMPLE_KNOBS,
    Seat,
    Table,
    play,
    random_deal,
    random_reshuffle,
)

Events = list[dict[str, Any]]

CASINO = {"burn": 2, "crack": {"straight_flush": 4}}
VARIANTS: dict[str, dict[str, Any]] = {
    "base": {},
    "bank": {"burn": 1},
    "penthouse": {"burn": 2},
    "casino": CASINO,
    "legendary": {**CASINO, "stealth": 1},
    "no_trading": {"trading": False},
    "win_at_end_of_round": {"win_at_once": False, "stealth": 9, "crack": {"flush": 4}},
    "easy": {"stealth": 40, "crack": {"flush": 4}, "burn": 1},
    "both_ways": {
        "stealth": 9,
        "burn": 3,
        "crack": {"straight_flush": 3},
        "straight_replaces_flush": False,
    },
    "guard_not_in_straight": {"crack": {"straight_flush": 3}, "guard_in_straight": False},
    "stalled": {"stealth": 50, "max_rounds": 3, "alarm_over": 15},
    "three_flipped": {"alarm_discards": 3, "alarm_removes": 2, "alarm_over": 14, "stealth": 9},
    "few_cards": {
        "alarm_discards": 6,
        "alarm_removes": 5,
        "alarm_over": 9,
        "stealth": 99,
        "max_rounds": 60,
    },
    "odd_totals": {
        "guard_value": 3,
        "peek_totals": [4, 7, 21],
        "jackpot_total": 13,
        "targeted_safe_from": 20,
        "alarm_over": 18,
        "stealth": 6,
        "crack": {"flush": 3},
    },
}
EASY_GAMES = 15


class AnyLegal:
    """Every decision at random among the legal ones, so that the checker meets them all."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def trade(self, table: Table, movers: list[Seat]) -> list[str]:
        return self.rng.sample([s.current for s in movers if s.current], len(movers))

    def discards_peeked(self, table: Table, seat: Seat, card: str) -> bool:
        return self.rng.random() < 0.5

    def twenty_one(self, table: Table, seat: Seat) -> tuple[str, Seat | None]:
        guards = [("guard", s) for s in table.seats if s.guard in s.display]
        return self.rng.choice([("stay", None), ("peek", None), *guards])

    def crack(self, table: Table, ways: list[tuple[str, list[str]]]) -> tuple[str, list[str]]:
        return self.rng.choice(ways)

    def removes(self, table: Table, seat: Seat, flipped: list[str]) -> str:
        return self.rng.choice([c for c in flipped if c[0] != "J"])

    def bails(self, table: Table, seat: Seat) -> bool:
        return self.rng.random() < 0.2


def traced(rules: dict[str, Any], events: Events) -> Events:
    full = {**BASE_RULES, **rules, "players": 4, "characters": "none", "tools": []}
    return [{"event": "game", "game": "burgle", "rules": full}, *copy.deepcopy(events)]


def simple_game(rules: dict[str, Any], seed: int) -> tuple[dict[str, Any], Events]:
    rng = random.Random(seed)
    outcome, events = play(rules, SIMPLE_KNOBS, random_deal(rng), random_reshuffle(rng))
    return outcome, traced(rules, events)


def any_legal_game(rules: dict[str, Any], seed: int) -> tuple[dict[str, Any], Events]:
    rng = random.Random(seed)
    table = Table(rules, AnyLegal(rng), random_deal(rng), random_reshuffle(rng))
    outcome, events = table.play()
    return outcome, traced(rules, events)


@pytest.mark.parametrize("variant", VARIANTS)
def test_checker_accepts_every_game_of_the_twin(variant: str) -> None:
    for seed in range(25):
        check(simple_game(VARIANTS[variant], seed)[1])


@pytest.mark.parametrize("variant", VARIANTS)
def test_checker_accepts_every_legal_decision(variant: str) -> None:
    for seed in range(25):
        check(any_legal_game(VARIANTS[variant], seed)[1])


def test_the_variants_reach_every_kind_of_line_and_end() -> None:
    met: Counter[tuple[Any, ...]] = Counter()
    for (rules, seed), game in product(
        product(VARIANTS.values(), range(12)), (simple_game, any_legal_game)
    ):
        for line in game(rules, seed)[1]:
            met[tuple(line.get(n) for n in ("event", "cause", "choice", "kind", "result"))] += 1
    firsts = {key[0] for key in met}
    assert firsts == set(
        "game deal round turn shuffle draw no_card trade peek twenty_one crack burn alarm flip"
        " stealth caught remove bail round_end end".split()
    )
    details = {detail for key in met for detail in key[1:] if detail}
    assert details == set(
        "total twenty_one targeted display alarm targeted_alarm stay guard peek flush"
        " straight_flush won lost stalled".split()
    )


# Scripted games of the twin: every deck in a given order, every shuffle in the order of discarding


def scripted(rules: dict[str, Any], tops: dict[str, list[str]]) -> tuple[dict[str, Any], Events]:
    """Guards in the order of `tops`; the cards that are not named fill the decks up."""
    named = {card for top in tops.values() for card in top} | set(tops)
    numbers = [r + s for s in "CDHS" for r in "A 2 3 4 5 6 7 8 9 10".split()]
    others = [card for card in numbers if card not in named]
    deal = []
    for guard, top in tops.items():
        deck = top if guard in top else [*top, guard]
        deal.append((guard, [*deck, *(others.pop() for _ in range(11 - len(deck)))]))
    outcome, events = play(rules, SIMPLE_KNOBS, deal, lambda seat, discards: discards)
    check(traced(rules, events))
    return outcome, events


def of_kind(events: Events, *kinds: str) -> Events:
    return [
        {key: value for key, value in line.items() if key not in ("event", "round", "turn")}
        for line in events
        if line["event"] in kinds
    ]


def test_twin_trades_for_suits_and_takes_the_first_of_equals() -> None:
    tops = {"JC": ["2D"], "JD": ["3C"], "JH": ["4S"], "JS": ["6H"]}
    _, events = scripted({}, tops)
    moves = of_kind(events, "trade")[0]["moves"]
    assert moves == [
        {"from": 1, "to": 2, "card": "2D"},
        {"from": 2, "to": 1, "card": "3C"},
        {"from": 3, "to": 4, "card": "4S"},
        {"from": 4, "to": 3, "card": "6H"},
    ]


def test_twin_does_not_trade_when_nothing_is_gained() -> None:
    tops = {"JC": ["2C"], "JD": ["3D"], "JH": ["4H"], "JS": ["6S"]}
    _, events = scripted({"max_rounds": 1}, tops)
    assert not [e for e in events if e["event"] == "trade" and e["turn"] == 1]


def test_twin_cracks_with_the_guard_over_the_threshold_and_burns_the_lowest() -> None:
    tops = {"JC": ["3C", "2C", "4C", "6C", "JC"], "JD": ["JD"], "JH": ["JH"], "JS": ["JS"]}
    rules = {"burn": 2, "trading": False, "peek_totals": [], "max_rounds": 1}
    outcome, events = scripted(rules, tops)
    used = ["2C", "3C", "4C", "6C", "JC"]
    assert of_kind(events, "crack") == [{"seat": 1, "cards": used, "kind": "flush"}]
    assert [line["card"] for line in of_kind(events, "burn")] == ["2C", "3C"]
    assert not [line for line in of_kind(events, "alarm") if line["seat"] == 1]
    assert outcome["crack_round.1"] == 1
    assert outcome["removed"] >= 2


def test_twin_twenty_one_discards_the_first_guard_even_its_own() -> None:
    tops = {"JC": ["JC", "AC"], "JD": ["2D"], "JH": ["2H"], "JS": ["2S"]}
    _, events = scripted({"trading": False, "max_rounds": 1}, tops)
    first = of_kind(events, "twenty_one")[0]
    assert first == {"seat": 1, "choice": "guard", "owner": 1, "card": "JC"}


def test_twin_alarm_prefers_to_remove_off_suit() -> None:
    tops = {"JC": ["10D", "3C", "9D", "5C", "7H"], "JD": ["2D"], "JH": ["2H"], "JS": ["2S"]}
    rules = {"trading": False, "peek_totals": [], "max_rounds": 1}
    _, events = scripted(rules, tops)
    assert [line["card"] for line in of_kind(events, "flip") if line["seat"] == 1] == ["5C", "7H"]
    assert {"seat": 1, "card": "7H"} in of_kind(events, "remove")


# Tampered traces


def find(events: Events, test: Callable[[dict[str, Any]], bool]) -> int:
    return next(i for i, line in enumerate(events) if test(line))


def of_event(name: str, **fields: Any) -> Callable[[dict[str, Any]], bool]:
    wanted = {"event": name, **fields}
    return lambda line: all(line.get(key) == value for key, value in wanted.items())


@cache
def easy_game(seed: int) -> Events:
    if seed % 2:
        return simple_game(VARIANTS["easy"], seed)[1]
    return any_legal_game({"stealth": 6, "burn": 1, "crack": {"flush": 3}}, seed)[1]


def games() -> Iterator[Events]:
    """Copies, for the tests to tamper with."""
    for seed in range(EASY_GAMES):
        yield copy.deepcopy(easy_game(seed))


def game_with(test: Callable[[dict[str, Any]], bool]) -> tuple[Events, int]:
    for events in games():
        if any(test(line) for line in events):
            return events, find(events, test)
    raise AssertionError("no game has such a line")


def rejected(events: Events, rule: str, number: int | None = None) -> None:
    where = rf"line {number}" if number is not None else r"line \d+"
    with pytest.raises(RuleBroken, match=rf"^{where}: .* \({rule}\)$"):
        check(events)


DROPPED = [
    ("round", {}, "B10"),
    ("turn", {}, "B10"),
    ("shuffle", {}, "B11"),
    ("draw", {}, "B11"),
    ("peek", {"cause": "total"}, "B18"),
    ("peek", {"cause": "twenty_one"}, "R11"),
    ("twenty_one", {"choice": "guard"}, "B19"),
    ("twenty_one", {"choice": "stay"}, "B19"),
    ("crack", {}, "B20"),
    ("burn", {}, "M1"),
    ("alarm", {"cause": "total"}, "B21"),
    ("alarm", {"cause": "targeted"}, "B22"),
    ("flip", {}, "B21"),
    ("stealth", {"cause": "alarm"}, "B21"),
    ("stealth", {"cause": "display"}, "B23"),
    ("remove", {}, "B21"),
    ("round_end", {}, "B23"),
]


@pytest.mark.parametrize(("name", "fields", "rule"), DROPPED)
def test_checker_sees_a_line_dropped(name: str, fields: dict[str, Any], rule: str) -> None:
    events, at = game_with(of_event(name, **fields))
    del events[at]
    rejected(events, rule, at + 1)


@pytest.mark.parametrize(
    ("name", "rule"),
    [("draw", "B11"), ("peek", "B18"), ("flip", "B21"), ("burn", "M1"), ("remove", "B21")],
)
def test_checker_sees_a_wrong_card(name: str, rule: str) -> None:
    wanted = {"cause": "total"} if name == "peek" else {}
    events, at = game_with(of_event(name, **wanted))
    seat = events[at]["seat"]
    guard = next(e["guard"] for e in events if of_event("deal", seat=seat)(e))
    events[at]["card"] = "2C" if events[at]["card"] != "2C" else guard
    rejected(events, rule, at + 1)


@pytest.mark.parametrize("name", ["draw", "peek", "crack", "alarm", "bail", "flip", "burn"])
def test_checker_sees_a_doubled_line(name: str) -> None:
    events, at = game_with(of_event(name))
    events.insert(at + 1, dict(events[at]))
    with pytest.raises(RuleBroken):
        check(events)


def test_checker_sees_two_draws_swapped() -> None:
    events, at = game_with(of_event("draw", seat=1))
    events[at], events[at + 1] = events[at + 1], events[at]
    rejected(events, "B11", at + 1)


def test_checker_sees_a_shuffle_that_is_not_the_discards() -> None:
    events, at = game_with(of_event("shuffle"))
    events[at]["deck"] = events[at]["deck"][1:]
    rejected(events, "B11", at + 1)


def test_checker_sees_a_shuffle_that_is_not_due() -> None:
    events, at = game_with(of_event("draw", seat=1))
    spurious = {"event": "shuffle", "seat": 1, "round": 1, "turn": 1, "deck": []}
    events.insert(at, spurious)
    rejected(events, "B11", at + 1)


def test_checker_sees_a_guard_traded() -> None:
    events, at = game_with(of_event("trade"))
    giver = events[at]["moves"][0]["from"]
    events[at]["moves"][0]["card"] = next(
        e["guard"] for e in events if of_event("deal", seat=giver)(e)
    )
    rejected(events, "B14", at + 1)


def test_checker_sees_a_trade_that_gives_one_seat_two_cards() -> None:
    events, at = game_with(of_event("trade"))
    moves = events[at]["moves"]
    moves[0]["to"] = next(n for n in range(1, 5) if n not in (moves[0]["from"], moves[0]["to"]))
    rejected(events, "B14", at + 1)


def test_checker_sees_a_trade_where_trading_is_off() -> None:
    events, at = game_with(of_event("trade"))
    events[0]["rules"]["trading"] = False
    rejected(events, "B14", at + 1)


def test_checker_sees_a_crack_with_too_few_cards() -> None:
    events, at = game_with(of_event("crack"))
    events[at]["cards"] = events[at]["cards"][1:]
    rejected(events, "B20", at + 1)


def test_checker_sees_a_crack_with_a_card_from_elsewhere() -> None:
    events, at = game_with(of_event("crack"))
    cards, suit = events[at]["cards"], events[at]["cards"][0][-1]
    foreign = next(r + suit for r in "A23456789" if r + suit not in cards)
    events[at]["cards"] = [*cards[1:], foreign]
    rejected(events, "B20", at + 1)


def test_checker_sees_a_guard_discarded_that_lies_in_no_display() -> None:
    events, at = game_with(of_event("twenty_one", choice="guard"))
    events[at]["owner"] = events[at]["owner"] % 4 + 1
    rejected(events, "B19", at + 1)


def test_checker_sees_a_peek_of_a_seat_that_may_not() -> None:
    events, at = game_with(of_event("round_end"))
    clock = {"round": events[at]["round"], "turn": events[at]["turn"]}
    peek = {"event": "peek", "seat": 1, "cause": "total", "card": "2C", "discarded": False}
    events.insert(at, {**peek, **clock})
    rejected(events, "B23", at + 1)


def test_checker_sees_a_bail_missing_where_nothing_was_drawn() -> None:
    played = (any_legal_game(VARIANTS["easy"], seed)[1] for seed in range(EASY_GAMES))
    events = next(game for game in played if any(map(of_event("no_card"), game)))
    at = find(events, of_event("no_card"))
    empty = of_event("bail", seat=events[at]["seat"])
    at = find(events, lambda line: empty(line) and events.index(line) > at)
    del events[at]
    rejected(events, "R3", at + 1)


def test_checker_sees_wrong_stealth() -> None:
    events, at = game_with(of_event("stealth"))
    events[at]["left"] += 1
    with pytest.raises(RuleBroken, match=rf"^line {at + 1}: left is"):
        check(events)


def test_checker_sees_stealth_paid_that_is_not_there() -> None:
    events, at = game_with(of_event("caught"))
    events[at] = {**events[at], "event": "stealth", "left": -1}
    rejected(events, "B24", at + 1)


def test_checker_sees_a_game_that_goes_on_after_the_end() -> None:
    events = next(games())
    events.append({"event": "round", "round": events[-1]["round"] + 1, "turn": 1})
    rejected(events, "trace format", len(events))


def test_checker_sees_a_game_that_stops_before_its_end() -> None:
    events = next(games())
    rejected(events[:-1], "trace format", len(events))


def test_checker_sees_a_wrong_result() -> None:
    events, at = game_with(of_event("end", result="won"))
    events[at]["result"] = "stalled"
    rejected(events, "B25", at + 1)


def test_checker_sees_a_wrong_reason_of_a_loss() -> None:
    events, at = game_with(of_event("end", result="lost", lost_to="display"))
    events[at]["lost_to"] = "alarm"
    rejected(events, "B24", at + 1)


@pytest.mark.parametrize("column", sorted(simple_game({"max_rounds": 1}, 0)[0]))
def test_checker_sees_every_wrong_outcome_column(column: str) -> None:
    events = next(games())
    value = events[-1]["outcome"][column]
    events[-1]["outcome"][column] = "van" if isinstance(value, str) else value + 1
    rejected(events, "outcome columns", len(events))


def test_checker_sees_a_wrong_round_number() -> None:
    events, at = game_with(of_event("draw"))
    events[at]["round"] += 1
    rejected(events, "trace format", at + 1)


def test_checker_sees_wrong_deals() -> None:
    doubled = next(games())
    at = next(i for i, card in enumerate(doubled[1]["deck"]) if card[0] != "J")
    doubled[1]["deck"][at] = next(card for card in doubled[2]["deck"] if card[0] != "J")
    rejected(doubled, "B2")
    guards = next(games())
    guards[1]["guard"], guards[2]["guard"] = guards[2]["guard"], guards[1]["guard"]
    rejected(guards, "B2", 2)


def test_checker_sees_any_line_dropped() -> None:
    events = any_legal_game({"stealth": 2}, 5)[1]
    for at in range(len(events)):
        with pytest.raises(RuleBroken):
            check(events[:at] + events[at + 1 :])
