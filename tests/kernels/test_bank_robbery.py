"""The resolution of a robbery: order, pot, ties and specials."""

from itertools import permutations, product
from typing import Any

import pytest

from tests.bank_tables import RESULTS, SPECIALS, Resolver
from tests.oracles.bank_robbery import acting, resolve

RULES = [
    {"stake_on_shortfall": shortfall, "ties": ties, "specials": specials}
    for shortfall in ("returned", "lost")
    for ties in ("turn_order", "together")
    for specials in ("simple", "published")
]


def gains(stakes: str, pot: int, lying: str = "", robber: int = 0, **rules: Any) -> list[int]:
    return Resolver(**rules)([int(n) for n in stakes.split()], pot, lying.split(), robber)


def ended(stakes: str, pot: int, lying: str = "", **rules: Any) -> set[str]:
    resolver = Resolver(**rules)
    resolver([int(n) for n in stakes.split()], pot, lying.split())
    return resolver.what


def order(stakes: str, robber: int, lying: str = "") -> list[int]:
    resolver = Resolver()
    numbers = [int(n) for n in stakes.split()]
    resolver(numbers, 10, lying.split(), robber)
    return resolver.took(len(numbers))


@pytest.mark.rule("K11", "K13", "K14", "K15", "K16", "K17")
@pytest.mark.parametrize(
    ("stakes", "pot", "specials", "rules", "gained"),
    [
        ("2 3 5", 12, "", {}, [2, 3, 5]),
        ("2 3 8", 12, "", {}, [2, 3, 0]),
        ("8 3 2", 12, "judge", {}, [8, 3, 0]),
        ("0 4 4", 6, "", {}, [0, 4, 0]),
        ("0 4 4", 6, "", {"ties": "together"}, [0, 0, 0]),
        ("0 4 4", 6, "guard", {}, [5, 0, 0]),
        ("0 4 4", 6, "thief", {}, [0, -4, -4]),
        ("0 4 4", 6, "guard thief", {}, [5, -4, -4]),
        ("1 2 3", 6, "lady guard thief", {}, [1, 2, 3]),
    ],
)
def test_the_examples_of_the_rules(
    stakes: str, pot: int, specials: str, rules: dict[str, Any], gained: list[int]
) -> None:
    assert gains(stakes, pot, specials, **rules) == gained


@pytest.mark.rule("K11")
def test_the_lowest_stake_is_paid_first_wherever_it_sits() -> None:
    for stakes in permutations((2, 3, 5)):
        assert gains(" ".join(map(str, stakes)), 5) == [n if n < 5 else 0 for n in stakes]


@pytest.mark.rule("K11")
def test_a_pot_that_just_suffices_pays_all_and_one_coin_less_does_not() -> None:
    assert gains("1 2 3 4", 10) == [1, 2, 3, 4]
    assert gains("1 2 3 4", 9) == [1, 2, 3, 0]
    assert ended("1 2 3 4", 10) == {"paid"}
    assert ended("1 2 3 4", 9) == {"short"}


@pytest.mark.rule("K11")
def test_after_the_first_that_cannot_be_paid_nobody_is_even_if_the_pot_would_suffice() -> None:
    assert gains("8 3 1", 9, "judge") == [8, 0, 0]
    assert gains("9 2 1", 4, "judge") == [0, 0, 0]
    assert gains("2 5 3 1 4", 5) == [2, 0, 0, 1, 0]


@pytest.mark.rule("K11")
def test_a_stake_of_nothing_takes_nothing_and_is_no_shortfall() -> None:
    assert gains("0 0 0", 0) == [0, 0, 0]
    assert ended("0 0 0", 0) == {"paid"}
    assert ended("0 0 0", 4) == {"paid"}
    assert ended("0 4 0", 4) == {"paid"}
    assert ended("0 4 0", 4, "judge") == {"paid"}


@pytest.mark.rule("K11")
def test_an_empty_pot_pays_nobody_and_does_not_count_as_short() -> None:
    assert gains("1 2 0", 0) == [0, 0, 0]
    assert ended("1 2 0", 0) == {"paid"}
    assert gains("1 2 0", 0, stake_on_shortfall="lost") == [-1, -2, 0]


