"""A rule checker for traces of Burgle Bros Blackjack, with characters, tools and the Van.

`check` reads the lines of one game, whatever its policies, and follows them with its own model of
every pile. The rules fix which line may come next, so each line is taken where it is due; only
decisions are read from the lines, and tested for being legal. An option (a tool, the Rook's extra
look, the Van's Jack, the Peterman's top card) is taken where the next line says that it is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NoReturn

__all__ = ["RuleBroken", "check"]

Line = dict[str, Any]

FORMAT = "trace format"
COLUMNS = "outcome columns"
VAN = "van"
JOKER = "Joker"
NOBODY = "none"
VALUES = {"A": (1, 11), **{str(n): (n,) for n in range(2, 11)}}
STRAIGHT = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J"]  # M6
GUARDS = {"JC", "JD", "JH", "JS"}
NUMBERS = {rank + suit for rank in VALUES for suit in "CDHS"}
RANK = {card: STRAIGHT.index(card[:-1]) for card in NUMBERS | GUARDS}
BURN_ORDER = {**RANK, JOKER: -1}  # R50
CRACK_ORDER = {**RANK, JOKER: len(STRAIGHT)}
SEATS = 4
DEALT = 11  # B2: ten cards and a Guard
CHARACTERS = "hawk acrobat hammer spotter juicer raven rook hacker peterman".split()
HAWK_NEVER = 5  # C1
HAWK_SEES = 2
HAMMER_DRAWS = 2  # C3
FACE_UP = {rank + suit for rank in ("9", "10") for suit in "CDHS"}  # C4
STETHOSCOPE = 7  # T3
SMOKE_NEEDS = 2  # T9
TOOL_FIELDS: dict[str, tuple[str, ...]] = {
    "crowbar": ("target", "card"),
    "crystal_ball": ("places",),
    "stethoscope": ("target",),
    "donuts": ("target",),
    "makeup_kit": ("gained",),
    "emp": (),
    "dynamite": (),
    "virus": (),
    "smoke_bomb": ("guards",),
}
NOT_ALWAYS = {"donuts": "R30", "dynamite": "R42"}  # the tools that only some windows allow
ODD_LINES = {  # what only a rule of its own allows (of a `replace` its cause), and that rule
    "use": "R30",
    "dynamite": "R41",
    "acrobat": "R16",
    "donuts": "R38",
    "van_guard": "B12",
    "hawk": "C1",
    "distraction": "C6",
    "quiet": "T6",
    "rook": "C7",
    "on_top": "C9",
}
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


class RuleBroken(Exception):
    """A line of the trace breaks a rule; the message names the line and the rule."""


class _Ended(Exception):
    """The game is over: an `end` line is due."""

    def __init__(self, result: str, lost_to: str, rule: str) -> None:
        super().__init__(result)
        self.result, self.lost_to, self.rule = result, lost_to, rule


@dataclass
class _Hand:
    """The piles of a seat or of the Van; `aside` is what has left the deck and is not placed."""

    number: int | str
    deck: list[str]
    discards: list[str] = field(default_factory=list)
    display: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    current: str | None = None

    def piles(self) -> list[str]:
        return self.deck + self.discards + self.display + self.aside

    def receive(self, card: str) -> None:
        self.display.append(card)
        self.current = card  # B13

    def leave(self, card: str) -> None:
        self.display.remove(card)
        if self.current == card:
            self.current = None  # R2, R49

    def discard_aside(self) -> None:
        self.discards += self.aside
        self.aside = []

    def discard_display(self) -> None:
        self.discards += self.display  # B15
        self.display, self.current = [], None


@dataclass(kw_only=True)
class _Seat(_Hand):
    guard: str
    character: str
    stealth: int
    tools: list[str] = field(default_factory=list)
    drew: bool = False
    active: bool = False
    crack_round: int = 0
    minus: int = 0
    donuts: bool = False

    def discard_guard(self) -> None:
        self.leave(self.guard)
        self.discards.append(self.guard)


def check(lines: Iterable[Line]) -> None:
    """Raise `RuleBroken` at the first line of the game that breaks a rule."""
    _Checker(lines).run()


class _Checker:
    def __init__(self, lines: Iterable[Line]) -> None:
        self.lines = list(lines)
        self.number = 0
        self.clock: dict[str, int] = {}
        self.rules: dict[str, Any] = {}
        self.seats: list[_Seat] = []
        self.van: _Hand | None = None
        self.tool_deck: list[str] = []
        self.cards = NUMBERS | GUARDS
        self.removed: list[str] = []
        self.emp = False
        self.counts: Counter[str] = Counter()

    # Reading lines

    def fail(self, what: str, rule: str) -> NoReturn:
        raise RuleBroken(f"line {self.number}: {what} ({rule})")

    def require(self, holds: bool, what: str, rule: str) -> None:
        if not holds:
            self.fail(what, rule)

    def refuse_next(self, what: str, rule: str) -> NoReturn:
        self.advance()
        self.fail(what, rule)

    def ahead(self, after: int = 0) -> Line:
        """The line that comes next, or the one `after` lines later; empty where there is none."""
        at = self.number + after
        line = self.lines[at] if at < len(self.lines) else {}
        return line if isinstance(line, dict) else {}

    def is_next(self, event: str, **fields: Any) -> bool:
        line = self.ahead()
        same = all(line.get(name) == value for name, value in fields.items())
        return line.get("event") == event and same

    def advance(self) -> Line:
        self.number += 1
        if self.number > len(self.lines):
            self.fail("the trace stops before its end", FORMAT)
        line = self.lines[self.number - 1]
        self.require(isinstance(line, dict), f"not an event: {line!r}", FORMAT)
        return line

    def take(
        self, event: str, rule: str, *open_fields: str, optional: tuple[str, ...] = (), **fixed: Any
    ) -> Line:
        """The next line: this event, the `fixed` fields as given, the `open_fields` as they are."""
        line = self.advance()
        due = " ".join([event, *(f"{name}={value!r}" for name, value in fixed.items())])
        found = line.get("event")
        broken = ODD_LINES.get(str(line.get("cause") if found == "replace" else found), rule)
        self.require(found == event, f"{found!r} where {due} is due", broken)
        for name, value in self.clock.items():
            self.require(line.get(name) == value, f"{name} is not {value}", FORMAT)
        for name, value in fixed.items():
            wrong = f"{name} is {line.get(name)!r} where {due} is due"
            self.require(line.get(name) == value, wrong, rule)
        named = {"event", *self.clock, *fixed, *open_fields}
        odd = named ^ (set(line) - set(optional))
        self.require(not odd, f"fields missing or unknown in {event}: {sorted(odd)}", FORMAT)
        return line

    def hands(self) -> list[_Hand]:
        return [*self.seats, self.van] if self.van else [*self.seats]

    def seat(self, number: object, rule: str) -> _Seat:
        for seat in self.seats:
            if seat.number == number:
                return seat
        self.fail(f"{number!r} is no seat of this game", rule)

    def every_card_in_one_place(self) -> None:  # B1
        cards = [card for hand in self.hands() for card in hand.piles()] + self.removed
        whole = len(cards) == len(self.cards) and set(cards) == self.cards
        self.require(whole, "a card is lost or doubled", "B1")

    # Set-up

    def run(self) -> None:
        self.read_rules()
        self.read_deals()
        self.read_tools()
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
            self.van = _Hand(VAN, deck)
        self.seats = seats
        dealt = Counter(card for hand in self.hands() for card in hand.deck)
        whole = dealt == Counter(NUMBERS | GUARDS)
        self.require(whole, "the decks are not 40 different numbers and 4 Guards", "B2")
        characters = [seat.character for seat in seats if seat.character != NOBODY]
        different = len(set(characters)) == len(characters)
        self.require(different, f"two of one character: {characters}", "B4")

    def read_seat(self, number: int) -> _Seat:  # B2
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
        return _Seat(number, deck, guard=guard, character=character, stealth=stealth)

    def require_character(self, number: int, character: str) -> None:  # B4
        asked = self.rules["characters"]
        if asked == "random":
            self.require(character in CHARACTERS, f"no such character: {character!r}", "B4")
        elif asked != NOBODY:
            due = asked[number - 1] if number <= len(asked) else None
            wrong = f"seat {number} plays {character!r}, not {due!r}"
            self.require(character == due, wrong, "B4")

    def read_tools(self) -> None:  # B6
        asked = self.rules["tools"]
        if not asked:
            return
        due = list(TOOL_FIELDS) if asked is True else list(asked)
        self.require(set(due) <= set(TOOL_FIELDS), f"unknown tools among {due}", "B6")
        self.read_tool_deck(due)
        for seat in self.seats:
            if seat.character == "hammer":
                self.draw_tool(seat)

    def read_tool_deck(self, due: list[str]) -> None:
        deck = list(self.take("tools", "B6", "deck")["deck"])
        self.require(Counter(deck) == Counter(due), f"{deck} is not the deck of {due}", "B6")
        self.tool_deck = deck

    def draw_tool(self, seat: _Seat) -> None:  # B6, C3
        hammer = seat.character == "hammer"
        number = HAMMER_DRAWS if hammer else 1
        drawn, rest = self.tool_deck[:number], self.tool_deck[number:]
        if not drawn:
            return  # R33, R19
        rule = "C3" if hammer else "B6"
        line = self.take("tool", rule, "tool", optional=("returned",), seat=seat.number)
        told = [line[name] for name in ("tool", "returned") if name in line]
        self.require(sorted(told) == sorted(drawn), f"took {told} where {drawn} came", rule)
        seat.tools.append(line["tool"])
        self.tool_deck = rest
        if "returned" in line:
            self.counts["ability.hammer"] += 1
            self.read_tool_deck([*rest, line["returned"]])

    # Totals

    def readings(self, seat: _Seat) -> set[int]:  # B16
        sums = {-seat.minus}  # T3
        for card in seat.display:
            sums = {total + value for total in sums for value in self.values(card)}
        return sums

    def values(self, card: str) -> tuple[int, ...]:
        if card == JOKER:
            return (0,)  # R43
        return (self.rules["guard_value"],) if card in GUARDS else VALUES[card[:-1]]

    def alarm_over(self, seat: _Seat) -> int:  # C5
        name = "juicer_alarm_over" if seat.character == "juicer" else "alarm_over"
        return int(self.rules[name])

    def suited(self, seat: _Seat) -> list[str]:  # R43
        return [card for card in seat.display if card == JOKER or card[-1] == seat.guard[-1]]

    def flush_size(self) -> int | None:
        crack = self.rules["crack"]
        if "flush" in crack:
            return int(crack["flush"])  # B20
        return None if self.rules["straight_replaces_flush"] else 5  # M6

    def straights(self, seat: _Seat) -> list[set[str]]:  # M4, M6
        size = self.rules["crack"].get("straight_flush")
        if size is None:
            return []
        ranks = STRAIGHT if self.rules["guard_in_straight"] else STRAIGHT[:-1]
        suit = seat.guard[-1]
        runs = [
            {rank + suit for rank in ranks[low : low + size]}
            for low in range(len(ranks) - size + 1)
        ]
        if self.rules["joker_in_straight"]:  # R51
            runs += [(run - {card}) | {JOKER} for run in runs for card in run]
        return [run for run in runs if run <= set(seat.display)]

    def opens(self, seat: _Seat, kind: str, used: list[str]) -> bool:
        if len(set(used)) != len(used):
            return False
        if kind == "flush":
            return len(used) == self.flush_size() and set(used) <= set(self.suited(seat))
        return kind == "straight_flush" and set(used) in self.straights(seat)

    def must_crack(self, seat: _Seat) -> bool:
        if seat.crack_round:
            return False
        size = self.flush_size()
        enough = size is not None and len(self.suited(seat)) >= size
        return enough or bool(self.straights(seat))

    # A round and its turns

    def play_round(self) -> None:  # B10
        self.counts["rounds"] += 1
        self.clock = {"round": self.counts["rounds"], "turn": 1}
        self.emp = False  # R40
        for seat in self.seats:
            seat.active, seat.donuts, seat.minus = True, False, 0
        self.take("round", "B10")
        self.window("donuts")
        self.play_turn()
        while any(seat.active for seat in self.seats):
            self.clock["turn"] += 1
            self.play_turn()
        self.window()
        self.end_round()

    def play_turn(self) -> None:
        self.take("turn", "B10")
        self.counts["turns"] += 1
        self.draw_step()
        late = self.window_before_checks()
        if self.is_next("trade"):
            self.trade()
            late = self.window_before_checks()
        checked = [seat for seat in self.seats if seat.active]  # B17
        if not late or self.ahead().get("event") in CHECK_LINES:
            for step in (self.total_peek, self.twenty_one, self.crack):
                for seat in checked:
                    step(seat)
        self.window()  # R32
        for step in (self.total_alarm, self.bail):
            for seat in checked:
                step(seat)
        if self.van:
            self.van.discard_display()  # B12, R48
        self.every_card_in_one_place()

    def has_card(self, hand: _Hand) -> bool:
        """Whether the deck can give a card, after the shuffle that may be due for it."""
        if not hand.deck and hand.discards:  # B11
            line = self.take("shuffle", "B11", "deck", seat=hand.number)
            same = Counter(line["deck"]) == Counter(hand.discards)
            self.require(same, f"the new deck is not the discards of seat {hand.number}", "B11")
            hand.deck, hand.discards = list(line["deck"]), []
            spotter = isinstance(hand, _Seat) and hand.character == "spotter"
            self.counts["ability.spotter"] += spotter and not FACE_UP.isdisjoint(hand.deck)  # R20
        return bool(hand.deck)

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

    def draw(self, seat: _Seat, in_step: bool) -> None:  # B11
        seat.drew = self.has_card(seat)
        seat.current = None  # B13
        if not seat.drew:
            self.take("no_card", "B11", seat=seat.number)
            return
        card = seat.deck[0]
        self.take("draw", "B11", seat=seat.number, card=card)
        self.counts["draws"] += in_step  # R55
        replacing = self.replaced_by(seat, card, in_step)
        if replacing is None:
            seat.receive(seat.deck.pop(0))
            return
        cause, rule = replacing
        self.take("replace", rule, seat=seat.number, card=card, cause=cause)
        self.counts["ability.acrobat"] += cause == "acrobat"
        seat.aside.append(seat.deck.pop(0))  # R5
        self.draw(seat, in_step)  # never the Guard again, which lies aside (R18)
        seat.discard_aside()

    def replaced_by(self, seat: _Seat, card: str, in_step: bool) -> tuple[str, str] | None:
        if card != seat.guard:
            return None
        first = in_step and self.clock["turn"] == 1  # R16
        if first and seat.character == "acrobat":
            return "acrobat", "C2"
        return ("donuts", "T4") if seat.donuts else None  # R38

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
        rule = "R27" if isinstance(giver, _Seat) and giver.character == "hacker" else "B14"
        self.require(card not in GUARDS, f"the Guard {card} is traded", rule)
        may = self.may_give(giver)
        wrong = f"{card} is not what seat {giver.number} may give: {may}"
        self.require(card in may, wrong, "R28" if rule == "R27" and not may else rule)

    def trader(self, number: object) -> _Hand:
        if number == VAN and self.van:
            return self.van
        seat = self.seat(number, "B14")
        self.require(seat.active, f"seat {number!r} of a trade is not active", "B14")
        return seat

    def may_give(self, hand: _Hand) -> list[str]:  # B14, C8, R28
        if hand.current is None:
            return []
        at = hand.display.index(hand.current)
        hacker = isinstance(hand, _Seat) and hand.character == "hacker"
        first = max(at - 1, 0) if hacker else at
        return [card for card in hand.display[first : at + 1] if card not in GUARDS]

    # Tools

    def window(self, *also: str) -> None:  # R30
        """Any number of tools, `also` those that not every window allows."""
        while self.is_next("use"):
            self.use(also)

    def window_before_checks(self) -> bool:  # R30, R42
        """Whether the last of these tools may have been used only after the steps B18 to B20.

        Where no seat had a line due in them, the trace does not tell the two windows apart.
        """
        late = False
        while self.is_next("use"):
            late = not self.is_next("use", tool="dynamite") and (late or self.checks_are_silent())
            self.use(("dynamite",))
        return late

    def checks_are_silent(self) -> bool:
        return not any(
            (self.peek_reached(seat) and (seat.deck or seat.discards))
            or self.rules["jackpot_total"] in self.readings(seat)
            or self.must_crack(seat)
            for seat in self.seats
            if seat.active
        )

    def use(self, also: tuple[str, ...]) -> None:  # R31
        name = str(self.ahead().get("tool"))
        line = self.take("use", "R31", "seat", "tool", *TOOL_FIELDS.get(name, ()))
        owner = self.seat(line["seat"], "R45")
        self.require(name in owner.tools, f"seat {owner.number} has no tool {name}", "R31")
        not_now = name in NOT_ALWAYS and name not in also
        self.require(not not_now, f"{name} in this window", NOT_ALWAYS.get(name, "R30"))
        owner.tools.remove(name)
        self.counts["tools_used"] += 1
        self.counts[f"used.{name}"] += 1
        {
            "crowbar": self.crowbar,
            "crystal_ball": self.crystal_ball,
            "stethoscope": self.stethoscope,
            "donuts": self.donuts,
            "makeup_kit": self.makeup_kit,
            "emp": self.start_emp,
            "dynamite": self.dynamite,
            "virus": self.virus,
            "smoke_bomb": self.smoke_bomb,
        }[name](owner, line)

    def crowbar(self, owner: _Seat, line: Line) -> None:  # T1, R34
        seat, card = self.seat(line["target"], "R34"), line["card"]
        self.require(card not in GUARDS, f"the Guard {card} is removed", "T1")
        self.require(card in seat.display, f"{card} is not in that display", "R34")
        seat.leave(card)
        self.removed.append(card)

    def crystal_ball(self, owner: _Seat, line: Line) -> None:  # T2, R35
        others = [seat for seat in self.seats if seat is not owner and seat.guard in seat.deck]
        self.require(bool(others), "no other deck holds its Guard", "R31")
        due = [{"seat": s.number, "place": s.deck.index(s.guard) + 1} for s in others]
        self.require(line["places"] == due, f"the Guards lie at {due}", "T2")

    def stethoscope(self, owner: _Seat, line: Line) -> None:  # T3, R37
        seat = self.seat(line["target"], "R37")
        self.require(seat.active, f"seat {seat.number} is not active", "R37")
        seat.minus += STETHOSCOPE

    def donuts(self, owner: _Seat, line: Line) -> None:  # T4, R38
        self.seat(line["target"], "T4").donuts = True

    def makeup_kit(self, owner: _Seat, line: Line) -> None:  # T5
        cap = self.rules["stealth_cap"]  # B5
        gain = [s for s in self.seats if s.crack_round and (cap is None or s.stealth < cap)]
        self.require(bool(gain), "no seat gains stealth", "R31")
        due = [seat.number for seat in gain]
        self.require(line["gained"] == due, f"gained {line['gained']}, not {due}", "T5")
        for seat in gain:
            seat.stealth += 1

    def start_emp(self, owner: _Seat, line: Line) -> None:  # T6, R40
        self.require(any(s.active for s in self.seats), "no seat is active", "R31")
        self.emp = True

    def dynamite(self, owner: _Seat, line: Line) -> None:  # T7, R41
        struck = [s for s in self.seats if s.active or self.rules["dynamite_inactive"]]
        struck = [s for s in struck if s.current is not None and s.current not in GUARDS]
        self.require(bool(struck), "no current card leaves", "R31")
        for seat in struck:
            assert seat.current is not None
            card = seat.current
            self.take("dynamite", "R41", seat=seat.number, card=card)
            seat.leave(card)
            self.removed.append(card)
        for seat in struck:
            self.draw(seat, in_step=False)

    def virus(self, owner: _Seat, line: Line) -> None:  # T8
        owner.discards.append(JOKER)
        self.cards = self.cards | {JOKER}

    def smoke_bomb(self, owner: _Seat, line: Line) -> None:  # T9, R44
        guarded = [seat for seat in self.seats if seat.guard in seat.display]
        self.require(len(guarded) >= SMOKE_NEEDS, "fewer than two Guards in displays", "R31")
        due = [seat.number for seat in guarded]
        self.require(line["guards"] == due, f"guards {line['guards']}, not {due}", "T9")
        for seat in guarded:
            seat.discard_guard()

    # The checks

    def peek_reached(self, seat: _Seat) -> set[int]:  # B18
        reached = self.readings(seat) & set(self.rules["peek_totals"])
        return reached - {HAWK_NEVER} if seat.character == "hawk" else reached  # C1, R14

    def total_peek(self, seat: _Seat) -> None:  # B18
        hawk = seat.character == "hawk"
        if self.peek_reached(seat):
            self.hawk(seat) if hawk else self.peek(seat, "total", "B18")
        elif hawk and self.is_next("peek", seat=seat.number, cause="total"):
            self.refuse_next("the Hawk peeks on none of its totals", "C1")

    def peek(self, seat: _Seat, cause: str, rule: str) -> None:
        if not self.has_card(seat):
            return  # R12
        top = seat.deck[0]
        line = self.take("peek", rule, "discarded", seat=seat.number, cause=cause, card=top)
        self.put_back_or_discard(seat, line)
        if seat.character == "rook" and not line["discarded"]:
            self.rook(seat)

    def put_back_or_discard(self, seat: _Seat, line: Line) -> None:
        self.require(isinstance(line["discarded"], bool), "discarded is no truth value", FORMAT)
        if line["discarded"]:
            seat.discards.append(seat.deck.pop(0))
        self.counts["peeks"] += 1  # R56

    def hawk(self, seat: _Seat) -> None:  # C1
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

    def rook(self, seat: _Seat) -> None:  # C7, R25
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

    def twenty_one(self, seat: _Seat) -> None:  # B19
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

    def crack(self, seat: _Seat) -> None:  # B20
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
        self.draw_tool(seat)
        if self.rules["win_at_once"] and self.all_cracked():
            raise _Ended("won", "none", "B25")

    def burn(self, seat: _Seat, used: list[str]) -> None:  # M1
        lowest = sorted(set(used) - GUARDS, key=BURN_ORDER.__getitem__)
        for card in lowest[: self.rules["burn"]]:
            self.take("burn", "R50" if card == JOKER else "M1", seat=seat.number, card=card)
            seat.leave(card)
            self.removed.append(card)

    def all_cracked(self) -> bool:
        return all(seat.crack_round for seat in self.seats)

    def total_alarm(self, seat: _Seat) -> None:  # B21
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

    def alarm(self, seat: _Seat, cause: str, rule: str, escapes: bool = False) -> None:
        seat.active = False
        if self.emp:
            self.take("quiet", "T6", seat=seat.number, cause=cause)
        elif escapes:
            self.take("distraction", "C6", seat=seat.number)
            self.counts["ability.raven"] += 1
        else:
            self.sound_alarm(seat, cause, rule)

    def sound_alarm(self, seat: _Seat, cause: str, rule: str) -> None:  # B21
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

    def remove(self, seat: _Seat) -> None:  # B21
        card = self.take("remove", "B21", "card", seat=seat.number)["card"]
        self.require(card in seat.aside, f"{card} is not among the flipped cards", "B21")
        self.require(card not in GUARDS, f"the Guard {card} is removed", "B21")
        seat.aside.remove(card)
        self.removed.append(card)

    def lose_stealth(self, seat: _Seat, cause: str, rule: str) -> None:
        if seat.stealth <= 0:
            self.take("caught", "B24", seat=seat.number, cause=cause)
            raise _Ended("lost", cause, "B24")
        self.take("stealth", rule, seat=seat.number, cause=cause, left=seat.stealth - 1)
        seat.stealth -= 1
        self.counts["stealth_lost"] += 1

    def bail(self, seat: _Seat) -> None:  # B22
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
