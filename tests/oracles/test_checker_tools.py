"""The rule checker on hand-written traces: the tools and the Joker."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from .burgle_checker import RuleBroken, check
from .tales import EMPTY_IN_ROUND_1, SAFE, Tale, armed, legal, refused


@pytest.mark.rule("R30")
def test_tools_are_used_in_the_windows_only() -> None:
    def window(opened: bool) -> None:
        used = copy.deepcopy(tale).use(1, "virus")
        legal(used) if opened else refused(used, "R30")

    def look(seat: int, card: str) -> None:
        tale.say("peek", seat=seat, cause="total", card=card, discarded=False)

    tale = armed("2D 3D", "2H 3H", tool="virus", peek_totals=[2], max_rounds=2)
    window(False)
    tale.round()
    window(True)
    tale.turn(1, van=False)
    window(False)
    tale.draw(2)
    window(False)
    tale.draw("van")
    window(True)
    tale.trade((1, 2, "2D"), (2, 1, "2H"))
    window(True)
    look(1, "3D")
    window(False)
    look(2, "3H")
    window(True)
    tale.bail(1)
    window(False)
    tale.bail(2)
    window(True)
    tale.say("round_end")
    window(False)


@pytest.mark.rule("R30", "R1")
def test_a_tool_may_come_after_checks_that_leave_no_line() -> None:
    rules: dict[str, Any] = {"peek_totals": [3], "jackpot_total": 5}
    tale = armed("10D", "2S", tool="stethoscope", **rules).round().turn(1, 2)
    tale.use(1, "stethoscope", target=1)
    legal(tale.plus("peek", seat=1, cause="total", card=tale.decks[1][0], discarded=True))
    legal(tale.plus("bail", seat=1))
    due = armed("3D", "10S", tool="stethoscope", **rules).round().turn(1, 2)
    due.use(1, "stethoscope", target=2)
    refused(due.plus("bail", seat=1), "B18")
    bomb = armed("10D 2D", "2S 3H", tool="dynamite", peek_totals=[3]).round().turn(1, 2)
    bomb.use(1, "dynamite").say("dynamite", seat=1, card="10D")
    bomb.say("dynamite", seat=2, card="2S").draw(1, 2)
    refused(bomb.say("bail", seat=1), "B18")


@pytest.mark.rule("R31")
def test_a_tool_is_used_once_by_its_owner() -> None:
    tale = armed("2D", "2H", tool="virus donuts").round()
    refused(copy.deepcopy(tale).use(2, "virus"), "R31")
    refused(copy.deepcopy(tale).use(1, "donuts", target=1), "R31")
    refused(copy.deepcopy(tale).use(1, "sledgehammer"), "R31")
    legal(tale.use(1, "virus"))
    refused(tale.use(1, "virus"), "R31")


@pytest.mark.rule("R32", "R31")
def test_a_tool_is_used_in_the_turn_of_its_crack_and_while_inactive() -> None:
    tale = Tale("2C", "2D", tools="virus emp", **SAFE).round().turn(1, 2).crack(1, "2C")
    tale.take_tool(1)
    refused(copy.deepcopy(tale).use(1, "virus"), "R30")
    other = Tale("2C", "2H", tools="virus emp", **SAFE).round().turn(1, 2).crack(1, "2C")
    refused(copy.deepcopy(other).use(1, "virus"), "R30")
    legal(other.take_tool(1).use(1, "virus").bail(2))


@pytest.mark.rule("T1", "R34", "R2")
def test_the_crowbar_removes_a_card_of_a_display() -> None:
    tale = armed("2D 3D", "2H JD", tool="crowbar").round()
    refused(copy.deepcopy(tale).use(1, "crowbar", target=2, card="2H"), "R34")
    tale.turn(1, 2).turn(1, 2)
    refused(copy.deepcopy(tale).use(1, "crowbar", target=2, card="JD"), "T1")
    refused(copy.deepcopy(tale).use(1, "crowbar", target=1, card="2H"), "R34")
    refused(copy.deepcopy(tale).use(1, "crowbar", target=3, card="2H"), "R34")
    refused(tale.plus("use", seat=1, tool="crowbar", target=2), "trace format")
    gone = copy.deepcopy(tale).use(1, "crowbar", target=1, card="3D")
    refused(gone.trade((1, "van", "3D"), ("van", 1, tale.lines[-1]["card"])), "B14")
    tale.use(1, "crowbar", target=2, card="2H").bail(1, 2).say("round_end")
    tale.say("stealth", seat=2, cause="display", left=1)
    ended: dict[str, Any] = {"rounds": 1, "turns": 2, "draws": 6, "tools_used": 1, "stalled": 1}
    ended |= {"stealth_lost": 1, "stealth_left__2": 1, "character__1": "hammer"}
    check(copy.deepcopy(tale).end(**ended, removed=1, used__crowbar=1).lines)
    refused(copy.deepcopy(tale).end(**ended, used__crowbar=1), "outcome columns")
    refused(tale.end(**ended, removed=1), "outcome columns")


@pytest.mark.rule("T2", "R35", "R36")
def test_the_crystal_ball_tells_where_the_other_guards_are() -> None:
    def ball(*places: tuple[int, int]) -> Tale:
        told = [{"seat": seat, "place": place} for seat, place in places]
        return copy.deepcopy(tale).use(1, "crystal_ball", places=told)

    tale = armed("2D 3D", "2H JD", "3S JH", tool="crystal_ball").round().turn(1, 2, 3)
    legal(ball((2, 1), (3, 1)))
    refused(ball((2, 2), (3, 1)), "T2")
    refused(ball((2, 1)), "T2")
    refused(ball((1, 10), (2, 1), (3, 1)), "T2")
    tale.turn(1, 2, 3)
    refused(ball(), "R31")


@pytest.mark.rule("T3", "R37")
def test_the_stethoscope_subtracts_7_to_the_end_of_the_round() -> None:
    rules: dict[str, Any] = {
        "peek_totals": [3],
        "jackpot_total": 5,
        "alarm_over": 9,
        "max_rounds": 2,
    }
    tale = armed("10D 2H", "2S 3S", tool="stethoscope", **rules).round()
    refused(copy.deepcopy(tale).turn(1, 2).bail(1), "B21")
    tale.use(1, "stethoscope", target=1).turn(1, 2)
    refused(tale.plus("bail", seat=1), "B18")
    tale.say("peek", seat=1, cause="total", card="2H", discarded=False)
    refused(tale.plus("alarm", seat=1, cause="total"), "B21")
    tale.turn(1, 2)
    refused(tale.plus("bail", seat=1), "B19")
    legal(tale.say("twenty_one", seat=1, choice="stay"))
    again = armed("10D 10H", "2S 3S", tool="stethoscope", max_rounds=2, alarm_over=9).round()
    again.use(1, "stethoscope", target=1).turn(1, 2).bail(1, 2).say("round_end").round()
    refused(again.turn(1, 2).say("bail", seat=1), "B21")


@pytest.mark.rule("R37")
def test_the_stethoscope_needs_an_active_seat_and_counts_at_the_bail() -> None:
    tale = armed("2D 3D", "2S 3S", tool="stethoscope").round().turn(1, 2).bail(2).turn(1)
    refused(copy.deepcopy(tale).use(1, "stethoscope", target=2), "R37")
    legal(tale.use(1, "stethoscope", target=1))
    cracked = armed("2C 10D 9D", "2S 3S 4S", tool="stethoscope", max_rounds=2, **SAFE).round()
    cracked.turn(1, 2).crack(1, "2C").bail(2).say("round_end").round()
    cracked.turn(1, van=False).draw(2, "van").turn(1, 2)
    free = copy.deepcopy(cracked).bail(1)
    refused(free.say("alarm", seat=1, cause="targeted"), "B10")
    cracked.use(1, "stethoscope", target=1).bail(1)
    refused(cracked.plus("turn"), "B22")
    legal(cracked.say("alarm", seat=1, cause="targeted"))


@pytest.mark.rule("T4", "R38", "R55")
def test_donuts_replace_every_guard_drawn() -> None:
    tale = armed("2D 3D", "2H JD 4H", tool="donuts").round()
    refused(copy.deepcopy(tale).use(1, "donuts", target="van"), "T4")
    late = copy.deepcopy(tale).turn(1, 2)
    refused(late.use(1, "donuts", target=2), "R30")
    tale.use(1, "donuts", target=2).turn(1, 2).turn(1, 2, van=False)
    refused(tale.plus("draw", seat="van", card=tale.decks["van"][0]), "T4")
    tale.say("replace", seat=2, card="JD", cause="donuts")
    refused(copy.deepcopy(tale).draw("van"), "B11")
    tale.draw(2, "van").bail(1, 2).say("round_end")
    ended: dict[str, Any] = {
        "rounds": 1,
        "turns": 2,
        "draws": 7,
        "tools_used": 1,
        "used__donuts": 1,
    }
    ended |= {"stalled": 1, "character__1": "hammer"}
    check(copy.deepcopy(tale).end(**ended).lines)
    refused(tale.end(**ended | {"draws": 6}), "outcome columns")
    other = armed("JC 3D", "2H", tool="donuts").round().use(1, "donuts", target=2)
    refused(other.turn(1, van=False).say("replace", seat=1, card="JC", cause="donuts"), "R38")


@pytest.mark.rule("R18")
def test_the_acrobat_comes_before_donuts() -> None:
    tale = armed("2D", "JD 2H", tool="donuts", others="acrobat").round()
    tale.use(1, "donuts", target=2).turn(1, 2, van=False)
    refused(tale.plus("replace", seat=2, card="JD", cause="donuts"), "C2")
    legal(tale.say("replace", seat=2, card="JD", cause="acrobat").draw(2, "van"))


def blown_game(**columns: Any) -> Tale:
    """Seat 2 is protected by Donuts when Dynamite makes it draw its Guard."""
    names = {"tools": "donuts dynamite", "characters": "hammer acrobat"}
    tale = Tale("2C 4C", "2H 3H JD 4H", **names, **SAFE).round().use(1, "donuts", target=2)
    tale.turn(1, 2).crack(1, "2C").take_tool(1, hammer=True).turn(2).use(1, "dynamite")
    tale.say("dynamite", seat=2, card="3H").draw(2)
    tale.say("replace", seat=2, card="JD", cause="donuts").draw(2).bail(2).say("round_end")
    ended: dict[str, Any] = {"rounds": 1, "turns": 2, "draws": 5, "removed": 1, "stalled": 1}
    ended |= {"tools_used": 2, "used__donuts": 1, "used__dynamite": 1}
    ended |= {"cracked": 1, "crack_round__1": 1, "ability__hammer": 1}
    return tale.end(**ended | {"character__1": "hammer", "character__2": "acrobat"} | columns)


@pytest.mark.rule("R38", "R55", "R16")
def test_donuts_count_for_the_redraws_of_dynamite() -> None:
    tale = blown_game()
    check(tale.lines)
    refused(blown_game(draws=6), "outcome columns")
    at = next(i for i, line in enumerate(tale.lines) if line["event"] == "replace")
    tale.lines = tale.lines[:at]
    refused(tale.plus("replace", seat=2, card="JD", cause="acrobat"), "T4")
    refused(tale.plus("bail", seat=2), "T4")


@pytest.mark.rule("R31")
def test_no_line_of_a_game_can_be_left_out_or_told_twice() -> None:
    lines = blown_game().lines
    for at in range(len(lines)):
        for told in (0, 2):
            with pytest.raises(RuleBroken):
                check(lines[:at] + lines[at : at + 1] * told + lines[at + 1 :])


@pytest.mark.rule("T5", "B5", "R31")
def test_the_makeup_kit_gives_stealth_to_those_who_have_cracked() -> None:
    tale = armed("2C", "2H", tool="makeup_kit", **SAFE).round()
    refused(copy.deepcopy(tale).use(1, "makeup_kit", gained=[]), "R31")
    tale.turn(1, 2).crack(1, "2C")
    refused(copy.deepcopy(tale).use(1, "makeup_kit", gained=[1, 2]), "T5")
    refused(copy.deepcopy(tale).use(1, "makeup_kit", gained=[]), "T5")
    tale.use(1, "makeup_kit", gained=[1]).bail(2).say("round_end")
    ended: dict[str, Any] = {
        "rounds": 1,
        "turns": 1,
        "draws": 3,
        "tools_used": 1,
        "used__makeup_kit": 1,
    }
    ended |= {"stalled": 1, "character__1": "hammer", "crack_round__1": 1, "cracked": 1}
    check(copy.deepcopy(tale).end(**ended, stealth_left__1=3).lines)
    refused(tale.end(**ended), "outcome columns")
    for cap, gains in ((2, False), (3, True)):
        capped = armed("2C", "2H", tool="makeup_kit", stealth_cap=cap, **SAFE).round()
        capped.turn(1, 2).crack(1, "2C").use(1, "makeup_kit", gained=[1])
        legal(capped) if gains else refused(capped, "R31")


@pytest.mark.rule("R39", "R30")
def test_the_makeup_kit_cannot_interrupt_a_loss_of_stealth() -> None:
    tale = armed("2C", "JD", tool="makeup_kit", stealth=0, **SAFE).round().turn(1, 2)
    tale.crack(1, "2C").say("crack", seat=2, cards=["JD"], kind="flush")
    refused(tale.plus("use", seat=1, tool="makeup_kit", gained=[1, 2]), "R30")
    rules = SAFE | {"win_at_once": False}
    late = armed("2C", "JD", tool="makeup_kit", stealth=0, **rules).round().turn(1, 2)
    late.crack(1, "2C").crack(2, "JD")
    legal(copy.deepcopy(late).use(1, "makeup_kit", gained=[1, 2]).say("round_end"))
    refused(late.say("round_end").use(1, "makeup_kit", gained=[1, 2]), "R30")


@pytest.mark.rule("T6", "R57")
def test_no_alarm_is_triggered_after_the_emp() -> None:
    tale = armed("10D 3D", "10H 3S", tool="emp", others="raven", alarm_over=9, max_rounds=2)
    tale.round().turn(1, 2)
    refused(tale.plus("quiet", seat=1, cause="total"), "T6")
    tale.use(1, "emp")
    refused(tale.plus("alarm", seat=1, cause="total"), "T6")
    refused(tale.plus("quiet", seat=1, cause="targeted"), "T6")
    tale.say("quiet", seat=1, cause="total")
    refused(tale.plus("distraction", seat=2), "C6")
    tale.say("quiet", seat=2, cause="total").say("round_end")
    ended: dict[str, Any] = {"rounds": 1, "turns": 1, "draws": 3, "tools_used": 1, "used__emp": 1}
    ended |= {"stalled": 1, "character__1": "hammer", "character__2": "raven"}
    once = copy.deepcopy(tale)
    once.lines[0]["rules"]["max_rounds"] = 1
    check(copy.deepcopy(once).end(**ended).lines)
    refused(once.end(**ended | {"ability__raven": 1}), "outcome columns")


@pytest.mark.rule("R40", "R31", "T6")
def test_the_emp_ends_with_its_round_and_needs_an_active_seat() -> None:
    tale = armed("2C 3D 10D", "2H 3H 4H", tool="emp", max_rounds=3, alarm_over=9, **SAFE).round()
    tale.turn(1, 2).crack(1, "2C").bail(2)
    refused(copy.deepcopy(tale).use(1, "emp"), "R31")
    tale.say("round_end").round().use(1, "emp").turn(1, 2).bail(1)
    refused(tale.plus("alarm", seat=1, cause="targeted"), "T6")
    tale.say("quiet", seat=1, cause="targeted").bail(2).say("round_end")
    tale.round().turn(1, 2)
    refused(tale.plus("quiet", seat=1, cause="total"), "T6")
    legal(tale.say("alarm", seat=1, cause="total"))


@pytest.mark.rule("T7", "R41", "R55")
def test_dynamite_removes_current_cards_and_those_seats_draw_again() -> None:
    tale = armed("2D 3D", "2H 3H", "JH 3S", tool="dynamite").round().turn(1, 2, 3)
    tale.use(1, "dynamite")
    refused(tale.plus("dynamite", seat=2, card="2H"), "R41")
    tale.say("dynamite", seat=1, card="2D")
    refused(copy.deepcopy(tale).draw(1), "R41")
    refused(tale.plus("dynamite", seat=2, card="3H"), "R41")
    tale.say("dynamite", seat=2, card="2H")
    refused(tale.plus("dynamite", seat=3, card="JH"), "R41")
    refused(copy.deepcopy(tale).draw(2), "B11")
    refused(tale.plus("bail", seat=1), "B11")
    tale.draw(1, 2)
    refused(copy.deepcopy(tale).draw(3), "B10")
    legal(copy.deepcopy(tale).trade((1, 2, "3D"), (2, 1, "3H")))
    tale.bail(1, 2, 3).say("round_end").say("stealth", seat=3, cause="display", left=1)
    ended: dict[str, Any] = {
        "rounds": 1,
        "turns": 1,
        "draws": 4,
        "tools_used": 1,
        "used__dynamite": 1,
    }
    ended |= {"stalled": 1, "stealth_lost": 1, "stealth_left__3": 1, "character__1": "hammer"}
    check(copy.deepcopy(tale).end(**ended, removed=2).lines)
    refused(copy.deepcopy(tale).end(**ended), "outcome columns")
    refused(tale.end(**ended | {"draws": 6}, removed=2), "outcome columns")


@pytest.mark.rule("R42", "R31")
def test_dynamite_only_after_the_draws_or_the_trade() -> None:
    tale = armed("2D 3D", "2H 3H", tool="dynamite", peek_totals=[2]).round()
    refused(copy.deepcopy(tale).use(1, "dynamite"), "R42")
    tale.turn(1, 2).trade((1, 2, "2D"), (2, 1, "2H"))
    blown = copy.deepcopy(tale).use(1, "dynamite")
    blown.say("dynamite", seat=1, card="2H").say("dynamite", seat=2, card="2D").draw(1, 2)
    refused(copy.deepcopy(blown).trade((1, 2, "3D"), (2, 1, "3H")), "B10")
    legal(blown.bail(1, 2))
    for seat, card in ((1, "3D"), (2, "3H")):
        tale.say("peek", seat=seat, cause="total", card=card, discarded=False)
    refused(copy.deepcopy(tale).use(1, "dynamite"), "R42")
    refused(tale.bail(1, 2).use(1, "dynamite"), "R42")
    guards = armed("JC", "JD", tool="dynamite").round().turn(1, 2)
    refused(guards.use(1, "dynamite"), "R31")


@pytest.mark.rule("R41")
def test_dynamite_and_seats_that_have_left() -> None:
    for inactive in (False, True):
        tale = armed("2D 3D 4D", "2H 3H", tool="dynamite", dynamite_inactive=inactive).round()
        tale.turn(1, 2).bail(2).turn(1).use(1, "dynamite").say("dynamite", seat=1, card="3D")
        both = tale.plus("dynamite", seat=2, card="2H")
        legal(both.draw(1, 2).bail(1)) if inactive else refused(both, "R41")
        alone = copy.deepcopy(tale).draw(1)
        refused(alone, "R41") if inactive else legal(alone.bail(1))


@pytest.mark.rule("T9", "R44")
def test_the_smoke_bomb_discards_all_guards_of_displays() -> None:
    tale = armed("JC", "2H JD", "JH", tool="smoke_bomb", van="2S").round().turn(1, 2, 3)
    refused(copy.deepcopy(tale).use(1, "smoke_bomb", guards=[1, 2, 3]), "T9")
    refused(copy.deepcopy(tale).use(1, "smoke_bomb", guards=[1]), "T9")
    tale.use(1, "smoke_bomb", guards=[1, 3]).bail(1, 2, 3).say("round_end")
    refused(tale.plus("stealth", seat=1, cause="display", left=1), "B27")
    one = armed("JC", "2H", tool="smoke_bomb", van="JS").round().turn(1, 2)
    refused(copy.deepcopy(one).use(1, "smoke_bomb", guards=[1, "van"]), "R31")
    refused(one.use(1, "smoke_bomb", guards=[1]), "R31")


def joker(*order: str, **rules: Any) -> Tale:
    """Seat 1 draws these cards, one a turn, in round 2."""
    own = [card for card in order if card != "Joker"]
    rules = {**EMPTY_IN_ROUND_1, **rules}
    tale = armed(" ".join(["10D", "3D", *own]), "2H 3H 4H 5H AS", tool="virus", **rules).round()
    deck = list(tale.decks[1])
    tale.turn(1, 2).turn(1, 2).alarm(1, *tale.decks[1])
    tale.say("stealth", seat=1, cause="alarm", left=1).bail(2).use(1, "virus").say("round_end")
    tale.round().turn(van=False)
    rest = [card for card in deck if card not in order]
    tale.shuffle(1, *order, *rest).draw(1, 2, "van").bail(2)
    for _ in order[1:]:
        tale.turn(1)
    return tale


@pytest.mark.rule("T8", "R43")
def test_the_virus_puts_the_joker_into_the_owners_discards() -> None:
    legal(joker("Joker", "AD"))
    rest = joker("Joker", "AD")
    at = next(i for i, line in enumerate(rest.lines) if line["event"] == "shuffle")
    rest.lines = rest.lines[: at + 1]
    rest.lines[at]["deck"].remove("Joker")
    refused(rest, "B11")
    tale = joker("Joker", "AD", jackpot_total=1)
    refused(tale.plus("turn"), "B19")


@pytest.mark.rule("R43", "R50")
def test_the_joker_is_of_every_suit_and_burns_first() -> None:
    rules: dict[str, Any] = {"crack": {"flush": 4}}
    tale = joker("AC", "Joker", "2C", "3C", **rules, burn=2)
    refused(tale.plus("bail", seat=1), "B20")
    refused(copy.deepcopy(tale).crack(1, "Joker", "AC", "2C", "3C"), "trace format")
    refused(copy.deepcopy(tale).crack(1, "AC", "2C", "3C"), "B20")
    refused(copy.deepcopy(tale).crack(1, "AC", "2C", "4C", "Joker"), "R43")
    tale.crack(1, "AC", "2C", "3C", "Joker")
    refused(tale.plus("burn", seat=1, card="AC"), "R50")
    tale.say("burn", seat=1, card="Joker")
    refused(tale.plus("burn", seat=1, card="2C"), "M1")
    legal(tale.say("burn", seat=1, card="AC"))
    short = joker("AC", "Joker", "2C", **rules)
    refused(short.crack(1, "AC", "2C", "Joker"), "B20")


@pytest.mark.rule("R51", "M6")
def test_the_joker_fills_a_straight_where_the_switch_says_so() -> None:
    def straight(tale: Tale, *cards: str) -> Tale:
        return tale.plus("crack", seat=1, cards=list(cards), kind="straight_flush")

    rules: dict[str, Any] = {"crack": {"straight_flush": 4}}
    shut = joker("AC", "2C", "Joker", "4C", **rules)
    refused(straight(shut, "AC", "2C", "4C", "Joker"), "B20")
    tale = joker("AC", "2C", "Joker", "4C", **rules, joker_in_straight=True)
    refused(tale.plus("bail", seat=1), "B20")
    refused(straight(tale, "AC", "2C", "3C", "Joker"), "R51")
    refused(straight(tale, "AC", "4C", "Joker"), "R51")
    legal(straight(tale, "AC", "2C", "4C", "Joker"))
    gaps = joker("AC", "3C", "Joker", "6C", **rules, joker_in_straight=True)
    refused(straight(gaps, "AC", "3C", "6C", "Joker"), "B20")


@pytest.mark.rule("R43", "R34", "B15")
def test_the_joker_is_traded_and_removed_like_a_number() -> None:
    tale = armed("10D 3D", "2H 3H 4H", tool="virus", **EMPTY_IN_ROUND_1).round()
    deck = list(tale.decks[1])
    tale.turn(1, 2).turn(1, 2).alarm(1, *tale.decks[1])
    tale.say("stealth", seat=1, cause="alarm", left=1).bail(2).use(1, "virus").say("round_end")
    tale.round().turn(van=False).shuffle(1, "Joker", *deck).draw(1, 2, "van")
    tale.trade((1, 2, "Joker"), (2, 1, "4H"))
    legal(tale.bail(1, 2).say("round_end").round().turn(1, 2))
