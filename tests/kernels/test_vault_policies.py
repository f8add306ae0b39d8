"""The players: what all have in common, random, and those that go by a rule of thumb."""

from typing import Any

import pytest
from pydantic import ValidationError

from balance.games.vault import (
    VAULT,
    ExpertPolicy,
    HastyPolicy,
    LonerPolicy,
    PatientPolicy,
    RandomPolicy,
    SimplePolicy,
    chance_table,
)
from balance.values import explain
from tests.vault_tables import Table, card

NO, YES = 0, 1
ALL = (
    *(RandomPolicy, SimplePolicy, HastyPolicy, PatientPolicy, LonerPolicy),
    ExpertPolicy,
)
ALONE = {"first_break_needs_partner": False}


def table_of(policies: Any, tokens: tuple[int, ...], **rules: Any) -> Table:
    table = Table(policies, **{"players": len(tokens), **rules})
    for seat, n in enumerate(tokens):
        table.tokens(seat, stealth=n)
    table.vault(1, 2, 3, 4, 5, 6)
    return table


def parties(policy: Any, tokens: tuple[int, ...], **rules: Any) -> set[tuple[int, ...]]:
    """Who took part in the breaks that seat 0 made in many trials; () for none."""
    found = set()
    for seed in range(60):
        table = table_of(policy, tokens, **rules)
        for seat in range(len(tokens)):
            table.state.coins[seat] = 100 * seed
        table.choose()
        lines = table.told_of("break")
        found.add(tuple(part["seat"] - 1 for part in lines[0]["parts"]) if lines else ())
    return found


@pytest.mark.rule("V13")
@pytest.mark.parametrize("policy", ALL)
def test_who_is_not_inviting_never_breaks_with_others(policy: Any) -> None:
    quiet = policy(inviting=False)
    assert parties(quiet, (6, 6, 6)) == {()}
    assert parties(quiet, (6, 6, 6), **ALONE, thresholds=[3]) - {()} == {(0,)}


@pytest.mark.rule("V13")
@pytest.mark.parametrize("policy", ALL)
def test_who_is_not_joining_takes_part_in_no_break_of_others(policy: Any) -> None:
    shy = policy(joining=False)
    breaker = HastyPolicy(break_at=0.0)
    assert parties([breaker, shy, shy], (6, 6, 6)) == {()}
    assert (0, 1) in parties([breaker, policy(), shy], (6, 6, 6), thresholds=[2, 2])
    assert parties([breaker, policy(), shy], (6, 6, 6), thresholds=[2, 2]) <= {(), (0, 1)}


@pytest.mark.rule("V11", "E9")
@pytest.mark.parametrize("policy", ALL)
@pytest.mark.parametrize("acting", [True, False])
def test_who_is_not_acting_uses_no_action_and_no_reaction(policy: Any, acting: bool) -> None:
    kinds: set[str] = set()
    for seed in range(40):
        table = Table(
            policy(acting=acting),
            players=2,
            thresholds=[300],
            actions=[card("gain_tokens", amount=8)],
            reactions=[card("gain_tokens", "on_any_break", amount=8)],
        )
        table.state.coins[:2] = 100 * seed
        table.holds(0, action="gain_tokens")
        table.holds(1, reaction="gain_tokens")
        table.choose()
        table.tokens(0, stealth=1)
        table.break_in({0: 1})
        kinds |= set(table.kinds())
    uses = acting and policy is not SimplePolicy
    assert ({"act", "react"} & kinds) == ({"act", "react"} if uses else set())


@pytest.mark.rule("V11")
@pytest.mark.parametrize("policy", ALL)
def test_mistakes_are_decisions_drawn_by_lot(policy: Any) -> None:
    """Seat 0 has next to no chance, so that nobody would break but by mistake."""
    kinds = {}
    for mistakes in (0.0, 0.5, 1.0):
        broke = 0
        for seed in range(200):
            table = table_of(policy(mistakes=mistakes), (2, 2), thresholds=[24], **ALONE)
            table.state.coins[:2] = 100 * seed
            table.choose()
            broke += "break" in table.kinds()
        kinds[mistakes] = broke
    assert kinds[0.0] == 0 or policy is RandomPolicy
    if policy is not RandomPolicy:
        assert 0 < kinds[0.5] < kinds[1.0]
    assert kinds[1.0] > 40


