"""Commands that write are safe: killed at any step on the disk, the same command again ends as if nothing had been."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from irassay.cli import run
from irassay.compute import checkpoint
from tests.helpers.bad_input import write_small_collection
from tests.helpers.kills import killed
from tests.helpers.saved_results import files

RUNS = ("qrels.txt", "runs", "-m", "AP")
COMMANDS: dict[str, tuple[tuple[str, ...], str]] = {  # and what it writes
    "score": (("score", *RUNS, "-o", "scores.txt"), "scores.txt"),
    "report": (("report", "result", "-o", "page.html"), "page.html"),
    "export": (("uncertainty", *RUNS, "--vary", "topics", "--replicates", "10", "--export", "all.csv"), "all.csv"),
    "reduced judgments": (("incomplete", *RUNS, "--rates", "50", "--resamples", "20", "--write-qrels", "q"), "q"),
    "reduced judgments and a result": (
        ("incomplete", *RUNS, "--rates", "50", "--resamples", "20", "--write-qrels", "q", "--out", "out"),
        "q",
    ),
    "demo-data": (
        ("demo-data", "--topics", "2", "--systems", "2", "--depth", "5", "--documents", "99", "--out", "d"),
        "d",
    ),
    "init": (("init",), "irassay.toml"),
    "paper": (("paper", "sakai2007one", "qrels.txt", "runs", "--resamples", "100", "--out", "out"), "out"),
}

STRIDES = {"paper": 41, "reduced judgments and a result": 4}  # of long commands: each step would take a minute


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pictures and no Vega, and work is saved after every part.

    What draws has threads, and a forked child of a process that has drawn waits for them.
    """
    monkeypatch.setattr("irassay.report.artifacts.pictures", lambda result, files: {})
    monkeypatch.setattr(
        "irassay.report.page_file.to_html", lambda results, *title: f"{[name for name, _ in results]}\n"
    )
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    monkeypatch.setattr(checkpoint, "SHARE", float("inf"))


@pytest.mark.usefixtures("quiet")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_was_killed_can_be_given_again(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments, product = COMMANDS[command]
    folder = tmp_path / "collection"

    def prepare() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        monkeypatch.chdir(folder)
        write_small_collection()
        if command == "report":
            assert run(["power", *RUNS, "--resamples", "20", "--alpha", "0.1", "--out", "result"]) == 0

    prepare()
    assert run(arguments) == 0
    whole, kills = files(folder), 0
    assert not [name for name in whole if ".irassay" in name]
    for at in range(1, 5000, STRIDES.get(command, 1)):
        prepare()
        if not killed(at, lambda: run(arguments)):
            break
        kills += 1
        status = run(arguments)
        # one that never overwrites may have been killed when it was done
        assert status == 0 or (command in ("init", "demo-data") and (folder / product).exists()), capfd.readouterr().err
        assert files(folder) == whole, f"killed before step {at}"
    else:
        pytest.fail("never came to an end")
    assert kills > 1
