"""RnDCG: nDCG, averaged over the ranks at which the ideal gain falls."""

import math

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "RnDCG",
    kind="fold",
    cite="jarvelin2002cumulated",
    graded=True,
    cut="never",
    needs="ideal",
    trec="Rndcg",
    peers={"trec_eval": "Rndcg"},
)
def rndcg(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Mean of nDCG at the ranks where the ideal list goes on to a lower gain, and at the end of the list.

    $$RnDCG = \frac{1}{|K|}\sum_{k\in K} nDCG@k$$
    With 5 documents of gain 3 and 10 of gain 1, K is 5, 15 and the length of the list, if that is beyond 16. The
    discount is log2(r+1).
    """
    relevant = 0
    for h in range(1, len(judged)):
        relevant += judged[h]
    total = 0.0
    points = 0
    dcg = 0.0
    best = 0.0
    i = 0
    for k in range(1, relevant + 1):
        while i < n and rank[i] <= k:
            dcg += gain[grade[i]] / math.log2(rank[i] + 1.0)
            i += 1
        here = ideal[k] - ideal[k - 1]
        best += here / math.log2(k + 1.0)
        falls = k == relevant or ideal[k + 1] - ideal[k] < here
        if falls and best > 0.0:
            total += dcg / best
            points += 1
    if size > relevant + 1 and best > 0.0:
        while i < n:
            dcg += gain[grade[i]] / math.log2(rank[i] + 1.0)
            i += 1
        total += dcg / best
        points += 1
    return total / points if points > 0 else 0.0
