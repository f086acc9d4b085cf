"""What neighbouring packages have in memory is read as it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ir_datasets
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import ranx
from ir_datasets.formats import BaseQrels, BaseScoredDocs, GenericScoredDoc, TrecQrel

import irassay
from irassay import align, read_qrels, read_runs
from irassay.errors import IrassayWarning, MissingExtraError
from tests.helpers.files import grades_of, refusal, rows_of

JUDGED = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}
LISTS = {"q2": {"d1": 2.5, "é b": -1.0}, "q1": {"d1": 0.5}}
GRADES = {(t.encode(), d.encode()): g for t, docs in JUDGED.items() for d, g in docs.items()}
ROWS = [(t, d, v) for t, docs in LISTS.items() for d, v in docs.items()]
WANTED = [(t.encode(), d.encode(), v) for t, d, v in ROWS]


def first_three(runs: Any, name: str | None = None) -> list[tuple[bytes, bytes, float]]:
    return [row[:3] for row in rows_of(runs, name)]


def columns(rows: list[tuple[Any, ...]], *names: str) -> dict[str, list[Any]]:
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


class Stream:
    """Anything that gives an Arrow stream."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


class HuggingFaceDataset:
    """As `datasets.Dataset` has it: rows that were selected are taken by `with_format` and a slice."""

    features = None

    def __init__(self, table: pa.Table) -> None:
        self.table = table
        self.column_names = table.column_names

    def with_format(self, name: str) -> HuggingFaceDataset:
        assert name == "arrow"
        return self

    def __getitem__(self, rows: slice) -> pa.Table:
        return self.table[rows]


def chunked(table: pa.Table) -> pa.Table:
    return pa.concat_tables([table.slice(1, 1), table.slice(0, 0), table.slice(0, 1), table.slice(2)])


TABLE = pa.table(columns(ROWS, "query-id", "corpus-id", "score"))
SWAPPED = chunked(pa.table(columns([ROWS[1], ROWS[0], *ROWS[2:]], "query-id", "corpus-id", "score")))
DICTIONARY = TABLE.set_column(0, "query-id", TABLE["query-id"].dictionary_encode())
VIEWS = TABLE.set_column(1, "corpus-id", TABLE["corpus-id"].cast(pa.string_view()))


@pytest.mark.parametrize(
    "source",
    [
        *(TABLE, TABLE.slice(0, 3), SWAPPED, DICTIONARY, VIEWS, Stream(TABLE), HuggingFaceDataset(TABLE)),
        *(TABLE.to_reader(), pl.from_arrow(TABLE), TABLE.to_pandas(), {"run": TABLE}),
    ],
    ids=lambda source: type(source).__name__,
)
def test_arrow_tables_and_whatever_gives_their_streams_are_runs(source: Any) -> None:
    runs = read_runs(source)
    assert first_three(runs) == WANTED
    assert runs.names == ("run",)


def test_arrow_columns_of_whole_numbers_and_bytes_are_names_and_others_are_refused() -> None:
    table = pa.table(
        {"qid": pa.array([1, 2], pa.int16()), "docno": [b"a", b"\xff"], "label": pa.array([1, 0], pa.int8())}
    )
    assert grades_of(read_qrels(table)) == {(b"1", b"a"): 1, (b"2", b"\xff"): 0}
    error = refusal(read_runs, pa.table({"qid": [1.5], "docno": ["a"], "score": [1]}))
    assert (error.where, error.what) == ("run 'run'", "the column of topics holds double")
    error = refusal(read_qrels, pa.table({"qid": ["1", "2"], "docno": ["a", None], "label": [1, 1]}))
    assert (error.where, error.what) == ("judgments, row 2", "document None is not text")
    error = refusal(read_qrels, pa.table({"qid": ["1", "2"], "docno": ["a", "b"], "label": [1, None]}))
    assert error.where == "judgments, row 2 (topic 2, document b)"
    assert read_runs(pa.table({"qid": ["1"], "docno": [""], "score": [1]})).names == ("run",)


