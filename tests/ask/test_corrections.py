"""Corrections for many comparisons against statsmodels and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irassay
from irassay.ask import comparison as tests
from irassay.ask import corrections, intervals
from irassay.ask.methods import CORRECTIONS
from tests.helpers.paired_scores import pairs_of, random_scores


@given(st.lists(st.sampled_from([0.0, 0.001, 0.01, 0.02, 0.04, 0.049, 0.05, 0.3, 1.0]), min_size=1, max_size=12))
def test_corrections_agree_with_statsmodels(p: list[float]) -> None:
    from statsmodels.stats.multitest import multipletests

    for name, theirs in (("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh")):
        expected = multipletests(p, 0.05, method=theirs)[1]
        assert CORRECTIONS[name].adjust(np.array(p)) == pytest.approx(expected, rel=1e-12)
    assert CORRECTIONS["none"].adjust(np.array(p)).tolist() == p


def test_corrections_by_hand() -> None:
    p = np.array([0.01, 0.04, 0.03])
    assert CORRECTIONS["holm"].adjust(p) == pytest.approx([0.03, 0.06, 0.06])
    assert CORRECTIONS["bonferroni"].adjust(p) == pytest.approx([0.03, 0.12, 0.09])
    assert CORRECTIONS["bh"].adjust(p) == pytest.approx([0.03, 0.04, 0.04])
    for correction in ("holm", "bonferroni", "bh"):
        assert CORRECTIONS[correction].adjust(np.array([0.9, 1.0])).max() == 1.0


@pytest.mark.parametrize("correction", ["bonferroni", "bh", "none"])
def test_simultaneous_t_intervals_leave_out_0_exactly_when_the_corrected_test_rejects(correction: str) -> None:
    _, z = pairs_of(random_scores(14, 30, seed=8))
    fixed = CORRECTIONS[correction].adjust(tests.student(z))
    rejected = fixed < 0.05
    level = CORRECTIONS[correction].interval_level(0.05, len(z), int(rejected.sum()))
    low, high = intervals.student_interval(z, level)
    assert np.array_equal((low > 0) | (high < 0), rejected)
    assert 0 < rejected.sum() < len(rejected)


def test_holms_intervals_are_bonferronis() -> None:
    assert CORRECTIONS["holm"].interval_level(0.05, 10, 4) == pytest.approx(0.005)
    assert CORRECTIONS["bh"].interval_level(0.05, 10, 4) == pytest.approx(0.02)
    assert CORRECTIONS["bh"].interval_level(0.05, 10, 0) == pytest.approx(0.005)


@given(st.integers(1, 3000), st.sampled_from([0.05, 0.01, 0.1, 0.05 / 28, 0.07, 1 / 3]))
def test_the_critical_rank_is_where_the_p_value_passes_the_level(samples: int, level: float) -> None:
    k = corrections.critical_rank(level, samples)
    # fewer than k samples beyond: significant; k of them: not
    assert k == 0 or (k - 1 + 1) / (samples + 1) < level
    assert (k + 1) / (samples + 1) >= level * (1 - 1e-9)


@pytest.mark.parametrize(
    ("alpha", "family", "needed"), [(0.05, 1, 20), (0.05, 2, 40), (0.05, 28, 560), (0.01, 3, 300), (0.05, 8256, 165120)]
)
def test_too_few_resamples_are_an_error_with_the_number_needed(alpha: float, family: int, needed: int) -> None:
    of = "one comparison" if family == 1 else f"{family} comparisons"
    with pytest.raises(irassay.InputError, match=rf"any of {of} is(.|\n)*--resamples {needed} "):
        corrections.check_reachable(alpha, family, needed - 1, "test")
    corrections.check_reachable(alpha, family, needed, "test")
    assert family / (needed + 1) < alpha
