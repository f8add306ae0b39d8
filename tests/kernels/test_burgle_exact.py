"""Facts that can be derived by hand, against simulation.

Each frequency over n rollouts of a fixed seed must lie within four standard errors of its exact
value.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
import pytest

from balance.games.burgle import BurgleRules, SimplePolicy, pack_policies, pack_rules
from kernels.burgle import happenings, layout, play
from kernels.events import EVENTS
from tests.burgle_tables import key_of

STANDARD_ERRORS = 4
SEED = 2024
DEALS = 20_000
GAMES = 20_000
PEEKS = {5, 10, 15, 20}
JACKPOT = 21
GUARD = 0  # a card of this value is the Guard; 1 is an Ace
OTHERS = 10  # number cards in a deck beside the Guard


def near(times: int, n: int, chance: Fraction) -> bool:
    p = float(chance)
    return abs(times - n * p) < STANDARD_ERRORS * sqrt(n * p * (1 - p))


class Bench:
    """The arrays that a game needs."""

    def __init__(self, rules: BurgleRules, players: list[Any]) -> None:
        self.rules, self.policies = pack_rules(rules), pack_policies(players)
        self.states = np.zeros(1, layout.STATE).view(np.recarray)
        self.rooms = np.zeros(1, layout.SCRATCH).view(np.recarray)
        self.events = np.zeros(1, EVENTS).view(np.recarray)

    def begin(self, rollout: int) -> Any:
        self.key = key_of(SEED, rollout)
        self.events.recording = 0
        play.run_begin(self.rules, self.policies, self.key, self.states, self.rooms, self.events)
        return self.states[0]

    def until(self, stop: int) -> None:
        play.run_until(
            self.rules, self.policies, self.key, self.states, self.rooms, self.events, stop
        )


@cache
def deals() -> tuple[Any, Any]:
    """The decks (int64, shape (DEALS, seats, 11), from the bottom) and suits of many deals."""
    bench = Bench(BurgleRules(tools=[]), [SimplePolicy()] * layout.SEATS)
    decks = np.zeros((DEALS, layout.SEATS, OTHERS + 1), np.int64)
    suits = np.zeros((DEALS, layout.SEATS), np.int64)
    for rollout in range(DEALS):
        state = bench.begin(rollout)
        decks[rollout] = state.deck[: layout.SEATS, : OTHERS + 1]
        suits[rollout] = state.suit
    return decks, suits


@pytest.mark.rule("B2")
def test_every_number_card_goes_to_every_seat_with_probability_one_in_four() -> None:
    decks, _ = deals()
    for seat in range(layout.SEATS):
        counts = np.bincount(decks[:, seat].ravel(), minlength=layout.CARDS)
        for number in range(layout.FIRST_GUARD):
            assert near(int(counts[number]), DEALS, Fraction(1, 4))


@pytest.mark.rule("B2")
def test_every_guard_goes_to_every_seat_with_probability_one_in_four() -> None:
    _, suits = deals()
    for seat in range(layout.SEATS):
        for suit in range(layout.SUITS):
            assert near(int((suits[:, seat] == suit).sum()), DEALS, Fraction(1, 4))


@pytest.mark.rule("B2")
def test_two_cards_of_different_ranks_share_a_seat_with_probability_nine_in_39() -> None:
    decks, _ = deals()
    for first, second in ((0, 1), (0, 10), (17, 39), (5, 25)):
        together = (decks == first).any(axis=2) & (decks == second).any(axis=2)
        assert near(int(together.any(axis=1).sum()), DEALS, Fraction(9, 39))


@pytest.mark.rule("B2")
def test_the_guard_is_at_every_place_of_its_deck_with_probability_one_in_eleven() -> None:
    decks, _ = deals()
    for seat in range(layout.SEATS):
        for place in range(OTHERS + 1):
            there = int((decks[:, seat, place] >= layout.FIRST_GUARD).sum())
            assert near(there, DEALS, Fraction(1, 11))


@pytest.mark.rule("B2")
def test_every_number_card_is_on_top_of_a_deck_with_probability_one_in_44() -> None:
    decks, _ = deals()
    for seat in range(layout.SEATS):
        for number in range(layout.FIRST_GUARD):
            on_top = int((decks[:, seat, OTHERS] == number).sum())
            assert near(on_top, DEALS, Fraction(1, 44))


@pytest.mark.rule("B2")
def test_the_first_two_cards_of_a_deck_hold_the_guard_with_probability_two_in_eleven() -> None:
    decks, _ = deals()
    for seat in range(layout.SEATS):
        held = int((decks[:, seat, -2:] >= layout.FIRST_GUARD).any(axis=1).sum())
        assert near(held, DEALS, Fraction(2, 11))


# The first two turns without trades, where nobody bails


def first_cards() -> Iterator[tuple[int, Fraction]]:
    """The first card of a deck, by value."""
    yield GUARD, Fraction(1, OTHERS + 1)
    for value in range(1, 11):
        yield value, Fraction(OTHERS, OTHERS + 1) / 10


def second_cards(first: int) -> Iterator[tuple[int, Fraction]]:
    """The card drawn second: `simple` discards a Guard that it sees by a peek on the first turn."""
    guard = Fraction(0) if first == GUARD else Fraction(1, OTHERS)
    if may_peek(first):
        guard = Fraction(0)  # a Guard on top is seen and discarded, and a number card is drawn
    if guard:
        yield GUARD, guard
    for value in range(1, 11):
        left, cards = (4, 40) if first == GUARD else (4 - (value == first), 39)
        yield value, (1 - guard) * Fraction(left, cards)


def readings(*cards: int) -> set[int]:
    hard = sum(10 if card == GUARD else card for card in cards)
    return {hard + 10 * high for high in range(cards.count(1) + 1)}


def may_peek(*cards: int) -> bool:
    return bool(readings(*cards) & PEEKS)


@cache
def two_turns() -> tuple[Any, Any]:
    """How often each seat peeked for its total (shape (2, seats)), and had 21 on turn 2 (seats).

    The twenty-one is looked at before anybody acts on it, as a Guard that one seat discards would
    change the total of another.
    """
    rules = BurgleRules(tools=[], trading=False)
    bench = Bench(rules, [SimplePolicy(bail_at=99)] * layout.SEATS)
    peeks = np.zeros((2, layout.SEATS), np.int64)
    jackpots = np.zeros(layout.SEATS, np.int64)
    for rollout in range(GAMES):
        state = bench.begin(rollout)
        bench.until(layout.DRAW)
        for turn in range(2):
            bench.events.recording, bench.events.used = 1, 0
            bench.until(layout.TWENTY_ONE)
            rows = bench.events.rows[0, : int(bench.events.used[0])]
            for seat in rows[rows[:, 0] == happenings.PEEKED, 3]:
                peeks[turn, seat] += 1
            for seat in range(layout.SEATS):
                hard, aces = int(state.hard[seat]), int(state.aces[seat])
                if turn == 1 and JACKPOT in {hard + 10 * high for high in range(aces + 1)}:
                    jackpots[seat] += 1
            if turn == 0:
                assert state.active.tolist() == [1] * layout.SEATS
                bench.until(layout.DRAW)
    return peeks, jackpots


@pytest.mark.rule("B16", "B18")
def test_the_chance_of_a_peek_total_after_one_card_is_three_in_eleven() -> None:
    exact = sum((p for card, p in first_cards() if may_peek(card)), Fraction(0))
    assert exact == Fraction(3, 11)
    peeks, _ = two_turns()
    for seat in range(layout.SEATS):
        assert near(int(peeks[0, seat]), GAMES, exact)


@pytest.mark.rule("B16", "B18")
def test_the_chance_of_a_peek_total_after_two_cards() -> None:
    exact = sum(
        (p * q for a, p in first_cards() for b, q in second_cards(a) if may_peek(a, b)),
        Fraction(0),
    )
    peeks, _ = two_turns()
    for seat in range(layout.SEATS):
        assert near(int(peeks[1, seat]), GAMES, exact)


@pytest.mark.rule("B16", "B19")
def test_the_chance_of_a_twenty_one_after_two_cards() -> None:
    exact = sum(
        (p * q for a, p in first_cards() for b, q in second_cards(a) if JACKPOT in readings(a, b)),
        Fraction(0),
    )
    _, jackpots = two_turns()
    for seat in range(layout.SEATS):
        assert near(int(jackpots[seat]), GAMES, exact)


@pytest.mark.rule("B19")
def test_no_seat_has_a_twenty_one_after_one_card() -> None:
    assert not any(JACKPOT in readings(card) for card, _ in first_cards())


def test_the_enumeration_is_complete() -> None:
    assert sum(p for _, p in first_cards()) == 1
    for first, _ in first_cards():
        assert sum(q for _, q in second_cards(first)) == 1
