"""DCG: cumulative gain, discounted by rank."""

import math
from collections.abc import Mapping

from irassay.measures.core.param import Param, Value
from irassay.measures.core.record import Highest, measure


def gain_of(grade: int, gain: float, highest: Highest, dcg: str, base: float) -> float:
    """Gain of a relevant grade: 2^grade-1 in the 'exp-log2' form, whatever the gains are."""
    return 2.0**grade - 1.0 if dcg == "exp-log2" else gain


def unused_keys(values: Mapping[str, Value], cut: int | None) -> tuple[str, str] | None:
    """Refuse keys that the chosen form of DCG would ignore."""
    form = values.get("dcg", "log2")
    if "base" in values and form != "jk":
        return f"base= belongs to dcg='jk', and this is dcg='{form}'", "add dcg='jk', or leave base out"
    if "gains" in values and form == "exp-log2":
        return "dcg='exp-log2' has gain 2^grade-1 and ignores gains=", "leave gains out, or use dcg='log2'"
    return None


@measure(
    "DCG",
    kind="weight",
    cite="jarvelin2002cumulated",
    params={
        "dcg": Param("log2", "form of gain and discount", choices=("log2", "exp-log2", "jk")),
        "base": Param(2.0, "base of the logarithm in dcg='jk'; ranks up to it are not discounted", above=1),
    },
    check=unused_keys,
    gain=gain_of,
    graded=True,
    bounded=False,
)
def dcg(r: int, dcg: str, base: float) -> float:
    r"""Sum of gains, each divided by a logarithm of its rank.

    $$DCG = \sum_r \frac{g(r)}{\log_2(r+1)}$$
    `dcg='exp-log2'` has the same discount and gain 2^grade-1; `dcg='jk'` is Järvelin and Kekäläinen's own:
    ranks up to `base` are not discounted, later ones by log_base(r). nDCG is the measure to average.
    """
    if dcg == "jk":
        return 1.0 if r <= base else math.log(base) / math.log(r)
    return 1.0 / math.log2(r + 1)
