"""How often tests call equal systems different and intervals miss the truth, experiment by experiment.

docs/comparison.py runs these on the populations of docs/populations.py and writes the page.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from typing import NamedTuple

import numpy as np
from docs.populations import Array, Population, Rng
from scipy import stats

from irassay.ask import comparison, methods
from irassay.ask import generalizability as general
from irassay.ask.corrections import holm
from irassay.ask.letters import ranks_not_excluded
from irassay.ask.pairs import Pairs, all_pairs
from irassay.ask.ranks import ranks
from irassay.ask.stepdown import stepdown
from irassay.ask.t_statistic import moments
from irassay.compute.draws import sums_of_samples
from irassay.studies.design.plans import plans
from irassay.studies.design.settings import Design
from irassay.vary.labels import LabelPlan
from irassay.vary.topics import TopicPlan

ALPHA = 0.05
SAMPLES, FAMILY_SAMPLES = 1000, 499
TESTS = tuple(name for name, test in methods.TESTS.items() if not test.simultaneous)
FAMILIES = ("t, none", "t, holm", "t, stepdown", "tukey")
INTERVALS = tuple(methods.INTERVALS)
CLUSTER_TESTS = ("t", "cluster-t", "wild-cluster")
PER_FAMILY = 5  # topics in a family
SIGNAL = {"systems": 0.1, "topics": 0.18, "rest": 0.14}  # standard deviations, near those of TREC-8's AP
FEW = 10  # systems of the random-effects model
DESIGNS = ("t test", "one-way ANOVA")  # by the two-way residual, and by the variance within systems


class Rate(NamedTuple):
    """How many of so many experiments."""

    kind: str  # what was counted
    method: str
    population: str
    systems: int
    topics: int
    hits: float
    experiments: int

    def __add__(self, other: Rate) -> Rate:  # type: ignore[override]
        return self._replace(hits=self.hits + other.hits, experiments=self.experiments + other.experiments)


def comparisons(scores: Array, pairs: Pairs, seed: int, samples: int = SAMPLES) -> methods.Comparisons:
    """Pairs of systems with the draws of one seed; scores are [systems, topics]."""
    topics = scores.shape[1]
    labels, drawn = LabelPlan(seed, topics, samples), TopicPlan(seed, topics, samples).counts()
    return methods.Comparisons(
        scores=scores,
        pairs=pairs,
        topic_samples=drawn,
        sample_sums=partial(sums_of_samples, scores.T, drawn),
        sign_flips=labels.signs,
        all_flips=labels.exact,
        permuted_ranges=partial(labels.ranges, scores),
        max_t=partial(stepdown, scores, pairs, drawn),
    )


def _random_pairs(population: Population, rng: Rng, topics: int, experiments: int) -> tuple[Array, Array]:
    """Scores of two random systems of each experiment [2, experiments, topics], and their true means."""
    scores, means = np.empty((2, experiments, topics)), np.empty((2, experiments))
    for e in range(experiments):
        drawn, true = population.draw(rng, topics)
        chosen = rng.permutation(len(drawn))[:2]
        scores[:, e], means[:, e] = drawn[chosen], true[chosen]
    return scores, means


def levels(population: Population, topics: int, seed: int, experiments: int) -> list[Rate]:
    """Pairs of equal systems that each test calls different; the experiments of a call share resamples."""
    scores, _ = _random_pairs(population, np.random.default_rng((1, seed)), topics, experiments)
    pairs = np.arange(experiments), experiments + np.arange(experiments)
    data = comparisons(scores.reshape(-1, topics), pairs, seed)
    hits = {name: int((methods.TESTS[name].p_values(data) < ALPHA).sum()) for name in TESTS}
    return [Rate("level", name, population.name, population.systems, topics, hits[name], experiments) for name in TESTS]


def families(population: Population, topics: int, seed: int, experiments: int) -> list[Rate]:
    """Experiments in which any two of the equal systems are called different."""
    rng, hits = np.random.default_rng((2, seed)), dict.fromkeys(FAMILIES, 0)
    pairs = all_pairs(population.systems)
    for e in range(experiments):
        scores = np.ascontiguousarray(population.draw(rng, topics)[0])
        data = comparisons(scores, pairs, seed + e, FAMILY_SAMPLES)
        alone = comparison.student(data.differences)
        p_values = {
            "t, none": alone,
            "t, holm": holm(alone),
            "t, stepdown": data.stepdown.p_values,
            "tukey": methods.TESTS["tukey"].p_values(data),
        }
        for name, p in p_values.items():
            hits[name] += bool((p < ALPHA).any())
    return [
        Rate("family", name, population.name, population.systems, topics, hits[name], experiments) for name in FAMILIES
    ]


def coverage(population: Population, topics: int, seed: int, experiments: int) -> list[Rate]:
    """Experiments whose interval holds the true mean of a random system, and the true difference of a random pair."""
    scores, means = _random_pairs(population, np.random.default_rng((3, seed)), topics, experiments)
    rows = np.concatenate([*scores, np.zeros((1, topics))])
    here = np.arange(experiments)
    truths = {
        "mean": (np.full(experiments, 2 * experiments), means[0]),
        "difference": (experiments + here, means[0] - means[1]),
    }
    rates = []
    for kind, (second, true) in truths.items():
        data = comparisons(rows, (here, second), seed)
        for name in INTERVALS:
            low, high = methods.INTERVALS[name].bounds(data, ALPHA)
            hits = int(((low <= true) & (true <= high)).sum())
            rates.append(Rate(kind, name, population.name, population.systems, topics, hits, experiments))
    return rates


def rank_coverage(population: Population, topics: int, seed: int, experiments: int) -> list[Rate]:
    """Experiments in which all true ranks are among the ranks not excluded, and all differences in max-t intervals."""
    rng, hits = np.random.default_rng((4, seed)), {"holm": 0, "stepdown": 0, "max-t": 0}
    first, second = pairs = all_pairs(population.systems)
    for e in range(experiments):
        scores, means = population.draw(rng, topics)
        data = comparisons(np.ascontiguousarray(scores), pairs, seed + e, FAMILY_SAMPLES)
        true = ranks(means)
        for name, p in (("holm", holm(comparison.student(data.differences))), ("stepdown", data.stepdown.p_values)):
            different = np.zeros((len(means), len(means)), dtype=np.bool_)
            different[first, second] = different[second, first] = p < ALPHA
            low, high = ranks_not_excluded(scores.mean(axis=1), different)
            hits[name] += bool(((low <= true) & (true <= high)).all())
        bounds = methods.JOINT_INTERVALS["max-t"].bounds(data, ALPHA)
        difference, testable = means[first] - means[second], data.stepdown.testable
        hits["max-t"] += bool(((bounds[0] <= difference) & (difference <= bounds[1]))[testable].all())
    kinds = {"holm": "ranks", "stepdown": "ranks", "max-t": "all differences"}
    return [
        Rate(kinds[name], name, population.name, population.systems, topics, n, experiments) for name, n in hits.items()
    ]


def cluster_levels(population: str, topics: int, seed: int, experiments: int) -> list[Rate]:
    """Equal systems called different where topics come in families; `topics` in families of `PER_FAMILY`."""
    rng = np.random.default_rng((5, seed))
    count = topics // PER_FAMILY
    family = np.repeat(np.arange(count), PER_FAMILY)
    shape = experiments, count
    shared = rng.normal(size=shape) if population == "normal families" else rng.exponential(size=shape) - 1
    z = 0.1 * (shared[:, family] + rng.normal(size=(experiments, topics)))
    data = comparisons(np.vstack([z, np.zeros(topics)]), (np.arange(experiments), np.full(experiments, len(z))), seed)
    plan = LabelPlan(seed, count, SAMPLES)
    data = methods.Comparisons(**{**vars(data), "sign_flips": plan.signs, "all_flips": plan.exact, "families": family})
    hits = {name: int((methods.ANY_TEST[name].p_values(data) < ALPHA).sum()) for name in CLUSTER_TESTS}
    return [Rate("clusters", name, population, 2, topics, hits[name], experiments) for name in CLUSTER_TESTS]


def generalizability(population: Population | None, topics: int, seed: int, experiments: int) -> list[Rate]:
    """Experiments whose interval of E-rho² or phi holds its true value.

    Without a population random normal systems, for which Feldt's and Arteaga's intervals are; with one its systems as
    they are, for which the interval from samples of topics is.
    """
    rng = np.random.default_rng((6, seed))
    name = f"{FEW} random normal systems" if population is None else population.name
    systems = FEW if population is None else population.systems
    hits = {"Feldt": 0, "Arteaga": 0} if population is None else {"topics, E-rho²": 0, "topics, phi": 0}
    for e in range(experiments):
        if population is None:
            shapes = {"systems": (FEW, 1), "topics": (1, topics), "rest": (FEW, topics)}
            scores = np.zeros((FEW, topics))
            for part, shape in shapes.items():
                scores = scores + SIGNAL[part] * rng.normal(size=shape)
            error = SIGNAL["rest"] ** 2
            true = SIGNAL["systems"] ** 2 / np.array([error, error + SIGNAL["topics"] ** 2])
            squares = general.mean_squares(scores)
            bounds = [
                general.feldt_interval(squares, FEW, topics),
                general.arteaga_interval(squares, FEW, topics),
            ]
        else:
            scores, true = population.draw(rng, topics)  # its second part is the true signals here
            counts = TopicPlan(seed + e, topics, SAMPLES).counts()
            bounds = [general.topic_interval(scores, counts, absolute=absolute) for absolute in (False, True)]
        for method, (low, high), value in zip(hits, bounds, true, strict=True):
            hits[method] += bool(low <= value <= high)
    return [Rate("coefficients", method, name, systems, topics, n, experiments) for method, n in hits.items()]


def true_signals(scores: Array) -> Array:
    """The relative and the absolute signal of systems over all topics of a population, drawn with replacement."""
    return np.asarray(scores.mean(axis=1).var(ddof=1) / _variances(scores))


def true_variances(scores: Array) -> Array:
    """The variances that `DESIGNS` depend on, over all topics of a population, drawn with replacement."""
    residual, within = _variances(scores)
    return np.array([2 * residual, within])


def _variances(scores: Array) -> Array:
    """The two-way residual, and the variance within systems."""
    m, n = scores.shape
    effect = scores.mean(axis=0) - scores.mean()
    rest = scores - scores.mean(axis=1, keepdims=True) - effect
    residual = (rest**2).sum() / ((m - 1) * n)
    return np.array([residual, (m * (effect**2).mean() + (m - 1) * residual) / m])


def topics_needed(population: Population, topics: int, seed: int, experiments: int) -> list[Rate]:
    """Experiments whose interval of the topics needed (`design`) holds the number that the true variance gives."""
    rng, hits = np.random.default_rng((8, seed)), Counter[str]()
    for e in range(experiments):
        scores, true = population.draw(rng, topics)  # its second part is the true variances here
        counts = TopicPlan(seed + e, topics, SAMPLES).counts()
        of_kind = {plan.kind: plan for plan in plans(Design(), "", scores, counts)}
        for kind, variance in zip(DESIGNS, true.tolist(), strict=True):
            needed = of_kind[kind].needed(variance) or math.inf
            for row in of_kind[kind].intervals():
                low, high = (row[f"topics_needed_{bound}"] or math.inf for bound in ("low", "high"))
                hits[f"{kind}, {row['method']}"] += low <= needed <= high
    return [
        Rate("topics needed", method, population.name, population.systems, topics, n, experiments)
        for method, n in hits.items()
    ]


def held_out(population: Population, topics: int, seed: int, experiments: int) -> list[Rate]:
    """What one random half of the topics says of the other: `topics` are those of a half.

    Prediction intervals of Student's t for the difference on the other half; and of the pairs that one half calls
    different, those that the other half orders the other way. Each experiment counts with the share of its pairs.
    """
    rng = np.random.default_rng((7, seed))
    pairs = all_pairs(population.systems)
    inside, reversals, resolved = (
        0.0,
        {"t, holm": 0.0, "t, stepdown": 0.0},
        dict.fromkeys(("t, holm", "t, stepdown"), 0),
    )
    quantile = stats.t.isf(ALPHA / 2, topics - 1) * np.sqrt(2 / topics)
    for e in range(experiments):
        scores, _ = population.draw(rng, 2 * topics)
        data = comparisons(np.ascontiguousarray(scores[:, :topics]), pairs, seed + e, FAMILY_SAMPLES)
        z, other = data.differences, scores[pairs[0], topics:].mean(axis=1) - scores[pairs[1], topics:].mean(axis=1)
        mean, sd, _ = moments(z)
        inside += float((np.abs(other - mean) <= quantile * sd).mean())
        for name, p in (("t, holm", holm(comparison.student(z))), ("t, stepdown", data.stepdown.p_values)):
            different = p < ALPHA
            if different.any():
                resolved[name] += 1
                reversals[name] += float((other[different] * mean[different] < 0).mean())
    own = population.name, population.systems, topics
    return [
        Rate("predicted differences", "t", *own, inside, experiments),
        *(Rate("reversed on the other half", name, *own, n, resolved[name]) for name, n in reversals.items()),
    ]
