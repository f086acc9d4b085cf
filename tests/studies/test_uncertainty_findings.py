"""The sentences, pages and screens of `irassay uncertainty` say what its tables hold, and nothing else."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay.cli import run
from irassay.result import Result, Table
from irassay.studies.uncertainty.findings import findings
from tests.helpers.budgets import rows, uncertainty
from tests.helpers.saved_results import content

pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
SAMPLED = ", on topic samples,"
MEASURES = "AP nDCG@10 RR"


@pytest.fixture(scope="module")
def result(tied_demo: Path) -> Result:
    return uncertainty(tied_demo, measures=MEASURES)


def check_first(result: Result, system: str, mean: str, low: str, high: str, share: str | None) -> None:
    best = rows(result, "leaderboard", measure="AP")[0]
    assert best["system"] == system
    assert best["mean"] == max(row["mean"] for row in rows(result, "leaderboard", measure="AP"))
    for shown, name in ((mean, "mean"), (low, "mean_low"), (high, "mean_high")):
        assert float(shown) == pytest.approx(best[name], abs=0.0005)
    assert (share is None) == ("share_first" not in best)
    assert share is None or float(share) == pytest.approx(100 * best["share_first"], abs=0.5)


def check_trust(result: Result, parts: str, what: str) -> None:
    variation = {"topic samples": "topics", "bootstrap corpora": "documents"}[what]
    listed = re.findall(r"([\d.]+) by (\S+?)(?: and |$)", parts)
    assert [measure for _, measure in listed] == list(result.provenance["measures"])[:2]  # type: ignore[call-overload]
    for least, measure in listed:
        (row,) = rows(result, "budget", measure=measure, variation=variation)
        assert float(least) == pytest.approx(row["surviving_difference"], abs=0.0005)


def check_threat(result: Result, listed: str) -> None:
    names = {"bootstrap corpora": "documents", "half of the judgments": "judgments 50%", "shallower pools": "pools"}
    names["half of the judgments on topic samples"] = "judgments 50%+topics"
    shares = []
    for source, share in re.findall(
        r"(?:, )?(.+?)(?: leave the order of)? (\d+)%(?: of the pairs open by AP)?", listed
    ):
        (row,) = rows(result, "budget", measure="AP", variation=names.get(source.lower(), "topics"))
        assert float(share) == pytest.approx(100 * (1 - row["pairs_resolved"]), abs=0.5)
        shares.append((row["kind"] == "sampling", float(share)))
    assert shares == sorted(shares, reverse=True)


def check_sources(result: Result, ratio: str) -> None:
    topics, documents = (
        rows(result, "budget", measure="AP", variation=name)[0]["sd_difference"] for name in ("topics", "documents")
    )
    assert float(ratio) == pytest.approx(documents / topics, abs=0.005)


def check_scenario(result: Result, words: str, measure: str, tau: str, lowest: str) -> None:
    with_topics = words.endswith(SAMPLED)
    name, scenario = words.removesuffix(SAMPLED).replace("pools of", "pools").split(" ", 1)
    if scenario == "of the judgments":
        name, scenario = f"judgments {name}{'+topics' if with_topics else ''}", "mean of all"
    assert bool(lowest) == (scenario == "mean of all")
    mine = rows(result, "scenarios", variation=name)
    (row,) = (row for row in mine if (row["measure"], row["scenario"]) == (measure, scenario))
    assert row["smallest_tau"] == min(other["smallest_tau"] for other in mine)
    assert float(tau) == pytest.approx(row["smallest_tau"], abs=0.005)


def check_own_group(result: Result, shift: str, system: str, measure: str, lost: str, lost_by: str) -> None:
    mine = rows(result, "scenarios", variation="left out")
    (row,) = (row for row in mine if row["measure"] == measure)
    assert row["system"] == system
    assert float(shift) == pytest.approx(max(abs(other["largest_shift"]) for other in mine), abs=0.0005)
    assert float(lost) == max(other["ranks_lost_most"] for other in mine)
    assert float(lost) == next(other["ranks_lost_most"] for other in mine if other["measure"] == lost_by)


SENTENCES = {
    r"(\S+) is first by AP \((\S+), 95% interval (\S+) to (\S+)\)[^,.]*(?:, .* in (\S+)% of .*?)?\. .*": check_first,
    r"Differences of at least (.*) survive (.*)\.": check_trust,
    r"(.* of the pairs open by AP.*)\.": check_threat,
    r"By AP the standard error of a difference over bootstrap corpora is ([\d.]+) times that over .*\.": check_sources,
    r"With (.*) the order of systems agrees least .* by (\S+) \(tau b ([-\d.]+)(, the lowest .*)?\)\.": check_scenario,
    r"A system whose own group .* at most ([\d.]+) \((\S+), (\S+)\) and lose up to (\d+) ranks? \((\S+)\)\. "
    r"Pool depth \d+, .*\.": check_own_group,
}


def check_findings(result: Result) -> int:
    """Every sentence is of a known form, and its numbers are in the tables."""
    assert result.findings == tuple(findings(result))
    for sentence in result.findings:
        ((check, match),) = [
            (check, match) for form, check in SENTENCES.items() if (match := re.fullmatch(form, sentence))
        ]
        check(result, *match.groups())  # type: ignore[operator]
    return len(result.findings)


def test_every_number_in_a_finding_is_in_the_tables(result: Result) -> None:
    assert check_findings(result) == 3 + 4 + 1


@pytest.mark.parametrize(
    ("options", "sentences"),
    [
        ({"vary": "topics", "ask": "order"}, 3),
        ({"vary": "topics", "ask": "ranks"}, 3),
        ({"vary": "documents", "ask": "ranks"}, 3),
        ({"vary": "documents,topics", "ask": "verdicts"}, 4),
        ({"vary": "judgments+topics,documents+topics"}, 3),
        ({"vary": "pools"}, 4),
    ],
)
def test_findings_are_about_what_varied_and_was_asked(options: dict[str, Any], sentences: int, tied_demo: Path) -> None:
    assert check_findings(uncertainty(tied_demo, **{"measures": MEASURES, "replicates": 40, **options})) == sentences


def changed(result: Result, table: str, **columns: Any) -> Result:
    """The result with these values throughout a table."""
    old = result[table]
    new = Table(table, {**old.columns, **{k: [v] * len(old) for k, v in columns.items()}}, old.caption, old.digits)
    return replace(result, tables=tuple(new if one.name == table else one for one in result.tables))


def test_what_is_undefined_is_not_called_a_number(result: Result) -> None:
    said = " ".join(findings(changed(result, "budget", surviving_difference=math.nan, sd_difference=math.nan)))
    assert "By AP and nDCG@10 no difference is so large that it survives" in said
    assert "standard error" not in said
    said = " ".join(findings(changed(result, "scenarios", smallest_tau=math.nan, largest_shift=0.0, system=None)))
    assert "the order of systems agrees least" not in said
    assert "No score of a system would change" in said
    said = " ".join(findings(changed(result, "scenarios", ranks_lost_most=-1.0)))
    assert "and lose no rank." in said
    for sentence in (*result.findings, said):
        assert "nan" not in sentence.split()
        assert "None" not in sentence


# saved, reported, part of a study


def test_a_saved_result_loads_as_it_was_and_its_page_shows_it(tied_demo: Path, tmp_path: Path) -> None:
    result = uncertainty(tied_demo, measures="AP RR", replicates=30, out=str(tmp_path / "out"))
    loaded = irassay.load_result(tmp_path / "out")
    assert content(loaded) == content(result)
    assert {path.stem for path in (tmp_path / "out" / "tables").glob("*.csv")} == {t.name for t in result.tables}
    assert run(["report", str(tmp_path / "out"), "-o", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text()
    assert "The uncertainty budget." in page
    for figure in ("budget", "reversals"):
        assert figure in {one.name for one in loaded.figures}
    assert "How often replicates reverse a pair, by its observed difference" in page


def test_a_full_study_starts_from_the_budget(tied_demo: Path, tmp_path: Path) -> None:
    data = [str(tied_demo / "qrels.txt"), str(tied_demo / "runs")]
    out = tmp_path / "out"
    sizes = ["-m", "AP RR", "--resamples", "100", "--only", "swap,uncertainty,power"]
    assert run(["study", *data, *sizes, "--out", str(out)]) == 0
    part = irassay.load_result(out / "uncertainty")
    assert "pairs" not in part
    alone = irassay.uncertainty(*data, measures="AP RR", replicates=100, ask="ranks,order,reversals")
    assert rows(part, "budget") == rows(alone, "budget")
    assert list(irassay.load_result(out / "overview")["parts"]["part"]) == ["uncertainty", "power", "swap"]
    titles = re.findall(r'<h2 id="title-\d+"><span class="study">(\w+)', (out / "report.html").read_text())
    assert titles == ["Uncertainty", "Power", "Swap", "Study"]


# the screen


def table_lines(text: str) -> list[str]:
    """The rows of tables: what stands between a ruled line and an empty one, and the names above it."""
    lines, inside = text.splitlines(), False
    found = []
    for above, line in zip(["", *lines], lines, strict=False):
        if re.fullmatch(r"-+( +-+)+", line):
            inside = True
            found.append(above)
        inside = inside and bool(line)
        if inside:
            found.append(line)
    return found


@pytest.mark.parametrize("systems", [8, 4])
def test_no_line_of_a_table_is_wider_than_80_characters(
    systems: int, tied_demo: Path, tmp_path: Path, capfd: Any
) -> None:
    runs = []
    for place, path in enumerate(sorted((tied_demo / "runs").iterdir())[:systems]):
        runs.append(tmp_path / f"{place}.txt")
        runs[-1].write_text(path.read_text().replace(path.stem, f"twelve-chars{place}"[-12:]))
    options = ["-m", "AP Q nDCG@10 RR", "--replicates", "20", "--vary", "topics,documents,documents+topics,"]
    options[-1] += "judgments,judgments+topics,pools,simulation,ties,gains"
    assert run(["uncertainty", str(tied_demo / "qrels.txt"), *map(str, runs), *options]) == 0
    lines = table_lines(capfd.readouterr().out)
    assert len(lines) > 40
    assert [line for line in lines if len(line) > 80] == []
    assert any("elve-chars" in line for line in lines)


def test_a_broken_run_is_reported_with_its_line(tied_demo: Path, tmp_path: Path, capfd: Any) -> None:
    broken = tmp_path / "broken.txt"
    broken.write_text("1 Q0 a 1 2.5 x\n1 Q0 b 2 high x\n")
    good = str(tied_demo / "runs" / "sys1.txt")
    assert run(["uncertainty", str(tied_demo / "qrels.txt"), good, str(broken)]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(f"error: {broken}:2: score 'high' is not a number\n\nhint: ")
