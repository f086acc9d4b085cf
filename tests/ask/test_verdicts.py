"""Verdicts of the paired t-test on replicates: against plain differences and scipy, on any number of threads."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irassay.ask.rejection import pair_statistics
from irassay.ask.verdicts import count_verdicts, t_test_p_values, verdicts
from irassay.errors import InputError
from tests.helpers.replicates import topic_samples, topic_scores

Floats = NDArray[np.float64]


def plain_verdict(z: Floats, alpha: float = 0.05) -> int:
    """Of differences that are written out as often as they count."""
    if not z.any():
        return 0
    spread = z.std(ddof=1)
    if spread <= 1e-12 * abs(z.mean()):
        return int(np.sign(z.mean()))
    t = z.mean() / (spread / np.sqrt(len(z)))
    return int(np.sign(t)) if abs(t) > stats.t.ppf(1 - alpha / 2, len(z) - 1) else 0


def plain_verdicts(values: Floats, alpha: float = 0.05) -> list[int]:
    pairs = itertools.combinations(range(values.shape[1]), 2)
    return [plain_verdict(values[:, x] - values[:, y], alpha) for x, y in pairs]


def sampled(values: Floats, weights: NDArray[np.int32] | None, b: int) -> Floats:
    scores = values[:, b if values.shape[1] > 1 else 0]
    return scores if weights is None else np.repeat(scores, weights[b], axis=0)


def cases() -> dict[str, tuple[Floats, NDArray[np.int32] | None]]:
    base = topic_scores(11)
    changed = np.stack([topic_scores(11, seed=seed) for seed in range(70)], axis=1)
    weights = topic_samples(70, 11)
    return {"samples of topics": (base[:, None], weights), "scores": (changed, None), "both": (changed, weights)}


@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("name", cases())
def test_counts_of_verdicts_are_those_of_the_differences_written_out(name: str, alpha: float) -> None:
    values, weights = cases()[name]
    observed = np.array(plain_verdicts(topic_scores(11), alpha), dtype=np.int8)
    expected = np.array([plain_verdicts(sampled(values, weights, b), alpha) for b in range(70)])
    better, worse, changed = count_verdicts(values, weights, observed, alpha)
    assert better.tolist() == (expected == 1).sum(axis=0).tolist()
    assert worse.tolist() == (expected == -1).sum(axis=0).tolist()
    lost = ((observed != 0) & (expected == 0)).sum(axis=1)
    gained = ((observed == 0) & (expected != 0)).sum(axis=1)
    opposite = (observed * expected < 0).sum(axis=1)
    assert changed.tolist() == np.stack([lost, gained, opposite], axis=1).tolist()
    assert min(better.sum(), worse.sum(), lost.sum(), gained.sum()) > 0


def test_two_replicates_have_scores_of_their_own() -> None:
    values = np.stack([topic_scores(11), -topic_scores(11)], axis=1)
    better, worse, _ = count_verdicts(values, None, verdicts(values[:, 0]))
    assert better.tolist() == worse.tolist() == np.abs(plain_verdicts(values[:, 0])).tolist()
    assert better.any()


def test_verdicts_that_point_the_other_way_are_counted_as_opposite() -> None:
    values = topic_scores(20)
    signs = verdicts(values)
    _, _, changed = count_verdicts(-values[:, None], None, signs)
    assert changed.tolist() == [[0, 0, np.count_nonzero(signs)]]


@pytest.mark.parametrize("name", cases())
def test_counts_do_not_depend_on_the_number_of_threads_or_on_how_replicates_are_grouped(name: str) -> None:
    values, weights = cases()[name]
    observed = verdicts(values[:, 0])
    one = count_verdicts(values, weights, observed)
    for jobs in (2, 5):
        for a, b in zip(one, count_verdicts(values, weights, observed, jobs=jobs), strict=True):
            assert a.tobytes() == b.tobytes()
    parts = []
    for here in (slice(23), slice(23, None)):
        own = values[:, here] if values.shape[1] > 1 else values
        parts.append(count_verdicts(own, None if weights is None else weights[here], observed))
    assert np.array_equal(parts[0][0] + parts[1][0], one[0])
    assert np.array_equal(np.concatenate([part[2] for part in parts]), one[2])


def test_p_values_and_verdicts_agree_with_scipy() -> None:
    values = np.random.default_rng(3).random((25, 9))
    x, y = np.triu_indices(9, 1)
    expected = stats.ttest_rel(values[:, x], values[:, y])
    np.testing.assert_allclose(t_test_p_values(values), expected.pvalue, rtol=1e-12)
    assert verdicts(values, 0.3).tolist() == np.where(expected.pvalue < 0.3, np.sign(expected.statistic), 0).tolist()
    assert len(set(verdicts(values, 0.3).tolist())) == 3


def test_equal_scores_have_no_verdict_and_a_constant_difference_always_one() -> None:
    values = topic_scores()
    x, y = np.triu_indices(8, 1)
    pair = {(int(a), int(b)): k for k, (a, b) in enumerate(zip(x, y, strict=True))}
    p, signs = t_test_p_values(values), verdicts(values)
    assert (p[pair[0, 3]], signs[pair[0, 3]]) == (1.0, 0)
    assert (p[pair[2, 5]], signs[pair[2, 5]]) == (0.0, 1)
    better, worse, _ = count_verdicts(values[:, None], topic_samples(50, 12), signs)
    assert (better[pair[0, 3]], worse[pair[0, 3]], better[pair[2, 5]]) == (0, 0, 50)


def test_one_system_has_no_pairs() -> None:
    values = topic_scores()[:, :1]
    assert t_test_p_values(values).tolist() == verdicts(values).tolist() == []


def test_near_copies_keep_their_digits_far_from_0() -> None:
    """Differences of 1e-9 beside scores of 1: products of the scores would leave nothing of them."""
    random = np.random.default_rng(5)
    x = 1.0 + random.random(30)
    values = np.stack([x, x + 1e-9 * (random.random(30) - 0.2)], axis=1)
    p = stats.ttest_rel(*values.T).pvalue
    assert p < 0.05
    assert verdicts(values).tolist() == [-1]
    assert t_test_p_values(values) == pytest.approx(p, rel=1e-12)


def test_verdicts_are_the_rejections_of_the_variance_study() -> None:
    scores = np.random.default_rng(6).random((40, 13, 10))  # [replicate, topic, system]
    better, worse, _ = count_verdicts(scores.transpose(1, 0, 2), None, verdicts(scores[0]), 0.1)
    assert (better + worse).tolist() == pair_statistics(scores, 0.1).rejected.tolist()


def test_replicates_may_have_different_numbers_of_topics() -> None:
    values = topic_scores(10)
    weights = np.ones((2, 10), dtype=np.int32)
    weights[1, 6:] = 0
    better, worse, _ = count_verdicts(values[:, None], weights, verdicts(values))
    expected = np.array([plain_verdicts(values), plain_verdicts(values[:6])])
    assert (better - worse).tolist() == expected.sum(axis=0).tolist()


def test_arrays_of_other_shapes_missing_scores_and_one_topic_are_errors() -> None:
    values = topic_scores()[:, None]
    observed = verdicts(values[:, 0])
    with pytest.raises(ValueError, match="samples of topics"):
        count_verdicts(values, np.ones((3, 5), dtype=np.int32), observed)
    with pytest.raises(ValueError, match="each pair"):
        count_verdicts(values, None, observed[1:])
    with pytest.raises(InputError, match="finite"):
        verdicts(np.full((5, 3), np.nan))
    with pytest.raises(InputError, match="one topic"):
        verdicts(values[:1, 0])
    with pytest.raises(InputError, match="one topic"):
        t_test_p_values(values[:1, 0])
