"""Shallow pools of two systems on bootstrap corpora (zobel2020corpus, Figures 6 and 7).

On each corpus the first k positions of the two systems' lists are the pool; a document in it is judged with all its
copies, and every other judgment is unknown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.comparison import student
from irassay.ask.spread import sorted_quantiles
from irassay.compute.executor import Plan, Rows, State, execute
from irassay.headers import Header
from irassay.measures import Measure
from irassay.result import Figure, Table
from irassay.scoring.lanes import LANES, pool_of
from irassay.scoring.sum_walker import SumWalker
from irassay.studies.corpus.tables import BOX, FIVE, NAMES
from irassay.vary.lane_scores import LaneScores

FULL = "full"
ALPHA = 0.05
PAIR_HEADERS = {
    "mean": Header("mean", meaning="Mean difference over bootstrap corpora"),
    "significant": Header("corpora that tell them apart", "told apart", "Share of bootstrap corpora with p < 0.05"),
}
PAIR_DIGITS = {"p_value": 4, "significant": 2, "reversed": 2}
PAIR_CAPTION = (
    "pools of the two to a depth, and by all judgments: the difference in the corpus itself and its paired t-test; "
    "the mean and 95% of the differences over bootstrap corpora; the share of these that are significant (p < "
    f"{ALPHA}, not corrected), and of those in which the difference is reversed"
)


@dataclass(frozen=True)
class Shallow:
    """Differences X - Y [measures, depths, images, topics]; image 0 is the corpus itself."""

    measures: Sequence[Measure]
    depths: tuple[str, ...]
    differences: NDArray[np.float64]

    @property
    def mean(self) -> NDArray[np.float64]:
        return np.asarray(self.differences.mean(axis=-1))

    @property
    def p_value(self) -> NDArray[np.float64]:
        """Paired two-sided t-test over topics; 1 where all differences are 0, 0 where they are all the same.

        One topic tells nothing: undefined.
        """
        several = self.differences.shape[-1] > 1
        return student(self.differences) if several else np.full(self.mean.shape, np.nan)


def shallow_pools(scores: LaneScores, depths: tuple[int, ...], jobs: int) -> Shallow:
    """Scores of two systems with judgments from pools of their own, and with all judgments."""
    plan = _Pools(scores, scores.panel.document, depths)
    active = int(scores.panel.document.max(initial=-1)) + 1
    root = plan.differences(np.ones(active * LANES, dtype=np.uint8), 1)
    images = execute("images of pools", plan, Rows(plan.units), jobs=jobs)["differences"]
    differences = np.moveaxis(np.concatenate([root, images]), 0, 2)
    return Shallow(scores.measures, (*map(str, depths), FULL), np.ascontiguousarray(differences))


@dataclass(frozen=True, eq=False)
class _Pools(Plan):
    """Differences of two systems on bootstrap corpora [corpora, measures, depths, topics]."""

    scores: LaneScores
    document: NDArray[np.int32]  # of the panel: what is drawn depends on it
    depths: tuple[int, ...]
    chunk = LANES

    @property
    def units(self) -> int:
        return self.scores.plan.replicates

    def block(self, part: range, jobs: int) -> State:
        return {"differences": self.differences(self.scores.plan.rows(part.start), len(part))}

    def differences(self, rows: NDArray[np.uint8], count: int) -> NDArray[np.float64]:
        """On the first `count` of 32 corpora, given their multiplicities."""
        one, topics = self.scores, len(self.scores.panel.topics)
        out = np.empty((count, len(one.measures), len(self.depths) + 1, topics))
        walker, scores = SumWalker(2), np.empty((len(one.measures), LANES, 2))
        for t in range(topics):
            copies, _ = one.plan.of_topic(one.panel, rows, 0, t)
            for k, depth in enumerate((*self.depths, None)):
                one.topic(walker, t, copies, (copies if depth is None else _pooled(one, t, copies, depth)), scores)
                out[:, :, k, t] = (scores[:, :count, 0] - scores[:, :count, 1]).T
        return out


def _pooled(scores: LaneScores, topic: int, copies: NDArray[np.uint8], depth: int) -> NDArray[np.uint8]:
    """Copies of the documents in the pool, of all others none."""
    panel, judged = scores.panel, np.zeros_like(copies)
    within = depth if scores.depth is None else min(depth, scores.depth)
    for system in scores.systems:
        low, high = panel.offsets[topic, system], panel.offsets[topic, system + 1]
        pool_of(panel.codes[low:high], copies, within, np.empty(LANES, dtype=np.int32), judged)
    return judged


def shallow_tables(shallow: Shallow, names: Sequence[str], topics: Sequence[str]) -> tuple[list[Table], list[Figure]]:
    measures = np.array([str(measure) for measure in shallow.measures], dtype=object)
    depths, topic = np.array(shallow.depths, dtype=object), np.array(topics, dtype=object)
    shape = shallow.differences.shape
    m, d, i, t = (np.asarray(axis) for axis in np.indices(shape))
    pair = f"{names[0]} less {names[1]}"
    pools = {
        "image": i[..., 0].ravel(),
        "measure": measures[m[..., 0].ravel()].tolist(),
        "depth": depths[d[..., 0].ravel()].tolist(),
        "mean_difference": shallow.mean.ravel(),
        "p_value": shallow.p_value.ravel(),
    }
    pool_topics = {
        "image": i.ravel(),
        "measure": measures[m.ravel()].tolist(),
        "depth": depths[d.ravel()].tolist(),
        "topic": topic[t.ravel()].tolist(),
        "difference": shallow.differences.ravel(),
    }
    five = sorted_quantiles(np.sort(np.moveaxis(shallow.differences[:, :, 1:], 2, -1)), FIVE)
    m, d, t = (np.asarray(axis) for axis in np.indices(shape[:2] + shape[3:]))
    spread = {
        "measure": measures[m.ravel()].tolist(),
        "depth": depths[d.ravel()].tolist(),
        "topic": topic[t.ravel()].tolist(),
        **{name: five[k].ravel() for k, name in enumerate(NAMES)},
    }
    tables = [
        _pair(shallow, pair),
        Table(
            "pools",
            pools,
            f"{pair} with judgments of the pair's own pools on each bootstrap corpus (image 0 is the corpus itself): "
            "paired t-test over topics",
            {"mean_difference": 4, "p_value": 4},
        ),
        Table("pool_topics", pool_topics, f"{pair} on each topic", {"difference": 4}),
        Table("pool_spread", spread, f"{pair} on each topic over bootstrap corpora"),
    ]
    figures = [
        Figure(
            "pools",
            "points",
            "pools",
            x="mean_difference",
            y="p_value",
            series="depth",
            facet="measure",
            labels={"x": "mean difference", "y": "p-value of the paired t-test", "series": "pool depth"},
            caption=f"{pair}: p-value against difference, one point for each bootstrap corpus and pool depth",
            alt="Points of p-value and mean difference, one series per pool depth, a figure per measure",
        ),
        Figure(
            "pool_topics",
            "boxes",
            "pool_spread",
            x="topic",
            **BOX,
            series="depth",
            facet="measure",
            labels={"y": "difference", "series": "pool depth"},
            caption=f"{pair} on each topic over bootstrap corpora, by the depth of the pool",
            alt="Boxes of the differences on each topic, one series per pool depth, a figure per measure",
        ),
    ]
    return tables, figures


def statistics(shallow: Shallow) -> dict[str, NDArray[Any]]:
    """What a pair's differences come to, each [measures, depths]."""
    mean, p = shallow.mean, shallow.p_value
    over_images = sorted_quantiles(np.sort(mean[:, :, 1:], axis=-1), (0.025, 0.975))
    # one topic has no p-value, and so no share of small ones
    small = np.where(np.isnan(p[:, :, 1:]).all(axis=-1), np.nan, (p[:, :, 1:] < ALPHA).mean(axis=-1))
    return {
        "root": mean[:, :, 0],
        "p_value": p[:, :, 0],
        "mean": mean[:, :, 1:].mean(axis=-1),
        "q2.5": over_images[0],
        "q97.5": over_images[1],
        "significant": small,
        "reversed": (mean[:, :, 1:] * mean[:, :, :1] < 0).mean(axis=-1),
    }


def pair_columns(shallow: Shallow) -> dict[str, list[Any]]:
    """The same as columns, by measure and depth of the pool."""
    names = [str(measure) for measure in shallow.measures]
    return {
        "measure": [name for name in names for _ in shallow.depths],
        "depth": list(shallow.depths) * len(names),
        **{name: values.ravel().tolist() for name, values in statistics(shallow).items()},
    }


def _pair(shallow: Shallow, pair: str) -> Table:
    """The pair in a few lines: the difference in the corpus itself, and how often bootstrap corpora differ."""
    return Table("pair", pair_columns(shallow), f"{pair}, judged by {PAIR_CAPTION}", PAIR_DIGITS, headers=PAIR_HEADERS)
