"""`irassay estimate`: trusted and cheap judgments of a collection whose cheap judge errs in known ways."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irassay
from irassay import demo
from irassay.ask.prediction_powered import JudgedTopics, power_tuned
from irassay.cli import run
from irassay.errors import InputError, IrassayWarning
from irassay.result import Result
from irassay.studies.phrases import rows_of
from tests.helpers.judged import read, write, write_judged

TRUSTED = tuple(str(topic) for topic in range(1, 8))
pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Also `trusted.qrels`, which judges topics 1 to 7 only."""
    folder = tmp_path_factory.mktemp("estimate") / "collection"
    write_judged(folder)
    write(folder / "trusted.qrels", [line for line in read(folder / "qrels.txt") if line[0] in TRUSTED])
    return folder


def estimated(place: Path, cheap: str = "noisy.qrels", trusted: str = "trusted.qrels", **options: Any) -> Result:
    return irassay.estimate(
        place / trusted, place / "runs", cheap=place / cheap, **{"measures": "AP nDCG@10"} | options
    )


def rows(result: Result, table: str, **values: object) -> list[dict[str, Any]]:
    return [row for row in rows_of(result[table]) if all(row[name] == value for name, value in values.items())]


def test_estimates_are_those_of_the_scores_by_both_judges(place: Path) -> None:
    """The scores are what `irassay score` says of either file."""
    result = estimated(place, measures="AP")
    runs = irassay.read_runs(place / "runs")
    trusted, cheap = (irassay.align(place / name, runs).score("AP") for name in ("trusted.qrels", "noisy.qrels"))
    others = [topic for topic in cheap.topics if topic not in TRUSTED]
    own = (trusted.select(topics=TRUSTED), cheap.select(topics=TRUSTED), cheap.select(topics=others))
    expected = power_tuned(JudgedTopics(*(scores["AP"].values for scores in own)))
    low, high = expected.interval(0.05)
    found = rows(result, "estimates", method="PPI++")
    assert [row["system"] for row in found] == list(trusted.systems)
    for name, values in {"mean": expected.mean, "low": low, "high": high, "lambda": expected.tuning}.items():
        assert [row[name] for row in found] == values.tolist()
    alone = rows(result, "estimates", method="trusted topics only")
    assert [row["mean"] for row in alone] == pytest.approx(own[0].means()[0])
    assert {(row["trusted_topics"], row["cheap_topics"]) for row in found} == {(7, len(others))}
    for both, single in zip(found, alone, strict=True):
        ratio = (both["high"] - both["low"]) / (single["high"] - single["low"])
        assert both["width_ratio"] == pytest.approx(ratio)


def test_columns_are_those_that_other_tools_rely_on(place: Path) -> None:
    result = estimated(place)
    assert list(result["estimates"].columns)[:10] == (
        ["measure", "system", "method", "mean", "low", "high", "width_ratio", "rho", "trusted_topics", "cheap_topics"]
    )
    needed = ["measure", "system_x", "system_y", "difference", "low", "high", "p_value", "rho"]
    assert [name for name in result["differences"].columns if name in needed] == needed


def test_trusted_topics_of_complete_judgments_stand_for_a_file_of_them(place: Path) -> None:
    short, complete = estimated(place), estimated(place, trusted="qrels.txt", trusted_topics="1-7")
    for table in short.tables:
        assert list(table.rows()) == list(complete[table.name].rows())


def test_differences_are_between_all_pairs_or_to_baselines(place: Path) -> None:
    result = estimated(place, measures="AP")
    systems = list(dict.fromkeys(result["estimates"]["system"]))
    assert len(result["differences"]) == len(systems) * (len(systems) - 1) // 2
    against = estimated(place, measures="AP", baseline="sys3")
    assert set(against["differences"]["system_y"]) == {"sys3"}
    assert len(against["differences"]) == len(systems) - 1
    all_pairs = {(row["system_x"], row["system_y"]): row for row in rows(result, "differences")}
    for row in rows(against, "differences"):
        x, y = row["system_x"], row["system_y"]
        one = all_pairs[x, y] if (x, y) in all_pairs else all_pairs[y, x]
        assert abs(one["difference"]) == pytest.approx(abs(row["difference"]))
        assert one["p_value"] == pytest.approx(row["p_value"])
        assert row["p_corrected"] <= one["p_corrected"]


def test_a_run_more_moves_no_other_number(place: Path) -> None:
    paths = sorted((place / "runs").iterdir())
    parts = [
        irassay.estimate(place / "trusted.qrels", chosen, cheap=place / "noisy.qrels", measures="AP")
        for chosen in (paths[:4], paths)
    ]
    few, many = ({row["system"]: row for row in rows(part, "estimates", method="PPI++")} for part in parts)
    assert {name: many[name] for name in few} == few


