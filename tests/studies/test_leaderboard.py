"""`irassay leaderboard`: the three kinds of tasks, missing results, families, measures, and what is said of each."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import irassay
from irassay.cli import run
from irassay.errors import InputError, IrassayWarning
from irassay.report.text import undefined
from irassay.result import Result
from irassay.scoring.scores import Scores

Array = NDArray[np.float64]
SYSTEMS = ("a", "b", "c", "d", "e")
STRENGTH = np.array([0.5, 0.49, 0.4, 0.3, 0.29])


def collections(count: int, topics: int = 30, seed: int = 0) -> dict[str, Scores]:
    """Scores per topic of five systems, a the best; collections differ in how hard they are."""
    rng = np.random.default_rng(seed)
    return {
        f"C{k}": Scores(
            ("AP",),
            SYSTEMS,
            tuple(map(str, range(topics))),
            STRENGTH[:, None]
            + 0.1 * rng.standard_normal((5, topics))
            + 0.1 * rng.standard_normal(topics)
            + 0.05 * k / 8,
        )
        for k in range(count)
    }


def means(parts: dict[str, Scores]) -> dict[str, dict[str, float]]:
    return {name: dict(zip(SYSTEMS, part.means().tolist(), strict=True)) for name, part in parts.items()}


def leaderboard(data: Any, *expected: str, **options: Any) -> Result:
    """The result, whose warnings have just these codes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IrassayWarning)
        result = irassay.leaderboard(data, **options)
    assert [warning.code for warning in result.warnings] == list(expected)
    return result


def column(result: Result, name: str, table: str = "leaderboard") -> list[Any]:
    return list(result[table][name])


def refusal(data: Any, **options: Any) -> InputError:
    warnings.simplefilter("ignore", IrassayWarning)  # pytest restores the filters
    with pytest.raises(InputError) as caught:
        irassay.leaderboard(data, **options)
    return caught.value


def test_fixed_tasks_have_welchs_intervals_over_the_topics_of_these_collections() -> None:
    parts = collections(3)
    result = leaderboard(parts)
    values = np.stack([part.values for part in parts.values()])  # [collections, systems, topics]
    each = values.var(axis=2, ddof=1) / 30 / 9
    freedom = each.sum(axis=0) ** 2 / (each**2 / 29).sum(axis=0)
    half = stats.t.isf(0.025, freedom) * np.sqrt(each.sum(axis=0))
    place = [SYSTEMS.index(name) for name in column(result, "system")]
    mean = values.mean(axis=(0, 2))
    np.testing.assert_allclose(column(result, "mean"), mean[place], rtol=1e-12)
    np.testing.assert_allclose(column(result, "mean_low"), (mean - half)[place], rtol=1e-9)
    np.testing.assert_allclose(column(result, "mean_high"), (mean + half)[place], rtol=1e-9)
    assert set(column(result, "inference")) == {"these collections, topics sampled"}


def test_random_tasks_are_a_t_test_over_collections_without_their_topics() -> None:
    parts = collections(8)
    per_topic = leaderboard(parts, "random-tasks", tasks="random")
    alone = leaderboard(means(parts), "random-tasks", tasks="random")
    np.testing.assert_allclose(column(per_topic, "p_value", "pairs"), column(alone, "p_value", "pairs"), rtol=1e-9)
    scores = np.array([[part[s] for part in means(parts).values()] for s in SYSTEMS])
    for x, y, p, corrected in zip(
        *(column(alone, name, "pairs") for name in ("system_x", "system_y", "p_value", "p_corrected")), strict=True
    ):
        expected = stats.ttest_rel(scores[SYSTEMS.index(x)], scores[SYSTEMS.index(y)]).pvalue
        assert p == pytest.approx(expected, rel=1e-8)
        assert corrected >= p
    low, high = stats.t.interval(0.95, 7, scores.mean(axis=1), stats.sem(scores, axis=1))
    place = [SYSTEMS.index(name) for name in column(alone, "system")]
    np.testing.assert_allclose(column(alone, "mean_low"), low[place], rtol=1e-9)
    np.testing.assert_allclose(column(alone, "mean_high"), high[place], rtol=1e-9)


