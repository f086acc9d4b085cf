"""O: Sakai's O-measure."""

from irassay.measures.core.param import Param
from irassay.measures.core.record import Floats, Ints, measure

BETA = Param(1.0, "weight of cumulative gain in the blended ratio", low=0)


@measure(
    "O",
    kind="fold",
    cite="sakai2007one",
    params={"beta": BETA},
    graded=True,
    needs="ideal",
    aliases=("O-measure",),
    peers={"NTCIREVAL": "O-measure"},
)
def o(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Blended ratio at the rank of the first relevant document: RR with graded relevance.

    $$O = BR(r_1) = \frac{1+\beta\,g(r_1)}{r_1+\beta\,cg^*(r_1)}$$
    For a user who stops at any relevant document. 0 where none is retrieved; cg* is the cumulative gain of the
    ideal list, so a late hit is worth more where little is relevant. `beta=0` gives RR.
    """
    return (1 + par[0] * gain[grade[0]]) / (rank[0] + par[0] * ideal[rank[0]]) if n > 0 else 0.0
