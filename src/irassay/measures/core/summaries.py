"""Summaries over topics: the mean, the sum, the geometric mean with its logarithm, and the area.

numpy is imported inside the functions: naming measures must not cost its start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irassay.measures.core.param import Param
from irassay.measures.core.record import Summary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from irassay.measures.core.measure import Measure
    from irassay.measures.core.record import Array

# Keeps a topic that scores 0 from taking the whole geometric mean to 0 (sakai2007bootstrap, eq. 7).
FLOOR = 1e-5

# trec_eval's names for summaries, and what they are in our grammar.
TREC_NAMES = {
    "gm_map": "GM(AP,variant='trec')",
    "gm_bpref": "GM(Bpref,variant='trec')",
}

FIGURES = Param(
    None,
    "significant figures to which a topic's score is rounded first; 4 in the paper",
    low=1,
    high=15,
    value_type="integer",
)


def _rounded(values: Array, figures: int | None) -> Array:
    """To so many significant figures; 0 stays 0."""
    import numpy as np

    if figures is None:
        return values
    size = np.abs(values)
    place = figures - 1 - np.floor(np.log10(np.where(size > 0, size, 1.0)))
    rounded: Array = np.round(values * 10.0**place) / 10.0**place
    return rounded


def _log(values: Array, variant: str = "sakai", figures: int | None = None) -> Array:
    import numpy as np

    values = _rounded(values, figures)
    return np.log(np.maximum(values, FLOOR)) if variant == "trec" else np.log(values + FLOOR)


def _exp(mean: Array, variant: str, figures: int | None = None) -> Array:
    import numpy as np

    return np.exp(mean) if variant == "trec" else np.exp(mean) - FLOOR


def _area(values: Array, k: int | None) -> Array:
    import numpy as np

    n = values.shape[-1]
    worst = min(k or max(1, n // 4), n)
    means = np.cumsum(np.sort(values, axis=-1)[..., :worst], axis=-1) / np.arange(1, worst + 1)
    # sorting puts a missing score last, where it would go unnoticed
    return np.asarray(np.where(np.isnan(values).any(axis=-1), np.nan, means.mean(axis=-1)))


mean = Summary(
    name="mean",
    doc=r"""Arithmetic mean over topics. $$\frac{1}{n}\sum_t x_t$$""",
    written=False,
)

total = Summary(
    name="sum",
    doc=r"""Sum over topics, for counts. $$\sum_t x_t$$""",
    whole=lambda values: values.sum(axis=-1),
    written=False,
    bounded=False,
)

gm = Summary(
    name="GM",
    cite="sakai2007bootstrap",
    doc=r"""Geometric mean over topics: rewards systems that fail on no topic.

    $$\exp\Big(\frac{1}{n}\sum_t \ln(x_t+\epsilon)\Big)-\epsilon,\quad \epsilon=10^{-5}$$
    `variant='trec'` is trec_eval's: the mean of ln(max(x, ε)), nothing subtracted. A topic has no value.
    """,
    params={"variant": Param("sakai", "how zeros are lifted", choices=("sakai", "trec")), "figures": FIGURES},
    forward=_log,
    inverse=_exp,
    topical=False,
)

ag = Summary(
    name="AG",
    cite="sakai2007bootstrap",
    doc=r"""Arithmetic mean of logarithms: GM's order of systems, with a value for every topic.

    $$\frac{1}{n}\sum_t \ln(x_t+\epsilon),\quad \epsilon=10^{-5}$$
    """,
    params={"figures": FIGURES},
    forward=_log,
    bounded=False,
)

area = Summary(
    name="AREA",
    cite="voorhees2005robust",
    doc=r"""Area under the mean of the worst topics: looks at failures only.

    $$\frac{1}{k}\sum_{X=1}^{k}\frac{1}{X}\sum_{t\le X} x_{(t)},\quad x_{(1)}\le x_{(2)}\le\dots$$
    k is a quarter of the topics, rounded down and at least 1, or `k=`; never more than there are. A topic has no
    value.
    """,
    params={"k": Param(None, "how many of the worst topics; none: a quarter of them", low=1, value_type="integer")},
    whole=_area,
    topical=False,
)


def summarise(
    values: ArrayLike, weights: NDArray[np.int32] | None = None, measure: Measure | None = None, *, xp: Any = None
) -> Array:
    """One number per list of topic values, by the measure's summary; without a measure the mean.

    Topics are the last axis of `values`. With `weights` [samples, topics], how often each sample has each topic,
    `values` are [systems, topics], or [samples, systems, topics] where each sample has its own, and the answer is
    [samples, systems]. `xp` is the module of the values, NumPy or CuPy, which has no summary of all topics at once.
    """
    import numpy as np

    xp = xp or np
    array = xp.asarray(values, dtype=np.float64)
    summary, params = (mean, {}) if measure is None else measure.summary_with_params()
    if summary.whole is not None:
        if weights is None:
            return np.asarray(summary.whole(array, **params))
        samples, topics = weights.shape
        drawn = np.repeat(np.tile(np.arange(topics), samples), weights.ravel()).reshape(samples, -1)
        if array.ndim == 3:
            return np.asarray(summary.whole(np.take_along_axis(array, drawn[:, None], axis=2), **params))
        return np.stack([summary.whole(row[drawn], **params) for row in array], axis=1)
    if summary.forward is not None:
        array = summary.forward(array, **params)
    if weights is None:
        means = xp.asarray(array.mean(axis=-1))
    else:
        times = xp.asarray(weights, dtype=np.float64)
        sums = (array @ times[:, :, None])[..., 0] if array.ndim == 3 else times @ xp.ascontiguousarray(array.T)
        means = sums / times.sum(axis=1, keepdims=True)
    out: Array = means if summary.inverse is None else xp.asarray(summary.inverse(means, **params))
    return out
