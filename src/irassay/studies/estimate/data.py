"""What both judges say of the systems: scores on the topics that both judged, and on those of the cheap one alone."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Array
from irassay.ask.prediction_powered import JudgedTopics
from irassay.errors import InputError, IrassayWarning, Problem
from irassay.measures import parse
from irassay.panel.coverage import count, first_few
from irassay.panel.topics import select
from irassay.read.groups import read_members
from irassay.read.tokens import limited
from irassay.scoring.scores import Scores
from irassay.settings import Execution, Measured, Selection
from irassay.studies.estimate.settings import Estimate
from irassay.studies.inputs import is_missing, paired_values
from irassay.studies.judges.labels import Labels, read_labels
from irassay.studies.judges.settings import Judges
from irassay.studies.judges.systems import Systems, align_judges
from irassay.vary.judges import name_of

TRUSTED, CHEAP = 0, 1  # places among the judges
CHEAP_NAME = "cheap"  # of a judge without a file, or whose file is called like that of the trusted one
FEWEST = 2  # topics of each kind: a variance needs two
FEW = 25  # topics that both judged, below which intervals of skewed scores are too short
UNLIKELY = 2.5  # standard deviations that a sum of 1/probability may be off


@dataclass(frozen=True, eq=False)
class TwoJudges:
    """The scores of all systems by both judges, and which topics both judged, and the cheap one alone.

    `shares` are the weights of the common topics where their probabilities are known.
    """

    systems: Systems
    common: tuple[str, ...]
    others: tuple[str, ...]
    shares: Array | None
    warnings: tuple[IrassayWarning, ...]

    @property
    def labels(self) -> Labels:
        return self.systems.labels

    @property
    def names(self) -> tuple[str, ...]:
        """Of the trusted and of the cheap judge."""
        return self.labels.names

    def scores(self, judge: int, topics: tuple[str, ...]) -> Scores:
        return self.systems.own[judge].select(topics=topics)

    def by_measure(self, systems: tuple[str, ...]) -> tuple[dict[str, JudgedTopics], list[IrassayWarning]]:
        """What is estimated of some systems by each measure, and warnings of measures that become others."""
        hint = "estimate the measure itself"

        def values(judge: int, topics: tuple[str, ...]) -> tuple[dict[str, Array], list[IrassayWarning]]:
            return paired_values(self.scores(judge, topics).select(systems=systems), hint)

        trusted, warnings = values(TRUSTED, self.common)
        cheap, _ = values(CHEAP, self.common)
        none = {name: scores[:, :0] for name, scores in cheap.items()}
        others = values(CHEAP, self.others)[0] if self.others else none
        return {name: JudgedTopics(trusted[name], cheap[name], others[name], self.shares) for name in trusted}, warnings

    def missing(self, topics: tuple[str, ...]) -> NDArray[np.int64]:
        """How many of the topics each system of the panel has no list for."""
        panel = self.systems.panel
        place = {name: k for k, name in enumerate(panel.topics)}
        sizes = np.diff(panel.offsets, axis=1)[[place[name] for name in topics]]
        return np.asarray((sizes == 0).sum(axis=0))

    def per_topic(self, topics: tuple[str, ...]) -> dict[str, Array]:
        """What the cheap judge labelled of each topic: documents, and relevant ones."""
        labels = self.labels
        place = {name: k for k, name in enumerate(labels.topics)}
        chosen = [place[name] for name in topics]
        grade = labels.grade[CHEAP]
        return {
            f"documents that {what}": np.bincount(labels.topic[grade >= low], minlength=len(place))[chosen].astype(
                float
            )
            for low, what in ((0, "the cheap judge labelled"), (1, "it calls relevant"))
        }


def load_judges(
    study: Selection,
    qrels: Any,
    runs: Any,
    execution: Execution | None,
    cheap: Any,
    *,
    drop: bool = False,
    others_needed: bool = True,
) -> TwoJudges:
    """Read and align the judgments of both and the runs.

    `drop` leaves out the topics in which the cheap judge calls nothing relevant. With other settings than those of
    `estimate` there are no probabilities and no other grades.
    """
    if is_missing(runs):
        raise InputError("there are no runs", hint="give QRELS, --cheap QRELS and runs")
    own = study if isinstance(study, Estimate) else None
    name = name_of(cheap, CHEAP_NAME)
    name = CHEAP_NAME if name == name_of(qrels, "reference") else name
    try:
        labels = read_labels(_as_judges(study), qrels, [(name, cheap)])
    except InputError as problem:
        if own is None and "--map" in problem.hint:
            raise InputError.of(problem.problems, "bring both judges to one scale of grades first") from None
        raise
    several = isinstance(runs, (list, tuple)) and not hasattr(runs, "_fields")
    systems = align_judges(_as_judges(study), labels, list(runs) if several else [runs], execution)
    trusted, labelled = (systems.kept(labels.grade[judge] >= 0, ()) for judge in (TRUSTED, CHEAP))
    if own is not None and own.trusted_topics is not None:
        trusted = list(select(trusted, own.trusted_topics))
    kept = _with_relevant(labels, labelled) if drop else labelled
    common = tuple(name for name in kept if name in set(trusted))
    others = tuple(name for name in kept if name not in set(trusted))
    _check(labels, trusted, labelled, common)
    if others_needed:
        _check_others(labels, others)
    unused = [name for name in trusted if name not in set(labelled)]
    warnings = [_only_trusted(unused)] if unused else []
    if len(common) < FEW:
        warnings.append(_few(len(common)))
    shares = None
    if own is not None and own.probabilities is not None:
        shares, unlikely = read_shares(Path(own.probabilities), common, len(common) + len(others))
        warnings += unlikely
    return TwoJudges(systems, common, others, shares, tuple(warnings))


def _as_judges(study: Selection) -> Judges:
    """The settings with which `judges` reads and aligns the same files."""
    shared = {field.name: getattr(study, field.name) for field in fields(Selection)} | {"unanswerable": "zero"}
    more: dict[str, Any] = {"map": study.map, "highest": study.highest} if isinstance(study, Estimate) else {}
    assert isinstance(study, Estimate | Measured)
    parse(study.measures)
    return Judges(**shared, measures=study.measures, **more)


def _with_relevant(labels: Labels, topics: Sequence[str]) -> list[str]:
    """The topics in which the cheap judge calls a document relevant."""
    relevant = labels.answerable(labels.grade[CHEAP] >= 0, CHEAP)
    kept = {name for name, has in zip(labels.topics, relevant.tolist(), strict=True) if has}
    return [name for name in topics if name in kept]


def _check(labels: Labels, trusted: Sequence[str], labelled: Sequence[str], common: tuple[str, ...]) -> None:
    """Some topics are judged by both, who saw some of the same documents there."""
    human, cheap = labels.judges
    where = f"{human.qrels.path}, {cheap.qrels.path}"
    if not common:
        raise InputError(
            f"no topic is judged in both: {count(len(trusted), 'topic')} by {human.name}, {len(labelled)} by "
            f"{cheap.name}",
            where,
            "what the cheap judge gets wrong shows on topics that both judged only: let it judge the topics of QRELS "
            "too; `irassay judges` compares judges of different topics",
        )
    place = {name: k for k, name in enumerate(labels.topics)}
    if not np.isin(labels.topic[labels.common(TRUSTED, CHEAP)], [place[name] for name in common]).any():
        raise InputError(
            f"both judged {count(len(common), 'topic')}, such as {common[0]}, and no document in common",
            where,
            "document ids must be equal as text",
        )
    if len(common) < FEWEST:
        raise InputError("one topic alone is judged in both", where, "a variance needs two; ten are few")


def _check_others(labels: Labels, others: tuple[str, ...]) -> None:
    """There are topics of the cheap judge alone."""
    human, cheap = labels.judges
    if len(others) < FEWEST:
        what = "no topic is" if not others else "one topic alone is"
        raise InputError(
            f"{what} judged by {cheap.name} and not by {human.name}",
            cheap.qrels.path,
            "then the trusted judgments say all there is to say: use `irassay compare`; --trusted-topics takes some of "
            "them only",
        )


def _only_trusted(names: Sequence[str]) -> IrassayWarning:
    what = f"{count(len(names), 'topic')} of QRELS not judged by the cheap judge, left out: {first_few(names)}"
    return IrassayWarning("trusted-only", what)


def _few(topics: int) -> IrassayWarning:
    return IrassayWarning(
        "few-topics",
        f"{topics} topics are judged by both: with so few intervals of mean scores hold the truth less often than they "
        "should, those of the trusted topics alone too (docs/calibration.md)",
    )


def read_shares(path: Path, topics: tuple[str, ...], total: int) -> tuple[Array, list[IrassayWarning]]:
    """The weights of topics from their chances to be chosen, 1/p scaled to sum to 1 (Hájek's)."""
    hint = "one line for each topic that both judged: topic, and a probability above 0 and up to 1"
    members = read_members(path, "topic", "probability")
    missing = [Problem(f"topic {name} has no probability", str(path)) for name in topics if name not in members]
    if missing:
        raise InputError.of(limited(missing, path), hint)
    chances: NDArray[np.float64] = np.empty(len(topics))
    problems = []
    for k, name in enumerate(topics):
        member = members[name]
        try:
            chances[k] = float(member.group)
        except ValueError:
            chances[k] = np.nan
        if not 0 < chances[k] <= 1:
            problems.append(Problem(f"{member.group!r} is no probability", f"{path}:{member.line}"))
    if problems:
        raise InputError.of(limited(problems, path), hint)
    sizes = 1 / chances
    off = abs(float(sizes.sum()) - total)
    if off <= UNLIKELY * float(np.sqrt(((1 - chances) * sizes**2).sum())) + 1:
        return sizes / sizes.sum(), []
    what = (
        f"the probabilities of the trusted topics stand for {sizes.sum():,.0f} topics (the sum of 1/p), and there are "
        f"{total:,}: are they those of this sample?"
    )
    return sizes / sizes.sum(), [IrassayWarning("probabilities", what, str(path))]
