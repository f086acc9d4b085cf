"""Files: what names one, and how one is replaced as a whole, so that nobody reads a part of the new contents."""

import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

IR_DATASETS = "ir_datasets:"  # before the id of a dataset, where a path could stand


def is_path(value: Any) -> bool:
    """Whether a value that a user gives for data names files."""
    return isinstance(value, str | os.PathLike) and not (isinstance(value, str) and value.startswith(IR_DATASETS))


@contextmanager
def temporary_neighbour(path: Path) -> Iterator[Path]:
    """A name beside `path` for a file or folder that will take its place; what is left of it at the end is removed."""
    # a neighbour, because a rename is atomic only within one file system
    temporary = path.with_name(f".irassay-{secrets.token_hex(8)}.tmp")
    try:
        yield temporary
    finally:
        if temporary.is_dir():
            shutil.rmtree(temporary, ignore_errors=True)
        temporary.unlink(missing_ok=True)


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
