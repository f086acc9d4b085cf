"""The tables of `irassay leaderboard` about collections: which decide the order, and which say the same twice."""

import numpy as np

from irassay.ask import leaderboard as ask
from irassay.result import Table
from irassay.studies.leaderboard.board import Board

YES, NO = "yes", "no"


def collections_table(board: Board) -> Table:
    complete = not np.isnan(board.scores).any()
    several = len(board.collections) > 2
    taus = ask.order_without(board.scores)[0] if complete and several else np.full(len(board.collections), np.nan)
    correlation = ask.correlation_with_others(board.scores) if complete else np.full(len(board.collections), np.nan)
    return Table(
        "collections",
        {
            "collection": board.collections,
            "systems": (~np.isnan(board.scores)).sum(axis=0),
            "topics": board.topic_counts,
            "tau_without": taus,
            "correlation": correlation,
        },
        "What each collection says. Tau without it: agreement (tau b) of the order of these systems with that of the "
        "mean without the collection; the lowest decide the order. Correlation: Spearman's, of the scores with the "
        "mean over the other collections.",
        {"tau_without": 3, "correlation": 3},
    )


def without_table(board: Board, order: list[int]) -> Table:
    _, firsts_without = ask.order_without(board.scores[order])
    names = [board.systems[order[s]] for s in firsts_without.tolist()]
    return Table(
        "without",
        {
            "collection": board.collections,
            "first": names,
            "first_changes": [NO if name == board.systems[order[0]] else YES for name in names],
        },
        "Leave one out: who is first on the mean over the other collections.",
    )


def redundancy_table(board: Board) -> Table:
    matrix = ask.correlations(board.scores)
    x, y = (side.ravel() for side in np.indices(matrix.shape))
    return Table(
        "redundancy",
        {
            "collection_x": [board.collections[k] for k in x.tolist()],
            "collection_y": [board.collections[k] for k in y.tolist()],
            "correlation": matrix.ravel(),
        },
        "Spearman's correlation of the scores of these systems on two collections: near 1, one of them says little "
        "more than the other about their order.",
        {"correlation": 2},
    )
