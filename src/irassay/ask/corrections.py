"""How many comparisons there are: p-values and interval levels that hold for all of them at once.

The family is all comparisons of one measure. `ask.methods` lists the corrections by name.
"""

import numpy as np

from irassay.ask.pairs import Array
from irassay.errors import InputError
from irassay.tolerance import NO_SPREAD, ceiling, floor


def bonferroni(p: Array) -> Array:
    """m·p: keeps the chance of any false positive."""
    return np.minimum(1.0, len(p) * p)


def holm(p: Array) -> Array:
    """The step-down form of Bonferroni's, never larger (holm1979simple)."""
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(np.arange(len(p), 0, -1) * p[order]))
    return adjusted


def benjamini_hochberg(p: Array) -> Array:
    """Keeps the expected share of false positives among the positives (benjamini1995controlling)."""
    from scipy.stats import false_discovery_control

    return np.asarray(false_discovery_control(p, method="bh")) if len(p) else p.copy()


def critical_rank(level: float, replicates: int) -> int:
    """k such that p = (count + 1)/(B + 1) < level exactly where fewer than k replicates reach the observed value.

    So the k-th largest replicate is the critical value. 0: no count is small enough.
    """
    return max(0, ceiling(level * (replicates + 1)) - 1)


def check_reachable(alpha: float, comparisons: int, replicates: int, what: str) -> None:
    """An error that names the resamples needed, where not even the smallest p-value could be significant."""
    if comparisons / (replicates + 1) >= alpha * (1 - NO_SPREAD):
        of = f"{comparisons} comparisons" if comparisons > 1 else "one comparison"
        raise InputError(
            f"{replicates} resamples cannot show that any of {of} is significant at {alpha:g} ({what})",
            hint=f"use --resamples {floor(comparisons / alpha)} or more, fewer systems, or another test or correction",
        )
