"""The studies of topic samples on one small collection: its files, and how to run a study on them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay import Result
from irassay.cli import run
from irassay.report import to_csv

TOPICS, SAMPLES = 13, 200
MEASURES = "AP Q nDCG@10"
STUDIES: dict[str, Callable[..., Result]] = {
    "power": irassay.power,
    "swap": irassay.swap,
    "stability": irassay.stability,
    "agreement": irassay.agreement,
    "gains": irassay.gains,
    "preferred-ranks": irassay.preferred_ranks,
}


def write_collection(folder: Path) -> None:
    """Judgments of three levels, six systems of different quality, their scores, and groups of two."""
    (folder / "runs").mkdir()
    draw = random.Random(7)
    grades = {(t, d): draw.choice((0, 0, 0, 0, 1, 1, 2, 3)) for t in range(TOPICS) for d in range(40)}
    (folder / "qrels.txt").write_text("".join(f"{t + 1} 0 d{d} {g}\n" for (t, d), g in grades.items()))
    for s in range(6):
        lines = []
        for t in range(TOPICS):
            scores = {d: (0.15 + 0.12 * s) * grades[t, d] + draw.gauss(0, 1) for d in range(40)}
            best = sorted(scores, key=lambda d: -scores[d])[:20]
            lines += [f"{t + 1} Q0 d{d} {r} {scores[d]:.6f} s{s}\n" for r, d in enumerate(best, 1)]
        (folder / "runs" / f"s{s}.txt").write_text("".join(lines))
    aligned = irassay.align(irassay.read_qrels(folder / "qrels.txt"), irassay.read_runs(folder / "runs"))
    for name, measures in {
        "scores": MEASURES,
        "ap": "AP",
        "summaries": "AP GM(AP) AG(AP) AREA(AP)",
        "ag": "AG(AP)",
    }.items():
        (folder / f"{name}.csv").write_bytes(to_csv(aligned.score(measures).long()))
    (folder / "groups.txt").write_text("".join(f"s{s} g{s // 2}\n" for s in range(6)))


def study(name: str, *, scores: bool = False, **more: Any) -> Result:
    """A study of the collection in the current folder."""
    if name == "preferred-ranks":
        return STUDIES[name]("qrels.txt", "runs", **more)
    more = {"resamples": SAMPLES, "measures": "Q nDCG@10" if name == "gains" else MEASURES, **more}
    if scores:
        return STUDIES[name](scores="scores.csv", **more)
    return STUDIES[name]("qrels.txt", "runs", **more)


def command(capture: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    """What a command that succeeds says, on stdout and on stderr."""
    capture.readouterr()
    status = run(arguments)
    out, err = capture.readouterr()
    assert status == 0, err
    return out, err


def cells(result: Result, names: list[str] | None = None) -> dict[str, list[tuple[object, ...]]]:
    return {
        t.name: [tuple(None if isinstance(v, float) and math.isnan(v) else v for v in row) for row in t.rows()]
        for t in result.tables
        if names is None or t.name in names
    }


def of(result: Result, table: str, **where: object) -> list[dict[str, Any]]:
    columns = result[table].columns
    rows = [dict(zip(columns, row, strict=True)) for row in result[table].rows()]
    return [row for row in rows if all(row[key] == value for key, value in where.items())]


def values(measure: str) -> NDArray[np.float64]:
    return panel().score(measure)[measure].values


def panel(**policy: Any) -> irassay.Panel:
    return irassay.align(irassay.read_qrels("qrels.txt"), irassay.read_runs("runs"), **policy)
