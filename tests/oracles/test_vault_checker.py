"""The rule checker of Vault Breakers on hand-written traces: accepted tales and refused lines."""

from __future__ import annotations

from typing import Any

import pytest

from .vault_checker import COLUMNS, FORMAT, RuleBroken, check
from .vault_tales import (
    FACES_2,
    FACES_3,
    RANKS,
    SKILL,
    Tale,
    card,
    legal,
    raiders,
    refused,
    words,
)

LOW = ("2D 3D", "2C 3C")


# Set-up


@pytest.mark.rule("V1", "V10", "V12", "V13", "V17")
def test_the_switches_have_the_values_that_the_rules_name() -> None:
    for name, value, rule in (
        ("players", 1, "V1"),
        ("players", 7, "V1"),
        ("ace_value", 5, "V10"),
        ("dice_limit", "all", "V12"),
        ("first_break_needs_partner", "no", "V13"),
        ("failure_hits", "nobody", "V17"),
    ):
        switch: dict[str, Any] = {name: value}
        refused(Tale(*LOW, **switch).until("game"), rule)
    tale = Tale(*LOW).until("game")
    refused(tale.changed(game="burgle"), FORMAT)
    refused(tale.changed(rules={"players": 2}), FORMAT)
    legal(Tale("2D", "3D", "4D", "5D", "6D", "7D"))


@pytest.mark.rule("V2", "V4")
def test_the_deal_is_the_right_cards() -> None:
    tale = Tale(*LOW)
    legal(tale)
    deal = tale.until("deal")
    whole = deal.lines[-1]["training"]
    refused(deal.changed(training=whole[1:]), "V2")
    refused(deal.changed(training=[*whole[1:], "2C"]), "V2")
    refused(deal.changed(training=[*whole, "joker"]), "V2")
    refused(deal.changed(loot=[6, 5, 4, 3, 2, 2]), "V4")
    refused(deal.changed(loot=[6, 5, 4, 3, 2]), "V4")
    refused(deal.changed(actions=[]), FORMAT)
    legal(Tale("2D 2D", "2C 3C", training_decks=2))
    legal(Tale(*LOW, loot={6: 1, 5: 1, 4: 1, 3: 1, 2: 1, 1: 1}))


@pytest.mark.rule("V2")
def test_each_seat_gets_the_first_cards() -> None:
    tale = Tale(*LOW).until("hand")
    refused(tale.changed(cards=["3D", "2D"]), "V2")
    refused(tale.changed(cards=["2D"]), "V2")
    refused(tale.changed(seat=2), "V2")
    refused(Tale(*LOW).changed(cards=["2C", "4C"]), "V2")


@pytest.mark.rule("V5")
def test_the_card_decks_are_the_cards_of_the_rules() -> None:
    two = card("gain_tokens", copies=2)
    deal = Tale(*LOW, actions=(two, card("peek_loot"))).until("deal")
    refused(deal, "V5")
    names = ["peek_loot", "gain_tokens", "gain_tokens"]
    legal(deal.changed(actions=names).say("hand", seat=1, cards=["2D", "3D"]))
    refused(deal.changed(actions=[*names, "peek_loot"]), "V5")
    refused(deal.changed(actions=None), FORMAT)
    for kind in ("actions", "reactions"):
        for data, rule in (
            (card("gain_tokens", "on_monday"), "V5"),
            ({**card("gain_tokens"), "cost": {"luck": 1}}, "V5"),
            (card("steal_token", target="poorest"), "E1"),
            (card("steal_token"), "E1"),
            (card("fly"), "E2"),
        ):
            wrong = data if kind == "actions" else {"when": "on_action", **data}
            cards: dict[str, Any] = {kind: (wrong,)}
            refused(Tale(*LOW, **cards).until("game"), rule)
    refused(Tale(*LOW, actions=(two, two)).until("game"), "V5")


@pytest.mark.rule("V5")
def test_some_effects_have_a_moment_of_their_own() -> None:
    for effect, when in (
        ("extra_die", "on_any_break"),
        ("reroll_lowest", "on_any_break"),
        ("add_to_roll", "on_any_break"),
        ("lower_threshold", "on_any_break"),
        ("join_uninvited", "on_any_break"),
        ("protect", "on_targeted"),
        ("cancel_action", "on_action"),
        ("ignore_failure", "on_my_failure"),
    ):
        refused(Tale(*LOW, actions=(card(effect),)).until("game"), "E2")
        for moment in ("on_any_break", "on_targeted", "on_action", "on_my_failure"):
            tale = Tale(*LOW, reactions=(card(effect, moment),))
            legal(tale) if moment == when else refused(tale.until("game"), "E2")


