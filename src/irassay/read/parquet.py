"""Parquet files, checked before memory is taken for what they say they hold."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from irassay.errors import InputError, import_extra
from irassay.read.files import BOMB_RATIO, BOMB_SIZE

PURPOSE = "reading Parquet"
CELL = 8  # bytes that a cell takes in memory, at least
AGAIN = "write the file again"


def read_parquet(path: Path, check_columns: Callable[[list[str]], object] = lambda names: None) -> Any:
    """The table in a file; `check_columns` is given the names of its columns before any of it is read."""
    pyarrow = import_extra("pyarrow", "parquet", PURPOSE)
    parquet = import_extra("pyarrow.parquet", "parquet", PURPOSE)
    try:
        with parquet.ParquetFile(path) as content:
            check_columns(content.schema_arrow.names)
            _check_size(content.metadata, path)
            return content.read()
    except InputError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as problem:
        raise InputError(f"damaged Parquet ({problem})", str(path), AGAIN) from None


def _check_size(metadata: Any, path: Path) -> None:
    """A few bytes can say that there are millions of rows, all alike; no run and no table of scores is like that."""
    groups = [metadata.row_group(n) for n in range(metadata.num_row_groups)]
    needed = max(metadata.num_rows * metadata.num_columns * CELL, sum(group.total_byte_size for group in groups))
    if needed > BOMB_SIZE and needed > BOMB_RATIO * path.stat().st_size:
        what = f"{metadata.num_rows:,} rows in {path.stat().st_size:,} bytes (a decompression bomb?)"
        raise InputError(what, str(path), "write it with the rows that it really has")
