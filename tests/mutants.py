"""Mutation testing: `python -m tests.mutants [MODULE...]`, modules of `irassay.ask` by name; all of them by default.

A mutant is a module with one operator, comparison or number changed; the tests of that module must notice. Each mutant
runs in a child process that is forked when all is imported and compiled, and swaps the code of the functions in place:
so a mutant takes as long as the tests up to the first that fails. Kernels are compiled again in the child.

Mutants that survive are printed; docs/testing.md explains those that cannot be killed.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import importlib
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

import irassay

ASK = Path(irassay.__file__).parent / "ask"
TESTS = Path(__file__).parent / "ask"
ELSEWHERE = {"error_rate": "studies/test_variance.py"}  # what no test of `ask` calls
MOST = 600  # seconds of one mutant, which may loop for ever
OPTIONS = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
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
    """Functions and methods; functions in them are parts of them."""
    inside = [node for owner in tree.body if isinstance(owner, ast.ClassDef) for node in owner.body]
    return [node for node in (*tree.body, *inside) if isinstance(node, ast.FunctionDef)]


def _mutable(node: ast.AST) -> Iterator[Any]:
    """The parts that say what is computed: no annotations, and no texts of errors."""
    if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr):
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
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        test = node.test
        for truth in (True, False):
            node.test = ast.copy_location(ast.Constant(truth), test)
            yield f"the condition is always {truth}", lambda: setattr(node, "test", test)


def swap_code(module: ModuleType, tree: ast.Module) -> None:
    """Give the functions of a module the code of another version of it; what holds them sees that."""
    codes: dict[str, CodeType] = {}

    def collect(code: CodeType) -> None:
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                codes[constant.co_qualname] = constant
                collect(constant)

    collect(compile(tree, str(module.__file__), "exec"))
    for function in _all_functions(module):
        function.__code__ = codes[function.__code__.co_qualname]
    dispatchers = [value for value in vars(module).values() if hasattr(value, "py_func")]
    for dispatcher in dispatchers:
        if dispatcher.py_func.__module__ == module.__name__:
            from numba.core.caching import NullCache

            dispatcher._cache = NullCache()
            dispatcher._can_compile = True
            dispatcher.recompile()


def _all_functions(module: ModuleType) -> Iterator[FunctionType]:
    owners = [
        value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__
    ]
    for value in [part for owner in (module, *owners) for part in vars(owner).values()]:
        for name in ("py_func", "__wrapped__", "fget", "func", "__func__"):
            value = getattr(value, name, value)
        if isinstance(value, FunctionType) and value.__code__.co_filename == module.__file__:
            yield value


def files_of(name: str) -> list[str]:
    """The test files that name a module, the one that mirrors it first; where none does, those of what imports it."""
    mention = re.compile(rf"irassay\.ask\.{name}\b|from irassay\.ask import [^\n]*\b{name}\b")
    mirror = TESTS / f"test_{name.lstrip('_')}.py"
    if name in ELSEWHERE:
        return [str(TESTS.parent / ELSEWHERE[name])]
    others = [path for path in sorted(TESTS.glob("test_*.py")) if path != mirror and mention.search(path.read_text())]
    files = [str(path) for path in ([mirror] if mirror.exists() else []) + others]
    if files:
        return files
    importers = [
        path.stem for path in sorted(ASK.glob("*.py")) if path.stem != name and mention.search(path.read_text())
    ]
    return list(dict.fromkeys(file for importer in importers for file in files_of(importer)))


def survives(module: ModuleType, tree: ast.Module, tests: list[str]) -> bool:
    """Whether the tests pass with the mutant."""
    child = os.fork()
    if child == 0:
        signal.alarm(MOST)
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        status = 1
        with contextlib.suppress(BaseException):
            swap_code(module, ast.fix_missing_locations(tree))
            status = int(pytest.main([*OPTIONS, *tests]))
        os._exit(status)
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0


def main(names: list[str]) -> int:
    left = 0
    for name in names or sorted(path.stem for path in ASK.glob("*.py") if path.stem != "__init__"):
        module, tests, started = importlib.import_module(f"irassay.ask.{name}"), files_of(name), time.monotonic()
        if not tests or pytest.main([*OPTIONS, "--no-header", *tests]) != 0:
            print(f"{name}: no tests, or they fail without a mutant", flush=True)
            left += 1
            continue
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        lines, total, alive = source.splitlines(), 0, []
        for line, what, tree in mutants(source):
            total += 1
            if survives(module, tree, tests):
                alive.append(f"  {name}.py:{line}: {what}: {lines[line - 1].strip()}")
                print(alive[-1], flush=True)
        seconds = time.monotonic() - started
        print(f"{name}: {total - len(alive)} of {total} mutants killed, {seconds:.0f} s", flush=True)
        left += len(alive)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
