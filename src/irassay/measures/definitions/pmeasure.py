"""PMeasure: Sakai's P-measure."""

from irassay.measures.core.record import Floats, Ints, measure
from irassay.measures.definitions.o import BETA


@measure(
    "PMeasure",
    kind="fold",
    cite="sakai2007one",
    params={"beta": BETA},
    graded=True,
    needs="ideal",
    aliases=("P-measure",),
    peers={"NTCIREVAL": "P-measure"},
)
def pmeasure(
    rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats
) -> float:
    r"""Blended ratio at the preferred rank, that of the first document of the highest level retrieved.

    $$P = BR(r_p) = \frac{C(r_p)+\beta\,cg(r_p)}{r_p+\beta\,cg^*(r_p)}$$
    For a user who goes on until a document of the best level the list has. r_p goes by level, not by gain, and a
    cut-off limits where it is looked for. 0 where nothing relevant is retrieved.
    """
    best = 0
    for i in range(1, n):
        if grade[i] > grade[best]:
            best = i
    if n == 0:
        return 0.0
    cumulated = 0.0
    for i in range(best + 1):
        cumulated += gain[grade[i]]
    return (best + 1 + par[0] * cumulated) / (rank[best] + par[0] * ideal[rank[best]])
