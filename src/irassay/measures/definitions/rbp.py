"""RBP: rank-biased precision."""

from irassay.measures.core.param import Param
from irassay.measures.core.record import measure

PERSISTENCE = Param(0.8, "persistence: chance that the user looks at the next rank", above=0, below=1)


@measure(
    "RBP",
    kind="weight",
    cite="moffat2008rbp",
    params={"p": PERSISTENCE},
    scale="max_gain",
    graded=True,
    peers={
        "cwl_eval": "RBP",
        "ir_measures": "RBP(p=…,rel=1) is RBP(p=…,rel=1); without rel its gains differ",
        "NTCIREVAL": "RBP",
    },
)
def rbp(r: int, p: float) -> float:
    r"""Rate of gain for a user who goes on to the next rank with probability p.

    $$RBP = (1-p)\sum_r \frac{g(r)}{g(H)}\,p^{r-1}$$
    g(H) is the largest gain in the whole collection's judgments, not in the topic, so that topics stay
    comparable; `max_gain=` overrides it. `rel=` gives the binary form. The ideal list scores below 1.
    """
    return (1.0 - p) * p ** (r - 1)
