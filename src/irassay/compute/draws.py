"""Samples of topics with replacement: a function of (seed, stream, replicate) and the number of topics."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import compiled, kernels
from irassay.compute.memory import require
from irassay.compute.threads import parallel_for

ROWS = 64  # replicates that a thread draws at once
TILE = 64, 16  # topics, and samples side by side, that are summed together
DRAWS = 100  # draws of a topic that take about as long as reading a line


def _kernels() -> Any:
    return kernels("irassay.compute._draws", plain="irassay.compute.plain_draws")


def random_indices(
    replicates: int, draws: int, size: int, *, seed: int, stream: int, first: int = 0
) -> NDArray[np.int32]:
    """`draws` numbers below `size` for each replicate."""
    require(3 * 4 * replicates * max(draws, size if size < 2**31 - 1 else 0), "samples")  # with counts, and packed
    compiled("draw", replicates * draws // DRAWS)
    out = np.empty((replicates, draws), dtype=np.int32)
    _kernels().fill_indices(out, size, np.uint64(seed), np.uint32(stream), np.int64(first))
    return out


def random_counts(
    replicates: int, draws: int, size: int, *, seed: int, stream: int, first: int = 0, jobs: int = 1
) -> NDArray[np.int32]:
    """How often each number below `size` is among such draws [replicates, size]; the draws themselves are not kept."""
    require(2 * 4 * replicates * max(draws, size), "samples")  # with what is packed
    compiled("draw", replicates * draws // DRAWS)
    counts = np.empty((replicates, size), dtype=np.int32)
    kernels = _kernels()

    def count(low: int) -> None:
        row = np.empty(draws, dtype=np.int32)
        kernels.fill_counts(counts[low : low + ROWS], row, np.uint64(seed), np.uint32(stream), np.int64(first + low))

    parallel_for(count, range(0, replicates, ROWS), jobs)
    return counts


def sums_of_samples(scores: NDArray[np.float64], counts: NDArray[np.int32], *, jobs: int = 1) -> NDArray[np.float64]:
    """Every column's sum over every sample [samples, columns]; scores are [topics, columns]."""
    columns = scores.shape[1]
    compiled("draw", counts.size // DRAWS)
    sums, rows, kernels = np.empty((len(counts), columns)), np.ascontiguousarray(scores), _kernels()

    def part(low: int) -> None:
        scratch = np.zeros(TILE), np.empty((columns, TILE[1]))
        kernels.sampled_sums(rows, counts[low : low + ROWS], *scratch, sums[low : low + ROWS])

    parallel_for(part, range(0, len(counts), ROWS), jobs)
    return sums


class Samples(Protocol):
    """Samples of topics as counts [samples, topics]: an array, or what draws those of a slice when they are needed."""

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> NDArray[np.int32]: ...


PackedSamples = tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]


def packed_samples(counts: NDArray[np.int32], *, jobs: int = 1) -> PackedSamples:
    """The topics of every sample, how often each, and where each sample starts; as narrow as they fit."""
    from irassay.compute import _draws

    start = np.zeros(len(counts) + 1, dtype=np.int64)
    parts = range(0, len(counts), ROWS)
    parallel_for(lambda low: _draws.count_drawn(counts[low : low + ROWS], start[low + 1 : low + 1 + ROWS]), parts, jobs)
    np.cumsum(start, out=start)
    narrow = np.int16 if counts.shape[1] < 2**15 else np.int32
    topic, times = np.empty((2, start[-1]), dtype=narrow)
    parallel_for(
        lambda low: _draws.pack_rows(counts[low : low + ROWS], topic, times, start[low : low + ROWS + 1]), parts, jobs
    )
    return topic, times, start
