"""What the questions of replicates take, and the spread, ranks, swaps and stability of it."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from irassay.ask.ranks import pair_p_values, rank_bounds, share_first
from irassay.ask.spread import pair_spread, system_spread
from irassay.ask.stability import stability, stability_of
from irassay.ask.swap import swap, swap_of
from tests.helpers.replicates import replicates_of_topics

PAIRS = list(itertools.combinations(range(8), 2))


# the class


@pytest.mark.parametrize("number", [3, 10, 97, 240])
def test_batches_are_contiguous_slices_that_hold_every_replicate_once(number: int) -> None:
    replicates = replicates_of_topics(number)
    parts = [replicates.batch(k) for k in range(10)]
    assert np.array_equal(np.concatenate([part.means for part in parts], axis=1), replicates.means)
    assert np.array_equal(np.concatenate([part.changed for part in parts], axis=1), replicates.changed)
    sizes = [part.replicates for part in parts]
    assert max(sizes) - min(sizes) <= 1
    assert all(part.better is replicates.better and part.worse is replicates.worse for part in parts)
    assert replicates.batch(1, of=2).replicates == number - number // 2


@pytest.mark.parametrize("name", ["observed", "means", "verdicts", "better", "worse", "changed", "tested", "p_values"])
def test_an_array_of_another_shape_is_an_error_that_names_it(name: str) -> None:
    replicates = replicates_of_topics(20)
    with pytest.raises(ValueError, match="of topics is"):
        replace(replicates, **{name: getattr(replicates, name)[:1]})
    with pytest.raises(ValueError, match="topic_covariance"):
        replace(replicates, topic_covariance=np.zeros((2, 3, 3)))
    with pytest.raises(ValueError, match="kinds"):
        replace(replicates, kind="other")


def test_topics_are_recognised_alone_and_with_something_else() -> None:
    names = {"topics": True, "documents+topics": True, "judgments 50%": False, "subtopics": False}
    for name, expected in names.items():
        assert replicates_of_topics(20, variation=name).resamples_topics is expected


# spread


@pytest.mark.parametrize("measure", [0, 1])
@pytest.mark.parametrize("number", [30, 600])
def test_spread_of_systems_and_pairs_is_numpys_on_the_scale_of_the_variation(number: int, measure: int) -> None:
    replicates = replicates_of_topics(number, sd_scale=1.5)
    observed, means = replicates.observed[measure], replicates.means[measure]
    systems, pairs = system_spread(replicates, measure), pair_spread(replicates, measure)
    np.testing.assert_allclose(systems.mean, means.mean(axis=0), rtol=0, atol=1e-12)
    np.testing.assert_allclose(systems.sd, 1.5 * means.std(axis=0, ddof=1), rtol=0, atol=1e-12)
    quantiles = np.quantile(means, [0.025, 0.975], axis=0) if number >= 200 else np.full((2, 8), np.nan)
    np.testing.assert_array_equal([systems.low, systems.high], quantiles)
    for k, (x, y) in enumerate(PAIRS):
        d, star = observed[x] - observed[y], means[:, x] - means[:, y]
        assert pairs.difference[k] == d
        assert pairs.bias[k] == pytest.approx(star.mean() - d, abs=1e-12)
        # relative too: the difference of near-copies varies by 1e-8
        assert pairs.sd[k] == pytest.approx(1.5 * star.std(ddof=1), rel=1e-12, abs=1e-16)


def test_listed_scenarios_have_no_sds_and_unpaired_draws_none_of_differences() -> None:
    listed = replicates_of_topics(kind="scenario", random=False)
    assert np.isnan(system_spread(listed, 0).sd).all()
    assert np.isnan(pair_spread(listed, 0).sd).all()
    assert np.isfinite(pair_spread(listed, 0).bias).all()
    drawn = replicates_of_topics(kind="scenario", random=True)
    assert np.isfinite(pair_spread(drawn, 0).sd).all()
    assert np.isnan(system_spread(drawn, 0).low).all()
    unpaired = replicates_of_topics(kind="model", paired=False)
    assert np.isnan(pair_spread(unpaired, 0).sd).all()
    assert np.isfinite(system_spread(unpaired, 0).sd).all()


# ranks


def plain_bounds(p: np.ndarray, observed: np.ndarray, alpha: float = 0.05) -> tuple[list[int], list[int]]:
    """Holm's steps in words: from the smallest p on, reject until one is not below alpha / those left."""
    significant = set()
    for step, k in enumerate(np.argsort(p, kind="stable")):
        if p[k] >= alpha / (len(p) - step):
            break
        significant.add(PAIRS[k])
    low, high = [1] * 8, [8] * 8
    for x, y in significant:
        better, worse = (x, y) if observed[x] > observed[y] else (y, x)
        low[worse] += 1
        high[better] -= 1
    return low, high