def test_random_tasks_always_say_that_leaderboards_are_rarely_random() -> None:
    result = leaderboard(means(collections(6)), "random-tasks", tasks="random")
    phrase = "as if these tasks were a random sample; leaderboards rarely are"
    for name in ("leaderboard", "pairs", "ranks", "critical_difference"):
        assert phrase in result[name].caption
    assert any(phrase in sentence for sentence in result.findings)
    assert phrase in str(result.warnings[0])


def test_all_weightings_are_sensitivity_and_no_confidence() -> None:
    result = leaderboard(means(collections(6)), tasks="weights")
    for name in ("mean_low", "mean_high", "rank_low", "rank_high", "best_set"):
        assert all(map(undefined, column(result, name)))
    assert all(map(undefined, column(result, "p_value", "pairs")))
    assert "sensitivity, not confidence" in result["weightings"].caption
    assert sum(column(result, "share_first", "weightings")) == pytest.approx(1.0)
    pairs = result["weighted_pairs"]
    share = dict(zip(zip(pairs["system_x"], pairs["system_y"], strict=True), pairs["share_better"], strict=True))
    assert share["a", "d"] == 1.0
    assert share["a", "b"] + share["b", "a"] == 1.0


def test_one_score_for_each_collection_has_no_interval_and_says_so() -> None:
    result = leaderboard(means(collections(3)), "no-topics")
    for name in ("mean_low", "mean_high", "rank_low", "rank_high", "best_set"):
        assert all(map(undefined, column(result, name)))
    assert "ranks" not in result
    assert any("no intervals and no tests" in sentence for sentence in result.findings)


def test_findings_name_who_cannot_be_told_apart_from_the_first_place() -> None:
    result = leaderboard(collections(4))
    best = [
        s for s, inside in zip(column(result, "system"), column(result, "best_set"), strict=True) if inside == "yes"
    ]
    assert best == ["a", "b"]
    assert "a and b cannot be told apart from the first place; 2 of 5 systems are in the best set." in result.findings


def test_mean_ranks_and_borda_say_that_they_depend_on_who_takes_part() -> None:
    result = leaderboard(collections(3))
    warning = "Mean rank and Borda's count depend on which systems take part."
    assert warning in result["leaderboard"].caption
    assert warning in result.findings
    assert sum(column(result, "borda")) == 3 * 10  # pairs on each collection
    assert sum(column(result, "mean_rank")) == pytest.approx(15)


def test_the_order_of_systems_and_of_collections_moves_no_number() -> None:
    parts = collections(3)
    turned = {name: parts[name].select(systems=SYSTEMS[::-1]) for name in reversed(parts)}
    one, other = leaderboard(parts), leaderboard(turned)
    for name in ("system", "rank_low", "rank_high", "best_set"):
        assert column(one, name) == column(other, name)
    for name in ("mean", "mean_low", "mean_high"):
        assert column(one, name) == pytest.approx(column(other, name), rel=1e-12)


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


def test_families_of_collections_are_the_sample(tmp_path: Path) -> None:
    data = means(collections(12))
    # each collection twice, under another name: families of two copies must say what the twelve alone say
    doubled = {**data, **{f"{name}x": scores for name, scores in data.items()}}
    file = tmp_path / "families.txt"
    file.write_text("".join(f"{name} {name.removesuffix('x')}\n" for name in doubled))
    alone = leaderboard(data, "random-tasks", tasks="random")
    families = leaderboard(doubled, "random-tasks", tasks="random", families=str(file))
    for name in ("mean", "mean_low", "mean_high", "rank_low", "rank_high"):
        np.testing.assert_allclose(column(alone, name), column(families, name), rtol=1e-9)
    np.testing.assert_allclose(column(alone, "p_value", "pairs"), column(families, "p_value", "pairs"), rtol=1e-6)
    file.write_text("C0 x\n")
    assert "11 of 12 collections are in no family" in refusal(data, tasks="random", families=str(file)).what
    file.write_text("".join(f"{name} {'odd' if n % 2 else 'even'}\n" for n, name in enumerate(data)))
    assert "2 families of collections" in refusal(data, tasks="random", families=str(file)).what


