"""Numbers of topics and documents, and all that follows from them, whoever reads which files together."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay import Qrels, Runs, read_qrels, read_runs
from irassay.read import batch, run_files, tokens, vocabulary
from irassay.read.files import PADDING, load
from irassay.read.scratch import CHUNK, Scratch
from tests.helpers.compilation import equal
from tests.helpers.random_collections import random_collection

MEASURES = "AP nDCG@10 Q RBP Bpref"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Judgments and twelve runs, with ties, long names and topics in several places."""
    monkeypatch.setenv("IRASSAY_COMPILE", "always")
    qrels, runs = random_collection(11, systems=12, pool=300).write(tmp_path)
    qrels.write_text(qrels.read_text().replace("D0", "D" * 30))
    for number, run in enumerate(sorted(runs.iterdir())):
        lines = run.read_text().replace("D0", "D" * 30).splitlines(keepends=True)
        run.write_text("".join([*lines[100:], *lines[:100]] if number % 3 == 0 else lines))
    return qrels, runs


def content(qrels: Qrels, runs: Runs) -> list[Any]:
    """All that was read."""
    found = runs.vocabulary.find(qrels.vocabulary)
    fields = [[getattr(run, field.name) for field in dataclasses.fields(run)] for run in runs]
    surveys = [
        tuple(one.pop([field.name for field in dataclasses.fields(runs.runs[0])].index("survey"))) for one in fields
    ]
    return [*qrels.vocabulary.contents, *runs.vocabulary.contents, qrels.grade, qrels.order, fields, surveys, found]


@pytest.mark.parametrize("jobs", [1, 2, 3, 7])
@pytest.mark.parametrize("together", [0, 20_000, 1 << 20], ids=["each file alone", "few files", "all files"])
@pytest.mark.parametrize("block", [300, 1 << 23])
def test_numbers_are_the_same_for_any_threads_and_files_read_together(
    jobs: int, together: int, block: int, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, runs = files
    expected = content(read_qrels(qrels), read_runs(runs, jobs=1))
    monkeypatch.setattr(run_files, "BATCH", together)
    monkeypatch.setattr(run_files, "SHARE", 0)
    monkeypatch.setattr(tokens, "BLOCK", block)
    assert equal(content(read_qrels(qrels), read_runs(runs, jobs=jobs)), expected)


@pytest.mark.parametrize("choice", ["always", "never"])
@pytest.mark.parametrize("shares", [1, 3, 2048])
def test_panels_and_scores_are_the_same_however_topics_share_tables(
    choice: str, shares: int, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRASSAY_COMPILE", choice)

    def panel_and_scores(jobs: int) -> Any:
        with pytest.warns(irassay.IrassayWarning):
            panel = irassay.align(files[0], read_runs(files[1], jobs=jobs), jobs=jobs)
        names = [panel.documents(topic) for topic in panel.topics]
        scores = panel.score(MEASURES, jobs=jobs)
        return [panel.codes, panel.offsets, panel.grade, panel.pool, names, panel.document, scores.values]

    expected = panel_and_scores(1)
    for module in (batch, vocabulary):
        monkeypatch.setattr(module, "SHARES", shares)
    for jobs in (1, 2, 7):
        assert equal(panel_and_scores(jobs), expected)


def test_thousands_of_topics_in_one_file_get_their_own_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRASSAY_COMPILE", "always")
    pairs = [(f"q{topic}", f"d{document}") for topic in range(5000) for document in range(1 + topic % 3)]
    for name in ("a", "b"):
        lines = (f"{topic} Q0 {document} 1 1 {name}\n" for topic, document in pairs)
        (tmp_path / name).write_text("".join(lines))
    runs = read_runs(tmp_path, jobs=2)
    assert len(runs.vocabulary) == len(pairs)
    for run in runs:
        assert [runs.vocabulary.pair(entry) for entry in run.entry[:50].tolist()] == pairs[:50]
        assert np.array_equal(run.entry, runs["a"].entry)
    assert sorted(map(runs.vocabulary.pair, range(len(pairs)))) == sorted(pairs)


@pytest.mark.parametrize("blank", [0, 9000])
@pytest.mark.parametrize("short", [1, 3000])
def test_lines_much_shorter_than_the_first_ones_are_read_too(
    blank: int, short: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"1 Q0 {'d' * 100}{n} 1 {-n} t\n" for n in range(40)]
    lines += ["\n"] * blank + [f"{n % 1700} 0 {n} 1 1 t\n" for n in range(short)]
    (tmp_path / "run").write_text("".join(lines))
    read: list[list[Any]] = []
    for choice in ("never", "always"):
        monkeypatch.setenv("IRASSAY_COMPILE", choice)
        (run,) = read_runs(tmp_path / "run")
        read.append([run.entry, run.score, run.skipped, run.segment_row, run.segment_topic, run.line(len(run) - 1)])
    assert equal(read[0], read[1])
    assert (len(read[0][0]), read[0][-1]) == (40 + short, 40 + blank + short)


def test_arrays_of_a_scratch_do_not_overlap_until_it_is_cleared() -> None:
    scratch = Scratch()
    for _ in range(2):
        arrays = [scratch.empty(size, np.int64) for size in (5, 0, CHUNK // 16, CHUNK // 8 + 9, 7, CHUNK // 9)]
        for number, array in enumerate(arrays):
            array[:] = number
        assert all((array == number).all() for number, array in enumerate(arrays))
        scratch.clear()


def test_files_in_a_scratch_have_padding_between_them(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"1 Q0 d 1 1 t")
    scratch = Scratch()
    data, following = load(tmp_path / "file", scratch), load(tmp_path / "file", scratch)
    assert following.ctypes.data - (data.ctypes.data + len(data)) >= PADDING
