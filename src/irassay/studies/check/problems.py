"""Potential problems, each with its file and line."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.errors import IrassayWarning
from irassay.panel.alignment import PoolNames
from irassay.panel.coverage import count, first_few
from irassay.panel.ordering import CONSTANT, as_compared, no_more_than_rank
from irassay.panel.panel import Panel
from irassay.read import Run
from irassay.read.vocabulary import text
from irassay.result import Table
from irassay.studies.check.settings import Check
from irassay.studies.inputs import PanelInput

Problem = tuple[str, str, str]  # code, where, what
SHOWN = 20
HARMLESS = ", but only among tied documents"  # of orders that disagree: scores do not tell which is right
# Listed here run by run; the warning would only count them.
LISTED_HERE = ("duplicates", "missing-topics")


@dataclass(frozen=True)
class ProblemSearch:
    """All that is looked through for problems."""

    study: Check
    data: PanelInput
    groups: Mapping[str, str] | None
    pool_depth: int | None  # given, or as the judgments show it

    def problems(self, warnings: Sequence[IrassayWarning]) -> Table:
        """The table `problems`: what was warned of while reading and aligning, then what is found here."""
        rows: list[Problem] = [
            (w.code, w.where, w.what) for w in warnings if w.code not in LISTED_HERE or w.where == self.data.qrels.path
        ]
        rows += self._collection()
        for system, run in enumerate(self.data.runs):
            rows += chain(
                self._repeats(run),
                self._columns(run),
                self._missing(run, system),
                self._orders(run),
                rank_derived_scores(run),
            )
            if self.pool_depth:
                rows += self._unjudged(run, system, self.pool_depth)
        codes, places, whats = zip(*rows, strict=True) if rows else ((), (), ())
        caption = f"Problems: {len(rows)} found" if rows else "Problems: none found"
        return Table("problems", {"code": codes, "where": places, "what": whats}, caption)

    def _topic(self, run: Run, row: int) -> str:
        vocabulary = self.data.runs.vocabulary
        return text(list(vocabulary.topics)[vocabulary.topic[run.entry[row]]])

    def _collection(self) -> Iterator[Problem]:
        size = self.study.corpus_size
        path = self.study.groups
        active = int(self.data.panel.document.max(initial=-1)) + 1
        if size is not None and active > size:
            what = f"{active} documents are retrieved or judged, more than the corpus of {size} holds"
            yield "corpus-size", "--corpus-size", what
        if self.groups is None or path is None:
            return
        for run in self.data.runs:
            if run.name not in self.groups:
                yield "groups", run.path, f"system {run.name} is in no group of {path}"
        unknown = [name for name in self.groups if name not in self.data.panel.systems]
        if unknown:
            yield "groups", path, f"without a run: {first_few(unknown)}"

    def _repeats(self, run: Run) -> Iterator[Problem]:
        for row in run.repeats[:SHOWN].tolist():
            problem = self.data.runs.repeat(run, row)
            yield "duplicates", problem.where, problem.what
        if len(run.repeats) > SHOWN:
            yield "duplicates", run.where(int(run.repeats[SHOWN])), f"{len(run.repeats) - SHOWN} more from here on"

    def _columns(self, run: Run) -> Iterator[Problem]:
        if run.tag is None and run.tagged:
            yield "tags", run.path, "the tag column is not constant, so the system is named by its file"
        if run.bad_rank:
            yield "ranks", f"{run.path}:{run.bad_rank}", "the rank is not a whole number"

    def _missing(self, run: Run, system: int) -> Iterator[Problem]:
        panel = self.data.panel
        lengths = np.diff(panel.offsets, axis=1)[:, system]
        missing = [panel.topics[t] for t in np.flatnonzero(lengths == 0).tolist()]
        if missing:
            yield (
                "missing-topics",
                run.path,
                f"no documents, and so score 0, for {count(len(missing), 'topic')}: {first_few(missing)}",
            )

    def _orders(self, run: Run) -> Iterator[Problem]:
        """Where file order, score order and rank order contradict each other."""

        def problem(code: str, wrong: NDArray[np.int64], what: str, so: str) -> Iterator[Problem]:
            if len(wrong):
                row = int(wrong.min())
                first = f"first in topic {self._topic(run, row)}"
                yield code, run.where(row), f"{what} in {count(len(wrong), 'place')}, {first}: {so}"

        rows, inside = by_topic(run)
        score = run.score[rows]
        rising = rows[1:][inside & (score[1:] > score[:-1])]
        yield from problem("file-order", rising, "the score rises down the file", "file order is not score order")
        if run.rank is None or run.bad_rank:
            return
        rank = run.rank[rows]
        wrong = inside & (rank[1:] <= rank[:-1])
        harmless = HARMLESS if (score[1:] == score[:-1])[wrong].all() else ""
        so = f"rank order is not file order{harmless}"
        yield from problem("rank-file-order", rows[1:][wrong], "the rank does not rise down the file", so)
        rows, inside = by_topic(run, run.rank)
        score, rank = run.score[rows], run.rank[rows]
        # strictly worse: equal ranks do not say which is better
        worse = rows[1:][inside & (score[1:] > score[:-1]) & (rank[1:] > rank[:-1])]
        yield from problem("rank-order", worse, "a worse rank has a better score", "rank order is not score order")

    def _unjudged(self, run: Run, system: int, depth: int) -> Iterator[Problem]:
        """Documents above the pool's depth that nobody judged: the run did not contribute, or not so deep."""
        panel = self.data.panel
        bounds = panel.offsets[:, system : system + 2].tolist()
        tops = [panel.codes[start : min(start + depth, stop)].astype(np.int64) for start, stop in bounds]
        unjudged = [codes[panel.grade[panel.pool[t] + codes] < 0] for t, codes in enumerate(tops)]
        first = next((t for t, codes in enumerate(unjudged) if len(codes)), None)
        if first is not None:
            assert isinstance(panel.document_names, PoolNames)
            where = run.where(panel.document_names.row_of(run, first, int(unjudged[first][0])))
            counts = f"{sum(map(len, unjudged))} of the {sum(map(len, tops))} documents in the first {depth} ranks"
            yield "outside-pool", where, f"{counts} are not judged: did this run contribute to the pool?"


