"""Large pieces of memory for many arrays: the system takes long to give pages one by one, and to clear them."""

import threading
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

# More than what `malloc` ever keeps for itself after it is freed: peak memory would be a matter of chance.
CHUNK = 33 << 20
ALIGNED = 64


class Scratch:
    """Arrays for any thread, all of which are free again after `clear`."""

    def __init__(self) -> None:
        self._chunks: list[NDArray[np.uint8]] = []
        self._lock = threading.Lock()
        self.clear()

    def clear(self) -> None:
        self._chunk = self._used = 0

    def empty(self, size: int, dtype: DTypeLike) -> NDArray[Any]:
        needed = size * np.dtype(dtype).itemsize
        with self._lock:
            while self._chunk == len(self._chunks) or self._used + needed > len(self._chunks[self._chunk]):
                if self._chunk == len(self._chunks):
                    self._chunks.append(np.empty(max(CHUNK, needed), dtype=np.uint8))
                elif self._used == 0:  # too small for this array: one of its size takes its place
                    self._chunks[self._chunk] = np.empty(needed, dtype=np.uint8)
                else:
                    self._chunk, self._used = self._chunk + 1, 0
            array = self._chunks[self._chunk][self._used : self._used + needed].view(dtype)
            self._used += -(-needed // ALIGNED) * ALIGNED
        return array
