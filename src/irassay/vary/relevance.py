r"""How likely is a document relevant that nobody judged: from where lists put it, and what is judged around it there.

Logistic regression on the documents that were judged because they were pooled, over all lists: the logarithm of the
best rank, the logarithm of how many lists hold the document, the logarithm of the sum of 1/(10 + rank) over these, the
mean by these weights of how good their runs are (log odds of the share of relevant ones among their judged documents,
by 1/(10 + rank)²), and the log odds of the share of relevant ones among the judged documents within 5 ranks, shrunk
towards the topic's share. The chance of at least a higher grade is learned alike, with that grade in place of
relevance. Documents of one topic err together, and so do those that one group ranks best, most of all where it alone
ranks them high; the deviations are measured on judgments that are hidden from the regression.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from irassay.ask.logistic import Fit, fit, group_deviation, left_out_chances
from irassay.ask.pairs import Array
from irassay.compute.threads import parallel_for
from irassay.panel.grades import UNPOOLED
from irassay.panel.panel import Panel
from irassay.vary._unjudged import add_quality, neighbours

WIDTH = 5  # ranks above and below that are looked at
SHRINK = 5.0  # judged documents that the topic's own share counts for
LEAST = 0.01  # weight of a relevant and of another document that every run is taken to have: little over one at the top
FOLDS = 10  # of topics
ALONE = 2  # a group leads where no other has the document up to so many times its best rank
FEATURES = ("log best rank", "log lists", "log sum of 1/(10 + rank)", "quality of the runs", "relevant nearby")
Ints = NDArray[np.int64]
Grades = NDArray[np.int8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Evidence:
    """What lists and grades say of each entry of the pools [entries]."""

    columns: Array  # [entries, FEATURES]
    lists: Ints  # that hold it
    best: Ints  # its best rank, 0 where no list holds it
    leader: Ints  # the group that ranks it best, -1: no list holds it
    alone: Mask  # whether that group alone ranks it high
    topic: Ints
    grade: Grades
    level: int  # the lowest grade that counts as relevant

    @classmethod
    def of(cls, panel: Panel, grade: Grades, group: Sequence[int], *, level: int = 1, jobs: int = 1) -> Evidence:
        """Of the grades of a panel's pools; `group` is that of each system, `level` the lowest grade that counts."""
        entries, topics = len(grade), len(panel.topics)
        lists, best, other, lead, relevant, judged = np.zeros((6, entries), dtype=np.int64)
        high, quality = np.zeros((2, entries))
        by_topic = np.zeros((topics, len(group), 2))
        groups = np.asarray(group, dtype=np.int64)

        def add(t: int) -> None:
            here = slice(int(panel.pool[t]), int(panel.pool[t + 1]))
            sums = lists[here], best[here], other[here], lead[here], relevant[here], judged[here], high[here]
            neighbours(panel.codes, panel.offsets, t, grade[here], level, groups, WIDTH, *sums, by_topic[t])

        parallel_for(add, range(topics), jobs)
        good_weight, all_weight = by_topic.sum(axis=0).T
        of_system = np.asarray(logit((good_weight + LEAST) / (all_weight + 2 * LEAST)))

        def add_more(t: int) -> None:
            add_quality(panel.codes, panel.offsets, t, of_system, quality[panel.pool[t] : panel.pool[t + 1]])

        parallel_for(add_more, range(topics), jobs)
        topic = np.repeat(np.arange(topics), np.diff(panel.pool))
        known = np.bincount(topic[grade >= 0], minlength=topics)
        good = np.bincount(topic[grade >= level], minlength=topics)
        share = ((good + 0.5) / (known + 1.0))[topic]
        columns = np.column_stack(
            [
                np.log(np.maximum(best, 1)),
                np.log(np.maximum(lists, 1)),
                np.log(np.where(lists > 0, high, 1.0)),
                quality / np.where(lists > 0, high, 1.0),
                logit((relevant + SHRINK * share) / (judged + SHRINK)),
            ]
        )
        alone = (best > 0) & ((other == 0) | (other >= ALONE * best))
        return cls(columns, lists, best, np.where(best > 0, lead, -1), alone, topic, grade, level)

    @property
    def judged(self) -> Ints:
        """The entries that chances are learned from: judged, and in some list."""
        return np.flatnonzero((self.grade >= 0) & (self.lists > 0))

    def learned(self) -> Fit:
        return fit(self.columns[self.judged], self.grade[self.judged] >= self.level)


def pooled_depth(best: Ints, grade: Grades) -> int:
    """The rank down to which documents were judged because lists have them there.

    At the next two best ranks less than half as many of the documents are judged as at the first one.
    """
    held = best > 0
    deepest = int(best.max(initial=0))
    there = np.bincount(best[held], minlength=deepest + 3)[1:]
    judged = np.bincount(best[held & (grade >= 0)], minlength=deepest + 3)[1:]
    share = judged / np.maximum(there, 1)
    few = share < share[0] / 2
    return int(np.argmax(few[:-1] & few[1:])) or 1


