r"""Do two judges give the same labels: coefficients of agreement, with intervals over topics.

A confusion [..., grades, grades] counts documents: rows are the reference's grade, columns the judge's. A sample of the
topics is a weighted sum of the topics' confusions, so an interval needs no labels, only one confusion for each topic.

Where a coefficient has nothing to divide by, as kappa where both judges give all documents one grade, it is nan.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from irassay.ask.pairs import Array

Grades = NDArray[np.int8]
Places = NDArray[np.int64]
Bounds = tuple[Array, Array]


def confusions(reference: Grades, judge: Grades, topic: Places, topics: int, grades: int) -> Array:
    """The confusion of each topic [topics, grades, grades], of labels that both gave."""
    cells = (topic * grades + reference) * grades + judge
    return np.bincount(cells, minlength=topics * grades * grades).reshape(topics, grades, grades).astype(np.float64)


def agreement(confusion: Array) -> Array:
    """The share of documents with the same grade."""
    return _ratio(np.trace(confusion, axis1=-2, axis2=-1), confusion.sum(axis=(-2, -1)))


def mean_grade_bias(confusion: Array) -> Array:
    """The judge's mean grade less the reference's."""
    grade = np.arange(confusion.shape[-1], dtype=np.float64)
    return _ratio((confusion * (grade - grade[:, None])).sum(axis=(-2, -1)), confusion.sum(axis=(-2, -1)))


def weighted_kappa(confusion: Array, power: int) -> Array:
    r"""Cohen's kappa (cohen1960coefficient, cohen1968weighted): what is better than by chance, of what could be.

    $$\kappa = 1 - \frac{\sum d_{ij}\,p_{ij}}{\sum d_{ij}\,p_{i\cdot}\,p_{\cdot j}},\quad d_{ij} = |i - j|^{power}$$
    power 0 is the nominal kappa, d = 1 off the diagonal; 1 the linear, 2 the quadratic one.
    """
    distance = _distance(confusion.shape[-1], power)
    n = confusion.sum(axis=(-2, -1))
    expected = confusion.sum(axis=-1)[..., :, None] * confusion.sum(axis=-2)[..., None, :]
    return 1.0 - _ratio(n * (distance * confusion).sum(axis=(-2, -1)), (distance * expected).sum(axis=(-2, -1)))


def gwet(confusion: Array, power: int) -> Array:
    r"""Gwet's AC1 (power 0) and quadratic AC2 (power 2): chance depends little on skew (gwet2008computing).

    $$AC = \frac{p_a - p_e}{1 - p_e},\quad p_a = \sum w_{ij}p_{ij},\quad p_e = \frac{\sum w_{ij}}{q(q-1)}\sum_k
    \pi_k(1-\pi_k)$$ with q grades on the scale, $\pi$ their mean shares, and w = 1 - d/max d.
    """
    q = confusion.shape[-1]
    weight = 1.0 - _distance(q, power) / max(1.0, float(q - 1) ** power)
    share = _ratio(confusion, confusion.sum(axis=(-2, -1), keepdims=True))
    mean = (share.sum(axis=-1) + share.sum(axis=-2)) / 2
    chance = weight.sum() / max(1, q * (q - 1)) * (mean * (1 - mean)).sum(axis=-1)
    return _ratio((weight * share).sum(axis=(-2, -1)) - chance, 1 - chance)


def alpha_ordinal(confusion: Array) -> Array:
    """Krippendorff's alpha of two judges, with ordinal distances."""
    return alpha_of_coincidences(confusion + np.swapaxes(confusion, -1, -2))


def alpha_of_coincidences(coincidences: Array) -> Array:
    r"""Krippendorff's alpha with ordinal distances, of coincidences [..., grades, grades] (krippendorff2019content).

    $$\alpha = 1 - (n-1)\frac{\sum o_{ck}\delta_{ck}^2}{\sum n_c n_k\delta_{ck}^2},\quad
    \delta_{ck} = \sum_{g=c}^{k} n_g - \frac{n_c + n_k}{2}$$
    """
    count = coincidences.sum(axis=-1)
    middle = np.cumsum(count, axis=-1) - count / 2
    distance = np.square(middle[..., :, None] - middle[..., None, :])
    expected = (distance * count[..., :, None] * count[..., None, :]).sum(axis=(-2, -1))
    observed = (distance * coincidences).sum(axis=(-2, -1))
    return np.asarray(1.0 - (count.sum(axis=-1) - 1) * _ratio(observed, expected))


