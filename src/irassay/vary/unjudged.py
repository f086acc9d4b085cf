"""Judgments that are missing, drawn: what would have been found had every retrieved document been judged.

A document without a judgment is relevant with its probability, and has at least each higher grade with another one. In
a replicate, documents of one topic share a shift of their log odds, and so do those that one group ranks best. Draws
depend on the seed, the topic, the document and the replicate alone: what moves with the runs are the probabilities. No
document is drawn that no run retrieved.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit, ndtri

from irassay.ask.logistic import centred
from irassay.ask.pairs import Array
from irassay.compute.executor import Plan
from irassay.compute.philox import words
from irassay.errors import InputError, IrassayWarning, emit
from irassay.panel.panel import Panel
from irassay.read.groups import read_groups
from irassay.read.probabilities import Probabilities, read_probabilities
from irassay.read.vocabulary import raw
from irassay.scoring.grade_lanes import GradeRows
from irassay.scoring.lanes import LANES
from irassay.streams import (
    SECOND_UNJUDGED_GRADES,
    SECOND_UNJUDGED_GROUPS,
    SECOND_UNJUDGED_TOPICS,
    UNJUDGED_GRADES,
    UNJUDGED_GROUPS,
    UNJUDGED_TOPICS,
)
from irassay.vary._unjudged import draw_grades
from irassay.vary.blocks import replicate_chunk
from irassay.vary.regraded import Grades, RegradedScores
from irassay.vary.relevance import Ints, Model
from irassay.vary.variation import Observed, Variation

STREAMS = (
    (UNJUDGED_GRADES, UNJUDGED_TOPICS, UNJUDGED_GROUPS),
    (SECOND_UNJUDGED_GRADES, SECOND_UNJUDGED_TOPICS, SECOND_UNJUDGED_GROUPS),
)
SHARE = 2.0**-32
NOTHING_MISSING = "every document that the runs retrieve is judged"
NOTHING_LEARNED = "the judged documents of the runs are all relevant or all not, so nothing says what the others are"


@dataclass(frozen=True, eq=False)
class Missing:
    """The documents without a judgment, and how likely each is relevant."""

    entries: Ints  # places along the pools of the panel
    level: Grades  # the relevant grades
    chance: Array  # of at least each of these [levels, entries]
    leader: Ints  # the group that ranks a document best
    alone: NDArray[np.bool_]  # whether it alone ranks it high
    groups: tuple[str, ...] = ("",)
    topic_deviation: float = 0.0  # of log odds, which the documents of a topic share
    group_deviation: float = 0.0  # and those that a group ranks best
    alone_deviation: float = 0.0  # and those that it alone ranks high, instead

    @property
    def probability(self) -> Array:
        """Of relevance."""
        return np.asarray(self.chance[0])

    @property
    def shares(self) -> Array:
        """The chance of each grade alone, where a document is relevant [levels, entries]."""
        exactly = self.chance - np.concatenate([self.chance[1:], np.zeros((1, len(self.entries)))])
        return np.asarray(exactly / np.maximum(self.probability, np.finfo(np.float64).tiny))

    @cached_property
    def odds(self) -> Array:
        """The odds against at least each grade, before what a topic and a group share."""
        with np.errstate(divide="ignore"):
            log_odds = np.asarray(logit(self.chance))
        alone, sure = np.broadcast_to(self.alone, log_odds.shape), np.isinf(log_odds)
        for members, deviation in ((alone, self.alone_deviation), (~alone, self.group_deviation)):
            here = members & ~sure
            log_odds[here] = centred(log_odds[here], float(np.hypot(self.topic_deviation, deviation)))
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(-log_odds))


@dataclass(frozen=True, eq=False)
class DrawnJudgments(RegradedScores):
    """Scores where the missing judgments are drawn."""

    missing: Missing
    key: NDArray[np.uint64]  # of each missing document
    replicates: int
    seed: int
    independent: int = 0

    def __post_init__(self) -> None:
        chunk = replicate_chunk(len(self.measures), len(self.panel.topics), len(self.systems))
        object.__setattr__(self, "chunk", chunk)

    @property
    def units(self) -> int:
        return self.replicates

    @cached_property
    def known(self) -> Grades:
        """The grades along the pools with every missing judgment as nonrelevant."""
        out = self.panel.grade.copy()
        out[self.missing.entries] = 0
        return out

    @cached_property
    def odds(self) -> Array:
        return self.missing.odds

    def _factors(self, stream: int, name: str, deviation: float, first: int) -> Array:
        """What odds against are multiplied by in 32 replicates, by what topic or group `name` shares."""
        if deviation == 0.0:
            return np.ones(LANES)
        drawn = words(LANES, seed=self.seed, stream=stream, replicate=key_of(name), position=first)
        return np.asarray(np.exp(-deviation * ndtri((drawn + 0.5) * SHARE)))

    def topic_grades(self, first: int, lanes: int, topic: int) -> GradeRows:
        low, high = int(self.panel.pool[topic]), int(self.panel.pool[topic + 1])
        rows = np.repeat(self.known[low:high, None], LANES, axis=1)
        missing = self.missing
        here = slice(*np.searchsorted(missing.entries, (low, high)).tolist())
        grades, topics, groups = STREAMS[self.independent]
        of_lead = np.stack(
            [
                self._factors(groups, name, deviation, first)
                for deviation in (missing.group_deviation, missing.alone_deviation)
                for name in missing.groups
            ]
        )
        draw_grades(
            rows.reshape(-1),
            missing.entries[here] - low,
            self.key[here],
            np.ascontiguousarray(self.odds[:, here]),
            missing.leader[here] + len(missing.groups) * missing.alone[here],
            self._factors(topics, self.panel.topics[topic], missing.topic_deviation, first),
            of_lead,
            missing.level,
            np.uint64(self.seed),
            np.uint32(grades),
            np.int64(first),
        )
        return rows


def key_of(*names: str) -> int:
    """A 64-bit number for a group, a topic, or a document of a topic, so that others in the call change nothing."""
    return int.from_bytes(hashlib.blake2b(b"\0".join(map(raw, names)), digest_size=8).digest(), "big")


def drawn_judgments(
    observed: Observed, missing: Missing, *, replicates: int, seed: int, independent: int = 0
) -> DrawnJudgments:
    """The plan that draws them."""
    panel = observed.lists
    key = np.empty(len(missing.entries), dtype=np.uint64)
    for t, topic in enumerate(panel.topics):
        low, high = int(panel.pool[t]), int(panel.pool[t + 1])
        here = slice(*np.searchsorted(missing.entries, (low, high)).tolist())
        documents = panel.documents(topic) if here.stop > here.start else ()
        key[here] = [key_of(topic, documents[entry - low]) for entry in missing.entries[here].tolist()]
    plain = panel.minimal
    return DrawnJudgments(plain, observed.systems, observed.bases, missing, key, replicates, seed, independent)


def unjudged_entries(panel: Panel) -> Ints:
    """The places along the pools of documents that some run retrieves and nobody judged."""
    bases = np.repeat(panel.pool[:-1], panel.offsets[:, -1] - panel.offsets[:, 0])
    held = np.zeros(len(panel.grade), dtype=np.bool_)
    held[bases + panel.codes] = True
    return np.flatnonzero(held & (panel.grade < 0))


def named_probabilities(panel: Panel, probabilities: Probabilities, path: str) -> Missing:
    """What a file says of the documents without a judgment; those that it does not name are not relevant.

    Relevant ones have a grade as often as relevant documents of the judgments have it.
    """
    entries = unjudged_entries(panel)
    probability, named = np.zeros(len(panel.grade)), np.zeros(len(panel.grade), dtype=np.bool_)
    for t, topic in enumerate(panel.topics):
        own = probabilities.get(topic, {})
        for code, document in enumerate(panel.documents(topic) if own else ()):
            if document in own:
                probability[panel.pool[t] + code], named[panel.pool[t] + code] = own[document], True
    absent = int((~named[entries]).sum())
    if absent == len(entries):
        raise InputError(
            "no document that is named here is retrieved and not judged",
            path,
            "topic and document ids must be equal as text",
        )
    if absent:
        what = f"{absent:,} of {len(entries):,} unjudged documents have no probability, and count as not relevant"
        emit([IrassayWarning("no-probability", what, path)])
    relevant = np.bincount(panel.grade[panel.grade >= 1], minlength=2)
    level = np.flatnonzero(relevant).astype(np.int8) if relevant.any() else np.ones(1, dtype=np.int8)
    above = np.cumsum(relevant[level][::-1])[::-1] / max(1, relevant.sum()) if relevant.any() else np.ones(1)
    nobody = np.zeros(len(entries), dtype=np.int64)
    return Missing(entries, level, above[:, None] * probability[entries], nobody, nobody > 0)


def learned_probabilities(model: Model, groups: Sequence[str], entries: Ints | None = None) -> Missing:
    """What the judged documents say of the others, or of these alone."""
    entries = model.missing if entries is None else entries
    return Missing(
        entries,
        model.levels,
        model.chance(entries),
        model.evidence.leader[entries],
        model.evidence.alone[entries],
        tuple(groups),
        model.topic_deviation,
        model.group_deviation,
        model.alone_deviation,
    )


@dataclass(frozen=True, kw_only=True)
class Unjudged(Variation):
    """The judgments that are missing."""

    probabilities: str | None = None
    groups: str | None = None
    judged_depth: int | None = None
    name = "unjudged"
    kind = "model"
    mechanism = "documents without a judgment drawn as relevant by their probabilities, the same for all systems"
    limits = "Documents that no run retrieves stay unknown; probabilities come from the documents that were judged."

    def model(self, panel: Panel, jobs: int = 1) -> tuple[Model, tuple[str, ...]]:
        """What the judged documents say, and the names of the groups; a system without a group is its own."""
        known = self._models.get(id(panel))
        if known is not None:
            return known
        groups = read_groups(Path(self.groups), panel.aliases) if self.groups else {}
        own = [groups.get(system, system) for system in panel.systems]
        names = tuple(dict.fromkeys(own))
        place = {name: k for k, name in enumerate(names)}
        learned = Model(panel, tuple(place[name] for name in own), self.judged_depth, jobs), names
        self._models[id(panel)] = learned  # which keeps the panel, so that no other one can have its number
        return learned

    @cached_property
    def _models(self) -> dict[int, tuple[Model, tuple[str, ...]]]:
        """What was learned, by panel."""
        return {}

    def missing(self, panel: Panel, jobs: int = 1) -> Missing:
        """The documents without a judgment, and how likely each is relevant."""
        if self.probabilities is not None:
            return named_probabilities(panel, read_probabilities(Path(self.probabilities)), str(self.probabilities))
        return learned_probabilities(*self.model(panel, jobs))

    def unusable(self, observed: Observed) -> str:
        panel = observed.lists
        if not len(unjudged_entries(panel)):
            return NOTHING_MISSING
        if self.probabilities is None and len(set((panel.grade[panel.grade >= 0] >= 1).tolist())) < 2:
            return NOTHING_LEARNED
        return ""

    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        return drawn_judgments(
            observed, self.missing(observed.lists), replicates=self.replicates, seed=self.seed, independent=independent
        )
