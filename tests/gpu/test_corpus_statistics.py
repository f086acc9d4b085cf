"""The steps that bootstrap corpora take on a GPU, with NumPy in place of CuPy: the same statistics, tile by tile."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from irassay.compute.executor import open_executor
from irassay.demo import Model, panel_of
from irassay.measures import parse
from irassay.scoring.lanes import LANES
from irassay.studies.corpus.accumulate import CorpusStatistics, corpus_statistics
from irassay.vary.documents import ImagePlan
from irassay.vary.lane_scores import LaneScores
from irassay.vary.topics import TopicPlan

IMAGES = 600


class Histograms:
    """What the kernel of that name does."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __call__(self, grid: Any, threads: Any, arguments: Any, shared_mem: int) -> None:
        values, _, _, low, width, bins, counts = arguments
        for cell, row in enumerate(values.reshape(len(low), -1)):
            place = np.clip((row - low[cell]) / width[cell], 0, bins - 1).astype(int)
            counts.reshape(len(low), -1)[cell] += np.bincount(place, minlength=int(bins)).astype(np.int32)


class EmulatedGpu:
    """The scores of the CPU with the systems before the corpora, in tiles."""

    tiles: ClassVar[list[int]] = []

    def __init__(self, scores: LaneScores) -> None:
        self.own = scores

    def tile(self, topics: int) -> int:
        return 7 * LANES

    def counts(self, first: int, totals: Any) -> int:
        return first

    def scores(self, first: int, images: int, first_topic: int, topics: int) -> tuple[Any, Any]:
        self.tiles.append(first)
        lanes = -(-images // LANES) * LANES
        out = np.empty((len(self.own.measures), topics, lanes, len(self.own.systems)))
        judged = [
            self.own.score(first + low, range(first_topic, first_topic + topics), out[:, :, low : low + LANES])
            for low in range(0, lanes, LANES)
        ]
        turned = np.ascontiguousarray(np.swapaxes(out, -1, -2))
        return turned[..., :images], np.concatenate(judged, axis=1)[:, :images, 1:].any(axis=2)


@pytest.fixture
def emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = SimpleNamespace(getDeviceCount=lambda: 1, CUDARuntimeError=RuntimeError)
    cupy = SimpleNamespace(
        **{name: getattr(np, name) for name in ("asarray", "ascontiguousarray", "matmul", "swapaxes", "zeros")},
        **{name: getattr(np, name) for name in ("zeros_like", "int32")},
        asnumpy=np.array,
        RawKernel=Histograms,
        cuda=SimpleNamespace(runtime=runtime),
    )
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr(LaneScores, "on_gpu", property(EmulatedGpu))
    EmulatedGpu.tiles.clear()


def statistics(memory_limit: int, measures: str) -> CorpusStatistics:
    panel = panel_of(Model(systems=9, depth=50, documents=2500, pool_depth=25), range(12))
    asked = list(parse(measures))
    bases = list(dict.fromkeys(m.base for m in asked))
    root = panel.score(bases)
    plan = ImagePlan(7, 20_000, int(panel.document.max()) + 1, IMAGES)
    return corpus_statistics(
        LaneScores(panel, range(9), bases, plan, 100),
        asked,
        {m: np.ascontiguousarray(root[str(m)].values) for m in bases},
        memory_limit=memory_limit,
        intervals=("normal", "prediction"),
        weights=TopicPlan(0, 12, IMAGES).counts(),
    )


@pytest.mark.usefixtures("emulated")
@pytest.mark.parametrize(
    ("memory_limit", "measures", "exact"),
    [(2**30, "AP GM(AP) nDCG@10 AREA(AP)", True), (500_000, "AP GM(AP) nDCG@10", True), (500_000, "AP GM(AP)", False)],
)
def test_the_steps_of_a_gpu_end_with_the_statistics_of_the_cpu(
    memory_limit: int, measures: str, exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irassay.studies.corpus.memory.MemoryBudget.exact", exact)
    here = statistics(memory_limit, measures)
    assert EmulatedGpu.tiles == []
    with open_executor("cuda"):
        there = statistics(memory_limit, measures)
    assert EmulatedGpu.tiles == [0, 224, 448] * there.groups
    assert here.groups == there.groups
    assert (here.groups > 1) == (memory_limit < 2**30)
    assert (here.unanswered == there.unanswered).all()
    for name in ("mean", "sd", "quartiles", "triples", "scores", "both"):
        for key, expected in getattr(here, name).items():
            np.testing.assert_allclose(getattr(there, name)[key], expected, rtol=1e-10, atol=1e-12, err_msg=name)
    for kind, counts in here.outside.items():
        assert (there.outside[kind] == counts).all()
