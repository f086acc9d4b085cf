"""A test collection whose truth is known: a seeded model of topics, documents, judgments and systems.

In topic t, document d has for system s the score

    (θ_s + σ_b·b_t - η·z_t + σ_w·w_st + κ·[d highly relevant])·[d relevant] + √ρ·u_d + √γ·v_gd + √(1-ρ-γ)·e_sd

with standard normal b (how easy the topic is), z (log R = 4.45 + z), w (how well it suits the system), u (what all
systems see), v (what the systems of one group see) and e. θ_s is the system's strength. So runs overlap, topics differ,
systems interact with topics, and a **null pair**, two systems with equal parameters and different draws, has no true
difference at all. The lists are the best `depth` of `candidates` documents; what nobody pooled is not judged.

Every number is a function of (seed, corpus, topic, system): topics 51, 52, … are fresh topics of the same population,
and adding a system moves no other. Documents are drawn for each topic, so fresh topics bring their own documents.

`corpus` gives the same topics and systems other documents: u, v, e and the grades are drawn again, z, b, w and θ stay.
Documents are then drawn independently of each other, so R is binomial with the mean exp(4.45 + z); corpus 0 has the
mean itself, rounded.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irassay.compute.philox import words
from irassay.demo._kernels import fill_normals, permute
from irassay.errors import InputError
from irassay.streams import (
    DEMO_EASE,
    DEMO_FIT,
    DEMO_GRADES,
    DEMO_GROUP,
    DEMO_NAMES,
    DEMO_SHARED,
    DEMO_SIZE,
    DEMO_STRENGTH,
    DEMO_SYSTEM,
    DEMO_TRUTH,
)

CORPORA = 60_000  # numbers of corpora end here
ROUNDING = (0.0, 0.0, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 3e-3)  # steps of scores, as real systems have them


@dataclass(frozen=True)
class System:
    """A system's parameters; `number` picks its draws."""

    name: str
    number: int
    group: int
    strength: float
    step: float  # its scores are multiples of this; 0: all digits


@dataclass(frozen=True)
class Topic:
    """One topic of the population: grades of its relevant documents (they come first), how easy it is."""

    number: int
    grades: NDArray[np.int8]
    ease: float


