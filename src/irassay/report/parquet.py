"""Parquet: typed columns, undefined values null."""

import io
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from irassay.errors import import_extra
from irassay.report.text import undefined, visible
from irassay.result import Column, Table, python_values, utf8_or_bytes
from irassay.result.long_columns import LongColumn

ROWS = 1 << 20  # of a row group


def available() -> Any:
    """pyarrow, or an error that names the extra; commands call this before they start to work."""
    return import_extra("pyarrow", "parquet", "writing Parquet")


def to_parquet(table: Table) -> bytes:
    """The table as one Parquet file. A column with names that are not UTF-8 holds their bytes (binary).

    A column of Parquet has one type: numbers beside text become text too.
    """
    sink = io.BytesIO()
    write_parquet(table, sink)
    return sink.getvalue()


def write_parquet(table: Table, sink: BinaryIO) -> None:
    """The same into an open file; a long table part by part."""
    pyarrow = available()
    from pyarrow import parquet

    names = list(map(visible, table.columns))
    if not table.long:
        parquet.write_table(pyarrow.Table.from_arrays(list(map(_array, table.columns.values())), names=names), sink)
        return
    readers = [_reader(column) for column in table.columns.values()]

    def rows(low: int, high: int) -> Any:
        return pyarrow.Table.from_arrays([read(low, high) for read in readers], names=names)

    with parquet.ParquetWriter(sink, rows(0, 0).schema) as writer:
        for low in range(0, len(table), ROWS):
            writer.write_table(rows(low, min(low + ROWS, len(table))))


def _array(column: Column) -> Any:
    # from_pandas: NaN is undefined here, and undefined is null
    return available().array(utf8_or_bytes(_one_type(column)), from_pandas=True)


def _reader(column: Column) -> Callable[[int, int], Any]:
    """What gives so many cells for Arrow, always of one type."""
    if not isinstance(column, LongColumn):
        whole = _array(column)
        return lambda low, high: whole.slice(low, high - low)
    if column.labels is None:
        return lambda low, high: _array(column.read(low, high))
    labels = _array(column.labels)
    return lambda low, high: labels.take(available().array(column.read(low, high)))


def _one_type(column: Column) -> Column:
    if isinstance(column, np.ndarray) and column.dtype.kind != "O":
        return column
    is_text = [isinstance(value, str) for value in column if not undefined(value)]
    if not any(is_text) or all(is_text):
        return column
    return [value if undefined(value) else str(value) for value in python_values(column)]
