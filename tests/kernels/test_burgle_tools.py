"""The tool deck and the nine tools (B5, B6, T1-T9)."""

import pytest

from balance.games.burgle import TOOLS, BurgleRules, RandomPolicy
from kernels.burgle import layout
from kernels.burgle.table import known_top
from tests.burgle_tables import GO_ON, LEAVE, Table, card, first_random, only

STANDARD_ERRORS = 4
AT_START, AFTER_DRAW, AFTER_TRADE, BEFORE_ALARM, BEFORE_END = range(5)
WINDOWS = range(5)
CRACKS = ("2C", "3C", "4C", "6C", "7C")


@pytest.mark.rule("R31")
@pytest.mark.parametrize("tool", TOOLS)
def test_a_used_tool_leaves_the_game_and_is_counted(tool: str) -> None:
    table = Table()
    table.cracked(0)
    table.display(0, "9H")
    for seat in (1, 2):
        table.display(seat, "J" + "CDHS"[seat])
    for seat in (0, 3):
        table.deck(seat, "2S", "JS")
    table.use(0, tool, "9H" if tool == "crowbar" else 1 if tool in ("stethoscope", "donuts") else 0)
    assert table.held_tools(0) == set()
    assert table.state.tools_held == 0
    assert table.left_tools() == []
    assert table.counted(layout.TOOLS_USED) == 1
    assert table.state.used.tolist() == [int(name == tool) for name in TOOLS]
    (line,) = table.told_of("use")
    assert (line["seat"], line["tool"]) == (1, tool)


@pytest.mark.rule("T1", "R34")
def test_the_crowbar_removes_a_card_of_any_display_from_the_game() -> None:
    table = Table()
    table.display(2, "9H", "AS", "4D")
    table.use(0, "crowbar", "AS")
    assert table.shown(2) == {"9H", "4D"}
    assert (int(table.state.hard[2]), int(table.state.aces[2])) == (13, 0)
    assert table.state.held[2] == 1
    assert table.current(2) == "4D"
    assert [table.discarded(seat) for seat in range(4)] == [set()] * 4
    assert table.counted(layout.REMOVED) == 1
    assert table.told_of("use") == [{"seat": 1, "tool": "crowbar", "target": 3, "card": "AS"}]


@pytest.mark.rule("T1")
def test_the_crowbar_takes_no_guard_and_no_card_that_lies_in_no_display() -> None:
    table = Table()
    table.display(1, "9H", "JD")
    table.deck(1, "8H")
    table.discards(1, "7H")
    for window in WINDOWS:
        legal = [
            name
            for name in ("9H", "JD", "8H", "7H", "6H", "JC")
            if table.may(window, 0, "crowbar", name)
        ]
        assert legal == ["9H"]


@pytest.mark.rule("R34")
def test_the_crowbar_takes_the_joker_and_inactive_seats_cards_too() -> None:
    table = only(0)
    table.display(1, "Joker")
    assert table.may(AFTER_DRAW, 0, "crowbar", "Joker")
    table.use(0, "crowbar", "Joker")
    assert table.shown(1) == set()


@pytest.mark.rule("T1", "R2")
def test_a_current_card_that_the_crowbar_takes_is_not_replaced() -> None:
    table = Table()
    table.display(0, "9H", "4D")
    table.use(0, "crowbar", "4D")
    assert table.current(0) is None


@pytest.mark.rule("T2", "R35")
def test_the_crystal_ball_opens_the_guards_places_in_the_other_decks() -> None:
    table = Table()
    table.deck(0, "JC", "2C")
    table.deck(1, "2D", "JD", "3D")
    table.deck(2, "2H", "3H", "JH")
    table.display(3, "JS")
    table.deck(3, "2S", "3S")
    table.use(0, "crystal_ball")
    assert table.told_of("use") == [
        {
            "seat": 1,
            "tool": "crystal_ball",
            "places": [{"seat": 2, "place": 2}, {"seat": 3, "place": 3}],
        }
    ]
    assert [table.places(seat) for seat in range(4)] == [set(), {2}, {3}, set()]


