"""Parquet: typed columns, undefined values null."""

from __future__ import annotations

from typing import Any

from irassay.errors import MissingExtraError
from irassay.report.text import visible
from irassay.result import Table, utf8_or_bytes


def available() -> Any:
    """pyarrow, or an error that names the extra; commands ask before they start to work."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("parquet", "writing Parquet") from None
    return pyarrow


def to_parquet(table: Table) -> bytes:
    """The table as one Parquet file. A column with names that are not UTF-8 holds their bytes (binary)."""
    pyarrow = available()
    # from_pandas: NaN is undefined here, and undefined is null
    arrays: list[Any] = [pyarrow.array(utf8_or_bytes(column), from_pandas=True) for column in table.columns.values()]
    names = [visible(name) for name in table.columns]
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.Table.from_arrays(arrays, names=names), sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content
