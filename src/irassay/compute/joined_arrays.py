"""Several arrays as one, for what takes one: `intrinsics.many_arrays` without LLVM."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def many_arrays(arrays: Iterable[NDArray[Any]]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Arrays for one kernel: all in one, and where each starts."""
    listed = list(arrays)
    sizes = np.array([len(array) for array in listed], dtype=np.int64)
    return np.concatenate(listed), np.cumsum(sizes) - sizes
