"""A robbery alone: where stakes, banks and robbers come from, and that gains are as expected."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import pytest

from balance.games.bank import EquilibriumPolicy, RandomPolicy, SimplePolicy, kinds_of
from balance.games.bank_stage import ROBBERY_STAGE, RobberyRules, bank_states, mean_pot
from kernels.bank import layout
from tests.bank_tables import SPECIALS, card_names, refused
from tests.oracles.bank_robbery import resolve

NAMES = [column.name for column in ROBBERY_STAGE.columns]
FLAGS = ("paid", "short", "guarded", "thieved", "ladies")
SMALL: dict[str, Any] = {
    "money": {2: 2, 5: 2},
    "lady": 1,
    "guard": 1,
    "judge": 1,
    "thief": 1,
    "multiply": 1,
}
SAME = ("stake_on_shortfall", "ties", "guard_reward", "specials")


def play(rollouts: int, policies: Any = None, first: int = 0, **fields: Any) -> dict[str, Any]:
    """The outcomes of so many robberies by column."""
    rules = RobberyRules(**fields)
    asked = policies or [RandomPolicy()] * ROBBERY_STAGE.seats(rules)
    outcomes = np.zeros((rollouts, len(NAMES)), np.int32)
    ROBBERY_STAGE.pack(rules, asked).play(3, first, outcomes)
    return dict(zip(NAMES, outcomes.T, strict=True))


def seats_of(found: dict[str, Any], name: str, players: int) -> list[list[int]]:
    """A column of every seat, rollout by rollout."""
    columns = [found[f"{name}.{seat}"] for seat in range(1, players + 1)]
    return np.array(columns).T.tolist()


def cards_of(rules: RobberyRules, pot: int, specials: int) -> list[str]:
    """Cards that make up this bank."""
    counts = [specials >> kind * layout.COUNT_BITS & layout.COUNT for kind in range(len(SPECIALS))]
    lying = [name for name, n in zip(SPECIALS, counts, strict=True) for _ in range(n)]
    return [*lying, str(pot)]


def expected(fields: dict[str, Any], chances: list[list[float]]) -> dict[str, list[float]]:
    """Mean gains by seat and chances of what happens, by enumeration with the twin.

    ``chances`` holds the chance of each stake, by seat.
    """
    rules = RobberyRules(**fields)
    switches = {name: getattr(rules, name) for name in SAME}
    robbers = range(1, rules.players + 1) if rules.robber == "random" else [rules.robber]
    gains = np.zeros(rules.players)
    flags = np.zeros(len(FLAGS))
    for pot, specials, chance in bank_states(rules):
        cards = cards_of(rules, pot, specials)
        for stakes in product(*(range(len(mix)) for mix in chances)):
            part = chance * np.prod([mix[n] for mix, n in zip(chances, stakes, strict=True)])
            if part:
                for robber in robbers:
                    twin = resolve(switches, cards, stakes, robber)
                    gains += part / len(robbers) * np.array(twin.gains)
                    told = [twin.paid, twin.short, twin.guarded, twin.thieved, twin.lady]
                    flags += part / len(robbers) * np.array(told)
    return {"gains": gains.tolist(), "flags": flags.tolist()}


def agree(found: dict[str, Any], exact: dict[str, list[float]]) -> None:
    """Whether means are within four standard errors of the exact ones."""
    n = len(found["paid"])
    for seat, gain in enumerate(exact["gains"], start=1):
        column = found[f"gain.{seat}"]
        assert abs(column.mean() - gain) <= 4 * column.std() / n**0.5 + 1e-12, seat
    for name, share in zip(FLAGS, exact["flags"], strict=True):
        error = (share * (1 - share) / n) ** 0.5
        assert abs(found[name].mean() - share) <= 4 * error + 1e-12, name


@pytest.mark.rule("K10", "K11")
def test_given_stakes_and_a_given_pot_have_one_result() -> None:
    found = play(5, players=3, pot=12, stakes=[2, 3, 8], robber=1)
    assert seats_of(found, "stake", 3) == [[2, 3, 8]] * 5
    assert seats_of(found, "gain", 3) == [[2, 3, 0]] * 5
    assert found["short"].tolist() == [1] * 5
    assert not any(found[f"{name}.{seat}"].any() for name in ("gain", "stake") for seat in (4, 5))


@pytest.mark.rule("K14", "K15", "K16", "K17")
@pytest.mark.parametrize(
    ("fields", "gains", "flags"),
    [
        ({"guard": 1}, [5, 0, 0], {"guarded"}),
        ({"guard": 1, "guard_reward": 2}, [2, 0, 0], {"guarded"}),
        ({"thief": 1}, [0, -4, -4], {"thieved"}),
        ({"guard": 1, "thief": 1}, [5, -4, -4], {"guarded", "thieved"}),
        ({"lady": 1, "thief": 1}, [0, 4, 0], {"short", "ladies"}),
        ({"lady": 1, "thief": 1, "specials": "published"}, [0, -4, -4], {"thieved", "ladies"}),
        ({"multiply": 1}, [0, 4, 4], {"paid"}),
        ({"judge": 1, "robber": 3}, [0, 0, 4], {"short"}),
        ({"ties": "together"}, [0, 0, 0], {"short"}),
        ({"stake_on_shortfall": "lost"}, [0, 4, -4], {"short"}),
    ],
)
def test_specials_and_switches_can_be_set(
    fields: dict[str, Any], gains: list[int], flags: set[str]
) -> None:
    found = play(2, **{"players": 3, "pot": 6, "stakes": [0, 4, 4], "robber": 1, **fields})
    assert seats_of(found, "gain", 3) == [gains] * 2
    assert {name for name in FLAGS if found[name].all()} == flags
    assert {name for name in FLAGS if found[name].any()} == flags


@pytest.mark.rule("K13")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_random_robber_is_each_seat_equally_often(players: int) -> None:
    n = 4_000
    found = play(n, players=players, pot=1, stakes=[1] * players)
    share = 1 / players
    for seat in range(1, players + 1):
        mean = found[f"gain.{seat}"].mean()
        assert abs(mean - share) < 4 * (share * (1 - share) / n) ** 0.5
    assert sum(found[f"gain.{seat}"].sum() for seat in range(1, players + 1)) == n


@pytest.mark.rule("K13")
@pytest.mark.parametrize("robber", [1, 2, 3])
def test_a_given_robber_is_first_among_equals(robber: int) -> None:
    found = play(3, players=3, pot=1, stakes=[1, 1, 1], robber=robber)
    assert seats_of(found, "gain", 3) == [[int(seat == robber) for seat in (1, 2, 3)]] * 3


@pytest.mark.rule("K10")
def test_uniform_stakes_are_uniform_and_independent() -> None:
    n = 18_000
    found = play(n, players=2, pot=9, stakes={"uniform": [2, 4]})
    pairs = Counter(map(tuple, seats_of(found, "stake", 2)))
    assert set(pairs) == set(product((2, 3, 4), repeat=2))
    assert all(abs(k / n - 1 / 9) < 4 * (8 / 81 / n) ** 0.5 for k in pairs.values())


@pytest.mark.rule("K10")
def test_a_pot_can_have_a_distribution() -> None:
    n = 8_000
    found = play(n, players=2, pot={1: 1, 2: 3.0, 5: 4, 9: 0}, stakes=[9, 0], robber=1)
    assert found["short"].all()
    shares = {}
    for stake, share in ((1, 1.0), (2, 7 / 8), (3, 0.5), (5, 0.5), (6, 0.0)):
        found = play(n, players=2, pot={1: 1, 2: 3.0, 5: 4, 9: 0}, stakes=[stake, 0], robber=1)
        shares[stake] = (found["paid"].mean(), share)
    for mean, share in shares.values():
        assert abs(mean - share) <= 4 * (share * (1 - share) / n) ** 0.5


@pytest.mark.rule("K10")
def test_random_policies_stake_uniformly_up_to_max_stake() -> None:
    n = 4_000
    found = play(n, [RandomPolicy()] * 2, players=2, pot=9, max_stake=3)
    counts = Counter(found["stake.1"].tolist())
    assert set(counts) == {0, 1, 2, 3}
    assert all(abs(k / n - 1 / 4) < 4 * (3 / 16 / n) ** 0.5 for k in counts.values())


@pytest.mark.rule("K10")
def test_simple_stakes_its_part_of_the_mean_pot_and_its_noise() -> None:
    policies = [SimplePolicy(), SimplePolicy(noise=0, share=2.0), SimplePolicy(noise=0)]
    found = play(200, policies, players=3, pot={8: 1, 12: 1})
    assert [set(found[f"stake.{seat}"]) for seat in (1, 2, 3)] == [{3, 4, 5}, {6}, {3}]
    found = play(200, policies, players=3, pot={8: 1, 12: 1}, max_stake=4)
    assert [set(found[f"stake.{seat}"]) for seat in (1, 2, 3)] == [{3, 4}, {4}, {3}]


@pytest.mark.rule("K10")
def test_equilibrium_stakes_by_its_mix_for_the_number_of_cards() -> None:
    policy = EquilibriumPolicy(mixes={1: [0.0, 1.0], 3: [1.0, 0.0, 3.0]})
    for cards, stakes in ((1, {1}), (2, {1}), (3, {0, 2}), (4, {0, 2})):
        found = play(4_000, [policy] * 2, players=2, cards=cards)
        assert set(found["stake.1"].tolist()) == stakes
    assert abs(found["stake.2"].mean() - 1.5) < 4 * (0.75 / 4_000) ** 0.5


@pytest.mark.rule("K10")
def test_mistakes_are_uniform_stakes() -> None:
    n = 4_000
    found = play(n, [SimplePolicy(noise=0, mistakes=0.5)] * 2, players=2, pot=6, max_stake=4)
    counts = Counter(found["stake.1"].tolist())
    for stake in range(5):
        share = 0.1 + 0.5 * (stake == 3)
        assert abs(counts[stake] / n - share) < 4 * (share * (1 - share) / n) ** 0.5


@pytest.mark.rule("K10")
def test_policies_are_asked_only_where_stakes_are_not_given() -> None:
    for stakes, seats in (("policies", 3), ([0, 1, 2], 0), ({"uniform": [0, 1]}, 0)):
        rules = RobberyRules(players=3, pot=1, stakes=stakes)
        assert ROBBERY_STAGE.seats(rules) == seats
        assert len(set(ROBBERY_STAGE.absent(rules))) == 4


CASES: list[dict[str, Any]] = [
    {"players": 2, "pot": 4, "stakes": {"uniform": [0, 4]}},
    {"players": 3, "pot": {2: 1, 5: 2, 9: 1}, "stakes": {"uniform": [0, 4]}, "judge": 1},
    {"players": 3, "pot": 6, "stakes": {"uniform": [0, 3]}, "ties": "together", "robber": 2},
    {"players": 4, "pot": 5, "stakes": {"uniform": [0, 2]}, "stake_on_shortfall": "lost"},
    {"players": 5, "pot": 4, "stakes": {"uniform": [0, 2]}, "robber": 4},
    {"players": 3, "cards": 2, "deck": SMALL, "stakes": {"uniform": [0, 4]}},
    {
        **{"players": 3, "cards": 3, "deck": SMALL, "stakes": {"uniform": [0, 3]}},
        **{"specials": "published", "ties": "together", "stake_on_shortfall": "lost"},
    },
    {"players": 2, "cards": 2, "deck": SMALL, "thief": 1, "judge": 1, "stakes": [2, 4]},
]


@pytest.mark.rule("K10", "K11", "K12", "K13", "K14", "K15", "K16", "K17", "K18")
@pytest.mark.parametrize("fields", CASES)
def test_simulated_gains_are_the_exact_ones_within_four_standard_errors(
    fields: dict[str, Any],
) -> None:
    stakes = fields["stakes"]
    if isinstance(stakes, list):
        chances = [[float(n == stake) for n in range(stake + 1)] for stake in stakes]
    else:
        low, high = stakes["uniform"]
        mix = [0.0] * low + [1 / (high - low + 1)] * (high - low + 1)
        chances = [mix] * fields["players"]
    agree(play(40_000, **fields), expected(fields, chances))


@pytest.mark.rule("K10", "K11")
def test_simulated_gains_of_policies_are_the_exact_ones() -> None:
    fields: dict[str, Any] = {"players": 3, "cards": 3, "deck": SMALL, "max_stake": 4}
    mix = [0.5, 0.0, 0.25, 0.25]
    policies = [RandomPolicy(), SimplePolicy(), EquilibriumPolicy(mixes={3: mix})]
    fair = int(mean_pot(RobberyRules(**fields)) / 3)
    chances = [[0.2] * 5, [0.0] * fair + [1 / 3] * 3, mix]
    agree(play(40_000, policies, **fields), expected(fields, chances))


@pytest.mark.rule("K3", "K10")
@pytest.mark.parametrize("drawn", [1, 2, 3, 4, 9])
def test_the_banks_that_can_be_drawn_are_those_of_brute_force(drawn: int) -> None:
    rules = RobberyRules(cards=drawn, deck=SMALL)
    kinds = kinds_of(rules.deck)
    deck = [kind for kind, (_, copies) in enumerate(kinds) for _ in range(copies)]
    found: Counter[tuple[int, int]] = Counter()
    for hand in combinations(range(len(deck)), drawn):
        cards = [deck[place] for place in hand]
        specials = sum(1 << kind * layout.COUNT_BITS for kind in cards if kind < layout.SPECIALS)
        found[sum(kinds[kind][0] for kind in cards), specials] += 1
    states = bank_states(rules)
    assert sum(chance for _, _, chance in states) == pytest.approx(1.0, abs=1e-12)
    told: Counter[tuple[int, int]] = Counter()
    for pot, specials, chance in states:
        told[pot, specials] += Fraction(chance).limit_denominator(10_000) * comb(len(deck), drawn)
    assert told == found


@pytest.mark.rule("K3", "K10")
@pytest.mark.parametrize("cards", [1, 3, 5, 8, 10])
def test_the_chances_of_the_banks_of_the_whole_deck_add_up_to_1(cards: int) -> None:
    rules = RobberyRules(cards=cards)
    states = bank_states(rules)
    assert sum(chance for _, _, chance in states) == pytest.approx(1.0, abs=1e-12)
    assert mean_pot(rules) == pytest.approx(cards * 111 / 41)


@pytest.mark.rule("K10")
def test_specials_that_lie_there_are_added_to_those_that_are_drawn() -> None:
    rules = RobberyRules(cards=1, deck=SMALL, thief=2, judge=1)
    counts = {
        tuple(specials >> kind * layout.COUNT_BITS & layout.COUNT for kind in range(5))
        for _, specials, _ in bank_states(rules)
    }
    lying = (0, 0, 1, 2, 0)
    drawn = [tuple(n + (kind == k) for k, n in enumerate(lying)) for kind in range(5)]
    assert counts == {lying, *drawn}


@pytest.mark.rule("K10")
def test_a_given_pot_is_one_bank_and_a_distribution_is_made_to_add_up_to_1() -> None:
    assert bank_states(RobberyRules(pot=7)) == [(7, 0, 1.0)]
    rules = RobberyRules(pot={9: 3, 1: 1, 4: 0}, lady=1)
    assert bank_states(rules) == [(1, 1, 0.25), (9, 1, 0.75)]
    assert mean_pot(rules) == 7.0


@pytest.mark.rule("K3")
def test_card_names_of_the_stage_are_those_of_the_game() -> None:
    assert card_names(RobberyRules(cards=1))[:5] == list(SPECIALS)


@pytest.mark.rule("K10")
@pytest.mark.parametrize(
    "fields",
    [
        {"pot": {2: 1, 5: 2}, "stakes": {"uniform": [0, 3]}},
        {"cards": 2, "stakes": {"uniform": [0, 3]}},
    ],
    ids=["pot", "cards"],
)
def test_a_robbery_is_the_same_in_any_batch(fields: dict[str, Any]) -> None:
    whole = play(20, players=3, **fields)
    part = play(8, first=12, players=3, **fields)
    assert all((whole[name][12:] == part[name]).all() for name in NAMES)


@pytest.mark.rule("K10", "K13")
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "pot: give pot or cards, one of the two"),
        ({"pot": 3, "cards": 2}, "pot: give pot or cards, one of the two"),
        ({"pot": {}}, "pot: must have a chance for at least one pot"),
        ({"pot": {3: 0}}, "pot: must have a chance for at least one pot"),
        ({"cards": 0}, "must be 1 or more (got 0)"),
        ({"cards": 21}, "must be 20 or less (got 21)"),
        ({"cards": 12, "deck": {**SMALL, "lady": 0}}, "cards: 12 of a deck of 8"),
        ({"pot": 3, "stakes": [1, 2]}, "stakes: 2 for 4 players"),
        ({"pot": 3, "stakes": [1, 2, 3, 11]}, "stakes: 11 is over max_stake: 10"),
        ({"pot": 3, "stakes": {"uniform": [0, 11]}}, "stakes: 11 is over max_stake: 10"),
        (
            {"pot": 3, "stakes": "many"},
            "must be a list by seat, {uniform: [0, 5]} or policies (got many)",
        ),
        ({"pot": 3, "robber": 5}, "robber: must be a seat from 1 to 4 (got 5)"),
        ({"pot": 3, "max_stake": 201}, "must be 200 or less (got 201)"),
        ({"pot": 3, "players": 6}, "must be 5 or less (got 6)"),
        ({"pot": 3, "lady": 61}, "must be 60 or less (got 61)"),
        ({"pot": 3, "guard_reward": -1}, "must be 0 or more (got -1)"),
        ({"pot": 3, "specials": "all"}, "must be simple or published (got all)"),
        ({"pot": 3, "ties": "all"}, "must be turn_order or together (got all)"),
        (
            {"pot": 3, "stake_on_shortfall": "kept"},
            "must be returned or lost (got kept)",
        ),
    ],
)
def test_a_robbery_that_cannot_be_is_refused(fields: dict[str, Any], message: str) -> None:
    assert refused(RobberyRules, **fields) == message


@pytest.mark.rule("K10")
@pytest.mark.parametrize(
    "fields", [{"pot": -1}, {"pot": "x"}, {"pot": {3: -1}}, {"pot": 3, "robber": 0}]
)
def test_values_of_no_kind_that_is_allowed_are_refused(fields: dict[str, Any]) -> None:
    refused(RobberyRules, **fields)
