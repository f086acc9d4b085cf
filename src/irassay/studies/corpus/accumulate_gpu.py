"""Images gathered on a GPU: scores stay there, sums and histograms come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.spread import Histogram, Moments
from irassay.compute.gpu import to_host
from irassay.compute.progress import announce
from irassay.measures import Measure
from irassay.scoring.gpu.images import GpuSums

if TYPE_CHECKING:
    from irassay.scoring.gpu.images import GpuImages
    from irassay.studies.corpus.accumulate import Gatherer

Array = NDArray[np.float64]


@dataclass
class Group:
    """What the images say of one group of topics, as the processor has it."""

    moments: dict[tuple[Measure, int], Moments]
    histograms: dict[tuple[Measure, int], Histogram]
    last: Array  # scores in the last image [measures, topics, systems]


def gathered_on_gpu(
    gatherer: Gatherer, gpu: GpuImages, group: list[int], kept: Array | None, what: str, chunk: int
) -> Group:
    """One group of topics in all images; fills in the means of `gatherer.found`, and `kept` [measures, topics, images,
    systems] where it is given."""
    bases, plan = list(gatherer.root), gatherer.imager.plan
    shift = np.stack([gatherer.root[base].T[group] for base in bases])
    sums = GpuSums(shift, 0 if kept is not None else Histogram.BINS)
    ends: Histogram | None = None
    tile = gpu.tile(len(group))
    for first in range(0, plan.images, tile):
        announce(what, first, plan.images)
        count = min(tile, plan.images - first)
        counts = gpu.counts(first, plan.totals(first, count))
        scores, answerable = gpu.scores(counts, count, group[0], len(group))
        if kept is not None:
            kept[:, :, first : first + count] = np.swapaxes(to_host(scores), -1, -2)
        elif ends is None:
            # the bins of the processor: from the same first chunk
            ends = Histogram.around(to_host(scores[..., :chunk]).reshape(shift.size, -1))
            sums.set_bins(ends.low, ends.width)
        sums.add(scores)
        _means(gatherer, first, group, scores)
        gatherer.found.unanswered[group] += to_host((~answerable).sum(axis=1))
        last = to_host(scores[..., -1])
    found = sums.brought()
    moments, histograms = {}, {}
    for b, base in enumerate(bases):
        for k, t in enumerate(group):
            moments[base, t] = Moments(shift[b, k], plan.images, found["sums"][b, k], found["cross"][b, k])
            if ends is not None:
                cells = slice((b * len(group) + k) * shift.shape[2], (b * len(group) + k + 1) * shift.shape[2])
                histograms[base, t] = Histogram(ends.low[cells], ends.width[cells], found["counts"][b, k])
    return Group(moments, histograms, last)


def _means(gatherer: Gatherer, first: int, group: list[int], scores: Any) -> None:
    """Every system's score in each image; only sums over topics leave the GPU."""
    places = {base: b for b, base in enumerate(gatherer.root)}
    images = slice(first, first + scores.shape[-1])
    total = len(gatherer.imager.panel.topics)
    weights = None
    if gatherer.counts is not None:
        from irassay.compute.gpu import cupy

        weights = cupy().asarray(np.ascontiguousarray(gatherer.counts[images][:, group].T), dtype=np.float64)
    for measure in gatherer.asked:
        summary, params = measure.summary_with_params()
        values = scores[places[measure.base]]
        out = gatherer.found.scores[measure][images]
        both = gatherer.found.both[measure][images] if weights is not None else None
        if summary.whole is not None:
            gatherer.whole(measure, images, np.moveaxis(to_host(values), -1, 1))
            continue
        moved = values if summary.forward is None else summary.forward(values, **params)
        # the first group begins anew, whatever unfinished work has left there
        begun = group[0] > 0
        np.add(out if begun else 0.0, to_host(moved.sum(axis=0)).T, out=out)
        if both is not None and weights is not None:
            np.add(both if begun else 0.0, to_host((moved * weights[:, None, :]).sum(axis=0)).T, out=both)
        if group[-1] == total - 1:
            for array in (out,) if both is None else (out, both):
                array /= total
                if summary.inverse is not None:
                    array[:] = summary.inverse(array, **params)
