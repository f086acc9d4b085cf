"""Systems under the labels of a judge: scored on the documents that reference and judge have in common, and on all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError, IrassayWarning
from irassay.measures import parse
from irassay.panel.alignment import PoolNames, align
from irassay.panel.grades import UNPOOLED
from irassay.panel.panel import Panel, parse_gains
from irassay.read import Runs
from irassay.scoring.scores import Scores
from irassay.studies.inputs import check_size, thread_count
from irassay.studies.judges.label_tables import IN_NO_LIST, Strata
from irassay.studies.judges.labels import MAJORITY, OTHERS, Labels, few_names
from irassay.studies.judges.settings import Judges
from irassay.studies.selection import Selected, check_selection, select_systems

FEW_TOPICS = 10  # common topics, below which an order says little


@dataclass(frozen=True, eq=False)
class JudgedScores:
    """The scores of all systems by the reference, or by the majority of the other judges, and by one judge.

    `reference` and `judge` use the documents that both labelled. Where the judges have no common topic, each uses all
    of its own documents and topics. `reference_own` and `judge_own` use all documents of each, on the same topics.
    """

    place: int  # of the judge among the labels
    name: str
    against: str
    paired: bool
    reference: Scores
    judge: Scores
    reference_own: Scores
    judge_own: Scores


@dataclass(frozen=True, eq=False)
class Systems:
    """Runs aligned with the documents of all judges at once, so that every judge's grades are one array."""

    study: Judges
    labels: Labels
    panel: Panel
    jobs: int

    @property
    def names(self) -> PoolNames:
        assert isinstance(self.panel.document_names, PoolNames)
        return self.panel.document_names

    @cached_property
    def topic_places(self) -> NDArray[np.int64]:
        """The place among the labels' topics of each topic of the panel."""
        place = {name: k for k, name in enumerate(self.labels.topics)}
        return np.array([place[name] for name in self.panel.topics], dtype=np.int64)

    def grades(self, judge: int, documents: NDArray[np.bool_] | None = None) -> NDArray[np.int8]:
        """A judge's grades along the pools of the panel, of some documents only."""
        own = self.labels.grade[judge]
        if documents is not None:
            own = np.where(documents, own, np.int8(UNPOOLED))
        out = np.full(len(self.panel.grade), UNPOOLED, dtype=np.int8)
        out[self.names.judged_place] = own[self.names.judged]
        return out

    def score(self, grade: NDArray[np.int8]) -> Scores:
        return replace(self.panel, grade=grade).score(parse(self.study.measures), jobs=self.jobs)

    @cached_property
    def own(self) -> list[Scores]:
        """The scores by all labels of each judge."""
        return [self.score(self.grades(judge)) for judge in range(len(self.labels.judges))]

    @cached_property
    def selected(self) -> tuple[tuple[str, ...], Selected]:
        """The systems that are compared, best by the reference's labels, and how they were selected."""
        topics = self.kept(self.labels.grade[0] >= 0, (0,))
        scores = self.own[0].select(topics=topics)
        means = {one.name: one.means() for one in scores.by_measure()}
        selected = select_systems(self.study, self.panel.systems, means, aliases=self.panel.aliases)
        check_size(selected.places, topics)
        return tuple(self.panel.systems[place] for place in selected.places), selected

    def kept(self, documents: NDArray[np.bool_], judges: Sequence[int]) -> list[str]:
        """The topics that have some of the documents; by default only where each judge calls one of them relevant."""
        labels = self.labels
        has = np.bincount(labels.topic[documents], minlength=len(labels.topics)) > 0
        if self.study.unanswerable == "drop":
            for judge in judges:
                has &= labels.answerable(documents, judge)
        return [name for name, place in zip(self.panel.topics, self.topic_places, strict=True) if has[place]]

    @cached_property
    def left_out(self) -> tuple[list[JudgedScores], list[IrassayWarning]]:
        """The scores by each judge and by the majority of the others, where these have topics in common."""
        labels = self.labels
        scores, names = [], []
        for judge, others in labels.left_out:
            common = labels.common(judge, others)
            if common.any() and len(self.kept(common, (others, judge))) > 1:
                scores.append(self.judged(judge, others))
            else:
                names.append(labels.names[judge])
        what = f"too few topics to compare systems on with the {OTHERS}: {few_names(names)}"
        return scores, [IrassayWarning("few-topics", what)] if names else []

    def judged(self, judge: int, reference: int = 0) -> JudgedScores:
        """The scores by the reference, or another judge in its place, and by one judge."""
        labels = self.labels
        name, against, systems = labels.names[judge], labels.names[reference], self.selected[0]
        common, places = labels.common(judge, reference), (reference, judge)
        if not common.any():
            topics_of = [self.kept(labels.grade[j] >= 0, (j,)) for j in places]
            _check_topics(name, min(map(len, topics_of)))
            apart = [
                self.own[j].select(systems=systems, topics=topics) for j, topics in zip(places, topics_of, strict=True)
            ]
            return JudgedScores(judge, name, against, False, *apart, *apart)
        topics = self.kept(common, places)
        _check_topics(name, len(topics))
        scores = [self._on_common(j, common).select(systems=systems, topics=topics) for j in places]
        whole = [self.own[j].select(systems=systems, topics=topics) for j in places]
        return JudgedScores(judge, name, against, True, *scores, *whole)

    def _on_common(self, judge: int, common: NDArray[np.bool_]) -> Scores:
        if common[self.labels.grade[judge] >= 0].all():  # all that the judge labelled
            return self.own[judge]
        return self.score(self.grades(judge, common))

    @cached_property
    def best_rank(self) -> NDArray[np.int64]:
        """The best rank of each labelled document in any list, 0 where no list has it."""
        return np.asarray(self.best_ranks([range(len(self.panel.systems))])[0])

    def best_ranks(self, members: Sequence[Sequence[int]]) -> NDArray[np.int64]:
        """The best rank of each labelled document in the lists of some systems [groups, documents]; 0: in none."""
        out = np.zeros((len(members), len(self.labels.topic)), dtype=np.int64)
        out[:, self.names.judged] = best_ranks(self.panel, members)[:, self.names.judged_place]
        return out

    def strata(self) -> Strata:
        """Documents by their best rank in any list."""
        names, members, low = [], [], 1
        for high in self.study.levels:
            names.append(f"ranks {low}-{high}")
            members.append((self.best_rank >= low) & (self.best_rank <= high))
            low = high + 1
        names += [f"ranks from {low}", IN_NO_LIST]
        members += [self.best_rank >= low, self.best_rank == 0]
        return Strata(tuple(names), np.stack(members))


