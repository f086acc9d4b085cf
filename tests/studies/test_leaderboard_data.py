"""What `irassay leaderboard` takes: missing results, measures and scales, collections files, Python, errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irassay
from irassay.cli import run
from irassay.report.text import undefined
from irassay.scoring.scores import Scores
from tests.helpers.leaderboards import SYSTEMS, collections, column, leaderboard, means, refusal


def with_gap(parts: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    gap = {name: dict(scores) for name, scores in parts.items()}
    del gap["C1"]["c"]
    return gap


def test_missing_results_are_never_silent() -> None:
    data = with_gap(means(collections(4)))
    error = refusal(data)
    assert "1 of 20 results are missing, the first that of c on C1" in error.what
    assert "--missing drop-systems" in error.hint
    fewer = leaderboard(data, "missing-results", "no-topics", missing="drop-systems")
    assert "c" not in column(fewer, "system")
    fewer = leaderboard(data, "missing-results", "no-topics", missing="drop-collections")
    assert column(fewer, "collection", "collections") == ["C0", "C2", "C3"]
    assert "left out: 1 collection: C1" in str(fewer.warnings[0])


def test_bounds_are_the_hull_of_ranks_over_the_worst_and_the_best_fill_in() -> None:
    data = {"X": {"a": 0.9, "b": 0.5, "c": 0.1}, "Y": {"a": 0.5, "b": 0.6}}
    result = leaderboard(data, "missing-results", "no-topics", missing="bounds")
    rows = {row[0]: row for row in result["leaderboard"].rows()}
    names = list(result["leaderboard"].columns)
    # c is between (.1 + .5)/2 and (.1 + .6)/2, always below b with .55
    low, high = names.index("rank_low"), names.index("rank_high")
    assert [(rows[s][low], rows[s][high]) for s in "abc"] == [(1, 1), (2, 2), (3, 3)]
    assert undefined(rows["c"][names.index("mean")])
    assert rows["c"][names.index("mean_low")] == pytest.approx(0.3)
    assert rows["c"][names.index("mean_high")] == pytest.approx(0.35)
    data["Y"]["b"], data["X"]["b"] = 0.3, 0.3  # now (.3 + .3)/2, which c may reach or pass
    data["Y"]["a"] = 0.9
    result = leaderboard(data, "missing-results", "no-topics", missing="bounds")
    rows = {row[0]: row for row in result["leaderboard"].rows()}
    assert [(rows[s][low], rows[s][high]) for s in "abc"] == [(1, 1), (2, 3), (2, 3)]


def test_bounds_with_topics_allow_for_both_missing_results_and_topics() -> None:
    parts = collections(4)
    whole = leaderboard(parts)
    gap = dict(parts)
    gap["C1"] = parts["C1"].select(systems=("a", "b", "d", "e"))
    bounded = leaderboard(gap, "missing-results", missing="bounds")
    ranks: list[dict[Any, tuple[Any, Any]]] = [
        {row[0]: (row[7], row[8]) for row in result["leaderboard"].rows()} for result in (whole, bounded)
    ]
    for name in SYSTEMS:
        assert ranks[1][name][0] <= ranks[0][name][0]
        assert ranks[1][name][1] >= ranks[0][name][1]
    assert column(bounded, "collections", "pairs")[1] == 3  # a and c have three in common


def test_bounds_are_for_fixed_collections() -> None:
    assert "--tasks fixed" in refusal(with_gap(means(collections(6))), missing="bounds", tasks="random").hint


def test_collections_with_different_measures_are_told_and_can_be_standardised() -> None:
    parts = collections(3)
    data = {**parts, "other": Scores(("RR",), SYSTEMS, ("1", "2"), np.random.default_rng(0).random((5, 2)))}
    result = leaderboard(data, "different-measures")
    assert any("scored by 2 measures, AP and RR: their mean has no unit" in one for one in result.findings)
    result = leaderboard(data, "different-measures", standardise=True)
    scores = np.stack([part.means() for part in data.values()], axis=1)
    z = stats.zscore(scores, axis=0, ddof=1).mean(axis=1)
    place = [SYSTEMS.index(name) for name in column(result, "system")]
    np.testing.assert_allclose(column(result, "mean"), z[place], rtol=1e-9)
    assert "standardised" in result["leaderboard"].caption


def test_percentages_beside_fractions_are_an_error_in_one_collection_and_said_of_several() -> None:
    data = means(collections(2))
    data["C0"] = {name: 100 * score for name, score in data["C0"].items()}
    leaderboard(data, "mixed-scales", "no-topics")
    data["C0"]["a"] /= 100
    error = refusal(data)
    assert "percentages and fractions are mixed: a has 0." in error.what
    assert (error.where, error.hint) == ("collection C0", "divide the percentages by 100")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"families": "x"}, "--families is for collections taken as a random sample"),
        ({"test": "sign"}, "--test is for collections taken as a random sample"),
        ({"alpha": 0.0}, "alpha is 0"),
        ({"tasks": "all"}, "there is no kind of tasks 'all'"),
        ({"missing": "zero"}, "there is no way with missing results 'zero'"),
        ({"tasks": "random", "test": "tukey"}, "there is no test over collections 'tukey'"),
        ({"resamples": 19}, "19 resamples cannot show"),
        ({"measures": ("AP", "RR")}, "a leaderboard is of one measure"),
        ({"measures": "RR"}, "no scores of RR"),
    ],
)
def test_options_that_cannot_be_are_errors(options: dict[str, Any], what: str) -> None:
    assert what in refusal(collections(2), **options).what


def test_one_collection_or_one_system_is_no_leaderboard() -> None:
    assert "there is one collection only: C0" in refusal(collections(1)).what
    assert "there is one system only: a" in refusal({"X": {"a": 1.0}, "Y": {"a": 0.5}}).what
    assert "there is nothing to rank" in refusal(None).what


def test_a_system_that_misses_topics_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("collection,topic,a,b\nX,1,0.5,0.25\nX,2,0.5,\nY,1,1,1\nY,2,1,1\n")
    error = refusal(str(path))
    assert "1 scores of topics are missing, the first for b on topic 2" in error.what
    assert error.where == "collection X"


def test_runs_of_a_collections_file_are_scored_and_ranked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ['measures = "AP"\n']
    for k, seed in enumerate((1, 2)):
        folder = tmp_path / f"c{k}"
        size = ("--systems", "4", "--topics", "8", "--depth", "20")
        assert run(["demo-data", "--out", str(folder), *size, "--seed", str(seed)]) == 0
        lines.append(f'[[collection]]\nname = "C{k}"\nqrels = "c{k}/qrels.txt"\nruns = "c{k}/runs"\n')
    file = tmp_path / "irassay.toml"
    file.write_text("".join(lines))
    result = leaderboard(str(file))
    expected = np.mean(
        [
            irassay.align(str(tmp_path / f"c{k}/qrels.txt"), str(tmp_path / f"c{k}/runs"), unanswerable="drop")
            .score("AP")
            .means()[0]
            for k in range(2)
        ],
        axis=0,
    )
    assert sorted(column(result, "mean")) == pytest.approx(sorted(expected.tolist()))
    assert column(result, "topics", "collections") == [8, 8]
    capsys.readouterr()
    assert run(["leaderboard", str(file), "--tasks", "weights"]) == 0
    assert "sensitivity, not confidence" in capsys.readouterr().out


def test_python_takes_collections_frames_and_panels(tmp_path: Path) -> None:
    for seed in (1, 2):
        size = ("--systems", "3", "--topics", "6", "--depth", "20")
        assert run(["demo-data", "--out", str(tmp_path / str(seed)), *size, "--seed", str(seed)]) == 0
    paths = {
        str(seed): (str(tmp_path / str(seed) / "qrels.txt"), str(tmp_path / str(seed) / "runs")) for seed in (1, 2)
    }
    several = [irassay.Collection(name=name, qrels=qrels, runs=runs) for name, (qrels, runs) in paths.items()]
    whole = leaderboard(several, measures="AP")
    panels = {name: irassay.align(*path, unanswerable="drop") for name, path in paths.items()}
    assert column(whole, "mean") == pytest.approx(column(leaderboard(panels, measures="AP"), "mean"), rel=1e-12)
    polars = pytest.importorskip("polars")
    rows = [
        {"collection": name, "topic": topic, "system": system, "score": score}
        for name, panel in panels.items()
        for system, scores in zip(panel.systems, panel.score("AP").values[0], strict=True)
        for topic, score in zip(panel.topics, scores.tolist(), strict=True)
    ]
    framed = leaderboard(polars.DataFrame(rows))
    assert column(framed, "mean_low") == pytest.approx(column(whole, "mean_low"), rel=1e-9)


def test_an_option_for_all_collections_cannot_differ_between_them() -> None:
    part = collections(1)["C0"]
    several = [irassay.Collection(name=name, qrels=part, options={"tasks": name}) for name in ("fixed", "weights")]
    assert "'tasks' is one option for all collections" in refusal(several).what


def test_the_command_prints_a_table_for_a_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.csv"
    path.write_text("model,X,Y\na,0.5,0.25\nb,0.75,1\n")
    assert run(["leaderboard", "--scores", str(path), "--latex"]) == 0
    output = capsys.readouterr()
    assert "\\toprule" in output.out
    assert "there is one score for each collection" in output.err
    assert run(["leaderboard", str(path), "--format", "json"]) == 0
    assert '"win_matrix"' in capsys.readouterr().out
    assert run(["leaderboard", str(path), "--tasks", "random"]) == 2
    assert "a random sample of them needs 6" in capsys.readouterr().err
