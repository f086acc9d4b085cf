"""Folds for the GPU: the Python source of a measure, written as CUDA C.

A fold is a loop over hits with scalars and indexing only (measures/record.py), so what can occur is little:
assignments, `for` over `range`, `while`, `if`, `return`, arithmetic, comparisons, `len(judged)`, `int`, `float`, `min`,
`max`, `abs`, `math.log2`. Anything else is an error when a measure is translated, never a wrong number. Names are
integers where everything assigned to them is one, as Python has it, else doubles; `/` always divides doubles.
"""

import ast
from collections.abc import Callable, Iterable
from functools import cache
from typing import Self

from irassay.errors import IrassayWarning, emit
from irassay.measures import Measure
from irassay.scoring.fold_shapes import statements_of, tree_of

ARRAYS = {"rank": "int", "grade": "int", "gain": "double", "judged": "int", "par": "double", "ideal": "double"}
NUMBERS = {"n": "int", "size": "int"}
HEAD = (
    "double {name}(const int *rank, const signed char *grade, long long n, const double *gain, Ideal ideal, "
    "const long long *judged, long long n_judged, long long size, const double *par)"
)
PRELUDE = r"""
/* Cumulative gain of the ideal list at a rank: grades from the largest gain on, as many of each as there are. */
typedef struct {
    const double *gain; const long long *best; const long long *judged; int grades; int flat;
} Ideal;

HOST double ideal_at(Ideal ideal, long long rank) {
    double total = 0.0;
    for (int k = 0; k < ideal.grades && rank > 0; k++) {
        long long many = ideal.judged[ideal.best[k]];
        if (many > rank) many = rank;
        total += (double)many * ideal.gain[ideal.flat ? 1 : ideal.best[k]];
        rank -= many;
    }
    return total;
}
"""
BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


class UntranslatableError(TypeError):
    """A fold that uses more than folds may."""


def translated(fold: Callable[..., float], name: str) -> str:
    """The fold as a C function."""
    return FoldWriter.of(fold, name).text()


@cache
def translatable(fold: Callable[..., float]) -> bool:
    """Whether a fold can be translated; one of a user's own may use more, or have no source that can be read."""
    try:
        translated(fold, "fold")
    except (UntranslatableError, OSError, TypeError, SyntaxError):
        return False
    return True


def all_translatable(measures: Iterable[Measure]) -> bool:
    """Whether a GPU can compute all of these measures; if not, a warning names those that it cannot."""
    names = [str(m) for m in measures if m.record.kind == "fold" and not translatable(m.record.function)]
    if names:
        what = f"{', '.join(names)} cannot be translated for a GPU: the processor computes the scores"
        emit([IrassayWarning("not-on-gpu", what)])
    return not names