# A turn


@pytest.mark.rule("V6")
def test_the_turns_go_clockwise_from_seat_1() -> None:
    tale = Tale(*LOW).start()
    refused(tale.changed(seat=2), "V6")
    refused(tale.changed(turn=2), FORMAT)
    with pytest.raises(RuleBroken, match=r"^line 6: not an event"):
        check([*tale.lines, "pass"])  # type: ignore[list-item]
    tale.rest().start()
    refused(tale.changed(seat=1), "V6")
    refused(tale.changed(turn=1), FORMAT)
    legal(tale.rest().start())


@pytest.mark.rule("V7", "V8")
def test_draw_cards_up_to_two_and_keep_one() -> None:
    three = tuple(card("gain_tokens", name=name) for name in ("x", "y", "z"))
    for kind, rule in (("actions", "V7"), ("reactions", "V8")):
        when = {} if kind == "actions" else {"when": "on_action"}
        cards: dict[str, Any] = {kind: tuple({**data, **when} for data in three)}
        tale, line = Tale(*LOW, **cards).start(), f"draw_{kind}"
        refused(tale.copy().rest(), rule)
        tale.say(line, seat=1, cards=["x", "y"], kept="y", returned="x")
        refused(tale.changed(cards=["y", "x"]), rule)
        refused(tale.changed(cards=["x", "z"]), rule)
        refused(tale.changed(cards=["x"]), rule)
        refused(tale.changed(kept="z"), rule)
        refused(tale.changed(kept="x"), rule)
        refused(tale.changed(returned=None), FORMAT)
        refused(tale.plus(line, seat=1, cards=[], kept="y"), rule)
        tale.rest().start().say(line, seat=2, cards=["x", "z"], kept="x", returned="z")
        refused(tale.changed(cards=["z", "x"]), rule)
        tale.rest().start()
        refused(tale.plus(line, seat=1, cards=[], kept="y"), rule)
        legal(tale.say(line, seat=1, cards=["z"], kept="z", returned="y"))
        tale.rest().start().say(line, seat=2, cards=["y"], kept="y", returned="x")
        legal(tale)


@pytest.mark.rule("V7")
def test_a_single_card_is_kept_and_an_empty_deck_gives_none() -> None:
    tale = Tale(*LOW, actions=(card("peek_loot"),)).turn()
    refused(tale.changed(returned="peek_loot"), FORMAT)
    tale.rest().start()
    refused(tale.plus("draw_actions", seat=2, cards=[], kept="peek_loot"), "V7")
    legal(tale.rest().turn())
    refused(tale.until("turn", 3).rest(), "V7")


@pytest.mark.rule("V9")
def test_training_cards_come_from_the_top() -> None:
    tale = Tale(*LOW, then="7D 9S 8H", draw=2).turn()
    legal(tale)
    refused(tale.changed(cards=["9S", "7D"]), "V9")
    refused(tale.changed(cards=["7D"]), "V9")
    refused(tale.changed(cards=["7D", "9S", "8H"]), "V9")
    refused(tale.until("turn").rest(), "V9")
    refused(tale.plus("draw", seat=1, cards=tale.deck[:2]), "V9")
    legal(Tale(*LOW, then="10S 9S", draw=2).turn().combine("10S"))


@pytest.mark.rule("V9", "V10")
def test_used_cards_go_under_the_deck_in_the_order_used() -> None:
    ranks = " ".join(rank + suit for suit in "DC" for rank in RANKS)
    other = " ".join(rank + suit for suit in "HS" for rank in RANKS)
    tale = Tale(ranks, other, draw=2).turn().combine("10D", "9D AD").rest().turn()
    refused(tale.changed(cards=["AD", "9D"]), "V9")
    refused(tale.changed(cards=["9D", "AD"]), "V9")
    tale.rest().turn()
    refused(tale.changed(cards=["AD", "10D"]), "V9")
    legal(tale.rest().turn())
    refused(tale.until("turn", 4).plus("draw", seat=2, cards=[]), "V9")


