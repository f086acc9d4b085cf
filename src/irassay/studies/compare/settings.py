"""`irassay compare`: is one system better than another, and what may be claimed about it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from irassay.ask.methods import ANY_TEST, CORRECTIONS, FAMILY_TESTS, INTERVALS, TESTS
from irassay.ask.methods import JOINT_INTERVALS as JOINT
from irassay.choices import check_choice
from irassay.errors import InputError
from irassay.settings import DIGITS_HELP, SAMPLES, Resampling, check_digits, option

WITH_FAMILIES = ("t", "wild-cluster")  # 't' is then cluster-robust


def baselines(baseline: str | Sequence[str] | None) -> tuple[str, ...]:
    """The baselines, each once: none, one or several."""
    return (baseline,) if isinstance(baseline, str) else tuple(dict.fromkeys(baseline or ()))


@dataclass(frozen=True)
class ComparePlan:
    """What a comparison does, with every default filled in."""

    test: str
    correction: str
    interval: str
    difference_interval: str  # the one that the test or correction has for all pairs at once, if any
    error: float  # 1 - confidence


@dataclass(frozen=True, kw_only=True)
class Compare(Resampling):
    """Compare systems on the same topics: differences with their intervals, p-values, effect sizes.

    With --baseline every other system is compared with it (or with each of several); without, all pairs of systems are
    compared, and systems that share a letter are not significantly different (which does not say that they are equal).

    \b
    irassay compare qrels.txt runs/ -m "nDCG@10 AP" --baseline bm25
    irassay compare --scores scores.csv --test wilcoxon --latex
    """

    baseline: str | Sequence[str] | None = option(
        None,
        "the system that all others are compared with; --top keeps it; may be repeated: others are then compared with "
        "each, and all comparisons of a measure are corrected together",
        many=True,
        metavar="SYSTEM",
    )
    test: str = option(
        "t",
        "; ".join(f"'{name}' {ANY_TEST[name].help}" for name in (*TESTS, "wild-cluster")),
        choices=(*TESTS, "wild-cluster"),
    )
    correction: str | None = option(
        None,
        "for the number of comparisons: Holm, Bonferroni, Benjamini and Hochberg, 'stepdown' the largest |t| of all "
        "pairs (Romano and Wolf; for many systems, with --test t), none [default: holm; tukey takes none]",
        choices=tuple(CORRECTIONS),
    )
    interval: str | None = option(
        None,
        "intervals by Student's t, or from samples of the topics: 'bootstrap-t', 'bca', 'percentile' "
        "[default: t; of differences under tukey and stepdown their own]",
        choices=tuple(INTERVALS),
    )
    alpha: float = option(0.05, "significance level", low=0, metavar="A")
    confidence: float | None = option(None, "confidence of intervals [default: 1 - alpha]", low=0, metavar="C")
    resamples: int = option(10_000, "samples of topics, sign flips or permutations", low=1, metavar="B", **SAMPLES)
    equivalence: float | None = option(
        None, "also test whether differences lie within ± MARGIN (two one-sided t tests)", low=0, metavar="MARGIN"
    )
    digits: int | None = option(None, DIGITS_HELP, low=0, metavar="N")
    topic_groups: str | None = option(
        None,
        "groups of topics: lines of 'topic group'; scores and differences in each, and if differences depend on it",
        metavar="FILE",
        path=True,
    )
    topic_families: str | None = option(
        None,
        "topics that depend on each other, such as rewordings: lines of 'topic family'; t tests and intervals are then "
        "cluster-robust",
        metavar="FILE",
        path=True,
    )
    losses: float | None = option(None, "also list the topics lost to the baseline by more than D", low=0, metavar="D")
    measures: tuple[str, ...] = option(
        ("AP nDCG@10",), 'measures, such as "AP nDCG@10 RBP(p=0.95)"', flag="-m", many=True, metavar="LIST"
    )

    @property
    def baselines(self) -> tuple[str, ...]:
        return baselines(self.baseline)

    @property
    def plan(self) -> ComparePlan:
        """The defaults that depend on each other; options that cannot stand together are errors, before any work."""
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha is {self.alpha:g}", hint="alpha lies between 0 and 1, such as 0.05")
        confidence = 1 - self.alpha if self.confidence is None else self.confidence
        if not 0 < confidence < 1:
            raise InputError(f"confidence is {confidence:g}", hint="it lies between 0 and 1, such as 0.95")
        check_digits(self.digits)
        test, correction = self._test_and_correction()
        check_choice("interval", self.interval or "t", INTERVALS)
        if self.losses is not None and not self.baselines:
            raise InputError("--losses are topics lost to a baseline", hint="add --baseline SYSTEM")
        for name, number in (("--losses", self.losses), ("--equivalence", self.equivalence)):
            if number is not None and not (0 <= number < math.inf):
                raise InputError(f"{name} is {number:g}", hint="it is a difference in score, such as 0.1")
        if self.equivalence == 0:
            raise InputError(
                "no two systems are equivalent within a margin of 0", hint="--equivalence 0.05, for example"
            )
        if self.equivalence is not None and self.alpha >= 0.5:
            raise InputError(f"alpha is {self.alpha:g}", hint="an interval at 1 - 2·alpha needs alpha below 0.5")
        if self.topic_families is not None:
            return ComparePlan(test, correction, "cluster-t", "cluster-t", 1 - confidence)
        joint = next((own for own in (TESTS[test].interval, CORRECTIONS[correction].interval) if own in JOINT), "t")
        return ComparePlan(test, correction, self.interval or "t", self.interval or joint, 1 - confidence)

    def _test_and_correction(self) -> tuple[str, str]:
        check_choice("test", self.test, (*TESTS, "wild-cluster"))
        if self.topic_families is not None:
            return self._with_families()
        if self.test in FAMILY_TESTS:
            raise InputError(f"--test {self.test} is for topics in families", hint="add --topic-families FILE")
        if self.test == "tukey" and self.correction not in (None, "none"):
            raise InputError(
                "Tukey's test is for all pairs at once and takes no further correction",
                hint="leave out --correction, or take another --test",
            )
        correction = "none" if self.test == "tukey" else self.correction or "holm"
        check_choice("correction", correction, CORRECTIONS)
        if CORRECTIONS[correction].joint is not None and self.test != "t":
            raise InputError(
                f"--correction {correction} is a test of the largest |t|, and this is --test {self.test}",
                hint="leave out --test, or take another --correction",
            )
        return self.test, correction

    def _with_families(self) -> tuple[str, str]:
        """The test and correction where only families of topics are independent; all else takes topics for so."""
        refused = {
            f"--test {self.test}": self.test not in WITH_FAMILIES,
            f"--correction {self.correction}": self.correction == "stepdown",
            f"--interval {self.interval}": self.interval not in (None, "t"),
            "--equivalence": self.equivalence is not None,
            "--topic-groups": self.topic_groups is not None,
        }
        for name, wrong in refused.items():
            if wrong:
                raise InputError(
                    f"{name} takes topics for independent, and --topic-families says that they are not",
                    hint="with families there are --test t or wild-cluster, intervals by t, and --correction holm, "
                    "bonferroni, bh or none",
                )
        correction = self.correction or "holm"
        check_choice("correction", correction, CORRECTIONS)
        return ("cluster-t" if self.test == "t" else self.test), correction