def test_one_system_alone_has_estimates_and_no_differences(place: Path) -> None:
    result = irassay.estimate(place / "trusted.qrels", [place / "runs" / "sys1.txt"], cheap=place / "noisy.qrels")
    assert len(result["estimates"]) == 2 * 3
    assert "differences" not in result
    assert result.findings


def test_a_perfect_judge_narrows_intervals_and_a_useless_one_does_not(place: Path, tmp_path: Path) -> None:
    perfect = estimated(place, "copy.qrels")
    gain = rows(perfect, "gain", of="means", measure="AP")[0]
    assert gain["rho"] == pytest.approx(1.0)
    assert gain["width_ratio"] < 0.9
    assert gain["worth"] > 7
    draws = np.random.default_rng(3)
    lines = [(topic, document, int(draws.random() < 0.3)) for topic, document, _ in read(place / "qrels.txt")]
    write(tmp_path / "useless.qrels", lines)
    useless = estimated(place, str(tmp_path / "useless.qrels"), highest=2)
    assert any("adds hardly anything" in finding for finding in useless.findings)
    gain = rows(useless, "gain", of="means", measure="AP")[0]
    assert gain["width_ratio"] > 0.9
    assert abs(gain["rho"]) < 0.6


def test_the_bias_of_the_cheap_judge_is_that_on_common_topics(place: Path) -> None:
    result = estimated(place, "lenient.qrels", measures="AP")
    runs = irassay.read_runs(place / "runs")
    trusted, cheap = (irassay.align(place / name, runs).score("AP") for name in ("trusted.qrels", "lenient.qrels"))
    error = cheap.select(topics=TRUSTED)["AP"].values - trusted["AP"].values
    interval = stats.ttest_1samp(error, 0.0, axis=1).confidence_interval()
    found = rows(result, "cheap")
    assert [row["bias"] for row in found] == pytest.approx(error.mean(axis=1))
    assert [row["bias_low"] for row in found] == pytest.approx(interval.low)
    assert [row["cheap_mean"] for row in found] == pytest.approx(cheap.means()[0])


