"""Nanoseconds per draw and per shuffle, beside the same loop in C where there is a compiler."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.timing import markdown, seconds
from kernels.cards import order_by_hash, shuffle
from kernels.jit import jit
from kernels.streams import draw

DRAWS = 20_000_000
SHUFFLES = 500_000
SOURCE = Path(__file__).parent / "splitmix64.c"


@jit
def sum_draws(start, n):
    """Add up n draws, so that none can be left out."""
    total = np.uint64(0)
    for i in range(n):
        total += draw(start, i)
    return total


@jit
def many_shuffles(cards, n):
    """Shuffle the cards n times."""
    for i in range(n):
        shuffle(cards, cards.shape[0], np.uint64(i))


@jit
def many_orders(pile, cards, hashes, n):
    """Order the pile by hash n times."""
    for i in range(n):
        order_by_hash(pile, np.uint64(i), cards, hashes)


def _c_seconds() -> tuple[float, int] | None:
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "splitmix64")
        options = [compiler, "-O3", "-march=native", "-o", program, str(SOURCE)]
        if subprocess.run(options, check=False, capture_output=True).returncode != 0:
            return None
        run = [program, str(DRAWS)]
        total = int(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
        return seconds(lambda: subprocess.run(run, check=True, capture_output=True)), total


def table() -> str:
    """Draws here and in C, and both ways to shuffle."""
    ours = seconds(lambda: sum_draws(np.uint64(1), DRAWS))
    rows = [["draw", f"{ours / DRAWS * 1e9:.2f}"]]
    other = _c_seconds()
    if other is None:
        rows.append(["draw, in C", "no C compiler"])
    else:
        taken, total = other
        same = "the same sum" if total == int(sum_draws(np.uint64(1), DRAWS)) else "another sum"
        rows.append(
            [f"draw, in C ({same}; starting the program counts)", f"{taken / DRAWS * 1e9:.2f}"]
        )
    for size in (10, 40):
        cards = np.arange(size)
        taken = seconds(lambda cards=cards: many_shuffles(cards, SHUFFLES))
        rows.append([f"shuffle of {size} (Fisher and Yates)", f"{taken / SHUFFLES * 1e9:.0f}"])
    pile, cards, hashes = (1 << 10) - 1, np.zeros(48, np.int64), np.zeros(48, np.uint64)
    taken = seconds(lambda: many_orders(pile, cards, hashes, SHUFFLES))
    rows.append(["shuffle of 10 (by hash)", f"{taken / SHUFFLES * 1e9:.0f}"])
    return markdown(["what", "ns"], rows)
