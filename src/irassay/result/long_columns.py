"""Columns too long for memory: their cells are read part by part, from a temporary file, a saved table or a formula."""

import tempfile
import threading
import weakref
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from irassay.errors import InputError

Array = NDArray[Any]
Read = Callable[[int, int], Array]

PART = 1 << 16  # cells that are in memory at once
MOST = 1 << 17  # rows of a table that is in memory as a whole
IN_MEMORY = 1 << 23  # bytes of a stored array that need no file


class LongColumn(Sequence[Any]):
    """`read(low, high)` gives cells as an array of numbers; with `labels` it gives the place of each among these texts.

    It pickles where `read` does.
    """

    def __init__(self, length: int, read: Read, labels: Sequence[str] | None = None) -> None:
        self._length, self.read = length, read
        self.labels = None if labels is None else tuple(labels)

    def __len__(self) -> int:
        return self._length

    def cells(self, low: int, high: int) -> list[Any]:
        """So many cells as plain Python values."""
        cells = self.read(low, high).tolist()
        return cells if self.labels is None else [self.labels[place] for place in cells]

    def parts(self) -> Iterator[tuple[int, int]]:
        """Where each part begins and ends."""
        return ((low, min(low + PART, self._length)) for low in range(0, self._length, PART))

    def __iter__(self) -> Iterator[Any]:
        for low, high in self.parts():
            yield from self.cells(low, high)

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> list[Any]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            low, high, step = place.indices(self._length)
            return self.cells(low, max(low, high)) if step == 1 else [self[k] for k in range(low, high, step)]
        at = place + self._length if place < 0 else place
        if not 0 <= at < self._length:
            raise IndexError(place)
        return self.cells(at, at + 1)[0]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Array:
        if self.labels is not None:
            return np.array(list(self), dtype or object)
        return np.concatenate([self.read(low, high) for low, high in self.parts()] or [self.read(0, 0)]).astype(dtype)

    @property
    def dtype(self) -> np.dtype[Any]:
        """That of the cells; texts are objects."""
        return np.dtype(object) if self.labels is not None else self.read(0, 0).dtype


class StoredArray:
    """Numbers that are appended and read part by part: few in memory, many in a temporary file.

    The file goes when nobody needs it any more. Pickled all go along in memory.
    """

    def __init__(self, dtype: DTypeLike) -> None:
        self._dtype = np.dtype(dtype)
        self._length = 0
        self._lock = threading.Lock()
        # it is open as long as this lives
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY, prefix="irassay-")  # noqa: SIM115
        weakref.finalize(self, self._file.close)

    def append(self, numbers: Array) -> None:
        try:
            with self._lock:
                self._file.seek(0, 2)
                self._file.write(np.ascontiguousarray(numbers, self._dtype).data)
        except OSError as problem:
            raise InputError(
                f"cannot keep a long table: {problem.strerror or problem}",
                tempfile.gettempdir(),
                "set TMPDIR to a folder with more space",
            ) from None
        self._length += len(numbers)

    def __len__(self) -> int:
        return self._length

    def __call__(self, low: int, high: int) -> Array:
        with self._lock:
            self._file.seek(low * self._dtype.itemsize)
            content = self._file.read((high - low) * self._dtype.itemsize)
        return np.frombuffer(content, self._dtype) if content else np.empty(0, self._dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return _stored, (self(0, self._length),)


def _stored(numbers: Array) -> StoredArray:
    stored = StoredArray(numbers.dtype)
    stored.append(numbers)
    return stored


def constant(text: str, length: int) -> LongColumn:
    """The same text in every row."""
    return LongColumn(length, _zeros, (text,))


def _zeros(low: int, high: int) -> Array:
    return np.zeros(high - low, dtype=np.int64)


def joined(columns: Sequence[LongColumn]) -> LongColumn:
    """Columns one below the other: of numbers, or of texts."""
    if len(columns) == 1:
        return columns[0]
    ends = list(accumulate(map(len, columns)))
    if columns[0].labels is None:
        return LongColumn(ends[-1], partial(_read_joined, columns, ends, None))
    labels: dict[str, int] = {}
    places = [np.array([labels.setdefault(text, len(labels)) for text in one.labels or ()]) for one in columns]
    return LongColumn(ends[-1], partial(_read_joined, columns, ends, places), tuple(labels))


def _read_joined(columns: Sequence[LongColumn], ends: Sequence[int], places: Any, low: int, high: int) -> Array:
    pieces = []
    for number in range(bisect_right(ends, low), len(columns)):
        start = ends[number] - len(columns[number])
        if start >= high:
            break
        piece = columns[number].read(max(low - start, 0), min(high, ends[number]) - start)
        pieces.append(piece if places is None else places[number][piece])
    return np.concatenate(pieces) if pieces else columns[0].read(0, 0)


def as_long(column: Any) -> LongColumn | None:
    """A column in memory as a long one; None where it is neither of texts nor of one kind of numbers."""
    if isinstance(column, LongColumn):
        return column
    kinds = set(map(type, column)) if not isinstance(column, np.ndarray) else {column.dtype.type}
    if kinds == {str}:
        labels: dict[str, int] = {}
        numbers = np.array([labels.setdefault(str(text), len(labels)) for text in column])
        return LongColumn(len(numbers), partial(_read_array, numbers), tuple(labels))
    numbers = np.asarray(column)
    if kinds in ({float}, {int}) or (numbers is column and numbers.dtype.kind in "iuf"):
        return LongColumn(len(numbers), partial(_read_array, numbers))
    return None


def _read_array(numbers: Array, low: int, high: int) -> Array:
    return numbers[low:high]
