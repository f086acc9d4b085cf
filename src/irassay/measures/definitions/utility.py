"""Utility: what a set of documents is worth to a user."""

from irassay.measures.core.param import Param
from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "Utility",
    kind="fold",
    cite="buckley2005evaluation",
    params={
        "hit": Param(1.0, "worth of a relevant document that is retrieved"),
        "noise": Param(-1.0, "worth of another document that is retrieved"),
        "miss": Param(0.0, "worth of a relevant document that is not retrieved"),
    },
    empty="call",
    bounded=False,
    trec="utility",
    peers={"trec_eval": "utility; utility.a,b,c,0 is Utility(hit=a,noise=b,miss=c)"},
)
def utility(
    rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats
) -> float:
    r"""Worth of the retrieved documents, less what the others among them cost.

    $$Utility = hit\cdot C(L) + noise\cdot(L - C(L)) + miss\cdot(R - C(L))$$
    L is the length of the list. Not bounded: a long list of nothing relevant has a large negative utility.
    """
    relevant = 0
    for g in range(1, len(judged)):
        relevant += judged[g]
    return par[0] * n + par[1] * (size - n) + par[2] * (relevant - n)
