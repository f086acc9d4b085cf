"""What unjudged documents could do to scores and differences, and which of them to judge next.

Arrays are of one topic: weights and values are [systems, documents], of the documents without a judgment.
"""

from typing import NamedTuple

import numpy as np

from irassay.ask._unjudged import add_sum_bounds, widen_first_bounds
from irassay.ask.pairs import Array, all_pairs

NOTHING = 1e-19  # weights that no sum shows


class Bounds(NamedTuple):
    """The smallest and the largest value."""

    low: Array
    high: Array


def sum_bounds(fixed: Array, weights: Array) -> tuple[Bounds, Bounds]:
    """Of scores that are sums over documents, and of their differences, all pairs: whatever is relevant.

    `fixed` [systems] are the scores without the documents, `weights` what each adds where it is relevant. For a
    difference a document counts once, wherever both lists have it: it adds the difference of its weights, or nothing.
    """
    systems = Bounds(fixed + np.minimum(weights, 0).sum(axis=1), fixed + np.maximum(weights, 0).sum(axis=1))
    x, y = all_pairs(len(fixed))
    low, high = fixed[x] - fixed[y], fixed[x] - fixed[y]
    some = np.abs(weights).max(axis=0, initial=0.0) > NOTHING
    add_sum_bounds(np.ascontiguousarray(weights[:, some]), x, y, low, high)
    return systems, Bounds(low, high)


def first_bounds(fixed: Array, values: list[Array]) -> tuple[Bounds, Bounds]:
    """The same of scores that depend on the first relevant document alone, and rise with it.

    `values` has for each grade the scores of lists in which one more document has it. More than one cannot do more: the
    first one decides for x, and every further one can only raise y.
    """
    high = fixed.copy()
    x, y = all_pairs(len(fixed))
    pairs = Bounds(fixed[x] - fixed[y], fixed[x] - fixed[y])
    for of_grade in values:
        plain = np.ascontiguousarray(of_grade)
        high = np.maximum(high, plain.max(axis=1, initial=-np.inf))
        widen_first_bounds(fixed, plain, x, y, *pairs)
    return Bounds(fixed, high), pairs


def outer_bounds(systems: Bounds) -> Bounds:
    """Bounds of differences that hold, but need not be reached: each system as if the other did not matter."""
    x, y = all_pairs(len(systems.low))
    return Bounds(systems.low[x] - systems.high[y], systems.high[x] - systems.low[y])


def worth(probability: Array, effects: Array, pairs: Array) -> Array:
    r"""What judging each document is worth: how much of the variance of differences comes from it.

    $$p(1-p)\sum_{x,y} w_{xy}(\partial_x-\partial_y)^2$$
    `effects` [documents, systems] are what each adds to scores where it is relevant, `pairs` [systems, systems] the
    symmetric weights of pairs.
    """
    matrix = np.diag(pairs.sum(axis=1)) - pairs
    return np.asarray(probability * (1 - probability) * np.einsum("ds,ds->d", effects @ matrix, effects).clip(min=0))
