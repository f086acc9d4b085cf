"""What a study works on: judgments and runs, a panel, scores or score tables become what the study needs of them."""

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any

from irassay._version import __version__
from irassay.compute.threads import cores
from irassay.errors import InputError, IrassayWarning, emit
from irassay.files import is_path
from irassay.measures import parse
from irassay.panel.alignment import align
from irassay.panel.panel import Panel
from irassay.panel.topics import select
from irassay.read import Qrels, Runs, read_qrels, read_runs
from irassay.read.files import expect
from irassay.scoring.score_frames import is_score_frame, scores_of_frame
from irassay.scoring.scores import Array, Scores
from irassay.settings import Execution, Inputs, Measured, Resampling, Selection
from irassay.studies.phrases import restrictions_of, topics_evaluated
from irassay.studies.score_inputs import choose_scores, read_tables, refuse_options, table_paths
from irassay.studies.selection import check_selection, select_systems

GIVE_FILES = "give qrels and runs: what irassay.align takes"
NTCIR = "NTCIR"
NTCIR_DEFAULTS = (
    "NTCIREVAL divides AP@k and Q@k by min(k,R), lets ERR and nERR stop with probability gain/(gain(H)+1), and calls "
    "nDCG what is nDCG(dcg='jk') here (its MSnDCG is nDCG here): --preset ntcir takes its measures"
)


@dataclass(frozen=True, eq=False)
class PanelInput:
    """Judgments and runs as they were read, and aligned; a user who aligns them gives their panel alone."""

    files: tuple[Qrels, Runs] | None
    panel: Panel
    jobs: int
    restrictions: tuple[str, ...] = ()  # sentences on what is evaluated

    @property
    def qrels(self) -> Qrels:
        assert self.files is not None
        return self.files[0]

    @property
    def runs(self) -> Runs:
        assert self.files is not None
        return self.files[1]

    @property
    def provenance(self) -> dict[str, object]:
        """How a result came about: versions, inputs and policies."""
        paths = {} if self.files is None else {"qrels": self.qrels.path, "runs": [run.path for run in self.runs]}
        return {
            "irassay": __version__,
            **paths,
            "systems": len(self.panel.systems),
            "topics": list(self.panel.topics),
            "gains": self.panel.gains,
            **self.panel.policy,
            "warnings": [str(warning) for warning in self.panel.warnings],
            "restrictions": list(self.restrictions),
        }

    @property
    def warnings(self) -> tuple[IrassayWarning, ...]:
        return self.panel.warnings


@dataclass(frozen=True, eq=False)
class ScoreInput:
    """Scores of the selected systems; the panel, where they come from one, has all systems."""

    scores: Scores
    panel: Panel | None
    provenance: dict[str, object]
    warnings: tuple[IrassayWarning, ...]
    jobs: int

    @property
    def systems(self) -> tuple[str, ...]:
        return self.scores.systems

    @property
    def topics(self) -> tuple[str, ...]:
        return self.scores.topics


def thread_count(execution: Execution | None) -> int:
    """The threads asked for, else the cores that this process may use."""
    return (execution.jobs if execution else None) or cores()


def is_missing(data: Any) -> bool:
    """Nothing was given: None, or an empty sequence of paths."""
    return data is None or (isinstance(data, list | tuple) and not data)


def read_inputs(
    settings: Inputs, qrels: Any, runs: Any, *, jobs: int | None, keep_scores: bool = True
) -> tuple[Qrels, Runs]:
    """Judgments and runs, read unless they are read already."""
    if isinstance(qrels, Panel | Scores):
        what = "a panel was" if isinstance(qrels, Panel) else "scores were"
        raise InputError(f"this study needs judgments and runs, and {what} given", hint=GIVE_FILES)
    if is_missing(qrels) or is_missing(runs):
        raise InputError("there is nothing to study", hint="give QRELS and runs")
    files = [qrels, *(runs if isinstance(runs, list | tuple) else [runs])]
    expect(filter(is_path, files), settings.exclude)
    if not isinstance(qrels, Qrels):
        qrels = read_qrels(qrels, duplicates=settings.duplicates)
    if not isinstance(runs, Runs):
        runs = read_runs(runs, **settings.reading(), jobs=jobs, keep_scores=keep_scores)
    return qrels, runs


def load_panel(
    settings: Inputs,
    qrels: Any,
    runs: Any,
    execution: Execution | None,
    *,
    keep_scores: bool = False,
    comparison: bool = False,
    files: bool = False,
) -> PanelInput:
    """Read judgments and runs, and align them.

    `keep_scores` keeps the retrieval scores beside the lists. A `comparison` needs two systems and two topics. Instead
    of judgments `qrels` may be a `Panel`, unless the study looks at what was in the `files`.
    """
    if isinstance(settings, Selection):
        check_selection(settings)
    jobs = thread_count(execution)
    if isinstance(qrels, Panel) and not files:
        panel = _selected(settings, qrels, runs)
        return _sized(PanelInput(None, panel, jobs, _topics_left(settings, panel, len(qrels.topics))), comparison)
    needed = keep_scores or settings.order == "trec9" or settings.residual is not None or settings.drop_self
    qrels, runs = read_inputs(settings, qrels, runs, jobs=jobs, keep_scores=needed)
    if qrels.format == NTCIR and settings.preset is None:
        emit([IrassayWarning("ntcir-defaults", NTCIR_DEFAULTS, qrels.path)])
    panel = align(qrels, runs, jobs=jobs, keep_scores=keep_scores, **settings.alignment())
    return _sized(PanelInput((qrels, runs), panel, jobs, _topics_left(settings, panel, len(qrels.topics))), comparison)


