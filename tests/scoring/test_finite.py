"""No gain, parameter or measure makes a value that is infinite or no number: it is an error before it is a cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay import InputError
from irassay.cli import run
from irassay.measures import parse
from irassay.vary.gains import parse_schemes

QRELS = {topic: {f"d{d}": d % 4 for d in range(30)} for topic in ("1", "2")}
RUNS = {"a": {topic: {f"d{d}": 30.0 - d for d in range(30)} for topic in ("1", "2")}}
GRADED = "nDCG DCG nCG@10 CG@10 Q O PMeasure PPlus RMeasure RBP RBPRes INSQ INST ERR(stop='linear')"


def scored(measures: str, gains: str | None = None) -> Any:
    return irassay.align(irassay.read_qrels(QRELS), irassay.read_runs(RUNS), gains=gains).score(measures).values


@pytest.mark.parametrize("gain", ["1e308", "1e10", "1e-10", "1e-320", "inf", "nan", "-1"])
def test_gains_that_no_sum_can_take_are_refused(gain: str) -> None:
    with pytest.raises(InputError, match="the gain of grade 2 is") as caught:
        scored("nDCG", f"1=1,2={gain},3=3")
    assert "from 1e-9 to 1e9" in caught.value.hint
    with pytest.raises(InputError, match="no gain scheme"):
        parse_schemes(f"{{1:1,2:{gain},3:3}}")
    with pytest.raises(InputError, match="gains"):
        parse(f"nDCG(gains={{1:1,2:{gain},3:3}})")


@pytest.mark.parametrize(
    "measure",
    ["INST(T=1e308)", "INST(T=1e10)", "INSQ(T=1e-320)", "INSQ(T=1e308)", "Q(beta=1e308)", "PMeasure(beta=1e300)",
     "PPlus(beta=1e200)", "SetF(beta=1e308)", "RBP(max_gain=1e308)", "WRR(penalties={1:1e300,2:3,3:2})"],
)  # fmt: skip
def test_parameters_that_overflow_are_refused_with_the_bounds(measure: str) -> None:
    with pytest.raises(InputError, match="from 1e-9 to 1e9"):
        parse(measure)


@pytest.mark.parametrize("gain", ["1e9", "1e-9", "0"])
def test_gains_at_the_bounds_give_numbers(gain: str) -> None:
    for gains in (f"1=1,2={gain},3={gain}", f"1={gain},2={gain},3=1"):
        assert np.isfinite(scored(GRADED, gains)).all()


@pytest.mark.parametrize("measure", ["nDCG", "nDCG(gains={1:0,2:0,3:0})", "DCG", "Q", "RBP", "INST"])
def test_gains_that_are_all_0_are_an_error_of_the_measures_that_take_them(measure: str) -> None:
    gains = None if "gains" in measure else "1=0,2=0,3=0"
    with pytest.raises(InputError, match="no grade that occurs in the judgments has a gain above 0"):
        scored(measure, gains)
    assert scored("AP nDCG(rel=1) ERR", gains).all()  # they take none


def test_a_gain_of_a_grade_that_never_occurs_is_not_enough() -> None:
    with pytest.raises(InputError, match="no grade that occurs"):
        scored("nDCG", "1=0,2=0,3=0,7=1")


def test_parameters_at_the_bounds_give_numbers_between_0_and_1() -> None:
    listed = "INST(T=1e9) INST(T=0.5) INSQ(T=1e-9) INSQ(T=1e9) Q(beta=1e9) PMeasure(beta=1e9) PPlus(beta=1e-9)"
    values = scored(f"{listed} SetF(beta=1e9) SetF(beta=1e-9) RBP(max_gain=1e9)")
    assert ((values >= 0) & (values <= 1)).all()


def test_a_measure_that_returns_no_number_is_an_error_that_names_system_and_topic(monkeypatch: Any) -> None:
    monkeypatch.setattr(type(parse("DCG")[0]), "weights", lambda self, depth: [0.0, *[float("inf")] * depth])
    with pytest.raises(InputError, match=r"measure 'DCG': the value of system 'a' for topic '1' is inf"):
        scored("DCG")


def test_the_command_line_refuses_them_with_status_2(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "qrels").write_text("1 0 d1 1\n1 0 d2 2\n2 0 d1 1\n")
    (tmp_path / "run").write_text("1 Q0 d1 1 2 a\n1 Q0 d2 2 1 a\n2 Q0 d1 1 1 a\n")
    data = [str(tmp_path / "qrels"), str(tmp_path / "run")]
    for more in (["--gains", "1=1,2=1e308"], ["-m", "INST(T=1e308)"], ["-m", "INSQ(T=1e-320)"]):
        assert run(["score", *data, *more]) == 2
        assert "from 1e-9 to 1e9" in capsys.readouterr().err


def test_ready_made_scores_whose_squares_overflow_are_refused(tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("system,topic,measure,score\na,1,DCG,1e101\n")
    with pytest.raises(InputError, match=r"scores.csv:2: the score 1e101 is too large"):
        irassay.read_scores(table)
