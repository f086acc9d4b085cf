"""Names of topics, documents or systems in memory: stretches of one array of bytes."""

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import compiled
from irassay.errors import InputError
from irassay.read.files import Bytes, padded
from irassay.read.vocabulary import raw, words


class Names(NamedTuple):
    """One name for each row."""

    data: Bytes  # padded
    start: NDArray[np.int64]
    size: NDArray[np.int32]

    @property
    def rows(self) -> int:
        return len(self.start)

    def name(self, row: int) -> bytes:
        first = int(self.start[row])
        return self.data[first : first + int(self.size[row])].tobytes()

    def words(self) -> list[bytes]:
        """All names."""
        return words(*self)

    def take(self, rows: NDArray[np.int64]) -> "Names":
        return Names(self.data, self.start[rows], self.size[rows])

    def repeat(self, counts: Sequence[int]) -> "Names":
        """Each name so many times."""
        return Names(self.data, np.repeat(self.start, counts), np.repeat(self.size, counts))

    def numbered(self) -> tuple[list[bytes], NDArray[np.int32], NDArray[np.int64]]:
        """The different names by first appearance, and stretches of rows with one name: its number and first row."""
        if compiled():
            from irassay.read._columns import changes

            differs = np.empty(self.rows, dtype=np.bool_)
            changes(self.data, self.start, self.size, differs)
            first = np.flatnonzero(differs).astype(np.int64)
            names = list(map(self.name, first.tolist()))
        else:
            every = self.words()
            rows = [row for row, name in enumerate(every) if row == 0 or name != every[row - 1]]
            first, names = np.array(rows, dtype=np.int64), [every[row] for row in rows]
        number = {name: n for n, name in enumerate(dict.fromkeys(names))}
        return list(number), np.array([number[name] for name in names], dtype=np.int32), first


def packed(values: Iterable[Any], kind: str, place: str, unit: str = "row") -> Names:
    """Text, bytes or whole numbers as names of `kind`; a `place` is where an error is."""
    if isinstance(values, Names):
        return values
    listed = list(values)
    try:
        joined = "".join(listed)
    except TypeError:
        return _of_bytes(_identifiers(listed, kind, place, unit))
    if joined.isascii():
        return _of_bytes(listed, joined.encode())
    return _of_bytes(_identifiers(listed, kind, place, unit))


def _of_bytes(names: Sequence[Any], joined: bytes | None = None) -> Names:
    size = np.fromiter(map(len, names), dtype=np.int32, count=len(names))
    return Names(padded(b"".join(names) if joined is None else joined), np.cumsum(size, dtype=np.int64) - size, size)


def _identifiers(values: Iterable[Any], kind: str, place: str, unit: str) -> list[bytes]:
    names: list[bytes] = []
    for value in values:
        try:
            names.append(identifier(value, kind))
        except InputError as error:
            raise InputError(error.what, f"{place}, {unit} {len(names) + 1}", error.hint) from None
    return names


def identifier(value: Any, kind: str) -> bytes:
    """Text, bytes or a whole number. A column of numbers with a gap is one of floats: 301.0 is no topic."""
    if isinstance(value, str):
        try:
            return raw(value)
        except UnicodeEncodeError:
            raise InputError(f"{kind} {value!r} is not text", hint="it holds half of a surrogate pair") from None
    if isinstance(value, bytes):
        return bytes(value)
    if isinstance(value, Integral) and not isinstance(value, bool):
        return b"%d" % int(value)
    raise InputError(f"{kind} {value!r} is not text", hint="ids are text, bytes or whole numbers")
