"""Judgments and runs, read where they are not yet, and aligned."""

from __future__ import annotations

from typing import Any

from irassay.panel.alignment import align
from irassay.panel.panel import Panel
from irassay.read import Qrels, Runs, read_qrels, read_runs
from irassay.settings import Inputs


def aligned(
    study: Inputs, qrels: Any, runs: Any, jobs: int | None, *, keep_scores: bool = False
) -> tuple[Qrels, Runs, Panel]:
    """What a study of judgments and runs starts from; `keep_scores` keeps the retrieval scores beside the lists."""
    qrels = qrels if isinstance(qrels, Qrels) else read_qrels(qrels, duplicates=study.duplicates)
    if not isinstance(runs, Runs):
        needed = keep_scores or study.order == "trec9" or study.residual is not None
        runs = read_runs(runs, names=study.names, jobs=jobs, keep_scores=needed)
    return qrels, runs, align(qrels, runs, jobs=jobs, keep_scores=keep_scores, **study.alignment())
