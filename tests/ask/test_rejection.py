"""Rejections over replicates (yang2018variance, Algorithms 3 and 4), against scipy and sorted lists."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irassay.ask.rejection import PairStatistics, Rejections, largest, pair_statistics, significant_share
from irassay.ask.significance import rank_of

Array = NDArray[np.float64]


def scores(replicates: int = 40, topics: int = 9, systems: int = 5, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    return rng.random((replicates, topics, systems)) + np.linspace(0, 0.5, systems)


def part(piece: PairStatistics, here: slice, rejected: NDArray[np.int64]) -> PairStatistics:
    return PairStatistics(
        np.ascontiguousarray(piece.statistic[:, here]), np.ascontiguousarray(piece.difference[:, here]), rejected
    )


def test_statistics_rise_with_t_and_rejections_are_scipys() -> None:
    values = scores()
    piece = pair_statistics(values, 0.1, jobs=2)
    for p, (x, y) in enumerate(itertools.combinations(range(5), 2)):
        z = values[:, :, x] - values[:, :, y]
        assert piece.statistic[p] == pytest.approx(z.sum(axis=1) ** 2 / (z * z).sum(axis=1))
        assert piece.difference[p] == pytest.approx(np.abs(z.mean(axis=1)))
        assert piece.rejected[p] == (stats.ttest_1samp(z, 0.0, axis=1).pvalue < 0.1).sum()
    assert 0 < piece.rejected.min() < 20 < piece.rejected.max()


@pytest.mark.parametrize(("systems", "alpha"), [(5, 0.1), (2, 0.3), (47, 0.1)])
def test_the_kth_largest_statistic_of_each_pair_has_the_difference(systems: int, alpha: float) -> None:
    # 47 systems are 1,081 pairs, more than a thread takes at a time
    piece = pair_statistics(scores(20, 4, systems), alpha)
    k, nothing = rank_of(alpha, 20), np.zeros_like(piece.rejected)
    first, second = part(piece, slice(0, 7), piece.rejected), part(piece, slice(7, 20), nothing)
    begun = Rejections(systems, 20, alpha)
    begun.add(first)
    kept = Rejections(systems, 20, alpha, begun.state, 7)
    kept.add(largest(second, systems, 20, alpha), jobs=2)
    result = Rejections(systems, 20, alpha, kept.state, 20).result()
    order = np.lexsort((piece.difference, piece.statistic))[:, -k]
    expected = np.take_along_axis(piece.difference, order[:, None], axis=1)[:, 0]
    assert result.required.tolist() == expected.tolist()
    assert result.estimated_difference == expected.max()
    assert result.rate.tolist() == (piece.rejected / 20).tolist()
    assert result.mean_rejection_rate == pytest.approx(piece.rejected.mean() / 20)
    assert list(zip(result.first, result.second, strict=True)) == list(itertools.combinations(range(systems), 2))


def test_of_a_piece_the_largest_are_enough() -> None:
    piece = pair_statistics(scores(), 0.1)
    few = part(piece, slice(0, 4), piece.rejected)
    assert largest(few, 5, 40, 0.1) is few  # as many as are kept
    less = largest(piece, 5, 40, 0.1)
    assert less.statistic.shape == less.difference.shape == (10, 4)
    assert np.sort(less.statistic, axis=1).tolist() == np.sort(piece.statistic, axis=1)[:, -4:].tolist()
    assert less.rejected.tolist() == piece.rejected.tolist()


def test_shares_of_pairs_are_of_rates_below_alpha_and_above_1_less_alpha() -> None:
    rejected = np.array([0, 1, 2, 18, 19, 20])
    nothing = np.zeros((6, 20))
    for alpha, share in ((0.05, 1 / 6), (0.1, 2 / 6), (0.11, 3 / 6)):
        kept = Rejections(4, 20, alpha)
        kept.add(PairStatistics(nothing, nothing, rejected))
        result = kept.result()
        assert result.rate.tolist() == [0.0, 0.05, 0.1, 0.9, 0.95, 1.0]
        assert result.share_asl_below_alpha == result.share_nearly_always_rejected == pytest.approx(share)
        assert result.mean_rejection_rate == pytest.approx(0.5)


def test_a_result_needs_all_replicates() -> None:
    kept = Rejections(5, 40, 0.1)
    kept.add(pair_statistics(scores()[:39], 0.1))
    with pytest.raises(ValueError, match="39 replicates came, and 40 were announced"):
        kept.result()


def test_the_significant_share_is_of_pairs_on_the_scores_themselves() -> None:
    values = scores(1)[0].T
    p = [stats.ttest_rel(values[x], values[y]).pvalue for x, y in itertools.combinations(range(5), 2)]
    assert 0 < significant_share(values, 0.1) == np.mean(np.array(p) < 0.1) < 1
