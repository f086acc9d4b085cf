"""`irassay compare --topic-groups`: against statsmodels and scipy, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from irassay.ask.methods import CORRECTIONS
from irassay.cli import run
from irassay.errors import InputError
from tests.helpers.comparisons import TOPICS, compared, values
from tests.helpers.sampled_studies import of

pd: Any = pytest.importorskip("pandas")
formula: Any = pytest.importorskip("statsmodels.formula.api")
anova: Any = pytest.importorskip("statsmodels.stats.anova")

NAMES = ["long" if t < 5 else "short" if t % 3 else "odd" for t in range(TOPICS)]


@pytest.fixture
def at(comparison_place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(comparison_place)
    return comparison_place


@pytest.fixture
def file(at: Path, tmp_path: Path) -> Path:
    return write(tmp_path / "groups.txt", [f"{t + 1} {name}" for t, name in enumerate(NAMES)])


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def members(name: str) -> list[int]:
    return [t for t in range(TOPICS) if NAMES[t] == name]


def test_scores_are_the_means_of_each_group(file: Path) -> None:
    rows = of(compared(topic_groups=str(file)), "groups")
    assert [row["group"] for row in rows] == ["long"] * 5 + ["short"] * 5 + ["odd"] * 5
    for row in rows:
        x = values()[int(row["system"][1:]), members(row["group"])]
        assert row["topics"] == len(x)
        assert [row["mean"], row["mean_error"]] == pytest.approx([x.mean(), stats.sem(x)], rel=1e-9)
        expected = stats.ttest_1samp(x, 0).confidence_interval(0.95)
        assert [row["mean_low"], row["mean_high"]] == pytest.approx(list(expected), rel=1e-9)


@pytest.mark.parametrize("correction", ["holm", "none", "bh"])
def test_differences_are_tested_in_each_group_as_one_family(correction: str, file: Path) -> None:
    rows = of(compared(topic_groups=str(file), baseline="s1", correction=correction), "group_differences")
    assert len(rows) == 12
    p = []
    for row in rows:
        x, y = (values()[int(row[side][1:]), members(row["group"])] for side in ("system_x", "system_y"))
        assert row["difference"] == pytest.approx((x - y).mean(), rel=1e-9)
        p.append(stats.ttest_rel(x, y).pvalue)
    assert [row["p_value"] for row in rows] == pytest.approx(p, rel=1e-9)
    adjusted = CORRECTIONS[correction].adjust(np.array(p))
    assert [row["p_corrected"] for row in rows] == pytest.approx(adjusted.tolist(), rel=1e-9)


@pytest.mark.filterwarnings("ignore:The design matrix is rank-deficient")  # topics hold their groups' own effects
def test_the_interaction_of_all_systems_agrees_with_statsmodels(file: Path) -> None:
    (row,) = [row for row in of(compared(topic_groups=str(file)), "group_interaction") if row["system_x"] is None]
    systems, topics = np.indices((5, TOPICS))
    data = pd.DataFrame({"score": values().ravel(), "system": systems.ravel(), "topic": topics.ravel()})
    data["group"] = [NAMES[t] for t in data.topic]
    small = formula.ols("score ~ C(system) + C(topic)", data).fit()
    large = formula.ols("score ~ C(system) + C(topic) + C(system):C(group)", data).fit()
    expected = anova.anova_lm(small, large).iloc[1]
    assert row["df"] == expected["df_diff"] == 8
    assert row["df_error"] == expected["df_resid"] == 84
    assert [row["f"], row["p_value"]] == pytest.approx([expected["F"], expected["Pr(>F)"]], rel=1e-8)


def test_the_interaction_of_a_pair_is_a_one_way_analysis_of_its_differences(file: Path) -> None:
    pairs = of(compared(topic_groups=str(file), baseline="s2"), "group_interaction")[1:]
    p = []
    for row in pairs:
        z = values()[int(row["system_x"][1:])] - values()[2]
        expected = stats.f_oneway(*(z[members(name)] for name in ("long", "odd", "short")))
        assert [row["f"], row["p_value"]] == pytest.approx([expected.statistic, expected.pvalue], rel=1e-8)
        p.append(expected.pvalue)
    assert [row["p_corrected"] for row in pairs] == pytest.approx(CORRECTIONS["holm"].adjust(np.array(p)).tolist())


def test_other_tables_are_the_same_with_groups(file: Path) -> None:
    without, with_groups = compared(), compared(topic_groups=str(file))
    assert all(repr(of(without, table.name)) == repr(of(with_groups, table.name)) for table in without.tables)
    assert "Do differences depend on the group of topics" in " ".join(with_groups.findings)


def test_a_group_of_one_topic_has_a_mean_and_no_test(at: Path, tmp_path: Path) -> None:
    file = write(tmp_path / "g", [f"{t + 1} {'single' if t == 0 else 'many'}" for t in range(TOPICS)])
    result = compared(topic_groups=str(file), baseline="s0")
    single = [row for row in of(result, "group_differences") if row["group"] == "single"]
    assert all(math.isnan(row["p_corrected"]) and math.isnan(row["low"]) for row in single)
    many = [row["p_value"] for row in of(result, "group_differences") if row["group"] == "many"]
    corrected = [row["p_corrected"] for row in of(result, "group_differences") if row["group"] == "many"]
    assert corrected == CORRECTIONS["holm"].adjust(np.array(many)).tolist()


def test_a_file_may_name_topics_that_were_left_out(file: Path) -> None:
    assert compared(topic_groups=str(file), topics="1-12").provenance["topic_groups"] == ["long", "short", "odd"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: [*lines, "77 long"], "groups.txt:25: there is no topic 77"),
        (lambda lines: lines[:-1], "groups.txt: topic 24 has no group"),
        (lambda lines: lines[:3], "and 16 more topics"),
        (lambda lines: ["1", *lines[1:]], "groups.txt:1: expected 2 columns (topic group), found 1"),
        (lambda lines: [*lines, "1 odd"], "groups.txt:25: topic 1 is in group long and in odd"),
        (lambda lines: [f"{line.split()[0]} g" for line in lines], "all topics are in one group"),
        (lambda lines: [f"{line.split()[0]} {line.split()[0]}" for line in lines], "every topic is a group of its own"),
        (lambda _: ["# none"], "the file names no group"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_place(change: Any, said: str, file: Path) -> None:
    write(file, change(file.read_text().splitlines()))
    with pytest.raises(InputError) as caught:
        compared(topic_groups=str(file))
    assert said in str(caught.value)
    assert caught.value.hint


def test_the_command_shows_the_groups_and_the_interaction(file: Path, capsys: Any) -> None:
    assert run(["compare", "--scores", "scores.csv", "-m", "AP", "--topic-groups", str(file)]) == 0
    out, err = capsys.readouterr()
    assert "Mean scores in each group of topics" in out
    assert "Do differences depend on the group of topics?" in out
    assert "AP yes (F(8, 84) = " in out or "AP not shown (F(8, 84) = " in out
    assert "group_differences" in err
