"""SetAP: precision times recall of all that was retrieved."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "SetAP",
    kind="fold",
    cite="cleverdon1967cranfield",
    trec="set_map",
    peers={"trec_eval": "set_map", "ir_measures": "SetAP"},
)
def setap(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Precision of a list without an order, counted once for every relevant document in it.

    $$SetAP = \frac{C(L)}{L}\cdot\frac{C(L)}{R}$$
    L is the length of the list. It is AP where every relevant document that is retrieved has the precision of the whole
    list.
    """
    relevant = 0
    for g in range(1, len(judged)):
        relevant += judged[g]
    return n * n / (size * relevant) if n > 0 else 0.0