def best_ranks(panel: Panel, members: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """The best rank of each pool entry in the lists of some systems [groups, entries]; 0: in none of them.

    No system is in two groups.
    """
    group = np.full(len(panel.systems), -1, dtype=np.int64)
    for number, own in enumerate(members):
        group[list(own)] = number
    lengths = np.diff(panel.offsets, axis=1)
    rank = np.arange(len(panel.codes)) - np.repeat(panel.offsets[:, :-1].ravel(), lengths.ravel()) + 1
    entry = panel.codes.astype(np.int64) + np.repeat(panel.pool[:-1], lengths.sum(axis=1))
    of_group = np.repeat(np.tile(group, len(panel.topics)), lengths.ravel())
    known = np.flatnonzero(of_group >= 0)
    nowhere = np.iinfo(np.int64).max
    out = np.full(len(members) * len(panel.grade), nowhere)
    np.minimum.at(out, of_group[known] * len(panel.grade) + entry[known], rank[known])
    out[out == nowhere] = 0
    return out.reshape(len(members), len(panel.grade))


def align_judges(study: Judges, labels: Labels, runs: Any, execution: Any) -> Systems:
    """Align the runs with the documents of all judges."""
    check_selection(study)
    parse(study.measures)  # before any work
    jobs = thread_count(execution)
    options = study.alignment() | {"gains": None, "unanswerable": "zero"}
    if isinstance(runs, list) and len(runs) == 1 and isinstance(runs[0], Runs):
        (runs,) = runs
    elif isinstance(runs, list):
        from irassay.read import read_runs

        needed = study.order == "trec9" or study.residual is not None
        runs = read_runs(*runs, names=study.names, jobs=jobs, keep_scores=needed)
    panel = align(labels.union, runs, jobs=jobs, **options)
    grades = tuple(np.unique(labels.grade[labels.grade > 0]).tolist())
    panel = replace(panel, grades=grades, gains=parse_gains(study.gains, grades))
    return Systems(study, labels, panel, jobs)


def _check_topics(name: str, topics: int) -> None:
    if topics < 2:
        raise InputError(
            f"{name} and the reference have {'one topic' if topics else 'no topic'} to score systems on",
            hint="a comparison needs two topics with relevant documents, or --unanswerable zero",
        )


def warn_of_topics(judged: Sequence[JudgedScores]) -> list[IrassayWarning]:
    """Which judges share few topics with the reference."""
    few = [f"{one.name} ({len(one.judge.topics)})" for one in judged if len(one.judge.topics) < FEW_TOPICS]
    few = [each for each in few if not each.startswith(MAJORITY)]
    if not few:
        return []
    return [IrassayWarning("few-topics", f"few topics to compare systems on: {', '.join(few)}")]
