"""The rule checker of Vault Breakers on hand-written traces: the action and reaction cards."""

from __future__ import annotations

from typing import Any

import pytest

from .vault_checker import COLUMNS, FORMAT, check
from .vault_tales import (
    FACES_2,
    FACES_3,
    RANKS,
    CardData,
    Tale,
    card,
    legal,
    raiders,
    refused,
    words,
)

MIXED = ("JD QD KD 2D 3D", "JC QC JH 2C 3C", "JS QS KS 2S 3S")  # aaa, bbc and sss


def actor(action: CardData, cards: dict[int, CardData] | None = None, **rest: Any) -> Tale:
    """Seat 1 is to play this action; the seats hold these reactions."""
    return raiders(cards, **{"hands": FACES_3, "actions": (action,), **rest})


def rich_actor(action: CardData, *shares: str, **rest: Any) -> Tale:
    """The same, but seats 1 and 2 have broken the Vault together before."""
    tale = Tale(*FACES_2, actions=(action,), **rest).rich().turn()
    tale.breaks("1:ab 2:cs", " ".join(shares)).roll("6666").broken(" ".join(shares), 24)
    return tale.turn().rest().turn()


# The use of a card


@pytest.mark.rule("V5", "V11")
def test_a_card_is_played_by_its_holder_with_its_effect() -> None:
    tale = actor(card("peek_loot", name="look")).act()
    legal(tale.plus("peek_loot", seat=1, loot=[6]))
    refused(tale.changed(effect="gain_tokens"), "E2")
    refused(tale.changed(card="gaze"), "E9")
    refused(tale.changed(seat=2), "E2")
    refused(tale.changed(target=2), FORMAT)
    refused(tale.changed(moment="on_action"), FORMAT)
    tale.say("peek_loot", seat=1, loot=[6])
    refused(tale.copy().rest(), "V11")
    refused(tale.plus("act", seat=1, card="look", effect="peek_loot", paid=[]), "V11")
    other = tale.copy().turn()
    assert other.lines[-1]["cards"] == ["look"]
    legal(other)
    refused(tale.start().rest(), "V7")


@pytest.mark.rule("V5", "V18")
def test_a_card_is_paid_exactly() -> None:
    legal(actor(card("peek_loot", cost="abcs*")))

    def pays(cost: str, paid: str) -> Tale:
        return actor(card("peek_loot", cost=cost)).act(paid)

    for cost, paid in (
        ("", ""),
        ("a*", "aa"),
        ("ab", "ba"),
        ("*a", "aa"),
        ("**", "aa"),
        ("b*", "ba"),
    ):
        legal(pays(cost, paid).say("peek_loot", seat=1, loot=[6]))
    for cost, paid in (
        ("a", ""),
        ("a*", "ab"),
        ("a*", "a"),
        ("a", "b"),
        ("", "a"),
        ("aab*", "aaba*"),
    ):
        refused(pays(cost, paid.replace("*", "a")), "D6")
    for cost in ("bb", "c", "aaab*"):
        refused(pays(cost, cost.replace("*", "a")), "E9")
    tale = pays("a*", "aa").say("peek_loot", seat=1, loot=[6]).turn().rest().turn().rest().turn()
    legal(tale.copy().breaks("1:ab", "1 1 1"))
    refused(tale.breaks("1:aba", "1 1 1"), "V12")


@pytest.mark.rule("V5")
def test_who_is_the_target() -> None:
    for aim, seats in (("left", [2]), ("right", [3]), ("random", [2, 3]), ("leader", [2])):
        tale = actor(card("skip_player", target=aim)).act(target=2)
        for seat in range(5):
            aimed = tale.changed(target=seat)
            legal(aimed) if seat in seats else refused(aimed, "E1")
        refused(tale.changed(target=None), FORMAT)
    for hands, richest in ((FACES_3, 2), (MIXED, 2), (("JD 2C", "JC 2S", "JS JH"), 3)):
        tale = actor(card("skip_player", target="richest"), hands=hands)
        legal(tale.copy().act(target=richest))
        refused(tale.act(target=5 - richest), "E1")
    tale = Tale(*FACES_3, actions=(card("skip_player", target="leader"),)).rich().turn()
    tale.breaks("1:aaa 3:s", "1 1 3").roll("6666").broken("1 1 3", 24).turn().rest().turn()
    tale.rest().turn()
    legal(tale.copy().act(target=3))
    refused(tale.act(target=2), "E1")


