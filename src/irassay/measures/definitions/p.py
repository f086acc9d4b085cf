"""P@k: precision."""

from irassay.measures.core.record import measure


@measure(
    "P",
    kind="weight",
    cite="cleverdon1967cranfield",
    per="cut",
    cut="required",
    without_cut="write P@k for precision at k (P@10); PMeasure and RMeasure are Sakai's",
    aliases=("Precision",),
    trec_cut="P_{k}",
    peers={"trec_eval": "P_k", "ir_measures": "P@k", "NTCIREVAL": "P@k"},
)
def precision(r: int) -> float:
    r"""Share of the first k ranks that hold a relevant document.

    $$P@k = \frac{C(k)}{k}$$
    Ranks that a short list does not fill count as not relevant.
    """
    return 1.0
