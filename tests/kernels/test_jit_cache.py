"""The compiler's cache: never stale, never fatal, and it heals itself."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numba
import pytest

from kernels import jit

ROOT = Path(__file__).parents[2]
TINY = """
from kernels.jit import jit

@jit
def tiny(a, b):
    return 3 * a + b
"""
PROBE = """
import importlib, json, pathlib, random, sys
import tiny
from kernels.jit import cache_folder

def call():
    importlib.reload(tiny)  # a new dispatcher, which knows only what lies on disk
    assert tiny.tiny(2, 5) == 11
    return sum(tiny.tiny.stats.cache_hits.values())

def damage(kind, content, rng):
    if kind == "emptied":
        return b""
    if kind == "cut":
        return content[: len(content) // 2]
    if kind == "junk":
        return rng.randbytes(len(content))
    if kind == "text":
        return b"this is no cache"
    flipped = bytearray(content)
    flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
    return bytes(flipped)

rng = random.Random(1)
report = {"first": call(), "second": call(), "folder": str(cache_folder()), "damage": []}
for suffix in (".nbi", ".nbc"):
    for kind in ["emptied", "cut", "junk", "text", *["flipped"] * 12]:
        (file,) = pathlib.Path(cache_folder()).rglob("tiny.tiny*" + suffix)
        file.write_bytes(damage(kind, file.read_bytes(), rng))
        report["damage"].append([suffix, kind, call(), call()])
        for old in pathlib.Path(cache_folder()).rglob("tiny.tiny*"):
            old.unlink()
        call()
print(json.dumps(report))
"""


def environment(folder: Path, **more: str) -> dict[str, str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    path = os.pathsep.join([str(folder / "modules"), str(ROOT)])
    return {**clean, "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPATH": path, **more}


def probe(folder: Path, script: str, **more: str) -> Any:
    (folder / "modules").mkdir(exist_ok=True)
    (folder / "modules" / "tiny.py").write_text(TINY)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env=environment(folder, **more),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a process found that damaged its cache in many ways."""
    folder = tmp_path_factory.mktemp("cache")
    return {**probe(folder, PROBE), "home": str(folder / "cache" / "heist-balance")}


def test_the_second_use_is_a_hit_in_a_folder_of_these_sources(report: Any) -> None:
    assert (report["first"], report["second"]) == (0, 1)
    assert Path(report["folder"]).parent == Path(report["home"])


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("kind", ["emptied", "cut", "junk", "text"])
def test_a_damaged_file_is_a_miss_that_heals(report: Any, suffix: str, kind: str) -> None:
    assert [suffix, kind, 0, 1] in report["damage"]


def test_a_flipped_bit_in_compiled_code_is_a_miss_that_heals(report: Any) -> None:
    flips = [row[2:] for row in report["damage"] if row[:2] == [".nbc", "flipped"]]
    assert flips == [[0, 1]] * 12


def test_a_flipped_bit_in_the_index_never_gives_a_wrong_result(report: Any) -> None:
    # a flip may hit nothing of weight; the probe itself checks every result
    flips = [row[2:] for row in report["damage"] if row[:2] == [".nbi", "flipped"]]
    assert len(flips) == 12
    assert all(healed == 1 for _, healed in flips)


def test_a_folder_that_is_taken_away_is_made_anew(tmp_path: Path) -> None:
    script = """
import importlib, json, shutil, tiny
from kernels.jit import cache_folder
assert tiny.tiny(1, 1) == 4
shutil.rmtree(cache_folder())
importlib.reload(tiny)
assert tiny.tiny(1, 1) == 4
importlib.reload(tiny)
assert tiny.tiny(1, 1) == 4
print(json.dumps(sum(tiny.tiny.stats.cache_hits.values())))
"""
    assert probe(tmp_path, script) == 1


def test_several_first_uses_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "tiny.py").write_text(TINY)
    words = [sys.executable, "-W", "error", "-c", "import tiny; print(tiny.tiny(2, 5))"]
    pipe = subprocess.PIPE
    running = [
        subprocess.Popen(words, env=environment(tmp_path), cwd=tmp_path, stdout=pipe, stderr=pipe)
        for _ in range(3)
    ]
    assert [process.communicate(timeout=120) for process in running] == [(b"11\n", b"")] * 3