@pytest.mark.rule("T2")
def test_what_the_crystal_ball_told_holds_until_the_deck_is_shuffled() -> None:
    table = only(1, policy=GO_ON)
    table.deck(1, "2D", "JD")
    table.use(0, "crystal_ball")
    table.play(layout.DRAW, layout.DRAW)
    assert known_top(table.state, 1) == card("JD")
    table.play(layout.DRAW, layout.TRADE)
    assert table.places(1) == set()
    table = only(1)
    table.deck(1)
    table.discards(1, "2D", "JD", "3D")
    table.state.known[1] = 0b111
    table.play(layout.DRAW, layout.TRADE)
    assert table.places(1) == set()


@pytest.mark.rule("R31", "T2")
def test_the_crystal_ball_needs_a_guard_whose_place_is_not_known() -> None:
    table = Table()
    for seat in range(4):
        table.deck(seat, "2" + "CDHS"[seat], "J" + "CDHS"[seat])
    assert table.may(AT_START, 0, "crystal_ball")
    for seat in (1, 2):
        table.known(seat, 2)
    table.discards(3, "JS")
    table.deck(3, "2S")
    assert not table.may(AT_START, 0, "crystal_ball")
    table.known(1, 1)
    assert table.may(AT_START, 0, "crystal_ball")


@pytest.mark.rule("R36")
def test_a_known_place_shifts_with_cards_that_leave_the_deck_or_are_put_on_top() -> None:
    table = only(1, policy=GO_ON)
    table.deck(1, "2D", "3D", "4D", "JD", "5D")
    table.known(1, 4)
    table.play(layout.DRAW, layout.TRADE)
    assert table.places(1) == {3}
    table.state.active[1] = 1
    table.display(1, "10H", "9H", "8H")
    table.play(layout.ALARM, layout.BAIL)
    assert table.places(1) == {1}
    assert known_top(table.state, 1) == card("JD")


@pytest.mark.rule("R36", "C1")
def test_the_known_place_of_a_card_below_shifts_when_the_hawk_takes_the_second() -> None:
    def lay(table: Table) -> None:
        table.inactive(1, 2, 3)
        table.display(0, "10H")
        table.deck(0, "2D", "3D", "4D", "JC", "5D")
        table.known(0, 4)

    rules = {"characters": ["hawk", "rook", "juicer", "raven"]}
    stop = layout.TWENTY_ONE
    table = first_random(lay, layout.PEEK, stop, "hawk", rules, discarded="3D")
    assert table.left(0) == ["2D", "4D", "JC", "5D"]
    assert table.places(0) == {1, 3}


@pytest.mark.rule("T3")
@pytest.mark.parametrize(("display", "total"), [(("10H", "9H", "8H"), 20), (("AH", "3S"), -3)])
def test_the_stethoscope_takes_7_off_the_seats_totals(display: tuple[str, ...], total: int) -> None:
    table = Table()
    table.display(1, *display)
    table.use(0, "stethoscope", 1)
    assert table.state.hard[1] == total
    assert table.told_of("use") == [{"seat": 1, "tool": "stethoscope", "target": 2}]


@pytest.mark.rule("T3")
def test_the_stethoscope_lasts_for_the_round_and_no_longer() -> None:
    table = only(1, policy=GO_ON)
    table.deck(1, "9H", "8H")
    table.use(0, "stethoscope", 1)
    assert table.state.hard[1] == -7
    table.play(layout.DRAW, layout.DRAW)
    table.play(layout.DRAW, layout.DRAW)
    assert table.state.hard[1] == 10
    table.play(layout.ROUND_END, layout.ROUND_START)
    assert table.state.hard[1] == 0


