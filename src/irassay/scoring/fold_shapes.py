"""What the source of a fold shows: how it goes down the hits, so that no list of them need be written down."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Linear = tuple[Array, Array | None]  # a + b * (hits above), by rank; None: does not depend on them
HITS = {"rank", "grade"}
CHECKED = (1, 2, 5, 9, 10, 23)  # ranks of a list


class Parts(NamedTuple):
    """The body of a fold with one loop over its hits."""

    before: list[ast.stmt]
    loop: ast.For
    after: list[ast.stmt]


def tree_of(fold: Callable[..., float]) -> ast.FunctionDef:
    """The function's definition; a TypeError where it is none with a name."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(fold))).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise TypeError("a fold is a function with a name")
    return tree


def statements_of(tree: ast.FunctionDef) -> list[ast.stmt]:
    """Its body without the docstring."""
    body = tree.body
    return body[1:] if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) else body


def parts_of(tree: ast.FunctionDef) -> Parts | None:
    """What stands before the one loop over all hits, the loop, and what follows it."""
    body = statements_of(tree)
    loops = [k for k, one in enumerate(body) if isinstance(one, ast.For) and ast.unparse(one.iter) == "range(n)"]
    if len(loops) != 1:
        return None
    loop = body[loops[0]]
    if not (isinstance(loop, ast.For) and isinstance(loop.target, ast.Name)):
        return None
    return Parts(body[: loops[0]], loop, body[loops[0] + 1 :])


def is_hits(node: ast.AST) -> bool:
    """Whether it is the rank or the grade of some hit."""
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in HITS


def looks_at_first_hit_only(tree: ast.FunctionDef) -> bool:
    """Whether no hit but the first is looked at, if any is."""
    indices = [node.slice for node in ast.walk(tree) if isinstance(node, ast.Subscript) and is_hits(node)]
    zero = all(isinstance(index, ast.Constant) and index.value == 0 for index in indices)
    return zero and len(indices) == sum(isinstance(node, ast.Name) and node.id in HITS for node in ast.walk(tree))


@cache
def first_hit_only(fold: Callable[..., float]) -> bool:
    """The same of a fold; one whose source cannot be read may look at any."""
    try:
        return looks_at_first_hit_only(tree_of(fold))
    except (OSError, TypeError, SyntaxError):
        return False


def values_by_first_rank(fold: Callable[..., float], longest: int) -> Array | None:
    """The value by the rank of the first hit, up to `longest`, of a fold that depends on nothing else; 0 without any.

    None for any other fold.
    """
    if not _first_rank_only(fold):
        return None
    zeros = [0.0] * 8
    values = np.array([fold([r], [1], min(r, 1), zeros, zeros, [0, 1], r, zeros) for r in range(longest + 1)])
    more = fold([2, 3, 7], [1, 1, 1], 3, zeros, zeros, [0, 1], 7, zeros)  # the source may have changed since
    return values if values[0] == 0.0 and (longest < 2 or more == values[2]) else None


@cache
def _first_rank_only(fold: Callable[..., float]) -> bool:
    """Whether a fold looks at `rank[0]` alone, and whether there are any hits."""
    try:
        tree = tree_of(fold)
    except (OSError, TypeError, SyntaxError):
        return False
    body = ast.Module(statements_of(tree), [])
    asked = [node.left for node in ast.walk(body) if isinstance(node, ast.Compare) and _with_zero(node)]
    counts = [node for node in ast.walk(body) if isinstance(node, ast.Name) and node.id == "n"]
    arguments = {one.arg for one in tree.args.args}
    return (
        looks_at_first_hit_only(tree)
        and names_in([body]) & arguments <= {"rank", "n"}
        and all(any(node is one for one in asked) for node in counts)
    )


def _with_zero(node: ast.Compare) -> bool:
    return all(isinstance(one, ast.Constant) and one.value == 0 for one in node.comparators)


