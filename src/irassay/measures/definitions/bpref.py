"""Bpref: preference of relevant over nonrelevant documents."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "Bpref",
    kind="fold",
    cite="buckley2004bpref",
    per="R",
    cut="never",
    condensed="always",
    why_condensed="Bpref looks at judged documents only: it already is its own condensed form",
    aliases=("BPref",),
    trec="bpref",
    peers={"trec_eval": "bpref (version 8 and later)", "ir_measures": "Bpref"},
)
def bpref(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Share of judged nonrelevant documents that the relevant ones stand above.

    $$bpref = \frac{1}{R}\sum_{d\ \mathrm{relevant}}\Big(1-\frac{\min(n(d),R)}{\min(R,N)}\Big)$$
    n(d) is the number of judged nonrelevant documents above d, N the number judged nonrelevant in the
    topic. A term with nothing judged nonrelevant above it is 1, so N = 0 is no division by zero.
    """
    relevant = 0
    for g in range(1, len(judged)):
        relevant += judged[g]
    bound = min(relevant, judged[0])
    total = 0.0
    for i in range(n):
        # on a condensed list whatever is above and not a hit is judged nonrelevant
        above = min(rank[i] - (i + 1), bound)
        total += 1.0
        if above > 0:
            total -= above / bound
    return total
