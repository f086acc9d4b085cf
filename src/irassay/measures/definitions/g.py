"""G: gain discounted by the gain that was missed above."""

import math

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "G",
    kind="fold",
    cite="buckley2005evaluation",
    graded=True,
    cut="never",
    needs="ideal",
    trec="G",
    peers={"trec_eval": "G"},
)
def g(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Gain of the retrieved documents, each discounted by what an ideal list would have gained more down to its rank.

    $$G = \frac{1}{cg^*}\sum_r \frac{g(r)}{\log_2\big(2+\sum_{i\le r}\max(g^*(i),1)-cg(r)\big)}$$
    g is the gain at a rank and cg its sum; g* and cg* are those of the ideal list. A document below many of higher gain
    is discounted, wherever it stands; a rank costs at least 1.
    """
    relevant = 0
    for h in range(1, len(judged)):
        relevant += judged[h]
    total = 0.0
    cost = 0.0
    gained = 0.0
    at = 0
    for i in range(n):
        while at < rank[i]:
            at += 1
            best = ideal[at] - ideal[at - 1]
            cost += max(best, 1.0)
        gained += gain[grade[i]]
        total += gain[grade[i]] / math.log2(2.0 + cost - gained)
    return total / ideal[relevant] if ideal[relevant] > 0.0 else 0.0
