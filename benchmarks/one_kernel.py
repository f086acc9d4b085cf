"""The least that a program with a kernel takes to start: numba, and one function from its cache."""

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def total(values):  # type: ignore[no-untyped-def]
    result = 0.0
    for i in range(values.shape[0]):
        result += values[i]
    return result


if __name__ == "__main__":
    total(np.ones(10))
