"""Identifiers are interned here: topics and documents become numbers, and numbers give the names back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import compiled
from irassay.compute.threads import parallel_for
from irassay.read.constants import ARENA, DUPLICATES, ENTRIES, INLINE, LINES, SLAB
from irassay.read.files import Bytes, padded

if TYPE_CHECKING:
    from irassay.read.tokens import Block

Ints = NDArray[np.int64]
LOW32 = np.uint64(0xFFFFFFFF)
Hashed = tuple[Bytes, Ints, NDArray[np.int32], NDArray[np.uint64]]  # names: where they start, sizes, hashes


def text(raw: bytes) -> str:
    """Names are bytes in and the same bytes out, whatever their encoding."""
    return raw.decode("utf-8", "surrogateescape")


def raw(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


class Interned(NamedTuple):
    """Blocks joined, documents as entries of a vocabulary. Rows and lines are counted from the first block on."""

    entry: NDArray[np.int32]
    repeats: Ints  # rows whose document was named before for the topic
    segment_topic: NDArray[np.int32]
    segment_row: Ints  # one longer than segment_topic
    skipped: Ints  # lines without a row


class Vocabulary:
    """The (topic, document) pairs of some files, numbered by first appearance (records: `read._intern`).

    They are found by a dict for each topic, or, once kernels are compiled, by those kernels' tables.
    """

    def __init__(self) -> None:
        self.topics: dict[bytes, int] = {}
        self._plain: list[dict[bytes, int]] | None = []  # None: there are tables
        self._state = np.zeros(4, dtype=np.int64)
        self._slots = np.zeros(1 << 16, dtype=np.uint64)
        self._base = np.zeros(64, dtype=np.int64)
        self._capacity = np.zeros(64, dtype=np.int64)
        self._count = np.zeros(64, dtype=np.int64)
        self._topic = np.empty(1 << 14, dtype=np.int32)
        self._hash = np.empty(1 << 14, dtype=np.uint64)
        self._record = np.empty((1 << 14, 4), dtype=np.uint64)
        self.arena = np.empty(1 << 12, dtype=np.uint8)  # the bytes of long names

    def __len__(self) -> int:
        return int(self._state[ENTRIES])

    def add(self, blocks: Sequence[Block], run: int) -> Interned:
        """Number the topics and documents of one run's blocks, or of all judgments."""
        parts = []
        row = line = 0
        last = -1
        for block in blocks:
            numbers = self._topic_numbers(block.topics)[block.segment_topic]
            self._make_tables()
            entry, repeats = (self._add_block if self._plain is None else self._add_plain)(block, numbers, run)
            # a list that goes on in the next block is one list
            goes_on = int(len(numbers) > 0 and numbers[0] == last)
            last = numbers[-1] if len(numbers) else last
            rows = block.segment_row[goes_on:] + row
            parts.append((entry, repeats + row, numbers[goes_on:], rows, block.skipped + line))
            row += len(block)
            line += int(block.stats[LINES])
        entry, repeats, topics, rows, skipped = map(joined, zip(*parts, strict=True))
        return Interned(entry, repeats, topics, np.append(rows, row), skipped)

    def _topic_numbers(self, names: Sequence[bytes]) -> NDArray[np.int32]:
        numbers = [self.topics.setdefault(name, len(self.topics)) for name in names]
        if len(self.topics) > len(self._base):
            self._base, self._capacity, self._count = (
                _grown(a, 2 * len(self.topics), zero=True) for a in (self._base, self._capacity, self._count)
            )
        return np.array(numbers, dtype=np.int32)

    def _add_plain(self, block: Block, segment_topic: NDArray[np.int32], run: int) -> tuple[NDArray[np.int32], Ints]:
        """`_add_block` without kernels."""
        assert self._plain is not None
        self._plain += [{} for _ in range(len(self.topics) - len(self._plain))]
        names = words(block.data, block.doc_start, block.doc_size)
        n = first = len(self)
        entries: list[int] = []
        added: list[bytes] = []
        topics: list[int] = []
        bounds = pairwise([*block.segment_row.tolist(), len(names)])
        for topic, (begin, end) in zip(segment_topic.tolist(), bounds, strict=True):
            table = self._plain[topic]
            for name in names[begin:end]:
                entry = table.setdefault(name, n)
                if entry == n:
                    added.append(name)
                    n += 1
                entries.append(entry)
            topics += [topic] * (n - first - len(topics))
        self._append(added, topics)
        out = np.array(entries, dtype=np.int32)
        repeated = np.ones(len(out), dtype=np.bool_)
        repeated[np.unique(out, return_index=True)[1]] = False
        seen = np.uint64(run + 1)
        repeated |= self._record[out, 3] & LOW32 == seen
        self._record[out, 3] = (self._record[out, 3] & ~LOW32) | seen
        return out, np.flatnonzero(repeated).astype(np.int64)

    def _append(self, names: list[bytes], topics: list[int]) -> None:
        """New entries, in no run yet."""
        first, n = len(self), len(self) + len(names)
        if n > len(self._topic):
            self._topic, self._hash, self._record = (_grown(a, 2 * n) for a in (self._topic, self._hash, self._record))
        self._topic[first:n] = topics
        np.add.at(self._count, topics, 1)
        self._record[first:n, :3] = np.array(names, dtype=f"S{INLINE}").view(">u8").reshape(-1, 3)
        self._record[first:n, 3] = np.array(list(map(len, names)), dtype=np.uint64) << np.uint64(32)
        for entry, name in enumerate(names, start=first):
            if len(name) > INLINE:
                place = int(self._state[ARENA])
                if place + len(name) > len(self.arena):
                    self.arena = _grown(self.arena, 2 * len(self.arena) + len(name))
                self.arena[place : place + len(name)] = np.frombuffer(name, dtype=np.uint8)
                self._record[entry, 2] = place
                self._state[ARENA] += len(name)
        self._state[ENTRIES] = n

    def _make_tables(self) -> None:
        """Tables instead of dicts, once kernels are compiled."""
        if self._plain is None or not compiled():
            return
        n, topic, record, names = len(self), self.topic, self.record, self.names(np.arange(len(self)))
        self._plain = None
        if not n:
            return
        self._state[:] = 0
        self._count[:] = 0
        size = np.fromiter(map(len, names), dtype=np.int32, count=n)
        text = (padded(b"".join(names)), np.cumsum(size, dtype=np.int64) - size, size)
        first = np.flatnonzero(np.append(True, topic[1:] != topic[:-1])[:n])
        self._intern((*text, hashes(*text)), topic[first].copy(), first, -1)
        self._record[:n, 3] = record[:, 3]

    def _add_block(self, block: Block, segment_topic: NDArray[np.int32], run: int) -> tuple[NDArray[np.int32], Ints]:
        """The entry of each row, and the rows whose document this run has named before for the topic."""
        names = (block.data, block.doc_start, block.doc_size)
        hashed = hashes(*names) if block.doc_hash is None else block.doc_hash
        return self._intern((*names, hashed), segment_topic, block.segment_row, run)

    def _intern(
        self, names: Hashed, segment_topic: NDArray[np.int32], segment_row: Ints, run: int
    ) -> tuple[NDArray[np.int32], Ints]:
        from irassay.read._intern import intern

        rows = len(names[1])
        out = np.empty(rows, dtype=np.int32)
        repeats = np.empty(rows, dtype=np.int64)
        self._state[DUPLICATES] = 0
        row = 0
        while True:
            tables = (self._slots, self._base, self._capacity, self._count)
            entries = (self._topic, self._hash, self._record, self.arena)
            row = intern(row, *names, segment_topic, segment_row, run, *tables, *entries, out, repeats, self._state)
            if row == rows:
                return out, repeats[: self._state[DUPLICATES]].copy()
            self._grow(int(names[2][row]))

    def _grow(self, size: int) -> None:
        """Make room for at least one more row: entries, bytes of long names, and a larger table."""
        n = len(self)
        if n == len(self._topic):
            self._topic, self._hash, self._record = (_grown(a, 2 * n) for a in (self._topic, self._hash, self._record))
        if self._state[ARENA] + size > len(self.arena):
            self.arena = _grown(self.arena, 2 * len(self.arena) + size)
        table = 2 * max(int(self._capacity.max()), 32)
        if self._state[SLAB] + table > len(self._slots):
            self._move_tables(table)

    def _move_tables(self, table: int) -> None:
        """A larger slab; tables that were outgrown stay behind, so that no more than a quarter of it is theirs."""
        slots = np.zeros(max(1 << 16, int(1.25 * self._capacity.sum()) + 4 * table), dtype=np.uint64)
        at = 0
        for t in np.flatnonzero(self._capacity).tolist():
            base, size = int(self._base[t]), int(self._capacity[t])
            slots[at : at + size] = self._slots[base : base + size]
            self._base[t] = at
            at += size
        self._slots = slots
        self._state[SLAB] = at

    def close(self) -> None:
        """Free the tables: entries can still be named, but no more be added or found."""
        self._plain = None if self._plain is None else []
        self._slots, self._hash = np.zeros(0, dtype=np.uint64), np.empty(0, dtype=np.uint64)

    def find(self, other: Vocabulary, jobs: int = 1) -> NDArray[np.int32]:
        """For each entry of `other` the same pair's entry here, or -1."""
        self._make_tables()
        other._make_tables()
        numbers = np.array([self.topics.get(name, -1) for name in other.topics], dtype=np.int32)
        if self._plain is not None:
            tables = [self._plain[number] if number >= 0 else {} for number in numbers.tolist()]
            names = other.names(np.arange(len(other)))
            places = [tables[topic].get(name, -1) for topic, name in zip(other.topic.tolist(), names, strict=True)]
            return np.array(places, dtype=np.int32)
        from irassay.read._intern import find_entries

        out = np.empty(len(other), dtype=np.int32)
        topic = numbers[other.topic]

        def look_up_part(bounds: tuple[int, int]) -> None:
            part = slice(*bounds)
            wanted = (topic[part], other._hash[part], other._record[part], other.arena)
            find_entries(*wanted, self._slots, self._base, self._capacity, self._record, self.arena, out[part])

        parallel_for(look_up_part, pairwise(np.linspace(0, len(out), 2 * jobs + 1).astype(int).tolist()), jobs)
        return out

    @property
    def topic(self) -> NDArray[np.int32]:
        """The topic's number of each entry."""
        return self._topic[: len(self)]

    @property
    def sizes(self) -> Ints:
        """How many entries each topic has."""
        return self._count[: len(self.topics)]

    @property
    def record(self) -> NDArray[np.uint64]:
        """Names as words, for comparing them in kernels."""
        return self._record[: len(self)]

    @property
    def contents(self) -> tuple[object, ...]:
        """All topics and entries in order, as plain values and arrays."""
        return tuple(self.topics), self.topic, self.record, self.arena[: int(self._state[ARENA])]

    def sorted_entries(self) -> NDArray[np.int64]:
        """All entries by topic's number, then in byte order of their names."""
        record, topic = self.record, self.topic
        sizes = record[:, 3] >> np.uint64(32)
        if (sizes > INLINE).any():
            keys = list(zip(topic.tolist(), self.names(np.arange(len(self))), strict=True))
            return np.array(sorted(range(len(self)), key=keys.__getitem__), dtype=np.int64)
        return np.lexsort((sizes, record[:, 2], record[:, 1], record[:, 0], topic)).astype(np.int64)

    def pair(self, entry: int) -> tuple[str, str]:
        """The names of an entry's topic and document."""
        return text(list(self.topics)[self._topic[entry]]), text(*self.names(np.array([entry])))

    def names(self, entries: NDArray[Any]) -> list[bytes]:
        return names_of(entries, self._record, self.arena)


