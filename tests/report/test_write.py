"""Writing a file: whole or not at all, and to standard output."""

from __future__ import annotations

import io
import os
import stat
import sys
from pathlib import Path

import pytest

from irassay.errors import InputError
from irassay.report.write import write

ODD = "caf\udce9"


def test_writing_replaces_a_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("old")
    write("é" + ODD, path)
    assert path.read_bytes() == b"\xc3\xa9caf\xe9"
    write(b"\x00\r\n", path)
    assert path.read_bytes() == b"\x00\r\n"
    assert os.listdir(tmp_path) == ["scores.csv"]


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match="No space left"):
        write("new", path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["scores.csv"]


@pytest.mark.skipif(os.name == "nt", reason="modes and links of POSIX")
def test_writing_keeps_the_mode_of_a_file_and_follows_links(tmp_path: Path) -> None:
    path, link = tmp_path / "real.csv", tmp_path / "link.csv"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write("new", link)
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="umask is POSIX")
def test_a_new_file_has_the_mode_that_umask_gives(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    write("x", tmp_path / "new")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_places_that_cannot_be_written_are_input_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="make the folder") as missing:
        write("x", tmp_path / "no" / "file.csv")
    assert missing.value.where == str(tmp_path / "no" / "file.csv")
    with pytest.raises(InputError, match="folder, not a file"):
        write("x", tmp_path)


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs a device file")
def test_a_device_is_written_to_and_not_replaced() -> None:
    write("x", Path("/dev/null"))
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_standard_output_gets_the_bytes_as_they_are(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write("a" + ODD + "\n", None)
    assert capfdbinary.readouterr().out == b"acaf\xe9\n"


def test_a_notebook_without_binary_output_gets_text(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stdout", screen)
    write(b"\xc3\xa9\n", None)
    assert screen.getvalue() == "é\n"


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_a_reader_that_leaves_early_is_no_error() -> None:
    import subprocess

    code = "from irassay.report.write import write\nwrite('x\\n' * 10**6, None)"
    src = str(Path(__file__).parents[2] / "src")
    done = subprocess.run(
        f'"{sys.executable}" -c "$CODE" | head -n 1',
        shell=True,
        env={**os.environ, "CODE": code, "PYTHONPATH": src},
        capture_output=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == (b"x\n", b"")
