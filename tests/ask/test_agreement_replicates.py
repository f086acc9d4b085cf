"""Rank correlations of replicates, their intervals, and verdicts of two measures on the same pairs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irassay.ask.agreement import (
    Verdicts,
    all_tau_replicates,
    coefficients,
    conservative_interval,
    interval,
    tau,
    verdicts,
)
from tests.helpers.golden import golden

GOLDEN = golden("methods")


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 20), st.integers(1, 600), st.integers(0, 2**32 - 1))
def test_replicates_are_the_taus_of_their_rows_on_any_number_of_threads(n: int, replicates: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    a, b = random.integers(0, 8, (2, replicates, n)) / 7
    (result,) = all_tau_replicates([a, b])
    for row in random.integers(0, replicates, 5):
        assert result[row] == tau(a[row], b[row])
    for jobs in (2, 5):
        assert all_tau_replicates([a, b], jobs=jobs).tobytes() == result.tobytes()
    half = replicates // 2
    pieces = [all_tau_replicates([a[part], b[part]])[0] for part in (slice(half), slice(half, None)) if len(a[part])]
    assert np.concatenate(pieces).tobytes() == result.tobytes()


def test_replicates_of_one_measure_may_be_compared_with_one_ranking() -> None:
    scores = np.random.default_rng(0).random((300, 7))
    one = scores[0]
    assert coefficients(one, scores)[:, 0].tolist() == all_tau_replicates([scores, np.tile(one, (300, 1))])[0].tolist()


def test_interval_is_numpys_linear_percentiles() -> None:
    values = np.random.default_rng(0).random(1000)
    assert interval(values) == tuple(np.percentile(values, [2.5, 97.5]))
    assert interval([0.0, 1.0], level=0.5) == (0.25, 0.75)
    assert interval([0.4]) == (0.4, 0.4)


def test_the_conservative_interval_is_the_hull_of_the_percentile_interval_and_its_reflection() -> None:
    values = np.random.default_rng(0).uniform(0.5, 0.8, 500)
    low, high = np.percentile(values, [2.5, 97.5])
    # the estimate above, amid and below the replicates
    assert conservative_interval(0.9, values) == (low, 1.0)  # 1.8 - low is beyond 1
    assert conservative_interval(0.85, values) == pytest.approx((low, min(1.0, 1.7 - low)))
    assert conservative_interval((low + high) / 2, values) == pytest.approx((low, high))
    assert conservative_interval(0.5, values) == pytest.approx((1.0 - high, high))


# verdicts


def test_each_pair_of_verdicts_is_counted_once() -> None:
    a = [1, -1, 1, -1, 1, -1, 0, 0, 0]
    b = [1, -1, -1, 1, 0, 0, 1, -1, 0]
    result = verdicts(a, b)
    assert result == Verdicts(same=2, opposite=2, only_a=2, only_b=2, neither=1)
    assert (result.both, result.share_agreed) == (4, 0.5)
    assert math.isnan(verdicts([0, 1], [1, 0]).share_agreed)


def test_verdicts_on_the_golden_reduced_judgments_match_golden() -> None:
    # table5: pairs significant on reduced judgments, on full ones, and how many of the first are not among the second
    case = GOLDEN["table5"]
    pairs = [f"{i}-{j}" for i, j in itertools.combinations(range(6), 2)]
    reduced, full = ([int(pair in case[key]) for pair in pairs] for key in ("sig_reduced", "sig_full"))
    result = verdicts(reduced, full)
    assert [result.same + result.only_a, result.only_a] == case["row"][:2]
    assert result.pairs == len(pairs)


@given(st.lists(st.tuples(st.sampled_from([-1, 0, 1]), st.sampled_from([-1, 0, 1])), max_size=60))
def test_verdicts_add_up_and_mirror(cases: list[tuple[int, int]]) -> None:
    a, b = [x for x, _ in cases], [y for _, y in cases]
    result, mirrored = verdicts(a, b), verdicts(b, a)
    assert result.pairs == len(cases)
    assert (result.same, result.opposite, result.neither) == (mirrored.same, mirrored.opposite, mirrored.neither)
    assert (result.only_a, result.only_b) == (mirrored.only_b, mirrored.only_a)
    assert result.same + result.opposite == sum(x * y != 0 for x, y in cases)
