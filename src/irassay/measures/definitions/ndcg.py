"""nDCG: DCG over that of the ideal list."""

from irassay.measures.definitions.dcg import dcg

ndcg = dcg.normalised(
    "nDCG",
    module=__name__,
    aliases=("NDCG", "MSnDCG"),
    trec="ndcg",
    trec_cut="ndcg_cut_{k}",
    peers={
        "trec_eval": "ndcg, ndcg_cut_k",
        "ir_measures": "nDCG, nDCG@k; also dcg='exp-log2'",
        "NTCIREVAL": "MSnDCG@k; its nDCG@k is nDCG(dcg='jk')@k",
    },
    doc=r"""DCG over the DCG of the ideal list, both cut at k.

    $$nDCG = \frac{\sum_r g(r)/d(r)}{\sum_r g^*(r)/d(r)},\quad d(r)=\log_2(r+1)$$
    `dcg='exp-log2'`: gain 2^grade-1, whatever the gains are. `dcg='jk'`: Järvelin and Kekäläinen's own
    discount, d(r) = 1 for r <= base, else log_base(r). Without @k the ideal list
    holds all relevant documents.
    """,
)
