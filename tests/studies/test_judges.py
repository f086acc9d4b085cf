"""`irassay judges`: labels, systems, groups and verdicts on a collection with judges of known error."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import irassay
from irassay.ask.agreement import tau
from irassay.cli import run
from irassay.errors import InputError
from irassay.result import Result
from irassay.studies.phrases import rows_of
from tests.helpers.judged import read, write, write_judged

FAST: dict[str, Any] = {"measures": ("AP nDCG@10",), "resamples": 100, "permutations": 199}
pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judged") / "collection"
    write_judged(folder)
    return folder


def compared(place: Path, *judges: str, runs: bool = True, **options: Any) -> Result:
    files = [place / f"{name}.qrels" for name in judges]
    return irassay.judges(place / "qrels.txt", [*files, place / "runs"] if runs else files, **FAST | options)


def row(result: Result, table: str, **values: object) -> dict[str, Any]:
    (found,) = [r for r in rows_of(result[table]) if all(r[name] == value for name, value in values.items())]
    return found


def as_dict(lines: list[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
    out: dict[str, dict[str, int]] = {}
    for topic, document, grade in lines:
        out.setdefault(topic, {})[document] = grade
    return out


def test_a_copy_of_the_reference_changes_nothing(place: Path) -> None:
    result = compared(place, "copy")
    labels = row(result, "labels", judge="copy.qrels", stratum="all")
    assert (labels["kappa"], labels["alpha_ordinal"], labels["mean_grade_bias"]) == (1.0, 1.0, 0.0)
    assert row(result, "order", measure="AP", judge="copy.qrels")["tau_b"] == 1.0
    counts = row(result, "verdicts", measure="AP", judge="copy.qrels")
    assert counts["only_reference"] == counts["only_judge"] == counts["opposite"] == 0
    assert "pairs" not in result
    assert set(result["systems"]["label_effect"]) == {0.0}
    assert set(result["systems"]["coverage_effect"]) == {0.0}


def test_labels_are_compared_without_runs(place: Path) -> None:
    result = compared(place, "noisy", runs=False)
    assert {table.name for table in result.tables} == {"judges", "labels", "grades", "confusion"}
    reference, judge = (read(place / name) for name in ("qrels.txt", "noisy.qrels"))
    same = [a[2] == b[2] for a, b in zip(reference, judge, strict=True)]
    labels = row(result, "labels", stratum="all")
    assert labels["agreement"] == pytest.approx(np.mean(same))
    assert labels["n"] == len(reference)
    cell = row(result, "confusion", grade=1, judged=2)
    assert cell["n"] == sum(a[2] == 1 and b[2] == 2 for a, b in zip(reference, judge, strict=True))


def test_strata_and_topics_divide_the_documents(place: Path) -> None:
    rows = rows_of(compared(place, "noisy")["labels"])
    (everything,) = [r["n"] for r in rows if r["stratum"] == "all"]
    assert sum(r["n"] for r in rows if r["stratum"].startswith(("ranks", "in no"))) == everything
    assert sum(r["n"] for r in rows if r["stratum"].startswith("topic")) == everything
    # the pool is 20 deep, so no judged document can have a better rank than its pool explains
    assert {r["stratum"] for r in rows if r["stratum"].startswith("ranks")} == {"ranks 1-10", "ranks 11-30"}


def test_scores_under_two_judges_use_the_documents_that_both_labelled(place: Path) -> None:
    result = compared(place, "half")
    reference, judge = (as_dict(read(place / name)) for name in ("qrels.txt", "half.qrels"))
    common = {topic: set(reference[topic]) & set(judge[topic]) for topic in reference}
    runs = irassay.read_runs(place / "runs")

    def means(qrels: dict[str, dict[str, int]], shared: bool) -> Any:
        kept = {t: {d: g for d, g in docs.items() if not shared or d in common[t]} for t, docs in qrels.items()}
        return irassay.align(kept, runs).score("AP nDCG@10")

    parts = {
        (name, shared): means(q, shared) for name, q in (("r", reference), ("j", judge)) for shared in (True, False)
    }
    for measure in ("AP", "nDCG@10"):
        own = {key: scores[measure].means() for key, scores in parts.items()}
        for place_of, system in enumerate(parts["r", True].systems):
            found = row(result, "systems", measure=measure, system=system)
            label = own["j", True][place_of] - own["r", True][place_of]
            total = own["j", False][place_of] - own["r", False][place_of]
            assert found["label_effect"] == pytest.approx(label, abs=1e-12)
            assert found["coverage_effect"] == pytest.approx(total - label, abs=1e-12)
            assert found["score"] == pytest.approx(found["reference_score"] + total)
    sizes = row(result, "judges", judge="half.qrels")
    assert sizes["common_labels"] == sum(map(len, common.values()))
    assert sizes["labels"] > sizes["common_labels"]


def test_judges_of_other_topics_are_compared_by_their_systems_alone(place: Path) -> None:
    result = compared(place, "elsewhere", groups=str(place / "groups.txt"))
    assert "labels" not in result
    assert "documents" not in result
    order = row(result, "order", measure="AP")
    assert (order["topics"], order["judge_topics"]) == (12, 24)
    runs = irassay.read_runs(place / "runs")
    reference, judge = (irassay.align(place / name, runs).score("AP") for name in ("qrels.txt", "elsewhere.qrels"))
    assert order["tau"] == pytest.approx(tau(reference.means()[0], judge.means()[0]))
    # the ceiling is of the judge with more topics, on disjoint sets as large as the reference's
    draws = np.random.default_rng(0)
    splits = [draws.permutation(24) for _ in range(2000)]
    values = judge["AP"].values
    own = [tau(values[:, split[:12]].mean(axis=1), values[:, split[12:]].mean(axis=1)) for split in splits]
    # both are means over random splits, 100 of them in the study: five standard errors
    assert order["tau_ceiling"] == pytest.approx(np.mean(own), abs=5 * float(np.std(own)) / 10)
    assert np.isnan(order["tau_on_draws"])


def test_a_second_person_is_another_ceiling(place: Path) -> None:
    order = rows_of(compared(place, "noisy", "lenient", human="lenient.qrels")["order"])
    second = {r["measure"]: r["tau_b"] for r in order if r["judge"] == "lenient.qrels"}
    assert all(r["tau_b_human"] == second[r["measure"]] for r in order)


def test_three_judges_have_a_majority_and_are_left_out_one_by_one(place: Path) -> None:
    result = compared(place, "copy", "noisy", "lenient", runs=False)
    rows = [r for r in rows_of(result["labels"]) if r["stratum"] in ("all", "one judge left out")]
    against = {r["judge"] for r in rows if r["reference"] == "majority of the others"}
    assert against == {"copy.qrels", "noisy.qrels", "lenient.qrels"}
    by_judge = {r["judge"]: r["kappa"] for r in rows if r["reference"] == "qrels.txt"}
    assert by_judge["majority"] > by_judge["noisy.qrels"]
    assert {f"majority without {name}" for name in against} <= set(by_judge)
    assert row(result, "together", judges="judges alone")["number"] == 3


def test_majority_is_a_judge_of_systems_too(place: Path) -> None:
    result = compared(place, "copy", "noisy", "lenient")
    against = [r["judge"] for r in rows_of(result["order"]) if (r["measure"], r["reference"]) == ("AP", "qrels.txt")]
    assert against[-1] == "majority"
    robust = rows_of(result["robustness"])
    costs = [r["tau_b_cost"] for r in robust]
    assert costs == sorted(costs)


def test_systems_of_each_judge_stand_against_the_majority_of_the_others(place: Path, tmp_path: Path) -> None:
    """As if that majority were a file and the reference: of two judges with different labels the lower one counts."""
    result = compared(place, "noisy", "lenient", "half")
    own = {name: {(t, d): g for t, d, g in read(place / f"{name}.qrels")} for name in ("noisy", "lenient", "half")}
    for name in own:
        one, two = (labels for other, labels in own.items() if other != name)
        others = [(t, d, min(grade, two[t, d])) for (t, d), grade in one.items() if (t, d) in two]
        write(tmp_path / "others.qrels", others)
        files = [place / f"{name}.qrels", place / "runs"]
        expected = irassay.judges(tmp_path / "others.qrels", files, highest=2, **FAST)
        chosen = {"judge": f"{name}.qrels", "reference": "majority of the others"}
        for table in ("order", "verdicts", "systems"):
            rows = [r for r in rows_of(result[table]) if chosen.items() <= r.items()]
            assert rows
            by_system = {(r["measure"], r.get("system")): r for r in rows}
            for row_ in rows_of(expected[table]):
                assert by_system[row_["measure"], row_.get("system")] == pytest.approx(row_ | chosen, nan_ok=True)


def test_two_judges_have_no_majority_of_others(place: Path) -> None:
    result = compared(place, "noisy", "lenient")
    for table in ("order", "verdicts", "systems"):
        assert set(result[table]["reference"]) == {"qrels.txt"}


def test_robustness_and_the_second_person_are_about_the_reference_only(place: Path) -> None:
    result = compared(place, "copy", "noisy", "lenient", human="copy.qrels")
    assert set(result["robustness"]["judges"]) == {4}  # three and their majority
    humans = {r["reference"]: r["tau_b_human"] for r in rows_of(result["order"])}
    assert humans == {"qrels.txt": 1.0, "majority of the others": None}


def test_judges_that_share_no_topic_with_the_majority_of_others_are_left_out_with_a_warning(place: Path) -> None:
    """Two judges make the majority of the others, and one of the three is of other topics."""
    with pytest.warns(irassay.IrassayWarning, match="of the others: noisy.qrels, lenient.qrels, elsewhere.qrels"):
        result = compared(place, "noisy", "lenient", "elsewhere")
    assert set(result["order"]["reference"]) == {"qrels.txt"}


def test_files_are_told_apart_by_their_columns(place: Path, tmp_path: Path, capfd: Any) -> None:
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress((place / "noisy.qrels").read_bytes()))
    arguments = [
        "judges",
        place / "qrels.txt",
        place / "runs",
        packed,
        "-m",
        "AP",
        "--resamples",
        "50",
        "--format",
        "json",
    ]
    assert run([str(argument) for argument in arguments]) == 0
    out = capfd.readouterr().out
    assert '"packed"' in out
    assert '"order"' in out


def test_judges_and_runs_in_other_formats_are_told_apart_by_content(place: Path, tmp_path: Path) -> None:
    """Judgments as JSON, runs as JSON, JSONL, CSV and Parquet give what the same in TREC's columns gives."""
    (tmp_path / "noisy.qrels").write_text(json.dumps(as_dict(read(place / "noisy.qrels"))))
    folder = tmp_path / "runs"
    folder.mkdir()
    for number, path in enumerate(sorted((place / "runs").iterdir())):
        words = [line.split() for line in path.read_text().splitlines()]
        table = pd.DataFrame([(w[0], w[2], float(w[4]), w[5]) for w in words], columns=["qid", "docno", "score", "tag"])
        plain = table.drop(columns="tag")
        if number % 4 == 0:
            table.to_csv(folder / path.name, index=False)
        elif number % 4 == 1:
            table.to_parquet(folder / path.name)
        elif number % 4 == 2:
            plain.to_json(folder / path.name, orient="records", lines=True)
        else:
            lists = {t: dict(zip(own.docno, own.score, strict=True)) for t, own in plain.groupby("qid")}
            (folder / path.name).write_text(json.dumps(lists))
    options: dict[str, Any] = FAST | {"names": "file", "ranks": "10"}
    result = irassay.judges(place / "qrels.txt", [tmp_path / "noisy.qrels", folder], **options)
    expected = irassay.judges(place / "qrels.txt", [place / "noisy.qrels", place / "runs"], **options)
    for table_name in ("labels", "order", "verdicts"):
        assert repr(rows_of(result[table_name])) == repr(rows_of(expected[table_name]))


