"""`irassay uncertainty`: its tables are those of the contract, and their numbers those of plain references."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irassay
from irassay.report.text import undefined
from irassay.result import Result
from irassay.vary.documents import ImagePlan, active_documents
from irassay.vary.topics import TopicPlan
from tests.helpers.budgets import (
    CORPUS,
    LABELS,
    MEASURES,
    QUANTITIES,
    REPLICATES,
    Floats,
    exported_means,
    plain_reversals,
    plain_tau,
    rows,
    uncertainty,
)
from tests.helpers.varied_panels import expanded, judged_only, pooled_by

pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
COLUMNS = {
    "budget": ["measure", "variation", "kind", "replicates", *(q + end for q in QUANTITIES for end in ("", "_mc"))],
    "scenarios": [
        "measure",
        "variation",
        "scenario",
        "mean_shift",
        "median_shift",
        "largest_shift",
        "system",
        "smallest_tau",
        "verdicts_lost",
        "verdicts_gained",
        "verdicts_opposite",
        "ranks_lost_median",
        "ranks_lost_most",
    ],
    "systems": [
        "measure",
        "variation",
        "system",
        "observed",
        "mean",
        "sd",
        "q2.5",
        "q97.5",
        "rank",
        "rank_low",
        "rank_high",
        "share_first",
    ],
    "reversals": ["measure", "variation", "difference", "pairs", "reversal_rate", "fitted"],
    "order": [
        "measure",
        "variation",
        *(name + end for name in ("tau", "tau_b", "tau_ap", "rbo") for end in ("", "_q2.5", "_q97.5")),
    ],
    "pairs": [
        "measure",
        "variation",
        "system_x",
        "system_y",
        "observed_difference",
        "bias",
        "sd",
        "reversed",
        "better",
        "worse",
        "undecided",
    ],
    "between_measures": ["variation", "measure_a", "measure_b", "tau", "tau_q2.5", "tau_q97.5"],
    "swap": ["measure", "variation", "required_difference", "max_score", "ratio", "share_satisfied"],
    "stability": ["measure", "variation", "fuzziness", "minority_rate", "proportion_of_ties"],
    "scenario_systems": ["measure", "variation", "scenario", "system", "observed", "score", "rank", "rank_here"],
    "verdicts": ["measure", "variation", "significant_observed", "significant", "lost", "gained", "opposite"],
    "leaderboard": [
        "measure",
        "system",
        "mean",
        "mean_low",
        "mean_high",
        "letters",
        "rank_low",
        "rank_high",
        "share_first",
        "judged_at_10",
    ],
    "topic_scores": ["measure", "system", "topic", "score"],
    "top_documents": ["system", "topic", "rank", "document", "grade"],
    "budget_figure": ["source", "measure", "pairs_resolved", "lowest", "highest"],
}
KINDS = {
    "topics": "sampling",
    "documents": "sampling",
    "judgments 50%": "scenario",
    "unjudged": "model",
    "pools": "scenario",
    "simulation": "model",
    "ties": "model",
    "gains": "scenario",
    "total": "sampling",
}


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("export") / "means.csv"


@pytest.fixture(scope="module")
def result(tied_demo: Path, export: Path) -> Result:
    ask = "spread,ranks,order,reversals,verdicts,swap,stability"
    return uncertainty(tied_demo, ask=ask, export=str(export))


@pytest.fixture(scope="module")
def panel(tied_demo: Path) -> irassay.Panel:
    return irassay.align(tied_demo / "qrels.txt", tied_demo / "runs", unanswerable="drop")


def test_every_table_has_exactly_the_columns_of_the_contract(result: Result) -> None:
    assert {table.name: list(table.columns) for table in result.tables} == COLUMNS


def test_the_figure_of_the_budget_has_every_share_with_its_error_one_kind_after_the_other(result: Result) -> None:
    shares = {
        (row["variation"], row["measure"]): (row["pairs_resolved"], row["pairs_resolved_mc"])
        for row in rows(result, "budget")
        if row["variation"] != "total"
    }
    drawn = rows(result, "budget_figure")
    assert len(drawn) == len(shares)
    for row in drawn:
        share, error = shares[row["source"].rsplit(" (", 1)[0], row["measure"]]
        assert row["pairs_resolved"] == share
        error = 0.0 if undefined(error) else 2 * error
        assert (row["lowest"], row["highest"]) == pytest.approx((max(0, share - error), min(1, share + error)))
    kinds = [row["source"].rsplit(" (", 1)[1] for row in drawn]
    assert list(dict.fromkeys(kinds)) == ["sample)", "model)", "scenario)"]
    assert kinds == sorted(kinds, key=["sample)", "model)", "scenario)"].index)


def test_reversal_curves_have_the_5_percent_line_and_the_difference_that_survives_a_change_of_topics(
    result: Result,
) -> None:
    marks = next(figure for figure in result.figures if figure.name == "reversals").marks
    assert (marks[0].axis, marks[0].at, marks[0].label) == ("y", 0.05, "5%")
    expected = {
        row["measure"]: row["surviving_difference"]
        for row in rows(result, "budget", variation="topics")
        if not undefined(row["surviving_difference"])
    }
    assert {mark.facet: mark.at for mark in marks[1:]} == expected
    assert expected


def test_without_a_word_all_variations_and_the_common_questions_are_there(tied_demo: Path, result: Result) -> None:
    default = uncertainty(tied_demo)
    assert {table.name for table in default.tables} == set(COLUMNS) - {"swap", "stability"}
    assert default.provenance["vary"] == list(LABELS)
    assert rows(default, "budget") == rows(result, "budget")


def test_every_measure_has_a_row_for_each_variation_with_its_kind_and_its_replicates(result: Result) -> None:
    listed = {"pools": 4, "gains": 3, "total": None}
    expected = [
        (measure, label, KINDS[label], listed.get(label, REPLICATES))
        for measure in MEASURES.split()
        for label in (*LABELS, "total")
    ]
    assert [tuple(row[name] for name in COLUMNS["budget"][:4]) for row in rows(result, "budget")] == expected


def empty(row: dict[str, Any]) -> set[str]:
    return {name for name in QUANTITIES if row[name] is None}


def test_cells_that_mean_nothing_for_a_kind_are_empty_and_no_others(result: Result) -> None:
    ranks, differences = {"rank_width_best", "rank_width_median"}, {"sd_difference", "rms_difference"}
    expected = {
        "topics": set(),
        "documents": set(),
        "ties": set(),
        "unjudged": set(),
        "simulation": differences | ranks,  # systems do not share its draws
        "judgments 50%": ranks,  # drawn: its spread is on the scale of a bootstrap
        "pools": differences | ranks | {"sd_mean"},
        "gains": differences | ranks | {"sd_mean"},
    }
    for row in rows(result, "budget"):
        if row["variation"] != "total":
            assert empty(row) == expected[row["variation"]], row
        elif row["measure"] == "GM(AP)":  # no mean over topics: nobody knows what topics share
            assert empty(row) == set(QUANTITIES)
        else:
            assert empty(row) == set(QUANTITIES) - {"sd_difference", "sd_mean"}
        for name in QUANTITIES:
            drawn = row["variation"] not in ("pools", "gains")
            assert (row[f"{name}_mc"] is not None) == (drawn and row[name] is not None), (row["variation"], name)


def test_scenarios_have_no_quantiles_and_no_ranks_and_others_have_both(result: Result) -> None:
    for row in rows(result, "systems"):
        scenario = KINDS[row["variation"]] == "scenario"
        assert (row["q2.5"] is None) == (row["q97.5"] is None) == scenario
        assert (row["rank_low"] is None) == (scenario or row["variation"] == "simulation")
        assert (row["sd"] is None) == (row["variation"] in ("pools", "gains"))
    for row in rows(result, "order"):
        assert (row["tau_b_q2.5"] is None) == (KINDS[row["variation"]] == "scenario")
    for row in rows(result, "pairs"):
        assert (row["sd"] is None) == (row["variation"] in ("pools", "gains", "simulation"))
        assert row["better"] + row["worse"] + row["undecided"] == pytest.approx(1)


def test_pairs_resolved_and_the_surviving_difference_follow_their_definitions(result: Result, export: Path) -> None:
    for measure, label in itertools.product(MEASURES.split(), LABELS):
        (row,) = rows(result, "budget", measure=measure, variation=label)
        observed = np.array([one["observed"] for one in rows(result, "systems", measure=measure, variation=label)])
        resolved, surviving = plain_reversals(observed, exported_means(export, measure, label))
        assert row["pairs_resolved"] == pytest.approx(resolved, abs=1e-12)
        assert row["surviving_difference"] == pytest.approx(surviving, abs=1e-10)


def test_tables_of_systems_and_pairs_are_what_numpy_makes_of_the_exported_means(result: Result, export: Path) -> None:
    scales = {"topics": math.sqrt(12 / 11)}
    for measure, label in itertools.product(MEASURES.split(), LABELS):
        means = exported_means(export, measure, label)
        systems = rows(result, "systems", measure=measure, variation=label)
        sd = means.std(axis=0, ddof=1) * scales.get(label, 1.0)
        low, high = np.quantile(means, (0.025, 0.975), axis=0)
        for s, row in enumerate(systems):
            assert row["mean"] == pytest.approx(means[:, s].mean(), abs=1e-12)
            assert row["sd"] is None or row["sd"] == pytest.approx(sd[s], abs=1e-12)
            assert row["q2.5"] is None or (row["q2.5"], row["q97.5"]) == pytest.approx((low[s], high[s]), abs=1e-12)
        pairs = rows(result, "pairs", measure=measure, variation=label)
        for (x, y), row in zip(itertools.combinations(range(8), 2), pairs, strict=True):
            star = means[:, x] - means[:, y]
            difference = systems[x]["observed"] - systems[y]["observed"]
            assert (row["system_x"], row["system_y"]) == (systems[x]["system"], systems[y]["system"])
            assert row["observed_difference"] == pytest.approx(difference, abs=1e-12)
            assert row["bias"] == pytest.approx(star.mean() - difference, abs=1e-12)
            expected = star.std(ddof=1) * scales.get(label, 1.0)
            assert row["sd"] is None or row["sd"] == pytest.approx(expected, abs=1e-12)


def variances(values: Floats) -> tuple[list[float], list[float]]:
    """Of the differences of all pairs, and of the systems, over replicates [replicate, system]."""
    pairs = itertools.combinations(range(values.shape[1]), 2)
    of_pairs = [float((values[:, x] - values[:, y]).var(ddof=1)) for x, y in pairs]
    return of_pairs, values.var(axis=0, ddof=1).tolist()


@pytest.mark.parametrize("measure", ["AP", "nDCG@10"])
def test_the_total_adds_to_topics_what_all_topics_share_of_documents(
    measure: str, tied_demo: Path, panel: irassay.Panel
) -> None:
    number, n = 60, 12
    result = uncertainty(tied_demo, measures=measure, replicates=number, vary="topics,documents", ask="order")
    scores = panel.score(measure)[measure].values
    topics = TopicPlan(0, n, number).counts() @ scores.T / n
    images = ImagePlan(0, CORPUS, active_documents(panel), number).multiplicities(0, number)
    documents = np.stack([expanded(panel, one[panel.document]).score(measure)[measure].values for one in images])
    of_topics = [variances(documents[:, :, t]) for t in range(n)]
    (row,) = rows(result, "budget", variation="total")
    for place, name in enumerate(("sd_difference", "sd_mean")):
        own = np.sum([parts[place] for parts in of_topics], axis=0) / n**2
        shared = np.maximum(0.0, variances(documents.mean(axis=2))[place] - own)
        total = np.sqrt(np.array(variances(topics)[place]) * n / (n - 1) + shared)
        assert row[name] == pytest.approx(np.median(total), abs=1e-12)


def test_the_spread_of_judgments_is_scaled_by_the_share_that_is_kept(tied_demo: Path, tmp_path: Path) -> None:
    path = tmp_path / "means.csv"
    result = uncertainty(tied_demo, measures="AP", vary="judgments", keep=20, replicates=40, export=str(path))
    means = exported_means(path, "AP", "judgments 20%")
    (row,) = rows(result, "budget")
    assert row["sd_mean"] == pytest.approx(np.median(means.std(axis=0, ddof=1)) * math.sqrt(0.2 / 0.8), abs=1e-12)


def observed_means(result: Result, measure: str) -> Floats:
    return np.array([row["observed"] for row in rows(result, "systems", measure=measure, variation="topics")])


def test_each_scenario_has_its_shifts_its_agreement_and_its_verdicts(result: Result, export: Path) -> None:
    listed = {"pools": [f"depth {d}" for d in (5, 10, 20, 50)], "gains": ["{1:1,2:1}", "{1:1,2:2}", "{1:1,2:3}"]}
    for measure, (label, names) in itertools.product(MEASURES.split(), listed.items()):
        observed, means = observed_means(result, measure), exported_means(export, measure, label)
        found = rows(result, "scenarios", measure=measure, variation=label)
        assert [row["scenario"] for row in found] == names
        for k, row in enumerate(found):
            shift = means[k] - observed
            assert row["mean_shift"] == pytest.approx(shift.mean(), abs=1e-9)
            assert row["median_shift"] == pytest.approx(np.median(shift), abs=1e-9)
            assert abs(row["largest_shift"]) == pytest.approx(np.abs(shift).max(), abs=1e-9)
            assert (row["system"] is None) == (np.abs(shift).max() < 1e-10)  # rounding is no shift of a system
            assert row["smallest_tau"] == pytest.approx(plain_tau(observed, means[k]), abs=1e-12)
            assert row["ranks_lost_most"] is None
        (whole,) = rows(result, "budget", measure=measure, variation=label)
        for name in ("verdicts_lost", "verdicts_gained", "verdicts_opposite"):
            assert whole[name] == pytest.approx(np.mean([row[name] for row in found]), abs=1e-12)


def test_judgments_that_are_drawn_have_one_scenario_with_their_mean_shift_and_lowest_agreement(
    result: Result, export: Path
) -> None:
    for measure in MEASURES.split():
        observed, means = observed_means(result, measure), exported_means(export, measure, "judgments 50%")
        (row,) = rows(result, "scenarios", measure=measure, variation="judgments 50%")
        shift = means.mean(axis=0) - observed
        assert row["largest_shift"] == pytest.approx(shift[np.argmax(np.abs(shift))], abs=1e-12)
        assert row["smallest_tau"] == pytest.approx(min(plain_tau(observed, one) for one in means), abs=1e-12)


@pytest.mark.parametrize("grouped", [False, True])
def test_each_system_without_its_own_group_shifts_as_with_the_judgments_of_the_others(
    grouped: bool, tied_demo: Path, panel: irassay.Panel
) -> None:
    options = {"groups": str(tied_demo / "groups.txt")} if grouped else {}
    result = uncertainty(tied_demo, measures="AP", vary="pools", pool_depth=5, **options)
    group = dict(line.split() for line in (tied_demo / "groups.txt").read_text().splitlines())
    if not grouped:
        group = {name: name for name in group}
    every = {(t, code) for t in range(len(panel.topics)) for code in range(panel.pool[t + 1] - panel.pool[t])}
    before, shift, lost, taus = panel.score("AP")["AP"].means(), [], [], []
    for s, system in enumerate(panel.systems):
        own = [k for k, name in enumerate(panel.systems) if group[name] == group[system]]
        others = [k for k in range(8) if k not in own]
        alone = pooled_by(panel, own, 5) - pooled_by(panel, others, 5)
        after = judged_only(panel, every - alone).score("AP")["AP"].means()
        shift.append(after[s] - before[s])
        lost.append(stats.rankdata(-after.round(10))[s] - stats.rankdata(-before.round(10))[s])
        taus.append(plain_tau(before, after))
    (row,) = rows(result, "scenarios", scenario="own group")
    assert (row["variation"], row["system"]) == ("left out", panel.systems[int(np.argmax(np.abs(shift)))])
    expected = (np.mean(shift), np.median(shift), max(shift, key=abs), min(taus), np.median(lost), max(lost))
    names = ("mean_shift", "median_shift", "largest_shift", "smallest_tau", "ranks_lost_median", "ranks_lost_most")
    assert [row[name] for name in names] == pytest.approx(expected, abs=1e-12)


def test_more_rows_of_pairs_than_memory_holds_are_refused(tied_demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irassay.studies.uncertainty.tables.PAIR", 1e18)
    with pytest.raises(irassay.InputError, match="so many pairs of systems need"):
        uncertainty(tied_demo, vary="topics", ask="spread", measures="AP")