def counted_terms(fold: Callable[..., float], longest: int) -> tuple[Array, Array] | None:
    """a and b, from rank 1 to `longest`, of a fold that is a sum of a[rank] + b[rank] * (hits above) over its hits.

    None for any other fold. What AP adds for a hit is 1/rank + (hits above)/rank.
    """
    expression = _term(fold)
    if expression is None:
        return None
    ranks = np.arange(1.0, longest + 1.0)
    linear = _linear(*expression, ranks)
    if linear is None:
        return None
    alone, by_hits = linear
    return alone, np.zeros(longest) if by_hits is None else by_hits


@cache
def _term(fold: Callable[..., float]) -> tuple[ast.expr, str] | None:
    """What a fold of the shape `t = 0; for i in range(n): t += TERM; return t` adds for a hit, and the name of i."""
    try:
        parts = parts_of(tree_of(fold))
    except (OSError, TypeError, SyntaxError):
        return None
    match parts:
        case Parts(
            [ast.Assign(targets=[ast.Name(id=total)], value=ast.Constant(value=0.0))],
            ast.For(
                target=ast.Name(id=counter),
                body=[ast.AugAssign(target=ast.Name(id=added), op=ast.Add(), value=term)],
                orelse=[],
            ),
            [ast.Return(value=ast.Name(id=returned))],
        ) if total == added == returned != counter:
            ranks = np.array(CHECKED, dtype=np.float64)
            linear = _linear(term, counter, ranks)
            if linear is not None and _agrees(fold, linear):
                return term, counter
    return None


def _linear(node: ast.expr, counter: str, ranks: Array) -> Linear | None:
    """The value of an expression by rank; None where more occurs than ranks and, to the first power, the counter."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | float() as value):
            return np.full(len(ranks), float(value)), None
        case ast.Name(id=name) if name == counter:
            return np.zeros(len(ranks)), np.ones(len(ranks))
        case ast.Subscript(value=ast.Name(id="rank"), slice=ast.Name(id=name)) if name == counter:
            return ranks, None
        case ast.Call(func=ast.Name(id="float"), args=[value], keywords=[]):
            return _linear(value, counter, ranks)
        case ast.BinOp(left=left, op=op, right=right):
            x, y = _linear(left, counter, ranks), _linear(right, counter, ranks)
            return None if x is None or y is None else _combined(x, op, y)
    return None


def _combined(x: Linear, op: ast.operator, y: Linear) -> Linear | None:
    (a, b), (c, d) = x, y
    zero = np.zeros(len(a))
    match op:
        case ast.Add():
            return a + c, None if b is d is None else (zero if b is None else b) + (zero if d is None else d)
        case ast.Sub():
            return a - c, None if b is d is None else (zero if b is None else b) - (zero if d is None else d)
        case ast.Mult() if d is None:
            return a * c, None if b is None else b * c
        case ast.Mult() if b is None and d is not None:
            return a * c, a * d
        case ast.Div() if d is None and c.all():
            return a / c, None if b is None else b / c
    return None


def _agrees(fold: Callable[..., float], linear: Linear) -> bool:
    """Whether the fold itself gives this: a file that has changed since it was imported shows another source."""
    a, b = linear
    above = np.arange(len(CHECKED))
    expected = float((a if b is None else a + b * above).sum())
    n = len(CHECKED)
    value = fold(list(CHECKED), [1] * n, n, [0.0, 1.0], [0.0] * (CHECKED[-1] + 1), [0, n], CHECKED[-1], [0.0] * 8)
    return abs(value - expected) <= 1e-12 * max(1.0, abs(expected))


def names_in(nodes: Iterable[ast.AST]) -> set[str]:
    return {one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)}


def leaves_loop(statements: Iterable[ast.stmt]) -> bool:
    """Whether a `break` of this loop, or a `return`, is among them."""
    for one in statements:
        if isinstance(one, (ast.Break, ast.Return)):
            return True
        if isinstance(one, (ast.For, ast.While)):
            if any(isinstance(inner, ast.Return) for inner in ast.walk(one)):
                return True
        elif isinstance(one, ast.If) and leaves_loop([*one.body, *one.orelse]):
            return True
    return False
