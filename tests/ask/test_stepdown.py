"""The step-down test against plain NumPy on the same signs, and its familywise error on three populations."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from irassay.ask import comparison, stepdown
from irassay.ask.pairs import all_pairs
from irassay.compute.philox import words
from irassay.streams import STEPDOWN_SIGNS
from irassay.vary.labels import LabelPlan
from tests.helpers.paired_scores import Array, pairs_of, random_scores


def signs(seed: int, topics: int, replicates: int) -> NDArray[np.int64]:
    bits = [
        words(4 * math.ceil(topics / 128), seed=seed, stream=STEPDOWN_SIGNS, replicate=b) for b in range(replicates)
    ]
    return np.array([[1 - 2 * (int(row[t // 32]) >> (t % 32) & 1) for t in range(topics)] for row in bits])


def plain_t(rows: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.abs(rows.mean(axis=-1)) / (rows.std(axis=-1, ddof=1) / math.sqrt(rows.shape[-1])))


def plain_stepdown(z: Array, seed: int, replicates: int) -> tuple[Array, Array]:
    """Romano and Wolf as they write it: the maximum over the pairs that are left, step after step; and all maxima."""
    observed = plain_t(z)
    flips = signs(seed, z.shape[1], replicates)
    star = np.stack([plain_t(flips * (row - row.mean())) for row in z])  # [pairs, replicates]
    order = np.argsort(-observed, kind="stable")
    p, largest_p = np.empty(len(z)), 0.0
    for step, k in enumerate(order):
        reached = star[order[step:]].max(axis=0) >= observed[k] * (1 - 1e-10)
        largest_p = max(largest_p, (int(reached.sum()) + 1) / (replicates + 1))
        p[k] = largest_p
    return p, star.max(axis=0)


@pytest.mark.parametrize(("systems", "topics", "replicates"), [(2, 12, 99), (7, 25, 300), (9, 130, 530)])
@pytest.mark.parametrize("step", [0.0, 0.05])
def test_it_agrees_with_plain_numpy_on_the_same_signs(systems: int, topics: int, replicates: int, step: float) -> None:
    scores = random_scores(systems, topics, step=step)
    pairs, z = pairs_of(scores)
    p, largest = plain_stepdown(z, 3, replicates)
    result = stepdown.stepdown(scores, pairs, replicates, seed=3)
    assert result.p_values.tolist() == p.tolist()
    assert result.largest == pytest.approx(largest, rel=1e-9)


def test_near_copies_lose_no_digits_that_decide() -> None:
    scores = random_scores(4, 30)
    scores = np.concatenate([scores, scores + np.random.default_rng(2).normal(0, 1e-5, scores.shape)])
    pairs, z = pairs_of(scores)
    expected = plain_stepdown(z, 0, 400)[0]
    assert stepdown.stepdown(scores, pairs, 400).p_values.tolist() == expected.tolist()


def test_any_order_of_pairs_and_systems_and_any_threads_give_the_same_p_values() -> None:
    scores = random_scores(12, 40, step=0.1)
    pairs = all_pairs(12)
    expected = stepdown.stepdown(scores, pairs, 1200).p_values
    assert stepdown.stepdown(scores, pairs, 1200, jobs=3).p_values.tolist() == expected.tolist()
    turned = stepdown.stepdown(scores[::-1], (11 - pairs[1][::-1], 11 - pairs[0][::-1]), 1200)
    assert turned.p_values.tolist() == expected[::-1].tolist()


def test_it_is_monotone_and_rejects_no_less_than_one_step_and_no_less_than_its_own_interval() -> None:
    scores = random_scores(12, 40)
    pairs, z = pairs_of(scores)
    result = stepdown.stepdown(scores, pairs, 999)
    order = np.argsort(-plain_t(z))
    assert (np.diff(result.p_values[order]) >= 0).all()
    single = ((result.largest[:, None] >= plain_t(z) * (1 - 1e-10)).sum(axis=0) + 1) / 1000
    assert (result.p_values <= single).all()
    low, high = stepdown.max_t_interval(z, result, 0.05)
    assert ((low > 0) | (high < 0)).tolist() == (single < 0.05).tolist()
    critical = np.sort(result.largest)[-49]  # 49 + 1 of 1,000: the first p-value that is not below 0.05
    half = critical * z.std(axis=1, ddof=1) / math.sqrt(40)
    assert high == pytest.approx(z.mean(axis=1) + half, rel=1e-9, abs=1e-12)


def test_pairs_with_fewer_than_six_topics_that_differ_leave_the_family() -> None:
    scores = random_scores(5, 30)
    pairs = all_pairs(5)
    expected = stepdown.stepdown(scores, pairs, 500)
    # a copy that differs on five topics by a lot, one on six, and one on none
    five, six = scores[0].copy(), scores[0].copy()
    five[:5] += 0.5
    six[:6] += 0.5
    more = np.vstack([scores, five, six, scores[0]])
    several = (np.append(pairs[0], [0, 0, 0]), np.append(pairs[1], [5, 6, 7]))
    some = (np.append(pairs[0], [0, 0]), np.append(pairs[1], [5, 7]))
    assert stepdown.stepdown(more, some, 500).p_values[:10].tolist() == expected.p_values.tolist()
    result = stepdown.stepdown(more, several, 500)
    assert result.testable[10:].tolist() == [False, True, False]
    assert math.isnan(result.p_values[10])
    assert not math.isnan(result.p_values[11])
    assert result.p_values[12] == 1.0
    low, high = stepdown.max_t_interval(more[several[0]] - more[several[1]], result, 0.05)
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [*[False] * 10, True, False, True]


def test_a_constant_difference_has_the_smallest_p_value() -> None:
    scores = np.vstack([random_scores(1, 20), random_scores(1, 20) + 0.1, random_scores(1, 20, seed=3)])
    pairs, z = pairs_of(scores)
    result = stepdown.stepdown(scores, pairs, 199)
    assert result.p_values[0] == 1 / 200
    low, high = stepdown.max_t_interval(z, result, 0.05)
    assert (low[0], high[0]) == pytest.approx((-0.1, -0.1))


# familywise error: all means are equal, so any rejection is a false one


def exchangeable(rng: np.random.Generator) -> Array:
    return np.asarray(rng.beta(1, 3, (1, 40)) + rng.beta(1, 4, (10, 40)))


def near_copies(rng: np.random.Generator) -> Array:
    """18 systems that hardly differ, and 2 that do."""
    topic = rng.beta(1, 3, 40)
    return np.vstack([topic + rng.normal(0, 0.01, (18, 40)), topic + rng.normal(0, 0.2, (2, 40))])


@pytest.mark.parametrize("population", [exchangeable, near_copies])
def test_it_keeps_the_familywise_error(population: Callable[[np.random.Generator], Array]) -> None:
    rng, experiments = np.random.default_rng(5), 400
    rejected = {"stepdown": 0, "tukey": 0}
    for e in range(experiments):
        scores = population(rng)
        pairs, z = pairs_of(scores)
        rejected["stepdown"] += bool((stepdown.stepdown(scores, pairs, 299, seed=e).p_values < 0.05).any())
        ranges = LabelPlan(e, 40, 299).ranges(scores)
        rejected["tukey"] += bool((comparison.tukey(z.mean(axis=1), ranges) < 0.05).any())
    # the binomial error of .05 in 400 experiments is .011: three of them
    assert rejected["stepdown"] / experiments < 0.05 + 3 * math.sqrt(0.05 * 0.95 / experiments)
    if population is near_copies:  # why Tukey is no default
        assert rejected["tukey"] / experiments > 0.15
