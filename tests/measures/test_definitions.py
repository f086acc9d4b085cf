"""The definitions themselves: records run by the plain scorer, against exact numbers and installed peers."""

from __future__ import annotations

import random
from typing import Any

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyNTCIREVAL import metrics as ntcir
from scipy.special import polygamma

from irassay.measures import Measure, parse, records
from irassay.measures.definitions.insq import inverse_squares
from tests.helpers.golden import golden
from tests.helpers.plain import score

MEASURES = golden("measures")
NAMES: dict[str, str | None] = golden("names")
TOPICS: list[dict[str, Any]] = MEASURES["topics"]
EXACT = 1e-12  # the golden values are correctly rounded; this leaves room for the order of additions

# golden names in our grammar; the one without is cwl_eval's form of INSQ, checked below
READY = {name: text for name, text in NAMES.items() if text}
TRUNCATED = "INSQ(T=5,n=1000 renormalised)"


def judgments(topic: dict[str, Any]) -> list[int]:
    grades = [int(grade) for grade, count in topic["R_by_level"].items() for _ in range(count)]
    return grades + [0] * topic["N"]


def golden_score(measure: Measure, topic: dict[str, Any]) -> float:
    return score(measure, topic["ranked"], judgments(topic), collection=[1, 2, 3])


def test_every_golden_name_is_checked() -> None:
    assert set(NAMES) == {*READY, TRUNCATED}
    for topic in TOPICS:
        assert set(topic["measures"]) == set(NAMES)


@pytest.mark.parametrize("name", READY)
def test_measures_equal_the_exact_numbers(name: str) -> None:
    text = READY[name]
    (measure,) = parse(text)
    assert parse(str(measure)) == (measure,)
    for topic in TOPICS:
        expected = topic["measures"][name]["v"]
        assert golden_score(measure, topic) == pytest.approx(expected, abs=EXACT, rel=EXACT), topic["id"]


@pytest.mark.parametrize(("key", "measure"), [("T=5,infinite", "INSQ(T=5)"), ("T=1,infinite", "INSQ")])
def test_inverse_square_weights_equal_the_exact_numbers(key: str, measure: str) -> None:
    assert parse(measure)[0].weights(10)[1:] == pytest.approx(MEASURES["insq_weights"][key], rel=1e-14)


def test_inverse_squares_over_a_thousand_ranks_equal_the_exact_numbers() -> None:
    # cwl_eval's form: the same weights, made to add up to 1 over 1000 ranks
    (measure,) = parse("INSQ(T=5,rel=1)@1000")
    kept = sum(measure.weights(1000))
    expected = MEASURES["insq_weights"]["T=5,n=1000"]
    assert [w / kept for w in measure.weights(10)[1:]] == pytest.approx(expected, rel=1e-14)
    for topic in TOPICS:
        value = golden_score(measure, topic) / kept
        assert value == pytest.approx(topic["measures"][TRUNCATED]["v"], abs=EXACT, rel=EXACT), topic["id"]


@pytest.mark.parametrize("T", [0.01, 0.5, 1.0, 2.5, 7.99, 8.0, 40.0, 1e4, 1e9])
def test_inverse_squares_over_all_ranks_add_up_to_the_trigamma_function(T: float) -> None:  # noqa: N803
    assert inverse_squares(2 * T) == pytest.approx(float(polygamma(1, 2 * T)), rel=2e-15)


def inst_by_its_definition(gains: list[float], target: float) -> float:
    """INST from its weights one by one, and the tail below the list from scipy."""
    weight, total, value, found = 1.0, 0.0, 0.0, 0.0
    for r, gain in enumerate(gains, 1):
        total += weight
        value += weight * gain
        found += gain
        x = r + 2 * target - found - 1
        weight *= (x / (x + 1)) ** 2
    # below the list the weights are w·y²/(y+m)², m = 0, 1, …
    y = len(gains) + 2 * target - found
    return value / (total + weight * y * y * float(polygamma(1, y)))


def test_inst_is_the_sum_over_all_ranks_of_its_definition() -> None:
    generator = random.Random(3)
    for _ in range(300):
        target = generator.choice([0.5, 0.75, 1.0, 2.0, 5.0, 30.0])
        chance = generator.choice([0.02, 0.3, 0.95])
        ranked = [generator.randint(1, 3) if generator.random() < chance else 0 for _ in range(1000)]
        ranked = ranked[: generator.choice([1, 3, 30, 1000])]
        (measure,) = parse(f"INST(T={target})")
        value = score(measure, ranked, [*ranked, 3])
        assert value == pytest.approx(inst_by_its_definition([g / 3 for g in ranked], target), rel=1e-13, abs=1e-300)


def test_golden_summaries_are_all_checked_below() -> None:
    assert set(MEASURES["summaries"]) == {"AP", "Q(beta=1)"}
    kept = {"format", "topics", "summaries", "insq_weights", "rbp_ideal_table1"}
    assert set(MEASURES) == kept | {"top_heaviness_R10", "top_heaviness_R100"}


@pytest.mark.parametrize("name", MEASURES["summaries"])
def test_summaries_equal_the_exact_numbers(name: str) -> None:
    expected = MEASURES["summaries"][name]
    text = READY[name]
    values = [golden_score(parse(text)[0], topic) for topic in TOPICS if topic["R"]]
    assert len(values) == expected["n"]
    for shape, key in ((text, "mean"), (f"GM({text})", "GM"), (f"AG({text})", "AG")):
        (measure,) = parse(shape)
        assert float(measure.summarise(values)) == pytest.approx(expected[key], rel=EXACT)


