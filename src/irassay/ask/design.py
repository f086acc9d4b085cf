"""How many topics: sample sizes for a difference that matters, and how well scores generalise.

Sample sizes after sakai2016topic: the variance is known, the difference is the user's choice, never the observed one.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import special, stats

from irassay.ask.comparison import residual_variance
from irassay.ask.pairs import Array
from irassay.tolerance import ceiling

MOST = 1_000_000  # topics: beyond this nobody builds a collection


def t_power(topics: int, difference: float, variance: float, alpha: float) -> float:
    r"""Chance that a two-sided paired t test finds a true difference.

    $$P(|t'| \ge t_{n-1}(\alpha)),\quad \lambda = \sqrt{n}\,|D|/\sigma_d$$ with a noncentral t' and the variance
    $\sigma_d^2$ of per-topic differences.
    """
    if variance == 0.0:
        return 1.0
    bar, centre = stats.t.isf(alpha / 2, topics - 1), math.sqrt(topics / variance) * difference
    # far out scipy has no value for the other tail, which is nothing there
    wrong_way = np.nan_to_num(stats.nct.cdf(-bar, topics - 1, centre))
    return float(stats.nct.sf(bar, topics - 1, centre) + wrong_way)


def anova_power(topics: int, systems: int, difference: float, variance: float, alpha: float) -> float:
    r"""Chance that a one-way analysis of variance over m systems finds that best and worst differ by D.

    $$P(F' \ge F_{m-1,\,m(n-1)}(\alpha)),\quad \lambda = n\,D^2/(2\sigma^2)$$ the smallest λ for such a D: all other
    systems lie halfway.
    """
    if variance == 0.0:
        return 1.0
    between, within = systems - 1, systems * (topics - 1)
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


class Components(NamedTuple):
    """Variance of systems, of topics, and of what is left, from a two-way analysis of variance."""

    system: float
    topic: float
    residual: float


def components(scores: Array) -> Components:
    r"""Variance components of scores [systems, topics] by expected mean squares; a negative one is 0.

    $$\sigma_s^2=(MS_s-MS_e)/n,\quad \sigma_t^2=(MS_t-MS_e)/m,\quad \sigma_e^2=MS_e$$ (brennan2001generalizability)
    """
    m, n = scores.shape
    rest = residual_variance(scores)
    systems = n * float(scores.mean(axis=1).var(ddof=1))
    topics = m * float(scores.mean(axis=0).var(ddof=1))
    return Components(max(0.0, (systems - rest) / n), max(0.0, (topics - rest) / m), rest)


def generalizability(parts: Components, topics: int) -> float:
    r"""$$E\rho^2 = \sigma_s^2/(\sigma_s^2+\sigma_e^2/n)$$: how well differences between systems would repeat."""
    return _share(parts.system, parts.residual / topics)


def dependability(parts: Components, topics: int) -> float:
    r"""$$\Phi = \sigma_s^2/(\sigma_s^2+(\sigma_t^2+\sigma_e^2)/n)$$: how well the scores themselves would repeat."""
    return _share(parts.system, (parts.topic + parts.residual) / topics)


def _share(true: float, error: float) -> float:
    return true / (true + error) if true + error > 0 else math.nan


def topics_for(parts: Components, wanted: float, *, absolute: bool) -> int | None:
    """The fewest topics with a coefficient of at least `wanted`; None where systems do not differ."""
    if parts.system == 0.0:
        return None
    error = parts.residual + (parts.topic if absolute else 0.0)
    return max(1, ceiling(wanted * error / ((1 - wanted) * parts.system)))