@pytest.mark.rule("K12")
def test_who_takes_nothing_gets_the_stake_back_by_default() -> None:
    assert gains("2 3 8 9", 6) == [2, 3, 0, 0]


@pytest.mark.rule("K12")
def test_with_lost_a_shortfall_costs_the_stake_of_all_who_take_nothing() -> None:
    lost = {"stake_on_shortfall": "lost"}
    assert gains("2 3 8 9", 6, **lost) == [2, 3, -8, -9]
    assert gains("8 3 0 1", 9, "judge", **lost) == [8, -3, 0, -1]
    assert gains("2 3 8 9", 22, **lost) == [2, 3, 8, 9]
    assert ended("2 3 8 9", 6, **lost) == {"short"}


@pytest.mark.rule("K12", "K14", "K15")
def test_with_lost_a_guard_gives_stakes_back_and_a_thief_takes_them_all_the_same() -> None:
    lost = {"stake_on_shortfall": "lost"}
    assert gains("0 4 4", 1, "guard", **lost) == [5, 0, 0]
    assert gains("0 4 4", 1, "thief", **lost) == [0, -4, -4]


@pytest.mark.rule("K13")
def test_equal_stakes_are_paid_clockwise_from_the_robber_who_comes_first() -> None:
    for robber in range(4):
        found = gains("3 3 3 3", 7, robber=robber)
        assert [seat for seat in range(4) if found[seat]] == sorted([robber, (robber + 1) % 4])
        assert order("3 3 3 3", robber) == [(robber + i) % 4 for i in range(4)]


@pytest.mark.rule("K13", "K16")
def test_equal_stakes_go_clockwise_under_a_judge_too() -> None:
    assert order("2 5 2 5 1", 3) == [4, 0, 2, 3, 1]
    assert order("2 5 2 5 1", 3, "judge") == [3, 1, 0, 2, 4]
    assert order("2 5 2 5 1", 1, "judge") == [1, 3, 2, 0, 4]


@pytest.mark.rule("K13")
def test_together_equal_stakes_are_all_paid_or_none_nor_anybody_after() -> None:
    together = {"ties": "together"}
    assert gains("2 2 3 3 1", 11, **together) == [2, 2, 3, 3, 1]
    assert gains("2 2 3 3 1", 10, **together) == [2, 2, 0, 0, 1]
    assert gains("2 2 3 3 1", 4, **together) == [0, 0, 0, 0, 1]
    assert gains("4 4 1 1", 7, "judge", **together) == [0, 0, 0, 0]
    assert gains("4 4 1 1", 9, "judge", **together) == [4, 4, 0, 0]
    assert gains("4 4 1 1", 9, "judge") == [4, 4, 1, 0]


@pytest.mark.rule("K12", "K13")
def test_together_and_lost_all_of_the_group_lose_their_stakes() -> None:
    both = {"ties": "together", "stake_on_shortfall": "lost"}
    assert gains("0 4 4 1", 6, **both) == [0, -4, -4, 1]


@pytest.mark.rule("K13")
def test_together_does_not_depend_on_who_robs() -> None:
    for stakes in product(range(4), repeat=3):
        text = " ".join(map(str, stakes))
        found = {tuple(gains(text, 5, robber=robber, ties="together")) for robber in range(3)}
        assert len(found) == 1


@pytest.mark.rule("K14")
def test_a_guard_rewards_everybody_who_staked_nothing_whatever_the_pot() -> None:
    for pot in (0, 3, 50):
        assert gains("0 0 7 1", pot, "guard") == [5, 5, 0, 0]
    assert ended("0 0 7 1", 0, "guard") == {"guarded"}


@pytest.mark.rule("K14")
@pytest.mark.parametrize("reward", [0, 1, 12])
def test_the_reward_of_a_guard_is_a_rule(reward: int) -> None:
    assert gains("0 2 0", 9, "guard", guard_reward=reward) == [reward, 0, reward]


@pytest.mark.rule("K15")
def test_a_thief_pays_nobody_and_takes_all_stakes() -> None:
    assert gains("0 1 2 3", 50, "thief") == [0, -1, -2, -3]
    assert ended("0 1 2 3", 50, "thief") == {"thieved"}


