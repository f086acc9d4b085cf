"""The definitions themselves: records run by the plain scorer, against exact numbers."""

from __future__ import annotations

import random
from typing import Any

import pytest
from scipy.special import polygamma

from irassay.measures import Measure, parse
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


def test_inverse_squares_with_ranks_counted_from_0_keep_what_they_are_divided_by() -> None:
    (plain, shifted) = parse("INSQ(T=5) INSQ(T=5,first=0)")
    assert shifted.weights(10)[1:] == pytest.approx([1 / (r + 8) ** 2 / float(polygamma(1, 10)) for r in range(1, 11)])
    assert shifted.weights(11)[2:] == pytest.approx(plain.weights(10)[1:])  # each weight is that of the rank above


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
    weight, total, value, gained = 1.0, 0.0, 0.0, 0.0
    for r, gain in enumerate(gains, 1):
        total += weight
        value += weight * gain
        gained += gain
        x = r + 2 * target - gained - 1
        weight *= (x / (x + 1)) ** 2
    # below the list the weights are w·y²/(y+m)², m = 0, 1, …
    y = len(gains) + 2 * target - gained
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
