"""The tables and figures of `irassay variance`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.agreement import coefficients
from irassay.ask.error_rate import error_rate
from irassay.ask.ranks import count_ranks, rank_quantiles, ranks
from irassay.ask.rejection import Rejection, significant_share
from irassay.ask.spread import score_spread
from irassay.ask.stability import stability
from irassay.ask.swap import swap
from irassay.headers import Header
from irassay.result import Figure, Mark, Table
from irassay.scoring.scores import Scores
from irassay.studies.tables import columns, records

Rows = list[dict[str, Any]]
Array = NDArray[np.float64]
KRCC_SAMPLES = 1000  # of the paper
OVER_SAMPLES = Header("simulated mean", "mean", "Mean over the samples of simulated scores")
UNPAIRED = "Drawn for each system on its own: bootstrap corpora are paired across systems and these are not"


@dataclass(frozen=True, eq=False)
class Simulated:
    """What one model did to one measure."""

    model: str
    scores: Scores  # the raw scores of one measure
    means: Array  # [samples, systems]
    topic_means: Array  # over samples [systems, topics]
    topic_sds: Array
    rejection: Rejection


@dataclass(frozen=True)
class Unusable:
    """A run whose scores cannot be simulated."""

    system: str
    code: str
    reason: str


def tables(
    simulated: Sequence[Simulated],
    topics: Sequence[str],
    alpha: float,
    shown: Sequence[str],
    unusable: Sequence[Unusable],
    short: Rows,
    jobs: int,
) -> tuple[Table, ...]:
    samples = len(simulated[0].means)
    several = len({one.scores.name for one in simulated}) > 1
    rows: dict[str, Rows] = {}
    for one in simulated:
        # the measure is named where there are several
        label = {"measure": one.scores.name} if several else {}
        label["model"] = one.model
        for name, content in _of(one, topics, alpha, shown, jobs):
            rows.setdefault(name, []).extend({**label, **row} for row in content)
    sizes = {one.model: len(one.scores.systems) for one in simulated}
    out = [
        Table(
            name, columns(content), _captions(alpha, samples, sizes)[name], _digits(content), headers=_headers(content)
        )
        for name, content in rows.items()
    ]
    if unusable:
        kept = {one.model: one.scores.systems for one in simulated}
        listed = [
            {
                "system": u.system,
                "simulated_by": ", ".join(model for model in kept if u.system in kept[model]) or "none",
                "code": u.code,
                "reason": u.reason,
            }
            for u in unusable
        ]
        out.append(Table("unusable", columns(listed), "Systems to whose scores no density can be fitted"))
    if short:
        out.append(Table("short_lists", columns(short), "Lists that were filled up to the length asked for"))
    return tuple(out)


def _of(
    one: Simulated, topics: Sequence[str], alpha: float, shown: Sequence[str], jobs: int
) -> Iterator[tuple[str, Rows]]:
    """The rows of one model and measure, table by table."""
    raw, systems = one.scores.means(), one.scores.systems
    tests = one.rejection
    yield (
        "variance",
        [
            {
                "krcc": float(coefficients(raw, one.means[:KRCC_SAMPLES], jobs=jobs)[:, 0].mean()),
                "share_asl_below_alpha": tests.share_asl_below_alpha,
                "share_nearly_always_rejected": tests.share_nearly_always_rejected,
                "mean_rejection_rate": tests.mean_rejection_rate,
                "estimated_difference": tests.estimated_difference,
                "raw_significant_share": significant_share(one.scores.tested()[1], alpha),
            }
        ],
    )
    yield (
        "estimated_difference",
        [
            {
                "estimated_difference": tests.estimated_difference,
                "ed_median": float(np.median(tests.required)),
                "ed_p95": float(np.quantile(tests.required, 0.95)),
            }
        ],
    )
    errors = error_rate(raw, one.means, jobs=jobs)
    yield (
        "error_rate",
        records(bin_low=errors.bin_low, comparisons=errors.comparisons, errors=errors.swaps, error_rate=errors.rates),
    )
    half = len(one.means) // 2
    swaps = swap(one.means[:half], one.means[half : 2 * half], jobs=jobs)
    yield (
        "swap",
        [
            {
                "required_difference": swaps.required_difference,
                "max_score": swaps.max_score,
                "ratio": swaps.ratio,
                "share_satisfied": swaps.share_satisfied,
            }
        ],
    )
    margins = stability(one.means, jobs=jobs)
    yield (
        "stability",
        records(
            fuzziness=margins.fuzziness,
            minority_rate=margins.minority_rate,
            proportion_of_ties=margins.proportion_of_ties,
        ),
    )
    places = rank_quantiles(count_ranks(one.means), (0.025, 0.5, 0.975))
    named: dict[str, Any] = {
        "rank_raw": ranks(raw),
        "rank_q2.5": places[0],
        "rank_q50": places[1],
        "rank_q97.5": places[2],
    }
    yield "ranks", records(system=systems, **named)
    yield "spread", records(system=systems, raw=raw, **score_spread(raw, one.means))
    values, mean, sd = one.scores.values, one.topic_means, one.topic_sds
    grid: dict[str, Any] = {
        "system": np.repeat(systems, len(topics)),
        "topic": np.tile(topics, len(systems)),
        "raw": values.ravel(),
        "mean": mean.ravel(),
        "sd": sd.ravel(),
    }
    yield "topics", records(**grid)
    for s in (systems.index(name) for name in shown if name in systems):
        yield (
            "error_bars",
            records(
                system=[systems[s]] * len(topics),
                topic=topics,
                raw=values[s],
                mean=mean[s],
                low=mean[s] - sd[s],
                high=mean[s] + sd[s],
            ),
        )
    yield (
        "pairs",
        records(
            system_x=[systems[x] for x in tests.first.tolist()],
            system_y=[systems[y] for y in tests.second.tolist()],
            raw_difference=raw[tests.first] - raw[tests.second],
            rejection_rate=tests.rate,
            estimated_difference=tests.required,
        ),
    )


def _captions(alpha: float, samples: int, sizes: Mapping[str, int]) -> dict[str, str]:
    of_models = "; ".join(f"{model}: {size} systems" for model, size in sizes.items())
    return {
        "variance": f"Comparisons on {samples} samples of simulated scores, beside those on the raw (observed) ones: "
        f"t tests at {alpha:g} per comparison, not corrected. {of_models}. The paper's ASL (achieved significance "
        "level) is the share of samples that tell a pair apart: below alpha it hardly ever is",
        "estimated_difference": f"The difference of a pair at the B·alpha-th largest |t| of its B samples (alpha "
        f"{alpha:g} per comparison, not corrected): the largest over pairs, the median, and the 95th percentile. It "
        "is not centred on 0 and so follows the largest differences between systems",
        "error_rate": "Share of samples that order two systems against the raw scores, by their simulated difference",
        "swap": f"Swap method on the two halves of the samples: from which difference on the two rarely order a pair "
        f"differently. {UNPAIRED}",
        "stability": "Stability method on the samples: how often they contradict the usual order of a pair (minority "
        f"rate) or leave it within the margin (proportion of ties). {UNPAIRED}",
        "ranks": "Ranks of the systems over the samples, beside those by the raw scores",
        "spread": "Scores of the systems over the samples, beside the raw ones",
        "topics": "Raw and simulated scores of every topic",
        "error_bars": "Raw and simulated scores of every topic: mean and one standard deviation to each side",
        "pairs": f"Share of samples on which a t test (alpha {alpha:g} per comparison, not corrected) tells a pair "
        "apart",
    }


DIGITS = {"comparisons": 0, "bin_low": 2, "fuzziness": 2, "rank_raw": 1, "rank_q2.5": 1, "rank_q50": 1, "rank_q97.5": 1}


def _headers(content: Rows) -> dict[str, Header]:
    return {"mean": OVER_SAMPLES} if "mean" in content[0] else {}


def _digits(content: Rows) -> dict[str, int]:
    return {name: DIGITS[name] for name in content[0] if name in DIGITS}


def figures(measures: Sequence[str], models: Sequence[str], shown: Sequence[str]) -> tuple[Figure, ...]:
    """F1, raw against simulated scores of the shown systems, and F2, the error rate by bin; one of each per measure."""
    out = []
    for number, measure in enumerate(measures, 1):
        several = len(measures) > 1
        where = {"measure": measure} if several else {}
        end = f"_{number}" if several else ""
        out += [
            Figure(
                name=f"error_bars{end}",
                kind="intervals",
                table="error_bars",
                x="raw",
                y="mean",
                low="low",
                high="high",
                facet="model" if len(models) > 1 else None,
                series="system" if len(shown) > 1 else None,
                where=where,
                point_label="topic",
                labels={"x": f"raw {measure}", "y": f"simulated {measure}"},
                marks=(Mark("diagonal", 0.0),),
                caption=f"Raw against simulated {measure} of {', '.join(shown)}, mean ± sd, a point for each topic; "
                "the topics farthest from the diagonal are named",
                alt="Points near the diagonal with error bars, one for each topic",
            ),
            Figure(
                name=f"error_rate{end}",
                kind="curve",
                table="error_rate",
                x="bin_low",
                y="error_rate",
                series="model",
                where=where,
                labels={"x": f"difference in simulated {measure}", "y": "error rate"},
                caption="Samples that order two systems against the raw scores, by their simulated difference",
                alt="Falling curves of error rates, one per model",
            ),
        ]
    return tuple(out)
