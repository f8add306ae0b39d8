"""The pinned player `simple`, letter by letter: when it breaks, with whom, and how it shares."""

from typing import Any

import pytest

from balance.games.vault import RandomPolicy, SimplePolicy, chance_table
from kernels.vault import layout
from tests.vault_tables import Table, card

Offer = dict[int, int] | None
"""Dice by seat of the break that it makes, or None for a pass."""
NEVER = 36  # no six dice reach more


def offered(tokens: tuple[int, ...], policy: Any = None, **rules: Any) -> Offer:
    """What seat 0 does with these tokens on the table."""
    table = played(tokens, policy, **rules)
    lines = table.told_of("break")
    if not lines:
        assert table.kinds() == ["pass"]
        return None
    return {part["seat"] - 1: part["dice"] for part in lines[0]["parts"]}


def played(tokens: tuple[int, ...], policy: Any = None, breaker: int = 0, **rules: Any) -> Table:
    table = Table(policy or SimplePolicy(), **{"players": len(tokens), **rules})
    for seat, n in enumerate(tokens):
        table.tokens(seat, stealth=n)
    table.choose(breaker)
    return table


ALONE = {"first_break_needs_partner": False}


@pytest.mark.rule("V11", "V15")
@pytest.mark.parametrize("limit", ["player", "table"])
@pytest.mark.parametrize(
    ("threshold", "least"),
    [(1, 1), (3, 1), (4, 1), (5, 2), (7, 2), (8, 3), (10, 3), (15, 5), (20, 6)],
)
def test_1_it_breaks_alone_with_the_fewest_dice_that_make_its_odds(
    limit: str, threshold: int, least: int
) -> None:
    rules: dict[str, Any] = {"thresholds": [threshold], "dice_limit": limit, **ALONE}
    chances = chance_table(12, 73)
    assert chances[least, threshold] >= 0.5 > chances[least - 1, threshold]
    for held in range(least, 9):
        assert offered((held, 0), **rules) == {0: least}
        assert offered((held, 6), **rules) == {0: least}
    if least > 1:
        assert offered((least - 1, 0), **rules) is None


@pytest.mark.rule("V11", "V15")
@pytest.mark.parametrize(("break_at", "least"), [(0.0, 1), (0.4, 2), (0.5, 2), (0.59, 3), (1.0, 7)])
def test_the_odds_at_which_it_breaks_are_a_knob(break_at: float, least: int) -> None:
    rules = {"thresholds": [7], "dice": 12, **ALONE}
    assert chance_table(3, 20)[2, 7] == pytest.approx(21 / 36)
    assert offered((least, 0), SimplePolicy(break_at=break_at), **rules) == {0: least}
    if least > 1:
        assert offered((least - 1, 0), SimplePolicy(break_at=break_at), **rules) is None


@pytest.mark.rule("V12")
def test_1_more_tokens_than_the_limit_count_as_the_limit() -> None:
    assert offered((9, 0), thresholds=[20], **ALONE) == {0: 6}
    assert offered((9, 0), thresholds=[20], dice=5, **ALONE) is None
    assert offered((9, 0), thresholds=[26], dice=8, **ALONE) == {0: 8}


@pytest.mark.rule("V13")
@pytest.mark.parametrize("limit", ["player", "table"])
@pytest.mark.parametrize(
    ("threshold", "tokens", "expected"),
    [
        (15, (4, 3), {0: 4, 1: 1}),  # five dice
        (15, (3, 3), {0: 3, 1: 2}),
        (15, (1, 4), {0: 1, 1: 4}),
        (15, (2, 2), None),  # short of five
        (15, (4, 0), None),
        (15, (0, 6), None),
        (2, (6, 6), {0: 1, 1: 1}),  # one die would do, and two are the least with a partner
        (2, (1, 1), {0: 1, 1: 1}),
    ],
)
def test_2_where_a_partner_is_required_it_gives_all_it_can_but_one(
    limit: str, threshold: int, tokens: tuple[int, ...], expected: Offer
) -> None:
    assert offered(tokens, thresholds=[threshold], dice_limit=limit) == expected


