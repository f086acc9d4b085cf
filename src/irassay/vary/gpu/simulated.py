"""Lists drawn again from their own scores on the GPU: the same draws as on the processor (vary/_simulated_lists.py)."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay import choices
from irassay.compute.gpu import OPTIONS, cupy
from irassay.compute.gpu.draws import PHILOX
from irassay.compute.kernel import kernel
from irassay.scoring.gpu.measure_code import measured
from irassay.scoring.gpu.program import Program
from irassay.scoring.recipes import Recipe
from irassay.streams import SIMULATED_CAP, SIMULATED_CELLS, SIMULATED_COPIES, SIMULATED_REST
from irassay.vary._multinomial import DEVIATIONS, poisson_table
from irassay.vary._simulated_lists import SimulatedLists

THREADS = 128
MOST_LISTS = 65535  # rows of blocks
KERNEL = r"""
extern "C" __global__ void simulate_{view}(
    int first_list, u64 first, int samples, const long long *relevant, const signed char *level,
    const long long *above, const long long *others, const long long *lengths, const u64 *keys, const long long *whole,
    const long long *missed, const int *table_of, const u32 *thresholds, const long long *table_start,
    const int *table_low, int ones, int rule, const double *tab, const long long *ints, const signed char *all_ones,
    double *result, long long lists, int *flag)
{{
    int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= samples) return;
    long long q = first_list + blockIdx.y;
    u64 sample = first + number, key = keys[q];
    long long begin = relevant[q], r = relevant[q + 1] - begin, other = others[q], length = lengths[q];
    unsigned short copies[{most_relevant}], cells[{most_relevant} + 1];
    u32 c[4];
    long long total = 0;
    for (long long j = 0; j < r; j++) {{
        if ((j & 3) == 0) words(c, j >> 2, sample, {SIMULATED_COPIES}u, key);
        copies[j] = (unsigned short)poisson(c[j & 3], ones, thresholds, table_start, table_low);
        total += copies[j];
    }}
    if (total > length) {{ take_away(copies, total, length, key, sample, {SIMULATED_CAP}u); total = length; }}
    long long wanted = length - total;
    for (long long j = 0; j <= r; j++) cells[j] = 0;
    if (other > 0) {{
        long long have = 0;
        for (long long j = 0; j <= r; j++) {{
            if ((j & 3) == 0) words(c, j >> 2, sample, {SIMULATED_CELLS}u, key);
            cells[j] = (unsigned short)poisson(c[j & 3], table_of[begin + q + j], thresholds, table_start, table_low);
            have += cells[j];
        }}
        if (have > wanted) take_away(cells, have, wanted, key, sample, {SIMULATED_REST}u);
        for (long long place = 0; have + place < wanted; place += 2) {{
            words(c, place >> 1, sample, {SIMULATED_REST}u, key);
            cells[cell_of(below(c[0], c[1], other), above + begin, r)]++;
            if (have + place + 1 < wanted) cells[cell_of(below(c[2], c[3], other), above + begin, r)]++;
        }}
    }}
    long long size = total + (other > 0 ? wanted : 0);
    int rank[{capacity}];
    signed char grade[{capacity}];
    long long all[{grades}], most = 0;
    for (int g = 0; g < {grades}; g++) {{
        long long in_topic = whole[q * {grades} + g];
        all[g] = g == 0 || rule == {FIXED} ? in_topic : rule == {MAX} ? 0 : missed[q * {grades} + g];
        if (g > 0) most += in_topic;
    }}
    int at = 0, n = 0;
    for (long long j = 0; j < r; j++) {{
        at += cells[j];
        signed char g = level[begin + j];
        if (rule != {FIXED}) all[g] += copies[j];
        for (int k = 0; k < copies[j]; k++) {{
            at++;
            if (g >= {low}) {{
                if (n >= {capacity}) {{ *flag = 1; return; }}
                rank[n] = at; grade[n] = g; n++;
            }}
        }}
    }}
    if (rule == {MAX} && total <= most) for (int g = 0; g < {grades}; g++) all[g] = whole[q * {grades} + g];
    const signed char *ones_ = all_ones;
    {{
    const int topics = 1, t = 0, systems = 1, s = 0, i = 0;
    const long long stride = 1;
    const signed char *ones = ones_;
    double scale[{measures}], out[{measures}];
{body}
    for (int m = 0; m < {measures}; m++)
        if ({mine}) result[((long long)m * lists + q) * samples + number] = out[m];
    }}
}}
"""
DRAWS = (
    PHILOX
    + r"""
