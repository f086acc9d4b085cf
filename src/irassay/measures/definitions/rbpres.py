"""RBPRes: the residual of rank-biased precision."""

from irassay.measures.core.record import Floats, Ints, measure
from irassay.measures.definitions.rbp import PERSISTENCE


@measure(
    "RBPRes",
    kind="fold",
    cite="moffat2008rbp",
    params={"p": PERSISTENCE},
    hits="judged",
    takes_rel=False,
    empty="call",
    condensed="never",
    why_condensed="RBPRes is what unjudged documents could add: a condensed list has none",
    peers={"cwl_eval": "residual of RBP, with --residuals"},
)
def rbpres(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""What the unjudged ranks, and those below the list, could still add to RBP.

    $$RBPRes = \sum_{r\ \mathrm{unjudged}} (1-p)\,p^{r-1} + p^{L}$$
    L is the length of the list. The true RBP lies between RBP and RBP + RBPRes, graded or not. Every judged grade
    counts, so there is no `rel`; a topic without relevant documents has a residual like any other, and an empty
    list has 1.
    """
    residual = 0.0
    above = 1.0  # p to the power of the rank before
    for i in range(n):
        before = par[0] ** float(rank[i] - 1)
        # the unjudged ranks between two judged ones
        residual += above - before
        above = before * par[0]
    return residual + above
