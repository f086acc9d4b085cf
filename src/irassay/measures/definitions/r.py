"""R@k: recall."""

from irassay.measures.core.record import measure


@measure(
    "R",
    kind="weight",
    cite="cleverdon1967cranfield",
    per="R",
    cut="required",
    without_cut="write R@k for recall at k (R@10); P@k is precision, PMeasure and RMeasure are Sakai's",
    aliases=("Recall",),
    trec_cut="recall_{k}",
    peers={"trec_eval": "recall_k", "ir_measures": "R@k"},
)
def recall(r: int) -> float:
    r"""Share of the relevant documents that stand in the first k ranks.

    $$R@k = \frac{C(k)}{R}$$
    """
    return 1.0
