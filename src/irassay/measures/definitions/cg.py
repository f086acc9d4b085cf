"""CG@k: cumulative gain."""

from irassay.measures.core.record import measure


@measure("CG", kind="weight", cite="jarvelin2002cumulated", graded=True, cut="required", bounded=False)
def cg(r: int) -> float:
    r"""Sum of the gains of the first k ranks.

    $$CG@k = \sum_{r=1}^{k} g(r)$$
    Not bounded by 1 and not comparable between topics: nCG is the measure to average.
    """
    return 1.0
