"""Every figure of the papers, described by its marks, order and axes as its record and the drawing have them."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from irassay import Result
from irassay.report.figure_rows import FigureRows, figure_rows
from irassay.report.vega import vega_figure
from irassay.result import Figure
from irassay.studies.papers import KEYS
from tests.helpers.papers import MODEL

GRADED = ["AveP", "Q-measure", "nDCG_1000", "nCG_1000", "PDoc_1000"]
INCOMPLETE = ["AP", "Q", "nDCG", "RBP.8", "RBP.95", "bpref_R", "AP'", "Q'", "nDCG'"]
CORPUS = ["AP", "INSQ@5", "nDCG", "P@10", "RBP@0.95", "RR"]
NUMBERS = [f"#{k}" for k in range(1, 8)]
RATES = {10, 30, 50, 70, 90, 100}
LINES = [("y", 0.05, "alpha 0.05"), ("y", 0.01, "alpha 0.01")]


class Described(NamedTuple):
    """What a figure shows; `x` are its places in order where these are names, or the set of its numbers."""

    kind: str
    axes: tuple[str, str]
    series: list[str] | None = None
    facets: list[str] | None = None
    x: Any = None
    marks: list[tuple[str, float, str]] | None = None


POOLS = ("depth 10", "depth 25", "all judgments")
POWER = ("measure", "discriminative power")
CURVES = ("system pair, sorted by ASL", "achieved significance level")
SWAP = ("measure", "share of comparisons that reach the required difference")
FIGURES = {
    "sakai2007bootstrap": {
        "F1": Described("curve", ("run, sorted by mean AveP", "mean AveP"), x=set(range(1, 8)), marks=[("y", 0.0, "")]),
        "F4": Described("histogram", ("t*", "samples")),
        "F5": Described("histogram", ("t*", "samples")),
        "F10": Described("curve", CURVES, [*GRADED, "AG_AveP", "AG_Q-measure"], marks=LINES),
        "F11": Described("curve", CURVES, [*GRADED, "G_AveP", "G_Q-measure"], marks=LINES),
        "F14": Described("bars", POWER, ["0.05", "0.01"]),
        "F15": Described("bars", POWER, ["0.05", "0.01"]),
        "F17": Described("curve", ("minority rate", "proportion of ties"), [*GRADED, "G_AveP", "G_Q-measure"]),
        "F20": Described("bars", SWAP),
        "T5": Described("matrix", ("measure", "measure")),
    },
    "sakai2007one": {
        "F8": Described("curve", ("run, sorted by mean AveP", "mean AveP"), x=set(range(1, 8)), marks=[("y", 0.0, "")]),
        "T2": Described("matrix", ("measure", "measure")),
        "F9": Described("bars", SWAP),
        "F10": Described("bars", POWER, ["0.05"]),
        "T7_distribution": Described("boxes", ("topic", "preferred rank"), x=[str(t) for t in range(1, 13)]),
    },
    "sakai2008incomplete": {
        "F1": Described(
            "curve", ("rank of the one relevant document", "score"), ["AP", "Q", "nDCG", "RBP.5", "RBP.8", "RBP.95"],
            ["R = 10", "R = 100"], set(range(1, 21)),
        ),
        "F2": Described("bars", ("team", "mean AP")),
        "F3": Described(
            "curve", ("per cent of the judgments", "mean score"), [*INCOMPLETE[:3], "RBP.5", *INCOMPLETE[3:]], x=RATES
        ),
        "F5": Described("curve", ("per cent of the judgments", "discriminative power"), INCOMPLETE, x=RATES),
        "F7": Described("curve", ("per cent of the judgments", "tau with the full ranking"), INCOMPLETE, x=RATES),
    },
    "yang2018variance": {
        "F1": Described(
            "intervals", ("raw AP", "simulated AP"), facets=["bst", "kde"], marks=[("diagonal", 0.0, "as raw")]
        ),
        "F2": Described(
            "curve", ("bin", "error rate"), ["bst", "kde"], ["list length = 1000", "list length = run"]
        ),
    },
    "zobel2020corpus": {
        "F1": Described("points", ("topic", "95th percentile of the sd over bootstrap corpora"), CORPUS[:-1]),
        "F2": Described("boxes", ("topic", "score"), facets=CORPUS, x=[str(t) for t in range(1, 13)]),
        "F3": Described("boxes", ("system, by RBP", "mean score"), facets=CORPUS, x=NUMBERS),
        "F4": Described("points", ("system, by RBP", "sd of the mean score over bootstrap corpora"), CORPUS, x=NUMBERS),
        "F5": Described("boxes", ("system, by RBP", "rank"), facets=CORPUS, x=NUMBERS),
        "F6": Described(
            "points", ("mean difference", "p-value"),
            facets=[f"{measure}, {pool}" for measure in ("AP", "RBP@0.95") for pool in POOLS],
        ),
        "F7": Described("boxes", ("topic", "difference"), ["10", "25", "full"], ["AP", "RBP@0.95"]),
    },
}  # fmt: skip
ALL = [(key, name) for key, figures in FIGURES.items() for name in figures]


def drawn(results: dict[str, Result], key: str, name: str) -> tuple[Figure, FigureRows]:
    """A figure and the rows that are drawn."""
    figure = next(figure for figure in results[key].figures if figure.name == name)
    return figure, figure_rows(figure, results[key][figure.table])


def test_every_figure_is_described(paper_results: dict[str, Result]) -> None:
    assert {key: [figure.name for figure in paper_results[key].figures] for key in KEYS} == {
        key: list(FIGURES[key]) for key in KEYS
    }


@pytest.mark.parametrize(("key", "name"), ALL)
def test_a_figure_has_its_marks_order_and_axes(key: str, name: str, paper_results: dict[str, Result]) -> None:
    figure, data = drawn(paper_results, key, name)
    described = FIGURES[key][name]
    assert figure.kind == described.kind
    assert (figure.label("x"), figure.label("y")) == described.axes
    assert data.names.get("series") == described.series
    assert data.names.get("facet") == described.facets
    if isinstance(described.x, list):
        assert data.names["x"] == described.x
    elif described.x is not None:
        assert {row["x"] for row in data.rows} == described.x
    if described.marks is not None:
        assert [(mark.axis, mark.at, mark.label) for mark in figure.marks] == described.marks
    assert data.rows
    assert not [note for note in data.notes if "drawn" in note and "without a value" not in note]  # nothing is thinned


@pytest.mark.parametrize(("key", "name"), ALL)
def test_a_figure_is_drawn_with_its_axes(key: str, name: str, paper_results: dict[str, Result]) -> None:
    figure, _ = drawn(paper_results, key, name)
    spec = str(vega_figure(figure, paper_results[key][figure.table]).spec)
    for text in FIGURES[key][name].axes:
        assert all(word in spec for word in text.split())
    svg = paper_results[key].picture(name).content("svg")
    assert b"<svg" in svg[:200]


@pytest.mark.parametrize(
    ("key", "name"), [("sakai2007bootstrap", "F14"), ("sakai2007bootstrap", "F20"), ("sakai2007one", "F9")]
)
def test_bars_fall(key: str, name: str, paper_results: dict[str, Result]) -> None:
    _, data = drawn(paper_results, key, name)
    first = data.names.get("series", [None])[0]
    heights = [row["y"] for row in data.rows if row.get("series") == first]
    assert heights == sorted(heights, reverse=True)
    defined = [
        value
        for value in paper_results[key][next(f.table for f in paper_results[key].figures if f.name == name)][
            "discriminative_power" if name == "F14" else "share_satisfied"
        ]
        if value == value
    ]
    assert len(heights) == len(defined) // len(data.names.get("series", [None])) >= 5


def test_asl_curves_rise_and_the_error_rate_has_all_bins(paper_results: dict[str, Result]) -> None:
    for name in ("F10", "F11"):
        figure, data = drawn(paper_results, "sakai2007bootstrap", name)
        for series in data.names["series"]:
            levels = [row["y"] for row in data.rows if row["series"] == series]
            assert levels == sorted(levels)
            assert levels[-1] == 0.2  # the line ends on the end of its axis
            table = paper_results["sakai2007bootstrap"][figure.table]
            below = [
                asl for curve, asl in zip(table["curve"], table["asl"], strict=True) if curve == series and asl < 0.2
            ]
            assert len(levels) == len(below) + 1
    _, data = drawn(paper_results, "yang2018variance", "F2")
    assert {row["x"] for row in data.rows} <= set(range(1, 22))


def test_boxes_have_their_edges_in_order(paper_results: dict[str, Result]) -> None:
    for key, name in (
        ("zobel2020corpus", "F2"),
        ("zobel2020corpus", "F3"),
        ("zobel2020corpus", "F5"),
        ("zobel2020corpus", "F7"),
    ):
        _, data = drawn(paper_results, key, name)
        for row in data.rows:
            assert row["low"] <= row["lower"] <= row["y"] <= row["upper"] <= row["high"]
    _, data = drawn(paper_results, "zobel2020corpus", "F5")
    assert {row["low"] for row in data.rows} | {row["high"] for row in data.rows} >= {1.0}
    assert max(row["high"] for row in data.rows) <= len(MODEL.names)


def test_a_simulated_list_has_a_point_for_each_topic_and_one_standard_deviation(
    paper_results: dict[str, Result],
) -> None:
    _, data = drawn(paper_results, "yang2018variance", "F1")
    assert len(data.rows) == 2 * 12
    for row in data.rows:
        assert row["high"] - row["y"] == pytest.approx(row["y"] - row["low"])
