"""ERR: expected reciprocal rank."""

from collections.abc import Mapping

from irassay.measures.core.param import TOP_GRADE, Param, Value
from irassay.measures.core.record import Floats, Highest, Ints, measure


def stop_at(grade: int, gain: float, highest: Highest, stop: str, max_grade: int | None) -> float:
    """The chance that a document of this grade ends the search: it takes the place of the gain."""
    if stop == "linear":
        return gain / (highest.gain + 1.0)
    top = max_grade or highest.grade
    if grade > top:
        raise ValueError(f"max_grade={top}, and grade {grade} occurs in the judgments")
    return (2.0**grade - 1.0) / 2.0**top


def unused_keys(values: Mapping[str, Value], cut: int | None) -> tuple[str, str] | None:
    """Refuse keys that the chosen form would ignore."""
    linear = values.get("stop") == "linear"
    if linear and "max_grade" in values:
        return "max_grade= belongs to stop='exp', and this is stop='linear'", "use max_gain=, or leave max_grade out"
    ignored = [key for key in ("gains", "max_gain") if key in values]
    if ignored and not linear and "rel" not in values:
        return f"stop='exp' goes by grades and ignores {ignored[0]}=", "add stop='linear', or use max_grade="
    if "rel" in values and "max_grade" in values:
        return "rel= makes ERR binary, so max_grade= would be ignored", "keep rel= or max_grade="
    return None


@measure(
    "ERR",
    kind="fold",
    cite="chapelle2009err",
    params={
        "stop": Param("exp", "chance to stop: (2^grade-1)/2^max, or gain/(gain(H)+1)", choices=("exp", "linear")),
        "max_grade": Param(
            None,
            "max in stop='exp'; none: the highest grade in the judgments",
            low=1,
            high=TOP_GRADE,
            value_type="integer",
        ),
    },
    rises="list",
    check=unused_keys,
    gain=stop_at,
    scale="hook",
    graded=True,
    peers={
        "gdeval": "ERR@k is ERR(max_grade=4)@k",
        "ir_measures": "ERR@k, which is gdeval's",
        "NTCIREVAL": "ERR is ERR(stop='linear')",
    },
)
def err(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Expected reciprocal of the rank at which a user who reads from the top is satisfied.

    $$ERR = \sum_r \frac{1}{r}\,s(r)\prod_{i<r}\big(1-s(i)\big),\quad s=\frac{2^{g}-1}{2^{g_{max}}}$$
    s is the chance that the document satisfies: from its grade g, with `max_grade=` or the highest grade in the
    whole collection's judgments; `stop='linear'` takes gain/(gain(H)+1). With `rel=` it is 1/2.
    """
    total = 0.0
    left = 1.0
    for i in range(n):
        total += left * gain[grade[i]] / rank[i]
        left *= 1.0 - gain[grade[i]]
    return total
