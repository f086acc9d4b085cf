"""The papers' Tables 1 and 2 for a user's own data, and how much ties leave open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from irassay.align import align
from irassay.measures import Measure
from irassay.panel import Panel
from irassay.read.qrels import Qrels
from irassay.read.runs import Runs
from irassay.result import Table


def collection(
    qrels: Qrels, runs: Runs, panel: Panel, groups: Mapping[str, str] | None, corpus_size: int | None
) -> Table:
    """What the collection is made of."""
    lengths = np.diff(panel.offsets, axis=1)
    rows: dict[str, object] = {
        "topics with judgments": len(qrels.topics),
        "topics evaluated": len(panel.topics),
        "runs": len(panel.systems),
    }
    if groups is not None:
        rows["groups"] = len({groups[name] for name in panel.systems if name in groups})
    rows |= {
        "documents in the corpus": corpus_size if corpus_size else "not given (--corpus-size)",
        "documents retrieved or judged": int(panel.document.max(initial=-1)) + 1,
        "judgments": int(np.count_nonzero(panel.grade >= 0)),
        "pooled but not judged": int(np.count_nonzero(panel.grade == -1)),
        "documents per list": f"{lengths.mean():.1f} [{lengths.min()}, {lengths.max()}]",
        "lists": int(np.count_nonzero(lengths)),
        "order": panel.policy["order"],
    }
    return Table("collection", {"what": list(rows), "value": [str(v) for v in rows.values()]}, "The collection")


def judgments(panel: Panel) -> Table:
    """R, N and each grade per topic: mean and range."""
    supply = panel.supply(1)
    counts = {"R (relevant)": supply[:, 1:].sum(axis=1), "N (judged nonrelevant)": supply[:, 0]}
    counts |= {f"grade {grade}": supply[:, grade] for grade in panel.grades if grade < supply.shape[1]}
    return Table(
        "judgments",
        {
            "per_topic": list(counts),
            "mean": [float(c.mean()) for c in counts.values()],
            "min": [int(c.min()) for c in counts.values()],
            "max": [int(c.max()) for c in counts.values()],
            "total": [int(c.sum()) for c in counts.values()],
        },
        "Judged documents per topic, over the topics evaluated",
        {"mean": 1},
    )


def systems(runs: Runs, panel: Panel, groups: Mapping[str, str] | None, pool_depth: int | None) -> Table:
    """Each run: how long its lists are, how much of them is judged, how much is tied."""
    lengths = np.diff(panel.offsets, axis=1)
    depths = [10, 100] + ([pool_depth] if pool_depth and pool_depth not in (10, 100) else [])
    judged = panel.score([f"Judged@{k}" for k in depths])
    columns: dict[str, Any] = {"system": panel.systems}
    if groups is not None:
        columns["group"] = [groups.get(name) for name in panel.systems]
    columns |= {
        "topics": (lengths > 0).sum(axis=0),
        "shortest": lengths.min(axis=0),
        "median": np.median(lengths, axis=0),
        "longest": lengths.max(axis=0),
    }
    columns |= {f"judged@{k}": judged[f"Judged@{k}"].means() for k in depths}
    columns["tied"] = tied_share(panel)
    columns["file"] = [run.path for run in runs]
    digits = {"median": 0, "tied": 3} | {f"judged@{k}": 3 for k in depths}
    return Table(
        "systems",
        columns,
        "Systems: documents per list, and the shares of judged and of tied documents",
        digits,
    )


def tied_share(panel: Panel) -> list[float]:
    """The share of each system's documents that have the same score as a neighbour in the list."""
    scores = panel.scores
    assert scores is not None
    starts = np.zeros(len(scores) + 1, dtype=np.bool_)
    starts[panel.offsets.ravel()] = True
    same = np.zeros(len(scores) + 1, dtype=np.bool_)
    same[1:-1] = (scores[1:] == scores[:-1]) & ~starts[1:-1]
    tied = np.concatenate([[0], np.cumsum(same[:-1] | same[1:])])
    inside = tied[panel.offsets[:, 1:]] - tied[panel.offsets[:, :-1]]
    total = np.diff(panel.offsets, axis=1).sum(axis=0)
    return [float(n) / max(1, int(m)) for n, m in zip(inside.sum(axis=0), total, strict=True)]


def ties(
    qrels: Qrels,
    runs: Runs,
    panel: Panel,
    measures: Sequence[Measure],
    policy: Mapping[str, Any],
    jobs: int | None,
) -> Table:
    """Each system's score, and the least and most it could be over all orders of its tied documents."""
    columns: dict[str, Any] = {"system": panel.systems}
    digits: dict[str, int] = {}
    by_score = panel.policy["order"] in ("trec", "trec9")
    sides = {"worst": None, "score": panel, "best": None}
    for side in ("worst", "best"):
        # an order that does not go by score has no ties
        sides[side] = align(qrels, runs, jobs=jobs, ties=side, **policy) if by_score else panel
    for measure in measures:
        for side, ordered in sides.items():
            assert ordered is not None
            name = str(measure) if side == "score" else f"{measure} {side}"
            columns[name] = ordered.score([measure], jobs=jobs)[str(measure)].means()
            digits[name] = 4
    scored = np.array([column for name, column in columns.items() if name != "system"])
    # three columns a measure: worst, as ordered, best
    spread = (scored[2::3] - scored[0::3]).max(axis=0)
    open_ = [i for i in np.argsort(-spread, kind="stable").tolist() if spread[i] > 0]
    caption = (
        f"Ties: scores over the orders of tied documents; they move {len(open_)} of {len(panel.systems)} systems, "
        "the most moved first"
    )
    kept = {name: [column[i] for i in open_] for name, column in columns.items()}
    return Table("ties", kept, caption, digits)
