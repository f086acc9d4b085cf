"""Judgments that are hidden and then shown: what the draws say of them, and which to look at first.

docs/unjudged.py writes it down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irassay.ask.logistic import brier
from irassay.ask.pairs import all_pairs
from irassay.compute.philox import words
from irassay.compute.threads import cores
from irassay.measures import parse
from irassay.panel.grades import UNPOOLED
from irassay.panel.panel import Panel
from irassay.scoring.scores import Scores
from irassay.vary.pools import PoolPlan
from irassay.vary.relevance import Model
from irassay.vary.unjudged import DrawnJudgments, Missing, drawn_judgments, learned_probabilities
from irassay.vary.unjudged_bounds import BoundedScores
from irassay.vary.unjudged_effects import Effects
from irassay.vary.variation import Observed

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
MEASURES = ("P@10", "RBP(p=0.8)", "AP", "nDCG@10")
REPLICATES, SEED, STREAM = 400, 0, 0xFFFF0000  # a stream beyond those of the package
TRIALS = 4  # random hidings of each kind
GROUPS = 20  # those that found most documents alone


@dataclass(frozen=True)
class Collection:
    """A collection, the group of each system, and the depth of its pools."""

    name: str
    panel: Panel
    group: tuple[str, ...]
    depth: int

    @cached_property
    def truth(self) -> Array:
        """Scores with all judgments [measure, topic, system]."""
        return np.swapaxes(self.panel.score(" ".join(MEASURES)).values, 1, 2)

    @cached_property
    def pools(self) -> PoolPlan:
        return PoolPlan(self.panel.minimal, dict.fromkeys(range(len(self.panel.systems)), self.depth))

    def members(self, group: str) -> list[int]:
        return [s for s, own in enumerate(self.group) if own == group]


def group_by_prefix(system: str) -> str:
    """A team's runs begin alike."""
    return re.split(r"[_\-0-9.]", system)[0][:3].lower()


@dataclass(frozen=True)
class Hidden:
    """A collection some of whose judgments are hidden; only these are drawn, for the truth knows no others."""

    collection: Collection
    mask: Mask  # entries whose judgments are hidden

    @cached_property
    def panel(self) -> Panel:
        grade = np.where(self.mask, np.int8(UNPOOLED), self.collection.panel.grade)
        return replace(self.collection.panel, grade=grade)

    @cached_property
    def missing(self) -> Missing:
        names = tuple(dict.fromkeys(self.collection.group))
        model = Model(self.panel, tuple(names.index(own) for own in self.collection.group), jobs=cores())
        held = np.flatnonzero(self.mask & (model.whole.lists > 0))
        return learned_probabilities(model, names, held)

    @property
    def grade(self) -> NDArray[np.int8]:
        """Of the hidden documents."""
        return np.asarray(self.collection.panel.grade[self.missing.entries])

    @cached_property
    def relevant(self) -> Mask:
        return np.asarray(self.grade >= 1)

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """Of the draws of each hidden document."""
        return drawn_judgments(self.observed(range(2)), self.missing, replicates=1, seed=SEED).key

    def observed(self, systems: Sequence[int]) -> Observed:
        names = [self.panel.systems[s] for s in systems]
        return Observed(self.scores.select(systems=names), self.panel)

    @cached_property
    def scores(self) -> Scores:
        return self.panel.score(" ".join(MEASURES), jobs=cores())

    def draws(self, systems: Sequence[int], missing: Missing | None = None, replicates: int = REPLICATES) -> Array:
        """Mean scores of some systems [measure, replicate, system]."""
        own = self.observed(systems)
        plan = DrawnJudgments(
            self.panel.minimal, own.systems, own.bases, missing or self.missing, self.keys, replicates, SEED
        )
        parts = [range(low, min(low + plan.chunk, replicates)) for low in range(0, replicates, plan.chunk)]
        return np.concatenate([plan.block(part, cores()).scores.mean(axis=1) for part in parts], axis=1)


