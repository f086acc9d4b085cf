"""Prediction-powered estimates against ppi-python, and what holds whatever the scores are."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

from irassay.ask import design
from irassay.ask.intervals import student_interval
from irassay.ask.pairs import Array, all_pairs
from irassay.ask.prediction_powered import (
    FEWEST_TO_TUNE,
    Covariances,
    JudgedTopics,
    correlation,
    difference_of_samples,
    estimate,
    expected_width,
    fewest_trusted,
    power_tuned,
    powered,
    trusted_alone,
    tunings,
)

LEVEL = 0.05


def judged(seed: int = 0, n: int = 20, others: int = 80, *, systems: int = 4, noise: float = 0.1) -> JudgedTopics:
    """A cheap judge that shrinks scores, errs and is biased."""
    draws = np.random.default_rng(seed)
    scores = np.clip(draws.uniform(0.2, 0.6, (systems, 1)) + draws.normal(0, 0.2, (systems, n + others)), 0, 1)
    cheap = 0.1 + 0.8 * scores + draws.normal(0, noise, scores.shape)
    return JudgedTopics(scores[:, :n], cheap[:, :n], cheap[:, n:])


@pytest.fixture
def peer() -> Iterator[Any]:
    with warnings.catch_warnings():  # the package silences all warnings for good when it is imported
        import ppi_py

        yield ppi_py


@pytest.mark.parametrize("tuning", [0.0, 0.4, 1.0])
def test_means_and_errors_for_a_given_lambda_match_ppi_python(tuning: float, peer: Any) -> None:
    """With as many other topics as trusted ones: it divides both variances by n, and here it is n - 1."""
    data = judged(n=60, others=60)
    own = estimate(data, np.full_like(data.trusted, tuning))
    for row in range(len(data.trusted)):
        parts = data.trusted[row], data.cheap[row], data.others[row]
        low, high = (float(bound[0]) for bound in peer.ppi_mean_ci(*parts, alpha=LEVEL, lam=tuning))
        assert own.mean[row] == pytest.approx((low + high) / 2)
        theirs = (high - low) / 2 / stats.norm.isf(LEVEL / 2)
        assert own.error[row] == pytest.approx(theirs * np.sqrt(60 / 59))


def test_lambdas_and_intervals_come_near_those_of_ppi_python_with_many_topics(peer: Any) -> None:
    """2,000 topics: a λ has a standard error of about .02, and an interval is flat in it near the best one."""
    data = judged(n=2000, others=6000)
    own = power_tuned(data)
    low, high = own.interval(LEVEL)
    for row in range(len(data.trusted)):
        parts = data.trusted[row], data.cheap[row], data.others[row]
        theirs = [float(bound[0]) for bound in peer.ppi_mean_ci(*parts, alpha=LEVEL)]
        width = theirs[1] - theirs[0]
        assert [low[row], high[row]] == pytest.approx(theirs, abs=0.05 * width)
        assert high[row] - low[row] == pytest.approx(width, rel=0.01)


def test_lambda_0_is_students_interval_of_the_trusted_topics() -> None:
    data = judged()
    assert np.array(trusted_alone(data).interval(LEVEL)) == pytest.approx(
        np.array(student_interval(data.trusted, LEVEL))
    )
    assert trusted_alone(data).p_values() == pytest.approx(stats.ttest_1samp(data.trusted, 0.0, axis=1).pvalue)


def test_a_judge_who_agrees_throughout_gives_the_width_of_all_topics() -> None:
    """The two variances are those of disjoint topics: their pooled one is that of all, without the means' distance."""
    draws = np.random.default_rng(1)
    scores = draws.normal(0.5, 0.1, (3, 1000))
    data = JudgedTopics(scores[:, :50], scores[:, :50], scores[:, 50:])
    own = power_tuned(data)
    assert own.tuning == pytest.approx(np.full(3, 0.95))
    assert own.mean == pytest.approx(scores.mean(axis=1))
    assert own.error == pytest.approx(scores.std(axis=1, ddof=1) / np.sqrt(1000), rel=5e-3)


def test_a_judge_who_says_the_same_of_all_topics_changes_nothing() -> None:
    data = judged()
    blind = JudgedTopics(data.trusted, np.full_like(data.cheap, 0.3), np.full_like(data.others, 0.3))
    assert power_tuned(blind).mean == pytest.approx(trusted_alone(data).mean)
    assert power_tuned(blind).error == pytest.approx(trusted_alone(data).error)
    assert np.isnan(correlation(blind)).all()


