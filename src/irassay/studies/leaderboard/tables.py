"""The tables of `irassay leaderboard`."""

from __future__ import annotations

import numpy as np

from irassay.ask import leaderboard as ask
from irassay.ask.letters import firsts, groups, letters
from irassay.ask.pairs import all_pairs
from irassay.ask.rank_sets import by_system, shares_ahead, weightings
from irassay.ask.ranks import count_ranks, rank_quantiles, ranks
from irassay.result import Column, Table, column_decimals
from irassay.scoring.scores import Array
from irassay.studies.leaderboard.board import Board
from irassay.studies.leaderboard.collection_tables import NO, YES, collections_table, redundancy_table, without_table
from irassay.studies.leaderboard.inference import AS_IF, Inference
from irassay.studies.leaderboard.settings import Leaderboard

DEPEND = "Mean rank and Borda's count depend on which systems take part."
QUANTILES = (0.025, 0.5, 0.975)
MOST_IN_GROUPS = 60  # systems beyond which nobody looks at groups


def leaderboard_tables(study: Leaderboard, board: Board, inference: Inference, jobs: int) -> tuple[Table, ...]:
    """All tables; systems from the best on."""
    order = ordered(board)
    tables = [
        _leaderboard(study, board, inference, order),
        _pairs(study, board, inference),
        collections_table(board),
        _win_matrix(board, order),
    ]
    if inference.ranks is not None:
        tables.append(_ranks(board, inference, order))
    if inference.corrected is not None and len(order) <= MOST_IN_GROUPS:
        tables += _groups(study, board, inference.corrected, order)
    if not np.isnan(board.scores).any():
        tables += [without_table(board, order), redundancy_table(board)]
    if study.tasks == "random":
        tables.append(_critical_difference(study, board))
    if study.tasks == "weights":
        tables += _weights(study, board, order, jobs)
    return tuple(tables)


def ordered(board: Board) -> list[int]:
    """Systems by their mean, by the middle of its bounds where results are missing; ties by name."""
    low, high = ask.fill_in(board.scores)
    middle = (low.mean(axis=1) + high.mean(axis=1)) / 2.0
    return sorted(range(len(middle)), key=lambda s: (-round(float(middle[s]), 10), board.systems[s]))


def estimand(study: Leaderboard, inference: Inference) -> str:
    """What the numbers are of."""
    of = {
        "fixed": "Mean over these collections, each with the same weight.",
        "random": f"Mean over collections, {AS_IF}.",
        "weights": "Mean over these collections, each with the same weight.",
    }[study.tasks]
    scale = " Scores are standardised on each collection over these systems." if study.standardise else ""
    return f"{of}{scale}"


def _leaderboard(study: Leaderboard, board: Board, inference: Inference, order: list[int]) -> Table:
    each = ask.collection_ranks(board.scores)
    sets = inference.ranks
    nothing = np.full(len(order), np.nan)
    low, high = inference.mean_bounds or (nothing, nothing)
    places = ["" for _ in order] if sets is None else [YES if one else NO for one in sets.best]
    rank_low, rank_high = (nothing, nothing) if sets is None else (sets.low, sets.high)
    columns: dict[str, Column] = {
        "system": [board.systems[s] for s in order],
        "inference": [inference.label] * len(order),
        "mean": board.scores.mean(axis=1)[order],
        "mean_low": low[order],
        "mean_high": high[order],
        "borda": ask.borda(each)[order],
        "mean_rank": each.mean(axis=1)[order],
        "rank_low": rank_low[order],
        "rank_high": rank_high[order],
        "best_set": [places[s] or None for s in order],
    }
    text = f"{estimand(study, inference)} {inference.how} {_meaning(study, inference)}".rstrip()
    digits = _digits(study, board, high - low) | {"borda": 1, "mean_rank": 2, "rank_low": 0, "rank_high": 0}
    return Table("leaderboard", columns, f"{text} {DEPEND}", {name: digits[name] for name in columns if name in digits})


def _meaning(study: Leaderboard, inference: Inference) -> str:
    """What bounds, ranks and best set are."""
    level = f"{1 - study.alpha:.4g}"
    if not inference.sampled:
        return (
            "Intervals of means, and ranks: over all results that the missing ones could be. "
            "In the best set: systems that could have rank 1."
        )
    if inference.ranks is None:
        return ""
    return (
        f"Intervals of means at {level}, each on its own. Ranks: those that the tests do not exclude, "
        f"for all systems at once at {level}. In the best set: not beaten by any other system in one-sided "
        "comparisons with it; these are fewer, so it may hold fewer systems than could have rank 1."
    )


def _digits(study: Leaderboard, board: Board, widths: Array) -> dict[str, int]:
    errors = [width / 3.92 for width in widths.tolist() if width > 0]
    places = study.digits if study.digits is not None else column_decimals(errors) if errors else 4
    return dict.fromkeys(("mean", "mean_low", "mean_high", "difference", "low", "high"), places)


def _pairs(study: Leaderboard, board: Board, inference: Inference) -> Table:
    first, second = all_pairs(len(board.systems))
    difference, common = ask.common_differences(board.scores)
    won, tied = ask.wins(board.scores)
    nothing = np.full(len(first), np.nan)
    low, high = inference.bounds or (nothing, nothing)
    columns: dict[str, Column] = {
        "system_x": [board.systems[x] for x in first.tolist()],
        "system_y": [board.systems[y] for y in second.tolist()],
        "collections": common[first, second],
        "wins": won[first, second],
        "losses": won[second, first],
        "ties": tied[first, second],
        "difference": difference[first, second],
        "low": low,
        "high": high,
        "p_value": nothing if inference.p is None else inference.p,
        "p_corrected": nothing if inference.corrected is None else inference.corrected,
    }
    text = f"{estimand(study, inference)} Pairs on the collections that both have results for: difference A - B."
    if inference.tested:
        text += (
            f" {inference.how} Intervals hold together at {1 - study.alpha:.4g}. They, Holm's p-values and the rank "
            "sets are not one procedure, so a pair near the level may differ between them."
        )
    digits = _digits(study, board, high - low) | {"p_value": 4, "p_corrected": 4}
    return Table("pairs", columns, text, {name: digits[name] for name in columns if name in digits})


