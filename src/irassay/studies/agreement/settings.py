"""`irassay agreement`: do measures rank systems alike, and do their verdicts agree?"""

from dataclasses import dataclass

from irassay.settings import Resampling, option


@dataclass(frozen=True, kw_only=True)
class Agreement(Resampling):
    """Agreement between measures: Kendall's tau with its test, tau_b, tau_AP and RBO, and verdicts on pairs.

    The interval on tau is over samples of the topics, the same ones for both measures: the hull of the percentile
    interval and of its reflection at tau.

    \b
    irassay agreement qrels.txt runs/ -m "AP Q nDCG@10 RR"
    """

    alpha: float = option(0.05, "significance level of the verdicts", low=0, metavar="A")
    rbo_p: float = option(0.9, "persistence of rank-biased overlap", low=0, metavar="P")
