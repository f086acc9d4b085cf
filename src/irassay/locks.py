"""A lock on a path, for one process at a time on this machine or, where the file system knows locks, on several.

The operating system holds it, so that it ends with the process, however that ends: no lock is ever stale.
"""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from irassay.errors import InputError

POLL = 0.05  # seconds between two tries


@contextmanager
def locked(path: Path, where: str, *, wait: float = 0.0) -> Iterator[None]:
    """Hold the lock `path`, a file that is there meanwhile; an error at `where` if another process has it for so long.

    `wait` is in seconds.
    """
    deadline = time.monotonic() + wait
    while (descriptor := _acquired(path)) is None:
        if time.monotonic() >= deadline:
            raise InputError(f"{_holder(path)} writes here", where, "wait until it is done, or give another folder")
        time.sleep(POLL)
    try:
        os.truncate(descriptor, 0)
        os.write(descriptor, f"process {os.getpid()} on {socket.gethostname()}".encode())
        yield
    finally:
        _release(path, descriptor)


def _acquired(path: Path) -> int | None:
    """The open lock, or None where another process has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if _lock(descriptor) and _same_file(path, descriptor):
            return descriptor
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def _same_file(path: Path, descriptor: int) -> bool:
    """Whether the file that was locked is still the one of that name: whoever had it before has removed it."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _release(path: Path, descriptor: int) -> None:
    try:
        path.unlink(missing_ok=True)  # while it is held: nobody else can have it under this name
    except PermissionError:  # Windows removes no open file
        pass
    finally:
        os.close(descriptor)


def _holder(path: Path) -> str:
    try:
        text = path.read_text(errors="replace")[:100].strip()
    except OSError:
        text = ""
    return f"another irassay ({text})" if text else "another irassay"


if os.name == "nt":  # pragma: no cover
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            # a byte far beyond the text, which others may read
            os.lseek(descriptor, 1 << 20, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True

else:
    import errno
    import fcntl

    # What says that another has it; a file system without locks says something else, and there is none then.
    HELD = (errno.EWOULDBLOCK, errno.EACCES, errno.EAGAIN)

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            return problem.errno not in HELD
        return True
