"""`irassay compare`: is one system better than another, and what may be claimed about it."""

from dataclasses import dataclass

from irassay.ask.methods import CORRECTIONS, INTERVALS, TESTS
from irassay.settings import Resampling, option


@dataclass(frozen=True, kw_only=True)
class Compare(Resampling):
    """Compare systems on the same topics: differences with their intervals, p-values, effect sizes.

    With --baseline every other system is compared with it; without, all pairs of systems are compared, and systems that
    share a letter are not significantly different (which does not say that they are equal).

    \b
    irassay compare qrels.txt runs/ -m "nDCG@10 AP" --baseline bm25
    irassay compare --scores scores.csv --test wilcoxon --latex
    """

    baseline: str | None = option(
        None, "the system that all others are compared with; --top keeps it", metavar="SYSTEM"
    )
    test: str | None = option(
        None,
        "; ".join(f"'{test.name}' {test.help}" for test in TESTS.values())
        + " [default: t with a baseline, else tukey]",
        choices=tuple(TESTS),
    )
    correction: str | None = option(
        None,
        "for the number of comparisons: Holm, Bonferroni, Benjamini and Hochberg, none "
        "[default: holm; tukey takes none]",
        choices=tuple(CORRECTIONS),
    )
    interval: str | None = option(
        None,
        "intervals by Student's t, or from samples of the topics: 'bootstrap-t', 'bca', 'percentile' "
        "[default: t; of differences under tukey its own]",
        choices=tuple(INTERVALS),
    )
    alpha: float = option(0.05, "significance level", low=0, metavar="A")
    confidence: float | None = option(None, "confidence of intervals [default: 1 - alpha]", low=0, metavar="C")
    resamples: int = option(10_000, "samples of topics, sign flips or permutations", low=1, metavar="B")
    equivalence: float | None = option(
        None, "also test whether differences lie within ± MARGIN (two one-sided t tests)", low=0, metavar="MARGIN"
    )
    losses: float | None = option(None, "also list the topics lost to the baseline by more than D", low=0, metavar="D")
    measures: tuple[str, ...] = option(
        ("AP nDCG@10",), 'measures, such as "AP nDCG@10 RBP(p=0.95)"', flag="-m", many=True, metavar="LIST"
    )
