"""nERR: ERR over that of the ideal list."""

from irassay.measures.definitions.err import err

nerr = err.normalised(
    "nERR",
    module=__name__,
    cite="sakai2011diversified",
    peers={"NTCIREVAL": "nERR@k is nERR(stop='linear')@k"},
    doc=r"""Expected reciprocal rank over that of the ideal list, both cut at k.

    $$nERR@k = \frac{ERR@k}{ERR^*@k}$$
    Parameters as in ERR. ERR cannot reach 1; this can.
    """,
)
