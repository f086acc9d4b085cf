"""The file of a saved table: its header, how many rows it has, and its columns, in memory or read part by part."""

import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from irassay.errors import InputError
from irassay.report.csv_text import column_from, from_csv
from irassay.report.folder import SAVE_AGAIN
from irassay.report.long_tables import SavedRows
from irassay.result import Column


class TableFile(NamedTuple):
    """What a file has; `columns` gives them by name."""

    header: list[str]
    rows: int
    columns: Callable[[], Mapping[str, Column]]


def table_file(place: Path, records: Sequence[Mapping[str, Any]], *, long: bool) -> TableFile:
    """The file of a table whose columns these records describe."""
    if long:
        _check_regular(place)
        saved = SavedRows(place, records)
        return TableFile(saved.header(), saved.rows, saved.columns)
    header, *rows = from_csv(read_bytes(place), str(place))

    def columns() -> dict[str, Column]:
        for number, row in enumerate(rows, 1):
            if len(row) != len(records):
                raise InputError(f"row {number} has {len(row)} cells under a header of {len(records)}", str(place))
        cells = list(zip(*rows, strict=True)) if rows else [()] * len(records)
        parts = zip(records, cells, strict=True)
        return {record["name"]: column_from(record, texts, str(place)) for record, texts in parts}

    return TableFile(header, len(rows), columns)


def read_bytes(place: Path) -> bytes:
    """The bytes of a file. What is saved has no links and no pipes: these would show another file, or never end."""
    _check_regular(place)
    return place.read_bytes()


def _check_regular(place: Path) -> None:
    if not stat.S_ISREG(place.lstat().st_mode):
        raise InputError("this is not a regular file", str(place), SAVE_AGAIN)
