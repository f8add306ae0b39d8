"""Reactions (E4-E9): what they do to a break, when they are asked for, and what answers them."""

from typing import Any

import pytest

from balance.games.vault import SimplePolicy
from kernels.vault import layout
from tests.vault_tables import Table, card

NO, YES = 0, 1
ON_BREAK = "on_any_break"
BREAKERS = ("extra_die", "lower_threshold", "join_uninvited", "reroll_lowest", "add_to_roll")


def reacting(*reactions: tuple[int, str, str, dict[str, Any]], **rules: Any) -> Table:
    """A table of three where these seats hold a reaction each: seat, effect, moment, and more."""
    made = {
        more.get("name", effect): card(effect, when, **more) for _, effect, when, more in reactions
    }
    table = Table(**{"players": 3, "reactions": list(made.values()), **rules})
    for seat, effect, _, more in reactions:
        table.holds(seat, reaction=more.get("name", effect))
    return table


def breaking(*reactions: tuple[int, str, dict[str, Any]], **rules: Any) -> Table:
    """A table of three with reactions to a break, and tokens for some dice."""
    held = [(seat, effect, ON_BREAK, more) for seat, effect, more in reactions]
    table = reacting(*held, **rules)
    for seat in range(3):
        table.tokens(seat, stealth=4)
    table.vault(1, 2, 3, 4)
    return table


@pytest.mark.rule("E4")
@pytest.mark.parametrize("amount", [1, 3])
def test_extra_dice_are_rolled_for_nothing_and_beyond_the_limit(amount: int) -> None:
    table = breaking((2, "extra_die", {"amount": amount}), dice=1, dice_limit="table")
    faces = (3, 4, 2, 1)[: 1 + amount]
    table.dice(*faces)
    table.says(2, YES)
    table.break_in({0: 1}, [0])
    assert table.told_of("roll") == [{"dice": list(faces), "total": sum(faces), "threshold": 10}]
    assert table.counted("dice") == 1 + amount
    assert table.counted("participants") == 1
    assert table.counted("tokens_spent") == 1
    assert table.purse(2) == {"stealth": 4}


@pytest.mark.rule("E4")
@pytest.mark.parametrize(("amount", "breaks"), [(2, 0), (3, 1)])
def test_a_lowered_threshold_holds_for_this_break(amount: int, breaks: int) -> None:
    table = breaking((1, "lower_threshold", {"amount": amount}), thresholds=[10, 10])
    table.dice(4, 3)
    table.says(1, YES)
    table.break_in({0: 2}, [0])
    assert table.told_of("roll")[0]["threshold"] == 10 - amount
    assert table.told_of("break")[0]["threshold"] == 10
    assert table.counted("breaks") == breaks
    table.dice(1, 1)
    table.break_in({0: 2})
    assert table.told_of("roll")[1]["threshold"] == 10


@pytest.mark.rule("E4")
@pytest.mark.parametrize(("amount", "breaks"), [(2, 0), (3, 1)])
def test_pips_are_added_to_the_final_total_and_not_to_the_roll(amount: int, breaks: int) -> None:
    table = breaking((1, "add_to_roll", {"amount": amount}))
    table.dice(4, 3)
    table.says(1, YES)
    table.break_in({0: 2}, [0])
    assert table.told_of("roll")[0]["total"] == 7
    assert table.told_of("broken" if breaks else "failed")[0]["total"] == 7 + amount
    assert table.counted("breaks") == breaks


@pytest.mark.rule("E4")
@pytest.mark.parametrize(
    ("amount", "rolled", "again", "dice"),
    [
        (1, (3, 1, 4), (6,), [3, 6, 4]),
        (1, (2, 2, 4), (5,), [5, 2, 4]),
        (2, (3, 1, 2), (6, 5), [3, 6, 5]),
        (2, (3, 3, 3), (1, 2), [1, 2, 3]),
        (2, (6, 1, 6), (1, 2), [2, 1, 6]),
        (8, (1, 2), (5, 6), [5, 6]),
    ],
)
def test_the_lowest_dice_are_rolled_again_of_equals_the_earlier_ones(
    amount: int, rolled: tuple[int, ...], again: tuple[int, ...], dice: list[int]
) -> None:
    table = breaking((1, "reroll_lowest", {"amount": amount}))
    table.dice(*rolled)
    table.again(*again)
    table.says(1, YES)
    table.break_in({0: len(rolled)}, [0])
    assert table.told_of("roll")[0]["dice"] == list(rolled)
    assert table.told_of("reroll") == [{"dice": dice, "total": sum(dice)}]
    assert table.counted("dice") == len(rolled)
    assert table.counted("breaks") == (sum(dice) >= 10)


