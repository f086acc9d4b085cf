"""Long work is safe: whenever it is killed, the same command goes on from there and ends with the same numbers."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.cli import run
from irassay.compute import checkpoint
from irassay.compute.checkpoint import Checkpoint
from irassay.errors import InputError
from irassay.files import atomic_write
from irassay.report.folder import save_result
from irassay.report.load import load_result
from tests.helpers.kills import killed
from tests.helpers.long_work import STUDIES, bits, collection

Data = tuple[str, str]
SWAP = STUDIES["swap"][1]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    return collection(tmp_path_factory.mktemp("collection") / "data")


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save after every part."""
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    monkeypatch.setattr(checkpoint, "SHARE", float("inf"))


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


class Stopped(Exception):  # noqa: N818
    """Raised where a process would be killed."""


def stop_at(monkeypatch: pytest.MonkeyPatch, saving: int) -> None:
    """An error right after so many savings, as good as a kill for what is on disk."""
    left, save = [saving], Checkpoint.save

    def counted(self: Checkpoint, *arguments: Any) -> None:
        save(self, *arguments)
        left[0] -= 1
        if left[0] == 0:
            raise Stopped

    monkeypatch.setattr(Checkpoint, "save", counted)


def stopped(monkeypatch: pytest.MonkeyPatch, name: str, data: Data, out: Path, saving: int = 3, **more: Any) -> None:
    study, settings = STUDIES[name]
    with monkeypatch.context() as patched:
        stop_at(patched, saving)
        with pytest.raises(Stopped):
            study(*data, **{**settings, "out": str(out), "jobs": 1, **more})


