"""Chances of a yes from numbers, by logistic regression; how good they are; and how far they go together in groups."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from irassay.ask.pairs import Array

STEPS, CLOSE = 60, 1e-10  # of Newton's method
RIDGE = 1e-6  # against columns that separate yes and no, whose coefficients would have no end
NODES = 24  # of Gauss and Hermite's quadrature
LARGEST = 2.0  # deviation of log odds: moments of few rows, or of chances near 0 and 1, can be anything


class Fit(NamedTuple):
    """Coefficients, the constant first, of columns less their means and over their deviations."""

    coefficients: Array
    mean: Array
    scale: Array

    def linear(self, columns: Array) -> Array:
        """Log odds of rows [rows, columns]."""
        return np.asarray((columns - self.mean) / self.scale @ self.coefficients[1:] + self.coefficients[0])

    def chance(self, columns: Array) -> Array:
        return np.asarray(expit(self.linear(columns)))

    @property
    def raw(self) -> Array:
        """The coefficients of the columns as they are, the constant first."""
        slopes = self.coefficients[1:] / self.scale
        return np.concatenate([[self.coefficients[0] - slopes @ self.mean], slopes])


def fit(columns: Array, yes: NDArray[np.bool_]) -> Fit:
    """The largest likelihood, by Newton's method with halved steps; a constant column has no coefficient."""
    mean, scale = columns.mean(axis=0), columns.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    design = np.column_stack([np.ones(len(columns)), (columns - mean) / scale])
    penalty = RIDGE * len(columns) * np.array([0.0] + [1.0] * columns.shape[1])
    beta = np.zeros(design.shape[1])
    share = (yes.sum() + 0.5) / (len(yes) + 1.0)
    beta[0] = logit(share)

    def loss(b: Array) -> float:
        eta = design @ b
        return float(np.logaddexp(0.0, eta).sum() - eta[yes].sum() + 0.5 * (penalty * b * b).sum())

    here = loss(beta)
    for _ in range(STEPS):
        p = expit(design @ beta)
        slope = design.T @ (yes - p) - penalty * beta
        curvature = (design * (p * (1 - p))[:, None]).T @ design + np.diag(penalty + RIDGE)
        step = np.linalg.solve(curvature, slope)
        size = 1.0
        while loss(beta + size * step) > here and size > CLOSE:
            size /= 2
        beta = beta + size * step
        there = loss(beta)
        if here - there <= CLOSE * (1.0 + abs(there)):
            break
        here = there
    return Fit(beta, mean, scale)


def left_out_chances(columns: Array, yes: NDArray[np.bool_], group: NDArray[np.int64], folds: int) -> Array:
    """Log odds of each row by the rows of other groups: group g is in fold g modulo `folds`."""
    out = np.empty(len(columns))
    fold = group % folds
    for k in np.unique(fold):
        inside = fold == k
        out[inside] = fit(columns[~inside], yes[~inside]).linear(columns[inside])
    return out


def brier(chance: Array, yes: NDArray[np.bool_]) -> float:
    """The mean squared difference between chance and outcome; lower is better."""
    return float(np.mean((chance - yes) ** 2))


class Bin(NamedTuple):
    """Rows whose chance lies in [low, high): how many, and the mean chance beside the share of a yes."""

    low: float
    high: float
    rows: int
    chance: float
    share: float


def calibration(chance: Array, yes: NDArray[np.bool_], edges: Array) -> list[Bin]:
    """What became of chances, by bins; empty bins are left out, and 1 belongs to the last one."""
    place = np.clip(np.searchsorted(edges, chance, side="right") - 1, 0, len(edges) - 2)
    bins = []
    for k in np.unique(place).tolist():
        here = place == k
        values = float(chance[here].mean()), float(yes[here].mean())
        bins.append(Bin(float(edges[k]), float(edges[k + 1]), int(here.sum()), *values))
    return bins


def group_deviation(chance: Array, yes: NDArray[np.bool_], group: NDArray[np.int64]) -> float:
    r"""The deviation, between groups, of the log odds around what the chances say: what rows of a group share.

    By moments: with S_g the sum of outcomes less chances and V_g that of p(1-p), the variance of S_g is about
    $$V_g + \tau^2 V_g^2$$
    Never more than 2, which lets odds vary by a factor of 7 either way.
    """
    surplus = np.bincount(group, yes - chance)
    variance = np.bincount(group, chance * (1 - chance))
    squares = float((variance**2).sum())
    if squares == 0.0:
        return 0.0
    return float(min(LARGEST, np.sqrt(max(0.0, float((surplus**2 - variance).sum()) / squares))))


def centred(log_odds: Array, deviation: float) -> Array:
    """Log odds around which normal shifts of this deviation have the same mean chance as the log odds alone.

    Shifted by z they are the chances of one group; for small chances a plain shift would raise their mean.
    """
    if deviation == 0.0:
        return log_odds
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    weights = weights / weights.sum()
    wanted, out = expit(log_odds), log_odds * np.sqrt(1.0 + 0.35 * deviation**2)
    for _ in range(STEPS):
        mean, slope = np.zeros((2, len(out)))
        for node, weight in zip(deviation * nodes, weights, strict=True):
            p = expit(out + node)
            mean += weight * p
            slope += weight * p * (1 - p)
        step = np.clip((wanted - mean) / np.maximum(slope, 1e-300), -1.0, 1.0)
        out = out + step
        if np.abs(step).max(initial=0.0) < 1e-9:
            break
    return np.asarray(out)
