"""What the policy `expert` counts and decides, on scripted tables, and that every knob matters."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from balance.games.burgle import BURGLE, TOOLS, BurgleRules, ExpertPolicy
from balance.games.burgle_expert import KNOBS, TOOL_WORTH, shipped_knobs
from kernels.burgle import expert, layout
from tests.burgle_tables import Table, pile

SEED = 7
ROLLOUTS = 300
CHUNKS = 4  # of so many rollouts, tried one after the other
CHANGES = (-1000.0, 1000.0)
WHOLE: dict[str, dict[str, Any]] = {
    "whole": {"characters": "random", "stealth": 2},
    "with the Van": {"characters": "random", "stealth": 1, "players": 3},
    "straights": {
        "characters": "random",
        "stealth": 3,
        "crack": {"straight_flush": 4},
        "burn": 2,
    },
    "short": {"characters": "random", "stealth": 0, "crack": {"flush": 4}},
}
TOOL_KNOBS = {
    "last_stealth": 5,
    "close": 0.4,
    "crowbar_from": 0.4,
    "stethoscope_from": 0.4,
    "donuts_from": 0.8,
    "makeup_kit_from": 2,
    "emp_from": 0.8,
    "dynamite_from": 1.5,
    "smoke_bomb_from": 2,
}
ZERO = dict.fromkeys(KNOBS, 0.0)
CLUBS = 0


def table(knobs: dict[str, float] | None = None, **rules: Any) -> Table:
    """A table of experts with these knobs and else the shipped ones."""
    return Table(ExpertPolicy(**(knobs or {})), **rules)


def tool_table(hand: str, **knobs: float) -> Table:
    """A table at which seat 2 (hearts, from 0) holds a tool."""
    made = table({**TOOL_KNOBS, **knobs})
    made.hand(2, hand)
    return made


def used(made: Table, start: int, stop: int) -> list[dict[str, Any]]:
    made.play(start, stop)
    return [
        {name: value for name, value in line.items() if name in ("tool", "target", "card")}
        for line in made.told_of("use")
    ]


def at_start(made: Table) -> list[dict[str, Any]]:
    return used(made, layout.ROUND_START, layout.DRAW)


def before_alarm(made: Table) -> list[dict[str, Any]]:
    return used(made, layout.ALARM, layout.BAIL)


def before_end(made: Table) -> list[dict[str, Any]]:
    return used(made, layout.ROUND_END, layout.ROUND_START)


# the knobs


def test_the_named_knobs_are_the_kernels_constants_in_the_same_places() -> None:
    places = [getattr(expert, name.upper()) for name in KNOBS]
    assert places == list(range(len(KNOBS)))
    assert len(KNOBS) <= layout.KNOBS


def test_the_kernel_has_no_knob_without_a_name() -> None:
    constants = {
        name
        for name, value in vars(expert).items()
        if name.isupper() and type(value) is int and not hasattr(layout, name)
    }
    assert constants - {"TOOL_WORTH", "GUARDS_WORTH_A_LOOK"} == {name.upper() for name in KNOBS}


def test_the_worths_of_tools_stand_in_the_order_of_the_tools() -> None:
    assert list(TOOL_WORTH) == [f"worth_{tool}" for tool in TOOLS]
    assert list(KNOBS).index("worth_crowbar") == expert.TOOL_WORTH


def test_the_shipped_file_names_exactly_the_knobs_in_their_order() -> None:
    shipped = shipped_knobs()
    assert list(shipped) == ["name", *KNOBS]
    assert shipped["name"] == "expert"
    assert all(getattr(ExpertPolicy(), name) == shipped[name] for name in KNOBS)


@cache
def outcomes(variant: str, chunk: int, knob: str = "", value: float = 0.0) -> Any:
    policy = ExpertPolicy(**({knob: value} if knob else {}))
    found = np.zeros((ROLLOUTS, len(BURGLE.columns)), np.int32)
    packed = BURGLE.pack(BurgleRules(**WHOLE[variant]), [policy] * 4)
    packed.play(SEED, chunk * ROLLOUTS, found)
    return found


@pytest.mark.parametrize("knob", KNOBS)
def test_every_knob_changes_some_game(knob: str) -> None:
    shipped = getattr(ExpertPolicy(), knob)
    tries = (
        (variant, chunk, shipped + change)
        for chunk in range(CHUNKS)
        for change in CHANGES
        for variant in WHOLE
    )
    assert any(
        not np.array_equal(outcomes(variant, chunk, knob, value), outcomes(variant, chunk))
        for variant, chunk, value in tries
    )


# what it counts


def deck_without(made: Table, seat: int, *names: str) -> None:
    """A first deck whose Guard has gone to the discards."""
    made.deck(seat, *names)
    made.discards(seat, "J" + "CDHS"[seat])


def guard_next(made: Table, seat: int = 0) -> float:
    return float(expert.next_guard_chance(made.state, seat))


def possible_next(made: Table, seat: int = 0) -> int:
    """The cards other than its Guard that the seat's next card can be (pile)."""
    expert.look_ahead(made.rules[0], made.state, made.rooms[0])
    assert made.rooms[0].next_guard[seat] == pytest.approx(guard_next(made, seat))
    return int(made.rooms[0].next_cards[seat])


