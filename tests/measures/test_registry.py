"""Every measure is declared whole, in its own file, and found without importing numpy or numba."""

from __future__ import annotations

import importlib
import inspect
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import pytrec_eval

import irassay
from irassay import align
from irassay.errors import InputError
from irassay.measures import Record, Summary, get, parse, records, register, summaries
from irassay.measures.core import registry
from irassay.measures.core.record import Floats, Ints
from irassay.measures.core.summaries import TREC_NAMES
from irassay.references import REFERENCES

# fmt: off
FIELD = {
    "AP", "P", "R", "RR", "Rprec", "Success", "nDCG", "nCG", "Q", "Bpref", "RBP", "Judged", "DCG", "CG",
    "O", "PMeasure", "PPlus", "RMeasure", "WRR", "NWRR", "BprefR", "BprefN", "RBPRes", "INSQ", "INST", "ERR", "nERR",
    "infAP", "SetP", "SetR", "SetF", "SetAP", "SetRelP", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet", "IPrec",
    "IAP", "RprecMult", "Utility", "Unjudged", "G", "BinG", "nDCGRel", "RnDCG",
}
# fmt: on
FOLD = ["rank", "grade", "n", "gain", "ideal", "judged", "size", "par"]
PEERS = {"trec_eval", "ir_measures", "NTCIREVAL", "cwl_eval", "gdeval"}
each_record = pytest.mark.parametrize("record", records().values(), ids=list(records()))


def test_the_measures_of_the_field_are_there() -> None:
    assert set(records()) == FIELD
    assert {name for name, summary in summaries().items() if summary.written} == {"GM", "AG", "AREA"}


@pytest.mark.parametrize("summary", summaries().values(), ids=list(summaries()))
def test_every_summary_is_explained(summary: Summary) -> None:
    assert "$$" in summary.doc
    assert not summary.written or summary.cite in REFERENCES


@each_record
def test_the_example_of_a_record_asks_for_it(record: Record) -> None:
    (measure,) = parse(record.example)
    assert measure.record is record
    assert str(measure) == record.example


@each_record
def test_every_record_has_a_docstring_a_formula_and_a_citation(record: Record) -> None:
    assert record.help.endswith((".", "0."))
    assert record.formula
    assert len(record.doc.splitlines()) <= 12
    assert record.cite in REFERENCES
    for key, param in record.accepted.items():
        assert param.help, key
        assert param.kind
        assert param.allowed


@each_record
def test_every_record_lives_in_a_module_of_its_own(record: Record) -> None:
    assert record.module == f"irassay.measures.definitions.{record.name.lower()}"
    module = importlib.import_module(record.module)
    assert [value.name for value in vars(module).values() if isinstance(value, Record)].count(record.name) == 1
    assert sum(other.module == record.module for other in records().values()) == 1


@each_record
def test_every_function_has_the_arguments_of_its_kind(record: Record) -> None:
    arguments = list(inspect.signature(record.function).parameters)
    assert arguments == (FOLD if record.kind == "fold" else ["r", *record.params])


@each_record
def test_what_a_record_promises_to_explain_is_explained(record: Record) -> None:
    assert (record.condensed == "optional") == (record.why_condensed == "")
    assert record.hits == "relevant" or record.kind == "fold", "a weight has no gain for other grades"
    assert set(record.peers) <= PEERS
    assert record.summary in summaries()
    assert record.per != "cut" or record.cut == "required"
    assert record.at is None or (record.at in record.params and record.cut == "never")


def test_every_name_alias_and_trec_name_leads_to_its_record() -> None:
    for record in records().values():
        for name in (record.name, *record.aliases, *filter(None, [record.trec])):
            assert get(name) is record
        if record.trec_cut:
            assert get(record.trec_cut.format(k=7)) is record


def test_trec_names_are_names_of_trec_eval() -> None:
    known = pytrec_eval.supported_measures
    for record in records().values():
        assert record.trec is None or record.trec in known
        assert record.trec_cut is None or record.trec_cut.removesuffix("_{k}") in known, record.trec_cut
    assert set(TREC_NAMES) <= known


