"""SetRelP: precision of all that was retrieved, over the best that so many documents could have."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "SetRelP",
    kind="fold",
    cite="cleverdon1967cranfield",
    trec="set_relative_P",
    peers={"trec_eval": "set_relative_P", "ir_measures": "SetP(relative=True)"},
)
def setrelp(
    rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats
) -> float:
    r"""Share of the relevant documents that a list of this length could hold at most.

    $$SetRelP = \frac{C(L)}{\min(L, R)}$$
    L is the length of the list; an empty one scores 0.
    """
    relevant = 0
    for g in range(1, len(judged)):
        relevant += judged[g]
    return n / min(size, relevant) if n > 0 else 0.0