@pytest.mark.rule("T3", "R37")
@pytest.mark.parametrize("display", [("10H", "2H"), ("AH", "AS", "10D"), ("10H", "7H")])
def test_the_stethoscope_gives_and_takes_peeks_as_all_readings_move(display: tuple[str]) -> None:
    for used in (False, True):
        table = only(0)
        table.display(0, *display)
        table.deck(0, "2S")
        if used:
            table.use(1, "stethoscope", 0)
        table.play(layout.PEEK, layout.TWENTY_ONE)
        totals = {("10H", "2H"): (0, 1), ("AH", "AS", "10D"): (0, 1), ("10H", "7H"): (0, 1)}
        assert table.counted(layout.PEEKS) == totals[display][used]


@pytest.mark.rule("R37")
def test_the_stethoscope_counts_for_peek_21_alarm_and_bail_alike() -> None:
    table = only(0)
    table.display(0, "10H", "10S", "8D")  # 21
    table.use(1, "stethoscope", 0)
    table.play(layout.TWENTY_ONE, layout.CRACK)
    assert table.counted(layout.TWENTY_ONES) == 1
    for last, alarms in (("8D", 0), ("9D", 1)):  # 21, 22
        table = only(0)
        table.display(0, "10H", "10S", last)
        table.deck(0, "2H", "3H")
        table.use(1, "stethoscope", 0)
        table.play(layout.ALARM, layout.BAIL)
        assert table.counted(layout.ALARMS) == alarms
    for last, alarms in (("3D", 1), ("4D", 0)):  # 16, 17
        table = only(0, policy=LEAVE)
        table.cracked(0)
        table.display(0, "10H", "10S", last)
        table.deck(0, "2H", "3H")
        table.use(1, "stethoscope", 0)
        table.play(layout.BAIL, layout.ROUND_END)
        assert table.counted(layout.TARGETED_ALARMS) == alarms


@pytest.mark.rule("R37")
def test_the_stethoscope_needs_an_active_seat() -> None:
    table = only(0, 2)
    for window in WINDOWS:
        legal = [seat for seat in range(4) if table.may(window, 1, "stethoscope", seat)]
        assert legal == [0, 2]


@pytest.mark.rule("T4", "R55")
def test_a_seat_with_donuts_discards_its_guard_and_draws_again() -> None:
    table = only(0, policy=GO_ON)
    table.use(1, "donuts", 0)
    table.deck(0, "2H", "JC", "3H")
    table.play(layout.DRAW, layout.DRAW)
    table.play(layout.DRAW, layout.TRADE)
    assert table.told_of("replace") == [{"seat": 1, "card": "JC", "cause": "donuts"}]
    assert table.shown(0) == {"2H", "3H"}
    assert table.discarded(0) == {"JC"}
    assert table.counted(layout.DRAWS) == 3
    assert table.told_of("use") == [{"seat": 2, "tool": "donuts", "target": 1}]


@pytest.mark.rule("T4")
def test_donuts_help_the_chosen_seat_only_and_end_with_the_round() -> None:
    table = only(0, 1, policy=LEAVE, trading=False)
    table.use(3, "donuts", 1)
    table.deck(0, "JC", "2H")
    table.deck(1, "2D")
    table.play(layout.DRAW, layout.ROUND_START)
    assert table.told_of("replace") == []
    assert table.state.stealth[0] == 1
    table.deck(1, "JD", "3D")
    table.play(layout.ROUND_START, layout.TRADE)
    assert table.told_of("replace") == []


@pytest.mark.rule("R38")
def test_donuts_are_compulsory_and_hold_for_every_guard_drawn_that_round() -> None:
    table = only(0, policy=GO_ON)
    table.use(1, "donuts", 0)
    for cards in (("JC", "2H"), ("JC", "3H")):
        table.deck(0, *cards)
        table.discards(0)
        table.play(layout.DRAW, layout.DRAW)
    assert len(table.told_of("replace")) == 2


@pytest.mark.rule("R38", "R55")
def test_donuts_hold_for_the_redraw_of_the_dynamite_which_is_not_counted() -> None:
    table = only(0)
    table.use(1, "donuts", 0)
    table.display(0, "9H")
    table.deck(0, "JC", "2H")
    table.use(1, "dynamite")
    assert len(table.told_of("replace")) == 1
    assert table.shown(0) == {"2H"}
    assert table.counted(layout.DRAWS) == 0


