"""The pinned player `simple`, letter by letter."""

from collections import Counter
from typing import Any

import pytest

from balance.games.bank import BankRules, SimplePolicy
from tests.bank_tables import Table, refused

MEAN = {"money": {2: 10, 4: 20}, "lady": 0, "guard": 5, "judge": 0, "thief": 5}  # mean 100 / 40


def found_stakes(
    cards: int, policy: Any = None, coins: int = 1000, trials: int = 60, **rules: Any
) -> Counter[int]:
    """What seat 1 stakes on a bank of so many cards."""
    found: Counter[int] = Counter()
    table = Table(policy or SimplePolicy(), **{"deck": MEAN, **rules})
    table.coins(*[coins] * table.model.players)
    table.bank(3, *["2"] * cards)
    start = table.states.copy()
    for seed in range(trials):
        table.states[:] = start
        table.seed(seed)
        table.rob(0, 3)
        found[int(table.state.stake[1])] += 1
    return found


@pytest.mark.rule("K5")
def test_play_is_a_card_of_the_hand_and_a_bank_both_uniform() -> None:
    found: Counter[tuple[str, int]] = Counter()
    trials = 3_000
    table = Table(SimplePolicy(), players=2, banks=3)
    table.hand(0, "5", "thief", "2")
    table.hand(1, "5")
    table.bank(0, "5", "5", "5")
    table.tiles("play")
    start = table.states.copy()
    for seed in range(trials):
        table.states[:] = start
        table.events.used = 0
        table.seed(seed)
        table.turn(0, "play")
        (line,) = table.told_of("play")
        found[line["card"], line["bank"]] += 1
    assert len(found) == 9
    assert all(abs(n / trials - 1 / 9) < 4 * (8 / 81 / trials) ** 0.5 for n in found.values())


@pytest.mark.rule("K6", "K7")
@pytest.mark.parametrize("action", ["look", "reveal"])
def test_look_and_reveal_are_uniform_over_the_face_down_cards_of_all_banks(action: str) -> None:
    found: Counter[tuple[int, int]] = Counter()
    trials = 3_000
    table = Table(SimplePolicy())
    table.bank(0, "5^", "2")
    table.bank(1, "3^")
    table.bank(3, "4", "3^", "lady", "2", seen=[(0, 0)])
    start = table.states.copy()
    for seed in range(trials):
        table.states[:] = start
        table.events.used = 0
        table.seed(seed)
        table.turn(0, action)
        (line,) = table.told_of(action)
        found[line["bank"], line["place"]] += 1
    assert set(found) == {(1, 2), (4, 1), (4, 3), (4, 4)}
    assert all(abs(n / trials - 1 / 4) < 4 * (3 / 16 / trials) ** 0.5 for n in found.values())


@pytest.mark.rule("K8")
@pytest.mark.parametrize(
    ("sizes", "bank"), [((1, 2, 3, 2, 1), 3), ((0, 2, 1, 2, 2), 2), ((1, 1, 1, 1, 1), 1)]
)
def test_it_robs_the_bank_with_most_cards_of_equals_the_lowest_number(
    sizes: tuple[int, ...], bank: int
) -> None:
    for seed in range(5):
        table = Table(SimplePolicy())
        table.seed(seed)
        for number, size in enumerate(sizes):
            table.bank(number, *["5^", "thief", "2"][:size])
        table.turn(0, "rob")
        assert [line["bank"] for line in table.told_of("rob")] == [bank]


@pytest.mark.rule("K10")
@pytest.mark.parametrize(
    ("cards", "players", "fair"),
    [(1, 4, 0), (2, 4, 1), (3, 4, 1), (4, 4, 2), (7, 4, 4), (8, 4, 5), (4, 2, 5), (5, 3, 4)],
)
def test_its_stake_is_the_floor_of_a_fair_part_and_0_to_2_more(
    cards: int, players: int, fair: int
) -> None:
    assert fair == int(cards * 2.5 / players)
    assert set(found_stakes(cards, players=players)) == {fair, fair + 1, fair + 2}


