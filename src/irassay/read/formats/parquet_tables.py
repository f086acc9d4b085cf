"""Long and wide tables as Parquet, with the index of a pandas frame."""

from typing import Any

from irassay.errors import InputError, import_extra
from irassay.read.parquet import AGAIN, PURPOSE, read_parquet
from irassay.read.registry import ScoreFormat
from irassay.read.score_cells import CellCollector, ScoreFile
from irassay.read.table_shapes import long_table


def _read(file: ScoreFile, cells: CellCollector) -> None:
    table = read_parquet(file.path)
    try:
        header, columns = list(table.column_names), [_values(column) for column in table.columns]
        for index in (table.schema.pandas_metadata or {}).get("index_columns", ()):
            if isinstance(index, dict) and index.get("name"):  # consecutive topics: pandas keeps their range
                topics = range(index["start"], index["stop"], index["step"])
                if len(topics) != table.num_rows:
                    raise ValueError(f"an index of {len(topics)} rows, and {table.num_rows} rows")
                header.append(str(index["name"]))
                columns.append(list(topics))
    except (ValueError, OverflowError, TypeError, KeyError, AttributeError) as problem:
        raise InputError(f"damaged Parquet ({problem})", str(file.path), AGAIN) from None
    rows = [(f"{file.path} row {n}", row) for n, row in enumerate(zip(*columns, strict=True), 1)]
    cells.add_table(file, *long_table(header, rows, several=cells.several))


def _values(column: Any) -> list[Any]:
    """The cells as Python values; text that is not UTF-8 as the bytes that it is."""
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        pyarrow = import_extra("pyarrow", "parquet", PURPOSE)
        return list(column.cast(pyarrow.large_binary()).to_pylist())


PARQUET = ScoreFormat(_read, magic=b"PAR1")
