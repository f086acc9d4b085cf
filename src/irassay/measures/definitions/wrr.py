"""WRR: weighted reciprocal rank."""

from collections.abc import Mapping
from itertools import pairwise

from irassay.measures.core.param import Param, Value
from irassay.measures.core.record import Floats, Ints, measure

PENALTIES = Param(
    ((1, 4.0), (2, 3.0), (3, 2.0)),
    "penalty of each level; the smallest for the highest, inf for all gives RR",
    above=1,
    infinite=True,
)


def penalties_fall(values: Mapping[str, Value], cut: int | None) -> tuple[str, str] | None:
    """A higher level with a larger penalty would be punished for its relevance."""
    table = values.get("penalties")
    if isinstance(table, tuple) and any(low[1] < high[1] for low, high in pairwise(table)):
        return "a higher level has a larger penalty", "give the highest level the smallest: penalties={1:4,2:3,3:2}"
    return None


@measure(
    "WRR",
    kind="fold",
    cite="eguchi2003web",
    params={"penalties": PENALTIES},
    rises="first",
    check=penalties_fall,
    bounded=False,
)
def wrr(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Reciprocal rank of the first relevant document, corrected by the penalty of its level.

    $$WRR = \frac{1}{r_1-1/\beta(L_1)}$$
    L_1 is the level of the first relevant document, at rank r_1; 0 where there is none. It can pass 1, by an
    amount that depends on the topic: NWRR is the measure to average. Gains play no part; `rel=` says from which
    level on documents are relevant, and levels keep their penalties.
    """
    return 1.0 / (rank[0] - 1.0 / par[grade[0]]) if n > 0 else 0.0
