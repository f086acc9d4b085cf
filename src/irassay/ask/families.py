"""Topics in families, such as rewordings of one need: tests of mean differences where only families are independent.

`family` is each topic's place among the families [topics]; `z` are differences [pairs, topics]. With families of one
topic each everything is Student's t.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Array
from irassay.ask.t_statistic import survival, upper_quantile
from irassay.tolerance import NO_SPREAD, TIE

LEAST_TO_RESAMPLE = 20  # families below which samples of whole families say too little

Places = NDArray[np.int64]
Bounds = tuple[Array, Array]


def cluster_error(z: Array, family: Places) -> Array:
    r"""The standard error of each row's mean by CR2 (bell2002bias), unbiased where topics do not depend on each other.

    $$V = \frac{1}{n^2}\sum_g \frac{(\sum_{t \in g} z_t - \bar z)^2}{1 - n_g/n}$$
    """
    sums, sizes = _sums(z, family)
    variance = _variance(sums, sizes)
    rounding = NO_SPREAD * (z * z).sum(axis=1) / z.shape[1]  # alone is no spread
    return np.sqrt(np.where(variance <= rounding, 0.0, variance))


def degrees_of_freedom(family: Places) -> float:
    r"""Satterthwaite's, with independent topics as the working model: families - 1 where all are of one size.

    $$\nu = (\mathrm{tr}\,M)^2/\mathrm{tr}\,M^2, \quad M_{gg} = n_g/n^2, \quad M_{gh} = -a_g a_h n_g n_h/n^3, \quad
    a_g = (1 - n_g/n)^{-1/2}$$
    """
    sizes = np.bincount(family).astype(np.float64)
    n = sizes.sum()
    weighted = sizes / np.sqrt(1 - sizes / n)
    matrix = np.outer(weighted, weighted) / n**3  # squared below, so without its sign
    np.fill_diagonal(matrix, sizes / n**2)
    return float(np.trace(matrix) ** 2 / (matrix * matrix).sum())


def cluster_t(z: Array, family: Places) -> Array:
    """Two-sided p-values of the cluster-robust t test."""
    mean, error = z.mean(axis=1), cluster_error(z, family)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(mean * mean <= NO_SPREAD * (z * z).mean(axis=1), 0.0, np.abs(mean) / error)
    return np.asarray(2.0 * survival(t, degrees_of_freedom(family)))


def cluster_interval(z: Array, family: Places, level: float) -> Bounds:
    """mean ± t·(CR2 standard error)."""
    mean = z.mean(axis=1)
    half = upper_quantile(level / 2, degrees_of_freedom(family)) * cluster_error(z, family)
    return mean - half, mean + half


def wild_cluster(z: Array, family: Places, chunks: Iterable[NDArray[np.int16]], *, exact: bool) -> Array:
    """p-values of the wild cluster bootstrap under H0 (cameron2008bootstrap): one random sign for each family.

    `chunks` are signs [replicates, families], the same for all pairs; `exact` says that they are all patterns.
    """
    sums, sizes = _sums(z, family)
    observed = _square_t(sums, sizes)
    hits, done = np.zeros(len(z), dtype=np.int64), 0
    for signs in chunks:
        for pair, row in enumerate(sums):
            hits[pair] += int((_square_t(signs * row, sizes) >= observed[pair] * (1 - TIE)).sum())
        done += len(signs)
    return hits / done if exact else (hits + 1) / (done + 1)


def _sums(z: Array, family: Places) -> tuple[Array, Array]:
    """Sums of each family's differences [pairs, families], and the sizes of families."""
    sizes = np.bincount(family).astype(np.float64)
    return z @ np.eye(len(sizes))[family], sizes


def _variance(sums: Array, sizes: Array) -> Array:
    n = sizes.sum()
    own = sums - sums.sum(axis=1, keepdims=True) * (sizes / n)
    return np.asarray((own * own) @ (1 / (1 - sizes / n)) / n**2)


def _square_t(sums: Array, sizes: Array) -> Array:
    """t² from sums of families [rows, families]; all sums 0: 0."""
    mean = sums.sum(axis=1) / sizes.sum()
    variance = _variance(sums, sizes)
    least = NO_SPREAD * (sums * sums).sum(axis=1) / sizes.sum() ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        square = mean * mean / np.where(variance <= least, 0.0, variance)
    return np.where(mean * mean <= least, 0.0, square)