@pytest.mark.rule("K14", "K15")
def test_guard_and_thief_together_both_apply() -> None:
    assert gains("0 1 0 3", 50, "guard thief", guard_reward=2) == [2, -1, 2, -3]
    assert ended("0 1 0 3", 50, "thief guard") == {"guarded", "thieved"}


@pytest.mark.rule("K16")
def test_under_a_judge_the_highest_stake_is_first() -> None:
    assert order("1 4 2 9", 0, "judge") == [3, 1, 2, 0]
    assert gains("1 4 2 9", 13, "judge") == [0, 4, 0, 9]


@pytest.mark.rule("K16")
@pytest.mark.parametrize(("copies", "pot"), [(1, 6), (2, 12), (3, 24), (4, 48)])
def test_each_x_doubles_the_pot(copies: int, pot: int) -> None:
    xs = " ".join(["multiply"] * copies)
    assert gains(f"0 {pot}", 3, xs) == [0, pot]
    assert gains(f"0 {pot + 1}", 3, xs) == [0, 0]
    assert gains(f"0 {pot}", 3, f"{xs} judge", specials="published") == [0, pot]


@pytest.mark.rule("K16")
def test_x_doubles_nothing_of_an_empty_pot() -> None:
    assert gains("1 0", 0, "multiply multiply") == [0, 0]


@pytest.mark.rule("K17")
@pytest.mark.parametrize("others", ["guard", "thief", "judge", "multiply", "guard thief judge"])
def test_a_lady_cancels_every_other_special(others: str) -> None:
    assert gains("1 3 0", 3, f"{others} lady") == gains("1 3 0", 3) == [1, 0, 0]
    assert ended("1 3 0", 3, f"{others} lady") == {"short", "lady"}
    assert ended("1 2 0", 3, "lady") == {"paid", "lady"}


@pytest.mark.rule("K18")
@pytest.mark.parametrize("copies", [1, 2, 3, 4])
def test_simple_any_number_of_a_kind_acts_as_one(copies: int) -> None:
    resolver = Resolver()
    for kind in ("lady", "guard", "judge", "thief"):
        assert resolver.acting([kind] * copies) == {kind: 1}
    assert gains("0 4 4", 6, "guard " * copies) == [5, 0, 0]
    assert gains("0 4 4", 6, "thief " * copies + "judge " * copies) == [0, -4, -4]
    assert gains("0 4 4", 6, "lady " * copies + "thief guard") == [0, 4, 0]


@pytest.mark.rule("K18")
@pytest.mark.parametrize(
    ("specials", "acts"),
    [
        ("lady", "lady"),
        ("lady lady", ""),
        ("lady lady lady lady", ""),
        ("guard", "guard"),
        ("guard guard", ""),
        ("guard guard guard", ""),
        ("judge", "judge"),
        ("judge judge", "judge"),
        ("thief", "thief"),
        ("thief thief thief", "thief"),
        ("judge thief", ""),
        ("judge judge thief", "judge"),
        ("judge thief thief", "thief"),
        ("judge judge thief thief", ""),
        ("lady guard judge", "lady"),
        ("lady thief", "lady thief"),
        ("lady judge thief", "lady"),
        ("lady judge judge thief", "lady"),
        ("lady judge thief thief", "lady thief"),
        ("lady guard thief", "lady thief"),
        ("lady lady guard thief", "guard thief"),
        ("lady lady guard guard judge", "judge"),
        ("guard guard thief", "thief"),
        ("guard judge thief", "guard"),
    ],
)
def test_published_which_specials_cancel_each_other(specials: str, acts: str) -> None:
    resolver = Resolver(specials="published")
    assert set(resolver.acting(specials.split())) == set(acts.split())


@pytest.mark.rule("K16", "K17", "K18")
def test_published_a_lady_that_acts_cancels_x_and_two_do_not() -> None:
    resolver = Resolver(specials="published")
    assert resolver.acting(["lady", "multiply", "multiply"]) == {"lady": 1}
    assert resolver.acting(["lady", "lady", "multiply", "multiply"]) == {"multiply": 2}
    assert resolver.acting(["lady", "thief", "multiply"]) == {"lady": 1, "thief": 1}
    assert Resolver().acting(["lady", "thief", "multiply"]) == {"lady": 1}