@pytest.mark.rule("E4")
@pytest.mark.parametrize("amount", [1, 2])
def test_who_joins_uninvited_brings_dice_for_nothing_and_takes_the_breakers_last_share(
    amount: int,
) -> None:
    table = breaking((2, "join_uninvited", {"amount": amount}), dice=2, dice_limit="table")
    faces = (6, 5, 1, 1)[: 2 + amount]
    table.dice(*faces)
    table.says(2, YES)
    table.break_in({0: 1, 1: 1}, [0, 0, 1])
    assert table.told_of("join") == [{"seat": 3, "dice": amount, "shares": [1, 3, 2]}]
    assert table.told_of("roll")[0]["dice"] == list(faces)
    assert table.purse(2) == {"stealth": 4}
    assert (table.counted("participants"), table.counted("dice")) == (3, 2 + amount)
    assert [table.looted(seat) for seat in range(3)] == [[1], [3], [2]]


@pytest.mark.rule("E4")
@pytest.mark.parametrize(
    ("shares", "told"),
    [
        ([0, 0, 0], [[1, 1, 2], [1, 3, 2]]),
        ([0, 3, 0], [[1, 4, 2], [3, 4, 2]]),
        ([3, 0, 3], [[4, 2, 4], [4, 2, 3]]),
        ([3, 3, 0], [[4, 4, 2], [4, 3, 2]]),
        ([3], [[2], [2]]),
        ([], [[], []]),
    ],
)
def test_uninvited_seats_take_no_share_from_each_other(
    shares: list[int], told: list[list[int]]
) -> None:
    """Seats 1 and 2 join seat 0, who had invited seat 3."""
    table = breaking((1, "join_uninvited", {}), (2, "join_uninvited", {}), players=4)
    table.tokens(3, stealth=1)
    table.says(1, YES)
    table.says(2, YES)
    table.break_in({0: 1, 3: 1}, shares)
    assert [line["shares"] for line in table.told_of("join")] == told


@pytest.mark.rule("E4")
def test_who_takes_part_already_cannot_join_uninvited() -> None:
    table = breaking((0, "join_uninvited", {}), (1, "join_uninvited", {}))
    table.says(0, YES)
    table.says(1, YES)
    table.break_in({0: 1, 1: 1}, [0, 1])
    assert table.told_of("join") == []
    assert table.held(1, "reactions") == "join_uninvited"
    assert table.state.coins[:2].tolist() == [0, 0]


@pytest.mark.rule("E4", "E8")
def test_who_joined_uninvited_is_hit_with_everyone() -> None:
    table = breaking((2, "join_uninvited", {}), thresholds=[300], failure_hits="everyone")
    table.dies(layout.SKIP)
    table.says(2, YES)
    table.break_in({0: 1}, [0])
    assert table.skippers() == [0, 2]


@pytest.mark.rule("E5")
@pytest.mark.parametrize("effect", [*BREAKERS, "gain_tokens", "skip_player"])
def test_rerolls_and_additions_come_after_the_roll_and_all_else_before(effect: str) -> None:
    more = {"target": "left"} if effect == "skip_player" else {}
    table = breaking((2, effect, more))
    table.says(2, YES)
    table.break_in({0: 1}, [0])
    kinds = table.kinds()
    late = effect in ("reroll_lowest", "add_to_roll")
    assert kinds[0] == "break"
    assert (kinds.index("react") > kinds.index("roll")) is late
    assert table.told_of("react")[0]["moment"] == ON_BREAK
    assert table.state.coins[2] == 1


@pytest.mark.rule("E5")
@pytest.mark.parametrize("breaker", range(3))
@pytest.mark.parametrize("effect", ["extra_die", "add_to_roll"])
def test_seats_are_asked_clockwise_from_the_breaker_each_once(breaker: int, effect: str) -> None:
    table = breaking(*((seat, effect, {"name": f"of {seat}"}) for seat in range(3)))
    for seat in range(3):
        table.says(seat, YES)
    table.break_in({breaker: 1}, [breaker])
    order = [(breaker + i) % 3 + 1 for i in range(3)]
    assert [line["seat"] for line in table.told_of("react")] == order


