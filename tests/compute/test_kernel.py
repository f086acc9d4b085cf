"""Compiled kernels: kept between processes, never stale, never in the way."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import irassay
from irassay.compute.kernel import FOLDERS, callback, in_hash, kernel

pytestmark = pytest.mark.cold
SOURCE = Path(irassay.__file__).parent

# A small tree of its own: a kernel that calls a helper in another file, through the project's decorators.
HELPER = """
from irassay.compute.kernel import helper
@helper
def factor():
    return {factor}
"""
KERNEL = """
from irassay.compute.kernel import kernel
from irassay.compute.copied_helper import factor
@kernel
def times(x):
    return x * factor()
"""
FOLDER = "from irassay.compute.kernel import cache_folder; print(cache_folder().name)"
ASK = "from irassay.compute.copied_kernel import times; print(times(10.0), len(times.stats.cache_hits))"


def run(tree: Path, code: str, cache: Path, **more: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(tree), "IRASSAY_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1", **more}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    copy = tmp_path / "tree" / "irassay"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "compute" / "copied_helper.py").write_text(HELPER.format(factor=2))
    (copy / "compute" / "copied_kernel.py").write_text(KERNEL)
    return copy.parent


def test_a_second_process_finds_the_compiled_kernel(tree: Path, tmp_path: Path) -> None:
    assert run(tree, ASK, tmp_path / "cache").stdout == "20.0 0\n"
    assert run(tree, ASK, tmp_path / "cache").stdout == "20.0 1\n"


def test_a_changed_helper_in_another_file_is_never_served_from_a_stale_cache(tree: Path, tmp_path: Path) -> None:
    assert run(tree, ASK, tmp_path / "cache").stdout == "20.0 0\n"
    helper = tree / "irassay" / "compute" / "copied_helper.py"
    stamp = helper.stat()
    helper.write_text(HELPER.format(factor=3))
    os.utime(helper, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # even where the clock shows no change
    assert run(tree, ASK, tmp_path / "cache").stdout == "30.0 0\n"
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_a_changed_measure_makes_a_new_cache(tree: Path, tmp_path: Path) -> None:
    before = run(tree, FOLDER, tmp_path / "cache").stdout
    (tree / "irassay" / "measures" / "definitions" / "ap.py").open("a").write("\n# changed\n")
    assert run(tree, FOLDER, tmp_path / "cache").stdout != before


def test_each_way_to_compile_has_a_cache_of_its_own(tree: Path, tmp_path: Path) -> None:
    ways: tuple[dict[str, str], ...] = ({}, {"IRASSAY_PLAIN": "1"}, {"LLVMLITE_ENABLE_IR_LAYER_TYPED_POINTERS": "0"})
    folders = [run(tree, FOLDER, tmp_path / "cache", **way).stdout for way in ways]
    assert len(set(folders)) == 3


@pytest.mark.skipif(os.name == "nt", reason="owners and permissions")
@pytest.mark.parametrize("open_to_all", ["folder", "above"])
def test_code_is_not_loaded_from_a_folder_that_others_can_write_to(
    open_to_all: str, tree: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    name = run(tree, FOLDER, cache).stdout.strip()
    (cache / name if open_to_all == "folder" else cache).chmod(0o777)
    done = run(tree, ASK + "; print(times.stats.cache_path)", cache)
    assert done.stdout == "20.0 0\nNone\n"
    assert "others can write to" in done.stderr
    assert "IRASSAY_CACHE" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="owners and permissions")
def test_the_cache_is_closed_to_others_whatever_the_umask(tree: Path, tmp_path: Path) -> None:
    name = run(tree, "import os; os.umask(0); " + FOLDER, tmp_path / "a" / "cache").stdout.strip()
    for folder in (tmp_path / "a" / "cache", tmp_path / "a" / "cache" / name):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_constants_that_kernels_take_from_other_files_are_in_the_hash() -> None:
    for path in SOURCE.rglob("*.py"):
        text = path.read_text()
        if "irassay.compute.kernel" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.ImportFrom) or not node.module or not node.module.startswith("irassay."):
                continue
            if any(alias.name.isupper() for alias in node.names):
                place = SOURCE.joinpath(*node.module.split(".")[1:])
                source = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
                assert in_hash(source.relative_to(SOURCE).parts, source.read_bytes()), f"{path}: {node.module}"


def test_kernels_are_only_where_the_hash_looks_for_them() -> None:
    for path in SOURCE.rglob("*.py"):
        if in_hash(path.relative_to(SOURCE).parts, path.read_bytes()):
            assert path.relative_to(SOURCE).parts[0] in (*FOLDERS, "streams.py", "tolerance.py"), path


def test_decorating_leaves_the_cache_setting_of_numba_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "/somewhere/else")
    kernel(lambda x: x)
    with pytest.raises(numba.TypingError):
        callback(lambda x: x.unknown, numba.float64(numba.float64))
    assert numba.config.CACHE_DIR == "/somewhere/else"


def test_what_users_define_is_not_cached() -> None:
    times = kernel(lambda x: 2 * x)
    assert times(2) == 4
    assert times.stats.cache_path is None


def test_a_second_process_finds_the_compiled_folds_and_their_driver(tmp_path: Path) -> None:
    code = (
        "from irassay.scoring import fold; from irassay.measures import records; "
        "fold.compiled(records()['AP'].function); "
        "print(fold._function(records()['AP'].function).cache_hits, len(fold.driver().stats.cache_hits))"
    )
    assert run(SOURCE.parent, code, tmp_path / "cache").stdout == "0 0\n"
    assert run(SOURCE.parent, code, tmp_path / "cache").stdout == "1 1\n"


def test_where_nothing_can_be_written_kernels_compile_in_memory_with_one_warning(tree: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    process = run(
        tree, ASK + "; from irassay.compute.philox import words; words(1, seed=0, stream=0)", blocked / "cache"
    )
    assert process.stdout == "20.0 0\n"
    assert process.stderr.count("compiled anew") == 1


def test_an_install_that_cannot_be_written_to_works_and_stays_untouched(tree: Path, tmp_path: Path) -> None:
    package = tree / "irassay"
    before = sorted(p.relative_to(package) for p in package.rglob("*"))
    paths = [package, *package.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        process = run(tree, ASK, tmp_path / "cache")
        assert (process.stdout, process.stderr) == ("20.0 0\n", "")
        assert sorted(p.relative_to(package) for p in package.rglob("*")) == before
    finally:
        for path in paths:
            path.chmod(0o755)


def test_the_help_imports_neither_numpy_nor_numba() -> None:
    code = (
        "import sys; from irassay.cli import run; assert run(['--help']) == 0; "
        "sys.exit(any(name in sys.modules for name in ('numpy', 'numba', 'scipy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
