"""The tools as the checker follows them: their deck, the windows for them, what each one does."""

from __future__ import annotations

from collections import Counter

from .checker_table import GUARDS, JOKER, Line, Seat, Table

HAMMER_DRAWS = 2  # C3
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


def read_tools(table: Table) -> None:  # B6
    asked = table.rules["tools"]
    if not asked:
        return
    due = list(TOOL_FIELDS) if asked is True else list(asked)
    table.require(set(due) <= set(TOOL_FIELDS), f"unknown tools among {due}", "B6")
    read_tool_deck(table, due)
    for seat in table.seats:
        if seat.character == "hammer":
            draw_tool(table, seat)


def read_tool_deck(table: Table, due: list[str]) -> None:
    deck = list(table.take("tools", "B6", "deck")["deck"])
    table.require(Counter(deck) == Counter(due), f"{deck} is not the deck of {due}", "B6")
    table.tool_deck = deck


def draw_tool(table: Table, seat: Seat) -> None:  # B6, C3
    hammer = seat.character == "hammer"
    number = HAMMER_DRAWS if hammer else 1
    drawn, rest = table.tool_deck[:number], table.tool_deck[number:]
    if not drawn:
        return  # R33, R19
    rule = "C3" if hammer else "B6"
    line = table.take("tool", rule, "tool", optional=("returned",), seat=seat.number)
    told = [line[name] for name in ("tool", "returned") if name in line]
    table.require(sorted(told) == sorted(drawn), f"took {told} where {drawn} came", rule)
    seat.tools.append(line["tool"])
    table.tool_deck = rest
    if "returned" in line:
        table.counts["ability.hammer"] += 1
        read_tool_deck(table, [*rest, line["returned"]])


def window(table: Table, *also: str) -> None:  # R30
    """Any number of tools, `also` those that not every window allows."""
    while table.is_next("use"):
        use(table, also)


def window_before_checks(table: Table) -> bool:  # R30, R42
    """Whether the last of these tools may have been used only after the steps B18 to B20.

    Where no seat had a line due in them, the trace does not tell the two windows apart.
    """
    late = False
    while table.is_next("use"):
        late = not table.is_next("use", tool="dynamite") and (late or checks_are_silent(table))
        use(table, ("dynamite",))
    return late


def checks_are_silent(table: Table) -> bool:
    return not any(
        (table.peek_reached(seat) and (seat.deck or seat.discards))
        or table.rules["jackpot_total"] in table.readings(seat)
        or table.must_crack(seat)
        for seat in table.seats
        if seat.active
    )


def use(table: Table, also: tuple[str, ...]) -> None:  # R31
    name = str(table.ahead().get("tool"))
    line = table.take("use", "R31", "seat", "tool", *TOOL_FIELDS.get(name, ()))
    owner = table.seat(line["seat"], "R45")
    table.require(name in owner.tools, f"seat {owner.number} has no tool {name}", "R31")
    not_now = name in NOT_ALWAYS and name not in also
    table.require(not not_now, f"{name} in this window", NOT_ALWAYS.get(name, "R30"))
    owner.tools.remove(name)
    table.counts["tools_used"] += 1
    table.counts[f"used.{name}"] += 1
    EFFECTS[name](table, owner, line)


def crowbar(table: Table, owner: Seat, line: Line) -> None:  # T1, R34
    seat, card = table.seat(line["target"], "R34"), line["card"]
    table.require(card not in GUARDS, f"the Guard {card} is removed", "T1")
    table.require(card in seat.display, f"{card} is not in that display", "R34")
    seat.leave(card)
    table.removed.append(card)


def crystal_ball(table: Table, owner: Seat, line: Line) -> None:  # T2, R35
    others = [seat for seat in table.seats if seat is not owner and seat.guard in seat.deck]
    table.require(bool(others), "no other deck holds its Guard", "R31")
    due = [{"seat": s.number, "place": s.deck.index(s.guard) + 1} for s in others]
    table.require(line["places"] == due, f"the Guards lie at {due}", "T2")


def stethoscope(table: Table, owner: Seat, line: Line) -> None:  # T3, R37
    seat = table.seat(line["target"], "R37")
    table.require(seat.active, f"seat {seat.number} is not active", "R37")
    seat.minus += STETHOSCOPE


def donuts(table: Table, owner: Seat, line: Line) -> None:  # T4, R38
    table.seat(line["target"], "T4").donuts = True


def makeup_kit(table: Table, owner: Seat, line: Line) -> None:  # T5
    cap = table.rules["stealth_cap"]  # B5
    gain = [s for s in table.seats if s.crack_round and (cap is None or s.stealth < cap)]
    table.require(bool(gain), "no seat gains stealth", "R31")
    due = [seat.number for seat in gain]
    table.require(line["gained"] == due, f"gained {line['gained']}, not {due}", "T5")
    for seat in gain:
        seat.stealth += 1


def emp(table: Table, owner: Seat, line: Line) -> None:  # T6, R40
    table.require(any(s.active for s in table.seats), "no seat is active", "R31")
    table.emp = True


def dynamite(table: Table, owner: Seat, line: Line) -> None:  # T7, R41
    struck = [s for s in table.seats if s.active or table.rules["dynamite_inactive"]]
    struck = [s for s in struck if s.current is not None and s.current not in GUARDS]
    table.require(bool(struck), "no current card leaves", "R31")
    for seat in struck:
        assert seat.current is not None
        card = seat.current
        table.take("dynamite", "R41", seat=seat.number, card=card)
        seat.leave(card)
        table.removed.append(card)
    for seat in struck:
        table.draw(seat, in_step=False)


def virus(table: Table, owner: Seat, line: Line) -> None:  # T8
    owner.discards.append(JOKER)
    table.cards = table.cards | {JOKER}


def smoke_bomb(table: Table, owner: Seat, line: Line) -> None:  # T9, R44
    guarded = [seat for seat in table.seats if seat.guard in seat.display]
    table.require(len(guarded) >= SMOKE_NEEDS, "fewer than two Guards in displays", "R31")
    due = [seat.number for seat in guarded]
    table.require(line["guards"] == due, f"guards {line['guards']}, not {due}", "T9")
    for seat in guarded:
        seat.discard_guard()


EFFECTS = {
    "crowbar": crowbar,
    "crystal_ball": crystal_ball,
    "stethoscope": stethoscope,
    "donuts": donuts,
    "makeup_kit": makeup_kit,
    "emp": emp,
    "dynamite": dynamite,
    "virus": virus,
    "smoke_bomb": smoke_bomb,
}
