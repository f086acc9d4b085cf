"""SetP: precision of all that was retrieved."""

from irassay.measures.core.record import measure


@measure(
    "SetP",
    kind="weight",
    cite="cleverdon1967cranfield",
    per="size",
    trec="set_P",
    peers={"trec_eval": "set_P", "ir_measures": "SetP"},
)
def setp(r: int) -> float:
    r"""Share of the retrieved documents that is relevant.

    $$SetP = \frac{C(L)}{L}$$
    L is the length of the list; an empty one scores 0. With @k it is that of the first k ranks, and a shorter
    list is divided by its own length, where P@k divides by k.
    """
    return 1.0
