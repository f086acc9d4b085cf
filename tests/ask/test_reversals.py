"""Reversals of pairs: plain counts with halves for ties, the falling fit, and bins."""

from __future__ import annotations

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irassay.ask.reversals import Reversals, falling_fit, reversal_bins, reversals
from irassay.errors import InputError


def plain_rates(observed: list[int], means: list[list[int]]) -> list[Fraction | None]:
    rates: list[Fraction | None] = []
    for x, y in itertools.combinations(range(len(observed)), 2):
        d = observed[x] - observed[y]
        halves = [1 if row[x] == row[y] else 2 * ((row[x] - row[y]) * d < 0) for row in means]
        rates.append(Fraction(sum(halves), 2 * len(means)) if d else None)
    return rates


def plain_fit(sizes: list[int], rates: list[Fraction]) -> dict[int, Fraction]:
    """The falling fit by its minimax formula: min over a <= k of max over b >= k of the mean from a to b."""
    values = sorted(set(sizes))
    own = {v: [r for s, r in zip(sizes, rates, strict=True) if s == v] for v in values}

    def mean(low: int, high: int) -> Fraction:
        part = [r for v in values[low : high + 1] for r in own[v]]
        return sum(part, Fraction(0)) / len(part)

    last = len(values)
    return {v: min(max(mean(a, b) for b in range(k, last)) for a in range(k + 1)) for k, v in enumerate(values)}


SCORES = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 4), min_size=n, max_size=n), min_size=2, max_size=12)
)


@settings(max_examples=150, deadline=None)
@given(SCORES)
def test_rates_fit_and_thresholds_are_those_of_plain_fractions(scores: list[list[int]]) -> None:
    observed, *means = scores
    result = reversals(np.array(observed) / 100, np.array(means) / 100)
    expected = plain_rates(observed, means)
    assert result.equal == expected.count(None)
    pairs = itertools.combinations(range(len(observed)), 2)
    sizes = [abs(observed[x] - observed[y]) for x, y in pairs]
    known = [k for k, rate in enumerate(expected) if rate is not None]
    rates = [rate for rate in expected if rate is not None]
    fit = plain_fit([sizes[k] for k in known], rates)
    assert result.rate == pytest.approx([float("nan") if r is None else float(r) for r in expected], nan_ok=True, abs=0)
    fitted = [float(fit[s]) if s else float("nan") for s in sizes]
    assert result.fitted == pytest.approx(fitted, abs=1e-12, nan_ok=True)
    twentieth = Fraction(1, 20)
    resolved = sum(rate <= twentieth for rate in rates) / len(rates) if rates else float("nan")
    assert result.pairs_resolved == pytest.approx(resolved, abs=1e-12, nan_ok=True)
    enough = [v / 100 for v, rate in fit.items() if rate <= twentieth]
    assert result.surviving_difference == pytest.approx(min(enough, default=float("nan")), abs=1e-12, nan_ok=True)


def test_one_reversal_in_twenty_is_resolved_and_one_tie_more_is_not() -> None:
    observed = np.array([0.5, 0.4])
    means = np.tile(observed, (20, 1))
    means[0] = 0.1, 0.2
    assert reversals(observed, means).pairs_resolved == 1.0
    assert reversals(observed, means).surviving_difference == pytest.approx(0.1)
    means[1] = 0.3, 0.1 + 0.2
    result = reversals(observed, means)
    assert result.rate.tolist() == [1.5 / 20]
    assert result.pairs_resolved == 0.0
    assert np.isnan(result.surviving_difference)


def test_sizes_that_only_rounding_tells_apart_have_one_fitted_value() -> None:
    fit = falling_fit(np.array([0.3, 0.1 + 0.2, 0.5, 0.1]), np.array([0.0, 0.4, 0.1, np.nan]))
    np.testing.assert_allclose(fit, [0.2, 0.2, 0.1, np.nan], atol=1e-15)


def test_differences_of_1e_10_are_none_and_rates_1e_12_above_one_in_twenty_are_rounding() -> None:
    assert reversals(np.array([1e-10, 0.0]), np.zeros((3, 2))).equal == 1
    assert reversals(np.array([1.1e-10, 0.0]), np.zeros((3, 2))).equal == 0
    assert falling_fit(np.array([0.0, 1e-10]), np.array([0.5, 0.25])).tolist() == [0.375, 0.375]
    assert falling_fit(np.array([0.0, 1.1e-10]), np.array([0.5, 0.25])).tolist() == [0.5, 0.25]
    for above, enough in ((1e-12, True), (2e-12, False)):
        rate = np.array([0.05 + above])
        result = Reversals(np.array([0.1]), rate, rate, 0)
        assert (result.pairs_resolved, result.surviving_difference == 0.1) == (enough, enough)


def test_bins_run_from_the_smallest_difference_to_the_largest_and_hold_means() -> None:
    # an edge within 1e-10 is reached; the pair without an order is in no bin
    result = Reversals(
        np.array([0.03 - 1e-12, 0.031, 0.055, 0.0]),
        np.array([0.4, 0.2, 0.1, np.nan]),
        np.array([0.3, 0.3, 0.1, np.nan]),
        1,
    )
    with np.errstate(all="raise"):
        bins = reversal_bins(result)
    assert bins.difference.tolist() == [0.03, 0.04, 0.05]
    assert bins.pairs.tolist() == [2, 0, 1]
    np.testing.assert_allclose(bins.reversal_rate, [0.3, np.nan, 0.1], atol=1e-15)
    np.testing.assert_allclose(bins.fitted, [0.3, np.nan, 0.1], atol=1e-15)


def test_systems_that_are_all_equal_have_no_order_to_reverse() -> None:
    result = reversals(np.full(4, 0.3), np.random.default_rng(0).random((9, 4)))
    assert result.equal == 6
    with warnings.catch_warnings(action="error"):
        assert np.isnan([result.pairs_resolved, result.surviving_difference]).all()
    assert len(reversal_bins(result).pairs) == 0


def test_replicates_of_other_systems_or_without_a_score_are_errors() -> None:
    with pytest.raises(ValueError, match="3 systems"):
        reversals(np.zeros(3), np.zeros((4, 2)))
    with pytest.raises(InputError, match="finite"):
        reversals(np.zeros(2), np.full((4, 2), np.nan))
