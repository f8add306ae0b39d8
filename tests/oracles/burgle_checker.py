"""A rule checker for traces of Burgle Bros Blackjack, with characters, tools and the Van.

`check` reads the lines of one game, whatever its policies, and follows them with its own model of
every pile. The rules fix which line may come next, so each line is taken where it is due; only
decisions are read from the lines, and tested for being legal. An option (a tool, the Rook's extra
look, the Van's Jack, the Peterman's top card) is taken where the next line says that it is used.
The steps of the game are here, the model of the piles in `checker_table`, the tools in
`checker_tools`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from .checker_table import (
    FORMAT,
    GUARDS,
    JOKER,
    NOBODY,
    NUMBERS,
    RANK,
    STRAIGHT,
    VAN,
    Hand,
    Line,
    RuleBroken,
    Seat,
    Table,
)
from .checker_tools import TOOL_FIELDS, draw_tool, read_tools, window, window_before_checks

__all__ = ["CHARACTERS", "TOOL_FIELDS", "RuleBroken", "check"]

COLUMNS = "outcome columns"
BURN_ORDER = {**RANK, JOKER: -1}  # R50
CRACK_ORDER = {**RANK, JOKER: len(STRAIGHT)}
SEATS = 4
DEALT = 11  # B2: ten cards and a Guard
CHARACTERS = "hawk acrobat hammer spotter juicer raven rook hacker peterman".split()
HAWK_SEES = 2
CHECK_LINES = {"shuffle", "peek", "hawk", "twenty_one", "crack"}  # the first of B18 to B20
BASE_RULES = (
    "stealth trading guard_value peek_totals jackpot_total crack alarm_over alarm_discards"
    " alarm_removes targeted_safe_from win_at_once max_rounds burn straight_replaces_flush"
    " guard_in_straight"
).split()
WHOLE_GAME_RULES: dict[str, Any] = {  # a trace of the base game may leave these out
    "players": SEATS,
    "characters": NOBODY,
    "tools": False,
    "stealth_cap": None,
    "joker_in_straight": False,
    "juicer_alarm_over": 24,
    "peterman_before_guard": False,
    "dynamite_inactive": False,
}


class _Ended(Exception):
    """The game is over: an `end` line is due."""

    def __init__(self, result: str, lost_to: str, rule: str) -> None:
        super().__init__(result)
        self.result, self.lost_to, self.rule = result, lost_to, rule


def check(lines: Iterable[Line]) -> None:
    """Raise `RuleBroken` at the first line of the game that breaks a rule."""
    _Checker(lines).run()


class _Checker(Table):
    """The rules, step by step, as the lines of the trace must follow them."""

    # Set-up

    def run(self) -> None:
        self.read_rules()
        self.read_deals()
        read_tools(self)
        try:
            while True:
                self.play_round()
        except _Ended as end:
            self.every_card_in_one_place()
            self.read_end(end)
        if self.number < len(self.lines):
            self.number += 1
            self.fail("a line follows `end`", FORMAT)

    def read_rules(self) -> None:
        line = self.advance()
        first = line.get("event") == "game" and line.get("game") == "burgle"
        self.require(first, "the first line is not the `game` line of a burgle game", FORMAT)
        rules = line.get("rules") or {}
        missing = [name for name in BASE_RULES if name not in rules]
        self.require(not missing, f"rules without {missing}", FORMAT)
        self.rules = {**WHOLE_GAME_RULES, **rules}
        players = self.rules["players"]
        self.require(players in (2, 3, 4), f"players is {players!r}, not 2, 3 or 4", "B3")

    def read_deals(self) -> None:  # B2
        seats = [self.read_seat(number) for number in range(1, self.rules["players"] + 1)]
        away = SEATS - len(seats)
        if away:  # B3
            deck = list(self.take("deal", "B3", "deck", seat=VAN)["deck"])
            self.require(len(deck) == DEALT * away, f"the Van is dealt {len(deck)} cards", "B3")
            self.van = Hand(VAN, deck)
        self.seats = seats
        dealt = Counter(card for hand in self.hands() for card in hand.deck)
        whole = dealt == Counter(NUMBERS | GUARDS)
        self.require(whole, "the decks are not 40 different numbers and 4 Guards", "B2")
        characters = [seat.character for seat in seats if seat.character != NOBODY]
        different = len(set(characters)) == len(characters)
        self.require(different, f"two of one character: {characters}", "B4")

    def read_seat(self, number: int) -> Seat:  # B2
        optional = () if self.rules["characters"] == NOBODY else ("character",)
        line = self.take("deal", "B2", "guard", "deck", optional=optional, seat=number)
        guard, deck = line["guard"], list(line["deck"])
        self.require(guard in GUARDS, f"{guard!r} is no Guard", "B2")
        self.require(len(deck) == DEALT, f"{len(deck)} cards dealt, {DEALT} are due", "B2")
        own_guard_only = [card for card in deck if card in GUARDS] == [guard]
        self.require(own_guard_only, f"the deck's Guards are not just {guard}", "B2")
        character = line.get("character", NOBODY)
        self.require_character(number, character)
        stealth = self.rules["stealth"]  # B5
        return Seat(number, deck, guard=guard, character=character, stealth=stealth)

    def require_character(self, number: int, character: str) -> None:  # B4
        asked = self.rules["characters"]
        if asked == "random":
            self.require(character in CHARACTERS, f"no such character: {character!r}", "B4")
        elif asked != NOBODY:
            due = asked[number - 1] if number <= len(asked) else None
            wrong = f"seat {number} plays {character!r}, not {due!r}"
            self.require(character == due, wrong, "B4")

    # A round and its turns

    def play_round(self) -> None:  # B10
        self.counts["rounds"] += 1
        self.clock = {"round": self.counts["rounds"], "turn": 1}
        self.emp = False  # R40
        for seat in self.seats:
            seat.active, seat.donuts, seat.minus = True, False, 0
        self.take("round", "B10")
        window(self, "donuts")
        self.play_turn()
        while any(seat.active for seat in self.seats):
            self.clock["turn"] += 1
            self.play_turn()
        window(self)
        self.end_round()

    def play_turn(self) -> None:
        self.take("turn", "B10")
        self.counts["turns"] += 1
        self.draw_step()
        late = window_before_checks(self)
        if self.is_next("trade"):
            self.trade()
            late = window_before_checks(self)
        checked = [seat for seat in self.seats if seat.active]  # B17
        if not late or self.ahead().get("event") in CHECK_LINES:
            for step in (self.total_peek, self.twenty_one, self.crack):
                for seat in checked:
                    step(seat)
        window(self)  # R32
        for step in (self.total_alarm, self.bail):
            for seat in checked:
                step(seat)
        if self.van:
            self.van.discard_display()  # B12, R48
        self.every_card_in_one_place()

    # Drawing

    def draw_step(self) -> None:  # R4
        for seat in self.seats:
            if seat.active:
                self.draw(seat, in_step=True)
        if self.van and self.has_card(self.van):  # B12
            card = self.van.deck[0]
            self.take("draw", "B12", seat=VAN, card=card)
            self.van.receive(self.van.deck.pop(0))
            self.counts["draws"] += 1
            if card in GUARDS and self.is_next("van_guard"):
                self.van_guard()

    def van_guard(self) -> None:  # B12, R46
        line = self.take("van_guard", "B12", "seat", "card")
        seat = self.seat(line["seat"], "B12")
        lies_there = line["card"] == seat.guard and seat.guard in seat.display
        self.require(lies_there, f"{line['card']} is no Guard in that display", "B12")
        seat.discard_guard()

    # Trading

    def trade(self) -> None:  # B14
        moves = self.take("trade", "B14", "moves")["moves"]
        self.require(bool(self.rules["trading"]), "a trade where trading is off", "B14")
        self.require(bool(moves), "a trade without moves", FORMAT)
        for move in moves:
            self.require(set(move) == {"from", "to", "card"}, f"odd move {move}", FORMAT)
            self.require_movable(move)
        hands = {hand.number: hand for hand in self.hands()}
        order = list(hands)
        givers = [order.index(move["from"]) for move in moves]
        takers = [order.index(move["to"]) for move in moves]
        even = sorted(takers) == sorted(set(givers)) and len(takers) == len(givers)
        self.require(even, "a seat has not as many cards as before", "B14")
        self.require(givers == sorted(givers), "moves not in the order of the givers", FORMAT)
        for move in moves:
            giver = hands[move["from"]]
            self.counts["ability.hacker"] += move["card"] != giver.current
            giver.leave(move["card"])
        for move in moves:
            hands[move["to"]].receive(move["card"])
        self.counts["trades"] += len(moves)  # R58

    def require_movable(self, move: Line) -> None:  # B14
        self.trader(move["to"])
        giver, card = self.trader(move["from"]), move["card"]
        self.require(move["from"] != move["to"], f"{card} changes no hands", FORMAT)
        rule = "R27" if isinstance(giver, Seat) and giver.character == "hacker" else "B14"
        self.require(card not in GUARDS, f"the Guard {card} is traded", rule)
        may = self.may_give(giver)
        wrong = f"{card} is not what seat {giver.number} may give: {may}"
        self.require(card in may, wrong, "R28" if rule == "R27" and not may else rule)

    def trader(self, number: object) -> Hand:
        if number == VAN and self.van:
            return self.van
        seat = self.seat(number, "B14")
        self.require(seat.active, f"seat {number!r} of a trade is not active", "B14")
        return seat

    def may_give(self, hand: Hand) -> list[str]:  # B14, C8, R28
        if hand.current is None:
            return []
        at = hand.display.index(hand.current)
        hacker = isinstance(hand, Seat) and hand.character == "hacker"
        first = max(at - 1, 0) if hacker else at
        return [card for card in hand.display[first : at + 1] if card not in GUARDS]

    # The checks

    def total_peek(self, seat: Seat) -> None:  # B18
        hawk = seat.character == "hawk"
        if self.peek_reached(seat):
            self.hawk(seat) if hawk else self.peek(seat, "total", "B18")
        elif hawk and self.is_next("peek", seat=seat.number, cause="total"):
            self.refuse_next("the Hawk peeks on none of its totals", "C1")

    def peek(self, seat: Seat, cause: str, rule: str) -> None:
        if not self.has_card(seat):
            return  # R12
        top = seat.deck[0]
        line = self.take("peek", rule, "discarded", seat=seat.number, cause=cause, card=top)
        self.put_back_or_discard(seat, line)
        if seat.character == "rook" and not line["discarded"]:
            self.rook(seat)

    def put_back_or_discard(self, seat: Seat, line: Line) -> None:
        self.require(isinstance(line["discarded"], bool), "discarded is no truth value", FORMAT)
        if line["discarded"]:
            seat.discards.append(seat.deck.pop(0))
        self.counts["peeks"] += 1  # R56

    def hawk(self, seat: Seat) -> None:  # C1
        """The look at two cards, or, as any seat's, at one (R59)."""
        if not self.has_card(seat):
            return  # R12
        if self.is_next("peek"):
            self.peek(seat, "total", "C1")
            return
        seen = seat.deck[:HAWK_SEES]  # R15
        line = self.take("hawk", "C1", optional=("discarded",), seat=seat.number, cards=seen)
        self.counts["peeks"] += 1  # R56
        self.counts["ability.hawk"] += len(seen) == HAWK_SEES
        if "discarded" in line:
            card = line["discarded"]
            self.require(card in seen, f"{card!r} is discarded, not one of {seen}", "C1")
            seat.deck.remove(card)
            seat.discards.append(card)

    def rook(self, seat: Seat) -> None:  # C7, R25
        shuffled = self.is_next("shuffle") and self.ahead(1).get("event") == "rook"
        if not shuffled and not self.is_next("rook"):
            return
        number = self.ahead(int(shuffled)).get("target")
        target = next((s for s in self.seats if s.number == number and s is not seat), None)
        if target is None:
            self.refuse_next(f"the Rook looks at the deck of {number!r}", "C7")
        if not self.has_card(target):
            self.refuse_next(f"seat {target.number} has no card to look at", "R26")
        line = self.take(
            "rook", "C7", "discarded", seat=seat.number, target=number, card=target.deck[0]
        )
        self.counts["ability.rook"] += 1
        self.put_back_or_discard(target, line)

    def twenty_one(self, seat: Seat) -> None:  # B19
        if self.rules["jackpot_total"] not in self.readings(seat):
            return
        whose = ("owner", "card")
        line = self.take("twenty_one", "B19", "choice", optional=whose, seat=seat.number)
        choice = line["choice"]
        self.require(choice in ("stay", "guard", "peek"), f"no such choice: {choice!r}", "B19")
        named = [name for name in whose if name in line]
        right = named == (list(whose) if choice == "guard" else [])
        self.require(right, f"a choice {choice} with the fields {named}", FORMAT)
        self.counts["twenty_ones"] += 1
        seat.active = choice == "stay"
        if choice == "guard":
            self.take_guard_away(line)
        if choice == "peek":
            for other in self.seats:  # R11, R13
                self.peek(other, "twenty_one", "R11")

    def take_guard_away(self, line: Line) -> None:  # B19, R10
        owner = self.seat(line["owner"], "B19")
        lies_there = line["card"] == owner.guard and owner.guard in owner.display
        self.require(lies_there, f"{line['card']} is no Guard in that display", "B19")
        owner.discard_guard()

    def crack(self, seat: Seat) -> None:  # B20
        if not self.must_crack(seat):
            if self.is_next("crack", seat=seat.number):
                self.refuse_next(f"{seat.display} do not open the safe", "B20")
            return
        line = self.take("crack", "B20", "cards", "kind", seat=seat.number)
        used, kind = list(line["cards"]), line["kind"]
        rule = ("R43" if kind == "flush" else "R51") if JOKER in used else "B20"
        self.require(self.opens(seat, kind, used), f"{used} do not open the safe: {kind!r}", rule)
        in_order = used == sorted(used, key=CRACK_ORDER.__getitem__)
        self.require(in_order, f"{used}: not the lowest first", FORMAT)
        seat.crack_round = self.counts["rounds"]
        seat.active = False
        self.burn(seat, used)
        draw_tool(self, seat)
        if self.rules["win_at_once"] and self.all_cracked():
            raise _Ended("won", "none", "B25")

    def burn(self, seat: Seat, used: list[str]) -> None:  # M1
        lowest = sorted(set(used) - GUARDS, key=BURN_ORDER.__getitem__)
        for card in lowest[: self.rules["burn"]]:
            self.take("burn", "R50" if card == JOKER else "M1", seat=seat.number, card=card)
            seat.leave(card)
            self.removed.append(card)

    def all_cracked(self) -> bool:
        return all(seat.crack_round for seat in self.seats)

    def total_alarm(self, seat: Seat) -> None:  # B21
        if not seat.active:
            return
        hard, threshold = min(self.readings(seat)), self.alarm_over(seat)
        rule = "C5" if seat.character == "juicer" else "B21"
        if rule == "C5":
            self.counts["ability.juicer"] += self.rules["alarm_over"] < hard <= threshold
        if hard > threshold:
            raven = seat.character == "raven" and hard % 2 == 0  # C6, R23
            self.alarm(seat, "total", rule, escapes=raven)
        elif self.is_next("alarm", seat=seat.number, cause="total"):
            self.refuse_next(f"an alarm at {hard}, over {threshold} is due", rule)

    def alarm(self, seat: Seat, cause: str, rule: str, escapes: bool = False) -> None:
        seat.active = False
        if self.emp:
            self.take("quiet", "T6", seat=seat.number, cause=cause)
        elif escapes:
            self.take("distraction", "C6", seat=seat.number)
            self.counts["ability.raven"] += 1
        else:
            self.sound_alarm(seat, cause, rule)

    def sound_alarm(self, seat: Seat, cause: str, rule: str) -> None:  # B21
        self.take("alarm", rule, seat=seat.number, cause=cause)
        self.counts["alarms"] += 1
        self.counts["targeted_alarms"] += cause == "targeted"
        self.counts[f"seat_alarms.{seat.number}"] += 1
        for _ in range(self.rules["alarm_discards"]):
            if self.has_card(seat):  # R5, R6
                self.take("flip", "B21", seat=seat.number, card=seat.deck[0])
                seat.aside.append(seat.deck.pop(0))
        if seat.guard in seat.aside:
            self.lose_stealth(seat, "alarm" if cause == "total" else "targeted_alarm", "B21")
        removable = sum(card not in GUARDS for card in seat.aside)
        for _ in range(min(self.rules["alarm_removes"], removable)):  # R6
            self.remove(seat)
        seat.discard_aside()

    def remove(self, seat: Seat) -> None:  # B21
        card = self.take("remove", "B21", "card", seat=seat.number)["card"]
        self.require(card in seat.aside, f"{card} is not among the flipped cards", "B21")
        self.require(card not in GUARDS, f"the Guard {card} is removed", "B21")
        seat.aside.remove(card)
        self.removed.append(card)

    def lose_stealth(self, seat: Seat, cause: str, rule: str) -> None:
        if seat.stealth <= 0:
            self.take("caught", "B24", seat=seat.number, cause=cause)
            raise _Ended("lost", cause, "B24")
        self.take("stealth", rule, seat=seat.number, cause=cause, left=seat.stealth - 1)
        seat.stealth -= 1
        self.counts["stealth_lost"] += 1

    def bail(self, seat: Seat) -> None:  # B22
        if not seat.active:
            return
        if seat.drew and not self.is_next("bail", seat=seat.number):
            return
        self.take("bail", "B22" if seat.drew else "R3", seat=seat.number)
        seat.active = False
        best = max(t for t in self.readings(seat) if t <= self.alarm_over(seat))  # R22
        if seat.crack_round and best < self.rules["targeted_safe_from"]:
            self.alarm(seat, "targeted", "B22")

    # The end of a round and of the game

    def end_round(self) -> None:  # B23
        self.take("round_end", "B23")
        if self.rules["peterman_before_guard"]:
            self.on_top()
        for seat in self.seats:
            if seat.guard in seat.display:
                self.lose_stealth(seat, "display", "B23")
        if not self.rules["peterman_before_guard"]:
            self.on_top()
        for seat in self.seats:
            seat.discard_display()
        if self.all_cracked():
            raise _Ended("won", "none", "B25")
        if self.counts["rounds"] >= self.rules["max_rounds"]:
            raise _Ended("stalled", "none", "B27")

    def on_top(self) -> None:  # C9, R29
        for seat in self.seats:
            card = seat.current
            if seat.character == "peterman" and card is not None and self.is_next("on_top"):
                self.take("on_top", "C9", seat=seat.number, card=card)
                seat.leave(card)
                seat.deck.insert(0, card)
                self.counts["ability.peterman"] += 1

    def read_end(self, end: _Ended) -> None:
        line = self.take("end", end.rule, "outcome", optional=("lost_to",), result=end.result)
        lost_to = line.get("lost_to", "none")
        self.require(lost_to == end.lost_to, f"lost_to is {lost_to!r}, not {end.lost_to!r}", "B24")
        told = line["outcome"]
        counted = self.outcome(end) | self.whole_game_outcome(told)
        odd = sorted(set(told) ^ set(counted))
        self.require(not odd, f"columns missing or unknown: {odd}", COLUMNS)
        for name, value in counted.items():
            wrong = f"{name} is {told[name]!r}, counted {value!r}"
            self.require(told[name] == value, wrong, COLUMNS)

    def outcome(self, end: _Ended) -> dict[str, Any]:
        counts = (
            "rounds turns draws alarms targeted_alarms stealth_lost trades twenty_ones peeks"
            " tools_used"
        ).split()
        columns: dict[str, Any] = {name: self.counts[name] for name in counts}
        columns["won"] = end.result == "won"
        columns["stalled"] = end.result == "stalled"
        columns["lost_to"] = end.lost_to
        columns["cracked"] = sum(seat.crack_round > 0 for seat in self.seats)
        columns["removed"] = len(self.removed)
        seats = {seat.number: seat for seat in self.seats}
        for number in range(1, SEATS + 1):
            here = seats.get(number)
            columns[f"crack_round.{number}"] = here.crack_round if here else 0
            columns[f"stealth_left.{number}"] = here.stealth if here else 0
            columns[f"seat_alarms.{number}"] = self.counts[f"seat_alarms.{number}"]
        return columns

    def whole_game_outcome(self, told: Line) -> dict[str, Any]:
        """The columns that a trace of the base game may leave out, all of them together."""
        seats = {seat.number: seat.character for seat in self.seats}
        characters = {
            f"character.{number}": seats.get(number, NOBODY) for number in range(1, SEATS + 1)
        }
        names = [
            *(f"used.{tool}" for tool in TOOL_FIELDS),
            *(f"ability.{character}" for character in CHARACTERS),
        ]
        columns = characters | {name: self.counts[name] for name in names}
        plain = not self.van and not self.rules["tools"] and set(characters.values()) == {NOBODY}
        return {} if plain and told.keys().isdisjoint(columns) else columns
