"""The tables of `irassay design`, and what their captions say."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask import generalizability as ask
from irassay.ask.pairs import Array
from irassay.studies.design.plans import Plan
from irassay.studies.design.settings import Design
from irassay.studies.tables import Rows

NOTE = (
    "Topics that each design needs for the wanted power, or for an interval of the wanted width, and what the topics "
    "at hand give: the chance to find a true difference of that size, or the width to expect. Variance is that of "
    "per-topic differences for the t test and the interval (2·V_E2); of scores within a system, where every system "
    "would have its own topics, for the one-way analysis of variance (V_E1); and what systems and topics leave "
    "unexplained for the two-way one (V_E2, the residual variance)."
)
COEFFICIENTS = {"E-rho²": False, "Phi": True}  # whether a coefficient is about the scores themselves
CAPTIONS = {
    "design": NOTE + " Alpha is per comparison; correction: {study.correction}.",
    "topics_needed": (
        "How well the variance is known, and so the topics needed: intervals that should hold the true number in 95% "
        "of experiments; {measured}. chi-square takes scores for normal (Box's degrees of freedom); topic bootstrap "
        "samples these topics. Both are too short where few topics carry most of the variance."
    ),
    "across_pairs": (
        "Pairs differ in the variance of their differences: so many topics are enough for this share of the pairs, and "
        "the topics at hand give that share at least this power (at most this width). The spread over pairs holds the "
        "error of each pair's variance too."
    ),
    "generalizability": (
        "How well the scores generalise to other topics, from 0 to 1: E-rho² for differences between systems, Phi for "
        "the scores themselves; and how many topics would give {study.reliability:g}. The systems at hand are taken "
        "for a random sample."
    ),
    "coefficients": (
        "95% intervals of E-rho² (differences between systems) and Phi (scores themselves), and of the topics for "
        "{study.reliability:g}. Feldt and Arteaga take the "
        "systems for an exchangeable random sample from a normal population of systems; topic bootstrap is for these "
        "systems, over topics like these. No number of topics: none may be enough."
    ),
    "by_size": (
        "The estimated difference (paired bootstrap test; largest over pairs, alpha {study.alpha:g} per comparison, "
        "not corrected; mean over random sets of the topics) and swap's required difference (5% swaps between disjoint "
        "sets of so many topics). measured: in sets of these topics, at the topics at hand in all of them. "
        "extrapolated: by a power law through the one measured with the most topics, with the slope of the others. "
        "Intervals by the delete-d jackknife over topics (conservative: docs/studies.md), cut where a difference would "
        "rise with the topics or be larger than the measure allows; without the error of the law itself. Empty: not "
        "known, the ends of the interval would be more than 10 times apart."
    ),
    "trusted_needed": (
        "Topics that the trusted judge needs where the cheap one has judged so many, so that an interval by PPI++ "
        "(`irassay estimate`) is no wider than wanted: for the difference of an average pair, and for the mean of an "
        "average system. ρ: correlation of both judges' scores over topics that both judged. From and to: 95% of "
        "samples of these topics. Without it: by the trusted topics alone. Topics chosen at random; "
        "{study.alpha:g} error of an interval, of a difference as the correction has it."
    ),
    "trusted_curve": "Expected width of intervals by the number of trusted topics",
    "design_curve": "Power for the minimum difference by the number of topics",
    "d_study": "Generalisability by the number of topics",
}
DIGITS = {
    "design": {"variance": 4, "power_at_hand": 3, "width_at_hand": 3},
    "topics_needed": {"variance": 4, "variance_low": 4, "variance_high": 4},
    "across_pairs": {"share_of_pairs": 2, "variance": 4, "power_at_hand": 3, "width_at_hand": 3},
    "generalizability": {"variance_system": 4, "variance_topic": 4, "variance_residual": 4, "e_rho2": 3, "phi": 3},
    "coefficients": {"value": 3, "low": 3, "high": 3},
    "by_size": {"value": 3, "low": 3, "high": 3},
    "trusted_needed": {"rho": 2, "width_at_hand": 3},
    "trusted_curve": {"width": 3},
}


def generalizability(study: Design, measure: str, parts: ask.Components, shape: tuple[int, ...]) -> dict[str, Any]:
    systems, topics = shape
    relative, absolute = (ask.signal(parts, absolute=kind) for kind in COEFFICIENTS.values())
    return {
        "measure": measure,
        "systems": systems,
        "topics": topics,
        "variance_system": parts.system,
        "variance_topic": parts.topic,
        "variance_residual": parts.residual,
        "e_rho2": ask.coefficient(relative, topics),
        "phi": ask.coefficient(absolute, topics),
        "topics_for_e_rho2": ask.topics_for(relative, study.reliability),
        "topics_for_phi": ask.topics_for(absolute, study.reliability),
    }


def coefficients(study: Design, measure: str, scores: Array, counts: NDArray[np.int32]) -> Rows:
    systems, topics = scores.shape
    squares = ask.mean_squares(scores)
    rows = []
    for name, absolute in COEFFICIENTS.items():
        ratio = ask.signal(ask.components(squares, systems, topics), absolute=absolute)
        random = ask.arteaga_interval if absolute else ask.feldt_interval
        for method, (low, high) in {
            "Arteaga" if absolute else "Feldt": random(squares, systems, topics),
            "topic bootstrap": ask.topic_interval(scores, counts, absolute=absolute),
        }.items():
            rows.append(
                {
                    "measure": measure,
                    "coefficient": name,
                    "method": method,
                    "value": ask.coefficient(ratio, topics),
                    "low": ask.coefficient(low, topics),
                    "high": ask.coefficient(high, topics),
                    "topics_for": ask.topics_for(ratio, study.reliability),
                    "topics_for_low": ask.topics_for(high, study.reliability),
                    "topics_for_high": ask.topics_for(low, study.reliability),
                }
            )
    return rows


def curve(designs: list[Plan], topics: int) -> Rows:
    """From 5 topics to well beyond what is needed or at hand, in about forty steps."""
    last = max([topics, *(plan.needed(plan.variance) or 0 for plan in designs)])
    steps = sorted({round(n) for n in np.geomspace(5, max(10, 1.5 * last), 40).tolist()})
    return [
        {
            "measure": plan.measure,
            "design": plan.name,
            "curve": f"{plan.measure}, {plan.name}",
            "topics": n,
            "power": plan.power(n, plan.variance),
        }
        for plan in designs
        for n in steps
    ]


def d_study(measure: str, parts: ask.Components, topics: int) -> Rows:
    steps = sorted({topics, *(round(n) for n in np.geomspace(5, 4 * max(topics, 50), 40).tolist())})
    return [
        {
            "measure": measure,
            "coefficient": name,
            "curve": f"{measure}, {name}",
            "topics": n,
            "value": ask.coefficient(ask.signal(parts, absolute=absolute), n),
        }
        for name, absolute in COEFFICIENTS.items()
        for n in steps
    ]
