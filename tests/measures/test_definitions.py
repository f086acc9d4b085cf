"""The definitions themselves: records run by the plain scorer, against installed peers and by hand."""

from __future__ import annotations

import random

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyNTCIREVAL import metrics as ntcir

import irassay
from irassay.measures import parse, records
from tests.helpers.peers import ir_measure
from tests.helpers.plain import score

EXACT = 1e-12  # leaves room for the order of additions

PEER_NAMES = [
    "AP",
    "AP@5",
    "AP(rel=2)",
    "AP(judged_only=True)",
    "P@5",
    "P(rel=2)@10",
    "R@5",
    "R(rel=2)@10",
    "RR",
    "RR@3",
    "RR(rel=3)",
    "Rprec",
    "Rprec(rel=2)",
    "Success@1",
    "Success@5",
    "nDCG",
    "nDCG@5",
    "nDCG(judged_only=True)@5",
    "Bpref",
    "Bpref(rel=2)",
    "Judged@5",
    "Judged@10",
    "Judged",
    "SetP",
    "SetP(rel=2)",
    "SetP(judged_only=True)",
    "SetR",
    "SetR(rel=2)",
    "SetF",
    "SetF(beta=0.5)",
    "SetF(beta=4.0,rel=2)",
    "infAP",
    "infAP(rel=2)",
    "IPrec@0.0",
    "IPrec@0.1",
    "IPrec@0.3",
    "IPrec@0.5",
    "IPrec@1.0",
    "IPrec(rel=2)@0.2",
    "NumRet",
    "NumRel",
    "NumRelRet",
]


@pytest.mark.parametrize("text", PEER_NAMES)
def test_agrees_with_ir_measures(text: str) -> None:
    # Seed 7; every topic has a relevant document at grade 3 and a nonempty list, where all peers agree.
    # trec_eval, behind ir_measures, adds doubles as we do.
    generator = random.Random(7)
    (measure,) = parse(text)
    peer = ir_measure(text)
    for trial in range(60):
        grades = [0, 0, 0, 1, 1, 2, 3] + [-1] * (2 * (measure.record.hits == "pooled"))
        pool = {f"d{i}": generator.choice(grades) for i in range(generator.randint(1, 25))}
        pool["d0"] = 3
        documents = [*pool, *(f"x{i}" for i in range(8))]
        retrieved = generator.sample(documents, generator.randint(1, len(documents)))
        run = {"1": {document: float(100 - rank) for rank, document in enumerate(retrieved)}}
        (metric,) = ir_measures.iter_calc([peer], {"1": pool}, run)
        value = score(measure, [pool.get(document) for document in retrieved], pool.values())
        assert value == pytest.approx(metric.value, abs=EXACT), trial


NTCIREVAL = {
    "AP": lambda judged_counts, gains: ntcir.AP(judged_counts, gains),
    "AP(norm='min')@5": lambda judged_counts, gains: ntcir.AP(judged_counts, gains, 5),
    "Q(beta=2)": lambda judged_counts, gains: ntcir.QMeasure(judged_counts, gains, 2.0),
    "Q(norm='min')@5": lambda judged_counts, gains: ntcir.QMeasure(judged_counts, gains, 1.0, 5),
    "nDCG(dcg='jk')@10": lambda judged_counts, gains: ntcir.nDCG(judged_counts, gains, 2, 10),
    "nDCG(dcg='jk',base=3)@10": lambda judged_counts, gains: ntcir.nDCG(judged_counts, gains, 3, 10),
    "MSnDCG@10": lambda judged_counts, gains: ntcir.MSnDCG(judged_counts, gains, 10),
    "RBP(p=0.95)": lambda judged_counts, gains: ntcir.RBP(judged_counts, gains, 0.95),
    "P@5": lambda judged_counts, gains: ntcir.Precision(5),
    "RR": lambda judged_counts, gains: ntcir.RR(),
    "Success@3": lambda judged_counts, gains: ntcir.Hit(3),
    "O": lambda judged_counts, gains: ntcir.OMeasure(judged_counts, gains, 1.0),
    "O(beta=10)": lambda judged_counts, gains: ntcir.OMeasure(judged_counts, gains, 10.0),
    "PMeasure": lambda judged_counts, gains: ntcir.PMeasure(judged_counts, gains, 1.0),
    "PMeasure(beta=0.1)": lambda judged_counts, gains: ntcir.PMeasure(judged_counts, gains, 0.1),
    "PPlus": lambda judged_counts, gains: ntcir.PPlusMeasure(judged_counts, gains, 1.0),
    "PPlus(beta=0.1)": lambda judged_counts, gains: ntcir.PPlusMeasure(judged_counts, gains, 0.1),
    "ERR(stop='linear')": lambda judged_counts, gains: ntcir.ERR(judged_counts, gains),
    "nERR(stop='linear')@5": lambda judged_counts, gains: ntcir.nERR(judged_counts, gains, 5),
    "nERR(stop='linear')": lambda judged_counts, gains: ntcir.nERR(judged_counts, gains, None),
}


