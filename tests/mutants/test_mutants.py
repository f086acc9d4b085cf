"""The mutator changes what is computed, one thing at a time, and what holds a function sees the change."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import itertools
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.mutants.changes import mutants
from tests.mutants.swapping import swap_code
from tests.mutants.tests_of import ASK, files_of

SOURCE = '''
from functools import cache, cached_property

LIMIT = 3


def f(a: int, b: int = 2) -> int:
    """Text."""
    if not a < b:
        raise ValueError("1 < 2")
    return a + 1


@cache
def g(a):
    return -a


def gpu_f(a):
    return a + 1


class C:
    @cached_property
    def p(self):
        while True:
            return [x for x, in zip((1,), strict=True) if x == 1 and True]
'''


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    (tmp_path / "m.py").write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("m", tmp_path / "m.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def test_each_mutant_has_one_change_of_what_is_computed() -> None:
    changes = [(line, what) for line, what, _ in mutants(SOURCE)]
    assert changes == [
        (9, "the condition is always True"),
        (9, "the condition is always False"),
        (9, "the not is left out"),
        (9, "Lt is LtE"),
        (11, "Add is Sub"),
        (11, "1 is 2"),
        (16, "the minus is left out"),
        (26, "True is False"),
        (27, "1 is 2"),
        (27, "And is Or"),
        (27, "Eq is NotEq"),
        (27, "1 is 2"),
        (27, "True is False"),
    ]
    texts = [ast.unparse(tree) for _, _, tree in mutants(SOURCE)]
    assert len(set(texts)) == len(texts)
    whole = ast.unparse(ast.parse(SOURCE)).splitlines()
    for text in texts:
        assert sum(one != two for one, two in itertools.zip_longest(whole, text.splitlines())) == 1


def test_what_holds_a_function_sees_the_mutant(module: ModuleType) -> None:
    f, g, c = module.f, module.g, module.C
    values: set[Any] = set()
    for _, _, tree in mutants(SOURCE):
        swap_code(module, ast.fix_missing_locations(tree))
        g.cache_clear()
        with contextlib.suppress(ValueError):  # where the condition is another
            values.add((f(1), g(1), tuple(c().p or ())))
    assert {(0, -1, (1,)), (3, -1, (1,)), (2, 1, (1,)), (2, -1, ())} <= values


def test_every_module_of_questions_has_tests_that_mutants_run() -> None:
    names = [path.stem for path in ASK.glob("*.py") if path.stem != "__init__"]
    assert [name for name in names if not files_of(name)] == []