def test_a_file_that_could_be_judgments_or_a_run_is_an_error_unless_it_is_a_judge(
    place: Path, tmp_path: Path, capfd: Any
) -> None:
    lists = {t: {f"d{k}": k for k in range(6)} for t in ("1", "2")}
    reference, unclear = tmp_path / "reference.json", tmp_path / "unclear.json"
    for path in (reference, unclear):
        path.write_text(json.dumps(lists))
    assert run(["judges", str(reference), str(unclear)]) == 2
    error = capfd.readouterr().err
    assert "unclear.json: whole numbers, all different within each topic: they could be grades or scores" in error
    assert "hint: --judge FILE says that it is judgments" in error
    assert run(["judges", str(reference), "--judge", str(unclear)]) == 0


def test_a_judge_may_be_named_or_in_memory(place: Path) -> None:
    noisy = as_dict(read(place / "noisy.qrels"))
    named = irassay.judges(place / "qrels.txt", None, judges={"gpt": noisy})
    read_before = irassay.judges(place / "qrels.txt", [irassay.read_qrels(place / "noisy.qrels")])
    by_path = irassay.judges(place / "qrels.txt", None, judges=[place / "noisy.qrels"])
    values = [rows_of(result["labels"])[0]["kappa_low"] for result in (named, read_before, by_path)]
    assert values[0] == values[1] == values[2]
    assert named["judges"]["judge"][1] == "gpt"


