"""The bootstrap test and intervals against scipy and plain Python on the same draws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irassay.ask import comparison as tests
from irassay.ask import intervals
from irassay.ask.intervals import Bounds
from irassay.ask.pairs import Pairs
from irassay.ask.significance import paired
from irassay.compute.draws import sums_of_samples
from irassay.errors import InputError
from irassay.vary.topics import TopicPlan
from tests.helpers.paired_scores import Array, pairs_of, random_scores


def resampled_interval(
    scores: Array, counts: NDArray[np.int32], pairs: Pairs, level: float, method: str, jobs: int = 1
) -> intervals.Bounds:
    sums = sums_of_samples(scores.T, counts, jobs=jobs)
    return intervals.resampled_interval(scores, sums, pairs, level, method, jobs=jobs)


def plain_bootstrap(z: Array, counts: NDArray[np.int32]) -> Array:
    """|t*| of every sample under H0, sample by sample."""
    w = z - z.mean()
    result = []
    for row in counts:
        sample = np.repeat(w, row)
        result.append(abs(sample.mean()) / (sample.std(ddof=1) / math.sqrt(len(z))))
    return np.array(result)


@pytest.mark.parametrize(("topics", "samples", "level"), [(15, 399, 0.05), (30, 1000, 0.05), (30, 999, 0.011)])
def test_the_bootstrap_test_and_its_interval_agree_with_plain_python_on_the_same_draws(
    topics: int, samples: int, level: float
) -> None:
    scores, counts = random_scores(5, topics), TopicPlan(2, topics, samples).counts()
    pairs, z = pairs_of(scores)
    p = tests.bootstrap(scores, counts, pairs)
    low, high = intervals.bootstrap_t_interval(scores, counts, pairs, level)
    for k, row in enumerate(z):
        star = plain_bootstrap(row, counts)
        error = row.std(ddof=1) / math.sqrt(topics)
        assert p[k] == (np.count_nonzero(star >= abs(row.mean()) / error) + 1) / (samples + 1)
        # the largest p-value below the level has so many samples beyond it, and the next one is the bar
        bar = np.sort(star)[::-1][math.ceil(level * (samples + 1) - 1e-9) - 2]
        assert [low[k], high[k]] == pytest.approx([row.mean() - bar * error, row.mean() + bar * error], rel=1e-9)


@pytest.mark.parametrize("samples", [99, 100, 999, 1000, 1019])
@pytest.mark.parametrize("level", [0.05, 0.1, 0.3])
@pytest.mark.parametrize("step", [0.0, 0.25])
def test_the_bootstrap_t_interval_leaves_out_0_exactly_when_the_test_rejects(
    samples: int, level: float, step: float
) -> None:
    scores, counts = random_scores(16, 12, seed=3, step=step), TopicPlan(4, 12, samples).counts()
    pairs, _ = pairs_of(scores)
    rejected = tests.bootstrap(scores, counts, pairs) < level
    low, high = intervals.bootstrap_t_interval(scores, counts, pairs, level)
    assert np.array_equal((low > 0) | (high < 0), rejected)
    assert 0 < rejected.sum() < len(rejected)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_resampled_intervals_agree_with_scipy_on_the_same_draws(method: str) -> None:
    scores, counts = random_scores(14, 30), TopicPlan(2, 30, 2000).counts()
    pairs, z = pairs_of(scores)
    low, high = resampled_interval(scores, counts, pairs, 0.1, method, jobs=2)
    index = np.repeat(np.tile(np.arange(30), 2000), counts.ravel()).reshape(2000, 30)

    for k in range(0, len(z), 9):
        drawn = stats.bootstrap((z[k],), np.mean, n_resamples=9, method="percentile", rng=np.random.default_rng(0))
        drawn.bootstrap_distribution = z[k][index].mean(axis=1)
        kind = "BCa" if method == "bca" else method
        result = stats.bootstrap(
            (z[k],), np.mean, n_resamples=0, bootstrap_result=drawn, confidence_level=0.9, method=kind
        ).confidence_interval
        assert [low[k], high[k]] == pytest.approx([result.low, result.high], rel=1e-9, abs=1e-12)


def test_the_t_interval_agrees_with_scipy_and_leaves_out_0_when_t_rejects() -> None:
    _, z = pairs_of(random_scores(12, 20))
    low, high = intervals.student_interval(z, 0.03)
    for k in range(len(z)):
        expected = stats.ttest_1samp(z[k], 0).confidence_interval(0.97)
        assert [low[k], high[k]] == pytest.approx([expected.low, expected.high], rel=1e-9, abs=1e-12)
    assert np.array_equal((low > 0) | (high < 0), tests.student(z) < 0.03)


def test_one_row_has_the_t_interval_that_it_has_among_others() -> None:
    _, z = pairs_of(random_scores(3, 20))
    assert intervals.student_interval(z[1], 0.03) == pytest.approx(
        [bound[1] for bound in intervals.student_interval(z, 0.03)]
    )


@pytest.mark.parametrize("kind", ["t", "bootstrap-t", "bca", "percentile"])
def test_a_row_that_does_not_vary_is_its_own_interval(kind: str) -> None:
    scores = np.vstack([np.arange(6) / 10 + 0.3, np.arange(6) / 10 + 0.2, np.arange(6) / 10 + 0.2])
    pairs, z = pairs_of(scores)
    counts = TopicPlan(0, 6, 200).counts()
    if kind == "t":
        low, high = intervals.student_interval(z, 0.05)
    elif kind == "bootstrap-t":
        low, high = intervals.bootstrap_t_interval(scores, counts, pairs, 0.05)
    else:
        low, high = resampled_interval(scores, counts, pairs, 0.05, kind)
    mean = [row.sum() / 6 for row in z]  # to the last bit
    assert (low.tolist(), high.tolist()) == (mean, mean)


@pytest.mark.parametrize(("kind", "needed"), [("percentile", 40), ("bca", 40), ("bootstrap-t", 20)])
def test_too_few_resamples_are_an_error_with_the_number_that_has_an_interval(kind: str, needed: int) -> None:
    scores = random_scores(2, 12)
    pairs, z = pairs_of(scores)
    for samples in (needed, needed - 1):
        counts = TopicPlan(0, 12, samples).counts()
        if samples < needed:
            with pytest.raises(InputError, match=f"--resamples {needed} "):
                interval_of(kind, scores, counts, pairs)
        else:
            low, high = interval_of(kind, scores, counts, pairs)
            assert low < z.mean() < high


def interval_of(kind: str, scores: Array, counts: NDArray[np.int32], pairs: Pairs, level: float = 0.05) -> Bounds:
    if kind == "bootstrap-t":
        return intervals.bootstrap_t_interval(scores, counts, pairs, level)
    return resampled_interval(scores, counts, pairs, level, kind)


def bca_of(z: list[float], samples: list[list[int]]) -> list[float]:
    """Both bounds at level .5 of a system's difference to one that scores 0."""
    scores, counts = np.array([z, [0.0] * len(z)]), np.array(samples, dtype=np.int32)
    low, high = interval_of("bca", scores, counts, (np.array([0]), np.array([1])), 0.5)
    return [float(low[0]), float(high[0])]


