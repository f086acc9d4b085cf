"""`irassay init`: the file that it writes can be used as it is, and it overwrites nothing."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay.cli import run
from irassay.errors import InputError
from irassay.studies.collections_template import kind_of, write_template
from tests.helpers.several_collections import write_collections
from tests.helpers.shell import FIRST, QRELS


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("x", "401 0 d1 1\n", "qrels"),
        ("x", "\n401 Q0 d1 1 0.5 tag\n", "run"),
        ("x", "0001 d1 S\n", "qrels"),
        ("x", "0001 d1 L2\n", "qrels"),
        ("groups.txt", "# who\nsys1 team\n", "groups"),
        ("notes.txt", "sys1 team\n", ""),
        ("x", "401 0 d1 high\n", ""),
        ("x", "", ""),
        ("x", "query-id\tcorpus-id\tscore\n1\td1\t1\n", "qrels"),
        ("x", "qid,docno,score\n1,d1,0.5\n", "run"),
        ("x", "qid docno rank\n1 d1 1\n", "run"),
        ("x", "1 d1 1\n1 d2 2\n1 d3 3\n1 d4 4\n1 d5 5\n", "run"),
        ("x", "1 d1 0\n1 d2 2\n", "qrels"),
        ("x", '{"1": {"d1": 1, "d2": 0}}', "qrels"),
        ("x", '{"1": {"d1": 1.5, "d2": 0}}', "run"),
        ("x", '{"1": ["d1", "d2"]}', "run"),
        ("x", '{"qid": "1", "docid": "d1", "rel": 1}\n', "qrels"),
        ("x", '{"qid": "1", "docid": "d1", "score": 2.5}\n{"qid": "1", "docid": "d2", "score": 1}\n', "run"),
        ("x", "<SYSDESC>a system</SYSDESC>\n0001 0 d1 1 0.5 t\n", "run"),
        ("corpus.jsonl", '{"_id": "d1", "title": "a", "text": "b"}\n', ""),
        ("queries.tsv", "1\twhat is this\n", ""),
        ("README.md", "# Data\n\nThese are the runs of 1999\n", ""),
        ("x", "{not json", ""),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_a_file_is_known_by_its_first_line(tmp_path: Path, name: str, text: str, kind: str, packed: bool) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    assert kind_of(path) == kind


def test_what_cannot_be_read_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"401 0 d 1\n" * 99)[:12] + b"damaged")
    assert kind_of(tmp_path / "x.gz") == kind_of(tmp_path / "none") == ""


@pytest.mark.parametrize("packed", [False, True])
def test_a_long_json_file_is_known_by_all_of_it(tmp_path: Path, packed: bool) -> None:
    lists = {str(t): {f"d{n}": float(n) + 0.5 for n in range(1000)} for t in range(20)}
    text = json.dumps(lists, indent=1).encode()
    (tmp_path / "x").write_bytes(gzip.compress(text) if packed else text)
    assert kind_of(tmp_path / "x") == "run"


def test_parquet_is_known_by_its_columns(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    for kind, values in {"qrels": [1, 0], "run": [2.5, 1.5]}.items():
        pq.write_table(pa.table({"query-id": ["1", "1"], "corpus-id": ["a", "b"], "score": values}), tmp_path / "x")
        assert kind_of(tmp_path / "x") == kind
    pq.write_table(pa.table({"_id": ["a"], "text": ["b"]}), tmp_path / "x")
    assert kind_of(tmp_path / "x") == ""


def test_a_folder_of_beir_becomes_a_collection_that_can_be_studied(tmp_path: Path, capfd: Any) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "runs").mkdir()
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "title": "a", "text": "b"}\n')
    rows = "".join(f"{t}\td{n}\t{(n + t) % 2}\n" for t in range(5) for n in range(4))
    (tmp_path / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}")
    for name in ("a", "b"):
        lists = {str(t): {f"d{n}": n + 0.5 for n in range(3)} for t in range(5)}
        (tmp_path / "runs" / f"{name}.json").write_text(json.dumps(lists))
    assert run(["init", str(tmp_path)]) == 0
    (collection,) = irassay.read_collections(tmp_path / "irassay.toml")
    assert (collection.qrels, collection.runs) == (str(tmp_path / "qrels/test.tsv"), (str(tmp_path / "runs"),))
    assert run(["check", str(tmp_path / "irassay.toml")]) == 0


def test_folders_of_judgments_and_runs_become_collections_that_can_be_studied(tmp_path: Path, capfd: Any) -> None:
    write_collections(tmp_path).unlink()
    (tmp_path / "b" / "more.qrels").write_text(QRELS)
    assert run(["init", str(tmp_path)]) == 0
    assert "has 2 collections" in capfd.readouterr().err
    file = tmp_path / "irassay.toml"
    a, b = irassay.read_collections(file)
    assert (a.name, a.qrels, a.runs) == ("a", str(tmp_path / "a/qrels.txt"), (str(tmp_path / "a/runs"),))
    assert dict(b.options) == {"groups": "b/groups.txt"}
    assert '#qrels = "b/more.qrels"' in file.read_text()
    assert run(["check", str(file)]) == 0


def test_every_commented_option_can_be_taken(tmp_path: Path) -> None:
    write_collections(tmp_path).unlink()
    file, _ = write_template(tmp_path)
    text = "\n".join(
        line.removeprefix("#") if " = " in line and not line.startswith("# ") else line
        for line in file.read_text().splitlines()
    )
    file.write_text(text)
    collection = irassay.read_collections(file)[0]
    assert {"measures", "resamples", "seed", "corpus_size", "pool_depth", "topics"} <= set(collection.options)


def test_one_folder_with_all_is_one_collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / 'my "first"'
    (folder / "qrels").mkdir(parents=True)
    (folder / "qrels" / "a.txt").write_text(QRELS)
    (folder / "bm25.run").write_text(FIRST)
    monkeypatch.chdir(folder)
    write_template(Path("."))
    (collection,) = irassay.read_collections("irassay.toml")
    assert (collection.name, collection.qrels, collection.runs) == ('my "first"', "qrels/a.txt", ("bm25.run",))


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    write_collections(tmp_path)
    before = (tmp_path / "irassay.toml").read_text()
    with pytest.raises(InputError, match="there is a collections file already"):
        write_template(tmp_path)
    assert (tmp_path / "irassay.toml").read_text() == before


def test_a_folder_without_collections_is_an_error_that_says_what_one_is(tmp_path: Path, capfd: Any) -> None:
    assert run(["init", str(tmp_path)]) == 2
    assert "no runs with judgments here" in capfd.readouterr().err
    assert run(["init", str(tmp_path / "none")]) == 2
    assert "there is no such folder" in capfd.readouterr().err
    assert not list(tmp_path.iterdir())
