"""How far a mean could be off: intervals of the means of rows, by Student's t or by samples of the topics.

A row is one system's scores or one pair's differences [rows, topics]; `level` is the error that an interval may have.
Bounds are inclusive. A row that does not vary has its mean as both bounds. `ask.methods` lists the intervals by name.
"""

import math
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from irassay.ask._paired import LANES
from irassay.ask.corrections import critical_rank
from irassay.ask.pairs import Array, Pairs
from irassay.ask.significance import paired, sums_of_samples
from irassay.ask.t_statistic import moments
from irassay.compute.threads import parallel_for
from irassay.errors import InputError
from irassay.tolerance import floor

Bounds = tuple[Array, Array]


def student_interval(z: Array, level: float) -> Bounds:
    """mean ± t·sd/√n."""
    n = z.shape[-1]
    mean, sd, _ = moments(z)
    half = stats.t.isf(level / 2, n - 1) * sd / math.sqrt(n)
    return mean - half, mean + half


def bootstrap_t_interval(
    scores: Array, counts: NDArray[np.int32], pairs: Pairs, level: float, *, jobs: int = 1
) -> Bounds:
    """mean ± |t*|·sd/√n with the sample's |t*| at the rank where p = (count+1)/(B+1) passes `level`.

    On the same samples it leaves out 0 exactly when the paired bootstrap test has p < level. Symmetric, after
    hall1988symmetric.
    """
    check_samples(level, len(counts), "bootstrap-t")
    tests = paired(scores, counts, ranks=(critical_rank(level, len(counts)),), pairs=pairs, jobs=jobs)
    first, second = pairs
    spread = moments(scores[first] - scores[second]).sd / math.sqrt(scores.shape[1])
    critical = tests.critical[:, 0]
    with np.errstate(invalid="ignore"):
        half = np.where(spread == 0.0, 0.0, critical * spread)
    # a tie with the observed statistic ends at 0, whatever rounding makes of the product
    half = np.where(critical == np.abs(tests.statistic), np.abs(tests.difference), half)
    return tests.difference - half, tests.difference + half


def resampled_interval(
    scores: Array, counts: NDArray[np.int32], pairs: Pairs, level: float, method: str, *, jobs: int = 1
) -> Bounds:
    """`percentile` or `bca` (efron1987better) of the pairs' mean differences over samples of the topics.

    The samples are ours, the interval is scipy's. LANES pairs at a time: nothing of the size samples x pairs is stored.
    """
    check_samples(level / 2, len(counts), method)
    first, second = pairs
    sums, _ = sums_of_samples(np.ascontiguousarray(scores.T), counts)
    low, high = np.empty((2, len(first)))

    def tile(begin: int) -> None:
        part = slice(begin, begin + LANES)
        z = scores[first[part]] - scores[second[part]]
        mean, sd, _ = moments(z)
        low[part], high[part] = mean, mean
        varies = np.flatnonzero(sd > 0)
        if len(varies) == 0:
            return
        x, y = first[part][varies], second[part][varies]
        means = SimpleNamespace(
            bootstrap_distribution=np.ascontiguousarray((sums[:, x] - sums[:, y]).T) / scores.shape[1]
        )
        # nothing else of the result is kept: its arrays are large
        bounds = stats.bootstrap(
            (z[varies],),
            np.mean,
            n_resamples=0,
            bootstrap_result=means,
            axis=-1,
            vectorized=True,
            confidence_level=1 - level,
            method="BCa" if method == "bca" else method,
        ).confidence_interval
        low[part][varies], high[part][varies] = bounds

    parallel_for(tile, range(0, len(first), LANES), jobs)
    return low, high


def check_samples(level: float, samples: int, method: str) -> None:
    """An error that names the samples needed where fewer than one lies beyond the bound."""
    if critical_rank(level, samples) < 1:
        raise InputError(
            f"{samples} resamples have no {method} interval at such a level ({level:.2g} on each side)"
            if method != "bootstrap-t"
            else f"{samples} resamples have no bootstrap-t interval at level {level:.2g}",
            hint=f"use --resamples {floor(1 / level)} or more, --interval t, or fewer systems",
        )
