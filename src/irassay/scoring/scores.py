"""Scores with their labels on: what every topic-level study starts from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError
from irassay.panel.topics import sorted_topics
from irassay.result import Column, Table, decimals

Array = NDArray[np.float64]
Cell = tuple[str, str, str]  # system, topic, measure
#: For `per_topic`: the summary exists over all topics only, as the geometric mean does.
UNDEFINED_PER_TOPIC: Final[Literal["undefined"]] = "undefined"


@dataclass(frozen=True, eq=False, repr=False)
class ScoreMatrix:
    """One measure's scores [systems, topics], read-only; NaN where a score is missing.

    `summarise` folds the topics (last axis) of any array of scores; None is the mean. `per_topic` maps scores
    to the values that are shown and tested per topic; None is the score itself.
    """

    measure: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: Array
    summarise: Callable[[Array], Array] | None = None
    per_topic: Callable[[Array], Array] | Literal["undefined"] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "systems", _labels("system", self.systems))
        object.__setattr__(self, "topics", _labels("topic", self.topics))
        # one layout, so that sums have one order of additions whatever the caller's array looked like
        values = np.array(self.values, dtype=np.float64, order="C")
        expected = (len(self.systems), len(self.topics))
        if values.shape != expected:
            raise InputError(f"{self.measure}: scores of shape {values.shape}, labels of shape {expected}")
        values.setflags(write=False)
        object.__setattr__(self, "values", values)

    def __reduce__(self) -> tuple[object, ...]:
        # through the constructor: numpy forgets in a pickle that an array was read-only
        fields = (self.measure, self.systems, self.topics, self.values, self.summarise, self.per_topic)
        return ScoreMatrix, fields

    def __repr__(self) -> str:
        return f"<ScoreMatrix {self.measure}: {len(self.systems)} systems x {len(self.topics)} topics>"

    def topic_values(self) -> Array:
        """What the measure says per topic [systems, topics]; NaN throughout where it says nothing."""
        if self.per_topic is None:
            return self.values
        if self.per_topic == UNDEFINED_PER_TOPIC:
            return np.full_like(self.values, np.nan)
        return self.per_topic(self.values)

    def means(self) -> Array:
        """Every system's score over all topics; NaN where a topic is missing."""
        return self._over_topics(self.values)

    def standard_errors(self) -> Array:
        """The standard error of every system's score over topics; NaN with one topic.

        sd/sqrt(n) for the mean; for any other summary the jackknife's, which for the mean is the same.
        """
        n = len(self.topics)
        if n < 2:
            return np.full(len(self.systems), np.nan)
        if self.summarise is None:
            return np.asarray(np.std(self.values, axis=1, ddof=1) / np.sqrt(n))
        left_out = np.stack([self._over_topics(np.delete(self.values, topic, axis=1)) for topic in range(n)])
        return np.asarray(np.sqrt((n - 1) / n * np.square(left_out - left_out.mean(axis=0)).sum(axis=0)))

    def _over_topics(self, values: Array) -> Array:
        return np.asarray(values.mean(axis=-1) if self.summarise is None else self.summarise(values))

    def wide(self) -> Table:
        """One row per topic, one column per system."""
        return Scores([self]).wide()

    def to_pandas(self) -> Any:
        """A pandas data frame with columns system, topic, measure, score."""
        return Scores([self]).to_pandas()

    def to_polars(self) -> Any:
        """A polars data frame with columns system, topic, measure, score."""
        return Scores([self]).to_polars()


