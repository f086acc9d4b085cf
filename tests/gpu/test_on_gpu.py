"""Where a GPU is present: the same draws, counts and verdicts as on the processor, and scores to 1e-12."""

from __future__ import annotations

import numpy as np
import pytest

from irassay.ask.significance import PairTests, paired
from irassay.ask.stability import stability
from irassay.ask.swap import swap
from irassay.ask.unpaired import unpaired
from irassay.compute.executor import open_executor
from irassay.demo import Model, panel_of
from irassay.measures import Measure, parse, records
from irassay.panel.panel import Panel
from irassay.scoring.lanes import LANES
from irassay.studies.corpus.accumulate import CorpusStatistics, corpus_statistics
from irassay.vary.documents import ImagePlan
from irassay.vary.labels import LabelPlan
from irassay.vary.lane_scores import LaneScores
from irassay.vary.scores import ScorePlan
from irassay.vary.topics import TopicPlan

pytestmark = pytest.mark.usefixtures("gpu")


@pytest.fixture(scope="module")
def panel() -> Panel:
    return panel_of(Model(seed=1, systems=9, depth=100, documents=20_000), range(12))


@pytest.fixture(scope="module")
def scores(panel: Panel) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return panel.score("AP")["AP"].values


def plan(panel: Panel, images: int) -> ImagePlan:
    return ImagePlan(7, 20_000, int(panel.document.max()) + 1, images)


def every_measure() -> list[Measure]:
    return [m for name in records() for m in parse(records()[name].example) if m.summary is None]


def test_multiplicities_are_those_of_the_processor(panel: Panel) -> None:
    images = plan(panel, 70)
    gpu = LaneScores(panel, range(9), parse("AP"), images, 100).on_gpu
    found = gpu.counts(0, images.totals(0, 70)).get()[:, :70]
    assert (found == images.multiplicities(0, 70).T).all()
    later = gpu.counts(64, images.totals(64, 6)).get()[:, :6]
    assert (later == found[:, 64:]).all()


@pytest.mark.parametrize("depth", [None, 50])
def test_every_measure_scores_images_alike_to_1e_12(panel: Panel, depth: int | None) -> None:
    images, measures = plan(panel, LANES), every_measure()
    corpus_scores = LaneScores(panel, range(9), measures, images, depth)
    expected = np.empty((len(measures), 12, LANES, 9))
    judged_counts = corpus_scores.score(0, range(12), expected)
    gpu = corpus_scores.on_gpu
    found, answerable = gpu.scores(gpu.counts(0, images.totals(0, LANES)), LANES, 0, 12)
    for k, measure in enumerate(measures):
        np.testing.assert_allclose(
            found[k].get(), np.moveaxis(expected[k], -1, 1), rtol=1e-12, atol=1e-12, err_msg=str(measure)
        )
    assert (answerable.get() == judged_counts[:, :, 1:].any(axis=2)).all()


def statistics(panel: Panel, images: int, memory_limit: int, measures: str) -> CorpusStatistics:
    asked = list(parse(measures))
    bases = list(dict.fromkeys(m.base for m in asked))
    root = panel.score(bases)
    scores = LaneScores(panel, range(9), bases, plan(panel, images), 100)
    values = {m: np.ascontiguousarray(root[str(m)].values) for m in bases}
    counts = TopicPlan(0, 12, images).counts()
    return corpus_statistics(scores, asked, values, memory_limit=memory_limit, intervals=("normal",), weights=counts)


@pytest.mark.parametrize(
    ("memory_limit", "images", "measures", "exact"),
    [(2**30, 600, "AP GM(AP) nDCG@10 AREA(AP)", True), (800_000, 1500, "AP GM(AP) nDCG@10", False)],
)
def test_statistics_of_the_gpu_are_those_of_the_cpu(
    panel: Panel, memory_limit: int, images: int, measures: str, exact: bool
) -> None:
    processor = statistics(panel, images, memory_limit, measures)
    with open_executor("cuda"):
        gpu = statistics(panel, images, memory_limit, measures)
    assert gpu.exact == processor.exact == exact
    assert (gpu.unanswered == processor.unanswered).all()
    for name in ("mean", "sd", "quartiles", "triples", "scores", "both"):
        for key, expected in getattr(processor, name).items():
            np.testing.assert_allclose(getattr(gpu, name)[key], expected, rtol=1e-10, atol=1e-12, err_msg=name)
    for key, inside in processor.outside.items():
        assert (gpu.outside[key] == inside).all()


def same_tests(gpu: PairTests, processor: PairTests) -> None:
    assert (gpu.count == processor.count).all()
    np.testing.assert_allclose(gpu.required, processor.required, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(gpu.statistic, processor.statistic, rtol=1e-12)
    np.testing.assert_allclose(gpu.critical, processor.critical, rtol=1e-10)


@pytest.mark.parametrize("samples", [200, 9000, 60_000])
@pytest.mark.parametrize("measure", ["AP", "RR", "P@10"])
def test_the_paired_test_counts_alike_and_needs_the_same_difference(panel: Panel, measure: str, samples: int) -> None:
    values = panel.score(measure)[measure].values.copy()
    values[3] = values[2]  # identical systems
    values[5] = values[4] + 0.01  # a constant gap
    counts = TopicPlan(3, values.shape[1], samples).counts()
    processor = paired(values, counts, (0.05, 0.01))
    with open_executor("cuda"):
        same_tests(paired(values, counts, (0.05, 0.01)), processor)


def test_the_unpaired_test_counts_alike(scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    positions = TopicPlan(3, scores.shape[1], 5000).unpaired()
    for more in ({}, {"forward": lambda x: np.log(x + 1e-5), "inverse": lambda m: np.exp(m) - 1e-5}):
        processor = unpaired(scores, positions, (0.05,), **more)  # type: ignore[arg-type]
        with open_executor("cuda"):
            gpu = unpaired(scores, positions, (0.05,), **more)  # type: ignore[arg-type]
        assert (gpu.count == processor.count).all()
        np.testing.assert_allclose(gpu.required, processor.required, rtol=1e-12)


def test_labels_are_permuted_alike_to_the_last_bit(scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    labels = LabelPlan(5, scores.shape[1], 3000)
    here = labels.ranges(scores)
    with open_executor("cuda"):
        assert labels.ranges(scores).tolist() == here.tolist()


def test_swaps_and_leads_are_counted_alike(scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    topics = TopicPlan(3, scores.shape[1], 3000)
    first, second = (topics.counts(second=one) @ scores.T / scores.shape[1] for one in (False, True))
    fuzziness = [0.0, 0.01, 0.05, 0.2]
    here = swap(first, second), stability(first, fuzziness)
    with open_executor("cuda"):
        there = swap(first, second), stability(first, fuzziness)
    assert (here[0].comparisons == there[0].comparisons).all()
    assert (here[0].swaps == there[0].swaps).all()
    assert (here[1].minority_rate == there[1].minority_rate).all()
    assert (here[1].proportion_of_ties == there[1].proportion_of_ties).all()


@pytest.mark.parametrize("relevant", ["adjusted", "fixed"])
def test_lists_are_drawn_again_alike(panel: Panel, relevant: str) -> None:
    measures = "AP nDCG Q(rel=2) RR P@10 ERR@20 Bpref"
    made = ScorePlan(3, "bst", 100).simulation(panel, measures, samples=300, fixed=relevant == "fixed")
    here = made.values(0, 300)
    there = made.values(0, 300, gpu=True)
    np.testing.assert_allclose(there, here, rtol=1e-12, atol=1e-12)
