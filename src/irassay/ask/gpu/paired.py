"""The paired bootstrap test on the GPU (ask/_paired.py has the reasoning, and decides what a tie is).

Sums over samples are matrix products. The difference a pair needs is that of the sample with the k-th largest x: a
first part of the samples says between which values that lies, all samples are then counted above them and written down
between them, and the sample is picked from the few that are left.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask import _paired as kernels
from irassay.ask.constants import INFINITE, LANES
from irassay.compute.gpu import OPTIONS, cupy, free_memory, to_host
from irassay.tolerance import NO_SPREAD, TIE

Array = NDArray[np.float64]
PILOT = 32768  # samples that say where the k-th largest lies
ROWS = 8192  # samples at a time

SOURCE = r"""
static __device__ __forceinline__ double x_of(double m1, double m2, double limit, double infinite) {
    double x = m2 > 0.0 ? m1 * m1 / m2 : 0.0;
    return x >= limit ? infinite : x;
}

// x of each replicate and pair, in place of m1.
extern "C" __global__ void statistic(double *m1, const double *m2, long long size, double limit, double infinite) {
    long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < size; i += step)
        m1[i] = x_of(m1[i], m2[i], limit, infinite);
}

// Of a row's values those whose `others` lie between two bounds, or all: the k-th largest, eight bits after eight, for
// the bits of doubles not below 0 have the order of the doubles.
static __device__ double kth_of(
    const double *values, long long n, long long k, const double *others, double bottom, double top)
{
    __shared__ unsigned count[256];
    __shared__ int digit;
    __shared__ long long left;
    unsigned long long prefix = 0, known = 0;
    for (int shift = 56; shift >= 0; shift -= 8) {
        for (int j = threadIdx.x; j < 256; j += blockDim.x) count[j] = 0;
        __syncthreads();
        for (long long i = threadIdx.x; i < n; i += blockDim.x) {
            if (others && !(others[i] <= top && others[i] >= bottom)) continue;
            unsigned long long bits = (unsigned long long)__double_as_longlong(values[i]);
            if ((bits & known) == prefix) atomicAdd(&count[bits >> shift & 255], 1u);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            int d = 255;
            for (; d > 0 && k > count[d]; d--) k -= count[d];
            digit = d;
            left = k;
        }
        __syncthreads();
        k = left;
        prefix |= (unsigned long long)digit << shift;
        known |= 255ULL << shift;
    }
    return __longlong_as_double((long long)prefix);
}

// out[row] = the k-th largest of the row.
extern "C" __global__ void kth_largest(const double *values, long long n, const long long *k, double *out) {
    double value = kth_of(values + (long long)blockIdx.x * n, n, k[blockIdx.x], 0, 0.0, 0.0);
    if (threadIdx.x == 0) out[blockIdx.x] = value;
}

// |m| of the sample that is `left`-th by x, those with equal x by |m|, among the kept ones of each pair (collect).
extern "C" __global__ void pick(
    const double *kept_x, const double *kept_m, long long capacity, const long long *kept_count, const long long *left,
    double tie, double *critical, double *out)
{
    __shared__ unsigned larger;
    const double *x = kept_x + blockIdx.x * capacity, *m = kept_m + blockIdx.x * capacity;
    long long n = kept_count[blockIdx.x], k = left[blockIdx.x];
    if (n > capacity || k < 1 || k > n) return;  // not decided here
    double bound = kth_of(x, n, k, 0, 0.0, 0.0), top = bound * (1.0 + tie), bottom = bound * (1.0 - tie);
    if (threadIdx.x == 0) larger = 0;
    __syncthreads();
    for (long long i = threadIdx.x; i < n; i += blockDim.x)
        if (x[i] > top) atomicAdd(&larger, 1u);
    __syncthreads();
    double value = kth_of(m, n, k - larger, x, bottom, top);
    if (threadIdx.x == 0) {
        critical[blockIdx.x] = bound;
        out[blockIdx.x] = value;
    }
}

