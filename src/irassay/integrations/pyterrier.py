"""PyTerrier: results of Experiment and of pipelines, as every study takes them. Frames only; Java is not needed.

experiment = pt.Experiment(pipelines, topics, qrels, ["map"], names=names, perquery=True)
irassay.compare(experiment, baseline="BM25")                                     # the frame itself
irassay.uncertainty(qrels, pyterrier.runs({"BM25": bm25(topics)}), measures="AP")  # results of pipelines
"""

from collections.abc import Mapping
from typing import Any

from irassay.errors import InputError
from irassay.read import Runs, read_runs
from irassay.scoring.score_frames import scores_of_frame
from irassay.scoring.scores import Scores


def scores(experiment: Any) -> Scores:
    """The scores of `pt.Experiment(..., perquery=True)`, a row for every system, topic and measure."""
    return scores_of_frame(experiment)


def runs(results: Mapping[str, Any], *, names: str | None = None) -> Runs:
    """Results of pipelines by their names; the order of documents is that of their scores."""
    if not isinstance(results, Mapping):
        raise InputError("results of pipelines have no names", hint="give {name: frame}, one frame a pipeline")
    return read_runs(dict(results), names=names)
