"""Other scores: a list's documents drawn again, relevant and nonrelevant ones apart (yang2018variance).

Systems and topics are simulated independently: a draw depends on the seed, the names of the system and the topic and
the sample alone, so adding a run, a topic or a measure moves nothing else. Unlike topic samples and bootstrap
corpora, which all systems share, these draws are not paired across systems.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.choices import MODELS, check_choice
from irassay.compute.philox import words
from irassay.errors import InputError, check_seed
from irassay.panel.panel import Panel
from irassay.streams import SIMULATED_LISTS
from irassay.vary._simulated_lists import SimulatedLists

RULES = ("scott", "silverman")


@dataclass(frozen=True)
class ScorePlan:
    """How lists are simulated: `bst` resamples the raw scores, `kde` samples Gaussian kernels fitted to them.

    `length` is that of every simulated list, None the run's own. `bandwidth` is a rule, or what the rules give: the
    width of the kernels in standard deviations of the scores (scipy's `bw_method`).
    """

    seed: int
    model: str = "bst"
    length: int | None = None
    bandwidth: str | float = "scott"

    def __post_init__(self) -> None:
        check_seed(self.seed)
        check_choice("model", self.model, MODELS)
        if self.length is not None and self.length < 1:
            raise InputError(f"length is {self.length}", hint="a simulated list has at least one document")
        if self.bandwidth not in RULES and not (isinstance(self.bandwidth, float) and 0 < self.bandwidth < np.inf):
            raise InputError(
                f"bandwidth is {self.bandwidth}", hint=f"it is {', '.join(RULES)} or a number of standard deviations"
            )

    def key(self, system: str, topic: str) -> int:
        """The key of a list's random numbers."""
        names = [name.encode("utf-8", "surrogateescape") for name in (system, topic)]
        # the length keeps ("a", "bc") and ("ab", "c") apart
        digest = hashlib.sha256(b"%d:" % len(names[0]) + b"".join(names)).digest()
        high, low = words(
            2, seed=self.seed, stream=SIMULATED_LISTS, replicate=int.from_bytes(digest[:8], "big")
        ).tolist()
        return int(high) << 32 | int(low)

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
        assert panel.scores is not None
        chosen = range(len(panel.systems)) if systems is None else systems
        whole = panel.judged_counts()
        parts: list[tuple[NDArray[np.float64], NDArray[np.int8], NDArray[np.float64], NDArray[np.int8]]] = []
        missed = np.repeat(whole, len(chosen), axis=0)
        length: list[int] = []
        key: list[int] = []
        for t, topic in enumerate(panel.topics):
            grades = panel.grade[panel.pool[t] : panel.pool[t + 1]]
            for s in chosen:
                inside = slice(panel.offsets[t, s], panel.offsets[t, s + 1])
                score, grade = panel.scores[inside], grades[panel.codes[inside]]
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


def _starts(sizes: list[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