# The effects of E3


@pytest.mark.rule("V5", "V3")
def test_tokens_gained_are_of_the_colour_held_least() -> None:
    tale = (
        actor(card("gain_tokens", amount=3), dice=7).act().say("gain", seat=1, tokens=words("csb"))
    )
    legal(tale)
    for tokens in ("cs", "scb", "csa", "csbc"):
        refused(tale.changed(tokens=words(tokens)), "E3")
    refused(tale.until("act").start(), "E3")
    scarce = actor(card("gain_tokens", amount=2, cost="a"), tokens_each=3).act("a")
    legal(scarce.plus("gain", seat=1, tokens=words("a")))
    refused(scarce.plus("gain", seat=1, tokens=words("ac")), "E3")
    mixed = actor(card("gain_tokens", amount=3, cost="aab"), tokens_each=3).act("aab")
    legal(mixed.plus("gain", seat=1, tokens=words("baa")))
    refused(mixed.plus("gain", seat=1, tokens=words("bab")), "E3")
    short = Tale("2D", "3D", actions=(card("gain_tokens"),), max_turns=1).turn().act()
    short.say("gain", seat=1, tokens=words("a"))
    check(short.copy().end("stalled", "0 0", "1 2", turns=1, tokens_earned=1).lines)
    refused(short.end("stalled", "0 0", "1 2", turns=1), COLUMNS)
    none = actor(card("gain_tokens"), tokens_each=3).act()
    refused(none.plus("gain", seat=1, tokens=[]), "E3")
    legal(none.turn())
    tale.turn().rest().turn().rest().turn()
    legal(tale.breaks("1:aababcs", "1 1 1"))


@pytest.mark.rule("V5", "V9")
def test_training_cards_are_drawn_by_a_card() -> None:
    tale = actor(card("draw_training", amount=2), then="7D 9S").act()
    refused(tale.copy().start(), "E3")
    tale.say("draw", seat=1, cards=["7D", "9S"])
    legal(tale)
    refused(tale.changed(cards=["7D"]), "E3")
    refused(tale.changed(cards=["9S", "7D"]), "E3")
    legal(tale.turn().rest())


@pytest.mark.rule("V5")
def test_a_look_at_the_vault() -> None:
    tale = actor(card("peek_loot", amount=2)).act().say("peek_loot", seat=1, loot=[6, 5])
    legal(tale)
    for loot in ([5, 6], [6], [6, 5, 4]):
        refused(tale.changed(loot=loot), "E3")
    refused(tale.until("act").start(), "E3")
    empty = actor(card("peek_loot"), vault="").act()
    refused(empty.plus("peek_loot", seat=1, loot=[]), "E3")
    legal(empty.turn())


@pytest.mark.rule("V5")
def test_tokens_are_stolen_or_destroyed() -> None:
    for effect in ("steal_token", "destroy_token"):
        tale = actor(card(effect, amount=2, target="left")).act(target=2)
        refused(tale.copy().start(), "E3")
        tale.say(effect, seat=1, target=2, tokens=words("bc"))
        legal(tale)
        refused(tale.changed(seat=2), "E3")
        refused(tale.changed(target=3), "E3")
        for tokens in ("b", "bb", "cb", "bcb"):
            refused(tale.changed(tokens=words(tokens)), "E3")
        tale.turn()
        legal(tale.copy().breaks("2:bc", "2 2 2"))
        refused(tale.copy().breaks("2:bcb", "2 2 2"), "V12")
        tale.rest().turn().rest().turn()
        stolen = tale.breaks("1:aababc", "1 1 1")
        legal(stolen) if effect == "steal_token" else refused(stolen, "V12")
        none = actor(card(effect, target="left"), hands=("JD", "2D", "3D")).act(target=2)
        refused(none.plus(effect, seat=1, target=2, tokens=[]), "E3")
        legal(none.turn())


