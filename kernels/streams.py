"""Counter-based random streams: every random number is a hash of where it is used.

A rollout has a key made from (seed, index). Inside it, every purpose has streams of its own, keyed
by (key, purpose, seat, how many times). So a rollout is the same in any batch and on any number of
workers, and two variants on one seed go on seeing the same shuffles after their courses differ.

The hash is the output function of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom
number generators", OOPSLA 2014) over a Weyl sequence. docs/decisions/0002-streams.md says how far
it carries.
"""

import numpy as np

from kernels.jit import jit

__all__ = ["below", "draw", "mix", "rollout_key", "stream", "uniform"]

GAMMA = np.uint64(0x9E3779B97F4A7C15)
PURPOSE_STEP = np.uint64(0xD1342543DE82EF95)
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
SHIFT_30 = np.uint64(30)
SHIFT_27 = np.uint64(27)
SHIFT_31 = np.uint64(31)
SHIFT_32 = np.uint64(32)
SHIFT_11 = np.uint64(11)
TO_UNIT = 1.0 / 9007199254740992.0  # 2 ** -53


@jit
def mix(z):
    """Scramble 64 bits, one to one (uint64 -> uint64)."""
    z = (z ^ (z >> SHIFT_30)) * FIRST_FACTOR
    z = (z ^ (z >> SHIFT_27)) * SECOND_FACTOR
    return z ^ (z >> SHIFT_31)


@jit
def rollout_key(seed, index):
    """The key (uint64) of rollout ``index`` (int64) of ``seed`` (uint64)."""
    return mix(mix(seed + GAMMA) + np.uint64(index) * GAMMA)


@jit
def stream(key, purpose, seat, times):
    """The start (uint64) of the stream for a purpose, a seat and how many times before."""
    place = (purpose << 40) | (seat << 32) | times
    return mix(key + np.uint64(place + 1) * PURPOSE_STEP)


@jit
def draw(start, n):
    """Draw number ``n`` (int64, from 0) of a stream: 64 random bits (uint64)."""
    return mix(start + np.uint64(n + 1) * GAMMA)


@jit
def below(bits, n):
    """A whole number 0 .. n-1 (int64) from 64 random bits, by multiply and shift.

    The upper 32 bits are used, so that no value is off by more than ``n / 2**32`` of its chance.
    """
    return np.int64(((bits >> SHIFT_32) * np.uint64(n)) >> SHIFT_32)


@jit
def uniform(bits):
    """A number in [0, 1) (float64) from 64 random bits."""
    return np.float64(bits >> SHIFT_11) * TO_UNIT
