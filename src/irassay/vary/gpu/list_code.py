"""CUDA C that draws a list again and scores it: one thread for one list in one sample.

Counts of documents are those of vary/_multinomial.py. What is between the relevant ones is counted from the list's own
order (`RESAMPLED`, as vary/_simulated_lists.py), or placed by a density (`FITTED`, as vary/_density.py).
"""

import math

from irassay.compute.gpu.draws import PHILOX
from irassay.vary._simulated_lists import CELLS

KERNEL = r"""
extern "C" __global__ void simulate_{view}(
    int first_list, u64 first, int samples, const long long *relevant, const signed char *level,
    const long long *others, const long long *lengths, const u64 *keys, const long long *whole, const long long *missed,
    const int *table_of, const u32 *thresholds, const long long *table_start, const int *table_low, {parameters},
    int ones, int rule, const double *tab, const long long *ints, const signed char *all_ones, double *result,
    long long lists, int *flag)
{{
    int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= samples) return;
    long long q = first_list + blockIdx.y;
    u64 sample = first + number, key = keys[q];
    long long begin = relevant[q], r = relevant[q + 1] - begin, other = others[q], length = lengths[q];
    unsigned short copies[{most_relevant}], cells[{most_cells}];
    u32 c[4];
    long long total = 0;
    for (long long j = 0; j < r; j++) {{
        if ((j & 3) == 0) words(c, j >> 2, sample, {SIMULATED_COPIES}u, key);
        copies[j] = (unsigned short)poisson(c[j & 3], ones, thresholds, table_start, table_low);
        total += copies[j];
    }}
    if (total > length) {{ take_away(copies, total, length, key, sample, {SIMULATED_CAP}u); total = length; }}
    long long wanted = length - total, own_cells = {own_cells};
    for (long long j = 0; j < own_cells; j++) cells[j] = 0;
    if (other > 0) {{
        long long have = 0, mass = {mass};
        for (long long j = 0; j < own_cells; j++) {{
            if ((j & 3) == 0) words(c, j >> 2, sample, {SIMULATED_CELLS}u, key);
            cells[j] = (unsigned short)poisson(c[j & 3], table_of[{table}], thresholds, table_start, table_low);
            have += cells[j];
        }}
        if (have > wanted) take_away(cells, have, wanted, key, sample, {SIMULATED_REST}u);
        for (long long place = 0; have + place < wanted; place += 2) {{
            words(c, place >> 1, sample, {SIMULATED_REST}u, key);
            long long unit = below(c[0], c[1], mass);
            cells[{cell}]++;
            if (have + place + 1 < wanted) {{ unit = below(c[2], c[3], mass); cells[{cell}]++; }}
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
    if (rule != {FIXED})
        for (long long j = 0; j < r; j++) all[level[begin + j]] += copies[j];
    if (total > {capacity}) {{ *flag = 1; return; }}
    int n = 0;
{draw}
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
RESAMPLED = {
    "parameters": "const long long *above",
    "most_cells": "{most_relevant} + 1",
    "own_cells": "r + 1",
    "mass": "other",
    "table": "begin + q + j",
    "cell": "cell_of(unit, above + begin, r)",
    "draw": """
    int at = 0;
    for (long long j = 0; j < r; j++) {{
        at += cells[j];
        signed char g = level[begin + j];
        for (int k = 0; k < copies[j]; k++) {{
            at++;
            if (g >= {low}) {{ rank[n] = at; grade[n] = g; n++; }}
        }}
    }}