@pytest.mark.rule("V5", "V3")
def test_a_destroyed_token_goes_to_the_supply() -> None:
    for effect in ("steal_token", "destroy_token"):
        hands = ("2S 3S", "JC 2C", "QC 3C")
        tale = Tale(*hands, actions=(card(effect, target="left"),), tokens_each=1)
        tale.turn().rest().turn().combine("JC").rest().turn().rest().turn()
        tale.act(target=2).say(effect, seat=1, target=2, tokens=words("b"))
        tale.turn().rest().turn().combine("QC")
        refused(tale, "V3") if effect == "steal_token" else legal(tale)


@pytest.mark.rule("V5")
def test_training_cards_are_stolen_or_discarded() -> None:
    for effect in ("steal_training", "discard_training"):
        tale = actor(card(effect, target="left"), hands=MIXED).act(target=2)
        refused(tale.copy().start(), "E3")
        tale.say(effect, seat=1, target=2, cards=["3C"])
        legal(tale)
        legal(tale.changed(cards=["2C"]))
        refused(tale.changed(target=3), "E3")
        for cards in ([], ["2D"], ["2C", "3C"]):
            refused(tale.changed(cards=cards), "E3")
        both = actor(card(effect, target="left", amount=5), hands=MIXED).act(target=2)
        both.say(effect, seat=1, target=2, cards=["3C", "2C"])
        legal(both)
        refused(both.changed(cards=["3C"]), "E3")
        none = actor(card(effect, target="left")).act(target=2)
        refused(none.plus(effect, seat=1, target=2, cards=[]), "E3")
        legal(none.turn())
    hands = ("6D 5D", "6C 4C")
    for effect in ("steal_training", "discard_training"):
        action = card(effect, target="left")
        tale = Tale(*hands, actions=(action,), combine_at=4).turn().act(target=2)
        tale.say(effect, seat=1, target=2, cards=["6C"]).turn()
        refused(tale.copy().combine("6C", wasted=2), "V10")
        tale.rest().turn().combine("6C", wasted=2)
        legal(tale) if effect == "steal_training" else refused(tale, "V10")


@pytest.mark.rule("V5", "V9")
def test_discarded_training_cards_lie_under_the_deck() -> None:
    hands = [" ".join(rank + suit for suit in suits for rank in RANKS) for suits in ("DC", "HS")]
    action = card("discard_training", target="left", amount=2)
    tale = Tale(*hands, actions=(action,), draw=1).turn().act(target=2)
    tale.say("discard_training", seat=1, target=2, cards=["7S", "AH"]).turn()
    legal(tale.plus("draw", seat=2, cards=["7S"]))
    refused(tale.plus("draw", seat=2, cards=["AH"]), "V9")
    refused(tale.rest(), "V9")


@pytest.mark.rule("V5", "V19")
def test_loot_is_stolen() -> None:
    tale = rich_actor(card("steal_loot", target="left", amount=2), "2", "1", "2", reveal_at=15)
    tale.act(target=2).say("steal_loot", seat=1, target=2, loot=[4, 6])
    legal(tale)
    for loot in ([6], [6, 6], [5, 6], [4, 6, 5]):
        refused(tale.changed(loot=loot), "E3")
    refused(tale.until("act").start(), "E3")
    legal(tale.plus("reveal", seat=1, vp=15))
    refused(tale.plus("reveal", seat=1, vp=5), "V19")
    refused(tale.plus("reveal", seat=2, vp=10), "V19")
    legal(tale.turn())
    none = rich_actor(card("steal_loot", target="left"), "1", "1", "1").act(target=2)
    refused(none.plus("steal_loot", seat=1, target=2, loot=[]), "E3")
    legal(none.turn())


@pytest.mark.rule("V5", "V19")
def test_loot_is_swapped_card_by_card() -> None:
    swap = card("swap_loot", target="left", amount=2)
    tale = rich_actor(swap, "2", "1", "1", reveal_at=11).act(target=2)
    tale.say("swap_loot", seat=1, target=2, given=5, taken=6)
    legal(tale)
    refused(tale.changed(given=6), "E3")
    refused(tale.changed(taken=5), "E3")
    refused(tale.copy().start(), "E3")
    tale.say("swap_loot", seat=1, target=2, given=4, taken=5)
    legal(tale.copy().turn())
    refused(tale.changed(given=5), "E3")
    legal(tale.plus("reveal", seat=1, vp=11))
    refused(tale.plus("reveal", seat=1, vp=10), "V19")
    refused(tale.plus("reveal", seat=2, vp=15), "V19")
    refused(tale.plus("swap_loot", seat=1, target=2, given=6, taken=4), "E3")
    none = rich_actor(swap, "1", "1", "1").act(target=2)
    refused(none.plus("swap_loot", seat=1, target=2, given=6, taken=6), "E3")
    legal(none.turn())


