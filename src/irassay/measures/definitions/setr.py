"""SetR: recall of all that was retrieved."""

from dataclasses import replace

from irassay.measures.definitions.setp import setp

setr = replace(
    setp,
    name="SetR",
    module=__name__,
    per="R",
    trec="set_recall",
    peers={"trec_eval": "set_recall", "ir_measures": "SetR"},
    doc=r"""Share of the relevant documents that is retrieved.

    $$SetR = \frac{C(L)}{R}$$
    L is the length of the list. With @k it is R@k.
    """,
)
