"""Tables for papers: wide ones with signs of significance, widths that fit, and that LaTeX takes them all."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.cli import run
from irassay.errors import InputError, IrassayWarning
from irassay.report import to_latex, to_markdown, wide, with_digits
from irassay.result import Result, Table
from tests.helpers.saved_results import result as saved_result

LONG = "a rather long name of a test, the same in all rows"
MEASURES = ("AP", "nDCG@10", "RBP(p=0.95)", "P@10", "RR")
pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")

ROWS: dict[str, list[Any]] = {
    "measure": ["AP", "AP", "AP", "RR", "RR", "RR"],
    "system": ["bm25", "a_b", "c", "bm25", "c", "a_b"],
    "mean": [0.25, 0.5, 0.125, 0.75, 0.75, None],
    "marker": ["", "↑", "↓", "", "", ""],
}


def compared(folder: Path, systems: int, measures: int, **options: Any) -> Result:
    """A comparison of so many systems of different quality."""
    draw = np.random.default_rng(systems + measures)
    quality = draw.normal(0.35, 0.06, systems)
    lines = ["system,topic,measure,score"]
    for measure in MEASURES[:measures]:
        topics = draw.normal(0, 0.1, 30)
        for s in range(systems):
            values = np.clip(quality[s] + topics + draw.normal(0, 0.08, 30), 0, 1)
            lines += [f"system_{s:02d},{t},{measure},{value}" for t, value in enumerate(values)]
    (folder / "scores.csv").write_text("\n".join([*lines, ""]))
    return irassay.compare(scores=folder / "scores.csv", measures=" ".join(MEASURES[:measures]), **options)


def compiled(program: str, folder: Path, tables: list[str]) -> str:
    """What LaTeX says of the tables, each on a page of two columns."""
    document = (
        r"\documentclass[twocolumn]{article}\usepackage{booktabs}\usepackage[margin=0.8in,columnsep=18pt]{geometry}"
        r"\begin{document}" + "\n\\clearpage\n".join(tables) + r"\end{document}"
    )
    (folder / "t.tex").write_text(document, encoding="utf-8")
    command = [program, "-draftmode", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
    log = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, log[-2000:]
    return log


def test_any_table_compiles_whatever_its_names_hold(pdflatex: str, tmp_path: Path) -> None:
    odd = Table("t", {"[x]": ["[1pt]", "*", "-", "don't", "a--b"], "é": ["ß", "|", '"', "`", "?`"]}, "{[}")
    signs = wide(Table("t", {**ROWS, "system": ["\\x{", "$_b", "†‡§¶≠"] * 2}, r"\input{x} ≠"))
    compiled(
        pdflatex,
        tmp_path,
        [to_latex(odd), to_latex(signs, caption="50% & α", label="a b{"), *map(to_latex, saved_result().tables)],
    )


@pytest.mark.parametrize("systems", [5, 20, 60])
def test_wide_tables_fit_into_one_column_and_two(systems: int, pdflatex: str, tmp_path: Path) -> None:
    tables = []
    for measures in (1, 3, 5):
        result = compared(tmp_path, systems, measures, baseline="system_00")
        tables += [result.to_latex(layout="wide", width=width, label=f"{measures}{width}") for width in ("one", "two")]
        tables.append(result.to_latex(width="two", label=f"{measures}long")) if systems * measures <= 60 else None
    log = compiled(pdflatex, tmp_path, tables)
    assert "too wide" not in log + "".join(tables)
    assert "Float too large" not in log


def test_letters_of_a_wide_table_fit_or_a_comment_says_that_they_do_not(pdflatex: str, tmp_path: Path) -> None:
    result = compared(tmp_path, 20, 5, resamples=200)
    with pytest.warns(IrassayWarning, match="too wide for one column also in the smallest type: --width two"):
        narrow = result.to_latex(layout="wide", width="one")
    broad = result.to_latex(layout="wide", width="two")
    assert "% too wide all the same" in narrow
    assert "Overfull \\hbox" in compiled(pdflatex, tmp_path, [narrow])
    assert "Overfull \\hbox" not in compiled(pdflatex, tmp_path, [broad])


def test_a_wide_table_has_systems_by_measures_with_signs_and_the_best_in_bold() -> None:
    table = wide(with_digits(Table("t", ROWS, "A caption."), 2))
    assert [line for line in to_latex(table).splitlines() if "&" in line] == [
        r"system & AP & RR \\",
        r"bm25 & 0.25 & \textbf{0.75} \\",
        r"a\_b & \textbf{0.50}\textsuperscript{\dag{}} &  \\",
        r"c & 0.12\textsubscript{\dag{}} & \textbf{0.75} \\",
    ]
    assert "| c | 0.12<sub>†</sub> | **0.75** |" in to_markdown(table)


def test_each_of_several_baselines_has_a_sign_and_letters_stand_above() -> None:
    against: dict[str, list[Any]] = {
        "measure": ["AP"] * 4,
        "against": ["x", "x", "y", "y"],
        "system": ["x", "z", "y", "z"],
        "mean": [0.1, 0.3, 0.2, 0.3],
        "marker": ["", "↑", "", "↓"],
    }
    assert r"\textbf{0.3000}\textsuperscript{\dag{}}\textsubscript{\ddag{}}" in to_latex(wide(Table("t", against)))
    letters: dict[str, list[Any]] = {"measure": ["AP"], "system": ["x"], "mean": [0.5], "letters": ["ab"]}
    assert r"\textbf{0.5000}\textsuperscript{ab}" in to_latex(wide(Table("t", letters)))


def test_a_table_without_systems_and_measures_has_no_wide_layout() -> None:
    without: list[dict[str, list[Any]]] = [{"measure": ["AP"], "tau": [0.5]}, {**ROWS, "topic": ["1"] * 6}]
    for columns in without:
        with pytest.raises(InputError, match="no wide layout"):
            wide(Table("t", columns))


def test_the_caption_says_test_correction_level_and_topics(tmp_path: Path) -> None:
    result = compared(tmp_path, 4, 2, baseline="system_00")
    caption = re.search(r"\\caption\{(.*)\}", result.to_latex(layout="wide"))
    assert caption is not None
    assert caption[1] == (
        r"\dag{} significantly better (as a subscript: worse) than system\_00. Student's paired t test, corrected by "
        r"Holm, $\alpha$ = 0.05, n = 30 topics. Best in bold."
    )
    assert r"\caption{Mine, 100\%}" in result.to_latex(caption="Mine, 100%")
    assert r"\label{tab:main}" in result.to_latex(label="tab:main")
    assert result.to_markdown(caption="Mine").startswith("Mine\n")


def test_digits_are_those_of_scores_and_differences_only(tmp_path: Path) -> None:
    result = compared(tmp_path, 4, 1, baseline="system_00")
    text = result.to_latex(digits=1)
    assert re.search(r"& 0\.\d \[0\.\d, 0\.\d\] & \S+0\.\d \[", text)
    assert re.search(r"& 0\.\d{4} &", text)  # p-values
    assert re.search(r"& \S*0\.\d{6}\\?\S* ", result.to_latex(layout="wide", digits=6))
    with pytest.raises(InputError, match="digits is 18"):
        result.to_latex(digits=18)
    for option in ("layout", "width"):
        with pytest.raises(InputError, match=f"{option} is 'x'"):
            result.to_latex(**{option: "x"})  # type: ignore[arg-type]


def test_a_narrow_table_names_in_its_caption_what_all_rows_share() -> None:
    rows: dict[str, list[Any]] = {
        "system": ["a", "b"],
        "test": [LONG] * 2,
        "x": [1, 2],
    }
    text = to_latex(Table("t", rows, "A caption."), width="one")
    assert r"\begin{tabular}{lr}" in text
    assert "A caption. In every row: test " + LONG in text
    assert r"\begin{tabular}{llr}" in to_latex(Table("t", rows, "A caption."), width="two")


def test_the_command_takes_what_the_method_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = compared(tmp_path, 4, 2, baseline="system_00")
    command = ["compare", "--scores", "scores.csv", "-m", "AP nDCG@10", "--baseline", "system_00"]
    capsys.readouterr()
    assert run([*command, "--latex", "--layout", "wide", "--width", "one", "--caption", "C", "--label", "l"]) == 0
    assert capsys.readouterr().out == result.to_latex(layout="wide", width="one", caption="C", label="l")
    assert run([*command, "--markdown", "--layout", "wide"]) == 0
    assert capsys.readouterr().out == result.to_markdown(layout="wide")
    assert run([*command, "--width", "one"]) == 2
    assert "--width is for --latex" in capsys.readouterr().err


def test_digits_override_the_decimals_of_a_study_without_such_a_setting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    compared(tmp_path, 5, 1, baseline="system_00")
    command = ["power", "--scores", "scores.csv", "-m", "AP", "--resamples", "100"]
    assert run([*command, "--digits", "6"]) == 0
    row = next(line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("AP  "))
    assert {len(cell.split(".")[1]) for cell in row[7:]} == {6}
    assert row[2] == "0.05"
