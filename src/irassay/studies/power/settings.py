"""`irassay power`: which measures can tell systems apart (sakai2007bootstrap)."""

from collections.abc import Sequence
from dataclasses import dataclass

from irassay.settings import Resampling, numbers, option


@dataclass(frozen=True, kw_only=True)
class Power(Resampling):
    """Discriminative power: the share of system pairs that each measure calls significantly different.

    A bootstrap test for every pair of systems and every measure (Sakai). The estimated difference is the largest over
    pairs. Levels are per comparison and not corrected for how many there are.

    \b
    irassay power qrels.txt runs/ -m "AP nDCG@10 RR"
    irassay power --scores scores.csv --alpha 0.05,0.01 --out power
    """

    alpha: str | float | Sequence[float] = option("0.05,0.01", "significance levels, such as 0.05,0.01", metavar="LIST")
    paired: bool = option(False, "the paired test (the default; together with --unpaired both)")
    unpaired: bool = option(False, "the unpaired test, which every measure has, also GM and AREA")
    histogram: bool = option(False, "also how the paired statistic of one pair is distributed under H0")
    pair: tuple[str, ...] = option(
        (),
        "the pair of the histogram: twice, one system each [default: the best and the median one]",
        many=True,
        metavar="SYSTEM",
    )

    @property
    def tests(self) -> tuple[str, ...]:
        return (("paired",) if self.paired or not self.unpaired else ()) + (("unpaired",) if self.unpaired else ())

    @property
    def alphas(self) -> tuple[float, ...]:
        return numbers(self.alpha, "alpha", "write 0.05 or 0.05,0.01")
