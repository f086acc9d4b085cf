"""What the tests of long work share: a collection, all studies with long work on it, and results to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import irassay
from irassay import Result
from irassay.studies.demo_data import DemoData

IMAGES: dict[str, Any] = {"measures": "AP GM(AP)", "images": 600, "corpus_size": 2_000, "depth": 50}
# every study that accumulates, small: several parts in each, pairs in more than one tile
SCHEMES = "{1:1,2:2,3:3} {1:1,2:1,3:1} {1:1,2:3,3:7} {1:1,2:5,3:10}"
STUDIES: dict[str, tuple[Callable[..., Result], dict[str, Any]]] = {
    "power": (irassay.power, {"measures": "AP RR", "resamples": 300, "paired": True, "unpaired": True}),
    "swap": (irassay.swap, {"measures": "AP GM(AP)", "resamples": 600}),
    "stability": (irassay.stability, {"measures": "AP RR", "resamples": 200}),
    "agreement": (irassay.agreement, {"measures": "AP RR GM(AP)", "resamples": 300}),
    "gains": (irassay.gains, {"measures": "Q", "schemes": SCHEMES, "resamples": 100}),
    "incomplete": (irassay.incomplete, {"measures": "AP AP'", "rates": "50,10", "trials": 2, "resamples": 100}),
    "corpus": (irassay.corpus, {**IMAGES, "also_topics": True, "memory": "450K"}),  # four groups of topics
    "corpus, histograms": (
        irassay.corpus,
        {**IMAGES, "images": 1100, "memory": "330K", "pair": ("sys01", "sys02"), "pool_depths": "3"},
    ),
    "variance": (irassay.variance, {"measures": "AP", "samples": 600, "model": "bst,kde"}),
    "compare": (irassay.compare, {"measures": "AP RR", "test": "tukey", "resamples": 600}),
    "uncertainty": (
        irassay.uncertainty,
        {
            "measures": "AP AREA(AP) nDCG@10",
            "replicates": 1000,
            "corpus_size": 2_000,
            "vary": "topics,documents,documents+topics,judgments,pools,simulation,gains",
            "ask": "ranks,order,reversals,verdicts,swap",
        },
    ),
    "pools": (irassay.pools, {"measures": "AP RR", "depths": "3,5", "pool_depth": 10, "resamples": 100}),
}


def collection(folder: Path) -> tuple[str, str]:
    """Judgments and runs of 13 systems: 78 pairs."""
    DemoData(topics=10, systems=13, null_pairs=1, depth=50, documents=2_000, pool_depth=10).write(folder)
    return str(folder / "qrels.txt"), str(folder / "runs")


def bits(result: Result) -> dict[str, dict[str, Any]]:
    """All cells, in a form in which only the same bits are equal."""

    def cells(column: Any) -> Any:
        return [value.hex() if isinstance(value, float) else value for value in np.asarray(column, object).tolist()]

    return {table.name: {name: cells(column) for name, column in table.columns.items()} for table in result.tables}
