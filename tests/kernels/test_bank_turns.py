"""Turns: the action tiles or a choice, and what play, look, reveal and rob do."""

from collections import Counter

import numpy as np
import pytest

from balance.games.bank import RandomPolicy, SimplePolicy
from kernels.streams import rollout_key
from tests.bank_tables import ACTIONS, Table, planner

TILES = Counter({"play": 4, "look": 1, "reveal": 1, "rob": 1})


def going(**rules: object) -> Table:
    """A table at which every action can be done for long."""
    table = Table(**rules)
    for seat in range(table.model.players):
        table.hand(seat, "5", "3", "2", "4", "guard")
    table.bank(0, *["2"] * 20)
    table.deck(*["5"] * 20)
    return table


@pytest.mark.rule("K4")
def test_the_seven_tiles_are_all_revealed_one_a_turn_by_whose_turn_it_is() -> None:
    table = going()
    table.turns(7)
    told = table.told_of("action")
    assert Counter(line["action"] for line in told) == TILES
    assert [line["seat"] for line in told] == [1, 2, 3, 4, 1, 2, 3]


@pytest.mark.rule("K4")
def test_after_the_last_tile_they_are_shuffled_anew_when_the_next_is_needed() -> None:
    table = going()
    table.turns(7)
    assert len(table.told_of("tiles")) == 1
    table.turns(8)
    told = table.told_of("tiles")
    assert len(told) == 3
    assert all(Counter(line["tiles"]) == TILES for line in told)
    actions = [line["action"] for line in table.told_of("action")]
    assert actions[:7] == told[0]["tiles"]
    assert actions[7:14] == told[1]["tiles"]
    assert actions[14] == told[2]["tiles"][0]


@pytest.mark.rule("K4")
def test_the_orders_of_the_tiles_are_different_and_every_place_as_likely() -> None:
    found = np.zeros(7)
    shuffles = 1_000
    table = going()
    start = table.states.copy()
    for index in range(shuffles):
        table.states[:] = start
        table.events.used = 0
        table.seed(int(rollout_key(np.uint64(1), index)))
        table.turns(1)
        (told,) = table.told_of("tiles")
        found[told["tiles"].index("rob")] += 1
    assert np.all(abs(found / shuffles - 1 / 7) < 4 * (6 / 49 / shuffles) ** 0.5)


@pytest.mark.rule("K4")
def test_the_number_of_tiles_of_each_action_is_a_rule() -> None:
    table = going(tiles={"play": 2, "look": 3, "reveal": 0, "rob": 1})
    table.turns(6)
    assert Counter(line["action"] for line in table.told_of("action")) == Counter(
        play=2, look=3, rob=1
    )


@pytest.mark.rule("K4")
def test_with_choose_no_tiles_are_shuffled_and_the_seat_chooses_among_four() -> None:
    found: Counter[str] = Counter()
    table = going(tiles="choose")
    start = table.states.copy()
    for index in range(800):
        table.states[:] = start
        table.events.used = 0
        table.seed(int(rollout_key(np.uint64(2), index)))
        table.turns(1)
        assert "tiles" not in table.kinds()
        found[table.told_of("action")[0]["action"]] += 1
    assert set(found) == set(ACTIONS)
    assert all(abs(n / 800 - 1 / 4) < 4 * (3 / 16 / 800) ** 0.5 for n in found.values())


@pytest.mark.rule("K4", "K9")
def test_with_choose_a_seat_may_choose_what_does_nothing() -> None:
    told = set()
    for seed in range(40):
        table = Table(tiles="choose")
        table.seed(seed)
        table.turn()
        assert table.kinds()[-1] == "nothing"
        told |= {line["action"] for line in table.told_of("action")}
    assert told == set(ACTIONS)


@pytest.mark.rule("K5")
def test_play_lays_a_card_of_the_hand_face_down_at_a_bank_and_draws_one() -> None:
    table = Table()
    table.hand(0, "5", "thief", "2", "4", "lady")
    table.bank(3, "10")
    table.deck("3", "judge")
    table.turn(0, "play")
    (played,) = table.told_of("play")
    bank = played["bank"] - 1
    assert table.at_bank(bank) == (["10"] if bank == 3 else []) + [played["card"]]
    left = ["5", "thief", "2", "4", "lady"]
    left.remove(played["card"])
    assert table.in_hand(0) == [*left, "3"]
    assert table.in_deck() == ["judge"]
    assert table.told_of("draw") == [{"seat": 1, "card": "3"}]


@pytest.mark.rule("K5")
def test_any_card_can_go_to_any_bank() -> None:
    hand = ("5", "thief", "2", "4", "lady")
    found = set()
    for seed in range(400):
        table = Table()
        table.seed(seed)
        table.hand(0, *hand)
        table.turn(0, "play")
        (line,) = table.told_of("play")
        found.add((line["card"], line["bank"]))
    assert found == {(card, bank) for card in hand for bank in range(1, 6)}


@pytest.mark.rule("K5")
def test_with_an_empty_deck_nothing_is_drawn() -> None:
    table = Table()
    table.hand(0, "5", "3")
    table.hand(1, "5")
    table.deck()
    table.turn(0, "play")
    assert len(table.in_hand(0)) == 1
    assert table.told_of("draw") == []


