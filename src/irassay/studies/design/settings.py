"""`irassay design`: how many topics a collection needs (sakai2016topic), and how well its scores generalise."""

from dataclasses import dataclass

from irassay.settings import Resampling, option


@dataclass(frozen=True, kw_only=True)
class Design(Resampling):
    """How many topics are needed to find a difference that matters, and how well the scores at hand generalise.

    The variance comes from the scores (two-way residual), the difference from you: the one that would matter. The power
    for the topics at hand is for that difference; power for the difference that was observed says nothing new.

    \b
    irassay design qrels.txt runs/ -m "AP nDCG@10" --min-difference 0.05
    irassay design human.qrels runs/ --cheap gpt.qrels --width 0.1
    irassay design --scores scores.csv --min-difference 0.1 --power 0.9 --systems 20 --correction bonferroni
    """

    min_difference: float = option(0.05, "the smallest difference in score that matters", low=0, metavar="D")
    power: float = option(0.8, "the chance to find it", low=0, metavar="POWER")
    alpha: float = option(
        0.05, "significance level; the intervals planned for have confidence 1 - alpha", low=0, metavar="A"
    )
    correction: str = option(
        "none",
        "alpha of the t test and the interval: per comparison, or divided by the number of pairs of systems",
        choices=("none", "bonferroni"),
    )
    width: float | None = option(
        None, "the width that an interval of a difference may have [default: 2·D]", low=0, metavar="W"
    )
    systems: int | None = option(
        None,
        "systems of the analyses of variance and of the correction [default: as many as there are]",
        low=2,
        metavar="N",
    )
    reliability: float = option(0.95, "the generalisability that is wanted", low=0, metavar="SHARE")
    by_size: bool = option(False, "also the estimated difference and swap's required one by the number of topics")
    cheap: str | None = option(
        None,
        "also how many topics a trusted judge needs beside these judgments of a cheap one, which has judged topics of "
        "QRELS too (`irassay estimate`)",
        metavar="QRELS",
        path=True,
    )
    measures: tuple[str, ...] = option(
        ("AP nDCG@10",), 'measures, such as "AP nDCG@10 RBP(p=0.95)"', flag="-m", many=True, metavar="LIST"
    )

    @property
    def full_width(self) -> float:
        return 2 * self.min_difference if self.width is None else self.width
