"""The figures of `irassay leaderboard`."""

from collections.abc import Sequence

from irassay.report.text import undefined
from irassay.result import Figure, Table
from irassay.studies.leaderboard.settings import Leaderboard

FEW_CELLS = 4  # of a matrix of collections that need no figure


def figures(study: Leaderboard, tables: Sequence[Table]) -> tuple[Figure, ...]:
    """Those whose tables are there."""
    by_name = {table.name: table for table in tables}
    chosen = [_means(by_name["leaderboard"]), _win_matrix(by_name["win_matrix"])]
    if "ranks" in by_name:
        chosen.insert(1, _ranks(by_name["ranks"]))
    for name, make in (
        ("groups", _groups),
        ("critical_difference", _critical_difference),
        ("weighted_pairs", _weighted_pairs),
        ("redundancy", _redundancy),
    ):
        if name in by_name and (name != "redundancy" or len(by_name[name]) > FEW_CELLS):
            chosen.append(make(by_name[name]))
    return tuple(chosen)


def _means(table: Table) -> Figure:
    if all(map(undefined, table["mean_low"])):
        return Figure(
            name="means",
            kind="points",
            table="leaderboard",
            x="system",
            y="mean",
            labels={"y": "mean over collections"},
            caption=table.caption,
            alt="Each system's mean over the collections, without intervals",
        )
    return Figure(
        name="means",
        kind="intervals",
        table="leaderboard",
        x="system",
        y="mean",
        low="mean_low",
        high="mean_high",
        labels={"y": "mean over collections"},
        caption=table.caption,
        alt="Each system's mean over the collections with its interval",
    )


def _ranks(table: Table) -> Figure:
    return Figure(
        name="ranks",
        kind="intervals",
        table="ranks",
        x="system",
        y="rank",
        low="rank_low",
        high="rank_high",
        caption=table.caption,
        alt="Each system's rank by the mean, with the ranks that the tests do not exclude",
    )


def _win_matrix(table: Table) -> Figure:
    return Figure(
        name="win_matrix",
        kind="matrix",
        table="win_matrix",
        x="system_y",
        y="system_x",
        value="win_rate",
        labels={"x": "against", "y": "system", "value": "won"},
        caption=table.caption,
        alt="A matrix of the share of collections on which the system of the row beats that of the column",
    )


def _groups(table: Table) -> Figure:
    return Figure(
        name="groups",
        kind="points",
        table="groups",
        x="system",
        y="group",
        labels={"x": "system, from the best mean on", "y": "not told apart"},
        caption=table.caption,
        alt="A row of points for each group of systems that the tests do not tell apart",
    )


def _critical_difference(table: Table) -> Figure:
    return Figure(
        name="critical_difference",
        kind="intervals",
        table="critical_difference",
        x="system",
        y="mean_rank",
        low="low",
        high="high",
        labels={"y": "mean rank"},
        caption=table.caption,
        alt="Each system's mean rank with a bar as long as the critical difference",
    )


def _weighted_pairs(table: Table) -> Figure:
    return Figure(
        name="weighted_pairs",
        kind="matrix",
        table="weighted_pairs",
        x="system_y",
        y="system_x",
        value="share_better",
        labels={"x": "against", "y": "system", "value": "better"},
        caption=table.caption,
        alt="A matrix of the share of weightings in which the system of the row has a higher mean than the column's",
    )


def _redundancy(table: Table) -> Figure:
    return Figure(
        name="redundancy",
        kind="matrix",
        table="redundancy",
        x="collection_y",
        y="collection_x",
        value="correlation",
        labels={"x": "collection", "y": "collection"},
        caption=table.caption,
        alt="A matrix of rank correlations between collections",
    )
