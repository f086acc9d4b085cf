"""`irassay preferred-ranks` on a collection made by hand."""

from __future__ import annotations

import pytest

import irassay
from irassay.errors import IrassayWarning


def test_preferred_ranks_of_a_collection_made_by_hand() -> None:
    qrels = {
        "1": {"s": 3, "a": 2, "b": 1, "c": 1, "n": 0},  # one run stops at s, the other only has a
        "2": {"b": 1, "c": 1},
        "3": {"a": 2},  # nobody finds it
        "4": {"n": 0},  # nothing is relevant: left out
    }
    runs = {
        "x": {"1": ["b", "s", "a"], "2": ["n", "m"], "3": ["n"], "4": ["n"]},
        "y": {"1": ["n", "c", "b", "m", "a", "k", "a2"], "2": ["n", "k", "c", "b"], "3": ["m"], "4": ["m"]},
    }
    ranked = {
        name: {t: {d: -float(r) for r, d in enumerate(docs)} for t, docs in run.items()} for name, run in runs.items()
    }
    with pytest.warns(IrassayWarning, match="1 topic without relevant documents, dropped: 4"):
        result = irassay.preferred_ranks(irassay.read_qrels(qrels), irassay.read_runs(ranked))
    assert list(result["preferred_ranks"].rows()) == [
        ("1", "y", 5, 3, 0, 1),
        ("1", "y", 5, 2, 1, 1),
        ("1", "y", 5, 1, 2, 2),
        ("2", "y", 3, 3, 0, 0),
        ("2", "y", 3, 2, 0, 0),
        ("2", "y", 3, 1, 1, 2),
        ("3", None, None, 3, 0, 0),
        ("3", None, None, 2, 0, 1),
        ("3", None, None, 1, 0, 0),
    ]
    assert list(result["distribution"].rows()) == [
        ("1", 2, 0, 2.0, 2.75, 3.5, 4.25, 5.0),  # x has s at rank 2, y has a at rank 5
        ("2", 1, 1, 3.0, 3.0, 3.0, 3.0, 3.0),
        ("3", 0, 2, None, None, None, None, None),
    ]
    with pytest.warns(IrassayWarning, match="no-relevant"):
        kept = irassay.preferred_ranks(irassay.read_qrels(qrels), irassay.read_runs(ranked), unanswerable="zero")
    assert {row[0] for row in kept["preferred_ranks"].rows()} == {"1", "2", "3", "4"}
