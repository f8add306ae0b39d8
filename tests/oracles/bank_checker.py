"""A rule checker for traces of Bank Robbers.

`check` reads the lines of one game, whatever its policies, and follows every card and coin. The
rules fix which line may come next, so each line is taken where it is due; only decisions and
chance are read from the lines, and tested for being legal. The table and the arithmetic of a
robbery are in `bank_checker_table`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from .bank_checker_table import FORMAT, KINDS, Haul, Line, Place, RuleBroken, Table, whole

__all__ = ["COLUMNS", "FORMAT", "Haul", "RuleBroken", "check"]

COLUMNS = "outcome columns"
WIN = 60  # K21
SEATS = range(1, 6)  # that have columns
ACTIONS = ("play", "look", "reveal", "rob")
SWITCHES: dict[str, tuple[Any, str]] = {
    "players": (range(2, 6), "K1"),
    "stake_on_shortfall": (("returned", "lost"), "K12"),
    "ties": (("turn_order", "together"), "K13"),
    "specials": (("simple", "published"), "K18"),
    "after_robbery": (("discard", "keep_money", "refill"), "K19"),
    "final_order": (("fixed",), "K20"),
}
LEAST: dict[str, tuple[int, str]] = {
    "coins": (0, "K1"),
    "hand": (0, "K1"),
    "banks": (1, "K2"),
    "guard_reward": (0, "K14"),
    "credit_to": (0, "K22"),
    "max_turns": (1, "K23"),
}
HEAD = ("game", "scenario", "variant", "seed", "rollout", "version", "rules", "policies")


def check(trace: Iterable[Line]) -> None:
    """Raise `RuleBroken` at the first line of the game that breaks a rule."""
    _Checker(trace).run()


class _Checker(Table):
    """The rules, step by step, as the lines of the trace must follow them."""

    def run(self) -> None:
        self.read_head()
        self.read_deal()
        turn = 0
        while True:
            turn += 1
            seat = (turn - 1) % len(self.hands) + 1
            self.play_turn(turn, seat)
            if not self.deck and [] in self.hands:  # K20, before K23
                for bank, laid in enumerate(self.banks, 1):
                    if laid:
                        self.take("rob", "K20", seat=seat, bank=bank, final=True)
                        self.robbery(seat, bank, final=True)
                self.read_end("K20", stalled=False)
                break
            if turn == self.rules["max_turns"]:
                self.read_end("K23", stalled=True)
                break
        if self.number < len(self.lines):
            self.number += 1
            self.fail("a line follows `end`", FORMAT)

    # Set-up

    def read_head(self) -> None:
        line = self.advance()
        first = line.get("event") == "game" and line.get("game") == "bank"
        self.require(first, "the first line is not the `game` line of a bank game", FORMAT)
        odd = (set(line) - {"event", *HEAD}) | ({"rules", "policies"} - set(line))
        self.require(not odd, f"fields missing or unknown in game: {sorted(odd)}", FORMAT)
        self.rules = line["rules"] if isinstance(line["rules"], dict) else {}
        missing = {*SWITCHES, *LEAST, "deck", "tiles"} - set(self.rules)
        self.require(not missing, f"rules without {sorted(missing)}", FORMAT)
        for name, (values, rule) in SWITCHES.items():
            value = self.rules[name]
            self.require(value in values, f"{name} is {value!r}", rule)
        for name, (least, rule) in LEAST.items():
            value = self.rules[name]
            self.require(whole(value) and value >= least, f"{name} is {value!r}", rule)
        seated = len(self.listed(line["policies"])) == self.rules["players"]
        self.require(seated, "not a policy for each seat", FORMAT)
        if self.rules["tiles"] != "choose":
            self.counted(self.rules["tiles"], ACTIONS, "K4")

    def counted(self, copies: object, names: Iterable[str] | None, rule: str) -> Counter[str]:
        """A mapping of names to copies, of these names only."""
        if not isinstance(copies, dict):
            self.fail(f"no copies: {copies!r}", rule)
        counts = {str(name): number for name, number in copies.items()}
        odd = [name for name in counts if names is not None and name not in names]
        self.require(not odd, f"no place for {odd}", rule)
        bad = [number for number in counts.values() if not whole(number) or number < 0]
        self.require(not bad, f"copies {bad}", rule)
        self.require(any(counts.values()), "no copies at all", rule)
        return +Counter(counts)

    def read_deal(self) -> None:
        rules = self.rules
        kinds = rules["deck"] if isinstance(rules["deck"], dict) else {}
        self.require("money" in kinds, f"a deck of {rules['deck']!r}", "K3")
        specials = {kind: copies for kind, copies in kinds.items() if kind != "money"}
        due = self.counted(kinds["money"], None, "K3")
        odd = [card for card in due if not card.isdecimal()]
        self.require(not odd, f"{odd} is no money", "K3")
        if any(specials.values()):
            due += self.counted(specials, KINDS, "K3")
        needed = rules["players"] * rules["hand"] + rules["banks"]
        self.require(due.total() >= needed, f"{due.total()} cards, {needed} are dealt", "D2")
        self.deck = self.listed(self.take("deal", "D2", "deck")["deck"])
        self.require(Counter(self.deck) == due, "the deck is not that of the rules", "K3")
        for seat in range(1, rules["players"] + 1):
            cards = [self.deck.pop(0) for _ in range(rules["hand"])]
            self.take("hand", "D2", seat=seat, cards=cards)
            self.hands.append(cards)
        for bank in range(1, rules["banks"] + 1):
            self.take("bank", "D2", bank=bank, card=self.deck[0])
            self.banks.append([Place(self.deck.pop(0), hidden=True)])
        self.coins = [rules["coins"]] * rules["players"]

    # A turn

    def play_turn(self, turn: int, seat: int) -> None:
        self.clock = {"turn": turn}
        self.counts["turns"] = turn
        self.take("turn", "K4", seat=seat)
        action = self.read_action(seat)
        match action:
            case "play" if self.hands[seat - 1]:
                self.play(seat)
            case "look" | "reveal" if self.hidden():
                self.turn_up(seat, action)
            case "rob" if any(self.banks):
                bank = self.take("rob", "K8", "bank", seat=seat)["bank"]
                self.require(bool(self.bank(bank, "K8")), f"bank {bank} is empty", "K9")
                self.counts[f"robbed.{seat}"] += 1
                self.robbery(seat, bank, final=False)
            case _:
                self.take("nothing", "K5" if action == "play" else "K9", seat=seat)

    def read_action(self, seat: int) -> str:  # K4, D3
        if self.rules["tiles"] == "choose":
            action = self.take("action", "K4", "action", seat=seat)["action"]
            self.require(action in ACTIONS, f"{action!r} is no action", "K4")
            return str(action)
        if not self.tiles:
            self.tiles = self.listed(self.take("tiles", "D3", "tiles")["tiles"])
            right = Counter(self.tiles) == +Counter(self.rules["tiles"])
            self.require(right, f"tiles {self.tiles}", "K4")
        action = self.tiles.pop(0)
        self.take("action", "K4", seat=seat, action=action)
        return str(action)

    def play(self, seat: int) -> None:  # K5, D4
        hand = self.hands[seat - 1]
        line = self.take("play", "K5", "card", "bank", seat=seat)
        card = line["card"]
        self.require(card in hand, f"seat {seat} has no {card!r}", "K5")
        self.bank(line["bank"], "K5").append(Place(card, hidden=True))
        hand.remove(card)
        if self.deck:
            self.take("draw", "K5", seat=seat, card=self.deck[0])
            hand.append(self.deck.pop(0))

    def turn_up(self, seat: int, action: str) -> None:
        rule = "K6" if action == "look" else "K7"
        line = self.take(action, rule, "bank", "place", "card", seat=seat)
        laid, place = self.bank(line["bank"], rule), line["place"]
        there = whole(place) and 1 <= place <= len(laid)
        self.require(there, f"place {place!r} of {len(laid)}", "D5")
        card, hidden = laid[place - 1]
        self.require(hidden, f"the card at place {place} lies face up", rule)
        self.require(line["card"] == card, f"{line['card']!r}, but {card} lies there", rule)
        if action == "reveal":
            laid[place - 1] = Place(card, hidden=False)

    # A robbery

    def robbery(self, robber: int, bank: int, final: bool) -> None:
        stakes = self.listed(self.take("stakes", "K10", "stakes")["stakes"])
        self.require(len(stakes) == len(self.coins), f"{len(stakes)} stakes", "K10")
        for seat, (stake, coins) in enumerate(zip(stakes, self.coins, strict=True), 1):
            self.require(whole(stake) and stake >= 0, f"seat {seat} stakes {stake!r}", "D6")
            rule = "K22" if self.rules["credit_to"] else "K10"
            most = max(coins, self.rules["credit_to"])
            self.require(stake <= most, f"seat {seat} stakes {stake}", rule)
        cards = [there.card for there in self.banks[bank - 1]]
        haul = Haul(self.rules, cards, stakes, robber)
        pot = self.take("open", "K10", "pot", bank=bank, cards=cards)["pot"]
        self.require(pot == haul.pot, f"pot {pot!r}, {haul.pot} is due", "D7")
        self.read_result(haul)
        self.coins = [held + gain for held, gain in zip(self.coins, haul.gains, strict=True)]
        self.count(haul, sum(stakes))
        self.clear(bank, cards, haul, final)

    def read_result(self, haul: Haul) -> None:
        told = ("paid", "short", "guarded", "thieved", "lady")
        line = self.take("result", "K11", "order", "gains", *told)
        order, gains = line["order"], line["gains"]
        self.require(order == haul.order, f"order {order}, {haul.order} is due", "D8")
        rule = "K15" if haul.thieved else "K14" if haul.guarded else "K11"
        if rule == "K11" and haul.cut_off:
            rule = "K13" if self.rules["ties"] == "together" else "K12"
        self.require(gains == haul.gains, f"gains {gains}, {haul.gains} are due", rule)
        rules = ("D15", "D15", "K14", "K15", "K17")
        for name, broken in zip(told, rules, strict=True):
            right = bool(getattr(haul, name))
            self.require(line[name] is right, f"{name} is {line[name]!r}, not {right}", broken)

    def count(self, haul: Haul, staked: int) -> None:
        self.counts["robberies"] += 1
        for name in ("paid", "short", "guarded", "thieved"):
            self.counts[name] += getattr(haul, name)
        self.counts["ladies"] += haul.lady
        self.counts["pot"] += haul.pot
        self.counts["stakes"] += staked
        self.counts["coins_paid"] += haul.taken
        self.counts["rewards"] += haul.rewards
        self.counts["coins_thieved" if haul.thieved else "coins_lost"] += haul.lost

    def clear(self, bank: int, cards: list[str], haul: Haul, final: bool) -> None:  # K19, D12
        mode = self.rules["after_robbery"]
        laid = self.banks[bank - 1]
        laid.clear()
        if mode == "keep_money" and not haul.taken and not haul.thieved:
            money = [card for card in cards if card not in KINDS]
            if money:
                self.take("kept", "K19", bank=bank, cards=money)
            laid += [Place(card, hidden=False) for card in money]
        if mode == "refill" and self.deck and not final:
            self.take("refill", "K19", bank=bank, card=self.deck[0])
            laid.append(Place(self.deck.pop(0), hidden=True))

    # The end

    def read_end(self, rule: str, stalled: bool) -> None:
        line = self.take("end", rule, "coins", "winners", "outcome", stalled=stalled)
        coins, winners = line["coins"], line["winners"]
        self.require(coins == self.coins, f"coins {coins}, counted {self.coins}", "K21")
        best = max(self.coins)
        won = [seat for seat, held in enumerate(self.coins, 1) if held == best]
        self.require(winners == won, f"winners {winners}, {won} have most", "K21")
        told = line["outcome"]
        self.require(isinstance(told, dict), f"no outcome: {told!r}", FORMAT)
        counted = self.outcome(won, stalled)
        odd = sorted(set(counted) ^ set(told))
        self.require(not odd, f"columns missing or unknown: {odd}", COLUMNS)
        for name, right in counted.items():
            wrong = f"{name} is {told[name]!r}, counted {right!r}"
            self.require(told[name] == right, wrong, COLUMNS)

    def outcome(self, won: list[int], stalled: bool) -> dict[str, Any]:
        names = "robberies paid short guarded thieved ladies pot stakes coins_paid coins_thieved"
        names += " rewards coins_lost turns"
        columns: dict[str, Any] = {name: self.counts[name] for name in names.split()}
        columns["stalled"] = stalled
        held = dict(enumerate(self.coins, 1))
        for seat in SEATS:
            columns[f"win_share.{seat}"] = WIN / len(won) if seat in won else 0
            columns[f"coins.{seat}"] = held.get(seat, 0)
            columns[f"robbed.{seat}"] = self.counts[f"robbed.{seat}"]
        return columns
