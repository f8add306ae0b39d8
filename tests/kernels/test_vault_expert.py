"""The player `expert`: it breaks, joins and uses cards where that is worth it, and only there."""

from collections.abc import Callable
from typing import Any

import pytest

from balance.games.shipped import shipped
from balance.games.vault import ExpertPolicy, RandomPolicy
from balance.games.vault_expert import KNOBS
from kernels.vault import knobs as places
from kernels.vault import layout
from tests.vault_tables import Table, card, expert_table

Lay = Callable[[Table], None]
ALONE = {"first_break_needs_partner": False}
NEVER = {"break_from": 999.0, "act_from": 0.0}


def nothing(_: Table) -> None:
    """Nothing is laid out."""


def laid(what: str, *args: Any, **more: Any) -> Lay:
    """What lays this out at a table."""
    return lambda table: getattr(table, what)(*args, **more)


def own_loot(own: int) -> Lay:
    def lay(table: Table) -> None:
        table.loot(0, own)
        table.loot(1, 3)

    return lay


def must_skip(table: Table) -> None:
    table.state.skips[1] = 1


ANY_TIME: list[tuple[str, Lay, Lay]] = [
    ("gain_tokens", nothing, laid("supply", audacity=0, brawn=0, charisma=0, stealth=0)),
    ("draw_training", laid("deck", "2D"), nothing),
    ("peek_loot", laid("vault", 3), nothing),
    ("steal_token", laid("tokens", 1, stealth=1), nothing),
    ("destroy_token", laid("tokens", 1, stealth=1), nothing),
    ("steal_training", laid("hand", 1, "2D"), nothing),
    ("discard_training", laid("hand", 1, "2D"), nothing),
    ("steal_loot", laid("loot", 1, 3), nothing),
    ("swap_loot", own_loot(1), own_loot(6)),
    ("skip_player", nothing, must_skip),
]
AIMED = [effect for effect, _, _ in ANY_TIME[3:]]
CASES = [
    pytest.param(effect, lay, used, id=f"{effect}-{'worth' if used else 'not'}")
    for effect, worth, not_worth in ANY_TIME
    for lay, used in ((worth, True), (not_worth, False))
]


def kind(effect: str, when: str | None = None, **more: Any) -> dict[str, Any]:
    aim = {"target": "left"} if effect in AIMED else {}
    return card(effect, when, **aim, **more)


@pytest.mark.rule("V11", "E3")
@pytest.mark.parametrize(("effect", "lay", "used"), CASES)
def test_it_plays_an_action_where_it_is_worth_something(effect: str, lay: Lay, used: bool) -> None:
    table = expert_table(NEVER, players=2, actions=[kind(effect)])
    table.holds(0, action=effect)
    lay(table)
    table.choose()
    assert table.kinds()[0] == ("act" if used else "pass")


@pytest.mark.rule("V11", "E9")
@pytest.mark.parametrize(("effect", "lay", "used"), CASES)
def test_it_plays_no_action_that_costs_more_than_it_is_worth(
    effect: str, lay: Lay, used: bool
) -> None:
    table = expert_table(
        {**NEVER, "token": 9.0}, players=2, actions=[kind(effect, cost={"brawn": 3})]
    )
    table.tokens(0, brawn=3)
    table.holds(0, action=effect)
    lay(table)
    table.choose()
    assert table.kinds() == ["pass"]


@pytest.mark.rule("E2", "E9")
@pytest.mark.parametrize("when", ["on_action", "on_any_break", "on_my_failure", "on_targeted"])
@pytest.mark.parametrize(("effect", "lay", "used"), CASES)
def test_it_uses_a_reaction_where_it_is_worth_something(
    effect: str, lay: Lay, used: bool, when: str
) -> None:
    players = [ExpertPolicy(), RandomPolicy(acting=False)]
    actions = [card("skip_player", name="aims", target="left"), card("peek_loot", name="none")]
    table = Table(
        players, reactions=[kind(effect, when)], actions=actions, thresholds=[300], players=2
    )
    lay(table)
    table.holds(0, reaction=effect)
    if when in ("on_action", "on_targeted"):
        table.holds(1, action="aims" if when == "on_targeted" else "none")
        table.act(1)
    else:
        if not used and effect in ("steal_token", "destroy_token", "gain_tokens"):
            table.react(0, when)  # a breaker would have paid tokens
        else:
            breaker = 0 if when == "on_my_failure" else 1
            table.tokens(breaker, audacity=1)
            table.dies(layout.ONE_CARD)
            table.break_in({breaker: 1})
    assert ("react" in table.kinds()) is used


def reacting(
    effect: str,
    own: bool,
    pool: dict[int, int] | None = None,
    dice: tuple[int, ...] = (),
    amount: int = 1,
    dear: bool = False,
    **rules: Any,
) -> bool:
    """Whether the expert at seat 0 uses its card, at a dear price, in its own or seat 1's break."""
    price = {"any": 1} if dear else {}
    reactions = [card(effect, "on_any_break", amount=amount, cost=price)]
    players = [ExpertPolicy(token=20.0 if dear else 0.6), RandomPolicy()]
    table = Table(players, reactions=reactions, players=2, **{"thresholds": [10, 10], **rules})
    table.holds(0, reaction=effect)
    table.tokens(0, stealth=8)
    table.tokens(1, stealth=8)
    table.vault(3, 3, 3)
    if dice:
        table.dice(*dice)
    breaker = 0 if own else 1
    table.break_in(pool or {breaker: len(dice) or 2}, [breaker] * 3)
    return "react" in table.kinds()