@pytest.mark.rule("V5", "V17")
def test_a_player_is_made_to_skip() -> None:
    tale = actor(card("skip_player", target="right")).act(target=3)
    refused(tale.copy().start(), "E3")
    tale.say("skip", seat=3)
    refused(tale.changed(seat=2), "E3")
    tale.turn().rest().start()
    refused(tale.copy().rest(), "V17")
    legal(tale.say("skipped", seat=3).turn())


# Reactions to an action


@pytest.mark.rule("V5")
def test_an_action_is_cancelled_by_one_of_the_others_in_turn() -> None:
    cards = {
        1: card("cancel_action", "on_action", name="own"),
        2: card("cancel_action", "on_action", name="first"),
        3: card("cancel_action", "on_action", "s", name="second"),
    }
    tale = actor(card("skip_player", target="left"), cards).act(target=2)
    refused(tale.copy().react(1, "action"), "E6")
    refused(tale.copy().react(2, "any_break"), "E5")
    refused(tale.copy().react(2, "targeted"), "E2")
    refused(tale.copy().react(3, "action"), "D6")
    assert tale.copy().react(3, "action", "s").lines[-1]["card"] == "second"
    legal(tale.copy().react(3, "action", "s").turn())
    refused(tale.copy().react(3, "action", "s").react(2, "action"), "E6")
    tale.react(2, "action")
    legal(tale.copy().turn())
    refused(tale.plus("skip", seat=2), "E3")
    refused(tale.react(3, "action", "s"), "E6")


@pytest.mark.rule("V5")
def test_reactions_to_an_action_come_clockwise_and_before_it() -> None:
    look = card("peek_loot", "on_action", name="two")
    cards = {2: look, 3: {**look, "name": "three"}}
    tale = actor(card("skip_player", target="left"), cards).act(target=2)
    both = tale.copy().react(2, "action").say("peek_loot", seat=2, loot=[6])
    refused(both.copy().start(), "E3")
    both.react(3, "action").say("peek_loot", seat=3, loot=[6]).say("skip", seat=2)
    legal(both)
    refused(both.plus("react", seat=3, card="three", moment="on_action"), "E6")
    wrong = tale.copy().react(3, "action").say("peek_loot", seat=3, loot=[6])
    refused(wrong.react(2, "action"), "E6")
    refused(tale.say("skip", seat=2).react(2, "action"), "E6")


@pytest.mark.rule("V5")
def test_the_target_protects_itself() -> None:
    guard = card("protect", "on_targeted", "*")
    cards = {2: {**guard, "name": "two"}, 3: {**guard, "name": "three"}}
    tale = actor(card("steal_token", target="left"), cards).act(target=2)
    refused(tale.copy().react(3, "targeted", "s"), "E7")
    refused(tale.copy().react(2, "targeted", "c"), "D6")
    tale.react(2, "targeted", "b")
    refused(tale.plus("steal_token", seat=1, target=2, tokens=words("c")), "E3")
    refused(tale.plus("react", seat=2, card="two", moment="on_targeted"), "E7")
    tale.turn()
    assert tale.lines[-1]["event"] == "draw_reactions"
    legal(tale)
    unaimed = actor(card("peek_loot"), cards).act()
    refused(unaimed.react(2, "targeted", "b"), "E7")


@pytest.mark.rule("V5")
def test_another_effect_of_the_target_comes_first_and_is_not_answered() -> None:
    back = card("steal_token", "on_targeted", target="right", name="back")
    cards = {1: card("protect", "on_targeted"), 2: back}
    tale = actor(card("destroy_token", target="left"), cards).act(target=2)
    tale.react(2, "targeted", target=1)
    refused(tale.changed(target=3), "E1")
    refused(tale.copy().react(1, "targeted"), "E7")
    refused(tale.plus("destroy_token", seat=1, target=2, tokens=words("b")), "E3")
    tale.say("steal_token", seat=2, target=1, tokens=words("a"))
    legal(tale.plus("destroy_token", seat=1, target=2, tokens=words("b")))
    refused(tale.start(), "E3")


