"""The one-tailed paired bootstrap test, against the two-tailed one and the definition in plain NumPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irassay.ask.one_tailed import one_tailed
from irassay.ask.significance import PairTests, paired, rank_of
from irassay.vary.topics import TopicPlan

COUNTS = TopicPlan(3, 20, 400).counts()


def scores(systems: int = 6) -> np.ndarray:
    rng = np.random.default_rng(8)
    return np.round(rng.beta(2, 3, size=(systems, 20)) + np.linspace(0.1, 0, systems)[:, None], 2)


def test_the_level_is_the_share_of_samples_whose_t_is_as_large() -> None:
    values = scores()
    tests = one_tailed(values, COUNTS, (0.05, 0.01))
    for p, (x, y) in enumerate(itertools.combinations(range(6), 2)):
        z = values[x] - values[y]
        samples = [np.repeat(z - z.mean(), counts) for counts in COUNTS]
        t = np.array([w.mean() / (w.std(ddof=1) / np.sqrt(20)) for w in samples])
        observed = z.mean() / (z.std(ddof=1) / np.sqrt(20))
        assert tests.statistic[p] == pytest.approx(observed, rel=1e-12)
        assert tests.count[p] == np.count_nonzero(t >= observed * (1 - 1e-9 * np.sign(observed)))
        for a, alpha in enumerate((0.05, 0.01)):
            kth = np.argsort(-t, kind="stable")[rank_of(alpha, 400) - 1]
            assert tests.critical[p, a] == pytest.approx(t[kth], rel=1e-9)
            assert tests.required[p, a] == pytest.approx(samples[kth].mean(), rel=1e-9)


def test_both_directions_add_up_to_the_two_tailed_test() -> None:
    values = scores(2)
    there, back = one_tailed(values, COUNTS), one_tailed(values[::-1], COUNTS)
    both = paired(values, COUNTS)
    t = there.statistic[0]
    assert back.statistic[0] == -t
    # |t*| >= |t|: on the side of t the share in that direction, on the other side what lies beyond -t
    beyond = one_tailed(values if t > 0 else values[::-1], COUNTS).count[0]
    assert beyond <= both.count[0]
    assert there.count[0] + back.count[0] == pytest.approx(400, abs=1)  # ties count on both sides


def test_a_constant_gap_is_certain_in_one_direction_and_impossible_in_the_other() -> None:
    values = np.array([[0.3, 0.4, 0.5], [0.2, 0.3, 0.4], [0.2, 0.3, 0.4]])
    counts = TopicPlan(0, 3, 50).counts()
    tests = one_tailed(values, counts)
    assert tests.asl.tolist() == [0.0, 0.0, 1.0]  # the last pair is identical
    assert one_tailed(values[::-1], counts).asl.tolist() == [1.0, 1.0, 1.0]
    assert tests.statistic[:2].tolist() == [np.inf, np.inf]


def test_the_result_does_not_depend_on_the_number_of_threads() -> None:
    values = scores(9)
    one, three = (one_tailed(values, COUNTS, jobs=jobs) for jobs in (1, 3))
    assert one.count.tolist() == three.count.tolist()
    assert one.required.tolist() == three.required.tolist()


def test_some_pairs_are_tested_as_among_all() -> None:
    some = (np.array([3, 0]), np.array([1, 5]))
    tests, every = one_tailed(scores(), COUNTS, pairs=some), one_tailed(scores(), COUNTS)
    places = [list(zip(every.first, every.second, strict=True)).index(pair) for pair in ((1, 3), (0, 5))]
    assert (tests.first.tolist(), tests.second.tolist()) == ([3, 0], [1, 5])
    assert tests.statistic.tolist() == [-every.statistic[places[0]], every.statistic[places[1]]]


def one_pair(z: list[float], samples: list[list[int]], alpha: float = 0.5) -> PairTests:
    """A system against one that scores 0; `samples` say how often each topic is drawn."""
    return one_tailed(np.array([z, [0.0] * len(z)]), np.array(samples, dtype=np.int32), (alpha,))


@pytest.mark.parametrize("scale", [1e-14, 1e-8, 0.1, 0.7, 1.0, 1e8, 1e14])
def test_a_sample_that_ties_with_the_observed_statistic_counts_whatever_the_scale(scale: float) -> None:
    # z - 1 is -1, -1, 2; (Σz)²/Σz² = 1, and the samples' are 3, 1 and -1.5
    tests = one_pair([0.0, 0.0, 3 * scale], [[0, 0, 3], [1, 0, 2], [3, 0, 0]])
    assert tests.count.tolist() == [2]
    assert tests.required[0].tolist() == [pytest.approx(scale)]


def test_a_constant_difference_at_any_scale_varies_in_no_sample() -> None:
    for scale in (1e-14, 1e-7, 1.0, 1e7, 1e14):
        tests = one_pair([0.1 * scale, (0.3 - 0.2) * scale, 0.1 * scale], [[1, 2, 0], [0, 0, 3], [3, 0, 0]])
        assert tests.count.tolist() == [0]
        assert (tests.critical[0].tolist(), tests.required[0].tolist()) == ([0.0], [0.0])


def test_a_statistic_near_0_is_reached_by_larger_ones_only() -> None:
    tests = one_pair([1 + 1e-5, -1 + 1e-5], [[2, 0], [1, 1], [0, 2]])
    assert tests.count.tolist() == [1]


def test_of_samples_with_equal_statistics_the_largest_difference_comes_first() -> None:
    # z - 3 is -3, 1, 2: drawing one topic only gives the same infinite t
    samples = [[0, 3, 0], [0, 0, 3], [3, 0, 0]]
    assert one_pair([0.0, 4.0, 5.0], samples, 1 / 3).required.tolist() == [[2.0]]
    assert one_pair([0.0, 4.0, 5.0], samples, 2 / 3).required.tolist() == [[1.0]]
