"""The functions of studies in Python: typed keywords, every kind of data, saving, and measures as values."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay.cli import run
from irassay.measures import AP, GM, RBP, nDCG
from irassay.studies.registry import load, studies
from irassay.studies.signatures import in_python

STUB = ast.parse((Path(irassay.__file__).parent / "__init__.pyi").read_text(encoding="utf-8"))
DEFINED = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
SMALL: dict[str, Any] = {"measures": "AP", "resamples": 100}


def keywords(node: ast.FunctionDef) -> dict[str, object]:
    """The keywords of a stub with their defaults."""
    defaults = [None if value is None else ast.literal_eval(value) for value in node.args.kw_defaults]
    return dict(zip([argument.arg for argument in node.args.kwonlyargs], defaults, strict=True))


@pytest.mark.parametrize("name", studies())
def test_the_stub_has_every_setting_of_a_study_with_its_default_and_nothing_else(name: str) -> None:
    study = studies()[name]
    classes = (load(f"irassay.settings:{study.execution}"), load(study.settings))
    fields = {field.name: field.default for one in classes for field in dataclasses.fields(one) if field.metadata}
    assert keywords(DEFINED[name.replace("-", "_")]) == fields
    assert keywords(DEFINED[name.replace("-", "_")]).keys() == {
        parameter.name
        for parameter in inspect.signature(getattr(irassay, name.replace("-", "_"))).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


@pytest.mark.parametrize("name", studies())
def test_a_docstring_lists_the_parameters_in_the_words_of_python(name: str) -> None:
    function = getattr(irassay, name.replace("-", "_"))
    lines = (function.__doc__ or "").splitlines()
    listed = lines[lines.index("Parameters") + 2 : lines.index("Returns") - 1]
    assert [line for line in listed if not line.startswith(" ")] == list(inspect.signature(function).parameters)
    assert not re.search(r"--[a-z]|QRELS|RUN\.\.\.|qrels\.txt", re.sub("`irassay [^`]*`", "", function.__doc__))
    assert ast.get_docstring(DEFINED[function.__name__]) == inspect.cleandoc(function.__doc__)


def test_options_are_said_as_keywords() -> None:
    assert in_python("needs --sample-systems; may be repeated") == "needs sample_systems; one or several"


def test_a_keyword_that_a_study_does_not_have_is_an_error_that_says_which_one_was_meant() -> None:
    with pytest.raises(TypeError, match=r"irassay.judges\(\) got an unexpected keyword .*'judge'; .* 'judges'"):
        irassay.judges("a", judge="b")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"help\(irassay.preferred_ranks\)"):
        irassay.preferred_ranks("a", qqq=1)  # type: ignore[call-arg]


def test_score_is_a_function_like_the_others(at: Path) -> None:
    result = irassay.score("qrels.txt", "runs", measures=[AP, nDCG @ 10, GM(AP), "P@5"])
    assert list(dict.fromkeys(result["scores"]["measure"])) == ["AP", "nDCG@10", "GM(AP)", "P@5"]
    scores = irassay.align("qrels.txt", ["runs"]).score("AP nDCG@10 GM(AP) P@5")
    assert list(result["scores"]["score"]) == scores.means().T.ravel().tolist()


@pytest.mark.parametrize("name", ["score", "preferred_ranks", "corpus", "incomplete", "pools", "gains"])
def test_a_panel_stands_in_for_judgments_and_runs(name: str, at: Path) -> None:
    every: dict[str, dict[str, Any]] = {
        "score": {"measures": "AP"},
        "preferred_ranks": {},
        "corpus": {"measures": "AP", "images": 20, "corpus_size": 2000},
        "incomplete": {"measures": "AP", "rates": "50", "resamples": 100},
        "pools": {"measures": "AP", "depths": "5", "resamples": 100},
        "gains": {"measures": "Q", "resamples": 100},
    }
    options = every[name]
    function = getattr(irassay, name)
    panel = irassay.align("qrels.txt", ["runs"], depth=1000)
    expected, got = function("qrels.txt", ["runs"], **options), function(panel, **options)
    assert [list(table.rows()) for table in got.tables] == [list(table.rows()) for table in expected.tables]
    chosen = function("qrels.txt", ["runs"], topics="2-7", **options)
    assert [list(table.rows()) for table in function(panel, topics="2-7", **options).tables] == [
        list(table.rows()) for table in chosen.tables
    ]


def test_a_panel_is_refused_where_a_study_looks_at_the_files(at: Path) -> None:
    panel = irassay.align("qrels.txt", ["runs"])
    for function in (irassay.check, irassay.study, irassay.variance):
        with pytest.raises(irassay.InputError, match="a panel was given"):
            function(panel)
    with pytest.raises(irassay.InputError, match="scores were given"):
        irassay.score(panel.score("AP"))


def test_out_saves_what_the_command_saves(at: Path, tmp_path: Path) -> None:
    irassay.power("qrels.txt", ["runs"], **SMALL, jobs=1, out=tmp_path / "python")
    assert run(["power", "qrels.txt", "runs", "-m", "AP", "--resamples", "100", "--out", str(tmp_path / "shell")]) == 0
    files = {
        place: {str(path.relative_to(tmp_path / place)) for path in (tmp_path / place).rglob("*") if path.is_file()}
        for place in ("python", "shell")
    }
    assert files["python"] == files["shell"]
    first, second = (json.loads((tmp_path / place / "result.json").read_text()) for place in files)
    assert second["provenance"].pop("command")
    assert first["tables"] == second["tables"]
    again = irassay.load_result(tmp_path / "python")
    again.save(tmp_path / "again")
    assert {str(p.relative_to(tmp_path / "again")) for p in (tmp_path / "again").rglob("*") if p.is_file()} == files[
        "shell"
    ]


@pytest.mark.filterwarnings("ignore:.*few-topics")
def test_a_result_gives_its_main_table_as_the_command_prints_it(at: Path, capsys: Any) -> None:
    for name, options in {"compare": {"measures": "AP", "baseline": "s1"}, "design": {"measures": "AP"}}.items():
        result = getattr(irassay, name)("qrels.txt", ["runs"], **options)
        shell = [name, "qrels.txt", "runs", "-m", "AP", *(["--baseline", "s1"] if "baseline" in options else [])]
        capsys.readouterr()
        assert run([*shell, "--latex"]) == 0
        assert capsys.readouterr().out == result.to_latex()
        assert run([*shell, "--markdown"]) == 0
        assert capsys.readouterr().out == result.to_markdown()


def test_any_table_is_given_as_latex_and_markdown(at: Path) -> None:
    result = irassay.power("qrels.txt", ["runs"], **SMALL)
    assert result.to_latex() == result.to_latex("power")
    assert "\\label{tab:pairs}" in result.to_latex("pairs")
    assert result["power"].to_markdown().startswith(result["power"].caption[:20])
    with pytest.raises(KeyError, match="no table 'x'"):
        result.to_latex("x")


def test_a_report_is_written_from_results_and_folders(at: Path, tmp_path: Path) -> None:
    result = irassay.power("qrels.txt", ["runs"], **SMALL)
    result.save(tmp_path / "power")
    irassay.report(result, tmp_path / "one.html")
    irassay.report([tmp_path / "power", result], tmp_path / "two.html")
    irassay.report({"mine": result}, tmp_path / "named.html")
    assert run(["report", str(tmp_path / "power"), "-o", str(tmp_path / "shell.html")]) == 0
    one, shell = ((tmp_path / name).read_text() for name in ("one.html", "shell.html"))
    assert one.count('<span class="study">') == 1
    assert len(one) == len(shell)
    assert (tmp_path / "two.html").read_text().count('<span class="study">') == 2


def test_values_and_lists_are_taken_where_a_command_takes_an_option_again(at: Path) -> None:
    first = irassay.compare("qrels.txt", ["runs"], measures=(RBP(p=0.5), AP @ 10), baseline=["s1", "s2"], by=None)
    again = irassay.compare("qrels.txt", ["runs"], measures="RBP(p=0.5) AP@10", baseline=["s1", "s2"])
    assert list(first["pairs"].rows()) == list(again["pairs"].rows())
    one = irassay.compare("qrels.txt", ["runs"], measures=AP, baseline="s1", top=3, by=AP)
    assert set(one["comparison"]["measure"]) == {"AP"}


def test_measures_of_ir_measures_are_measures(at: Path) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    result = irassay.power("qrels.txt", ["runs"], measures=[ir_measures.AP, ir_measures.nDCG @ 10], resamples=100)
    assert list(dict.fromkeys(result["power"]["measure"])) == ["AP", "nDCG@10"]
    assert (
        irassay.power("qrels.txt", ["runs"], measures=ir_measures.AP @ 5, resamples=100)["power"]["measure"][0]
        == "AP@5"
    )


def test_collections_give_one_result_whose_main_table_names_them(at: Path, capsys: Any) -> None:
    both = [irassay.Collection(name=name, qrels="qrels.txt", runs=["runs"]) for name in ("A", "B")]
    result = irassay.compare(both, measures=AP, baseline="s1")
    assert list(dict.fromkeys(result["pairs"]["collection"])) == ["A", "B"]
    Path("irassay.toml").write_text(
        "".join(f'[[collection]]\nname = "{name}"\nqrels = "qrels.txt"\nruns = "runs"\n' for name in "AB")
    )
    capsys.readouterr()
    try:
        assert run(["compare", "irassay.toml", "-m", "AP", "--baseline", "s1", "--latex"]) == 0
        assert capsys.readouterr().out == result.to_latex()
    finally:
        Path("irassay.toml").unlink()  # the folder is shared
