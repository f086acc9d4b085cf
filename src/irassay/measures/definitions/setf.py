"""SetF: precision and recall of all that was retrieved, in one number."""

from irassay.measures.core.param import Param
from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "SetF",
    kind="fold",
    cite="vanrijsbergen1979ir",
    params={"beta": Param(1.0, "weight of recall against precision, as in trec_eval", low=0)},
    trec="set_F",
    peers={"trec_eval": "set_F; set_F.x is SetF(beta=x)", "ir_measures": "SetF(beta=…)"},
)
def setf(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Weighted harmonic mean of SetP and SetR.

    $$SetF = \frac{(1+\beta)\,SetP\cdot SetR}{\beta\,SetP+SetR}$$
    `beta` is trec_eval's and ir_measures': the square of van Rijsbergen's, so that F2 is SetF(beta=4). 0 where
    nothing relevant is retrieved.
    """
    if n == 0:
        return 0.0
    relevant = 0
    for g in range(1, len(judged)):
        relevant += judged[g]
    precision = n / size
    recall = n / relevant
    return (1.0 + par[0]) * precision * recall / (par[0] * precision + recall)
