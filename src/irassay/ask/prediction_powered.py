r"""Means of trusted scores, from few topics that both judges judged and many that only the cheap one did.

angelopoulos2023prediction (PPI) and angelopoulos2023ppi (PPI++). Y are trusted and F cheap scores of the same n topics,
F~ cheap scores of N others; rows are systems, or differences of two systems topic by topic.

$$\hat\mu = \frac1n\sum_i \big(Y_i - \lambda_i F_i\big) + \bar\lambda\,\bar F^\sim,\qquad
\hat V = \frac{s^2(Y_i - \lambda_i(F_i - \bar F^\sim))}{n} + \frac{\bar\lambda^2 s^2(F^\sim)}{N}$$

λ = 0 are the trusted topics alone, λ = 1 is PPI. PPI++ takes the λ with the least variance, which is estimated: of each
topic from the others, so that no topic's own error moves its λ, and the variance holds what estimating it costs.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import special, stats

from irassay.ask.design import MOST
from irassay.ask.intervals import Bounds
from irassay.ask.pairs import Array, Pairs
from irassay.ask.t_statistic import moments
from irassay.tolerance import NO_SPREAD

FEWEST_TO_TUNE = 5  # topics: the λ of each comes from four others


@dataclass(frozen=True, eq=False)
class JudgedTopics:
    """Scores by both judges: `trusted` and `cheap` [rows, n] on the same topics, `others` [rows, N] by the cheap alone.

    `shares` are the weights of the n topics where these were sampled with unequal probabilities; they sum to 1.
    """

    trusted: Array
    cheap: Array
    others: Array
    shares: Array | None = None

    @property
    def topics(self) -> int:
        return int(self.trusted.shape[1])

    @property
    def weights(self) -> Array:
        return np.full(self.topics, 1 / self.topics) if self.shares is None else self.shares

    def differences(self, pairs: Pairs) -> "JudgedTopics":
        """The differences of pairs of rows, topic by topic."""
        first, second = pairs
        trusted, cheap, others = (scores[first] - scores[second] for scores in (self.trusted, self.cheap, self.others))
        return JudgedTopics(trusted, cheap, others, self.shares)


class Covariances(NamedTuple):
    """Over topics like these: variances of trusted and of cheap scores, and their covariance."""

    trusted: Array
    cheap: Array
    both: Array

    @property
    def rho(self) -> Array:
        """The correlation; nan where one does not vary."""
        size = np.sqrt(self.trusted * self.cheap)
        return np.asarray(np.divide(self.both, size, out=np.full_like(size, np.nan), where=size > 0))


class Estimates(NamedTuple):
    """Of each row the estimated mean, its standard error, the degrees of freedom of that, and the mean λ."""

    mean: Array
    error: Array
    freedom: Array
    tuning: Array

    def interval(self, level: float) -> Bounds:
        """mean ± t·error."""
        half = stats.t.isf(level / 2, self.freedom) * self.error
        return self.mean - half, self.mean + half

    def p_values(self) -> Array:
        """Two-sided, of a mean of 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(self.mean == 0.0, 0.0, np.abs(self.mean) / self.error)
        return np.asarray(2 * stats.t.sf(t, self.freedom))


def trusted_alone(data: JudgedTopics) -> Estimates:
    """From the n topics alone, which have the trusted judge's scores."""
    return estimate(data, np.zeros_like(data.trusted))


def powered(data: JudgedTopics) -> Estimates:
    """PPI: the cheap mean, corrected by the mean error of the cheap judge."""
    return estimate(data, np.ones_like(data.trusted))


def power_tuned(data: JudgedTopics) -> Estimates:
    """PPI++ with a λ for each topic from all others."""
    return estimate(data, tunings(data), tuned=data.topics >= FEWEST_TO_TUNE)


def estimate(data: JudgedTopics, tuning: Array, *, tuned: bool = False) -> Estimates:
    """Estimates with the λ of each topic [rows, n]; where they are `tuned`, that takes one degree of freedom.

    With unequal `shares` the other topics are no sample of the population, so F~ are all topics; the variance is that
    of the linearised estimate over topics that are drawn and then sampled independently.
    """
    n = data.topics
    if data.shares is not None:
        return _weighted(data, tuning, data.shares, tuned=tuned)
    centre, spread, _ = moments(data.others)
    values = data.trusted - tuning * (data.cheap - centre[:, None])
    mean, sd, _ = moments(values)
    mean_tuning = tuning.mean(axis=1)
    own, other = sd**2 / n, (mean_tuning * spread) ** 2 / data.others.shape[1]
    freedom = _satterthwaite(own, n - 1 - tuned, other, data.others.shape[1] - 1)
    return Estimates(mean, np.sqrt(own + other), freedom, mean_tuning)


def _weighted(data: JudgedTopics, tuning: Array, shares: Array, *, tuned: bool) -> Estimates:
    n = data.topics
    everything = np.concatenate([data.cheap, data.others], axis=1)
    total = everything.shape[1]
    rest = everything - everything.mean(axis=1, keepdims=True)
    values = data.trusted - tuning * rest[:, :n]
    mean, mean_tuning = _mean(values, shares), _mean(tuning, shares)
    parts = mean_tuning[:, None] / total * rest
    parts[:, :n] += shares * (values - mean[:, None])
    effective = 1 / float(shares @ shares)  # of equal weights n
    own = (parts[:, :n] ** 2).sum(axis=1) * effective / max(effective - 1, 1.0)
    other = (parts[:, n:] ** 2).sum(axis=1)
    freedom = _satterthwaite(own, max(effective - 1 - tuned, 1.0), other, total - n - 1)
    return Estimates(mean, np.sqrt(own + other), freedom, mean_tuning)


