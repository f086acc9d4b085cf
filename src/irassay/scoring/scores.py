"""`Scores`: what systems score on topics, by one measure or several, with the labels on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError, import_extra
from irassay.headers import Header
from irassay.measures import Measure
from irassay.measures.core.foreign import named_measure, their_measure
from irassay.measures.core.summaries import summarise
from irassay.panel.topics import sorted_topics
from irassay.result import Column, Table, decimals
from irassay.tolerance import OUTSIDE

Array = NDArray[np.float64]
Cell = tuple[str, str, str]  # system, topic, measure
Item = TypeVar("Item")


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """Scores of several measures over the same systems and topics; `scores["AP"]` holds those of one measure.

    `values` are [measures, systems, topics], of one measure taken out [systems, topics]; so are the other arrays.
    They are read-only, with NaN where a score is missing. `known` has the `Measure` of each name, whose summary is
    applied to the values: those of GM(AP) are AP's. It is None for a column of a score table, which is averaged as
    it is.
    """

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: Array
    known: tuple[Measure | None, ...] = ()

    def __post_init__(self) -> None:
        for field in ("measures", "systems", "topics"):
            object.__setattr__(self, field, _labels(field, getattr(self, field)))
        object.__setattr__(self, "known", tuple(self.known) or (None,) * len(self.measures))
        # one layout, so that sums have one order of additions whatever the caller's array looked like
        values = np.asarray(self.values, dtype=np.float64, order="C")
        if values.flags.writeable:
            values = values.copy()
        shape = (len(self.measures), len(self.systems), len(self.topics))
        if values.shape != shape and (1, *values.shape) != shape:
            raise InputError(f"{', '.join(self.measures)}: scores of shape {values.shape}, labels of shape {shape}")
        values.setflags(write=False)
        object.__setattr__(self, "values", values)

    @classmethod
    def from_cells(cls, cells: Mapping[Cell, float | None], measures: Sequence[str]) -> tuple[Scores, list[Cell]]:
        """Scores from single cells, and the cells without a value: systems as they appear, topics sorted."""
        systems = tuple(dict.fromkeys(system for system, _, _ in cells))
        topics = sorted_topics({topic for _, topic, _ in cells})
        keys = [(system, topic, measure) for measure in measures for system in systems for topic in topics]
        values = [cells.get(key) for key in keys]
        absent = [key for key, value in zip(keys, values, strict=True) if value is None]
        # None becomes NaN
        array = np.array(values, dtype=np.float64).reshape(len(measures), len(systems), len(topics))
        return cls(tuple(measures), systems, topics, array), absent

    def __reduce__(self) -> tuple[object, ...]:
        # through the constructor: numpy forgets in a pickle that an array was read-only
        return Scores, (self.measures, self.systems, self.topics, self.values, self.known)

    def __getitem__(self, measure: str) -> Scores:
        if measure not in self.measures:
            raise KeyError(f"no scores of {measure!r}; there are {', '.join(self.measures)}")
        place = self.measures.index(measure)
        return replace(self, measures=(measure,), values=self._matrices[place], known=(self.known[place],))

    def __iter__(self) -> Iterator[str]:
        return iter(self.measures)

    def __len__(self) -> int:
        return len(self.measures)

    def __repr__(self) -> str:
        return f"<Scores of {len(self.systems)} systems x {len(self.topics)} topics: {', '.join(self.measures)}>"

    @property
    def name(self) -> str:
        """The name of the one measure."""
        return self._only(self.measures)

    @property
    def measure(self) -> Measure | None:
        """The one measure; None for a column of a score table that irassay does not know."""
        return self._only(self.known)

    def by_measure(self) -> tuple[Scores, ...]:
        """The scores of each measure alone."""
        return tuple(self[name] for name in self.measures)

    def select(self, *, systems: Iterable[str] | None = None, topics: Iterable[str] | None = None) -> Scores:
        """The scores of these systems and topics only, in this order."""
        systems = self.systems if systems is None else tuple(systems)
        topics = self.topics if topics is None else tuple(topics)
        values = self.values[..., places_of(systems, self.systems), :][..., places_of(topics, self.topics)]
        return replace(self, systems=systems, topics=topics, values=values)

    def means(self) -> Array:
        """Every system's score over all topics; NaN where a topic is missing."""
        return self._stacked(lambda values, measure: summarise(values, None, measure))

    def resampled(self, counts: NDArray[np.int32]) -> Array:
        """Every system's score on samples of the topics [samples, systems]; `counts` are [samples, topics]."""
        return self._stacked(lambda values, measure: summarise(values, counts, measure))

    def standard_errors(self) -> Array:
        """The standard error of every system's score over topics; NaN with one topic.

        sd/sqrt(n) for the mean; for any other summary the jackknife's, which for the mean is the same.
        """
        return self._stacked(_standard_errors)

    def topic_values(self) -> Array:
        """What the measure says per topic [systems, topics]; NaN throughout where it says nothing."""
        return self._stacked(_topic_values)

    def tested(self, hint: str = "use --unpaired") -> tuple[str, Array]:
        """What a paired test of one measure compares: values [systems, topics], and their name (AG(M) for GM(M)).

        `hint` is what to do where there are none.
        """
        measure = self.measure
        if measure is None:
            return self.name, self._matrices[0]
        paired = measure.paired
        if paired is None:
            raise InputError(f"{self.name} has no value per topic, so it has no paired test", hint=hint)
        return self.name if paired is measure else str(paired), paired.forward(self._matrices[0])

    @property
    def pairable(self) -> bool:
        """Whether a paired test exists: a value per topic, or GM, whose logarithms have one."""
        return all(measure is None or measure.paired is not None for measure in self.known)

    @property
    def bounded(self) -> bool:
        """Whether scores lie between 0 and 1, so that bins and margins mean something.

        The values are looked at too: a table may hold percentages under any name.
        """
        inside = bool((self.values >= -OUTSIDE).all() and (self.values <= 1 + OUTSIDE).all())
        return inside and all(measure is None or measure.bounded for measure in self.known)

    def long(self, *, per_topic: bool = True) -> Table:
        """The table `scores`: one row per system, (topic) and measure."""
        systems, topics, measures = self.systems, self.topics, self.measures
        if per_topic:
            columns: dict[str, Column] = {
                "system": [name for name in systems for _ in range(len(topics) * len(measures))],
                "topic": [topic for topic in topics for _ in measures] * len(systems),
                "measure": measures * (len(systems) * len(topics)),
                "score": np.stack(self._per_measure(_topic_values), axis=-1).ravel(),
            }
            return Table("scores", columns)
        columns = {
            "system": [name for name in systems for _ in measures],
            "measure": measures * len(systems),
            "score": self.means().T.ravel(),
        }
        return Table("scores", columns, digits={"score": max(map(decimals, self.standard_errors().ravel()))})

    def wide(self) -> Table:
        """The table `scores`: a row per topic (and measure, if there are several), a column per system."""
        columns: dict[str, Column] = {"topic": [topic for topic in self.topics for _ in self.measures]}
        if len(self) > 1:
            columns["measure"] = self.measures * len(self.topics)
        for system, values in zip(self.systems, np.stack(self._per_measure(_topic_values), axis=-1), strict=True):
            if system in columns:
                raise InputError(f"a system called {system!r} has no column in a wide table", hint="use the long one")
            columns[system] = values.ravel()
        return Table("scores", columns, headers={system: Header(system) for system in self.systems})

    def to_pandas(self, per_topic: bool = True) -> Any:
        """A pandas data frame: system, topic, measure, score; without topics the scores over all of them."""
        return self.long(per_topic=per_topic).to_pandas()

    def to_polars(self, per_topic: bool = True) -> Any:
        """A polars data frame: system, topic, measure, score; without topics the scores over all of them."""
        return self.long(per_topic=per_topic).to_polars()

    def to_ir_measures(self) -> dict[str, Any]:
        """ir_measures' `CalcResults` of every system: its scores over topics, and one `Metric` a topic and measure.

        Measures that ir_measures does not have are called as they are here.
        """
        ir_measures = import_extra("ir_measures", "ir-measures", "results of ir_measures")
        theirs = [
            named_measure(name, ir_measures) if measure is None else their_measure(measure, ir_measures)
            for name, measure in zip(self.measures, self.known, strict=True)
        ]
        means, values = self.means().reshape(len(self), -1), np.stack(self._per_measure(_topic_values))
        return {
            system: ir_measures.CalcResults(
                dict(zip(theirs, means[:, s].tolist(), strict=True)),
                [
                    ir_measures.Metric(topic, measure, value)
                    for t, topic in enumerate(self.topics)
                    for measure, value in zip(theirs, values[:, s, t].tolist(), strict=True)
                    if not np.isnan(value)
                ],
            )
            for s, system in enumerate(self.systems)
        }

    @property
    def _matrices(self) -> Array:
        """The values [measures, systems, topics], of one measure too."""
        return self.values.reshape(len(self.measures), len(self.systems), len(self.topics))

    def _per_measure(self, function: Callable[[Array, Measure | None], Array]) -> list[Array]:
        return [function(values, measure) for values, measure in zip(self._matrices, self.known, strict=True)]

    def _stacked(self, function: Callable[[Array, Measure | None], Array]) -> Array:
        arrays = self._per_measure(function)
        return arrays[0] if self.values.ndim == 2 else np.stack(arrays)

    def _only(self, items: tuple[Item, ...]) -> Item:
        if len(items) > 1:
            raise ValueError(f"these are scores of {len(items)} measures: take one, as in scores[{self.measures[0]!r}]")
        return items[0]


def _standard_errors(values: Array, measure: Measure | None) -> Array:
    systems, topics = values.shape
    if topics < 2:
        return np.full(systems, np.nan)
    if measure is None or measure.summary_with_params()[0].name == "mean":
        return np.asarray(np.std(values, axis=1, ddof=1) / np.sqrt(topics))
    left_out = np.stack([measure.summarise(np.delete(values, topic, axis=1)) for topic in range(topics)])
    return np.asarray(np.sqrt((topics - 1) / topics * np.square(left_out - left_out.mean(axis=0)).sum(axis=0)))


def _topic_values(values: Array, measure: Measure | None) -> Array:
    per_topic = values if measure is None else measure.per_topic(values)
    return np.full_like(values, np.nan) if per_topic is None else per_topic


def places_of(names: Iterable[str], labels: Sequence[str]) -> list[int]:
    places = {label: place for place, label in enumerate(labels)}
    return [places[name] for name in names]


def _labels(field: str, labels: Sequence[str]) -> tuple[str, ...]:
    kind = field.removesuffix("s")
    names = tuple(labels)
    if not names:
        raise InputError(f"scores without any {kind}")
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise InputError(f"the {kind} {twice!r} appears twice")
    return names
