"""What `expert` decides on scripted tables: looks, trades, twenty-ones, alarms, bails."""

import pytest

from balance.games.burgle_expert import KNOBS
from kernels.burgle import layout
from tests.burgle_tables import deck_without, expert_table

ZERO = dict.fromkeys(KNOBS, 0.0)
DEAR_LAST_STEALTH = {"last_stealth": 5}


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
    made = expert_table({"peek_keep": 7}, characters=["hawk", "acrobat", "raven", "hammer"])
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
    made = expert_table({"peek_keep": 7})
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
    made = expert_table(DEAR_LAST_STEALTH, characters=["rook", "acrobat", "raven", "hammer"])
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
    made = expert_table({"top_value": 8}, characters=["peterman", "acrobat", "raven", "hammer"])
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
    made = expert_table(
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
        made = expert_table(
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
    made = expert_table(ZERO, characters=["hammer", "acrobat", "raven", "hawk"])
    made.tool_deck("emp", "virus")
    made.display(0, "2C", "3C", "4C", "6C", "7C")
    made.play(layout.CRACK, layout.ALARM)
    assert made.held_tools(0) == {"emp"}


# trades, twenty-ones, alarms, bails


@pytest.mark.rule("B14", "B20")
def test_a_trade_that_cracks_a_safe_is_made() -> None:
    made = expert_table()
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
    made = expert_table({**ZERO, "trade_alarm": -10})
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
    made = expert_table(
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
    made = expert_table({"stay_near": 1})
    made.inactive(1, 2, 3)
    made.display(0, *(("2C", "3C", "6C", "10C") if near else ("2H", "3H", "6H", "10H")))
    if shown:
        made.display(3, "JS")
        made.state.stealth[3] = stealth
    made.play(layout.TWENTY_ONE, layout.CRACK)
    assert [line["choice"] for line in made.told_of("twenty_one")] == [choice]


@pytest.mark.rule("B19", "B12")
def test_of_several_guards_that_of_the_seat_with_the_least_stealth_goes() -> None:
    made = expert_table({"stay_near": 0})
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
    made = expert_table({**ZERO, "remove_high": 1, "remove_wanted": 10}, stealth=2)
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
    made = expert_table({**ZERO, "cracked_go" if cracked else "go": pull})
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
    made = expert_table({**ZERO, "go": -1, "go_others": worth_of_others})
    made.inactive(3)
    for seat in range(3):
        made.display(seat, "10S")
        made.deck(seat, "2C", "J" + "CDHS"[seat])
    made.play(layout.BAIL, layout.ROUND_END if leaving else layout.DRAW)
    assert [line["seat"] for line in made.told_of("bail")] == leaving


@pytest.mark.rule("B22")
def test_who_stays_is_counted_by_those_who_decide_later() -> None:
    made = expert_table({**ZERO, "go": -1, "go_others": 0.3, "go_shown": 0.5})
    made.inactive(3)
    made.display(0, "JC")  # 0.5 and two others
    for seat in (1, 2):
        made.display(seat, "10S")  # two others, then one
    made.play(layout.BAIL, layout.DRAW)
    assert [line["seat"] for line in made.told_of("bail")] == [2, 3]
