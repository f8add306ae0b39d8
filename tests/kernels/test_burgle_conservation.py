"""No card is lost or doubled, whatever the rules, the characters, the tools and the players."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.games.burgle import (
    BURGLE,
    CHARACTERS,
    TOOLS,
    BurgleRules,
    ExpertPolicy,
    RandomPolicy,
    SimplePolicy,
    pack_policies,
    pack_rules,
)
from kernels.burgle import layout, play
from kernels.events import EVENTS
from tests.burgle_tables import key_of
from tests.oracles import burgle_checker

LONGEST = 5000  # steps

lengths = st.one_of(
    st.builds(lambda n: {"flush": n}, st.integers(1, 11)),
    st.builds(lambda n: {"straight_flush": n}, st.integers(2, 11)),
)
totals = st.integers(1, 62)
plain_rules = st.fixed_dictionaries(
    {
        "players": st.integers(2, 4),
        "stealth": st.integers(0, 99),
        "tools": st.one_of(st.booleans(), st.lists(st.sampled_from(TOOLS), unique=True)),
        "trading": st.booleans(),
        "guard_value": st.integers(0, 20),
        "peek_totals": st.lists(totals, max_size=8),
        "jackpot_total": totals,
        "crack": lengths,
        "straight_replaces_flush": st.booleans(),
        "guard_in_straight": st.booleans(),
        "joker_in_straight": st.booleans(),
        "burn": st.integers(0, 11),
        "alarm_over": totals,
        "juicer_alarm_over": totals,
        "alarm_discards": st.integers(0, 10),
        "alarm_removes": st.integers(0, 10),
        "targeted_safe_from": st.integers(0, 63),
        "win_at_once": st.booleans(),
        "peterman_before_guard": st.booleans(),
        "dynamite_inactive": st.booleans(),
        "max_rounds": st.integers(1, 30),
    }
)
# Rules of games that last: some safes open, so tools come up, and nobody is caught at once.
long_rules = st.fixed_dictionaries(
    {
        "players": st.integers(2, 4),
        "stealth": st.integers(5, 30),
        "tools": st.just(True),
        "crack": st.builds(lambda n: {"flush": n}, st.integers(1, 4)),
        "burn": st.integers(0, 2),
        "win_at_once": st.booleans(),
        "peterman_before_guard": st.booleans(),
        "dynamite_inactive": st.booleans(),
        "max_rounds": st.integers(5, 30),
    }
)
caps = st.one_of(st.none(), st.integers(0, 5))  # over what the seats start with
seatings = st.one_of(st.sampled_from(["none", "random"]), st.permutations(CHARACTERS))


def build_rules(fields: dict[str, Any], cap: int | None, seating: Any) -> BurgleRules:
    """Rules of these fields with a cap on stealth and characters that fit them."""
    characters = seating if isinstance(seating, str) else seating[: fields["players"]]
    highest = None if cap is None else min(99, fields["stealth"] + cap)
    return BurgleRules(**fields, stealth_cap=highest, characters=characters)


all_rules = st.builds(build_rules, st.one_of(plain_rules, long_rules), caps, seatings)
chances = st.sampled_from([0.0, 0.1, 1.0])
players = st.builds(
    lambda kind, chance: kind(mistakes=chance),
    st.sampled_from([RandomPolicy, SimplePolicy, ExpertPolicy]),
    chances,
)
tables = st.lists(players, min_size=4, max_size=4)
seeds = st.integers(0, 2**63 - 1)
few = settings(max_examples=30, deadline=None, derandomize=True)


class Played:
    """A game that is played step by step."""

    def __init__(self, rules: BurgleRules, table: list[Any], seed: int, rollout: int) -> None:
        self.rules, self.policies = pack_rules(rules), pack_policies(table)
        self.states = np.zeros(1, layout.STATE).view(np.recarray)
        self.rooms = np.zeros(1, layout.SCRATCH).view(np.recarray)
        self.events = np.zeros(1, EVENTS).view(np.recarray)
        self.key = key_of(seed, rollout)
        self.piles = range(layout.SEATS + (rules.players < layout.SEATS))
        play.run_begin(self.rules, self.policies, self.key, self.states, self.rooms, self.events)

    @property
    def state(self) -> Any:
        return self.states[0]

    def steps(self) -> Iterator[Any]:
        """The state after the deal and after every step (a bail and what follows it are one)."""
        for _ in range(LONGEST):
            yield self.state
            phase = int(self.state.phase)
            if phase == layout.OVER:
                return
            stop = phase + 1 if phase < layout.BAIL else layout.DRAW
            play.run_until(
                self.rules, self.policies, self.key, self.states, self.rooms, self.events, stop
            )
        raise AssertionError("the game does not end")

    def cards(self) -> list[int]:
        """Every card that the state holds, in whatever place."""
        state = self.state
        found = []
        for pile in self.piles:
            found += state.deck[pile][: state.deck_size[pile]].tolist()
            found += members(state.discards[pile])
        for seat in range(layout.SEATS):
            found += members(state.display[seat])
        if layout.VAN in self.piles and state.current[layout.VAN] != layout.NO_CARD:
            found.append(int(state.current[layout.VAN]))
        return found


def members(pile: Any) -> list[int]:
    """The cards of a pile."""
    return [card for card in range(layout.CARDS) if int(pile) >> card & 1]


@few
@given(all_rules, tables, seeds)
def test_after_every_step_each_card_in_the_game_is_in_one_place(
    rules: BurgleRules, table: list[Any], seed: int
) -> None:
    """Number cards and Guards are 44; the Joker is the 45th once the Virus has been used."""
    game = Played(rules, table, seed, 0)
    gone: set[int] = set()
    for state in game.steps():
        cards = game.cards()
        assert len(cards) == len(set(cards))
        brought = layout.CARDS if state.used[layout.VIRUS] else layout.JOKER
        assert set(cards) <= set(range(brought))
        removed = set(range(brought)) - set(cards)
        assert gone <= removed  # what left the game stays out
        assert not any(layout.FIRST_GUARD <= card < layout.JOKER for card in removed)
        assert len(removed) == state.count[layout.REMOVED]
        gone = removed


@few
@given(all_rules, tables, seeds)
def test_after_every_step_each_tool_is_in_one_place(
    rules: BurgleRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 2)
    in_deck = rules.tools if isinstance(rules.tools, list) else TOOLS if rules.tools else ()
    for state in game.steps():
        hands = [members(held) for held in state.tools]
        there = [tool for hand in hands for tool in hand]
        there += state.tool_deck[: state.tool_deck_size].tolist()
        there += [tool for tool in range(layout.TOOLS) if state.used[tool]]
        assert sorted(TOOLS[tool] for tool in there) == sorted(in_deck)
        assert max(state.used) <= 1
        assert state.tools_held == sum(map(len, hands))
        assert state.count[layout.TOOLS_USED] == state.used.sum()


@few
@given(all_rules, tables, seeds)
def test_the_totals_kept_along_the_way_are_those_of_the_displays(
    rules: BurgleRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 1)
    for state in game.steps():
        lowered = 0
        for seat in range(layout.SEATS):
            suit = int(state.suit[seat])
            cards = members(state.display[seat])
            numbers = [card for card in cards if card < layout.FIRST_GUARD]
            guards = [card for card in cards if layout.FIRST_GUARD <= card < layout.JOKER]
            jokers = len(cards) - len(numbers) - len(guards)
            hard = sum(card % 10 + 1 for card in numbers) + rules.guard_value * len(guards)
            assert guards in ([], [layout.FIRST_GUARD + suit])
            assert state.hard[seat] in (hard, hard - layout.STETHOSCOPE_MINUS)
            lowered += state.hard[seat] != hard
            assert state.aces[seat] == sum(card % 10 == 0 for card in numbers)
            assert state.held[seat] == sum(c // 10 == suit for c in numbers) + len(guards) + jokers
            assert state.current[seat] == layout.NO_CARD or state.current[seat] in cards
            if seat == state.hacker:
                assert sorted(state.row[: state.row_size].tolist()) == cards
                if state.current[seat] != layout.NO_CARD:
                    assert state.row[state.row_size - 1] == state.current[seat]
        assert lowered <= state.used[layout.STETHOSCOPE]


@few
@given(all_rules, tables, seeds)
def test_what_is_kept_of_known_and_unseen_cards_is_true(
    rules: BurgleRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 3)
    for state in game.steps():
        hidden: set[int] = set()
        for pile in game.piles:
            size = int(state.deck_size[pile])
            deck = state.deck[pile][:size].tolist()
            assert int(state.known[pile]) >> size == 0
            unknown = {card for i, card in enumerate(deck) if not int(state.known[pile]) >> i & 1}
            if state.remakes[pile]:
                assert set(members(state.content[pile])) == set(deck)
            else:
                hidden |= {card for card in unknown if card < layout.FIRST_GUARD}
        assert set(members(state.unseen)) == hidden


@few
@given(all_rules, tables, seeds)
def test_the_outcome_agrees_with_the_trace(rules: BurgleRules, table: list[Any], seed: int) -> None:
    told = BURGLE.pack(rules, table).trace(seed, 4)
    outcome = told[-1]["outcome"]
    lines = Counter(line["event"] for line in told)
    used = [line for line in told if line["event"] == "use"]
    seats = range(1, layout.SEATS + 1)
    assert outcome["won"] + outcome["stalled"] + (outcome["lost_to"] != "none") == 1
    assert outcome["tools_used"] == len(used) == sum(outcome[f"used.{tool}"] for tool in TOOLS)
    for tool in TOOLS:
        assert outcome[f"used.{tool}"] == sum(line["tool"] == tool for line in used)
    assert outcome["cracked"] == sum(outcome[f"crack_round.{seat}"] > 0 for seat in seats)
    assert outcome["alarms"] == sum(outcome[f"seat_alarms.{seat}"] for seat in seats)
    assert outcome["alarms"] == lines["alarm"]
    assert outcome["peeks"] == lines["peek"] + lines["hawk"] + lines["rook"]
    assert outcome["rounds"] == lines["round"]
    assert outcome["turns"] == lines["turn"]
    moves = sum(len(line["moves"]) for line in told if line["event"] == "trade")
    assert outcome["trades"] == moves
    removed = lines["remove"] + lines["burn"] + lines["dynamite"] + outcome["used.crowbar"]
    assert outcome["removed"] == removed
    gained = sum(len(line.get("gained", ())) for line in used)
    left = sum(outcome[f"stealth_left.{seat}"] for seat in seats)
    assert left == rules.players * rules.stealth - outcome["stealth_lost"] + gained
    assert outcome["stealth_lost"] == lines["stealth"]
    if rules.stealth_cap is not None:
        assert max(outcome[f"stealth_left.{seat}"] for seat in seats) <= rules.stealth_cap
    replaced = sum(line.get("cause") == "acrobat" for line in told)
    abilities = {
        "hawk": lines["hawk"],
        "acrobat": replaced,
        "hammer": sum("returned" in line for line in told),
        "raven": lines["distraction"],
        "rook": lines["rook"],
        "peterman": lines["on_top"],
    }
    for name, times in abilities.items():
        assert outcome[f"ability.{name}"] == times
    seated = [outcome[f"character.{seat}"] for seat in seats]
    for name in CHARACTERS:
        assert seated.count(name) <= 1
        assert outcome[f"ability.{name}"] == 0 or name in seated


@few
@given(all_rules, tables, seeds)
def test_every_game_passes_the_rule_checker(
    rules: BurgleRules, table: list[Any], seed: int
) -> None:
    head = {
        "event": "game",
        "game": "burgle",
        "rules": rules.model_dump(),
        "policies": [player.model_dump() for player in table],
    }
    burgle_checker.check([head, *BURGLE.pack(rules, table).trace(seed, 0)])