def guard_in_round(made: Table, seat: int = 0) -> float:
    return float(expert.round_guard_chance(made.state, seat))


@pytest.mark.rule("R53")
@pytest.mark.parametrize(
    ("known", "chance"),
    [
        ((), 1 / 4),  # of 2C, 3C, JC, 5D from the top
        ((2,), 1 / 3),
        ((2, 4), 1 / 2),
        ((1,), 0.0),
        ((3,), 0.0),
        ((1, 2, 4), 0.0),
        ((2, 3), 0.0),
    ],
)
def test_the_chance_of_the_guard_in_a_first_deck_goes_by_unknown_places(
    known: tuple[int, ...], chance: float
) -> None:
    made = table()
    made.deck(0, "2C", "3C", "JC", "5D")
    made.known(0, *known)
    assert guard_next(made) == pytest.approx(chance)


@pytest.mark.rule("R52", "R53")
def test_a_guard_known_to_be_on_top_is_certain() -> None:
    made = table()
    made.deck(0, "JC", "3C")
    made.known(0, 1)
    assert guard_next(made) == 1.0
    assert possible_next(made) == 0


@pytest.mark.rule("R53")
@pytest.mark.parametrize(
    ("known", "chance"), [((), 1 / 4), ((2,), 1 / 3), ((3,), 0.0), ((1,), 0.0)]
)
def test_the_chance_of_the_guard_in_a_remade_deck_goes_by_its_cards(
    known: tuple[int, ...], chance: float
) -> None:
    made = table()
    made.remade(0, "2C", "3C", "JC", "5D")
    made.known(0, *known)
    assert guard_next(made) == pytest.approx(chance)


@pytest.mark.rule("R53")
def test_a_guard_that_has_left_the_deck_does_not_come_next() -> None:
    made = table()
    made.deck(0, "2C", "3C")
    made.display(0, "JC")
    assert guard_next(made) == 0.0
    made = table()
    deck_without(made, 0, "2C", "3C")
    assert guard_next(made) == 0.0


@pytest.mark.rule("B11")
def test_an_empty_deck_is_counted_as_the_discards_that_will_be_shuffled() -> None:
    made = table()
    made.discards(0, "JC", "2C", "3H")
    assert guard_next(made) == pytest.approx(1 / 3)
    assert possible_next(made) == pile("2C", "3H")
    made.display(0, "JC")
    made.discards(0, "2C", "3H")
    assert guard_next(made) == 0.0
    assert possible_next(made) == pile("2C", "3H")


@pytest.mark.rule("R21", "R53")
def test_a_face_down_card_of_the_spotter_is_counted_as_none_of_9_and_10() -> None:
    made = table(characters=["spotter", "acrobat", "raven", "hammer"])
    made.remade(0, "2H", "10D", "9S", "JC")
    assert guard_next(made) == pytest.approx(1 / 2)
    assert possible_next(made) == pile("2H")
    made.remade(0, "10D", "2H", "9S", "JC")
    assert guard_next(made) == 0.0
    assert possible_next(made) == pile("10D")