@pytest.mark.rule("E5")
def test_tokens_are_paid_before_reactions_are_asked_for() -> None:
    table = breaking((0, "extra_die", {"cost": {"stealth": 3}}))
    table.says(0, YES)
    table.break_in({0: 2}, [0])
    assert table.told_of("react") == []
    table = breaking((0, "extra_die", {"cost": {"stealth": 2}}))
    table.says(0, YES)
    table.break_in({0: 2}, [0])
    assert table.told_of("react")[0]["paid"] == ["stealth", "stealth"]
    assert table.purse(0) == {}


def action(name: str = "steal_token", **more: Any) -> dict[str, Any]:
    return card("steal_token", name=name, **{"target": "left", **more})


def acting(*reactions: tuple[int, str, str, dict[str, Any]], **rules: Any) -> Table:
    """Seat 0 has an action that steals a token of seat 1; some seats hold reactions."""
    table = reacting(*reactions, **{"actions": [action()], **rules})
    table.holds(0, action=table.model.actions[0].name)
    for seat in range(3):
        table.tokens(seat, stealth=2, brawn=1)
    return table


@pytest.mark.rule("E6")
def test_an_action_is_paid_and_announced_before_anything_answers_it() -> None:
    cost = {"stealth": 1, "any": 1}
    table = acting((2, "cancel_action", "on_action", {}), actions=[action(cost=cost)])
    table.says(2, YES)
    table.act()
    act, react = table.told()
    assert act == {
        "event": "act",
        "seat": 1,
        "card": "steal_token",
        "effect": "steal_token",
        "paid": ["stealth", "brawn"],
        "target": 2,
    }
    assert react["event"] == "react"
    assert table.purse(0) == {"stealth": 1}
    assert table.counted("tokens_spent") == 2
    assert table.in_pile("actions") == ["steal_token"]


@pytest.mark.rule("E6")
def test_others_are_asked_clockwise_from_the_next_until_one_cancels() -> None:
    reactions = [(seat, "cancel_action", "on_action", {"name": f"of {seat}"}) for seat in (1, 2)]
    for answers, told, stolen in (
        ((NO, NO), [], 1),
        ((NO, YES), [3], 0),
        ((YES, YES), [2], 0),
    ):
        table = acting(*reactions)
        for seat, answer in zip((1, 2), answers, strict=True):
            table.says(seat, answer)
        table.act()
        assert [line["seat"] for line in table.told_of("react")] == told
        assert len(table.told_of("steal_token")) == stolen
    assert table.held(2, "reactions") == "of 2"


@pytest.mark.rule("E6")
def test_the_seat_that_acts_is_not_asked_about_its_own_action() -> None:
    table = acting((0, "cancel_action", "on_action", {}))
    table.says(0, YES)
    table.act()
    assert table.told_of("react") == []


@pytest.mark.rule("E6")
@pytest.mark.parametrize(("answer", "stolen"), [(NO, 1), (YES, 0)])
def test_the_target_may_protect_itself(answer: int, stolen: int) -> None:
    table = acting((1, "protect", "on_targeted", {}), (2, "protect", "on_targeted", {}))
    table.says(1, answer)
    table.act()
    assert len(table.told_of("steal_token")) == stolen
    assert [line["seat"] for line in table.told_of("react")] == [2][: 1 - stolen]
    assert table.held(2, "reactions") == "protect"


@pytest.mark.rule("E6")
def test_what_the_target_does_comes_before_the_effect_and_does_not_stop_it() -> None:
    table = acting((1, "gain_tokens", "on_targeted", {"amount": 4}))
    table.says(1, YES)
    table.act()
    assert table.kinds() == ["act", "react", "gain", "steal_token"]


@pytest.mark.rule("E6")
def test_reactions_to_an_action_come_before_the_answer_of_its_target() -> None:
    table = acting((2, "gain_tokens", "on_action", {}), (1, "protect", "on_targeted", {}))
    table.says(2, YES)
    table.says(1, YES)
    table.act()
    assert [(line["seat"], line["moment"]) for line in table.told_of("react")] == [
        (3, "on_action"),
        (2, "on_targeted"),
    ]


