"""Where a system could rank: its average rank in each replicate, counted, and the ranks that tests do not exclude."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.ask._counting import count_levels
from irassay.ask.agreement import levels
from irassay.ask.corrections import holm
from irassay.ask.letters import firsts, ranks_not_excluded
from irassay.ask.pairs import all_pairs
from irassay.ask.replicates import Replicates
from irassay.ask.spread import PairSpread, counted_quantiles, pair_spread
from irassay.ask.verdicts import ALPHA
from irassay.tolerance import EQUAL

Array = NDArray[np.float64]


class RankBounds(NamedTuple):
    """The best and the worst rank of each system that is not excluded; nan where nothing can be tested."""

    low: Array
    high: Array


def count_ranks(scores: Array) -> NDArray[np.int64]:
    """Replicates [systems, 2 systems - 1] in which each system's rank is 1, 1.5, 2, ...; scores [replicates, systems].

    Equal scores share the mean of their ranks, and the best has rank 1. Counts of parts can be added.
    """
    systems = scores.shape[1]
    counts = np.zeros((systems, 2 * systems - 1), dtype=np.int64)
    count_levels(levels(scores), np.empty(systems + 1, dtype=np.int64), counts)
    return counts


def ranks(scores: Array) -> Array:
    """Average ranks of one set of scores [systems]."""
    return np.asarray(1.0 + count_ranks(scores[None]).argmax(axis=1) / 2.0)


def rank_quantiles(counts: NDArray[np.int64], at: tuple[float, ...]) -> Array:
    """Quantiles of the ranks of each system [quantiles, systems]."""
    return 1.0 + counted_quantiles(counts, at) / 2.0


def rank_bounds(
    replicates: Replicates, measure: int, *, spread: PairSpread | None = None, alpha: float = ALPHA
) -> RankBounds:
    """Ranks that tests of all pairs, corrected by Holm, do not exclude: 1 + systems better, S - systems worse.

    They hold for all systems at once; percentiles of the ranks in replicates would be no confidence interval. `spread`
    saves computing that of the pairs again.
    """
    systems = len(replicates.systems)
    p = pair_p_values(replicates, measure, spread)
    if np.isnan(p).any():
        return RankBounds(*np.full((2, systems), np.nan))
    x, y = all_pairs(systems)
    different = np.zeros((systems, systems), dtype=np.bool_)
    different[x, y] = different[y, x] = holm(p) < alpha
    low, high = ranks_not_excluded(replicates.observed[measure], different)
    return RankBounds(low.astype(np.float64), high.astype(np.float64))


def pair_p_values(replicates: Replicates, measure: int, spread: PairSpread | None = None) -> Array:
    r"""Two-sided p-values of all pairs: is the observed difference more than the variation explains?

    Where topics vary, alone or with something else, those of the paired t-test on the observed topics. Else normal,
    $|\Delta| / sd(\Delta^*)$. nan for scenarios, and where systems do not share the draws.
    """
    if replicates.kind == "scenario" or not replicates.paired:
        return np.full(replicates.p_values.shape[1], np.nan)
    if replicates.resamples_topics:
        return np.asarray(replicates.p_values[measure])
    from scipy.special import ndtr

    spread = spread or pair_spread(replicates, measure)
    size = np.abs(spread.difference)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2.0 * ndtr(-size / spread.sd)
    # equal scores may differ by rounding, which an sd of rounding would make significant
    return np.where((size <= EQUAL) & ~np.isnan(spread.sd), 1.0, p)


def share_first(replicates: Replicates, measure: int) -> Array:
    """The share of replicates in which each system is first; systems tied for it share a replicate equally."""
    return firsts(replicates.means[measure]) / replicates.replicates
