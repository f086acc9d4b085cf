"""Counting on the GPU over all pairs and samples (ask/_counting.py says what is counted, and has the tolerance)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.gpu.paired import module as paired_module
from irassay.ask.pairs import Array, all_pairs
from irassay.compute.gpu import OPTIONS, cupy, free_memory, to_host
from irassay.tolerance import EQUAL

SOURCE = r"""
#define EQUAL __EQUAL__
static __device__ __forceinline__ int sign(double d) { return (d > EQUAL) - (d < -EQUAL); }

// One block for a replicate: adds to the counts of each bin, the last one is open.
extern "C" __global__ void count_swaps(
    const double *first, const double *second, int systems, double width, int bins, unsigned long long *comparisons,
    unsigned long long *swaps)
{
    extern __shared__ int held[];
    for (int i = threadIdx.x; i < 2 * bins; i += blockDim.x) held[i] = 0;
    __syncthreads();
    const double *a = first + (long long)blockIdx.x * systems, *b = second + (long long)blockIdx.x * systems;
    for (int x = threadIdx.x; x < systems; x += blockDim.x)
        for (int y = x + 1; y < systems; y++) {
            double difference = a[x] - a[y], place = (fabs(difference) + EQUAL) / width;
            int k = place < bins - 1 ? (int)place : bins - 1;
            atomicAdd(&held[k], 1);
            if (sign(difference) * sign(b[x] - b[y]) <= 0) atomicAdd(&held[bins + k], 1);
        }
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x) {
        if (held[i]) atomicAdd(&comparisons[i], (unsigned long long)held[i]);
        if (held[bins + i]) atomicAdd(&swaps[i], (unsigned long long)held[bins + i]);
    }
}

static __device__ int margins_reached(double difference, double larger, const double *fuzziness, int values) {
    int low = 0, high = values;
    while (low < high) {
        int middle = (low + high) >> 1;
        if (difference >= fuzziness[middle] * larger - EQUAL) low = middle + 1; else high = middle;
    }
    return low;
}

// One block for a pair: leads[pair, 2, values + 1], how often X or Y is ahead by exactly so many margins.
extern "C" __global__ void count_leads(
    const double *scores, long long replicates, const int *first, const int *second, const double *fuzziness,
    int values, unsigned long long *leads)
{
    extern __shared__ int held[];
    int width = values + 1;
    for (int i = threadIdx.x; i < 2 * width; i += blockDim.x) held[i] = 0;
    __syncthreads();
    const double *x = scores + first[blockIdx.x] * replicates, *y = scores + second[blockIdx.x] * replicates;
    for (long long b = threadIdx.x; b < replicates; b += blockDim.x) {
        double difference = x[b] - y[b];
        int ahead = sign(difference);
        if (ahead > 0) atomicAdd(&held[margins_reached(difference, x[b], fuzziness, values)], 1);
        else if (ahead < 0) atomicAdd(&held[width + margins_reached(-difference, y[b], fuzziness, values)], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 2 * width; i += blockDim.x)
        leads[(long long)blockIdx.x * 2 * width + i] += (unsigned long long)held[i];
}
""".replace("__EQUAL__", repr(EQUAL))


def _function(name: str) -> Any:
    return cupy().RawModule(code=SOURCE, options=OPTIONS).get_function(name)


def swaps_on_gpu(first: Array, second: Array, width: float, bins: int) -> NDArray[np.int64]:
    """Comparisons and swaps of each bin [2, bins], from two sets of samples [replicates, systems]."""
    cp = cupy()
    function, systems = _function("count_swaps"), first.shape[1]
    comparisons, swaps = cp.zeros(bins, dtype=cp.uint64), cp.zeros(bins, dtype=cp.uint64)
    rows = max(1, int(0.5 * free_memory()) // (16 * systems))
    for low in range(0, len(first), rows):
        parts = [cp.asarray(np.ascontiguousarray(values[low : low + rows])) for values in (first, second)]
        function(
            (len(parts[0]),),
            (128,),
            (*parts, np.int32(systems), np.float64(width), np.int32(bins), comparisons, swaps),
            shared_mem=8 * bins,
        )
    return np.stack([to_host(comparisons), to_host(swaps)]).astype(np.int64)


def leads_on_gpu(scores: Array, fuzziness: Array) -> NDArray[np.int64]:
    """Minorities and ties of each fuzziness value, summed over pairs [2, values]; scores [systems, replicates]."""
    cp = cupy()
    function, values = _function("count_leads"), len(fuzziness)
    systems, replicates = scores.shape
    x, y = (index.astype(np.int32) for index in all_pairs(systems))
    pairs = cp.asarray(x), cp.asarray(y)
    leads = cp.zeros((len(x), 2, values + 1), dtype=cp.uint64)
    part = max(1, min(2**30, int(0.5 * free_memory()) // (8 * systems)))
    for low in range(0, replicates, part):
        here = cp.asarray(np.ascontiguousarray(scores[:, low : low + part]))
        function(
            (len(x),),
            (256,),
            (here, np.int64(here.shape[1]), *pairs, cp.asarray(fuzziness), np.int32(values), leads),
            shared_mem=8 * (values + 1),
        )
    by_margins = to_host(leads).astype(np.int64)
    above = by_margins[:, :, ::-1].cumsum(axis=2)[:, :, ::-1][:, :, 1:]  # ahead by at least so many margins
    minority = above.min(axis=1)
    ties = replicates - above.sum(axis=1)
    return np.stack([minority.sum(axis=0), ties.sum(axis=0)])


def kth_largest_on_gpu(rows: Any, k: int) -> Any:
    """The k-th largest of each row of values that are not below 0, on the GPU."""
    cp = cupy()
    out = cp.empty(len(rows))
    ranks = cp.full(len(rows), k, dtype=cp.int64)
    paired_module().get_function("kth_largest")((len(rows),), (256,), (rows, np.int64(rows.shape[1]), ranks, out))
    return out