@pytest.mark.rule("R54")
def test_the_next_card_of_a_first_deck_is_any_that_nobody_has_seen() -> None:
    made = table()
    made.deck(0, "2C", "3C", "JC", "5D")
    made.state.unseen = pile("2C", "3C", "5D", "7S", "8H")
    assert possible_next(made) == pile("2C", "3C", "5D", "7S", "8H")
    made.known(0, 1)
    assert possible_next(made) == pile("2C")


@pytest.mark.rule("R53")
def test_the_next_card_of_a_remade_deck_is_one_of_its_unknown_ones() -> None:
    made = table()
    made.remade(0, "2C", "3C", "JC", "5D")
    assert possible_next(made) == pile("2C", "3C", "5D")
    made.known(0, 2)
    assert possible_next(made) == pile("2C", "5D")


def clubs_next(made: Table, seat: int = 0) -> float:
    rules, state, rooms = made.rules[0], made.state, made.rooms[0]
    expert.look_ahead(rules, state, rooms)
    return float(expert.suit_chance(rules, state, seat, CLUBS, rooms))


@pytest.mark.rule("R54", "B14")
def test_the_chance_of_a_suit_counts_what_can_be_traded_for() -> None:
    own = 3 / 4 * 2 / 3  # no Guard, then one of two clubs among three
    other = 1 / 2 * 3 / 5  # no Guard at one of two places, then three clubs of five unseen
    for trading, active, chance in (
        (True, (0, 1), 1 - (1 - own) * (1 - other)),
        (False, (0, 1), own),
        (True, (0,), own),
    ):
        made = table(trading=trading)
        made.inactive(*(seat for seat in range(4) if seat not in active))
        made.remade(0, "2C", "3C", "5D", "JC")
        made.deck(1, "4C", "JD")
        made.state.unseen = pile("4C", "6C", "7C", "7S", "8H")
        assert clubs_next(made) == pytest.approx(chance)


@pytest.mark.rule("R43")
def test_the_joker_counts_as_a_card_of_every_suit() -> None:
    made = table()
    made.inactive(1, 2, 3)
    made.remade(0, "Joker", "5D")
    made.display(0, "JC")
    assert clubs_next(made) == pytest.approx(1 / 2)


@pytest.mark.rule("R53")
@pytest.mark.parametrize(
    ("deck", "known", "chance"),
    [
        ("2C 3C 4C JC 6C 7C", (), 3 / 6),
        ("2C 3C 4C JC 6C 7C", (1, 2), 1 / 4),
        ("2C 3C 4C JC 6C 7C", (6,), 3 / 5),
        ("2C 3C 4C JC 6C 7C", (4,), 0.0),
        ("2C JC 4C 5C 6C 7C", (2,), 1.0),
        ("2C JC", (), 1.0),
        ("2C JC", (1,), 1.0),
    ],
)
def test_the_chance_of_the_guard_in_a_round_is_that_of_three_cards(
    deck: str, known: tuple[int, ...], chance: float
) -> None:
    for lay in (Table.deck, Table.remade):
        made = table()
        lay(made, 0, *deck.split())
        made.known(0, *known)
        assert guard_in_round(made) == pytest.approx(chance)


@pytest.mark.rule("R53")
def test_a_guard_out_of_the_deck_does_not_come_in_the_round() -> None:
    made = table()
    deck_without(made, 0, "2C", "3C", "4C", "5C")
    assert guard_in_round(made) == 0.0
    made.deck(0)
    assert guard_in_round(made) == 0.0


@pytest.mark.rule("B21")
@pytest.mark.parametrize(
    ("size", "discards", "emp", "risk"),
    [(8, 2, 0, 1 / 4), (8, 3, 0, 3 / 8), (2, 3, 0, 1.0), (8, 2, 1, 0.0), (8, 0, 0, 0.0)],
)
def test_an_alarm_is_feared_by_the_share_of_the_deck_that_it_flips(
    size: int, discards: int, emp: int, risk: float
) -> None:
    made = table(alarm_discards=discards)
    made.deck(0, *[f"{rank}H" for rank in range(2, size + 1)], "JC")
    made.state.emp = emp
    assert expert.alarm_risk(made.rules[0], made.state, 0) == pytest.approx(risk)
    made.discards(0, "JC")
    assert expert.alarm_risk(made.rules[0], made.state, 0) == 0.0


