"""Differential tests: what irassay and its peers agree on, and what they do not, with the reason."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval
from hypothesis import given, settings

import irassay
from irassay import Panel
from irassay.errors import IrassayWarning
from tests.helpers.peers import PEERS, Cells, answered
from tests.helpers.random_collections import Collection, collections, random_collection

TOLERANCE = 1e-9
SEEDS = range(25)
# the order of documents that each peer goes by; see the claims for their ties
ORDER = {"pytrec_eval": "trec9", "ir_measures": "trec9", "pyNTCIREVAL": "file"}
# what a random collection holds; each of the others but one thing less, or one thing only
KINDS: dict[str, dict[str, Any]] = {
    "everything": {},
    "answerable": {"unanswerable": False},
    "distinct scores": {"spacing": "distinct"},
    "nothing special": {"spacing": "distinct", "negative": False, "unanswerable": False},
    "only ties": {"negative": False, "unanswerable": False},
    "only close scores": {"spacing": "close", "negative": False, "unanswerable": False},
    "only negative grades": {"spacing": "distinct", "unanswerable": False},
    "only an unanswerable topic": {"spacing": "distinct", "negative": False},
}


@dataclass(frozen=True)
class Claim:
    """Our measure and a peer's: they agree on all collections of a kind, or differ on some, for a reason."""

    measure: str
    peer: str
    name: str
    on: str = "everything"
    agrees: bool = True
    reason: str = ""
    order: str = ""

    def __str__(self) -> str:
        return f"{self.measure} {'is' if self.agrees else 'is not'} {self.peer} {self.name} on {self.on}"


def _differs(measure: str, peer: str, name: str, on: str, reason: str, order: str = "") -> Claim:
    return Claim(measure, peer, name, on, agrees=False, reason=reason, order=order)


TREC_EVAL = {
    "AP": "map",
    "AP@5": "map_cut_5",
    "P@1": "P_1",
    "P@5": "P_5",
    "P@100": "P_100",
    "R@5": "recall_5",
    "R@1000": "recall_1000",
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "Success@1": "success_1",
    "Success@5": "success_5",
    "nDCG": "ndcg",
    "nDCG@5": "ndcg_cut_5",
    "nDCG@1000": "ndcg_cut_1000",
    "Bpref": "bpref",
    "AP(rel=2)": "map -l2",
    "P(rel=2)@5": "P_5 -l2",
    "R(rel=2)@5": "recall_5 -l2",
    "RR(rel=2)": "recip_rank -l2",
    "Rprec(rel=2)": "Rprec -l2",
    "Success(rel=2)@5": "success_5 -l2",
    "Bpref(rel=2)": "bpref -l2",
}
CONDENSED = {
    "AP'": "map -J",
    "AP'@5": "map_cut_5 -J",
    "P'@5": "P_5 -J",
    "R'@5": "recall_5 -J",
    "RR'": "recip_rank -J",
    "Rprec'": "Rprec -J",
    "Success'@1": "success_1 -J",
    "nDCG'": "ndcg -J",
    "nDCG'@5": "ndcg_cut_5 -J",
}
IR_MEASURES = {
    "AP": "AP",
    "AP@5": "AP@5",
    "P@5": "P@5",
    "R@5": "R@5",
    "RR": "RR",
    "Rprec": "Rprec",
    "Success@5": "Success@5",
    "nDCG": "nDCG",
    "nDCG@5": "nDCG@5",
    "nDCG(gains={1:1,2:5,3:10})@5": "nDCG(gains={1:1,2:5,3:10})@5",
    "nDCG(dcg='exp-log2')@5": "nDCG(gains={1:1,2:3,3:7})@5",
    "nDCG(dcg='exp-log2')": "nDCG(gains={1:1,2:3,3:7})",
    "Bpref": "Bpref",
    "AP(rel=2)@5": "AP(rel=2)@5",
}
NTCIREVAL = {
    "AP": "AP",
    "AP(norm='min')@5": "AP@5",
    "Q": "Q",
    "Q(beta=10)": "Q(beta=10)",
    "Q(norm='min')@5": "Q@5",
    "RBP": "RBP(0.8)",
    "RBP(p=0.95)": "RBP(0.95)",
    "P@5": "P@5",
    "Success@5": "Hit@5",
    "RR": "RR",
    "AP'": "AP -J",
    "Q'": "Q -J",
    "RBP'(p=0.95)": "RBP(0.95) -J",
}
NORMALISED = {
    "nDCG(dcg='jk')@5": "nDCG@5",
    "nDCG(dcg='jk')@1000": "nDCG@1000",
    "nDCG(dcg='jk',base=10)@1000": "nDCG(logb=10)@1000",
    "nDCG@5": "MSnDCG@5",
    "nDCG@1000": "MSnDCG@1000",
    "nCG@5": "nDCG(logb=1e9)@5",
    "nCG@1000": "nDCG(logb=1e9)@1000",
    "nDCG'(dcg='jk')@1000": "nDCG@1000 -J",
}
FLOATS = "trec_eval 9 compares scores as 32-bit floats"
CAPPED = "NTCIREVAL divides by min(k, R) at a cut-off"
ASCENDING = "the peer breaks ties by ascending document id, trec_eval and we by descending"
POOLED = "the peer takes a grade below 0 for a judgment; here it is pooled but not judged"

