"""Sample sizes against statsmodels and simulation, and how well the variance behind them is known."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irassay.ask import design
from irassay.ask.generalizability import mean_squares, within_variance
from tests.helpers.paired_scores import scores_with_effects

power_of: Any = pytest.importorskip("statsmodels.stats.power")


@pytest.mark.parametrize("topics", [2, 5, 20, 50, 200])
@pytest.mark.parametrize("difference", [0.01, 0.05, 0.2])
def test_the_power_of_the_t_test_agrees_with_statsmodels(topics: int, difference: float) -> None:
    expected = power_of.TTestPower().power(difference / math.sqrt(0.03), topics, 0.05)
    expected = 1.0 if math.isnan(expected) else expected  # scipy's own tail, 16 deviations out
    assert design.t_power(topics, difference, 0.03, 0.05) == pytest.approx(expected, rel=1e-6)
    assert design.t_power(topics, 6 * difference, 1.0, 0.05) == pytest.approx(
        power_of.TTestPower().power(6 * difference, topics, 0.05), rel=1e-6
    )


@pytest.mark.parametrize("topics", [2, 5, 20, 100])
@pytest.mark.parametrize("systems", [2, 5, 40])
def test_the_power_of_the_one_way_analysis_of_variance_agrees_with_statsmodels(topics: int, systems: int) -> None:
    # Cohen's f: the sd of the systems' means over sigma; two systems D/2 off the others, which are equal
    f = math.sqrt((2 * (0.1 / 2) ** 2) / systems / 0.02)
    expected = power_of.FTestAnovaPower().power(f, topics * systems, 0.05, k_groups=systems)
    result = design.anova_power(topics, systems, 0.1, 0.02, 0.05, two_way=False)
    assert result == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("two_way", [False, True])
def test_the_power_of_both_analyses_of_variance_is_what_simulation_gives(two_way: bool) -> None:
    m, n, experiments = 5, 12, 4000
    rng = np.random.default_rng(1)
    means = np.array([0.06, 0, 0, 0, -0.06])[:, None]
    x = rng.normal(0, 0.1, (experiments, m, n)) + means
    if two_way:  # topics that are hard for all systems change nothing
        x += rng.normal(0, 0.3, (experiments, 1, n))
        between = n * x.mean(axis=2).var(axis=1, ddof=1)
        rest = x - x.mean(axis=1, keepdims=True) - x.mean(axis=2, keepdims=True) + x.mean(axis=(1, 2), keepdims=True)
        p = stats.f.sf(between / ((rest**2).sum(axis=(1, 2)) / ((m - 1) * (n - 1))), m - 1, (m - 1) * (n - 1))
    else:
        p = stats.f_oneway(*np.moveaxis(x, 1, 0), axis=1).pvalue
    expected = design.anova_power(n, m, 0.12, 0.01, 0.05, two_way=two_way)
    # seed 1; four binomial errors
    assert (p < 0.05).mean() == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / experiments))


def test_a_difference_far_beyond_the_noise_is_found_also_where_scipy_gives_no_value() -> None:
    for variance in (1e-6, 1e-12, 1e-20, 1e-34):
        assert design.t_power(2, 0.05, variance, 1e-3) > 0.9 or variance == 1e-6
        assert design.t_power(30, 0.05, variance, 0.05) == pytest.approx(1.0)


def test_where_scipy_gives_no_value_only_the_deviation_of_the_sample_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    far = [(2, 1e-6, 1e-12), (3, 1e-9, 1e-12), (3, 2e-9, 2e-12)]  # 70,000 deviations out scipy has values still
    known = [design.t_power(topics, 0.05, variance, alpha) for topics, alpha, variance in far]
    assert min(known) < 0.1
    monkeypatch.setattr(stats.nct, "sf", lambda *_: math.nan)
    alone = [design.t_power(topics, 0.05, variance, alpha) for topics, alpha, variance in far]
    assert alone == pytest.approx(known, rel=1e-4)


def test_without_variance_any_difference_is_found() -> None:
    assert design.t_power(5, 0.01, 0.0, 0.05) == 1.0
    assert [design.anova_power(5, 4, 0.01, 0.0, 0.05, two_way=two_way) for two_way in (False, True)] == [1.0, 1.0]


@pytest.mark.parametrize("residual", [0.02, 1.0])
def test_the_two_way_analysis_of_two_systems_has_the_power_of_the_t_test(residual: float) -> None:
    for topics in (3, 20):
        result = design.anova_power(topics, 2, 0.1, residual, 0.05, two_way=True)
        assert result == pytest.approx(design.t_power(topics, 0.1, 2 * residual, 0.05), rel=1e-6)


def test_the_topics_needed_agree_with_statsmodels() -> None:
    for difference, power, alpha in ((0.05, 0.8, 0.05), (0.1, 0.9, 0.01), (0.02, 0.5, 0.05)):
        exact = power_of.TTestPower().solve_power(difference / math.sqrt(0.03), power=power, alpha=alpha)
        result = design.fewest(lambda n: design.t_power(n, difference, 0.03, alpha) >= power)  # noqa: B023
        assert result == math.ceil(exact)


def test_the_expected_width_is_what_simulation_gives() -> None:
    rng = np.random.default_rng(0)
    sd = rng.normal(0, 0.3, (40_000, 8)).std(axis=1, ddof=1)
    widths = 2 * stats.t.isf(0.025, 7) * sd / math.sqrt(8)
    # the simulated mean's own error; four of them
    error = widths.std() / math.sqrt(len(widths))
    assert design.expected_width(8, 0.09, 0.05) == pytest.approx(widths.mean(), abs=4 * error)


def test_fewest_is_the_first_that_is_enough() -> None:
    for first in (2, 3, 4, 5, 17, 1000):
        assert design.fewest(lambda n: n >= first) == first  # noqa: B023
    assert design.fewest(lambda n: False) is None


# how well the variance is known


def test_the_variance_within_systems_is_that_of_a_one_way_analysis_of_variance() -> None:
    x = scores_with_effects()
    assert within_variance(mean_squares(x), 6) == pytest.approx(x.var(axis=1, ddof=1).mean())


def test_the_variances_of_pairs_are_those_of_their_differences() -> None:
    x = np.concatenate([scores_with_effects(), scores_with_effects()[:1]])
    expected = [(x[i] - x[j]).var(ddof=1) for i in range(7) for j in range(i + 1, 7)]
    assert design.pair_variances(x) == pytest.approx(expected, abs=1e-15)
    # on average they are twice the two-way residual
    assert np.mean(expected) == pytest.approx(2 * float(mean_squares(x).residual))


EXPERIMENTS, SYSTEMS, TOPICS = 1000, 6, 20
BOUND = 4 * math.sqrt(0.05 * 0.95 / EXPERIMENTS)  # four binomial errors of a coverage of .95: .028


def covariances() -> dict[str, NDArray[np.float64]]:
    """Of the systems' scores: equal and unequal variances, near-copies beside others, shared topics."""
    equal, unequal = 0.01 * np.eye(SYSTEMS), np.diag(np.array([0.02, 0.03, 0.05, 0.08, 0.15, 0.3]) ** 2)
    copies = 0.09 * np.ones((SYSTEMS, SYSTEMS)) + 1e-4 * np.eye(SYSTEMS)
    copies[-1] = copies[:, -1] = 0.02
    copies[-1, -1] = 0.09
    return {"equal": equal, "unequal": unequal, "near-copies": copies, "unequal, shared topics": unequal + 0.04}


