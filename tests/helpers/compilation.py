"""The same work done by kernels and without them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np

# blocks what a small collection does without, whatever is installed
WITHOUT_NUMBA = "import sys; sys.modules.update(numba=None, llvmlite=None); from irassay.cli import main; main()"
COMMAND = (sys.executable, "-c", WITHOUT_NUMBA)


def both_ways(work: Callable[[], Any]) -> tuple[Any, Any]:
    """What some work gives without kernels and with them; an error is a result too."""
    results = []
    for choice in ("never", "always"):
        with mock.patch.dict(os.environ, IRASSAY_COMPILE=choice):
            try:
                results.append(work())
            except Exception as error:
                results.append((type(error), str(error)))
    return results[0], results[1]


def equal(one: Any, other: Any) -> bool:
    """Whether two values are equal to the last bit, arrays with their types too."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, tuple | list) and type(one) is type(other):
        return len(one) == len(other) and all(map(equal, one, other))
    return bool(one == other)
