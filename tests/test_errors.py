"""Warnings by kind: one of each, the worst first, with how many there are."""

from __future__ import annotations

import ast
import pickle
import warnings
from pathlib import Path

import pytest

import irassay
from irassay.errors import (
    SEVERITY,
    InputError,
    IrassayWarning,
    MissingExtraError,
    Problem,
    WarningsOfAKind,
    by_kind,
    emit,
)

TIED = [IrassayWarning("tied-topics", f"{name}: s1 and s2 have the same score", f"{name}:3") for name in ("AP", "Q")]
OTHERS = [IrassayWarning("tested-as", "GM is AG"), IrassayWarning("few-topics", "12 topics")]


def test_warnings_of_a_kind_are_one_line_with_a_count_and_the_worst_kind_comes_first() -> None:
    lines = list(map(str, by_kind([*OTHERS, *TIED])))
    assert lines == [
        "AP:3: AP: s1 and s2 have the same score; 1 more of this kind, which the result lists [tied-topics]",
        "12 topics [few-topics]",
        "GM is AG [tested-as]",
    ]


def test_kinds_that_are_as_bad_stand_by_how_many_there_are() -> None:
    kinds = by_kind([IrassayWarning("b", "1"), IrassayWarning("a", "1"), IrassayWarning("a", "2")])
    assert [(kind.code, len(kind.messages)) for kind in kinds] == [("a", 2), ("b", 1)]


def test_a_kind_holds_every_warning_once_however_often_it_is_grouped() -> None:
    (once,) = by_kind(TIED)
    assert once.messages == tuple(TIED)
    (twice,) = by_kind([once, TIED[0]])
    assert twice.messages == tuple(TIED)
    assert isinstance(twice, WarningsOfAKind)
    assert by_kind([TIED[0]]) == [TIED[0]]


def test_a_warning_names_the_line_of_the_user_however_deep_in_the_package_it_arises() -> None:
    board = {f"task{number}": {"a": 0.5 + 0.01 * number, "b": 0.4, "c": 0.3} for number in range(6)}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        emit(OTHERS[1:])
        irassay.leaderboard(board, tasks="random")
    assert {one.filename for one in caught} == {__file__}
    assert len({one.lineno for one in caught}) == 2


def test_emitted_are_kinds_and_a_filter_still_sees_their_code() -> None:
    with pytest.warns(IrassayWarning) as met:
        emit([*OTHERS, *TIED])
    assert [getattr(one.message, "code", "") for one in met] == ["tied-topics", "few-topics", "tested-as"]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*tied-topics")
        emit(TIED)


def test_a_result_has_every_warning_and_not_the_kinds() -> None:
    runs = {"x": {str(t): {f"d{t}": 1.0} for t in range(4)}, "y": {str(t): {"z": 1.0} for t in range(4)}}
    qrels = {str(t): {f"d{t}": int(t < 2)} for t in range(5)}
    with pytest.warns(IrassayWarning) as met:
        result = irassay.compare(qrels, runs, measures="AP", resamples=200)
    codes = [warning.code for warning in result.warnings]
    assert {"no-relevant", "unanswered-topics"} <= set(codes)
    assert all(type(warning) is IrassayWarning for warning in result.warnings)
    assert len(met) <= len(codes)


def test_every_code_with_a_severity_is_one_that_warnings_or_problems_have() -> None:
    source = Path(irassay.__file__).parent
    texts = {
        node.value
        for path in source.rglob("*.py")
        if path.name != "errors.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(SEVERITY) <= texts
    assert set(SEVERITY.values()) == {1, 3}


def test_errors_and_warnings_travel_between_processes() -> None:
    (kind,) = by_kind(TIED)
    for one in (OTHERS[0], TIED[0], kind):
        copy = pickle.loads(pickle.dumps(one))
        assert (type(copy), str(copy), copy.code, copy.where) == (type(one), str(one), one.code, one.where)
    assert list(map(str, pickle.loads(pickle.dumps(kind)).messages)) == list(map(str, TIED))
    problems = [Problem("not a number", "run:3"), Problem("too long", "run:9")]
    for error in (InputError.of(problems, "mend it"), MissingExtraError("frames", "a frame")):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