def test_a_random_sample_needs_six_collections() -> None:
    error = refusal(means(collections(5)), tasks="random")
    assert "there are 5 collections, and a random sample of them needs 6" in error.what
    assert "--tasks fixed" in error.hint


def test_a_test_that_holm_leaves_no_chance_is_an_error_that_says_so() -> None:
    error = refusal(means(collections(8)), tasks="random", test="wilcoxon")
    assert "over 8 collections has no p-value below 0.0078, and Holm over 10 pairs needs one below 0.005" in error.what
    assert "nothing could be significant" in error.what
    result = leaderboard(means(collections(12)), "random-tasks", tasks="random", test="wilcoxon")
    scores = np.array([[part[s] for part in means(collections(12)).values()] for s in SYSTEMS])
    assert column(result, "p_value", "pairs")[1] == pytest.approx(stats.wilcoxon(scores[0], scores[2]).pvalue)
    assert "Wilcoxon's p-values test no mean difference" in result["pairs"].caption


@pytest.mark.parametrize("test", ["paired-bootstrap", "randomization", "sign"])
def test_other_tests_over_collections_are_those_of_compare(test: str) -> None:
    data = means(collections(12))
    result = leaderboard(data, "random-tasks", tasks="random", test=test, resamples=2000)
    scores = np.array([[part[s] for part in data.values()] for s in SYSTEMS])
    table = Scores(("m",), SYSTEMS, tuple(data), scores)
    compared = irassay.compare(table, measures="m", test=test, resamples=2000)
    np.testing.assert_allclose(column(result, "p_value", "pairs"), column(compared, "p_value", "pairs"), rtol=1e-9)
    np.testing.assert_allclose(
        column(result, "p_corrected", "pairs"), column(compared, "p_corrected", "pairs"), rtol=1e-9
    )


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


def test_the_collections_that_decide_the_order_are_found_by_leaving_each_out() -> None:
    data = {
        "X": {"a": 0.9, "b": 0.1, "c": 0.0},
        "Y": {"a": 0.1, "b": 0.3, "c": 0.0},
        "Z": {"a": 0.1, "b": 0.3, "c": 0.2},
    }
    result = leaderboard(data, "no-topics")
    assert column(result, "first", "without") == ["b", "a", "a"]
    assert column(result, "first_changes", "without") == ["yes", "no", "no"]
    assert "Without X another system would be first: b." in result.findings
    taus = column(result, "tau_without", "collections")
    assert min(taus) == taus[0] < 1


def test_the_win_matrix_counts_collections() -> None:
    data = {"X": {"a": 0.9, "b": 0.1}, "Y": {"a": 0.1, "b": 0.3}, "Z": {"a": 0.3, "b": 0.3}}
    result = leaderboard(data, "no-topics")
    matrix = result["win_matrix"]
    share = dict(zip(zip(matrix["system_x"], matrix["system_y"], strict=True), matrix["win_rate"], strict=True))
    assert share == {("a", "a"): 0.5, ("b", "b"): 0.5, ("a", "b"): 0.5, ("b", "a"): 0.5}
    assert next(zip(*(column(result, name, "pairs") for name in ("wins", "losses", "ties")), strict=True)) == (1, 1, 1)


def test_groups_hold_every_pair_that_no_test_tells_apart_and_no_other() -> None:
    result = leaderboard(collections(4))
    members: dict[str, set[str]] = {}
    for group, system in zip(*(column(result, name, "groups") for name in ("group", "system")), strict=True):
        members.setdefault(group, set()).add(system)
    for x, y, p in zip(*(column(result, n, "pairs") for n in ("system_x", "system_y", "p_corrected")), strict=True):
        assert (p >= 0.05) == any({x, y} <= group for group in members.values())


def test_few_topics_for_many_systems_take_holm_and_say_so() -> None:
    parts = collections(2, topics=4)
    assert "Ranks by Holm, because 8 topics are too few for draws of 5 systems" in leaderboard(parts)["ranks"].caption
    assert "step-down" in leaderboard(collections(2, topics=5))["ranks"].caption


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
