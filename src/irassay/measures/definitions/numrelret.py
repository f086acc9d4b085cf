"""NumRelRet: how much of the relevant was retrieved."""

from irassay.measures.core.record import measure


@measure(
    "NumRelRet",
    kind="weight",
    cite="buckley2005evaluation",
    bounded=False,
    summary="sum",
    trec="num_rel_ret",
    peers={"trec_eval": "num_rel_ret", "ir_measures": "NumRelRet, which it prints as NumRet(rel=1)"},
)
def numrelret(r: int) -> float:
    r"""Number of relevant documents retrieved, summed over topics.

    $$NumRelRet = C(L)$$
    L is the length of the list; with @k the first k ranks are looked at.
    """
    return 1.0
