"""Paired t-tests of all pairs on every replicate on the GPU: the processor's sums in its order (ask/_verdicts.py)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Array
from irassay.compute.gpu import OPTIONS, cupy

THREADS = 128
SOURCE = r"""
// One thread for a replicate, one row of blocks for a system x: its differences from four systems y at a time.
extern "C" __global__ void count_verdicts(
    const double *values, int topics, int systems, long long own, const int *weights, int weighted, int replicates,
    const double *bounds, const signed char *observed, unsigned long long *better, unsigned long long *worse,
    unsigned long long *changed)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y;
    bool mine = b < replicates;  // all threads of a block count together, so none may end before the others
    const double *here = values + (mine && own > 1 ? b : 0);
    double bound = mine ? bounds[b] : 0.0;
    long long first = (long long)x * (2LL * systems - x - 1) / 2 - x - 1;  // the pair (x, y) is at first + y
    unsigned long long lost = 0, gained = 0, opposite = 0;
    for (int from = x + 1; from < systems; from += 4) {
        double one[4] = {0.0, 0.0, 0.0, 0.0}, two[4] = {0.0, 0.0, 0.0, 0.0};
        if (mine)
            for (int t = 0; t < topics; t++) {
                double w = weighted ? (double)weights[(long long)t * replicates + b] : 1.0;
                const double *row = here + (long long)t * systems * own;
                double score = row[x * own];
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    int y = from + k < systems ? from + k : systems - 1;
                    double z = score - row[y * own], v = w * z;
                    one[k] += v;
                    two[k] += v * z;
                }
            }
        for (int k = 0; k < 4 && from + k < systems; k++) {
            bool rejected = mine && one[k] * one[k] > bound * two[k];
            int up = rejected && one[k] > 0.0, down = rejected && one[k] < 0.0;
            long long pair = first + from + k;
            int before = observed[pair], now = up - down;
            lost += mine && before != 0 && now == 0;
            gained += before == 0 && now != 0;
            opposite += before * now < 0;
            int ups = __syncthreads_count(up), downs = __syncthreads_count(down);
            if (threadIdx.x == 0 && ups) atomicAdd(&better[pair], (unsigned long long)ups);
            if (threadIdx.x == 0 && downs) atomicAdd(&worse[pair], (unsigned long long)downs);
        }
    }
    if (!mine) return;
    if (lost) atomicAdd(&changed[3LL * b], lost);
    if (gained) atomicAdd(&changed[3LL * b + 1], gained);
    if (opposite) atomicAdd(&changed[3LL * b + 2], opposite);
}
"""


def verdicts_on_gpu(
    values: Any, weights: NDArray[np.integer] | None, bounds: Array, observed: NDArray[np.int8]
) -> tuple[Any, Any, Any]:
    """`count_verdicts` of scores on the GPU [topic, replicate or 1, system]; `bounds` are those of x [replicate]."""
    cp = cupy()
    topics, own, systems = values.shape
    replicates, pairs = len(bounds), len(observed)
    better, worse = (cp.zeros(pairs, dtype=cp.uint64) for _ in range(2))
    changed = cp.zeros((replicates, 3), dtype=cp.uint64)
    if pairs:
        # neighbouring threads have neighbouring replicates
        by_system = cp.ascontiguousarray(values.swapaxes(1, 2))
        drawn = cp.zeros(1, dtype=cp.int32) if weights is None else cp.asarray(_by_topic(weights))
        cp.RawKernel(SOURCE, "count_verdicts", options=OPTIONS)(
            (-(-replicates // THREADS), systems - 1),
            (THREADS,),
            (
                by_system,
                np.int32(topics),
                np.int32(systems),
                np.int64(own),
                drawn,
                np.int32(weights is not None),
                np.int32(replicates),
                cp.asarray(bounds),
                cp.asarray(observed),
                better,
                worse,
                changed,
            ),
        )
    return better, worse, changed


def _by_topic(weights: NDArray[np.integer]) -> NDArray[np.int32]:
    return np.ascontiguousarray(weights.T, dtype=np.int32)
