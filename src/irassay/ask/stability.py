"""How often do samples of topics contradict the majority, and how often do they call two systems equal?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.ask._counting import count_leads
from irassay.ask.replicates import Replicates
from irassay.compute.executor import Plan, State, Sums, execute
from irassay.errors import InputError
from irassay.tolerance import EQUAL

FUZZINESS = tuple(i / 100 for i in range(1, 21))


@dataclass(frozen=True, eq=False)
class StabilityRates:
    """Minority rate and proportion of ties, one of each per fuzziness value, in the order asked for."""

    fuzziness: NDArray[np.float64]
    minority_rate: NDArray[np.float64]
    proportion_of_ties: NDArray[np.float64]


def stability(
    first: NDArray[np.float64], fuzziness: Sequence[float] | NDArray[np.float64] = FUZZINESS, *, jobs: int = 1
) -> StabilityRates:
    r"""The stability method on samples [replicates, systems], all pairs (sakai2007bootstrap, Fig. 16, eqs 9-10).

    X and Y tie on a sample where $|x - y| < f \cdot \max(x, y)$. A difference within 1e-10 of the margin has
    reached it, the upper side: no tie, the larger score wins. Scores within 1e-10 of each other are equal and tie
    whatever the margin, 0 against 0 included. The numbers do not depend on `jobs`.
    """
    values = np.array(fuzziness, dtype=np.float64)
    _check(first, values)
    order = np.argsort(values, kind="stable")
    scores = np.array(np.transpose(first), dtype=np.float64, order="C")
    systems, replicates = scores.shape
    total = execute("systems compared", _Leads(scores, values[order]), Sums(), jobs=jobs)["counts"]
    rates = np.empty((2, len(values)))
    rates[:, order] = total / (replicates * (systems * (systems - 1) // 2))
    minority, ties = rates
    for array in (values, rates, minority, ties):
        array.setflags(write=False)
    return StabilityRates(values, minority, ties)


def stability_of(replicates: Replicates, measure: int, *, jobs: int = 1) -> StabilityRates:
    """The stability method on the replicates of any variation."""
    return stability(replicates.means[measure], jobs=jobs)


@dataclass(frozen=True, eq=False)
class _Leads(Plan):
    """Counts minorities and ties of one system against all that follow it.

    By system, not by replicate: a minority is known only when all samples of a pair are counted.
    """

    scores: NDArray[np.float64]  # [systems, replicates]
    fuzziness: NDArray[np.float64]  # ascending
    gpu = True

    @property
    def units(self) -> int:
        return len(self.scores) - 1

    def block(self, part: range, jobs: int) -> State:
        counts = np.zeros((2, len(self.fuzziness)), dtype=np.int64)
        leads = np.empty((2, len(self.fuzziness) + 1), dtype=np.int64)
        count_leads(self.scores, part.start, self.fuzziness, leads, counts[0], counts[1])
        return {"counts": counts}

    def gpu_block(self, part: range, jobs: int) -> State:
        from irassay.ask.gpu.counting import leads_on_gpu

        return {"counts": leads_on_gpu(self.scores[part.start :], self.fuzziness)}


def _check(first: NDArray[np.float64], fuzziness: NDArray[np.float64]) -> None:
    if np.ndim(first) != 2 or first.shape[0] < 1 or first.shape[1] < 2:
        raise InputError(
            f"stability needs two systems and a sample, not an array of shape {np.shape(first)}",
            hint="samples are [replicates, systems]",
        )
    if not np.isfinite(first).all():
        raise InputError("a score is not a finite number", hint="every system needs a score on every sample")
    if np.min(first) < -EQUAL:
        raise InputError(
            "a margin that is a share of the score means nothing for scores below 0",
            hint="for AG(M) take GM(M)",
        )
    if fuzziness.ndim != 1 or len(fuzziness) == 0 or not ((fuzziness >= 0) & (fuzziness <= 1)).all():
        raise InputError("fuzziness values must lie in [0, 1]", hint="0.01, 0.02, … 0.20 is usual")