@pytest.mark.rule("V10", "V3")
def test_what_gives_a_token() -> None:
    tale = Tale("10D 9D AD 3D JD KD 5C 6C", "AH 2H 3H 4H 5H 6H 7H 8H").turn()
    for used, wasted in (("10D", 0), ("9D AD", 0), ("9D 3D", 2), ("JD", 0), ("3D 9D 10D AD", 13)):
        one = tale.copy().combine(used, wasted=wasted)
        legal(one)
        refused(one.changed(wasted=wasted + 1), "V10")
        refused(one.changed(token="brawn"), "V10")
        refused(one.changed(seat=2), "V10")
        refused(one.copy().combine(used, wasted=wasted), "V10")
    for used, wasted in (("9D", -1), ("9D 6C", 5), ("10D 10D", 10), ("10C", 0), ("QD", 0)):
        refused(tale.copy().combine(used, wasted=wasted).changed(token=SKILL[used[-1]]), "V10")
    refused(tale.copy().combine("9D 6C", wasted=5).changed(token="audacity"), "V10")
    refused(tale.copy().combine("JD").changed(cards="JD"), FORMAT)
    refused(tale.copy().combine("JD KD"), "D3")
    refused(tale.copy().combine("JD 10D"), "D3")
    refused(tale.plus("combine", seat=1, cards=[], token="audacity", wasted=0), "V10")
    refused(tale.copy().rest().combine("JD"), "V10")
    scarce = Tale("10D JD 9D KH", "AH 2H 3H 4H", tokens_each=1).turn().combine("JD", "KH")
    refused(scarce.combine("10D"), "V3")


@pytest.mark.rule("V10")
def test_an_ace_is_1_or_11_by_the_rules() -> None:
    for value, wasted in ((1, 0), (11, 10)):
        tale = Tale("AD 9D", "AC 9C", ace_value=value).turn()
        legal(tale.copy().combine("9D AD", wasted=wasted))
        alone = tale.combine("AD", wasted=1)
        legal(alone) if value == 11 else refused(alone, "V10")
    legal(Tale("9D 2C", "AC 9C", combine_at=9).turn().combine("9D"))


@pytest.mark.rule("V11")
def test_one_of_act_break_and_pass_a_turn() -> None:
    tale = raiders()
    refused(tale.copy().start(), "V11")
    refused(tale.copy().rest().rest(), "V11")
    refused(tale.copy().rest().breaks("1:a", "1 1 1"), "V11")
    refused(
        tale.changed(seat=1).breaks("1:ab", "1 1 1").roll("66").broken("1 1 1", 12).rest(), "V11"
    )
    refused(tale.plus("pass", seat=2), "V11")
    refused(tale.plus("act", seat=1, card="x", effect="x", paid=[]), "E9")


# A break


@pytest.mark.rule("V12", "V18")
def test_dice_are_paid_for_with_the_colour_held_most() -> None:
    tale = raiders()
    one = tale.copy().breaks("1:aba 2:cs", "1 1 2")
    legal(one)
    for parts in ("1:aab", "1:ba", "1:bb", "1:ab 2:sc", "1:ab 2:cc"):
        refused(tale.copy().breaks(parts, "1 1 1"), "D6")
    refused(tale.copy().breaks("1:", "1 1 1"), "D7")
    refused(tale.copy().breaks("1:abababa", "1 1 1"), "V12")
    refused(tale.copy().breaks("2:c 1:a", "1 1 1"), "V12")
    refused(one.changed(seat=2), "V12")
    more = [{**part, "dice": part["dice"] + 1} for part in one.lines[-1]["parts"]]
    refused(one.changed(parts=more), "V12")
    odd = [{**part, "share": 1} for part in one.lines[-1]["parts"]]
    refused(one.changed(parts=odd), FORMAT)
    spent = one.roll("11111").failed(6, 5).hit(1, 6).turn().rest().turn()
    legal(spent.copy().breaks("1:bab", "1 1 1"))
    refused(spent.copy().breaks("1:aba", "1 1 1"), "D6")
    refused(spent.copy().breaks("1:baba", "1 1 1"), "V12")


