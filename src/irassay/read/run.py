"""One run: what a system returned, as numbers over a vocabulary that several runs share."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.read import _tokens as scan
from irassay.read._order import NO_KEY, survey
from irassay.read.tokens import Block, lines_of, position
from irassay.read.vocabulary import Interned, Vocabulary, joined, text


class Survey(NamedTuple):
    """How far each segment of the file stands in order already, so that alignment sorts only what needs it."""

    falls: NDArray[np.bool_]  # no score rises
    moves: NDArray[np.int64]  # how many of its tied rows names put elsewhere, where scores fall
    moved: NDArray[np.int32]  # [all moves, 2]: the row of the segment that is taken, and the one that takes it


@dataclass(frozen=True, repr=False)
class Run:
    """One system's lists, rows in file order. `rank` is None where the rank column just counts down the file."""

    name: str
    path: str
    tag: str | None
    entry: NDArray[np.int32]
    score: NDArray[np.float64]
    rank: NDArray[np.int32] | None
    segment_topic: NDArray[np.int32]
    segment_row: NDArray[np.int64]  # one longer than segment_topic
    survey: Survey
    skipped: NDArray[np.int64]
    repeats: NDArray[np.int64]
    bad_rank: int  # the line of the first rank that is not a whole number, or 0
    unit: str  # what is counted where it came from: "line", or "row" in memory

    def __len__(self) -> int:
        return len(self.entry)

    def __repr__(self) -> str:
        return f"<Run {self.name}: {len(self)} rows from {self.path}>"

    def line(self, row: int) -> int:
        """The line a row came from."""
        return int(lines_of(np.array([row], dtype=np.int64), self.skipped)[0])

    def where(self, row: int) -> str:
        return position(self.path, self.line(row), self.unit)

    def first_row(self, row: int) -> int:
        """The row that named the document of a repeated `row` first."""
        return int(np.flatnonzero(self.entry[:row] == self.entry[row])[0])


def build_run(
    path: str, parts: list[Block], vocabulary: Vocabulary, number: int, *, keep_scores: bool, unit: str = "line"
) -> Run:
    """The run in some blocks of rows; it has no name yet."""
    interned = vocabulary.add(parts, number)
    tags = {part.tag for part in parts if len(part)}
    constant = len(tags) == 1 and not any(part.stats[scan.TAG_DIFFERS] for part in parts)
    score = joined([part.value for part in parts], copy=True)
    survey = _surveyed(score, interned, vocabulary)
    in_one_place = len(np.unique(interned.segment_topic)) == len(interned.segment_topic)
    if unit == "line":
        keep_ranks = not in_one_place or not _ranks_count_down(parts)
    else:
        keep_ranks = len(parts[0].whole) > 0
    if not keep_scores and in_one_place and survey.falls.all() and not len(interned.repeats):
        score = np.empty(0)
    return Run(
        name="",
        path=path,
        tag=text(tags.pop()) if constant else None,
        entry=interned.entry,
        score=score,
        rank=joined([part.whole for part in parts], copy=True) if keep_ranks else None,
        segment_topic=interned.segment_topic,
        segment_row=interned.segment_row,
        survey=survey,
        skipped=interned.skipped,
        repeats=interned.repeats,
        bad_rank=_first_bad_rank(parts),
        unit=unit,
    )


def _surveyed(score: NDArray[np.float64], interned: Interned, vocabulary: Vocabulary) -> Survey:
    falls = np.empty(len(interned.segment_topic), dtype=np.bool_)
    moves = np.empty(len(falls), dtype=np.int64)
    scratch = np.empty((2, int(np.diff(interned.segment_row).max(initial=0))), dtype=np.int64)
    moved = np.empty((len(score), 2), dtype=np.int32)
    names = (vocabulary.record, vocabulary.arena, NO_KEY)
    survey(score, interned.segment_row, interned.entry, *names, *scratch, falls, moves, moved)
    return Survey(falls, moves, moved[: int(moves.sum())].copy())


def _ranks_count_down(parts: list[Block]) -> bool:
    """Whether the rank column counts down the file in every list, also where two blocks of it meet."""
    if any(part.stats[scan.RANK_FALLS] or part.stats[scan.BAD_RANK] for part in parts):
        return False
    return all(_counts_on(part, following) for part, following in pairwise(parts))


def _counts_on(part: Block, following: Block) -> bool:
    if not (len(part) and len(following)):
        return False
    same: bool = part.topics[part.segment_topic[-1]] == following.topics[following.segment_topic[0]]
    return not same or bool(following.whole[0] > part.whole[len(part) - 1])


def _first_bad_rank(parts: list[Block]) -> int:
    line = 0
    for part in parts:
        if part.stats[scan.BAD_RANK]:
            return line + int(part.stats[scan.BAD_RANK])
        line += int(part.stats[scan.LINES])
    return 0
