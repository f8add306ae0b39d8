"""Seconds until the first rollout: importing, compiling on the first run, loading on the next."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.missions import FILE
from benchmarks.timing import markdown


def _run(arguments: list[str], cache: str) -> float:
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    environment.pop("NUMBA_CACHE_DIR", None)
    started = time.perf_counter()
    subprocess.run(arguments, check=True, capture_output=True, env=environment)
    return time.perf_counter() - started


def table() -> str:
    """Seconds of whole processes."""
    balance = str(Path(sys.executable).parent / "balance")
    play = [balance, "run", str(FILE), "--rollouts", "1", "--json"]
    rows = []
    with tempfile.TemporaryDirectory() as cache:
        rows.append(["`balance --help`", f"{_run([balance, '--help'], cache):.1f}"])
        rows.append(["one rollout, first run (compiles)", f"{_run(play, cache):.1f}"])
        rows.append(["one rollout, next run", f"{_run(play, cache):.1f}"])
        table_run = [balance, "run", str(FILE), "--rollouts", "1"]
        rows.append(["the same as a table (loads pandas)", f"{_run(table_run, cache):.1f}"])
    return markdown(["what", "seconds"], rows)
