"""`irassay check` on a collection made by hand: its numbers, and every problem at its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from irassay.cli import run
from irassay.result import Result
from irassay.studies.check.settings import Check
from irassay.studies.execution import run_study

QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 2\n1 0 p -1\n2 0 a 1\n2 0 b 0\n"
GOOD = "1 Q0 c 1 3.5 good\n1 Q0 a 2 2 good\n1 Q0 b 3 1 good\n2 Q0 b 1 2 good\n2 Q0 a 2 1.5 good\n"
Rows = dict[str, Any]


def check(folder: Path, runs: dict[str, str], qrels: str = QRELS, **options: Any) -> Result:
    (folder / "runs").mkdir()
    (folder / "qrels").write_text(qrels)
    for name, text in runs.items():
        (folder / "runs" / name).write_text(text)
    return run_study(Check(**options), folder / "qrels", folder / "runs")


def problems(result: Result, folder: Path) -> set[tuple[str, str, str]]:
    return {(str(c), str(w).removeprefix(f"{folder}/"), str(t)) for c, w, t in result["problems"].rows()}


def values(result: Result, table: str) -> dict[object, Any]:
    return {row[0]: row[1] if len(row) == 2 else row[1:] for row in result[table].rows()}


def test_clean_data_has_no_problems(tmp_path: Path, capfd: Any) -> None:
    result = check(tmp_path, {"good": GOOD}, corpus_size=10)
    assert (len(result["problems"]), result["problems"].caption) == (0, "Problems: none found")
    assert len(result["ties"]) == 0
    assert run(["check", str(tmp_path / "qrels"), str(tmp_path / "runs")]) == 0
    assert capfd.readouterr().out.endswith("\n\nProblems: none found\n")


def test_the_collection_is_counted(tmp_path: Path) -> None:
    other = "1 Q0 x 1 3 other\n1 Q0 p 2 2 other\n1 Q0 y 3 1 other\n1 Q0 z 4 0.5 other\n"
    (tmp_path / "groups").write_text("good G1\nother G2\n")
    result = check(
        tmp_path, {"good": GOOD, "other": other}, QRELS + "3 0 a 1\n", corpus_size=9, groups=str(tmp_path / "groups")
    )
    assert values(result, "collection") == {
        "topics with judgments": 3,
        "topics evaluated": 2,
        "runs": 2,
        "groups": 2,
        "format of QRELS": "TREC",
        "formats of the runs": "TREC (2)",
        "documents in the corpus": 9,
        "documents retrieved or judged": 7,
        "judgments": 5,
        "pooled but not judged": 1,
        "lists (a run's answer to a topic)": 3,
        "documents per list, mean": 3.0,
        "documents per list, least": 2,
        "documents per list, most": 4,
        "pool depth": "the judgments show none (--pool-depth)",
        "order of lists": "trec",
    }


def test_the_judgments_have_a_mean_and_a_range_per_topic(tmp_path: Path) -> None:
    result = check(tmp_path, {"good": GOOD})
    assert tuple(result["judgments"].columns) == ("per_topic", "mean", "min", "max", "total")
    assert values(result, "judgments") == {
        "R (relevant)": (1.5, 1, 2, 3),
        "N (judged nonrelevant)": (1.0, 1, 1, 2),
        "grade 1": (1.0, 1, 1, 2),
        "grade 2": (0.5, 0, 1, 1),
    }


def test_the_systems_have_their_depths_and_shares(tmp_path: Path) -> None:
    lines = "".join(f"1 Q0 {d} {r} {-(r // 2)} deep\n" for r, d in enumerate(["a", *range(118), "c"], 1))
    result = check(tmp_path, {"deep": lines + "2 Q0 a 1 1 deep\n"}, pool_depth=1)
    row = dict(zip(result["systems"].columns, next(result["systems"].rows()), strict=True))
    assert row == {
        "system": "deep",
        "topics": 2,
        "shortest": 1,
        "median": 60.5,
        "longest": 120,
        "judged@10": (0.1 + 1) / 2,
        "judged@100": (0.01 + 1) / 2,
        "judged@1": 1.0,
        "tied": 118 / 121,  # all but the first and the last of topic 1, and topic 2
        "file": str(tmp_path / "runs" / "deep"),
    }


def test_ties_show_the_worst_and_the_best_score_and_the_first_place(tmp_path: Path) -> None:
    tied = "1 Q0 x 1 5 tied\n1 Q0 a 2 4 tied\n1 Q0 b 3 4 tied\n2 Q0 a 1 2 tied\n2 Q0 x 2 1 tied\n"
    tied += "2 Q0 y 3 1 tied\n"
    result = check(tmp_path, {"good": GOOD, "tied": tied}, measures=("RR P@2",))
    assert tuple(result["ties"].columns) == (
        "system", "RR worst", "RR", "RR best", "P@2 worst", "P@2", "P@2 best", "first_tie",
    )  # fmt: skip
    worst = pytest.approx((1 / 3 + 1) / 2)
    assert values(result, "ties") == {
        "tied": (worst, worst, 0.75, 0.25, 0.25, 0.5, f"{tmp_path / 'runs' / 'tied'}:2"),
    }
    assert "moves 1 of 2 systems" in result["ties"].caption


def test_an_order_that_ignores_scores_has_no_ties(tmp_path: Path) -> None:
    tied = "1 Q0 a 1 4 tied\n1 Q0 b 2 4 tied\n2 Q0 a 1 2 tied\n"
    result = check(tmp_path, {"tied": tied}, order="file")
    assert len(result["ties"]) == 0
    assert result["ties"].caption == "Ties: none, because lists are in file order"


def test_ties_that_do_not_show_are_kept_in_json_and_left_out_on_screen(tmp_path: Path, capfd: Any) -> None:
    lines = [f"1 Q0 d{n} {n} {-n} long\n" for n in range(1, 500)]
    check(tmp_path, {"long": "".join(lines) + "1 Q0 c 500 -500 long\n1 Q0 x 501 -500 long\n"}, "1 0 c 1\n1 0 e 1\n")
    assert run(["check", str(tmp_path / "qrels"), str(tmp_path / "runs")]) == 0
    assert "moves 1 of 1 systems, the most moved first (1 of them by less than is shown" in capfd.readouterr().out
    assert run(["check", str(tmp_path / "qrels"), str(tmp_path / "runs"), "--format", "json"]) == 0
    (row,) = json.loads(capfd.readouterr().out)["ties"]
    assert (row["AP worst"], row["AP best"]) == (1 / 501 / 2, 1 / 500 / 2)


CASES = {
    "duplicates": (
        "# note\n1 Q0 c 1 4 r\n1 Q0 a 2 3.5 r\n1 Q0 c 3 1 r\n2 Q0 a 1 2 r\n",
        "runs/r:4",
        "document c appears twice for topic 1 (first at line 2)",
    ),
    "missing-topics": ("1 Q0 c 1 2 r\n", "runs/r", "no documents, and so score 0, for 1 topic: 2"),
    "tags": (
        "1 Q0 c 1 2 r\n2 Q0 a 1 1 s\n",
        "runs/r",
        "the tag column is not constant, so the system is named by its file",
    ),
    "ranks": ("1 Q0 c 1 2 r\n2 Q0 a first 1 r\n", "runs/r:2", "the rank is not a whole number"),
    "file-order": (
        "1 Q0 c 2 1 r\n2 Q0 a 1 7 r\n1 Q0 a 1 2 r\n",
        "runs/r:3",
        "the score rises down the file in 1 place, first in topic 1: file order is not score order",
    ),
    "rank-file-order": (
        "1 Q0 c 2 5 r\n1 Q0 a 1 5 r\n1 Q0 b 1 1 r\n2 Q0 a 1 7 r\n",
        "runs/r:2",
        "the rank does not rise down the file in 2 places, first in topic 1: rank order is not file order",
    ),
    "rank-order": (
        "2 Q0 a 1 2 r\n1 Q0 c 2 5 r\n1 Q0 a 1 3 r\n",
        "runs/r:2",
        "a worse rank has a better score in 1 place, first in topic 1: rank order is not score order",
    ),
    "constant-scores": (
        "1 Q0 c 1 0 r\n1 Q0 a 2 0 r\n1 Q0 b 3 0 r\n2 Q0 a 1 0 r\n",
        "runs/r:1",
        "every score is 0: ties decide the whole order",
    ),
    "rank-derived-scores": (
        "1 Q0 c 1 1000 r\n1 Q0 a 2 999 r\n1 Q0 b 3 998 r\n2 Q0 a 1 1000 r\n2 Q0 b 2 999 r\n",
        "runs/r:1",
        "scores change in equal steps: they say no more than the rank",
    ),
    "unjudged-topics": (
        "1 Q0 c 1 2 r\n7 Q0 a 1 1 r\n2 Q0 a 1 1 r\n",
        "runs/r:2",
        "1 topic of the runs without judgments, ignored: 7",
    ),
    "ignored": ("1 Q0 c 1 2 r\n# note\n# more\n2 Q0 a 1 1 r\n", "runs/r", "ignored 2 comment lines"),
}


@pytest.mark.parametrize("code", CASES)
def test_every_problem_of_a_run_is_found_at_its_place(tmp_path: Path, code: str) -> None:
    text, where, what = CASES[code]
    found = problems(check(tmp_path, {"r": text, "good": GOOD}), tmp_path)
    mine = {(place, said) for kind, place, said in found if kind == code}
    assert mine == {(where, what)}
    assert not any("good" in place for _, place, _ in found)


def test_ranks_that_differ_from_the_file_among_ties_only_are_reported_as_such(tmp_path: Path) -> None:
    lines = "1 Q0 c 2 5 r\n1 Q0 a 1 5 r\n1 Q0 b 3 1 r\n2 Q0 a 1 7 r\n"
    what = "the rank does not rise down the file in 1 place, first in topic 1: rank order is not file order"
    assert problems(check(tmp_path, {"r": lines}), tmp_path) == {
        ("rank-file-order", "runs/r:2", f"{what}, but only among tied documents")
    }


def test_reciprocal_ranks_in_every_topic_are_no_scores(tmp_path: Path) -> None:
    lines = "".join(f"{t} Q0 {d} {r} {1 / r!r} r\n" for t in (1, 2) for r, d in enumerate("abc", 1))
    found = problems(check(tmp_path, {"r": lines}), tmp_path)
    what = "every topic has the same scores: they say no more than the rank"
    assert found == {("rank-derived-scores", "runs/r:1", what)}


def test_ranks_from_which_a_few_documents_were_taken_out_are_no_scores(tmp_path: Path) -> None:
    def lines(gaps: int) -> str:
        scores = [1000 - r for r in range(500) if r % 100 or r >= 100 * gaps]
        return "".join(f"1 Q0 d{r} {r} {s} r\n" for r, s in enumerate(scores))

    def told(gaps: int, folder: Path) -> bool:
        folder.mkdir()
        return "rank-derived-scores" in {code for code, *_ in problems(check(folder, {"r": lines(gaps)}), folder)}

    assert told(4, tmp_path / "few")
    spread = "".join(f"1 Q0 d{r} {r} {1000 - 2 * r + r % 7} r\n" for r in range(500))
    (tmp_path / "other").mkdir()
    found = problems(check(tmp_path / "other", {"r": spread}), tmp_path / "other")
    assert "rank-derived-scores" not in {code for code, *_ in found}


def test_infinite_scores_are_looked_through_without_a_complaint(tmp_path: Path, recwarn: Any) -> None:
    lines = "1 Q0 c 1 inf r\n1 Q0 a 2 inf r\n1 Q0 b 3 -inf r\n1 Q0 x 4 -inf r\n2 Q0 a 1 2 r\n"
    assert problems(check(tmp_path, {"r": lines}), tmp_path) == set()
    assert not recwarn.list


def test_topics_without_relevant_documents_and_without_answers_are_named(tmp_path: Path) -> None:
    found = problems(check(tmp_path, {"good": GOOD}, "1 0 c 0\n2 0 a 1\n5 0 a 1\n"), tmp_path)
    assert found == {
        ("no-relevant", "qrels", "1 topic without relevant documents, kept with score 0: 1"),
        ("unanswered-topics", "qrels", "1 judged topic answered by no run, and left out: 5"),
    }


def test_contradicting_judgments_are_named(tmp_path: Path) -> None:
    found = problems(check(tmp_path, {"good": GOOD}, QRELS + "2 0 a 2\n"), tmp_path)
    assert [code for code, _, _ in found] == ["duplicates"]


def test_unjudged_documents_above_the_pools_depth_are_found(tmp_path: Path) -> None:
    lines = "1 Q0 c 1 9.5 r\n1 Q0 x 3 2 r\n1 Q0 p 2 4 r\n1 Q0 y 4 1 r\n2 Q0 a 1 7 r\n"
    found = problems(check(tmp_path, {"good": GOOD, "r": lines}, pool_depth=2), tmp_path)
    what = "1 of the 3 documents in the first 2 ranks are not judged: did this run contribute to the pool?"
    assert {(w, t) for c, w, t in found if c == "outside-pool"} == {("runs/r:3", what)}


def test_a_corpus_that_cannot_hold_its_documents_is_reported(tmp_path: Path) -> None:
    found = problems(check(tmp_path, {"good": GOOD}, corpus_size=3), tmp_path)
    what = "4 documents are retrieved or judged, more than the corpus of 3 holds"
    assert found == {("corpus-size", "--corpus-size", what)}


def test_gaps_between_groups_and_runs_are_reported(tmp_path: Path) -> None:
    (tmp_path / "groups").write_text("absent G\ngone H\n")
    result = check(tmp_path, {"good": GOOD}, groups=str(tmp_path / "groups"))
    assert problems(result, tmp_path) == {
        ("groups", "runs/good", f"system good is in no group of {tmp_path}/groups"),
        ("groups", "groups", "without a run: absent, gone"),
    }


def test_the_screen_and_json_show_the_same_tables(tmp_path: Path, capfd: Any) -> None:
    result = check(tmp_path, {"good": GOOD}, corpus_size=3)
    arguments = ["check", str(tmp_path / "qrels"), str(tmp_path / "runs"), "--corpus-size", "3"]
    assert run([*arguments, "--format", "json"]) == 0
    content = json.loads(capfd.readouterr().out)
    assert set(content) == {"provenance", "collection", "judgments", "systems", "ties", "problems"}
    for table in result.tables:
        assert [tuple(row.values()) for row in content[table.name]] == list(table.rows())
    assert run([*arguments, "-o", str(tmp_path / "out")]) == 0
    assert capfd.readouterr() == ("", "")
    shown = (tmp_path / "out").read_text()
    assert all(table.caption in shown for table in result.tables)
    assert "documents per list, mean" in shown
