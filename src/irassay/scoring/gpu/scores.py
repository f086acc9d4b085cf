"""CUDA C that scores lists of images: one thread for a list in an image, neighbouring threads neighbouring images.

A thread goes down its list as the CPU's lanes do: documents that are no hits only add to the rank, hits are written
down, then every measure is taken from them. What the lists of a topic share (its judged documents by grade, and
what values are divided by) is computed once per image before. All that is known ahead, cut-offs, tables, folds, is
written into the source; numbers that depend on data are arguments.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from irassay.scoring.gpu.folds import PRELUDE, translated
from irassay.scoring.recipes import PER_CUT, PER_IDEAL, PER_MIN, PER_R, PER_SIZE, Recipe

HEAD = """
#ifndef HOST
#define HOST static __device__ __forceinline__
#endif
"""
CONTEXTS = """
extern "C" __global__ void contexts(
    const unsigned char *counts, long long stride, int images, const int *document, const signed char *level,
    const long long *start, int first_topic, const double *tab, const long long *ints, long long *judged_counts,
    double *scale, int *flag)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = blockIdx.y, topics = gridDim.y;
    if (i >= images) return;
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
    const unsigned char *counts, long long stride, int images, const int *document, const long long *offsets,
    const long long *at, const signed char *level, const long long *start, int first_topic, int systems, int depth,
    const double *tab, const long long *ints, const signed char *ones, const long long *judged_counts,
    const double *scale, double *out, int *flag)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int s = blockIdx.y, t = blockIdx.z, topics = gridDim.z;
    if (i >= images) return;
    int rank[{capacity}];
    signed char grade[{capacity}];
    int r = 0, n = 0, whole = 0;
    const unsigned char *copies_of = counts + i;
    long long row = (long long)(first_topic + t) * (systems + 1) + s;
    long long e = offsets[row], end = offsets[row + 1];
    for (long long h = start[row]; h < start[row + 1]; h++) {{
        long long place = at[h];
        for (; e < place; e++) {{ {passing} }}
        int copies = copies_of[(long long)document[e] * stride];
        {counting}
        e++;
        for (int c = 0; c < copies; c++) {{
            r++;
            if (r <= depth) {{
                if (n >= {capacity}) {{ *flag = 1; return; }}
                rank[n] = r; grade[n] = level[h]; n++;
            }}
        }}
    }}
    for (; e < end; e++) {{ {passing} }}
    long long size = r < depth ? r : depth;
    long long all[{grades}];
    for (int g = 0; g < {grades}; g++) all[g] = judged_counts[((long long)t * {grades} + g) * stride + i];
{body}
}}
"""

PASSING = "r += copies_of[(long long)document[e] * stride];"
# Condensed lists end where the whole ones reach the depth: unjudged entries, ~document, only count towards that.
PASSING_CONDENSED = """
            int d = document[e], c = copies_of[(long long)(d < 0 ? ~d : d) * stride], left = depth - whole;
            whole += c;
            if (d >= 0) r += c < left ? c : left > 0 ? left : 0;
        """
COUNTING_CONDENSED = """int left = depth - whole;
        whole += copies;
        if (copies > left) copies = left > 0 ? left : 0;"""


@dataclass
class Program:
    """Source and tables for some measures; `views` are (low, condensed), each with its lists and its kernel."""

    grades: int  # columns of the judged counts
    capacity: int  # hits a list may have
    most: int  # relevant documents a topic may have in an image
    source: str = ""
    tab: list[float] = field(default_factory=list)
    ints: list[int] = field(default_factory=list)

    def table(self, values: NDArray[np.float64] | Sequence[float]) -> int:
        self.tab += [float(value) for value in values]
        return len(self.tab) - len(values)

    def numbers(self, values: NDArray[np.int64]) -> int:
        self.ints += [int(value) for value in values]
        return len(self.ints) - len(values)


def program(
    wanted: Sequence[tuple[tuple[int, bool], int, Sequence[tuple[int, Recipe]]]],
    *,
    grades: int,
    capacity: int,
    most: int,
) -> Program:
    """The source for measures by the hits they want: (view, rel, [(place in the output, recipe), ...])."""
    program = Program(grades, capacity, most)
    parts, contexts, scores = measured(program, wanted)
    parts.append(CONTEXTS.format(grades=grades, body="\n".join(code for view in contexts.values() for code in view)))
    for number, ((_, condensed), body) in enumerate(scores.items()):
        walk = {
            "passing": PASSING_CONDENSED if condensed else PASSING,
            "counting": COUNTING_CONDENSED if condensed else "",
        }
        parts.append(SCORES.format(view=number, grades=grades, capacity=capacity, body="\n".join(body), **walk))
    program.source = "\n".join(parts)
    return program


Code = dict[tuple[int, bool], list[str]]


def measured(
    program: Program, wanted: Sequence[tuple[tuple[int, bool], int, Sequence[tuple[int, Recipe]]]]
) -> tuple[list[str], Code, Code]:
    """Functions that measures call; by view, what computes their divisors; by view, what computes their values."""
    folds: dict[object, str] = {}
    contexts: Code = {}
    scores: Code = {}
    parts = [HEAD, PRELUDE]
    for view, rel, recipes in wanted:
        for place, recipe in recipes:
            if recipe.fold is not None and recipe.fold not in folds:
                folds[recipe.fold] = f"fold_{len(folds)}"
                parts.append(translated(recipe.fold, folds[recipe.fold]))
            name = folds.get(recipe.fold, "") if recipe.fold is not None else ""
            one = _Measure(program, place, rel, recipe, name)
            contexts.setdefault(view, []).append(one.context())
            scores.setdefault(view, []).append(one.score())
    return parts, contexts, scores


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

    def _judged_counts(self) -> list[str]:
        """`sup`: judged documents by grade with those below `rel` as nonrelevant; `relevant`, their number."""
        lines = [
            f"        long long sup[{self.width}], relevant = 0;",
            f"        for (int g = 0; g < {self.width}; g++) sup[g] = g < {self.program.grades} ? all[g] : 0;",
            f"        for (int g = 1; g < {self.rel}; g++) {{ sup[0] += sup[g]; sup[g] = 0; }}",
            f"        const long long *best = ints + {self.best};",
            f"        for (int k = 0; k < {len(self.recipe.best)}; k++) relevant += sup[best[k]];",
        ]
        if self.recipe.fold is not None:
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
        columns = 2 if self.recipe.flat else self.width
        return f"tab + {self.gain}, ideal, supplied, {columns}LL"

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

    def score(self) -> str:
        cut = self.recipe.cut
        lines = [
            "    {",
            f"        double by = scale[((long long){self.place} * topics + t) * stride + i], value = 0.0;",
            f"        long long length = size < {cut}LL ? size : {cut}LL;",
        ]
        if self.recipe.per == PER_SIZE:
            lines.append("        if (by > 0.0) by = (double)length;")
        lines.append("        if (by > 0.0) {")
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
        lines += [
            "        value /= by;",
            "        }",
            f"        out[(((long long){self.place} * topics + t) * systems + s) * stride + i] = value;",
            "    }",
        ]
        return "\n".join(lines)
