"""Runs and judgments in files that are not TREC's: recognised by content, and refused as clearly."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from irassay import Qrels, Runs, align, read_qrels, read_runs
from irassay.errors import IrassayWarning, MissingExtraError
from tests.helpers.files import PACKERS, file, grades_of, refusal, rows_of
from tests.helpers.formats import BEIR, GRADED, JUDGMENTS, LISTS, ROWS, RUNS, json_lines, lines, parquet


@pytest.mark.parametrize("case", RUNS)
def test_runs_are_read_in_every_format(tmp_path: Path, case: str) -> None:
    content, format_, name = RUNS[case]
    runs = read_runs(file(tmp_path, content, "system.run"))
    assert [row[:3] for row in rows_of(runs)] == [(t.encode(), d.encode(), v) for t, d, v in ROWS]
    assert (runs.names, runs.runs[0].format) == ((name or "system.run",), format_)


@pytest.mark.parametrize("case", JUDGMENTS)
def test_judgments_are_read_in_every_format(tmp_path: Path, case: str) -> None:
    qrels = read_qrels(file(tmp_path, JUDGMENTS[case]))
    assert grades_of(qrels) == {(t.encode(), d.encode()): g for t, d, g in GRADED}


def test_three_columns_are_read_as_what_they_hold(tmp_path: Path) -> None:
    ranks = file(tmp_path, b"7\td1\t2\n7\td2\t1\n9\td1\t1\n", "ranks")
    with pytest.warns(IrassayWarning, match=r"has ranks and no scores.*\[scores-from-ranks\]"):
        runs = read_runs(ranks)
    assert [row[:3] for row in rows_of(runs)] == [(b"7", b"d1", -2.0), (b"7", b"d2", -1.0), (b"9", b"d1", -1.0)]
    assert runs["ranks"].rank.tolist() == [2, 1, 1]  # type: ignore[union-attr]
    scores = read_runs(file(tmp_path, b"\n7 d1 0.5\n7 d2 0.25\n", "scores"))
    assert rows_of(scores) == [(b"7", b"d1", 0.5, 2), (b"7", b"d2", 0.25, 3)]
    assert not scores["scores"].ranked
    assert grades_of(read_qrels(file(tmp_path, b"7 d1 2\n7 d2 0\n", "qrels"))) == {(b"7", b"d1"): 2, (b"7", b"d2"): 0}


def test_the_order_of_ranks_is_the_order_of_an_ms_marco_run(tmp_path: Path) -> None:
    path = file(tmp_path, b"".join(b"7\td%d\t%d\n" % (n, n) for n in range(1, 30)))
    with pytest.warns(IrassayWarning):
        runs = read_runs(path)
    for order in ("trec", "rank", "file"):
        assert align({"7": {"d4": 1}}, runs, order=order).score("RR").values.tolist() == [[[0.25]]]


@pytest.mark.parametrize("packing", [name for name in PACKERS if " " not in name])
@pytest.mark.parametrize("case", ["BEIR", "JSON", "JSONL"])
def test_every_text_format_may_be_packed(tmp_path: Path, packing: str, case: str) -> None:
    assert len(read_runs(file(tmp_path, PACKERS[packing](RUNS[case][0])))["run.txt"]) == 3


def test_a_file_with_a_system_column_holds_several_runs(tmp_path: Path) -> None:
    rows = [(name, t, d, v) for t, d, v in ROWS for name in ("b", "a")]
    contents = [lines(rows, "\t", "system", *BEIR), json_lines(rows, "run", *BEIR), parquet(rows, "system", *BEIR)]
    contents.append(json.dumps({"b": LISTS, "a": LISTS}).encode())
    for number, content in enumerate(contents):
        runs = read_runs(file(tmp_path, content, str(number)), names="file")
        assert runs.names == ("b", "a")
        assert [row[:3] for row in rows_of(runs, "a")] == [(t.encode(), d.encode(), v) for t, d, v in ROWS]
    runs = read_runs(tmp_path / "0")
    assert [row[3] for row in rows_of(runs, "a")] == [3, 5, 7]


# content, where after the path, what, hint; read as a run
BAD_RUNS: dict[str, tuple[bytes, str, str, str]] = {
    "a line too short": (
        lines([*ROWS, ("q1", "d9")], "\t", *BEIR), ":5",
        "expected 3 columns (query-id corpus-id score), found 2", "all its columns",
    ),
    "a word for a score": (
        lines([*ROWS, ("q1", "d9", "high")], "\t", *BEIR), ":5", "score 'high' is not a number", "as a number",
    ),
    "a decimal comma": (b"qid;docno;score\n1;d;2,5\n", ":2", "score '2,5' is not a number", "as a number"),
    "NaN": (b"qid,docno,score\n\n1,d,nan\n", ":3", "the score is NaN", "as a number"),
    "no document": (b"qid,docno,score\n1,,2\n", ":2", "the line names no document", "all its columns"),
    "no score column": (
        b"qid,docno,text\n1,d,2\n", ":1", "no column for score among qid, docno, text", "known names: score is score",
    ),
    "two columns of one name": (b"qid,docno,score,Score\n1,d,2,3\n", ":1", "two columns are called score", "rename"),
    "a header alone": (b"qid,docno,score\n", "", "a header without rows", "give results"),
    "an open quote": (b'qid,docno,score\n1,"d,2\n', ":2", "not CSV (unexpected end of data)", "quotes"),
    "MS MARCO, a line too long": (
        b"1 a 1\n1 b 2\n1 c 3\n2 a 1\n2 b 2\n2 c 3 x\n", ":6",
        "expected 3 columns (topic document rank or score), found 4", "all its columns",
    ),
    "MS MARCO, no ranks": (
        b"1 a 1\n1 b 1\n2 a 1\n", "",
        "the third column is neither a rank nor a score: it does not count the documents of each topic",
        "QRELS comes first",
    ),
    "JSON, cut": (json.dumps(LISTS, indent=1).encode()[:-20], ":6", "damaged JSON (.*)", "again"),
    "JSON, a word": (
        b'{"1": {"d": "high"}}', ", record 1 (topic 1, document d)", "score 'high' is not a number", "not as text",
    ),
    "JSON, NaN": (b'{"1": {"d": NaN}}', ", record 1 (topic 1, document d)", "the score is NaN", "drop the row"),
    "JSON, other content": (b'{"nDCG@10": 0.3}', "", "this JSON holds no lists", "known are"),
    "JSON, an empty object": (b"{}", "", "this JSON holds no lists", "known are"),
    "JSON, a key twice": (b'{"1": {"d": 1, "d": 2}}', "", "the key 'd' appears twice in one object", "keep one"),
    "JSON, a number": (b"[{}, 5]", ", record 2", "'5' is no record", "known are"),
    "JSON, several splits": (
        b'{"mteb_model_meta": {}, "default": {"dev": {}, "test": {}}}', "",
        "MTEB's predictions with several splits: dev, test", "keep one split",
    ),
    "JSON, MTEB's results": (
        b'{"task_name": "ArguAna", "scores": {"test": []}}', "", "these are MTEB's results, which hold no lists",
        "predictions",
    ),
    "JSON, deep": (b'{"a": ' * 100_000, "", "JSON nested too deeply", "known are"),
    "JSONL, cut": (json_lines(ROWS, *BEIR)[:-9], ":3", "damaged JSON (.*)", "again"),
    "JSONL of texts": (
        json_lines([("d1", "a document"), ("d2", "another")], "_id", "text"), ":1",
        "no column for topic and document and score among _id, text", "known names",
    ),
    "JSONL, a list": (json_lines(ROWS, *BEIR) + b"[1]\n", ":4", r"'\[1\]' is no record", "known are"),
    "JSONL, a word": (
        json_lines([("1", "d", "x"), ("1", "e", 1)], *BEIR), ", record 1 (topic 1, document d)",
        "score 'x' is not a number", "not as text",
    ),
    "JSONL, a topic that is no name": (
        json_lines([("1", "d", 1), (1.5, "d", 1)], *BEIR), ", record 2", "topic 1.5 is not text", "whole numbers",
    ),
    "Parquet, cut": (parquet(ROWS, *BEIR)[:200], "", "damaged Parquet (.*)", "again"),
    "Parquet, other columns": (
        parquet(ROWS, "a", "b", "c"), "", "no column for topic and document and score among a, b, c", "known names",
    ),
    "Parquet, a gap": (
        parquet([("1", "d", 1.0), ("1", None, 2.0)], *BEIR), ", row 2", "document None is not text", "ids are text",
    ),
    "Parquet, no score": (
        parquet([("1", "d", 1.0), ("1", "e", None)], *BEIR), ", row 2 (topic 1, document e)", "the score is NaN",
        "drop",
    ),
    "Parquet, numbers as topics": (
        parquet([(1.5, "d", 1.0)], *BEIR), "", "the column of topics holds double", "ids are text",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_RUNS)
def test_a_bad_run_is_refused_with_its_place_and_a_way_out(tmp_path: Path, case: str) -> None:
    content, where, what, hint = BAD_RUNS[case]
    path = file(tmp_path, content)
    error = refusal(read_runs, path)
    assert error.where == f"{path}{where}"
    assert error.what == what or re.fullmatch(what, error.what)
    assert hint in error.hint


BAD_JUDGMENTS: dict[str, tuple[bytes, str, str, str]] = {
    "BEIR, a fraction": (lines([("1", "d", 0.5)], "\t", *BEIR), ":2", "grade 0.5 is not a whole number", "--gains"),
    "BEIR, a word": (lines([("1", "d", "yes")], "\t", *BEIR), ":2", "grade 'yes' is not a number", "as a number"),
    "JSON, a fraction": (
        b'{"1": {"d": 1, "e": 0.5}}', ", record 2 (topic 1, document e)", "grade 0.5 is not a whole number", "--gains",
    ),
    "JSON, a run": (
        b'{"1": {"d": 2.5, "e": 0.5}}', ", record 1 (topic 1, document d)", "grade 2.5 is not a whole number",
        "if this is a run, QRELS comes first",
    ),
    "JSON, nothing": (b"[]", "", "there are no judgments", "at least one"),
    "JSON, several sets": (b'{"a": {"1": {"d": 1}}}', "", "several sets of judgments: a", "one of them"),
    "JSON, lists": (b'{"1": ["d"]}', "", "this JSON holds no judgments", "known are"),
    "Parquet, a fraction": (
        parquet([("1", "d", 0.5)], *BEIR), ", row 1 (topic 1, document d)", "grade 0.5 is not a whole number",
        "--gains",
    ),
    "an MS MARCO run": (
        b"".join(b"1 d%d %d\n" % (n, n) for n in range(1, 9)), "",
        "this looks like an MS MARCO run, not relevance judgments", "QRELS comes first",
    ),
    "a run with a header": (
        b"qid docno rank score\n1 d 1 3\n", ":1", "the columns rank and score are those of a run, not of judgments",
        "QRELS comes first",
    ),
    "TREC, a fraction": (b"1 0 d 1\n1 0 e 0.5\n", ":2", "grade '0.5' is not a whole number", "--gains"),
    "a run in TREC's columns": (
        b"1 Q0 d 1 2.5 t\n", "", "this looks like a run, not relevance judgments", "QRELS comes first",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_JUDGMENTS)
def test_bad_judgments_are_refused_with_their_place_and_a_way_out(tmp_path: Path, case: str) -> None:
    content, where, what, hint = BAD_JUDGMENTS[case]
    path = file(tmp_path, content)
    error = refusal(read_qrels, path)
    assert (error.where, error.what[: len(what)]) == (f"{path}{where}", what)
    assert hint in error.hint


OTHER_FILES = {
    "relevance judgments": b"1 0 a 1\n1 0 b 0\n",
    "text, such as a README": b"# Runs\n\nThese are the runs of the paper.\nSee the wiki.\n",
    "a web page, or XML": b"<!DOCTYPE html>\n<html><body>Not found</body></html>\n",
    "a table of scores, which --scores reads": b"map\t401\t0.25\nmap\t402\t0.5\nP_10\tall\t0.3\n" * 3,
    "a list of pairs, such as groups": b"bm25 teamA\ndpr teamB\n",
}


@pytest.mark.parametrize("kind", [kind for kind in OTHER_FILES if "scores" not in kind])
def test_a_file_that_is_no_run_is_told_by_what_it_looks_like(tmp_path: Path, kind: str) -> None:
    error = refusal(read_runs, file(tmp_path, OTHER_FILES[kind]))
    assert error.where == str(tmp_path / "run.txt")
    assert error.hint.startswith(f"this looks like {kind}")


def test_files_that_are_no_runs_are_listed_together_or_skipped_when_asked(tmp_path: Path) -> None:
    (tmp_path / "deeper" / ".git").mkdir(parents=True)
    file(tmp_path / "deeper" / ".git", b"x", "config")
    run = file(tmp_path / "deeper", lines(ROWS, "\t", *BEIR), "bm25")
    readme = file(tmp_path, OTHER_FILES["text, such as a README"], "README.md")
    empty = file(tmp_path, b"", "empty")
    error = refusal(read_runs, tmp_path)
    assert [problem.where for problem in error.problems] == [str(readme), str(empty)]
    with pytest.warns(IrassayWarning, match=r"skipped 2 of 3 files: .*README.md: no line .*\[skipped-files\]"):
        assert read_runs(tmp_path, skip_unreadable=True).names == ("bm25",)
    assert read_runs(tmp_path, exclude=["*.md", "empty"]).names == ("bm25",)
    run.write_bytes(run.read_bytes() + b"q1\td9\n")
    assert refusal(read_runs, tmp_path, skip_unreadable=True).where == f"{run}:5"
    assert refusal(read_runs, tmp_path, exclude=["*"]).what == "all files are excluded"
    for pattern in ("", "."):
        assert "is empty" in refusal(read_runs, tmp_path, exclude=["*.md", pattern]).what
    run.unlink()
    assert refusal(read_runs, tmp_path, skip_unreadable=True).what == "none of the 2 files is a run"


@pytest.mark.parametrize("read", [read_runs, read_qrels])
def test_parquet_without_the_extra_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[..., Runs | Qrels]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'irassay\[parquet\]'"):
        read(file(tmp_path, RUNS["Parquet"][0]))


def test_json_in_one_long_line_is_read_and_its_errors_found_without_scanning_it_as_columns(tmp_path: Path) -> None:
    long = {str(n): {f"d{k}": 1.0 for k in range(100)} for n in range(1000)}
    content = json.dumps(long)
    assert len(read_runs(file(tmp_path, content.encode()))["run.txt"]) == 100_000
    path = file(tmp_path, content[:-1].encode())
    assert refusal(read_runs, path).where == f"{path}:1"
    assert refusal(read_qrels, path).where == f"{path}:1"


@pytest.mark.parametrize("topic", ["{", "[", "{}", '{"1"', "[{", "[]", "[1"])
def test_a_topic_may_begin_as_json_does(tmp_path: Path, topic: str) -> None:
    name = topic.encode()
    run = read_runs(file(tmp_path, b"%s Q0 d1 1 2.5 t\n%s Q0 d2 2 1.5 t\n" % (name, name)))
    qrels = read_qrels(file(tmp_path, b"%s 0 d1 1\n%s 0 d2 0\n" % (name, name), "qrels"))
    assert (run.runs[0].format, qrels.format) == ("TREC", "TREC")
    assert rows_of(run) == [(name, b"d1", 2.5, 1), (name, b"d2", 1.5, 2)]
    assert qrels.topics == (topic,)
    error = refusal(read_runs, tmp_path / "qrels")
    assert error.hint == "this looks like relevance judgments; QRELS comes first, then the runs"


@pytest.mark.parametrize("begin", ["{not json", "{'q1': {'d1': 2.5, 'd2': 1.5}}", "[1, 2"])
def test_what_only_begins_as_json_is_damaged_json(tmp_path: Path, begin: str) -> None:
    for read in (read_runs, read_qrels):
        error = refusal(read, file(tmp_path, begin.encode()))
        assert "line 1" in error.what or error.where.endswith(":1")
        assert error.hint.startswith("this looks like JSON, and is damaged")


@pytest.mark.parametrize("bad", [1, 500, 998, 999])
@pytest.mark.parametrize("damage", ["{bad", '{"qid": "1"', '"qid": "1"}', "}", "", '{"qid": "1",'])
def test_damage_in_one_of_many_lines_is_named_by_its_line(tmp_path: Path, bad: int, damage: str) -> None:
    rows = json_lines([("1", f"d{n}", n) for n in range(1000)], "qid", "docid", "score").decode().splitlines()
    rows[bad] = damage or rows[bad][:-1]
    error = refusal(read_runs, file(tmp_path, "\n".join(rows).encode()))
    assert error.where.endswith(f":{bad + 1}")
    assert error.what.startswith("damaged JSON")
