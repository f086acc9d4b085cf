"""Parquet: typed columns, undefined values null."""

from typing import Any

import numpy as np

from irassay.errors import import_extra
from irassay.report.text import undefined, visible
from irassay.result import Column, Table, python_values, utf8_or_bytes


def available() -> Any:
    """pyarrow, or an error that names the extra; commands call this before they start to work."""
    return import_extra("pyarrow", "parquet", "writing Parquet")


def to_parquet(table: Table) -> bytes:
    """The table as one Parquet file. A column with names that are not UTF-8 holds their bytes (binary).

    A column of Parquet has one type: numbers beside text become text too.
    """
    pyarrow = available()
    from pyarrow import parquet

    # from_pandas: NaN is undefined here, and undefined is null
    arrays = [pyarrow.array(utf8_or_bytes(_one_type(c)), from_pandas=True) for c in table.columns.values()]
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.Table.from_arrays(arrays, names=list(map(visible, table.columns))), sink)
    return bytes(sink.getvalue())


def _one_type(column: Column) -> Column:
    if isinstance(column, np.ndarray) and column.dtype.kind != "O":
        return column
    is_text = [isinstance(value, str) for value in column if not undefined(value)]
    if not any(is_text) or all(is_text):
        return column
    return [value if undefined(value) else str(value) for value in python_values(column)]
