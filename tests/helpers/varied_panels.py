"""A small collection that every variation can vary, and plain references of what replicates of it hold."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import irassay
from irassay.ask.replicates import Replicates
from irassay.compute.philox import words
from irassay.panel.grades import UNPOOLED
from irassay.scoring.scores import Scores
from irassay.streams import NONRELEVANT_JUDGMENTS, RELEVANT_JUDGMENTS
from irassay.vary.variation import Observed
from tests.helpers.scored_collections import collection

Floats = NDArray[np.float64]
# measures of one base apart from each other, so that places in blocks are not places in tables
MEASURES = "AP GM(AP) nDCG@10 AREA(AP) RR AP' infAP"
BASES = "AP nDCG@10 RR AP' infAP"
DROPPED = "3"  # the topic without a relevant document


def reduced_grades(panel: irassay.Panel, trial: int, keep: int, *, seed: int = 0) -> NDArray[np.int8]:
    """A reduction to `keep` per cent of the judgments, by sorting (sakai2008incomplete): 1 and 10 stay at least."""
    out = panel.grade.copy()
    for t, topic in enumerate(panel.topics):
        low, high = int(panel.pool[t]), int(panel.pool[t + 1])
        place = int.from_bytes(hashlib.sha256(topic.encode()).digest()[:6], "big") << 16 | trial
        for stream, relevant, least in ((RELEVANT_JUDGMENTS, True, 1), (NONRELEVANT_JUDGMENTS, False, 10)):
            grade = panel.grade[low:high]
            entries = np.flatnonzero(grade >= 1 if relevant else grade == 0)
            word = words(2 * len(entries), seed=seed, stream=stream, replicate=place).astype(np.uint64)
            order = entries[np.argsort(word[0::2] << np.uint64(32) | word[1::2], kind="stable")]
            out[low + order[max(least, len(order) * keep // 100) :]] = UNPOOLED
    return out


def files(systems: int = 6, topics: int = 9) -> tuple[dict[str, Any], dict[str, Any]]:
    """Judgments and runs: ties, unjudged documents, a copy of a run, and a topic without a relevant document."""
    qrels, runs = collection(topics=topics, depth=30, systems=systems - 1)
    qrels[DROPPED] = {document: min(grade, 0) for document, grade in qrels[DROPPED].items()}
    runs["copy"] = runs["s1"]
    return qrels, runs


def aligned(qrels: Any, runs: Any, **policy: Any) -> irassay.Panel:
    """A panel with its retrieval scores, and without a word about the topic that has no relevant document."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", irassay.IrassayWarning)
        return irassay.align(qrels, runs, keep_scores=True, **policy)


@cache
def whole_panel() -> irassay.Panel:
    return aligned(*files())


def observe(panel: irassay.Panel, measures: str = MEASURES, systems: Sequence[str] | None = None) -> Observed:
    """What a study sees: topics without a relevant document are left out."""
    scores = panel.score(measures)
    relevant = panel.judged_counts()[:, 1:].sum(axis=1)
    return Observed(scores.select(topics=np.array(panel.topics)[relevant > 0].tolist(), systems=systems), panel)


@cache
def observed() -> Observed:
    """Five of the six systems, eight of the nine topics."""
    return observe(whole_panel(), systems=("s0", "s1", "s2", "s3", "copy"))


def rescored(panel: irassay.Panel) -> Floats:
    """The scores of another panel [base, system, topic] on the systems and topics of `observed`."""
    scores = panel.score(BASES).select(systems=observed().scores.systems, topics=observed().scores.topics)
    return scores.values


def expanded(panel: irassay.Panel, copies: NDArray[Any], depth: int | None = None) -> irassay.Panel:
    """The panel with so many copies of each pool entry, next to each other; lists are cut behind `depth`."""
    codes: list[int] = []
    offsets, pool = panel.offsets.copy(), panel.pool.copy()
    for t in range(len(panel.topics)):
        here = copies[panel.pool[t] : panel.pool[t + 1]].astype(int)
        start = np.concatenate([[0], np.cumsum(here)])
        pool[t + 1] = pool[t] + start[-1]
        offsets[t, 0] = len(codes)
        for s in range(len(panel.systems)):
            listed = panel.codes[panel.offsets[t, s] : panel.offsets[t, s + 1]].tolist()
            written = [code for old in listed for code in range(start[old], start[old + 1])]
            codes += written[:depth]
            offsets[t, s + 1] = len(codes)
    grade = np.repeat(panel.grade, copies.astype(int))
    changed: dict[str, Any] = {
        "codes": np.array(codes, dtype=panel.codes.dtype),
        "offsets": offsets,
        "pool": pool,
        "grade": grade,
    }
    return replace(panel, scores=None, document_names=None, **changed)