def test_a_shift_of_the_cheap_judge_changes_nothing() -> None:
    data = judged()
    shifted = JudgedTopics(data.trusted, data.cheap + 5, data.others + 5)
    for method in (powered, power_tuned):
        for one, other in zip(method(data), method(shifted), strict=True):
            assert one == pytest.approx(other)


def test_the_lambda_of_a_topic_is_the_slope_of_the_others_within_0_and_1() -> None:
    data = judged(n=12, noise=0.4)
    expected = np.empty_like(data.trusted)
    for row, topic in np.ndindex(expected.shape):
        x, y = (np.delete(scores[row], topic) for scores in (data.cheap, data.trusted))
        expected[row, topic] = np.clip(stats.linregress(x, y).slope / (1 + 12 / 80), 0, 1)
    assert tunings(data) == pytest.approx(expected)
    assert len(np.unique(expected)) > 12  # not all are clipped


def test_a_judge_who_is_wrong_throughout_is_left_out() -> None:
    data = judged(noise=0.01)
    assert (tunings(JudgedTopics(data.trusted, -data.cheap, -data.others)) == 0).all()


def test_too_few_topics_have_the_lambda_of_the_trusted_topics_alone() -> None:
    data = judged(n=FEWEST_TO_TUNE - 1)
    assert (tunings(data) == 0).all()
    for own, alone in zip(power_tuned(data), trusted_alone(data), strict=True):
        assert own.tolist() == alone.tolist()
    assert (tunings(judged(n=FEWEST_TO_TUNE)) > 0).any()


def test_no_row_depends_on_another_nor_on_the_order_of_topics() -> None:
    data = judged()
    alone = power_tuned(JudgedTopics(data.trusted[1:2], data.cheap[1:2], data.others[1:2]))
    order = np.random.default_rng(0).permutation(data.topics)
    turned = power_tuned(JudgedTopics(data.trusted[:, order], data.cheap[:, order], data.others[:, ::-1]))
    for whole, one, other in zip(power_tuned(data), alone, turned, strict=True):
        assert whole[1:2].tolist() == one.tolist()
        assert other == pytest.approx(whole, rel=1e-12)


def test_differences_are_estimated_topic_by_topic() -> None:
    data = judged()
    first, second = pairs = all_pairs(4)
    own = powered(data.differences(pairs))
    means = powered(data).mean
    assert own.mean == pytest.approx(means[first] - means[second])
    z = data.trusted[first] - data.trusted[second]
    assert trusted_alone(data.differences(pairs)).p_values() == pytest.approx(stats.ttest_1samp(z, 0, axis=1).pvalue)


def covariances(trusted: float, cheap: float, both: float) -> Covariances:
    return Covariances(*(np.array([value]) for value in (trusted, cheap, both)))


@pytest.mark.parametrize(("n", "others", "rho"), [(8, 92, 0.9), (10, 90, 0.2), (30, 20, 0.8), (30, 270, 0.95)])
def test_the_width_to_expect_is_the_mean_width(n: int, others: int, rho: float) -> None:
    """Over 4,000 samples, whose mean width has an error of at most half a per cent; λ is taken for its best value."""
    draws = np.random.default_rng(2)
    scores = draws.normal(0, 0.2, (4000, n + others))
    cheap = rho * scores + np.sqrt(1 - rho**2) * draws.normal(0, 0.2, scores.shape)
    low, high = power_tuned(JudgedTopics(scores[:, :n], cheap[:, :n], cheap[:, n:])).interval(LEVEL)
    expected = expected_width(np.array([float(n)]), n + others, covariances(0.04, 0.04, 0.04 * rho), LEVEL)
    assert np.mean(high - low) == pytest.approx(expected[0], rel=0.04)


def test_a_useless_judge_leaves_the_width_of_students_interval() -> None:
    topics = np.array([3.0, 20.0, 100.0])
    parts = Covariances(*(np.full(3, value) for value in (0.04, 0.04, 0.0)))
    own = expected_width(topics, 100, parts, LEVEL)
    alone = [design.expected_width(int(n), 0.04, LEVEL) for n in topics]
    assert own[[0, 2]] == pytest.approx([alone[0], alone[2]])  # too few topics to tune, and no others
    assert alone[1] < own[1] < 1.06 * alone[1]  # the price of finding that out


@pytest.mark.parametrize("rho", [0.0, 0.7, 0.95])
def test_the_fewest_trusted_topics_are_those_that_a_search_finds(rho: float) -> None:
    parts = covariances(0.04, 0.02, rho * np.sqrt(0.04 * 0.02))
    for width in (0.1, 0.2, 0.4):
        found = fewest_trusted(width, 200, parts, LEVEL)[0]
        for topics, narrow in ((found, True), (found - 1, False)):
            assert (expected_width(np.array([topics]), 200, parts, LEVEL)[0] <= width) is np.bool_(narrow)
    assert np.isnan(fewest_trusted(1e-6, 200, parts, LEVEL)[0])


