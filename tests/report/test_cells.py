"""Cells as people read them, in every format that is read and not computed with."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest

from irassay import Result, Table
from irassay.report import to_csv, to_json, to_latex, to_markdown, to_parquet, to_terminal, with_digits
from irassay.report.cells import table_cells
from irassay.report.html_table import plain_table, table_data

TABLE = Table("contents", {"item": ["T1", "F2", "T3"], "done": np.array([True, False, True])})
RESULT = Result("paper", (TABLE, Table("mixed", {"done": [True, None, "later"]})))


def test_people_read_yes_and_no() -> None:
    assert "| F2 | no |" in to_markdown(TABLE)
    assert r"T1 & yes \\" in to_latex(TABLE)
    page = plain_table(TABLE, 10)
    screen = to_terminal(RESULT.tables, width=80)
    columns = table_data(TABLE, RESULT)["columns"]
    assert columns[1] == {"name": "done", "codes": [0, 1, 0], "texts": ["yes", "no"], "boolean": True}  # type: ignore[index]
    for text in (page, screen, to_markdown(TABLE), to_latex(TABLE)):
        assert "yes" in text
        assert "no" in text
        assert "True" not in text
        assert "False" not in text
    assert "| yes |\n|  |\n| later |" in to_markdown(RESULT["mixed"])


def test_programs_read_true_and_false() -> None:
    assert [row["done"] for row in json.loads(to_json(RESULT))["contents"]] == [True, False, True]
    assert b"T1,True" in to_csv(TABLE)
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(io.BytesIO(to_parquet(TABLE))).to_pydict()["done"] == [True, False, True]


def test_settings_have_as_many_decimals_as_they_need_whatever_the_digits() -> None:
    table = Table(
        "t", {"alpha": [0.05, 0.001], "min_difference": [0.05, 0.05], "mean": [0.5, 0.25]}, digits={"alpha": 2}
    )
    for shown in (table, with_digits(table, 1)):
        texts = [[cell.text for cell in row] for row in table_cells(shown, missing="")]
        assert [row[:2] for row in texts] == [["0.050", "0.05"], ["0.001", "0.05"]]