CLAIMS = [
    *(Claim(ours, "pytrec_eval", name) for ours, name in TREC_EVAL.items()),
    *(Claim(ours, "pytrec_eval", name) for ours, name in CONDENSED.items()),
    *(Claim(ours, "ir_measures", name) for ours, name in IR_MEASURES.items()),
    Claim("RR@5", "ir_measures", "RR@5", on="distinct scores"),
    Claim("Judged@5", "ir_measures", "Judged@5", on="nothing special"),
    Claim("Judged@5", "ir_measures", "Judged@5", on="only an unanswerable topic"),
    Claim("Judged@1000", "ir_measures", "Judged@1000", on="nothing special"),
    *(Claim(ours, "pyNTCIREVAL", name) for ours, name in NTCIREVAL.items()),
    *(Claim(ours, "pyNTCIREVAL", name, on="answerable") for ours, name in NORMALISED.items()),
    _differs("AP", "pytrec_eval", "map", "only close scores", FLOATS, order="trec"),
    _differs("nDCG@5", "pytrec_eval", "ndcg_cut_5", "only close scores", FLOATS, order="trec"),
    _differs("RR@5", "ir_measures", "RR@5", "only ties", ASCENDING),
    _differs("Judged@5", "ir_measures", "Judged@5", "only ties", ASCENDING),
    _differs("Judged@5", "ir_measures", "Judged@5", "only negative grades", POOLED),
    _differs("AP@5", "pyNTCIREVAL", "AP@5", "nothing special", CAPPED),
    _differs("Q@5", "pyNTCIREVAL", "Q@5", "nothing special", CAPPED),
    _differs("nDCG@5", "pyNTCIREVAL", "nDCG@5", "nothing special", "its nDCG is Järvelin and Kekäläinen's"),
    _differs("nDCG@5", "pyNTCIREVAL", "MSnDCG@5", "only an unanswerable topic", "0/0 there, 0 here"),
]


