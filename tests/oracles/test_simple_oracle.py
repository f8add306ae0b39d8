"""The twin of Burgle Bros Blackjack by script: the Van, the characters and the tools."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest

from .burgle_simple import (
    CHARACTERS,
    SIMPLE_KNOBS,
    TOOLS,
    Pile,
    Simple,
    Table,
    play,
    random_deal,
    random_reshuffle,
    random_setup,
)

Events = list[dict[str, Any]]
Outcome = dict[str, Any]

ONE_ROUND = {"max_rounds": 1, "stealth": 9}
PLAIN = {**ONE_ROUND, "trading": False, "peek_totals": []}
FLUSH = "2C 3C 4C 6C 8C"  # hard 23: bust, were it no crack
CLUBS_SWEEP = {**PLAIN, "alarm_over": 99, "juicer_alarm_over": 99, "jackpot_total": 99}


def scripted(
    rules: dict[str, Any],
    decks: dict[str, str],
    characters: Sequence[str | None] = (),
    knobs: dict[str, Any] | None = None,
    **setup: Any,
) -> tuple[Outcome, Events]:
    """Decks by their Guard, the top first; a deck is remade in the order of discarding.

    A deck holds no more than it says. Decks without a Guard are common: no rule needs one there.
    """
    deal = [(guard, cards.split()) for guard, cards in decks.items()]
    rules = {"players": len(deal), **rules}
    who = [*characters, *[None] * (len(deal) - len(characters))]
    if "van" in setup:
        setup["van"] = setup["van"].split()
    return play(rules, knobs or {}, deal, lambda seat, cards: cards, characters=who, **setup)


def four(first: str, *others: str) -> dict[str, str]:
    """Decks of the seats of Clubs, Diamonds, Hearts and Spades, by default of one card."""
    return dict(zip("JC JD JH JS".split(), [first, *others, "2D", "2H", "2S"][:4], strict=True))


def lines(events: Events, *kinds: str, **fields: Any) -> Events:
    return [
        {key: value for key, value in line.items() if key not in ("event", "round", "turn")}
        for line in events
        if line["event"] in kinds and all(line.get(key) == fields[key] for key in fields)
    ]


def kinds_of(events: Events, *kinds: str) -> list[str]:
    return [line["event"] for line in events if line["event"] in kinds]


def where(events: Events, kind: str, **fields: Any) -> int:
    return next(
        at
        for at, line in enumerate(events)
        if line["event"] == kind and all(line.get(key) == fields[key] for key in fields)
    )


# The Man in the Van


def test_van_is_dealt_after_the_seats_and_draws_after_them() -> None:
    decks = {"JC": "2C 4C", "JD": "2D 4D", "JH": "2H 4H"}
    outcome, events = scripted(PLAIN, decks, van="9S 8S 7S")
    assert [line["seat"] for line in events[:3]] == [1, 2, 3]
    assert events[3] == {"event": "deal", "seat": "van", "deck": ["9S", "8S", "7S"]}
    first_turn = lines(events, "draw")[:4]
    assert [line["seat"] for line in first_turn] == [1, 2, 3, "van"]
    assert first_turn[-1]["card"] == "9S"
    assert outcome["draws"] == len(lines(events, "draw")) == 9


def test_van_draws_every_turn_and_is_remade_from_its_cards() -> None:
    decks = {"JC": "2C 3C 4C", "JD": "2D", "JH": "2H"}
    _, events = scripted(PLAIN, decks, van="9S 8S")
    assert [line["card"] for line in lines(events, "draw", seat="van")] == ["9S", "8S", "9S", "8S"]
    assert lines(events, "shuffle") == [{"seat": "van", "deck": ["9S", "8S"]}]
    assert events[where(events, "shuffle") + 1]["seat"] == "van"


def test_van_discards_its_card_in_the_last_turn_of_a_round_too() -> None:
    rules = {**PLAIN, "max_rounds": 2}
    decks = {"JC": "2C", "JD": "2D", "JH": "2H"}
    _, events = scripted(rules, decks, van="9S 8S")
    assert lines(events, "shuffle", seat="van") == [{"seat": "van", "deck": ["9S", "8S"]}]
    assert events[where(events, "shuffle", seat="van")]["round"] == 2


def test_van_jack_discards_the_first_guard_of_an_inactive_seat_too() -> None:
    decks = {"JC": "10C 2C 9C", "JD": "JD 5D", "JH": "2H JH 3H 2H"}
    rules = {**PLAIN, "alarm_discards": 0}
    _, events = scripted(rules, decks, van="9S 8S JS 7S", knobs={"bail_at": 15})
    guard = where(events, "van_guard")
    assert lines(events, "van_guard") == [{"seat": 2, "card": "JD"}]
    assert events[where(events, "bail", seat=2)]["turn"] == 2
    assert events[guard]["turn"] == 3
    assert events[guard - 1] == {
        "event": "draw",
        "round": 1,
        "turn": 3,
        "seat": "van",
        "card": "JS",
    }
    assert lines(events, "stealth") == [{"seat": 3, "cause": "display", "left": 8}]


def test_van_jack_takes_a_guard_drawn_this_turn_and_that_seat_does_not_trade() -> None:
    decks = {"JC": "JC 3C", "JD": "2H", "JH": "2D"}
    _, events = scripted({**PLAIN, "trading": True}, decks, van="JS 7S")
    assert lines(events, "van_guard")[0] == {"seat": 1, "card": "JC"}
    assert lines(events, "trade")[0]["moves"] == [
        {"from": 2, "to": 3, "card": "2H"},
        {"from": 3, "to": 2, "card": "2D"},
    ]
    assert lines(events, "draw", seat=1)[1] == {"seat": 1, "card": "3C"}


def test_van_jack_without_a_guard_in_a_display_leaves_no_line_and_does_not_move() -> None:
    decks = {"JC": "2C", "JD": "2D", "JH": "2H"}
    rules = {**ONE_ROUND, "peek_totals": [10]}  # a seat would gain by the Jack
    _, events = scripted(rules, decks, van="JS 7S", knobs={"suit": 0})
    assert not lines(events, "van_guard", "trade")


def test_van_gives_and_takes_in_a_trade_and_comes_last() -> None:
    decks = {"JC": "3S 4D", "JD": "2D", "JH": "2H"}
    rules = {**PLAIN, "trading": True, "max_rounds": 2}
    outcome, events = scripted(rules, decks, van="9C JS")
    assert lines(events, "trade")[0]["moves"] == [
        {"from": 1, "to": "van", "card": "3S"},
        {"from": "van", "to": 1, "card": "9C"},
    ]
    assert outcome["trades"] == sum(len(line["moves"]) for line in lines(events, "trade"))
    assert lines(events, "shuffle", seat="van")[0]["deck"] == ["3S", "JS"]
    assert lines(events, "shuffle", seat=1)[0]["deck"] == ["9C", "4D"]


def test_van_scores_nothing_for_any_card() -> None:
    decks = {"JC": "2C", "JD": "2D", "JH": "2H"}
    rules = {**ONE_ROUND, "peek_totals": [9]}
    _, events = scripted(rules, decks, van="9S 8S", knobs={"peek": 9})
    assert not lines(events, "trade")
    _, events = scripted(rules, decks, van="9S 8S", knobs={"peek": 11})
    moves = lines(events, "trade")[0]["moves"]
    assert moves[0] == {"from": 3, "to": "van", "card": "2H"}


def test_van_gets_no_card_from_a_seat_that_holds_its_guard() -> None:
    decks = {"JC": "JC", "JD": "2D", "JH": "2H"}
    _, events = scripted({**PLAIN, "trading": True}, decks, van="9C 8S")
    assert not lines(events, "trade")


def test_van_stays_where_it_is_without_trading() -> None:
    decks = {"JC": "2S", "JD": "2D", "JH": "2H"}
    _, events = scripted(PLAIN, decks, van="9C 8S")
    assert not lines(events, "trade")


@pytest.mark.parametrize("players", [2, 3])
def test_seats_that_are_not_there_have_zero_columns(players: int) -> None:
    rules = {"players": players, "characters": "random", "tools": True}
    rng = random.Random(players)
    setup = random_setup(rng, rules)
    assert len(setup["van"]) == {2: 22, 3: 11}[players]
    outcome, events = play(rules, SIMPLE_KNOBS, **setup)
    for seat in range(players + 1, 5):
        for column in ("crack_round", "stealth_left", "seat_alarms"):
            assert outcome[f"{column}.{seat}"] == 0
        assert outcome[f"character.{seat}"] == "none"
    assert {line["seat"] for line in events if "seat" in line} == {*range(1, players + 1), "van"}


# Characters


def test_characters_stand_in_the_deal_and_in_the_outcome() -> None:
    outcome, events = scripted(PLAIN, four("2C"), ["rook", None, "hacker", "peterman"])
    assert [line.get("character") for line in events[:4]] == ["rook", None, "hacker", "peterman"]
    assert "character" not in events[1]
    names = [outcome[f"character.{seat}"] for seat in (1, 2, 3, 4)]
    assert names == ["rook", "none", "hacker", "peterman"]


def test_acrobat_replaces_its_guard_as_the_first_card_of_a_round() -> None:
    outcome, events = scripted(PLAIN, four("JC 2C 3C"), ["acrobat"])
    at = where(events, "draw", seat=1)
    clock = {"round": 1, "turn": 1, "seat": 1}
    assert events[at : at + 3] == [
        {"event": "draw", **clock, "card": "JC"},
        {"event": "replace", **clock, "card": "JC", "cause": "acrobat"},
        {"event": "draw", **clock, "card": "2C"},
    ]
    assert events[at + 3]["seat"] == 2
    assert outcome["ability.acrobat"] == 1
    assert outcome["draws"] == len(lines(events, "draw"))


def test_acrobat_keeps_its_guard_as_a_later_card() -> None:
    outcome, events = scripted(PLAIN, four("2C JC"), ["acrobat"])
    assert not lines(events, "replace")
    assert outcome["ability.acrobat"] == 0
    assert lines(events, "stealth") == [{"seat": 1, "cause": "display", "left": 8}]


def test_acrobat_sets_its_guard_aside_while_the_deck_is_remade() -> None:
    rules = {**PLAIN, "max_rounds": 2}
    _, events = scripted(rules, four("9C 5C JC"), ["acrobat"], knobs={"bail_at": 14})
    at = where(events, "replace")
    assert [line["event"] for line in events[at - 1 : at + 3]] == [
        "draw",
        "replace",
        "shuffle",
        "draw",
    ]
    assert events[at + 1]["deck"] == ["9C", "5C"]
    assert events[at]["round"] == 2


def test_acrobat_with_no_other_card_draws_nothing_and_bails() -> None:
    _, events = scripted(PLAIN, four("JC"), ["acrobat"])
    at = where(events, "replace")
    assert events[at + 1]["event"] == "no_card"
    assert events[where(events, "bail", seat=1)]["turn"] == 1
    assert not lines(events, "stealth", seat=1)


def test_another_seat_keeps_its_guard_as_the_first_card() -> None:
    _, events = scripted(PLAIN, four("2C", "JD 2D"), ["acrobat"])
    assert not lines(events, "replace")


@pytest.mark.parametrize(("deck", "times"), [("9C 5D", 1), ("10C 4D", 1), ("8C 6D", 0)])
def test_spotter_counts_remakes_with_a_nine_or_ten(deck: str, times: int) -> None:
    rules = {**PLAIN, "max_rounds": 2}
    outcome, events = scripted(rules, four(deck, deck), ["spotter"])
    assert len(lines(events, "shuffle", seat=1)) == 1
    assert outcome["ability.spotter"] == times


def test_spotter_does_not_count_its_guard_as_a_ten() -> None:
    rules = {**PLAIN, "max_rounds": 2}
    outcome, events = scripted(rules, four("JC 4C"), ["spotter"])
    assert lines(events, "shuffle", seat=1)
    assert outcome["ability.spotter"] == 0


@pytest.mark.parametrize(
    ("last", "alarms", "times"), [("AC", 0, 0), ("2C", 0, 1), ("4C", 0, 1), ("5C", 1, 0)]
)
def test_juicer_has_a_threshold_of_its_own(last: str, alarms: int, times: int) -> None:
    rules = {**PLAIN, "jackpot_total": 99, "alarm_discards": 0}
    outcome, _ = scripted(rules, four(f"10D 10H {last}"), ["juicer"], knobs={"bail_at": 21})
    assert outcome["seat_alarms.1"] == alarms
    assert outcome["ability.juicer"] == times


def test_juicer_threshold_is_a_field() -> None:
    rules = {**PLAIN, "juicer_alarm_over": 22}
    outcome, _ = scripted(rules, four("10D 10H 3C"), ["juicer"], knobs={"bail_at": 21})
    assert outcome["seat_alarms.1"] == 1


def test_juicer_still_leaves_at_twenty_one() -> None:
    _, events = scripted(PLAIN, four("10D AC"), ["juicer"])
    assert lines(events, "twenty_one", seat=1)


@pytest.mark.parametrize(("who", "alarms"), [("juicer", 0), ("rook", 1)])
def test_juicer_best_reading_goes_up_to_its_threshold(who: str, alarms: int) -> None:
    # round 1 cracks; round 2 has 12, then 13 or 23 with the Ace, which only the Juicer may use
    rules = {**CLUBS_SWEEP, "max_rounds": 2, "alarm_over": 21, "juicer_alarm_over": 24}
    knobs = {"bail_at": 99, "targeted_bail_at": 13}
    _, events = scripted(rules, four(f"{FLUSH} 10D 2D AD"), [who], knobs)
    bail = where(events, "bail", seat=1)
    assert (events[bail]["round"], events[bail]["turn"]) == (2, 3)
    assert len(lines(events, "alarm", seat=1, cause="targeted")) == alarms


@pytest.mark.parametrize(("who", "traded"), [("juicer", 0), ("rook", 2)])
def test_juicer_trade_score_uses_its_own_threshold(who: str, traded: int) -> None:
    # in the third turn seat 1 has 22 with its own card and 20 with the Ace of seat 2
    decks = four("10C 9C 3D", "2D 3D AC")
    rules = {**ONE_ROUND, "peek_totals": [], "jackpot_total": 99}
    _, events = scripted(rules, decks, [who], knobs={"bail_at": 20, "suit": 0})
    third = [line for line in events if line.get("turn") == 3]
    assert sum(len(line["moves"]) for line in lines(third, "trade")) == traded


@pytest.mark.parametrize(("last", "escapes"), [("3C", False), ("4C", True), ("AC", False)])
def test_raven_escapes_with_an_even_total(last: str, escapes: bool) -> None:
    rules = {**PLAIN, "alarm_over": 20, "jackpot_total": 99, "alarm_discards": 0}
    outcome, events = scripted(rules, four(f"10D 10H {last}"), ["raven"], knobs={"bail_at": 21})
    assert lines(events, "distraction") == ([{"seat": 1}] if escapes else [])
    assert outcome["ability.raven"] == int(escapes)
    assert outcome["seat_alarms.1"] == int(not escapes)
    assert not lines(events, "bail", seat=1)


def test_raven_does_not_escape_a_targeted_alarm() -> None:
    rules = {**CLUBS_SWEEP, "max_rounds": 2}
    outcome, events = scripted(
        rules, four(f"{FLUSH} 2D"), ["raven"], {"bail_at": 99, "targeted_bail_at": 4}
    )
    assert {"seat": 1, "cause": "targeted"} in lines(events, "alarm")
    assert outcome["targeted_alarms"] == 1
    assert not lines(events, "distraction")


def test_nobody_else_escapes_with_an_even_total() -> None:
    outcome, events = scripted(PLAIN, four("10D 10H 4C"), ["rook"], knobs={"bail_at": 21})
    assert outcome["seat_alarms.1"] == 1
    assert not lines(events, "distraction")


@pytest.mark.parametrize(
    ("deck", "peeks"), [("5C 2C", 0), ("10C 2C", 1), ("4C AC 2C", 1), ("3C 2D 2C", 0)]
)
def test_hawk_does_not_peek_on_five(deck: str, peeks: int) -> None:
    rules = {**ONE_ROUND, "trading": False}
    _, events = scripted(rules, four(deck, "3D", "3H", "3S"), ["hawk"])
    early = [line for line in events if line.get("turn", 9) <= len(deck.split()) - 1]
    assert (
        lines(early, "peek", seat=1)
        == [{"seat": 1, "cause": "total", "card": "2C", "discarded": False}] * peeks
    )
    assert not lines(events, "hawk")
    _, events = scripted(rules, four(deck, "3D", "3H", "3S"), ["rook"])
    early = [line for line in events if line.get("turn", 9) <= len(deck.split()) - 1]
    assert len(lines(early, "peek", seat=1)) == 1


def test_hawk_trade_score_has_no_points_for_five() -> None:
    decks = four("5H", "6H", "3H", "3S")
    _, events = scripted(ONE_ROUND, decks, ["rook"], knobs={"suit": 0})
    assert not lines(events, "trade")
    _, events = scripted(ONE_ROUND, decks, ["hawk"], knobs={"suit": 0})
    assert lines(events, "trade")[0]["moves"] == [
        {"from": 1, "to": 2, "card": "5H"},
        {"from": 2, "to": 1, "card": "6H"},
    ]


def test_hawk_looks_at_one_card_when_all_may_peek() -> None:
    rules = {**ONE_ROUND, "trading": False, "peek_totals": []}
    _, events = scripted(rules, four("10D AD 7C", "2D 3D 4D"), ["hawk"])
    looks = lines(events, "peek", cause="twenty_one")
    assert looks[0] == {"seat": 1, "cause": "twenty_one", "card": "7C", "discarded": False}


# Tools


def test_tools_are_ordered_at_the_set_up_and_drawn_on_cracking() -> None:
    rules = {**CLUBS_SWEEP, "tools": ["emp", "virus", "donuts"], "burn": 1}
    orders = [["virus", "emp", "donuts"]]
    outcome, events = scripted(rules, four(FLUSH), tool_decks=orders)
    assert events[4] == {"event": "tools", "deck": ["virus", "emp", "donuts"]}
    at = where(events, "crack")
    assert [line["event"] for line in events[at : at + 3]] == ["crack", "burn", "tool"]
    assert lines(events, "tool") == [{"seat": 1, "tool": "virus"}]
    assert outcome["tools_used"] == 0
    assert all(outcome[f"used.{tool}"] == 0 for tool in TOOLS)


def test_two_cracks_draw_from_the_top_and_an_empty_deck_gives_none() -> None:
    rules = {**CLUBS_SWEEP, "tools": ["emp", "virus"]}
    decks = four(FLUSH, FLUSH.replace("C", "D"), FLUSH.replace("C", "H"))
    _, events = scripted(rules, decks, tool_decks=[["virus", "emp"]], knobs={"bail_at": 99})
    assert lines(events, "crack", "tool")[1::2] == [
        {"seat": 1, "tool": "virus"},
        {"seat": 2, "tool": "emp"},
    ]
    assert kinds_of(events, "crack", "tool") == ["crack", "tool", "crack", "tool", "crack"]


def test_the_tool_of_the_last_crack_is_drawn_before_the_game_is_won() -> None:
    rules = {**CLUBS_SWEEP, "tools": True}
    decks = four(*(FLUSH.replace("C", suit) for suit in "CDHS"))
    orders = [list(TOOLS)]
    outcome, events = scripted(rules, decks, tool_decks=orders, knobs={"bail_at": 99})
    assert [line["event"] for line in events[-3:]] == ["crack", "tool", "end"]
    assert outcome["won"]
    assert [line["tool"] for line in lines(events, "tool")] == TOOLS[:4]


def test_hammer_keeps_the_first_of_two_at_the_set_up_and_on_cracking() -> None:
    rules = {**CLUBS_SWEEP, "tools": ["emp", "virus", "donuts"]}
    orders = [["virus", "emp", "donuts"], ["donuts", "emp"], ["emp"]]
    outcome, events = scripted(rules, four(FLUSH), ["hammer"], tool_decks=iter(orders))
    assert events[4:8] == [
        {"event": "tools", "deck": ["virus", "emp", "donuts"]},
        {"event": "tool", "seat": 1, "tool": "virus", "returned": "emp"},
        {"event": "tools", "deck": ["donuts", "emp"]},
        {"event": "round", "round": 1, "turn": 1},
    ]
    at = where(events, "crack")
    clock = {"round": 1, "turn": 5}
    assert events[at + 1 : at + 3] == [
        {"event": "tool", **clock, "seat": 1, "tool": "donuts", "returned": "emp"},
        {"event": "tools", **clock, "deck": ["emp"]},
    ]
    assert outcome["ability.hammer"] == 2


def test_hammer_keeps_the_last_tool_and_gets_none_from_an_empty_deck() -> None:
    rules = {**CLUBS_SWEEP, "tools": ["emp"]}
    outcome, events = scripted(rules, four(FLUSH), ["hammer"], tool_decks=[["emp"]])
    assert lines(events, "tools", "tool") == [{"deck": ["emp"]}, {"seat": 1, "tool": "emp"}]
    assert lines(events, "crack")
    assert outcome["ability.hammer"] == 0


def test_hammer_without_tools_leaves_no_line() -> None:
    _, events = scripted(CLUBS_SWEEP, four(FLUSH), ["hammer"])
    assert lines(events, "crack")
    assert not lines(events, "tools", "tool")


def test_tool_deck_is_shuffled_by_a_function_too() -> None:
    asked: list[list[str]] = []

    def shuffle(tools: list[str]) -> list[str]:
        asked.append(tools)
        return tools[::-1]

    rules = {**CLUBS_SWEEP, "tools": ["emp", "virus", "donuts"]}
    scripted(rules, four(FLUSH), ["hammer"], tool_decks=shuffle)
    assert asked == [["emp", "virus", "donuts"], ["emp", "virus"], ["emp"]]


# Wrong set-ups


@pytest.mark.parametrize(
    ("rules", "setup", "message"),
    [
        ({"players": 3}, {}, "3 players, deal has 4 seats"),
        ({}, {"van": ["2C"]}, "only with these"),
        ({"tools": True}, {}, "tool_decks"),
        ({"tools": ["emp"]}, {"tool_decks": [["virus"]]}, "must put"),
        ({"tools": ["emp"]}, {"tool_decks": []}, "must put"),
        ({"characters": "random"}, {}, "characters"),
        ({}, {"characters": ["hawk", "hawk", None, None]}, "all different"),
        ({}, {"characters": ["hawk"]}, "not one a seat"),
        ({}, {"characters": ["none", None, None, None]}, "not one a seat"),
    ],
)
def test_twin_refuses_a_set_up_that_cannot_be(
    rules: dict[str, Any], setup: dict[str, Any], message: str
) -> None:
    rng = random.Random(1)
    with pytest.raises(ValueError, match=message):
        play(rules, {}, random_deal(rng), random_reshuffle(rng), **setup)


# Whole games

VARIANTS: dict[str, dict[str, Any]] = {
    "four": {},
    "three": {"players": 3},
    "two": {"players": 2},
    "long": {"stealth": 30, "burn": 1, "max_rounds": 60},
    "casino": {"players": 3, "stealth": 30, "burn": 2, "crack": {"straight_flush": 4}},
    "no_trading": {"players": 2, "trading": False, "stealth": 5},
}


GAMES = 12


@cache
def games(variant: str) -> list[tuple[Counter[str], Table, Outcome, Events]]:
    """The cards dealt, the table after the game, and what `play` returned."""
    rules = {"characters": "random", "tools": True, **VARIANTS[variant]}
    played = []
    for seed in range(GAMES):
        table = Table(rules, Simple({}), **random_setup(random.Random(seed), rules))
        dealt = Counter(card for pile in piles_of(table) for card in pile.deck)
        played.append((dealt, table, *table.play()))
    return played


def piles_of(table: Table) -> list[Pile]:
    return [*table.seats, *([table.van] if table.van else [])]


def all_games() -> Iterator[tuple[Outcome, Events]]:
    return ((outcome, events) for variant in VARIANTS for *_, outcome, events in games(variant))


def fed_from(events: Events) -> dict[str, Any]:
    """The arguments of `play` that a trace holds."""
    dealt = [line for line in events if line["event"] == "deal"]
    seats = [line for line in dealt if line["seat"] != "van"]
    shuffles = [line for line in events if line["event"] == "shuffle"]

    def reshuffle(seat: int | str, discards: list[str]) -> list[str]:
        line = shuffles.pop(0)
        assert line["seat"] == seat
        return list(line["deck"])

    return {
        "deal": [(line["guard"], line["deck"]) for line in seats],
        "reshuffle": reshuffle,
        "characters": [line.get("character") for line in seats],
        "van": next((line["deck"] for line in dealt if line["seat"] == "van"), None),
        "tool_decks": [line["deck"] for line in events if line["event"] == "tools"],
    }


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_played_again_from_its_own_trace(variant: str) -> None:
    rules = {"tools": True, **VARIANTS[variant]}
    for *_, outcome, events in games(variant):
        assert play(rules, {}, **fed_from(events)) == (outcome, events)


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_card_and_no_tool_is_lost_or_doubled(variant: str) -> None:
    for dealt, table, outcome, events in games(variant):
        assert dealt.total() == 44
        assert set(dealt.values()) == {1}
        left = Counter(c for p in piles_of(table) for c in [*p.deck, *p.discards, *p.display])
        gone = Counter(line["card"] for line in lines(events, "burn", "remove"))
        if outcome["lost_to"] in ("none", "display"):  # a caught alarm leaves its cards nowhere
            assert left + gone == dealt
        held = [tool for seat in table.seats for tool in seat.tools]
        assert sorted([*held, *table.tools]) == sorted(TOOLS)


def counted(events: Events, column: str) -> int:
    kind = {"ability.acrobat": "replace", "ability.raven": "distraction"}.get(column)
    if kind:
        return len(lines(events, kind))
    return sum("returned" in line for line in lines(events, "tool"))


def test_abilities_are_met_and_counted_as_their_lines() -> None:
    met: Counter[str] = Counter()
    for outcome, events in all_games():
        for column in ("ability.acrobat", "ability.raven", "ability.hammer"):
            assert outcome[column] == counted(events, column)
        met.update({who: outcome[f"ability.{who}"] for who in CHARACTERS})
    assert all(met[who] for who in "acrobat hammer spotter juicer raven".split())
    assert not any(met[who] for who in "hawk rook hacker peterman".split())


def test_simple_declines_every_option() -> None:
    options = ("use", "dynamite", "hawk", "rook", "quiet", "on_top")
    assert not any(lines(events, *options) for _, events in all_games())


def played(rules: dict[str, Any], seed: int) -> tuple[Outcome, Events]:
    return play(rules, {}, **random_setup(random.Random(seed), rules))


@pytest.mark.parametrize(
    "change",
    [{"stealth_cap": 2}, {"peterman_before_guard": True}, {"dynamite_inactive": True}],
)
def test_fields_of_declined_options_change_nothing(change: dict[str, Any]) -> None:
    rules = {"characters": "random", "tools": True, "players": 3}
    for seed in range(GAMES):
        assert played(rules, seed) == played({**rules, **change}, seed)
