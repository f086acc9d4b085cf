r"""Which pairs of systems would change places, and from what difference on do they hardly ever?

A replicate is compared with the observed scores: the other sign of a difference is a reversal, equal scores (within
1e-10) are half of one. Pairs that are equal as observed have no order to reverse; they are left out and counted.
Sakai's swap method compares two independent sets instead, so its threshold is about $\sqrt 2$ times as large.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.ask._counting import add_leads
from irassay.ask.pairs import Array, all_pairs
from irassay.errors import InputError
from irassay.tolerance import EQUAL, NO_SPREAD

RATE = 0.05  # reversals up to which a pair is resolved
BIN_WIDTH = 0.01


@dataclass(frozen=True, eq=False)
class Reversals:
    """Of all pairs, in the order of `all_pairs`; nan for the `equal` ones, which are left out."""

    difference: Array  # |Δ| observed
    rate: Array
    fitted: Array  # the non-increasing fit of the rate on |Δ|
    equal: int  # pairs without an observed difference

    @property
    def pairs_resolved(self) -> float:
        """The share of pairs with at most 5% reversals; nan where all are equal."""
        rate = self.rate[~np.isnan(self.rate)]
        return float((rate <= RATE + NO_SPREAD).mean()) if len(rate) else math.nan

    @property
    def surviving_difference(self) -> float:
        """The smallest |Δ| at which the fit is at most 5%; nan where there is none."""
        enough = self.difference[self.fitted <= RATE + NO_SPREAD]
        return float(enough.min()) if len(enough) else math.nan


@dataclass(frozen=True, eq=False)
class ReversalBins:
    """Pairs by |Δ|, in bins from the smallest that occurs to the largest; means are nan in an empty one."""

    difference: Array  # lower edges; an edge within 1e-10 is reached
    pairs: NDArray[np.int64]
    reversal_rate: Array
    fitted: Array


def reversals(observed: Array, means: Array) -> Reversals:
    """Reversals of observed scores [system] in replicates [replicate, system]."""
    systems = len(observed)
    if np.ndim(means) != 2 or means.shape[1] != systems or not means.size or systems < 2:
        raise ValueError(f"observed scores of {systems} systems and replicates {np.shape(means)}")
    if not (np.isfinite(observed).all() and np.isfinite(means).all()):
        raise InputError("a score is not a finite number", hint="every system needs a score on every replicate")
    x, y = all_pairs(systems)
    difference = observed[x] - observed[y]
    size = np.abs(difference)
    leads = np.zeros(len(x), dtype=np.int64)
    add_leads(np.require(means, np.float64, ["C", "W"]), leads)
    # the same order in all replicates: leads = ±n, none reversed; n replicates the other way round: 2n halves
    rate = np.where(size > EQUAL, (len(means) - np.sign(difference) * leads) / (2 * len(means)), np.nan)
    return Reversals(size, rate, falling_fit(size, rate), int(np.isnan(rate).sum()))


def falling_fit(size: Array, rate: Array) -> Array:
    """The non-increasing least-squares fit of rates on sizes, nan where the rate is; equal sizes have one value."""
    from scipy.optimize import isotonic_regression

    fitted = np.full(len(rate), np.nan)
    known = np.flatnonzero(~np.isnan(rate))
    if not len(known):
        return fitted
    order = known[np.argsort(size[known], kind="stable")]
    # sizes that follow each other within 1e-10 are equal, as scores are
    group = np.concatenate([[0], np.cumsum(np.diff(size[order]) > EQUAL)])
    pairs = np.bincount(group)
    fit = isotonic_regression(np.bincount(group, rate[order]) / pairs, weights=pairs, increasing=False)
    fitted[order] = fit.x[group]
    return fitted


def reversal_bins(result: Reversals, width: float = BIN_WIDTH) -> ReversalBins:
    """The pairs that have an order, in bins of |Δ|."""
    known = ~np.isnan(result.rate)
    place = ((result.difference[known] + EQUAL) / width).astype(np.int64)
    low = int(place.min()) if len(place) else 0
    pairs = np.bincount(place - low)

    def means(values: Array) -> Array:
        out = np.full(len(pairs), np.nan)
        np.divide(np.bincount(place - low, values[known]), pairs, out=out, where=pairs > 0)
        return out

    # 3 * 0.1 is not 0.3: edges are given as one would write them
    edges = np.array([round((low + k) * width, 12) for k in range(len(pairs))])
    return ReversalBins(edges, pairs, means(result.rate), means(result.fitted))
