"""The one decorator that owns compilation, and the folder where compiled kernels are kept.

numba notices when the file of a cached function changes, but not when a helper in another file does: it would go on
serving the old machine code, a silently wrong number. So the cache folder is named by a hash of all sources with
kernels, of measures, numba, Python and the CPU: any change gives a new folder.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

log = logging.getLogger("irassay")

PACKAGE = Path(__file__).resolve().parent.parent
KEEP_DAYS = 30


@cache
def source_hash() -> str:
    """A name for everything that compiled code depends on."""
    digest = hashlib.sha256()
    for part in (numba.__version__, sys.version, llvmlite.binding.get_host_cpu_name()):
        digest.update(part.encode())
    digest.update(str(llvmlite.binding.get_host_cpu_features().flatten()).encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        if _compiled(path.relative_to(PACKAGE).parts, source):
            digest.update(path.name.encode() + b"\0" + source + b"\0")
    return digest.hexdigest()[:20]


def _compiled(parts: tuple[str, ...], source: bytes) -> bool:
    """Whether compiled code can depend on a file: kernels, folds, and the constants that they take from elsewhere."""
    return parts[0] in ("compute", "measures", "tolerance.py", "streams.py") or b"irassay.compute.kernel" in source


def cache_root() -> Path:
    """Where kernels are kept: `$IRASSAY_CACHE`, else the user's cache folder."""
    if given := os.environ.get("IRASSAY_CACHE"):
        return Path(given)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "irassay"


@cache
def cache_folder() -> Path | None:
    """The folder for this version of the sources, or None where nothing can be written (said once)."""
    try:
        folder = cache_root() / source_hash()
        new = not folder.is_dir()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError) as error:  # RuntimeError: a user without a home folder
        log.warning("kernels are compiled anew each time: %s (set IRASSAY_CACHE to a writable folder)", error)
        return None
    if new:
        _forget_old_versions(folder)
    return folder


def _forget_old_versions(current: Path) -> None:
    limit = time.time() - KEEP_DAYS * 86400
    for folder in current.parent.iterdir():
        if folder != current and len(folder.name) == len(current.name) and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


class _Locator(_CacheLocator):  # type: ignore[misc]  # numba has no types
    """Puts every kernel into `cache_folder()`, wherever its source lies (read-only installs included)."""

    def __init__(self, py_func: Callable[..., Any], folder: Path) -> None:
        self._name = f"{py_func.__module__}.{py_func.__qualname__}"
        self._folder = folder

    def ensure_cache_path(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return source_hash()

    def get_disambiguator(self) -> str:
        return hashlib.sha256(self._name.encode()).hexdigest()[:10]

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Locator | None:
        folder = cache_folder()
        return cls(py_func, folder) if folder else None


class _Impl(CompileResultCacheImpl):  # type: ignore[misc]  # numba has no types
    _locator_classes = [_Locator]  # noqa: RUF012  # numba's own attribute


class _Cache(FunctionCache):  # type: ignore[misc]  # numba has no types
    _impl_class = _Impl


def helper(function: Callable[..., Any] | None = None, *, inline: bool = False) -> Any:
    """A function that kernels call, compiled into them; from Python only its `py_func` can be called.

    `inline` is for what is called a million times with arrays: a call passes seven words for each of them.
    """
    if function is None:
        return lambda f: helper(f, inline=inline)
    return numba.njit(
        function, nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=inline
    )


def kernel(function: Callable[..., Any] | None = None, *, signature: Any = None) -> Any:
    """A compiled function: lazy, without the GIL, no fastmath, kept on disk between processes.

    With `signature` one explicit type is compiled at once (folds and their drivers); without it types are taken
    from the first call.
    """
    if function is None:
        return lambda f: kernel(f, signature=signature)
    # Only what is passed to another kernel needs an address of its own.
    alone = signature is None
    dispatcher = numba.njit(function, nogil=True, error_model="numpy", fastmath=False, no_cfunc_wrapper=alone)
    if cache_folder() is not None:
        dispatcher._cache = _Cache(function)
    if signature is not None:
        dispatcher.compile(signature)
        dispatcher.disable_compile()
    return dispatcher
