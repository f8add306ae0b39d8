"""The twin of Vault Breakers by hand-worked cases, rule by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from .vault_simple import (
    BASE_RULES,
    COLOURS,
    Chance,
    Event,
    Simple,
    Table,
    chance_to_break,
    play,
)

LETTERS = {colour[0]: colour for colour in COLOURS.values()}  # "ab": audacity, brawn


class Script:
    """Chance by script: cards from the top, then dice in turn; the last of what is held is lost."""

    def __init__(
        self,
        training: str = "",
        loot: Sequence[int] = (),
        dice: Sequence[Sequence[int]] = (),
        die: Sequence[int] = (),
    ) -> None:
        self.top: dict[str, list[Any]] = {"training": training.split(), "loot": [*loot]}
        self.rolls = {"dice": [[*roll] for roll in dice], "die": [[pips] for pips in die]}

    def shuffle(self, what: str, cards: list[Any]) -> list[Any]:
        rest = list(cards)
        for card in self.top[what]:
            rest.remove(card)
        return self.top[what] + rest

    def roll(self, what: str, attempt: int, n: int) -> list[int]:
        return self.rolls[what].pop(0)

    def lost(self, what: str, attempt: int, seat: int, held: list[Any], n: int) -> list[Any]:
        return held[::-1][:n]


def table_with(
    *tokens: str, chance: Chance | None = None, break_at: Any = 0.5, breaks: int = 0, **rules: Any
) -> Table:
    """A table before its first turn, the seats with these tokens, by their first letters."""
    table = Table({"players": len(tokens), **rules}, Simple(break_at), chance or Script())
    table.breaks = breaks
    table.vault = list(range(1, 7)) * 3
    for seat, letters in zip(table.seats, tokens, strict=True):
        for letter in letters:
            seat.tokens[LETTERS[letter]] += 1
            table.supply[LETTERS[letter]] -= 1
    return table


def planned(table: Table, seat: int = 1) -> list[tuple[int, int]]:
    parts = table.policy.breaks(table, table.seats[seat - 1])
    return [(who.number, dice) for who, dice in parts]


def attempted(table: Table, *parts: tuple[int, int]) -> list[Event]:
    table.attempt([(table.seats[number - 1], dice) for number, dice in parts])
    return table.events


def combined(hand: str, supply: str = "abcs" * 9, **rules: Any) -> list[str]:
    """The sets that `simple` makes of a hand, and what is wasted in each."""
    table = Table(rules, Simple(), Script())
    table.supply = {colour: supply.count(letter) for letter, colour in LETTERS.items()}
    seat = table.seats[0]
    seat.hand = hand.split()
    while cards := table.policy.combines(table, seat):
        table.combine(seat, cards)
    used = [card for line in table.events for card in line["cards"]]
    assert table.deck == used
    assert Counter(seat.hand) + Counter(used) == Counter(hand.split())
    return [f"{' '.join(line['cards'])}: {line['wasted']}" for line in table.events]


def lines(events: list[Event], *kinds: str) -> list[Event]:
    return [
        {key: value for key, value in line.items() if key not in ("event", "turn")}
        for line in events
        if line["event"] in kinds
    ]


# The chance of the dice


@pytest.mark.parametrize(
    ("n", "ways"),
    [
        (2, [6, 0, 0, 0, 0, 0]),
        (3, [135, 20, 0, 0, 0, 0]),
        (4, [1170, 575, 70, 0, 0, 0]),
        (5, [7650, 6054, 2373, 252, 1, 0]),
        (6, [46572, 43821, 29715, 9604, 918, 7]),
    ],
)
def test_ways_of_the_dice_are_those_of_the_rules(n: int, ways: list[int]) -> None:
    for threshold, number in zip(BASE_RULES["thresholds"], ways, strict=True):
        assert chance_to_break(n, threshold) == Fraction(number, 6**n)


def test_twelve_dice_reach_35_as_the_rules_say() -> None:
    assert round(float(chance_to_break(12, 35)), 4) == 0.8964
    assert chance_to_break(12, 12) == 1


# V10: combining


@pytest.mark.parametrize(
    ("hand", "sets"),
    [
        ("9S AS 4S", ["9S AS: 0"]),
        ("9S 2S 3S", ["9S 2S: 1"]),
        ("3S 4S 5S 6S", ["6S 4S: 0"]),
        ("AS 5S 2S 3S", ["5S 3S 2S: 0"]),
        ("4S 3S 3S 4S", ["4S 4S 3S: 1"]),
        ("10S AS", ["10S: 0"]),
        ("8S AS", []),
        ("9S 9S 9S AS", ["9S AS: 0", "9S 9S: 8"]),
        ("6S 6H 6C 6D", []),
        ("KS 9S", ["KS: 0"]),
    ],
)
def test_highest_first_then_the_lowest_that_closes_the_gap(hand: str, sets: list[str]) -> None:
    assert combined(hand) == sets


@pytest.mark.parametrize(
    ("hand", "sets"),
    [
        ("10S AS 9S", ["AS: 1", "10S: 0"]),
        ("AS 9S 2S", ["AS: 1", "9S 2S: 1"]),
        ("AS AS", ["AS: 1", "AS: 1"]),
    ],
)
def test_an_ace_of_eleven_comes_first(hand: str, sets: list[str]) -> None:
    assert combined(hand, ace_value=11) == sets


def test_faces_come_first_then_sets_both_by_spades_clubs_hearts_diamonds() -> None:
    hand = "10D 10H 10C 10S KD JD QH KC QC JC KS JC"
    sets = "KS JC JC QC KC QH JD KD 10S 10C 10H 10D".split()
    assert combined(hand) == [f"{card}: 0" for card in sets]


def test_combine_at_changes_the_sets_but_not_the_faces() -> None:
    assert combined("9S 7S 5S JS", combine_at=15) == ["JS: 0", "9S 7S: 1"]
    assert combined("4S 3S JS", combine_at=5) == ["JS: 0", "4S 3S: 2"]


def test_a_colour_that_has_run_out_is_not_combined() -> None:
    assert combined("KS QS 10S 10D 10C", supply="sb") == ["QS: 0", "10C: 0"]
    assert combined("9C AC 10C", supply="b") == ["10C: 0"]


@pytest.mark.parametrize("cards", ["9S", "KS QS", "9S AC", "KS 10S", "5D 5D"])
def test_table_refuses_a_set_that_gives_no_token(cards: str) -> None:
    table = Table({"tokens_each": 20}, Simple(), Script())
    table.supply["audacity"] = 0
    table.seats[0].hand = cards.split()
    with pytest.raises(ValueError, match=r"no token|invalid literal"):
        table.combine(table.seats[0], cards.split())


# The partner


@pytest.mark.parametrize(
    ("tokens", "breaker", "partner"),
    [
        (["aa", "a", "aaa", "aa"], 1, 3),
        (["aa", "aaa", "aaa", "a"], 1, 2),
        (["aaa", "aa", "aa", "aaa"], 3, 4),
        (["aaa", "aaa", "aa", "aa"], 3, 1),
        (["aaa", "aa" * 7, "bb", "b" * 15], 1, 4),
    ],
)
def test_partner_has_most_tokens_uncapped_and_ties_go_clockwise(
    tokens: list[str], breaker: int, partner: int
) -> None:
    table = table_with(*tokens)
    assert [number for number, _ in planned(table, breaker)] == [breaker, partner]


def test_a_seat_that_must_skip_is_a_partner_too() -> None:
    table = table_with("aa", "a", "aa")
    table.seats[2].must_skip = True
    assert planned(table) == [(1, 2), (3, 1)]


# When `simple` breaks


def test_first_break_takes_a_partner_with_one_die_where_it_can() -> None:
    assert planned(table_with("aaaa", "b")) == [(1, 2), (2, 1)]
    assert planned(table_with("a", "bbb")) == [(1, 1), (2, 2)]
    assert planned(table_with("aaaaaa", "")) == []
    assert planned(table_with("", "bbbbbb")) == []
    assert planned(table_with("a", "b")) == []


def test_alone_with_the_fewest_dice_where_no_partner_is_required() -> None:
    assert planned(table_with("aaaaaa", "b", breaks=1)) == [(1, 5)]
    assert planned(table_with("aaaa", "bb", breaks=1)) == [(1, 4), (2, 1)]
    assert planned(table_with("aaaa", "bb", first_break_needs_partner=False)) == [(1, 3)]


def test_dice_of_two_players_go_beyond_six_by_player_only() -> None:
    # 25: six dice 9604 in 46656, seven exactly 1/2, eight more
    assert planned(table_with("aaaaaa", "bbb", breaks=3)) == [(1, 6), (2, 1)]
    assert planned(table_with("aaaaaa", "bbb", breaks=3, break_at=0.51)) == [(1, 6), (2, 2)]
    assert planned(table_with("aaa", "bbbbbb", breaks=3, break_at=0.51)) == [(1, 3), (2, 5)]
    assert planned(table_with("aaa", "bbbb", breaks=3, break_at=0.51)) == []
    tokens = ["aaaaa", "bbbbb"]
    assert planned(table_with(*tokens, breaks=3, dice_limit="table")) == [(1, 5), (2, 1)]


def test_break_at_is_met_by_an_equal_chance_and_is_one_a_seat() -> None:
    rules: dict[str, Any] = {"thresholds": [4], "first_break_needs_partner": False}
    assert planned(table_with("aa", "b", break_at=0.5, **rules)) == [(1, 1)]
    assert planned(table_with("aa", "b", break_at=0.51, **rules)) == [(1, 2)]
    both = table_with("aa", "bb", break_at=[0.5, 0.95], **rules)  # 33 of 36
    assert planned(both) == [(1, 1)]
    assert planned(both, seat=2) == [(2, 2), (1, 1)]


@pytest.mark.parametrize(
    ("tokens", "breaks", "parts"),
    [
        (["a" * 6, "b" * 9], 5, [(1, 6)]),
        (["a" * 8, ""], 5, [(1, 6)]),
        (["a" * 4, "bb"], 5, [(1, 4), (2, 2)]),
        (["a" * 4, "b"], 5, []),
        (["", "b" * 6], 5, []),
        (["a", "b" * 6], 5, [(1, 1), (2, 5)]),
        (["a" * 6, "b"], 0, [(1, 5), (2, 1)]),
        (["a" * 6, ""], 0, []),
    ],
)
def test_at_the_limit_of_the_table_six_dice_are_rolled_at_any_chance(
    tokens: list[str], breaks: int, parts: list[tuple[int, int]]
) -> None:
    thresholds = [35] * 6
    table = table_with(*tokens, breaks=breaks, thresholds=thresholds, dice_limit="table")
    assert planned(table) == parts


def test_at_the_limit_by_player_twelve_dice_are_rolled_at_any_chance() -> None:
    rules: dict[str, Any] = {"breaks": 5, "break_at": 0.95}  # twelve dice: 0.8964
    assert planned(table_with("a" * 6, "b" * 7, **rules)) == [(1, 6), (2, 6)]
    assert planned(table_with("a" * 6, "b" * 5, **rules)) == []
    assert planned(table_with("a" * 5, "b" * 9, **rules)) == []


def test_the_limit_is_the_field_dice() -> None:
    rules: dict[str, Any] = {"breaks": 5, "dice": 3}
    assert planned(table_with("aaaa", "bbb", **rules)) == [(1, 3), (2, 3)]
    assert planned(table_with("aaaa", "bbb", dice_limit="table", **rules)) == [(1, 3)]
    lone = table_with("aa", "bb", thresholds=[7], dice=1, dice_limit="table")
    assert planned(lone) == []


@pytest.mark.parametrize(
    ("parts", "rules"),
    [
        ([(1, 3)], {}),
        ([(1, 7), (2, 1)], {}),
        ([(1, 5), (2, 2)], {"dice_limit": "table"}),
        ([(1, 3), (2, 4)], {}),
        ([(1, 3), (2, 0)], {}),
    ],
)
def test_table_refuses_dice_that_cannot_be(
    parts: list[tuple[int, int]], rules: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match="cannot be rolled"):
        attempted(table_with("a" * 9, "bbb", **rules), *parts)


# Paying, rolling, sharing


def test_tokens_are_paid_from_the_colour_held_most_at_that_moment() -> None:
    table = table_with("aabbcsss", "scba", chance=Script(dice=[[6] * 7]))
    attempted(table, (1, 5), (2, 2))
    order = "stealth audacity brawn stealth audacity".split()
    assert lines(table.events, "break") == [
        {
            "seat": 1,
            "threshold": 10,
            "parts": [
                {"seat": 1, "dice": 5, "paid": order},
                {"seat": 2, "dice": 2, "paid": ["audacity", "brawn"]},
            ],
            "shares": [1, 1, 2],
        }
    ]
    assert table.seats[0].tokens == {"audacity": 0, "brawn": 1, "charisma": 1, "stealth": 1}
    assert table.supply == {"audacity": 20, "brawn": 19, "charisma": 18, "stealth": 18}


def test_a_total_at_the_threshold_breaks_and_one_below_fails() -> None:
    for dice, broken in ([5, 5], 1), ([5, 4], 0):
        table = table_with("aa", "bb", chance=Script(dice=[dice], die=[1]))
        attempted(table, (1, 1), (2, 1))
        assert table.breaks == broken
        assert len(lines(table.events, "broken")) == broken
        assert len(lines(table.events, "failed", "hit")) == 2 * (1 - broken)
        assert [seat.held for seat in table.seats] == [1, 1]  # V18


def test_the_third_card_goes_to_the_partner_and_all_to_a_lone_breaker() -> None:
    table = table_with("a" * 6, "b", chance=Script(dice=[[6] * 3, [6] * 4]))
    attempted(table, (1, 2), (2, 1))
    attempted(table, (1, 4))
    loot = [line["loot"] for line in lines(table.events, "broken")]
    assert loot[0] == [{"seat": 1, "vp": 1}, {"seat": 1, "vp": 2}, {"seat": 2, "vp": 3}]
    assert loot[1] == [{"seat": 1, "vp": 4}, {"seat": 1, "vp": 5}, {"seat": 1, "vp": 6}]
    assert [line["threshold"] for line in lines(table.events, "roll")] == [10, 15]


@pytest.mark.parametrize(("left", "shares"), [(2, [1, 1]), (1, [1]), (0, [])])
def test_a_short_vault_cuts_the_shares_at_their_end(left: int, shares: list[int]) -> None:
    table = table_with("aaa", "b", chance=Script(dice=[[6] * 3]))
    table.vault = [4, 5][:left]
    attempted(table, (1, 2), (2, 1))
    assert lines(table.events, "break")[0]["shares"] == shares
    assert [card["vp"] for card in lines(table.events, "broken")[0]["loot"]] == [4, 5][:left]
    assert table.breaks == 1


# V17: failure


def failure(die: int, **rules: Any) -> Table:
    chance = Script(dice=[[1, 1]], die=[die])
    table = table_with("ss", "baas", "abc", chance=chance, **rules)
    table.deck = ["KD"]
    table.seats[1].hand = "2C 3C 4C".split()
    table.seats[1].loot = [6, 1]
    table.seats[2].loot = [2]
    attempted(table, (3, 1), (2, 1))
    assert lines(table.events, "failed") == [{"die": die, "total": 2}]
    return table


@pytest.mark.parametrize(
    ("die", "third", "second"),
    [
        (1, {}, {}),
        (2, {"cards": []}, {"cards": ["4C"]}),
        (3, {"cards": []}, {"cards": ["4C", "3C", "2C"]}),
        (4, {"tokens": ["brawn"]}, {"tokens": ["audacity"]}),
        (5, {"tokens": ["brawn", "charisma"]}, {"tokens": ["audacity", "brawn", "stealth"]}),
        (6, {"loot": 2}, {"loot": 1}),
    ],
)
def test_everyone_who_takes_part_is_hit_or_only_the_breaker(
    die: int, third: dict[str, Any], second: dict[str, Any]
) -> None:
    hits = [{"seat": 3, "die": die, **third}, {"seat": 2, "die": die, **second}]
    table = failure(die, failure_hits="everyone")
    assert lines(table.events, "hit") == hits
    assert [seat.must_skip for seat in table.seats] == [False, die == 1, die == 1]
    assert table.deck == ["KD", *second.get("cards", [])]
    assert [line["loot"] for line in hits if "loot" in line] == table.lost_loot
    assert sum(table.supply.values()) + sum(seat.held for seat in table.seats) == 80
    assert table.tally[f"failures.{die}"] == 1
    assert table.seats[1].vp == (6 if die == 6 else 7)
    table = failure(die, failure_hits="breaker")
    assert lines(table.events, "hit") == hits[:1]


def test_who_has_no_loot_loses_none() -> None:
    table = table_with("aa", "bb", chance=Script(dice=[[1, 1]], die=[6]))
    attempted(table, (1, 1), (2, 1))
    assert lines(table.events, "hit") == [{"seat": 1, "die": 6}]


def test_two_hits_before_the_next_turn_cost_one_turn() -> None:
    # two tens a turn are two tokens; two dice reach 6 in 26 of 36 ways
    chance = Script("10S " * 8, dice=[[1, 1], [1, 1], [6, 6]], die=[1, 1])
    rules = {"players": 3, "training_decks": 8, "start_cards": 0, "draw": 2, "thresholds": [6]}
    events = play({**rules, "failure_hits": "everyone"}, 0.5, chance)
    told = ("skipped", "pass", "break", "hit", "end")
    assert [
        (line["turn"], line["event"], line.get("seat")) for line in events if line["event"] in told
    ] == [
        (1, "pass", 1),
        *[(2, "break", 2), (2, "hit", 2), (2, "hit", 1)],
        *[(3, "break", 3), (3, "hit", 3), (3, "hit", 1)],
        *[(4, "skipped", 1), (5, "skipped", 2), (6, "skipped", 3)],
        *[(7, "break", 1), (7, "end", None)],
    ]
    assert not [line for line in events if line.get("turn") == 4][2:]  # no draw
    assert events[-1]["outcome"]["turns"] == 7


# The end

QUICK: dict[str, Any] = {  # every turn two tokens, and two dice break at 6
    "players": 2,
    "training_decks": 8,
    "start_cards": 0,
    "draw": 2,
    "thresholds": [6, 6],
}


def quick(loot: Sequence[int], dice: Sequence[Sequence[int]], **rules: Any) -> list[Event]:
    """Turn 1 passes for want of a partner; turn 2 is a break by both, turn 3 one by seat 1."""
    counts = {str(vp): copies for vp, copies in Counter(loot).items()}
    return play({**QUICK, "loot": counts, **rules}, 0.5, Script("10S " * 8, loot, dice, [4] * 9))


def test_who_holds_20_reveals_at_once() -> None:
    events = quick([10, 10, 30, 1], [[6, 6]])
    assert lines(events, "reveal") == [{"seat": 2, "vp": 20}]  # asked before seat 1
    assert lines(events, "end")[0]["ended_by"] == "reveal"
    assert lines(events, "end")[0]["vp"] == [30, 20]
    assert lines(events, "end")[0]["winners"] == [1]
    assert [line["event"] for line in events[-3:]] == ["broken", "reveal", "end"]


def test_nobody_reveals_below_the_field_reveal_at() -> None:
    assert not lines(quick([10, 9, 1], [[6, 6]], max_turns=2), "reveal")
    assert lines(quick([10, 9, 1], [[6, 6]], reveal_at=19), "reveal") == [{"seat": 2, "vp": 19}]


def test_the_last_break_ends_the_game_by_breaks_even_with_20() -> None:
    events = quick([10, 10, 30], [[6, 6]], thresholds=[6])
    assert not lines(events, "reveal")
    assert events[-1]["ended_by"] == "breaks"
    assert events[-1]["turn"] == 2


def test_equal_vp_share_the_win() -> None:
    end = quick([2, 3, 5, 1], [[6, 6]], thresholds=[6])[-1]
    assert end["winners"] == [1, 2]
    assert [end["outcome"][f"win_share.{seat}"] for seat in range(1, 7)] == [30, 30, 0, 0, 0, 0]
    end = quick([2, 4, 5, 1], [[6, 6]], thresholds=[6])[-1]
    assert [end["outcome"][f"win_share.{seat}"] for seat in (1, 2)] == [0, 60]
    end = play({"players": 3, "max_turns": 1}, 0.5, Script())[-1]
    assert [end["outcome"][f"win_share.{seat}"] for seat in range(1, 5)] == [20, 20, 20, 0]


def test_a_game_is_stalled_after_max_turns_and_still_won() -> None:
    events = quick([2, 3, 1, 9], [[6, 6]], max_turns=2)
    assert lines(events, "turn") == [{"seat": 1}, {"seat": 2}]
    end = events[-1]
    assert (end["ended_by"], end["turn"], end["winners"]) == ("stalled", 2, [2])
    assert end["outcome"]["stalled"] is True
    assert end["outcome"]["turns"] == 2


def test_a_reveal_in_the_last_turn_is_no_stall() -> None:
    end = quick([20, 3, 1, 9], [[6, 6]], max_turns=2)[-1]
    assert (end["ended_by"], end["outcome"]["stalled"]) == ("reveal", False)


# Rules


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"players": 7}, "players"),
        ({"ace_value": 10}, "ace_value"),
        ({"actions": [{"name": "x"}]}, "actions"),
        ({"dice_limit": "seat"}, "dice_limit"),
        ({"failure_hits": "all"}, "failure_hits"),
        ({"thresholds": []}, "thresholds"),
        ({"threshold": [3]}, "threshold"),
    ],
)
def test_twin_refuses_rules_it_does_not_know(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        play(rules, 0.5, Script())