@pytest.mark.rule("V12")
def test_the_limit_is_for_a_player_or_for_the_table() -> None:
    for limit in ("player", "table"):
        tale = raiders(dice=3, dice_limit=limit)
        legal(tale.copy().breaks("1:aba", "1 1 1"))
        refused(tale.copy().breaks("1:abab", "1 1 1"), "V12")
        both = tale.breaks("1:ab 2:cs", "1 1 1")
        legal(both) if limit == "player" else refused(both, "V12")


@pytest.mark.rule("V3", "V12", "V18")
def test_tokens_paid_go_back_to_the_supply() -> None:
    for paid in (False, True):
        tale = Tale("JD QD KD", "JH QH KH", tokens_each=2).turn().combine("JD", "QD")
        if paid:
            tale.breaks("1:a", "1 1 1").roll("1").failed(6, 1).hit(1, 6)
        else:
            tale.rest()
        tale.turn().rest().turn().combine("KD")
        legal(tale) if paid else refused(tale, "V3")


@pytest.mark.rule("V13")
def test_the_first_break_needs_a_partner() -> None:
    tale = raiders(first_break_needs_partner=True)
    refused(tale.copy().breaks("1:ab", "1 1 1"), "V13")
    tale.breaks("1:ab 2:c", "1 1 1").roll("663").broken("1 1 1", 15)
    legal(tale.turn().breaks("2:scs", "2 2 2", 15))
    again = raiders(first_break_needs_partner=True).breaks("1:ab 2:c", "1 1 1")
    again.roll("111").failed(6, 3).hit(1, 6).turn()
    refused(again.breaks("2:scs", "2 2 2"), "V13")


@pytest.mark.rule("V13")
def test_the_parts_are_clockwise_and_of_willing_seats() -> None:
    tale = raiders(hands=FACES_3).rest().turn()
    legal(tale.copy().breaks("2:b 3:s 1:a", "1 2 3"))
    refused(tale.copy().breaks("2:b 1:a 3:s", "1 2 3"), "V13")
    refused(tale.copy().breaks("2:b 2:c", "2 2 2"), "V13")
    refused(tale.copy().breaks("2:b 4:c", "2 2 2"), "V13")
    tale.say("decline", seat=3, breaker=2)
    refused(tale.changed(breaker=3), "V13")
    refused(tale.changed(seat=2), "V13")
    refused(tale.changed(seat=4), "V13")
    refused(tale.copy().breaks("2:b 3:s 1:a", "1 2 3"), "V13")
    refused(tale.copy().combine("JD"), "V10")
    legal(tale.copy().say("decline", seat=1, breaker=2).rest().start())
    legal(tale.breaks("2:b 1:a", "1 2 2"))
    refused(tale.plus("decline", seat=3, breaker=2), "V13")


@pytest.mark.rule("V14")
def test_the_shares_name_participants_card_by_card() -> None:
    tale = raiders()
    for shares, rule in (("1 1", "D8"), ("1 1 2 2", "D8"), ("", "D8"), ("1 3 1", "V14")):
        refused(tale.copy().breaks("1:ab 2:c", shares), rule)
    refused(tale.copy().breaks("1:ab", "1 1 2"), "V14")
    legal(tale.breaks("1:ab 2:c", "2 2 2"))
    short = raiders(vault="4 4")
    refused(short.copy().breaks("1:ab", "1 1 1"), "D8")
    legal(short.breaks("1:ab", "1 1").roll("66").broken("1 1", 12).turn())


@pytest.mark.rule("V15")
def test_the_roll_and_its_threshold() -> None:
    tale = raiders().breaks("1:ab", "1 1 1")
    refused(tale.changed(threshold=15), "V15")
    refused(tale.copy().broken("1 1 1", 12), "V12")
    tale.roll("46")
    legal(tale)
    refused(tale.changed(dice=[4, 7], total=11), "V12")
    refused(tale.changed(dice=[0, 6], total=6), "V12")
    refused(tale.changed(dice=[4], total=4), "V12")
    refused(tale.changed(dice=[4, 3, 3]), "V12")
    refused(tale.changed(total=11), "V15")
    refused(tale.changed(threshold=9), "E4")