@pytest.mark.rule("E4")
@pytest.mark.parametrize("effect", ["extra_die", "lower_threshold"])
def test_it_betters_the_odds_of_its_own_break_and_of_no_rivals(effect: str) -> None:
    assert reacting(effect, own=True)
    assert not reacting(effect, own=False)
    assert not reacting(effect, own=True, thresholds=[2, 10])  # two dice reach that anyway
    assert not reacting(effect, own=True, dear=True)


@pytest.mark.rule("E4")
@pytest.mark.parametrize(
    ("dice", "used"), [((4, 4), True), ((5, 3), True), ((4, 3), False), ((5, 5), False)]
)
def test_it_adds_pips_where_they_turn_a_failure_into_a_success(
    dice: tuple[int, ...], used: bool
) -> None:
    assert reacting("add_to_roll", own=True, dice=dice, amount=2) is used
    assert not reacting("add_to_roll", own=False, dice=dice, amount=2)
    assert not reacting("add_to_roll", own=True, dice=dice, amount=2, dear=True)


@pytest.mark.rule("E4")
@pytest.mark.parametrize(
    ("dice", "used"), [((1, 5), True), ((1, 2), False), ((5, 5), False), ((6, 3), True)]
)
def test_it_rolls_low_dice_again_where_that_can_help(dice: tuple[int, ...], used: bool) -> None:
    assert reacting("reroll_lowest", own=True, dice=dice) is used
    assert not reacting("reroll_lowest", own=False, dice=dice)


@pytest.mark.rule("E4")
def test_it_joins_uninvited_a_break_that_will_succeed() -> None:
    assert reacting("join_uninvited", own=False, pool={1: 6})
    assert not reacting("join_uninvited", own=False, pool={1: 2}, thresholds=[300, 1])
    assert not reacting("join_uninvited", own=False, pool={1: 6}, dear=True)


@pytest.mark.rule("E6")
@pytest.mark.parametrize(
    ("effect", "lay", "loses"),
    [
        ("steal_token", laid("tokens", 0, stealth=1), True),
        ("steal_token", nothing, False),
        ("destroy_token", laid("tokens", 0, stealth=1), True),
        ("destroy_token", nothing, False),
        ("steal_training", laid("hand", 0, "2D"), True),
        ("steal_training", nothing, False),
        ("discard_training", laid("hand", 0, "2D"), True),
        ("discard_training", nothing, False),
        ("steal_loot", laid("loot", 0, 3), True),
        ("steal_loot", nothing, False),
        ("swap_loot", laid("loot", 0, 6), True),
        ("swap_loot", laid("loot", 0, 1), False),
        ("skip_player", nothing, True),
        ("skip_player", lambda table: table.state.skips.__setitem__(0, 1), False),
    ],
)
@pytest.mark.parametrize(
    ("effect_used", "when"), [("protect", "on_targeted"), ("cancel_action", "on_action")]
)
def test_it_protects_itself_and_cancels_actions_where_it_would_lose_something(
    effect: str, lay: Lay, loses: bool, effect_used: str, when: str
) -> None:
    players = [ExpertPolicy(), RandomPolicy()]
    table = Table(
        players,
        players=2,
        actions=[card(effect, target="left")],
        reactions=[card(effect_used, when)],
    )
    table.holds(1, action=effect)
    table.holds(0, reaction=effect_used)
    lay(table)
    table.act(1)
    assert ("react" in table.kinds()) is loses


@pytest.mark.rule("E6")
def test_it_cancels_what_gains_much_of_another_and_nothing_that_aims_at_nobody() -> None:
    for action, used in (
        (card("steal_loot", target="left"), True),
        (card("gain_tokens", amount=8), False),
    ):
        players = [ExpertPolicy(), RandomPolicy(), RandomPolicy()]
        table = Table(
            players, players=3, actions=[action], reactions=[card("cancel_action", "on_action")]
        )
        table.loot(2, 6, 6)
        table.holds(1, action=action["name"])
        table.holds(0, reaction="cancel_action")
        table.act(1)
        assert ("react" in table.kinds()) is used


@pytest.mark.rule("E8")
@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("has", [True, False])
def test_it_ignores_a_failure_that_would_cost_it_something(die: int, has: bool) -> None:
    table = expert_table(
        {}, players=2, thresholds=[300], reactions=[card("ignore_failure", "on_my_failure")]
    )
    table.holds(0, reaction="ignore_failure")
    table.tokens(0, stealth=3 if has else 1)
    if has:
        table.hand(0, "2D", "3D")
        table.loot(0, 4)
    table.dies(die)
    table.break_in({0: 1})
    assert ("react" in table.kinds()) is (has or die == layout.SKIP)