@pytest.mark.parametrize("names", [("query-id", "corpus-id"), ("Query_ID", "CORPUS-ID"), ("qid", "pid")])
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_columns_are_known_in_every_spelling(frame: Any, names: tuple[str, str]) -> None:
    assert first_three(read_runs(frame(columns(ROWS, *names, "score")))) == WANTED
    graded = [(t, d, g) for t, docs in JUDGED.items() for d, g in docs.items()]
    assert grades_of(read_qrels(frame(columns(graded, *names, "score")))) == GRADES


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_run_with_ranks_only_is_ordered_by_them(frame: Any) -> None:
    source = frame(columns([("q1", "d2", 2), ("q1", "d1", 1), ("q2", "d9", 0)], "qid", "docno", "rank"))
    with pytest.warns(IrassayWarning, match="scores-from-ranks"):
        runs = read_runs(source)
    assert align(JUDGED, runs).score("RR").values.ravel().tolist() == [1.0, 0.0]
    assert align(JUDGED, runs, order="rank").score("RR").values.ravel().tolist() == [1.0, 0.0]
    error = refusal(read_runs, frame(columns([("q1", "d2", 1.5)], "qid", "docno", "rank")))
    assert (error.where, error.what) == ("run 'run', row 1 (topic q1, document d2)", "the rank is not a whole number")


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_one_long_frame_of_systems_goes_into_every_study(frame: Any) -> None:
    rows = [(f"s{k}", f"q{t}", f"d{(t * k + n) % 7}", 10.0 - n) for k in (1, 2, 3) for t in range(9) for n in range(4)]
    long = frame(columns(rows, "name", "qid", "docno", "score"))
    judged = frame(
        columns([(f"q{t}", f"d{d}", int(d == t % 7)) for t in range(9) for d in range(7)], "qid", "docno", "label")
    )
    runs = {
        f"s{k}": frame(columns([row[1:] for row in rows if row[0] == f"s{k}"], "qid", "docno", "score"))
        for k in (1, 2, 3)
    }
    wanted = irassay.compare(judged, runs, measures="AP")
    result = irassay.compare(judged, long, measures="AP")
    assert [table.columns for table in result.tables] == [table.columns for table in wanted.tables]


def test_ranx_objects_are_judgments_and_runs() -> None:
    assert grades_of(read_qrels(ranx.Qrels(JUDGED))) == GRADES
    runs = read_runs(ranx.Run(LISTS, name="bm25"), ranx.Run(LISTS, name="dpr"))
    assert runs.names == ("bm25", "dpr")
    assert sorted(first_three(runs, "dpr")) == sorted(WANTED)  # ranx sorts topics
    assert read_runs({"mine": ranx.Run(LISTS, name="bm25")}).names == ("mine",)


class Judgments(BaseQrels):  # type: ignore[misc]
    def qrels_iter(self) -> Iterator[TrecQrel]:
        return (TrecQrel(t, d, g, "0") for t, docs in JUDGED.items() for d, g in docs.items())


class Lists(BaseScoredDocs):  # type: ignore[misc]
    def scoreddocs_iter(self) -> Iterator[GenericScoredDoc]:
        return (GenericScoredDoc(t, d, v) for t, d, v in ROWS)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(ir_datasets.registry._registered, "irassay-test", ir_datasets.Dataset(Judgments(), Lists()))
    monkeypatch.setitem(ir_datasets.registry._registered, "irassay-empty", ir_datasets.Dataset())
    return "ir_datasets:irassay-test"


def test_a_dataset_of_ir_datasets_is_named_by_its_id(registered: str) -> None:
    dataset = ir_datasets.load("irassay-test")
    for source in (registered, dataset, dataset.qrels_iter()):
        assert grades_of(read_qrels(source)) == GRADES
    assert first_three(read_runs(registered)) == WANTED
    assert align(registered, LISTS).score("AP").values.shape == (1, 1, 2)


def test_a_collections_file_may_name_a_dataset(registered: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps({"a": LISTS, "b": LISTS}))
    toml = tmp_path / "irassay.toml"
    toml.write_text(f"[[collection]]\nname = 'one'\nqrels = '{registered}'\nruns = 'run.json'\n")
    (collection,) = irassay.read_collections(toml)
    assert (collection.qrels, collection.runs) == (registered, (str(tmp_path / "run.json"),))
    assert irassay.preferred_ranks(collection)["preferred_ranks"]["topic"]


def test_an_unknown_dataset_or_one_without_judgments_is_refused(
    registered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = refusal(read_qrels, "ir_datasets:no-such")
    assert (error.where, error.what) == ("ir_datasets:no-such", "ir_datasets has no dataset of this id")
    error = refusal(read_qrels, "ir_datasets:irassay-empty")
    assert (error.where, error.what) == ("ir_datasets:irassay-empty", "the dataset has no qrels")
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'irassay\[ir-datasets\]'"):
        read_qrels(registered)
