"""The figures of `irassay leaderboard`."""

from collections.abc import Sequence

from irassay.report.text import undefined
from irassay.result import Figure, Table, interval_around
from irassay.studies.leaderboard.settings import Leaderboard

FEW_CELLS = 4  # of a matrix of collections that need no figure
MOST_IN_TIERS = 30  # systems whose names fit beside a critical-difference diagram
# Matrices: what a cell shows, its label, and the alternative text.
MATRICES = {
    "win_matrix": (
        "win_rate",
        "won",
        "A matrix of the share of collections on which the system of the row beats that of the column",
    ),
    "weighted_pairs": (
        "share_better",
        "better",
        "A matrix of the share of weightings in which the system of the row has a higher mean than the column's",
    ),
    "redundancy": ("correlation", "correlation", "A matrix of rank correlations between collections"),
}


def figures(study: Leaderboard, tables: Sequence[Table]) -> tuple[Figure, ...]:
    """Those whose tables are there."""
    by_name = {table.name: table for table in tables}
    chosen = [_means(by_name["leaderboard"])]
    if "ranks" in by_name:
        chosen.append(_ranks(by_name["ranks"]))
    systems = len(by_name["leaderboard"])
    chosen += [_tiers(by_name[name]) for name in TIERS if name in by_name and systems <= MOST_IN_TIERS]
    for name in MATRICES:
        if name in by_name and (name != "redundancy" or len(by_name[name]) > FEW_CELLS):
            chosen.append(_matrix(by_name[name]))
    return tuple(chosen)


def _means(table: Table) -> Figure:
    alone = all(map(undefined, table["mean_low"]))
    return Figure(
        "means",
        "points" if alone else "intervals",
        "leaderboard",
        **({"x": "mean"} if alone else interval_around("mean")),
        y="system",
        labels={"x": "mean over collections"},
        caption=table.caption,
        alt=f"Each system's mean over the collections, {'without intervals' if alone else 'with its interval'}, the "
        "best on top",
    )


def _ranks(table: Table) -> Figure:
    return Figure(
        "ranks",
        "intervals",
        "ranks",
        **interval_around("rank"),
        y="system",
        order="rising",
        caption=table.caption,
        alt="Each system's rank by the mean, rank 1 on top, with the ranks that the tests do not exclude",
    )


# Critical-difference diagrams: the column along the line, and that of letters, one for each bar.
TIERS = {"groups": ("mean", "group"), "critical_difference": ("mean_rank", "letters")}


def _tiers(table: Table) -> Figure:
    place, letters = TIERS[table.name]
    return Figure(
        table.name,
        "tiers",
        table.name,
        x=place,
        y="system",
        text=letters,
        labels={"x": place.replace("_", " ")},
        caption=f"{table.caption} A bar joins systems of which no two are told apart, at its points",
        alt=f"A critical-difference diagram: systems along a line of their {place.replace('_', ' ')}, with bars that "
        "join those that the tests do not tell apart",
    )


def _matrix(table: Table) -> Figure:
    value, label, alt = MATRICES[table.name]
    of = "collection" if table.name == "redundancy" else "system"
    return Figure(
        table.name,
        "matrix",
        table.name,
        x=f"{of}_y",
        y=f"{of}_x",
        value=value,
        labels={"x": "collection" if of == "collection" else "against", "y": of, "value": label},
        caption=table.caption,
        alt=alt,
    )
