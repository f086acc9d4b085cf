"""Sums over replicates of scores on the GPU, and their histograms."""

from typing import Any

import numpy as np

from irassay.compute.gpu import OPTIONS, cupy

HISTOGRAMS = r"""
// counts[cell, bin] of values[cell, image] (rows are `stride` long): one block for a cell, bins in shared memory.
extern "C" __global__ void histograms(
    const double *values, long long stride, int images, const double *low, const double *width, int bins, int *counts)
{
    extern __shared__ int held[];
    long long cell = blockIdx.x;
    for (int b = threadIdx.x; b < bins; b += blockDim.x) held[b] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < images; i += blockDim.x) {
        double place = (values[cell * stride + i] - low[cell]) / width[cell];
        int b = place < 0.0 ? 0 : place > bins - 1 ? bins - 1 : (int)place;
        atomicAdd(&held[b], 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) counts[cell * bins + b] += held[b];
}
"""


def moments_on_gpu(scores: Any, shift: Any) -> tuple[Any, Any]:
    """Σd and Σdd' of what scores [..., systems, replicates] are above `shift` [..., systems]."""
    moved = scores - shift[..., None]
    return moved.sum(axis=-1), cupy().matmul(moved, moved.swapaxes(-1, -2))


def histograms_on_gpu(scores: Any, low: Any, width: Any, bins: int) -> Any:
    """How many replicates of scores [..., replicates] lie in each bin [..., bins]."""
    cp = cupy()
    values, counts = cp.ascontiguousarray(scores), cp.zeros((*scores.shape[:-1], bins), dtype=cp.int32)
    replicates = values.shape[-1]
    cp.RawKernel(HISTOGRAMS, "histograms", options=OPTIONS)(
        (values.size // replicates,),
        (256,),
        (values, np.int64(replicates), np.int32(replicates), low, width, np.int32(bins), counts),
        shared_mem=4 * bins,
    )
    return counts
