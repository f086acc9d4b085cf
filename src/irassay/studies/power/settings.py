"""`irassay power`: which measures can tell systems apart (sakai2007bootstrap)."""

from collections.abc import Sequence
from dataclasses import dataclass

from irassay.choices import check_choice
from irassay.settings import Resampling, numbers, option

OTHER_TESTS = ("t", "wilcoxon", "sign")  # of `ask.methods.TESTS`


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
    one_tailed: bool = option(
        False, "test whether the system given first is better, which must have been expected before seeing the scores"
    )
    second_topics: str | Sequence[str] | None = option(
        None,
        "in unpaired tests the second system of each pair answers these topics, and the first one all others: 426-450, "
        "or 401,405, or @FILE",
        metavar="LIST",
    )
    other_tests: str = option(
        "", f"also count what these tests decide, for comparison: {', '.join(OTHER_TESTS)}", metavar="LIST"
    )
    histogram: bool = option(False, "also how the paired statistic of one pair is distributed under H0")
    pair: tuple[str, ...] = option(
        (),
        "the pair of the histogram: twice, one system each [default: the best and the median one]",
        many=True,
        metavar="SYSTEM",
    )

    @property
    def beside(self) -> tuple[str, ...]:
        """The tests that stand beside the bootstrap's."""
        names = tuple(dict.fromkeys(name.strip() for name in self.other_tests.split(",") if name.strip()))
        for name in names:
            check_choice("other test", name, OTHER_TESTS)
        return names

    @property
    def tests(self) -> tuple[str, ...]:
        return (("paired",) if self.paired or not self.unpaired else ()) + (("unpaired",) if self.unpaired else ())

    @property
    def alphas(self) -> tuple[float, ...]:
        return numbers(self.alpha, "alpha", "write 0.05 or 0.05,0.01")