@pytest.mark.rule("E6")
def test_an_action_without_a_target_is_answered_by_nobody_on_targeted() -> None:
    table = acting(
        (1, "protect", "on_targeted", {}), actions=[card("gain_tokens", name="steal_token")]
    )
    table.says(1, YES)
    table.act()
    assert table.kinds() == ["act", "gain"]


@pytest.mark.rule("E7")
@pytest.mark.parametrize("moment", ["on_action", "on_any_break", "on_my_failure"])
@pytest.mark.parametrize("answer", [NO, YES])
def test_an_aimed_reaction_is_answered_by_its_target(moment: str, answer: int) -> None:
    table = acting(
        (1, "steal_token", moment, {"target": "left"}),
        (2, "protect", "on_targeted", {}),
        thresholds=[300],
        actions=[card("peek_loot", name="steal_token")],
    )
    table.says(1, YES)
    table.says(2, answer)
    if moment == "on_action":
        table.act()
    else:
        table.dies(layout.SKIP)
        table.break_in({0 if moment == ON_BREAK else 1: 1})
    told = [(line["seat"], line["moment"]) for line in table.told_of("react")]
    assert told == [(2, moment), (3, "on_targeted")][: 1 + answer]
    assert len(table.told_of("steal_token")) == 1 - answer


@pytest.mark.rule("E7")
def test_what_is_used_on_targeted_is_not_answered() -> None:
    table = acting(
        (1, "steal_token", "on_targeted", {"target": "left"}), (2, "protect", "on_targeted", {})
    )
    table.says(1, YES)
    table.says(2, YES)
    table.act()
    assert [line["seat"] for line in table.told_of("react")] == [2]
    assert [line["seat"] for line in table.told_of("steal_token")] == [2, 1]
    assert table.state.coins[2] == 0


@pytest.mark.rule("E7", "E6")
def test_a_protected_reaction_does_not_stop_the_action_it_reacted_to() -> None:
    table = acting(
        (1, "steal_token", "on_action", {"target": "left"}), (2, "protect", "on_targeted", {})
    )
    table.says(1, YES)
    table.says(2, YES)
    table.act()
    assert [line["seat"] for line in table.told_of("steal_token")] == [1]


@pytest.mark.rule("E8")
@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("answer", [NO, YES])
def test_a_failure_can_be_ignored_whatever_the_die(die: int, answer: int) -> None:
    table = reacting((0, "ignore_failure", "on_my_failure", {}), thresholds=[300])
    table.tokens(0, stealth=3)
    table.hand(0, "2D", "3D")
    table.loot(0, 2, 3)
    table.dies(die)
    table.says(0, answer)
    table.break_in({0: 1})
    assert len(table.told_of("hit")) == 1 - answer
    assert table.kinds()[2] == "failed"
    assert table.counted(f"failures.{die}") == 1
    if answer:
        assert (table.purse(0), table.in_hand(0)) == ({"stealth": 2}, ["2D", "3D"])
        assert (table.looted(0), table.skippers()) == ([2, 3], [])


@pytest.mark.rule("E8")
def test_ignoring_a_failure_helps_one_seat_only_and_each_is_asked_just_before_it_is_hit() -> None:
    table = reacting(
        (1, "ignore_failure", "on_my_failure", {}),
        (2, "gain_tokens", "on_my_failure", {}),
        thresholds=[300],
        failure_hits="everyone",
    )
    for seat in range(3):
        table.tokens(seat, stealth=1)
    table.dies(layout.SKIP)
    table.says(1, YES)
    table.says(2, YES)
    table.break_in({0: 1, 1: 1, 2: 1})
    assert table.kinds() == ["break", "roll", "failed", "hit", "react", "react", "gain", "hit"]
    assert table.skippers() == [0, 2]


@pytest.mark.rule("E8", "V17")
@pytest.mark.parametrize("hits", ["breaker", "everyone"])
def test_only_who_is_hit_is_asked(hits: str) -> None:
    table = reacting(
        *((seat, "ignore_failure", "on_my_failure", {}) for seat in range(3)),
        thresholds=[300],
        failure_hits=hits,
    )
    for seat in range(3):
        table.tokens(seat, stealth=1)
        table.says(seat, YES)
    table.break_in({0: 1, 1: 1})
    assert table.state.coins[:3].tolist() == [1, hits == "everyone", 0]


