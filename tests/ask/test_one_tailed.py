"""The one-tailed paired bootstrap test, against the two-tailed one and the definition in plain NumPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irassay.ask.one_tailed import one_tailed
from irassay.ask.significance import paired, rank_of
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
