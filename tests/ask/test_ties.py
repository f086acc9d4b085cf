"""The smallest p-value that tied topics leave a pair: reached by the best case, and passed by none."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irassay.ask import comparison, corrections, ties
from irassay.vary.labels import LabelPlan
from irassay.vary.topics import TopicPlan
from tests.helpers.paired_scores import Array

TOPICS = 14


def best_case(differing: int) -> Array:
    """All topics that differ do so by the same amount, in the same direction."""
    z = np.zeros((1, TOPICS))
    z[0, :differing] = 0.3
    return z


@pytest.mark.parametrize("differing", [1, 3, 6, 10, 13])
def test_floors_are_the_p_values_of_the_best_case(differing: int) -> None:
    z, k = best_case(differing), np.array([differing])
    assert ties.student_floor(k, TOPICS) == pytest.approx(comparison.student(z), rel=1e-9)
    assert ties.sign_floor(k, TOPICS) == pytest.approx(comparison.sign(z), rel=1e-9)
    flips = comparison.randomization(z, LabelPlan(0, TOPICS, 1).signs(), exact=True)
    assert ties.sign_floor(k, TOPICS) == pytest.approx(flips, rel=1e-9)
    assert ties.wilcoxon_floor(k, TOPICS) == pytest.approx(np.minimum(comparison.wilcoxon(z), 0.5 ** (differing - 1)))


def test_no_differences_pass_the_floor() -> None:
    rng = np.random.default_rng(0)
    for differing in (2, 4, 7):
        z = np.zeros((200, TOPICS))
        z[:, :differing] = rng.normal(0.3, 0.2, (200, differing))
        k = np.full(200, differing)
        for test, floor in (
            (comparison.student, ties.student_floor),
            (comparison.sign, ties.sign_floor),
            (comparison.wilcoxon, ties.wilcoxon_floor),
        ):
            assert (test(z) >= floor(k, TOPICS) * (1 - 1e-9)).all()


def bootstrapped(z: Array, counts: NDArray[np.int32]) -> Array:
    """p-values of the paired bootstrap test of rows of differences."""
    pairs = np.arange(len(z)), np.full(len(z), len(z))
    return comparison.bootstrap(np.vstack([z, np.zeros((1, z.shape[1]))]), counts, pairs)


@pytest.mark.parametrize("differing", [2, 5, 9])
def test_the_floor_of_the_bootstrap_is_its_p_value_of_equal_differences(differing: int) -> None:
    counts = TopicPlan(0, 50, 20_000).counts()
    z = np.zeros((1, 50))
    z[0, :differing] = 0.2
    floor = float(ties.bootstrap_floor(np.array([differing]), 50)[0])
    # four binomial errors of 20,000 samples
    assert bootstrapped(z, counts)[0] == pytest.approx(floor, abs=4 * np.sqrt(floor * (1 - floor) / 20_000) + 1e-4)


# of three topics one: a sample with two of it has exactly the observed statistic
@pytest.mark.parametrize(("differing", "topics"), [(1, 5), (2, 5), (3, 5), (4, 5), (1, 3)])
def test_the_floor_of_the_bootstrap_is_exact_over_all_samples(differing: int, topics: int) -> None:
    z = [Fraction(topic < differing) for topic in range(topics)]
    centred = [one - sum(z) / topics for one in z]
    reached = 0
    for sample in itertools.product(centred, repeat=topics):
        first, second = sum(sample), sum(one * one for one in sample)
        reached += first * first >= sum(z) ** 2 / sum(one * one for one in z) * second
    floor = ties.bootstrap_floor(np.array(differing), topics)
    assert float(floor) == pytest.approx(reached / topics**topics, rel=1e-12)


def test_pairs_that_differ_nowhere_have_no_floor_below_one() -> None:
    assert ties.sign_floor(np.array([0, 1, 2]), TOPICS).tolist() == [1.0, 1.0, 0.5]


def test_wilcoxons_floor_is_that_of_signs_as_long_as_patterns_are_counted() -> None:
    assert ties.wilcoxon_floor(np.array([1]), ties.EXACT).tolist() == [1.0]
    # one rank: 1 above half of 1, in units of its standard deviation 1/2
    assert ties.wilcoxon_floor(np.array([1]), ties.EXACT + 1)[0] == pytest.approx(2 * stats.norm.sf(1), rel=1e-12)


def test_no_other_differences_pass_the_floor_of_the_bootstrap() -> None:
    rng, counts = np.random.default_rng(1), TopicPlan(0, 50, 4_000).counts()
    for differing in (2, 5, 9):
        z = np.zeros((300, 50))
        z[:, :differing] = rng.uniform(0.1, 1.0, (300, differing)) ** rng.choice([0.1, 0.5, 1.0, 3.0], (300, 1))
        floor = float(ties.bootstrap_floor(np.array([differing]), 50)[0])
        assert bootstrapped(z, counts).min() > floor - 4 * np.sqrt(floor * (1 - floor) / 4_000)


def test_a_pair_is_out_of_reach_by_its_place_among_the_others() -> None:
    differing, floor = np.array([10, 5, 5, 14]), np.array([0.001, 0.02, 0.02, 0.0])
    p = np.array([0.001, 0.3, 0.5, 0.9])
    # 0.02 would be second of four: three are left, 0.06
    assert ties.unreachable(p, floor, differing, 14, corrections.holm, 0.05).tolist() == [False, True, True, False]
    assert not ties.unreachable(p, floor, differing, 14, corrections.holm, 0.07).any()
    assert ties.unreachable(p, floor, differing, 14, corrections.bonferroni, 0.07).tolist()[1:3] == [True, True]
    assert not ties.unreachable(p, floor, differing, 14, lambda alone: alone, 0.05).any()


@pytest.mark.parametrize(
    ("p", "floor", "differing", "out_of_reach"),
    [
        (0.9, 1.0, 0, False),  # nothing differs: that is said elsewhere
        (0.9, 0.5, 1, True),
        (0.9, 0.5, TOPICS - 1, True),
        (0.9, 0.5, TOPICS, False),  # no topic is tied
        (0.05, 0.5, 3, True),  # alpha itself is not significant
        (0.049, 0.5, 3, False),
        (0.9, 0.05, 3, True),
        (0.9, 0.049, 3, False),
    ],
)
def test_a_pair_with_some_tied_topics_is_out_of_reach_from_alpha_on(
    p: float, floor: float, differing: int, out_of_reach: bool
) -> None:
    result = ties.unreachable(np.array([p]), np.array([floor]), np.array([differing]), TOPICS, lambda one: one, 0.05)
    assert result.tolist() == [out_of_reach]
