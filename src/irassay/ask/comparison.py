"""Are two systems different: tests of pairs on the same topics, as functions of differences or scores.

`z` are per-topic differences [pairs, topics], x - y. Resampling p-values are (count+1)/(B+1). `ask.methods` lists the
tests by name. Where all differences are 0, p = 1.
"""

import math
import threading
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.constants import LANES
from irassay.ask.corrections import critical_rank
from irassay.ask.pairs import Array, Pairs
from irassay.ask.significance import paired
from irassay.ask.t_statistic import moments, survival
from irassay.ask.ties import EXACT
from irassay.compute.draws import TILE, Samples
from irassay.compute.threads import parallel_for
from irassay.tolerance import EQUAL, NO_SPREAD, TIE

PATTERNS = 256  # sign patterns gone through together
FLIPS = 64  # replicates of a part where pairs are few


def student(z: Array) -> Array:
    """Two-sided p-values of Student's paired t test."""
    return np.asarray(2.0 * survival(np.abs(moments(z).t), z.shape[-1] - 1))


def equivalence(z: Array, margin: float) -> Array:
    """p-values of two one-sided t tests (schuirmann1987comparison): small where the difference lies within ± margin.

    A constant difference within 1e-10 of the margin has reached it.
    """
    n = z.shape[-1]
    mean, sd, _ = moments(z)
    distance = margin - np.abs(mean)  # to the nearer bound, which has the larger p-value
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(sd == 0.0, np.where(distance > EQUAL, np.inf, -np.inf), distance * math.sqrt(n) / sd)
    return np.asarray(survival(t, n - 1))


def outcomes(z: Array) -> NDArray[np.int64]:
    """Topics won, lost and tied by x [pairs, 3]; scores within 1e-10 are equal."""
    won, lost = (z > EQUAL).sum(axis=-1), (z < -EQUAL).sum(axis=-1)
    return np.stack([won, lost, z.shape[-1] - won - lost], axis=-1)


def sign(z: Array) -> Array:
    """Two-sided p-values of the sign test: topics won against topics lost, ties left out."""
    won, lost, _ = outcomes(z).T
    from scipy import stats

    return np.asarray(np.minimum(1.0, 2.0 * stats.binom.cdf(np.minimum(won, lost), won + lost, 0.5)))


def wilcoxon(z: Array) -> Array:
    """Two-sided p-values of Wilcoxon's signed ranks, zeros left out, by scipy's rule for each pair.

    Exact up to 50 topics without ties or zeros, and up to 13 with them (all patterns of signs, which scipy would take
    seconds for), else by the normal distribution. Doubles blur ties, so differences are rounded to 1e-10 first.
    """
    from scipy import stats

    n = z.shape[1]
    rounded = np.round(z, 10)
    ordered = np.sort(np.abs(rounded), axis=1)
    plain = (ordered[:, 0] > 0) & (np.diff(ordered, axis=1) > 0).all(axis=1)
    p = np.ones(len(z))
    exact = plain & (n <= 50)
    rest = (rounded != 0).any(axis=1) & ~exact
    if exact.any():
        p[exact] = stats.wilcoxon(rounded[exact], axis=1, method="exact").pvalue
    if rest.any() and n > EXACT:
        p[rest] = stats.wilcoxon(rounded[rest], axis=1, method="asymptotic").pvalue
    elif rest.any():
        from irassay.ask._permutations import patterns

        p[rest] = randomization(_signed_ranks(rounded[rest]), patterns(n, PATTERNS), exact=True)
    return p


def _signed_ranks(z: Array) -> Array:
    """Average ranks of the sizes with the signs of the differences; zeros have none."""
    from scipy import stats

    ranks = stats.rankdata(np.abs(z), axis=1) - (z == 0).sum(axis=1, keepdims=True)
    return np.asarray(np.sign(z) * ranks)