def random_parts(collection: Collection, hide: float) -> Iterator[Hidden]:
    """A random part of the pooled judgments hidden, again and again."""
    judged = np.zeros(len(collection.panel.grade), dtype=np.bool_)
    judged[collection.pools.judged[~collection.pools.below(collection.depth)]] = True
    for trial in range(TRIALS):
        uniform = words(len(judged), seed=SEED, stream=STREAM, replicate=trial) / 2.0**32
        yield Hidden(collection, judged & (uniform < hide))


def by_group(collection: Collection) -> Iterator[tuple[str, Hidden]]:
    """What a group alone put into the pools hidden, for each of those that put most."""
    pools = collection.pools
    own = {group: pools.judged[pools.only_from(collection.members(group))] for group in set(collection.group)}
    for group in sorted(own, key=lambda group: (-len(own[group]), group))[:GROUPS]:
        mask = np.zeros(len(collection.panel.grade), dtype=np.bool_)
        mask[own[group]] = True
        yield group, Hidden(collection, mask)


def shallower(collection: Collection, depth: int) -> Hidden:
    """Pools that were shallower."""
    mask = np.zeros(len(collection.panel.grade), dtype=np.bool_)
    pools = collection.pools
    mask[pools.judged[pools.below(depth) & ~pools.below(collection.depth)]] = True
    return Hidden(collection, mask)


@dataclass(frozen=True)
class Coverage:
    """Of one hiding, by measure: shares of systems and pairs inside the middle 95% of the draws, and mean errors."""

    systems: Array
    pairs: Array
    outside_bounds: int  # systems outside exact bounds
    looked_at: int  # systems
    as_judged: Array  # mean |as judged - truth|
    expected: Array  # mean |mean of the draws - truth|
    half_width: Array
    documents: int
    relevant: int
    expected_relevant: float
    brier: float


def coverage(hidden: Hidden, systems: Sequence[int]) -> Coverage:
    """Whether the truth lies where the draws say."""
    drawn = hidden.draws(systems)
    truth = hidden.collection.truth.mean(axis=1)[:, list(systems)]
    observed = hidden.observed(systems).scores.means()
    low, high = np.quantile(drawn, (0.025, 0.975), axis=1)
    inside = (low - 1e-12 <= truth) & (truth <= high + 1e-12)
    x, y = all_pairs(len(systems))
    pair_low, pair_high = np.quantile(drawn[:, :, x] - drawn[:, :, y], (0.025, 0.975), axis=1)
    difference = truth[:, x] - truth[:, y]
    pairs = (pair_low - 1e-12 <= difference) & (difference <= pair_high + 1e-12)
    return Coverage(
        inside.mean(axis=1),
        pairs.mean(axis=1) if len(x) else np.full(len(MEASURES), np.nan),
        outside_bounds(hidden, systems, truth),
        len(systems),
        np.abs(observed - truth).mean(axis=1),
        np.abs(drawn.mean(axis=1) - truth).mean(axis=1),
        ((high - low) / 2).mean(axis=1),
        len(hidden.missing.entries),
        int(hidden.relevant.sum()),
        float(hidden.missing.probability.sum()),
        brier(hidden.missing.probability, hidden.relevant),
    )


def outside_bounds(hidden: Hidden, systems: Sequence[int], truth: Array) -> int:
    """How many scores lie outside bounds that are called exact."""
    bounds = BoundedScores(
        hidden.panel, systems, parse(" ".join(MEASURES[:2])), range(len(hidden.panel.topics)), cores()
    )
    out = 0
    for m in range(2):
        low, high = bounds.of(m).systems
        out += int(((truth[m] < low - 1e-9) | (truth[m] > high + 1e-9)).sum())
    return out


