"""R@k: recall."""

from dataclasses import replace

from irassay.measures.core.param import Param
from irassay.measures.definitions.p import precision


def weight(r: int, cap: bool) -> float:
    return 1.0


recall = replace(
    precision,
    name="R",
    module=__name__,
    params={"cap": Param(False, "divide by min(k, R), the most that k ranks can hold, not by R")},
    per="R",
    without_cut="write R@k for recall at k (R@10); P@k is precision, PMeasure and RMeasure are Sakai's",
    aliases=("Recall",),
    trec_cut="recall_{k}",
    function=weight,
    peers={"trec_eval": "recall_k; relative_P_k is R(cap=True)@k", "ir_measures": "R@k"},
    doc=r"""Share of the relevant documents that stand in the first k ranks.

    $$R@k = \frac{C(k)}{R}$$
    `cap=True` divides by min(k, R), so that a perfect list scores 1 at every k: capped recall.
    """,
)