@dataclass(frozen=True, eq=False)
class Model:
    """Chances of relevance of the documents in a panel's lists."""

    panel: Panel
    group: tuple[int, ...]  # of each system
    depth: int | None = None  # to which documents were pooled; None: seen from the judgments
    jobs: int = 1

    def _evidence(self, hidden: Mask | None = None, level: int = 1) -> Evidence:
        grade = self.panel.grade if hidden is None else np.where(hidden, np.int8(UNPOOLED), self.panel.grade)
        return Evidence.of(self.panel, grade, self.group, level=level, jobs=self.jobs)

    @cached_property
    def whole(self) -> Evidence:
        """With all judgments."""
        return self._evidence()

    @cached_property
    def pool_depth(self) -> int:
        return self.depth or pooled_depth(self.whole.best, self.whole.grade)

    @cached_property
    def beyond(self) -> Mask:
        """Judged entries that pooling does not explain: what was judged for another reason is no sample."""
        return np.asarray((self.whole.grade >= 0) & (self.whole.best > self.pool_depth))

    @cached_property
    def evidence(self) -> Evidence:
        """With the judgments that pooling explains."""
        return self._evidence(self.beyond) if self.beyond.any() else self.whole

    @cached_property
    def missing(self) -> Ints:
        """The entries without a judgment, all of which some list holds."""
        return np.flatnonzero((self.whole.grade < 0) & (self.whole.lists > 0))

    @cached_property
    def fit(self) -> Fit:
        return self.evidence.learned()

    @cached_property
    def relevant(self) -> Mask:
        """Of the entries that chances are learned from."""
        return np.asarray(self.evidence.grade[self.evidence.judged] >= 1)

    @cached_property
    def left_out(self) -> Array:
        """Chances of the entries that chances are learned from, each topic's from other topics."""
        judged = self.evidence.judged
        columns, topic = self.evidence.columns[judged], self.evidence.topic[judged]
        return np.asarray(expit(left_out_chances(columns, self.relevant, topic, FOLDS)))

    @cached_property
    def deeper(self) -> Mask:
        """Judged entries in the lower part of the pools, which are predicted from the upper part."""
        upper = math.isqrt(self.pool_depth)
        return np.asarray((self.evidence.grade >= 0) & (self.evidence.best > upper))

    @cached_property
    def led(self) -> Mask:
        """Judged entries that one group alone ranks high, which are predicted from the others."""
        return np.asarray((self.evidence.grade >= 0) & self.evidence.alone)

    def hidden_chances(self, hidden: Mask) -> tuple[Array, Mask]:
        """Chances of judged entries whose judgments are hidden, and whether they are relevant."""
        evidence = self._evidence(hidden | self.beyond)
        places = np.flatnonzero(hidden)
        return evidence.learned().chance(evidence.columns[places]), self.evidence.grade[places] >= 1

    @cached_property
    def topic_deviation(self) -> float:
        """How far log odds of whole topics lie from what is said of them, of documents deeper than those known."""
        return self._deviation(self.deeper, self.evidence.topic)

    @cached_property
    def alone_deviation(self) -> float:
        """How far log odds of the documents that a group alone ranks high lie from what is said of them."""
        return self._deviation(self.led, self.evidence.leader)

    @cached_property
    def group_deviation(self) -> float:
        """The same of the other documents that a group ranks best, each topic's from other topics."""
        judged = self.evidence.judged
        shared = ~self.evidence.alone[judged]
        if not shared.any():
            return 0.0
        return group_deviation(self.left_out[shared], self.relevant[shared], self.evidence.leader[judged][shared])

    def _deviation(self, hidden: Mask, group: Ints) -> float:
        known = np.bincount(self.evidence.grade[(self.evidence.grade >= 0) & ~hidden] >= 1, minlength=2)
        if hidden.any() and known.all():
            return group_deviation(*self.hidden_chances(hidden), group[hidden])
        # nothing to predict, or nothing to learn from: as far as the topics that are left out say it
        return group_deviation(self.left_out, self.relevant, group[self.evidence.judged])

    @cached_property
    def levels(self) -> Grades:
        """The relevant grades that chances are learned of."""
        return np.unique(self.evidence.grade[self.evidence.judged][self.relevant])

    def chance(self, entries: Ints) -> Array:
        """Chances of at least each of the `levels` [levels, entries]; of a higher one never larger."""
        higher = [self._evidence(self.beyond, level) for level in self.levels[1:].tolist()]
        own = [evidence.learned().chance(evidence.columns[entries]) for evidence in higher]
        return np.minimum.accumulate(np.stack([self.fit.chance(self.evidence.columns[entries]), *own]), axis=0)
