"""The rule checker on hand-written traces: the set-up, the Van, the end."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from .burgle_checker import TOOL_FIELDS, check
from .tales import DEALT, SAFE, Decks, Tale, armed, legal, refused


@pytest.mark.rule("B3")
def test_the_van_is_dealt_what_is_left() -> None:
    legal(Tale("", "", "", "").round())
    legal(Tale("", "", "").round())
    legal(Tale("", "").round())
    short = Tale("", "", "")
    short.lines[-1]["deck"].pop()
    refused(short, "B3")
    three = Tale("", "", "", "")
    three.lines[0]["rules"]["players"] = 3
    three.lines.pop()
    refused(three.plus("deal", seat=4, guard="JS", deck=[]), "B3")
    five = Tale("", "")
    five.lines[0]["rules"]["players"] = 5
    five.lines = five.lines[:1]
    refused(five, "B3")


@pytest.mark.rule("B4")
def test_characters_are_those_asked_for_and_all_different() -> None:
    legal(Tale("", "", characters="hawk rook").round())
    other = Tale("", "", characters="hawk rook")
    other.lines[0]["rules"]["characters"] = ["raven", "rook"]
    other.lines = other.lines[:2]
    refused(other, "B4")
    drawn = Tale("", "", characters="hawk rook")
    drawn.lines[0]["rules"]["characters"] = "random"
    legal(drawn.round())
    twice = Tale("", "", characters="hawk hawk")
    twice.lines[0]["rules"]["characters"] = "random"
    refused(twice, "B4")
    nobody = Tale("", "", characters="hawk rook")
    nobody.lines[0]["rules"]["characters"] = "none"
    nobody.lines = nobody.lines[:2]
    refused(nobody, "trace format")


@pytest.mark.rule("B6", "R33")
def test_a_crack_takes_the_next_tool_while_there_is_one() -> None:
    tale = Tale("2C", "2D 3D", tools="emp", **SAFE).round().turn(1, 2).crack(1, "2C")
    refused(tale.plus("crack", seat=2, cards=["2D"], kind="flush"), "B6")
    refused(tale.plus("tool", seat=1, tool="virus"), "B6")
    refused(tale.plus("tool", seat=2, tool="emp"), "B6")
    legal(tale.take_tool(1).crack(2, "2D"))
    bare = Tale("2C", "2H", **SAFE).round().turn(1, 2).crack(1, "2C")
    refused(bare.plus("tool", seat=1, tool="emp"), "B10")
    refused(Tale("", "").say("tools", deck=["emp"]), "B10")
    every = Tale("", "")
    every.lines[0]["rules"]["tools"] = True
    refused(every.plus("tools", deck=list(TOOL_FIELDS)[1:]), "B6")
    legal(every.say("tools", deck=list(TOOL_FIELDS)))


@pytest.mark.rule("C3", "R19")
def test_the_hammer_keeps_one_of_two_tools() -> None:
    tale = Tale("", "", characters="hammer none", tools="emp virus donuts")
    legal(tale)
    tale.lines = tale.lines[:-2]
    legal(tale.plus("tool", seat=1, tool="virus", returned="emp"))
    refused(tale.plus("tool", seat=1, tool="emp"), "C3")
    refused(tale.plus("tool", seat=1, tool="donuts", returned="emp"), "C3")
    refused(tale.plus("round"), "C3")
    kept = tale.plus("tool", seat=1, tool="virus", returned="emp")
    legal(kept.plus("tools", deck=["emp", "donuts"]))
    refused(kept.plus("tools", deck=["virus", "donuts"]), "B6")
    refused(kept.plus("round"), "B6")


@pytest.mark.rule("C3", "R19")
def test_the_hammer_draws_two_when_it_cracks() -> None:
    tale = Tale("2C", "2H", characters="hammer none", tools="emp virus donuts", **SAFE)
    tale.round().turn(1, 2).crack(1, "2C")
    refused(tale.plus("tool", seat=1, tool="donuts"), "C3")
    tale.take_tool(1, hammer=True)
    legal(tale)
    last = Tale("2C", "2H", characters="hammer none", tools="emp", **SAFE)
    legal(last.round().turn(1, 2).crack(1, "2C").bail(2))


@pytest.mark.rule("B12", "R4")
def test_the_van_draws_after_the_seats() -> None:
    tale = Tale("2D", "2H", van="3C").round().turn(1, 2, van=False)
    refused(tale.plus("bail", seat=1), "B12")
    refused(tale.plus("draw", seat="van", card="4C"), "B12")
    legal(tale.draw("van").bail(1, 2).say("round_end"))
    refused(Tale("2D", "2H").round().turn(1, van=False).draw("van"), "B11")


@pytest.mark.rule("B12", "R46")
def test_the_vans_jack_discards_a_guard() -> None:
    tale = Tale("JC", "2H", van="JS").round().turn(1, 2)
    legal(tale.plus("bail", seat=1))
    refused(tale.plus("van_guard", seat=2, card="JD"), "B12")
    refused(tale.plus("van_guard", seat="van", card="JS"), "B12")
    refused(tale.plus("van_guard", seat=1, card="JS"), "B12")
    tale.say("van_guard", seat=1, card="JC")
    refused(copy.deepcopy(tale).trade((1, 2, "JC"), (2, 1, "2H")), "B14")
    refused(tale.plus("van_guard", seat=1, card="JC"), "B12")
    check(tale.bail(1, 2).say("round_end").end(draws=3, turns=1, rounds=1, stalled=1).lines)
    no_jack = Tale("JC", "2H", van="3S").round().turn(1, 2)
    refused(no_jack.plus("van_guard", seat=1, card="JC"), "B12")


@pytest.mark.rule("B12", "R46")
def test_the_vans_jack_reaches_seats_that_have_left() -> None:
    tale = Tale("JC", "2H 3H", van="2S JS").round().turn(1, 2).bail(1).turn(2)
    legal(tale.say("van_guard", seat=1, card="JC"))


@pytest.mark.rule("B14", "R47", "R58")
def test_the_van_trades_its_card_but_no_jack() -> None:
    tale = Tale("2D", "2H", van="3C").round().turn(1, 2)
    refused(copy.deepcopy(tale).trade(("van", 1, "3C"), (1, "van", "2D")), "trace format")
    refused(copy.deepcopy(tale).trade((1, "van", "2D"), (2, 1, "2H")), "B14")
    tale.trade((1, "van", "2D"), ("van", 1, "3C")).bail(1, 2).say("round_end")
    ended: dict[str, Any] = {"rounds": 1, "turns": 1, "draws": 3, "trades": 2, "stalled": 1}
    check(copy.deepcopy(tale).end(**ended).lines)
    refused(tale.end(**ended | {"trades": 1}), "outcome columns")
    jack = Tale("2D", "2H", van="JS").round().turn(1, 2)
    refused(jack.trade((1, "van", "2D"), ("van", 1, "JS")), "B14")
    guard = Tale("JC", "2H", van="3C").round().turn(1, 2)
    refused(copy.deepcopy(guard).trade((1, "van", "JC"), ("van", 1, "3C")), "B14")
    refused(guard.trade((2, 1, "2H"), ("van", 2, "3C")), "B14")
    absent = Tale("2D", "2H", "2S", "3S").round().turn(1, 2, 3, 4)
    refused(absent.trade((1, "van", "2D"), ("van", 1, "3C")), "B14")


def long_game(*, traded: bool) -> tuple[Tale, Decks]:
    """Three seats bail in each of eleven rounds; then all decks are empty. And what was dealt."""
    tale = Tale("2D", "", "", van="3C", max_rounds=20, stealth=9)
    dealt = copy.deepcopy(tale.decks)
    for number in range(DEALT):
        tale.round().turn(1, 2, 3)
        if traded and number == 0:
            tale.trade((1, "van", "2D"), ("van", 1, "3C"))
        tale.bail(1, 2, 3).say("round_end")
    for seat in (1, 2, 3):
        tale.say("stealth", seat=seat, cause="display", left=8)
    return tale.round().say("turn"), dealt


@pytest.mark.rule("B12", "B14", "R48")
@pytest.mark.parametrize("traded", [True, False])
def test_the_vans_deck_is_remade_from_what_is_the_vans(traded: bool) -> None:
    tale, dealt = long_game(traded=traded)
    swapped = copy.deepcopy(dealt)
    swapped[1][0], swapped["van"][0] = dealt["van"][0], dealt[1][0]
    right, wrong = (swapped, dealt) if traded else (dealt, swapped)
    refused(copy.deepcopy(tale).shuffle(1, *wrong[1]), "B11")
    for seat in (1, 2, 3):
        tale.shuffle(seat, *right[seat]).draw(seat)
    refused(copy.deepcopy(tale).shuffle("van", *wrong["van"]), "B11")
    refused(copy.deepcopy(tale).shuffle("van", *right["van"][:-1]), "B11")
    legal(tale.shuffle("van", *right["van"]).draw("van"))


@pytest.mark.rule("R45")
def test_the_van_is_no_seat() -> None:
    crowbar = armed("2D", "2H", tool="crowbar", van="3C").round().turn(1, 2)
    refused(crowbar.use(1, "crowbar", target="van", card="3C"), "R34")
    steth = armed("2D", "2H", tool="stethoscope").round()
    refused(steth.use(1, "stethoscope", target="van"), "R37")
    ball = armed("2D", "2H", tool="crystal_ball").round()
    places = [{"seat": 2, "place": 11}, {"seat": "van", "place": 22}]
    refused(ball.use(1, "crystal_ball", places=places), "T2")
    bomb = armed("2D", "2H", tool="dynamite", van="3C").round().turn(1, 2)
    bomb.use(1, "dynamite").say("dynamite", seat=1, card="2D").say("dynamite", seat=2, card="2H")
    refused(bomb.say("dynamite", seat="van", card="3C"), "R41")
    refused(Tale("", "").round().say("use", seat="van", tool="emp"), "R45")


@pytest.mark.rule("B27")
def test_every_column_of_the_end_is_checked() -> None:
    tale = Tale("2D", "2H", characters="hawk rook").round().turn(1, 2).bail(1, 2)
    tale.say("round_end")
    ended: dict[str, Any] = {"rounds": 1, "turns": 1, "draws": 3, "stalled": 1}
    tale.end(**ended, character__1="hawk", character__2="rook")
    check(tale.lines)
    for name, value in tale.lines[-1]["outcome"].items():
        wrong = copy.deepcopy(tale)
        wrong.lines[-1]["outcome"][name] = "van" if isinstance(value, str) else value + 1
        refused(wrong, "outcome columns")
        del wrong.lines[-1]["outcome"][name]
        refused(wrong, "outcome columns")
