"""Other scores: a list's documents drawn again, relevant and nonrelevant ones apart (yang2018variance).

Systems and topics are simulated independently (`sampled_lists.py`). `bst` looks at the order of scores alone, so scores
made from ranks serve it as well as any; `kde` needs scores whose distances mean something. Both need finite ones.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.choices import MODELS, RELEVANT, check_choice
from irassay.errors import InputError, check_seed
from irassay.measures import Measure, parse
from irassay.panel.panel import Panel
from irassay.scoring.recipes import NO_CUT
from irassay.scoring.score_panel import View
from irassay.streams import SECOND_SIMULATED_LISTS, SIMULATED_LISTS
from irassay.vary._density import Tables, fitted_lists, tables_of
from irassay.vary._density_draws import drawn_hits
from irassay.vary._simulated_lists import Scratch, SimulatedLists, resampled_hits, resampled_lists
from irassay.vary.sampled_lists import (
    Array,
    HitsAndCounts,
    Recipes,
    SampledLists,
    Wanted,
    check_independent,
    kept_scores,
    list_key,
    lists_with_infinite_scores,
)

RULES = ("scott", "silverman")


@dataclass(frozen=True)
class ScorePlan:
    """How lists are simulated: `bst` resamples the raw scores, `kde` samples Gaussian kernels fitted to them.

    `length` is that of every simulated list, None the run's own. `bandwidth` is a rule, or what the rules give: the
    width of the kernels in standard deviations of the scores (scipy's `bw_method`). `independent` 1 is another set of
    samples, independent of 0.
    """

    seed: int
    model: str = "bst"
    length: int | None = None
    bandwidth: str | float = "scott"
    independent: int = 0

    def __post_init__(self) -> None:
        check_seed(self.seed)
        check_choice("model", self.model, MODELS)
        check_independent(self.independent)
        if self.length is not None and self.length < 1:
            raise InputError(f"length is {self.length}", hint="a simulated list has at least one document")
        if self.bandwidth not in RULES and not (isinstance(self.bandwidth, float) and 0 < self.bandwidth < np.inf):
            raise InputError(
                f"bandwidth is {self.bandwidth}", hint=f"it is {', '.join(RULES)} or a number of standard deviations"
            )

    def key(self, system: str, topic: str) -> int:
        """The key of a list's random numbers."""
        stream = SECOND_SIMULATED_LISTS if self.independent else SIMULATED_LISTS
        return list_key(system, topic, seed=self.seed, stream=stream)

    def width(self, scores: NDArray[np.float64]) -> float:
        """The width of the kernels on these scores; 0, which resamples, where all are equal or the model is `bst`."""
        n = len(scores)
        if self.model == "bst" or n < 2 or scores.min() == scores.max():
            return 0.0
        if isinstance(self.bandwidth, float):
            factor = self.bandwidth
        else:
            factor = (n if self.bandwidth == "scott" else n * 3 / 4) ** -0.2
        return factor * float(np.std(scores, ddof=1))

    def lists(self, panel: Panel, systems: Sequence[int] | None = None) -> SimulatedLists:
        """The lists of a panel that keeps its scores, topic-major: of all systems, or of these."""
        chosen = range(len(panel.systems)) if systems is None else systems
        scores_of_panel = _finite_scores(panel, chosen)
        whole = panel.judged_counts()
        parts: list[tuple[NDArray[np.float64], NDArray[np.int8], NDArray[np.float64], NDArray[np.int8]]] = []
        missed = np.repeat(whole, len(chosen), axis=0)
        length: list[int] = []
        key: list[int] = []
        for t, topic in enumerate(panel.topics):
            grades = panel.grade[panel.pool[t] : panel.pool[t + 1]]
            for s in chosen:
                inside = slice(panel.offsets[t, s], panel.offsets[t, s + 1])
                score, grade = scores_of_panel[inside], grades[panel.codes[inside]]
                if (score[1:] > score[:-1]).any():  # by rank or as in the file: scores are simulated, so they decide
                    order = np.argsort(-score, kind="stable")
                    score, grade = score[order], grade[order]
                relevant = grade >= 1
                parts.append((score[relevant], grade[relevant], score[~relevant], grade[~relevant]))
                judged = grade[grade >= 0]
                missed[len(key)] -= np.bincount(judged, minlength=whole.shape[1])
                length.append(0 if len(score) == 0 else self.length or len(score))
                key.append(self.key(panel.systems[s], topic))
        scores, grades_of, other_scores, other_grades = zip(*parts, strict=True)
        above = [np.searchsorted(-other, -score, side="right") for score, _, other, _ in parts]
        return SimulatedLists(
            relevant=_starts([len(score) for score in scores]),
            relevant_score=np.concatenate(scores),
            relevant_grade=np.concatenate(grades_of),
            above=np.concatenate(above).astype(np.int64),
            other=_starts([len(score) for score in other_scores]),
            other_score=np.concatenate(other_scores),
            other_grade=np.concatenate(other_grades),
            relevant_width=np.array([self.width(score) for score in scores]),
            other_width=np.array([self.width(score) for score in other_scores]),
            length=np.array(length, dtype=np.int64),
            key=np.array(key, dtype=np.uint64),
            whole=np.repeat(whole, len(chosen), axis=0),
            missed=missed,
        )

    def simulation(
        self,
        panel: Panel,
        measures: str | Iterable[Any],
        *,
        samples: int,
        systems: Sequence[int] | None = None,
        exact: bool = False,
        relevant: str = "adjusted",
    ) -> "SimulatedScores":
        """Simulated scores of a panel that keeps its scores: of all systems, or of these."""
        return SimulatedScores(
            lists=self.lists(panel, systems),
            systems=len(panel.systems if systems is None else systems),
            measures=parse(measures),
            grades=panel.grades,
            gains=panel.gains,
            kde=self.model == "kde",
            exact=exact,
            relevant=relevant,
            samples=samples,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedScores(SampledLists):
    """One model's simulated scores.

    `relevant`, the relevant documents of a simulated topic: `adjusted`, the unretrieved and the drawn ones; `fixed`,
    those that it has; `max`, those that it has, or the drawn ones where these are more. `exact`: densities are sampled
    without a table of nonrelevant scores.
    """

    lists: SimulatedLists
    kde: bool
    exact: bool = False
    relevant: str = "adjusted"

    def __post_init__(self) -> None:
        check_choice("rule for relevant documents", self.relevant, RELEVANT)

    @property
    def gpu(self) -> bool:
        from irassay.scoring.gpu.folds import all_translatable

        # lists with too large a table are drawn document by document, on the processor
        tabulated = not self.kde or (not self.exact and bool((self._tables[0] >= 0).all()))
        return tabulated and all_translatable(self.measures)

    @property
    def most_relevant(self) -> int:
        return self.longest + int(self.lists.missed[:, 1:].sum(axis=1).max(initial=0))

    @cached_property
    def _tables(self) -> Tables:
        return tables_of(self.lists)

    def together(self, view: View) -> NDArray[np.bool_]:
        """Hits of relevant documents, but with densities whose tables would be too large."""
        if view[0] < 1 or view[1] or (self.kde and self.exact):
            return np.zeros(self.list_count, dtype=np.bool_)
        return self._tables[0] >= 0 if self.kde else np.ones(self.list_count, dtype=np.bool_)

    def hits(self, numbers: NDArray[np.int64], first: int, last: int, view: View, cut: int = NO_CUT) -> HitsAndCounts:
        scratch: Scratch | None = getattr(self._local, "scratch", None)
        if scratch is None or scratch.samples != last - first:
            scratch = self._local.scratch = Scratch(last - first)
        if self.together(view)[numbers].all():
            if self.kde:
                hits, judged_counts = fitted_lists(self.lists, numbers, self._tables, first, view[0], scratch)
            else:
                hits, judged_counts = resampled_lists(self.lists, numbers, first, view[0], scratch)
        else:
            (q,) = numbers.tolist()
            draw = drawn_hits if self.kde else resampled_hits
            hits, judged_counts = draw(self.lists, q, first, view, scratch)
        return hits, self._judged_counts(numbers, judged_counts)

    def _judged_counts(self, numbers: NDArray[np.int64], adjusted: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of some lists by the rule for relevant documents; `adjusted` are those of each sample by that rule."""
        if self.relevant == "adjusted":
            return adjusted
        whole, missed = (
            np.repeat(counts[numbers], len(adjusted) // len(numbers), axis=0)
            for counts in (self.lists.whole, self.lists.missed)
        )
        if self.relevant == "fixed":
            return whole
        drawn = adjusted - missed
        drawn[:, 0] = whole[:, 0]
        more = drawn[:, 1:].sum(axis=1, keepdims=True) > whole[:, 1:].sum(axis=1, keepdims=True)
        return np.where(more, drawn, whole)

    def gpu_values(self, wanted: Wanted, recipes: Recipes, first: int, last: int) -> dict[Measure, Any]:
        """Measures of relevant documents on whole lists."""
        from irassay.vary.gpu.simulated import GpuSimulatedLists

        mine = [(view, rel, of) for (view, rel), of in wanted if view[0] >= 1 and not view[1]]
        bases = [base for _, _, of in mine for base in of]
        if not bases:
            return {}
        if getattr(self._local, "gpu", None) is None:
            folds = [(view, rel, [(bases.index(base), recipes[base][2]) for base in of]) for view, rel, of in mine]
            self._local.gpu = GpuSimulatedLists(
                self.lists, folds, len(bases), self.relevant, self._tables if self.kde else None
            )
        values = self._local.gpu.values(first, last)
        return {base: values[k] for k, base in enumerate(bases)}


def _finite_scores(panel: Panel, systems: Sequence[int]) -> Array:
    """The retrieval scores along the panel's lists; an error where those of these systems are not finite."""
    infinite = np.argwhere(lists_with_infinite_scores(panel)[:, list(systems)].T)
    if len(infinite):
        s, t = infinite[0].tolist()
        raise InputError(
            f"{panel.systems[systems[s]]} has a score for topic {panel.topics[t]} that is not a finite number",
            hint="leave the system out",
        )
    return kept_scores(panel)


def _starts(sizes: list[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
