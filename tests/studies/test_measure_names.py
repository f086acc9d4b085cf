"""Names of measures in results: no parameter is left out in which measures of one result differ."""

from __future__ import annotations

from typing import Any

import pytest

import irassay
from irassay.measures import parse
from irassay.result import Figure, Mark, Result, Table
from irassay.studies.measure_names import renamed, spelled_out


@pytest.mark.parametrize(
    ("names", "written"),
    [
        ("RBP RBP(p=0.5) AP", {"RBP": "RBP(p=0.8)"}),
        ("RBP AP", {}),
        ("GM(RBP) GM(RBP(p=0.95))", {"GM(RBP)": "GM(RBP(p=0.8))"}),
        ("Q Q(beta=2) Q'", {"Q": "Q(beta=1)"}),
        ("nDCG@10 nDCG(dcg='jk')@10 nDCG@20", {"nDCG@10": "nDCG(dcg='log2')@10"}),
        ("AP AP(rel=2)", {"AP": "AP(rel=1)"}),
        ("nDCG nDCG(rel=1)", {}),  # no default to write: by gains
        ("IPrec@0.1 IPrec@0.2", {}),
    ],
)
def test_a_default_is_written_where_another_measure_differs_in_it(names: str, written: dict[str, str]) -> None:
    assert spelled_out(names.split()) == written
    for short, full in written.items():  # it is the same measure
        assert parse(full)[0] == parse(short)[0]


def test_names_that_are_no_measures_stay() -> None:
    assert spelled_out(["my score", "RBP()", "RBP(p=0.8)", "x(", "RBP(p=0.5)"]) == {}


def test_the_studies_write_what_their_measures_differ_in(tmp_path: Any) -> None:
    qrels = {str(t): {f"d{d}": int((d * t) % 3 == 0) for d in range(9)} for t in range(1, 5)}
    runs = {
        f"s{s}": {str(t): {f"d{d}": float((d * (s + 2)) % 7) for d in range(9)} for t in range(1, 5)} for s in (1, 2, 3)
    }
    both = irassay.agreement(qrels, runs, measures="RBP RBP(p=0.5)", resamples=20)
    assert set(both["agreement"]["measure_a"]) == {"RBP(p=0.8)", "RBP(p=0.5)"}
    alone = irassay.agreement(qrels, runs, measures="RBP AP", resamples=20)
    assert set(alone["agreement"]["measure_a"]) == {"RBP", "AP"}


def test_figures_follow_the_names() -> None:
    table = Table(
        "t", {"measure": ["RBP", "AP"], "x": [1.0, 2.0], "RBP": [0.1, 0.2]}, digits={"RBP": 2}, bold={"RBP": 1}
    )
    figure = Figure(
        "f", "points", "t", x="x", y="x", facet="measure", where={"measure": "RBP"}, caption="c", alt="a",
        marks=(Mark("x", 1.0, "", "RBP"), Mark("y", 0.5)),
    )  # fmt: skip
    result = renamed(Result("s", (table,), figures=(figure,)), {"RBP": "RBP.8"})
    assert list(result["t"].columns) == ["measure", "x", "RBP.8"]
    assert list(result["t"]["measure"]) == ["RBP.8", "AP"]
    assert (dict(result["t"].digits), dict(result["t"].bold)) == ({"RBP.8": 2}, {"RBP.8": 1})
    (drawn,) = result.figures
    assert drawn.where == {"measure": "RBP.8"}
    assert [mark.facet for mark in drawn.marks] == ["RBP.8", ""]
