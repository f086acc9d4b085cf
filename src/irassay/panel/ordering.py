"""Lists in order and in their places: straight from the files where they stand in order there, else run by run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import kernels
from irassay.compute.threads import parallel_for
from irassay.errors import InputError
from irassay.panel.panel import Panel
from irassay.read.constants import BY_NAME, BY_ROW
from irassay.read.run import Run
from irassay.read.vocabulary import Vocabulary

Ints = NDArray[np.int64]
CONSTANT = "all scores are equal"
EVEN = 0.99  # of the steps between scores alike: made of ranks
TURNS = 4  # parts for each thread, of the topics whose lists stand in order


def order_kernels() -> Any:
    """The kernels that order lists, or their plain counterparts."""
    return kernels("irassay.read._order", plain="irassay.read.plain_order")


def list_offsets(counts: Ints) -> Ints:
    """Where list (topic, system) starts, with one more column for where the topic ends."""
    ends = np.cumsum(counts.ravel()).reshape(counts.shape)
    return np.insert(ends, 0, np.concatenate([[0], ends[:-1, -1]]), axis=1)


class Segments:
    """The segments of all runs, one run after the other; the topic is -1 where it is not evaluated."""

    def __init__(self, runs: Sequence[Run], evaluated: NDArray[np.int32]) -> None:
        self.runs = runs
        self.run = np.repeat(np.arange(len(runs)), [len(run.segment_topic) for run in runs])
        self.topic = evaluated[np.concatenate([run.segment_topic for run in runs])]
        row = np.concatenate([run.segment_row for run in runs])
        first = np.arange(len(self.run)) + self.run  # every run has one row more than segments
        self.start, self.stop = row[first], row[first + 1]
        self.repeats = np.array([len(run.repeats) > 0 for run in runs])

    def totals(self, of_segment: Any, topics: int) -> Ints:
        """Sums over the segments of each list."""
        known = self.topic >= 0
        out = np.zeros((topics, len(self.runs)), dtype=np.int64)
        np.add.at(out, (self.topic[known], self.run[known]), of_segment[known])
        return out

    def lengths(self, code: NDArray[np.int32], topics: int, complete: bool) -> Ints:
        """How long each list is before it is cut; only what drops documents makes it necessary to look."""
        sizes = self.stop - self.start
        for system in np.flatnonzero(self.repeats | (not complete)).tolist():
            run = self.runs[system]
            kept = code[run.entry] >= 0
            kept[run.repeats] = False
            kept_before = np.append(0, np.cumsum(kept))
            sizes[self.run == system] = np.diff(kept_before[run.segment_row])
        return self.totals(sizes, topics)

    def whole(self, topics: int) -> NDArray[np.bool_]:
        """Which segments are all of a list, every document once."""
        pieces = self.totals(np.ones_like(self.start), topics)[self.topic, self.run]
        return np.asarray((pieces == 1) & (self.topic >= 0) & ~self.repeats[self.run])


@dataclass(frozen=True)
class Placement:
    """Puts lists in order and in their places."""

    order: str
    ties: int
    key: NDArray[np.int8]
    code: NDArray[np.int32]
    complete: bool  # no entry is dropped from any list
    vocabulary: Vocabulary
    offsets: Ints
    codes: NDArray[Any]
    scores: NDArray[np.float64] | None
    own: bool  # the runs were read for this: their scores may go as they are placed

    def place_all(self, segments: Segments, jobs: int) -> None:
        """Every list, by threads."""
        ready = self.in_order(segments)
        left = np.flatnonzero((segments.topic >= 0) & ~ready)
        systems = segments.run[left]
        tasks: list[Callable[[], None]] = []
        if ready.any():
            place = self.placer(segments, np.flatnonzero(ready))
            bounds = np.linspace(0, len(self.offsets), TURNS * jobs + 1).astype(int).tolist()
            tasks += [partial(place, first, last) for first, last in pairwise(bounds)]
        # of each entry its row in the file, only where scores are kept of lists that must be sorted
        rows = np.empty(len(self.codes) if self.scores is not None and len(left) else 0, dtype=np.int32)
        tasks += [
            partial(self.sort, segments, system, left[systems == system], rows)
            for system in np.unique(systems).tolist()
        ]
        parallel_for(lambda task: task(), tasks, jobs, "aligning lists")
        if self.scores is not None:
            self.place_scores(segments, np.flatnonzero(ready), self.scores)

    def place_scores(self, segments: Segments, ready: Ints, scores: NDArray[np.float64]) -> None:
        """Scores of the lists that stand in order; names move only rows of equal scores."""
        by_run = np.split(ready, np.searchsorted(segments.run[ready], np.arange(1, len(segments.runs))))
        for system, (run, places) in enumerate(zip(segments.runs, by_run, strict=True)):
            topics, starts = segments.topic[places].tolist(), segments.start[places].tolist()
            for t, start in zip(topics, starts, strict=True):
                low, high = self.offsets[t, system], self.offsets[t, system + 1]
                scores[low:high] = run.score[start : start + high - low]
            if self.own:
                object.__setattr__(run, "score", np.empty(0))

    def in_order(self, segments: Segments) -> NDArray[np.bool_]:
        """Which segments are lists that stand in order, but for the moves that reading found for ties by name."""
        runs, whole = segments.runs, segments.whole(len(self.offsets))
        if self.order == "file":
            ordered = np.ones_like(whole)
        elif self.order == "rank":  # None: the rank column counts down the file already
            ordered = np.array([run.rank is None for run in runs])[segments.run]
        elif self.order == "trec" and self.ties == BY_NAME:
            ordered = np.concatenate([run.survey.falls for run in runs])
        else:  # ties by grade, and ties of 32-bit scores, are not known before
            ordered = np.zeros_like(whole)
        if self.scores is not None:
            ordered = ordered & np.array([len(run.score) == len(run) for run in runs])[segments.run]
        return whole & ordered & self.complete

    def placer(self, segments: Segments, ready: Ints) -> Callable[[int, int], None]:
        """The function that puts the lists of topics [first, last) that stand in order in their places."""
        order = order_kernels()
        runs = segments.runs
        segment = np.full((len(self.offsets), len(runs)), -1, dtype=np.int64)
        segment[segments.topic[ready], segments.run[ready]] = ready
        moves = np.concatenate([run.survey.moves for run in runs])
        first_move = np.cumsum(moves) - moves
        if self.order != "trec":
            moves = np.zeros_like(moves)
        moved = np.concatenate([run.survey.moved for run in runs])
        lists = (segment, segments.start, moves, first_move, moved, *order.many_arrays(run.entry for run in runs))
        return lambda first, last: order.place_lists(first, last, *lists, self.code, self.offsets, self.codes)

    def sort(self, segments: Segments, system: int, places: Ints, rows: NDArray[np.int32]) -> None:
        """The lists that some segments of one run hold."""
        run, ties = segments.runs[system], self.ties
        score = run.score
        if len(score) < len(run) and (self.order.startswith("trec") or self.scores is not None):
            raise InputError(
                "this run was read without its retrieval scores, and they are needed",
                run.path,
                "read it with keep_scores=True",
            )
        if self.order == "trec9":
            score = to_single(score).astype(np.float64)
        elif self.order == "rank":
            score = np.zeros(len(run)) if run.rank is None else -run.rank.astype(np.float64)
            ties = BY_ROW
        places = places[np.argsort(segments.topic[places], kind="stable")]
        topic, start, stop = segments.topic[places], segments.start[places], segments.stop[places]
        scratch = np.empty((2, int(np.bincount(topic, stop - start).max(initial=0))), dtype=np.int64)
        repeats = bool(segments.repeats[system])
        order_kernels().order_run(
            run.entry,
            score,
            topic,
            start,
            stop,
            self.order != "file",
            ties,
            self.key,
            self.vocabulary.record,
            self.vocabulary.arena,
            self.code,
            repeats,
            np.full(len(self.code) if repeats else 0, -1, dtype=np.int32),  # the topic that met each entry last
            *scratch,
            self.offsets,
            system,
            self.codes,
            self.scores is not None,
            rows,
        )
        if self.scores is not None:
            for t in np.unique(topic).tolist():
                low, high = self.offsets[t, system], self.offsets[t, system + 1]
                self.scores[low:high] = run.score[rows[low:high]]


def to_single(scores: NDArray[np.float64]) -> NDArray[np.float32]:
    """32-bit scores as trec_eval 9 has them: beyond the range of a 32-bit float all is infinite."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32)


