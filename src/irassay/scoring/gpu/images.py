"""Images of the corpus on the GPU: drawn and scored there."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.gpu import OPTIONS, cupy, free_memory
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