// One tile of replicates [rows, pairs]: counts, and what lies between low and high is written down.
extern "C" __global__ void collect(
    const double *m1, const double *m2, int rows, int pairs, double limit, double infinite, const double *bound,
    const double *low, const double *high, unsigned long long *hits, unsigned long long *above,
    unsigned long long *kept_count, long long capacity, double *kept_x, double *kept_m)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pairs) return;
    unsigned long long mine = 0, over = 0;
    for (int b = blockIdx.y; b < rows; b += gridDim.y) {
        double m = m1[(long long)b * pairs + p], v = x_of(m, m2[(long long)b * pairs + p], limit, infinite);
        mine += v >= bound[p];
        if (v > high[p]) over++;
        else if (v >= low[p]) {
            unsigned long long k = atomicAdd(&kept_count[p], 1ULL);
            if ((long long)k < capacity) {
                kept_x[p * capacity + k] = v;
                kept_m[p * capacity + k] = fabs(m);
            }
        }
    }
    atomicAdd(&hits[p], mine);
    atomicAdd(&above[p], over);
}
"""


def module() -> Any:
    return cupy().RawModule(code=SOURCE, options=OPTIONS)


class GpuPaired:
    """Counts and required differences of some pairs; what the GPU cannot decide is named in `undecided`."""

    def __init__(self, scores: Array, counts: NDArray[np.int32], ranks: NDArray[np.int64]) -> None:
        """`scores` are [topics, systems], `counts` [samples, topics]."""
        cp = cupy()
        self._scores, self._ranks = scores, ranks
        self._counts = cp.asarray(counts).astype(cp.float64)  # half the bytes travel
        self._ends = np.float64(len(scores) * (1.0 - NO_SPREAD)), np.float64(INFINITE)  # from which on x is infinite
        self._module = module()

    def test(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """`mean`, `x0`, `count`, `required`, `critical` (x) and `undecided` of the pairs."""
        topics, samples, ranks = len(self._scores), self._counts.shape[0], self._ranks
        out: dict[str, NDArray[Any]] = {
            "mean": np.zeros(len(first)),
            "x0": np.zeros(len(first)),
            "count": np.zeros(len(first), dtype=np.int64),
            "required": np.zeros((len(first), len(ranks))),
            "critical": np.zeros((len(first), len(ranks))),
            "undecided": np.zeros(len(first), dtype=np.bool_),
        }
        pilot = min(PILOT, samples)
        rows = min(ROWS, samples)
        capacity = self._capacity(pilot, samples)
        each = 8 * (2 * max(rows, pilot) + pilot + 2 * capacity + 4 * topics)
        tile = max(LANES, int(0.6 * free_memory()) // each // LANES * LANES)
        for low in range(0, len(first), tile):
            here = slice(low, min(low + tile, len(first)))
            self._tile(first[here], second[here], pilot, rows, capacity, {name: one[here] for name, one in out.items()})
        return out

    def _capacity(self, pilot: int, samples: int) -> int:
        """Samples between the two values that the pilot gives, with as much again to spare."""
        if pilot == samples:
            return samples
        widest = max(_reach(int(k) * pilot / samples, pilot) for k in self._ranks)
        return int(2 * (2 * widest + 8) * samples / pilot)

    def _tile(
        self,
        first: NDArray[np.int64],
        second: NDArray[np.int64],
        pilot: int,
        rows: int,
        capacity: int,
        out: dict[str, NDArray[Any]],
    ) -> None:
        cp = cupy()
        pairs, topics, samples = len(first), len(self._scores), self._counts.shape[0]
        w, w2 = self._differences(first, second, out)
        bound = cp.asarray(out["x0"] * (1.0 - TIE))
        m1, m2 = self._sums(w, w2, 0, pilot)
        self._module.get_function("statistic")((4096,), (256,), (m1, m2, np.int64(m1.size), *self._ends))
        by_pair = cp.ascontiguousarray(m1.T)
        for r, rank in enumerate(self._ranks.tolist()):
            low, high = self._between(by_pair, rank, pilot, samples)
            hits, above, kept_count = (cp.zeros(pairs, dtype=cp.uint64) for _ in range(3))
            kept_x, kept_m = cp.empty((pairs, capacity)), cp.empty((pairs, capacity))
            for begin in range(0, samples, rows):
                end = min(begin + rows, samples)
                m1, m2 = self._sums(w, w2, begin, end)
                self._module.get_function("collect")(
                    (-(-pairs // 128), 64),
                    (128,),
                    (
                        m1,
                        m2,
                        np.int32(end - begin),
                        np.int32(pairs),
                        *self._ends,
                        bound,
                        low,
                        high,
                        hits,
                        above,
                        kept_count,
                        np.int64(capacity),
                        kept_x,
                        kept_m,
                    ),
                )
            out["count"][:] = to_host(hits)
            left = np.int64(rank) - to_host(above).astype(np.int64)
            many = to_host(kept_count).astype(np.int64)
            picked, critical = cp.zeros(pairs), cp.zeros(pairs)
            self._module.get_function("pick")(
                (pairs,),
                (256,),
                (
                    kept_x,
                    kept_m,
                    np.int64(capacity),
                    cp.asarray(many),
                    cp.asarray(left),
                    np.float64(TIE),
                    critical,
                    picked,
                ),
            )
            out["required"][:, r], out["critical"][:, r] = to_host(picked) / topics, to_host(critical)
            out["undecided"][:] |= (many > capacity) | (left < 1) | (left > many)

    def _differences(
        self, first: NDArray[np.int64], second: NDArray[np.int64], out: dict[str, NDArray[Any]]
    ) -> tuple[Any, Any]:
        """Centred differences and their squares [topics, pairs], made where the CPU makes them."""
        topics, lanes = len(self._scores), LANES
        w, w2 = np.empty((topics, len(first))), np.empty((topics, len(first)))
        tile_w, tile_w2 = np.empty((topics, lanes)), np.empty((topics, lanes))
        mean, x0 = np.zeros(lanes), np.zeros(lanes)
        for low in range(0, len(first), lanes):
            high = min(low + lanes, len(first))
            kernels.differences(self._scores, first[low:high], second[low:high], mean, x0, tile_w, tile_w2)
            w[:, low:high], w2[:, low:high] = tile_w[:, : high - low], tile_w2[:, : high - low]
            out["mean"][low:high], out["x0"][low:high] = mean[: high - low], x0[: high - low]
        return cupy().asarray(w), cupy().asarray(w2)

    def _sums(self, w: Any, w2: Any, begin: int, end: int) -> tuple[Any, Any]:
        """M1 and M2 of samples [begin, end) [samples, pairs]."""
        return self._counts[begin:end] @ w, self._counts[begin:end] @ w2

    def _between(self, by_pair: Any, rank: int, pilot: int, samples: int) -> tuple[Any, Any]:
        """Two values between which the rank-th largest of all samples lies, as far as the pilot can tell."""
        cp = cupy()
        pairs = by_pair.shape[0]
        expected = rank * pilot / samples
        reach = 0.0 if pilot == samples else _reach(expected, pilot)
        ends = []
        for place in (min(pilot, int(np.ceil(expected + reach))), max(1, int(expected - reach))):
            value = cp.empty(pairs)
            k = cp.full(pairs, place, dtype=cp.int64)
            self._module.get_function("kth_largest")((pairs,), (256,), (by_pair, np.int64(pilot), k, value))
            ends.append(value)
        if reach and expected - reach < 1:
            ends[1] = cp.full(pairs, 2.0 * INFINITE)  # the rank may lie above all of the pilot
        if reach and expected + reach > pilot:
            ends[0] = cp.full(pairs, -1.0)
        return ends[0] * (1.0 - 2 * TIE), ends[1] * (1.0 + 2 * TIE)


def _reach(expected: float, pilot: int) -> float:
    """Ranks that a pilot may be off by: six standard deviations."""
    return float(6.0 * np.sqrt(max(expected, 1.0) * max(1.0 - expected / pilot, 0.01)) + 8.0)
