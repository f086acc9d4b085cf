"""Agreement between rankings: the golden numbers, scipy, and plain definitions that break ties in every way."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from irassay.ask.agreement import (
    all_tau_replicates,
    coefficients,
    conservative_interval,
    interval,
    levels,
    p_value,
    rbo,
    tau,
    tau_ap,
    tau_b,
    verdicts,
    z0,
)
from irassay.errors import InputError
from irassay.tolerance import EQUAL
from tests.helpers.golden import golden

GOLDEN = golden("methods")
KENDALL = GOLDEN["kendall"]

Scores = list[int]
Coefficient = Callable[[Scores, Scores], float]


def two_rankings(most: int, *, values: int | None = None, low: int = 2) -> st.SearchStrategy[tuple[Scores, Scores]]:
    """Two score lists of the same systems; with few `values` most are tied, without any are."""
    return st.integers(low, most).flatmap(
        lambda n: st.tuples(
            *(
                st.permutations(range(n))
                if values is None
                else st.lists(st.integers(0, values), min_size=n, max_size=n)
                for _ in range(2)
            )
        )
    )


def orders(scores: Sequence[float]) -> Iterator[tuple[int, ...]]:
    """Every order of the systems, best first, that breaks the ties in some way."""
    ties = [[i for i, x in enumerate(scores) if x == value] for value in sorted(set(scores), reverse=True)]
    for parts in itertools.product(*(itertools.permutations(tie) for tie in ties)):
        yield tuple(itertools.chain(*parts))


def ranks(order: Sequence[int]) -> list[int]:
    return [order.index(i) for i in range(len(order))]


def plain_tau(a: Sequence[float], b: Sequence[float]) -> Fraction:
    """Equation 8, word by word."""
    pos = neg = 0
    for i, j in itertools.combinations(range(len(a)), 2):
        pos += (a[i] < a[j] and b[i] < b[j]) or (a[i] > a[j] and b[i] > b[j])
        neg += (a[i] < a[j] and b[i] > b[j]) or (a[i] > a[j] and b[i] < b[j])
    return Fraction(2 * (pos - neg), len(a) * (len(a) - 1))


def plain_tau_ap(reference: Sequence[int], other: Sequence[int]) -> Fraction:
    """Yilmaz, Aslam and Robertson 2008 on two orders of systems, best first."""
    n = len(other)
    total = Fraction(0)
    for i in range(1, n):
        better = set(reference[: reference.index(other[i])])
        total += Fraction(len(better & set(other[:i])), i)
    return 2 * total / (n - 1) - 1


def plain_rbo(a: Sequence[int], b: Sequence[int], p: Fraction) -> Fraction:
    """The extrapolated form of Webber, Moffat and Zobel 2010 on two orders of the same systems."""
    n = len(a)
    agreement = [Fraction(len(set(a[:d]) & set(b[:d])), d) for d in range(1, n + 1)]
    return (1 - p) / p * sum(x * p**d for d, x in enumerate(agreement, 1)) + agreement[-1] * p**n


def over_all_ties(measure: Callable[[Sequence[int], Sequence[int]], Fraction], a: Scores, b: Scores) -> float:
    result = [measure(x, y) for x in orders(a) for y in orders(b)]
    return float(sum(result, Fraction(0)) / len(result))


# exact numbers


@pytest.mark.parametrize("name", KENDALL["cases"])
def test_tau_its_test_and_tau_b_match_golden(name: str) -> None:
    case = KENDALL["cases"][name]
    n = len(case["a"])
    result = tau(case["a"], case["b"])
    assert result == case["tau"] == float(Fraction(case["exact"]))
    assert tau_b(case["a"], case["b"]) == pytest.approx(case["tau_b"], rel=1e-15)
    assert z0(result, n) == pytest.approx(case["Z0"], rel=1e-15)
    assert p_value(z0(result, n)) == pytest.approx(case["p"], rel=1e-13)


def test_the_critical_taus_of_thirty_runs_match_golden() -> None:
    for alpha in (0.01, 0.05):
        threshold = KENDALL[f"threshold_n30_alpha{alpha:.2f}".replace("0.", ".")]
        assert p_value(z0(threshold, 30)) == pytest.approx(alpha, rel=1e-12)
    assert z0(0.34, 30) == pytest.approx(KENDALL["Z0(.34,30)"], rel=1e-15)
    assert p_value(z0(0.34, 30)) < 0.01  # "significant at alpha = 0.01 if it is over 0.34", in both papers


def test_taus_of_the_simulated_scores_match_golden() -> None:
    case = GOLDEN["yang"]
    raw = np.array(case["raw"]).mean(axis=1)
    result = coefficients(raw, np.array(case["sims"]).mean(axis=2))[:, 0]
    assert result.tolist() == case["taus"]
    assert result.mean() == pytest.approx(case["KRCC"], rel=1e-15)


def test_taus_of_the_golden_samples_are_those_of_each_sample_alone() -> None:
    idx = np.array(GOLDEN["idx"])
    one, two = (np.array(GOLDEN[key])[:, idx].mean(axis=2).T for key in ("scores", "second_measure_scores"))
    assert all_tau_replicates([one, two])[0].tolist() == [float(plain_tau(a, b)) for a, b in zip(one, two, strict=True)]


def test_printed_taus_of_thirty_runs_are_whole_numbers_of_pairs() -> None:
    # Table 5 of sakai2007bootstrap, NTCIR-3 Chinese, first and second rows: the denominator is 435 throughout
    printed = [0.8575, 0.7057, 0.9678, 0.6736, 0.6966, 0.7057, 0.7655, 0.8345, 0.6874, 0.8115, 0.8207]
    for value in printed:
        apart = round((1 - value) * 435 / 2)  # without ties each pair apart costs 2/435
        n, a = 30, list(range(30))
        b, left = list(range(n)), apart
        for end in range(n - 1, 0, -1):  # bubble one system after another down until `apart` pairs are exchanged
            for i in range(min(left, end)):
                b[i], b[i + 1] = b[i + 1], b[i]
            left -= min(left, end)
        assert round(tau(a, b), 4) == value


# against plain definitions and peers


@settings(max_examples=200, deadline=None)
@given(two_rankings(40, values=6) | two_rankings(40))
def test_tau_is_equation_8(case: tuple[Scores, Scores]) -> None:
    assert tau(*case) == float(plain_tau(*case))


@settings(max_examples=200, deadline=None)
@given(two_rankings(40, values=6) | two_rankings(40))
def test_tau_b_agrees_with_scipy(case: tuple[Scores, Scores]) -> None:
    expected = float(stats.kendalltau(*case, variant="b").statistic)
    assert tau_b(*case) == pytest.approx(expected, abs=1e-14, nan_ok=True)


@settings(max_examples=200, deadline=None)
@given(two_rankings(30))
def test_tau_ap_without_ties_is_the_definition(case: tuple[Scores, Scores]) -> None:
    reference, other = (next(orders(scores)) for scores in case)
    assert tau_ap(*case) == pytest.approx(float(plain_tau_ap(reference, other)), abs=1e-14)


@settings(max_examples=200, deadline=None)
@given(two_rankings(30), st.sampled_from([0.5, 0.8, 0.9, 0.98]))
def test_rbo_without_ties_is_the_definition(case: tuple[Scores, Scores], p: float) -> None:
    a, b = (next(orders(scores)) for scores in case)
    assert rbo(*case, p=p) == pytest.approx(float(plain_rbo(a, b, Fraction(p))), abs=1e-14)


@settings(max_examples=60, deadline=None)
@given(two_rankings(5, values=2))
def test_tau_tau_ap_and_rbo_are_means_over_all_ways_of_breaking_ties(case: tuple[Scores, Scores]) -> None:
    by_rank = over_all_ties(lambda x, y: plain_tau(ranks(x), ranks(y)), *case)
    assert tau(*case) == pytest.approx(by_rank, abs=1e-14)
    assert tau_ap(*case) == pytest.approx(over_all_ties(plain_tau_ap, *case), abs=1e-14)
    assert rbo(*case) == pytest.approx(over_all_ties(lambda x, y: plain_rbo(x, y, Fraction(0.9)), *case), abs=1e-14)


@pytest.mark.parametrize("n", [6, 30, 129])
def test_z0_is_tau_over_its_standard_deviation_for_unrelated_rankings(n: int) -> None:
    # 4,000 random orders, seed 0: the sd of an sd is near 1/sqrt(2·4000) = .011; five of them
    drawn = np.random.default_rng(0).random((4000, n))
    result = coefficients(np.arange(n), drawn)[:, 0]
    assert np.std(result) * z0(1.0, n) == pytest.approx(1.0, abs=0.056)


def test_p_value_is_two_sided_normal() -> None:
    for z in (0.0, 0.5, 1.959963984540054, 3.0, 9.0, 30.0):
        assert p_value(z) == p_value(-z) == pytest.approx(2 * stats.norm.sf(z), rel=1e-12)


# properties


@settings(deadline=None)
@given(two_rankings(30, values=5) | two_rankings(30))
def test_tau_tau_b_and_rbo_are_symmetric(case: tuple[Scores, Scores]) -> None:
    a, b = case
    assert tau(a, b) == tau(b, a)
    assert tau_b(a, b) == pytest.approx(tau_b(b, a), abs=0, nan_ok=True)
    assert rbo(a, b) == pytest.approx(rbo(b, a), abs=1e-15)


@settings(deadline=None)
@given(two_rankings(30, values=5) | two_rankings(30))
def test_reversing_one_ranking_changes_the_sign(case: tuple[Scores, Scores]) -> None:
    a, b = case
    back = [-x for x in a]
    assert tau(back, b) == -tau(a, b)
    assert tau_b(back, b) == pytest.approx(-tau_b(a, b), abs=0, nan_ok=True)
    assert tau_ap(back, b) == pytest.approx(-tau_ap(a, b), abs=1e-15)  # of the reference: weights stay


@settings(deadline=None)
@given(st.integers(2, 200))
def test_equal_orders_without_ties_agree_exactly_and_reversed_ones_not_at_all(n: int) -> None:
    up, down = np.sqrt(np.arange(n)), -np.arange(n)
    for coefficient in (tau, tau_b, tau_ap):
        assert coefficient(up, up) == 1.0
        assert coefficient(up, down) == -1.0
    assert rbo(up, up) == 1.0
    assert rbo(up, down) < 1.0


@settings(deadline=None)
@given(two_rankings(12, values=4), st.randoms(use_true_random=False))
def test_neither_the_order_of_systems_nor_the_scale_of_scores_matters(case: tuple[Scores, Scores], random: Any) -> None:
    a, b = case
    shuffled = random.sample(range(len(a)), len(a))
    moved = [math.exp(0.3 * a[i]) for i in shuffled], [b[i] / 7 - 3 for i in shuffled]
    for coefficient in (tau, tau_b, tau_ap, rbo):
        assert coefficient(*moved) == pytest.approx(coefficient(a, b), abs=1e-14, nan_ok=True)


@settings(deadline=None)
@given(two_rankings(30, values=5) | two_rankings(30))
def test_coefficients_stay_within_their_bounds(case: tuple[Scores, Scores]) -> None:
    assert -1 <= tau(*case) <= 1
    assert -1 <= tau_ap(*case) <= 1
    assert 0 <= rbo(*case) <= 1
    assert math.isnan(tau_b(*case)) or -1 <= tau_b(*case) <= 1


def test_an_error_at_the_top_costs_tau_ap_and_rbo_more_than_one_at_the_bottom() -> None:
    truth = [6, 5, 4, 3, 2, 1]
    top, bottom = [5, 6, 4, 3, 2, 1], [6, 5, 4, 3, 1, 2]
    assert tau(truth, top) == tau(truth, bottom)
    assert tau_ap(truth, top) < tau_ap(truth, bottom)
    assert rbo(truth, top) < rbo(truth, bottom)


# ties


def test_scores_within_1e_10_are_ties_and_chains_of_them_one_tie() -> None:
    assert levels([0.3, 0.1 + 0.2, 0.4, 0.2]).tolist() == [1, 1, 2, 0]
    assert levels([0.0, 0.9e-10, 1.8e-10, 3.0e-10]).tolist() == [0, 0, 0, 1]
    assert tau([0.3, 0.1 + 0.2], [1, 2]) == 0.0


@pytest.mark.parametrize("other", [[1, 2, 3, 4], [7, 7, 7, 7]])
def test_constant_scores_have_documented_answers_and_no_warnings(other: Scores) -> None:
    constant = [5, 5, 5, 5]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tau(constant, other) == tau_ap(constant, other) == tau_ap(other, constant) == 0.0
        assert math.isnan(tau_b(constant, other))
        # any d of 4 systems share d·d/4 with any other d on average
        chance = 0.1 * sum(d / 4 * 0.9 ** (d - 1) for d in range(1, 5)) + 0.9**4
        assert rbo(constant, other) == rbo(other, constant) == pytest.approx(chance, abs=1e-15)
        assert z0(0.0, 4) == 0.0
        assert p_value(0.0) == 1.0
        assert all_tau_replicates([[constant] * 3, [other] * 3])[0].tolist() == [0.0] * 3


def test_a_tied_ranking_reaches_one_with_itself_only_in_tau_b() -> None:
    tied = [3, 2, 2, 1]
    assert tau(tied, tied) == 5 / 6
    assert tau_b(tied, tied) == 1.0
    assert tau_ap(tied, tied) < 1
    assert rbo(tied, tied) < 1


# bad input


@pytest.mark.parametrize("coefficient", [tau, tau_b, tau_ap, rbo])
def test_one_system_or_missing_scores_are_an_error_with_a_hint(coefficient: Coefficient) -> None:
    with pytest.raises(InputError, match="two systems"):
        coefficient([1], [1])
    with pytest.raises(InputError, match="no score"):
        coefficient([1, 2], [1, math.nan])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="same systems"):
        coefficient([1, 2], [1, 2, 3])


def test_parameters_outside_their_bounds_are_an_error() -> None:
    for p in (0.0, 1.0, -1.0, math.nan):
        with pytest.raises(InputError, match="RBO"):
            rbo([1, 2], [1, 2], p=p)
        with pytest.raises(InputError, match="interval"):
            interval([1.0], level=p)
    with pytest.raises(InputError, match="two systems"):
        z0(0.5, 1)
    with pytest.raises(ValueError, match="replicates"):
        interval([])
    with pytest.raises(ValueError, match="same pairs"):
        verdicts([1, 2], [1, 0])
    with pytest.raises(ValueError, match="same pairs"):
        verdicts([1, 0], [1])


def test_steps_of_exactly_the_tolerance_are_ties_and_larger_ones_are_none() -> None:
    assert levels([0.0, EQUAL, 3 * EQUAL]).tolist() == [0, 0, 1]


def test_two_systems_are_enough_for_z0() -> None:
    assert z0(-1.0, 2) == pytest.approx(1.0)


def test_the_conservative_interval_reflects_at_the_estimate_and_stays_within_its_bounds() -> None:
    assert conservative_interval(0.5, [0.2, 0.4], level=1 - 1e-9) == pytest.approx((0.2, 0.8))
    assert conservative_interval(0.9, [0.5, 0.8], level=1 - 1e-9) == pytest.approx((0.5, 1.0))
    assert conservative_interval(-0.9, [-0.8, -0.5], level=1 - 1e-9) == pytest.approx((-1.0, -0.5))
