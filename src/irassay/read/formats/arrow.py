"""Arrow: tables, streams (`__arrow_c_stream__`) and Hugging Face datasets in memory, and Parquet files."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from irassay.errors import InputError, import_extra
from irassay.read.columns import Columns, column_names
from irassay.read.files import padded
from irassay.read.formats.frames import is_frame
from irassay.read.names import Names
from irassay.read.parquet import AGAIN, read_parquet
from irassay.read.registry import MemoryFormat, TableFile, TableFormat

PURPOSE = "reading Arrow"


def _is_dataset(source: Any) -> bool:
    """A Dataset of Hugging Face."""
    return hasattr(source, "with_format") and hasattr(source, "column_names") and hasattr(source, "features")


def _recognise(source: Any) -> bool:
    return (hasattr(source, "__arrow_c_stream__") or _is_dataset(source)) and not is_frame(source)


def _table(source: Any) -> Any:
    if _is_dataset(source):
        return source.with_format("arrow")[:]  # with the rows that were selected, in their order
    pyarrow = import_extra("pyarrow", "parquet", PURPOSE)
    # as a stream, views of short strings only make pyarrow crash before 25
    return source if isinstance(source, pyarrow.Table) else pyarrow.table(source)


def _names(column: Any, kind: str, place: str) -> Names:
    """A column of text or whole numbers as names, without a Python object for any of them."""
    pyarrow = import_extra("pyarrow", "parquet", PURPOSE)
    types = pyarrow.types
    value = column.type.value_type if types.is_dictionary(column.type) else column.type
    hint = "ids are text, bytes or whole numbers"
    binary = types.is_binary(value) or types.is_large_binary(value)
    strings = types.is_string(value) or types.is_large_string(value) or types.is_string_view(value)
    if not (binary or strings or types.is_integer(value)):
        raise InputError(f"the column of {kind}s holds {column.type}", place, hint)
    if column.null_count:
        row = column.is_null().combine_chunks().index(True).as_py() if hasattr(column, "is_null") else 0
        raise InputError(f"{kind} None is not text", f"{place}, row {row + 1}", hint)
    wide = column.cast(value).cast(pyarrow.large_binary() if binary else pyarrow.large_string())
    array = pyarrow.concat_arrays(wide.chunks) if wide.chunks else pyarrow.array([], wide.type)
    _, offsets, letters = array.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int64)[array.offset : array.offset + len(array) + 1]
    data = padded(b"" if letters is None else letters)
    return Names(data, bounds[:-1].copy(), np.diff(bounds).astype(np.int32))


def _numbers(column: Any) -> Any:
    """Numbers as an array, gaps as NaN; other values as they are, for a message."""
    pyarrow = import_extra("pyarrow", "parquet", PURPOSE)
    numeric = (pyarrow.types.is_integer, pyarrow.types.is_floating, pyarrow.types.is_boolean)
    if any(is_kind(column.type) for is_kind in numeric):
        return column.to_numpy().astype(np.float64) if column.null_count == 0 else _with_gaps(column)
    return column.to_pylist()


def _with_gaps(column: Any) -> Any:
    return np.array([np.nan if value is None else value for value in column.to_pylist()], dtype=np.float64)


def _columns(table: Any, value: str, place: str) -> Columns:
    names = column_names(value, table.column_names, place)
    topic, document, number, rank, system = (None if name is None else table.column(name) for name in names)
    return Columns(
        topics=_names(topic, "topic", place),
        documents=_names(document, "document", place),
        values=None if number is None else _numbers(number),
        ranks=None if rank is None else _numbers(rank),
        systems=None if system is None else _names(system, "system", place),
    )


def _read(file: TableFile) -> Iterator[Columns]:
    place = str(file.path)
    table = read_parquet(file.path, lambda names: column_names(file.value, names, place))
    try:
        yield _columns(table, file.value, place)
    except (import_extra("pyarrow", "parquet", PURPOSE).ArrowException, OverflowError) as problem:
        raise InputError(f"damaged Parquet ({problem})", place, AGAIN) from None


PARQUET = TableFormat("Parquet", _read, magic=b"PAR1")
ARROW = MemoryFormat(_recognise, lambda source, value, place: _columns(_table(source), value, place))
