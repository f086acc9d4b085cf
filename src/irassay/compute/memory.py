"""Large arrays, refused with the number of bytes they need where there is no such memory: an operating system that
promises more than it has would end the process in the middle of the work."""

import math
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from irassay.errors import InputError

# Linux; a container may have less than the machine: its own limit, and what it uses already.
MEMINFO = Path("/proc/meminfo")
LIMITS = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"), Path("/sys/fs/cgroup/memory/memory.usage_in_bytes")),
)
ALWAYS = 1 << 26  # bytes that are not asked for


def free_memory() -> float:
    """Bytes that this process could still take; infinite where nobody says."""
    free = [_machine(), *(_number(limit) - _number(used, 0.0) for limit, used in LIMITS)]
    return min(one for one in free if not math.isnan(one))


def _number(place: Path, default: float = math.inf) -> float:
    try:
        return float(place.read_text())
    except (OSError, ValueError):  # no such limit, or "max"
        return default


def _machine() -> float:
    try:
        lines = dict(line.split(":", 1) for line in MEMINFO.read_text().splitlines() if ":" in line)
        return 1024 * float(lines["MemAvailable"].split()[0])
    except (OSError, ValueError, KeyError, IndexError):
        pass
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):  # Windows
        return math.inf


def empty(shape: tuple[int, ...], dtype: DTypeLike = np.float64, *, of: str) -> NDArray[Any]:
    """An array with this space; `of` says in an error what it is for, such as "replicates"."""
    require(math.prod(shape) * np.dtype(dtype).itemsize, of)
    return np.empty(shape, dtype)


def require(needed: float, of: str) -> None:
    """An error where so many bytes are not there."""
    if needed <= ALWAYS:
        return
    free = free_memory()
    if needed > free:
        raise InputError(
            f"so many {of} need {_gigabytes(needed)} of memory; {_gigabytes(max(free, 0.0))} are free",
            hint=f"give fewer {of}, systems or measures",
        )


def _gigabytes(size: float) -> str:
    return f"{size / 1e9:,.1f} GB"
