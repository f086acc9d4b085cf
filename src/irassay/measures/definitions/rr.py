"""RR: reciprocal rank."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "RR",
    kind="fold",
    cite="voorhees1999qa",
    rises="first",
    aliases=("MRR",),
    trec="recip_rank",
    peers={"trec_eval": "recip_rank", "ir_measures": "RR, RR@k", "NTCIREVAL": "RR"},
)
def rr(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""One over the rank of the first relevant document.

    $$RR = \frac{1}{r_1}$$
    0 where no relevant document is retrieved.
    """
    return 1.0 / rank[0] if n > 0 else 0.0