class Scores:
    """Score matrices of several measures over the same systems and topics, by name: `scores["AP"]`."""

    __slots__ = ("_matrices",)

    def __init__(self, matrices: Iterable[ScoreMatrix]) -> None:
        found = tuple(matrices)
        _labels("measure", [matrix.measure for matrix in found])
        for matrix in found:
            if (matrix.systems, matrix.topics) != (found[0].systems, found[0].topics):
                raise InputError(f"{matrix.measure} and {found[0].measure} are not over the same systems and topics")
        self._matrices = {matrix.measure: matrix for matrix in found}

    @classmethod
    def from_cells(cls, cells: Mapping[Cell, float | None], measures: Sequence[str]) -> tuple[Scores, list[Cell]]:
        """Scores from single cells, and the cells without a value: systems as they appear, topics sorted."""
        systems = tuple(dict.fromkeys(system for system, _, _ in cells))
        topics = sorted_topics({topic for _, topic, _ in cells})
        matrices = []
        absent = []
        for measure in measures:
            keys = [(system, topic, measure) for system in systems for topic in topics]
            found = [cells.get(key) for key in keys]
            absent += [key for key, value in zip(keys, found, strict=True) if value is None]
            # None becomes NaN
            values = np.array(found, dtype=np.float64).reshape(len(systems), len(topics))
            matrices.append(ScoreMatrix(measure, systems, topics, values))
        return cls(matrices), absent

    def __getitem__(self, measure: str) -> ScoreMatrix:
        try:
            return self._matrices[measure]
        except KeyError:
            raise KeyError(f"no scores of {measure!r}; there are {', '.join(self._matrices)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._matrices)

    def __len__(self) -> int:
        return len(self._matrices)

    def __contains__(self, measure: object) -> bool:
        return measure in self._matrices

    def __repr__(self) -> str:
        return f"<Scores of {len(self.systems)} systems x {len(self.topics)} topics: {', '.join(self.measures)}>"

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(self._matrices)

    @property
    def matrices(self) -> tuple[ScoreMatrix, ...]:
        return tuple(self._matrices.values())

    @property
    def systems(self) -> tuple[str, ...]:
        return self.matrices[0].systems

    @property
    def topics(self) -> tuple[str, ...]:
        return self.matrices[0].topics

    @property
    def values(self) -> Array:
        """All scores [measures, systems, topics], read-only."""
        stacked = np.stack([matrix.values for matrix in self.matrices])
        stacked.setflags(write=False)
        return stacked

    def means(self) -> Array:
        """Every system's score over all topics [measures, systems]."""
        return np.stack([matrix.means() for matrix in self.matrices])

    def long(self, *, per_topic: bool = True) -> Table:
        """The table `scores`: one row per system, (topic) and measure."""
        systems, topics, measures = self.systems, self.topics, self.measures
        if per_topic:
            values = np.stack([matrix.topic_values() for matrix in self.matrices], axis=-1)
            columns: dict[str, Column] = {
                "system": [name for name in systems for _ in range(len(topics) * len(measures))],
                "topic": [topic for topic in topics for _ in measures] * len(systems),
                "measure": measures * (len(systems) * len(topics)),
                "score": values.ravel(),
            }
            return Table("scores", columns)
        columns = {
            "system": [name for name in systems for _ in measures],
            "measure": measures * len(systems),
            "score": self.means().T.ravel(),
        }
        errors = [error for matrix in self.matrices for error in matrix.standard_errors()]
        return Table("scores", columns, digits={"score": max(map(decimals, errors))})

    def wide(self) -> Table:
        """The table `scores`: a row per topic (and measure, if there are several), a column per system."""
        several = len(self) > 1
        taken = {"topic", "measure"} if several else {"topic"}
        for system in self.systems:
            if system in taken:
                raise InputError(f"a system called {system!r} has no column in a wide table", hint="use the long one")
        columns: dict[str, Column] = {"topic": [topic for topic in self.topics for _ in self.measures]}
        if several:
            columns["measure"] = self.measures * len(self.topics)
        values = np.stack([matrix.topic_values() for matrix in self.matrices], axis=-1)
        for system, scores in zip(self.systems, values, strict=True):
            columns[system] = scores.ravel()
        return Table("scores", columns)

    def to_pandas(self, per_topic: bool = True) -> Any:
        """A pandas data frame: system, topic, measure, score; without topics the scores over all of them."""
        return self.long(per_topic=per_topic).to_pandas()

    def to_polars(self, per_topic: bool = True) -> Any:
        """A polars data frame: system, topic, measure, score; without topics the scores over all of them."""
        return self.long(per_topic=per_topic).to_polars()


def _labels(kind: str, labels: Sequence[str]) -> tuple[str, ...]:
    found = tuple(labels)
    if not found:
        raise InputError(f"scores without any {kind}")
    if len(set(found)) < len(found):
        twice = next(label for place, label in enumerate(found) if label in found[:place])
        raise InputError(f"the {kind} {twice!r} appears twice")
    return found
