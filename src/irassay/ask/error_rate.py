"""How often do replicates order two systems against the scores themselves, by the size of their difference?"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.ask._counting import count_swaps
from irassay.ask.swap import binned_rates
from irassay.errors import InputError
from irassay.tolerance import EQUAL

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ErrorRate:
    """Comparisons and errors by bin of the replicates' |difference|; the last bin is open."""

    bin_low: Array
    comparisons: NDArray[np.int64]
    errors: NDArray[np.int64]
    rates: Array  # nan where no difference fell into the bin


def error_rate(raw: Array, replicates: Array, *, bin_width: float = 0.01, bins: int = 21) -> ErrorRate:
    r"""Algorithm 1 of yang2018variance: raw scores [systems] against replicates [replicates, systems], all pairs.

    $d_i$ falls into a bin by $|d_i|$ (an edge within 1e-10 is reached, 0 is in the first) and is an error where
    $d \cdot d_i < 0$; scores within 1e-10 are equal.
    """
    if np.ndim(replicates) != 2 or np.shape(raw) != replicates.shape[1:] or replicates.shape[1] < 2:
        raise InputError(
            f"raw scores {np.shape(raw)} and replicates {np.shape(replicates)} are not of the same systems",
            hint="replicates are [replicates, systems], of at least two systems",
        )
    if not (np.isfinite(raw).all() and np.isfinite(replicates).all()):
        raise InputError("a score is not a finite number", hint="every system needs a score on every replicate")
    if not (math.isfinite(bin_width) and bin_width > 2 * EQUAL) or bins < 1:
        raise InputError(f"{bins} bins of width {bin_width}", hint="21 bins of width 0.01 are usual")
    comparisons, errors = np.zeros((2, bins), dtype=np.int64)
    # copies: kernels are compiled for plain arrays, not for read-only or strided ones
    sampled = np.array(replicates, dtype=np.float64, order="C")
    scores = np.array(np.broadcast_to(raw, sampled.shape), dtype=np.float64, order="C")
    count_swaps(sampled, scores, float(bin_width), False, comparisons, errors)
    edges, rates = binned_rates(errors, comparisons, bin_width)
    return ErrorRate(edges, comparisons, errors, rates)
