"""A run: what one system returned, as numbers over a vocabulary."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import kernels
from irassay.read import constants as scan
from irassay.read.batch import Batch, Interned, Rows, joined
from irassay.read.memory import IN_MEMORY
from irassay.read.scratch import Scratch
from irassay.read.source import Source
from irassay.read.tokens import Block, lines_of, position
from irassay.read.vocabulary import Vocabulary, text


class Survey(NamedTuple):
    """How far each segment of the file stands in order already, so that alignment sorts only what needs it."""

    falls: NDArray[np.bool_]  # no score rises
    moves: NDArray[np.int64]  # how many of its tied rows names put elsewhere, where scores fall
    moved: NDArray[np.int32]  # [all moves, 2]: the row of the segment that is taken, and the one that takes it


@dataclass(frozen=True, repr=False)
class Run:
    """One system's lists, rows in file order."""

    name: str
    path: str
    tag: str | None  # where all rows have the same
    tagged: bool
    entry: NDArray[np.int32]
    score: NDArray[np.float64]
    rank: NDArray[np.int32] | None
    segment_topic: NDArray[np.int32]
    segment_row: NDArray[np.int64]  # one longer than segment_topic
    survey: Survey
    skipped: NDArray[np.int64]
    repeats: NDArray[np.int64]
    unit: str  # what is counted where it came from: "line", or "record", or "row"
    format: str  # in which it was read
    scores_from_ranks: bool  # whether it has no other scores
    from_file: bool
    ranked: bool  # whether it has ranks; `rank` is None too where they just count down the file

    def __len__(self) -> int:
        return len(self.entry)

    def __repr__(self) -> str:
        return f"<Run {self.name}: {len(self)} rows from {self.path}>"

    @property
    def bad_rank(self) -> int:
        """The line of the first rank that is not a whole number, or 0."""
        bad = np.flatnonzero(self.rank == scan.NOT_WHOLE)
        return self.line(int(bad[0])) if len(bad) else 0

    def line(self, row: int) -> int:
        """The line a row came from."""
        return int(lines_of(np.array([row], dtype=np.int64), self.skipped)[0])

    def where(self, row: int) -> str:
        return position(self.path, self.line(row), self.unit)

    def first_row(self, row: int) -> int:
        """The row that named the document of a repeated `row` first."""
        return int(np.flatnonzero(self.entry[:row] == self.entry[row])[0])


class Unnumbered(NamedTuple):
    """The rows of a run, and what makes the run of them once its topics and documents have numbers."""

    rows: Rows
    run: Callable[..., Run]


class Numbering:
    """Runs whose topics and documents get their numbers, some of them while others are read."""

    def __init__(self, keep_scores: bool, jobs: int) -> None:
        self.jobs = jobs
        self.memory = Scratch() if keep_scores else None
        self._keep_scores = keep_scores
        self._vocabulary = Vocabulary()
        self._runs: list[Run] = []
        self._added: list[Unnumbered] = []
        self._begun: tuple[list[Unnumbered], Batch] | None = None

    def add(self, run: Unnumbered) -> None:
        self._added.append(run)

    def tasks(self) -> list[Callable[[], None]]:
        """What is to be done for the runs added since the last call, by threads and before the next call."""
        if self._begun:
            runs, batch = self._begun
            self._runs += map(self._numbered, runs, batch.interned())
            self._begun = None
        if not self._added:
            return []
        batch = self._vocabulary.plan([run.rows for run in self._added], len(self._runs))
        self._begun, self._added = (self._added, batch), []
        return self._vocabulary.tasks(batch, self.jobs)

    def _numbered(self, unnumbered: Unnumbered, numbers: Interned) -> Run:
        run = unnumbered.run(name="", **numbers._asdict())
        in_one_place = len(unnumbered.rows.topics) == len(run.segment_topic)
        if not self._keep_scores and in_one_place and run.survey.falls.all() and not len(run.repeats):
            object.__setattr__(run, "score", np.empty(0))
        return run

    def finish(self) -> tuple[Vocabulary, list[Run]]:
        """All runs, without names."""
        for task in self.tasks():
            task()
        assert not self.tasks()
        self._vocabulary.finish(self.jobs)
        return self._vocabulary, self._runs


def unnumbered(source: Source, memory: Scratch | None = None) -> Unnumbered:
    """The rows of a run, and the run but for its name and the numbers of its topics and documents.

    With `memory` scores stay there, where those of all runs go together, and with it.
    """
    parts = source.blocks
    rows = Rows.of(parts)
    tags = {part.tag for part in parts if len(part)}
    constant = len(tags) == 1 and not any(part.stats[scan.TAG_DIFFERS] for part in parts)
    score = (memory.empty if memory else np.empty)(len(rows), np.float64)
    np.concatenate([part.value for part in parts], out=score)
    in_one_place = len(rows.topics) == len(rows.segment_topic)
    ranked = all(len(part.whole) == len(part) for part in parts)
    keep_ranks = ranked and (not in_one_place or not _ranks_count_down(parts))
    return Unnumbered(
        rows,
        partial(
            Run,
            path=source.place,
            tag=text(next(iter(tags))) or None if constant else None,
            tagged=any(tags),
            score=score,
            rank=joined([part.whole for part in parts], copy=True) if keep_ranks else None,
            segment_row=rows.segment_row,
            survey=_surveyed(score, rows),
            skipped=rows.skipped.copy(),
            unit=source.unit,
            format=source.format,
            from_file=source.format != IN_MEMORY,
            ranked=ranked,
            scores_from_ranks=any(part.scores_from_ranks for part in parts),
        ),
    )


def _surveyed(score: NDArray[np.float64], rows: Rows) -> Survey:
    falls = np.empty(len(rows.segment_topic), dtype=np.bool_)
    moves = np.empty(len(falls), dtype=np.int64)
    scratch = np.empty((2, int(np.diff(rows.segment_row).max(initial=0))), dtype=np.int64)
    moved = np.empty((len(score), 2), dtype=np.int32)
    order = kernels("irassay.read._order", plain="irassay.read.plain_order")
    order.survey(score, rows.segment_row, *rows.names, scan.NO_KEY, scan.NO_RECORD, *scratch, falls, moves, moved)
    return Survey(falls, moves, moved[: int(moves.sum())].copy())


def _ranks_count_down(parts: list[Block]) -> bool:
    """Whether the rank column counts down the file in every list, also where two blocks of it meet."""
    falls = any(part.stats[scan.RANK_FALLS] for part in parts)
    return not falls and all(_counts_on(part, following) for part, following in pairwise(parts))


def _counts_on(part: Block, following: Block) -> bool:
    if not (len(part) and len(following)):
        return False
    same: bool = part.topics[part.segment_topic[-1]] == following.topics[following.segment_topic[0]]
    return not same or bool(following.whole[0] > part.whole[len(part) - 1])
