"""The smallest p-value that tied topics leave a pair: reached by the best case, and passed by none."""

from __future__ import annotations

import numpy as np
import pytest

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


def test_the_bootstrap_cannot_pass_the_share_of_samples_without_a_topic_that_differs() -> None:
    counts = TopicPlan(0, TOPICS, 20_000).counts()
    for differing in (2, 4):
        z = best_case(differing)
        p = comparison.bootstrap(np.vstack([z, np.zeros((1, TOPICS))]), counts, (np.array([0]), np.array([1])))
        floor = float(ties.bootstrap_floor(np.array([differing]), TOPICS)[0])
        # five binomial errors of 20,000 samples
        assert p[0] > floor - 5 * np.sqrt(floor * (1 - floor) / 20_000)


def test_a_pair_is_out_of_reach_by_its_place_among_the_others() -> None:
    differing, floor = np.array([10, 5, 5, 14]), np.array([0.001, 0.02, 0.02, 0.0])
    p = np.array([0.001, 0.3, 0.5, 0.9])
    # 0.02 would be second of four: three are left, 0.06
    assert ties.unreachable(p, floor, differing, 14, corrections.holm, 0.05).tolist() == [False, True, True, False]
    assert not ties.unreachable(p, floor, differing, 14, corrections.holm, 0.07).any()
    assert ties.unreachable(p, floor, differing, 14, corrections.bonferroni, 0.07).tolist()[1:3] == [True, True]
    assert not ties.unreachable(p, floor, differing, 14, lambda alone: alone, 0.05).any()
