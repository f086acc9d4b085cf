"""Folds for the GPU that take one hit at a time, so that no list of hits need be written down.

A fold of the usual shape becomes a struct: its names are members; what stands before its loop over the hits is `begin`,
the loop's body `step`, what follows `end`. One that looks at no hit, or at the first one only, keeps that hit. A fold
that looks back at earlier hits has no steps: it is translated as it is (folds.py), and gets its hits as arrays.
"""

import ast
from collections.abc import Callable

from irassay.scoring.fold_shapes import HITS, is_hits, leaves_loop, looks_at_first_hit_only, names_in, parts_of
from irassay.scoring.gpu.folds import NUMBERS, FoldWriter, c_type

FIXED = "const double *gain, Ideal ideal, const long long *judged, long long n_judged, const double *par"
ARGUMENTS = "gain, ideal, judged, n_judged"
OWN = {
    "hit",
    "rank_here",
    "grade_here",
    "ended",
    "early",
    "begin",
    "step",
    "end",
    "n_judged",
}  # names of the struct's own
HEAD = """
#ifndef METHOD
#define METHOD __device__ __forceinline__
#endif
"""
FIRST = """
struct {name} {{
    int rank; signed char grade;
    METHOD void begin({fixed}) {{ rank = 0; grade = 0; }}
    METHOD void step(int rank_here, signed char grade_here, long long i, {fixed}) {{
        if (i == 0) {{ rank = rank_here; grade = grade_here; }}
    }}
    METHOD double end(long long n, long long size, {fixed}) {{
        return {fold}(&rank, &grade, n, {arguments}, size, par);
    }}
}};
"""


def stepped(fold: Callable[..., float], name: str, translated: str) -> str | None:
    """The struct `name`, or None for a fold that cannot go step by step; `translated` names the C function of it."""
    writer = _StepWriter.of(fold, name)
    if looks_at_first_hit_only(writer.tree):
        return FIRST.format(name=name, fixed=FIXED, fold=translated, arguments=ARGUMENTS)
    return writer.struct() if writer.loop is not None else None


class _StepWriter(FoldWriter):
    """Writes the parts of a fold as methods."""

    def __init__(self, tree: ast.FunctionDef, name: str) -> None:
        super().__init__(tree, name)
        self.before, self.loop, self.after = self._parts()
        self._method, self._loops = "", 0

    def _parts(self) -> tuple[list[ast.stmt], ast.For | None, list[ast.stmt]]:
        """What stands before the loop over the hits, the loop, and what follows it; no loop if it has another shape."""
        parts = parts_of(self.tree)
        if parts is None:
            return self.statements, None, []
        before, loop, after = parts
        assert isinstance(loop.target, ast.Name)
        counter = loop.target.id
        present = all(
            isinstance(node.slice, ast.Name) and node.slice.id == counter
            for node in ast.walk(loop)
            if isinstance(node, ast.Subscript) and is_hits(node)
        )
        assigned = {
            target.id
            for node in ast.walk(loop)
            if isinstance(node, (ast.Assign, ast.AugAssign))
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        }
        one_by_one = (
            present
            and not names_in(before) & (HITS | NUMBERS.keys())
            and not names_in(loop.body) & NUMBERS.keys()
            and not names_in(after) & HITS
            and counter not in assigned
            and not leaves_loop(loop.body)
            and not OWN & self.kinds.keys()
        )
        return (before, loop, after) if one_by_one else (self.statements, None, [])

    def struct(self) -> str:
        assert self.loop is not None
        counter = self.loop.target
        assert isinstance(counter, ast.Name)
        members = [f"    {c_type(kind)} {name};" for name, kind in self.kinds.items() if name not in NUMBERS]
        members += ["    bool ended; double early;"]
        zeros = "".join(f" {name} = 0;" for name in self.kinds if name not in NUMBERS)
        return "\n".join(
            [
                f"struct {self.name} {{",
                *members,
                f"    METHOD void begin({FIXED}) {{",
                f"       {zeros} ended = false; early = 0.0;",
                *self._method_body("begin", self.before),
                "    }",
                f"    METHOD void step(int rank_here, signed char grade_here, long long hit, {FIXED}) {{",
                *(["        if (ended) return;"] if leaves_loop(self.before) else []),
                f"        {counter.id} = hit;",
                *self._method_body("step", self.loop.body),
                "    }",
                f"    METHOD double end(long long n, long long size, {FIXED}) {{",
                *(["        if (ended) return early;"] if leaves_loop(self.before) else []),
                *self._method_body("end", self.after),
                "        return 0.0;",
                "    }",
                "};",
                "",
            ]
        )

    def _method_body(self, method: str, statements: list[ast.stmt]) -> list[str]:
        self._method, self._loops = method, 0
        return self._block(statements, 2)

    def _statement(self, node: ast.stmt, depth: int) -> list[str]:
        pad = "    " * depth
        match node:
            case ast.Return(value=value) if value is not None and self._method == "begin":
                return [f"{pad}ended = true; early = {self._value(value, 'double')}; return;"]
            case ast.Continue() if self._method == "step" and self._loops == 0:
                return [f"{pad}return;"]
            case ast.For() | ast.While():
                self._loops += 1
                lines = super()._statement(node, depth)
                self._loops -= 1
                return lines
        return super()._statement(node, depth)

    def _plain(self, node: ast.expr) -> str:
        if isinstance(node, ast.Subscript) and is_hits(node) and isinstance(node.value, ast.Name):
            return f"(long long){node.value.id}_here"
        return super()._plain(node)
