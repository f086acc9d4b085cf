"""What holds for every measure on every list."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import irassay
from irassay.compute.kernel import kernel
from irassay.scoring._folds import call_fold
from irassay.scoring.fold import compiled
from tests.helpers import plain
from tests.helpers.measures import ALL, FOLDS, GRADES, TOPICS, arguments
from tests.helpers.panels import Topic, panel_of, panel_of_systems


@settings(max_examples=60, deadline=None)
@given(TOPICS, TOPICS)
def test_the_engine_agrees_with_the_plain_definition(one: Topic, two: Topic) -> None:
    scores = panel_of_systems({"s": {"1": one, "2": two}}).score(ALL)
    collection = one.judged + two.judged
    # A panel's topic holds the judged documents of both lists only where systems share topics; here one system.
    for measure in ALL:
        expected = [plain.score(measure, t.ranked, t.judged, collection=collection) for t in (one, two)]
        assert scores[str(measure)].values[0].tolist() == pytest.approx(expected, abs=1e-12, rel=1e-12), measure


@settings(max_examples=60, deadline=None)
@given(TOPICS)
def test_normalised_measures_lie_between_zero_and_one(topic: Topic) -> None:
    for matrix in panel_of({"1": topic}).score([m for m in ALL if m.bounded]).by_measure():
        assert -1e-12 <= matrix.values[0, 0] <= 1 + 1e-12, matrix.measure


@settings(max_examples=60, deadline=None)
@given(TOPICS)
def test_q_with_beta_zero_is_average_precision(topic: Topic) -> None:
    scores = panel_of({"1": topic}).score("Q(beta=0) AP Q(beta=0)@5 AP@5 Q'(beta=0) AP'")
    q, ap, q5, ap5, qc, apc = scores.values[:, 0, 0]
    assert (q, q5, qc) == pytest.approx((ap, ap5, apc), rel=1e-14)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=30).filter(any))
def test_the_ideal_list_scores_one(grades: list[int]) -> None:
    ideal = Topic(sorted(grades, reverse=True))
    relevant = sum(g > 0 for g in grades)
    scores = panel_of({"1": ideal}).score(
        f"AP Q nDCG nDCG(dcg='jk')@5 nCG@7 Rprec Bpref RR R@{relevant} P@{relevant} SetP@{relevant} SetR "
        "O O' PMeasure PPlus RMeasure NWRR BprefR BprefN nERR nERR(stop='linear')@3 IPrec@1"
    )
    assert scores.values[:, 0, 0].tolist() == pytest.approx([1.0] * len(scores))


@settings(max_examples=20, deadline=None)
@given(st.lists(TOPICS, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_systems_changes_no_score(topics: list[Topic], random: Any) -> None:
    systems = {f"s{n}": {"1": topic} for n, topic in enumerate(topics)}
    shuffled = list(systems)
    random.shuffle(shuffled)
    one = panel_of_systems(systems).score(ALL)
    two = panel_of_systems({name: systems[name] for name in shuffled}).score(ALL)
    for measure in one:
        first = dict(zip(one.systems, one[measure].values[:, 0].tolist(), strict=True))
        assert first == dict(zip(two.systems, two[measure].values[:, 0].tolist(), strict=True))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(GRADES, st.text(min_size=1, max_size=30)), min_size=1, max_size=12, unique_by=lambda x: x[1]))
def test_names_of_documents_change_no_score_without_ties(named: list[tuple[int | None, str]]) -> None:
    names = [name.encode("utf-8", "surrogatepass") for _, name in named]
    grades = [grade for grade, _ in named]
    if not any(grade and grade > 0 for grade in grades):
        grades[0] = 1

    def scored(ids: list[Any]) -> list[list[float]]:
        judged = {i: g for i, g in zip(ids, grades, strict=True) if g is not None}
        ranked = {i: -float(r) for r, i in enumerate(ids)}
        panel = irassay.align(irassay.read_qrels({"1": judged}), irassay.read_runs({"s": {"1": ranked}}))
        values: list[list[float]] = panel.score(ALL).values.tolist()
        return values

    assert scored(list(names)) == scored([f"d{n}" for n in range(len(names))])


@kernel
def run_fold(fold, rank, grade, n, gain, ideal, judged, size, par):  # type: ignore[no-untyped-def]
    return call_fold(fold, rank, grade, n, gain, ideal, judged, size, par)


@settings(max_examples=60, deadline=None)
@given(TOPICS)
@pytest.mark.parametrize("name", FOLDS)
def test_folds_give_the_same_in_cpython_and_compiled(name: str, topic: Topic) -> None:
    record = FOLDS[name]
    case = arguments(record, topic)
    assert run_fold(compiled(record.function), *case) == pytest.approx(record.function(*case), rel=1e-15)


class Unread:
    """An ideal list that notes whether it is read."""

    def __init__(self, values: NDArray[np.float64]) -> None:
        self.values, self.was_read = values, False

    def __getitem__(self, index: int) -> float:
        self.was_read = True
        return float(self.values[index])


@pytest.mark.parametrize("name", FOLDS)
def test_a_fold_declares_that_it_reads_the_ideal_list(name: str) -> None:
    record = FOLDS[name]
    topics = (Topic([None, 1, 0, 3, -1, 2, 1, 0], [1, 0, 3]), Topic([2, 1]), Topic([0, None, 1], [3]))
    was_read = False
    for topic in topics:
        case = arguments(record, topic)
        ideal = Unread(case.ideal)
        assert record.function(*case._replace(ideal=ideal)) == record.function(*case)
        was_read |= ideal.was_read
    assert was_read == (record.needs == "ideal")


def test_scores_are_the_same_for_any_number_of_threads_and_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    topics = {
        str(t): Topic([None if g < 0 else int(g) for g in rng.integers(-2, 4, rng.integers(1, 200))], [1])
        for t in range(1, 41)
    }
    panel = panel_of(topics)
    expected = panel.score(ALL, jobs=1).values
    for block, jobs in ((1, 1), (1, 3), (500, 2), (10**9, 8)):
        monkeypatch.setattr("irassay.scoring.score_panel.BLOCK", block)
        assert np.array_equal(panel.score(ALL, jobs=jobs).values, expected)


def test_a_measure_scores_the_same_whatever_is_asked_beside_it() -> None:
    panel = panel_of({"1": Topic([None, 2, 0, 1, None, 3], [1, 0])})
    together = panel.score(ALL)
    for measure in ALL:
        assert panel.score([measure]).values[0, 0, 0] == together[str(measure)].values[0, 0]
