"""Files: what names one, and how one is replaced as a whole, so that nobody reads a part of the new contents."""

import filecmp
import hashlib
import itertools
import os
import shutil
import socket
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from irassay.errors import InputError

_numbers = itertools.count()  # of the temporary files of this process
IR_DATASETS = "ir_datasets:"  # before the id of a dataset, where a path could stand


def is_path(value: Any) -> bool:
    """Whether a value that a user gives for data names files."""
    return isinstance(value, str | os.PathLike) and not (isinstance(value, str) and value.startswith(IR_DATASETS))


def short_hash(name: str) -> str:
    """Sixteen hexadecimal digits for a name, in names of our own files."""
    return hashlib.sha256(os.fsencode(name)).hexdigest()[:16]


def _remove_stale(folder: Path, name: str) -> None:
    """Remove what processes of this machine that were killed have left beside the same path."""
    for left in folder.glob(f"{name}-*.tmp") if folder.is_dir() else ():
        number = left.name.removeprefix(f"{name}-").partition("-")[0]
        if number.isdecimal() and not _is_running(int(number)):
            _remove(left)


def _is_running(process: int) -> bool:
    if os.name == "nt":  # there os.kill would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # it is somebody else's, or none of ours wrote that number
        return True
    return True


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def temporary_neighbour(path: Path) -> Iterator[Path]:
    """A name beside `path` for a file or folder that will take its place; what is left of it at the end is removed."""
    # a neighbour, because a rename is atomic only within one file system
    name = f".irassay-{short_hash(path.name)}-{short_hash(socket.gethostname())}"
    _remove_stale(path.parent, name)
    temporary = path.with_name(f"{name}-{os.getpid()}-{next(_numbers)}.tmp")
    try:
        yield temporary
    finally:
        _remove(temporary)


def atomic_write(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Replace `path` by what `write` puts into the file it is given; after an error the old one is still there."""
    with temporary_neighbour(path) as temporary:
        with temporary.open("xb") as file:  # opened plainly, so that the umask applies
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, temporary)
        os.replace(temporary, path)


def place_new(temporary: Path, path: Path) -> None:
    """A file appears as `path`, and replaces nothing: a `FileExistsError` where somebody else was first."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(f"{path} is there already") from None
        os.replace(temporary, path)


def check_new(folder: Path, names: Collection[str] = ()) -> None:
    """An error where something is called so that is no empty folder, nor one with just the files `names`."""
    try:
        full = os.path.lexists(folder) and (not folder.is_dir() or set(os.listdir(folder)) not in (set(), set(names)))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error})", str(folder), "name a new folder") from None
    if full:
        raise InputError("the folder is not empty", str(folder), "name a new folder")


@contextmanager
def new_folder(folder: Path, names: Collection[str] = ()) -> Iterator[Path]:
    """A folder to fill, which appears as `folder` when it is whole.

    With the files `names` it may be there already, if it has the same content: a command that was killed after it wrote
    them can be given again.
    """
    check_new(folder, names)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with temporary_neighbour(folder) as temporary:
            temporary.mkdir()
            yield temporary
            if folder.exists() and any(folder.iterdir()):
                if filecmp.cmpfiles(temporary, folder, names, shallow=False)[0] != list(names):
                    raise InputError("the folder is not empty", str(folder), "name a new folder")
                return
            if folder.exists():
                folder.rmdir()
            os.replace(temporary, folder)
    except OSError as error:
        raise InputError(f"cannot make the folder: {error.strerror or error}", str(folder)) from None
