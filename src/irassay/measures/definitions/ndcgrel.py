"""nDCGRel: nDCG, averaged over the ranks of the relevant documents."""

import math

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "nDCGRel",
    kind="fold",
    cite="jarvelin2002cumulated",
    graded=True,
    cut="never",
    needs="ideal",
    trec="ndcg_rel",
    peers={"trec_eval": "ndcg_rel"},
)
def ndcgrel(
    rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats
) -> float:
    r"""Mean, over the relevant documents, of nDCG cut at their ranks, as AP averages precision.

    $$nDCGRel = \frac{1}{R}\Big(\sum_{d\ \mathrm{retrieved}} nDCG@r(d) + (R - C(L))\,nDCG\Big)$$
    One that is not retrieved adds the nDCG of the whole list. The discount is log2(r+1).
    """
    relevant = 0
    for h in range(1, len(judged)):
        relevant += judged[h]
    total = 0.0
    dcg = 0.0
    best = 0.0
    at = 0
    for i in range(n):
        while at < rank[i] and at < relevant:
            at += 1
            best += (ideal[at] - ideal[at - 1]) / math.log2(at + 1.0)
        dcg += gain[grade[i]] / math.log2(rank[i] + 1.0)
        if best > 0.0:
            total += dcg / best
    while at < relevant:
        at += 1
        best += (ideal[at] - ideal[at - 1]) / math.log2(at + 1.0)
    if best > 0.0:
        total += (relevant - n) * dcg / best
    return total / relevant if relevant > 0 else 0.0
