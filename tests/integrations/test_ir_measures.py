"""ir_measures: our provider in its place, and our scores as its results."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import ir_measures
import pytest
from ir_measures import AP, ERR, RR, Accuracy, Judged, NumRel, NumRet, P, SetP, infAP, nDCG

import irassay
from irassay.measures import parse
from tests.helpers.random_collections import random_collection

pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
COLLECTION = random_collection(3, negative=False)  # a grade below 0 is a judgment there, and here it is not
RUN = COLLECTION.runs["sys1"]
MEASURES = [AP, AP @ 5, nDCG @ 10, P(rel=2) @ 5, RR, SetP, SetP(relative=True), infAP, NumRet, NumRet(rel=1), NumRel]


@pytest.fixture
def provider() -> Iterator[Any]:
    # imported here: it registers itself
    from irassay.integrations import ir_measures as ours

    yield ours.register()
    ours.unregister()


def close(first: dict[Any, float], second: dict[Any, float]) -> bool:
    return first.keys() == second.keys() and all(math.isclose(first[m], second[m], abs_tol=1e-9) for m in first)


def test_calls_of_ir_measures_are_computed_here_and_give_what_they_gave(provider: Any) -> None:
    ours = ir_measures.calc(MEASURES, COLLECTION.qrels, RUN)
    theirs = ir_measures.pytrec_eval.calc(MEASURES, COLLECTION.qrels, RUN)
    assert close(ours.aggregated, theirs.aggregated)
    assert close(
        {(m.query_id, str(m.measure)): m.value for m in ours.per_query},
        {(m.query_id, str(m.measure)): m.value for m in theirs.per_query},
    )
    assert type(ir_measures.evaluator(MEASURES, COLLECTION.qrels)).__module__ == "irassay.integrations.ir_measures"


def test_a_measure_that_is_not_here_goes_to_its_own_provider(provider: Any) -> None:
    both = ir_measures.calc_aggregate([AP, Accuracy], COLLECTION.qrels, RUN)
    ir_measures.DefaultPipeline.providers.remove(provider)
    assert close(both, ir_measures.calc_aggregate([AP, Accuracy], COLLECTION.qrels, RUN))
    assert [provider.supports(measure) for measure in (AP, Accuracy, ir_measures.RBP)] == [True, False, False]


def test_frames_and_records_are_taken_as_ir_measures_takes_them(provider: Any) -> None:
    pandas = pytest.importorskip("pandas")
    qrels = [ir_measures.Qrel(t, d, g) for t, docs in COLLECTION.qrels.items() for d, g in docs.items()]
    run = [ir_measures.ScoredDoc(t, d, s) for t, docs in RUN.items() for d, s in docs.items()]
    expected = provider.calc_aggregate([AP], COLLECTION.qrels, RUN)
    assert provider.calc_aggregate([AP], iter(qrels), iter(run)) == expected
    assert provider.calc_aggregate([AP], pandas.DataFrame(qrels), pandas.DataFrame(run)) == expected


def test_a_run_without_judged_topics_scores_zero(provider: Any) -> None:
    assert ir_measures.calc_aggregate([AP], {"1": {"a": 1}}, {"2": {"a": 1.0}}) == {AP: 0.0}


def test_the_provider_registers_itself_when_it_is_imported() -> None:
    code = (
        "import ir_measures, irassay.integrations.ir_measures as ours\n"
        "listed = ir_measures.DefaultPipeline.providers\n"
        "assert [p.NAME for p in listed[:2]] == ['runtime', 'irassay'], listed\n"
        "ours.register(); assert sum(p.NAME == 'irassay' for p in listed) == 1\n"
        "ours.unregister(); assert all(p.NAME != 'irassay' for p in listed)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_scores_become_results_of_ir_measures() -> None:
    text = "AP nDCG@10 P(rel=2)@5 AP' ERR(max_grade=4)@20 Judged@10 Q GM(AP)"
    scores = irassay.align(COLLECTION.qrels, COLLECTION.runs).score(text)
    results = scores.to_ir_measures()
    assert list(results) == list(scores.systems)
    aggregated, per_query = results["sys1"]
    named = {str(measure): value for measure, value in aggregated.items()}
    assert [*named] == [
        *["AP", "nDCG@10", "P(rel=2)@5", "AP(judged_only=True)", "ERR@20", "Judged@10"],
        *["Q", "GM(AP)"],  # not among its measures, and called as here
    ]
    assert {AP, nDCG @ 10, ERR @ 20, Judged @ 10} <= set(aggregated)
    assert list(named.values()) == scores.select(systems=["sys1"]).means().ravel().tolist()
    one = {m.query_id: m.value for m in per_query if m.measure == AP}
    assert one == dict(zip(scores.topics, scores["AP"].select(systems=["sys1"]).values[0].tolist(), strict=True))
    assert not [m for m in per_query if str(m.measure) == "GM(AP)"]


@pytest.mark.parametrize(
    "measure", [AP, AP @ 5, nDCG(gains={1: 1, 2: 3}) @ 5, ERR @ 20, SetP(relative=True), NumRet(rel=1)]
)
def test_a_measure_comes_back_as_it_went(measure: Any) -> None:
    from irassay.measures.core.foreign import their_measure

    assert their_measure(parse(measure)[0], ir_measures) == measure
