"""Extrapolation to larger topic sets: the law by numpy, and the error of the delete-d jackknife on a known truth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import optimize

from irassay.ask.set_size import deletion_interval, power_law
from irassay.vary.topics import TopicPlan


def test_the_power_law_is_scipys_best_line_through_the_last_of_the_logarithms() -> None:
    sizes, values, at = [10, 15, 20], np.array([[0.3, 0.2, 0.17], [0.2, 0.18, 0.1]]), [20, 50, 100]
    for row, result in zip(values, power_law(sizes, values, at), strict=True):

        def line(x: Any, slope: float, last: float = math.log(row[-1])) -> Any:
            return last + slope * (x - math.log(20))

        (slope,), _ = optimize.curve_fit(lambda x, slope: line(x, slope), np.log(sizes), np.log(row), p0=[-0.5])
        assert result == pytest.approx(np.exp(line(np.log(at), slope)), rel=1e-6)
        assert result[0] == pytest.approx(row[-1])  # at the last size what was measured there
    assert power_law([4, 9, 25], [1 / 2, 1 / 3, 1 / 5], [100]) == pytest.approx([0.1])


def test_the_delete_d_interval_covers_a_standard_deviation() -> None:
    # a smooth statistic whose truth is known; 400 experiments, seed 0, three binomial errors of .95
    topics, kept, sets, experiments = 40, 16, 60, 400
    rng = np.random.default_rng(0)
    counts = TopicPlan(0, topics, sets, kept, replacement=False).counts() > 0
    covered = 0
    for _ in range(experiments):
        x = rng.normal(0, 1, topics)
        subsets = np.array([x[chosen].std(ddof=1) for chosen in counts])[:, None]
        low, high = deletion_interval(np.array([x.std(ddof=1)]), subsets, kept, topics)
        covered += int(low[0] <= 1 <= high[0])
    assert covered / experiments == pytest.approx(0.95, abs=3 * math.sqrt(0.05 * 0.95 / experiments))


def test_subsets_of_different_sizes_have_the_factor_of_their_own() -> None:
    # the log of a mean of a lognormal sample: subsets of any size estimate the same error of all 60; seed 1
    x = np.random.default_rng(1).lognormal(0, 0.3, 60)
    kept = (12, 18, 24)
    sets = [TopicPlan(0, 60, 2000, size, replacement=False).counts() for size in kept]
    subsets = np.stack([counts @ x / size for counts, size in zip(sets, kept, strict=True)], axis=1)
    low, high = deletion_interval(np.full(3, x.mean()), subsets, kept, 60)
    # 2000 subsets: an error of 1.6% of the width, and four of them
    expected = 2 * 1.96 * x.std(ddof=1) / math.sqrt(60) / x.mean()
    assert np.log(high / low) == pytest.approx(expected, rel=0.064)


def test_the_interval_of_two_subsets_is_what_the_formula_says() -> None:
    # logs 0 and 1 have the standard deviation sqrt(1/2); t with one degree of freedom is Cauchy's
    low, high = deletion_interval(np.array([2.0]), np.array([[1.0], [math.e]]), [3], 12)
    error = math.sqrt(0.5) * math.sqrt(3 / 9)
    factor = math.exp(math.tan(math.pi * 0.475) * error)
    assert (low[0], high[0]) == pytest.approx((2 / factor, 2 * factor), rel=1e-9)
