"""Tests with topics in families, against CR2 with full matrices, Student's t, and all patterns of signs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import linalg, stats

from irassay.ask import comparison
from irassay.ask.families import cluster_error, cluster_interval, cluster_t, degrees_of_freedom, wild_cluster
from irassay.vary.labels import LabelPlan

Array = NDArray[np.float64]
FAMILIES = [np.array([0, 0, 1, 2, 2, 2, 3, 4, 4, 4, 4, 1]), np.repeat(np.arange(6), 4), np.arange(9)]


def differences(topics: int, pairs: int = 4) -> Array:
    return np.random.default_rng(topics).normal(0.2, 1, (pairs, topics))


def full_cr2(z: Array, family: NDArray[np.int64]) -> tuple[float, float]:
    """Standard error and degrees of freedom by the general formulas of Bell and McCaffrey, for a regression on 1."""
    n = len(z)
    x = np.ones((n, 1))
    bread = np.linalg.inv(x.T @ x)
    hat = x @ bread @ x.T
    left = np.eye(n) - hat
    residual = left @ z
    meat, columns = np.zeros((1, 1)), []
    for g in np.unique(family):
        here = family == g
        adjust = np.real(linalg.sqrtm(np.linalg.inv(np.eye(here.sum()) - hat[np.ix_(here, here)])))
        score = x[here].T @ adjust @ residual[here]
        meat += np.outer(score, score)
        columns.append(left[:, here] @ adjust @ x[here] @ bread)
    inner = np.hstack(columns).T @ np.hstack(columns)
    return float(np.sqrt(bread @ meat @ bread)[0, 0]), float(np.trace(inner) ** 2 / np.trace(inner @ inner))


@pytest.mark.parametrize("family", FAMILIES, ids=["unequal", "equal", "single"])
def test_errors_and_degrees_of_freedom_agree_with_full_matrices(family: NDArray[np.int64]) -> None:
    z = differences(len(family))
    expected = [full_cr2(row, family) for row in z]
    assert cluster_error(z, family).tolist() == pytest.approx([error for error, _ in expected], rel=1e-9)
    assert degrees_of_freedom(family) == pytest.approx(expected[0][1], rel=1e-9)
    t = z.mean(axis=1) / [error for error, _ in expected]
    assert cluster_t(z, family).tolist() == pytest.approx((2 * stats.t.sf(abs(t), expected[0][1])).tolist(), rel=1e-9)


def test_families_of_one_topic_give_students_t() -> None:
    z = differences(15)
    assert degrees_of_freedom(np.arange(15)) == pytest.approx(14)
    assert cluster_t(z, np.arange(15)).tolist() == pytest.approx(comparison.student(z).tolist(), rel=1e-9)


def test_families_of_one_size_give_students_t_of_their_means() -> None:
    z, family = differences(24), np.repeat(np.arange(6), 4)
    means = z.reshape(4, 6, 4).mean(axis=2)
    assert cluster_t(z, family).tolist() == pytest.approx(comparison.student(means).tolist(), rel=1e-9)


@pytest.mark.parametrize("family", FAMILIES, ids=["unequal", "equal", "single"])
def test_the_interval_leaves_out_0_exactly_when_the_test_rejects(family: NDArray[np.int64]) -> None:
    z = differences(len(family), 40)
    low, high = cluster_interval(z, family, 0.1)
    rejected = cluster_t(z, family) < 0.1
    assert ((low > 0) | (high < 0)).tolist() == rejected.tolist()
    assert 0 < rejected.sum() < 40


@pytest.mark.parametrize("family", FAMILIES[:2], ids=["unequal", "equal"])
def test_the_wild_cluster_bootstrap_goes_through_all_signs_of_families(family: NDArray[np.int64]) -> None:
    z, families = differences(len(family)), int(family.max()) + 1
    expected = []
    for row in z:
        t = abs(row.mean() / full_cr2(row, family)[0])
        turned = [np.array(signs)[family] * row for signs in itertools.product((-1, 1), repeat=families)]
        expected.append(np.mean([abs(one.mean() / full_cr2(one, family)[0]) >= t * (1 - 1e-9) for one in turned]))
    plan = LabelPlan(0, families, 100)
    assert wild_cluster(z, family, plan.signs(), exact=True).tolist() == pytest.approx(expected)


def test_the_wild_cluster_bootstrap_counts_itself_where_signs_are_drawn() -> None:
    family, z = FAMILIES[1], differences(24)
    patterns = list(LabelPlan(0, 6, 100).signs())
    number = sum(map(len, patterns))
    hits = wild_cluster(z, family, patterns, exact=True) * number
    drawn = wild_cluster(z, family, patterns, exact=False)
    assert drawn.tolist() == pytest.approx(((hits + 1) / (number + 1)).tolist())


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_the_scale_of_scores_changes_no_p_value(scale: float) -> None:
    family, z = FAMILIES[0], differences(12)
    assert cluster_t(scale * z, family).tolist() == pytest.approx(cluster_t(z, family).tolist())
    both = [wild_cluster(one, family, LabelPlan(0, 5, 100).signs(), exact=True).tolist() for one in (scale * z, z)]
    assert both[0] == both[1]


def test_constant_differences_are_reached_by_equal_signs_alone_and_a_mean_of_0_by_all() -> None:
    constant = wild_cluster(np.full((1, 12), 0.1), FAMILIES[0], LabelPlan(0, 5, 100).signs(), exact=True)
    assert constant.tolist() == [2 / 2**5]
    cancel = np.array([[0.1, -0.1] * 4])
    assert wild_cluster(cancel, np.arange(8), LabelPlan(0, 8, 1000).signs(), exact=True).tolist() == [1.0]


def test_a_small_spread_around_a_constant_is_spread() -> None:
    x, family = differences(12), FAMILIES[0]
    assert cluster_error(1 + 1e-5 * x, family).tolist() == pytest.approx((1e-5 * cluster_error(x, family)).tolist())


@pytest.mark.parametrize(("small", "p"), [(1e-8, 1.0), (1e-7, 1.0), (1e-5, 1 - 30 / 2**8), (1e-3, 1 - 30 / 2**8)])
def test_a_mean_is_0_where_it_is_below_a_millionth_of_its_parts(small: float, p: float) -> None:
    # of 70 patterns whose tenths cancel, the first two topics have like signs in 2 * 15, and then 0.5 small is left
    z = np.array([[0.1, -0.1] * 4])
    z[0, :2] += small, small / 2
    assert wild_cluster(z, np.arange(8), LabelPlan(0, 8, 1000).signs(), exact=True).tolist() == [p]


def test_drawn_signs_come_close_to_all_of_them() -> None:
    # seed 1; four standard errors of a share of 20,000
    family = np.repeat(np.arange(18), 2)
    z = differences(36)
    drawn = wild_cluster(z, family, LabelPlan(1, 18, 20_000).signs(), exact=False)
    again = wild_cluster(z, family, LabelPlan(2, 18, 20_000).signs(), exact=False)
    assert np.abs(drawn - again).max() < 4 * np.sqrt(2 * 0.25 / 20_000)


def test_no_difference_has_p_1_and_a_constant_one_p_0() -> None:
    family = FAMILIES[0]
    for z, p in ((np.zeros((1, 12)), 1.0), (np.full((1, 12), 0.1), 0.0)):
        assert cluster_t(z, family).tolist() == [p]
    assert wild_cluster(np.zeros((1, 12)), family, LabelPlan(0, 5, 9).signs(), exact=True).tolist() == [1.0]
    cancel = np.array([[0.1, -0.1] * 6])
    assert cluster_t(cancel, np.repeat(np.arange(6), 2)).tolist() == [1.0]


def test_the_cluster_robust_t_test_keeps_its_level_where_students_does_not() -> None:
    # 12 families of 1 to 6 topics that share an effect, 2,000 samples, seed 5; three binomial errors about .05 are .015
    family = np.repeat(np.arange(12), [1, 2, 3, 4, 5, 6] * 2)
    draw = np.random.default_rng(5)
    z = draw.normal(size=(2000, 12))[:, family] + draw.normal(size=(2000, len(family)))
    assert (cluster_t(z, family) < 0.05).mean() < 0.065
    assert (wild_cluster(z, family, LabelPlan(0, 12, 99).signs(), exact=True) < 0.05).mean() < 0.065
    assert (comparison.student(z) < 0.05).mean() > 0.15
