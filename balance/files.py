"""Writing results: a folder is written aside and then renamed, all of it or nothing."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from balance.errors import OutputError

__all__ = ["check_file", "check_folder", "new_folder", "write_file"]

ASIDE = ".balance-"
RESULT = "summary.json"  # what every result holds


def check_folder(folder: Path) -> None:
    """Find out before a long run whether the folder can be written.

    Raises
    ------
    OutputError
        If it cannot, saying why.
    """
    try:
        _refuse_what_is_there(folder)
        parent = folder.resolve().parent
        while not parent.exists():
            parent = parent.parent
        writable = all(_can_write(place) for place in (parent, folder) if place.exists())
    except OSError as error:
        raise OutputError(f"--out {folder}: cannot be written ({_reason(error)})") from None
    if not writable:
        raise OutputError(f"--out {folder}: cannot be written; name a folder of your own")


def _refuse_what_is_there(folder: Path) -> None:
    """Only an empty folder or an earlier result may be replaced: never somebody's files."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise OutputError(f"--out {folder}: is a file; name a folder")
    if os.path.ismount(folder):
        raise OutputError(f"--out {folder}: is a disk of its own; name a folder inside it")
    there = list(folder.iterdir())
    if there and (not (folder / RESULT).is_file() or any(entry.is_dir() for entry in there)):
        raise OutputError(f"--out {folder}: holds other files; name a new folder")


def _reason(error: OSError) -> str:
    return error.strerror or " ".join(str(error).split()) or type(error).__name__


def _can_write(folder: Path) -> bool:
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def check_file(file: Path, option: str = "--out") -> None:
    """Raise `OutputError` where a file cannot be written."""
    if file.is_dir():
        raise OutputError(f"{option} {file}: is a folder; name a file")
    if not file.resolve().parent.is_dir():
        raise OutputError(f"{option} {file}: there is no folder {file.parent}")


def write_file(file: Path, text: str, option: str = "--out") -> None:
    """Write a text file whole or not at all."""
    try:
        handle, name = tempfile.mkstemp(prefix=ASIDE, dir=file.resolve().parent)
        aside = Path(name)
        try:
            os.close(handle)
            aside.write_text(text, encoding="utf-8")
            aside.chmod(0o644)
            os.replace(aside, file)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(f"{option} {file}: cannot be written ({_reason(error)})") from None


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to fill; it takes the place of ``folder`` when everything is written.

    Raises
    ------
    OutputError
        If writing fails, or if ``folder`` holds anything but an earlier result; it is then as it
        was.
    """
    folder = folder.resolve()
    aside: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=ASIDE, dir=folder.parent))
        aside.chmod(0o755)
        yield aside
        _refuse_what_is_there(folder)
        if folder.exists():
            _replace(folder, aside)
        else:
            os.rename(aside, folder)
    except OSError as error:
        raise OutputError(f"--out {folder}: cannot be written ({_reason(error)})") from None
    finally:
        if aside is not None and aside.exists():
            shutil.rmtree(aside, ignore_errors=True)


def _replace(folder: Path, aside: Path) -> None:
    """Put ``aside`` in the place of ``folder``; if that fails, ``folder`` is put back."""
    old = Path(tempfile.mkdtemp(prefix=ASIDE, dir=folder.parent))
    try:
        os.rename(folder, old / "result")
        os.rename(aside, folder)
    finally:
        if not folder.exists() and (old / "result").exists():
            os.rename(old / "result", folder)
        shutil.rmtree(old, ignore_errors=True)
