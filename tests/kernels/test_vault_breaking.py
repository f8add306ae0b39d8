"""Breaking the vault (V12-V16, V18): who may join, what it takes, and what it gives."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from balance.games.vault import (
    VAULT,
    ExpertPolicy,
    HastyPolicy,
    RandomPolicy,
    SimplePolicy,
    VaultRules,
    chance_table,
)
from balance.games.vault_dice import chances, ways
from kernels.vault import layout
from tests.vault_tables import Table

SIX = tuple(range(1, 7))


def offers(policy: Any, seeds: int, tokens: tuple[int, ...], **rules: Any) -> list[dict[str, Any]]:
    """The breaks that seat 1, playing by lot, makes of these tokens."""
    found = []
    for seed in range(seeds):
        table = Table(policy, **{"players": len(tokens), **rules})
        for seat, n in enumerate(tokens):
            table.tokens(seat, stealth=n)
        table.vault(1, 2, 3)
        table.state.coins[0] = 100 * seed
        table.choose()
        found += table.told_of("break")
    assert found
    return found


@pytest.mark.rule("V12", "V18")
@pytest.mark.parametrize("faces", [(6, 6, 1), (1, 1, 1)])
def test_every_token_paid_buys_one_die_and_is_spent_whether_or_not_it_succeeds(
    faces: tuple[int, ...],
) -> None:
    table = Table()
    table.tokens(0, stealth=3, brawn=1)
    table.tokens(2, audacity=1, charisma=1)
    table.dice(*faces)
    table.dies(layout.SKIP)
    table.break_in({0: 2, 2: 1})
    assert table.told_of("roll")[0]["dice"] == list(faces)
    assert table.purse(0) == {"stealth": 1, "brawn": 1}
    assert table.purse(2) == {"charisma": 1}
    assert table.left() == {"audacity": 20, "brawn": 19, "charisma": 19, "stealth": 19}
    assert (table.counted("tokens_spent"), table.counted("dice")) == (3, 3)
    assert table.counted("participants") == 2


@pytest.mark.rule("V12")
def test_tokens_are_paid_one_by_one_of_the_colour_held_most_and_of_equals_the_first() -> None:
    table = Table()
    table.tokens(0, audacity=2, brawn=2, charisma=3, stealth=1)
    table.break_in({0: 6})
    (part,) = table.told_of("break")[0]["parts"]
    paid = ["charisma", "audacity", "brawn", "charisma", "audacity", "brawn"]
    assert part == {"seat": 1, "dice": 6, "paid": paid}
    assert table.purse(0) == {"charisma": 1, "stealth": 1}


@pytest.mark.rule("V12")
def test_the_breaker_pays_first_then_the_others_clockwise() -> None:
    table = Table()
    for seat in range(4):
        table.tokens(seat, stealth=2)
    table.break_in({2: 1, 0: 2, 3: 1}, [2, 0, 3])
    (line,) = table.told_of("break")
    assert [(part["seat"], part["dice"]) for part in line["parts"]] == [(3, 1), (4, 1), (1, 2)]
    assert line["shares"] == [3, 1, 4]


@pytest.mark.rule("V12")
@pytest.mark.parametrize(("rules", "most"), [({}, 6), ({"dice": 2}, 2), ({"dice": 12}, 9)])
def test_with_a_limit_for_each_player_everyone_may_bring_so_many_dice(
    rules: dict[str, Any], most: int
) -> None:
    found = offers(None, 250, (9, 9), **rules)
    dice = {part["dice"] for line in found for part in line["parts"]}
    assert dice == set(range(1, most + 1))
    totals = {sum(part["dice"] for part in line["parts"]) for line in found}
    assert max(totals) > most


@pytest.mark.rule("V12")
@pytest.mark.parametrize(("rules", "most"), [({}, 6), ({"dice": 2}, 2), ({"dice": 9}, 9)])
@pytest.mark.parametrize("needed", [True, False])
def test_with_a_limit_for_the_table_all_dice_count_together(
    rules: dict[str, Any], most: int, needed: bool
) -> None:
    table = {"dice_limit": "table", "first_break_needs_partner": needed}
    found = offers(None, 250, (9, 9, 9), **table, **rules)
    totals = {sum(part["dice"] for part in line["parts"]) for line in found}
    assert max(totals) == most
    assert min(len(line["parts"]) for line in found) == (2 if needed else 1)


@pytest.mark.rule("V12")
def test_a_break_with_a_partner_is_impossible_where_the_table_has_one_die() -> None:
    for policy in (RandomPolicy(), SimplePolicy(break_at=0), ExpertPolicy(break_from=-99)):
        for seed in range(20):
            table = Table(policy, dice=1, dice_limit="table")
            for seat in range(4):
                table.tokens(seat, stealth=5)
            table.state.coins[0] = 100 * seed
            table.choose()
            assert table.kinds() == ["pass"]


@pytest.mark.rule("V13")
@pytest.mark.parametrize("limit", ["player", "table"])
@pytest.mark.parametrize(
    "policy",
    [RandomPolicy(), SimplePolicy(break_at=0.3), ExpertPolicy(break_from=-99, join_from=-99)],
)
def test_before_the_first_break_somebody_must_join(policy: Any, limit: str) -> None:
    for line in offers(policy, 40, (6, 6, 6), dice_limit=limit):
        assert len(line["parts"]) >= 2


@pytest.mark.rule("V13")
@pytest.mark.parametrize(
    "policy", [RandomPolicy(), SimplePolicy(), ExpertPolicy(break_from=-99, join_from=-99)]
)
@pytest.mark.parametrize(
    ("needed", "broken", "kind"), [(True, 0, "pass"), (False, 0, "break"), (True, 1, "break")]
)
def test_who_finds_no_partner_breaks_only_where_none_is_needed(
    policy: Any, needed: bool, broken: int, kind: str
) -> None:
    kinds = set()
    for seed in range(30):
        table = Table(policy, first_break_needs_partner=needed)
        table.tokens(0, stealth=6)
        table.vault(1, 2, 3)
        table.broken(broken)
        table.state.coins[0] = 100 * seed
        table.choose()
        kinds.add(table.kinds()[0])
    assert kinds - {"pass"} == ({kind} - {"pass"})


@pytest.mark.rule("V13")
def test_a_random_seat_invites_any_number_of_others_who_have_tokens() -> None:
    found = offers(HastyPolicy(mistakes=1.0), 300, (2, 2, 0, 2), first_break_needs_partner=False)
    seats = {tuple(sorted(part["seat"] for part in line["parts"])) for line in found}
    assert seats == {(1,), (1, 2), (1, 4), (1, 2, 4)}


@pytest.mark.rule("V13")
def test_who_declines_is_told_and_the_offer_is_made_to_another() -> None:
    players = [SimplePolicy(), SimplePolicy(joining=False), SimplePolicy(), SimplePolicy()]
    table = Table(players)
    for seat, n in enumerate((6, 6, 5, 6)):
        table.tokens(seat, stealth=n)
    table.choose()
    assert table.told_of("decline") == [{"seat": 2, "breaker": 1}]
    assert [part["seat"] for part in table.told_of("break")[0]["parts"]] == [1, 4]
    assert table.purse(1) == {"stealth": 6}


@pytest.mark.rule("V13")
def test_where_all_decline_nobody_breaks_and_nothing_is_paid() -> None:
    table = Table([SimplePolicy(), *[SimplePolicy(joining=False)] * 3])
    for seat in range(4):
        table.tokens(seat, stealth=6)
    table.choose()
    assert [line["seat"] for line in table.told_of("decline")] == [2, 3, 4]
    assert table.kinds() == ["decline"] * 3 + ["pass"]
    assert [sum(table.purse(seat).values()) for seat in range(4)] == [6] * 4
    assert table.counted("attempts") == 0


@pytest.mark.rule("V14")
def test_the_shares_are_told_before_the_roll_and_hold_after_it() -> None:
    table = Table()
    table.tokens(0, stealth=2)
    table.tokens(3, stealth=1)
    table.vault(6, 1, 4, 5)
    table.dice(6, 5, 4)
    table.break_in({0: 2, 3: 1}, [3, 0, 3])
    assert table.kinds() == ["break", "roll", "broken"]
    assert table.told_of("break")[0]["shares"] == [4, 1, 4]
    assert (table.looted(0), table.looted(3)) == ([1], [4, 6])


@pytest.mark.rule("V14")
def test_by_lot_every_participant_and_nobody_else_may_get_any_share() -> None:
    found = offers(None, 300, (2, 2, 2))
    for place in range(3):
        assert {line["shares"][place] for line in found} == {1, 2, 3}
    for line in found:
        assert set(line["shares"]) <= {part["seat"] for part in line["parts"]}


@pytest.mark.rule("V15")
@pytest.mark.parametrize(("number", "needed"), list(enumerate((10, 15, 20, 25, 30, 35))))
@pytest.mark.parametrize("short", [0, 1])
def test_the_total_must_reach_the_threshold_of_the_next_break(
    number: int, needed: int, short: int
) -> None:
    table = Table()
    table.tokens(0, stealth=6)
    table.broken(number)
    pips = needed - short
    faces = [pips // 6 + (i < pips % 6) for i in range(6)]
    table.dice(*faces)
    table.break_in({0: 6})
    (roll,) = table.told_of("roll")
    assert (roll["total"], roll["threshold"]) == (pips, needed)
    assert table.told_of("break")[0]["threshold"] == needed
    assert table.counted("breaks") == (1 - short)
    assert table.state.breaks == number + 1 - short
    assert table.counted(f"attempts_at.{number + 1}") == 1
    assert table.counted(f"broken_at.{number + 1}") == 1 - short
    assert ("broken" in table.kinds()) is not short == ("failed" in table.kinds())


@pytest.mark.rule("V15")
def test_the_thresholds_are_a_rule() -> None:
    table = Table(thresholds=[3, 1, 12])
    table.tokens(0, stealth=6)
    for needed, faces, breaks in ((3, (2,), 0), (3, (3,), 1), (1, (1,), 2), (12, (5, 6), 2)):
        table.dice(*faces)
        table.break_in({0: len(faces)})
        assert table.told_of("break")[-1]["threshold"] == needed
        assert table.counted("breaks") == breaks


@pytest.mark.rule("V15")
def test_the_ways_of_n_dice_are_those_that_counting_gives() -> None:
    pinned = {
        2: (6, 0, 0, 0, 0, 0),
        3: (135, 20, 0, 0, 0, 0),
        4: (1170, 575, 70, 0, 0, 0),
        5: (7650, 6054, 2373, 252, 1, 0),
        6: (46572, 43821, 29715, 9604, 918, 7),
    }
    table = chance_table(12, 73)
    for n, expected in pinned.items():
        sums = Counter(map(sum, product(SIX, repeat=n)))
        for needed, count in zip((10, 15, 20, 25, 30, 35), expected, strict=True):
            assert sum(times for total, times in sums.items() if total >= needed) == count
            assert table[n, needed] == count / 6**n
            assert sum(ways((SIX,) * n)[needed:]) == count
    assert chances((SIX,) * 12, [35])[0] == Fraction(sum(ways((SIX,) * 12)[35:]), 6**12)
    assert round(float(table[12, 35]), 4) == 0.8964


@pytest.mark.rule("V15")
def test_the_dice_of_an_attempt_are_fair() -> None:
    """n = 400 games of random players, every face within four standard errors of 1/6."""
    packed = VAULT.pack(VaultRules(max_turns=40), [RandomPolicy()] * 4)
    faces: Counter[int] = Counter()
    for rollout in range(400):
        for line in packed.trace(11, rollout):
            if line["event"] == "roll":
                faces.update(line["dice"])
    n = sum(faces.values())
    error = (n * (1 / 6) * (5 / 6)) ** 0.5
    assert set(faces) == set(SIX)
    assert all(abs(times - n / 6) < 4 * error for times in faces.values())


@pytest.mark.rule("V16")
def test_the_top_loot_cards_go_to_whom_they_were_promised_in_their_order() -> None:
    table = Table()
    table.tokens(1, stealth=2)
    table.tokens(2, stealth=1)
    table.vault(5, 2, 6, 1, 3)
    table.dice(4, 4, 4)
    table.break_in({1: 2, 2: 1}, [1, 1, 2])
    assert (table.looted(1), table.looted(2)) == ([2, 5], [6])
    assert table.in_vault() == [1, 3]
    assert table.told_of("broken") == [
        {
            "loot": [{"seat": 2, "vp": 5}, {"seat": 2, "vp": 2}, {"seat": 3, "vp": 6}],
            "total": 12,
        }
    ]


@pytest.mark.rule("V16")
def test_a_failure_leaves_the_loot_where_it_is() -> None:
    table = Table()
    table.tokens(0, stealth=1)
    table.vault(5, 2, 6)
    table.break_in({0: 1}, [0, 0, 0])
    assert table.in_vault() == [5, 2, 6]
    assert table.looted(0) == []


@pytest.mark.rule("V16")
@pytest.mark.parametrize("policy", [SimplePolicy(break_at=0), HastyPolicy(break_at=0)])
@pytest.mark.parametrize(
    ("vault", "per_break", "shares"),
    [((4, 3, 2, 1), 3, 3), ((4, 3), 3, 2), ((), 3, 0), ((4, 3, 2, 1), 1, 1), ((4, 3), 0, 0)],
)
def test_of_a_vault_that_runs_out_there_is_what_is_left(
    policy: Any, vault: tuple[int, ...], per_break: int, shares: int
) -> None:
    table = Table(policy, loot_per_break=per_break, thresholds=[2, 1])
    table.tokens(0, stealth=1)
    table.tokens(1, stealth=1)
    table.vault(*vault)
    table.choose()
    assert table.told_of("break")[0]["shares"] == [1, 1, 2][:shares]
    assert table.counted("breaks") == 1
    assert table.in_vault() == list(vault[shares:])
    assert table.looted(0) + table.looted(1) == sorted(vault[:2][:shares]) + list(vault[2:shares])


@pytest.mark.rule("V16")
def test_a_loot_card_cannot_be_refused() -> None:
    table = Table(loot={0: 3})
    table.tokens(0, stealth=2)
    table.vault(0, 0, 0)
    table.dice(6, 6)
    table.break_in({0: 2}, [0, 0, 0])
    assert table.looted(0) == [0, 0, 0]