def test_get_refuses_an_unknown_name_with_a_suggestion() -> None:
    with pytest.raises(InputError) as caught:
        get("Bprev")
    assert caught.value.hint == "did you mean Bpref?"


def test_the_registry_cannot_be_changed_by_its_readers() -> None:
    with pytest.raises(TypeError):
        records()["AP"] = get("Q")  # type: ignore[index]


def test_a_normalised_measure_shares_the_function_and_parameters_of_its_parent() -> None:
    for share, whole in (("nDCG", "DCG"), ("nCG", "CG"), ("nERR", "ERR")):
        assert get(share).function is get(whole).function
        assert get(share).params == get(whole).params
        assert get(share).per == "ideal"


def test_measures_travel_between_processes_as_values() -> None:
    measures = parse("AP nDCG(dcg='jk',base=3)@10 GM(Q'(gains={1:1,2:3}))")
    assert pickle.loads(pickle.dumps(measures)) == measures


def test_weights_start_with_zero_and_folds_have_none() -> None:
    p, jk, ap = parse("P@5 nDCG(dcg='jk')@5 AP")
    assert p.weights(3) == [0, 1, 1, 1]
    assert jk.weights(4) == pytest.approx([0, 1, 1, 0.6309297535714575, 0.5])
    with pytest.raises(TypeError, match="AP is a fold"):
        ap.weights(3)


def test_naming_measures_imports_neither_numpy_nor_numba() -> None:
    program = (
        "import sys; from irassay.measures import parse, records; "
        "parse('AP GM(AP) nDCG@10'); records(); "
        "print(sorted({'numpy', 'numba', 'scipy'} & set(sys.modules)))"
    )
    source = str(Path(__file__).parents[2] / "src")
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


@pytest.fixture
def last_relevant() -> Iterator[Record]:
    @irassay.measure("Last", kind="fold", cite="", cut="never", aliases=("LastRelevant",))
    def last(
        rank: Ints, grade: Ints, n: int, gain: Floats, ideal: Floats, judged: Ints, size: int, par: Floats
    ) -> float:
        """One over the rank of the last relevant document."""
        return 1.0 / rank[n - 1] if n > 0 else 0.0

    yield last
    registry._registered.remove(last)
    for names in (registry._records, registry._names, registry._cut_names):
        names.cache_clear()


def test_a_measure_registered_at_run_time_is_parsed_and_scored(last_relevant: Record) -> None:
    assert records()["Last"] is last_relevant
    assert [str(one) for one in parse("LastRelevant AP'")] == ["Last", "AP'"]
    run = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"x": 1.0}}
    panel = align({"1": {"a": 1, "b": 1, "c": 0}, "2": {"x": 0, "y": 1}}, run)
    assert panel.score("Last")["Last"].values.tolist() == [[0.5, 0.0]]
    with pytest.raises(InputError, match="there is a measure Last already"):
        register(last_relevant)


SCRIPT = """
import irassay

@irassay.measure("Third", kind="fold", cite="")
def third(rank, grade, n, gain, ideal, judged, size, par):
    '''One over the rank of the third relevant document.'''
    if n < 3:
        return 0.0
    return 1.0 / rank[2]
"""
SCORED = """
import irassay

panel = irassay.align({"1": {"a": 1, "b": 1, "c": 1, "d": 0}}, {"1": {"a": 4.0, "d": 3.0, "b": 2.0, "c": 1.0}})
print(panel.score("Third Third@3").values.ravel().tolist())
"""


@pytest.mark.parametrize("place", ["script", "package"])
def test_a_measure_of_a_script_and_one_of_an_installed_package_are_scored(tmp_path: Path, place: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT + SCORED if place == "script" else SCORED)
    if place == "package":
        (tmp_path / "third.py").write_text(SCRIPT)
        (tmp_path / "third-1.0.dist-info").mkdir()
        (tmp_path / "third-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: third\nVersion: 1.0\n")
        (tmp_path / "third-1.0.dist-info" / "entry_points.txt").write_text("[irassay.measures]\nthird = third\n")
    source = Path(__file__).parents[2] / "src"
    done = subprocess.run(
        [sys.executable, script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(source), str(tmp_path)])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[0.25, 0.0]"