STEPS = (0, 50, 100, 200, 500, 1000)  # judgments
ORDERS = ("by value", "by depth", "at random")
FEW = 96  # replicates of each step
SURE = 0.05  # of the draws with the other sign


@dataclass(frozen=True)
class Settled:
    """Of pairs that were open: by order of judging and number of judgments [order, step]."""

    settled: Array  # share of pairs of which at most 5% of the draws have the other sign
    wrong: Array  # share of pairs that are settled, but the other way round than with all judgments
    error: Array  # mean |mean difference of the draws - truth|
    pairs: int


def judged_in_order(hidden: Hidden, m: int, most: int) -> Settled:
    """Pairs that the hidden judgments leave open, as one judgment after the other is shown."""
    everyone = range(len(hidden.panel.systems))
    drawn = hidden.draws(everyone)[m]
    x, y = all_pairs(len(everyone))
    turned = (drawn[:, x] > drawn[:, y]).mean(axis=0)
    other = np.array([hidden.collection.group[a] != hidden.collection.group[b] for a, b in zip(x, y, strict=True)])
    opened = np.flatnonzero((np.minimum(turned, 1 - turned) > SURE) & other)
    order = np.argsort(words(len(opened), seed=SEED, stream=STREAM + 1), kind="stable")
    chosen = opened[order[:most]]
    out = np.zeros((3, len(ORDERS), len(STEPS)))
    for k in chosen.tolist():
        out += _pair_in_order(hidden, m, (int(x[k]), int(y[k])))
    settled, wrong, error = out / len(chosen)
    return Settled(settled, wrong, error, len(chosen))


def _pair_in_order(hidden: Hidden, m: int, pair: tuple[int, int]) -> Array:
    """Settled, settled wrongly, and the error of the difference [3, order, step]."""
    truth = hidden.collection.truth[m].mean(axis=0)
    difference = truth[pair[0]] - truth[pair[1]]
    missing = hidden.missing
    out = np.empty((3, len(ORDERS), len(STEPS)))
    for o, order in enumerate(_orders(hidden, m, pair)):
        for k, step in enumerate(STEPS):
            shown = order[:step]
            chance = missing.chance.copy()
            chance[:, shown] = hidden.grade[shown] >= missing.level[:, None]  # known now
            drawn = hidden.draws(pair, replace(missing, chance=chance), FEW)[m]
            own = drawn[:, 0] - drawn[:, 1]
            less = float((own < 0).mean() + (own == 0).mean() / 2)
            settled = min(less, 1 - less) <= SURE
            out[:, o, k] = settled, settled and (less > 0.5) != (difference < 0), abs(own.mean() - difference)
    return out


def _orders(hidden: Hidden, m: int, pair: tuple[int, int]) -> list[NDArray[np.int64]]:
    """Places among the missing documents in each order; only those that one of the two retrieves."""
    measures = parse(MEASURES[m])
    bounded = BoundedScores(hidden.panel, pair, measures, range(len(hidden.panel.topics)), cores())
    entries = hidden.missing.entries
    best = np.zeros(len(entries))
    for topic in range(len(hidden.panel.topics)):
        low, high = hidden.panel.pool[topic], hidden.panel.pool[topic + 1]
        here = slice(*np.searchsorted(entries, (low, high)).tolist())
        place = np.searchsorted(bounded.plan.missing_of(topic), entries[here] - low)
        ranks = bounded.plan.ranks(topic)[:, place]
        best[here] = np.where(ranks > 0, ranks, 10**6).min(axis=0, initial=10**6)
    held = np.flatnonzero(best < 10**6)
    value = Effects(bounded, hidden.missing).worth(0, np.array([[0.0, 1.0], [1.0, 0.0]]))
    by_value = np.searchsorted(entries, value.entries)
    shuffled = np.argsort(words(len(held), seed=SEED, stream=STREAM + 2), kind="stable")
    return [by_value, held[np.argsort(best[held], kind="stable")], held[shuffled]]