def coincidences(labels: Grades, topic: Places, topics: int, grades: int) -> Array:
    """Pairs of labels of one document by different judges, by topic; labels [judges, documents], below 0 missing.

    A document with m labels counts each ordered pair of them by 1/(m - 1), one with a single label not at all.
    """
    counts = np.stack([(labels == grade).sum(axis=0) for grade in range(grades)], axis=1).astype(np.float64)
    others = np.maximum(counts.sum(axis=1) - 1, 1.0)
    out = np.zeros((topics, grades, grades))
    for c in range(grades):
        for k in range(grades):
            pairs = counts[:, c] * (counts[:, k] - (c == k))
            out[:, c, k] = np.bincount(topic, pairs / others, minlength=topics)
    return out


def precision(confusion: Array) -> Array:
    """By grade: of the documents that the judge gives it, the share that the reference gives it too."""
    return _ratio(np.diagonal(confusion, axis1=-2, axis2=-1), confusion.sum(axis=-2))


def recall(confusion: Array) -> Array:
    """By grade: of the documents that the reference gives it, the share that the judge gives it too."""
    return _ratio(np.diagonal(confusion, axis1=-2, axis2=-1), confusion.sum(axis=-1))


Coefficient = Callable[[Array], Array]
COEFFICIENTS: dict[str, Coefficient] = {
    "agreement": agreement,
    "kappa": lambda confusion: weighted_kappa(confusion, 0),
    "kappa_quadratic": lambda confusion: weighted_kappa(confusion, 2),
    "alpha_ordinal": alpha_ordinal,
    "mean_grade_bias": mean_grade_bias,
}
MORE_COEFFICIENTS: dict[str, Coefficient] = {
    "kappa_linear": lambda confusion: weighted_kappa(confusion, 1),
    "ac1": lambda confusion: gwet(confusion, 0),
    "ac2": lambda confusion: gwet(confusion, 2),
}


@dataclass(frozen=True)
class Estimate:
    """A coefficient with its 95% interval; the bounds are nan where there are too few topics for one."""

    value: Array
    low: Array
    high: Array


def jackknife(by_topic: Array, coefficient: Coefficient, *, level: float = 0.05) -> Estimate:
    r"""A coefficient of all topics, with an interval from leaving out each topic in turn (efron1981jackknife).

    $$\hat\theta \pm t_{n-1}\sqrt{\frac{n-1}{n}\sum_t(\hat\theta_{(t)}-\hat\theta_{(\cdot)})^2}$$
    `by_topic` are [topics, ...]; topics without a document do not count. Other topics like these would give another
    value: that is all the interval shows.
    """
    by_topic = by_topic[by_topic.any(axis=tuple(range(1, by_topic.ndim)))]
    total, n = by_topic.sum(axis=0), len(by_topic)
    value = np.asarray(coefficient(total))
    if n < 2:
        nothing = np.full(value.shape, np.nan)
        return Estimate(value, nothing, nothing)
    left_out = np.asarray(coefficient(total - by_topic))
    error = np.sqrt((n - 1) / n * np.square(left_out - left_out.mean(axis=0)).sum(axis=0))
    half = stats.t.isf(level / 2, n - 1) * error
    return Estimate(value, value - half, value + half)


def most_frequent(labels: Grades, least: int) -> Grades:
    """The grade that most judges gave each document, -2 where fewer than `least` labelled it.

    Of grades that are as frequent the one nearest to the mean of the labels, of two as near the lower one. Labels are
    [judges, documents], below 0 missing.
    """
    grades = int(labels.max(initial=0)) + 1
    counts = np.stack([(labels == grade).sum(axis=0) for grade in range(grades)])
    number = counts.sum(axis=0)
    grade = np.arange(grades)[:, None]
    mean = (grade * counts).sum(axis=0) / np.maximum(number, 1)
    # whole counts first, then the distance to the mean (below the number of grades), then the lower grade
    preference = counts - np.abs(grade - mean) / (2 * grades)
    best = np.argmax(np.round(preference, 9), axis=0)
    return np.where(number >= least, best, -2).astype(np.int8)


def _distance(grades: int, power: int) -> Array:
    grade = np.arange(grades, dtype=np.float64)
    apart = np.abs(grade - grade[:, None])
    return np.asarray((apart > 0).astype(np.float64) if power == 0 else apart**power)


def _ratio(above: ArrayLike, below: ArrayLike) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(np.asarray(below) == 0, np.nan, np.divide(above, below)))
