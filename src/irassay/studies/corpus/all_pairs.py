"""Shallow pools of every pair of systems: whether what one pair shows is typical (zobel2020corpus, Section 7)."""

from collections.abc import Sequence

import numpy as np

from irassay.ask.pairs import all_pairs
from irassay.headers import Header
from irassay.measures import Measure
from irassay.panel.panel import Panel
from irassay.result import Table
from irassay.studies.corpus.shallow_pools import (
    ALPHA,
    FULL,
    PAIR_CAPTION,
    PAIR_DIGITS,
    PAIR_HEADERS,
    pair_columns,
    shallow_pools,
)
from irassay.studies.tables import Rows, columns, grouped, records
from irassay.vary.documents import ImagePlan
from irassay.vary.lane_scores import LaneScores


def all_pairs_tables(
    panel: Panel,
    systems: Sequence[int],
    bases: Sequence[Measure],
    plan: ImagePlan,
    *,
    depths: tuple[int, ...],
    depth: int | None,
    jobs: int,
) -> list[Table]:
    """Every pair on its own shallow pools, and what all of them come to."""
    rows: Rows = []
    for x, y in zip(*all_pairs(len(systems)), strict=True):
        pair = [systems[x], systems[y]]
        shallow = shallow_pools(LaneScores(panel.minimal, pair, list(bases), plan, depth), depths, jobs)
        names = {"system_x": panel.systems[pair[0]], "system_y": panel.systems[pair[1]]}
        rows += [{**names, **row} for row in records(**pair_columns(shallow))]
    if not rows:  # one system
        return []
    return [
        _summary(rows),
        Table("all_pairs", columns(rows), f"A less B, judged by {PAIR_CAPTION}", PAIR_DIGITS, headers=PAIR_HEADERS),
    ]


def _summary(rows: Rows) -> Table:
    """Pools against all judgments, over pairs."""
    full = {
        (measure, x, y): row
        for (measure, x, y, depth), (row,) in grouped(rows, "measure", "system_x", "system_y", "depth").items()
        if depth == FULL
    }
    summary: Rows = []
    for (measure, depth), of_depth in grouped(rows, "measure", "depth").items():
        whole = [full[measure, row["system_x"], row["system_y"]] for row in of_depth]
        here, there = (np.array([row["root"] for row in side]) for side in (of_depth, whole))
        p, p_full = (np.array([row["p_value"] for row in side]) for side in (of_depth, whole))
        differ = there != 0.0
        ratio = np.median(np.abs(here[differ]) / np.abs(there[differ])) if differ.any() else np.nan
        summary.append(
            {
                "measure": measure,
                "depth": depth,
                "pairs": len(of_depth),
                "median_ratio": float(ratio),
                "smaller_p": None if depth == FULL else float((p < p_full).mean()),
                "significant": float((p < ALPHA).mean()),
                "images_significant": float(np.mean([row["significant"] for row in of_depth])),
                "reversed_by_pool": None if depth == FULL else float((here * there < 0).mean()),
            }
        )
    return Table(
        "all_pairs_summary",
        columns(summary),
        "All pairs of systems, judged by pools of the two to a depth, and by all judgments: the median over pairs of "
        "the size of the difference relative to that with all judgments; the shares of pairs with a smaller p-value "
        f"than with all judgments, with p < {ALPHA} in the corpus itself (per comparison, not corrected) and on a "
        "bootstrap corpus; and with the difference reversed by the pool",
        dict.fromkeys(("median_ratio", "smaller_p", "significant", "images_significant", "reversed_by_pool"), 2),
        headers={
            "significant": Header("told apart", meaning="Share of pairs that are told apart in the corpus itself")
        },
    )
