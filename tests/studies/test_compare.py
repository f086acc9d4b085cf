"""`irassay compare`: the numbers of the table that a person pastes into a paper."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irassay
from irassay.ask import comparison as tests
from irassay.ask.methods import CORRECTIONS
from irassay.ask.pairs import all_pairs
from irassay.ask.significance import paired
from irassay.compute.draws import sums_of_samples
from irassay.errors import IrassayWarning
from irassay.report.figure_rows import figure_rows
from irassay.studies.compare.view import paper
from irassay.vary.labels import LabelPlan
from irassay.vary.topics import TopicPlan
from tests.helpers.comparisons import SAMPLES, TESTS, TOPICS, compared, values
from tests.helpers.sampled_studies import cells, of


@pytest.fixture
def at(comparison_place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(comparison_place)
    return comparison_place


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("baseline", [None, "s2"])
def test_p_values_are_those_of_the_tests_on_the_same_draws(test: str, baseline: str | None, at: Path) -> None:
    result = compared(test=test, baseline=baseline, seed=5)
    x = values()
    pairs = all_pairs(5) if baseline is None else (np.array([0, 1, 3, 4]), np.array([2] * 4))
    z = x[pairs[0]] - x[pairs[1]]
    plan = LabelPlan(5, TOPICS, SAMPLES)
    expected = {
        "t": lambda: tests.student(z),
        "wilcoxon": lambda: tests.wilcoxon(z),
        "sign": lambda: tests.sign(z),
        "randomization": lambda: tests.randomization(z, plan.signs(), exact=False),
        "paired-bootstrap": lambda: (
            (paired(x, TopicPlan(5, TOPICS, SAMPLES).counts(), pairs=pairs).count + 1) / (SAMPLES + 1)
        ),
        "tukey": lambda: tests.tukey(z.mean(axis=1), plan.ranges(x)),
    }[test]()
    rows = of(result, "pairs")
    assert [(row["system_x"], row["system_y"]) for row in rows] == [
        (f"s{a}", f"s{b}") for a, b in zip(*(side.tolist() for side in pairs), strict=True)
    ]
    if test == "tukey":
        assert [row["p_corrected"] for row in rows] == expected.tolist()
        assert all(math.isnan(row["p_value"]) for row in rows)
        spread = math.sqrt(tests.residual_variance(x))
    else:
        assert [row["p_value"] for row in rows] == expected.tolist()
        assert [row["p_corrected"] for row in rows] == CORRECTIONS["holm"].adjust(expected).tolist()
        spread = z.std(axis=1, ddof=1)
    assert [row["difference"] for row in rows] == pytest.approx(z.mean(axis=1).tolist(), rel=1e-12)
    assert [row["effect_size"] for row in rows] == pytest.approx((z.mean(axis=1) / spread).tolist(), rel=1e-9)
    for row, d in zip(rows, z, strict=True):
        assert (row["won"], row["lost"], row["tied"]) == ((d > 0).sum(), (d < 0).sum(), (d == 0).sum())


def test_the_default_is_the_t_test_with_holm_whether_there_is_a_baseline_or_not(at: Path) -> None:
    for baseline in (None, "s0"):
        provenance = compared(baseline=baseline).provenance
        assert (provenance["test"], provenance["correction"]) == ("t", "holm")
    assert compared(test="tukey").provenance["correction"] == "none"


@pytest.mark.parametrize(
    "settings",
    [
        {"test": "t", "correction": "bonferroni"},
        {"test": "t", "correction": "bh"},
        {"test": "t", "correction": "none"},
        {"test": "tukey"},
        {"test": "paired-bootstrap", "interval": "bootstrap-t", "correction": "bonferroni"},
        {"test": "paired-bootstrap", "interval": "bootstrap-t", "correction": "none", "alpha": 0.2},
    ],
)
@pytest.mark.filterwarnings("ignore:nDCG@10. the differences:irassay.errors.IrassayWarning")
@pytest.mark.parametrize("baseline", [None, "s1"])
def test_a_tests_own_interval_leaves_out_0_exactly_when_it_rejects(
    settings: dict[str, Any], baseline: str | None, at: Path
) -> None:
    result = compared(**settings, baseline=baseline, measures="AP nDCG@10", resamples=2000)
    alpha = settings.get("alpha", 0.05)
    rows = of(result, "pairs")
    rejected = [row["p_corrected"] < alpha for row in rows]
    assert [row["low"] > 0 or row["high"] < 0 for row in rows] == rejected
    assert 0 < sum(rejected) < len(rejected)
    assert "not the test's own" not in result["comparison"].caption


@pytest.mark.filterwarnings("ignore:.*short-intervals")
def test_other_intervals_say_that_they_may_disagree_with_the_test(at: Path) -> None:
    assert "may disagree" in compared(test="wilcoxon")["comparison"].caption
    assert "may disagree" in compared(interval="bca")["comparison"].caption


@pytest.mark.filterwarnings("ignore:.*short-intervals")
@pytest.mark.parametrize("interval", ["t", "bootstrap-t", "bca", "percentile"])
def test_intervals_of_means_are_those_of_the_systems_alone(interval: str, at: Path) -> None:
    from irassay.ask import intervals

    result = compared(interval=interval, baseline="s0", confidence=0.9, correction="none")
    x = np.vstack([values(), np.zeros(TOPICS)])
    pairs = np.arange(5), np.full(5, 5)
    counts = TopicPlan(0, TOPICS, SAMPLES).counts()
    low, high = {
        "t": lambda: intervals.student_interval(x[:5], 0.1),
        "bootstrap-t": lambda: intervals.bootstrap_t_interval(x, counts, pairs, 0.1),
    }.get(interval, lambda: intervals.resampled_interval(x, sums_of_samples(x.T, counts), pairs, 0.1, interval))()
    for s in range(5):
        (row,) = of(result, "comparison", system=f"s{s}")
        assert [row["mean_low"], row["mean_high"]] == pytest.approx([low[s], high[s]], rel=1e-9)
        assert row["mean"] == pytest.approx(x[s].mean(), rel=1e-12)
        assert row["mean_error"] == pytest.approx(x[s].std(ddof=1) / math.sqrt(TOPICS), rel=1e-9)


def test_the_baseline_comes_first_and_the_others_by_their_means(at: Path) -> None:
    rows = of(compared(baseline="s1"), "comparison")
    assert rows[0]["system"] == "s1"
    assert math.isnan(rows[0]["difference"])
    assert rows[0]["marker"] == ""
    means = [row["mean"] for row in rows[1:]]
    assert means == sorted(means, reverse=True)
    for row in rows[1:]:
        expected = "" if row["p_corrected"] >= 0.05 else "↑" if row["difference"] > 0 else "↓"
        assert row["marker"] == expected
    assert {row["marker"] for row in rows} > {"↑"}


def test_letters_and_ranks_follow_the_corrected_p_values(at: Path) -> None:
    result = compared()
    rows = {row["system"]: row for row in of(result, "comparison")}
    for pair in of(result, "pairs"):
        x, y = rows[pair["system_x"]], rows[pair["system_y"]]
        assert bool(set(x["letters"]) & set(y["letters"])) == (pair["p_corrected"] >= 0.05)
    better = [p for p in of(result, "pairs") if p["p_corrected"] < 0.05]
    for name, row in rows.items():
        above = sum(
            (p["system_y"] == name) == (p["difference"] > 0) for p in better if name in (p["system_x"], p["system_y"])
        )
        below = sum(
            (p["system_x"] == name) == (p["difference"] > 0) for p in better if name in (p["system_x"], p["system_y"])
        )
        assert (row["rank_low"], row["rank_high"]) == (1 + above, 5 - below)


def test_share_first_counts_the_samples_that_power_uses(at: Path) -> None:
    means = TopicPlan(0, TOPICS, SAMPLES).counts() @ values().T
    first = np.bincount(means.argmax(axis=1), minlength=5) / SAMPLES
    for s in range(5):
        (row,) = of(compared(), "comparison", system=f"s{s}")
        assert row["share_first"] == pytest.approx(first[s], abs=1e-12)


def test_equivalence_is_two_one_sided_tests(at: Path) -> None:
    rows = of(compared(equivalence=0.1), "pairs")
    x = values()
    first, second = all_pairs(5)
    p = tests.equivalence(x[first] - x[second], 0.1)
    assert [row["p_equivalence"] for row in rows] == p.tolist()
    assert [row["p_equivalence_corrected"] for row in rows] == CORRECTIONS["holm"].adjust(p).tolist()
    shown = paper(compared(equivalence=0.1, baseline="s0"))
    assert list(shown.columns)[-2:] == ["p (within ±0.1)", "90% CI"]
    assert "p-values corrected by Holm; their intervals at 1 - 2·alpha = 0.9, each on its own" in shown.caption


@pytest.mark.parametrize("correction", ["none", "bonferroni"])
def test_the_interval_of_two_one_sided_tests_lies_within_the_margin_exactly_when_they_reject(
    correction: str, at: Path
) -> None:
    rows = of(compared(equivalence=0.2, correction=correction), "pairs")
    for row, z in zip(rows, values()[all_pairs(5)[0]] - values()[all_pairs(5)[1]], strict=True):
        expected = stats.ttest_1samp(z, 0).confidence_interval(0.9)
        assert [row["equivalence_low"], row["equivalence_high"]] == pytest.approx(list(expected), rel=1e-9)
        within = row["equivalence_low"] > -0.2 and row["equivalence_high"] < 0.2
        assert within == (row["p_equivalence"] < 0.05)
    assert 0 < sum(row["p_equivalence_corrected"] < 0.05 for row in rows) < len(rows)


@pytest.mark.filterwarnings("ignore:.*short-intervals")
@pytest.mark.parametrize(
    "settings",
    [{"test": test} for test in TESTS] + [{"interval": "bca"}, {"interval": "bootstrap-t"}, {"correction": "stepdown"}],
)
def test_any_number_of_threads_and_chunks_gives_the_same_bits(
    settings: dict[str, Any], at: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = cells(compared(jobs=1, **settings))
    assert cells(compared(jobs=3, **settings)) == expected
    monkeypatch.setattr("irassay.vary.labels.CHUNK", 41)
    monkeypatch.setattr("irassay.vary.labels._Ranges.chunk", 41)
    monkeypatch.setattr("irassay.ask.stepdown.CHUNK", 41)
    assert cells(compared(jobs=2, **settings)) == expected


def test_other_measures_in_the_call_change_nothing(at: Path) -> None:
    both = compared(measures="nDCG@10 AP")
    for table in ("comparison", "pairs", "topics"):
        alone = [list(row.values())[1:] for row in of(compared(), table)]
        among = [list(row.values())[1:] for row in of(both, table, measure="AP")]
        assert repr(alone) == repr(among)


def test_scores_a_panel_and_runs_give_the_same_numbers(at: Path) -> None:
    with pytest.warns(IrassayWarning, match="judged-less"):
        runs = irassay.compare("qrels.txt", "runs", measures="AP", resamples=SAMPLES)
    panel = irassay.align(irassay.read_qrels("qrels.txt"), irassay.read_runs("runs"))
    with pytest.warns(IrassayWarning, match="judged-less"):
        assert cells(irassay.compare(panel, measures="AP", resamples=SAMPLES)) == cells(runs)
    assert cells(compared())["pairs"] == cells(runs)["pairs"]
    scores = irassay.compare(panel.score("AP"), measures="AP", resamples=SAMPLES)
    assert cells(scores) == cells(compared())


# judged documents


def test_judged_documents_are_counted_and_reported_where_a_system_has_clearly_fewer(at: Path) -> None:
    with pytest.warns(IrassayWarning, match=r"AP: s4 \w+ against s\d with fewer judged documents \(Judged@10 0.\d\d"):
        result = irassay.compare("qrels.txt", "runs", measures="AP", resamples=SAMPLES)
    rows = {row["system"]: row["judged_at_10"] for row in of(result, "comparison")}
    assert rows["s4"] == pytest.approx(0.5)
    assert {rows[f"s{k}"] for k in range(4)} == {1.0}
    assert "judged-less" in [w.code for w in result.warnings]
    assert "Judged@10" in paper(result).columns
    assert "Judged@10" not in paper(compared()).columns


def test_judged_is_not_added_to_the_measures(at: Path) -> None:
    with pytest.warns(IrassayWarning, match="judged-less"):
        result = irassay.compare("qrels.txt", "runs", measures="AP", resamples=SAMPLES)
    assert result.provenance["measures"] == ["AP"]
    with pytest.warns(IrassayWarning, match="judged-less"):
        both = irassay.compare("qrels.txt", "runs", measures="AP Judged@10", resamples=SAMPLES)
    assert both.provenance["measures"] == ["AP", "Judged@10"]


# topics


def test_topics_are_listed_from_the_largest_range_on(at: Path) -> None:
    rows = of(compared(), "topics")
    x = values()
    ranges = x.max(axis=0) - x.min(axis=0)
    assert [row["range"] for row in rows] == sorted(ranges.tolist(), reverse=True)
    first = rows[0]
    t = int(first["topic"]) - 1
    assert (first["best"], first["worst"]) == (x[:, t].max(), x[:, t].min())
    assert (first["best_system"], first["worst_system"]) == (f"s{x[:, t].argmax()}", f"s{x[:, t].argmin()}")


def test_losses_are_the_topics_lost_by_more_than_so_much(at: Path) -> None:
    result = compared(baseline="s3", losses=0.2)
    x = values()
    expected = {(f"s{s}", str(t + 1)) for s in (0, 1, 2, 4) for t in range(TOPICS) if x[s, t] - x[3, t] < -0.2}
    rows = of(result, "losses")
    assert {(row["system"], row["topic"]) for row in rows} == expected
    assert [row["difference"] for row in rows] == sorted(row["difference"] for row in rows)
    (figure,) = [f for f in result.figures if f.name == "topic_differences"]
    assert [mark.at for mark in figure.marks] == [0.0, -0.2]


def test_a_loss_of_just_the_limit_is_not_more_than_it(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("system,topic,measure,score\na,1,AP,0.3\na,2,AP,0.5\nb,1,AP,0.1\nb,2,AP,0.2\n")
    result = irassay.compare(scores=table, baseline="a", losses=0.2, test="sign")
    assert [(row["topic"]) for row in of(result, "losses")] == ["2"]


def test_figures_draw_what_is_there(at: Path) -> None:
    assert {f.name for f in compared().figures} == {"means", "tiers", "topics", "pairs"}
    assert {f.name for f in compared(baseline="s0").figures} == {"means", "topics", "differences", "topic_differences"}


def drawn(result: irassay.Result, name: str) -> list[dict[str, Any]]:
    (figure,) = (figure for figure in result.figures if figure.name == name)
    return figure_rows(figure, result[figure.table]).rows


def middle_level(**more: Any) -> float:
    """A level at which about half of the differences are significant."""
    levels = sorted(row["p_corrected"] for row in of(compared(**more), "pairs"))
    return float(levels[len(levels) // 2])


def test_a_forest_plot_has_the_verdicts_that_the_table_marks_from_the_best_system_on(at: Path) -> None:
    result = compared(baseline="s3", alpha=middle_level(baseline="s3"))
    words = {"↑": "better", "↓": "worse", "": "undecided"}
    expected = {row["system"]: words[row["marker"]] for row in of(result, "comparison")[1:]}
    rows = drawn(result, "differences")
    assert {row["y"]: row["verdict"] for row in rows} == expected
    assert len(set(expected.values())) > 1
    differences = [row["x"] for row in sorted(rows, key=lambda row: int(row["place"]))]
    assert differences == sorted(differences, reverse=True)


def test_the_matrix_of_pairs_decides_what_the_corrected_p_values_do(at: Path) -> None:
    alpha = middle_level()
    result = compared(alpha=alpha)
    cells = {(row["y"], row["x"]): row["verdict"] for row in drawn(result, "pairs")}
    for row in of(result, "pairs"):
        sign = ("better", "worse") if row["difference"] > 0 else ("worse", "better")
        verdicts = sign if row["p_corrected"] < alpha else ("undecided", "undecided")
        assert (cells[row["system_x"], row["system_y"]], cells[row["system_y"], row["system_x"]]) == verdicts
    assert set(cells.values()) == {"better", "worse", "undecided"}


def test_a_result_comes_back_from_its_folder(at: Path, tmp_path: Path) -> None:
    result = compared(baseline="s0", losses=0.9)  # losses: a table without rows
    irassay.save_result(result, tmp_path / "out")
    assert cells(irassay.load_result(tmp_path / "out")) == cells(result)
    assert paper(irassay.load_result(tmp_path / "out")).columns == paper(result).columns


def test_a_geometric_mean_is_compared_by_its_logarithms_and_says_so(at: Path) -> None:
    with pytest.warns(IrassayWarning, match=r"GM\(AP\) is one of AG\(AP\)"):
        result = compared(measures="GM(AP)")
    (row,) = of(result, "comparison", system="s0")
    assert row["measure"] == "AG(AP)"
    assert row["mean"] == pytest.approx(np.log(values()[0] + 1e-5).mean())


def test_counts_are_compared_by_their_means_and_say_so(at: Path) -> None:
    with pytest.warns(IrassayWarning) as met:
        irassay.compare("qrels.txt", "runs", measures="NumRelRet", resamples=SAMPLES)
    assert any("NumRelRet is compared by its mean over topics, not by its sum" in str(w.message) for w in met)


def test_more_pairs_than_memory_holds_are_refused_before_any_work(at: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irassay.compute.memory.ALWAYS", 0)
    monkeypatch.setattr("irassay.compute.memory.free_memory", lambda: 1000.0)
    with pytest.raises(irassay.InputError, match="so many comparisons of pairs need"):
        compared()
