"""`irassay compare`: the order of the run files moves no number."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay import Result
from irassay.ask.methods import CORRECTIONS, INTERVALS, TESTS
from irassay.scoring.scores import Scores
from tests.helpers.comparisons import SAMPLES
from tests.helpers.sampled_studies import of

ORDER = ("s3", "s0", "s4", "s1", "s2")
SETTINGS: list[dict[str, Any]] = [
    *({"test": name} for name in TESTS),
    *({"correction": name} for name in CORRECTIONS),
    *({"interval": name, "correction": "none"} for name in INTERVALS),
    {"test": "tukey", "interval": "bca", "confidence": 0.8},
    {"equivalence": 0.1},
]
TURNED = {"low": "high", "high": "low", "equivalence_low": "equivalence_high", "equivalence_high": "equivalence_low"}
SIGNED = {"difference", "effect_size", *TURNED}


@pytest.fixture(scope="module")
def scores(comparison_place: Path) -> Scores:
    """AP, and precision in tenths, where samples are tied and rounding would decide."""
    ap = irassay.read_scores(comparison_place / "scores.csv")["AP"].values
    tenths = np.round(ap * 10) / 10
    topics = tuple(map(str, range(ap.shape[1])))
    return Scores(("AP", "T"), tuple(f"s{s}" for s in range(5)), topics, np.stack([ap, tenths]))


def numbers(result: Result) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Every number of a system, and of a pair called in the order of its names; NaN as None."""
    systems = {(row["measure"], row["system"]): row for row in of(result, "comparison")}
    pairs = {}
    for row in of(result, "pairs"):
        key = tuple(sorted((row["system_x"], row["system_y"])))
        if key != (row["system_x"], row["system_y"]):
            won_lost = {"won": row["lost"], "lost": row["won"]}
            row = row | won_lost | {name: -row[TURNED.get(name, name)] for name in SIGNED if name in row}
        pairs[row["measure"], *key] = {n: v for n, v in row.items() if n not in ("system_x", "system_y")}
    keep = ("letters", "marker")  # letters go by the best system; a marker by the direction
    plain = [
        {k: {n: None if v != v else v for n, v in row.items() if n not in keep} for k, row in rows.items()}
        for rows in (systems, pairs)
    ]
    return plain[0], plain[1]


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("baseline", [None, "s1"])
def test_any_order_of_the_runs_gives_the_same_numbers(
    settings: dict[str, Any], baseline: str | None, scores: Scores
) -> None:
    results = [
        irassay.compare(
            scores.select(systems=order), measures="AP T", baseline=baseline, resamples=SAMPLES * 2, **settings
        )
        for order in (scores.systems, ORDER, ORDER[::-1])
    ]
    assert [result.provenance["systems"] for result in results[:2]] == [list(scores.systems), list(ORDER)]
    expected = numbers(results[0])
    for result in results[1:]:
        assert numbers(result) == expected
    assert any(not math.isclose(row["p_corrected"] or 1, 1) for row in expected[1].values())
