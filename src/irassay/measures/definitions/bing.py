"""BinG: relevant documents discounted by the nonrelevant ones above them."""

import math

from irassay.measures.core.record import Floats, Ints, measure


@measure("BinG", kind="fold", cite="buckley2005evaluation", per="R", trec="binG", peers={"trec_eval": "binG"})
def bing(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Mean, over the relevant documents, of a discount by the number of nonrelevant documents above.

    $$BinG = \frac{1}{R}\sum_{d\ \mathrm{relevant}}\frac{1}{\log_2(2 + r(d) - C(r(d)))}$$
    Only what is not relevant costs anything, as in Bpref; unjudged documents count as not relevant. G is graded.
    """
    total = 0.0
    for i in range(n):
        total += 1.0 / math.log2(2.0 + rank[i] - (i + 1))
    return total
