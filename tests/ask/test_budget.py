"""Rows of the budget: every number from the definitions in CONTRACTS, its error from ten batches, and the total."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import isotonic_regression

from irassay.ask.agreement import levels
from irassay.ask.budget import QUANTITIES, budget_row, total_row
from irassay.ask.replicates import Replicates
from irassay.tolerance import EQUAL
from tests.helpers.replicates import replicates_of_topics


def plain_quantities(replicates: Replicates, measure: int) -> dict[str, float]:
    """The definitions one after the other, for a variation of topics."""
    observed, means = replicates.observed[measure], replicates.means[measure]
    pairs = list(itertools.combinations(range(len(observed)), 2))
    bias, sd, rates, sizes = [], [], [], []
    for x, y in pairs:
        d, star = observed[x] - observed[y], means[:, x] - means[:, y]
        bias.append(star.mean() - d)
        sd.append(replicates.sd_scale * star.std(ddof=1))
        if abs(d) > 1e-10:
            rates.append(np.mean(np.where(np.abs(star) <= 1e-10, 0.5, star * d < 0)))
            sizes.append(round(abs(d), 12))
    values = sorted(set(sizes))
    own = [[r for r, s in zip(rates, sizes, strict=True) if s == v] for v in values]
    fit = isotonic_regression(
        [float(np.mean(r)) for r in own], weights=[float(len(r)) for r in own], increasing=False
    ).x
    enough = [v for v, rate in zip(values, fit, strict=True) if rate <= 0.05 + 1e-12]
    order = np.argsort(p := replicates.p_values[measure], kind="stable")
    below = p[order] < 0.05 / np.arange(len(p), 0, -1)
    significant = {pairs[k] for k in order[: len(p) if below.all() else int(np.argmin(below))]}
    excluded = [sum(s in pair for pair in significant) for s in range(len(observed))]
    width = [len(observed) - number for number in excluded]
    lost, gained, opposite = replicates.changed[measure].mean(axis=0) / len(pairs)
    # by levels: near-copies come within 1e-10 of each other now and then
    tau_b = [stats.kendalltau(levels(observed), levels(mean)).statistic for mean in means]
    return {
        "bias_difference": float(np.median(np.abs(bias))),
        "sd_difference": float(np.median(sd)),
        "rms_difference": float(np.median(np.sqrt(np.square(bias) + np.square(sd)))),
        "sd_mean": float(np.median(replicates.sd_scale * means.std(axis=0, ddof=1))),
        "pairs_resolved": float(np.mean(np.array(rates) <= 0.05 + 1e-12)),
        "surviving_difference": min(enough, default=math.nan),
        "tau_observed": float(np.mean(tau_b)),
        "verdicts_lost": float(lost),
        "verdicts_gained": float(gained),
        "verdicts_opposite": float(opposite),
        "rank_width_best": float(width[int(np.argmax(observed))]),
        "rank_width_median": float(np.median(width)),
    }


@pytest.mark.parametrize("measure", [0, 1])
@pytest.mark.parametrize("number", [20, 240])
def test_every_number_follows_its_definition_and_its_error_ten_batches(number: int, measure: int) -> None:
    replicates = replicates_of_topics(number)
    row = budget_row(replicates, measure)
    assert list(row) == [f"{name}{end}" for name in QUANTITIES for end in ("", "_mc")]
    whole = plain_quantities(replicates, measure)
    parts = [plain_quantities(replicates.batch(k), measure) for k in range(10)]
    for name in QUANTITIES:
        assert row[name] == pytest.approx(whole[name], abs=1e-12, nan_ok=True), name
        error = np.std([part[name] for part in parts], ddof=1) / math.sqrt(10)
        assert row[f"{name}_mc"] == pytest.approx(error, abs=1e-12, nan_ok=True), name


def test_a_row_does_not_depend_on_the_number_of_threads() -> None:
    replicates = replicates_of_topics()
    assert budget_row(replicates, 0, jobs=3) == budget_row(replicates, 0)


def empty(row: dict[str, float]) -> set[str]:
    return {name for name in QUANTITIES if math.isnan(row[name])}


def test_numbers_without_meaning_are_empty() -> None:
    ranks = {"rank_width_best", "rank_width_median"}
    differences = {"sd_difference", "rms_difference"}
    verdicts = {"verdicts_lost", "verdicts_gained", "verdicts_opposite"}
    assert empty(budget_row(replicates_of_topics(), 0)) == set()
    simulated = replicates_of_topics(variation="simulation", kind="model", paired=False)
    assert empty(budget_row(simulated, 0)) == differences | ranks
    listed = replicates_of_topics(variation="gains", kind="scenario", random=False)
    row = budget_row(listed, 0)
    assert empty(row) == differences | ranks | {"sd_mean"}
    assert all(math.isnan(row[f"{name}_mc"]) for name in QUANTITIES)
    drawn = replicates_of_topics(variation="judgments 50%", kind="scenario")
    assert empty(budget_row(drawn, 0)) == ranks
    untested = replicates_of_topics(tested=(True, False))
    assert empty(budget_row(untested, 1)) == verdicts


def test_below_twenty_replicates_there_is_no_error_and_below_five_systems_nothing() -> None:
    row = budget_row(replicates_of_topics(19), 0)
    assert all(math.isnan(row[f"{name}_mc"]) for name in QUANTITIES)
    assert not empty(row)
    few = budget_row(replicates_of_topics(40, systems=4), 0)
    assert all(math.isnan(value) for value in few.values())
    assert len(few) == 2 * len(QUANTITIES)
    five = replicates_of_topics(40, systems=5)
    assert not empty(budget_row(five, 0))
    known = replace(five, topic_covariance=np.zeros((2, 5, 5)))
    assert empty(total_row(known, known, 0)) == set(QUANTITIES) - {"sd_difference", "sd_mean"}


def test_a_total_has_an_error_only_where_both_variations_have_one() -> None:
    many, few = replicates_of_topics(40), replicates_of_topics(19, seed=7)
    for topics, other in ((many, few), (few, many)):
        row = total_row(topics, replace(other, topic_covariance=np.zeros((2, 8, 8))), 0)
        assert math.isnan(row["sd_mean_mc"])
        assert row["sd_mean"] > 0


def test_systems_that_share_the_first_place_give_the_wider_of_their_ranks() -> None:
    replicates = replicates_of_topics(20)
    observed = np.tile(np.linspace(0.1, 0.8, 8), (2, 1))
    observed[:, 6] = observed[:, 7] - EQUAL
    p = np.ones((2, 28))
    pairs = list(itertools.combinations(range(8), 2))
    p[:, [pairs.index((0, 7)), pairs.index((1, 7))]] = 0.0
    row = budget_row(replace(replicates, observed=observed, p_values=p), 0)
    assert row["rank_width_best"] == 8.0
    mirrored = np.ones((2, 28))
    mirrored[:, [pairs.index((0, 6)), pairs.index((1, 6))]] = 0.0
    assert budget_row(replace(replicates, observed=observed, p_values=mirrored), 0)["rank_width_best"] == 8.0


def test_the_total_adds_what_topics_share_of_the_other_variation() -> None:
    topics = replicates_of_topics(200)
    other = replicates_of_topics(100, seed=7, variation="documents", sd_scale=1.3)
    random = np.random.default_rng(2)
    # of the size of its own covariance, so that some pairs have nothing left and others much
    root = random.standard_normal((2, 8, 8)) * other.means.std(axis=1)[:, :, None] / 3
    covariance = root @ root.transpose(0, 2, 1)
    row = total_row(topics, replace(other, topic_covariance=covariance), 0)
    pairs, systems, left = [], [], []
    a, b, c = topics.means[0], other.means[0], covariance[0]
    scale = topics.sd_scale**2
    for x, y in itertools.combinations(range(8), 2):
        rest = 1.69 * ((b[:, x] - b[:, y]).var(ddof=1) - (c[x, x] + c[y, y] - 2 * c[x, y]))
        left.append(rest > 0)
        pairs.append(math.sqrt(scale * (a[:, x] - a[:, y]).var(ddof=1) + max(0.0, rest)))
    for s in range(8):
        systems.append(math.sqrt(scale * a[:, s].var(ddof=1) + 1.69 * max(0.0, b[:, s].var(ddof=1) - c[s, s])))
    assert 0 < sum(left) < len(left)
    assert row["sd_difference"] == pytest.approx(np.median(pairs), abs=1e-12)
    assert row["sd_mean"] == pytest.approx(np.median(systems), abs=1e-12)
    assert empty(row) == set(QUANTITIES) - {"sd_difference", "sd_mean"}
    assert row["sd_difference_mc"] > 0


def test_the_total_is_that_of_topics_where_the_other_is_independent_between_topics() -> None:
    topics = replicates_of_topics(100)
    other = replicates_of_topics(100, variation="documents", sd_scale=1.0)
    own = np.stack([np.cov(means.T) for means in other.means]) * 1.0001
    row = total_row(topics, replace(other, topic_covariance=own), 0)
    assert row["sd_mean"] == pytest.approx(budget_row(topics, 0)["sd_mean"], abs=1e-12)
    assert row["sd_difference"] == pytest.approx(budget_row(topics, 0)["sd_difference"], abs=1e-12)


def test_a_total_needs_the_same_systems_and_the_part_between_topics() -> None:
    topics = replicates_of_topics(20)
    with pytest.raises(ValueError, match="independent between topics"):
        total_row(topics, topics, 0)
    with pytest.raises(ValueError, match="same systems"):
        total_row(topics, replicates_of_topics(20, systems=7), 0)
    few = replicates_of_topics(20, systems=4)
    few = replace(few, topic_covariance=np.zeros((2, 4, 4)))
    assert all(math.isnan(value) for value in total_row(few, few, 0).values())
