"""Cards, piles and decks: no card is lost, and every order is as likely."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from kernels.cards import card_bit, count_cards, lowest_card, order_by_hash, shuffle

FOUR_SIGMA = 6.3e-5  # the chance beyond four standard errors, both sides
PILES = st.sets(st.integers(0, 62)).map(sorted)


def pile_of(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


def ordered(cards: list[int], start: int) -> list[int]:
    deck = np.full(64, -1, np.int64)
    hashes = np.zeros(64, np.uint64)
    n = int(order_by_hash(pile_of(cards), np.uint64(start), deck, hashes))
    assert n == len(cards)
    assert (deck[n:] == -1).all()
    return [int(card) for card in deck[:n]]


def shuffled(cards: list[int], start: int, n: int | None = None) -> list[int]:
    deck = np.array(cards, np.int64)
    shuffle(deck, len(cards) if n is None else n, np.uint64(start))
    return [int(card) for card in deck]


def sample() -> list[list[int]]:
    """Decks of both kinds, to be compared with the compiler on and off."""
    with np.errstate(over="ignore"):
        return [
            *(ordered(list(range(0, 63, 3)), start) for start in range(5)),
            *(shuffled(list(range(20)), start) for start in range(5)),
            [int(lowest_card(1 << card)) for card in range(63)],
        ]


def test_the_lowest_card_is_found_for_every_card() -> None:
    rng = np.random.default_rng(1)
    for card in range(63):
        assert lowest_card(1 << card) == card
        higher = int(rng.integers(0, 2**62)) >> card << card & (2**63 - 1)
        assert lowest_card((1 << card) | higher) == card


def test_all_63_cards_are_one_pile() -> None:
    everything = 2**63 - 1
    assert count_cards(everything) == 63
    assert lowest_card(everything) == 0


def test_a_card_has_its_own_bit() -> None:
    assert [int(card_bit(card)) for card in range(63)] == [1 << card for card in range(63)]


@given(PILES)
def test_cards_are_counted(cards: list[int]) -> None:
    assert count_cards(pile_of(cards)) == len(cards)


@given(PILES, st.integers(0, 2**64 - 1))
def test_no_order_loses_or_doubles_a_card(cards: list[int], start: int) -> None:
    assert sorted(ordered(cards, start)) == cards
    assert sorted(shuffled(cards, start)) == cards


@given(PILES.filter(len), st.integers(0, 2**64 - 1), st.data())
def test_a_card_taken_away_leaves_the_others_in_order(
    cards: list[int], start: int, data: st.DataObject
) -> None:
    gone = data.draw(st.sampled_from(cards))
    whole = ordered(cards, start)
    assert ordered([c for c in cards if c != gone], start) == [c for c in whole if c != gone]


def test_a_shuffle_leaves_what_lies_beyond_alone() -> None:
    deck = shuffled(list(range(10)), 3, n=6)
    assert deck[6:] == [6, 7, 8, 9]
    assert sorted(deck[:6]) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_and_one_card_stay_as_they_are(n: int) -> None:
    assert shuffled(list(range(n)), 5) == list(range(n))
    assert ordered(list(range(n)), 5) == list(range(n))


@pytest.mark.parametrize("method", [shuffled, ordered])
def test_every_order_of_four_cards_is_as_likely(method) -> None:  # type: ignore[no-untyped-def]
    # 24,000 shuffles with starts 0, 1, .., chi-square at four standard errors
    cards = [3, 17, 41, 62]
    counts = Counter(tuple(method(cards, start)) for start in range(24_000))
    assert set(counts) <= set(permutations(cards))
    statistic = sum((counts[order] - 1000) ** 2 / 1000 for order in permutations(cards))
    assert statistic < chi2.isf(FOUR_SIGMA, 23)


@pytest.mark.parametrize("method", [shuffled, ordered])
def test_every_card_is_as_likely_on_top(method) -> None:  # type: ignore[no-untyped-def]
    # 20,000 shuffles of a deck of 11, chi-square at four standard errors
    counts = Counter(method(list(range(11)), start)[-1] for start in range(20_000))
    statistic = sum((counts[card] - 20_000 / 11) ** 2 / (20_000 / 11) for card in range(11))
    assert statistic < chi2.isf(FOUR_SIGMA, 10)
