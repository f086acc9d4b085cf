"""How many topics: sample sizes for a difference that matters (sakai2016topic).

The difference is the user's choice, never the observed one. The formulas take the variance for known; the functions
below them say how well it is known.
"""

import math
from bisect import bisect_left
from collections.abc import Callable

import numpy as np
from scipy import special, stats

from irassay.ask.pairs import Array, all_pairs

MOST = 1_000_000  # topics: beyond this nobody builds a collection


def t_power(topics: int, difference: float, variance: float, alpha: float) -> float:
    r"""Chance that a two-sided paired t test finds a true difference.

    $$P(|t'| \ge t_{n-1}(\alpha)),\quad \lambda = \sqrt{n}\,|D|/\sigma_d$$ with a noncentral t' and the variance
    $\sigma_d^2$ of per-topic differences.
    """
    if variance == 0.0:
        return 1.0
    bar, centre = stats.t.isf(alpha / 2, topics - 1), math.sqrt(topics / variance) * difference
    # far out scipy has no value for the other tail, which is nothing there, and further out none for this one, where
    # only the deviation of the sample decides
    wrong_way = np.nan_to_num(stats.nct.cdf(-bar, topics - 1, centre))
    right_way = stats.nct.sf(bar, topics - 1, centre)
    if math.isnan(right_way):
        right_way = stats.chi.cdf(centre / bar * math.sqrt(topics - 1), topics - 1)
    return float(right_way + wrong_way)


def anova_power(topics: int, systems: int, difference: float, variance: float, alpha: float, *, two_way: bool) -> float:
    r"""Chance that an analysis of variance over m systems finds that best and worst differ by D.

    $$P(F' \ge F_{m-1,\,\nu}(\alpha)),\quad \lambda = n\,D^2/(2\sigma^2)$$ the smallest λ for such a D: all other
    systems lie halfway. One-way: every system has its own topics, $\nu = m(n-1)$ and $\sigma^2$ is the variance of
    scores within a system. Two-way, systems by topics: $\nu = (m-1)(n-1)$ and $\sigma^2$ is the residual.
    """
    if variance == 0.0:
        return 1.0
    between = systems - 1
    within = (between if two_way else systems) * (topics - 1)
    bar = stats.f.isf(alpha, between, within)
    return float(stats.ncf.sf(bar, between, within, topics * difference**2 / (2 * variance)))


def expected_width(topics: int, variance: float, alpha: float) -> float:
    r"""Expected width of the t interval of a mean difference.

    $$2\,t_{n-1}(\alpha)\,E[\sqrt{V}]/\sqrt n,\quad
    E[\sqrt V] = \sigma_d \sqrt{\tfrac{2}{n-1}}\,\Gamma(\tfrac n2)/\Gamma(\tfrac{n-1}2)$$
    """
    log = special.gammaln(topics / 2) - special.gammaln((topics - 1) / 2)
    root = math.sqrt(variance * 2 / (topics - 1)) * math.exp(log)
    return float(2 * stats.t.isf(alpha / 2, topics - 1) * root / math.sqrt(topics))


def fewest(enough: Callable[[int], bool]) -> int | None:
    """The fewest topics, at least 2, that are enough; more topics never are fewer than enough."""
    high = 2
    while not enough(high):
        if high >= MOST:
            return None
        high *= 2
    return bisect_left(range(high), True, lo=high // 2 + 1, key=enough)


def box_freedom(scores: Array, *, centred: bool) -> float:
    r"""Degrees of freedom of a variance pooled over systems that have the same topics, after box1954theorems.

    $$\nu = (n-1)\frac{(\operatorname{tr} S)^2}{\operatorname{tr} S^2}$$ where S is the covariance of the scores
    [systems, topics], for the variance within systems, or of the scores without their topics' means (`centred`), for
    the two-way residual. It is (m-1)(n-1) for the residual if all differences vary alike and independently, which they
    do not: near-copies beside other systems leave far fewer.
    """
    own = scores - scores.mean(axis=0) if centred else scores
    rest = own - own.mean(axis=1, keepdims=True)
    products = rest @ rest.T if len(rest) <= rest.shape[1] else rest.T @ rest  # tr S² is that of either
    squares = float((products * products).sum())
    return (rest.shape[1] - 1) * float((rest * rest).sum()) ** 2 / squares if squares > 0 else math.inf


def chi_square_interval(variance: float, freedom: float, *, level: float = 0.95) -> tuple[float, float]:
    r"""$$[\nu V/\chi^2_{\nu,1-a/2},\ \nu V/\chi^2_{\nu,a/2}]$$: for normal scores; too short for skewed ones."""
    if variance == 0.0 or math.isinf(freedom):
        return variance, variance
    tail = (1 - level) / 2
    low, high = freedom * variance / stats.chi2.isf([tail, 1 - tail], freedom)
    return float(low), float(high)


def pair_variances(scores: Array) -> Array:
    """The variance of per-topic differences of every pair x < y; scores are [systems, topics]."""
    covariance = np.cov(scores)
    first, second = all_pairs(len(scores))
    own = np.diag(covariance)
    return np.maximum(0.0, own[first] + own[second] - 2 * covariance[first, second])