def test_a_collections_file_may_name_judges(place: Path) -> None:
    (place / "irassay.toml").write_text(
        '[[collection]]\nname = "a"\nqrels = "qrels.txt"\nruns = ["runs"]\njudges = ["noisy.qrels"]\n'
        '[[collection]]\nname = "b"\nqrels = "noisy.qrels"\nruns = ["runs"]\njudges = ["qrels.txt"]\n'
    )
    result = irassay.judges(place / "irassay.toml", **FAST)
    kappa = {r["collection"]: r["kappa"] for r in rows_of(result["labels"]) if r["stratum"] == "all"}
    assert kappa["a"] == pytest.approx(kappa["b"])  # reference and judge have changed places
    assert kappa["a"] == rows_of(compared(place, "noisy")["labels"])[0]["kappa"]


def test_numbers_are_the_same_for_any_number_of_threads(place: Path) -> None:
    options: dict[str, Any] = {"groups": str(place / "groups.txt")}
    one, three = (compared(place, "noisy", "half", jobs=jobs, **options) for jobs in (1, 3))
    for table in one.tables:
        assert repr(list(table.rows())) == repr(list(three[table.name].rows()))


def test_grades_are_mapped_for_all_judges_or_for_one(place: Path, tmp_path: Path) -> None:
    binary = compared(place, "noisy", runs=False, map=("2=1",))
    assert max(binary["confusion"]["grade"]) == 1
    lines = [(t, d, 2 if g == 0 else 0 if g == 2 else g) for t, d, g in read(place / "qrels.txt")]
    write(tmp_path / "reversed.qrels", lines)
    result = irassay.judges(place / "qrels.txt", [tmp_path / "reversed.qrels"], map=("reversed.qrels:2=0,0=2",))
    assert rows_of(result["labels"])[0]["kappa"] == 1.0