def test_a_better_judge_needs_no_more_trusted_topics() -> None:
    needed = [fewest_trusted(0.1, 500, covariances(0.04, 0.04, 0.04 * rho), LEVEL)[0] for rho in (0, 0.5, 0.8, 0.95)]
    assert needed == sorted(needed, reverse=True)
    assert needed[-1] < needed[0] / 3


def test_two_samples_are_compared_by_welchs_test() -> None:
    data = judged()
    own = difference_of_samples(data.cheap, data.others)
    test = stats.ttest_ind(data.cheap, data.others, axis=1, equal_var=False)
    assert own.p_values() == pytest.approx(test.pvalue)
    assert own.interval(LEVEL)[0] == pytest.approx(test.confidence_interval().low)


def test_equal_systems_have_p_1_and_constant_differences_p_0() -> None:
    zeros, halves, others = np.zeros((1, 8)), np.full((1, 8), 0.5), np.zeros((1, 20))
    assert power_tuned(JudgedTopics(zeros, zeros, others)).p_values().tolist() == [1.0]
    assert power_tuned(JudgedTopics(halves, zeros, others)).p_values().tolist() == [0.0]


def test_equal_probabilities_give_the_estimates_of_a_random_sample() -> None:
    """The cheap mean is over all topics then; with λ scaled for that, means are equal, and variances nearly."""
    data = judged(n=40, others=160)
    shares = np.full(40, 1 / 40)
    weighted = JudgedTopics(data.trusted, data.cheap, data.others, shares)
    tuning = np.full_like(data.trusted, 0.6)
    own, equal = estimate(weighted, tuning * 200 / 160), estimate(data, tuning)
    assert own.mean == pytest.approx(equal.mean)
    assert own.error == pytest.approx(equal.error, rel=0.03)
    assert tunings(weighted) == pytest.approx(np.minimum(1, tunings(data) * 200 / 160), abs=1e-12)


def satterthwaite(own: float, own_freedom: float, other: float, other_freedom: float) -> float:
    return (own + other) ** 2 / (own**2 / own_freedom + other**2 / other_freedom)


@pytest.mark.parametrize(("n", "tuned"), [(FEWEST_TO_TUNE - 1, 0), (FEWEST_TO_TUNE, 1), (12, 1)])
def test_estimating_lambda_takes_a_degree_of_freedom(n: int, tuned: int) -> None:
    data = judged(n=n, others=9)
    own = power_tuned(data)
    for row, tuning in enumerate(tunings(data)):
        values = data.trusted[row] - tuning * (data.cheap[row] - data.others[row].mean())
        parts = values.var(ddof=1) / n, tuning.mean() ** 2 * data.others[row].var(ddof=1) / 9
        assert own.freedom[row] == pytest.approx(satterthwaite(parts[0], n - 1 - tuned, parts[1], 8))
        assert own.error[row] == pytest.approx(np.sqrt(sum(parts)))


@pytest.mark.parametrize(
    "shares", [[0.3, 0.1, 0.25, 0.15, 0.1, 0.1], [0.5, 0.2, 0.1, 0.1, 0.05, 0.05], [0.9, 0.06, 0.01, 0.01, 0.01, 0.01]]
)
def test_weighted_estimates_are_those_of_the_linearised_mean_topic_by_topic(shares: list[float]) -> None:
    drawn = judged(n=6, others=7)
    data = JudgedTopics(drawn.trusted, drawn.cheap, drawn.others, np.array(shares))
    own, lambdas = power_tuned(data), tunings(data)
    for row in range(len(data.trusted)):
        cheap = [*data.cheap[row], *data.others[row]]
        centre = sum(cheap) / 13
        values = [y - k * (f - centre) for y, k, f in zip(data.trusted[row], lambdas[row], cheap[:6], strict=True)]
        mean = sum(w * v for w, v in zip(shares, values, strict=True))
        tuning = sum(w * k for w, k in zip(shares, lambdas[row], strict=True))
        parts = [tuning / 13 * (f - centre) for f in cheap]
        judged_parts = [part + w * (v - mean) for part, w, v in zip(parts[:6], shares, values, strict=True)]
        effective = 1 / sum(w * w for w in shares)
        first = sum(part**2 for part in judged_parts) * effective / max(effective - 1, 1)
        second = sum(part**2 for part in parts[6:])
        freedom = satterthwaite(first, max(effective - 2, 1), second, 6)
        assert [float(part[row]) for part in own] == pytest.approx([mean, np.sqrt(first + second), freedom, tuning])
        for topic in range(6):
            weights = np.delete(shares, topic)
            x, y = (np.delete(scores[row], topic) for scores in (data.cheap, data.trusted))
            slope = np.cov(x, y, aweights=weights)[0, 1] / np.cov(x, aweights=weights)
            assert lambdas[row, topic] == pytest.approx(np.clip(slope, 0, 1))


