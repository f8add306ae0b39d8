"""The rule checker on hand-written traces of the whole game: the Van, characters and tools.

Seat 1 keeps the Guard of clubs, then diamonds, hearts and spades. A trace is written as far as a
test needs it: it is legal if nothing but its end is missing.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest

from .burgle_checker import CHARACTERS, TOOL_FIELDS, RuleBroken, check

Decks = dict[int | str, list[str]]

GUARDS = ["JC", "JD", "JH", "JS"]
NUMBERS = [rank + suit for rank in "A 2 3 4 5 6 7 8 9 10".split() for suit in "CDHS"]
DEALT = 11
RULES: dict[str, Any] = {
    "stealth": 2,
    "stealth_cap": None,
    "trading": True,
    "guard_value": 10,
    "peek_totals": [],
    "jackpot_total": 99,
    "crack": {"flush": 5},
    "alarm_over": 21,
    "alarm_discards": 2,
    "alarm_removes": 1,
    "targeted_safe_from": 17,
    "win_at_once": True,
    "max_rounds": 1,
    "burn": 0,
    "straight_replaces_flush": True,
    "guard_in_straight": True,
    "joker_in_straight": False,
    "juicer_alarm_over": 24,
    "peterman_before_guard": False,
    "dynamite_inactive": False,
}
EMPTY_IN_ROUND_1: dict[str, Any] = {
    "alarm_over": 12,
    "alarm_discards": 20,
    "alarm_removes": 0,
    "max_rounds": 9,
}
SAFE: dict[str, Any] = {"crack": {"flush": 1}}  # one card of the suit opens a safe
PEEKS: dict[str, Any] = {"peek_totals": [5, 10, 15, 20]}
COLUMNS = (
    "won stalled rounds turns draws cracked alarms targeted_alarms stealth_lost trades"
    " twenty_ones peeks tools_used removed"
).split()


class Tale:
    """A trace in the making: it knows the decks and the clock, the rest is told by the test."""

    def __init__(
        self,
        *tops: str,
        van: str = "",
        characters: str = "",
        tools: str = "",
        **rules: Any,
    ) -> None:
        self.players = len(tops)
        self.clock: dict[str, int] = {}
        self.lines: list[dict[str, Any]] = []
        names = characters.split()
        full = {**RULES, "players": self.players, "tools": tools.split(), **rules}
        self.say("game", game="burgle", rules={"characters": names or "none", **full})
        self.decks: Decks = {}
        self.started = False
        self.deal([top.split() for top in tops], van.split(), names)
        self.tools = tools.split()
        self.set_tools(names)

    def deal(self, tops: list[list[str]], van: list[str], names: list[str]) -> None:
        named = {card for top in [*tops, van] for card in top}
        others = [card for card in NUMBERS if card not in named]
        for seat, (guard, top) in enumerate(zip(GUARDS, tops, strict=False), 1):
            free = DEALT - len(top) - (guard not in top)
            fill, others = others[:free], others[free:]
            self.decks[seat] = top + fill + ([] if guard in top else [guard])
            who = {"character": names[seat - 1]} if names and names[seat - 1] != "none" else {}
            self.say("deal", seat=seat, guard=guard, deck=list(self.decks[seat]), **who)
        if self.players < len(GUARDS):
            jacks = [guard for guard in GUARDS[self.players :] if guard not in van]
            self.decks["van"] = [*van, *others, *jacks]
            self.say("deal", seat="van", deck=list(self.decks["van"]))

    def set_tools(self, names: list[str]) -> None:
        if self.tools:
            self.say("tools", deck=list(self.tools))
        if "hammer" in names and self.tools:
            self.take_tool(names.index("hammer") + 1, hammer=True)

    def take_tool(self, seat: int, hammer: bool = False) -> Tale:
        tool = self.tools.pop(0)
        if not (hammer and self.tools):
            return self.say("tool", seat=seat, tool=tool)
        returned = self.tools.pop(0)
        self.say("tool", seat=seat, tool=tool, returned=returned)
        self.tools.append(returned)
        return self.say("tools", deck=list(self.tools))

    def say(self, event: str, **fields: Any) -> Tale:
        self.lines.append({"event": event, **self.clock, **fields})
        return self

    def plus(self, event: str, **fields: Any) -> Tale:
        return copy.deepcopy(self).say(event, **fields)

    def round(self) -> Tale:
        self.clock = {"round": self.clock.get("round", 0) + 1, "turn": 1}
        self.started = False
        return self.say("round")

    def turn(self, *seats: int, van: bool = True) -> Tale:
        """The turn starts, these seats draw, then the Van if there is one."""
        self.clock["turn"] += self.started
        self.started = True
        self.say("turn")
        return self.draw(*seats, *(["van"] if van and "van" in self.decks else []))

    def draw(self, *seats: int | str) -> Tale:
        for seat in seats:
            self.say("draw", seat=seat, card=self.decks[seat].pop(0))
        return self

    def shuffle(self, seat: int | str, *cards: str) -> Tale:
        self.decks[seat] = list(cards)
        return self.say("shuffle", seat=seat, deck=list(cards))

    def use(self, seat: int, tool: str, **fields: Any) -> Tale:
        return self.say("use", seat=seat, tool=tool, **fields)

    def trade(self, *moves: tuple[int | str, int | str, str]) -> Tale:
        told = [{"from": giver, "to": taker, "card": card} for giver, taker, card in moves]
        return self.say("trade", moves=told)

    def crack(self, seat: int, *cards: str) -> Tale:
        return self.say("crack", seat=seat, cards=list(cards), kind="flush")

    def alarm(self, seat: int, *flipped: str, remove: str | None = None) -> Tale:
        self.say("alarm", seat=seat, cause="total")
        for card in flipped:
            self.decks[seat].remove(card)
            self.say("flip", seat=seat, card=card)
        return self.say("remove", seat=seat, card=remove) if remove else self

    def bail(self, *seats: int) -> Tale:
        for seat in seats:
            self.say("bail", seat=seat)
        return self

    def end(self, result: str = "stalled", **columns: Any) -> Tale:
        outcome: dict[str, Any] = dict.fromkeys(COLUMNS, 0) | {"lost_to": "none"}
        for seat in range(1, len(GUARDS) + 1):
            here = seat <= self.players
            outcome |= {f"crack_round.{seat}": 0, f"seat_alarms.{seat}": 0}
            outcome[f"stealth_left.{seat}"] = RULES["stealth"] if here else 0
            outcome[f"character.{seat}"] = "none"
        outcome |= {f"used.{tool}": 0 for tool in TOOL_FIELDS}
        outcome |= {f"ability.{name}": 0 for name in CHARACTERS}
        outcome |= {name.replace("__", "."): value for name, value in columns.items()}
        return self.say("end", result=result, outcome=outcome)


def legal(tale: Tale) -> None:
    """Every line is accepted; only what would follow is missing."""
    stops = rf"^line {len(tale.lines) + 1}: the trace stops before its end \(trace format\)$"
    with pytest.raises(RuleBroken, match=stops):
        check(tale.lines)


def refused(tale: Tale, rule: str) -> None:
    """Every line but the last is accepted."""
    with pytest.raises(RuleBroken, match=rf"^line {len(tale.lines)}: .* \({rule}\)$"):
        check(tale.lines)


def armed(*tops: str, tool: str, others: str = "", **rest: Any) -> Tale:
    """Seat 1 is the Hammer and starts with the tool."""
    names = ["hammer", *others.split()]
    names += ["none"] * (len(tops) - len(names))
    return Tale(*tops, tools=tool, characters=" ".join(names), **rest)


# Set-up


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


# The Van


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


# Characters


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


# The Hacker and the Peterman


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


# Tools: windows


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


# Tools: what they do


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


# The Joker


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


# The end


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
