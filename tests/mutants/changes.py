"""The mutants of a module: one operator, comparison, condition or number of its functions changed at a time."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any

SWAPS: dict[type[ast.AST], type[Any]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def mutants(source: str) -> Iterator[tuple[int, str, ast.Module]]:
    """Line, what is changed, and the module with the change."""
    tree = ast.parse(source)
    for function in _functions(tree):
        nodes = [node for part in function.body for node in _mutable(part)]
        for node in nodes:
            for what, undo in _changes(node):
                yield node.lineno, what, copy.deepcopy(tree)
                undo()


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """Functions and methods; functions in them are parts of them. What is for a GPU cannot be tested without one."""
    inside = [node for owner in tree.body if isinstance(owner, ast.ClassDef) for node in owner.body]
    functions = [node for node in (*tree.body, *inside) if isinstance(node, ast.FunctionDef)]
    return [node for node in functions if not node.name.startswith("gpu_")]


def _mutable(node: ast.AST) -> Iterator[Any]:
    """The parts that say what is computed: no annotations, no texts of errors, no `strict` of zip (a check)."""
    if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr) or getattr(node, "arg", "") == "strict":
        return
    yield node
    for name, value in ast.iter_fields(node):
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST) and name not in ("annotation", "returns"):
                yield from _mutable(part)


def _changes(node: Any) -> Iterator[tuple[str, Callable[[], None]]]:
    """Each change of one node, made, with how to undo it."""
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in SWAPS:
        before = node.op
        node.op = SWAPS[type(before)]()
        yield f"{type(before).__name__} is {type(node.op).__name__}", lambda: setattr(node, "op", before)
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        first = node.ops[0]
        node.ops[0] = SWAPS[type(first)]()
        yield f"{type(first).__name__} is {type(node.ops[0]).__name__}", lambda: node.ops.__setitem__(0, first)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        minus = node.op
        node.op = ast.UAdd()
        yield "the minus is left out", lambda: setattr(node, "op", minus)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        operand = node.operand
        node.operand = ast.copy_location(ast.UnaryOp(ast.Not(), operand), operand)
        yield "the not is left out", lambda: setattr(node, "operand", operand)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        value = node.value
        node.value = not value if isinstance(value, bool) else value + 1
        yield f"{value} is {node.value}", lambda: setattr(node, "value", value)
    elif isinstance(node, ast.If | ast.IfExp | ast.While) and not isinstance(node.test, ast.Constant):
        test = node.test
        for truth in (True, False):
            node.test = ast.copy_location(ast.Constant(truth), test)
            yield f"the condition is always {truth}", lambda: setattr(node, "test", test)
