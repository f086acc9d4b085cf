"""R@k: recall."""

from dataclasses import replace

from irassay.measures.definitions.p import precision

recall = replace(
    precision,
    name="R",
    module=__name__,
    per="R",
    without_cut="write R@k for recall at k (R@10); P@k is precision, PMeasure and RMeasure are Sakai's",
    aliases=("Recall",),
    trec_cut="recall_{k}",
    peers={"trec_eval": "recall_k", "ir_measures": "R@k"},
    doc=r"""Share of the relevant documents that stand in the first k ranks.

    $$R@k = \frac{C(k)}{R}$$
    """,
)
