"""NTCIR's judgments and runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import irassay
from irassay import align, read_qrels, read_runs
from irassay.errors import InputError, IrassayWarning
from irassay.measures import parse
from irassay.read import tokens
from irassay.settings import NTCIR_MEASURES
from irassay.studies.compare.settings import Compare
from irassay.studies.score.settings import Score
from irassay.studies.uncertainty.settings import Uncertainty
from tests.helpers.files import file, grades_of, rows_of

GRADES = {(b"0101", b"gakkai-1"): 3, (b"0101", b"gakkai-2"): 2, (b"0102", b"gakkai-1"): 1, (b"0102", b"gakkai-3"): 0}


@pytest.mark.parametrize(
    "content",
    [
        b"0101 gakkai-1 L3\n0101 gakkai-2 L2\n0102 gakkai-1 L1\n0102 gakkai-3 L0\n",
        b"0101\tS\tgakkai-1\t1\n0101\tA\tgakkai-2\t1\n0102\tB\tgakkai-1\t0\n0102\tC\tgakkai-3\t0\n",
        b"0101 S gakkai-1\r\n0101 A gakkai-2\r\n0102 B gakkai-1\r\n0102 C gakkai-3",
        b"0101 gakkai-1 S\r0101 gakkai-2 A\r0102 gakkai-1 B\r0102 gakkai-3 C\r",
        b"\n  \n 0101 gakkai-1 S\n\n0101 gakkai-2 A\n0102 gakkai-1 L1\n0102 gakkai-3 C\n",
    ],
    ids=["levels", "early, tabs", "early, three columns", "letters last", "blank lines, both scales"],
)
@pytest.mark.parametrize("block", [1, 1 << 23])
def test_ntcir_judgments_are_read_in_all_their_forms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, block: int
) -> None:
    monkeypatch.setattr(tokens, "BLOCK", block)
    qrels = read_qrels(file(tmp_path, content))
    assert grades_of(qrels) == GRADES
    assert qrels.run_order == "file"


def test_the_form_is_seen_behind_a_long_preface(tmp_path: Path) -> None:
    preface = b"# " + b"about this collection " * 10_000 + b"\n" * 70_000
    with pytest.warns(IrassayWarning, match="ignored 1 comment lines"):
        qrels = read_qrels(file(tmp_path, preface + b"0101 gakkai-1 L3\n"))
    assert grades_of(qrels) == {(b"0101", b"gakkai-1"): 3}


def test_ntcir_judgments_make_file_order_the_default(tmp_path: Path) -> None:
    qrels = read_qrels(file(tmp_path, b"1 b L1\n"))
    run = {"1": {"b": 1.0, "a": 2.0}}
    assert align(qrels, read_runs(run)).policy["order"] == "file"
    assert align({"1": {"b": 1}}, read_runs(run)).policy["order"] == "trec"


def test_extra_columns_of_ntcir_judgments_are_counted(tmp_path: Path) -> None:
    with pytest.warns(IrassayWarning, match="ignored extra columns on 2 lines"):
        qrels = read_qrels(file(tmp_path, b"1 S a 1 x\n1 B b 0\n1 C c 0 y z\n"))
    assert sorted(grades_of(qrels).values()) == [0, 1, 3]
    with pytest.warns(IrassayWarning, match="ignored extra columns on 1 lines"):
        read_qrels(file(tmp_path, b"1 a L1\n1 b L2 really\n"))


def test_malformed_lines_of_ntcir_judgments_are_reported_together(tmp_path: Path) -> None:
    path = file(tmp_path, b"1 a L3\n# all right\n1 b L\n1\n2 b L2\n2 c D\n")
    with pytest.raises(InputError) as caught:
        read_qrels(path)
    assert [problem.where for problem in caught.value.problems] == [f"{path}:{n}" for n in (3, 4, 6)]
    assert caught.value.what == "expected NTCIR's topic document L1, found '1 b L'"
    assert "S A B C" in caught.value.hint


def test_repeated_ntcir_judgments_are_found_at_their_own_line(tmp_path: Path) -> None:
    path = file(tmp_path, b"# early\n1 S a 1\n\n1 B a 0\n")
    with pytest.raises(InputError, match="document a of topic 1 is judged twice: grade 3, then 1") as caught:
        read_qrels(path)
    assert caught.value.where == f"{path}:4"


DESCRIPTIONS = {
    b"<SYSDESC>BM25 over titles</SYSDESC>\n": 2,
    b"<SYSDESC>\nBM25 over titles and\n\n  all of their six words\n</SYSDESC>\n": 6,
    b"<SYSDESC>BM25 over\ntitles</SYSDESC> \n\n": 4,
    b"\n \n<SYSDESC>BM25</SYSDESC>\n": 4,
    b"# NTCIR-9\n\n  <sysdesc>BM25</sysdesc>\n": 4,
    b"<SYSDESC>never closed\n": 2,
    b"\xef\xbb\xbf<SYSDESC>BM25</SYSDESC>\r\n": 2,
}


@pytest.mark.parametrize("description", DESCRIPTIONS)
def test_a_description_before_an_ntcir_run_is_passed_over_and_counts_as_lines(
    tmp_path: Path, description: bytes
) -> None:
    lines = b"0101 0 gakkai-1 1 3.5 TEAM-1\n0101 0 <SYSDESC> 2 2.5 TEAM-1\n"
    with pytest.warns(IrassayWarning, match=r"ignored \d comment lines"):
        runs = read_runs(file(tmp_path, description + lines))
    first = DESCRIPTIONS[description]
    assert rows_of(runs, "TEAM-1") == [(b"0101", b"gakkai-1", 3.5, first), (b"0101", b"<SYSDESC>", 2.5, first + 1)]


NTCIR_QRELS = b"".join(b"%d d%d L%d\n" % (t, n, (n * t) % 3) for t in (1, 2, 3) for n in range(9))


def test_with_ntcir_judgments_studies_say_what_ntcireval_does_otherwise(tmp_path: Path) -> None:
    qrels = file(tmp_path, NTCIR_QRELS, "qrels")
    run = {"a": {t: {f"d{n}": float((n * 5 + int(t)) % 9) for n in range(9)} for t in "123"}}
    assert read_qrels(qrels).format == "NTCIR"
    problems = irassay.check(qrels, run)["problems"]
    (what,) = [what for code, what in zip(problems["code"], problems["what"], strict=True) if code == "ntcir-defaults"]
    assert "min(k,R)" in str(what)
    assert "--preset ntcir" in str(what)
    assert "ntcir-defaults" not in irassay.check(qrels, run, preset="ntcir")["problems"]["code"]


def test_the_preset_of_ntcir_takes_the_order_and_the_measures_of_ntcireval_unless_others_are_given() -> None:
    (preset,) = NTCIR_MEASURES
    chosen = Score(preset="ntcir")
    assert (chosen.order, chosen.measures) == ("file", (preset,))
    assert [str(measure) for measure in parse(preset)] == preset.split()
    own = Compare(preset="ntcir", order="trec", measures=("RR",))
    assert (own.order, own.measures) == ("trec", ("RR",))
    assert Compare(preset="ntcir", scores=("table.csv",)).order is None
    assert Uncertainty(preset="ntcir").measures == (preset,)
    assert Score().order is None