@pytest.mark.parametrize("name", covariances())
def test_the_chi_square_intervals_cover_the_variances_of_normal_scores(name: str) -> None:
    covariance = covariances()[name]
    root = np.linalg.cholesky(covariance)
    centre = np.eye(SYSTEMS) - 1 / SYSTEMS
    residual = np.trace(centre @ covariance @ centre) / (SYSTEMS - 1)
    within = np.trace(covariance) / SYSTEMS
    rng = np.random.default_rng(2)
    covered, plain = np.zeros(2), 0
    for _ in range(EXPERIMENTS):
        x = root @ rng.normal(size=(SYSTEMS, TOPICS))
        squares = mean_squares(x)
        for k, (variance, true, centred) in enumerate(
            (
                (float(squares.residual), residual, True),
                (float(within_variance(squares, SYSTEMS)), within, False),
            )
        ):
            low, high = design.chi_square_interval(variance, design.box_freedom(x, centred=centred))
            covered[k] += low <= true <= high
        low, high = design.chi_square_interval(float(squares.residual), (SYSTEMS - 1) * (TOPICS - 1))
        plain += low <= residual <= high
    assert covered / EXPERIMENTS == pytest.approx(0.95, abs=BOUND)
    # (m-1)(n-1) degrees of freedom are right for equal variances only
    assert plain / EXPERIMENTS == pytest.approx(0.95, abs=BOUND) if name == "equal" else plain / EXPERIMENTS < 0.85


@pytest.mark.parametrize("shape", [(4, 30), (30, 4), (2, 9)])
def test_boxs_degrees_of_freedom_are_those_of_the_covariance_matrix(shape: tuple[int, int]) -> None:
    m, n = shape
    x = np.random.default_rng(3).normal(size=(n, m)).T * np.linspace(1, 3, m)[:, None]
    centre = np.eye(m) - 1 / m
    for centred in (False, True):
        s = centre @ np.cov(x) @ centre if centred else np.cov(x)
        values = np.linalg.eigvalsh(s)
        expected = (n - 1) * values.sum() ** 2 / (values**2).sum()
        assert design.box_freedom(x, centred=centred) == pytest.approx(expected)
        assert expected <= (n - 1) * (m - centred) * (1 + 1e-12)
    assert design.box_freedom(np.ones(shape), centred=True) == math.inf


def test_the_chi_square_interval_is_that_of_the_textbook() -> None:
    low, high = design.chi_square_interval(2.0, 9)
    assert (low, high) == pytest.approx((18 / 19.0228, 18 / 2.7004), rel=1e-4)  # tables of chi-square, 9 degrees
    assert design.chi_square_interval(1.0, 9) == pytest.approx((9 / 19.0228, 9 / 2.7004), rel=1e-4)
    assert design.chi_square_interval(0.0, 9) == (0.0, 0.0)
    assert design.chi_square_interval(2.0, math.inf) == (2.0, 2.0)