@pytest.mark.rule("V5")
def test_the_target_of_a_reaction_may_answer_it() -> None:
    cards = {2: card("protect", "on_targeted"), 3: card("skip_player", "on_action", target="right")}
    tale = actor(card("peek_loot"), cards).act().react(3, "action", target=2)
    saved = tale.copy().react(2, "targeted").say("peek_loot", seat=1, loot=[6])
    legal(saved.turn())
    refused(saved.until("react", 2).say("skip", seat=2), "E3")
    legal(tale.copy().say("skip", seat=2).say("peek_loot", seat=1, loot=[6]))
    refused(tale.plus("peek_loot", seat=1, loot=[6]), "E3")
    refused(tale.say("skip", seat=2).react(2, "targeted"), "E7")


@pytest.mark.rule("V5")
def test_an_answer_to_the_action_or_to_a_reaction_that_finds_nothing() -> None:
    cards = {2: card("protect", "on_targeted"), 3: card("steal_loot", "on_action", target="right")}
    tale = actor(card("steal_token", target="left"), cards).act(target=2)
    tale.react(3, "action", target=2).react(2, "targeted")
    legal(tale.plus("steal_token", seat=1, target=2, tokens=words("b")))
    legal(tale.copy().turn())
    refused(tale.plus("steal_token", seat=1, target=2, tokens=words("c")), "E3")
    refused(tale.plus("steal_loot", seat=3, target=2, loot=[]), "E3")
    legal(tale.plus("steal_token", seat=1, target=2, tokens=words("b")).turn())
    some = actor(card("peek_loot"), cards).act().react(3, "action", target=2)
    legal(some.react(2, "targeted").say("peek_loot", seat=1, loot=[6]))


@pytest.mark.rule("V5")
def test_an_answer_after_a_reaction_that_finds_something_is_for_it() -> None:
    poor = ("JD QD KD 2D 3D", "JC 2C 3C 4C 5C", "JS QS KS 2S 3S")
    for effect, shares, hands, finds in (
        ("steal_token", "1 2 3", MIXED, True),
        ("destroy_token", "1 2 3", MIXED, True),
        ("destroy_token", "1 2 3", poor, False),
        ("steal_training", "1 1 1", MIXED, True),
        ("discard_training", "1 1 1", MIXED, True),
        ("discard_training", "1 2 3", FACES_3, False),
        ("steal_loot", "1 1 2", MIXED, True),
        ("steal_loot", "1 1 3", MIXED, False),
        ("swap_loot", "1 2 3", MIXED, True),
        ("swap_loot", "1 2 2", MIXED, False),
        ("swap_loot", "1 3 3", MIXED, False),
    ):
        reaction = card(effect, "on_action", target="right")
        cards = {2: card("protect", "on_targeted"), 3: reaction}
        tale = actor(card("skip_player", target="left"), cards, hands=hands)
        tale.breaks("1:a 2:b 3:s", shares).roll("666").broken(shares, 18)
        tale.turn().rest().turn().rest().turn().act(target=2)
        tale.react(3, "action", target=2).react(2, "targeted")
        legal(tale.plus("skip", seat=2))
        tale.start()
        refused(tale, "E3") if finds else legal(tale)


# Reactions to a break


@pytest.mark.rule("V5", "V12")
def test_dice_and_thresholds_before_the_roll() -> None:
    cards = {
        1: card("extra_die", "on_any_break", amount=2, name="own"),
        2: card("lower_threshold", "on_any_break", "s", amount=3),
        3: card("extra_die", "on_any_break"),
    }
    tale = raiders(cards, hands=FACES_3, dice=2).breaks("1:aa", "1 1 1")
    refused(tale.copy().react(2, "any_break", "s"), "E9")
    cards[2]["cost"] = {}
    tale = raiders(cards, hands=FACES_3, dice=2).breaks("1:aa", "1 1 1")
    refused(tale.copy().react(3, "any_break").react(2, "any_break"), "E5")
    refused(tale.copy().react(2, "any_break").react(1, "any_break"), "E5")
    refused(tale.copy().roll("11").react(1, "any_break"), "E5")
    refused(tale.copy().react(1, "any_break").roll("11"), "V12")
    tale.react(1, "any_break").react(2, "any_break").react(3, "any_break")
    refused(tale.copy().roll("1111", 7), "V12")
    refused(tale.copy().roll("11121", 10), "E4")
    tale.roll("11121", 7)
    legal(tale)
    refused(tale.copy().broken("1 1 1", 6), "V15")
    legal(tale.failed(6, 6).hit(1, 6).turn())


