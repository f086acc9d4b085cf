"""IAP: interpolated precision, averaged over eleven levels of recall."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "IAP",
    kind="fold",
    cite="buckley2005evaluation",
    cut="never",
    trec="11pt_avg",
    peers={"trec_eval": "11pt_avg of version 9; version 10 rounds r·R instead of r·R+0.9 down"},
)
def iap(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Mean of interpolated precision at recall 0, 0.1, …, 1: the eleven-point average.

    $$IAP = \frac{1}{11}\sum_{i=0}^{10}\max_{r\,:\,C(r)\,\ge\,c_i}\frac{C(r)}{r},\quad
    c_i = \lfloor iR/10 + 0.9 \rfloor$$
    The form of trec_eval 9, in which c slips by one document at a few levels (see IPrec). AP has taken its place.
    """
    relevant = 0
    for g in range(1, len(judged)):
        relevant += judged[g]
    total = 0.0
    best = 0.0
    i = n
    for step in range(11):
        level = 10 - step
        wanted = int(level / 10.0 * relevant + 0.9)
        # the best precision from the wanted hit on, coming from the end of the list
        while i > 0 and i >= wanted:
            if i / rank[i - 1] > best:
                best = i / rank[i - 1]
            i -= 1
        if wanted <= n:
            total += best
    return total / 11.0
