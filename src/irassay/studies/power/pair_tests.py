"""One test of all pairs of systems by one measure: what is kept of it, however many pairs there are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Pairs, some_pairs, starts_of
from irassay.ask.significance import PairTests
from irassay.compute.memory import empty
from irassay.progress import notify
from irassay.result.long_columns import LongColumn, StoredArray, constant
from irassay.scoring.scores import Array

TOGETHER = 1 << 20  # pairs that are tested together, a multiple of what tests take as one tile
MANY = 1_000_000  # pairs from which on a user hears beforehand what they cost
SECONDS = 2e-10  # of one thread for a pair, a sample and a topic, about
TEMPORARY, SAVED = 20, 100  # bytes for a pair and a test, about
BASE = 4e8  # bytes that every process takes


@dataclass(frozen=True, eq=False)
class MeasureTests:
    """One test of all pairs of systems by one measure, the pairs in the order of `ask.pairs`."""

    measure: str
    test: str
    systems: int
    samples: int
    alphas: tuple[float, ...]
    difference: StoredArray
    statistic: StoredArray
    count: StoredArray  # of samples at least as far out
    significant: tuple[int, ...]  # pairs, at each alpha
    required: tuple[tuple[float, float, float], ...]  # the largest over pairs, their median and 95th percentile
    pairs_by_count: NDArray[np.int64]
    lead: Array  # the sum of each system's differences to the others

    @property
    def pairs(self) -> int:
        return len(self.count)

    @property
    def sorted_levels(self) -> Array:
        """ASL of all pairs, from the lowest on."""
        return np.repeat(np.arange(self.samples + 1), self.pairs_by_count) / self.samples

    def columns(self, names: Sequence[str]) -> dict[str, LongColumn]:
        """A row for each pair of the systems with these names."""
        pairs = self.pairs
        return {
            "measure": constant(self.measure, pairs),
            "test": constant(self.test, pairs),
            "system_x": LongColumn(pairs, partial(_system, self.systems, 0), names),
            "system_y": LongColumn(pairs, partial(_system, self.systems, 1), names),
            "mean_difference": LongColumn(pairs, self.difference),
            "statistic": LongColumn(pairs, self.statistic),
            "asl": LongColumn(pairs, partial(_levels, self.count, self.samples)),
        }

    @cached_property
    def best_first(self) -> NDArray[np.int64]:
        """Systems in the order of their means."""
        return np.argsort(-np.round(self.lead / max(1, self.systems - 1), 12), kind="stable")

    def pairs_among(self, most: int) -> NDArray[np.int64]:
        """The places of the pairs of the `most` best systems."""
        chosen = np.sort(self.best_first[:most])
        starts = starts_of(self.systems)
        return np.concatenate([starts[x] + chosen[k + 1 :] - x - 1 for k, x in enumerate(chosen.tolist())])


def _system(systems: int, side: int, low: int, high: int) -> NDArray[np.int64]:
    return some_pairs(systems, low, high)[side]


def _levels(count: StoredArray, samples: int, low: int, high: int) -> Array:
    return np.asarray(count(low, high) / samples)


def test_pairs(
    measure: str, test: str, systems: int, tested: Callable[[Pairs], PairTests], samples: int, alphas: Sequence[float]
) -> MeasureTests:
    """Test all pairs, so many together that their number does not decide the memory."""
    pairs = systems * (systems - 1) // 2
    required = empty((len(alphas), pairs), of="pairs")
    numbers = StoredArray(np.float64), StoredArray(np.float64), StoredArray(np.int32)
    significant, by_count = np.zeros(len(alphas), np.int64), np.zeros(samples + 1, np.int64)
    lead = np.zeros(systems)
    for low in range(0, pairs, TOGETHER):
        high = min(low + TOGETHER, pairs)
        own = tested(some_pairs(systems, low, high))
        for stored, array in zip(numbers, (own.difference, own.statistic, own.count), strict=True):
            stored.append(array)
        required[:, low:high] = own.required.T
        significant += [(own.asl < alpha).sum() for alpha in alphas]
        by_count += np.bincount(own.count, minlength=samples + 1)
        lead += np.bincount(own.first, own.difference, systems) - np.bincount(own.second, own.difference, systems)
    summaries = [(float(row.max()), float(np.median(row)), float(np.percentile(row, 95))) for row in required]
    counts = tuple(significant.tolist())
    return MeasureTests(
        measure, test, systems, samples, tuple(alphas), *numbers, counts, tuple(summaries), by_count, lead
    )


def announce(systems: int, topics: int, samples: int, tests: int, levels: int, jobs: int, out: Any) -> None:
    """Say what the tests of very many pairs will cost, before they begin."""
    pairs = systems * (systems - 1) // 2
    if pairs * tests < MANY:
        return
    seconds = SECONDS * tests * pairs * samples * topics / jobs
    time = f"{seconds:.0f} seconds" if seconds < 100 else f"{seconds / 60:.0f} minutes"
    memory = BASE + 8 * pairs * (levels + 1) + 100 * min(pairs, TOGETHER)
    disk = pairs * tests * TEMPORARY
    saved = f" and {_gigabytes(pairs * tests * SAVED)} in {out}" if out else ""
    notify(
        f"{pairs:,} pairs of systems, {tests} test{'s' * (tests != 1)} of each on {samples:,} samples of {topics:,} "
        f"topics: about {time}, {_gigabytes(memory)} of memory, {_gigabytes(disk)} of temporary files{saved}"
    )


def _gigabytes(size: float) -> str:
    return f"{size / 1e9:.1f} GB"
