"""PPlus: Sakai's P-plus-measure."""

from irassay.measures.core.record import Floats, Ints, measure
from irassay.measures.definitions.o import BETA


@measure(
    "PPlus",
    kind="fold",
    cite="sakai2007one",
    params={"beta": BETA},
    graded=True,
    needs="ideal",
    aliases=("P+", "P-plus"),
    peers={"NTCIREVAL": "P-plus"},
)
def pplus(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Mean blended ratio over the relevant documents down to the preferred rank.

    $$P^+ = \frac{1}{C(r_p)}\sum_{r \le r_p} I(r)\,\frac{C(r)+\beta\,cg(r)}{r+\beta\,cg^*(r)}$$
    r_p is the rank of the first document of the highest level retrieved, as in PMeasure. Unlike PMeasure it is 1
    for an ideal list only. 0 where nothing relevant is retrieved.
    """
    best = 0
    for i in range(1, n):
        if grade[i] > grade[best]:
            best = i
    if n == 0:
        return 0.0
    cumulated = 0.0
    total = 0.0
    for i in range(best + 1):
        cumulated += gain[grade[i]]
        total += (i + 1 + par[0] * cumulated) / (rank[i] + par[0] * ideal[rank[i]])
    return total / (best + 1)
