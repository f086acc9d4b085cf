"""INSQ: inverse squares."""

from collections.abc import Mapping
from functools import cache

from irassay.measures.core.param import Param, Value
from irassay.measures.core.record import measure


@cache
def inverse_squares(x: float) -> float:
    """The sum of 1/(x+i)² over i = 0, 1, …: the trigamma function, to a few units in the last place."""
    total = 0.0
    while x < 16.0:
        total += 1.0 / (x * x)
        x += 1.0
    s = 1.0 / (x * x)  # the asymptotic series, with Bernoulli's numbers
    series = 1 / 6 + s * (-1 / 30 + s * (1 / 42 + s * (-1 / 30 + s * (5 / 66))))
    return total + 1.0 / x + s * (0.5 + series / x)


def _check(keys: Mapping[str, Value], cut: int | None) -> tuple[str, str] | None:
    """Counted from 0, the first rank has no finite weight for a small T."""
    hoped = keys.get("T", 1.0)
    if keys.get("first", 1) == 0 and isinstance(hoped, (int, float)) and hoped <= 0.5:
        return f"first=0 needs T above 0.5, not {hoped:g}", "leave out first=0: the definition counts ranks from 1"
    return None


@measure(
    "INSQ",
    kind="weight",
    cite="moffat2012models",
    params={
        "T": Param(1.0, "relevant documents that the user hopes to find", above=0),
        "first": Param(
            1,
            "number of the first rank in the weights, not in what they are divided by; 0 is a conjecture on a printed "
            "table (zobel2020corpus), and lets scores pass 1",
            low=0,
            high=1,
        ),
    },
    check=_check,
    scale="max_gain",
    graded=True,
    peers={
        "cwl_eval": "INSQ, but for the weights of ranks below 1000, which it hands to those above",
        "ir_measures": "INSQ(T=…,max_rel=…), which is cwl_eval's",
    },
)
def insq(r: int, T: float, first: int) -> float:  # noqa: N803 - the measure's own name for it
    r"""Rate of gain for a user who goes on with a growing chance, the larger the more is looked for.

    $$INSQ = \frac{\sum_r g(r)/g(H)\,(r+2T-1)^{-2}}{\sum_{r=1}^{\infty}(r+2T-1)^{-2}}$$
    The weights add up to 1 over infinitely many ranks, so a list of 1000 relevant documents scores below 1.
    g(H) is the largest gain in the whole collection's judgments. `rel=` gives the binary form.
    """
    place = r + first + 2.0 * T - 2.0
    return 1.0 / (place * place) / inverse_squares(2.0 * T)
