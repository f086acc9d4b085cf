"""The figures of `irassay uncertainty`."""

from collections.abc import Sequence

from irassay.ask.reversals import RATE
from irassay.result import Figure, Mark, Table
from irassay.studies.uncertainty.tables import Varied

KINDS = {"sampling": "sample", "model": "assumed mechanism", "scenario": "scenario"}


def figures(tables: Sequence[Table], varied: Sequence[Varied]) -> tuple[Figure, ...]:
    """Those of the tables that there are."""
    names = {table.name for table in tables}
    drawn: list[Figure] = []
    if len(varied[0].replicates.systems) >= 5:
        # a figure for each kind: kinds do not compare
        drawn = [
            Figure(
                name=f"pairs_resolved_{kind}",
                kind="bars",
                table="budget",
                x="variation",
                y="pairs_resolved",
                series="measure",
                where={"kind": kind},
                labels={"x": title, "y": "share of pairs resolved"},
                caption=f"Share of pairs of systems that at most 5% of the replicates reverse ({title})",
                alt=f"Bars of the share of pairs resolved, a group for each {title}, a bar for each measure",
            )
            for kind, title in KINDS.items()
            if any(one.replicates.kind == kind for one in varied)
        ]
    if "reversals" in names:
        drawn.append(
            Figure(
                name="reversals",
                kind="curve",
                table="reversals",
                x="difference",
                y="fitted",
                series="variation",
                facet="measure",
                labels={"x": "observed difference of two systems", "y": "share of replicates that reverse it"},
                caption="How often replicates reverse a pair, by its observed difference (non-increasing fit)",
                alt="Falling curves of the reversal rate over the observed difference, one for each variation",
                marks=(Mark("y", RATE, "5%"),),
            )
        )
    return tuple(drawn)
