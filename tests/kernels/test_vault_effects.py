"""What action and reaction cards do (E1-E3): every effect at every moment, every target rule."""

from collections import Counter
from typing import Any

import pytest

from kernels.vault import layout
from tests.vault_tables import Table, card

YES = 1
USER = 1
OTHERS = {"left": 2, "leader": 3, "richest": 4, "right": 0, "random": 3}
TARGETS = tuple(OTHERS)
WHENS = (None, "on_action", "on_any_break", "on_my_failure", "on_targeted")
AIMED = (
    *("steal_token", "destroy_token", "steal_training", "discard_training"),
    *("steal_loot", "swap_loot", "skip_player"),
)


def table_with(effect: str, when: str | None, **more: Any) -> Table:
    """Five seats with a few things each; seat 1 holds a card with this effect.

    Seat 3 has most loot, seat 4 most tokens, and seat 0 an action for the others to react to.
    """
    used = card(effect, when, **{"name": "used", **more})
    trigger = card("skip_player", name="aims", target="left")
    actions = [trigger, card("peek_loot", name="harmless")]
    reactions: list[dict[str, Any]] = []
    (actions if when is None else reactions).append(used)
    table = Table(players=5, actions=actions, reactions=reactions, thresholds=[400])
    for seat in range(5):
        table.tokens(seat, stealth=2, brawn=1)
        table.hand(seat, f"{2 + seat}D", "KS")
        table.loot(seat, 1 + seat)
    table.loot(3, 6)
    table.tokens(0, stealth=1)
    table.tokens(4, stealth=2)
    if when is None:
        table.holds(USER, action="used")
    else:
        table.holds(USER, reaction="used")
    return table


def use(table: Table, when: str | None) -> None:
    """Let seat 1 use its card at its moment."""
    if when is None:
        table.act(USER)
        return
    table.says(USER, YES)
    if when == "on_action":
        table.holds(0, action="harmless")
        table.act(0)
    elif when == "on_targeted":
        table.holds(0, action="aims")
        table.act(0)
    else:
        table.dies(layout.SKIP)
        table.break_in({0 if when == "on_any_break" else USER: 1})


def used_once(table: Table, when: str | None, target: int | None = None) -> None:
    """Seat 1 has used its card, once, aimed at this seat."""
    told = table.told_of("act" if when is None else "react")
    told = [line for line in told if line["seat"] == USER + 1]
    assert len(told) == 1
    assert told[0]["card"] == "used"
    assert told[0].get("moment") == when
    assert told[0].get("target") == (None if target is None else target + 1)
    deck = "actions" if when is None else "reactions"
    assert table.held(USER, deck) is None
    assert table.in_pile(deck)[-1] == "used" or when == "on_targeted"


@pytest.mark.rule("E1", "E2", "E3")
@pytest.mark.parametrize("when", WHENS)
@pytest.mark.parametrize("effect", AIMED)
@pytest.mark.parametrize("target", TARGETS)
def test_every_aimed_effect_hits_its_target_at_every_moment(
    effect: str, when: str | None, target: str
) -> None:
    table = table_with(effect, when, target=target)
    aim = OTHERS[target]
    if target == "random":
        table.aims(USER, 2)
    before_hand, before_loot = table.in_hand(aim), table.looted(aim)
    others = [seat for seat in range(5) if seat not in (USER, aim)]
    hands = [table.in_hand(seat) for seat in others]
    loots = [table.looted(seat) for seat in others]
    use(table, when)
    used_once(table, when, aim)
    both = {"seat": USER + 1, "target": aim + 1}
    lost_cards = Counter(before_hand) - Counter(table.in_hand(aim))
    if effect in ("steal_token", "destroy_token"):
        assert table.told_of(effect) == [{**both, "tokens": ["stealth"]}]
    elif effect in ("steal_training", "discard_training"):
        assert [table.told_of(effect)[0][name] for name in both] == [USER + 1, aim + 1]
        assert Counter(table.told_of(effect)[0]["cards"]) == lost_cards
        assert lost_cards.total() == 1
        assert len(table.in_hand(USER)) == 2 + (effect == "steal_training")
        assert table.in_deck() == (list(lost_cards) if effect == "discard_training" else [])
    elif effect == "steal_loot":
        (line,) = table.told_of("steal_loot")
        assert table.looted(USER) == sorted([2, *line["loot"]])
        assert sorted(table.looted(aim) + line["loot"]) == before_loot
    elif effect == "swap_loot":
        (line,) = table.told_of("swap_loot")
        assert line == {**both, "given": 2, "taken": line["taken"]}
        assert table.looted(USER) == [line["taken"]]
        assert Counter(table.looted(aim)) == Counter([*before_loot, 2]) - Counter([line["taken"]])
    else:
        assert table.told_of("skip")[0] == {"seat": aim + 1}
        assert aim in table.skippers()
    assert [table.in_hand(seat) for seat in others] == hands
    assert [table.looted(seat) for seat in others] == loots


