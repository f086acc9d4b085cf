"""Leaderboards of MTEB's size: systems x collections, as one score each and with the scores of topics, in a session."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.harness import Row, below, probe, side_by_side, within

SYSTEMS, COLLECTIONS, TOPICS, DRAWS, THREADS = 332, 41, 1000, 10_000, 2
KINDS = ("fixed", "random", "weights")


def rows() -> list[Row]:
    best = side_by_side(
        {
            **{tasks: partial(probe, "leaderboard:whole", tasks) for tasks in KINDS},
            "topics": partial(probe, "leaderboard:per_topic"),
        }
    )
    size = f"{SYSTEMS} systems x {COLLECTIONS} collections x {DRAWS:,} draws"
    what = f"{size}, {TOPICS:,} topics in each, --tasks fixed"
    return [
        *(within(f"{size}, one score for each collection, --tasks {tasks}", best[tasks], 1.0) for tasks in KINDS),
        within(what, best["topics"], 10.0),
        below(f"peak memory of {what}", best["topics"], 2000),
    ]


def scores() -> Any:
    import numpy as np

    rng = np.random.default_rng(0)
    return 0.3 * rng.random((SYSTEMS, 1)) + 0.3 * rng.random((SYSTEMS, COLLECTIONS))


def _work(data: Any, small: Any, tasks: Any) -> Callable[[], object]:
    import warnings

    import irassay

    warnings.simplefilter("ignore")
    irassay.leaderboard(small, tasks=tasks, jobs=THREADS)  # loads the kernels
    return lambda: irassay.leaderboard(data, tasks=tasks, resamples=DRAWS, jobs=THREADS)


def whole(tasks: str) -> Callable[[], object]:
    values = scores()
    data = {f"c{k}": {f"s{s}": float(value) for s, value in enumerate(values[:, k])} for k in range(COLLECTIONS)}
    return _work(data, {name: dict(list(part.items())[:4]) for name, part in data.items()}, tasks)


def per_topic() -> Callable[[], object]:
    import numpy as np

    from irassay.scoring.scores import Scores

    rng, means = np.random.default_rng(1), scores()
    systems, topics = tuple(f"s{s}" for s in range(SYSTEMS)), tuple(map(str, range(TOPICS)))
    data = {}
    for k in range(COLLECTIONS):
        values = means[:, [k]] + 0.2 * rng.standard_normal((SYSTEMS, TOPICS))
        data[f"c{k}"] = Scores(("m",), systems, topics, np.clip(values + 0.2 * rng.standard_normal(TOPICS), 0.0, 1.0))
    small = {name: part.select(systems=systems[:4]) for name, part in data.items()}
    return _work(data, small, "fixed")
