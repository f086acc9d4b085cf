"""Other corpora: bootstrap corpora, or images, whose documents are drawn with replacement (zobel2020corpus).

All systems, topics and measures see the same ones. They depend on the seed, the size of the corpus, the active
documents (those in some run or judgment) and their number: one more run makes other documents active, and so gives
other corpora.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from irassay.compute.executor import Plan
from irassay.errors import InputError, check_seed
from irassay.panel.panel import Panel
from irassay.scoring.lanes import LANES, of_topic
from irassay.streams import CORPUS_DRAWS, CORPUS_TOTALS
from irassay.vary._image_draws import (
    BUFFER,
    binomial_table,
    count_draws,
    draw_documents,
    redraw_documents,
    side_by_side,
    totals,
)
from irassay.vary.blocks import LanePlan
from irassay.vary.variation import Observed, Variation


@dataclass(frozen=True)
class ImagePlan:
    """`images` bootstrap corpora of `corpus` documents, `active` of them in some run or judgment."""

    seed: int
    corpus: int
    active: int
    images: int
    independent: int = 0  # another number gives another set of corpora

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if self.images < 1:
            raise InputError(f"there are {self.images} images", hint="images is 1 or more, 1000 is usual")
        if self.active < 1:
            raise InputError("no document is in a run or a judgment")
        if self.corpus < self.active:
            raise InputError(
                f"a corpus of {self.corpus} documents, and {self.active} are in the runs and judgments",
                hint="give the number of documents of the whole corpus with --corpus-size",
            )
        if self.corpus >= 2**32:
            raise InputError(f"a corpus of {self.corpus} documents is too large", hint="it may have up to 2^32 - 1")

    @property
    def replicates(self) -> int:
        return self.images

    @property
    def gpu(self) -> bool:
        return True

    def number(self, image: int) -> int:
        """The number that its draws go by: far behind all images of the set before."""
        return image + (self.independent << 40)

    @cached_property
    def _binomial(self) -> tuple[int, NDArray[np.float64]]:
        return binomial_table(self.corpus, self.active / self.corpus)

    def totals(self, first: int, count: int) -> NDArray[np.int64]:
        """How many of its draws hit active documents, corpus by corpus."""
        low, cdf = self._binomial
        return totals(self.number(first), count, low, cdf, seed=self.seed, stream=CORPUS_TOTALS)

    def multiplicities(self, first: int, count: int = LANES) -> NDArray[np.uint8]:
        """How often corpora first, first + 1, ... hold each active document [count, active]."""
        out = np.empty((count, self.active + 1), dtype=np.uint8)  # the last column is for draws that are made again
        total = self.totals(first, count)
        buffer = np.empty((4, BUFFER), dtype=np.uint32)
        rejected = np.empty(int(total.max(initial=0)), dtype=np.int64)
        for i in range(count):
            out[i] = 0  # one by one, so that each is in the cache when its draws are counted
            key = np.uint64(self.seed), np.uint64(self.number(first + i)), np.uint32(CORPUS_DRAWS)
            n = draw_documents(out[i], total[i], buffer, rejected, *key)
            redraw_documents(out[i], rejected[:n], *key)
            if count_draws(out[i]) != total[i]:
                raise OverflowError(f"image {first + i} holds a document more than 255 times")
        return out[:, :-1]

    def rows(self, first: int) -> NDArray[np.uint8]:
        """The same of 32 corpora side by side, [active, 32], flat."""
        out = np.empty(self.active * LANES, dtype=np.uint8)
        side_by_side(self.multiplicities(first), out)
        return out

    def of_topic(
        self, panel: Panel, rows: NDArray[np.uint8], first: int, topic: int
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The copies of a topic's documents; all of a judged document are judged."""
        document = panel.document[panel.pool[topic] : panel.pool[topic + 1]]
        out = np.empty(len(document) * LANES, dtype=np.uint8)
        of_topic(rows, document, out)
        return out, out


def active_documents(panel: Panel) -> int:
    """How many documents are in some run or judgment."""
    return int(panel.document.max(initial=-1)) + 1


@dataclass(frozen=True, kw_only=True)
class Documents(Variation):
    """Another corpus like this one."""

    corpus_size: int | None = None
    depth: int | None = None  # of the lists; None: as the panel was cut
    name = "documents"
    kind = "sampling"
    shared = True
    mechanism = "documents of the corpus drawn with replacement, the same corpora for all systems and topics"
    limits = (
        "Documents that no run retrieved and nobody judged are all alike here, and copies of a document stand next to "
        "each other in a list."
    )

    def unusable(self, observed: Observed) -> str:
        self._images(observed.lists, 0)  # an impossible size of the corpus is an error before any work
        return ""

    def _images(self, panel: Panel, independent: int) -> ImagePlan:
        active = active_documents(panel)
        return ImagePlan(self.seed, self.corpus_size or active, active, self.replicates, independent)

    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        panel = observed.lists
        depth = self.depth or cast("int | None", panel.policy.get("depth"))
        return LanePlan.of(observed, self._images(panel, independent), depth=depth, document=panel.document)
