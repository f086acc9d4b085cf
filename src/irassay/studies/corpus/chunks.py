"""Images of the corpus as chunked work: what is sent to threads or other machines, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from irassay.compute.executor import threads
from irassay.compute.threads import parallel_for
from irassay.measures import Measure
from irassay.scoring.lanes import LANES
from irassay.vary.image_scores import Imager

Array = NDArray[np.float64]
CHUNK = 256  # images whose sums are kept together (ARCHITECTURE, decision 3)


@dataclass(eq=False)
class Images:
    """Scores of a chunk of images on some topics [base measures, topics, images, systems], and unanswered images."""

    imager: Imager
    document: NDArray[np.int32]  # of the imager's panel: what is drawn depends on it
    topics: tuple[int, ...]
    space: Array | None = field(init=False, repr=False, default=None)  # where the scores of all images, or a chunk, go

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return Images, (self.imager, self.document, self.topics)

    def __call__(self, first: int) -> tuple[Array, NDArray[np.int64]]:
        images = self.imager.plan.images
        count = min(CHUNK, images - first)
        blocks = range(0, count, LANES)
        out = self._out(first, len(blocks) * LANES)

        def block(start: int) -> None:
            answerable = self.imager.block(first + start, self.topics, out[:, :, start : start + LANES])
            missing[:, start // LANES] = (~answerable[:, : count - start]).sum(axis=1)

        missing = np.zeros((len(self.topics), len(blocks)), dtype=np.int64)
        parallel_for(block, blocks, threads())
        return out[:, :, :count], missing.sum(axis=1)

    def _out(self, first: int, size: int) -> Array:
        if self.space is None:
            return np.empty((len(self.imager.measures), len(self.topics), size, len(self.imager.systems)))
        whole = self.space.shape[2] >= self.imager.plan.images
        return self.space[:, :, first:] if whole else self.space


@dataclass(eq=False)
class Asked:
    """Images, and all that what is told of them depends on."""

    images: Images
    asked: tuple[str, ...]
    root: dict[Measure, Array]
    intervals: tuple[str, ...]
    counts: NDArray[np.int32] | None

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return Asked, (self.images, (), {}, (), None)  # a worker needs the images only

    def __call__(self, first: int) -> tuple[Array, NDArray[np.int64]]:
        return self.images(first)
