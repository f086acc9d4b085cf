"""Unjudged@k: how much of the top has no judgment."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "Unjudged",
    kind="fold",
    cite="buckley2005evaluation",
    per="cut",
    hits="judged",
    takes_rel=False,
    empty="call",
    cut="required",
    condensed="never",
    why_condensed="Unjudged counts the documents without a judgment: a condensed list has none",
    peers={"trec_eval": "unj_k of version 10; version 9 does not have it"},
)
def unjudged(
    rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats
) -> float:
    r"""Share of the first k ranks that hold a document without a judgment.

    $$Unjudged@k = \frac{|\{r \le k : \mathrm{unjudged}(r)\}|}{k}$$
    Ranks that a short list does not fill count as judged; Judged@k divides by the length of such a list instead. High
    values say that the judgments do not cover the run.
    """
    return float(size - n)