@pytest.mark.rule("V15", "V16")
def test_the_total_decides_and_the_loot_goes_as_agreed() -> None:
    tale = raiders().breaks("1:ab 2:c", "2 1 2")
    won = tale.copy().roll("523")
    refused(won.copy().failed(1, 10), "V15")
    won.broken("2 1 2", 10)
    legal(won)
    refused(won.changed(total=11), "V15")
    loot = won.lines[-1]["loot"]
    assert [part["vp"] for part in loot] == [6, 5, 4]
    for wrong in (loot[:2], loot[::-1], [{**part, "seat": 1} for part in loot]):
        refused(won.changed(loot=wrong), "V16")
    refused(won.changed(loot=[{**part, "vp": 6} for part in loot]), "V16")
    lost = tale.roll("522")
    refused(lost.copy().broken("2 1 2", 9), "V15")
    legal(lost.failed(1, 9))
    refused(lost.changed(total=10), "V15")
    refused(lost.changed(die=7), "V17")
    won.turn()
    refused(won.copy().breaks("2:s", "2 2 2"), "V15")
    won.breaks("2:s", "2 2 2", 15).roll("6", 15)
    refused(won.copy().broken("2 2 2", 6), "V15")
    legal(won.failed(6, 6).hit(2, 6, loot=4))


# A failure


def fallen(die: int, parts: str = "1:a", **rules: Any) -> Tale:
    """Seat 1, in its second turn, has failed; it has aab left and the hand 2C 3C."""
    hands = ("JD QD KD JC 2C 3C", "JH QH KH JS 2S 3S")
    tale = Tale(*hands, **rules).turn().combine("JD", "QD", "KD", "JC").rest()
    tale.turn().combine("JH", "QH", "KH", "JS").rest().turn()
    dice = sum(len(part) - 2 for part in parts.split())
    return tale.breaks(parts, "1 1 1").roll("1" * dice).failed(die, dice)


@pytest.mark.rule("V17")
def test_the_next_turn_is_skipped_once() -> None:
    tale = fallen(1).hit(1, 1)
    refused(tale.changed(die=2), "V17")
    refused(tale.changed(seat=2), "V17")
    refused(tale.changed(cards=["2C"]), FORMAT)
    tale.turn()
    refused(tale.plus("skipped", seat=2), "V17")
    tale.rest().start()
    refused(tale.copy().rest(), "V17")
    refused(tale.plus("skipped", seat=2), "V17")
    tale.say("skipped", seat=1)
    refused(tale.copy().rest(), "V6")
    tale.turn().rest().turn()
    refused(tale.plus("skipped", seat=1), "V17")
    legal(tale.rest())


@pytest.mark.rule("V17")
def test_two_hits_cost_one_turn() -> None:
    tale = fallen(1, failure_hits="everyone").hit(1, 1).turn()
    tale.breaks("2:c 1:a", "2 2 2").roll("11").failed(1, 2).hit(2, 1).hit(1, 1)
    tale.start().say("skipped", seat=1).start().say("skipped", seat=2).turn()
    refused(tale.plus("skipped", seat=1), "V17")
    legal(tale.rest())


@pytest.mark.rule("V17")
def test_training_cards_are_discarded_under_the_deck() -> None:
    one = fallen(2).hit(1, 2, cards=["3C"])
    legal(one)
    for cards in ([], ["2C", "3C"], ["4C"], ["JD"]):
        refused(one.changed(cards=cards), "V17")
    refused(one.copy().turn().rest().turn().combine("3C"), "V10")
    every = fallen(3).hit(1, 3, cards=["3C", "2C"])
    legal(every)
    legal(every.changed(cards=["2C", "3C"]))
    for cards in ([], ["2C"], ["2C", "3C", "3C"]):
        refused(every.changed(cards=cards), "V17")
    refused(every.turn().breaks("2:c", "2 2 2").roll("1").failed(3, 1).turn(), "V17")
    ranks = (" ".join(rank + suit for suit in suits for rank in RANKS) for suits in ("DC", "HS"))
    tale = Tale(*ranks, draw=2).turn().combine("JD").breaks("1:a", "1 1 1").roll("1")
    tale.failed(3, 1)
    hand = [rank + suit for suit in "CD" for rank in RANKS if rank + suit != "JD"]
    tale.hit(1, 3, cards=hand).start().say("draw", seat=2, cards=["JD", "AC"])
    legal(tale)
    refused(tale.changed(cards=["JD", "KC"]), "V9")


