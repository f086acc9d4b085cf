"""infAP: inferred average precision."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "infAP",
    kind="fold",
    cite="yilmaz2006estimating",
    per="R",
    hits="pooled",
    cut="never",
    condensed="never",
    why_condensed="infAP infers from the pooled documents without a judgment: a condensed list has none",
    trec="infAP",
    peers={"trec_eval": "infAP", "ir_measures": "infAP"},
)
def infap(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Average precision, estimated from a pool of which only a random part was judged.

    $$infAP = \frac{1}{R}\sum_{d\ \mathrm{relevant}}\frac{1}{r}\Big(1 + p(r)\,
    \frac{C(r-1)+\epsilon}{C(r-1)+n(r)+2\epsilon}\Big),\quad \epsilon=10^{-5}$$
    p(r) and n(r) count the pooled and the judged nonrelevant documents above rank r. A negative grade is pooled
    but not judged; what no judgment mentions was not pooled, and counts as not relevant.
    """
    total = 0.0
    relevant = 0
    nonrelevant = 0
    unjudged = 0
    for i in range(n):
        if grade[i] < 0:
            unjudged += 1
        elif gain[grade[i]] == 0.0:
            nonrelevant += 1
        elif rank[i] == 1:
            total += 1.0
            relevant += 1
        else:
            above = rank[i] - 1.0
            pooled = (relevant + nonrelevant + unjudged) / above
            precision = (relevant + 0.00001) / (relevant + nonrelevant + 2 * 0.00001)
            total += 1.0 / rank[i] + above / rank[i] * pooled * precision
            relevant += 1
    return total
