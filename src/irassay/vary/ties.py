"""Other orders of tied documents: each tied group of a list in a random order (all orders equally likely).

Documents are tied where the panel's order compares equal scores of neighbours in a list. A list says nothing about
documents tied with its last one that were cut off: what is known of such a group is put in order, and no more. The mean
over samples is the expected score under ties. Every list is put in order on its own (`sampled_lists.py`): two systems
that tie the same documents break their ties differently.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from irassay.compute.executor import Plan
from irassay.errors import check_seed
from irassay.measures import parse
from irassay.panel.ordering import as_compared, tied_share
from irassay.panel.panel import Panel
from irassay.scoring.recipes import NO_CUT
from irassay.scoring.score_panel import View
from irassay.streams import SECOND_TIE_ORDERS, TIE_LISTS, TIE_ORDERS
from irassay.vary._tie_orders import ordered_hits
from irassay.vary._tied_lists import TiedLists, count_documents, group_documents, unvaried_hits, vary_lists
from irassay.vary.sampled_lists import (
    HitsAndCounts,
    SampledLists,
    Unvaried,
    Workspace,
    check_independent,
    kept_scores,
    list_key,
)
from irassay.vary.variation import Observed, Variation


@dataclass(frozen=True, eq=False, kw_only=True)
class TieOrders(SampledLists):
    """Scores under random orders of tied documents; `independent` 1 is another set of samples, independent of 0."""

    lists: TiedLists
    judged_counts: NDArray[np.int64]  # [topics, grades]
    independent: int = 0
    _varies: dict[tuple[View, int], NDArray[np.bool_]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        check_independent(self.independent)

    @classmethod
    def of(
        cls,
        panel: Panel,
        measures: str | Iterable[Any],
        *,
        seed: int,
        samples: int,
        systems: Sequence[int] | None = None,
        independent: int = 0,
    ) -> Self:
        """Orders of the ties of a panel that keeps its scores: of all systems, or of these."""
        chosen = range(len(panel.systems)) if systems is None else systems
        return cls(
            lists=tied_lists(panel, chosen, seed),
            judged_counts=panel.judged_counts(),
            systems=len(chosen),
            measures=parse(measures),
            grades=panel.grades,
            gains=panel.gains,
            samples=samples,
            independent=independent,
        )

    @property
    def most_relevant(self) -> int:
        return int(self.judged_counts[:, 1:].sum(axis=1).max(initial=0))

    def varies(self, view: View, cut: int = NO_CUT) -> NDArray[np.bool_]:
        """Which lists have ties whose order the view sees up to rank `cut`."""
        if (view, cut) not in self._varies:
            lists, varies = self.lists, np.empty(len(self.lists), dtype=np.bool_)
            vary_lists(lists.start, lists.grade, lists.group, lists.size, *view, cut, varies)
            self._varies[view, cut] = varies
        return self._varies[view, cut]

    def unvaried(self, view: View, cut: int = NO_CUT) -> Unvaried | None:
        numbers = np.flatnonzero(~self.varies(view, cut))
        if len(numbers) == 0:
            return None
        return numbers, unvaried_hits(self.lists, numbers, view), self.judged_counts[numbers // self.systems]

    def hits(self, numbers: NDArray[np.int64], first: int, last: int, view: View, cut: int = NO_CUT) -> HitsAndCounts:
        (q,) = numbers.tolist()
        workspace: Workspace | None = getattr(self._local, "workspace", None)
        if workspace is None:
            workspace = self._local.workspace = Workspace()
        stream = SECOND_TIE_ORDERS if self.independent else TIE_ORDERS
        hits = ordered_hits(self.lists, q, range(first, last), view, cut, stream, workspace)
        t = q // self.systems
        return hits, self.judged_counts[t : t + 1]


def tied_lists(panel: Panel, systems: Sequence[int], seed: int) -> TiedLists:
    """The tied groups of a panel that keeps its scores, topic-major."""
    check_seed(seed)
    scores = as_compared(kept_scores(panel), panel).astype(np.float64, copy=False)
    chosen = np.array(systems, dtype=np.int64)
    lists = (panel.codes, panel.offsets, panel.pool, panel.grade)
    start = np.empty(len(panel.topics) * len(chosen) + 1, dtype=np.int64)
    count_documents(*lists, chosen, start)
    grade = np.empty(start[-1], dtype=np.int8)
    group, size = np.empty((2, start[-1]), dtype=np.int32)
    group_documents(*lists, scores, chosen, int(panel.grade.max(initial=0)), grade, group, size)
    length = np.diff(panel.offsets, axis=1)[:, chosen].ravel()
    names = [(panel.systems[s], topic) for topic in panel.topics for s in chosen.tolist()]
    keys = [list_key(*of_list, seed=seed, stream=TIE_LISTS) for of_list in names]
    return TiedLists(start, grade, group, size, length, np.array(keys, dtype=np.uint64))


@dataclass(frozen=True, kw_only=True)
class Ties(Variation):
    """Other orders among documents with the same score."""

    name = "ties"
    kind = "model"
    needs = "retrieval_scores"
    mechanism = "documents with equal scores in random order, all orders equally likely, for each list alone"
    limits = "Ties with documents that were cut off are unknown. The mean over replicates is the expected score."

    def unusable(self, observed: Observed) -> str:
        tied = tied_share(observed.lists)
        return "" if any(tied[s] for s in observed.systems) else "no list has documents with equal scores"

    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        orders = TieOrders.of(
            observed.lists,
            observed.bases,
            seed=self.seed,
            samples=self.replicates,
            systems=observed.systems,
            independent=independent,
        )
        return orders.in_small_blocks()