def test_negative_grades_are_no_labels(place: Path, tmp_path: Path) -> None:
    lines = read(place / "noisy.qrels")
    write(tmp_path / "some.qrels", [(t, d, g if k % 3 else -1) for k, (t, d, g) in enumerate(lines)])
    result = irassay.judges(place / "qrels.txt", [tmp_path / "some.qrels"])
    assert rows_of(result["labels"])[0]["n"] == sum(1 for k in range(len(lines)) if k % 3)


def test_groups_have_shifts_and_documents(place: Path) -> None:
    result = compared(place, "noisy", groups=str(place / "groups.txt"))
    groups = [r for r in rows_of(result["groups"]) if r["measure"] == "AP"]
    assert [r["group"] for r in groups] == ["group1", "group2", "group3"]
    for r in groups:
        assert r["low"] <= r["shift"] <= r["high"]
        assert r["p_value_holm"] >= r["p_value"]
        assert 0 < r["p_teams"] <= 1
    assert {r["group"] for r in rows_of(result["documents"])} == {"group1", "group2", "group3"}
    strata = {r["stratum"] for r in rows_of(result["labels"])}
    assert {"group group1", "group group2", "group group3"} <= strata


def test_skew_that_misleads_is_a_warning(tmp_path: Path) -> None:
    topics = {str(t): {f"d{k}": int(k == 0) for k in range(40)} for t in range(6)}
    judge = {t: {d: int(d == f"d{1 + int(t) % 2}") for d in documents} for t, documents in topics.items()}
    with pytest.warns(irassay.IrassayWarning, match=r"are grade 0, so coefficients mislead: kappa is -0.03, AC1 0.9"):
        irassay.judges(topics, None, judges={"judge": judge})


