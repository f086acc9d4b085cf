"""How many topics a trusted judge needs beside a cheap one, for an interval that is narrow enough."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.generalizability import MeanSquares, mean_squares, within_variance
from irassay.ask.pairs import Array
from irassay.ask.prediction_powered import Covariances, JudgedTopics, expected_width, fewest_trusted
from irassay.errors import InputError
from irassay.panel.panel import Panel
from irassay.scoring.scores import Scores
from irassay.settings import Execution
from irassay.studies.design.settings import Design
from irassay.studies.estimate.data import TwoJudges, load_judges
from irassay.studies.tables import Rows
from irassay.vary.topics import TopicPlan

OF = ("difference", "mean")
ALONE = "trusted topics only"
STEPS = 40  # of a curve


def two_judges(study: Design, qrels: Any, runs: Any, execution: Execution | None) -> TwoJudges:
    """What both judges say; topics that only the trusted one judged are not used."""
    if study.scores or isinstance(qrels, Panel | Scores):
        raise InputError("--cheap needs judgments of both judges, and runs", hint="give QRELS, --cheap QRELS and runs")
    return load_judges(study, qrels, runs, execution, study.cheap, others_needed=False)


def trusted_rows(
    study: Design, measure: str, judged: JudgedTopics, alpha: float
) -> Iterator[tuple[dict[str, Any], Rows]]:
    """For the difference of an average pair, and for the mean of an average system: a row, and those of its curves."""
    topics = judged.topics
    total = topics + judged.others.shape[1]
    counts = TopicPlan(study.seed, topics, study.resamples).counts()
    whole, samples = _covariances(judged), _covariances(judged, counts)
    for of, level in zip(OF, (alpha, study.alpha), strict=True):
        width, own = study.full_width, whole[of]
        alone = Covariances(own.trusted, np.zeros_like(own.cheap), np.zeros_like(own.both))
        needed = fewest_trusted(width, total, own, level)
        in_samples = fewest_trusted(width, total, samples[of], level)
        # more than any collection has is more than any number
        low, high = np.quantile(np.nan_to_num(in_samples, nan=np.inf), [0.025, 0.975], method="nearest")
        row = {
            "measure": measure,
            "of": of,
            "width": width,
            "alpha": level,
            "trusted_topics": topics,
            "total_topics": total,
            "rho": float(own.rho[0]),
            "width_at_hand": float(expected_width(np.array([float(topics)]), total, own, level)[0]),
            "trusted_needed": _whole(needed[0]),
            "trusted_needed_low": _whole(low),
            "trusted_needed_high": _whole(high),
            "needed_alone": _whole(fewest_trusted(width, total, alone, level)[0]),
        }
        yield row, _curves(measure, of, total, {"with the cheap judge": own, ALONE: alone}, level)


def _covariances(judged: JudgedTopics, counts: NDArray[np.int32] | None = None) -> dict[str, Covariances]:
    """Of the average pair and of the average system, on all topics or on samples of them."""
    systems, topics = judged.trusted.shape
    squares = [mean_squares(scores, counts) for scores in (judged.trusted, judged.cheap, judged.trusted + judged.cheap)]
    # samples with replacement vary by (n-1)/n of what fresh topics would
    scale = 1.0 if counts is None else topics / (topics - 1)

    # Var(Y + F) = Var(Y) + Var(F) + 2 Cov(Y, F)
    def covariances(variances: list[Array]) -> Covariances:
        trusted, cheap, both = (scale * np.atleast_1d(np.asarray(variance, dtype=np.float64)) for variance in variances)
        return Covariances(trusted, cheap, (both - trusted - cheap) / 2)

    def variance(of: str, parts: MeanSquares) -> Array:
        return 2 * np.asarray(parts.residual) if of == "difference" else np.asarray(within_variance(parts, systems))

    return {of: covariances([variance(of, parts) for parts in squares]) for of in OF}


def _whole(topics: float) -> int | None:
    return int(topics) if np.isfinite(topics) else None


def _curves(measure: str, of: str, total: int, cases: dict[str, Covariances], alpha: float) -> Rows:
    """Widths by the number of trusted topics, up to all that the cheap judge has judged."""
    topics = np.unique(np.round(np.geomspace(5, max(10, total), STEPS)))
    return [
        {"measure": measure, "of": of, "curve": f"{of}, {case}", "topics": int(n), "width": float(width)}
        for case, parts in cases.items()
        for n, width in zip(
            topics,
            expected_width(topics, total, Covariances(*(np.broadcast_to(part, topics.shape) for part in parts)), alpha),
            strict=True,
        )
    ]
