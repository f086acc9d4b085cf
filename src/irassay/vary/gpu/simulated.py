"""Lists drawn again on the GPU, from their own scores or from densities: the draws of the processor (list_code.py)."""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay import choices
from irassay.compute.gpu import OPTIONS, cupy
from irassay.scoring.gpu.measure_code import measured
from irassay.scoring.gpu.program import Program
from irassay.scoring.recipes import Recipe
from irassay.streams import (
    DENSITY_JITTER,
    DENSITY_PLACES,
    SIMULATED_CAP,
    SIMULATED_CELLS,
    SIMULATED_COPIES,
    SIMULATED_REST,
)
from irassay.vary._density import Tables
from irassay.vary._multinomial import DEVIATIONS, one_table
from irassay.vary._simulated_lists import CELLS, SimulatedLists
from irassay.vary.gpu.densities import densities_on_gpu
from irassay.vary.gpu.list_code import DRAWS, FITTED, KERNEL, RESAMPLED

THREADS = 128
MOST_LISTS = 65535  # rows of blocks


class GpuSimulatedLists:
    """Simulated values of some measures for all lists; every measure wants relevant documents on whole lists."""

    def __init__(
        self,
        lists: SimulatedLists,
        wanted: Sequence[tuple[tuple[int, bool], int, Sequence[tuple[int, Recipe]]]],
        measures: int,
        relevant: str,
        tables: Tables | None = None,
    ) -> None:
        """`tables` are those of fitted densities; without them raw scores are resampled."""
        self._lists, self._measures, self._rule = lists, measures, choices.RELEVANT.index(relevant)
        self._densities = tables
        most = int(np.diff(lists.relevant).max(initial=0))
        capacity = max(1, min(int(lists.length.max(initial=1)), most + 12 * int(most**0.5) + 64))
        grades = lists.whole.shape[1]
        self._program = Program(grades, capacity, capacity + int(lists.missed[:, 1:].sum(axis=1).max(initial=0)))
        parts, contexts, scores = measured(self._program, wanted)
        for number, view in enumerate(scores):
            places = [place for (of_view, _, recipes) in wanted if of_view == view for place, _ in recipes]
            numbers = {
                "view": number,
                "most_relevant": max(most, 1),
                "capacity": capacity,
                "grades": grades,
                "low": view[0],
                "measures": measures,
                "body": "\n".join(contexts[view] + scores[view]),
                "mine": " || ".join(f"m == {place}" for place in places),
                "CELLS": CELLS,
                "SIMULATED_COPIES": SIMULATED_COPIES,
                "SIMULATED_CELLS": SIMULATED_CELLS,
                "SIMULATED_REST": SIMULATED_REST,
                "SIMULATED_CAP": SIMULATED_CAP,
                "DENSITY_JITTER": DENSITY_JITTER,
                "DENSITY_PLACES": DENSITY_PLACES,
                "FIXED": choices.RELEVANT.index("fixed"),
                "MAX": choices.RELEVANT.index("max"),
            }
            drawing = RESAMPLED if tables is None else FITTED
            parts.append(KERNEL.format(**numbers, **{name: text.format(**numbers) for name, text in drawing.items()}))
        self._views = len(scores)
        self.source = DRAWS + "\n".join(parts)
        self._capacity = capacity

    @cached_property
    def _tables(self) -> tuple[NDArray[np.int32], NDArray[np.uint32], NDArray[np.int64], NDArray[np.int32]]:
        """The table of every cell, of fitted lists one for all cells of a list; thresholds of all tables, where each
        starts, and its smallest count.

        Table 0 is that of copies, Poisson(1).
        """
        lists = self._lists
        scratch = np.empty(
            int(lists.length.max(initial=1)) + 64 * int(lists.length.max(initial=1) ** 0.5) + 256, np.uint32
        )
        thresholds: list[NDArray[np.uint32]] = []
        lows: list[int] = []
        starts, of_cell = [0], []
        known: dict[float, int] = {}

        def table(mean: float) -> int:
            if mean not in known:
                low, width = one_table(mean, scratch)
                known[mean] = len(lows)
                lows.append(int(low))
                thresholds.append(scratch[:width].copy())
                starts.append(starts[-1] + int(width))
            return known[mean]

        table(1.0)
        for q in range(len(lists)):
            r = int(lists.relevant[q + 1] - lists.relevant[q])
            other = int(lists.other[q + 1] - lists.other[q])
            mean = float(max(0, int(lists.length[q]) - r))
            most = max(0.0, mean - DEVIATIONS * math.sqrt(mean))
            if self._densities is not None:
                of_cell.append(table(most / CELLS))
                continue
            unit = most / other if other else 0.0
            mass = np.diff(lists.above[lists.relevant[q] : lists.relevant[q + 1]], prepend=0, append=other)
            of_cell += [table(unit * int(m)) for m in mass]
        return (
            np.array(of_cell, dtype=np.int32),
            np.concatenate(thresholds),
            np.array(starts, dtype=np.int64),
            np.array(lows, dtype=np.int32),
        )

    @cached_property
    def _held(self) -> list[Any]:
        lists, tables, put = self._lists, self._densities, cupy().asarray
        of_cell, thresholds, starts, lows = self._tables
        return [
            put(lists.relevant),
            put(lists.relevant_grade),
            put(np.diff(lists.other)),
            put(lists.length),
            put(lists.key),
            put(np.ascontiguousarray(lists.whole)),
            put(np.ascontiguousarray(lists.missed)),
            put(of_cell),
            put(thresholds),
            put(starts),
            put(lows),
            *([put(lists.above)] if tables is None else densities_on_gpu(lists, tables, MOST_LISTS)),
        ]

    @cached_property
    def _kernels(self) -> list[Any]:
        module = cupy().RawModule(code=self.source, options=OPTIONS)
        return [module.get_function(f"simulate_{k}") for k in range(self._views)]

    def values(self, first: int, last: int) -> Any:
        """[measures, lists, samples] of the samples [first, last), on the GPU."""
        cp = cupy()
        samples, lists = last - first, len(self._lists)
        tab = cp.asarray(np.array(self._program.tab or [0.0]))
        ints = cp.asarray(np.array(self._program.ints or [0], dtype=np.int64))
        ones, flag = cp.ones(max(self._capacity, 1), dtype=cp.int8), cp.zeros(1, dtype=cp.int32)
        values = cp.empty((self._measures, lists, samples))
        for low in range(0, lists, MOST_LISTS):
            count = min(MOST_LISTS, lists - low)
            for function in self._kernels:
                function(
                    (-(-samples // THREADS), count),
                    (THREADS,),
                    (
                        np.int32(low),
                        np.uint64(first),
                        np.int32(samples),
                        *self._held,
                        np.int32(0),
                        np.int32(self._rule),
                        tab,
                        ints,
                        ones,
                        values,
                        np.int64(lists),
                        flag,
                    ),
                )
        if int(flag[0]):
            raise OverflowError("a simulated list has more relevant documents than there is room for on the GPU")
        return values
