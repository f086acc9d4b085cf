"""What a measure needs of the judgments, and how it is refused when it does not get it."""

from __future__ import annotations

import numpy as np
import pytest

import irassay
from irassay.errors import InputError
from tests.helpers.panels import Topic, panel_of


@pytest.fixture(scope="module")
def panel() -> irassay.Panel:
    return panel_of({"1": Topic([0, 3, None, 1], [2, 4]), "2": Topic([1, 0], [1])})


@pytest.mark.parametrize(
    ("measure", "what", "hint"),
    [
        (
            "NWRR",
            "penalties lists no value for grade 4, which occurs in the judgments",
            "list every relevant grade: NWRR(penalties={…})",
        ),
        ("WRR(penalties={1:9,2:8,4:2})", "penalties lists no value for grade 3, which occurs in the judgments", None),
        ("RBP(max_gain=3)", "max_gain=3, and a gain of 4 occurs", None),
        ("INST(gains={1:1,2:2,3:3,4:30},max_gain=10)", "max_gain=10, and a gain of 30 occurs", None),
        ("ERR(max_grade=3)", "max_grade=3, and grade 4 occurs in the judgments", "raise it, or leave it out"),
        ("nERR(max_grade=2)@5", "max_grade=2, and grade 3 occurs in the judgments", None),
        ("O(gains={1:1,2:2,3:3})", "no gain for grade 4, which occurs in the judgments", None),
    ],
)
def test_a_measure_that_the_judgments_do_not_fit_is_refused(
    panel: irassay.Panel, measure: str, what: str, hint: str | None
) -> None:
    with pytest.raises(InputError) as caught:
        panel.score(measure)
    assert caught.value.what == what
    assert caught.value.where == f"measure '{measure}'"
    assert caught.value.hint == hint or hint is None


def test_penalties_are_needed_for_relevant_grades_only(panel: irassay.Panel) -> None:
    assert panel.score("NWRR(penalties={3:3,4:2},rel=3)").values[0, 0].tolist() == pytest.approx(
        [(1 - 1 / 2) / (2 - 1 / 3), 0]
    )


def test_binary_forms_do_not_ask_which_grades_occur(panel: irassay.Panel) -> None:
    # rel= makes every relevant grade 1, so that the chance to stop is 1/2
    assert panel.score("ERR(rel=1) nERR(rel=1) INSQ(rel=1)@2").values[:, 0, 0] == pytest.approx(
        [1 / 4 + 1 / 2 / 2 / 4, (1 / 4 + 1 / 16) / (1 / 2 + 1 / 8 + 1 / 24 + 1 / 64), (1 / 9) / (np.pi**2 / 6 - 1)]
    )


def test_gains_of_the_study_reach_linear_stopping_and_leave_the_exponential_alone() -> None:
    panel = panel_of({"1": Topic([2, 1])}, gains={1: 1, 2: 3})
    linear, exponential, own = panel.score("ERR(stop='linear') ERR ERR(stop='linear',gains={1:1,2:1})").values[:, 0, 0]
    assert linear == pytest.approx(3 / 4 + 1 / 4 * 1 / 4 / 2)
    assert exponential == pytest.approx(3 / 4 + 1 / 4 * 1 / 4 / 2)
    assert own == pytest.approx(1 / 2 + 1 / 2 * 1 / 2 / 2)


def test_counts_are_summed_and_count_topics_that_a_run_misses() -> None:
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 2, "c": 1}}
    runs = {"whole": {"1": {"a": 1.0, "x": 0.5}, "2": {"c": 1.0}}, "part": {"1": {"b": 1.0}}}
    with pytest.warns(irassay.IrassayWarning, match="missing-topics"):
        panel = irassay.align(irassay.read_qrels(qrels), irassay.read_runs(runs))
    scores = panel.score("NumRet NumRel NumRelRet NumRet' SetR AREA(SetR) RBPRes")
    assert scores.systems == ("whole", "part")
    assert scores.means()[:4].tolist() == [[3, 1], [3, 3], [2, 0], [2, 1]]
    assert scores.means()[4].tolist() == [0.75, 0.0]
    assert scores.means()[5].tolist() == [0.5, 0.0]
    assert scores["RBPRes"].values[1].tolist() == pytest.approx([0.8, 1.0]), "of a missing list everything is open"


def test_a_residual_of_a_long_judged_list_is_small_and_never_negative() -> None:
    panel = panel_of({"1": Topic([1] * 1000), "2": Topic([1, None] * 500)})
    small, alternating = panel.score("RBPRes(p=0.5)").values[0, 0]
    assert small == pytest.approx(0.5**1000, rel=1e-9)
    assert alternating == pytest.approx(1 / 3, rel=1e-12)