def rank_derived_scores(run: Run) -> Iterator[Problem]:
    """Scores that say no more than the rank: constant, or a function of the position in the list."""
    rows, inside = by_topic(run)
    starts = np.concatenate([[0], np.flatnonzero(~inside) + 1])
    reason = no_more_than_rank(run.score[rows], np.diff(np.append(starts, len(rows))))
    if reason == CONSTANT:
        yield "constant-scores", run.where(0), f"every score is {run.score[rows[0]]:g}: ties decide the whole order"
    elif reason:
        yield "rank-derived-scores", run.where(0), f"{reason}: they say no more than the rank"


def first_tie(run: Run, panel: Panel) -> str | None:
    """The place of the first document in the file that has the score of another one of its list."""
    rows, inside = by_topic(run)
    scores = as_compared(run.score, panel)
    if bool((inside & (scores[rows][1:] > scores[rows][:-1])).any()):
        # scores rise down the file: bring equal ones together
        rows, inside = by_topic(run, scores)
    same = np.flatnonzero(inside & (scores[rows][1:] == scores[rows][:-1]))
    return run.where(int(rows[same].min())) if len(same) else None


def by_topic(run: Run, *keys: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Rows with the lists of each topic together, and whether a row's successor is of its topic.

    The rows of a topic are sorted by a key, or else as in the file.
    """
    topic = np.repeat(run.segment_topic, np.diff(run.segment_row))
    rows = np.lexsort((*keys, topic))
    return rows, topic[rows][1:] == topic[rows][:-1]