@pytest.mark.rule("V17")
def test_tokens_are_lost_by_the_colour_held_most() -> None:
    one = fallen(4).hit(1, 4, tokens=words("a"))
    legal(one)
    for tokens in ("", "b", "aa"):
        refused(one.changed(tokens=words(tokens)), "D6")
    every = fallen(5).hit(1, 5, tokens=words("aab"))
    legal(every)
    for tokens in ("", "a", "aba", "aaab"):
        refused(every.changed(tokens=words(tokens)), "D6")
    refused(every.copy().turn().rest().turn().breaks("1:a", "1 1 1"), "V12")
    none = fallen(4, "1:aaab").hit(1, 4, tokens=[])
    legal(none)
    refused(none.changed(tokens=words("a")), "D6")


@pytest.mark.rule("V17")
def test_a_loot_card_is_lost_if_there_is_one() -> None:
    tale = fallen(6).hit(1, 6)
    refused(tale.changed(loot=6), FORMAT)
    won = raiders().breaks("1:ab", "1 1 1").roll("66").broken("1 1 1", 12).turn().rest().turn()
    won.breaks("1:a", "1 1 1", 15).roll("1", 15).failed(6, 1)
    refused(won.copy().hit(1, 6), FORMAT)
    refused(won.copy().hit(1, 6, loot=3), "V17")
    legal(won.hit(1, 6, loot=5))


@pytest.mark.rule("V17")
def test_the_breaker_is_hit_or_every_participant() -> None:
    for hits in ("breaker", "everyone"):
        tale = raiders(hands=FACES_3, failure_hits=hits).rest().turn()
        tale.breaks("2:b 1:a", "2 2 1").roll("11").failed(4, 2)
        refused(tale.copy().hit(1, 4, tokens=words("a")), "V17")
        tale.hit(2, 4, tokens=words("c"))
        other = tale.copy().hit(1, 4, tokens=words("a"))
        if hits == "breaker":
            legal(tale.copy().turn())
            refused(other, "V17")
        else:
            refused(tale.copy().turn(), "V17")
            refused(tale.copy().hit(3, 4, tokens=words("s")), "V17")
            legal(other.turn())


# The end


@pytest.mark.rule("V19", "V20")
def test_a_seat_with_enough_may_reveal() -> None:
    tale = raiders(reveal_at=11).breaks("1:ab 2:c", "1 1 2").roll("664").broken("1 1 2", 16)
    told = tale.plus("reveal", seat=1, vp=11)
    legal(told)
    refused(told.changed(vp=12), "V19")
    refused(told.changed(seat=2, vp=4), "V19")
    refused(told.changed(seat=3), "V19")
    refused(told.copy().turn(), "V19")
    refused(tale.plus("end", ended_by="reveal", vp=[11, 4], winners=[1], outcome={}), "V19")
    tale.turn()
    legal(tale.plus("reveal", seat=1, vp=11))
    refused(tale.copy().rest().say("reveal", seat=1, vp=11), "D9")
    empty = raiders(reveal_at=6, vault="6", thresholds=[1, 1, 1])
    empty.breaks("1:a", "1", 1).roll("6", 1).broken("1", 6).turn().breaks("2:c", "", 1).roll(
        "6", 1
    ).broken("", 6)
    legal(empty.copy().turn())
    refused(empty.say("reveal", seat=1, vp=6), "D9")
    late = tale.copy().breaks("2:s", "2 2 2", 15)
    refused(late.plus("reveal", seat=1, vp=11), "D9")
    late.roll("1", 15).failed(6, 1).hit(2, 6, loot=4)
    legal(late.plus("reveal", seat=1, vp=11))
    skipped = tale.breaks("2:s", "2 2 2", 15).roll("1", 15).failed(1, 1).hit(2, 1)
    refused(skipped.plus("reveal", seat=1, vp=11), "D9")
    skipped.turn().rest().start()
    legal(skipped.plus("reveal", seat=1, vp=11))
    refused(skipped.say("skipped", seat=2).say("reveal", seat=1, vp=11), "D9")


