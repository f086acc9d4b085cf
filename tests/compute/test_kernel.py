"""Compiled kernels: kept between processes, never stale, never in the way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import irassay

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
    code = "from irassay.compute.kernel import cache_folder; print(cache_folder().name)"
    before = run(tree, code, tmp_path / "cache").stdout
    (tree / "irassay" / "measures" / "ap.py").open("a").write("\n# changed\n")
    assert run(tree, code, tmp_path / "cache").stdout != before


def test_where_nothing_can_be_written_kernels_compile_in_memory_with_one_warning(tree: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    found = run(tree, ASK + "; from irassay.compute.philox import words; words(1, seed=0, stream=0)", blocked / "cache")
    assert found.stdout == "20.0 0\n"
    assert found.stderr.count("compiled anew") == 1


def test_an_install_that_cannot_be_written_to_works_and_stays_untouched(tree: Path, tmp_path: Path) -> None:
    package = tree / "irassay"
    before = sorted(p.relative_to(package) for p in package.rglob("*"))
    paths = [package, *package.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        found = run(tree, ASK, tmp_path / "cache")
        assert (found.stdout, found.stderr) == ("20.0 0\n", "")
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
