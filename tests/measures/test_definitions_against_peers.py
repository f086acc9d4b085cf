"""Differential tests of the measures beyond the first ones, on random graded collections.

Random collections have ties, unjudged pool entries, topics without relevant documents and short lists. `trec9` is
trec_eval's order; cwl_eval, gdeval and NTCIREVAL break ties in their own ways, so they get distinct scores.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import ir_measures
import pytest
import pytrec_eval
from pyNTCIREVAL import metrics as ntcir
from scipy.special import polygamma

from irassay.measures import parse
from tests.helpers.further_peers import FURTHER_TREC_EVAL, Known, by_ntcireval, shared_gap, slips
from tests.helpers.peer_claims import TOLERANCE, scores
from tests.helpers.peers import Cells, answered, by_ir_measures, by_pytrec_eval, ir_measure
from tests.helpers.random_collections import Collection, random_collection

SEEDS = range(20)
IR_MEASURES = {
    "infAP": "infAP",
    "SetP": "SetP",
    "SetP'(rel=2)": "SetP(judged_only=True,rel=2)",
    "SetR": "SetR",
    "SetF": "SetF",
    "SetF(beta=0.25)": "SetF(beta=0.25)",
    "NumRet": "NumRet",
    "NumRel": "NumRel",
    "NumRelRet": "NumRelRet",
    "IPrec@0.25": "IPrec@0.25",
    "IPrec(rel=2)@0.5": "IPrec(rel=2)@0.5",
}


@cache
def collections(**kind: Any) -> tuple[Collection, ...]:
    return tuple(random_collection(seed, **kind) for seed in SEEDS)


def agreement(
    names: Mapping[str, str], peer: Callable[..., dict[str, Cells]], order: str, **kind: Any
) -> dict[str, float]:
    """By our measure, the largest difference to the peer's on all collections of a kind."""
    worst = dict.fromkeys(names, 0.0)
    for collection in collections(**kind):
        ours = scores(collection.qrels, collection.runs, names, order)
        theirs = peer(collection, names.values())
        for measure, name in names.items():
            worst[measure] = max(worst[measure], shared_gap(ours[measure], theirs[name]))
    return worst


def test_agrees_with_trec_eval_on_random_collections() -> None:
    assert agreement(FURTHER_TREC_EVAL, by_pytrec_eval, "trec9") == pytest.approx(
        dict.fromkeys(FURTHER_TREC_EVAL, 0), abs=TOLERANCE
    )


def test_agrees_with_ir_measures_on_random_collections() -> None:
    # ir_measures gives no value to a topic without relevant documents in some providers, so none is here
    worst = agreement(IR_MEASURES, by_ir_measures, "trec9", unanswerable=False)
    assert worst == pytest.approx(dict.fromkeys(IR_MEASURES, 0), abs=TOLERANCE)


def test_bpref_is_one_of_its_two_forms() -> None:
    names = ["Bpref", "BprefR", "BprefN"]
    for collection in collections():
        ours = scores(collection.qrels, collection.runs, names, "trec9")
        for (system, topic), value in ours["Bpref"].items():
            grades = list(collection.qrels[topic].values())
            relevant, nonrelevant = sum(g > 0 for g in grades), grades.count(0)
            name = "BprefR" if relevant <= nonrelevant else "BprefN"
            assert ours[name][system, topic] == pytest.approx(value, abs=1e-12)


# ---------------------------------------------------------------- trec_eval's arithmetic of recall levels


def test_interpolated_precision_goes_by_recall_where_trec_eval_9_slips() -> None:
    # R = 57: trec_eval 9 takes 0.3·57+0.9 = 17.999… for 17 documents, whose recall is .298
    qrels = {"1": {f"r{n:02}": 1 for n in range(57)}}
    run = {"1": {**{f"r{n:02}": 200.0 - n for n in range(17)}, **{f"x{n}": 100.0 - n for n in range(10)}, "r17": 1.0}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"iprec_at_recall"}).evaluate(run)["1"]
    ours = scores(qrels, {"s": run}, ["IPrec@0.2", "IPrec@0.3"], "trec9")
    assert theirs["iprec_at_recall_0.30"] == 1.0
    assert ours["IPrec@0.3"]["s", "1"] == pytest.approx(18 / 28)
    assert ours["IPrec@0.2"]["s", "1"] == theirs["iprec_at_recall_0.20"] == 1.0


