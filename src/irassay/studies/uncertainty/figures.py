"""The figures of `irassay uncertainty`."""

from collections.abc import Sequence

from irassay.ask.reversals import RATE
from irassay.result import Figure, Mark, Table
from irassay.studies.uncertainty.tables import Varied


def figures(tables: Sequence[Table], varied: Sequence[Varied]) -> tuple[Figure, ...]:
    """Those of the tables that there are."""
    names = {table.name for table in tables}
    drawn = []
    if len(varied[0].replicates.systems) >= 5:
        drawn.append(
            Figure(
                name="pairs_resolved",
                kind="bars",
                table="budget",
                x="variation",
                y="pairs_resolved",
                series="measure",
                facet="kind",
                labels={"x": "what varies", "y": "share of pairs resolved"},
                caption="Share of pairs of systems that at most 5% of the replicates reverse; kinds do not compare",
                alt="Bars of the share of pairs resolved by what varies, in a small figure for each kind of variation",
            )
        )
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
