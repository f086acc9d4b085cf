"""The one join: judgments and runs become integers, and everything after works on those alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError, IrassayWarning
from irassay.measures.core.param import SIZES, has_size
from irassay.panel.grades import from_grade
from irassay.read.vocabulary import text

if TYPE_CHECKING:
    from irassay.scoring.scores import Scores

Ints = NDArray[np.int64]


class DocumentNames(Protocol):
    """What the pool entries of a panel are called: in bytes, and as four words each where they are short enough."""

    def names(self, panel: Panel) -> list[bytes]: ...

    def names_of(self, panel: Panel, entries: Ints) -> list[bytes]: ...

    def words(self, panel: Panel) -> NDArray[np.uint64] | None: ...


@dataclass(frozen=True, eq=False, repr=False)
class Panel:
    """Aligned lists, topic-major: list (t, s) is `codes[offsets[t, s]:offsets[t, s + 1]]`.

    A code counts within its topic's pool: judged documents first, in byte order of their ids. `grade` has one
    entry per pool entry: >= 0 judged, -1 pooled but not judged, -2 not pooled.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    offsets: Ints  # [topics, systems + 1]
    codes: NDArray[Any]  # uint16, or uint32 where a pool is larger
    pool: Ints  # where each topic's pool starts in `grade`, and the end
    grade: NDArray[np.int8]
    grades: tuple[int, ...]  # all relevant grades of the full judgments, before any selection
    gains: Mapping[int, float] | None = None
    scores: NDArray[np.float64] | None = None  # retrieval scores along `codes`, only when asked for
    warnings: tuple[IrassayWarning, ...] = ()
    policy: Mapping[str, object] = field(default_factory=dict)
    document_names: DocumentNames | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)  # other names of systems: their tags, files and stems

    def __post_init__(self) -> None:
        for array in (self.offsets, self.codes, self.pool, self.grade, self.scores):
            if array is not None:
                array.setflags(write=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        # numpy forgets in a pickle that an array was read-only, and kernels would be compiled anew for such arrays
        self.__dict__.update(state)
        self.__post_init__()

    @property
    def minimal(self) -> Panel:
        """Only what scores depend on: what goes to other machines, with the numbers of documents if they are known."""
        panel = replace(self, scores=None, warnings=(), policy={}, document_names=None)
        if "document" in self.__dict__:
            panel.__dict__["document"] = self.document
        return panel

    def __repr__(self) -> str:
        return f"<Panel: {len(self.systems)} systems x {len(self.topics)} topics, {len(self.codes)} entries>"

    def score(self, measures: str | Iterable[Any], *, jobs: int | None = None) -> Scores:
        """Score every list: `panel.score("AP nDCG@10")["AP"].values` is [systems, topics]."""
        from irassay.scoring.score_panel import score

        return score(self, measures, jobs=jobs)

    def select(self, topics: Iterable[str]) -> Panel:
        """The panel of these topics only, in this order."""
        places = [_index(self.topics, topic, "topic") for topic in topics]
        if places == list(range(len(self.topics))):
            return self
        lists = [slice(self.offsets[t, 0], self.offsets[t, -1]) for t in places]
        entries = np.concatenate([np.arange(self.pool[t], self.pool[t + 1]) for t in places])
        sizes = np.diff(self.offsets, axis=1)[places]
        ends = np.cumsum(sizes).reshape(sizes.shape)
        return replace(
            self,
            topics=tuple(self.topics[t] for t in places),
            offsets=np.concatenate([ends[:, :1] - sizes[:, :1], ends], axis=1),
            codes=np.concatenate([self.codes[one] for one in lists]),
            pool=np.concatenate([[0], np.cumsum(np.diff(self.pool)[places])]),
            grade=self.grade[entries],
            scores=None if self.scores is None else np.concatenate([self.scores[one] for one in lists]),
            document_names=self.document_names and _SomeNames(self, self.document_names, entries),
        )

    def condensed(self) -> Panel:
        """The panel with condensed lists: documents without a judgment are dropped."""
        bases = np.repeat(self.pool[:-1], self.offsets[:, -1] - self.offsets[:, 0])
        kept = self.grade[bases + self.codes] >= 0
        before = np.concatenate([[0], np.cumsum(kept)])
        return replace(
            self,
            offsets=before[self.offsets],
            codes=self.codes[kept],
            scores=None if self.scores is None else self.scores[kept],
        )

    def judged_counts(self, rel: int = 1) -> Ints:
        """Judged documents [topics, grades]: column 0 counts the judged nonrelevant, below `rel`."""
        return from_grade(self._judged_by_grade.copy(), rel)

    @cached_property
    def _judged_by_grade(self) -> Ints:
        shape = (len(self.topics), max(self.grades, default=0) + 1)
        judged = np.flatnonzero(self.grade >= 0)
        topic = np.searchsorted(self.pool, judged, side="right") - 1
        return np.bincount(topic * shape[1] + self.grade[judged], minlength=shape[0] * shape[1]).reshape(shape)

    @cached_property
    def _names(self) -> list[bytes]:
        if self.document_names is None:
            raise InputError("this panel has no names of documents")
        return self.document_names.names(self)

    def documents(self, topic: str) -> tuple[str, ...]:
        """The ids of a topic's pool, in the order of their codes."""
        t = _index(self.topics, topic, "topic")
        return tuple(text(name) for name in self._names[self.pool[t] : self.pool[t + 1]])

    def documents_of(self, entries: Ints) -> list[str]:
        """The ids of some pool entries, without those of all others."""
        if self.document_names is None:
            raise InputError("this panel has no names of documents")
        return [text(name) for name in self.document_names.names_of(self, entries)]

    @cached_property
    def document(self) -> NDArray[np.int32]:
        """The corpus-wide number of each pool entry, in byte order of all ids: the same for any order of runs."""
        words = self.document_names.words(self) if self.document_names is not None else None
        if words is None:
            numbers = {name: number for number, name in enumerate(sorted(set(self._names)))}
            out = np.fromiter((numbers[name] for name in self._names), dtype=np.int32, count=len(self._names))
        else:
            order = np.lexsort((words[:, 3], words[:, 2], words[:, 1], words[:, 0]))
            new = (words[order[1:]] != words[order[:-1]]).any(axis=1)
            out = np.empty(len(order), dtype=np.int32)
            out[order] = np.concatenate([np.zeros(min(1, len(order)), dtype=np.int32), np.cumsum(new, dtype=np.int32)])
        out.setflags(write=False)
        return out

    def ranking(self, system: str, topic: str) -> tuple[str, ...]:
        """One list as document ids, in the order in which it is scored."""
        s, t = _index(self.systems, system, "system"), _index(self.topics, topic, "topic")
        codes = self.codes[self.offsets[t, s] : self.offsets[t, s + 1]].tolist()
        return tuple(text(self._names[self.pool[t] + code]) for code in codes)


@dataclass(frozen=True)
class _SomeNames:
    """The names of some pool entries of another panel."""

    panel: Panel
    known: DocumentNames
    entries: Ints

    def names(self, panel: Panel) -> list[bytes]:
        return [self.panel._names[entry] for entry in self.entries.tolist()]

    def names_of(self, panel: Panel, entries: Ints) -> list[bytes]:
        return self.known.names_of(self.panel, self.entries[entries])

    def words(self, panel: Panel) -> NDArray[np.uint64] | None:
        words = self.known.words(self.panel)
        return None if words is None else words[self.entries]


def _index(names: tuple[str, ...], name: str, kind: str) -> int:
    if name not in names:
        raise InputError(f"the panel has no {kind} {name!r}")
    return names.index(name)


def parse_gains(gains: str | Mapping[int, float] | None, present: Sequence[int]) -> dict[int, float] | None:
    """`1=1,2=3` or a mapping; every relevant grade that occurs must have a gain."""
    if gains is None:
        return None
    place = f"gains {gains!r}" if isinstance(gains, str) else "gains"
    pairs = [item.partition("=")[::2] for item in gains.split(",")] if isinstance(gains, str) else gains.items()
    table: dict[int, float] = {}
    for key, value in pairs:
        try:
            grade, gain = int(key), float(value)
        except (TypeError, ValueError):
            grade, gain = 0, 0.0
        if grade < 1 or grade != float(key):
            raise InputError(
                f"'{key}={value}' gives no grade a gain",
                place,
                f"write 1=1,2=3: whole grades from 1, gains {SIZES}",
            )
        if gain < 0 or not has_size(gain):
            raise InputError(f"the gain of grade {grade} is {gain:g}", place, f"gains are {SIZES}")
        if grade in table:
            raise InputError(f"grade {grade} has two gains", place)
        table[grade] = gain
    missing = [str(g) for g in present if g not in table]
    if missing:
        raise InputError(
            f"no gain for grade {', '.join(missing)}, which occurs in the judgments",
            place,
            "list every relevant grade",
        )
    return table
