"""AP: average precision."""

from collections.abc import Mapping

from irassay.measures.core.param import Param, Value
from irassay.measures.core.record import Floats, Ints, measure

NORM = Param("R", "divisor at a cut-off: R, or min(k, R) as NTCIREVAL does", choices=("R", "min"))


def norm_needs_a_cut(values: Mapping[str, Value], cut: int | None) -> tuple[str, str] | None:
    """`norm='min'` is min(k, R): without k there is nothing to take the minimum with."""
    if values.get("norm") == "min" and cut is None:
        return "norm='min' divides by min(k,R) and needs a cut-off", "add @k, or leave norm out"
    return None


@measure(
    "AP",
    kind="fold",
    cite="buckley2005evaluation",
    params={"norm": NORM},
    check=norm_needs_a_cut,
    per="R",
    aliases=("MAP",),
    trec="map",
    trec_cut="map_cut_{k}",
    peers={
        "trec_eval": "map, map_cut_k",
        "ir_measures": "AP, AP@k",
        "NTCIREVAL": "AP; at a cut-off it is AP(norm='min')@k",
    },
)
def ap(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Mean, over the relevant documents, of precision at their ranks.

    $$AP = \frac{1}{R}\sum_{r} I(r)\,\frac{C(r)}{r}$$
    C(r) is the number of relevant documents down to rank r; one that is not retrieved adds 0. R comes from
    the judgments and is never capped, unless `norm='min'` asks for min(k, R) at a cut-off.
    """
    total = 0.0
    for i in range(n):
        total += (i + 1) / rank[i]
    return total
