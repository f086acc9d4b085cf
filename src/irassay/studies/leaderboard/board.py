"""Systems x collections: scores, the per-topic scores behind them, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan

import numpy as np

from irassay.ask.leaderboard import standardised
from irassay.errors import InputError, IrassayWarning
from irassay.scoring.scores import Array, Scores
from irassay.studies.phrases import join

PERCENT = 10.0  # scores above 1 that are all so many times those below 1 are percentages beside fractions


@dataclass(frozen=True, eq=False)
class Board:
    """Scores [systems, collections], nan where there is none; `topics` has the per-topic scores of each collection.

    These are [systems, topics], with nan in the rows of systems without; None where there is one score for each system.
    """

    systems: tuple[str, ...]
    collections: tuple[str, ...]
    measures: tuple[str, ...]  # of each collection
    scores: Array
    topics: tuple[Array | None, ...]

    @property
    def topic_counts(self) -> list[int | None]:
        return [None if values is None else values.shape[1] for values in self.topics]

    @property
    def per_topic(self) -> list[Array] | None:
        """The per-topic scores, where every collection has two topics or more."""
        known = [values for values in self.topics if values is not None and values.shape[1] > 1]
        return known if len(known) == len(self.topics) else None

    def select(self, systems: Sequence[int] | None = None, collections: Sequence[int] | None = None) -> Board:
        """These systems and collections only."""
        rows = list(range(len(self.systems)) if systems is None else systems)
        columns = list(range(len(self.collections)) if collections is None else collections)
        parts = [self.topics[k] for k in columns]
        return Board(
            tuple(self.systems[s] for s in rows),
            tuple(self.collections[k] for k in columns),
            tuple(self.measures[k] for k in columns),
            self.scores[np.ix_(rows, columns)],
            tuple(None if part is None else part[rows] for part in parts),
        )

    def in_order_of_names(self) -> Board:
        """So that no number depends on the order in which systems were read."""
        return self.select(sorted(range(len(self.systems)), key=lambda s: self.systems[s]))

    def standardised(self) -> Board:
        """Each collection's scores less their mean over systems, over their standard deviation."""
        middle, spread = standardised(self.scores)
        parts = zip(self.topics, middle, spread, strict=True)
        return replace(
            self,
            scores=(self.scores - middle) / spread,
            topics=tuple(None if part is None else (part - m) / s for part, m, s in parts),
        )


def board_of(parts: Mapping[str, tuple[str, Scores | Mapping[str, float]]]) -> Board:
    """From each collection's measure, and its scores per topic or by system; systems in order of appearance."""
    systems = tuple(dict.fromkeys(name for _, part in parts.values() for name in _systems(part)))
    place = {name: s for s, name in enumerate(systems)}
    scores = np.full((len(systems), len(parts)), np.nan)
    topics: list[Array | None] = []
    for k, (_, part) in enumerate(parts.values()):
        rows = [place[name] for name in _systems(part)]
        if isinstance(part, Scores):
            scores[rows, k] = part.means()
            values = np.full((len(systems), len(part.topics)), np.nan)
            values[rows] = part.values
            averaged = part.measure is None or part.measure.summary_with_params()[0].name == "mean"
            topics.append(values if averaged else None)
        else:
            scores[rows, k] = list(part.values())
            topics.append(None)
    return Board(systems, tuple(parts), tuple(measure for measure, _ in parts.values()), scores, tuple(topics))


def _systems(part: Scores | Mapping[str, float]) -> Iterable[str]:
    return part.systems if isinstance(part, Scores) else part