def alone(vp: int = 0, tokens: int = 6, breaks: int = 0, knobs: Any = None, **rules: Any) -> Any:
    """How many dice the expert rolls alone, or None where it passes."""
    table = expert_table(knobs or {}, players=2, **{**ALONE, **rules})
    table.vault(3, 3, 3, 3, 3, 3)
    table.tokens(0, stealth=tokens)
    table.loot(0, *([vp] if vp else []))
    table.broken(breaks)
    table.choose()
    told = table.told_of("break")
    return told[0]["parts"][0]["dice"] if told else None


@pytest.mark.rule("V11", "V12")
def test_it_breaks_with_as_many_dice_as_are_worth_their_tokens() -> None:
    assert alone(thresholds=[1, 1]) == 1
    assert 1 < alone(thresholds=[10, 10]) < 6
    assert alone(thresholds=[10, 10], knobs={"token": 0.0, "token_late": 0.0}) == 6
    assert alone(thresholds=[36, 36]) is None
    assert alone(thresholds=[10, 10], knobs={"token": 5.0}) is None
    assert alone(thresholds=[10, 10], knobs=NEVER) is None


@pytest.mark.rule("V11")
def test_the_price_of_failure_keeps_it_from_bad_odds() -> None:
    assert alone(tokens=2, thresholds=[9, 9], knobs={"fail": 0.0}) == 2
    assert alone(tokens=2, thresholds=[9, 9], knobs={"fail": 9.0}) is None


@pytest.mark.rule("V13", "V14")
def test_it_offers_a_partner_loot_for_its_dice_and_accepts_what_is_worth_it() -> None:
    join = {"join_from": -9.0}
    for knobs, most in (({**join, "partner_cards": 0.0}, 1), ({**join, "partner_cards": 2.0}, 3)):
        table = expert_table(knobs, players=2)
        table.vault(3, 3, 3)
        table.tokens(0, stealth=3)
        table.tokens(1, stealth=3)
        table.choose()
        (line,) = table.told_of("break")
        assert 1 <= line["shares"].count(2) <= most
        assert line["shares"] == sorted(line["shares"])
        assert [part["seat"] for part in line["parts"]] == [1, 2]


@pytest.mark.rule("V13")
@pytest.mark.parametrize(("join_from", "joins"), [(-9.0, True), (99.0, False)])
def test_what_a_break_must_be_worth_to_be_joined_is_a_knob(join_from: float, joins: bool) -> None:
    table = expert_table({"join_from": join_from, "break_from": -9.0}, players=2)
    table.vault(3, 3, 3)
    table.tokens(0, stealth=4)
    table.tokens(1, stealth=4)
    table.choose()
    assert ("break" in table.kinds()) is joins


@pytest.mark.rule("V7", "V8")
@pytest.mark.parametrize("deck", ["actions", "reactions"])
def test_it_keeps_the_card_that_is_worth_more(deck: str) -> None:
    when = None if deck == "actions" else "on_action"
    kinds = [card("gain_tokens", when, amount=3), card("draw_training", when)]
    table = expert_table({}, **{deck: kinds})
    table.deck(*["2D"] * 9)
    table.pile(deck, "draw_training", "gain_tokens")
    table.start_turn()
    assert table.held(0, deck) == "gain_tokens"
    table.start_turn()
    assert table.held(0, deck) == "gain_tokens"
    assert table.in_pile(deck) == ["draw_training"]


@pytest.mark.rule("E3", "V14")
def test_it_counts_the_loot_that_it_has_peeked_at_as_what_it_is() -> None:
    for values, breaks in (((0, 0, 0), False), ((6, 6, 6), True)):
        table = expert_table(
            {"fail": 3.0, "loot_bonus": 0.0}, players=2, thresholds=[10, 10], **ALONE
        )
        table.vault(*values, 3, 3)
        table.tokens(0, stealth=4)
        table.state.seen[0] = int(table.state.vault_top) + 3
        table.choose()
        assert ("break" in table.kinds()) is breaks


@pytest.mark.rule("E3", "V14")
def test_what_only_others_have_seen_and_what_lies_hidden_changes_no_decision() -> None:
    told = []
    for values, seen in (((6, 6, 6), 0), ((0, 0, 0), 3), ((1, 5, 0), 0)):
        table = expert_table({}, players=2, thresholds=[10, 10], **ALONE)
        table.vault(*values)
        table.loot(1, values[0], 3)
        table.tokens(0, stealth=4)
        table.state.seen[1] = int(table.state.vault_top) + seen
        table.choose()
        told.append(table.told_of("break"))
    assert told[0] == told[1] == told[2]


@pytest.mark.rule("V11")
def test_its_knobs_stand_where_the_kernel_reads_them() -> None:
    assert [name.upper() for name in KNOBS] == [
        name
        for name, _ in sorted(
            (
                (name, place)
                for name, place in vars(places).items()
                if name.isupper() and name not in ("BREAK_AT", "JOIN_AT", "LONER")
            ),
            key=lambda item: item[1],
        )
    ]
    found = shipped("vault_expert")
    found.pop("name")
    assert found == {name: getattr(ExpertPolicy(), name) for name in KNOBS}
