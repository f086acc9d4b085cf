"""RMeasure: Sakai's R-measure."""

from irassay.measures.core.record import Floats, Ints, measure
from irassay.measures.definitions.o import BETA


@measure(
    "RMeasure",
    kind="fold",
    cite="sakai2004multigrade",
    params={"beta": BETA},
    graded=True,
    needs="ideal",
    cut="never",
    aliases=("R-measure",),
    peers={"NTCIREVAL": "R-measure (pyNTCIREVAL has none)"},
)
def rmeasure(
    rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats
) -> float:
    r"""Blended ratio at rank R: R-precision with graded relevance.

    $$R = BR(R) = \frac{C(R)+\beta\,cg(R)}{R+\beta\,cg^*(R)}$$
    It does not tell one order of the first R documents from another. `beta=0` gives Rprec.
    """
    relevant = 0
    for g in range(1, len(judged)):
        relevant += judged[g]
    if relevant == 0:
        return 0.0
    count = 0
    cumulated = 0.0
    for i in range(n):
        if rank[i] <= relevant:
            count += 1
            cumulated += gain[grade[i]]
    return (count + par[0] * cumulated) / (relevant + par[0] * ideal[relevant])
