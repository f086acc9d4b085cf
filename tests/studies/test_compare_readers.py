"""`irassay compare` for readers: digits, captions and the sentences that must stand beside p-values."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irassay
from irassay.ask.anova import two_way
from irassay.report import to_latex, to_markdown, to_terminal
from irassay.studies.compare.view import pairs, paper
from tests.helpers.comparisons import compared, values
from tests.helpers.sampled_studies import of


@pytest.fixture
def at(comparison_place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(comparison_place)
    return comparison_place


@pytest.mark.parametrize("digits", [None, 1])
def test_all_numbers_of_a_column_have_the_digits_that_its_smallest_error_justifies(
    digits: int | None, at: Path
) -> None:
    shown = paper(compared(baseline="s1", digits=digits))
    rows = of(compared(baseline="s1"), "comparison")
    places = digits or irassay.result.decimals(min(row["mean_error"] for row in rows))
    for text, row in zip(shown["mean [95% CI]"], rows, strict=True):
        assert text == f"{row['mean']:.{places}f} [{row['mean_low']:.{places}f}, {row['mean_high']:.{places}f}]"
    places = digits or irassay.result.decimals(min(row["difference_error"] for row in rows[1:]))
    for text, row in list(zip(shown["difference [95% CI]"], rows, strict=True))[1:]:
        assert str(text).startswith(f"{row['difference']:+.{places}f} [{row['low']:+.{places}f}, ")
        assert str(text).endswith(row["marker"] or "]")


def test_a_bound_that_is_not_0_is_not_shown_as_0(tmp_path: Path) -> None:
    # the standard error of the differences is 0.1581, and the lower bound 0.001
    table, z = tmp_path / "scores.csv", np.array([-1, -1, 0, 1, 1]) * 0.5 / math.sqrt(2.0)
    z += 0.001 + stats.t.isf(0.025, 4) * z.std(ddof=1) / math.sqrt(5)
    rows = [f"a,{t},X,{value!r}\nb,{t},X,0.0" for t, value in enumerate(z.tolist())]
    table.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    (cell,) = pairs(irassay.compare(scores=table, measures="X"))["difference [95% CI]"]
    assert str(cell) == "+0.440 [+0.001, +0.879]"


def test_captions_say_what_may_not_be_read_out_of_the_table(at: Path) -> None:
    for result in (compared(), compared(baseline="s0")):
        assert "Intervals of means do not compare systems on the same topics" in result["comparison"].caption
    assert "not equivalence" in compared()["comparison"].caption
    assert "Holm for 4 comparisons" in compared(baseline="s0")["comparison"].caption
    assert "one may hold 0 where Holm rejects" in compared(baseline="s0")["comparison"].caption
    assert "all pairs at once" in compared(test="tukey")["comparison"].caption
    letters = compared()["comparison"].caption
    assert "Ranks: those not excluded by the tests" in letters
    assert "no probability of being best" in letters


@pytest.mark.parametrize(("test", "note"), [("wilcoxon", "Wilcoxon's p-values"), ("sign", "The sign test's p-values")])
@pytest.mark.parametrize("baseline", [None, "s0"])
def test_wilcoxon_and_sign_say_everywhere_that_they_test_no_mean_difference(
    test: str, note: str, baseline: str | None, at: Path
) -> None:
    result = compared(test=test, baseline=baseline)
    captions = [result[name].caption for name in ("comparison", "pairs")]
    captions += [to_latex(paper(result)), to_markdown(paper(result)), to_terminal([paper(result)], tty=False)]
    captions += [figure.caption for figure in result.figures if figure.name == "pairs"]
    for text in (*captions, " ".join(result.findings)):
        assert f"{note} test no mean difference" in text.replace("\n", " ")
    assert "no mean difference" not in compared(baseline=baseline)["comparison"].caption


@pytest.mark.parametrize("baseline", [None, "s0"])
def test_the_analysis_of_variance_stands_in_a_table_of_its_own_with_what_it_assumes(
    baseline: str | None, at: Path
) -> None:
    result = compared(baseline=baseline, measures="AP nDCG@10")
    for measure in ("AP", "nDCG@10"):
        rows = of(result, "anova", measure=measure)
        assert [row["source"] for row in rows] == ["systems", "topics", "residual", "total"]
        assert [row["df"] for row in rows] == [4, 23, 92, 119]
        assert [row["f"] for row in rows[:2]] == pytest.approx(
            [row.f for row in two_way(values(measure))[:2]], rel=1e-9
        )
    assert "independent and normal with one variance" in result["anova"].caption
    assert "anova" in result.details