static __device__ __forceinline__ void words(u32 c[4], long long step, u64 sample, u32 stream, u64 key) {
    c[0] = (u32)step; c[1] = (u32)sample; c[2] = (u32)(sample >> 32); c[3] = stream;
    philox(c, (u32)key, (u32)(key >> 32));
}
static __device__ __forceinline__ long long below(u32 high, u32 low, long long size) {
    u64 a = (u64)high * (u64)size, b = (u64)low * (u64)size;
    return (long long)((a + (b >> 32)) >> 32);
}
// A Poisson count: its smallest value and how many thresholds a word reaches.
static __device__ int poisson(u32 word, int table, const u32 *thresholds, const long long *start, const int *low) {
    long long a = start[table], b = start[table + 1], first = a;
    while (a < b) {
        long long middle = (a + b) >> 1;
        if (word >= thresholds[middle]) a = middle + 1; else b = middle;
    }
    return low[table] + (int)(a - first);
}
// The cell of a unit of mass: how many relevant documents stand at or above it.
static __device__ long long cell_of(long long unit, const long long *above, long long r) {
    long long a = 0, b = r;
    while (a < b) {
        long long middle = (a + b) >> 1;
        if (above[middle] <= unit) a = middle + 1; else b = middle;
    }
    return a;
}
static __device__ void take_away(
    unsigned short *counts, long long have, long long want, u64 key, u64 sample, u32 stream)
{
    for (long long place = 0; have > want; place++, have--) {
        u32 c[4];
        words(c, place >> 1, sample, stream, key);
        long long left = place & 1 ? below(c[2], c[3], have) : below(c[0], c[1], have);
        int j = 0;
        while (left >= counts[j]) { left -= counts[j]; j++; }
        counts[j]--;
    }
}
"""
)


@kernel
def one_table(mean, scratch):
    return poisson_table(mean, scratch)


class GpuSimulatedLists:
    """Simulated values of some measures for all lists; every measure wants relevant documents on whole lists."""

    def __init__(
        self,
        lists: SimulatedLists,
        wanted: Sequence[tuple[tuple[int, bool], int, Sequence[tuple[int, Recipe]]]],
        measures: int,
        relevant: str,
    ) -> None:
        self._lists, self._measures, self._rule = lists, measures, choices.RELEVANT.index(relevant)
        most = int(np.diff(lists.relevant).max(initial=0))
        capacity = min(int(lists.length.max(initial=1)), most + 12 * int(most**0.5) + 64)
        grades = lists.whole.shape[1]
        self._program = Program(grades, capacity, capacity + int(lists.missed[:, 1:].sum(axis=1).max(initial=0)))
        parts, contexts, scores = measured(self._program, wanted)
        for number, view in enumerate(scores):
            places = [place for (of_view, _, recipes) in wanted if of_view == view for place, _ in recipes]
            parts.append(
                KERNEL.format(
                    view=number,
                    most_relevant=max(most, 1),
                    capacity=capacity,
                    grades=grades,
                    low=view[0],
                    measures=measures,
                    body="\n".join(contexts[view] + scores[view]),
                    mine=" || ".join(f"m == {place}" for place in places),
                    SIMULATED_COPIES=SIMULATED_COPIES,
                    SIMULATED_CELLS=SIMULATED_CELLS,
                    SIMULATED_REST=SIMULATED_REST,
                    SIMULATED_CAP=SIMULATED_CAP,
                    FIXED=choices.RELEVANT.index("fixed"),
                    MAX=choices.RELEVANT.index("max"),
                )
            )
        self._views = len(scores)
        self._source = DRAWS + "\n".join(parts)
        self._capacity = capacity

    @cached_property
    def _tables(self) -> tuple[NDArray[np.int32], NDArray[np.uint32], NDArray[np.int64], NDArray[np.int32]]:
        """The table of every cell; thresholds of all tables, where each starts, and its smallest count.

        Table 0 is that of copies, Poisson(1).
        """
        lists = self._lists
        scratch = np.empty(
            int(lists.length.max(initial=1)) + 64 * int(lists.length.max(initial=1) ** 0.5) + 256, np.uint32
        )
        thresholds: list[NDArray[np.uint32]] = []
        lows: list[int] = []
        starts, of_cell = [0], []
        known: dict[float, int] = {}

        def table(mean: float) -> int:
            if mean not in known:
                low, width = one_table(mean, scratch)
                known[mean] = len(lows)
                lows.append(int(low))
                thresholds.append(scratch[:width].copy())
                starts.append(starts[-1] + int(width))
            return known[mean]

        table(1.0)
        for q in range(len(lists)):
            r = int(lists.relevant[q + 1] - lists.relevant[q])
            other = int(lists.other[q + 1] - lists.other[q])
            mean = float(max(0, int(lists.length[q]) - r))
            unit = max(0.0, mean - DEVIATIONS * mean**0.5) / other if other else 0.0
            mass = np.diff(lists.above[lists.relevant[q] : lists.relevant[q + 1]], prepend=0, append=other)
            of_cell += [table(unit * int(m)) for m in mass]
        return (
            np.array(of_cell, dtype=np.int32),
            np.concatenate(thresholds),
            np.array(starts, dtype=np.int64),
            np.array(lows, dtype=np.int32),
        )

    @cached_property
    def _held(self) -> list[Any]:
        lists, put = self._lists, cupy().asarray
        of_cell, thresholds, starts, lows = self._tables
        return [
            put(lists.relevant),
            put(lists.relevant_grade),
            put(lists.above),
            put(np.diff(lists.other)),
            put(lists.length),
            put(lists.key),
            put(np.ascontiguousarray(lists.whole)),
            put(np.ascontiguousarray(lists.missed)),
            put(of_cell),
            put(thresholds),
            put(starts),
            put(lows),
        ]

    @cached_property
    def _kernels(self) -> list[Any]:
        module = cupy().RawModule(code=self._source, options=OPTIONS)
        return [module.get_function(f"simulate_{k}") for k in range(self._views)]

    def values(self, first: int, last: int) -> Any:
        """[measures, lists, samples] of the samples [first, last), on the GPU."""
        cp = cupy()
        samples, lists = last - first, len(self._lists)
        tab = cp.asarray(np.array(self._program.tab or [0.0]))
        ints = cp.asarray(np.array(self._program.ints or [0], dtype=np.int64))
        ones, flag = cp.ones(max(self._capacity, 1), dtype=cp.int8), cp.zeros(1, dtype=cp.int32)
        values = cp.empty((self._measures, lists, samples))
        for low in range(0, lists, MOST_LISTS):
            count = min(MOST_LISTS, lists - low)
            for function in self._kernels:
                function(
                    (-(-samples // THREADS), count),
                    (THREADS,),
                    (
                        np.int32(low),
                        np.uint64(first),
                        np.int32(samples),
                        *self._held,
                        np.int32(0),
                        np.int32(self._rule),
                        tab,
                        ints,
                        ones,
                        values,
                        np.int64(lists),
                        flag,
                    ),
                )
        if int(flag[0]):
            raise OverflowError("a simulated list has more relevant documents than there is room for on the GPU")
        return values
