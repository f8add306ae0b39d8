"""Writing results: a folder is written aside and then renamed, all of it or nothing."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from balance.errors import OutputError

__all__ = ["check_folder", "new_folder"]


def check_folder(folder: Path) -> None:
    """Find out before a long run whether the folder can be written.

    Raises
    ------
    OutputError
        If it cannot, saying why.
    """
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"--out {folder}: is a file; name a folder")
    parent = folder.resolve().parent
    while not parent.exists():
        parent = parent.parent
    for place in (parent, folder):
        if place.exists() and not _can_write(place):
            raise OutputError(f"--out {folder}: cannot be written; name a folder of your own")


def _can_write(folder: Path) -> bool:
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to fill; it takes the place of ``folder`` when everything is written.

    Raises
    ------
    OutputError
        If writing fails; ``folder`` is then as it was.
    """
    folder = folder.resolve()
    aside: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        aside.chmod(0o755)
        yield aside
        if folder.exists():
            old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent))
            os.rename(folder, old / "result")
            os.rename(aside, folder)
            shutil.rmtree(old, ignore_errors=True)
        else:
            os.rename(aside, folder)
    except OSError as error:
        raise OutputError(f"--out {folder}: cannot be written ({error.strerror})") from None
    finally:
        if aside is not None and aside.exists():
            shutil.rmtree(aside, ignore_errors=True)