@pytest.mark.rule("R38")
def test_donuts_do_not_help_against_alarms_and_peeks() -> None:
    table = only(0, 1)
    table.use(1, "donuts", 0)
    table.display(0, "10H", "9H", "8H")
    table.deck(0, "JC", "3H")
    table.play(layout.ALARM, layout.BAIL)
    assert table.told_of("replace") == []
    assert table.state.stealth[0] == 1


@pytest.mark.rule("T5", "B5")
@pytest.mark.parametrize(
    ("cap", "left"), [(None, [3, 2, 1, 10]), (9, [3, 2, 1, 9]), (2, [2, 2, 1, 9])]
)
def test_the_makeup_kit_gives_1_stealth_to_every_cracked_seat_up_to_the_cap(
    cap: int | None, left: list[int]
) -> None:
    table = Table(stealth_cap=cap)
    table.cracked(0, 2, 3)
    table.state.stealth[:] = [2, 2, 0, 9]
    table.use(1, "makeup_kit")
    assert table.state.stealth.tolist() == left
    gained = [seat + 1 for seat in range(4) if left[seat] > [2, 2, 0, 9][seat]]
    assert table.told_of("use") == [{"seat": 2, "tool": "makeup_kit", "gained": gained}]


@pytest.mark.rule("B5", "R31")
def test_at_the_cap_the_makeup_kit_has_no_effect_and_may_not_be_used() -> None:
    table = Table(stealth_cap=2)
    assert not table.may(AT_START, 0, "makeup_kit")
    table.cracked(1)
    assert not table.may(AT_START, 0, "makeup_kit")
    table.state.stealth[1] = 1
    assert table.may(AT_START, 0, "makeup_kit")
    table = Table()
    table.cracked(1)
    assert table.may(AT_START, 0, "makeup_kit")


@pytest.mark.rule("B5")
def test_no_cap_is_printed_and_a_start_over_the_cap_is_refused() -> None:
    assert BurgleRules().stealth_cap is None
    assert BurgleRules(stealth=3, stealth_cap=3).stealth_cap == 3
    with pytest.raises(ValueError, match="stealth_cap"):
        BurgleRules(stealth=3, stealth_cap=2)


@pytest.mark.rule("R39")
def test_a_makeup_kit_in_hand_does_not_stop_a_loss_of_stealth() -> None:
    for rollout in range(20):
        table = only(policy=RandomPolicy())
        table.key = table.key + rollout
        table.cracked(0)
        table.hand(0, "makeup_kit")
        table.state.stealth[0] = 0
        table.display(0, "JC")
        table.play(layout.ROUND_END, layout.ROUND_START)
        used = bool(table.told_of("use"))
        assert table.counted(layout.LOST_TO) == (layout.NOT_LOST if used else layout.BY_DISPLAY)
        if used:  # before the loss, in the last window
            assert [line["event"] for line in table.told()] == ["use", "round_end", "stealth"]


@pytest.mark.rule("T6", "R57")
def test_under_the_emp_no_alarm_is_triggered_and_the_seat_still_leaves() -> None:
    table = only(0)
    table.display(0, "10H", "9H", "8H")
    table.deck(0, "JC", "2H")
    table.use(1, "emp")
    table.play(layout.ALARM, layout.BAIL)
    assert table.told_of("quiet") == [{"seat": 1, "cause": "total"}]
    assert table.state.active[0] == 0
    assert table.counted(layout.ALARMS) == table.state.seat_alarms[0] == 0
    assert table.left(0) == ["JC", "2H"]


@pytest.mark.rule("T6", "R57")
def test_under_the_emp_no_targeted_alarm_is_triggered_either() -> None:
    table = only(0, policy=LEAVE)
    table.cracked(0)
    table.display(0, "10H")
    table.deck(0, "JC", "2H")
    table.use(1, "emp")
    table.play(layout.BAIL, layout.ROUND_END)
    assert table.told_of("bail") == [{"seat": 1}]
    assert table.told_of("quiet") == [{"seat": 1, "cause": "targeted"}]
    assert table.counted(layout.ALARMS) == table.counted(layout.TARGETED_ALARMS) == 0


