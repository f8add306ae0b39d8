"""Counting outcomes: whole numbers only, so that tallies add up exactly in any order."""

import numpy as np

from kernels.jit import jit

__all__ = ["count_joint", "count_values", "pair_moments", "sum_products"]


@jit
def count_values(outcomes, column, headline, low, counts):
    """Add up how often a column takes each value, apart for a headline of 0 and of more.

    ``outcomes`` is int32 (rollouts, columns); ``counts`` (int64, shape (2, values), modified)
    counts value ``low + v`` at [0 or 1, v] and must have room for every value that occurs.
    """
    for i in range(outcomes.shape[0]):
        counts[np.int64(outcomes[i, headline] > 0), outcomes[i, column] - low] += 1


@jit
def count_joint(headlines, joint):
    """Add to ``joint`` [a, b] the products of the headlines of variants a and b.

    Where a headline is 0 or 1, that is in how many rollouts both have it. ``headlines`` is int32
    (variants, rollouts); ``joint`` is int64 (variants, variants), modified.
    """
    for a in range(headlines.shape[0]):
        for b in range(a, headlines.shape[0]):
            both = 0
            for i in range(headlines.shape[1]):
                both += headlines[a, i] * headlines[b, i]
            joint[a, b] += both
            if b > a:
                joint[b, a] += both


@jit
def pair_moments(ours, base, sums, squares):
    """Add up each column's differences ``ours - base`` and their squares.

    Both are int32 (rollouts, columns) of the same rollouts; ``sums`` and ``squares`` are int64
    (columns,), modified.
    """
    for i in range(ours.shape[0]):
        for column in range(ours.shape[1]):
            difference = ours[i, column] - base[i, column]
            sums[column] += difference
            squares[column] += difference * difference


@jit
def sum_products(outcomes, first, second):
    """The sum (int64) of the products of two columns of ``outcomes`` (int32)."""
    total = 0
    for i in range(outcomes.shape[0]):
        total += outcomes[i, first] * outcomes[i, second]
    return total
