"""Action and reaction cards as the checker follows them: their decks, their use, their effects."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .vault_checker_table import ANY, COLOURS, FORMAT, MOMENTS, Card, Raid, Seat, Table

KINDS = {"actions": "V7", "reactions": "V8"}
HELD = 2
AIMS = ("leader", "richest", "random", "left", "right")
UNAIMED = {"gain_tokens", "draw_training", "peek_loot"}
AIMED = {
    "steal_token",
    "destroy_token",
    "steal_training",
    "discard_training",
    "steal_loot",
    "swap_loot",
    "skip_player",
}
AFTER_ROLL = {"reroll_lowest", "add_to_roll"}
CALL_OFF = {"protect", "cancel_action", "ignore_failure"}
OWN_MOMENT = {  # E2: at no other
    **dict.fromkeys(("extra_die", "lower_threshold", "join_uninvited"), "on_any_break"),
    **dict.fromkeys(AFTER_ROLL, "on_any_break"),
    "protect": "on_targeted",
    "cancel_action": "on_action",
    "ignore_failure": "on_my_failure",
}


# The decks


def read_rules(table: Table) -> None:  # V5
    for kind in KINDS:
        told = table.listed(table.rules[kind], dict)
        cards = [read_card(table, kind, card) for card in told]
        table.cards[kind] = {card.name: card for card in cards}
        different = len(table.cards[kind]) == len(cards)
        table.require(different, f"two cards of one name among the {kind}", "V5")


def read_card(table: Table, kind: str, told: dict[str, Any]) -> Card:
    card = Card(
        name=str(told.get("name")),
        copies=told.get("copies", 1),
        cost=dict(told.get("cost") or {}),
        effect=str(told.get("effect")),
        amount=told.get("amount", 1),
        target=str(told.get("target") or ""),
        when=str(told.get("when") or ""),
    )
    colours = set(card.cost) <= {*COLOURS, ANY}
    table.require(colours, f"{card.name}: no such colours: {card.cost}", "V5")
    when = set(MOMENTS) if kind == "reactions" else {""}
    table.require(card.when in when, f"{card.name}: no such moment: {card.when!r}", "V5")
    fits = card.effect in UNAIMED | AIMED or OWN_MOMENT.get(card.effect, "none") == card.when
    table.require(fits, f"{card.name}: {card.effect!r} at {card.when!r}", "E2")
    aimed = card.effect not in AIMED or card.target in AIMS
    table.require(aimed, f"{card.name}: no such target: {card.target!r}", "E1")
    return card


def read_deck(table: Table, kind: str, told: object) -> None:  # V5
    deck = table.listed(told, str)
    due = Counter({card.name: card.copies for card in table.cards[kind].values()})
    table.require(Counter(deck) == +due, f"{deck} is not the deck of {dict(due)}", "V5")
    table.decks[kind] = deck


def draw(table: Table, seat: Seat, kind: str) -> None:  # V7, V8, D5
    held = [seat.cards[kind]] if kind in seat.cards else []
    deck = table.decks.get(kind, [])
    drawn = deck[: HELD - len(held)]
    if not held + drawn:
        return
    both = len(held + drawn) == HELD
    fields = ("kept", "returned") if both else ("kept",)
    line = table.take(f"draw_{kind}", KINDS[kind], *fields, seat=seat.number, cards=drawn)
    told = [str(line[name]) for name in fields]
    table.require(sorted(told) == sorted(held + drawn), f"{told} of {held + drawn}", KINDS[kind])
    seat.cards[kind] = told[0]
    table.decks[kind] = told[1:] + deck[len(drawn) :]


# The use of a card


def use(table: Table, seat: Seat, kind: str, moment: str) -> tuple[Card, Seat | None]:
    """The line of a card that is used, its target and its cost."""
    event = "react" if moment else "act"
    name = seat.cards.get(kind)
    if name is None or table.ahead().get("card") != name:
        table.refuse_next(f"seat {seat.number} holds {name!r}", "E9")
    card = table.cards[kind][name]
    if card.when != moment:
        table.refuse_next(f"{name} is a card for {card.when}", "E2")
    fixed = {"moment": moment} if moment else {}
    fields = ("paid", "target") if card.effect in AIMED else ("paid",)
    line = table.take(
        event, "E2", *fields, seat=seat.number, card=name, effect=card.effect, **fixed
    )
    target = None
    if card.effect in AIMED:
        target = table.seat(line["target"], "E1")
        may = [other.number for other in targets(table, seat, card.target)]
        wrong = f"seat {target.number} is not {card.target}: {may}"
        table.require(target.number in may, wrong, "E1")
    pay_cost(table, seat, card, table.listed(line["paid"], str))
    del seat.cards[kind]
    table.decks[kind].append(name)
    return card, target


def targets(table: Table, seat: Seat, aim: str) -> list[Seat]:  # E1
    others = table.ring(seat)[1:]
    if aim == "random":
        return others
    if aim == "leader":
        return [max(others, key=lambda other: len(other.loot))]
    if aim == "richest":
        return [max(others, key=lambda other: other.tokens.total())]
    return [others[0] if aim == "left" else others[-1]]


def pay_cost(table: Table, seat: Seat, card: Card, paid: list[str]) -> None:  # D6, E9
    named = Counter({colour: number for colour, number in card.cost.items() if colour != ANY})
    enough = named <= seat.tokens and sum(card.cost.values()) <= seat.tokens.total()
    table.require(enough, f"seat {seat.number} cannot pay {card.cost}", "E9")
    first, rest = paid[: named.total()], paid[named.total() :]
    table.require(Counter(first) == +named, f"{paid} paid for {card.cost}", "D6")
    table.pay(seat, first)
    due = seat.most(card.cost.get(ANY, 0))
    table.require(rest == due, f"{rest} paid for any, {due} is due", "D6")
    table.pay(seat, rest)
    table.counts["tokens_spent"] += len(paid)


def act(table: Table, seat: Seat) -> None:  # E6
    card, target = use(table, seat, "actions", "")
    others = table.ring(seat)[1:]
    if not ask(table, "on_action", others, target):
        on_target(table, card, seat, target)


def ask(table: Table, moment: str, seats: list[Seat], also_aimed_at: Seat | None = None) -> bool:
    """The seats may react, in this order; whether one calls off what they react to."""
    waiting = list(seats)
    while table.is_next("react", moment=moment):
        numbers = [seat.number for seat in waiting]
        number = table.ahead().get("seat")
        if number not in numbers:
            table.refuse_next(f"asked are seats {numbers}, not {number!r}", MOMENTS[moment])
        place = numbers.index(number)
        seat, waiting = waiting[place], waiting[place + 1 :]
        card, target = use(table, seat, "reactions", moment)
        if moment == "on_any_break":
            in_time = bool(raid(table).rolled) == (card.effect in AFTER_ROLL)
            table.require(in_time, f"{card.effect} on the wrong side of the roll", "E5")
        if card.effect in CALL_OFF:
            return True
        twice = target is also_aimed_at
        if not (twice and answers_later(table, card, seat, target)):
            on_target(table, card, seat, target)
    return False


def answers_later(table: Table, card: Card, seat: Seat, target: Seat | None) -> bool:
    """Whether what the target uses next answers the action, not this reaction to the action.

    Where the reaction finds nothing to take, the lines before the answer do not tell.
    """
    if target is None or finds_something(card, seat, target):
        return False
    answer = table.is_next("react", moment="on_targeted", seat=target.number)
    return answer and not table.guess()


def finds_something(card: Card, seat: Seat, target: Seat) -> bool:
    if card.effect in ("steal_token", "destroy_token"):
        return target.tokens.total() > 0
    if card.effect in ("steal_training", "discard_training"):
        return bool(target.hand)
    if card.effect == "swap_loot":
        return bool(seat.loot and target.loot)
    return card.effect == "skip_player" or bool(target.loot)


def on_target(table: Table, card: Card, seat: Seat, target: Seat | None) -> None:  # E6, E7
    """The effect, unless its target cancels it."""
    if target is not None and table.is_next("react", moment="on_targeted", seat=target.number):
        answer, aim = use(table, target, "reactions", "on_targeted")
        if answer.effect in CALL_OFF:
            return
        EFFECTS[answer.effect](table, answer, target, aim or target)
    EFFECTS[card.effect](table, card, seat, target or seat)


# Effects at any moment


def gain_tokens(table: Table, card: Card, seat: Seat, target: Seat) -> None:  # E3
    left, gained = Counter(table.supply), Counter(seat.tokens)
    tokens: list[str] = []
    for _ in range(min(card.amount, left.total())):
        there = [colour for colour in COLOURS if left[colour]]
        tokens.append(min(there, key=lambda colour: gained[colour]))
        left[tokens[-1]] -= 1
        gained[tokens[-1]] += 1
    if tokens:
        table.take("gain", "E3", seat=seat.number, tokens=tokens)
        table.supply, seat.tokens = left, gained
        table.counts["tokens_earned"] += len(tokens)


def draw_training(table: Table, card: Card, seat: Seat, target: Seat) -> None:
    table.draw(seat, card.amount, "E3")


def peek_loot(table: Table, card: Card, seat: Seat, target: Seat) -> None:
    if table.vault[: card.amount]:
        table.take("peek_loot", "E3", seat=seat.number, loot=table.vault[: card.amount])


def take_token(table: Table, card: Card, seat: Seat, target: Seat) -> None:
    tokens = target.most(card.amount)
    if tokens:
        table.take(card.effect, "E3", seat=seat.number, target=target.number, tokens=tokens)
        target.tokens.subtract(tokens)
        to = seat.tokens if card.effect == "steal_token" else table.supply
        to.update(tokens)


def take_training(table: Table, card: Card, seat: Seat, target: Seat) -> None:
    if not target.hand or not card.amount:
        return
    line = table.take(card.effect, "E3", "cards", seat=seat.number, target=target.number)
    cards = table.held(line["cards"], card.amount, target.hand, "E3")
    table.leave(target.hand, cards)
    to = seat.hand if card.effect == "steal_training" else table.training
    to += cards


def steal_loot(table: Table, card: Card, seat: Seat, target: Seat) -> None:
    if not target.loot or not card.amount:
        return
    line = table.take("steal_loot", "E3", "loot", seat=seat.number, target=target.number)
    loot = table.held(line["loot"], card.amount, target.loot, "E3")
    table.leave(target.loot, loot)
    seat.loot += loot
    table.reveal()


def swap_loot(table: Table, card: Card, seat: Seat, target: Seat) -> None:
    if not seat.loot or not target.loot:
        return
    for _ in range(card.amount):
        line = table.take(
            "swap_loot", "E3", "given", "taken", seat=seat.number, target=target.number
        )
        given, taken = line["given"], line["taken"]
        table.require(given in seat.loot, f"seat {seat.number} has no loot {given!r}", "E3")
        table.require(taken in target.loot, f"seat {target.number} has no loot {taken!r}", "E3")
        table.leave(seat.loot, [given])
        table.leave(target.loot, [taken])
        seat.loot.append(taken)
        target.loot.append(given)
        table.reveal()


def skip_player(table: Table, card: Card, seat: Seat, target: Seat) -> None:
    table.take("skip", "E3", seat=target.number)
    target.skips = True


# Effects on a break


def raid(table: Table) -> Raid:
    if table.raid is None:
        table.fail("no break is under way", FORMAT)
    return table.raid


def extra_die(table: Table, card: Card, seat: Seat, target: Seat) -> None:  # E4
    raid(table).dice += card.amount


def add_to_roll(table: Table, card: Card, seat: Seat, target: Seat) -> None:
    raid(table).added += card.amount


def lower_threshold(table: Table, card: Card, seat: Seat, target: Seat) -> None:
    raid(table).threshold -= card.amount


def reroll_lowest(table: Table, card: Card, seat: Seat, target: Seat) -> None:
    before = raid(table).rolled
    again = sorted(range(len(before)), key=before.__getitem__)[: card.amount]
    line = table.take("reroll", "E4", "dice", "total")
    dice = [table.pips(die, "E4") for die in table.listed(line["dice"], int)]
    table.require(len(dice) == len(before), f"{len(dice)} dice, {len(before)} rolled", "E4")
    kept = all(dice[i] == before[i] or i in again for i in range(len(dice)))
    table.require(kept, f"{before} to {dice}: only dice {[i + 1 for i in again]} roll", "E4")
    wrong = f"total {line['total']!r}, the dice show {sum(dice)}"
    table.require(line["total"] == sum(dice), wrong, "E4")
    raid(table).rolled = dice


def join_uninvited(table: Table, card: Card, seat: Seat, target: Seat) -> None:
    now = raid(table)
    table.require(seat not in now.members, f"seat {seat.number} takes part already", "E4")
    shares = list(now.shares)
    own = [i for i, owner in enumerate(shares) if owner == now.breaker.number]
    free = [i for i, owner in enumerate(shares) if owner not in now.uninvited]
    for place in (own or free)[-1:]:
        shares[place] = seat.number
    table.take("join", "E4", seat=seat.number, dice=card.amount, shares=shares)
    now.members.append(seat)
    now.uninvited.append(seat.number)
    now.shares = shares
    now.dice += card.amount
    table.counts["participants"] += 1


EFFECTS = {
    "gain_tokens": gain_tokens,
    "draw_training": draw_training,
    "peek_loot": peek_loot,
    "steal_token": take_token,
    "destroy_token": take_token,
    "steal_training": take_training,
    "discard_training": take_training,
    "steal_loot": steal_loot,
    "swap_loot": swap_loot,
    "skip_player": skip_player,
    "extra_die": extra_die,
    "reroll_lowest": reroll_lowest,
    "add_to_roll": add_to_roll,
    "lower_threshold": lower_threshold,
    "join_uninvited": join_uninvited,
}