@pytest.mark.rule("E2", "E3")
@pytest.mark.parametrize("when", WHENS)
@pytest.mark.parametrize("effect", ["gain_tokens", "draw_training", "peek_loot"])
def test_every_effect_without_a_target_works_at_every_moment(effect: str, when: str | None) -> None:
    table = table_with(effect, when)
    table.deck("9C")
    table.vault(5, 6)
    use(table, when)
    used_once(table, when)
    seat = {"seat": USER + 1}
    if effect == "gain_tokens":
        assert table.told_of("gain") == [{**seat, "tokens": ["audacity"]}]
        assert table.purse(USER)["audacity"] == 1
    elif effect == "draw_training":
        assert table.told_of("draw") == [{**seat, "cards": ["9C"]}]
        assert "9C" in table.in_hand(USER)
    else:
        assert {**seat, "loot": [5]} in table.told_of("peek_loot")
        assert table.in_vault() == [5, 6]


def aimed(target: str, **more: Any) -> Table:
    return Table(
        **{"players": 4, "actions": [card("skip_player", name="used", target=target)], **more}
    )


def aim_of(table: Table, user: int) -> int:
    table.holds(user, action="used")
    table.act(user)
    return int(table.told_of("act")[-1]["target"]) - 1


@pytest.mark.rule("E1")
@pytest.mark.parametrize("user", range(4))
def test_left_is_the_next_seat_clockwise_and_right_the_one_before(user: int) -> None:
    assert aim_of(aimed("left"), user) == (user + 1) % 4
    assert aim_of(aimed("right"), user) == (user - 1) % 4


@pytest.mark.rule("E1")
@pytest.mark.parametrize(
    ("user", "loots", "aim"),
    [
        (0, (9, 1, 3, 2), 2),
        (0, (0, 2, 2, 2), 1),
        (2, (2, 2, 0, 2), 3),
        (3, (2, 2, 2, 9), 0),
        (1, (0, 0, 0, 0), 2),
    ],
)
def test_the_leader_has_most_loot_cards_of_the_others_of_equals_the_next_clockwise(
    user: int, loots: tuple[int, ...], aim: int
) -> None:
    table = aimed("leader")
    for seat, n in enumerate(loots):
        table.loot(seat, *[1] * n)
    assert aim_of(table, user) == aim


@pytest.mark.rule("E1")
def test_the_leader_is_told_by_cards_and_not_by_their_hidden_values() -> None:
    table = aimed("leader")
    table.loot(1, 1, 1)
    table.loot(2, 6)
    assert aim_of(table, 0) == 1


@pytest.mark.rule("E1")
@pytest.mark.parametrize(
    ("user", "tokens", "aim"),
    [(0, (9, 1, 3, 2), 2), (0, (0, 2, 2, 2), 1), (2, (2, 2, 0, 2), 3), (3, (1, 2, 2, 9), 1)],
)
def test_the_richest_has_most_tokens_of_the_others_of_equals_the_next_clockwise(
    user: int, tokens: tuple[int, ...], aim: int
) -> None:
    table = aimed("richest")
    for seat, n in enumerate(tokens):
        table.tokens(seat, brawn=n)
    assert aim_of(table, user) == aim


@pytest.mark.rule("E1")
def test_a_random_target_is_every_other_seat_equally_often() -> None:
    """n = 900 actions, each of three seats within four standard errors of 1/3."""
    n = 900
    table = aimed("random")
    found = Counter(aim_of(table, 1) for _ in range(n))
    error = (n * (1 / 3) * (2 / 3)) ** 0.5
    assert set(found) == {0, 2, 3}
    assert all(abs(times - n / 3) < 4 * error for times in found.values())


