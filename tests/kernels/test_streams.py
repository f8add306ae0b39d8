"""Random streams: SplitMix64 to the bit, one stream for each purpose, and no bias to be seen."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from kernels.streams import below, draw, mix, rollout_key, stream, uniform

ROOT = Path(__file__).parents[2]
MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
FOUR_SIGMA = 6.3e-5  # the chance beyond four standard errors, both sides


def plain_mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def plain_splitmix(seed: int, n: int) -> list[int]:
    """The first n outputs of SplitMix64 as its authors wrote it."""
    outputs, state = [], seed
    for _ in range(n):
        state = (state + GAMMA) & MASK
        outputs.append(plain_mix(state))
    return outputs


def draws(start: int, n: int) -> list[int]:
    return [int(draw(np.uint64(start), i)) for i in range(n)]


def sample() -> list[int]:
    """Numbers of every function, to be compared with the compiler on and off."""
    numbers = []
    with np.errstate(over="ignore"):
        for seed in (0, 1, 2**63, MASK):
            for index in (0, 1, 2**40):
                key = np.uint64(rollout_key(np.uint64(seed), index))
                start = np.uint64(stream(key, 3, 2, 7))
                bits = np.uint64(draw(start, 5))
                numbers += [int(key), int(start), int(bits), int(below(bits, 52))]
                numbers.append(float(uniform(bits)).hex())  # type: ignore[arg-type]
    return numbers


def test_a_stream_is_splitmix64() -> None:
    for seed in (0, 1, 12345, 2**63, MASK):
        assert draws(seed, 20) == plain_splitmix(seed, 20)


def test_a_stream_gives_the_published_numbers() -> None:
    # the first outputs of SplitMix64 for seed 1234567, as many implementations list them
    assert draws(1234567, 5) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(st.integers(0, MASK))
def test_mixing_is_that_of_plain_python(z: int) -> None:
    assert int(mix(np.uint64(z))) == plain_mix(z)


@given(st.integers(0, MASK), st.integers(0, 2**62))
def test_a_rollouts_key_is_a_hash_of_seed_and_index(seed: int, index: int) -> None:
    expected = plain_mix((plain_mix((seed + GAMMA) & MASK) + index * GAMMA) & MASK)
    assert int(rollout_key(np.uint64(seed), index)) == expected


def test_keys_are_distinct_across_seeds_and_rollouts() -> None:
    keys = {
        int(rollout_key(np.uint64(seed), index))
        for seed in (0, 1, 2, 3, 4, 5, 6, 7, 2**32, MASK)
        for index in range(3000)
    }
    assert len(keys) == 10 * 3000


def test_streams_are_distinct_for_each_purpose_seat_and_time() -> None:
    key = np.uint64(99)
    starts = {
        int(stream(key, purpose, seat, times))
        for purpose in range(8)
        for seat in range(8)
        for times in range(200)
    }
    assert len(starts) == 8 * 8 * 200


def test_neighbouring_bits_of_neighbouring_streams_do_not_go_together() -> None:
    # half of 64 bits differ; 3,000 pairs of keys, four standard errors
    differ = [
        (int(rollout_key(np.uint64(s), i)) ^ int(rollout_key(np.uint64(s), i + 1))).bit_count()
        for s in range(3)
        for i in range(1000)
    ]
    assert abs(np.mean(differ) - 32) < 4 * 4 / np.sqrt(3000)


@given(st.integers(0, MASK), st.integers(1, 2**31))
def test_below_stays_below(bits: int, n: int) -> None:
    number = int(below(np.uint64(bits), n))
    assert 0 <= number < n
    assert number == ((bits >> 32) * n) >> 32


def test_below_reaches_both_ends() -> None:
    assert int(below(np.uint64(0), 6)) == 0
    assert int(below(np.uint64(MASK), 6)) == 5


@pytest.mark.parametrize("n", [2, 3, 10, 52])
def test_below_is_uniform(n: int) -> None:
    # 50,000 draws of stream 7, chi-square at four standard errors
    numbers = [int(below(np.uint64(draw(np.uint64(7), i)), n)) for i in range(50_000)]
    counts = np.bincount(numbers, minlength=n)
    statistic = ((counts - 50_000 / n) ** 2 / (50_000 / n)).sum()
    assert statistic < chi2.isf(FOUR_SIGMA, n - 1)


def test_uniform_numbers_lie_in_the_unit_interval_and_have_its_mean() -> None:
    assert uniform(np.uint64(0)) == 0.0
    assert uniform(np.uint64(MASK)) == 1 - 2.0**-53
    numbers = [uniform(np.uint64(draw(np.uint64(8), i))) for i in range(20_000)]
    assert abs(np.mean(numbers) - 0.5) < 4 * np.sqrt(1 / 12 / 20_000)


def test_without_the_compiler_the_numbers_are_the_same() -> None:
    script = "import json; from tests.kernels import test_cards as c, test_streams as s;"
    script += "print(json.dumps([s.sample(), c.sample()]))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    from tests.kernels import test_cards

    assert json.loads(done.stdout) == [sample(), test_cards.sample()]
