"""How far a mean could be off: intervals of the means of rows, by Student's t or by samples of the topics.

A row is one system's scores or one pair's differences [rows, topics]; `level` is the error that an interval may have.
Bounds are inclusive. A row that does not vary has its mean as both bounds. `ask.methods` lists the intervals by name.
"""

import math

import numpy as np
from scipy.special import ndtr, ndtri

from irassay.ask.constants import LANES
from irassay.ask.corrections import critical_rank
from irassay.ask.pairs import Array, Pairs
from irassay.ask.significance import paired
from irassay.ask.t_statistic import moments, upper_quantile
from irassay.compute.draws import Samples
from irassay.compute.threads import parallel_for
from irassay.errors import InputError
from irassay.tolerance import TIE, floor

Bounds = tuple[Array, Array]


def student_interval(z: Array, level: float) -> Bounds:
    """mean ± t·sd/√n."""
    n = z.shape[-1]
    mean, sd, _ = moments(z)
    half = upper_quantile(level / 2, n - 1) * sd / math.sqrt(n)
    return mean - half, mean + half


def bootstrap_t_interval(scores: Array, counts: Samples, pairs: Pairs, level: float, *, jobs: int = 1) -> Bounds:
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
        half = critical * spread
    # a tie with the observed statistic ends at 0, whatever rounding or infinity makes of the product
    half = np.where(critical == np.abs(tests.statistic), np.abs(tests.difference), half)
    return tests.difference - half, tests.difference + half


def resampled_interval(scores: Array, sums: Array, pairs: Pairs, level: float, method: str, *, jobs: int = 1) -> Bounds:
    """`percentile` or `bca` (efron1987better) of the pairs' mean differences over samples of the topics.

    `sums` are those of every system over every sample [samples, systems]. LANES pairs at a time: nothing of the size
    samples x pairs is stored.
    """
    check_samples(level / 2, len(sums), method)
    first, second = pairs
    low, high = np.empty((2, len(first)))

    def tile(begin: int) -> None:
        part = slice(begin, begin + LANES)
        x, y = first[part], second[part]
        z = scores[x] - scores[y]
        mean, sd, _ = moments(z)
        sampled = np.ascontiguousarray((sums[:, x] - sums[:, y]).T)
        tail = np.full(len(z), level / 2)
        tails = tail, 1 - tail
        if method == "bca":
            size = (np.abs(scores[x]) + np.abs(scores[y])).sum(axis=1)
            tails = bca_tails(z, sampled, TIE / 2 * size, level)
        sampled.sort(axis=1)
        for bound, share in zip((low, high), tails, strict=True):
            bound[part] = np.where(sd > 0, _quantiles(sampled, share) / z.shape[1], mean)

    parallel_for(tile, range(0, len(first), LANES), jobs, "intervals")
    return low, high


def bca_tails(z: Array, sampled: Array, tolerance: Array, level: float) -> Bounds:
    r"""The shares of samples below the two bounds, bias-corrected and accelerated (efron1987better, 6.6 and 3.5).

    $$\Phi\Big(z_0 + \frac{z_0 + z_\alpha}{1 - a(z_0 + z_\alpha)}\Big),\quad z_0 = \Phi^{-1}\frac{\#\{S^*<S\} +
    \frac12\#\{S^*=S\}}{B},\quad a = \frac{\sum w^3}{6(\sum w^2)^{3/2}}$$
    S are sums of differences [rows], S* those of samples [rows, samples], w centred differences. Sums within their
    `tolerance` are equal: with scores in tenths many are, and rounding must not decide on which side they fall.
    """
    observed = z.sum(axis=1)
    below = (sampled < (observed - tolerance)[:, None]).sum(axis=1)
    above = (sampled > (observed + tolerance)[:, None]).sum(axis=1)
    w = z - z.mean(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):  # of rows that do not vary nothing is used
        a = (w**3).sum(axis=1) / (6 * (w * w).sum(axis=1) ** 1.5)
        z0 = ndtri((sampled.shape[1] + below - above) / (2 * sampled.shape[1]))
        low, high = (z0 + (z0 + q) / (1 - a * (z0 + q)) for q in (ndtri(level / 2), -ndtri(level / 2)))
    return np.asarray(ndtr(low)), np.asarray(ndtr(high))


def _quantiles(ordered: Array, share: Array) -> Array:
    """Each row's own quantile, as numpy's linear percentiles."""
    place = np.nan_to_num(share) * (ordered.shape[1] - 1)
    below = np.minimum(place.astype(np.int64), ordered.shape[1] - 2)
    left, right = (np.take_along_axis(ordered, at[:, None], axis=1)[:, 0] for at in (below, below + 1))
    return np.asarray(left + (right - left) * (place - below))


def check_samples(level: float, samples: int, method: str) -> None:
    """An error that names the samples needed where fewer than one lies beyond the bound."""
    if critical_rank(level, samples) < 1:
        raise InputError(
            f"{samples} resamples have no {method} interval at such a level ({level:.2g} on each side)"
            if method != "bootstrap-t"
            else f"{samples} resamples have no bootstrap-t interval at level {level:.2g}",
            hint=f"use --resamples {floor(1 / level)} or more, --interval t, or fewer systems",
        )
