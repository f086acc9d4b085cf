"""NumRel: how much is relevant."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "NumRel",
    kind="fold",
    cite="buckley2005evaluation",
    cut="never",
    condensed="never",
    why_condensed="NumRel counts judgments and looks at no list: there is nothing to condense",
    bounded=False,
    summary="sum",
    trec="num_rel",
    peers={"trec_eval": "num_rel; it leaves out topics that the run misses", "ir_measures": "NumRel"},
)
def numrel(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Number of relevant documents in the judgments, summed over topics.

    $$NumRel = R$$
    The same for every system, also on topics that it did not answer.
    """
    relevant = 0
    for g in range(1, len(judged)):
        relevant += judged[g]
    return float(relevant)
