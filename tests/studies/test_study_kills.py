"""A full study that is killed anywhere goes on, and ends as if nothing had happened; what was there before stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay import demo
from irassay.report.load import load_result
from irassay.result import Table
from tests.helpers.kills import killed

MODEL = demo.Model(systems=5, groups=2, null_pairs=0, depth=30, candidates=200, documents=1500, pool_depth=10, seed=3)
SIZES: dict[str, Any] = {"measures": "AP", "resamples": 120, "only": "power,swap,stability", "jobs": 1}
PARTS = ("power", "swap", "stability", "overview")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    folder = tmp_path_factory.mktemp("kills") / "c"
    demo.write(MODEL, folder, topics=range(8))
    return irassay.read_qrels(folder / "qrels.txt"), irassay.read_runs(folder / "runs")


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pictures: what draws them has threads, and a forked child of a process that has drawn waits for them."""
    monkeypatch.setattr("irassay.report.artifacts.pictures", lambda result, files: {})
    monkeypatch.setattr("irassay.studies.study.folder.to_html", lambda results: "<!doctype html>")


def contents(out: Path) -> dict[str, list[Any]]:
    def cells(table: Table) -> Any:
        return {name: [str(cell) for cell in column] for name, column in table.columns.items()}

    return {part: [cells(table) for table in load_result(out / part).tables] for part in PARTS}


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("earlier", [False, True])
def test_killed_at_any_step_on_the_disk_it_goes_on_and_what_was_there_stays(
    earlier: bool, data: Any, tmp_path: Path
) -> None:
    irassay.study(*data, **SIZES, out=str(tmp_path / "whole"))
    whole, before = contents(tmp_path / "whole"), None
    states = set()
    at = 0
    while True:
        at += 1 if at < 12 else 7  # every step of the beginning; of the many files of parts some
        home = tmp_path / str(at)
        home.mkdir()
        if earlier:
            irassay.study(*data, **{**SIZES, "resamples": 100}, out=str(home / "out"))
            before = contents(home / "out")
        ended = not killed(at, lambda: irassay.study(*data, **SIZES, out=str(home / "out"), force=earlier))  # noqa: B023
        saved = {place.name for place in (home / "out").iterdir()} if (home / "out").is_dir() else set()
        states.add("checkpoint" in saved)
        if earlier and not ended:  # also in the moment when one folder takes the place of the other
            assert contents(home / "out") in (before, whole)
        irassay.study(*data, **SIZES, out=str(home / "out"), force=earlier)
        assert contents(home / "out") == whole
        assert {place.name for place in home.iterdir()} == {"out"}
        assert not (home / "out" / "checkpoint").exists()
        if ended:
            break
    assert at > 20
    assert states == {True, False}


@pytest.mark.usefixtures("undrawn")
def test_finished_parts_are_not_made_again(data: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    def not_again(*_: Any, **__: Any) -> Any:
        pytest.fail("power is made again")

    out = str(tmp_path / "out")
    with monkeypatch.context() as patched:
        patched.setattr("irassay.studies.swap.run.run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            irassay.study(*data, **SIZES, out=out)
    with monkeypatch.context() as patched:
        patched.setattr("irassay.studies.power.run.run", not_again)
        results = irassay.study(*data, **SIZES, out=out)
    assert [one.part for one in results.done if one.kept] == ["power"]
    assert not results.failures


@pytest.mark.usefixtures("undrawn")
def test_parts_of_other_judgments_are_not_taken_for_finished(
    data: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    qrels, runs = data
    out = str(tmp_path / "out")
    with monkeypatch.context() as patched:
        patched.setattr("irassay.studies.swap.run.run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            irassay.study(qrels, runs, **SIZES, out=out)
    other = irassay.read_qrels({topic: {"EXTRA": 1} for topic in qrels.topics})
    with pytest.raises(irassay.InputError, match="unfinished work is here, and contents was"):
        irassay.study(other, runs, **SIZES, out=out)
    assert irassay.study(qrels, runs, **SIZES, out=out).done[0].kept
