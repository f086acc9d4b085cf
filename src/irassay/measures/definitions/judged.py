"""Judged@k: how much of a list the judgments cover."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "Judged",
    kind="fold",
    cite="macavaney2022irmeasures",
    per="size",
    hits="judged",
    takes_rel=False,
    empty="call",
    condensed="never",
    why_condensed="Judged counts the judged documents of a list: on a condensed list it would always be 1",
    peers={"ir_measures": "Judged, Judged@k"},
)
def judged(rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats) -> float:
    r"""Share of the retrieved documents, down to rank k, that have a judgment.

    $$Judged@k = \frac{|\{r \le k : \mathrm{judged}(r)\}|}{\min(k,\,\mathrm{length})}$$
    A list shorter than k is divided by its own length, as in ir_measures; an empty one scores 0. Documents
    with a negative grade are pooled but not judged. Every judged grade counts, so there is no `rel`,
    and a topic without relevant documents is described like any other.
    """
    return float(n)
