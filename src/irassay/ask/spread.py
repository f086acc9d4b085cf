"""How wide is a score, and where could a system rank: quantiles over replicates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irassay.ask.agreement import levels

Array = NDArray[np.float64]
QUANTILES = {"q2.5": 0.025, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q97.5": 0.975}


def spread(raw: Array, replicates: Array) -> dict[str, Array]:
    """Of each system: mean, bias (mean less raw), sd with n-1 and quantiles of replicates [replicates, systems]."""
    mean = replicates.mean(axis=0)
    sd = replicates.std(axis=0, ddof=1) if len(replicates) > 1 else np.full(len(mean), np.nan)
    found = np.quantile(replicates, list(QUANTILES.values()), axis=0)
    return {"mean": mean, "bias": mean - raw, "sd": sd, **dict(zip(QUANTILES, found, strict=True))}


def ranks(scores: Array) -> Array:
    """Ranks along the last axis, 1 for the best; systems tied within 1e-10 share the average of their ranks."""
    found = np.atleast_2d(levels(scores))
    rows, systems = found.shape
    sizes = np.bincount((found + systems * np.arange(rows)[:, None]).ravel(), minlength=rows * systems)
    sizes = sizes.reshape(rows, systems)
    above = systems - np.cumsum(sizes, axis=1)
    average = np.take_along_axis(above + (sizes + 1) / 2, found.astype(np.int64), axis=1)
    return average.reshape(np.shape(scores))


def rank_spread(raw: Array, replicates: Array) -> dict[str, Array]:
    """Of each system: its rank by raw scores, and the quantiles of its rank over replicates."""
    found = np.quantile(ranks(replicates), [QUANTILES[name] for name in ("q2.5", "q50", "q97.5")], axis=0)
    return {"rank_raw": ranks(raw), "rank_q2.5": found[0], "rank_q50": found[1], "rank_q97.5": found[2]}