# tools: each in its situation, else kept


@pytest.mark.rule("T8")
def test_the_virus_is_used_as_soon_as_a_round_starts() -> None:
    assert at_start(tool_table("virus")) == [{"tool": "virus"}]


@pytest.mark.rule("T2")
def test_the_crystal_ball_is_used_while_it_finds_two_guards() -> None:
    made = tool_table("crystal_ball")
    for seat in range(4):
        made.deck(seat, "2C", "J" + "CDHS"[seat])
    made.discards(0, "JC")
    assert at_start(made) == [{"tool": "crystal_ball"}]
    made = tool_table("crystal_ball")
    for seat in range(4):
        made.deck(seat, "2C", "J" + "CDHS"[seat])
    made.discards(0, "JC")
    made.known(1, 2)
    assert at_start(made) == []


@pytest.mark.rule("T4")
def test_the_donuts_go_to_the_seat_that_its_guard_would_hurt_most() -> None:
    small = ("2C", "JD", "3C")
    large = ("2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "JS", "10H", "AH")
    made = tool_table("donuts")
    made.deck(1, *small)
    made.deck(3, *large)
    assert at_start(made) == [{"tool": "donuts", "target": 2}]
    made = tool_table("donuts")
    made.deck(1, *small)
    made.deck(3, *large)
    made.state.stealth[3] = 0  # 3 of 11 cards, times 5
    assert at_start(made) == [{"tool": "donuts", "target": 4}]
    made = tool_table("donuts")
    for seat in range(4):
        made.deck(seat, *large[:8], "J" + "CDHS"[seat])
    assert at_start(made) == []


@pytest.mark.rule("T5")
def test_the_makeup_kit_is_used_for_two_seats_or_for_one_without_stealth() -> None:
    made = tool_table("makeup_kit")
    made.cracked(0, 1)
    assert at_start(made) == [{"tool": "makeup_kit"}]
    made = tool_table("makeup_kit")
    made.cracked(0)
    assert at_start(made) == []
    made.state.stealth[0] = 0
    assert at_start(made) == [{"tool": "makeup_kit"}]


@pytest.mark.rule("T5", "R39")
def test_the_makeup_kit_is_used_before_a_round_is_settled_too() -> None:
    made = tool_table("makeup_kit")
    made.cracked(0, 3)
    assert before_end(made) == [{"tool": "makeup_kit"}]


def current_cards(made: Table, *names: str) -> Table:
    for seat, name in enumerate(names):
        made.display(seat, name)
        made.deck(seat, "2" + "DHSC"[seat], "3" + "DHSC"[seat])
    return made


@pytest.mark.rule("T7")
def test_the_dynamite_removes_high_cards_of_no_use_and_spares_wanted_ones() -> None:
    made = current_cards(tool_table("dynamite"), "8D", "9H", "AS", "AC")
    assert used(made, layout.PEEK, layout.TWENTY_ONE) == [{"tool": "dynamite"}]
    made = current_cards(tool_table("dynamite"), "8D", "9H", "10H", "AC")  # 10H is wanted
    assert used(made, layout.PEEK, layout.TWENTY_ONE) == []
    made = current_cards(tool_table("dynamite"), "4D", "4H", "3S", "3C")
    assert used(made, layout.PEEK, layout.TWENTY_ONE) == []


def seat_over(made: Table, *display: str, cards: int = 2) -> Table:
    """Seat 1 (diamonds) shows these cards; its deck holds so many, its Guard among them."""
    made.display(1, *display)
    made.deck(1, "JD", *[f"{rank}C" for rank in range(2, cards + 1)])
    return made


@pytest.mark.rule("T1")
def test_the_crowbar_takes_the_highest_useless_card_of_a_seat_over_its_threshold() -> None:
    made = seat_over(tool_table("crowbar"), "7H", "9H", "10D", "2S")
    assert before_alarm(made) == [{"tool": "crowbar", "target": 2, "card": "9H"}]
    assert made.counted(layout.ALARMS) == 0


@pytest.mark.rule("T1")
@pytest.mark.parametrize(
    ("display", "cards"),
    [
        (["7H", "9H", "4S"], 2),  # no alarm
        (["7H", "9H", "8S"], 9),  # the Guard is unlikely to be flipped
        (["10H", "9H", "10S", "9C"], 2),  # one card less is not enough
    ],
)
def test_the_crowbar_is_kept_where_it_saves_nothing(display: list[str], cards: int) -> None:
    assert before_alarm(seat_over(tool_table("crowbar"), *display, cards=cards)) == []


@pytest.mark.rule("T1")
def test_the_crowbar_keeps_a_seat_near_its_crack_in_the_round() -> None:
    made = seat_over(tool_table("crowbar"), "2D", "3D", "4D", "6D", "8H", cards=9)
    assert before_alarm(made) == [{"tool": "crowbar", "target": 2, "card": "8H"}]


@pytest.mark.rule("T3")
def test_the_stethoscope_is_put_on_a_seat_over_its_threshold() -> None:
    made = seat_over(tool_table("stethoscope"), "10H", "9H", "9S")  # 28 - 7
    assert before_alarm(made) == [{"tool": "stethoscope", "target": 2}]
    assert made.counted(layout.ALARMS) == 0


@pytest.mark.rule("T3")
@pytest.mark.parametrize(
    ("display", "cards"),
    [
        (["7H", "9H", "4S"], 2),
        (["7H", "9H", "8S"], 9),
        (["10H", "9H", "10S"], 2),  # 29 - 7 is still over
    ],
)
def test_the_stethoscope_is_kept_where_it_saves_nothing(display: list[str], cards: int) -> None:
    assert before_alarm(seat_over(tool_table("stethoscope"), *display, cards=cards)) == []


@pytest.mark.rule("T3")
def test_the_stethoscope_goes_to_the_seat_without_stealth_first() -> None:
    made = seat_over(tool_table("stethoscope"), "10H", "9H", "5S")
    made.display(3, "10C", "9C", "5H")
    made.deck(3, "JS", "2H")
    made.state.stealth[1] = 0
    assert before_alarm(made) == [{"tool": "stethoscope", "target": 2}]


@pytest.mark.rule("T6")
def test_the_emp_is_used_when_the_alarms_to_come_would_cost_stealth() -> None:
    made = seat_over(tool_table("emp"), "10H", "9H", "9S")
    assert before_alarm(made) == [{"tool": "emp"}]
    assert made.counted(layout.ALARMS) == 0
    assert before_alarm(seat_over(tool_table("emp"), "10H", "9H", "9S", cards=9)) == []
    made = seat_over(tool_table("emp"), "10H", "9H", "9S", cards=9)
    made.state.stealth[1] = 0  # 2 of 9 cards, times 5
    assert before_alarm(made) == [{"tool": "emp"}]


@pytest.mark.rule("T6", "C6")
def test_the_emp_is_kept_where_the_raven_escapes_anyway() -> None:
    made = Table(ExpertPolicy(**TOOL_KNOBS), characters=["hawk", "raven", "hammer", "acrobat"])
    made.hand(2, "emp")
    assert before_alarm(seat_over(made, "10H", "9H", "9S")) == []


@pytest.mark.rule("T9")
def test_the_smoke_bomb_is_used_for_the_guards_in_displays_by_what_they_cost() -> None:
    for needed, stealth, tools in ((2, 1, ["smoke_bomb"]), (3, 1, []), (6, 0, ["smoke_bomb"])):
        made = tool_table("smoke_bomb", smoke_bomb_from=needed)
        made.display(0, "JC")
        made.display(3, "JS")
        made.state.stealth[3] = stealth
        assert [line["tool"] for line in before_end(made)] == tools


@pytest.mark.rule("R30", "R31")
@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool != "crystal_ball"])
def test_no_tool_is_used_where_nothing_asks_for_it(tool: str) -> None:
    """A quiet round: nobody is over, no Guard is near, no safe is open."""
    made = tool_table(tool)
    quiet = ("2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H")
    for seat in range(4):
        made.deck(seat, *quiet, "J" + "CDHS"[seat])
    told = used(made, layout.ROUND_START, layout.BAIL)
    assert told == ([{"tool": "virus"}] if tool == "virus" else [])