def names_of(entries: NDArray[Any], record: NDArray[np.uint64], arena: NDArray[np.uint8]) -> list[bytes]:
    """The names that some records spell."""
    records = record[entries]
    sizes = (records[:, 3] >> np.uint64(32)).astype(np.int64)
    letters = records[:, :3].astype(">u8").tobytes()
    names = [
        letters[start : start + size]
        for start, size in zip(range(0, len(letters), INLINE), sizes.tolist(), strict=True)
    ]
    for k in np.flatnonzero(sizes > INLINE).tolist():
        names[k] = arena[int(records[k, 2]) : int(records[k, 2]) + int(sizes[k])].tobytes()
    return names


def words(data: Bytes, start: Ints, size: NDArray[np.int32]) -> list[bytes]:
    """Stretches of an array, one by one."""
    letters = data.tobytes()
    return [letters[a:b] for a, b in zip(start.tolist(), (start + size).tolist(), strict=True)]


def hashes(data: Bytes, start: Ints, size: NDArray[np.int32]) -> NDArray[np.uint64]:
    from irassay.read._intern import hash_names

    out = np.empty(len(size), dtype=np.uint64)
    hash_names(data, start, size, out)
    return out


def _grown(array: NDArray[Any], size: int, *, zero: bool = False) -> NDArray[Any]:
    out = (np.zeros if zero else np.empty)((size, *array.shape[1:]), dtype=array.dtype)
    out[: len(array)] = array
    return out


def joined(pieces: Sequence[NDArray[Any]], *, copy: bool = False) -> NDArray[Any]:
    """One array. Copies trim what the tokeniser allocated for lines that were none."""
    if len(pieces) > 1:
        return np.concatenate(pieces)
    return pieces[0].copy() if copy else pieces[0]
