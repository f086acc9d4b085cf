"""The work of `irassay leaderboard`."""

from typing import Any

import numpy as np

from irassay._version import __version__
from irassay.errors import InputError, IrassayWarning, emit
from irassay.result import Result
from irassay.settings import Execution
from irassay.studies.inputs import thread_count
from irassay.studies.leaderboard.board import (
    Board,
    check_scales,
    check_size,
    different_measures,
    without_missing,
)
from irassay.studies.leaderboard.figures import figures
from irassay.studies.leaderboard.inference import AS_IF, infer
from irassay.studies.leaderboard.inputs import load_board
from irassay.studies.leaderboard.settings import Leaderboard
from irassay.studies.leaderboard.tables import leaderboard_tables
from irassay.studies.selection import check_selection, select_systems


def run(study: Leaderboard, data: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `leaderboard`, one row a system; `pairs`; `collections`; `without`; `ranks`; `groups`; `win_matrix`;
    `redundancy`.

    With --tasks random also `critical_difference`, with --tasks weights `weightings` and `weighted_pairs`. In Python
    `data` is a collections file or `Collection` objects, a folder or table, a frame, or {collection: scores}, where
    scores are a `Panel`, `Scores`, or a number for each system.
    """
    study.check()
    check_selection(study)
    jobs = thread_count(execution)
    board, warnings, provenance = load_board(study, data, runs, execution)
    check_size(board)
    board, missing = without_missing(board, study.missing)
    check_size(board)
    board, fewer, restrictions = _selected(study, board)
    board = board.in_order_of_names()
    notices = [*missing, *fewer, *check_scales(board, standardise=study.standardise)]
    notices += different_measures(board, standardise=study.standardise) + _topics(study, board)
    warnings += notices
    emit(warnings)
    if study.standardise:
        board = board.standardised()
    inference = infer(study, board, jobs)
    tables = leaderboard_tables(study, board, inference, jobs)
    provenance = {
        "irassay": __version__,
        **provenance,
        "systems": list(board.systems),
        "restrictions": restrictions,
        "collections": list(board.collections),
        "measures": list(board.measures),
        "topics": board.topic_counts,
        "tasks": study.tasks,
        "inference": inference.label,
        "sampled": inference.sampled,
        "missing": study.missing,
        "standardise": study.standardise,
        "families": study.families,
        "test": study.test if study.tasks == "random" else None,
        "alpha": study.alpha,
        "resamples": study.resamples,
        "seed": study.seed,
    }
    return Result("leaderboard", tables, tuple(warnings), provenance, figures(study, tables))


def _selected(study: Leaderboard, board: Board) -> tuple[Board, list[IrassayWarning], list[str]]:
    """--top and --sample-systems, by the mean or by one collection."""
    if study.top is None and study.sample_systems is None and not study.one_per_group:
        return board, [], []
    if np.isnan(board.scores).any() and study.top is not None:
        raise InputError("--top needs a mean of every system, and results are missing", hint="leave out --top")
    means = {"mean": board.scores.mean(axis=1), **dict(zip(board.collections, board.scores.T, strict=True))}
    places, fewer, restrictions = select_systems(study, board.systems, means)
    return board.select(systems=places), fewer, restrictions


def _topics(study: Leaderboard, board: Board) -> list[IrassayWarning]:
    """What the kind of tasks leaves unused or cannot do."""
    if study.tasks == "random":
        return [IrassayWarning("random-tasks", AS_IF)]
    if study.tasks == "weights" or board.per_topic is not None:
        return []
    without = [
        name for name, part in zip(board.collections, board.topics, strict=True) if part is None or part.shape[1] < 2
    ]
    if len(without) < len(board.collections):
        count = f"{len(without)} collection{'s' * (len(without) > 1)}"
        what = f"there are no scores of several topics on {count}, such as {without[0]}: no interval"
        return [IrassayWarning("no-topics", what)]
    what = "there is one score for each collection: without scores of topics there is no interval for --tasks fixed"
    return [IrassayWarning("no-topics", what)]
