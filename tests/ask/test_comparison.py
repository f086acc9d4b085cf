"""Tests of pairs against scipy, statsmodels, plain Python on the same draws, and cases by hand."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from irassay.ask import comparison as tests
from irassay.ask.pairs import all_pairs
from irassay.ask.t_statistic import moments
from irassay.compute._draws import below
from irassay.compute.philox import words
from irassay.streams import PERMUTATIONS, SIGNS
from irassay.vary import labels
from irassay.vary.labels import LabelPlan
from irassay.vary.topics import TopicPlan
from tests.helpers.paired_scores import Array, pairs_of, random_scores

statsmodels: Any = pytest.importorskip("statsmodels.stats.api")


@pytest.mark.parametrize("topics", [5, 12, 13, 14, 50, 51, 200])
@pytest.mark.parametrize("step", [0.0, 0.1])
def test_simple_tests_agree_with_scipy_pair_by_pair(topics: int, step: float) -> None:
    scores = random_scores(4, topics, step=step)
    (first, second), z = pairs_of(scores)
    t, ranks, signs = tests.student(z), tests.wilcoxon(z), tests.sign(z)
    few = 2 if topics in (12, 13) else len(z)  # scipy goes through all patterns, for seconds
    for p, (x, y) in enumerate(zip(first[:few], second[:few], strict=True)):
        assert t[p] == pytest.approx(stats.ttest_rel(scores[x], scores[y]).pvalue, rel=1e-9)
        rounded = np.round(z[p], 10)
        assert ranks[p] == pytest.approx(stats.wilcoxon(rounded).pvalue, rel=1e-9)
        won, lost = int((rounded > 0).sum()), int((rounded < 0).sum())
        assert signs[p] == pytest.approx(stats.binomtest(won, won + lost).pvalue, rel=1e-9)
        assert tests.outcomes(z)[p].tolist() == [won, lost, topics - won - lost]


def test_equivalence_agrees_with_statsmodels() -> None:
    from statsmodels.stats.weightstats import ttost_paired

    scores = random_scores(6, 40)
    (first, second), z = pairs_of(scores)
    for margin in (0.01, 0.05, 0.2):
        expected = [ttost_paired(scores[x], scores[y], -margin, margin)[0] for x, y in zip(first, second, strict=True)]
        assert tests.equivalence(z, margin) == pytest.approx(expected, rel=1e-9)


def test_the_residual_variance_is_that_of_a_two_way_analysis_of_variance() -> None:
    pandas = pytest.importorskip("pandas")
    from statsmodels.formula.api import ols

    scores = random_scores(5, 12)
    rows = [(s, t, scores[s, t]) for s in range(5) for t in range(12)]
    fit = ols("y ~ C(s) + C(t)", pandas.DataFrame(rows, columns=["s", "t", "y"])).fit()
    assert tests.residual_variance(scores) == pytest.approx(fit.mse_resid, rel=1e-9)


NOTHING = np.zeros((1, 6))
CONSTANT = np.array([[0.3, 0.4, 0.5, 0.6, 0.7, 0.8]]) - np.array([[0.2, 0.3, 0.4, 0.5, 0.6, 0.7]])


def test_identical_systems_have_p_1_in_every_test() -> None:
    scores = np.vstack([random_scores(1, 6)] * 2)
    counts = TopicPlan(0, 6, 200).counts()
    plan = LabelPlan(0, 6, 200)
    for p in (
        tests.student(NOTHING), tests.wilcoxon(NOTHING), tests.sign(NOTHING),
        tests.randomization(NOTHING, plan.signs(), exact=True), tests.bootstrap(scores, counts, all_pairs(2)),
        tests.tukey(np.zeros(1), plan.ranges(scores)),
    ):  # fmt: skip
        assert p.tolist() == [1.0]
    assert np.isnan(tests.effect(NOTHING)).all()


def test_a_constant_difference_is_infinitely_many_deviations_from_0_although_doubles_blur_it() -> None:
    assert tests.student(CONSTANT).tolist() == [0.0]
    assert moments(CONSTANT).sd.tolist() == [0.0]
    assert np.isinf(tests.effect(CONSTANT)).all()
    # six differences of one rank: 2 of the 64 sign patterns
    assert tests.wilcoxon(CONSTANT) == pytest.approx([2 / 64])
    assert tests.equivalence(CONSTANT, 0.2).tolist() == [0.0]
    assert tests.equivalence(CONSTANT, 0.05).tolist() == [1.0]


def test_a_constant_difference_of_the_margin_has_reached_it() -> None:
    # mutual rounding: 0.3 - 0.2 is below 0.1, and 0.8 - 0.7 above
    for z in (0.1, 0.3 - 0.2, 0.8 - 0.7, -0.1, 0.1 - 1e-10):
        assert tests.equivalence(np.full((1, 5), z), 0.1).tolist() == [1.0]
    assert tests.equivalence(np.full((1, 5), 0.1 - 1.1e-10), 0.1).tolist() == [0.0]


def test_one_row_is_tested_as_among_others() -> None:
    _, z = pairs_of(random_scores(3, 20))
    assert tests.student(z[1]) == pytest.approx(tests.student(z)[1])
    assert tests.equivalence(z[1], 0.1) == pytest.approx(tests.equivalence(z, 0.1)[1])
    assert tests.outcomes(z[1]).tolist() == tests.outcomes(z)[1].tolist()


def test_scores_within_1e_10_are_ties() -> None:
    z = np.array([[1e-10, -1e-10, 0.0, 1.1e-10, -1.1e-10, -0.5]])
    assert tests.outcomes(z).tolist() == [[1, 2, 3]]


def plain_signed_ranks(z: list[float]) -> float:
    """The exact p-value over all signs of those that are not 0."""
    sizes = [abs(value) for value in z if value]
    ranks = [sum(b < a for b in sizes) + (sum(b == a for b in sizes) + 1) / 2 for a in sizes]
    observed = abs(sum(rank * (1 if value > 0 else -1) for rank, value in zip(ranks, filter(None, z), strict=True)))
    sums = [
        abs(sum(s * r for s, r in zip(signs, ranks, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(ranks))
    ]
    return sum(value >= observed for value in sums) / len(sums)


@pytest.mark.parametrize(
    "z",
    [[0, 0, 1, 2, 3, -4], [0, 0, 0, 1, 1, 1, -2], [1, 1, 1, *[0] * 10], [-2, 1, 1, 0, -0.0], [0] * 3, [0] * 20],
)
def test_signed_ranks_of_few_topics_with_ties_and_zeros_are_those_of_all_signs(z: list[float]) -> None:
    rows = np.array([z, [2 * value for value in z]]) / 10
    rows[1, 0] += 2e-11  # rounding alone
    assert tests.wilcoxon(rows).tolist() == [plain_signed_ranks(z)] * 2


# randomisation


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_the_scale_of_differences_changes_no_randomisation(scale: float) -> None:
    z = np.array([[0.1, 0.2, -0.3, 0.4, 0.1], [0.1, 0.2, -0.3, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5, 0.5]])
    p = [tests.randomization(by * z, LabelPlan(0, 5, 10).signs(), exact=True).tolist() for by in (1.0, scale)]
    assert p[0] == p[1]
    assert p[0][1] == 1.0  # 0.1 + 0.2 - 0.3 is 0


def test_one_topic_has_two_patterns() -> None:
    assert tests.randomization(np.array([[0.5], [0.0]]), LabelPlan(0, 1, 10).signs(), exact=True).tolist() == [1.0, 1.0]


def test_the_exact_randomisation_test_goes_through_all_patterns() -> None:
    z = np.array([[0.1, 0.2, -0.3, 0.4, 0.1], [0.1, 0.2, -0.3, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5, 0.5]])
    expected = []
    for row in np.round(z * 10).astype(int):
        sums = [
            abs(sum(s * v for s, v in zip(signs, row, strict=True))) for signs in itertools.product((1, -1), repeat=5)
        ]
        expected.append(sum(v >= abs(row.sum()) for v in sums) / 32)
    plan = LabelPlan(0, 5, 10)
    assert plan.exact
    assert tests.randomization(z, plan.signs(), exact=True).tolist() == expected


@pytest.mark.parametrize("topics", [9, 16])
def test_the_exact_randomisation_test_agrees_with_scipy(topics: int) -> None:
    _, z = pairs_of(random_scores(4, topics))
    for row, p in zip(z, tests.randomization(z, LabelPlan(0, topics, 1).signs(), exact=True), strict=True):
        result = stats.permutation_test(
            (row,), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=True
        )
        assert p == pytest.approx(result.pvalue, rel=1e-12)


def test_the_sampled_randomisation_test_agrees_with_plain_python_on_the_same_signs() -> None:
    topics, replicates = 40, 700
    _, z = pairs_of(random_scores(13, topics, step=0.05))  # 78 pairs: more than one tile, with ties
    bits = [words(2, seed=3, stream=SIGNS, replicate=b) for b in range(replicates)]
    signs = np.array([[1 - 2 * (int(row[t // 32]) >> (t % 32) & 1) for t in range(topics)] for row in bits])
    assert np.array_equal(np.concatenate(list(LabelPlan(3, topics, replicates).signs())), signs)
    twentieths = np.round(z * 20).astype(int)  # exact integers
    hits = (np.abs(twentieths @ signs.T) >= np.abs(twentieths.sum(axis=1))[:, None]).sum(axis=1)
    for jobs in (1, 3):
        result = tests.randomization(z, LabelPlan(3, topics, replicates).signs(), exact=False, jobs=jobs)
        assert result.tolist() == ((hits + 1) / (replicates + 1)).tolist()


def test_signs_depend_on_seed_and_replicate_alone_and_are_fair() -> None:
    few, many = (np.concatenate(list(LabelPlan(1, 200, b).signs())) for b in (300, 2000))
    assert np.array_equal(few, many[:300])
    # 2,000 fair signs: sd 44.7 of the sum; five of them, for each of 200 topics
    assert np.abs(many.sum(axis=0)).max() < 224
    assert np.abs(many.sum(axis=1)).max() < 6 * math.sqrt(200)


def plain_ranges(scores: Array, seed: int, replicates: int) -> list[float]:
    """Fisher and Yates in plain Python, two numbers of 64 bits a counter step, topic after topic."""
    systems, topics = scores.shape
    steps = (systems + 1) // 2
    result = []
    for b in range(replicates):
        draws = words(4 * steps * topics, seed=seed, stream=PERMUTATIONS, replicate=b).reshape(topics, 2 * steps, 2)
        sums = [0.0] * systems
        for t in range(topics):
            row = scores[:, t].tolist()
            for k, last in enumerate(range(systems - 1, -1, -1)):
                i = below.py_func(int(draws[t, k, 0]), int(draws[t, k, 1]), last + 1)
                row[i], row[last] = row[last], row[i]
                sums[last] += row[last]
        result.append((max(sums) - min(sums)) / topics)
    return result


@pytest.mark.parametrize("systems", [2, 5, 8])
def test_randomised_tukey_agrees_with_plain_python_on_the_same_draws(systems: int) -> None:
    scores = random_scores(systems, 11, step=0.1)
    expected = plain_ranges(scores, 7, 300)
    result = LabelPlan(7, 11, 300).ranges(scores)
    assert result == pytest.approx(expected, rel=1e-12)
    first, second = all_pairs(systems)
    difference = scores.mean(axis=1)[first] - scores.mean(axis=1)[second]
    slow = [(sum(r >= abs(d) - 1e-12 for r in expected) + 1) / 301 for d in difference.tolist()]
    assert tests.tukey(difference, result).tolist() == slow


def test_permutations_are_fair_and_the_same_for_any_number_of_threads_and_chunks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # with one topic the system that gets the largest score is uniform; two systems: range is always the same
    scores = random_scores(30, 20)
    expected = LabelPlan(0, 20, 1000).ranges(scores)
    assert np.array_equal(LabelPlan(0, 20, 1000).ranges(scores, jobs=4), expected)
    monkeypatch.setattr(labels._Ranges, "chunk", 37)
    assert np.array_equal(LabelPlan(0, 20, 1000).ranges(scores, jobs=2), expected)
    assert np.array_equal(LabelPlan(0, 20, 100).ranges(scores), expected[:100])
    # three systems, two topics with one relevant system each: the sums are {1, 1, 0} or {2, 0, 0}, the latter in 1 of 3
    alone = LabelPlan(0, 2, 9000).ranges(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]))
    # sd of a share of 1/3 in 9,000 is .005; five of them
    assert (alone == 1.0).mean() == pytest.approx(1 / 3, abs=0.025)


def test_a_range_reaches_a_difference_within_1e_10_of_it() -> None:
    ranges = np.array([0.1, 0.5 * (1 - 0.8e-10), 0.5 * (1 - 1.5e-10), 0.6])
    assert tests.tukey(np.array([0.5, -0.5, 0.05, 0.7]), ranges).tolist() == [3 / 5, 3 / 5, 1.0, 1 / 5]


def test_tukeys_interval_is_the_difference_and_the_range_that_is_significant() -> None:
    ranges = np.arange(1, 20) / 20  # at level .2 the range that 3 of 19 reach, (3 + 1)/20
    difference = np.array([0.0, 0.3, -0.85, 0.85 * (1 + 5e-11)])
    low, high = tests.tukey_interval(difference, ranges, 0.2)
    assert low[:2].tolist() == [-0.85, 0.3 - 0.85]
    assert high[:2].tolist() == [0.85, 0.3 + 0.85]
    assert (high[2], low[3]) == (0.0, 0.0)  # ties are reached
    low, _ = tests.tukey_interval(np.array([0.85 * (1 + 2e-10)]), ranges, 0.2)
    assert low[0] > 0


def test_an_effect_is_a_mean_over_its_own_or_a_given_deviation() -> None:
    z = np.array([[0.1, 0.3, 0.2]])
    assert tests.effect(z).tolist() == pytest.approx([2.0])
    assert tests.effect(z, 0.4).tolist() == pytest.approx([0.5])


def test_tukey_with_two_systems_is_the_randomisation_test() -> None:
    scores = random_scores(2, 60, seed=5)
    _, z = pairs_of(scores)
    two = tests.tukey(z.mean(axis=1), LabelPlan(0, 60, 20_000).ranges(scores))
    one = tests.randomization(z, LabelPlan(0, 60, 20_000).signs(), exact=False)
    # other draws of one distribution: the sd of a difference is √(2p(1-p)/20,000); five of them
    assert two[0] == pytest.approx(one[0], abs=5 * math.sqrt(2 * one[0] * (1 - one[0]) / 20_000))
    assert 0.001 < one[0] < 0.999
