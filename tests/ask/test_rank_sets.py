"""Rank sets and best sets against slow definitions on the same draws, and on known truth."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irassay.ask import _rank_sets as kernels
from irassay.ask import rank_sets as ask
from irassay.ask.leaderboard import covariance, t_statistics, topic_errors, two_sided
from irassay.compute.philox import open_uniform, words

Array = NDArray[np.float64]
ALPHA, DRAWS = 0.05, 800


def collection(effects: Array, sizes: tuple[int, ...] = (40, 60), seed: int = 0) -> list[Array]:
    rng = np.random.default_rng(seed)
    shape = len(effects)
    return [effects[:, None] + 0.2 * rng.standard_normal((shape, n)) + 0.2 * rng.standard_normal(n) for n in sizes]


def statistics(topics: list[Array]) -> tuple[Array, Array, Array, Array]:
    """t, degrees of freedom and variances of all pairs, and draws of the means."""
    scores = np.stack([values.mean(axis=1) for values in topics], axis=1)
    errors = topic_errors(scores, topics)
    draws = ask.mean_draws(ask.covariance_factor(covariance(topics)), DRAWS)
    return t_statistics(errors.difference, errors), errors.freedom, errors.variance, draws


def largest(values: Array) -> float:
    """The smallest number that (count + 1)/(B + 1) < alpha asks to be exceeded."""
    return float(np.sort(values)[::-1][math.ceil(ALPHA * (len(values) + 1)) - 2])


def plain_sets(t: Array, freedom: Array, variance: Array, draws: Array) -> tuple[list[list[int]], list[bool]]:
    """All five, one hypothesis after another."""
    systems = len(t)
    means = ask.by_system(draws)
    z = np.where(t == 0, 0.0, np.sign(t) * stats.norm.isf(stats.t.sf(np.abs(t), freedom)))

    def studentised(i: int, j: int) -> Array:
        return np.asarray((means[i] - means[j]) / np.sqrt(variance[i, j]))

    def rejected(pairs: list[tuple[int, int]]) -> set[tuple[int, int]]:
        """Two-sided step-down over unordered pairs; the ordered ones that are rejected, better first."""
        out: set[tuple[int, int]] = set()
        left = list(pairs)
        while left:
            limit = largest(np.max([np.abs(studentised(i, j)) for i, j in left], axis=0))
            new = [pair for pair in left if abs(z[pair]) > limit]
            if not new:
                break
            out |= {(i, j) if z[i, j] > 0 else (j, i) for i, j in new}
            left = [pair for pair in left if pair not in new]
        return out

    together = rejected(list(combinations(range(systems), 2)))
    low = [1 + sum(j == s for _, j in together) for s in range(systems)]
    high = [systems - sum(i == s for i, _ in together) for s in range(systems)]
    low_one, high_one, best = [], [], []
    for s in range(systems):
        others = [j for j in range(systems) if j != s]
        alone = rejected([(s, j) for j in others])
        low_one.append(1 + sum(j == s for _, j in alone))
        high_one.append(systems - sum(i == s for i, _ in alone))
        limit = largest(np.maximum(0, np.max([studentised(j, s) for j in others], axis=0)))
        best.append(not any(z[j, s] > limit for j in others))
    return [low, high, low_one, high_one], best


@pytest.mark.parametrize("seed", range(4))
def test_drawn_rank_sets_are_those_of_the_slow_definition(seed: int) -> None:
    topics = collection(np.array([0.5, 0.48, 0.47, 0.4, 0.39, 0.3]), seed=seed)
    sets = ask.drawn_rank_sets(*statistics(topics), ALPHA)
    expected, best = plain_sets(*statistics(topics))
    assert [one.tolist() for one in (sets.low, sets.high, sets.low_one, sets.high_one)] == expected
    assert sets.best.tolist() == best


def test_holms_rank_sets_are_those_of_the_slow_definition() -> None:
    topics = collection(np.array([0.5, 0.48, 0.45, 0.4, 0.3]))
    scores = np.stack([values.mean(axis=1) for values in topics], axis=1)
    errors = topic_errors(scores, topics)
    p = np.where(errors.difference > 0, two_sided(errors) / 2, 1 - two_sided(errors) / 2)
    sets = ask.rank_sets(p, ALPHA)
    systems, different = len(p), np.zeros_like(p, dtype=bool)
    ordered = sorted((2 * min(p[i, j], p[j, i]), i, j) for i, j in combinations(range(systems), 2))
    for k, (value, i, j) in enumerate(ordered):
        if value * (len(ordered) - k) >= ALPHA:
            break
        different[i, j] = different[j, i] = True
    for s in range(systems):
        assert sets.low[s] == 1 + sum(different[s, j] and p[j, s] < p[s, j] for j in range(systems))
        assert sets.high[s] == systems - sum(different[s, j] and p[s, j] < p[j, s] for j in range(systems))
        assert sets.best[s] == all(p[j, s] * (systems - 1) >= ALPHA for j in range(systems) if j != s)
        assert sets.low[s] <= sets.low_one[s] <= sets.high_one[s] <= sets.high[s]


@pytest.mark.parametrize(
    ("p", "q", "different", "best"),
    [
        (0.025, 0.975, False, [True, False]),  # twice .025 is not below .05
        (0.0249, 0.9751, True, [True, False]),
        (0.05, 0.95, False, [True, True]),
        (0.0499, 0.9501, False, [True, False]),
        (0.01, 0.01, False, [False, False]),  # neither is better
    ],
)
def test_holms_rank_sets_of_two_systems_by_hand(p: float, q: float, different: bool, best: list[bool]) -> None:
    sets = ask.rank_sets(np.array([[0.5, p], [q, 0.5]]), ALPHA)
    expected = ([1, 2], [1, 2]) if different else ([1, 1], [2, 2])
    assert (sets.low.tolist(), sets.high.tolist()) == expected
    assert (sets.low_one.tolist(), sets.high_one.tolist()) == expected
    assert sets.best.tolist() == best


def test_a_system_is_best_unless_another_beats_it_at_alpha_over_all_others() -> None:
    for p, best in ((0.024, [True, False, True]), (0.026, [True, True, True])):
        one_sided = np.full((3, 3), 0.5)
        one_sided[0, 1], one_sided[1, 0] = p, 1 - p
        assert ask.rank_sets(one_sided, ALPHA).best.tolist() == best


def test_systems_that_are_equal_and_do_not_vary_have_all_ranks() -> None:
    nothing = np.zeros((2, 2))
    with np.errstate(all="raise"):
        sets = ask.drawn_rank_sets(nothing, np.full((2, 2), 9.0), nothing, np.zeros((3, 2, 16)), ALPHA)
    assert [side.tolist() for side in (sets.low, sets.low_one)] == [[1, 1]] * 2
    assert [side.tolist() for side in (sets.high, sets.high_one)] == [[2, 2]] * 2
    assert sets.best.all()


def test_normal_deviates_have_the_p_values_of_t() -> None:
    t = np.array([0.0, 1.0, -1.0, 2.5, 40.0, -40.0])
    expected = np.sign(t) * stats.norm.isf(stats.t.sf(np.abs(t), 50))
    assert ask.normal_deviates(t, np.full(6, 50.0)) == pytest.approx(expected)
    assert ask.normal_deviates(np.zeros(1), np.full(1, np.nan)).tolist() == [0.0]


@pytest.mark.parametrize("scale", [1e-15, 1.0, 1e15])
def test_weights_and_factors_do_not_depend_on_the_scale(scale: float) -> None:
    variance = np.array([0.0, 0.5e-12, 2e-12, 0.25, 1.0])
    assert ask.draw_weights(scale * variance) * np.sqrt(scale) == pytest.approx([0, 0, 1 / np.sqrt(2e-12), 2, 1])
    covariance = np.array([[4.0, 2.0, 4.0, 0.0], [2.0, 2.0, 2.0, 0.0], [4.0, 2.0, 4.0 + 2e-12, 0.0], [0.0] * 4])
    with np.errstate(all="raise"):
        factor = ask.covariance_factor(scale * covariance) / np.sqrt(scale)
    assert factor == pytest.approx(np.array([[2.0, 0, 0, 0], [1, 1, 0, 0], [2, 0, 0, 0], [0] * 4]), abs=1e-9)


@pytest.mark.parametrize("run", [kernels.row_maxima.py_func, kernels.row_maxima], ids=["plain", "compiled"])
def test_maxima_are_over_the_others_of_a_weight_and_at_least_0(run: Any) -> None:
    draws = np.random.default_rng(0).integers(-5, 6, (2, 3, kernels.LANES)).astype(np.float64)
    weight = np.array([[0.0, 2.0, 0.0], [2.0, 0.0, 0.5], [0.0, 0.5, 0.0]])
    ahead, behind = np.full((2, *draws.shape), 99.0)
    run(draws, weight, ahead, behind)
    for s in range(3):
        scaled = [(draws[:, s] - draws[:, j]) * weight[s, j] for j in range(3) if weight[s, j]]
        assert ahead[:, s].tolist() == np.maximum(0, np.max(scaled, axis=0)).tolist()
        assert behind[:, s].tolist() == np.minimum(0, np.min(scaled, axis=0)).tolist()


def test_maxima_are_taken_of_every_block() -> None:
    draws = np.random.default_rng(0).normal(size=(35, 2, kernels.LANES))
    for sign in (1, -1, 2):  # memory that is used again holds other numbers
        own = ask.maxima(sign * draws, np.ones((2, 2)))
        gap = sign * (ask.by_system(draws)[0] - ask.by_system(draws)[1])
        assert own.ahead.tolist() == [np.maximum(gap, 0).tolist(), np.maximum(-gap, 0).tolist()]
        assert own.behind.tolist() == [np.maximum(-gap, 0).tolist(), np.maximum(gap, 0).tolist()]


@pytest.mark.parametrize("run", [kernels.count_ahead.py_func, kernels.count_ahead], ids=["plain", "compiled"])
def test_draws_are_ahead_by_more_than_1e_10(run: Any) -> None:
    draws = np.zeros((2, 3, kernels.LANES))
    draws[0, 0, :5], draws[0, 0, 5:7], draws[1, 0, :3] = 1e-10, 1.1e-10, -1.1e-10
    draws[1, 2] = -1e-10
    ahead = np.full((3, 3), 10)
    run(draws, ahead)
    assert ahead.tolist() == [[10, 12, 12], [13, 10, 10], [10, 10, 10]]


def test_draws_are_products_of_the_factor_and_the_same_normal_numbers() -> None:
    one, factor = np.eye(3), np.array([[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [0.5, -1.0, 4.0], [0.0, 0.0, 1.0]])
    numbers = ask.by_system(ask.mean_draws(one, 40, seed=3))
    assert numbers.shape == (3, 48)  # whole blocks of 16
    assert ask.by_system(ask.mean_draws(factor, 40, seed=3)) == pytest.approx(factor @ numbers)
    scores = np.array([[0.1, 0.5, 0.3], [0.2, 0.2, 0.9]])
    weights = ask.by_system(ask.weightings(one, 40, seed=3))
    assert ask.by_system(ask.weightings(scores, 40, seed=3)) == pytest.approx(scores @ weights)


@pytest.mark.parametrize("kernel", [kernels.normal_draws, kernels.weighted_draws])
def test_a_draw_is_a_function_of_its_replicate_alone(kernel: Any) -> None:
    def drawn(first: int, blocks: int) -> Array:
        out = np.empty((blocks, 3, kernels.LANES))
        kernel(np.eye(3), np.uint64(5), np.uint32(7), np.int64(first), out)
        return np.concatenate(list(out), axis=1).T

    whole = drawn(0, 3)
    for replicate in (0, 1, 15, 16, 33):
        assert drawn(replicate, 1)[0].tolist() == whole[replicate].tolist()


def test_weights_are_exponential_numbers_over_their_sum() -> None:
    out = np.empty((1, 3, kernels.LANES))
    kernels.weighted_draws(np.eye(3), np.uint64(5), np.uint32(7), np.int64(2), out)
    random = words(12, seed=5, stream=7, replicate=2)[::4]  # one of four of each step
    numbers = [-math.log(open_uniform.py_func(word)) for word in random]
    assert out[0, :, 0].tolist() == pytest.approx([number / sum(numbers) for number in numbers])


def test_draws_have_the_covariance_of_the_means() -> None:
    topics = collection(np.zeros(4))
    factor = ask.covariance_factor(covariance(topics))
    np.testing.assert_allclose(factor @ factor.T, covariance(topics), rtol=1e-9)
    draws = ask.by_system(ask.mean_draws(factor, 40_000))
    # the error of a correlation or of a relative variance is below sqrt(2/40000) = .007; four of them
    np.testing.assert_allclose(np.cov(draws), covariance(topics), rtol=0.03)
    assert stats.kstest(draws[0] / draws[0].std(), "norm").pvalue > 0.001


def test_a_system_moves_no_draw_of_those_before_it_and_a_copy_adds_none() -> None:
    topics = [np.vstack([values, values[1:2]]) for values in collection(np.zeros(4))]
    factor = ask.covariance_factor(covariance(topics))
    np.testing.assert_array_equal(factor[:3, :3], ask.covariance_factor(covariance([one[:3] for one in topics])))
    np.testing.assert_allclose(factor[4], factor[1], atol=1e-9)
    np.testing.assert_allclose(factor @ factor.T, covariance(topics), rtol=1e-9)


def test_any_number_of_threads_draws_the_same() -> None:
    topics = collection(np.array([0.5, 0.45, 0.3]))
    factor = ask.covariance_factor(covariance(topics))
    draws = ask.mean_draws(factor, 1000, seed=3, jobs=1)
    np.testing.assert_array_equal(draws, ask.mean_draws(factor, 1000, seed=3, jobs=3))
    one, three = (ask.weightings(np.array([[0.1, 0.5], [0.4, 0.3]]), 1000, seed=3, jobs=jobs) for jobs in (1, 3))
    np.testing.assert_array_equal(one, three)
    np.testing.assert_array_equal(ask.shares_ahead(one, 1), ask.shares_ahead(one, 3))


def test_copies_of_a_system_share_its_ranks() -> None:
    topics = collection(np.array([0.5, 0.45, 0.3]))
    topics = [np.vstack([values, values[:1]]) for values in topics]
    sets = ask.drawn_rank_sets(*statistics(topics), ALPHA)
    assert (sets.low[0], sets.high[0], sets.best[0]) == (sets.low[3], sets.high[3], sets.best[3])


def test_intervals_that_hold_together_use_the_largest_of_all_pairs() -> None:
    _, _, variance, draws = statistics(collection(np.array([0.5, 0.45, 0.3])))
    means = ask.by_system(draws)
    pairs = combinations(range(3), 2)
    every = [np.abs(means[i] - means[j]) / np.sqrt(variance[i, j]) for i, j in pairs]
    assert ask.simultaneous_critical(variance, draws, ALPHA) == pytest.approx(largest(np.max(every, axis=0)), rel=1e-12)


def test_weightings_are_uniform_over_all_weightings() -> None:
    collections, draws = 5, 40_000
    weights = ask.by_system(ask.weightings(np.eye(collections), draws))
    np.testing.assert_allclose(weights.sum(axis=0), 1.0, rtol=1e-12)
    # each is Beta(1, K - 1)
    assert stats.kstest(weights[0], stats.beta(1, collections - 1).cdf).pvalue > 0.001
    expected = -1 / (collections**2 * (collections + 1))
    # 40,000 draws: the error of a covariance of two weights with sd .16 is below .00015
    assert np.cov(weights[0], weights[1])[0, 1] == pytest.approx(expected, abs=0.0006)


def test_shares_of_weightings_are_counted_pair_by_pair() -> None:
    scores = np.array([[0.5, 0.3, 0.4], [0.4, 0.45, 0.3], [0.4, 0.45, 0.3], [0.1, 0.2, 0.2]])
    draws = ask.weightings(scores, 320)
    means = ask.by_system(draws)
    shares = ask.shares_ahead(draws)
    assert shares[0, 1] == (means[0] > means[1]).mean()
    assert shares[0, 1] + shares[1, 0] == 1.0
    assert shares[1, 2] == 0.5
    assert shares[0, 3] == 1.0  # better on every collection, so under any weights


EXPERIMENTS = 300


def coverage(effects: Array, sizes: tuple[int, ...]) -> tuple[int, int, float]:
    """Experiments whose ranks of all systems, and whose best set, hold the truth; share of ranks held one by one."""
    rank = stats.rankdata(-effects)
    together = best = 0
    alone = 0.0
    for unit in range(EXPERIMENTS):
        topics = collection(effects, sizes, seed=1000 + unit)
        scores = np.stack([values.mean(axis=1) for values in topics], axis=1)
        errors = topic_errors(scores, topics)
        draws = ask.mean_draws(ask.covariance_factor(covariance(topics)), 400, seed=unit)
        t = t_statistics(errors.difference, errors)
        sets = ask.drawn_rank_sets(t, errors.freedom, errors.variance, draws, ALPHA)
        together += bool(((sets.low <= rank) & (rank <= sets.high)).all())
        alone += ((sets.low_one <= rank) & (rank <= sets.high_one)).mean()
        best += bool(sets.best[effects.argmax()])
    return together, best, alone / EXPERIMENTS


def test_rank_sets_and_best_sets_hold_the_truth_as_often_as_they_promise() -> None:
    # seeds 1000 to 1299; at least 95% is promised, and a binomial count is below 95% - 3 errors (3.8%) once in 1000
    least = EXPERIMENTS * (0.95 - 3 * math.sqrt(0.95 * 0.05 / EXPERIMENTS))
    together, best, alone = coverage(np.array([0.5, 0.499, 0.498, 0.45, 0.4]), (25, 25, 40))
    assert together >= least
    assert best >= least
    assert alone >= 0.95


def test_equal_systems_are_called_different_as_often_as_alpha_says() -> None:
    false = 0
    for unit in range(EXPERIMENTS):
        topics = collection(np.full(6, 0.5), (25, 25), seed=5000 + unit)
        sets = ask.drawn_rank_sets(*statistics(topics), ALPHA)
        false += bool((sets.high - sets.low < 5).any())
    # seeds 5000 to 5299: .05 with a binomial error of .0126, three of them
    assert false / EXPERIMENTS == pytest.approx(ALPHA, abs=3 * math.sqrt(ALPHA * (1 - ALPHA) / EXPERIMENTS))