def test_without_a_writable_home_the_temporary_folder_serves(tmp_path: Path) -> None:
    script = """
import json, tiny
from kernels.jit import cache_folder
assert tiny.tiny(2, 5) == 11
print(json.dumps(str(cache_folder())))
"""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    found = probe(tmp_path, script, XDG_CACHE_HOME="/proc/nowhere", TMPDIR=str(temporary))
    assert Path(found).parent.parent == temporary
    assert list(Path(found).rglob("tiny.tiny*.nbc"))


def test_with_nowhere_to_write_everything_still_runs(
    tmp_path: Path,
) -> None:
    script = """
import json, tempfile
tempfile.tempdir = "/proc/nowhere"
import tiny
assert tiny.tiny(2, 5) == 11
print(json.dumps(True))
"""
    assert probe(tmp_path, script, XDG_CACHE_HOME="/proc/nowhere", HOME="/proc/nowhere") is True


# decided inside one process, without compiling


@pytest.fixture
def unset(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """As if Numba had no cache folder yet, with a home in a temporary folder."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(jit, "JIT_DISABLED", False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return monkeypatch


def test_the_users_own_folder_is_respected(unset: pytest.MonkeyPatch, tmp_path: Path) -> None:
    unset.setattr(numba.config, "CACHE_DIR", str(tmp_path / "mine"))
    jit.use_cache_folder()
    assert jit.cache_folder() == tmp_path / "mine"
    assert not (tmp_path / "cache").exists()


def test_the_folder_is_named_by_the_sources(unset: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sources = tmp_path / "kernels"
    (sources / "game").mkdir(parents=True)
    (sources / "jit.py").write_text("a = 1")
    (sources / "game" / "play.py").write_text("b = 1")
    unset.setattr(jit, "__file__", str(sources / "jit.py"))
    names = [jit._fingerprint(), jit._fingerprint()]
    (sources / "game" / "play.py").write_text("b = 2")
    names.append(jit._fingerprint())
    (sources / "game" / "play.py").rename(sources / "game" / "other.py")
    names.append(jit._fingerprint())
    assert names[0] == names[1]
    assert len(set(names)) == 3


@pytest.mark.parametrize("part", ["numba", "llvmlite", "np"])
def test_the_folder_is_named_by_the_versions_too(unset: pytest.MonkeyPatch, part: str) -> None:
    before = jit._fingerprint()
    unset.setattr(getattr(jit, part), "__version__", "0.0.0")
    assert jit._fingerprint() != before


def test_folders_that_nobody_used_for_long_are_removed(
    unset: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    base = tmp_path / "cache" / "heist-balance"
    days = {"old": jit.KEEP_UNUSED_DAYS + 1, "young": jit.KEEP_UNUSED_DAYS - 1}
    for name, age in days.items():
        (base / name / "deep").mkdir(parents=True)
        then = time.time() - age * 86_400
        os.utime(base / name, (then, then))
    jit.use_cache_folder()
    folder = jit.cache_folder()
    assert folder is not None
    assert {entry.name for entry in base.iterdir()} == {"young", folder.name}


def test_the_folder_in_use_is_never_old(unset: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mine = tmp_path / "cache" / "heist-balance" / jit._fingerprint()
    mine.mkdir(parents=True)
    os.utime(mine, (0, 0))
    jit.use_cache_folder()
    assert jit.cache_folder() == mine
    assert time.time() - mine.stat().st_mtime < 60


def test_a_relative_home_is_not_used(unset: pytest.MonkeyPatch, tmp_path: Path) -> None:
    unset.chdir(tmp_path)
    unset.setenv("XDG_CACHE_HOME", "cache")
    unset.setattr(jit.tempfile, "tempdir", str(tmp_path / "temporary"))
    jit.use_cache_folder()
    folder = jit.cache_folder()
    assert folder is not None
    assert folder.parent.parent == tmp_path / "temporary"


def test_a_user_without_a_home_gets_the_temporary_folder(
    unset: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def nobody(number: int) -> None:
        raise KeyError(number)

    unset.delenv("XDG_CACHE_HOME")
    unset.delenv("HOME")
    unset.setattr("pwd.getpwuid", nobody)
    unset.setattr(jit.tempfile, "tempdir", str(tmp_path))
    jit.use_cache_folder()
    folder = jit.cache_folder()
    assert folder is not None
    assert folder.parent.parent == tmp_path


def test_without_the_compiler_there_is_no_folder(unset: pytest.MonkeyPatch, tmp_path: Path) -> None:
    unset.setattr(jit, "JIT_DISABLED", True)
    jit.use_cache_folder()
    assert jit.cache_folder() is None
    assert not (tmp_path / "cache").exists()
