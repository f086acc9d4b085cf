"""The tests mirror the source, share code through `tests/helpers` alone, and keep real runs in one place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import irassay

TESTS = Path(__file__).parent
ROOT = TESTS.parent
# what is no package of irassay: shared code, kinds of tests that need something special, expected numbers, the docs
OTHERS = {"helpers", "real_runs", "browser", "gpu", "golden", "docs", "fuzz", "mutants", "packaging"}
TEST_MODULE = re.compile(r"\btests(\.\w+)*\.(test_\w+|conftest)\b")


def imported_tests(source: str) -> Iterator[str]:
    """The test modules that a module imports, or names in a string, as code for another process would."""
    for node in ast.walk(ast.parse(source)):
        texts: list[str] = []
        if isinstance(node, ast.Import):
            texts = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = "tests" if node.level else node.module or ""  # a relative import stays within the tests
            texts = [package, *(f"{package}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts = [node.value]
        for text in texts:
            yield from (match.group(0) for match in TEST_MODULE.finditer(text))


def arguments(source: str) -> set[str]:
    """The names of the arguments of all functions of a module."""
    return {node.arg for node in ast.walk(ast.parse(source)) if isinstance(node, ast.arg)}


def modules(*folders: Path) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


@pytest.mark.parametrize(
    "source",
    [
        "from tests.read.test_files import RUN",
        "from tests.read import test_files",
        "import tests.test_result",
        "from . import test_result",
        "from tests.cli.conftest import shell",
        "code = 'from tests.compute.test_executor import PARTS; print(PARTS)'",
    ],
)
def test_an_import_of_a_test_module_is_seen(source: str) -> None:
    assert list(imported_tests(source))


@pytest.mark.parametrize(
    "source", ["from tests.helpers.files import RUN", "import pytest", "from tests.helpers import plain"]
)
def test_an_import_of_a_helper_is_none_of_a_test_module(source: str) -> None:
    assert not list(imported_tests(source))


def test_no_module_imports_a_test_module() -> None:
    places = [path for path in modules(TESTS, ROOT / "docs", ROOT / "benchmarks") if path != Path(__file__)]
    imports = {str(path.relative_to(ROOT)): list(imported_tests(path.read_text(encoding="utf-8"))) for path in places}
    assert {path: names for path, names in imports.items() if names} == {}


def test_every_folder_of_tests_mirrors_a_package_and_every_package_has_one() -> None:
    packages = {path.parent.name for path in Path(irassay.__file__).parent.glob("*/__init__.py")}
    folders = {path.name for path in TESTS.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders - OTHERS == packages


def test_helpers_hold_no_tests() -> None:
    for path in modules(TESTS / "helpers"):
        names = [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
        assert [name for name in names if name.startswith("test_")] == [], path.name


def test_real_runs_are_used_in_their_folder_alone() -> None:
    places = {path.parent.name for path in modules(TESTS) if "data_dir" in arguments(path.read_text(encoding="utf-8"))}
    assert places == {"real_runs"}
