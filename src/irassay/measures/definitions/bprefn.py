"""BprefN: bpref with penalties divided by N."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "BprefN",
    kind="fold",
    cite="sakai2007alternatives",
    per="R",
    cut="never",
    condensed="always",
    why_condensed="BprefN looks at judged documents only: it already is its own condensed form",
    peers={"trec_eval": "bpref_allnonrel of version 8 (later ones have none); bpref where N <= R"},
)
def bprefn(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Bpref with each misplacement penalty divided by N, all judged nonrelevant documents.

    $$bpref\_N = \frac{1}{R}\sum_{d\ \mathrm{relevant}}\Big(1-\frac{n(d)}{N}\Big)$$
    n(d) is the number of judged nonrelevant documents above d. N is large as a rule, so that the top of the list
    hardly counts; it equals RankEff. A term with nothing judged nonrelevant above it is 1, also where N = 0.
    """
    total = 0.0
    for i in range(n):
        above = rank[i] - (i + 1)
        total += 1.0
        if above > 0:
            total -= above / judged[0]
    return total
