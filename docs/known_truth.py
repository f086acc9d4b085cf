"""Repetitions of `uncertainty` on the demo collection, against its truth; docs/coverage.py writes it down."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from irassay import demo
from irassay.ask.budget import total_deviations
from irassay.ask.pairs import all_pairs
from irassay.ask.ranks import rank_bounds, ranks
from irassay.ask.spread import pair_spread, system_spread
from irassay.panel.panel import Panel
from irassay.vary.documents import Documents
from irassay.vary.replicates import replicates
from irassay.vary.topics import Topics
from irassay.vary.variation import Observed

MEASURES = ("AP", "nDCG@10", "RR", "RBP")
LEVEL = 0.95
Z = float(norm.ppf((1 + LEVEL) / 2))
FIXED = 1_000_000  # the first of the fixed topics, behind all fresh ones
SOURCES = ("topics", "documents+topics", "total")
QUANTITIES = ("difference", "mean")  # what an interval is of

Array = NDArray[np.float64]


class Fresh(NamedTuple):
    """Of fresh topics; the first axes are [repetition, size, measure]."""

    intervals: Array  # [.., source, quantity, 3]: share covered, mean of sd², mean of error²
    ranks: Array  # [.., 3]: share of systems whose true rank is not excluded, whether all are, mean ranks not excluded


class Fixed(NamedTuple):
    """Of fixed topics under fresh corpora; the first axes are [set of topics, size, measure]."""

    intervals: Array  # [.., quantity, 4]: the same three, and the share of scores on another corpus that are covered
    bias: Array  # [..]: mean over systems of what bootstrap corpora add to a score


def truth(model: demo.Model, topics: int) -> Array:
    """True means [measure, system] over fresh topics."""
    return np.array([[demo.true_mean(model, m, s, topics=topics).mean for s in model.names] for m in MEASURES])


def differences(means: Array) -> Array:
    x, y = all_pairs(means.shape[-1])
    return np.asarray(means[..., x] - means[..., y])


def outcome(sd: Array, error: Array) -> tuple[float, float, float]:
    """Share of intervals ± z·sd that hold the truth, mean of sd², mean of error²."""
    return float((np.abs(error) <= Z * sd).mean()), float((sd**2).mean()), float((error**2).mean())


def fresh_topics(
    model: demo.Model, true: Array, sizes: tuple[int, ...], count: int, repetitions: range, *, documents: bool = True
) -> Fresh:
    """`count` replicates of every set of fresh topics, against the true means; without `documents` topics alone."""
    # equal but for their strength: a stronger system has the better true mean in every measure
    rank = ranks(np.array([system.strength for system in model.lineup]))
    intervals = np.full((len(repetitions), len(sizes), len(MEASURES), len(SOURCES), len(QUANTITIES), 3), np.nan)
    bounds = np.empty((len(repetitions), len(sizes), len(MEASURES), 3))
    for r, repetition in enumerate(repetitions):
        for s, size in enumerate(sizes):
            first = repetition * max(sizes)
            panel = demo.panel_of(model, range(first, first + size), judgments="complete", jobs=1)
            observed = Observed(panel.score(list(MEASURES)), panel)
            of_topics = replicates(Topics(seed=repetition, replicates=count), observed)
            corpora = Documents(seed=repetition, replicates=count, corpus_size=model.documents)
            varied = [replicates(corpora, observed, with_topics=both) for both in (False, True) if documents]
            for m in range(len(MEASURES)):
                sds = [(pair_spread(one, m).sd, system_spread(one, m).sd) for one in (of_topics, *varied[1:])]
                sds += [total_deviations(of_topics, one, m) for one in varied[:1]]
                error = of_topics.observed[m] - true[m]
                for k, (of_pairs, of_systems) in enumerate(sds):
                    intervals[r, s, m, k] = outcome(of_pairs, differences(error)), outcome(of_systems, error)
                low, high = rank_bounds(of_topics, m)
                inside = (low <= rank) & (rank <= high)
                bounds[r, s, m] = inside.mean(), inside.all(), (high - low + 1).mean()
    return Fresh(intervals, bounds)


def fresh_corpora(
    model: demo.Model, sizes: tuple[int, ...], count: int, corpora: int, observed: int, sets: range
) -> Fixed:
    """`count` bootstrap corpora of the first `observed` of so many fresh corpora, against the mean of the others."""
    intervals = np.empty((len(sets), len(sizes), len(MEASURES), len(QUANTITIES), 4))
    bias = np.empty((len(sets), len(sizes), len(MEASURES)))
    for k, number in enumerate(sets):
        topics = range(FIXED + number * max(sizes), FIXED + (number + 1) * max(sizes))
        models = [replace(model, corpus=1 + corpus) for corpus in range(corpora)]
        # [corpus, measure, system, topic]
        scores = np.stack([_panel(one, topics).score(list(MEASURES)).values for one in models])
        for s, size in enumerate(sizes):
            means = scores[..., :size].mean(axis=-1)
            results = [
                _one_corpus(models[c], topics[:size], means, c, (c + observed) % corpora, count)
                for c in range(observed)
            ]
            intervals[k, s] = np.mean([one for one, _ in results], axis=0)
            bias[k, s] = np.mean([one for _, one in results], axis=0)
    return Fixed(intervals, bias)


def _panel(model: demo.Model, topics: range) -> Panel:
    return demo.panel_of(model, topics, judgments="complete", jobs=1)


def _one_corpus(
    model: demo.Model, topics: range, means: Array, corpus: int, other: int, count: int
) -> tuple[Array, Array]:
    """One corpus against the mean of the rest, and against another one [measure, quantity, 4]; and the bias."""
    panel = _panel(model, topics)
    variation = Documents(seed=corpus, replicates=count, corpus_size=model.documents)
    varied = replicates(variation, Observed(panel.score(list(MEASURES)), panel))
    expected = (means.sum(axis=0) - means[corpus]) / (len(means) - 1)
    out = np.empty((len(MEASURES), len(QUANTITIES), 4))
    bias = np.empty(len(MEASURES))
    for m in range(len(MEASURES)):
        spread = system_spread(varied, m)
        error, change = means[corpus, m] - expected[m], means[corpus, m] - means[other, m]
        of_pairs, of_systems = pair_spread(varied, m).sd, spread.sd
        for q, (sd, e, d) in enumerate(
            ((of_pairs, differences(error), differences(change)), (of_systems, error, change))
        ):
            out[m, q] = *outcome(sd, e), float((np.abs(d) <= np.sqrt(2) * Z * sd).mean())
        bias[m] = (spread.mean - varied.observed[m]).mean()
    return out, bias