@pytest.mark.rule("E9")
def test_a_reaction_is_used_once_and_goes_under_its_deck_when_it_is_paid() -> None:
    table = breaking((1, "extra_die", {"cost": {"any": 1}}))
    table.pile("reactions", "extra_die", "extra_die")
    table.says(1, YES)
    table.break_in({0: 1}, [0])
    table.says(1, YES)
    table.break_in({0: 1}, [0])
    assert len(table.told_of("react")) == 1
    assert table.held(1, "reactions") is None
    assert table.in_pile("reactions") == ["extra_die"] * 3
    assert table.purse(1) == {"stealth": 3}


@pytest.mark.rule("E9")
def test_a_used_card_lies_under_its_deck_when_its_effect_comes() -> None:
    table = acting(actions=[action(), card("peek_loot")])
    table.pile("actions", "peek_loot")
    table.act()
    assert table.in_pile("actions") == ["peek_loot", "steal_token"]
    assert table.held(0, "actions") is None


@pytest.mark.rule("E9", "V5")
@pytest.mark.parametrize(
    ("cost", "paid"),
    [
        ({}, []),
        ({"brawn": 1}, ["brawn"]),
        ({"any": 2}, ["stealth", "brawn"]),
        ({"any": 1, "brawn": 1}, ["brawn", "stealth"]),
        ({"stealth": 2, "any": 1}, ["stealth", "stealth", "brawn"]),
        ({"stealth": 2, "any": 2}, None),
        ({"audacity": 1}, None),
        ({"any": 4}, None),
    ],
)
def test_a_cost_is_paid_by_its_colours_and_then_of_those_held_most(
    cost: dict[str, int], paid: list[str] | None
) -> None:
    table = acting((1, "gain_tokens", "on_action", {"cost": cost}))
    table.says(1, YES)
    table.act()
    told = table.told_of("react")
    assert [line["paid"] for line in told] == ([] if paid is None else [paid])
    assert table.counted("tokens_spent") == len(paid or ())
    assert table.held(1, "reactions") == ("gain_tokens" if paid is None else None)


@pytest.mark.rule("E9", "E2")
@pytest.mark.parametrize("moment", ["on_targeted", ON_BREAK, "on_my_failure", "on_action"])
def test_a_reaction_waits_for_its_own_moment(moment: str) -> None:
    asked = []
    for trigger in ("on_targeted", ON_BREAK, "on_my_failure", "on_action"):
        aims = trigger == "on_targeted"
        table = acting(
            (1, "gain_tokens", moment, {}),
            thresholds=[300],
            actions=[action() if aims else card("peek_loot", name="steal_token")],
        )
        table.says(1, YES)
        if trigger in ("on_targeted", "on_action"):
            table.act()
        else:
            table.dies(layout.ONE_CARD)
            table.break_in({0 if trigger == ON_BREAK else 1: 1})
        if table.told_of("react"):
            asked.append(trigger)
    wider = {ON_BREAK: [ON_BREAK, "on_my_failure"], "on_action": ["on_targeted", "on_action"]}
    assert asked == wider.get(moment, [moment])


@pytest.mark.rule("E9")
def test_a_seat_keeps_its_card_for_as_long_as_it_wants() -> None:
    table = acting((1, "protect", "on_targeted", {}))
    for _ in range(2):
        table.holds(0, action="steal_token")
        table.says(1, NO)
        table.act()
    assert table.held(1, "reactions") == "protect"
    assert len(table.told_of("steal_token")) == 2


@pytest.mark.rule("E5", "V19")
def test_a_reveal_by_a_reaction_before_the_roll_ends_the_game_without_one() -> None:
    table = breaking((1, "steal_loot", {"target": "left"}))
    table.loot(1, 15)
    table.loot(2, 6)
    table.says(1, YES, YES)
    table.break_in({0: 1}, [0])
    assert table.kinds()[-1] == "reveal"
    assert "roll" not in table.kinds()
    assert (table.counted("attempts"), table.counted("dice")) == (1, 0)


@pytest.mark.rule("E9")
def test_simple_never_reacts() -> None:
    reactions = [card("gain_tokens", ON_BREAK)]
    table = Table(SimplePolicy(), reactions=reactions)
    table.holds(1, reaction="gain_tokens")
    table.tokens(0, stealth=1)
    table.break_in({0: 1})
    assert table.held(1, "reactions") == "gain_tokens"
