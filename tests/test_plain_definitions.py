"""The definitions themselves: records run by the plain scorer, against exact numbers and installed peers."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyNTCIREVAL import metrics as ntcir
from tests.plain import score

from irassay.measures import Measure, parse, records

GOLDEN = Path(__file__).parent / "golden"
MEASURES: dict[str, Any] = json.loads((GOLDEN / "measures.json").read_text())
NAMES: dict[str, str | None] = json.loads((GOLDEN / "names.json").read_text())
TOPICS: list[dict[str, Any]] = MEASURES["topics"]
EXACT = 1e-12  # the golden values are correctly rounded; this leaves room for the order of additions

# Measures that the golden file has and the package does not have yet, with their golden names.
TO_COME = {"O", "PMeasure", "PPlus", "RMeasure", "WRR", "NWRR", "BprefR", "BprefN", "RBPRes", "INSQ"}


def name_of(text: str) -> str:
    return text.partition("@")[0].partition("(")[0].rstrip("'")


READY = {golden: text for golden, text in NAMES.items() if text and name_of(text) in records()}


def judgments(topic: dict[str, Any]) -> list[int]:
    grades = [int(grade) for grade, count in topic["R_by_level"].items() for _ in range(count)]
    return grades + [0] * topic["N"]


def golden_score(measure: Measure, topic: dict[str, Any]) -> float:
    return score(measure, topic["ranked"], judgments(topic), collection=[1, 2, 3])


def test_every_golden_name_is_ready_or_known_to_come() -> None:
    waiting = {name_of(text) for golden, text in NAMES.items() if text and golden not in READY}
    assert waiting == TO_COME
    assert [golden for golden, text in NAMES.items() if text is None] == ["INSQ(T=5,n=1000 renormalised)"]
    for topic in TOPICS:
        assert set(topic["measures"]) == set(NAMES)


@pytest.mark.parametrize("golden", READY)
def test_measures_equal_the_exact_numbers(golden: str) -> None:
    text = READY[golden]
    (measure,) = parse(text)
    assert parse(str(measure)) == (measure,)
    for topic in TOPICS:
        expected = topic["measures"][golden]["v"]
        assert golden_score(measure, topic) == pytest.approx(expected, abs=EXACT, rel=EXACT), topic["id"]


def test_golden_summaries_are_all_checked_below() -> None:
    assert set(MEASURES["summaries"]) == {"AP", "Q(beta=1)"}
    kept = {"format", "topics", "summaries", "insq_weights", "rbp_ideal_table1"}
    assert set(MEASURES) == kept | {"top_heaviness_R10", "top_heaviness_R100"}


@pytest.mark.parametrize("golden", MEASURES["summaries"])
def test_summaries_equal_the_exact_numbers(golden: str) -> None:
    expected = MEASURES["summaries"][golden]
    text = READY[golden]
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
]


@pytest.mark.parametrize("text", PEER_NAMES)
def test_agrees_with_ir_measures(text: str) -> None:
    # Seed 7; every topic has a relevant document at grade 3 and a nonempty list, where all peers agree.
    # trec_eval, behind ir_measures, adds doubles as we do.
    generator = random.Random(7)
    peer = ir_measures.parse_measure(text)
    for trial in range(60):
        pool = {f"d{i}": generator.choice([0, 0, 0, 1, 1, 2, 3]) for i in range(generator.randint(1, 25))}
        pool["d0"] = 3
        documents = [*pool, *(f"x{i}" for i in range(8))]
        retrieved = generator.sample(documents, generator.randint(1, len(documents)))
        run = {"1": {document: float(100 - rank) for rank, document in enumerate(retrieved)}}
        (found,) = ir_measures.iter_calc([peer], {"1": pool}, run)
        (measure,) = parse(text)
        value = score(measure, [pool.get(document) for document in retrieved], pool.values())
        assert value == pytest.approx(found.value, abs=EXACT), trial


NTCIREVAL = {
    "AP": lambda supply, gains: ntcir.AP(supply, gains),
    "AP(norm='min')@5": lambda supply, gains: ntcir.AP(supply, gains, 5),
    "Q(beta=2)": lambda supply, gains: ntcir.QMeasure(supply, gains, 2.0),
    "Q(norm='min')@5": lambda supply, gains: ntcir.QMeasure(supply, gains, 1.0, 5),
    "nDCG(dcg='jk')@10": lambda supply, gains: ntcir.nDCG(supply, gains, 2, 10),
    "nDCG(dcg='jk',base=3)@10": lambda supply, gains: ntcir.nDCG(supply, gains, 3, 10),
    "MSnDCG@10": lambda supply, gains: ntcir.MSnDCG(supply, gains, 10),
    "RBP(p=0.95)": lambda supply, gains: ntcir.RBP(supply, gains, 0.95),
    "P@5": lambda supply, gains: ntcir.Precision(5),
    "RR": lambda supply, gains: ntcir.RR(),
    "Success@3": lambda supply, gains: ntcir.Hit(3),
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
    (measure,) = parse(name if record.cut != "required" else f"{name}@5")
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