class FoldWriter:
    """Writes one fold."""

    def __init__(self, tree: ast.FunctionDef, name: str) -> None:
        self.tree, self.name = tree, name
        self.kinds: dict[str, str] = dict(NUMBERS)
        self._infer()

    @classmethod
    def of(cls, fold: Callable[..., float], name: str) -> Self:
        return cls(tree_of(fold), name)

    @property
    def statements(self) -> list[ast.stmt]:
        """Its body without the docstring."""
        return statements_of(self.tree)

    def _refuse(self, node: ast.AST) -> UntranslatableError:
        return UntranslatableError(
            f"{self.name}: a fold may not use {ast.dump(node)[:80]} (line {getattr(node, 'lineno', 0)})"
        )

    def _infer(self) -> None:
        """Kinds of names: until nothing changes, a name that is assigned a double once is a double."""
        changed = True
        while changed:
            changed = False
            for node in ast.walk(self.tree):
                assigned: list[tuple[str, str]] = []
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    assigned = [(node.targets[0].id, self._kind(node.value))]
                elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                    divided = isinstance(node.op, (ast.Div, ast.Pow))
                    assigned = [(node.target.id, "double" if divided else self._kind(node.value))]
                elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                    assigned = [(node.target.id, "int")]
                for name, kind in assigned:
                    if self.kinds.get(name) != kind and self.kinds.get(name) != "double":
                        self.kinds[name] = kind
                        changed = True

    def _kind(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=bool()):
                return "int"
            case ast.Constant(value=float()):
                return "double"
            case ast.Constant(value=int()):
                return "int"
            case ast.Name(id=name):
                return self.kinds.get(name, "int")
            case ast.Subscript(value=ast.Name(id=name)) if name in ARRAYS:
                return ARRAYS[name]
            case ast.BinOp(op=ast.Div() | ast.Pow()):
                return "double"
            case ast.BinOp(left=left, right=right):
                return "double" if "double" in (self._kind(left), self._kind(right)) else "int"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._kind(operand)
            case ast.IfExp(body=body, orelse=other):
                return "double" if "double" in (self._kind(body), self._kind(other)) else "int"
            case ast.Call(func=ast.Name(id="float") | ast.Attribute(value=ast.Name(id="math"), attr="log2")):
                return "double"
            case ast.Call(func=ast.Name(id="int" | "len")):
                return "int"
            case ast.Call(func=ast.Name(id="min" | "max" | "abs"), args=args):
                return "double" if "double" in map(self._kind, args) else "int"
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return "int"
        raise self._refuse(node)

    def text(self) -> str:
        names = [f"    {c_type(kind)} {name} = 0;" for name, kind in self.kinds.items() if name not in NUMBERS]
        lines = self._block(self.statements, 1)
        return "\n".join([f"HOST {HEAD.format(name=self.name)} {{", *names, *lines, "    return 0.0;", "}", ""])

    def _block(self, statements: list[ast.stmt], depth: int) -> list[str]:
        return [line for statement in statements for line in self._statement(statement, depth)]

    def _statement(self, node: ast.stmt, depth: int) -> list[str]:
        pad = "    " * depth
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return [f"{pad}{name} = {self._value(value, self.kinds[name])};"]
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                whole = ast.BinOp(ast.Name(name, ast.Load()), op, value)
                return [f"{pad}{name} = {self._value(whole, self.kinds[name])};"]
            case ast.Return(value=value) if value is not None:
                return [f"{pad}return {self._value(value, 'double')};"]
            case ast.If(test=test, body=body, orelse=other):
                lines = [f"{pad}if ({self._value(test)}) {{", *self._block(body, depth + 1), f"{pad}}}"]
                if other:
                    lines += [f"{pad}else {{", *self._block(other, depth + 1), f"{pad}}}"]
                return lines
            case ast.While(test=test, body=body, orelse=[]):
                return [f"{pad}while ({self._value(test)}) {{", *self._block(body, depth + 1), f"{pad}}}"]
            case ast.For(
                target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=args), body=body, orelse=[]
            ):
                if len(args) > 2:
                    raise self._refuse(node)
                bounds = ["0", self._value(args[0])] if len(args) == 1 else [self._value(arg) for arg in args]
                # a hidden counter: in Python the name keeps its last value, and a body may not move the loop
                step = f"{name}_at"
                first = f"long long {step} = {bounds[0]}, {step}_end = {bounds[1]}"
                head = f"{pad}for ({first}; {step} < {step}_end; {step}++) {{"
                return [head, f"{pad}    {name} = {step};", *self._block(body, depth + 1), f"{pad}}}"]
            case ast.Break():
                return [f"{pad}break;"]
            case ast.Continue():
                return [f"{pad}continue;"]
        raise self._refuse(node)

    def _value(self, node: ast.expr, wanted: str | None = None) -> str:
        text = self._plain(node)
        if wanted == "double" and self._kind(node) == "int":
            return f"(double)({text})"
        return text

    def _plain(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=bool() as value):
                return "1" if value else "0"
            case ast.Constant(value=float() as value):
                return repr(value)
            case ast.Constant(value=int() as value):
                return f"{value}LL"
            case ast.Name(id=name) if name in self.kinds:
                return name
            case ast.Subscript(value=ast.Name(id="ideal"), slice=index):
                return f"ideal_at(ideal, {self._value(index)})"
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in ARRAYS:
                cast = "(long long)" if ARRAYS[name] == "int" else ""
                return f"{cast}{name}[{self._value(index)}]"
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return f"({self._value(left, 'double')} / {self._value(right, 'double')})"
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return f"pow({self._value(left, 'double')}, {self._value(right, 'double')})"
            case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
                kind = self._kind(node)
                return f"({self._value(left, kind)} {BINARY[type(op)]} {self._value(right, kind)})"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"(-{self._value(operand)})"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"(!{self._value(operand)})"
            case ast.BoolOp(op=op, values=values):
                return "(" + (" && " if isinstance(op, ast.And) else " || ").join(map(self._value, values)) + ")"
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARE:
                return f"({self._value(left)} {COMPARE[type(op)]} {self._value(right)})"
            case ast.IfExp(test=test, body=body, orelse=other):
                kind = self._kind(node)
                return f"({self._value(test)} ? {self._value(body, kind)} : {self._value(other, kind)})"
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id="judged")]):
                return "n_judged"
            case ast.Call(func=ast.Name(id="float"), args=[value]):
                return self._value(value, "double")
            case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr="log2"), args=[value]):
                return f"log2({self._value(value, 'double')})"
            case ast.Call(func=ast.Name(id="int"), args=[value]):
                return f"(long long)({self._value(value)})"
            case ast.Call(func=ast.Name(id="abs"), args=[value]) if self._kind(value) == "double":
                return f"fabs({self._value(value)})"
            case ast.Call(func=ast.Name(id="min" | "max" as which), args=[left, right]):
                kind = self._kind(node)
                a, b = self._value(left, kind), self._value(right, kind)
                return f"(({a}) {'<' if which == 'min' else '>'} ({b}) ? ({a}) : ({b}))"
        raise self._refuse(node)


def c_type(kind: str) -> str:
    return "double" if kind == "double" else "long long"
