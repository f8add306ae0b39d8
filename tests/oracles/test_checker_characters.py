"""The rule checker on hand-written traces: the characters."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from .burgle_checker import check
from .tales import PEEKS, SAFE, Tale, armed, legal, refused


@pytest.mark.rule("C1", "R56")
def test_the_hawk_looks_at_two_cards() -> None:
    tale = Tale("10D 2H 3H 4H", "2S 4S", characters="hawk none", **PEEKS).round().turn(1, 2)
    refused(tale.plus("bail", seat=1), "C1")
    refused(tale.plus("hawk", seat=1, cards=["3H", "2H"]), "C1")
    refused(tale.plus("hawk", seat=1, cards=["2H", "3H"], discarded="4H"), "C1")
    refused(tale.plus("peek", seat=1, cause="total", card="3H", discarded=False), "C1")
    legal(tale.plus("hawk", seat=1, cards=["2H", "3H"]).turn(1, van=False))
    legal(tale.plus("peek", seat=1, cause="total", card="2H", discarded=False).turn(1, van=False))
    tale.say("hawk", seat=1, cards=["2H", "3H"], discarded="3H")
    refused(copy.deepcopy(tale).turn(van=False).say("draw", seat=1, card="3H"), "B11")
    tale.turn(1, 2).bail(1, 2).say("round_end")
    ended: dict[str, Any] = {
        "rounds": 1,
        "turns": 2,
        "draws": 6,
        "peeks": 1,
        "stalled": 1,
        "ability__hawk": 1,
    }
    check(copy.deepcopy(tale).end(**ended, character__1="hawk").lines)
    refused(tale.end(**ended | {"ability__hawk": 0}, character__1="hawk"), "outcome columns")


@pytest.mark.rule("C1", "R14")
def test_the_hawk_does_not_peek_on_5() -> None:
    five = Tale("5D 2H 3H", "2S", characters="hawk none", **PEEKS).round().turn(1, 2)
    refused(five.plus("peek", seat=1, cause="total", card="2H", discarded=False), "C1")
    refused(five.plus("hawk", seat=1, cards=["2H", "3H"]), "C1")
    legal(five.bail(1))
    soft = Tale("4D AH 2H 3H", "2S 6S", characters="hawk none", **PEEKS).round()
    soft.turn(1, 2).turn(1, 2)
    refused(soft.plus("bail", seat=1), "C1")
    legal(soft.say("hawk", seat=1, cards=["2H", "3H"]))
    plain = Tale("10D 2H 3H", "2S", **PEEKS).round().turn(1, 2)
    refused(plain.say("hawk", seat=1, cards=["2H", "3H"]), "C1")


@pytest.mark.rule("R15")
def test_the_hawk_sees_the_last_card_alone() -> None:
    rules: dict[str, Any] = {
        "peek_totals": [10],
        "alarm_over": 9,
        "alarm_discards": 8,
        "max_rounds": 9,
    }
    tale = Tale("10D JC 3H 4H 5H 6H 7H 8H 9H 10H AH", "2S 3S", characters="hawk none", **rules)
    tale.round().turn(1, 2).say("hawk", seat=1, cards=["JC", "3H"])
    tale.alarm(1, *"JC 3H 4H 5H 6H 7H 8H 9H".split())
    tale.say("stealth", seat=1, cause="alarm", left=1).say("remove", seat=1, card="3H")
    tale.bail(2).say("round_end").round().turn(1, 2)
    refused(tale.plus("hawk", seat=1, cards=["AH", "4H"]), "C1")
    refused(tale.plus("shuffle", seat=1, deck=[]), "C1")
    legal(
        tale.say("hawk", seat=1, cards=["AH"], discarded="AH").say("alarm", seat=1, cause="total")
    )


@pytest.mark.rule("R13")
def test_the_hawk_sees_one_card_by_a_twenty_one() -> None:
    tale = Tale("10D 2H 3H", "10S 3S", characters="hawk none", jackpot_total=10, van="4S")
    tale.round().turn(1, 2).say("twenty_one", seat=1, choice="peek")
    refused(tale.plus("hawk", seat=1, cards=["2H", "3H"]), "C1")
    legal(tale.say("peek", seat=1, cause="twenty_one", card="2H", discarded=True))


@pytest.mark.rule("C2", "R16", "R55")
def test_the_acrobat_replaces_its_guard_as_first_card() -> None:
    tale = Tale("JC 2D 3D", "2H 3H", characters="acrobat none").round().turn(1, van=False)
    refused(tale.plus("draw", seat=2, card="2H"), "C2")
    refused(tale.plus("replace", seat=1, card="JC", cause="donuts"), "C2")
    tale.say("replace", seat=1, card="JC", cause="acrobat")
    refused(tale.plus("draw", seat=2, card="2H"), "B11")
    tale.draw(1, 2, "van").bail(1, 2).say("round_end")
    ended: dict[str, Any] = {
        "rounds": 1,
        "turns": 1,
        "draws": 4,
        "stalled": 1,
        "character__1": "acrobat",
    }
    refused(copy.deepcopy(tale).end(**ended), "outcome columns")
    check(tale.end(**ended, ability__acrobat=1).lines)


@pytest.mark.rule("R16")
def test_nobody_else_and_no_later_card_is_replaced() -> None:
    second = Tale("2D JC", "2H", characters="acrobat none").round().turn(1, 2).bail(2)
    second.turn(1, van=False)
    refused(second.plus("replace", seat=1, card="JC", cause="acrobat"), "R16")
    legal(second.draw("van").say("bail", seat=1))
    other = Tale("JC", "2H", characters="rook acrobat").round().turn(1, van=False)
    refused(other.say("replace", seat=1, card="JC", cause="acrobat"), "R16")
    number = Tale("2D", "2H", characters="acrobat none").round().turn(1, van=False)
    refused(number.say("replace", seat=1, card="2D", cause="acrobat"), "R16")


@pytest.mark.rule("R5", "C2")
def test_a_replaced_guard_stays_out_of_a_remade_deck() -> None:
    rules: dict[str, Any] = {
        "alarm_over": 1,
        "alarm_discards": 9,
        "alarm_removes": 0,
        "max_rounds": 9,
    }
    tale = Tale("2D 3D", "AD", characters="acrobat none", **rules).round().turn(1, 2)
    flipped = tale.decks[1][:9]
    tale.alarm(1, *flipped).bail(2).say("round_end").round().turn(1, van=False)
    tale.say("replace", seat=1, card="JC", cause="acrobat")
    refused(copy.deepcopy(tale).shuffle(1, *flipped, "2D", "JC"), "B11")
    legal(tale.shuffle(1, *flipped, "2D").draw(1, 2))


@pytest.mark.rule("R17", "R3")
def test_an_acrobat_without_another_card_draws_nothing() -> None:
    rules: dict[str, Any] = {
        "alarm_over": 1,
        "alarm_discards": 20,
        "alarm_removes": 20,
        "max_rounds": 9,
    }
    tale = armed("AD", "2D", tool="crowbar", others="acrobat", **rules).round().turn(1, 2)
    numbers = tale.decks[2][:-1]
    tale.alarm(2, *numbers, "JD").say("stealth", seat=2, cause="alarm", left=1)
    for card in numbers:
        tale.say("remove", seat=2, card=card)
    tale.bail(1).use(1, "crowbar", target=2, card="2D").say("round_end")
    tale.round().turn(1, van=False).shuffle(2, "JD").draw(2)
    refused(tale.plus("draw", seat="van", card=tale.decks["van"][0]), "C2")
    tale.say("replace", seat=2, card="JD", cause="acrobat")
    refused(tale.plus("draw", seat=2, card="JD"), "B11")
    tale.say("no_card", seat=2).draw("van")
    refused(tale.plus("turn"), "R3")
    legal(tale.bail(1, 2))


@pytest.mark.rule("C4", "R20")
@pytest.mark.parametrize(("kept", "remade"), [("9H", 1), ("8H", 0)])
def test_the_spotter_counts_decks_with_a_9_or_10(kept: str, remade: int) -> None:
    rules: dict[str, Any] = {
        "alarm_over": 1,
        "alarm_discards": 20,
        "alarm_removes": 0,
        "max_rounds": 2,
    }
    cards = ["2D", kept, *"2H 3H 4H 5H 6H 7H 3S 4S".split(), "JC"]
    tale = Tale(" ".join(cards), "AD AH", characters="spotter none", **rules)
    tale.round().turn(1, 2).alarm(1, *cards[1:])
    tale.say("stealth", seat=1, cause="alarm", left=1).bail(2).say("round_end")
    tale.round().turn(van=False).shuffle(1, *cards).draw(1, 2, "van").alarm(1, *cards[1:])
    tale.say("stealth", seat=1, cause="alarm", left=0).bail(2).say("round_end")
    ended: dict[str, Any] = {
        "rounds": 2,
        "turns": 2,
        "draws": 6,
        "alarms": 2,
        "seat_alarms__1": 2,
        "stalled": 1,
    }
    ended |= {"stealth_lost": 2, "stealth_left__1": 0, "character__1": "spotter"}
    check(copy.deepcopy(tale).end(**ended, ability__spotter=remade).lines)
    refused(tale.end(**ended, ability__spotter=1 - remade), "outcome columns")


@pytest.mark.rule("C5", "R22")
def test_the_juicer_is_over_at_25() -> None:
    tale = Tale("10D 10H 4H 2S", "2H 3H 4D 5H", characters="juicer none", max_rounds=1).round()
    tale.turn(1, 2).turn(1, 2).turn(1, 2)
    refused(tale.plus("alarm", seat=1, cause="total"), "C5")
    over = copy.deepcopy(tale).turn(1, 2)
    refused(over.plus("bail", seat=1), "C5")
    legal(over.say("alarm", seat=1, cause="total"))
    tale.bail(1, 2).say("round_end")
    ended: dict[str, Any] = {
        "rounds": 1,
        "turns": 3,
        "draws": 9,
        "stalled": 1,
        "character__1": "juicer",
    }
    check(copy.deepcopy(tale).end(**ended, ability__juicer=1).lines)
    refused(tale.end(**ended), "outcome columns")
    plain = Tale("10D 10H 4H", "2H 3H 4D").round().turn(1, 2).turn(1, 2).turn(1, 2)
    refused(plain.plus("bail", seat=1), "B21")


@pytest.mark.rule("R22")
def test_the_juicers_best_reading_may_be_24() -> None:
    rules: dict[str, Any] = {**SAFE, "max_rounds": 2, "peek_totals": []}
    for name, targeted in (("juicer", False), ("rook", True)):
        tale = Tale("2C 3D AH 10H", "2H 3H 4H 5H", characters=f"{name} none", **rules).round()
        tale.turn(1, 2).crack(1, "2C").bail(2).say("round_end").round().turn(1, 2).turn(1, 2)
        tale.turn(1, 2).bail(1)  # 3 A 10: 14 or 24
        alarm = tale.plus("alarm", seat=1, cause="targeted")
        on = tale.plus("bail", seat=2)
        legal(alarm if targeted else on)
        refused(on if targeted else alarm, "B22" if targeted else "B10")


@pytest.mark.rule("C6", "R24", "B22")
def test_the_raven_escapes_with_an_even_total() -> None:
    tale = Tale("10D 10H 2S 3C", "2H 3H 4D", characters="raven none").round()
    tale.turn(1, 2).turn(1, 2).turn(1, 2)
    refused(tale.plus("alarm", seat=1, cause="total"), "C6")
    refused(tale.plus("bail", seat=2), "C6")
    tale.say("distraction", seat=1)
    refused(copy.deepcopy(tale).say("flip", seat=1, card="3C"), "B10")
    tale.bail(2).say("round_end")
    ended: dict[str, Any] = {
        "rounds": 1,
        "turns": 3,
        "draws": 9,
        "stalled": 1,
        "character__1": "raven",
    }
    check(copy.deepcopy(tale).end(**ended, ability__raven=1).lines)
    refused(tale.end(**ended, ability__raven=1, alarms=1), "outcome columns")
    odd = Tale("10D 10H 3S", "2H 3H 4D", characters="raven none").round()
    odd.turn(1, 2).turn(1, 2).turn(1, 2)
    refused(odd.plus("distraction", seat=1), "C6")
    legal(odd.say("alarm", seat=1, cause="total"))
    plain = Tale("10D 10H 2S", "2H 3H 4D", characters="rook raven").round()
    refused(plain.turn(1, 2).turn(1, 2).turn(1, 2).say("distraction", seat=1), "C6")


@pytest.mark.rule("C6", "B22")
def test_the_raven_does_not_escape_a_targeted_alarm() -> None:
    tale = Tale("2C 4D", "2H 3H", characters="raven none", max_rounds=2, **SAFE).round()
    tale.turn(1, 2).crack(1, "2C").bail(2).say("round_end").round().turn(1, 2).bail(1)
    refused(tale.plus("distraction", seat=1), "C6")
    legal(tale.say("alarm", seat=1, cause="targeted"))


@pytest.mark.rule("R23", "T3")
def test_the_ravens_parity_is_taken_after_the_stethoscope() -> None:
    rules: dict[str, Any] = {"alarm_over": 10}
    tale = armed("2D 3D", "10H 9H", tool="stethoscope", others="raven", **rules).round()
    tale.use(1, "stethoscope", target=2).turn(1, 2).turn(1, 2)
    refused(tale.plus("alarm", seat=2, cause="total"), "C6")
    legal(tale.say("distraction", seat=2))


@pytest.mark.rule("C7", "R25", "R26", "R56")
def test_the_rook_looks_at_another_deck() -> None:
    tale = Tale("10D 2H 3H", "2S 4S 5S", characters="rook none", **PEEKS).round().turn(1, 2)
    tale.say("peek", seat=1, cause="total", card="2H", discarded=False)
    look: dict[str, Any] = {"seat": 1, "target": 2, "card": "4S", "discarded": True}
    refused(tale.plus("rook", **look | {"target": 1, "card": "2H"}), "C7")
    refused(tale.plus("rook", **look | {"target": "van", "card": "2H"}), "C7")
    refused(tale.plus("rook", **look | {"card": "5S"}), "C7")
    refused(tale.plus("rook", **look | {"seat": 2}), "C7")
    legal(tale.plus("bail", seat=1))
    tale.say("rook", **look)
    refused(tale.plus("rook", **look | {"card": "5S"}), "C7")
    refused(copy.deepcopy(tale).turn(1, van=False).say("draw", seat=2, card="4S"), "B11")
    tale.bail(1, 2).say("round_end")
    ended: dict[str, Any] = {"rounds": 1, "turns": 1, "draws": 3, "peeks": 2, "stalled": 1}
    ended |= {"character__1": "rook"}
    check(copy.deepcopy(tale).end(**ended, ability__rook=1).lines)
    refused(tale.end(**ended), "outcome columns")


@pytest.mark.rule("C7", "R25")
def test_the_rook_looks_only_after_its_own_peek_without_a_discard() -> None:
    tale = Tale("10D 2H 3H", "2S 4S", characters="rook none", **PEEKS).round().turn(1, 2)
    look: dict[str, Any] = {"seat": 1, "target": 2, "card": "4S", "discarded": False}
    gone = tale.plus("peek", seat=1, cause="total", card="2H", discarded=True)
    refused(gone.say("rook", **look), "C7")
    other = Tale("10D 2H 3H", "2S 4S", characters="hacker rook", **PEEKS).round().turn(1, 2)
    other.say("peek", seat=1, cause="total", card="2H", discarded=False)
    refused(other.say("rook", **look), "C7")
    every = Tale("10D 2H", "2S 4S", characters="rook none", jackpot_total=10).round().turn(1, 2)
    every.say("twenty_one", seat=1, choice="peek")
    every.say("peek", seat=1, cause="twenty_one", card="2H", discarded=False)
    refused(every.plus("bail", seat=2), "R11")
    legal(
        every.say("rook", **look).say(
            "peek", seat=2, cause="twenty_one", card="4S", discarded=False
        )
    )


@pytest.mark.rule("R26")
def test_the_rooks_look_remakes_an_empty_deck() -> None:
    rules: dict[str, Any] = {
        "alarm_over": 8,
        "alarm_discards": 20,
        "alarm_removes": 0,
        "jackpot_total": 10,
    }
    tale = Tale("2H 8H 3H", "9S", characters="rook none", **rules).round().turn(1, 2)
    old = list(tale.decks[2])
    tale.alarm(2, *old).say("stealth", seat=2, cause="alarm", left=1)
    tale.turn(1).say("twenty_one", seat=1, choice="peek")
    tale.say("peek", seat=1, cause="twenty_one", card="3H", discarded=False)
    look: dict[str, Any] = {"seat": 1, "target": 2, "card": old[-1], "discarded": False}
    refused(tale.plus("rook", **look), "C7")
    refused(copy.deepcopy(tale).shuffle(2, *old, "9S"), "B11")
    tale.shuffle(2, *reversed(old))
    seen: dict[str, Any] = {"seat": 2, "cause": "twenty_one", "card": old[-1], "discarded": True}
    legal(tale.plus("peek", **seen).say("round_end"))
    legal(tale.plus("rook", **look).say("peek", **seen).say("round_end"))


@pytest.mark.rule("R26")
def test_the_rook_cannot_look_where_no_card_is() -> None:
    rules: dict[str, Any] = {
        "alarm_over": 8,
        "alarm_discards": 20,
        "alarm_removes": 20,
        "peek_totals": [8],
    }
    tale = Tale("7H AH 2H", "JD", characters="rook none", **rules).round().turn(1, 2)
    numbers = list(tale.decks[2])
    tale.alarm(2, *numbers)
    for card in numbers:
        tale.say("remove", seat=2, card=card)
    tale.turn(1).say("peek", seat=1, cause="total", card="2H", discarded=False)
    refused(tale.plus("rook", seat=1, target=2, card=numbers[0], discarded=False), "R26")
    legal(tale.bail(1))


def hacker(first: str, second: str, characters: str = "hacker none", **rest: Any) -> Tale:
    return Tale(first, second, characters=characters, **rest).round().turn(1, 2).turn(1, 2)


@pytest.mark.rule("C8", "R27")
def test_the_hacker_gives_the_card_before_its_current_one() -> None:
    tale = hacker("2D 3H 4H", "2H 3S 4S")
    refused(copy.deepcopy(tale).trade((1, 2, "3H"), (2, 1, "2H")), "B14")
    refused(copy.deepcopy(tale).trade((1, 2, "2D"), (1, "van", "3H"), (2, 1, "3S")), "B14")
    legal(copy.deepcopy(tale).trade((1, 2, "3H"), (2, 1, "3S")).turn(1, 2))
    tale.trade((1, 2, "2D"), (2, 1, "3S"))
    third = copy.deepcopy(tale).turn(1, 2)
    refused(copy.deepcopy(third).trade((1, 2, "3H"), (2, 1, "4S")), "R27")
    legal(third.trade((1, 2, "3S"), (2, 1, "4S")).turn(1, 2))
    tale.bail(1, 2).say("round_end")
    ended: dict[str, Any] = {"rounds": 1, "turns": 2, "draws": 6, "trades": 2, "stalled": 1}
    ended |= {"character__1": "hacker"}
    check(copy.deepcopy(tale).end(**ended, ability__hacker=1).lines)
    refused(tale.end(**ended), "outcome columns")


@pytest.mark.rule("C8", "R28")
def test_the_hacker_never_gives_its_guard() -> None:
    before = hacker("JC 3H", "2H 3S")
    refused(copy.deepcopy(before).trade((1, 2, "JC"), (2, 1, "3S")), "R27")
    legal(before.trade((1, 2, "3H"), (2, 1, "3S")).turn(1, 2))
    current = hacker("2D JC", "2H 3S")
    refused(copy.deepcopy(current).trade((1, 2, "JC"), (2, 1, "3S")), "R27")
    legal(current.trade((1, 2, "2D"), (2, 1, "3S")).turn(1, 2))


@pytest.mark.rule("R28", "R2")
def test_the_hacker_cannot_trade_without_a_current_card() -> None:
    tale = hacker("2D 3H", "2H 3S", "hacker hammer", tools="crowbar")
    tale.use(2, "crowbar", target=1, card="3H")
    refused(copy.deepcopy(tale).trade((1, 2, "2D"), (2, 1, "3S")), "R28")
    legal(tale.bail(1, 2))


def peterman(top: str, **rules: Any) -> Tale:
    tale = Tale(top, "2H 3H 4H", characters="peterman none", max_rounds=2, **rules)
    return tale.round().turn(1, 2)


@pytest.mark.rule("C9", "R29")
def test_the_peterman_puts_its_current_card_on_top() -> None:
    tale = peterman("2D 3D 4D").turn(1, 2).bail(1, 2).say("round_end")
    refused(tale.plus("on_top", seat=1, card="2D"), "C9")
    refused(tale.plus("on_top", seat=2, card="3H"), "C9")
    legal(copy.deepcopy(tale).round().turn(1, 2))
    tale.say("on_top", seat=1, card="3D")
    refused(tale.plus("on_top", seat=1, card="3D"), "C9")
    tale.round()
    refused(copy.deepcopy(tale).turn(1, van=False), "B11")
    tale.decks[1].insert(0, "3D")
    tale.turn(1, 2).bail(1, 2).say("round_end")
    ended: dict[str, Any] = {
        "rounds": 2,
        "turns": 3,
        "draws": 9,
        "stalled": 1,
        "character__1": "peterman",
    }
    check(copy.deepcopy(tale).end(**ended, ability__peterman=1).lines)
    refused(tale.end(**ended), "outcome columns")


@pytest.mark.rule("C9", "B13")
def test_the_peterman_keeps_its_current_card_after_it_has_left() -> None:
    tale = peterman("2D 3D 4D").bail(1).turn(2).bail(2).say("round_end")
    legal(tale.say("on_top", seat=1, card="2D"))
    traded = peterman("2D 3D").trade((1, 2, "2D"), (2, 1, "2H")).bail(1, 2).say("round_end")
    refused(traded.plus("on_top", seat=1, card="2D"), "C9")
    legal(traded.say("on_top", seat=1, card="2H"))


@pytest.mark.rule("R29")
def test_the_peterman_and_its_guard() -> None:
    paid: dict[str, Any] = {"seat": 1, "cause": "display", "left": 1}
    after = peterman("JC 3D").bail(1, 2).say("round_end")
    refused(after.plus("on_top", seat=1, card="JC"), "C9")
    legal(after.say("stealth", **paid).say("on_top", seat=1, card="JC").round())
    before = peterman("JC 3D", peterman_before_guard=True).bail(1, 2).say("round_end")
    refused(before.plus("stealth", **paid).say("on_top", seat=1, card="JC"), "C9")
    refused(before.plus("on_top", seat=1, card="JC").say("stealth", **paid), "B10")
    legal(before.say("on_top", seat=1, card="JC").round())


@pytest.mark.rule("R29", "R2")
def test_the_peterman_has_nothing_to_put_on_top_without_a_current_card() -> None:
    tale = armed("2D", "2H 3H", tool="crowbar", others="peterman").round().turn(1, 2)
    tale.use(1, "crowbar", target=2, card="2H").bail(1, 2).say("round_end")
    refused(tale.say("on_top", seat=2, card="2H"), "C9")
