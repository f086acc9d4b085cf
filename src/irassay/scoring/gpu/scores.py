"""CUDA C that scores lists of images: a thread goes down one list in four images at once, as the CPU's lanes do.

Documents that are no hits only add to the ranks, four bytes a load. At a hit every measure is carried on: weights by
what the ranks of its copies add up to, folds hit by hit (steps.py). Folds that look back get the hits written down, and
then a thread has one image. What the lists of a topic share (its judged documents by grade, and what values are divided
by) is computed once per image before. All that is known ahead, cut-offs, tables, folds, is written into the source;
numbers that depend on data are arguments.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from irassay.scoring.gpu.folds import PRELUDE, translated
from irassay.scoring.gpu.steps import HEAD as STEPS_HEAD
from irassay.scoring.gpu.steps import stepped
from irassay.scoring.recipes import PER_CUT, PER_IDEAL, PER_MIN, PER_R, PER_SIZE, Recipe, rest_of

TOGETHER = 4  # images of a thread, the bytes of a word
HEAD = """
#ifndef HOST
#define HOST static __device__ __forceinline__
#endif
"""
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


View = tuple[int, bool]
Wanted = Sequence[tuple[View, int, Sequence[tuple[int, Recipe]]]]  # view, rel, places in the output and measures
Code = dict[View, list[str]]


@dataclass
class Program:
    """Source and tables for some measures; `views` are (low, condensed), each with its lists and its kernel."""

    grades: int  # columns of the judged counts
    capacity: int  # hits a list may have
    most: int  # relevant documents a topic may have in an image
    source: str = ""
    tab: list[float] = field(default_factory=list)
    ints: list[int] = field(default_factory=list)
    together: list[int] = field(default_factory=list)  # images of a thread, by view

    def table(self, values: NDArray[np.float64] | Sequence[float]) -> int:
        self.tab += [float(value) for value in values]
        return len(self.tab) - len(values)

    def numbers(self, values: NDArray[np.int64]) -> int:
        self.ints += [int(value) for value in values]
        return len(self.ints) - len(values)


def program(
    wanted: Wanted,
    *,
    grades: int,
    capacity: int,
    most: int,
) -> Program:
    """The source for measures by the hits they want."""
    program = Program(grades, capacity, most)
    parts, by_view = _measures(program, wanted)
    parts += dict.fromkeys(one.steps for measures in by_view.values() for one in measures if one.steps)
    contexts = [one.context() for measures in by_view.values() for one in measures]
    parts.append(CONTEXTS.format(grades=grades, body="\n".join(contexts)))
    parts += [_view(program, number, *one) for number, one in enumerate(by_view.items())]
    program.source = "\n".join(parts)
    return program


def _view(program: Program, number: int, view: View, measures: list["_Measure"]) -> str:
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


def measured(program: Program, wanted: Wanted) -> tuple[list[str], Code, Code]:
    """Functions that measures call; by view, what computes their divisors; by view, what computes their values."""
    parts, by_view = _measures(program, wanted)
    contexts = {view: [one.context() for one in measures] for view, measures in by_view.items()}
    return parts, contexts, {view: [one.score() for one in measures] for view, measures in by_view.items()}


def _measures(program: Program, wanted: Wanted) -> tuple[list[str], dict[View, list["_Measure"]]]:
    """Functions that measures call, and the measures by view."""
    folds: dict[object, str] = {}
    by_view: dict[View, list[_Measure]] = {}
    parts = [HEAD, STEPS_HEAD, PRELUDE]
    for view, rel, recipes in wanted:
        for place, recipe in recipes:
            if recipe.fold is not None and recipe.fold not in folds:
                folds[recipe.fold] = f"fold_{len(folds)}"
                parts.append(translated(recipe.fold, folds[recipe.fold]))
            name = folds.get(recipe.fold, "") if recipe.fold is not None else ""
            by_view.setdefault(view, []).append(_Measure(program, place, rel, recipe, name))
    return parts, by_view


class _Measure:
    """The code of one measure."""

    def __init__(self, program: Program, place: int, rel: int, recipe: Recipe, name: str) -> None:
        self.program, self.place, self.rel, self.recipe, self.name = program, place, rel, recipe, name
        self.width = max(program.grades, rel + 1)
        self.gain = program.table(recipe.gain)
        self.best = program.numbers(recipe.best)
        self.weight = program.table(recipe.weight) if recipe.weight is not None else 0
        self.longest = len(recipe.weight) - 1 if recipe.weight is not None else 0
        self.par = program.table(recipe.par) if recipe.par is not None else 0
        self.end_rank = min(recipe.cut, self.longest)
        self.rest = program.table(rest_of(recipe.weight, self.end_rank)) if recipe.weight is not None else 0
        self.steps = stepped(recipe.fold, f"steps_of_{name}", name) if recipe.fold is not None else None
        self.listed = recipe.fold is not None and self.steps is None
        self.columns = 2 if recipe.flat else self.width

    def _judged_counts(self, *, with_ideal: bool = True) -> list[str]:
        """`sup`: judged documents by grade with those below `rel` as nonrelevant; `relevant`, their number."""
        lines = [
            f"        long long sup[{self.width}], relevant = 0;",
            f"        for (int g = 0; g < {self.width}; g++) sup[g] = g < {self.program.grades} ? all[g] : 0;",
            f"        for (int g = 1; g < {self.rel}; g++) {{ sup[0] += sup[g]; sup[g] = 0; }}",
            f"        const long long *best = ints + {self.best};",
            f"        for (int k = 0; k < {len(self.recipe.best)}; k++) relevant += sup[best[k]];",
        ]
        if with_ideal and self.recipe.fold is not None:
            flat = int(self.recipe.flat)
            lines += [
                f"        Ideal ideal = {{tab + {self.gain}, best, sup, {len(self.recipe.best)}, {flat}}};",
                "        long long two[2] = {sup[0], relevant};",
                "        const long long *supplied = two;" if flat else "        const long long *supplied = sup;",
            ]
        return lines

    @property
    def _fold_arguments(self) -> str:
        """Arguments of a fold after its hits."""
        return f"tab + {self.gain}, ideal, supplied, {self.columns}LL"

    def context(self) -> str:
        per, cut = self.recipe.per, self.recipe.cut
        lines = ["    {", *self._judged_counts(), "        double by = 1.0;"]
        if per == PER_R:
            lines.append("        by = (double)relevant;")
        elif per == PER_MIN:
            lines.append(f"        by = (double)(relevant < {cut}LL ? relevant : {cut}LL);")
        elif per == PER_CUT:
            lines.append(f"        by = (double){cut}LL;")
        elif per == PER_IDEAL:
            lines += self._ideal()
        empty = "1" if self.recipe.empty else "relevant > 0"
        lines += [
            f"        scale[((long long){self.place} * topics + t) * stride + i] = ({empty}) ? by : 0.0;",
            "    }",
        ]
        return "\n".join(lines)

    def _ideal(self) -> list[str]:
        if self.recipe.fold is None:
            end = min(self.recipe.cut, self.longest)
            return [
                "        by = 0.0; long long at = 0;",
                f"        for (int k = 0; k < {len(self.recipe.best)}; k++)",
                f"            for (long long c = 0; c < sup[best[k]] && at < {end}LL; c++) {{",
                f"                at++; by += tab[{self.gain} + best[k]] * tab[{self.weight} + at];",
                "            }",
                f"        if (relevant > {self.longest}LL && {self.recipe.cut}LL > {self.longest}LL) *flag = 2;",
            ]
        level = "1" if self.recipe.flat else "(signed char)best[k]"
        return [
            f"        int rank[{self.program.most}]; signed char grade[{self.program.most}];",
            f"        long long n = 0, cut = relevant < {self.recipe.cut}LL ? relevant : {self.recipe.cut}LL;",
            f"        if (cut > {self.program.most}) {{ *flag = 2; return; }}",
            f"        for (int k = 0; k < {len(self.recipe.best)}; k++)",
            "            for (long long c = 0; c < sup[best[k]] && n < cut; c++) {",
            f"                rank[n] = (int)n + 1; grade[n] = {level}; n++;",
            "            }",
            f"        by = {self.name}(rank, grade, n, {self._fold_arguments}, n, tab + {self.par});",
        ]

    @property
    def _step_arguments(self) -> str:
        """What every method of the struct gets, of image v."""
        k, flat = self.place, int(self.recipe.flat)
        ideal = f"Ideal{{tab + {self.gain}, ints + {self.best}, sup_{k}[v], {len(self.recipe.best)}, {flat}}}"
        judged = f"two_{k}[v]" if flat else f"sup_{k}[v]"
        return f"tab + {self.gain}, {ideal}, {judged}, {self.columns}LL, tab + {self.par}"

    def declare(self) -> str:
        """What a thread holds of the measure while it goes down a list; `v` is one of its images."""
        k = self.place
        if self.recipe.fold is None:
            lines = [
                f"    double value_{k}[V];",
                f"    const int end_{k} = depth < {self.end_rank} ? depth : {self.end_rank};",
            ]
        elif self.listed:
            lines = []
        else:
            lines = [
                f"    steps_of_{self.name} steps_{k}[V]; int seen_{k}[V];",
                f"    long long sup_{k}[V][{self.width}], two_{k}[V][2];",
            ]
        return "\n".join(lines)

    def begin(self) -> str:
        k = self.place
        if self.recipe.fold is None:
            return f"        value_{k}[v] = 0.0;"
        if self.listed:
            return ""
        lines = [
            "        {",
            *self._judged_counts(with_ideal=False),
            f"        for (int g = 0; g < {self.width}; g++) sup_{k}[v][g] = sup[g];",
            f"        two_{k}[v][0] = sup[0]; two_{k}[v][1] = relevant; seen_{k}[v] = 0;",
            f"        steps_{k}[v].begin({self._step_arguments});",
            "        }",
        ]
        return "\n".join(lines)

    def weigh(self) -> str:
        """A weight of all copies of a hit: what is left of the weights before them, less what is left after."""
        k, longest = self.place, self.longest
        if self.recipe.fold is not None:
            return ""
        lines = [
            "            {",
            f"            int a = before < end_{k} ? before : end_{k}, b = ranks[v] < end_{k} ? ranks[v] : end_{k};",
            f"            value_{k}[v] += tab[{self.gain} + here] * (tab[{self.rest} + a] - tab[{self.rest} + b]);",
            "            }",
        ]
        if self.recipe.cut > longest:
            lines.append(f"            if (copies > 0 && ranks[v] > {longest} && depth > {longest}) *flag = 3;")
        return "\n".join(lines)

    def step(self) -> str:
        if self.recipe.fold is None or self.listed:
            return ""
        k, shown = self.place, "1" if self.recipe.flat else "here"
        call = f"steps_{k}[v].step(rank_here, {shown}, seen_{k}[v]++, {self._step_arguments});"
        return f"                if (rank_here <= {self.recipe.cut}) {call}"

    def end(self) -> str:
        if self.listed:
            return self.score()
        value = f"value_{self.place}[v]"
        if self.recipe.fold is not None:
            value = f"steps_{self.place}[v].end(seen_{self.place}[v], length, {self._step_arguments})"
        return "\n".join([*self._divisor(), f"        if (by > 0.0) value = {value} / by;", *self._result()])

    def score(self) -> str:
        cut = self.recipe.cut
        lines = [*self._divisor(), "        if (by > 0.0) {"]
        if self.recipe.fold is None:
            lines += [
                f"        for (int j = 0; j < n && rank[j] <= {cut}; j++) {{",
                f"            if (rank[j] > {self.longest}) {{ *flag = 3; break; }}",
                f"            value += tab[{self.gain} + grade[j]] * tab[{self.weight} + rank[j]];",
                "        }",
            ]
        else:
            shown = "ones" if self.recipe.flat else "grade"
            lines += [
                *self._judged_counts(),
                f"        long long m = 0; while (m < n && rank[m] <= {cut}) m++;",
                f"        value = {self.name}(rank, {shown}, m, {self._fold_arguments}, length, tab + {self.par});",
            ]
        return "\n".join([*lines, "        value /= by;", "        }", *self._result()])

    def _divisor(self) -> list[str]:
        lines = [
            "    {",
            f"        double by = scale[((long long){self.place} * topics + t) * stride + i], value = 0.0;",
            f"        long long length = size < {self.recipe.cut}LL ? size : {self.recipe.cut}LL;",
        ]
        return [*lines, "        if (by > 0.0) by = (double)length;"] if self.recipe.per == PER_SIZE else lines

    def _result(self) -> list[str]:
        return [
            f"        out[(((long long){self.place} * topics + t) * systems + s) * stride + i] = value;",
            "    }",
        ]
