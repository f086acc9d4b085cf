"""Plans of simulated scores: what draws depend on, edge cases of the readings of the paper, and memory."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.compute.executor import CHUNK
from irassay.measures import parse
from irassay.studies.variance.statistics import SimulatedStatistics
from irassay.vary import _density as density
from irassay.vary.scores import ScorePlan, SimulatedScores
from tests.helpers.scored_collections import collection


def panel_of(qrels: Any, runs: Any) -> irassay.Panel:
    return irassay.align(qrels, runs, keep_scores=True)


def simulation_of(panel: irassay.Panel, measures: str = "AP", **options: Any) -> SimulatedScores:
    of_plan = {name: options.pop(name) for name in ("model", "length", "bandwidth", "independent") if name in options}
    return ScorePlan(seed=1, **of_plan).simulation(panel, measures, **{"samples": 300, **options})


@pytest.mark.parametrize("model", ["bst", "kde"])
def test_draws_depend_on_names_and_sample_alone(model: str) -> None:
    qrels, runs = collection(systems=3)
    every = simulation_of(panel_of(qrels, runs), model=model).values(0, 300)[0]
    assert not np.array_equal(every[0, 0], every[0, 1])
    # any piece of the samples, any number of threads
    assert np.array_equal(
        simulation_of(panel_of(qrels, runs), model=model).values(90, 120, jobs=3)[0], every[:, :, 90:120]
    )
    # other runs, other topics, other measures
    fewer = panel_of({t: qrels[t] for t in ("1", "3")}, {"s1": {t: runs["s1"][t] for t in ("1", "3")}})
    more = simulation_of(fewer, "Bpref AP nDCG", model=model).values(0, 300)[1]
    assert np.array_equal(more[:, 0], every[[1, 3], 1])
    same = {"a": runs["s0"], "b": runs["s0"]}
    one, two = simulation_of(panel_of(qrels, same), model=model).values(0, 64)[0].transpose(1, 0, 2)
    assert not np.array_equal(one, two)  # systems are drawn independently


@pytest.mark.parametrize("relevant", ["adjusted", "fixed", "max"])
@pytest.mark.parametrize("model", ["bst", "kde"])
def test_lists_drawn_together_score_as_each_alone(model: str, relevant: str) -> None:
    simulation = simulation_of(panel_of(*collection(systems=9)), "AP nDCG", model=model, relevant=relevant)
    together = simulation.values(0, 300)
    for jobs in (2, 3, 7, 16):  # fewer in one call
        assert np.array_equal(simulation.values(0, 300, jobs=jobs), together)
    alone = replace(simulation, measures=(*simulation.measures, *parse("Bpref")))
    assert np.array_equal(alone.values(0, 300)[:2], together)


@pytest.mark.parametrize("model", ["bst", "kde"])
def test_chunks_come_from_a_pickled_simulation_as_from_the_first(model: str) -> None:
    simulation = simulation_of(panel_of(*collection()), "AP AP' GM(AP)", model=model)
    kept = SimulatedStatistics(simulation.measures, simulation.systems, simulation.topics, simulation.samples, 0.05)
    part = range(CHUNK, simulation.samples)
    here = kept.add(part, simulation.block(part, 2), 2)
    there = kept.add(part, pickle.loads(pickle.dumps(simulation)).block(part, 1), 1)
    assert here.keys() == there.keys()
    for name, array in here.items():
        assert np.array_equal(array, there[name]), name


@pytest.mark.parametrize("options", [{}, {"model": "kde"}, {"model": "kde", "exact": True}], ids=str)
class TestEdges:
    """What the readings of the paper list: each has one value, and no warning."""

    def result(self, qrels: Any, run: Any, measure: str = "AP", **options: Any) -> Any:
        panel = panel_of({"1": qrels, "2": {"x": 1}}, {"s": {"1": run, "2": {"x": 1.0}}})
        return simulation_of(panel, measure, **options).values(0, 200)[0, 0, 0]

    def test_no_relevant_document_retrieved_scores_0(self, options: Any) -> None:
        assert (self.result({"a": 1, "b": 0}, {"b": 2.0, "c": 1.0}, **options) == 0).all()

    def test_a_single_relevant_document_comes_poisson_often(self, options: Any) -> None:
        # its score alone: no kernel has a width, above all others
        result = self.result({"a": 1}, {"a": 9.0, "b": 1.0, "c": 1.0, "d": 1.0, "e": 1.0}, **options)
        assert set(np.unique(result)) == {0.0, 1.0}  # R = r_s: 0 where none was drawn
        assert abs(np.mean(result == 0) - math.exp(-1)) < 5 * math.sqrt(0.23 / 200)

    def test_without_nonrelevant_documents_the_list_has_as_many_as_drawn(self, options: Any) -> None:
        size = self.result({"a": 1, "b": 1, "c": 1}, {"a": 3.0, "b": 2.0, "c": 1.0}, "NumRet", **options)
        relevant = self.result({"a": 1, "b": 1, "c": 1}, {"a": 3.0, "b": 2.0, "c": 1.0}, "NumRelRet", **options)
        assert np.array_equal(size, relevant)
        assert size.max() == 3  # capped at the length
        assert size.min() == 0

    def test_equal_scores_put_nonrelevant_documents_first(self, options: Any) -> None:
        qrels, run = {"a": 1, "b": 0}, {"a": 1.0, **{f"n{i}": 1.0 for i in range(9)}}
        result = self.result(qrels, run, "RR", **options)
        drawn = self.result(qrels, run, "NumRelRet", **options)
        assert np.array_equal(result[drawn > 0], 1 / (11 - drawn[drawn > 0]))

    @pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
    def test_an_unanswered_topic_scores_0(self, options: Any) -> None:
        panel = panel_of(
            {"1": {"a": 1}, "2": {"a": 1}}, {"s": {"1": {"a": 1.0}, "2": {"a": 1.0}}, "t": {"1": {"a": 1.0}}}
        )
        assert (simulation_of(panel, length=50, **options).values(0, 9)[0, 1, 1] == 0).all()

    def test_short_lists_are_filled_up_to_a_length(self, options: Any) -> None:
        run = {f"n{i}": float(i) for i in range(5)} | {"a": 6.0}
        assert (self.result({"a": 1}, run, "NumRet", length=30, **options) == 30).all()
        assert (self.result({"a": 1}, run, "NumRet", **options) == 6).all()

    def test_a_fixed_number_of_relevant_documents_lets_a_score_pass_1(self, options: Any) -> None:
        run = {"a": 9.0, "b": 8.0, **{f"n{i}": float(i % 2) for i in range(8)}}
        rules = ("fixed", "adjusted", "max")
        fixed, adjusted, largest = (self.result({"a": 1, "b": 1}, run, relevant=rule, **options) for rule in rules)
        assert fixed.max() > 1
        assert adjusted.max() == 1
        drawn = self.result({"a": 1, "b": 1}, run, "NumRelRet", **options)
        assert fixed[drawn > 0] == pytest.approx((adjusted * drawn / 2)[drawn > 0], rel=1e-12)
        assert largest == pytest.approx(np.where(drawn > 2, adjusted, fixed), rel=1e-12)  # nothing is unretrieved

    def test_the_larger_number_of_relevant_documents_is_that_of_the_topic_or_the_drawn_one(self, options: Any) -> None:
        run = {"a": 9.0, "b": 8.0, **{f"n{i}": float(i % 2) for i in range(8)}}
        qrels = {"a": 1, "b": 2, "c": 1, "d": 2}  # c and d are not retrieved
        fixed, adjusted, largest = (
            self.result(qrels, run, relevant=rule, **options) for rule in ("fixed", "adjusted", "max")
        )
        drawn = self.result(qrels, run, "NumRelRet", **options)
        assert (drawn > 4).any()
        # AP is a sum over the drawn ones divided by 4, 2 + drawn, and the larger of 4 and drawn
        assert largest == pytest.approx(fixed * 4 / np.maximum(4, drawn), rel=1e-12)
        assert largest == pytest.approx(adjusted * (2 + drawn) / np.maximum(4, drawn), rel=1e-12)
        assert largest.max() <= 1


def test_a_narrow_bandwidth_is_drawn_without_a_table() -> None:
    panel = panel_of(*collection())
    narrow = ScorePlan(seed=3, model="kde", bandwidth=1e-4).simulation(panel, "AP", samples=2048)
    assert (density.tables_of(narrow.lists)[0] == -1).any()
    assert not narrow.together((1, False)).all()
    assert not narrow.gpu  # nor is there one on a GPU
    # kernels this narrow only break ties: the mean is that of resampling where there are none (topics 2 and 3)
    result, bst = narrow.values(0, 2048)[0][2:], simulation_of(panel).values(0, 2048)[0][2:]
    assert np.abs(result.mean(axis=2) - bst.mean(axis=2)).max() < 5 * math.sqrt(2 * bst.var(axis=2).max() / 2048)


@pytest.mark.parametrize("shift", [-200.0, 0.0, 200.0])
def test_a_list_of_relevant_documents_alone_stays_one_with_densities(shift: float) -> None:
    documents = {f"d{i}": shift - 0.37 * i for i in range(8)}
    panel = panel_of({"1": dict.fromkeys(documents, 1)}, {"a": {"1": documents}})
    assert simulation_of(panel, "RR", model="kde").values(0, 200).min() == 1.0


def test_memory_is_set_by_the_chunk() -> None:
    import tracemalloc

    from irassay.studies.variance.run import simulate

    panel = panel_of(*collection(systems=20, topics=20, depth=10))
    scores = panel.score("AP")
    simulate(simulation_of(panel, samples=CHUNK), "bst", [scores], 0.05, 1)  # compiles
    peaks = []
    for samples in (512, 4096):
        simulation = simulation_of(panel, samples=samples)
        tracemalloc.start()
        simulate(simulation, "bst", [scores], 0.05, 1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    stored = (4096 - 512) * 20 * 20 * 8  # a double for every sample, system and topic
    assert peaks[1] - peaks[0] < stored / 5


def test_the_independent_set_of_samples_is_another_one() -> None:
    panel = panel_of(*collection())
    first, second = (simulation_of(panel, independent=k).values(0, 64) for k in (0, 1))
    assert not (first == second).all(axis=(0, 3)).any()
    with pytest.raises(irassay.InputError, match="independent is 2"):
        simulation_of(panel, independent=2)


def test_resampling_sees_the_order_of_scores_alone() -> None:
    qrels, runs = collection(topics=2)
    # scores made from ranks, equal where scores are equal; huge and negative
    by_rank = {
        name: {
            t: {d: -1e300 + 1e290 * sorted(set(scores.values())).index(s) for d, s in scores.items()}
            for t, scores in topics.items()
        }
        for name, topics in runs.items()
    }
    measures = "AP nDCG@10 Bpref infAP AP' RR"
    raw, ranked = (simulation_of(panel_of(qrels, r), measures).values(0, 100) for r in (runs, by_rank))
    assert np.array_equal(raw, ranked)


@pytest.mark.parametrize("score", [math.inf, -math.inf])
def test_a_score_that_is_not_finite_is_refused_unless_its_system_is_left_out(score: float) -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    runs = {"s": {"1": {"a": 1.0}, "2": {"a": score, "b": 0.0}}, "t": {"1": {"a": 1.0}, "2": {"a": 2.0}}}
    panel = panel_of(qrels, runs)
    with pytest.raises(irassay.InputError, match="s has a score for topic 2 that is not a finite number"):
        simulation_of(panel)
    assert simulation_of(panel, systems=[1]).values(0, 9).shape == (1, 2, 1, 9)


def test_a_panel_without_scores_is_refused() -> None:
    with pytest.raises(irassay.InputError, match="without retrieval scores"):
        simulation_of(irassay.align(*collection()))
