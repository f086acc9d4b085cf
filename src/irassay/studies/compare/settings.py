"""`irassay compare`: is one system better than another, and what may be claimed about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irassay.settings import Execution, Resampling, option
from irassay.studies.execution import managed_run

if TYPE_CHECKING:
    from irassay.result import Result


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
        "'t' Student's paired t; 'paired-bootstrap' its bootstrap; 'randomization' flips signs; 'wilcoxon' signed "
        "ranks; 'sign' topics won and lost; 'tukey' randomised Tukey HSD, for all pairs at once "
        "[default: t with a baseline, else tukey]",
        choices=("t", "paired-bootstrap", "randomization", "wilcoxon", "sign", "tukey"),
    )
    correction: str | None = option(
        None,
        "for the number of comparisons: Holm, Bonferroni, Benjamini and Hochberg, none "
        "[default: holm; tukey takes none]",
        choices=("holm", "bonferroni", "bh", "none"),
    )
    interval: str | None = option(
        None,
        "intervals by Student's t, or from samples of the topics: 'bootstrap-t', 'bca', 'percentile' "
        "[default: t; of differences under tukey its own]",
        choices=("t", "bootstrap-t", "bca", "percentile"),
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

    @managed_run
    def run(self, qrels: Any = None, runs: Any = None, *, execution: Execution | None = None) -> Result:
        """Tables: `comparison`, one row a measure and system; `pairs`, one row a comparison; `topics`.

        With a baseline also `topic_differences`, with --losses also `losses`. `irassay.studies.compare.view.paper` lays
        the comparison out for a paper.
        """
        from irassay.studies.compare.run import compare_result

        return compare_result(self, qrels, runs, execution)
