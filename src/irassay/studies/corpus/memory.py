"""How many topics of scores on bootstrap corpora the memory limit allows in a group."""

from collections.abc import Sequence
from dataclasses import dataclass

from irassay.ask.spread import Histogram
from irassay.compute.executor import CHUNK
from irassay.errors import InputError
from irassay.measures import Measure
from irassay.scoring.lanes import LANES


@dataclass(frozen=True)
class MemoryBudget:
    """Bytes that scores on bootstrap corpora take; `summaries` are the scores of each system that are kept for each."""

    limit: int
    bases: int
    summaries: int
    systems: int
    images: int

    def per_topic(self, *, exact: bool) -> int:
        """Bytes that one topic takes: products of systems, of all corpora and of a part, and scores or histograms."""
        scores = 8 * max(self.images, LANES) if exact else 8 * CHUNK + 2 * 4 * Histogram.BINS
        return self.bases * self.systems * (2 * 8 * self.systems + scores)

    @property
    def left(self) -> int:
        """Bytes for topics, without what the summaries take."""
        summaries = 8 * self.summaries * self.images * self.systems
        left = self.limit - summaries
        least = min(self.per_topic(exact=True), self.per_topic(exact=False))
        if left < least:
            needed = _megabytes(summaries + least)
            raise InputError(
                f"{self.images} images of {self.systems} systems need {needed} MB at least",
                hint=f"give --memory {needed}M, or fewer images, systems or measures",
            )
        return left

    @property
    def exact(self) -> bool:
        """Whether all scores of a topic can be kept, for quantiles; else histograms have to do."""
        return self.per_topic(exact=True) <= self.left

    def groups(self, topics: int, measures: Sequence[Measure], intervals: Sequence[str]) -> list[range]:
        """Topics that are worked on together; an error where that is too few for what is asked."""
        if "percentile" in intervals and not self.exact:
            raise InputError(
                "percentile intervals need the scores of all images, which do not fit",
                hint=f"give --memory {self._needed(1, exact=True)}M, or fewer images",
            )
        size = max(1, self.left // self.per_topic(exact=self.exact))
        for measure in measures:
            if measure.summary_with_params()[0].whole is not None and size < topics:
                raise InputError(
                    f"{measure} takes all topics at once, and their scores do not fit the memory given",
                    hint=f"give --memory {self._needed(topics, exact=self.exact)}M, or fewer images",
                )
        return [range(first, min(first + size, topics)) for first in range(0, topics, size)]

    def parts_under_way(self, topics: int) -> int:
        """How many parts may be worked on at once, on groups of so many topics."""
        spare = self.left - topics * self.per_topic(exact=self.exact)
        # the scores of all corpora are counted already where they are kept
        part = 8 * self.bases * self.systems * (self.systems + (0 if self.exact else CHUNK))
        return 1 + spare // max(1, topics * part)

    def _needed(self, topics: int, *, exact: bool) -> int:
        return _megabytes(self.limit - self.left + topics * self.per_topic(exact=exact))


def _megabytes(size: int) -> int:
    return -(-size // 2**20)
