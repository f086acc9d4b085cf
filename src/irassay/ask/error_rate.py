"""How often do replicates order two systems against the scores themselves, by the size of their difference?"""

import numpy as np

from irassay.ask.pairs import Array
from irassay.ask.swap import Binned, binned_swaps
from irassay.errors import InputError


def error_rate(raw: Array, replicates: Array, *, bin_width: float = 0.01, bins: int = 21, jobs: int = 1) -> Binned:
    r"""Algorithm 1 of yang2018variance: raw scores [systems] against replicates [replicates, systems], all pairs.

    $d_i$ falls into a bin by $|d_i|$ (an edge within 1e-10 is reached, 0 is in the first) and is an error where
    $d \cdot d_i < 0$; scores within 1e-10 are equal.
    """
    if np.shape(raw) != np.shape(replicates)[1:]:
        raise InputError(
            f"raw scores {np.shape(raw)} and replicates {np.shape(replicates)} are not of the same systems",
            hint="replicates are [replicates, systems], of at least two systems",
        )
    return binned_swaps(replicates, np.broadcast_to(raw, replicates.shape), bin_width, bins, ties=False, jobs=jobs)
