"""Measures that a program declares work in every study, and where the work goes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay.cli import run
from irassay.errors import IrassayWarning
from irassay.measures.core import registry
from irassay.measures.core.record import Floats, Ints
from irassay.settings import options
from irassay.studies.registry import Study, load, parts, studies

SMALL: dict[str, Any] = {
    "resamples": 200,
    "images": 32,
    "replicates": 32,
    "samples": 20,
    "corpus_size": 5000,
    "rates": "50",
    "measures": "Third Third@10",
    "trials": 1,
}
WITHOUT = {"gains", "preferred-ranks", "paper", "study"}  # graded measures, none, a paper's own, and all the others
SCRIPT = """
import irassay


@irassay.measure("Scripted", kind="fold", cite="")
def scripted(rank, grade, n, gain, ideal, judged, size, par):
    if n < 3:
        return 0.0
    return 1.0 / rank[2]


if __name__ == "__main__":
    more = {"images": 64, "corpus_size": 5000, "measures": "Scripted"}
    here = irassay.corpus("qrels.txt", ["runs"], **more)
    there = irassay.corpus("qrels.txt", ["runs"], cluster="local:1", **more)
    assert [list(table.rows()) for table in here.tables] == [list(table.rows()) for table in there.tables]
"""


def forget(name: str) -> None:
    registry._registered[:] = [record for record in registry._registered if record.name != name]
    for names in (registry._records, registry._names, registry._cut_names):
        names.cache_clear()


@pytest.fixture
def third() -> Iterator[None]:
    @irassay.measure("Third", kind="fold", cite="")
    def third(
        rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats
    ) -> float:
        """One over the rank of the third relevant document."""
        if n < 3:
            return 0.0
        return 1.0 / rank[2]

    yield
    forget("Third")


@pytest.fixture
def sliced() -> Iterator[None]:
    @irassay.measure("Sliced", kind="fold", cite="")
    def sliced(
        rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats
    ) -> float:
        """The mean of one over the ranks of the first two; slices are more than the translator for a GPU takes."""
        return sum([1.0 / r for r in rank[: min(n, 2)]]) / 2

    yield
    forget("Sliced")


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize("study", [s for s in studies().values() if s.name not in WITHOUT], ids=lambda s: s.name)
def test_a_measure_of_a_program_works_in_every_study(study: Study, third: None, at: Path) -> None:
    known = options(load(study.settings))
    data: tuple[Any, ...] = () if study.data == "none" else ("qrels.txt", ["runs"])
    if study.name == "leaderboard":
        data = ([irassay.Collection(name=name, qrels=data[0], runs=data[1]) for name in ("A", "B", "C")],)
    chosen = {name: value for name, value in SMALL.items() if name in known} | (
        {"alpha": 0.05} if "power" in study.name else {}
    )
    if study.name == "leaderboard":
        chosen["measures"] = "Third"  # of one measure
    if study.name == "judges":
        chosen["judges"] = {"second": "qrels.txt"}
    if study.name == "estimate":
        chosen |= {"cheap": "qrels.txt", "trusted_topics": "1-5"}
    if study.name == "unjudged":  # there must be some
        lines = Path("qrels.txt").read_text().splitlines(keepends=True)
        Path("fewer.txt").write_text("".join(line for n, line in enumerate(lines) if n % 4))
        data = ("fewer.txt", ["runs"])
    result = getattr(irassay, study.name.replace("-", "_"))(*data, **chosen)
    cells = [str(cell) for table in result.tables for column in table.columns.values() for cell in column]
    names = [name for table in result.tables for name in table.columns]
    assert any("Third" in text for text in (*cells, *names, str(result.provenance.get("measures"))))


def test_what_the_decorator_returns_is_a_measure(at: Path) -> None:
    @irassay.measure("Second", kind="fold", cite="")
    def second(
        rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats
    ) -> float:
        """One over the rank of the second relevant document."""
        return 1.0 / rank[1] if n > 1 else 0.0

    try:
        result = irassay.score("qrels.txt", ["runs"], measures=[second, "AP"])
        assert list(dict.fromkeys(result["scores"]["measure"])) == ["Second", "AP"]
    finally:
        forget("Second")


def test_a_measure_of_a_program_is_explained_without_a_citation(third: None, capsys: Any) -> None:
    assert run(["measures", "Third"]) == 0
    assert "One over the rank of the third relevant document." in capsys.readouterr().out


def test_a_measure_of_a_script_goes_to_the_workers_of_a_cluster(at: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    import subprocess
    import sys

    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", tmp_path / "script.py"], cwd=at, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_what_a_gpu_cannot_take_runs_on_the_processor_and_says_so(
    sliced: None, at: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irassay.compute.gpu.cupy", lambda: None)  # there need be no GPU, for nothing goes there
    options: dict[str, Any] = {"measures": "Sliced", "images": 32, "corpus_size": 5000}
    expected = irassay.corpus("qrels.txt", ["runs"], **options)
    with pytest.warns(IrassayWarning, match="Sliced cannot be translated for a GPU"):
        got = irassay.corpus("qrels.txt", ["runs"], device="cuda", **options)
    assert [list(table.rows()) for table in got.tables] == [list(table.rows()) for table in expected.tables]


def test_every_part_of_a_full_study_takes_it(third: None, at: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IrassayWarning)
        results = irassay.study("qrels.txt", ["runs"], measures="Third AP", resamples=200, images=32, samples=20)
    assert set(results) | set(results.failures) == set(parts())
    assert not any(one.bug for one in results.done)
