"""What a command needs before it starts: of a small collection neither numba nor anything compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay import progress
from irassay.cli import run
from irassay.measures import records
from tests.helpers.compilation import COMMAND
from tests.helpers.measures import forms
from tests.helpers.random_collections import random_collection

SOURCES = Path(irassay.__file__).parents[1]


@pytest.fixture
def collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with judgments and runs in several formats."""
    monkeypatch.chdir(tmp_path)
    whole = random_collection(3, unanswerable=False)
    whole.write(tmp_path)
    for name, lists in whole.runs.items():
        rows = [(t, d, rank) for t, docs in lists.items() for rank, d in enumerate(docs, 1)]
        Path(f"{name}.tsv").write_text("".join(f"{t}\t{d}\t{rank}\n" for t, d, rank in rows))
        Path(f"{name}.json").write_text(json.dumps(lists))
        Path(f"{name}.csv").write_text("".join(f"{t},{d},{rank}\n" for t, d, rank in [("qid", "docid", "rank"), *rows]))
    return tmp_path


def without_numba(*arguments: str, compiling: str = "never") -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(SOURCES), "IRASSAY_COMPILE": compiling}
    environment = {key: value for key, value in environment.items() if value or key != "IRASSAY_COMPILE"}
    return subprocess.run([*COMMAND, *arguments], env=environment, timeout=120, check=False, capture_output=True)


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "qrels.txt", "runs"],
        ["score", "qrels.txt", "runs", "-m", " ".join(records()[name].example for name in records())],
        ["score", "qrels.txt", "runs", "--per-topic", "--format", "csv", "--depth", "5", "--order", "trec9"],
        ["check", "qrels.txt", "runs"],
        ["compare", "qrels.txt", "runs", "-m", "AP"],
        ["compare", "qrels.txt", "runs", "-m", "AP nDCG", "--baseline", "sys1", "--correction", "bh"],
        *(
            [command, "qrels.txt", f"sys1.{kind}", f"sys2.{kind}"]
            for command in ("score", "check")
            for kind in ("tsv", "json", "csv")
        ),
    ],
    ids=" ".join,
)
def test_small_collections_need_no_numba(arguments: list[str], collection: Path) -> None:
    done = without_numba(*arguments, compiling="")
    assert (done.returncode, b"bug:" in done.stderr) == (0, False), done.stderr
    assert b"sys1" in done.stdout


def test_other_studies_of_the_same_files_import_it_when_they_need_it(collection: Path) -> None:
    done = without_numba("swap", "qrels.txt", "runs", "-m", "AP")
    assert done.returncode == 1
    assert b"numba" in done.stderr or b"llvmlite" in done.stderr


def test_every_measure_has_the_same_scores_on_the_command_line(
    collection: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: Any
) -> None:
    measures = " ".join(map(forms, records()))
    given = ("score", "qrels.txt", "runs", "--per-topic", "--format", "csv", "-m", measures)
    plain = without_numba(*given)
    assert plain.returncode == 0, plain.stderr
    monkeypatch.setenv("IRASSAY_COMPILE", "always")
    assert run(given) == 0
    compiled, _ = capfdbinary.readouterr()
    rows = [[line.rsplit(",", 1) for line in text.decode().splitlines()[1:]] for text in (plain.stdout, compiled)]
    assert len(rows[0]) == len(rows[1]) > 1000
    for (cell, value), (other, number) in zip(*rows, strict=True):
        assert cell == other
        assert (value == number == "") or abs(float(value) - float(number)) <= 1e-12


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_only_a_terminal_is_told_that_kernels_are_compiled() -> None:
    import pty

    code = (
        "from irassay.cli.talk import start; start(); "
        "from irassay.progress import notify; notify('compiling for this machine, once')"
    )
    main, terminal = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    for stderr in (terminal, subprocess.PIPE):
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=stderr
        )
    os.close(terminal)
    shown = os.read(main, 65536)
    os.close(main)
    assert b"compiling for this machine, once" in shown
    assert done.stderr == b""


def test_a_new_cache_is_told_of_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from irassay.compute.kernel import cache_folder

    messages: list[str] = []
    monkeypatch.setattr(progress, "tell", [messages.append])
    monkeypatch.setenv("IRASSAY_CACHE", str(tmp_path / "cache"))
    for _ in range(2):
        assert cache_folder.__wrapped__() is not None
    assert messages == ["compiling for this machine, once"]


def python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, cwd=folder, env=environment, timeout=120, check=False, capture_output=True, text=True
    )


@pytest.mark.parametrize("status", [0, 3])
def test_a_command_ends_with_its_status_after_what_is_left_for_the_end(status: int, tmp_path: Path) -> None:
    code = f"""
import atexit, irassay.cli
def run(arguments):
    atexit.register(print, "tidied")
    print("done")
    return {status}
irassay.cli.run = run
irassay.cli.main()
"""
    done = python(code, tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("done\ntidied\n", "", status)


def test_a_program_that_runs_a_command_goes_on_to_its_own_status(tmp_path: Path) -> None:
    code = """
import irassay.cli, sys
try:
    irassay.cli.main(["no-such-command"])
except SystemExit as end:
    print(end.code)
sys.exit(5)
"""
    done = python(code, tmp_path)
    assert (done.stdout, done.returncode) == ("2\n", 5)


def test_the_command_line_imports_numba_without_scipy_and_yaml_which_others_can_import_later(tmp_path: Path) -> None:
    code = """
import sys
from irassay.compute import compilation
compilation.alone = True
import irassay.compute.kernel, numba
print([name for name in ("scipy", "scipy.linalg", "yaml") if name in sys.modules], numba.config.BOUNDSCHECK)
import scipy.linalg
"""
    done = python(code, tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("[] None\n", "", 0)
    (tmp_path / ".numba_config.yaml").write_text("boundscheck: 1\n")
    assert python(code, tmp_path).stdout == "['yaml'] 1\n"
