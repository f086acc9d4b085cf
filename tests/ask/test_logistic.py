"""Logistic regression against an optimiser and statsmodels, and what is said of its chances."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize
from scipy.special import expit, logit

from irassay.ask.logistic import brier, calibration, centred, fit, group_deviation, left_out_chances


def sample(rows: int = 400, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    rng = np.random.default_rng(seed)
    columns = rng.standard_normal((rows, 3)) * (1.0, 10.0, 0.1) + (0.0, 5.0, -2.0)
    chance = expit(-1.0 + 0.8 * columns[:, 0] - 0.1 * columns[:, 1] + 4.0 * (columns[:, 2] + 2.0))
    return columns, rng.random(rows) < chance


def test_coefficients_agree_with_an_optimiser() -> None:
    columns, yes = sample()
    design = np.column_stack([np.ones(len(columns)), columns])

    def loss(b: NDArray[np.float64]) -> float:
        return float(np.logaddexp(0, design @ b).sum() - (design @ b)[yes].sum())

    best = optimize.minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-8}).x
    # the ridge of 1e-6 moves coefficients by less
    np.testing.assert_allclose(fit(columns, yes).raw, best, rtol=1e-3, atol=1e-4)


def test_coefficients_agree_with_statsmodels() -> None:
    discrete = pytest.importorskip("statsmodels.api")
    columns, yes = sample(seed=1)
    theirs = discrete.Logit(yes.astype(float), discrete.add_constant(columns)).fit(disp=0)
    ours = fit(columns, yes)
    np.testing.assert_allclose(ours.raw, theirs.params, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(ours.chance(columns), theirs.predict(), atol=1e-4)


def outliers() -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """A heavy-tailed column and few yes, found by search: full steps of Newton's method go too far and never end."""
    rng = np.random.default_rng(2138)
    rows = rng.integers(10, 60)
    column = np.exp(rng.normal(0, 2.5, (rows, 1))) * np.sign(rng.normal(size=(rows, 1)))
    return column, rng.random(rows) < expit(rng.normal(0, 3) + column[:, 0] * rng.normal(0, 2))


@pytest.mark.parametrize(("columns", "yes"), [sample(120, 0), sample(90, 1), outliers()])
def test_the_slope_of_the_penalised_likelihood_is_0_at_the_fit(
    columns: NDArray[np.float64], yes: NDArray[np.bool_]
) -> None:
    standard = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    result = fit(columns, yes)
    design = np.column_stack([np.ones(len(columns)), standard])
    np.testing.assert_allclose(design @ result.coefficients, result.linear(columns))
    slope = design.T @ (yes - expit(design @ result.coefficients))
    expected = 1e-6 * len(columns) * np.concatenate([[0.0], result.coefficients[1:]])
    np.testing.assert_allclose(slope, expected, atol=1e-7)


def test_columns_that_separate_or_say_nothing_have_finite_coefficients() -> None:
    x = np.linspace(-1, 1, 20)[:, None]
    separated = fit(x, x[:, 0] > 0)
    assert np.isfinite(separated.raw).all()
    assert brier(separated.chance(x), x[:, 0] > 0) < 0.01
    constant = fit(np.ones((20, 1)), np.arange(20) < 5)
    np.testing.assert_allclose(constant.chance(np.ones((1, 1))), 0.25, atol=1e-6)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_outcomes_that_are_all_alike_have_a_finite_fit(share: float) -> None:
    x = np.linspace(-1, 1, 20)[:, None]
    chance = fit(x, np.full(20, bool(share))).chance(x)
    assert np.isfinite(chance).all()
    np.testing.assert_allclose(chance, share, atol=0.1)


def test_left_out_chances_are_those_of_the_other_groups() -> None:
    columns, yes = sample(90)
    group = np.repeat(np.arange(9), 10)
    log_odds = left_out_chances(columns, yes, group, 3)
    inside = group % 3 == 1
    np.testing.assert_array_equal(log_odds[inside], fit(columns[~inside], yes[~inside]).linear(columns[inside]))


def test_calibration_counts_every_row_once() -> None:
    chance, yes = np.array([0.0, 0.05, 0.1, 0.5, 1.0]), np.array([False, False, True, True, True])
    bins = calibration(chance, yes, np.array([0.0, 0.1, 0.5, 1.0]))
    assert [one[:3] for one in bins] == [(0.0, 0.1, 2), (0.1, 0.5, 1), (0.5, 1.0, 2)]
    assert [one.share for one in bins] == [0.0, 1.0, 1.0]
    assert bins[0].chance == pytest.approx(0.025)


def test_the_brier_score_is_the_mean_square() -> None:
    assert brier(np.array([0.5, 0.2, 1.0]), np.array([True, False, True])) == pytest.approx((0.25 + 0.04) / 3)


def test_moments_of_groups_by_hand() -> None:
    yes, group = np.array([True, True, True, False, False, False]), np.array([0, 0, 0, 1, 1, 1])
    # sums of outcomes less chances are 1.5 and -1.5, those of p(1-p) 0.75 each
    expected = np.sqrt((2 * 1.5**2 - 2 * 0.75) / (2 * 0.75**2))
    assert group_deviation(np.full(6, 0.5), yes, group) == pytest.approx(expected)
    assert group_deviation(np.full(6, 0.5), yes, np.arange(6) % 2) == 0.0  # less than chance
    assert group_deviation(np.full(6, 0.001), np.full(6, True), group) == 2.0  # at most
    # chances of 0 and 1 say nothing
    assert group_deviation(yes.astype(float), yes, group) == 0.0
    assert group_deviation(np.zeros(0), yes[:0], group[:0]) == 0.0


@pytest.mark.parametrize("deviation", [0.0, 0.5, 1.0])
def test_the_deviation_of_groups_is_that_of_their_shifts(deviation: float) -> None:
    """400 groups of 200 rows: the estimate's own error is about 5%; moments take shifts for small."""
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(400), 200)
    base = rng.normal(-0.5, 1.0, len(group))
    yes = rng.random(len(group)) < expit(centred(base, deviation) + deviation * rng.standard_normal(400)[group])
    assert group_deviation(expit(base), yes, group) == pytest.approx(deviation, rel=0.2, abs=0.05)


@pytest.mark.parametrize("deviation", [0.3, 1.0, 2.0])
def test_shifts_around_centred_log_odds_keep_the_mean_chance(deviation: float) -> None:
    chance = np.array([0.001, 0.02, 0.3, 0.5, 0.9])
    shifts = np.random.default_rng(1).standard_normal(1_000_000) * deviation
    around = centred(logit(chance), deviation)
    means = np.array([expit(one + shifts).mean() for one in around])
    np.testing.assert_allclose(means, chance, rtol=0.02)  # 5 Monte-Carlo errors of the rarest


@pytest.mark.parametrize("deviation", [0.3, 1.0, 2.0])
def test_the_mean_chance_of_normal_shifts_is_that_of_quadrature(deviation: float) -> None:
    chance = np.array([1e-6, 0.001, 0.3, 0.5, 0.9, 0.9999])
    nodes, weights = np.polynomial.hermite_e.hermegauss(24)
    around = centred(logit(chance), deviation)
    means = expit(around[:, None] + deviation * nodes) @ weights / weights.sum()
    np.testing.assert_allclose(means, chance, rtol=1e-8)


def test_log_odds_without_shifts_stay_as_they_are() -> None:
    log_odds = np.linspace(-5, 5, 101)
    assert centred(log_odds, 0.0).tolist() == log_odds.tolist()
    assert centred(log_odds[:0], 1.0).tolist() == []