@pytest.mark.rule("K18")
def test_published_and_simple_robberies_differ_where_they_should() -> None:
    both: list[dict[str, Any]] = [{}, {"specials": "published"}]
    assert [gains("0 2 2", 4, "guard guard", **r) for r in both] == [[5, 0, 0], [0, 2, 2]]
    assert [gains("0 2 2", 4, "lady thief", **r) for r in both] == [[0, 2, 2], [0, -2, -2]]
    assert [gains("1 3 2", 3, "judge thief", **r) for r in both] == [[-1, -3, -2], [1, 0, 2]]
    assert [gains("1 3 2", 3, "lady lady judge", **r) for r in both] == [[1, 0, 2], [0, 3, 0]]
    assert ended("1 3", 4, "lady thief", specials="published") == {"lady", "thieved"}


@pytest.mark.rule("K18")
@pytest.mark.parametrize("mode", ["simple", "published"])
def test_which_specials_act_agrees_with_the_twin_for_every_combination(mode: str) -> None:
    resolver = Resolver(specials=mode)
    for counts in product(range(4), repeat=len(SPECIALS)):
        lying = [name for name, n in zip(SPECIALS, counts, strict=True) for _ in range(n)]
        acts = acting(mode, lying)
        expected = {name: 1 for name in SPECIALS[:-1] if acts[name] > 0}
        if acts["multiply"]:
            expected["multiply"] = acts["multiply"]
        assert resolver.acting(lying) == expected, lying


@pytest.mark.rule("K10", "K11", "K12", "K13", "K14", "K15", "K16", "K17", "K18")
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: "-".join(rules.values()))
def test_all_stakes_up_to_4_of_three_players_agree_with_the_twin(rules: dict[str, str]) -> None:
    resolver = Resolver(**rules, guard_reward=3)
    banks = [
        (money, specials.split())
        for money in ((), (1,), (2,), (4,), (2, 5), (10, 1))
        for specials in ("", "judge", "multiply")
    ]
    banks += [
        (money, specials.split())
        for money in ((), (4, 2))
        for specials in (
            *("guard", "thief", "guard thief", "lady", "guard guard", "lady lady judge"),
            *("judge thief", "judge judge thief", "lady thief", "lady guard judge multiply"),
        )
    ]
    for (money, specials), robber in product(banks, range(3)):
        cards = [*specials, *map(str, money)]
        for stakes in product(range(5), repeat=3):
            twin = resolve({**rules, "guard_reward": 3}, cards, stakes, robber + 1)
            found = resolver(stakes, sum(money), specials, robber)
            told = {name for name in RESULTS if getattr(twin, name)}
            assert found == twin.gains, (cards, stakes, robber)
            assert resolver.what == told, (cards, stakes, robber)
            assert [seat + 1 for seat in resolver.took(3)] == twin.order, (cards, stakes, robber)


@pytest.mark.rule("K11", "K13", "K16")
@pytest.mark.parametrize("ties", ["turn_order", "together"])
@pytest.mark.parametrize("players", [2, 4, 5])
def test_other_numbers_of_players_agree_with_the_twin(players: int, ties: str) -> None:
    resolver = Resolver(ties=ties)
    some = list(product((0, 1, 3), repeat=players))
    for specials, pot, robber in product(([], ["judge"]), (2, 5, 7), range(players)):
        for stakes in some:
            twin = resolve({"ties": ties}, [*specials, str(pot)], stakes, robber + 1)
            assert resolver(stakes, pot, specials, robber) == twin.gains
            assert [seat + 1 for seat in resolver.took(players)] == twin.order


@pytest.mark.rule("K11")
def test_large_stakes_and_pots_are_no_matter() -> None:
    assert gains("1000000 999999 3", 2_000_000) == [0, 999_999, 3]
    assert gains("1000000 999999 3", 2_000_000, "judge") == [1_000_000, 999_999, 0]