def test_trec_eval_9_slips_rarely() -> None:
    assert {relevant: level for relevant in range(1, 100) for level in slips(relevant)} == {
        **dict.fromkeys((3, *range(23, 84, 10)), "0.70"),
        **dict.fromkeys(range(57, 98, 10), "0.30"),
    }


# ---------------------------------------------------------------- C/W/L: weights over all ranks, or over 1000

CWL = {
    "RBP(p=0.8,rel=1)": "RBP(p=0.8,rel=1)",
    "RBP(p=0.95,rel=2)": "RBP(p=0.95,rel=2)",
    "INSQ": "INSQ(T=1.0,max_rel=3)",
    "INSQ(T=5)": "INSQ(T=5.0,max_rel=3)",
    "INSQ(max_gain=4)": "INSQ(T=1.0,max_rel=4)",
    "INST": "INST(T=1.0,max_rel=3)",
    "INST(T=5)": "INST(T=5.0,max_rel=3)",
    "INST(T=2.5,max_gain=4)": "INST(T=2.5,max_rel=4)",
}


def share_of_the_first(depth: int, gains: list[float], target: float, *, adaptive: bool) -> float:
    """How much of all the weight of INST (adaptive) or INSQ the ranks down to `depth` have."""
    weight, total, gained = 1.0, 0.0, 0.0
    for r in range(1, depth + 1):
        total += weight
        gained += gains[r - 1] if adaptive and r <= len(gains) else 0.0
        x = r + 2 * target - gained - 1
        weight *= (x / (x + 1)) ** 2
    y = depth + 2 * target - gained
    return total / (total + weight * y * y * float(polygamma(1, y)))


@pytest.mark.parametrize("text", CWL)
def test_agrees_with_cwl_eval_once_its_weights_go_on_below_rank_1000(text: str) -> None:
    pytest.importorskip("cwl", reason="cwl-eval is not installed")
    (measure,) = parse(text)
    peer = ir_measure(CWL[text])
    for collection in collections(spacing="distinct", unanswerable=False)[:8]:
        ours = scores(collection.qrels, collection.runs, [str(measure)], "trec")[str(measure)]
        for system, lists in collection.runs.items():
            for value in ir_measures.providers.registry["cwl_eval"].iter_calc([peer], collection.qrels, lists):
                if value.query_id not in lists:
                    continue
                ranked = sorted(lists[value.query_id], key=lambda doc: -lists[value.query_id][doc])
                judged = collection.qrels[value.query_id]
                share = 1.0
                if measure.name != "RBP":
                    gains = [max(judged.get(doc, 0), 0) / (measure.max_gain or 3) for doc in ranked]
                    target = float(measure.values["T"])  # type: ignore[arg-type]
                    share = share_of_the_first(1000, gains, target, adaptive=measure.name == "INST")
                assert ours[system, value.query_id] == pytest.approx(value.value * share, abs=TOLERANCE)


def test_the_residual_of_rbp_is_the_gap_between_the_best_and_the_worst_case() -> None:
    # every unjudged document taken for relevant, the list followed by relevant documents without end
    for collection in collections(spacing="distinct")[:8]:
        ours = scores(collection.qrels, collection.runs, ["RBPRes(p=0.9)"], "trec")["RBPRes(p=0.9)"]
        for system, topic in answered(collection):
            ranked = sorted(collection.runs[system][topic], key=lambda doc: -collection.runs[system][topic][doc])
            unjudged = [r for r, doc in enumerate(ranked, 1) if collection.qrels[topic].get(doc, -1) < 0]
            expected = sum(0.1 * 0.9 ** (r - 1) for r in [*unjudged, *range(len(ranked) + 1, 1000)])
            assert ours[system, topic] == pytest.approx(expected, abs=TOLERANCE)