# what is wrong with the input


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"map": ("2-1",)}, "maps no grade to another"),
        ({"map": ("gpt:2=1",)}, "there is no judge 'gpt'"),
        ({"alpha": 0.0}, "alpha lies between 0 and 1"),
        ({"ranks": "10,x"}, "write 10,30,100"),
        ({"teams": "teams.txt"}, "--teams needs groups"),
        ({"human": "gpt"}, "there is no judge 'gpt'"),
    ],
)
def test_slips_in_options_are_errors(place: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        compared(place, "noisy", **options)


def test_a_label_out_of_scale_is_an_error_with_its_line(place: Path, tmp_path: Path, capfd: Any) -> None:
    lines = read(place / "noisy.qrels")
    lines[4] = (*lines[4][:2], 10)
    write(tmp_path / "odd.qrels", lines)
    assert run(["judges", str(place / "qrels.txt"), str(tmp_path / "odd.qrels")]) == 2
    error = capfd.readouterr().err
    assert (
        f"odd.qrels:5: 1 label is outside the scale from 0 to 2: the first is grade 10 of document {lines[4][1]}"
        in error
    )
    assert "--map odd.qrels:10=2, or 10=-1 to leave it out" in error
    assert run(["judges", str(place / "qrels.txt"), str(tmp_path / "odd.qrels"), "--map", "odd.qrels:10=2"]) == 0


def test_contradicting_labels_are_an_error_unless_the_first_counts(place: Path, tmp_path: Path) -> None:
    lines = read(place / "noisy.qrels")
    write(tmp_path / "twice.qrels", [*lines, (*lines[0][:2], (lines[0][2] + 1) % 3)])
    with pytest.raises(InputError, match="is judged twice"):
        irassay.judges(place / "qrels.txt", [tmp_path / "twice.qrels"])
    result = irassay.judges(place / "qrels.txt", [tmp_path / "twice.qrels"], duplicates="first")
    assert rows_of(result["labels"])[0]["n"] == len(lines)


def test_judges_that_share_nothing_are_an_error(place: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="shares no topic with the reference"):
        compared(place, "elsewhere", runs=False)
    write(tmp_path / "renamed.qrels", [(t, f"x{d}", g) for t, d, g in read(place / "noisy.qrels")])
    with pytest.raises(InputError, match="share 12 topics, such as 1, but no document"):
        irassay.judges(place / "qrels.txt", [tmp_path / "renamed.qrels", place / "runs"], **FAST)


def test_a_reference_alone_and_runs_alone_are_errors(place: Path) -> None:
    for runs in (None, place / "runs"):
        with pytest.raises(InputError, match="there is no judge to compare with the reference"):
            irassay.judges(place / "qrels.txt", runs)


def test_two_judges_of_one_name_are_an_error(place: Path, tmp_path: Path) -> None:
    write(tmp_path / "noisy.qrels", read(place / "noisy.qrels"))
    with pytest.raises(InputError, match=r"two judges are called 'noisy.qrels'"):
        irassay.judges(place / "qrels.txt", [place / "noisy.qrels", tmp_path / "noisy.qrels"])


def test_the_names_of_majorities_are_taken(place: Path) -> None:
    noisy = place / "noisy.qrels"
    with pytest.raises(InputError, match="a judge is called 'majority of the others'"):
        irassay.judges(place / "qrels.txt", None, judges={"majority of the others": noisy})
    with pytest.raises(InputError, match="a judge is called 'majority'"):
        irassay.judges(place / "qrels.txt", None, judges={"majority": noisy, "a": noisy, "b": noisy})
    assert "majority" in irassay.judges(place / "qrels.txt", None, judges={"majority": noisy})["judges"]["judge"]


def test_a_system_without_a_group_is_an_error(place: Path, tmp_path: Path) -> None:
    (tmp_path / "groups.txt").write_text("sys1 a\nsys2 b\n")
    with pytest.raises(InputError, match="7 of 9 systems are in no group, the first is sys3"):
        compared(place, "noisy", groups=str(tmp_path / "groups.txt"))


# findings, also of the smallest results


def sentences(result: Result) -> str:
    assert result.findings
    assert all(sentence.endswith(".") and "nan" not in sentence.lower() for sentence in result.findings)
    return " ".join(result.findings)


def test_findings_say_who_agrees_and_what_it_costs(place: Path) -> None:
    result = compared(place, "noisy", "lenient", groups=str(place / "groups.txt"))
    text = sentences(result)
    order = {r["judge"]: r["tau"] for r in rows_of(result["order"]) if r["measure"] == "AP"}
    best = max(order, key=lambda judge: order[judge])
    assert f"In AP {best} orders the 9 systems most like qrels.txt (tau {order[best]:.2f}" in text
    assert "paired t-test at 0.05 per comparison, not corrected" in text
    assert "the most robust to the judge" in text
    assert "lenient.qrels judges" in text


def test_findings_say_whose_order_is_least_like_that_of_the_others(place: Path) -> None:
    result = compared(place, "copy", "noisy", "lenient")
    rows = [r for r in rows_of(result["order"]) if (r["measure"], r["reference"]) == ("AP", "majority of the others")]
    least = min(rows, key=lambda r: r["tau"])
    start = f"Each judge against the majority of the others: in AP {least['judge']} orders the systems least like it"
    assert f"{start} (tau {least['tau']:.2f}, " in sentences(result)


def test_a_judge_who_favours_a_group_is_named(place: Path, tmp_path: Path) -> None:
    lines, groups = read(place / "qrels.txt"), (place / "groups.txt").read_text().split("\n")
    favoured = [line.split()[0] for line in groups if line.endswith("group2")]
    high = {
        (topic, document)
        for name in favoured
        for topic, _, document, rank, *_ in map(str.split, (place / "runs" / f"{name}.txt").read_text().splitlines())
        if int(rank) <= 20
    }
    write(tmp_path / "friend.qrels", [(t, d, max(g, int((t, d) in high))) for t, d, g in lines])
    result = irassay.judges(
        place / "qrels.txt", [tmp_path / "friend.qrels", place / "runs"], groups=str(place / "groups.txt"), **FAST
    )
    assert "friend.qrels favours group2: +0." in sentences(result)
    documents = row(result, "documents", group="group2")
    # nothing else is changed: all own documents are relevant, and other systems' as the reference says
    assert documents["chance"] > 0.5
    assert documents["p_value_holm"] < 0.001


@pytest.mark.parametrize(
    "judge",
    [
        {"1": {"a": 1, "b": 0}},  # one topic
        {"1": {"a": 1}, "2": {"a": 1}},  # one grade is all
        {"1": {"a": 0, "b": 1}, "2": {"a": 0, "b": 1}},  # the opposite
    ],
)
def test_the_smallest_results_have_findings(judge: dict[str, dict[str, int]]) -> None:
    reference = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}}
    assert "give the same grade to" in sentences(irassay.judges(reference, None, judges={"gpt": judge}))