def expected_width(topics: Array, total: int, parts: Covariances, alpha: float) -> Array:
    """The width to expect of the interval of PPI++ with so many of all topics judged by both.

    With no other topics it is Student's. To estimate λ costs what an intercept and a slope cost: one degree of freedom,
    and a share of 1/(n - 3) of the variance.
    """
    tuned = (topics >= FEWEST_TO_TUNE) & (total - topics >= 2)
    others = np.where(tuned, total - topics, np.inf)
    slope = np.divide(parts.both, parts.cheap, out=np.zeros_like(parts.both), where=parts.cheap > 0)
    tuning = np.where(tuned, np.clip(slope / (1 + topics / others), 0, 1), 0.0)
    rest = np.maximum(parts.trusted - 2 * tuning * parts.both + tuning**2 * parts.cheap, 0.0)
    own = rest / topics * (1 + 1 / np.where(tuned, topics - 3, np.inf))
    other = tuning**2 * parts.cheap / others
    freedom = _satterthwaite(own, topics - 1 - tuned, other, others - 1)
    expected_sd = np.sqrt(2 / freedom) * np.exp(special.gammaln((freedom + 1) / 2) - special.gammaln(freedom / 2))
    return np.asarray(2 * stats.t.isf(alpha / 2, freedom) * expected_sd * np.sqrt(own + other))


def fewest_trusted(width: float, total: int, parts: Covariances, alpha: float) -> Array:
    """The fewest topics judged by both for such a width; nan where no collection has so many."""
    low, high = np.full(parts.trusted.shape, 1.0), np.full(parts.trusted.shape, float(MOST))
    enough = expected_width(high, total, parts, alpha) <= width
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        narrow = expected_width(np.maximum(middle, 2), total, parts, alpha) <= width
        low, high = np.where(narrow, low, middle), np.where(narrow, middle, high)
    return np.where(enough, np.maximum(high, 2), np.nan)


def difference_of_samples(first: Array, second: Array) -> Estimates:
    """The mean of the rows of one sample less that of another, with Welch's degrees of freedom."""
    own, other = moments(first), moments(second)
    sizes = first.shape[1], second.shape[1]
    variances = own.sd**2 / sizes[0], other.sd**2 / sizes[1]
    freedom = _satterthwaite(variances[0], sizes[0] - 1, variances[1], sizes[1] - 1)
    difference = own.mean - other.mean
    return Estimates(difference, np.sqrt(sum(variances)), freedom, np.ones_like(difference))


def _satterthwaite(own: Array, own_freedom: Any, other: Array, other_freedom: Any) -> Array:
    """Degrees of freedom of the sum of two variances."""
    with np.errstate(divide="ignore", invalid="ignore"):
        freedom = (own + other) ** 2 / (own**2 / own_freedom + other**2 / other_freedom)
    return np.asarray(np.where(own + other > 0, freedom, own_freedom))


def tunings(data: JudgedTopics) -> Array:
    r"""Of each topic the λ that the other topics call best, within 0 and 1 [rows, n].

    $$\lambda = \frac{\operatorname{Cov}(Y, F)}{\operatorname{Var}(F)}\Big/\Big(1 + \frac nN\Big)$$ where F~ are all
    topics, without the second factor. Variance and covariance are of the same n - 1 topics: their errors cancel where
    both judges nearly agree, which they do not with the variance of all topics.
    """
    n = data.topics
    if n < FEWEST_TO_TUNE:
        return np.zeros_like(data.trusted)
    weights = data.weights
    x, y = (scores - _mean(scores, weights)[:, None] for scores in (data.cheap, data.trusted))
    own = weights / (1 - weights)  # what leaving out a topic takes from sums of centred products
    products = _mean(x * y, weights)[:, None] - own * x * y
    squares = _mean(x * x, weights)[:, None] - own * x * x
    scale = _mean(data.cheap**2, weights)[:, None]
    constant = squares <= NO_SPREAD * scale
    slope = products / np.where(constant, np.inf, squares)
    factor = 1.0 if data.shares is not None else 1 + n / data.others.shape[1]
    return np.asarray(np.clip(slope / factor, 0.0, 1.0))


def correlation(data: JudgedTopics) -> Array:
    """Of trusted and cheap scores over the topics that both judged, by row; nan where one does not vary."""
    weights = data.weights
    x, y = (scores - _mean(scores, weights)[:, None] for scores in (data.cheap, data.trusted))
    xx, yy, xy = (_mean(a * b, weights) for a, b in ((x, x), (y, y), (x, y)))
    scales = (_mean(scores**2, weights) for scores in (data.cheap, data.trusted))
    constant = np.any([own <= NO_SPREAD * scale for own, scale in zip((xx, yy), scales, strict=True)], axis=0)
    return np.clip(xy / np.sqrt(np.where(constant, np.nan, xx * yy)), -1.0, 1.0)


def _mean(values: Array, weights: Array) -> Array:
    """Of each row; sums of rows, unlike matrix products, do not depend on how many rows there are."""
    return np.asarray((values * weights).sum(axis=1))