@pytest.mark.parametrize(("near", "tied"), [(0.8, True), (1.5, False)])
def test_sums_of_samples_are_equal_within_1e_10_of_the_size_of_both_systems_scores(near: float, tied: bool) -> None:
    samples = [[1, 1, 1, 1], [2, 1, 0, 1], [0, 3, 1, 0], [3, 0, 0, 1], [1, 0, 1, 2], [0, 2, 2, 0]]
    exact = bca_of([1.0, -1.0, 1.0, 2.0], samples)
    blurred = bca_of([1.0, -1.0, 1.0 + near * 5e-10, 2.0], samples)  # the size is 5
    assert (blurred == pytest.approx(exact, abs=1e-8)) == tied


def test_quantiles_of_rows_are_numpys_to_the_last() -> None:
    ordered = np.array([[1.0, 2.0, 4.0, 9.0], [0.0, 0.5, 0.5, 1.0]])
    for shares in ([1.0, 0.0], [0.5, 0.9], [0.99, 1.0]):
        expected = [np.quantile(row, share) for row, share in zip(ordered, shares, strict=True)]
        assert intervals._quantiles(ordered, np.array(shares)).tolist() == pytest.approx(expected)


def test_intervals_are_the_same_bits_for_any_number_of_threads() -> None:
    scores, counts = random_scores(20, 25), TopicPlan(0, 25, 500).counts()
    pairs, _ = pairs_of(scores)
    for kind in ("bca", "percentile"):
        one = resampled_interval(scores, counts, pairs, 0.05, kind, jobs=1)
        assert np.array_equal(one, resampled_interval(scores, counts, pairs, 0.05, kind, jobs=3))


