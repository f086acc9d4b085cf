"""What measures reward, against the numbers of the papers and exact ones."""

from __future__ import annotations

import pytest

import irassay
from irassay.studies.execution import run_study
from irassay.studies.shape.settings import Shape
from tests.helpers.golden import golden

GOLDEN = golden("measures")
NAMES = {
    "RBP.5": "RBP(p=0.5)", "RBP.8": "RBP(p=0.8)", "RBP.95": "RBP(p=0.95)", "AP": "AP", "Q": "Q",
    "nDCG": "nDCG(dcg='jk')@1000", "nCG": "nCG@1000",
}  # fmt: skip


@pytest.mark.parametrize("judged_counts", [10, 100])
def test_top_heaviness_equals_the_exact_numbers(judged_counts: int) -> None:
    result = run_study(Shape(measures=(" ".join(NAMES.values()),), relevant=str(judged_counts)))
    found = {(row[0], row[2]): row[3] for row in result["shape"].rows()}
    for expected in GOLDEN[f"top_heaviness_R{judged_counts}"]:
        for key, name in NAMES.items():
            assert found[name, expected["rank"]] == pytest.approx(expected[key], rel=1e-12), (key, expected["rank"])


def test_rbp_of_ideal_lists_equals_the_papers_table_1() -> None:
    result = run_study(Shape(measures=("RBP(p=0.5) RBP RBP(p=0.95)",)))
    found = {(row[0], row[1]): row[2] for row in result["ideal"].rows()}
    for judged_counts, by_p in GOLDEN["rbp_ideal_table1"].items():
        for p, value in by_p.items():
            name = f"RBP(p={p})"
            assert found[name, int(judged_counts)] == pytest.approx(value, rel=1e-12)


def test_every_measure_of_relevant_documents_has_a_shape() -> None:
    from irassay.measures import records

    names = [r.example for r in records().values() if r.hits == "relevant"]
    result = run_study(Shape(measures=(" ".join(map(str, irassay.parse(names))),), relevant="3", ranks=5))
    assert len(result["shape"]) == 5 * len(names)


@pytest.mark.parametrize("relevant", ["", "x", "0", "-1", "100001", "9" * 5000, ",".join(map(str, range(1, 102)))])
def test_numbers_of_relevant_documents_count_from_one_and_are_such_as_lists_have(relevant: str) -> None:
    with pytest.raises(irassay.InputError, match="relevant"):
        run_study(Shape(relevant=relevant))


@pytest.mark.parametrize("measure", ["Judged@10", "AP(rel=2)"])
def test_what_has_no_shape_is_refused(measure: str) -> None:
    with pytest.raises(irassay.InputError):
        run_study(Shape(measures=(measure,)))
