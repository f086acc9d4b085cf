"""What topic-level studies work on: score matrices of several measures, from runs or from ready-made tables."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError
from irassay.matrix import ScoreMatrix, Scores
from irassay.measures import Measure, parse

if TYPE_CHECKING:
    from irassay.settings import Execution, Resampling

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Subject:
    """One measure's scores [systems, topics], and how topics are summarised."""

    name: str
    values: Array
    systems: tuple[str, ...]
    measure: Measure | None  # None: a column of a score table whose measure irassay does not know

    @property
    def kind(self) -> dict[str, Callable[[Array], Array] | None]:
        """The summary as a transform around the mean, or as a function of all topics."""
        if self.measure is None:
            return {"forward": None, "inverse": None, "whole": None}
        summary, params = self.measure.summary_with_params()

        def bound(function: Callable[..., Array] | None) -> Callable[[Array], Array] | None:
            return None if function is None else (lambda values: np.asarray(function(values, **params)))

        return {"forward": bound(summary.forward), "inverse": bound(summary.inverse), "whole": bound(summary.whole)}

    @property
    def bounded(self) -> bool:
        """Whether scores lie between 0 and 1, so that bins and margins mean something."""
        if self.measure is not None:
            return self.measure.bounded
        return bool((self.values >= 0).all() and (self.values <= 1).all())

    def means(self) -> Array:
        return np.asarray(self.sampled(np.ones((1, self.values.shape[1]), dtype=np.int32))[0])

    def tested(self) -> tuple[str, Array]:
        """What a paired test compares: the values per topic, and their name (AG(M) for GM(M))."""
        kind = self.kind
        if kind["whole"] is not None:
            raise InputError(f"{self.name} has no value per topic, so it has no paired test", hint="use --unpaired")
        forward = kind["forward"]
        if self.measure is not None and self.measure.summary is not None and self.measure.summary[0] == "GM":
            name = str(replace(self.measure, summary=("AG", ())))
            return name, np.asarray(forward(self.values) if forward else self.values)
        return self.name, np.asarray(forward(self.values) if forward else self.values)

    def sampled(self, counts: NDArray[np.int32]) -> Array:
        """Every system's score on samples of the topics [samples, systems]."""
        kind = self.kind
        whole, forward, inverse = kind["whole"], kind["forward"], kind["inverse"]
        if whole is not None:
            index = np.repeat(np.tile(np.arange(counts.shape[1]), len(counts)), counts.ravel()).reshape(len(counts), -1)
            return np.stack([whole(row[index]) for row in self.values], axis=1)
        values = forward(self.values) if forward else self.values
        means = counts.astype(np.float64) @ np.ascontiguousarray(values.T) / counts.sum(axis=1, keepdims=True)
        return np.asarray(inverse(means) if inverse else means)


@dataclass(frozen=True)
class Subjects:
    """Several measures over the same systems and topics."""

    subjects: tuple[Subject, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    provenance: dict[str, object]
    warnings: tuple[Any, ...] = ()


def refuse_unbounded(data: Subjects, what: str) -> None:
    """Bins and margins need scores between 0 and 1."""
    for subject in data.subjects:
        if not subject.bounded:
            hint = "use GM, which has the same order" if subject.name.startswith("AG(") else "use a normalised measure"
            raise InputError(f"{subject.name} is not between 0 and 1: {what} mean nothing for it", hint=hint)


def subjects(study: Resampling, qrels: Any, runs: Any, execution: Execution | None) -> Subjects:
    """Score the runs, or read the score tables; select systems."""
    from irassay._version import __version__

    warnings: tuple[Any, ...]
    if study.scores:
        if qrels is not None or runs:
            raise InputError("give either QRELS and runs or --scores, not both")
        scores, warnings = _from_tables(study), ()
        made: dict[str, object] = {"irassay": __version__, "scores": list(study.scores)}
    else:
        if qrels is None or not runs:
            raise InputError("no data", hint="give QRELS and runs, or score tables with --scores")
        scores, made, warnings = _from_runs(study, qrels, runs, execution)
    kept = _selected(study, scores)
    if len(kept) < 2:
        raise InputError("there is one system only", hint="a comparison needs at least two")
    if len(scores.topics) < 2:
        raise InputError("there is one topic only", hint="topics cannot vary with less than two")
    names = tuple(scores.systems[i] for i in kept)
    found = tuple(_subject(matrix, kept, names) for matrix in scores.matrices)
    made |= {"measures": [s.name for s in found], "systems": list(names), "topics": list(scores.topics)}
    made |= {"resamples": study.resamples, "seed": study.seed}
    return Subjects(found, names, scores.topics, made, tuple(warnings))


def _subject(matrix: ScoreMatrix, kept: list[int], names: tuple[str, ...]) -> Subject:
    measure = None
    with contextlib.suppress(InputError):  # a column of a table may be called anything
        (measure,) = parse(matrix.measure)
    return Subject(matrix.measure, np.ascontiguousarray(matrix.values[kept]), names, measure)


def _from_runs(
    study: Resampling, qrels: Any, runs: Any, execution: Execution | None
) -> tuple[Scores, dict[str, object], tuple[Any, ...]]:
    from irassay.alignment import align
    from irassay.read import Qrels, Runs, read_qrels, read_runs
    from irassay.studies.provenance import provenance

    jobs = execution.jobs if execution else None
    measures = parse(study.measures)
    qrels = qrels if isinstance(qrels, Qrels) else read_qrels(qrels, duplicates=study.duplicates)
    runs = runs if isinstance(runs, Runs) else read_runs(runs, names=study.names, jobs=jobs)
    panel = align(qrels, runs, jobs=jobs, **study.alignment())
    return panel.score(measures, jobs=jobs), provenance(qrels, runs, panel), panel.warnings


def _from_tables(study: Resampling) -> Scores:
    from irassay.read import read_scores

    scores = read_scores(*study.scores)
    for matrix in scores.matrices:
        missing = np.argwhere(np.isnan(matrix.values))
        if len(missing):
            system, topic = matrix.systems[missing[0][0]], matrix.topics[missing[0][1]]
            raise InputError(
                f"{len(missing)} scores of {matrix.measure} are missing, the first for {system}, topic {topic}",
                hint="topic-level studies need every system's score on every topic",
            )
    return scores


def _selected(study: Resampling, scores: Scores) -> list[int]:
    """Systems by --top N --by MEASURE: the best by mean, ties by input order, shown in input order."""
    kept = list(range(len(scores.systems)))
    if study.top is None:
        return kept
    by = study.by or scores.measures[0]
    name = by if by in scores else str(parse(by)[0])
    if name not in scores:
        raise InputError(f"--by {by} is not among the measures", hint=f"they are {', '.join(scores.measures)}")
    best = np.argsort(-scores[name].means(), kind="stable")[: study.top]
    return sorted(best.tolist())
