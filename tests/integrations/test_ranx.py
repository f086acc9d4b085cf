"""ranx: what we hand out scores there as it does here."""

from __future__ import annotations

import math
from typing import Any

import pytest

import irassay
from irassay.integrations.ranx import to_ranx
from tests.helpers.random_collections import random_collection

COLLECTION = random_collection(7, unanswerable=False, spacing="distinct")


def panel(**policies: Any) -> irassay.Panel:
    return irassay.align(COLLECTION.qrels, COLLECTION.runs, **policies)


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_ranx_scores_what_it_is_given_as_irassay_does() -> None:
    ranx = pytest.importorskip("ranx")
    aligned = panel(keep_scores=True)
    qrels, runs = to_ranx(aligned)
    assert [run.name for run in runs] == list(aligned.systems)
    ours = aligned.score("AP nDCG@10")
    names = {"AP": "map", "nDCG@10": "ndcg@10"}
    for s, run in enumerate(runs):
        theirs = ranx.evaluate(qrels, run, list(names.values()), make_comparable=True)
        for measure, name in names.items():
            assert math.isclose(theirs[name], ours[measure].means()[s], abs_tol=1e-9), (run.name, measure)


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_lists_keep_their_order_and_come_back() -> None:
    pytest.importorskip("ranx")
    tied = random_collection(8, unanswerable=False)
    aligned = irassay.align(tied.qrels, tied.runs)
    qrels, runs = to_ranx(tied.qrels, tied.runs)
    again = irassay.align(qrels.to_dict(), {run.name: run.to_dict() for run in runs})
    for topic in aligned.topics:
        for system in aligned.systems:
            assert again.ranking(system, topic) == aligned.ranking(system, topic)
    assert again.score("AP nDCG@10").values.tolist() == aligned.score("AP nDCG@10").values.tolist()
