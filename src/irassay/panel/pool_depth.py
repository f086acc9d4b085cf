"""How deep runs were pooled: given, or as the judgments show it.

All of the first documents of a run that contributed to a pool of depth K are judged, and below rank K only those that
other runs brought. So the runs that contributed share the rank from which on documents are no longer judged, and that
rank is seen as a peak. Runs that did not contribute stop at ranks of their own, and slowly.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.errors import IrassayWarning
from irassay.panel.panel import Panel

USUAL = 100  # taken where the judgments show no depth
DEEPEST = 1000  # ranks that are looked at
NEARLY_ALL = 0.999  # of a run's first documents are judged: a few judgments may be missing
LEAST = 5  # ranks: runs that did not contribute stop within fewer by chance
PEAK = 0.25  # of the runs share the depth
NEXT, DROP = 5, 0.05  # of so many documents just below the depth at least this share is not judged

Counts = NDArray[np.int64]


class PoolDepth(NamedTuple):
    """The depth to use, and what the judgments show: a depth or None, and of how many runs all is judged to there."""

    depth: int
    given: bool
    shown: int | None
    complete_runs: int = 0
    runs: int = 0

    @property
    def known(self) -> int | None:
        """The depth, where it is given or shown."""
        return self.depth if self.given or self.shown is not None else None

    @property
    def origin(self) -> str:
        """Where the depth comes from, to stand in a sentence."""
        if self.given:
            return "as given with --pool-depth"
        if self.shown is not None:
            return f"inferred: {self._evidence}"
        return "assumed, because the judgments show none; --pool-depth gives another"

    @property
    def _evidence(self) -> str:
        return (
            f"{self.complete_runs:,} of {self.runs:,} runs have (nearly) all documents judged down to rank {self.shown}"
        )

    @property
    def warnings(self) -> list[IrassayWarning]:
        """What contradicts the depth, or that there is none."""
        if self.given and self.shown is not None and self.shown != self.depth:
            what = (
                f"--pool-depth is {self.depth}, and the judgments show a pool of depth {self.shown}: {self._evidence}"
            )
        elif self.known is None:
            what = (
                "the judgments show no pool depth, because too few runs have all their first documents judged; "
                f"documents down to rank {self.depth} are taken as a run's contribution (--pool-depth gives another)"
            )
        else:
            return []
        return [IrassayWarning("pool-depth", what)]


def pool_depth(panel: Panel, given: int | None = None, contributors: Sequence[int] | None = None) -> PoolDepth:
    """The depth that is given, else the one that the judgments show for the contributing runs, else the usual one."""
    documents, unjudged = _counts(panel)
    systems = list(range(len(panel.systems))) if contributors is None else list(contributors)
    shown, complete = _shown(documents[systems], unjudged[systems])
    return PoolDepth(given or shown or USUAL, given is not None, shown, complete, len(systems))


def _counts(panel: Panel) -> tuple[Counts, Counts]:
    """How many documents stand at each rank over topics, and how many of them are not judged [systems, ranks]."""
    systems = len(panel.systems)
    documents, unjudged = np.zeros((2, systems * DEEPEST), dtype=np.int64)
    for topic in range(len(panel.topics)):
        bounds = panel.offsets[topic].astype(np.int64)
        system = np.repeat(np.arange(systems), np.diff(bounds))
        rank = np.arange(bounds[0], bounds[-1]) - bounds[:-1][system]
        seen = rank < DEEPEST
        codes = panel.codes[bounds[0] : bounds[-1]][seen].astype(np.int64)
        place = system[seen] * DEEPEST + rank[seen]
        documents += np.bincount(place, minlength=len(documents))
        unjudged += np.bincount(place[panel.grade[panel.pool[topic] + codes] < 0], minlength=len(unjudged))
    return documents.reshape(systems, DEEPEST), unjudged.reshape(systems, DEEPEST)


def _shown(documents: Counts, unjudged: Counts) -> tuple[int | None, int]:
    """The depth that many runs share, and how many runs are judged down to there."""
    depths = [_complete(*run) for run in zip(documents, unjudged, strict=True)]
    lengths = [int(np.flatnonzero(run)[-1]) + 1 if run.any() else 0 for run in documents]
    if depths == lengths:  # everything is judged: any deeper pool would be the same
        return max(depths) or None, len(depths)
    shared = [(count, depth) for depth, count in Counter(depths).items() if depth >= LEAST]
    if not shared:
        return None, 0
    count, depth = max(shared)
    if count < max(2, PEAK * len(depths)):
        return None, 0
    below = np.array(depths) == depth, slice(depth, depth + NEXT)
    if unjudged[below].sum() < DROP * documents[below].sum():
        return None, 0
    return depth, sum(one >= depth for one in depths)


def _complete(documents: Counts, unjudged: Counts) -> int:
    """The depth down to which (nearly) all of a run's documents are judged, those at this very rank all."""
    allowed = (1 - NEARLY_ALL) * documents.cumsum()
    enough = np.flatnonzero((unjudged.cumsum() <= allowed) & (documents > 0))
    depth = int(enough[-1]) + 1 if len(enough) else 0  # not the first rank that lacks one: among few that is too many
    while depth and unjudged[depth - 1]:
        depth -= 1
    return depth
