"""Q: Sakai's Q-measure."""

from irassay.measures.core.param import Param
from irassay.measures.core.record import Floats, Ints, measure
from irassay.measures.definitions.ap import NORM, norm_needs_a_cut


@measure(
    "Q",
    kind="fold",
    cite="sakai2007bootstrap",
    params={"beta": Param(1.0, "weight of cumulative gain; 0 gives AP", low=0), "norm": NORM},
    check=norm_needs_a_cut,
    per="R",
    graded=True,
    needs="ideal",
    aliases=("Q-measure",),
    peers={"NTCIREVAL": "Q-measure; at a cut-off it is Q(norm='min')@k"},
)
def q(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Mean, over the relevant documents, of the blended ratio at their ranks.

    $$Q = \frac{1}{R}\sum_r I(r)\,\frac{C(r)+\beta\,cg(r)}{r+\beta\,cg^*(r)}$$
    cg is the cumulative gain of the list, cg* that of the ideal list. Unlike nCG it keeps falling when a
    document sinks below rank R, because r itself is in the denominator.
    """
    cumulated = 0.0
    total = 0.0
    for i in range(n):
        cumulated += gain[grade[i]]
        total += (i + 1 + par[0] * cumulated) / (rank[i] + par[0] * ideal[rank[i]])
    return total
