"""IPrec@r: interpolated precision at a level of recall."""

from irassay.measures.core.param import Param
from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "IPrec",
    kind="fold",
    cite="buckley2005evaluation",
    params={
        "recall": Param(None, "level of recall, written after @", low=0, high=1, value_type="number"),
        "variant": Param("exact", "recall reached, or trec_eval 9's rounding of it", choices=("exact", "trec")),
    },
    at="recall",
    cut="never",
    trec_cut="iprec_at_recall_{k}",
    peers={
        "trec_eval": "iprec_at_recall_r of version 9 is variant='trec'; without it the two differ where r·R+0.9 falls "
        "short of a whole number by rounding (r = 0.7, R = 3); version 10 rounds r·R instead",
        "ir_measures": "IPrec@r, which is trec_eval's",
    },
)
def iprec(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Best precision at any rank where recall has reached a level: a point of the recall-precision curve.

    $$IPrec@\rho = \max_{r\,:\,C(r)\,\ge\,\rho R}\frac{C(r)}{r}$$
    ρ is the level; 0 where the list never reaches it. `variant='trec'` looks for r·R+0.9 documents, rounded down.
    """
    relevant = 0
    for g in range(1, len(judged)):
        relevant += judged[g]
    wanted = par[0] * relevant
    first = int(wanted)
    if par[1] > 0.0:
        first = int(wanted + 0.9)
    elif wanted - first > 1e-9:  # 0.3 * 10 is a little more than 3
        first += 1
    best = 0.0
    for i in range(n):
        if i + 1 >= first and (i + 1) / rank[i] > best:
            best = (i + 1) / rank[i]
    return best
