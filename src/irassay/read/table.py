"""Pairs of topics and documents, numbered by first appearance: in a dict, or by kernels once those are compiled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.read.constants import ARENA, DONE, DUPLICATES, ENTRIES, FILLED, INLINE, ROW, SEGMENT, SIZE, STOP
from irassay.read.files import Bytes, padded

Ints = NDArray[np.int64]
FEWEST = 256  # entries that there is room for at first
SPARE = 8  # bytes of the arena that may be read behind a name


class Table:
    """The pairs of some of a vocabulary's topics; `read._intern` says what kernels keep of them."""

    def __init__(self) -> None:
        self.pairs: dict[tuple[int, bytes], int] | None = {}  # None: kernels have numbered them
        self._state = np.zeros(7, dtype=np.int64)
        self._slots = np.zeros(0, dtype=np.uint64)
        self._topic = np.empty(0, dtype=np.int32)
        self._hashes = np.empty(0, dtype=np.uint64)
        self._last_run = np.empty(0, dtype=np.int32)
        self._record = np.empty((0, 4), dtype=np.uint64)
        self._arena: Bytes = np.empty(SPARE, dtype=np.uint8)  # the bytes of long names

    def __len__(self) -> int:
        return int(self._state[ENTRIES]) if self.pairs is None else len(self.pairs)

    def add(self, topic: int, names: Sequence[bytes]) -> list[int]:
        """Number the documents that a run has for one topic, without kernels."""
        assert self.pairs is not None
        return [self.pairs.setdefault((topic, name), len(self.pairs)) for name in names]

    def intern(self, segments: Ints, places: Ints, names: Sequence[NDArray[Any]], out: NDArray[np.int32]) -> Ints:
        """Number the documents of some segments: the rows whose document the run has named before for the topic."""
        from irassay.read._intern import intern

        rows = int((segments[:, STOP] - segments[:, ROW]).sum())
        self.compile()
        self._make_room(0 if len(self) else rows // 2, 0)
        repeats = np.empty(rows, dtype=np.int64)
        self._state[[DUPLICATES, SEGMENT, DONE]] = 0
        while True:
            entries = (self._slots, self._topic, self._hashes, self._last_run, self._record, self._arena)
            if intern(segments, places, *names, *entries, out, repeats, self._state):
                return repeats[: self._state[DUPLICATES]]
            self._make_room(1, int(self._state[SIZE]))

    def _make_room(self, entries: int, size: int) -> None:
        """Make room for some more entries and bytes."""
        needed = int(self._state[ARENA]) + size + SPARE
        if needed > len(self._arena):
            self._arena = _resized(self._arena, 2 * needed)
        if len(self) + entries > len(self._topic):
            room = max(FEWEST, 1 << (len(self) + entries - 1).bit_length())
            self._topic, self._hashes, self._last_run, self._record = (
                _resized(column, room) for column in (self._topic, self._hashes, self._last_run, self._record)
            )
            self._slots = np.zeros(2 * room, dtype=np.uint64)
            self._state[FILLED] = 0  # kernels fill them before they do anything else

    def compile(self) -> None:
        """What kernels keep instead of the dict."""
        if self.pairs is None:
            return
        n, names, used = len(self), [name for _, name in self.pairs], len(self.text)
        self._make_room(max(n, 1), used)
        self.write(self._topic[:n], self._record[:n], self._arena, 0)
        self.pairs = None
        self._state[[ENTRIES, ARENA]] = n, used
        self._last_run[:n] = 0
        if n:
            self._hashes[:n] = _hashes(names)

    @property
    def text(self) -> Bytes:
        """The bytes of long names, one after the other."""
        if self.pairs is None:
            return self._arena[: self._state[ARENA]]
        return np.frombuffer(b"".join(name for _, name in self.pairs if len(name) > INLINE), dtype=np.uint8)

    def write(self, topic: NDArray[np.int32], record: NDArray[np.uint64], arena: Bytes, place: int) -> None:
        """The topic and the record of each entry, and the text at some place; there they can be found from then on."""
        text = self.text
        arena[place : place + len(text)] = text
        if self.pairs is None:
            topic[:], record[:] = self._topic[: len(self)], self._record[: len(self)]
            self._topic, self._record, self._arena = topic, record, arena
        else:
            names = [name for _, name in self.pairs]
            size = np.array(list(map(len, names)), dtype=np.uint64)
            topic[:] = [topic for topic, _ in self.pairs]
            record[:, :3] = np.array(names, dtype=f"S{INLINE}").view(">u8").reshape(-1, 3)
            record[:, 3] = size << np.uint64(32)
            long = np.flatnonzero(size > INLINE)
            record[long, 2] = np.cumsum(size[long]) - size[long]
        if len(text):
            record[record[:, 3] >> np.uint64(32) > INLINE, 2] += np.uint64(place)

    @property
    def hashes(self) -> NDArray[np.uint64]:
        """The hash of each entry's document."""
        self.compile()
        return self._hashes[: len(self)]

    def entries(self, pairs: Iterable[tuple[int, bytes]]) -> list[int]:
        """The entries of other tables' pairs here, or -1, without kernels."""
        assert self.pairs is not None
        return [self.pairs.get(pair, -1) for pair in pairs]

    def find(
        self, topic: NDArray[np.int32], hashes: NDArray[np.uint64], record: Any, arena: Bytes
    ) -> NDArray[np.int32]:
        """The same with kernels."""
        from irassay.read._intern import find_entries

        self.compile()
        out = np.empty(len(topic), dtype=np.int32)
        own = (self._slots, self._topic, self._hashes, self._record, self._arena, self._state)
        find_entries(topic, hashes, record, arena, *own, out)
        return out

    def close(self) -> None:
        """Free what is needed to find entries."""
        self.__init__()  # type: ignore[misc]


def _hashes(names: Sequence[bytes]) -> NDArray[np.uint64]:
    size = np.fromiter(map(len, names), dtype=np.int32, count=len(names))
    return hashes_of(padded(b"".join(names)), np.cumsum(size, dtype=np.int64) - size, size)


def hashes_of(data: Bytes, start: Ints, size: NDArray[np.int32]) -> NDArray[np.uint64]:
    from irassay.read._intern import hash_names

    out = np.empty(len(size), dtype=np.uint64)
    hash_names(data, start, size, out)
    return out


def _resized(array: NDArray[Any], size: int) -> NDArray[Any]:
    out = np.empty((size, *array.shape[1:]), dtype=array.dtype)
    out[: len(array)] = array
    return out
