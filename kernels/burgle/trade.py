"""The trade as an assignment: which movable card each movable seat, or the Van, takes.

Movable seats and cards are numbered by the holder's seat order, so arrangement (0, 1, ..) is no
trade and arrangements compare lexicographically, as the rules of `simple` ask.
"""

from itertools import permutations

import numpy as np

from kernels.burgle.layout import FIRST_GUARD, JOKER, NO_CARD, SEATS, VAN, WORTH_ROW
from kernels.burgle.table import IS_ACE, SUITS_OF, card_before, guard_of
from kernels.jit import jit
from kernels.streams import below

ORDERS_OF_THREE = np.array(list(permutations(range(3))), np.int64)
PAIRS = np.array(list(permutations(range(4), 2)), np.int64)
LEFT = np.array([sorted({0, 1, 2, 3} - {a, b}) for a, b in PAIRS.tolist()], np.int64)


@jit
def find_movable(rules, state, with_ability, scratch):
    """Note who may trade and the card that each would give; return how many they are.

    The Hacker whose current card is its Guard takes part only ``with_ability``: it gives the card
    before. ``scratch.hacker_at`` is where the Hacker stands among them if it may give either of
    its last two cards (the other one is ``scratch.other_card``), else -1.
    """  # B14 C8 R28 R47
    n = 0
    scratch.hacker_at = -1
    for seat in range(SEATS):
        if not state.active[seat]:
            continue
        card = state.current[seat]
        if seat == state.hacker and with_ability:
            before = card_before(state, seat)
            if card == guard_of(state.suit[seat]):
                card = before
            elif before != NO_CARD:
                scratch.hacker_at = n
                scratch.other_card = before
        if card != NO_CARD and card != guard_of(state.suit[seat]):
            note_movable(rules, seat, card, n, scratch)
            n += 1
    if rules.players < SEATS:
        card = state.current[VAN]
        if (card != NO_CARD and card < FIRST_GUARD) or card == JOKER:
            note_movable(rules, VAN, card, n, scratch)
            n += 1
    return n


@jit
def note_movable(rules, seat, card, n, scratch):
    """Note the card that a seat or the Van would give, as number n."""
    scratch.movable[n] = seat
    scratch.cards[n] = card
    scratch.value[n] = rules.value[card]
    scratch.ace[n] = IS_ACE[card]
    scratch.step[n] = rules.value[card] + IS_ACE[card] * WORTH_ROW
    scratch.suits[n] = SUITS_OF[card]


@jit
def give_other_card(rules, scratch):
    """Let the Hacker give the card before its current one, or its current one again."""  # C8 R27
    at = scratch.hacker_at
    card = scratch.other_card
    scratch.other_card = scratch.cards[at]
    note_movable(rules, scratch.movable[at], card, at, scratch)


@jit
def best_arrangement(scratch, n):
    """Write the arrangement with the highest total score into ``scratch.takes``.

    ``scratch.score`` holds at [i, j] what movable seat i makes of movable card j; n is 2, 3 or 4.
    Of equals the lexicographically first wins.
    """
    if n == 4:
        _best_of_four(scratch)
    elif n == 3:
        _best_of_three(scratch)
    else:
        stay = scratch.score[0, 0] + scratch.score[1, 1]
        swap = scratch.score[0, 1] + scratch.score[1, 0] > stay
        scratch.takes[0] = swap
        scratch.takes[1] = 1 - swap


@jit
def _best_of_three(scratch):
    score = scratch.score
    takes = scratch.takes
    best = score[0, 0] + score[1, 1] + score[2, 2]
    pick = 0
    for k in range(1, 6):
        total = (
            score[0, ORDERS_OF_THREE[k, 0]]
            + score[1, ORDERS_OF_THREE[k, 1]]
            + score[2, ORDERS_OF_THREE[k, 2]]
        )
        pick = k if total > best else pick  # a choice of values: a branch here is mispredicted
        best = max(total, best)
    for i in range(3):
        takes[i] = ORDERS_OF_THREE[pick, i]


@jit
def _best_of_four(scratch):
    """Twelve ways to serve the first two seats, each with the better way to serve the others."""
    score = scratch.score
    takes = scratch.takes
    best = -np.inf
    pick = 0
    for k in range(12):
        c = LEFT[k, 0]
        d = LEFT[k, 1]
        straight = score[2, c] + score[3, d]
        crossed = score[2, d] + score[3, c]
        first_two = score[0, PAIRS[k, 0]] + score[1, PAIRS[k, 1]]
        total = first_two + max(straight, crossed)
        way = 2 * k + (crossed > straight)
        pick = way if total > best else pick  # a choice of values: a branch here is mispredicted
        best = max(total, best)
    takes[0] = PAIRS[pick >> 1, 0]
    takes[1] = PAIRS[pick >> 1, 1]
    takes[2] = LEFT[pick >> 1, pick & 1]
    takes[3] = LEFT[pick >> 1, 1 - (pick & 1)]


@jit
def arrangements(n):
    """How many arrangements of n cards there are: n!."""
    places = 1
    for i in range(2, n + 1):
        places *= i
    return places


@jit
def random_arrangement(n, bits, takes):
    """Write one of the n! arrangements, all equally likely, into ``takes``, from 64 random bits.

    The bits are cut into two halves of 32, enough for a choice among at most 24.
    """
    for i in range(n):
        takes[i] = i
    pick = below(bits, arrangements(n))
    for i in range(n - 1, 0, -1):
        j = pick % (i + 1)
        pick //= i + 1
        takes[i], takes[j] = takes[j], takes[i]


@jit
def random_trade_of_other(n, at, choice, bits, takes):
    """As `random_arrangement`, among those in which number ``at`` does not keep its own card.

    ``choice`` (64 bits) says whose card it takes, ``bits`` what the others do.
    """
    random_arrangement(n - 1, bits, takes)  # of the others: they are numbered without ``at``
    wanted = below(choice, n - 1)
    for i in range(n - 1, at, -1):
        takes[i] = takes[i - 1]
    for i in range(n):
        if i != at and takes[i] >= at:
            takes[i] += 1  # now a permutation of the others; who takes ``wanted`` takes at's card
    wanted += wanted >= at
    for i in range(n):
        if i != at and takes[i] == wanted:
            takes[i] = at
    takes[at] = wanted
