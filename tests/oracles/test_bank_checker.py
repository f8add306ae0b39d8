"""The rule checker of Bank Robbers: tales accepted, changed lines refused, and random games."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

from .bank_checker import COLUMNS, FORMAT, Haul, RuleBroken, check
from .bank_simple import BASE_RULES, Knobs, RandomChance, Simple, Table, resolve
from .bank_tales import (
    CASES,
    FLAGS,
    Case,
    Tale,
    Wild,
    filled,
    legal,
    refused,
    simple_trace,
    told_in,
    told_of,
    wild_rules,
    wild_trace,
)

TWO = ("2 3", "4 5")

# Set-up


@pytest.mark.rule("K1", "K2", "K4", "K12", "K13", "K14", "K18", "K19", "K20", "K22", "K23")
def test_the_switches_have_the_values_that_the_rules_name() -> None:
    for name, value, rule in (
        *[("players", 1, "K1"), ("players", 6, "K1"), ("coins", -1, "K1"), ("hand", "5", "K1")],
        *[("tiles", "all", "K4"), ("tiles", {"act": 1}, "K4")],
        *[("tiles", {"play": 0}, "K4"), ("tiles", {"play": -1, "rob": 2}, "K4")],
        *[("stake_on_shortfall", "kept", "K12"), ("ties", "none", "K13")],
        *[("guard_reward", 0.5, "K14"), ("specials", "all", "K18")],
        *[("after_robbery", "keep", "K19"), ("final_order", "free", "K20")],
        *[("credit_to", -1, "K22"), ("max_turns", 0, "K23")],
    ):
        switch: dict[str, Any] = {name: value}
        refused(Tale(*TWO, **switch).until("game"), rule)
    tale = Tale(*TWO).until("game")
    refused(tale.changed(rules={**tale.rules, "banks": 0}), "K2")
    refused(tale.changed(game="vault"), FORMAT)
    refused(tale.changed(rules={"players": 2}), FORMAT)
    refused(tale.changed(policies=["any"]), FORMAT)
    refused(tale.changed(odd=1), FORMAT)
    legal(tale.changed(scenario="bank", variant="", seed=1, rollout=2, version="1"))
    legal(Tale("2", "3", "4", "5", "2"))


@pytest.mark.rule("K3")
def test_the_deck_is_that_of_the_rules() -> None:
    deal = Tale("2 3", "4 lady").until("deal")
    legal(deal)
    whole = deal.lines[-1]["deck"]
    for wrong in (whole[1:], [*whole, "2"], ["guard", *whole[1:]], ["3", *whole[1:]], []):
        refused(deal.changed(deck=wrong), "K3")
    refused(deal.changed(deck="2 3"), FORMAT)
    odd: list[Any] = [{}, {"money": {}}, {"money": {"queen": 9}}]
    for copies in (*odd, {"money": {"2": 20}, "queen": 1}):
        refused(Tale(*TWO, deck=copies).until("deal").until("game"), "K3")
    legal(Tale("2 2", "2 2", banks="2", then="2", deck={"money": {2: 6}, "lady": 0}))


@pytest.mark.rule("K1", "K2")
def test_hands_then_banks_come_from_the_top() -> None:
    tale = Tale(*TWO)
    first = tale.until("hand")
    refused(first.changed(cards=["3", "2"]), "D2")
    refused(first.changed(cards=["2"]), "D2")
    refused(first.changed(seat=2), "D2")
    bank = tale.until("bank", 2)
    refused(bank.changed(card="2"), "D2")
    refused(bank.changed(bank=1), "D2")
    refused(tale.until("bank").turn(), "D2")
    refused(Tale(*TWO, deck={"money": {"5": 5}}).until("game"), "D2")


# Turns


@pytest.mark.rule("K4")
def test_the_tiles_are_those_of_the_rules_and_come_in_their_order() -> None:
    tale = Tale(*TWO, tiles={"play": 1, "look": 0, "rob": 1}).turn()
    refused(tale.plus("action", seat=1, action="play"), "D3")
    tale.say("tiles", tiles=["rob", "play"])
    legal(tale)
    refused(tale.changed(tiles=["rob", "play", "play"]), "K4")
    refused(tale.changed(tiles=["rob", "look"]), "K4")
    refused(tale.plus("action", seat=1, action="play"), "K4")
    tale.say("action", seat=1, action="rob")
    refused(tale.changed(seat=2), "K4")
    tale.say("rob", seat=1, bank=1).say("stakes", stakes=[1, 2])
    tale.say("open", bank=1, cards=["5"], pot=5).result("1 2", "1 2", "paid").turn()
    refused(tale.plus("tiles", tiles=["play", "rob"]), "D3")
    tale.say("action", seat=2, action="play").say("play", seat=2, card="4", bank=1)
    tale.say("draw", seat=2, card="3").turn()
    refused(tale.plus("action", seat=1, action="rob"), "D3")
    legal(tale.say("tiles", tiles=["play", "rob"]).say("action", seat=1, action="play"))


@pytest.mark.rule("K4")
def test_the_seats_take_turns_and_choose_among_four_actions() -> None:
    tale = Tale(*TWO)
    refused(tale.copy().turn().changed(seat=2), "K4")
    refused(tale.copy().turn().changed(turn=2), FORMAT)
    for action in ("play", "look", "reveal", "rob"):
        legal(tale.copy().act(action))
    refused(tale.copy().act("pass"), "K4")
    refused(tale.copy().turn().say("tiles", tiles=["rob"]), "D3")
    refused(tale.copy().look(1, 1, "5").turn().changed(seat=1), "K4")
    refused(tale.copy().turn().say("look", seat=1, bank=1, place=1, card="5"), "K4")


@pytest.mark.rule("K5")
def test_a_card_of_the_hand_is_played_and_one_drawn() -> None:
    tale = Tale(*TWO).act("play")
    refused(tale.plus("nothing", seat=1), "D4")
    tale.say("play", seat=1, card="3", bank=2)
    legal(tale)
    for change in ({"card": "4"}, {"bank": 3}, {"bank": 0}, {"bank": "1"}, {"seat": 2}):
        refused(tale.changed(**change), "K5")
    refused(tale.copy().turn(), "K5")
    tale.say("draw", seat=1, card="3")
    refused(tale.changed(card="2"), "K5")
    refused(tale.plus("draw", seat=1, card="3"), "K5")
    tale.play("4", 2)
    refused(tale.copy().act("play").say("play", seat=1, card="4", bank=1), "K5")
    legal(tale.copy().open(2, "0 0", "5 3 4", 12))
    refused(tale.copy().open(2, "0 0", "5 4 3", 12), "K10")
    last = Tale(*TWO, then="9").play("2", 1).act("play").say("play", seat=2, card="4", bank=1)
    legal(last.copy().turn())
    refused(last.plus("draw", seat=2, card="9"), "K5")


@pytest.mark.rule("K5")
def test_a_seat_without_cards_does_nothing() -> None:
    tale = Tale("", "", banks="5").act("play")
    refused(tale.plus("play", seat=1, card="5", bank=1), "K5")
    legal(tale.say("nothing", seat=1).turn())


@pytest.mark.rule("K6", "K7")
def test_a_face_down_card_is_seen_or_turned() -> None:
    tale = Tale(*TWO, banks="5 9").play("2", 2)
    for action, rule in (("look", "K6"), ("reveal", "K7")):
        here = tale.copy().look(2, 2, "2", action)
        legal(here)
        for change in ({"card": "9"}, {"bank": 3}, {"seat": 1}):
            refused(here.changed(**change), rule)
        for place in (0, 3, "1"):
            refused(here.changed(place=place), "D5")
        refused(tale.copy().act(action).say("nothing", seat=2), "D4")
        for again, broken in (("look", "K6"), ("reveal", "K7")):
            other = here.copy().look(2, 2, "2", again)
            legal(other) if action == "look" else refused(other, broken)
            legal(here.copy().look(2, 1, "9", again))
    refused(tale.copy().act("look").say("reveal", seat=2, bank=1, place=1, card="5"), "K6")


@pytest.mark.rule("K8", "K9")
def test_nothing_happens_where_nothing_lies() -> None:
    tale = Tale(*TWO, banks="5 9").look(1, 1, "5", "reveal").look(2, 1, "9", "reveal")
    for action in ("look", "reveal"):
        refused(tale.copy().act(action).say(action, seat=1, bank=1, place=1, card="5"), "K9")
        legal(tale.copy().act(action).say("nothing", seat=1).turn())
    refused(tale.copy().act("rob").say("nothing", seat=1), "D4")
    refused(tale.copy().act("rob").say("rob", seat=1, bank=3), "K8")
    refused(tale.copy().act("rob").say("rob", seat=2, bank=1), "K8")
    tale.open(1, "0 0", "5", 5).result("1 2", "0 0", "paid")
    refused(tale.copy().act("rob").say("rob", seat=2, bank=1), "K9")
    tale.open(2, "0 0", "9", 9).result("2 1", "0 0", "paid")
    refused(tale.copy().act("rob").say("rob", seat=1, bank=1), "K9")
    legal(tale.act("rob").say("nothing", seat=1).turn())


# Robberies


def told(case: Case) -> Tale:
    """The case as a tale; its seats have 9 coins."""
    tale = filled(case.cards, len(case.stakes), case.robber, coins=9, **case.rules)
    stakes = " ".join(map(str, case.stakes))
    tale.open(1, stakes, " ".join(case.cards), case.pot)
    order, gains = (" ".join(map(str, numbers)) for numbers in (case.order, case.gains))
    return tale.result(order, gains, " ".join(case.how))


@pytest.mark.rule(*(f"K{number}" for number in range(10, 19)))
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_robberies_worked_out_by_hand(case: Case) -> None:
    haul = Haul({**BASE_RULES, **case.rules}, case.cards, case.stakes, case.robber)
    assert told_of(haul) == told_in(case)
    tale = told(case)
    legal(tale)
    pot = tale.until("open")
    refused(pot.changed(pot=case.pot + 1), "D7")
    refused(pot.changed(cards=case.cards[1:]), "K10")
    refused(pot.changed(bank=2), "K10")
    refused(tale.changed(order=case.order[::-1]), "D8")
    for name, rule in zip(FLAGS, ("D15", "D15", "K14", "K15", "K17"), strict=True):
        refused(tale.changed(**{name: name not in case.how}), rule)
    for seat in range(len(case.gains)):
        gains = [gain + (at == seat) for at, gain in enumerate(case.gains)]
        with pytest.raises(RuleBroken, match=rf"^line {len(tale.lines)}: gains"):
            check(tale.changed(gains=gains).lines)


@pytest.mark.rule("K11", "K12", "K13", "K14", "K15")
def test_wrong_gains_break_the_rule_that_made_them() -> None:
    named = {case.name: case for case in CASES}
    for name, rule in (
        ("K11 the pot just suffices", "K11"),
        ("K12 lost", "K12"),
        ("K13 equals together", "K13"),
        ("K14 guard", "K14"),
        ("K15 thief", "K15"),
        ("K15 both", "K15"),
    ):
        tale = told(named[name])
        refused(tale.changed(gains=[9 for _ in named[name].gains]), rule)


def test_the_twin_and_the_checker_settle_random_robberies_alike() -> None:
    rng = random.Random(5)
    kinds = "lady guard judge thief multiply".split()
    seen: Counter[str] = Counter()
    for _ in range(3000):
        rules = {**BASE_RULES, **wild_rules(rng)}
        cards = rng.choices(kinds, k=rng.randint(0, 4)) + rng.choices(["2", "5", "10"], k=2)
        stakes = [rng.randint(0, 7) for _ in range(rng.randint(2, 5))]
        robber = rng.randint(1, len(stakes))
        ours, theirs = Haul(rules, cards, stakes, robber), resolve(rules, cards, stakes, robber)
        assert told_of(ours) == told_of(theirs)
        assert ours.taken == theirs.taken
        seen.update(name for name in FLAGS if getattr(ours, name))
    assert min(seen[name] for name in FLAGS) > 200


@pytest.mark.rule("K10", "K22")
def test_a_stake_is_what_a_seat_has_or_its_credit() -> None:
    tale = Tale(*TWO, coins=4).act("rob").say("rob", seat=1, bank=1).say("stakes", stakes=[0, 4])
    legal(tale)
    for stakes in ([0, 5], [5, 0], [0], [0, 0, 0]):
        refused(tale.changed(stakes=stakes), "K10")
    for odd in ([0, -1], [0.5, 0], ["1", 0], [True, 0]):
        refused(tale.changed(stakes=odd), "D6")
    owed = Tale(*TWO, banks="thief 5", coins=4, credit_to=6).open(1, "6 0", "thief", 0)
    owed.result("2 1", "-6 0", "thieved").act("rob").say("rob", seat=2, bank=2)
    for stakes, right in (([6, 6], True), ([7, 0], False), ([0, 7], False)):
        here = owed.plus("stakes", stakes=stakes)
        legal(here) if right else refused(here, "K22")
    rich = Tale(*TWO, coins=9, credit_to=6).act("rob").say("rob", seat=1, bank=1)
    legal(rich.plus("stakes", stakes=[9, 0]))
    refused(rich.plus("stakes", stakes=[10, 0]), "K22")


@pytest.mark.rule("K19")
def test_money_that_nobody_took_stays_face_up() -> None:
    cards = "4 guard 7".split()
    tale = filled(cards, 2, after_robbery="keep_money").open(1, "3 0", "4 guard 7", 11)
    tale.result("2 1", "0 5", "guarded")
    refused(tale.copy().turn(), "K19")
    tale.say("kept", bank=1, cards=["4", "7"])
    refused(tale.changed(cards=["4", "guard", "7"]), "K19")
    refused(tale.changed(cards=["7", "4"]), "K19")
    refused(tale.changed(bank=2), "K19")
    legal(tale.copy().look(2, 1, "2"))
    refused(tale.copy().look(1, 1, "4"), "K6")
    legal(tale.copy().open(1, "4 0", "4 7", 11))
    paid = filled(["4"], 2, after_robbery="keep_money").open(1, "3 1", "4", 4)
    paid.result("2 1", "3 1", "paid")
    refused(paid.plus("kept", bank=1, cards=["4"]), "K19")
    legal(paid.turn())
    gone = filled(["4", "thief"], 2, after_robbery="keep_money").open(1, "0 0", "4 thief", 4)
    gone.result("1 2", "0 0", "thieved")
    refused(gone.plus("kept", bank=1, cards=["4"]), "K19")
    none = filled(["guard"], 2, after_robbery="keep_money").open(1, "1 1", "guard", 0)
    legal(none.result("1 2", "0 0", "guarded").turn())
    for mode in ("discard", "refill"):
        other = filled(cards, 2, after_robbery=mode).open(1, "3 0", "4 guard 7", 11)
        other.result("2 1", "0 5", "guarded")
        refused(other.plus("kept", bank=1, cards=["4", "7"]), "K19")


@pytest.mark.rule("K19")
def test_a_robbed_bank_gets_the_next_card_face_down() -> None:
    tale = Tale(*TWO, then="8 9", after_robbery="refill").open(1, "0 0", "5", 5)
    tale.result("1 2", "0 0", "paid")
    refused(tale.copy().turn(), "K19")
    tale.say("refill", bank=1, card="8")
    refused(tale.changed(card="9"), "K19")
    refused(tale.changed(bank=2), "K19")
    legal(tale.copy().look(1, 1, "8"))
    tale.open(1, "0 0", "8", 8).result("2 1", "0 0", "paid").say("refill", bank=1, card="9")
    tale.open(1, "0 0", "9", 9).result("1 2", "0 0", "paid")
    refused(tale.plus("refill", bank=1, card="8"), "K19")
    legal(tale.turn())
    other = Tale(*TWO).open(1, "0 0", "5", 5).result("1 2", "0 0", "paid")
    refused(other.plus("refill", bank=1, card="3"), "K19")


# The end


def finished(**columns: Any) -> Tale:
    """Seat 2 plays its last card; bank 2 and bank 3 are left to rob."""
    tale = Tale("4", "guard", banks="5 6 7", then="2", after_robbery="keep_money")
    tale.open(1, "2 3", "5", 5).result("1 2", "2 3", "paid")
    tale.act("play").say("play", seat=2, card="guard", bank=3).say("draw", seat=2, card="2")
    tale.look(2, 1, "6").act("play").say("play", seat=2, card="2", bank=2)
    tale.open(2, "4 4", "6 2", 8, final=True).result("2 1", "4 4", "paid")
    tale.open(3, "0 9", "7 guard", 7, final=True).result("1 2", "5 0", "guarded")
    tale.say("kept", bank=3, cards=["7"])
    counts = {"robberies": 3, "paid": 2, "guarded": 1, "pot": 20, "stakes": 22, "coins_paid": 13}
    return tale.end("21 17", "1", **{**counts, "rewards": 5, "robbed__1": 1, **columns})


@pytest.mark.rule("K20", "K21")
def test_the_banks_are_robbed_in_order_and_the_game_ends() -> None:
    tale = finished()
    check(tale.lines)
    refused(tale.plus("turn", seat=1), FORMAT)
    rob = tale.until("rob", 2)
    for change in ({"bank": 3}, {"seat": 1}, {"final": False}, {"final": None}):
        refused(rob.changed(**change), "K20")
    before = tale.until("play", 2)
    refused(before.plus("turn", seat=1), "K20")
    refused(before.plus("end"), "K20")
    refused(tale.until("result", 2).plus("end"), "K20")
    refused(tale.until("result", 2).changed(order=[1, 2]), "D8")
    refused(tale.until("result", 3).say("end"), "K20")
    refused(tale.changed(stalled=True), "K20")
    for coins in ([17, 21], [21, 17, 0], [20, 17]):
        refused(tale.changed(coins=coins), "K21")
    refused(tale.changed(winners=[1, 2]), "K21")
    refused(tale.changed(winners=[2]), "K21")
    early = tale.until("action", 3)
    refused(early.plus("rob", seat=1, bank=2, final=True), "K6")
    looked = tale.until("look")
    refused(looked.plus("rob", seat=1, bank=2, final=True), "K4")
    refused(looked.plus("end"), "K20")


@pytest.mark.rule("K20")
def test_no_card_is_dealt_in_the_final_robberies() -> None:
    tale = Tale("", "", banks="5", then="6", after_robbery="refill").open(1, "0 0", "5", 5)
    tale.result("1 2", "0 0", "paid").say("refill", bank=1, card="6")
    tale.open(1, "1 1", "6", 6, final=True).result("1 2", "1 1", "paid")
    tale.end("11 11", "1 2", robberies=2, paid=2, pot=11, stakes=2, coins_paid=2, robbed__1=1)
    check(tale.lines)


@pytest.mark.rule("K23", "K21")
def test_a_long_game_is_stopped_and_scored() -> None:
    tale = Tale(*TWO, max_turns=2).look(1, 1, "5")
    refused(tale.copy().end("10 10", "1 2", stalled=True), "K20")
    tale.look(2, 1, "5")
    refused(tale.copy().turn(), "K23")
    refused(tale.plus("rob", seat=2, bank=1, final=True), "K23")
    tale.end("10 10", "1 2", stalled=True)
    check(tale.lines)
    refused(tale.changed(stalled=False), "K23")
    refused(tale.changed(winners=[1]), "K21")
    last = Tale("4", "3", banks="5", then="", max_turns=1)
    last.act("play").say("play", seat=1, card="4", bank=1)
    refused(last.copy().end("10 10", "1 2", stalled=True), "K20")
    legal(last.say("rob", seat=1, bank=1, final=True))


def test_every_outcome_column_is_counted() -> None:
    tale = finished()
    outcome = tale.lines[-1]["outcome"]
    assert len(outcome) == 14 + 3 * 5
    for name, value in outcome.items():
        refused(tale.changed(outcome={**outcome, name: value + 1}), COLUMNS)
        rest = {column: told for column, told in outcome.items() if column != name}
        refused(tale.changed(outcome=rest), COLUMNS)
    refused(tale.changed(outcome={**outcome, "luck": 0}), COLUMNS)
    refused(tale.changed(outcome=[]), FORMAT)


# Whole games


class Counting(Table):
    """A table that counts all cards at every turn."""

    def set_up(self) -> None:
        self.gone: Counter[str] = Counter()
        super().set_up()

    def tell(self, event: str, **fields: Any) -> None:
        super().tell(event, **fields)
        if event == "open":
            self.gone.update(fields["cards"])
        if event == "kept":
            self.gone.subtract(fields["cards"])
        if event in ("turn", "end"):
            here = Counter(self.deck) + self.gone
            here.update(card for hand in self.hands.values() for card in hand)
            here.update(laid.card for bank in self.banks.values() for laid in bank)
            assert here == Counter(self.whole)


@pytest.mark.rule("K3", "K19", "K21", "K22")
def test_no_card_and_no_coin_gets_lost() -> None:
    for seed in range(200):
        rng = random.Random(seed)
        rules = wild_rules(rng)
        policy = Wild(rng) if seed % 2 else Simple(Knobs(3, 1.5))
        end = Counting(rules, policy, RandomChance(rng)).play()[-1]
        told = end["outcome"]
        made = told["coins_paid"] + told["rewards"] - told["coins_lost"] - told["coins_thieved"]
        assert sum(end["coins"]) == rules["players"] * rules["coins"] + made
        assert sum(told[f"win_share.{seat}"] for seat in range(1, 6)) == 60
        assert rules["credit_to"] or min(end["coins"]) >= 0


def test_games_of_any_rules_are_accepted_from_the_file_too() -> None:
    seen: Counter[str] = Counter()
    for seed in range(120):
        for trace in (simple_trace(seed), wild_trace(seed)):
            check([json.loads(json.dumps(line)) for line in trace])
            seen.update({line["event"] for line in trace})
            seen["final"] += any("final" in line for line in trace)
            seen["debt"] += min(trace[-1]["coins"]) < 0
            seen["stalled"] += trace[-1]["stalled"]
    kinds = "tiles play draw look reveal nothing rob kept refill final debt stalled".split()
    assert all(seen[kind] > 5 for kind in kinds), seen


def test_no_line_of_a_game_can_be_left_out_told_twice_or_swapped() -> None:
    for lines in (finished().lines, wild_trace(8), simple_trace(32)):
        check(lines)
        for at in range(len(lines)):
            for told in (
                lines[:at] + lines[at + 1 :],
                lines[: at + 1] + lines[at:],
                [*lines[:at], *lines[at : at + 2][::-1], *lines[at + 2 :]],
            ):
                if told != lines:
                    with pytest.raises(RuleBroken):
                        check(told)
