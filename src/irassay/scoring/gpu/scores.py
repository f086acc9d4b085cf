"""CUDA C that scores lists of images: a thread goes down one list in four images at once, as the CPU's lanes do.

Documents that are no hits only add to the ranks, four bytes a load. At a hit every measure is carried on: weights by
what the ranks of its copies add up to, folds hit by hit (steps.py). Folds that look back get the hits written down, and
then a thread has one image. What the lists of a topic share (its judged documents by grade, and what values are divided
by) is computed once per image before. All that is known ahead, cut-offs, tables, folds, is written into the source;
numbers that depend on data are arguments.
"""

from irassay.scoring.gpu.measure_code import MeasureCode, measures_by_view
from irassay.scoring.gpu.program import Program, View, Wanted

TOGETHER = 4  # images of a thread, the bytes of a word
CONTEXTS = """
extern "C" __global__ void contexts(
    const unsigned char *counts, long long stride, const int *document, const signed char *level,
    const long long *start, int first_topic, const double *tab, const long long *ints, long long *judged_counts,
    double *scale, int *flag)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = blockIdx.y, topics = gridDim.y;
    if (i >= stride) return;
    long long all[{grades}];
    for (int g = 0; g < {grades}; g++) all[g] = 0;
    for (long long e = start[first_topic + t]; e < start[first_topic + t + 1]; e++)
        all[level[e]] += counts[(long long)document[e] * stride + i];
    for (int g = 0; g < {grades}; g++) judged_counts[((long long)t * {grades} + g) * stride + i] = all[g];
{body}
}}
"""
SCORES = """
extern "C" __global__ void scores_{view}(
    const unsigned char *counts, long long stride, const int *document, const long long *offsets,
    const long long *at, const signed char *level, const long long *start, int first_topic, int systems, int depth,
    const double *tab, const long long *ints, const signed char *ones, const long long *judged_counts,
    const double *scale, double *out, int *flag)
{{
    const int V = {together};
    typedef {word} Word;  // the copies of a document in the images of this thread
    long long i0 = ((long long)blockIdx.x * blockDim.x + threadIdx.x) * V;
    int s = blockIdx.y, t = blockIdx.z, topics = gridDim.z;
    if (i0 >= stride) return;
    const unsigned char *copies_of = counts + i0;
    long long row = (long long)(first_topic + t) * (systems + 1) + s;
    long long e = offsets[row], last = offsets[row + 1];
    int ranks[V], hits[V], whole[V];
{declare}
    #pragma unroll
    for (int v = 0; v < V; v++) {{
        ranks[v] = hits[v] = whole[v] = 0;
        long long all[{grades}];
        for (int g = 0; g < {grades}; g++) all[g] = judged_counts[((long long)t * {grades} + g) * stride + i0 + v];
{begin}
    }}
    for (long long h = start[row]; h < start[row + 1]; h++) {{
        long long stop = at[h];
{passing}
        Word word = *(const Word *)(copies_of + (long long)document[e] * stride);
        signed char here = level[h];
        #pragma unroll
        for (int v = 0; v < V; v++) {{
            int copies = (int)(word >> (8 * v) & 255);
            {counting}
            int before = ranks[v];
            ranks[v] += copies;
{weigh}
            for (int c = 1; c <= copies && before + c <= depth; c++) {{
                int rank_here = before + c;
{step}
                hits[v]++;
            }}
        }}
        e++;
    }}
    {{
        long long stop = last;
{passing}
    }}
    #pragma unroll
    for (int v = 0; v < V; v++) {{
        long long i = i0 + v, n = hits[v], size = ranks[v] < depth ? ranks[v] : depth;
        long long all[{grades}];
        for (int g = 0; g < {grades}; g++) all[g] = judged_counts[((long long)t * {grades} + g) * stride + i];
{body}
    }}
}}
"""
LISTED = "    int listed_rank[V][{capacity}]; signed char listed_grade[V][{capacity}];"
LIST = """                if (hits[v] >= {capacity}) {{ *flag = 1; return; }}
                listed_rank[v][hits[v]] = rank_here; listed_grade[v][hits[v]] = here;"""
WRITTEN = "        const int *rank = listed_rank[v]; const signed char *grade = listed_grade[v];"
# Two images in a word, 16 bits each: so many bytes cannot pass them.
PASSING = """
        while (e < stop) {
            unsigned even = 0, odd = 0;
            long long until = stop - e > 256 ? e + 256 : stop;
            #pragma unroll 8
            for (; e < until; e++) {
                unsigned word = *(const Word *)(copies_of + (long long)document[e] * stride);
                even += word & 0x00FF00FFu;
                odd += word >> 8 & 0x00FF00FFu;
            }
            #pragma unroll
            for (int v = 0; v < V; v++) ranks[v] += (int)((v & 1 ? odd : even) >> (8 * (v & 2)) & 0xFFFFu);
        }
"""
# Condensed lists end where the whole ones reach the depth: unjudged entries, ~document, only count towards that.
PASSING_CONDENSED = """
        for (; e < stop; e++) {
            int d = document[e];
            Word word = *(const Word *)(copies_of + (long long)(d < 0 ? ~d : d) * stride);
            #pragma unroll
            for (int v = 0; v < V; v++) {
                int c = (int)(word >> (8 * v) & 255), left = depth - whole[v];
                whole[v] += c;
                if (d >= 0) ranks[v] += c < left ? c : left > 0 ? left : 0;
            }
        }
"""
COUNTING_CONDENSED = """int left = depth - whole[v];
            whole[v] += copies;
            if (copies > left) copies = left > 0 ? left : 0;"""


def program(
    wanted: Wanted,
    *,
    grades: int,
    capacity: int,
    most: int,
) -> Program:
    """The source for measures by the hits they want."""
    program = Program(grades, capacity, most)
    parts, by_view = measures_by_view(program, wanted)
    parts += dict.fromkeys(one.steps for measures in by_view.values() for one in measures if one.steps)
    contexts = [one.context() for measures in by_view.values() for one in measures]
    parts.append(CONTEXTS.format(grades=grades, body="\n".join(contexts)))
    parts += [_view(program, number, *one) for number, one in enumerate(by_view.items())]
    program.source = "\n".join(parts)
    return program


def _view(program: Program, number: int, view: View, measures: list[MeasureCode]) -> str:
    """The kernel for the lists of one view."""
    listed = any(one.listed for one in measures)
    condensed, capacity = view[1], program.capacity
    program.together.append(1 if listed else TOGETHER)
    return SCORES.format(
        view=number,
        together=program.together[number],
        word="unsigned char" if listed else "unsigned",
        grades=program.grades,
        declare="\n".join([LISTED.format(capacity=capacity)] * listed + [one.declare() for one in measures]),
        begin="\n".join(one.begin() for one in measures),
        passing=PASSING_CONDENSED if condensed else PASSING,
        counting=COUNTING_CONDENSED if condensed else "",
        weigh="\n".join(one.weigh() for one in measures),
        step="\n".join([LIST.format(capacity=capacity)] * listed + [one.step() for one in measures]),
        body="\n".join([WRITTEN] * listed + [one.end() for one in measures]),
    )
