"""Reports go to a file or to standard output."""

import os
import sys
from pathlib import Path

from irassay.errors import InputError
from irassay.files import atomic_write
from irassay.report.text import encode


def write(payload: bytes | str, path: Path | None) -> None:
    """Write to standard output (None) or to a file, which appears whole or not at all."""
    content = encode(payload) if isinstance(payload, str) else payload
    if path is None:
        _to_stdout(content)
        return
    target = Path(os.path.realpath(path))  # a link stays a link: what it points to is replaced
    try:
        if target.is_dir():
            raise InputError("this is a folder, not a file", str(path), "add the name of a file")
        if target.exists() and not target.is_file():
            target.write_bytes(content)  # /dev/null, a pipe: nothing to replace
        else:
            atomic_write(target, lambda file: file.write(content))
    except OSError as problem:
        hint = "" if target.parent.is_dir() else f"make the folder {target.parent} first"
        raise InputError(f"cannot write: {problem.strerror or problem}", str(path), hint) from problem


def _to_stdout(content: bytes) -> None:
    try:
        sys.stdout.flush()
        binary = getattr(sys.stdout, "buffer", None)
        if binary is None:  # a notebook, a StringIO
            sys.stdout.write(content.decode("utf-8", "replace"))
        else:
            binary.write(content)
        sys.stdout.flush()
    except BrokenPipeError:
        # the reader (head, less) needs no more; without this Python complains again when it exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as problem:
        raise InputError(f"cannot write to standard output: {problem.strerror or problem}") from problem
