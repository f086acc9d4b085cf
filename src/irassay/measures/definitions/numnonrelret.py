"""NumNonrelRet: how much judged nonrelevant was retrieved."""

from irassay.measures.core.record import Floats, Ints, measure


@measure(
    "NumNonrelRet",
    kind="fold",
    cite="buckley2005evaluation",
    hits="judged",
    empty="call",
    bounded=False,
    summary="sum",
    trec="num_nonrel_judged_ret",
    peers={"trec_eval": "num_nonrel_judged_ret"},
)
def numnonrelret(
    rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats
) -> float:
    r"""Number of retrieved documents that are judged and not relevant, summed over topics.

    $$NumNonrelRet = |\{r : \mathrm{judged}(r),\ \mathrm{not\ relevant}(r)\}|$$
    With @k the first k ranks are looked at. Documents without a judgment are not counted.
    """
    count = 0.0
    for i in range(n):
        if gain[grade[i]] == 0.0:
            count += 1.0
    return count
