"""The designs that `irassay design` plans for: what each needs of the topics, at a variance."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask import design as ask
from irassay.ask.generalizability import mean_squares, within_variance
from irassay.ask.pairs import Array
from irassay.studies.design.settings import Design
from irassay.studies.tables import Rows

PAIRED = ("t test", "interval")
PAIR_SHARES = (0.05, 0.5, 0.95)


@dataclass(frozen=True)
class Plan:
    """One design for one measure, and the variance that it depends on."""

    study: Design
    measure: str
    kind: str  # t test, interval, one-way ANOVA or two-way ANOVA
    systems: int
    alpha: float
    variance: float
    freedom: float  # of the variance
    samples: Array  # the variance on samples of the topics

    @property
    def name(self) -> str:
        return f"interval of width {self.study.full_width:g}" if self.kind == "interval" else self.kind

    def power(self, topics: int, variance: float) -> float:
        if self.kind == "interval":
            return math.nan
        if self.kind == "t test":
            return ask.t_power(topics, self.study.min_difference, variance, self.alpha)
        two_way = self.kind == "two-way ANOVA"
        return ask.anova_power(topics, self.systems, self.study.min_difference, variance, self.alpha, two_way=two_way)

    def width(self, topics: int, variance: float) -> float:
        return ask.expected_width(topics, variance, self.alpha) if self.kind == "interval" else math.nan

    def needed(self, variance: float) -> int | None:
        """The fewest topics for the power or the width that is wanted."""
        if self.kind == "interval":
            return ask.fewest(lambda n: self.width(n, variance) <= self.study.full_width)
        return ask.fewest(lambda n: self.power(n, variance) >= self.study.power)

    def row(self, topics: int) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "design": self.name,
            "systems": self.systems,
            "min_difference": self.study.min_difference,
            "alpha": self.alpha,
            "variance": self.variance,
            "topics_needed": self.needed(self.variance),
            "topics": topics,
            "power_at_hand": self.power(topics, self.variance),
            "width_at_hand": self.width(topics, self.variance),
        }

    def intervals(self) -> Rows:
        """How well the variance is known, and what that makes of the topics needed."""
        tail = 0.025
        low, high = np.quantile(self.samples, [tail, 1 - tail]).tolist()
        methods = {"chi-square": ask.chi_square_interval(self.variance, self.freedom), "topic bootstrap": (low, high)}
        return [
            {
                "measure": self.measure,
                "design": self.name,
                "method": method,
                "variance": self.variance,
                "variance_low": bounds[0],
                "variance_high": bounds[1],
                "topics_needed": self.needed(self.variance),
                "topics_needed_low": self.needed(bounds[0]),
                "topics_needed_high": self.needed(bounds[1]),
            }
            for method, bounds in methods.items()
        ]

    def across_pairs(self, variances: Array, topics: int) -> Rows:
        """The same for pairs of small, middling and large variance."""
        return [
            {
                "measure": self.measure,
                "design": self.name,
                "alpha": self.alpha,
                "pairs": len(variances),
                "share_of_pairs": share,
                "variance": variance,
                "topics_needed": self.needed(variance),
                "power_at_hand": self.power(topics, variance),
                "width_at_hand": self.width(topics, variance),
            }
            for share, variance in zip(PAIR_SHARES, np.quantile(variances, PAIR_SHARES).tolist(), strict=True)
        ]


def plans(study: Design, measure: str, scores: Array, counts: NDArray[np.int32]) -> Iterator[Plan]:
    """Every design for one measure, from its scores [systems, topics] and samples of the topics."""
    m, n = scores.shape
    systems = study.systems or m
    whole, samples = mean_squares(scores), mean_squares(scores, counts)
    scale = n / (n - 1)  # samples with replacement vary by (n-1)/n of what fresh topics would
    rest, within = float(whole.residual), float(within_variance(whole, m))
    of_rest, of_within = scale * samples.residual, scale * within_variance(samples, m)
    rest_freedom, within_freedom = (ask.box_freedom(scores, centred=centred) for centred in (True, False))
    pairs = systems * (systems - 1) // 2 if study.correction == "bonferroni" else 1
    alpha = study.alpha / pairs
    yield Plan(study, measure, "t test", 2, alpha, 2 * rest, rest_freedom, 2 * of_rest)
    yield Plan(study, measure, "one-way ANOVA", systems, study.alpha, within, within_freedom, of_within)
    yield Plan(study, measure, "two-way ANOVA", systems, study.alpha, rest, rest_freedom, of_rest)
    yield Plan(study, measure, "interval", 2, alpha, 2 * rest, rest_freedom, 2 * of_rest)
