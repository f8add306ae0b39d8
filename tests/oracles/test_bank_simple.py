"""The twin of Bank Robbers by hand-worked cases, rule by rule."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from .bank_simple import (
    BASE_RULES,
    Event,
    Knobs,
    Laid,
    RandomChance,
    Simple,
    Spot,
    Table,
    first_difference,
    play,
    replay,
    resolve,
)
from .bank_tales import CASES, Case, Wild, headed, simple_trace, told_in, told_of

SMALL: dict[str, Any] = {
    "players": 2,
    "hand": 1,
    "banks": 2,
    "deck": {"money": {5: 4}},
    "tiles": {"play": 1},
}


class Script:
    """Chance by script: these cards on top, these tiles, picks in turn; else the first of all."""

    def __init__(
        self,
        deck: str = "",
        tiles: Sequence[str] = (),
        played: Sequence[tuple[str, int]] = (),
        spots: Sequence[Spot] = (),
        us: Sequence[int] = (),
    ) -> None:
        self.top = {"deck": [deck.split()], "tiles": [order.split() for order in tiles]}
        self.actions: list[str] = []
        self.picks, self.spots, self.us = list(played), list(spots), list(us)
        self.offered: list[list[Spot]] = []

    def shuffle(self, what: str, turn: int, cards: list[str]) -> list[str]:
        top = self.top[what].pop(0) if self.top[what] else []
        return [*top, *(Counter(cards) - Counter(top)).elements()]

    def action(self, turn: int) -> str:
        return self.actions.pop(0)

    def played(self, turn: int, hand: list[str], banks: int) -> tuple[str, int]:
        return self.picks.pop(0) if self.picks else (hand[0], 1)

    def spot(self, turn: int, spots: list[Spot]) -> Spot:
        self.offered.append(spots)
        return self.spots.pop(0) if self.spots else spots[0]

    def extra(self, robbery: int, seat: int, noise: int, base: int, most: int) -> int:
        return self.us.pop(0) if self.us else 0


def acted(actions: str, deck: str = "", chance: Script | None = None, **rules: Any) -> Table:
    """A game of the small rules, stopped after these chosen actions."""
    chance = chance or Script(deck)
    chance.actions = actions.split()
    cards = chance.top["deck"][0]
    copies: dict[str, Any] = {"money": Counter(card for card in cards if card.isdecimal())}
    copies |= Counter(card for card in cards if not card.isdecimal())
    stop = {"max_turns": len(chance.actions), "tiles": "choose", "deck": copies}
    table = Table({**SMALL, **stop, **rules}, Simple(Knobs(noise=9)), chance)
    table.play()
    return table


def lines(events: Sequence[Event], *kinds: str) -> list[Event]:
    return [
        {key: value for key, value in line.items() if key not in ("event", "turn")}
        for line in events
        if line["event"] in kinds
    ]


def robbed(cards: str, stakes: str, final: bool = False, **rules: Any) -> Table:
    """A table whose bank 1 of these cards was robbed by seat 1, 5s in the deck."""
    staked = [int(stake) for stake in stakes.split()]
    chance = Script(us=staked)
    table = Table({"players": len(staked), **rules}, Simple(Knobs(99, 0)), chance)
    table.deck = ["5", "3"]
    table.banks[1] = [Laid(card, face_up=card == "2") for card in cards.split()]
    table.rob(1, 1, final)
    return table


# K10 to K18: the resolution


@pytest.mark.rule(*(f"K{number}" for number in range(10, 19)))
@pytest.mark.parametrize("told", CASES, ids=lambda told: told.name)
def test_robberies_worked_out_by_hand(told: Case) -> None:
    assert told_of(resolve(told.rules, told.cards, told.stakes, told.robber)) == told_in(told)


@pytest.mark.rule("K10", "K14", "K15", "K12")
@pytest.mark.parametrize(
    ("cards", "stakes", "told"),
    [
        ("5 2", "3 2 4", "coins_paid 5 short 1"),
        ("5 5", "3 2 4", "coins_paid 9 paid 1"),
        ("5 2 3 judge", "9 2 4", "coins_paid 9 short 1"),
        ("5 guard", "0 2 0", "rewards 10 guarded 1"),
        ("5 thief", "0 2 4", "coins_thieved 6 thieved 1"),
        ("5 thief guard", "0 2 4", "coins_thieved 6 rewards 5 guarded 1 thieved 1"),
        ("5 lady", "0 2 3", "coins_paid 5 paid 1 ladies 1"),
        ("lady", "0 2 3", "paid 1 ladies 1"),
    ],
)
def test_the_columns_of_a_robbery(cards: str, stakes: str, told: str) -> None:
    words = told.split()
    columns = {name: int(value) for name, value in zip(words[::2], words[1::2], strict=True)}
    table = robbed(cards, stakes)
    money = sum(int(card) for card in cards.split() if card.isdecimal())
    staked = sum(int(stake) for stake in stakes.split())
    due = {"robberies": 1, "robbed.1": 1, "pot": money, "stakes": staked, **columns}
    assert +table.tally == +Counter(due)
    gained = columns.get("coins_paid", 0) + columns.get("rewards", 0)
    assert sum(table.coins.values()) == 30 + gained - columns.get("coins_thieved", 0)


@pytest.mark.rule("K12")
def test_stakes_lost_to_a_shortfall_are_a_column() -> None:
    tally = robbed("5 2", "3 2 4", stake_on_shortfall="lost").tally
    assert (tally["coins_paid"], tally["coins_lost"], tally["coins_thieved"]) == (5, 4, 0)


# K1 to K3: set-up


@pytest.mark.rule("K1", "K2", "K3")
def test_the_default_game_is_set_up_from_41_cards() -> None:
    table = Table({}, Simple(), RandomChance(random.Random(1)))
    table.set_up()
    deal, *hands = lines(table.events, "deal", "hand")
    assert Counter(deal["deck"]) == {"2": 4, "3": 4, "4": 4, "5": 11, "10": 2} | dict.fromkeys(
        ("lady", "guard", "judge", "thief"), 4
    )
    for seat in range(4):
        cards = deal["deck"][5 * seat : 5 * seat + 5]
        assert hands[seat] == {"seat": seat + 1, "cards": cards}
    banks = [{"bank": n, "card": deal["deck"][19 + n]} for n in range(1, 6)]
    assert lines(table.events, "bank") == banks
    assert table.deck == deal["deck"][25:]
    assert list(table.coins.values()) == [10] * 4
    assert len(table.hidden()) == 5


@pytest.mark.rule("K3")
def test_the_published_deck_has_45_cards() -> None:
    deck = {**BASE_RULES["deck"], "multiply": 4}
    assert len(Table({"deck": deck}, Simple(), Script()).whole) == 45


# K4 to K9: turns


@pytest.mark.rule("K4")
def test_tiles_are_shuffled_anew_after_the_last_one() -> None:
    tiles = {"play": 1, "look": 1, "rob": 1}
    chance = Script(tiles=["look rob play", "rob play look"])
    events = play({"tiles": tiles, "max_turns": 5, "players": 2}, Knobs(), chance)
    told = [line.get("action", "tiles") for line in events if {*line} & {"action", "tiles"}]
    assert told == ["tiles", "look", "rob", "play", "tiles", "rob", "play"]
    assert lines(events, "tiles") == [
        {"tiles": ["look", "rob", "play"]},
        {"tiles": ["rob", "play", "look"]},
    ]
    assert [line["seat"] for line in lines(events, "action")] == [1, 2, 1, 2, 1]
    at = [line["event"] for line in events].index("tiles")
    assert [line["event"] for line in events[at - 1 : at + 2]] == ["turn", "tiles", "action"]


@pytest.mark.rule("K4")
def test_who_may_choose_chooses_four_to_one() -> None:
    chance = RandomChance(random.Random(1))
    chosen = Counter(chance.action(1) for _ in range(7000))
    assert 3850 < chosen["play"] < 4150
    assert all(900 < chosen[action] < 1100 for action in ("look", "reveal", "rob"))


@pytest.mark.rule("K5")
def test_play_one_card_and_draw_one_while_the_deck_lasts() -> None:
    table = acted("play play play", "2 3 4 5 10 9")
    assert lines(table.events, "play", "draw") == [
        {"seat": 1, "card": "2", "bank": 1},
        {"seat": 1, "card": "10"},
        {"seat": 2, "card": "3", "bank": 1},
        {"seat": 2, "card": "9"},
        {"seat": 1, "card": "10", "bank": 1},
    ]
    assert lines(table.events, "open")[0]["cards"] == ["4", "2", "3", "10"]


@pytest.mark.rule("K5")
def test_a_seat_without_cards_does_nothing() -> None:
    table = acted("play look", "2 3 4", hand=0)
    assert lines(table.events, "nothing") == [{"seat": 1}]
    assert lines(table.events, "look") == [{"seat": 2, "bank": 1, "place": 1, "card": "2"}]


@pytest.mark.rule("K6", "K7")
def test_look_and_reveal_find_face_down_cards_only() -> None:
    chance = Script("2 3 4 5 9 9", spots=[(2, 1), (1, 2), (1, 1), (2, 1)])
    table = acted("play look reveal look reveal", chance=chance)
    assert lines(table.events, "look", "reveal") == [
        {"seat": 2, "bank": 2, "place": 1, "card": "5"},
        {"seat": 1, "bank": 1, "place": 2, "card": "2"},
        {"seat": 2, "bank": 1, "place": 1, "card": "4"},
        {"seat": 1, "bank": 2, "place": 1, "card": "5"},
    ]
    every = [(1, 1), (1, 2), (2, 1)]
    assert chance.offered == [every, every, [(1, 1), (2, 1)], [(1, 1), (2, 1)]]
    assert table.hidden() == [(1, 1)]
    with pytest.raises(ValueError, match="no face-down card at bank 2, place 2"):
        acted("look", chance=Script("2 3 4 5 9", spots=[(2, 2)]))


@pytest.mark.rule("K9")
def test_nothing_happens_where_nothing_lies() -> None:
    table = acted("reveal reveal look reveal rob rob rob", "2 3 4 5 9")
    assert [line["event"] for line in table.events if line["event"] in ("rob", "nothing")] == [
        *["nothing", "nothing", "rob", "rob", "nothing"]
    ]


@pytest.mark.rule("K8")
def test_simple_robs_the_bank_of_most_cards_and_the_first_of_equals() -> None:
    table = Table({}, Simple(), Script())
    for bank, number in enumerate([1, 3, 2, 3, 0], 1):
        table.banks[bank] = [Laid("2", face_up=True)] * number
    assert table.policy.target(table, 3) == 2


# D16: the stake


@pytest.mark.rule("K10")
@pytest.mark.parametrize(
    ("cards", "share", "coins", "u", "stake"),
    [
        (1, 1.0, 10, 0, 0),  # 111/41/4 = 0.68
        (1, 1.0, 10, 2, 2),
        (3, 1.0, 10, 0, 2),  # 2.03
        (6, 1.0, 10, 1, 5),  # 4.06
        (6, 1.0, 4, 1, 4),
        (6, 1.0, 0, 2, 0),
        (6, 1.0, -3, 2, 0),
        (6, 0.5, 10, 0, 2),
        (6, 0.0, 10, 2, 2),
        (6, 3.0, 99, 0, 12),  # 12.18
    ],
)
def test_the_stake_of_simple(cards: int, share: float, coins: int, u: int, stake: int) -> None:
    for knobs in (Knobs(2, share), [Knobs(0, 9.0), Knobs(2, share)]):
        table = Table({"credit_to": 10}, Simple(knobs), Script(us=[u]))
        table.banks[1] = [Laid("thief")] * cards
        table.coins[2] = coins
        assert table.policy.stake(table, 2, 1) == stake


@pytest.mark.rule("K10")
def test_the_stake_is_worked_out_without_rounding() -> None:
    deck = {"money": {7: 10}}  # 0.1 * 7 * 10 / 2 = 3.5; 10 cards of 0.7 and 2 seats
    for share, stake in ((0.1, 3), (0.2, 7), (0.6, 21), (0.7, 24)):
        rules = {"players": 2, "hand": 1, "deck": deck}
        table = Table(rules, Simple(Knobs(0, share)), Script())
        table.banks[1] = [Laid("7")] * 10
        table.coins[1] = 99
        assert table.policy.stake(table, 1, 1) == stake


def test_u_is_within_the_noise() -> None:
    for us, right in (([0], True), ([2], True), ([3], False), ([-1], False)):
        table = Table({}, Simple(Knobs(2, 0)), Script(us=us))
        if right:
            assert table.policy.stake(table, 1, 1) == us[0]
        else:
            with pytest.raises(ValueError, match=r"not in 0\.\.2"):
                table.policy.stake(table, 1, 1)
    chance = RandomChance(random.Random(1))
    assert {chance.extra(1, 1, 3, 0, 0) for _ in range(99)} == {0, 1, 2, 3}


# K19: after a robbery


@pytest.mark.rule("K19")
@pytest.mark.parametrize(
    ("cards", "stakes", "kept"),
    [
        ("5 guard 2", "0 2", "5 2"),
        ("5 guard 2", "3 2", "5 2"),
        ("5 2 judge", "0 0", "5 2"),
        ("5 2", "8 9", "5 2"),
        ("5 2", "1 9", ""),
        ("5 2 lady guard", "1 0", ""),
        ("5 thief 2", "0 0", ""),
        ("5 thief guard 2", "0 3", ""),
        ("guard lady", "0 3", ""),
    ],
)
def test_money_that_nobody_took_stays_face_up(cards: str, stakes: str, kept: str) -> None:
    for final in (False, True):
        table = robbed(cards, stakes, final, after_robbery="keep_money")
        stay = kept.split()
        assert table.banks[1] == [Laid(card, face_up=True) for card in stay]
        assert lines(table.events, "kept") == ([{"bank": 1, "cards": stay}] if stay else [])
        assert table.deck == ["5", "3"]
        assert robbed(cards, stakes).banks[1] == []


@pytest.mark.rule("K19")
def test_a_robbed_bank_gets_a_new_card_but_not_at_the_end() -> None:
    table = robbed("5 guard", "0 0", after_robbery="refill")
    assert table.banks[1] == [Laid("5")]
    assert table.deck == ["3"]
    assert lines(table.events, "refill") == [{"bank": 1, "card": "5"}]
    table = robbed("5 guard", "0 0", True, after_robbery="refill")
    assert (table.banks[1], table.deck) == ([], ["5", "3"])
    table.deck = []
    table.banks[1] = [Laid("2")]
    table.rob(1, 1)
    assert table.banks[1] == []


# K20 to K23: the end


@pytest.mark.rule("K20")
def test_the_banks_are_robbed_when_deck_and_a_hand_are_empty() -> None:
    chance = Script("2 3 4 5 6", played=[("2", 2), ("3", 2)], us=[0, 1])
    table = acted("play play play", chance=chance)
    events = table.events
    assert [line["event"] for line in events[-10:]] == [
        *["play", "rob", "stakes", "open", "result", "rob", "stakes", "open", "result", "end"]
    ]
    assert lines(events, "rob") == [{"seat": 2, "bank": n, "final": True} for n in (1, 2)]
    assert [line["cards"] for line in lines(events, "open")] == [["4"], ["5", "2", "3"]]
    assert lines(events, "result")[0]["order"] == [1, 2]
    outcome = events[-1]["outcome"]
    assert (outcome["turns"], outcome["stalled"], outcome["robberies"]) == (2, False, 2)
    assert outcome["robbed.1"] == outcome["robbed.2"] == 0


@pytest.mark.rule("K20")
def test_equal_final_stakes_go_from_the_seat_that_had_the_turn() -> None:
    table = acted("play play play", "2 3 4 5 6")
    assert [line["order"] for line in lines(table.events, "result")] == [[2, 1], [2, 1]]


@pytest.mark.rule("K20")
def test_empty_banks_are_not_robbed_at_the_end() -> None:
    chance = Script("2 3 4 5 6", played=[("2", 1), ("3", 1)])
    table = acted("rob rob play play play", chance=chance, max_turns=9)
    assert [line["bank"] for line in lines(table.events, "rob") if "final" in line] == [1]
    assert table.events[-1]["outcome"]["robbed.1"] == 1


@pytest.mark.rule("K20")
def test_an_empty_deck_alone_ends_nothing() -> None:
    table = acted("look look", "2 3 4 5")
    assert lines(table.events, "end")[0]["stalled"] is True
    assert not lines(table.events, "rob")


@pytest.mark.rule("K23")
def test_a_long_game_is_stopped_without_final_robberies() -> None:
    table = acted("look play", "2 3 4 5 6 6 6")
    end = lines(table.events, "end")[0]
    assert (end["stalled"], end["coins"], end["winners"]) == (True, [10, 10], [1, 2])
    assert (end["outcome"]["stalled"], end["outcome"]["turns"]) == (True, 2)
    assert not lines(table.events, "rob")


@pytest.mark.rule("K23", "K20")
def test_the_end_in_the_last_turn_is_no_stall() -> None:
    end = lines(acted("play play", "2 3 4 5 6").events, "end")[0]
    assert end["stalled"] is False
    assert end["outcome"]["robberies"] == 2


@pytest.mark.rule("K21")
@pytest.mark.parametrize(
    ("coins", "winners", "share"),
    [("3 9 8", [2], 60), ("9 3 9", [1, 3], 30), ("4 4 4", [1, 2, 3], 20), ("-5 -1", [2], 60)],
)
def test_most_coins_win_and_equals_share(coins: str, winners: list[int], share: int) -> None:
    held = [int(number) for number in coins.split()]
    table = Table({"players": len(held)}, Simple(), Script())
    table.coins = dict(enumerate(held, 1))
    table.finish(stalled=False)
    assert table.events[-1]["winners"] == winners
    outcome = table.events[-1]["outcome"]
    for seat in range(1, 6):
        assert outcome[f"win_share.{seat}"] == (share if seat in winners else 0)
        assert outcome[f"coins.{seat}"] == (held[seat - 1] if seat <= len(held) else 0)


@pytest.mark.rule("K22")
def test_credit_is_a_debt_in_the_count_of_coins() -> None:
    table = robbed("thief 5", "7 9", credit_to=10)
    table.coins[1] = 3
    table.policy = Wild(random.Random(3))
    for _ in range(60):
        table.banks[1] = [Laid("thief")]
        table.rob(1, 1)
    staked = [line["stakes"] for line in lines(table.events, "stakes")[1:]]
    assert min(table.coins.values()) < 0
    assert table.coins[1] == 3 - sum(stakes[0] for stakes in staked)
    assert max(stakes[0] for stakes in staked) == 10


# Whole games


def test_a_replay_tells_every_line() -> None:
    for seed in range(150):
        trace = simple_trace(seed)
        assert replay(trace) == trace[1:]
        assert first_difference(trace) is None


def test_a_change_in_any_line_is_found() -> None:
    trace = simple_trace(8)
    assert {line["event"] for line in trace} >= {"play", "draw", "look", "reveal", "rob", "end"}
    for at in range(1, len(trace)):
        for name, value in trace[at].items():
            other = "odd" if isinstance(value, str) else 99
            line = {**trace[at], name: [other] if isinstance(value, list) else other}
            told = [*trace[:at], line, *trace[at + 1 :]]
            assert first_difference(told) is not None, (at, name)
        assert first_difference(trace[:at] + trace[at + 1 :]) is not None
    assert first_difference([*trace, trace[-1]]) is not None


def test_a_stake_out_of_the_noise_is_refused() -> None:
    rules = {**BASE_RULES, **SMALL, "coins": 3}  # every card is a 5: 2.5 coins a card
    for noise, staked, stops in (
        *[(1, [2, 3], None), (0, [2, 2], None), (0, [2, 3], "no u of 0..0 stakes 3: base 2")],
        *[(1, [1, 2], "stakes 1"), (9, [3, 3], None), (9, [4, 3], "stakes 4"), (0, [2], "None")],
    ):
        deck = Script(us=[0, 0], tiles=["rob"])
        rules |= {"tiles": {"rob": 1}, "max_turns": 1}
        events = play(rules, Knobs(0), deck)
        for line in events:
            if line["event"] == "stakes":
                line["stakes"] = staked
        difference = first_difference(
            headed(rules, [{"name": "simple", "noise": noise}] * 2, events)
        )
        if stops is None:  # only what follows from other stakes may differ
            assert difference is None or "stopped" not in difference
            assert difference is None or "'event': 'stakes'" not in difference
        else:
            assert difference is not None
            assert stops in difference


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"players": 6}, "players"),
        ({"stake_on_shortfall": "kept"}, "stake_on_shortfall"),
        ({"ties": "reversed"}, "ties"),
        ({"specials": "both"}, "specials"),
        ({"after_robbery": "keep"}, "after_robbery"),
        ({"final_order": "free"}, "final_order"),
        ({"tiles": {"act": 1}}, "tiles"),
        ({"tiles": {"rob": 0}}, "tiles"),
        ({"deck": {"money": {1: 24}}}, "suffice"),
        ({"credit": 3}, "credit"),
    ],
)
def test_twin_refuses_rules_it_does_not_know(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        play(rules, Knobs(), Script())