def test_probabilities_weight_the_trusted_topics(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "chances.txt"
    chances = [0.4, 0.8, 0.5, 0.9, 0.6, 0.3, 0.7]
    file.write_text("# sampled\n" + "".join(f"{t} {p}\n" for t, p in zip(TRUSTED, chances, strict=True)) + "12 0.4\n")
    result = estimated(place, measures="AP", probabilities=str(file))
    runs = irassay.read_runs(place / "runs")
    values = irassay.align(place / "trusted.qrels", runs).score("AP")["AP"].values
    weights = 1 / np.array(chances)
    found = rows(result, "estimates", method="trusted topics only")
    assert [row["mean"] for row in found] == pytest.approx(values @ weights / weights.sum())
    assert "with the probabilities given" in result.findings[-1]


def test_graded_measures_take_the_highest_grade_of_both_judges(place: Path, tmp_path: Path) -> None:
    """Few trusted topics may lack the highest grade; `max_gain` and the like must not differ between judges."""
    lines = [(t, d, min(g, 1)) for t, d, g in read(place / "trusted.qrels")]
    write(tmp_path / "binary.qrels", lines)
    with pytest.raises(InputError, match="outside the scale") as caught:
        estimated(place, trusted=str(tmp_path / "binary.qrels"))
    assert "--map" in caught.value.hint
    scored = estimated(place, trusted=str(tmp_path / "binary.qrels"), highest=2, measures="ERR@10")
    runs = irassay.read_runs(place / "runs")
    expected = irassay.align(tmp_path / "binary.qrels", runs).score("ERR(max_grade=2)@10").means()[0]
    assert [row["mean"] for row in rows(scored, "estimates", method="trusted topics only")] == pytest.approx(expected)
    mapped = estimated(place, trusted=str(tmp_path / "binary.qrels"), map="noisy.qrels:2=1")
    assert mapped.provenance["scale"] == [0, 1]


def test_topics_without_relevant_documents_are_dropped_by_the_cheap_judge_only(place: Path, tmp_path: Path) -> None:
    cheap = [(t, d, 0 if t in ("3", "11") else g) for t, d, g in read(place / "noisy.qrels")]
    trusted = [(t, d, 0 if t == "4" else g) for t, d, g in read(place / "trusted.qrels")]
    write(tmp_path / "cheap.qrels", cheap)
    write(tmp_path / "trusted.qrels", trusted)
    options = {"cheap": str(tmp_path / "cheap.qrels"), "trusted": str(tmp_path / "trusted.qrels"), "measures": "AP"}
    kept, dropped = (estimated(place, **options, unanswerable=what) for what in ("zero", "drop"))
    assert list(kept.provenance["topics"]) == list(TRUSTED)  # type: ignore[call-overload]
    assert list(dropped.provenance["topics"]) == [t for t in TRUSTED if t != "3"]  # type: ignore[call-overload]
    assert "11" not in dropped.provenance["cheap_topics"]  # type: ignore[operator]
    alone = {row["system"]: row["mean"] for row in rows(dropped, "estimates", method="trusted topics only")}
    runs = irassay.read_runs(place / "runs")
    with pytest.warns(IrassayWarning, match="without relevant documents"):
        scores = irassay.align(tmp_path / "trusted.qrels", runs).score("AP")
    own = scores.select(topics=[t for t in TRUSTED if t != "3"])
    assert alone == pytest.approx(dict(zip(own.systems, own.means()[0].tolist(), strict=True)))


def test_files_of_one_name_are_told_apart(place: Path, tmp_path: Path) -> None:
    (tmp_path / "trusted.qrels").write_bytes((place / "noisy.qrels").read_bytes())
    same = estimated(place, str(tmp_path / "trusted.qrels"))
    assert list(same["estimates"].rows()) == list(estimated(place)["estimates"].rows())


def test_judgments_in_memory_are_taken(place: Path) -> None:
    read_in = [irassay.read_qrels(place / name) for name in ("trusted.qrels", "noisy.qrels")]
    result = irassay.estimate(read_in[0], irassay.read_runs(place / "runs"), cheap=read_in[1], measures="AP nDCG@10")
    assert list(result["estimates"].rows()) == list(estimated(place)["estimates"].rows())


def test_a_measure_without_topic_values_becomes_its_logarithm_or_an_error(place: Path) -> None:
    with pytest.warns(IrassayWarning, match=r"a paired test of GM\(AP\) is one of AG\(AP\)"):
        result = estimated(place, measures="GM(AP)")
    assert set(result["estimates"]["measure"]) == {"AG(AP)"}
    with pytest.raises(InputError, match="no value per topic") as caught:
        estimated(place, measures="AREA(AP)")
    assert "estimate the measure itself" in caught.value.hint


def test_topics_that_are_no_random_sample_are_warned_of(place: Path, tmp_path: Path) -> None:
    """The cheap judge labelled ten documents of each common topic, and the whole pool of the others."""
    seen: dict[str, int] = {}
    lines = []
    for topic, document, grade in read(place / "noisy.qrels"):
        seen[topic] = seen.get(topic, 0) + 1
        if topic not in TRUSTED or seen[topic] <= 10:
            lines.append((topic, document, grade))
    write(tmp_path / "shallow.qrels", lines)
    with pytest.warns(IrassayWarning, match=r"differ from the others in: documents that the cheap judge labelled \(10"):
        estimated(place, str(tmp_path / "shallow.qrels"))


def test_runs_that_lack_lists_on_one_kind_of_topics_are_warned_of(place: Path, tmp_path: Path) -> None:
    for path in (place / "runs").iterdir():
        lines = path.read_text().splitlines(keepends=True)
        dropped = [str(t) for t in range(8, 13)] if path.stem == "sys2" else ["8"] if path.stem == "sys3" else []
        (tmp_path / path.name).write_text("".join(line for line in lines if line.split()[0] not in dropped))
    with pytest.warns(IrassayWarning, match=r"unequally often: sys2 \(0 of 7 and 5 of 5\) \["):
        irassay.estimate(place / "trusted.qrels", tmp_path, cheap=place / "noisy.qrels", measures="AP")


def test_few_topics_are_warned_of(place: Path) -> None:
    with pytest.warns(IrassayWarning, match="7 topics are judged by both"):
        estimated(place)


def terminal(capfd: Any, *arguments: object) -> tuple[int, str, str]:
    capfd.readouterr()
    status = run(list(map(str, arguments)))
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    return status, out, err


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ((), "there are no cheap judgments\n\nhint: give those of the cheap judge with --cheap QRELS"),
        (("--cheap", "{place}/elsewhere.qrels"), "no topic is judged in both: 7 topics by trusted.qrels, 24 by else"),
        (("--cheap", "{place}/trusted.qrels"), "no topic is judged by cheap and not by trusted.qrels"),
        (("--cheap", "{place}/noisy.qrels", "--trusted-topics", "1"), "one topic alone is judged in both"),
        (("--cheap", "{place}/noisy.qrels", "--trusted-topics", "99"), "no judged topic is called 99"),
        (("--cheap", "{place}/noisy.qrels", "--topics", "1-8"), "one topic alone is judged by noisy.qrels and not"),
        (("--cheap", "{place}/noisy.qrels", "--alpha", "1"), "alpha is 1"),
        (("--cheap", "{place}/noisy.qrels", "--baseline", "nobody"), "there is no system 'nobody'"),
        (("--cheap", "{place}/noisy.qrels", "--probabilities", "{place}/few.txt"), "few.txt: topic 3 has no probab"),
        (("--cheap", "{place}/noisy.qrels", "--probabilities", "{place}/bad.txt"), "bad.txt:2: '1.5' is no probab"),
        (("--cheap", "{place}/nothing.qrels"), "nothing.qrels: no such file"),
    ],
)
def test_errors_say_what_and_where(place: Path, options: tuple[str, ...], what: str, capfd: Any) -> None:
    (place / "few.txt").write_text("1 0.5\n2 0.5\n")
    (place / "bad.txt").write_text(
        "".join(f"{t} {p}\n" for t, p in zip(TRUSTED, "5" * 7, strict=True))
        .replace("2 5", "2 1.5")
        .replace(" 5\n", " 0.5\n")
    )
    arguments = [option.format(place=place) for option in options]
    status, out, err = terminal(capfd, "estimate", place / "trusted.qrels", *arguments, place / "runs", "-m", "AP")
    assert (status, out) == (2, "")
    assert what in err


