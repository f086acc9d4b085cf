"""The decorators that compile, and the folder where compiled code is kept.

numba notices when the file of a cached function changes, but not when a helper in another file does: it would go on
serving the old machine code, a silently wrong number. So the cache folder is named by a hash of all sources with
kernels, of measures, numba, Python and the CPU: any change gives a new folder.
"""

import hashlib
import logging
import os
import shutil
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import irassay.compute.numba_alone  # noqa: F401  # has to come before numba

# isort: split
import llvmlite
import llvmlite.binding
import numba

from irassay.progress import notify

log = logging.getLogger("irassay")

PACKAGE = Path(__file__).resolve().parent.parent
FOLDERS = ("ask", "compute", "demo", "measures", "panel", "read", "scoring", "vary")  # that may hold kernels
KEEP_DAYS = 30
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
# Every LLVM intrinsic has a plain counterpart with the same numbers: a way out where a new llvmlite breaks the first.
PLAIN = os.environ.get("IRASSAY_PLAIN", "") not in ("", "0")
_cache_dir_lock = threading.RLock()  # `numba.config` is one for all threads


@cache
def source_hash() -> str:
    """A name for everything that compiled code depends on."""
    environment = (
        numba.__version__,
        llvmlite.__version__,
        sys.version,
        llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
        PLAIN,
        numba.config.BOUNDSCHECK,
        os.environ.get("LLVMLITE_ENABLE_IR_LAYER_TYPED_POINTERS", ""),
    )
    digest = hashlib.sha256(repr(environment).encode())
    files = (path for place in (*FOLDERS, "streams.py", "tolerance.py") for path in _python_files(PACKAGE / place))
    for path in sorted(files):
        source = path.read_bytes()
        if in_hash(path.relative_to(PACKAGE).parts, source):
            digest.update(path.name.encode() + b"\0" + source + b"\0")
    return digest.hexdigest()[:20]


def _python_files(place: Path) -> Iterable[Path]:
    return place.rglob("*.py") if place.is_dir() else [place]


def in_hash(parts: tuple[str, ...], source: bytes) -> bool:
    """Whether compiled code can depend on a file: kernels, folds, and the constants that they take from elsewhere."""
    return (
        parts[0] in ("compute", "measures", "scoring", "tolerance.py", "streams.py")
        or parts[-1] == "constants.py"
        or b"irassay.compute.kernel" in source
    )


def cache_root() -> Path:
    """Where kernels are kept: `$IRASSAY_CACHE`, else the user's cache folder."""
    if folder := os.environ.get("IRASSAY_CACHE"):
        return Path(folder)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "irassay"


@cache
def cache_folder() -> Path | None:
    """The folder for this version of the sources, or None, with one warning, where nothing can be written."""
    try:
        folder = cache_root() / source_hash()
        new = not folder.is_dir()
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        _check_owner(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError) as error:  # RuntimeError: a user without a home folder
        log.warning("kernels are compiled anew each time: %s (set IRASSAY_CACHE to a writable folder)", error)
        return None
    if new:
        notify("compiling for this machine, once")
        _remove_old_versions(folder)
    return folder


def _check_owner(folder: Path) -> None:
    """An error where somebody else could have put code there, which would run here: numba unpickles what it finds."""
    if not hasattr(os, "getuid"):
        return
    itself, above = folder.lstat(), folder.parent.stat()
    if not stat.S_ISDIR(itself.st_mode) or itself.st_uid != os.getuid():
        raise PermissionError(f"{folder} is not a folder of yours")
    if itself.st_mode & OTHERS_WRITE or (above.st_mode & OTHERS_WRITE and not above.st_mode & stat.S_ISVTX):
        raise PermissionError(f"others can write to {folder} or replace it; chmod go-w {folder.parent} {folder}")


def _remove_old_versions(current: Path) -> None:
    limit = time.time() - KEEP_DAYS * 86400
    for folder in current.parent.iterdir():
        if folder != current and len(folder.name) == len(current.name) and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _cached(function: Callable[..., Any]) -> Iterator[bool]:
    """Whether numba may cache the function, with its cache in our folder for as long as the function is decorated.

    Not what users define: the hash does not know their files.
    """
    folder = cache_folder() if Path(function.__code__.co_filename).is_relative_to(PACKAGE) else None
    with _cache_dir_lock:
        previous = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = previous if folder is None else str(folder)
        try:
            yield folder is not None
        finally:
            numba.config.CACHE_DIR = previous


def helper(function: Callable[..., Any] | None = None, *, inline: bool = False) -> Any:
    """A function that kernels call, compiled into them; from Python only its `py_func` can be called.

    `inline` is for what is called a million times with arrays: a call passes seven words for each of them. One that
    takes arrays and has loops or several returns also counts references to them, atomically, at every call: give it
    words instead, as `read._numbers` does, or arrays that are constants of its module.
    """
    if function is None:
        return lambda f: helper(f, inline=inline)
    return numba.njit(
        function, nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=inline
    )


def kernel(function: Callable[..., Any], *, signature: Any = None) -> Any:
    """A compiled function: lazy, without the GIL, no fastmath, kept on disk between processes.

    With `signature` that one type is compiled at once; without it types are taken from the first call.
    """
    with _cached(function) as cached:
        return numba.njit(signature, cache=cached, nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)


def callback(function: Callable[..., Any], signature: Any) -> Any:
    """A function compiled for C: kernels get its `address` as an integer, so that they can be cached.

    Without numba's own error model an exception in it would be swallowed and 0.0 returned.
    """
    with _cached(function) as cached:
        return numba.cfunc(signature, cache=cached, error_model="numpy")(function)
