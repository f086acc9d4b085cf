"""Images of the corpus on the GPU: drawn, scored and summed there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.gpu import OPTIONS, cupy, free_memory, to_host
from irassay.compute.gpu.draws import IMAGES
from irassay.errors import InputError
from irassay.scoring.gpu.program import Program

THREADS = 128
TILE = 4096  # images at a time, where the GPU has room for them
PART = 200 * 1024  # documents that a block counts in its shared memory
ALL = 2**31 - 1


@dataclass(frozen=True)
class GpuLists:
    """The lists of one view with documents instead of codes; `at`, `level` and `start` tell where the hits are.

    Condensed lists are whole as well, with ~document for unjudged ones.
    """

    document: NDArray[np.int32]
    offsets: NDArray[np.int64]  # [topics, systems + 1]
    at: NDArray[np.int64]
    level: NDArray[np.int8]
    start: NDArray[np.int64]  # [topics, systems + 1]


@dataclass(frozen=True, eq=False)
class GpuImages:
    """Images and scores of some systems on the GPU."""

    active: int
    seed: int
    stream: int
    program: Program
    views: Sequence[GpuLists]
    judged: tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int64]]  # document, grade, start by topic
    measures: int
    systems: int
    topics: int
    depth: int | None

    @cached_property
    def _held(self) -> dict[str, Any]:
        """Everything that stays on the GPU."""
        cp = cupy()
        put = cp.asarray
        return {
            "tab": put(np.array(self.program.tab or [0.0])),
            "ints": put(np.array(self.program.ints or [0], dtype=np.int64)),
            "ones": cp.ones(max(self.program.capacity, 1), dtype=cp.int8),
            "judged": [put(array) for array in self.judged],
            "views": [
                [put(view.document), put(view.offsets), put(view.at), put(view.level), put(view.start)]
                for view in self.views
            ],
        }

    @cached_property
    def _kernels(self) -> dict[str, Any]:
        cp = cupy()
        drawing = cp.RawModule(code=IMAGES, options=OPTIONS)
        scoring = cp.RawModule(code=self.program.source, options=OPTIONS)
        names = ["contexts", *(f"scores_{k}" for k in range(len(self.views)))]
        functions = {name: scoring.get_function(name) for name in names}
        functions |= {name: drawing.get_function(name) for name in ("draw_images", "turn")}
        functions["draw_images"].max_dynamic_shared_size_bytes = self._part
        return functions

    @property
    def _part(self) -> int:
        return min(PART, (self.active + 3) // 4 * 4)

    def tile(self, topics: int) -> int:
        """How many images fit the GPU at a time, a multiple of 32."""
        each = 2 * self.active + 8 * topics * (4 * self.measures * self.systems + self.measures + self.program.grades)
        fit = int(0.6 * free_memory()) // each // 32 * 32
        if fit < 32:
            what = f"32 images need {32 * each / 2**20:.0f} MB on the GPU, and {free_memory() / 2**20:.0f} are free"
            raise InputError(what, hint="use fewer systems or measures, or leave out --device cuda")
        return min(TILE, fit)

    def counts(self, first: int, totals: NDArray[np.int64]) -> Any:
        """Multiplicities [documents, images] of images first, first + 1, ...; rows are padded to a multiple of 32."""
        cp = cupy()
        images = len(totals)
        stride = (images + 31) // 32 * 32
        rows = cp.empty((images, self.active), dtype=cp.uint8)
        flag = cp.zeros(1, dtype=cp.int32)
        parts = -(-self.active // self._part)
        self._kernels["draw_images"](
            (images, parts),
            (1024,),
            (
                rows,
                np.int64(self.active),
                np.int32(self._part),
                cp.asarray(totals),
                np.uint64(self.seed),
                np.uint64(first),
                np.uint32(self.stream),
                flag,
            ),
            shared_mem=self._part,
        )
        out = cp.zeros((self.active, stride), dtype=cp.uint8)
        grid = (-(-self.active // 32), -(-images // 32))
        self._kernels["turn"](grid, (32, 32), (rows, out, np.int64(self.active), np.int32(images), np.int64(stride)))
        if int(flag[0]):
            raise OverflowError("an image holds a document more than 255 times")
        return out

    def scores(self, counts: Any, images: int, first_topic: int, topics: int) -> tuple[Any, Any]:
        """Scores [measures, topics, systems, images] and which topics are answerable [topics, images], on the GPU."""
        cp = cupy()
        stride = counts.shape[1]
        held, flag = self._held, cp.zeros(1, dtype=cp.int32)
        judged_counts = cp.empty((topics, self.program.grades, stride), dtype=cp.int64)
        scale = cp.empty((self.measures, topics, stride), dtype=cp.float64)
        out = cp.empty((self.measures, topics, self.systems, stride), dtype=cp.float64)
        common = (counts, np.int64(stride))
        self._kernels["contexts"](
            (-(-stride // THREADS), topics),
            (THREADS,),
            (*common, *held["judged"], np.int32(first_topic), held["tab"], held["ints"], judged_counts, scale, flag),
        )
        depth = np.int32(ALL if self.depth is None else self.depth)
        for k, view in enumerate(held["views"]):
            self._kernels[f"scores_{k}"](
                (-(-stride // (THREADS * self.program.together[k])), self.systems, topics),
                (THREADS,),
                (
                    *common,
                    *view,
                    np.int32(first_topic),
                    np.int32(self.systems),
                    depth,
                    held["tab"],
                    held["ints"],
                    held["ones"],
                    judged_counts,
                    scale,
                    out,
                    flag,
                ),
            )
        if int(flag[0]):
            raise OverflowError(f"an image is longer than there is room for on the GPU ({int(flag[0])})")
        return out[..., :images], judged_counts[:, 1:, :images].any(axis=1)


HISTOGRAMS = r"""
// counts[cell, bin] of values[cell, image] (rows are `stride` long): one block for a cell, bins in shared memory.
extern "C" __global__ void histograms(
    const double *values, long long stride, int images, const double *low, const double *width, int bins, int *counts)
{
    extern __shared__ int held[];
    long long cell = blockIdx.x;
    for (int b = threadIdx.x; b < bins; b += blockDim.x) held[b] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < images; i += blockDim.x) {
        double place = (values[cell * stride + i] - low[cell]) / width[cell];
        int b = place < 0.0 ? 0 : place > bins - 1 ? bins - 1 : (int)place;
        atomicAdd(&held[b], 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) counts[cell * bins + b] += held[b];
}
"""


class GpuSums:
    """Σd and Σdd' of every measure and topic, and histograms where asked for, kept on the GPU."""

    def __init__(self, shift: NDArray[np.float64], bins: int) -> None:
        """`shift` [measures, topics, systems]: what scores are taken off by, as on the CPU."""
        cp = cupy()
        self._shift = cp.asarray(shift)
        self.sums = cp.zeros(shift.shape)
        self.cross = cp.zeros((*shift.shape, shift.shape[-1]))
        self._bins = bins
        self._ends: tuple[Any, Any] | None = None
        self._counts: Any = cp.zeros((*shift.shape, bins), dtype=cp.int32) if bins else None
        self._kernel = cp.RawKernel(HISTOGRAMS, "histograms", options=OPTIONS) if bins else None

    def set_bins(self, low: NDArray[np.float64], width: NDArray[np.float64]) -> None:
        self._ends = (cupy().asarray(low), cupy().asarray(width))

    def add(self, scores: Any) -> None:
        """Scores [measures, topics, systems, images]."""
        cp = cupy()
        moved = scores - self._shift[..., None]
        self.sums += moved.sum(axis=-1)
        self.cross += cp.matmul(moved, cp.swapaxes(moved, -1, -2))
        if self._kernel is not None and self._ends is not None:
            values = cp.ascontiguousarray(scores)
            cells, images = int(np.prod(scores.shape[:-1])), scores.shape[-1]
            self._kernel(
                (cells,),
                (256,),
                (values, np.int64(images), np.int32(images), *self._ends, np.int32(self._bins), self._counts),
                shared_mem=4 * self._bins,
            )

    def totals(self) -> Mapping[str, NDArray[Any]]:
        """`sums`, `cross` (the lower triangle) and `counts`, from the GPU."""
        totals = {"sums": to_host(self.sums), "cross": np.tril(to_host(self.cross))}
        return totals | ({"counts": to_host(self._counts)} if self._counts is not None else {})
