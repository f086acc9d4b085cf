"""Another version of a module in place of the one that is loaded, for whatever holds its functions."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any


def swap_code(module: ModuleType, tree: ast.Module) -> bool:
    """Give the functions of a module the code of another version of it; whether kernels have to be compiled again."""
    codes: dict[str, CodeType] = {}

    def collect(code: CodeType) -> None:
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                codes[constant.co_qualname] = constant
                collect(constant)

    collect(compile(tree, str(module.__file__), "exec"))
    changed = set()
    for function in _all_functions(module):
        if function.__code__ != (code := codes[function.__code__.co_qualname]):
            function.__code__ = code
            changed.add(function)
    return _forget_compiled(changed)


def _all_functions(module: ModuleType) -> Iterator[FunctionType]:
    owners = [
        value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__
    ]
    for value in [part for owner in (module, *owners) for part in vars(owner).values()]:
        for name in ("py_func", "__wrapped__", "fget", "func", "__func__"):
            value = getattr(value, name, value)
        if isinstance(value, FunctionType) and value.__code__.co_filename == module.__file__:
            yield value


def _forget_compiled(changed: set[FunctionType]) -> bool:
    """Forget the machine code of these functions, and of all kernels of any module that they are compiled into."""
    loaded = {name: module for name, module in sys.modules.items() if name.startswith("irassay.")}
    kernels = {value.py_func: value for module in loaded.values() for value in _dispatchers(module)}
    stale = {function for function in kernels if function in changed}
    while more := {
        function
        for function in kernels.keys() - stale
        if any(getattr(part, "py_func", None) in stale for part in _called(function))
    }:
        stale |= more
    for function in stale:
        _forget(kernels[function])
    return bool(stale)


def _dispatchers(module: ModuleType) -> Iterator[Any]:
    return (value for value in vars(module).values() if isinstance(getattr(value, "py_func", None), FunctionType))


def _called(function: FunctionType) -> Iterator[Any]:
    cells = (cell.cell_contents for cell in function.__closure__ or ())
    yield from cells
    yield from (function.__globals__.get(name) for name in function.__code__.co_names)


def _forget(dispatcher: Any) -> None:
    from numba.core.caching import NullCache

    dispatcher._cache = NullCache()
    dispatcher._make_finalizer()()
    dispatcher._reset_overloads()
    dispatcher._can_compile = True  # also where its types were given
