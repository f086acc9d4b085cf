"""Tables of fitted densities on the GPU: what `vary._density.tabulate` makes, node by node in its order."""

from typing import Any

import numpy as np

from irassay.compute.gpu import OPTIONS, cupy
from irassay.vary._density import ROWS, STEPS, WINDOW, Tables, kernel_rows
from irassay.vary._simulated_lists import SimulatedLists

THREADS = 128
SOURCE = """
// One thread for a node of a list: the kernels of all scores that reach it are added up, the best score first.
extern "C" __global__ void tabulate(
    int first_list, const long long *other, const double *score, const double *width, const double *origin,
    const long long *node, const double *rows, const double *heights, double *above, double *slope)
{
    long long q = first_list + blockIdx.y, k = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= node[q + 1] - node[q]) return;
    long long full = 0;  // kernels that lie wholly above the node
    double sum = 0.0, height = 0.0;
    for (long long c = other[q]; c < other[q + 1]; c++) {
        double place = ((score[c] - origin[q]) / width[q] - __WINDOW__) * __STEPS__;
        long long b = (long long)ceil(place);
        if (b > k) { full++; continue; }
        if (k - b >= __SPAN__) break;  // so do all that follow lie below
        double offset = (b - place) * __ROWS__;
        long long row = (long long)(offset < __ROWS__ - 1 ? offset : __ROWS__ - 1);
        double w = offset - row, v = 1.0 - w;
        const double *near = rows + row * __SPAN__ + (k - b), *near_height = heights + row * __SPAN__ + (k - b);
        sum += v * near[0] + w * near[__SPAN__];
        height += v * near_height[0] + w * near_height[__SPAN__];
    }
    double each = 1.0 / (double)(other[q + 1] - other[q]);
    above[node[q] + k] = (sum + full) * each;
    slope[node[q] + k] = height * (-each / __STEPS__);
}
"""
for name, number in {"WINDOW": WINDOW, "STEPS": STEPS, "ROWS": ROWS, "SPAN": 2 * WINDOW * STEPS}.items():
    SOURCE = SOURCE.replace(f"__{name}__", str(number))


def densities_on_gpu(lists: SimulatedLists, tables: Tables, most_lists: int) -> list[Any]:
    """What a kernel takes of fitted lists: relevant scores and their kernels' width, the first node's score, nodes to a
    unit of score, where the nodes of each list start, and S and its derivative there."""
    cp = cupy()
    nodes, origin = tables
    fitted = nodes > 0
    density = np.where(fitted, STEPS / np.where(fitted, lists.other_width, 1.0), 1.0)
    start = np.concatenate([[0], np.cumsum(nodes)]).astype(np.int64)
    above, slope = (cp.zeros(int(start[-1]) + 1) for _ in range(2))
    held = [cp.asarray(array) for array in (origin, start)]
    if fitted.any():
        scores = [cp.asarray(array) for array in (lists.other, lists.other_score, lists.other_width)]
        rows = [cp.asarray(array) for array in kernel_rows()]
        tabulate = cp.RawKernel(SOURCE, "tabulate", options=OPTIONS)
        for low in range(0, len(lists), most_lists):
            grid = (-(-int(nodes.max()) // THREADS), min(most_lists, len(lists) - low))
            tabulate(grid, (THREADS,), (np.int32(low), *scores, *held, *rows, above, slope))
    put = [cp.asarray(array) for array in (lists.relevant_score, lists.relevant_width, origin, density)]
    return [*put, held[1], above, slope]
