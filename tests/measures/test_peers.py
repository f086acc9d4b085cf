"""Differential tests: what irassay and its peers agree on, and what they do not, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval
from hypothesis import given, settings

from tests.helpers.peer_claims import CLAIMS, CONDENSED, ORDER, TOLERANCE, TREC_EVAL, Claim, aligned, gap, scores
from tests.helpers.peers import PEERS, Cells, answered
from tests.helpers.random_collections import Collection, collections, random_collection

SEEDS = range(25)
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