def tied_share(panel: Panel) -> list[float]:
    """The share of each system's documents that have the same score as a neighbour in the list."""
    assert panel.scores is not None
    scores = as_compared(panel.scores, panel)
    starts = np.zeros(len(scores) + 1, dtype=np.bool_)
    starts[panel.offsets.ravel()] = True
    same = np.zeros(len(scores) + 1, dtype=np.bool_)
    same[1:-1] = (scores[1:] == scores[:-1]) & ~starts[1:-1]
    tied = np.concatenate([[0], np.cumsum(same[:-1] | same[1:])])
    inside = tied[panel.offsets[:, 1:]] - tied[panel.offsets[:, :-1]]
    total = np.diff(panel.offsets, axis=1).sum(axis=0)
    return [float(n) / max(1, int(m)) for n, m in zip(inside.sum(axis=0), total, strict=True)]


def as_compared(scores: NDArray[np.float64], panel: Panel) -> NDArray[Any]:
    """Scores as the order compares them."""
    return to_single(scores) if panel.policy["order"] == "trec9" else scores


def no_more_than_rank(score: NDArray[np.float64], sizes: Ints) -> str:
    """Why the scores of a system's lists, one list after the other, say no more than the rank; empty where they do."""
    if not (sizes > 2).any():
        return ""
    if (score == score[0]).all():
        return CONSTANT
    starts = np.cumsum(sizes) - sizes
    longest = int(np.argmax(sizes))
    pattern = score[starts[longest] : starts[longest] + sizes[longest]]
    position = np.arange(len(score)) - np.repeat(starts, sizes)
    if (sizes > 2).sum() > 1 and bool((score == pattern[position]).all()):
        return "every topic has the same scores"
    with np.errstate(invalid="ignore"):  # two infinite scores
        step = np.diff(score)[position[1:] > 0]
        usual = np.sort(step)[len(step) // 2]
        # a few larger steps are documents that were taken out afterwards
        even = usual != 0 and np.isfinite(usual) and (np.abs(step - usual) <= 1e-9 * np.abs(usual)).mean() >= EVEN
    return "scores change in equal steps" if even else ""
