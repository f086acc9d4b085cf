"""Would two systems swap places on samples of these topics, and how large a difference makes that rare?"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.ask._counting import count_swaps
from irassay.ask.replicates import Replicates
from irassay.compute.executor import CHUNK, Plan, State, Sums, execute
from irassay.errors import InputError
from irassay.tolerance import EQUAL


@dataclass(frozen=True, eq=False)
class SwapRates:
    """Swap rates by the size of the difference, and the smallest difference from which on they are low enough."""

    bin_low: NDArray[np.float64]  # lower edges; the last bin is open
    comparisons: NDArray[np.int64]
    swaps: NDArray[np.int64]
    rates: NDArray[np.float64]  # nan where no difference fell into the bin
    required_difference: float  # nan where the highest observed bin is above the rate
    max_score: float  # the largest over systems, samples and both sets
    ratio: float  # required_difference / max_score
    share_satisfied: float  # of all first-set differences, those that reach the required one


def swap(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    *,
    bin_width: float = 0.01,
    bins: int = 21,
    rate: float = 0.05,
    jobs: int = 1,
) -> SwapRates:
    r"""The swap method on two sets of samples [replicates, systems], all pairs (sakai2007bootstrap, Fig. 19).

    A difference $D$ of the first set falls into a bin by $|D|$ (an edge within 1e-10 is reached) and is a swap
    unless $D \cdot D' > 0$ with the second set's $D'$; scores within 1e-10 are equal, and a zero product is a swap.
    The required difference is the lower edge of the smallest observed bin such that it and all higher observed
    bins have at most `rate` swaps. The numbers do not depend on `jobs`.
    """
    if not 0 <= rate <= 1:
        raise InputError(f"the swap rate must lie in [0, 1], not {rate}", hint="0.05 is usual")
    edges, comparisons, swaps, rates = binned_swaps(first, second, bin_width, bins, jobs=jobs)
    top = float(max(np.max(first), np.max(second)))
    low = np.flatnonzero(rates > rate).max(initial=-1) + 1  # from this bin on no rate is too high
    observed = low + np.flatnonzero(comparisons[low:])
    if not len(observed):
        return SwapRates(edges, comparisons, swaps, rates, math.nan, top, math.nan, math.nan)
    start = observed[0]
    required = float(edges[start])
    ratio = required / top if top > 0 else math.nan
    # |D| reaches an edge by the rule that put it into its bin
    share = int(comparisons[start:].sum()) / int(comparisons.sum())
    return SwapRates(edges, comparisons, swaps, rates, required, top, ratio, share)


def swap_of(first: Replicates, second: Replicates, measure: int, *, jobs: int = 1) -> SwapRates:
    """The swap method on two independent sets of replicates of one variation."""
    if (first.variation, first.measures, first.systems) != (second.variation, second.measures, second.systems):
        raise ValueError("the two sets of replicates are not of the same variation, measures and systems")
    return swap(first.means[measure], second.means[measure], jobs=jobs)


class Binned(NamedTuple):
    """Comparisons by bin of |D|, the last bin open; its arrays are read-only."""

    bin_low: NDArray[np.float64]
    comparisons: NDArray[np.int64]
    swaps: NDArray[np.int64]
    rates: NDArray[np.float64]  # nan where no difference fell into the bin


def binned_swaps(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    bin_width: float,
    bins: int,
    *,
    ties: bool = True,
    jobs: int = 1,
) -> Binned:
    """In each bin of the first set's differences, how many have another sign in the second.

    With `ties` also those that are 0 in either set.
    """
    _check(first, second, bin_width, bins)
    plan = _Swaps(first, second, float(bin_width), bins, ties)
    comparisons, swaps = execute("samples counted", plan, Sums(), jobs=jobs)["counts"]
    rates = np.full(bins, np.nan)
    np.divide(swaps, comparisons, out=rates, where=comparisons > 0)
    # 3 * 0.1 is not 0.3: edges are given as one would write them, far within the tolerance
    edges = np.array([round(i * bin_width, 12) for i in range(bins)])
    for values in (edges, comparisons, swaps, rates):
        values.setflags(write=False)
    return Binned(edges, comparisons, swaps, rates)


@dataclass(frozen=True, eq=False)
class _Swaps(Plan):
    """Counts comparisons and swaps in each bin, replicate by replicate."""

    first: NDArray[np.float64]
    second: NDArray[np.float64]
    bin_width: float
    bins: int
    ties: bool
    chunk = CHUNK

    @property
    def gpu(self) -> bool:
        return self.ties

    @property
    def units(self) -> int:
        return len(self.first)

    def block(self, part: range, jobs: int) -> State:
        counts = np.zeros((2, self.bins), dtype=np.int64)
        # copies: kernels are compiled for plain arrays, not for read-only or strided ones
        first, second = (
            np.array(values[part.start : part.stop], dtype=np.float64, order="C")
            for values in (self.first, self.second)
        )
        count_swaps(first, second, self.bin_width, self.ties, counts[0], counts[1])
        return {"counts": counts}

    def gpu_block(self, part: range, jobs: int) -> State:
        from irassay.ask.gpu.counting import swaps_on_gpu

        here = slice(part.start, part.stop)
        return {"counts": swaps_on_gpu(self.first[here], self.second[here], self.bin_width, self.bins)}


def _check(first: NDArray[np.float64], second: NDArray[np.float64], bin_width: float, bins: int) -> None:
    if np.ndim(first) != 2 or np.shape(first) != np.shape(second):
        raise InputError(
            f"the two sets of samples have shapes {np.shape(first)} and {np.shape(second)}",
            hint="both are [replicates, systems], the same systems in the same order",
        )
    if first.shape[0] < 1 or first.shape[1] < 2:
        raise InputError(f"swaps need two systems and a sample, not {first.shape[1]} and {first.shape[0]}")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise InputError("a score is not a finite number", hint="every system needs a score on every sample")
    if not (math.isfinite(bin_width) and bin_width > 2 * EQUAL):
        raise InputError(f"the bin width must be positive, not {bin_width}", hint="0.01 is usual")
    if bins < 1:
        raise InputError(f"there must be at least one bin, not {bins}", hint="21 is usual")
