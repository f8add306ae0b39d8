"""What `expert` counts on scripted tables: the cards to come, the Guard among them."""

import pytest

from kernels.burgle import outlook
from tests.burgle_tables import Table, deck_without, expert_table, pile

CLUBS = 0


def guard_next(made: Table, seat: int = 0) -> float:
    return float(outlook.next_guard_chance(made.state, seat))


def possible_next(made: Table, seat: int = 0) -> int:
    """The cards other than its Guard that the seat's next card can be (pile)."""
    outlook.look_ahead(made.rules[0], made.state, made.rooms[0])
    assert made.rooms[0].next_guard[seat] == pytest.approx(guard_next(made, seat))
    return int(made.rooms[0].next_cards[seat])


def guard_in_round(made: Table, seat: int = 0) -> float:
    return float(outlook.round_guard_chance(made.state, seat))


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
    made = expert_table()
    made.deck(0, "2C", "3C", "JC", "5D")
    made.known(0, *known)
    assert guard_next(made) == pytest.approx(chance)


@pytest.mark.rule("R52", "R53")
def test_a_guard_known_to_be_on_top_is_certain() -> None:
    made = expert_table()
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
    made = expert_table()
    made.remade(0, "2C", "3C", "JC", "5D")
    made.known(0, *known)
    assert guard_next(made) == pytest.approx(chance)


@pytest.mark.rule("R53")
def test_a_guard_that_has_left_the_deck_does_not_come_next() -> None:
    made = expert_table()
    made.deck(0, "2C", "3C")
    made.display(0, "JC")
    assert guard_next(made) == 0.0
    made = expert_table()
    deck_without(made, 0, "2C", "3C")
    assert guard_next(made) == 0.0


@pytest.mark.rule("B11")
def test_an_empty_deck_is_counted_as_the_discards_that_will_be_shuffled() -> None:
    made = expert_table()
    made.discards(0, "JC", "2C", "3H")
    assert guard_next(made) == pytest.approx(1 / 3)
    assert possible_next(made) == pile("2C", "3H")
    made.display(0, "JC")
    made.discards(0, "2C", "3H")
    assert guard_next(made) == 0.0
    assert possible_next(made) == pile("2C", "3H")


@pytest.mark.rule("R21", "R53")
def test_a_face_down_card_of_the_spotter_is_counted_as_none_of_9_and_10() -> None:
    made = expert_table(characters=["spotter", "acrobat", "raven", "hammer"])
    made.remade(0, "2H", "10D", "9S", "JC")
    assert guard_next(made) == pytest.approx(1 / 2)
    assert possible_next(made) == pile("2H")
    made.remade(0, "10D", "2H", "9S", "JC")
    assert guard_next(made) == 0.0
    assert possible_next(made) == pile("10D")


@pytest.mark.rule("R54")
def test_the_next_card_of_a_first_deck_is_any_that_nobody_has_seen() -> None:
    made = expert_table()
    made.deck(0, "2C", "3C", "JC", "5D")
    made.state.unseen = pile("2C", "3C", "5D", "7S", "8H")
    assert possible_next(made) == pile("2C", "3C", "5D", "7S", "8H")
    made.known(0, 1)
    assert possible_next(made) == pile("2C")


@pytest.mark.rule("R53")
def test_the_next_card_of_a_remade_deck_is_one_of_its_unknown_ones() -> None:
    made = expert_table()
    made.remade(0, "2C", "3C", "JC", "5D")
    assert possible_next(made) == pile("2C", "3C", "5D")
    made.known(0, 2)
    assert possible_next(made) == pile("2C", "5D")


def clubs_next(made: Table, seat: int = 0) -> float:
    rules, state, rooms = made.rules[0], made.state, made.rooms[0]
    outlook.look_ahead(rules, state, rooms)
    return float(outlook.suit_chance(rules, state, seat, CLUBS, rooms))


@pytest.mark.rule("R54", "B14")
def test_the_chance_of_a_suit_counts_what_can_be_traded_for() -> None:
    own = 3 / 4 * 2 / 3  # no Guard, then one of two clubs among three
    other = 1 / 2 * 3 / 5  # no Guard at one of two places, then three clubs of five unseen
    for trading, active, chance in (
        (True, (0, 1), 1 - (1 - own) * (1 - other)),
        (False, (0, 1), own),
        (True, (0,), own),
    ):
        made = expert_table(trading=trading)
        made.inactive(*(seat for seat in range(4) if seat not in active))
        made.remade(0, "2C", "3C", "5D", "JC")
        made.deck(1, "4C", "JD")
        made.state.unseen = pile("4C", "6C", "7C", "7S", "8H")
        assert clubs_next(made) == pytest.approx(chance)


@pytest.mark.rule("R43")
def test_the_joker_counts_as_a_card_of_every_suit() -> None:
    made = expert_table()
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
        made = expert_table()
        lay(made, 0, *deck.split())
        made.known(0, *known)
        assert guard_in_round(made) == pytest.approx(chance)


@pytest.mark.rule("R53")
def test_a_guard_out_of_the_deck_does_not_come_in_the_round() -> None:
    made = expert_table()
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
    made = expert_table(alarm_discards=discards)
    made.deck(0, *[f"{rank}H" for rank in range(2, size + 1)], "JC")
    made.state.emp = emp
    assert outlook.alarm_risk(made.rules[0], made.state, 0) == pytest.approx(risk)
    made.discards(0, "JC")
    assert outlook.alarm_risk(made.rules[0], made.state, 0) == 0.0


@pytest.mark.parametrize(
    ("rules", "display", "short"),
    [
        ({}, ["2C", "3C", "JC", "4D"], 2),
        ({}, ["2C", "3C", "4C", "5C", "Joker"], 0),
        ({"crack": {"straight_flush": 4}}, ["2C", "3C", "5C", "9C", "10C"], 1),
        ({"crack": {"straight_flush": 4}}, ["9C", "10C", "JC"], 1),
        ({"crack": {"straight_flush": 4}, "guard_in_straight": False}, ["9C", "10C", "JC"], 2),
        ({"crack": {"straight_flush": 4}}, ["2C", "3C", "5C", "Joker"], 1),
        (
            {"crack": {"straight_flush": 4}, "joker_in_straight": True},
            ["2C", "3C", "5C", "Joker"],
            0,
        ),
        (
            {"crack": {"straight_flush": 4}, "straight_replaces_flush": False},
            ["2C", "3C", "4C", "5C"],
            0,
        ),
        (
            {"crack": {"straight_flush": 4}, "straight_replaces_flush": False},
            ["2C", "4C", "7C", "9C", "JC"],
            0,
        ),
        (
            {"crack": {"straight_flush": 4}, "straight_replaces_flush": False},
            ["AC", "4C", "7C", "JC"],
            1,
        ),
    ],
)
def test_a_display_is_short_of_the_nearer_way_to_open_the_safe(
    rules: dict[str, object], display: list[str], short: int
) -> None:
    made = expert_table(**rules)
    made.display(0, *display)
    assert outlook.to_go(made.rules[0], made.state, 0) == short


def test_a_cracked_safe_is_far_from_a_crack() -> None:
    made = expert_table()
    made.display(0, "2C", "3C", "4C", "5C")
    made.cracked(0)
    assert outlook.to_go(made.rules[0], made.state, 0) == outlook.MANY
