"""Systems are named by tag, file or stem, and answer to all three."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

import irassay
from irassay import align, read_runs
from irassay.read.files import short_name, stem
from irassay.report import to_json
from tests.helpers.files import file, refusal

Names = Literal["tag", "file", "stem"]
QRELS = {str(t): {f"d{n}": int((n + t) % 3 == 0) for n in range(9)} for t in range(6)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number, name in enumerate(["bm25.trec", "dpr.v2.txt", "e5.run"], 1):
        lines = (
            f"{t} Q0 d{(n * (number + number // 3) + t) % 9} {n} {9 - n} tag{number}\n"
            for t in range(6)
            for n in range(5)
        )
        file(tmp_path, "".join(lines).encode(), name)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "of_file", "short"),
    [
        ("bm25.trec.gz", "bm25.trec", "bm25"),
        ("bm25.TXT", "bm25.TXT", "bm25"),
        ("dpr.v2.run.txt.zst", "dpr.v2.run.txt", "dpr.v2"),
        ("input.tag", "input.tag", "input.tag"),
        (".gz", ".gz", ".gz"),
        (".txt", ".txt", ".txt"),
        ("e5.jsonl", "e5.jsonl", "e5"),
    ],
)
def test_a_stem_is_the_name_of_a_file_without_endings_of_formats(name: str, of_file: str, short: str) -> None:
    assert (stem(Path(name)), short_name(Path(name))) == (of_file, short)


def test_systems_are_named_by_tag_file_or_stem(folder: Path) -> None:
    assert read_runs(folder).names == read_runs(folder, names="tag").names == ("tag1", "tag2", "tag3")
    assert read_runs(folder, names="file").names == ("bm25.trec", "dpr.v2.txt", "e5.run")
    assert read_runs(folder, names="stem").names == ("bm25", "dpr.v2", "e5")
    file(folder, b"1,d,2\n", "e5.csv").write_text("qid,docno,score\n1,d,2\n")
    assert read_runs(folder).names == ("bm25.trec", "dpr.v2.txt", "e5.csv", "e5.run")
    error = refusal(read_runs, folder, names="tag")
    assert (error.what, error.where) == ("the file has no tags", str(folder / "e5.csv"))
    assert refusal(read_runs, folder, names="stem").what.startswith("two runs are called 'e5'")


@pytest.mark.filterwarnings("ignore:.*tied-topics:irassay.errors.IrassayWarning")
@pytest.mark.parametrize("names", ["tag", "file", "stem"])
def test_a_system_answers_to_tag_file_and_stem_whatever_it_is_called(
    folder: Path, names: Literal["tag", "file", "stem"]
) -> None:
    dpr = read_runs(folder, names=names).names[1]
    expected = irassay.compare(QRELS, folder, measures="AP", names=names, baseline=dpr)
    for baseline in ("tag2", "dpr.v2.txt", "dpr.v2", str(folder / "dpr.v2.txt")):
        result = irassay.compare(QRELS, folder, measures="AP", names=names, baseline=baseline)
        assert to_json(result) == to_json(expected)
    refused = refusal(irassay.compare, QRELS, folder, measures="AP", baseline="dpr")
    assert refused.what == "there is no system 'dpr'"


def test_pairs_and_shown_systems_answer_to_their_stems_too(folder: Path) -> None:
    settings: dict[str, Any] = {"measures": "AP", "histogram": True, "resamples": 200}
    by_stem = irassay.power(QRELS, folder, pair=("bm25", "e5"), **settings)
    assert to_json(by_stem) == to_json(irassay.power(QRELS, folder, pair=("tag1", "tag3"), **settings))


def test_a_name_that_could_mean_two_systems_means_none(folder: Path) -> None:
    (folder / "more").mkdir()
    file(folder / "more", (folder / "bm25.trec").read_bytes().replace(b"tag1", b"tag4"), "bm25.txt")
    panel = align(QRELS, read_runs(folder))
    assert "bm25" not in panel.aliases
    assert panel.aliases["bm25.txt"] == "tag4"
    assert align(QRELS, {"a": QRELS}).aliases == {}
