"""Numbers above a limit are bold wherever a format has bold type; text beside numbers goes through Parquet."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import pytest

import irassay
from irassay import Result, Table
from irassay.errors import InputError
from irassay.report import to_latex, to_markdown, to_parquet
from irassay.report.html_table import plain_table, table_data

TABLE = Table("T5", {"measure": ["AP", "Q"], "tau": [0.8, 0.85], "n": [3, None]}, "c", {"tau": 2}, {"tau": 0.8})


def test_only_numbers_above_the_limit_are_bold() -> None:
    assert r"AP & 0.80 & 3 \\" in to_latex(TABLE)
    assert r"Q & \textbf{0.85} &  \\" in to_latex(TABLE)
    assert "| AP | 0.80 | 3 |\n| Q | **0.85** |  |" in to_markdown(TABLE)
    page = plain_table(TABLE, 10)
    assert page.count("<b>") == 1
    assert "<b>0.85</b>" in page
    columns = table_data(TABLE, Result("s", (TABLE,)))["columns"]
    assert [column.get("bold") for column in columns] == [None, 0.8, None]  # type: ignore[attr-defined]


def test_undefined_cells_and_text_are_never_bold() -> None:
    assert not TABLE.is_bold("tau", None)
    assert not TABLE.is_bold("tau", float("nan"))
    assert not TABLE.is_bold("measure", "AP")
    assert not TABLE.is_bold("n", 3)


def test_a_folder_and_a_pickle_keep_what_is_bold(tmp_path: Path) -> None:
    irassay.save_result(Result("s", (TABLE,)), tmp_path / "r", readable=True)
    assert dict(irassay.load_result(tmp_path / "r")["T5"].bold) == {"tau": 0.8}
    assert dict(pickle.loads(pickle.dumps(TABLE)).bold) == {"tau": 0.8}


def test_bold_for_a_column_that_is_not_there_is_an_error() -> None:
    with pytest.raises(InputError, match="bold for columns it does not have"):
        Table("t", {"a": [1]}, bold={"b": 1.0})


def test_a_column_of_text_and_numbers_is_text_in_parquet() -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    table = Table("t", {"value": [3, "not given", None, 2.5], "n": [1, 2.5, None, 3], "name": ["a", None, "b", "c"]})
    read = pq.read_table(io.BytesIO(to_parquet(table))).to_pydict()
    assert read == {
        "value": ["3", "not given", None, "2.5"],
        "n": [1.0, 2.5, None, 3.0],
        "name": ["a", None, "b", "c"],
    }
