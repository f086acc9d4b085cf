"""Potential problems, each with its file and line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.errors import IrassayWarning
from irassay.panel.alignment import PoolNames
from irassay.panel.panel import Panel
from irassay.read import Run, Runs
from irassay.read.qrels import Qrels
from irassay.read.vocabulary import text
from irassay.result import Table
from irassay.studies.check.describe import by_topic, topic_of_rows

Problem = tuple[str, str, str]  # code, where, what
SHOWN = 20
EVEN = 0.99  # of the steps between scores alike: made of ranks
# Listed here run by run; the warning would only count them.
LISTED_HERE = ("duplicates", "missing-topics")


@dataclass(frozen=True)
class ProblemSearch:
    """All that is looked through for problems."""

    qrels: Qrels
    runs: Runs
    panel: Panel
    groups: Mapping[str, str] | None
    groups_path: str | None
    corpus_size: int | None
    pool_depth: int | None

    def problems(self, warnings: Sequence[IrassayWarning]) -> Table:
        """The table `problems`: what was warned of while reading and aligning, then what is found here."""
        rows: list[Problem] = [
            (w.code, w.where, w.what) for w in warnings if w.code not in LISTED_HERE or w.where == self.qrels.path
        ]
        rows += self._collection()
        for system, run in enumerate(self.runs):
            rows += self._repeats(run)
            rows += self._columns(run)
            rows += self._missing(run, system)
            rows += self._orders(run)
            rows += rank_derived_scores(run)
            if self.pool_depth:
                rows += self._unjudged(run, system, self.pool_depth)
        codes, places, whats = zip(*rows, strict=True) if rows else ((), (), ())
        caption = f"Problems: {len(rows)} found" if rows else "Problems: none found"
        return Table("problems", {"code": codes, "where": places, "what": whats}, caption)

    def _topic(self, number: int) -> str:
        return text(list(self.runs.vocabulary.topics)[number])

    def _collection(self) -> Iterator[Problem]:
        active = int(self.panel.document.max(initial=-1)) + 1
        if self.corpus_size is not None and active > self.corpus_size:
            what = f"{active} documents are retrieved or judged, more than the corpus of {self.corpus_size} holds"
            yield "corpus-size", "--corpus-size", what
        if self.groups is None or self.groups_path is None:
            return
        for run in self.runs:
            if run.name not in self.groups:
                yield "groups", run.path, f"system {run.name} is in no group of {self.groups_path}"
        unknown = [name for name in self.groups if name not in self.panel.systems]
        if unknown:
            yield "groups", self.groups_path, f"without a run: {_few(unknown)}"

    def _repeats(self, run: Run) -> Iterator[Problem]:
        for row in run.repeats[:SHOWN].tolist():
            problem = self.runs.repeat(run, row)
            yield "duplicates", problem.where, problem.what
        if len(run.repeats) > SHOWN:
            yield "duplicates", run.where(int(run.repeats[SHOWN])), f"{len(run.repeats) - SHOWN} more from here on"

    def _columns(self, run: Run) -> Iterator[Problem]:
        if run.tag is None and run.unit == "line":
            yield "tags", run.path, "the tag column is not constant, so the system is named by its file"
        if run.bad_rank:
            yield "ranks", f"{run.path}:{run.bad_rank}", "the rank is not a whole number"

    def _missing(self, run: Run, system: int) -> Iterator[Problem]:
        lengths = np.diff(self.panel.offsets, axis=1)[:, system]
        missing = [self.panel.topics[t] for t in np.flatnonzero(lengths == 0).tolist()]
        if missing:
            yield (
                "missing-topics",
                run.path,
                f"no documents, and so score 0, for {_topics(len(missing))}: {_few(missing)}",
            )

    def _orders(self, run: Run) -> Iterator[Problem]:
        """Where file order, score order and rank order contradict each other."""
        rows, inside = by_topic(run)
        topic = topic_of_rows(run)

        def problem(code: str, wrong: NDArray[np.int64], what: str, so: str) -> Problem:
            row = int(wrong.min())
            places = "1 place" if len(wrong) == 1 else f"{len(wrong)} places"
            return code, run.where(row), f"{what} in {places}, first in topic {self._topic(int(topic[row]))}: {so}"

        score = run.score[rows]
        rising = rows[1:][inside & (score[1:] > score[:-1])]
        if len(rising):
            yield problem("file-order", rising, "the score rises down the file", "file order is not score order")
        if run.rank is None or run.bad_rank:
            return
        rank = run.rank[rows]
        wrong = inside & (rank[1:] <= rank[:-1])
        if wrong.any():
            harmless = ", but only among tied documents" if (score[1:] == score[:-1])[wrong].all() else ""
            so = f"rank order is not file order{harmless}"
            yield problem("rank-file-order", rows[1:][wrong], "the rank does not rise down the file", so)
        rows = np.lexsort((run.rank, topic))
        inside = topic[rows][1:] == topic[rows][:-1]
        score, rank = run.score[rows], run.rank[rows]
        # strictly worse: equal ranks do not say which is better
        wrong = inside & (score[1:] > score[:-1]) & (rank[1:] > rank[:-1])
        if wrong.any():
            yield problem(
                "rank-order", rows[1:][wrong], "a worse rank has a better score", "rank order is not score order"
            )

    def _unjudged(self, run: Run, system: int, depth: int) -> Iterator[Problem]:
        """Documents above the pool's depth that nobody judged: the run did not contribute, or not so deep."""
        panel = self.panel
        holes = total = 0
        where = run.path
        for t in range(len(panel.topics)):
            first = int(panel.offsets[t, system])
            codes = panel.codes[first : min(first + depth, int(panel.offsets[t, system + 1]))].astype(np.int64)
            open_ = codes[panel.grade[panel.pool[t] + codes] < 0]
            if len(open_) and not holes:
                assert isinstance(panel.document_names, PoolNames)
                where = run.where(panel.document_names.row_of(run, t, int(open_[0])))
            total += len(codes)
            holes += len(open_)
        if holes:
            what = f"{holes} of the {total} documents in the first {depth} ranks are not judged"
            yield "outside-pool", where, f"{what}: did this run contribute to the pool?"


