"""Labels of several judges over one list of documents: reading them, their scale, and which file is which."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.ask.label_agreement import most_frequent
from irassay.errors import InputError, Problem
from irassay.panel.grades import POOLED, UNPOOLED
from irassay.panel.topics import select, sorted_topics
from irassay.read import Qrels, read_qrels
from irassay.read.files import expand, load, stem
from irassay.read.kinds import kind_of
from irassay.read.vocabulary import raw, text
from irassay.studies.inputs import is_missing
from irassay.studies.judges.settings import Judges, parse_maps
from irassay.vary.judges import name_of

Ints = NDArray[np.int64]
MAJORITY, OTHERS = "majority", "majority of the others"
MOST_NAMED = 5  # out-of-scale grades and judges that an error names


class Judge(NamedTuple):
    """One judge's labels as they were read."""

    name: str
    qrels: Qrels


@dataclass(frozen=True, eq=False)
class Labels:
    """What each judge gave each document, the reference first; below 0 where a judge gave none.

    Documents are numbered as in `union`, which holds all that some judge labelled.
    """

    judges: tuple[Judge, ...]
    union: Qrels
    grade: NDArray[np.int8]  # [judges, documents]
    topics: tuple[str, ...]
    topic: NDArray[np.int64]  # of each document
    highest: int
    judged_topics: int = 0  # also those that --topics leaves out

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(judge.name for judge in self.judges)

    @property
    def grades(self) -> int:
        """How many grades the scale has, from 0."""
        return self.highest + 1

    def common(self, one: int, other: int = 0) -> NDArray[np.bool_]:
        """The documents that both judges labelled."""
        return np.asarray((self.grade[one] >= 0) & (self.grade[other] >= 0))

    def answerable(self, documents: NDArray[np.bool_], judge: int) -> NDArray[np.bool_]:
        """The topics in which the judge calls one of these documents relevant."""
        relevant = self.topic[documents & (self.grade[judge] >= 1)]
        return np.bincount(relevant, minlength=len(self.topics)) > 0

    @cached_property
    def majority(self) -> NDArray[np.int8] | None:
        """The label of most of the judges, the reference not among them; None with fewer than three."""
        others = self.grade[1:]
        return most_frequent(others, len(others) // 2 + 1) if len(others) > 2 else None

    def with_others(self) -> "Labels":
        """The same and, where there is a majority, for each judge of it what most of the others say."""
        if self.names[-1] != MAJORITY:
            return self
        own = self.grade[1:-1]
        others = [most_frequent(np.delete(own, k, axis=0), (len(own) - 1) // 2 + 1) for k in range(len(own))]
        judges = [Judge(OTHERS, replace(self.union, path=f"{OTHERS} than {name}")) for name in self.names[1:-1]]
        return replace(self, judges=(*self.judges, *judges), grade=np.vstack([self.grade, *others]))

    @property
    def left_out(self) -> list[tuple[int, int]]:
        """Each judge and the majority of the others, as places in what `with_others` gives."""
        return list(enumerate((place for place, name in enumerate(self.names) if name == OTHERS), start=1))

    def with_majority(self) -> "Labels":
        """The same with the majority as one more judge, where there are enough judges for one."""
        reserved = (OTHERS,) if self.majority is None else (OTHERS, MAJORITY)
        for name in set(self.names).intersection(reserved):
            raise InputError(f"a judge is called {name!r}", hint="rename the file: the majority has this name")
        if self.majority is None:
            return self
        judge = Judge(MAJORITY, replace(self.union, path=f"majority of {len(self.judges) - 1} judges"))
        return replace(self, judges=(*self.judges, judge), grade=np.vstack([self.grade, self.majority]))


def sort_sources(study: Judges, runs: Any) -> tuple[list[tuple[str, Any]], list[Any]]:
    """Judges, by name, and runs, from what was given for both."""
    judges: list[tuple[str, Any]] = []
    systems: list[Any] = []
    several = isinstance(runs, (list, tuple)) and not hasattr(runs, "_fields")
    for source in () if is_missing(runs) else runs if several else [runs]:
        if isinstance(source, Qrels):
            judges.append((name_of(source), source))
        elif isinstance(source, (str, os.PathLike)):
            for path in expand([source]):
                if kind_of(path) == "run":
                    systems.append(path)
                else:
                    judges.append((stem(path), path))
        else:
            systems.append(source)
    sources: Any = study.judges
    if isinstance(sources, Mapping):
        judges += [(str(name), source) for name, source in sources.items()]
    else:
        for source in (sources,) if isinstance(sources, (str, os.PathLike, Qrels)) else sources:
            paths = expand([source]) if isinstance(source, (str, os.PathLike)) else [source]
            judges += [(name_of(one), one) for one in paths]
    return judges, systems


def read_labels(study: Judges, qrels: Any, sources: Sequence[tuple[str, Any]]) -> Labels:
    """The labels of the reference and of all judges, mapped and checked."""
    if is_missing(qrels):
        raise InputError("there is no reference", hint="give QRELS, and judgments to compare with it")
    if not sources:
        hint = "give another file of judgments after the reference, or --judge FILE"
        raise InputError("there is no judge to compare with the reference", hint=hint)
    judges = [
        Judge(name, source if isinstance(source, Qrels) else read_qrels(source, duplicates=study.duplicates))
        for name, source in [(name_of(qrels, "reference"), qrels), *sources]
    ]
    for k, judge in enumerate(judges):
        same = next((other for other in judges[:k] if other.name == judge.name), None)
        if same is not None:
            paths = f"{same.qrels.path} and {judge.qrels.path}"
            raise InputError(f"two judges are called {judge.name!r}: {paths}", hint="rename one of the files")
    names = [judge.name for judge in judges]
    if study.human is not None and study.human not in names[1:]:
        raise InputError(f"there is no judge {study.human!r}", "--human", f"they are {', '.join(names[1:])}")
    maps = parse_maps(study.map, names)
    mapped = [_mapped(judge.qrels.grade, maps[name], study.negative) for name, judge in zip(names, judges, strict=True)]
    highest = int(mapped[0].max(initial=0)) if study.highest is None else study.highest
    if highest < 1:
        raise InputError("the reference calls no document relevant", judges[0].qrels.path, "grades of 1 and more are")
    _check_scale(judges, mapped, highest)
    union = _union([judge.qrels for judge in judges])
    grade = np.full((len(judges), len(union)), UNPOOLED, dtype=np.int8)
    for row, judge, grades in zip(grade, judges, mapped, strict=True):
        row[union.vocabulary.find(judge.qrels.vocabulary)] = grades
    topics = sorted_topics(union.topics)
    chosen = {name: place for place, name in enumerate(select(topics, study.topics))}
    places = np.array([chosen.get(text(name), -1) for name in union.vocabulary.topics], dtype=np.int64)
    topic = places[union.vocabulary.topic]
    grade[:, topic < 0] = UNPOOLED
    return Labels(tuple(judges), union, grade, tuple(chosen), np.maximum(topic, 0), highest, len(topics))


def _mapped(grade: NDArray[np.int8], table: Mapping[int, int], negative: str) -> NDArray[np.int8]:
    new = np.where(grade < 0, 0 if negative == "nonrelevant" else POOLED, grade)
    for old, value in table.items():
        new[grade == old] = max(value, POOLED)
    return new.astype(np.int8)


def _check_scale(judges: Sequence[Judge], mapped: Sequence[NDArray[np.int8]], highest: int) -> None:
    """Labels above the scale are an error that shows the first of each judge."""
    problems = []
    for judge, grades in zip(judges, mapped, strict=True):
        above = np.flatnonzero(grades > highest)
        if not len(above):
            continue
        topic, document = judge.qrels.vocabulary.pair(int(above[0]))
        number = "1 label is" if len(above) == 1 else f"{len(above)} labels are"
        what = (
            f"{number} outside the scale from 0 to {highest}: the first is grade {judge.qrels.grade[above[0]]} of "
            f"document {document}, topic {topic}"
        )
        problems.append(Problem(what, _place(judge.qrels, topic, document)))
        first = judge.name, int(judge.qrels.grade[above[0]])
    if problems:
        name, grade = first
        hint = (
            f"say what such a label means: --map {name}:{grade}={highest}, or {grade}=-1 to leave it out; a longer "
            f"scale is --highest GRADE; of other scales map all grades, as --map 2=1,3=1"
        )
        raise InputError.of(problems, hint)


def _place(qrels: Qrels, topic: str, document: str) -> str:
    """The line of a label, where it came from a file."""
    path = Path(qrels.path)
    if not path.is_file():
        return qrels.path
    wanted = raw(topic), raw(document)
    for number, line in enumerate(load(path).tobytes().split(b"\n"), start=1):
        words = line.split()
        if len(words) > 2 and words[0] == wanted[0] and wanted[1] in words[1:]:
            return f"{path}:{number}"
    return qrels.path


def _union(qrels: Sequence[Qrels]) -> Qrels:
    """All judged documents of all judges; every one counts as relevant, so that alignment keeps every topic."""
    reference = qrels[0]
    more = [reference.vocabulary.find(other.vocabulary) < 0 for other in qrels[1:]]
    union = reference
    if any(missing.any() for missing in more):
        documents: dict[str, dict[str, int]] = {}
        for topic, document in _pairs(reference, np.arange(len(reference))):
            documents.setdefault(topic, {})[document] = 1
        for other, missing in zip(qrels[1:], more, strict=True):
            for topic, document in _pairs(other, np.flatnonzero(missing)):
                documents.setdefault(topic, {})[document] = 1
        union = replace(read_qrels(documents), path=reference.path, run_order=reference.run_order)
    return replace(union, grade=np.ones(len(union), dtype=np.int8))


def _pairs(qrels: Qrels, entries: Ints) -> Iterator[tuple[str, str]]:
    topics = [text(name) for name in qrels.vocabulary.topics]
    numbers = qrels.vocabulary.topic[entries].tolist()
    names = map(text, qrels.vocabulary.names(entries))
    return zip((topics[number] for number in numbers), names, strict=True)


def few_names(names: Iterable[str]) -> str:
    """The first names, and how many more there are."""
    listed = list(names)
    more = len(listed) - MOST_NAMED
    return ", ".join(islice(listed, MOST_NAMED)) + (f" and {more} more" if more > 0 else "")
