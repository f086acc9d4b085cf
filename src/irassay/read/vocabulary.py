"""Identifiers are interned here: topics and documents become numbers, and numbers give the names back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import compiled
from irassay.compute.threads import parallel_for
from irassay.read.batch import SHARES, Batch, Interned, Rows, groups
from irassay.read.constants import INLINE, ROW, STOP
from irassay.read.files import Bytes
from irassay.read.table import SPARE, Table, hashes_of

Ints = NDArray[np.int64]
TURNS = 4  # parts for each thread


def text(raw: bytes) -> str:
    """Names are bytes in and the same bytes out, whatever their encoding."""
    return raw.decode("utf-8", "surrogateescape")


def raw(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


class Vocabulary:
    """The (topic, document) pairs of some files: topic by topic, or share by share of many topics, by first appearance.

    Every share of the topics has a table of its own, and threads fill several at once: numbers do not depend on how
    many threads there are. Until `finish` entries are counted in their tables, from then on in the vocabulary.
    """

    def __init__(self) -> None:
        self.topics: dict[bytes, int] = {}
        self.topic = np.empty(0, dtype=np.int32)  # the topic's number of each entry
        self.record = np.empty((0, 4), dtype=np.uint64)  # names as words, for comparing them in kernels
        self.arena: Bytes = np.empty(0, dtype=np.uint8)  # the bytes of long names
        self._tables: dict[int, Table] = {}
        self._first = np.zeros(SHARES, dtype=np.int32)  # the first entry of each table
        self._batches: list[Batch] = []

    def __len__(self) -> int:
        return len(self.topic)

    def add(self, rows: Rows) -> Interned:
        """All that there is, such as judgments."""
        batch = self.plan([rows], 0)
        for task in self.tasks(batch, 1):
            task()
        self.finish(1)
        return next(batch.interned())

    def plan(self, runs: Sequence[Rows], first: int) -> Batch:
        """Number the topics of some runs, the first of which is run number `first`."""
        numbers = [[self.topics.setdefault(name, len(self.topics)) for name in rows.topics] for rows in runs]
        batch = Batch(runs, [np.array(own, dtype=np.int32) for own in numbers], first)
        self._batches.append(batch)
        return batch

    @property
    def _compiled(self) -> bool:
        return compiled() or any(table.pairs is None for table in self._tables.values())

    def tasks(self, batch: Batch, jobs: int) -> list[Callable[[], None]]:
        """What numbers the documents of a batch, for threads to share. Batches come one after the other."""
        if not self._compiled:
            return [partial(self._add_plain, batch)]
        from irassay.read._intern import many_arrays

        columns: list[tuple[NDArray[Any], ...]] = []
        for block in batch.blocks:
            start = np.ascontiguousarray(block.doc_start, dtype=np.int64)
            size = np.ascontiguousarray(block.doc_size, dtype=np.int32)
            hashed = hashes_of(block.data, start, size) if block.doc_hash is None else block.doc_hash
            columns.append((block.data, start, size, hashed))
        arrays, places = zip(*map(many_arrays, zip(*columns, strict=True)), strict=True)
        rows = (np.stack(places, axis=1), arrays, batch.entry)
        parts = [(self._tables.setdefault(share, Table()), segments) for share, segments in batch.by_share()]

        def intern(part: Sequence[tuple[Table, Ints]]) -> None:
            assert columns  # many_arrays wants them alive
            batch.repeats += [table.intern(segments, *rows) for table, segments in part]

        turns = min(len(parts), TURNS * jobs if jobs > 1 else 1)
        return [partial(intern, parts[turn::turns]) for turn in range(turns)]

    def _add_plain(self, batch: Batch) -> None:
        """The same without kernels."""
        names = [words(block.data, block.doc_start, block.doc_size) for block in batch.blocks]
        for block, row, stop, topic, _, place in batch.segments.tolist():
            table = self._tables.setdefault(topic % SHARES, Table())
            batch.entry[place : place + stop - row] = table.add(topic, names[block][row:stop])
        sizes = batch.segments[:, STOP] - batch.segments[:, ROW]
        pairs = (np.repeat(batch.share, sizes) << 32) | batch.entry
        for begin, end in pairwise(batch.bounds.tolist()):
            repeated = np.ones(end - begin, dtype=np.bool_)
            repeated[np.unique(pairs[begin:end], return_index=True)[1]] = False
            batch.repeats.append(np.flatnonzero(repeated) + begin)

    def finish(self, jobs: int) -> None:
        """Count entries in the vocabulary: table after table."""
        tables = [self._tables[share] for share in sorted(self._tables)]
        first = np.cumsum([0, *map(len, tables)])
        places = np.cumsum([0, *(len(table.text) for table in tables)]).tolist()
        self.topic = np.empty(int(first[-1]), dtype=np.int32)
        self.record = np.empty((len(self.topic), 4), dtype=np.uint64)
        self.arena = np.zeros(places[-1] + SPARE, dtype=np.uint8)
        self._first[sorted(self._tables)] = first[:-1]

        def write(k: int) -> None:
            own = slice(first[k], first[k + 1])
            tables[k].write(self.topic[own], self.record[own], self.arena, places[k])

        parallel_for(write, range(len(tables)), jobs)
        parallel_for(lambda batch: batch.move(self._first), self._batches, jobs)
        self._batches.clear()

    def close(self) -> None:
        """Free the tables: entries can still be named, but no more be found."""
        for table in self._tables.values():
            table.close()

    def find(self, other: Vocabulary, jobs: int = 1) -> NDArray[np.int32]:
        """For each entry of `other` the same pair's entry here, or -1."""
        numbers = np.array([self.topics.get(name, -1) for name in other.topics], dtype=np.int32)
        topic = numbers[other.topic]
        out = np.full(len(other), -1, dtype=np.int32)
        compiled = self._compiled or other._compiled
        hashes = np.concatenate([other._tables[share].hashes for share in sorted(other._tables)]) if compiled else None

        def find_share(part: tuple[int, Ints]) -> None:
            share, entries = part
            table = self._tables[share]
            if hashes is None:
                pairs = zip(topic[entries].tolist(), other.names(entries), strict=True)
                found = np.array(table.entries(pairs), dtype=np.int32)
            else:
                found = table.find(topic[entries], hashes[entries], other.record[entries], other.arena)
            out[entries] = np.where(found < 0, found, found + self._first[share])

        known = np.flatnonzero(topic >= 0)
        parallel_for(find_share, ((share, known[own]) for share, own in groups(topic[known] % SHARES)), jobs)
        return out

    @property
    def sizes(self) -> Ints:
        """How many entries each topic has."""
        return np.bincount(self.topic, minlength=len(self.topics))

    @property
    def contents(self) -> tuple[object, ...]:
        """All topics and entries in order, as plain values and arrays."""
        return tuple(self.topics), self.topic, self.record, self.arena

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
        return text(list(self.topics)[self.topic[entry]]), text(*self.names(np.array([entry])))

    def names(self, entries: NDArray[Any]) -> list[bytes]:
        return names_of(entries, self.record, self.arena)


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