@pytest.mark.rule("K10")
def test_the_noise_is_uniform() -> None:
    trials = 1_500
    found = found_stakes(4, trials=trials)
    assert all(abs(n / trials - 1 / 3) < 4 * (2 / 9 / trials) ** 0.5 for n in found.values())


@pytest.mark.rule("K10")
def test_noise_and_share_are_knobs() -> None:
    assert set(found_stakes(4, SimplePolicy(noise=0))) == {2}
    assert set(found_stakes(4, SimplePolicy(noise=4), trials=200)) == {2, 3, 4, 5, 6}
    assert set(found_stakes(4, SimplePolicy(noise=0, share=2.0))) == {5}
    assert set(found_stakes(4, SimplePolicy(noise=0, share=0.35))) == {0}
    assert set(found_stakes(4, SimplePolicy(noise=1, share=0.0))) == {0, 1}


@pytest.mark.rule("K10", "K22")
@pytest.mark.parametrize("credit", [0, 10])
def test_it_never_stakes_more_than_its_coins_credit_or_not(credit: int) -> None:
    assert set(found_stakes(8, coins=6, credit_to=credit)) == {5, 6}
    assert set(found_stakes(8, coins=3, credit_to=credit)) == {3}
    assert set(found_stakes(8, coins=0, credit_to=credit)) == {0}
    assert set(found_stakes(8, coins=-4, credit_to=credit)) == {0}


@pytest.mark.rule("K10")
def test_what_lies_at_the_bank_does_not_matter_for_its_stake() -> None:
    for cards in (["10"] * 4, ["thief^"] * 4, ["lady"] * 4):
        table = Table(SimplePolicy(noise=0))
        table.bank(0, *cards)
        table.rob(0, 0)
        assert table.state.stake[:4].tolist() == [int(4 * 111 / 41 / 4)] * 4


@pytest.mark.rule("K4")
def test_with_choose_its_chances_of_play_look_reveal_and_rob_are_4_1_1_1() -> None:
    found: Counter[str] = Counter()
    trials = 2_800
    table = Table(SimplePolicy(), tiles="choose")
    table.deck("5", "5")
    table.hand(0, "5")
    table.bank(0, "5")
    start = table.states.copy()
    for seed in range(trials):
        table.states[:] = start
        table.events.used = 0
        table.seed(seed)
        table.turn(0)
        found[table.told_of("action")[0]["action"]] += 1
    for action, share in (("play", 4 / 7), ("look", 1 / 7), ("reveal", 1 / 7), ("rob", 1 / 7)):
        assert abs(found[action] / trials - share) < 4 * (share * (1 - share) / trials) ** 0.5


@pytest.mark.rule("K4", "K10")
def test_mistakes_are_random_decisions() -> None:
    clean, wrong = (
        found_stakes(4, SimplePolicy(noise=0, mistakes=mistakes), coins=9, trials=400)
        for mistakes in (0.0, 0.5)
    )
    assert set(clean) == {2}
    assert set(wrong) == set(range(10))
    share = 0.5 + 0.5 / 10
    assert abs(wrong[2] / 400 - share) < 4 * (share * (1 - share) / 400) ** 0.5


@pytest.mark.rule("K10")
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"noise": -1}, "must be 0 or more (got -1)"),
        ({"noise": 0.5}, "must be a whole number (got 0.5)"),
        ({"noise": 1001}, "must be 1000 or less (got 1001)"),
        ({"share": -0.5}, "must be 0 or more (got -0.5)"),
        ({"share": 101}, "must be 100 or less (got 101)"),
    ],
)
def test_knobs_that_cannot_be_are_refused(fields: dict[str, Any], message: str) -> None:
    assert refused(SimplePolicy, **fields) == message


@pytest.mark.rule("K10")
def test_its_knobs_have_the_pinned_defaults() -> None:
    assert (SimplePolicy().noise, SimplePolicy().share) == (2, 1.0)
    assert BankRules().players == 4
