"""Systems are named by tag, file or stem, and answer to all three."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

import irassay
from irassay import align, read_runs
from irassay.read.files import short_name, stem
from irassay.report import to_csv, to_json
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


SMALL: dict[str, Any] = {"permutations": 99, "resamples": 100}
NAMES_IN_FILES = [
    ("tag1", "tag2", "tag3"),
    ("bm25.trec", "dpr.v2.txt", "e5.run"),
    ("bm25", "dpr.v2", "e5"),
    ("bm25", "tag2", "e5.run"),
]


def groups_file(folder: Path, systems: tuple[str, ...]) -> str:
    lines = (f"{system} {group}\n" for system, group in zip(systems, ("a", "b", "b"), strict=True))
    return str(file(folder.parent, "".join(lines).encode(), "groups.txt"))


def by_groups(study: str, folder: Path, groups: str) -> bytes:
    """What a study that reads groups gives."""
    settings: dict[str, dict[str, Any]] = {
        "compare": {"measures": "AP", "one_per_group": True, "resamples": 100},
        "check": {"measures": "AP"},
        "incomplete": {"measures": "AP", "rates": "50", "one_per_group": True, "resamples": 100},
        "pools": {"measures": "AP", "depths": "2", "pool_depth": 5, "resamples": 100},
        "uncertainty": {"measures": "AP", "vary": "pools", "pool_depth": 5, "replicates": 100},
    }
    result = getattr(irassay, study)(QRELS, folder, groups=groups, **settings[study])
    return b"".join(map(to_csv, result.tables))


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize("systems", NAMES_IN_FILES[1:], ids=["file", "stem", "mixed"])
@pytest.mark.parametrize("study", ["compare", "check", "incomplete", "pools", "uncertainty"])
def test_groups_may_name_a_system_by_tag_file_or_stem(folder: Path, study: str, systems: tuple[str, ...]) -> None:
    by_tag = by_groups(study, folder, groups_file(folder, NAMES_IN_FILES[0]))
    assert by_groups(study, folder, groups_file(folder, systems)) == by_tag


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_judges_read_groups_and_teams_by_any_name(folder: Path) -> None:
    lines = (f"{topic} 0 {name} {1 - grade}\n" for topic, of in QRELS.items() for name, grade in of.items())
    other = file(folder.parent, "".join(lines).encode(), "other.qrels")
    results = []
    for systems in NAMES_IN_FILES:
        groups = groups_file(folder, systems)
        result = irassay.judges(
            QRELS, [other, folder], measures="AP", groups=groups, teams=groups, permutations=99, resamples=100
        )
        results.append(b"".join(map(to_csv, result.tables)))
    assert len(set(results)) == 1


def test_one_system_in_two_groups_under_two_names_is_an_error(folder: Path) -> None:
    groups = file(folder.parent, b"bm25 a\ntag2 b\ne5 b\ntag1 b\nbm25.trec c\n", "groups.txt")
    for study in (irassay.check, irassay.pools):
        error = refusal(study, QRELS, folder, measures="AP", groups=str(groups))
        assert [(problem.what, problem.where) for problem in error.problems] == [
            ("system tag1 is in group a (line 1) and in b", f"{groups}:4"),
            ("system tag1 (bm25.trec) is in group a (line 1) and in c", f"{groups}:5"),
        ]
