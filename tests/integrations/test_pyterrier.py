"""PyTerrier's frames, as Experiment and pipelines return them; Java is not needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay.integrations import pyterrier
from tests.helpers.random_collections import random_collection

pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

COLLECTION = random_collection(5, unanswerable=False)
SYSTEMS = list(COLLECTION.runs)


def qrels() -> Any:
    rows = [(topic, doc, grade) for topic, docs in COLLECTION.qrels.items() for doc, grade in docs.items()]
    return pandas.DataFrame(rows, columns=["qid", "docno", "label"])


def pipelines() -> dict[str, Any]:
    """What pipelines return: with the text of the query, and ranks from 0."""
    frames = {}
    for name, lists in COLLECTION.runs.items():
        rows = [
            (topic, f"words of {topic}", doc, score, rank)
            for topic, docs in lists.items()
            for rank, (doc, score) in enumerate(sorted(docs.items(), key=lambda item: -item[1]))
        ]
        frames[name] = pandas.DataFrame(rows, columns=["qid", "query", "docno", "score", "rank"])
    return frames


def experiment() -> Any:
    """`pt.Experiment(..., perquery=True)`: name, qid, measure, value."""
    scores = irassay.align(qrels(), pipelines()).score("AP nDCG@10")
    rows = [
        (system, topic, {"AP": "map", "nDCG@10": "nDCG@10"}[name], value)
        for name in scores
        for system, row in zip(scores.systems, scores[name].values.tolist(), strict=True)
        for topic, value in zip(scores.topics, row, strict=True)
    ]
    return pandas.DataFrame(rows, columns=["name", "qid", "measure", "value"])


def test_results_of_pipelines_go_into_a_study_with_their_names() -> None:
    expected = irassay.compare(COLLECTION.qrels, COLLECTION.runs, measures="AP", baseline="sys1")
    for runs in (pipelines(), pyterrier.runs(pipelines())):
        got = irassay.compare(qrels(), runs, measures="AP", baseline="sys1")
        assert list(got["pairs"].rows()) == list(expected["pairs"].rows())


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize("convert", [lambda frame: frame, polars.from_pandas], ids=["pandas", "polars"])
def test_a_result_of_experiment_goes_into_every_study_of_scores(convert: Any) -> None:
    frame = convert(experiment())
    expected = irassay.compare(qrels(), pipelines(), measures="AP nDCG@10", baseline="sys1")
    got = irassay.compare(frame, baseline="sys1")
    assert got["pairs"]["p_value"] == pytest.approx(list(expected["pairs"]["p_value"]))
    assert set(irassay.power(frame, measures="AP", resamples=100)["power"]["measure"]) == {"map"}
    for name in ("swap", "stability", "agreement", "design", "uncertainty"):
        assert getattr(irassay, name)(frame).tables
    assert pyterrier.scores(frame).systems == tuple(SYSTEMS)


def test_scores_that_are_missing_are_counted() -> None:
    with pytest.warns(irassay.IrassayWarning, match="1 of .* scores are missing; the first is map of sys0"):
        pyterrier.scores(experiment().iloc[1:])


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (lambda: pandas.DataFrame({"name": ["a"], "map": [0.3]}), "no column of topics"),
        (lambda: experiment().drop(columns="qid"), "perquery=True"),
        (lambda: experiment().drop(columns="name"), "no column of systems"),
        (lambda: experiment().assign(value="x"), "the score 'x' is not a number"),
        (lambda: experiment().assign(qid=1.5), "topic 1.5 is not text"),
        (lambda: experiment().iloc[[0, 0]], "appears twice"),
        (lambda: experiment().iloc[:0], "no rows"),
    ],
)
def test_other_frames_are_refused_with_a_way_out(frame: Any, said: str) -> None:
    with pytest.raises(irassay.InputError, match=said) as caught:
        pyterrier.scores(frame())
    assert caught.value.hint


def test_results_of_pipelines_need_names() -> None:
    with pytest.raises(irassay.InputError, match="no names"):
        pyterrier.runs(list(pipelines().values()))  # type: ignore[arg-type]


def test_a_frame_of_judgments_is_none_of_scores(tmp_path: Path) -> None:
    assert irassay.power(qrels(), pipelines(), measures="AP", resamples=100)["power"].columns
