"""Whether kernels are compiled: for a small collection, importing numba takes longer than the work without it.

Modules of kernels are imported when they are needed, by `kernels`. Beside those that reading, aligning and scoring take
stand plain modules with the same functions and the same results, for the first 100,000 lines of a process.
"""

import os
import sys
from collections import Counter
from importlib import import_module
from typing import Any

LINES = 100_000  # of judgments and runs, and of lists that are scored
FORCED = {"always": True, "never": False}  # what IRASSAY_COMPILE says
# Whether this process is the command line and nothing else, so that no code but ours is compiled in it.
alone = False
_done: Counter[str] = Counter()


def compiled(work: str = "", lines: int = 0) -> bool:
    """Whether kernels do the work; `lines` are more lines of a kind of work, such as "read", that is to be done now.

    Once there are many of one kind, and once kernels are there for whatever reason, they are used.
    """
    forced = FORCED.get(os.environ.get("IRASSAY_COMPILE", ""))
    if forced is not None:
        return forced
    _done[work] += lines
    return max(_done.values()) > LINES or "irassay.compute.kernel" in sys.modules


def kernels(module: str, *, plain: str) -> Any:
    """The module of kernels, or the plain one with the same functions."""
    return import_module(module if compiled() else plain)
