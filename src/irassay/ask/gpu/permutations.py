"""Labels permuted on the GPU: the permutations of the CPU, summed in its order (ask/_permutations.py)."""

import numpy as np
from numpy.typing import NDArray

from irassay.compute.gpu import OPTIONS, cupy, free_memory, to_host
from irassay.compute.gpu.draws import PHILOX

SOURCE = (
    PHILOX
    + r"""
static __device__ __forceinline__ long long below(u32 high, u32 low, u64 size) {
    u64 a = (u64)high * size, b = (u64)low * size;
    return (long long)((a + (b >> 32)) >> 32);
}

// One thread for a replicate: largest less smallest sum of a system once every topic's scores are permuted.
// Scratch is [system, replicate], so that neighbouring threads write next to each other.
extern "C" __global__ void permuted_ranges(
    const double *scores, int topics, int systems, u64 seed, u32 stream, u64 first, int replicates, double *row,
    double *sums, double *out)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= replicates) return;
    u64 replicate = first + b;
    long long stride = replicates;
    int steps = (systems + 1) >> 1;
    for (int s = 0; s < systems; s++) sums[s * stride + b] = 0.0;
    for (int t = 0; t < topics; t++) {
        for (int s = 0; s < systems; s++) row[s * stride + b] = scores[t * systems + s];
        for (int step = 0; step < steps; step++) {
            u32 c[4] = {(u32)(t * steps + step), (u32)replicate, (u32)(replicate >> 32), stream};
            philox(c, (u32)seed, (u32)(seed >> 32));
            for (int k = 0; k < 2; k++) {
                int last = systems - 1 - 2 * step - k;
                if (last < 0) break;
                long long i = below(c[2 * k], c[2 * k + 1], (u64)last + 1);
                sums[last * stride + b] += row[i * stride + b];
                row[i * stride + b] = row[last * stride + b];
            }
        }
    }
    double low = sums[b], high = sums[b];
    for (int s = 1; s < systems; s++) {
        double v = sums[s * stride + b];
        if (v < low) low = v;
        if (v > high) high = v;
    }
    out[b] = high - low;
}
"""
)


def ranges_on_gpu(scores: NDArray[np.float64], replicates: int, *, seed: int, stream: int) -> NDArray[np.float64]:
    """Ranges of the systems' sums [replicates]; `scores` are [topics, systems]."""
    cp = cupy()
    function = cp.RawKernel(SOURCE, "permuted_ranges", options=OPTIONS)
    topics, systems = scores.shape
    held = cp.asarray(np.ascontiguousarray(scores))
    tile = max(1, min(1 << 18, int(0.5 * free_memory()) // (16 * systems)))
    out = np.empty(replicates)
    for low in range(0, replicates, tile):
        count = min(tile, replicates - low)
        row, sums = cp.empty((systems, count)), cp.empty((systems, count))
        ranges = cp.empty(count)
        function(
            (-(-count // 128),),
            (128,),
            (
                held,
                np.int32(topics),
                np.int32(systems),
                np.uint64(seed),
                np.uint32(stream),
                np.uint64(low),
                np.int32(count),
                row,
                sums,
                ranges,
            ),
        )
        out[low : low + count] = to_host(ranges)
    return out
