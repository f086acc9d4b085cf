"""Algorithm 1 of yang2018variance, against its definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irassay.ask.error_rate import error_rate
from irassay.errors import InputError


def test_errors_are_differences_of_the_other_sign_in_bins_of_replicates() -> None:
    random = np.random.default_rng(2)
    raw = random.integers(0, 40, 6) / 100
    raw[1] = raw[0]  # no difference, which no replicate can have the wrong way round
    replicates = np.clip(raw + random.normal(0, 0.05, (50, 6)), 0, 1)
    comparisons, errors = np.zeros(21, dtype=int), np.zeros(21, dtype=int)
    for row in replicates:
        for x, y in itertools.combinations(range(6), 2):
            place = min(int(abs(row[x] - row[y]) / 0.01), 20)
            comparisons[place] += 1
            errors[place] += (raw[x] - raw[y]) * (row[x] - row[y]) < 0
    result = error_rate(raw, replicates)
    assert result.bin_low.tolist() == [place / 100 for place in range(21)]
    assert result.comparisons.tolist() == comparisons.tolist()
    assert result.swaps.tolist() == errors.tolist()
    assert 0 < errors.sum() < comparisons.sum() / 2


def test_scores_of_other_systems_are_an_error() -> None:
    with pytest.raises(InputError, match="not of the same systems"):
        error_rate(np.zeros(3), np.zeros((5, 4)))