def judged_only(panel: irassay.Panel, kept: set[tuple[int, int]]) -> irassay.Panel:
    """The panel with the judgments of these (topic, code) alone; the others count as not pooled."""
    grade = panel.grade.copy()
    for t in range(len(panel.topics)):
        for code in range(panel.pool[t + 1] - panel.pool[t]):
            if grade[panel.pool[t] + code] >= 0 and (t, code) not in kept:
                grade[panel.pool[t] + code] = UNPOOLED
    return replace(panel, grade=grade)


def pooled_by(panel: irassay.Panel, systems: Sequence[int], depth: int) -> set[tuple[int, int]]:
    """The (topic, code) that these systems have among their first documents."""
    return {
        (t, int(code))
        for t in range(len(panel.topics))
        for s in systems
        for code in panel.codes[panel.offsets[t, s] : panel.offsets[t, s + 1]][:depth]
    }


@dataclass(frozen=True)
class Reference:
    """What plain NumPy and SciPy make of topic scores of replicates."""

    means: Floats  # [measure, replicate, system]
    better: NDArray[np.int64]
    worse: NDArray[np.int64]
    changed: NDArray[np.int64]


def summary(values: Floats, name: str) -> Floats:
    """Of topic scores [system, topic]; AREA over two topics of eight."""
    if name.startswith("GM("):
        return np.asarray(np.exp(np.log(values + 1e-5).mean(axis=1)) - 1e-5)
    if name.startswith("AREA("):
        worst = np.sort(values, axis=1)[:, : max(1, values.shape[1] // 4)]
        return np.asarray(np.mean([worst[:, : k + 1].mean(axis=1) for k in range(worst.shape[1])], axis=0))
    return np.asarray(values.mean(axis=1))


def verdicts_on(values: Floats, name: str) -> list[int]:
    """Of all pairs of rows of [system, topic], by SciPy's paired t-test.

    Where all differences are 0 it has no p-value, and decides nothing; one and the same difference decides.
    """
    x, y = np.triu_indices(len(values), 1)
    if name.startswith("AREA("):
        return [0] * len(x)
    tested = np.log(values + 1e-5) if name.startswith("GM(") else values
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        test = stats.ttest_rel(tested[x], tested[y], axis=1)
    return np.where(test.pvalue < 0.05, np.sign(test.statistic), 0).astype(int).tolist()  # type: ignore[no-any-return]


def reference(scores: Scores, replicate_values: list[list[Floats]]) -> Reference:
    """From topic scores [measure][replicate] of [system, topic], where a topic drawn twice stands there twice."""
    pairs = len(scores.systems) * (len(scores.systems) - 1) // 2
    better, worse = np.zeros((2, len(scores), pairs), dtype=np.int64)
    means: list[list[Floats]] = []
    changed: list[list[list[int]]] = []
    for m, one in enumerate(scores.by_measure()):
        before = verdicts_on(one.values, one.name)
        means.append([summary(values, one.name) for values in replicate_values[m]])
        changed.append([])
        for values in replicate_values[m]:
            now = verdicts_on(values, one.name)
            better[m] += np.array(now) > 0
            worse[m] += np.array(now) < 0
            both = list(zip(before, now, strict=True))
            lost, gained = sum(a != 0 == b for a, b in both), sum(a == 0 != b for a, b in both)
            changed[-1].append([lost, gained, sum(a * b < 0 for a, b in both)])
    return Reference(np.array(means), better, worse, np.array(changed))


def by_measure(replicate_scores: Sequence[Floats], scores: Scores, weights: Any = None) -> list[list[Floats]]:
    """Scores of the bases [replicate][base, system, topic], ordered for `reference`; weights repeat topics."""
    bases = BASES.split()
    out = []
    for name in scores.measures:
        place = bases.index(name.partition("(")[2].rstrip(")") if name.startswith(("GM(", "AREA(")) else name)
        values = [one[place] for one in replicate_scores]
        if weights is not None:
            values = [np.repeat(one, times, axis=1) for one, times in zip(values, weights, strict=True)]
        out.append(values)
    return out


def assert_same(replicates: Replicates, expected: Reference) -> None:
    """Counts exactly, means to 1e-12."""
    np.testing.assert_allclose(replicates.means, expected.means, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(replicates.better, expected.better)
    np.testing.assert_array_equal(replicates.worse, expected.worse)
    np.testing.assert_array_equal(replicates.changed, expected.changed)
