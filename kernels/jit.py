"""How kernels are compiled and where the compiled code is kept.

Numba's own cache looks at one source file at a time: it does not see that a function which it
inlined from another file has changed. So the cache lies in a folder named by the hash of all
kernel sources and of the versions of everything that takes part in compiling. Each entry carries
a checksum, because a damaged file of machine code can end the process.
"""

import contextlib
import hashlib
import os
import pickle
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

import llvmlite
import numba
import numpy as np
from numba.core.caching import FunctionCache, IndexDataCacheFile

__all__ = ["JIT_DISABLED", "cache_folder", "inlined", "jit", "use_cache_folder"]

Function = TypeVar("Function", bound=Callable[..., Any])

CONFIG: Any = numba.config
JIT_DISABLED = bool(CONFIG.DISABLE_JIT)

KEEP_UNUSED_DAYS = 30.0
DIGEST_BYTES = 32


class ChecksummedCacheFile(IndexDataCacheFile):
    """An index and its data files, in which any damage is a miss that the next save heals."""

    def _load_index(self) -> dict[Any, str]:
        try:
            return dict(super()._load_index())
        except Exception:  # a cut or junk pickle may raise anything
            return {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        Path(self._cache_path).mkdir(parents=True, exist_ok=True)
        super()._save_index(overloads)

    def _save_data(self, name: str, data: Any) -> None:
        payload = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(hashlib.sha256(payload).digest() + payload)

    def _load_data(self, name: str) -> Any:
        stored = Path(self._data_path(name)).read_bytes()
        digest, payload = stored[:DIGEST_BYTES], stored[DIGEST_BYTES:]
        if hashlib.sha256(payload).digest() != digest:
            raise OSError(f"damaged cache file {name}")  # the caller takes it as a miss
        return pickle.loads(payload)


class KernelCache(FunctionCache):
    """Numba's function cache over checksummed files; a disk that fails is no cache, no error."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        plain = self._cache_file
        self._cache_file = ChecksummedCacheFile(
            plain._cache_path,
            plain._index_name.removesuffix(".nbi"),
            plain._source_stamp,
        )

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError:  # full disk or a folder taken away: the compiled code is used all the same
            return


def jit(function: Function) -> Function:
    """Compile a kernel function: no Python objects, no GIL, cached, NumPy's division."""
    return _compiled(function, "never")


def inlined(function: Function) -> Function:
    """As `jit`, for a function with few callers: it becomes part of each of them.

    For the steps of a turn, whose calls cost as much as they do; and for large functions with one
    caller: Numba optimises a function again, with all that it calls, inside each of its callers, so
    every level of calls around a whole game costs as much compile time as the game.
    """
    return _compiled(function, "always")


def _compiled(function: Function, inline: Literal["never", "always"]) -> Function:
    compiled: Any = numba.njit(nogil=True, error_model="numpy", inline=inline)(function)
    if not JIT_DISABLED:
        _compile_once_a_type(compiled)
        with contextlib.suppress(RuntimeError):  # nowhere to write: every process compiles anew
            compiled._cache = KernelCache(function)
    return cast(Function, compiled)


def _compile_once_a_type(compiled: Any) -> None:
    """Let compiled callers share one version of a function, whatever constants they pass.

    Numba compiles a version for each constant argument; inlining sees the constants anyway.
    """
    template_of = compiled.get_call_template

    def get_call_template(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        return template_of(
            tuple(map(numba.types.unliteral, args)),
            {name: numba.types.unliteral(kind) for name, kind in kws.items()},
        )

    compiled.get_call_template = get_call_template


def _fingerprint() -> str:
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for source in sorted(root.rglob("*.py")):
        digest.update(str(source.relative_to(root)).encode())
        digest.update(source.read_bytes())
    versions = (numba.__version__, llvmlite.__version__, np.__version__, platform.python_version())
    digest.update(repr(versions).encode())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _base_folder() -> Path:
    home_cache = os.environ.get("XDG_CACHE_HOME") or os.path.join("~", ".cache")
    with contextlib.suppress(RuntimeError):  # a user without a home
        base = Path(home_cache).expanduser() / "heist-balance"
        if base.is_absolute() and _writable(base):
            return base
    owner = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"heist-balance-{owner}"


def _prune(base: Path, keep: Path) -> None:
    """Remove cache folders that nobody has used for a month."""
    oldest = time.time() - KEEP_UNUSED_DAYS * 86_400
    for folder in base.iterdir():
        if folder != keep and folder.is_dir() and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


def cache_folder() -> Path | None:
    """Where compiled kernels are kept; None where there is no such place."""
    return Path(CONFIG.CACHE_DIR) if CONFIG.CACHE_DIR else None


def use_cache_folder() -> None:
    """Point Numba's cache at the folder of these very sources, unless NUMBA_CACHE_DIR is set."""
    if JIT_DISABLED or CONFIG.CACHE_DIR:
        return
    base = _base_folder()
    folder = base / _fingerprint()
    if not _writable(folder):
        return
    with contextlib.suppress(OSError):  # another process may be pruning too
        os.utime(folder)  # pruning goes by last use
        _prune(base, folder)
    CONFIG.CACHE_DIR = str(folder)
