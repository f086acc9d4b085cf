"""Other judges' labels, and labels drawn again with a judge's errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay.errors import InputError
from irassay.studies.phrases import rows_of
from irassay.vary.judges import NO_JUDGE, Judges, labels_on
from irassay.vary.redrawn_labels import Labels, RedrawnLabels
from irassay.vary.replicates import replicates
from irassay.vary.variation import Observed
from tests.helpers.judged import read, write, write_judged

MEASURES = "AP nDCG@10"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judged") / "collection"
    write_judged(folder)
    return folder


@pytest.fixture(scope="module")
def observed(place: Path) -> Observed:
    # the runs also answer topics that the reference has not judged
    with pytest.warns(irassay.IrassayWarning, match="without judgments"):
        panel = irassay.align(place / "qrels.txt", place / "runs")
    return Observed(panel.score(MEASURES), panel)


def plan(observed: Observed, judge: Path, **options: Any) -> RedrawnLabels:
    made = Labels(judges=(judge,), **options).plan(observed)
    assert isinstance(made, RedrawnLabels)
    return made


def confusion(before: NDArray[np.int8], after: NDArray[np.int8]) -> NDArray[np.int64]:
    known = (before >= 0) & (after >= 0)
    return np.bincount(3 * before[known].astype(int) + after[known], minlength=9).reshape(3, 3)


def test_each_judge_scores_the_documents_that_the_reference_judged(place: Path, observed: Observed) -> None:
    variation = Judges(judges=(place / "noisy.qrels", place / "half.qrels"))
    assert variation.scenarios(observed) == ("noisy.qrels", "half.qrels")
    means = replicates(variation, observed).means
    judged = {(topic, document) for topic, document, _ in read(place / "qrels.txt")}
    for k, name in enumerate(variation.scenarios(observed)):
        labels: dict[str, dict[str, int]] = {}
        for topic, document, grade in read(place / name):
            if (topic, document) in judged:
                labels.setdefault(topic, {})[document] = grade
        with pytest.warns(irassay.IrassayWarning):
            scores = irassay.align(labels, place / "runs").score(MEASURES)
        np.testing.assert_allclose(means[:, k], scores.means(), atol=1e-12)


def test_a_judge_without_errors_draws_the_same_labels(place: Path, observed: Observed) -> None:
    for direction in ("judge", "reference"):
        variation = Labels(judges=(place / "copy.qrels",), direction=direction, replicates=3)
        again = replicates(variation, observed)
        # the same scores; their sums over topics may have another order
        np.testing.assert_allclose(again.means, np.repeat(again.observed[:, None], 3, axis=1), rtol=1e-14)


@pytest.mark.parametrize("direction", ["judge", "reference"])
def test_drawn_labels_have_the_errors_of_the_judge(place: Path, observed: Observed, direction: str) -> None:
    """400 replicates; each share lies within five of its standard errors."""
    made = plan(observed, place / "noisy.qrels", direction=direction, errors="pooled", replicates=400)
    reference, judge = (
        observed.lists.grade,
        labels_on(observed.lists, "noisy", irassay.read_qrels(place / "noisy.qrels")),
    )
    first, second = (reference, judge) if direction == "judge" else (judge, reference)
    expected = confusion(first, second)
    drawn = np.sum([confusion(first, made.grades_of(unit)) for unit in range(400)], axis=0)
    chance = expected / expected.sum(axis=1, keepdims=True)
    error = np.sqrt(chance * (1 - chance) / drawn.sum(axis=1, keepdims=True))
    np.testing.assert_array_less(np.abs(drawn / drawn.sum(axis=1, keepdims=True) - chance), 5 * error + 1e-12)


def test_errors_of_whole_topics_move_scores_more_than_errors_that_average_out(place: Path, observed: Observed) -> None:
    lines = read(place / "noisy.qrels")
    odd = [(t, d, g if int(t) % 3 else 0) for t, d, g in lines]  # on every third topic the judge sees nothing
    write(place / "odd.qrels", odd)
    spread = {
        errors: replicates(Labels(judges=(place / "odd.qrels",), errors=errors, replicates=100), observed).means.std(
            axis=1
        )
        for errors in ("topics", "pooled")
    }
    assert (spread["topics"].mean(axis=1) > 1.5 * spread["pooled"].mean(axis=1)).all()


def test_draws_depend_on_the_topic_and_not_on_the_other_systems(place: Path, observed: Observed) -> None:
    with pytest.warns(irassay.IrassayWarning):
        panel = irassay.align(place / "qrels.txt", [place / "runs" / "sys1.txt", place / "runs" / "sys2.txt"])
    fewer = Observed(panel.score(MEASURES), panel)
    for unit in (0, 7):
        many, few = (plan(each, place / "noisy.qrels").grades_of(unit) for each in (observed, fewer))
        assert many[observed.lists.grade >= 0].tolist() == few[panel.grade >= 0].tolist()


def test_a_second_set_is_drawn_independently(place: Path, observed: Observed) -> None:
    variation = Labels(judges=(place / "noisy.qrels",), replicates=4)
    first, second = (replicates(variation, observed, independent=k).means for k in (0, 1))
    assert (first != second).all(axis=2).any()
    assert (first == replicates(variation, observed, jobs=3).means).all()


def test_why_judges_cannot_vary(place: Path, observed: Observed, tmp_path: Path) -> None:
    assert Judges().unusable(observed) == NO_JUDGE
    assert Judges(judges=(place / "elsewhere.qrels",)).unusable(observed) == (
        "elsewhere.qrels and the judgments have no document in common"
    )
    lines = read(place / "noisy.qrels")
    write(tmp_path / "long.qrels", [(*lines[0][:2], 7), *lines[1:]])
    with pytest.raises(InputError, match=r"long\.qrels has grade 7, and the reference has 1, 2"):
        Judges(judges=(tmp_path / "long.qrels",)).plan(observed)
    with pytest.raises(InputError, match="direction is 'x'"):
        Labels(direction="x")


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_uncertainty_has_both_where_a_judge_is_given(place: Path) -> None:
    data: dict[str, Any] = {"qrels": place / "qrels.txt", "runs": place / "runs", "measures": ("AP",), "replicates": 20}
    without = irassay.uncertainty(**data)
    assert {"judges", "labels"}.isdisjoint(row["variation"] for row in rows_of(without["budget"]))
    result = irassay.uncertainty(**data, judges=(place / "noisy.qrels",), vary="judges,labels,labels+topics")
    rows = {row["variation"]: row for row in rows_of(result["budget"])}
    assert [row["kind"] for row in rows.values()] == ["scenario", "model", "model"]
    assert list(rows) == ["judges", "labels, judge | reference", "labels, judge | reference+topics"]
    (scenario,) = [row for row in rows_of(result["scenarios"]) if row["variation"] == "judges"]
    assert scenario["scenario"] == "noisy.qrels"
    with pytest.raises(InputError, match="judges cannot vary: no other judgments are given"):
        irassay.uncertainty(**data, vary="judges")