@pytest.mark.parametrize("text", NTCIREVAL)
def test_agrees_with_pyNTCIREVAL(text: str) -> None:
    # Seed 11; gains 1, 3 and 7 for the three levels.
    generator = random.Random(11)
    (measure,) = parse(text)
    for trial in range(60):
        pool = [3, *generator.choices([0, 0, 0, 1, 1, 2, 3], k=generator.randint(1, 25))]
        documents: list[int | None] = [*pool, *[None] * 8]
        ranked = generator.sample(documents, generator.randint(1, len(documents)))
        peer = NTCIREVAL[text]([pool.count(level) for level in range(4)], [1, 3, 7])
        expected = peer.compute(list(enumerate(ranked)))
        value = score(measure, ranked, pool, gains={1: 1, 2: 3, 3: 7})
        assert value == pytest.approx(expected, abs=EXACT), trial


ranked_lists = st.lists(st.sampled_from([None, -1, 0, 0, 1, 2, 3]), max_size=30)
others = st.lists(st.sampled_from([0, 1, 2, 3]), max_size=15)


def judged_of(ranked: list[int | None], unretrieved: list[int]) -> list[int]:
    return [grade for grade in ranked if grade is not None and grade >= 0] + unretrieved


@given(ranked_lists, others)
def test_q_with_beta_zero_is_average_precision(ranked: list[int | None], unretrieved: list[int]) -> None:
    judged = judged_of(ranked, unretrieved)
    ap, q = (score(m, ranked, judged) for m in parse("AP Q(beta=0)"))
    assert q == pytest.approx(ap, rel=EXACT)


@given(ranked_lists, others)
def test_ndcg_and_ncg_are_dcg_and_cg_over_the_ideal(ranked: list[int | None], unretrieved: list[int]) -> None:
    judged = judged_of(ranked, unretrieved)
    best = sorted((grade for grade in judged if grade > 0), reverse=True)
    for form in ("DCG@5", "DCG(dcg='jk')@5", "DCG(dcg='exp-log2')@5", "CG@5", "DCG(rel=2)@5"):
        whole, share = parse(f"{form} n{form}")
        ideal = score(whole, best, judged)
        expected = score(whole, ranked, judged) / ideal if ideal else 0.0
        assert score(share, ranked, judged) == pytest.approx(expected, rel=EXACT)


@given(ranked_lists, others)
def test_a_condensed_list_is_the_list_without_its_unjudged_documents(
    ranked: list[int | None], unretrieved: list[int]
) -> None:
    judged = judged_of(ranked, unretrieved)
    dropped = [grade for grade in ranked if grade is not None and grade >= 0]
    for condensed, plain in zip(parse("AP' Q'@5 nDCG'@3 RBP' P'@5"), parse("AP Q@5 nDCG@3 RBP P@5"), strict=True):
        assert score(condensed, ranked, judged) == score(plain, dropped, judged)
    assert score(parse("Bpref")[0], ranked, judged) == score(parse("Bpref")[0], dropped, judged)


def test_judged_divides_a_short_list_by_its_own_length() -> None:
    short, deep = [1, None, 0], [1, None, 0, None, -1, 2]
    at_five, everywhere = parse("Judged@5 Judged")
    assert score(at_five, short, [1, 0]) == 2 / 3
    assert score(at_five, deep, [1, 0, 2]) == 2 / 5
    assert score(everywhere, deep, [1, 0, 2]) == 3 / 6
    assert score(at_five, [], [1]) == 0


def test_norm_min_divides_by_the_smaller_of_k_and_R() -> None:
    ranked, judged = [1, 0, 1], [1] * 10
    by_r, by_min, deep = parse("AP@3 AP(norm='min')@3 AP(norm='min')@100")
    assert score(by_r, ranked, judged) == pytest.approx((1 + 2 / 3) / 10)
    assert score(by_min, ranked, judged) == pytest.approx((1 + 2 / 3) / 3)
    assert score(deep, ranked, judged) == score(by_r, ranked, judged)


def test_gain_H_is_the_collections_unless_max_gain_is_given() -> None:
    rbp, own, schemed = parse("RBP(p=0.5) RBP(p=0.5,max_gain=8) RBP(p=0.5,gains={1:1,2:4})")
    assert score(rbp, [1], [1], collection=[1, 2]) == 0.25
    assert score(rbp, [1], [1]) == 0.5
    assert score(own, [1], [1], collection=[1, 2]) == 0.0625
    assert score(schemed, [1], [1], collection=[1, 2]) == 0.125


def test_a_relevant_grade_with_gain_zero_is_still_a_relevant_document() -> None:
    (q,) = parse("Q(gains={1:0,2:1})")
    assert score(q, [1], [1, 2]) == pytest.approx(0.5 * (1 + 0) / (1 + 1))