# characters


@pytest.mark.rule("C1")
@pytest.mark.parametrize(
    ("top", "second", "discarded"),
    [
        ("2D", "JC", "JC"),
        ("JC", "2D", "JC"),
        ("9D", "JC", "JC"),
        ("JC", "9D", "JC"),
        ("8D", "10D", "10D"),
        ("10D", "8D", "10D"),
        ("2D", "9D", "9D"),
        ("9D", "2D", "9D"),
        ("2D", "3D", None),
        ("9C", "10C", None),
    ],
)
def test_the_hawk_discards_the_guard_or_else_the_worse_of_two_cards(
    top: str, second: str, discarded: str | None
) -> None:
    made = table({"peek_keep": 7}, characters=["hawk", "acrobat", "raven", "hammer"])
    made.inactive(1, 2, 3)
    made.deck(0, top, second, "AH")
    made.display(0, "10H")
    made.play(layout.PEEK, layout.TWENTY_ONE)
    assert made.told_of("hawk") == [
        {
            "seat": 1,
            "cards": [top, second],
            **({} if discarded is None else {"discarded": discarded}),
        }
    ]


@pytest.mark.rule("B18")
@pytest.mark.parametrize(
    ("card", "cracked", "discarded"),
    [
        ("JC", False, True),
        ("8D", False, True),
        ("7D", False, False),
        ("10C", False, False),
        ("10C", True, True),
    ],
)
def test_a_peeked_card_is_discarded_if_it_is_the_guard_or_high_and_not_wanted(
    card: str, cracked: bool, discarded: bool
) -> None:
    made = table({"peek_keep": 7})
    made.inactive(1, 2, 3)
    made.deck(0, card, "AH")
    made.display(0, "10H")
    if cracked:
        made.cracked(0)
    made.play(layout.PEEK, layout.TWENTY_ONE)
    assert made.told_of("peek") == [
        {"seat": 1, "card": card, "discarded": discarded, "cause": "total"}
    ]


