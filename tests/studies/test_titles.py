"""Titles: what the data of a result are called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay.cli import run
from irassay.studies.titles import merge_titles, name_of, title_of
from tests.helpers.several_collections import write_collections

pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
NAMES = {
    "trec8-adhoc/qrels.txt.gz": "trec8-adhoc",
    "trec8-adhoc/data/qrels.txt": "trec8-adhoc",
    "x/qrels.trec8.adhoc.txt": "trec8.adhoc",
    "TREC-8/qrels": "TREC-8",
    "trec8/human.qrels": "trec8",
    "x/qrels.robust2004.txt": "robust2004",
    "x/qrels.dl19-passage.txt": "dl19-passage",
    "dl2021/2021.qrels.pass.final.txt": "dl2021",
    "dl2021/human.qrels.xz": "dl2021",
    "scifact/qrels/test.tsv": "scifact",
    "x/covid_judgments.json": "covid",
    "x/NTCIR-16-WWW4.qrels": "NTCIR-16-WWW4",
    "7/8/qrels.txt": "",
}


@pytest.mark.parametrize("path", NAMES)
def test_a_file_names_its_collection_where_its_name_or_its_folders_do(path: str, tmp_path: Path) -> None:
    place = tmp_path / "1" / "2" / path
    place.parent.mkdir(parents=True)
    place.touch()
    assert name_of({"qrels": str(place)}) == NAMES[path]


def test_one_table_of_scores_names_its_collection_and_several_do_not(tmp_path: Path) -> None:
    tables = [tmp_path / "7" / name for name in ("trec8.scores.csv", "b.csv")]
    tables[0].parent.mkdir()
    for table in tables:
        table.touch()
    assert name_of({"scores": [str(tables[0])]}) == "trec8"
    assert name_of({"scores": list(map(str, tables))}) == ""


def test_a_file_below_the_current_folder_is_named_by_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cranfield").mkdir()
    (tmp_path / "cranfield" / "qrels").touch()
    monkeypatch.chdir(tmp_path / "cranfield")
    assert name_of({"qrels": "qrels"}) == "cranfield"


def test_what_is_in_memory_has_no_name_and_a_dataset_has_its_id() -> None:
    sizes: dict[str, Any] = {"systems": 3, "topics": ["1", "2"]}
    assert title_of({"qrels": "judgments", **sizes}) == "3 systems, 2 topics"
    assert title_of({"qrels": "ir_datasets:beir/scifact/test", **sizes}) == "beir/scifact/test: 3 systems, 2 topics"


def test_a_title_has_the_counts_that_are_known() -> None:
    assert title_of({"systems": ["a"], "topics": ["1"], "groups": 1}, "TREC-8") == "TREC-8: 1 system, 1 group, 1 topic"
    assert title_of({"systems": 3, "topics": ["1"] * 6980}, "MS MARCO") == "MS MARCO: 3 systems, 6,980 topics"
    assert title_of({"topics": ["1"]}, "TREC-8") == ""  # of no systems
    assert title_of({"systems": 2, "topics": ["1"]}, "a\x1b[1mb") == "a\\x1b[1mb: 2 systems, 1 topic"


def test_titles_of_several_collections_are_one() -> None:
    assert merge_titles({"a": "A: 1 system", "b": "B: 2 systems"}) == "A: 1 system; B: 2 systems"
    many = {name: f"{name}: 2 systems" for name in "abcd"}
    assert merge_titles(many) == "4 collections: a, b, c and d"


def test_a_study_takes_the_name_of_its_collection_and_an_option_comes_before_it(tmp_path: Path) -> None:
    write_collections(tmp_path)
    first, second = irassay.read_collections(tmp_path / "irassay.toml")
    sizes = {"first": "5 systems, 4 groups, 14 topics", "second one": "6 systems, 4 groups, 10 topics"}
    assert irassay.check(first).headline.title == f"first: {sizes['first']}"
    assert irassay.check([first, second]).headline.title == "; ".join(f"{name}: {size}" for name, size in sizes.items())
    assert irassay.check(tmp_path / "a" / "qrels.txt", tmp_path / "a" / "runs").headline.title.endswith(
        ": 5 systems, 14 topics"
    )
    results = irassay.study([first, second], only="check", title="Both")
    assert results["check"].headline.title == "Both: " + "; ".join(f"{name}: {size}" for name, size in sizes.items())
    assert irassay.study(first, only="check", title="Mine")["check"].headline.title == f"Mine: {sizes['first']}"
    arguments = [str(tmp_path / "a" / "qrels.txt"), str(tmp_path / "a" / "runs"), "--only", "check", "--title", "<b>"]
    assert run(["study", *arguments, "--out", str(tmp_path / "out")]) == 0
    assert irassay.load_result(tmp_path / "out" / "check").headline.title == "<b>: 5 systems, 14 topics"


def test_a_report_takes_another_title(tmp_path: Path) -> None:
    write_collections(tmp_path)
    irassay.check(tmp_path / "a" / "qrels.txt", tmp_path / "a" / "runs").save(tmp_path / "check")
    page = tmp_path / "page.html"
    assert run(["report", str(tmp_path / "check"), "--title", "Mine & <b>yours</b>", "-o", str(page)]) == 0
    assert "<h1>Mine &amp; &lt;b&gt;yours&lt;/b&gt;</h1>" in page.read_text()
    irassay.report(tmp_path / "check", page, title="Another")
    assert "<title>Another</title>" in page.read_text()
