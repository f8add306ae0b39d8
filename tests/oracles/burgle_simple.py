"""A slow, plain twin of Burgle Bros Blackjack: the whole game, all seats of policy `simple`.

What `simple` always declines is not here: the effects of the tools, the Hawk's second card and the
options of Rook, Hacker and Peterman (R59). `play` returns the outcome columns and the events of the
trace from the `deal` lines on. Cards, characters and tools are written as in the trace (`AC`,
`10S`, Guards `JC`, `crystal_ball`), decks are listed from the top, seats count from 1, and the Man
in the Van stands where a seat's number would as "van". The cards, piles and set-ups are in
`twin_setup`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, permutations
from typing import Any

from .twin_setup import (
    BASE_RULES,
    CHARACTERS,
    FLUSH_BESIDE_STRAIGHT,
    HAWK_BLIND,
    MOST_SEATS,
    TOOLS,
    Deal,
    Pile,
    Reshuffle,
    Seat,
    ToolDecks,
    check_setup,
    is_guard,
    random_deal,
    random_reshuffle,
    random_setup,
    rank_of,
    suit_of,
    tool_orders,
    tools_of,
)

__all__ = [
    "BASE_RULES",
    "CHARACTERS",
    "SIMPLE_KNOBS",
    "TOOLS",
    "Pile",
    "Seat",
    "Simple",
    "Table",
    "play",
    "random_deal",
    "random_reshuffle",
    "random_setup",
]

SIMPLE_KNOBS: dict[str, Any] = {
    "suit": 10,
    "bust": 30,
    "jackpot": 8,
    "peek": 3,
    "bail_at": 14,
    "targeted_bail_at": 17,
}


class GameOver(Exception):
    """Raised at the moment the game ends."""

    def __init__(self, result: str, lost_to: str = "none") -> None:
        super().__init__(result)
        self.result = result
        self.lost_to = lost_to


class Table:
    """The rules. Every decision is asked of `policy`."""

    def __init__(
        self,
        rules: dict[str, Any],
        policy: Any,
        deal: Deal,
        reshuffle: Reshuffle,
        *,
        characters: Sequence[str | None] | None = None,
        van: Sequence[str] | None = None,
        tool_decks: ToolDecks | None = None,
    ) -> None:
        self.rules = {**BASE_RULES, **rules}
        self.policy = policy
        self.reshuffle = reshuffle
        self.order_tools = tool_orders(tool_decks)
        characters = characters or [None] * len(deal)
        check_setup(self.rules, deal, characters, van, tool_decks)
        self.seats = [
            Seat(n, list(deck), guard=guard, stealth=self.rules["stealth"], character=who)  # B2, B5
            for n, ((guard, deck), who) in enumerate(zip(deal, characters, strict=True), 1)
        ]
        self.van = Pile("van", list(van)) if van else None  # B3
        self.tools: list[str] = []
        self.round = 0
        self.turn = 0
        self.tally = dict.fromkeys(
            (
                "turns draws alarms targeted_alarms stealth_lost trades twenty_ones peeks removed"
            ).split(),
            0,
        )
        self.abilities = dict.fromkeys(CHARACTERS, 0)
        self.events: list[dict[str, Any]] = []

    def tell(self, event: str, **fields: Any) -> None:
        clock = {"round": self.round, "turn": self.turn} if self.round else {}
        self.events.append({"event": event, **clock, **fields})

    # Totals

    def hard_total(self, cards: list[str]) -> int:
        return sum(self.rules["guard_value"] if is_guard(c) else rank_of(c) for c in cards)

    def readings(self, cards: list[str]) -> list[int]:  # B16
        aces = sum(c[0] == "A" for c in cards)
        return [self.hard_total(cards) + 10 * high for high in range(aces + 1)]

    def may_peek(self, seat: Seat, cards: list[str]) -> bool:  # B18
        totals = set(self.rules["peek_totals"])
        if seat.character == "hawk":
            totals.discard(HAWK_BLIND)  # C1, R14
        return any(total in totals for total in self.readings(cards))

    def is_jackpot(self, cards: list[str]) -> bool:  # B19
        return any(total == self.rules["jackpot_total"] for total in self.readings(cards))

    def alarm_over(self, seat: Seat) -> int:
        field_name = "juicer_alarm_over" if seat.character == "juicer" else "alarm_over"  # C5
        return int(self.rules[field_name])

    def is_bust(self, seat: Seat, cards: list[str]) -> bool:  # B21
        return self.hard_total(cards) > self.alarm_over(seat)

    def best_reading(self, seat: Seat) -> int:  # B22, R22
        return max(t for t in self.readings(seat.display) if t <= self.alarm_over(seat))

    # Ways to open the safe, each a list of cards from the lowest up

    def flushes(self, seat: Seat, cards: list[str]) -> list[list[str]]:  # B20
        crack = self.rules["crack"]
        if "flush" not in crack and self.rules["straight_replaces_flush"]:  # M6
            return []
        size = crack.get("flush", FLUSH_BESIDE_STRAIGHT)
        suited = sorted((c for c in cards if suit_of(c) == seat.suit), key=rank_of)
        return [suited[:size]] if len(suited) >= size else []

    def straights(self, seat: Seat, cards: list[str]) -> list[list[str]]:  # M4, M6
        if "straight_flush" not in self.rules["crack"]:
            return []
        size = self.rules["crack"]["straight_flush"]
        suited = [c for c in cards if suit_of(c) == seat.suit]
        if not self.rules["guard_in_straight"]:
            suited = [c for c in suited if not is_guard(c)]
        suited.sort(key=rank_of)
        runs = [suited[i : i + size] for i in range(len(suited) - size + 1)]
        return [run for run in runs if rank_of(run[-1]) - rank_of(run[0]) == size - 1]

    def ways_to_crack(self, seat: Seat, cards: list[str]) -> list[tuple[str, list[str]]]:
        flushes = [("flush", used) for used in self.flushes(seat, cards)]
        return flushes + [("straight_flush", used) for used in self.straights(seat, cards)]

    # The game

    def play(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        self.set_up()
        try:
            while True:
                self.play_round()
        except GameOver as end:
            outcome = self.outcome(end)
            lost_to = {"lost_to": end.lost_to} if end.result == "lost" else {}
            self.tell("end", result=end.result, **lost_to, outcome=dict(outcome))
        return outcome, self.events

    def set_up(self) -> None:
        for seat in self.seats:
            who = {"character": seat.character} if seat.character else {}
            self.tell("deal", seat=seat.number, guard=seat.guard, **who, deck=list(seat.deck))
        if self.van:
            self.tell("deal", seat="van", deck=list(self.van.deck))
        tools = tools_of(self.rules)
        if tools:
            self.shuffle_tools(tools)  # B6
        for seat in self.seats:
            if seat.character == "hammer":  # C3
                self.draw_tool(seat)

    def shuffle_tools(self, tools: list[str]) -> None:
        self.tools = list(self.order_tools(list(tools)))
        if sorted(self.tools) != sorted(tools):
            raise ValueError(f"tool_decks must put {tools} in order, not {self.tools}")
        self.tell("tools", deck=list(self.tools))

    def draw_tool(self, seat: Seat) -> None:  # B6
        size = 2 if seat.character == "hammer" else 1  # C3
        drawn, self.tools = self.tools[:size], self.tools[size:]
        if not drawn:
            return  # R19, R33
        kept = self.policy.keeps_tool(self, seat, drawn)
        drawn.remove(kept)
        seat.tools.append(kept)
        if not drawn:
            self.tell("tool", seat=seat.number, tool=kept)
            return
        self.abilities["hammer"] += 1
        self.tell("tool", seat=seat.number, tool=kept, returned=drawn[0])
        self.shuffle_tools([*self.tools, *drawn])

    def play_round(self) -> None:  # B10
        self.round += 1
        self.turn = 1
        for seat in self.seats:
            seat.active = True
        self.tell("round")
        for self.turn in count(1):
            self.play_turn()
            if not any(seat.active for seat in self.seats):
                break
        self.end_round()

    def play_turn(self) -> None:
        self.tally["turns"] += 1
        self.tell("turn")
        for seat in self.seats:
            if seat.active:
                self.draw(seat)
        if self.van:
            self.draw_for_van(self.van)
        if self.rules["trading"]:
            self.trade()
        self.check_totals()
        if self.van:
            self.van.discard_display()  # B12, R48

    def top_card(self, pile: Pile) -> str | None:
        """The top card, still on the deck; the deck is remade if it must be."""
        if not pile.deck and pile.discards:  # B11
            pile.deck = list(self.reshuffle(pile.number, list(pile.discards)))
            if sorted(pile.deck) != sorted(pile.discards):
                raise ValueError(f"reshuffle of seat {pile.number} changed its cards: {pile.deck}")
            pile.discards = []
            self.tell("shuffle", seat=pile.number, deck=list(pile.deck))
            if isinstance(pile, Seat) and pile.character == "spotter":  # C4
                self.abilities["spotter"] += any(c[:-1] in ("9", "10") for c in pile.deck)
        return pile.deck[0] if pile.deck else None

    def draw_card(self, pile: Pile) -> None:  # B11, B13
        pile.current = self.top_card(pile)
        if pile.current is None:
            self.tell("no_card", seat=pile.number)
            return
        pile.display.append(pile.deck.pop(0))
        self.tally["draws"] += 1  # R55
        self.tell("draw", seat=pile.number, card=pile.current)

    def draw(self, seat: Seat) -> None:
        self.draw_card(seat)
        if seat.character == "acrobat" and self.turn == 1 and seat.current == seat.guard:  # C2, R16
            self.abilities["acrobat"] += 1
            self.tell("replace", seat=seat.number, card=seat.guard, cause="acrobat")
            seat.leave_display(seat.guard)
            self.draw_card(seat)
            seat.discards.append(seat.guard)  # R5: in no pile while a deck is remade
        seat.drew = seat.current is not None  # R17

    def draw_for_van(self, van: Pile) -> None:  # B12, R4
        self.draw_card(van)
        if van.current is None or not is_guard(van.current):
            return
        owner = self.policy.van_guard(self)
        if owner is not None:
            self.discard_guard(owner)
            self.tell("van_guard", seat=owner.number, card=owner.guard)

    def discard_guard(self, owner: Seat) -> None:
        owner.leave_display(owner.guard)
        owner.discards.append(owner.guard)

    def trade(self) -> None:  # B14
        movers: list[Pile] = [s for s in self.seats if s.active and s.movable]
        if self.van and self.van.movable:
            movers.append(self.van)
        before = [mover.current for mover in movers if mover.current]
        after = self.policy.trade(self, movers)
        moves = []
        for giver, card in zip(movers, before, strict=True):
            taker = movers[after.index(card)]
            if taker is not giver:
                moves.append({"from": giver.number, "to": taker.number, "card": card})
        for mover, given, taken in zip(movers, before, after, strict=True):
            mover.display.remove(given)
            mover.display.append(taken)
            mover.current = taken
        if moves:
            self.tally["trades"] += len(moves)  # R58
            self.tell("trade", moves=moves)

    def check_totals(self) -> None:  # B17
        checked = [seat for seat in self.seats if seat.active]
        for seat in checked:
            if self.may_peek(seat, seat.display):  # B18
                self.peek(seat, "total")
        for seat in checked:
            if self.is_jackpot(seat.display):
                self.twenty_one(seat)
        for seat in checked:
            ways = [] if seat.cracked else self.ways_to_crack(seat, seat.display)
            if ways:
                self.crack(seat, *self.policy.crack(self, ways))
        for seat in checked:
            if seat.active:
                self.check_alarm(seat)
        for seat in checked:
            if seat.active and (not seat.drew or self.policy.bails(self, seat)):  # R3
                self.bail(seat)

    def peek(self, seat: Seat, cause: str) -> None:  # B18
        card = self.top_card(seat)
        if card is None:
            return  # R12
        discarded = self.policy.discards_peeked(self, seat, card)
        if discarded:
            seat.discards.append(seat.deck.pop(0))
        self.tally["peeks"] += 1
        self.tell("peek", seat=seat.number, cause=cause, card=card, discarded=discarded)

    def twenty_one(self, seat: Seat) -> None:  # B19
        self.tally["twenty_ones"] += 1
        choice, owner = self.policy.twenty_one(self, seat)
        seat.active = choice == "stay"
        if choice == "guard":
            self.discard_guard(owner)
            whose = {"owner": owner.number, "card": owner.guard}
            self.tell("twenty_one", seat=seat.number, choice=choice, **whose)
            return
        self.tell("twenty_one", seat=seat.number, choice=choice)
        if choice == "peek":
            for other in self.seats:  # R11
                self.peek(other, "twenty_one")

    def crack(self, seat: Seat, kind: str, used: list[str]) -> None:  # B20
        seat.crack_round = self.round
        seat.active = False
        self.tell("crack", seat=seat.number, cards=list(used), kind=kind)
        burnable = sorted((c for c in used if not is_guard(c)), key=rank_of)
        for card in burnable[: self.rules["burn"]]:  # M1
            seat.leave_display(card)  # R49
            self.tally["removed"] += 1
            self.tell("burn", seat=seat.number, card=card)
        self.draw_tool(seat)
        if self.rules["win_at_once"] and self.all_cracked():
            raise GameOver("won")  # B25

    def all_cracked(self) -> bool:
        return all(seat.cracked for seat in self.seats)

    def check_alarm(self, seat: Seat) -> None:  # B21
        hard = self.hard_total(seat.display)
        if not self.is_bust(seat, seat.display):
            self.abilities["juicer"] += hard > self.rules["alarm_over"]
        elif seat.character == "raven" and hard % 2 == 0:  # C6, R24
            seat.active = False
            self.abilities["raven"] += 1
            self.tell("distraction", seat=seat.number)
        else:
            self.alarm(seat, "total")

    def alarm(self, seat: Seat, cause: str) -> None:  # B21
        seat.active = False
        seat.alarms += 1
        self.tally["alarms"] += 1
        self.tally["targeted_alarms"] += cause == "targeted"
        self.tell("alarm", seat=seat.number, cause=cause)
        flipped = self.flip(seat)
        if seat.guard in flipped:
            self.lose_stealth(seat, "alarm" if cause == "total" else "targeted_alarm")
        for _ in range(self.rules["alarm_removes"]):
            if all(is_guard(c) for c in flipped):
                break
            card = self.policy.removes(self, seat, flipped)
            flipped.remove(card)
            self.tally["removed"] += 1
            self.tell("remove", seat=seat.number, card=card)
        seat.discards.extend(flipped)

    def flip(self, seat: Seat) -> list[str]:
        flipped: list[str] = []  # R5: in no pile while a deck is remade
        for _ in range(self.rules["alarm_discards"]):
            if self.top_card(seat) is None:
                break  # R6
            flipped.append(seat.deck.pop(0))
            self.tell("flip", seat=seat.number, card=flipped[-1])
        return flipped

    def lose_stealth(self, seat: Seat, cause: str) -> None:
        if seat.stealth == 0:  # B24
            self.tell("caught", seat=seat.number, cause=cause)
            raise GameOver("lost", cause)
        seat.stealth -= 1
        self.tally["stealth_lost"] += 1
        self.tell("stealth", seat=seat.number, cause=cause, left=seat.stealth)

    def bail(self, seat: Seat) -> None:  # B22
        seat.active = False
        self.tell("bail", seat=seat.number)
        if seat.cracked and self.best_reading(seat) < self.rules["targeted_safe_from"]:
            self.alarm(seat, "targeted")

    def end_round(self) -> None:  # B23
        self.tell("round_end")
        for seat in self.seats:
            if seat.guard in seat.display:
                self.lose_stealth(seat, "display")
        for seat in self.seats:
            seat.discard_display()
        if self.all_cracked():
            raise GameOver("won")  # B25
        if self.round >= self.rules["max_rounds"]:
            raise GameOver("stalled")  # B27

    def outcome(self, end: GameOver) -> dict[str, Any]:
        columns: dict[str, Any] = {
            "won": end.result == "won",
            "stalled": end.result == "stalled",
            "lost_to": end.lost_to,
            "rounds": self.round,
            "cracked": sum(seat.cracked for seat in self.seats),
            "tools_used": 0,
            **self.tally,
            **{f"used.{tool}": 0 for tool in TOOLS},
            **{f"ability.{who}": times for who, times in self.abilities.items()},
        }
        for number in range(1, MOST_SEATS + 1):
            there = self.seats[number - 1 : number]
            columns[f"crack_round.{number}"] = sum(seat.crack_round for seat in there)
            columns[f"stealth_left.{number}"] = sum(seat.stealth for seat in there)
            columns[f"seat_alarms.{number}"] = sum(seat.alarms for seat in there)
            characters = [seat.character for seat in there if seat.character]
            columns[f"character.{number}"] = characters[0] if characters else "none"
        return columns


class Simple:
    """The pinned policy `simple`."""

    def __init__(self, knobs: dict[str, Any]) -> None:
        self.knobs = {**SIMPLE_KNOBS, **knobs}

    def keeps_tool(self, table: Table, seat: Seat, drawn: list[str]) -> str:
        return drawn[0]  # R59

    def van_guard(self, table: Table) -> Seat | None:
        owners = [seat for seat in table.seats if seat.guard in seat.display]
        return owners[0] if owners else None  # R60

    def trade(self, table: Table, movers: list[Pile]) -> list[str]:
        """The card each mover holds afterwards; `permutations` counts up in lexicographic order."""
        cards = [mover.current for mover in movers if mover.current]
        scores = [[self.score(table, mover, card) for card in cards] for mover in movers]

        def total(order: tuple[int, ...]) -> float:
            return sum(row[index] for row, index in zip(scores, order, strict=True))

        # max keeps the first of equals
        return [cards[index] for index in max(permutations(range(len(cards))), key=total)]

    def score(self, table: Table, seat: Pile, card: str) -> float:
        if not isinstance(seat, Seat):
            return 0  # R60
        display = [c for c in seat.display if c != seat.current] + [card]
        points = 0
        if not seat.cracked and suit_of(card) == seat.suit:
            points += self.knobs["suit"]
        if not seat.cracked and table.ways_to_crack(seat, display):
            points += 1000
        elif table.is_bust(seat, display):
            points -= self.knobs["bust"]
        if table.is_jackpot(display):
            points += self.knobs["jackpot"]
        if table.may_peek(seat, display):
            points += self.knobs["peek"]
        return points

    def discards_peeked(self, table: Table, seat: Seat, card: str) -> bool:
        return card == seat.guard

    def twenty_one(self, table: Table, seat: Seat) -> tuple[str, Seat | None]:
        for owner in table.seats:
            if owner.guard in owner.display:
                return "guard", owner
        return "peek", None

    def crack(self, table: Table, ways: list[tuple[str, list[str]]]) -> tuple[str, list[str]]:
        return ways[0]

    def removes(self, table: Table, seat: Seat, flipped: list[str]) -> str:
        candidates = [c for c in flipped if not is_guard(c)]
        off_suit = [c for c in candidates if suit_of(c) != seat.suit]
        return (off_suit or candidates)[0]

    def bails(self, table: Table, seat: Seat) -> bool:
        if seat.cracked:
            return bool(table.best_reading(seat) >= self.knobs["targeted_bail_at"])
        suited = sum(suit_of(c) == seat.suit for c in seat.display)
        return suited < 4 and bool(table.hard_total(seat.display) >= self.knobs["bail_at"])


def play(
    rules: dict[str, Any],
    knobs: dict[str, Any],
    deal: Deal,
    reshuffle: Reshuffle,
    *,
    characters: Sequence[str | None] | None = None,
    van: Sequence[str] | None = None,
    tool_decks: ToolDecks | None = None,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Play one game of policy `simple`.

    Parameters
    ----------
    rules, knobs
        What is left out has its default, but `tools`: without it there are none.
    deal
        Guard and deck of each seat.
    reshuffle
        `reshuffle(seat, discards)`, the seat from 1 or "van", is called whenever a deck is remade
        and returns the new deck.
    characters
        One per seat, None for a seat without one.
    van
        The Van's deck, with 2 or 3 players.
    tool_decks
        The successive orders of the tool deck, the next tool to be drawn first: an iterable of
        them, one for the set-up and one for each tool that the Hammer returns, or a function that
        is called with the tools to be shuffled and returns their order.

    Returns
    -------
    The outcome columns and the events from `deal` on.
    """
    policy = Simple(knobs)
    table = Table(
        rules, policy, deal, reshuffle, characters=characters, van=van, tool_decks=tool_decks
    )
    return table.play()
