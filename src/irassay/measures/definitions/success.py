"""Success@k: is there anything relevant at the top."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "Success",
    kind="fold",
    cite="buckley2005evaluation",
    rises="first",
    cut="required",
    aliases=("Hit",),
    trec_cut="success_{k}",
    peers={"trec_eval": "success_k", "ir_measures": "Success@k", "NTCIREVAL": "Hit@k"},
)
def success(
    rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats
) -> float:
    r"""1 if a relevant document stands in the first k ranks, else 0.

    $$Success@k = [\,C(k) > 0\,]$$
    """
    return 1.0 if n > 0 else 0.0