def aligned(qrels: Any, runs: Any, order: str, *, names: str | None = None, depth: int | None = None) -> Panel:
    """A panel without the warnings: the collections are full of what we rightly warn about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IrassayWarning)
        found = irassay.read_runs(runs, names=names)
        return irassay.align(irassay.read_qrels(qrels), found, order=order, depth=depth)


def scores(
    qrels: Any,
    runs: Any,
    measures: Iterable[str],
    order: str,
    *,
    names: str | None = None,
    depth: int | None = None,
) -> dict[str, Cells]:
    """Our values by measure and list."""
    found = aligned(qrels, runs, order, names=names, depth=depth).score(" ".join(measures))
    return {
        measure: {
            (system, topic): value
            for system, row in zip(matrix.systems, matrix.values.tolist(), strict=True)
            for topic, value in zip(matrix.topics, row, strict=True)
        }
        for measure, matrix in ((measure, found[measure]) for measure in found)
    }


def gap(ours: Cells, theirs: Cells) -> float:
    """The largest difference; a list that a run does not have is 0, a value that is not a number differs."""
    assert theirs.keys() <= ours.keys()
    gaps = [abs(value - theirs.get(cell, 0.0)) for cell, value in ours.items()]
    return max(math.inf if math.isnan(each) else each for each in gaps)


@cache
def _collections(kind: str) -> tuple[Collection, ...]:
    return tuple(random_collection(seed, **KINDS[kind]) for seed in SEEDS)


@cache
def _ours(kind: str, order: str) -> tuple[Mapping[str, Cells], ...]:
    """All claimed measures at once: parsing and aligning once per collection is enough."""
    measures = dict.fromkeys(claim.measure for claim in CLAIMS)
    return tuple(scores(each.qrels, each.runs, measures, order) for each in _collections(kind))


def _gaps(claim: Claim) -> list[float]:
    theirs = [PEERS[claim.peer](each, [claim.name])[claim.name] for each in _collections(claim.on)]
    ours = [each[claim.measure] for each in _ours(claim.on, claim.order or ORDER[claim.peer])]
    return list(map(gap, ours, theirs))


@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if claim.agrees], ids=str)
def test_agrees_with_the_peer_on_random_collections(claim: Claim) -> None:
    assert max(_gaps(claim)) <= TOLERANCE


@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if not claim.agrees], ids=str)
def test_differs_from_the_peer_where_the_table_says_so(claim: Claim) -> None:
    assert claim.reason
    assert max(_gaps(claim)) > 1e-3


@settings(deadline=None)  # the first example may compile
@given(collections())
def test_agrees_with_trec_eval_on_any_collection(collection: Collection) -> None:
    measures = {**TREC_EVAL, **CONDENSED}
    ours = scores(collection.qrels, collection.runs, measures, "trec9")
    theirs = PEERS["pytrec_eval"](collection, measures.values())
    assert {ours_name: gap(ours[ours_name], theirs[name]) for ours_name, name in measures.items()} == pytest.approx(
        dict.fromkeys(measures, 0.0), abs=TOLERANCE
    )


def test_geometric_mean_is_trec_evals_gm_map() -> None:
    measure = "GM(AP,variant='trec')"
    for seed in SEEDS:
        whole = random_collection(seed)
        # trec_eval averages over the topics of a run, so only runs with all of them compare
        collection = Collection(whole.qrels, {name: whole.runs[name] for name in ("sys1", "sys2", "sys3")})
        evaluator = pytrec_eval.RelevanceEvaluator(collection.qrels, {"gm_map"})
        expected = [
            pytrec_eval.compute_aggregated_measure("gm_map", [v["gm_map"] for v in evaluator.evaluate(run).values()])
            for run in collection.runs.values()
        ]
        panel = aligned(collection.qrels, collection.runs, "trec9")
        assert panel.score(measure)[measure].means().tolist() == pytest.approx(expected, abs=TOLERANCE)


def test_a_topic_that_a_run_misses_is_0_here_and_left_out_by_pytrec_eval() -> None:
    collection = random_collection(0)
    assert "401" not in collection.runs["sys0"]
    assert "401" not in pytrec_eval.RelevanceEvaluator(collection.qrels, {"map"}).evaluate(collection.runs["sys0"])
    assert scores(collection.qrels, collection.runs, ["AP"], "trec9")["AP"]["sys0", "401"] == 0.0


def test_files_score_as_the_same_collection_in_memory_does(tmp_path: Path) -> None:
    collection = random_collection(1)
    for order in ("trec", "trec9", "file"):
        measures = ["AP", "nDCG@5", "Bpref", "Q'"]
        in_memory = scores(collection.qrels, collection.runs, measures, order)
        folder = tmp_path / order
        folder.mkdir()
        assert scores(*collection.write(folder), measures, order) == in_memory


def test_random_collections_hold_what_they_promise() -> None:
    for collection in _collections("everything"):
        lists = [collection.runs[system][topic] for system, topic in answered(collection)]
        grades = {grade for docs in collection.qrels.values() for grade in docs.values()}
        assert any(len(set(each.values())) < len(each) for each in lists), "ties"
        assert grades == {-1, 0, 1, 2, 3}
        assert any(max(docs.values()) <= 0 for docs in collection.qrels.values()), "nothing relevant"
        assert set(collection.qrels) - {topic for each in collection.runs.values() for topic in each}
        assert {topic for each in collection.runs.values() for topic in each} - set(collection.qrels)
        assert len({len(each) for each in collection.runs.values()}) > 1, "a topic missing from some runs"
