"""What is written into the source of a program for the GPU: tables of numbers, and sizes known ahead."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from irassay.scoring.recipes import Recipe

View = tuple[int, bool]
Wanted = Sequence[tuple[View, int, Sequence[tuple[int, Recipe]]]]  # view, rel, places in the output and measures
Code = dict[View, list[str]]


@dataclass
class Program:
    """Source and tables for some measures; `views` are (low, condensed), each with its lists and its kernel."""

    grades: int  # columns of the judged counts
    capacity: int  # hits a list may have
    most: int  # relevant documents a topic may have in an image
    source: str = ""
    tab: list[float] = field(default_factory=list)
    ints: list[int] = field(default_factory=list)
    together: list[int] = field(default_factory=list)  # images of a thread, by view

    def table(self, values: NDArray[np.float64] | Sequence[float]) -> int:
        self.tab += [float(value) for value in values]
        return len(self.tab) - len(values)

    def numbers(self, values: NDArray[np.int64]) -> int:
        self.ints += [int(value) for value in values]
        return len(self.ints) - len(values)
