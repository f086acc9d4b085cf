"""nCG@k: cumulative gain over that of the ideal list."""

from irassay.measures.definitions.cg import cg

ncg = cg.normalised(
    "nCG",
    module=__name__,
    peers={"trec_eval": "no name for it"},
    doc=r"""Cumulative gain at k over the cumulative gain at k of the ideal list.

    $$nCG@k = \frac{\sum_{r=1}^{k} g(r)}{\sum_{r=1}^{k} g^*(r)}$$
    It cannot tell a relevant document at rank 1 from one at rank k.
    """,
)