def test_fewer_than_two_effective_topics_count_as_two_and_leave_one_degree_of_freedom() -> None:
    data = JudgedTopics(np.array([[0.4, 0.6]]), np.zeros((1, 2)), np.zeros((1, 5)), np.array([0.9, 0.1]))
    own = trusted_alone(data)
    parts = 0.9 * (0.4 - 0.42), 0.1 * (0.6 - 0.42)
    assert own.error[0] == pytest.approx(np.sqrt((parts[0] ** 2 + parts[1] ** 2) / 0.82))
    assert own.freedom[0] == pytest.approx(1.0)


@pytest.mark.parametrize("scale", [1e-8, 1e-3, 1.0, 1e12])
def test_the_scale_of_the_cheap_scores_matters_to_no_lambda_and_no_correlation(scale: float) -> None:
    data, times = judged(), judged()
    times = JudgedTopics(scale * data.trusted, scale * data.cheap, scale * data.others)
    assert tunings(times) == pytest.approx(tunings(data))
    assert correlation(times) == pytest.approx(correlation(data))
    tenths = scale * (np.full_like(data.cheap, 0.1) + 0.2)
    tenths[:, 3] = scale * 0.3  # constant but for rounding
    assert (tunings(JudgedTopics(times.trusted, tenths, times.others)) == 0).all()
    for blind in (JudgedTopics(times.trusted, tenths, times.others), JudgedTopics(tenths, times.cheap, times.others)):
        assert np.isnan(correlation(blind)).all()


def test_correlations_are_pearsons_with_the_weights_of_topics() -> None:
    data = judged(n=6)
    shares = np.array([0.3, 0.1, 0.25, 0.15, 0.1, 0.1])
    assert correlation(data) == pytest.approx(
        [np.corrcoef(*rows)[0, 1] for rows in zip(*data_of(data)[:2], strict=True)]
    )
    weighted = []
    for rows in zip(data.trusted, data.cheap, strict=True):
        matrix = np.cov(*rows, aweights=shares)
        weighted.append(matrix[0, 1] / np.sqrt(matrix[0, 0] * matrix[1, 1]))
    assert correlation(JudgedTopics(*data_of(data), shares)) == pytest.approx(weighted)


def test_judges_who_agree_or_disagree_throughout_are_correlated_by_exactly_1() -> None:
    scores = np.random.default_rng(0).random((200, 7))
    for sign in (1, -1):
        rho = correlation(JudgedTopics(scores, sign * scores / 3, scores))
        assert rho == pytest.approx(sign)
        assert (np.abs(rho) <= 1).all()


def test_rho_is_the_correlation_and_none_where_one_does_not_vary() -> None:
    parts = Covariances(np.array([0.04, 0.0, 0.04]), np.array([0.01, 0.01, 0.0]), np.array([0.01, 0.0, 0.0]))
    with np.errstate(all="raise"):
        assert parts.rho.tolist() == pytest.approx([0.5, np.nan, np.nan], nan_ok=True)


def plain_width(topics: int, total: int, trusted: float, cheap: float, both: float) -> float:
    others = total - topics
    tuning = min(1.0, both / cheap / (1 + topics / others)) if topics >= 5 and others >= 2 and cheap > 0 else 0.0
    own = (trusted - 2 * tuning * both + tuning**2 * cheap) / topics
    freedom = topics - 1.0
    if topics >= 5 and others >= 2:
        own *= 1 + 1 / (topics - 3)
        other = tuning**2 * cheap / others
        freedom = satterthwaite(own, topics - 2, other, others - 1)
        own += other
    sd = np.sqrt(2 / freedom) * np.exp(special.gammaln((freedom + 1) / 2) - special.gammaln(freedom / 2))
    return float(2 * stats.t.ppf(1 - LEVEL / 2, freedom) * sd * np.sqrt(own))


