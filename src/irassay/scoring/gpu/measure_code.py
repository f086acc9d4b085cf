"""CUDA C of measures: what a thread holds of each while it goes down a list, what it does at a hit and at the end.

What the lists of a topic share (judged documents by grade, what values are divided by) is the measure's context.
"""

from irassay.scoring.gpu.folds import PRELUDE, translated
from irassay.scoring.gpu.program import Code, Program, View, Wanted
from irassay.scoring.gpu.steps import HEAD as STEPS_HEAD
from irassay.scoring.gpu.steps import stepped
from irassay.scoring.recipes import PER_CUT, PER_IDEAL, PER_MIN, PER_R, PER_SIZE, Recipe, rest_of

HEAD = """
#ifndef HOST
#define HOST static __device__ __forceinline__
#endif
"""


def measured(program: Program, wanted: Wanted) -> tuple[list[str], Code, Code]:
    """Functions that measures call; by view, what computes their divisors; by view, what computes their values."""
    parts, by_view = measures_by_view(program, wanted)
    contexts = {view: [one.context() for one in measures] for view, measures in by_view.items()}
    return parts, contexts, {view: [one.score() for one in measures] for view, measures in by_view.items()}


def measures_by_view(program: Program, wanted: Wanted) -> tuple[list[str], dict[View, list["MeasureCode"]]]:
    """Functions that measures call, and the measures by view."""
    folds: dict[object, str] = {}
    by_view: dict[View, list[MeasureCode]] = {}
    parts = [HEAD, STEPS_HEAD, PRELUDE]
    for view, rel, recipes in wanted:
        for place, recipe in recipes:
            if recipe.fold is not None and recipe.fold not in folds:
                folds[recipe.fold] = f"fold_{len(folds)}"
                parts.append(translated(recipe.fold, folds[recipe.fold]))
            name = folds.get(recipe.fold, "") if recipe.fold is not None else ""
            by_view.setdefault(view, []).append(MeasureCode(program, place, rel, recipe, name))
    return parts, by_view


class MeasureCode:
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