@pytest.mark.rule("E1")
@pytest.mark.parametrize("target", TARGETS)
def test_of_two_players_the_other_is_always_the_target(target: str) -> None:
    for user in (0, 1):
        assert aim_of(aimed(target, players=2), user) == 1 - user


def acted(effect: str, amount: int, lay: dict[str, Any], **more: Any) -> Table:
    """Seat 0 has used an action with this effect on seat 1."""
    target = {"target": "left"} if effect in AIMED else {}
    table = Table(players=2, actions=[card(effect, amount=amount, **target)], **more)
    for what, by_seat in lay.items():
        for seat, values in by_seat.items():
            if what == "tokens":
                table.tokens(seat, **values)
            else:
                getattr(table, what)(seat, *values)
    table.holds(0, action=effect)
    return table


@pytest.mark.rule("E3")
@pytest.mark.parametrize(
    ("held", "supply", "amount", "gained"),
    [
        ({}, {}, 1, ["audacity"]),
        ({}, {}, 5, ["audacity", "brawn", "charisma", "stealth", "audacity"]),
        ({"audacity": 2, "charisma": 1}, {}, 4, ["brawn", "stealth", "brawn", "charisma"]),
        ({}, {"audacity": 0}, 2, ["brawn", "charisma"]),
        ({}, {"audacity": 1, "brawn": 0, "charisma": 0, "stealth": 1}, 5, ["audacity", "stealth"]),
    ],
)
def test_tokens_are_gained_one_by_one_of_the_colour_held_least_that_there_is(
    held: dict[str, int], supply: dict[str, int], amount: int, gained: list[str]
) -> None:
    table = acted("gain_tokens", amount, {"tokens": {0: held}})
    table.supply(**supply)
    table.act()
    assert table.told_of("gain") == [{"seat": 1, "tokens": gained}]
    assert Counter(table.purse(0)) == Counter(gained) + Counter(held)
    assert table.counted("tokens_earned") == len(gained)


@pytest.mark.rule("E3")
def test_of_an_empty_supply_nothing_is_gained() -> None:
    table = acted("gain_tokens", 3, {}, tokens_each=0)
    table.act()
    assert table.kinds() == ["act"]
    assert table.purse(0) == {}


@pytest.mark.rule("E3")
@pytest.mark.parametrize("effect", ["steal_token", "destroy_token"])
@pytest.mark.parametrize(
    ("amount", "lost"),
    [
        (1, ["brawn"]),
        (3, ["brawn", "brawn", "audacity"]),
        (8, ["brawn", "brawn", "audacity", "brawn", "stealth"]),
    ],
)
def test_tokens_are_taken_one_by_one_of_the_colour_the_target_holds_most_of(
    effect: str, amount: int, lost: list[str]
) -> None:
    held = {"audacity": 1, "brawn": 3, "stealth": 1}
    table = acted(effect, amount, {"tokens": {1: held, 0: {"charisma": 1}}})
    table.act()
    assert table.told_of(effect) == [{"seat": 1, "target": 2, "tokens": lost}]
    assert Counter(table.purse(1)) == Counter(held) - Counter(lost)
    gains = Counter(lost) if effect == "steal_token" else Counter()
    assert Counter(table.purse(0)) == gains + Counter({"charisma": 1})
    in_hands = Counter(table.purse(0)) + Counter(table.purse(1))
    assert all(table.left()[name] == 20 - in_hands[name] for name in table.left())
    assert (table.counted("tokens_earned"), table.counted("tokens_spent")) == (0, 0)


@pytest.mark.rule("E3")
@pytest.mark.parametrize("amount", [1, 2, 5])
def test_training_cards_are_drawn_off_the_top_as_far_as_there_are_any(amount: int) -> None:
    table = acted("draw_training", amount, {})
    table.deck("2D", "3D", "4D")
    table.act()
    assert table.in_hand(0) == ["2D", "3D", "4D"][:amount]
    assert table.in_deck() == ["2D", "3D", "4D"][amount:]
    assert table.counted("tokens_earned") == 0