@pytest.mark.rule("V13")
@pytest.mark.parametrize("limit", ["player", "table"])
@pytest.mark.parametrize(
    ("tokens", "expected"),
    [((4, 2), {0: 4, 1: 1}), ((5, 2), {0: 5}), ((4, 1), {0: 4, 1: 1}), ((3, 1), None)],
)
def test_2_where_none_is_required_it_asks_only_if_it_cannot_alone(
    limit: str, tokens: tuple[int, ...], expected: Offer
) -> None:
    assert offered(tokens, thresholds=[15], dice_limit=limit, **ALONE) == expected


@pytest.mark.rule("V12", "V13")
def test_2_with_a_limit_for_each_player_the_two_may_roll_up_to_twelve() -> None:
    for threshold, n in ((21, 6), (24, 7), (35, 10), (42, 12)):
        found = offered((6, 9), thresholds=[threshold])
        assert found == {0: min(6, n - 1), 1: n - min(6, n - 1)}
    assert offered((9, 3), thresholds=[31]) == {0: 6, 1: 3}
    assert offered((9, 2), thresholds=[31]) is None


@pytest.mark.rule("V12", "V13")
def test_2_with_a_limit_for_the_table_the_two_roll_no_more_than_six() -> None:
    assert offered((6, 9), thresholds=[21], dice_limit="table") == {0: 5, 1: 1}
    assert offered((4, 9), thresholds=[21], dice_limit="table") == {0: 4, 1: 2}


@pytest.mark.rule("V12", "V13")
@pytest.mark.parametrize(
    ("tokens", "needed", "expected"),
    [
        ((6, 0), False, {0: 6}),
        ((9, 9), False, {0: 6}),
        ((5, 1), False, {0: 5, 1: 1}),
        ((5, 0), False, None),
        ((2, 4), False, {0: 2, 1: 4}),
        ((2, 3), False, None),
        ((6, 6), True, {0: 5, 1: 1}),
        ((9, 1), True, {0: 5, 1: 1}),
        ((6, 0), True, None),
        ((1, 5), True, {0: 1, 1: 5}),
        ((1, 4), True, None),
        ((0, 9), True, None),
    ],
)
def test_3_at_the_limit_of_the_table_it_rolls_six_dice_whatever_the_odds(
    tokens: tuple[int, ...], needed: bool, expected: Offer
) -> None:
    rules = {"dice_limit": "table", "first_break_needs_partner": needed}
    for threshold in (25, 30, 35, NEVER, NEVER + 1):
        assert offered(tokens, thresholds=[threshold], **rules) == expected


@pytest.mark.rule("V12", "V13")
@pytest.mark.parametrize("needed", [True, False])
@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ((6, 6), {0: 6, 1: 6}),
        ((9, 8), {0: 6, 1: 6}),
        ((6, 5), None),
        ((5, 9), None),
        ((9, 0), None),
    ],
)
def test_3_at_the_limit_of_both_players_it_rolls_twelve_dice_whatever_the_odds(
    needed: bool, tokens: tuple[int, ...], expected: Offer
) -> None:
    for threshold in (50, 73):
        rules = {"thresholds": [threshold], "first_break_needs_partner": needed}
        assert offered(tokens, **rules) == expected


@pytest.mark.rule("V11")
def test_4_else_it_passes_and_keeps_its_tokens() -> None:
    table = played((4, 0))
    assert table.kinds() == ["pass"]
    assert table.purse(0) == {"stealth": 4}
    assert table.counted("attempts") == 0


@pytest.mark.rule("V13")
@pytest.mark.parametrize(
    ("breaker", "tokens", "partner"),
    [
        (0, (4, 2, 3, 1), 2),
        (0, (4, 3, 3, 3), 1),
        (2, (3, 3, 4, 3), 3),
        (3, (3, 3, 2, 4), 0),
        (1, (5, 4, 5, 5), 2),
        (0, (4, 7, 8, 6), 2),  # counted beyond the limit of dice
    ],
)
def test_its_partner_is_the_other_seat_with_most_tokens_of_equals_the_next_clockwise(
    breaker: int, tokens: tuple[int, ...], partner: int
) -> None:
    table = played(tokens, breaker=breaker, thresholds=[15])
    parts = table.told_of("break")[0]["parts"]
    assert [part["seat"] - 1 for part in parts] == [breaker, partner]


@pytest.mark.rule("V13")
def test_a_seat_that_must_skip_can_be_its_partner() -> None:
    table = Table(SimplePolicy(), players=3)
    table.tokens(0, stealth=4)
    table.tokens(1, stealth=3)
    table.tokens(2, stealth=2)
    table.state.skips[1] = 1
    table.choose()
    assert [part["seat"] for part in table.told_of("break")[0]["parts"]] == [1, 2]


