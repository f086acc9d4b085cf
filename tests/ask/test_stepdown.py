"""The step-down test against plain NumPy on the same samples of topics."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from irassay.ask import stepdown
from irassay.ask._stepdown import differences_under_h0
from irassay.ask.constants import LANES
from irassay.ask.pairs import all_pairs
from irassay.vary.topics import TopicPlan
from tests.helpers.paired_scores import Array, pairs_of, random_scores


def plain_t(rows: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.abs(rows.mean(axis=-1)) / (rows.std(axis=-1, ddof=1) / math.sqrt(rows.shape[-1])))


def counts_of(topics: int, replicates: int, seed: int = 0) -> NDArray[np.int32]:
    return TopicPlan(seed, topics, replicates).counts()


def under_h0(row: Array) -> Array:
    """Differences whose mean is 0: topics that are tied stay so, unless the others all differ by one value."""
    differing = np.abs(row) > 1e-10
    if np.ptp(row[differing]) < 1e-9:
        return row - row.mean() if np.ptp(row) > 1e-9 else np.zeros_like(row)
    return np.where(differing, row - row[differing].mean(), 0.0)


def sampled_t(row: Array, counts: NDArray[np.int32]) -> Array:
    """|t*| of every sample, from its topics written out."""
    samples = np.array([np.repeat(under_h0(row), sample) for sample in counts])
    alike = np.ptp(samples, axis=1) < 1e-12
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(alike, np.where(np.abs(samples[:, 0]) < 1e-12, 0.0, np.inf), plain_t(samples))


def plain_stepdown(z: Array, counts: NDArray[np.int32]) -> tuple[Array, Array]:
    """Romano and Wolf as they write it: the maximum over the pairs that are left, step after step; and all maxima."""
    observed = plain_t(z)
    star = np.stack([sampled_t(row, counts) for row in z])  # [pairs, replicates]
    order = np.argsort(-observed, kind="stable")
    p, largest_p = np.empty(len(z)), 0.0
    for step, k in enumerate(order):
        reached = star[order[step:]].max(axis=0) >= observed[k] * (1 - 1e-10)
        largest_p = max(largest_p, (int(reached.sum()) + 1) / (len(counts) + 1))
        p[k] = largest_p
    return p, star.max(axis=0)


def in_tenths(systems: int, topics: int) -> Array:
    """Scores with many ties, as of P@10."""
    return np.asarray(np.random.default_rng(4).binomial(10, np.linspace(0.05, 0.5, topics), (systems, topics)) / 10)


@pytest.mark.parametrize(("systems", "topics", "replicates"), [(2, 12, 99), (7, 25, 300), (13, 130, 530)])
@pytest.mark.parametrize("scores_of", [random_scores, partial(random_scores, step=0.05), in_tenths])
def test_it_agrees_with_plain_numpy_on_the_same_samples(
    systems: int, topics: int, replicates: int, scores_of: Callable[[int, int], Array]
) -> None:
    scores = scores_of(systems, topics)
    pairs, z = pairs_of(scores)
    p, largest = plain_stepdown(z, counts_of(topics, replicates, 3))
    result = stepdown.stepdown(scores, pairs, counts_of(topics, replicates, 3))
    assert result.testable.all()
    assert result.p_values.tolist() == p.tolist()
    assert result.largest == pytest.approx(largest, rel=1e-9)


def test_near_copies_lose_no_digits_that_decide() -> None:
    scores = random_scores(4, 30)
    scores = np.concatenate([scores, scores + np.random.default_rng(2).normal(0, 1e-5, scores.shape)])
    pairs, z = pairs_of(scores)
    expected = plain_stepdown(z, counts_of(30, 400))[0]
    assert stepdown.stepdown(scores, pairs, counts_of(30, 400)).p_values.tolist() == expected.tolist()


def test_any_order_of_pairs_and_systems_and_any_threads_give_the_same_p_values() -> None:
    scores, counts = random_scores(12, 40, step=0.1), counts_of(40, 1200)
    pairs = all_pairs(12)
    expected = stepdown.stepdown(scores, pairs, counts).p_values
    assert stepdown.stepdown(scores, pairs, counts, jobs=3).p_values.tolist() == expected.tolist()
    reverse = stepdown.stepdown(scores[::-1], (11 - pairs[1][::-1], 11 - pairs[0][::-1]), counts)
    assert reverse.p_values.tolist() == expected[::-1].tolist()


def test_it_is_monotone_and_rejects_no_less_than_one_step_and_no_less_than_its_own_interval() -> None:
    scores = random_scores(12, 40)
    pairs, z = pairs_of(scores)
    result = stepdown.stepdown(scores, pairs, counts_of(40, 999))
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
    scores, counts = random_scores(5, 30), counts_of(30, 500)
    pairs = all_pairs(5)
    expected = stepdown.stepdown(scores, pairs, counts)
    # a copy that differs on five topics by a lot, one on six, and one on none
    five, six = scores[0].copy(), scores[0].copy()
    five[:5] += 0.5
    six[:6] += 0.5
    more = np.vstack([scores, five, six, scores[0]])
    several = (np.append(pairs[0], [0, 0, 0]), np.append(pairs[1], [5, 6, 7]))
    some = (np.append(pairs[0], [0, 0]), np.append(pairs[1], [5, 7]))
    assert stepdown.stepdown(more, some, counts).p_values[:10].tolist() == expected.p_values.tolist()
    result = stepdown.stepdown(more, several, counts)
    assert result.testable[10:].tolist() == [False, True, False]
    assert math.isnan(result.p_values[10])
    assert not math.isnan(result.p_values[11])
    assert result.p_values[12] == 1.0
    low, high = stepdown.max_t_interval(more[several[0]] - more[several[1]], result, 0.05)
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [*[False] * 10, True, False, True]


def test_many_copies_that_differ_on_few_topics_do_not_block_a_clear_difference() -> None:
    rng = np.random.default_rng(0)
    base = rng.beta(2, 2, 50)
    copies = np.array([np.where(rng.permutation(50) < 6, rng.beta(2, 2, 50), base) for _ in range(60)])
    scores = np.vstack([base, copies, base + 0.15 + rng.normal(0, 0.1, 50)])
    pairs = np.zeros(61, dtype=np.int64), np.arange(1, 62)
    assert stepdown.stepdown(scores, pairs, counts_of(50, 999)).p_values[-1] < 0.01
    # centring all topics, as one would without ties, gives an infinite |t*| in more than .05 of the samples
    z = scores[0] - scores[1:]
    centred = z - z.mean(axis=1, keepdims=True)
    samples = [np.repeat(centred, sample, axis=1) for sample in counts_of(50, 999)]
    assert np.mean([(np.ptp(sample, axis=1) < 1e-12).any() for sample in samples]) > 0.05


def test_a_constant_difference_has_the_smallest_p_value() -> None:
    scores = np.vstack([random_scores(1, 20), random_scores(1, 20) + 0.1, random_scores(1, 20, seed=3)])
    pairs, z = pairs_of(scores)
    result = stepdown.stepdown(scores, pairs, counts_of(20, 199))
    assert result.p_values[0] == 1 / 200
    low, high = stepdown.max_t_interval(z, result, 0.05)
    assert (low[0], high[0]) == pytest.approx((-0.1, -0.1))


def test_a_topic_differs_by_more_than_1e_10() -> None:
    values = np.zeros((2, 12))
    values[0, :6] = [0.1, 0.3, 0.2, 0.5, 0.4, 1e-10]
    assert not stepdown.stepdown(values, all_pairs(2), counts_of(12, 99)).testable[0]
    values[0, 5] = 1.1e-10
    assert stepdown.stepdown(values, all_pairs(2), counts_of(12, 99)).testable[0]


@pytest.mark.parametrize("scale", [1e-6, 0.1, 0.3, 0.7, 1.0, 1e6])
def test_a_sample_that_ties_with_the_observed_statistic_counts_whatever_the_scale(scale: float) -> None:
    # (Σz)²/Σz² is 27/7, and in the first sample of z - 3, which is 2, 2, -1, -4, -1, 2, too; in the second it is 0
    scores = np.array([[5.0, 5.0, 2.0, -1.0, 2.0, 5.0], [0.0] * 6]) * scale
    counts = np.array([[2, 2, 1, 0, 0, 1], [1, 1, 1, 1, 1, 1]], dtype=np.int32)
    assert stepdown.stepdown(scores, all_pairs(2), counts).p_values.tolist() == [2 / 3]


def test_a_sample_that_hardly_varies_does_not_reach_a_constant_difference() -> None:
    # its x is 6 less 5.5e-10: a tie with 6, which is why that of a constant difference is infinite
    other = np.array([1.0, 1.0 + 1.5e-5, -0.8, 0.5, -0.7, 0.3])
    scores = np.vstack([np.full(6, 0.5), np.zeros(6), other])
    pairs = np.array([0, 2]), np.array([1, 1])
    counts = np.array([[3, 3, 0, 0, 0, 0]], dtype=np.int32)
    assert stepdown.stepdown(scores, pairs, counts).p_values.tolist() == [0.5, 1.0]


def test_a_sample_of_one_topic_reaches_a_constant_difference_and_one_of_ties_reaches_nothing() -> None:
    some = np.array([0.4, 0.1, 0.3, -0.2, 0.6, -0.5, 0.0, 0.0])
    scores = np.vstack([np.full(8, 0.5), np.zeros(8), some])
    counts = np.array([[8, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 3, 5]], dtype=np.int32)
    result = stepdown.stepdown(scores, (np.array([0, 2]), np.array([1, 1])), counts)
    assert result.largest.tolist() == [math.inf, 0.0]
    assert result.p_values.tolist() == [2 / 3, 2 / 3]


def test_differences_under_h0_of_pairs_written_out() -> None:
    z = np.array(
        [
            [0.5, 0.2, -0.1, 0.2],
            [1e-10, 0.3, 0.1, 0.2],  # a tie stays
            [0.0, 0.2, 0.2, 0.0],  # one value on the topics that differ: all are centred
            [0.3 - 0.2, 0.1, 0.8 - 0.7, 0.4 - 0.3],  # constant but for rounding
        ]
    )
    w, w2 = np.full((2, 4, LANES), 9.0)
    scores = np.ascontiguousarray(np.vstack([z, np.zeros(4)]).T)
    differences_under_h0.py_func(scores, np.arange(4), np.full(4, 4), w, w2)
    expected = [[0.3, 0.0, -0.3, 0.0], [0.0, 0.1, -0.1, 0.0], [-0.1, 0.1, 0.1, -0.1]]
    np.testing.assert_allclose(w[:, :3].T, expected, atol=1e-15)
    assert w[0, 1] == 0.0
    assert not w[:, 3:].any()
    assert w2.tolist() == (w * w).tolist()


def test_more_pairs_than_stand_side_by_side_agree_with_plain_numpy() -> None:
    # 136 pairs in three tiles, most of them where the maximum is that of a later tile
    scores, counts = random_scores(17, 9, seed=2), counts_of(9, 25)
    pairs, z = pairs_of(scores)
    p, largest = plain_stepdown(z, counts)
    result = stepdown.stepdown(scores, pairs, counts)
    assert result.p_values.tolist() == p.tolist()
    assert result.largest == pytest.approx(largest, rel=1e-9)


def test_a_difference_that_does_not_vary_is_its_interval_whatever_the_critical_value() -> None:
    z = np.array([[0.5, 0.5, 0.5], [0.25, 0.5, 0.75]])
    for largest in (np.full(19, np.inf), np.arange(1.0, 20.0)):
        test = stepdown.MaxT(np.full(2, 0.05), largest, np.array([True, True]))
        low, high = stepdown.max_t_interval(z, test, 0.1)
        assert (low[0], high[0]) == (0.5, 0.5)
        half = test.critical(0.1) * 0.25 / math.sqrt(3)
        assert (low[1], high[1]) == pytest.approx((0.5 - half, 0.5 + half))
    assert test.critical(0.1) == 19.0  # 1 + 1 of 20 is not below .1


def test_one_value_on_the_few_topics_that_differ_is_no_certainty() -> None:
    values = np.zeros((2, 20))
    values[0, :6] = 0.1
    result = stepdown.stepdown(values, all_pairs(2), counts_of(20, 999))
    assert 1 / 1000 < result.p_values[0] < 0.05  # six wins of six: .03 by the sign test
