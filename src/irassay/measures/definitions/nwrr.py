"""NWRR: normalised weighted reciprocal rank."""

from irassay.measures.core.record import Floats, Ints, measure
from irassay.measures.definitions.wrr import PENALTIES, penalties_fall


@measure(
    "NWRR",
    kind="fold",
    cite="sakai2007one",
    params={"penalties": PENALTIES},
    check=penalties_fall,
)
def nwrr(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Weighted reciprocal rank over the largest that the topic allows.

    $$NWRR = \frac{1-1/\beta(M)}{r_1-1/\beta(L_1)}$$
    L_1 is the level of the first relevant document, at rank r_1, and M the highest level in the topic's
    judgments; 0 where nothing relevant is retrieved. A relevant document of any level one rank higher is always
    worth more than one of a higher level. `rel=` says from which level on documents are relevant.
    """
    if n == 0:
        return 0.0
    highest = 0
    for g in range(1, len(judged)):
        if judged[g] > 0:
            highest = g
    return (1.0 - 1.0 / par[highest]) / (rank[0] - 1.0 / par[grade[0]])
