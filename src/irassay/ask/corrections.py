"""How many comparisons there are: p-values and interval levels that hold for all of them at once.

The family is all comparisons of one measure.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError
from irassay.tolerance import NO_SPREAD, ceiling, floor

Array = NDArray[np.float64]
CORRECTIONS = ("holm", "bonferroni", "bh", "none")


def corrected(p: Array, correction: str) -> Array:
    """The smallest level at which each comparison would be significant within its family.

    `bonferroni`: m·p. `holm`: the step-down form, never larger (holm1979simple). Both keep the chance of any false
    positive. `bh`: the expected share of false positives among the positives (benjamini1995controlling).
    """
    m = len(p)
    if correction == "none" or m == 0:
        return p.copy()
    if correction == "bonferroni":
        return np.minimum(1.0, m * p)
    if correction == "bh":
        from scipy.stats import false_discovery_control

        return np.asarray(false_discovery_control(p, method="bh"))
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(np.arange(m, 0, -1) * p[order])
    out = np.empty(m)
    out[order] = np.minimum(1.0, stepped)
    return out


def interval_level(level: float, correction: str, comparisons: int, significant: int) -> float:
    """The error that each of the intervals may have so that together they have `level`.

    Holm's intervals are Bonferroni's: his own steps have no two-sided ones that are finite on both sides. With `bh` the
    intervals of the significant comparisons miss at most the share `level` of their values (benjamini2005false).
    """
    if correction == "none":
        return level
    return level * (max(1, significant) if correction == "bh" else 1) / comparisons


def critical_rank(level: float, replicates: int) -> int:
    """k such that p = (count + 1)/(B + 1) < level exactly where fewer than k replicates reach the observed value.

    So the k-th largest replicate is the critical value. 0: no count is small enough.
    """
    return max(0, ceiling(level * (replicates + 1)) - 1)


def check_reachable(alpha: float, comparisons: int, replicates: int, what: str) -> None:
    """An error that names the resamples needed, where not even the smallest p-value could be significant."""
    if comparisons / (replicates + 1) >= alpha * (1 - NO_SPREAD):
        needed = floor(comparisons / alpha)
        of = f"{comparisons} comparisons" if comparisons > 1 else "one comparison"
        raise InputError(
            f"{replicates} resamples cannot show that any of {of} is significant at {alpha:g} ({what})",
            hint=f"use --resamples {needed} or more, fewer systems, or another test or correction",
        )
