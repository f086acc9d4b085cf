"""Dicts, frames and records give what files give, under everybody's column names."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pytest

from irassay import align, read_qrels, read_runs
from irassay.errors import IrassayWarning
from irassay.read import _intern
from tests.helpers.files import Row, file, grades_of, refusal, rows_of

JUDGED = {"401": {"a": 1, "b": 0, "é": 2}, "402": {"a": -1, "x": 1}}
RANKED = {"402": {"a": 3.5, "x": 2.0}, "401": {"é": 1.0, "b": 1.0, "a": -0.5}}
GRADES = {(t.encode(), d.encode()): g for t, docs in JUDGED.items() for d, g in docs.items()}
ROWS = [(t, d, s) for t, docs in RANKED.items() for d, s in docs.items()]
WANTED: list[Row] = [(t.encode(), d.encode(), s, n) for n, (t, d, s) in enumerate(ROWS, 1)]
FRAMES = [pd.DataFrame, lambda columns: pl.DataFrame(columns), lambda columns: pl.LazyFrame(columns)]
Frame = Callable[[dict[str, list[Any]]], Any]
frames = pytest.mark.parametrize("frame", FRAMES, ids=["pandas", "polars", "polars lazy"])
# ir_measures, PyTerrier, ranx, trectools, and irassay's own
RUN_COLUMNS = [("query_id", "doc_id", "score"), ("qid", "docno", "score"), ("q_id", "doc_id", "score")]
RUN_COLUMNS += [("query", "docid", "score"), ("topic", "document", "score")]
QRELS_COLUMNS = [("query_id", "doc_id", "relevance"), ("qid", "docno", "label"), ("q_id", "doc_id", "score")]
QRELS_COLUMNS += [("query", "docid", "rel"), ("topic", "document", "grade")]


def columns(names: tuple[str, ...], rows: list[Any]) -> dict[str, list[Any]]:
    return {name: [row[k] for row in rows] for k, name in enumerate(names)}


@frames
@pytest.mark.parametrize("names", RUN_COLUMNS)
def test_runs_come_from_frames_under_every_name_of_the_columns(frame: Frame, names: tuple[str, ...]) -> None:
    runs = read_runs(frame(columns(names, ROWS)))
    assert rows_of(runs) == WANTED
    assert (runs.names, runs.runs[0].rank) == (("run",), None)


@frames
@pytest.mark.parametrize("names", QRELS_COLUMNS)
@pytest.mark.parametrize("number", [int, float, Decimal])
def test_judgments_come_from_frames_under_every_name_of_the_columns(
    frame: Frame, names: tuple[str, ...], number: Any
) -> None:
    rows = [(t, d, number(g)) for t, docs in JUDGED.items() for d, g in docs.items()]
    assert grades_of(read_qrels(frame(columns(names, rows)))) == GRADES


@frames
def test_a_frame_of_pyterrier_is_read_by_docno_and_qid_not_by_their_neighbours(frame: Frame) -> None:
    rows = [(t, n, d, n, s, "what the user typed") for n, (t, d, s) in enumerate(ROWS)]
    runs = read_runs(frame(columns(("qid", "docid", "docno", "rank", "score", "query"), rows)))
    assert rows_of(runs) == WANTED
    assert runs["run"].rank.tolist() == [0, 1, 2, 3, 4]  # type: ignore[union-attr]


def test_dicts_and_records_give_what_files_give(tmp_path: Path) -> None:
    lines = "".join(f"{t} Q0 {d} 1 {s} run\n" for t, d, s in ROWS)
    path = file(tmp_path, lines.encode())
    judged = file(tmp_path, b"".join(b"%s 0 %s %d\n" % (*pair, grade) for pair, grade in GRADES.items()), "qrels")
    wanted = align(read_qrels(judged), read_runs(path)).score("AP nDCG").values.tolist()
    docs = list(ir_measures.read_trec_run(str(path)))
    qrels = list(ir_measures.read_trec_qrels(str(judged)))
    for run in (RANKED, {"run": RANKED}, docs, iter(docs), {"run": docs}, [docs], {"run": pd.DataFrame(docs)}):
        runs = read_runs(run)
        assert rows_of(runs, "run") == WANTED
        for judgments in (JUDGED, qrels, iter(qrels), pd.DataFrame(qrels)):
            assert align(judgments, runs).score("AP nDCG").values.tolist() == wanted


@pytest.mark.parametrize("frame", FRAMES[:2])
def test_a_frame_of_several_systems_is_several_runs_in_their_order(frame: Frame) -> None:
    rows = [(name, t, d, s * k) for t, d, s in ROWS for k, name in enumerate(("z", "a", "m"), 1)]
    runs = read_runs(frame(columns(("system", "topic", "document", "score"), rows)))
    assert runs.names == ("z", "a", "m")
    assert rows_of(runs, "m") == [(t, d, 3 * s, n) for t, d, s, n in WANTED]


def test_runs_are_named_by_their_keys_or_numbered() -> None:
    assert read_runs({"a": RANKED, "b": RANKED}).names == ("a", "b")
    assert read_runs({1: RANKED, b"b\xff": RANKED}).names == ("1", "b\udcff")
    assert read_runs(RANKED, pd.DataFrame(columns(RUN_COLUMNS[0], ROWS))).names == ("run1", "run2")
    assert read_runs([RANKED, RANKED]).names == ("run1", "run2")
    assert refusal(read_runs, {"a": RANKED}, {"a": RANKED}).what == "two runs are called 'a': run 'a' and run 'a'"


def test_ids_are_text_bytes_or_whole_numbers() -> None:
    runs = read_runs({1: {b"\xff": 1.0, "d\udcff": 2.0, np.int32(7): 3.0, "": 4.0, "a b\0": 5.0, "a b": 6.0}})
    assert [row[:2] for row in rows_of(runs)] == [(b"1", d) for d in (b"\xff", b"d\xff", b"7", b"", b"a b\0", b"a b")]
    assert rows_of(read_runs(pd.DataFrame({"qid": [1], "docno": [2], "score": [0]}))) == [(b"1", b"2", 0.0, 1)]
    qrels = read_qrels({"1": {"b\0": 1, "b": 2, "a": 3}})
    assert qrels.vocabulary.names(qrels.order) == [b"a", b"b", b"b\0"]


def test_names_are_distinguished_even_where_all_their_hashes_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRASSAY_COMPILE", "always")
    monkeypatch.setattr(_intern, "hash_names", lambda data, starts, sizes, out: out.fill(7 << 32))
    twins = [b"", b"a", b"a\0", b"a\0b", b"b" * 8, b"b" * 9, b"b" * 16, b"b" * 24, b"b" * 23 + b"c", b"b" * 25]
    twins += [b"b" * 24 + b"c", b"b" * 16 + b"c" * 9, b"c" + b"b" * 24, b"b" * 8 + b"c" + b"b" * 16, b"b" * 300]
    runs = read_runs({"1": dict.fromkeys(twins, 1.0), "2": dict.fromkeys(reversed(twins), 1.0)})
    assert [row[1] for row in rows_of(runs)] == twins + twins[::-1]
    assert not len(runs["run"].repeats)
    qrels = read_qrels({"2": dict.fromkeys([*twins, b"b" * 299, b"d"], 1)})
    entries = runs.vocabulary.find(qrels.vocabulary)
    assert runs.vocabulary.names(entries[:-2]) == twins
    assert entries[-2:].tolist() == [-1, -1]


@pytest.mark.parametrize("bad", [None, 301.0, float("nan"), True, ("a",), pd.NA, "\ud800"])
def test_other_ids_are_refused_with_their_row(bad: Any) -> None:
    frame = pd.DataFrame({"qid": ["1", "1"], "docno": pd.Series(["d", bad], dtype=object), "score": [1.0, 2.0]})
    error = refusal(read_runs, frame)
    assert (error.what, error.where) == (f"document {bad!r} is not text", "run 'run', row 2")
    assert error.hint


@frames
def test_missing_columns_are_named_with_what_would_be_known(frame: Frame) -> None:
    error = refusal(read_runs, {"bm25": frame({"qid": ["1"], "doc": ["d"], "score": [1.0]})})
    assert str(error) == (
        "run 'bm25': no column for document among qid, doc, score\n\n"
        "hint: known names: document is document or doc_id or docno or docid or corpus_id or document_id or pid or "
        "passage_id"
    )
    error = refusal(read_qrels, frame({"topics": ["1"], "docno": ["d"], "value": [1]}))
    assert error.what == "no column for topic and grade among topics, docno, value"
    assert "grade or relevance or label or rel or score" in error.hint


class Judged(NamedTuple):
    qid: str
    text: str


@pytest.mark.parametrize(
    ("source", "what"),
    [
        (5, "cannot use a value of type int"),
        ("1", None),
        ([1, 2], "cannot use a value of type list"),
        ({"1": {"d": 1}, "2": 3}, "cannot use a value of type dict"),
        ({"1": 1}, "cannot use a value of type dict"),
        ([Judged("1", "x")], "no column for document and grade among qid, text"),
        ({}, "there are no judgments"),
        ({"1": {}}, "there are no judgments"),
        ([], "there are no judgments"),
        (pd.DataFrame({"qid": [], "docno": [], "label": []}), "there are no judgments"),
        (pl.DataFrame({"qid": [], "docno": [], "label": []}), "there are no judgments"),
        (pd.DataFrame([["1", "d", 1, 2]], columns=["qid", "docno", "label", "label"]), "two columns are called label"),
    ],
)
def test_judgments_that_are_none_are_refused(source: Any, what: str | None) -> None:
    error = refusal(read_qrels, source)
    assert error.what == (what or "no such file")
    if what:
        assert error.where == "judgments"
        assert error.hint


@pytest.mark.parametrize("bad", ["x", "1", 1.5, float("nan"), float("inf"), None, 128, -128, 10**400, 1j, [1], pd.NA])
def test_grades_that_are_no_small_whole_numbers_are_refused_with_their_document(bad: Any) -> None:
    error = refusal(read_qrels, {"401": {"a": 1, "b": bad}, "402": {"c": 1}})
    assert error.where == "judgments, row 2 (topic 401, document b)"
    assert error.what.startswith("grade ")
    assert "whole number between -127 and 127" in error.what or "is not a number" in error.what
    assert error.hint


@pytest.mark.parametrize("bad", ["x", "1_000", "2.5", float("nan"), None, 10**400, 1j, [1], pd.NA, pd.Timestamp(0)])
def test_scores_that_are_no_numbers_are_refused_with_their_document(bad: Any) -> None:
    error = refusal(read_runs, {"bm25": {"401": {"a": 1.0, "b": bad}}})
    assert error.where == "run 'bm25', row 2 (topic 401, document b)"
    assert error.what == "the score is NaN" or error.what == f"score {bad!r} is not a number"
    assert error.hint


@pytest.mark.parametrize("frame", FRAMES[:2])
def test_gaps_in_frames_are_refused(frame: Frame) -> None:
    rows: dict[str, list[Any]] = {"qid": ["1", "1"], "docno": ["d", "e"], "score": [1.0, None]}
    assert refusal(read_runs, frame(rows)).what == "the score is NaN"
    assert "row 2 (topic 1, document e)" in refusal(read_qrels, frame(rows)).where


NOTHING: dict[str, list[Any]] = {"system": [], "qid": [], "docno": [], "score": []}


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ({}, "the run is empty"),
        ({"a": {}}, "the run is empty"),
        ({"a": {"1": {}}}, "the run is empty"),
        ({"a": RANKED, "b": {}}, "the run is empty"),
        ([], "no run was given"),
        (iter([]), "no run was given"),
        (pd.DataFrame(NOTHING), "the run is empty"),
        (pl.DataFrame(NOTHING), "the run is empty"),
        (pd.DataFrame(NOTHING).drop(columns="system"), "the run is empty"),
        (5, "cannot use a value of type int"),
        ({"1": 2.0}, "cannot use a value of type dict"),
    ],
)
def test_runs_without_results_are_refused(source: Any, what: str) -> None:
    error = refusal(read_runs, source)
    assert error.what == what
    assert error.hint


def test_infinite_scores_are_scores() -> None:
    scores = {"d": float("inf"), "e": float("-inf"), "f": True, "g": np.float32(0.5), "h": Decimal("0.1")}
    assert [row[2] for row in rows_of(read_runs({"1": scores}))] == [float("inf"), float("-inf"), 1.0, 0.5, 0.1]


@pytest.mark.parametrize("bad", [1.5, None, "first", float("inf"), 1e12])
def test_a_rank_that_is_no_whole_number_matters_only_to_order_by_rank(bad: Any) -> None:
    frame = pd.DataFrame({"qid": ["1", "1"], "docno": ["d", "e"], "score": [1.0, 2.0]})
    frame["rank"] = pd.Series([1, bad], dtype=object)
    runs = read_runs(frame)
    assert runs["run"].bad_rank in (1, 2)
    assert align({"1": {"d": 1}}, runs).score("RR").values.tolist() == [[[0.5]]]
    assert refusal(align, {"1": {"d": 1}}, runs, order="rank").what == "the rank is not a whole number"


@frames
def test_repeated_rows_follow_the_same_rules_as_repeated_lines(frame: Frame) -> None:
    names = ("qid", "docno", "label")
    with pytest.warns(IrassayWarning, match="judgments: ignored 1 judgments that repeat another"):
        qrels = read_qrels(frame(columns(names, [("1", "a", 1), ("2", "a", 0), ("1", "a", 1)])))
    assert grades_of(qrels) == {(b"1", b"a"): 1, (b"2", b"a"): 0}
    twice = frame(columns(names, [("1", "a", 1), ("2", "a", 0), ("1", "a", 2)]))
    assert str(refusal(read_qrels, twice)) == (
        "judgments, row 3: document a of topic 1 is judged twice: grade 1, then 2\n\n"
        "hint: keep the first with --duplicates first"
    )
    with pytest.warns(IrassayWarning, match="kept the first of 1 judgments that contradict another"):
        assert grades_of(read_qrels(twice, duplicates="first"))[b"1", b"a"] == 1
    runs = read_runs(frame(columns(("qid", "docno", "score"), [("1", "a", 1.0), ("2", "a", 0.0), ("1", "a", 1.0)])))
    assert runs["run"].repeats.tolist() == [2]
    assert runs["run"].where(2) == "run 'run', row 3"
