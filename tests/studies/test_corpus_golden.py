"""golden/methods.json, `corpus_bootstrap` and `corpus_long`: given draws instead of counted ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay.ask.ranks import count_ranks
from irassay.ask.spread import mean_and_sd
from irassay.measures import parse
from irassay.studies.corpus.accumulate import corpus_statistics
from irassay.studies.corpus.shallow_pools import shallow_pools
from irassay.vary.documents import ImagePlan
from irassay.vary.lane_scores import LaneScores
from tests.helpers.golden import golden

NAMES = {
    "AP": "AP",
    "INSQ@5": "INSQ(T=5,rel=1)",
    "nDCG": "nDCG(dcg='jk',rel=1)@1000",
    "P@10": "P@10",
    "RBP@0.95": "RBP(p=0.95,rel=1)@1000",
    "RR": "RR",
}
METHODS = golden("methods")
GOLDEN, LONG = METHODS["corpus_bootstrap"], METHODS["corpus_long"]


class GivenImages(ImagePlan):
    """Images whose draws are given, as documents of a panel are named by number."""

    draws: Sequence[Sequence[int]]
    numbers: dict[int, int]

    def multiplicities(self, first: int, count: int = 32) -> NDArray[np.uint8]:
        out = np.zeros((count, self.active), dtype=np.uint8)
        for i, draws in enumerate(self.draws[first : first + count]):
            for document in draws:
                if document in self.numbers:
                    out[i, self.numbers[document]] += 1
        return out


def given(panel: irassay.Panel, draws: Sequence[Sequence[int]], size: int) -> GivenImages:
    names = [int(name) for topic in panel.topics for name in panel.documents(topic)]
    numbers = dict(zip(names, panel.document.tolist(), strict=True))
    plan = GivenImages(0, size, max(numbers.values()) + 1, len(draws))
    object.__setattr__(plan, "draws", draws)
    object.__setattr__(plan, "numbers", numbers)
    return plan


def lists(run: Sequence[int]) -> dict[str, float]:
    return {str(document): float(-rank) for rank, document in enumerate(run)}


def panel() -> irassay.Panel:
    qrels = {str(t): judged for t, judged in enumerate(GOLDEN["qrels"])}
    runs = {f"s{s}": {str(t): lists(run) for t, run in enumerate(system)} for s, system in enumerate(GOLDEN["runs"])}
    return irassay.align(qrels, runs)


def golden_statistics() -> Any:
    whole = panel()
    measures = list(parse(" ".join(NAMES.values())))
    root = whole.score(measures)
    scores = LaneScores(whole, range(len(whole.systems)), measures, given(whole, GOLDEN["draws"], GOLDEN["D"]), 1000)
    values = {m: np.ascontiguousarray(root[str(m)].values) for m in measures}
    kinds = ("normal", "prediction", "percentile")
    return corpus_statistics(scores, measures, values, memory_limit=2**30, intervals=kinds), root


FOUND, ROOT = golden_statistics()


@pytest.mark.parametrize("name", NAMES)
def test_the_golden_images_come_out(name: str) -> None:
    golden = GOLDEN["by_measure"][name]
    (measure,) = parse(NAMES[name])
    np.testing.assert_allclose(ROOT[NAMES[name]].values, golden["root"], rtol=0, atol=1e-12)
    images = np.array(golden["images"])
    np.testing.assert_allclose(FOUND.mean[measure], images.mean(axis=0), rtol=0, atol=1e-12)
    np.testing.assert_allclose(FOUND.scores[measure], images.mean(axis=2), rtol=0, atol=1e-12)
    np.testing.assert_allclose(FOUND.sd[measure], golden["sd_system_query"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        FOUND.quartiles[measure], np.quantile(images, [0.25, 0.5, 0.75], axis=0), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_golden_tables_and_figures_come_out(name: str) -> None:
    golden = GOLDEN["by_measure"][name]
    (measure,) = parse(NAMES[name])
    np.testing.assert_allclose(np.percentile(FOUND.sd[measure], 95, axis=0), golden["fig1_p95"], atol=1e-12)
    np.testing.assert_allclose(mean_and_sd(FOUND.triples[measure]), golden["table3_mean_sd"], atol=1e-12)
    table4 = [mean_and_sd(row) for row in FOUND.sd[measure]]
    np.testing.assert_allclose(table4, golden["table4_mean_sd_per_system"], atol=1e-12)
    np.testing.assert_allclose(FOUND.scores[measure].std(axis=0, ddof=1), golden["fig4_sd_of_mean"], atol=1e-12)
    for kind, shares in golden["table2_below_in_above"].items():
        counts = FOUND.outside[measure, kind].sum(axis=0)
        np.testing.assert_allclose(counts / counts.sum(), shares, atol=1e-12)
    for image in range(len(GOLDEN["draws"])):
        place = 1 + count_ranks(FOUND.scores[measure][image : image + 1]).argmax(axis=1) / 2
        assert place.tolist() == [ranks[image] for ranks in golden["fig5_ranks"]]


def test_topics_without_relevant_documents_in_an_image_score_0_and_are_counted() -> None:
    missing = GOLDEN["queries_without_relevant"]
    for topic in range(len(GOLDEN["qrels"])):
        assert FOUND.unanswered[topic] == sum(query == topic for _, query in missing)


@pytest.mark.parametrize("name", NAMES)
def test_the_golden_shallow_pools_come_out(name: str) -> None:
    golden = GOLDEN["by_measure"][name]["shallow"]
    whole = panel()
    scores = LaneScores(whole, [0, 1], parse(NAMES[name]), given(whole, GOLDEN["draws"], GOLDEN["D"]), 1000)
    found = shallow_pools(scores, (2, 5), 1)
    assert found.depths == ("2", "5", "full")
    for k, depth in enumerate(("2", "5", "None")):
        np.testing.assert_allclose(found.mean[0, k, 1:], [pair[0] for pair in golden[depth]], atol=1e-12)
        np.testing.assert_allclose(found.p_value[0, k, 1:], [pair[1] for pair in golden[depth]], atol=1e-9)


def test_image_lists_longer_than_the_depth_are_cut_and_R_is_that_of_the_whole_image() -> None:
    qrels = {"1": dict.fromkeys(map(str, LONG["relevant"]), 1)}
    whole = irassay.align(qrels, {"s": {"1": lists(LONG["run"])}})
    draws = [image["draws"] for image in LONG["images"]]
    names = [name for name in LONG["images"][0] if name not in ("draws", "length_before_cut", "R")]
    measures = list(parse(" ".join(names)))
    assert max(image["length_before_cut"] for image in LONG["images"]) > LONG["depth"]
    out = np.empty((len(measures), 1, 32, 1))
    LaneScores(whole, [0], measures, given(whole, draws, LONG["D"]), LONG["depth"]).score(0, [0], out)
    for k, name in enumerate(names):
        expected = [image[name] for image in LONG["images"]]
        np.testing.assert_allclose(out[k, 0, : len(draws), 0], expected, rtol=0, atol=1e-12)
