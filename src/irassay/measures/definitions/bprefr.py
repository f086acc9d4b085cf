"""BprefR: bpref with penalties divided by R."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "BprefR",
    kind="fold",
    cite="sakai2007alternatives",
    per="R",
    cut="never",
    condensed="always",
    why_condensed="BprefR looks at judged documents only: it already is its own condensed form",
    peers={"trec_eval": "bpref where R <= N, which is the rule in TREC's collections"},
)
def bprefr(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Bpref as first defined: each misplacement penalty is divided by R.

    $$bpref\_R = \frac{1}{R}\sum_{d\ \mathrm{relevant}}\Big(1-\frac{\min(n(d),R)}{R}\Big)$$
    n(d) is the number of judged nonrelevant documents above d. Where fewer documents are judged nonrelevant than
    relevant, Bpref divides by their number instead.
    """
    relevant = 0
    for g in range(1, len(judged)):
        relevant += judged[g]
    total = 0.0
    for i in range(n):
        above = rank[i] - (i + 1)
        if above < relevant:
            total += 1.0 - above / relevant
    return total