def test_the_critical_value_of_the_paired_test_is_its_order_statistic() -> None:
    scores, counts = random_scores(4, 20), TopicPlan(1, 20, 500).counts()
    result = paired(scores, counts, ranks=(1, 7, 500))
    assert result.required.shape == (6, 3)
    for k, (x, y) in enumerate(zip(result.first, result.second, strict=True)):
        star = np.sort(plain_bootstrap(scores[x] - scores[y], counts))[::-1]
        assert result.critical[k] == pytest.approx([star[0], star[6], star[499]], rel=1e-9, abs=1e-12)


def in_tenths(kind: str, systems: int, topics: int) -> Array:
    """Whole numbers of which P@10 is a tenth, and RR a 2520th."""
    rng = np.random.default_rng(7)
    if kind == "P@10":
        return rng.binomial(10, 0.35, (systems, topics)).astype(float)
    return 2520.0 / rng.integers(1, 11, (systems, topics))


@pytest.mark.parametrize(("kind", "whole"), [("P@10", 10), ("RR", 2520)])
def test_a_bca_interval_of_tied_scores_does_not_depend_on_their_unit(kind: str, whole: int) -> None:
    counts = TopicPlan(0, 30, 2000).counts()
    integers = np.vstack([in_tenths(kind, 12, 30), np.zeros(30)])
    pairs, _ = pairs_of(integers)
    exact = np.array(resampled_interval(integers, counts, pairs, 0.05, "bca"))
    blurred = np.array(resampled_interval(integers / whole, counts, pairs, 0.05, "bca"))
    np.testing.assert_allclose(blurred, exact / whole, rtol=1e-9, atol=1e-12)
    # the other way round it is its mirror image
    mirrored = np.array(resampled_interval(integers / whole, counts, pairs[::-1], 0.05, "bca"))
    np.testing.assert_allclose(mirrored, -blurred[::-1], rtol=1e-9, atol=1e-12)


def test_the_bias_correction_counts_half_of_the_tied_samples() -> None:
    integers = in_tenths("P@10", 3, 20)
    counts = TopicPlan(3, 20, 999).counts()
    pairs, z = pairs_of(integers)
    low, high = resampled_interval(integers / 10, counts, pairs, 0.1, "bca")
    for k, row in enumerate(z.astype(int)):
        sums = counts @ row
        share = (np.count_nonzero(sums < row.sum()) + np.count_nonzero(sums == row.sum()) / 2) / 999
        z0, a = stats.norm.ppf(share), stats.skew(row) / 6 / math.sqrt(20)
        assert np.count_nonzero(sums == row.sum()) > 10
        for bound, q in ((low[k], stats.norm.ppf(0.05)), (high[k], stats.norm.ppf(0.95))):
            tail = stats.norm.cdf(z0 + (z0 + q) / (1 - a * (z0 + q)))
            assert bound == pytest.approx(np.percentile(sums, 100 * tail) / 200, rel=1e-9, abs=1e-12)