@pytest.mark.rule("V19", "V21")
def test_the_last_break_ends_the_game() -> None:
    tale = raiders(thresholds=[10], reveal_at=11, max_turns=3)
    tale.breaks("1:ab 2:c", "1 1 2").roll("664").broken("1 1 2", 16)
    refused(tale.copy().turn(), "V19")
    refused(tale.plus("reveal", seat=1, vp=11), "D9")
    counts: dict[str, Any] = {"breaks": 1, "attempts": 1, "dice": 3, "participants": 2, "turns": 3}
    counts |= {"tokens_earned": 12, "tokens_spent": 3, "attempts_at__1": 1, "broken_at__1": 1}
    tale.end("breaks", "11 4", "1", **counts, loot__1=2, loot__2=1)
    check(tale.lines)
    refused(tale.changed(ended_by="reveal"), "V19")
    refused(tale.changed(vp=[4, 11]), "V20")
    refused(tale.changed(winners=[1, 2]), "V20")
    refused(tale.plus("pass", seat=1), FORMAT)


@pytest.mark.rule("V21", "V20")
def test_a_long_game_is_stopped_and_scored() -> None:
    tale = Tale(*LOW, max_turns=3).turn().rest().turn().rest()
    refused(tale.copy().end("stalled", "0 0", "1 2", turns=2), "V19")
    tale.turn().rest()
    refused(tale.copy().turn(), "V21")
    refused(tale.copy().end("breaks", "0 0", "1 2", turns=3), "V21")
    tale.end("stalled", "0 0", "1 2", turns=3)
    check(tale.lines)
    refused(tale.changed(winners=[1]), "V20")


def whole_game() -> Tale:
    """A game of many kinds of lines."""
    guard = card("protect", "on_targeted", "*", name="guard")
    thief = card("steal_token", target="richest", cost="*", name="thief", amount=2)
    tale = Tale(
        *FACES_2,
        actions=(thief, card("peek_loot", name="peek")),
        reactions=(card("extra_die", "on_any_break", "b"), guard),
        reveal_at=12,
        vault="6 6 3 3 3 3",
    ).rich()
    tale.turn().act("a", target=2).react(2, "targeted", "c")
    tale.turn().breaks("2:s 1:b", "2 1 1").react(1, "any_break", "b").roll("243")
    tale.failed(5, 9).hit(2, 5, tokens=words("cscs"))
    tale.turn().breaks("1:aab", "1 1 1").roll("145").broken("1 1 1", 10)
    return tale.say("reveal", seat=1, vp=15)


def whole_end(**columns: Any) -> Tale:
    counts: dict[str, Any] = {"breaks": 1, "attempts": 2, "dice": 6, "participants": 3, "turns": 5}
    counts |= {"tokens_earned": 12, "tokens_spent": 8, "attempts_at__1": 2, "broken_at__1": 1}
    return whole_game().end(
        "reveal", "15 0", "1", **counts | {"failures__5": 1} | columns, loot__1=3
    )


@pytest.mark.rule("V19", "V20", "V21")
def test_every_outcome_column_is_counted() -> None:
    tale = whole_end()
    check(tale.lines)
    outcome = tale.lines[-1]["outcome"]
    for name, value in outcome.items():
        other = "breaks" if name == "ended_by" else value + 1
        refused(tale.changed(outcome={**outcome, name: other}), COLUMNS)
        rest = {column: told for column, told in outcome.items() if column != name}
        refused(tale.changed(outcome=rest), COLUMNS)
    refused(tale.changed(outcome={**outcome, "luck": 0}), COLUMNS)
    refused(tale.changed(outcome=[]), FORMAT)
    waste = Tale("9D 3D", "9C 3C", max_turns=2).turn().combine("9D 3D", wasted=2).rest()
    waste.turn().combine("9C 3C", wasted=2).rest()
    check(waste.copy().end("stalled", "0 0", "1 2", turns=2, tokens_earned=2, wasted=4).lines)
    check(tale.changed(outcome={**outcome, "vp.6": 0, "broken_at.3": 0}).lines)
    refused(tale.changed(outcome={**outcome, "vp.6": 1}), COLUMNS)


@pytest.mark.rule("V11")
def test_no_line_of_a_game_can_be_left_out_told_twice_or_swapped() -> None:
    lines = whole_end().lines
    check(lines)
    for at in range(len(lines)):
        swapped = [*lines[:at], *lines[at : at + 2][::-1], *lines[at + 2 :]]
        same = at + 1 == len(lines) or lines[at]["event"] == lines[at + 1]["event"] == "combine"
        for told in (
            lines[:at] + lines[at + 1 :],
            lines[: at + 1] + lines[at:],
            *([] if same else [swapped]),
        ):
            with pytest.raises(RuleBroken):
                check(told)
