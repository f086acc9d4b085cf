r"""How much of an evaluation each variation puts in doubt: one row of numbers per measure and variation.

Rows do not add up: observed topic scores already hold one draw of whatever is independent between topics. The total is
$V(topics) + \max(0, V(A) - \sum_t V_t(A)/n^2)$, whose second term is the part of A that topics share.
"""

import math
from collections.abc import Sequence

import numpy as np

from irassay.ask.order import agreement_with_observed
from irassay.ask.pairs import Array, all_pairs
from irassay.ask.ranks import rank_bounds
from irassay.ask.replicates import BATCHES, Replicates, batches
from irassay.ask.reversals import reversals
from irassay.ask.spread import pair_spread, system_spread
from irassay.tolerance import EQUAL

Row = dict[str, float]
QUANTITIES = (
    "bias_difference",
    "sd_difference",
    "rms_difference",
    "sd_mean",
    "pairs_resolved",
    "surviving_difference",
    "tau_observed",
    "verdicts_lost",
    "verdicts_gained",
    "verdicts_opposite",
    "rank_width_best",
    "rank_width_median",
)
FEWEST_SYSTEMS = 5  # below them medians over pairs and shares of pairs say nothing
FEWEST_REPLICATES = 2 * BATCHES  # that have a Monte-Carlo error


def budget_row(replicates: Replicates, measure: int, *, jobs: int = 1) -> Row:
    """Each of `QUANTITIES`, followed by its Monte-Carlo error under the name with `_mc`.

    nan where the kind of variation gives a number no meaning: no sds of listed scenarios, none of differences where
    systems do not share the draws, no rank widths of either, no verdicts without a test, nothing below 5 systems.
    """
    if len(replicates.systems) < FEWEST_SYSTEMS:
        return _with_errors(_nothing(), [])
    tau_b = agreement_with_observed(replicates, measure, jobs=jobs)[:, 1]
    parts = [
        _quantities(replicates.batch(k), measure, tau_b[here])
        for k, here in enumerate(batches(replicates.replicates))
        if _has_errors(replicates)
    ]
    return _with_errors(_quantities(replicates, measure, tau_b), parts)


def total_row(topics: Replicates, other: Replicates, measure: int) -> Row:
    """The row of topics and another variation together: its `sd_difference` and `sd_mean`; the rest is nan.

    For measures whose score is a mean over topics. `other` says which part of its spread is independent between topics.
    """
    if topics.systems != other.systems or topics.measures != other.measures:
        raise ValueError(f"{topics.variation} and {other.variation} are not of the same systems and measures")
    if other.topic_covariance is None:
        raise ValueError(f"the part of {other.variation} that is independent between topics is not known")
    if len(topics.systems) < FEWEST_SYSTEMS:
        return _with_errors(_nothing(), [])
    whole = _total(topics, other, measure)
    known = _has_errors(topics) and _has_errors(other)
    parts = [_total(topics.batch(k), other.batch(k), measure) for k in range(BATCHES) if known]
    return _with_errors(whole, parts)


def _quantities(replicates: Replicates, measure: int, tau_b: Array) -> Row:
    """All quantities of these replicates."""
    spread = pair_spread(replicates, measure)
    turned = reversals(replicates.observed[measure], replicates.means[measure])
    row = _nothing() | {
        "bias_difference": float(np.median(np.abs(spread.bias))),
        "sd_difference": float(np.median(spread.sd)),
        "rms_difference": float(np.median(np.hypot(spread.bias, spread.sd))),
        "sd_mean": float(np.median(system_spread(replicates, measure).sd)),
        "pairs_resolved": turned.pairs_resolved,
        "surviving_difference": turned.surviving_difference,
        "tau_observed": float(tau_b.mean()),
    }
    if replicates.tested[measure]:
        shares = replicates.changed[measure].mean(axis=0) / len(spread.bias)
        names = ("verdicts_lost", "verdicts_gained", "verdicts_opposite")
        row |= dict(zip(names, shares.tolist(), strict=True))
    low, high = rank_bounds(replicates, measure, spread=spread)
    width = high - low + 1.0
    observed = replicates.observed[measure]
    # systems that share the first place: the widest, so that their order in the files makes no difference
    row["rank_width_best"] = float(width[observed >= observed.max() - EQUAL].max())
    row["rank_width_median"] = float(np.median(width))
    return row


def total_deviations(topics: Replicates, other: Replicates, measure: int) -> tuple[Array, Array]:
    """The sds of all pairs' differences and of all systems' scores, of topics and another variation together."""
    assert other.topic_covariance is not None
    covariance = other.topic_covariance[measure] * other.sd_scale**2
    own = np.diag(covariance)
    x, y = all_pairs(len(topics.systems))
    pairs = [pair_spread(one, measure).sd ** 2 for one in (topics, other)]
    systems = [system_spread(one, measure).sd ** 2 for one in (topics, other)]
    between = own[x] + own[y] - 2.0 * covariance[x, y]
    return (
        np.sqrt(pairs[0] + np.maximum(0.0, pairs[1] - between)),
        np.sqrt(systems[0] + np.maximum(0.0, systems[1] - own)),
    )


def _total(topics: Replicates, other: Replicates, measure: int) -> Row:
    pairs, systems = total_deviations(topics, other, measure)
    return _nothing() | {"sd_difference": float(np.median(pairs)), "sd_mean": float(np.median(systems))}


def _nothing() -> Row:
    return dict.fromkeys(QUANTITIES, math.nan)


def _has_errors(replicates: Replicates) -> bool:
    return replicates.random and replicates.replicates >= FEWEST_REPLICATES


def _with_errors(whole: Row, parts: Sequence[Row]) -> Row:
    """Each number followed by its error, the sd over batches / √batches."""
    row: Row = {}
    for name in QUANTITIES:
        values = [part[name] for part in parts]
        error = float(np.std(values, ddof=1)) / math.sqrt(len(values)) if values else math.nan
        row |= {name: whole[name], f"{name}_mc": error}
    return row
