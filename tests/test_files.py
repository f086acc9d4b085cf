"""Files replaced as a whole, and files and folders that are new."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

import pytest

from irassay.errors import InputError
from irassay.files import atomic_write, new_folder, place_new


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o640)
    atomic_write(path, lambda file: file.write(b"new"))
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_after_an_error_the_old_file_stands_alone(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def fail(file: BinaryIO) -> None:
        file.write(b"half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        atomic_write(path, fail)
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("a", b"old")]


def test_a_new_folder_appears_whole_and_with_the_folders_on_the_way(tmp_path: Path) -> None:
    with new_folder(tmp_path / "a" / "b") as unfinished:
        (unfinished / "x").write_text("1")
        assert not (tmp_path / "a" / "b").exists()
    assert (tmp_path / "a" / "b" / "x").read_text() == "1"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]


def test_after_an_error_there_is_no_new_folder(tmp_path: Path) -> None:
    def fail() -> None:
        with new_folder(tmp_path / "b") as unfinished:
            (unfinished / "x").write_text("1")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_the_same_files_may_be_written_again_and_no_other(tmp_path: Path) -> None:
    for _ in range(2):
        with new_folder(tmp_path / "b", ["x"]) as unfinished:
            (unfinished / "x").write_text("1")
    with pytest.raises(InputError, match="the folder is not empty"), new_folder(tmp_path / "b", ["x"]) as unfinished:
        (unfinished / "x").write_text("2")
    with pytest.raises(InputError, match="the folder is not empty"), new_folder(tmp_path / "b", ["y"]):
        raise AssertionError("it is known before any work")
    assert (tmp_path / "b" / "x").read_text() == "1"
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_replaces_none(links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("no links here")

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    (tmp_path / "new").write_text("new")
    place_new(tmp_path / "new", tmp_path / "a")
    (tmp_path / "other").write_text("other")
    with pytest.raises(FileExistsError):
        place_new(tmp_path / "other", tmp_path / "a")
    assert (tmp_path / "a").read_text() == "new"
