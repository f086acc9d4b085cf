"""Files made to be misread: each is refused at once, with its place, or read as what it is."""

from __future__ import annotations

import datetime
import gzip
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irassay import read_qrels, read_runs, read_scores
from irassay.errors import InputError
from irassay.panel.topics import select
from irassay.read import parquet as limits
from irassay.read.files import load

pa = pytest.importorskip("pyarrow")
READERS = (read_runs, read_qrels, read_scores)


def write_parquet(path: Path, columns: dict[str, Any], pandas: object = None) -> Path:
    from pyarrow import parquet

    metadata = {} if pandas is None else {"pandas": pandas if isinstance(pandas, str) else json.dumps(pandas)}
    parquet.write_table(pa.table(columns).replace_schema_metadata(metadata), path)
    return path


def not_utf8(*values: bytes) -> Any:
    """A column that says it is text, with any bytes."""
    return pa.array(values, type=pa.binary()).view(pa.string())


def test_control_bytes_are_text_and_no_blanks(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_bytes(b"1 Q0 a \x01 \x02 \x03\n")
    with pytest.raises(InputError, match=r":1: score '\\x02' is not a number"):
        read_runs(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'""\n', "not a score table"),
        (b'""', "not a score table"),
        (b"topic," + b"x" * 140_000 + b"\n1,2\n", ":1: not CSV"),
        (b"# about\ntopic," + b"x" * 140_000 + b"\n1,2\n", ":1: not CSV|:2: not CSV"),
    ],
)
def test_a_csv_header_that_python_cannot_read_is_refused(tmp_path: Path, text: bytes, message: str) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(text)
    with pytest.raises(InputError, match=message):
        read_scores(path)


def test_names_in_parquet_may_be_any_bytes(tmp_path: Path) -> None:
    columns = {"topic": not_utf8(b"1", b"\xff"), "a": [0.5, 0.25]}
    scores = read_scores(write_parquet(tmp_path / "s.parquet", columns))
    assert scores.topics == ("1", "\udcff")


@pytest.mark.parametrize(
    ("columns", "pandas"),
    [
        ({"topic": pa.array([2**62, 1], type=pa.int64()).cast(pa.timestamp("us"), safe=False), "a": [1.0, 2.0]}, None),
        ({"a": [1.0, 2.0], "b": [1.0, 2.0]}, '{"broken'),
        ({"a": [1.0, 2.0], "b": [1.0, 2.0]}, [1]),
        ({"a": [1.0, 2.0], "b": [1.0, 2.0]}, {"index_columns": 5}),
        ({"a": [1.0]}, {"index_columns": [{"name": "topic", "start": 0, "stop": 10**12, "step": 1}]}),
        ({"a": [1.0]}, {"index_columns": [{"name": "topic", "start": 0, "stop": 1, "step": 0}]}),
        ({"a": [1.0]}, {"index_columns": [{"name": "topic", "start": "x"}]}),
    ],
)
def test_parquet_that_contradicts_itself_is_damaged(tmp_path: Path, columns: dict[str, Any], pandas: object) -> None:
    path = write_parquet(tmp_path / "s.parquet", columns, pandas)
    with pytest.raises(InputError, match="damaged Parquet") as caught:
        read_scores(path)
    assert caught.value.where == str(path)


def test_dates_are_no_names_of_topics(tmp_path: Path) -> None:
    columns = {"topic": [datetime.date(2020, 1, 1)], "a": [0.5]}
    with pytest.raises(InputError, match="is not the name of a topic"):
        read_scores(write_parquet(tmp_path / "s.parquet", columns))


@pytest.mark.parametrize("read", READERS)
def test_parquet_with_millions_of_rows_in_few_bytes_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Any
) -> None:
    monkeypatch.setattr(limits, "BOMB_SIZE", 1 << 20)
    rows = 1_000_000
    same = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype=np.int32)), pa.array(["1"]))
    path = write_parquet(tmp_path / "p.parquet", {"topic": same, "document": same, "score": np.ones(rows)})
    with pytest.raises(InputError, match=r"1,000,000 rows in .* bytes"):
        read(path)


@pytest.mark.parametrize("read", READERS)
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, read: Any) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="this is a pipe, not a file") as caught:
        read(tmp_path / "pipe")
    assert "write what it gives to a file" in caught.value.hint


def test_a_link_to_a_file_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 d 1\n")
    (tmp_path / "link").symlink_to("qrels")
    assert read_qrels(tmp_path / "link").topics == ("1",)


@pytest.mark.parametrize("name", ["a\0b", ""])
def test_a_file_of_topics_with_an_impossible_name_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"no file can have this name|this is a directory"):
        select(("1",), f"@{name}")


def test_padding_after_each_of_many_packed_members_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "run.gz"
    lines = [f"1 Q0 d{n} 1 {-n} t\n".encode() for n in range(300)]
    path.write_bytes(b"".join(gzip.compress(line) + b"\0" * 3 for line in lines))
    assert load(path).tobytes() == b"".join(lines)


def test_a_number_of_thousands_of_digits_in_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text('{"1": {"d": ' + "1" * 5000 + "}}")
    with pytest.raises(InputError, match="JSON that cannot be read") as caught:
        read_runs(path)
    assert caught.value.where == str(path)


def test_a_key_given_twice_among_many_is_named(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    documents = [f'"d{n}": {n}' for n in range(50_000)]
    path.write_text('{"1": {' + ", ".join([*documents, '"d49999": 1']) + "}}")
    with pytest.raises(InputError, match="'d49999' appears twice"):
        read_runs(path)
