"""`irassay swap`: how large a difference must be so that samples of topics rarely reverse it (sakai2007bootstrap)."""

from dataclasses import dataclass

from irassay.settings import ROWS, Resampling, option


@dataclass(frozen=True, kw_only=True)
class Swap(Resampling):
    """Swap method: the difference from which on samples of the topics swap at most 5 of 100 pairs of systems.

    Two independent sets of topic samples; a swap is a pair that changes order between them. With --disjoint the sets
    are halves of the topics without a common one (Voorhees & Buckley), with --independent-halves two halves drawn
    independently (Sanderson & Zobel): the answer then holds for half as many topics.

    \b
    irassay swap qrels.txt runs/ -m "AP nDCG@10"
    """

    swap_rate: float = option(0.05, "the largest swap rate that is low enough", low=0, metavar="RATE")
    bin_width: float = option(0.01, "width of the bins of differences", low=0, metavar="W")
    bins: int = option(21, "number of bins, the last one open", low=1, metavar="N", **ROWS)
    disjoint: bool = option(False, "disjoint halves of the topics instead of samples with replacement")
    independent_halves: bool = option(
        False, "two halves of the topics, each drawn without replacement and without regard to the other"
    )