def _topics_left(settings: Inputs, panel: Panel, judged: int) -> tuple[str, ...]:
    """A sentence where not all judged topics are evaluated."""
    if len(panel.topics) == judged:
        return ()
    codes = {warning.code for warning in panel.warnings}
    reasons = {
        "are not among --topics": settings.topics is not None,
        "have no relevant document": settings.unanswerable == "drop" and "no-relevant" in codes,
        "are answered by no run": "unanswered-topics" in codes,
    }
    return (topics_evaluated(len(panel.topics), judged, [reason for reason, holds in reasons.items() if holds]),)


def _sized(data: PanelInput, comparison: bool) -> PanelInput:
    if comparison:
        check_size(data.panel.systems, data.panel.topics)
    return data


def _selected(settings: Inputs, panel: Panel, runs: Any) -> Panel:
    """The topics that a study takes of a panel that it is given."""
    if not is_missing(runs):
        raise InputError("a panel was given, and runs too", hint="a panel has its runs already")
    refuse_options(settings, "a panel, which is aligned already")
    relevant = panel.judged_counts()[:, 1:].sum(axis=1).tolist()
    answerable = {topic for topic, count in zip(panel.topics, relevant, strict=True) if count}
    chosen = select(panel.topics, settings.topics)
    topics = [topic for topic in chosen if topic in answerable or settings.unanswerable == "zero"]
    if not topics:
        raise InputError("no topic has a relevant document", hint="keep them with --unanswerable zero")
    return panel.select(topics)


def load_scores(
    settings: Measured,
    qrels: Any,
    runs: Any,
    execution: Execution | None,
    *,
    keep: Sequence[str] = (),
    keep_scores: bool = False,
) -> ScoreInput:
    """Score the runs, or take ready-made scores, and select systems.

    Instead of judgments `qrels` may be a `Panel`, `Scores` or a frame of them. The systems `keep` stay, whatever else
    is selected. `keep_scores` keeps the retrieval scores in the panel.
    """
    check_selection(settings)
    jobs = thread_count(execution)
    if is_score_frame(qrels):
        qrels = scores_of_frame(qrels)
    panel: Panel | None = None
    provenance: dict[str, object] = {"irassay": __version__}
    ready: Scores | None = None
    if settings.scores:
        if qrels is not None or not is_missing(runs):
            raise InputError(
                "QRELS or runs were given, and score tables too",
                hint="give one or the other; of several tables each has its own --scores, or all are one quoted glob",
            )
        ready = read_tables(settings)
        provenance["scores"] = list(map(str, table_paths(settings)))
    elif isinstance(qrels, Scores):
        if not is_missing(runs):
            raise InputError("scores were given, and runs too", hint="give one or the other")
        ready = qrels
    else:
        if not isinstance(qrels, Panel) and (is_missing(qrels) or is_missing(runs)):
            raise InputError("there is nothing to study", hint="give QRELS and runs, or score tables with --scores")
        measures = parse(settings.measures)  # before any work
        data = load_panel(settings, qrels, runs, execution, keep_scores=keep_scores)
        panel, provenance = data.panel, data.provenance
        scores = panel.score(measures, jobs=jobs)
    if ready is not None:
        scores = choose_scores(settings, ready)
        if len(scores.topics) < len(ready.topics):
            left = ["are not among --topics"]
            provenance["restrictions"] = [
                topics_evaluated(len(scores.topics), len(ready.topics), left, "topics with scores")
            ]
    aliases = panel.aliases if panel is not None else {}
    scores, fewer, restrictions = _select(settings, scores, [aliases.get(name, name) for name in keep], aliases)
    emit(fewer)
    provenance |= {
        "measures": list(scores.measures),
        "systems": list(scores.systems),
        "topics": list(scores.topics),
        "seed": settings.seed,
        "restrictions": [*restrictions_of(provenance), *restrictions],
    }
    if isinstance(settings, Resampling):
        provenance["resamples"] = settings.resamples
    warnings = (*(panel.warnings if panel is not None else ()), *fewer)
    return ScoreInput(scores, panel, provenance, warnings, jobs)


def check_size(systems: Sized, topics: Sized) -> None:
    """Comparisons need two of both."""
    if len(systems) < 2:
        raise InputError("there is one system only", hint="a comparison needs at least two")
    if len(topics) < 2:
        raise InputError("there is one topic only", hint="samples of the topics need at least two")


def _select(
    settings: Measured, scores: Scores, keep: Sequence[str], aliases: Mapping[str, str]
) -> tuple[Scores, list[IrassayWarning], list[str]]:
    check_size(scores.systems, scores.topics)
    means = {one.name: one.means() for one in scores.by_measure()}
    selected = select_systems(settings, scores.systems, means, aliases=aliases, keep=keep)
    check_size(selected.places, scores.topics)
    kept = scores.select(systems=[scores.systems[place] for place in selected.places])
    return kept, selected.warnings, selected.restrictions


def paired_values(scores: Scores, hint: str) -> tuple[dict[str, Array], list[IrassayWarning]]:
    """What paired tests compare, each once by its name; warns of measures that are tested as something else."""
    values: dict[str, Array] = {}
    warnings = []
    for one in scores.by_measure():
        name, tested = one.tested(hint)
        values.setdefault(name, tested)
        if name != one.name:
            message = f"a paired test of {one.name} is one of {name}: the logarithms are compared"
            warnings.append(IrassayWarning("tested-as", message))
    return values, warnings


def refuse_unbounded(scores: Scores, what: str) -> None:
    """Bins and margins need scores between 0 and 1."""
    for one in scores.by_measure():
        if not one.bounded:
            hint = "use GM, which has the same order" if one.name.startswith("AG(") else "use a normalised measure"
            raise InputError(f"{one.name} is not between 0 and 1: {what} mean nothing for it", hint=hint)