def without_missing(board: Board, policy: str) -> tuple[Board, list[IrassayWarning]]:
    """The board after the policy for missing results, and what it left out; `bounds` leaves them missing."""
    missing = np.asarray(np.isnan(board.scores))
    if not missing.any():
        return board, []
    system, collection = np.argwhere(missing)[0]
    what = (
        f"{missing.sum()} of {missing.size} results are missing, the first that of {board.systems[system]} on "
        f"{board.collections[collection]}"
    )
    if policy == "error":
        raise InputError(
            what, hint="leave them out with --missing drop-systems or drop-collections, or show --missing bounds"
        )
    if policy == "bounds":
        if missing.all(axis=0).any():
            nowhere = board.collections[int(missing.all(axis=0).argmax())]
            raise InputError(f"no system has a result on {nowhere}", hint="use --missing drop-collections")
        return board, [IrassayWarning("missing-results", f"{what}; ranks allow for the worst and the best there")]
    if policy == "drop-systems":
        left_out, names = missing.any(axis=1), board.systems
        board = board.select(systems=np.flatnonzero(~left_out).tolist()) if not left_out.all() else board
    else:
        left_out, names = missing.any(axis=0), board.collections
        board = board.select(collections=np.flatnonzero(~left_out).tolist()) if not left_out.all() else board
    kind = policy.removeprefix("drop-")
    if left_out.all():
        other = "drop-collections" if kind == "systems" else "drop-systems"
        raise InputError(f"{what}; every one of the {kind} has a gap", hint=f"try --missing {other} or bounds")
    dropped = [names[place] for place in np.flatnonzero(left_out).tolist()]
    shown = join(dropped) if len(dropped) < 6 else f"{', '.join(dropped[:4])} and {len(dropped) - 4} more"
    counted = f"{len(dropped)} {kind if len(dropped) > 1 else kind[:-1]}"
    return board, [IrassayWarning("missing-results", f"{what}; left out: {counted}: {shown}")]


def check_size(board: Board) -> None:
    for kind, names, hint in (
        ("collection", board.collections, "irassay compare is for one collection"),
        ("system", board.systems, "an order needs at least two"),
    ):
        if len(names) < 2:
            raise InputError(f"there is one {kind} only: {names[0]}", hint=hint)


def check_scales(board: Board, *, standardise: bool) -> list[IrassayWarning]:
    """Percentages beside fractions are an error in one collection, and said of several."""
    large = []
    for k, name in enumerate(board.collections):
        column = board.scores[:, k]
        above, below = np.flatnonzero(column > 1.0), np.flatnonzero(column <= 1.0)
        if len(above) and len(below) and column[above].min() >= PERCENT * max(column[below].max(), 0.0) > 0.0:
            one, other = board.systems[below[0]], board.systems[above[0]]
            raise InputError(
                f"percentages and fractions are mixed: {one} has {column[below[0]]:g}, {other} {column[above[0]]:g}",
                f"collection {name}",
                "divide the percentages by 100",
            )
        large.append(bool(len(above)))
    if not any(large) or all(large) or standardise:
        return []
    few = [name for name, is_large in zip(board.collections, large, strict=True) if is_large]
    what = f"scores above 1 on {join(few) if len(few) < 5 else f'{len(few)} collections'}, and not on the others"
    return [IrassayWarning("mixed-scales", f"{what}: a mean is mostly of these; --standardise gives all equal weight")]


def different_measures(board: Board, *, standardise: bool) -> list[IrassayWarning]:
    """Collections whose measures differ: their mean has no unit."""
    counts: dict[str, int] = {}
    for measure in board.measures:
        counts[measure] = counts.get(measure, 0) + 1
    if len(counts) == 1:
        return []
    named = ", ".join(f"{measure} on {count}" for measure, count in counts.items())
    then = "each is standardised" if standardise else "their mean has no unit; --standardise gives all equal weight"
    return [IrassayWarning("different-measures", f"collections have different measures ({named}): {then}")]


def check_topics(name: str, values: Mapping[tuple[str, str], float | None]) -> None:
    """Within a collection a system has a score on every topic, or on none."""
    topics = dict.fromkeys(topic for _, topic in values)
    if "" in topics and len(topics) > 1:
        raise InputError(
            "some scores are of topics and some of the whole collection", f"collection {name}", "give one kind"
        )
    absent = [
        (system, topic)
        for system in dict.fromkeys(system for system, _ in values)
        for topic in topics
        if (value := values.get((system, topic))) is None or isnan(value)
    ]
    if absent and "" not in topics:
        system, topic = absent[0]
        raise InputError(
            f"{len(absent)} scores of topics are missing, the first for {system} on topic {topic}",
            f"collection {name}",
            "fill them in (0 for a topic that was not answered)",
        )