@pytest.mark.rule("T6", "C6", "R57")
def test_under_the_emp_an_even_raven_counts_as_silenced() -> None:
    table = only(0, characters=["raven", "hawk", "rook", "juicer"])
    table.display(0, "10H", "9H", "3H")
    table.use(1, "emp")
    table.play(layout.ALARM, layout.BAIL)
    assert table.told_of("quiet") == [{"seat": 1, "cause": "total"}]
    assert table.ability("raven") == 0


@pytest.mark.rule("R40")
def test_the_emp_ends_with_the_round() -> None:
    table = only(0, policy=LEAVE)
    table.display(0, "2H")
    table.use(1, "emp")
    table.play(layout.BAIL, layout.ROUND_START)
    table.play(layout.ROUND_START, layout.DRAW)
    table.inactive(1, 2, 3)
    table.display(0, "10H", "9H", "8H")
    table.deck(0, "3H", "2H")
    table.play(layout.ALARM, layout.BAIL)
    assert table.counted(layout.ALARMS) == 1


@pytest.mark.rule("R40")
def test_an_alarm_before_the_emp_stands() -> None:
    table = only(0, 1, policy=GO_ON)
    table.display(0, "10H", "9H", "8H")
    table.deck(0, "3H", "2H")
    table.play(layout.ALARM, layout.DRAW)
    table.use(1, "emp")
    table.display(1, "10D", "9D", "8S")
    table.play(layout.ALARM, layout.BAIL)
    assert table.counted(layout.ALARMS) == 1
    assert table.told_of("quiet") == [{"seat": 2, "cause": "total"}]


@pytest.mark.rule("R31", "T6")
def test_with_nobody_in_the_round_the_emp_has_no_effect() -> None:
    assert only(2).may(BEFORE_ALARM, 0, "emp")
    assert not only().may(BEFORE_END, 0, "emp")


@pytest.mark.rule("T7")
def test_the_dynamite_removes_all_current_cards_but_guards_and_those_seats_draw_again() -> None:
    table = Table()
    table.display(0, "9H", "8H")
    table.display(1, "7S", "JD")
    table.display(2, "6D")
    for seat in range(4):
        table.deck(seat, "2" + "CDHS"[seat], "3" + "CDHS"[seat])
    table.use(3, "dynamite")
    assert [table.shown(seat) for seat in range(4)] == [{"9H", "2C"}, {"7S", "JD"}, {"2H"}, set()]
    assert table.current(0) == "2C"
    assert table.counted(layout.REMOVED) == 2
    assert table.discarded(0) == table.discarded(2) == set()
    told = [(line["event"], line["seat"]) for line in table.told()]
    assert told == [
        ("use", 4),
        ("dynamite", 1),
        ("dynamite", 3),
        ("draw", 1),
        ("draw", 3),
    ]
    assert table.counted(layout.DRAWS) == 0


@pytest.mark.rule("R41")
@pytest.mark.parametrize("hits_inactive", [False, True])
def test_the_dynamite_spares_inactive_seats_unless_switched(hits_inactive: bool) -> None:
    table = only(0, dynamite_inactive=hits_inactive)
    table.display(0, "9H")
    table.display(1, "8H")
    for seat in (0, 1):
        table.deck(seat, "2" + "CDHS"[seat])
    table.use(0, "dynamite")
    assert table.shown(0) == {"2C"}
    assert table.shown(1) == ({"2D"} if hits_inactive else {"8H"})
    assert table.state.active[1] == 0