def test_few_systems_are_too_few_for_an_order(place: Path) -> None:
    result = irassay.judges(
        place / "qrels.txt", [place / "noisy.qrels", place / "runs" / "sys1.txt", place / "runs" / "sys2.txt"], **FAST
    )
    assert "There is 1 pair of systems: too few" in sentences(result)
    with pytest.raises(InputError, match="there is one system only"):
        irassay.judges(place / "qrels.txt", [place / "noisy.qrels", place / "runs" / "sys1.txt"], **FAST)


def test_a_screen_of_80_columns_shows_the_main_tables(place: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    arguments = ["qrels.txt", "noisy.qrels", "half.qrels", "runs", "--groups", "groups.txt"]
    monkeypatch.chdir(place)
    assert run(["judges", *arguments, "-m", "AP", "--resamples", "50", "--permutations", "99"]) == 0
    captured = capfd.readouterr()
    tables = [line for line in captured.out.splitlines() if "  " in line]
    assert "ceiling:" in captured.out
    assert "Not shown: confusion, pairs, systems, ranks, more of labels" in captured.err
    runs = "runs/sys1.txt, runs/sys2.txt, runs/sys3.txt, runs/sys4.txt, … and last runs/sys9.txt"
    assert f"Reference: qrels.txt. Judges: noisy.qrels and half.qrels. Runs: {runs}." in captured.err
    assert max(len(line) for line in tables if line.startswith(("noisy", "half", "AP"))) <= 80


@pytest.mark.parametrize("digits", [1, 5])
def test_a_screen_has_as_many_decimals_as_asked_for(
    place: Path, digits: int, capfd: pytest.CaptureFixture[str]
) -> None:
    files = [str(place / name) for name in ("qrels.txt", "noisy.qrels", "runs")]
    options = ["-m", "AP", "--resamples", "20", "--groups", str(place / "groups.txt"), "--permutations", "99"]
    assert run(["judges", *files, *options, "--digits", str(digits)]) == 0
    shown = capfd.readouterr().out
    halves = re.findall(r"[0-9]\.([0-9]+) ± [0-9]\.([0-9]+)", shown.partition("Judges, the reference first")[2])
    assert len(halves) > 20
    assert {len(part) for half in halves for part in half} == {digits}
    order = next(line for line in shown.partition("Order of systems")[2].splitlines() if "noisy.qrels" in line)
    assert {len(part) for part in re.findall(r"[0-9]\.([0-9]+)", order)} == {digits}


def test_topics_that_are_left_out_are_said(place: Path) -> None:
    (chosen,) = compared(place, "copy", topics="1-8", runs=False).findings[-1:]
    assert chosen == "Evaluated are 8 of 12 judged topics: the others are not among --topics."
    other = as_dict(read(place / "qrels.txt"))
    other["1"] = dict.fromkeys(other["1"], 0)
    files = place.parent / "zero.qrels"
    write(files, [(topic, document, grade) for topic, own in other.items() for document, grade in own.items()])
    result = irassay.judges(place / "qrels.txt", [files, place / "runs"], **FAST)
    said = [one for one in result.findings if one.startswith("Systems are compared with")]
    assert len(said) == 1
    assert "on 11 of 12 topics in common: the others have no relevant document by one of the two" in said[0]