def _groups(study: Leaderboard, board: Board, corrected: Array, order: list[int]) -> list[Table]:
    """The content of a critical-difference diagram's bars; none where there are too many groups to look at."""
    systems = len(order)
    different = np.zeros((systems, systems), dtype=np.bool_)
    different[all_pairs(systems)] = corrected < study.alpha
    members = groups(order, different | different.T)
    if members is None:
        return []
    rows = [(str(number), s) for s in order for number, group in enumerate(members, 1) if s in group]
    means = board.scores.mean(axis=1)
    return [
        Table(
            "groups",
            {
                "group": [number for number, _ in rows],
                "system": [board.systems[s] for _, s in rows],
                "mean": [float(means[s]) for _, s in rows],
            },
            f"Systems of one group differ in no pair at {study.alpha:g} (Holm), which does not show that they are "
            "equal; a system may be in several. It is what the bars of a critical-difference diagram join.",
            {"mean": 4},
        )
    ]


def _win_matrix(board: Board, order: list[int]) -> Table:
    won, tied = ask.wins(board.scores)
    _, common = ask.common_differences(board.scores)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (won + 0.5 * tied) / common
    np.fill_diagonal(share, 0.5)
    x, y = _all_cells(order)
    return Table(
        "win_matrix",
        {"system_x": _names(board, x), "system_y": _names(board, y), "win_rate": share[x, y]},
        "Share of these collections on which x scores higher than y; a tie counts half, and so does a system beside "
        "itself.",
        {"win_rate": 2},
    )


def _all_cells(order: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Every ordered pair of systems, from the best on."""
    x, y = (side.ravel() for side in np.meshgrid(order, order, indexing="ij"))
    return x, y


def _names(board: Board, places: np.ndarray) -> list[str]:
    return [board.systems[s] for s in places.tolist()]


def _ranks(board: Board, inference: Inference, order: list[int]) -> Table:
    sets = inference.ranks
    assert sets is not None
    observed = np.full(len(order), np.nan)
    if not np.isnan(board.scores).any():
        observed = ranks(board.scores.mean(axis=1))
    return Table(
        "ranks",
        {
            "system": [board.systems[s] for s in order],
            "rank": observed[order],
            "rank_low": sets.low[order],
            "rank_high": sets.high[order],
            "rank_low_one": sets.low_one[order],
            "rank_high_one": sets.high_one[order],
        },
        "Ranks by the mean that the tests do not exclude: for all systems at once and, in narrower "
        f"ranges, for one system chosen before looking at the scores (alone). {inference.how}",
        {"rank": 1},
    )


def _critical_difference(study: Leaderboard, board: Board) -> Table:
    systems, collections = board.scores.shape
    middle = ask.collection_ranks(board.scores).mean(axis=1)
    distance = ask.critical_difference(systems, collections, study.alpha)
    order = sorted(range(systems), key=lambda s: (round(float(middle[s]), 10), board.systems[s]))
    # mean ranks in a row: these groups are never many
    joined = groups(order, np.abs(middle[:, None] - middle[None, :]) >= distance) or []
    marks = letters(systems, joined)
    return Table(
        "critical_difference",
        {
            "system": [board.systems[s] for s in order],
            "mean_rank": middle[order],
            "low": middle[order] - distance / 2.0,
            "high": middle[order] + distance / 2.0,
            "letters": [marks[s] for s in order],
        },
        f"Mean ranks over {collections} collections, low and high are ± half the critical difference: systems "
        f"that are {distance:.2f} apart differ at {study.alpha:g} by Nemenyi's test of all pairs, {AS_IF}; those with "
        f"a common letter do not. {DEPEND}",
        {"mean_rank": 2, "low": 2, "high": 2},
    )


def _weights(study: Leaderboard, board: Board, order: list[int], jobs: int) -> list[Table]:
    draws = weightings(board.scores, study.resamples, seed=study.seed, jobs=jobs)
    sampled = np.ascontiguousarray(by_system(draws).T)
    low, middle, high = rank_quantiles(count_ranks(sampled), QUANTILES)
    x, y = _all_cells(order)
    about = (
        f"{len(sampled):,} weightings of these collections, uniform over all weightings (Dirichlet(1)). "
        "That is sensitivity, not confidence."
    )
    systems: dict[str, Column] = {
        "system": [board.systems[s] for s in order],
        "share_first": (firsts(sampled) / len(sampled))[order],
        "rank_q2.5": low[order],
        "rank_q50": middle[order],
        "rank_q97.5": high[order],
    }
    pairs: dict[str, Column] = {
        "system_x": _names(board, x),
        "system_y": _names(board, y),
        "share_better": shares_ahead(draws, jobs)[x, y],  # half beside itself
    }
    return [
        Table(
            "weightings",
            systems,
            f"Share in which a system is first, and quantiles of its rank: {about}",
            {"share_first": 3, "rank_q2.5": 1, "rank_q50": 1, "rank_q97.5": 1},
        ),
        Table("weighted_pairs", pairs, f"Share in which x has the higher mean than y: {about}", {"share_better": 3}),
    ]
