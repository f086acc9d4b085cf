"""The table `anova` of `irassay compare`."""

from irassay.ask.anova import two_way
from irassay.result import Table
from irassay.scoring.scores import Array, Scores
from irassay.studies.tables import columns

CAPTION = (
    "Two-way analysis of variance, systems by topics: do the systems differ at all? It takes residuals for independent "
    "and normal with one variance, so that the differences of all pairs vary alike; scores seldom are so, and the "
    "tests of pairs do not need it. One score a cell: the residual holds how systems and topics interact. share: omega "
    "squared, the share of the variance, 0 where its estimate is negative."
)
DIGITS = {"sum_of_squares": 4, "mean_square": 5, "f": 2, "p_value": 4, "share": 3}


def anova_table(values: list[tuple[str, Array]], scores: Scores) -> Table:
    """Systems in the order of their names, so that the order of the runs moves no bit."""
    by_name = sorted(range(len(scores.systems)), key=lambda s: scores.systems[s])
    rows = [
        {
            "measure": measure,
            "source": row.source,
            "df": row.df,
            "sum_of_squares": row.sum_of_squares,
            "mean_square": row.mean_square,
            "f": row.f,
            "p_value": row.p_value,
            "share": row.omega_squared,
        }
        for measure, x in values
        for row in two_way(x[by_name])
    ]
    return Table("anova", columns(rows), CAPTION, DIGITS)