def randomization(z: Array, chunks: Iterable[NDArray[np.int16]], *, exact: bool, jobs: int = 1) -> Array:
    """p-values of Fisher's randomisation test of the mean: how often flipped signs give a sum as far from 0.

    The sum of squares does not depend on the signs, so |mean| and |t| decide alike. `chunks` are signs [replicates,
    topics], the same for all pairs; `exact` says that they are all patterns, the observed one among them.
    """
    hits, done = np.zeros(len(z), dtype=np.int64), 0
    for signs in chunks:
        add_flips(z, signs, hits, jobs)
        done += len(signs)
    return hits / done if exact else (hits + 1) / (done + 1)


def add_flips(z: Array, signs: NDArray[np.int16], hits: NDArray[np.int64], jobs: int) -> None:
    """Adds to the `hits` of each pair the sign patterns whose sum is at least as far from 0 as the observed one."""
    from irassay.ask._permutations import count_flips

    total, size = z.sum(axis=1), np.abs(z).sum(axis=1)
    # a sum that only doubles keep from 0 is reached by all
    bound = np.where(np.abs(total) <= NO_SPREAD * size, 0.0, total * total * (1 - TIE))
    rows, lock = np.ascontiguousarray(z), threading.Lock()
    # with few pairs threads share the replicates
    replicates = len(signs) if len(z) > LANES else FLIPS

    def part(low: int, begin: int) -> None:
        here = slice(low, low + LANES)
        counts = np.zeros(len(rows[here]), dtype=np.int64)
        scratch = np.zeros(TILE), np.empty((len(counts), TILE[1]))
        count_flips(rows[here], bound[here], signs[begin : begin + replicates], *scratch, counts)
        with lock:
            hits[here] += counts

    parts = [(low, begin) for low in range(0, len(z), LANES) for begin in range(0, len(signs), replicates)]
    parallel_for(lambda both: part(*both), parts, jobs, "sign flips")


def bootstrap(scores: Array, counts: Samples, pairs: Pairs, *, jobs: int = 1) -> Array:
    """p-values of the studentised paired bootstrap, on samples of the topics that all pairs share."""
    tests = paired(scores, counts, ranks=(1,), pairs=pairs, jobs=jobs)
    return (tests.count + 1) / (tests.samples + 1)


def tukey(difference: Array, ranges: Array) -> Array:
    """p-values of the randomised Tukey test: how often the range of all means under H0 reaches a difference.

    H0: all systems are equal, so that within a topic any score could be any system's (carterette2012multiple). The
    p-values hold for all pairs at once.
    """
    below = np.searchsorted(np.sort(ranges), np.abs(difference) * (1 - TIE / 2), side="left")
    return np.asarray((len(ranges) - below + 1) / (len(ranges) + 1))


def tukey_interval(difference: Array, ranges: Array, level: float) -> tuple[Array, Array]:
    """Difference ± the range that the randomised Tukey test takes for significant; all intervals hold at once."""
    half = np.sort(ranges)[::-1][critical_rank(level, len(ranges)) - 1]
    # a tie counts as reached, so its interval ends at 0
    half = np.where(np.isclose(half, np.abs(difference), rtol=EQUAL, atol=0.0), np.abs(difference), half)
    return difference - half, difference + half


def residual_variance(scores: Array) -> float:
    r"""The two-way residual variance of scores [systems, topics], what neither system nor topic explains.

    $$V_{E2} = \frac{\sum_{ij}(x_{ij}-\bar x_{i\cdot}-\bar x_{\cdot j}+\bar x)^2}{(m-1)(n-1)}$$
    """
    m, n = scores.shape
    rest = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
    return float((rest * rest).sum() / ((m - 1) * (n - 1)))


def effect(z: Array, spread: Any = None) -> Array:
    """Mean difference over `spread`, by default the standard deviation of the differences; 0/0 is undefined."""
    mean, sd, _ = moments(z)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(mean / (sd if spread is None else spread))
