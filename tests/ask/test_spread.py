"""Spread over replicates: moments, quantiles, histograms and ranks against numpy and scipy on all values at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irassay.ask.ranks import count_ranks, rank_quantiles, ranks
from irassay.ask.spread import (
    Histogram,
    Moments,
    apart,
    counted_quantiles,
    deviations,
    mean_and_sd,
    outside,
    outside_each_other,
    replicate_quantiles,
    row_quantiles,
    score_spread,
    skewness,
    sorted_quantiles,
)
from tests.helpers.replicates import replicates_of_topics

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")
QUANTILES = (0.0, 0.025, 0.25, 0.5, 0.75, 0.975, 1.0)


def scores(replicates: int, systems: int = 6, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.beta(2, 5, size=(replicates, systems))
    values[:, 0] = 0.25  # one that never changes
    values[:, 1] = np.round(values[:, 1], 1)
    values[:, 2] = values[:, 3] + 0.1  # and two that change together
    return values


def moments_of(values: np.ndarray, chunk: int = 256) -> Moments:
    systems = values.shape[1]
    result = Moments(values[0] + 0.01, 0, np.zeros(systems), np.zeros((systems, systems)))
    for first in range(0, len(values), chunk):
        result.add(values[first : first + chunk])
    return result


@pytest.mark.parametrize("replicates", [2, 31, 600])
def test_moments_are_those_of_all_values(replicates: int) -> None:
    values = scores(replicates)
    result = moments_of(values)
    x, y = np.triu_indices(6, 1)
    differences = values[:, x] - values[:, y]
    np.testing.assert_allclose(result.mean, values.mean(axis=0), atol=1e-14)
    np.testing.assert_allclose(result.pair_mean, differences.mean(axis=0), atol=1e-14)
    # squares of sums are taken off sums of squares: where values never change the root of a rounding error is left
    for sd, all_at_once in ((result.sd, values), (result.pair_sd, differences)):
        np.testing.assert_allclose(sd**2, all_at_once.var(axis=0, ddof=1), rtol=1e-12, atol=1e-17)


def test_one_replicate_has_no_deviation() -> None:
    result = moments_of(scores(1))
    assert np.isnan(result.sd).all()
    assert np.isnan(result.pair_sd).all()
    assert np.isnan(mean_and_sd(np.array([0.3]))[1])


def test_skewness_is_scipys_and_undefined_without_spread() -> None:
    values = scores(500)[:, 3]
    assert skewness(values) == pytest.approx(stats.skew(values), rel=1e-12)
    assert skewness(-values) == pytest.approx(-stats.skew(values), rel=1e-12)
    assert np.isnan(skewness(np.full(7, 0.1)))
    assert np.isnan(skewness(np.zeros(3)))


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_values_within_1e_10_of_their_size_have_no_skewness(scale: float) -> None:
    # one of four is off by d: their variance is 3 d²/16
    for off, skew in ((1e-10, np.nan), (1.3e-10, 2 / np.sqrt(3))):
        values = scale * np.array([-0.5, -0.5, -0.5, -0.5 + off])
        assert skewness(values) == pytest.approx(skew, rel=1e-4, nan_ok=True)


def test_the_spread_of_scores_is_numpys() -> None:
    values = scores(50)
    observed = values.mean(axis=0) + 0.25
    result = score_spread(observed, values)
    assert list(result) == ["mean", "bias", "sd", "q2.5", "q25", "q50", "q75", "q97.5"]
    assert result["bias"] == pytest.approx(np.full(6, -0.25))
    assert result["sd"] == pytest.approx(values.std(axis=0, ddof=1))
    assert result["q75"] == pytest.approx(np.quantile(values, 0.75, axis=0))
    for few in (values[:2], values[:1]):
        assert deviations(few) == pytest.approx(
            np.std(few, axis=0, ddof=1) if len(few) > 1 else [np.nan] * 6, nan_ok=True
        )
    assert mean_and_sd(np.array([0.25, 0.75])) == pytest.approx((0.5, np.sqrt(0.125)))
    assert mean_and_sd(np.array([0.25])) == pytest.approx((0.25, np.nan), nan_ok=True)


def test_replicates_have_quantiles_from_200_on_and_scenarios_none() -> None:
    values = np.random.default_rng(0).random((200, 3, 2))
    sampled, listed = replicates_of_topics(kind="sampling"), replicates_of_topics(kind="scenario")
    assert replicate_quantiles(sampled, values).tolist() == np.quantile(values, [0.025, 0.975], axis=0).tolist()
    for nothing in (replicate_quantiles(sampled, values[:199]), replicate_quantiles(listed, values)):
        assert nothing.shape == (2, 3, 2)
        assert np.isnan(nothing).all()


def test_moments_without_a_replicate_are_those_of_the_others() -> None:
    values = scores(20)
    less, others = moments_of(values).without(values[7]), moments_of(np.delete(values, 7, axis=0))
    assert less.count == others.count == 19
    for own, expected in ((less.mean, others.mean), (less.sd, others.sd), (less.pair_sd, others.pair_sd)):
        np.testing.assert_allclose(own, expected, atol=1e-8)


def test_intervals_that_touch_are_not_apart_and_bounds_are_inside() -> None:
    low, high = np.array([0.0, 0.2, 0.5]), np.array([0.2, 0.4, 0.7])
    assert apart(low, high).tolist() == [False, True, True]
    assert apart(low[::-1], high[::-1]).tolist() == [True, True, False]
    values = np.array([0.1, 0.2, 0.45])
    assert outside_each_other(values[::-1], low[::-1], high[::-1]).tolist() == [True, True, False]
    # on a bound of the other's interval, and the other outside: none is outside
    for a, b in ((0.25, 0.75), (0.5, 0.75), (0.75, 0.25), (0.75, 0.5)):
        low, high = np.array([0.25, 0.25]), np.array([0.5, 0.5])
        assert outside_each_other(np.array([a, b]), low, high).tolist() == [False]
    low, high = np.array([0.0, 0.2, 0.5]), np.array([0.2, 0.4, 0.7])
    # 0.2 is the upper end of the first interval; 0.45 lies in no interval, and no other value in its own
    assert outside_each_other(values, low, high).tolist() == [False, True, True]


@pytest.mark.parametrize("count", [1, 2, 3, 10, 999, 1000])
def test_quantiles_of_sorted_values_are_numpys(count: int) -> None:
    values = np.sort(scores(count), axis=0).T
    assert sorted_quantiles(values, QUANTILES).tolist() == np.quantile(values, QUANTILES, axis=-1).tolist()


DRAWN: dict[str, Callable[[np.random.Generator, int], NDArray[np.floating[Any]]]] = {
    "uniform": lambda rng, n: rng.random(n),
    "few values": lambda rng, n: rng.integers(0, 11, n) / 10,
    "all the same": lambda rng, n: np.full(n, 0.3),
    "most at one end": lambda rng, n: np.exp(rng.normal(0, 4, n)),
    "hardly apart": lambda rng, n: 0.3 + rng.integers(0, 40, n) * 2.0**-54,
    "tiny": lambda rng, n: rng.integers(0, 9, n) * 5e-324,
}


@pytest.mark.parametrize("count", [1, 2, 256, 257, 1000, 5003])
def test_quantiles_of_rows_are_numpys_however_their_values_lie(count: int) -> None:
    rng = np.random.default_rng(count)
    rows = np.array([draw(rng, count) for draw in DRAWN.values()])
    before = rows.copy()
    assert row_quantiles(rows, QUANTILES).tolist() == np.quantile(rows, QUANTILES, axis=-1).tolist()
    assert np.array_equal(rows, before)


@pytest.mark.parametrize("count", [100, 1000])
@pytest.mark.parametrize("odd", [np.inf, -np.inf, np.nan])
def test_quantiles_of_rows_with_a_value_that_is_no_number_are_numpys(odd: float, count: int) -> None:
    rows = np.random.default_rng(2).random((3, count))
    rows[1, 7] = odd
    np.testing.assert_array_equal(row_quantiles(rows, (0.25, 0.5)), np.quantile(rows, (0.25, 0.5), axis=-1))


@pytest.mark.parametrize("count", [1, 2, 3, 10, 1000])
def test_quantiles_of_counts_are_numpys_of_the_numbers_written_out(count: int) -> None:
    drawn = np.random.default_rng(count).integers(0, 9, size=(4, count))
    counts = np.array([np.bincount(row, minlength=9) for row in drawn])
    expected = np.quantile(drawn, QUANTILES, axis=-1)
    np.testing.assert_allclose(counted_quantiles(counts, QUANTILES), expected, rtol=0, atol=1e-12)


def test_quartiles_from_a_histogram_are_within_a_bin_of_the_exact_ones() -> None:
    values = scores(5000, seed=3).T
    result = Histogram.around(values[:, :256])
    for first in range(0, 5000, 256):
        result.add(values[:, first : first + 256])
    assert (result.counts.sum(axis=1) == 5000).all()
    at = (0.25, 0.5, 0.75)
    off = np.abs(result.quantiles(at) - np.quantile(values, at, axis=1))
    assert (off <= result.width).all()
    assert (result.width <= 3.1 * np.ptp(values, axis=1) / Histogram.BINS + 1e-11).all()


def test_values_outside_a_histograms_bins_are_counted_at_its_ends() -> None:
    result = Histogram.around(np.array([[0.4, 0.6]]))
    result.add(np.array([[-5.0, 0.4, 0.6, 9.0]]))
    assert result.counts[0, [0, -1]].tolist() == [1, 1]
    assert result.counts.sum() == 4


def test_a_histogram_has_bins_from_one_range_below_to_one_above() -> None:
    result = Histogram.around(np.array([[0.25, 0.5, 1.25], [0.5, 0.5, 0.5]]))
    assert result.low.tolist() == [-0.75, 0.5 - 1e-9]
    assert result.width == pytest.approx(np.array([3 / 512, 3e-9 / 512]))
    result.add(np.array([[-0.75, -0.75 + 3 / 512, 2.25, 2.25 - 1.5 / 512], [0.5, 0.5, 0.5, 0.5]]))
    assert [result.counts[0, k] for k in (0, 1, 511)] == [1, 1, 2]
    assert result.counts[1, 170:172].sum() == 4
    median = result.quantiles((0.5,))[0]
    assert median[0] == pytest.approx(-0.75 + 3 / 512 * (256 + 0.5))  # half of bins 1 and 511
    assert median[1] == pytest.approx(0.5, abs=1e-11)


@pytest.mark.parametrize("count", [2, 3, 7, 40])
def test_quantiles_of_many_rows_are_those_of_each(count: int) -> None:
    values = np.sort(np.random.default_rng(count).random((2, 3, count)))
    at = (0.0, 0.1, 0.5, 0.9, 1.0)
    assert sorted_quantiles(values, at).tolist() == np.quantile(values, at, axis=-1).tolist()
    counts = np.random.default_rng(count).integers(0, 3, (2, 3, count))
    counts[..., 0] += 1
    written = counted_quantiles(counts, at)
    for place in np.ndindex(2, 3):
        each = np.repeat(np.arange(count), counts[place])
        assert written[(slice(None), *place)] == pytest.approx(np.quantile(each, at))


@pytest.mark.parametrize("kind", ["normal", "prediction"])
def test_a_difference_within_1e_10_of_a_bound_lies_inside(kind: str) -> None:
    z = np.array([0.1, 0.2, 0.4, 0.1, 0.2])
    factor = {"normal": 1.96, "prediction": stats.t.ppf(0.975, 4) * np.sqrt(1.2)}[kind]
    for sign, places in ((1, (0, 1, 2)), (-1, (2, 1, 0))):
        for off, place in ((0.8e-10, 1), (2e-10, 2)):
            last = sign * (z.mean() + factor * z.std(ddof=1) + off)
            values = np.column_stack([np.append(sign * z, last), np.zeros(6)])
            expected = [0, 0, 0]
            expected[places[place] if place == 2 else 1] = 1
            assert list(outside(moments_of(values), values[-1], kind)) == expected


@pytest.mark.parametrize("kind", ["normal", "prediction", "percentile"])
def test_the_last_replicate_is_looked_for_in_the_interval_of_the_others(kind: str) -> None:
    values = scores(80, systems=8, seed=9)
    values[-1, 4:6] = 0.0, 1.0  # well outside
    result = outside(moments_of(values), values[-1], kind, values[:-1].T)
    expected = [0, 0, 0]
    for x in range(8):
        for y in range(x + 1, 8):
            d = values[:-1, x] - values[:-1, y]
            last = values[-1, x] - values[-1, y]
            reach = {"normal": 1.96, "prediction": stats.t.ppf(0.975, 78) * (1 + 1 / 79) ** 0.5}.get(kind, 0.0)
            low, high = d.mean() - reach * d.std(ddof=1), d.mean() + reach * d.std(ddof=1)
            if kind == "percentile":
                low, high = np.quantile(d, [0.025, 0.975])
            # a value on the edge is inside, also where the interval is a point
            expected[0 if last < low - 1e-9 else 2 if last > high + 1e-9 else 1] += 1
    assert list(result) == expected
    assert min(expected[0] + expected[2], expected[1]) > 0


def test_ranks_are_scipys_average_ranks() -> None:
    values = np.round(scores(300, systems=9, seed=4), 1)
    expected = stats.rankdata(-values, axis=1)
    counts = count_ranks(values)
    assert counts.sum() == 300 * 9
    for s in range(9):
        assert counts[s].tolist() == [int((expected[:, s] == 1 + r / 2).sum()) for r in range(17)]
    result = rank_quantiles(counts, QUANTILES)
    np.testing.assert_allclose(result, np.quantile(expected, QUANTILES, axis=0), atol=1e-12)
    assert ranks(values[0]).tolist() == expected[0].tolist()
    assert np.array_equal(count_ranks(values[:100]) + count_ranks(values[100:]), counts)