def rook_looks_at(stealth_of_2: int = 2, known: bool = False) -> list[int]:
    made = table(TOOL_KNOBS, characters=["rook", "acrobat", "raven", "hammer"])
    made.inactive(1, 2, 3)
    made.display(0, "10H")
    made.deck(0, "2C", "JC")
    made.deck(1, "2H", "3H", "JD")
    made.deck(2, "4H", "5H", "6H", "JH")
    deck_without(made, 3, "7H", "8H")
    made.state.stealth[2] = stealth_of_2
    if known:
        made.known(1, 1)
    made.play(layout.PEEK, layout.TWENTY_ONE)
    return [line["target"] for line in made.told_of("rook")]


@pytest.mark.rule("C7")
def test_the_rook_looks_where_the_guard_is_likeliest_and_would_hurt_most() -> None:
    assert rook_looks_at() == [2]  # 1 of 3 cards
    assert rook_looks_at(known=True) == [3]
    assert rook_looks_at(stealth_of_2=0) == [3]  # 1 of 4 cards, times 5


@pytest.mark.rule("C9", "R29")
@pytest.mark.parametrize(
    ("card", "cracked", "saved"),
    [
        ("4C", False, True),
        ("8C", False, True),
        ("9C", False, False),
        ("4D", False, False),
        ("4C", True, False),
        ("Joker", False, True),
    ],
)
def test_the_peterman_saves_a_card_of_its_suit_that_is_not_too_high(
    card: str, cracked: bool, saved: bool
) -> None:
    made = table({"top_value": 8}, characters=["peterman", "acrobat", "raven", "hammer"])
    made.deck(0, "2H")
    made.display(0, "3H", card)
    if cracked:
        made.cracked(0)
    made.play(layout.ROUND_END, layout.ROUND_START)
    assert made.left(0) == ([card] if saved else []) + ["2H"]