@pytest.mark.parametrize("parts", [(0.04, 0.02, 0.01), (0.04, 0.005, 0.012), (0.04, 0.0, 0.0)])
def test_the_width_to_expect_is_its_formula_topic_by_topic(parts: tuple[float, float, float]) -> None:
    for topics, total in ((2, 9), (3, 9), (4, 9), (5, 9), (5, 7), (5, 6), (5, 5), (6, 9), (9, 11), (9, 10), (12, 9)):
        with np.errstate(all="raise"):
            width = expected_width(np.array([float(topics)]), total, covariances(*parts), LEVEL)
        assert width[0] == pytest.approx(plain_width(topics, total, *parts))


def test_the_fewest_trusted_topics_include_those_with_exactly_the_width() -> None:
    parts = covariances(0.04, 0.02, 0.01)
    for topics in (2, 3, 4, 20, 100, design.MOST):
        width = float(expected_width(np.array([float(topics)]), 200, parts, LEVEL)[0])
        assert fewest_trusted(width, 200, parts, LEVEL).tolist() == [topics]
    assert fewest_trusted(1e9, 200, parts, LEVEL).tolist() == [2]
    several = Covariances(*(np.array([part[0], part[0] * 100]) for part in parts))
    assert fewest_trusted(1.0, 200, several, LEVEL).tolist() == [
        fewest_trusted(1.0, 200, covariances(*values), LEVEL)[0] for values in zip(*several, strict=True)
    ]


def test_the_sample_that_varies_more_has_more_say_in_the_degrees_of_freedom() -> None:
    first, second = np.array([[0.1, 0.2, 0.3, 0.5]]), np.array([[0.0, 1.0, 0.2, 0.9, 0.1, 0.8]])
    for one, other in ((first, second), (second, first)):
        test = stats.ttest_ind(one, other, axis=1, equal_var=False)
        assert difference_of_samples(one, other).freedom == pytest.approx(test.df)
        assert difference_of_samples(one, other).p_values() == pytest.approx(test.pvalue)
    same = difference_of_samples(np.full((1, 3), 0.5), np.full((1, 5), 0.2))
    assert same.freedom.tolist() == [2]


def experiments(number: int, topics: int, chance: Array, truth: float) -> dict[str, list[float]]:
    """How far estimates are off, and how often intervals hold the truth, when easy topics are likelier chosen."""
    results: dict[str, list[float]] = {"off": [], "unweighted": [], "held": []}
    for seed in range(number):
        draws = np.random.default_rng(seed)
        scores = draws.beta(1.5, 2.5, (1, topics))
        cheap = np.clip(0.7 * scores + draws.normal(0.1, 0.1, scores.shape), 0, 1)
        p = np.interp(cheap[0], [0, 1], chance)
        chosen = draws.random(topics) < p
        shares = 1 / p[chosen] / (1 / p[chosen]).sum()
        data = JudgedTopics(scores[:, chosen], cheap[:, chosen], cheap[:, ~chosen], shares)
        own = power_tuned(data)
        low, high = own.interval(LEVEL)
        results["off"].append(float(own.mean[0]) - truth)
        results["unweighted"].append(float(trusted_alone(JudgedTopics(*data_of(data))).mean[0]) - truth)
        results["held"].append(float(low[0] <= truth <= high[0]))
    return results


def data_of(data: JudgedTopics) -> tuple[Array, Array, Array]:
    return data.trusted, data.cheap, data.others


def test_known_probabilities_undo_a_biased_choice_of_topics() -> None:
    """400 experiments of about 30 of 200 topics: shares have a standard error of .011, means of about .001."""
    results = experiments(400, 200, np.array([0.05, 0.4]), 1.5 / 4)
    assert np.mean(results["unweighted"]) > 0.04
    assert abs(np.mean(results["off"])) < 0.005
    assert np.mean(results["held"]) == pytest.approx(0.95, abs=0.035)


@pytest.mark.parametrize(("n", "noise"), [(10, 0.05), (10, 0.6), (30, 0.2)])
def test_intervals_hold_the_truth_as_often_as_they_should(n: int, noise: float) -> None:
    """2,000 rows are experiments of their own, with normal scores: shares have a standard error of .005."""
    draws = np.random.default_rng(n)
    scores = draws.normal(0.5, 0.2, (2000, n + 100))
    cheap = 0.2 + 0.7 * scores + draws.normal(0, noise, scores.shape)
    data = JudgedTopics(scores[:, :n], cheap[:, :n], cheap[:, n:])
    for method in (trusted_alone, powered, power_tuned):
        low, high = method(data).interval(LEVEL)
        assert np.mean((low <= 0.5) & (high >= 0.5)) == pytest.approx(0.95, abs=0.02)
    assert np.sqrt(np.mean((power_tuned(data).mean - 0.5) ** 2)) <= 1.1 * np.std(trusted_alone(data).mean)
