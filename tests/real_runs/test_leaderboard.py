"""Leaderboards of real results: MTEB's task files, and the two halves of Robust 2003's topics."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import irassay
from irassay.errors import IrassayWarning
from irassay.result import Result


def leaderboard(data: Any, **options: Any) -> Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IrassayWarning)
        return irassay.leaderboard(data, **options)


def main_scores(folder: Path) -> tuple[list[str], NDArray[np.float64]]:
    """The main scores of the test splits, read without irassay [systems, tasks]."""
    files = {system.name: sorted(system.glob("*/*.json")) for system in sorted(folder.iterdir())}
    rows = []
    for paths in files.values():
        parts = [json.loads(path.read_text())["scores"]["test"] for path in paths]
        rows.append([np.mean([subset["main_score"] for subset in part]) for part in parts])
    return list(files), np.array(rows)


@pytest.mark.data
def test_mtebs_results_are_ranked_by_the_mean_of_their_main_scores(data_dir: Path) -> None:
    systems, scores = main_scores(data_dir / "mteb")
    result = leaderboard(str(data_dir / "mteb"), tasks="random")
    assert [warning.code for warning in result.warnings] == ["different-measures", "random-tasks"]
    assert result.provenance["measures"] == [
        *("ndcg_at_10", "accuracy", "ndcg_at_10", "ndcg_at_10", "ndcg_at_10", "ndcg_at_10", "cosine_spearman"),
        "ndcg_at_10",
    ]
    order = np.argsort(-scores.mean(axis=1))
    assert list(result["leaderboard"]["system"]) == [systems[s] for s in order]
    np.testing.assert_allclose(np.asarray(result["leaderboard"]["mean"]), scores.mean(axis=1)[order], rtol=1e-12)
    ranks = stats.rankdata(-scores, axis=0).mean(axis=1)
    np.testing.assert_allclose(np.asarray(result["leaderboard"]["mean_rank"]), ranks[order], rtol=1e-12)
    for x, y, p in zip(*(result["pairs"][name] for name in ("system_x", "system_y", "p_value")), strict=True):
        expected = stats.ttest_rel(scores[systems.index(str(x))], scores[systems.index(str(y))]).pvalue
        assert p == pytest.approx(expected, rel=1e-7)


@pytest.mark.data
def test_two_sets_of_real_topics_are_two_collections(data_dir: Path) -> None:
    folder = data_dir / "robust03"
    topics = {"old": "301-450", "new": "601-650"}
    qrels, runs = folder / "qrels.txt.gz", folder / "runs"
    several = [
        irassay.Collection(name=name, qrels=qrels, runs=runs, options={"topics": chosen, "measures": "AP"})
        for name, chosen in topics.items()
    ]
    result = leaderboard(several)
    assert list(result["collections"]["topics"]) == [50, 50]
    panels = [irassay.align(qrels, runs, topics=chosen, unanswerable="drop") for chosen in topics.values()]
    means = [dict(zip(panel.systems, panel.score("AP").means()[0].tolist(), strict=True)) for panel in panels]
    for system, mean in zip(result["leaderboard"]["system"], result["leaderboard"]["mean"], strict=True):
        assert mean == pytest.approx(np.mean([part[str(system)] for part in means]), rel=1e-12)
    rows = zip(result["leaderboard"]["system"], result["leaderboard"]["best_set"], strict=True)
    assert [system for system, inside in rows if inside == "yes"] == ["pircRBa1", "aplrob03a", "uwmtCR0"]