@pytest.mark.parametrize("name", records())
def test_a_topic_without_relevant_documents_scores_zero_unless_the_record_says_otherwise(name: str) -> None:
    record = records()[name]
    (measure,) = parse(record.example)
    # what only describes a list (Judged) has a value there all the same
    assert (score(measure, [0, None, 0], [0, 0, 0]) == 0) is (record.empty == "zero")


def test_a_measure_knows_whether_its_values_lie_between_zero_and_one() -> None:
    unbounded = {name for name, record in records().items() if not record.bounded}
    assert unbounded == {"CG", "DCG", "WRR", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet", "Utility"}
    assert [m.bounded for m in parse("AP GM(AP) AREA(AP) AG(AP) CG@5 GM(CG@5)")] == [True] * 3 + [False] * 3


def test_a_list_is_seen_cut_and_its_length_with_it() -> None:
    ranked = [1, None, 0, 1, 0, 1]
    at_four, whole, residual, condensed = parse("SetP@4 SetP RBPRes(p=0.5)@3 NumRet'@4")
    assert score(at_four, ranked, [1, 1, 1, 0, 0]) == 0.5
    assert score(whole, ranked, [1, 1, 1, 0, 0]) == 0.5
    assert score(at_four, [1], [1]) == 1.0
    assert score(residual, ranked, [1]) == 0.25 + 0.125
    assert score(condensed, ranked, [1]) == 4
    assert score(condensed, ranked[:3], [1]) == 2


def test_penalties_without_end_give_the_reciprocal_rank() -> None:
    nwrr, wrr = parse("NWRR(penalties={1:1e9,3:1e9}) WRR(penalties={1:1e9,3:1e9})")
    for ranked in ([3], [0, 1, 3], [0, 0, 0, 3], [0]):
        expected = score(parse("RR")[0], ranked, [1, 3])
        # penalties are at most 1e9, so a billionth is left of them
        assert score(nwrr, ranked, [1, 3]) == pytest.approx(expected, rel=2e-9)
        assert score(wrr, ranked, [1, 3]) == pytest.approx(expected, rel=2e-9)


def test_err_of_one_document_is_its_chance_to_stop() -> None:
    ours, gdeval, linear, binary = parse("ERR ERR(max_grade=4) ERR(stop='linear') ERR(rel=2)")
    for grade, collection in ((1, [1, 3]), (3, [3]), (2, [1, 2, 3])):
        value = score(ours, [grade], [grade], collection=collection)
        assert value == (2**grade - 1) / 8
        assert score(gdeval, [grade], [grade], collection=collection) == (2**grade - 1) / 16
        assert score(linear, [grade], [grade], collection=collection) == grade / 4
    assert score(binary, [3, 2], [3, 2]) == 1 / 2 + 1 / 2 * 1 / 2 / 2
    assert score(binary, [1], [1, 2]) == 0


def test_geometric_means_can_take_scores_of_four_significant_figures() -> None:
    (plain, rounded, logarithms) = parse("GM(AP) GM(AP,figures=4) AG(AP,figures=4)")
    scores = np.array([[0.123456, 0.0, 0.00456789, 1.0], [0.5, 0.00001, 0.25, 0.98765432]])
    by_hand = np.array([[float(f"{x:.3e}") for x in row] for row in scores])
    assert rounded.summarise(scores) == pytest.approx(plain.summarise(by_hand), rel=1e-12)
    assert rounded.summarise(scores).tolist() != plain.summarise(scores).tolist()
    assert rounded.paired == logarithms  # a paired test compares what the geometric mean is made of
    assert logarithms.forward(scores) == pytest.approx(np.log(by_hand + 1e-5), rel=1e-12)
    counts = np.array([[2, 0, 1, 1]], dtype=np.int32)
    assert rounded.summarise(scores, counts) == pytest.approx(plain.summarise(by_hand, counts), rel=1e-12)


@pytest.mark.parametrize("name", ["WRR", "NWRR"])
def test_infinite_penalties_give_the_reciprocal_rank(name: str) -> None:
    qrels = {"1": {"a": 1, "b": 2, "c": 0}, "2": {"a": 2}, "3": {"z": 1}}
    runs = {"x": {"1": {"c": 3.0, "a": 2.0, "b": 1.0}, "2": {"n": 2.0, "m": 1.5, "a": 1.0}, "3": {"a": 1.0}}}
    (measure,) = parse(f"{name}(penalties={{1:inf,2:inf}})")
    assert str(measure) == f"{name}(penalties={{1:inf,2:inf}})"
    assert parse(str(measure)) == (measure,)
    panel = irassay.align(qrels, runs)
    assert panel.score(str(measure)).values.tolist() == panel.score("RR").values.tolist()
    (half,) = parse(f"{name}(penalties={{1:inf,2:2}})")  # only the lower level
    assert panel.score(str(half)).values[0, 0, 0] == pytest.approx(0.5 if name == "WRR" else 0.25)