@pytest.mark.rule("V11")
@pytest.mark.parametrize("policy", ALL)
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"mistakes": 1.5}, "must be 1 or less (got 1.5)"),
        ({"mistakes": -0.1}, "must be 0 or more (got -0.1)"),
        ({"inviting": 1}, "must be true or false (got 1)"),
        ({"joining": "maybe"}, "must be true or false (got maybe)"),
        ({"acting": None}, "must be true or false (got null)"),
        ({"bravery": 1}, None),
    ],
)
def test_options_that_cannot_be_are_refused(
    policy: Any, fields: dict[str, Any], message: str | None
) -> None:
    with pytest.raises(ValidationError) as caught:
        policy(**fields)
    (error,) = caught.value.errors()
    assert message is None or explain(error) == message


@pytest.mark.rule("V11")
def test_the_game_knows_six_players() -> None:
    assert {name: policy().name for name, policy in VAULT.policies.items()} == {
        name: name for name in ("random", "simple", "hasty", "patient", "loner", "expert")
    }


@pytest.mark.rule("V11", "V13")
def test_a_random_seat_accepts_invitations_by_lot() -> None:
    for answer, kind in ((NO, "pass"), (YES, "break")):
        table = table_of([SimplePolicy(), RandomPolicy()], (4, 4))
        table.says(1, answer)
        table.choose()
        assert table.kinds()[-1 if answer == NO else 0] == kind
        assert len(table.told_of("decline")) == 1 - answer


@pytest.mark.rule("V11", "V13")
@pytest.mark.parametrize(
    ("policy", "least"),
    [
        (HastyPolicy(), 3),
        (PatientPolicy(), 4),
        (LonerPolicy(), 3),
        (PatientPolicy(break_at=0.5), 3),
    ],
)
def test_each_breaks_alone_from_its_own_chance_on(policy: Any, least: int) -> None:
    chances = chance_table(12, 73)
    assert [float(chances[n, 10]) >= 0.5 for n in (2, 3, 4)] == [False, True, True]
    assert [float(chances[n, 10]) >= 0.9 for n in (3, 4)] == [False, True]
    for held in range(1, 7):
        table = table_of(policy, (held, 0), **ALONE)
        table.choose()
        told = table.told_of("break")
        assert [part["dice"] for line in told for part in line["parts"]] == (
            [least] if held >= least else []
        )


@pytest.mark.rule("V13")
@pytest.mark.parametrize(
    ("policy", "joins"),
    [
        (HastyPolicy(), (True, True, True)),
        (PatientPolicy(), (False, False, True)),
        (LonerPolicy(), (False, True, True)),
        (LonerPolicy(join_at=0.9), (False, False, True)),
        (HastyPolicy(join_at=0.5), (False, True, True)),
    ],
)
def test_each_joins_from_its_own_chance_on(policy: Any, joins: tuple[bool, ...]) -> None:
    """Two dice for 12, three for 10 and four for 10: chances of 1/36, 0.63 and 0.90."""
    for (threshold, tokens, break_at), joined in zip(
        ((12, (1, 1), 0.0), (10, (2, 1), 0.5), (10, (3, 1), 0.9)), joins, strict=True
    ):
        table = table_of([SimplePolicy(break_at=break_at), policy], tokens, thresholds=[threshold])
        table.choose()
        assert ("break" in table.kinds()) is joined
        assert len(table.told_of("decline")) == 1 - joined


@pytest.mark.rule("V13")
def test_the_loner_invites_before_the_first_break_and_never_after() -> None:
    for broken, parts in ((0, [1, 2]), (1, None)):
        table = table_of([LonerPolicy(), SimplePolicy()], (2, 4), thresholds=[10, 10, 10])
        table.broken(broken)
        table.choose()
        told = table.told_of("break")
        assert [[part["seat"] for part in line["parts"]] for line in told] == (
            [parts] if parts else []
        )


@pytest.mark.rule("V14")
@pytest.mark.parametrize("policy", [HastyPolicy(), PatientPolicy(), LonerPolicy()])
def test_rules_of_thumb_share_as_simple_does(policy: Any) -> None:
    table = table_of([policy, HastyPolicy()], (4, 4))
    table.choose()
    assert table.told_of("break")[0]["shares"] == [1, 1, 2]


@pytest.mark.rule("V11")
@pytest.mark.parametrize("policy", [HastyPolicy(), PatientPolicy(), LonerPolicy()])
def test_rules_of_thumb_act_where_they_would_pass_and_the_card_is_worth_it(policy: Any) -> None:
    for supply, tokens, kind in ((20, 0, "act"), (20, 6, "break"), (0, 0, "pass")):
        table = table_of(policy, (tokens, 0), actions=[card("gain_tokens")], **ALONE)
        table.supply(audacity=supply, brawn=supply, charisma=supply, stealth=supply)
        table.holds(0, action="gain_tokens")
        table.choose()
        assert table.kinds()[0] == kind