@pytest.mark.parametrize("relevant", [10, 100])
def test_one_relevant_document_scores_as_in_the_top_heaviness_figures(relevant: int) -> None:
    names = {
        "RBP.5": "RBP(p=0.5)",
        "RBP.8": "RBP",
        "RBP.95": "RBP(p=0.95)",
        "AP": "AP",
        "Q": "Q",
        "nDCG": "nDCG(dcg='jk')@1000",
        "nCG": "nCG@1000",
    }
    for row in MEASURES[f"top_heaviness_R{relevant}"]:
        assert set(row) == {"rank", *names}
        ranked = [0] * (row["rank"] - 1) + [1]
        for key, text in names.items():
            value = score(parse(text)[0], ranked, [1] * relevant + [0] * 50)
            assert value == pytest.approx(row[key], rel=EXACT), (row["rank"], key)


def test_ideal_lists_score_as_in_the_table_of_rbp() -> None:
    for relevant, row in MEASURES["rbp_ideal_table1"].items():
        for p, expected in row.items():
            (measure,) = parse(f"RBP(p={p})")
            value = score(measure, [1] * int(relevant), [1] * int(relevant))
            assert value == pytest.approx(expected, rel=EXACT)


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
    peer = ir_measures.parse_measure(text)
    for trial in range(60):
        grades = [0, 0, 0, 1, 1, 2, 3] + [-1] * (2 * (measure.record.hits == "pooled"))
        pool = {f"d{i}": generator.choice(grades) for i in range(generator.randint(1, 25))}
        pool["d0"] = 3
        documents = [*pool, *(f"x{i}" for i in range(8))]
        retrieved = generator.sample(documents, generator.randint(1, len(documents)))
        run = {"1": {document: float(100 - rank) for rank, document in enumerate(retrieved)}}
        (found,) = ir_measures.iter_calc([peer], {"1": pool}, run)
        value = score(measure, [pool.get(document) for document in retrieved], pool.values())
        assert value == pytest.approx(found.value, abs=EXACT), trial


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


def test_summaries_work_on_the_last_axis_of_any_array() -> None:
    values = np.array([[0.0, 0.5, 1.0], [0.2, 0.2, 0.2]])
    mean, gm, trec, ag = parse("AP GM(AP) gm_map AG(AP)")
    assert mean.summarise(values) == pytest.approx(values.mean(axis=1))
    logs = np.log(values + 1e-5)
    assert ag.summarise(values) == pytest.approx(logs.mean(axis=1))
    assert ag.per_topic(values) == pytest.approx(logs)
    assert gm.summarise(values) == pytest.approx(np.exp(logs.mean(axis=1)) - 1e-5)
    assert trec.summarise(values) == pytest.approx(np.exp(np.log(np.maximum(values, 1e-5)).mean(axis=1)))
    assert gm.per_topic(values) is None
    assert mean.per_topic(values) == pytest.approx(values)
    assert gm.forward(values) == pytest.approx(logs)


def test_area_is_the_mean_of_the_means_of_the_worst_topics() -> None:
    values = np.array([[0.5, 0.1, 0.9, 0.3, 0.7, 0.2, 0.8, 0.4, 0.6], [0.2] * 9])
    quarter, three, all_of_them, short = parse("AREA(AP) AREA(AP,k=3) AREA(AP,k=9) AREA(AP,k=100)")
    assert quarter.summarise(values) == pytest.approx([(0.1 + 0.15) / 2, 0.2])
    assert three.summarise(values) == pytest.approx([(0.1 + 0.15 + 0.2) / 3, 0.2])
    by_hand = np.mean([np.sort(values[0])[:x].mean() for x in range(1, 10)])
    assert all_of_them.summarise(values[0]) == pytest.approx(by_hand)
    assert np.array_equal(short.summarise(values), all_of_them.summarise(values))
    assert quarter.summarise(values[:, :3]) == pytest.approx([0.1, 0.2]), "fewer than four topics: the worst one"
    assert quarter.per_topic(values) is None
    values[0, 4] = np.nan
    assert np.isnan(quarter.summarise(values)).tolist() == [True, False]


def test_counts_are_summed_over_topics_and_everything_else_is_averaged() -> None:
    summed = {name for name, record in records().items() if record.summary == "sum"}
    assert summed == {"NumRet", "NumRel", "NumRelRet"}
    assert {record.summary for record in records().values()} == {"mean", "sum"}
    assert parse("NumRet")[0].summarise([[3.0, 4.0]]).tolist() == [7.0]


def test_a_measure_knows_whether_its_values_lie_between_zero_and_one() -> None:
    unbounded = {name for name, record in records().items() if not record.bounded}
    assert unbounded == {"CG", "DCG", "WRR", "NumRet", "NumRel", "NumRelRet"}
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
    nwrr, wrr = parse("NWRR(penalties={1:1e300,3:1e300}) WRR(penalties={1:1e300,3:1e300})")
    for ranked in ([3], [0, 1, 3], [0, 0, 0, 3], [0]):
        expected = score(parse("RR")[0], ranked, [1, 3])
        assert score(nwrr, ranked, [1, 3]) == score(wrr, ranked, [1, 3]) == pytest.approx(expected, rel=1e-15)


def test_err_of_one_document_is_its_chance_to_stop() -> None:
    ours, gdeval, linear, binary = parse("ERR ERR(max_grade=4) ERR(stop='linear') ERR(rel=2)")
    for grade, collection in ((1, [1, 3]), (3, [3]), (2, [1, 2, 3])):
        value = score(ours, [grade], [grade], collection=collection)
        assert value == (2**grade - 1) / 8
        assert score(gdeval, [grade], [grade], collection=collection) == (2**grade - 1) / 16
        assert score(linear, [grade], [grade], collection=collection) == grade / 4
    assert score(binary, [3, 2], [3, 2]) == 1 / 2 + 1 / 2 * 1 / 2 / 2
    assert score(binary, [1], [1, 2]) == 0
