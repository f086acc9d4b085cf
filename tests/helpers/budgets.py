"""`irassay uncertainty` on a small demo collection with ties: its files, its tables as rows, and plain references."""

from __future__ import annotations

import csv
import itertools
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import isotonic_regression

import irassay
from irassay.result import Result
from irassay.studies.demo_data import DemoData

Floats = NDArray[np.float64]
Row = dict[str, Any]
MEASURES = "AP GM(AP) nDCG@10"
REPLICATES = 240  # quantiles need 200
CORPUS = 2_000
LABELS = ("topics", "documents", "judgments 50%", "unjudged", "pools", "simulation", "ties", "gains")
QUANTITIES = [
    "bias_difference",
    "sd_difference",
    "rms_difference",
    "sd_mean",
    "pairs_resolved",
    "surviving_difference",
    "tau_observed",
    "verdicts_lost",
    "verdicts_gained",
    "verdicts_opposite",
    "rank_width_best",
    "rank_width_median",
]


def write_tied_demo(folder: Path) -> None:
    """12 topics, 8 systems; the scores of three runs are rounded, so that documents are tied."""
    DemoData(topics=12, systems=8, null_pairs=1, depth=40, documents=CORPUS, pool_depth=10).write(folder)
    for run in sorted((folder / "runs").iterdir())[:3]:
        rows = [line.split() for line in run.read_text().splitlines()]
        run.write_text("".join(f"{t} {q} {d} {r} {float(s):.1f} {name}\n" for t, q, d, r, s, name in rows))


def uncertainty(folder: Path, **options: Any) -> Result:
    default: dict[str, Any] = {"measures": MEASURES, "replicates": REPLICATES, "corpus_size": CORPUS, "jobs": 1}
    return irassay.uncertainty(folder / "qrels.txt", folder / "runs", **(default | options))


def rows(result: Result, table: str, **where: object) -> list[Row]:
    """The rows of a table as dictionaries, empty cells None."""
    found = []
    for cells in result[table].rows():
        values = [None if isinstance(v, float) and math.isnan(v) else v for v in cells]
        row = dict(zip(result[table].columns, values, strict=True))
        if all(row[name] == value for name, value in where.items()):
            found.append(row)
    return found


@cache
def _exported(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def exported_means(path: Path, measure: str, variation: str) -> Floats:
    """The means [replicate, system] of an exported CSV file."""
    lines = [row for row in _exported(path) if (row["measure"], row["variation"]) == (measure, variation)]
    systems = list(dict.fromkeys(row["system"] for row in lines))
    means = np.full((1 + max(int(row["replicate"]) for row in lines), len(systems)), np.nan)
    for row in lines:
        means[int(row["replicate"]), systems.index(row["system"])] = float(row["mean"])
    return means


def plain_reversals(observed: Floats, means: Floats) -> tuple[float, float]:
    """Pairs resolved and the surviving difference, from their definitions."""
    rates, sizes = [], []
    for x, y in itertools.combinations(range(len(observed)), 2):
        difference, star = observed[x] - observed[y], means[:, x] - means[:, y]
        if abs(difference) > 1e-10:
            rates.append(float(np.mean(np.where(np.abs(star) <= 1e-10, 0.5, star * difference < 0))))
            sizes.append(round(abs(difference), 11))
    values = sorted(set(sizes))
    own = [[rate for rate, size in zip(rates, sizes, strict=True) if size == value] for value in values]
    means_of = [float(np.mean(part)) for part in own]
    fit = isotonic_regression(means_of, weights=[float(len(part)) for part in own], increasing=False).x
    enough = [value for value, rate in zip(values, fit, strict=True) if rate <= 0.05 + 1e-12]
    return float(np.mean([rate <= 0.05 + 1e-12 for rate in rates])), min(enough, default=math.nan)


def plain_tau(observed: Floats, means: Floats) -> float:
    """tau_b; scores within 1e-10 are equal."""
    return float(stats.kendalltau(observed.round(10), means.round(10)).statistic)
