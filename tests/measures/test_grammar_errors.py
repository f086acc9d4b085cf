"""Mistakes in the text of a measure: each is named with its place and the way out."""

from __future__ import annotations

from typing import Any

import pytest

from irassay.errors import InputError
from irassay.measures import parse


def refusal(text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        parse(text)
    return caught.value


MISTAKES = [
    ("nDGC@10", "there is no measure nDGC", "did you mean nDCG@10?"),
    ("ap", "there is no measure ap", "did you mean AP?"),
    ("recip_rnk", "there is no measure recip_rnk", "did you mean recip_rank?"),
    ("GMM(AP)", "there is no measure GMM", "did you mean GM(AP)?"),
    ("P", "P needs a cut-off: P@k", "write P@k for precision at k (P@10); PMeasure and RMeasure are Sakai's"),
    ("P'(rel=2)", "P needs a cut-off: P@k", None),
    (
        "R",
        "R needs a cut-off: R@k",
        "write R@k for recall at k (R@10); P@k is precision, PMeasure and RMeasure are Sakai's",
    ),
    ("Success", "Success needs a cut-off: Success@k", "write Success@10"),
    ("nCG", "nCG needs a cut-off: nCG@k", "write nCG@10"),
    ("Bpref@10", "Bpref takes no cut-off", "write Bpref without @10"),
    ("Rprec@10", "Rprec takes no cut-off", "write Rprec without @10"),
    ("AP@0", "a cut-off is a whole number from 1 to 2147483647, not 0", "write AP@10, for example"),
    ("P_0", "a cut-off is a whole number from 1 to 2147483647, not 0", None),
    ("AP@-5", "a cut-off is a whole number from 1 to 2147483647, not -5", None),
    ("AP@1.5", "a cut-off is a whole number from 1 to 2147483647, not 1.5", None),
    ("AP@99999999999", "a cut-off is a whole number from 1 to 2147483647, not 99999999999", None),
    ("AP@" + "9" * 5000, None, None),
    ("AP@", "a cut-off is a whole number from 1 to 2147483647, and none is given", None),
    ("P_10@5", "two cut-offs are given", "keep one of 10 and 5"),
    ("P@5'", "the prime is in the wrong place", "it follows the name: P'@5"),
    ("AP(rel=2)'", "the prime is in the wrong place", "it follows the name: AP'(rel=2)"),
    ("AP@5(rel=2)", "the cut-off comes last", "write AP(rel=2)@5"),
    ("AP,P@5", "measures are separated by spaces", "write AP P@5"),
    ("AP!", "'!' cannot be read", None),
    ("@5", "this is not a measure", None),
    ("AP(rel=2", "( is not closed", "close it with )"),
    ("Q(gains={1:1)", ") closes nothing", "remove it or open ("),
    ("AP)", ") closes nothing", "remove it or open ("),
    ("nDCG(dcg='jk)", "the text 'jk) is not closed", "end it with '"),
    ("AP(foo=1)", "AP has no parameter foo", "AP takes norm, rel, judged_only"),
    ("AP(gains={1:1})", "AP has no parameter gains", None),
    ("P(k=10)", "P has no parameter k", "the cut-off is written P@k"),
    ("Judged(rel=2)", "Judged has no parameter rel", "Judged takes no parameters"),
    ("AG(AP,variant='trec')", "AG has no parameter variant", "AG takes no parameters"),
    ("AP(rel)", "'rel' is not key=value", None),
    ("AP(rel=1,)", "'' is not key=value", None),
    ("AP(rel=1,rel=2)", "rel is given twice", "keep one rel= in AP(…)"),
    (
        "nDCG(dcg=jk)",
        "the value of dcg is no number, 'text', True, False or {grade:number,…}",
        "write dcg='jk' for a text",
    ),
    (
        "nDCG(dcg=)",
        "the value of dcg is no number, 'text', True, False or {grade:number,…}",
        "give a value: dcg=…",
    ),
    ("nDCG(dcg='foo')", "dcg must be 'log2', 'exp-log2' or 'jk', not 'foo'", None),
    ("nDCG(dcg=2)", "dcg must be 'log2', 'exp-log2' or 'jk', not 2", None),
    ("GM(AP,variant='x')", "variant must be 'sakai' or 'trec', not 'x'", None),
    (
        "RBP(p=1)",
        "p must be a number above 0 and below 1, not 1",
        "p: persistence: chance that the user looks at the next rank",
    ),
    ("RBP(p=0)", "p must be a number above 0 and below 1, not 0", None),
    ("RBP(p=True)", "p must be a number above 0 and below 1, not True", None),
    ("Q(beta=-0.5)", "beta must be a number at least 0, not -0.5", None),
    ("Q(beta=1e999)", "beta must be a number at least 0, not inf (numbers are 0 or from 1e-9 to 1e9)", None),
    ("nDCG(dcg='jk',base=1)", "base must be a number above 1, not 1", None),
    ("AP(rel=0)", "rel must be a whole number at least 1 and at most 127, not 0", None),
    ("AP(rel=1.5)", "rel must be a whole number at least 1 and at most 127, not 1.5", None),
    ("RBP(max_gain=0)", "max_gain must be a number above 0, not 0", None),
    ("AP(judged_only=1)", "judged_only must be True or False, not 1", None),
    ("Q(gains=3)", "gains must be a table such as {1:1,2:3} with values at least 0, not 3", None),
    ("Q(gains={})", "gains lists no grade", None),
    ("Q(gains={0:1})", "gains lists grades from 1 to 127, not 0", None),
    (
        "Q(gains={1:-1})",
        "gains must be a table such as {1:1,2:3} with values at least 0, not -1 for grade 1",
        None,
    ),
    ("Q(gains={1:1,1:2})", "gains lists grade 1 twice", None),
    ("Q(gains={1=1})", "'1=1' in gains is not grade:number", "write gains={1:1,2:3}"),
    (
        "nDCG(base=4)@5",
        "base= belongs to dcg='jk', and this is dcg='log2'",
        "add dcg='jk', or leave base out",
    ),
    ("nDCG(dcg='exp-log2',base=2)", "base= belongs to dcg='jk', and this is dcg='exp-log2'", None),
    ("nDCG(dcg='exp-log2',gains={1:1})", "dcg='exp-log2' has gain 2^grade-1 and ignores gains=", None),
    ("AP(norm='min')", "norm='min' divides by min(k,R) and needs a cut-off", "add @k, or leave norm out"),
    ("Q(rel=1,gains={1:1})", "rel= makes Q binary, so gains= would be ignored", "keep rel= or gains="),
    ("RBP(rel=1,max_gain=2)", "rel= makes RBP binary, so max_gain= would be ignored", None),
    (
        "Bpref'",
        "Bpref looks at judged documents only: it already is its own condensed form",
        "write Bpref without it",
    ),
    (
        "Bpref(judged_only=True)",
        "Bpref looks at judged documents only: it already is its own condensed form",
        None,
    ),
    (
        "Judged'@5",
        "Judged counts the judged documents of a list: on a condensed list it would always be 1",
        "write Judged without it",
    ),
    ("AP'(judged_only=False)", "the prime and judged_only=False contradict each other", "keep one of them"),
    ("GM", "GM summarises a measure", "write GM(AP), with a prime inside: GM(AP')"),
    ("GM'(AP)", "GM summarises a measure", None),
    ("GM()", "GM needs a measure first", "write GM(AP)"),
    ("GM(variant='trec')", "GM needs a measure first", "write GM(AP)"),
    ("GM(AP)@5", "nothing may follow GM(…)", "put it inside: GM(AP@5)"),
    ("GM(AG(AP))", "GM cannot summarise a summary", "write GM(AP), with one summary"),
    ("GM(gm_map)", "GM cannot summarise a summary", None),
    ("gm_map@5", "gm_map stands alone", "write GM(AP,variant='trec') with the change in it"),
    ("IPrec", "IPrec needs a recall level after @", "write IPrec@0.1"),
    ("IPrec@", "IPrec has a number after @, and none is given", "write IPrec@0.1"),
    ("IPrec@x", "IPrec has a number after @, not x", "write IPrec@0.1"),
    (
        "IPrec@10",
        "recall must be a number at least 0 and at most 1, not 10",
        "recall: level of recall, written after @",
    ),
    ("IPrec@-0.1", "recall must be a number at least 0 and at most 1, not -0.1", None),
    ("iprec_at_recall_1.50", "recall must be a number at least 0 and at most 1, not 1.5", None),
    ("IPrec(recall=0.1)@0.2", "recall is given twice", "write IPrec@0.1"),
    ("IPrec@0.1(rel=2)", "the cut-off comes last", "write IPrec(rel=2)@0.1"),
    ("AP@0.1", "a cut-off is a whole number from 1 to 2147483647, not 0.1", None),
    ("AP.10", "'.10' cannot be read", None),
    ("AREA(AP,k=0)", "k must be a whole number at least 1, not 0", None),
    ("AREA(AP,k=1.5)", "k must be a whole number at least 1, not 1.5", None),
    ("AREA(GM(AP))", "AREA cannot summarise a summary", None),
    (
        "infAP'",
        "infAP infers from the pooled documents without a judgment: a condensed list has none",
        "write infAP without it",
    ),
    ("infAP@10", "infAP takes no cut-off", None),
    ("NumRel'", "NumRel counts judgments and looks at no list: there is nothing to condense", None),
    ("NumRel@10", "NumRel takes no cut-off", None),
    ("RBPRes'", "RBPRes is what unjudged documents could add: a condensed list has none", None),
    ("RBPRes(rel=2)", "RBPRes has no parameter rel", "RBPRes takes p"),
    ("BprefR'", "BprefR looks at judged documents only: it already is its own condensed form", None),
    ("BprefN@5", "BprefN takes no cut-off", None),
    ("RMeasure@10", "RMeasure takes no cut-off", None),
    ("INST(T=0.4)", "T must be a number at least 0.5, not 0.4", None),
    ("INSQ(T=0)", "T must be a number above 0, not 0", None),
    (
        "NWRR(penalties={1:1,2:3})",
        "penalties must be a table such as {1:1,2:3} with values above 1, not 1 for grade 1",
        None,
    ),
    ("NWRR(penalties={1:2,2:3})", "a higher level has a larger penalty", None),
    ("WRR(gains={1:1})", "WRR has no parameter gains", "WRR takes penalties, rel, judged_only"),
    ("ERR(gains={1:1})", "stop='exp' goes by grades and ignores gains=", "add stop='linear', or use max_grade="),
    ("nERR(max_gain=3)@5", "stop='exp' goes by grades and ignores max_gain=", None),
    ("ERR(stop='linear',max_grade=4)", "max_grade= belongs to stop='exp', and this is stop='linear'", None),
    ("ERR(rel=1,max_grade=4)", "rel= makes ERR binary, so max_grade= would be ignored", None),
    ("ERR(stop='linear',rel=1,max_gain=4)", "rel= makes ERR binary, so max_gain= would be ignored", None),
]


@pytest.mark.parametrize(("text", "what", "hint"), MISTAKES, ids=[text[:40] for text, _, _ in MISTAKES])
def test_a_mistake_is_named_with_its_place_and_the_way_out(text: str, what: str | None, hint: str | None) -> None:
    error = refusal(text)
    assert error.where.startswith("measure ")
    assert what is None or error.what == what
    assert error.hint
    assert hint is None or error.hint == hint


def test_the_place_of_a_mistake_is_the_measure_among_others() -> None:
    assert refusal("AP nDGC@10 P@5").where == "measure 'nDGC@10'"
    assert refusal("AP GM(nDGC@10)").where == "measure 'nDGC@10'"
    assert str(refusal("nDGC@10")) == ("measure 'nDGC@10': there is no measure nDGC\n\nhint: did you mean nDCG@10?")


def test_a_name_like_no_other_is_answered_with_the_list_of_measures() -> None:
    hint = refusal("zzzzzz").hint
    assert hint.startswith("the measures are AP, BinG, Bpref")
    assert hint.endswith("GM, AG, AREA")


@pytest.mark.parametrize("bare", ["P", "R", "Precision", "Recall", "P'"])
def test_bare_P_and_R_are_distinguished_from_the_measures_of_the_same_letter(bare: str) -> None:
    error = refusal(bare)
    for name in ("P@k", "PMeasure", "RMeasure"):
        assert name in error.what + error.hint


@pytest.mark.parametrize("nothing", ["", "  \n", [], ["", " "]])
def test_an_empty_list_is_an_error(nothing: str | list[str]) -> None:
    with pytest.raises(InputError) as caught:
        parse(nothing)
    assert caught.value.what == "no measure given"


@pytest.mark.parametrize("given", [[3], 3])
def test_anything_but_text_and_measures_is_refused(given: Any) -> None:
    with pytest.raises(InputError) as caught:
        parse(given)
    assert caught.value.what == "a measure is given as text, not as int"


def test_a_deeply_nested_text_is_refused_like_any_other() -> None:
    assert refusal("GM(" * 5000 + "AP" + ")" * 5000).what == "GM cannot summarise a summary"