@pytest.mark.parametrize("variation", ["topics", "documents+topics"])
def test_ranks_under_topics_are_those_that_the_corrected_t_tests_leave(variation: str) -> None:
    replicates = replicates_of_topics(30, variation=variation)
    bounds = rank_bounds(replicates, 0)
    expected = plain_bounds(replicates.p_values[0], replicates.observed[0])
    assert (bounds.low.tolist(), bounds.high.tolist()) == expected
    assert bounds.low.max() > 1


def test_ranks_under_other_variations_are_those_that_normal_tests_leave() -> None:
    replicates = replicates_of_topics(400, variation="documents")
    means, observed = replicates.means[0] * 0.3, replicates.observed[0]
    replicates = replace(replicates, means=np.stack([means, means]))
    expected = np.empty(len(PAIRS))
    for k, (x, y) in enumerate(PAIRS):
        d, sd = observed[x] - observed[y], replicates.sd_scale * (means[:, x] - means[:, y]).std(ddof=1)
        expected[k] = 1.0 if d == 0 else 2 * stats.norm.sf(abs(d) / sd)
    constant = PAIRS.index((2, 5))
    p = pair_p_values(replicates, 0)
    np.testing.assert_allclose(np.delete(p, constant), np.delete(expected, constant), rtol=1e-9, atol=1e-300)
    assert p[constant] == 0.0
    bounds = rank_bounds(replicates, 0)
    assert (bounds.low.tolist(), bounds.high.tolist()) == plain_bounds(p, observed)
    assert bounds.low.max() > 1


def test_without_any_spread_equal_systems_stay_equal_and_others_are_told_apart() -> None:
    replicates = replicates_of_topics(20, variation="ties", kind="model")
    replicates = replace(replicates, means=np.repeat(replicates.observed[:, None], 20, axis=1))
    p = pair_p_values(replicates, 0)
    assert p[PAIRS.index((0, 3))] == 1.0
    assert np.delete(p, PAIRS.index((0, 3))).tolist() == [0.0] * (len(PAIRS) - 1)
    bounds = rank_bounds(replicates, 0)
    assert bounds.high[0] - bounds.low[0] == 1.0
    assert (bounds.high - bounds.low).sum() == 2.0


def test_scenarios_unpaired_draws_and_measures_without_a_test_have_no_ranks() -> None:
    untested = replicates_of_topics(30)
    untested = replace(untested, p_values=np.full_like(untested.p_values, np.nan), tested=(False, False))
    for replicates in (
        untested,
        replicates_of_topics(30, kind="scenario"),
        replicates_of_topics(30, variation="simulation", kind="model", paired=False),
    ):
        assert np.isnan(rank_bounds(replicates, 0)).all()


def test_systems_tied_for_the_first_place_share_a_replicate() -> None:
    replicates = replicates_of_topics(3, systems=8)
    means = np.zeros((2, 3, 8))
    means[:, 0, 2] = 0.5
    means[:, 1, [2, 4]] = 0.3, 0.1 + 0.2
    means[:, 2, [1, 2, 4, 7]] = 0.7
    expected = [0, 0.25, 1 + 0.5 + 0.25, 0, 0.5 + 0.25, 0, 0, 0.25]
    np.testing.assert_allclose(share_first(replace(replicates, means=means), 0), np.array(expected) / 3, atol=1e-15)


# two sets, and one


def test_swap_and_stability_of_replicates_are_those_of_their_scores() -> None:
    first, second = replicates_of_topics(50), replicates_of_topics(50)
    second = replace(second, means=second.means[:, ::-1])
    expected = swap(first.means[1], second.means[1])
    assert swap_of(first, second, 1, jobs=2).swaps.tolist() == expected.swaps.tolist()
    rates = stability_of(first, 0).minority_rate
    assert rates.tolist() == stability(first.means[0]).minority_rate.tolist()
    with pytest.raises(ValueError, match="same variation"):
        swap_of(first, replace(second, variation="documents"), 0)