@pytest.mark.rule("R41", "R31")
def test_seats_without_a_current_card_or_with_their_guard_do_not_draw_again() -> None:
    table = only(0, 1)
    table.display(0, "9H", "JC")
    table.display(1, "8H")
    table.state.current[1] = layout.NO_CARD
    assert not table.may(AFTER_DRAW, 0, "dynamite")
    table.display(1, "8H")
    assert table.may(AFTER_DRAW, 0, "dynamite")
    table.deck(0, "2C")
    table.deck(1, "2D")
    table.use(0, "dynamite")
    assert table.left(0) == ["2C"]
    assert table.left(1) == []


@pytest.mark.rule("R42")
def test_the_dynamite_is_for_the_windows_after_the_draws_and_after_the_trades() -> None:
    table = only(0)
    table.display(0, "9H")
    assert [w for w in WINDOWS if table.may(w, 0, "dynamite")] == [AFTER_DRAW, AFTER_TRADE]


@pytest.mark.rule("R42")
def test_a_card_redrawn_after_the_draws_can_be_traded() -> None:
    for rollout in range(200):
        table = only(0, 1, policy=RandomPolicy())
        table.key = table.key + rollout
        table.hand(3, "dynamite")
        for seat in (0, 1):
            table.display(seat, "9" + "CDHS"[seat])
            table.deck(seat, "2" + "CDHS"[seat])
        table.play(layout.TRADE, layout.PEEK)
        if table.told_of("use") and table.told_of("trade"):
            assert (table.current(0), table.current(1)) == ("2D", "2C")
            return
    raise AssertionError("no redrawn card was traded")


@pytest.mark.rule("R42", "R3")
def test_a_seat_whose_redraw_finds_no_card_has_drawn_nothing_and_bails() -> None:
    table = only(0, policy=GO_ON)
    table.display(0, "8H", "9H")
    table.use(1, "dynamite")
    assert table.told_of("no_card") == [{"seat": 1}]
    assert table.current(0) is None
    table.play(layout.PEEK, layout.DRAW)
    assert table.told_of("bail") == [{"seat": 1}]


@pytest.mark.rule("T8", "R43")
def test_the_virus_puts_the_joker_into_the_owners_discards() -> None:
    table = Table()
    table.use(2, "virus")
    assert [table.discarded(seat) for seat in range(4)] == [set(), set(), {"Joker"}, set()]
    assert table.told_of("use") == [{"seat": 3, "tool": "virus"}]
    for window in WINDOWS:
        assert table.may(window, 2, "virus")


@pytest.mark.rule("T8")
@pytest.mark.parametrize("seat", range(4))
def test_the_joker_is_of_the_suit_of_whoever_holds_it(seat: int) -> None:
    table = only(seat)
    suit = "CDHS"[seat]
    table.display(seat, *(f"{rank}{suit}" for rank in (2, 3, 4, 6)), "Joker")
    assert table.state.hard[seat] == 15
    table.play(layout.CRACK, layout.ALARM)
    (crack,) = table.told_of("crack")
    assert set(crack["cards"]) == {f"{rank}{suit}" for rank in (2, 3, 4, 6)} | {"Joker"}


@pytest.mark.rule("T9")
def test_the_smoke_bomb_discards_all_guards_in_displays_to_their_owners() -> None:
    table = only(0)
    table.display(0, "9H", "JC")
    table.display(2, "JH", "8S")
    table.display(3, "7S")
    table.use(3, "smoke_bomb")
    assert [table.shown(seat) for seat in range(4)] == [{"9H"}, set(), {"8S"}, {"7S"}]
    assert (table.discarded(0), table.discarded(2)) == ({"JC"}, {"JH"})
    assert (table.current(0), table.current(2)) == (None, "8S")
    assert table.state.hard.tolist() == [9, 0, 8, 7]
    assert table.told_of("use") == [{"seat": 4, "tool": "smoke_bomb", "guards": [1, 3]}]


@pytest.mark.rule("T9")
def test_the_smoke_bomb_needs_two_guards_in_displays() -> None:
    table = Table()
    for seat, legal in ((0, False), (3, True), (2, True)):
        table.display(seat, "J" + "CDHS"[seat])
        assert table.may(AFTER_DRAW, 1, "smoke_bomb") == legal
