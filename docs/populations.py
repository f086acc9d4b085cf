"""Populations of topics whose true means are known: what the experiments of docs/error_rates.py draw topics from."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import irassay
from irassay import demo

Array = NDArray[np.float64]
Rng = np.random.Generator

MEASURES = ("AP", "nDCG@10", "RR")
DEMO_TOPICS, BLOCK = 10_000, 1_000
COLLECTIONS = {
    "TREC-8": "trec8-adhoc/qrels.txt.gz",
    "Robust 2003": "robust03/qrels.txt.gz",
    "DL 2021": "dl2021/human.qrels.xz",
}
SHAPES, COPIES, DIFFERENT = 10, 18, 2


@dataclass(frozen=True)
class Population:
    """Draws topics: scores [systems, topics] and the true mean of each system."""

    name: str
    systems: int  # that one experiment has
    draw: Callable[[Rng, int], tuple[Array, Array]]


@dataclass(frozen=True)
class Topics:
    """Topics of a collection, drawn with replacement: the collection's means are the true ones.

    `systems` of them at random, or all. `shift`: every system is moved to mean 0. `permute`: the systems change places
    within each topic, so that all have one distribution.
    """

    scores: Array  # [systems, topics]
    systems: int | None = None
    shift: bool = False
    permute: bool = False

    def __call__(self, rng: Rng, topics: int) -> tuple[Array, Array]:
        scores = self.scores if self.systems is None else self.scores[rng.permutation(len(self.scores))[: self.systems]]
        means = scores.mean(axis=1)
        drawn = scores[:, rng.integers(0, scores.shape[1], topics)]
        if self.permute:
            return rng.permuted(drawn, axis=0), np.full(len(scores), means.mean())
        return (drawn - means[:, None], np.zeros(len(scores))) if self.shift else (drawn, means)


def unequal_shapes(rng: Rng, topics: int) -> tuple[Array, Array]:
    """Systems with the same expected score on every topic, from nearly constant to nearly 0 or 1."""
    expected = rng.beta(1, 3, topics)
    concentration = np.geomspace(0.5, 50, SHAPES)[:, None]
    scores = rng.beta(np.maximum(expected * concentration, 1e-3), np.maximum((1 - expected) * concentration, 1e-3))
    return scores, np.full(SHAPES, 0.25)


def near_copies(rng: Rng, topics: int) -> tuple[Array, Array]:
    """Systems that differ a little on every other topic, and two that differ on all; expected scores are equal."""
    expected = rng.beta(1, 3, topics)
    others = rng.beta(4 * expected, 4 * (1 - expected), (1 + DIFFERENT, topics))
    noise = np.where(rng.random((COPIES, topics)) < 0.5, rng.normal(0, 0.02, (COPIES, topics)), 0.0)
    return np.vstack([others[0] + noise, others[1:]]), np.full(COPIES + DIFFERENT, 0.25)


class Alike(demo.Model):
    """All systems have the strength of the first, but the last one is worse; each is a group of its own."""

    @cached_property
    def lineup(self) -> tuple[demo.System, ...]:
        systems = super().lineup
        first = systems[0]
        weaker = {len(systems) - 1: 0.25}
        return tuple(
            replace(system, strength=first.strength - weaker.get(k, 0.0), step=first.step)
            for k, system in enumerate(systems)
        )


MODEL = Alike(systems=11, null_pairs=0, groups=11, depth=100, candidates=1600, seed=4)


def demo_scores(model: demo.Model = MODEL, topics: int = DEMO_TOPICS) -> dict[str, Array]:
    """By measure: scores [systems, topics] with complete judgments."""
    parts = [
        demo.panel_of(model, range(low, min(low + BLOCK, topics)), judgments="complete").score(list(MEASURES)).values
        for low in range(0, topics, BLOCK)
    ]
    return dict(zip(MEASURES, np.concatenate(parts, axis=2), strict=True))


def real_scores(collection: str, measure: str) -> Array:
    """Scores [systems, topics] of a collection's runs."""
    qrels = Path(os.environ["IRASSAY_DATA"]) / COLLECTIONS[collection]
    return irassay.align(qrels, qrels.parent / "runs", unanswerable="drop").score(measure)[measure].values


def equal_means(scores: dict[str, Array]) -> list[Population]:
    """Populations in which no system is better than another; `scores` are the demo collection's."""
    every = [
        Population(f"exchangeable, {name}", len(one) - 1, Topics(one[:-1], permute=True))
        for name, one in scores.items()
    ]
    return [
        *every,
        Population("unequal shapes", SHAPES, unequal_shapes),
        Population("near-copies beside others", COPIES + DIFFERENT, near_copies),
    ]


def real_equal_means() -> list[Population]:
    """Real systems shifted to one mean."""
    trec8, robust = real_scores("TREC-8", "AP"), real_scores("Robust 2003", "AP")
    return [
        Population("TREC-8 AP, 10 systems", 10, Topics(trec8, 10, shift=True)),
        Population("TREC-8 AP, 40 systems", 40, Topics(trec8, 40, shift=True)),
        Population("TREC-8 AP, 129 systems", len(trec8), Topics(trec8, shift=True)),
        Population("Robust 2003 AP, 17 systems", len(robust), Topics(robust, shift=True)),
    ]


def different_means(scores: dict[str, Array]) -> list[Population]:
    """The demo collection, of whose systems only the last one differs."""
    return [Population(f"demo, {name}", len(one), Topics(one)) for name, one in scores.items()]


def real_different_means() -> list[Population]:
    """15 real systems, others in every experiment."""
    return [
        Population(f"{collection} {measure}, 15 systems", 15, Topics(real_scores(collection, measure), 15))
        for collection in ("TREC-8", "Robust 2003")
        for measure in MEASURES
    ]


def without_replacement(scores: Array, rng: Rng, topics: int) -> tuple[Array, Array]:
    """Topics of a collection, each at most once, in random order; an odd one stays out."""
    return scores[:, rng.permutation(scores.shape[1])[:topics]], scores.mean(axis=1)


def real_topics() -> list[tuple[Population, int]]:
    """Whole collections, whose topics are split into halves, and the topics of a half."""
    scores = {(name, measure): real_scores(name, measure) for name in COLLECTIONS for measure in MEASURES}
    return [
        (Population(f"{name} {measure}", len(one), partial(without_replacement, one)), one.shape[1] // 2)
        for (name, measure), one in scores.items()
    ]
