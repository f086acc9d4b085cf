"""How well scores generalise: variance components of systems and topics (brennan2001generalizability).

Everything follows from the signal, the variance of systems over the error variance of one topic: that is the residual
for differences between systems (relative), and residual and topics together for the scores themselves (absolute). A
coefficient rises with the signal, the topics that are needed fall.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Array
from irassay.tolerance import ceiling

Bounds = tuple[float, float]


class MeanSquares(NamedTuple):
    """Of a two-way analysis of variance; of several samples arrays."""

    system: Array
    topic: Array
    residual: Array


def mean_squares(scores: Array, counts: NDArray[np.int32] | None = None) -> MeanSquares:
    """Mean squares of scores [systems, topics], or on each sample of the topics; `counts` are [samples, topics]."""
    m, n = scores.shape
    weights = np.ones(n) if counts is None else counts.astype(np.float64)
    effect = scores.mean(axis=0) - scores.mean()
    # without their means over systems, topics add nothing to the systems' sum of squares, nor to the residual's
    own = scores - scores.mean(axis=0)
    rest = own - own.mean(axis=1, keepdims=True)
    means, shift = weights @ own.T / n, weights @ rest.T / n
    grand = weights @ effect / n
    return MeanSquares(
        n * (means * means).sum(axis=-1) / (m - 1),
        m * np.maximum(0.0, weights @ (effect * effect) - n * grand * grand) / (n - 1),
        np.maximum(0.0, weights @ (rest * rest).sum(axis=0) - n * (shift * shift).sum(axis=-1)) / ((m - 1) * (n - 1)),
    )


def within_variance(squares: MeanSquares, systems: int) -> Array:
    r"""The variance of scores within a system, its topics' and the residual: $$V_{E1} = (MS_t + (m-1)\,MS_e)/m$$."""
    return (squares.topic + (systems - 1) * squares.residual) / systems


class Components(NamedTuple):
    """Variance of systems, of topics, and of what is left, from a two-way analysis of variance."""

    system: float
    topic: float
    residual: float


def components(squares: MeanSquares, systems: int, topics: int) -> Components:
    r"""Variance components by expected mean squares; a negative one is 0.

    $$\sigma_s^2=(MS_s-MS_e)/n,\quad \sigma_t^2=(MS_t-MS_e)/m,\quad \sigma_e^2=MS_e$$ (brennan2001generalizability)
    """
    system, topic, rest = map(float, squares)
    return Components(max(0.0, (system - rest) / topics), max(0.0, (topic - rest) / systems), rest)


def signal(parts: Components, *, absolute: bool) -> float:
    """Variance of systems over that of one topic's error; nan where nothing varies."""
    error = parts.residual + (parts.topic if absolute else 0.0)
    if error == 0.0:
        return math.inf if parts.system > 0 else math.nan
    return parts.system / error


def coefficient(ratio: float, topics: int) -> float:
    r"""$$E\rho^2 = \frac{\sigma_s^2}{\sigma_s^2+\sigma_e^2/n},\quad
    \Phi = \frac{\sigma_s^2}{\sigma_s^2+(\sigma_t^2+\sigma_e^2)/n}$$ from the relative and from the absolute signal."""
    return 1.0 if math.isinf(ratio) else topics * ratio / (1 + topics * ratio)


def topics_for(ratio: float, wanted: float) -> int | None:
    """The fewest topics with a coefficient of at least `wanted`; None where systems do not differ."""
    if not ratio > 0.0:
        return None
    return max(1, ceiling(wanted / ((1 - wanted) * ratio)))


def feldt_interval(squares: MeanSquares, systems: int, topics: int, *, level: float = 0.95) -> Bounds:
    r"""The relative signal's interval, from that of E-rho² (feldt1965approximate): systems are a random normal sample.

    $$1-(1-\hat\rho)F_{1-a/2} \le E\rho^2 \le 1-(1-\hat\rho)F_{a/2},\quad \hat\rho = 1-MS_e/MS_s$$ with F of m-1 and
    (m-1)(n-1) degrees of freedom.
    """
    from scipy import stats

    system, _, rest = map(float, squares)
    if rest == 0.0:
        return _no_error(system)
    points = stats.f.ppf(_tails(level), systems - 1, (systems - 1) * (topics - 1))
    low, high = (max(0.0, float((system / (rest * point) - 1) / topics)) for point in points)
    return low, high


def arteaga_interval(squares: MeanSquares, systems: int, topics: int, *, level: float = 0.95) -> Bounds:
    r"""The absolute signal's interval (arteaga1982confidence, as in urbano2013measurement); random normal systems.

    $$\frac{m}{n}\cdot\frac{MS_s^2 - F_\infty MS_s MS_e + (F_\infty - F_e) F_e MS_e^2}
    {(m-1) F_\infty MS_s MS_e + F_t MS_s MS_t}$$

    with the points of F of m-1 and ∞, (m-1)(n-1), n-1 degrees of freedom, at 1-a/2 for the lower bound.
    """
    from scipy import stats

    system, topic, rest = map(float, squares)
    if rest == topic == 0.0 or system == 0.0:
        return _no_error(system)
    bounds = []
    for tail in _tails(level):
        plain = stats.chi2.ppf(tail, systems - 1) / (systems - 1)  # F with ∞ degrees of freedom below
        of_rest = stats.f.ppf(tail, systems - 1, (systems - 1) * (topics - 1))
        of_topics = stats.f.ppf(tail, systems - 1, topics - 1)
        above = system**2 - plain * system * rest + (plain - of_rest) * of_rest * rest**2
        below = (systems - 1) * plain * system * rest + of_topics * system * topic
        bounds.append(max(0.0, float(systems / topics * above / below)))
    return bounds[0], bounds[1]


def topic_interval(scores: Array, counts: NDArray[np.int32], *, absolute: bool, level: float = 0.95) -> Bounds:
    """The signal's interval for these systems, over topics like these: percentiles of samples of the topics.

    Samples have the observed means for true ones, which vary by MS_e/n more than the true means do. So the percentiles
    are moved by the difference between the observed signal and the one that holds for the samples.
    """
    m, n = scores.shape

    def error(squares: MeanSquares) -> Array:
        return within_variance(squares, m) if absolute else squares.residual

    whole, samples = mean_squares(scores), mean_squares(scores, counts)
    if error(whole) == 0.0:
        return _no_error(float(whole.system))
    with np.errstate(divide="ignore", invalid="ignore"):
        replicates = (samples.system - samples.residual) / n / error(samples)
    observed = (whole.system - whole.residual) / n / error(whole)
    of_samples = whole.system / n / (error(whole) * (n - 1) / n)
    if np.isnan(replicates).all():  # in every sample all scores are equal
        return math.nan, math.nan
    low, high = _quantiles(replicates, _tails(level)[::-1]) - (of_samples - observed)
    return max(0.0, float(low)), max(0.0, float(high))


def _quantiles(values: Array, points: Sequence[float]) -> Array:
    """Of values that may be infinite, as signals of samples without error are, and between which nothing lies."""
    with np.errstate(invalid="ignore"):
        between = np.nanquantile(values, points)
    return np.where(np.isnan(between), np.nanquantile(values, points, method="lower"), between)


def _tails(level: float) -> tuple[float, float]:
    """The points for the lower and for the upper bound."""
    tail = round((1 - level) / 2, 12)
    return 1 - tail, tail


def _no_error(system: float) -> Bounds:
    bound = math.inf if system > 0 else math.nan
    return bound, bound
