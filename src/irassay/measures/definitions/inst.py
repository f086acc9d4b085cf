"""INST: inverse squares with a target that shrinks as relevant documents are found."""

from irassay.measures.core.param import Param
from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "INST",
    kind="fold",
    cite="moffat2015inst",
    params={"T": Param(1.0, "relevant documents that the user hopes to find", low=0.5)},
    scale="max_gain",
    graded=True,
    peers={
        "cwl_eval": "INST, but for the weights of ranks below 1000, which it hands to those above",
        "ir_measures": "INST(T=…,max_rel=…), which is cwl_eval's",
    },
)
def inst(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Rate of gain for a user who is less likely to go on the more has been found.

    $$INST = \frac{\sum_r W_r\,g(r)/g(H)}{\sum_{r=1}^{\infty} W_r},\quad
    \frac{W_{r+1}}{W_r} = \Big(\frac{r+T+T_r-1}{r+T+T_r}\Big)^2$$
    W_1 = 1, and T_r is T less the gain of the first r ranks, cg(r)/g(H). The weights go on below the list, over
    infinitely many ranks. g(H) is the largest gain in the whole collection's judgments.
    """
    value = 0.0
    total = 0.0
    weight = 1.0
    at = 1  # the rank of that weight
    x = 2.0 * par[0]  # r + T + T_r - 1 there
    for i in range(n + 1):
        # From here down to the next hit, or for ever, the weights are weight * x²/(x+m)² with m = 0, 1, …
        gap = rank[i] - at if i < n else 1
        ends = 2 if i < n else 1
        if gap > 0:
            stretch = 1.0
            for end in range(ends):
                y = x + 1.0 if end == 0 else x + gap
                part = x * x if end == 0 else -x * x
                # ... whose sum is a difference of trigamma values: recurrence, then the asymptotic series
                while y < 16.0:
                    stretch += part / (y * y)
                    y += 1.0
                s = 1.0 / (y * y)
                series = 1 / 6 + s * (-1 / 30 + s * (1 / 42 + s * (-1 / 30 + s * (5 / 66))))
                stretch += part * (1.0 / y + s * (0.5 + series / y))
            total += weight * stretch
        if i < n:
            ratio = x / (x + gap) if gap > 0 else 1.0
            weight *= ratio * ratio
            value += weight * gain[grade[i]]
            at = rank[i]
            x += gap - gain[grade[i]]
    return value / total
