"""`irassay compare`: the table a person pastes into a paper, in Python and on the command line."""

from __future__ import annotations

import csv
import io
import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay import Result
from irassay.ask import comparison as tests
from irassay.ask.corrections import corrected
from irassay.ask.significance import all_pairs, paired
from irassay.cli import run
from irassay.errors import InputError, IrassayWarning
from irassay.studies.compare.view import paper
from irassay.vary.labels import LabelPlan
from irassay.vary.topics import TopicPlan

TOPICS, SAMPLES = 24, 600
TESTS = ("t", "paired-bootstrap", "randomization", "wilcoxon", "sign", "tukey")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five systems of different quality; the last one finds documents that nobody judged."""
    folder = tmp_path_factory.mktemp("collection")
    (folder / "runs").mkdir()
    draw = random.Random(3)
    grades = {(t, d): draw.choice((0, 0, 0, 1, 1, 2)) for t in range(TOPICS) for d in range(40)}
    (folder / "qrels.txt").write_text("".join(f"{t + 1} 0 d{d} {g}\n" for (t, d), g in grades.items()))
    for s in range(5):
        lines = []
        for t in range(TOPICS):
            scores = {f"d{d}": (0.1 + 0.25 * s) * grades[t, d] + draw.gauss(0, 1) for d in range(40)}
            best = sorted(scores, key=lambda d: -scores[d])[:20]
            if s == 4:
                best = [d for pair in zip(best, [f"u{k}" for k in range(20)], strict=True) for d in pair][2:20]
            lines += [f"{t + 1} Q0 {d} {r} {20 - r} s{s}\n" for r, d in enumerate(best, 1)]
        (folder / "runs" / f"s{s}.txt").write_text("".join(lines))
    panel = irassay.align(irassay.read_qrels(folder / "qrels.txt"), irassay.read_runs(folder / "runs"))
    from irassay.report import to_csv

    (folder / "scores.csv").write_bytes(to_csv(panel.score("AP nDCG@10").long()))
    return folder


@pytest.fixture
def at(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(place)
    return place


def compared(**more: Any) -> Result:
    return irassay.compare(**{"scores": "scores.csv", "resamples": SAMPLES, "measures": "AP", **more})


def of(result: Result, table: str, **where: object) -> list[dict[str, Any]]:
    names = result[table].columns
    rows = [dict(zip(names, row, strict=True)) for row in result[table].rows()]
    return [row for row in rows if all(row[key] == value for key, value in where.items())]


def values(measure: str = "AP") -> NDArray[np.float64]:
    return irassay.read_scores("scores.csv")[measure].values


def cells(result: Result) -> dict[str, list[tuple[object, ...]]]:
    return {
        t.name: [tuple(None if isinstance(v, float) and math.isnan(v) else v for v in row) for row in t.rows()]
        for t in result.tables
    }


# numbers


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
        assert [row["p_corrected"] for row in rows] == corrected(expected, "holm").tolist()
        spread = z.std(axis=1, ddof=1)
    assert [row["difference"] for row in rows] == pytest.approx(z.mean(axis=1).tolist(), rel=1e-12)
    assert [row["effect_size"] for row in rows] == pytest.approx((z.mean(axis=1) / spread).tolist(), rel=1e-9)
    for row, d in zip(rows, z, strict=True):
        assert (row["won"], row["lost"], row["tied"]) == ((d > 0).sum(), (d < 0).sum(), (d == 0).sum())


def test_the_default_test_depends_on_the_baseline(at: Path) -> None:
    assert compared().provenance["test"] == "tukey"
    assert compared(baseline="s0").provenance["test"] == "t"
    assert compared(baseline="s0").provenance["correction"] == "holm"
    assert compared().provenance["correction"] == "none"


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


def test_other_intervals_say_that_they_may_disagree_with_the_test(at: Path) -> None:
    assert "may disagree" in compared(test="wilcoxon")["comparison"].caption
    assert "may disagree" in compared(interval="bca")["comparison"].caption


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
    }.get(interval, lambda: intervals.resampled_interval(x, counts, pairs, 0.1, interval))()
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
    assert [row["p_equivalence_corrected"] for row in rows] == corrected(p, "holm").tolist()
    assert "p (within ±0.1)" in paper(compared(equivalence=0.1, baseline="s0")).columns


@pytest.mark.parametrize(
    "settings", [{"test": test} for test in TESTS] + [{"interval": "bca"}, {"interval": "bootstrap-t"}]
)
def test_any_number_of_threads_and_chunks_gives_the_same_bits(
    settings: dict[str, Any], at: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = cells(compared(jobs=1, **settings))
    assert cells(compared(jobs=3, **settings)) == expected
    monkeypatch.setattr("irassay.vary.labels.CHUNK", 41)
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


def test_judged_documents_are_counted_for_runs_and_told_where_a_system_has_clearly_fewer(at: Path) -> None:
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


def test_topics_are_told_from_the_largest_range_on(at: Path) -> None:
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


# for readers


def test_every_number_has_the_digits_its_error_justifies(at: Path) -> None:
    shown = paper(compared(baseline="s1"))
    rows = of(compared(baseline="s1"), "comparison")
    for text, row in zip(shown["mean [95% CI]"], rows, strict=True):
        places = irassay.result.decimals(row["mean_error"])
        assert text == f"{row['mean']:.{places}f} [{row['mean_low']:.{places}f}, {row['mean_high']:.{places}f}]"
    for text, row in list(zip(shown["difference [95% CI]"], rows, strict=True))[1:]:
        assert str(text).startswith(f"{row['difference']:+.{irassay.result.decimals(row['difference_error'])}f} [")
        assert str(text).endswith(row["marker"] or "]")


def test_captions_say_what_may_not_be_read_out_of_the_table(at: Path) -> None:
    for result in (compared(), compared(baseline="s0")):
        assert "Intervals of means do not compare systems on the same topics" in result["comparison"].caption
    assert "not equivalence" in compared()["comparison"].caption
    assert "Holm for 4 comparisons" in compared(baseline="s0")["comparison"].caption
    assert "one may hold 0 where Holm rejects" in compared(baseline="s0")["comparison"].caption
    assert "all pairs at once" in compared()["comparison"].caption


def test_figures_draw_what_is_there(at: Path) -> None:
    assert {f.name for f in compared().figures} == {"means", "topics", "pairs"}
    assert {f.name for f in compared(baseline="s0").figures} == {"means", "topics", "differences", "topic_differences"}


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


# the command line


def command(capture: Any, *arguments: str) -> tuple[str, str]:
    capture.readouterr()
    status = run(["compare", "--scores", "scores.csv", "-m", "AP", "--resamples", str(SAMPLES), *arguments])
    out, err = capture.readouterr()
    assert status == 0, err
    return out, err


def test_the_screen_shows_the_comparison_and_the_topics(at: Path, capsys: Any) -> None:
    out, err = command(capsys, "--baseline", "s0", "--losses", "0.99")
    assert "mean [95% CI]" in out
    assert "difference [95% CI]" in out
    assert "p (holm)" in out
    assert "No topic is lost to s0 by more than 0.99" in out
    assert "the first 5" in out
    assert "Not shown: pairs, topic_differences" in err
    out, err = command(capsys)
    assert "letters" in out
    assert "share_first" in out
    assert "x - y [95% CI]" in out  # all pairs of a few systems
    assert err == "Not shown: more of topics (saved with --out DIR, printed with --format json)\n"


@pytest.mark.parametrize("form", ["latex", "markdown", "csv"])
def test_the_table_alone_to_paste(form: str, at: Path, capsys: Any) -> None:
    out, err = command(capsys, "--baseline", "s0", f"--{form}")
    assert (out, err) == command(capsys, "--baseline", "s0", "--format", form)
    assert err == ""
    if form == "latex":
        assert "\\begin{tabular}" in out
        assert "$-$" in out or "$\\uparrow$" in out
    elif form == "markdown":
        assert out.count("\n| ") == 7
    else:
        rows = list(csv.DictReader(io.StringIO(out)))
        expected = of(compared(baseline="s0"), "comparison")
        assert [float(row["mean"]) for row in rows] == [row["mean"] for row in expected]  # unrounded
        assert rows[0]["difference"] == ""
    assert "topics where" not in out


def test_json_holds_every_table(at: Path, capsys: Any) -> None:
    content = json.loads(command(capsys, "--baseline", "s0", "--format", "json")[0])
    assert set(content) == {"provenance", "comparison", "pairs", "topics", "topic_differences"}


def test_the_baseline_stays_whatever_is_selected(at: Path) -> None:
    best = compared(top=2).provenance["systems"]
    assert "s0" not in best  # type: ignore[operator]
    assert compared(top=2, baseline="s0").provenance["systems"] == ["s0", *best]  # type: ignore[misc]


# what cannot be compared


class Refused:
    def __init__(self, capture: Any) -> None:
        self.capture = capture

    def __call__(self, *arguments: str, study: str = "compare") -> str:
        self.capture.readouterr()
        status = run([study, *(() if "--scores" in arguments else ("--scores", "scores.csv")), *arguments])
        out, err = self.capture.readouterr()
        assert (status, out) == (2, ""), err
        assert "\n\nhint: " in err
        return str(err)


@pytest.fixture
def refused(capsys: Any, at: Path) -> Refused:
    return Refused(capsys)


def test_an_unknown_baseline_gets_a_suggestion(refused: Refused) -> None:
    assert "there is no system 's11'" in (err := refused("--baseline", "s11"))
    assert "hint: one is called s1" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--test", "tukey", "--correction", "holm"], "takes no further correction"),
        (["--alpha", "0"], "alpha is 0"),
        (["--alpha", "1.5"], "alpha is 1.5"),
        (["--confidence", "1"], "confidence is 1"),
        (["--confidence", "nan"], "confidence is nan"),
        (["--losses", "0.1"], "--losses are topics lost to a baseline"),
        (["--baseline", "s0", "--losses", "nan"], "--losses is nan"),
        (["--equivalence", "0"], "margin of 0"),
        (["--resamples", "19"], "--resamples 20 "),
        (["--test", "paired-bootstrap", "--resamples", "199"], "--resamples 200 "),
        (["--test", "randomization", "--correction", "bonferroni", "--resamples", "150"], "--resamples 200 "),
        (["--test", "t", "--interval", "bootstrap-t", "--resamples", "150"], "--resamples 200 "),
        (["--test", "t", "--interval", "bca", "--resamples", "399"], "--resamples 400 "),
        (["--test", "randomization", "--topics", "1-5"], "5 topics are too few"),
        (["--topics", "3"], "one topic only"),
        (["--top", "1"], "top"),
        (["-m", "AREA(AP)"], "has no value per topic"),
        (["-m", "RR"], "no scores of RR"),
    ],
)
def test_what_cannot_be_done_is_told_with_a_way_out(arguments: list[str], said: str, refused: Refused) -> None:
    assert said in refused(*arguments)


def test_one_system_is_no_comparison(refused: Refused, tmp_path: Path) -> None:
    table = tmp_path / "one.csv"
    table.write_text("system,topic,measure,score\na,1,AP,0.3\na,2,AP,0.5\n")
    assert "one system only" in refused("--scores", str(table))


def test_scores_that_are_missing_or_no_numbers(refused: Refused, tmp_path: Path) -> None:
    table = tmp_path / "odd.csv"
    table.write_text("system,topic,measure,score\na,1,AP,0.3\na,2,AP,0.5\nb,1,AP,0.3\n")
    assert "1 of 4 scores of AP are missing" in refused("--scores", str(table))
    table.write_text("system,topic,measure,score\na,1,AP,0.3\na,2,AP,0.5\nb,1,AP,0.3\nb,2,AP,nan\n")
    assert "odd.csv:5" in refused("--scores", str(table))


@pytest.mark.parametrize("test", TESTS)
def test_identical_systems_are_compared_without_a_verdict(test: str, tmp_path: Path) -> None:
    table = tmp_path / "same.csv"
    rows = [f"{s},{t},AP,0.{t % 7 + 1}" for s in "ab" for t in range(20)]
    table.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    for baseline in (None, "a"):
        (pair,) = of(irassay.compare(scores=table, test=test, baseline=baseline, resamples=200), "pairs")
        assert pair["p_corrected"] == 1.0
        assert (pair["difference"], pair["tied"]) == (0.0, 20)
        assert pair["low"] <= 0.0 <= pair["high"]
        assert math.isnan(pair["effect_size"])


def test_python_refuses_what_the_command_line_refuses(at: Path) -> None:
    for settings in ({"test": "anova"}, {"correction": "sidak", "test": "t"}, {"interval": "bayes"}, {"alpha": 2.0}):
        with pytest.raises(InputError) as caught:
            compared(**settings)
        assert caught.value.hint