@pytest.mark.rule("K5")
def test_the_last_card_of_the_deck_is_drawn() -> None:
    table = Table()
    table.hand(0, "5", "3")
    table.deck("lady")
    table.turn(0, "play")
    assert table.in_hand(0)[1:] == ["lady"]
    assert table.in_deck() == []


@pytest.mark.rule("K5", "K9")
def test_a_player_with_no_card_left_does_nothing() -> None:
    table = Table()
    table.deck("5")
    table.turn(0, "play")
    assert table.kinds() == ["turn", "action", "nothing"]
    assert table.in_deck() == ["5"]
    assert table.in_hand(0) == []


@pytest.mark.rule("K5", "K6")
def test_a_player_knows_the_card_that_it_played_and_nobody_else_does() -> None:
    table = Table()
    table.hand(2, "thief")
    table.deck("5", "5")
    table.bank(0, "5")
    for bank in range(5):
        table.bank(bank, "2", "3")
    table.turn(2, "play")
    (line,) = table.told_of("play")
    bank = line["bank"] - 1
    place = len(table.at_bank(bank)) - 1
    assert table.knows(2, bank) == [place]
    assert not any(table.knows(seat, bank) for seat in (0, 1, 3))
    assert not any(table.knows(2, other) for other in range(5) if other != bank)


@pytest.mark.rule("K6")
def test_look_shows_one_face_down_card_to_the_seat_alone() -> None:
    table = Table()
    table.bank(2, "5^", "thief", "3^")
    table.turn(1, "look")
    assert table.told_of("look") == [{"seat": 2, "bank": 3, "place": 2, "card": "thief"}]
    assert table.knows(1, 2) == [1]
    assert not any(table.knows(seat, 2) for seat in (0, 2, 3))
    assert table.at_bank(2) == ["5^", "thief", "3^"]


@pytest.mark.rule("K7")
def test_reveal_turns_one_face_down_card_up_for_good() -> None:
    table = Table()
    table.bank(2, "5^", "thief", "3^")
    table.turn(1, "reveal")
    assert table.told_of("reveal") == [{"seat": 2, "bank": 3, "place": 2, "card": "thief"}]
    assert table.at_bank(2) == ["5^", "thief^", "3^"]
    table.turn(2, "look")
    table.turn(3, "reveal")
    assert table.at_bank(2) == ["5^", "thief^", "3^"]


@pytest.mark.rule("K6", "K7")
@pytest.mark.parametrize("action", ["look", "reveal"])
def test_every_face_down_card_at_any_bank_can_be_seen_and_no_face_up_one(action: str) -> None:
    found = set()
    for seed in range(200):
        table = Table()
        table.seed(seed)
        table.bank(0, "5^", "2")
        table.bank(1, "3^")
        table.bank(3, "4", "3^", "lady", "2")
        table.turn(0, action)
        (line,) = table.told_of(action)
        found.add((line["bank"], line["place"], line["card"]))
    assert found == {(1, 2, "2"), (4, 1, "4"), (4, 3, "lady"), (4, 4, "2")}


@pytest.mark.rule("K8")
def test_rob_is_the_seats_choice_of_a_bank_that_holds_cards() -> None:
    found = set()
    for seed in range(60):
        table = Table()
        table.seed(seed)
        table.bank(1, "5")
        table.bank(2, "thief^", "2")
        table.bank(4, "2")
        table.turn(3, "rob")
        (line,) = table.told_of("rob")
        assert line["seat"] == 4
        found.add(line["bank"])
        assert table.at_bank(line["bank"] - 1) == []
        assert table.counted("robbed.4") == table.counted("robberies") == 1
    assert found == {2, 3, 5}


@pytest.mark.rule("K9")
@pytest.mark.parametrize("action", ["look", "reveal"])
def test_without_a_face_down_card_anywhere_nothing_is_looked_at_or_turned_up(action: str) -> None:
    for policy in (RandomPolicy(), SimplePolicy(), planner()):
        table = Table(policy)
        table.bank(2, "5^", "thief^")
        table.turn(1, action)
        assert table.kinds() == ["turn", "action", "nothing"]
        assert table.told_of("nothing") == [{"seat": 2}]
        assert table.at_bank(2) == ["5^", "thief^"]
        assert table.knows(1, 2) == []


@pytest.mark.rule("K9")
def test_with_every_bank_empty_nothing_is_robbed() -> None:
    for policy in (RandomPolicy(), SimplePolicy(), planner()):
        table = Table(policy)
        table.turn(1, "rob")
        assert table.kinds() == ["turn", "action", "nothing"]
        assert table.counted("robberies") == table.counted("robbed.2") == 0


@pytest.mark.rule("K7", "K10")
def test_a_robbery_reveals_the_face_down_cards_with_the_others() -> None:
    table = Table()
    table.bank(0, "5^", "2", "judge")
    table.rob(0, 0, [0, 0, 0, 0])
    assert table.told_of("open") == [{"bank": 1, "cards": ["5", "2", "judge"], "pot": 7}]


@pytest.mark.rule("K4")
def test_the_next_turn_is_the_next_seats() -> None:
    table = going(players=3)
    table.state.seat = 2
    table.turns(2)
    assert [line["seat"] for line in table.told_of("turn")] == [3, 1]
    assert table.state.turn == 2