def test_documents_of_other_names_are_an_error(place: Path, tmp_path: Path) -> None:
    write(tmp_path / "other.qrels", [(t, f"OTHER-{d}", g) for t, d, g in read(place / "noisy.qrels")])
    with pytest.raises(InputError, match="both judged 7 topics, such as 1, and no document in common"):
        estimated(place, str(tmp_path / "other.qrels"))


def test_probabilities_that_do_not_fit_the_sample_are_warned_of(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "chances.txt"
    file.write_text("".join(f"{t} 0.01\n" for t in TRUSTED))
    with pytest.warns(IrassayWarning, match="stand for 700 topics"):
        estimated(place, measures="AP", probabilities=str(file), topics="1-12")


def test_trusted_topics_that_the_cheap_judge_lacks_are_left_out_with_a_warning(place: Path, tmp_path: Path) -> None:
    write(tmp_path / "part.qrels", [line for line in read(place / "noisy.qrels") if line[0] != "2"])
    with pytest.warns(IrassayWarning, match="1 topic of QRELS not judged by the cheap judge, left out: 2"):
        result = estimated(place, str(tmp_path / "part.qrels"))
    assert set(result["estimates"]["trusted_topics"]) == {6}


def test_the_command_prints_saves_and_pastes(place: Path, tmp_path: Path, capfd: Any) -> None:
    arguments = ("estimate", place / "trusted.qrels", "--cheap", place / "noisy.qrels", place / "runs", "-m", "AP")
    status, out, _ = terminal(capfd, *arguments, "--out", tmp_path / "saved")
    assert status == 0
    assert "trusted topics only [95% CI]" in out
    saved = irassay.load_result(tmp_path / "saved")
    assert saved.details == ("differences", "cheap", "parts")
    assert {figure.name for figure in saved.figures} == {"estimates", "bias"}
    content = json.loads(terminal(capfd, *arguments, "--format", "json")[1])
    assert len(content["differences"]) == 36
    assert "PPI++" in terminal(capfd, *arguments, "--latex", "--alpha", "0.1")[1]


def test_a_system_called_like_markup_stays_text() -> None:
    name = "<b>$x$\x1b[1m"
    lists = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}, "3": {"b": 1.0}, "4": {"a": 1.0}, "5": {"b": 2.0, "a": 1.0}}
    trusted = {topic: {"a": 1, "b": int(topic != "4")} for topic in "123"}
    cheap = {topic: {"a": 1, "b": int(topic in "35")} for topic in "12345"}
    result = irassay.estimate(trusted, {name: lists, "other": lists}, cheap=cheap, measures="AP")
    assert all("<b>$x$\\x1b[1m" in finding for finding in result.findings if "<b>" in finding)
    assert not any("\x1b" in finding for finding in result.findings)


def test_the_true_means_lie_in_most_intervals_on_the_demo_collection() -> None:
    """Six experiments with six systems that hold or miss together: a gross error, such as of sign, would show."""
    model = demo.Model(systems=6, null_pairs=0, groups=3, depth=60, candidates=900, pool_depth=20, seed=5)
    held = []
    for number in range(6):
        topics = range(number * 80, number * 80 + 80)
        panel, cheap = demo.panels_of(model, topics, demo.JUDGES[1:2])
        both, own = (one.score("AP")["AP"].values for one in (panel, cheap))
        data = JudgedTopics(both[:, :20], own[:, :20], own[:, 20:])
        low, high = power_tuned(data).interval(0.05)
        truth = both.mean(axis=1)  # by all 80 trusted topics
        held.append(np.mean((low <= truth) & (truth <= high)))
    assert np.mean(held) > 0.8
