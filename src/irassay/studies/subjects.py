"""What topic-level studies work on: score matrices of several measures, from runs or from ready-made tables."""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError, IrassayWarning, emit
from irassay.measures import Measure, parse
from irassay.panel.panel import Panel
from irassay.scoring.scores import ScoreMatrix, Scores
from irassay.settings import Resampling, options
from irassay.studies.selection import check_selection, place_of, selected
from irassay.tolerance import OUTSIDE

if TYPE_CHECKING:
    from irassay.settings import Execution, Measured

Array = NDArray[np.float64]
FOR_RUNS = {"order", "depth", "duplicates", "negative", "gains", "residual", "names"}  # unanswerable: nobody can tell


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
            # no lambda, which could not be sent; and as it comes: on a GPU it is an array of the GPU's
            return None if function is None else partial(function, **params)

        return {"forward": bound(summary.forward), "inverse": bound(summary.inverse), "whole": bound(summary.whole)}

    @property
    def bounded(self) -> bool:
        """Whether scores lie between 0 and 1, so that bins and margins mean something.

        The values are looked at too: a table may hold percentages under any name.
        """
        inside = bool((self.values >= -OUTSIDE).all() and (self.values <= 1 + OUTSIDE).all())
        return inside and (self.measure is None or self.measure.bounded)

    def means(self) -> Array:
        """Every system's score over all topics, to the last bit what `score` says."""
        return self.values.mean(axis=-1) if self.measure is None else self.measure.summarise(self.values)

    def tested(self, otherwise: str = "use --unpaired") -> tuple[str, Array]:
        """What a paired test compares: the values per topic, and their name (AG(M) for GM(M)).

        `otherwise` is what to do where there are none.
        """
        if self.measure is None:
            return self.name, self.values
        if not self.pairable:
            raise InputError(f"{self.name} has no value per topic, so it has no paired test", hint=otherwise)
        if self.measure.summary is not None and self.measure.summary[0] == "GM":
            logarithms = replace(self.measure, summary=("AG", ()))
            return str(logarithms), logarithms.forward(self.values)
        return self.name, self.measure.forward(self.values)

    @property
    def pairable(self) -> bool:
        """Whether a paired test exists: a value per topic, or GM, whose logarithms have one."""
        if self.measure is None:
            return True
        summary = self.measure.summary_with_params()[0]
        return summary.topical or summary.name == "GM"

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


def compared(found: tuple[Subject, ...], otherwise: str) -> tuple[dict[str, Array], list[IrassayWarning]]:
    """What paired tests compare, each once, and what is tested as something else."""
    values: dict[str, Array] = {}
    said = []
    for subject in found:
        name, tested = subject.tested(otherwise)
        values.setdefault(name, tested)
        if name != subject.name:
            what = f"a paired test of {subject.name} is one of {name}: the logarithms are compared"
            said.append(IrassayWarning("tested-as", what))
    return values, said


def tested_values(scores: Scores, measure: str) -> Array:
    """What a paired test of a scored measure compares: GM by its logarithms; a measure without any is an error."""
    (parsed,) = parse(measure)
    return Subject(measure, scores[measure].values, scores.systems, parsed).tested()[1]


