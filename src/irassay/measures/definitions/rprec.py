"""Rprec: R-precision."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "Rprec",
    kind="fold",
    cite="buckley2005evaluation",
    per="R",
    cut="never",
    trec="Rprec",
    peers={"trec_eval": "Rprec", "ir_measures": "Rprec"},
)
def rprec(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Precision, and recall, at rank R: the cut-off at which a perfect list scores 1 on both.

    $$Rprec = \frac{C(R)}{R}$$
    """
    relevant = 0
    for g in range(1, len(judged)):
        relevant += judged[g]
    count = 0.0
    for i in range(n):
        if rank[i] <= relevant:
            count += 1.0
    return count
