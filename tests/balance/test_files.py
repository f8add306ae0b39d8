"""A result folder is written whole or not at all, and nobody's files are lost."""

import os
from pathlib import Path

import pytest

from balance.errors import OutputError
from balance.files import check_folder, new_folder


def entries(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def write_result(folder: Path, text: str = "{}") -> None:
    with new_folder(folder) as aside:
        (aside / "summary.json").write_text(text)


def write_half(folder: Path, error: BaseException) -> None:
    with new_folder(folder) as aside:
        (aside / "summary.json").write_text("half")
        raise error


def test_a_new_folder_appears_when_it_is_filled(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "out"
    with new_folder(folder) as aside:
        assert not folder.exists()
        (aside / "summary.json").write_text("{}")
    assert entries(folder) == ["summary.json"]
    assert entries(folder.parent) == ["out"]


def test_an_earlier_result_is_replaced_whole(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with new_folder(folder) as aside:
        (aside / "summary.json").write_text("old")
        (aside / "old.png").write_text("old")
    check_folder(folder)
    write_result(folder, "new")
    assert entries(folder) == ["summary.json"]
    assert (folder / "summary.json").read_text() == "new"
    assert entries(tmp_path) == ["out"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    check_folder(folder)
    write_result(folder)
    assert entries(folder) == ["summary.json"]


@pytest.mark.parametrize("also_a_result", [False, True])
def test_a_folder_with_other_files_is_never_replaced(tmp_path: Path, also_a_result: bool) -> None:
    folder = tmp_path / "home"
    (folder / "photos").mkdir(parents=True)
    (folder / "thesis.txt").write_text("dear")
    if also_a_result:
        (folder / "summary.json").write_text("{}")
    before = entries(folder)
    with pytest.raises(OutputError, match="holds other files; name a new folder"):
        check_folder(folder)
    with pytest.raises(OutputError, match="holds other files; name a new folder"):
        write_result(folder)
    assert entries(folder) == before
    assert entries(tmp_path) == ["home"]


def test_the_working_folder_is_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scenario.yaml").write_text("game: burgle")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match="holds other files"):
        check_folder(Path("."))


@pytest.mark.parametrize("error", [RuntimeError("broken"), KeyboardInterrupt()])
def test_after_a_fault_the_old_result_is_still_there(tmp_path: Path, error: BaseException) -> None:
    folder = tmp_path / "out"
    write_result(folder, "old")
    with pytest.raises(type(error)):
        write_half(folder, error)
    assert (folder / "summary.json").read_text() == "old"
    assert entries(tmp_path) == ["out"]


def test_a_full_disk_is_an_error_that_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with pytest.raises(OutputError, match=r"cannot be written \(No space left on device\)"):
        write_half(folder, OSError(28, os.strerror(28)))
    assert entries(tmp_path) == []


def test_an_error_without_a_reason_still_says_something(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot be written \(odd thing\)"):
        write_half(tmp_path / "out", OSError("odd\nthing"))


def test_if_the_last_rename_fails_the_old_result_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    write_result(folder, "old")
    rename = os.rename

    def failing(source: Path, target: Path) -> None:
        if Path(target) == folder and Path(source).name != "result":
            raise OSError(5, "Input/output error")
        rename(source, target)

    monkeypatch.setattr("balance.files.os.rename", failing)
    with pytest.raises(OutputError, match="Input/output error"):
        write_result(folder, "new")
    assert (folder / "summary.json").read_text() == "old"
    assert entries(tmp_path) == ["out"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(OutputError, match=r"--out .*out: is a file; name a folder"):
        check_folder(tmp_path / "out")
    with pytest.raises(OutputError):
        write_result(tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


def test_a_file_in_place_of_a_parent_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputError, match="cannot be written"):
        check_folder(tmp_path / "file" / "out")


@pytest.mark.parametrize("folder", ["/proc/out", "/proc/a/b", "/proc/self"])
def test_a_folder_that_nobody_may_write_is_refused(folder: str) -> None:
    with pytest.raises(OutputError, match=f"--out {folder}: "):
        check_folder(Path(folder))


def test_a_name_that_is_too_long_is_refused_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="File name too long"):
        check_folder(tmp_path / ("x" * 300))


def test_a_long_name_is_no_fault(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 250)
    check_folder(folder)
    write_result(folder)
    write_result(folder)
    assert entries(tmp_path) == ["x" * 250]


def test_a_mounted_disk_is_refused_before_the_run() -> None:
    with pytest.raises(OutputError, match="is a disk of its own; name a folder inside it"):
        check_folder(Path("/"))


def test_checking_leaves_nothing_behind(tmp_path: Path) -> None:
    check_folder(tmp_path / "a" / "b")
    assert entries(tmp_path) == []


def test_a_link_to_a_result_stays_a_link(tmp_path: Path) -> None:
    write_result(tmp_path / "first", "old")
    (tmp_path / "link").symlink_to("first")
    write_result(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "first" / "summary.json").read_text() == "new"