""",
}
FITTED = {
    "parameters": "const double *score, const double *width, const double *origin, const double *density,\n"
    "    const long long *node, const double *above, const double *slope",
    "most_cells": "{CELLS}",
    "own_cells": "{CELLS}",
    "mass": "{CELLS}",
    "table": "q",
    "cell": "unit",
    "draw": """
    // relevant copies by cell, best first within each; equal ones in their order
    double x[{capacity}], place[{capacity}], sorted_x[{capacity}], sorted_place[{capacity}], z[4];
    signed char sorted_grade[{capacity}];
    int first_of[{CELLS} + 1], open[{CELLS}];
    for (int k = 0; k <= {CELLS}; k++) first_of[k] = 0;
    int v = 0;
    for (long long j = 0; j < r; j++)
        for (int k = 0; k < copies[j]; k++, v++) {{
            if ((v & 3) == 0) normals(z, v >> 2, sample, {DENSITY_JITTER}u, key);
            x[v] = score[begin + j] + (width[q] > 0.0 ? width[q] * z[v & 3] : 0.0);
            place[v] = chance_above(
                x[v], origin[q], density[q], above + node[q], slope + node[q], node[q + 1] - node[q]) * {CELLS};
            first_of[cell_at(place[v]) + 1]++;
        }}
    for (int k = 0; k < {CELLS}; k++) {{ first_of[k + 1] += first_of[k]; open[k] = first_of[k]; }}
    v = 0;
    for (long long j = 0; j < r; j++)
        for (int k = 0; k < copies[j]; k++, v++) {{
            int cell = cell_at(place[v]), to = open[cell]++;
            for (; to > first_of[cell] && sorted_x[to - 1] < x[v]; to--) {{
                sorted_x[to] = sorted_x[to - 1];
                sorted_place[to] = sorted_place[to - 1];
                sorted_grade[to] = sorted_grade[to - 1];
            }}
            sorted_x[to] = x[v]; sorted_place[to] = place[v]; sorted_grade[to] = level[begin + j];
        }}
    int at = 0, done = 0;
    long long word = 0;
    int *before = rank;  // others drawn before each copy of a cell: a copy's rank is written once its own is read
    for (int k = 0; done < total; k++) {{
        int end = first_of[k + 1], inside = cells[k], behind = 0;
        if (end == done) {{ at += inside; continue; }}
        for (int p = done; p < end; p++) before[p] = 0;
        for (int i = 0; i < inside; i++, word++) {{
            if ((word & 3) == 0) words(c, word >> 2, sample, {DENSITY_PLACES}u, key);
            double there = k + open_uniform(c[word & 3]);
            int p = done;
            for (int t = done; t < end; t++) p += sorted_place[t] < there;  // equal places: others first
            if (p < end) before[p]++; else behind++;
        }}
        for (int p = done; p < end; p++) {{
            at += before[p] + 1;
            if (sorted_grade[p] >= {low}) {{ rank[n] = at; grade[n] = sorted_grade[p]; n++; }}
        }}
        at += behind;
        done = end;
    }}
""",
}
DRAWS = (
    PHILOX
    + f"#define TURN {2.0 * math.pi!r}\n#define CELLS {CELLS}\n"
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
static __device__ __forceinline__ double open_uniform(u32 word) {
    return ((double)word + 0.5) * (1.0 / 4294967296.0);
}
// Four standard normal numbers of a counter step (Box and Muller).
static __device__ void normals(double z[4], long long step, u64 sample, u32 stream, u64 key) {
    u32 c[4];
    words(c, step, sample, stream, key);
    for (int k = 0; k < 4; k += 2) {
        double radius = sqrt(-2.0 * log(open_uniform(c[k]))), angle = TURN * open_uniform(c[k + 1]);
        z[k] = radius * cos(angle);
        z[k + 1] = radius * sin(angle);
    }
}
// The chance that an other draw exceeds x (vary/_density.py).
static __device__ double chance_above(
    double x, double origin, double density, const double *above, const double *slope, long long nodes)
{
    if (nodes == 0) return x <= origin ? 1.0 : 0.0;
    double place = (x - origin) * density;
    if (place < 0.0) return 1.0;
    if (place >= nodes - 1) return 0.0;
    long long k = (long long)place;
    double t = place - k, s = 1.0 - t;
    double value = s * s * ((1.0 + 2.0 * t) * above[k] + t * slope[k])
        + t * t * ((1.0 + 2.0 * s) * above[k + 1] - s * slope[k + 1]);
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}
static __device__ __forceinline__ int cell_at(double place) {
    return place < CELLS - 1 ? (int)place : CELLS - 1;
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
