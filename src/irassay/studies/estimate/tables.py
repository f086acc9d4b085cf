"""The tables of `irassay estimate`."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy import stats

from irassay.ask.corrections import holm
from irassay.ask.design import fewest
from irassay.ask.intervals import student_interval
from irassay.ask.pairs import Array, Pairs
from irassay.ask.prediction_powered import (
    Estimates,
    JudgedTopics,
    correlation,
    difference_of_samples,
    power_tuned,
    powered,
    trusted_alone,
)
from irassay.result import Table, column_decimals
from irassay.studies.estimate.data import TwoJudges
from irassay.studies.tables import Rows, columns, records
from irassay.tolerance import EQUAL

ALONE, TUNED = "trusted topics only", "PPI++"
METHODS: Mapping[str, Callable[[JudgedTopics], Estimates]] = {ALONE: trusted_alone, "PPI": powered, TUNED: power_tuned}
MEANS, DIFFERENCES = "means", "differences"
BLOCK = 1 << 22  # numbers of differences that are in memory at once
ESTIMAND = "For the mean score by the trusted judge over topics like these, which are taken for a random sample"
RATIO = "Relative width: the width of the interval over that from the trusted topics only; 1 and more is no gain"
CAPTIONS = {
    "gain": (
        "What the cheap judge adds: ρ, the correlation of both judges' scores over topics that both judged; λ, the "
        "weight of the cheap judge in PPI++ (1 is that in PPI). {ratio}. Medians over systems or pairs. Worth: as many "
        "trusted topics alone would give such intervals. Narrower in: share of intervals that are."
    ),
    "estimates": (
        "{estimand}: estimates with {level:.4g}% intervals (Student's t). {ratio}. ρ: correlation of both judges' "
        "scores of the system over the topics."
    ),
    "differences": (
        "{estimand}: differences A - B by PPI++, with their own λ and {level:.4g}% intervals. p is for one comparison, "
        "not corrected; corrected by Holm it is for all comparisons of a measure. Trusted: from the trusted topics "
        "only."
    ),
    "cheap": (
        "What the cheap judge alone would say, which is no estimate of the trusted mean: its mean over all topics; "
        "bias, cheap less trusted score, on the topics that both judged, with its {level:.4g}% interval."
    ),
    "parts": (
        "Do the topics that both judged look like those of the cheap judge alone? Means of each kind; p by "
        "Welch's t test, not corrected{weighted}."
    ),
}


def estimate_tables(
    data: Mapping[str, JudgedTopics],
    two: TwoJudges,
    systems: tuple[str, ...],
    pairs: Pairs,
    alpha: float,
    digits: int | None,
) -> tuple[Table, ...]:
    """All tables; differences only where there are pairs."""
    rows: dict[str, Rows] = {name: [] for name in CAPTIONS}
    errors: list[float] = []
    for measure, judged in data.items():
        alone, estimated, compared = (
            trusted_alone(judged),
            _estimates(judged, alpha),
            _differences(judged, pairs, alpha),
        )
        errors += alone.error.tolist()
        rho = correlation(judged)
        sizes = {"trusted_topics": judged.topics, "cheap_topics": judged.others.shape[1]}
        rows["gain"].append(_gain(measure, MEANS, rho, estimated[TUNED], sizes, alpha))
        rows["estimates"] += [
            {"measure": measure, "system": system, "method": method}
            | {name: float(values[s]) for name, values in estimated[method].items() if name != "lambda"}
            | {"rho": float(rho[s])}
            | sizes
            | {"lambda": float(estimated[method]["lambda"][s])}
            for s, system in enumerate(systems)
            for method in METHODS
        ]
        if len(pairs[0]):
            rows["gain"].append(_gain(measure, DIFFERENCES, compared["rho"], compared, sizes, alpha))
            names = [
                {"measure": measure, "system_x": systems[x], "system_y": systems[y]}
                for x, y in zip(*pairs, strict=True)
            ]
            rows["differences"] += [name | row for name, row in zip(names, records(**compared), strict=True)]
        rows["cheap"] += _cheap(measure, judged, systems, alpha)
    rows["parts"] = _parts(data, two)
    places = column_decimals(errors) if digits is None else digits
    words = {
        "estimand": ESTIMAND,
        "ratio": RATIO,
        "level": 100 * (1 - alpha),
        "weighted": "; the trusted topics were sampled with unequal probabilities, so they may differ"
        if two.shares is not None
        else "",
    }
    return tuple(
        Table(name, columns(rows[name]), caption.format(**words), _digits(rows[name], places))
        for name, caption in CAPTIONS.items()
        if rows[name]
    )


def _digits(rows: Rows, places: int) -> dict[str, int]:
    ratios = {
        "rho": 2,
        "lambda": 2,
        "width_ratio": 2,
        "narrower": 2,
        "worth": 0,
        "p_value": 4,
        "p_corrected": 4,
        "trusted_p_value": 4,
    }
    scores = (
        "mean",
        "low",
        "high",
        "difference",
        "trusted_difference",
        "cheap_mean",
        "trusted_mean",
        "bias",
        "bias_low",
        "bias_high",
    )
    return {name: digits for name, digits in {**ratios, **dict.fromkeys(scores, places)}.items() if name in rows[0]}


def _estimates(judged: JudgedTopics, alpha: float) -> dict[str, dict[str, Array]]:
    """By method what stands in `estimates`."""
    alone = _width(trusted_alone(judged), alpha)
    table = {}
    for method, function in METHODS.items():
        estimates = function(judged)
        low, high = estimates.interval(alpha)
        ratio = _ratio(high - low, alone)
        table[method] = {
            "mean": estimates.mean,
            "low": low,
            "high": high,
            "width_ratio": ratio,
            "lambda": estimates.tuning,
        }
    return table


def _differences(judged: JudgedTopics, pairs: Pairs, alpha: float) -> dict[str, Array]:
    """What stands in `differences`, some pairs after the other: nothing of the size pairs x topics is kept."""
    first, second = pairs
    size = max(1, BLOCK // (2 * judged.topics + judged.others.shape[1]))
    parts = []
    for low in range(0, len(first), size):
        part = judged.differences((first[low : low + size], second[low : low + size]))
        estimates, alone = power_tuned(part), trusted_alone(part)
        bounds = estimates.interval(alpha)
        parts.append(
            {
                "difference": estimates.mean,
                "low": bounds[0],
                "high": bounds[1],
                "p_value": estimates.p_values(),
                "rho": correlation(part),
                "lambda": estimates.tuning,
                "width_ratio": _ratio(bounds[1] - bounds[0], _width(alone, alpha)),
                "trusted_difference": alone.mean,
                "trusted_p_value": alone.p_values(),
            }
        )
    if not parts:
        return {}
    table = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    place = list(table).index("p_value") + 1
    items = list(table.items())
    return dict([*items[:place], ("p_corrected", holm(table["p_value"])), *items[place:]])


def _gain(
    measure: str, of: str, rho: Array, values: Mapping[str, Array], sizes: Mapping[str, int], alpha: float
) -> dict[str, Any]:
    ratio = _median(values["width_ratio"])
    narrower = values["width_ratio"][~np.isnan(values["width_ratio"])] < 1
    return {
        "measure": measure,
        "of": of,
        "number": len(rho),
        **sizes,
        "rho": _median(rho),
        "lambda": _median(values["lambda"]),
        "width_ratio": ratio,
        "worth": _worth(sizes["trusted_topics"], ratio, alpha),
        "narrower": float(narrower.mean()) if len(narrower) else np.nan,
    }


def _worth(topics: int, ratio: float, alpha: float) -> int | None:
    """How many trusted topics alone have intervals that are narrower by this ratio, as far as that is known."""
    if not ratio > 0:
        return None

    def relative(n: int) -> float:
        return float(stats.t.isf(alpha / 2, n - 1)) / math.sqrt(n)

    wanted = ratio * relative(topics)
    return fewest(lambda n: relative(n) <= wanted * (1 + EQUAL))


def _median(values: Array) -> float:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else float("nan")


def _width(estimates: Estimates, alpha: float) -> Array:
    low, high = estimates.interval(alpha)
    return np.asarray(high - low)


def _ratio(width: Array, alone: Array) -> Array:
    return np.where(alone > 0, width / np.where(alone > 0, alone, 1.0), np.nan)


def _cheap(measure: str, judged: JudgedTopics, systems: tuple[str, ...], alpha: float) -> Rows:
    """The cheap judge's own means, and how far they are off on the topics that both judged."""
    error = JudgedTopics(judged.cheap - judged.trusted, judged.cheap, judged.others, judged.shares)
    bias = trusted_alone(error)
    low, high = student_interval(error.trusted, alpha) if judged.shares is None else bias.interval(alpha)
    return records(
        measure=[measure] * len(systems),
        system=systems,
        trusted_mean=trusted_alone(judged).mean,
        cheap_mean=np.concatenate([judged.cheap, judged.others], axis=1).mean(axis=1),
        bias=bias.mean,
        bias_low=low,
        bias_high=high,
    )


def _parts(data: Mapping[str, JudgedTopics], two: TwoJudges) -> Rows:
    own, others = two.per_topic(two.common), two.per_topic(two.others)
    quantities = [(name, own[name], others[name]) for name in own]
    quantities += [
        (f"{measure} by the cheap judge, mean over systems", judged.cheap.mean(axis=0), judged.others.mean(axis=0))
        for measure, judged in data.items()
    ]
    return [
        {
            "quantity": name,
            "judged_by_both": float(first.mean()),
            "cheap_only": float(second.mean()),
            "p_value": float(difference_of_samples(first[None], second[None]).p_values()[0]),
        }
        for name, first, second in quantities
    ]