@pytest.mark.rule("E3")
@pytest.mark.parametrize("effect", ["steal_training", "discard_training"])
@pytest.mark.parametrize(
    ("amount", "picks", "lost"),
    [(1, [1], ["5C"]), (2, [2, 0], ["KS", "2D"]), (8, [1, 1, 0], ["5C", "KS", "2D"])],
)
def test_random_training_cards_of_the_target_are_taken(
    effect: str, amount: int, picks: list[int], lost: list[str]
) -> None:
    table = acted(effect, amount, {"hand": {1: ("2D", "5C", "KS")}})
    table.deck("AH")
    table.picks(1, *zip(picks, (3, 2, 1), strict=False))
    table.act()
    assert table.told_of(effect) == [{"seat": 1, "target": 2, "cards": lost}]
    assert set(table.in_hand(1)) == {"2D", "5C", "KS"} - set(lost)
    if effect == "steal_training":
        assert (set(table.in_hand(0)), table.in_deck()) == (set(lost), ["AH"])
    else:
        assert (table.in_hand(0), table.in_deck()) == ([], ["AH", *lost])


@pytest.mark.rule("E3")
@pytest.mark.parametrize(
    ("amount", "picks", "lost"),
    [(1, [0], [4]), (1, [2], [6]), (2, [1, 1], [5, 6]), (8, [0, 0, 0], [4, 6, 5])],
)
def test_random_loot_of_the_target_is_stolen(
    amount: int, picks: list[int], lost: list[int]
) -> None:
    table = acted("steal_loot", amount, {"loot": {0: (1,), 1: (4, 5, 6)}})
    table.picks(1, *zip(picks, (3, 2, 1), strict=False))
    table.act()
    assert table.told_of("steal_loot") == [{"seat": 1, "target": 2, "loot": lost}]
    assert table.looted(0) == sorted([1, *lost])
    assert table.looted(1) == sorted({4, 5, 6} - set(lost))


@pytest.mark.rule("E3")
def test_a_swap_changes_a_random_loot_card_for_another_so_many_times() -> None:
    table = acted("swap_loot", 2, {"loot": {0: (1, 2), 1: (5, 6, 4)}})
    table.picks(1, (0, 2), (2, 3), (0, 2), (0, 3))
    table.act()
    first, second = table.told_of("swap_loot")
    assert first == {"seat": 1, "target": 2, "given": 1, "taken": 4}
    assert second == {"seat": 1, "target": 2, "given": 2, "taken": 5}
    assert (table.looted(0), table.looted(1)) == ([4, 5], [1, 2, 6])


@pytest.mark.rule("E3")
@pytest.mark.parametrize(("own", "theirs"), [((), (5,)), ((5,), ()), ((), ())])
def test_nothing_is_swapped_where_one_of_the_two_has_no_loot(
    own: tuple[int, ...], theirs: tuple[int, ...]
) -> None:
    table = acted("swap_loot", 1, {"loot": {0: own, 1: theirs}})
    table.act()
    assert table.kinds() == ["act"]
    assert (table.looted(0), table.looted(1)) == (list(own), list(theirs))


@pytest.mark.rule("E3")
@pytest.mark.parametrize(
    "effect", ["steal_token", "destroy_token", "steal_training", "discard_training", "steal_loot"]
)
def test_nothing_is_taken_of_who_has_nothing(effect: str) -> None:
    table = acted(effect, 2, {})
    table.act()
    assert table.kinds() == ["act"]


@pytest.mark.rule("E3")
@pytest.mark.parametrize(("amount", "seen"), [(1, [5]), (3, [5, 1, 2]), (8, [5, 1, 2, 3])])
def test_a_peek_shows_the_top_of_the_vault_to_the_seat_alone(amount: int, seen: list[int]) -> None:
    table = acted("peek_loot", amount, {})
    table.vault(5, 1, 2, 3)
    table.act()
    assert table.told_of("peek_loot") == [{"seat": 1, "loot": seen}]
    assert table.in_vault() == [5, 1, 2, 3]
    known = [max(0, int(seen) - int(table.state.vault_top)) for seen in table.state.seen[:2]]
    assert known == [len(seen), 0]


@pytest.mark.rule("E3")
def test_there_is_nothing_to_see_in_an_empty_vault() -> None:
    table = acted("peek_loot", 2, {})
    table.act()
    assert table.kinds() == ["act"]


@pytest.mark.rule("E3", "V17")
def test_a_player_who_is_skipped_twice_before_its_turn_loses_one() -> None:
    table = acted("skip_player", 1, {})
    table.state.skips[1] = 1
    table.act()
    assert table.told_of("skip") == [{"seat": 2}]
    assert int(table.state.skips[1]) == 1
