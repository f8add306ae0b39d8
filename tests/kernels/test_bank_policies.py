"""The players: what all have in common, and what each of them does."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from balance.games.bank import (
    BANK,
    BlufferPolicy,
    CounterPolicy,
    EquilibriumPolicy,
    ExpertPolicy,
    GreedyPolicy,
    RandomPolicy,
    SimplePolicy,
    TimidPolicy,
    shipped_mixes,
)
from balance.games.bank_expert import KNOBS
from balance.games.shipped import shipped
from kernels.bank import beliefs, knobs
from tests.bank_tables import Table, planner, refused

ALL = (
    *(RandomPolicy, SimplePolicy, TimidPolicy, GreedyPolicy, BlufferPolicy, CounterPolicy),
    *(EquilibriumPolicy, ExpertPolicy),
)
PLANNED = (TimidPolicy, GreedyPolicy, BlufferPolicy, CounterPolicy, ExpertPolicy)
MONEY: dict[str, Any] = {"money": {2: 10, 4: 20}, "lady": 0, "guard": 0, "judge": 0, "thief": 0}
MEAN = 100 / 30  # coins of a card of that deck


def stakes_of(table: Table, bank: int = 0, seat: int = 0, trials: int = 60) -> Counter[int]:
    """What the seat stakes in many trials of a robbery from where the game stands."""
    found: Counter[int] = Counter()
    start = table.states.copy()
    for seed in range(trials):
        table.states[:] = start
        table.seed(seed)
        table.rob(0, bank)
        found[int(table.state.stake[seat])] += 1
    table.states[:] = start
    return found


def done(table: Table, action: str, seat: int = 0, trials: int = 40) -> Counter[Any]:
    """What the seat does in many trials of a tile."""
    found: Counter[Any] = Counter()
    start = table.states.copy()
    for seed in range(trials):
        table.states[:] = start
        table.events.used = 0
        table.seed(seed)
        table.turn(seat, action)
        line = table.told_of(action)[0]
        found[tuple(line[name] for name in ("card", "bank", "place") if name in line)] += 1
    table.states[:] = start
    return found


def rich(policy: Any, *cards: str, seen: tuple[tuple[int, int], ...] = (), **rules: Any) -> Table:
    """Four seats with 40 coins each; these cards lie at bank 0."""
    table = Table(policy, **{"deck": MONEY, **rules})
    table.coins(*[40] * table.model.players)
    table.bank(0, *cards, seen=seen)
    return table


@pytest.mark.rule("K4")
def test_the_game_knows_eight_players() -> None:
    names = "random simple timid greedy bluffer counter equilibrium expert".split()
    assert {name: policy().name for name, policy in BANK.policies.items()} == {
        name: name for name in names
    }


@pytest.mark.rule("K10")
@pytest.mark.parametrize("policy", ALL)
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"mistakes": 1.5}, "must be 1 or less (got 1.5)"),
        ({"mistakes": -0.1}, "must be 0 or more (got -0.1)"),
        ({"bluffing": 1}, "must be true or false (got 1)"),
        ({"counting": "no"}, "must be true or false (got no)"),
        ({"bravery": 1}, None),
    ],
)
def test_options_that_cannot_be_are_refused(
    policy: Any, fields: dict[str, Any], message: str | None
) -> None:
    found = refused(policy, **fields)
    assert message is None or found == message


@pytest.mark.rule("K10")
@pytest.mark.parametrize("policy", ALL)
def test_mistakes_are_stakes_drawn_by_lot(policy: Any) -> None:
    table = rich(policy(mistakes=1.0), *["2"] * 3)
    table.coins(4, 4, 4, 4)
    assert set(stakes_of(table, trials=100)) == set(range(5))


@pytest.mark.rule("K5", "K8")
@pytest.mark.parametrize("policy", ALL)
def test_mistakes_are_plays_and_robberies_drawn_by_lot(policy: Any) -> None:
    table = rich(policy(mistakes=1.0), "2", "4", "4")
    table.bank(3, "4")
    table.hand(0, "2", "4")
    assert len(done(table, "play", trials=100)) == 10
    assert set(done(table, "rob")) == {(1,), (4,)}


@pytest.mark.rule("K10")
@pytest.mark.parametrize("policy", [p for p in ALL if p is not RandomPolicy])
def test_half_of_the_decisions_are_mistakes_if_half_may_be(policy: Any) -> None:
    table = rich(policy(mistakes=0.5), "2", "4", "4")
    table.bank(3, "4")
    found = done(table, "rob", trials=400)
    assert abs(found[4,] / 400 - 1 / 4) < 4 * (3 / 16 / 400) ** 0.5


@pytest.mark.rule("K5")
@pytest.mark.parametrize("policy", PLANNED)
def test_who_is_not_bluffing_plays_by_lot(policy: Any) -> None:
    for bluffing in (True, False):
        table = Table(policy(bluffing=bluffing))
        table.hand(0, "10", "thief")
        table.bank(0, "5", "5", "5")
        table.bank(1, "5")
        chooses = bluffing and policy in (BlufferPolicy, ExpertPolicy)
        assert len(done(table, "play", trials=100)) == (1 if chooses else 10)


@pytest.mark.rule("K6", "K10")
@pytest.mark.parametrize("policy", [CounterPolicy, BlufferPolicy, ExpertPolicy])
def test_who_is_not_counting_makes_nothing_of_what_it_saw(policy: Any) -> None:
    deck = {"money": {2: 10, 10: 10}, "guard": 0}
    means = {}
    for counting in (True, False):
        for card in ("2", "10"):
            seen = ((0, 0), (0, 1), (0, 2))
            table = rich(policy(counting=counting), *[card] * 3, seen=seen, deck=deck)
            found = stakes_of(table)
            means[counting, card] = sum(stake * n for stake, n in found.items()) / 60
    assert means[True, "2"] < means[True, "10"]
    assert means[False, "2"] == means[False, "10"]


@pytest.mark.rule("K7", "K10")
@pytest.mark.parametrize("policy", [CounterPolicy, BlufferPolicy])
def test_who_is_not_counting_still_sees_what_lies_face_up(policy: Any) -> None:
    for counting in (True, False):
        low, high = (rich(policy(counting=counting), *[f"{card}^"] * 4) for card in ("2", "4"))
        assert max(stakes_of(low)) < max(stakes_of(high))


@pytest.mark.rule("K6", "K10")
def test_a_belief_is_what_is_known_and_the_mean_of_the_unseen_for_the_rest() -> None:
    deck = {"money": {2: 4, 5: 4}, "lady": 0, "guard": 1, "judge": 2, "thief": 1, "multiply": 0}
    table = Table(players=2, hand=2, banks=2, deck=deck)
    table.hand(0, "5", "guard")
    table.hand(1, "2", "2")
    table.bank(0, "5", "2", "thief^", "judge", seen=[(0, 0), (1, 3)])
    table.bank(1, "5", "2^")
    table.gone("5", "judge")

    def look(seat: int, bank: int, counting: int) -> tuple[float, ...]:
        given = (table.rules[0], table.state, seat, bank, counting, table.rooms[0])
        beliefs.look_at(*given)
        room = table.rooms[0]
        return tuple(float(room[name]) for name in ("pot", "thief", "guard", "judge"))

    # unseen by seat 0: 2 2 2 5 judge: of two cards at bank 1 one lies face up
    assert look(0, 0, 1) == pytest.approx((5 + 2 * 11 / 5, 1.0, 0.0, 1 - (4 / 5) ** 2))
    assert look(0, 1, 1) == pytest.approx((2 + 11 / 5, 0.0, 0.0, 1 / 5))
    # whoever does not count takes all 12 cards for unseen, but sees what lies face up
    assert look(0, 0, 0) == pytest.approx(
        (3 * 28 / 12, 1.0, 1 - (11 / 12) ** 3, 1 - (10 / 12) ** 3)
    )
    assert table.rooms[0].known_share == pytest.approx(1 / 4)
    # seat 1 knows another card of bank 0; unseen by it: 2 5 5 5 guard
    assert look(1, 0, 1) == pytest.approx((2 * 17 / 5, 1.0, 1 - (4 / 5) ** 2, 1.0))


@pytest.mark.rule("K17", "K18")
@pytest.mark.parametrize(("mode", "thief"), [("simple", 0.0), ("published", 1.0)])
def test_a_known_lady_leaves_only_a_published_thief_to_fear(mode: str, thief: float) -> None:
    table = Table(specials=mode)
    table.bank(0, "lady^", "guard^", "thief^", "judge^", "5^")
    beliefs.look_at(table.rules[0], table.state, 0, 0, 1, table.rooms[0])
    room = table.rooms[0]
    assert (room.thief, room.guard, room.judge, room.pot) == (thief, 0.0, 0.0, 5.0)


@pytest.mark.rule("K16")
def test_known_x_double_the_pot_that_is_believed_in() -> None:
    table = Table(deck={"money": {5: 30}, "multiply": 2})
    table.bank(0, "multiply^", "5^", "multiply^")
    beliefs.look_at(table.rules[0], table.state, 0, 0, 1, table.rooms[0])
    assert table.rooms[0].pot == 20.0


@pytest.mark.rule("K10")
@pytest.mark.parametrize("cards", [1, 2, 4, 7, 9])
def test_timid_stakes_half_of_a_fair_part_and_greedy_half_as_much_again(cards: int) -> None:
    fair = cards * MEAN / 4
    assert set(stakes_of(rich(TimidPolicy(), *["2"] * cards))) == {int(fair / 2)}
    least = int(1.5 * fair)
    greedy = stakes_of(rich(GreedyPolicy(), *["4"] * cards))
    assert set(greedy) == {least, least + 1, least + 2}


@pytest.mark.rule("K8")
@pytest.mark.parametrize(
    "policy", [TimidPolicy, GreedyPolicy, BlufferPolicy, CounterPolicy, EquilibriumPolicy]
)
def test_they_rob_the_bank_with_most_cards(policy: Any) -> None:
    table = rich(policy(), "2", "4")
    table.bank(2, "2", "2", "4")
    table.bank(4, "4")
    assert set(done(table, "rob")) == {(3,)}


@pytest.mark.rule("K4")
def test_with_a_choice_timid_plays_and_never_robs() -> None:
    table = rich(TimidPolicy(), *["4"] * 12, tiles="choose")
    table.hand(0, "4")
    table.turn(0)
    assert table.told_of("action")[0]["action"] == "play"


@pytest.mark.rule("K4")
def test_with_a_choice_greedy_robs_where_it_is_worth_while_and_else_plays() -> None:
    for cards, action in ((["4^"] * 12, "rob"), ([], "play")):
        table = rich(GreedyPolicy(), *cards, tiles="choose")
        table.hand(0, "4")
        table.turn(0)
        assert table.told_of("action")[0]["action"] == action


@pytest.mark.rule("K5")
@pytest.mark.parametrize("special", ["guard", "thief"])
def test_the_bluffer_plays_guards_and_thieves_where_most_cards_lie(special: str) -> None:
    table = Table(BlufferPolicy())
    table.hand(0, special, "3")
    for bank, size in enumerate((1, 2, 6, 1, 1)):
        table.bank(bank, *["5"] * size)
    assert set(done(table, "play")) == {(special, 3)}


@pytest.mark.rule("K5")
def test_the_bluffer_plays_money_above_the_mean_where_fewest_cards_lie() -> None:
    table = Table(BlufferPolicy())
    table.hand(0, "10", "3", "lady")
    for bank, size in enumerate((2, 2, 2, 1, 2)):
        table.bank(bank, *["5"] * size)
    assert set(done(table, "play")) == {("10", 4)}


@pytest.mark.rule("K10", "K14", "K15")
@pytest.mark.parametrize("policy", [BlufferPolicy, CounterPolicy])
@pytest.mark.parametrize("special", ["guard", "thief"])
def test_bluffer_and_counter_stake_nothing_where_they_know_a_guard_or_thief(
    policy: Any, special: str
) -> None:
    table = rich(policy(), "5", "5", special, seen=((0, 2),), deck={})
    assert set(stakes_of(table)) == {0}
    assert set(stakes_of(rich(policy(), "5^", "5^", "5^", deck={}))) != {0}


@pytest.mark.rule("K6", "K10")
def test_the_counter_stakes_its_part_of_the_pot_that_it_infers() -> None:
    seen = tuple((0, place) for place in range(6))
    for card, pot in (("2", 12), ("4", 24)):
        table = rich(CounterPolicy(), *[card] * 6, seen=seen)
        assert set(stakes_of(table)) == {pot // 4, pot // 4 + 1}
    # seen by nobody: 3 hands hold what they hold, and the mean of 30 cards is 10/3
    assert set(stakes_of(rich(CounterPolicy(), *["2"] * 6))) == {5, 6}


@pytest.mark.rule("K10")
def test_the_counter_counts_the_cards_that_are_gone_and_in_its_hand() -> None:
    table = rich(CounterPolicy(), *["4"] * 6)
    table.gone(*["2"] * 6)
    table.hand(0, *["2"] * 4)
    assert set(stakes_of(table)) == {6, 7}
    assert set(stakes_of(table, seat=1)) == {int(6 * 88 / 24 / 4), int(6 * 88 / 24 / 4) + 1}


@pytest.mark.rule("K6")
def test_the_counter_looks_where_most_face_down_cards_lie_that_it_has_not_seen() -> None:
    table = Table(CounterPolicy())
    table.bank(0, "5", "5")
    table.bank(2, "5", "5", "3", seen=[(0, 0), (0, 2)])
    table.bank(3, "5^", "5^", "5^", "5^")
    assert {place[1:] for place in done(table, "look")} == {(3, 2)}


@pytest.mark.rule("K8")
def test_the_counter_prefers_a_bank_that_it_knows() -> None:
    table = rich(CounterPolicy(), "4", "4", "4")
    table.bank(2, "4", "4", seen=[(0, 0), (0, 1)])
    assert set(done(table, "rob")) == {(3,)}
    assert set(done(table, "rob", seat=1)) == {(1,)}


@pytest.mark.rule("K10")
def test_equilibrium_stakes_by_its_mix_for_the_number_of_cards() -> None:
    mixes = {1: [0.0, 1.0], 3: [0.5, 0.0, 0.0, 0.5], 5: [0, 0, 0, 0, 0, 2, 6]}
    policy = EquilibriumPolicy(mixes={n: [float(p) for p in mix] for n, mix in mixes.items()})
    for cards, found in ((1, {1}), (2, {1}), (3, {0, 3}), (4, {0, 3}), (5, {5, 6}), (12, {5, 6})):
        assert set(stakes_of(rich(policy, *["2"] * cards))) == found
    trials = 1_000
    share = stakes_of(rich(policy, *["2"] * 6), trials=trials)[6] / trials
    assert abs(share - 3 / 4) < 4 * (3 / 16 / trials) ** 0.5


@pytest.mark.rule("K10", "K22")
def test_equilibrium_stakes_what_it_has_if_that_is_less() -> None:
    policy = EquilibriumPolicy(mixes={0: [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]})
    for coins, credit, stake in ((9, 0, 5), (3, 0, 3), (-1, 0, 0), (3, 4, 4)):
        table = rich(policy, "2", credit_to=credit)
        table.coins(coins, 9, 9, 9)
        assert set(stakes_of(table, trials=5)) == {stake}


@pytest.mark.rule("K10")
def test_fewer_cards_than_any_mix_is_for_take_the_lowest() -> None:
    policy = EquilibriumPolicy(mixes={4: [0.0, 0.0, 1.0], 6: [1.0]})
    assert set(stakes_of(rich(policy, "2"))) == {2}


@pytest.mark.rule("K10")
def test_equilibrium_has_shipped_mixes_if_none_are_given() -> None:
    mixes = shipped_mixes()
    assert min(mixes) == 1
    assert all(sum(mix) == pytest.approx(1.0, abs=0.001) for mix in mixes.values())
    for cards, mix in mixes.items():
        found = stakes_of(rich(EquilibriumPolicy(), *["2"] * cards), trials=300)
        assert set(found) <= {stake for stake, p in enumerate(mix) if p > 0}
        assert all(found[stake] for stake, p in enumerate(mix) if p > 0.05)


@pytest.mark.rule("K10")
def test_the_expert_stakes_more_on_more_money_that_it_knows() -> None:
    means = []
    for pot in (1, 4, 8):
        seen = tuple((0, place) for place in range(pot))
        found = stakes_of(rich(ExpertPolicy(), *["4"] * pot, seen=seen), trials=10)
        means.append(sum(stake * n for stake, n in found.items()))
    assert means[0] < means[1] < means[2]


@pytest.mark.rule("K14", "K15")
@pytest.mark.parametrize("special", ["guard", "thief"])
def test_the_expert_stakes_nothing_where_it_knows_a_guard_or_thief(special: str) -> None:
    table = rich(ExpertPolicy(), "5", "5", special, "5", seen=((0, 2),), deck={})
    assert set(stakes_of(table, trials=10)) == {0}


@pytest.mark.rule("K10")
def test_shuffled_beliefs_are_those_of_another_bank() -> None:
    for shuffled in (False, True):
        table = rich(planner({"by_belief": 1.0, "share": 1.0}, shuffled=shuffled), *["2^"] * 6)
        for bank in range(1, 5):
            table.bank(bank, *["4^"] * (4 + bank))
        mine, others = {3}, {5, 6, 7, 8}
        assert set(stakes_of(table, trials=100)) == (others if shuffled else mine)


@pytest.mark.rule("K5")
def test_planners_can_play_where_they_know_most_cards() -> None:
    table = Table(planner({"play_known": 1.0}))
    table.hand(0, "5")
    table.bank(0, "5", "5", "5")
    table.bank(3, "5", "5^", seen=[(0, 0)])
    assert set(done(table, "play", trials=5)) == {("5", 4)}


@pytest.mark.rule("K7")
def test_planners_turn_up_what_they_like_shown_and_else_a_card_by_lot() -> None:
    def shown(**knobs: float) -> set[Any]:
        table = Table(planner(knobs))
        table.bank(0, "5", "3", seen=[(0, 1)])
        table.bank(2, "thief", "2", seen=[(0, 0)])
        return set(done(table, "reveal"))

    assert shown(show_money=1.0) == {("3", 1, 2)}
    assert shown(show_special=1.0) == {("thief", 3, 1)}
    assert len(shown()) == len(shown(show_money=-1.0, show_special=-1.0)) == 4


@pytest.mark.rule("K4")
def test_with_a_choice_planners_look_while_they_know_too_little() -> None:
    knobs = {"rob_from": 99.0, "look_from": 0.5, "rob_size": 1.0, "others": 1.0}
    for seen, action in (((), "look"), (((0, 0), (0, 1)), "play")):
        table = rich(planner(knobs), "4", "4", "2", seen=seen, tiles="choose")
        table.hand(0, "4")
        table.turn(0)
        assert table.told_of("action")[0]["action"] == action


@pytest.mark.rule("K6", "K10")
@pytest.mark.parametrize("policy", ALL)
def test_hidden_cards_change_no_decision(policy: Any) -> None:
    """The same table but for cards that seat 0 cannot have seen."""
    for action in ("play", "look", "reveal", "rob"):
        told = []
        for hidden in ("5", "thief", "10"):
            table = Table(policy())
            table.hand(0, "5", "guard", "3")
            table.hand(1, hidden, "5")
            table.bank(0, "5^", hidden, "2", seen=[(0, 2), (1, 1)])
            table.bank(1, hidden, "lady", seen=[(0, 1), (2, 0)])
            table.deck(hidden, "4", hidden)
            table.state.seat = 0
            table.turn(0, action)
            stake = int(table.state.stake[0])
            lines = [
                {name: n for name, n in line.items() if name != "card" or line["event"] == "play"}
                for line in table.told()
                if line["event"] in ("play", "look", "reveal", "rob")
            ]
            told.append((lines, stake))
        assert told[0] == told[1] == told[2], action


@pytest.mark.rule("K10")
@pytest.mark.parametrize("policy", ALL)
def test_every_player_plays_whole_games_and_stakes_what_it_may(policy: Any) -> None:
    names = [column.name for column in BANK.columns]
    for rules in ({}, {"tiles": "choose"}, {"credit_to": 10, "specials": "published"}):
        model = BANK.rules(**rules)
        outcomes = np.zeros((30, len(names)), np.int32)
        packed = BANK.pack(model, [policy()] * 4)
        packed.play(7, 0, outcomes)
        shares = [names.index(f"win_share.{seat}") for seat in range(1, 5)]
        assert (outcomes[:, shares].sum(1) == 60).all()
        for line in packed.trace(7, 0):
            if line["event"] == "stakes":
                assert all(stake >= 0 for stake in line["stakes"])


def test_the_knobs_stand_in_the_kernels_order_and_the_shipped_file_names_all() -> None:
    places = {name.lower(): n for name, n in vars(knobs).items() if name.isupper()}
    assert sorted(places, key=places.__getitem__) == list(KNOBS)
    assert list(shipped("bank_expert")) == ["name", *KNOBS]