@dataclass(frozen=True, kw_only=True)
class Model:
    """A population of topics and a set of systems."""

    systems: int = 30
    groups: int | None = None  # default: a third of the systems
    null_pairs: int = 2  # how many of the last systems are twins of an earlier one
    depth: int = 1000
    candidates: int | None = None  # documents that could be retrieved for a topic; default 16 per rank
    documents: int = 528_155
    pool_depth: int = 100
    seed: int = 0
    corpus: int = 0  # another number: the same topics and systems, other documents
    strength: float = 2.17
    shared: float = 0.7  # ρ
    grouped: float = 0.18  # γ
    topic_sd: float = 0.8  # σ_b
    fit_sd: float = 0.27  # σ_w
    crowding: float = 0.5  # η: the more documents are relevant, the less they stand out
    highly: float = 0.25  # κ

    def __post_init__(self) -> None:
        if self.systems < 1 or self.depth < 1 or self.pool_depth < 1:
            raise InputError("systems, depth and pool depth count from 1")
        if not 0 <= self.null_pairs <= self.systems // 2:
            raise InputError(f"{self.systems} systems have no {self.null_pairs} null pairs")
        if not self.depth <= self.size <= self.documents:
            raise InputError(f"{self.size} candidates: at least the depth, at most the {self.documents} documents")
        if not 0 <= self.corpus < CORPORA:
            raise InputError(f"there is no corpus {self.corpus}", hint=f"corpora are numbered from 0 to {CORPORA - 1}")

    @property
    def size(self) -> int:
        """How many documents compete for a topic's list."""
        return self.candidates if self.candidates is not None else min(16 * self.depth, self.documents)

    @cached_property
    def lineup(self) -> tuple[System, ...]:
        """The systems. The last ones are twins: an earlier system's parameters, with a group and draws of their own."""
        groups = self.groups or max(1, self.systems // 3)
        width = len(str(self.systems))
        systems: list[System] = []
        for number in range(self.systems):
            draw = (words(4, seed=self.seed, stream=DEMO_STRENGTH, replicate=number) + 0.5) / 2.0**32
            # many good systems and a tail of weak ones, as in real campaigns
            strength = self.strength - 0.42 * float(-math.log(draw[0])) + 0.25 * float(draw[1])
            step = ROUNDING[int(draw[2] * len(ROUNDING))]
            group = number % groups
            twin = number - (self.systems - self.null_pairs)
            if twin >= 0:
                strength, step, group = systems[twin].strength, systems[twin].step, groups + twin
            systems.append(System(f"sys{number + 1:0{width}d}", number, group, strength, step))
        return tuple(systems)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(system.name for system in self.lineup)

    def system(self, name: str) -> System:
        if name in self.names:
            return self.lineup[self.names.index(name)]
        raise InputError(f"there is no system {name!r}", hint=f"they are {self.names[0]} to {self.names[-1]}")

    @property
    def twins(self) -> tuple[tuple[str, str], ...]:
        """Pairs of systems without a true difference in any measure."""
        return tuple(zip(self.names, self.names[self.systems - self.null_pairs :], strict=False))

    def topic(self, number: int) -> Topic:
        """Topic 0, 1, 2, … of the population."""
        draw = self._normals(1, number, DEMO_SIZE)[0]
        expected = math.exp(4.45 + draw)
        if self.corpus:
            chance = min(0.25, expected / self.size)
            in_corpus = words(self.size, seed=self.seed, stream=DEMO_SIZE, replicate=self._drawn(number))
            expected = float(np.count_nonzero(in_corpus < chance * 2.0**32))
        relevant = int(min(self.size // 4, max(1, round(expected))))
        high = words(relevant, seed=self.seed, stream=DEMO_GRADES, replicate=self._drawn(number)) < 0.3 * 2.0**32
        ease = self.topic_sd * float(self._normals(1, number, DEMO_EASE)[0]) - self.crowding * float(draw)
        return Topic(number, 1 + high.astype(np.int8), ease)

    def edge(self, system: System, topic: Topic) -> NDArray[np.float64]:
        """How far the topic's relevant documents stand above the others, on average, for a system."""
        fit = float(self._normals(1, topic.number, DEMO_SYSTEM + system.number, purpose=DEMO_FIT)[0])
        base = system.strength + topic.ease + self.fit_sd * fit
        return np.asarray(base + self.highly * (topic.grades > 1), dtype=np.float64)

    def noise(self, system: System, topic: Topic) -> NDArray[np.float64]:
        """One draw of what all that is not relevance adds to a system's scores of the relevant documents."""
        return self._normals(len(topic.grades), topic.number, DEMO_TRUTH + system.number, purpose=DEMO_FIT)

    def scores(self, topic: Topic) -> Iterator[tuple[System, NDArray[np.float64]]]:
        """Each system's scores of all candidates, system after system; relevant documents first."""
        common = math.sqrt(self.shared) * self._normals(self.size, topic.number, DEMO_SHARED, purpose=self._documents)
        seen: dict[int, NDArray[np.float64]] = {}
        for system in self.lineup:
            if system.group not in seen:
                seen[system.group] = math.sqrt(self.grouped) * self._normals(
                    self.size, topic.number, DEMO_GROUP + system.group, purpose=self._documents
                )
            own = self._normals(self.size, topic.number, DEMO_SYSTEM + system.number, purpose=self._documents)
            score = common + seen[system.group] + math.sqrt(1 - self.shared - self.grouped) * own
            score[: len(topic.grades)] += self.edge(system, topic)
            yield system, rounded(score, system.step)

    def documents_of(self, topic: Topic) -> NDArray[np.int64]:
        """The corpus-wide numbers of the topic's candidates."""
        out = np.empty(self.size, dtype=np.int64)
        permute(out, self.documents, np.uint64(self.seed), np.uint64(self._drawn(topic.number)), np.uint32(DEMO_NAMES))
        return out

    @property
    def _documents(self) -> int:
        """The purpose of draws of documents; purposes up to that of `edge` mean something else."""
        return self.corpus and DEMO_FIT + self.corpus

    def _drawn(self, topic: int) -> int:
        """What picks a topic's documents."""
        return topic | self._documents << 48

    def _normals(self, count: int, topic: int, stream: int, *, purpose: int = 0) -> NDArray[np.float64]:
        out = np.empty(count)
        # the purpose goes above the topic's number: topics stay below 2**48
        fill_normals(out, np.uint64(self.seed), np.uint64(topic | purpose << 48), np.uint32(stream))
        return out


def rounded(score: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Multiples of the step, halves up, as `one_list` has them."""
    return np.floor(score / step + 0.5) * step if step else score
