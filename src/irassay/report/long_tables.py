"""Tables of a result folder that are too long for memory: their rows are read from the CSV file, part by part."""

import threading
import weakref
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError
from irassay.report.csv_text import column_from, from_csv
from irassay.report.text import encode
from irassay.result import long_columns
from irassay.result.long_columns import LongColumn

Array = NDArray[Any]

BLOCK = 1 << 24  # bytes that are searched for ends of lines at once
HELD = 2  # parts, so that columns that are read side by side read the file once
QUOTE, LINE_END = ord('"'), ord("\n")


class SavedRows:
    """The rows of a saved table. The file stays open: it can still be read when another result takes its place."""

    def __init__(self, place: Path, records: Sequence[Mapping[str, Any]]) -> None:
        self.place, self._records = place, records
        self._labels = [_places(record) for record in records]
        self._lock = threading.Lock()
        self._parts: OrderedDict[int, list[Array]] = OrderedDict()
        self._file = place.open("rb")
        weakref.finalize(self, self._file.close)
        self._starts, self.rows = self._find_rows()

    def __reduce__(self) -> tuple[Any, ...]:
        return SavedRows, (self.place, self._records)

    def columns(self) -> dict[str, LongColumn]:
        return {
            str(record["name"]): LongColumn(self.rows, partial(self.read, number), record.get("labels"))
            for number, record in enumerate(self._records)
        }

    def header(self) -> list[str]:
        """The names of the columns as they stand in the file."""
        return from_csv(self._bytes(0, self._starts[0]), str(self.place))[0]

    def read(self, column: int, low: int, high: int) -> Array:
        parts = range(low // long_columns.PART, max(low // long_columns.PART, (high - 1) // long_columns.PART) + 1)
        pieces = [
            self._part(part)[column][max(low - part * long_columns.PART, 0) : max(high - part * long_columns.PART, 0)]
            for part in parts
            if part < len(self._starts) - 1
        ]
        return np.concatenate(pieces) if pieces else self._array(column, (), "")

    def _find_rows(self) -> tuple[list[int], int]:
        """Where the first row of every part starts, and where the file ends; and how many rows there are."""
        starts, place, lines, quoted, last = [], 0, 0, 0, b""
        while block := self._bytes(place, place + BLOCK):
            characters = np.frombuffer(block, np.uint8)
            ends, quotes = np.flatnonzero(characters == LINE_END), np.flatnonzero(characters == QUOTE)
            ends = ends[(np.searchsorted(quotes, ends) + quoted) % 2 == 0]  # a name may hold the end of a line
            starts += (place + 1 + ends[-lines % long_columns.PART :: long_columns.PART]).tolist()
            place, lines, quoted, last = place + len(block), lines + len(ends), (quoted + len(quotes)) % 2, block[-1:]
        if quoted or last != b"\n":
            raise InputError("cut off", str(self.place))
        return [*starts, *([place] if starts[-1:] != [place] else [])], lines - 1

    def _bytes(self, low: int, high: int) -> bytes:
        with self._lock:
            self._file.seek(low)
            return self._file.read(high - low)

    def _part(self, number: int) -> list[Array]:
        held = self._parts.get(number)
        if held is None:
            where = f"{self.place}, from row {number * long_columns.PART + 1:,} on"
            rows = from_csv(self._bytes(*self._starts[number : number + 2]), where)
            if any(len(row) != len(self._records) for row in rows):
                raise InputError(f"a row has not {len(self._records)} cells", where)
            cells = zip(*rows, strict=True)
            held = [self._array(column, texts, where) for column, texts in enumerate(cells)]
            self._parts[number] = held
            while len(self._parts) > HELD:
                self._parts.popitem(last=False)
        return held

    def _array(self, column: int, texts: Sequence[str], where: str) -> Array:
        record, labels = self._records[column], self._labels[column]
        if labels is None:
            kind = np.int64 if record.get("type") == "integer" else np.float64
            return np.array(column_from(record, texts, where), dtype=kind)
        try:
            return np.array([labels[text] for text in texts], dtype=np.int64)
        except KeyError as unknown:
            raise InputError(f"column {record['name']!r}: {unknown.args[0]!r} is not what was saved", where) from None


def _places(record: Mapping[str, Any]) -> dict[str, int] | None:
    """The place of each text among the labels of a column, as the text stands in the file; None for numbers."""
    labels, kind = record.get("labels"), record.get("type")
    if labels is None and kind in ("number", "integer"):
        return None
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise InputError(f"column {record.get('name')!r} of a long table has no labels")
    return {encode(label).decode("utf-8", "surrogateescape"): place for place, label in enumerate(labels)}
