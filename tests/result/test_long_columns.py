"""Columns that are read part by part."""

import pickle
from functools import partial
from typing import Any

import numpy as np
import pytest

from irassay.result import Table, below_each_other, long_columns
from irassay.result.long_columns import LongColumn, StoredArray, as_long, constant, joined


def stored(*parts: list[Any], dtype: Any = float) -> StoredArray:
    numbers = StoredArray(dtype)
    for part in parts:
        numbers.append(np.array(part))
    return numbers


def letters(text: str) -> LongColumn:
    column = as_long(list(text))
    assert column is not None
    return column


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_columns, "PART", 3)
    monkeypatch.setattr(long_columns, "MOST", 4)


@pytest.mark.parametrize("column", [letters("abcabcab"), LongColumn(8, stored([0.5, 1.5], [2, 3, 4, 5, 6, 7]))])
def test_a_long_column_is_read_like_a_list(column: LongColumn) -> None:
    whole = list(column)
    assert len(whole) == len(column) == 8
    assert [column[k] for k in range(-8, 8)] == whole + whole
    for place in (slice(2, 5), slice(None), slice(5, 2), slice(-3, 100), slice(None, None, -2)):
        assert column[place] == whole[place]
    assert np.asarray(column).tolist() == whole
    assert pickle.loads(pickle.dumps(column))[:] == whole
    with pytest.raises(IndexError):
        column[8]


def test_cells_are_pythons_own_values() -> None:
    assert {type(cell) for cell in LongColumn(2, stored([1, 2], dtype=np.int32))} == {int}
    assert {type(cell) for cell in letters("ab")} == {str}


@pytest.mark.parametrize("in_memory", [0, 1 << 20])
def test_a_stored_array_gives_what_was_appended(in_memory: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_columns, "IN_MEMORY", in_memory)
    numbers = stored([1.0, np.nan], [], [3.0])
    assert len(numbers) == 3
    assert numbers(0, 3).tolist() == pytest.approx([1.0, np.nan, 3.0], nan_ok=True)
    assert numbers(2, 3).tolist() == [3.0]
    assert numbers(1, 1).dtype == np.float64
    numbers.append(np.array([4.0]))
    assert numbers(2, 4).tolist() == [3.0, 4.0]


def test_joined_columns_share_their_texts() -> None:
    column = joined([letters("ba"), constant("b", 0), constant("c", 2), letters("ab")])
    assert column.labels == ("b", "a", "c")
    assert [column[low:high] for low, high in ((0, 6), (1, 5), (3, 3), (4, 6))] == [
        list("baccab"),
        list("acca"),
        [],
        list("ab"),
    ]


def test_columns_below_each_other_are_long_where_one_is() -> None:
    long, short = LongColumn(5, stored([0, 1, 2, 3, 4])), [5.0, 6.0]
    column = below_each_other([long, [], short])
    assert isinstance(column, LongColumn)
    assert list(column) == [0.0, 1, 2, 3, 4, 5, 6]
    assert below_each_other([letters("abcde"), [None]]) == [*"abcde", None]


def test_a_table_keeps_long_columns_long_and_takes_few_rows_into_memory() -> None:
    few, many = (Table("t", {"x": letters(text), "n": list(range(len(text)))}) for text in ("abca", "abcab"))
    assert (few.long, many.long) == (False, True)
    assert few["x"] == tuple("abca")
    assert list(many.rows()) == list(zip("abcab", range(5), strict=True))
    assert "5 rows" in repr(many)


def test_frames_hold_a_long_table_as_any_other() -> None:
    table = Table("t", {"x": letters("abcab"), "n": LongColumn(5, stored([1, 2, 3, 4, 5], dtype=int))})
    assert table.to_pandas().to_dict("list") == {"x": list("abcab"), "n": [1, 2, 3, 4, 5]}
    assert table.to_polars().to_dict(as_series=False) == {"x": list("abcab"), "n": [1, 2, 3, 4, 5]}


def test_a_full_disk_is_an_error_that_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = stored([1.0])

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(numbers, "_file", type("File", (), {"seek": full})())
    with pytest.raises(Exception, match="No space left") as caught:
        numbers.append(np.array([1.0]))
    assert "TMPDIR" in caught.value.hint  # type: ignore[attr-defined]


def test_a_column_may_be_a_formula() -> None:
    squares = LongColumn(7, partial(_squares))
    assert squares[2:6] == [4, 9, 16, 25]
    assert squares.dtype == np.int64


def _squares(low: int, high: int) -> Any:
    return np.arange(low, high) ** 2
