"""What a variation did to the scores of systems, as the questions that are asked of replicates take it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Array

KINDS = ("sampling", "model", "scenario")
BATCHES = 10  # that Monte-Carlo errors are estimated from


@dataclass(frozen=True, eq=False)
class Replicates:
    """Scores of all systems on every replicate, and what became of the verdicts on pairs.

    Pairs are in the order of `ask.pairs.all_pairs`. A verdict is that of a paired t-test at .05, per comparison.
    """

    variation: str  # its name, such as "topics" or "judgments 50%"
    kind: str  # "sampling", "model" or "scenario"
    measures: tuple[str, ...]
    systems: tuple[str, ...]
    topics: int  # n of the observed collection
    observed: Array  # [measure, system] scores of the collection as it is
    means: Array  # [measure, replicate, system]
    verdicts: NDArray[np.int8]  # [measure, pair] observed: 1 x better, -1 worse, 0 undecided
    better: NDArray[np.int64]  # [measure, pair] replicates in which x is better
    worse: NDArray[np.int64]
    changed: NDArray[np.int64]  # [measure, replicate, 3] pairs whose verdict was lost, gained, reversed
    tested: tuple[bool, ...]  # by measure: whether it has a paired test; without one its verdict arrays are 0
    p_values: Array  # [measure, pair] paired t on the observed topic scores (nan where not tested)
    # [measure, system, system] Σ_t Cov_t / n² over replicates: the part of the spread independent between topics
    topic_covariance: Array | None = None
    paired: bool = True  # whether systems share the draws (simulation: False)
    sd_scale: float = 1.0  # what sds are multiplied by (topics: √(n/(n-1)); judgments at share f: √(f/(1-f)))
    random: bool = True  # whether replicates are drawn; a listed set of scenarios has no sds

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"a variation is of one of the kinds {', '.join(KINDS)}, not {self.kind!r}")
        m, s = len(self.measures), len(self.systems)
        pairs, n = s * (s - 1) // 2, self.replicates
        shapes = {
            "observed": (m, s),
            "means": (m, n, s),
            "verdicts": (m, pairs),
            "better": (m, pairs),
            "worse": (m, pairs),
            "changed": (m, n, 3),
            "p_values": (m, pairs),
            "tested": (m,),
        }
        if self.topic_covariance is not None:
            shapes["topic_covariance"] = (m, s, s)
        for name, shape in shapes.items():
            if np.shape(getattr(self, name)) != shape:
                raise ValueError(f"{name} of {self.variation} is {np.shape(getattr(self, name))}, not {shape}")

    @property
    def replicates(self) -> int:
        return int(self.means.shape[1])

    @property
    def resamples_topics(self) -> bool:
        """Whether topics are among what varies, alone or with something else, such as "documents+topics"."""
        return "topics" in self.variation.split("+")

    def batch(self, k: int, of: int = BATCHES) -> Self:
        """The k-th of so many fixed contiguous slices of the replicates; `better` and `worse` stay whole."""
        here = batches(self.replicates, of)[k]
        return replace(self, means=self.means[:, here], changed=self.changed[:, here])


def batches(replicates: int, of: int = BATCHES) -> Sequence[slice]:
    """Contiguous slices whose sizes differ by one at most."""
    edges = [k * replicates // of for k in range(of + 1)]
    return [slice(low, high) for low, high in pairwise(edges)]
