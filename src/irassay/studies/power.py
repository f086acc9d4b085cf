"""`irassay power`: which measures can tell systems apart (sakai2007bootstrap)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irassay.errors import InputError
from irassay.settings import Execution, Resampling, option

if TYPE_CHECKING:
    from irassay.result import Result


@dataclass(frozen=True, kw_only=True)
class Power(Resampling):
    """Discriminative power: the share of system pairs that each measure calls significantly different.

    A bootstrap test for every pair of systems and every measure (Sakai). The estimated difference is the largest that
    any pair needed: enough for every pair. Levels are per comparison and not corrected for how many there are.

    \b
    irassay power qrels.txt runs/ -m "AP nDCG@10 RR"
    irassay power --scores scores.csv --alpha 0.05,0.01 --out power
    """

    alpha: str = option("0.05,0.01", "significance levels, such as 0.05,0.01", metavar="LIST")
    paired: bool = option(False, "the paired test (the default; together with --unpaired both)")
    unpaired: bool = option(False, "the unpaired test, which any summary has")
    histogram: bool = option(False, "also the distribution of one pair's statistic under H0")
    pair: tuple[str, ...] = option(
        (), "the pair of the histogram: twice, one system each (default: best and median)", many=True, metavar="SYSTEM"
    )

    @property
    def tests(self) -> tuple[str, ...]:
        return (("paired",) if self.paired or not self.unpaired else ()) + (("unpaired",) if self.unpaired else ())

    @property
    def alphas(self) -> tuple[float, ...]:
        try:
            return tuple(float(text) for text in self.alpha.split(","))
        except ValueError:
            raise InputError(f"alpha is {self.alpha!r}", hint="write 0.05 or 0.05,0.01") from None

    def run(self, qrels: Any = None, runs: Any = None, *, execution: Execution | None = None) -> Result:
        """Tables: `power`, `pairs`, `system_means`, `asl_curves`, and with a histogram `histogram`."""
        from irassay.studies.powering import power_result

        return power_result(self, qrels, runs, execution)
