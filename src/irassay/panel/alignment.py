"""Judgments and runs into a `Panel`: topics, order and ties, duplicates, depth, each by a named policy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import kernels
from irassay.compute.threads import cores
from irassay.errors import InputError, IrassayWarning, emit
from irassay.panel.constants import DROPPED, FRESH
from irassay.panel.coverage import count, evaluated_topics, refuse_bad_ranks, repeated_documents
from irassay.panel.grades import POOLED, UNPOOLED
from irassay.panel.ordering import Placement, Segments, list_offsets
from irassay.panel.panel import Panel, parse_gains
from irassay.read.batch import Rows
from irassay.read.columns import Columns
from irassay.read.constants import BY_KEY, BY_NAME, INLINE, NO_KEY
from irassay.read.memory import judgment_block
from irassay.read.names import packed
from irassay.read.qrels import Qrels, read_qrels
from irassay.read.run import Run
from irassay.read.runs import Runs, read_runs
from irassay.read.vocabulary import Vocabulary, text
from irassay.settings import NEGATIVE, ORDERS

UNLIMITED = 2**62
CHOICES = {
    "order": ORDERS,
    "duplicates": ("error", "first"),
    "negative": NEGATIVE,
    "unanswerable": ("zero", "drop"),
    "ties": ("name", "best", "worst"),
}


@dataclass(frozen=True)
class PoolNames:
    """Names of a panel's pool entries: where they stand in the vocabularies."""

    code: NDArray[np.int32]  # by entry of the runs' vocabulary
    evaluated: NDArray[np.int32]  # by topic of the runs' vocabulary
    runs: Vocabulary
    qrels: Vocabulary
    judged_place: NDArray[np.int64]
    judged: NDArray[np.int64]

    def places(self, pool: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The entries of the runs' vocabulary that are in a pool, and their places there."""
        topic = self.evaluated[self.runs.topic]
        entries = np.flatnonzero((topic >= 0) & (self.code >= 0))
        return entries, pool[topic[entries]] + self.code[entries]

    def names(self, panel: Panel) -> list[bytes]:
        names: NDArray[np.object_] = np.empty(len(panel.grade), dtype=object)
        names[self.judged_place] = self.qrels.names(self.judged)
        entries, places = self.places(panel.pool)
        names[places] = self.runs.names(entries)
        listed: list[bytes] = names.tolist()
        return listed

    def names_of(self, panel: Panel, entries: NDArray[np.int64]) -> list[bytes]:
        """The names of some of them: of millions all would take long."""
        judged, retrieved = np.full((2, len(panel.grade)), -1, dtype=np.int64)
        judged[self.judged_place] = self.judged
        of_runs, places = self.places(panel.pool)
        retrieved[places] = of_runs
        names: NDArray[np.object_] = np.empty(len(entries), dtype=object)
        for known, vocabulary in ((judged[entries], self.qrels), (retrieved[entries], self.runs)):
            names[known >= 0] = vocabulary.names(known[known >= 0])
        listed: list[bytes] = names.tolist()
        return listed

    def words(self, panel: Panel) -> NDArray[np.uint64] | None:
        """Names as four words whose order is byte order [pool entries, 4], or None where some are too long for that."""
        words = np.empty((len(panel.grade), 4), dtype=np.uint64)
        words[self.judged_place] = self.qrels.record[self.judged]
        entries, places = self.places(panel.pool)
        words[places] = self.runs.record[entries]
        words[:, 3] >>= np.uint64(32)  # the length; below it is who had the name last
        return None if (words[:, 3] > INLINE).any() else words

    def row_of(self, run: Run, topic: int, code: int) -> int:
        """The row of a run's file that put a document, given by its code, into the list of a topic."""
        of_row = np.repeat(self.evaluated[run.segment_topic], np.diff(run.segment_row))
        return int(np.flatnonzero((self.code[run.entry] == code) & (of_row == topic))[0])


def align(
    qrels: Any,
    runs: Any,
    *,
    order: str | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: str = "error",
    negative: str = "unjudged",
    unanswerable: str = "zero",
    gains: str | Mapping[int, float] | None = None,
    residual: Any = None,
    drop_self: bool = False,
    ties: str = "name",
    keep_scores: bool = False,
    jobs: int | None = None,
) -> Panel:
    """Join judgments and runs; both may also be what `read_qrels` and `read_runs` take.

    The policies are those of the command line (`irassay.settings.Alignment`). `ties` other than 'name' order tied
    documents by grade: the 'best' and 'worst' a list could have scored where gains rise with grades. `keep_scores`
    keeps the retrieval scores beside the lists.
    """
    own = not isinstance(runs, Runs)
    if not isinstance(qrels, Qrels):
        qrels = read_qrels(qrels, duplicates=duplicates)
    if not isinstance(runs, Runs):
        needed = keep_scores or order == "trec9" or ties != "name" or bool(residual) or drop_self
        runs = read_runs(runs, keep_scores=needed)
    if residual is not None and not isinstance(residual, Qrels):
        residual = read_qrels(residual, duplicates=duplicates)
    order = order or qrels.run_order
    policy = {
        "order": order,
        "depth": depth,
        "duplicates": duplicates,
        "negative": negative,
        "unanswerable": unanswerable,
        "residual": residual.path if residual else None,
        "drop_self": drop_self,
    }
    for name, value in {**policy, "ties": ties}.items():
        if name in CHOICES and value not in CHOICES[name]:
            raise InputError(f"{name} is {value!r}", hint=f"{name} is one of {', '.join(CHOICES[name])}")
    if depth is not None and depth < 1:
        raise InputError(f"depth is {depth}", hint="depth counts ranks from 1")
    jobs = jobs or cores()
    grades = tuple(np.flatnonzero(np.bincount(qrels.grade[np.flatnonzero(qrels.grade > 0)])).tolist())
    gain_of_grade = parse_gains(gains, grades)
    warnings = list(repeated_documents(runs, duplicates))
    refuse_bad_ranks(runs, order)

    graded = np.where(qrels.grade < 0, 0 if negative == "nonrelevant" else POOLED, qrels.grade).astype(np.int8)
    code, kept = _without_residual(qrels, runs, residual)
    if drop_self:
        warnings += _drop_self(runs, code)
    chosen = evaluated_topics(qrels, runs, graded, kept, topics, unanswerable, warnings)
    pool, grade, names = _pools(qrels, runs, graded, kept, chosen, code, jobs)
    if own:
        runs.vocabulary.close()

    complete = residual is None and not drop_self
    segments = Segments(runs.runs, names.evaluated)
    offsets = list_offsets(np.minimum(segments.lengths(code, len(chosen), complete), depth or UNLIMITED))
    codes = np.empty(int(offsets[-1, -1]), dtype=np.uint16 if np.diff(pool).max(initial=0) <= 65535 else np.uint32)
    scores = np.empty(len(codes)) if keep_scores else None
    key = NO_KEY if ties == "name" else _tie_key(names, pool, grade, -1 if ties == "worst" else 1)
    tied = BY_NAME if ties == "name" else BY_KEY
    lists = Placement(order, tied, key, code, complete, runs.vocabulary, offsets, codes, scores, own)
    lists.place_all(segments, jobs)
    emit(warnings)
    return Panel(
        systems=runs.names,
        topics=tuple(map(text, chosen)),
        offsets=offsets,
        codes=codes,
        pool=pool,
        grade=grade,
        grades=grades,
        gains=gain_of_grade,
        scores=scores,
        warnings=tuple(warnings),
        policy=policy,
        document_names=names,
        aliases=runs.aliases,
    )


def _without_residual(qrels: Qrels, runs: Runs, residual: Qrels | None) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Codes of the runs' entries, for now FRESH or DROPPED, and which judgments are kept: those not in `residual`."""
    code = np.full(len(runs.vocabulary), FRESH, dtype=np.int32)
    kept = np.ones(len(qrels), dtype=np.bool_)
    if residual is not None:
        known = residual.grade >= 0
        for vocabulary, mark, dropped in ((runs.vocabulary, code, DROPPED), (qrels.vocabulary, kept, False)):
            entries = vocabulary.find(residual.vocabulary)[known]
            mark[entries[entries >= 0]] = dropped
    return code, kept


def _drop_self(runs: Runs, code: NDArray[np.int32]) -> list[IrassayWarning]:
    """Leave out of the runs each document that has the name of its topic: in BEIR's ArguAna and Quora topics are
    documents, and evaluations ignore that they find themselves."""
    topics = packed(runs.vocabulary.topics, "topic", "runs")
    own = Vocabulary()
    own.add(Rows.of([judgment_block(Columns(topics, topics, np.zeros(topics.rows)), "runs")]))
    entries = runs.vocabulary.find(own)
    code[entries[entries >= 0]] = DROPPED
    topics_with_one = int(np.count_nonzero(entries >= 0))
    what = f"dropped the document that is called like its topic from the lists of {count(topics_with_one, 'topic')}"
    return [IrassayWarning("self-documents", what)]


def _pools(
    qrels: Qrels,
    runs: Runs,
    graded: NDArray[np.int8],
    kept: NDArray[np.bool_],
    chosen: Sequence[bytes],
    code: NDArray[np.int32],
    jobs: int,
) -> tuple[NDArray[np.int64], NDArray[np.int8], PoolNames]:
    """Where each topic's pool starts, the grades of its entries, and their names; `code` gets places in the pools.

    Judged documents come first, in byte order of their ids.
    """
    number = {name: t for t, name in enumerate(chosen)}
    evaluated = np.array([number.get(name, -1) for name in runs.vocabulary.topics], dtype=np.int32)
    judged, counts = _judged(qrels, kept, chosen)
    position = np.arange(len(judged)) - np.repeat(np.cumsum(counts) - counts, counts)
    sizes = counts.copy()
    entries = runs.vocabulary.find(qrels.vocabulary, jobs)[judged]
    pools = kernels("irassay.panel._pool", plain="irassay.panel.plain_pool")
    pools.number_pool(entries, position, runs.vocabulary.topic, evaluated, sizes, code)
    pool = np.concatenate([[0], np.cumsum(sizes)])
    grade = np.full(int(pool[-1]), UNPOOLED, dtype=np.int8)
    judged_place = position + np.repeat(pool[:-1], counts)
    grade[judged_place] = graded[judged]
    return pool, grade, PoolNames(code, evaluated, runs.vocabulary, qrels.vocabulary, judged_place, judged)


def _tie_key(names: PoolNames, pool: NDArray[np.int64], grade: NDArray[np.int8], direction: int) -> NDArray[np.int8]:
    """Tied documents by grade; unjudged ones below 0, for measures that count them."""
    key = np.zeros(len(names.code), dtype=np.int8)
    entries, places = names.places(pool)
    key[entries] = np.maximum(grade[places], POOLED) * direction
    return key


def _judged(
    qrels: Qrels, kept: NDArray[np.bool_], chosen: Sequence[bytes]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The judged documents that are kept, topic by topic in byte order of their ids, and how many each topic has."""
    size = qrels.vocabulary.sizes
    ends = np.cumsum(size).tolist()
    numbers = [qrels.vocabulary.topics[name] for name in chosen]
    counts = size[numbers]
    judged = np.concatenate([qrels.order[ends[q] - n : ends[q]] for q, n in zip(numbers, counts.tolist(), strict=True)])
    if not kept.all():
        still = kept[judged]
        counts = np.bincount(np.repeat(np.arange(len(chosen)), counts)[still], minlength=len(chosen))
        judged = judged[still]
    return judged, counts