@dataclass(frozen=True)
class Subjects:
    """Several measures over the same systems and topics."""

    subjects: tuple[Subject, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    provenance: dict[str, object]
    warnings: tuple[Any, ...] = ()
    also: tuple[Subject, ...] = ()


def refuse_unbounded(data: Subjects, what: str) -> None:
    """Bins and margins need scores between 0 and 1."""
    for subject in data.subjects:
        if not subject.bounded:
            hint = "use GM, which has the same order" if subject.name.startswith("AG(") else "use a normalised measure"
            raise InputError(f"{subject.name} is not between 0 and 1: {what} mean nothing for it", hint=hint)


def subjects(
    study: Measured,
    qrels: Any,
    runs: Any,
    execution: Execution | None,
    *,
    also: tuple[str, ...] = (),
    keep: str | None = None,
) -> Subjects:
    """Score the runs, or take ready-made scores; select systems.

    Instead of judgments there may be a `Panel`, or `Scores`. `also` are measures that come along wherever there are
    lists to score, and that nothing is selected by. The system `keep` stays, whatever else is selected.
    """
    from irassay._version import __version__

    check_selection(study)
    jobs = execution.jobs if execution else None
    found: tuple[Subject, ...]
    beside: tuple[Subject, ...] = ()
    met: list[IrassayWarning] = []
    made: dict[str, object] = {"irassay": __version__}
    ready = isinstance(qrels, (Panel, Scores, ScoreMatrix))
    if study.scores:
        if qrels is not None or runs:
            hint = "give one or the other; of several tables each has its own --scores, or all are one quoted glob"
            raise InputError("QRELS or runs were given, and score tables too", hint=hint)
        found, topics = from_tables(study)
        made["scores"] = [str(place) for place in tables(study)]
    elif ready and runs:
        raise InputError("a panel or scores were given, and runs too", hint="a panel has its runs already")
    elif isinstance(qrels, Panel):
        _refuse_options(study, "a panel, which is aligned already")
        met, made = list(qrels.warnings), {**made, **qrels.policy}
        found, beside, topics = _from_panel(study, qrels, jobs, also)
    elif ready:
        found, topics = from_scores(study, qrels if isinstance(qrels, Scores) else Scores([qrels]))
    else:
        if qrels is None or not runs:
            raise InputError("there is nothing to study", hint="give QRELS and runs, or score tables with --scores")
        found, beside, topics, made, met = _from_runs(study, qrels, runs, jobs, also)
    systems = found[0].systems
    enough(len(systems), len(topics))
    kept, said = selected(study, systems, {subject.name: subject.means for subject in found})
    if keep is not None:
        kept = sorted({*kept, place_of(keep, systems)})
    enough(len(kept), len(topics))
    names = tuple(systems[i] for i in kept)
    found, beside = (
        tuple(replace(s, values=np.ascontiguousarray(s.values[kept]), systems=names) for s in group)
        for group in (found, beside)
    )
    made |= {"measures": [s.name for s in found], "systems": list(names), "topics": list(topics), "seed": study.seed}
    if isinstance(study, Resampling):
        made["resamples"] = study.resamples
    emit(said)
    return Subjects(found, names, topics, made, (*met, *said), beside)


def enough(systems: int, topics: int) -> None:
    """Comparisons need two of both."""
    if systems < 2:
        raise InputError("there is one system only", hint="a comparison needs at least two")
    if topics < 2:
        raise InputError("there is one topic only", hint="what other topics would say needs at least two")


Scored = tuple[tuple[Subject, ...], tuple[Subject, ...], tuple[str, ...]]


def _from_runs(
    study: Measured, qrels: Any, runs: Any, jobs: int | None, also: tuple[str, ...]
) -> tuple[tuple[Subject, ...], tuple[Subject, ...], tuple[str, ...], dict[str, object], list[IrassayWarning]]:
    from irassay.studies.loading import aligned
    from irassay.studies.provenance import provenance

    parse(study.measures)  # before any work
    qrels, runs, panel = aligned(study, qrels, runs, jobs)
    return *_scored(study, panel, jobs, also), provenance(qrels, runs, panel), list(panel.warnings)


def _scored(study: Measured, panel: Panel, jobs: int | None, also: tuple[str, ...]) -> Scored:
    measures, others = parse(study.measures), parse(also) if also else ()
    scores = panel.score([*measures, *(m for m in others if m not in measures)], jobs=jobs)
    found, beside = (
        tuple(Subject(str(m), scores[str(m)].values, panel.systems, m) for m in group) for group in (measures, others)
    )
    return found, beside, panel.topics


def _from_panel(study: Measured, panel: Panel, jobs: int | None, also: tuple[str, ...]) -> Scored:
    """As from runs, on the topics that the study takes of the panel."""
    from irassay.panel.topics import select

    found, beside, _ = _scored(study, panel, jobs, also)
    relevant = panel.judged_counts()[:, 1:].sum(axis=1)
    chosen = map(panel.topics.index, select(panel.topics, study.topics))
    places = [t for t in chosen if relevant[t] or study.unanswerable == "zero"]
    if not places:
        raise InputError("no topic has a relevant document", hint="keep them with --unanswerable zero")
    found, beside = (tuple(replace(s, values=s.values[:, places]) for s in group) for group in (found, beside))
    return found, beside, tuple(panel.topics[t] for t in places)


def _refuse_options(study: Measured, what: str) -> None:
    for name, (field, _) in options(type(study)).items():
        if name in FOR_RUNS and getattr(study, name) != field.default:
            raise InputError(f"--{name} does nothing to {what}", hint=f"leave out --{name}, or give runs")


def tables(study: Measured) -> tuple[Any, ...]:
    """The score tables: one path, or several."""
    return (study.scores,) if isinstance(study.scores, (str, os.PathLike)) else tuple(study.scores)


def from_tables(study: Measured) -> tuple[tuple[Subject, ...], tuple[str, ...]]:
    """The measures of score tables."""
    from irassay.scoring.score_tables import read_scores

    _refuse_options(study, "ready-made scores")
    with warnings.catch_warnings():
        # cells that matter are looked for later, and are then an error
        warnings.filterwarnings("ignore", r".*\[missing-cells\]", IrassayWarning)
        scores = read_scores(*tables(study))
    return from_scores(study, scores)


def from_scores(study: Measured, scores: Scores) -> tuple[tuple[Subject, ...], tuple[str, ...]]:
    """The measures of ready-made scores, or those asked for; GM(M), AG(M) and AREA(M) come from M where it is there."""
    from irassay.panel.topics import select

    _refuse_options(study, "ready-made scores")
    topics = select(scores.topics, study.topics)
    places = [scores.topics.index(topic) for topic in topics]
    known = {name: _known(name) for name in scores}
    default = study.measures == next(f.default for f in fields(study) if f.name == "measures")
    found = []
    for name, measure in ({**known} if default else _asked(study, known)).items():
        source, measure = _source(name, measure, known)
        values = scores[source].values[:, places]
        missing = np.argwhere(np.isnan(values))
        if len(missing):
            system, topic = scores.systems[missing[0][0]], topics[missing[0][1]]
            what = f"{len(missing)} of {values.size} scores of {source} are missing"
            if len(missing) == values.size and measure is not None and measure.summary is not None:
                raise InputError(f"{name} has no value per topic in the tables", hint=f"give {measure.base} as well")
            raise InputError(
                f"{what}, the first for {system} on topic {topic}",
                hint="fill them in (0 for a topic that was not answered), or leave such topics out with --topics",
            )
        found.append(Subject(name, values, scores.systems, measure))
    return tuple(found), topics


def _known(name: str) -> Measure | None:
    with contextlib.suppress(InputError):  # a column of a table may be called anything
        (measure,) = parse(name)
        return measure
    return None


def _asked(study: Measured, known: dict[str, Measure | None]) -> dict[str, Measure | None]:
    """The measures of -m, by the names that the tables have for them."""
    found: dict[str, Measure | None] = {}
    for text in (study.measures,) if isinstance(study.measures, str) else study.measures:
        if text in known:  # whatever it is called
            found[text] = known[text]
            continue
        words = text.split()
        if all(word in known for word in words):
            found |= {word: known[word] for word in words}
            continue
        for measure in parse(text):
            same = [name for name, other in known.items() if other == measure]
            derived = measure.summary is not None and measure.base in known.values()
            if not same and not derived:
                raise InputError(f"the tables have no scores of {measure}", hint=f"they hold {', '.join(known)}")
            found[same[0] if same else str(measure)] = measure
    return found


def _source(name: str, measure: Measure | None, known: dict[str, Measure | None]) -> tuple[str, Measure | None]:
    """The column with a measure's values before they are summarised, and the measure they are then summarised by."""
    if measure is None or measure.summary is None:
        return name, measure
    for column, other in known.items():
        if other == measure.base:
            return column, measure
    # its own column: logarithms already, which are averaged as they are
    return name, None if measure.summary[0] == "AG" else measure
