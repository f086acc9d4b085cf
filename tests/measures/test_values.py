"""Measures as values: what is written in Python is what is written as text."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import ir_measures
import pytest

import irassay.measures
from irassay.errors import InputError
from irassay.measures import AG, AP, AREA, ERR, GM, RBP, IPrec, Measure, P, Q, R, nDCG, parse, records
from irassay.measures.core.foreign import is_foreign


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (AP, "AP"),
        (nDCG @ 10, "nDCG@10"),
        (nDCG(dcg="exp-log2") @ 10, "nDCG(dcg='exp-log2')@10"),
        ((nDCG @ 10)(dcg="exp-log2"), "nDCG(dcg='exp-log2')@10"),
        (AP(norm="min") @ 5, "AP(norm='min')@5"),
        (RBP(p=0.95, rel=1), "RBP(p=0.95,rel=1)"),
        (RBP(p=0.95)(p=0.8), "RBP"),
        (nDCG(gains={1: 1, 2: 5}) @ 10, "nDCG(gains={1:1,2:5})@10"),
        (AP(judged_only=True) @ 5, "AP'@5"),
        (AP(judged_only=True)(judged_only=False), "AP"),
        (P @ 5, "P@5"),
        (P(rel=2) @ 5, "P(rel=2)@5"),
        (R(cap=True) @ 5, "R(cap=True)@5"),
        (IPrec @ 0.1, "IPrec@0.1"),
        (IPrec(variant="trec") @ 0.1, "IPrec(variant='trec')@0.1"),
        (GM(AP), "GM(AP)"),
        (GM("map", variant="trec"), "GM(AP,variant='trec')"),
        (AG(Q), "AG(Q)"),
        (AREA(AP @ 10, k=3), "AREA(AP@10,k=3)"),
    ],
    ids=str,
)
def test_a_value_is_the_measure_of_its_text(value: Measure, text: str) -> None:
    assert parse(value) == parse([value]) == parse(text) == (value,)
    assert str(value) == text
    assert pickle.loads(pickle.dumps(value)) == value


def test_every_measure_and_summary_can_be_imported() -> None:
    for name in records():
        assert getattr(irassay.measures, name) == Measure(name)
    assert {*records(), "GM", "AG", "AREA"} <= set(dir(irassay.measures))
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        irassay.measures.Nothing  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: parse(P), "P needs a cut-off"),
        (lambda: parse([AP, P(rel=2)]), "P needs a cut-off"),
        (lambda: parse(IPrec), "IPrec needs a recall level"),
        (lambda: parse(AP(norm="min")), "needs a cut-off"),
        (lambda: P @ 0, "a cut-off is a whole number"),
        (lambda: AP @ 2.5, "a cut-off is a whole number"),
        (lambda: P @ 5 @ 3, "two cut-offs are given"),
        (lambda: IPrec @ 0.1 @ 0.2, "recall is given twice"),
        (lambda: GM(AP) @ 3, "nothing may follow GM"),
        (lambda: GM(GM(AP)), "GM cannot summarise a summary"),
        (lambda: GM(AP)(rel=2), "a summary has its parameters already"),
        (lambda: GM(P), "P needs a cut-off"),
        (lambda: AP(depth=3), "AP has no parameter depth"),
        (lambda: RBP(p=2), "p must be a number"),
        (lambda: ERR(rel=1, max_grade=3) @ 5, "would be ignored"),
    ],
)
def test_a_value_that_means_nothing_is_refused_with_a_way_out(make: Callable[[], object], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        make()
    assert caught.value.hint


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (ir_measures.AP, "AP"),
        (ir_measures.nDCG @ 10, "nDCG@10"),
        (ir_measures.nDCG(gains={0: 0, 1: 1, 2: 3}), "nDCG(gains={1:1,2:3})"),
        (ir_measures.P(rel=2, judged_only=True) @ 5, "P'(rel=2)@5"),
        (ir_measures.RBP(rel=1), "RBP(rel=1)"),
        (ir_measures.ERR @ 20, "ERR(max_grade=4)@20"),
        (ir_measures.NumRet(rel=1), "NumRelRet"),
        (ir_measures.SetP(relative=True), "SetRelP"),
        (ir_measures.IPrec @ 0.1, "IPrec@0.1"),
        (ir_measures.Judged @ 10, "Judged@10"),
    ],
    ids=str,
)
def test_a_measure_of_ir_measures_is_what_gives_its_values_here(theirs: Any, ours: str) -> None:
    assert is_foreign(theirs)
    assert parse(theirs) == parse([theirs]) == parse(ours)


@pytest.mark.parametrize(
    "theirs",
    [ir_measures.RBP, ir_measures.Accuracy, ir_measures.alpha_nDCG @ 10, ir_measures.nDCG(gains={0: 1, 1: 2})],
    ids=str,
)
def test_a_measure_of_ir_measures_that_is_not_here_is_refused(theirs: Any) -> None:
    with pytest.raises(InputError, match="no measure here gives what ir_measures gives"):
        parse(theirs)