@pytest.mark.rule("C9", "R29")
@pytest.mark.parametrize(("before", "stealth", "saved"), [(True, 0, True), (True, 1, False)])
def test_the_peterman_saves_its_guard_only_from_the_loss_of_a_stealth_it_has_not(
    before: bool, stealth: int, saved: bool
) -> None:
    made = table(
        characters=["peterman", "acrobat", "raven", "hammer"], peterman_before_guard=before
    )
    made.display(0, "3H", "JC")
    made.state.stealth[0] = stealth
    made.play(layout.ROUND_END, layout.ROUND_START)
    assert made.left(0) == (["JC"] if saved else [])


@pytest.mark.rule("C3")
@pytest.mark.parametrize("order", [("emp", "virus"), ("virus", "emp")])
def test_the_hammer_keeps_the_tool_that_is_worth_more(order: tuple[str, str]) -> None:
    for worths, kept in (({"worth_emp": 1, "worth_virus": 2}, "virus"), ({"worth_emp": 3}, "emp")):
        made = table(
            {**ZERO, "worth_virus": 2, **worths},
            characters=["hammer", "acrobat", "raven", "hawk"],
        )
        made.tool_deck(*order)
        made.display(0, "2C", "3C", "4C", "6C", "7C")
        made.inactive(1, 2, 3)
        made.play(layout.CRACK, layout.ALARM)
        assert made.held_tools(0) == {kept}


@pytest.mark.rule("C3")
def test_the_hammer_keeps_the_first_of_two_tools_that_are_worth_the_same() -> None:
    made = table(ZERO, characters=["hammer", "acrobat", "raven", "hawk"])
    made.tool_deck("emp", "virus")
    made.display(0, "2C", "3C", "4C", "6C", "7C")
    made.play(layout.CRACK, layout.ALARM)
    assert made.held_tools(0) == {"emp"}


# trades, twenty-ones, alarms, bails


@pytest.mark.rule("B14", "B20")
def test_a_trade_that_cracks_a_safe_is_made() -> None:
    made = table()
    made.inactive(2, 3)
    made.display(0, "2C", "3C", "4C", "6C", "5D")
    made.display(1, "9C")
    made.deck(0, "2H", "JC", "3H")
    made.deck(1, "2S", "JD", "3S")
    made.play(layout.TRADE, layout.PEEK)
    assert made.current(0) == "9C"
    assert made.current(1) == "5D"


@pytest.mark.rule("B14")
def test_a_trade_takes_a_seat_back_below_its_threshold() -> None:
    made = table({**ZERO, "trade_alarm": -10})
    made.inactive(2, 3)
    made.display(0, "9H", "8H", "7S")
    made.display(1, "9S", "2S")
    made.play(layout.TRADE, layout.PEEK)
    assert made.current(0) == "2S"


@pytest.mark.rule("B14", "C8")
@pytest.mark.parametrize(("worth_of_suit", "given"), [(1.0, ["3D"]), (-1.0, [])])
def test_the_hacker_gives_the_card_before_where_that_is_worth_more(
    worth_of_suit: float, given: list[str]
) -> None:
    made = table(
        {**ZERO, "trade_suit": worth_of_suit},
        characters=["hacker", "acrobat", "raven", "hammer"],
    )
    made.inactive(2, 3)
    made.display(0, "3D", "5S")
    made.display(1, "7C")
    made.play(layout.TRADE, layout.PEEK)
    moves = [move for line in made.told_of("trade") for move in line["moves"]]
    assert [move["card"] for move in moves if move["from"] == 1] == given