@pytest.mark.rule("V5", "V15")
def test_rerolls_and_additions_after_the_roll() -> None:
    cards = {
        1: card("reroll_lowest", "on_any_break", amount=2),
        2: card("add_to_roll", "on_any_break", amount=4),
    }
    tale = raiders(cards).breaks("1:abab", "1 1 1")
    refused(tale.copy().react(1, "any_break"), "E5")
    refused(tale.copy().react(2, "any_break"), "E5")
    tale.roll("2121")
    refused(tale.plus("reroll", dice=[2, 1, 2, 1], total=6), "E4")
    again = tale.copy().react(1, "any_break")
    refused(again.plus("failed", die=1, total=6), "E4")
    again.say("reroll", dice=[2, 3, 2, 1], total=8)
    for dice, total in (([2, 3, 2], 7), ([3, 3, 2, 1], 9), ([2, 7, 2, 1], 12), ([2, 3, 2, 1], 9)):
        refused(again.changed(dice=dice, total=total), "E4")
    refused(again.plus("broken", loot=[], total=8), "V15")
    legal(again.copy().failed(6, 8))
    again.react(2, "any_break")
    refused(again.copy().failed(6, 8), "V15")
    legal(again.broken("1 1 1", 12))
    refused(tale.copy().react(2, "any_break").react(1, "any_break"), "E5")
    legal(tale.react(2, "any_break").broken("1 1 1", 10))


@pytest.mark.rule("V5", "V15")
def test_of_equal_dice_the_earlier_are_rolled_again() -> None:
    cards = {1: card("reroll_lowest", "on_any_break", amount=1)}
    tale = raiders(cards).breaks("1:aba", "1 1 1").roll("322").react(1, "any_break")
    legal(tale.plus("reroll", dice=[3, 6, 2], total=11))
    refused(tale.say("reroll", dice=[3, 2, 6], total=11), "E4")
    cards = {1: card("reroll_lowest", "on_any_break", amount=9)}
    every = raiders(cards).breaks("1:aba", "1 1 1").roll("322").react(1, "any_break")
    legal(every.say("reroll", dice=[4, 5, 6], total=15))


@pytest.mark.rule("V5", "V14", "V17")
def test_an_uninvited_seat_joins() -> None:
    join = card("join_uninvited", "on_any_break", amount=2)
    cards = {2: {**join, "name": "two"}, 3: {**join, "name": "three"}}
    for shares, first, second in (
        ("1 1 1", "1 1 2", "1 3 2"),
        ("1", "2", "2"),
        ("1 1", "1 2", "3 2"),
    ):
        loot = len(shares.split())
        rules: dict[str, Any] = {"loot_per_break": loot, "failure_hits": "everyone"}
        tale = raiders(cards, hands=FACES_3, **rules).breaks("1:aa", shares)
        refused(tale.copy().react(2, "any_break").roll("11"), "E4")
        owners = [[int(seat) for seat in told.split()] for told in (first, second)]
        tale.react(2, "any_break").say("join", seat=2, dice=2, shares=owners[0])
        legal(tale)
        refused(tale.changed(dice=1), "E4")
        refused(tale.changed(shares=[int(seat) for seat in shares.split()]), "E4")
        tale.react(3, "any_break").say("join", seat=3, dice=2, shares=owners[1])
        legal(tale)
        refused(tale.changed(shares=[3] * loot), "E4")
        refused(tale.copy().roll("1111"), "V12")
        lost = tale.copy().roll("111111").failed(1, 6).hit(1, 1).hit(2, 1)
        refused(lost.copy().start(), "V17")
        legal(lost.hit(3, 1))
        won = tale.roll("666666").broken(second, 36)
        legal(won)
        refused(won.changed(loot=[{"seat": 1, "vp": 6 - i} for i in range(loot)]), "V16")
    last = raiders({2: join}, thresholds=[2]).breaks("1:a", "1 1 1", 2).react(2, "any_break")
    last.say("join", seat=2, dice=2, shares=[1, 1, 2]).roll("111", 2).broken("1 1 2", 3)
    counts: dict[str, Any] = {"breaks": 1, "attempts": 1, "dice": 3, "participants": 2, "turns": 3}
    counts |= {"tokens_earned": 12, "tokens_spent": 1, "attempts_at__1": 1, "broken_at__1": 1}
    check(last.end("breaks", "11 4", "1", **counts, loot__1=2, loot__2=1).lines)
    partner = raiders(cards, hands=FACES_3).breaks("1:aa 2:b", "2 2 1")
    refused(partner.copy().react(2, "any_break"), "E4")
    partner.react(3, "any_break").say("join", seat=3, dice=2, shares=[2, 2, 3])
    legal(partner)
    taken = raiders(cards, hands=FACES_3).breaks("1:aa 2:b", "2 2 2").react(3, "any_break")
    legal(taken.say("join", seat=3, dice=2, shares=[2, 2, 3]))