@pytest.mark.rule("V14", "V16")
@pytest.mark.parametrize(
    ("per_break", "shares"), [(0, []), (1, [1]), (2, [1, 1]), (3, [1, 1, 2]), (5, [1, 1, 2, 2, 2])]
)
def test_with_a_partner_it_keeps_the_first_two_loot_cards(
    per_break: int, shares: list[int]
) -> None:
    table = Table(SimplePolicy(), loot_per_break=per_break)
    table.vault(1, 2, 3, 4, 5)
    table.tokens(0, stealth=2)
    table.tokens(1, stealth=2)
    table.choose()
    assert table.told_of("break")[0]["shares"] == shares


@pytest.mark.rule("V14", "V16")
def test_alone_it_keeps_all_loot() -> None:
    table = Table(SimplePolicy(), **ALONE)
    table.vault(1, 2, 3, 4)
    table.tokens(0, stealth=6)
    table.choose()
    assert table.told_of("break")[0]["shares"] == [1, 1, 1]


@pytest.mark.rule("V13")
def test_simple_accepts_every_invitation() -> None:
    for threshold in (3, 50):
        table = Table(
            [SimplePolicy(break_at=0.0), SimplePolicy(break_at=1.0)],
            players=2,
            thresholds=[threshold],
        )
        table.tokens(0, stealth=6)
        table.tokens(1, stealth=6)
        table.choose()
        assert table.told_of("decline") == []
        assert [part["seat"] for part in table.told_of("break")[0]["parts"]] == [1, 2]


@pytest.mark.rule("V19")
def test_simple_reveals_as_soon_as_it_may() -> None:
    for held, ended in ((19, None), (20, "reveal")):
        table = Table(SimplePolicy())
        table.loot(0, held)
        table.start_turn()
        assert table.over == ended


@pytest.mark.rule("V7", "V8", "V11", "E9")
def test_simple_uses_no_action_and_no_reaction() -> None:
    actions = [card("gain_tokens", amount=8)]
    reactions = [card("gain_tokens", "on_any_break", amount=8)]
    table = Table(SimplePolicy(), actions=actions, reactions=reactions)
    for seat in range(4):
        table.holds(seat, action="gain_tokens", reaction="gain_tokens")
    table.choose()
    table.tokens(1, stealth=3)
    table.tokens(2, stealth=3)
    table.choose(1)
    assert table.kinds()[:2] == ["pass", "break"]
    assert not {"act", "react"} & set(table.kinds())


@pytest.mark.rule("V17", "V18")
def test_simple_loses_and_pays_of_the_colour_held_most() -> None:
    table = Table(SimplePolicy(), **ALONE, thresholds=[36, 37])
    table.tokens(0, audacity=1, brawn=3, charisma=3, stealth=2)
    table.dice(1)
    table.dies(layout.ONE_TOKEN)
    table.break_in({0: 1})
    assert table.told_of("break")[0]["parts"][0]["paid"] == ["brawn"]
    assert table.told_of("hit")[0]["tokens"] == ["charisma"]
    assert table.purse(0) == {"audacity": 1, "brawn": 2, "charisma": 2, "stealth": 2}


@pytest.mark.rule("V13")
def test_a_simple_that_invites_nobody_breaks_alone_or_not_at_all() -> None:
    policy = SimplePolicy(inviting=False)
    assert offered((4, 6), policy, thresholds=[15], **ALONE) is None
    assert offered((5, 6), policy, thresholds=[15], **ALONE) == {0: 5}
    assert offered((6, 6), policy, thresholds=[15]) is None
    assert offered((6, 6), policy, thresholds=[36], dice_limit="table", **ALONE) == {0: 6}
    assert offered((6, 6), policy, thresholds=[60], **ALONE) is None


@pytest.mark.rule("V11")
def test_random_mistakes_are_all_that_makes_simple_stray() -> None:
    found = set()
    for seed in range(40):
        table = Table(SimplePolicy(mistakes=1.0))
        lots = Table(RandomPolicy())
        for made in (table, lots):
            made.tokens(0, stealth=6)
            made.tokens(1, stealth=6)
            made.state.coins[0] = seed
            made.choose()
        assert table.told() == lots.told()
        found.add(table.kinds()[0])
    assert {"pass", "break"} <= found