@pytest.mark.filterwarnings("ignore:.*unequal-variances")
@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("saving", [1, 4])
@pytest.mark.parametrize("name", STUDIES)
def test_every_study_goes_on_and_ends_with_the_same_bits(
    name: str, saving: int, data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, settings = STUDIES[name]
    whole = study(*data, **settings, jobs=1)
    stopped(monkeypatch, name, data, tmp_path / "out", saving)
    assert (tmp_path / "out/checkpoint/study.json").is_file()
    resumed = study(*data, **settings, jobs=3, out=str(tmp_path / "out"))  # other threads do not matter
    assert bits(resumed) == bits(whole)
    assert bits(load_result(tmp_path / "out")) == bits(whole)
    assert [p.name for p in tmp_path.iterdir()] == ["out"]
    assert not (tmp_path / "out/checkpoint").exists()


@pytest.mark.usefixtures("eager")
def test_what_was_saved_is_not_worked_on_again(data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from irassay.ask import swap

    done: list[int] = []
    block = swap._Swaps.block

    def counted(self: Any, part: range, jobs: int) -> Any:
        done.append(part.start)
        return block(self, part, jobs)

    monkeypatch.setattr(swap._Swaps, "block", counted)
    stopped(monkeypatch, "swap", data, tmp_path / "out", 5)  # three parts of AP, finished, one part of GM(AP)
    assert done == [0, 256, 512, 0]
    irassay.swap(*data, **SWAP, out=str(tmp_path / "out"), jobs=1)
    assert done == [0, 256, 512, 0, 256, 512]


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pictures: what draws them has threads, and a forked child of a process that has drawn waits for them."""
    monkeypatch.setattr("irassay.report.artifacts.pictures", lambda result, files: {})


@pytest.mark.usefixtures("eager", "undrawn")
@pytest.mark.parametrize("earlier", [False, True])
def test_killed_at_any_moment_it_leaves_a_folder_that_goes_on_or_loads(
    earlier: bool, data: Data, tmp_path: Path
) -> None:
    small: dict[str, Any] = {"measures": "AP", "resamples": 300}
    read = irassay.read_qrels(data[0]), irassay.read_runs(data[1])
    whole = irassay.swap(*read, **small, jobs=1)
    before = irassay.stability(*read, measures="AP", resamples=10, jobs=1)
    result = set()
    for at in range(1, 200):
        home = tmp_path / str(at)
        home.mkdir()
        if earlier:
            save_result(before, home / "out")
        last = not killed(at, lambda: irassay.swap(*read, **small, out=str(home / "out"), jobs=1, force=True))  # noqa: B023
        names = {p.name for p in (home / "out").iterdir()} if (home / "out").exists() else set()
        loads = "result.json" in names and load_result(home / "out").study
        result.add((loads, "checkpoint" in names))
        if loads == "swap":
            assert bits(load_result(home / "out")) == bits(whole)
        else:
            resumed = irassay.swap(*read, **small, out=str(home / "out"), jobs=1, force=earlier)
            assert bits(resumed) == bits(load_result(home / "out")) == bits(whole)
            assert not (home / "out/checkpoint").exists()
        shutil.rmtree(home)
        if last:
            break
    else:
        pytest.fail("never came to an end")
    assert ("swap", False) in result
    assert (("stability", True) if earlier else (False, True)) in result


def test_a_killed_command_goes_on_when_it_is_given_again(data: Data, tmp_path: Path) -> None:
    arguments = ["swap", *data, "-m", "AP GM(AP)", "--resamples", "600", "--out", str(tmp_path / "out")]
    code = (
        "import os, signal, sys\nfrom irassay.cli import run\nfrom irassay.compute import checkpoint\n"
        "checkpoint.EVERY, checkpoint.SHARE = 0.0, 1e9\nreplace, left = os.replace, [3]\n"
        "def counted(*names):\n    replace(*names)\n    left[0] -= 1\n"
        "    if not left[0]: os.kill(os.getpid(), signal.SIGKILL)\n"
        "os.replace = counted\nsys.exit(run(sys.argv[1:]))"
    )
    source = str(Path(irassay.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": source}
    died = subprocess.run([sys.executable, "-c", code, *arguments], env=environment, timeout=120, check=False)
    assert died.returncode == -signal.SIGKILL
    assert sorted(p.name for p in (tmp_path / "out/checkpoint").iterdir()) == ["0000.npz", "study.json"]
    assert run(arguments) == 0
    assert bits(load_result(tmp_path / "out")) == bits(irassay.swap(*data, **SWAP))


def test_a_short_study_saves_nothing_but_its_result(
    data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("saved")

    monkeypatch.setattr(Checkpoint, "save", refuse)
    irassay.swap(*data, **SWAP, out=str(tmp_path / "out"))
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["figures", "result.json", "tables"]


def test_it_is_saved_at_most_every_30_seconds_and_less_often_where_that_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, saved = [1000.0], []
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    kept = Checkpoint(tmp_path / "out/checkpoint", {"study": "x"}, {})

    def slow(path: Path, write: Any) -> None:
        if path.suffix == ".npz":
            saved.append(now[0])
            now[0] += cost
        atomic_write(path, write)

    monkeypatch.setattr("irassay.compute.checkpoint.atomic_write", slow)
    one = kept.begin("parts", ())
    cost = 0.0
    for part in range(1, 101):
        now[0] += 1.0
        one.reached(part, lambda: {"x": np.zeros(1)})
    assert saved == [1030.0, 1060.0, 1090.0]
    cost = 10.0  # of which a twentieth of the time is 200 seconds
    for part in range(101, 501):
        now[0] += 1.0
        one.reached(part, lambda: {"x": np.zeros(1)})
    assert saved[3:] == [1120.0, 1330.0]


CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "a number": ({"resamples": 700}, "resamples was 600 and is now 700"),
    "the seed": ({"seed": 1}, "seed was 0 and is now 1"),
    "the measures": ({"measures": "AP GM(AP) RR"}, "measures was"),
    "the topics": ({"topics": "1-9"}, "topics was None and is now '1-9'"),
}


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_parameter_is_refused_before_any_work(
    what: str, data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped(monkeypatch, "swap", data, tmp_path / "out")
    changed, message = CHANGES[what]
    with pytest.raises(InputError, match=message.replace("(", r"\(")) as caught:
        irassay.swap("no such file", [], **{**SWAP, **changed}, out=str(tmp_path / "out"))
    assert caught.value.where == str(tmp_path / "out")
    assert "--force" in caught.value.hint
    assert bits(irassay.swap(*data, **SWAP, out=str(tmp_path / "out"))) == bits(irassay.swap(*data, **SWAP))


@pytest.mark.usefixtures("eager")
def test_a_changed_parameter_is_an_error_with_a_hint_on_the_command_line(
    data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    stopped(monkeypatch, "swap", data, out)
    assert run(["swap", *data, "-m", "AP GM(AP)", "--resamples", "601", "--out", str(out)]) == 2
    said = capfd.readouterr().err
    assert "unfinished work is here, and" in said
    assert "hint: go on with what it was, give another --out, or start over with --force" in said
    assert run(["swap", *data, "-m", "AP GM(AP)", "--resamples", "601", "--out", str(out), "--force"]) == 0
    assert bits(load_result(out)) == bits(irassay.swap(*data, measures="AP GM(AP)", resamples=601))


@pytest.mark.usefixtures("eager")
def test_another_study_is_refused(data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(monkeypatch, "swap", data, tmp_path / "out")
    with pytest.raises(InputError, match="study was Swap and is now Stability"):
        irassay.stability(*data, measures="AP", resamples=600, out=str(tmp_path / "out"))


@pytest.mark.usefixtures("eager")
def test_another_version_is_refused(data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(monkeypatch, "swap", data, tmp_path / "out")
    monkeypatch.setattr(irassay.result, "NUMERICS", 999)
    with pytest.raises(InputError, match=r"irassay was .* and is now .*numerics 999"):
        irassay.swap(*data, **SWAP, out=str(tmp_path / "out"))


@pytest.mark.usefixtures("eager")
def test_changed_inputs_are_refused(data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "changed"
    shutil.copytree(Path(data[0]).parent, folder)
    mine = (str(folder / "qrels.txt"), str(folder / "runs"))
    stopped(monkeypatch, "swap", mine, tmp_path / "out")
    lines = (folder / "qrels.txt").read_text().splitlines()
    place = next(i for i, line in enumerate(lines) if line.endswith(" 2"))
    lines[place] = lines[place][:-1] + "0"
    (folder / "qrels.txt").write_text("\n".join(lines) + "\n")
    with pytest.raises(InputError, match="unfinished work is here, on other inputs") as caught:
        irassay.swap(*mine, **SWAP, out=str(tmp_path / "out"))
    assert "--force" in caught.value.hint
    assert irassay.swap(*mine, **SWAP, out=str(tmp_path / "out"), force=True).study == "swap"


@pytest.mark.usefixtures("eager")
def test_other_memory_is_fine_where_it_leads_to_the_same_work_and_named_where_not(
    data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, (study, settings) = tmp_path / "out", STUDIES["corpus"]
    stopped(monkeypatch, "corpus", data, out)
    with pytest.raises(InputError, match="memory was 450K and is now 320K"):
        study(*data, **{**settings, "memory": "320K"}, out=str(out))
    assert bits(study(*data, **{**settings, "memory": "451K"}, out=str(out))) == bits(study(*data, **settings))


@pytest.mark.usefixtures("eager")
def test_a_file_that_was_damaged_is_made_again(
    data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stopped(monkeypatch, "swap", data, tmp_path / "out", 5)
    place = tmp_path / "out/checkpoint/0000.npz"
    place.write_bytes(place.read_bytes()[:100])
    assert bits(irassay.swap(*data, **SWAP, out=str(tmp_path / "out"))) == bits(irassay.swap(*data, **SWAP))
    assert "is made again" in caplog.text


@pytest.mark.usefixtures("eager")
def test_a_folder_that_cannot_be_written_costs_the_checkpoint_not_the_study(
    data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        result = irassay.swap(*data, **SWAP, out=str(tmp_path / "out"))
    assert bits(result) == bits(irassay.swap(*data, **SWAP))
    assert "No space left" in caplog.text


def test_an_earlier_result_loads_while_the_next_is_unfinished(
    data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = irassay.stability(*data, measures="AP", resamples=10, out=str(tmp_path / "out"))
    hurry(monkeypatch)
    stopped(monkeypatch, "swap", data, tmp_path / "out", force=True)
    assert bits(load_result(tmp_path / "out")) == bits(before)
    irassay.swap(*data, **SWAP, out=str(tmp_path / "out"), force=True)
    assert load_result(tmp_path / "out").study == "swap"


def test_a_folder_called_checkpoint_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out/checkpoint").mkdir(parents=True)
    (tmp_path / "out/checkpoint/model.pt").write_text("weights")
    with pytest.raises(InputError, match="checkpoint is no unfinished study"):
        irassay.swap("no such file", [], out=str(tmp_path / "out"))
    assert (tmp_path / "out/checkpoint/model.pt").read_text() == "weights"


@pytest.mark.usefixtures("eager")
def test_other_files_beside_unfinished_work_are_refused_and_kept(
    data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped(monkeypatch, "swap", data, tmp_path / "out")
    (tmp_path / "out/notes.txt").write_text("mine")
    with pytest.raises(InputError):
        irassay.swap(*data, **SWAP, out=str(tmp_path / "out"))
    assert (tmp_path / "out/notes.txt").read_text() == "mine"


def test_the_settings_of_unfinished_work_can_be_read(
    data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurry(monkeypatch)
    stopped(monkeypatch, "swap", data, tmp_path / "out")
    result = json.loads((tmp_path / "out/checkpoint/study.json").read_text())
    assert result["identity"]["study"] == "Swap"
    assert result["identity"]["resamples"] == "600"
