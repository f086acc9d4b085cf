"""Rows of runs on their way into a vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.read.constants import LINES, PLACE, TOPIC
from irassay.read.files import Bytes

if TYPE_CHECKING:
    from irassay.read.tokens import Block

Ints = NDArray[np.int64]
SHARES = 2048  # of the topics: more than most collections have, few enough to call a kernel for each


class Rows(NamedTuple):
    """The blocks of one run, or of judgments. Rows and lines are counted from the first block on."""

    blocks: Sequence[Block]
    topics: list[bytes]
    block_topics: list[NDArray[np.int32]]  # of the segments of each block, as numbers of `topics`
    segment_topic: NDArray[np.int32]
    segment_row: Ints  # one longer than segment_topic
    skipped: Ints  # lines without a row

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> Rows:
        number: dict[bytes, int] = {}
        numbers, topics, rows, skipped = [], [], [], []
        row = line = 0
        last = -1
        for block in blocks:
            own = [number.setdefault(name, len(number)) for name in block.topics]
            of_segment = np.array(own, dtype=np.int32)[block.segment_topic]
            # a list that goes on in the next block is one list
            goes_on = int(len(of_segment) > 0 and of_segment[0] == last)
            last = of_segment[-1] if len(of_segment) else last
            numbers.append(of_segment)
            topics.append(of_segment[goes_on:])
            rows.append(block.segment_row[goes_on:] + row)
            skipped.append(block.skipped + line)
            row += len(block)
            line += int(block.stats[LINES])
        return cls(blocks, list(number), numbers, joined(topics), np.append(joined(rows), row), joined(skipped))

    def __len__(self) -> int:
        return int(self.segment_row[-1])

    @property
    def names(self) -> tuple[Bytes, Ints, NDArray[np.int32]]:
        """The documents: where their names stand in one array of bytes."""
        starts, sizes = [block.doc_start for block in self.blocks], [block.doc_size for block in self.blocks]
        return self.blocks[0].data, joined(starts), joined(sizes)


class Interned(NamedTuple):
    """A run's topics and documents as numbers of a vocabulary."""

    entry: NDArray[np.int32]
    repeats: Ints  # rows whose document was named before for the topic
    segment_topic: NDArray[np.int32]


class Batch:
    """Runs whose documents are numbered together, and the numbers of their topics."""

    def __init__(self, runs: Sequence[Rows], numbers: Sequence[NDArray[np.int32]], first: int) -> None:
        self.runs, self.numbers = runs, numbers
        self.blocks = [block for run in runs for block in run.blocks]
        self.bounds = np.cumsum([0, *map(len, runs)])  # of the runs among all rows
        self.entry = np.empty(int(self.bounds[-1]), dtype=np.int32)
        self.repeats: list[Ints] = []  # of all rows
        self.segments = self._segments(first)
        self.share = self.segments[:, TOPIC] % SHARES

    def _segments(self, first: int) -> Ints:
        """Rows of one topic in one block, one after the other: BLOCK, ROW, STOP, TOPIC, RUN, PLACE."""
        columns: list[tuple[Any, ...]] = []
        place = 0
        for run, (rows, numbers) in enumerate(zip(self.runs, self.numbers, strict=True), start=first):
            for block, topics in zip(rows.blocks, rows.block_topics, strict=True):
                bounds = np.append(block.segment_row, len(block))
                same = np.ones(len(topics), dtype=np.int64)
                of_block = same * len(columns)
                columns.append((of_block, bounds[:-1], bounds[1:], numbers[topics], run * same, bounds[:-1] + place))
                place += len(block)
        return np.stack([np.concatenate(column) for column in zip(*columns, strict=True)], axis=1)

    def by_share(self) -> Iterator[tuple[int, Ints]]:
        """The segments of each share of the topics."""
        for share, places in groups(self.share):
            yield share, self.segments[places]

    def move(self, first: NDArray[np.int32]) -> None:
        """Number entries from the first one of their share on; run by run, so that it happens in the cache."""
        places = self.segments[:, PLACE]
        sizes = np.diff(places, append=len(self.entry))
        for begin, end in pairwise(self.bounds.tolist()):
            own = slice(*np.searchsorted(places, [begin, end]))
            self.entry[begin:end] += np.repeat(first[self.share[own]], sizes[own])

    def interned(self) -> Iterator[Interned]:
        """The runs, once the tables have all rows, whose arrays are free from then on."""
        repeats = np.sort(np.concatenate([np.empty(0, dtype=np.int64), *self.repeats]))
        for rows, numbers, (begin, end) in zip(self.runs, self.numbers, pairwise(self.bounds.tolist()), strict=True):
            own = repeats[np.searchsorted(repeats, begin) : np.searchsorted(repeats, end)] - begin
            yield Interned(self.entry[begin:end], own, numbers[rows.segment_topic])
        self.runs, self.blocks = (), []


def groups(numbers: NDArray[Any]) -> Iterator[tuple[int, Ints]]:
    """Each number with its places, in order."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(order)])
    for begin, end in pairwise([*first.tolist(), len(order)]):
        yield int(ordered[begin]), order[begin:end]


def joined(pieces: Sequence[NDArray[Any]], *, copy: bool = False) -> NDArray[Any]:
    """One array. Copies trim what the tokeniser allocated for lines that were none."""
    if len(pieces) > 1:
        return np.concatenate(pieces)
    return pieces[0].copy() if copy else pieces[0]
