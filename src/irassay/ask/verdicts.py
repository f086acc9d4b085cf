"""Which pairs of systems a paired t-test calls different, and do other replicates come to the same verdicts?

A verdict is 1 where x is better, -1 where it is worse and 0 where the test at alpha, two-sided and per comparison,
decides nothing.
"""

from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask import _verdicts as kernels
from irassay.ask.comparison import student
from irassay.ask.pairs import Array
from irassay.ask.t_statistic import critical
from irassay.compute.threads import parallel_for
from irassay.errors import InputError

ALPHA = 0.05
CHUNK = 32  # replicates that a thread takes at a time
Counts = NDArray[np.int64]
Signs = NDArray[np.int8]


def verdicts(values: Array, alpha: float = ALPHA) -> Signs:
    """Verdicts on all pairs from scores [topic, system]."""
    nothing = np.zeros(_pairs(values.shape[1]), dtype=np.int8)
    better, worse, _ = count_verdicts(values[:, None], None, nothing, alpha)
    return np.asarray(better - worse, dtype=np.int8)


def t_test_p_values(values: Array) -> Array:
    """Two-sided p-values of the paired t-test of all pairs from scores [topic, system]."""
    by_system = np.ascontiguousarray(np.asarray(values, dtype=np.float64).T)
    critical(by_system.shape[1], ALPHA)  # an error where there are too few topics
    # one system against all that follow it: pairs x topics need not fit into memory
    rows = [student(by_system[x] - by_system[x + 1 :]) for x in range(len(by_system) - 1)]
    return np.concatenate(rows) if rows else np.empty(0)


def count_verdicts(
    values: Any,
    weights: NDArray[np.integer] | None,
    observed: Signs,
    alpha: float = ALPHA,
    jobs: int = 1,
    *,
    gpu: bool = False,
) -> tuple[Any, Any, Any]:
    """Replicates in which x is better and worse [pair], and verdicts lost, gained and reversed [replicate, 3].

    `values` are the tested scores [topic, replicate, system]; with `weights` [replicate, topic], the multiplicities of
    samples of topics, their second axis may be 1. `observed` are the verdicts [pair] that may change. Sums have a fixed
    order, so the counts do not depend on `jobs`. With `gpu` values are there, and so are the counts.
    """
    topics, own, systems = values.shape
    replicates = own if weights is None else len(weights)
    if own not in (1, replicates) or (weights is not None and weights.shape != (replicates, topics)):
        raise ValueError(f"weights of {replicates} samples of topics do not go with values {values.shape}")
    if observed.shape != (_pairs(systems),):
        raise ValueError(f"observed verdicts are {observed.shape}, not one for each pair of {systems} systems")
    if not np.isfinite(values).all():
        raise InputError("a score is not a finite number", hint="every system needs a score on every topic")
    counts = np.ones((replicates, topics), dtype=np.int64) if weights is None else np.array(weights, dtype=np.int64)
    sizes, which = np.unique(counts.sum(axis=1), return_inverse=True)
    bounds = np.array([critical(int(size), alpha) for size in sizes])[which]
    if gpu:
        from irassay.ask.gpu.verdicts import verdicts_on_gpu

        return verdicts_on_gpu(values, weights, bounds, observed)
    # copies where needed: kernels are compiled for plain arrays, not for read-only or strided ones
    plain = np.require(values, np.float64, ["C", "W"])
    signs = np.array(observed, dtype=np.int8)
    better, worse = np.zeros((2, len(signs)), dtype=np.int64)
    changed = np.empty((replicates, 3), dtype=np.int64)
    adding = Lock()

    def count(low: int) -> None:
        here = slice(low, low + CHUNK)
        part = np.zeros((2, len(signs)), dtype=np.int64)
        kernels.count_verdicts(
            plain,
            low,
            counts[here],
            bounds[here],
            signs,
            np.empty(topics, dtype=np.int64),
            np.empty(topics),
            np.empty((2, systems)),
            part[0],
            part[1],
            changed[here],
        )
        with adding:  # whole numbers: the order cannot show
            np.add(better, part[0], out=better)
            np.add(worse, part[1], out=worse)

    parallel_for(count, range(0, replicates, CHUNK), jobs)
    return better, worse, changed


def _pairs(systems: int) -> int:
    return systems * (systems - 1) // 2
