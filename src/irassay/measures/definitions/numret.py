"""NumRet: how much was retrieved."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "NumRet",
    kind="fold",
    cite="buckley2005evaluation",
    takes_rel=False,
    empty="call",
    bounded=False,
    summary="sum",
    trec="num_ret",
    peers={"trec_eval": "num_ret", "ir_measures": "NumRet"},
)
def numret(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Number of documents retrieved, summed over topics.

    $$NumRet = L$$
    L is the length of the list, condensed and cut as asked for: NumRet'@10 counts the judged ones of up to 10.
    """
    return float(size)
