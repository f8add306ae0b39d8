"""The trade as an assignment: which movable card each movable seat takes.

Movable seats and cards are numbered by the holder's seat order, so arrangement (0, 1, ..) is no
trade and arrangements compare lexicographically, as the rules of `simple` ask.
"""

from itertools import permutations

import numpy as np

from kernels.burgle.layout import NO_CARD, SEATS
from kernels.burgle.table import IS_ACE, SUIT_OF, guard_of
from kernels.jit import jit
from kernels.streams import below

ORDERS_OF_THREE = np.array(list(permutations(range(3))), np.int64)
PAIRS = np.array(list(permutations(range(4), 2)), np.int64)
LEFT = np.array([sorted({0, 1, 2, 3} - {a, b}) for a, b in PAIRS.tolist()], np.int64)


@jit
def find_movable(rules, state, scratch):
    """Note the seats whose current card may be traded, and these cards; return how many."""  # B14
    n = 0
    for seat in range(SEATS):
        card = state.current[seat]
        if state.active[seat] and card != NO_CARD and card != guard_of(state.suit[seat]):
            scratch.movable[n] = seat
            scratch.cards[n] = card
            scratch.value[n] = rules.value[card]
            scratch.ace[n] = IS_ACE[card]
            scratch.suit[n] = SUIT_OF[card]
            n += 1
    return n


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
def random_arrangement(n, bits, takes):
    """Write one of the n! arrangements, all equally likely, into ``takes``, from 64 random bits.

    The bits are cut into two halves of 32, enough for a choice among at most 24.
    """
    for i in range(n):
        takes[i] = i
    places = 1
    for i in range(2, n + 1):
        places *= i
    pick = below(bits, places)
    for i in range(n - 1, 0, -1):
        j = pick % (i + 1)
        pick //= i + 1
        takes[i], takes[j] = takes[j], takes[i]
