"""Does the order of systems survive: rank correlations of every replicate with the observed scores."""

import numpy as np

from irassay.ask.agreement import COEFFICIENTS, coefficients
from irassay.ask.pairs import Array
from irassay.ask.replicates import Replicates
from irassay.ask.spread import replicate_quantiles


def agreement_with_observed(replicates: Replicates, measure: int, *, jobs: int = 1) -> Array:
    """tau, tau_b, tau_AP (the observed order is the reference) and RBO at .9 of every replicate [replicate, 4].

    An index of stability: replicates resemble what they were drawn from, so it is optimistic as agreement with the
    truth. nan: tau_b where all systems are tied.
    """
    return coefficients(replicates.observed[measure], replicates.means[measure], jobs=jobs)


def order_row(replicates: Replicates, measure: int, *, jobs: int = 1) -> dict[str, float]:
    """The mean over replicates of each coefficient, and its quantiles `_q2.5`, `_q97.5`."""
    values = agreement_with_observed(replicates, measure, jobs=jobs)
    low, high = replicate_quantiles(replicates, values)
    row: dict[str, float] = {}
    for k, name in enumerate(COEFFICIENTS):
        row |= {name: float(np.mean(values[:, k])), f"{name}_q2.5": float(low[k]), f"{name}_q97.5": float(high[k])}
    return row
