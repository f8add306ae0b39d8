"""A rule checker for traces of Vault Breakers, with action and reaction cards.

`check` reads the lines of one game, whatever its policies, and follows them with its own model of
every pile. The rules fix which line may come next, so each line is taken where it is due; only
decisions and chance are read from the lines, and tested for being legal. The steps of the game are
here, the model of the piles in `vault_checker_table`, the cards in `vault_checker_cards`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from . import vault_checker_cards as cards
from .vault_checker_table import (
    COLOURS,
    FACES,
    FORMAT,
    PIPS,
    RANKS,
    SKILL,
    Ended,
    Line,
    Raid,
    RuleBroken,
    Seat,
    Table,
)

__all__ = ["COLUMNS", "FORMAT", "RuleBroken", "check"]

COLUMNS = "outcome columns"
PLAYERS = range(2, 7)  # V1
PLACES = 10  # as many columns as there can be thresholds
WIN = 60  # V20
RULES = (
    "players training_decks start_cards tokens_each loot actions reactions draw combine_at"
    " ace_value dice dice_limit first_break_needs_partner thresholds loot_per_break failure_hits"
    " reveal_at max_turns"
).split()
SWITCHES: dict[str, tuple[Any, str]] = {
    "players": (PLAYERS, "V1"),
    "ace_value": ((1, 11), "V10"),
    "dice_limit": (("player", "table"), "V12"),
    "first_break_needs_partner": ((True, False), "V13"),
    "failure_hits": (("breaker", "everyone"), "V17"),
}
SKIP, ONE_CARD, ALL_CARDS, ONE_TOKEN, ALL_TOKENS, LOOT = PIPS  # V17


def check(trace: Iterable[Line]) -> None:
    """Raise `RuleBroken` at the first line of the game that breaks a rule."""
    lines = list(trace)
    guesses: list[bool] = []
    farthest: RuleBroken | None = None
    while True:
        try:
            return _Checker(lines, guesses).run()
        except RuleBroken as broken:
            if farthest is None or broken.number > farthest.number:
                farthest = broken
        while guesses and not guesses[-1]:
            guesses.pop()
        if not guesses:
            raise farthest
        guesses[-1] = False


class _Checker(Table):
    """The rules, step by step, as the lines of the trace must follow them."""

    # Set-up

    def run(self) -> None:
        self.read_rules()
        self.read_deal()
        try:
            while True:
                self.play_turn()
        except Ended as end:
            self.read_end(end)
        if self.number < len(self.lines):
            self.number += 1
            self.fail("a line follows `end`", FORMAT)

    def read_rules(self) -> None:
        line = self.advance()
        first = line.get("event") == "game" and line.get("game") == "vault"
        self.require(first, "the first line is not the `game` line of a vault game", FORMAT)
        self.rules = line.get("rules") or {}
        missing = [name for name in RULES if name not in self.rules]
        self.require(not missing, f"rules without {missing}", FORMAT)
        for name, (values, rule) in SWITCHES.items():
            value = self.rules[name]
            self.require(value in values, f"{name} is {value!r}", rule)
        cards.read_rules(self)

    def read_deal(self) -> None:
        kinds = [kind for kind in cards.KINDS if self.cards[kind]]
        line = self.take("deal", "V2", "training", "loot", *kinds)
        self.training = self.listed(line["training"], str)
        decks = self.rules["training_decks"]
        due = Counter({rank + suit: decks for rank in RANKS for suit in SKILL})
        whole = Counter(self.training) == due
        self.require(whole, f"the training deck is not {decks} times 52 cards", "V2")
        self.vault = self.listed(line["loot"], int)
        loot = Counter({int(vp): number for vp, number in self.rules["loot"].items()})
        self.require(Counter(self.vault) == +loot, f"the Vault is not {dict(loot)}", "V4")
        for kind in kinds:
            cards.read_deck(self, kind, line[kind])
        self.supply = Counter(dict.fromkeys(COLOURS, self.rules["tokens_each"]))  # V3
        for number in range(1, self.rules["players"] + 1):  # D2
            hand = self.training[: self.rules["start_cards"]]
            self.take("hand", "V2", seat=number, cards=hand)
            del self.training[: len(hand)]
            self.seats.append(Seat(number, hand))

    # A turn

    def play_turn(self) -> None:  # D4
        if self.counts["turns"] >= self.rules["max_turns"]:
            raise Ended("stalled", "V21")
        seat = self.seats[self.counts["turns"] % len(self.seats)]
        self.counts["turns"] += 1
        self.clock = {"turn": self.counts["turns"]}
        self.take("turn", "V6", seat=seat.number)
        self.reveal()
        if seat.skips:
            self.take("skipped", "V17", seat=seat.number)
            seat.skips = False
            return
        for kind in cards.KINDS:
            cards.draw(self, seat, kind)
        self.draw(seat, self.rules["draw"], "V9")
        while self.is_next("combine"):
            self.combine(seat)
        self.act_break_or_pass(seat)

    def combine(self, seat: Seat) -> None:  # V10, D3
        line = self.take("combine", "V10", "cards", "token", "wasted", seat=seat.number)
        used = self.listed(line["cards"], str)
        missing = Counter(used) - Counter(seat.hand)
        self.require(not missing, f"{used} is not all in the hand", "V10")
        suits = {card[-1] for card in used}
        self.require(len(suits) == 1, f"{used} is not of one suit", "V10")
        wasted = self.wasted(used)
        self.require(line["wasted"] == wasted, f"wasted {line['wasted']!r}, not {wasted}", "V10")
        colour = SKILL[used[0][-1]]
        self.require(line["token"] == colour, f"{line['token']!r} for {used}", "V10")
        self.require(self.supply[colour] > 0, f"no {colour} is left", "V3")
        self.leave(seat.hand, used)
        self.training += used
        self.supply[colour] -= 1
        seat.tokens[colour] += 1
        self.counts["tokens_earned"] += 1
        self.counts["wasted"] += wasted

    def wasted(self, used: list[str]) -> int:
        faces = [card for card in used if card[:-1] in FACES]
        self.require(not faces or len(used) == 1, f"{faces} in a set", "D3")
        if faces:
            return 0
        total = sum(self.value(card) for card in used)
        needed: int = self.rules["combine_at"]
        self.require(total >= needed, f"{used} gives {total}, not {needed}", "V10")
        return total - needed

    def value(self, card: str) -> int:
        return int(self.rules["ace_value"]) if card[:-1] == "A" else int(card[:-1])

    def act_break_or_pass(self, seat: Seat) -> None:  # V11
        refused = set()
        while self.is_next("decline"):
            line = self.take("decline", "V13", "seat", breaker=seat.number)
            invited = self.seat(line["seat"], "V13")
            self.require(invited is not seat, "the breaker invites itself", "V13")
            refused.add(invited.number)
        if self.is_next("act"):
            cards.act(self, seat)
        elif self.is_next("break"):
            self.break_vault(seat, refused)
        else:
            self.take("pass", "V11", seat=seat.number)
        if self.ahead().get("event") in ("act", "break", "pass"):
            self.refuse_next("a second act, break or pass in the turn", "V11")

    # A break

    def break_vault(self, breaker: Seat, refused: set[int]) -> None:  # E5
        self.raid = self.read_break(breaker, refused)
        clockwise = self.ring(breaker)
        cards.ask(self, "on_any_break", clockwise)
        self.roll(self.raid)
        cards.ask(self, "on_any_break", clockwise)
        total = sum(self.raid.rolled) + self.raid.added
        if total >= self.raid.threshold:  # V15
            self.succeed(self.raid, total)
        else:
            self.fall_short(self.raid, total)

    def read_break(self, breaker: Seat, refused: set[int]) -> Raid:
        line = self.take("break", "V12", "threshold", "parts", "shares", seat=breaker.number)
        threshold: int = self.rules["thresholds"][self.counts["breaks"]]
        right = line["threshold"] == threshold
        self.require(right, f"threshold {line['threshold']!r}, {threshold} is due", "V15")
        parts = self.listed(line["parts"], dict)
        odd = [part for part in parts if set(part) != {"seat", "dice", "paid"}]
        self.require(not odd, f"odd parts {odd}", FORMAT)
        members = [self.seat(part["seat"], "V13") for part in parts]
        clockwise = [seat for seat in self.ring(breaker) if seat in members]
        self.require(members[:1] == [breaker], "the breaker is not the first part", "V12")
        self.require(members == clockwise, "the parts are not clockwise, one a seat", "V13")
        unwilling = refused.intersection(seat.number for seat in members)
        self.require(not unwilling, f"seats {sorted(unwilling)} have declined", "V13")
        for seat, part in zip(members, parts, strict=True):
            self.buy(seat, part)
        bought = sum(part["dice"] for part in parts)
        table = self.rules["dice_limit"] == "table"
        most = bought if table else max(part["dice"] for part in parts)
        self.require(most <= self.rules["dice"], f"{most} dice bought", "V12")
        alone = len(members) == 1 and self.counts["breaks"] == 0
        needs = self.rules["first_break_needs_partner"]
        self.require(not (alone and needs), "the first break needs a partner", "V13")
        self.count_attempt(len(members))
        return Raid(breaker, members, self.shares(line, members), bought, threshold)

    def buy(self, seat: Seat, part: Line) -> None:
        dice, paid = part["dice"], self.listed(part["paid"], str)
        self.require(isinstance(dice, int) and dice >= 1, f"{dice!r} dice", "D7")
        self.require(len(paid) == dice, f"{dice} dice for {paid}", "V12")
        held = seat.tokens.total()
        self.require(dice <= held, f"seat {seat.number} has {held} tokens", "V12")
        due = seat.most(dice)
        self.require(paid == due, f"seat {seat.number} pays {paid}, not {due}", "D6")
        self.pay(seat, paid)  # V18
        self.counts["tokens_spent"] += dice

    def shares(self, line: Line, members: list[Seat]) -> list[int]:  # V14
        shares = self.listed(line["shares"], int)
        number = min(self.rules["loot_per_break"], len(self.vault))
        self.require(len(shares) == number, f"{len(shares)} shares of {number} cards", "D8")
        others = set(shares) - {seat.number for seat in members}
        self.require(not others, f"a share for {sorted(others)}, who take no part", "V14")
        return shares

    def count_attempt(self, participants: int) -> None:
        self.counts["attempts"] += 1
        self.counts[f"attempts_at.{self.counts['breaks'] + 1}"] += 1
        self.counts["participants"] += participants

    def roll(self, raid: Raid) -> None:
        line = self.take("roll", "V12", "dice", "total", "threshold")
        dice = [self.pips(die, "V12") for die in self.listed(line["dice"], int)]
        self.require(len(dice) == raid.dice, f"{len(dice)} dice, {raid.dice} are due", "V12")
        total, threshold = line["total"], line["threshold"]
        self.require(total == sum(dice), f"total {total!r} of {dice}", "V15")
        wrong = f"threshold {threshold!r}, {raid.threshold} is due"
        self.require(threshold == raid.threshold, wrong, "E4")
        raid.rolled = dice
        self.counts["dice"] += len(dice)

    def succeed(self, raid: Raid, total: int) -> None:  # V16
        line = self.take("broken", "V15", "loot", total=total)
        taken = self.vault[: len(raid.shares)]
        due = [{"seat": n, "vp": vp} for n, vp in zip(raid.shares, taken, strict=True)]
        self.require(line["loot"] == due, f"loot {line['loot']}, {due} is due", "V16")
        del self.vault[: len(taken)]
        for number, vp in zip(raid.shares, taken, strict=True):
            self.seat(number, "V16").loot.append(vp)
        self.counts["breaks"] += 1
        self.counts[f"broken_at.{self.counts['breaks']}"] += 1
        if self.counts["breaks"] == len(self.rules["thresholds"]):
            raise Ended("breaks", "V19")
        if taken:
            self.reveal()

    def fall_short(self, raid: Raid, total: int) -> None:  # V17
        line = self.take("failed", "V15", "die", total=total)
        die = self.pips(line["die"], "V17")
        self.counts[f"failures.{die}"] += 1
        everyone = self.rules["failure_hits"] == "everyone"
        for seat in self.ring(raid.breaker) if everyone else [raid.breaker]:
            if seat in raid.members and not cards.ask(self, "on_my_failure", [seat]):
                self.hit(seat, die)

    def hit(self, seat: Seat, die: int) -> None:  # D10
        due: dict[str, Any] = {"seat": seat.number, "die": die}
        if die == SKIP:
            self.take("hit", "V17", **due)
            seat.skips = True
        elif die in (ONE_CARD, ALL_CARDS):
            told = self.take("hit", "V17", "cards", **due)["cards"]
            number = 1 if die == ONE_CARD else len(seat.hand)
            gone = self.held(told, number, seat.hand, "V17")
            self.leave(seat.hand, gone)
            self.training += gone
        elif die in (ONE_TOKEN, ALL_TOKENS):
            tokens = seat.most(1 if die == ONE_TOKEN else seat.tokens.total())
            told = self.take("hit", "V17", "tokens", **due)["tokens"]
            self.require(told == tokens, f"{told} lost, {tokens} is due", "D6")
            self.pay(seat, tokens)
        elif die == LOOT and not seat.loot:
            self.take("hit", "V17", **due)
        else:
            vp = self.take("hit", "V17", "loot", **due)["loot"]
            self.require(vp in seat.loot, f"seat {seat.number} has no loot {vp!r}", "V17")
            self.leave(seat.loot, [vp])
            self.reveal()

    # The end

    def read_end(self, end: Ended) -> None:
        fields = ("vp", "winners", "outcome")
        line = self.take("end", end.rule, *fields, ended_by=end.ended_by)
        vp = [sum(seat.loot) for seat in self.seats]
        self.require(line["vp"] == vp, f"vp {line['vp']}, counted {vp}", "V20")
        winners = [seat.number for seat in self.seats if sum(seat.loot) == max(vp)]
        self.require(line["winners"] == winners, f"winners {line['winners']}: {winners}", "V20")
        told = line["outcome"]
        self.require(isinstance(told, dict), f"no outcome: {told!r}", FORMAT)
        counted = self.outcome(end, winners)
        odd = sorted((set(counted) - set(told)) | (set(told) - set(counted) - _more_columns()))
        self.require(not odd, f"columns missing or unknown: {odd}", COLUMNS)
        for name, value in told.items():
            right = counted.get(name, 0)
            self.require(value == right, f"{name} is {value!r}, counted {right!r}", COLUMNS)

    def outcome(self, end: Ended, winners: list[int]) -> dict[str, Any]:
        names = "breaks attempts dice participants tokens_earned tokens_spent wasted turns".split()
        names += [f"failures.{die}" for die in PIPS]
        for place in range(1, len(self.rules["thresholds"]) + 1):
            names += [f"attempts_at.{place}", f"broken_at.{place}"]
        columns: dict[str, Any] = {name: self.counts[name] for name in names}
        columns["ended_by"] = end.ended_by
        columns["stalled"] = end.ended_by == "stalled"
        for seat in self.seats:
            won = seat.number in winners
            columns[f"win_share.{seat.number}"] = WIN / len(winners) if won else 0
            columns[f"vp.{seat.number}"] = sum(seat.loot)
            columns[f"loot.{seat.number}"] = len(seat.loot)
        return columns


def _more_columns() -> set[str]:
    names = ("win_share", "vp", "loot", "attempts_at", "broken_at")
    return {f"{name}.{place}" for name in names for place in range(1, PLACES + 1)}