@pytest.mark.rule("V5", "V19", "V21")
def test_a_break_is_cut_short_by_a_reveal() -> None:
    thief = card("steal_loot", "on_any_break", target="left", amount=2)
    tale = raiders({1: thief}, reveal_at=15).breaks("1:ab 2:cs", "2 1 2").roll("6666")
    tale.broken("2 1 2", 24).turn().breaks("2:c 1:a", "2 2 2", 15).react(1, "any_break", target=2)
    refused(tale.copy().roll("11", 15), "E3")
    tale.say("steal_loot", seat=1, target=2, loot=[6, 4])
    legal(tale.copy().roll("11", 15))
    tale.say("reveal", seat=1, vp=15)
    refused(tale.copy().roll("11", 15), "V19")
    counts: dict[str, Any] = {"breaks": 1, "attempts": 2, "dice": 4, "participants": 4, "turns": 4}
    counts |= {"tokens_earned": 12, "tokens_spent": 6, "attempts_at__1": 1, "broken_at__1": 1}
    check(tale.copy().end("reveal", "15 0", "1", **counts, attempts_at__2=1, loot__1=3).lines)
    refused(tale.end("reveal", "15 0", "1", **counts, loot__1=3), COLUMNS)


@pytest.mark.rule("V5", "V17")
def test_a_seat_ignores_its_failure() -> None:
    ignore = card("ignore_failure", "on_my_failure")
    cards = {1: {**ignore, "name": "one"}, 2: {**ignore, "name": "two"}}
    tale = raiders(cards, failure_hits="everyone").breaks("1:ab 2:c", "1 1 2").roll("111")
    refused(tale.copy().react(1, "my_failure"), "E8")
    tale.failed(4, 3)
    refused(tale.copy().react(2, "my_failure"), "E8")
    own = tale.copy().react(1, "my_failure")
    refused(own.copy().hit(1, 4, tokens=words("a")), "V17")
    refused(own.copy().start(), "V17")
    legal(own.copy().hit(2, 4, tokens=words("s")).turn())
    legal(own.react(2, "my_failure").turn())
    tale.hit(1, 4, tokens=words("a"))
    refused(tale.copy().react(1, "my_failure"), "E8")
    legal(tale.react(2, "my_failure").turn())
    alone = raiders(cards).breaks("1:ab 2:c", "1 1 2").roll("111").failed(4, 3)
    refused(alone.hit(1, 4, tokens=words("a")).react(2, "my_failure"), "E8")


@pytest.mark.rule("V5", "V17")
def test_another_reaction_to_a_failure_comes_before_the_hit() -> None:
    cards = {1: card("gain_tokens", "on_my_failure", "a")}
    tale = raiders(cards).breaks("1:abab", "1 1 1").roll("1111").failed(5, 4)
    tale.react(1, "my_failure", "a").say("gain", seat=1, tokens=words("a"))
    refused(tale.copy().start(), "V17")
    tale.hit(1, 5, tokens=words("ab"))
    legal(tale)
    refused(tale.changed(tokens=words("b")), "D6")
