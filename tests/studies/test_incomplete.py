"""Fewer judgments: golden reductions, nested sets, and what the study says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import irassay
from irassay import demo
from irassay.panel.grades import UNPOOLED
from irassay.scoring.lanes import LANES
from irassay.studies.execution import run_study
from irassay.studies.incomplete.settings import Incomplete
from irassay.vary._judgment_draws import take_judgments
from irassay.vary.judgments import LEAST_NONRELEVANT, LEAST_RELEVANT, JudgmentLanes, remaining
from tests.helpers.golden import golden

REDUCTION = golden("methods")["reduction"]
NAMES = {
    "AP": "AP", "AP'": "AP'", "Q": "Q", "Q'": "Q'", "nDCG": "nDCG(dcg='jk')@1000", "nDCG'": "nDCG'(dcg='jk')@1000",
    "bpref": "Bpref", "bpref_R": "BprefR", "bpref_N": "BprefN", "RBP.95": "RBP(p=0.95)", "RBP.8": "RBP(p=0.8)",
}  # fmt: skip
MODEL = demo.Model(systems=8, groups=3, null_pairs=1, depth=100, documents=5000, pool_depth=50, seed=2)


@pytest.mark.parametrize("rate", REDUCTION["by_rate"])
def test_a_reduced_topic_matches_golden(rate: str) -> None:
    run = {document: -float(r) for r, document in enumerate(REDUCTION["run"])}
    panel = irassay.align({"1": REDUCTION["qrel"]}, {"s": {"1": run}})
    place = {document: code for code, document in enumerate(panel.documents("1"))}
    grade = panel.grade.copy()
    judged = np.ones(len(grade) * LANES, dtype=np.uint8)
    for key, least in (("rel_order", LEAST_RELEVANT), ("nonrel_order", LEAST_NONRELEVANT)):
        entries = np.array([place[d] for d in REDUCTION[key]])
        keys = np.tile(np.arange(len(entries), dtype=np.uint64), (LANES, 1))
        last = remaining(len(entries), np.full(LANES, int(rate)), least) - 1
        take_judgments(judged, entries, keys, last.astype(np.uint64))
    grade[(judged[::LANES] == 0)] = UNPOOLED
    expected = REDUCTION["by_rate"][rate]
    reduced = replace(panel, grade=grade)
    assert reduced.judged_counts()[0].tolist() == [
        expected["N"],
        *(expected["R_by_level"].get(str(g), 0) for g in (1, 2, 3)),
    ]
    assert sorted(d for d, code in place.items() if grade[code] >= 0) == sorted(expected["judged"])
    scores = reduced.score(list(NAMES.values()))
    found = {key: float(scores[str(irassay.parse(name)[0])].values[0, 0]) for key, name in NAMES.items()}
    assert found == pytest.approx({key: expected[key] for key in NAMES}, rel=1e-12)


@pytest.mark.parametrize(("count", "rate", "least", "left"), [(57, 70, 1, 39), (1, 10, 1, 1), (5, 10, 10, 5), (30, 10, 10, 10), (0, 50, 1, 0)])  # fmt: skip  # noqa: E501
def test_what_remains_is_counted_in_whole_numbers(count: int, rate: int, least: int, left: int) -> None:
    assert remaining(count, np.array([rate]), least).tolist() == [left]


def test_smaller_sets_lie_inside_larger_ones_and_keep_their_grades() -> None:
    panel = demo.panel_of(MODEL, range(6))
    lanes = JudgmentLanes(3, [(0, 90), (0, 50), (0, 10)])
    by_rate = {rate: lanes.grades(panel, k) for k, (_, rate) in enumerate(lanes.reductions)}
    before = panel.grade
    for rate in (90, 50, 10):
        kept = by_rate[rate] >= 0
        assert np.array_equal(by_rate[rate][kept], before[kept])
        assert (before[kept] >= 0).all()
        before = by_rate[rate]


def test_adding_a_run_or_a_topic_moves_no_reduction() -> None:
    def judged(systems: int, topics: list[int]) -> dict[str, set[str]]:
        qrels = {str(t): {f"d{n}": n % 3 for n in range(60)} for t in topics}
        runs = {f"s{k}": {str(t): {f"d{k}": 1.0, f"x{k}": 0.5} for t in topics} for k in range(systems)}
        panel = irassay.align(qrels, runs)
        grade = JudgmentLanes(1, [(0, 30)]).grades(panel, 0)
        return {
            topic: {
                d
                for d, g in zip(panel.documents(topic), grade[panel.pool[t] : panel.pool[t + 1]], strict=True)
                if g >= 0
            }
            for t, topic in enumerate(panel.topics)
        }

    few = judged(1, [1, 2])
    assert few["1"] == judged(5, [1])["1"]
    assert few["1"] != few["2"]


def test_other_trials_and_seeds_take_other_judgments_away() -> None:
    panel = demo.panel_of(MODEL, range(3))
    one, two = (JudgmentLanes(0, [(0, 50), (1, 50)]).grades(panel, k) for k in (0, 1))
    three = JudgmentLanes(1, [(0, 50)]).grades(panel, 0)
    assert not np.array_equal(one, two)
    assert not np.array_equal(one, three)
    assert np.array_equal(one, JudgmentLanes(0, [(0, 90), (0, 50)]).grades(panel, 1))


def test_trials_far_apart_or_past_the_first_65536_are_those_of_each_alone() -> None:
    panel = demo.panel_of(MODEL, range(2))
    reductions = [(trial, rate) for trial in range(65530, 65545) for rate in (70, 30)] + [(2, 40)]
    lanes = JudgmentLanes(0, reductions)
    for k, one in enumerate(reductions):
        assert np.array_equal(lanes.grades(panel, k), JudgmentLanes(0, [one]).grades(panel, 0))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "c"
    demo.write(MODEL, folder, topics=range(12))
    return folder


def test_the_study_says_what_each_rate_does(files: Path, tmp_path: Path) -> None:
    study = Incomplete(
        measures=("AP AP' BprefR",), rates="50,10", trials=2, resamples=100, groups=str(files / "groups.txt"),
        one_per_group=True, sample_systems=5, write_qrels=str(tmp_path / "reduced"),
    )  # fmt: skip
    result = run_study(study, files / "qrels.txt", files / "runs")
    rows = list(
        zip(
            *(result["incomplete"][c] for c in ("rate", "trial", "measure", "tau_with_full", "inconsistent")),
            strict=True,
        )
    )
    assert len(rows) == 3 + 3 * 2 * 2
    assert [row[3:] for row in rows[:3]] == [(1.0, 0)] * 3
    systems = result["systems"]
    assert sum(systems["in_power"]) == 4
    assert sum(systems["in_tau"]) == 5
    assert set(result["trials"]["what"]) == {
        "mean_score",
        "discriminative_power",
        "estimated_difference",
        "tau_with_full",
    }
    # from all judgments down; the trials have no row of all judgments
    limits = {figure.name: figure.limits["x"] for figure in result.figures}
    assert limits["tau_with_full"] == limits["mean_score"] == (100, 10)
    assert limits["tau_with_full_trials"] == (50, 10)
    # the written judgments give the same scores through any tool
    written = irassay.align(tmp_path / "reduced" / "qrels-10-trial2.txt", files / "runs")
    ranked = [
        i for i, inside in enumerate(systems["in_tau"]) if inside
    ]  # the paper averages over the runs that it ranks (Figs 3 and 4)
    mean = float(written.score("AP")["AP"].means()[ranked].mean())
    stated = next(
        row[3]
        for row in zip(*(result["incomplete"][c] for c in ("rate", "trial", "measure", "mean_score")), strict=True)
        if row[:3] == (10, 1, "AP")
    )  # fmt: skip
    assert mean == pytest.approx(stated, rel=1e-12)


@pytest.mark.parametrize("rates", ["", "x", "0", "100", "50,50", "150"])
def test_rates_that_are_no_per_cents_are_refused(rates: str, files: Path) -> None:
    with pytest.raises(irassay.InputError, match="rates"):
        run_study(Incomplete(rates=rates), files / "qrels.txt", files / "runs")


def test_one_per_group_without_groups_is_refused(files: Path) -> None:
    with pytest.raises(irassay.InputError, match="needs groups"):
        run_study(Incomplete(one_per_group=True), files / "qrels.txt", files / "runs")
