"""Tables too long for memory: saved part by part, and read again where they are needed."""

import io
from pathlib import Path
from typing import Any

import pytest

from irassay.errors import InputError
from irassay.report import load_result, save_result, to_csv, to_parquet
from irassay.report.json_text import to_json
from irassay.result import Result, Table, long_columns
from irassay.result.long_columns import as_long
from irassay.studies.merge import merge_results

NAMES = ["plain", 'quo"ted, and', "two\nlines", "=formula()", "\udce9t\udce9", "", "ü", "plain", "'"]
VALUES = [0.1, -2.5, float("nan"), 1e-300, float("inf"), 5.0, -0.0, 7.25, 1 / 3]


def columns(*, long: bool) -> dict[str, Any]:
    parts: dict[str, Any] = {"system": NAMES, "value": VALUES, "rank": list(range(len(NAMES)))}
    return {name: as_long(cells) for name, cells in parts.items()} if long else parts


def result(*, long: bool = True) -> Result:
    table = Table("pairs", columns(long=long), "All", {"value": 3}, {"value": 5.0})
    few = Table("few", {"x": [1.0]})
    return Result("power", (few, table))


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_columns, "PART", 2)
    monkeypatch.setattr(long_columns, "MOST", 4)


def test_a_long_table_is_written_as_any_other() -> None:
    long, whole = (result(long=long)["pairs"] for long in (True, False))
    assert (long.long, whole.long) == (True, False)
    assert to_csv(long) == to_csv(whole)
    parquet = pytest.importorskip("pyarrow.parquet")
    tables = [parquet.read_table(io.BytesIO(to_parquet(table))) for table in (long, whole)]
    assert tables[0].equals(tables[1])
    assert to_json(result()) == to_json(result(long=False))


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_it_is_loaded_as_it_was_saved(tmp_path: Path, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irassay.report.long_tables.BLOCK", block)
    save_result(result(), tmp_path / "out")
    table = load_result(tmp_path / "out")["pairs"]
    assert table.long
    assert repr(list(table.rows())) == repr(list(result()["pairs"].rows()))
    assert (table.caption, table.digits, table.bold) == ("All", {"value": 3}, {"value": 5.0})
    assert [table["system"][k] for k in (8, 0, 3)] == ["'", "plain", "=formula()"]
    assert table["value"][2] != table["value"][2]
    save_result(load_result(tmp_path / "out"), tmp_path / "again")
    for file in ("result.json", "tables/pairs.csv"):
        assert (tmp_path / "again" / file).read_bytes() == (tmp_path / "out" / file).read_bytes()


def test_it_can_be_read_when_another_result_has_its_place(tmp_path: Path) -> None:
    save_result(result(), tmp_path / "out")
    loaded = load_result(tmp_path / "out")
    save_result(result(long=False), tmp_path / "out")
    assert not load_result(tmp_path / "out")["pairs"].long
    assert list(loaded["pairs"]["system"]) == NAMES
    save_result(loaded, tmp_path / "out")
    assert list(load_result(tmp_path / "out")["pairs"]["system"]) == NAMES


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (b"7.25", b"seven", "'seven' is not what was saved"),
        (b"plain,7.25", b"other,7.25", "'other' is not what was saved"),
        (b"plain,7.25,", b"plain,", "a row has not 3 cells"),
    ],
)
def test_damage_is_found_where_it_is_read(before: bytes, after: bytes, message: str, tmp_path: Path) -> None:
    save_result(result(), tmp_path / "out")
    file = tmp_path / "out" / "tables" / "pairs.csv"
    file.write_bytes(file.read_bytes().replace(before, after))
    table = load_result(tmp_path / "out")["pairs"]
    assert table["system"][0] == "plain"
    with pytest.raises(InputError, match=message) as caught:
        list(table.rows())
    assert "from row 7 on" in str(caught.value.where)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text[:-5], "cut off"),
        (lambda text: text + b"plain,1.0,9\n", "10 rows instead of 9"),
        (lambda text: text.replace(b"rank", b"place"), "the columns are"),
        (lambda text: b"", "cut off"),
    ],
)
def test_a_damaged_file_is_found_when_it_is_loaded(damage: Any, message: str, tmp_path: Path) -> None:
    save_result(result(), tmp_path / "out")
    file = tmp_path / "out" / "tables" / "pairs.csv"
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(InputError, match=message):
        load_result(tmp_path / "out")


@pytest.mark.parametrize("labels", [b'"labels": 5', b'"labels": [1]', b'"was": []'])
def test_labels_that_are_none_are_found(labels: bytes, tmp_path: Path) -> None:
    save_result(result(), tmp_path / "out")
    file = tmp_path / "out" / "result.json"
    text = file.read_bytes()
    start, end = text.index(b'"labels": ['), text.index(b"]", text.index(b'"labels": ['))
    file.write_bytes(text[:start] + labels + text[end + 1 :])
    with pytest.raises(InputError, match="no labels"):
        load_result(tmp_path / "out")


def test_long_tables_of_collections_are_one_long_table() -> None:
    merged = merge_results({"A": result(), "B": result(long=False)})
    assert merged["pairs"].long
    own = [tuple(row) for row in result()["pairs"].rows()]
    assert repr(list(merged["pairs"].rows())) == repr([(name, *row) for name in "AB" for row in own])


def test_tables_that_nobody_reads_whole_have_no_latex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irassay.report.artifacts.MOST_TO_READ", 8)
    save_result(result(), tmp_path / "out", readable=True)
    names = {file.name for file in (tmp_path / "out" / "tables").iterdir()}
    assert {"few.tex", "few.md", "pairs.csv"} <= names
    assert not {"pairs.tex", "pairs.md"} & names


def test_more_rows_than_json_can_hold_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irassay.report.json_text.MOST_ROWS", 9)
    with pytest.raises(InputError, match="10 rows are too many for JSON"):
        to_json(result())
