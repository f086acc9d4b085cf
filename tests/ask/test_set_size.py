"""Extrapolation to larger topic sets: the law by numpy, and the error of the delete-d jackknife on a known truth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irassay.ask.set_size import deletion_interval, power_law
from irassay.vary.topics import TopicPlan


def test_the_power_law_is_numpys_line_through_logarithms() -> None:
    sizes, values, at = [10, 15, 20], np.array([[0.3, 0.2, 0.17], [0.2, 0.18, 0.1]]), [50, 100]
    for row, result in zip(values, power_law(sizes, values, at), strict=True):
        assert result == pytest.approx(np.exp(np.polyval(np.polyfit(np.log(sizes), np.log(row), 1), np.log(at))))
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
