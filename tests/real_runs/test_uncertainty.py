"""`irassay uncertainty` on TREC-8: 129 systems, 200 replicates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import irassay
from irassay.tolerance import EQUAL
from irassay.vary.judgments import Judgments
from irassay.vary.replicates import replicates
from irassay.vary.ties import Ties
from irassay.vary.variation import Observed
from tests.helpers.varied_panels import reduced_grades

pytestmark = pytest.mark.data
REPLICATES = 200


@pytest.fixture(scope="module")
def observed(data_dir: Path) -> Observed:
    folder = data_dir / "trec8-adhoc"
    panel = irassay.align(folder / "qrels.txt.gz", folder / "runs", keep_scores=True, unanswerable="drop")
    return Observed(panel.score("AP"), panel)


def test_parts_of_the_judgments_score_as_panels_with_these_judgments(observed: Observed) -> None:
    panel = observed.lists
    plan = Judgments(replicates=REPLICATES).plan(observed)
    scores = plan.block(range(REPLICATES), 2).scores[0]  # [topic, replicate, system]
    means = replicates(Judgments(replicates=REPLICATES), observed, jobs=2).means[0]
    assert means.shape == (REPLICATES, 129)
    for trial in (0, 31, 199):
        again = replace(panel, grade=reduced_grades(panel, trial, 50)).score("AP")["AP"]
        np.testing.assert_allclose(scores[:, trial], again.values.T, rtol=0, atol=1e-12)
        np.testing.assert_allclose(means[trial], again.means(), rtol=0, atol=1e-12)


def test_the_mean_over_orders_of_ties_lies_between_the_worst_and_the_best_order(
    observed: Observed, data_dir: Path
) -> None:
    result = replicates(Ties(replicates=REPLICATES), observed, jobs=2)
    folder = data_dir / "trec8-adhoc"
    worst, best = (
        irassay.align(folder / "qrels.txt.gz", folder / "runs", ties=side, unanswerable="drop")
        .score("AP")["AP"]
        .means()
        for side in ("worst", "best")
    )
    mean = result.means[0].mean(axis=0)
    assert (mean >= worst - EQUAL).all()
    assert (mean <= best + EQUAL).all()
    tied = best - worst > EQUAL
    assert tied.sum() > 60  # most runs have ties that matter
    assert (mean[tied] > worst[tied]).all()
    assert (mean[tied] < best[tied]).all()
    np.testing.assert_allclose(mean[~tied], observed.scores.means()[0, ~tied], rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_every_row_of_the_budget_is_there_and_sources_are_in_their_known_order(observed: Observed) -> None:
    result = irassay.uncertainty(observed.lists, measures="AP", replicates=REPLICATES, corpus_size=528_155, jobs=2)
    columns = result["budget"].columns
    rows = {row[1]: dict(zip(columns, row, strict=True)) for row in result["budget"].rows()}
    assert list(rows) == ["topics", "documents", "judgments 50%", "unjudged", "pools", "simulation", "ties", "total"]
    deviations = {name: float(str(row["sd_difference"])) for name, row in rows.items()}
    # other topics matter more than other corpora, and the order of ties hardly
    assert deviations["topics"] > deviations["documents"] > deviations["ties"] > 0
    assert deviations["total"] >= deviations["topics"]
    assert np.isnan([deviations["pools"], deviations["simulation"]]).all()
    assert {row[0] for row in result["left_out"].rows()} == {"gains"}