@pytest.mark.rule("B19")
@pytest.mark.parametrize(
    ("near", "shown", "stealth", "choice"),
    [
        (False, False, 1, "peek"),
        (True, False, 1, "stay"),
        (False, True, 1, "guard"),
        (True, True, 1, "stay"),
        (True, True, 0, "guard"),
    ],
)
def test_a_twenty_one_saves_who_cannot_afford_its_guard_and_waits_for_a_near_crack(
    near: bool, shown: bool, stealth: int, choice: str
) -> None:
    made = table({"stay_near": 1})
    made.inactive(1, 2, 3)
    made.display(0, *(("2C", "3C", "6C", "10C") if near else ("2H", "3H", "6H", "10H")))
    if shown:
        made.display(3, "JS")
        made.state.stealth[3] = stealth
    made.play(layout.TWENTY_ONE, layout.CRACK)
    assert [line["choice"] for line in made.told_of("twenty_one")] == [choice]


@pytest.mark.rule("B19", "B12")
def test_of_several_guards_that_of_the_seat_with_the_least_stealth_goes() -> None:
    made = table({"stay_near": 0})
    made.inactive(1, 2, 3)
    made.display(0, "2H", "9H", "10H")
    for seat, stealth in ((1, 2), (2, 1), (3, 1)):
        made.display(seat, "J" + "CDHS"[seat])
        made.state.stealth[seat] = stealth
    made.play(layout.TWENTY_ONE, layout.CRACK)
    assert [line["owner"] for line in made.told_of("twenty_one")] == [3]


@pytest.mark.rule("B21")
@pytest.mark.parametrize(
    ("flipped", "cracked", "gone"),
    [
        (("9H", "4H"), (), "9H"),
        (("9C", "4H"), (), "4H"),  # its own suit counts three times
        (("9D", "4H"), (2,), "4H"),
        (("9D", "4H"), (1,), "9D"),
        (("JC", "AH"), (), "AH"),
    ],
)
def test_an_alarm_removes_the_flipped_card_that_is_worth_least(
    flipped: tuple[str, str], cracked: tuple[int, ...], gone: str
) -> None:
    made = table({**ZERO, "remove_high": 1, "remove_wanted": 10}, stealth=2)
    made.inactive(1, 2, 3)
    made.cracked(*cracked)
    made.display(0, "10H", "9S", "8S")
    made.deck(0, *flipped)
    made.play(layout.ALARM, layout.BAIL)
    assert [line["card"] for line in made.told_of("remove")] == [gone]


@pytest.mark.rule("B22")
@pytest.mark.parametrize("cracked", [False, True])
@pytest.mark.parametrize(("pull", "bails"), [(-1, True), (0, False), (1, False)])
def test_a_seat_bails_where_going_on_is_worth_less_than_nothing(
    cracked: bool, pull: float, bails: bool
) -> None:
    made = table({**ZERO, "cracked_go" if cracked else "go": pull})
    made.inactive(1, 2, 3)
    made.display(0, "10H", "9S")
    made.deck(0, "2C", "JC")
    if cracked:
        made.cracked(0)
    made.play(layout.BAIL, layout.ROUND_END if bails else layout.DRAW)
    assert len(made.told_of("bail")) == bails


@pytest.mark.rule("B22")
@pytest.mark.parametrize(("worth_of_others", "leaving"), [(0.5, []), (0.4, [1, 2, 3])])
def test_who_decides_later_sees_who_has_left(worth_of_others: float, leaving: list[int]) -> None:
    made = table({**ZERO, "go": -1, "go_others": worth_of_others})
    made.inactive(3)
    for seat in range(3):
        made.display(seat, "10S")
        made.deck(seat, "2C", "J" + "CDHS"[seat])
    made.play(layout.BAIL, layout.ROUND_END if leaving else layout.DRAW)
    assert [line["seat"] for line in made.told_of("bail")] == leaving


@pytest.mark.rule("B22")
def test_who_stays_is_counted_by_those_who_decide_later() -> None:
    made = table({**ZERO, "go": -1, "go_others": 0.3, "go_shown": 0.5})
    made.inactive(3)
    made.display(0, "JC")  # 0.5 and two others
    for seat in (1, 2):
        made.display(seat, "10S")  # two others, then one
    made.play(layout.BAIL, layout.DRAW)
    assert [line["seat"] for line in made.told_of("bail")] == [2, 3]
