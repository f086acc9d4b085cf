"""RprecMult@x: precision at a multiple of R."""

from irassay.measures.core.param import Param
from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "RprecMult",
    kind="fold",
    cite="buckley2005evaluation",
    params={"multiple": Param(None, "multiple of R, written after @", above=0, high=1000, value_type="number")},
    at="multiple",
    cut="never",
    trec_cut="Rprec_mult_{k}",
    peers={"trec_eval": "Rprec_mult_x"},
)
def rprecmult(
    rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats
) -> float:
    r"""Precision at rank x·R: low multiples reward precision, high ones recall.

    $$RprecMult@x = \frac{C(k)}{k},\quad k = \lfloor xR + 0.9 \rfloor$$
    The rank is rounded as trec_eval does. With x = 1 it is Rprec.
    """
    relevant = 0
    for g in range(1, len(judged)):
        relevant += judged[g]
    cut = int(par[0] * relevant + 0.9)
    count = 0
    for i in range(n):
        if rank[i] <= cut:
            count += 1
    return count / cut if cut > 0 else 0.0
