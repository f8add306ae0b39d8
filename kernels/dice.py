"""Dice: rolls from streams, and the chance that dice reach a total."""

from kernels.jit import jit
from kernels.streams import below, draw, rollout_key, stream

__all__ = ["roll", "roll_many"]

POOL = 0  # the purpose of the stream of a pool rolled alone


@jit
def roll(start, n, sides, dice):
    """Roll ``n`` dice of ``sides`` sides into ``dice`` (int64 array, modified); return their sum.

    Die i is draw number i of the stream ``start``.
    """
    total = 0
    for i in range(n):
        dice[i] = below(draw(start, i), sides) + 1
        total += dice[i]
    return total


@jit
def roll_many(seed, first, faces, sides, thresholds, outcomes):
    """Roll a pool of dice for rollouts ``first``, ``first + 1``, .. of a seed (uint64).

    ``faces`` (int64, shape (dice, most sides)) holds at [d, i] face i of die d, which has
    ``sides[d]`` (int64) of them; ``thresholds`` is int64. ``outcomes`` (int32, shape (rollouts,
    2 + thresholds or more), modified) gets 1 or 0 for the first threshold, the total, and 1 or 0
    for every threshold.
    """
    for i in range(outcomes.shape[0]):
        start = stream(rollout_key(seed, first + i), POOL, 0, 0)
        total = 0
        for die in range(sides.shape[0]):
            total += faces[die, below(draw(start, die), sides[die])]
        outcomes[i, 0] = total >= thresholds[0]
        outcomes[i, 1] = total
        for place in range(thresholds.shape[0]):
            outcomes[i, 2 + place] = total >= thresholds[place]
