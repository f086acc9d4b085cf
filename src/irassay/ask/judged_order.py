"""Do two judges order systems alike, and would the reference agree with itself on other topics?

Scores are means over topics [systems], and on samples of the topics [samples, systems].
"""

from typing import NamedTuple

import numpy as np

from irassay.ask.agreement import COEFFICIENTS, coefficients, conservative_interval, interval
from irassay.ask.pairs import Array

NAMES = ("tau", "tau_b", "tau_ap", "tau_top", "rbo")


class Means(NamedTuple):
    """One judge's scores of the systems: observed [systems], and on samples of the topics [samples, systems]."""

    observed: Array
    sampled: Array


def order_coefficients(reference: Array, rankings: Array, top: int, p: float, jobs: int) -> Array:
    """`NAMES` of each ranking [replicates, systems]: [replicates, 5]; tau_top is tau of the reference's best systems.

    The reference is [systems] or [replicates, systems]; of several the first says which systems are best.
    """
    one = np.atleast_2d(reference)[0]
    best = np.argsort(-one, kind="stable")[:top]
    everything = coefficients(reference, rankings, p=p, jobs=jobs)
    among_best = coefficients(np.asarray(reference)[..., best], rankings[:, best], p=p, jobs=jobs)
    columns = {name: everything[:, k] for k, name in enumerate(COEFFICIENTS)} | {"tau_top": among_best[:, 0]}
    return np.stack([columns[name] for name in NAMES], axis=1)


def order_row(
    reference: Means,
    judge: Means,
    ceiling: tuple[Array, Array] | None = None,
    *,
    top: int,
    p: float,
    jobs: int = 1,
) -> dict[str, float]:
    """Every coefficient with its 95% interval, and its ceiling with the middle 95% of what that is the mean of.

    The interval is the conservative one of `ask.agreement`. The ceiling is the reference's order on samples of the
    topics against its own on all topics; `_on_draws` is the judge's on the same samples against the same. Judges
    without a common topic have no common samples: `ceiling` then are one judge's scores on disjoint sets of topics.
    """
    # one place says which systems are best: that of the observed order, also of samples
    with_observed = np.vstack([reference.observed[None], reference.sampled])
    sampled = order_coefficients(with_observed, np.vstack([judge.observed[None], judge.sampled]), top, p, jobs)
    if ceiling is None:
        limits = order_coefficients(reference.observed, reference.sampled, top, p, jobs)
        on_draws = order_coefficients(reference.observed, judge.sampled, top, p, jobs).mean(axis=0)
    else:
        first, second = (np.vstack([reference.observed[None], means]) for means in ceiling)
        limits = order_coefficients(first, second, top, p, jobs)[1:]
        on_draws = np.full(len(NAMES), np.nan)
    row: dict[str, float] = {}
    for k, name in enumerate(NAMES):
        value = float(sampled[0, k])
        low, high = conservative_interval(value, sampled[1:, k])
        limit_low, limit_high = interval(limits[:, k])
        row |= {
            name: value,
            f"{name}_low": max(low, 0.0) if name == "rbo" else low,
            f"{name}_high": high,
            f"{name}_ceiling": float(limits.mean(axis=0)[k]),
            f"{name}_ceiling_low": limit_low,
            f"{name}_ceiling_high": limit_high,
            f"{name}_on_draws": float(on_draws[k]),
        }
    return row
