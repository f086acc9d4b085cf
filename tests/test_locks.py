"""Locks on paths: one process at a time, and none outlives its process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from irassay.errors import InputError
from irassay.locks import locked

HOLD = (
    "import sys, time; from pathlib import Path; from irassay.locks import locked\n"
    "with locked(Path(sys.argv[1]), 'out'):\n"
    "    print('held', flush=True); time.sleep(60)\n"
)


@pytest.fixture
def holder(tmp_path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path / "lock")], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_process_is_told_who_has_the_lock(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    try:
        message = rf"another irassay \(process {holder.pid} on .+\) writes here"
        with pytest.raises(InputError, match=message) as caught, locked(tmp_path / "lock", "out"):
            pytest.fail("two have the lock")
        assert caught.value.where == "out"
        assert "wait until it is done" in caught.value.hint
    finally:
        holder.kill()
        holder.wait()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.wait()
    assert (tmp_path / "lock").exists()
    with locked(tmp_path / "lock", "out"):
        assert (tmp_path / "lock").read_text().startswith(f"process {os.getpid()} on ")
    assert not (tmp_path / "lock").exists()


def test_who_waits_long_enough_gets_the_lock(tmp_path: Path) -> None:
    brief = HOLD.replace("time.sleep(60)", "time.sleep(0.3)")
    process = subprocess.Popen([sys.executable, "-c", brief, str(tmp_path / "lock")], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    with locked(tmp_path / "lock", "out", wait=30.0):
        assert process.wait(timeout=30) == 0


def test_many_processes_never_have_it_together(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from irassay.locks import locked\n"
        "lock, mark = Path(sys.argv[1]), Path(sys.argv[2])\n"
        "for _ in range(60):\n"
        "    with locked(lock, 'out', wait=60.0):\n"
        "        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))\n"
        "        mark.unlink()\n"
    )
    several = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "lock"), str(tmp_path / "mark")]) for _ in range(4)
    ]
    assert [process.wait(timeout=120) for process in several] == [0] * 4
    assert list(tmp_path.iterdir()) == []
