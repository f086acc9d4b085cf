"""Means over collections, their errors, ranks and leave-one-out, against scipy and the plain definitions."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irassay.ask import leaderboard as ask

Array = NDArray[np.float64]
RNG = np.random.default_rng(0)
SYSTEMS, SIZES = 5, (7, 30, 12)


def drawn(systems: int = SYSTEMS, sizes: tuple[int, ...] = SIZES) -> tuple[Array, list[Array]]:
    rng = np.random.default_rng(0)
    topics = [rng.random((systems, size)) for size in sizes]
    return np.stack([values.mean(axis=1) for values in topics], axis=1), topics


def test_errors_of_differences_are_welchs_of_the_topics_within_collections() -> None:
    scores, topics = drawn()
    errors = ask.topic_errors(scores, topics)
    for x in range(SYSTEMS):
        for y in range(SYSTEMS):
            if x == y:
                continue
            parts = np.array([np.var(z[x] - z[y], ddof=1) / z.shape[1] for z in topics]) / len(topics) ** 2
            assert errors.variance[x, y] == pytest.approx(parts.sum(), rel=1e-12)
            freedom = parts.sum() ** 2 / (parts**2 / (np.array(SIZES) - 1)).sum()
            assert errors.freedom[x, y] == pytest.approx(freedom, rel=1e-12)
            assert errors.difference[x, y] == pytest.approx(np.mean([(z[x] - z[y]).mean() for z in topics]), rel=1e-12)


def test_with_one_collection_the_test_is_scipys_paired_t_test() -> None:
    scores, topics = drawn(sizes=(20,))
    p = ask.two_sided(ask.topic_errors(scores, topics))
    for x in range(SYSTEMS):
        for y in range(x):
            assert p[x, y] == pytest.approx(stats.ttest_rel(topics[0][x], topics[0][y]).pvalue, rel=1e-10)


def test_errors_of_means_are_those_of_a_difference_to_zero() -> None:
    scores, topics = drawn()
    variance, freedom = ask.mean_errors(topics)
    beside = [np.vstack([values, np.zeros(values.shape[1])]) for values in topics]
    errors = ask.topic_errors(np.vstack([scores, np.zeros(len(topics))]), beside)
    np.testing.assert_allclose(variance, errors.variance[:-1, -1], rtol=1e-12)
    np.testing.assert_allclose(freedom, errors.freedom[:-1, -1], rtol=1e-12)


def test_the_covariance_has_the_errors_of_means_and_differences() -> None:
    scores, topics = drawn()
    covariance = ask.covariance(topics)
    own = np.diagonal(covariance)
    np.testing.assert_allclose(own, ask.mean_errors(topics)[0], rtol=1e-12)
    between = own[:, None] + own - 2 * covariance
    np.testing.assert_allclose(between, ask.topic_errors(scores, topics).variance, rtol=1e-9, atol=1e-16)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_near_copies_lose_no_digit(scale: float) -> None:
    rng = np.random.default_rng(1)
    base = rng.random(40)
    values = scale * np.stack([base, base + 1e-7 * rng.standard_normal(40), base, base + 0.001])
    variance = ask.pair_variances(values)
    assert variance[0, 2] == 0.0
    assert variance[0, 3] == 0.0  # a constant difference does not vary
    for x, y in ((0, 1), (1, 2), (1, 3)):
        assert variance[x, y] == variance[y, x]
        assert variance[x, y] / np.var(values[x] - values[y], ddof=1) == pytest.approx(1 / 40, rel=1e-6)


def test_more_near_copies_than_are_computed_together_lose_no_digit() -> None:
    rng = np.random.default_rng(1)
    values = rng.random(30) + 1e-7 * rng.standard_normal((14, 30))  # 91 pairs
    variance = ask.pair_variances(values)
    for x in range(14):
        for y in range(x):
            assert variance[x, y] / np.var(values[x] - values[y], ddof=1) == pytest.approx(1 / 30, rel=1e-6)


def test_a_mean_that_does_not_vary_has_variance_0_and_endless_freedom() -> None:
    variance, freedom = ask.mean_errors([np.array([[0.5, 0.5, 0.5], [0.1, 0.2, 0.6]])])
    assert (variance[0], freedom[0]) == (0.0, np.inf)
    assert freedom[1] == pytest.approx(2.0)


def test_equal_systems_are_not_different_and_a_constant_difference_is_certain() -> None:
    values = np.vstack([np.tile(np.arange(5.0), (2, 1)), np.arange(5.0) + 0.25])
    p = ask.two_sided(ask.topic_errors(values.mean(axis=1, keepdims=True), [values]))
    assert p[0, 1] == 1.0
    assert p[0, 2] == 0.0


def test_pairs_are_compared_on_the_collections_that_both_have() -> None:
    scores, topics = drawn()
    scores[1, 0] = np.nan
    topics[0][1] = np.nan
    errors = ask.topic_errors(scores, topics)
    rest = ask.topic_errors(scores[:, 1:], topics[1:])
    assert errors.collections[1].tolist() == [2, 2, 2, 2, 2]
    assert errors.difference[0, 1] == pytest.approx(rest.difference[0, 1], rel=1e-12)
    assert errors.variance[0, 1] == pytest.approx(rest.variance[0, 1], rel=1e-12)
    assert errors.freedom[0, 1] == pytest.approx(rest.freedom[0, 1], rel=1e-12)
    assert errors.collections[0, 2] == 3


def test_wins_are_counted_pair_by_pair() -> None:
    scores = np.round(np.random.default_rng(2).random((4, 9)), 1)
    scores[3, 2] = np.nan
    won, tied = ask.wins(scores)
    for x in range(4):
        for y in range(4):
            assert won[x, y] == sum(a > b for a, b in zip(scores[x], scores[y], strict=True))
            assert tied[x, y] == (0 if x == y else sum(a == b for a, b in zip(scores[x], scores[y], strict=True)))


def test_rounding_makes_no_winner() -> None:
    won, tied = ask.wins(np.array([[0.1 + 0.2], [0.3]]))
    assert won.sum() == 0
    assert tied[0, 1] == 1
    assert ask.collection_ranks(np.array([[0.1 + 0.2], [0.3]])).tolist() == [[1.5], [1.5]]


def test_scores_are_equal_up_to_1e_10() -> None:
    at, beyond = np.array([[1e-10], [0.0]]), np.array([[1.1e-10], [0.0]])
    assert [matrix.tolist() for matrix in ask.wins(at)] == [[[0, 0], [0, 0]], [[0, 1], [1, 0]]]
    assert [matrix.tolist() for matrix in ask.wins(beyond)] == [[[0, 1], [0, 0]], [[0, 0], [0, 0]]]
    assert ask.common_differences(at)[0].tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert ask.common_differences(beyond)[0].tolist() == [[0.0, 1.1e-10], [-1.1e-10, 0.0]]
    assert ask.collection_ranks(np.array([[0.3], [0.3 + 2e-11], [0.0], [-0.0]])).tolist() == [
        [1.5],
        [1.5],
        [3.5],
        [3.5],
    ]


def test_what_is_equal_without_a_collection_is_said_of_means_of_the_others() -> None:
    # without the third collection means of the first two differ by 0.75e-10, which is nothing, or by 1.5e-10
    scores = np.array([[0.2, 0.1, 0.95], [0.2 + 1.5e-10, 0.1, 0.5], [0.5, 0.7, 0.1], [0.5 + 3e-10, 0.7, 0.0]])
    plain = np.array([1.0, 1.0, 2.0, 3.0])
    assert ask.order_without(scores)[0][2] == pytest.approx(stats.kendalltau(scores.mean(axis=1), plain).statistic)
    # ranks are those of means rounded to 1e-10: 0.4e-10 is nothing, 0.75e-10 is not
    scores[1, 0], scores[3, 0] = 0.2 + 0.8e-10, 0.5 + 1.5e-10
    assert ask.correlation_with_others(scores)[2] == pytest.approx(stats.spearmanr(scores[:, 2], plain).statistic)


def test_no_correlation_of_collections_lies_beyond_1() -> None:
    for systems in range(3, 40):
        ranks = np.random.default_rng(systems).permutation(systems).astype(float)
        result = ask.correlations(np.stack([ranks, ranks, -ranks], axis=1))
        assert result == pytest.approx(np.array([[1, 1, -1], [1, 1, -1], [-1, -1, 1]]))
        assert np.abs(result).max() <= 1


def test_collections_are_standardised_by_their_own_systems() -> None:
    scores = np.array([[0.1, 0.3, 0.5], [0.4, np.nan, 0.5], [0.3, 0.4, 0.5], [0.2, 0.9, 0.5 + 1e-11]])
    mean, sd = ask.standardised(scores)
    columns = [column[~np.isnan(column)] for column in scores.T]
    assert mean.tolist() == pytest.approx([column.mean() for column in columns])
    assert sd.tolist() == pytest.approx([np.std(columns[0], ddof=1), np.std(columns[1], ddof=1), 1.0])


def test_borda_counts_the_systems_beaten() -> None:
    scores = np.round(np.random.default_rng(3).random((6, 5)), 1)
    ranks = ask.collection_ranks(scores)
    for k in range(5):
        np.testing.assert_array_equal(ranks[:, k], stats.rankdata(-scores[:, k]))
    won, tied = ask.wins(scores)
    np.testing.assert_allclose(ask.borda(ranks), won.sum(axis=1) + 0.5 * tied.sum(axis=1))


@pytest.mark.parametrize(("systems", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_the_critical_difference_has_demsars_quantiles(systems: int, q: float) -> None:
    # table 5 (a) of demsar2006statistical
    expected = q * np.sqrt(systems * (systems + 1) / (6 * 14))
    assert ask.critical_difference(systems, 14, 0.05) == pytest.approx(expected, rel=3e-4)


def test_leaving_one_out_agrees_with_scipys_tau() -> None:
    scores = np.random.default_rng(4).random((8, 4))
    taus, first = ask.order_without(scores)
    for k in range(4):
        rest = np.delete(scores, k, axis=1).mean(axis=1)
        assert taus[k] == pytest.approx(stats.kendalltau(scores.mean(axis=1), rest).statistic, rel=1e-12)
        assert first[k] == rest.argmax()


def test_correlations_are_scipys_spearman() -> None:
    scores = np.round(np.random.default_rng(5).random((9, 4)), 1)
    np.testing.assert_allclose(ask.correlations(scores), stats.spearmanr(scores).statistic, rtol=1e-12)
    others = np.array([np.delete(scores, k, axis=1).mean(axis=1) for k in range(4)])
    expected = [stats.spearmanr(scores[:, k], np.round(others[k], 10)).statistic for k in range(4)]
    np.testing.assert_allclose(ask.correlation_with_others(scores), expected, rtol=1e-12)


def test_missing_results_are_filled_with_the_worst_and_the_best_of_the_collection() -> None:
    scores = np.array([[0.1, 0.5], [0.4, np.nan], [0.3, 0.2]])
    low, high = ask.fill_in(scores)
    assert low.tolist() == [[0.1, 0.5], [0.4, 0.2], [0.3, 0.2]]
    assert high.tolist() == [[0.1, 0.5], [0.4, 0.5], [0.3, 0.2]]