# ---------------------------------------------------------------- gdeval prints five decimals


@pytest.mark.skipif(not shutil.which("perl"), reason="gdeval is a Perl script")
@pytest.mark.parametrize("cut", [5, 20])
def test_err_is_gdevals_as_far_as_it_prints(cut: int) -> None:
    peer = ir_measure(f"ERR@{cut}")
    for collection in collections(spacing="distinct", unanswerable=False)[:2]:
        qrels = {topic: docs for topic, docs in collection.qrels.items() if topic.isdigit()}
        ours = scores(qrels, collection.runs, [f"ERR(max_grade=4)@{cut}"], "trec")[f"ERR(max_grade=4)@{cut}"]
        for system, lists in collection.runs.items():
            run = {topic: docs for topic, docs in lists.items() if topic in qrels}
            for value in ir_measures.providers.registry["gdeval"].iter_calc([peer], qrels, run):
                if value.query_id in run:
                    assert ours[system, value.query_id] == pytest.approx(value.value, abs=5.1e-6)


# ---------------------------------------------------------------- NTCIREVAL

Gains = list[float]
SCHEMES: dict[str, Gains] = {"": [1, 2, 3], "{1:1,2:5,3:10}": [1, 5, 10]}
NTCIREVAL: dict[str, Callable[[Known, Gains], Any]] = {
    "Q(GAINS)": lambda known, gains: ntcir.QMeasure(known, gains, 1.0),
    "Q(norm='min',GAINS)@5": lambda known, gains: ntcir.QMeasure(known, gains, 1.0, 5),
    "O(GAINS)": lambda known, gains: ntcir.OMeasure(known, gains, 1.0),
    "O'(beta=10,GAINS)": lambda known, gains: ntcir.OMeasure(known, gains, 10.0),
    "PMeasure(GAINS)": lambda known, gains: ntcir.PMeasure(known, gains, 1.0),
    "PMeasure'(beta=0.5,GAINS)": lambda known, gains: ntcir.PMeasure(known, gains, 0.5),
    "PPlus(GAINS)": lambda known, gains: ntcir.PPlusMeasure(known, gains, 1.0),
    "PPlus'(beta=0.5,GAINS)": lambda known, gains: ntcir.PPlusMeasure(known, gains, 0.5),
    "ERR(stop='linear',GAINS)": lambda known, gains: ntcir.ERR(known, gains),
    "nERR(stop='linear',GAINS)@5": lambda known, gains: ntcir.nERR(known, gains, 5),
    "nERR'(stop='linear',GAINS)@1000": lambda known, gains: ntcir.nERR(known, gains, 1000),
    "nDCG(GAINS)@10": lambda known, gains: ntcir.MSnDCG(known, gains, 10),
    "nDCG(dcg='jk',GAINS)@10": lambda known, gains: ntcir.nDCG(known, gains, 2.0, 10),
    "nCG(GAINS)@10": lambda known, gains: ntcir.nDCG(known, gains, 1e9, 10),  # no rank reaches the base
    "RBP(p=0.95,GAINS)": lambda known, gains: ntcir.RBP(known, gains, 0.95),
}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("text", NTCIREVAL)
def test_agrees_with_ntcireval_on_random_collections(text: str, scheme: str) -> None:
    written = text.replace("GAINS", f"gains={scheme}" if scheme else "").replace(",)", ")")
    (measure,) = parse(written)
    for collection in collections(spacing="distinct", unanswerable=False)[:8]:
        ours = scores(collection.qrels, collection.runs, [str(measure)], "file")[str(measure)]
        theirs = by_ntcireval(
            collection, measure.judged_only, lambda known: NTCIREVAL[text](known, list(SCHEMES[scheme]))
        )
        assert shared_gap(ours, dict(theirs)) <= TOLERANCE
