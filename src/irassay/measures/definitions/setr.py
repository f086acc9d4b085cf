"""SetR: recall of all that was retrieved."""

from irassay.measures.core.record import measure


@measure(
    "SetR",
    kind="weight",
    cite="cleverdon1967cranfield",
    per="R",
    trec="set_recall",
    peers={"trec_eval": "set_recall", "ir_measures": "SetR"},
)
def setr(r: int) -> float:
    r"""Share of the relevant documents that is retrieved.

    $$SetR = \frac{C(L)}{R}$$
    L is the length of the list. With @k it is R@k.
    """
    return 1.0
