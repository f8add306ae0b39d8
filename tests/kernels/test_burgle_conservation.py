"""No card is ever lost or doubled, whatever the rules and the players."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.games.burgle import (
    BURGLE,
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
all_rules = st.fixed_dictionaries(
    {
        "stealth": st.integers(0, 99),
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
        "alarm_discards": st.integers(0, 10),
        "alarm_removes": st.integers(0, 10),
        "targeted_safe_from": st.integers(0, 63),
        "win_at_once": st.booleans(),
        "max_rounds": st.integers(1, 30),
    }
).map(lambda fields: BurgleRules(tools=[], **fields))
chances = st.sampled_from([0.0, 0.1, 1.0])
players = st.builds(
    lambda kind, chance: kind(mistakes=chance),
    st.sampled_from([RandomPolicy, SimplePolicy, ExpertPolicy]),
    chances,
)
tables = st.lists(players, min_size=4, max_size=4)
seeds = st.integers(0, 2**63 - 1)
few = settings(max_examples=40, deadline=None, derandomize=True)


def cards_of(state: Any) -> list[int]:
    """Every card that the state holds, in whatever place."""
    cards = []
    for seat in range(layout.SEATS):
        cards += state.deck[seat][: state.deck_size[seat]].tolist()
        for pile in (int(state.discards[seat]), int(state.display[seat])):
            cards += [card for card in range(layout.CARDS) if pile >> card & 1]
    return cards


@few
@given(all_rules, tables, seeds)
def test_after_every_step_each_of_44_cards_is_in_one_place(
    rules: BurgleRules, table: list[Any], seed: int
) -> None:
    packed, policies = pack_rules(rules), pack_policies(table)
    states = np.zeros(1, layout.STATE).view(np.recarray)
    rooms = np.zeros(1, layout.SCRATCH).view(np.recarray)
    events = np.zeros(1, EVENTS).view(np.recarray)
    key = key_of(seed, 0)
    play.run_begin(packed, key, states, rooms, events)
    state = states[0]
    gone: set[int] = set()
    for _ in range(LONGEST):
        cards = cards_of(state)
        assert len(cards) == len(set(cards))
        removed = set(range(layout.JOKER)) - set(cards)
        assert set(cards) <= set(range(layout.JOKER))
        assert gone <= removed  # what left the game stays out
        assert not any(card >= layout.FIRST_GUARD for card in removed)
        assert len(removed) == state.count[layout.REMOVED]
        gone = removed
        if state.phase == layout.OVER:
            return
        following = state.phase + 1 if state.phase < layout.BAIL else layout.DRAW
        play.run_until(packed, policies, key, states, rooms, events, following)
    raise AssertionError("the game does not end")


@few
@given(all_rules, tables, seeds)
def test_the_totals_kept_along_the_way_are_those_of_the_displays(
    rules: BurgleRules, table: list[Any], seed: int
) -> None:
    packed, policies = pack_rules(rules), pack_policies(table)
    states = np.zeros(1, layout.STATE).view(np.recarray)
    rooms = np.zeros(1, layout.SCRATCH).view(np.recarray)
    events = np.zeros(1, EVENTS).view(np.recarray)
    key = key_of(seed, 1)
    play.run_begin(packed, key, states, rooms, events)
    state = states[0]
    for _ in range(LONGEST):
        for seat in range(layout.SEATS):
            suit = int(state.suit[seat])
            pile = int(state.display[seat])
            cards = [card for card in range(layout.CARDS) if pile >> card & 1]
            numbers = [card for card in cards if card < layout.FIRST_GUARD]
            guards = [card for card in cards if card >= layout.FIRST_GUARD]
            hard = sum(card % 10 + 1 for card in numbers) + rules.guard_value * len(guards)
            assert guards in ([], [layout.FIRST_GUARD + suit])
            assert state.hard[seat] == hard
            assert state.aces[seat] == sum(card % 10 == 0 for card in numbers)
            assert state.held[seat] == sum(c // 10 == suit for c in numbers) + len(guards)
        if state.phase == layout.OVER:
            return
        following = state.phase + 1 if state.phase < layout.BAIL else layout.DRAW
        play.run_until(packed, policies, key, states, rooms, events, following)
    raise AssertionError("the game does not end")


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
