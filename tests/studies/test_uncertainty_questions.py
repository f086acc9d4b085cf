"""`irassay uncertainty`: every question is asked of the replicates of its own measure and variation."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irassay
from irassay.ask.replicates import Replicates
from irassay.ask.stability import stability
from irassay.ask.swap import swap
from irassay.result import Result
from irassay.vary.judgments import Judgments
from irassay.vary.replicates import replicates
from irassay.vary.topics import Topics
from irassay.vary.variation import Observed
from tests.helpers.budgets import REPLICATES, plain_tau, rows, uncertainty

pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
MEASURES = ("AP", "nDCG@10")
CASES = list(itertools.product(enumerate(MEASURES), ("topics", "judgments 50%")))
Sets = dict[str, tuple[Replicates, Replicates]]


@pytest.fixture(scope="module")
def result(tied_demo: Path) -> Result:
    ask = "order,reversals,verdicts,swap,stability"
    return uncertainty(tied_demo, measures=" ".join(MEASURES), vary="topics,judgments", ask=ask)


@pytest.fixture(scope="module")
def sets(tied_demo: Path) -> Sets:
    """Both sets of replicates of each variation."""
    panel = irassay.align(tied_demo / "qrels.txt", tied_demo / "runs", unanswerable="drop")
    seen = Observed(panel.score(" ".join(MEASURES)), panel)
    made: Sets = {}
    for variation in (Topics(replicates=REPLICATES), Judgments(replicates=REPLICATES)):
        first, second = (replicates(variation, seen, independent=k) for k in (0, 1))
        made[variation.label] = first, second
    return made


@pytest.mark.parametrize(("measure", "label"), CASES)
def test_agreement_is_the_mean_over_replicates_with_its_quantiles(
    measure: tuple[int, str], label: str, result: Result, sets: Sets
) -> None:
    (m, name), (one, _) = measure, sets[label]
    taus = [plain_tau(one.observed[m], means) for means in one.means[m]]
    (row,) = rows(result, "order", measure=name, variation=label)
    assert row["tau_b"] == pytest.approx(np.mean(taus), abs=1e-12)
    if label == "topics":
        assert (row["tau_b_q2.5"], row["tau_b_q97.5"]) == pytest.approx(np.quantile(taus, (0.025, 0.975)), abs=1e-12)
    (whole,) = rows(result, "budget", measure=name, variation=label)
    assert whole["tau_observed"] == row["tau_b"]


@pytest.mark.parametrize("label", ["topics", "judgments 50%"])
def test_two_measures_are_compared_on_the_same_replicate(label: str, result: Result, sets: Sets) -> None:
    one, _ = sets[label]
    # tau without a correction for ties: pairs in the same order less those in the other, of all
    taus = []
    for a, b in zip(*one.means, strict=True):
        pairs = itertools.combinations(range(8), 2)
        signs = [np.sign(round(a[x] - a[y], 10)) * np.sign(round(b[x] - b[y], 10)) for x, y in pairs]
        taus.append(np.mean(signs))
    (row,) = rows(result, "between_measures", variation=label)
    assert (row["measure_a"], row["measure_b"]) == MEASURES
    assert row["tau"] == pytest.approx(np.mean(taus), abs=1e-12)


@pytest.mark.parametrize(("measure", "label"), CASES)
def test_verdicts_on_pairs_are_shares_of_replicates(
    measure: tuple[int, str], label: str, result: Result, sets: Sets
) -> None:
    (m, name), (one, _) = measure, sets[label]
    found = rows(result, "pairs", measure=name, variation=label)
    assert [round(row["better"] * REPLICATES) for row in found] == one.better[m].tolist()
    assert [round(row["worse"] * REPLICATES) for row in found] == one.worse[m].tolist()
    (whole,) = rows(result, "budget", measure=name, variation=label)
    shares = one.changed[m].mean(axis=0) / 28
    names = ("verdicts_lost", "verdicts_gained", "verdicts_opposite")
    assert [whole[key] for key in names] == pytest.approx(shares, abs=1e-12)


@pytest.mark.parametrize(("measure", "label"), CASES)
def test_reversal_bins_are_means_over_the_pairs_in_them(
    measure: tuple[int, str], label: str, result: Result, sets: Sets
) -> None:
    pairs = [row for row in rows(result, "pairs", measure=measure[1], variation=label) if row["reversed"] is not None]
    bins = rows(result, "reversals", measure=measure[1], variation=label)
    last = max(row["difference"] for row in bins) + 0.01
    beyond = [p["reversed"] for p in pairs if abs(p["observed_difference"]) >= last - 1e-10]
    assert not any(beyond)  # larger differences are never reversed, as the caption says
    assert sum(row["pairs"] for row in bins) == len(pairs) - len(beyond)
    for row in bins:
        low = row["difference"] - 1e-10
        own = [p["reversed"] for p in pairs if low <= abs(p["observed_difference"]) < low + 0.01]
        assert len(own) == row["pairs"]
        assert row["reversal_rate"] is None if not own else row["reversal_rate"] == pytest.approx(np.mean(own))
    fitted = [row["fitted"] for row in bins if row["fitted"] is not None]
    assert all(a >= b - 1e-12 for a, b in itertools.pairwise(fitted))


@pytest.mark.parametrize(("measure", "label"), CASES)
def test_swap_takes_both_sets_and_stability_one(
    measure: tuple[int, str], label: str, result: Result, sets: Sets
) -> None:
    (m, name), (first, second) = measure, sets[label]
    expected = swap(first.means[m], second.means[m])
    (row,) = rows(result, "swap", measure=name, variation=label)
    assert row["max_score"] == pytest.approx(expected.max_score, abs=1e-15)
    for key in ("required_difference", "share_satisfied"):
        np.testing.assert_equal(np.nan if row[key] is None else row[key], getattr(expected, key))
    rates = stability(first.means[m])
    found = rows(result, "stability", measure=name, variation=label)
    assert [one["minority_rate"] for one in found] == rates.minority_rate.tolist()
    # both sets come from one distribution: Kolmogorov-Smirnov on 240 replicates each, seed 0, above 1e-4
    assert stats.ks_2samp(first.means[m][:, 0], second.means[m][:, 0]).pvalue > 1e-4
