"""Files that are replaced as a whole: whoever reads one sees the old contents or the new, never a part."""

import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO


def atomic_write(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Replace `path` by what `write` puts into the file it is given; after an error the old one is still there."""
    # a neighbour, because a rename is atomic only within one file system; opened plainly, so that the umask applies
    temporary = path.with_name(f".irassay-{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, temporary)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