def _few(names: Iterable[str], most: int = 10) -> str:
    listed = list(names)
    return ", ".join(listed[:most]) + (f", … ({len(listed)} in all)" if len(listed) > most else "")


def _topics(n: int) -> str:
    return "1 topic" if n == 1 else f"{n} topics"


def rank_derived_scores(run: Run) -> Iterator[Problem]:
    """Scores that say no more than the rank: constant, or a function of the position in the list."""
    rows, inside = by_topic(run)
    starts = np.concatenate([[0], np.flatnonzero(~inside) + 1])
    sizes = np.diff(np.append(starts, len(rows)))
    if not (sizes > 2).any():
        return
    score = run.score[rows]
    if (score == score[0]).all():
        yield "constant-scores", run.where(0), f"every score is {score[0]:g}: ties decide the whole order"
        return
    longest = int(np.argmax(sizes))
    pattern = score[starts[longest] : starts[longest] + sizes[longest]]
    position = np.arange(len(rows)) - np.repeat(starts, sizes)
    repeated = (sizes > 2).sum() > 1 and bool((score == pattern[position]).all())
    with np.errstate(invalid="ignore"):  # two infinite scores
        step = np.diff(score)[inside]
        usual = np.sort(step)[len(step) // 2]
        # a few larger steps are documents that were taken out afterwards
        even = usual != 0 and np.isfinite(usual) and (np.abs(step - usual) <= 1e-9 * np.abs(usual)).mean() >= EVEN
    if repeated or even:
        why = "every topic has the same scores" if repeated else "scores change in equal steps"
        yield "rank-derived-scores", run.where(0), f"{why}: they say no more than the rank"
