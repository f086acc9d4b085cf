"""On a GPU, emulated and real: the same draws, counts and verdicts as on the processor, and scores to 1e-12."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import irassay
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
from irassay.vary._density import kernel_rows, tables_of, tabulate
from irassay.vary.documents import ImagePlan, active_documents
from irassay.vary.gpu.densities import densities_on_gpu
from irassay.vary.labels import LabelPlan
from irassay.vary.lane_scores import LaneScores
from irassay.vary.scores import ScorePlan
from irassay.vary.topics import TopicPlan
from tests.helpers.panels import Topic, panel_of_systems

pytestmark = pytest.mark.usefixtures("device")


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


def same_scores(panel: Panel, images: ImagePlan, depth: int | None) -> None:
    measures, topics = every_measure(), len(panel.topics)
    corpus_scores = LaneScores(panel, range(len(panel.systems)), measures, images, depth)
    expected = np.empty((len(measures), topics, LANES, len(panel.systems)))
    judged_counts = corpus_scores.score(0, range(topics), expected)
    gpu = corpus_scores.on_gpu
    found, answerable = gpu.scores(gpu.counts(0, images.totals(0, LANES)), LANES, 0, topics)
    for k, measure in enumerate(measures):
        np.testing.assert_allclose(
            found[k].get(), np.moveaxis(expected[k], -1, 1), rtol=1e-12, atol=1e-12, err_msg=str(measure)
        )
    assert (answerable.get() == judged_counts[:, :, 1:].any(axis=2)).all()


@pytest.mark.parametrize("depth", [None, 50])
def test_every_measure_scores_images_alike_to_1e_12(panel: Panel, depth: int | None) -> None:
    same_scores(panel, plan(panel, LANES), depth)


@pytest.mark.parametrize("depth", [None, 7])
def test_every_measure_scores_images_with_unjudged_documents_alike(depth: int | None) -> None:
    rng = np.random.default_rng(5)
    grades = [None, -1, 0, 0, 1, 2, 3]
    topics = {
        system: {
            str(t): Topic([grades[k] for k in rng.integers(0, 7, 12)], rng.integers(0, 4, 4).tolist()) for t in range(3)
        }
        for system in "ab"
    }
    made = panel_of_systems(topics)
    active = active_documents(made)
    same_scores(made, ImagePlan(3, 4 * active, active, LANES), depth)


def statistics(panel: Panel, images: int, memory_limit: int, measures: str) -> CorpusStatistics:
    asked = list(parse(measures))
    bases = list(dict.fromkeys(m.base for m in asked))
    root = panel.score(bases)
    return corpus_statistics(
        LaneScores(panel, range(len(panel.systems)), bases, plan(panel, images), 100),
        asked,
        {m: np.ascontiguousarray(root[str(m)].values) for m in bases},
        memory_limit=memory_limit,
        intervals=("normal", "prediction"),
        weights=TopicPlan(0, len(panel.topics), images).counts(),
    )


@pytest.mark.parametrize(
    ("memory_limit", "measures", "exact"),
    [(2**30, "AP GM(AP) nDCG@10 AREA(AP)", True), (500_000, "AP GM(AP) nDCG@10", True), (500_000, "AP GM(AP)", False)],
)
def test_statistics_of_the_gpu_are_those_of_the_cpu(
    panel: Panel, memory_limit: int, measures: str, exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irassay.studies.corpus.memory.MemoryBudget.exact", exact)
    monkeypatch.setattr("irassay.scoring.gpu.images.TILE", 96)
    images = 300
    processor = statistics(panel, images, memory_limit, measures)
    with open_executor("cuda"):
        gpu = statistics(panel, images, memory_limit, measures)
    assert gpu.groups == processor.groups
    assert (gpu.groups > 1) == (memory_limit < 2**30)
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


@pytest.mark.parametrize("part", ["pilot", "rows", "all"])
@pytest.mark.parametrize("measure", ["AP", "RR", "P@10"])
def test_the_paired_test_counts_alike_and_needs_the_same_difference(
    panel: Panel, device: str, measure: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = {"pilot": 200, "rows": 9000, "all": 60_000}[part]
    if device == "emulated":  # smaller in the same proportions
        monkeypatch.setattr("irassay.ask.gpu.paired.PILOT", 512)
        monkeypatch.setattr("irassay.ask.gpu.paired.ROWS", 256)
        samples = {"pilot": 60, "rows": 300, "all": 1500}[part]
    values = panel.score(measure)[measure].values[:5].copy()
    values[1] = values[0]  # identical systems
    values[3] = values[2] + 0.01  # a constant gap
    counts = TopicPlan(3, values.shape[1], samples).counts()
    processor = paired(values, counts, (0.05, 0.02))
    with open_executor("cuda"):
        same_tests(paired(values, counts, (0.05, 0.02)), processor)


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


@pytest.mark.parametrize("model", ["bst", "kde"])
@pytest.mark.parametrize("relevant", ["adjusted", "fixed", "max"])
@pytest.mark.parametrize(
    ("measures", "there"), [("AP nDCG Q(rel=2) RR P@10 ERR@20", True), ("AP' nDCG infAP AP Bpref", False)]
)
def test_lists_are_drawn_again_alike(panel: Panel, model: str, relevant: str, measures: str, there: bool) -> None:
    made = ScorePlan(3, model, 100).simulation(panel, measures, samples=150, relevant=relevant)
    block = made.gpu_block(range(20, 150), 1)
    assert block.gpu == there  # measures that look at judged nonrelevant documents are the processor's
    np.testing.assert_allclose(block.scores_on_host(), made.block(range(20, 150), 1).scores, rtol=1e-12, atol=1e-12)


def odd_lists() -> Panel:
    """Lists of relevant documents alone, of none, of one score, of one document, and with scores below 0."""
    qrels = {t: {f"d{i}": int(i % 3 > 0) + int(i % 5 == 0) for i in range(20)} for t in ("1", "2", "3", "4", "5")}
    of_topic = {
        "1": {f"d{i}": -1.0 - 0.37 * i for i in range(20) if qrels["1"][f"d{i}"]},
        "2": {f"x{i}": 5.0 - i for i in range(12)},
        "3": {f"d{i}": 2.5 for i in range(20)},
        "4": {"d1": 3.0},
        "5": {f"d{i}": float(4 - i // 3) for i in range(20)},
    }
    shifted = {t: {d: score + 100.0 for d, score in scores.items()} for t, scores in of_topic.items()}
    return irassay.align(irassay.read_qrels(qrels), irassay.read_runs({"a": of_topic, "b": shifted}), keep_scores=True)


@pytest.mark.parametrize("model", ["bst", "kde"])
def test_odd_lists_are_drawn_again_alike_to_the_last_bit(model: str) -> None:
    made = ScorePlan(4, model).simulation(odd_lists(), "RR P@5 P@10 PMeasure", samples=300)
    there, here = made.gpu_block(range(300), 1).scores_on_host(), made.block(range(300), 1).scores
    assert (there == here).all()


def test_tables_of_densities_are_those_of_the_processor_to_the_last_bit(panel: Panel) -> None:
    lists = ScorePlan(3, "kde").lists(panel)
    nodes, origin = tables_of(lists)
    start, above, slope = densities_on_gpu(lists, (nodes, origin), 7)[-3:]
    for q, (low, high) in enumerate(pairwise(start.get().tolist())):
        others = lists.other_score[lists.other[q] : lists.other[q + 1]]
        expected, slopes = np.empty((2, high - low))
        tabulate(others, lists.other_width[q], origin[q], expected, slopes, np.empty(high - low, int), *kernel_rows())
        assert above.get()[low:high].tolist() == expected.tolist()
        assert slope.get()[low:high].tolist() == slopes.tolist()
