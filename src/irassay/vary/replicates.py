"""From the blocks of a variation to `Replicates`, which the questions take."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import all_pairs
from irassay.ask.replicates import Replicates
from irassay.ask.spread import Moments
from irassay.ask.verdicts import ALPHA, count_verdicts, t_test_p_values, verdicts
from irassay.compute.executor import Accumulator, State, execute
from irassay.compute.gpu import beside, to_host
from irassay.compute.memory import empty
from irassay.compute.threads import parallel_for
from irassay.measures import Measure
from irassay.measures.core.summaries import summarise
from irassay.scoring.scores import Scores
from irassay.vary.blocks import Block
from irassay.vary.topics import TopicPlan, WithTopics
from irassay.vary.variation import Observed, Variation

Array = NDArray[np.float64]


def replicates(
    variation: Variation, observed: Observed, *, with_topics: bool = False, independent: int = 0, jobs: int = 1
) -> Replicates:
    """Every system's score on every replicate, and the verdicts on all pairs.

    `with_topics` also samples the topics in each replicate; `independent` = 1 is a second, independent set.
    """
    scores, n = observed.scores, len(observed.scores.topics)
    plan = variation.plan(observed, independent=independent)
    label = variation.label
    if with_topics:
        label += "+topics"
        sampled = TopicPlan(variation.seed, n, variation.replicates)
        plan = WithTopics(plan, sampled, second=independent > 0)
    signs, p_values = observed_tests(scores)
    kept = statistics_of(observed, signs, plan.units, covariance=variation.shared and not with_topics)
    state = execute(f"replicates of {label}", plan, kept, jobs=jobs)
    return Replicates(
        variation=label,
        kind=variation.kind,
        measures=scores.measures,
        systems=scores.systems,
        topics=n,
        observed=scores.means().reshape(len(scores), -1),
        means=state["means"],
        verdicts=signs,
        better=state["better"],
        worse=state["worse"],
        changed=state["changed"],
        tested=kept.tested,
        p_values=p_values,
        topic_covariance=kept.topic_covariance(state),
        paired=variation.paired,
        # both together are on no scale of the variation's own
        sd_scale=sqrt(n / (n - 1)) if with_topics else variation.sd_scale(n),
        random=variation.random,
    )


def statistics_of(
    observed: Observed, verdicts: NDArray[np.int8], units: int, *, covariance: bool
) -> ReplicateStatistics:
    """What is kept of so many replicates; `verdicts` are those on the scores themselves."""
    scores = observed.scores
    by_topic = np.swapaxes(scores.values.reshape(len(scores), -1, len(scores.topics)), 1, 2)
    return ReplicateStatistics(
        measures=scores.known,
        places=observed.places,
        topics=tuple(observed.topics),
        values=np.ascontiguousarray(by_topic),
        verdicts=verdicts,
        tested=tuple(one.pairable for one in scores.by_measure()),
        units=units,
        covariance=covariance,
    )


def observed_tests(scores: Scores) -> tuple[NDArray[np.int8], Array]:
    """Verdicts and p-values of all pairs on the scores themselves [measure, pair]; 0 and nan without a paired test."""
    shape = len(scores), len(all_pairs(len(scores.systems))[0])
    signs, p_values = np.zeros(shape, dtype=np.int8), np.full(shape, np.nan)
    for m, one in enumerate(scores.by_measure()):
        if one.pairable:
            values = one.tested()[1].T
            signs[m], p_values[m] = verdicts(values, ALPHA), t_test_p_values(values)
    return signs, p_values


@dataclass(frozen=True, eq=False)
class ReplicateStatistics(Accumulator):
    """Means of all systems, counts of verdicts, and where wanted the covariance of systems on single topics."""

    measures: tuple[Measure | None, ...]
    places: tuple[int, ...]  # of the measures' scores in a block
    topics: tuple[int, ...]  # places of the topics in a block
    values: Array  # observed [measure, topic, system]
    verdicts: NDArray[np.int8]  # observed [measure, pair]
    tested: tuple[bool, ...]
    units: int
    covariance: bool

    def start(self) -> State:
        measures, topics, systems = self.values.shape
        pairs = self.verdicts.shape[1]
        state: State = {
            "means": empty((measures, self.units, systems), of="replicates"),
            "better": np.zeros((measures, pairs), dtype=np.int64),
            "worse": np.zeros((measures, pairs), dtype=np.int64),
            "changed": np.zeros((measures, self.units, 3), dtype=np.int64),
        }
        if self.covariance:
            triangle = systems * (systems + 1) // 2
            state |= {"sums": np.zeros((measures, topics, systems)), "cross": np.zeros((measures, triangle))}
        return state

    def on_gpu(self, state: State) -> State:
        from irassay.compute.gpu import held

        return held(state, state)

    def add(self, part: range, block: Block, jobs: int) -> State:
        scores = block.scores
        if len(self.topics) < scores.shape[1]:
            scores = scores[:, block.xp.asarray(self.topics)]
        parts = [self._one(m, scores[place], block, len(part), jobs) for m, place in enumerate(self.places)]
        state = {name: block.xp.stack([arrays[name] for arrays in parts]) for name in parts[0]}
        if self.covariance:
            state |= self._gpu_moments(scores, block.xp) if block.gpu else self._moments(scores, jobs)
        return state

    def _one(self, m: int, values: Any, block: Block, replicates: int, jobs: int) -> State:
        """One measure; `values` are [topic, replicate or 1, system]."""
        measure, pairs, weights, xp = self.measures[m], self.verdicts.shape[1], block.weights, block.xp
        once = weights is not None and values.shape[1] == 1
        means = self._means(measure, values[:, 0].T if once else np.moveaxis(values, 0, -1), block)
        better, worse = (xp.zeros(pairs, dtype=np.int64) for _ in range(2))
        changed = xp.zeros((replicates, 3), dtype=np.int64)
        if self.tested[m]:
            compared = values if measure is None or measure.paired is None else measure.paired.forward(values, xp=xp)
            better, worse, changed = count_verdicts(
                compared, weights, self.verdicts[m], ALPHA, jobs=jobs, gpu=block.gpu
            )
        # no larger than the numbers are, for they may have to travel
        better, worse = (counts.astype(np.min_scalar_type(replicates)) for counts in (better, worse))
        return {"means": means, "better": better, "worse": worse, "changed": changed.astype(np.min_scalar_type(pairs))}

    def _means(self, measure: Measure | None, values: Any, block: Block) -> Any:
        """Every system's score on every replicate, where the block is; of all topics at once they are made here."""
        if block.gpu and measure is not None and measure.summary_with_params()[0].whole is not None:
            return block.xp.asarray(summarise(to_host(values), block.weights, measure))
        return summarise(values, block.weights, measure, xp=block.xp)

    def _gpu_moments(self, scores: Any, xp: Any) -> State:
        """The same sums on the GPU, topic by topic: products of systems on all topics need not fit there."""
        from irassay.scoring.gpu.sums import moments_on_gpu

        measures, topics, systems = self.values.shape
        shift = xp.asarray(self.values)
        sums, cross = xp.zeros(self.values.shape), xp.zeros((measures, systems, systems))
        places, (x, y) = xp.asarray(self.places), map(xp.asarray, np.tril_indices(systems))
        for t in range(topics):
            by_system = scores[:, t][places].swapaxes(-1, -2)
            sums[:, t], products = moments_on_gpu(by_system, shift[:, t])
            cross += products
        return {"sums": sums, "cross": cross[:, x, y]}

    def _moments(self, scores: Array, jobs: int) -> State:
        """Sums over replicates on each topic, and sums of products of systems over topics too."""
        sums, systems = np.zeros(self.values.shape), self.values.shape[2]
        cross = np.zeros((len(self.measures), systems, systems))

        def of_measure(m: int) -> None:
            for t, values in enumerate(scores[self.places[m]]):
                Moments(self.values[m, t], 0, sums[m, t], cross[m]).add(values)

        parallel_for(of_measure, range(len(self.measures)), jobs)
        return {"sums": sums, "cross": cross[:, *np.tril_indices(systems)]}

    def merge(self, state: State, part: range, other: State, jobs: int) -> None:
        for name, array in other.items():
            if name in ("means", "changed"):
                state[name][:, part.start : part.stop] = beside(state[name], array)
            else:
                state[name] += beside(state[name], array)

    def topic_covariance(self, state: State) -> Array | None:
        """Σ_t Cov_t / n² over replicates [measure, system, system]; nan where the summary is no mean."""
        if not self.covariance or self.units < 2:
            return None
        sums, systems = state["sums"], self.values.shape[2]
        cross = np.empty((len(self.measures), systems, systems))
        x, y = np.tril_indices(systems)
        cross[:, x, y] = cross[:, y, x] = state["cross"]
        products = np.einsum("mtx,mty->mxy", sums, sums)
        out = (cross - products / self.units) / (self.units - 1) / self.values.shape[1] ** 2
        for m, measure in enumerate(self.measures):
            if measure is not None and measure.summary_with_params()[0].name != "mean":
                out[m] = np.nan
        return np.asarray(out)
