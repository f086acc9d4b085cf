"""Lists in order and in their places: one run at a time, by threads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.engine import order as kernels
from irassay.read.runs import Run
from irassay.read.vocabulary import Vocabulary


def offsets_of(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where list (topic, system) starts, with one more column for where the topic ends."""
    ends = np.cumsum(counts.ravel()).reshape(counts.shape)
    offsets = np.empty((counts.shape[0], counts.shape[1] + 1), dtype=np.int64)
    offsets[:, 1:] = ends
    offsets[:, 0] = np.concatenate([[0], ends[:-1, -1]])
    return offsets


class Source:
    """A run's segments of evaluated topics, in the order of the topics."""

    def __init__(self, run: Run, evaluated: NDArray[np.int32]) -> None:
        topic = evaluated[run.segment_topic]
        segments = np.flatnonzero(topic >= 0)
        topic = topic[segments]
        if (topic[1:] < topic[:-1]).any():
            order = np.argsort(topic, kind="stable")
            segments, topic = segments[order], topic[order]
        self.run = run
        self.topic = topic
        self.start = run.segment_row[segments]
        self.stop = run.segment_row[segments + 1]
        self.repeats = bool(len(run.repeats))
        assert run.survey is not None
        self.survey = run.survey
        # file order is score order but for ties, and every topic stands in one place
        whole = not self.repeats and not (topic[1:] == topic[:-1]).any()
        self.falling = whole and bool((run.survey.state[segments] < 2).all())

    def seen(self, entries: int) -> NDArray[np.int32]:
        """Room to note the topic in which each entry was met last; none is needed where nothing repeats."""
        return np.full(entries if self.repeats else 0, -1, dtype=np.int32)

    def count(self, code: NDArray[np.int32], topics: int, entire: bool) -> NDArray[np.int64]:
        """How long each list is before it is cut; only what drops documents makes it necessary to look."""
        count = np.zeros(topics, dtype=np.int64)
        if entire and not self.repeats:
            np.add.at(count, self.topic, self.stop - self.start)
        else:
            kernels.count_run(
                self.run.entry,
                self.topic,
                self.start,
                self.stop,
                code,
                self.repeats,
                self.seen(len(code)),
                count,
            )
        return count


@dataclass(frozen=True)
class Order:
    """Puts one run's lists in order and in their places."""

    order: str
    ties: int
    key: NDArray[np.int8]
    code: NDArray[np.int32]
    entire: bool  # no entry is dropped from any list
    vocabulary: Vocabulary
    offsets: NDArray[np.int64]
    codes: NDArray[Any]
    scores: NDArray[np.float64] | None
    rows: NDArray[np.int64]  # of each entry, where scores are kept

    def __call__(self, part: tuple[int, Source]) -> None:
        system, source = part
        run, score, ties = source.run, source.run.score, self.ties
        if self.order == "trec9":
            with np.errstate(over="ignore"):  # beyond a 32-bit float all is infinite, as in trec_eval
                score = score.astype(np.float32).astype(np.float64)
        elif self.order == "rank":
            # None: the rank column counts down the file already
            score = np.zeros(len(run)) if run.rank is None else -run.rank.astype(np.float64)
            ties = kernels.BY_ROW
        lengths = np.bincount(source.topic, source.stop - source.start)
        scratch = np.empty((2, int(lengths.max(initial=0))), dtype=np.int64)
        if self.order == "trec" and self.entire and self.scores is None and source.falling:
            kernels.place_falling(
                run.entry, score, source.topic, source.start, source.survey.tie_first, source.survey.tie_last, ties,
                self.key, self.vocabulary.record, self.vocabulary.arena, self.code, scratch[0], scratch[1],
                self.offsets, system, self.codes,
            )  # fmt: skip
            return
        kernels.order_run(
            run.entry, score, source.topic, source.start, source.stop, self.order != "file", ties, self.key,
            self.vocabulary.record, self.vocabulary.arena, self.code, source.repeats, source.seen(len(self.code)),
            scratch[0], scratch[1], self.offsets, system, self.codes, self.scores is not None, self.rows,
        )  # fmt: skip
        if self.scores is not None:
            for t in np.unique(source.topic).tolist():
                low, high = self.offsets[t, system], self.offsets[t, system + 1]
                self.scores[low:high] = run.score[self.rows[low:high]]
