"""What `irassay check` finds in the data that could mislead, from the worst on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from irassay.result import Concern, Result
from irassay.studies.check.headline import KINDS
from irassay.studies.check.settings import Check
from irassay.studies.execution import run_study

pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
TOPICS = range(1, 31)


def good(name: str, topics: Any = TOPICS) -> str:
    """Twelve judged documents for every topic, the relevant ones first, with scores of their own."""
    return "".join(f"{t} Q0 d{k} {k} {20.5 - k - t / 100 * k * k:.4f} {name}\n" for t in topics for k in range(1, 13))


QRELS = "".join(f"{t} 0 d{k} {int(k <= 4)}\n" for t in TOPICS for k in range(1, 13))


def check(folder: Path, runs: dict[str, str], qrels: str = QRELS, **options: Any) -> Result:
    (folder / "runs").mkdir()
    (folder / "qrels").write_text(qrels)
    for name, text in runs.items():
        (folder / "runs" / name).write_text(text)
    return run_study(Check(**options), folder / "qrels", folder / "runs")


def concerns(result: Result) -> dict[str, Concern]:
    listed = result.headline.concerns
    assert [one.severity for one in listed] == sorted((one.severity for one in listed), reverse=True)
    assert all(0 < one.severity <= 1 and one.text.endswith(".") for one in listed)
    worst: dict[str, Concern] = {}
    for one in listed:
        worst.setdefault(one.title, one)
    return worst


def test_clean_data_have_no_concern_but_few_topics(tmp_path: Path) -> None:
    result = check(tmp_path, {"a": good("a"), "b": good("b")})
    assert list(concerns(result)) == ["Few topics"]
    assert result.headline.title.endswith(": 2 systems, 30 topics")


def test_ties_are_the_worse_the_further_they_move_a_system(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "near").mkdir()
    lines = [f"{t} Q0 d{k} {k} {k > 2:d} tied\n" for t in TOPICS for k in range(1, 13)]
    far = check(tmp_path / "far", {"a": good("a"), "tied": "".join(lines)}, measures=("P@4",))
    concern = concerns(far)["Ties"]
    assert concern.text == "The order of tied documents decides whether tied scores 0.00 or 0.50 by P@4."
    assert concern.severity == 0.9
    single = good("tied").replace("1 Q0 d5 5 15.2500 tied", "1 Q0 d5 5 16.3400 tied")  # as d4 of topic 1
    near = check(tmp_path / "near", {"a": good("a"), "tied": single}, measures=("P@4",))
    assert len(near["ties"]) == 1
    assert 0 < concerns(near)["Ties"].severity < 0.1


def test_few_judged_documents_are_told_by_the_worst_run(tmp_path: Path) -> None:
    def unjudged(name: str, share: float) -> str:
        lines = good(name).splitlines()
        return "".join(
            line.replace(" d", " u") + "\n" if int(line.split()[3]) <= 10 * share else line + "\n" for line in lines
        )

    result = check(tmp_path, {"a": good("a"), "b": unjudged("b", 0.2), "c": unjudged("c", 0.7)})
    concern = concerns(result)["Few judged documents"]
    assert concern.text == (
        "Of c only 30% of the first 10 documents are judged, and of 1 more run less than 90%: unjudged ones count as "
        "not relevant."
    )
    assert concern.severity == pytest.approx(0.75 * 0.7 + 0.25 * 2 / 3, abs=0.001)
    assert concern.text in result.findings


def test_what_many_runs_share_is_one_concern(tmp_path: Path) -> None:
    ranked = {
        name: "".join(f"{t} Q0 d{k} {k} {13 - k} {name}\n" for t in TOPICS for k in range(1, 13)) for name in "abc"
    }
    concern = concerns(check(tmp_path, ranked))["Scores made from ranks"]
    assert concern.text.startswith("The scores of 3 runs, such as a and b, say no more than the rank: their size")
    assert concern.severity == 0.3  # of all runs


def test_orders_that_disagree_only_among_ties_are_no_concern(tmp_path: Path) -> None:
    lines = [line.split() for line in good("t").splitlines()]
    for row in lines:
        row[4] = f"{max(float(row[4]), 10.0):.4f}"  # the last ones are tied
    tied = [row for row in lines if row[4] == "10.0000"]
    assert tied
    for row in tied:
        row[3] = str(25 - int(row[3]))  # ranks fall where scores are equal
    result = check(tmp_path, {"t": "".join(" ".join(row) + "\n" for row in lines)})
    assert "rank-file-order" in result["problems"]["code"]
    assert "Orders that disagree" not in concerns(result)
    (tmp_path / "two").mkdir()
    for row in lines:
        row[3] = str(25 - int(row[3]))
    turned = check(tmp_path / "two", {"t": "".join(" ".join(row) + "\n" for row in lines)})
    concern = concerns(turned)["Orders that disagree"]
    assert concern.text == "In t ranks and scores disagree: the order of scores counts."
    assert concern.severity > 0.6


def test_missing_topics_are_told_by_the_run_that_lacks_most(tmp_path: Path) -> None:
    runs = {"a": good("a"), "b": good("b", range(1, 25)), "c": good("c", range(1, 29))}
    concern = concerns(check(tmp_path, runs))["Missing topics"]
    assert concern.text == (
        "b has no documents for 6 of 30 topics, and scores 0 there; topics are missing from 1 more run."
    )
    assert concern.severity == pytest.approx(0.3 + 0.6 * 0.2)


def test_topics_without_relevant_documents_duplicates_and_too_small_a_corpus_are_concerns(tmp_path: Path) -> None:
    qrels = "".join(line + "\n" for line in QRELS.splitlines() if not line.startswith("30 ")) + "30 0 d1 0\n"
    doubled = good("a") + "30 Q0 d1 13 0.5 a\n"
    found = concerns(check(tmp_path, {"a": doubled, "b": good("b")}, qrels, corpus_size=5))
    assert "1 topic without relevant documents" in found["Topics without relevant documents"].text
    assert found["Repeated documents"].text == "In a documents stand twice in a list: the better-ranked one counts."
    assert found["Documents and corpus"].text.startswith("12 documents are retrieved or judged, more than")
    assert found["Documents and corpus"].severity > found["Repeated documents"].severity


def test_few_topics_are_the_worse_the_fewer_they_are(tmp_path: Path) -> None:
    result = check(tmp_path, {"a": good("a", range(1, 8))})
    assert concerns(result)["Few topics"].severity == 0.8
    assert concerns(result)["Few topics"].text.startswith("There are 7 topics:")


def test_a_name_in_a_concern_is_safe_to_show(tmp_path: Path) -> None:
    runs = {"a": good("a"), "b": good("{x}\x1b[1m", range(1, 8))}
    text = concerns(check(tmp_path, runs, names="tag"))["Missing topics"].text
    assert text.startswith("{x}\\x1b[1m has no documents for 23 of 30 topics")


def test_every_severity_is_within_the_scale() -> None:
    assert all(0 < kind.severity <= kind.severity + kind.more <= 1 for kind in KINDS.values())
